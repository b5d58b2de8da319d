/* SPDX-License-Identifier: MIT */
/* Minimising (tool_run_minimise.h): delta debugging over the parts of a scenario.
 *
 * A candidate is the scenario without some of its bodies (and what names them), inputs, or landblocks; it is taken when the question still
 * fails. Parts are taken away in halves, then quarters, down to one by one, until nothing more goes. For a scenario the question is: does
 * it fail its first failure's expectation, or in the same words? For a capture the world is cut before the step of the first difference and
 * the question is: does that one resolve still differ in the same member of the same body? Contract: the caller's text stays. Cost: parts
 * times log parts runs. */
#include "tools/acphys/tool_run_minimise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool (*question)(void *user, const char *text, size_t size);

typedef struct parts {
    const acp_scenario *scenario;
    bool *bodies, *inputs, *blocks;
    const uint32_t *block_ids;
    uint32_t block_count;
    uint32_t steps;
    uint32_t expectation; /* UINT32_MAX: none */
    acp_json_writer json;
    question fails;
    void *user;
    uint32_t tries;
} parts;

static bool names_absent(const parts *p, uint32_t body) {
    return body != ACP_SCENARIO_ALL && body < p->scenario->body_count && !p->bodies[body];
}

static void write_member(acp_json_writer *json, const acp_json *member) {
    static const char *const own[] = {"bodies", "inputs", "expect", "steps", "full_steps", "resident"};
    char key[64];
    for (uint32_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strlen(own[i]) == member->key_length && memcmp(own[i], member->key, member->key_length) == 0) return;
    if (member->key_length >= sizeof key) return;
    memcpy(key, member->key, member->key_length);
    key[member->key_length] = '\0';
    acp_json_write_tree(json, key, member);
}

static void write_candidate(parts *p) {
    const acp_scenario *s = p->scenario;
    acp_json_writer *json = &p->json;
    acp_json_writer_reset(json);
    acp_json_begin_object(json, NULL);
    for (const acp_json *member = s->json->first; member; member = member->next)
        write_member(json, member);
    acp_json_write_uint(json, "steps", p->steps);
    acp_json_begin_array(json, "resident");
    for (uint32_t i = 0; i < p->block_count; i++)
        if (p->blocks[i]) acp_json_write_id(json, NULL, p->block_ids[i]);
    acp_json_end_array(json);
    acp_json_begin_array(json, "bodies");
    for (uint32_t i = 0; i < s->body_count; i++)
        if (p->bodies[i]) acp_json_write_tree(json, NULL, s->bodies[i].json);
    acp_json_end_array(json);
    acp_json_begin_array(json, "inputs");
    for (uint32_t i = 0; i < s->input_count; i++)
        if (p->inputs[i] && !names_absent(p, s->inputs[i].body) &&
            !(s->inputs[i].what == ACP_DO_PROBE && names_absent(p, s->inputs[i].other)))
            acp_json_write_tree(json, NULL, s->inputs[i].json);
    acp_json_end_array(json);
    acp_json_begin_array(json, "expect");
    if (p->expectation != UINT32_MAX) acp_json_write_tree(json, NULL, s->expectations[p->expectation].json);
    acp_json_end_array(json);
    acp_json_end_object(json);
}

static bool ask(parts *p) {
    p->tries++;
    write_candidate(p);
    return !p->json.is_failed && p->fails(p->user, p->json.text, p->json.length);
}

/* Takes parts of one kind away in chunks of falling size; true when some went. */
static bool shrink(parts *p, bool *keep, uint32_t count) {
    bool has_shrunk = false;
    bool *gone = calloc((size_t)count + 1, sizeof *gone);
    for (uint32_t chunk = (count + 1) / 2; gone && chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2)
        for (uint32_t first = 0; first < count; first += chunk) {
            uint32_t end = first + chunk < count ? first + chunk : count, taken = 0;
            for (uint32_t i = first; i < end; i++) {
                gone[i] = keep[i];
                taken += keep[i];
                keep[i] = false;
            }
            if (taken && ask(p)) {
                has_shrunk = true;
                continue;
            }
            for (uint32_t i = first; i < end; i++)
                keep[i] = gone[i];
        }
    free(gone);
    return has_shrunk;
}

static uint32_t count_kept(const bool *keep, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        kept += keep[i];
    return kept;
}

/* Everything stays at first. False: out of memory, or the whole does not fail. */
static bool shrink_all(parts *p, acp_json_writer *out, acp_run_minimised *report) {
    const acp_scenario *s = p->scenario;
    p->bodies = malloc((size_t)s->body_count + 1);
    p->inputs = malloc((size_t)s->input_count + 1);
    p->blocks = malloc((size_t)p->block_count + 1);
    bool is_good = p->bodies && p->inputs && p->blocks;
    if (is_good) {
        memset(p->bodies, 1, s->body_count);
        memset(p->inputs, 1, s->input_count);
        memset(p->blocks, 1, p->block_count);
        is_good = ask(p);
    }
    for (bool goes_on = is_good; goes_on;) {
        goes_on = shrink(p, p->bodies, s->body_count);
        goes_on = shrink(p, p->inputs, s->input_count) || goes_on;
        goes_on = shrink(p, p->blocks, p->block_count) || goes_on;
    }
    if (is_good) {
        write_candidate(p);
        acp_json_writer_reset(out);
        acp_json_write_piece(out, p->json.text, p->json.length);
        *report = (acp_run_minimised){.tries = p->tries, .steps = p->steps};
        report->bodies = count_kept(p->bodies, s->body_count);
        report->inputs = count_kept(p->inputs, s->input_count);
        report->blocks = count_kept(p->blocks, p->block_count);
    }
    free(p->bodies);
    free(p->inputs);
    free(p->blocks);
    acp_json_writer_free(&p->json);
    return is_good;
}

/* ---- scenarios ---- */

typedef struct failing {
    acp_run_source *source;
    const acp_run_options *options;
    acp_run_failure first;
} failing;

/* Runs until something is not as expected. */
static bool run_to_failure(const acp_scenario *scenario, const failing *f, acp_run_failure *out, uint32_t **out_blocks,
                           uint32_t *out_count) {
    acp_run run;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    bool is_good = acp_run_begin(&run, scenario, f->source, f->options, &input);
    if (is_good && out_blocks) {
        *out_blocks = calloc(0x10000u, sizeof **out_blocks);
        for (uint32_t x = 0; *out_blocks && x < 0x10000u; x++)
            if (acp_run_world_has(&run.world, x << 16)) (*out_blocks)[(*out_count)++] = x << 16;
    }
    while (is_good && run.failures == 0 && acp_run_step(&run)) {
    }
    is_good = is_good && run.result == ACP_OK && run.failures > 0;
    if (is_good) *out = run.kept[0];
    acp_run_end(&run);
    return is_good;
}

static bool fails_alike(void *user, const char *text, size_t size) {
    const failing *f = user;
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    acp_run_failure found;
    const acp_json *json = acp_json_read(&memory, text, size, &fault);
    bool is_alike = json && acp_scenario_read(&input, &memory, json, &scenario) && run_to_failure(&scenario, f, &found, NULL, NULL);
    is_alike = is_alike && found.step == f->first.step && strcmp(found.text, f->first.text) == 0;
    acp_json_reader_free(&memory);
    return is_alike;
}

bool acp_run_minimise(const acp_scenario *scenario, acp_run_source *source, const acp_run_options *options, acp_json_writer *out,
                      acp_run_minimised *report) {
    failing f = {.source = source, .options = options};
    uint32_t *blocks = NULL, count = 0;
    bool is_good = run_to_failure(scenario, &f, &f.first, &blocks, &count) && blocks;
    if (is_good) {
        parts p = {
            .scenario = scenario, .block_ids = blocks, .block_count = count, .steps = f.first.step, .fails = fails_alike, .user = &f};
        p.expectation = f.first.expectation;
        is_good = shrink_all(&p, out, report);
    }
    free(blocks);
    return is_good;
}

/* ---- captures ---- */

typedef struct differing {
    acp_run_source *source;
    acp_run_difference first;
    const acp_json *line; /* the resolve that differs */
    acp_json_writer json;
} differing;

/* A capture of one step out of a cut scenario and the resolve. */
static void write_capture(differing *d, const char *text, size_t size, const acp_scenario *scenario) {
    acp_json_writer *json = &d->json;
    uint32_t object = 0;
    for (uint32_t i = 0; i < scenario->body_count; i++)
        if (strcmp(scenario->bodies[i].name, d->first.body) == 0) object = scenario->bodies[i].first;
    acp_json_writer_reset(json);
    acp_run_begin_capture(json, scenario->scene ? NULL : &d->source->content_hash, 1);
    acp_json_write_bool(json, "partial", true);
    acp_json_write_raw(json, "scenario", text, size);
    acp_json_end_object(json);
    acp_json_end_line(json);
    acp_json_begin_object(json, NULL);
    acp_json_write_uint(json, "resolve", 1);
    acp_json_write_uint(json, "object", object);
    acp_json_write_string(json, "body", d->first.body);
    acp_json_write_tree(json, "before", acp_json_member(d->line, "before"));
    acp_json_write_tree(json, "after", acp_json_member(d->line, "after"));
    acp_json_end_object(json);
    acp_json_end_line(json);
}

static bool differs_alike(void *user, const char *text, size_t size) {
    differing *d = user;
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    acp_run_difference kept[8];
    acp_run_replay replay = {.kept = kept, .keep_limit = 8};
    bool is_alike = false;
    const acp_json *json = acp_json_read(&memory, text, size, &fault);
    if (json && acp_scenario_read(&input, &memory, json, &scenario)) {
        write_capture(d, text, size, &scenario);
        bool is_replayed = !d->json.is_failed && acp_run_replay_text(d->json.text, d->json.length, d->source, &replay);
        for (uint32_t i = 0; is_replayed && i < replay.kept_count; i++)
            if (strcmp(kept[i].body, d->first.body) == 0 && strcmp(kept[i].when, "after") == 0 &&
                strcmp(kept[i].member, d->first.member) == 0 && strcmp(kept[i].computed, d->first.computed) == 0)
                is_alike = true;
    }
    acp_json_reader_free(&memory);
    return is_alike;
}

/* The line with a number, from 1. */
static const char *find_line(const char *text, size_t size, uint64_t number, size_t *out_length) {
    const char *at = text, *end = text + size;
    for (uint64_t i = 1; i < number && at < end; i++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    const char *feed = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    *out_length = (size_t)((feed ? feed : end) - at);
    return at;
}

static bool shrink_cut(differing *d, const acp_json_writer *cut, acp_json_writer *out, acp_run_minimised *report) {
    acp_json_reader memory = {0};
    acp_json_fault fault;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    acp_json_writer smaller = {0};
    const acp_json *json = acp_json_read(&memory, cut->text, cut->length, &fault);
    bool is_good = json && acp_scenario_read(&input, &memory, json, &scenario);
    if (is_good) {
        parts p = {.scenario = &scenario, .block_ids = scenario.resident, .block_count = scenario.resident_count, .steps = 1};
        p.expectation = UINT32_MAX;
        p.fails = differs_alike;
        p.user = d;
        is_good = shrink_all(&p, &smaller, report) && differs_alike(d, smaller.text, smaller.length);
    }
    if (is_good) acp_json_write_piece(out, d->json.text, d->json.length);
    acp_json_writer_free(&smaller);
    acp_json_reader_free(&memory);
    return is_good;
}

bool acp_run_minimise_capture(const char *text, size_t size, acp_run_source *source, acp_json_writer *out, acp_run_minimised *report) {
    acp_run_difference kept[8];
    acp_run_replay replay = {.kept = kept, .keep_limit = 8};
    acp_json_writer cut = {0};
    acp_json_reader memory = {0};
    acp_json_fault fault;
    size_t length;
    differing d = {.source = source};
    bool is_good = acp_run_replay_text(text, size, source, &replay);
    uint32_t chosen = 0; /* the first resolve that differs; hashes cannot be cut out */
    while (chosen < replay.kept_count && strcmp(kept[chosen].when, "after") != 0)
        chosen++;
    is_good = is_good && chosen < replay.kept_count;
    if (is_good) {
        d.first = kept[chosen];
        replay = (acp_run_replay){.cut_step = d.first.step, .cut = &cut};
        is_good = acp_run_replay_text(text, size, source, &replay) && cut.length > 0 && !cut.is_failed;
    }
    if (is_good) {
        const char *line = find_line(text, size, d.first.line, &length);
        d.line = acp_json_read(&memory, line, length, &fault);
        is_good = d.line && shrink_cut(&d, &cut, out, report);
    }
    acp_json_writer_free(&d.json);
    acp_json_writer_free(&cut);
    acp_json_reader_free(&memory);
    return is_good;
}
