/* SPDX-License-Identifier: MIT */
/* `acphys run`: scenarios (docs/format-scenario.md), each in a world of its own, once for every number of workers asked for; with several
 * numbers the runs must go the same way to the bit. The report tells what was not as expected; exit code 1 then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/load_file.h"
#include "support/output_file.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_run_capture.h"
#include "tools/acphys/tool_run_minimise.h"
#include "tools/acphys/tool_scene_file.h"

#define MAX_WORKER_NUMBERS 16u

typedef struct runner {
    acp_command_line *line;
    acp_run_source source;
    bool is_source_open;
    bool is_json, is_full;
    uint32_t workers[MAX_WORKER_NUMBERS];
    uint32_t worker_numbers;
    uint64_t passed, failed;
    acp_output_file capture; /* --capture */
    acp_json_writer json;
    int code;
} runner;

static int read_workers(runner *r) {
    const char *text = acp_command_text(r->line, "workers");
    while (*text) {
        char *end = NULL;
        unsigned long number = strtoul(text, &end, 10);
        if (end == text || number < 1 || number > 16 || (*end && *end != ',') || r->worker_numbers == MAX_WORKER_NUMBERS)
            return acp_command_usage(r->line, "--workers: numbers from 1 to 16, like 1,2,4");
        r->workers[r->worker_numbers++] = (uint32_t)number;
        text = *end ? end + 1 : end;
    }
    return r->worker_numbers ? ACP_EXIT_OK : acp_command_usage(r->line, "--workers: numbers from 1 to 16, like 1,2,4");
}

static void note_code(runner *r, int code) {
    if (code > r->code) r->code = code;
}

/* ---- telling ---- */

static void tell_text(const runner *r, const acp_run *run, bool is_good) {
    const acp_scenario *s = run->scenario;
    (void)printf("%s: %s: %lu steps, %llu ticks, %llu sub-steps, %lu bod%s, %llu checks, hash %016llX\n", s->name,
                 is_good ? "passed" : "FAILED", (unsigned long)run->step, (unsigned long long)run->ticks,
                 (unsigned long long)run->sub_steps, (unsigned long)s->object_count, s->object_count == 1 ? "y" : "ies",
                 (unsigned long long)run->checks, (unsigned long long)run->hash);
    uint64_t kept = run->failures < ACP_RUN_MAX_FAILURES ? run->failures : ACP_RUN_MAX_FAILURES,
             limit = acp_command_integer(r->line, "max-failures");
    for (uint64_t i = 0; i < kept && i < limit; i++) {
        const acp_run_failure *f = &run->kept[i];
        char name[96] = "";
        if (f->object != UINT32_MAX) acp_run_object_name(run, f->object, name, sizeof name);
        (void)printf("  step %lu: %s%s%s", (unsigned long)f->step, name, name[0] ? ": " : "", f->text);
        if (f->expectation != UINT32_MAX) (void)printf(" (expect[%lu])", (unsigned long)f->expectation);
        (void)printf("\n");
    }
    if (run->failures > kept || kept > limit) (void)printf("  … %llu failures in all\n", (unsigned long long)run->failures);
}

static void tell_json(runner *r, const acp_run *run, bool is_good, uint32_t workers) {
    acp_json_writer *json = &r->json;
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016llX", (unsigned long long)run->hash);
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "name", run->scenario->name);
    acp_json_write_bool(json, "passed", is_good);
    acp_json_write_uint(json, "workers", workers);
    acp_json_write_uint(json, "steps", run->step);
    acp_json_write_uint(json, "ticks", run->ticks);
    acp_json_write_uint(json, "sub_steps", run->sub_steps);
    acp_json_write_uint(json, "sweeps", run->sweeps);
    acp_json_write_uint(json, "rested", run->rested);
    acp_json_write_uint(json, "bodies", run->scenario->object_count);
    acp_json_write_uint(json, "checks", run->checks);
    acp_json_write_uint(json, "rooms_seen", run->rooms_seen);
    acp_json_write_string(json, "hash", hash);
    acp_json_write_uint(json, "bytes_in_use", run->world.counting.counters.bytes_in_use);
    acp_json_write_uint(json, "failure_count", run->failures);
    acp_json_begin_array(json, "failures");
    for (uint64_t i = 0; i < run->failures && i < ACP_RUN_MAX_FAILURES; i++) {
        const acp_run_failure *f = &run->kept[i];
        char name[96];
        acp_json_begin_object(json, NULL);
        acp_json_write_uint(json, "step", f->step);
        if (f->object != UINT32_MAX) {
            acp_run_object_name(run, f->object, name, sizeof name);
            acp_json_write_string(json, "body", name);
        }
        if (f->expectation != UINT32_MAX) acp_json_write_uint(json, "expectation", f->expectation);
        acp_json_write_string(json, "message", f->text);
        acp_json_end_object(json);
    }
    acp_json_end_array(json);
    acp_json_end_object(json);
}

/* Where a body is, step by step (--trace). */
static void trace(const acp_run *run, const char *name) {
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        acp_object_info info;
        acp_body_info body;
        if (strcmp(run->objects[i].body->name, name) != 0 || !run->objects[i].exists) continue;
        if (acp_object_get_info(run->world.world, run->objects[i].handle, &info) != ACP_OK ||
            acp_body_get_info(run->world.world, run->objects[i].handle, &body) != ACP_OK)
            continue;
        const acp_vec3 *o = &info.position.frame.origin, *v = &body.velocity, *n = &body.contact.plane.normal;
        (void)printf("  %lu: 0x%08lX %.9g %.9g %.9g  v %.6g %.6g %.6g  n %.5g %.5g %.5g  transient 0x%03lX%s\n", (unsigned long)run->step,
                     (unsigned long)info.position.cell_id, (double)o->x, (double)o->y, (double)o->z, (double)v->x, (double)v->y,
                     (double)v->z, (double)n->x, (double)n->y, (double)n->z, (unsigned long)info.transient_state,
                     body.is_lost ? " lost" : "");
    }
}

/* ---- running ---- */

static bool run_once(runner *r, const acp_scenario *scenario, const char *path, uint32_t workers, uint64_t *out_hash) {
    static const char *const what = "steps";
    acp_run run;
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    acp_run_options options = {.worker_count = workers, .is_full = r->is_full};
    const char *traced = acp_command_text(r->line, "trace");
    bool is_begun = acp_run_begin(&run, scenario, &r->source, &options, &input), is_recorded = is_begun && r->capture.stream;
    acp_run_recorder recorder = {0};
    if (is_recorded) {
        recorder.is_failed = !acp_run_recorder_begin(&recorder, &run, r->capture.stream);
        if (!recorder.is_failed) {
            run.before = acp_run_recorder_before;
            run.after = acp_run_recorder_after;
            run.watcher = &recorder;
        }
    }
    if (is_begun && traced) trace(&run, traced);
    while (is_begun && acp_run_step(&run)) {
        if (traced) trace(&run, traced);
        if ((run.step & 63u) == 0) acp_command_progress(r->line, what, run.step, run.steps);
    }
    acp_command_progress_end(r->line);
    bool is_good = run.result == ACP_OK && run.failures == 0;
    if (acp_json_is_failed(&input)) {
        note_code(r, acp_scene_file_bad_input(r->line, &input, path));
    } else if (run.result != ACP_OK) {
        acp_command_error(r->line, "%s: step %lu: %s", path, (unsigned long)run.step,
                          run.error.message[0] ? run.error.message : acp_result_name(run.result));
        note_code(r, acp_exit_code_of(run.result));
    } else if (!is_good) {
        note_code(r, ACP_EXIT_NEGATIVE);
    }
    if (is_begun && r->is_json)
        tell_json(r, &run, is_good, workers);
    else if (is_begun && (!is_good || !r->line->is_quiet))
        tell_text(r, &run, is_good);
    *out_hash = run.hash;
    if (is_recorded && recorder.is_failed) {
        acp_command_error(r->line, "the capture could not be written");
        note_code(r, ACP_EXIT_IO);
    }
    acp_run_recorder_end(&recorder, &run);
    acp_run_end(&run);
    return is_good;
}

static void minimise(runner *r, const acp_scenario *scenario, const char *path) {
    acp_json_writer smaller = {0};
    acp_run_minimised report = {0};
    acp_run_options options = {.worker_count = r->workers[0], .is_full = r->is_full};
    const char *name = acp_command_text(r->line, "minimise");
    if (!acp_run_minimise(scenario, &r->source, &options, &smaller, &report)) {
        acp_command_error(r->line, "%s: it does not fail by itself: nothing to minimise", path);
        acp_json_writer_free(&smaller);
        return;
    }
    acp_json_end_line(&smaller);
    int code = acp_command_write_json(r->line, name, &smaller);
    note_code(r, code);
    if (code == ACP_EXIT_OK)
        acp_command_note(r->line, "%s: after %lu tries %lu steps, %lu bodies, %lu inputs, %lu landblocks are left", name,
                         (unsigned long)report.tries, (unsigned long)report.steps, (unsigned long)report.bodies,
                         (unsigned long)report.inputs, (unsigned long)report.blocks);
    acp_json_writer_free(&smaller);
}

static void run_scenario(runner *r, const acp_scenario *scenario, const char *path) {
    uint64_t first = 0, hash = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < r->worker_numbers; i++) {
        is_good = run_once(r, scenario, path, r->workers[i], &hash) && is_good;
        if (i == 0) first = hash;
        if (hash == first) continue;
        acp_command_error(r->line, "%s: %lu workers went another way than %lu", path, (unsigned long)r->workers[i],
                          (unsigned long)r->workers[0]);
        note_code(r, ACP_EXIT_NEGATIVE);
        is_good = false;
    }
    if (!is_good && acp_command_text(r->line, "minimise")) minimise(r, scenario, path);
    r->passed += is_good;
    r->failed += !is_good;
}

static void run_file(runner *r, const char *path) {
    acp_error error = {0};
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    char *text = NULL;
    size_t size = 0;
    if (acp_load_file(path, 64u << 20, &text, &size, &error) != ACP_OK) {
        note_code(r, acp_command_fail(r->line, &error));
        return;
    }
    const acp_json *json = acp_json_read(&reader, text, size, &fault);
    if (!json) {
        acp_command_error(r->line, "%s: at byte %zu: %s", path, fault.offset, fault.message);
        note_code(r, ACP_EXIT_BAD_DATA);
    } else if (!acp_scenario_read(&input, &reader, json, &scenario)) {
        char place[48] = "";
        if (error.byte_offset != UINT64_MAX)
            (void)snprintf(place, sizeof place, "in the entry at byte %llu: ", (unsigned long long)error.byte_offset);
        acp_command_error(r->line, "%s: %s%s: %s", path, place, error.field, error.message);
        note_code(r, input.result == ACP_ERROR_OUT_OF_MEMORY ? ACP_EXIT_INTERNAL : ACP_EXIT_BAD_DATA);
    } else {
        int code = ACP_EXIT_OK;
        if (!scenario.scene && !r->is_source_open) {
            code = acp_run_source_open(&r->source, r->line, acp_dat_dir_name(r->line));
            r->is_source_open = true;
        }
        if (code == ACP_EXIT_OK)
            run_scenario(r, &scenario, path);
        else
            note_code(r, code);
    }
    acp_json_reader_free(&reader);
    free(text);
}

static int open_capture(runner *r) {
    acp_error error = {0};
    const char *path = acp_command_text(r->line, "capture");
    if (!path) return ACP_EXIT_OK;
    if (r->line->operand_count != 1 || r->worker_numbers != 1)
        return acp_command_usage(r->line, "--capture: of one scenario with one number of workers");
    return acp_output_file_open(&r->capture, path, &error) == ACP_OK ? ACP_EXIT_OK : acp_command_fail(r->line, &error);
}

/* What the scenario did stands in the capture even when it failed; bad data leaves none. */
static void close_capture(runner *r) {
    acp_error error = {0};
    if (!r->capture.stream) return;
    if (r->code <= ACP_EXIT_NEGATIVE && acp_output_file_commit(&r->capture, &error) != ACP_OK)
        note_code(r, acp_command_fail(r->line, &error));
    acp_output_file_discard(&r->capture);
}

static int run_run(acp_command_line *line) {
    runner r = {.line = line, .is_json = acp_command_flag(line, "json"), .is_full = acp_command_flag(line, "full")};
    int code = read_workers(&r);
    if (code != ACP_EXIT_OK) return code;
    code = open_capture(&r);
    if (code != ACP_EXIT_OK) return code;
    acp_json_begin_object(&r.json, NULL);
    acp_json_write_string(&r.json, "schema", "acphys.run.1");
    acp_json_begin_array(&r.json, "runs");
    for (uint32_t i = 0; i < line->operand_count; i++)
        run_file(&r, line->operands[i]);
    close_capture(&r);
    acp_json_end_array(&r.json);
    acp_json_write_uint(&r.json, "passed", r.passed);
    acp_json_write_uint(&r.json, "failed", r.failed);
    acp_json_end_object(&r.json);
    if (r.is_json)
        (void)printf("%s\n", acp_command_json_text(&r.json));
    else if (line->operand_count > 1)
        (void)printf("%llu scenarios passed, %llu failed\n", (unsigned long long)r.passed, (unsigned long long)r.failed);
    acp_json_writer_free(&r.json);
    if (r.is_source_open) acp_run_source_close(&r.source);
    return acp_command_finish(line, r.code);
}

static const acp_option options[] = {
    ACP_OPTION_DEMO,
    ACP_OPTION_DAT_DIR,
    {.name = "workers",
     .letter = 'w',
     .kind = ACP_OPTION_TEXT,
     .argument = "N,…",
     .fallback = "1",
     .help = "step with so many workers; with several numbers, run once with each and demand the same states"},
    {.name = "full", .help = "run as long as the scenario asks for at full length"},
    {.name = "capture",
     .letter = 'c',
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "write every resolve with the body before and after, for 'acphys replay'"},
    {.name = "minimise",
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "write the last failing scenario without all that it can fail without"},
    {.name = "trace", .kind = ACP_OPTION_TEXT, .argument = "BODY", .help = "print where this body is after every step"},
    {.name = "max-failures",
     .letter = 'n',
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "10",
     .help = "tell at most N failures of a run"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_run = {
    .name = "run",
    .summary = "run scenarios: bodies, inputs over time, expectations",
    .operands = "SCENARIO…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Runs each scenario in a world of its own: the miniature world, the files of a DAT folder, or the scene that the scenario "
        "brings along. Tells what was not as expected; the exit code is 1 then.\n\n"
        "The hash of a run is of the world's state after every step: equal hashes mean the same way to the bit.",
    .examples = "acphys run scenarios/01-flat-walk.json\tone scenario in the miniature world\n"
                "acphys run -w 1,2,4 scenarios/*.json\tall of them, with one, two and four workers",
    ACP_COMMAND_OPTIONS(options),
    .run = run_run,
};
