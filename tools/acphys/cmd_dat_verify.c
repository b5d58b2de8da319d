/* SPDX-License-Identifier: MIT */
/* `acphys dat verify`: walk every block, node and record of DAT files and name each fault; then follow references from record to record.
 *
 * A file that does not open has one fault: the one that stopped the opening. Faults are printed as they are found, remarks (unusual but
 * readable) only with --remarks or --json; at most --limit of each file. Exit codes: 0 sound, 3 faults found, 4 unreadable. Cost: reading
 * the file once. */
#include <inttypes.h>
#include <stdio.h>

#include "support/json_values.h"
#include "tools/acphys/tool_dat.h"

typedef struct listener {
    const acp_command_line *line;
    acp_json_writer *json; /* null = text */
    uint64_t limit;
    uint64_t printed;
    bool is_remarking;
} listener;

static void write_fault(acp_json_writer *w, bool is_remark, const acp_error *fault) {
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "kind", is_remark ? "remark" : "fault");
    acp_json_write_string(w, "code", acp_result_name(fault->code));
    if (fault->record_id) acp_json_write_id(w, "record", fault->record_id);
    if (fault->byte_offset != UINT64_MAX) acp_json_write_uint(w, "offset", fault->byte_offset);
    if (fault->field[0]) acp_json_write_string(w, "field", fault->field);
    acp_json_write_string(w, "message", fault->message);
    acp_json_end_object(w);
}

static void on_fault(void *user, bool is_remark, const acp_error *fault) {
    listener *l = user;
    bool is_dangling = fault->code == ACP_ERROR_NOT_FOUND; /* told in any case */
    if (is_remark && !l->is_remarking && !l->json && !is_dangling) return;
    if (l->printed++ >= l->limit) return;
    if (l->json) {
        write_fault(l->json, is_remark, fault);
        return;
    }
    char text[1024];
    (void)acp_error_format(fault, text, sizeof text);
    (void)printf("%s %s\n", is_remark ? "remark" : "fault ", text);
}

static void write_report(acp_json_writer *w, const acp_dat_verify_report *r) {
    acp_json_write_uint(w, "records", r->record_count);
    acp_json_write_uint(w, "record_bytes", r->record_bytes);
    acp_json_write_uint(w, "node_blocks", r->node_blocks);
    acp_json_write_uint(w, "record_blocks", r->record_blocks);
    acp_json_write_uint(w, "free_blocks", r->free_blocks);
    acp_json_write_uint(w, "lost_bytes", r->lost_bytes);
    acp_json_write_uint(w, "faults", r->fault_count);
    acp_json_write_uint(w, "remarks", r->remark_count);
}

static int verify_file(const acp_command_line *line, const char *path, listener *l) {
    acp_error error;
    acp_dat *dat = NULL;
    acp_dat_verify_report report = {0};
    acp_result result = acp_dat_open(path, NULL, NULL, &dat, &error);
    if (result == ACP_ERROR_IO || result == ACP_ERROR_OUT_OF_MEMORY) return acp_command_fail(line, &error);
    if (l->json) {
        acp_json_begin_object(l->json, NULL);
        acp_json_write_string(l->json, "schema", "acphys.dat.verify.1");
        acp_json_write_string(l->json, "file", path);
        acp_json_begin_array(l->json, "findings");
    }
    if (result) {
        report.fault_count = 1;
        on_fault(l, false, &error);
    } else {
        acp_progress progress = tool_dat_progress(line);
        acp_dat_verify_options options = acp_dat_verify_options_default();
        options.is_strict = acp_command_flag(line, "strict");
        options.is_container_only = acp_command_flag(line, "container");
        options.on_fault = on_fault;
        options.user = l;
        options.progress = &progress;
        result = acp_dat_verify(dat, &options, &report, &error);
        acp_dat_close(dat);
        if (result) return acp_command_fail(line, &error);
    }
    if (l->json) {
        acp_json_end_array(l->json);
        write_report(l->json, &report);
        acp_json_end_object(l->json);
        (void)printf("%s\n", acp_command_json_text(l->json));
        acp_json_writer_reset(l->json);
    } else {
        if (l->printed > l->limit) (void)printf("and %" PRIu64 " more (--limit)\n", l->printed - l->limit);
        (void)printf("%s: %" PRIu64 " records, %" PRIu64 " bytes, %" PRIu64 " faults, %" PRIu64 " remarks\n", path, report.record_count,
                     report.record_bytes, report.fault_count, report.remark_count);
    }
    return report.fault_count ? ACP_EXIT_BAD_DATA : ACP_EXIT_OK;
}

/* The first file of each kind among the operands that opens; null: none. Why one does not open has been told before, but for memory. */
static acp_result open_kinds(const acp_command_line *line, acp_dat *dats[2], acp_error *error) {
    for (uint32_t i = 0; i < line->operand_count; i++) {
        acp_dat *dat = NULL;
        acp_dat_info info;
        acp_result result = acp_dat_open(line->operands[i], NULL, NULL, &dat, error);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result != ACP_OK) continue;
        acp_dat_get_info(dat, &info);
        uint32_t which = info.data_set == ACP_DAT_PORTAL ? 0 : info.data_set == ACP_DAT_CELL ? 1 : 2;
        if (which < 2u && !dats[which])
            dats[which] = dat;
        else
            acp_dat_close(dat);
    }
    return ACP_OK;
}

static void print_references(const acp_command_line *line, listener *l, acp_dat *const dats[2], const acp_dat_reference_report *report) {
    if (l->json) {
        acp_json_end_array(l->json);
        acp_json_write_uint(l->json, "references", report->reference_count);
        acp_json_write_uint(l->json, "dangling", report->dangling_count);
        acp_json_write_uint(l->json, "faults", report->fault_count);
        acp_json_write_uint(l->json, "remarks", report->remark_count);
        acp_json_end_object(l->json);
        (void)printf("%s\n", acp_command_json_text(l->json));
        return;
    }
    if (l->printed > l->limit) (void)printf("and %" PRIu64 " more (--limit)\n", l->printed - l->limit);
    (void)printf("references: %" PRIu64 ", %" PRIu64 " dangling, %" PRIu64 " faults, %" PRIu64 " remarks\n", report->reference_count,
                 report->dangling_count, report->fault_count, report->remark_count);
    if (!dats[0]) acp_command_detail(line, "no portal file among them: models and environments are not looked up");
}

/* References between the records of the first portal and the first cell file. */
static int verify_references(const acp_command_line *line, listener *l) {
    acp_dat *dats[2] = {NULL, NULL};
    acp_error error;
    acp_dat_reference_report report = {0};
    acp_result result = open_kinds(line, dats, &error);
    if (result == ACP_OK && !dats[0] && !dats[1]) return ACP_EXIT_OK;
    if (l->json) {
        acp_json_begin_object(l->json, NULL);
        acp_json_write_string(l->json, "schema", "acphys.dat.references.1");
        acp_json_begin_array(l->json, "findings");
    }
    acp_progress progress = tool_dat_progress(line);
    acp_dat_verify_options options = acp_dat_verify_options_default();
    options.is_strict = acp_command_flag(line, "strict");
    options.on_fault = on_fault;
    options.user = l;
    options.progress = &progress;
    if (result == ACP_OK) result = acp_dat_verify_references(dats[0], dats[1], &options, &report, &error);
    if (result == ACP_OK) print_references(line, l, dats, &report);
    acp_dat_close(dats[0]);
    acp_dat_close(dats[1]);
    if (result) return acp_command_fail(line, &error);
    return report.fault_count ? ACP_EXIT_BAD_DATA : ACP_EXIT_OK;
}

static int run_verify(acp_command_line *line) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    int code = ACP_EXIT_OK;
    for (uint32_t i = 0; i < line->operand_count; i++) {
        listener l = {line, acp_command_flag(line, "json") ? &writer : NULL, acp_command_integer(line, "limit"), 0,
                      acp_command_flag(line, "remarks")};
        int own = verify_file(line, line->operands[i], &l);
        if (own > code) code = own;
    }
    if (!acp_command_flag(line, "container") && !acp_command_flag(line, "no-references")) {
        listener l = {line, acp_command_flag(line, "json") ? &writer : NULL, acp_command_integer(line, "limit"), 0,
                      acp_command_flag(line, "remarks")};
        int own = verify_references(line, &l);
        if (own > code) code = own;
    }
    acp_json_writer_free(&writer);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "strict", .help = "count as faults what a strict reading refuses"},
    {.name = "container", .help = "read the records without decoding them"},
    {.name = "no-references", .help = "do not follow references from record to record"},
    {.name = "remarks", .help = "print remarks too: unusual, but readable"},
    {.name = "limit",
     .letter = 'n',
     .kind = ACP_OPTION_INTEGER,
     .argument = "N",
     .fallback = "100",
     .help = "print at most N findings a file"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_dat_verify = {
    .name = "verify",
    .summary = "check every block, node and record of DAT files",
    .operands = "FILE…",
    .operand_min = 1,
    .operand_max = UINT32_MAX,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Reads each file whole: the directory, the chain and content of every record, the free list, and that no two blocks "
        "overlap. Each fault is named with record, file offset and field. Exit code 3 when there are faults.\n\n"
        "Then references are followed, among the first portal and the first cell file named: parts, animations, scenes, "
        "environments, structures, portal polygons, cells, models. One that leads nowhere is told with record, offset in the "
        "record, field and what was expected; with --strict it is a fault, else only an announced LandBlockInfo that is missing.",
    .examples = "acphys dat verify --strict client_portal.dat client_cell_1.dat\tboth files, and every reference between them\n"
                "acphys dat verify --remarks client_cell_1.dat\teverything that is unusual",
    ACP_COMMAND_OPTIONS(options),
    .run = run_verify,
};
