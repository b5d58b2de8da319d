/* SPDX-License-Identifier: MIT */
/* `acphys dat …`: look into, check and make DAT files. Here is the table of sub-commands with the two simple ones, info and ls; the others
 * are in cmd_dat_<name>.c.
 *
 * info prints the header and what the directory adds up to; ls prints one line a record, filtered by ids and kinds. Kinds are named after
 * the id's class (spec 02); in a cell file the low word decides. Exit codes: 3 for a file that is no DAT, 4 for one that cannot be read,
 * 1 for ls when nothing matched. Cost: opening the file and printing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat.h"

static const char *data_set_name(uint32_t data_set) {
    switch (data_set) {
    case ACP_DAT_PORTAL:
        return "portal";
    case ACP_DAT_CELL:
        return "cell";
    case ACP_DAT_LOCAL:
        return "local";
    default:
        return "unknown";
    }
}

static const struct {
    uint32_t bit;
    const char *name;
} remark_names[] = {
    {ACP_DAT_REMARK_FILE_SIZE, "file_size"},         {ACP_DAT_REMARK_INTERRUPTED_UPDATE, "interrupted_update"},
    {ACP_DAT_REMARK_DATA_SET, "data_set"},           {ACP_DAT_REMARK_GAME_VERSION, "game_version"},
    {ACP_DAT_REMARK_UNEVEN_TREE, "uneven_tree"},     {ACP_DAT_REMARK_LEAF_MARK, "leaf_mark"},
    {ACP_DAT_REMARK_NO_ITERATIONS, "no_iterations"},
};
enum { remark_count = sizeof remark_names / sizeof remark_names[0] };

/* ---- info ---- */

/* Records and stored bytes of each kind. */
typedef struct kind_total {
    const char *kind;
    uint64_t records;
    uint64_t bytes;
} kind_total;

static uint32_t add_up_kinds(const acp_dat *dat, uint32_t data_set, kind_total *totals, uint32_t capacity) {
    uint32_t count = 0;
    const acp_dat_entry *entry;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(dat, i)) != NULL; i++) {
        const char *kind = tool_dat_kind(data_set, entry->id);
        uint32_t k = 0;
        while (k < count && strcmp(totals[k].kind, kind) != 0)
            k++;
        if (k == count) {
            if (count == capacity) continue;
            totals[count++] = (kind_total){kind, 0, 0};
        }
        totals[k].records++;
        totals[k].bytes += entry->stored_size;
    }
    return count;
}

static void print_info_json(const acp_dat *dat, const acp_dat_info *info, const kind_total *totals, uint32_t count) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.dat.info.1");
    acp_json_write_string(&w, "file", acp_dat_name(dat));
    acp_json_write_uint(&w, "physical_size", info->physical_size);
    acp_json_write_uint(&w, "file_size", info->file_size);
    acp_json_write_uint(&w, "block_size", info->block_size);
    acp_json_write_string(&w, "data_set", data_set_name(info->data_set));
    acp_json_write_uint(&w, "data_subset", info->data_subset);
    acp_json_write_id(&w, "master_map_id", info->master_map_id);
    acp_json_write_int(&w, "engine_version", info->engine_version);
    acp_json_write_int(&w, "game_version", info->game_version);
    acp_json_write_uint(&w, "minor_version", info->minor_version);
    acp_json_write_uint(&w, "records", info->record_count);
    acp_json_write_uint(&w, "nodes", info->node_count);
    acp_json_write_uint(&w, "depth", info->tree_depth);
    acp_json_write_uint(&w, "root", info->root);
    acp_json_write_uint(&w, "first_free", info->first_free);
    acp_json_write_uint(&w, "last_free", info->last_free);
    acp_json_write_uint(&w, "free_blocks", info->free_count);
    acp_json_write_uint(&w, "journal_type", info->journal_type);
    acp_json_begin_array(&w, "remarks");
    for (uint32_t i = 0; i < remark_count; i++)
        if (info->remarks & remark_names[i].bit) acp_json_write_string(&w, NULL, remark_names[i].name);
    acp_json_end_array(&w);
    acp_json_begin_object(&w, "kinds");
    for (uint32_t i = 0; i < count; i++) {
        acp_json_begin_object(&w, totals[i].kind);
        acp_json_write_uint(&w, "records", totals[i].records);
        acp_json_write_uint(&w, "bytes", totals[i].bytes);
        acp_json_end_object(&w);
    }
    acp_json_end_object(&w);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

static void print_info_text(const acp_dat *dat, const acp_dat_info *info, const kind_total *totals, uint32_t count) {
    (void)printf("%s: %s file, subset %" PRIu32 "\n", acp_dat_name(dat), data_set_name(info->data_set), info->data_subset);
    (void)printf("  size       %" PRIu64 " bytes in blocks of %" PRIu32 ", %" PRIu32 " of them free\n", info->physical_size,
                 info->block_size, info->free_count);
    (void)printf("  versions   engine %" PRId32 ", game %" PRId32 ", minor %" PRIu32 "\n", info->engine_version, info->game_version,
                 info->minor_version);
    (void)printf("  directory  %" PRIu32 " records in %" PRIu32 " nodes, %" PRIu32 " level%s, root at 0x%" PRIX32 "\n", info->record_count,
                 info->node_count, info->tree_depth, info->tree_depth == 1 ? "" : "s", info->root);
    for (uint32_t i = 0; i < count; i++)
        (void)printf("  %-18s %8" PRIu64 " records %12" PRIu64 " bytes\n", totals[i].kind, totals[i].records, totals[i].bytes);
    for (uint32_t i = 0; i < remark_count; i++)
        if (info->remarks & remark_names[i].bit) (void)printf("  remark     %s\n", remark_names[i].name);
}

static int run_info(acp_command_line *line) {
    int code = ACP_EXIT_OK;
    for (uint32_t i = 0; i < line->operand_count; i++) {
        acp_dat *dat = NULL;
        acp_error error;
        if (acp_dat_open(line->operands[i], NULL, NULL, &dat, &error)) {
            code = acp_command_fail(line, &error);
            continue;
        }
        acp_dat_info info;
        kind_total totals[64];
        acp_dat_get_info(dat, &info);
        uint32_t count = add_up_kinds(dat, info.data_set, totals, 64);
        if (acp_command_flag(line, "json"))
            print_info_json(dat, &info, totals, count);
        else
            print_info_text(dat, &info, totals, count);
        acp_dat_close(dat);
    }
    return acp_command_finish(line, code);
}

static const acp_option info_options[] = {ACP_OPTION_JSON};

static const acp_command command_info = {
    .name = "info",
    .summary = "print the header and totals of DAT files",
    .operands = "FILE…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .examples = "acphys dat info client_portal.dat client_cell_1.dat\tboth, one after the other",
    ACP_COMMAND_OPTIONS(info_options),
    .run = run_info,
};

/* ---- ls ---- */

static void print_entry(acp_json_writer *w, uint32_t data_set, const acp_dat_entry *entry) {
    if (!w) {
        (void)printf("0x%08" PRIX32 "  %-18s %9" PRIu32 " bytes at 0x%08" PRIX32 "  version %u  iteration %" PRId32 "%s\n", entry->id,
                     tool_dat_kind(data_set, entry->id), entry->stored_size, entry->offset, (unsigned)entry->version, entry->iteration,
                     entry->flags & 1u ? "  compressed" : "");
        return;
    }
    acp_json_writer_reset(w);
    acp_json_begin_object(w, NULL);
    acp_json_write_id(w, "id", entry->id);
    acp_json_write_string(w, "kind", tool_dat_kind(data_set, entry->id));
    acp_json_write_uint(w, "stored_size", entry->stored_size);
    acp_json_write_uint(w, "offset", entry->offset);
    acp_json_write_uint(w, "version", entry->version);
    acp_json_write_int(w, "iteration", entry->iteration);
    acp_json_write_int(w, "date", entry->date);
    acp_json_write_flag(w, "compressed", (entry->flags & 1u) != 0);
    acp_json_end_object(w);
    (void)printf("%s\n", acp_command_json_text(w));
}

static int run_ls(acp_command_line *line) {
    tool_dat_filter filter;
    if (!tool_dat_filter_read(line, &filter)) return ACP_EXIT_USAGE;
    acp_dat *dat = NULL;
    acp_error error;
    if (acp_dat_open(line->operands[0], NULL, NULL, &dat, &error)) return acp_command_fail(line, &error);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    uint64_t matched = 0;
    const acp_dat_entry *entry;
    for (uint32_t i = acp_dat_lower_bound(dat, filter.first); (entry = acp_dat_entry_at(dat, i)) != NULL && entry->id <= filter.last; i++) {
        if (!tool_dat_filter_matches(&filter, info.data_set, entry->id)) continue;
        matched++;
        print_entry(acp_command_flag(line, "json") ? &writer : NULL, info.data_set, entry);
    }
    acp_json_writer_free(&writer);
    acp_command_detail(line, "%llu records", (unsigned long long)matched);
    acp_dat_close(dat);
    return acp_command_finish(line, matched ? ACP_EXIT_OK : ACP_EXIT_NEGATIVE);
}

static const acp_option ls_options[] = {TOOL_DAT_FILTER_OPTIONS, {.name = "json", .help = "print JSON Lines instead of text"}};

static const acp_command command_ls = {
    .name = "ls",
    .summary = "list the records of a DAT file",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description = "One line a record, in ascending order of id. Exit code 1 when nothing matches.",
    .examples = "acphys dat ls --kind landblock client_cell_1.dat\tall landblocks\n"
                "acphys dat ls --ids 0xA9B40000-0xA9B4FFFF client_cell_1.dat\teverything of one landblock",
    ACP_COMMAND_OPTIONS(ls_options),
    .run = run_ls,
};

static const acp_command *const commands[] = {
    &command_info,
    &command_ls,
    &acp_command_dat_cat,
    &acp_command_dat_verify,
    &acp_command_dat_diff,
    &acp_command_dat_extract,
    &acp_command_dat_pack,
    &acp_command_dat_export,
    &acp_command_dat_import,
    &acp_command_dat_import_terrain,
    NULL,
};

const acp_command acp_command_dat = {
    .name = "dat",
    .summary = "look into, check and make DAT files",
    .operands = "COMMAND …",
    .commands = commands,
};
