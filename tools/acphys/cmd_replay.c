/* SPDX-License-Identifier: MIT */
/* `acphys replay`: recorded moves, recomputed; every difference told and counted by class.
 *
 * A line of a capture is a recorded move of another client (tool_replay.h), in the world of --cells: rooms and shells from dumps, ground
 * from a terrain source; without --cells in that of the DAT files, of which the landblocks around each move become resident; or a line of
 * our own, which is a request with its answer as for `eval` (docs/format-eval.md), whose scene stands in the capture. Recordings are never
 * changed. Each line starts with a context of its own, as vectors do. Exit code 1 when anything differs or nothing could be compared. What
 * the known differences mean: docs/replay-differences.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/number.h"
#include "support/json_lines.h"
#include "support/scene.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/conform.h"
#include "tools/acphys/tool_cell_dumps.h"
#include "tools/acphys/tool_move.h"
#include "tools/acphys/tool_replay.h"
#include "tools/acphys/tool_replay_runs.h"
#include "tools/acphys/tool_world.h"

typedef struct replay {
    acp_command_line *line;
    acp_cell_dumps dumps;
    acp_json_reader definition_reader;
    acp_json_writer definition;
    acp_scene *scene;     /* null without --cells */
    acp_tool_world files; /* without --cells */
    bool is_files_open;
    int files_code;
    acp_transition_context *context;
    acp_conform *conform;
    acp_json_reader reader;
    acp_json_writer json;
    float second_center;
    bool has_second_center;
    bool is_json;
    bool carries; /* --carry */
    bool has_previous;
    acp_vec3 previous_end;     /* recorded */
    uint32_t previous_cell_id; /* computed */
    uint64_t limit;
    uint64_t printed;
    uint64_t moves;
    uint64_t equal;
    uint64_t not_run; /* the recording's own inputs were refused */
    uint64_t counts[ACP_REPLAY_CLASSES];
    uint64_t own_passed;
    uint64_t own_failed;
    acp_replay_runs runs;
    int code;
} replay;

/* ------------------------------------------------------------------------------------------------------------------- the world */

/* "ID PLACE". */
static int read_shell(const acp_command_line *line, acp_shell_place *out) {
    const char *text = acp_command_text(line, "shell");
    acp_error error;
    acp_place_form form;
    char *end = NULL;
    memset(out, 0, sizeof *out);
    if (!text) return ACP_EXIT_OK;
    unsigned long id = strtoul(text, &end, 16);
    if (end == text || *end != ' ' || id >> 24 != 1ul) return acp_command_usage(line, "--shell: '0x01XXXXXX PLACE'");
    out->shape_id = (uint32_t)id;
    if (acp_position_parse(end + 1, strlen(end + 1), &out->position, &form, &error) == ACP_OK) return ACP_EXIT_OK;
    return acp_command_usage(line, "--shell is no shape and position:\n  %s\n  %*s^ %s", end + 1, (int)error.byte_offset, "",
                             error.message);
}

/* The ground of every landblock that has rooms, with its neighbours. */
static acp_result write_ground(replay *r, acp_ground_source *source, acp_error *error) {
    acp_position low, high;
    memset(&low, 0, sizeof low);
    memset(&high, 0, sizeof high);
    uint32_t x0 = 255, y0 = 255, x1 = 0, y1 = 0;
    for (uint32_t i = 0; i < r->dumps.count; i++) {
        uint32_t x = r->dumps.items[i].id >> 24, y = (r->dumps.items[i].id >> 16) & 0xFFu;
        if (r->dumps.items[i].is_shape) continue;
        x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
    }
    if (x0 > x1) return ACP_OK;
    low.cell_id = x0 << 24 | y0 << 16 | 1u;
    high.cell_id = x1 << 24 | y1 << 16 | 1u;
    return acp_move_write_blocks(&r->definition, source, &low, &high, error);
}

static int save_scene(replay *r) {
    const char *path = acp_command_text(r->line, "write-scene");
    if (!path) return ACP_EXIT_OK;
    acp_json_end_line(&r->definition);
    return acp_command_write_json(r->line, path, &r->definition);
}

static int build_world(replay *r) {
    acp_error error;
    acp_shell_place shell;
    acp_ground_source source;
    acp_json_fault fault;
    acp_json_input input = {ACP_OK, &error};
    const char *folder = acp_command_text(r->line, "cells");
    int code = read_shell(r->line, &shell);
    if (!folder && (acp_command_text(r->line, "write-scene") || shell.shape_id != 0))
        return acp_command_usage(r->line, "--shell and --write-scene go with --cells");
    if (code != ACP_EXIT_OK || !folder) return code;
    code = acp_cell_dumps_open(&r->dumps, r->line, folder);
    if (code != ACP_EXIT_OK) return code;
    acp_result result = acp_ground_source_open(&source, r->line, &error);
    if (result != ACP_OK) return acp_command_fail(r->line, &error);
    bool has_ground = acp_ground_source_is_open(&source);
    if (!has_ground) acp_command_note(r->line, "no source of ground named: nothing is out of doors");
    acp_json_begin_object(&r->definition, NULL);
    acp_json_write_string(&r->definition, "name", "cells");
    if (has_ground) result = write_ground(r, &source, &error);
    if (result == ACP_OK) acp_cell_dumps_write(&r->dumps, &input, &r->definition, has_ground, &shell);
    acp_json_end_object(&r->definition);
    acp_ground_source_close(&source);
    if (result != ACP_OK) return acp_command_fail(r->line, &error);
    if (acp_json_is_failed(&input)) return acp_scene_file_bad_input(r->line, &input, folder);
    code = save_scene(r);
    if (code != ACP_EXIT_OK) return code;
    const char *text = acp_json_writer_text(&r->definition);
    const acp_json *definition = acp_json_read(&r->definition_reader, text, strlen(text), &fault);
    if (!definition) return acp_scene_file_bad_json(r->line, folder, &fault);
    return acp_scene_file_build(r->line, definition, NULL, folder, &r->scene);
}

/* ------------------------------------------------------------------------------------------------------------------- the lines */

static void tell(replay *r, const char *file, uint64_t number, const acp_recorded_move *move, const acp_replay_difference *d) {
    r->counts[d->kind]++;
    if (r->printed >= r->limit) return;
    r->printed++;
    const char *name = acp_replay_class_name(d->kind);
    if (!r->is_json) {
        (void)printf("%s:%llu: tick %llu: %s: recorded %s, computed %s\n", file, (unsigned long long)number, (unsigned long long)move->tick,
                     name, d->recorded, d->computed);
        return;
    }
    acp_json_begin_object(&r->json, NULL);
    acp_json_write_string(&r->json, "file", file);
    acp_json_write_uint(&r->json, "line", number);
    acp_json_write_uint(&r->json, "tick", move->tick);
    acp_json_write_string(&r->json, "class", name);
    acp_json_write_string(&r->json, "recorded", d->recorded);
    acp_json_write_string(&r->json, "computed", d->computed);
    if (d->distance > 0.0) acp_json_write_double(&r->json, "distance", d->distance);
    acp_json_end_object(&r->json);
}

/* A line that is no record, or whose inputs are refused. */
static void refuse(replay *r, const char *file, uint64_t number, const char *message, int code) {
    acp_command_error(r->line, "%s:%llu: %s", file, (unsigned long long)number, message);
    if (code > r->code) r->code = code;
}

/* The landblock that a coordinate of another one lies in, at most ten away. */
static int block_of(int own, float coordinate) {
    double away = floor((double)coordinate / 192.0);
    return own + (away < -10.0 ? -10 : away > 10.0 ? 10 : (int)away);
}

/* The world of a recorded move: that of --cells, else the landblocks of the DAT files that it touches and a ring around them. Null: there
 * is none, *out_code says why; what is wrong was said. */
static const acp_world *world_of(replay *r, const acp_recorded_move *move, int *out_code) {
    *out_code = ACP_EXIT_OK;
    if (r->scene) return r->scene->world;
    if (!acp_dat_dir_name(r->line) && !acp_command_flag(r->line, "demo")) {
        *out_code = ACP_EXIT_USAGE;
        return NULL;
    }
    if (!r->is_files_open) {
        r->is_files_open = true;
        r->files_code = acp_tool_world_open(&r->files, r->line);
    }
    *out_code = r->files_code;
    if (r->files_code != ACP_EXIT_OK) return NULL;
    int x = (int)(move->from.cell_id >> 24), y = (int)((move->from.cell_id >> 16) & 0xFFu);
    const acp_vec3 *a = &move->from.frame.origin, *b = &move->to.frame.origin;
    int ax = block_of(x, a->x), bx = block_of(x, b->x), ay = block_of(y, a->y), by = block_of(y, b->y);
    *out_code = acp_tool_world_publish(&r->files, r->line, (ax < bx ? ax : bx) - 1, (ay < by ? ay : by) - 1, (ax > bx ? ax : bx) + 1,
                                       (ay > by ? ay : by) + 1, NULL);
    return *out_code == ACP_EXIT_OK ? r->files.world : NULL;
}

static void replay_record(replay *r, const char *file, uint64_t number, const acp_json *record) {
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_recorded_move move;
    acp_move_result result;
    acp_replay_difference differences[ACP_REPLAY_CLASSES];
    char text[512];
    memset(&error, 0, sizeof error);
    const acp_json *in = acp_json_get_object(&input, record, "input");
    float second = r->has_second_center ? r->second_center : acp_json_get_float(&input, in, "sphereHeight");
    if (!acp_recorded_move_read(&input, record, second, &move)) {
        (void)acp_error_format(&error, text, sizeof text);
        refuse(r, file, number, text, ACP_EXIT_BAD_DATA);
        return;
    }
    int code;
    const acp_world *world = world_of(r, &move, &code);
    if (!world) {
        refuse(r, file, number,
               code == ACP_EXIT_USAGE ? "a recorded move, and no world to replay it in: --cells, --dat-dir or --demo"
                                      : "a recorded move, whose world cannot be had",
               code);
        return;
    }
    r->moves++;
    const acp_vec3 *begin = &move.from.frame.origin, *end = &r->previous_end;
    bool goes_on = r->has_previous && begin->x == end->x && begin->y == end->y && begin->z == end->z;
    if (r->carries && goes_on && (r->previous_cell_id ^ move.from.cell_id) >> 16 == 0)
        move.from.cell_id = move.to.cell_id = r->previous_cell_id;
    acp_transition_context_reset(r->context);
    if (acp_move(r->context, world, &move.mover, &move.from, &move.to, &result, &error) != ACP_OK) {
        (void)acp_error_format(&error, text, sizeof text);
        refuse(r, file, number, text, acp_exit_code_of(error.code));
        r->not_run++;
        return;
    }
    uint32_t count = acp_replay_compare(&move, &result, differences);
    r->has_previous = true;
    r->previous_end = move.end.frame.origin;
    r->previous_cell_id = result.position.cell_id;
    r->equal += count == 0;
    for (uint32_t i = 0; i < count; i++)
        tell(r, file, number, &move, &differences[i]);
}

/* A line of our own: a request with its answer, or a definition. */
static void replay_own(replay *r, const char *file, uint64_t number, const char *text, size_t length) {
    acp_conform_outcome o = {.status = ACP_CONFORM_FAILED, .section = ""};
    if (acp_conform_line(r->conform, text, length, &o) != ACP_OK) {
        refuse(r, file, number, "out of memory", ACP_EXIT_INTERNAL);
        return;
    }
    r->own_passed += o.status == ACP_CONFORM_PASSED;
    if (o.status != ACP_CONFORM_FAILED && o.status != ACP_CONFORM_UNKNOWN) return;
    r->own_failed++;
    if (r->printed >= r->limit) return;
    r->printed++;
    if (!r->is_json) {
        if (o.message[0])
            (void)printf("%s:%llu: %s %s: %s\n", file, (unsigned long long)number, o.operation, o.id, o.message);
        else
            (void)printf("%s:%llu: %s %s: %s: recorded %s, computed %s\n", file, (unsigned long long)number, o.operation, o.id, o.path,
                         o.expected, o.actual);
        return;
    }
    acp_json_begin_object(&r->json, NULL);
    acp_json_write_string(&r->json, "file", file);
    acp_json_write_uint(&r->json, "line", number);
    acp_json_write_string(&r->json, "class", "own");
    acp_json_write_string(&r->json, "id", o.id);
    acp_json_write_string(&r->json, "path", o.path);
    acp_json_write_string(&r->json, "recorded", o.expected);
    acp_json_write_string(&r->json, "computed", o.actual);
    if (o.message[0]) acp_json_write_string(&r->json, "message", o.message);
    acp_json_end_object(&r->json);
}

static void replay_file(replay *r, const char *file) {
    acp_line_reader lines;
    acp_error error;
    const char *text;
    size_t length;
    acp_line_status status;
    if (acp_replay_runs_is_capture(file)) {
        uint64_t left = r->limit > r->printed ? r->limit - r->printed : 0, before = left;
        int code = acp_replay_runs_file(&r->runs, r->line, file, &left, r->is_json ? &r->json : NULL);
        r->printed += before - left;
        r->code = code > r->code ? code : r->code;
        return;
    }
    if (acp_line_reader_open(&lines, file, &error) != ACP_OK) {
        int code = acp_command_fail(r->line, &error);
        r->code = code > r->code ? code : r->code;
        return;
    }
    acp_conform_begin_file(r->conform);
    r->has_previous = false;
    while ((status = acp_line_reader_next(&lines, &text, &length)) != ACP_LINE_END) {
        acp_json_fault fault;
        if (status != ACP_LINE_OK) {
            refuse(r, file, lines.line_number, status == ACP_LINE_TOO_LONG ? "the line is longer than 64 MiB" : "cannot be read",
                   status == ACP_LINE_IO_ERROR ? ACP_EXIT_IO : ACP_EXIT_BAD_DATA);
            if (status == ACP_LINE_IO_ERROR) break;
            continue;
        }
        if (length == 0) continue;
        const acp_json *record = acp_json_read(&r->reader, text, length, &fault);
        if (!record)
            refuse(r, file, lines.line_number, fault.message, ACP_EXIT_BAD_DATA);
        else if (acp_json_member(record, "op"))
            replay_own(r, file, lines.line_number, text, length);
        else
            replay_record(r, file, lines.line_number, record);
    }
    acp_line_reader_close(&lines);
}

/* -------------------------------------------------------------------------------------------------------------------- the report */

static void print_summary(replay *r) {
    uint64_t told = r->own_failed + r->runs.differences;
    for (uint32_t i = 0; i < ACP_REPLAY_CLASSES; i++)
        told += r->counts[i];
    if (r->is_json) {
        acp_json_end_array(&r->json);
        acp_json_begin_object(&r->json, "classes");
        for (uint32_t i = 0; i < ACP_REPLAY_CLASSES; i++)
            acp_json_write_uint(&r->json, acp_replay_class_name((acp_replay_class)i), r->counts[i]);
        acp_json_end_object(&r->json);
        acp_json_write_uint(&r->json, "moves", r->moves);
        acp_json_write_uint(&r->json, "equal", r->equal);
        acp_json_write_uint(&r->json, "not_run", r->not_run);
        acp_json_write_uint(&r->json, "own_passed", r->own_passed);
        acp_json_write_uint(&r->json, "own_failed", r->own_failed);
        acp_json_write_uint(&r->json, "resolves", r->runs.resolves);
        acp_json_write_uint(&r->json, "resolves_equal", r->runs.equal);
        acp_json_write_uint(&r->json, "run_differences", r->runs.differences);
        acp_json_end_object(&r->json);
        (void)printf("%s\n", acp_command_json_text(&r->json));
        return;
    }
    if (r->printed < told && r->limit > 0) (void)printf("… and %llu more (--max-differences)\n", (unsigned long long)(told - r->printed));
    for (uint32_t i = 0; i < ACP_REPLAY_CLASSES; i++)
        if (r->counts[i]) (void)printf("%6llu  %s\n", (unsigned long long)r->counts[i], acp_replay_class_name((acp_replay_class)i));
    if (r->moves)
        (void)printf("%llu recorded moves, %llu equal, %llu differ\n", (unsigned long long)r->moves, (unsigned long long)r->equal,
                     (unsigned long long)(r->moves - r->equal - r->not_run));
    if (r->runs.resolves)
        (void)printf("%llu resolves, %llu equal, %llu differences\n", (unsigned long long)r->runs.resolves,
                     (unsigned long long)r->runs.equal, (unsigned long long)r->runs.differences);
    if (r->own_passed + r->own_failed)
        (void)printf("%llu own moves, %llu equal, %llu differ\n", (unsigned long long)(r->own_passed + r->own_failed),
                     (unsigned long long)r->own_passed, (unsigned long long)r->own_failed);
}

static int run_replay(acp_command_line *line) {
    acp_error error;
    replay r = {.line = line,
                .is_json = acp_command_flag(line, "json"),
                .limit = acp_command_integer(line, "max-differences"),
                .carries = acp_command_flag(line, "carry")};
    r.has_second_center = acp_command_is_given(line, "second-sphere");
    if (r.has_second_center) r.second_center = acp_f32(acp_command_number(line, "second-sphere"));
    r.code = build_world(&r);
    r.conform = acp_conform_new();
    if (r.code == ACP_EXIT_OK && (!r.conform || acp_transition_context_create(NULL, &r.context, &error) != ACP_OK)) {
        acp_command_error(line, "out of memory");
        r.code = ACP_EXIT_INTERNAL;
    }
    if (r.code == ACP_EXIT_OK) {
        acp_json_begin_object(&r.json, NULL);
        acp_json_write_string(&r.json, "schema", "acphys.replay.1");
        acp_json_begin_array(&r.json, "differences");
        for (uint32_t i = 0; i < line->operand_count; i++)
            replay_file(&r, line->operands[i]);
        print_summary(&r);
        uint64_t done = r.moves + r.own_passed + r.own_failed + r.runs.resolves;
        if (!done && r.code == ACP_EXIT_OK) acp_command_error(line, "there was nothing to replay");
        if (r.code == ACP_EXIT_OK && (!done || r.equal != r.moves || r.own_failed || r.runs.differences)) r.code = ACP_EXIT_NEGATIVE;
    }
    acp_transition_context_destroy(r.context);
    acp_replay_runs_close(&r.runs);
    acp_conform_free(r.conform);
    acp_scene_destroy(r.scene);
    acp_tool_world_close(&r.files);
    acp_cell_dumps_close(&r.dumps);
    acp_json_reader_free(&r.definition_reader);
    acp_json_reader_free(&r.reader);
    acp_json_writer_free(&r.definition);
    acp_json_writer_free(&r.json);
    return acp_command_finish(line, r.code);
}

static const acp_option options[] = {
    {.name = "cells",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "the rooms and shells of recorded moves: dumps there and in the folders in it"},
    {.name = "shell",
     .kind = ACP_OPTION_TEXT,
     .argument = "'ID PLACE'",
     .help = "the shape that is the shell of the building there, and where it stands"},
    {.name = "second-sphere",
     .kind = ACP_OPTION_NUMBER,
     .argument = "Z",
     .help = "the height of the second sphere's centre (0: none), not what the recording says"},
    {.name = "dat-dir",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "the world of recorded moves and of captures of 'acphys run' (or ACPHYS_DAT_DIR); with --cells only its ground"},
    ACP_OPTION_TERRAIN,
    {.name = "demo", .help = "replay in the built-in miniature world (captures of 'acphys run': the default when no world is named)"},
    {.name = "minimise",
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "of a capture of 'acphys run' that differs: write a capture of the one resolve, with what it takes to differ"},
    {.name = "cut",
     .kind = ACP_OPTION_INTEGER,
     .argument = "STEP",
     .fallback = "0",
     .help = "with --minimise: write this step whole, whether it differs or not"},
    {.name = "carry", .help = "a move that starts where the one before ended starts in the cell that was computed there"},
    {.name = "write-scene",
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "write the world of --cells as a scene, for 'acphys move --scene'"},
    {.name = "max-differences",
     .letter = 'n',
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "10",
     .help = "print the first N differences"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_replay = {
    .name = "replay",
    .summary = "recompute recorded moves and report every difference",
    .operands = "CAPTURE…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "A capture is JSON Lines. A line is a recorded move of another client, with its body before and after; its world is made from the "
        "dumps of --cells and the ground of --terrain or --dat-dir, or is, without --cells, that of --dat-dir or --demo, rooms, buildings "
        "and all. Or it is a line of our own: a request with its answer, as for eval, "
        "after the scene that it names.\n\n"
        "Differences have classes: cell, position, rounding (places nearer than a millimetre), contact (a plane or none), plane, "
        "plane-cell, "
        "on-ground, hit (a collision normal or none), normal. Recordings of other clients hold their faults too; what is known about them "
        "is in docs/replay-differences.md.\n\n"
        "Exit code 1 when anything differs or there was nothing to replay.",
    .examples = "acphys replay walk.jsonl --cells dumps --terrain dereth-terrain.bin.gz\ta walk of another client\n"
                "acphys replay ours.jsonl\trequests with their answers\n"
                "acphys replay walk.jsonl --cells dumps --write-scene house.json -n 0\tthe world, to ask 'acphys why move' about",
    ACP_COMMAND_OPTIONS(options),
    .run = run_replay,
};
