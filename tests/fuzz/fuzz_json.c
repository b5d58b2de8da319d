/* SPDX-License-Identifier: MIT */
/* Fuzz target: the JSON reader and writer. Whatever reads must write to a text that reads again and writes to the same text, and every
 * number must convert or be refused. Nothing may crash, leak or read outside the given bytes (the input is copied to an exact allocation).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void convert_all(const acp_json *value) {
    double wide;
    float narrow;
    int64_t whole;
    (void)acp_json_to_double(value, &wide);
    (void)acp_json_to_float(value, &narrow);
    (void)acp_json_to_int64(value, &whole);
    for (const acp_json *at = value->first; at != NULL; at = at->next) {
        (void)acp_json_to_double(at, &wide);
        (void)acp_json_to_float(at, &narrow);
        (void)acp_json_to_int64(at, &whole);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_json_reader reader = {.byte_limit = (size_t)1 << 24}, again = {.byte_limit = (size_t)1 << 26};
    acp_json_writer first = {.float_form = ACP_JSON_DECIMAL}, second = {.float_form = ACP_JSON_DECIMAL};
    acp_json_fault fault;
    const acp_json *root = acp_json_read(&reader, copy, size, &fault);
    if (root != NULL) {
        convert_all(root);
        acp_json_write_tree(&first, NULL, root);
        const acp_json *copy_root = acp_json_read(&again, first.text, first.length, &fault);
        if (copy_root == NULL) abort();
        acp_json_write_tree(&second, NULL, copy_root);
        if (first.length != second.length || memcmp(first.text, second.text, first.length) != 0) abort();
    } else if (fault.message == NULL || fault.offset > size) {
        abort();
    }
    acp_json_writer_free(&first);
    acp_json_writer_free(&second);
    acp_json_reader_free(&reader);
    acp_json_reader_free(&again);
    free(copy);
    return 0;
}
