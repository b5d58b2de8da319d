/* SPDX-License-Identifier: MIT */
/* Fuzz target: the CSV reader. Every field lies inside the text, lines and columns point at it, rows come in order, reading always ends,
 * and every byte of the input is passed exactly once. The input is copied to an exact allocation, so reading past its end is found. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The offset of a line and column, counted anew. */
static size_t offset_of(const char *text, size_t size, uint64_t line, uint64_t column) {
    size_t at = 0;
    for (uint64_t l = 1; l < line; l++) {
        const char *end = at < size ? memchr(text + at, '\n', size - at) : NULL;
        if (end == NULL) abort();
        at = (size_t)(end - text) + 1;
    }
    if (line == 1 && size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) at = 3;
    return at + (size_t)column - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1u << 14) return 0;
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_csv csv;
    acp_csv_row row;
    acp_csv_fault fault;
    acp_csv_status status;
    acp_csv_init(&csv, copy, size);
    size_t before = csv.at;
    while ((status = acp_csv_next(&csv, &row, &fault)) != ACP_CSV_END) {
        if (csv.at <= before || csv.at > size) abort();
        before = csv.at;
        if (status == ACP_CSV_FAULT) {
            if (fault.message == NULL || offset_of(copy, size, fault.line, fault.column) > size) abort();
            continue;
        }
        if (row.count == 0 || row.count > ACP_CSV_MAX_FIELDS) abort();
        for (uint32_t i = 0; i < row.count; i++) {
            const acp_csv_field *field = &row.fields[i];
            if (field->text < copy || field->length > size - (size_t)(field->text - copy)) abort();
            if (offset_of(copy, size, field->line, field->column) != (size_t)(field->text - copy)) abort();
        }
    }
    free(copy);
    return 0;
}
