/* SPDX-License-Identifier: MIT */
/* Captures of runs for `acphys replay` (tool_replay_runs.h): loaded whole, replayed in the miniature world or a DAT folder, differences
 * told.
 *
 * A capture up to 1 GiB, plain or gzipped. One that cannot be replayed (bad line, unknown schema) is bad data, told with its line. */
#include "tools/acphys/tool_replay_runs.h"

#include <stdlib.h>
#include <string.h>

#include "support/load_file.h"
#include "tools/acphys/tool_run_minimise.h"

#define MAX_KEPT 1000u

bool acp_replay_runs_is_capture(const char *path) {
    char head[32];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (!file) return false;
    size_t size = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return acp_run_is_capture(head, size);
}

static void tell(const acp_run_difference *d, const char *path, acp_json_writer *json) {
    if (!json) {
        (void)printf("%s:%llu: step %lu: %s: %s: %s: recorded %s, computed %s\n", path, (unsigned long long)d->line, (unsigned long)d->step,
                     d->body, d->when, d->member, d->recorded, d->computed);
        return;
    }
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "file", path);
    acp_json_write_uint(json, "line", d->line);
    acp_json_write_uint(json, "step", d->step);
    acp_json_write_string(json, "class", "run");
    acp_json_write_string(json, "body", d->body);
    acp_json_write_string(json, "when", d->when);
    acp_json_write_string(json, "member", d->member);
    acp_json_write_string(json, "recorded", d->recorded);
    acp_json_write_string(json, "computed", d->computed);
    acp_json_end_object(json);
}

static int minimise(acp_replay_runs *runs, const acp_command_line *line, const char *path, const char *text, size_t size) {
    acp_json_writer smaller = {0};
    acp_run_minimised report = {0};
    const char *name = acp_command_text(line, "minimise");
    uint64_t step = acp_command_integer(line, "cut");
    int code = ACP_EXIT_OK;
    if (step && (step > UINT32_MAX || !acp_run_cut_capture(text, size, &runs->source, (uint32_t)step, &smaller))) {
        acp_command_error(line, "%s: there is no step %llu to cut out", path, (unsigned long long)step);
        code = ACP_EXIT_BAD_DATA;
    } else if (!step && !acp_run_minimise_capture(text, size, &runs->source, &smaller, &report)) {
        acp_command_error(line, "%s: the first difference does not show when its step is cut out", path);
    } else {
        code = acp_command_write_json(line, name, &smaller);
        if (!step && code == ACP_EXIT_OK)
            acp_command_note(line, "%s: after %lu tries one resolve, %lu bodies, %lu landblocks are left", name,
                             (unsigned long)report.tries, (unsigned long)report.bodies, (unsigned long)report.blocks);
    }
    acp_json_writer_free(&smaller);
    return code;
}

static int open_source(acp_replay_runs *runs, const acp_command_line *line) {
    if (runs->is_source_open) return ACP_EXIT_OK;
    runs->is_source_open = true;
    return acp_run_source_open(&runs->source, line, acp_dat_dir_name(line));
}

int acp_replay_runs_file(acp_replay_runs *runs, const acp_command_line *line, const char *path, uint64_t *io_limit, acp_json_writer *json) {
    acp_error error = {0};
    acp_run_replay replay = {.keep_limit = (uint32_t)(*io_limit < MAX_KEPT ? *io_limit : MAX_KEPT)};
    char *text = NULL;
    size_t size = 0;
    int code = open_source(runs, line);
    if (code != ACP_EXIT_OK) return code;
    if (acp_load_file(path, (size_t)1 << 30, &text, &size, &error) != ACP_OK) return acp_command_fail(line, &error);
    replay.kept = calloc((size_t)replay.keep_limit + 1, sizeof *replay.kept);
    if (!replay.kept) {
        acp_command_error(line, "out of memory");
        code = ACP_EXIT_INTERNAL;
    } else if (!acp_run_replay_text(text, size, &runs->source, &replay)) {
        const acp_error *e = &replay.error;
        acp_command_error(line, "%s:%llu: %s%s%s", path, (unsigned long long)replay.error_line, e->field, e->field[0] ? ": " : "",
                          e->message);
        code = acp_exit_code_of(e->code ? e->code : ACP_ERROR_BAD_DATA);
    }
    for (uint32_t i = 0; i < replay.kept_count; i++)
        tell(&replay.kept[i], path, json);
    bool is_asked = acp_command_text(line, "minimise") && (replay.differences || acp_command_integer(line, "cut"));
    if (code == ACP_EXIT_OK && is_asked) code = minimise(runs, line, path, text, size);
    *io_limit -= replay.kept_count;
    runs->resolves += replay.resolves;
    runs->equal += replay.equal;
    runs->differences += replay.differences;
    free(replay.kept);
    free(text);
    return code;
}

void acp_replay_runs_close(acp_replay_runs *runs) {
    if (runs->is_source_open) acp_run_source_close(&runs->source);
    runs->is_source_open = false;
}
