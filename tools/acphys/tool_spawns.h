/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_SPAWNS_H
#define ACP_TOOLS_TOOL_SPAWNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/place.h"
#include "support/json.h"
#include "tools/acphys/tool_ground_source.h"

/* A list of recorded positions (CSV), each put in its place, and what the list says as a whole. */

/* How the recorded cell compares with the land cell under the recorded point. Every row has exactly one class. */
typedef enum acp_spawn_class {
    ACP_SPAWN_INDOOR,      /* an EnvCell: coordinates alone do not tell one room from another, so nothing is compared */
    ACP_SPAWN_AGREES,      /* a land cell, and the point lies in it */
    ACP_SPAWN_UNRESOLVED,  /* low word 0: the source knew the block only; the land cell is worked out here */
    ACP_SPAWN_ON_BORDER,   /* the point lies exactly on the line between the recorded cell and the canonical one */
    ACP_SPAWN_NEIGHBOUR,   /* the point lies inside a cell that touches the recorded one */
    ACP_SPAWN_ELSEWHERE,   /* the point lies in a land cell further away */
    ACP_SPAWN_WHOLE_BLOCK, /* low word 0xFFFF */
    ACP_SPAWN_INVALID_ID,  /* an id that names no cell */
    ACP_SPAWN_OUTSIDE_MAP, /* the point lies beyond the rim */
    ACP_SPAWN_CLASS_COUNT
} acp_spawn_class;

/* What is wrong with the rotation of a row; the row is placed with the identity then (zero) or with the normalised rotation. */
typedef enum acp_spawn_rotation { ACP_SPAWN_ROTATION_UNIT, ACP_SPAWN_ROTATION_OFF_UNIT, ACP_SPAWN_ROTATION_ZERO } acp_spawn_rotation;

typedef struct acp_spawn {
    uint32_t file; /* index of the input */
    uint64_t line;
    uint32_t recorded_cell;
    uint32_t class_number;   /* column wcid; 0 = none */
    acp_position position;   /* canonical, when the class has a place */
    float distance;          /* metres from the point to the recorded cell's edge, for the two mismatches */
    uint8_t spawn_class;     /* acp_spawn_class */
    uint8_t rotation;        /* acp_spawn_rotation */
    uint8_t is_beyond_block; /* indoor: the point lies outside [0, 192) of its block */
    uint8_t has_ground;
    acp_ground ground;
} acp_spawn;

typedef struct acp_spawn_list {
    acp_spawn *rows;
    size_t count;
    size_t capacity;
    uint64_t malformed;      /* rows that could not be read; reported through `report_fault` */
    uint64_t ground_missing; /* outdoor rows whose block the source lacks */
} acp_spawn_list;

/* One malformed row: told once each. */
typedef void (*acp_spawn_fault_function)(void *user, const char *path, uint64_t line, uint64_t column, const char *field,
                                         const char *message);

/* Reads rows from CSV text with a header naming at least cell, x, y and z (qw, qx, qy, qz and wcid are used when there). ACP_ERROR_BAD_DATA
 * when the header is unusable; malformed rows are counted and skipped. */
acp_result acp_spawns_read(acp_spawn_list *list, const char *path, uint32_t file, const char *text, size_t length,
                           acp_spawn_fault_function report_fault, void *user, acp_error *error);
/* Looks up the ground under every row that has a land cell. */
acp_result acp_spawns_find_ground(acp_spawn_list *list, acp_ground_source *source, const acp_command_line *line, acp_error *error);
void acp_spawns_free(acp_spawn_list *list);

/* "agrees", "on_border", …; and a sentence that explains the class. */
const char *acp_spawn_class_name(acp_spawn_class spawn_class);
const char *acp_spawn_class_explanation(acp_spawn_class spawn_class);

/* The report, as text to standard output or as one JSON object into a writer. `paths` are the inputs by index. */
void acp_spawns_print(const acp_spawn_list *list, const char *const *paths, bool has_ground);
void acp_spawns_write_json(const acp_spawn_list *list, const char *const *paths, uint32_t path_count, bool has_ground,
                           acp_json_writer *writer);
/* One row as one line of JSON. */
void acp_spawn_write_row(const acp_spawn *spawn, const char *path, acp_json_writer *writer);

#endif
