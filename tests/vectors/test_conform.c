/* SPDX-License-Identifier: MIT */
/* Every vector, recomputed and compared bit for bit: the samples of this folder always, the full sets where ../shared has them (else
 * skipped, with the reason). A file is `complete` once all its operations exist: then every line must pass. Until then lines of operations
 * that do not exist yet are counted and told, never passed over in silence; every other line must pass all the same. Expected values come
 * from the original algorithm (../shared/vectors/retail-bits/README.md). */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/acphys/conform.h"

typedef struct vector_file {
    const char *name;
    bool is_complete;
} vector_file;

static vector_file files[] = {
    {"landdefs", true},   {"frame", true},       {"position", true},    {"planebox", true}, {"bspcell", true},   {"polygon", true},
    {"bspsphere", true},  {"membership", true},  {"membership2", true}, {"terrain", true},  {"collision", true}, {"collision2", true},
    {"transition", true}, {"transition2", true}, {"physics", true},     {"simulate", true}, {"body2", true},     {"scenery", true},
    {"motion", false},    {"examples", true},    {"scenarios", true},
};
enum { file_count = sizeof files / sizeof files[0] };

static void run_file(const vector_file *file, const char *folder) {
    char path[1024];
    acp_conform_counts counts;
    acp_conform_outcome first;
    acp_error error;
    (void)snprintf(path, sizeof path, "%s/%s/%s.jsonl", ACP_SOURCE_DIR, folder, file->name);
    acp_conform *conform = acp_conform_new();
    assert_non_null(conform);
    acp_result result = acp_conform_file(conform, path, &counts, &first, &error);
    acp_conform_free(conform);
    if (result != ACP_OK) fail_msg("%s: %s", path, error.message);
    if (counts.failed > 0 || counts.unknown > 0)
        print_message("%s: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
                      " of operations that do not exist; first: %s (%s) id %s %s\n    "
                      "%s: expected %s\n    actual %s\n",
                      file->name, counts.passed, counts.failed, counts.unknown, first.operation, first.section, first.id, first.message,
                      first.path, first.expected, first.actual);
    assert_int_equal(counts.failed, 0);
    if (!file->is_complete) return;
    assert_int_equal(counts.unknown, 0);
    assert_true(counts.passed > 0);
}

static void sample(void **state) { run_file(*state, "tests/vectors"); }

static void whole(void **state) {
    static const char folder[] = "../shared/vectors/retail-bits";
    const vector_file *file = *state;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s/%s.jsonl", ACP_SOURCE_DIR, folder, file->name);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        print_message("skipped: no %s/%s.jsonl\n", folder, file->name);
        skip();
        return;
    }
    (void)fclose(stream);
    run_file(file, folder);
}

int main(void) {
    static struct CMUnitTest tests[2 * file_count];
    static char names[2 * file_count][32];
    for (size_t i = 0; i < file_count; i++) {
        (void)snprintf(names[2 * i], sizeof names[0], "sample_%s", files[i].name);
        (void)snprintf(names[2 * i + 1], sizeof names[0], "whole_%s", files[i].name);
        tests[2 * i] = (struct CMUnitTest){.name = names[2 * i], .test_func = sample, .initial_state = &files[i]};
        tests[2 * i + 1] = (struct CMUnitTest){.name = names[2 * i + 1], .test_func = whole, .initial_state = &files[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
