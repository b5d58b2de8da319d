/* SPDX-License-Identifier: MIT */
/* Places for tests to write to: TMPDIR, as everybody's tools take it. Whoever asks removes what it made. */
#define _XOPEN_SOURCE 700
#include "tests/support/temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void test_temporary_template(const char *name, char out[TEST_PATH_CAPACITY]) {
    const char *folder = getenv("TMPDIR");
    int length = snprintf(out, TEST_PATH_CAPACITY, "%s/acphys-%s-XXXXXX", folder && folder[0] ? folder : "/tmp", name);
    assert_true(length > 0 && (size_t)length < TEST_PATH_CAPACITY);
}

int test_temporary_file(const char *name, char out[TEST_PATH_CAPACITY]) {
    test_temporary_template(name, out);
    int descriptor = mkstemp(out);
    assert_true(descriptor >= 0);
    return descriptor;
}

void test_temporary_folder(const char *name, char out[TEST_PATH_CAPACITY]) {
    test_temporary_template(name, out);
    assert_non_null(mkdtemp(out));
}
