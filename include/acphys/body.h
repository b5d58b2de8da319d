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
 * Bodies: what becomes of an object when a move or a placement is adopted (spec 07), and the events that tell the host (D10). */

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
    ACP_EVENT_LOST = 7,        /**< D26: the cell of `object` is not resident */
    ACP_EVENT_CELL_CHANGED = 8 /**< cell_id: the new cell; other_id: the old cell's id */
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
    const acp_random_stream *random; /**< needed with a scatter flag */
} acp_placement;

/** Places a body: chooses the cell, finds room, adopts place, cell, contact and lists, reports collisions (spec 07 PHO-17). *out_answer:
 *  ACP_PLACED and so on. Errors: INVALID_ARGUMENT, NOT_FINITE, STALE_HANDLE, LIMIT, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_body_place(acp_world *world, acp_transition_context *context, acp_object object,
                                                 const acp_placement *placement, uint32_t *out_answer, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
