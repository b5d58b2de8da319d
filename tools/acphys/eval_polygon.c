/* SPDX-License-Identifier: MIT */
/* Operations of single polygons for eval and conform: the ops of polygon.jsonl (spec 03 §7). A polygon is given by its points; its plane is
 * always computed from them (POLY-2). Contact points start as zero, so that "not written" shows as zero, as in the vectors. */
#include "geom/polygon.h"
#include "tools/acphys/eval.h"

static acp_polygon get_polygon(acp_eval_call *call) {
    uint32_t count = 0;
    const acp_vec3 *points = acp_json_get_polygon(&call->input, call->memory, call->in, "poly", &count);
    const acp_json *polygon = acp_json_get_optional_object(&call->input, call->in, "poly");
    int32_t sides = polygon == NULL ? 0 : acp_json_get_int32_or(&call->input, polygon, "sides", 0);
    if (points == NULL) count = 0;
    return acp_polygon_make(points, count, 0, sides);
}

static acp_result run_make_plane(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_json_write_vec3(call->out, "n", polygon.plane.normal);
    acp_json_write_float(call->out, "d", polygon.plane.d);
    return call->input.result;
}

static acp_result run_contains_2d(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    acp_json_write_flag(call->out, "side0", acp_polygon_contains_point_2d(&polygon, v, ACP_SIDE_POSITIVE));
    acp_json_write_flag(call->out, "side1", acp_polygon_contains_point_2d(&polygon, v, ACP_SIDE_NEGATIVE));
    return call->input.result;
}

static acp_result run_contains(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_json_write_flag(call->out, "ret", acp_polygon_contains_point(&polygon, acp_json_get_vec3(&call->input, call->in, "v")));
    return call->input.result;
}

static acp_result run_hits_sphere(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 fast = {0.0f, 0.0f, 0.0f}, sure = fast;
    acp_json_write_flag(call->out, "fast", acp_polygon_hits_sphere_fast(&polygon, &sphere, &fast));
    acp_json_write_vec3(call->out, "fast_contact", fast);
    acp_json_write_flag(call->out, "sure", acp_polygon_hits_sphere_precise(&polygon, &sphere, &sure));
    acp_json_write_vec3(call->out, "sure_contact", sure);
    return call->input.result;
}

static acp_result run_pos_hits_sphere(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    bool is_struck = false;
    acp_json_write_flag(call->out, "ret", acp_polygon_pos_hits_sphere(&polygon, &sphere, movement, &contact, &is_struck));
    acp_json_write_flag(call->out, "struck", is_struck);
    acp_json_write_vec3(call->out, "contact", contact);
    return call->input.result;
}

static acp_result run_adjust_sphere_to_poly(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 current = acp_json_get_vec3(&call->input, call->in, "curr");
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    acp_json_write_double(call->out, "ret", acp_polygon_adjust_sphere_to_poly(&polygon, &sphere, current, movement));
    return call->input.result;
}

static acp_result run_adjust_sphere_to_plane(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    float walk_interp = acp_json_get_float(&call->input, call->in, "walk_interp");
    acp_json_write_flag(call->out, "ret", acp_polygon_adjust_sphere_to_plane(&polygon, &walk_interp, &sphere, movement));
    acp_json_write_vec3(call->out, "c", sphere.center);
    acp_json_write_float(call->out, "walk_interp", walk_interp);
    return call->input.result;
}

static acp_result run_check_walkable(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 up = acp_json_get_vec3(&call->input, call->in, "up");
    acp_json_write_flag(call->out, "ret", acp_polygon_check_walkable(&polygon, &sphere, up));
    acp_json_write_flag(call->out, "small", acp_polygon_check_small_walkable(&polygon, &sphere, up));
    return call->input.result;
}

static acp_result run_find_crossed_edge(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 up = acp_json_get_vec3(&call->input, call->in, "up");
    acp_vec3 normal = {0.0f, 0.0f, 0.0f};
    acp_json_write_flag(call->out, "ret", acp_polygon_find_crossed_edge(&polygon, &sphere, up, &normal));
    acp_json_write_vec3(call->out, "normal", normal);
    return call->input.result;
}

static acp_result run_walkable_hits_sphere(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_vec3 up = acp_json_get_vec3(&call->input, call->in, "up");
    float allowance = acp_json_get_float(&call->input, call->in, "walkable_allowance");
    acp_json_write_flag(call->out, "ret", acp_polygon_walkable_hits_sphere(&polygon, allowance, &sphere, up));
    return call->input.result;
}

static acp_result run_adjust_to_placement(acp_eval_call *call) {
    acp_polygon polygon = get_polygon(call);
    acp_sphere struck = acp_json_get_sphere(&call->input, call->in, "struck");
    acp_sphere other = acp_json_get_sphere(&call->input, call->in, "other");
    float radius = acp_json_get_float(&call->input, call->in, "radius");
    bool center_solid = acp_json_get_flag(&call->input, call->in, "center_solid");
    bool solid_check = acp_json_get_flag(&call->input, call->in, "solid_check");
    acp_polygon_adjust_to_placement(&polygon, &struck, &other, radius, center_solid, solid_check);
    acp_json_write_vec3(call->out, "struck", struck.center);
    acp_json_write_vec3(call->out, "other", other.center);
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"poly_make_plane", "03 POLY-2", run_make_plane},
    {"poly_point_in_poly2d", "03 POLY-7", run_contains_2d},
    {"poly_point_in_polygon", "03 POLY-6", run_contains},
    {"poly_hits_sphere", "03 POLY-8", run_hits_sphere},
    {"poly_pos_hits_sphere", "03 POLY-11", run_pos_hits_sphere},
    {"poly_adjust_sphere_to_poly", "03 POLY-16", run_adjust_sphere_to_poly},
    {"poly_adjust_sphere_to_plane", "03 POLY-17", run_adjust_sphere_to_plane},
    {"poly_check_walkable", "03 POLY-13", run_check_walkable},
    {"poly_find_crossed_edge", "03 POLY-15", run_find_crossed_edge},
    {"poly_walkable_hits_sphere", "03 POLY-12", run_walkable_hits_sphere},
    {"poly_adjust_to_placement", "03 POLY-18", run_adjust_to_placement},
};

const acp_eval_area acp_eval_area_polygon = {"polygon", operations, sizeof operations / sizeof operations[0]};
