/* SPDX-License-Identifier: MIT */
/* Which landblocks the anchors want: the plan behind an update (D3, POP-13).
 *
 * Every anchor wants the landblocks within its radius, by Chebyshev distance, or all there are. What is wanted and not resident is to be
 * published, nearest to any anchor first, ties by id; what is resident for an anchor's sake and farther than radius and hysteresis from
 * every anchor is to be retired, ascending ids. So an anchor that steps to and fro over an edge moves nothing. The map's rim, and what the
 * source does not have, is left out; what was refused before is tried again (DIV-89).
 *
 * Contract: world thread; a plan that runs out of memory leaves the old one. Limits: 65,025 landblocks. Cost: the anchors' squares, then a
 * walk over 65,536 bytes: about 30 us.
 *
 * retail: LScape::update_loadpoint 0x00506CD0
 */
#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "place/cell_id.h"
#include "population/population.h"

#define KEPT      254u
#define MAP_WIDTH 255 /* landblocks a side */

acp_result acp_population_set_anchor(acp_population *p, uint32_t anchor_id, const acp_position *position, uint32_t radius,
                                     acp_error *error) {
    static const char operation[] = "set anchor";
    if (!p || !position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no population or no position");
    if (!acp_frame_is_finite(&position->frame)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the position is not finite");
    if (!acp_cell_id_is_valid(position->cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, operation, "cell id 0x%08X names no place", (unsigned)position->cell_id);
    if (radius > ACP_RADIUS_MOST && radius != ACP_RADIUS_EVERYTHING)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the radius is 0 to %u, or everything", ACP_RADIUS_MOST);
    uint32_t at = 0;
    while (at < p->anchors.count && p->anchors.items[at].id != anchor_id)
        at++;
    if (at == p->anchors.count) {
        if (at && p->options.residency == ACP_RESIDENCY_RETAIL)
            return acp_error_set(error, ACP_ERROR_LIMIT, operation, "retail's residency has one player");
        acp_anchor none;
        memset(&none, 0, sizeof none);
        if (ACP_ARRAY_PUSH(&p->anchors, &p->allocator, none) != ACP_OK)
            return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "memory refused");
        p->has_moved = true;
    }
    acp_anchor *anchor = &p->anchors.items[at];
    /* Retail looks again at every change of the load cell, the window at every change of the landblock. */
    uint32_t change = anchor->position.cell_id ^ position->cell_id;
    if ((p->options.residency == ACP_RESIDENCY_RETAIL ? change : change >> 16) || anchor->radius != radius) p->has_moved = true;
    anchor->id = anchor_id;
    anchor->radius = radius;
    anchor->position = *position;
    return ACP_OK;
}

void acp_population_remove_anchor(acp_population *p, uint32_t anchor_id) {
    for (uint32_t i = 0; p && i < p->anchors.count; i++) {
        if (p->anchors.items[i].id != anchor_id) continue;
        ACP_ARRAY_SWAP_REMOVE(&p->anchors, i);
        p->has_moved = true;
        return;
    }
}

/* Marks one anchor's square: its distance where it wants, KEPT where it only keeps. */
static void mark(acp_population *p, const acp_anchor *anchor) {
    if (anchor->radius == ACP_RADIUS_EVERYTHING) {
        int32_t ax = (int32_t)(anchor->position.cell_id >> 24), ay = (int32_t)((anchor->position.cell_id >> 16) & 0xFFu);
        for (int32_t x = 0; x < MAP_WIDTH; x++)
            for (int32_t y = 0; y < MAP_WIDTH; y++) {
                int32_t dx = x > ax ? x - ax : ax - x, dy = y > ay ? y - ay : ay - y, far = dx > dy ? dx : dy;
                uint8_t *near = &p->nearness[x << 8 | y], value = (uint8_t)(far < 252 ? far + 1 : 253);
                if (!*near || *near > value) *near = value;
            }
        return;
    }
    int32_t reach = (int32_t)(anchor->radius + p->options.hysteresis);
    int32_t ax = (int32_t)(anchor->position.cell_id >> 24), ay = (int32_t)((anchor->position.cell_id >> 16) & 0xFFu);
    for (int32_t dx = -reach; dx <= reach; dx++)
        for (int32_t dy = -reach; dy <= reach; dy++) {
            int32_t x = ax + dx, y = ay + dy;
            if (x < 0 || y < 0 || x >= MAP_WIDTH || y >= MAP_WIDTH) continue;
            int32_t wide = dx < 0 ? -dx : dx, high = dy < 0 ? -dy : dy, far = wide > high ? wide : high;
            uint8_t *near = &p->nearness[x << 8 | y], value = (uint8_t)(far <= (int32_t)anchor->radius ? far + 1 : (int32_t)KEPT);
            if (!*near || *near > value) *near = value;
        }
}

acp_result acp_population_plan(acp_population *p) {
    memset(p->nearness, 0, ACP_WORLD_BLOCKS);
    for (uint32_t i = 0; i < p->anchors.count; i++)
        mark(p, &p->anchors.items[i]);
    uint32_t wanted = 0, going = 0, ends[256] = {0};
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++) {
        uint8_t presence = p->presence[i];
        bool is_wanted = p->nearness[i] && p->nearness[i] < KEPT, is_resident = p->world->blocks[i] != NULL;
        if (is_wanted && !is_resident && acp_population_has_block(p, i << 16)) {
            wanted++;
            ends[p->nearness[i]]++;
        } else if (is_wanted) {
            p->nearness[i] = KEPT;
        }
        going += presence == ACP_PRESENCE_WINDOW && !p->nearness[i];
    }
    acp_result result = ACP_ARRAY_RESERVE(&p->load, &p->allocator, wanted);
    if (result == ACP_OK) result = ACP_ARRAY_RESERVE(&p->leaving, &p->allocator, going);
    if (result != ACP_OK) return result;
    p->load.count = wanted;
    p->leaving.count = 0;
    p->load_at = p->leaving_at = 0;
    for (uint32_t n = 0, start = 0; n < 256u; n++) { /* by distance, then by id: each distance gets its stretch of the list */
        uint32_t count = ends[n];
        ends[n] = start;
        start += count;
    }
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++) {
        if (p->presence[i] == ACP_PRESENCE_REFUSED) p->presence[i] = ACP_PRESENCE_NONE;
        uint8_t near = p->nearness[i];
        if (near && near < KEPT) p->load.items[ends[near]++] = (acp_wanted){i << 16, near - 1u};
        if (p->presence[i] == ACP_PRESENCE_WINDOW && !near) ACP_ARRAY_ADD(&p->leaving, i << 16);
    }
    return ACP_OK;
}
