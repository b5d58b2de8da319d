/* SPDX-License-Identifier: MIT */
/* Rooms from parts: the physics polygons with their tree, and the containment tree, both of the geom floor.
 *
 * Floors above ask the trees; this one only keeps them together for the life of the landblocks that borrow the room.
 *
 * A room without a containment tree contains nothing and touches nothing (MEM-11, 03 CBSP-4c); one without a physics tree has no walls.
 * Contract: all or nothing; the definition is not kept. Cost: one allocation per tree and one for the struct. */
#include "asset/cell_structure.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

acp_cell_structure_definition acp_cell_structure_definition_default(void) {
    acp_cell_structure_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    return definition;
}

acp_result acp_cell_structure_create(const acp_cell_structure_definition *definition, const acp_allocator *allocator,
                                     acp_cell_structure **out_structure, acp_error *error) {
    if (!definition || !out_structure || definition->struct_size < sizeof *definition)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "cell structure create",
                             "definition, its size or the answer's place is missing");
    acp_allocator memory = acp_memory_allocator(allocator);
    acp_bsp *bsp = NULL;
    acp_cell_tree *containment = NULL;
    acp_result result = ACP_OK;
    if (definition->physics && definition->physics->node_count)
        result = acp_bsp_create(definition->physics, (acp_content_mode)definition->mode, &memory, NULL, &bsp, error);
    if (result == ACP_OK && definition->containment_node_count)
        result = acp_cell_tree_create(definition->containment_nodes, definition->containment_node_count, definition->containment_root,
                                      (acp_content_mode)definition->mode, &memory, NULL, &containment, error);
    acp_cell_structure *structure = result == ACP_OK ? ACP_MEMORY_NEW(&memory, acp_cell_structure) : NULL;
    if (!structure) {
        acp_cell_tree_destroy(containment, &memory);
        acp_bsp_destroy(bsp, &memory);
        if (result != ACP_OK) return result;
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "cell structure create", "no memory for a room");
    }
    structure->structure_id = definition->structure_id;
    structure->owns_trees = true;
    structure->bsp = bsp;
    structure->containment = containment;
    structure->allocator = memory;
    *out_structure = structure;
    return ACP_OK;
}

void acp_cell_structure_destroy(acp_cell_structure *structure) {
    if (!structure) return;
    acp_allocator memory = structure->allocator;
    if (structure->owns_trees) {
        acp_cell_tree_destroy((acp_cell_tree *)(uintptr_t)structure->containment, &memory);
        acp_bsp_destroy((acp_bsp *)(uintptr_t)structure->bsp, &memory);
    }
    ACP_MEMORY_DELETE(&memory, acp_cell_structure, structure);
}

const acp_bsp *acp_cell_structure_bsp(const acp_cell_structure *structure) { return structure ? structure->bsp : NULL; }

const acp_cell_tree *acp_cell_structure_containment(const acp_cell_structure *structure) {
    return structure ? structure->containment : NULL;
}
