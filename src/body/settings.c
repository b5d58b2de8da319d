/* SPDX-License-Identifier: MIT */
/* What a world knows about its bodies as a whole: hooks of what moves them, and the anchors around which they are awake (spec 07 PHO-7,
 * PHO-8..10; D10).
 *
 * Both are the host's, are copied here and are no part of saved states: a host that restores a state sets them as it did before. Anchors
 * must be finite and name places. Contract: world thread. A failed call changes nothing. Cost: a copy. */
#include <string.h>

#include "base/memory.h"
#include "body/door.h"
#include "place/cell_id.h"

acp_locomotion acp_locomotion_default(void) {
    acp_locomotion locomotion;
    memset(&locomotion, 0, sizeof locomotion);
    locomotion.struct_size = (uint32_t)sizeof locomotion;
    return locomotion;
}

acp_result acp_world_set_locomotion(acp_world *world, const acp_locomotion *locomotion) {
    if (!world || (locomotion && locomotion->struct_size < 16)) return ACP_ERROR_INVALID_ARGUMENT;
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return ACP_ERROR_OUT_OF_MEMORY;
    column->has_locomotion = locomotion != NULL;
    column->locomotion = acp_locomotion_default();
    if (locomotion) {
        size_t size = locomotion->struct_size < sizeof *locomotion ? locomotion->struct_size : sizeof *locomotion;
        memcpy(&column->locomotion, locomotion, size);
        column->locomotion.struct_size = (uint32_t)sizeof *locomotion;
    }
    return ACP_OK;
}

acp_result acp_world_set_anchors(acp_world *world, const acp_position *anchors, uint32_t count, int32_t is_culling) {
    if (!world || (count && !anchors)) return ACP_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i) {
        acp_result result = acp_body_check_frame(&anchors[i].frame);
        if (result != ACP_OK) return result;
        if (!acp_cell_id_is_valid(anchors[i].cell_id)) return ACP_ERROR_INVALID_ID;
    }
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return ACP_ERROR_OUT_OF_MEMORY;
    if (count > column->anchor_capacity) {
        acp_matrix_position *grown = ACP_MEMORY_NEW_ARRAY(&column->allocator, acp_matrix_position, count);
        if (!grown) return ACP_ERROR_OUT_OF_MEMORY;
        ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_matrix_position, column->anchors, column->anchor_capacity);
        column->anchors = grown;
        column->anchor_capacity = count;
    }
    bool has_changed = column->anchor_count != count || column->is_culling != (is_culling != 0);
    for (uint32_t i = 0; i < count; ++i) {
        acp_matrix_position anchor = acp_matrix_position_from_public(&anchors[i]);
        has_changed = has_changed || memcmp(&anchor, &column->anchors[i], sizeof anchor) != 0;
        column->anchors[i] = anchor;
    }
    column->anchor_count = count;
    column->is_culling = is_culling != 0;
    column->anchor_revision += has_changed; /* what bodies remember of the old ones is forgotten */
    return ACP_OK;
}
