/* SPDX-License-Identifier: MIT */
/* From records to assets: GfxObj, CellStruct and Setup as decoded by the dat floor become shapes, rooms and setups (D16).
 *
 * A record addresses vertices and polygons by ordinal, as the flat form does, so flattening is a copy: positions in a row, vertex ordinals
 * of all polygons in a row, tree nodes in file order. Planes, boxes and flat trees are then made by the constructors that parts go through
 * as well, with the same checks; lenient content keeps its places and is never hit (DAT-72), strict content is refused there.
 * Derived as the spec says: the box over all vertices, also those no polygon uses; the physics sphere from the physics tree's root, the
 * drawing sphere from the drawing tree's, zero when that root is a leaf (DAT-52); PORT nodes as portals (BSP-3); unknown tags as interior
 * nodes without children (BSP-5).
 *
 * Contract: scratch memory comes from the given allocator and is gone on return; after a failure nothing is kept.
 * Limits: those of acp_bsp_create and acp_setup_create. Cost: about 100 ns a polygon. */
#include "asset/from_record.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"

bool acp_degrade_is_always_2d(const acp_record_degrade_info *degrade) {
    return degrade && degrade->count > 0 && degrade->entries[0].mode != 1;
}

static acp_result out_of_memory(acp_error *error) {
    return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "flatten", "memory for flattening refused");
}

static acp_vec3 *flatten_vertices(acp_arena *arena, const acp_record_vertices *vertices) {
    acp_vec3 *points = acp_arena_allocate(arena, (size_t)vertices->count * sizeof *points, 8);
    for (uint32_t i = 0; points && i < vertices->count; i++)
        points[i] = vertices->items[i].position;
    return points;
}

static bool flatten_polygons(acp_arena *arena, const acp_record_polygons *polygons, acp_bsp_source *source) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < polygons->count; i++)
        total += polygons->items[i].point_count;
    acp_polygon_source *items = acp_arena_allocate_zero(arena, polygons->count, sizeof *items, 8);
    uint32_t *indices = acp_arena_allocate(arena, (size_t)total * sizeof *indices, 8);
    if (!items || !indices) return false;
    uint32_t used = 0;
    for (uint32_t i = 0; i < polygons->count; i++) {
        const acp_record_polygon *p = &polygons->items[i];
        items[i].first_index = used;
        items[i].point_count = p->point_count;
        items[i].id = p->id;
        items[i].sides_type = p->sides_type;
        for (uint32_t k = 0; k < p->point_count; k++)
            indices[used++] = p->vertices[k];
    }
    source->polygons = items;
    source->polygon_count = polygons->count;
    source->indices = indices;
    source->index_count = total;
    return true;
}

static acp_bsp_node_source *flatten_nodes(acp_arena *arena, const acp_record_tree *tree, const uint32_t **out_leaf_polygons,
                                          uint32_t *out_leaf_polygon_count) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].tag == ACP_TAG_LEAF) total += tree->nodes[i].polygon_count;
    acp_bsp_node_source *nodes = acp_arena_allocate_zero(arena, tree->node_count, sizeof *nodes, 8);
    uint32_t *leaf_polygons = acp_arena_allocate(arena, (size_t)total * sizeof *leaf_polygons, 8);
    if (!nodes || !leaf_polygons) return NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const acp_record_node *from = &tree->nodes[i];
        acp_bsp_node_source *to = &nodes[i];
        bool is_leaf = from->tag == ACP_TAG_LEAF;
        to->kind = is_leaf ? ACP_BSP_LEAF : from->tag == ACP_TAG_PORT ? ACP_BSP_PORTAL : ACP_BSP_INTERIOR;
        to->positive = from->positive == ACP_RECORD_NONE || is_leaf ? ACP_BSP_NONE : from->positive;
        to->negative = from->negative == ACP_RECORD_NONE || is_leaf ? ACP_BSP_NONE : from->negative;
        to->solid = from->solid;
        to->plane = from->plane;
        to->sphere = from->sphere;
        to->leaf_index = from->leaf_index;
        if (!is_leaf) continue;
        to->first_polygon = used;
        to->polygon_count = from->polygon_count;
        for (uint32_t k = 0; k < from->polygon_count; k++)
            leaf_polygons[used++] = from->polygons[k];
    }
    *out_leaf_polygons = leaf_polygons;
    *out_leaf_polygon_count = total;
    return nodes;
}

/* Physics polygons and their tree; false when memory is refused. */
static bool flatten_physics(acp_arena *arena, const acp_vec3 *points, uint32_t point_count, const acp_record_polygons *polygons,
                            const acp_record_tree *tree, acp_bsp_source *out_source) {
    memset(out_source, 0, sizeof *out_source);
    out_source->vertices = points;
    out_source->vertex_count = point_count;
    if (!flatten_polygons(arena, polygons, out_source)) return false;
    out_source->nodes = flatten_nodes(arena, tree, &out_source->leaf_polygons, &out_source->leaf_polygon_count);
    out_source->node_count = tree->node_count;
    return out_source->nodes != NULL;
}

acp_result acp_shape_from_record(const acp_record_gfxobj *record, bool is_always_2d, acp_content_mode mode, const acp_allocator *allocator,
                                 acp_shape **out_shape, acp_error *error) {
    acp_arena scratch;
    acp_arena_init(&scratch, allocator, 0, UINT64_MAX);
    acp_shape_definition definition = acp_shape_definition_default();
    acp_bsp_source physics;
    acp_vec3 *points = flatten_vertices(&scratch, &record->vertices);
    bool is_complete = points != NULL;
    definition.shape_id = record->id;
    definition.mode = (uint32_t)mode;
    definition.box_vertices = points;
    definition.box_vertex_count = record->vertices.count;
    if (is_complete && (record->flags & 1u)) {
        is_complete = flatten_physics(&scratch, points, record->vertices.count, &record->physics_polygons, &record->physics_tree, &physics);
        definition.physics = &physics;
    }
    if (record->flags & 2u) {
        definition.flags |= ACP_SHAPE_HAS_DRAWING_SPHERE;
        if (record->drawing_tree.nodes[0].tag != ACP_TAG_LEAF) definition.drawing_sphere = record->drawing_tree.nodes[0].sphere;
    }
    if (is_always_2d) definition.flags |= ACP_SHAPE_IS_ALWAYS_2D;
    acp_result result = is_complete ? acp_shape_create(&definition, allocator, out_shape, error) : out_of_memory(error);
    acp_arena_free(&scratch);
    return result;
}

acp_result acp_cell_structure_from_record(const acp_record_cell_structure *record, acp_content_mode mode, const acp_allocator *allocator,
                                          acp_cell_structure **out_structure, acp_error *error) {
    acp_arena scratch;
    acp_arena_init(&scratch, allocator, 0, UINT64_MAX);
    acp_cell_structure_definition definition = acp_cell_structure_definition_default();
    acp_bsp_source physics;
    const uint32_t *unused_list;
    uint32_t unused_count;
    acp_vec3 *points = flatten_vertices(&scratch, &record->vertices);
    bool is_complete = points != NULL && flatten_physics(&scratch, points, record->vertices.count, &record->physics_polygons,
                                                         &record->physics_tree, &physics);
    definition.structure_id = record->id;
    definition.mode = (uint32_t)mode;
    definition.physics = &physics;
    if (is_complete) definition.containment_nodes = flatten_nodes(&scratch, &record->cell_tree, &unused_list, &unused_count);
    definition.containment_node_count = record->cell_tree.node_count;
    is_complete = is_complete && definition.containment_nodes != NULL;
    acp_result result = is_complete ? acp_cell_structure_create(&definition, allocator, out_structure, error) : out_of_memory(error);
    acp_arena_free(&scratch);
    return result;
}

acp_result acp_setup_from_record(const acp_record_setup *record, const acp_shape *const *shapes, const acp_allocator *allocator,
                                 acp_setup **out_setup, acp_error *error) {
    acp_arena scratch;
    acp_arena_init(&scratch, allocator, 0, UINT64_MAX);
    acp_setup_definition d = acp_setup_definition_default();
    acp_setup_part *parts = acp_arena_allocate_zero(&scratch, record->part_count, sizeof *parts, 8);
    acp_placement_definition *placements = acp_arena_allocate_zero(&scratch, record->placement_count, sizeof *placements, 8);
    acp_holding_location *holding = acp_arena_allocate_zero(&scratch, record->holding.count, sizeof *holding, 8);
    acp_result result = parts && placements && holding ? ACP_OK : out_of_memory(error);
    for (uint32_t i = 0; i < record->part_count && result == ACP_OK; i++) {
        parts[i].shape = shapes[i];
        parts[i].default_scale = record->scales ? record->scales[i] : (acp_vec3){1.0f, 1.0f, 1.0f};
    }
    for (uint32_t i = 0; i < record->placement_count && result == ACP_OK; i++) {
        placements[i].placement_id = record->placements[i].key;
        placements[i].frame_count = record->part_count;
        placements[i].frames = record->placements[i].frames;
    }
    for (uint32_t i = 0; i < record->holding.count && result == ACP_OK; i++) {
        holding[i].location_id = record->holding.items[i].key;
        holding[i].part_index = record->holding.items[i].part;
        holding[i].frame = record->holding.items[i].frame;
    }
    d.setup_id = record->id;
    d.flags = ACP_SETUP_HAS_SORTING_SPHERE | (record->flags & 4u ? (uint32_t)ACP_SETUP_ALLOWS_FREE_HEADING : 0u);
    d.part_count = record->part_count;
    d.parts = parts;
    d.placements = placements;
    d.placement_count = record->placement_count;
    d.spheres = record->spheres;
    d.sphere_count = record->sphere_count;
    d.cylspheres = record->cylspheres;
    d.cylsphere_count = record->cylsphere_count;
    d.holding_locations = holding;
    d.holding_location_count = record->holding.count;
    d.sorting_sphere = record->sorting_sphere;
    d.step_up_height = record->step_up;
    d.step_down_height = record->step_down;
    d.radius = record->radius;
    d.height = record->height;
    if (result == ACP_OK) result = acp_setup_create(&d, allocator, out_setup, error);
    acp_arena_free(&scratch);
    return result;
}
