/* SPDX-License-Identifier: MIT */
/* `acphys why candidates`: what a ball would be tested against, and what became of each candidate (L4, spec 05 OCD-14, OCD-20, OCD-30).
 *
 * Candidates are the objects shadowed into the cells that the ball touches, each once, in list order. Each has a verdict: tested; exempt,
 * with the reason; or rejected, by the bound that proves it unreachable, with its distance and the reach it exceeds. The world comes from
 * a scene or from DAT files, else the miniature world. Exit codes: 1 when nothing is tested. Cost: building the world. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "math/number.h"
#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_dat_world.h"
#include "tools/acphys/tool_scene_file.h"

#define MAX_CANDIDATES 65536u

typedef struct question {
    acp_scene_file file;
    acp_json_writer made;
    acp_scene *scene;
    acp_position position;
    float radius;
    bool has_mover;
    acp_object mover;
    acp_candidate *candidates;
    uint32_t count;
} question;

static const struct {
    const char *word; /* stable, for JSON */
    const char *text;
} verdicts[] = {
    {"tested", "tested"},
    {"exempt-self", "exempt: the mover itself"},
    {"exempt-parented", "exempt: it has a parent"},
    {"exempt-ethereal", "exempt: ethereal, and ignoring collisions"},
    {"exempt-no-shape", "exempt: nothing to hit"},
    {"rejected-sphere", "rejected by the bounding sphere of part"},
    {"rejected-cylinder", "rejected by the ball around cylsphere"},
    {"rejected-spheres", "rejected by sphere"},
};

/* Name of an object: of the scene, else its id, else its place in the world. */
static void name_object(const acp_scene *scene, acp_object object, char *out, size_t capacity) {
    const acp_scene_object *lists[2] = {scene->objects, scene->statics};
    const uint32_t counts[2] = {scene->object_count, scene->static_count};
    for (uint32_t l = 0; l < 2u; l++)
        for (uint32_t i = 0; i < counts[l]; i++)
            if (lists[l][i].handle.index1 == object.index1 && lists[l][i].name[0]) {
                (void)snprintf(out, capacity, "%s", lists[l][i].name);
                return;
            }
    acp_object_info info;
    if (acp_object_get_info(scene->world, object, &info) == ACP_OK && info.object_id)
        (void)snprintf(out, capacity, "0x%08lX", (unsigned long)info.object_id);
    else
        (void)snprintf(out, capacity, "object %u", (unsigned)object.index1);
}

static int read_position(question *q, const acp_command_line *line) {
    char text[512];
    acp_error error;
    acp_place_form form;
    const char *place = acp_cells_place(line, 0, text, sizeof text);
    if (!place) return ACP_EXIT_OK;
    if (acp_position_parse(place, strlen(place), &q->position, &form, &error) == ACP_OK) return ACP_EXIT_OK;
    return acp_command_usage(line, "%s\n  %s\n  %*s^ %s", "this is no position:", place, (int)error.byte_offset, "", error.message);
}

static int open_world(question *q, const acp_command_line *line) {
    const char *path = acp_command_text(line, "scene"), *name = acp_command_text(line, "scene-name"), *folder = acp_dat_dir_name(line);
    const acp_json *definition = NULL;
    acp_json_fault fault;
    acp_scene_options options = {.canonical_order = true};
    int code = ACP_EXIT_OK;
    if (path) {
        code = acp_scene_file_load(&q->file, line, path);
        if (code == ACP_EXIT_OK) code = acp_scene_file_find(&q->file, line, name, name ? strlen(name) : 0, &definition);
    } else if (!q->position.cell_id)
        return acp_command_usage(line, "where? a place");
    else {
        code = acp_dat_world_write(line, folder, &q->position, 1, 200.0, NULL, 0, &q->made);
        if (code == ACP_EXIT_OK) definition = acp_json_read(&q->file.reader, acp_json_writer_text(&q->made), q->made.length, &fault);
    }
    return code == ACP_EXIT_OK ? acp_scene_file_build(line, definition, &options, path ? path : acp_dat_dir_title(folder), &q->scene)
                               : code;
}

static int find_mover(question *q, const acp_command_line *line) {
    const char *name = acp_command_text(line, "object");
    uint32_t id = 0;
    if (!name) return q->position.cell_id ? ACP_EXIT_OK : acp_command_usage(line, "where? a place, or --object NAME");
    acp_json text = {.type = ACP_JSON_STRING, .text = name, .count = (uint32_t)strlen(name)};
    const acp_scene_object *object = acp_scene_find(q->scene, &text);
    if (!object && acp_cells_parse_id(name, &id)) object = acp_scene_find_id(q->scene, id);
    acp_object_info info;
    if (!object || acp_object_get_info(q->scene->world, object->handle, &info) != ACP_OK) {
        acp_command_error(line, "the world has no object '%s'", name);
        return ACP_EXIT_NEGATIVE;
    }
    q->has_mover = true;
    q->mover = object->handle;
    if (!q->position.cell_id) q->position = info.position;
    return ACP_EXIT_OK;
}

static void write_json(const question *q) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.why.candidates.1");
    acp_json_write_position(&w, "position", &q->position);
    acp_json_write_float(&w, "radius", q->radius);
    acp_json_begin_array(&w, "candidates");
    for (uint32_t i = 0; i < q->count; i++) {
        const acp_reach_verdict *v = &q->candidates[i].verdict;
        char name[64];
        name_object(q->scene, q->candidates[i].object, name, sizeof name);
        acp_json_begin_object(&w, NULL);
        acp_json_write_string(&w, "object", name);
        acp_json_write_string(&w, "verdict", v->verdict < 8u ? verdicts[v->verdict].word : "unknown");
        if (v->verdict == ACP_REACH_TESTED || v->verdict >= ACP_REACH_REJECTED_SPHERE) {
            acp_json_write_uint(&w, "nearest", v->nearest);
            acp_json_write_double(&w, "distance", v->distance);
            acp_json_write_double(&w, "reach", v->reach);
        }
        acp_json_end_object(&w);
    }
    acp_json_end_array(&w);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

static void print_text(const question *q, uint32_t tested) {
    (void)printf("%u candidates, %u tested\n", (unsigned)q->count, (unsigned)tested);
    for (uint32_t i = 0; i < q->count; i++) {
        const acp_reach_verdict *v = &q->candidates[i].verdict;
        char name[64];
        name_object(q->scene, q->candidates[i].object, name, sizeof name);
        (void)printf("  %-16s %s", name, v->verdict < 8u ? verdicts[v->verdict].text : "unknown");
        if (v->verdict >= ACP_REACH_REJECTED_SPHERE)
            (void)printf(" %u: %.9g m away, reach %.9g m", (unsigned)v->nearest, v->distance, v->reach);
        (void)printf("\n");
    }
}

static int ask(question *q, const acp_command_line *line) {
    acp_error error;
    uint32_t tested = 0;
    q->radius = acp_f32(acp_command_number(line, "radius"));
    q->candidates = malloc(MAX_CANDIDATES * sizeof *q->candidates);
    if (!q->candidates) return acp_command_out_of_memory(line);
    if (acp_membership_candidates(q->scene->world, &q->position, q->radius, q->has_mover ? &q->mover : NULL, q->candidates, MAX_CANDIDATES,
                                  &q->count, &error) != ACP_OK)
        return acp_command_fail(line, &error);
    if (q->count > MAX_CANDIDATES) q->count = MAX_CANDIDATES;
    for (uint32_t i = 0; i < q->count; i++)
        tested += q->candidates[i].verdict.verdict == ACP_REACH_TESTED;
    if (acp_command_flag(line, "json"))
        write_json(q);
    else
        print_text(q, tested);
    return tested ? ACP_EXIT_OK : ACP_EXIT_NEGATIVE;
}

static int run_candidates(acp_command_line *line) {
    question q;
    memset(&q, 0, sizeof q);
    int code = read_position(&q, line);
    if (code == ACP_EXIT_OK) code = open_world(&q, line);
    if (code == ACP_EXIT_OK) code = find_mover(&q, line);
    if (code == ACP_EXIT_OK) code = ask(&q, line);
    free(q.candidates);
    acp_scene_destroy(q.scene);
    acp_json_writer_free(&q.made);
    acp_scene_file_close(&q.file);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "scene", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "take the world from a scene"},
    {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},
    ACP_OPTION_DAT_WORLD,
    ACP_OPTION_DEMO,
    {.name = "object", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the mover: an object of the world, by name or id"},
    {.name = "radius", .kind = ACP_OPTION_NUMBER, .argument = "M", .fallback = "0.48", .help = "of the ball"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_why_candidates = {
    .name = "candidates",
    .summary = "tell what a ball would be tested against, and why the rest is not",
    .operands = "[PLACE]",
    .operand_max = 16,
    .description =
        "Everything shadowed into the cells that the ball touches, each once, in list order, with its verdict: tested; exempt, with "
        "the reason; or rejected by a bound that proves it unreachable, with the distance to that bound's centre and the reach "
        "that it exceeds. Exit code 1 when nothing is tested.",
    .examples = "acphys why candidates --dat-dir game 0xA9B40024 108 84 0.5\twhat stands in the way there\n"
                "acphys why candidates --scene town.json --object guard\taround an object",
    ACP_COMMAND_OPTIONS(options),
    .run = run_candidates,
};
