/* SPDX-License-Identifier: MIT */
/* Questions about what is resident: portals, visible cells, who stands where, walking everything, what is seen through portals.
 *
 * All of them read only what is there. What is seen from a cell is a search in breadth over portals, kept within the stab list, which is
 * the authors' word on what can be seen (POP-12); so each cell comes with the least number of portals to it, and the order depends on the
 * records alone. Land cells see through the portals of their landblock's buildings, within the landblock's own stab list (POP-3).
 *
 * Contract: read access; nothing is allocated. Limits: 65,535 cells of a stab list, 24 KiB of stack. Cost: the search is linear in portals
 * times the length of the stab list.
 */
#include <string.h>

#include "population/landblock.h"
#include "world/world.h"

static bool is_asked_well(const acp_world *world, const void *out, uint32_t capacity, const uint32_t *out_count) {
    return world && out_count && (out || !capacity);
}

acp_result acp_cell_portals(const acp_world *world, uint32_t cell_id, acp_portal_info *out_portals, uint32_t capacity,
                            uint32_t *out_count) {
    if (!is_asked_well(world, out_portals, capacity, out_count)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    acp_cell cell = acp_world_cell(world, cell_id);
    if (!acp_cell_exists(cell)) return ACP_ERROR_NOT_FOUND;
    const acp_env_cell *env = acp_cell_env(cell);
    const acp_building *building = acp_cell_building(cell);
    uint32_t count = env ? env->portal_count : building ? building->portal_count : 0u;
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        acp_portal_info *to = &out_portals[i];
        memset(to, 0, sizeof *to);
        if (env) {
            const acp_cell_portal *from = &env->portals[i];
            to->other_cell_id = from->other_cell_id;
            to->other_portal_id = from->other_portal_id;
            to->side = from->side;
            to->plane = from->plane;
        } else {
            const acp_building_portal *from = &building->portals[i];
            to->other_cell_id = from->other_cell_id;
            to->other_portal_id = from->other_portal_id;
            to->side = from->side;
        }
        to->is_resident =
            to->other_cell_id == UINT32_MAX ? cell.block->terrain != NULL : acp_cell_exists(acp_world_cell(world, to->other_cell_id));
    }
    *out_count = count;
    return ACP_OK;
}

/* The stab list that counts for a cell. */
static const uint32_t *stab_list(acp_cell cell, uint32_t *out_count) {
    const acp_env_cell *env = acp_cell_env(cell);
    const acp_landblock *landblock = acp_block_landblock(cell.block);
    *out_count = env ? env->visible_count : landblock ? landblock->visible_count : 0u;
    return env ? env->visible_cells : landblock ? landblock->visible_cells : NULL;
}

acp_result acp_cell_visible_cells(const acp_world *world, uint32_t cell_id, uint32_t *out_cell_ids, uint32_t capacity,
                                  uint32_t *out_count) {
    if (!is_asked_well(world, out_cell_ids, capacity, out_count)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    acp_cell cell = acp_world_cell(world, cell_id);
    if (!acp_cell_exists(cell)) return ACP_ERROR_NOT_FOUND;
    const uint32_t *list = stab_list(cell, out_count);
    for (uint32_t i = 0; i < *out_count && i < capacity; i++)
        out_cell_ids[i] = list[i];
    return ACP_OK;
}

/* ---------------------------------------------------------------------------------------------------------------- who stands there */

/* Statics in canonical order come before everything else, which comes by handle. */
static bool comes_before(const acp_world *world, uint32_t a, uint32_t b) {
    const acp_object_row *x = acp_world_row(world, a), *y = acp_world_row(world, b);
    bool is_x = (x->state & ACP_STATE_STATIC) != 0, is_y = (y->state & ACP_STATE_STATIC) != 0;
    if (is_x != is_y) return is_x;
    if (is_x && x->static_order != y->static_order) return x->static_order < y->static_order;
    return a < b;
}

/* Puts an index where it belongs among the first ones; what is beyond the capacity is forgotten. */
static void insert(const acp_world *world, acp_object *list, uint32_t *kept, uint32_t capacity, uint32_t index) {
    uint32_t at = *kept;
    while (at && comes_before(world, index, list[at - 1u].index1 - 1u))
        at--;
    if (at >= capacity) return;
    if (*kept < capacity) ++*kept;
    memmove(list + at + 1, list + at, (*kept - 1u - at) * sizeof *list);
    list[at] = acp_world_handle(world, index);
}

acp_result acp_cell_residents(const acp_world *world, uint32_t cell_id, acp_object *out_objects, uint32_t capacity, uint32_t *out_count) {
    if (!is_asked_well(world, out_objects, capacity, out_count)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    acp_cell cell = acp_world_cell(world, cell_id);
    if (!acp_cell_exists(cell)) return ACP_ERROR_NOT_FOUND;
    uint32_t first = cell.block->first_held, kept = 0, count = 0;
    for (uint32_t at = first; at != ACP_OBJECT_NONE;) {
        const acp_object_row *row = acp_world_row(world, at);
        if (row->holder_cell_id == cell_id) {
            count++;
            insert(world, out_objects, &kept, capacity, at);
        }
        at = row->next_held == first ? ACP_OBJECT_NONE : row->next_held;
    }
    *out_count = count;
    return ACP_OK;
}

/* ------------------------------------------------------------------------------------------------------------ walking everything */

/* The first cell of a block with an index above `index`, 0 = none. */
static uint32_t next_in_block(const acp_block *block, uint32_t index) {
    if (block->terrain && index < 64u) return block->block_id | (index + 1u);
    for (uint32_t i = index < 0x100u ? 0u : index - 0x100u + 1u; i < block->env_index_count; i++)
        if (block->env_index[i]) return block->block_id | (0x100u + i);
    return 0;
}

uint32_t acp_world_next_cell(const acp_world *world, uint32_t cell_id) {
    if (!world) return 0;
    for (uint32_t slot = cell_id >> 16, index = cell_id & 0xFFFFu; slot < ACP_WORLD_BLOCKS; slot++, index = 0) {
        uint32_t next = world->blocks[slot] ? next_in_block(world->blocks[slot], index) : 0;
        if (next) return next;
    }
    return 0;
}

uint32_t acp_world_next_block(const acp_world *world, uint32_t block_id) {
    for (uint32_t slot = block_id == UINT32_MAX ? 0u : (block_id >> 16) + 1u; world && slot < ACP_WORLD_BLOCKS; slot++)
        if (world->blocks[slot]) return slot << 16;
    return UINT32_MAX;
}

acp_object acp_world_next_object(const acp_world *world, acp_object object) {
    acp_object none = {0, 0};
    for (uint32_t i = object.index1; world && i < acp_world_row_limit(world); i++)
        if (acp_world_live_row(world, i)) return acp_world_handle(world, i);
    return none;
}

acp_object acp_landblock_static(const acp_world *world, const acp_landblock *landblock, uint32_t index) {
    acp_object none = {0, 0};
    if (!world || !landblock || landblock->world != world || index >= landblock->static_count) return none;
    return acp_object_is_live(world, landblock->objects[index]) ? landblock->objects[index] : none;
}

/* ------------------------------------------------------------------------------------------------------------------ what is seen */

typedef struct search {
    const acp_world *world;
    const uint32_t *list; /* the stab list */
    uint32_t list_count;
    acp_seen_cell *out;
    uint32_t capacity;
    uint32_t count;
    bool sees_outside;
    uint8_t seen[8192]; /* a bit per entry of the list */
    uint8_t edge[8192]; /* reached at this depth */
    uint8_t next[8192];
} search;

static void reach(search *s, uint32_t cell_id) {
    for (uint32_t i = 0; i < s->list_count; i++)
        if (s->list[i] == cell_id) s->next[i / 8u] |= (uint8_t)(1u << (i % 8u));
}

static void see(search *s, uint32_t cell_id, uint32_t depth) {
    if (s->count < s->capacity) s->out[s->count] = (acp_seen_cell){cell_id, depth};
    s->count++;
}

static void look_through(search *s, const acp_env_cell *cell) {
    for (uint32_t i = 0; i < cell->portal_count; i++) {
        if (cell->portals[i].other_cell_id == UINT32_MAX)
            s->sees_outside = true;
        else
            reach(s, cell->portals[i].other_cell_id);
    }
}

/* Cells of the next depth that are there and new; false when there are none. */
static bool advance(search *s, uint32_t own_id, uint32_t depth) {
    bool is_any = false;
    memset(s->edge, 0, sizeof s->edge);
    for (uint32_t i = 0; i < s->list_count; i++) {
        uint8_t bit = (uint8_t)(1u << (i % 8u));
        if (!(s->next[i / 8u] & bit) || (s->seen[i / 8u] & bit)) continue;
        s->seen[i / 8u] |= bit;
        if (s->list[i] == own_id || !acp_cell_exists(acp_world_cell(s->world, s->list[i]))) continue;
        s->edge[i / 8u] |= bit;
        see(s, s->list[i], depth);
        is_any = true;
    }
    memset(s->next, 0, sizeof s->next);
    return is_any;
}

acp_result acp_cell_seen_cells(const acp_world *world, uint32_t cell_id, acp_seen_cell *out_cells, uint32_t capacity, uint32_t *out_count,
                               uint32_t *out_sees_outside) {
    if (!is_asked_well(world, out_cells, capacity, out_count) || !out_sees_outside) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = *out_sees_outside = 0;
    acp_cell cell = acp_world_cell(world, cell_id);
    if (!acp_cell_exists(cell)) return ACP_ERROR_NOT_FOUND;
    const acp_env_cell *env = acp_cell_env(cell);
    search s;
    memset(&s, 0, sizeof s);
    s.world = world;
    s.out = out_cells;
    s.capacity = capacity;
    s.list = stab_list(cell, &s.list_count);
    if (s.list_count > 65535u) s.list_count = 65535u;
    see(&s, cell_id, 0);
    s.sees_outside = acp_cell_is_land(cell);
    if (env) look_through(&s, env);
    for (uint32_t b = 0; !env && b < cell.block->building_count; b++)
        for (uint32_t i = 0; i < cell.block->buildings[b].portal_count; i++)
            if (cell.block->buildings[b].portals[i].other_portal_id >= 0) reach(&s, cell.block->buildings[b].portals[i].other_cell_id);
    for (uint32_t depth = 1; advance(&s, cell_id, depth); depth++)
        for (uint32_t i = 0; i < s.list_count; i++)
            if ((uint32_t)s.edge[i / 8u] >> (i % 8u) & 1u) look_through(&s, acp_cell_env(acp_world_cell(world, s.list[i])));
    *out_count = s.count;
    *out_sees_outside = s.sees_outside;
    return ACP_OK;
}
