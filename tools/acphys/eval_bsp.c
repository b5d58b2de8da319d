/* SPDX-License-Identifier: MIT */
/* Operations of trees for eval and conform: the ops of bspcell.jsonl and bspsphere.jsonl (spec 03 §9, §10, §11.7), and our own segment,
 * sweep and triangles.
 *
 * A `bsp_tree` line keeps its tree under a name; it is built at the first question, leniently, and lives as long as the definition.
 * `cellbsp` carries its tree itself. Polygons are named by their ordinal, -1 is none. */
#include "geom/bsp.h"
#include "geom/cell_tree.h"
#include "support/tree_json.h"
#include "tools/acphys/eval.h"

static acp_result build_tree(acp_eval_call *call, const acp_json *definition, void **out_object) {
    const acp_json *tree = acp_json_get_object(&call->input, definition, "tree");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    *out_object = acp_json_to_bsp(&call->input, call->memory, tree, NULL);
    return call->input.result;
}

static void destroy_tree(void *object) { acp_bsp_destroy(object, NULL); }

static const acp_eval_builder builder = {build_tree, destroy_tree};

static const acp_bsp *get_tree(acp_eval_call *call, const char *key) {
    void *tree = NULL;
    acp_result result = acp_eval_definition(call, ACP_EVAL_BSP_TREE, key, &builder, &tree);
    if (result != ACP_OK && !acp_json_is_failed(&call->input)) call->input.result = result;
    return tree;
}

static void write_polygon(acp_json_writer *out, const char *key, uint32_t polygon) {
    acp_json_write_int(out, key, polygon == ACP_BSP_NONE ? -1 : (int64_t)polygon);
}

static acp_result run_tree(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "name");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    uint32_t length = 0;
    const char *name = acp_json_get_string(&call->input, call->in, "name", &length);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_string_n(call->out, "tree", name, length);
    acp_json_begin_array(call->out, "planes");
    for (uint32_t i = 0; i < acp_bsp_polygon_count(tree); i++)
        acp_json_write_plane(call->out, NULL, acp_bsp_polygon(tree, i).plane);
    acp_json_end_array(call->out);
    return ACP_OK;
}

static acp_result run_intersects_poly(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    uint32_t polygon = ACP_BSP_NONE;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    acp_json_write_flag(call->out, "ret", acp_bsp_sphere_intersects_poly(tree, &sphere, movement, &polygon, &contact));
    write_polygon(call->out, "poly", polygon);
    acp_json_write_vec3(call->out, "contact", contact);
    return ACP_OK;
}

static acp_result run_intersects_solid(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    bool center_check = acp_json_get_flag(&call->input, call->in, "center_check");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_flag(call->out, "ret", acp_bsp_sphere_intersects_solid(tree, &sphere, center_check));
    return ACP_OK;
}

static acp_result run_point_intersects_solid(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_flag(call->out, "ret", acp_bsp_point_intersects_solid(tree, v));
    return ACP_OK;
}

static acp_result run_intersects_solid_poly(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    float radius = acp_json_get_float(&call->input, call->in, "radius");
    bool center_check = acp_json_get_flag(&call->input, call->in, "center_check");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    bool center_solid = false;
    uint32_t polygon = ACP_BSP_NONE;
    acp_json_write_flag(call->out, "ret",
                        acp_bsp_sphere_intersects_solid_poly(tree, &sphere, radius, center_check, &center_solid, &polygon));
    acp_json_write_flag(call->out, "center_solid", center_solid);
    write_polygon(call->out, "poly", polygon);
    return ACP_OK;
}

static acp_result run_find_walkable(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    acp_vec3 up = acp_json_get_vec3(&call->input, call->in, "up");
    acp_walk walk = {acp_json_get_float(&call->input, call->in, "walkable_allowance"),
                     acp_json_get_float_or(&call->input, call->in, "walk_interp", 1.0f)};
    if (acp_json_is_failed(&call->input)) return call->input.result;
    uint32_t polygon = ACP_BSP_NONE;
    acp_json_write_flag(call->out, "changed", acp_bsp_find_walkable(tree, &walk, &sphere, &polygon, movement, up));
    write_polygon(call->out, "poly", polygon);
    acp_json_write_vec3(call->out, "c", sphere.center);
    acp_json_write_float(call->out, "walk_interp", walk.walk_interp);
    return ACP_OK;
}

static acp_result run_hits_walkable(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 up = acp_json_get_vec3(&call->input, call->in, "up");
    float allowance = acp_json_get_float(&call->input, call->in, "walkable_allowance");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_flag(call->out, "ret", acp_bsp_hits_walkable(tree, allowance, &sphere, up));
    return ACP_OK;
}

static acp_result run_adjust_to_plane(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 current = acp_json_get_vec3(&call->input, call->in, "curr");
    int32_t polygon = acp_json_get_int32(&call->input, call->in, "hit_poly");
    if (!acp_json_is_failed(&call->input) && (polygon < 0 || (uint32_t)polygon >= acp_bsp_polygon_count(tree)))
        (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "hit_poly", "no such polygon");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    acp_json_write_flag(call->out, "ret", acp_bsp_adjust_to_plane(tree, &sphere, current, (uint32_t)polygon, &contact));
    acp_json_write_vec3(call->out, "c", sphere.center);
    acp_json_write_vec3(call->out, "contact", contact);
    return ACP_OK;
}

/* The floats of a list of `width` each; *out_count is the number of items. */
static const float *get_items(acp_eval_call *call, const char *key, uint32_t width, uint32_t *out_count) {
    uint32_t count = 0;
    *out_count = 0;
    if (!acp_json_has(call->in, key)) return NULL;
    const float *floats = acp_json_get_floats(&call->input, call->memory, call->in, key, &count);
    if (count % width != 0) (void)acp_json_fail(&call->input, ACP_ERROR_BAD_DATA, key, "the list ends within an item");
    if (!acp_json_is_failed(&call->input)) *out_count = count / width;
    return floats;
}

static void ask_cell_tree(acp_eval_call *call, const acp_cell_tree *tree) {
    uint32_t count;
    const float *f = get_items(call, "points", 3, &count);
    acp_json_begin_array(call->out, "points");
    for (uint32_t i = 0; i < count; i++, f += 3)
        acp_json_write_flag(call->out, NULL, acp_cell_tree_contains_point(tree, (acp_vec3){f[0], f[1], f[2]}));
    acp_json_end_array(call->out);
    f = get_items(call, "spheres", 4, &count);
    acp_json_begin_array(call->out, "spheres");
    for (uint32_t i = 0; i < count; i++, f += 4) {
        acp_sphere sphere = {{f[0], f[1], f[2]}, f[3]};
        acp_json_write_int(call->out, NULL, (int64_t)acp_cell_tree_intersects_sphere(tree, &sphere));
    }
    acp_json_end_array(call->out);
    f = get_items(call, "boxes", 6, &count);
    acp_json_begin_array(call->out, "boxes");
    for (uint32_t i = 0; i < count; i++, f += 6) {
        acp_box box = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
        acp_json_write_flag(call->out, NULL, acp_cell_tree_intersects_box(tree, &box));
    }
    acp_json_end_array(call->out);
}

static acp_result run_cell_tree(acp_eval_call *call) {
    const acp_json *definition = acp_json_get_object(&call->input, call->in, "tree");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_cell_tree *tree =
        acp_json_to_cell_tree(&call->input, call->memory, acp_json_get_optional_object(&call->input, definition, "root"), NULL);
    if (!acp_json_is_failed(&call->input)) ask_cell_tree(call, tree);
    acp_cell_tree_destroy(tree, NULL);
    return call->input.result;
}

static void write_hit(acp_json_writer *out, int32_t is_found, const acp_bsp_hit *hit) {
    acp_json_write_flag(out, "ret", is_found != 0);
    write_polygon(out, "poly", is_found ? hit->polygon : ACP_BSP_NONE);
    if (!is_found) return;
    acp_json_write_double(out, "fraction", hit->fraction);
    acp_json_write_flag(out, "front", hit->is_front != 0);
    acp_json_write_vec3(out, "point", hit->point);
    acp_json_write_vec3(out, "normal", hit->normal);
}

static acp_result run_segment(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_vec3 start = acp_json_get_vec3(&call->input, call->in, "start"), end = acp_json_get_vec3(&call->input, call->in, "end");
    acp_ray_sides sides = acp_json_get_flag_or(&call->input, call->in, "both_sides", false) ? ACP_RAY_BOTH_FACES : ACP_RAY_FRONT_FACES;
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_bsp_hit hit;
    int32_t is_found = 0;
    acp_result result = acp_bsp_segment_first_hit(tree, start, end, sides, &hit, &is_found);
    if (result == ACP_OK) write_hit(call->out, is_found, &hit);
    return result;
}

static acp_result run_sweep(acp_eval_call *call) {
    const acp_bsp *tree = get_tree(call, "tree");
    acp_vec3 start = acp_json_get_vec3(&call->input, call->in, "start"), end = acp_json_get_vec3(&call->input, call->in, "end");
    float radius = acp_json_get_float(&call->input, call->in, "radius");
    acp_ray_sides sides = acp_json_get_flag_or(&call->input, call->in, "both_sides", false) ? ACP_RAY_BOTH_FACES : ACP_RAY_FRONT_FACES;
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_bsp_hit hit;
    int32_t is_found = 0;
    acp_result result = acp_bsp_sweep_first_hit(tree, start, end, radius, sides, &hit, &is_found);
    if (result == ACP_OK) write_hit(call->out, is_found, &hit);
    return result;
}

static const acp_eval_operation operations[] = {
    {"bsp_tree", "03 BSP-1", run_tree},
    {"cellbsp", "03 CBSP-1", run_cell_tree},
    {"bsp_sphere_intersects_poly", "03 10.3", run_intersects_poly},
    {"bsp_sphere_intersects_solid", "03 10.4", run_intersects_solid},
    {"bsp_sphere_intersects_solid_poly", "03 10.5", run_intersects_solid_poly},
    {"bsp_point_intersects_solid", "03 10.6", run_point_intersects_solid},
    {"bsp_find_walkable", "03 10.7", run_find_walkable},
    {"bsp_hits_walkable", "03 10.8", run_hits_walkable},
    {"bsp_adjust_to_plane", "03 11.7", run_adjust_to_plane},
    {"bsp_segment_hit", "03 10.9", run_segment},
    {"bsp_sphere_sweep", "03 10.9", run_sweep},
};

const acp_eval_area acp_eval_area_bsp = {"bsp", operations, sizeof operations / sizeof operations[0]};
