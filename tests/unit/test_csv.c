/* SPDX-License-Identifier: MIT */
/* The CSV reader and the loading of plain and gzipped files: rows, places of fields, and every kind of malformed text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "support/csv.h"
#include "support/load_file.h"
#include "tests/support/temporary.h"

static void assert_field(const acp_csv_row *row, uint32_t index, const char *text, uint64_t line, uint64_t column) {
    assert_true(index < row->count);
    assert_int_equal(row->fields[index].length, strlen(text));
    assert_memory_equal(row->fields[index].text, text, strlen(text));
    assert_int_equal(row->fields[index].line, line);
    assert_int_equal(row->fields[index].column, column);
}

static acp_csv over(const char *text) {
    acp_csv csv;
    acp_csv_init(&csv, text, strlen(text));
    return csv;
}

static void rows_and_fields(void **state) {
    (void)state;
    acp_csv csv = over("\xEF\xBB\xBF"
                       "a,bb,\r\n\n\r\n,\"x,\"\"y\nz\",w\nlast");
    acp_csv_row row;
    acp_csv_fault fault;
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_ROW);
    assert_int_equal(row.count, 3);
    assert_field(&row, 0, "a", 1, 1); /* the mark is no column */
    assert_field(&row, 1, "bb", 1, 3);
    assert_field(&row, 2, "", 1, 6);
    assert_int_equal(acp_csv_find(&row, "bb"), 1);
    assert_int_equal(acp_csv_find(&row, "b"), -1);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_ROW);
    assert_int_equal(row.line, 4);
    assert_int_equal(row.count, 3);
    assert_field(&row, 0, "", 4, 1);
    assert_field(&row, 1, "x,\"\"y\nz", 4, 3);
    assert_field(&row, 2, "w", 5, 4);
    assert_int_equal(row.end_line, 5);
    assert_int_equal(row.end_column, 5);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_ROW);
    assert_field(&row, 0, "last", 6, 1);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_END);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_END);
}

static void faults_skip_one_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t line, column;
    } cases[] = {{"a,b\"c,d\nnext", 1, 4}, {"a,\"b\"c\nnext", 1, 6}, {"x,\"never\nnext", 1, 3}, {"\"\nnext", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        acp_csv csv = over(cases[i].text);
        acp_csv_row row;
        acp_csv_fault fault;
        assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_FAULT);
        assert_int_equal(fault.line, cases[i].line);
        assert_int_equal(fault.column, cases[i].column);
        assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_ROW);
        assert_field(&row, 0, "next", 2, 1);
    }
}

static void too_many_fields(void **state) {
    (void)state;
    char text[2 * ACP_CSV_MAX_FIELDS + 8];
    acp_csv_row row;
    acp_csv_fault fault;
    for (uint32_t i = 0; i < ACP_CSV_MAX_FIELDS; i++)
        memcpy(text + 2 * i, i + 1 < ACP_CSV_MAX_FIELDS ? "x," : "x\n", 2);
    acp_csv csv;
    acp_csv_init(&csv, text, 2 * ACP_CSV_MAX_FIELDS);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_ROW);
    assert_int_equal(row.count, ACP_CSV_MAX_FIELDS);
    text[2 * ACP_CSV_MAX_FIELDS - 1] = ',';
    acp_csv_init(&csv, text, 2 * ACP_CSV_MAX_FIELDS);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_FAULT);
    assert_int_equal(acp_csv_next(&csv, &row, &fault), ACP_CSV_END);
}

/* ---- files ---- */

static char path[TEST_PATH_CAPACITY];

static void write_file(const void *bytes, size_t size, int is_packed) {
    if (is_packed) {
        gzFile stream = gzopen(path, "wb");
        assert_non_null(stream);
        assert_int_equal(gzwrite(stream, bytes, (unsigned)size), (int)size);
        assert_int_equal(gzclose(stream), Z_OK);
        return;
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void loads_plain_and_packed(void **state) {
    (void)state;
    char content[200000], *bytes;
    size_t size;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)(i * i >> 3);
    for (int is_packed = 0; is_packed < 2; is_packed++) {
        write_file(content, sizeof content, is_packed);
        assert_int_equal(acp_load_file(path, sizeof content, &bytes, &size, NULL), ACP_OK);
        assert_int_equal(size, sizeof content);
        assert_memory_equal(bytes, content, size);
        assert_int_equal(bytes[size], 0);
        free(bytes);
        assert_int_equal(acp_load_file(path, sizeof content - 1, &bytes, &size, NULL), ACP_ERROR_LIMIT);
    }
}

static void refuses_damaged_streams(void **state) {
    (void)state;
    char content[50000], packed[60000], *bytes;
    size_t size;
    acp_error error;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)(i * 7919u >> 5);
    write_file(content, sizeof content, 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t packed_size = fread(packed, 1, sizeof packed, file);
    (void)fclose(file);
    for (size_t cut = 3; cut < packed_size; cut += packed_size / 7) {
        write_file(packed, cut, 0);
        acp_result result = acp_load_file(path, 1u << 20, &bytes, &size, &error);
        assert_true(result == ACP_ERROR_TRUNCATED || result == ACP_ERROR_BAD_DATA);
        assert_string_equal(error.file, path);
    }
    packed[packed_size - 6] = (char)(packed[packed_size - 6] ^ 1); /* the checksum */
    write_file(packed, packed_size, 0);
    assert_int_equal(acp_load_file(path, 1u << 20, &bytes, &size, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_load_file("/nonexistent/file", 1u << 20, &bytes, &size, &error), ACP_ERROR_IO);
    assert_true(error.system_error != 0);
    assert_int_equal(acp_load_file("/", 1u << 20, &bytes, &size, &error), ACP_ERROR_IO);
}

static int make_path(void **state) {
    (void)state;
    return close(test_temporary_file("load", path));
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_fields),        cmocka_unit_test(faults_skip_one_line),    cmocka_unit_test(too_many_fields),
        cmocka_unit_test(loads_plain_and_packed), cmocka_unit_test(refuses_damaged_streams),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
