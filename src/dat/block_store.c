/* SPDX-License-Identifier: MIT */
/* Blocks of an edit: chains taken from the free list, rewritten, given back; growth (DAT-09, DAT-20 to DAT-22, DAT-25).
 *
 * The free list is singly linked through tagged links; storing takes blocks from its head in link order, freeing appends the chain at its
 * tail. The file grows by a mebibyte of blocks before the list could run short, so the list never empties and first_free and last_free
 * stay valid. A file that is only appended to therefore keeps its free list contiguous and ascending, which simpler tools rely on.
 *
 * Contract: every link read from a base file is checked (tag, range, count by size), so a damaged file is BAD_DATA, not a loop. Links are
 * logged for undoing, payloads of free blocks are not. Limits: offsets below 2 GiB, else LIMIT. Cost: a copy per block.
 *
 * retail: CLBlockAllocator::Store_Data 0x006741B0
 * retail: DiskController::CheckRoom 0x00670790
 * retail: CLBlockAllocator::DeleteBlocks 0x00673FB0 */
#include <string.h>

#include "base/error.h"
#include "dat/edit.h"

static acp_result fail(acp_error *error, acp_result code, uint64_t offset, const char *message) {
    acp_error_set(error, code, "dat edit", "%s", message);
    acp_error_set_place(error, 0, offset, "block.link");
    return code;
}

static acp_result explain(acp_error *error, acp_result code, uint64_t offset) {
    if (code == ACP_OK) return ACP_OK;
    return fail(error, code, offset, code == ACP_ERROR_OUT_OF_MEMORY ? "memory for the image refused" : "a block lies outside the file");
}

static acp_result read_link(const acp_dat_edit *edit, uint32_t offset, uint32_t *out_link, acp_error *error) {
    uint8_t bytes[4];
    if (offset == 0 || offset >= ACP_DAT_OFFSET_LIMIT || !acp_dat_image_read(&edit->image, offset, bytes, 4))
        return fail(error, ACP_ERROR_BAD_DATA, offset, "a chain leaves the file or ends too early");
    *out_link = acp_dat_get_u32(bytes);
    return ACP_OK;
}

static acp_result write_link(acp_dat_edit *edit, uint32_t offset, uint32_t link, acp_error *error) {
    uint8_t bytes[4];
    acp_dat_put_u32(bytes, link);
    return explain(error, acp_dat_image_write(&edit->image, offset, bytes, 4, true), offset);
}

/* Where new blocks may begin: behind the last one, which may be cut short in files whose blocks do not tile the file. */
static uint64_t append_position(const acp_dat_edit *edit) {
    uint64_t size = edit->image.size;
    if ((size - edit->info.root) % edit->info.block_size == 0 || edit->info.root == 0) return size;
    return (size + edit->info.block_size + 3u) & ~(uint64_t)3u;
}

/* Appends free blocks: a mebibyte of them, or as many as the edit was created for. */
static acp_result grow(acp_dat_edit *edit, acp_error *error) {
    uint32_t block_size = edit->info.block_size;
    uint32_t count = edit->growth_blocks ? edit->growth_blocks : ACP_DAT_GROWTH / block_size;
    uint64_t first = append_position(edit);
    uint64_t end = first + (uint64_t)count * block_size;
    if (end > ACP_DAT_OFFSET_LIMIT) return fail(error, ACP_ERROR_LIMIT, first, "a container holds at most 2 GiB");
    acp_result result = explain(error, acp_dat_image_extend(&edit->image, end - edit->image.size), first);
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        uint32_t offset = (uint32_t)first + i * block_size;
        result = write_link(edit, offset, ACP_DAT_FREE_BIT | (i + 1 < count ? offset + block_size : 0u), error);
    }
    if (result) return result;
    if (edit->info.free_count == 0 || edit->is_free_list_broken) {
        edit->info.first_free = (uint32_t)first;
        edit->info.free_count = 0;
        edit->is_free_list_broken = false;
    } else
        result = write_link(edit, edit->info.last_free, (uint32_t)first | ACP_DAT_FREE_BIT, error);
    edit->info.last_free = (uint32_t)end - block_size;
    edit->info.free_count += count;
    return result;
}

acp_result acp_dat_store_make_room(acp_dat_edit *edit, uint32_t size, acp_error *error) {
    acp_result result = ACP_OK;
    while (result == ACP_OK &&
           (edit->is_free_list_broken || edit->info.free_count <= size / (edit->info.block_size - 4u) + edit->reserve_blocks))
        result = grow(edit, error);
    return result;
}

acp_result acp_dat_store_new(acp_dat_edit *edit, const uint8_t *bytes, uint32_t size, uint32_t *out_offset, acp_error *error) {
    *out_offset = 0;
    if (size == 0) return ACP_OK;
    acp_result result = acp_dat_store_make_room(edit, size, error);
    uint32_t payload = edit->info.block_size - 4u, offset = edit->info.first_free, remaining = size;
    if (result == ACP_OK) *out_offset = offset;
    while (result == ACP_OK && remaining > 0) {
        uint32_t part = remaining < payload ? remaining : payload, link;
        result = read_link(edit, offset, &link, error);
        if (result) break;
        uint32_t next = link & ~ACP_DAT_FREE_BIT;
        if (!(link & ACP_DAT_FREE_BIT) || next == 0) return fail(error, ACP_ERROR_BAD_DATA, offset, "the free list is damaged");
        result = write_link(edit, offset, remaining > part ? next : 0u, error);
        if (result == ACP_OK) result = explain(error, acp_dat_image_write(&edit->image, (uint64_t)offset + 4u, bytes, part, false), offset);
        bytes += part;
        remaining -= part;
        offset = next;
        edit->info.free_count--;
    }
    edit->info.first_free = offset;
    return result;
}

acp_result acp_dat_store_read(const acp_dat_edit *edit, uint32_t offset, uint8_t *out, uint32_t size, acp_error *error) {
    uint32_t payload = edit->info.block_size - 4u;
    while (size > 0) {
        uint32_t part = size < payload ? size : payload, link;
        acp_result result = read_link(edit, offset, &link, error);
        if (result) return result;
        if (!acp_dat_image_read(&edit->image, (uint64_t)offset + 4u, out, part))
            return fail(error, ACP_ERROR_BAD_DATA, offset, "a block lies outside the file");
        out += part;
        size -= part;
        if (size > 0 && (link & ACP_DAT_FREE_BIT)) return fail(error, ACP_ERROR_BAD_DATA, offset, "a chain runs into a free block");
        offset = link;
    }
    return ACP_OK;
}

acp_result acp_dat_store_rewrite(acp_dat_edit *edit, uint32_t offset, const uint8_t *bytes, uint32_t size, acp_error *error) {
    uint32_t payload = edit->info.block_size - 4u;
    while (size > 0) {
        uint32_t part = size < payload ? size : payload, link;
        acp_result result = read_link(edit, offset, &link, error);
        if (result == ACP_OK) result = explain(error, acp_dat_image_write(&edit->image, (uint64_t)offset + 4u, bytes, part, true), offset);
        if (result) return result;
        bytes += part;
        size -= part;
        offset = link;
    }
    return ACP_OK;
}

acp_result acp_dat_store_free(acp_dat_edit *edit, uint32_t offset, uint32_t size, acp_error *error) {
    uint32_t count = acp_dat_block_count(size, edit->info.block_size), last = offset, at = offset;
    if (count == 0) return ACP_OK;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link;
        acp_result result = read_link(edit, at, &link, error);
        if (result) return result;
        if (link & ACP_DAT_FREE_BIT) return fail(error, ACP_ERROR_BAD_DATA, at, "a block to be freed is free already");
        if (i + 1 == count && link != 0) return fail(error, ACP_ERROR_BAD_DATA, at, "a chain goes on after its last byte");
        result = write_link(edit, at, link | ACP_DAT_FREE_BIT, error);
        if (result) return result;
        last = at;
        at = link;
    }
    if (edit->is_free_list_broken) edit->info.free_count = 0;
    acp_result result = ACP_OK;
    if (edit->info.free_count == 0)
        edit->info.first_free = offset;
    else
        result = write_link(edit, edit->info.last_free, offset | ACP_DAT_FREE_BIT, error);
    edit->is_free_list_broken = false;
    edit->info.last_free = last;
    edit->info.free_count += count;
    return result;
}

bool acp_dat_store_is_free_list_sound(const acp_dat_edit *edit) {
    uint32_t offset = edit->info.first_free, last = 0;
    if ((uint64_t)edit->info.free_count * edit->info.block_size > edit->image.size) return false;
    for (uint32_t i = 0; i < edit->info.free_count; i++) {
        uint32_t link;
        if (read_link(edit, offset, &link, NULL) || !(link & ACP_DAT_FREE_BIT)) return false;
        if ((uint64_t)offset + edit->info.block_size > edit->image.size) return false;
        last = offset;
        offset = link & ~ACP_DAT_FREE_BIT;
    }
    return edit->info.free_count == 0 || (last == edit->info.last_free && offset == 0);
}
