/* SPDX-License-Identifier: MIT */
/* `acphys dat cat`: records as JSON, one line each, or their bytes.
 *
 * Kinds that are not decoded are shown with their bytes in hexadecimal. --raw writes the decompressed bytes of the records one after
 * another; --stored the bytes as the file keeps them. A record that is damaged is an error that names it; the others are still shown. Exit
 * codes: 1 when an id is not there, 3 for damage. Cost: reading the records asked for. */
#include <stdio.h>
#include <string.h>

#include "dat/record.h"
#include "support/json_values.h"
#include "support/record_json.h"
#include "tools/acphys/tool_dat.h"

static void write_other(acp_json_writer *w, const acp_dat_record *record, const char *kind) {
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "schema", "acphys.record.1");
    acp_json_write_string(w, "kind", kind);
    acp_json_write_id(w, "key", record->entry.id);
    acp_json_begin_array(w, "bytes");
    for (uint32_t i = 0; i < record->size; i += 32) { /* lines of 32 bytes */
        char text[65];
        uint32_t length = record->size - i < 32 ? record->size - i : 32;
        for (uint32_t k = 0; k < length; k++)
            (void)snprintf(text + 2 * k, 3, "%02x", record->bytes[i + k]);
        acp_json_write_string(w, NULL, text);
    }
    acp_json_end_array(w);
    acp_json_end_object(w);
}

/* One record; the exit code. */
static int show(const acp_command_line *line, const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record, acp_json_writer *w) {
    acp_error error;
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    bool is_stored = acp_command_flag(line, "stored");
    if (is_stored ? acp_dat_read_stored(dat, entry, record, &error) : acp_dat_read_entry(dat, entry, record, &error))
        return acp_command_fail(line, &error);
    if (is_stored || acp_command_flag(line, "raw")) {
        (void)fwrite(record->bytes, 1, record->size, stdout);
        return ACP_EXIT_OK;
    }
    acp_json_writer_reset(w);
    acp_record_kind kind = acp_record_kind_of(info.data_set, entry->id);
    acp_record decoded;
    if (kind == ACP_RECORD_OTHER)
        write_other(w, record, tool_dat_kind(info.data_set, entry->id));
    else {
        acp_record_decode_options options = {acp_command_flag(line, "strict") ? ACP_CONTENT_STRICT : ACP_CONTENT_LENIENT, NULL, NULL,
                                             entry->id};
        if (acp_record_decode(kind, record->bytes, record->size, &options, NULL, &decoded, &error)) {
            (void)snprintf(error.file, sizeof error.file, "%s", acp_dat_name(dat));
            return acp_command_fail(line, &error);
        }
        (void)acp_record_write_json(&decoded, NULL, w);
        acp_record_free(&decoded);
    }
    if (w->is_failed) {
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    (void)printf("%s\n", acp_command_json_text(w));
    return ACP_EXIT_OK;
}

static int show_range(const acp_command_line *line, const acp_dat *dat, const char *text, acp_dat_record *record, acp_json_writer *w) {
    uint32_t first = 0, last = 0;
    if (!tool_dat_parse_range(text, &first, &last))
        return acp_command_usage(line, "an id or ID-ID is wanted, hexadecimal, the lower first, not '%s'", text);
    int code = ACP_EXIT_OK;
    uint32_t shown = 0;
    const acp_dat_entry *entry;
    for (uint32_t i = acp_dat_lower_bound(dat, first); (entry = acp_dat_entry_at(dat, i)) != NULL && entry->id <= last; i++, shown++) {
        int own = show(line, dat, entry, record, w);
        if (own > code) code = own;
    }
    if (shown == 0) {
        acp_command_error(line, "%s: no record %s", acp_dat_name(dat), text);
        return ACP_EXIT_NEGATIVE;
    }
    return code;
}

static int run_cat(acp_command_line *line) {
    acp_dat *dat = NULL;
    acp_error error;
    if (acp_dat_open(line->operands[0], NULL, NULL, &dat, &error)) return acp_command_fail(line, &error);
    acp_json_writer writer = {.float_form = acp_command_flag(line, "bits") ? ACP_JSON_DECIMAL_AND_HEX : ACP_JSON_DECIMAL};
    acp_dat_record record = {0};
    int code = ACP_EXIT_OK;
    for (uint32_t i = 1; i < line->operand_count; i++) {
        int own = show_range(line, dat, line->operands[i], &record, &writer);
        if (own > code) code = own;
    }
    acp_dat_record_release(&record);
    acp_json_writer_free(&writer);
    acp_dat_close(dat);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "raw", .help = "write the records' bytes, decompressed"},
    {.name = "stored", .help = "write the records' bytes as they are stored"},
    {.name = "bits", .help = "write the exact bits of every float beside it"},
    {.name = "strict", .help = "refuse what a strict reading refuses"},
};

const acp_command acp_command_dat_cat = {
    .name = "cat",
    .summary = "print records as JSON, or their bytes",
    .operands = "FILE ID…",
    .operand_min = 2,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description = "One JSON object a line and record, with every field of the record in file order. ID is hexadecimal, or a range ID-ID.",
    .examples = "acphys dat cat client_portal.dat 0x02000001\ta model\n"
                "acphys dat cat --raw client_cell_1.dat 0xA9B4FFFF | xxd\tthe bytes of a landblock",
    ACP_COMMAND_OPTIONS(options),
    .run = run_cat,
};
