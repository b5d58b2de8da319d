/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_RUN_H
#define ACP_TOOLS_TOOL_RUN_H

#include "acphys/body.h"
#include "support/scenario.h"
#include "tools/acphys/tool_run_world.h"

/* A scenario at work: a world of its own, its bodies, and what was seen. One run: acp_run_begin, acp_run_step until it says so,
 * acp_run_end. Nothing depends on anything but the scenario, the world's content and, not even that, the number of workers. */

#define ACP_RUN_MAX_FAILURES 32u

/* One of the bodies. */
typedef struct acp_run_object {
    acp_object handle;
    const acp_scenario_body *body;
    acp_setup *setup;  /* owned: given in place */
    acp_vec3 motion;   /* root motion, metres per second */
    float turn;        /* degrees per second, clockwise from above */
    float wander;      /* metres per second; 0: it does not */
    float leash;       /* of a wanderer: so far from home it turns back, metres */
    acp_position home; /* of a wanderer */
    uint64_t identity; /* of its name: what its chance begins with */
    uint64_t chance;
    bool exists;
} acp_run_object;

/* What an expectation remembers of one body within its interval. */
typedef struct acp_run_memory {
    acp_position position;
    uint64_t hash;
    uint32_t event_count;
    uint32_t path_at;
    uint32_t path_cell;
    bool is_begun;
    bool is_off_path;
} acp_run_memory;

/* Something that was not as expected. */
typedef struct acp_run_failure {
    uint32_t step;
    uint32_t object;      /* UINT32_MAX: of no body */
    uint32_t expectation; /* UINT32_MAX: of no expectation */
    char text[232];
} acp_run_failure;

struct acp_run;
/* Told before or after the world's step. */
typedef void (*acp_run_watch)(void *user, struct acp_run *run);

typedef struct acp_run {
    const acp_scenario *scenario;
    acp_run_world world;
    acp_stepper *stepper;
    acp_run_object *objects; /* as scenario->object_count */
    uint32_t *by_row;        /* row of the world to object + 1 */
    uint32_t row_count;
    acp_run_memory **memories; /* of each expectation, of each object it looks at */
    uint64_t *sub_steps_at;    /* per expectation: at the beginning of its interval */
    uint64_t *rows_at;         /* per expectation: at its first step */
    acp_event *events;         /* of the last step */
    uint32_t event_count, event_capacity;
    acp_position asked;      /* by the last placement */
    uint64_t *input_chances; /* of each input: what its chance begins with */
    uint64_t chance;         /* of the place or landblock that is chosen now */
    uint32_t step, steps;    /* done; to be done */
    uint64_t ticks, sub_steps, sweeps, rested, checks, failures;
    uint64_t rooms_seen; /* by expectations of membership: bodies in and at rooms, counted room by room */
    uint64_t hash;       /* of the state hashes after every step */
    acp_run_failure kept[ACP_RUN_MAX_FAILURES];
    acp_run_watch before; /* after the inputs of a step, may be null */
    acp_run_watch after;  /* after its expectations, may be null */
    void *watcher;
    acp_result result; /* OUT_OF_MEMORY and the like: the run cannot go on */
    acp_error error;
} acp_run;

typedef struct acp_run_options {
    uint32_t worker_count;
    bool is_full;
} acp_run_options;

/* False: it could not begin; `error` tells. Faults of an inline scene go into the input. End it in any case. */
bool acp_run_begin(acp_run *run, const acp_scenario *scenario, acp_run_source *source, const acp_run_options *options,
                   acp_json_input *input);
/* One step: inputs, the world's step, expectations. False when there is none left, or the run cannot go on (result). */
bool acp_run_step(acp_run *run);
void acp_run_end(acp_run *run);

/* Keeps a failure. `object`, `expectation` as there. */
void acp_run_fail(acp_run *run, uint32_t object, uint32_t expectation, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The name of an object: of its body, with its number when there are several. */
void acp_run_object_name(const acp_run *run, uint32_t object, char *out, uint32_t capacity);

/* ---- tool_run_bodies.c ---- */
bool acp_run_make_bodies(acp_run *run);
/* Where a place is now. False: no such place (the run's result says so). */
bool acp_run_find_place(acp_run *run, const acp_scenario_place *place, acp_position *out);
/* 0 … 1, of the run or of one body. */
double acp_run_chance(uint64_t *io_chance);
/* The chance of something by what it is, not by its place among others: what is left of a scenario goes as it did in the whole. */
uint64_t acp_run_chance_of(const acp_run *run, const char *name, size_t length, uint32_t number);
/* The root motion of bodies, for the world. */
bool acp_run_set_locomotion(acp_run *run);

/* The world's random stream, ACP_SCENARIO_RANDOM_WORDS. */
void acp_run_read_random(const acp_run *run, uint32_t *out_words);
bool acp_run_put_random(acp_run *run, const uint32_t *words);

/* ---- tool_run_inputs.c ---- */
bool acp_run_make_input_chances(acp_run *run);
void acp_run_apply_inputs(acp_run *run);

/* ---- tool_run_expect.c ---- */
bool acp_run_make_memories(acp_run *run);
void acp_run_free_memories(acp_run *run);
/* After a step, with its events. */
void acp_run_look(acp_run *run);
/* All that can be seen of a body, as one number. */
uint64_t acp_run_object_hash(const acp_run *run, uint32_t object);
/* All bodies with their partners, and the world's random stream and time, as one number: whatever their rows are. */
uint64_t acp_run_bodies_hash(const acp_run *run);

/* ---- tool_run_membership.c ---- */
/* What is wrong with the lists as far as they concern a body; false: nothing. Counts the rooms it looked at. */
bool acp_run_misses_cell(acp_run *run, uint32_t object, char *out, uint32_t capacity);

/* ---- tool_run_rooms.c ---- */
#define ACP_RUN_MAX_CELLS 256u

/* In the landblock of the body's cell. */
typedef struct acp_run_sphere {
    double centre[3], radius;
} acp_run_sphere;

typedef struct acp_run_body {
    uint32_t cell_id; /* its own */
    uint32_t sphere_count;
    acp_run_sphere spheres[2];
} acp_run_body;

typedef struct acp_run_cells {
    uint32_t ids[ACP_RUN_MAX_CELLS];
    uint32_t count;
    uint32_t room_count; /* of them are rooms */
    bool is_outside;     /* the land's are among them */
} acp_run_cells;

static inline bool acp_run_has_id(const uint32_t *ids, uint32_t count, uint32_t id) {
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id) return true;
    return false;
}

/* The cells that a body must be registered in, its own first, resident or not. */
void acp_run_cells_of(const acp_world *world, const acp_run_body *body, acp_run_cells *out);

#endif
