/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_TEMPORARY_H
#define ACP_TESTS_SUPPORT_TEMPORARY_H

#include <stddef.h>

/* Names for files and folders of tests, in the folder of TMPDIR (else /tmp), ready for mkstemp and mkdtemp. */
#define TEST_PATH_CAPACITY 4096u

/* "<folder>/acphys-<name>-XXXXXX". A failure fails the cmocka test. */
void test_temporary_template(const char *name, char out[TEST_PATH_CAPACITY]);
/* A fresh empty file; its open descriptor. */
int test_temporary_file(const char *name, char out[TEST_PATH_CAPACITY]);
/* A fresh empty folder. */
void test_temporary_folder(const char *name, char out[TEST_PATH_CAPACITY]);

#endif
