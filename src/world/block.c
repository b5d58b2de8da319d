/* SPDX-License-Identifier: MIT */
/* Landblocks as prepared content.
 *
 * A block is made from a definition on any thread and never changes afterwards, except for the ring of objects that its cells hold, which
 * belongs to the world that owns it. Everything lives in one arena: EnvCells in the order given with a direct index by their number,
 * portals and stab lists, buildings with the finished position of their shell, restriction objects. Terrain, rooms and models are borrowed.
 *
 * Buildings follow 09 POP-3: the land cell is that of the canonicalised origin; an origin in another block drops the building; the first
 * one on a land cell wins, later ones are kept in the list and never met. Contract: finite numbers, ids of this block, no EnvCell twice;
 * all or nothing. Limits: 65,278 EnvCells (the id space), 255 buildings that stand on a cell (DIV-38). Cost: linear in the definition.
 *
 * retail: CLandBlock::init_buildings 0x0052FD80
 * retail: CBuildingObj::makeBuilding 0x006B53A0
 */
#include "world/block.h"

#include <string.h>

#include "asset/finite.h"
#include "asset/setup.h"
#include "base/error.h"
#include "base/memory.h"
#include "place/cell_id.h"
#include "world/object.h"
#include "world/room_gate.h"

static const char operation[] = "block create";

static acp_result fail_at(acp_error *error, acp_result code, uint32_t id, const char *what) {
    acp_error_set(error, code, operation, "%s", what);
    acp_error_set_place(error, id, UINT64_MAX, "");
    return code;
}

static acp_result check_env_cell(const acp_block_definition *d, uint32_t i, acp_error *error) {
    const acp_env_cell_definition *e = &d->env_cells[i];
    uint32_t index = e->cell_id & 0xFFFFu;
    if ((e->cell_id ^ d->block_id) >> 16 || index < 0x100u || index > 0xFFFDu)
        return fail_at(error, ACP_ERROR_INVALID_ID, e->cell_id, "an EnvCell's id is not of this block");
    if ((e->portal_count && !e->portals) || (e->visible_count && !e->visible_cells))
        return fail_at(error, ACP_ERROR_INVALID_ARGUMENT, e->cell_id, "a list is counted but not given");
    if (!acp_frame_is_finite(&e->frame)) return fail_at(error, ACP_ERROR_NOT_FINITE, e->cell_id, "an EnvCell's frame is not finite");
    for (uint32_t k = 0; k < e->portal_count; k++)
        if (!acp_plane_is_finite(&e->portals[k].plane))
            return fail_at(error, ACP_ERROR_NOT_FINITE, e->cell_id, "a portal's plane is not finite");
    return ACP_OK;
}

static acp_result check_definition(const acp_block_definition *d, acp_error *error) {
    if (d->struct_size < sizeof *d) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "the definition's size is not set");
    if ((d->block_id >> 24) == 0xFFu || ((d->block_id >> 16) & 0xFFu) == 0xFFu)
        return fail_at(error, ACP_ERROR_INVALID_ID, d->block_id, "the landblock is beyond the map");
    if ((d->env_cell_count && !d->env_cells) || (d->building_count && !d->buildings) || (d->restriction_count && !d->restrictions))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a list is counted but not given");
    if (d->env_cell_count > 0xFEFEu) return acp_error_set(error, ACP_ERROR_LIMIT, operation, "more EnvCells than ids");
    for (uint32_t i = 0; i < d->env_cell_count; i++) {
        acp_result result = check_env_cell(d, i, error);
        if (result != ACP_OK) return result;
    }
    for (uint32_t i = 0; i < d->building_count; i++) {
        const acp_building_definition *b = &d->buildings[i];
        if (b->portal_count && !b->portals)
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a list is counted but not given");
        if (!acp_frame_is_finite(&b->position.frame))
            return fail_at(error, ACP_ERROR_NOT_FINITE, b->model_id, "a building's frame is not finite");
        if (b->shell && (!acp_frame_is_finite(&b->shell_position.frame) || !acp_is_finite(b->shell_scale)))
            return fail_at(error, ACP_ERROR_NOT_FINITE, b->model_id, "a shell's frame or scale is not finite");
        if (b->cell_id && ((b->cell_id ^ d->block_id) >> 16 || (b->cell_id & 0xFFFFu) - 1u >= 64u))
            return fail_at(error, ACP_ERROR_INVALID_ID, b->cell_id, "a building's cell is no land cell of this block");
    }
    for (uint32_t i = 0; i < d->restriction_count; i++)
        if ((d->restrictions[i].cell_id ^ d->block_id) >> 16)
            return fail_at(error, ACP_ERROR_INVALID_ID, d->restrictions[i].cell_id, "a restricted cell is not of this block");
    return ACP_OK;
}

acp_matrix_frame acp_block_frame(const acp_frame *frame) {
    acp_matrix_frame result = acp_matrix_frame_from_public(frame);
    if (!acp_matrix_frame_is_valid(&result)) {
        const acp_matrix_frame identity = acp_matrix_frame_identity();
        memcpy(result.m, identity.m, sizeof result.m);
    }
    return result;
}

/* What the portals' tests may look at first; portals into other landblocks have nothing. */
static bool add_gates(acp_block *block) {
    for (uint32_t i = 0; i < block->env_cell_count; i++) {
        acp_env_cell *cell = &block->env_cells[i];
        acp_room_gate *gates = ACP_ARENA_NEW_ARRAY(&block->arena, acp_room_gate, cell->portal_count);
        if (!gates) return false;
        for (uint32_t k = 0; k < cell->portal_count; k++) {
            const acp_cell_portal *portal = &cell->portals[k];
            bool is_near = portal->other_cell_id >> 16 == block->block_id >> 16;
            gates[k] = acp_room_gate_of(cell, portal, is_near ? acp_block_env_cell(block, portal->other_cell_id) : NULL);
        }
        cell->gates = gates;
    }
    return true;
}

/* The whole of the EnvCells, or null when memory is out. False also for an id given twice, told by *duplicate. */
static bool add_env_cells(acp_block *block, const acp_block_definition *d, uint32_t *duplicate) {
    uint32_t limit = 0;
    for (uint32_t i = 0; i < d->env_cell_count; i++) {
        uint32_t index1 = (d->env_cells[i].cell_id & 0xFFFFu) - 0x100u + 1u;
        if (index1 > limit) limit = index1;
    }
    acp_arena *arena = &block->arena;
    block->env_cells = ACP_ARENA_NEW_ARRAY(arena, acp_env_cell, d->env_cell_count);
    block->env_index = ACP_ARENA_NEW_ARRAY(arena, uint16_t, limit);
    if (!block->env_cells || !block->env_index) return false;
    block->env_cell_count = d->env_cell_count;
    block->env_index_count = limit;
    for (uint32_t i = 0; i < d->env_cell_count; i++) {
        const acp_env_cell_definition *e = &d->env_cells[i];
        uint16_t *slot = &block->env_index[(e->cell_id & 0xFFFFu) - 0x100u];
        if (*slot) {
            *duplicate = e->cell_id;
            return false;
        }
        *slot = (uint16_t)(i + 1u);
        acp_env_cell *cell = &block->env_cells[i];
        cell->cell_id = e->cell_id;
        cell->position.cell_id = e->cell_id;
        cell->position.frame = acp_block_frame(&e->frame);
        const float *m = cell->position.frame.m;
        cell->is_about_z = m[2] == 0.0f && m[5] == 0.0f && m[6] == 0.0f && m[7] == 0.0f;
        cell->is_seen_outside = e->is_seen_outside != 0;
        cell->restriction_id = e->restriction_id;
        cell->structure = e->structure;
        cell->containment = e->structure ? e->structure->containment : NULL;
        cell->portal_count = e->portal_count;
        cell->visible_count = e->visible_count;
        cell->portals = acp_arena_copy(arena, e->portals, e->portal_count * sizeof *e->portals, _Alignof(acp_cell_portal));
        cell->visible_cells = acp_arena_copy(arena, e->visible_cells, e->visible_count * sizeof *e->visible_cells, _Alignof(uint32_t));
        if (!cell->portals || !cell->visible_cells) return false;
    }
    return add_gates(block);
}

/* Part 0 of the model, posed by its first placement frame as POP-3's initial frame does. */
static void place_shell(acp_building *building) {
    building->shell_scale = 1.0f;
    building->shell_position = building->position;
    const acp_setup *setup = building->setup;
    if (!setup || !setup->part_count) return;
    building->shell = setup->parts[0].shape;
    building->shell_scale = setup->parts[0].default_scale.z;
    const acp_setup_placement *placement = acp_setup_find_placement(setup, 0x65u);
    acp_vec3 one = {1.0f, 1.0f, 1.0f};
    if (placement && placement->frame_count)
        acp_matrix_frame_combine_scaled(&building->shell_position.frame, &building->position.frame, &placement->frames[0], one);
}

static bool add_buildings(acp_block *block, const acp_block_definition *d) {
    if (!d->building_count) return true;
    acp_arena *arena = &block->arena;
    block->buildings = ACP_ARENA_NEW_ARRAY(arena, acp_building, d->building_count);
    block->building_of = ACP_ARENA_NEW_ARRAY(arena, uint8_t, 64);
    if (!block->buildings || !block->building_of) return false;
    for (uint32_t i = 0; i < d->building_count; i++) {
        const acp_building_definition *b = &d->buildings[i];
        uint32_t cell_id = b->cell_id;
        if (!cell_id) {
            acp_vec3 origin = b->position.frame.origin;
            cell_id = block->block_id | 0xFFFFu;
            if (!acp_adjust_to_outside(&cell_id, &origin) || (cell_id ^ block->block_id) >> 16) continue;
        }
        acp_building *building = &block->buildings[block->building_count];
        building->cell_id = cell_id;
        building->model_id = b->model_id;
        building->position.cell_id = cell_id;
        building->position.frame = acp_block_frame(&b->position.frame);
        building->setup = b->setup;
        building->portal_count = b->portal_count;
        building->portals = acp_arena_copy(arena, b->portals, b->portal_count * sizeof *b->portals, _Alignof(acp_building_portal));
        if (!building->portals) return false;
        place_shell(building);
        if (b->shell) {
            building->shell = b->shell;
            building->shell_position = acp_matrix_position_from_public(&b->shell_position);
            building->shell_scale = b->shell_scale;
        }
        block->building_count++;
        uint32_t k = (cell_id & 0xFFu) - 1u;
        if (block->building_of[k] || block->building_count > 255u) continue;
        block->building_of[k] = (uint8_t)block->building_count;
        block->building_mask |= (uint64_t)1 << k;
    }
    return true;
}

static bool add_restrictions(acp_block *block, const acp_block_definition *d) {
    if (!d->restriction_count) return true;
    block->restrictions = ACP_ARENA_NEW_ARRAY(&block->arena, acp_cell_restriction, d->restriction_count);
    if (!block->restrictions) return false;
    for (uint32_t i = 0; i < d->restriction_count; i++) {
        const acp_cell_restriction *r = &d->restrictions[i];
        uint32_t k = (r->cell_id & 0xFFFFu) - 1u;
        if (k < 64u) {
            block->restrictions[block->restriction_count++] = *r;
            block->restriction_mask |= (uint64_t)1 << k;
        } else {
            uint32_t e = (r->cell_id & 0xFFFFu) - 0x100u;
            if (e < block->env_index_count && block->env_index[e]) block->env_cells[block->env_index[e] - 1u].restriction_id = r->object_id;
        }
    }
    return true;
}

/* So that no registration in a resident landblock needs memory for the heads of its lists. */
static bool add_list_room(acp_block *block) {
    block->list_room = acp_arena_allocate_zero(&block->arena, acp_block_slot_count(block), ACP_BLOCK_LIST_HEAD_SIZE, 4);
    return block->list_room != NULL;
}

acp_result acp_block_create(const acp_block_definition *definition, const acp_allocator *allocator, acp_block **out_block,
                            acp_error *error) {
    return acp_block_create_with_room(definition, 0, allocator, out_block, error);
}

acp_result acp_block_create_with_room(const acp_block_definition *definition, size_t room, const acp_allocator *allocator,
                                      acp_block **out_block, acp_error *error) {
    if (!definition || !out_block) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no definition or no place");
    *out_block = NULL;
    acp_result result = check_definition(definition, error);
    if (result != ACP_OK) return result;
    acp_arena arena;
    /* Most of the map is bare land: 65,025 blocks must not pay for rooms that they have not. */
    bool is_bare = !definition->env_cell_count && !definition->building_count && !definition->restriction_count;
    acp_arena_init(&arena, allocator, room + 64u * ACP_BLOCK_LIST_HEAD_SIZE + (is_bare ? sizeof(acp_block) + 32u : 1024u), UINT64_MAX);
    acp_block *block = ACP_ARENA_NEW(&arena, acp_block);
    if (!block) {
        acp_arena_free(&arena);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for a landblock");
    }
    block->arena = arena;
    block->block_id = definition->block_id & 0xFFFF0000u;
    block->terrain = definition->terrain;
    block->first_held = ACP_OBJECT_NONE;
    uint32_t duplicate = 0;
    if (!add_env_cells(block, definition, &duplicate) || !add_buildings(block, definition) || !add_restrictions(block, definition) ||
        !add_list_room(block)) {
        acp_block_destroy(block);
        if (duplicate) return fail_at(error, ACP_ERROR_DUPLICATE, duplicate, "an EnvCell is given twice");
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for a landblock");
    }
    *out_block = block;
    return ACP_OK;
}

void acp_block_destroy(acp_block *block) {
    if (!block) return;
    if (block->content) block->release_content(block);
    acp_arena arena = block->arena; /* the block lives inside it */
    acp_arena_free(&arena);
}

uint32_t acp_block_land_restriction(const acp_block *block, uint32_t k) {
    if (!((block->restriction_mask >> k) & 1u)) return 0;
    for (uint32_t i = 0; i < block->restriction_count; i++)
        if (((block->restrictions[i].cell_id & 0xFFu) - 1u) == k) return block->restrictions[i].object_id;
    return 0;
}
