/* SPDX-License-Identifier: MIT */
/* `eval` operations on cell ids and land coordinates (vectors: landdefs.jsonl).
 *
 * Each operation reads its fields, calls one function of the place floor and writes the answer in the form of the vectors' README. These
 * are the internal operations: NaN and infinity pass, as the client's do, and the outputs that a function leaves untouched are left out.
 * get_block_offset answers the whole table of 01 WM-19, id 0 included. Cost: well under a microsecond beside reading and writing JSON. */
#include "place/cell_id.h"
#include "tools/acphys/eval.h"

static void write_lcoord(acp_eval_call *call, bool ret, bool is_written, int32_t x, int32_t y) {
    acp_json_write_flag(call->out, "ret", ret);
    if (!is_written) return;
    acp_json_write_int(call->out, "x", x);
    acp_json_write_int(call->out, "y", y);
}

static acp_result eval_get_block_offset(acp_eval_call *call) {
    uint32_t from = acp_json_get_id(&call->input, call->in, "from"), to = acp_json_get_id(&call->input, call->in, "to");
    acp_json_write_vec3(call->out, "v", acp_block_offset_unchecked(from, to));
    return call->input.result;
}

static acp_result eval_get_outside_lcoord(acp_eval_call *call) {
    int32_t x = 0, y = 0;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    bool ret = acp_lcoord_from_point(cell_id, acp_json_get_vec3(&call->input, call->in, "loc"), &x, &y);
    write_lcoord(call, ret, acp_cell_id_is_index_in_range(cell_id), x, y);
    return call->input.result;
}

static acp_result eval_adjust_to_outside(acp_eval_call *call) {
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "loc");
    acp_json_write_flag(call->out, "ret", acp_adjust_to_outside(&cell_id, &point));
    acp_json_write_id(call->out, "cell", cell_id);
    acp_json_write_vec3(call->out, "loc", point);
    return call->input.result;
}

static acp_result eval_gid_to_lcoord(acp_eval_call *call) {
    int32_t x = 0, y = 0;
    bool ret = acp_lcoord_from_cell_id(acp_json_get_id(&call->input, call->in, "cell"), &x, &y);
    write_lcoord(call, ret, ret, x, y);
    return call->input.result;
}

static acp_result eval_blockid_to_lcoord(acp_eval_call *call) {
    int32_t x = 0, y = 0;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    bool ret = acp_lcoord_from_block_id(cell_id, &x, &y);
    write_lcoord(call, ret, cell_id != 0, x, y);
    return call->input.result;
}

static acp_result eval_lcoord_to_gid(acp_eval_call *call) {
    int32_t x = acp_json_get_int32(&call->input, call->in, "x"), y = acp_json_get_int32(&call->input, call->in, "y");
    acp_json_write_id(call->out, "cell", acp_lcoord_to_cell_id(x, y));
    return call->input.result;
}

static acp_result eval_in_bounds(acp_eval_call *call) {
    int32_t x = acp_json_get_int32(&call->input, call->in, "x"), y = acp_json_get_int32(&call->input, call->in, "y");
    acp_json_write_flag(call->out, "ret", acp_lcoord_is_in_bounds(x, y));
    return call->input.result;
}

static acp_result eval_inbound_valid_cellid(acp_eval_call *call) {
    acp_json_write_flag(call->out, "ret", acp_cell_id_is_valid(acp_json_get_id(&call->input, call->in, "cell")));
    return call->input.result;
}

static acp_result eval_get_dir(acp_eval_call *call) {
    int32_t x = acp_json_get_int32(&call->input, call->in, "x"), y = acp_json_get_int32(&call->input, call->in, "y");
    acp_json_write_int(call->out, "ret", acp_compass_direction(x, y));
    return call->input.result;
}

static acp_result eval_dir_heading(acp_eval_call *call) {
    acp_json_write_float(call->out, "ret", acp_compass_heading(acp_json_get_int32(&call->input, call->in, "dir")));
    return call->input.result;
}

static acp_result eval_within_block(acp_eval_call *call) {
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "loc");
    acp_json_write_flag(call->out, "ret", acp_is_within_block(point, acp_json_get_float(&call->input, call->in, "radius")));
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"get_block_offset", "01 WM-19", eval_get_block_offset},
    {"get_outside_lcoord", "01 WM-15", eval_get_outside_lcoord},
    {"adjust_to_outside", "01 WM-16", eval_adjust_to_outside},
    {"gid_to_lcoord", "01 WM-12", eval_gid_to_lcoord},
    {"blockid_to_lcoord", "01 WM-11", eval_blockid_to_lcoord},
    {"lcoord_to_gid", "01 WM-13", eval_lcoord_to_gid},
    {"in_bounds", "01 WM-10", eval_in_bounds},
    {"inbound_valid_cellid", "01 WM-9", eval_inbound_valid_cellid},
    {"get_dir", "01 WM-21", eval_get_dir},
    {"dir_heading", "01 WM-21", eval_dir_heading},
    {"within_block", "01 WM-20", eval_within_block},
};
const acp_eval_area acp_eval_area_land = {"land", operations, sizeof operations / sizeof operations[0]};
