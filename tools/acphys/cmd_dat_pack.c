/* SPDX-License-Identifier: MIT */
/* `acphys dat extract` and its inverse `acphys dat pack`: a DAT as a folder of records, and back.
 *
 * A member is <8 hexadecimal digits>.bin, the record's bytes, or .json, the record as `dat cat` prints it. The file dat.json beside them
 * keeps what the bytes do not: the header's numbers and each record's version, date, iteration and whether it is compressed. Packing makes
 * a whole container of the folder, or with --base a copy of a container with the folder's records put into it. Extracting what was packed
 * gives the same members, byte for byte; the iteration record is made anew unless it is a member.
 *
 * Contract: extract makes the folder whole or not at all, and refuses one that is there and not empty; pack writes the DAT whole or not
 * at all. Nothing outside the folder is named by a member. Cost: a file a record. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acphys/dat_edit.h"
#include "base/error.h"
#include "dat/record.h"
#include "support/json_values.h"
#include "support/output_file.h"
#include "support/output_folder.h"
#include "support/record_json.h"
#include "support/system_error.h"
#include "tools/acphys/tool_dat.h"

#define MEMBER_LIMIT (256u << 20)

/* ---- extract ---- */

static void write_entry(acp_json_writer *w, const acp_dat_entry *entry) {
    char name[16];
    (void)snprintf(name, sizeof name, "%08" PRIX32, entry->id);
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "record", name);
    acp_json_write_uint(w, "version", entry->version);
    acp_json_write_int(w, "date", entry->date);
    acp_json_write_int(w, "iteration", entry->iteration);
    acp_json_write_bool(w, "compressed", (entry->flags & 1u) != 0);
    acp_json_end_object(w);
}

static void write_header(acp_json_writer *w, const acp_dat_info *info) {
    acp_json_write_string(w, "schema", "acphys.dat.folder.1");
    acp_json_write_uint(w, "data_set", info->data_set);
    acp_json_write_uint(w, "data_subset", info->data_subset);
    acp_json_write_uint(w, "block_size", info->block_size);
    acp_json_write_id(w, "master_map_id", info->master_map_id);
    acp_json_write_int(w, "engine_version", info->engine_version);
    acp_json_write_int(w, "game_version", info->game_version);
    acp_json_write_uint(w, "minor_version", info->minor_version);
}

static acp_result extract_one(const acp_command_line *line, const acp_dat *dat, const acp_dat_entry *entry, uint32_t data_set,
                              const char *folder, acp_dat_record *record, acp_error *error) {
    char path[4352];
    acp_result result = acp_dat_read_entry(dat, entry, record, error);
    if (result) return result;
    acp_record_kind kind = acp_command_flag(line, "json") ? acp_record_kind_of(data_set, entry->id) : ACP_RECORD_OTHER;
    acp_record decoded;
    if (kind != ACP_RECORD_OTHER && acp_record_decode(kind, record->bytes, record->size, NULL, NULL, &decoded, error) == ACP_OK) {
        acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
        result = acp_record_write_json(&decoded, NULL, &w);
        acp_json_end_line(&w);
        acp_record_free(&decoded);
        (void)snprintf(path, sizeof path, "%s/%08" PRIX32 ".json", folder, entry->id);
        if (result || w.is_failed)
            result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "extract", "out of memory");
        else
            result = acp_output_file_write(path, w.text, w.length, error);
        acp_json_writer_free(&w);
        return result;
    }
    (void)snprintf(path, sizeof path, "%s/%08" PRIX32 ".bin", folder, entry->id);
    return acp_output_file_write(path, record->bytes, record->size, error);
}

/* All records that the filter takes, and dat.json. */
static acp_result extract_all(const acp_command_line *line, const acp_dat *dat, const tool_dat_filter *filter, const char *folder,
                              uint64_t *out_count, acp_error *error) {
    char path[4352];
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    write_header(&w, &info);
    acp_json_begin_array(&w, "records");
    acp_dat_record record = {0};
    acp_result result = ACP_OK;
    const acp_dat_entry *entry;
    for (uint32_t i = acp_dat_lower_bound(dat, filter->first);
         result == ACP_OK && (entry = acp_dat_entry_at(dat, i)) != NULL && entry->id <= filter->last; i++) {
        if (!tool_dat_filter_matches(filter, info.data_set, entry->id)) continue;
        if (acp_output_folder_is_interrupted()) result = acp_error_set(error, ACP_ERROR_CANCELLED, "extract", "interrupted");
        if (result == ACP_OK) result = extract_one(line, dat, entry, info.data_set, folder, &record, error);
        write_entry(&w, entry);
        ++*out_count;
        acp_command_progress(line, "extracting", i + 1u, info.record_count);
    }
    acp_json_end_array(&w);
    acp_json_end_object(&w);
    acp_json_end_line(&w);
    (void)snprintf(path, sizeof path, "%s/dat.json", folder);
    if (result == ACP_OK && w.is_failed) result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "extract", "out of memory");
    if (result == ACP_OK) result = acp_output_file_write(path, w.text, w.length, error);
    acp_json_writer_free(&w);
    acp_dat_record_release(&record);
    return result;
}

static int run_extract(acp_command_line *line) {
    tool_dat_filter filter;
    const char *folder = acp_command_text(line, "out");
    if (!tool_dat_filter_read(line, &filter)) return ACP_EXIT_USAGE;
    if (strlen(folder) > 4096) return acp_command_usage(line, "the folder's name is too long");
    acp_dat *dat = NULL;
    acp_error error;
    if (acp_dat_open(line->operands[0], NULL, NULL, &dat, &error)) return acp_command_fail(line, &error);
    acp_output_folder out;
    uint64_t count = 0;
    acp_result result = acp_output_folder_open(&out, folder, &error);
    bool is_taken = result == ACP_ERROR_DUPLICATE;
    if (result == ACP_OK) {
        result = extract_all(line, dat, &filter, out.temporary_path, &count, &error);
        if (result == ACP_OK)
            result = acp_output_folder_commit(&out, &error);
        else
            acp_output_folder_discard(&out);
    }
    acp_dat_close(dat);
    acp_command_progress_end(line);
    if (is_taken) return acp_command_usage(line, "%s is there already and not an empty folder", folder);
    if (result) return acp_command_fail(line, &error);
    (void)printf("%s: %" PRIu64 " records\n", folder, count);
    return acp_command_finish(line, ACP_EXIT_OK);
}

static const acp_option extract_options[] = {
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_DIRECTORY, .argument = "DIR", .fallback = "dat", .help = "the folder to write"},
    TOOL_DAT_FILTER_OPTIONS,
    {.name = "json", .help = "write records that can be decoded as JSON"},
};

const acp_command acp_command_dat_extract = {
    .name = "extract",
    .summary = "write the records of a DAT file into a folder",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description = "Each record becomes a file named by its id, .bin or (with --json) .json; dat.json keeps the header and the records' "
                   "attributes. 'acphys dat pack' is the inverse.",
    .examples = "acphys dat extract --out cell client_cell_1.dat\tall of it, as bytes",
    ACP_COMMAND_OPTIONS(extract_options),
    .run = run_extract,
};

/* ---- pack ---- */

typedef struct member {
    uint32_t id;
    bool is_json;
    char name[16]; /* as the folder has it: either case of digits */
} member;

typedef struct packer {
    const acp_command_line *line;
    const char *folder;
    member *members;
    uint32_t count;
    uint32_t capacity;
    uint32_t ignored_count;             /* files of other names */
    acp_json_reader description_memory; /* of dat.json */
    const acp_json *description;
    char *description_text;
    const acp_json *attributes; /* next record of dat.json: both lists ascend */
    acp_dat_edit *edit;
} packer;

static int compare_members(const void *a, const void *b) {
    const member *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id ? 1 : (int)x->is_json - (int)y->is_json;
}

/* Members of the folder, ascending; a record that is there twice is a fault. */
static acp_result list_members(packer *p, acp_error *error) {
    DIR *directory = opendir(p->folder);
    if (!directory) return acp_error_set_errno(error, "open", p->folder);
    acp_result result = ACP_OK;
    const struct dirent *item;
    while (result == ACP_OK && (item = readdir(directory)) != NULL) {
        size_t length = strlen(item->d_name);
        uint32_t id = 0;
        const char *end = item->d_name + (length < 8 ? length : 8);
        bool is_json = strcmp(end, ".json") == 0;
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0 || strcmp(item->d_name, "dat.json") == 0) continue;
        if (strspn(item->d_name, "0123456789abcdefABCDEF") != 8 || (!is_json && strcmp(end, ".bin") != 0)) {
            p->ignored_count++;
            continue;
        }
        (void)tool_dat_parse_id(item->d_name, &id, &end);
        if (p->count == p->capacity) {
            uint32_t capacity = p->capacity ? 2u * p->capacity : 256u;
            member *members = realloc(p->members, capacity * sizeof *members);
            if (!members) {
                result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "pack", "out of memory");
                break;
            }
            p->members = members;
            p->capacity = capacity;
        }
        member *added = &p->members[p->count++];
        *added = (member){.id = id, .is_json = is_json};
        memcpy(added->name, item->d_name, length + 1);
    }
    (void)closedir(directory);
    if (p->count > 1) qsort(p->members, p->count, sizeof *p->members, compare_members);
    for (uint32_t i = 1; i < p->count && result == ACP_OK; i++)
        if (p->members[i].id == p->members[i - 1].id) {
            result = acp_error_set(error, ACP_ERROR_DUPLICATE, "pack", "the record is there twice: %s and %s", p->members[i - 1].name,
                                   p->members[i].name);
            acp_error_set_file(error, p->folder);
            acp_error_set_place(error, p->members[i].id, UINT64_MAX, NULL);
        }
    return result;
}

/* A whole file; null and the error when it cannot be had. */
static uint8_t *read_file(const char *path, size_t *out_size, acp_error *error) {
    FILE *stream = fopen(path, "rb");
    struct stat status;
    if (!stream || fstat(fileno(stream), &status) != 0) {
        (void)acp_error_set_errno(error, "open", path);
        if (stream) (void)fclose(stream);
        return NULL;
    }
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = status.st_size > (off_t)MEMBER_LIMIT ? NULL : malloc(size + 1);
    if (!bytes)
        (void)acp_error_set(error, status.st_size > (off_t)MEMBER_LIMIT ? ACP_ERROR_LIMIT : ACP_ERROR_OUT_OF_MEMORY, "pack",
                            "the file is too large");
    else if (fread(bytes, 1, size, stream) != size) {
        (void)acp_error_set_errno(error, "read", path);
        free(bytes);
        bytes = NULL;
    }
    (void)fclose(stream);
    if (!bytes) acp_error_set_file(error, path);
    *out_size = size;
    return bytes;
}

static acp_result read_description(packer *p, acp_error *error) {
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/dat.json", p->folder);
    if (access(path, F_OK) != 0) return ACP_OK;
    size_t size;
    p->description_text = (char *)read_file(path, &size, error);
    if (!p->description_text) return error->code;
    acp_json_fault fault;
    p->description = acp_json_read(&p->description_memory, p->description_text, size, &fault);
    if (!p->description || !acp_json_is_text(acp_json_member(p->description, "schema"), "acphys.dat.folder.1")) {
        acp_error_set(error, ACP_ERROR_BAD_DATA, "pack", "%s", p->description ? "not of schema acphys.dat.folder.1" : fault.message);
        acp_error_set_file(error, path);
        return ACP_ERROR_BAD_DATA;
    }
    const acp_json *records = acp_json_member(p->description, "records");
    if (records && records->type != ACP_JSON_ARRAY) {
        acp_error_set(error, ACP_ERROR_BAD_DATA, "pack", "must be a list");
        acp_error_set_file(error, path);
        acp_error_set_place(error, 0, UINT64_MAX, "records");
        return ACP_ERROR_BAD_DATA;
    }
    p->attributes = records ? records->first : NULL;
    return ACP_OK;
}

static acp_result begin_edit(packer *p, const acp_dat *base, acp_error *error) {
    if (base) return acp_dat_edit_open(base, NULL, &p->edit, error);
    const char *name = acp_command_text(p->line, "data-set");
    acp_json_input in = {ACP_OK, error};
    uint32_t data_set = strcmp(name, "portal") == 0 ? ACP_DAT_PORTAL : strcmp(name, "local") == 0 ? ACP_DAT_LOCAL : ACP_DAT_CELL;
    if (!acp_command_is_given(p->line, "data-set")) data_set = acp_json_get_uint32_or(&in, p->description, "data_set", data_set);
    acp_dat_create_options options = acp_dat_create_options_default(data_set);
    options.data_subset = acp_json_get_uint32_or(&in, p->description, "data_subset", options.data_subset);
    options.block_size = acp_json_get_uint32_or(&in, p->description, "block_size", options.block_size);
    options.master_map_id = acp_json_get_id_or(&in, p->description, "master_map_id", options.master_map_id);
    options.engine_version = acp_json_get_int32_or(&in, p->description, "engine_version", options.engine_version);
    options.game_version = acp_json_get_int32_or(&in, p->description, "game_version", options.game_version);
    options.minor_version = acp_json_get_uint32_or(&in, p->description, "minor_version", options.minor_version);
    if (options.block_size >= 16u) options.block_count = 0x100000u / options.block_size;
    if (data_set < ACP_DAT_PORTAL || data_set > ACP_DAT_LOCAL)
        (void)acp_json_fail(&in, ACP_ERROR_BAD_DATA, "data_set", "must be 1 (portal), 2 (cell) or 3 (local)");
    acp_result result = in.result;
    if (result == ACP_OK) result = acp_dat_edit_create(&options, NULL, &p->edit, error);
    if (result == ACP_OK || result == ACP_ERROR_OUT_OF_MEMORY || !p->description) return result;
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/dat.json", p->folder); /* where the refused values come from */
    acp_error_set_file(error, path);
    error->code = ACP_ERROR_BAD_DATA;
    return ACP_ERROR_BAD_DATA;
}

/* What dat.json says of a record. */
static acp_dat_put_options attributes_of(packer *p, uint32_t id, acp_json_input *in) {
    acp_dat_put_options put = acp_dat_put_options_default();
    if (id == ACP_DAT_ITERATION_ID) put.version = 1;
    while (p->attributes && !acp_json_is_failed(in)) {
        uint32_t length = 0, own = 0;
        const char *end, *text = acp_json_get_string(in, p->attributes, "record", &length);
        char name[16] = {0};
        if (text && length < sizeof name) memcpy(name, text, length);
        if (!tool_dat_parse_id(name, &own, &end) || *end != '\0')
            (void)acp_json_fail(in, ACP_ERROR_BAD_DATA, "record", "an id of eight hexadecimal digits is wanted");
        if (own > id) break;
        const acp_json *entry = p->attributes;
        p->attributes = entry->next;
        if (own != id) continue;
        put.version = acp_json_get_uint32_or(in, entry, "version", put.version);
        put.date = acp_json_get_int32_or(in, entry, "date", 0);
        put.iteration = acp_json_get_int32_or(in, entry, "iteration", 1);
        if (acp_json_get_flag_or(in, entry, "compressed", false)) put.storage = ACP_DAT_STORE_COMPRESSED;
        break;
    }
    return put;
}

static acp_result put_json(packer *p, uint32_t id, const uint8_t *text, size_t size, const acp_dat_put_options *put, acp_error *error) {
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_record record;
    const acp_json *json = acp_json_read(&reader, (const char *)text, size, &fault);
    acp_result result = ACP_ERROR_BAD_DATA;
    if (!json) {
        acp_error_set(error, result, "pack", "%s", fault.message);
        acp_error_set_place(error, id, fault.offset, "json");
    } else
        result = acp_record_read_json(json, &reader, NULL, &record, error);
    if (result == ACP_OK) {
        acp_writer writer;
        acp_writer_init(&writer, NULL);
        result = acp_record_encode(&record, &writer, error);
        if (result == ACP_OK) result = acp_dat_edit_put(p->edit, id, writer.bytes, (uint32_t)writer.size, put, error);
        acp_writer_free(&writer);
        acp_record_free(&record);
    }
    acp_json_reader_free(&reader);
    return result;
}

static acp_result put_member(packer *p, const member *m, acp_error *error) {
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/%s", p->folder, m->name);
    size_t size;
    acp_json_input in = {ACP_OK, error};
    acp_dat_put_options put = attributes_of(p, m->id, &in);
    if (acp_json_is_failed(&in)) return in.result;
    uint8_t *bytes = read_file(path, &size, error);
    if (!bytes) return error->code;
    acp_result result =
        m->is_json ? put_json(p, m->id, bytes, size, &put, error) : acp_dat_edit_put(p->edit, m->id, bytes, (uint32_t)size, &put, error);
    free(bytes);
    if (result) {
        acp_error_set_file(error, path);
        error->record_id = m->id;
    }
    return result;
}

static int run_pack(acp_command_line *line) {
    const char *out = acp_command_text(line, "out"), *base_path = acp_command_text(line, "base");
    if (strlen(line->operands[0]) > 4096) return acp_command_usage(line, "the folder's name is too long");
    if (!acp_command_flag(line, "force") && access(out, F_OK) == 0)
        return acp_command_usage(line, "%s is there already; --force replaces it", out);
    packer p;
    memset(&p, 0, sizeof p);
    p.line = line;
    p.folder = line->operands[0];
    acp_error error;
    acp_dat *base = NULL;
    acp_result result = list_members(&p, &error);
    if (result == ACP_OK) result = read_description(&p, &error);
    if (result == ACP_OK && base_path) result = acp_dat_open(base_path, NULL, NULL, &base, &error);
    if (result == ACP_OK) result = begin_edit(&p, base, &error);
    for (uint32_t i = 0; i < p.count && result == ACP_OK; i++) {
        result = put_member(&p, &p.members[i], &error);
        acp_command_progress(line, "packing", i + 1u, p.count);
    }
    if (result == ACP_OK) result = tool_dat_commit(line, p.edit, out, &error);
    acp_dat_edit_destroy(p.edit);
    acp_dat_close(base);
    acp_json_reader_free(&p.description_memory);
    free(p.description_text);
    free(p.members);
    acp_command_progress_end(line);
    if (result) return acp_command_fail(line, &error);
    (void)printf("%s: %" PRIu32 " records put\n", out, p.count);
    if (p.ignored_count)
        acp_command_note(line, "%" PRIu32 " other files of %s left out: their names are not <8 hexadecimal digits>.bin or .json",
                         p.ignored_count, p.folder);
    return acp_command_finish(line, ACP_EXIT_OK);
}

static const acp_option pack_options[] = {
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_FILE, .argument = "FILE", .fallback = "packed.dat", .help = "the DAT to write"},
    {.name = "base", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "start from this DAT: a patch"},
    {.name = "data-set",
     .kind = ACP_OPTION_CHOICE,
     .argument = "SET",
     .choices = "portal|cell|local",
     .fallback = "cell",
     .help = "what to make when dat.json does not say"},
    {.name = "force", .letter = 'f', .help = "replace the DAT when it is there already"},
};

const acp_command acp_command_dat_pack = {
    .name = "pack",
    .summary = "make a DAT file of a folder of records",
    .operands = "DIR",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_DIRECTORY,
    .description =
        "Every file of DIR named <8 hexadecimal digits>.bin (bytes) or .json (as 'acphys dat cat' prints) becomes a record. "
        "dat.json, if there, gives the header and the records' attributes. With --base the records are put into a copy of that DAT.",
    .examples = "acphys dat pack --out new.dat --base client_portal.dat changes\ta patched copy",
    ACP_COMMAND_OPTIONS(pack_options),
    .run = run_pack,
};
