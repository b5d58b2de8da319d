/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_CELLS_H
#define ACP_TOOLS_TOOL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "membership/flood.h"
#include "support/scene.h"
#include "tools/acphys/options.h"
#include "tools/acphys/tool_scene_file.h"

/* One object, its cell set, and everything the flood told about it: what `cells`, `why cell` and `map --cells` share. The object is one of
 * a scene file, one of a request in a file of vectors, or made from shapes on the command line. */

#define ACP_OPTIONS_CELLS_OBJECT                                                                                                           \
    {.name = "scene",                                                                                                                      \
     .kind = ACP_OPTION_FILE,                                                                                                              \
     .argument = "FILE",                                                                                                                   \
     .help = "take the world from a scene: a JSON object, or JSON Lines that hold one (may be gzipped)"},                                  \
        {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},  \
        {.name = "object", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene's object of this name or id (0x…)"},            \
        {.name = "request", .kind = ACP_OPTION_TEXT, .argument = "ID", .help = "the object of the request with this id in the file"},      \
        {.name = "box",                                                                                                                    \
         .kind = ACP_OPTION_TEXT,                                                                                                          \
         .argument = "BOXES",                                                                                                              \
         .help = "parts with these boxes: x0,y0,z0,x1,y1,z1, several separated by ;"},                                                     \
        {.name = "setup", .kind = ACP_OPTION_TEXT, .argument = "ID", .help = "the model of this id (0x02…, 0x01…) or name at the place"},  \
        {.name = "part-sphere",                                                                                                            \
         .kind = ACP_OPTION_TEXT,                                                                                                          \
         .argument = "BALLS",                                                                                                              \
         .help = "the parts' bounding spheres x,y,z,r; without it the balls around the boxes"},                                            \
        {.name = "cylsphere", .kind = ACP_OPTION_TEXT, .argument = "LIST", .help = "cylspheres x,y,z,height,radius"},                      \
        {.name = "sphere", .kind = ACP_OPTION_TEXT, .argument = "BALL", .help = "the sorting sphere x,y,z,r"},                             \
        {.name = "billboard", .help = "the parts are always two-dimensional"},                                                             \
        {.name = "no-bsp", .help = "parts without physics: the state word lacks the BSP bit"},                                             \
        {.name = "state", .kind = ACP_OPTION_INTEGER, .argument = "WORD", .help = "the whole state word, the BSP bit included"},           \
        {.name = "scale", .kind = ACP_OPTION_NUMBER, .argument = "S", .fallback = "1", .help = "the object's scale"},                      \
        {.name = "turn", .kind = ACP_OPTION_NUMBER, .argument = "DEGREES", .help = "turn the object about z, counter-clockwise"},          \
        {.name = "static", .help = "register as a static object, whatever its state word"},                                                \
        {.name = "dynamic", .help = "register as a moving object, whatever its state word"}, {                                             \
        .name = "correct", .kind = ACP_OPTION_TEXT, .argument = "LIST",                                                                    \
        .help = "corrections of quirks: billboard-block, sphere-block, scaled-extent, keep-outdoor, separated by commas"                   \
    }

/* For commands whose world may come out of DAT files; map has it from its moves. */
#define ACP_OPTION_DAT_WORLD                                                                                                               \
    {                                                                                                                                      \
        .name = "dat-dir", .kind = ACP_OPTION_DIRECTORY, .argument = "DIR",                                                                \
        .help = "without a scene: the world of client_portal.dat and client_cell_1.dat there (or ACPHYS_DAT_DIR)"                          \
    }

/* A trace record, kept. */
typedef struct acp_cells_record {
    uint32_t type; /* ACP_TRACE_MEMBERSHIP_* */
    union {
        acp_trace_arm arm;
        acp_trace_part_box part_box;
        acp_trace_rectangle rectangle;
        acp_trace_sphere_cell sphere;
        acp_trace_portal portal;
        acp_trace_cell_test cell_test;
        acp_trace_added added;
        acp_trace_pick pick;
        acp_trace_lookup lookup;
    } of;
} acp_cells_record;

typedef struct acp_cells {
    acp_scene *scene;
    acp_scene_object own; /* made for the question; else zero */
    const acp_scene_object *object;
    char name[ACP_SCENE_NAME_CAPACITY];
    bool is_static;
    acp_cell_array array;
    acp_cells_record *records;
    uint32_t record_count;
    uint32_t record_capacity;
    uint32_t lost_record_count; /* beyond what is kept */
    bool is_out_of_memory;
    acp_scene_file file;
    acp_json_reader object_reader;
    acp_json_reader memory;
    acp_json_writer made_scene; /* texts made from options */
    acp_json_writer made_object;
} acp_cells;

/* Opens what the options name (operands: the object's position, when it is made from shapes) and floods it. An exit code; what is wrong was
 * said. Close it in any case. `place` is the position's text, null when there is none. */
int acp_cells_open(acp_cells *cells, const acp_command_line *line, const char *place);
void acp_cells_close(acp_cells *cells);

/* Joins operands from `first` with blanks; null when there are none or they do not fit. */
const char *acp_cells_place(const acp_command_line *line, uint32_t first, char *out, size_t capacity);

const acp_object_row *acp_cells_row(const acp_cells *cells);
uint32_t acp_cells_resident_count(const acp_cells *cells);

/* Words for people. */
const char *acp_cells_arm_name(uint32_t arm);
void acp_cells_arm_reason(const acp_trace_arm *arm, char *out, size_t capacity);
/* "land cell 0xA9B40024 (1356, 1443)" */
void acp_cells_name_cell(uint32_t cell_id, char *out, size_t capacity);

/* One line of text without its end, and one JSON object, for a record. */
void acp_cells_describe(const acp_cells_record *record, char *out, size_t capacity);
void acp_cells_write_record(acp_json_writer *out, const acp_cells_record *record);

/* Why a cell is, or is not, in the set. */
#define ACP_CELLS_REASON_TESTS 32u
typedef struct acp_cells_reason {
    uint32_t cell_id;
    bool is_member;
    bool is_resident;
    const char *code; /* one word, stable: see docs/cli.md */
    char text[640];
    uint32_t tests[ACP_CELLS_REASON_TESTS]; /* records that decided, in order */
    uint32_t test_count;
} acp_cells_reason;
void acp_cells_why(const acp_cells *cells, uint32_t cell_id, acp_cells_reason *out_reason);
void acp_cells_print_reason(const acp_cells *cells, const acp_cells_reason *reason);
void acp_cells_write_reason(acp_json_writer *out, const char *key, const acp_cells *cells, const acp_cells_reason *reason);
/* "0xA9B40024", "A9B40024". False: no id. */
bool acp_cells_parse_id(const char *text, uint32_t *out_id);

/* The members name, id, position, static, arm, arm_reason of the object, into the object that is open. */
void acp_cells_write_object(acp_json_writer *out, const acp_cells *cells);
void acp_cells_print_object(const acp_cells *cells);

#endif
