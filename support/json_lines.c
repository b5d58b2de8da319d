/* SPDX-License-Identifier: MIT */
/* Lines of a stream in one reused buffer.
 *
 * The buffer holds a window of the stream; a line is handed out inside it, and what follows moves to the front when more is needed. It
 * grows by doubling up to the byte limit; a longer line is skipped to its end and reported, so one monstrous line does not end a stream.
 * Reads go through read(2)-sized fread calls that return early on a pipe, so that `eval` answers a line as soon as it came. */
#include "support/json_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "support/json.h"
#include "support/system_error.h"

#define FIRST_CAPACITY ((size_t)1 << 16)

void acp_line_reader_init(acp_line_reader *reader, FILE *stream) { *reader = (acp_line_reader){.stream = stream}; }

acp_result acp_line_reader_open(acp_line_reader *reader, const char *path, acp_error *error) {
    *reader = (acp_line_reader){.stream = stdin};
    struct stat facts;
    int descriptor = 0;
    if (strcmp(path, "-") != 0) {
        reader->stream = fopen(path, "rb");
        reader->is_owner = true;
    }
    if (reader->stream != NULL) descriptor = fileno(reader->stream);
    if (reader->stream != NULL && fstat(descriptor, &facts) == 0) {
        if (!S_ISDIR(facts.st_mode)) return ACP_OK;
        errno = EISDIR;
    }
    (void)acp_error_set_errno(error, "open", path);
    acp_line_reader_close(reader);
    return ACP_ERROR_IO;
}

void acp_line_reader_close(acp_line_reader *reader) {
    if (reader->is_owner && reader->stream != NULL) fclose(reader->stream);
    free(reader->buffer);
    *reader = (acp_line_reader){.is_at_end = true};
}

/* Makes room behind `end`: moves the window to the front, then grows. False when memory is out. */
static bool make_room(acp_line_reader *reader) {
    size_t held = reader->end - reader->begin;
    if (reader->begin > 0) {
        memmove(reader->buffer, reader->buffer + reader->begin, held);
        reader->scanned -= reader->begin;
        reader->begin = 0;
        reader->end = held;
    }
    if (reader->end < reader->capacity) return true;
    size_t capacity = reader->capacity == 0 ? FIRST_CAPACITY : reader->capacity * 2;
    char *buffer = realloc(reader->buffer, capacity);
    if (buffer == NULL) return false;
    reader->buffer = buffer;
    reader->capacity = capacity;
    return true;
}

/* More bytes behind `end`. False at the end of the stream or on a failure. */
static bool fill(acp_line_reader *reader, bool *out_has_failed) {
    ssize_t got;
    if (reader->before_read != NULL) reader->before_read(reader->user);
    do {
        got = read(fileno(reader->stream), reader->buffer + reader->end, reader->capacity - reader->end);
    } while (got < 0 && errno == EINTR);
    *out_has_failed = got < 0;
    if (got <= 0) {
        reader->is_at_end = true;
        return false;
    }
    reader->end += (size_t)got;
    return true;
}

/* Drops a line that cannot be held, to its end. */
static acp_line_status skip_line(acp_line_reader *reader, acp_line_status status) {
    bool has_failed;
    reader->line_number++;
    if (reader->capacity == 0) reader->is_at_end = true;
    while (!reader->is_at_end) {
        reader->begin = reader->end = reader->scanned = 0;
        if (!fill(reader, &has_failed)) break;
        const char *feed = memchr(reader->buffer, '\n', reader->end);
        if (feed == NULL) continue;
        reader->begin = reader->scanned = (size_t)(feed - reader->buffer) + 1;
        return status;
    }
    reader->begin = reader->end = reader->scanned = 0;
    return status;
}

/* Hands out begin…end; the next line starts at `next`. */
static acp_line_status give(acp_line_reader *reader, size_t limit, size_t end, size_t next, const char **out_text, size_t *out_length) {
    const char *text = reader->buffer + reader->begin;
    size_t length = end - reader->begin;
    if (length > 0 && text[length - 1] == '\r') length--;
    reader->begin = reader->scanned = next;
    reader->line_number++;
    if (length > limit) return ACP_LINE_TOO_LONG;
    *out_text = text;
    *out_length = length;
    return ACP_LINE_OK;
}

acp_line_status acp_line_reader_next(acp_line_reader *reader, const char **out_text, size_t *out_length) {
    size_t limit = reader->byte_limit != 0 ? reader->byte_limit : ACP_JSON_MAX_LINE;
    *out_text = "";
    *out_length = 0;
    for (;;) {
        if (reader->scanned < reader->end) {
            const char *feed = memchr(reader->buffer + reader->scanned, '\n', reader->end - reader->scanned);
            if (feed != NULL) {
                size_t at = (size_t)(feed - reader->buffer);
                return give(reader, limit, at, at + 1, out_text, out_length);
            }
            reader->scanned = reader->end;
        }
        if (reader->is_at_end) {
            if (reader->begin == reader->end) return ACP_LINE_END;
            return give(reader, limit, reader->end, reader->end, out_text, out_length);
        }
        if (reader->end - reader->begin > limit + 1) return skip_line(reader, ACP_LINE_TOO_LONG);
        if (!make_room(reader)) return skip_line(reader, ACP_LINE_OUT_OF_MEMORY);
        bool has_failed;
        if (!fill(reader, &has_failed) && has_failed) return ACP_LINE_IO_ERROR;
    }
}
