/* SPDX-License-Identifier: MIT */
/* Pictures: the transform from the world, both formats, files that appear whole or not at all. What a picture looks like is not tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "draw/canvas.h"
#include "tests/support/temporary.h"

static char folder[TEST_PATH_CAPACITY];

static int make_folder(void **state) {
    (void)state;
    test_temporary_folder("canvas", folder);
    return 0;
}

static const char *path_of(const char *name) {
    static char path[TEST_PATH_CAPACITY + 64];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void draw_everything(acp_canvas *canvas) {
    acp_error error;
    const acp_canvas_point points[3] = {{10, 10}, {100, 20}, {60, 90}};
    const uint32_t pixels[4] = {0xFF000000u, 0x80FF0000u, 0xFF00FF00u, 0x00000000u};
    acp_pen pen = {.fill = acp_palette(0, 0.5), .stroke = acp_palette(1, 1.0), .width = 2.0, .dash = 4.0};
    acp_canvas_background(canvas, acp_color_rgb(0xFFFFFF, 1.0));
    acp_canvas_fit(canvas, (acp_rectangle){0, 0, 192, 192}, 20);
    assert_int_equal(acp_canvas_image(canvas, (acp_rectangle){0, 0, 192, 192}, pixels, 2, 2, &error), ACP_OK);
    acp_canvas_grid(canvas, (acp_rectangle){0, 0, 192, 192}, 24, &(acp_pen){.stroke = acp_color_sequential(0.5)});
    acp_canvas_clip(canvas, (acp_rectangle){0, 0, 100, 100});
    acp_canvas_polygon(canvas, points, 3, &pen);
    acp_canvas_polyline(canvas, points, 3, &pen);
    acp_canvas_unclip(canvas);
    acp_canvas_circle(canvas, 96, 96, 12, &pen);
    acp_canvas_rectangle(canvas, (acp_rectangle){5, 5, 9, 9}, &pen);
    acp_canvas_arrow(canvas, 0, 0, 50, 50, &pen);
    for (int marker = ACP_MARKER_DOT; marker <= ACP_MARKER_TRIANGLE; marker++) {
        acp_canvas_marker(canvas, 20.0 * marker, 150, (acp_marker)marker, 8, &pen);
        acp_canvas_legend(canvas, (acp_marker)marker, &pen, "an entry");
        acp_canvas_label(canvas, 20.0 * marker, 150, (acp_anchor)marker, 12, acp_color_diverging(-1.0), "0xA9B40001");
    }
    acp_canvas_title(canvas, "A picture");
    acp_canvas_scale_bar(canvas, "m");
}

static void the_world_is_placed_upright(void **state) {
    (void)state;
    acp_canvas *canvas;
    acp_error error;
    assert_int_equal(acp_canvas_open(&canvas, path_of("a.png"), 400, 240, &error), ACP_OK);
    acp_canvas_fit(canvas, (acp_rectangle){0, 0, 100, 100}, 20);
    assert_true(acp_canvas_scale(canvas) == 2.0);
    acp_canvas_point low = acp_canvas_place(canvas, 0, 0), high = acp_canvas_place(canvas, 100, 100);
    assert_true(low.x == 100.0 && low.y == 220.0);
    assert_true(high.x == 300.0 && high.y == 20.0);
    acp_canvas_discard(canvas);
    assert_int_not_equal(access(path_of("a.png"), F_OK), 0);
}

static void a_png_has_its_size(void **state) {
    (void)state;
    acp_canvas *canvas;
    acp_error error;
    unsigned char head[24];
    assert_int_equal(acp_canvas_open(&canvas, path_of("b.png"), 300, 200, &error), ACP_OK);
    draw_everything(canvas);
    assert_int_equal(acp_canvas_close(canvas, &error), ACP_OK);
    FILE *file = fopen(path_of("b.png"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fclose(file), 0);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(head + 12, "IHDR\0\0\x01\x2C\0\0\0\xC8", 12);
    assert_int_equal(remove(path_of("b.png")), 0);
}

static void an_svg_is_whole(void **state) {
    (void)state;
    acp_canvas *canvas;
    acp_error error;
    static char text[1 << 20];
    assert_int_equal(acp_canvas_open(&canvas, path_of("c.svg"), 300, 200, &error), ACP_OK);
    draw_everything(canvas);
    assert_int_equal(acp_canvas_close(canvas, &error), ACP_OK);
    FILE *file = fopen(path_of("c.svg"), "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[length] = '\0';
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_int_equal(remove(path_of("c.svg")), 0);
}

static void faults_leave_nothing(void **state) {
    (void)state;
    acp_canvas *canvas;
    acp_error error;
    assert_int_equal(acp_canvas_open(&canvas, path_of("d.gif"), 300, 200, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_canvas_open(&canvas, path_of("d.png"), 0, 200, &error), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_canvas_open(&canvas, path_of("d.png"), 200, 16385, &error), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_canvas_open(&canvas, path_of("no/such/d.png"), 200, 200, &error), ACP_ERROR_IO);
    assert_int_equal(acp_canvas_open(&canvas, path_of("e.svg"), 300, 200, &error), ACP_OK);
    draw_everything(canvas);
    acp_canvas_discard(canvas);
    acp_canvas_discard(NULL);
    assert_int_equal(rmdir(folder), 0); /* empty: no temporary file was left by any test */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_world_is_placed_upright),
        cmocka_unit_test(a_png_has_its_size),
        cmocka_unit_test(an_svg_is_whole),
        cmocka_unit_test(faults_leave_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, NULL);
}
