/* SPDX-License-Identifier: MIT */
/* Messages, progress and exit codes of all commands.
 *
 * Everything here writes to standard error. A progress line on a terminal is overwritten by the next one and wiped before any message; the
 * JSON form is one object a line. Progress is shown at most ten times a second, however often it is reported. Writable are the
 * state of that line, of which a terminal has one, and whether a report lacks something. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "support/json.h"
#include "support/output_file.h"
#include "tools/acphys/options.h"

static struct {
    bool is_shown; /* a progress line stands on the terminal */
    int64_t last;  /* milliseconds */
    char what[64];
} progress_line;
static bool is_report_short; /* memory was refused while it was written */

static void wipe(void) {
    if (!progress_line.is_shown) return;
    (void)fputs("\r\033[K", stderr);
    progress_line.is_shown = false;
}

__attribute__((format(printf, 4, 0))) static void message(const acp_command_line *line, const char *kind, const char *color,
                                                          const char *format, va_list arguments) {
    wipe();
    bool is_colored = line->has_error_color && color != NULL;
    (void)fprintf(stderr, "%s: %s%s%s", line->path, is_colored ? color : "", kind, is_colored ? "\033[0m" : "");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
}

void acp_command_error(const acp_command_line *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message(line, "error: ", "\033[31m", format, arguments);
    va_end(arguments);
}

void acp_command_note(const acp_command_line *line, const char *format, ...) {
    va_list arguments;
    if (line->is_quiet) return;
    va_start(arguments, format);
    message(line, "", NULL, format, arguments);
    va_end(arguments);
}

void acp_command_detail(const acp_command_line *line, const char *format, ...) {
    va_list arguments;
    if (line->is_quiet || line->verbosity == 0) return;
    va_start(arguments, format);
    message(line, "", NULL, format, arguments);
    va_end(arguments);
}

int acp_command_usage(const acp_command_line *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message(line, "error: ", "\033[31m", format, arguments);
    va_end(arguments);
    (void)fputs("Usage: ", stderr);
    acp_command_print_synopsis(line->command, line->path, stderr);
    (void)fprintf(stderr, "Try '%s --help'.\n", line->path);
    return ACP_EXIT_USAGE;
}

int acp_exit_code_of(acp_result result) {
    if (result == ACP_OK) return ACP_EXIT_OK;
    if (result == ACP_ERROR_INVALID_ARGUMENT) return ACP_EXIT_USAGE;
    if (result == ACP_ERROR_IO) return ACP_EXIT_IO;
    if (result == ACP_ERROR_CANCELLED) return ACP_EXIT_NEGATIVE;
    if (result == ACP_ERROR_OUT_OF_MEMORY || result == ACP_ERROR_INTERNAL || result == ACP_ERROR_STALE_HANDLE) return ACP_EXIT_INTERNAL;
    return ACP_EXIT_BAD_DATA;
}

int acp_command_fail(const acp_command_line *line, const acp_error *error) {
    char text[1024];
    (void)acp_error_format(error, text, sizeof text);
    acp_command_error(line, "%s", text);
    return acp_exit_code_of(error->code);
}

int acp_command_out_of_memory(const acp_command_line *line) {
    acp_command_error(line, "out of memory");
    return ACP_EXIT_INTERNAL;
}

const char *acp_command_json_text(acp_json_writer *writer) {
    is_report_short = is_report_short || writer->is_failed;
    return acp_json_writer_text(writer);
}

int acp_command_write_json(const acp_command_line *line, const char *path, const acp_json_writer *writer) {
    acp_error error;
    if (writer->is_failed) return acp_command_out_of_memory(line);
    return acp_output_file_write(path, writer->text, writer->length, &error) == ACP_OK ? ACP_EXIT_OK : acp_command_fail(line, &error);
}

static int64_t milliseconds(void) {
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) == 0) return 0;
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void acp_command_progress(const acp_command_line *line, const char *what, uint64_t done, uint64_t total) {
    if (line->progress == ACP_PROGRESS_NONE) return;
    int64_t now = milliseconds();
    bool is_other = strncmp(progress_line.what, what, sizeof progress_line.what - 1) != 0;
    bool is_last = total != 0 && done >= total;
    if (!is_other && !is_last && now - progress_line.last < 100) return;
    progress_line.last = now;
    (void)snprintf(progress_line.what, sizeof progress_line.what, "%s", what);
    if (line->progress == ACP_PROGRESS_JSON) {
        acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
        acp_json_begin_object(&writer, NULL);
        acp_json_write_string(&writer, "progress", what);
        acp_json_write_uint(&writer, "done", done);
        if (total != 0) acp_json_write_uint(&writer, "total", total);
        acp_json_end_object(&writer);
        (void)fprintf(stderr, "%s\n", acp_json_writer_text(&writer));
        acp_json_writer_free(&writer);
    } else if (total != 0) {
        (void)fprintf(stderr, "\r\033[K%s %3.0f %%", what, 100.0 * (double)done / (double)total);
        progress_line.is_shown = true;
    } else {
        (void)fprintf(stderr, "\r\033[K%s %llu", what, (unsigned long long)done);
        progress_line.is_shown = true;
    }
    if (is_last) acp_command_progress_end(line);
}

void acp_command_progress_end(const acp_command_line *line) {
    (void)line;
    wipe();
    progress_line.what[0] = '\0';
}

int acp_command_finish(const acp_command_line *line, int code) {
    wipe();
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return is_report_short ? acp_command_out_of_memory(line) : code;
    acp_command_error(line, "cannot write to standard output: %s", errno != 0 ? strerror(errno) : "the write failed");
    return ACP_EXIT_IO;
}
