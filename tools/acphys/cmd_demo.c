/* SPDX-License-Identifier: MIT */
/* `acphys demo`: the miniature world built, verified, loaded and walked through; a report that says what happened and why.
 *
 * Everything goes into --out: the two DAT files, report.txt, report.json, capture.jsonl, pictures. Each file appears whole or not at all.
 * Exit code 1 when something did not go as the specification demands. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "acphys/membership.h"
#include "support/json_values.h"
#include "support/output_file.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_atlas.h"
#include "tools/acphys/tool_tour.h"

static double milliseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int write_file(const acp_command_line *line, const char *folder, const char *name, const void *bytes, size_t size) {
    char path[4096];
    acp_error error;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return acp_output_file_write(path, bytes, size, &error) == ACP_OK ? ACP_EXIT_OK : acp_command_fail(line, &error);
}

/* ---- before the tour ---- */

static void tell_files(acp_tour *t, double took) {
    size_t portal, cell;
    acp_tour_section(t, "build", "The world is made from its tables");
    (void)acp_demo_bytes(t->demo, ACP_DAT_PORTAL, &portal);
    (void)acp_demo_bytes(t->demo, ACP_DAT_CELL, &cell);
    acp_tour_number(t, "client_portal.dat", (double)portal, "bytes");
    acp_tour_number(t, "client_cell_1.dat", (double)cell, "bytes");
    acp_tour_number(t, "built in", round(took * 10) / 10, "ms");
    acp_tour_expect(t, portal + cell < 2000000u, "both under 2 MB together");
    acp_tour_end_section(t);
}

static bool verify(acp_tour *t) {
    acp_tour_section(t, "verify", "Every block, node and record, read strictly");
    for (uint32_t data_set = ACP_DAT_PORTAL; data_set <= ACP_DAT_CELL; data_set++) {
        acp_dat_verify_options options = acp_dat_verify_options_default();
        acp_dat_verify_report report;
        options.is_strict = 1;
        if (acp_dat_verify(acp_demo_world_dat(t->world, data_set), &options, &report, &t->error) != ACP_OK) return false;
        acp_tour_fact(t, data_set == ACP_DAT_CELL ? "cell" : "portal", "%llu records, %llu faults, %llu remarks",
                      (unsigned long long)report.record_count, (unsigned long long)report.fault_count,
                      (unsigned long long)report.remark_count);
        acp_tour_expect(t, report.fault_count + report.remark_count == 0, "not a remark");
    }
    acp_tour_end_section(t);
    return true;
}

static bool load(acp_tour *t) {
    uint32_t count;
    acp_tour_section(t, "load", "All of it becomes resident");
    double start = milliseconds();
    (void)acp_demo_world_blocks(t->world, &count);
    if (acp_demo_world_publish_all(t->world, &t->error) != ACP_OK) return false;
    double took = milliseconds() - start;
    acp_membership_counters counters = acp_membership_get_counters(acp_demo_world_get(t->world));
    acp_tour_number(t, "landblocks", count, "");
    acp_tour_number(t, "objects", counters.object_count, "");
    acp_tour_number(t, "object and cell pairs", (double)counters.pair_count, "");
    acp_tour_number(t, "resident in", round(took * 10) / 10, "ms");
    acp_tour_number(t, "memory", (double)acp_demo_world_byte_count(t->world), "bytes");
    acp_tour_expect(t, acp_membership_check(acp_demo_world_get(t->world), &t->error) == ACP_OK, "both sides of every list agree");
    acp_tour_expect(t, acp_demo_world_byte_count(t->world) < (16u << 20), "less than 16 MiB");
    acp_tour_end_section(t);
    return true;
}

/* ---- pictures ---- */

typedef struct demo_picture {
    const char *file, *title;
    uint32_t block;
    acp_rectangle view;
    double level;
    bool is_cut;
} demo_picture;

static const demo_picture pictures[] = {
    {"town.png", "Saltmere: the town, the coast and the hills, 5 x 5 landblocks", 0x50500000u, {0, 0, 960, 960}, INFINITY, false},
    {"tower.png", "The tower, with its EnvCells and portals", 0x53520000u, {26, 26, 46, 46}, INFINITY, false},
    {"hall.png", "The town hall, turned by 30 degrees", 0x53520000u, {96, 48, 120, 72}, INFINITY, false},
    {"cottage.png", "The cottage and the way of the tour", 0x52520000u, {50, 50, 72, 70}, INFINITY, false},
    {"yard.png", "The walled yard", 0x52520000u, {96, 48, 124, 72}, INFINITY, false},
    {"cottage-cut.png",
     "The cottage, cut along its stairs: chamber over cellar, and the way through it",
     0x52520000u,
     {50, 57.75, 70, 57.75},
     0,
     true},
    {"stairs-cut.png", "The tower, cut along its stairs of 0.25 m, and the way up", 0x53520000u, {28, 39.3, 44, 39.3}, 0, true},
    {"tower-cut.png", "The tower, cut through the pillar whose globe is upstairs", 0x53520000u, {28, 34, 44, 34}, 0, true},
    {"arch.png", "The rock arch on the edge of two landblocks, and the way along it", 0x52530000u, {110, 60, 274, 140}, INFINITY, false},
    {"arch-cut.png", "The rock arch, cut lengthwise", 0x52530000u, {115, 100, 269, 100}, 0, true},
    {"proving-ground.png", "Steps, cliff, ledge, lip, walls", 0x52510000u, {0, 0, 192, 192}, INFINITY, false},
    {"green.png", "One of each kind of thing to run into", 0x53510000u, {16, 40, 146, 116}, INFINITY, false},
    {"forest.png", "The wood: scenery", 0x52540000u, {40, 30, 192, 192}, INFINITY, false},
    {"hills.png", "Hills of 18 to 32 degrees", 0x54510000u, {0, 0, 192, 192}, INFINITY, false},
    {"hills-cut.png", "A slope of 48 degrees, which can be climbed, cut lengthwise", 0x54520000u, {180, 112, 180, 200}, 0, true},
    {"undercroft.png", "The Undercroft from above", 0x70200000u, {76, 82, 134, 118}, INFINITY, false},
    {"undercroft-cut.png", "The Undercroft, cut along ramp, gallery and pit", 0x70200000u, {80, 96, 126, 96}, 0, true},
    {"far-town.png", "Farhaven and its neighbour", 0xA0A00000u, {0, 0, 384, 192}, INFINITY, false},
};
#define PICTURE_COUNT (sizeof pictures / sizeof pictures[0])

static int draw_pictures(const acp_command_line *line, const acp_tour *t, const char *folder, const char *form) {
    uint32_t place_count;
    acp_atlas_label labels[512];
    const acp_demo_place *places = acp_demo_places(t->demo, &place_count);
    for (uint32_t i = 0; i < place_count && i < 512u; i++)
        labels[i] = (acp_atlas_label){places[i].position, places[i].name};
    for (uint32_t i = 0; i < PICTURE_COUNT; i++) {
        const demo_picture *p = &pictures[i];
        char path[4096];
        acp_error error = {0};
        (void)snprintf(path, sizeof path, "%s/%.*s%s", folder, (int)(strlen(p->file) - 4u), p->file, form);
        acp_atlas atlas = {.world = acp_demo_world_get(t->world),
                           .base_block = p->block,
                           .view = p->view,
                           .title = p->title,
                           .level = p->level,
                           .shows_rooms = true,
                           .shows_cells = p->view.x1 - p->view.x0 < 500,
                           .labels = labels,
                           .label_count = place_count < 512u ? place_count : 512u,
                           .way = t->way,
                           .way_count = t->way_count};
        /* the map 800 units on its longer side, with room for the legend beside it */
        double wide = p->view.x1 - p->view.x0, tall = p->view.y1 - p->view.y0, unit = 800 / fmax(wide, tall);
        uint32_t width = (uint32_t)(wide * unit) + 2u * 280u, height = (uint32_t)(tall * unit) + 88u;
        acp_command_progress(line, "drawing", i, PICTURE_COUNT);
        acp_result result =
            p->is_cut ? acp_atlas_draw_cut(&atlas, path, 1200, 700, &error) : acp_atlas_draw_above(&atlas, path, width, height, &error);
        if (result != ACP_OK) return acp_command_fail(line, &error);
    }
    acp_command_progress_end(line);
    return ACP_EXIT_OK;
}

/* ---- the command ---- */

static int write_results(const acp_command_line *line, acp_tour *t, const char *folder) {
    size_t size;
    const void *bytes = acp_demo_bytes(t->demo, ACP_DAT_PORTAL, &size);
    int code = write_file(line, folder, "client_portal.dat", bytes, size);
    bytes = acp_demo_bytes(t->demo, ACP_DAT_CELL, &size);
    if (code == ACP_EXIT_OK) code = write_file(line, folder, "client_cell_1.dat", bytes, size);
    if (code == ACP_EXIT_OK) code = write_file(line, folder, "report.txt", acp_command_json_text(&t->text), t->text.length);
    if (code == ACP_EXIT_OK) code = write_file(line, folder, "capture.jsonl", acp_command_json_text(&t->capture), t->capture.length);
    if (code == ACP_EXIT_OK) code = write_file(line, folder, "report.json", acp_command_json_text(&t->json), t->json.length);
    if (code == ACP_EXIT_OK && !acp_command_flag(line, "no-pictures"))
        code = draw_pictures(line, t, folder, acp_command_flag(line, "svg") ? ".svg" : ".png");
    return code;
}

static int run_tour(acp_command_line *line, acp_tour *t, const char *folder) {
    double start = milliseconds();
    acp_result result = acp_demo_create(acp_command_text(line, "tables"), NULL, &t->demo, &t->error);
    if (result == ACP_OK) result = acp_demo_world_create(t->demo, NULL, &t->world, &t->error);
    if (result != ACP_OK) return acp_command_fail(line, &t->error);
    acp_json_begin_object(&t->json, NULL);
    acp_json_write_string(&t->json, "schema", "acphys.demo/1");
    acp_json_begin_array(&t->json, "sections");
    tell_files(t, milliseconds() - start);
    if (!verify(t) || !load(t)) return acp_command_fail(line, &t->error);
    acp_tour_run(t);
    if (t->has_failed) return acp_command_fail(line, &t->error);
    acp_json_end_array(&t->json);
    acp_json_write_uint(&t->json, "stops", t->stops);
    acp_json_write_uint(&t->json, "not_as_expected", t->failed);
    acp_json_end_object(&t->json);
    acp_json_end_line(&t->json);
    int code = write_results(line, t, folder);
    if (code != ACP_EXIT_OK) return code;
    (void)fputs(acp_command_json_text(acp_command_flag(line, "json") ? &t->json : &t->text), stdout);
    if (!acp_command_flag(line, "json"))
        (void)printf("\n%u stops, %u not as expected; everything is in %s\n", (unsigned)t->stops, (unsigned)t->failed, folder);
    return t->failed ? ACP_EXIT_NEGATIVE : ACP_EXIT_OK;
}

static int run_demo(acp_command_line *line) {
    const char *folder = acp_command_text(line, "out");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        acp_command_error(line, "%s: %s", folder, strerror(errno));
        return ACP_EXIT_IO;
    }
    acp_tour tour = {0};
    tour.way = calloc(TOUR_WAY_MAX, sizeof *tour.way);
    int code = run_tour(line, &tour, folder);
    acp_demo_world_destroy(tour.world);
    acp_demo_destroy(tour.demo);
    acp_json_writer_free(&tour.text);
    acp_json_writer_free(&tour.json);
    acp_json_writer_free(&tour.capture);
    free(tour.way);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .fallback = "out",
     .help = "where everything is written"},
    {.name = "tables",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "build from an edited copy of the tables, not from the built-in ones"},
    {.name = "svg", .help = "draw the pictures as SVG"},
    {.name = "no-pictures", .help = "draw none"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_demo = {
    .name = "demo",
    .summary = "make the miniature world and take a tour through it",
    .operands = "",
    .description = "Builds the miniature world as real DAT files, reads them back strictly, makes all of it resident and walks a body "
                   "through town, cottage, cellar, "
                   "tower, door, arch, dungeon and far town. The report says what happened at each stop, whether that is what the rules "
                   "demand, and why.\n\n"
                   "Written into --out: client_portal.dat, client_cell_1.dat, report.txt, report.json, capture.jsonl (for replay) and "
                   "pictures. Exit code 1 when a "
                   "stop did not go as expected.",
    .examples = "acphys demo --out out\tthe world, the tour and the pictures in out/\n"
                "acphys demo --tables my-demo --out out\tthe same from edited tables",
    ACP_COMMAND_OPTIONS(options),
    .run = run_demo,
};
