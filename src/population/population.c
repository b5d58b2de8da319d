/* SPDX-License-Identifier: MIT */
/* The population of a world: which landblocks are resident, tick by tick (include/acphys/population.h).
 *
 * An update works off two lists that the plan of the anchors made (population/residency.c): first what nobody wants any more, then what is
 * wanted, nearest first, no more than the budget in all. Landblocks are prepared here or by the workers; either way the one whose turn it
 * is, is published at this tick, unless the host prefers not to wait. So the sequence of landblocks depends on the anchors alone (D8).
 *
 * A landblock that cannot be had is a loss and stands aside until an anchor moves, as retail tries null entries again (POP-16). Losses are
 * remembered, so that each is told once however often its landblock comes and goes. What was published by name stays until it is retired
 * by name.
 *
 * Contract: world thread. The population is a column of its world and ends with it. Cost: per update what it publishes and retires.
 */
#include "population/population.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/trace.h"

#define MOST_WORKERS  64u
#define MOST_PREPARED 4096u

acp_population_options acp_population_options_default(void) {
    acp_population_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = (uint32_t)sizeof options;
    options.budget = 4;
    options.hysteresis = 1;
    options.prepared_limit = 32;
    return options;
}

static acp_result prepare_from_dat(void *user, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock,
                                   acp_error *error) {
    return acp_dat_source_prepare(user, block_id, allocator, out_landblock, error);
}

static int32_t dat_has_block(void *user, uint32_t block_id) { return acp_dat_source_has_block(user, block_id); }

static int32_t dat_has_env_cell(void *user, uint32_t cell_id) { return acp_dat_source_has_env_cell(user, cell_id); }

acp_population_source acp_dat_source_for_population(acp_dat_source *source) {
    acp_population_source result = {source, prepare_from_dat, dat_has_block, dat_has_env_cell};
    return result;
}

/* -------------------------------------------------------------------------------------------------------------- create, destroy */

static void free_population(acp_population *p) {
    acp_workers_stop(&p->workers);
    ACP_ARRAY_FREE(&p->anchors, &p->allocator);
    ACP_ARRAY_FREE(&p->load, &p->allocator);
    ACP_ARRAY_FREE(&p->leaving, &p->allocator);
    if (p->presence) ACP_MEMORY_DELETE_ARRAY(&p->allocator, uint8_t, p->presence, ACP_WORLD_BLOCKS);
    if (p->nearness) ACP_MEMORY_DELETE_ARRAY(&p->allocator, uint8_t, p->nearness, ACP_WORLD_BLOCKS);
    for (uint32_t i = 0; p->told && i < 1u << ACP_TOLD_SHELF_BITS; i++)
        ACP_MEMORY_DELETE_ARRAY(&p->allocator, acp_told_loss, p->told[i].items, p->told[i].capacity);
    ACP_MEMORY_DELETE_ARRAY(&p->allocator, acp_told_shelf, p->told, 1u << ACP_TOLD_SHELF_BITS);
    acp_allocator allocator = p->allocator;
    ACP_MEMORY_DELETE(&allocator, acp_population, p);
}

static void destroy_with_world(acp_world *world, void *data) {
    (void)world;
    free_population(data);
}

static bool are_options_good(const acp_population_options *o) {
    return o->struct_size >= sizeof *o && o->source.prepare && o->residency <= ACP_RESIDENCY_RETAIL && o->worker_count <= MOST_WORKERS &&
           o->prepared_limit >= 1u && o->prepared_limit <= MOST_PREPARED && o->hysteresis <= 64u;
}

acp_result acp_population_create(acp_world *world, const acp_population_options *options, acp_population **out_population,
                                 acp_error *error) {
    static const char operation[] = "population create";
    if (!world || !options || !out_population || !are_options_good(options))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no world, no source, or an option out of range");
    *out_population = NULL;
    if (world->columns[ACP_COLUMN_POPULATION].data)
        return acp_error_set(error, ACP_ERROR_DUPLICATE, operation, "the world has a population");
    acp_population *p = ACP_MEMORY_NEW(options->allocator, acp_population);
    if (!p) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "memory refused");
    p->allocator = acp_memory_allocator(options->allocator);
    p->world = world;
    p->options = *options;
    p->options.allocator = &p->allocator;
    p->presence = ACP_MEMORY_NEW_ARRAY(&p->allocator, uint8_t, ACP_WORLD_BLOCKS);
    p->nearness = ACP_MEMORY_NEW_ARRAY(&p->allocator, uint8_t, ACP_WORLD_BLOCKS);
    p->told = ACP_MEMORY_NEW_ARRAY(&p->allocator, acp_told_shelf, 1u << ACP_TOLD_SHELF_BITS);
    uint32_t workers = options->residency == ACP_RESIDENCY_RETAIL ? 0u : options->worker_count;
    acp_result result = p->presence && p->nearness && p->told ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) result = acp_workers_start(&p->workers, &options->source, workers, options->prepared_limit, &p->allocator);
    if (result != ACP_OK) {
        free_population(p);
        return acp_error_set(error, result, operation, "no memory for the population and its workers");
    }
    world->columns[ACP_COLUMN_POPULATION].data = p;
    world->columns[ACP_COLUMN_POPULATION].destroy = destroy_with_world;
    if (!world->source.has_block && !world->source.has_env_cell) {
        world->source.user = options->source.user;
        world->source.has_block = options->source.has_block;
        world->source.has_env_cell = options->source.has_env_cell;
    }
    *out_population = p;
    return ACP_OK;
}

acp_population *acp_world_population(const acp_world *world) { return world ? world->columns[ACP_COLUMN_POPULATION].data : NULL; }

void acp_population_destroy(acp_population *p) {
    if (!p) return;
    acp_world *world = p->world;
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++) {
        acp_result result =
            p->presence[i] == ACP_PRESENCE_WINDOW || p->presence[i] == ACP_PRESENCE_NAMED ? acp_population_take(p, i << 16, NULL) : ACP_OK;
        (void)result;
    }
    if (world->source.user == p->options.source.user && world->source.has_block == p->options.source.has_block)
        memset(&world->source, 0, sizeof world->source);
    memset(&world->columns[ACP_COLUMN_POPULATION], 0, sizeof world->columns[ACP_COLUMN_POPULATION]);
    free_population(p);
}

/* ------------------------------------------------------------------------------------------------------------------------ losses */

static uint32_t hash_of(const acp_told_loss *t) {
    uint32_t h = (t->lost_id ^ t->holder_id * 0x85EBCA6Bu ^ t->kind * 0xC2B2AE35u ^ t->index * 0x27D4EB2Fu) * 0x9E3779B1u;
    return h ^ h >> 15;
}

static acp_told_loss *find_told(acp_told_loss *table, uint32_t capacity, const acp_told_loss *key) {
    uint32_t i = hash_of(key) & (capacity - 1u);
    while (table[i].kind && memcmp(&table[i], key, sizeof *key) != 0)
        i = (i + 1u) & (capacity - 1u);
    return &table[i];
}

/* False when it has been told before. Without memory to remember it is told again some day. */
static bool is_news(acp_population *p, const acp_loss *loss) {
    acp_told_loss key = {loss->kind, loss->holder_id ? loss->holder_id : loss->block_id, loss->lost_id, loss->index};
    acp_told_shelf *shelf = &p->told[hash_of(&key) >> (32u - ACP_TOLD_SHELF_BITS)];
    if ((shelf->count + 1u) * 4u > shelf->capacity * 3u) {
        uint32_t capacity = shelf->capacity ? shelf->capacity * 2u : 8u;
        acp_told_loss *table = ACP_MEMORY_NEW_ARRAY(&p->allocator, acp_told_loss, capacity);
        if (!table) return !shelf->items || !find_told(shelf->items, shelf->capacity, &key)->kind;
        for (uint32_t i = 0; i < shelf->capacity; i++)
            if (shelf->items[i].kind) *find_told(table, capacity, &shelf->items[i]) = shelf->items[i];
        ACP_MEMORY_DELETE_ARRAY(&p->allocator, acp_told_loss, shelf->items, shelf->capacity);
        shelf->items = table;
        shelf->capacity = capacity;
    }
    acp_told_loss *slot = find_told(shelf->items, shelf->capacity, &key);
    if (slot->kind) return false;
    *slot = key;
    shelf->count++;
    return true;
}

void acp_population_tell(acp_population *p, const acp_loss *loss) {
    if (!is_news(p, loss)) return;
    uint32_t type = loss->kind == ACP_LOSS_LANDBLOCK ? ACP_TRACE_POPULATION_REFUSED : ACP_TRACE_POPULATION_LOSS;
    acp_trace_emit(p->options.trace, type, loss, sizeof *loss);
    if (p->options.on_loss) p->options.on_loss(p->options.user, loss);
}

void acp_population_tell_losses(acp_population *p, const acp_landblock *landblock) {
    for (uint32_t i = 0; i < landblock->loss_count; i++)
        acp_population_tell(p, &landblock->losses[i]);
}

/* ------------------------------------------------------------------------------------------------------------- one landblock */

static void trace(const acp_population *p, uint32_t type, const acp_landblock *landblock, uint64_t floods_before) {
    if (!acp_trace_is_on(p->options.trace)) return;
    acp_trace_landblock record;
    memset(&record, 0, sizeof record);
    record.block_id = landblock->block->block_id;
    record.static_count = landblock->static_count;
    record.env_cell_count = landblock->block->env_cell_count;
    record.building_count = landblock->block->building_count;
    record.flood_count = acp_membership_get_counters(p->world).flood_count - floods_before;
    acp_trace_emit(p->options.trace, type, &record, sizeof record);
}

acp_result acp_population_prepare(acp_population *p, uint32_t block_id, acp_landblock **out_landblock, acp_error *error) {
    const acp_population_source *source = &p->options.source;
    return source->prepare(source->user, block_id & 0xFFFF0000u, &p->allocator, out_landblock, error);
}

acp_result acp_population_put(acp_population *p, acp_landblock *landblock, uint8_t presence, acp_error *error) {
    uint32_t slot = landblock->block->block_id >> 16;
    bool replaces = acp_landblock_find(p->world, landblock->block->block_id) != NULL;
    uint64_t floods = p->options.trace ? acp_membership_get_counters(p->world).flood_count : 0;
    acp_result result = replaces ? acp_landblock_replace(p->world, landblock, error) : acp_landblock_publish(p->world, landblock, error);
    if (result != ACP_OK) {
        acp_landblock_destroy(landblock);
        return result;
    }
    if (p->presence[slot] != ACP_PRESENCE_WINDOW && p->presence[slot] != ACP_PRESENCE_NAMED) p->resident_count++;
    p->presence[slot] = presence;
    acp_population_tell_losses(p, landblock);
    trace(p, replaces ? ACP_TRACE_POPULATION_REPLACED : ACP_TRACE_POPULATION_PUBLISHED, landblock, floods);
    return ACP_OK;
}

acp_result acp_population_take(acp_population *p, uint32_t block_id, acp_error *error) {
    uint32_t slot = block_id >> 16;
    acp_trace_landblock record;
    memset(&record, 0, sizeof record);
    record.block_id = block_id & 0xFFFF0000u;
    const acp_landblock *landblock = acp_landblock_find(p->world, block_id);
    uint64_t floods = 0;
    if (landblock && p->options.trace) {
        record.static_count = landblock->static_count;
        record.env_cell_count = landblock->block->env_cell_count;
        record.building_count = landblock->block->building_count;
        floods = acp_membership_get_counters(p->world).flood_count;
    }
    acp_result result = landblock ? acp_landblock_retire(p->world, block_id, error) : ACP_OK; /* the host may have retired it */
    if (result != ACP_OK) return result;
    p->presence[slot] = ACP_PRESENCE_NONE;
    p->resident_count--;
    if (p->options.trace) {
        record.flood_count = acp_membership_get_counters(p->world).flood_count - floods;
        acp_trace_emit(p->options.trace, ACP_TRACE_POPULATION_RETIRED, &record, sizeof record);
    }
    return ACP_OK;
}

acp_result acp_population_publish(acp_population *p, uint32_t block_id, acp_error *error) {
    if (!p) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "population publish", "no population");
    if (acp_landblock_find(p->world, block_id)) {
        uint8_t *presence = &p->presence[block_id >> 16];
        if (*presence == ACP_PRESENCE_WINDOW) *presence = ACP_PRESENCE_NAMED;
        return ACP_OK;
    }
    acp_landblock *landblock;
    acp_result result = acp_population_prepare(p, block_id, &landblock, error);
    return result == ACP_OK ? acp_population_put(p, landblock, ACP_PRESENCE_NAMED, error) : result;
}

acp_result acp_population_retire(acp_population *p, uint32_t block_id, acp_error *error) {
    if (!p) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "population retire", "no population");
    uint8_t presence = p->presence[block_id >> 16];
    if (presence != ACP_PRESENCE_WINDOW && presence != ACP_PRESENCE_NAMED)
        return acp_error_set(error, ACP_ERROR_NOT_FOUND, "population retire", "the landblock is none of this population");
    acp_result result = acp_population_take(p, block_id, error);
    p->has_moved = true; /* an anchor may still want it */
    return result;
}

acp_result acp_population_edit(acp_population *p, const acp_record_edit *edits, uint32_t count, acp_edit_report *out_report,
                               acp_error *error) {
    if (!p || p->options.source.prepare != prepare_from_dat)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "population edit", "no population over a DAT source");
    acp_workers_drain(&p->workers);
    p->has_moved = true; /* what was refused, or was not there, may be there now */
    return acp_dat_source_edit(p->options.source.user, p->world, edits, count, out_report, error);
}

/* ------------------------------------------------------------------------------------------------------------------------ update */

static acp_result retire_some(acp_population *p, uint32_t limit, acp_population_report *report, acp_error *error) {
    while (p->leaving_at < p->leaving.count && report->retired < limit) {
        acp_result result = acp_population_take(p, p->leaving.items[p->leaving_at], error);
        if (result != ACP_OK) return result;
        p->leaving_at++;
        report->retired++;
    }
    return ACP_OK;
}

/* What became of preparing a landblock that is no lack of memory: published, or refused. */
static acp_result settle_one(acp_population *p, uint32_t block_id, acp_landblock *landblock, acp_result prepared,
                             acp_population_report *report, acp_error *error) {
    if (prepared != ACP_OK) {
        acp_loss loss = {ACP_LOSS_LANDBLOCK, block_id, block_id | 0xFFFFu, block_id | 0xFFFFu, 0, prepared};
        if (p->scratch_error.code == prepared && p->scratch_error.record_id) loss.lost_id = p->scratch_error.record_id;
        acp_population_tell(p, &loss);
        p->presence[block_id >> 16] = ACP_PRESENCE_REFUSED;
        report->refused++;
        return ACP_OK;
    }
    acp_result result = acp_population_put(p, landblock, ACP_PRESENCE_WINDOW, error);
    if (result == ACP_OK) report->published++;
    return result;
}

/* Gets the landblock whose turn it is; false when it is not ready and nobody waits. */
static bool get_prepared(acp_population *p, uint32_t block_id, acp_landblock **out_landblock, acp_result *out_result) {
    bool waits = !p->options.is_not_waiting;
    if (acp_workers_take(&p->workers, block_id, waits, out_landblock, out_result)) return true;
    if (p->workers.thread_count && !waits) return false;
    acp_error_clear(&p->scratch_error);
    *out_result = acp_population_prepare(p, block_id, out_landblock, &p->scratch_error);
    return true;
}

static acp_result publish_some(acp_population *p, uint32_t limit, acp_population_report *report, acp_error *error) {
    uint32_t first = p->load_at, kept = 0, i = first;
    acp_result result = ACP_OK;
    for (; i < p->load.count && result == ACP_OK && report->published < limit; i++) {
        if (p->options.is_not_waiting && kept >= p->options.prepared_limit) break; /* nothing behind them has been asked for */
        acp_wanted wanted = p->load.items[i];
        if (acp_landblock_find(p->world, wanted.block_id)) continue; /* published by name meanwhile */
        acp_landblock *landblock = NULL;
        acp_result prepared = ACP_OK;
        bool is_there = get_prepared(p, wanted.block_id, &landblock, &prepared);
        if (is_there && prepared == ACP_ERROR_OUT_OF_MEMORY)
            result = acp_error_set(error, prepared, "population update", "no memory to prepare a landblock");
        else if (is_there)
            result = settle_one(p, wanted.block_id, landblock, prepared, report, error);
        if (!is_there || result != ACP_OK) p->load.items[first + kept++] = wanted; /* its turn will come */
    }
    if (kept) memmove(&p->load.items[i - kept], &p->load.items[first], kept * sizeof(acp_wanted));
    p->load_at = i - kept;
    return result;
}

static void count_rest(acp_population *p, acp_population_report *report) {
    report->waiting = p->load.count - p->load_at;
    report->leaving = p->leaving.count - p->leaving_at;
    report->resident = p->resident_count;
    report->prepared = acp_workers_done_count(&p->workers);
}

static void ask_ahead(acp_population *p) {
    uint32_t count = p->load.count - p->load_at;
    if (count > p->options.prepared_limit) count = p->options.prepared_limit;
    if (p->workers.thread_count)
        acp_workers_ask(&p->workers, count ? &p->load.items[p->load_at].block_id : NULL, (uint32_t)sizeof(acp_wanted), count);
}

acp_result acp_population_update(acp_population *p, acp_population_report *out_report, acp_error *error) {
    if (!p) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "population update", "no population");
    acp_population_report report;
    memset(&report, 0, sizeof report);
    acp_result result = ACP_OK;
    if (p->options.residency == ACP_RESIDENCY_RETAIL) {
        result = p->has_moved ? acp_population_follow_retail(p, &report, error) : ACP_OK;
        if (result == ACP_OK) p->has_moved = false;
        report.resident = p->resident_count;
    } else {
        if (p->has_moved) {
            result = acp_population_plan(p);
            if (result != ACP_OK) acp_error_set(error, result, "population update", "no memory for the plan");
            if (result == ACP_OK) p->has_moved = false;
        }
        uint32_t limit = p->options.budget ? p->options.budget : UINT32_MAX;
        if (result == ACP_OK) ask_ahead(p);
        if (result == ACP_OK) result = retire_some(p, limit, &report, error);
        if (result == ACP_OK && report.retired < limit) result = publish_some(p, limit - report.retired, &report, error);
        if (result == ACP_OK && report.published) ask_ahead(p);
        count_rest(p, &report);
    }
    if (out_report) *out_report = report;
    return result;
}

acp_result acp_population_settle(acp_population *p, const acp_progress *progress, acp_population_report *out_report, acp_error *error) {
    acp_population_report sum;
    memset(&sum, 0, sizeof sum);
    acp_result result;
    do {
        acp_population_report step;
        memset(&step, 0, sizeof step);
        result = acp_population_update(p, &step, error);
        sum.published += step.published;
        sum.retired += step.retired;
        sum.refused += step.refused;
        sum.waiting = step.waiting;
        sum.leaving = step.leaving;
        sum.resident = step.resident;
        sum.prepared = step.prepared;
        uint64_t done = (uint64_t)sum.published + sum.retired + sum.refused;
        if (result == ACP_OK) {
            result = acp_progress_report(progress, "landblocks", done, done + sum.waiting + sum.leaving);
            if (result != ACP_OK) acp_error_set(error, result, "population settle", "the host asked to stop");
        }
    } while (result == ACP_OK && (sum.waiting || sum.leaving));
    if (out_report) *out_report = sum;
    return result;
}
