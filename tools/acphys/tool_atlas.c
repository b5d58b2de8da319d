/* SPDX-License-Identifier: MIT */
/* What the pictures of a resident world have in common: walking over rooms, shells and objects of the landblocks in view, and cutting
 * rooms by planes. Content is only read. Cost: every face of those landblocks once. */
#include "tools/acphys/tool_atlas.h"

#include <math.h>
#include <stdlib.h>

#include "acphys/membership.h"
#include "geom/bsp.h"
#include "geom/cell_tree.h"
#include "tools/acphys/tool_map_polygon.h"
#include "world/world.h"

#define BLOCK 192.0
#define REACH 400.0 /* rooms end this far away, metres */

acp_atlas_point acp_atlas_in_base(const acp_atlas *atlas, uint32_t cell_id, double x, double y, double z) {
    acp_atlas_point out = {x + ((double)(cell_id >> 24) - (double)(atlas->base_block >> 24)) * BLOCK,
                           y + ((double)((cell_id >> 16) & 0xFFu) - (double)((atlas->base_block >> 16) & 0xFFu)) * BLOCK, z};
    return out;
}

acp_atlas_point acp_atlas_place(const acp_atlas *atlas, const acp_matrix_position *position, double scale, acp_vec3 v) {
    const acp_matrix_frame *f = &position->frame;
    double x = (double)v.x * scale, y = (double)v.y * scale, z = (double)v.z * scale;
    return acp_atlas_in_base(atlas, position->cell_id,
                             (double)f->m[0] * x + (double)f->m[3] * y + (double)f->m[6] * z + (double)f->origin.x,
                             (double)f->m[1] * x + (double)f->m[4] * y + (double)f->m[7] * z + (double)f->origin.y,
                             (double)f->m[2] * x + (double)f->m[5] * y + (double)f->m[8] * z + (double)f->origin.z);
}

/* ---- visiting ---- */

static void visit_tree(const acp_atlas *atlas, const acp_atlas_visitor *v, acp_atlas_kind kind, const acp_bsp *bsp,
                       const acp_matrix_position *position, double scale) {
    acp_atlas_point points[64];
    for (uint32_t i = 0; bsp && v->polygon && i < acp_bsp_polygon_count(bsp); i++) {
        acp_polygon polygon = acp_bsp_polygon(bsp, i);
        uint32_t count = polygon.point_count < 64u ? polygon.point_count : 64u;
        for (uint32_t k = 0; k < count; k++)
            points[k] = acp_atlas_place(atlas, position, scale, polygon.points[k]);
        if (count >= 3u) v->polygon(v->user, kind, points, count);
    }
}

/* By what stops a mover: BSP, else cylspheres, else spheres; else its boxes, so that it is seen. */
static void visit_object(const acp_atlas *atlas, const acp_atlas_visitor *v, const acp_object_row *row) {
    bool has_faces = false;
    for (uint32_t i = 0; i < row->part_count; i++) {
        const acp_part_row *part = &row->parts[i];
        if (!part->shape || !part->shape->bsp) continue;
        visit_tree(atlas, v, ACP_ATLAS_OBJECT, part->shape->bsp, &part->position, (double)part->scale.z);
        has_faces = true;
    }
    const acp_setup *setup = row->setup;
    if (has_faces || !setup) return;
    double scale = (double)row->scale;
    for (uint32_t i = 0; v->round && i < setup->cylsphere_count; i++)
        v->round(v->user, acp_atlas_place(atlas, &row->position, scale, setup->cylspheres[i].low_point),
                 (double)setup->cylspheres[i].height * scale, (double)setup->cylspheres[i].radius * scale, false);
    for (uint32_t i = 0; v->round && !setup->cylsphere_count && i < setup->sphere_count; i++)
        v->round(v->user, acp_atlas_place(atlas, &row->position, scale, setup->spheres[i].center), 0.0,
                 (double)setup->spheres[i].radius * scale, true);
    for (uint32_t i = 0; v->box && !setup->cylsphere_count && !setup->sphere_count && i < row->part_count; i++)
        if (row->parts[i].shape) v->box(v->user, &row->parts[i]);
}

typedef struct seen_objects {
    uint32_t *indices;
    uint32_t count, capacity;
} seen_objects;

/* True when the object is new. */
static bool note_object(seen_objects *seen, uint32_t index, bool *out_failed) {
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->indices[i] == index) return false;
    if (seen->count == seen->capacity) {
        uint32_t capacity = seen->capacity ? 2u * seen->capacity : 256u;
        uint32_t *grown = realloc(seen->indices, capacity * sizeof *grown);
        if (!grown) {
            *out_failed = true;
            return false;
        }
        seen->indices = grown;
        seen->capacity = capacity;
    }
    seen->indices[seen->count++] = index;
    return true;
}

static void visit_cell(const acp_atlas *atlas, const acp_atlas_visitor *v, uint32_t cell_id, seen_objects *seen, bool *out_failed) {
    acp_object objects[256];
    uint32_t count = 0;
    if (acp_membership_cell_objects(atlas->world, cell_id, objects, 256, &count) != ACP_OK) return;
    for (uint32_t i = 0; i < count && i < 256u; i++)
        if (note_object(seen, objects[i].index1, out_failed)) visit_object(atlas, v, acp_world_row(atlas->world, objects[i].index1 - 1u));
}

static void visit_block(const acp_atlas *atlas, const acp_atlas_visitor *v, const acp_block *block, seen_objects *seen, bool *out_failed) {
    for (uint32_t i = 0; i < block->building_count; i++) {
        const acp_building *b = &block->buildings[i];
        if (b->shell) visit_tree(atlas, v, ACP_ATLAS_SHELL, b->shell->bsp, &b->shell_position, (double)b->shell_scale);
    }
    for (uint32_t i = 0; i < block->env_cell_count; i++) {
        const acp_env_cell *cell = &block->env_cells[i];
        if (v->room) v->room(v->user, cell);
        if (cell->structure) visit_tree(atlas, v, ACP_ATLAS_ROOM, acp_cell_structure_bsp(cell->structure), &cell->position, 1.0);
    }
    for (uint32_t k = 1; k <= 64u && block->terrain; k++)
        visit_cell(atlas, v, block->block_id | k, seen, out_failed);
    for (uint32_t i = 0; i < block->env_cell_count; i++)
        visit_cell(atlas, v, block->env_cells[i].cell_id, seen, out_failed);
}

bool acp_atlas_visit(const acp_atlas *atlas, const acp_atlas_visitor *visitor) {
    seen_objects seen = {NULL, 0, 0};
    bool has_failed = false;
    double x0 = fmin(atlas->view.x0, atlas->view.x1), x1 = fmax(fmax(atlas->view.x0, atlas->view.x1) - 1e-6, x0);
    double y0 = fmin(atlas->view.y0, atlas->view.y1), y1 = fmax(fmax(atlas->view.y0, atlas->view.y1) - 1e-6, y0);
    int bx = (int)(atlas->base_block >> 24), by = (int)((atlas->base_block >> 16) & 0xFFu);
    for (int x = (int)floor(x0 / BLOCK); x <= (int)floor(x1 / BLOCK); x++) {
        for (int y = (int)floor(y0 / BLOCK); y <= (int)floor(y1 / BLOCK); y++) {
            if (bx + x < 0 || bx + x > 254 || by + y < 0 || by + y > 254) continue;
            const acp_block *block = acp_world_block(atlas->world, (uint32_t)(bx + x) << 24 | (uint32_t)(by + y) << 16);
            if (block) visit_block(atlas, visitor, block, &seen, &has_failed);
        }
    }
    free(seen.indices);
    return !has_failed;
}

/* ---- rooms, cut ---- */

/* A plane of a room in the metres of the picture: a x + b y + c z + d >= 0 inside. */
static void plane_in_base(const acp_atlas *atlas, const acp_env_cell *cell, const acp_plane *plane, double out[4]) {
    const acp_matrix_frame *f = &cell->position.frame;
    double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    acp_atlas_point o = acp_atlas_in_base(atlas, cell->cell_id, (double)f->origin.x, (double)f->origin.y, (double)f->origin.z);
    out[0] = (double)f->m[0] * nx + (double)f->m[3] * ny + (double)f->m[6] * nz;
    out[1] = (double)f->m[1] * nx + (double)f->m[4] * ny + (double)f->m[7] * nz;
    out[2] = (double)f->m[2] * nx + (double)f->m[5] * ny + (double)f->m[8] * nz;
    out[3] = (double)plane->d - out[0] * o.x - out[1] * o.y - out[2] * o.z;
}

static void finish(const acp_map_polygon *polygon, acp_atlas_outline *out) {
    out->count = polygon->count < 3u ? 0u : polygon->count;
    for (uint32_t i = 0; i < out->count; i++)
        out->points[i] = polygon->points[i];
}

void acp_atlas_room_level(const acp_atlas *atlas, const acp_env_cell *cell, double z, acp_atlas_outline *out) {
    acp_atlas_point o =
        acp_atlas_in_base(atlas, cell->cell_id, (double)cell->position.frame.origin.x, (double)cell->position.frame.origin.y, 0);
    acp_map_polygon g = {{{o.x - REACH, o.y - REACH}, {o.x + REACH, o.y - REACH}, {o.x + REACH, o.y + REACH}, {o.x - REACH, o.y + REACH}},
                         4u};
    for (uint32_t i = 0; cell->containment && i < acp_cell_tree_plane_count(cell->containment) && g.count; i++) {
        acp_plane plane = acp_cell_tree_plane(cell->containment, i);
        double n[4];
        plane_in_base(atlas, cell, &plane, n);
        acp_map_clip(&g, n[0], n[1], n[2] * z + n[3]);
    }
    if (!cell->containment) g.count = 0;
    finish(&g, out);
}

void acp_atlas_room_upright(const acp_atlas *atlas, const acp_env_cell *cell, acp_atlas_outline *out) {
    double dx = atlas->view.x1 - atlas->view.x0, dy = atlas->view.y1 - atlas->view.y0, length = sqrt(dx * dx + dy * dy);
    acp_map_polygon g = {{{-REACH, -REACH}, {length + REACH, -REACH}, {length + REACH, REACH}, {-REACH, REACH}}, 4u};
    for (uint32_t i = 0; cell->containment && i < acp_cell_tree_plane_count(cell->containment) && g.count; i++) {
        acp_plane plane = acp_cell_tree_plane(cell->containment, i);
        double n[4];
        plane_in_base(atlas, cell, &plane, n);
        acp_map_clip(&g, (n[0] * dx + n[1] * dy) / length, n[2], n[0] * atlas->view.x0 + n[1] * atlas->view.y0 + n[3]);
    }
    if (!cell->containment) g.count = 0;
    finish(&g, out);
}

void acp_atlas_room_heights(const acp_atlas *atlas, const acp_env_cell *cell, double *out_low, double *out_high) {
    const acp_bsp *bsp = cell->structure ? acp_cell_structure_bsp(cell->structure) : NULL;
    *out_low = INFINITY;
    *out_high = -INFINITY;
    for (uint32_t i = 0; bsp && i < acp_bsp_polygon_count(bsp); i++) {
        acp_polygon polygon = acp_bsp_polygon(bsp, i);
        for (uint32_t k = 0; k < polygon.point_count; k++) {
            double z = acp_atlas_place(atlas, &cell->position, 1.0, polygon.points[k]).z;
            *out_low = fmin(*out_low, z);
            *out_high = fmax(*out_high, z);
        }
    }
}
