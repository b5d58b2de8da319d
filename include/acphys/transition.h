/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_TRANSITION_H
#define ACPHYS_TRANSITION_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/asset.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/place.h"
#include "acphys/result.h"
#include "acphys/trace.h"
#include "acphys/world.h"

/** @file transition.h
 * Movement: one swept move or one placement, resolved step for step as the client does (specs 05, 06), and what hosts build on it: is a
 * move plausible, can one body see or hit another, what is the ground under a point, where is free space near a point.
 *
 * A transition reads the world and writes only to its context; it never changes the world (D11). A context belongs to one thread at a
 * time; any number of contexts may work on one world between changes. After warm-up nothing here allocates. */

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------------------------- context */

/** Scratch of moves: a pool of ten nested transitions, cell arrays, lists. Opaque. */
typedef struct acp_transition_context acp_transition_context;

/** Options of a context. Start from acp_transition_options_default(). */
typedef struct acp_transition_options {
    uint32_t struct_size;
    uint32_t max_sub_steps;         /**< longest sweep, in sub-steps; more is ACP_ERROR_LIMIT. Default 65536 */
    const acp_allocator *allocator; /**< null = the C library's; its value is copied */
    uint64_t byte_limit;            /**< cap of the context's memory (D14); default 16 MiB */
    const acp_trace_sink *trace;    /**< where explanations go; null = nowhere. Must outlive the context */
} acp_transition_options;

/** [any thread] */
ACP_API acp_transition_options acp_transition_options_default(void);

/** Creates a context; all its slots start zeroed (D14). `options` null = defaults. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, LIMIT (the byte
 *  limit is below what a context needs). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_transition_context_create(const acp_transition_options *options, acp_transition_context **out_context,
                                                                acp_error *error);

/** Frees a context. Null is ignored. Not while one of its calls runs. [any thread] */
ACP_API void acp_transition_context_destroy(acp_transition_context *context);

/** Forgets what earlier moves left in the pool: afterwards the context answers like a new one. The client reads such leftovers in three
 *  places (spec 06 TRN-2); a host that wants answers to depend on nothing but the question calls this first. The
 *  context's thread. [any thread] */
ACP_API void acp_transition_context_reset(acp_transition_context *context);

/** Replaces the trace sink (null = none). The context's thread. [any thread] */
ACP_API void acp_transition_context_set_trace(acp_transition_context *context, const acp_trace_sink *trace);

/** Memory counters of a context. The context's thread. [any thread] */
ACP_API acp_memory_counters acp_transition_context_counters(const acp_transition_context *context);

/* ---------------------------------------------------------------------------------------------------------------------- movers */

/** Flags of a mover during one transition (spec 05 OCD-3). Values are the client's. */
enum {
    ACP_MOVER_CONTACT = 0x0001,
    ACP_MOVER_ON_WALKABLE = 0x0002,
    ACP_MOVER_IS_VIEWER = 0x0004,
    ACP_MOVER_PATH_CLIPPED = 0x0008,
    ACP_MOVER_FREE_ROTATE = 0x0010,
    ACP_MOVER_PERFECT_CLIP = 0x0040,
    ACP_MOVER_IS_IMPENETRABLE = 0x0080,
    ACP_MOVER_IS_PLAYER = 0x0100,
    ACP_MOVER_EDGE_SLIDE = 0x0200,
    ACP_MOVER_IGNORE_CREATURES = 0x0400,
    ACP_MOVER_IS_PK = 0x0800,
    ACP_MOVER_IS_PK_LITE = 0x1000
};

/** The camera's flags (spec 05 OCD-3). */
#define ACP_MOVER_VIEWER_FLAGS 0x5Cu

/** A plane with the cell in whose landblock it is expressed. */
typedef struct acp_ground_plane {
    acp_plane plane;
    uint32_t cell_id;
    uint32_t is_valid; /**< 0 or 1; the rest may hold older numbers when 0 */
    uint32_t is_water; /**< 0 or 1 */
} acp_ground_plane;

/** Who moves. Start from acp_mover_default(), acp_mover_from_setup() or acp_mover_from_object(). Lengths in metres. */
typedef struct acp_mover {
    uint32_t struct_size;
    acp_object object;        /**< its row: never collides with itself; null for a mover that is in no list */
    uint32_t state;           /**< ACP_STATE_* */
    uint32_t transient_state; /**< ACP_TRANSIENT_*: contact, on walkable, sliding, water, stationary bits are read */
    uint32_t predicates;      /**< ACP_PREDICATE_* */
    uint32_t missile_target;  /**< object id, 0 = none (OCD-84) */
    uint32_t sphere_count;    /**< 0..2; 0: the client's dummy sphere, radius 0.1 at (0,0,0.1), unscaled */
    acp_sphere spheres[2];    /**< object space, before scaling */
    float scale;              /**< multiplies the spheres */
    float step_up_height;     /**< final values, not scaled again */
    float step_down_height;
    uint32_t allows_free_heading; /**< 1: turns at once instead of during the sweep */
    acp_vec3 velocity;            /**< for "is it leaving its contact plane?" */
    acp_ground_plane contact;     /**< what it stands on; read when ACP_TRANSIENT_CONTACT is set */
    acp_vec3 sliding_normal;      /**< read when ACP_TRANSIENT_SLIDING is set */
    const uint32_t *admitted_by;  /**< restriction objects that let it in (OCD-29); borrowed for the call */
    uint32_t admitted_by_count;
    uint32_t reserved;
} acp_mover;

/** No spheres, state ACP_STATE_DEFAULT, scale 1, step heights 0. [any thread] */
ACP_API acp_mover acp_mover_default(void);

/** The mover a setup makes (spec 07 PHO-28): the first two spheres, step heights times scale, free heading. `setup` null: no part array
 *  (heights 0). Errors: INVALID_ARGUMENT, OUT_OF_RANGE (scale). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_mover_from_setup(const acp_setup *setup, float scale, acp_mover *out_mover);

/** The mover behind a row: its words, predicates, scale and setup. Velocity, planes and normals are the body's and stay zero here.
 *  Errors: INVALID_ARGUMENT, STALE_HANDLE. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_mover_from_object(const acp_world *world, acp_object object, acp_mover *out_mover);

/* ----------------------------------------------------------------------------------------------------------------------- moves */

/** What a hit was on. */
enum {
    ACP_HIT_NONE = 0,
    ACP_HIT_TERRAIN = 1,     /**< polygon: triangle 0..127 of the block of cell_id */
    ACP_HIT_ROOM = 2,        /**< polygon of the EnvCell's structure */
    ACP_HIT_BUILDING = 3,    /**< polygon of the shell of the building on cell_id */
    ACP_HIT_OBJECT = 4,      /**< object; part and polygon, or shape (cylsphere, sphere) as `part` */
    ACP_HIT_WATER = 5,       /**< the block of cell_id is nothing but water */
    ACP_HIT_RESTRICTION = 6, /**< the cell does not admit the mover */
    ACP_HIT_NO_CELL = 7,     /**< no resident cell to begin in */
    ACP_HIT_OUTSIDE_MAP = 8, /**< beyond the rim */
    ACP_HIT_NO_GROUND = 9    /**< nothing to stand on beyond an edge */
};

/** What stood in the way. Ordinals are ACP_HIT_NO_ORDINAL where they mean nothing. */
typedef struct acp_hit {
    uint32_t kind;      /**< ACP_HIT_* */
    uint32_t cell_id;   /**< the cell in whose test it was met */
    acp_object object;  /**< ACP_HIT_OBJECT only */
    uint32_t object_id; /**< its host id, 0 = anonymous or none */
    uint32_t part;      /**< part of the object, or its cylsphere or sphere */
    uint32_t polygon;   /**< ordinal in its tree's polygons, or terrain triangle */
    uint32_t sphere;    /**< 0 the lower, 1 the upper sphere of the mover, where known */
    acp_vec3 normal;    /**< collision normal in force afterwards, landblock axes; zero when none */
} acp_hit;

#define ACP_HIT_NO_ORDINAL UINT32_MAX

/** How a move ended. */
enum {
    ACP_MOVE_REACHED = 0,  /**< every sub-step was accepted; the end may still differ from the wish by slides and steps */
    ACP_MOVE_HINDERED = 1, /**< a new position, but at least one sub-step was blocked or left out: see `hit` */
    ACP_MOVE_BLOCKED = 2,  /**< a result without a way: the position is the start */
    ACP_MOVE_REFUSED = 3   /**< no result at all: nothing to adopt (the client's "transition failed") */
};

/** The outcome of a move or placement. Pointers are the context's, valid until its next call. */
typedef struct acp_move_result {
    uint32_t verdict;      /**< ACP_MOVE_* */
    uint32_t has_position; /**< 1: adopt `position`; 0: nothing found */
    acp_position position; /**< where it is now (also filled, with the last accepted place, when there is nothing to adopt) */
    uint32_t cell_id;      /**< the resident cell that contains it; 0: it moved into what is not resident */
    uint32_t mover_state;  /**< ACP_MOVER_* after the move */
    acp_ground_plane contact;
    acp_ground_plane last_known;
    acp_vec3 sliding_normal;
    acp_vec3 collision_normal;
    uint32_t has_sliding_normal;
    uint32_t has_collision_normal;
    uint32_t collided_with_environment;
    uint32_t velocity_killed;        /**< D11: the body's velocity is to be set to zero at the commit */
    uint32_t frames_stationary_fall; /**< 0..3 */
    uint32_t planned_steps;
    uint32_t taken_steps;
    uint32_t object_count; /**< objects touched, in order */
    const acp_object *objects;
    uint32_t cell_count; /**< cells of the last flood, in order: what the body registers by (MEM-36) */
    const uint32_t *cells;
    acp_hit hit; /**< what blocked the last blocked sub-step, or refused the placement */
} acp_move_result;

/** Sweeps the mover from `from` to `to`: the client's whole transition. `from` must lie in a resident cell. Errors: INVALID_ARGUMENT,
 *  NOT_FINITE, OUT_OF_RANGE (negative radius, scale <= 0), INVALID_ID, STALE_HANDLE, LIMIT (too many sub-steps; memory cap; ten nested
 *  transitions in use), OUT_OF_MEMORY. "The world says no" is a verdict. The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_move(acp_transition_context *context, const acp_world *world, const acp_mover *mover,
                                           const acp_position *from, const acp_position *to, acp_move_result *out_result, acp_error *error);

/** The same with the mover's flags given instead of derived from its words: camera (ACP_MOVER_VIEWER_FLAGS) and missile sweeps. No contact
 *  plane and no sliding normal are seeded. The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_move_with_flags(acp_transition_context *context, const acp_world *world, const acp_mover *mover,
                                                      uint32_t mover_flags, const acp_position *from, const acp_position *to,
                                                      acp_move_result *out_result, acp_error *error);

/** Stands the mover at `at` (spec 06 TRN-66, 07 PHO-17 to PHO-19 without scatter): canonicalises the place, chooses the cell, pushes it out
 *  of the environment, tries the spot and, with `can_slide`, rings around it, then settles onto ground. Errors as acp_move. Not resident is
 *  a verdict (ACP_MOVE_REFUSED, ACP_HIT_NO_CELL). The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_place(acp_transition_context *context, const acp_world *world, const acp_mover *mover,
                                            const acp_position *at, int32_t can_slide, acp_move_result *out_result, acp_error *error);

/* ------------------------------------------------------------------------------------------------------------- built on moves */

/** Is a move a client reports plausible? */
typedef struct acp_move_check {
    uint32_t is_plausible; /**< 1: the sweep ends within `tolerance` of the wish */
    uint32_t reserved;
    double distance;        /**< between the wish and where the sweep ends, metres */
    double length;          /**< of the wish, metres */
    acp_move_result result; /**< the sweep itself, with its reason */
} acp_move_check;

/** Sweeps and compares the end with the wish. `tolerance` in metres, not negative; `max_length` in metres, 0 = any: longer wishes are
 *  not plausible and are not swept. Errors as acp_move, OUT_OF_RANGE (tolerance). The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_can_move(acp_transition_context *context, const acp_world *world, const acp_mover *mover,
                                               const acp_position *from, const acp_position *to, float tolerance, float max_length,
                                               acp_move_check *out_check, acp_error *error);

/** The answer of a sight or hit test. */
typedef struct acp_sight {
    uint32_t is_clear;       /**< 1: nothing in the way (the target itself does not count) */
    uint32_t has_hit_target; /**< 1: the sweep ended on the target object */
    acp_position end;        /**< where the sweep ended */
    float fraction;          /**< of the way covered, 0..1 */
    uint32_t reserved;
    acp_hit hit;
} acp_sight;

/** Line of sight: sweeps a sphere of `radius` (> 0) from `from` to `to` as the camera does, through creatures, stopping at everything
 *  solid. `viewer` and `target` (either may be null) are passed. Errors as acp_move. The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_line_of_sight(acp_transition_context *context, const acp_world *world, const acp_position *from,
                                                    const acp_position *to, float radius, acp_object viewer, acp_object target,
                                                    acp_sight *out_sight, acp_error *error);

/** Can a missile of `radius` shot by `shooter` from `from` hit `target` at `to`? Sweeps it as a missile with that target (OCD-84).
 *  Errors as acp_move. The context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_can_hit(acp_transition_context *context, const acp_world *world, const acp_position *from,
                                              const acp_position *to, float radius, acp_object shooter, acp_object target,
                                              acp_sight *out_sight, acp_error *error);

/** Ground below a point. */
typedef struct acp_floor {
    uint32_t has_ground;
    uint32_t is_walkable; /**< normal z >= 0.664174139 */
    uint32_t is_water;
    uint32_t cell_id; /**< whose ground */
    float z;          /**< height of the lowest point of the probe when it rests there, block-local metres */
    acp_plane plane;  /**< in the landblock of cell_id */
    acp_hit hit;      /**< what it is */
} acp_floor;

/** The ground under a position, indoors too: drops a sphere of `radius` at most `depth` metres and reports what it comes to rest on:
 *  terrain, floors, shells, objects. Errors as acp_move (LIMIT: more radii than the context's sub-steps), OUT_OF_RANGE (radius, depth). The
 * context's thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_ground_under(acp_transition_context *context, const acp_world *world, const acp_position *from,
                                                   float radius, float depth, acp_floor *out_floor, acp_error *error);

/** The free place nearest to `at` that the client's own search finds: the spot, then its rings. The same as acp_place with sliding, but
 *  the mover keeps to the ground within `max_distance` (metres, > 0): a result farther away is refused. The context's
 *  thread. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_free_spot(acp_transition_context *context, const acp_world *world, const acp_mover *mover,
                                                const acp_position *at, float max_distance, acp_move_result *out_result, acp_error *error);

/* --------------------------------------------------------------------------------------------------------------------- explain */

/** Trace records of this floor: one struct for all kinds, see which fields each fills. */
enum {
    ACP_TRACE_MOVE_BEGIN = 0x000B0001,     /**< position: from; vector: displacement; ordinal: sub-steps; value: length */
    ACP_TRACE_MOVE_OFFSET = 0x000B0002,    /**< vector: the offset of a sub-step after contact plane and sliding; ordinal: sub-step */
    ACP_TRACE_MOVE_TEST = 0x000B0003,      /**< one test of a cell: ordinal ACP_HIT_TERRAIN, _ROOM, _BUILDING; state */
    ACP_TRACE_MOVE_OBJECT = 0x000B0004,    /**< one object: object, part, polygon, state */
    ACP_TRACE_MOVE_INSERT = 0x000B0005,    /**< an insert has ended: state; ordinal: insert type */
    ACP_TRACE_MOVE_REBASE = 0x000B0006,    /**< the containing cell was decided: cell_id (0 = none resident) */
    ACP_TRACE_MOVE_STEP_DOWN = 0x000B0007, /**< value: height; state OK or COLLIDED; vector: contact normal */
    ACP_TRACE_MOVE_STEP_UP = 0x000B0008,   /**< value: height; state; vector: normal stepped against */
    ACP_TRACE_MOVE_SLIDE = 0x000B0009,     /**< vector: normal; state */
    ACP_TRACE_MOVE_LANDING = 0x000B000A,   /**< requested (ordinal 0) or decided (ordinal 1): vector: normal; state */
    ACP_TRACE_MOVE_EDGE = 0x000B000B,      /**< edge slide: ordinal 1 walked off, 2 cliff, 3 precipice, 4 no room, 5 looked back; state */
    ACP_TRACE_MOVE_STEP = 0x000B000C, /**< a sub-step was adopted or blocked: position, state, vector: collision normal, ordinal: 1 moved */
    ACP_TRACE_MOVE_SPOT =
        0x000B000D,                 /**< a placement spot was tried: position, state; ordinal: ring, 0 = the spot itself; vector: offset */
    ACP_TRACE_MOVE_END = 0x000B000E /**< position; state OK: something to adopt */
};

/** One record. Fields that a kind does not name are the path's at that moment, or zero. */
typedef struct acp_trace_move {
    uint32_t state;   /**< 0 invalid, 1 OK, 2 collided, 3 adjusted, 4 slid */
    uint32_t depth;   /**< nesting of inserts, 0 = outermost */
    uint32_t cell_id; /**< cell under test, or the check cell */
    uint32_t ordinal;
    acp_position position; /**< the check position */
    acp_vec3 vector;
    float value;
    acp_object object;
    uint32_t object_id;
    uint32_t part;
    uint32_t polygon;
    uint32_t mover_state; /**< ACP_MOVER_* */
    uint32_t modes;       /**< 1 stepping down, 2 stepping up, 4 probing, 8 landing, 16 ethereal obstruction */
    float walk_interp;
} acp_trace_move;

#ifdef __cplusplus
}
#endif

#endif
