/* SPDX-License-Identifier: MIT */
/* `acphys survey`: measure a world. `survey membership`: in how many cells the parts with physics are, and what other rules would miss.
 * `survey scenery` is in cmd_survey_scenery.c.
 *
 * The world is a scene, all of a pair of DAT files, or a generated set of boxes on flat ground. A world without such parts is a negative
 * answer (1). The output does not depend on --threads. Spec 04. */
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "support/scene_dat.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_scene_file.h"
#include "tools/acphys/tool_survey.h"
#include "tools/acphys/tool_survey_scenery.h"

#define REGION_BLOCK 0x60u
#define REGION_SIZE  24u
#define MAX_OBJECTS  2000000u

static int open_generated(acp_survey *survey, const acp_command_line *line, char *source, size_t capacity) {
    uint64_t count = acp_command_integer(line, "generate");
    acp_error error;
    memset(&error, 0, sizeof error);
    if (!count || count > MAX_OBJECTS) return acp_command_usage(line, "--generate: 1 to %u objects", MAX_OBJECTS);
    survey->is_generated = true;
    survey->object_count = (uint32_t)count;
    survey->region = (acp_survey_region){acp_command_integer(line, "seed"), REGION_BLOCK, REGION_BLOCK, REGION_SIZE};
    (void)snprintf(source, capacity, "generated from seed %llu", (unsigned long long)survey->region.seed);
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_reader reader;
    acp_json_fault fault;
    memset(&reader, 0, sizeof reader);
    acp_json_begin_object(&w, NULL);
    acp_json_begin_array(&w, "blocks");
    for (uint32_t i = 0; i < REGION_SIZE * REGION_SIZE; i++) {
        acp_json_begin_object(&w, NULL);
        acp_json_write_id(&w, "id", (REGION_BLOCK + i / REGION_SIZE) << 24 | (REGION_BLOCK + i % REGION_SIZE) << 16);
        acp_json_end_object(&w);
    }
    acp_json_end_array(&w);
    acp_json_end_object(&w);
    acp_json_input input = {ACP_OK, &error};
    const acp_json *definition = acp_json_read(&reader, acp_json_writer_text(&w), w.length, &fault);
    survey->scene = definition ? acp_scene_build(&input, definition, NULL) : NULL;
    acp_json_reader_free(&reader); /* nothing reads objects' members: there are none */
    acp_json_writer_free(&w);
    if (survey->scene) return ACP_EXIT_OK;
    acp_command_error(line, "no memory for the ground");
    return ACP_EXIT_INTERNAL;
}

static int open_scene(acp_survey *survey, const acp_command_line *line, acp_scene_file *file) {
    const acp_json *definition = NULL;
    const char *name = acp_command_text(line, "scene-name");
    int code = acp_scene_file_load(file, line, acp_command_text(line, "scene"));
    if (code == ACP_EXIT_OK) code = acp_scene_file_find(file, line, name, name ? strlen(name) : 0, &definition);
    return code == ACP_EXIT_OK ? acp_scene_file_build(line, definition, NULL, file->path, &survey->scene) : code;
}

/* All landblocks of the cell file, with statics and scenery. */
static int open_dats(acp_survey *survey, const acp_command_line *line, acp_dat_dir *dats, acp_scene_dat *world) {
    acp_error error;
    acp_dat_info info;
    const acp_dat_entry *entry;
    int code = acp_dat_dir_open(dats, line, acp_dat_dir_name(line));
    if (code != ACP_EXIT_OK) return code;
    if (acp_scene_dat_open(world, dats->portal, dats->cell, NULL, !acp_command_flag(line, "no-scenery"), &error))
        return acp_command_fail(line, &error);
    acp_dat_get_info(dats->cell, &info);
    for (uint32_t i = 0; (entry = acp_dat_entry_at(dats->cell, i)) != NULL; i++) {
        acp_command_progress(line, "landblocks", i + 1u, info.record_count);
        if ((entry->id & 0xFFFFu) != 0xFFFFu) continue;
        acp_result result = acp_scene_dat_load(world, &entry->id, 1, NULL, &error);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return acp_command_fail(line, &error);
        if (result == ACP_OK) continue;
        char text[512];
        (void)acp_error_format(&error, text, sizeof text);
        acp_command_note(line, "left out: %s", text);
    }
    acp_command_progress_end(line);
    survey->scene = world->scene;
    return ACP_EXIT_OK;
}

static int run_membership(acp_command_line *line) {
    acp_survey survey;
    acp_survey_summary summary;
    acp_scene_file file;
    acp_error error;
    char source[128];
    memset(&survey, 0, sizeof survey);
    memset(&file, 0, sizeof file);
    acp_dat_dir dats;
    acp_scene_dat world;
    memset(&dats, 0, sizeof dats);
    memset(&world, 0, sizeof world);
    bool has_scene = acp_command_is_given(line, "scene"), is_generated = acp_command_is_given(line, "generate");
    bool is_named = acp_command_is_given(line, "dat-dir") || acp_command_flag(line, "demo"), has_dats = !has_scene && !is_generated;
    if (has_scene + is_named + is_generated > 1)
        return acp_command_usage(line, "say what to measure: --scene FILE, --dat-dir DIR or --generate N");
    int code = ACP_EXIT_OK;
    if (has_dats) {
        (void)snprintf(source, sizeof source, "DAT files of %s", acp_dat_dir_title(acp_dat_dir_name(line)));
        code = open_dats(&survey, line, &dats, &world);
    } else if (has_scene) {
        (void)snprintf(source, sizeof source, "scene %s", acp_command_text(line, "scene"));
        code = open_scene(&survey, line, &file);
    } else {
        code = open_generated(&survey, line, source, sizeof source);
    }
    survey.source = source;
    uint64_t threads = acp_command_integer(line, "threads"), worst = acp_command_integer(line, "worst");
    if (!threads) threads = acp_thread_processor_count();
    if (code == ACP_EXIT_OK && acp_survey_run(&survey, line, threads > 64u ? 64u : (uint32_t)threads, &error) != ACP_OK)
        code = acp_command_fail(line, &error);
    if (code == ACP_EXIT_OK && !acp_survey_sum(&survey, &summary)) {
        acp_command_error(line, "no memory for the sums");
        code = ACP_EXIT_INTERNAL;
    }
    const char *csv = acp_command_text(line, "csv"), *picture = acp_command_text(line, "png");
    if (code == ACP_EXIT_OK && csv && acp_survey_write_csv(&survey, csv, &error) != ACP_OK) code = acp_command_fail(line, &error);
    if (code == ACP_EXIT_OK && picture && acp_survey_draw(&survey, &summary, picture, &error) != ACP_OK)
        code = acp_command_fail(line, &error);
    if (code == ACP_EXIT_OK) {
        if (acp_command_flag(line, "json"))
            acp_survey_print_json(&survey, &summary, worst > 64u ? 64u : (uint32_t)worst);
        else
            acp_survey_print(&survey, &summary, worst > 64u ? 64u : (uint32_t)worst);
        if (!survey.part_count) {
            acp_command_error(line, "nothing to measure: no object with parts whose boxes decide");
            code = ACP_EXIT_NEGATIVE;
        }
    }
    if (has_dats) survey.scene = NULL; /* the source's assets outlive it */
    acp_survey_free(&survey);
    acp_scene_dat_close(&world);
    acp_dat_dir_close(&dats);
    acp_scene_file_close(&file);
    return acp_command_finish(line, code);
}

static const acp_option membership_options[] = {
    ACP_OPTION_DEMO,
    {.name = "scene",
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "measure the objects of a scene: a JSON object, or JSON Lines that hold one (may be gzipped)"},
    {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},
    ACP_OPTION_DAT_DIR,
    {.name = "no-scenery", .help = "of DAT files: leave out what is generated"},
    {.name = "generate",
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .help = "measure N generated objects, boxes of all sizes, on flat ground"},
    {.name = "seed", .kind = ACP_OPTION_INTEGER, .argument = "S", .fallback = "1", .help = "of the generated set"},
    {.name = "threads", .kind = ACP_OPTION_INTEGER, .argument = "N", .fallback = "1", .help = "threads to use, 0 = one a processor"},
    {.name = "worst",
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "5",
     .help = "name the N parts that the sphere rule serves worst"},
    {.name = "csv", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "write a line for every part"},
    {.name = "png", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "draw the histogram (.png or .svg)"},
    ACP_OPTION_JSON,
};

static const acp_command command_membership = {
    .name = "membership",
    .summary = "measure in how many cells the parts with physics are",
    .operands = "",
    .description =
        "Counted are the parts of objects whose boxes decide: the land cells of each part's rectangle on both axes, parts larger than 1x1, "
        "2x2 and 4x4, ranks with the part that holds them, rows of this design against a row for every shape and cell.\n\n"
        "Beside it stand two other rules: the sphere rule, which gives a sphere's own cell and its eight neighbours at most and so misses "
        "cells of large parts, which a walker then walks through; and spheres set on the part's origin instead of their own centre, which "
        "do not hold the geometry.\n\n"
        "The output is the same for any number of threads.",
    .examples = "acphys survey membership --dat-dir game --threads 0 --csv parts.csv\tall landblocks of the DAT files\n"
                "acphys survey membership --generate 100000 --threads 0\ta set of boxes of all sizes\n"
                "acphys survey membership --scene town.json --csv parts.csv --png parts.png\ta scene, with every part and a picture",
    ACP_COMMAND_OPTIONS(membership_options),
    .run = run_membership,
};

static const acp_command *const commands[] = {
    &command_membership,
    &acp_command_survey_scenery,
    NULL,
};

const acp_command acp_command_survey = {
    .name = "survey",
    .summary = "measure a world",
    .operands = "WHAT …",
    .description = "Each sub-command measures one thing.",
    .commands = commands,
};
