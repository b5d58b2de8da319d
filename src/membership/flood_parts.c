/* SPDX-License-Identifier: MIT */
/* What the parts of the floods share: adding, noting what is absent, a part's box and sphere, the tests against a room's containment tree,
 * and the refit of a box into an EnvCell's frame.
 *
 * The refit is MEM-23 with WM-39 at all eight corners, bit for bit acp_box_local_to_local; the three products per axis are computed once
 * for both ends instead of once per corner, and the sums are made in the written order. Unlike the outdoor refit it cannot be reduced to
 * extremes: two rotations stand between the box and the answer.
 *
 * Contract: nothing allocates but the dependency list, which is the registry's and only there when somebody registers. Explanations are
 * computed again when asked for; without a sink they cost one test. Spec 04 §3, §6.
 *
 * retail: BBox::LocalToLocal 0x005B1E60
 * retail: BBox::AdjustBBox 0x00534150
 */
#include "membership/flood_parts.h"

#include "asset/cell_structure.h"
#include "base/array.h"
#include "geom/cell_tree.h"
#include "geom/plane.h"
#include "math/vec3.h"
#include "place/cell_id.h"

void acp_flood_add_traced(acp_flood *flood, uint32_t cell_id, bool is_resident) {
    uint32_t count = flood->array->count;
    acp_cell_array_add(flood->array, cell_id, is_resident);
    if (acp_flood_is_traced(flood) && flood->array->count > count) {
        acp_trace_added record = {cell_id, is_resident, count, 0};
        acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_ADDED, &record, (uint32_t)sizeof record);
    }
}

/* A block's id is looked for among the first `known`. */
static void note_absent(acp_flood *flood, uint32_t cell_id, uint32_t known) {
    acp_dependency_list *list = flood->dependencies;
    uint32_t status = acp_world_cell_status(flood->world, cell_id), block_id = cell_id & 0xFFFF0000u;
    if (acp_flood_is_traced(flood)) {
        acp_trace_lookup record = {cell_id, status};
        acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_LOOKUP, &record, (uint32_t)sizeof record);
    }
    if (!list || status != ACP_CELL_NOT_RESIDENT || acp_has_block_id(list->blocks, known, block_id)) return;
    if (acp_dependency_list_push(list, block_id) != ACP_OK) flood->array->is_failed = true;
}

void acp_flood_note_absent_block(acp_flood *flood, uint32_t block_id, uint32_t known) { note_absent(flood, block_id | 1u, known); }

void acp_flood_note_absent(acp_flood *flood, uint32_t cell_id) {
    const acp_dependency_list *list = flood->dependencies;
    if (list || acp_flood_is_traced(flood)) note_absent(flood, cell_id, list ? list->count : 0);
}

acp_result acp_dependency_list_push(acp_dependency_list *list, uint32_t block_id) {
    acp_result result = ACP_OK;
    if (list->count == list->capacity)
        result =
            acp_array_grow(&list->blocks, &list->capacity, list->count, sizeof *list->blocks, (uint64_t)list->count + 1u, list->allocator);
    if (result == ACP_OK) list->blocks[list->count++] = block_id;
    return result;
}

acp_result acp_dependency_list_add(acp_dependency_list *list, uint32_t block_id) {
    return acp_has_block_id(list->blocks, list->count, block_id) ? ACP_OK : acp_dependency_list_push(list, block_id);
}

void acp_dependency_list_free(acp_dependency_list *list) {
    acp_array_free(&list->blocks, list->capacity, sizeof *list->blocks, list->allocator);
    list->count = list->capacity = 0;
}

/* MEM-41's correction: the extent that the part really has. */
static acp_vec3 scaled(acp_vec3 v, acp_vec3 s) {
    return acp_vec3_make((double)v.x * (double)s.x, (double)v.y * (double)s.y, (double)v.z * (double)s.z);
}

acp_box acp_flood_part_box(const acp_flood *flood, const acp_part_row *part) {
    acp_box box = part->shape->box;
    if (flood->corrections & ACP_CORRECTION_SCALED_EXTENT) {
        box.min = scaled(box.min, part->scale);
        box.max = scaled(box.max, part->scale);
    }
    return box;
}

bool acp_flood_part_sphere(const acp_flood *flood, const acp_part_row *part, acp_sphere *out_sphere) {
    if (!acp_shape_sphere(part->shape, out_sphere)) return false;
    if (flood->corrections & ACP_CORRECTION_SCALED_EXTENT) {
        out_sphere->center = scaled(out_sphere->center, part->scale);
        float widest = part->scale.x;
        if (part->scale.y > widest) widest = part->scale.y;
        if (part->scale.z > widest) widest = part->scale.z;
        out_sphere->radius = acp_f32((double)out_sphere->radius * (double)widest);
    }
    return true;
}

/* The corner of a box that lies farthest along a plane's normal. */
static acp_vec3 inmost_corner(const acp_plane *plane, const acp_box *box) {
    acp_vec3 corner = {plane->normal.x > 0.0f ? box->max.x : box->min.x, plane->normal.y > 0.0f ? box->max.y : box->min.y,
                       plane->normal.z > 0.0f ? box->max.z : box->min.z};
    return corner;
}

bool acp_flood_box_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, const acp_box *box) {
    const acp_cell_tree *tree = cell->containment;
    bool is_touched = acp_cell_tree_intersects_box(tree, box);
    if (!acp_flood_is_traced(flood)) return is_touched;
    acp_trace_cell_test record = {cell->cell_id, 1, subject, is_touched, UINT32_MAX, 0.0f, {0.0f, 0.0f, 0.0f}, *box, 0.0, -ACP_EPSILON_F64};
    for (uint32_t i = 0; i < acp_cell_tree_plane_count(tree) && !is_touched; i++) {
        acp_plane plane = acp_cell_tree_plane(tree, i);
        record.distance = acp_plane_distance(&plane, inmost_corner(&plane, box));
        record.plane = i;
        if (record.distance < -ACP_EPSILON_F64) break;
    }
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_CELL_TEST, &record, (uint32_t)sizeof record);
    return is_touched;
}

bool acp_flood_sphere_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, acp_vec3 center, float radius) {
    const acp_cell_tree *tree = cell->containment;
    acp_sphere local = {acp_matrix_frame_global_to_local(&cell->position.frame, center), radius};
    bool is_touched = acp_cell_tree_intersects_sphere(tree, &local) != ACP_BOUNDING_OUTSIDE;
    if (!acp_flood_is_traced(flood)) return is_touched;
    acp_trace_cell_test record = {
        cell->cell_id, 0, subject, is_touched, UINT32_MAX, radius, local.center, {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}, 0.0, 0.0};
    record.threshold = -((double)radius + 0.00999999977648258209228515625);
    for (uint32_t i = 0; i < acp_cell_tree_plane_count(tree) && !is_touched; i++) {
        acp_plane plane = acp_cell_tree_plane(tree, i);
        record.distance = acp_plane_distance(&plane, local.center);
        record.plane = i;
        if (record.distance <= record.threshold) break;
    }
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_CELL_TEST, &record, (uint32_t)sizeof record);
    return is_touched;
}

/* Block coordinates of the eight corners along one axis; corner = 4*is_max_x + 2*is_max_y + is_max_z. Adding an offset of zero only clears
 * the sign of a zero, so one store is enough then. */
static inline void corners_in_block(double h[8], double mx, double my, double mz, double origin, double offset, const acp_box *box) {
    double x0 = mx * (double)box->min.x, x1 = mx * (double)box->max.x;
    double y0 = my * (double)box->min.y, y1 = my * (double)box->max.y;
    double z0 = mz * (double)box->min.z, z1 = mz * (double)box->max.z;
    double s00 = y0 + x0, s01 = y1 + x0, s10 = y0 + x1, s11 = y1 + x1;
    h[0] = offset + acp_stored((s00 + z0) + origin);
    h[1] = offset + acp_stored((s00 + z1) + origin);
    h[2] = offset + acp_stored((s01 + z0) + origin);
    h[3] = offset + acp_stored((s01 + z1) + origin);
    h[4] = offset + acp_stored((s10 + z0) + origin);
    h[5] = offset + acp_stored((s10 + z1) + origin);
    h[6] = offset + acp_stored((s11 + z0) + origin);
    h[7] = offset + acp_stored((s11 + z1) + origin);
    if (offset != 0.0)
        for (uint32_t i = 0; i < 8; i++)
            h[i] = acp_stored(h[i]);
}

static bool turns_about_z(const acp_matrix_frame *frame) {
    const float *m = frame->m;
    return m[2] == 0.0f && m[5] == 0.0f && m[6] == 0.0f && m[7] == 0.0f;
}

/* Block coordinate of a corner where nothing else turns in; a sum of zeros is +0 with or without the terms left out, because of the
 * offset. */
static inline double in_block(double turned, double origin, double offset) {
    double h = offset + acp_stored(turned + origin);
    return offset != 0.0 ? acp_stored(h) : h;
}

static inline void widen(float v, float *low, float *high) {
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
}

/* The refit between two frames that turn about z only: x and y have four values each, z two. Terms that are zeros of some sign are left
 * out; false when -0 comes out somewhere, and then the whole refit is made. */
static bool refit_about_z(const acp_matrix_position *to, const acp_matrix_position *from, acp_vec3 offset, const acp_box *box,
                          acp_box *out) {
    const float *f = from->frame.m, *t = to->frame.m;
    acp_vec3 at = from->frame.origin, o = to->frame.origin;
    double xs[2] = {(double)box->min.x, (double)box->max.x}, ys[2] = {(double)box->min.y, (double)box->max.y};
    bool is_whole = true;
    for (uint32_t i = 0; i < 4; i++) {
        double x = xs[i >> 1], y = ys[i & 1];
        double dx = acp_stored(in_block((double)f[3] * y + (double)f[0] * x, (double)at.x, (double)offset.x) - (double)o.x);
        double dy = acp_stored(in_block((double)f[4] * y + (double)f[1] * x, (double)at.y, (double)offset.y) - (double)o.y);
        double px = dx * (double)t[0] + dy * (double)t[1], py = dx * (double)t[3] + dy * (double)t[4];
        float sx = acp_f32(px), sy = acp_f32(py);
        is_whole = is_whole && !acp_is_negative_zero(sx) && !acp_is_negative_zero(sy);
        if (i == 0) {
            out->min.x = out->max.x = sx;
            out->min.y = out->max.y = sy;
        }
        widen(sx, &out->min.x, &out->max.x);
        widen(sy, &out->min.y, &out->max.y);
    }
    float low = acp_f32((in_block((double)f[8] * (double)box->min.z, (double)at.z, (double)offset.z) - (double)o.z) * (double)t[8]);
    float high = acp_f32((in_block((double)f[8] * (double)box->max.z, (double)at.z, (double)offset.z) - (double)o.z) * (double)t[8]);
    out->min.z = out->max.z = low;
    widen(high, &out->min.z, &out->max.z);
    return is_whole && !acp_is_negative_zero(low) && !acp_is_negative_zero(high);
}

acp_box acp_flood_refit(const acp_matrix_position *to, const acp_matrix_position *from, const acp_box *box) {
    acp_vec3 offset = acp_block_offset(to->cell_id, from->cell_id);
    acp_box simple;
    if (turns_about_z(&to->frame) && turns_about_z(&from->frame) && refit_about_z(to, from, offset, box, &simple)) return simple;
    const acp_matrix_frame *f = &from->frame;
    const float *fm = f->m;
    double hx[8], hy[8], hz[8];
    corners_in_block(hx, (double)fm[0], (double)fm[3], (double)fm[6], (double)f->origin.x, (double)offset.x, box);
    corners_in_block(hy, (double)fm[1], (double)fm[4], (double)fm[7], (double)f->origin.y, (double)offset.y, box);
    corners_in_block(hz, (double)fm[2], (double)fm[5], (double)fm[8], (double)f->origin.z, (double)offset.z, box);
    double ox = (double)to->frame.origin.x, oy = (double)to->frame.origin.y, oz = (double)to->frame.origin.z;
    double m0 = (double)to->frame.m[0], m1 = (double)to->frame.m[1], m2 = (double)to->frame.m[2];
    double m3 = (double)to->frame.m[3], m4 = (double)to->frame.m[4], m5 = (double)to->frame.m[5];
    double m6 = (double)to->frame.m[6], m7 = (double)to->frame.m[7], m8 = (double)to->frame.m[8];
    acp_box out;
    static const uint32_t order[8] = {0, 7, 6, 5, 3, 4, 2, 1}; /* MEM-23's: of zeros of both signs the first one stays */
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t i = order[k];
        double dx = acp_stored(hx[i] - ox), dy = acp_stored(hy[i] - oy), dz = hz[i] - oz, dzr = acp_stored(dz);
        float x = acp_f32((dzr * m2 + dx * m0) + dy * m1);
        float y = acp_f32((dzr * m5 + dx * m3) + dy * m4);
        float z = acp_f32((dz * m8 + dx * m6) + dy * m7);
        if (k == 0) {
            out.min.x = out.max.x = x;
            out.min.y = out.max.y = y;
            out.min.z = out.max.z = z;
        }
        out.min.x = x < out.min.x ? x : out.min.x;
        out.max.x = x > out.max.x ? x : out.max.x;
        out.min.y = y < out.min.y ? y : out.min.y;
        out.max.y = y > out.max.y ? y : out.max.y;
        out.min.z = z < out.min.z ? z : out.min.z;
        out.max.z = z > out.max.z ? z : out.max.z;
    }
    return out;
}
