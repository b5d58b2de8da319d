/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_MOVE_H
#define ACP_TOOLS_TOOL_MOVE_H

#include "acphys/transition.h"
#include "support/scene.h"
#include "tools/acphys/options.h"
#include "tools/acphys/tool_ground_source.h"
#include "tools/acphys/tool_scene_file.h"

/* One move and everything it told: what `move`, `why move` and pictures of moves share. The world is a scene file, the ground of a terrain
 * source, or flat; the mover is an object of the scene, that of a request in a file of vectors, or made from options. */

/* What a command has that names worlds and objects in its own way; ACP_OPTIONS_MOVE for one that has nothing else. */
#define ACP_OPTIONS_MOVE_ALONE                                                                                                             \
    {.name = "from", .kind = ACP_OPTION_TEXT, .argument = "PLACE", .help = "where it starts; else where the object is"},                   \
        {.name = "to", .kind = ACP_OPTION_TEXT, .argument = "PLACE", .help = "where it wants to go"},                                      \
        {.name = "by", .kind = ACP_OPTION_TEXT, .argument = "X,Y,Z", .help = "instead of --to: so many metres from the start"},            \
        {.name = "place", .help = "stand the mover at the start instead of moving it"},                                                    \
        {.name = "slide", .help = "with --place: search around the spot too"},                                                             \
        {.name = "spheres", .kind = ACP_OPTION_TEXT, .argument = "BALLS", .help = "one or two spheres x,y,z,r separated by ;"},            \
        {.name = "radius",                                                                                                                 \
         .kind = ACP_OPTION_NUMBER,                                                                                                        \
         .argument = "M",                                                                                                                  \
         .help = "one sphere of this radius, standing on the origin (0.48 when nothing says otherwise)"},                                  \
        {.name = "height", .kind = ACP_OPTION_NUMBER, .argument = "M", .help = "with --radius: a second sphere that ends at this height"}, \
        {.name = "step-up", .kind = ACP_OPTION_NUMBER, .argument = "M", .help = "step-up height (0.6)"},                                   \
        {.name = "step-down", .kind = ACP_OPTION_NUMBER, .argument = "M", .help = "step-down height (1.5)"},                               \
        {.name = "transient", .kind = ACP_OPTION_INTEGER, .argument = "WORD", .help = "transient state word"},                             \
        {.name = "flags",                                                                                                                  \
         .kind = ACP_OPTION_INTEGER,                                                                                                       \
         .argument = "WORD",                                                                                                               \
         .help = "the mover's flags themselves, not those that its words make (0x5C: the camera)"},                                        \
        {.name = "player", .help = "the mover is a player"},                                                                               \
        {.name = "on-ground", .help = "it stands on what is under the start, at most a step down away"},                                   \
        {.name = "contact", .kind = ACP_OPTION_TEXT, .argument = "X,Y,Z,D", .help = "it stands on this plane, in the start's landblock"},  \
        {.name = "velocity", .kind = ACP_OPTION_TEXT, .argument = "X,Y,Z", .help = "its velocity, metres a second"},                       \
        {.name = "dat-dir",                                                                                                                \
         .kind = ACP_OPTION_DIRECTORY,                                                                                                     \
         .argument = "DIR",                                                                                                                \
         .help = "without a scene: the world of client_portal.dat and client_cell_1.dat there (or ACPHYS_DAT_DIR)"},                       \
        ACP_OPTION_TERRAIN

#define ACP_OPTIONS_MOVE                                                                                                                   \
    {.name = "scene",                                                                                                                      \
     .kind = ACP_OPTION_FILE,                                                                                                              \
     .argument = "FILE",                                                                                                                   \
     .help = "take the world from a scene: a JSON object, or JSON Lines that hold one (may be gzipped)"},                                  \
        {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},  \
        {.name = "object", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the mover is the scene's object of this name or id"},     \
        {.name = "request", .kind = ACP_OPTION_TEXT, .argument = "ID", .help = "mover, start and end of the request with this id"},        \
        {.name = "scale", .kind = ACP_OPTION_NUMBER, .argument = "S", .help = "scale of the spheres"},                                     \
        {.name = "state", .kind = ACP_OPTION_INTEGER, .argument = "WORD", .help = "state word"},                                           \
        {.name = "setup", .kind = ACP_OPTION_TEXT, .argument = "ID", .help = "the mover is a model, of DAT files or of the scene"},        \
        ACP_OPTIONS_MOVE_ALONE

/* A trace record, kept. */
typedef struct acp_move_record {
    uint32_t type; /* ACP_TRACE_MOVE_* */
    acp_trace_move of;
} acp_move_record;

typedef struct acp_move_question {
    acp_scene_file file;
    acp_json_reader request_reader;
    const acp_json *request; /* the `in` of the request; null when none was asked for */
    acp_json_reader memory;
    acp_json_reader made_reader;
    acp_json_writer made_scene; /* text of a scene made from a ground source, or flat */
    acp_scene *scene;
    acp_scene_object own; /* the request's object, created in the scene */
    bool has_own;
    const acp_scene_object *object; /* the mover's, null when it is made from options */
    acp_mover mover;
    bool has_flags;
    uint32_t flags;
    acp_position from;
    acp_position to;
    bool is_placement;
    acp_transition_context *context;
    acp_move_record *records;
    uint32_t record_count;
    uint32_t record_capacity;
    bool is_out_of_memory;
    acp_move_result result;
} acp_move_question;

/* Makes world, mover, start and end from the options, moves, and keeps result and records. An exit code; what is wrong was said. A move
 * that is stopped is no failure. Close it in any case. */
int acp_move_question_ask(acp_move_question *question, const acp_command_line *line);
void acp_move_question_close(acp_move_question *question);

/* A scene of landblocks alone: those that a way from `from` to `to` can come near, from the source or, when it is not open, flat at height
 * 0. Members into the object that is open. */
acp_result acp_move_write_blocks(acp_json_writer *out, acp_ground_source *source, const acp_position *from, const acp_position *to,
                                 acp_error *error);

/* ------------------------------------------------------------------------------------------------- words (tool_move_record.c) */

const char *acp_move_verdict_name(uint32_t verdict); /* reached, hindered, blocked, refused */
const char *acp_move_state_name(uint32_t state);     /* invalid, ok, collided, adjusted, slid */
const char *acp_move_hit_name(uint32_t kind);        /* none, terrain, room, building, object, … */

/* "the object table 0x80000001, part 0, polygon 3, in 0xA9B40101". */
void acp_move_name_hit(const acp_move_question *question, const acp_hit *hit, char *out, size_t capacity);

/* One line without its end, and one JSON object, for a record. */
void acp_move_describe(const acp_move_question *question, const acp_move_record *record, char *out, size_t capacity);
void acp_move_write_record(acp_json_writer *out, const acp_move_question *question, const acp_move_record *record);
void acp_move_write_hit(acp_json_writer *out, const char *key, const acp_move_question *question, const acp_hit *hit);
/* {n, d, cell, water}, or null when it is not valid. */
void acp_move_write_ground(acp_json_writer *out, const char *key, const acp_ground_plane *plane);
/* The members verdict to hit of a result, into the object that is open. */
void acp_move_write_result(acp_json_writer *out, const acp_move_question *question);

/* -------------------------------------------------------------------------------------------------- why (tool_move_reason.c) */

typedef struct acp_move_reason {
    const char *code; /* one word, stable: docs/cli.md */
    bool has_passed;  /* it went where it wanted */
    char text[1024];
    uint32_t records[8]; /* those that decided, in order */
    uint32_t record_count;
    double wished; /* metres from the start */
    double went;
    double missing; /* metres between the end and the wish */
} acp_move_reason;
void acp_move_why(const acp_move_question *question, acp_move_reason *out_reason);

#endif
