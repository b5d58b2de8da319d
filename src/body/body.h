/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_BODY_H
#define ACP_BODY_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "body/event.h"
#include "body/random.h"
#include "world/world.h"

/* The dynamic column of objects (spec 07): what a body has beyond its world row. Rows live in pages that never move; an object gets one
 * when it is first asked for. World thread for changes. */

#define ACP_BODY_GRAVITY    (-0x1.39999ap+3f) /* -9.80000019, bits 0xC11CCCCD */
#define ACP_BODY_MAX_SPEED  50.0
#define ACP_BODY_FRICTION   0x1.e66666p-1f /* 0.949999988 */
#define ACP_BODY_ELASTICITY 0x1.99999ap-5f /* 0.0500000007 */

/* A collision partner that was reported and has not been reported ended (OCD-91). */
typedef struct acp_body_touch {
    acp_object object;
    uint32_t object_id;
    bool is_ethereal;
    double time; /* of the last touch, body clock */
} acp_body_touch;

typedef struct acp_body_row {
    /* What the tick reads of a sleeping body, close together. */
    uint64_t culled_revision; /* the anchors' at which it was last found too far; 0 = it was not */
    uint32_t culled_cell_id;  /* and where it was then: there it still is what was found */
    acp_vec3 culled_origin;
    double clock;           /* D13: now, seconds */
    acp_vec3 anchor_offset; /* from the nearest anchor, at the last update (PHO-7) */
    float anchor_distance;  /* FLT_MAX before the first */
    acp_vec3 velocity;
    acp_vec3 cached_velocity;
    acp_vec3 acceleration;
    acp_vec3 omega;
    acp_plane contact_plane; /* in the landblock of contact_plane_cell_id */
    uint32_t contact_plane_cell_id;
    acp_vec3 sliding_normal;
    float elasticity;
    float friction;
    double update_time; /* of the last update */
    bool is_colliding_with_environment;
    bool has_jumped_this_frame;
    bool has_movement_manager; /* PHO-28 */
    bool is_lost;              /* D26: its cell is not resident; it is in no list */
    bool is_in_world;          /* it has been in a cell and has not left: without one it is lost */
    bool has_expired;          /* lost for 25 s, and told */
    bool is_rest_proved;       /* a step from rest_frame at rest changes nothing */
    uint16_t teleport_stamp;   /* PHO-22 */
    double lost_time;
    acp_matrix_frame rest_frame;
    acp_body_touch *touches;
    uint32_t touch_count;
    uint32_t touch_capacity;
} acp_body_row;

/* Objects that are animated where they stand, in order of registration (PHO-6). */
typedef struct acp_body_statics {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
} acp_body_statics;

#define ACP_BODY_ROWS_PER_PAGE 256u

/* The column of a world: made at the first request; null when memory is refused. */
typedef struct acp_body_column {
    acp_allocator allocator;
    acp_body_row ***pages; /* directory of pages of row pointers, null = none yet */
    uint32_t page_count;
    acp_event_queue events;
    acp_locomotion locomotion;
    bool has_locomotion;
    bool is_culling;         /* PHO-7: far bodies sleep */
    bool is_stepping;        /* clocks are the step's */
    bool may_have_lost;      /* some body may be lost: the tick looks after them */
    uint64_t seen_residency; /* of the world, when the tick last looked */
    double now;              /* seconds since the world was made */
    double last_tick;        /* PHO-6 */
    uint64_t tick_count;
    acp_random random; /* D12 */
    acp_body_statics statics;
    acp_matrix_position *anchors;
    uint32_t anchor_count;
    uint32_t anchor_capacity;
    uint64_t anchor_revision; /* goes up when the anchors change; at least 1 when there are any */
} acp_body_column;

/* The world's locomotion table, or null. */
static inline const acp_locomotion *acp_body_locomotion(const acp_world *world) {
    const acp_body_column *column = world->columns[ACP_COLUMN_BODY].data;
    return column && column->has_locomotion ? &column->locomotion : NULL;
}

acp_body_column *acp_body_column_of(acp_world *world);

/* The body of a live object, with defaults when it is new (PHO-3); null when memory is refused. */
acp_body_row *acp_body_of(acp_world *world, uint32_t index);
/* The same without making one. */
acp_body_row *acp_body_find(const acp_world *world, uint32_t index);

/* PHO-13; clamps to 50 m/s, ignores changes within EPSILON, activates. retail: CPhysicsObj::set_velocity 0x005113F0 */
void acp_body_row_set_velocity(acp_object_row *row, acp_body_row *body, acp_vec3 velocity);

/* PHO-13: a velocity in the body's own axes turned into the landblock's; numbers near the largest may become infinite. */
acp_vec3 acp_body_row_velocity_from_local(const acp_object_row *row, acp_vec3 velocity);
/* PHO-13: the stored velocity in the body's own axes. */
acp_vec3 acp_body_row_local_velocity(const acp_object_row *row, const acp_body_row *body);

/* PHO-13. */
float acp_body_clamp_elasticity(float elasticity);

/* set_active: refused to statics; a body that wakes starts its time anew. */
void acp_body_activate(acp_object_row *row, acp_body_row *body);

/* PHO-12. retail: CPhysicsObj::calc_acceleration 0x00510950 */
void acp_body_calc_acceleration(const acp_object_row *row, acp_body_row *body);

/* PHO-15; events on both changes when a movement manager exists. retail: CPhysicsObj::set_on_walkable 0x00511310 */
void acp_body_set_on_walkable(acp_world *world, uint32_t index, acp_body_row *body, bool is_on_walkable);

/* PHO-20: sets ACTIVE unless STATIC and takes it off the lost list. */
void acp_body_prepare_to_enter(acp_object_row *row, acp_body_row *body);
/* PHO-21, of a body that has left every list and its cell: ends its reports, loses its transient bits.
 * retail: CPhysicsObj::leave_world 0x005155A0 */
void acp_body_end_activity(acp_world *world, uint32_t index, acp_body_row *body);
/* The second half of leaving: contact and walkable ground go, with what that brings. */
void acp_body_clear_transient(acp_world *world, uint32_t index, acp_body_row *body);
/* An event that says no more than its kind. */
void acp_body_tell(acp_world *world, uint32_t index, uint32_t kind);
/* The list of animated statics; false when memory is refused. */
bool acp_body_remember_static(acp_body_column *column, uint32_t index);
void acp_body_forget_static(acp_body_column *column, uint32_t index);
/* PHO-21, PHO-17: leaves every list, keeps the place, becomes lost (D26). */
void acp_body_lose(acp_world *world, uint32_t index, acp_body_row *body, const acp_matrix_position *place);

#endif
