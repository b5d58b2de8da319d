/* SPDX-License-Identifier: MIT */
/* Reading Wavefront OBJ files (docs/format-geometry.md).
 *
 * Vertices, normals, texture coordinates, faces with absolute or relative numbers, objects, groups and materials; what only drawing needs
 * (smoothing, material files, lines, points) is passed over; curves and surfaces are refused, as is any statement that is none. A line that
 * ends in a backslash goes on. Group names say what a face is for ("physics", "drawing", "portal"); where they say nothing, the
 * material's name may; else the options do. Numbers of lists (physics_7) are notes of the exporter and read as such: not at all.
 *
 * Contract: every fault names its line. Numbers are finite once they are binary32 and scaled. Limits: 2^24 vertices, normals, texture
 * coordinates and corners, 255 corners a face, names are cut at 63 bytes. Cost: about 100 ns a number. */
#include "support/obj.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number_text.h"
#include "math/finite.h"

#define LIST_LIMIT   (1u << 24)
#define CORNER_LIMIT 255u
#define NAME_LIMIT   65536u /* objects and materials */

typedef struct reading {
    const acp_obj_options *options;
    acp_obj *obj;
    acp_error *error;
    const char *name;
    const char *at, *end; /* the rest of the line */
    uint32_t line;
    uint32_t group_kind; /* 0: the group says nothing */
    int32_t sides_type;
    int32_t back;
    uint32_t material;
} reading;

static acp_result fault(const reading *r, acp_result code, const char *message, const char *word, size_t length) {
    char field[32];
    if (word)
        (void)acp_error_set(r->error, code, "read OBJ", "%s: '%.*s'", message, (int)(length < 40 ? length : 40), word);
    else
        (void)acp_error_set(r->error, code, "read OBJ", "%s", message);
    acp_error_set_file(r->error, r->name);
    (void)snprintf(field, sizeof field, "line %u", r->line);
    acp_error_set_place(r->error, 0, UINT64_MAX, field);
    return code;
}

static acp_result out_of_memory(const reading *r) { return fault(r, ACP_ERROR_OUT_OF_MEMORY, "memory for the file refused", NULL, 0); }

/* ---- words ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* The next word of the line; a continued line goes on behind its backslash. Length 0: the line is over. */
static const char *next_word(reading *r, size_t *out_length) {
    for (;;) {
        while (r->at < r->end && is_blank(*r->at))
            r->at++;
        if (r->at + 1 < r->end && r->at[0] == '\\' && (r->at[1] == '\n' || (r->at[1] == '\r' && r->at + 2 < r->end && r->at[2] == '\n'))) {
            r->at += r->at[1] == '\n' ? 2 : 3;
            r->line++;
            continue;
        }
        break;
    }
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' &&
           !(*r->at == '\\' && r->at + 1 < r->end && (r->at[1] == '\n' || r->at[1] == '\r')))
        r->at++;
    *out_length = (size_t)(r->at - start);
    return start;
}

static bool is_word(const char *word, size_t length, const char *text) { return strlen(text) == length && memcmp(word, text, length) == 0; }

/* A word that starts with a known beginning and goes on with a number: physics_12. False when it does not. */
static bool number_behind(const char *word, size_t length, const char *beginning, int base, uint32_t *out) {
    size_t skip = strlen(beginning);
    if (length <= skip || memcmp(word, beginning, skip) != 0) return false;
    uint64_t value = 0;
    for (size_t i = skip; i < length; i++) {
        int digit = word[i] >= '0' && word[i] <= '9'   ? word[i] - '0'
                    : word[i] >= 'a' && word[i] <= 'f' ? word[i] - 'a' + 10
                    : word[i] >= 'A' && word[i] <= 'F' ? word[i] - 'A' + 10
                                                       : 99;
        if (digit >= base) return false;
        value = value * (uint64_t)base + (uint64_t)digit;
        if (value > UINT32_MAX) return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* ---- statements ---- */

static acp_result read_numbers(reading *r, uint32_t wanted, uint32_t allowed, double *out, uint32_t *out_count) {
    size_t length;
    *out_count = 0;
    for (const char *word = next_word(r, &length); length > 0; word = next_word(r, &length)) {
        if (*out_count == allowed) return fault(r, ACP_ERROR_BAD_DATA, "too many numbers", word, length);
        bool is_number = acp_number_parse_f64(word, length, &out[*out_count], NULL);
        bool is_named = !is_number && (is_word(word, length, "nan") || is_word(word, length, "inf") || is_word(word, length, "-inf") ||
                                       is_word(word, length, "NaN"));
        if (is_named || (is_number && !isfinite((float)out[*out_count])))
            return fault(r, ACP_ERROR_NOT_FINITE, "a number that is not finite", word, length);
        if (!is_number) return fault(r, ACP_ERROR_BAD_DATA, "not a number", word, length);
        (*out_count)++;
    }
    if (*out_count < wanted) return fault(r, ACP_ERROR_BAD_DATA, "too few numbers", NULL, 0);
    return ACP_OK;
}

static acp_vec3 turned(const reading *r, const double *v, double scale) {
    double y = r->options->is_y_up ? -v[2] : v[1], z = r->options->is_y_up ? v[1] : v[2];
    return (acp_vec3){(float)(v[0] * scale), (float)(y * scale), (float)(z * scale)};
}

static acp_result read_vertex(reading *r) {
    double v[8]; /* x y z, and w or a colour that is passed over */
    uint32_t count;
    acp_result result = read_numbers(r, 3, 8, v, &count);
    if (result) return result;
    acp_vec3 position = turned(r, v, r->options->scale);
    if (!acp_is_finite_vec3(&position)) return fault(r, ACP_ERROR_NOT_FINITE, "a vertex that is not finite once it is scaled", NULL, 0);
    if (r->obj->positions.count == LIST_LIMIT) return fault(r, ACP_ERROR_LIMIT, "more than 16777216 vertices", NULL, 0);
    return ACP_ARRAY_PUSH(&r->obj->positions, NULL, position) ? out_of_memory(r) : ACP_OK;
}

static acp_result read_normal(reading *r) {
    double v[3];
    uint32_t count;
    acp_result result = read_numbers(r, 3, 3, v, &count);
    if (result) return result;
    if (r->obj->normals.count == LIST_LIMIT) return fault(r, ACP_ERROR_LIMIT, "more than 16777216 normals", NULL, 0);
    return ACP_ARRAY_PUSH(&r->obj->normals, NULL, turned(r, v, 1.0)) ? out_of_memory(r) : ACP_OK;
}

static acp_result read_uv(reading *r) {
    double v[3] = {0, 0, 0};
    uint32_t count;
    acp_result result = read_numbers(r, 1, 3, v, &count);
    if (result) return result;
    acp_obj_uv uv = {(float)v[0], (float)v[1]};
    if (r->obj->uvs.count == LIST_LIMIT) return fault(r, ACP_ERROR_LIMIT, "more than 16777216 texture coordinates", NULL, 0);
    return ACP_ARRAY_PUSH(&r->obj->uvs, NULL, uv) ? out_of_memory(r) : ACP_OK;
}

/* One number of a corner: 1 and up from the start, -1 and down from the end of the list so far. */
static acp_result resolve(const reading *r, const char *word, size_t length, uint32_t list_count, const char *what, uint32_t *out) {
    bool is_negative = length > 0 && word[0] == '-';
    uint32_t number;
    char message[80];
    if (!number_behind(word, length, is_negative ? "-" : "", 10, &number))
        return fault(r, ACP_ERROR_BAD_DATA, "a corner is v, v/vt, v//vn or v/vt/vn", word, length);
    if (number == 0 || number > list_count) {
        (void)snprintf(message, sizeof message, "%s out of range, there are %u so far", what, list_count);
        return fault(r, ACP_ERROR_BAD_DATA, message, word, length);
    }
    *out = is_negative ? list_count - number : number - 1;
    return ACP_OK;
}

static acp_result read_corner(const reading *r, const char *word, size_t length, acp_obj_corner *out) {
    static const char *const names[3] = {"vertex", "texture coordinate", "normal"};
    uint32_t counts[3] = {r->obj->positions.count, r->obj->uvs.count, r->obj->normals.count};
    uint32_t *fields[3] = {&out->vertex, &out->uv, &out->normal};
    *out = (acp_obj_corner){UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const char *end = word + length;
    for (uint32_t i = 0; i < 3; i++) {
        const char *slash = memchr(word, '/', (size_t)(end - word));
        size_t part = (size_t)((slash ? slash : end) - word);
        if (part > 0 || i == 0) {
            acp_result result = resolve(r, word, part, counts[i], names[i], fields[i]);
            if (result) return result;
        }
        if (!slash) return ACP_OK;
        word = slash + 1;
    }
    return fault(r, ACP_ERROR_BAD_DATA, "a corner is v, v/vt, v//vn or v/vt/vn", end - length, length);
}

static uint32_t kind_of(const reading *r) {
    if (r->group_kind) return r->group_kind;
    if (r->material != UINT32_MAX && r->obj->materials.items[r->material].kind) return r->obj->materials.items[r->material].kind;
    return r->options->kind;
}

static acp_result begin_object(reading *r, const char *name, size_t length) {
    acp_obj_object object;
    memset(&object, 0, sizeof object);
    (void)snprintf(object.name, sizeof object.name, "%.*s", (int)(length < sizeof object.name ? length : sizeof object.name - 1), name);
    object.line = r->line;
    object.first_face = r->obj->faces.count;
    if (r->obj->objects.count == NAME_LIMIT) return fault(r, ACP_ERROR_LIMIT, "more than 65536 objects", NULL, 0);
    return ACP_ARRAY_PUSH(&r->obj->objects, NULL, object) ? out_of_memory(r) : ACP_OK;
}

static acp_result read_face(reading *r) {
    acp_obj_face face = {.first_corner = r->obj->corners.count, .line = r->line, .sides_type = r->sides_type, .back = r->back};
    size_t length;
    for (const char *word = next_word(r, &length); length > 0; word = next_word(r, &length)) {
        acp_obj_corner corner;
        if (face.corner_count++ == CORNER_LIMIT) return fault(r, ACP_ERROR_LIMIT, "a face has at most 255 corners", NULL, 0);
        acp_result result = read_corner(r, word, length, &corner);
        if (result) return result;
        if (r->obj->corners.count == LIST_LIMIT) return fault(r, ACP_ERROR_LIMIT, "more than 16777216 corners", NULL, 0);
        if (ACP_ARRAY_PUSH(&r->obj->corners, NULL, corner)) return out_of_memory(r);
    }
    if (face.corner_count < 3) return fault(r, ACP_ERROR_BAD_DATA, "a face has at least three corners", NULL, 0);
    if (r->obj->objects.count == 0) {
        acp_result result = begin_object(r, "", 0);
        if (result) return result;
    }
    face.kind = kind_of(r);
    face.material = r->material;
    if (ACP_ARRAY_PUSH(&r->obj->faces, NULL, face)) return out_of_memory(r);
    r->obj->objects.items[r->obj->objects.count - 1].face_count++;
    return ACP_OK;
}

static acp_result read_group(reading *r) {
    size_t length;
    r->group_kind = 0;
    r->sides_type = 0;
    r->back = -1;
    for (const char *word = next_word(r, &length); length > 0; word = next_word(r, &length)) {
        uint32_t number;
        if (is_word(word, length, "physics"))
            r->group_kind |= ACP_MESH_PHYSICS;
        else if (is_word(word, length, "drawing"))
            r->group_kind |= ACP_MESH_DRAWING;
        else if (is_word(word, length, "portal"))
            r->group_kind |= ACP_MESH_PORTAL;
        else if (is_word(word, length, "terrain"))
            r->group_kind |= ACP_MESH_PHYSICS | ACP_MESH_DRAWING;
        else if (number_behind(word, length, "sides_", 10, &number))
            r->sides_type = number <= 2 ? (int32_t)number : 0;
        else if (number_behind(word, length, "back_", 10, &number) && number <= INT16_MAX)
            r->back = (int32_t)number;
    }
    if ((r->group_kind & ACP_MESH_PORTAL) && r->group_kind != ACP_MESH_PORTAL && r->group_kind & ACP_MESH_PHYSICS)
        return fault(r, ACP_ERROR_BAD_DATA, "a group is of physics or a portal, not both", NULL, 0);
    return ACP_OK;
}

/* "portal", "physics.001": what the name says up to a dot. */
static uint32_t kind_by_material(const char *name, size_t length) {
    const char *dot = memchr(name, '.', length);
    if (dot) length = (size_t)(dot - name);
    if (is_word(name, length, "physics")) return ACP_MESH_PHYSICS;
    if (is_word(name, length, "drawing")) return ACP_MESH_DRAWING;
    if (is_word(name, length, "portal")) return ACP_MESH_PORTAL;
    return 0;
}

static acp_result read_material(reading *r) {
    size_t length;
    const char *word = next_word(r, &length);
    acp_obj_material made;
    memset(&made, 0, sizeof made);
    (void)snprintf(made.name, sizeof made.name, "%.*s", (int)(length < sizeof made.name ? length : sizeof made.name - 1), word);
    for (uint32_t i = 0; i < r->obj->materials.count; i++)
        if (strcmp(r->obj->materials.items[i].name, made.name) == 0) {
            r->material = i;
            return ACP_OK;
        }
    uint32_t number;
    made.slot = number_behind(word, length, "slot_", 10, &number) && number <= INT16_MAX ? (int32_t)number : -1;
    if (number_behind(word, length, "surface_", 16, &number)) made.surface_id = number;
    made.kind = kind_by_material(word, length);
    if (r->obj->materials.count == NAME_LIMIT / 16) return fault(r, ACP_ERROR_LIMIT, "more than 4096 materials", NULL, 0);
    if (ACP_ARRAY_PUSH(&r->obj->materials, NULL, made)) return out_of_memory(r);
    r->material = r->obj->materials.count - 1;
    return ACP_OK;
}

static acp_result read_object(reading *r) {
    size_t length;
    const char *word = next_word(r, &length);
    return begin_object(r, word, length);
}

static acp_result read_statement(reading *r) {
    static const char *const passed[] = {"mtllib", "s", "l", "p", "vp", "mg", "lod", "bevel", "c_interp", "d_interp", "maplib", "usemap"};
    static const char *const curves[] = {"cstype", "deg",  "bmat", "step", "curv", "curv2", "surf",
                                         "parm",   "trim", "hole", "scrv", "sp",   "end",   "con"};
    static const struct {
        const char *keyword;
        acp_result (*read)(reading *r);
    } statements[] = {{"v", read_vertex}, {"f", read_face},   {"vn", read_normal},      {"vt", read_uv},
                      {"g", read_group},  {"o", read_object}, {"usemtl", read_material}};
    size_t length;
    const char *word = next_word(r, &length);
    if (length == 0 || word[0] == '#') return ACP_OK;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (is_word(word, length, statements[i].keyword)) return statements[i].read(r);
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        if (is_word(word, length, passed[i])) return ACP_OK;
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
        if (is_word(word, length, curves[i]))
            return fault(r, ACP_ERROR_UNSUPPORTED, "curves and curved surfaces are not read", word, length);
    return fault(r, ACP_ERROR_BAD_DATA, "no statement of an OBJ file", word, length);
}

/* Moves behind the end of the line that `at` is in; continued lines are one. */
static void skip_line(reading *r) {
    while (r->at < r->end) {
        const char *feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
        const char *stop = feed ? feed : r->end;
        bool is_continued = feed && stop > r->at && (stop[-1] == '\\' || (stop[-1] == '\r' && stop - r->at > 1 && stop[-2] == '\\'));
        r->at = feed ? feed + 1 : r->end;
        r->line++;
        if (!is_continued) return;
    }
}

acp_result acp_obj_read(const char *text, size_t length, const char *name, const acp_obj_options *options, acp_obj *out_obj,
                        acp_error *error) {
    reading r = {.options = options, .obj = out_obj, .error = error, .name = name, .at = text, .end = text + length, .line = 1};
    r.back = -1;
    r.material = UINT32_MAX;
    while (r.at < r.end) {
        acp_result result = read_statement(&r);
        if (result) return result;
        skip_line(&r);
    }
    return ACP_OK;
}

void acp_obj_free(acp_obj *obj) {
    ACP_ARRAY_FREE(&obj->positions, NULL);
    ACP_ARRAY_FREE(&obj->normals, NULL);
    ACP_ARRAY_FREE(&obj->uvs, NULL);
    ACP_ARRAY_FREE(&obj->corners, NULL);
    ACP_ARRAY_FREE(&obj->faces, NULL);
    ACP_ARRAY_FREE(&obj->objects, NULL);
    ACP_ARRAY_FREE(&obj->materials, NULL);
}
