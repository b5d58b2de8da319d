/* SPDX-License-Identifier: MIT */
/* Fuzz target: the whole front of `eval` and `conform`, line by line as from a stream. Each non-blank line must get exactly one line of
 * valid JSON with an `out` or an `error`, whatever the operation makes of its input; conform must come to a verdict. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/copy.h"
#include "tools/acphys/conform.h"
#include "tools/acphys/eval.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_line(acp_eval *eval, acp_conform *conform, const char *text, size_t length) {
    acp_json_writer answer = {.float_form = ACP_JSON_DECIMAL_AND_HEX};
    acp_json_reader reader = {.byte_limit = (size_t)1 << 28};
    acp_conform_outcome outcome;
    if (acp_eval_answer(eval, text, length, &answer, NULL) != ACP_OK) abort();
    if (answer.length > 0) {
        if (answer.text[answer.length - 1] != '\n' || memchr(answer.text, '\n', answer.length - 1) != NULL) abort();
        const acp_json *root = acp_json_read(&reader, answer.text, answer.length, NULL);
        if (root == NULL || (acp_json_member(root, "out") == NULL) == (acp_json_member(root, "error") == NULL)) abort();
    }
    if (acp_conform_line(conform, text, length, &outcome) != ACP_OK) abort();
    if ((outcome.status == ACP_CONFORM_BLANK) != (answer.length == 0)) abort();
    acp_json_writer_free(&answer);
    acp_json_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    acp_eval *eval = acp_eval_new();
    acp_conform *conform = acp_conform_new();
    const uint8_t *end = data + size;
    if (eval == NULL || conform == NULL) abort();
    while (data < end) {
        const uint8_t *feed = memchr(data, '\n', (size_t)(end - data));
        size_t length = feed != NULL ? (size_t)(feed - data) : (size_t)(end - data);
        char *copy = fuzz_copy(data, length);
        if (copy == NULL) abort();
        one_line(eval, conform, copy, length);
        free(copy);
        data += length + (feed != NULL);
    }
    acp_eval_free(eval);
    acp_conform_free(conform);
    return 0;
}
