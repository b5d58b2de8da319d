/* SPDX-License-Identifier: MIT */
/* An open container: map, check, index; then find, iterate, read (spec 02 §2-5, §7).
 *
 * Opening maps the file, checks the header, and reads the whole directory into one sorted array (directory.c). After that the object
 * never changes, so any number of threads may read at once; what a reader needs of its own lives in its acp_dat_record. A record that
 * lies in one block is handed out in place, a longer or compressed one is gathered into the record's buffer, which is kept from read to
 * read. A damaged record is an error of its own read and hides no other (DAT-31).
 *
 * What is checked when: opening checks the header and every node of the directory (its chain, entry count, ascending keys within the
 * bounds of its parent, depth, no node twice); reading a record checks its chain, size and inflation; decoding checks its fields; verify
 * (verify.c) checks all of these for all records, and that no two blocks overlap. Nothing is believed before.
 *
 * Limits: offsets below 2 GiB (DAT-29 j); compressed records by the caps of DAT-16. Cost: open about 100 ns a record (directory.c); find
 * about 60 ns; a read in place nothing more, a gathered one a copy. */
#include "dat/container.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dat/compression.h"
#include "dat/format.h"
#include "dat/header.h"

acp_dat_open_options acp_dat_open_options_default(void) {
    acp_dat_open_options options = {sizeof(acp_dat_open_options), 0};
    return options;
}

/* Takes over `view` on success and on failure. */
static acp_result open_view(acp_file_view *view, const char *name, const acp_allocator *allocator, acp_dat **out_dat, acp_error *error) {
    acp_allocator memory = acp_memory_allocator(allocator);
    size_t name_size = strlen(name) + 1;
    acp_dat *dat = ACP_MEMORY_NEW(&memory, acp_dat);
    char *name_copy = acp_memory_allocate(&memory, name_size, 1);
    acp_result result = ACP_OK;
    if (!dat || !name_copy)
        result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat open", "memory for the container refused");
    else {
        memcpy(name_copy, name, name_size);
        dat->allocator = memory;
        dat->view = *view;
        dat->name = name_copy;
        result = acp_dat_header_decode(view->bytes, view->size, &dat->info, error);
    }
    if (result == ACP_OK) {
        dat->blocks.bytes = view->bytes;
        dat->blocks.size = view->size;
        dat->blocks.block_size = dat->info.block_size;
        result = acp_dat_directory_read(&dat->blocks, view->is_open ? view : NULL, dat->info.root, &dat->allocator, &dat->directory, error);
    }
    if (result != ACP_OK) {
        acp_error_set_file(error, name);
        acp_file_view_close(view);
        if (name_copy) acp_memory_free(&memory, name_copy, name_size, 1);
        ACP_MEMORY_DELETE(&memory, acp_dat, dat);
        return result;
    }
    acp_file_view_end_reading(&dat->view);
    dat->info.record_count = dat->directory.entries.count;
    dat->info.node_count = dat->directory.nodes.count;
    dat->info.tree_depth = dat->directory.depth;
    dat->info.remarks |= dat->directory.remarks;
    if (!acp_dat_find(dat, ACP_DAT_ITERATION_ID)) dat->info.remarks |= ACP_DAT_REMARK_NO_ITERATIONS;
    *out_dat = dat;
    return ACP_OK;
}

acp_result acp_dat_open(const char *path, const acp_dat_open_options *options, const acp_allocator *allocator, acp_dat **out_dat,
                        acp_error *error) {
    if (!path || !out_dat) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat open", "null argument");
    bool is_read_to_memory = false;
    if (options && options->struct_size >= offsetof(acp_dat_open_options, is_read_to_memory) + sizeof options->is_read_to_memory)
        is_read_to_memory = options->is_read_to_memory != 0;
    acp_file_view view;
    acp_result result = acp_file_view_open(path, is_read_to_memory, allocator, &view, error);
    if (result) return result;
    return open_view(&view, path, allocator, out_dat, error);
}

acp_result acp_dat_open_memory(const void *bytes, uint64_t size, const char *name, const acp_allocator *allocator, acp_dat **out_dat,
                               acp_error *error) {
    if ((!bytes && size > 0) || !out_dat || size > SIZE_MAX)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat open", "null argument");
    acp_file_view view;
    memset(&view, 0, sizeof view);
    view.bytes = bytes;
    view.size = size;
    view.is_borrowed = true;
    return open_view(&view, name ? name : "(memory)", allocator, out_dat, error);
}

void acp_dat_close(acp_dat *dat) {
    if (!dat) return;
    acp_allocator memory = dat->allocator;
    acp_dat_directory_free(&dat->directory, &memory);
    acp_file_view_close(&dat->view);
    acp_memory_free(&memory, dat->name, strlen(dat->name) + 1, 1);
    ACP_MEMORY_DELETE(&memory, acp_dat, dat);
}

void acp_dat_get_info(const acp_dat *dat, acp_dat_info *out_info) { *out_info = dat->info; }

const char *acp_dat_name(const acp_dat *dat) { return dat->name; }

const acp_dat_entry *acp_dat_entry_at(const acp_dat *dat, uint32_t index) {
    return index < dat->directory.entries.count ? &dat->directory.entries.items[index] : NULL;
}

uint32_t acp_dat_lower_bound(const acp_dat *dat, uint32_t id) {
    uint32_t low = 0, high = dat->directory.entries.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2u;
        if (dat->directory.entries.items[middle].id < id)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

const acp_dat_entry *acp_dat_find(const acp_dat *dat, uint32_t id) {
    const acp_dat_entry *entry = acp_dat_entry_at(dat, acp_dat_lower_bound(dat, id));
    return entry && entry->id == id ? entry : NULL;
}

/* Names file and record in an error of a read; the offset stays. */
static acp_result name_record(const acp_dat *dat, uint32_t id, acp_result result, acp_error *error) {
    if (error) error->record_id = id;
    acp_error_set_file(error, dat->name);
    return result;
}

/* Room for `size` bytes in the record's buffer. */
static acp_result reserve(const acp_dat *dat, acp_dat_record *record, uint64_t size, acp_error *error) {
    if (size <= record->capacity) return ACP_OK;
    acp_dat_record_release(record);
    uint64_t capacity = size < 1024u ? 1024u : size;
    record->allocator = dat->allocator;
    record->buffer = acp_memory_allocate(&record->allocator, (size_t)capacity, 16);
    if (!record->buffer)
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat read", "%llu bytes refused", (unsigned long long)capacity);
    record->capacity = capacity;
    return ACP_OK;
}

/* The stored bytes: in place, or gathered into the buffer at `skip`. */
static acp_result get_stored(const acp_dat *dat, const acp_dat_entry *entry, uint64_t skip, acp_dat_record *record,
                             const uint8_t **out_bytes, acp_error *error) {
    if (entry->stored_size > dat->blocks.size) {
        acp_error_set(error, ACP_ERROR_BAD_DATA, "dat read", "the record claims %u bytes of a file of %llu", (unsigned)entry->stored_size,
                      (unsigned long long)dat->blocks.size);
        acp_error_set_place(error, entry->id, UINT64_MAX, "entry.size");
        return ACP_ERROR_BAD_DATA;
    }
    acp_result result;
    *out_bytes = acp_dat_chain_in_place(&dat->blocks, entry->offset, entry->stored_size, &result, error);
    if (*out_bytes || result) return result;
    result = reserve(dat, record, skip + entry->stored_size, error);
    if (result) return result;
    result = acp_dat_chain_read(&dat->blocks, entry->offset, entry->stored_size, record->buffer + skip, error);
    *out_bytes = record->buffer + skip;
    return result;
}

static void forget(acp_dat_record *record) {
    record->bytes = NULL;
    record->size = 0;
    memset(&record->entry, 0, sizeof record->entry);
}

acp_result acp_dat_read_stored(const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record, acp_error *error) {
    if (!dat || !entry || !record) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat read", "null argument");
    forget(record);
    const uint8_t *bytes;
    acp_result result = get_stored(dat, entry, 0, record, &bytes, error);
    if (result) return name_record(dat, entry->id, result, error);
    record->bytes = bytes;
    record->size = entry->stored_size;
    record->entry = *entry;
    return ACP_OK;
}

/* A compressed record of one block inflates from the file; a longer one is gathered behind the place for its content. */
static acp_result read_compressed(const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record, acp_error *error) {
    uint32_t size = 0;
    if (entry->stored_size >= 4u && (uint64_t)entry->offset + 8u <= dat->blocks.size)
        size = acp_dat_get_u32(dat->blocks.bytes + entry->offset + 4u);
    acp_result result = acp_dat_check_inflated_size(size, entry->stored_size, error);
    if (result == ACP_OK) result = reserve(dat, record, (uint64_t)size + entry->stored_size, error);
    const uint8_t *stored = NULL;
    if (result == ACP_OK) result = get_stored(dat, entry, size, record, &stored, error);
    if (result == ACP_OK) result = acp_dat_inflate(stored, entry->stored_size, record->buffer, size, &dat->allocator, error);
    if (result) return result;
    record->bytes = record->buffer;
    record->size = size;
    return ACP_OK;
}

acp_result acp_dat_read_entry(const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record, acp_error *error) {
    if (!dat || !entry || !record) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat read", "null argument");
    if (!(entry->flags & ACP_DAT_ENTRY_COMPRESSED)) return acp_dat_read_stored(dat, entry, record, error);
    forget(record);
    acp_result result = read_compressed(dat, entry, record, error);
    if (result) return name_record(dat, entry->id, result, error);
    record->entry = *entry;
    return ACP_OK;
}

acp_result acp_dat_read(const acp_dat *dat, uint32_t id, acp_dat_record *record, acp_error *error) {
    if (!dat || !record) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat read", "null argument");
    const acp_dat_entry *entry = acp_dat_find(dat, id);
    if (entry) return acp_dat_read_entry(dat, entry, record, error);
    forget(record);
    acp_error_set(error, ACP_ERROR_NOT_FOUND, "dat read", "no such record");
    return name_record(dat, id, ACP_ERROR_NOT_FOUND, error);
}

void acp_dat_record_release(acp_dat_record *record) {
    forget(record);
    if (record->buffer) acp_memory_free(&record->allocator, record->buffer, (size_t)record->capacity, 16);
    record->buffer = NULL;
    record->capacity = 0;
}
