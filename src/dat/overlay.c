/* SPDX-License-Identifier: MIT */
/* Records in front of a container's own (live editing).
 *
 * A sorted list of ids with their bytes, or with the word that the record is not there. Reading looks here first and then in the file, so
 * that a running world can be edited, and the edit taken back, without a write. An overlay that is in use is never changed: an edit copies
 * it, changes the copy, and puts the copy in its place when everything that follows has succeeded.
 *
 * Contract: reading is for any number of threads while nobody changes it; a failed change leaves it as it was. Limits: 2^32 - 1 bytes a
 * record. Cost: a binary search; copies are linear.
 */
#include "dat/overlay.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"

void acp_dat_overlay_init(acp_dat_overlay *overlay, const acp_allocator *allocator) {
    memset(overlay, 0, sizeof *overlay);
    overlay->allocator = acp_memory_allocator(allocator);
}

void acp_dat_overlay_free(acp_dat_overlay *overlay) {
    for (uint32_t i = 0; i < overlay->count; i++)
        if (overlay->items[i].bytes) acp_memory_free(&overlay->allocator, overlay->items[i].bytes, (size_t)overlay->items[i].size + 1u, 16);
    ACP_ARRAY_FREE(overlay, &overlay->allocator);
}

/* Place of an id, or where it belongs. */
static uint32_t lower_bound(const acp_dat_overlay *overlay, uint32_t id) {
    uint32_t low = 0, high = overlay->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2u;
        if (overlay->items[middle].id < id)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

const acp_dat_overlay_item *acp_dat_overlay_find(const acp_dat_overlay *overlay, uint32_t id) {
    if (!overlay || !overlay->count) return NULL;
    uint32_t at = lower_bound(overlay, id);
    return at < overlay->count && overlay->items[at].id == id ? &overlay->items[at] : NULL;
}

acp_result acp_dat_overlay_put(acp_dat_overlay *overlay, uint32_t id, const void *bytes, uint32_t size) {
    uint8_t *copy = bytes ? acp_memory_allocate(&overlay->allocator, (size_t)size + 1u, 16) : NULL;
    if ((bytes && !copy) || ACP_ARRAY_RESERVE(overlay, &overlay->allocator, (uint64_t)overlay->count + 1u) != ACP_OK) {
        if (copy) acp_memory_free(&overlay->allocator, copy, (size_t)size + 1u, 16);
        return ACP_ERROR_OUT_OF_MEMORY;
    }
    if (bytes) memcpy(copy, bytes, size);
    acp_dat_overlay_drop(overlay, id);
    uint32_t at = lower_bound(overlay, id);
    memmove(overlay->items + at + 1, overlay->items + at, (overlay->count - at) * sizeof *overlay->items);
    overlay->items[at] = (acp_dat_overlay_item){id, bytes ? size : 0u, copy};
    overlay->count++;
    return ACP_OK;
}

void acp_dat_overlay_drop(acp_dat_overlay *overlay, uint32_t id) {
    uint32_t at = lower_bound(overlay, id);
    if (at == overlay->count || overlay->items[at].id != id) return;
    if (overlay->items[at].bytes) acp_memory_free(&overlay->allocator, overlay->items[at].bytes, (size_t)overlay->items[at].size + 1u, 16);
    overlay->count--;
    memmove(overlay->items + at, overlay->items + at + 1, (overlay->count - at) * sizeof *overlay->items);
}

acp_result acp_dat_overlay_copy(const acp_dat_overlay *from, acp_dat_overlay *out_overlay) {
    acp_dat_overlay_init(out_overlay, &from->allocator);
    for (uint32_t i = 0; i < from->count; i++) {
        acp_result result = acp_dat_overlay_put(out_overlay, from->items[i].id, from->items[i].bytes, from->items[i].size);
        if (result == ACP_OK) continue;
        acp_dat_overlay_free(out_overlay);
        return result;
    }
    return ACP_OK;
}

acp_result acp_dat_overlay_read(const acp_dat_overlay *overlay, const acp_dat *dat, uint32_t id, acp_dat_record *record, acp_error *error) {
    const acp_dat_overlay_item *item = acp_dat_overlay_find(overlay, id);
    if (!item) return acp_dat_read(dat, id, record, error);
    if (!item->bytes) {
        acp_error_set(error, ACP_ERROR_NOT_FOUND, "dat read", "the record has been taken out");
        acp_error_set_place(error, id, UINT64_MAX, "");
        acp_error_set_file(error, acp_dat_name(dat));
        return ACP_ERROR_NOT_FOUND;
    }
    record->bytes = item->bytes;
    record->size = item->size;
    memset(&record->entry, 0, sizeof record->entry);
    record->entry.id = id;
    record->entry.stored_size = item->size;
    return ACP_OK;
}

bool acp_dat_overlay_has(const acp_dat_overlay *overlay, const acp_dat *dat, uint32_t id) {
    const acp_dat_overlay_item *item = acp_dat_overlay_find(overlay, id);
    return item ? item->bytes != NULL : acp_dat_find(dat, id) != NULL;
}
