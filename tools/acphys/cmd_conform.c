/* SPDX-License-Identifier: MIT */
/* `acphys conform`: runs vector files and reports every difference.
 *
 * Each line is recomputed and compared by conform.c; this file counts and prints. Text: per difference the file, line, operation, spec
 * section and both values; per file with several files a count; last the line "N passed, N failed". JSON: one document. Exit 1 on any
 * failure and when there was nothing to compare at all, 4 when a file could not be read. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/json_lines.h"
#include "support/system_error.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/conform.h"

typedef struct report {
    acp_command_line *line;
    acp_json_writer json; /* the document, with --json */
    bool is_json;
    bool skips_unknown;
    uint64_t printed;
    uint64_t limit;
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
    int code; /* worst so far besides differences */
} report;

static void print_difference(report *r, const char *file, uint64_t number, const acp_conform_outcome *o) {
    const char *red = r->line->has_color ? "\033[31m" : "", *plain = r->line->has_color ? "\033[0m" : "";
    (void)printf("%s:%llu: %s%s%s", file, (unsigned long long)number, red, o->operation[0] != '\0' ? o->operation : "malformed line",
                 plain);
    if (o->section[0] != '\0') (void)printf(" (spec %s)", o->section);
    if (o->id[0] != '\0') (void)printf(", id %s", o->id);
    (void)putchar('\n');
    if (o->message[0] != '\0') (void)printf("    %s\n", o->message);
    if (o->path[0] != '\0')
        (void)printf("    %s: expected %s\n    %*s  actual   %s\n", o->path, o->expected, (int)strlen(o->path), "", o->actual);
}

static void write_difference(report *r, const char *file, uint64_t number, const acp_conform_outcome *o) {
    acp_json_writer *json = &r->json;
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "file", file);
    acp_json_write_uint(json, "line", number);
    if (o->id[0] != '\0') acp_json_write_string(json, "id", o->id);
    if (o->operation[0] != '\0') acp_json_write_string(json, "op", o->operation);
    if (o->section[0] != '\0') acp_json_write_string(json, "section", o->section);
    if (o->message[0] != '\0') acp_json_write_string(json, "message", o->message);
    if (o->path[0] != '\0') {
        acp_json_write_string(json, "path", o->path);
        acp_json_write_string(json, "expected", o->expected);
        acp_json_write_string(json, "actual", o->actual);
    }
    acp_json_end_object(json);
}

static void note_outcome(report *r, const char *file, uint64_t number, acp_conform_outcome *o) {
    bool is_bad = o->status == ACP_CONFORM_FAILED || (o->status == ACP_CONFORM_UNKNOWN && !r->skips_unknown);
    r->passed += o->status == ACP_CONFORM_PASSED;
    r->failed += is_bad;
    r->skipped += o->status == ACP_CONFORM_UNKNOWN && r->skips_unknown;
    if (!is_bad || r->printed >= r->limit) return;
    r->printed++;
    if (r->is_json)
        write_difference(r, file, number, o);
    else
        print_difference(r, file, number, o);
}

static void fail_file(report *r, const acp_error *error) {
    int code = acp_command_fail(r->line, error);
    if (code > r->code) r->code = code;
}

static void run_file(report *r, acp_conform *conform, const char *file) {
    acp_line_reader lines;
    acp_error error;
    const char *text;
    size_t length;
    acp_line_status status;
    if (acp_line_reader_open(&lines, file, &error) != ACP_OK) {
        fail_file(r, &error);
        return;
    }
    acp_conform_begin_file(conform);
    while ((status = acp_line_reader_next(&lines, &text, &length)) != ACP_LINE_END) {
        acp_conform_outcome outcome = {.status = ACP_CONFORM_FAILED, .section = ""};
        if (status == ACP_LINE_IO_ERROR) {
            (void)acp_error_set_errno(&error, "read", file);
            fail_file(r, &error);
            break;
        }
        if (status == ACP_LINE_TOO_LONG) {
            (void)snprintf(outcome.message, sizeof outcome.message, "the line is longer than 64 MiB");
        } else if (status != ACP_LINE_OK || acp_conform_line(conform, text, length, &outcome) != ACP_OK) {
            acp_error_set(&error, ACP_ERROR_OUT_OF_MEMORY, "conform", "out of memory in line %llu", (unsigned long long)lines.line_number);
            acp_error_set_file(&error, file);
            fail_file(r, &error);
            break;
        }
        note_outcome(r, file, lines.line_number, &outcome);
        if (lines.line_number % 256 == 0) acp_command_progress(r->line, file, lines.line_number, 0);
    }
    acp_command_progress_end(r->line);
    acp_line_reader_close(&lines);
}

static int run_conform(acp_command_line *line) {
    report r = {.line = line,
                .is_json = acp_command_flag(line, "json"),
                .skips_unknown = strcmp(acp_command_text(line, "unknown"), "skip") == 0,
                .limit = acp_command_integer(line, "max-differences")};
    acp_conform *conform = acp_conform_new();
    if (conform == NULL) {
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    acp_json_begin_object(&r.json, NULL);
    acp_json_write_string(&r.json, "schema", "acphys.conform.1");
    acp_json_begin_array(&r.json, "differences");
    for (uint32_t i = 0; i < line->operand_count; i++)
        run_file(&r, conform, line->operands[i]);
    acp_json_end_array(&r.json);
    acp_json_write_uint(&r.json, "passed", r.passed);
    acp_json_write_uint(&r.json, "failed", r.failed);
    acp_json_write_uint(&r.json, "skipped", r.skipped);
    acp_json_end_object(&r.json);
    if (r.is_json) {
        (void)printf("%s\n", acp_command_json_text(&r.json));
    } else {
        if (r.printed < r.failed && r.limit > 0)
            (void)printf("… and %llu more (--max-differences)\n", (unsigned long long)(r.failed - r.printed));
        if (r.skipped > 0) (void)printf("%llu skipped: no such operation here\n", (unsigned long long)r.skipped);
        (void)printf("%llu passed, %llu failed\n", (unsigned long long)r.passed, (unsigned long long)r.failed);
    }
    if (r.passed + r.failed == 0 && r.code == ACP_EXIT_OK) acp_command_error(line, "there was nothing to compare");
    if (r.code == ACP_EXIT_OK && (r.failed > 0 || r.passed == 0)) r.code = ACP_EXIT_NEGATIVE;
    acp_conform_free(conform);
    acp_json_writer_free(&r.json);
    return acp_command_finish(line, r.code);
}

static const acp_option options[] = {
    {.name = "max-differences",
     .letter = 'n',
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "10",
     .help = "print the first N differences"},
    {.name = "unknown",
     .kind = ACP_OPTION_CHOICE,
     .argument = "HOW",
     .choices = "fail|skip",
     .fallback = "fail",
     .help = "what a line is whose operation does not exist"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_conform = {
    .name = "conform",
    .summary = "recompute vector files and report every difference",
    .operands = "FILE…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "A vector is a request as for eval with its expected out beside it. Every key of the expectation must be in the answer and "
        "be equal: floats bit for bit where <key>_hex is given, or within the line's own tol. Prints the first differences with both "
        "values and the spec section of the operation and, last, \"N passed, N failed\".\n\n"
        "Exit code 1 when anything failed or nothing could be compared. FILE may be - for standard input.",
    .examples = "acphys conform --unknown skip tests/vectors/*.jsonl\tthe samples of this source tree, but for operations to come\n"
                "acphys conform --json --max-differences 1000 frame.jsonl\tfor a program to read",
    ACP_COMMAND_OPTIONS(options),
    .run = run_conform,
};
