/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_POPULATION_H
#define ACP_POPULATION_POPULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/population.h"
#include "base/array.h"
#include "population/landblock.h"
#include "population/workers.h"
#include "world/world.h"

/* The population behind the handle. */

/* What a population knows of a landblock. */
enum {
    ACP_PRESENCE_NONE = 0,
    ACP_PRESENCE_WINDOW = 1, /* published because an anchor wants it */
    ACP_PRESENCE_NAMED = 2,  /* published by name */
    ACP_PRESENCE_REFUSED = 3 /* cannot be had; tried again when an anchor moves */
};

typedef struct acp_anchor {
    uint32_t id;
    uint32_t radius;
    acp_position position;
} acp_anchor;

typedef struct acp_wanted {
    uint32_t block_id;
    uint32_t distance; /* to the nearest anchor */
} acp_wanted;

typedef struct acp_told_loss {
    uint32_t kind, holder_id, lost_id, index;
} acp_told_loss;

/* Losses whose hashes begin alike: open addressing, kind 0 = free. Many small tables, so that none that grows is of the whole world. */
typedef struct acp_told_shelf {
    acp_told_loss *items;
    uint32_t capacity;
    uint32_t count;
} acp_told_shelf;

#define ACP_TOLD_SHELF_BITS 10u

struct acp_population {
    acp_allocator allocator;
    acp_world *world;
    acp_population_options options;
    acp_workers workers;
    ACP_ARRAY(acp_anchor) anchors;
    bool has_moved;    /* the lists below are out of date */
    uint8_t *presence; /* [ACP_WORLD_BLOCKS] */
    uint8_t *nearness; /* [ACP_WORLD_BLOCKS] scratch: distance + 1 to the nearest anchor within radius, 254 = kept, 0 = beyond */
    uint32_t resident_count;
    ACP_ARRAY(acp_wanted) load; /* to be published, in order; from load_at on */
    uint32_t load_at;
    ACP_ARRAY(uint32_t) leaving; /* to be retired, in order; from leaving_at on */
    uint32_t leaving_at;
    acp_told_shelf *told; /* [1 << ACP_TOLD_SHELF_BITS] */
    acp_error scratch_error;
};

/* Fills the lists of what is to come and to go (window residency). */
acp_result acp_population_plan(acp_population *population);

/* Retail's residency: makes resident exactly what its rules give for the one anchor. */
acp_result acp_population_follow_retail(acp_population *population, acp_population_report *report, acp_error *error);

/* Tells a landblock's losses, each once. */
void acp_population_tell_losses(acp_population *population, const acp_landblock *landblock);
void acp_population_tell(acp_population *population, const acp_loss *loss);

/* Puts a prepared landblock into the world, in place of the resident one if there is one; on failure it is destroyed. */
acp_result acp_population_put(acp_population *population, acp_landblock *landblock, uint8_t presence, acp_error *error);
acp_result acp_population_take(acp_population *population, uint32_t block_id, acp_error *error);

/* Prepares on the world thread. */
acp_result acp_population_prepare(acp_population *population, uint32_t block_id, acp_landblock **out_landblock, acp_error *error);

static inline bool acp_population_has_block(const acp_population *population, uint32_t block_id) {
    const acp_population_source *source = &population->options.source;
    return !source->has_block || source->has_block(source->user, block_id);
}

#endif
