/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_TOUR_H
#define ACP_TOOLS_TOOL_TOUR_H

#include "demo/resident.h"
#include "support/json.h"
#include "tools/acphys/options.h"

/* The scripted tour of the miniature world, and the report of it: text and JSON written side by side. A stop that does not go as expected
 * is marked, and the tour goes on. */

#define TOUR_WAY_MAX 20000u

typedef struct acp_tour {
    acp_demo *demo;
    acp_demo_world *world;
    acp_demo_walker walker;
    acp_json_writer text; /* used as a growing text */
    acp_json_writer json;
    acp_json_writer capture;            /* JSON Lines that `acphys replay` reads */
    struct acp_tour_recorder *recorder; /* null while nothing is recorded */
    acp_position *way;                  /* where the walker was */
    uint32_t way_count;
    uint32_t stops, failed;
    bool is_stop_good;
    bool has_failed; /* a call that must not fail did; `error` says what */
    acp_error error;
} acp_tour;

/* ---- the report ---- */
void acp_tour_section(acp_tour *tour, const char *name, const char *title);
void acp_tour_end_section(acp_tour *tour);
/* A fact: a line of text and a member. */
void acp_tour_fact(acp_tour *tour, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void acp_tour_number(acp_tour *tour, const char *key, double value, const char *unit);
/* What was expected: false marks the stop. */
void acp_tour_expect(acp_tour *tour, bool is_so, const char *what);
/* The explanation below the facts. */
void acp_tour_why(acp_tour *tour, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- the capture: each step as a request with its answer, over a scene of the landblocks that the tour visits ---- */
bool acp_tour_begin_capture(acp_tour *tour);
/* Records the last step, and holds the answer of `eval` against what the walker found. */
void acp_tour_record_step(acp_tour *tour, const acp_demo_walker *walker);
/* Ends it; the numbers of steps, and of answers that differ. */
void acp_tour_end_capture(acp_tour *tour, uint32_t *out_steps, uint32_t *out_different);

/* ---- the stops; they return at once when has_failed is set ---- */
void acp_tour_run(acp_tour *tour);

#endif
