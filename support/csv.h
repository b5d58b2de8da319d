/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_CSV_H
#define ACP_SUPPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Comma-separated values (RFC 4180) from memory: rows of fields that point into the text. LF, CRLF or the end of the text ends a row, blank
 * lines and a byte order mark at the start are skipped. A field in quotes may hold commas, line ends and doubled quotes (left doubled). */

#define ACP_CSV_MAX_FIELDS 64u

typedef struct acp_csv_field {
    const char *text; /* not terminated; without the quotes */
    size_t length;
    uint64_t line;   /* from 1 */
    uint64_t column; /* byte in its line, from 1, of the first byte of `text` */
} acp_csv_field;

typedef struct acp_csv_row {
    uint64_t line; /* where the row begins */
    uint32_t count;
    acp_csv_field fields[ACP_CSV_MAX_FIELDS];
    uint64_t end_line; /* just behind the last field */
    uint64_t end_column;
} acp_csv_row;

typedef enum acp_csv_status {
    ACP_CSV_ROW,
    ACP_CSV_END,
    ACP_CSV_FAULT /* the row is malformed and has been skipped to the end of the line */
} acp_csv_status;

typedef struct acp_csv_fault {
    uint64_t line;
    uint64_t column;
    const char *message; /* static */
} acp_csv_fault;

typedef struct acp_csv {
    const char *text;
    size_t length;
    size_t at;
    size_t line_start;
    uint64_t line; /* of `at`, from 1 */
} acp_csv;

/* Over `length` bytes that stay as they are. */
void acp_csv_init(acp_csv *csv, const char *text, size_t length);
acp_csv_status acp_csv_next(acp_csv *csv, acp_csv_row *out_row, acp_csv_fault *out_fault);
/* Index of the field that equals `name`, or -1. */
int32_t acp_csv_find(const acp_csv_row *row, const char *name);
/* The same among the fields from `first` on. */
int32_t acp_csv_find_from(const acp_csv_row *row, const char *name, uint32_t first);

#endif
