/* SPDX-License-Identifier: MIT */
/* Comma-separated values from memory (RFC 4180).
 *
 * One pass, no allocation, no state beyond the reader: a row is an array of slices of the text. A row with more than ACP_CSV_MAX_FIELDS
 * fields, a quote inside an unquoted field, or anything but a comma or a line end behind a closing quote is a fault with line and column;
 * reading goes on at the next line. A quoted field that never closes is a fault at its opening quote, and reading goes on at the line after
 * that one, so a single stray quote does not swallow the file.
 * Limits: bytes are bytes (NUL included); columns count bytes. Cost: a few nanoseconds a byte. */
#include "support/csv.h"

#include <string.h>

void acp_csv_init(acp_csv *csv, const char *text, size_t length) {
    acp_csv fresh = {text, length, 0, 0, 1};
    *csv = fresh;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) csv->at = csv->line_start = 3;
}

static uint64_t column_of(const acp_csv *csv, size_t at) { return at - csv->line_start + 1u; }

/* At the end of the text or at a line end (a carriage return counts before a line feed or the end). */
static bool is_at_line_end(const acp_csv *csv, size_t at) {
    if (at >= csv->length || csv->text[at] == '\n') return true;
    return csv->text[at] == '\r' && (at + 1 >= csv->length || csv->text[at + 1] == '\n');
}

static void begin_line(acp_csv *csv, size_t at) {
    csv->at = csv->line_start = at;
    csv->line++;
}

/* Moves behind the end of the line that `at` is in. */
static void skip_line(acp_csv *csv) {
    const char *end = csv->at < csv->length ? memchr(csv->text + csv->at, '\n', csv->length - csv->at) : NULL;
    if (end)
        begin_line(csv, (size_t)(end - csv->text) + 1);
    else
        csv->at = csv->length;
}

static acp_csv_status fault_at(const acp_csv *csv, size_t at, const char *message, acp_csv_fault *out_fault) {
    acp_csv_fault fault = {csv->line, column_of(csv, at), message};
    *out_fault = fault;
    return ACP_CSV_FAULT;
}

/* A quoted field; `at` is on its opening quote. Line ends inside are counted only when the field closes. */
static bool take_quoted(acp_csv *csv, acp_csv_field *out_field) {
    size_t line_start = csv->line_start, at = csv->at + 1;
    uint64_t line = csv->line;
    acp_csv_field field = {csv->text + at, 0, line, at - line_start + 1u};
    for (; at < csv->length; at++) {
        if (csv->text[at] == '\n') {
            line++;
            line_start = at + 1;
        }
        if (csv->text[at] != '"') continue;
        if (at + 1 < csv->length && csv->text[at + 1] == '"') {
            at++;
            continue;
        }
        field.length = (size_t)(csv->text + at - field.text);
        *out_field = field;
        csv->at = at + 1;
        csv->line = line;
        csv->line_start = line_start;
        return true;
    }
    return false;
}

/* A field without quotes; false when a quote stands in it (csv->at is on that quote then). */
static bool take_plain(acp_csv *csv, acp_csv_field *out_field) {
    acp_csv_field field = {csv->text + csv->at, 0, csv->line, column_of(csv, csv->at)};
    while (!is_at_line_end(csv, csv->at) && csv->text[csv->at] != ',') {
        if (csv->text[csv->at] == '"') return false;
        csv->at++;
    }
    field.length = (size_t)(csv->text + csv->at - field.text);
    *out_field = field;
    return true;
}

acp_csv_status acp_csv_next(acp_csv *csv, acp_csv_row *out_row, acp_csv_fault *out_fault) {
    while (csv->at < csv->length && is_at_line_end(csv, csv->at))
        skip_line(csv);
    if (csv->at >= csv->length) return ACP_CSV_END;
    out_row->line = csv->line;
    out_row->count = 0;
    for (;;) {
        acp_csv_status status = ACP_CSV_ROW;
        acp_csv_field *field = &out_row->fields[out_row->count];
        if (out_row->count == ACP_CSV_MAX_FIELDS) {
            status = fault_at(csv, csv->at, "too many fields", out_fault);
        } else if (csv->at < csv->length && csv->text[csv->at] == '"') {
            if (!take_quoted(csv, field)) status = fault_at(csv, csv->at, "the quoted field does not end", out_fault);
        } else if (!take_plain(csv, field)) {
            status = fault_at(csv, csv->at, "a quote inside an unquoted field", out_fault);
        }
        if (status == ACP_CSV_ROW && !is_at_line_end(csv, csv->at) && csv->text[csv->at] != ',')
            status = fault_at(csv, csv->at, "expected a comma or the end of the line", out_fault);
        if (status != ACP_CSV_ROW) {
            skip_line(csv);
            return status;
        }
        out_row->count++;
        if (is_at_line_end(csv, csv->at)) break;
        csv->at++; /* the comma */
    }
    out_row->end_line = csv->line;
    out_row->end_column = column_of(csv, csv->at);
    skip_line(csv);
    return ACP_CSV_ROW;
}

int32_t acp_csv_find(const acp_csv_row *row, const char *name) { return acp_csv_find_from(row, name, 0); }

int32_t acp_csv_find_from(const acp_csv_row *row, const char *name, uint32_t first) {
    size_t length = strlen(name);
    for (uint32_t i = first; i < row->count; i++)
        if (row->fields[i].length == length && memcmp(row->fields[i].text, name, length) == 0) return (int32_t)i;
    return -1;
}
