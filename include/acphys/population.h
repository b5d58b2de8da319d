/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_POPULATION_H
#define ACPHYS_POPULATION_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/dat.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/model_store.h"
#include "acphys/place.h"
#include "acphys/progress.h"
#include "acphys/result.h"
#include "acphys/terrain.h"
#include "acphys/trace.h"
#include "acphys/world.h"

/** @file population.h
 * The world comes and goes (spec 09): landblocks with everything in them - terrain, buildings, EnvCells, static objects, scenery - are
 * prepared on any thread, published on the world thread wholly or not at all, and retired without a trace.
 *
 * Three layers, each usable alone. A *landblock* is prepared content, made from a definition by any host, or out of DAT files by a *DAT
 * source*; it is published into a world and retired again. A *population* keeps those landblocks of a source resident that lie around its
 * anchors, prepares them on worker threads, and publishes a few per tick. A landblock becomes resident at the call that publishes it, never
 * at another time (D8), and the lists and moves that result do not depend on the order of publishing (D4).
 *
 * Lifetimes: sources and what they borrow outlive the worlds that hold their landblocks. Destroying a world destroys its landblocks and its
 * population. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------------- losses */

/** What could not be had, and what became of it (spec 09 POP-16). */
enum {
    ACP_LOSS_ENV_CELL = 1,       /**< record missing or damaged: the EnvCell is not there */
    ACP_LOSS_ROOM = 2,           /**< environment missing, or no such room in it: the EnvCell is not there */
    ACP_LOSS_PORTAL = 3,         /**< portal polygon not in the room's list: the portal is absent */
    ACP_LOSS_ENTRY = 4,          /**< building portal that names no portal of its EnvCell: disabled */
    ACP_LOSS_BUILDING_MODEL = 5, /**< model cannot be had: no building */
    ACP_LOSS_BUILDING_PLACE = 6, /**< origin outside the landblock: no building */
    ACP_LOSS_STATIC_MODEL = 7,   /**< model cannot be had: object skipped */
    ACP_LOSS_STATIC_PLACE = 8,   /**< origin outside the landblock, or not finite: object skipped */
    ACP_LOSS_SCENE = 9,          /**< Scene record cannot be had: its vertices stay bare */
    ACP_LOSS_SCENERY_MODEL = 10, /**< model of scenery cannot be had */
    ACP_LOSS_REGION = 11,        /**< Region record cannot be had: no scenery at all */
    ACP_LOSS_LANDBLOCK = 12      /**< the landblock itself cannot be had */
};

/** One loss. */
typedef struct acp_loss {
    uint32_t kind;      /**< ACP_LOSS_* */
    uint32_t block_id;  /**< landblock concerned, 0xXXYY0000; 0: the source as a whole */
    uint32_t holder_id; /**< record that names what is lost: LandBlock, LandBlockInfo, EnvCell, Scene; 0 = none */
    uint32_t lost_id;   /**< record that is lost, or lacks what is asked of it */
    uint32_t index;     /**< place in the holder's list */
    acp_result result;  /**< why */
} acp_loss;

/** Told on the thread of the call that it is documented for; each loss once. */
typedef void (*acp_loss_function)(void *user, const acp_loss *loss);

/** "env_cell", "static_model", …; "unknown". [any thread] */
ACP_API const char *acp_loss_name(uint32_t kind);

/* ------------------------------------------------------------------------------------------------------------------ landblocks */

/** A prepared landblock with everything in it. Opaque; one arena. */
typedef struct acp_landblock acp_landblock;

/** A static object as given to acp_landblock_create. */
typedef struct acp_static_definition {
    uint32_t kind;          /**< ACP_STATIC_LANDBLOCK, _ENV_CELL, _SCENERY: its place in the canonical order of lists (MEM-43) */
    uint32_t model_id;      /**< for people and edits; 0 = none */
    uint32_t cell_id;       /**< EnvCell that holds it; else 0: the land cell of the canonicalised origin (POP-4) */
    float scale;            /**< set after registration, which goes by scale 1 (POP-8); 0 means 1 */
    acp_frame frame;        /**< in the landblock, taken over as it is */
    const acp_setup *setup; /**< borrowed */
} acp_static_definition;

/** A landblock as given to acp_landblock_create. Start from acp_landblock_definition_default(). */
typedef struct acp_landblock_definition {
    uint32_t struct_size;
    uint32_t static_count;
    acp_block_definition block;           /**< EnvCells, buildings, restrictions; its terrain only when `land` is null */
    const acp_land_block *land;           /**< heights and terrain words: the ground becomes part of the landblock */
    const acp_height_table *height_table; /**< for `land`; null: the default table */
    const acp_static_definition *statics; /**< each kind in its own order: file order, EnvCell by EnvCell */
} acp_landblock_definition;

/** Nothing but sizes. [any thread] */
ACP_API acp_landblock_definition acp_landblock_definition_default(void);

/** Prepares a landblock from parts. A static whose origin lies in another landblock, or whose EnvCell is not among those given, is skipped
 *  as the client does and counted as a loss. Errors: those of acp_block_create; NOT_FINITE; INVALID_ARGUMENT (a static without setup).
 *  `allocator` must be usable on the thread that later retires it. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_landblock_create(const acp_landblock_definition *definition, const acp_allocator *allocator,
                                                       acp_landblock **out_landblock, acp_error *error);

/** Destroys a landblock that no world holds. Null is ignored. [any thread] */
ACP_API void acp_landblock_destroy(acp_landblock *landblock);

/** What a landblock has. */
typedef struct acp_landblock_info {
    uint32_t block_id; /**< 0xXXYY0000 */
    uint32_t env_cell_count;
    uint32_t building_count;
    uint32_t landblock_static_count; /**< LandBlockInfo objects */
    uint32_t env_cell_static_count;
    uint32_t scenery_count;
    uint32_t visible_count; /**< the stab list of its buildings (POP-3) */
    uint32_t loss_count;
    uint32_t is_resident; /**< 1: a world holds it */
    uint32_t has_land;    /**< 1: it has land cells */
    uint64_t byte_count;  /**< of its arena */
} acp_landblock_info;

/** [any thread], while nobody publishes or retires it */
ACP_API void acp_landblock_get_info(const acp_landblock *landblock, acp_landblock_info *out_info);

/** Loss `index` of a landblock; null beyond. Valid as long as the landblock. [any thread] */
ACP_API const acp_loss *acp_landblock_loss(const acp_landblock *landblock, uint32_t index);

/** Makes a landblock resident with everything in it: cells and buildings, then its static objects, registered by the static rules (POP-11),
 *  then whatever waited for it is flooded again (MEM-42). The world owns it from then on; on an error it is still the caller's and nothing
 *  has changed. Errors: DUPLICATE, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_landblock_publish(acp_world *world, acp_landblock *landblock, acp_error *error);

/** Takes out the landblock of `cell_id` and destroys it: its static objects go with every row, objects of the host whose cell was in it
 *  leave (they keep position and id and come back with it), everything else that had a row in it is flooded again. Errors: NOT_FOUND;
 *  INVALID_ARGUMENT (published by acp_membership_publish); OUT_OF_MEMORY: nothing has changed. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_landblock_retire(acp_world *world, uint32_t cell_id, acp_error *error);

/** Puts a landblock in the place of the resident one of the same id, in one step: objects of the host stay where they are as far as their
 *  cells still exist. Errors: NOT_FOUND, OUT_OF_MEMORY: nothing has changed. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_landblock_replace(acp_world *world, acp_landblock *landblock, acp_error *error);

/** The resident landblock of a cell id, or null (not resident, or published without content). Valid until retired. [with read access] */
ACP_API const acp_landblock *acp_landblock_find(const acp_world *world, uint32_t cell_id);

/* ------------------------------------------------------------------------------------------------------------------- DAT source */

/** Landblocks out of a portal and a cell file. Opaque; owns the assets it makes. */
typedef struct acp_dat_source acp_dat_source;

/** Options of a DAT source. Start from acp_dat_source_options_default(). */
typedef struct acp_dat_source_options {
    uint32_t struct_size;
    uint32_t mode;                  /**< acp_content_mode: lenient keeps what the client keeps (D20); strict refuses the landblock */
    uint32_t has_scenery;           /**< 1: generate scenery (POP-6) */
    uint32_t reserved;              /**< 0 */
    uint64_t asset_byte_limit;      /**< assets that no landblock uses are kept up to this many bytes; default 256 MiB */
    const acp_allocator *allocator; /**< of assets; null = system; used by one thread at a time */
    acp_loss_function on_loss;      /**< told while the source is made: what scenery lacks; may be null */
    void *user;
} acp_dat_source_options;

/** Lenient, with scenery. [any thread] */
ACP_API acp_dat_source_options acp_dat_source_options_default(void);

/** Opens a source over two open containers, which must stay open. Reads the Region: its height table and what scenery is made of. Lenient,
 *  a Region that cannot be had is a loss: the default height table, no scenery. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY; strict also those
 *  of reading. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_source_create(const acp_dat *portal, const acp_dat *cell, const acp_dat_source_options *options,
                                                        acp_dat_source **out_source, acp_error *error);

/** Destroys a source; no landblock of it may be left. Null is ignored. [any thread], alone */
ACP_API void acp_dat_source_destroy(acp_dat_source *source);

/** Non-zero when the cell file has the landblock. [any thread] */
ACP_API int32_t acp_dat_source_has_block(const acp_dat_source *source, uint32_t block_id);

/** Non-zero when the cell file has the EnvCell. [any thread] */
ACP_API int32_t acp_dat_source_has_env_cell(const acp_dat_source *source, uint32_t cell_id);

/** Prepares the landblock of `block_id` (its high 16 bits). Errors: NOT_FOUND (no such landblock), BAD_DATA and TRUNCATED (also an
 * announced LandBlockInfo that is missing or damaged), strict: everything that is a loss; OUT_OF_MEMORY. [any thread], several at once */
ACP_API ACP_MUST_CHECK acp_result acp_dat_source_prepare(acp_dat_source *source, uint32_t block_id, const acp_allocator *allocator,
                                                         acp_landblock **out_landblock, acp_error *error);

/** The setup of a model id, for objects of the host: kept until the source is destroyed. Errors: as acp_model_store_get_setup.
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_source_get_setup(acp_dat_source *source, uint32_t model_id, const acp_setup **out_setup,
                                                           acp_error *error);

/** Bytes of the source's assets, and of those that no landblock uses. [any thread] */
ACP_API void acp_dat_source_get_bytes(acp_dat_source *source, uint64_t *out_bytes, uint64_t *out_unused_bytes);

#ifdef __cplusplus
}
#endif

#endif
