/* SPDX-License-Identifier: MIT */
/* One move, asked on the command line: its world, its mover, its way; then the move itself with everybody listening.
 *
 * The world is a scene (support/scene.h). Without a file it comes out of the DAT files of --dat-dir, else of the miniature world
 * (tool_dat_world.h); with --terrain, or with only a cell file in the folder, it is the ground alone, and with --flat that is flat at
 * height 0 in every landblock that the way comes near. The mover is an object of the scene or of a request with all that is said about its
 * dynamics, a model, or two spheres from options; options win over all. With --on-ground it stands on what a probe finds under the start.
 *
 * Contract: every failure has been reported when an exit code other than 0 comes back; what the world says is a result. Limits: 256 MB of
 * file, ground of 41 x 41 landblocks, ten million records. Cost: reading the scene; the move is nothing beside it. Specs 05, 06. */
#include "tools/acphys/tool_move.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number_text.h"
#include "math/number.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_dat_world.h"

#define MAX_RECORDS 10000000u
#define MAX_BLOCKS  20    /* to each side */
#define WORLD_REACH 100.0 /* metres of a DAT world around start and end */

/* Of a human player (spec 06 §10). */
#define DEFAULT_RADIUS    0.48f
#define DEFAULT_STEP_UP   0.6f
#define DEFAULT_STEP_DOWN 1.5f

/* ------------------------------------------------------------------------------------------------------------------ the trace */

static void keep_record(void *user, uint32_t type, const void *record, uint32_t size) {
    acp_move_question *q = user;
    if (q->record_count == q->record_capacity) {
        uint32_t capacity = q->record_capacity ? q->record_capacity * 2u : 256u;
        acp_move_record *records = q->record_count < MAX_RECORDS ? realloc(q->records, capacity * sizeof *records) : NULL;
        if (!records) {
            q->is_out_of_memory = true;
            return;
        }
        q->records = records;
        q->record_capacity = capacity;
    }
    acp_move_record *kept = &q->records[q->record_count++];
    memset(kept, 0, sizeof *kept);
    kept->type = type;
    memcpy(&kept->of, record, size < sizeof kept->of ? size : sizeof kept->of);
}

/* ----------------------------------------------------------------------------------------------------------- values of options */

/* `rows` rows of `width` numbers, separated by ; and inside by commas or blanks. How many rows, or 0. */
static uint32_t read_rows(const char *text, uint32_t width, uint32_t rows, float *out) {
    for (uint32_t count = 0; count < rows; count++) {
        for (uint32_t i = 0; i < width; i++) {
            size_t used = 0;
            text += strspn(text, i ? " ," : " ");
            if (!acp_number_parse_f32(text, strlen(text), &out[count * width + i], &used) || !isfinite(out[count * width + i])) return 0;
            text += used;
        }
        text += strspn(text, " ");
        if (*text == '\0') return count + 1u;
        if (*text++ != ';') return 0;
    }
    return 0;
}

static int read_vec3(const acp_command_line *line, const char *option, acp_vec3 *out) {
    float v[3];
    const char *text = acp_command_text(line, option);
    if (!text) return ACP_EXIT_OK;
    if (read_rows(text, 3u, 1u, v) != 1u) return acp_command_usage(line, "--%s: three finite numbers x,y,z", option);
    out->x = v[0], out->y = v[1], out->z = v[2];
    return ACP_EXIT_OK;
}

static int read_place(const acp_command_line *line, const char *option, acp_position *out) {
    acp_error error;
    acp_place_form form;
    const char *text = acp_command_text(line, option);
    if (!text) return ACP_EXIT_OK;
    if (acp_position_parse(text, strlen(text), out, &form, &error) == ACP_OK) return ACP_EXIT_OK;
    return acp_command_usage(line, "--%s is no position:\n  %s\n  %*s^ %s", option, text, (int)error.byte_offset, "", error.message);
}

/* ------------------------------------------------------------------------------------------------------------------- the world */

acp_result acp_move_write_blocks(acp_json_writer *out, acp_ground_source *source, const acp_position *from, const acp_position *to,
                                 acp_error *error) {
    const acp_position *ends[2] = {from, to};
    int low[2] = {255, 255}, high[2] = {-1, -1};
    for (int i = 0; i < 2; i++) {
        const acp_vec3 *o = &ends[i]->frame.origin;
        const double at[2] = {floor((double)o->x / 192.0), floor((double)o->y / 192.0)};
        const int block[2] = {(int)(ends[i]->cell_id >> 24), (int)((ends[i]->cell_id >> 16) & 0xFFu)};
        for (int k = 0; k < 2; k++) {
            int far = at[k] < -255.0 ? -255 : at[k] > 255.0 ? 255 : (int)at[k];
            int limit = block[k] + far < block[k] - MAX_BLOCKS   ? block[k] - MAX_BLOCKS
                        : block[k] + far > block[k] + MAX_BLOCKS ? block[k] + MAX_BLOCKS
                                                                 : block[k] + far;
            if (limit - 1 < low[k]) low[k] = limit - 1;
            if (limit + 1 > high[k]) high[k] = limit + 1;
            if (i == 1 && high[k] - low[k] > 2 * MAX_BLOCKS) high[k] = low[k] + 2 * MAX_BLOCKS;
        }
    }
    acp_json_begin_array(out, "blocks");
    for (int x = low[0] < 0 ? 0 : low[0]; x <= high[0] && x < 255; x++) {
        for (int y = low[1] < 0 ? 0 : low[1]; y <= high[1] && y < 255; y++) {
            acp_land_block block;
            bool has_source = source && acp_ground_source_is_open(source);
            acp_result result = ACP_OK;
            if (has_source) result = acp_ground_source_read(source, (uint32_t)x, (uint32_t)y, &block, error);
            if (result == ACP_ERROR_NOT_FOUND) continue;
            if (result != ACP_OK) return result;
            acp_json_begin_object(out, NULL);
            acp_json_write_id(out, "id", (uint32_t)x << 24 | (uint32_t)y << 16);
            if (has_source) {
                acp_json_begin_array(out, "height");
                for (uint32_t i = 0; i < 81u; i++)
                    acp_json_write_uint(out, NULL, block.height[i]);
                acp_json_end_array(out);
                acp_json_begin_array(out, "terrain");
                for (uint32_t i = 0; i < 81u; i++)
                    acp_json_write_uint(out, NULL, block.terrain[i]);
                acp_json_end_array(out);
            }
            acp_json_end_object(out);
        }
    }
    acp_json_end_array(out);
    return ACP_OK;
}

static uint32_t setup_id_of(const acp_command_line *line) {
    const char *text = acp_command_text(line, "setup");
    uint32_t id = 0;
    return text && acp_cells_parse_id(text, &id) && id >> 24 ? id : 0;
}

/* The text of the made scene as a definition. */
static int read_made(acp_move_question *q, const acp_command_line *line, const acp_json **out_definition) {
    acp_json_fault fault;
    const char *text = acp_json_writer_text(&q->made_scene);
    *out_definition = acp_json_read(&q->made_reader, text, strlen(text), &fault);
    if (*out_definition) return ACP_EXIT_OK;
    acp_command_error(line, "out of memory");
    return ACP_EXIT_INTERNAL;
}

/* All that DAT files have around the way. */
static int make_dat_world(acp_move_question *q, const acp_command_line *line, const char *folder, const acp_json **out_definition) {
    const acp_position places[2] = {q->from, q->to};
    uint32_t setup_id = setup_id_of(line);
    int code =
        acp_dat_world_write(line, folder, places, q->is_placement ? 1u : 2u, WORLD_REACH, &setup_id, setup_id ? 1u : 0u, &q->made_scene);
    return code == ACP_EXIT_OK ? read_made(q, line, out_definition) : code;
}

/* The ground alone. */
static int make_ground(acp_move_question *q, const acp_command_line *line, const acp_json **out_definition) {
    acp_ground_source source;
    acp_error error;
    memset(&source, 0, sizeof source);
    acp_result result = acp_command_flag(line, "flat") ? ACP_OK : acp_ground_source_open(&source, line, &error);
    if (result == ACP_OK) {
        acp_json_begin_object(&q->made_scene, NULL);
        result = acp_move_write_blocks(&q->made_scene, &source, &q->from, &q->to, &error);
        acp_json_end_object(&q->made_scene);
    }
    acp_ground_source_close(&source);
    if (result != ACP_OK) return acp_command_fail(line, &error);
    return read_made(q, line, out_definition);
}

/* ------------------------------------------------------------------------------------------------------------------- the mover */

static acp_scene_object *find_object(acp_move_question *q, const char *name) {
    for (uint32_t i = 0; i < q->scene->object_count; i++)
        if (strcmp(q->scene->objects[i].name, name) == 0) return &q->scene->objects[i];
    char *end = NULL;
    unsigned long id = strtoul(name, &end, 16);
    return *name && *end == '\0' && id <= 0xFFFFFFFFul ? acp_scene_find_id(q->scene, (uint32_t)id) : NULL;
}

static void take_dynamics(acp_move_question *q, const acp_scene_object *object) {
    q->object = object;
    q->mover.velocity = object->velocity;
    q->mover.contact.plane = object->contact_plane;
    q->mover.contact.cell_id = object->contact_plane_cell_id;
    q->mover.contact.is_valid = object->has_contact_plane;
    q->mover.sliding_normal = object->sliding_normal;
}

/* The mover, start and end of a request (op transition, sweep, set_position). */
static int read_request(acp_move_question *q, const acp_command_line *line) {
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    const acp_json *in = q->request;
    const char *id = acp_command_text(line, "request");
    bool is_sweep = acp_json_has(in, "info_state");
    const acp_json *json = acp_json_get_object(&input, in, "object");
    q->is_placement = !acp_json_has(in, "from") && acp_json_has(in, "pos");
    acp_matrix_position from = acp_json_get_position(&input, in, q->is_placement ? "pos" : "from");
    acp_matrix_position to = q->is_placement ? from : acp_json_get_position(&input, in, "to");
    if (!acp_json_is_failed(&input)) q->has_own = acp_scene_object_create(q->scene, &input, &q->memory, json, &q->own);
    if (q->has_own) {
        acp_result result = acp_mover_from_object(q->scene->world, q->own.handle, &q->mover);
        if (result != ACP_OK) acp_json_fail(&input, result, "object", "makes no mover");
        take_dynamics(q, &q->own);
    }
    q->has_flags = is_sweep;
    if (is_sweep) {
        uint32_t count = 0;
        const acp_sphere *spheres = acp_scene_spheres(&input, &q->memory, in, "spheres", &count);
        q->flags = acp_json_get_uint32_or(&input, in, "info_state", 0);
        q->mover.missile_target = acp_json_get_id_or(&input, in, "target", 0);
        q->mover.sphere_count = count < 2u ? count : 2u;
        for (uint32_t i = 0; i < q->mover.sphere_count; i++)
            q->mover.spheres[i] = spheres[i];
    } else if (acp_json_get_flag_or(&input, in, "admin", false)) {
        q->mover.transient_state &= ~(uint32_t)(ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_SLIDING);
    }
    if (acp_json_is_failed(&input)) {
        char text[512];
        (void)acp_error_format(&error, text, sizeof text);
        acp_command_error(line, "request %s is no move: %s", id, text);
        return ACP_EXIT_BAD_DATA;
    }
    q->from = acp_matrix_position_to_public(&from);
    q->to = acp_matrix_position_to_public(&to);
    return ACP_EXIT_OK;
}

/* The mover of --setup, standing at the start. */
static int make_model_mover(acp_move_question *q, const acp_command_line *line) {
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_json_fault fault;
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    char name[16];
    uint32_t id = setup_id_of(line);
    (void)snprintf(name, sizeof name, "0x%08lX", (unsigned long)id);
    acp_json_begin_object(&w, NULL);
    acp_json_write_position(&w, "pos", &q->from);
    acp_json_write_string(&w, "setup", id ? name : acp_command_text(line, "setup"));
    acp_json_end_object(&w);
    const char *text = acp_json_writer_text(&w);
    const acp_json *json = acp_json_read(&q->request_reader, text, w.length, &fault);
    if (json) q->has_own = acp_scene_object_create(q->scene, &input, &q->memory, json, &q->own);
    int code = q->has_own ? ACP_EXIT_OK : acp_scene_file_bad_input(line, &input, "--setup");
    if (q->has_own && acp_mover_from_object(q->scene->world, q->own.handle, &q->mover) != ACP_OK) {
        acp_command_error(line, "the model %s makes no mover", name);
        code = ACP_EXIT_NEGATIVE;
    }
    q->object = q->has_own ? &q->own : NULL;
    q->own.json = NULL; /* its text goes */
    acp_json_writer_free(&w);
    return code;
}

static int read_spheres(acp_move_question *q, const acp_command_line *line) {
    float balls[8];
    const char *text = acp_command_text(line, "spheres");
    bool has_radius = acp_command_is_given(line, "radius");
    if (text && has_radius) return acp_command_usage(line, "--spheres and --radius both");
    if (acp_command_is_given(line, "height") && (text || (!has_radius && q->object)))
        return acp_command_usage(line, "--height goes with --radius");
    if (text) {
        uint32_t count = read_rows(text, 4u, 2u, balls);
        if (!count) return acp_command_usage(line, "--spheres: four finite numbers x,y,z,r, at most two spheres separated by ;");
        q->mover.sphere_count = count;
        for (uint32_t i = 0; i < count; i++) {
            acp_sphere ball = {{balls[4u * i], balls[4u * i + 1u], balls[4u * i + 2u]}, balls[4u * i + 3u]};
            q->mover.spheres[i] = ball;
        }
    } else if (has_radius || !q->object) {
        float r = has_radius ? acp_f32(acp_command_number(line, "radius")) : DEFAULT_RADIUS;
        acp_sphere lower = {{0.0f, 0.0f, r}, r}, upper = lower;
        upper.center.z = acp_f32(acp_command_number(line, "height") - (double)r);
        q->mover.sphere_count = acp_command_is_given(line, "height") && upper.center.z > lower.center.z ? 2u : 1u;
        q->mover.spheres[0] = lower;
        q->mover.spheres[1] = upper;
    }
    return ACP_EXIT_OK;
}

static int read_mover(acp_move_question *q, const acp_command_line *line) {
    int code = read_spheres(q, line);
    if (code == ACP_EXIT_OK) code = read_vec3(line, "velocity", &q->mover.velocity);
    if (code != ACP_EXIT_OK) return code;
    if (acp_command_is_given(line, "step-up")) q->mover.step_up_height = acp_f32(acp_command_number(line, "step-up"));
    if (acp_command_is_given(line, "step-down")) q->mover.step_down_height = acp_f32(acp_command_number(line, "step-down"));
    if (acp_command_is_given(line, "scale")) q->mover.scale = acp_f32(acp_command_number(line, "scale"));
    static const char *const words[] = {"state", "transient", "flags"};
    uint32_t *const values[] = {&q->mover.state, &q->mover.transient_state, &q->flags};
    for (uint32_t i = 0; i < 3u; i++) {
        if (!acp_command_is_given(line, words[i])) continue;
        if (acp_command_integer(line, words[i]) > 0xFFFFFFFFu) return acp_command_usage(line, "--%s: a word has 32 bits", words[i]);
        *values[i] = (uint32_t)acp_command_integer(line, words[i]);
    }
    if (acp_command_is_given(line, "flags")) q->has_flags = true;
    if (acp_command_flag(line, "player")) q->mover.predicates |= (uint32_t)(ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_PLAYER);
    const char *contact = acp_command_text(line, "contact");
    if (contact) {
        float p[4];
        if (read_rows(contact, 4u, 1u, p) != 1u) return acp_command_usage(line, "--contact: four finite numbers x,y,z,d");
        acp_ground_plane plane = {{{p[0], p[1], p[2]}, p[3]}, q->from.cell_id, 1u, 0u};
        q->mover.contact = plane;
        q->mover.transient_state |= (uint32_t)ACP_TRANSIENT_CONTACT;
        if ((double)p[2] >= 0.664174139) q->mover.transient_state |= (uint32_t)ACP_TRANSIENT_ON_WALKABLE;
    }
    return ACP_EXIT_OK;
}

/* What is under the start, at most a step down away. */
static int find_ground(acp_move_question *q, const acp_command_line *line) {
    acp_error error;
    acp_floor floor_;
    const acp_sphere *ball = &q->mover.spheres[0];
    acp_position foot = q->from;
    double scale = (double)q->mover.scale, r = (double)ball->radius * scale;
    double lift = (double)ball->center.z * scale - r + 0.01;
    foot.frame.origin.z = acp_f32((double)foot.frame.origin.z + lift);
    float depth = acp_f32((double)q->mover.step_down_height + 0.01);
    if (acp_ground_under(q->context, q->scene->world, &foot, acp_f32(r), depth, &floor_, &error) != ACP_OK)
        return acp_command_fail(line, &error);
    acp_transition_context_reset(q->context);
    if (!floor_.has_ground) {
        acp_command_note(line, "there is no ground within a step down of the start");
        return ACP_EXIT_OK;
    }
    acp_ground_plane plane = {floor_.plane, floor_.cell_id, 1u, floor_.is_water};
    q->mover.contact = plane;
    q->mover.transient_state |= (uint32_t)ACP_TRANSIENT_CONTACT;
    if (floor_.is_walkable) q->mover.transient_state |= (uint32_t)ACP_TRANSIENT_ON_WALKABLE;
    return ACP_EXIT_OK;
}

/* --------------------------------------------------------------------------------------------------------------------- asking */

/* Start and end as far as options name them. */
static int read_ends(acp_move_question *q, const acp_command_line *line, bool has_default) {
    acp_vec3 by = {0.0f, 0.0f, 0.0f};
    bool has_from = acp_command_text(line, "from") != NULL, has_to = acp_command_text(line, "to") != NULL;
    bool has_by = acp_command_text(line, "by") != NULL, is_placement = acp_command_flag(line, "place");
    if (has_to && has_by) return acp_command_usage(line, "--to and --by both");
    if (is_placement && (has_to || has_by)) return acp_command_usage(line, "--place has no end");
    int code = read_place(line, "from", &q->from);
    if (code == ACP_EXIT_OK) code = read_place(line, "to", &q->to);
    if (code == ACP_EXIT_OK) code = read_vec3(line, "by", &by);
    if (code != ACP_EXIT_OK) return code;
    if (!has_from && !has_default) return acp_command_usage(line, "where from? --from PLACE");
    if (is_placement) q->is_placement = true;
    if (q->is_placement) q->to = q->from;
    if (q->is_placement || has_to) return ACP_EXIT_OK;
    if (!has_by && !acp_command_text(line, "request")) return acp_command_usage(line, "where to? --to PLACE or --by X,Y,Z");
    if (!has_by) return ACP_EXIT_OK;
    q->to = q->from;
    q->to.frame.origin.x = acp_f32((double)q->to.frame.origin.x + (double)by.x);
    q->to.frame.origin.y = acp_f32((double)q->to.frame.origin.y + (double)by.y);
    q->to.frame.origin.z = acp_f32((double)q->to.frame.origin.z + (double)by.z);
    return ACP_EXIT_OK;
}

/* The scene of the file: of --scene-name, else the one that the request names (without one the empty world), else the first. */
static int open_scene(acp_move_question *q, const acp_command_line *line, const char *path, const char *request) {
    const acp_json *definition = NULL;
    const char *name = acp_command_text(line, "scene-name");
    size_t length = name ? strlen(name) : 0;
    int code = acp_scene_file_load(&q->file, line, path);
    if (code == ACP_EXIT_OK && request) code = acp_scene_file_request(&q->file, line, request, &q->request_reader, &q->request);
    if (code != ACP_EXIT_OK) return code;
    const acp_json *own = acp_json_member(q->request, "scene");
    if (own && own->type == ACP_JSON_STRING && !name) name = own->text, length = own->count;
    if (own && own->type == ACP_JSON_OBJECT && !name)
        definition = own;
    else if (!request || name)
        code = acp_scene_file_find(&q->file, line, name, length, &definition);
    return code == ACP_EXIT_OK ? acp_scene_file_build(line, definition, NULL, path, &q->scene) : code;
}

/* World and mover; afterwards from and to hold what the scene knows. */
static int open_world(acp_move_question *q, const acp_command_line *line) {
    const char *path = acp_command_text(line, "scene"), *request = acp_command_text(line, "request");
    const char *name = acp_command_text(line, "object");
    if (!path && (request || name || acp_command_text(line, "scene-name"))) return acp_command_usage(line, "of which --scene?");
    if (request && name) return acp_command_usage(line, "--request and --object both");
    bool is_flat = acp_command_flag(line, "flat"), is_ground = is_flat || acp_command_text(line, "terrain");
    if (is_flat && (path || acp_command_is_given(line, "dat-dir") || acp_command_flag(line, "demo") || acp_command_text(line, "terrain")))
        return acp_command_usage(line, "--flat is no world, and excludes --scene, --dat-dir, --demo and --terrain");
    q->mover = acp_mover_default();
    q->mover.step_up_height = DEFAULT_STEP_UP;
    q->mover.step_down_height = DEFAULT_STEP_DOWN;
    if (!path) {
        const acp_json *definition = NULL;
        int code = read_ends(q, line, false);
        const char *folder = acp_dat_dir_name(line);
        bool has_world = !is_ground && acp_dat_world_is_there(folder);
        if (code == ACP_EXIT_OK) code = has_world ? make_dat_world(q, line, folder, &definition) : make_ground(q, line, &definition);
        if (code == ACP_EXIT_OK)
            code = acp_scene_file_build(line, definition, NULL, has_world ? acp_dat_dir_title(folder) : "ground", &q->scene);
        return code == ACP_EXIT_OK && acp_command_text(line, "setup") ? make_model_mover(q, line) : code;
    }
    int code = open_scene(q, line, path, request);
    if (code != ACP_EXIT_OK) return code;
    if (acp_command_text(line, "setup")) {
        if (request || name) return acp_command_usage(line, "--setup, --request and --object exclude each other");
        code = read_ends(q, line, false);
        return code == ACP_EXIT_OK ? make_model_mover(q, line) : code;
    }
    if (request) return read_request(q, line);
    if (!name) return ACP_EXIT_OK;
    const acp_scene_object *object = find_object(q, name);
    if (!object) {
        acp_command_error(line, "the scene has no object %s", name);
        return ACP_EXIT_NEGATIVE;
    }
    if (acp_mover_from_object(q->scene->world, object->handle, &q->mover) != ACP_OK) {
        acp_command_error(line, "the object %s makes no mover", name);
        return ACP_EXIT_NEGATIVE;
    }
    take_dynamics(q, object);
    q->from = acp_matrix_position_to_public(&acp_world_row(q->scene->world, object->index)->position);
    return ACP_EXIT_OK;
}

static acp_result run(acp_move_question *q, const acp_command_line *line, acp_error *error) {
    if (q->is_placement)
        return acp_place(q->context, q->scene->world, &q->mover, &q->from, acp_command_flag(line, "slide"), &q->result, error);
    if (q->has_flags) return acp_move_with_flags(q->context, q->scene->world, &q->mover, q->flags, &q->from, &q->to, &q->result, error);
    return acp_move(q->context, q->scene->world, &q->mover, &q->from, &q->to, &q->result, error);
}

int acp_move_question_ask(acp_move_question *q, const acp_command_line *line) {
    acp_error error;
    memset(q, 0, sizeof *q);
    int code = open_world(q, line);
    if (code == ACP_EXIT_OK && acp_command_text(line, "scene")) code = read_ends(q, line, q->object != NULL);
    if (code == ACP_EXIT_OK) code = read_mover(q, line);
    if (code != ACP_EXIT_OK) return code;
    if (acp_transition_context_create(NULL, &q->context, &error) != ACP_OK) return acp_command_fail(line, &error);
    if (acp_command_flag(line, "on-ground") && !acp_command_text(line, "contact")) code = find_ground(q, line);
    if (code != ACP_EXIT_OK) return code;
    acp_trace_sink sink = {q, keep_record};
    acp_transition_context_set_trace(q->context, &sink);
    acp_result result = run(q, line, &error);
    acp_transition_context_set_trace(q->context, NULL);
    if (result != ACP_OK) return acp_command_fail(line, &error);
    if (q->is_out_of_memory) {
        acp_command_error(line, "out of memory for what the move tells");
        return ACP_EXIT_INTERNAL;
    }
    return ACP_EXIT_OK;
}

void acp_move_question_close(acp_move_question *q) {
    acp_transition_context_destroy(q->context);
    if (q->has_own) acp_scene_object_destroy(q->scene, &q->own);
    acp_scene_destroy(q->scene);
    free(q->records);
    acp_json_reader_free(&q->memory);
    acp_json_reader_free(&q->request_reader);
    acp_json_reader_free(&q->made_reader);
    acp_json_writer_free(&q->made_scene);
    acp_scene_file_close(&q->file);
    memset(q, 0, sizeof *q);
}
