/* SPDX-License-Identifier: MIT */
/* Verification of a whole container: more than opening asks for (DAT-07 to DAT-09, DAT-16, DAT-17, DAT-29, DAT-40).
 *
 * Opening has vouched for the directory. Here every record is read to its last byte (which follows its chain and inflates it), its first
 * word is compared with its key and its content decoded; the free list is walked; and the extents of all blocks, of nodes, records and
 * free list, are sorted and compared, which finds blocks owned twice, overlapping ones and space that nobody owns.
 *
 * Contract: faults are told one by one through the callback and do not end the walk; the file's own damage never becomes an error of the
 * call. Work is bounded by the file: chains by their records' sizes, which are at most the file's, and the sum of all by four times the
 * file; records that together claim twice the file's bytes share blocks, and the rest of them is not read. Limits: memory 8 bytes a block.
 * Cost: about 1 GB/s on plain records. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "dat/container.h"
#include "dat/format.h"
#include "dat/iterations.h"
#include "dat/record.h"

/* A block and who owns it: offset in the upper half, so that sorting is by place. */
enum { OWNER_DIRECTORY = 0, OWNER_FREE = 1 }; /* records: their id, which is neither */

typedef struct verification {
    const acp_dat *dat;
    acp_dat_verify_options options;
    acp_dat_verify_report report;
    ACP_ARRAY(uint64_t) blocks;
    uint64_t block_limit;
    acp_dat_record record;
} verification;

acp_dat_verify_options acp_dat_verify_options_default(void) {
    acp_dat_verify_options options = {sizeof(acp_dat_verify_options), 0, 0, 0, NULL, NULL, NULL};
    return options;
}

static void tell(verification *v, bool is_remark, acp_error *fault) {
    if (is_remark)
        v->report.remark_count++;
    else
        v->report.fault_count++;
    acp_error_set_file(fault, v->dat->name);
    if (v->options.on_fault) v->options.on_fault(v->options.user, is_remark, fault);
}

static void tell_simply(verification *v, bool is_remark, uint32_t id, uint64_t offset, const char *field, const char *message) {
    acp_error fault;
    acp_error_set(&fault, ACP_ERROR_BAD_DATA, "verify", "%s", message);
    acp_error_set_place(&fault, id, offset, field);
    tell(v, is_remark, &fault);
}

static void tell_header(verification *v) {
    static const struct {
        uint32_t remark;
        uint32_t offset;
        const char *field;
        const char *message;
    } rows[] = {
        {ACP_DAT_REMARK_FILE_SIZE, 0x148, "header.file_size", "the stated file size is not the file's"},
        {ACP_DAT_REMARK_INTERRUPTED_UPDATE, 0x100, "journal.type", "interrupted update: the journal holds a pending operation"},
        {ACP_DAT_REMARK_DATA_SET, 0x14C, "header.data_set", "neither portal, cell nor local"},
        {ACP_DAT_REMARK_GAME_VERSION, 0x178, "header.game_pack_version",
         "the retail client refuses a portal file whose game version is not 0"},
        {ACP_DAT_REMARK_UNEVEN_TREE, 0x160, "node.entry_count", "a node outside 30 to 61 entries, or leaves at different depths"},
        {ACP_DAT_REMARK_LEAF_MARK, 0x160, "node.child", "a leaf marked with 0xCDCDCDCD, which the retail client does not read"},
        {ACP_DAT_REMARK_NO_ITERATIONS, 0x160, "node.entry", "no iteration record 0xFFFF0001"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (v->dat->info.remarks & rows[i].remark) tell_simply(v, true, 0, rows[i].offset, rows[i].field, rows[i].message);
}

/* Notes the blocks of a sound chain. The sum is bounded: chains that share blocks could otherwise be walked without end. */
static acp_result note_chain(verification *v, uint32_t offset, uint32_t count, uint32_t owner) {
    if (v->blocks.count + (uint64_t)count > v->block_limit) return ACP_OK;
    if (ACP_ARRAY_RESERVE(&v->blocks, &v->dat->allocator, (uint64_t)v->blocks.count + count)) return ACP_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        ACP_ARRAY_ADD(&v->blocks, (uint64_t)offset << 32 | owner);
        offset = acp_dat_get_u32(v->dat->blocks.bytes + offset) & ~ACP_DAT_FREE_BIT;
    }
    return ACP_OK;
}

static acp_result note_nodes(verification *v) {
    uint32_t count = acp_dat_block_count(ACP_DAT_NODE_SIZE, v->dat->info.block_size);
    for (uint32_t i = 0; i < v->dat->directory.nodes.count; i++)
        if (note_chain(v, v->dat->directory.nodes.items[i], count, OWNER_DIRECTORY)) return ACP_ERROR_OUT_OF_MEMORY;
    v->report.node_blocks = v->blocks.count;
    return ACP_OK;
}

static void check_iterations(verification *v) {
    acp_dat_iterations found;
    acp_error fault;
    if (acp_dat_iterations_decode(v->record.bytes, v->record.size, &found, &fault))
        tell(v, false, &fault);
    else if (found.run_count != 1 || found.first != 1)
        tell_simply(v, true, ACP_DAT_ITERATION_ID, 4, "run", "not a single run from 1: two other readers refuse it");
}

static void on_remark(void *user, const acp_error *remark) {
    acp_error copy = *remark;
    tell(user, true, &copy);
}

static acp_result check_content(verification *v, const acp_dat_entry *entry) {
    if (entry->id == ACP_DAT_ITERATION_ID) {
        check_iterations(v);
        return ACP_OK;
    }
    if (v->record.size < 4)
        tell_simply(v, true, entry->id, 0, "id", "a record of less than four bytes holds no id");
    else if (acp_dat_get_u32(v->record.bytes) != entry->id)
        tell_simply(v, true, entry->id, 0, "id", "the record's first word is not its key");
    acp_record_kind kind = acp_record_kind_of(v->dat->info.data_set, entry->id);
    if (kind == ACP_RECORD_OTHER || v->options.is_container_only) return ACP_OK;
    acp_record record;
    acp_error fault;
    acp_record_decode_options options = {v->options.is_strict ? ACP_CONTENT_STRICT : ACP_CONTENT_LENIENT, on_remark, v, entry->id};
    acp_result result = acp_record_decode(kind, v->record.bytes, v->record.size, &options, &v->dat->allocator, &record, &fault);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
    if (result) tell(v, false, &fault);
    acp_record_free(&record);
    return ACP_OK;
}

static acp_result check_records(verification *v) {
    uint32_t total = v->dat->directory.entries.count;
    uint64_t budget = v->dat->blocks.size * 2u; /* of stored bytes: records that do not share blocks take less than the file */
    for (uint32_t i = 0; i < total; i++) {
        const acp_dat_entry *entry = &v->dat->directory.entries.items[i];
        acp_error fault;
        v->report.record_count++;
        if (acp_progress_tick(v->options.progress, "verifying", i + 1u, total, 256)) return ACP_ERROR_CANCELLED;
        if (entry->version == 0)
            tell_simply(v, true, entry->id, UINT64_MAX, "entry.version", "version 0: the retail client does not decode it");
        if (entry->stored_size <= v->dat->blocks.size && entry->stored_size > budget) {
            tell_simply(v, false, entry->id, UINT64_MAX, "entry.size",
                        "the records claim twice the file's bytes: this one and those after it are not read");
            break;
        }
        if (entry->stored_size <= v->dat->blocks.size) budget -= entry->stored_size;
        acp_result result = acp_dat_read_entry(v->dat, entry, &v->record, &fault);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result) {
            tell(v, false, &fault);
            continue;
        }
        v->report.record_bytes += v->record.size;
        if (check_content(v, entry)) return ACP_ERROR_OUT_OF_MEMORY;
        uint32_t count = acp_dat_block_count(entry->stored_size, v->dat->info.block_size);
        v->report.record_blocks += count;
        if (note_chain(v, entry->offset, count, entry->id)) return ACP_ERROR_OUT_OF_MEMORY;
    }
    return ACP_OK;
}

/* DAT-09. */
static acp_result check_free_list(verification *v) {
    const acp_dat_info *info = &v->dat->info;
    uint32_t offset = info->first_free, last = 0;
    for (uint32_t i = 0; i < info->free_count; i++) {
        uint64_t at = i == 0 ? ACP_DAT_INFO_OFFSET + 0x14u : last;
        if (offset == 0 || (uint64_t)offset + 4u > v->dat->blocks.size) {
            tell_simply(v, false, 0, at, "free_list.link", "the free list leaves the file or ends before free_count");
            return ACP_OK;
        }
        uint32_t link = acp_dat_get_u32(v->dat->blocks.bytes + offset);
        if (!(link & ACP_DAT_FREE_BIT)) {
            tell_simply(v, false, 0, offset, "free_list.link", "a block of the free list is not tagged as free");
            return ACP_OK;
        }
        if (note_chain(v, offset, 1, OWNER_FREE)) return ACP_ERROR_OUT_OF_MEMORY;
        v->report.free_blocks++;
        last = offset;
        offset = link & ~ACP_DAT_FREE_BIT;
        if (v->report.free_blocks > v->block_limit) break;
    }
    if (info->free_count == 0)
        tell_simply(v, true, 0, ACP_DAT_INFO_OFFSET + 0x1Cu, "header.free_count", "no free block: the retail client keeps at least one");
    else if (offset != 0 || last != info->last_free)
        tell_simply(v, false, 0, ACP_DAT_INFO_OFFSET + 0x18u, "header.last_free", "the free list does not end at last_free");
    return ACP_OK;
}

static int compare_blocks(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* Blocks that share bytes, and bytes that belong to none. */
static void check_extents(verification *v) {
    uint32_t block_size = v->dat->info.block_size, told = 0;
    if (v->blocks.count > 0) qsort(v->blocks.items, v->blocks.count, sizeof v->blocks.items[0], compare_blocks);
    uint64_t end = ACP_DAT_HEADER_SIZE;
    for (uint32_t i = 0; i < v->blocks.count; i++) {
        uint64_t offset = v->blocks.items[i] >> 32;
        uint32_t owner = (uint32_t)v->blocks.items[i];
        if (offset < end && told++ < 100)
            tell_simply(v, false, owner > OWNER_FREE ? owner : 0, offset, "block",
                        i == 0 ? "a block overlaps the header" : "a block overlaps the one before it");
        if (offset > end && i > 0) v->report.lost_bytes += offset - end;
        if (offset + block_size > end) end = offset + block_size;
    }
    if (v->dat->blocks.size > end) v->report.lost_bytes += v->dat->blocks.size - end;
    if (v->report.lost_bytes > 0) {
        acp_error fault;
        acp_error_set(&fault, ACP_ERROR_BAD_DATA, "verify", "%llu bytes belong to no record, node or free block",
                      (unsigned long long)v->report.lost_bytes);
        acp_error_set_place(&fault, 0, UINT64_MAX, "block");
        tell(v, true, &fault);
    }
}

acp_result acp_dat_verify(const acp_dat *dat, const acp_dat_verify_options *options, acp_dat_verify_report *out_report, acp_error *error) {
    if (!dat || !out_report) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "verify", "null argument");
    verification v;
    memset(&v, 0, sizeof v);
    v.dat = dat;
    v.options = acp_dat_verify_options_default();
    if (options) memcpy(&v.options, options, options->struct_size < sizeof v.options ? options->struct_size : sizeof v.options);
    v.block_limit = dat->blocks.size / dat->info.block_size * 4u + 1024u;
    tell_header(&v);
    acp_result result = note_nodes(&v);
    if (result == ACP_OK) result = check_records(&v);
    if (result == ACP_OK) result = check_free_list(&v);
    if (result == ACP_OK) check_extents(&v);
    acp_dat_record_release(&v.record);
    ACP_ARRAY_FREE(&v.blocks, &dat->allocator);
    if (result == ACP_ERROR_OUT_OF_MEMORY) (void)acp_error_set(error, result, "verify", "memory for the list of blocks refused");
    if (result == ACP_ERROR_CANCELLED) (void)acp_error_set(error, result, "verify", "stopped by the caller");
    if (result == ACP_OK) *out_report = v.report;
    return result;
}
