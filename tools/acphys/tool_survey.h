/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_SURVEY_H
#define ACP_TOOLS_TOOL_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/result.h"
#include "support/scene.h"
#include "tools/acphys/options.h"

/* `acphys survey membership`: the parts with physics of a world, each flooded alone, and their objects as a whole. The same numbers for any
 * number of threads: every part and object has its own slot, sums are made afterwards in order. */

typedef struct acp_survey_part {
    uint32_t object; /* ordinal */
    uint32_t part;
    uint32_t cells_x; /* land cells of its rectangle; 0 = none */
    uint32_t cells_y;
    uint32_t cells;  /* of the part alone */
    uint32_t missed; /* of these, by the sphere rule: a sphere's own cell and its neighbours */
    float offset;    /* sphere centre to part origin */
    float radius;
    bool has_sphere;
    bool is_beyond_origin_sphere; /* a ball of that radius about the origin fails to hold the box */
} acp_survey_part;

typedef struct acp_survey_object {
    uint32_t first_part; /* in the list of parts */
    uint32_t part_count; /* parts that have a shape */
    uint32_t cells;      /* pairs of this object */
    uint32_t reserved;
} acp_survey_object;

/* Where generated objects stand. An object depends on seed and ordinal only. */
typedef struct acp_survey_region {
    uint64_t seed;
    uint32_t block_x, block_y, blocks; /* a square of landblocks */
} acp_survey_region;

typedef struct acp_survey {
    acp_scene *scene;
    const char *source; /* for people */
    acp_survey_region region;
    bool is_generated;
    uint32_t *scene_objects; /* ordinals into scene->objects, then scene->statics, of those whose boxes decide */
    acp_survey_object *objects;
    acp_survey_part *parts;
    uint32_t object_count;
    uint32_t part_count;
} acp_survey;

/* Floods everything with `threads` threads. */
acp_result acp_survey_run(acp_survey *survey, const acp_command_line *line, uint32_t threads, acp_error *error);
/* The cells that the sphere rule misses of one part, at most `capacity`. */
uint32_t acp_survey_missed(acp_survey *survey, uint32_t part, uint32_t *out_cells, uint32_t capacity, uint32_t *out_start_cell);
/* "house" or "#17". */
void acp_survey_name(const acp_survey *survey, uint32_t object, char *out, size_t capacity);
void acp_survey_free(acp_survey *survey);

#define ACP_SURVEY_AXIS_LIMIT 64u /* histogram: more cells than this on an axis are counted together */

typedef struct acp_survey_rank {
    uint32_t cells;
    uint32_t part; /* index into parts */
} acp_survey_rank;

typedef struct acp_survey_summary {
    uint64_t axis_x[ACP_SURVEY_AXIS_LIMIT + 1u]; /* [n] = parts with n cells; the last: n or more */
    uint64_t axis_y[ACP_SURVEY_AXIS_LIMIT + 1u];
    uint64_t larger[ACP_SURVEY_AXIS_LIMIT + 1u];
    uint64_t above_1, above_2, above_4; /* parts larger than 1x1, 2x2, 4x4 on some axis */
    acp_survey_rank p50, p90, p99, max;
    uint64_t pairs;      /* rows of this design: an index each way per (object, cell) */
    uint64_t shape_rows; /* a row per part and cell */
    uint64_t missing_parts, missed_cells, part_cells;
    acp_survey_rank worst_missed; /* cells = missed */
    uint64_t sphere_parts, beyond_origin, far_off;
    uint32_t worst_offset; /* index into parts */
} acp_survey_summary;

/* False when memory is out. */
bool acp_survey_sum(const acp_survey *survey, acp_survey_summary *out_summary);

void acp_survey_print(acp_survey *survey, const acp_survey_summary *summary, uint32_t worst_count);
void acp_survey_print_json(acp_survey *survey, const acp_survey_summary *summary, uint32_t worst_count);
acp_result acp_survey_write_csv(const acp_survey *survey, const char *path, acp_error *error);
acp_result acp_survey_draw(const acp_survey *survey, const acp_survey_summary *summary, const char *path, acp_error *error);

#endif
