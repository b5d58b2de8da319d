/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENARIO_H
#define ACP_SUPPORT_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/math.h"
#include "acphys/place.h"
#include "acphys/transition.h"
#include "support/json_values.h"

/* A scenario as text says it (docs/format-scenario.md): bodies, what is done to them at which step, and what must be seen. Reading checks
 * everything that can be known without a world: forms, names of bodies, ranges, kinds. Everything read lives in the reader of its text. */

#define ACP_SCENARIO_NAME_CAPACITY 48u
#define ACP_SCENARIO_MAX_BODIES    100000u
#define ACP_SCENARIO_MAX_STEPS     100000000u
#define ACP_SCENARIO_RANDOM_WORDS  35u        /* first, second, last, 32 slots */
#define ACP_SCENARIO_END           UINT32_MAX /* "end" */
#define ACP_SCENARIO_ALL           UINT32_MAX /* body "*" */

typedef struct acp_scenario_text {
    const char *text; /* not terminated */
    uint32_t length;
} acp_scenario_text;

typedef enum acp_scenario_place_kind {
    ACP_SCENARIO_NOWHERE, /* none given */
    ACP_SCENARIO_NAMED,
    ACP_SCENARIO_AT,
    ACP_SCENARIO_ANY,   /* one of several, by chance */
    ACP_SCENARIO_RANDOM /* somewhere in a box, by chance */
} acp_scenario_place_kind;

typedef struct acp_scenario_place {
    acp_scenario_place_kind kind;
    acp_scenario_text name; /* NAMED */
    acp_position position;  /* AT; RANDOM: its cell names the landblock, or the room */
    acp_vec3 offset;        /* NAMED: added in the landblock's axes */
    acp_vec3 low, high;     /* RANDOM */
    bool is_on_ground;      /* z is the land's height plus the z that was given */
    bool has_heading;
    float heading;                          /* degrees clockwise from north */
    const struct acp_scenario_place *items; /* ANY */
    uint32_t item_count;
} acp_scenario_place;

/* A model given in place: what a mover and an obstacle need. */
typedef struct acp_scenario_shape {
    const acp_sphere *spheres;
    const acp_cylsphere *cylspheres;
    uint32_t sphere_count;
    uint32_t cylsphere_count;
    acp_sphere sorting_sphere;
    float step_up, step_down, radius, height;
    bool allows_free_heading;
    bool has_sorting_sphere;
} acp_scenario_shape;

/* A collision partner that was reported and not yet reported ended. */
typedef struct acp_scenario_touch {
    acp_scenario_text body; /* its name, with its number when there are several; one that is not there is left out */
    uint32_t object_id;
    bool is_ethereal;
    double time; /* of the last touch, world seconds */
} acp_scenario_touch;

/* A body as it was somewhere in the middle: entered as it is, without a placement. */
typedef struct acp_scenario_restored {
    bool is_given;
    uint32_t transient_state;
    acp_vec3 cached_velocity, acceleration, sliding_normal;
    acp_plane contact_plane;
    uint32_t contact_cell_id;
    double update_time; /* world seconds up to which it is simulated */
    bool is_latched, is_lost, has_expired, has_jumped;
    bool has_entered, tells_entered; /* it has been in a cell and has not left; not told: when it is in one */
    double lost_time;
    uint32_t teleport_stamp;
    acp_vec3 anchor_offset;
    float anchor_distance;
    const uint32_t *cells;
    uint32_t cell_count;
    const acp_scenario_touch *touches;
    uint32_t touch_count;
} acp_scenario_restored;

typedef enum acp_scenario_enter {
    ACP_SCENARIO_ENTER,
    ACP_SCENARIO_ENTER_SLIDING,
    ACP_SCENARIO_STAY_OUT,
    ACP_SCENARIO_REGISTER /* put where it is, without asking for room */
} acp_scenario_enter;

typedef struct acp_scenario_body {
    char name[ACP_SCENARIO_NAME_CAPACITY];
    uint32_t count; /* so many alike, each at a place of its own when that is by chance */
    uint32_t first; /* number of the first of them, over all bodies */
    uint32_t object_id;
    uint32_t model_id;               /* 0: by name or in place */
    acp_scenario_text setup_name;    /* of a scene's setup */
    const acp_scenario_shape *shape; /* in place; null */
    acp_scenario_place at;
    uint32_t state;
    uint32_t predicates;
    uint32_t missile_target;
    float scale, friction, elasticity;
    acp_vec3 velocity, omega, motion;
    float turn; /* degrees per second, with the clock from above */
    bool has_friction, has_elasticity;
    bool is_static, is_driven;
    acp_scenario_enter enter;
    uint32_t answer; /* of entering: ACP_PLACED … */
    acp_scenario_restored restored;
    const acp_json *json;
} acp_scenario_body;

typedef enum acp_scenario_do {
    ACP_DO_MOTION, /* root motion from now on, metres per second in the body's axes, and turning */
    ACP_DO_VELOCITY,
    ACP_DO_LOCAL_VELOCITY,
    ACP_DO_OMEGA,
    ACP_DO_JUMP,
    ACP_DO_HEADING,
    ACP_DO_STATE,
    ACP_DO_SCALE,
    ACP_DO_FRICTION,
    ACP_DO_ELASTICITY,
    ACP_DO_ACTIVE,
    ACP_DO_DRIVEN,
    ACP_DO_ETHEREAL,
    ACP_DO_PLACE,
    ACP_DO_TELEPORT,
    ACP_DO_FORCE,
    ACP_DO_MOVE_OR_TELEPORT,
    ACP_DO_ENTER,
    ACP_DO_LEAVE,
    ACP_DO_REMOVE,
    ACP_DO_PUBLISH,
    ACP_DO_RETIRE,
    ACP_DO_TOGGLE,
    ACP_DO_WANDER,
    ACP_DO_ANCHOR, /* bodies are awake around this place only */
    ACP_DO_PROBE,  /* would it have room there, and if not, why */
    ACP_DO_COUNT
} acp_scenario_do;

/* When: steps from, from + every, … up to `to`. Inputs are applied before their step, expectations looked at after it; step 0 is before
 * the first. */
typedef struct acp_scenario_when {
    uint32_t from, to, every;
} acp_scenario_when;

typedef struct acp_scenario_input {
    acp_scenario_when when;
    acp_scenario_do what;
    uint32_t body; /* index in bodies; ALL */
    acp_vec3 vector;
    float number;  /* turn, heading, scale, friction, elasticity, wandering speed */
    uint32_t word; /* state, flags of a placement, on or off, stamp, contact << 16 */
    bool has_granted;
    bool is_granted; /* ethereal: expected */
    bool has_answer;
    uint32_t answer; /* expected of a placement; UINT32_MAX: any */
    uint32_t hit;    /* probe: ACP_HIT_*, expected */
    uint32_t other;  /* probe: body that is hit; ALL: any, or none */
    acp_scenario_place to;
    float x_radius, y_radius; /* of a scatter; wander: x_radius, metres from home at which it turns back */
    uint32_t tries;
    const uint32_t *blocks; /* publish, retire, toggle: one of them by chance; none: all */
    uint32_t block_count;
    const acp_json *json;
} acp_scenario_input;

/* Parts of an expectation. */
enum {
    ACP_EXPECT_ORIGIN = 1u << 0,
    ACP_EXPECT_MIN = 1u << 1,
    ACP_EXPECT_MAX = 1u << 2,
    ACP_EXPECT_CELL = 1u << 3,
    ACP_EXPECT_WORDS = 1u << 4, /* transient bits: mask and value */
    ACP_EXPECT_LOST = 1u << 5,
    ACP_EXPECT_NORMAL = 1u << 6,
    ACP_EXPECT_VELOCITY = 1u << 7,
    ACP_EXPECT_SPEED = 1u << 8, /* at most */
    ACP_EXPECT_CELLS = 1u << 9,
    ACP_EXPECT_CELLS_INCLUDE = 1u << 10,
    ACP_EXPECT_UNCHANGED = 1u << 11,
    ACP_EXPECT_SAME = 1u << 12,
    ACP_EXPECT_EVENT = 1u << 13,
    ACP_EXPECT_MEMBERSHIP = 1u << 14,
    ACP_EXPECT_MOVED = 1u << 15,
    ACP_EXPECT_CELL_PATH = 1u << 16,
    ACP_EXPECT_STATE = 1u << 17, /* state word bits: mask and value */
    ACP_EXPECT_SLIDING_NORMAL = 1u << 18,
    ACP_EXPECT_CONTACT_CELL = 1u << 19,
    ACP_EXPECT_SUB_STEPS = 1u << 20,
    ACP_EXPECT_CACHED = 1u << 21,
    ACP_EXPECT_ROWS = 1u << 22, /* as many rows in the world as at the first step */
    ACP_EXPECT_ROOMS = 1u << 23 /* membership was held against so many rooms */
};

typedef struct acp_scenario_vector {
    float value[3];
    bool is_given[3];
} acp_scenario_vector;

typedef struct acp_scenario_expectation {
    acp_scenario_when when;
    uint32_t parts; /* ACP_EXPECT_* */
    uint32_t body;
    float tolerance; /* 0: to the bit */
    acp_scenario_vector origin, low, high, normal, velocity, sliding_normal, cached_velocity;
    float speed_limit;
    uint32_t word_mask, words, state_mask, state;
    uint32_t contact_cell_id;
    bool is_lost;
    uint32_t same_axes;    /* bit per axis */
    const uint32_t *cells; /* CELL: any of them; CELLS, CELLS_INCLUDE, CELL_PATH */
    uint32_t cell_count;
    const uint32_t *rows; /* CELLS, CELLS_INCLUDE */
    uint32_t row_count;
    const uint32_t *path;
    uint32_t path_count;
    float moved_min, moved_max;
    uint32_t event; /* ACP_EVENT_* */
    uint32_t event_min, event_max;
    uint32_t event_other; /* body index; ALL: any */
    acp_scenario_vector event_velocity;
    uint32_t sub_step_min, sub_step_max; /* of the whole world within the interval */
    uint32_t room_min;                   /* ROOMS */
    const acp_json *json;
} acp_scenario_expectation;

typedef struct acp_scenario {
    char name[64];
    acp_scenario_text comment;
    double dt;
    uint32_t steps;
    uint32_t full_steps; /* 0: the same */
    double start;        /* world seconds before step 1 */
    double last_tick;    /* and at the last tick */
    uint32_t tick_count; /* of the world before step 1 */
    uint32_t seed;
    const uint32_t *random; /* the world's stream as it is, ACP_SCENARIO_RANDOM_WORDS; null: out of the seed */
    const acp_position *anchors;
    uint32_t anchor_count;
    bool is_culling;
    const acp_json *scene; /* inline world; null: the world of the command line */
    bool has_resident;
    const uint32_t *resident; /* landblocks that are there from the beginning */
    uint32_t resident_count;
    acp_scenario_body *bodies;
    acp_scenario_input *inputs;
    acp_scenario_expectation *expectations;
    uint32_t body_count, input_count, expectation_count;
    uint32_t object_count; /* bodies, each as often as it stands */
    const acp_json *json;
} acp_scenario;

/* Reads a scenario out of a tree, which lives in `memory`. Faults go into the input, with the path of the member; false then. */
bool acp_scenario_read(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *out);

/* One place form. */
void acp_scenario_read_place(acp_json_input *input, acp_json_reader *memory, const acp_json *value, const char *key,
                             acp_scenario_place *out);
/* The three lists. */
bool acp_scenario_read_bodies(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario);
bool acp_scenario_read_inputs(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario);
bool acp_scenario_read_expectations(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario);

/* Shared by the readers. */
uint32_t *acp_scenario_read_ids(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                uint32_t *out_count);
uint32_t acp_scenario_read_body_name(acp_json_input *input, const acp_json *object, const char *key, const acp_scenario *scenario);
acp_scenario_when acp_scenario_read_when(acp_json_input *input, const acp_json *object);
/* The index of a string in a list of names; a fault, and 0, when it is none of them. */
uint32_t acp_scenario_read_choice(acp_json_input *input, const acp_json *value, const char *key, const char *const *names, uint32_t count);

/* Names of the answers of a placement (ACP_PLACED …), of kinds of events (from 1) and of what inputs do; null outside. */
const char *acp_scenario_answer_name(uint32_t answer);
const char *acp_scenario_event_name(uint32_t kind);
const char *acp_scenario_do_name(acp_scenario_do what);
/* Names of ACP_HIT_*. */
const char *acp_scenario_hit_name(uint32_t hit);

#endif
