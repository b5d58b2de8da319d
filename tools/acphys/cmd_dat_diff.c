/* SPDX-License-Identifier: MIT */
/* `acphys dat diff`: which records two DAT files have, lack, and have differently.
 *
 * Contents are compared decompressed and byte by byte; --attributes compares versions, iterations, dates and compression too. The walk goes
 * through both directories at once, in order of id. Exit codes: 0 equal, 1 different. A record that cannot be read differs, with the reason
 * on standard error (exit code 3). Cost: reading both files once. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/json_values.h"
#include "tools/acphys/tool_dat.h"

typedef struct comparison {
    const acp_command_line *line;
    const acp_dat *a;
    const acp_dat *b;
    acp_dat_record record_a;
    acp_dat_record record_b;
    acp_json_writer json;
    uint64_t only_a, only_b, different, equal;
    int code;
} comparison;

static void report(comparison *c, const char *what, uint32_t id, uint64_t offset) {
    acp_dat_info info;
    acp_dat_get_info(c->a, &info);
    const char *kind = tool_dat_kind(info.data_set, id);
    if (!acp_command_flag(c->line, "json")) {
        (void)printf("%-10s 0x%08" PRIX32 "  %s", what, id, kind);
        if (offset != UINT64_MAX) (void)printf("  first difference at byte %" PRIu64, offset);
        (void)printf("\n");
        return;
    }
    acp_json_writer_reset(&c->json);
    acp_json_begin_object(&c->json, NULL);
    acp_json_write_string(&c->json, "difference", what);
    acp_json_write_id(&c->json, "id", id);
    acp_json_write_string(&c->json, "kind", kind);
    if (offset != UINT64_MAX) acp_json_write_uint(&c->json, "offset", offset);
    acp_json_end_object(&c->json);
    (void)printf("%s\n", acp_command_json_text(&c->json));
}

static bool is_attribute_equal(const acp_dat_entry *a, const acp_dat_entry *b) {
    return a->version == b->version && a->iteration == b->iteration && a->date == b->date && a->flags == b->flags;
}

static void compare(comparison *c, const acp_dat_entry *a, const acp_dat_entry *b) {
    acp_error error;
    if (acp_dat_read_entry(c->a, a, &c->record_a, &error) || acp_dat_read_entry(c->b, b, &c->record_b, &error)) {
        c->code = acp_command_fail(c->line, &error);
        c->different++;
        return;
    }
    uint32_t shorter = c->record_a.size < c->record_b.size ? c->record_a.size : c->record_b.size, at = 0;
    while (at < shorter && c->record_a.bytes[at] == c->record_b.bytes[at])
        at++;
    if (at < c->record_a.size || at < c->record_b.size) {
        c->different++;
        report(c, "different", a->id, at);
    } else if (acp_command_flag(c->line, "attributes") && !is_attribute_equal(a, b)) {
        c->different++;
        report(c, "attributes", a->id, UINT64_MAX);
    } else
        c->equal++;
}

static void compare_all(comparison *c, const tool_dat_filter *filter, uint32_t data_set) {
    uint32_t i = acp_dat_lower_bound(c->a, filter->first), k = acp_dat_lower_bound(c->b, filter->first);
    for (;;) {
        const acp_dat_entry *a = acp_dat_entry_at(c->a, i), *b = acp_dat_entry_at(c->b, k);
        if (!a && !b) return;
        uint32_t id = !b || (a && a->id <= b->id) ? a->id : b->id;
        if (id > filter->last) return;
        bool is_in_a = a && a->id == id, is_in_b = b && b->id == id;
        i += is_in_a;
        k += is_in_b;
        if (!tool_dat_filter_matches(filter, data_set, id)) continue;
        if (is_in_a && is_in_b)
            compare(c, a, b);
        else {
            report(c, is_in_a ? "only in A" : "only in B", id, UINT64_MAX);
            c->only_a += is_in_a;
            c->only_b += is_in_b;
        }
    }
}

static int run_diff(acp_command_line *line) {
    tool_dat_filter filter;
    if (!tool_dat_filter_read(line, &filter)) return ACP_EXIT_USAGE;
    acp_dat *a = NULL, *b = NULL;
    acp_error error;
    acp_result result = acp_dat_open(line->operands[0], NULL, NULL, &a, &error);
    if (result == ACP_OK) result = acp_dat_open(line->operands[1], NULL, NULL, &b, &error);
    if (result) {
        acp_dat_close(a);
        return acp_command_fail(line, &error);
    }
    acp_dat_info info;
    acp_dat_get_info(a, &info);
    comparison c;
    memset(&c, 0, sizeof c);
    c.line = line;
    c.a = a;
    c.b = b;
    compare_all(&c, &filter, info.data_set);
    bool is_equal = c.only_a + c.only_b + c.different == 0;
    if (!acp_command_flag(line, "json"))
        (void)printf("%" PRIu64 " equal, %" PRIu64 " different, %" PRIu64 " only in A, %" PRIu64 " only in B\n", c.equal, c.different,
                     c.only_a, c.only_b);
    acp_dat_record_release(&c.record_a);
    acp_dat_record_release(&c.record_b);
    acp_json_writer_free(&c.json);
    acp_dat_close(a);
    acp_dat_close(b);
    return acp_command_finish(line, c.code ? c.code : is_equal ? ACP_EXIT_OK : ACP_EXIT_NEGATIVE);
}

static const acp_option options[] = {
    TOOL_DAT_FILTER_OPTIONS,
    {.name = "attributes", .help = "compare versions, iterations, dates and compression too"},
    {.name = "json", .help = "print JSON Lines instead of text"},
};

const acp_command acp_command_dat_diff = {
    .name = "diff",
    .summary = "compare two DAT files record by record",
    .operands = "A B",
    .operand_min = 2,
    .operand_max = 2,
    .operand_kind = ACP_OPTION_FILE,
    .description = "Contents are compared decompressed. Exit code 0 when all records asked for are equal, 1 when not.",
    .examples = "acphys dat diff old/client_cell_1.dat new/client_cell_1.dat\twhat an update changed",
    ACP_COMMAND_OPTIONS(options),
    .run = run_diff,
};
