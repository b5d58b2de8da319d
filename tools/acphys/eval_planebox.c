/* SPDX-License-Identifier: MIT */
/* Operations of planes, boxes, spheres and cylinders for eval and conform: the ops of planebox.jsonl and the sphere_ and cyl_ ops of
 * bspsphere.jsonl (spec 03 §3, §4, §6). Each reads its members, asks one function of the geom floor and writes the answer; faults of the
 * request are the input's. */
#include "geom/box.h"
#include "geom/plane.h"
#include "geom/sphere.h"
#include "tools/acphys/eval.h"

static acp_result run_which_side(acp_eval_call *call) {
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    float eps = acp_json_get_float(&call->input, call->in, "eps");
    acp_json_write_int(call->out, "ret", (int64_t)acp_plane_side(&plane, v, eps));
    return call->input.result;
}

static acp_result run_which_side2(acp_eval_call *call) {
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    float bias = acp_json_get_float(&call->input, call->in, "bias");
    float eps = acp_json_get_float(&call->input, call->in, "eps");
    acp_json_write_int(call->out, "ret", (int64_t)acp_plane_side_biased(&plane, v, bias, eps));
    return call->input.result;
}

static acp_result run_intersect_box(acp_eval_call *call) {
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    acp_json_write_int(call->out, "ret", (int64_t)acp_plane_intersect_box(&plane, &box));
    return call->input.result;
}

static acp_result run_set_height(acp_eval_call *call) {
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    acp_json_write_flag(call->out, "ret", acp_plane_set_height(&plane, &v));
    acp_json_write_vec3(call->out, "v", v);
    return call->input.result;
}

static acp_result run_snap_to_plane(acp_eval_call *call) {
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    acp_plane_snap(&plane, &v);
    acp_json_write_vec3(call->out, "v", v);
    return call->input.result;
}

static void write_plane(acp_json_writer *out, const acp_plane *plane) {
    acp_json_write_vec3(out, "n", plane->normal);
    acp_json_write_float(out, "d", plane->d);
}

static acp_result run_from_point_normal(acp_eval_call *call) {
    acp_vec3 normal = acp_json_get_vec3(&call->input, call->in, "normal");
    acp_vec3 v = acp_json_get_vec3(&call->input, call->in, "v");
    acp_plane plane = acp_plane_from_normal_and_point(normal, v);
    write_plane(call->out, &plane);
    return call->input.result;
}

/* Both positions were read and lie in landblocks: id 0 names none (WM-19), and no offset leads there. */
static bool has_blocks(acp_eval_call *call, const acp_matrix_position *to, const acp_matrix_position *from) {
    if (!acp_json_is_failed(&call->input) && (to->cell_id == 0 || from->cell_id == 0))
        (void)acp_json_fail(&call->input, ACP_ERROR_INVALID_ID, to->cell_id == 0 ? "to" : "from", "id 0 has no landblock");
    return !acp_json_is_failed(&call->input);
}

static acp_result run_plane_local_to_global(acp_eval_call *call) {
    acp_matrix_position to = acp_json_get_position(&call->input, call->in, "to");
    acp_matrix_position from = acp_json_get_position(&call->input, call->in, "from");
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    if (!has_blocks(call, &to, &from)) return call->input.result;
    plane = acp_plane_local_to_global(to.cell_id, &from, &plane);
    write_plane(call->out, &plane);
    return call->input.result;
}

static void write_box(acp_json_writer *out, const acp_box *box) {
    acp_json_write_vec3(out, "min", box->min);
    acp_json_write_vec3(out, "max", box->max);
}

static acp_result run_box_local_to_global(acp_eval_call *call) {
    acp_matrix_position to = acp_json_get_position(&call->input, call->in, "to");
    acp_matrix_position from = acp_json_get_position(&call->input, call->in, "from");
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    if (!has_blocks(call, &to, &from)) return call->input.result;
    box = acp_box_local_to_global(to.cell_id, &from, &box);
    write_box(call->out, &box);
    return call->input.result;
}

static acp_result run_box_local_to_local(acp_eval_call *call) {
    acp_matrix_position to = acp_json_get_position(&call->input, call->in, "to");
    acp_matrix_position from = acp_json_get_position(&call->input, call->in, "from");
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    if (!has_blocks(call, &to, &from)) return call->input.result;
    box = acp_box_local_to_local(&to, &from, &box);
    write_box(call->out, &box);
    return call->input.result;
}

static acp_result run_box_convert_to_global(acp_eval_call *call) {
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    if (!has_blocks(call, &position, &position)) return call->input.result;
    box = acp_box_convert_to_global(&position, &box);
    write_box(call->out, &box);
    return call->input.result;
}

static acp_result run_box_adjust(acp_eval_call *call) {
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    acp_box_adjust(&box, acp_json_get_vec3(&call->input, call->in, "v"));
    write_box(call->out, &box);
    return call->input.result;
}

static acp_result run_box_center(acp_eval_call *call) {
    acp_box box = acp_json_get_box(&call->input, call->in, "box");
    acp_json_write_vec3(call->out, "v", acp_box_center(&box));
    return call->input.result;
}

static acp_result run_sphere_intersects(acp_eval_call *call) {
    acp_sphere a = acp_json_get_sphere(&call->input, call->in, "a");
    acp_sphere b = acp_json_get_sphere(&call->input, call->in, "b");
    acp_json_write_flag(call->out, "ret", acp_sphere_intersects(&a, &b));
    return call->input.result;
}

static acp_result run_sphere_collides(acp_eval_call *call) {
    acp_vec3 disp = acp_json_get_vec3(&call->input, call->in, "disp");
    float radsum = acp_json_get_float(&call->input, call->in, "radsum");
    acp_json_write_flag(call->out, "ret", acp_sphere_collides(disp, radsum));
    return call->input.result;
}

static acp_result run_sphere_time_of_collision(acp_eval_call *call) {
    acp_vec3 movement = acp_json_get_vec3(&call->input, call->in, "movement");
    acp_vec3 disp = acp_json_get_vec3(&call->input, call->in, "disp");
    float radsum = acp_json_get_float(&call->input, call->in, "radsum");
    acp_json_write_double(call->out, "ret", acp_sphere_time_of_collision(movement, disp, radsum));
    return call->input.result;
}

static acp_result run_cylinder_collides(acp_eval_call *call) {
    float height = acp_json_get_float(&call->input, call->in, "height");
    float sphere_radius = acp_json_get_float(&call->input, call->in, "sphere_radius");
    acp_vec3 disp = acp_json_get_vec3(&call->input, call->in, "disp");
    float radsum = acp_json_get_float(&call->input, call->in, "radsum");
    acp_json_write_flag(call->out, "ret", acp_cylsphere_collides(height, sphere_radius, disp, radsum));
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"plane_which_side", "03 PLANE-2", run_which_side},
    {"plane_which_side2", "03 PLANE-3", run_which_side2},
    {"plane_intersect_box", "03 PLANE-7", run_intersect_box},
    {"plane_set_height", "03 PLANE-4", run_set_height},
    {"plane_snap_to_plane", "03 PLANE-5", run_snap_to_plane},
    {"plane_from_point_normal", "03 PLANE-1", run_from_point_normal},
    {"plane_localtoglobal", "03 PLANE-8", run_plane_local_to_global},
    {"box_localtoglobal", "03 BOX-5", run_box_local_to_global},
    {"box_localtolocal", "03 BOX-5", run_box_local_to_local},
    {"box_convert_to_global", "03 BOX-5", run_box_convert_to_global},
    {"box_adjust", "03 BOX-2", run_box_adjust},
    {"box_center", "03 BOX-4", run_box_center},
    {"sphere_intersects", "03 SPH-1", run_sphere_intersects},
    {"sphere_collides", "03 SPH-2", run_sphere_collides},
    {"sphere_time_of_collision", "03 SPH-3", run_sphere_time_of_collision},
    {"cyl_collides", "03 CYL-1", run_cylinder_collides},
};

const acp_eval_area acp_eval_area_planebox = {"planebox", operations, sizeof operations / sizeof operations[0]};
