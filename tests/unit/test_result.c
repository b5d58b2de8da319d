/* SPDX-License-Identifier: MIT */
/* Error detail: printing and shortening. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void prints_all_parts(void **state) {
    (void)state;
    acp_error error;
    char text[512];
    assert_int_equal(acp_error_set(&error, ACP_ERROR_BAD_DATA, "dat open", "expected %d", 3), ACP_ERROR_BAD_DATA);
    acp_error_set_file(&error, "a.dat");
    acp_error_set_place(&error, 0x01000001u, 12, "header.magic");
    acp_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.dat: dat open: expected 3 (record 0x01000001, offset 12, field header.magic)");
}

static void a_long_path_keeps_its_end(void **state) {
    (void)state;
    acp_error error;
    char path[600];
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 10, "/tail.dat", 10);
    acp_error_set(&error, ACP_ERROR_IO, "open", "no");
    acp_error_set_file(&error, path);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_string_equal(error.file + strlen(error.file) - 9, "/tail.dat");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(prints_all_parts), cmocka_unit_test(a_long_path_keeps_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
