/* SPDX-License-Identifier: MIT */
/* Edits of a container: the public face over image, block store and tree (spec 02 §6).
 *
 * Every change is an operation on the image with a mark before and a restore after a failure, so the edit is always whole: refused memory
 * in the middle of a split leaves no half of it. Nothing touches a file before commit, which writes the image to a temporary file in one
 * pass, the header composed on the way, and renames it. The journal of such a file is idle (DAT-28): there is no moment at which a reader
 * could meet a pending operation.
 *
 * Contract: records keep retail's placing (DAT-20 to DAT-26), so the files are those that the client would make of the same operations.
 * Unlike the client, put replaces a record whatever the iterations say (DIV-60). Limits: 2 GiB a file, 61^6 records. Cost: one to three
 * microseconds and a copy of the data a record; commit is the disk's. */
#include "dat/edit.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "dat/compression.h"
#include "dat/container.h"
#include "dat/file.h"
#include "dat/header.h"
#include "dat/iterations.h"

acp_dat_create_options acp_dat_create_options_default(uint32_t data_set) {
    acp_dat_create_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.data_set = data_set;
    options.data_subset = data_set == ACP_DAT_PORTAL ? 0u : 1u;
    options.block_size = data_set == ACP_DAT_CELL ? 256u : 1024u;
    options.block_count = ACP_DAT_GROWTH / options.block_size;
    options.reserve_blocks = 51;
    options.engine_version = data_set == ACP_DAT_CELL ? 22 : 110;
    options.minor_version = 6657;
    options.iteration = 1;
    return options;
}

acp_dat_put_options acp_dat_put_options_default(void) {
    acp_dat_put_options options = {sizeof(acp_dat_put_options), ACP_DAT_STORE_PLAIN, 2, 0, 1};
    return options;
}

acp_dat_commit_options acp_dat_commit_options_default(void) {
    acp_dat_commit_options options = {sizeof(acp_dat_commit_options), 0, NULL, NULL};
    return options;
}

/* Copies the caller's options over the defaults; an older, shorter struct leaves its tail at them. */
static void take_options(void *defaults, size_t size, const void *given, uint32_t given_size) {
    memcpy(defaults, given, given_size < size ? given_size : size);
}

static acp_result invalid(acp_error *error, const char *field, const char *message) {
    acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat edit", "%s", message);
    acp_error_set_place(error, 0, UINT64_MAX, field);
    return ACP_ERROR_INVALID_ARGUMENT;
}

static acp_result out_of_memory(acp_error *error) { return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat edit", "memory refused"); }

/* Links all blocks of the empty file into its free list (DAT-19). */
static acp_result link_blocks(acp_dat_edit *edit, uint32_t count) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        uint32_t offset = ACP_DAT_DATA_OFFSET + i * edit->info.block_size;
        uint8_t link[4];
        acp_dat_put_u32(link, ACP_DAT_FREE_BIT | (i + 1 < count ? offset + edit->info.block_size : 0u));
        result = acp_dat_image_write(&edit->image, offset, link, 4, false);
    }
    edit->info.first_free = ACP_DAT_DATA_OFFSET;
    edit->info.last_free = ACP_DAT_DATA_OFFSET + (count - 1u) * edit->info.block_size;
    edit->info.free_count = count;
    return result;
}

static acp_result put_iterations(acp_dat_edit *edit, const acp_dat_create_options *options, acp_error *error) {
    uint8_t bytes[ACP_DAT_ITERATIONS_SIZE];
    acp_dat_iterations_encode(options->iteration, bytes);
    acp_dat_put_options put = acp_dat_put_options_default();
    put.version = 1;
    put.date = options->date;
    return acp_dat_edit_put(edit, ACP_DAT_ITERATION_ID, bytes, sizeof bytes, &put, error);
}

static acp_result check_create(const acp_dat_create_options *o, acp_error *error) {
    if (o->block_size < ACP_DAT_MIN_BLOCK_SIZE || o->block_size > ACP_DAT_MAX_BLOCK_SIZE || o->block_size % 4u != 0)
        return invalid(error, "block_size", "a block has 16 to 65536 bytes, a multiple of 4");
    if (o->block_count == 0 || ACP_DAT_DATA_OFFSET + (uint64_t)o->block_count * o->block_size > ACP_DAT_OFFSET_LIMIT)
        return invalid(error, "block_count", "an empty container has at least one block and at most 2 GiB");
    if (o->iteration < 1 || (uint32_t)o->iteration > ACP_DAT_MAX_ITERATIONS)
        return invalid(error, "iteration", "iterations run from 1 to 100000");
    if (o->reserve_blocks > 1u << 20) return invalid(error, "reserve_blocks", "at most 1048576");
    if (o->growth_blocks > 1u << 20) return invalid(error, "growth_blocks", "at most 1048576");
    return ACP_OK;
}

acp_result acp_dat_edit_create(const acp_dat_create_options *options, const acp_allocator *allocator, acp_dat_edit **out_edit,
                               acp_error *error) {
    if (!out_edit) return invalid(error, "out_edit", "null argument");
    acp_dat_create_options o = acp_dat_create_options_default(options ? options->data_set : ACP_DAT_CELL);
    if (options) take_options(&o, sizeof o, options, options->struct_size);
    acp_result result = check_create(&o, error);
    if (result) return result;
    acp_dat_edit *edit = ACP_MEMORY_NEW(allocator, acp_dat_edit);
    if (!edit) return out_of_memory(error);
    edit->allocator = acp_memory_allocator(allocator);
    edit->reserve_blocks = o.reserve_blocks;
    edit->growth_blocks = o.growth_blocks;
    edit->info.block_size = o.block_size;
    edit->info.data_set = o.data_set;
    edit->info.data_subset = o.data_subset;
    edit->info.master_map_id = o.master_map_id;
    edit->info.engine_version = o.engine_version;
    edit->info.game_version = o.game_version;
    edit->info.minor_version = o.minor_version;
    memcpy(edit->info.major_version, o.major_version, sizeof o.major_version);
    uint64_t size = ACP_DAT_DATA_OFFSET + (uint64_t)o.block_count * o.block_size;
    result = acp_dat_image_init(&edit->image, NULL, size, &edit->allocator);
    if (result == ACP_OK) result = link_blocks(edit, o.block_count);
    if (result) (void)out_of_memory(error);
    if (result == ACP_OK) result = acp_dat_tree_create(edit, error);
    acp_dat_image_mark(&edit->image);
    if (result == ACP_OK) result = put_iterations(edit, &o, error);
    if (result) {
        acp_dat_edit_destroy(edit);
        return result;
    }
    *out_edit = edit;
    return ACP_OK;
}

acp_result acp_dat_edit_open(const acp_dat *dat, const acp_allocator *allocator, acp_dat_edit **out_edit, acp_error *error) {
    if (!dat || !out_edit) return invalid(error, "dat", "null argument");
    if (dat->blocks.size > ACP_DAT_OFFSET_LIMIT) {
        acp_error_set(error, ACP_ERROR_LIMIT, "dat edit", "a container of more than 2 GiB cannot be changed");
        acp_error_set_file(error, dat->name);
        return ACP_ERROR_LIMIT;
    }
    acp_dat_edit *edit = ACP_MEMORY_NEW(allocator, acp_dat_edit);
    if (!edit) return out_of_memory(error);
    edit->allocator = acp_memory_allocator(allocator);
    edit->reserve_blocks = 51;
    edit->info = dat->info;
    acp_result result = acp_dat_image_init(&edit->image, dat->blocks.bytes, dat->blocks.size, &edit->allocator);
    if (result) {
        acp_dat_edit_destroy(edit);
        return out_of_memory(error);
    }
    edit->is_free_list_broken = !acp_dat_store_is_free_list_sound(edit);
    *out_edit = edit;
    return ACP_OK;
}

void acp_dat_edit_destroy(acp_dat_edit *edit) {
    if (!edit) return;
    acp_allocator memory = edit->allocator;
    acp_dat_image_free(&edit->image);
    ACP_MEMORY_DELETE(&memory, acp_dat_edit, edit);
}

/* Ends an operation: keeps it, or undoes it and names the record. */
static acp_result conclude(acp_dat_edit *edit, const acp_dat_edit *before, acp_result result, uint32_t id, acp_error *error) {
    if (result == ACP_OK) return ACP_OK;
    acp_dat_image_restore(&edit->image);
    edit->info = before->info;
    edit->is_free_list_broken = before->is_free_list_broken;
    if (error) error->record_id = id;
    return result;
}

/* The stored form of the data: the caller's bytes, or *out_memory of `size` bytes. */
static acp_result choose_form(const acp_dat_edit *edit, const uint8_t *bytes, uint32_t size, uint32_t storage, acp_dat_entry *entry,
                              uint8_t **out_memory, acp_error *error) {
    *out_memory = NULL;
    entry->stored_size = size;
    if (storage == ACP_DAT_STORE_AS_IS) entry->flags = ACP_DAT_ENTRY_COMPRESSED;
    if (storage != ACP_DAT_STORE_COMPRESSED) return ACP_OK;
    uint32_t stored_size;
    acp_result result = acp_dat_deflate(bytes, size, &edit->allocator, out_memory, &stored_size);
    if (result) return out_of_memory(error);
    if (*out_memory) {
        entry->stored_size = stored_size;
        entry->flags = ACP_DAT_ENTRY_COMPRESSED;
    }
    return ACP_OK;
}

static acp_result insert_or_replace(acp_dat_edit *edit, acp_dat_entry *entry, const uint8_t *stored, acp_error *error) {
    acp_dat_entry old;
    uint32_t node, index;
    acp_result result = acp_dat_tree_find(edit, entry->id, &old, &node, &index, error);
    if (result == ACP_ERROR_NOT_FOUND) {
        edit->info.record_count++;
        return acp_dat_tree_insert(edit, entry, stored, error);
    }
    if (result == ACP_OK) result = acp_dat_store_new(edit, stored, entry->stored_size, &entry->offset, error);
    if (result == ACP_OK) result = acp_dat_tree_replace(edit, node, index, entry, error);
    return result ? result : acp_dat_store_free(edit, old.offset, old.stored_size, error);
}

acp_result acp_dat_edit_put(acp_dat_edit *edit, uint32_t id, const void *bytes, uint32_t size, const acp_dat_put_options *options,
                            acp_error *error) {
    if (!edit || (!bytes && size)) return invalid(error, "bytes", "null argument");
    acp_dat_put_options o = acp_dat_put_options_default();
    if (options) take_options(&o, sizeof o, options, options->struct_size);
    if (o.version == 0 || o.version > 65535u) return invalid(error, "version", "a record version is 1 to 65535");
    if (o.storage > ACP_DAT_STORE_AS_IS) return invalid(error, "storage", "no such form");
    acp_dat_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.id = id;
    entry.version = (uint16_t)o.version;
    entry.date = o.date;
    entry.iteration = o.iteration;
    uint8_t *memory;
    acp_result result = choose_form(edit, bytes, size, o.storage, &entry, &memory, error);
    if (result) return result;
    acp_dat_edit before = *edit;
    acp_dat_image_mark(&edit->image);
    result = insert_or_replace(edit, &entry, memory ? memory : bytes, error);
    if (memory) acp_memory_free(&edit->allocator, memory, size, 16);
    return conclude(edit, &before, result, id, error);
}

acp_result acp_dat_edit_remove(acp_dat_edit *edit, uint32_t id, acp_error *error) {
    if (!edit) return invalid(error, "edit", "null argument");
    acp_dat_edit before = *edit;
    acp_dat_image_mark(&edit->image);
    acp_dat_entry old;
    uint32_t node, index;
    acp_result result = acp_dat_tree_find(edit, id, &old, &node, &index, error);
    if (result == ACP_ERROR_NOT_FOUND) acp_error_set(error, result, "dat edit", "no such record");
    if (result == ACP_OK) result = acp_dat_tree_remove(edit, id, error);
    if (result == ACP_OK) result = acp_dat_store_free(edit, old.offset, old.stored_size, error);
    if (result == ACP_OK) edit->info.record_count--;
    return conclude(edit, &before, result, id, error);
}

acp_result acp_dat_edit_find(const acp_dat_edit *edit, uint32_t id, acp_dat_entry *out_entry) {
    if (!edit || !out_entry) return ACP_ERROR_INVALID_ARGUMENT;
    acp_dat_entry entry;
    uint32_t node, index;
    acp_result result = acp_dat_tree_find(edit, id, &entry, &node, &index, NULL);
    if (result == ACP_OK) *out_entry = entry;
    return result;
}

void acp_dat_edit_get_info(const acp_dat_edit *edit, acp_dat_info *out_info) {
    *out_info = edit->info;
    out_info->physical_size = edit->image.size;
    out_info->file_size = (uint32_t)edit->image.size;
    out_info->journal_type = 0;
    out_info->node_count = 0;
    out_info->tree_depth = 0;
    out_info->remarks = 0;
}

/* The first 0x190 bytes: the base's free text, an idle journal (DAT-27), the info. */
static void compose_header(const acp_dat_edit *edit, uint8_t out[ACP_DAT_HEADER_SIZE]) {
    acp_dat_info info;
    acp_dat_edit_get_info(edit, &info);
    (void)acp_dat_image_read(&edit->image, 0, out, ACP_DAT_JOURNAL_OFFSET);
    memset(out + ACP_DAT_JOURNAL_OFFSET, 0, ACP_DAT_INFO_OFFSET - ACP_DAT_JOURNAL_OFFSET);
    acp_dat_put_u32(out + ACP_DAT_JOURNAL_OFFSET + 1, ACP_DAT_JOURNAL_MAGIC);
    acp_dat_header_encode_info(&info, out + ACP_DAT_INFO_OFFSET);
}

static acp_result write_image(const acp_dat_edit *edit, acp_file_writer *writer, const acp_progress *progress, acp_error *error) {
    uint8_t header[ACP_DAT_HEADER_SIZE];
    compose_header(edit, header);
    acp_result result = acp_file_writer_append(writer, header, sizeof header, error);
    for (uint64_t at = sizeof header; at < edit->image.size && result == ACP_OK;) {
        uint64_t in_chunk = at % ACP_DAT_CHUNK_SIZE, part = ACP_DAT_CHUNK_SIZE - in_chunk;
        if (part > edit->image.size - at) part = edit->image.size - at;
        result = acp_file_writer_append(writer, edit->image.chunks.items[at / ACP_DAT_CHUNK_SIZE].bytes + in_chunk, part, error);
        at += part;
        if (result == ACP_OK && acp_progress_report(progress, "writing", at, edit->image.size)) {
            acp_file_writer_discard(writer);
            result = acp_error_set(error, ACP_ERROR_CANCELLED, "dat commit", "stopped by the caller");
        }
    }
    return result;
}

acp_result acp_dat_edit_copy_bytes(const acp_dat_edit *edit, void *out_bytes, uint64_t capacity, acp_error *error) {
    if (!edit || !out_bytes) return invalid(error, "out_bytes", "null argument");
    if (capacity < edit->image.size) return invalid(error, "capacity", "the container has more bytes");
    uint8_t *out = out_bytes;
    for (uint64_t at = 0; at < edit->image.size; at += ACP_DAT_CHUNK_SIZE) {
        uint64_t part = edit->image.size - at < ACP_DAT_CHUNK_SIZE ? edit->image.size - at : ACP_DAT_CHUNK_SIZE;
        memcpy(out + at, edit->image.chunks.items[at / ACP_DAT_CHUNK_SIZE].bytes, part);
    }
    compose_header(edit, out);
    return ACP_OK;
}

acp_result acp_dat_edit_commit(acp_dat_edit *edit, const char *path, const acp_dat_commit_options *options, acp_error *error) {
    if (!edit || !path) return invalid(error, "path", "null argument");
    acp_dat_commit_options o = acp_dat_commit_options_default();
    if (options) take_options(&o, sizeof o, options, options->struct_size);
    acp_file_writer writer;
    acp_result result = acp_file_writer_begin(path, o.temporary_path, &edit->allocator, &writer, error);
    if (result == ACP_OK) result = write_image(edit, &writer, o.progress, error);
    return result ? result : acp_file_writer_finish(&writer, error);
}
