/* SPDX-License-Identifier: MIT */
/* Captures of runs, replayed bit for bit (tool_run_capture.h; docs/format-capture.md).
 *
 * The head's scenario is run again. Before each world step the bodies that have a line for it are compared with its `before`, after it with
 * its `after`; one that differs is noted and put as recorded, so that every difference is one resolve's own. A body to which something
 * happened without a line is a difference too; so is another state hash, as long as nothing had to be put, another random stream, and a
 * world of other content. Lines must be in the order of their steps. Contract: the text is only read; any text gives an answer or an error
 * with its line. Cost: that of the run, and two readings of each line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/acphys/tool_run_capture.h"

typedef struct replayer {
    acp_run_replay *out;
    const char *at, *end; /* of the lines not yet used */
    uint64_t line;
    const char *step_begin; /* lines of the step at work */
    uint64_t step_line;
    acp_json_reader reader;
    bool *has_line;          /* per body */
    acp_run_recorder states; /* what was before the step */
    bool was_put;
    bool is_partial;         /* not every resolve has a line */
    const acp_json *content; /* of the world's files, as the head has it */
} replayer;

/* One line, its end excluded; false at the end of the text. */
static bool next_line(const char **io_at, const char *end, const char **out_line, size_t *out_length) {
    if (*io_at >= end) return false;
    const char *feed = memchr(*io_at, '\n', (size_t)(end - *io_at));
    *out_line = *io_at;
    *out_length = (size_t)((feed ? feed : end) - *io_at);
    *io_at = feed ? feed + 1 : end;
    return true;
}

bool acp_run_is_capture(const char *text, size_t size) {
    static const char head[] = "{\"op\":\"capture\"";
    return size >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0;
}

static void note(replayer *r, uint32_t step, const char *body, const char *when, const char *member, const char *recorded,
                 const char *computed) {
    acp_run_replay *out = r->out;
    out->differences++;
    if (out->kept_count >= out->keep_limit) return;
    acp_run_difference *d = &out->kept[out->kept_count++];
    d->line = r->line;
    d->step = step;
    (void)snprintf(d->body, sizeof d->body, "%s", body);
    d->when = when;
    d->member = member;
    (void)snprintf(d->recorded, sizeof d->recorded, "%s", recorded);
    (void)snprintf(d->computed, sizeof d->computed, "%s", computed);
}

/* A line of a resolve; false on a fault, which is noted. */
static bool read_line(replayer *r, acp_run *run, const char *text, size_t length, const char *which, uint32_t *out_step,
                      uint32_t *out_object, acp_run_state *out_state, const acp_json **out_json) {
    acp_json_fault fault;
    acp_json_input input = {ACP_OK, &r->out->error};
    const acp_json *json = acp_json_read(&r->reader, text, length, &fault);
    if (!json) {
        r->out->error_line = r->line;
        (void)acp_error_set(&r->out->error, ACP_ERROR_BAD_DATA, "replay", "%s", fault.message);
        return false;
    }
    *out_json = json;
    *out_step = acp_json_get_uint32(&input, json, "resolve");
    *out_object = acp_json_get_uint32(&input, json, "object");
    const acp_json *state = acp_json_get_object(&input, json, which);
    if (state) acp_run_state_from_json(&input, &r->reader, state, out_state);
    if (!acp_json_is_failed(&input) && *out_object >= run->scenario->object_count)
        (void)acp_json_fail(&input, ACP_ERROR_BAD_DATA, "object", "is no body of the scenario");
    if (!acp_json_is_failed(&input)) return true;
    r->out->error_line = r->line;
    return false;
}

static void compare(replayer *r, acp_run *run, uint32_t object, const char *when, const acp_run_state *recorded) {
    acp_run_state computed;
    char name[96], a[64], b[64];
    const char *member = NULL;
    bool is_after = strcmp(when, "after") == 0;
    if (!run->objects[object].exists) return;
    acp_run_state_read(run, object, &computed);
    if (!acp_run_state_differs(recorded, &computed, &member, a, b, sizeof a)) {
        r->out->equal += is_after;
        return;
    }
    acp_run_object_name(run, object, name, sizeof name);
    note(r, run->step, name, when, member, a, b);
    if (acp_run_state_put(run, object, recorded) != ACP_OK) run->result = ACP_ERROR_OUT_OF_MEMORY;
    r->was_put = true;
}

static bool is_of_random(const char *text, size_t length) {
    static const char head[] = "{\"random\":";
    return length >= sizeof head && memcmp(text, head, sizeof head - 1) == 0;
}

/* A line of the random stream as it was after the inputs of a step; another one is noted and put. False: it is no such line, or bad. */
static bool take_random(replayer *r, acp_run *run, const char *text, size_t length, bool *out_is_later) {
    acp_json_fault fault;
    acp_json_input input = {ACP_OK, &r->out->error};
    uint32_t words[ACP_SCENARIO_RANDOM_WORDS], count = 0;
    char recorded[17], computed[17];
    if (!is_of_random(text, length)) return false;
    const acp_json *json = acp_json_read(&r->reader, text, length, &fault);
    if (!json) return false; /* told as a resolve that cannot be read */
    uint32_t step = acp_json_get_uint32(&input, json, "random");
    const uint32_t *stream = acp_scenario_read_ids(&input, &r->reader, json, "stream", &count);
    if (acp_json_is_failed(&input) || !stream || count != ACP_SCENARIO_RANDOM_WORDS) return false;
    *out_is_later = step > run->step;
    acp_run_read_random(run, words);
    if (step != run->step || memcmp(words, stream, sizeof words) == 0) return true;
    (void)snprintf(recorded, sizeof recorded, "0x%08lX", (unsigned long)stream[2]);
    (void)snprintf(computed, sizeof computed, "0x%08lX", (unsigned long)words[2]);
    note(r, run->step, "*", "before", "random", recorded, computed);
    (void)acp_run_put_random(run, stream);
    return true;
}

/* The lines of the step: compared with `before`; where they end is where the next step's begin. */
static void before_step(void *user, acp_run *run) {
    replayer *r = user;
    const char *text;
    size_t length;
    acp_run_state state;
    const acp_json *json;
    uint32_t step, object;
    memset(r->has_line, 0, run->scenario->object_count);
    r->step_begin = r->at;
    r->step_line = r->line;
    for (;;) {
        const char *at = r->at;
        if (!next_line(&at, r->end, &text, &length)) break;
        r->line++;
        bool is_later = false;
        if (take_random(r, run, text, length, &is_later)) {
            if (is_later) {
                r->line--;
                break;
            }
        } else if (length > 0) {
            if (!read_line(r, run, text, length, "before", &step, &object, &state, &json)) {
                run->result = ACP_ERROR_BAD_DATA;
                return;
            }
            if (step > run->step) {
                r->line--;
                break;
            }
            r->has_line[object] = true;
            r->out->resolves++;
            if (step == run->step) compare(r, run, object, "before", &state);
        }
        r->at = at;
    }
    acp_run_recorder_before(&r->states, run);
    if (r->out->cut && r->out->cut_step == run->step) acp_run_cut(r->out->cut, run);
}

/* A number of 64 bits that stands in the capture; one that is not there is not compared. */
static bool has_other_number(replayer *r, uint32_t step, const acp_json *recorded, const char *what, uint64_t number) {
    char hash[17], text[17] = "";
    (void)snprintf(hash, sizeof hash, "%016llX", (unsigned long long)number);
    if (!recorded || acp_json_is_text(recorded, hash)) return false;
    (void)snprintf(text, sizeof text, "%.*s", (int)(recorded->type == ACP_JSON_STRING ? recorded->count : 0), recorded->text);
    note(r, step, "*", what, what, text, hash);
    return true;
}

static void look_at_hash(replayer *r, acp_run *run, const acp_json *json) {
    if (r->was_put) return;
    r->was_put = has_other_number(r, run->step, acp_json_member(json, "bodies"), "bodies", acp_run_bodies_hash(run)) ||
                 has_other_number(r, run->step, acp_json_member(json, "hash"), "hash", acp_world_state_hash(run->world.world));
}

static void after_step(void *user, acp_run *run) {
    replayer *r = user;
    const char *at = r->step_begin, *text;
    size_t length;
    acp_run_state state;
    const acp_json *json = NULL;
    uint32_t step, object;
    char name[96], a[64], b[64];
    const char *member;
    uint64_t last = r->line;
    r->line = r->step_line;
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        if (r->has_line[i] || !run->objects[i].exists || r->is_partial) continue;
        acp_run_state_read(run, i, &state);
        if (!acp_run_state_differs(&r->states.before[i], &state, &member, a, b, sizeof a)) continue;
        acp_run_object_name(run, i, name, sizeof name);
        note(r, run->step, name, "missing", member, a, b);
    }
    while (at < r->at && next_line(&at, r->end, &text, &length)) {
        r->line++;
        if (length == 0 || is_of_random(text, length)) continue;
        if (!read_line(r, run, text, length, "after", &step, &object, &state, &json)) {
            run->result = ACP_ERROR_BAD_DATA;
            return;
        }
        if (step != run->step) continue;
        look_at_hash(r, run, json);
        if (!read_line(r, run, text, length, "after", &step, &object, &state, &json)) return;
        compare(r, run, object, "after", &state);
    }
    r->line = last;
}

static bool read_head(replayer *r, const char *text, size_t length, acp_json_reader *memory, acp_scenario *scenario, uint32_t *out_steps) {
    acp_json_fault fault;
    acp_json_input input = {ACP_OK, &r->out->error};
    const acp_json *json = acp_json_read(memory, text, length, &fault);
    r->out->error_line = 1;
    if (!json) return acp_error_set(&r->out->error, ACP_ERROR_BAD_DATA, "replay", "%s", fault.message) == ACP_OK;
    *out_steps = acp_json_get_uint32(&input, json, "steps");
    if (!acp_json_is_text(acp_json_member(json, "schema"), "acphys.capture.1"))
        (void)acp_json_fail(&input, ACP_ERROR_UNSUPPORTED, "schema", "is not acphys.capture.1");
    r->is_partial = acp_json_get_flag_or(&input, json, "partial", false);
    r->content = acp_json_member(json, "content");
    const acp_json *tree = acp_json_get_object(&input, json, "scenario");
    if (acp_json_is_failed(&input) || !acp_scenario_read(&input, memory, tree, scenario)) return false;
    scenario->expectation_count = 0; /* only the resolves are looked at */
    scenario->steps = *out_steps < ACP_SCENARIO_MAX_STEPS ? *out_steps : ACP_SCENARIO_MAX_STEPS;
    return true;
}

bool acp_run_replay_text(const char *text, size_t size, acp_run_source *source, acp_run_replay *replay) {
    replayer r = {.out = replay, .at = text, .end = text + size, .line = 1};
    acp_json_reader memory = {0};
    acp_scenario scenario;
    acp_run run;
    const char *line;
    size_t length;
    uint32_t steps = 0;
    if (!next_line(&r.at, r.end, &line, &length)) return false;
    bool is_good = read_head(&r, line, length, &memory, &scenario, &steps);
    if (is_good) {
        acp_run_options options = {.worker_count = 1};
        acp_json_input input = {ACP_OK, &replay->error};
        bool is_begun = acp_run_begin(&run, &scenario, source, &options, &input) && acp_run_recorder_begin(&r.states, &run, NULL);
        r.has_line = calloc((size_t)scenario.object_count + 1, sizeof *r.has_line);
        run.before = before_step;
        run.after = after_step;
        run.watcher = &r;
        if (is_begun && !scenario.scene) (void)has_other_number(&r, 0, r.content, "content", run.world.content_hash);
        if (is_begun && r.has_line)
            while (acp_run_step(&run)) {
            }
        is_good = is_begun && r.has_line && run.result == ACP_OK;
        if (!is_good && replay->error.code == ACP_OK) replay->error = run.error;
        if (is_good && r.at < r.end) {
            replay->error_line = r.line + 1;
            (void)acp_error_set(&replay->error, ACP_ERROR_BAD_DATA, "replay", "lines after the last step, or out of order");
            is_good = false;
        }
        acp_run_recorder_end(&r.states, &run);
        acp_run_end(&run);
    }
    free(r.has_line);
    acp_json_reader_free(&r.reader);
    acp_json_reader_free(&memory);
    return is_good;
}
