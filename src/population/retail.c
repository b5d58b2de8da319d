/* SPDX-License-Identifier: MIT */
/* One player's window, as the client has it (POP-12, POP-13), for comparison.
 *
 * Outdoors the 3 x 3 landblocks around the load block are there, and of their EnvCells those that the stab lists of their buildings name.
 * In an EnvCell that sees outside: the same around the land cell outside of the position, and besides that EnvCell and those of its stab
 * list. In one that does not: nothing but it and its stab list, without land. So a landblock is there with all, some or none of its
 * EnvCells, with or without land; when that changes it is prepared again and takes the place of the old one in one step. What is not
 * selected does not exist for any lookup.
 *
 * The set is retail's; its history is not (DIV-87): rows are those of fresh floods (D4), unless the world's fidelity options say otherwise.
 * The calls load at once. Contract: world thread. Cost: up to nine landblocks prepared and published.
 *
 * retail: LScape::grab_visible_cells 0x00504EC0
 * retail: CellManager::ChangePosition 0x004559B0
 */
#include <string.h>

#include "base/error.h"
#include "place/cell_id.h"
#include "population/population.h"

/* What of a landblock is to be there. */
typedef struct selection {
    uint32_t block_id;
    bool has_land;    /* land cells, buildings, statics outdoors, and the block's own stab list */
    uint32_t cell_id; /* EnvCell that sees itself and its stab list; 0 = none */
} selection;

static void show(acp_block *block, const uint16_t *all, uint32_t cell_id) {
    uint32_t i = (cell_id & 0xFFFFu) - 0x100u;
    if (i < block->env_index_count && (cell_id ^ block->block_id) >> 16 == 0) block->env_index[i] = all[i];
}

acp_result acp_landblock_select(acp_landblock *landblock, uint32_t cell_id, bool has_land) {
    acp_block *block = landblock->block;
    uint32_t count = block->env_index_count;
    uint16_t *all = acp_arena_copy(&landblock->preparation, block->env_index, count * sizeof *all, 2);
    if (!all) return ACP_ERROR_OUT_OF_MEMORY;
    memset(block->env_index, 0, count * sizeof *all);
    for (uint32_t i = 0; has_land && i < landblock->visible_count; i++)
        show(block, all, landblock->visible_cells[i]);
    const uint32_t i = (cell_id & 0xFFFFu) - 0x100u;
    if (cell_id && i < count && all[i]) {
        const acp_env_cell *cell = &block->env_cells[all[i] - 1u];
        show(block, all, cell_id);
        for (uint32_t k = 0; k < cell->visible_count; k++)
            show(block, all, cell->visible_cells[k]);
    }
    if (!has_land) {
        block->terrain = NULL;
        block->building_mask = block->restriction_mask = 0;
        block->building_count = 0;
    }
    uint32_t kept = 0;
    memset(landblock->kind_counts, 0, sizeof landblock->kind_counts);
    for (uint32_t k = 0; k < landblock->static_count; k++) {
        const acp_placed_static *from = &landblock->statics[k];
        bool is_there = from->kind == ACP_STATIC_ENV_CELL ? acp_block_env_cell(block, from->cell_id) != NULL : has_land;
        if (!is_there) continue;
        landblock->kind_counts[from->kind]++;
        landblock->statics[kept++] = *from;
    }
    landblock->static_count = kept;
    block->is_partial = true;
    landblock->selected_cell_id = cell_id;
    landblock->is_without_land = !has_land;
    landblock->is_selected = true;
    return ACP_OK;
}

static acp_result prepare(acp_population *p, const selection *s, acp_landblock **out_landblock, acp_error *error) {
    acp_result result = acp_population_prepare(p, s->block_id, out_landblock, error);
    if (result != ACP_OK) return result;
    result = acp_landblock_select(*out_landblock, s->cell_id, s->has_land);
    if (result == ACP_OK) return ACP_OK;
    acp_landblock_destroy(*out_landblock);
    return acp_error_set(error, result, "population update", "no memory for the selection");
}

/* What the load position asks for. `out` has room for ten. */
static acp_result choose(acp_population *p, const acp_anchor *anchor, selection *out, uint32_t *out_count, acp_error *error) {
    uint32_t cell_id = anchor->position.cell_id, load_id = cell_id;
    bool has_landscape = acp_cell_id_is_outdoor(cell_id);
    *out_count = 0;
    if (!has_landscape) {
        acp_landblock *landblock;
        acp_result result = acp_population_prepare(p, cell_id, &landblock, error);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        const acp_env_cell *cell = result == ACP_OK ? acp_block_env_cell(landblock->block, cell_id) : NULL;
        bool is_there = cell != NULL;
        has_landscape = is_there && cell->is_seen_outside;
        if (result == ACP_OK) acp_landblock_destroy(landblock);
        if (!is_there) return ACP_OK; /* no current cell, nothing there */
        acp_vec3 origin = anchor->position.frame.origin;
        if (has_landscape && !acp_adjust_to_outside(&load_id, &origin)) has_landscape = false;
        if (!has_landscape || (load_id ^ cell_id) >> 16) out[(*out_count)++] = (selection){cell_id & 0xFFFF0000u, false, cell_id};
    }
    int32_t bx = (int32_t)(load_id >> 24), by = (int32_t)((load_id >> 16) & 0xFFu);
    for (int32_t x = bx - 1; has_landscape && x <= bx + 1; x++)
        for (int32_t y = by - 1; y <= by + 1; y++) {
            if (x < 0 || y < 0 || x > 254 || y > 254) continue;
            uint32_t id = (uint32_t)x << 24 | (uint32_t)y << 16;
            bool is_own = !acp_cell_id_is_outdoor(cell_id) && (id ^ cell_id) >> 16 == 0;
            if (is_own && *out_count && out[0].block_id == id) *out_count = 0; /* with land after all */
            if (acp_population_has_block(p, id)) out[(*out_count)++] = (selection){id, true, is_own ? cell_id : 0u};
        }
    return ACP_OK;
}

static const selection *find(const selection *list, uint32_t count, uint32_t block_id) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].block_id == block_id) return &list[i];
    return NULL;
}

acp_result acp_population_follow_retail(acp_population *p, acp_population_report *report, acp_error *error) {
    selection list[10];
    uint32_t count = 0;
    acp_result result = p->anchors.count ? choose(p, &p->anchors.items[0], list, &count, error) : ACP_OK;
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS && result == ACP_OK; i++) {
        if (p->presence[i] != ACP_PRESENCE_WINDOW || find(list, count, i << 16)) continue;
        result = acp_population_take(p, i << 16, error);
        report->retired += result == ACP_OK;
    }
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        const acp_landblock *old = acp_landblock_find(p->world, list[i].block_id);
        if (old && old->is_selected && old->selected_cell_id == list[i].cell_id && old->is_without_land == !list[i].has_land) continue;
        acp_landblock *landblock;
        result = prepare(p, &list[i], &landblock, error);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result != ACP_OK) {
            acp_loss loss = {ACP_LOSS_LANDBLOCK, list[i].block_id, list[i].block_id | 0xFFFFu, list[i].block_id | 0xFFFFu, 0, result};
            acp_population_tell(p, &loss);
            report->refused++;
            result = ACP_OK;
            continue;
        }
        result = acp_population_put(p, landblock, ACP_PRESENCE_WINDOW, error);
        report->published += result == ACP_OK;
    }
    return result;
}
