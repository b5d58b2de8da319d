/* SPDX-License-Identifier: MIT */
/* `acphys dat import`: an OBJ file becomes a GfxObj or an Environment, as a record's bytes or right in a portal DAT.
 *
 * Groups and materials say what a face is for (docs/format-geometry.md); the author builds trees by the rules of spec 11 and refuses what
 * would not work, naming file and line. A GfxObj takes all objects of the file; an Environment makes each object a room, in order.
 * Without an output the file is only checked. The output appears whole or not at all; a DAT that holds the id already is changed only
 * with --force. Exit code 3 for what is refused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/json_values.h"
#include "support/load_file.h"
#include "support/obj.h"
#include "support/output_file.h"
#include "tools/acphys/tool_dat.h"

#define SIZE_LIMIT (512u << 20)

typedef struct import {
    const acp_command_line *line;
    const char *path;
    uint32_t id;
    bool is_room;
    acp_obj obj;
    uint32_t mesh_count;
    acp_obj_mesh *meshes;
    acp_mesh *plain; /* what the author takes */
    acp_mesh_report *reports;
    uint32_t *objects; /* per mesh: first object of the file */
    acp_record_bytes bytes;
} import;

static const char *const form_names[] = {"automatic", "leaf", "solid", "room", "given"};

static acp_tree_form form_of(const acp_command_line *line) {
    const char *text = acp_command_text(line, "tree");
    for (uint32_t i = 0; i < 4; i++)
        if (strcmp(text, form_names[i]) == 0) return (acp_tree_form)i;
    return ACP_TREE_FORM_AUTOMATIC;
}

static uint32_t wishes_of(const acp_command_line *line) {
    uint32_t flags = 0;
    if (acp_command_flag(line, "open")) flags |= ACP_MESH_MAY_BE_OPEN;
    if (acp_command_flag(line, "openings-first")) flags |= ACP_MESH_OPENINGS_FIRST;
    if (acp_command_flag(line, "walls-not-solid")) flags |= ACP_MESH_WALLS_NOT_SOLID;
    if (acp_command_flag(line, "drawing-tree")) flags |= ACP_MESH_HAS_DRAWING_TREE;
    if (acp_command_flag(line, "convex")) flags |= ACP_MESH_MUST_BE_CONVEX;
    return flags;
}

static acp_result read_obj(import *m, acp_error *error) {
    const acp_command_line *line = m->line;
    const char *faces = acp_command_text(line, "faces");
    acp_obj_options options = {acp_command_number(line, "scale"), acp_command_flag(line, "y-up"), ACP_MESH_PHYSICS | ACP_MESH_DRAWING};
    if (strcmp(faces, "physics") == 0) options.kind = ACP_MESH_PHYSICS;
    if (strcmp(faces, "drawing") == 0) options.kind = ACP_MESH_DRAWING;
    char *text;
    size_t length;
    acp_result result = acp_load_file(m->path, SIZE_LIMIT, &text, &length, error);
    if (result) return result;
    result = acp_obj_read(text, length, m->path, &options, &m->obj, error);
    free(text);
    if (result == ACP_OK && m->obj.faces.count == 0) {
        result = acp_error_set(error, ACP_ERROR_BAD_DATA, "import", "the file has no faces");
        acp_error_set_file(error, m->path);
    }
    return result;
}

/* One mesh of everything, or one an object with faces. */
static acp_result make_meshes(import *m, acp_error *error) {
    uint32_t count = m->is_room ? m->obj.objects.count : 1;
    m->meshes = calloc(count, sizeof *m->meshes);
    m->plain = calloc(count, sizeof *m->plain);
    m->reports = calloc(count, sizeof *m->reports);
    m->objects = calloc(count, sizeof *m->objects);
    if (!m->meshes || !m->plain || !m->reports || !m->objects)
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "import", "memory for the meshes refused");
    for (uint32_t i = 0; i < count; i++) {
        if (m->is_room && m->obj.objects.items[i].face_count == 0) continue;
        uint32_t at = m->mesh_count;
        acp_result result = acp_obj_make_mesh(&m->obj, i, m->is_room ? 1 : m->obj.objects.count, m->is_room, &m->meshes[at], error);
        if (result) return result;
        m->mesh_count++;
        m->objects[at] = i;
        uint32_t divided = 0;
        if (acp_command_flag(m->line, "divide")) result = acp_obj_mesh_divide(&m->meshes[at], &divided, error);
        if (result) return result;
        if (divided) acp_command_note(m->line, "%" PRIu32 " faces that are not flat or not convex divided into triangles", divided);
        m->plain[at] = m->meshes[at].mesh;
        m->plain[at].tree_form = form_of(m->line);
        m->plain[at].flags = wishes_of(m->line);
        m->reports[at].fault_polygon = ACP_BSP_NONE;
    }
    return ACP_OK;
}

/* The author's error with the place in the file. */
static void place_error(const import *m, acp_error *error) {
    char field[64];
    unsigned int structure = 0;
    if (m->is_room && sscanf(error->field, "structures[%u]", &structure) != 1) return;
    if (structure >= m->mesh_count) return;
    const acp_obj_object *object = &m->obj.objects.items[m->objects[structure]];
    uint32_t polygon = m->reports[structure].fault_polygon;
    if (polygon != ACP_BSP_NONE && polygon < m->plain[structure].polygon_count)
        (void)snprintf(field, sizeof field, "line %" PRIu32, m->meshes[structure].lines[polygon]);
    else if (m->is_room)
        (void)snprintf(field, sizeof field, object->name[0] ? "line %" PRIu32 ", object %.32s" : "line %" PRIu32, object->line,
                       object->name);
    else
        field[0] = '\0';
    acp_error_set_file(error, m->path);
    acp_error_set_place(error, 0, UINT64_MAX, field[0] ? field : NULL);
}

static acp_result author(import *m, acp_error *error) {
    acp_result result = m->is_room ? acp_mesh_make_environment(m->plain, m->mesh_count, m->id, NULL, &m->bytes, m->reports, error)
                                   : acp_mesh_make_gfxobj(m->plain, m->id, NULL, &m->bytes, m->reports, error);
    if (result) place_error(m, error);
    return result;
}

/* ---- where it goes ---- */

static int write_record(const import *m, const char *path) {
    acp_error error;
    return acp_output_file_write(path, m->bytes.bytes, m->bytes.size, &error) ? acp_command_fail(m->line, &error) : ACP_EXIT_OK;
}

static int put_into(const import *m, const char *path) {
    acp_dat *dat = NULL;
    acp_dat_edit *edit = NULL;
    acp_error error;
    acp_dat_info info;
    if (acp_dat_open(path, NULL, NULL, &dat, &error)) return acp_command_fail(m->line, &error);
    acp_dat_get_info(dat, &info);
    int code = ACP_EXIT_OK;
    if (info.data_set != ACP_DAT_PORTAL)
        code = acp_command_usage(m->line, "%s is no portal file: shapes and rooms belong into one", path);
    else if (acp_dat_find(dat, m->id) && !acp_command_flag(m->line, "force"))
        code = acp_command_usage(m->line, "%s holds 0x%08" PRIX32 " already; --force replaces it", path, m->id);
    if (code == ACP_EXIT_OK) {
        acp_result result = acp_dat_edit_open(dat, NULL, &edit, &error);
        if (result == ACP_OK) result = acp_dat_edit_put(edit, m->id, m->bytes.bytes, m->bytes.size, NULL, &error);
        if (result == ACP_OK) result = tool_dat_commit(m->line, edit, path, &error);
        if (result) code = acp_command_fail(m->line, &error);
    }
    acp_dat_edit_destroy(edit);
    acp_dat_close(dat);
    acp_command_progress_end(m->line);
    return code;
}

/* ---- the report ---- */

static void write_report(acp_json_writer *w, const import *m, uint32_t i) {
    const acp_mesh_report *r = &m->reports[i];
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "object", m->is_room ? m->obj.objects.items[m->objects[i]].name : NULL);
    acp_json_write_string(w, "tree", form_names[r->tree_form]);
    acp_json_write_uint(w, "vertices", r->vertex_count);
    acp_json_write_uint(w, "physics_polygons", r->physics_polygon_count);
    acp_json_write_uint(w, "drawing_polygons", r->drawing_polygon_count);
    acp_json_write_uint(w, "portals", r->portal_count);
    acp_json_write_uint(w, "physics_nodes", r->physics_node_count);
    acp_json_write_uint(w, "depth", r->physics_depth);
    acp_json_write_uint(w, "solid_leaves", r->solid_leaf_count);
    acp_json_write_uint(w, "drawing_leaves", r->drawing_leaf_count);
    acp_json_write_uint(w, "cell_planes", r->cell_plane_count);
    acp_json_write_bool(w, "is_closed", r->is_closed != 0);
    acp_json_write_bool(w, "is_convex", r->is_convex != 0);
    acp_json_begin_array(w, "portal_sides");
    for (uint32_t k = 0; k < m->plain[i].polygon_count && m->is_room; k++) {
        int32_t side;
        if (m->plain[i].polygons[k].flags & ACP_MESH_PORTAL && acp_mesh_portal_side(&m->plain[i], k, &side, NULL) == ACP_OK)
            acp_json_write_int(w, NULL, side);
    }
    acp_json_end_array(w);
    acp_json_end_object(w);
}

static void tell_json(const import *m) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.dat.import.1");
    acp_json_write_id(&w, "id", m->id);
    acp_json_write_uint(&w, "bytes", m->bytes.size);
    acp_json_begin_array(&w, m->is_room ? "structures" : "shapes");
    for (uint32_t i = 0; i < m->mesh_count; i++)
        write_report(&w, m, i);
    acp_json_end_array(&w);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

static void tell(const import *m) {
    (void)printf("0x%08" PRIX32 ": %s, %" PRIu32 " bytes\n", m->id, m->is_room ? "environment" : "gfxobj", m->bytes.size);
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        const acp_mesh_report *r = &m->reports[i];
        const char *name = m->obj.objects.items[m->objects[i]].name;
        (void)printf("  %s%s%" PRIu32 " physics polygons, %" PRIu32 " drawn, %" PRIu32 " portals, %" PRIu32 " vertices\n",
                     m->is_room ? name : "", m->is_room && name[0] ? ": " : "", r->physics_polygon_count, r->drawing_polygon_count,
                     r->portal_count, r->vertex_count);
        if (r->physics_node_count)
            (void)printf("    tree %s: %" PRIu32 " nodes, %" PRIu32 " levels, %" PRIu32 " solid leaves\n", form_names[r->tree_form],
                         r->physics_node_count, r->physics_depth, r->solid_leaf_count);
        if (m->is_room) {
            (void)printf("    room %s, %" PRIu32 " planes, portal sides", r->is_convex ? "convex" : "not convex: a hull",
                         r->cell_plane_count);
            for (uint32_t k = 0; k < m->plain[i].polygon_count; k++) {
                int32_t side;
                if (m->plain[i].polygons[k].flags & ACP_MESH_PORTAL && acp_mesh_portal_side(&m->plain[i], k, &side, NULL) == ACP_OK)
                    (void)printf(" %" PRId32, side);
            }
            (void)printf("\n");
        } else if (r->physics_node_count && !r->is_closed)
            (void)printf("    the body is open\n");
    }
}

static void release(import *m) {
    for (uint32_t i = 0; i < m->mesh_count; i++)
        acp_obj_mesh_free(&m->meshes[i]);
    free(m->meshes);
    free(m->plain);
    free(m->reports);
    free(m->objects);
    acp_obj_free(&m->obj);
    acp_record_bytes_free(&m->bytes);
}

static int run_import(acp_command_line *line) {
import m = {.line = line, .path = line->operands[0] };
    const char *end, *id = acp_command_text(line, "id"), *out = acp_command_text(line, "out"), *into = acp_command_text(line, "into");
    if (!id) return acp_command_usage(line, "--id is needed: 0x01…… makes a GfxObj, 0x0D…… an Environment");
    if (!tool_dat_parse_id(id, &m.id, &end) || *end != '\0' || (m.id >> 24 != 0x01u && m.id >> 16 != 0x0D00u))
        return acp_command_usage(line, "--id wants the id of a GfxObj (0x01……) or an Environment (0x0D00……), not '%s'", id);
    m.is_room = m.id >> 24 == 0x0Du;
    if (!(acp_command_number(line, "scale") > 0)) return acp_command_usage(line, "--scale wants a number above 0");
    acp_error error;
    acp_result result = read_obj(&m, &error);
    if (result == ACP_OK) result = make_meshes(&m, &error);
    if (result == ACP_OK) result = author(&m, &error);
    int code = ACP_EXIT_OK;
    if (result) {
        code = acp_command_fail(line, &error);
        if (code == ACP_EXIT_USAGE) code = ACP_EXIT_BAD_DATA; /* the file's fault, not the command line's */
    } else if (acp_command_flag(line, "json"))
        tell_json(&m);
    else
        tell(&m);
    if (code == ACP_EXIT_OK && out) code = write_record(&m, out);
    if (code == ACP_EXIT_OK && into) code = put_into(&m, into);
    release(&m);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "id", .kind = ACP_OPTION_TEXT, .argument = "ID", .help = "id of the record: 0x01…… a GfxObj, 0x0D…… an Environment"},
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "write the record's bytes there"},
    {.name = "into", .kind = ACP_OPTION_FILE, .argument = "DAT", .help = "put the record into this portal file"},
    {.name = "force", .letter = 'f', .help = "replace a record that the file holds already"},
    {.name = "tree",
     .kind = ACP_OPTION_CHOICE,
     .argument = "FORM",
     .choices = "automatic|leaf|solid|room",
     .fallback = "automatic",
     .help = "form of the physics tree"},
    {.name = "open", .help = "the body or room need not close"},
    {.name = "openings-first", .help = "rooms: walls with openings come first in the tree"},
    {.name = "walls-not-solid", .help = "rooms: nothing behind walls counts as solid"},
    {.name = "convex", .help = "rooms: refuse one that is not convex"},
    {.name = "drawing-tree", .help = "rooms: with a drawing tree"},
    {.name = "faces",
     .kind = ACP_OPTION_CHOICE,
     .argument = "KIND",
     .choices = "both|physics|drawing",
     .fallback = "both",
     .help = "what faces are for that neither group nor material tells"},
    {.name = "divide", .help = "divide faces that are not flat or not convex into triangles"},
    {.name = "scale", .kind = ACP_OPTION_NUMBER, .argument = "METRES", .fallback = "1", .help = "metres a unit of the file"},
    {.name = "y-up", .help = "y is up in the file; else z"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_dat_import = {
    .name = "import",
    .summary = "make a GfxObj or an Environment of an OBJ file",
    .operands = "OBJ",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Group names say what a face is for: physics (movers hit it from its front), drawing, both, or portal; without them a material of "
        "such "
        "a name; else --faces. A GfxObj takes all objects of the file; an Environment makes each object a room, in order: walls face "
        "inwards, "
        "portals fill the openings. Faces must be flat and convex. Trees, planes and spheres are built so that the retail traversals work; "
        "what would not work is refused with file and line.\n\nWithout --out and --into the file is only checked.",
    .examples = "acphys dat import crate.obj --id 0x01000200\tcheck a shape\n"
                "acphys dat import cellar.obj --id 0x0D000020 --into my_portal.dat\trooms, right into a DAT",
    ACP_COMMAND_OPTIONS(options),
    .run = run_import,
};
