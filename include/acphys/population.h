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
 *  `allocator` must be usable on the thread that later retires it; when it is that of the world (the same three fields), the landblock
 *  brings the memory by which the world's tables grow for it, so that publishing asks for next to none. [any thread] */
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

/* ------------------------------------------------------------------------------------------------------------------- population */

/** Where a population's landblocks come from. Functions may be called by several threads at once. */
typedef struct acp_population_source {
    void *user;
    /** Prepares a landblock. NOT_FOUND: there is none. */
    acp_result (*prepare)(void *user, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock, acp_error *error);
    /** Non-zero when there is such a landblock; null = try. */
    int32_t (*has_block)(void *user, uint32_t block_id);
    /** Non-zero when there is such an EnvCell; null = as has_block. */
    int32_t (*has_env_cell)(void *user, uint32_t cell_id);
} acp_population_source;

/** A DAT source as a population's source. [any thread] */
ACP_API acp_population_source acp_dat_source_for_population(acp_dat_source *source);

/** Which part of the world is there. */
enum {
    ACP_RESIDENCY_WINDOW = 0, /**< whole landblocks around the anchors (D3) */
    ACP_RESIDENCY_RETAIL = 1  /**< one anchor; its 3 x 3 landblocks with the EnvCells that its cell's and the buildings' stab lists name
                                   (POP-12, POP-13), for comparison; loads at once, ignores workers and budget */
};

#define ACP_RADIUS_EVERYTHING 255u /**< of an anchor: every landblock of the source */
#define ACP_RADIUS_MOST       12u  /**< otherwise */

/** Options of a population. Start from acp_population_options_default(). */
typedef struct acp_population_options {
    uint32_t struct_size;
    uint32_t residency;      /**< ACP_RESIDENCY_* */
    uint32_t worker_count;   /**< threads that prepare, 0 = prepare in the call that publishes; at most 64 */
    uint32_t budget;         /**< landblocks published or retired per update, 0 = no limit; default 4 */
    uint32_t hysteresis;     /**< landblocks beyond the radius that stay; default 1 */
    uint32_t prepared_limit; /**< landblocks prepared ahead; default 32, at most 4096 */
    uint32_t is_not_waiting; /**< 0: an update waits for the landblocks whose turn it is, so that which tick publishes what does not
                                  depend on the machine (D8); 1: it takes those that are ready */
    uint32_t reserved;       /**< 0 */
    acp_population_source source;
    const acp_allocator *allocator; /**< null = system; best the world's own, see acp_landblock_create; with workers it must serve several
                                     threads at once */
    acp_loss_function on_loss;      /**< told on the world thread, each loss once; may be null */
    void *user;
    const acp_trace_sink *trace; /**< may be null */
} acp_population_options;

/** The defaults without a source. [any thread] */
ACP_API acp_population_options acp_population_options_default(void);

/** Keeps a world's landblocks resident. Opaque. */
typedef struct acp_population acp_population;

/** Makes a population for a world, which has none yet, and starts its workers. The world's lookups ask its source what exists. Errors:
 *  INVALID_ARGUMENT, DUPLICATE, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_create(acp_world *world, const acp_population_options *options,
                                                        acp_population **out_population, acp_error *error);

/** Retires every landblock that it published and ends. Where memory does not suffice to flood again what is left, rows are lost with the
 *  landblocks. Destroying the world does the same faster. Null is ignored. [world thread] */
ACP_API void acp_population_destroy(acp_population *population);

/** The world's population, or null. [with read access] */
ACP_API acp_population *acp_world_population(const acp_world *world);

/** Sets an anchor, new or known: landblocks within `radius` of the one of `position` (Chebyshev, 0 = itself) are wanted from the next
 *  update on. `radius`: 0..12 or ACP_RADIUS_EVERYTHING. Errors: NOT_FINITE, INVALID_ID, OUT_OF_RANGE, OUT_OF_MEMORY, LIMIT (a second anchor
 *  with ACP_RESIDENCY_RETAIL). [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_set_anchor(acp_population *population, uint32_t anchor_id, const acp_position *position,
                                                            uint32_t radius, acp_error *error);

/** Takes an anchor away; unknown ones are ignored. [world thread] */
ACP_API void acp_population_remove_anchor(acp_population *population, uint32_t anchor_id);

/** What an update did, and what is left to do. */
typedef struct acp_population_report {
    uint32_t published;
    uint32_t retired;
    uint32_t refused;  /**< could not be had; tried again when an anchor moves */
    uint32_t waiting;  /**< still to be published */
    uint32_t leaving;  /**< still to be retired */
    uint32_t resident; /**< landblocks of this population */
    uint32_t prepared; /**< ready, not yet published */
    uint32_t reserved;
} acp_population_report;

/** One tick: retires what no anchor wants any more, ascending ids, then publishes what is wanted, nearest first, ties by id; at most
 *  `budget` in all. A landblock that cannot be had is a loss and no error. `out_report` may be null. Errors: OUT_OF_MEMORY (what was done
 *  before stays done). [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_update(acp_population *population, acp_population_report *out_report, acp_error *error);

/** Updates until nothing is left to do. `progress` counts landblocks. Errors: as update; CANCELLED (what was done stays done).
 *  [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_settle(acp_population *population, const acp_progress *progress,
                                                        acp_population_report *out_report, acp_error *error);

/** Publishes one landblock now; it stays until it is retired by name. ACP_OK when it is resident already. Errors: NOT_FOUND, those of
 *  preparing, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_publish(acp_population *population, uint32_t block_id, acp_error *error);

/** Retires one landblock now. Errors: NOT_FOUND, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_retire(acp_population *population, uint32_t block_id, acp_error *error);

/* --------------------------------------------------------------------------------------------------------------------- editing */

/** What an edit does to a record. */
enum {
    ACP_EDIT_PUT = 0,    /**< replaces it, or adds it */
    ACP_EDIT_REMOVE = 1, /**< takes it out */
    ACP_EDIT_RESTORE = 2 /**< gives the file's own back, or its absence */
};

/** One record of an edit. */
typedef struct acp_record_edit {
    uint32_t data_set;    /**< ACP_DAT_PORTAL or ACP_DAT_CELL */
    uint32_t record_id;   /**< e.g. 0xXXYYFFFF for heights and terrain words, 0x01…… for a GfxObj, 0xXXYY01…… for an EnvCell */
    uint32_t action;      /**< ACP_EDIT_* */
    uint32_t size;        /**< of the bytes */
    const uint8_t *bytes; /**< the record; copied */
} acp_record_edit;

/** What an edit touched. */
typedef struct acp_edit_report {
    uint32_t landblocks; /**< resident ones that were made anew */
    uint32_t objects;    /**< of the host, that got a new model */
} acp_edit_report;

/** Edits records under a running world: everything resident that depends on them is made anew and registered again, in one step. Objects of
 *  the host with a model of the source (acp_dat_source_get_setup) that depends on a record get the new model; the old setup stays valid
 *  until the source is destroyed. Taking an edit back is an edit with the former bytes. The files are not written. Errors, nothing having
 *  changed: those of preparing a resident landblock that depends on the edit, or the model of an object; OUT_OF_MEMORY; INVALID_ARGUMENT.
 *  [world thread], while nobody prepares from this source */
ACP_API ACP_MUST_CHECK acp_result acp_dat_source_edit(acp_dat_source *source, acp_world *world, const acp_record_edit *edits,
                                                      uint32_t count, acp_edit_report *out_report, acp_error *error);

/** The same through a population whose source is a DAT source: its workers are stopped meanwhile. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_population_edit(acp_population *population, const acp_record_edit *edits, uint32_t count,
                                                      acp_edit_report *out_report, acp_error *error);

/** Reads a record as the source has it now, edits included. As acp_dat_read; bytes of an edit live until the next edit. [any thread],
 *  while nobody edits */
ACP_API ACP_MUST_CHECK acp_result acp_dat_source_read(const acp_dat_source *source, uint32_t data_set, uint32_t record_id,
                                                      acp_dat_record *record, acp_error *error);

/* --------------------------------------------------------------------------------------------------------------------- questions */

/** A way from a cell into another: a portal of an EnvCell, or of the building that stands on a land cell. */
typedef struct acp_portal_info {
    uint32_t other_cell_id;  /**< 0xFFFFFFFF: the outdoors */
    int32_t other_portal_id; /**< its number among the other cell's portals; negative: none */
    uint32_t side;           /**< of the plane on which the cell's interior lies: 0 positive, 1 negative; of a building: drawing only */
    uint32_t is_resident;    /**< 1: the other cell is there */
    acp_plane plane;         /**< in the EnvCell's own frame; zero for a building's portal */
} acp_portal_info;

/** The portals of a resident cell. Writes at most `capacity`, always says how many. Errors: NOT_FOUND. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_portals(const acp_world *world, uint32_t cell_id, acp_portal_info *out_portals,
                                                   uint32_t capacity, uint32_t *out_count);

/** The ids of the EnvCells that can be seen from a resident cell, as its record says: the stab list of an EnvCell, that of the buildings of
 *  a land cell's landblock. Resident or not. Errors: NOT_FOUND. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_visible_cells(const acp_world *world, uint32_t cell_id, uint32_t *out_cell_ids,
                                                         uint32_t capacity, uint32_t *out_count);

/** The objects whose own cell this is (acp_membership_cell_objects: those that touch it): statics in canonical order, then the others by
 *  handle. Errors: NOT_FOUND. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_residents(const acp_world *world, uint32_t cell_id, acp_object *out_objects, uint32_t capacity,
                                                     uint32_t *out_count);

/** The next resident cell after `cell_id` by ascending id, land cells before EnvCells within a landblock; 0 at the end. Start with 0.
 *  [with read access] */
ACP_API uint32_t acp_world_next_cell(const acp_world *world, uint32_t cell_id);

/** The next resident landblock after `block_id` by ascending id, UINT32_MAX at the end. Start with UINT32_MAX. [with read access] */
ACP_API uint32_t acp_world_next_block(const acp_world *world, uint32_t block_id);

/** The next living object after `object` by handle, null at the end. Start with null. [with read access] */
ACP_API acp_object acp_world_next_object(const acp_world *world, acp_object object);

/** Static `index` of a resident landblock, in canonical order; null beyond, or when the host has destroyed it. [with read access] */
ACP_API acp_object acp_landblock_static(const acp_world *world, const acp_landblock *landblock, uint32_t index);

/** A cell seen through portals. */
typedef struct acp_seen_cell {
    uint32_t cell_id;
    uint32_t depth; /**< portals between it and the viewer's cell, at least */
} acp_seen_cell;

/** What can be seen from a resident cell through portals, whatever stands in the way: the cell itself, then EnvCells by depth and within
 * one depth in the order of the stab list, none that the stab list does not name and none that is not resident. From a land cell: through
 * the portals of the buildings of its landblock. *out_sees_outside: 1 when the cell is one of land, or a seen cell has a portal that leads
 *  outside. Writes at most `capacity`, always says how many. Errors: NOT_FOUND. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_seen_cells(const acp_world *world, uint32_t cell_id, acp_seen_cell *out_cells, uint32_t capacity,
                                                      uint32_t *out_count, uint32_t *out_sees_outside);

/** Trace records of this floor. */
enum {
    ACP_TRACE_POPULATION_PUBLISHED = 0x000A0001, /**< acp_trace_landblock */
    ACP_TRACE_POPULATION_RETIRED = 0x000A0002,   /**< acp_trace_landblock */
    ACP_TRACE_POPULATION_REPLACED = 0x000A0003,  /**< acp_trace_landblock */
    ACP_TRACE_POPULATION_REFUSED = 0x000A0004,   /**< acp_loss */
    ACP_TRACE_POPULATION_LOSS = 0x000A0005       /**< acp_loss */
};

/** A landblock came or went. */
typedef struct acp_trace_landblock {
    uint32_t block_id;
    uint32_t static_count;
    uint32_t env_cell_count;
    uint32_t building_count;
    uint64_t flood_count; /**< floods that it took */
} acp_trace_landblock;

#ifdef __cplusplus
}
#endif

#endif
