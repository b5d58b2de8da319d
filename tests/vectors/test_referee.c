/* SPDX-License-Identifier: MIT */
/* The referee against the original's bits: before it may judge the library it has to give every answer of the polygon, bspcell, bspsphere
 * and planebox vectors (and those of the document examples it has an operation for) to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/vectors.h"

#define VECTORS "../shared/vectors/retail-bits/"

enum { MAX_TREES = 512 };

typedef struct tree {
    char name[64];
    referee_polygon *polygons;
    int polygon_count;
    referee_node *root;
} tree;

typedef struct judge {
    tree trees[MAX_TREES];
    int tree_count;
    const acp_json *in;
    const acp_json *out;
    unsigned checked;
    unsigned unknown;
    unsigned wrong;
    bool is_wrong;
} judge;

static void expect_int(judge *j, const char *key, int actual) {
    if (referee_flag(j->out, key) != actual) j->is_wrong = true;
}

/* All NaN are one: the vectors carry the processor's default. */
static bool same_bits(float a, float b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static void expect_float(judge *j, const char *key, float actual) {
    if (!same_bits(referee_float(j->out, key), actual)) j->is_wrong = true;
}

static void expect_vec3(judge *j, const char *key, acp_vec3 actual) {
    acp_vec3 expected = referee_vec3(j->out, key);
    if (!same_bits(expected.x, actual.x) || !same_bits(expected.y, actual.y) || !same_bits(expected.z, actual.z)) j->is_wrong = true;
}

static void expect_double(judge *j, const char *key, double actual) {
    double expected = referee_double(j->out, key);
    if (memcmp(&expected, &actual, sizeof actual) != 0) j->is_wrong = true;
}

static void expect_plane(judge *j, acp_plane actual) {
    expect_vec3(j, "n", actual.normal);
    expect_float(j, "d", actual.d);
}

static void expect_box(judge *j, acp_box actual) {
    expect_vec3(j, "min", actual.min);
    expect_vec3(j, "max", actual.max);
}

static bool judge_plane_or_box(judge *j, const char *op) {
    const acp_json *in = j->in;
    if (strcmp(op, "plane_which_side") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        expect_int(j, "ret", (int)referee_which_side(&plane, referee_vec3(in, "v"), referee_float(in, "eps")));
    } else if (strcmp(op, "plane_which_side2") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        expect_int(j, "ret", (int)referee_which_side2(&plane, referee_vec3(in, "v"), referee_float(in, "bias"), referee_float(in, "eps")));
    } else if (strcmp(op, "plane_intersect_box") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        acp_box box = referee_box(in, "box");
        expect_int(j, "ret", (int)referee_intersect_box(&plane, &box));
    } else if (strcmp(op, "plane_set_height") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        acp_vec3 v = referee_vec3(in, "v");
        expect_int(j, "ret", referee_set_height(&plane, &v));
        expect_vec3(j, "v", v);
    } else if (strcmp(op, "plane_snap_to_plane") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        acp_vec3 v = referee_vec3(in, "v");
        referee_snap_to_plane(&plane, &v);
        expect_vec3(j, "v", v);
    } else if (strcmp(op, "plane_from_point_normal") == 0) {
        expect_plane(j, referee_plane_from_point_normal(referee_vec3(in, "normal"), referee_vec3(in, "v")));
    } else if (strcmp(op, "plane_localtoglobal") == 0) {
        acp_plane plane = referee_plane(in, "plane");
        referee_position to = referee_read_position(referee_member(in, "to")), from = referee_read_position(referee_member(in, "from"));
        expect_plane(j, referee_plane_local_to_global(to.cell, &from, &plane));
    } else if (strcmp(op, "box_localtoglobal") == 0 || strcmp(op, "box_localtolocal") == 0) {
        acp_box box = referee_box(in, "box");
        referee_position to = referee_read_position(referee_member(in, "to")), from = referee_read_position(referee_member(in, "from"));
        bool is_local = strcmp(op, "box_localtolocal") == 0;
        expect_box(j, is_local ? referee_box_local_to_local(&to, &from, &box) : referee_box_local_to_global(to.cell, &from, &box));
    } else if (strcmp(op, "box_convert_to_global") == 0) {
        acp_box box = referee_box(in, "box");
        referee_position pos = referee_read_position(referee_member(in, "pos"));
        expect_box(j, referee_box_convert_to_global(&pos, &box));
    } else if (strcmp(op, "box_adjust") == 0) {
        acp_box box = referee_box(in, "box");
        referee_box_adjust(&box, referee_vec3(in, "v"));
        expect_box(j, box);
    } else if (strcmp(op, "box_center") == 0) {
        acp_box box = referee_box(in, "box");
        expect_vec3(j, "v", referee_box_center(&box));
    } else {
        return false;
    }
    return true;
}

static bool judge_sphere(judge *j, const char *op) {
    const acp_json *in = j->in;
    if (strcmp(op, "sphere_intersects") == 0) {
        acp_sphere a = referee_sphere(in, "a"), b = referee_sphere(in, "b");
        expect_int(j, "ret", referee_sphere_intersects(&a, &b));
    } else if (strcmp(op, "sphere_collides") == 0) {
        expect_int(j, "ret", referee_sphere_overlap(referee_vec3(in, "disp"), referee_float(in, "radsum")));
    } else if (strcmp(op, "sphere_time_of_collision") == 0) {
        expect_double(
            j, "ret",
            referee_sphere_time_of_collision(referee_vec3(in, "movement"), referee_vec3(in, "disp"), referee_float(in, "radsum")));
    } else if (strcmp(op, "cyl_collides") == 0) {
        expect_int(j, "ret",
                   referee_cyl_overlap(referee_float(in, "height"), referee_float(in, "sphere_radius"), referee_vec3(in, "disp"),
                                       referee_float(in, "radsum")));
    } else {
        return false;
    }
    return true;
}

static void judge_polygon_hits_sphere(judge *j, const referee_polygon *polygon) {
    acp_sphere sphere = referee_sphere(j->in, "sphere");
    acp_vec3 contact = {0, 0, 0};
    expect_int(j, "fast", referee_hits_sphere_fast(polygon, &sphere, &contact));
    expect_vec3(j, "fast_contact", contact);
    acp_vec3 again = {0, 0, 0};
    expect_int(j, "sure", referee_hits_sphere_precise(polygon, &sphere, &again));
    expect_vec3(j, "sure_contact", again);
}

static bool judge_polygon(judge *j, const char *op) {
    const acp_json *in = j->in;
    if (strncmp(op, "poly_", 5) != 0) return false;
    op += 5;
    referee_polygon polygon = referee_read_polygon(referee_member(in, "poly"), 0);
    acp_vec3 contact = {0, 0, 0};
    if (strcmp(op, "make_plane") == 0) {
        expect_plane(j, polygon.plane);
    } else if (strcmp(op, "point_in_poly2d") == 0) {
        expect_int(j, "side0", referee_point_in_poly2d(&polygon, referee_vec3(in, "v"), REFEREE_POSITIVE));
        expect_int(j, "side1", referee_point_in_poly2d(&polygon, referee_vec3(in, "v"), REFEREE_NEGATIVE));
    } else if (strcmp(op, "point_in_polygon") == 0) {
        expect_int(j, "ret", referee_point_in_polygon(&polygon, referee_vec3(in, "v")));
    } else if (strcmp(op, "hits_sphere") == 0) {
        judge_polygon_hits_sphere(j, &polygon);
    } else if (strcmp(op, "pos_hits_sphere") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        const referee_polygon *struck = NULL;
        expect_int(j, "ret", referee_pos_hits_sphere(&polygon, &sphere, referee_vec3(in, "movement"), &contact, &struck));
        expect_int(j, "struck", struck != NULL);
        expect_vec3(j, "contact", contact);
    } else if (strcmp(op, "adjust_sphere_to_poly") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        expect_double(j, "ret",
                      referee_adjust_sphere_to_poly(&polygon, sphere.radius, referee_vec3(in, "curr"), referee_vec3(in, "movement")));
    } else if (strcmp(op, "adjust_sphere_to_plane") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        referee_path path = {0, referee_float(in, "walk_interp")};
        expect_int(j, "ret", referee_adjust_sphere_to_plane(&polygon, &path, &sphere, referee_vec3(in, "movement")));
        expect_vec3(j, "c", sphere.center);
        expect_float(j, "walk_interp", path.walk_interp);
    } else if (strcmp(op, "check_walkable") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        expect_int(j, "ret", referee_check_walkable(&polygon, &sphere, referee_vec3(in, "up")));
        expect_int(j, "small", referee_check_small_walkable(&polygon, &sphere, referee_vec3(in, "up")));
    } else if (strcmp(op, "find_crossed_edge") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        acp_vec3 normal = {0, 0, 0};
        bool is_crossed = referee_find_crossed_edge(&polygon, &sphere, referee_vec3(in, "up"), &normal);
        expect_int(j, "ret", is_crossed);
        if (acp_json_member(j->out, "normal")) expect_vec3(j, "normal", normal);
    } else if (strcmp(op, "walkable_hits_sphere") == 0) {
        acp_sphere sphere = referee_sphere(in, "sphere");
        referee_path path = {referee_float(in, "walkable_allowance"), 1.0f};
        expect_int(j, "ret", referee_walkable_hits_sphere(&polygon, &path, &sphere, referee_vec3(in, "up")));
    } else if (strcmp(op, "adjust_to_placement") == 0) {
        acp_sphere struck = referee_sphere(in, "struck"), other = referee_sphere(in, "other");
        referee_adjust_to_placement_poly(&polygon, &struck, &other, referee_float(in, "radius"), referee_flag(in, "center_solid") != 0,
                                         referee_flag(in, "solid_check") != 0);
        expect_vec3(j, "struck", struck.center);
        expect_vec3(j, "other", other.center);
    } else {
        return false;
    }
    return true;
}

static void judge_cell_tree(judge *j) {
    uint32_t next = 0;
    const acp_json *value = referee_member(j->in, "tree");
    const acp_json *root = acp_json_member(value, "root");
    referee_node *tree_root = referee_read_tree(root ? root : value, NULL, 0, &next);
    int count;
    float *f = referee_floats(j->in, "points", &count);
    const acp_json *list = referee_member(j->out, "points");
    if (list->count != (uint32_t)(count / 3)) j->is_wrong = true;
    for (int i = 0; i < count / 3; i++) {
        acp_vec3 p = {f[3 * i], f[3 * i + 1], f[3 * i + 2]};
        if (referee_int(acp_json_element(list, (uint32_t)i)) != referee_cell_point(tree_root, p)) j->is_wrong = true;
    }
    free(f);
    f = referee_floats(j->in, "spheres", &count);
    list = referee_member(j->out, "spheres");
    if (list->count != (uint32_t)(count / 4)) j->is_wrong = true;
    for (int i = 0; i < count / 4; i++) {
        acp_sphere s = {{f[4 * i], f[4 * i + 1], f[4 * i + 2]}, f[4 * i + 3]};
        if (referee_int(acp_json_element(list, (uint32_t)i)) != referee_cell_sphere(tree_root, &s)) j->is_wrong = true;
    }
    free(f);
    f = referee_floats(j->in, "boxes", &count);
    list = referee_member(j->out, "boxes");
    if (list->count != (uint32_t)(count / 6)) j->is_wrong = true;
    for (int i = 0; i < count / 6; i++) {
        acp_box box = {{f[6 * i], f[6 * i + 1], f[6 * i + 2]}, {f[6 * i + 3], f[6 * i + 4], f[6 * i + 5]}};
        if (referee_int(acp_json_element(list, (uint32_t)i)) != referee_cell_box(tree_root, &box)) j->is_wrong = true;
    }
    free(f);
}

static void define_tree(judge *j) {
    assert_true(j->tree_count < MAX_TREES);
    tree *t = &j->trees[j->tree_count++];
    const acp_json *value = referee_member(j->in, "tree");
    const acp_json *polys = referee_member(value, "polys");
    const acp_json *name = referee_member(j->in, "name");
    (void)snprintf(t->name, sizeof t->name, "%.*s", (int)name->count, name->text);
    t->polygon_count = (int)polys->count;
    t->polygons = referee_keep(((size_t)t->polygon_count + 1) * sizeof *t->polygons);
    for (int i = 0; i < t->polygon_count; i++)
        t->polygons[i] = referee_read_polygon(acp_json_element(polys, (uint32_t)i), (uint32_t)i);
    uint32_t next = 0;
    t->root = referee_read_tree(referee_member(value, "root"), t->polygons, t->polygon_count, &next);
    const acp_json *planes = acp_json_member(j->out, "planes");
    for (int i = 0; planes && i < t->polygon_count; i++) {
        const acp_json *plane = acp_json_element(planes, (uint32_t)i);
        acp_vec3 n = referee_vec3(plane, "n");
        if (!same_bits(n.x, t->polygons[i].plane.normal.x) || !same_bits(n.y, t->polygons[i].plane.normal.y) ||
            !same_bits(n.z, t->polygons[i].plane.normal.z) || !same_bits(referee_float(plane, "d"), t->polygons[i].plane.d))
            j->is_wrong = true;
    }
}

static void expect_polygon(judge *j, const referee_polygon *polygon) { expect_int(j, "poly", polygon ? (int)polygon->number : -1); }

static bool judge_tree_query(judge *j, const char *op) {
    const acp_json *in = j->in;
    if (strncmp(op, "bsp_", 4) != 0 || !acp_json_member(in, "tree") || acp_json_member(in, "tree")->type != ACP_JSON_STRING) return false;
    op += 4;
    const tree *t = NULL;
    for (int i = 0; i < j->tree_count; i++)
        if (acp_json_is_text(acp_json_member(in, "tree"), j->trees[i].name)) t = &j->trees[i];
    assert_non_null(t);
    const referee_polygon *hit = NULL;
    acp_vec3 contact = {0, 0, 0};
    if (strcmp(op, "point_intersects_solid") == 0) {
        expect_int(j, "ret", referee_bsp_point_intersects_solid(t->root, referee_vec3(in, "v"), NULL));
        return true;
    }
    acp_sphere s = referee_sphere(in, "sphere");
    if (strcmp(op, "sphere_intersects_poly") == 0) {
        expect_int(j, "ret", referee_bsp_intersects_poly(t->root, &s, referee_vec3(in, "movement"), &hit, &contact, NULL));
        expect_polygon(j, hit);
        expect_vec3(j, "contact", contact);
    } else if (strcmp(op, "sphere_intersects_solid") == 0) {
        expect_int(j, "ret", referee_bsp_intersects_solid(t->root, &s, referee_flag(in, "center_check") != 0, NULL));
    } else if (strcmp(op, "sphere_intersects_solid_poly") == 0) {
        bool center_solid = false;
        expect_int(j, "ret",
                   referee_bsp_intersects_solid_poly(t->root, &s, referee_float(in, "radius"), &center_solid, &hit,
                                                     referee_flag(in, "center_check") != 0, NULL));
        expect_int(j, "center_solid", center_solid);
        expect_polygon(j, hit);
    } else if (strcmp(op, "find_walkable") == 0) {
        referee_path path = {referee_float(in, "walkable_allowance"), referee_float(in, "walk_interp")};
        bool changed = false;
        referee_bsp_find_walkable(t->root, &path, &s, &hit, referee_vec3(in, "movement"), referee_vec3(in, "up"), &changed, NULL);
        expect_int(j, "changed", changed);
        expect_polygon(j, hit);
        expect_vec3(j, "c", s.center);
        expect_float(j, "walk_interp", path.walk_interp);
    } else if (strcmp(op, "hits_walkable") == 0) {
        referee_path path = {referee_float(in, "walkable_allowance"), 1.0f};
        expect_int(j, "ret", referee_bsp_hits_walkable(t->root, &path, &s, referee_vec3(in, "up"), NULL));
    } else if (strcmp(op, "adjust_to_plane") == 0) {
        expect_int(
            j, "ret",
            referee_bsp_adjust_to_plane(t->root, &s, referee_vec3(in, "curr"), &t->polygons[referee_flag(in, "hit_poly")], &contact));
        expect_vec3(j, "c", s.center);
        expect_vec3(j, "contact", contact);
    } else {
        return false;
    }
    return true;
}

static void judge_line(judge *j, const acp_json *line) {
    const acp_json *name = referee_member(line, "op");
    char op[64];
    (void)snprintf(op, sizeof op, "%.*s", (int)name->count, name->text);
    j->in = referee_member(line, "in");
    j->out = acp_json_member(line, "out");
    j->is_wrong = false;
    if (strcmp(op, "bsp_tree") == 0) {
        define_tree(j);
    } else if (strcmp(op, "cellbsp") == 0) {
        judge_cell_tree(j);
    } else if (!judge_plane_or_box(j, op) && !judge_sphere(j, op) && !judge_polygon(j, op) && !judge_tree_query(j, op)) {
        j->unknown++;
        return;
    }
    j->checked++;
    if (j->is_wrong && j->wrong++ < 5) print_error("differs: %s, id %d\n", op, referee_flag(line, "id"));
}

static judge *judge_file(const char *name) {
    static judge j;
    char path[256];
    memset(&j, 0, sizeof j);
    (void)snprintf(path, sizeof path, "%s%s", VECTORS, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("skipped: %s is not there\n", path);
        skip();
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    acp_json_reader reader;
    memset(&reader, 0, sizeof reader);
    while ((length = getline(&text, &capacity, file)) > 0) {
        acp_json_fault fault;
        const acp_json *line = acp_json_read(&reader, text, (size_t)length, &fault);
        assert_non_null(line);
        judge_line(&j, line);
    }
    acp_json_reader_free(&reader);
    free(text);
    fclose(file);
    referee_vectors_free();
    printf("%s: %u answers compared, %u differ, %u lines of other operations\n", name, j.checked, j.wrong, j.unknown);
    return &j;
}

static void planes_and_boxes(void **state) {
    (void)state;
    judge *j = judge_file("planebox.jsonl");
    assert_int_equal(j->wrong + j->unknown, 0);
    assert_true(j->checked > 2000);
}

static void polygons(void **state) {
    (void)state;
    judge *j = judge_file("polygon.jsonl");
    assert_int_equal(j->wrong + j->unknown, 0);
    assert_true(j->checked > 3000);
}

static void cell_trees(void **state) {
    (void)state;
    judge *j = judge_file("bspcell.jsonl");
    assert_int_equal(j->wrong + j->unknown, 0);
    assert_true(j->checked >= 300);
}

static void physics_trees(void **state) {
    (void)state;
    judge *j = judge_file("bspsphere.jsonl");
    assert_int_equal(j->wrong + j->unknown, 0);
    assert_true(j->checked > 3000);
}

static void document_examples(void **state) {
    (void)state;
    judge *j = judge_file("examples.jsonl");
    assert_int_equal(j->wrong, 0);
    assert_true(j->checked > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_and_boxes), cmocka_unit_test(polygons),          cmocka_unit_test(cell_trees),
        cmocka_unit_test(physics_trees),    cmocka_unit_test(document_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
