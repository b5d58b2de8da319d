/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_JSON_LINES_H
#define ACP_SUPPORT_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "acphys/result.h"

/* Lines of a text stream, of any length up to a limit, in one reused buffer. LF or CRLF; the last line may lack its end. Bytes are not
 * looked at (NUL passes through). */
typedef struct acp_line_reader {
    FILE *stream;
    char *buffer;
    size_t capacity;
    size_t begin;
    size_t end;
    size_t scanned;
    size_t byte_limit;    /* longest line; 0 = ACP_JSON_MAX_LINE */
    uint64_t line_number; /* of the line given last, from 1 */
    bool is_at_end;
    bool is_owner;
    void (*before_read)(void *user); /* called before every read of the stream, which may wait: a place to flush answers; may be null */
    void *user;
} acp_line_reader;

typedef enum acp_line_status {
    ACP_LINE_OK,
    ACP_LINE_END,
    ACP_LINE_TOO_LONG,      /* the line is skipped */
    ACP_LINE_OUT_OF_MEMORY, /* the line is skipped */
    ACP_LINE_IO_ERROR       /* errno tells why */
} acp_line_status;

/* Over a stream of the caller's. */
void acp_line_reader_init(acp_line_reader *reader, FILE *stream);
/* Opens a file ("-" is standard input). A directory is refused. */
acp_result acp_line_reader_open(acp_line_reader *reader, const char *path, acp_error *error);
/* The next line without its end; valid until the next call. */
acp_line_status acp_line_reader_next(acp_line_reader *reader, const char **out_text, size_t *out_length);
void acp_line_reader_close(acp_line_reader *reader);

#endif
