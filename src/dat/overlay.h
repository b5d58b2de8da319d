/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_OVERLAY_H
#define ACP_DAT_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/dat.h"

/* Records that stand in front of a container's own: what an editor has replaced, added or taken out, without touching the file. */

typedef struct acp_dat_overlay_item {
    uint32_t id;
    uint32_t size;
    uint8_t *bytes; /* null: taken out */
} acp_dat_overlay_item;

typedef struct acp_dat_overlay {
    acp_allocator allocator;
    acp_dat_overlay_item *items; /* ascending ids */
    uint32_t count;
    uint32_t capacity;
} acp_dat_overlay;

void acp_dat_overlay_init(acp_dat_overlay *overlay, const acp_allocator *allocator);
void acp_dat_overlay_free(acp_dat_overlay *overlay);

/* A copy with everything in it. ACP_ERROR_OUT_OF_MEMORY leaves nothing. */
acp_result acp_dat_overlay_copy(const acp_dat_overlay *from, acp_dat_overlay *out_overlay);

/* Puts a record in front (`bytes` null: the record is not there) or, with _drop, gives the file's own back. */
acp_result acp_dat_overlay_put(acp_dat_overlay *overlay, uint32_t id, const void *bytes, uint32_t size);
void acp_dat_overlay_drop(acp_dat_overlay *overlay, uint32_t id);

/* The item of an id, or null. */
const acp_dat_overlay_item *acp_dat_overlay_find(const acp_dat_overlay *overlay, uint32_t id);

/* acp_dat_read with the overlay in front; `overlay` null: without. Bytes out of the overlay live as long as it. */
acp_result acp_dat_overlay_read(const acp_dat_overlay *overlay, const acp_dat *dat, uint32_t id, acp_dat_record *record, acp_error *error);

/* Whether there is such a record. */
bool acp_dat_overlay_has(const acp_dat_overlay *overlay, const acp_dat *dat, uint32_t id);

#endif
