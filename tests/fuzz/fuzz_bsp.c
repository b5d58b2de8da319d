/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as the description of a tree, built in both modes, and as the bytes of a stored block.
 *
 * The bytes are cut into a mode, small counts, and then nodes, polygons, indices and vertices as they come, so that cycles, missing
 * children, wild ordinals and wild numbers are all near. What builds must open again from its own bytes, and every query on it must end;
 * strict mode must not accept what lenient mode refuses. Answers are not judged here: the differential test does that. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geom/bsp.h"
#include "geom/cell_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct cursor {
    const uint8_t *data;
    size_t size, at;
} cursor;

static uint8_t byte_of(cursor *c) { return c->at < c->size ? c->data[c->at++] : 0; }

/* A number: mostly small and tame, sometimes any bits at all. */
static float float_of(cursor *c) {
    uint8_t kind = byte_of(c);
    if (kind != 255) return ((float)kind - 127.0f) / 16.0f;
    uint8_t raw[4];
    for (int i = 0; i < 4; i++)
        raw[i] = byte_of(c);
    float value;
    memcpy(&value, raw, sizeof value);
    return value;
}

/* An ordinal: mostly below 16, sometimes wild. */
static uint32_t ordinal_of(cursor *c) {
    uint8_t v = byte_of(c);
    if (v < 240) return v % 16u;
    return v < 248 ? ACP_BSP_NONE : (uint32_t)v << 24 | byte_of(c);
}

static acp_vec3 vec3_of(cursor *c) {
    acp_vec3 v;
    v.x = float_of(c);
    v.y = float_of(c);
    v.z = float_of(c);
    return v;
}

static void ask(const acp_bsp *bsp, acp_vec3 at, float radius) {
    acp_sphere sphere = {at, radius}, moved = sphere;
    acp_vec3 down = {0, 0.25f, -1}, up = {0, 0, 1}, contact = {0, 0, 0};
    acp_walk walk = {0.1f, 1};
    uint32_t polygon = ACP_BSP_NONE, count = 0;
    bool center_solid = false;
    acp_bsp_hit hit;
    int32_t answer = 0;
    (void)acp_bsp_sphere_intersects_poly(bsp, &sphere, down, &polygon, &contact);
    if (polygon != ACP_BSP_NONE) (void)acp_bsp_adjust_to_plane(bsp, &moved, (acp_vec3){0, 0, 3}, polygon, &contact);
    moved = sphere;
    (void)acp_bsp_sphere_intersects_solid(bsp, &sphere, true);
    (void)acp_bsp_sphere_intersects_solid_poly(bsp, &sphere, radius * 2, true, &center_solid, &polygon);
    (void)acp_bsp_point_intersects_solid(bsp, at);
    (void)acp_bsp_find_walkable(bsp, &walk, &moved, &polygon, down, up);
    (void)acp_bsp_hits_walkable(bsp, 0.1f, &sphere, up);
    if (acp_bsp_segment_first_hit(bsp, at, (acp_vec3){1, -2, -3}, ACP_RAY_BOTH_FACES, &hit, &answer) != ACP_OK) abort();
    if (answer && !(hit.fraction >= 0.0 && hit.fraction <= 1.0)) abort();
    if (acp_bsp_sweep_first_hit(bsp, at, (acp_vec3){1, -2, -3}, fabsf(radius), ACP_RAY_BOTH_FACES, &hit, &answer) != ACP_OK) abort();
    if (acp_bsp_triangles(bsp, NULL, 0, &count) != ACP_OK) abort();
}

static void build_and_ask(const acp_bsp_source *source) {
    acp_bsp *lenient = NULL, *strict = NULL;
    acp_error error;
    acp_result result = acp_bsp_create(source, ACP_CONTENT_LENIENT, NULL, NULL, &lenient, &error);
    if (acp_bsp_create(source, ACP_CONTENT_STRICT, NULL, NULL, &strict, &error) == ACP_OK && result != ACP_OK) abort();
    acp_bsp_destroy(strict, NULL);
    if (result == ACP_OK) {
        const acp_bsp *opened = NULL;
        if (acp_bsp_open(lenient, acp_bsp_size(lenient), &opened, &error) != ACP_OK) abort();
        ask(opened, (acp_vec3){0.5f, -0.25f, 0.75f}, 0.48f);
        ask(opened, (acp_vec3){0, 0, 0}, 3.0f);
        acp_bsp_destroy(lenient, NULL);
    }
    acp_cell_tree *cell = NULL;
    if (acp_cell_tree_create(source->nodes, source->node_count, source->root, ACP_CONTENT_LENIENT, NULL, NULL, &cell, &error) == ACP_OK) {
        const acp_cell_tree *opened = NULL;
        const acp_sphere sphere = {{0.5f, 0, 0}, 0.48f};
        const acp_box box = {{0, 0, 0}, {1, 1, 1}};
        if (acp_cell_tree_open(cell, acp_cell_tree_size(cell), &opened, &error) != ACP_OK) abort();
        (void)acp_cell_tree_contains_point(opened, sphere.center);
        (void)acp_cell_tree_intersects_sphere(opened, &sphere);
        (void)acp_cell_tree_intersects_box(opened, &box);
        acp_cell_tree_destroy(cell, NULL);
    }
}

/* The bytes as a block, as they are and with a good head. */
static void open_bytes(const uint8_t *data, size_t size) {
    size_t room = (size + 15u) & ~(size_t)15u;
    if (room == 0) return;
    void *copy = aligned_alloc(16, room);
    if (copy == NULL) abort();
    memcpy(copy, data, size);
    const acp_bsp *bsp = NULL;
    const acp_cell_tree *cell = NULL;
    acp_error error;
    if (acp_bsp_open(copy, size, &bsp, &error) == ACP_OK) ask(bsp, (acp_vec3){0, 0, 0}, 1.0f);
    if (acp_cell_tree_open(copy, size, &cell, &error) == ACP_OK) (void)acp_cell_tree_contains_point(cell, (acp_vec3){0, 0, 0});
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    acp_bsp_node_source nodes[16] = {0};
    acp_polygon_source polygons[16] = {0};
    acp_vec3 vertices[16];
    uint32_t indices[64], lists[32];
    cursor c = {data, size, 0};
    acp_bsp_source source = {vertices, polygons, indices, nodes, lists, 16, 16, 64, 0, 32, 0};
    source.node_count = byte_of(&c) % 17u;
    source.polygon_count = byte_of(&c) % 17u;
    source.root = ordinal_of(&c);
    for (int i = 0; i < 16; i++) {
        uint8_t kind = byte_of(&c);
        nodes[i].kind = (acp_bsp_node_kind)(kind < 252 ? kind % 3u : kind);
        nodes[i].positive = ordinal_of(&c);
        nodes[i].negative = ordinal_of(&c);
        nodes[i].solid = byte_of(&c) % 2u;
        nodes[i].plane = (acp_plane){vec3_of(&c), float_of(&c)};
        nodes[i].sphere = (acp_sphere){vec3_of(&c), float_of(&c)};
        nodes[i].first_polygon = ordinal_of(&c);
        nodes[i].polygon_count = ordinal_of(&c);
    }
    for (int i = 0; i < 16; i++)
        polygons[i] = (acp_polygon_source){ordinal_of(&c) * 3u, ordinal_of(&c) % 9u, (uint32_t)i, 0};
    for (int i = 0; i < 64; i++)
        indices[i] = ordinal_of(&c);
    for (int i = 0; i < 32; i++)
        lists[i] = ordinal_of(&c);
    for (int i = 0; i < 16; i++)
        vertices[i] = vec3_of(&c);
    build_and_ask(&source);
    open_bytes(data, size);
    return 0;
}
