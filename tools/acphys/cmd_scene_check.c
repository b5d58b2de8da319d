/* SPDX-License-Identifier: MIT */
/* `acphys scene check`: a scene is built, looked over by the rules of spec 11, and tried as records.
 *
 * The checks are support/scene_check.c; what records could not say (scene pack) is told as remarks. Exit codes: 1 when there are faults, 3
 * when the scene cannot be built at all. */
#include <stdio.h>
#include <string.h>

#include "acphys/dat_edit.h"
#include "support/scene_check.h"
#include "support/scene_pack.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_scene_file.h"

typedef struct listener {
    const acp_command_line *line;
    acp_json_writer *json; /* null: text */
    uint32_t record_remarks;
} listener;

static void tell(const listener *l, bool is_fault, const char *rule, const char *where, const char *message) {
    if (!l->json) {
        (void)printf("%s %s: %s (%s)\n", is_fault ? "fault " : "remark", where, message, rule);
        return;
    }
    acp_json_begin_object(l->json, NULL);
    acp_json_write_string(l->json, "kind", is_fault ? "fault" : "remark");
    acp_json_write_string(l->json, "rule", rule);
    acp_json_write_string(l->json, "where", where);
    acp_json_write_string(l->json, "message", message);
    acp_json_end_object(l->json);
}

static void on_finding(void *user, const acp_scene_finding *finding) {
    tell(user, finding->is_fault, finding->rule, finding->where, finding->message);
}

static void on_record_finding(void *user, const acp_scene_pack_finding *finding) {
    listener *l = user;
    l->record_remarks++;
    tell(l, false, "records", finding->where, finding->message);
}

/* Packs into nothing. */
static acp_result try_records(listener *l, const acp_json *definition, acp_error *error) {
    acp_json_input input = {ACP_OK, error};
    acp_dat_edit *portal = NULL, *cell = NULL;
    acp_dat_create_options create = acp_dat_create_options_default(ACP_DAT_PORTAL);
    acp_scene_pack_options options = {false, on_record_finding, l};
    acp_scene_pack_report report;
    acp_result result = acp_dat_edit_create(&create, NULL, &portal, error);
    if (result == ACP_OK) result = acp_dat_edit_create(NULL, NULL, &cell, error);
    if (result == ACP_OK) result = acp_scene_pack(&input, definition, &options, portal, cell, &report);
    acp_dat_edit_destroy(portal);
    acp_dat_edit_destroy(cell);
    return result == ACP_ERROR_UNSUPPORTED ? ACP_OK : result;
}

static int check(const acp_command_line *line, const acp_json *definition, const char *what) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    acp_scene_options scene_options = {.canonical_order = true};
    acp_scene *scene = NULL;
    int code = acp_scene_file_build(line, definition, &scene_options, what, &scene);
    if (code != ACP_EXIT_OK) return code;
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    listener l = {line, acp_command_flag(line, "json") ? &w : NULL, 0};
    acp_scene_check_options options = {on_finding, &l};
    acp_scene_check_report report = {0, 0};
    if (l.json) {
        acp_json_begin_object(&w, NULL);
        acp_json_write_string(&w, "schema", "acphys.scene.check.1");
        acp_json_begin_array(&w, "findings");
    }
    acp_scene_check(&input, scene, definition, &options, &report);
    acp_result result = input.result;
    if (result == ACP_OK && !acp_command_flag(line, "no-records")) result = try_records(&l, definition, &error);
    uint32_t objects = acp_world_object_count(scene->world), blocks = acp_world_block_count(scene->world);
    acp_scene_destroy(scene);
    if (result == ACP_OK && l.json) {
        acp_json_end_array(&w);
        acp_json_write_uint(&w, "landblocks", blocks);
        acp_json_write_uint(&w, "objects", objects);
        acp_json_write_uint(&w, "faults", report.faults);
        acp_json_write_uint(&w, "remarks", report.remarks + l.record_remarks);
        acp_json_end_object(&w);
        (void)printf("%s\n", acp_command_json_text(&w));
    } else if (result == ACP_OK)
        (void)printf("%s: %u landblocks, %u objects, %u faults, %u remarks\n", what, (unsigned)blocks, (unsigned)objects,
                     (unsigned)report.faults, (unsigned)(report.remarks + l.record_remarks));
    acp_json_writer_free(&w);
    if (result) return acp_command_fail(line, &error);
    return report.faults ? ACP_EXIT_NEGATIVE : ACP_EXIT_OK;
}

static int run_check(acp_command_line *line) {
    acp_scene_file file;
    const acp_json *definition = NULL;
    const char *name = acp_command_text(line, "scene-name");
    int code = acp_scene_file_load(&file, line, line->operands[0]);
    if (code == ACP_EXIT_OK) code = acp_scene_file_find(&file, line, name, name ? strlen(name) : 0, &definition);
    if (code == ACP_EXIT_OK) code = check(line, definition, line->operands[0]);
    acp_scene_file_close(&file);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},
    {.name = "no-records", .help = "do not tell what records could not say"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_scene_check = {
    .name = "check",
    .summary = "look a scene over",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description = "Builds the scene and looks for what makes floods and moves go wrong: node spheres that do not hold their polygons, "
                   "portals that nothing leads back, rooms without portals, neighbours missing from stab lists, entries of buildings that "
                   "lead nowhere, statics without a cell. What 'acphys scene pack' would refuse is told as remarks.",
    .examples = "acphys scene check town.json\tone line a finding",
    ACP_COMMAND_OPTIONS(options),
    .run = run_check,
};
