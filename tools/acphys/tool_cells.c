/* SPDX-License-Identifier: MIT */
/* One object and its cell set: from a scene, from a request, or from shapes on the command line, flooded with everybody listening.
 *
 * Without a scene the world comes out of the DAT files of --dat-dir, else of the miniature world (tool_dat_world.h), unless --flat.
 * Whatever the source, the object goes through the scene's own door (support/scene.h): options are turned into the scene form first, so a
 * box typed here and the same box in a vector give the same list. With --flat the world is flat ground in every landblock that the
 * object could reach: heights play no part in membership (spec 04). A request of a file brings its own object and names its own
 * scene.
 *
 * Contract: every failure has been reported when an exit code other than 0 comes back. Limits: 64 shapes per option, flat
 * ground of at most 41 x 41 landblocks, a
 * million records of explanation (the rest is counted). Cost: the flood (spec 04) is nothing beside reading the scene. */
#include "tools/acphys/tool_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number_text.h"
#include "math/number.h"
#include "math/trig.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_dat_world.h"

#define MAX_SHAPES  64u
#define MAX_RECORDS 1000000u
#define MAX_REACH   3840.0 /* of the flat ground, metres */

/* ------------------------------------------------------------------------------------------------------------------ the trace */

/* A part's box in the same frame is told once per test; once is enough. */
static bool is_repeated(const acp_cells *cells, uint32_t type, const void *record, uint32_t size) {
    if (type != ACP_TRACE_MEMBERSHIP_PART_BOX || size > sizeof cells->records->of) return false;
    uint32_t first = cells->record_count > 256u ? cells->record_count - 256u : 0;
    for (uint32_t i = cells->record_count; i > first; i--)
        if (cells->records[i - 1u].type == type && memcmp(&cells->records[i - 1u].of, record, size) == 0) return true;
    return false;
}

static void keep_record(void *user, uint32_t type, const void *record, uint32_t size) {
    acp_cells *cells = user;
    if (is_repeated(cells, type, record, size)) return;
    if (cells->record_count == MAX_RECORDS) {
        cells->lost_record_count++;
        return;
    }
    if (cells->record_count == cells->record_capacity) {
        uint32_t capacity = cells->record_capacity ? cells->record_capacity * 2u : 256u;
        acp_cells_record *records = realloc(cells->records, capacity * sizeof *records);
        if (!records) {
            cells->is_out_of_memory = true;
            return;
        }
        cells->records = records;
        cells->record_capacity = capacity;
    }
    acp_cells_record *kept = &cells->records[cells->record_count++];
    memset(kept, 0, sizeof *kept);
    kept->type = type;
    memcpy(&kept->of, record, size < sizeof kept->of ? size : sizeof kept->of);
}

/* ----------------------------------------------------------------------------------------------------------- lists of numbers */

/* Numbers of an option: rows of `width`, separated by ; and inside by commas or blanks. The number of rows, or -1. */
static int read_rows(const char *text, uint32_t width, float *out) {
    uint32_t count = 0;
    const char *at = text;
    for (;;) {
        for (uint32_t i = 0; i < width; i++) {
            size_t used = 0;
            float v = 0.0f;
            at += strspn(at, i ? " ," : " ");
            if (count == MAX_SHAPES || !acp_number_parse_f32(at, strlen(at), &v, &used) || !isfinite(v)) return -1;
            out[count * width + i] = v;
            at += used;
        }
        count++;
        at += strspn(at, " ");
        if (*at == '\0') return (int)count;
        if (*at++ != ';') return -1;
        at += strspn(at, " ");
        if (*at == '\0') return (int)count;
    }
}

typedef struct shapes {
    float boxes[MAX_SHAPES * 6u];
    float balls[MAX_SHAPES * 4u];
    float cylspheres[MAX_SHAPES * 5u];
    float sorting[MAX_SHAPES * 4u];
    uint32_t box_count, ball_count, cylsphere_count, sorting_count;
    double reach; /* from the origin */
} shapes;

static bool read_list(const acp_command_line *line, const char *option, uint32_t width, float *out, uint32_t *out_count) {
    *out_count = 0;
    const char *text = acp_command_text(line, option);
    if (!text) return true;
    int count = read_rows(text, width, out);
    *out_count = count > 0 ? (uint32_t)count : 0;
    return count > 0;
}

static void widen(shapes *s, const float *center, double radius) {
    double d = sqrt((double)center[0] * (double)center[0] + (double)center[1] * (double)center[1]) + radius;
    if (d > s->reach) s->reach = d;
}

/* The ball about a box, from center to corner. */
static void ball_of(const float *box, float *ball) {
    double square = 0.0;
    for (uint32_t i = 0; i < 3u; i++) {
        ball[i] = acp_f32(((double)box[i] + (double)box[i + 3u]) * 0.5);
        double half = ((double)box[i + 3u] - (double)box[i]) * 0.5;
        square += half * half;
    }
    ball[3] = acp_f32(sqrt(square));
}

/* 0, or the exit code of a wrong usage. */
static int read_shapes(const acp_command_line *line, shapes *s) {
    memset(s, 0, sizeof *s);
    if (!read_list(line, "box", 6u, s->boxes, &s->box_count))
        return acp_command_usage(line, "--box: six finite numbers x0,y0,z0,x1,y1,z1, at most 64 boxes separated by ;");
    if (!read_list(line, "part-sphere", 4u, s->balls, &s->ball_count))
        return acp_command_usage(line, "--part-sphere: four finite numbers x,y,z,r, at most 64 separated by ;");
    if (!read_list(line, "cylsphere", 5u, s->cylspheres, &s->cylsphere_count))
        return acp_command_usage(line, "--cylsphere: five finite numbers x,y,z,height,radius, at most 64 separated by ;");
    if (!read_list(line, "sphere", 4u, s->sorting, &s->sorting_count) || s->sorting_count > 1u)
        return acp_command_usage(line, "--sphere: four finite numbers x,y,z,r");
    if (s->ball_count && s->ball_count != s->box_count) return acp_command_usage(line, "--part-sphere: as many as there are boxes");
    for (uint32_t i = 0; i < s->box_count; i++) {
        const float *b = &s->boxes[i * 6u];
        if (b[0] > b[3] || b[1] > b[4] || b[2] > b[5]) return acp_command_usage(line, "--box: box %u is upside down", (unsigned)i);
        if (!s->ball_count) ball_of(b, &s->balls[i * 4u]);
        widen(s, b, 0.0);
        widen(s, b + 3, 0.0);
        const float mixed[2] = {b[0], b[4]}, other[2] = {b[3], b[1]};
        widen(s, mixed, 0.0);
        widen(s, other, 0.0);
        widen(s, &s->balls[i * 4u], fabs((double)s->balls[i * 4u + 3u]));
    }
    for (uint32_t i = 0; i < s->cylsphere_count; i++)
        widen(s, &s->cylspheres[i * 5u], fabs((double)s->cylspheres[i * 5u + 4u]));
    for (uint32_t i = 0; i < s->sorting_count; i++)
        widen(s, &s->sorting[i * 4u], fabs((double)s->sorting[i * 4u + 3u]));
    return ACP_EXIT_OK;
}

/* ---------------------------------------------------------------------------------------------------- the scene form of options */

static void write_flat_scene(acp_json_writer *w, const acp_position *position, double reach) {
    if (reach > MAX_REACH) reach = MAX_REACH;
    double x = (double)(position->cell_id >> 24) * 192.0 + (double)position->frame.origin.x;
    double y = (double)((position->cell_id >> 16) & 0xFFu) * 192.0 + (double)position->frame.origin.y;
    reach += 24.0;
    acp_json_begin_object(w, NULL);
    acp_json_begin_array(w, "blocks");
    for (int bx = 0; bx < 255; bx++) {
        if ((double)bx * 192.0 > x + reach || (double)bx * 192.0 + 192.0 < x - reach) continue;
        for (int by = 0; by < 255; by++) {
            if ((double)by * 192.0 > y + reach || (double)by * 192.0 + 192.0 < y - reach) continue;
            acp_json_begin_object(w, NULL);
            acp_json_write_id(w, "id", (uint32_t)bx << 24 | (uint32_t)by << 16);
            acp_json_end_object(w);
        }
    }
    acp_json_end_array(w);
    acp_json_end_object(w);
}

static acp_vec3 vec3_of(const float *v) {
    acp_vec3 out = {v[0], v[1], v[2]};
    return out;
}

static void write_parts(acp_json_writer *w, const acp_command_line *line, const shapes *s, const acp_position *position) {
    if (!s->box_count) return;
    acp_json_begin_array(w, "parts");
    for (uint32_t i = 0; i < s->box_count; i++) {
        acp_box box = {vec3_of(&s->boxes[i * 6u]), vec3_of(&s->boxes[i * 6u + 3u])};
        acp_sphere ball = {vec3_of(&s->balls[i * 4u]), s->balls[i * 4u + 3u]};
        acp_json_begin_object(w, NULL);
        acp_json_begin_object(w, "gfx");
        acp_json_write_box(w, "box", box);
        acp_json_write_sphere(w, "physics_sphere", ball);
        acp_json_end_object(w);
        acp_json_write_position(w, "pos", position);
        if (acp_command_flag(line, "billboard")) acp_json_write_flag(w, "always2d", true);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static uint32_t state_of(const acp_command_line *line, const shapes *s) {
    if (acp_command_is_given(line, "state")) return (uint32_t)acp_command_integer(line, "state");
    uint32_t state = ACP_STATE_DEFAULT;
    if (acp_command_flag(line, "static")) state |= (uint32_t)ACP_STATE_STATIC;
    if (s->box_count && !acp_command_flag(line, "no-bsp")) state |= (uint32_t)ACP_STATE_HAS_PHYSICS_BSP;
    return state;
}

/* The model of --setup as a scene names it: an id, when it is one. */
static const char *setup_name(const acp_command_line *line, char out[16], uint32_t *out_id) {
    const char *text = acp_command_text(line, "setup");
    *out_id = 0;
    if (!text || !acp_cells_parse_id(text, out_id) || *out_id >> 24 == 0) return text;
    (void)snprintf(out, 16, "0x%08lX", (unsigned long)*out_id);
    return out;
}

static void write_object(acp_json_writer *w, const acp_command_line *line, const shapes *s, const acp_position *position) {
    acp_json_begin_object(w, NULL);
    char name[16];
    uint32_t setup_id = 0;
    const char *setup = setup_name(line, name, &setup_id);
    acp_json_write_position(w, "pos", position);
    if (setup) acp_json_write_string(w, "setup", setup);
    if (!setup || acp_command_is_given(line, "state")) acp_json_write_id(w, "state", state_of(line, s)); /* a model brings its own bit */
    acp_json_write_float(w, "scale", acp_f32(acp_command_number(line, "scale")));
    write_parts(w, line, s, position);
    if (s->cylsphere_count) {
        acp_json_begin_array(w, "cylspheres");
        for (uint32_t i = 0; i < s->cylsphere_count; i++) {
            const float *c = &s->cylspheres[i * 5u];
            acp_json_begin_object(w, NULL);
            acp_json_write_vec3(w, "low", vec3_of(c));
            acp_json_write_float(w, "h", c[3]);
            acp_json_write_float(w, "r", c[4]);
            acp_json_end_object(w);
        }
        acp_json_end_array(w);
    }
    if (s->sorting_count) {
        acp_sphere sorting = {vec3_of(s->sorting), s->sorting[3]};
        acp_json_write_flag(w, "setup", true);
        acp_json_write_sphere(w, "sorting_sphere", sorting);
    }
    acp_json_end_object(w);
}

/* The position of the operands, turned. */
static int read_place(const acp_command_line *line, const char *place, acp_position *out) {
    acp_error error;
    acp_place_form form;
    if (acp_position_parse(place, strlen(place), out, &form, &error) != ACP_OK)
        return acp_command_usage(line, "%s\n  %s\n  %*s^ %s", "this is no position:", place, (int)error.byte_offset, "", error.message);
    if (acp_command_is_given(line, "turn")) {
        double half = acp_command_number(line, "turn") * (3.14159265358979323846 / 360.0);
        acp_quaternion turn = {acp_f32(acp_cos(half)), 0.0f, 0.0f, acp_f32(acp_sin(half))};
        const acp_quaternion identity = {1.0f, 0.0f, 0.0f, 0.0f};
        if (memcmp(&out->frame.rotation, &identity, sizeof identity) != 0)
            return acp_command_usage(line, "--turn: the position has a rotation already");
        out->frame.rotation = turn;
    }
    acp_result result = acp_position_check(out);
    if (result == ACP_OK) return ACP_EXIT_OK;
    if (result == ACP_ERROR_INVALID_ID)
        acp_command_error(line, "0x%08X names no cell", (unsigned)out->cell_id);
    else
        acp_command_error(line, "the rotation is not of unit length");
    return ACP_EXIT_NEGATIVE;
}

/* --------------------------------------------------------------------------------------------------------------------- opening */

static bool read_corrections(const char *text, uint32_t *out) {
    static const struct {
        const char *name;
        uint32_t bit;
    } table[] = {{"billboard-block", ACP_CORRECTION_BILLBOARD_BLOCK},
                 {"sphere-block", ACP_CORRECTION_SPHERE_BLOCK},
                 {"scaled-extent", ACP_CORRECTION_SCALED_EXTENT},
                 {"keep-outdoor", ACP_CORRECTION_KEEP_OUTDOOR}};
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < 4u && (strlen(table[i].name) != length || memcmp(table[i].name, at, length) != 0))
            i++;
        if (i == 4u) return false;
        *out |= table[i].bit;
        at += length + (at[length] == ',');
    }
    return true;
}

/* The text of a made scene becomes the cells' world. */
static int build_made_scene(acp_cells *cells, const acp_command_line *line, const char *what);

static int build_scene(acp_cells *cells, const acp_command_line *line, const acp_json *definition, const char *what) {
    acp_scene_options options = {0, false, NULL};
    if (!read_corrections(acp_command_text(line, "correct"), &options.corrections))
        return acp_command_usage(line, "--correct: known are billboard-block, sphere-block, scaled-extent and keep-outdoor");
    return acp_scene_file_build(line, definition, &options, what, &cells->scene);
}

static int make_object(acp_cells *cells, const acp_command_line *line, const acp_json *json, const char *what) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    if (!acp_scene_object_create(cells->scene, &input, &cells->memory, json, &cells->own))
        return acp_scene_file_bad_input(line, &input, what);
    cells->object = &cells->own;
    return ACP_EXIT_OK;
}

static int build_made_scene(acp_cells *cells, const acp_command_line *line, const char *what) {
    acp_json_fault fault;
    const acp_json *definition =
        acp_json_read(&cells->file.reader, acp_json_writer_text(&cells->made_scene), cells->made_scene.length, &fault);
    return definition ? build_scene(cells, line, definition, what) : acp_scene_file_bad_json(line, what, &fault);
}

/* Heights play no part, so what gives nothing but ground is flat here. */
static bool is_flat(const acp_command_line *line) {
    return acp_command_flag(line, "flat") || (acp_command_has_option(line, "terrain") && acp_command_text(line, "terrain"));
}

/* A world around the place: flat ground, or of DAT files. */
static int make_world(acp_cells *cells, const acp_command_line *line, const acp_position *position, double reach) {
    const char *folder = acp_dat_dir_name(line);
    char name[16];
    uint32_t setup_id = 0;
    if (!is_flat(line)) {
        (void)setup_name(line, name, &setup_id);
        int code = acp_dat_world_write(line, folder, position, 1, setup_id && reach < 150.0 ? 150.0 : reach, &setup_id, setup_id ? 1u : 0u,
                                       &cells->made_scene);
        return code == ACP_EXIT_OK ? build_made_scene(cells, line, acp_dat_dir_title(folder)) : code;
    }
    write_flat_scene(&cells->made_scene, position, reach);
    int code = build_made_scene(cells, line, "flat ground");
    if (code == ACP_EXIT_OK)
        acp_command_detail(line, "flat ground in the %u landblocks around", (unsigned)acp_world_block_count(cells->scene->world));
    return code;
}

static int open_from_shapes(acp_cells *cells, const acp_command_line *line, const char *place) {
    shapes s;
    acp_position position;
    int code = read_shapes(line, &s);
    if (code == ACP_EXIT_OK && !s.box_count && !s.cylsphere_count && !s.sorting_count && !acp_command_text(line, "setup"))
        return acp_command_usage(line, "an object at a place needs --setup, --box, --cylsphere or --sphere");
    if (code == ACP_EXIT_OK) code = read_place(line, place, &position);
    if (code != ACP_EXIT_OK) return code;
    if (!cells->scene) code = make_world(cells, line, &position, s.reach);
    if (code != ACP_EXIT_OK) return code;
    acp_json_fault fault;
    write_object(&cells->made_object, line, &s, &position);
    const acp_json *json =
        acp_json_read(&cells->object_reader, acp_json_writer_text(&cells->made_object), cells->made_object.length, &fault);
    return json ? make_object(cells, line, json, "the object") : acp_scene_file_bad_json(line, "the object", &fault);
}

static int find_object(acp_cells *cells, const acp_command_line *line, const char *file, const char *name) {
    acp_json text;
    memset(&text, 0, sizeof text);
    text.type = ACP_JSON_STRING;
    text.text = name;
    text.count = (uint32_t)strlen(name);
    uint32_t id = 0;
    cells->object = acp_scene_find(cells->scene, &text);
    if (!cells->object && acp_cells_parse_id(name, &id)) cells->object = acp_scene_find_id(cells->scene, id);
    if (!cells->object) {
        acp_command_error(line, "%s: the scene has no object '%s'", file, name);
        return ACP_EXIT_NEGATIVE;
    }
    (void)snprintf(cells->name, sizeof cells->name, "%s", cells->object->name);
    return ACP_EXIT_OK;
}

static bool has_shapes(const acp_command_line *line) {
    return acp_command_is_given(line, "box") || acp_command_is_given(line, "cylsphere") || acp_command_is_given(line, "sphere") ||
           acp_command_is_given(line, "setup");
}

/* Static as asked, else as the scene or the request registers it, else by the state word. */
static bool is_registered_static(const acp_cells *cells, const acp_command_line *line, const acp_json *request) {
    if (acp_command_flag(line, "static")) return true;
    if (acp_command_flag(line, "dynamic")) return false;
    int64_t v = 0;
    if (request && acp_json_to_int64(acp_json_member(request, "static"), &v)) return v != 0;
    const acp_json *cross = acp_json_member(cells->object->json, "cross"); /* a static has no json */
    if (cross && acp_json_to_int64(cross, &v) && v) return v == 2;
    return (acp_cells_row(cells)->state & (uint32_t)ACP_STATE_STATIC) != 0;
}

/* "0xA9B4FFFE/3" */
static bool read_owner(const char *name, uint32_t *out_owner) {
    char id[16];
    const char *slash = strchr(name, '/');
    if (!slash || (size_t)(slash - name) >= sizeof id) return false;
    memcpy(id, name, (size_t)(slash - name));
    id[slash - name] = '\0';
    return acp_cells_parse_id(id, out_owner);
}

static int flood(acp_cells *cells, const acp_command_line *line) {
    acp_trace_sink sink = {cells, keep_record};
    acp_cell_array_reset(&cells->array, cells->is_static);
    acp_flood f = acp_flood_begin(cells->scene->world, &cells->array);
    f.trace = &sink;
    acp_result result = acp_flood_object(&f, acp_cells_row(cells), cells->is_static);
    if (result == ACP_OK && cells->is_out_of_memory) result = ACP_ERROR_OUT_OF_MEMORY;
    if (cells->lost_record_count)
        acp_command_note(line, "the explanation was cut: %u records were not kept", (unsigned)cells->lost_record_count);
    if (result == ACP_OK) return ACP_EXIT_OK;
    acp_command_error(line, "no memory for the cells");
    return acp_exit_code_of(result);
}

int acp_cells_open(acp_cells *cells, const acp_command_line *line, const char *place) {
    memset(cells, 0, sizeof *cells);
    acp_cell_array_init(&cells->array, NULL);
    const char *file = acp_command_text(line, "scene"), *name = acp_command_text(line, "object"), *id = acp_command_text(line, "request");
    const acp_json *request = NULL, *definition = NULL;
    if (acp_command_flag(line, "static") && acp_command_flag(line, "dynamic"))
        return acp_command_usage(line, "--static and --dynamic exclude each other");
    if ((name != NULL) + (id != NULL) + has_shapes(line) != 1)
        return acp_command_usage(line, "name one object: --object NAME or --request ID of a scene file, or shapes and a place");
    const char *folder = acp_dat_dir_name(line);
    bool is_flat_world = is_flat(line);
    uint32_t owner = 0;
    if (acp_command_flag(line, "flat") && (file || acp_command_is_given(line, "dat-dir") || acp_command_flag(line, "demo")))
        return acp_command_usage(line, "--flat is no world, and excludes --scene, --dat-dir and --demo");
    if (!file && id) return acp_command_usage(line, "--request needs --scene FILE");
    if (!file && name && is_flat_world) return acp_command_usage(line, "--object: flat ground has no objects");
    if (has_shapes(line) != (place != NULL)) return acp_command_usage(line, "a place goes with shapes, and only with them");
    if (acp_command_text(line, "setup") && (acp_command_is_given(line, "box") || acp_command_is_given(line, "cylsphere") ||
                                            acp_command_is_given(line, "sphere") || (!file && is_flat_world)))
        return acp_command_usage(line, "--setup names a model of a scene or of DAT files, and excludes shapes");
    if (!file && name && !read_owner(name, &owner))
        return acp_command_usage(line,
                                 "--object: statics of DAT files are named by owner and place, 0xXXYYFFFE/N, 0xXXYYFFFF/N, or EnvCell/N");
    int code = ACP_EXIT_OK;
    if (file) {
        code = acp_scene_file_load(&cells->file, line, file);
        if (code == ACP_EXIT_OK && id) code = acp_scene_file_request(&cells->file, line, id, &cells->object_reader, &request);
        const acp_json *named = acp_json_member(request, "scene");
        const char *wanted = acp_command_text(line, "scene-name");
        if (!wanted && named && named->type == ACP_JSON_STRING) wanted = named->text;
        if (code == ACP_EXIT_OK)
            code = acp_scene_file_find(&cells->file, line, wanted,
                                       wanted && named && wanted == named->text ? named->count
                                       : wanted                                 ? strlen(wanted)
                                                                                : 0,
                                       &definition);
        if (code == ACP_EXIT_OK) code = build_scene(cells, line, definition, file);
    }
    if (!file && name) {
        code = acp_dat_world_write_around(line, folder, owner, &cells->made_scene);
        if (code == ACP_EXIT_OK) code = build_made_scene(cells, line, acp_dat_dir_title(folder));
    }
    if (code == ACP_EXIT_OK && place) code = open_from_shapes(cells, line, place);
    if (code == ACP_EXIT_OK && name) code = find_object(cells, line, file ? file : acp_dat_dir_title(folder), name);
    if (code == ACP_EXIT_OK && id) {
        code = make_object(cells, line, acp_json_member(request, "object"), file);
        (void)snprintf(cells->name, sizeof cells->name, "request %.32s", id);
    }
    if (code != ACP_EXIT_OK) return code;
    cells->is_static = is_registered_static(cells, line, request);
    return flood(cells, line);
}

void acp_cells_close(acp_cells *cells) {
    if (cells->scene) acp_scene_object_destroy(cells->scene, &cells->own);
    acp_scene_destroy(cells->scene);
    acp_cell_array_free(&cells->array);
    acp_scene_file_close(&cells->file);
    acp_json_reader_free(&cells->object_reader);
    acp_json_reader_free(&cells->memory);
    acp_json_writer_free(&cells->made_scene);
    acp_json_writer_free(&cells->made_object);
    free(cells->records);
    memset(cells, 0, sizeof *cells);
}

const char *acp_cells_place(const acp_command_line *line, uint32_t first, char *out, size_t capacity) {
    size_t used = 0;
    for (uint32_t i = first; i < line->operand_count; i++) {
        int length = snprintf(out + used, capacity - used, "%s%s", i > first ? " " : "", line->operands[i]);
        if (length < 0 || (size_t)length >= capacity - used) return NULL;
        used += (size_t)length;
    }
    return used ? out : NULL;
}

const acp_object_row *acp_cells_row(const acp_cells *cells) { return acp_world_row(cells->scene->world, cells->object->index); }

uint32_t acp_cells_resident_count(const acp_cells *cells) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells->array.count; i++)
        count += cells->array.items[i].is_resident != 0;
    return count;
}

bool acp_cells_parse_id(const char *text, uint32_t *out_id) {
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2;
    if (!*text || strlen(text) > 8u || strspn(text, "0123456789abcdefABCDEF") != strlen(text)) return false;
    *out_id = (uint32_t)strtoul(text, NULL, 16);
    return true;
}
