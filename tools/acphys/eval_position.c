/* SPDX-License-Identifier: MIT */
/* `eval` operations on positions (vectors: position.jsonl).
 *
 * The internal operations of the place floor in the form of the vectors' README: a position comes in as {cell, q | raw_q, o}. Distances are
 * written as binary64, headings and cylinder distances as the binary32 their callers would store. Two positions of which one has no block
 * (id 0) cannot be related: that is an error here, because the client's own answer depends on memory it never set (01 WM-19, RA-1).
 * Spec: 01 §14, 12. Cost: under a microsecond beside reading and writing JSON. */
#include "place/position.h"
#include "tools/acphys/eval.h"

static acp_matrix_position get_position(acp_eval_call *call, const char *key) { return acp_json_get_position(&call->input, call->in, key); }

/* Two positions that can be related; false when the answer is an error. */
static bool get_two(acp_eval_call *call, const char *key_a, const char *key_b, acp_matrix_position *out_a, acp_matrix_position *out_b) {
    *out_a = get_position(call, key_a);
    *out_b = get_position(call, key_b);
    if (!acp_json_is_failed(&call->input) && (out_a->cell_id == 0 || out_b->cell_id == 0))
        (void)acp_json_fail(&call->input, ACP_ERROR_INVALID_ID, out_a->cell_id == 0 ? key_a : key_b, "id 0 has no landblock");
    return !acp_json_is_failed(&call->input);
}

static acp_result answer_vec3(acp_eval_call *call, acp_vec3 v) {
    acp_json_write_vec3(call->out, "v", v);
    return call->input.result;
}

static acp_result eval_get_offset(acp_eval_call *call) {
    acp_matrix_position a, b;
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    return answer_vec3(call, acp_matrix_position_offset(&a, &b));
}

static acp_result eval_get_offset_point(acp_eval_call *call) {
    acp_matrix_position a, b;
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    return answer_vec3(call, acp_matrix_position_offset_to_point(&a, &b, acp_json_get_vec3(&call->input, call->in, "v")));
}

static acp_result eval_localtolocal(acp_eval_call *call) {
    acp_matrix_position to, from;
    if (!get_two(call, "to", "from", &to, &from)) return call->input.result;
    return answer_vec3(call, acp_matrix_position_local_to_local(&to, &from, acp_json_get_vec3(&call->input, call->in, "v")));
}

static acp_result eval_localtoglobal(acp_eval_call *call) {
    acp_matrix_position to, from;
    if (!get_two(call, "to", "from", &to, &from)) return call->input.result;
    return answer_vec3(call, acp_matrix_position_local_to_global(to.cell_id, &from, acp_json_get_vec3(&call->input, call->in, "v")));
}

static acp_result eval_localtoglobal_origin(acp_eval_call *call) {
    acp_matrix_position to, from;
    if (!get_two(call, "to", "from", &to, &from)) return call->input.result;
    return answer_vec3(call, acp_matrix_position_origin_in_block(to.cell_id, &from));
}

static acp_result eval_distance(acp_eval_call *call) {
    acp_matrix_position a, b;
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    acp_json_write_double(call->out, "ret", acp_matrix_position_distance(&a, &b));
    acp_json_write_double(call->out, "xy", acp_matrix_position_xy_distance(&a, &b));
    return call->input.result;
}

static acp_result eval_heading(acp_eval_call *call) {
    acp_matrix_position a, b;
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    acp_json_write_float(call->out, "ret", acp_f32(acp_matrix_position_heading_to(&a, &b)));
    return call->input.result;
}

static acp_result eval_quadrant(acp_eval_call *call) {
    acp_matrix_position a, b;
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    acp_json_write_uint(call->out, "ret", acp_matrix_position_quadrant(&a, acp_json_get_float(&call->input, call->in, "height"), &b));
    return call->input.result;
}

static acp_result eval_cylinder_distance(acp_eval_call *call) {
    acp_matrix_position a, b;
    float r1 = acp_json_get_float(&call->input, call->in, "r1"), h1 = acp_json_get_float(&call->input, call->in, "h1");
    float r2 = acp_json_get_float(&call->input, call->in, "r2"), h2 = acp_json_get_float(&call->input, call->in, "h2");
    if (!get_two(call, "a", "b", &a, &b)) return call->input.result;
    acp_json_write_float(call->out, "ret", acp_f32(acp_cylinder_distance(r1, h1, &a, r2, h2, &b)));
    acp_json_write_float(call->out, "no_z", acp_f32(acp_cylinder_distance_no_z(r1, &a, r2, &b)));
    return call->input.result;
}

static acp_result eval_outside_cell_id(acp_eval_call *call) {
    acp_matrix_position a = get_position(call, "a");
    acp_json_write_id(call->out, "cell", acp_matrix_position_outside_cell_id(&a));
    return call->input.result;
}

static acp_result eval_adjust_to_outside(acp_eval_call *call) {
    acp_matrix_position a = get_position(call, "a");
    (void)acp_matrix_position_adjust_to_outside(&a);
    acp_json_write_id(call->out, "cell", a.cell_id);
    acp_json_write_vec3(call->out, "o", a.frame.origin);
    return call->input.result;
}

static acp_result eval_is_valid(acp_eval_call *call) {
    acp_matrix_position a = get_position(call, "a");
    acp_json_write_flag(call->out, "ret", acp_matrix_position_is_valid(&a));
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"pos_get_offset", "01 WM-42", eval_get_offset},
    {"pos_get_offset_point", "01 WM-42", eval_get_offset_point},
    {"pos_localtolocal", "01 WM-39", eval_localtolocal},
    {"pos_localtoglobal", "01 WM-40", eval_localtoglobal},
    {"pos_localtoglobal_origin", "01 WM-40", eval_localtoglobal_origin},
    {"pos_distance", "01 WM-43", eval_distance},
    {"pos_heading", "01 WM-44", eval_heading},
    {"pos_quadrant", "01 WM-46", eval_quadrant},
    {"pos_cylinder_distance", "01 WM-45", eval_cylinder_distance},
    {"pos_outside_cell_id", "01 WM-17", eval_outside_cell_id},
    {"pos_adjust_to_outside", "01 WM-17", eval_adjust_to_outside},
    {"pos_is_valid", "01 WM-27", eval_is_valid},
};
const acp_eval_area acp_eval_area_position = {"position", operations, sizeof operations / sizeof operations[0]};
