/* SPDX-License-Identifier: MIT */
/* Bodies that may meet (D9): grouping the steps of one tick by the cells they can reach.
 *
 * Two steps may run at the same time only when neither reads or writes what the other writes: the lists of the cells it is and will be
 * registered in, and the rows of the objects in cells it visits. So a step reaches the rectangle of land cells around its way, widened by
 * twice the way, its size and two metres, joined with the rectangle of the cells it is registered in (widened by the way and by itself for
 * bodies registered by their boxes, which may turn). A land cell with a building, and a room,
 * bring the whole interior of their landblock. Direction: a superset; more bodies in a group cost time, never bits.
 *
 * Contract: world thread; when memory is refused, or a body reaches more than 4,096 land cells, all bodies are one group. Cost: one hash
 * look-up per cell reached, usually one to four. */
#include "body/groups.h"

#include <math.h>
#include <string.h>

#include "asset/setup.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "membership/registry.h"

#define MARGIN         2.0
#define MAX_CELLS      4096
#define INTERIOR       0x80000000u
#define LAND_WIDTH     2040
#define FIRST_CAPACITY 1024u

void acp_body_groups_init(acp_body_groups *groups, const acp_allocator *allocator) {
    memset(groups, 0, sizeof *groups);
    groups->allocator = acp_memory_allocator(allocator);
}

void acp_body_groups_free(acp_body_groups *groups) {
    ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, groups->parents, groups->capacity);
    ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, groups->tokens, groups->token_capacity);
    ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, groups->owners, groups->token_capacity);
    groups->parents = groups->tokens = groups->owners = NULL;
    groups->capacity = groups->token_capacity = 0;
}

void acp_body_groups_begin(acp_body_groups *groups, uint32_t count) {
    groups->is_one = false;
    groups->count = count;
    if (count > groups->capacity) {
        uint32_t *parents = ACP_MEMORY_NEW_ARRAY(&groups->allocator, uint32_t, count + count / 2u);
        if (!parents) {
            groups->is_one = true;
            return;
        }
        ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, groups->parents, groups->capacity);
        groups->parents = parents;
        groups->capacity = count + count / 2u;
    }
    for (uint32_t i = 0; i < count; ++i)
        groups->parents[i] = i;
    groups->token_count = 0;
    if (groups->token_capacity) memset(groups->tokens, 0, groups->token_capacity * sizeof *groups->tokens);
}

uint32_t acp_body_groups_of(acp_body_groups *groups, uint32_t i) {
    if (groups->is_one) return 0;
    while (groups->parents[i] != i) {
        groups->parents[i] = groups->parents[groups->parents[i]];
        i = groups->parents[i];
    }
    return i;
}

static void join(acp_body_groups *groups, uint32_t a, uint32_t b) {
    a = acp_body_groups_of(groups, a);
    b = acp_body_groups_of(groups, b);
    if (a < b)
        groups->parents[b] = a;
    else
        groups->parents[a] = b;
}

static uint32_t slot_of(const acp_body_groups *groups, uint32_t token) {
    uint32_t mask = groups->token_capacity - 1u, slot = (token * 0x9E3779B1u >> 7) & mask;
    while (groups->tokens[slot] && groups->tokens[slot] != token + 1u)
        slot = (slot + 1u) & mask;
    return slot;
}

static bool reserve_token(acp_body_groups *groups) {
    if ((groups->token_count + 1u) * 2u <= groups->token_capacity) return true;
    uint32_t capacity = groups->token_capacity ? groups->token_capacity * 2u : FIRST_CAPACITY;
    uint32_t *tokens = ACP_MEMORY_NEW_ARRAY(&groups->allocator, uint32_t, capacity);
    uint32_t *owners = ACP_MEMORY_NEW_ARRAY(&groups->allocator, uint32_t, capacity);
    if (!tokens || !owners) {
        ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, tokens, capacity);
        ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, owners, capacity);
        return false;
    }
    acp_body_groups old = *groups;
    groups->tokens = tokens;
    groups->owners = owners;
    groups->token_capacity = capacity;
    for (uint32_t i = 0; i < old.token_capacity; ++i) {
        if (!old.tokens[i]) continue;
        uint32_t slot = slot_of(groups, old.tokens[i] - 1u);
        tokens[slot] = old.tokens[i];
        owners[slot] = old.owners[i];
    }
    ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, old.tokens, old.token_capacity);
    ACP_MEMORY_DELETE_ARRAY(&groups->allocator, uint32_t, old.owners, old.token_capacity);
    return true;
}

static void reach(acp_body_groups *groups, uint32_t i, uint32_t token) {
    if (groups->is_one) return;
    if (!reserve_token(groups)) {
        groups->is_one = true;
        return;
    }
    uint32_t slot = slot_of(groups, token);
    if (groups->tokens[slot]) {
        join(groups, groups->owners[slot], i);
        return;
    }
    groups->tokens[slot] = token + 1u;
    groups->owners[slot] = i;
    ++groups->token_count;
}

/* ---- rectangles of land cells ---- */

typedef struct land_rectangle {
    int32_t min_x, min_y, max_x, max_y;
} land_rectangle;

static const land_rectangle nothing = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

static void include(land_rectangle *r, int32_t x, int32_t y, int32_t by) {
    if (x - by < r->min_x) r->min_x = x - by;
    if (y - by < r->min_y) r->min_y = y - by;
    if (x + by > r->max_x) r->max_x = x + by;
    if (y + by > r->max_y) r->max_y = y + by;
}

static int32_t land_x(uint32_t cell_id) { return (int32_t)(cell_id >> 24) * 8; }
static int32_t land_y(uint32_t cell_id) { return (int32_t)(cell_id >> 16 & 0xFFu) * 8; }

/* Clamped so that absurd places stay numbers. */
static int32_t cells_in(double metres) {
    double cells = floor(metres / ACP_CELL_LENGTH);
    if (!(cells < 1.0e6)) return 1000000; /* NaN too */
    return cells > -1.0e6 ? (int32_t)cells : -1000000;
}

static void include_ball(land_rectangle *r, uint32_t cell_id, acp_vec3 center, double radius) {
    include(r, land_x(cell_id) + cells_in((double)center.x - radius), land_y(cell_id) + cells_in((double)center.y - radius), 0);
    include(r, land_x(cell_id) + cells_in((double)center.x + radius), land_y(cell_id) + cells_in((double)center.y + radius), 0);
}

static void reach_land(acp_body_groups *groups, uint32_t i, const acp_world *world, land_rectangle r) {
    int64_t cells = ((int64_t)r.max_x - r.min_x + 1) * ((int64_t)r.max_y - r.min_y + 1);
    if (cells > MAX_CELLS) groups->is_one = true;
    for (int32_t y = r.min_y; y <= r.max_y && !groups->is_one; ++y)
        for (int32_t x = r.min_x; x <= r.max_x; ++x) {
            if (x < 0 || y < 0 || x >= LAND_WIDTH || y >= LAND_WIDTH) continue;
            reach(groups, i, (uint32_t)(y * LAND_WIDTH + x));
            uint32_t cell_id = (uint32_t)(x / 8) << 24 | (uint32_t)(y / 8) << 16 | ((uint32_t)(x % 8) * 8u + (uint32_t)(y % 8) + 1u);
            if (acp_cell_building(acp_world_cell(world, cell_id))) reach(groups, i, INTERIOR | cell_id >> 16);
        }
}

static void reach_rooms(acp_body_groups *groups, uint32_t i, const acp_world *world, uint32_t cell_id) {
    reach(groups, i, INTERIOR | cell_id >> 16);
    const acp_env_cell *room = acp_cell_env(acp_world_cell(world, cell_id));
    for (uint32_t p = 0; room && p < room->portal_count; ++p)
        if (room->portals[p].other_cell_id != 0xFFFFFFFFu) reach(groups, i, INTERIOR | room->portals[p].other_cell_id >> 16);
}

/* Farther than this from its origin nothing of the mover reaches. */
static double size_of(const acp_object_row *row) {
    double size = 0.0;
    for (uint32_t k = 0; row->setup && k < row->setup->sphere_count && k < 2; ++k) {
        acp_sphere sphere = row->setup->spheres[k];
        double reaches = acp_vec3_length(sphere.center) + (double)sphere.radius;
        if (reaches > size) size = reaches;
    }
    return size * (double)row->scale;
}

void acp_body_groups_add(acp_body_groups *groups, uint32_t i, const acp_world *world, const acp_body_step *step) {
    if (groups->is_one) return;
    const acp_object_row *row = acp_world_row(world, step->index);
    const acp_matrix_position *own = &row->position;
    double way = acp_vec3_length(acp_vec3_subtract(step->wish.frame.origin, own->frame.origin));
    land_rectangle all = nothing, registered = nothing;
    include_ball(&all, own->cell_id, own->frame.origin, 2.0 * way + size_of(row) + MARGIN);
    if (!acp_cell_id_is_outdoor(own->cell_id)) reach_rooms(groups, i, world, own->cell_id);
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, step->index, &count);
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t low = cells[k] & 0xFFFFu;
        if (low < 0x100u)
            include(&registered, land_x(cells[k]) + (int32_t)((low - 1u) / 8u), land_y(cells[k]) + (int32_t)((low - 1u) % 8u), 0);
        else
            reach_rooms(groups, i, world, cells[k]);
    }
    if (registered.max_x >= registered.min_x) {
        int32_t by = 0; /* without a BSP it will be registered where its spheres go */
        if (row->state & ACP_STATE_HAS_PHYSICS_BSP) {
            int32_t width = registered.max_x - registered.min_x, depth = registered.max_y - registered.min_y;
            by = cells_in(2.0 * way + MARGIN) + 2 + (width > depth ? width : depth);
        }
        include(&all, registered.min_x, registered.min_y, by);
        include(&all, registered.max_x, registered.max_y, by);
    }
    reach_land(groups, i, world, all);
}
