/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_LANDBLOCK_H
#define ACP_POPULATION_LANDBLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/population.h"
#include "base/arena.h"
#include "math/frame.h"
#include "membership/exchange.h"
#include "world/block.h"

/* A prepared landblock: an acp_block whose content this is. The struct and its lists lie in the block's arena; what only publishing needs
 * lies in a second one, which is given back then. */

typedef struct acp_placed_static {
    const acp_setup *setup;
    acp_matrix_frame frame; /* verbatim */
    uint32_t cell_id;       /* the cell that holds it */
    uint32_t model_id;
    float scale;
    uint32_t ordinal; /* within kind and EnvCell */
    uint32_t kind;    /* ACP_STATIC_* */
} acp_placed_static;

struct acp_landblock {
    acp_block *block;
    acp_world *world; /* that it is resident in; null = none */
    uint32_t static_count;
    uint32_t kind_counts[3];    /* by ACP_STATIC_* */
    acp_object *objects;        /* while resident: its statics in canonical order */
    acp_placed_static *statics; /* while not resident */
    acp_arena preparation;
    acp_part_row *parts;     /* of its statics' objects, one after the other; in the block's arena */
    acp_stock stock;         /* pages that publishing it may take: it hands them to the world then */
    uint32_t *visible_cells; /* stab list of the block (POP-3) */
    uint32_t visible_count;
    uint32_t loss_count;
    acp_loss *losses;
    void *source;                  /* that made it; null = the host */
    struct acp_model_node **nodes; /* models and rooms of the source that it uses, refused ones too */
    uint32_t node_count;
    uint32_t selected_cell_id; /* retail's residency: what of it is there */
    bool is_selected;
    bool is_without_land;
    void (*release)(acp_landblock *landblock);
};

/* What a landblock is made of besides its block. Lists are copied; the ground goes into the arena. */
typedef struct acp_landblock_parts {
    const acp_land_block *land; /* null: the block's own terrain */
    const acp_height_table *height_table;
    const uint32_t *visible_cells;
    uint32_t visible_count;
    uint32_t loss_count;
    const acp_loss *losses;
} acp_landblock_parts;

/* Makes the block with its ground, without statics: they come by _set_statics, when the land cells with buildings are known. */
acp_result acp_landblock_make(const acp_block_definition *definition, const acp_landblock_parts *parts, const acp_allocator *allocator,
                              acp_landblock **out_landblock, acp_error *error);

/* Takes the statics over, kind by kind in canonical order; once. */
acp_result acp_landblock_set_statics(acp_landblock *landblock, const acp_placed_static *statics, uint32_t count);

static inline acp_landblock *acp_block_landblock(const acp_block *block) { return block ? (acp_landblock *)block->content : NULL; }

/* POP-4: the land cell that holds a static, 0 when its origin lies in another landblock. */
uint32_t acp_landblock_land_cell(uint32_t block_id, acp_vec3 origin);

/* Hides what retail's residency does not have, in a landblock that is not resident yet: everything but the EnvCells of its stab list (with
 * land) and `cell_id` with its stab list (0 = none). */
acp_result acp_landblock_select(acp_landblock *landblock, uint32_t cell_id, bool has_land);

/* Steps of an exchange: in, with its statics; out, the statics' objects being kept until _forget. */
acp_result acp_landblock_put_in(acp_exchange *exchange, acp_landblock *landblock, acp_error *error);

/* After the commit: which world has it; what only publishing needed goes. */
void acp_landblock_settle(acp_landblock *landblock, acp_world *world);

/* After the commit that took it out: destroys its objects and itself. */
void acp_landblock_forget(acp_world *world, acp_landblock *landblock);

#endif
