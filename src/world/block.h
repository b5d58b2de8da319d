/* SPDX-License-Identifier: MIT */
#ifndef ACP_WORLD_BLOCK_H
#define ACP_WORLD_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "acphys/world.h"
#include "asset/cell_structure.h"
#include "base/arena.h"
#include "place/position.h"
#include "terrain/block.h"

/* A landblock's immutable content. EnvCells are found by direct index: env_index[index - 0x100]. */

typedef struct acp_env_cell {
    uint32_t cell_id;
    bool is_seen_outside;
    bool is_about_z; /* its frame turns about z only */
    uint8_t reserved[2];
    acp_matrix_position position;        /* its id and placement frame */
    uint32_t restriction_id;             /* object id, 0 = none */
    const acp_cell_structure *structure; /* null: contains nothing, no physics */
    const acp_cell_tree *containment;    /* the structure's, null without */
    const acp_cell_portal *portals;
    const struct acp_room_gate *gates; /* one a portal */
    uint32_t portal_count;
    uint32_t visible_count;
    const uint32_t *visible_cells; /* stab list */
} acp_env_cell;

typedef struct acp_building {
    uint32_t cell_id; /* its land cell */
    uint32_t model_id;
    acp_matrix_position position;
    const acp_setup *setup;
    const acp_shape *shell;             /* part 0; null = none */
    acp_matrix_position shell_position; /* part 0's finished position */
    float shell_scale;                  /* geometry scale .z of part 0 */
    uint32_t portal_count;
    const acp_building_portal *portals;
} acp_building;

struct acp_block {
    uint32_t block_id; /* 0xXXYY0000 */
    uint32_t env_cell_count;
    const acp_terrain_block *terrain; /* null: no land cells */
    uint64_t building_mask;           /* bit 8*cx + cy: that land cell has a building */
    uint64_t restriction_mask;        /* bit: that land cell has a restriction object */
    acp_env_cell *env_cells;          /* in order of the definition */
    uint16_t *env_index;              /* [index - 0x100] -> ordinal + 1, 0 = no such cell */
    uint32_t env_index_count;
    uint32_t building_count;
    acp_building *buildings;
    uint8_t *building_of;               /* [64] -> ordinal + 1 of the winning building, null when there is none */
    acp_cell_restriction *restrictions; /* land cells only, ascending */
    uint32_t restriction_count;
    uint32_t first_held; /* object index: ring of the objects held by cells of this block */
    void *lists;         /* the membership floor's list heads, while it is resident: list_room, or null when there are none */
    void *list_room;     /* ACP_BLOCK_LIST_HEAD_SIZE bytes a slot */
    bool is_partial;     /* something of it is hidden and may appear: retail's residency */
    void *content;       /* the population floor's: what else the landblock has, in the arena; null = nothing */
    void (*release_content)(struct acp_block *block); /* called before the arena goes, when there is content */
    acp_arena arena;
};

#define ACP_BLOCK_LIST_HEAD_SIZE 12u

/* Number of list slots: 64 land cells, then EnvCells. */
static inline uint32_t acp_block_slot_count(const acp_block *block) { return 64u + block->env_cell_count; }

/* 1 + the place of an EnvCell with this block's high half, or 0. */
static inline uint32_t acp_block_env_ordinal1(const acp_block *block, uint32_t cell_id) {
    uint32_t i = (cell_id & 0xFFFFu) - 0x100u;
    return i < block->env_index_count ? block->env_index[i] : 0;
}

/* The EnvCell of an id with this block's high half, or null. */
static inline const acp_env_cell *acp_block_env_cell(const acp_block *block, uint32_t cell_id) {
    uint32_t ordinal1 = acp_block_env_ordinal1(block, cell_id);
    return ordinal1 ? &block->env_cells[ordinal1 - 1u] : NULL;
}

/* Where a sum has terms that are zeros of some sign, leaving them out changes it only when all the others are -0: a sum that comes out as
 * anything else is the whole sum. */
static inline bool acp_is_negative_zero(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits == 0x80000000u;
}

/* WM-31: a point of the cell's landblock in the cell's own axes; acp_matrix_frame_global_to_local by address. Where the frame turns about z
 * only, the sums lack their zero terms, and the whole expressions decide what comes out as -0. */
static inline void acp_env_cell_to_local(const acp_env_cell *cell, const acp_vec3 *point, acp_vec3 *out_local) {
    const acp_matrix_frame *f = &cell->position.frame;
    if (cell->is_about_z) {
        double dx = acp_stored((double)point->x - (double)f->origin.x), dy = acp_stored((double)point->y - (double)f->origin.y);
        float x = acp_f32(dx * (double)f->m[0] + dy * (double)f->m[1]), y = acp_f32(dx * (double)f->m[3] + dy * (double)f->m[4]);
        float z = acp_f32(((double)point->z - (double)f->origin.z) * (double)f->m[8]);
        if (!acp_is_negative_zero(x) && !acp_is_negative_zero(y) && !acp_is_negative_zero(z)) {
            out_local->x = x;
            out_local->y = y;
            out_local->z = z;
            return;
        }
    }
    *out_local = acp_matrix_frame_global_to_local(f, *point);
}

/* The building of land cell k = 0..63, or null. */
static inline const acp_building *acp_block_building(const acp_block *block, uint32_t k) {
    return (block->building_mask >> k) & 1u ? &block->buildings[block->building_of[k] - 1u] : NULL;
}

/* A frame as a record's reader has it (DAT-38): off unit length the numbers stay and the matrix is the identity. */
acp_matrix_frame acp_block_frame(const acp_frame *frame);

/* acp_block_create with room in the arena's first chunk for `room` bytes that others will put there. */
acp_result acp_block_create_with_room(const acp_block_definition *definition, size_t room, const acp_allocator *allocator,
                                      acp_block **out_block, acp_error *error);

/* Restriction object of land cell k, 0 = none. */
uint32_t acp_block_land_restriction(const acp_block *block, uint32_t k);

#endif
