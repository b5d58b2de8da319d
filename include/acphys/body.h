/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_BODY_H
#define ACPHYS_BODY_H

#include <stdint.h>

#include "acphys/export.h"
#include "acphys/place.h"
#include "acphys/result.h"
#include "acphys/transition.h"
#include "acphys/world.h"

/** @file body.h
 * Bodies: objects in time (spec 07): made from a setup, entered into the world, stepped, placed, teleported, lost and found again; what
 * becomes of them when a move or a placement is adopted, and the events that tell the host (D10).
 *
 * A body is the dynamic part of an object. It exists from acp_body_create, or from the first call of this header that needs it, until its
 * object goes. Time is a world's: seconds since it was made, moved by acp_world_step; every body keeps its own clock within it (D13).
 * Everything here belongs to the world's thread; acp_world_step may use workers of its own stepper and gives the same bits for any number.
 * A call that fails leaves the world as it was unless it says otherwise. Vectors and velocities are in landblock axes (+x east, +y north,
 * +z up), metres, seconds and radians; *local* means the body's own axes (+y forward). */

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of events. Values are frozen. */
enum {
    ACP_EVENT_HIT_ENVIRONMENT = 1, /**< `object` ran into its surroundings: velocity, in_contact */
    ACP_EVENT_HIT_OBJECT = 2,      /**< `object` and `other` touch: velocity and flags when has_profile */
    ACP_EVENT_ATTACK = 3,          /**< a missile struck: `object` is told about `other`; part, location */
    ACP_EVENT_TOUCH_ENDED = 4,     /**< `object` does not touch `other` any more */
    ACP_EVENT_LEFT_GROUND = 5,
    ACP_EVENT_HIT_GROUND = 6,
    ACP_EVENT_LOST = 7,            /**< D26: the cell of `object` is not resident */
    ACP_EVENT_CELL_CHANGED = 8,    /**< cell_id: the new cell; other_id: the old cell's id */
    ACP_EVENT_RETURNED = 9,        /**< a lost body is back: its cell became resident and there was room */
    ACP_EVENT_RETURN_REFUSED = 10, /**< its cell is back, but there is no room: it stays in no cell, and is not lost any more (09 POP-14) */
    ACP_EVENT_LOST_EXPIRED = 11    /**< lost for 25 s: the client would destroy it now (D26); told once */
};

/** Bits of an object profile (spec 05 OCD-95). */
enum {
    ACP_PROFILE_CREATURE = 0x01,
    ACP_PROFILE_PLAYER = 0x02,
    ACP_PROFILE_ATTACKABLE = 0x04,
    ACP_PROFILE_MISSILE = 0x08,
    ACP_PROFILE_IN_CONTACT = 0x10,
    ACP_PROFILE_ME_IN_CONTACT = 0x20,
    ACP_PROFILE_DOOR = 0x40
};

/** One fact. Fields that a kind does not name are zero. */
typedef struct acp_event {
    uint32_t kind;      /**< ACP_EVENT_* */
    acp_object object;  /**< who is told */
    uint32_t object_id; /**< its host id */
    acp_object other;   /**< about whom */
    uint32_t other_id;
    uint32_t cell_id;
    acp_vec3 velocity; /**< of `object` against the other, metres per second */
    uint32_t flags;    /**< ACP_PROFILE_* */
    uint32_t
        has_profile; /**< 0: the described object fills in no profile: velocity and flags are zero, other_id as the client sends it: 0 */
    uint32_t in_contact; /**< the body was in contact before */
    int32_t part;        /**< ACP_EVENT_ATTACK: always -1 */
    uint32_t location;   /**< ACP_EVENT_ATTACK: quadrant bits (spec 01 WM-46) */
} acp_event;

/** Takes at most `capacity` events, oldest first; the rest stays. `out_lost` (may be null): events dropped since the last call because
 *  memory was refused. Errors: INVALID_ARGUMENT. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_events_drain(acp_world *world, acp_event *out_events, uint32_t capacity, uint32_t *out_count,
                                                   uint32_t *out_lost);

/** Flags of a placement (spec 05 OCD-4); the others of the client change nothing. */
enum {
    ACP_PLACE_SLIDE = 0x0010,               /**< may search around the spot */
    ACP_PLACE_DO_NOT_CREATE_CELLS = 0x0020, /**< only cells of the start cell's visible list */
    ACP_PLACE_SCATTER = 0x0100,             /**< on failure try random places around */
    ACP_PLACE_RANDOM_SCATTER = 0x0200       /**< only random places */
};

/** Answers of a placement (spec 05 OCD-4): the client's numbers. */
enum {
    ACP_PLACED = 0, /**< also when the place is not resident: then the body is lost (D26) */
    ACP_PLACE_GENERAL_FAILURE = 1,
    ACP_PLACE_NO_VALID_POSITION = 2,
    ACP_PLACE_NO_CELL = 3,
    ACP_PLACE_COLLIDED = 4
};

/** A stream of numbers in [0, 1): what scatters (D12). */
typedef struct acp_random_stream {
    void *user;
    /** The next number scaled to [low, high). */
    float (*next)(void *user, float low, float high);
} acp_random_stream;

/** A placement as the client's SetPosition takes it. */
typedef struct acp_placement {
    uint32_t struct_size;
    uint32_t flags; /**< ACP_PLACE_* */
    acp_position position;
    float x_radius; /**< of the scatter, metres */
    float y_radius;
    uint32_t tries;
    uint32_t reserved;
    const acp_random_stream *random; /**< for a scatter; null = the world's own stream (D12) */
} acp_placement;

/** Places a body: chooses the cell, finds room, adopts place, cell, contact and lists, reports collisions (spec 07 PHO-17). *out_answer:
 *  ACP_PLACED and so on. Errors: INVALID_ARGUMENT (also: it has a parent), NOT_FINITE, OUT_OF_RANGE (a coordinate beyond 1,000 km, more
 *  than 65,536 tries), STALE_HANDLE, LIMIT, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_place(acp_world *world, acp_transition_context *context, acp_object object,
                                                 const acp_placement *placement, uint32_t *out_answer, acp_error *error);

/* ---------------------------------------------------------------------------------------------------------------- construction */

/** A body as given to acp_body_create. Start from acp_body_definition_default(). */
typedef struct acp_body_definition {
    uint32_t struct_size;
    uint32_t is_static;            /**< 1: STATIC set, never moves by itself; 0: STATIC cleared (PHO-3) */
    acp_object_definition object;  /**< row, words, setup, place; ACTIVE is cleared */
    acp_vec3 velocity;             /**< kept as given up to 50 m/s; does not wake it */
    acp_vec3 omega;                /**< radians per second, landblock axes */
    float friction;                /**< 0..1; outside: the default 0.95 */
    float elasticity;              /**< clamped to 0..0.1 */
    uint32_t has_movement_manager; /**< PHO-28: something drives it: it never rests by itself and is told about the ground */
    uint32_t reserved;
} acp_body_definition;

/** A dynamic body of the default object, at rest, without a movement manager. [any thread] */
ACP_API acp_body_definition acp_body_definition_default(void);

/** Makes an object with a body (PHO-3). It is in no cell until acp_body_enter or acp_body_place. `setup` null gives a body without a part
 *  array, which can never enter a cell. Errors: as acp_object_create, NOT_FINITE. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_create(acp_world *world, const acp_body_definition *definition, acp_object *out_object,
                                                  acp_error *error);

/** Enters the world at its own position (PHO-20): a placement, with `can_slide` = room may be searched around. *out_answer: ACP_PLACED and
 *  so on; a place that is not resident is ACP_PLACED, and the body is lost until it is. Errors: as acp_body_place; INVALID_ARGUMENT: it
 *  has a parent. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_enter(acp_world *world, acp_transition_context *context, acp_object object, int32_t can_slide,
                                                 uint32_t *out_answer, acp_error *error);

/** Leaves the world (PHO-21): ends its collision reports, leaves its cell and every list, transient word 0, cell id 0; the frame stays.
 *  [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_leave(acp_world *world, acp_object object, acp_error *error);

/** Hangs a body on another (PHO-27): it leaves the world, follows the parent's part, is never stepped. A hidden parent hides it. Errors:
 *  STALE_HANDLE; NOT_FOUND: the parent's setup has no such holding location; INVALID_ARGUMENT: ring, or a parent without part array.
 *  [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_parent(acp_world *world, acp_object child, acp_object parent, uint32_t location_id,
                                                      acp_error *error);

/** Takes a body off its parent; it keeps cell and lists until someone moves it (PHO-27). [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_unset_parent(acp_world *world, acp_object child, acp_error *error);

/* ----------------------------------------------------------------------------------------------------------------------- facts */

/** Facts of a body; identity, place and words are in acp_object_info. */
typedef struct acp_body_info {
    acp_vec3 velocity;        /**< integrated */
    acp_vec3 cached_velocity; /**< achieved in the last step */
    acp_vec3 acceleration;
    acp_vec3 omega;
    acp_ground_plane contact; /**< is_valid: it is in contact */
    acp_vec3 sliding_normal;
    uint32_t has_sliding_normal;
    float friction;
    float elasticity;
    float anchor_distance;  /**< metres from the nearest anchor at the last update; FLT_MAX before the first */
    acp_vec3 anchor_offset; /**< from that anchor */
    uint32_t touch_count;   /**< collision partners that are reported and not ended */
    double update_time;     /**< world seconds up to which it is simulated */
    double lost_time;       /**< when it was lost; meaningless otherwise */
    uint32_t is_lost;       /**< D26: waits for its cell */
    uint32_t has_movement_manager;
    uint32_t is_colliding_with_environment;
    uint32_t reserved;
} acp_body_info;

/** Errors: STALE_HANDLE, NOT_FOUND (an object without a body), INVALID_ARGUMENT. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_body_get_info(const acp_world *world, acp_object object, acp_body_info *out_info);

/* ------------------------------------------------------------------------------------------------------------------------ words */

/* Errors of every setter: INVALID_ARGUMENT, STALE_HANDLE, NOT_FINITE, OUT_OF_MEMORY. */

/** PHO-13: a change of more than 0.0002 in some component is taken, clamped to 50 m/s; wakes the body in any case. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_velocity(acp_world *world, acp_object object, acp_vec3 velocity);
/** The same in the body's own axes. NOT_FINITE also when turning it into the landblock's overflows. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_local_velocity(acp_world *world, acp_object object, acp_vec3 velocity);
/** Radians per second, landblock axes. Does not wake the body. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_omega(acp_world *world, acp_object object, acp_vec3 omega);
/** A jump as velocity (07b MOT-9): off the ground at once (left-ground event and hook), gravity, then the local velocity. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_jump(acp_world *world, acp_object object, acp_vec3 local_velocity);
/** Outside 0..1 the old value stays (PHO-13). [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_friction(acp_world *world, acp_object object, float friction);
/** Clamped to 0..0.1. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_elasticity(acp_world *world, acp_object object, float elasticity);
/** Object scale (PHO-5); parts follow at the next placing, cells at the next registration. OUT_OF_RANGE: not above 0, or above 1,000.
 * [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_scale(acp_world *world, acp_object object, float scale);
/** Degrees clockwise from north; parts and children follow. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_heading(acp_world *world, acp_object object, float degrees);
/** Whether something drives it (PHO-28). Giving one wakes it. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_movement_manager(acp_world *world, acp_object object, int32_t has_movement_manager);
/** Wakes it (not a static), or lets it sleep. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_active(acp_world *world, acp_object object, int32_t is_active);
/** Server state word (PHO-25): the whole word, then what a change of HIDDEN or NODRAW brings with it. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_state(acp_world *world, acp_object object, uint32_t state);
/** PHO-25: ethereal at once; solid when nobody stands in it, else it stays ethereal and every active step tries again. *out_is_granted may
 *  be null. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_set_ethereal(acp_world *world, acp_transition_context *context, acp_object object,
                                                        int32_t is_ethereal, int32_t *out_is_granted, acp_error *error);

/* --------------------------------------------------------------------------------------------------------- places from a server */

/** True when stamp b is newer than a (PHO-22). [any thread] */
ACP_API int32_t acp_stamp_is_newer(uint16_t a, uint16_t b);

/** What acp_body_move_or_teleport did. */
enum {
    ACP_MOVE_IGNORED = 0,      /**< stale, or in the air: nothing */
    ACP_MOVE_TELEPORTED = 1,   /**< newer stamp, or it had no cell: placed, what drove it was told */
    ACP_MOVE_PLACED = 2,       /**< 96 m and more from the anchors: placed without ado */
    ACP_MOVE_INTERPOLATING = 3 /**< handed to the locomotion table */
};

/** A server position of a body that the host does not control (PHO-22). Without an `interpolate` entry in the locomotion table the body is
 *  placed instead. Errors: as acp_body_place. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_move_or_teleport(acp_world *world, acp_transition_context *context, acp_object object,
                                                            const acp_position *position, uint16_t teleport_stamp, int32_t has_contact,
                                                            uint32_t *out_outcome, acp_error *error);

/** Teleports the host's own body (PHO-24): placed at once, resident or not (then lost, and placed when the cell comes); what drives it is
 *  told, its collision reports end, its velocity and spin become 0: no run goes on. Cell and frame are adopted together, and no block but
 *  the destination's need ever be resident (01 section 16). Errors: as acp_body_place. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_teleport(acp_world *world, acp_transition_context *context, acp_object object,
                                                    const acp_position *position, uint32_t *out_answer, acp_error *error);

/** Puts the host's own body where the server says, with its own heading and velocity (PHO-24 "force position"). *out_distance (may be
 *  null): metres between before and after. Errors: as acp_body_place. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_force_position(acp_world *world, acp_transition_context *context, acp_object object,
                                                          const acp_position *position, uint32_t *out_answer, double *out_distance,
                                                          acp_error *error);

/* ------------------------------------------------------------------------------------------------------------------- locomotion */

/** What moves bodies besides velocity: a table of hooks (07 PHO-8..10, PHO-15, PHO-22..24). Null entries do nothing. All are called on the
 *  world's thread, at exactly the places where the client asks its managers; a hook may use the setters of this header on any body that is
 *  not being stepped and on its own, and must not publish, retire, create or destroy. `io_offset` is in the body's own axes. */
typedef struct acp_locomotion {
    uint32_t struct_size;
    uint32_t is_independent; /**< 1: root_motion and adjust_offset look at nothing but their own body and call no setter, so that bodies
                                may be stepped at the same time (D9); 0: with these hooks they are stepped one after another */
    void *user;
    /** Animation's motion over `quantum` seconds; not called for hidden bodies. In the air its translation is dropped. */
    void (*root_motion)(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset);
    /** Position managers: interpolation, sticky, constraint. After the scaling of the root motion. */
    void (*adjust_offset)(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset);
    /** After the step was adopted: movement and position managers. `now` is the body's clock. */
    void (*use_time)(void *user, acp_world *world, acp_transition_context *context, acp_object object, double now);
    /** It left walkable ground; only with a movement manager. */
    void (*left_ground)(void *user, acp_world *world, acp_object object);
    /** It came to walkable ground; only with a movement manager. */
    void (*hit_ground)(void *user, acp_world *world, acp_object object);
    /** PHO-22 step 5. */
    void (*interpolate)(void *user, acp_world *world, acp_object object, const acp_position *position);
    /** PHO-22 step 4. */
    void (*stop_interpolating)(void *user, acp_world *world, acp_object object);
    /** PHO-24 step 2, 3 and 5: cancel, un-stick, unconstrain, idle. */
    void (*teleported)(void *user, acp_world *world, acp_object object);
    /** An animated static's animation moves on by `quantum`; its root motion is dropped (PHO-6). */
    void (*animate_static)(void *user, acp_world *world, acp_object object, float quantum);
} acp_locomotion;

/** Every entry null. [any thread] */
ACP_API acp_locomotion acp_locomotion_default(void);

/** Copies the table; null takes it away. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_set_locomotion(acp_world *world, const acp_locomotion *locomotion);

/* ------------------------------------------------------------------------------------------------------------------------- time */

/** The places around which bodies are awake (PHO-7): with `is_culling` 1 a body more than 96 m from every anchor sleeps and its time is
 *  discarded; otherwise anchors only wake. No anchors: nothing changes the ACTIVE bit. Errors: NOT_FINITE, INVALID_ARGUMENT,
 *  OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_set_anchors(acp_world *world, const acp_position *anchors, uint32_t count, int32_t is_culling);

/** What steps a world: contexts and, with more than one worker, threads that sleep between steps. Opaque. One at a time per world; one
 *  stepper may serve several worlds in turn. */
typedef struct acp_stepper acp_stepper;

/** Options of a stepper. Start from acp_stepper_options_default(). */
typedef struct acp_stepper_options {
    uint32_t struct_size;
    uint32_t worker_count;             /**< 1..16, the caller's thread included; default 1 */
    const acp_allocator *allocator;    /**< null = the C library's; its value is copied */
    acp_transition_options transition; /**< of the workers' contexts */
} acp_stepper_options;

/** [any thread] */
ACP_API acp_stepper_options acp_stepper_options_default(void);

/** Creates a stepper and starts its threads. Errors: INVALID_ARGUMENT, OUT_OF_RANGE (workers), OUT_OF_MEMORY. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_stepper_create(const acp_stepper_options *options, acp_stepper **out_stepper, acp_error *error);

/** Ends its threads and frees it. Null is ignored. [any thread], not during a step */
ACP_API void acp_stepper_destroy(acp_stepper *stepper);

/** The stepper's own context, for placements between steps. [world thread] */
ACP_API acp_transition_context *acp_stepper_context(acp_stepper *stepper);

/** What a call of acp_world_step did. */
typedef struct acp_step_report {
    uint32_t is_tick;       /**< 0: less than 1/30 s has gathered, nothing moved (PHO-6) */
    uint32_t body_count;    /**< bodies looked at */
    uint32_t updated_count; /**< bodies that simulated time */
    uint32_t sub_step_count;
    uint32_t sweep_count;
    uint32_t rested_count;   /**< sub-steps skipped because they are proved to change nothing */
    uint32_t lost_count;     /**< bodies lost in this call, by movement or because their landblock went */
    uint32_t returned_count; /**< lost bodies placed again */
    uint32_t beside_count;   /**< sweeps that ran at the same time as others (the only count that depends on the workers) */
    uint32_t failed_count;   /**< sweeps given up: LIMIT or OUT_OF_MEMORY */
    acp_result first_failure;
    acp_object failed_object; /**< of first_failure */
} acp_step_report;

/** Moves the world's time by `dt` seconds and, once 1/30 s has gathered, updates every body in handle order by its own time, in quanta of
 * at most 0.2 s (PHO-6, PHO-7; D9, D13); bodies whose landblock went are lost, lost ones whose landblock came return; then animated
 * statics. The result does not depend on the number of workers. `out_report` may be null. Trouble with single bodies is in the report, the
 * others move. Errors, nothing changed: INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE (dt negative, or the world's time would pass 4e9 s),
 *  OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_step(acp_world *world, acp_stepper *stepper, double dt, acp_step_report *out_report,
                                                 acp_error *error);

/** Seconds since the world was made. [with read access] */
ACP_API double acp_world_now(const acp_world *world);
/** Ticks since the world was made (D13). [with read access] */
ACP_API uint64_t acp_world_tick_count(const acp_world *world);

/* ---------------------------------------------------------------------------------------------------------- chance, state, hash */

/** Seeds the world's random stream (D12): the client's generator. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_seed_random(acp_world *world, uint32_t seed);
/** The next number of the world's stream, scaled to [low, high). Errors: NOT_FINITE. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_next_random(acp_world *world, float low, float high, float *out_value);

/** A hash of everything that stepping changes: places, words, velocities, planes, clocks, partners, cells of every body in handle order,
 *  the world's time and random stream. Equal states give equal hashes on every platform. [with read access] */
ACP_API uint64_t acp_world_state_hash(const acp_world *world);

/** Bytes that acp_world_save_state would write now. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_world_state_size(const acp_world *world, uint64_t *out_size);
/** Writes all dynamic state of the world's bodies (not: terrain, assets, hooks, anchors, undrained events) in a form of this version.
 *  LIMIT: `capacity` is too small, nothing is written. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_world_save_state(const acp_world *world, void *out_bytes, uint64_t capacity, uint64_t *out_size);
/** Brings the world back to a saved state: afterwards it goes on bit for bit as it did then. It must hold the same objects under the same
 *  handles with the same setups, and the same landblocks, as when the state was saved: NOT_FOUND otherwise. BAD_DATA: not such a state.
 *  On an error nothing has changed. Undrained events are dropped. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_world_restore_state(acp_world *world, const void *bytes, uint64_t size, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
