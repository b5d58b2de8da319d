/* SPDX-License-Identifier: MIT */
/* `acphys eval`: JSON Lines in, JSON Lines out, one answer a line, in order (docs/format-eval.md).
 *
 * Answers are gathered and written when 64 KiB are full or before the next read of the input could wait, so a script may hold the other end
 * of two pipes and ask line by line. Nothing in the input ends the stream; a line that cannot be answered gets an error answer. Ends early
 * only when the output cannot be written or memory is out. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/json_lines.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/eval.h"

typedef struct stream {
    acp_json_writer answers;
    bool has_failed;
} stream;

static void flush_answers(void *user) {
    stream *s = user;
    if (s->answers.length == 0) return;
    if (fwrite(s->answers.text, 1, s->answers.length, stdout) != s->answers.length || fflush(stdout) != 0) s->has_failed = true;
    acp_json_writer_reset(&s->answers);
}

/* The answer to a line that could not even be held. */
static void answer_lost_line(acp_json_writer *out, acp_line_status status) {
    acp_json_begin_object(out, NULL);
    acp_json_write_null(out, "id");
    acp_json_begin_object(out, "error");
    acp_json_write_string(out, "code", acp_result_name(status == ACP_LINE_TOO_LONG ? ACP_ERROR_LIMIT : ACP_ERROR_OUT_OF_MEMORY));
    acp_json_write_string(out, "message", status == ACP_LINE_TOO_LONG ? "the line is longer than 64 MiB" : "out of memory");
    acp_json_end_object(out);
    acp_json_end_object(out);
    acp_json_end_line(out);
}

static int list_operations(const acp_command_line *line) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    bool is_json = acp_command_flag(line, "json");
    acp_json_begin_object(&writer, NULL);
    acp_json_write_string(&writer, "schema", "acphys.operations.1");
    acp_json_begin_array(&writer, "operations");
    for (const acp_eval_area *const *area = acp_eval_areas; *area != NULL; area++) {
        for (uint32_t i = 0; i < (*area)->count; i++) {
            const acp_eval_operation *operation = &(*area)->operations[i];
            if (!is_json) (void)printf("%-36s %-12s %s\n", operation->name, (*area)->name, operation->section);
            acp_json_begin_object(&writer, NULL);
            acp_json_write_string(&writer, "op", operation->name);
            acp_json_write_string(&writer, "area", (*area)->name);
            acp_json_write_string(&writer, "section", operation->section);
            acp_json_end_object(&writer);
        }
    }
    acp_json_end_array(&writer);
    acp_json_end_object(&writer);
    if (is_json) (void)printf("%s\n", acp_command_json_text(&writer));
    acp_json_writer_free(&writer);
    return acp_command_finish(line, ACP_EXIT_OK);
}

/* Answers until the input ends; the exit code. */
static int answer_all(acp_command_line *line, acp_eval *eval, acp_line_reader *lines, stream *s) {
    const char *text;
    size_t length;
    acp_line_status status;
    uint64_t error_count = 0;
    while ((status = acp_line_reader_next(lines, &text, &length)) != ACP_LINE_END) {
        bool is_error = false;
        if (status == ACP_LINE_IO_ERROR) {
            flush_answers(s);
            acp_command_error(line, "cannot read: %s", strerror(errno));
            return ACP_EXIT_IO;
        }
        if (status != ACP_LINE_OK)
            answer_lost_line(&s->answers, status);
        else if (acp_eval_answer(eval, text, length, &s->answers, &is_error) != ACP_OK)
            break;
        error_count += is_error || status != ACP_LINE_OK;
        if (s->answers.length >= 65536) flush_answers(s);
        if (s->has_failed) break;
    }
    if (s->answers.is_failed) {
        acp_command_error(line, "out of memory in line %llu", (unsigned long long)lines->line_number);
        return ACP_EXIT_INTERNAL;
    }
    flush_answers(s);
    acp_command_detail(line, "%llu lines, %llu answered with an error", (unsigned long long)lines->line_number,
                       (unsigned long long)error_count);
    return error_count > 0 && acp_command_flag(line, "strict") ? ACP_EXIT_BAD_DATA : ACP_EXIT_OK;
}

static int run_eval(acp_command_line *line) {
    acp_error error;
    acp_line_reader lines;
    stream s = {.answers = {.float_form = acp_command_flag(line, "bits") ? ACP_JSON_DECIMAL_AND_HEX : ACP_JSON_DECIMAL}};
    if (acp_command_flag(line, "list")) return list_operations(line);
    if (acp_line_reader_open(&lines, line->operand_count > 0 ? line->operands[0] : "-", &error) != ACP_OK)
        return acp_command_fail(line, &error);
    lines.before_read = flush_answers;
    lines.user = &s;
    acp_eval *eval = acp_eval_new();
    int code = ACP_EXIT_INTERNAL;
    if (eval == NULL)
        acp_command_error(line, "out of memory");
    else
        code = answer_all(line, eval, &lines, &s);
    acp_eval_free(eval);
    acp_line_reader_close(&lines);
    acp_json_writer_free(&s.answers);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "bits", .help = "write the exact bits of every float beside it, under <key>_hex"},
    {.name = "strict", .help = "exit with 3 when any answer was an error"},
    {.name = "list", .help = "list the operations with their areas and spec sections"},
    {.name = "json", .help = "with --list: as JSON"},
};

const acp_command acp_command_eval = {
    .name = "eval",
    .summary = "answer operations given as JSON Lines",
    .operands = "[FILE]",
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Reads requests {\"id\": any, \"op\": \"<operation>\", \"in\": {…}}, one a line, from FILE or standard input, and writes for each "
        "one line {\"id\", \"op\", \"out\": {…}} or {\"id\", \"op\", \"error\": {\"code\", \"message\"}}, in order.\n\n"
        "A float may be given as a number or as its bits under <key>_hex, which win. Unknown fields are ignored; blank lines are "
        "skipped. A malformed line is answered with an error and never ends the stream. Lines with op scene or bsp_tree define a "
        "named world or tree for the lines after them.",
    .examples = "echo '{\"op\":\"gid_to_lcoord\",\"in\":{\"cell\":\"0xA9B40001\"}}' | acphys eval\tone question\n"
                "acphys eval --bits requests.jsonl > answers.jsonl\tmany, with exact bits\n"
                "acphys eval --list\tall operations",
    ACP_COMMAND_OPTIONS(options),
    .run = run_eval,
};
