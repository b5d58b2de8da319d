/* SPDX-License-Identifier: MIT */
/* Captures of runs, written (tool_run_capture.h; docs/format-capture.md).
 *
 * The head holds versions, the world's content hash and the scenario itself, so a capture needs nothing besides the world's files. A line
 * is written for every body to which something happened in a step: its clock went on, or it is not as it was. Before the world's step all
 * states are kept, cells included; after it they are compared. Contract: between steps; the stream is the caller's. Cost: two looks at
 * every body per step, 2 KB of text per line. */
#include "tools/acphys/tool_run_capture.h"

#include <stdlib.h>
#include <string.h>

void acp_run_begin_capture(acp_json_writer *json, const uint64_t *content, uint32_t steps) {
    char hash[17];
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "op", "capture");
    acp_json_write_string(json, "schema", "acphys.capture.1");
    acp_json_write_string(json, "version", ACP_TOOL_VERSION);
    if (content) {
        (void)snprintf(hash, sizeof hash, "%016llX", (unsigned long long)*content);
        acp_json_write_string(json, "content", hash);
    }
    acp_json_write_uint(json, "steps", steps);
}

bool acp_run_recorder_begin(acp_run_recorder *recorder, const acp_run *run, FILE *stream) {
    memset(recorder, 0, sizeof *recorder);
    size_t count = (size_t)run->scenario->object_count + 1;
    recorder->stream = stream;
    recorder->before = calloc(count, sizeof *recorder->before);
    recorder->cells = calloc(count, sizeof *recorder->cells);
    recorder->cell_capacity = calloc(count, sizeof *recorder->cell_capacity);
    if (!recorder->before || !recorder->cells || !recorder->cell_capacity) return false;
    if (!stream) return true;
    acp_json_writer *json = &recorder->json;
    json->float_form = ACP_JSON_DECIMAL_AND_HEX;
    acp_run_begin_capture(json, &run->world.content_hash, run->steps);
    acp_json_write_tree(json, "scenario", run->scenario->json);
    acp_json_end_object(json);
    (void)fprintf(stream, "%s\n", acp_json_writer_text(json));
    return !json->is_failed;
}

static bool keep_cells(acp_run_recorder *recorder, uint32_t i) {
    acp_run_state *state = &recorder->before[i];
    if (state->cell_count > recorder->cell_capacity[i]) {
        uint32_t *cells = realloc(recorder->cells[i], state->cell_count * sizeof *cells);
        if (!cells) return false;
        recorder->cells[i] = cells;
        recorder->cell_capacity[i] = state->cell_count;
    }
    if (state->cell_count) memcpy(recorder->cells[i], state->cells, state->cell_count * sizeof *state->cells);
    state->cells = recorder->cells[i];
    return true;
}

/* A line of its own when the inputs of the step drew from the world's random stream. */
static void write_random(acp_run_recorder *recorder, const acp_run *run) {
    uint32_t words[ACP_SCENARIO_RANDOM_WORDS];
    acp_json_writer *json = &recorder->json;
    acp_run_read_random(run, words);
    if (recorder->has_random && memcmp(words, recorder->random, sizeof words) == 0) return;
    memcpy(recorder->random, words, sizeof words);
    recorder->has_random = true;
    acp_json_writer_reset(json);
    acp_json_begin_object(json, NULL);
    acp_json_write_uint(json, "random", run->step);
    acp_json_begin_array(json, "stream");
    for (uint32_t i = 0; i < ACP_SCENARIO_RANDOM_WORDS; i++)
        acp_json_write_id(json, NULL, words[i]);
    acp_json_end_array(json);
    acp_json_end_object(json);
    if (json->is_failed || fprintf(recorder->stream, "%s\n", acp_json_writer_text(json)) < 0) recorder->is_failed = true;
}

void acp_run_recorder_before(void *user, acp_run *run) {
    acp_run_recorder *recorder = user;
    if (recorder->stream) write_random(recorder, run);
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        if (!run->objects[i].exists) continue;
        acp_run_state_read(run, i, &recorder->before[i]);
        if (!keep_cells(recorder, i)) recorder->is_failed = true;
    }
}

void acp_run_recorder_after(void *user, acp_run *run) {
    acp_run_recorder *recorder = user;
    acp_json_writer *json = &recorder->json;
    char hash[17], bodies[17], name[96], a[8], b[8];
    (void)snprintf(hash, sizeof hash, "%016llX", (unsigned long long)acp_world_state_hash(run->world.world));
    (void)snprintf(bodies, sizeof bodies, "%016llX", (unsigned long long)acp_run_bodies_hash(run));
    for (uint32_t i = 0; i < run->scenario->object_count && !recorder->is_failed; i++) {
        const char *member = NULL;
        acp_run_state after;
        if (!run->objects[i].exists) continue;
        acp_run_state_read(run, i, &after);
        if (!acp_run_state_differs(&recorder->before[i], &after, &member, a, b, sizeof a)) continue;
        acp_run_object_name(run, i, name, sizeof name);
        acp_json_writer_reset(json);
        acp_json_begin_object(json, NULL);
        acp_json_write_uint(json, "resolve", run->step);
        acp_json_write_uint(json, "object", i);
        acp_json_write_string(json, "body", name);
        acp_json_write_vec3(json, "motion", run->objects[i].motion);
        acp_json_write_float(json, "turn", run->objects[i].turn);
        acp_run_state_to_json(json, "before", &recorder->before[i]);
        acp_run_state_to_json(json, "after", &after);
        acp_json_write_string(json, "bodies", bodies);
        acp_json_write_string(json, "hash", hash);
        acp_json_end_object(json);
        if (json->is_failed || fprintf(recorder->stream, "%s\n", acp_json_writer_text(json)) < 0) recorder->is_failed = true;
        recorder->lines++;
    }
}

void acp_run_recorder_end(acp_run_recorder *recorder, const acp_run *run) {
    for (uint32_t i = 0; recorder->cells && i < run->scenario->object_count; i++)
        free(recorder->cells[i]);
    free(recorder->cells);
    free(recorder->cell_capacity);
    free(recorder->before);
    acp_json_writer_free(&recorder->json);
}
