/* SPDX-License-Identifier: MIT */
/* `acphys dat export`: the geometry of records as OBJ, PLY or glTF, for people with a 3D program.
 *
 * Models and rooms that a cell file's records name come from the portal file given. What is named and not there is left out and told; the
 * exit code is 1 then. The output appears whole or not at all. docs/format-geometry.md says how kinds and numbers are told apart. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/output_file.h"
#include "tools/acphys/tool_dat.h"
#include "tools/acphys/tool_geometry.h"

/* --format, else what the output's name ends with, else obj. */
static const char *format_of(const acp_command_line *line) {
    const char *format = acp_command_text(line, "format"), *out = acp_command_text(line, "out");
    const char *dot = out ? strrchr(out, '.') : NULL;
    if (format) return format;
    if (dot && strcmp(dot, ".ply") == 0) return "ply";
    if (dot && strcmp(dot, ".glb") == 0) return "glb";
    return "obj";
}

static bool write_as(const char *format, const acp_geometry *g, FILE *stream) {
    if (strcmp(format, "ply") == 0) return acp_geometry_write_ply(g, stream);
    if (strcmp(format, "glb") == 0) return acp_geometry_write_glb(g, stream);
    return acp_geometry_write_obj(g, stream);
}

static int write_out(const acp_command_line *line, const acp_geometry *g) {
    const char *path = acp_command_text(line, "out");
    acp_output_file file;
    acp_error error;
    if (!path || strcmp(path, "-") == 0) {
        if (write_as(format_of(line), g, stdout)) return ACP_EXIT_OK;
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    if (acp_output_file_open(&file, path, &error)) return acp_command_fail(line, &error);
    if (!write_as(format_of(line), g, file.stream)) {
        acp_output_file_discard(&file);
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    return acp_output_file_commit(&file, &error) ? acp_command_fail(line, &error) : ACP_EXIT_OK;
}

static int gather(const acp_command_line *line, tool_geometry *t) {
    for (uint32_t i = 1; i < line->operand_count; i++) {
        uint32_t id, structure = UINT32_MAX;
        const char *end;
        acp_error error;
        bool is_id = tool_dat_parse_id(line->operands[i], &id, &end);
        if (is_id && *end == ':') {
            char *stop = NULL;
            unsigned long value = strtoul(end + 1, &stop, 10);
            is_id = stop != end + 1 && *stop == '\0' && value < UINT32_MAX;
            structure = (uint32_t)value;
        } else if (is_id && *end != '\0')
            is_id = false;
        if (!is_id)
            return acp_command_usage(line, "an id is wanted, hexadecimal, or ID:STRUCTURE of an Environment, not '%s'", line->operands[i]);
        acp_result result = tool_geometry_add(t, id, structure, &error);
        if (result == ACP_ERROR_NOT_FOUND) {
            char text[1024];
            (void)acp_error_format(&error, text, sizeof text);
            acp_command_error(line, "%s", text);
            return ACP_EXIT_NEGATIVE;
        }
        if (result) return acp_command_fail(line, &error);
    }
    return ACP_EXIT_OK;
}

static void tell(const acp_command_line *line, const tool_geometry *t) {
    char text[1024];
    acp_command_detail(line, "%" PRIu32 " objects of %" PRIu32 " shapes", t->out->instances.count, t->out->shapes.count);
    if (t->out->dropped)
        acp_command_note(line, "%" PRIu32 " polygons without shape (fewer than 3 points, a vertex out of range) left out", t->out->dropped);
    if (!t->missing) return;
    (void)acp_error_format(&t->first_missing, text, sizeof text);
    acp_command_note(line, "%" PRIu32 " models or rooms are not there and left out, the first: %s", t->missing, text);
}

static int run_export(acp_command_line *line) {
    acp_dat *dat = NULL, *portal = NULL;
    acp_error error;
    acp_geometry geometry = {0};
    const char *portal_path = acp_command_text(line, "portal");
    if (acp_dat_open(line->operands[0], NULL, NULL, &dat, &error)) return acp_command_fail(line, &error);
    if (portal_path && acp_dat_open(portal_path, NULL, NULL, &portal, &error)) {
        acp_dat_close(dat);
        return acp_command_fail(line, &error);
    }
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    tool_geometry t = {.out = &geometry, .dat = dat, .has_statics = !acp_command_flag(line, "no-statics")};
    t.portal = portal ? portal : info.data_set == ACP_DAT_CELL ? NULL : dat;
    int code = gather(line, &t);
    if (code == ACP_EXIT_OK) {
        tell(line, &t);
        code = write_out(line, &geometry);
        if (code == ACP_EXIT_OK && t.missing) code = ACP_EXIT_NEGATIVE;
    }
    acp_dat_record_release(&t.bytes);
    acp_geometry_free(&geometry);
    acp_dat_close(portal);
    acp_dat_close(dat);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "portal",
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .help = "portal file with the models and rooms that FILE's records name"},
    {.name = "format",
     .kind = ACP_OPTION_CHOICE,
     .argument = "FORMAT",
     .choices = "obj|ply|glb",
     .help = "form of the output; else by the output's name, else obj"},
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "write there instead of to standard output"},
    {.name = "no-statics", .help = "leave out the objects that stand in cells and landblocks"},
};

const acp_command acp_command_dat_export = {
    .name = "export",
    .summary = "write the geometry of records as OBJ, PLY or glTF",
    .operands = "FILE ID…",
    .operand_min = 2,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description = "GfxObj: its polygons. Setup: its parts in place. Environment: its rooms, or one of them as ID:STRUCTURE. EnvCell: its "
                   "room in place "
                   "and its objects. LandBlock: terrain, objects, buildings and all cells. Coordinates are the landblock's, of a shape or "
                   "room its own; "
                   "metres, z up (glTF: turned by its root node). Polygons that movers hit, that are drawn, both, and portals are told "
                   "apart and carry "
                   "their numbers.\n\nExit code 1 when an id, or something it names, is not there.",
    .examples = "acphys dat export client_portal.dat 0x01000100 -o shell.obj\ta shape\n"
                "acphys dat export client_portal.dat 0x0D000010:2 -o cellar.glb\tone room of an Environment\n"
                "acphys dat export --portal client_portal.dat client_cell_1.dat 0xA9B4FFFF -o holtburg.glb\ta landblock with all in it",
    ACP_COMMAND_OPTIONS(options),
    .run = run_export,
};
