/* SPDX-License-Identifier: MIT */
/* `acphys spawns`: puts lists of recorded positions in their places.
 *
 * Reads CSV files (plain or gzipped), makes every outdoor point canonical, compares the recorded cell with the cell under the point, and,
 * with a source of ground, looks up height, slope and water there. Prints a report (text, or JSON with --json), optionally every row as
 * JSON Lines and a relief map of the world with the positions. A malformed row is named with line and column, counted and left out, and the
 * exit code is then 3 after everything that could be done has been done. Output files appear whole or not at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "draw/relief.h"
#include "support/load_file.h"
#include "support/output_file.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_spawns.h"

#define FILE_LIMIT ((size_t)1 << 30)

/* Malformed rows are printed up to a limit. */
typedef struct fault_printer {
    const acp_command_line *line;
    uint64_t printed;
    uint64_t limit;
} fault_printer;

static void print_fault(void *user, const char *path, uint64_t line, uint64_t column, const char *field, const char *message) {
    fault_printer *printer = user;
    if (printer->printed++ < printer->limit)
        acp_command_error(printer->line, "%s:%llu:%llu: %s: %s", path, (unsigned long long)line, (unsigned long long)column, field,
                          message);
}

static acp_result read_files(acp_command_line *line, acp_spawn_list *list, acp_error *error) {
    fault_printer printer = {line, 0, acp_command_integer(line, "max-errors")};
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < line->operand_count && result == ACP_OK; i++) {
        char *text;
        size_t length;
        result = acp_load_file(line->operands[i], FILE_LIMIT, &text, &length, error);
        if (result != ACP_OK) break;
        result = acp_spawns_read(list, line->operands[i], i, text, length, print_fault, &printer, error);
        free(text);
    }
    if (printer.printed > printer.limit)
        acp_command_error(line, "%llu more malformed rows (--max-errors)", (unsigned long long)(printer.printed - printer.limit));
    return result;
}

static acp_result write_rows(const acp_command_line *line, const acp_spawn_list *list, const char *path, acp_error *error) {
    acp_output_file file;
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_result result = acp_output_file_open(&file, path, error);
    if (result != ACP_OK) return result;
    for (size_t i = 0; i < list->count && result == ACP_OK; i++) {
        acp_json_writer_reset(&writer);
        acp_spawn_write_row(&list->rows[i], line->operands[list->rows[i].file], &writer);
        acp_json_end_line(&writer);
        if (writer.is_failed) result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "write", "no memory for a row");
        (void)fputs(acp_json_writer_text(&writer), file.stream); /* a failure is found by commit */
    }
    acp_json_writer_free(&writer);
    if (result == ACP_OK) return acp_output_file_commit(&file, error);
    acp_output_file_discard(&file);
    return result;
}

/* The colour group of a row on the map. */
static acp_relief_mark mark_of(const acp_spawn *spawn) {
    acp_relief_mark mark = {0.0, 0.0, ACP_RELIEF_MARK_OUTDOOR};
    int32_t x = 0, y = 0;
    (void)acp_lcoord_from_block_id(spawn->position.cell_id, &x, &y);
    mark.x = x + (double)spawn->position.frame.origin.x / 24.0;
    mark.y = y + (double)spawn->position.frame.origin.y / 24.0;
    if (spawn->spawn_class == ACP_SPAWN_INDOOR) mark.group = ACP_RELIEF_MARK_INDOOR;
    if (spawn->spawn_class == ACP_SPAWN_UNRESOLVED) mark.group = ACP_RELIEF_MARK_UNRESOLVED;
    return mark;
}

static acp_result draw_picture(const acp_spawn_list *list, acp_ground_source *source, const char *path, acp_error *error) {
    size_t plane = (size_t)ACP_WORLD_VERTICES * ACP_WORLD_VERTICES;
    uint8_t *heights = malloc(plane), *words = malloc(plane);
    acp_relief_mark *marks = malloc((list->count ? list->count : 1) * sizeof *marks);
    uint32_t missing, count = 0;
    acp_result result = ACP_ERROR_OUT_OF_MEMORY;
    if (heights && words && marks) result = acp_ground_source_fill(source, heights, words, &missing, error);
    if (result == ACP_OK) {
        for (size_t i = 0; i < list->count; i++)
            if (list->rows[i].spawn_class <= ACP_SPAWN_ELSEWHERE) marks[count++] = mark_of(&list->rows[i]);
        acp_relief relief = {.heights = heights, .words = words, .marks = marks, .mark_count = count};
        acp_height_table table;
        acp_height_table_default(&table);
        relief.metres = table.metres;
        result = acp_relief_draw(&relief, path, error);
    }
    free(heights);
    free(words);
    free(marks);
    return result;
}

static int report(acp_command_line *line, const acp_spawn_list *list, bool has_ground) {
    if (acp_command_flag(line, "json")) {
        acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
        acp_spawns_write_json(list, line->operands, line->operand_count, has_ground, &writer);
        (void)printf("%s\n", acp_command_json_text(&writer));
        acp_json_writer_free(&writer);
    } else {
        acp_spawns_print(list, line->operands, has_ground);
    }
    return list->malformed ? ACP_EXIT_BAD_DATA : ACP_EXIT_OK;
}

/* Two names of one regular file (the same name counts even before there is a file). */
static bool is_same_file(const char *a, const char *b) {
    struct stat one, other;
    if (strcmp(a, b) == 0) return stat(a, &one) != 0 || S_ISREG(one.st_mode);
    if (stat(a, &one) != 0 || stat(b, &other) != 0 || !S_ISREG(one.st_mode)) return false;
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* The input that an output would overwrite, or null. */
static const char *overwritten(const acp_command_line *line, const char *output) {
    const char *terrain = acp_command_text(line, "terrain");
    for (uint32_t i = 0; output && i < line->operand_count; i++)
        if (is_same_file(output, line->operands[i])) return line->operands[i];
    return output && terrain && is_same_file(output, terrain) ? terrain : NULL;
}

static int run_spawns(acp_command_line *line) {
    const char *rows = acp_command_text(line, "rows"), *picture = acp_command_text(line, "picture");
    const char *input = overwritten(line, rows);
    if (!input) input = overwritten(line, picture);
    if (input) return acp_command_usage(line, "the output would overwrite the input %s", input);
    if (rows && picture && is_same_file(rows, picture)) return acp_command_usage(line, "--rows and --picture name the same file");
    acp_spawn_list list;
    acp_ground_source source;
    acp_error error;
    memset(&list, 0, sizeof list);
    acp_result result = acp_ground_source_open(&source, line, &error);
    if (result != ACP_OK) return acp_command_fail(line, &error);
    bool has_ground = acp_ground_source_is_open(&source);
    if (picture && !has_ground) return acp_command_usage(line, "--picture needs a source of ground (--terrain or --dat-dir)");
    if (!has_ground) acp_command_note(line, "no source of ground named: cells are compared, heights are not");
    result = read_files(line, &list, &error);
    if (result == ACP_OK && has_ground) result = acp_spawns_find_ground(&list, &source, line, &error);
    if (result == ACP_OK && rows) result = write_rows(line, &list, rows, &error);
    if (result == ACP_OK && picture) result = draw_picture(&list, &source, picture, &error);
    int code = result == ACP_OK ? report(line, &list, has_ground) : acp_command_fail(line, &error);
    acp_spawns_free(&list);
    acp_ground_source_close(&source);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "dat-dir",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "take the ground from client_cell_1.dat there (or ACPHYS_DAT_DIR)"},
    ACP_OPTION_TERRAIN,
    {.name = "rows", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "write every row, placed, as JSON Lines"},
    {.name = "picture", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "draw a relief map of the world with the positions (PNG)"},
    {.name = "max-errors", .kind = ACP_OPTION_INTEGER, .argument = "N", .fallback = "20", .help = "print at most N malformed rows"},
    ACP_OPTION_JSON,
};
const acp_command acp_command_spawns = {
    .name = "spawns",
    .summary = "put lists of recorded positions in their places",
    .operands = "CSV…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Each CSV file (plain or gzipped, - is standard input) has a header that names at least cell, x, y and z; qw, qx, qy, qz and "
        "wcid are used when there. Every outdoor point is made canonical and the recorded cell compared with the one under the "
        "point; each class of difference is counted, explained and shown with examples. With a source of ground the heights, "
        "slopes and waters under the outdoor positions are surveyed.\n\n"
        "A malformed row is named with line and column and left out; the exit code is then 3.",
    .examples = "acphys spawns positions.csv.gz --terrain terrain.bin.gz --picture map.png\treport and map\n"
                "acphys spawns --json positions.csv\tcells alone, as JSON",
    ACP_COMMAND_OPTIONS(options),
    .run = run_spawns,
};
