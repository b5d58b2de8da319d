/* SPDX-License-Identifier: MIT */
/* Fuzz target: states of bodies in captures. What is read, written and read again is the same to the bit. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/fuzz/copy.h"
#include "tools/acphys/tool_run_capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const acp_run_state *state) {
    acp_json_writer json = {.float_form = ACP_JSON_DECIMAL_AND_HEX};
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    acp_run_state again;
    const char *member = NULL;
    char a[64], b[64];
    acp_run_state_to_json(&json, NULL, state);
    const acp_json *tree = json.is_failed ? NULL : acp_json_read(&memory, json.text, json.length, &fault);
    if (!json.is_failed && !tree) abort();
    if (tree) {
        acp_run_state_from_json(&input, &memory, tree, &again);
        if (acp_json_is_failed(&input) || acp_run_state_differs(state, &again, &member, a, b, sizeof a)) abort();
    }
    acp_json_reader_free(&memory);
    acp_json_writer_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1u << 16) return 0;
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    acp_run_state state;
    const acp_json *json = acp_json_read(&memory, copy, size, &fault);
    if (json) {
        acp_run_state_from_json(&input, &memory, acp_json_member(json, "after"), &state);
        if (!acp_json_is_failed(&input)) read_again(&state);
    }
    acp_json_reader_free(&memory);
    free(copy);
    return 0;
}
