/* SPDX-License-Identifier: MIT */
/* Where objects and their parts are: frames, parts, children, and the cell that holds them.
 *
 * An object's frame poses its parts by the chosen placement frame (MEM-22: part *offsets* are scaled, geometry is not), and then its
 * children, each from the frame of the parent's part it hangs on or from the parent itself (PHO-27). Children hang in a list in order of
 * attachment; walks over them are in pre-order and use the links, not the stack, so that depth is no danger.
 *
 * Entering, leaving and changing a cell follow spec 04 §13; none of them touches the shadow lists. The cell that holds an object is
 * remembered by id, and all objects held by one block form a ring, so that retiring the block finds them. Contract: indices are live.
 * Cost: O(parts + children).
 *
 * retail: CPhysicsObj::enter_cell 0x00510ED0
 * retail: CPhysicsObj::UpdateChild 0x00512D50
 */
#include "world/object.h"

#include "math/vec3.h"
#include "place/cell_id.h"
#include "world/world.h"

uint32_t acp_object_next_beside(const acp_world *world, uint32_t root, uint32_t at) {
    while (at != root) {
        const acp_object_row *row = acp_world_row(world, at);
        if (row->next_sibling != ACP_OBJECT_NONE) return row->next_sibling;
        at = row->parent;
    }
    return ACP_OBJECT_NONE;
}

uint32_t acp_object_next_below(const acp_world *world, uint32_t root, uint32_t at) {
    const acp_object_row *row = acp_world_row(world, at);
    return row->first_child != ACP_OBJECT_NONE ? row->first_child : acp_object_next_beside(world, root, at);
}

/* PHO-4: the running animation's frames, else the placement's; only min(parts, frames) parts move, without frames none does. */
static void pose_parts(acp_object_row *row) {
    if (!row->setup || row->part_count == 0 || (row->state & ACP_STATE_PARTICLE_EMITTER)) return;
    const acp_matrix_frame *frames = row->extra ? row->extra->pose : NULL;
    uint32_t frame_count = frames ? row->extra->pose_count : 0;
    if (!frames) {
        const acp_setup_placement *placement = acp_setup_find_placement(row->setup, row->placement_id);
        if (!placement) return;
        frames = placement->frames;
        frame_count = placement->frame_count;
    }
    uint32_t count = row->part_count < frame_count ? row->part_count : frame_count;
    acp_vec3 scale = {row->scale, row->scale, row->scale};
    for (uint32_t i = 0; i < count; i++)
        if (row->parts[i].shape) acp_matrix_frame_combine_scaled(&row->parts[i].position.frame, &row->position.frame, &frames[i], scale);
}

/* The frame a child hangs from. */
static void place_child(const acp_world *world, acp_object_row *child) {
    const acp_object_row *parent = acp_world_row(world, child->parent);
    const acp_matrix_frame *from = &parent->position.frame;
    int32_t part = child->extra ? child->extra->part_index : -1;
    if (part >= 0 && (uint32_t)part < parent->part_count && parent->parts[part].shape) from = &parent->parts[part].position.frame;
    acp_matrix_frame holding = child->extra ? child->extra->holding : acp_matrix_frame_identity();
    acp_matrix_frame_combine(&child->position.frame, from, &holding);
}

void acp_object_place_parts(acp_world *world, uint32_t index) {
    acp_object_row *row = acp_world_row(world, index);
    pose_parts(row);
    if (!row->setup) return;
    for (uint32_t at = acp_object_next_below(world, index, index); at != ACP_OBJECT_NONE; at = acp_object_next_below(world, index, at)) {
        acp_object_row *child = acp_world_row(world, at);
        if (!acp_world_row(world, child->parent)->setup) continue;
        place_child(world, child);
        pose_parts(child);
    }
}

void acp_object_set_frame(acp_world *world, uint32_t index, const acp_matrix_frame *frame) {
    acp_world_row(world, index)->position.frame = *frame;
    acp_object_place_parts(world, index);
}

static void label(acp_object_row *row, uint32_t cell_id) {
    row->position.cell_id = cell_id;
    if (row->state & ACP_STATE_PARTICLE_EMITTER) return;
    for (uint32_t i = 0; i < row->part_count; i++)
        row->parts[i].position.cell_id = cell_id;
}

void acp_object_set_cell_id(acp_world *world, uint32_t index, uint32_t cell_id) { label(acp_world_row(world, index), cell_id); }

void acp_object_hold_one_in_cell(acp_world *world, uint32_t index, uint32_t cell_id) {
    acp_object_row *row = acp_world_row(world, index);
    acp_block *block = acp_world_block(world, cell_id);
    if (!block || row->holder_cell_id) return;
    if (block->first_held == ACP_OBJECT_NONE) {
        row->next_held = row->previous_held = index;
        block->first_held = index;
    } else {
        acp_object_row *first = acp_world_row(world, block->first_held);
        acp_object_row *last = acp_world_row(world, first->previous_held);
        row->next_held = block->first_held;
        row->previous_held = first->previous_held;
        last->next_held = index;
        first->previous_held = index;
    }
    row->holder_cell_id = cell_id;
    label(row, cell_id);
}

void acp_object_hold_in_cell(acp_world *world, uint32_t index, uint32_t cell_id) {
    for (uint32_t at = index; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, index, at))
        acp_object_hold_one_in_cell(world, at, cell_id);
}

void acp_object_leave_one_cell(acp_world *world, uint32_t index) {
    acp_object_row *row = acp_world_row(world, index);
    if (!row->holder_cell_id) return;
    acp_block *block = acp_world_block(world, row->holder_cell_id);
    if (block) {
        if (row->next_held == index) {
            block->first_held = ACP_OBJECT_NONE;
        } else {
            acp_world_row(world, row->previous_held)->next_held = row->next_held;
            acp_world_row(world, row->next_held)->previous_held = row->previous_held;
            if (block->first_held == index) block->first_held = row->next_held;
        }
    }
    row->next_held = row->previous_held = ACP_OBJECT_NONE;
    row->holder_cell_id = 0;
}

void acp_object_enter_cell(acp_world *world, uint32_t index, uint32_t cell_id) {
    for (uint32_t at = index; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, index, at)) {
        if (!acp_world_row(world, at)->setup) continue; /* nothing happens without a part array */
        acp_object_leave_one_cell(world, at);           /* a child may have been left in another cell */
        acp_object_hold_one_in_cell(world, at, cell_id);
    }
}

void acp_object_leave_cell(acp_world *world, uint32_t index) {
    if (!acp_world_row(world, index)->holder_cell_id) return;
    for (uint32_t at = index; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, index, at))
        acp_object_leave_one_cell(world, at);
}

void acp_object_change_cell(acp_world *world, uint32_t index, uint32_t cell_id) {
    acp_object_leave_cell(world, index);
    if (cell_id)
        acp_object_enter_cell(world, index, cell_id);
    else
        label(acp_world_row(world, index), 0);
}

acp_object_place acp_object_place_of(const acp_world *world, uint32_t index) {
    const acp_object_row *row = acp_world_row(world, index);
    acp_object_place place = {row->position, row->holder_cell_id};
    return place;
}

void acp_object_place_restore(acp_world *world, uint32_t index, const acp_object_place *place) {
    acp_object_leave_cell(world, index);
    acp_object_set_cell_id(world, index, place->position.cell_id);
    acp_object_set_frame(world, index, &place->position.frame);
    if (place->holder_cell_id) acp_object_enter_cell(world, index, place->holder_cell_id);
}

void acp_object_set_scale(acp_world *world, uint32_t index, float scale) {
    acp_object_row *row = acp_world_row(world, index);
    row->scale = scale;
    for (uint32_t i = 0; i < row->part_count; i++) {
        acp_vec3 base = row->setup->parts[i].default_scale;
        row->parts[i].scale = acp_vec3_make((double)base.x * (double)scale, (double)base.y * (double)scale, (double)base.z * (double)scale);
    }
}

void acp_object_set_part_position(acp_world *world, uint32_t index, uint32_t part, const acp_matrix_position *position) {
    acp_world_row(world, index)->parts[part].position = *position;
}

static bool is_sphere_within(const acp_matrix_frame *frame, const acp_sphere *sphere) {
    return acp_is_within_block(acp_matrix_frame_local_to_global(frame, sphere->center), sphere->radius);
}

/* A cylinder's form: x unrounded, y stored, the far limit stored (POP-9). */
static bool is_cylsphere_within(const acp_matrix_frame *f, const acp_cylsphere *c) {
    double x =
        (((double)f->m[6] * (double)c->low_point.z + (double)f->m[0] * (double)c->low_point.x) + (double)f->m[3] * (double)c->low_point.y) +
        (double)f->origin.x;
    double y = (double)acp_matrix_frame_local_to_global(f, c->low_point).y;
    double r = (double)c->radius, far = acp_stored(ACP_BLOCK_LENGTH - r);
    return x >= r && y >= r && x < far && y < far;
}

bool acp_model_is_within_block(const acp_setup *setup, bool has_physics_bsp, const acp_matrix_frame *frame) {
    static const acp_sphere dummy = {{0.0f, 0.0f, 0.100000001f}, 0.100000001f};
    if (has_physics_bsp) return is_sphere_within(frame, setup ? &setup->sorting_sphere : &dummy);
    if (setup && setup->cylsphere_count) {
        for (uint32_t i = 0; i < setup->cylsphere_count; i++)
            if (!is_cylsphere_within(frame, &setup->cylspheres[i])) return false;
        return true;
    }
    if (setup && setup->sphere_count) return is_sphere_within(frame, &setup->sorting_sphere);
    return acp_is_within_block(frame->origin, 0.0f);
}

bool acp_object_is_within_block(const acp_object_row *row) {
    return acp_model_is_within_block(row->setup, (row->state & ACP_STATE_HAS_PHYSICS_BSP) != 0, &row->position.frame);
}

/* Whoever has no children has nobody to hang on but himself: a chain is made link by link without being walked. */
bool acp_object_would_close_ring(const acp_world *world, uint32_t child, uint32_t parent) {
    if (parent == child || acp_world_row(world, child)->first_child == ACP_OBJECT_NONE) return parent == child;
    while (parent != ACP_OBJECT_NONE && parent != child)
        parent = acp_world_row(world, parent)->parent;
    return parent == child;
}

acp_result acp_object_link_child(acp_world *world, uint32_t child, uint32_t parent, int32_t part_index, const acp_matrix_frame *holding,
                                 bool places) {
    acp_object_row *row = acp_world_row(world, child);
    acp_object_row *above = acp_world_row(world, parent);
    if (row->parent != ACP_OBJECT_NONE || !above->setup || acp_object_would_close_ring(world, child, parent))
        return ACP_ERROR_INVALID_ARGUMENT;
    acp_object_extra *extra = acp_object_extra_of(world, child);
    if (!extra) return ACP_ERROR_OUT_OF_MEMORY;
    extra->holding = *holding;
    extra->part_index = part_index;
    row->parent = parent;
    row->next_sibling = ACP_OBJECT_NONE;
    if (above->first_child == ACP_OBJECT_NONE) {
        above->first_child = child;
    } else {
        uint32_t last = above->first_child;
        while (acp_world_row(world, last)->next_sibling != ACP_OBJECT_NONE)
            last = acp_world_row(world, last)->next_sibling;
        acp_world_row(world, last)->next_sibling = child;
    }
    if (places) {
        place_child(world, row);
        acp_object_place_parts(world, child);
    }
    return ACP_OK;
}

void acp_object_unlink_child(acp_world *world, uint32_t child) {
    acp_object_row *row = acp_world_row(world, child);
    if (row->parent == ACP_OBJECT_NONE) return;
    acp_object_row *above = acp_world_row(world, row->parent);
    uint32_t *link = &above->first_child;
    while (*link != child)
        link = &acp_world_row(world, *link)->next_sibling;
    *link = row->next_sibling;
    row->parent = row->next_sibling = ACP_OBJECT_NONE;
}

acp_object_bond acp_object_bond_of(const acp_world *world, uint32_t child) {
    const acp_object_row *row = acp_world_row(world, child);
    acp_object_bond bond = {row->parent, row->next_sibling, row->position, acp_matrix_frame_identity(), -1};
    if (row->extra) {
        bond.holding = row->extra->holding;
        bond.part_index = row->extra->part_index;
    }
    return bond;
}

void acp_object_bond_restore(acp_world *world, uint32_t child, const acp_object_bond *bond) {
    acp_object_unlink_child(world, child);
    acp_object_row *row = acp_world_row(world, child);
    if (row->extra) {
        row->extra->holding = bond->holding;
        row->extra->part_index = bond->part_index;
    }
    if (bond->parent != ACP_OBJECT_NONE) {
        uint32_t *link = &acp_world_row(world, bond->parent)->first_child;
        while (*link != bond->next_sibling)
            link = &acp_world_row(world, *link)->next_sibling;
        *link = child;
        row->parent = bond->parent;
        row->next_sibling = bond->next_sibling;
    }
    acp_object_set_cell_id(world, child, bond->position.cell_id);
    acp_object_set_frame(world, child, &bond->position.frame);
}
