/* SPDX-License-Identifier: MIT */
/* Editing records under a running world: wholly or not at all.
 *
 * An edit is a list of records that are replaced, added, taken out or given back to the file. It is laid over the files in copies of the
 * overlays; models that read one of the records are set aside; then everything that depends on them is prepared anew: the landblocks whose
 * own records changed or that use one of those models (a model that was refused before included), all of them when what scenery is made of
 * changes. The new landblocks take the places of the old ones in one exchange, objects of the host that have one of the models get the new
 * one and are flooded again, and only then is the former state given up. Before that, anything that fails, content or memory, leaves world
 * and source as they were. Taking an edit back is the same with the former bytes.
 *
 * Contract: world thread, while nobody prepares. Limits: landblocks of this source in other worlds keep what they have. Cost: preparing and
 * publishing what depends on the edit.
 */
#include "population/dat_source.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

typedef struct edit {
    acp_dat_source *source;
    acp_world *world;
    const acp_record_edit *items;
    uint32_t count;
    uint32_t *portal_ids; /* of the items */
    uint32_t portal_count;
    acp_dat_overlay portal_overlay; /* as it was; the source's are as they will be */
    acp_dat_overlay cell_overlay;
    acp_dat_region *region; /* as it will be: the source's own when nothing of it changes */
    bool changes_all;       /* scenery of every landblock may differ */
    bool adds_cells;        /* the cell file has a record that it had not: lookups may have to wait for it now */
    ACP_ARRAY(acp_landblock *) fresh;
    ACP_ARRAY(acp_landblock *) old;
    ACP_ARRAY(acp_model_node *) nodes; /* of the objects' new models: used for ever when the edit succeeds */
    acp_edit_report report;
    acp_error *error;
} edit;

static acp_result no_memory(edit *e) { return acp_error_set(e->error, ACP_ERROR_OUT_OF_MEMORY, "edit", "memory refused"); }

/* ---------------------------------------------------------------------------------------------------------------- what it touches */

static bool is_landblock_record(const acp_record_edit *item) { return item->data_set == ACP_DAT_CELL; }

static void swap_overlays(edit *e) {
    acp_dat_overlay kept = *e->source->portal_overlay;
    *e->source->portal_overlay = e->portal_overlay;
    e->portal_overlay = kept;
    kept = *e->source->cell_overlay;
    *e->source->cell_overlay = e->cell_overlay;
    e->cell_overlay = kept;
}

/* Copies with the edit in them, put in the place of the source's. */
static acp_result lay_over(edit *e) {
    acp_result result = acp_dat_overlay_copy(e->source->portal_overlay, &e->portal_overlay);
    if (result == ACP_OK) result = acp_dat_overlay_copy(e->source->cell_overlay, &e->cell_overlay);
    for (uint32_t i = 0; i < e->count && result == ACP_OK; i++) {
        const acp_record_edit *item = &e->items[i];
        acp_dat_overlay *overlay = is_landblock_record(item) ? &e->cell_overlay : &e->portal_overlay;
        bool was_there = !is_landblock_record(item) || acp_dat_overlay_has(overlay, e->source->cell, item->record_id);
        if (item->action == ACP_EDIT_RESTORE)
            acp_dat_overlay_drop(overlay, item->record_id);
        else
            result = acp_dat_overlay_put(overlay, item->record_id, item->action == ACP_EDIT_REMOVE ? NULL : item->bytes, item->size);
        if (!is_landblock_record(item)) e->portal_ids[e->portal_count++] = item->record_id;
        e->adds_cells = e->adds_cells || !was_there;
    }
    if (result != ACP_OK) return no_memory(e);
    swap_overlays(e);
    return ACP_OK;
}

static bool reads_edited(const edit *e, const acp_model_node *node) {
    for (uint32_t i = 0; i < e->portal_count; i++)
        if (acp_model_node_reads(node, e->portal_ids[i])) return true;
    return false;
}

static bool is_touched(const edit *e, const acp_landblock *landblock) {
    if (landblock->source != e->source) return false;
    if (e->changes_all) return true;
    for (uint32_t i = 0; i < e->count; i++)
        if (is_landblock_record(&e->items[i]) && (e->items[i].record_id ^ landblock->block->block_id) >> 16 == 0) return true;
    for (uint32_t i = 0; i < landblock->node_count; i++)
        if (reads_edited(e, landblock->nodes[i])) return true;
    return false;
}

/* Whether two models keep clear of a landblock's border in the same way (POP-9). */
static bool is_reach_equal(const acp_scenery_model *a, const acp_scenery_model *b) {
    const acp_setup *s = a->setup, *t = b->setup;
    return a->has_physics_bsp == b->has_physics_bsp && s->cylsphere_count == t->cylsphere_count && s->sphere_count == t->sphere_count &&
           memcmp(&s->sorting_sphere, &t->sorting_sphere, sizeof s->sorting_sphere) == 0 &&
           (!s->cylsphere_count || memcmp(s->cylspheres, t->cylspheres, s->cylsphere_count * sizeof *s->cylspheres) == 0);
}

/* Whether the same objects grow at the same places, from the same Region and Scenes. */
static bool is_growth_equal(const acp_scenery_catalog *a, const acp_scenery_catalog *b) {
    if (!a || !b) return !a && !b;
    if (a->model_count != b->model_count || a->missing_models != b->missing_models) return false;
    for (uint32_t i = 0; i < a->model_count; i++)
        if (!is_reach_equal(&a->models[i], &b->models[i])) return false;
    return true;
}

/* The Region, a Scene, or a model of scenery: the catalog is made anew; models alone need not change what grows. */
static acp_result renew_region(edit *e) {
    acp_dat_source *s = e->source;
    e->region = s->region;
    bool is_changed = false;
    for (uint32_t i = 0; i < e->portal_count; i++) {
        uint32_t kind = e->portal_ids[i] >> 24;
        e->changes_all = e->changes_all || kind == 0x12u || kind == 0x13u;
    }
    is_changed = e->changes_all;
    for (uint32_t i = 0; i < s->region->nodes.count && !is_changed; i++)
        is_changed = reads_edited(e, s->region->nodes.items[i]);
    if (!is_changed) return ACP_OK;
    e->region = NULL;
    acp_result result = acp_dat_region_create(s, &e->region, e->error);
    if (result != ACP_OK) return result;
    e->changes_all = e->changes_all || !is_growth_equal(s->region->catalog, e->region->catalog);
    return ACP_OK;
}

/* --------------------------------------------------------------------------------------------------------------- preparing it */

static acp_result prepare_all(edit *e) {
    acp_world *world = e->world;
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++) {
        acp_landblock *old = acp_block_landblock(world->blocks[i]);
        if (!old || !is_touched(e, old)) continue;
        if (ACP_ARRAY_RESERVE(&e->fresh, &e->source->allocator, (uint64_t)e->fresh.count + 1u) != ACP_OK ||
            ACP_ARRAY_RESERVE(&e->old, &e->source->allocator, (uint64_t)e->old.count + 1u) != ACP_OK)
            return no_memory(e);
        acp_landblock *fresh = NULL;
        acp_result result =
            acp_dat_source_prepare_with(e->source, e->region, old->block->block_id, &old->block->arena.allocator, &fresh, e->error);
        if (result == ACP_OK && old->is_selected) result = acp_landblock_select(fresh, old->selected_cell_id, !old->is_without_land);
        if (result != ACP_OK) {
            acp_landblock_destroy(fresh);
            return result == ACP_ERROR_OUT_OF_MEMORY ? no_memory(e) : result;
        }
        ACP_ARRAY_ADD(&e->fresh, fresh);
        ACP_ARRAY_ADD(&e->old, old);
    }
    return ACP_OK;
}

/* Objects of the host whose model was set aside get the new one, noted in the exchange. */
static acp_result renew_models(edit *e, acp_exchange *x) {
    for (uint32_t i = 0; i < acp_world_row_limit(e->world) && e->portal_count; i++) {
        const acp_object_row *row = acp_world_live_row(e->world, i);
        if (!row || !row->setup || row->content != ACP_CONTENT_NONE) continue;
        uint32_t model_id = acp_model_store_aside_model(e->source->models, row->setup);
        if (!model_id) continue;
        const acp_setup *setup = NULL;
        acp_model_node *node = NULL;
        acp_result result = acp_model_store_use_setup(e->source->models, model_id, &setup, &node, e->error);
        if (node && ACP_ARRAY_PUSH(&e->nodes, &e->source->allocator, node) != ACP_OK) {
            acp_model_store_release(e->source->models, node);
            return no_memory(e);
        }
        if (result == ACP_OK) result = acp_exchange_set_model(x, i, setup);
        if (result != ACP_OK) return result == ACP_ERROR_OUT_OF_MEMORY ? no_memory(e) : result;
        e->report.objects++;
    }
    return ACP_OK;
}

static acp_result exchange_all(edit *e) {
    acp_exchange x;
    acp_result result = acp_exchange_begin(e->world, &x);
    if (result != ACP_OK) return no_memory(e);
    for (uint32_t i = 0; i < e->old.count && result == ACP_OK; i++)
        result = acp_exchange_take_out(&x, e->old.items[i]->block);
    for (uint32_t i = 0; i < e->fresh.count && result == ACP_OK; i++)
        result = acp_landblock_put_in(&x, e->fresh.items[i], e->error);
    for (uint32_t i = 0; i < e->fresh.count && result == ACP_OK; i++)
        result = acp_exchange_wake(&x, e->fresh.items[i]->block->block_id);
    if (result == ACP_OK) result = renew_models(e, &x);
    if (result == ACP_OK && e->adds_cells) result = acp_exchange_look_again(&x);
    if (result == ACP_OK) {
        acp_exchange_commit(&x);
        return ACP_OK;
    }
    acp_exchange_undo(&x);
    return result == ACP_ERROR_OUT_OF_MEMORY ? no_memory(e) : result;
}

/* ------------------------------------------------------------------------------------------------------------------------ ends */

static void keep(edit *e) {
    acp_dat_source *s = e->source;
    acp_model_store_forget_aside(s->models); /* from now on the old ones go when nobody uses them */
    for (uint32_t i = 0; i < e->fresh.count; i++)
        acp_landblock_settle(e->fresh.items[i], e->world);
    for (uint32_t i = 0; i < e->old.count; i++)
        acp_landblock_forget(e->world, e->old.items[i]);
    if (e->region != s->region) {
        acp_dat_region_destroy(s->region);
        s->region = e->region;
    }
    e->report.landblocks = e->fresh.count;
}

static void give_up(edit *e, bool has_set_aside) {
    acp_dat_source *s = e->source;
    for (uint32_t i = 0; i < e->fresh.count; i++)
        acp_landblock_destroy(e->fresh.items[i]);
    for (uint32_t i = 0; i < e->nodes.count; i++)
        acp_model_store_release(s->models, e->nodes.items[i]);
    if (e->region && e->region != s->region) acp_dat_region_destroy(e->region);
    if (!has_set_aside) return;
    acp_model_store_bring_back(s->models, e->portal_ids, e->portal_count);
    swap_overlays(e);
}

static acp_result check_items(const acp_record_edit *items, uint32_t count, acp_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const acp_record_edit *item = &items[i];
        if (item->action > ACP_EDIT_RESTORE || (item->data_set != ACP_DAT_PORTAL && item->data_set != ACP_DAT_CELL) || !item->record_id ||
            (item->action == ACP_EDIT_PUT && !item->bytes))
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "edit", "edit %u names no record, no file or no bytes", (unsigned)i);
    }
    return ACP_OK;
}

acp_result acp_dat_source_edit(acp_dat_source *source, acp_world *world, const acp_record_edit *edits, uint32_t count,
                               acp_edit_report *out_report, acp_error *error) {
    if (!source || !world || (count && !edits))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "edit", "no source, world or edits");
    acp_result result = check_items(edits, count, error);
    if (result != ACP_OK) return result;
    edit e;
    acp_error own;
    memset(&e, 0, sizeof e);
    e.source = source;
    e.world = world;
    e.items = edits;
    e.count = count;
    e.error = error ? error : &own;
    acp_dat_overlay_init(&e.portal_overlay, &source->allocator);
    acp_dat_overlay_init(&e.cell_overlay, &source->allocator);
    e.portal_ids = ACP_MEMORY_NEW_ARRAY(&source->allocator, uint32_t, count + 1u);
    result = e.portal_ids ? lay_over(&e) : no_memory(&e);
    bool has_set_aside = result == ACP_OK;
    if (has_set_aside) acp_model_store_set_aside(source->models, e.portal_ids, e.portal_count);
    if (result == ACP_OK) result = renew_region(&e);
    if (result == ACP_OK) result = prepare_all(&e);
    if (result == ACP_OK) result = exchange_all(&e);
    if (result == ACP_OK)
        keep(&e);
    else
        give_up(&e, has_set_aside);
    if (result == ACP_OK && out_report) *out_report = e.report;
    acp_dat_overlay_free(&e.portal_overlay);
    acp_dat_overlay_free(&e.cell_overlay);
    ACP_ARRAY_FREE(&e.fresh, &source->allocator);
    ACP_ARRAY_FREE(&e.old, &source->allocator);
    ACP_ARRAY_FREE(&e.nodes, &source->allocator);
    if (e.portal_ids) ACP_MEMORY_DELETE_ARRAY(&source->allocator, uint32_t, e.portal_ids, count + 1u);
    return result;
}
