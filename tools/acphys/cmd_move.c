/* SPDX-License-Identifier: MIT */
/* `acphys move`: one transition from A to B, and `acphys why move`: why it stopped, passed or fell.
 *
 * World, mover and way come from options (tool_move.h). Printed: the verdict, where it ends, what it stands on, what it touched, the reason
 * when it was stopped; with --explain everything that was tried, in order. A move that was blocked or refused is a negative answer (1).
 * Specs 05, 06. */
#include <stdio.h>

#include "math/number.h"
#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_move.h"

static void print_place(const char *label, const acp_position *position) {
    char text[ACP_PLACE_TEXT_CAPACITY];
    if (acp_position_format(position, ACP_PLACE_FORM_CELL, text, sizeof text, NULL) == ACP_OK) (void)printf("%-10s %s\n", label, text);
}

static void print_vec3(const char *label, acp_vec3 v) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_vec3(&writer, NULL, v);
    (void)printf("%-10s %s\n", label, acp_command_json_text(&writer));
    acp_json_writer_free(&writer);
}

static void print_ground(const char *label, const acp_ground_plane *plane) {
    if (!plane->is_valid) {
        (void)printf("%-10s none\n", label);
        return;
    }
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_plane(&writer, NULL, plane->plane);
    (void)printf("%-10s %s in 0x%08X%s%s\n", label, acp_command_json_text(&writer), (unsigned)plane->cell_id,
                 plane->is_water ? ", water" : "", (double)plane->plane.normal.z >= 0.664174139 ? "" : ", too steep to stand on");
    acp_json_writer_free(&writer);
}

static void print_text(const acp_move_question *q, bool explains) {
    const acp_move_result *r = &q->result;
    char text[1024];
    (void)printf("%-10s %s%s", "verdict", acp_move_verdict_name(r->verdict), r->has_position ? "" : ", nothing to adopt");
    if (r->planned_steps) (void)printf(", %u of %u sub-steps", (unsigned)r->taken_steps, (unsigned)r->planned_steps);
    (void)printf("\n");
    print_place("from", &q->from);
    if (!q->is_placement) print_place("to", &q->to);
    print_place("ends at", &r->position);
    if (r->cell_id)
        (void)printf("%-10s 0x%08X\n", "in cell", (unsigned)r->cell_id);
    else
        (void)printf("%-10s none that is resident\n", "in cell");
    print_ground("stands on", &r->contact);
    if (!r->contact.is_valid && r->last_known.is_valid) print_ground("stood on", &r->last_known);
    if (r->has_collision_normal) print_vec3("hit normal", r->collision_normal);
    if (r->has_sliding_normal) print_vec3("slides on", r->sliding_normal);
    if (r->frames_stationary_fall) (void)printf("%-10s %u\n", "stuck", (unsigned)r->frames_stationary_fall);
    for (uint32_t i = 0; i < r->object_count; i++) {
        acp_object_info info;
        acp_hit hit = {.kind = ACP_HIT_OBJECT, .object = r->objects[i], .part = ACP_HIT_NO_ORDINAL, .polygon = ACP_HIT_NO_ORDINAL};
        if (acp_object_get_info(q->scene->world, r->objects[i], &info) == ACP_OK) {
            hit.object_id = info.object_id;
            hit.cell_id = info.position.cell_id;
        }
        acp_move_name_hit(q, &hit, text, sizeof text);
        (void)printf("%-10s %s\n", i ? "" : "touched", text);
    }
    if (r->hit.kind != ACP_HIT_NONE) {
        acp_move_name_hit(q, &r->hit, text, sizeof text);
        (void)printf("%-10s %s\n", "stopped by", text);
    }
    if (!explains) return;
    (void)printf("explained\n");
    for (uint32_t i = 0; i < q->record_count; i++) {
        acp_move_describe(q, &q->records[i], text, sizeof text);
        (void)printf("  %s\n", text);
    }
}

static void write_way(acp_json_writer *w, const acp_move_question *q) {
    acp_json_write_position(w, "from", &q->from);
    if (q->is_placement)
        acp_json_write_null(w, "to");
    else
        acp_json_write_position(w, "to", &q->to);
}

static void print_json(const acp_move_question *q, bool explains, bool has_bits) {
    acp_json_writer w = {.float_form = has_bits ? ACP_JSON_DECIMAL_AND_HEX : ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.move.1");
    write_way(&w, q);
    acp_move_write_result(&w, q);
    if (explains) {
        acp_json_begin_array(&w, "explain");
        for (uint32_t i = 0; i < q->record_count; i++)
            acp_move_write_record(&w, q, &q->records[i]);
        acp_json_end_array(&w);
    }
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

static int run_move(acp_command_line *line) {
    acp_move_question q;
    int code = acp_move_question_ask(&q, line);
    if (code == ACP_EXIT_OK) {
        bool explains = acp_command_flag(line, "explain");
        if (acp_command_flag(line, "json"))
            print_json(&q, explains, acp_command_flag(line, "bits"));
        else
            print_text(&q, explains);
        if (q.result.verdict == ACP_MOVE_BLOCKED || q.result.verdict == ACP_MOVE_REFUSED) code = ACP_EXIT_NEGATIVE;
    }
    acp_move_question_close(&q);
    return acp_command_finish(line, code);
}

static const acp_option move_options[] = {
    ACP_OPTIONS_MOVE,
    ACP_OPTION_DEMO,
    ACP_OPTION_FLAT,
    {.name = "explain", .help = "tell every insert, test, hit, offset, step attempt, slide and verdict"},
    {.name = "bits", .help = "with --json: the exact bits beside every float"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_move = {
    .name = "move",
    .summary = "move a body from one place to another, and tell what happens",
    .description =
        "One transition, as the client does it. The world is a scene (--scene FILE), the DAT files of --dat-dir, the ground of --terrain, "
        "or flat ground at height 0 (--flat); when none is named, the miniature world. The mover is an object of the scene (--object), the "
        "one of a request in a file of vectors "
        "(--request ID, which brings start and end along), or a sphere of 0.48 m with step heights of a human; options win over both.\n\n"
        "A place is a cell id with coordinates, a /loc line or map coordinates, in quotes. The end of a move is in the landblock that "
        "its own id names.\n\n"
        "Exit code 0: it moved (not necessarily all the way), 1: it was blocked where it stood, or refused.",
    .examples = "acphys move --flat --from '0xA9B40001 10 10 0' --by 5,0,0 --on-ground\ta walk on flat ground\n"
                "acphys move --scene town.json --object guard --to '0xA9B40024 100 84 0' --explain\teverything that was tried\n"
                "acphys move --scene transition.jsonl --request 1200 --json\ta line of a file of vectors",
    ACP_COMMAND_OPTIONS(move_options),
    .run = run_move,
};

/* ------------------------------------------------------------------------------------------------------------------------- why */

static void print_reason(const acp_move_question *q, const acp_move_reason *reason) {
    char text[1024];
    (void)printf("%s\n", reason->text);
    print_place("ends at", &q->result.position);
    for (uint32_t i = 0; i < reason->record_count; i++) {
        acp_move_describe(q, &q->records[reason->records[i]], text, sizeof text);
        const char *begin = text;
        while (*begin == ' ')
            begin++;
        (void)printf("  %s\n", begin);
    }
}

static int run_why(acp_command_line *line) {
    acp_move_question q;
    acp_move_reason reason;
    int code = acp_move_question_ask(&q, line);
    if (code == ACP_EXIT_OK) {
        acp_move_why(&q, &reason);
        if (acp_command_flag(line, "json")) {
            acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
            acp_json_begin_object(&w, NULL);
            acp_json_write_string(&w, "schema", "acphys.why-move.1");
            write_way(&w, &q);
            acp_json_begin_object(&w, "answer");
            acp_json_write_string(&w, "reason", reason.code);
            acp_json_write_flag(&w, "passed", reason.has_passed);
            acp_json_write_string(&w, "text", reason.text);
            acp_json_write_float(&w, "wished", acp_f32(reason.wished));
            acp_json_write_float(&w, "went", acp_f32(reason.went));
            acp_json_write_float(&w, "missing", acp_f32(reason.missing));
            acp_json_begin_array(&w, "tests");
            for (uint32_t i = 0; i < reason.record_count; i++)
                acp_move_write_record(&w, &q, &q.records[reason.records[i]]);
            acp_json_end_array(&w);
            acp_json_end_object(&w);
            acp_json_begin_object(&w, "result");
            acp_move_write_result(&w, &q);
            acp_json_end_object(&w);
            acp_json_end_object(&w);
            (void)printf("%s\n", acp_command_json_text(&w));
            acp_json_writer_free(&w);
        } else {
            print_reason(&q, &reason);
        }
        if (!reason.has_passed) code = ACP_EXIT_NEGATIVE;
    }
    acp_move_question_close(&q);
    return acp_command_finish(line, code);
}

static const acp_option why_options[] = {
    ACP_OPTIONS_MOVE,
    ACP_OPTION_DEMO,
    ACP_OPTION_FLAT,
    ACP_OPTION_JSON,
};

const acp_command acp_command_why_move = {
    .name = "move",
    .summary = "tell why a move stopped, passed or fell",
    .description =
        "World, mover and way are named as for 'acphys move'. The answer names the object with its part and polygon, the room or "
        "building with its polygon, or the triangle of the ground, and the cell, and what was tried against it.\n\n"
        "Exit code 0: it passed, 1: it was stopped, refused, or left the ground.",
    .examples = "acphys why move --scene house.json --object guard --by 0,3,0\twhat stops it",
    ACP_COMMAND_OPTIONS(why_options),
    .run = run_why,
};
