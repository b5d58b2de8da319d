/* SPDX-License-Identifier: MIT */
/* Small worlds for tests: flat or bumpy blocks, boxes, posts, balls, rooms in a row, built of the floors' own functions. */
#include "tests/support/small_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

test_world *test_world_new(void) {
    test_world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    assert_int_equal(acp_world_create(NULL, &world->world, NULL), ACP_OK);
    assert_int_equal(acp_terrain_create(NULL, NULL, &world->terrain, NULL), ACP_OK);
    return world;
}

void test_world_free(test_world *world) {
    acp_world_destroy(world->world);
    acp_terrain_destroy(world->terrain);
    for (uint32_t i = 0; i < world->setup_count; i++)
        acp_setup_destroy(world->setups[i]);
    for (uint32_t i = 0; i < world->shape_count; i++)
        acp_shape_destroy(world->shapes[i]);
    for (uint32_t i = 0; i < world->structure_count; i++)
        acp_cell_structure_destroy(world->structures[i]);
    free(world);
}

acp_position test_position(uint32_t cell_id, double x, double y, double z) {
    acp_position position = {cell_id, {{(float)x, (float)y, (float)z}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    return position;
}

/* Six faces of the box from `low` to `high`; outward, or inward for a room. Order: +x, -x, +y, -y, +z, -z. */
typedef struct box_description {
    acp_vec3 vertices[24];
    uint32_t indices[24];
    acp_polygon_source polygons[6];
    acp_bsp_node_source nodes[13];
    uint32_t leaf_polygons[12];
    acp_bsp_source source;
} box_description;

static void describe_faces(box_description *box, acp_vec3 low, acp_vec3 high, int is_inward) {
    static const uint8_t corners[6][4] = {{1, 3, 7, 5}, {2, 0, 4, 6}, {3, 2, 6, 7}, {0, 1, 5, 4}, {4, 5, 7, 6}, {2, 3, 1, 0}};
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t corner = corners[face][is_inward ? 3 - k : k];
            acp_vec3 v = {corner & 1u ? high.x : low.x, corner & 2u ? high.y : low.y, corner & 4u ? high.z : low.z};
            box->vertices[4 * face + k] = v;
            box->indices[4 * face + k] = 4 * face + k;
        }
        acp_polygon_source polygon = {4 * face, 4, face, 0};
        box->polygons[face] = polygon;
    }
    box->source.vertices = box->vertices;
    box->source.indices = box->indices;
    box->source.polygons = box->polygons;
    box->source.nodes = box->nodes;
    box->source.leaf_polygons = box->leaf_polygons;
    box->source.vertex_count = 24;
    box->source.index_count = 24;
    box->source.polygon_count = 6;
}

static acp_plane face_plane(acp_vec3 low, acp_vec3 high, uint32_t face) {
    static const acp_vec3 normals[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const float distances[6] = {-high.x, low.x, -high.y, low.y, -high.z, low.z};
    acp_plane plane = {normals[face], distances[face]};
    return plane;
}

static acp_sphere bound_of(acp_vec3 low, acp_vec3 high) {
    acp_sphere sphere = {{(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2}, 0};
    sphere.radius = (high.x - low.x) + (high.y - low.y) + (high.z - low.z);
    return sphere;
}

/* Fixture A of spec 03: a chain of six planes, empty in front, one solid leaf behind. */
static void describe_box(box_description *box, acp_vec3 low, acp_vec3 high) {
    memset(box, 0, sizeof *box);
    describe_faces(box, low, high, 0);
    for (uint32_t face = 0; face < 6; face++) {
        acp_bsp_node_source *node = &box->nodes[2 * face], *leaf = &box->nodes[2 * face + 1];
        node->kind = ACP_BSP_INTERIOR;
        node->positive = 2 * face + 1;
        node->negative = 2 * face + 2;
        node->plane = face_plane(low, high, face);
        node->sphere = bound_of(low, high);
        leaf->kind = ACP_BSP_LEAF;
        leaf->positive = leaf->negative = ACP_BSP_NONE;
        box->leaf_polygons[face] = face;
    }
    acp_bsp_node_source *inside = &box->nodes[12];
    inside->kind = ACP_BSP_LEAF;
    inside->positive = inside->negative = ACP_BSP_NONE;
    inside->solid = 1;
    inside->sphere = bound_of(low, high);
    inside->polygon_count = 6;
    box->source.node_count = 13;
    box->source.leaf_polygon_count = 6;
}

static acp_setup *add_setup(test_world *world, const acp_setup_definition *definition) {
    assert_true(world->setup_count < TEST_WORLD_ITEMS);
    acp_setup **slot = &world->setups[world->setup_count];
    assert_int_equal(acp_setup_create(definition, NULL, slot, NULL), ACP_OK);
    world->setup_count++;
    return *slot;
}

static acp_object add_object(test_world *world, const acp_setup *setup, acp_position at, uint32_t state, uint32_t predicates, uint32_t id) {
    acp_object_definition definition = acp_object_definition_default();
    definition.object_id = id;
    definition.position = at;
    definition.state = state;
    definition.predicates = predicates;
    definition.setup = setup;
    acp_object object;
    assert_int_equal(acp_object_create(world->world, &definition, &object, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(world->world, object, NULL), ACP_OK);
    return object;
}

acp_object test_world_box(test_world *world, acp_position at, double size_x, double size_y, double size_z, uint32_t state, uint32_t id) {
    box_description box;
    acp_vec3 low = {(float)(-size_x / 2), (float)(-size_y / 2), 0}, high = {(float)(size_x / 2), (float)(size_y / 2), (float)size_z};
    describe_box(&box, low, high);
    acp_shape_definition shape = acp_shape_definition_default();
    shape.physics = &box.source;
    shape.box_vertices = box.vertices;
    shape.box_vertex_count = 24;
    assert_true(world->shape_count < TEST_WORLD_ITEMS);
    acp_shape **slot = &world->shapes[world->shape_count];
    assert_int_equal(acp_shape_create(&shape, NULL, slot, NULL), ACP_OK);
    world->shape_count++;
    acp_setup_part part = {*slot, {1, 1, 1}, 0};
    acp_frame pose = {{0, 0, 0}, {1, 0, 0, 0}};
    acp_placement_definition placement = {0, 1, &pose};
    acp_setup_definition setup = acp_setup_definition_default();
    setup.parts = &part;
    setup.part_count = 1;
    setup.placements = &placement;
    setup.placement_count = 1;
    return add_object(world, add_setup(world, &setup), at, state, 0, id);
}

acp_object test_world_post(test_world *world, acp_position at, double radius, double height, uint32_t state, uint32_t predicates,
                           uint32_t id) {
    acp_cylsphere cylsphere = {{0, 0, 0}, (float)radius, (float)height};
    acp_setup_definition setup = acp_setup_definition_default();
    setup.cylspheres = &cylsphere;
    setup.cylsphere_count = 1;
    return add_object(world, add_setup(world, &setup), at, state, predicates, id);
}

acp_object test_world_ball(test_world *world, acp_position at, double radius, double z, uint32_t state, uint32_t predicates, uint32_t id) {
    acp_sphere sphere = {{0, 0, (float)z}, (float)radius};
    acp_setup_definition setup = acp_setup_definition_default();
    setup.spheres = &sphere;
    setup.sphere_count = 1;
    setup.sorting_sphere = sphere;
    setup.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    return add_object(world, add_setup(world, &setup), at, state, predicates, id);
}

/* Fixture B of spec 03 without the block: a chain of six planes facing inwards, a solid leaf behind each wall that is there. */
static acp_cell_structure *add_room(test_world *world, const test_room *room) {
    box_description box;
    memset(&box, 0, sizeof box);
    acp_vec3 low = {0, 0, 0}, high = room->size;
    describe_faces(&box, low, high, 1);
    acp_bsp_node_source containment[6];
    memset(containment, 0, sizeof containment);
    uint32_t listed = 0;
    for (uint32_t face = 0; face < 6; face++) {
        acp_bsp_node_source *node = &box.nodes[2 * face], *leaf = &box.nodes[2 * face + 1];
        acp_plane outward = face_plane(low, high, face);
        node->kind = ACP_BSP_INTERIOR;
        node->positive = face < 5 ? 2 * face + 2 : 12;
        node->negative = 2 * face + 1;
        node->plane.normal = (acp_vec3){-outward.normal.x, -outward.normal.y, -outward.normal.z};
        node->plane.d = -outward.d;
        node->sphere = bound_of(low, high);
        leaf->kind = ACP_BSP_LEAF;
        leaf->positive = leaf->negative = ACP_BSP_NONE;
        leaf->sphere = bound_of(low, high);
        leaf->first_polygon = listed;
        uint32_t is_open = (face == 0 && room->east_neighbour) || (face == 1 && room->west_neighbour);
        if (!is_open) {
            leaf->solid = 1;
            leaf->polygon_count = 1;
            box.leaf_polygons[listed++] = face;
        }
        containment[face].kind = ACP_BSP_INTERIOR;
        containment[face].plane = node->plane;
        containment[face].positive = face < 5 ? face + 1 : ACP_BSP_NONE;
        containment[face].negative = ACP_BSP_NONE;
    }
    box.nodes[12].kind = ACP_BSP_LEAF;
    box.nodes[12].positive = box.nodes[12].negative = ACP_BSP_NONE;
    box.source.node_count = 13;
    box.source.leaf_polygon_count = listed;
    acp_cell_structure_definition definition = acp_cell_structure_definition_default();
    definition.physics = &box.source;
    definition.containment_nodes = containment;
    definition.containment_node_count = 6;
    assert_true(world->structure_count < TEST_WORLD_ITEMS);
    acp_cell_structure **slot = &world->structures[world->structure_count];
    assert_int_equal(acp_cell_structure_create(&definition, NULL, slot, NULL), ACP_OK);
    world->structure_count++;
    return *slot;
}

void test_world_block(test_world *world, uint32_t block_id, const uint8_t *heights, uint8_t height, uint16_t word, const test_room *rooms,
                      uint32_t room_count) {
    acp_land_block land;
    memset(&land, 0, sizeof land);
    land.record_id = block_id | 0xFFFFu;
    for (uint32_t i = 0; i < 81; i++) {
        land.height[i] = heights ? heights[i] : height;
        land.terrain[i] = word;
    }
    assert_int_equal(acp_terrain_put(world->terrain, &land, NULL), ACP_OK);

    acp_env_cell_definition cells[16];
    acp_cell_portal portals[16][2];
    uint32_t visible[16];
    assert_true(room_count <= 16);
    memset(cells, 0, sizeof cells);
    for (uint32_t i = 0; i < room_count; i++)
        visible[i] = (block_id & 0xFFFF0000u) | rooms[i].index;
    for (uint32_t i = 0; i < room_count; i++) {
        cells[i].cell_id = visible[i];
        cells[i].frame.origin = rooms[i].corner;
        cells[i].frame.rotation.w = 1;
        cells[i].structure = add_room(world, &rooms[i]);
        cells[i].restriction_id = rooms[i].restriction_id;
        cells[i].portals = portals[i];
        cells[i].visible_cells = visible;
        cells[i].visible_count = room_count;
        uint32_t count = 0;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t neighbour = side ? rooms[i].west_neighbour : rooms[i].east_neighbour;
            acp_cell_portal portal = {0, 0, 1, {{side ? -1.0f : 1.0f, 0, 0}, side ? 0.0f : -rooms[i].size.x}};
            if (!neighbour && side == 0 && !rooms[i].west_neighbour) neighbour = rooms[i].index; /* a cell needs a portal (MEM-10) */
            if (!neighbour) continue;
            portal.other_cell_id = (block_id & 0xFFFF0000u) | neighbour;
            portals[i][count++] = portal;
        }
        cells[i].portal_count = count;
    }
    acp_block_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = sizeof definition;
    definition.block_id = block_id;
    definition.terrain = acp_terrain_find(world->terrain, block_id);
    definition.env_cells = room_count ? cells : NULL;
    definition.env_cell_count = room_count;
    acp_block *block;
    acp_error error;
    acp_error_clear(&error);
    if (acp_block_create(&definition, NULL, &block, &error) != ACP_OK) fail_msg("%s: %s", error.operation, error.message);
    assert_int_equal(acp_membership_publish(world->world, block, NULL), ACP_OK);
}

acp_mover test_human(uint32_t cell_id, double z) {
    acp_mover mover = acp_mover_default();
    mover.sphere_count = 2;
    mover.spheres[0] = (acp_sphere){{0, 0, 0.475f}, 0.48f};
    mover.spheres[1] = (acp_sphere){{0, 0, 1.35f}, 0.48f};
    mover.step_up_height = 0.6f;
    mover.step_down_height = 1.5f;
    mover.transient_state = ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE;
    mover.contact.plane.normal.z = 1;
    mover.contact.plane.d = (float)-z;
    mover.contact.cell_id = cell_id;
    mover.contact.is_valid = 1;
    return mover;
}
