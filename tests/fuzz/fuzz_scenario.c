/* SPDX-License-Identifier: MIT */
/* Fuzz target: the reader of scenarios. It ends with a scenario whose parts are within their stated ranges, or with a fault that names a
 * member. Indices of bodies in inputs and expectations are checked here, since a run trusts them. */
#include <stdint.h>
#include <stdlib.h>

#include "support/scenario.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static void check_place(const acp_scenario_place *place) {
    if (place->kind != ACP_SCENARIO_ANY) return;
    check(place->item_count > 0);
    for (uint32_t i = 0; i < place->item_count; i++)
        check(place->items[i].kind != ACP_SCENARIO_ANY && place->items[i].kind != ACP_SCENARIO_NOWHERE);
}

static void check_scenario(const acp_scenario *s) {
    uint32_t objects = 0;
    check(s->name[0] != '\0' && s->steps <= ACP_SCENARIO_MAX_STEPS && s->dt >= 0.0);
    for (uint32_t i = 0; i < s->body_count; i++) {
        check(s->bodies[i].first == objects && s->bodies[i].count > 0);
        objects += s->bodies[i].count;
        check_place(&s->bodies[i].at);
    }
    check(objects == s->object_count && objects <= ACP_SCENARIO_MAX_BODIES);
    for (uint32_t i = 0; i < s->input_count; i++) {
        const acp_scenario_input *in = &s->inputs[i];
        check(in->body == ACP_SCENARIO_ALL || in->body < s->body_count);
        check((uint32_t)in->what < ACP_DO_COUNT && in->when.from > 0 && in->when.every > 0);
        check_place(&in->to);
    }
    for (uint32_t i = 0; i < s->expectation_count; i++) {
        const acp_scenario_expectation *e = &s->expectations[i];
        check(e->body == ACP_SCENARIO_ALL || e->body < s->body_count);
        check(e->parts != 0 && e->when.every > 0 && e->when.from <= e->when.to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1u << 16) return 0;
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    const acp_json *json = acp_json_read(&memory, copy, size, &fault);
    if (json) {
        bool is_read = acp_scenario_read(&input, &memory, json, &scenario);
        check(is_read == !acp_json_is_failed(&input));
        if (is_read)
            check_scenario(&scenario);
        else
            check(error.field[0] != '\0' && error.message[0] != '\0');
    }
    acp_json_reader_free(&memory);
    free(copy);
    return 0;
}
