/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_WORLD_H
#define ACPHYS_WORLD_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/asset.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/place.h"
#include "acphys/result.h"

/** @file world.h
 * What is resident: landblocks with their cells, and objects.
 *
 * A landblock is prepared on any thread (acp_block_create), handed over on the world thread, and then all of it is resident until it is
 * retired (spec 01 WM-23b). Cells are found by direct index; a lookup never loads, never waits and never changes an id, and tells
 * *not resident*, *not in the source* and *invalid* apart. An object is a row behind a generational handle. This floor only stores:
 * which cells an object touches is membership.h, and blocks are published through it so that the lists stay whole.
 *
 * Threads: one thread at a time changes the world; between changes any number of threads may read it ([with read access]). */

#ifdef __cplusplus
extern "C" {
#endif

/** The world. Opaque; created and destroyed by the host; owns its blocks and objects, borrows assets and terrain. */
typedef struct acp_world acp_world;

/** A prepared landblock: immutable content in one arena. Opaque. */
typedef struct acp_block acp_block;

/** Terrain of one block (terrain.h). Borrowed by blocks. */
struct acp_terrain_block;

/** Names an object. All zero is null; a handle to a destroyed object is stale and gives ACP_ERROR_STALE_HANDLE for ever. */
typedef struct acp_object {
    uint32_t index1;     /**< slot + 1; 0 = null */
    uint32_t generation; /**< which use of the slot */
} acp_object;

ACP_STATIC_ASSERT(sizeof(acp_object) == 8, "acp_object layout");

/** Bits of the state word (spec 05 OCD-1, 07 PHO-1). Unknown bits are kept. Values are the client's. */
enum {
    ACP_STATE_STATIC = 0x00000001,
    ACP_STATE_ETHEREAL = 0x00000004,
    ACP_STATE_REPORT_COLLISIONS = 0x00000008,
    ACP_STATE_IGNORE_COLLISIONS = 0x00000010,
    ACP_STATE_NODRAW = 0x00000020,
    ACP_STATE_MISSILE = 0x00000040,
    ACP_STATE_PUSHABLE = 0x00000080,
    ACP_STATE_ALIGN_PATH = 0x00000100,
    ACP_STATE_PATH_CLIPPED = 0x00000200,
    ACP_STATE_GRAVITY = 0x00000400,
    ACP_STATE_LIGHTING_ON = 0x00000800,
    ACP_STATE_PARTICLE_EMITTER = 0x00001000,
    ACP_STATE_HIDDEN = 0x00004000,
    ACP_STATE_SCRIPTED_COLLISION = 0x00008000,
    ACP_STATE_HAS_PHYSICS_BSP = 0x00010000,
    ACP_STATE_INELASTIC = 0x00020000,
    ACP_STATE_HAS_DEFAULT_ANIMATION = 0x00040000,
    ACP_STATE_HAS_DEFAULT_SCRIPT = 0x00080000,
    ACP_STATE_CLOAKED = 0x00100000,
    ACP_STATE_REPORT_AS_ENVIRONMENT = 0x00200000,
    ACP_STATE_EDGE_SLIDE = 0x00400000,
    ACP_STATE_SLEDDING = 0x00800000,
    ACP_STATE_FROZEN = 0x01000000
};

/** The state word after construction (spec 07 PHO-1). */
#define ACP_STATE_DEFAULT 0x00400C08u

/** Bits of the transient state word (spec 05 OCD-2). */
enum {
    ACP_TRANSIENT_CONTACT = 0x001,
    ACP_TRANSIENT_ON_WALKABLE = 0x002,
    ACP_TRANSIENT_SLIDING = 0x004,
    ACP_TRANSIENT_WATER_CONTACT = 0x008,
    ACP_TRANSIENT_STATIONARY_FALL = 0x010,
    ACP_TRANSIENT_STATIONARY_STOP = 0x020,
    ACP_TRANSIENT_STATIONARY_STUCK = 0x040,
    ACP_TRANSIENT_ACTIVE = 0x080,
    ACP_TRANSIENT_CHECK_ETHEREAL = 0x100
};

/** Predicate bits of an object row: what retail asks the game object (D10, spec 05 OCD-29). Constant during a tick; without
 *  ACP_PREDICATE_GAME_OBJECT every other bit reads 0. */
enum {
    ACP_PREDICATE_GAME_OBJECT = 0x00000001,
    ACP_PREDICATE_PLAYER = 0x00000002,
    ACP_PREDICATE_CREATURE = 0x00000004,
    ACP_PREDICATE_PK = 0x00000008,
    ACP_PREDICATE_PK_LITE = 0x00000010,
    ACP_PREDICATE_IMPENETRABLE = 0x00000020,
    ACP_PREDICATE_BYPASS_RESTRICTIONS = 0x00000040,
    ACP_PREDICATE_ADMITTED_BY_ALL = 0x00000080, /**< every restriction object lets it in */
    ACP_PREDICATE_ADMITS_ALL = 0x00000100,      /**< as a restriction object: lets every mover in */
    ACP_PREDICATE_HOOK = 0x00000200,
    ACP_PREDICATE_STORAGE = 0x00000400,
    ACP_PREDICATE_CORPSE = 0x00000800,
    ACP_PREDICATE_ATTACKABLE = 0x00001000,
    ACP_PREDICATE_DOOR = 0x00002000,
    ACP_PREDICATE_FILLS_PROFILE = 0x00004000 /**< the collision profile is filled in (reports) */
};

/** How a cell lookup went. */
enum {
    ACP_CELL_RESIDENT = 0,
    ACP_CELL_NOT_RESIDENT = 1,  /**< may appear later */
    ACP_CELL_NOT_IN_SOURCE = 2, /**< no such record: can never appear, until the source changes */
    ACP_CELL_INVALID = 3        /**< the id names no place */
};

/** Corrections: each turns one quirk of retail off (D7, docs/quirks.md). */
enum {
    ACP_CORRECTION_BILLBOARD_BLOCK = 0x01, /**< MEM-18: always-2D parts use the base cell's block */
    ACP_CORRECTION_SPHERE_BLOCK = 0x02,    /**< MEM-28: sphere floods bring centres into the EnvCell's block */
    ACP_CORRECTION_SCALED_EXTENT = 0x04,   /**< MEM-41: registration uses scaled boxes, spheres and cylspheres */
    ACP_CORRECTION_KEEP_OUTDOOR = 0x08,    /**< MEM-6: pruning keeps outdoor cells */
    ACP_CORRECTION_DERIVE_BSP_FLAG = 0x10, /**< MEM-30: set_state keeps the computed BSP bit */
    ACP_CORRECTION_CURRENT_BLOCK = 0x20    /**< OCD-69: responses bring the current centre into the obstacle's block */
};

/** Fidelity: where the library's rule differs from retail's occasion or order, restore retail's (D4). */
enum {
    ACP_FIDELITY_REFLOOD = 0x01,     /**< MEM-39 instead of MEM-42: only the appearing cell's own objects are flooded again */
    ACP_FIDELITY_SHADOW_ORDER = 0x02 /**< pure order of arrival with swap-remove instead of MEM-43 */
};

/** Tells what could become resident. Null functions mean "everything could". Called on the world thread and, read-only, by lookups on any
 *  thread. */
typedef struct acp_world_source {
    void *user;
    /** Non-zero when the block `block_id` (0xXXYY0000) exists in the source. */
    int32_t (*has_block)(void *user, uint32_t block_id);
    /** Non-zero when the EnvCell exists in the source. */
    int32_t (*has_env_cell)(void *user, uint32_t cell_id);
} acp_world_source;

/** Options of a world. Start from acp_world_options_default(). */
typedef struct acp_world_options {
    uint32_t struct_size;
    uint32_t corrections;           /**< ACP_CORRECTION_*; default 0 */
    uint32_t fidelity;              /**< ACP_FIDELITY_*; default 0 */
    uint32_t reserved;              /**< 0 */
    const acp_allocator *allocator; /**< null = system; copied */
    acp_world_source source;        /**< copied */
} acp_world_options;

/** The defaults: retail's quirks, the library's order, the C library's memory. [any thread] */
ACP_API acp_world_options acp_world_options_default(void);

/** Creates an empty world. `options` null = defaults. ACP_ERROR_OUT_OF_MEMORY leaves *out_world null. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_create(const acp_world_options *options, acp_world **out_world, acp_error *error);

/** Destroys a world with everything in it. Null is ignored. [world thread] */
ACP_API void acp_world_destroy(acp_world *world);

/* ------------------------------------------------------------------------------------------------------------------ landblocks */

/** A portal of an EnvCell (spec 02 DAT-66, 04 §7). */
typedef struct acp_cell_portal {
    uint32_t other_cell_id;  /**< full id; 0xFFFFFFFF leads outside */
    int32_t other_portal_id; /**< index in the other cell's portals; drawing only */
    uint32_t side;           /**< Sidedness of the interior: 0 positive, 1 negative */
    acp_plane plane;         /**< of the portal polygon, cell space */
} acp_cell_portal;

/** A portal of a building, seen from outdoors (spec 09 POP-1). */
typedef struct acp_building_portal {
    uint32_t other_cell_id;  /**< the EnvCell behind it, full id */
    int32_t other_portal_id; /**< index of the exterior portal in that EnvCell; negative disables the entry */
    uint32_t side;           /**< drawing only */
} acp_building_portal;

/** An EnvCell as given to acp_block_create. Arrays are copied; the structure is borrowed for the life of the block. */
typedef struct acp_env_cell_definition {
    uint32_t cell_id;                    /**< full id, index 0x100..0xFFFD, of the block */
    uint32_t is_seen_outside;            /**< 0 or 1 */
    acp_frame frame;                     /**< in the block; the quaternion is kept as it is */
    const acp_cell_structure *structure; /**< containment tree, physics polygons; null: contains nothing */
    const acp_cell_portal *portals;
    uint32_t portal_count;
    uint32_t visible_count;        /**< the stab list */
    const uint32_t *visible_cells; /**< full ids, in order */
    uint32_t restriction_id;       /**< object id, 0 = none */
    uint32_t reserved;
} acp_env_cell_definition;

/** A building as given to acp_block_create. The first building of a land cell wins; one whose origin lies in another block is dropped
 *  (spec 09 POP-3). */
typedef struct acp_building_definition {
    uint32_t cell_id;       /**< the land cell, or 0: from the canonicalised frame origin */
    uint32_t model_id;      /**< for people; 0 = none */
    acp_position position;  /**< of the model */
    const acp_setup *setup; /**< its part 0 is the shell; null: no shell. Borrowed */
    const acp_shape *shell; /**< instead of a setup: the shell, with its finished position and scale (D16). Borrowed */
    acp_position shell_position;
    float shell_scale;
    uint32_t reserved0;
    const acp_building_portal *portals;
    uint32_t portal_count;
    uint32_t reserved;
} acp_building_definition;

/** Restriction object of a land cell (spec 05 OCD-11). */
typedef struct acp_cell_restriction {
    uint32_t cell_id;
    uint32_t object_id;
} acp_cell_restriction;

/** A landblock as given to acp_block_create. */
typedef struct acp_block_definition {
    uint32_t struct_size;
    uint32_t block_id;                       /**< high 16 bits count */
    const struct acp_terrain_block *terrain; /**< borrowed; null: the block has no land cells */
    const acp_env_cell_definition *env_cells;
    const acp_building_definition *buildings;
    const acp_cell_restriction *restrictions;
    uint32_t env_cell_count;
    uint32_t building_count;
    uint32_t restriction_count;
    uint32_t reserved;
} acp_block_definition;

/** Prepares a landblock: validates (finite numbers, ids of this block, no duplicate EnvCell) and copies into one arena. `allocator` null =
 *  system; it must be usable on the thread that later retires the block. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_block_create(const acp_block_definition *definition, const acp_allocator *allocator,
                                                   acp_block **out_block, acp_error *error);

/** Destroys a prepared block that no world owns. Null is ignored. [any thread] */
ACP_API void acp_block_destroy(acp_block *block);

/** How a lookup of `cell_id` ends now: ACP_CELL_*. [with read access] */
ACP_API uint32_t acp_world_cell_status(const acp_world *world, uint32_t cell_id);

/** Non-zero when the landblock of `cell_id` is resident. [with read access] */
ACP_API int32_t acp_world_has_block(const acp_world *world, uint32_t cell_id);

/** Number of resident landblocks. [with read access] */
ACP_API uint32_t acp_world_block_count(const acp_world *world);

/* --------------------------------------------------------------------------------------------------------------------- objects */

/** An object as given to acp_object_create. Start from acp_object_definition_default(). */
typedef struct acp_object_definition {
    uint32_t struct_size;
    uint32_t object_id;           /**< the host's id, unique in the world; 0 = anonymous */
    acp_position position;        /**< where; the cell id may be 0 (nowhere) */
    uint32_t state;               /**< ACP_STATE_* */
    uint32_t transient_state;     /**< ACP_TRANSIENT_* */
    uint32_t predicates;          /**< ACP_PREDICATE_* */
    float scale;                  /**< object scale, > 0 */
    const acp_setup *setup;       /**< model, borrowed; null: no part array */
    uint32_t keeps_state_bsp_bit; /**< 1: ACP_STATE_HAS_PHYSICS_BSP as given; 0: computed from the setup (PHO-3) */
    uint32_t missile_target;      /**< object id, 0 = none (OCD-84) */
    const uint32_t *admitted_by;  /**< restriction objects that let it in (OCD-29); copied */
    uint32_t admitted_by_count;
    uint32_t reserved;
    uint64_t static_order; /**< canonical order of a static (MEM-43), see acp_static_order */
} acp_object_definition;

/** State ACP_STATE_DEFAULT, scale 1, everything else 0. [any thread] */
ACP_API acp_object_definition acp_object_definition_default(void);

/** Where a static stands in the canonical order of its cells (MEM-43). */
enum {
    ACP_STATIC_LANDBLOCK = 0, /**< LandBlockInfo object, file order */
    ACP_STATIC_ENV_CELL = 1,  /**< EnvCell static: cell id ascending, file order */
    ACP_STATIC_SCENERY = 2,   /**< generated scenery, order of 09 POP-6 */
    ACP_STATIC_HOST = 3       /**< placed by the host */
};

/** The sort key of a static: block, kind, EnvCell index (kind ENV_CELL only, else 0), ordinal (20 bits). [any thread] */
ACP_API uint64_t acp_static_order(uint32_t block_id, uint32_t kind, uint32_t cell_index, uint32_t ordinal);

/** Creates an object and poses its parts. It is in no cell yet (membership.h). ACP_ERROR_NOT_FINITE, _OUT_OF_RANGE (scale), _DUPLICATE
 *  (object id), _OUT_OF_MEMORY: nothing changed. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_object_create(acp_world *world, const acp_object_definition *definition, acp_object *out_object,
                                                    acp_error *error);

/** Destroys an object: leaves its cells, parent and children. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_object_destroy(acp_world *world, acp_object object, acp_error *error);

/** Non-zero when the handle names a living object. [with read access] */
ACP_API int32_t acp_object_is_live(const acp_world *world, acp_object object);

/** The object with the host's id, or null. [with read access] */
ACP_API acp_object acp_world_find_object(const acp_world *world, uint32_t object_id);

/** Number of living objects. [with read access] */
ACP_API uint32_t acp_world_object_count(const acp_world *world);

/** Facts of an object. */
typedef struct acp_object_info {
    acp_position position;
    uint32_t object_id;
    uint32_t state;
    uint32_t transient_state;
    uint32_t predicates;
    uint32_t holder_cell_id; /**< the resident cell that holds it, 0 = none */
    uint32_t part_count;
    uint32_t child_count;
    float scale;
    acp_object parent;
    const acp_setup *setup;
} acp_object_info;

/** [with read access] ACP_ERROR_STALE_HANDLE. */
ACP_API ACP_MUST_CHECK acp_result acp_object_get_info(const acp_world *world, acp_object object, acp_object_info *out_info);

/** Replaces the whole state word, the BSP bit included (quirk; ACP_CORRECTION_DERIVE_BSP_FLAG keeps it). [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_object_set_state(acp_world *world, acp_object object, uint32_t state);

/** Replaces the transient word. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_object_set_transient_state(acp_world *world, acp_object object, uint32_t transient_state);

/** Replaces the predicate bits. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_object_set_predicates(acp_world *world, acp_object object, uint32_t predicates);

/** A part's finished position (MEM-22). [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_object_part_position(const acp_world *world, acp_object object, uint32_t part_index,
                                                           acp_position *out_position);

#ifdef __cplusplus
}
#endif

#endif
