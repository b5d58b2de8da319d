/* SPDX-License-Identifier: MIT */
/* Statics of a scene: the objects that a landblock (LandBlockInfo) and its rooms bring along, and scenery (POP-4, POP-5, POP-8).
 *
 * `statics` is a list of {owner, setup, frame, scale}: `owner` the LandBlockInfo id 0xXXYYFFFE, the EnvCell's id, or 0xXXYYFFFF for
 * scenery; `setup` the name of a model, `frame` in block coordinates. A scale is set after registration, which goes by scale 1 (POP-8).
 * Order within an owner is the order of its list, and the canonical order of the cells' lists follows (MEM-43). A landblock's static stands
 * in the land cell of its canonicalised origin, its frame kept as it is; one whose origin lies in another block is not there, nor is one
 * whose cell is not resident.
 *
 * Contract: faults go into the input. Cost: a flood each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "membership/registry.h"
#include "place/cell_id.h"
#include "support/scene.h"
#include "world/object.h"

#define LAND_INFO 0xFFFEu

/* The cell that holds a static, 0 when there is none. */
static uint32_t cell_of(const acp_scene *scene, uint32_t owner_id, const acp_frame *frame) {
    uint32_t cell_id = owner_id;
    if ((owner_id & 0xFFFFu) >= LAND_INFO) {
        acp_vec3 origin = frame->origin;
        cell_id = owner_id | 0xFFFFu;
        if (!acp_adjust_to_outside(&cell_id, &origin) || (cell_id ^ owner_id) >> 16) return 0;
    }
    return acp_cell_exists(acp_world_cell(scene->world, cell_id)) ? cell_id : 0;
}

/* One static, entered in its cell and registered; without a cell it is not there. `setup` is borrowed. */
static void make_static(acp_scene *scene, acp_json_input *input, uint32_t owner_id, uint32_t ordinal, const acp_setup *setup,
                        const acp_frame *frame, float scale, acp_scene_object *out_object) {
    memset(out_object, 0, sizeof *out_object);
    out_object->elasticity = 0.05f;
    out_object->friction = 0.95f;
    out_object->is_borrowing = true;
    (void)snprintf(out_object->name, sizeof out_object->name, "0x%08lX/%lu", (unsigned long)owner_id, (unsigned long)ordinal);
    uint32_t cell_id = cell_of(scene, owner_id, frame);
    if (!cell_id) return;
    uint32_t low = owner_id & 0xFFFFu, kind = low == LAND_INFO  ? ACP_STATIC_LANDBLOCK
                                              : low > LAND_INFO ? ACP_STATIC_SCENERY
                                                                : ACP_STATIC_ENV_CELL;
    acp_object_definition d = acp_object_definition_default();
    d.state |= (uint32_t)ACP_STATE_STATIC;
    d.setup = setup;
    d.position.cell_id = cell_id;
    d.position.frame = *frame;
    d.static_order = acp_static_order(owner_id & 0xFFFF0000u, kind, kind == ACP_STATIC_ENV_CELL ? low : 0u, ordinal);
    acp_result result = acp_object_create(scene->world, &d, &out_object->handle, input->error);
    if (result == ACP_OK) {
        out_object->index = out_object->handle.index1 - 1u;
        acp_object_hold_in_cell(scene->world, out_object->index, cell_id);
        result = acp_registry_calc_cross_cells(scene->world, out_object->index, true, NULL);
        if (scale != 1.0f) acp_object_set_scale(scene->world, out_object->index, scale);
    }
    if (result != ACP_OK) acp_json_fail(input, result, "statics", "the static cannot be made");
}

void acp_scene_build_statics(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    const acp_json *list = acp_json_get_optional_array(input, definition, "statics");
    if (!list || !list->count) return;
    scene->statics = calloc(list->count, sizeof *scene->statics);
    if (!scene->statics) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "statics", "no memory for statics");
        return;
    }
    uint32_t last_owner = 0, ordinal = 0;
    for (const acp_json *s = list->first; s && !acp_json_is_failed(input); s = s->next) {
        uint32_t owner = acp_json_get_id(input, s, "owner");
        ordinal = owner == last_owner ? ordinal + 1u : 0u;
        last_owner = owner;
        acp_matrix_frame frame = acp_json_get_frame_or_identity(input, s, "frame");
        acp_frame place = acp_matrix_frame_to_public(&frame);
        const acp_setup *setup = acp_scene_find_setup(scene, input, acp_json_member(s, "setup"));
        if (acp_json_is_failed(input)) return;
        float scale = acp_json_get_float_or(input, s, "scale", 1.0f);
        if (!(scale > 0.0f)) acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "scale", "a scale is above zero");
        if (acp_json_is_failed(input)) return;
        make_static(scene, input, owner, ordinal, setup, &place, scale, &scene->statics[scene->static_count++]);
    }
}
