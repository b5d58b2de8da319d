/* SPDX-License-Identifier: MIT */
/* `acphys scene extract|pack|check`: landblocks of DATs as one scene file, a scene as DATs, a scene looked over.
 *
 * extract writes the landblocks asked for with just the models that they name, so that a fault can be shown without the game's files. pack
 * is the inverse: a folder with client_portal.dat and client_cell_1.dat that hold the scene. Both are done by support/; here are options,
 * messages and files. check is in cmd_scene_check.c. A scene file has a line for every element of its lists, for people and for diff.
 * Exit codes: 1 for what a scene says and records cannot, 3 for damaged input, 4 for files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/output_file.h"
#include "support/output_folder.h"
#include "support/scene_extract.h"
#include "support/scene_pack.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_scene_file.h"

/* ---------------------------------------------------------------------------------------------------------------------- extract */

/* "A9B4", "0xA9B40024", "A9B4-AAB5": the landblocks of a rectangle, one as a rule. */
static bool read_block(const char *text, uint32_t *out) {
    const char *end;
    if (!tool_dat_parse_id(text, out, &end) || *end != '\0') return false;
    size_t digits = strlen(text) - (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2u : 0u);
    if (digits == 4u) *out <<= 16;
    return digits == 4u || digits == 8u;
}

static bool read_rectangle(const char *text, uint32_t out[4]) {
    char first[16];
    const char *hyphen = strchr(text, '-');
    size_t length = hyphen ? (size_t)(hyphen - text) : strlen(text);
    if (length >= sizeof first) return false;
    memcpy(first, text, length);
    first[length] = '\0';
    uint32_t a = 0, b = 0;
    if (!read_block(first, &a)) return false;
    b = a;
    if (hyphen && !read_block(hyphen + 1, &b)) return false;
    out[0] = a >> 24;
    out[1] = (a >> 16) & 0xFFu;
    out[2] = b >> 24;
    out[3] = (b >> 16) & 0xFFu;
    return out[0] <= out[2] && out[1] <= out[3];
}

/* Marks the landblocks of all operands, widened by the ring; those of the ring only when the file has them. */
static int mark_blocks(const acp_command_line *line, const acp_dat *cell, uint8_t *marks) {
    int64_t ring = (int64_t)acp_command_integer(line, "ring");
    for (uint32_t i = 0; i < line->operand_count; i++) {
        uint32_t r[4];
        if (!read_rectangle(line->operands[i], r))
            return acp_command_usage(line, "'%s' is no landblock: four or eight hexadecimal digits, or two of them with a hyphen",
                                     line->operands[i]);
        for (int64_t x = (int64_t)r[0] - ring; x <= (int64_t)r[2] + ring; x++)
            for (int64_t y = (int64_t)r[1] - ring; y <= (int64_t)r[3] + ring; y++) {
                if (x < 0 || y < 0 || x > 255 || y > 255) continue;
                bool is_inside = x >= r[0] && x <= r[2] && y >= r[1] && y <= r[3];
                uint32_t id = (uint32_t)x << 24 | (uint32_t)y << 16 | 0xFFFFu;
                if (is_inside || acp_dat_find(cell, id)) marks[x << 8 | y] = 1;
            }
    }
    return ACP_EXIT_OK;
}

static void tell_remark(void *user, const acp_error *remark) {
    char text[512];
    acp_error_format(remark, text, sizeof text);
    acp_command_note(user, "%s", text);
}

/* A line feed before every element of the scene's lists and every member of the scene. */
static bool write_lines(FILE *stream, const char *text, size_t length) {
    uint32_t depth = 0;
    bool is_string = false;
    size_t begin = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (is_string) {
            if (c == '\\') i++;
            if (c == '"') is_string = false;
            continue;
        }
        if (c == '"') is_string = true;
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        bool is_number = i + 1u < length && (text[i + 1u] == '-' || (text[i + 1u] >= '0' && text[i + 1u] <= '9'));
        bool is_opening = (c == '{' || c == '[') && depth == 2u && i + 1u < length && text[i + 1u] != '}' && text[i + 1u] != ']';
        bool breaks = !is_number && ((c == ',' && depth <= 2u) || is_opening);
        if (!breaks) continue;
        if (fwrite(text + begin, 1, i + 1u - begin, stream) != i + 1u - begin || putc('\n', stream) == EOF) return false;
        begin = i + 1u;
    }
    return fwrite(text + begin, 1, length - begin, stream) == length - begin && putc('\n', stream) != EOF;
}

static int write_scene(const acp_command_line *line, const acp_json_writer *w) {
    const char *path = acp_command_text(line, "out");
    if (!path) return write_lines(stdout, w->text, w->length) ? ACP_EXIT_OK : ACP_EXIT_IO; /* finish tells */
    acp_output_file file;
    acp_error error;
    if (acp_output_file_open(&file, path, &error)) return acp_command_fail(line, &error);
    (void)write_lines(file.stream, w->text, w->length); /* the commit finds what failed */
    return acp_output_file_commit(&file, &error) ? acp_command_fail(line, &error) : ACP_EXIT_OK;
}

/* Ids of --setup, separated by commas. The number, or -1. */
static int read_setups(const char *text, uint32_t *out, uint32_t capacity) {
    int count = 0;
    while (text && *text) {
        const char *end;
        if ((uint32_t)count == capacity || !tool_dat_parse_id(text, &out[count], &end) || (*end != '\0' && *end != ',')) return -1;
        count++;
        text = *end ? end + 1 : end;
    }
    return count;
}

static int extract(const acp_command_line *line, const acp_dat_dir *dats, const uint8_t *marks) {
    uint32_t *ids = calloc(65536u, sizeof *ids), setups[64], count = 0;
    int setup_count = read_setups(acp_command_text(line, "setup"), setups, 64u);
    for (uint32_t i = 0; ids && i < 65536u; i++)
        if (marks[i]) ids[count++] = i << 16;
    if (setup_count < 0) {
        free(ids);
        return acp_command_usage(line, "--setup wants at most 64 model ids separated by commas");
    }
    acp_scene_extract_options options = {.name = acp_command_text(line, "name"),
                                         .block_ids = ids,
                                         .block_count = count,
                                         .setup_ids = setups,
                                         .setup_count = (uint32_t)setup_count,
                                         .has_scenery = !acp_command_flag(line, "no-scenery"),
                                         .on_remark = tell_remark,
                                         .user = (void *)(uintptr_t)line};
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_scene_extract_report report;
    acp_error error;
    int code = ids ? ACP_EXIT_OK : acp_command_out_of_memory(line);
    if (ids) {
        acp_result result = acp_scene_extract(dats->portal, dats->cell, &options, &w, &report, &error);
        code = result ? acp_command_fail(line, &error) : write_scene(line, &w);
        if (result == ACP_ERROR_NOT_FOUND) code = ACP_EXIT_NEGATIVE; /* what was asked for is not there */
    }
    if (code == ACP_EXIT_OK)
        acp_command_note(
            line, "%u landblocks, %u EnvCells, %u buildings, %u statics, %u of scenery; %u shapes, %u setups, %u structures; %u left out",
            (unsigned)report.blocks, (unsigned)report.env_cells, (unsigned)report.buildings, (unsigned)report.statics,
            (unsigned)report.scenery, (unsigned)report.shapes, (unsigned)report.setups, (unsigned)report.structures,
            (unsigned)report.remarks);
    acp_json_writer_free(&w);
    free(ids);
    return code;
}

static int run_extract(acp_command_line *line) {
    acp_dat_dir dats;
    const char *folder = acp_dat_dir_name(line);
    int code = acp_dat_dir_open(&dats, line, folder);
    uint8_t *marks = calloc(65536u, 1);
    if (code == ACP_EXIT_OK && !marks) code = acp_command_out_of_memory(line);
    if (code == ACP_EXIT_OK) code = mark_blocks(line, dats.cell, marks);
    if (code == ACP_EXIT_OK) code = extract(line, &dats, marks);
    free(marks);
    acp_dat_dir_close(&dats);
    return acp_command_finish(line, code);
}

static const acp_option extract_options[] = {
    ACP_OPTION_DAT_DIR,
    ACP_OPTION_DEMO,
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "the scene file (standard output without it)"},
    {.name = "ring",
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "0",
     .help = "and N rings of landblocks around each, as far as the file has them"},
    {.name = "setup", .kind = ACP_OPTION_TEXT, .argument = "IDS", .help = "bring along these models too, separated by commas"},
    {.name = "no-scenery", .help = "leave out what is generated"},
    {.name = "name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene's name"},
};

static const acp_command command_extract = {
    .name = "extract",
    .summary = "write landblocks of DAT files as one scene",
    .operands = "LANDBLOCK…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .description =
        "A landblock is named by four hexadecimal digits or by any id in it; two of them with a hyphen are the corners of a rectangle. "
        "The scene has the ground, EnvCells with portals, buildings and statics, and of the models what physics uses: polygons, "
        "trees, boxes, spheres. Textures, sounds and drawing polygons stay behind. Generated scenery becomes statics, which "
        "'acphys scene pack' refuses, since records do not hold it: --no-scenery. What a landblock would be "
        "loaded without is left out and told.",
    .examples = "acphys scene extract --dat-dir game A9B4 -o town.json\tone landblock\n"
                "acphys scene extract --dat-dir game --ring 1 A9B4 --setup 0x02000001 -o town.json\tits neighbours, and a model for movers",
    ACP_COMMAND_OPTIONS(extract_options),
    .run = run_extract,
};

/* ------------------------------------------------------------------------------------------------------------------------- pack */

static void tell_finding(void *user, const acp_scene_pack_finding *finding) {
    if (finding->is_refusal)
        acp_command_error(user, "%s: %s", finding->where, finding->message);
    else
        acp_command_note(user, "%s: %s", finding->where, finding->message);
}

static acp_result commit(const acp_command_line *line, acp_dat_edit *portal, acp_dat_edit *cell, const char *folder, acp_error *error) {
    acp_output_folder out;
    char path[4352];
    if (strlen(folder) > 4096u) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "create", "the folder's name is too long");
    acp_result result = acp_output_folder_open(&out, folder, error);
    if (result) return result;
    (void)snprintf(path, sizeof path, "%s/client_portal.dat", out.temporary_path);
    result = tool_dat_commit(line, portal, path, error);
    (void)snprintf(path, sizeof path, "%s/client_cell_1.dat", out.temporary_path);
    if (result == ACP_OK) result = tool_dat_commit(line, cell, path, error);
    if (result == ACP_OK) return acp_output_folder_commit(&out, error);
    acp_output_folder_discard(&out);
    return result;
}

static int pack(const acp_command_line *line, const acp_json *definition, const char *what) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    acp_dat_create_options portal_options = acp_dat_create_options_default(ACP_DAT_PORTAL);
    acp_dat_create_options cell_options = acp_dat_create_options_default(ACP_DAT_CELL);
    acp_dat_edit *portal = NULL, *cell = NULL;
    acp_scene_pack_options options = {acp_command_flag(line, "adapt"), tell_finding, (void *)(uintptr_t)line};
    acp_scene_pack_report report = {0};
    cell_options.data_subset = 1;
    acp_result result = acp_dat_edit_create(&portal_options, NULL, &portal, &error);
    if (result == ACP_OK) result = acp_dat_edit_create(&cell_options, NULL, &cell, &error);
    if (result == ACP_OK) result = acp_scene_pack(&input, definition, &options, portal, cell, &report);
    int code = ACP_EXIT_OK;
    if (result == ACP_ERROR_UNSUPPORTED) {
        acp_command_error(line, "%s: %s", what, error.message);
        code = ACP_EXIT_NEGATIVE;
    } else if (acp_json_is_failed(&input))
        code = acp_scene_file_bad_input(line, &input, what);
    if (code == ACP_EXIT_OK && result == ACP_OK) result = commit(line, portal, cell, acp_command_text(line, "out"), &error);
    if (code == ACP_EXIT_OK && result == ACP_ERROR_DUPLICATE)
        code = acp_command_usage(line, "%s is there already and not an empty folder", acp_command_text(line, "out"));
    else if (code == ACP_EXIT_OK && result)
        code = acp_command_fail(line, &error);
    if (code == ACP_EXIT_OK)
        (void)printf("%s: %u portal records, %u cell records; %u adaptations\n", acp_command_text(line, "out"),
                     (unsigned)report.portal_records, (unsigned)report.cell_records, (unsigned)report.adaptations);
    acp_dat_edit_destroy(portal);
    acp_dat_edit_destroy(cell);
    return code;
}

static int run_pack(acp_command_line *line) {
    acp_scene_file file;
    const acp_json *definition = NULL;
    const char *name = acp_command_text(line, "scene-name");
    int code = acp_scene_file_load(&file, line, line->operands[0]);
    if (code == ACP_EXIT_OK) code = acp_scene_file_find(&file, line, name, name ? strlen(name) : 0, &definition);
    if (code == ACP_EXIT_OK) code = pack(line, definition, line->operands[0]);
    acp_scene_file_close(&file);
    return acp_command_finish(line, code);
}

static const acp_option pack_options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .fallback = "dats",
     .help = "the folder to make, or an empty one"},
    {.name = "scene-name", .kind = ACP_OPTION_TEXT, .argument = "NAME", .help = "the scene of this name in the file, not the first"},
    {.name = "adapt", .help = "leave out or replace what records cannot say, instead of refusing"},
};

static const acp_command command_pack = {
    .name = "pack",
    .summary = "make DAT files of a scene",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Makes client_portal.dat and client_cell_1.dat in a new folder. Models keep the record ids that are their names; others get the "
        "first free ones. "
        "Records cannot say everything that a scene can: each such thing is told, and the exit code is 1. --adapt leaves out moving "
        "objects and gives land to landblocks that have rooms only.",
    .examples = "acphys scene pack town.json -o dats && acphys dat verify --strict dats/client_cell_1.dat\ta scene as DATs",
    ACP_COMMAND_OPTIONS(pack_options),
    .run = run_pack,
};

static const acp_command *const commands[] = {&command_extract, &command_pack, &acp_command_scene_check, NULL};

const acp_command acp_command_scene = {
    .name = "scene",
    .summary = "landblocks as scene files, and back",
    .operands = "COMMAND …",
    .commands = commands,
};
