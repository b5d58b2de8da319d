/* SPDX-License-Identifier: MIT */
/* The scenes S1 to S7 as worlds: see the header.
 *
 * A mesh becomes a physics tree by cuts along the axes at ends of polygons, where surface times polygons is least, until a leaf is cheaper;
 * a polygon is listed on every side that it reaches (11 AUT-7), no leaf is solid, spheres contain what is below. Land: the 81
 * heights become a height table in their order. Everything is owned by the acp_bench_world; a failure destroys what there was.
 * Limits: a cut-down authoring tool for these scenes, not for content. Cost: n log n. */
#include "support/bench_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/number.h"

enum { MOST_LEVELS = 16, TILES = 12 };

/* ---- trees of meshes ---- */

typedef struct mesh {
    acp_vec3 *vertices; /* three a triangle */
    acp_polygon_source *polygons;
    uint32_t *indices;
    acp_bsp_node_source *nodes;
    uint32_t *listed;
    uint32_t count; /* triangles */
    uint32_t node_count, node_capacity;
    uint32_t listed_count, listed_capacity;
    int is_failed;
} mesh;

static float axis_of(acp_vec3 v, int axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

static void range_of(const mesh *m, uint32_t triangle, int axis, float *low, float *high) {
    const acp_vec3 *p = &m->vertices[3 * (size_t)triangle];
    *low = *high = axis_of(p[0], axis);
    for (int k = 1; k < 3; k++) {
        float v = axis_of(p[k], axis);
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
}

static acp_sphere sphere_about(const mesh *m, const uint32_t *items, uint32_t count) {
    acp_sphere sphere = {{0, 0, 0}, 0};
    if (count == 0) return sphere;
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float a, b;
            range_of(m, items[i], axis, &a, &b);
            low[axis] = fmin(low[axis], (double)a);
            high[axis] = fmax(high[axis], (double)b);
        }
    sphere.center = (acp_vec3){(float)((low[0] + high[0]) / 2), (float)((low[1] + high[1]) / 2), (float)((low[2] + high[2]) / 2)};
    for (uint32_t i = 0; i < 3 * count; i++) {
        acp_vec3 p = m->vertices[3 * (size_t)items[i / 3] + i % 3];
        double x = (double)p.x - (double)sphere.center.x, y = (double)p.y - (double)sphere.center.y,
               z = (double)p.z - (double)sphere.center.z;
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    sphere.radius = (float)(most + 0.01);
    return sphere;
}

static uint32_t new_node(mesh *m) {
    if (m->node_count == m->node_capacity) {
        uint32_t capacity = m->node_capacity ? 2 * m->node_capacity : 64;
        acp_bsp_node_source *grown = realloc(m->nodes, (size_t)capacity * sizeof *grown);
        if (!grown) {
            m->is_failed = 1;
            return ACP_BSP_NONE;
        }
        m->nodes = grown;
        m->node_capacity = capacity;
    }
    m->nodes[m->node_count] = (acp_bsp_node_source){.kind = ACP_BSP_LEAF, .positive = ACP_BSP_NONE, .negative = ACP_BSP_NONE};
    return m->node_count++;
}

static void list_items(mesh *m, uint32_t node, const uint32_t *items, uint32_t count) {
    if (m->listed_count + count > m->listed_capacity) {
        uint32_t capacity = 2 * (m->listed_count + count);
        uint32_t *grown = realloc(m->listed, (size_t)capacity * sizeof *grown);
        if (!grown) {
            m->is_failed = 1;
            return;
        }
        m->listed = grown;
        m->listed_capacity = capacity;
    }
    m->nodes[node].first_polygon = m->listed_count;
    m->nodes[node].polygon_count = count;
    if (count) memcpy(&m->listed[m->listed_count], items, count * sizeof *items);
    m->listed_count += count;
}

/* Items that reach the positive and the negative side of a cut; both arrays have room for all. */
static void divide(const mesh *m, const uint32_t *items, uint32_t count, int axis, float at, uint32_t *sides[2], uint32_t counts[2]) {
    counts[0] = counts[1] = 0;
    for (uint32_t i = 0; i < count; i++) {
        float low, high;
        range_of(m, items[i], axis, &low, &high);
        if (high >= at - 0.001f) sides[0][counts[0]++] = items[i];
        if (low <= at + 0.001f) sides[1][counts[1]++] = items[i];
    }
}

typedef struct extent {
    float low[3], high[3];
} extent;

static extent extent_of(const mesh *m, const uint32_t *items, uint32_t count) {
    extent e = {{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}};
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float low, high;
            range_of(m, items[i], axis, &low, &high);
            if (low < e.low[axis]) e.low[axis] = low;
            if (high > e.high[axis]) e.high[axis] = high;
        }
    return e;
}

/* Surface of the box that a mover's sphere sees: wider by its radius. */
static double surface(const extent *e, int axis, float low, float high) {
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = (k == axis ? (double)high - (double)low : (double)e->high[k] - (double)e->low[k]) + 2 * 0.5;
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

/* The cheapest cut among the ends of polygons, no more than 64 of them an axis: surface times polygons on both sides, and PASS for the
 * node. Its axis, or -1 when a leaf is cheaper. */
static int best_cut(const mesh *m, const uint32_t *items, uint32_t count, uint32_t *sides[2], float *out_at) {
    const double pass = 0.4;
    extent e = extent_of(m, items, count);
    double whole = surface(&e, 0, e.low[0], e.high[0]), least = whole * count;
    int best = -1;
    uint32_t stride = 1 + count / 32;
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t i = 0; i < count; i += stride)
            for (int end = 0; end < 2; end++) {
                float range[2];
                uint32_t counts[2];
                range_of(m, items[i], axis, &range[0], &range[1]);
                float at = range[end];
                if (!(at > e.low[axis] + 0.01f && at < e.high[axis] - 0.01f)) continue;
                divide(m, items, count, axis, at, sides, counts);
                if (counts[0] == count || counts[1] == count) continue;
                double cost =
                    whole * pass + surface(&e, axis, at, e.high[axis]) * counts[0] + surface(&e, axis, e.low[axis], at) * counts[1];
                if (cost < least) {
                    least = cost;
                    best = axis;
                    *out_at = at;
                }
            }
    return best;
}

/* No deeper than MOST_LEVELS. */
static uint32_t make_tree(mesh *m, const uint32_t *items, uint32_t count, int level) {
    uint32_t node = new_node(m);
    if (m->is_failed) return node;
    m->nodes[node].sphere = sphere_about(m, items, count);
    uint32_t *memory = malloc(2 * ((size_t)count + 1) * sizeof *memory);
    if (!memory) {
        m->is_failed = 1;
        return node;
    }
    uint32_t *sides[2] = {memory, memory + count + 1}, counts[2];
    float at = 0;
    int axis = count > 1 && level < MOST_LEVELS ? best_cut(m, items, count, sides, &at) : -1;
    if (axis < 0) {
        list_items(m, node, items, count);
    } else {
        divide(m, items, count, axis, at, sides, counts);
        uint32_t positive = make_tree(m, sides[0], counts[0], level + 1), negative = make_tree(m, sides[1], counts[1], level + 1);
        if (!m->is_failed) {
            acp_bsp_node_source *n = &m->nodes[node];
            n->kind = ACP_BSP_INTERIOR;
            n->positive = positive;
            n->negative = negative;
            n->plane.normal = (acp_vec3){axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
            n->plane.d = -at;
        }
    }
    free(memory);
    return node;
}

static void free_mesh(mesh *m) {
    free(m->vertices);
    free(m->polygons);
    free(m->indices);
    free(m->nodes);
    free(m->listed);
}

static acp_result make_shape(mesh *m, acp_shape **out_shape, acp_error *error) {
    uint32_t n = m->count;
    uint32_t *all = malloc((size_t)n * sizeof *all);
    m->polygons = calloc(n, sizeof *m->polygons);
    m->indices = malloc(3 * (size_t)n * sizeof *m->indices);
    m->is_failed = !all || !m->polygons || !m->indices;
    for (uint32_t i = 0; i < n && !m->is_failed; i++) {
        all[i] = i;
        m->polygons[i] = (acp_polygon_source){3 * i, 3, i, 0};
        for (uint32_t k = 0; k < 3; k++)
            m->indices[3 * i + k] = 3 * i + k;
    }
    if (!m->is_failed) (void)make_tree(m, all, n, 1);
    free(all);
    if (m->is_failed) return ACP_ERROR_OUT_OF_MEMORY;
    acp_bsp_source source = {m->vertices, m->polygons, m->indices, m->nodes, m->listed, 3 * n, n, 3 * n, m->node_count, m->listed_count, 0};
    acp_shape_definition definition = acp_shape_definition_default();
    definition.physics = &source;
    definition.box_vertices = m->vertices;
    definition.box_vertex_count = 3 * n;
    return acp_shape_create(&definition, NULL, out_shape, error);
}

/* ---- objects ---- */

static acp_result add_object(acp_bench_world *w, const acp_setup_definition *setup, acp_vec3 at, uint32_t state, acp_error *error) {
    acp_setup **slot = &w->setups[w->setup_count];
    acp_result result = acp_setup_create(setup, NULL, slot, error);
    if (result != ACP_OK) return result;
    w->setup_count++;
    acp_object_definition definition = acp_object_definition_default();
    definition.object_id = 0x70000000u + w->setup_count;
    definition.position = acp_bench_world_position(w, (double)at.x, (double)at.y, (double)at.z);
    definition.state = state;
    definition.setup = *slot;
    definition.static_order = acp_static_order(ACP_BENCH_WORLD_BLOCK, ACP_STATIC_HOST, 0, w->setup_count);
    acp_object object;
    result = acp_object_create(w->world, &definition, &object, error);
    return result == ACP_OK ? acp_membership_register(w->world, object, error) : result;
}

/* The mesh of the triangles chosen, as an object in their middle: the client's floods reach from an object's origin to the far corners of
 * its box. */
static acp_result add_mesh(acp_bench_world *w, mesh *m, acp_error *error) {
    if (m->count == 0) return ACP_OK;
    acp_vec3 low = m->vertices[0], high = low;
    for (uint32_t i = 0; i < 3 * m->count; i++) {
        acp_vec3 v = m->vertices[i];
        low = (acp_vec3){v.x < low.x ? v.x : low.x, v.y < low.y ? v.y : low.y, v.z < low.z ? v.z : low.z};
        high = (acp_vec3){v.x > high.x ? v.x : high.x, v.y > high.y ? v.y : high.y, v.z > high.z ? v.z : high.z};
    }
    /* Whole metres, so that vertices keep their digits. */
    acp_vec3 middle = {(float)floor(((double)low.x + (double)high.x) / 2), (float)floor(((double)low.y + (double)high.y) / 2),
                       (float)floor(((double)low.z + (double)high.z) / 2)};
    for (uint32_t i = 0; i < 3 * m->count; i++)
        m->vertices[i] = (acp_vec3){m->vertices[i].x - middle.x, m->vertices[i].y - middle.y, m->vertices[i].z - middle.z};
    acp_result result = make_shape(m, &w->shapes[w->shape_count], error);
    if (result != ACP_OK) return result;
    acp_setup_part part = {w->shapes[w->shape_count++], {1, 1, 1}, 0};
    acp_frame pose = {{0, 0, 0}, {1, 0, 0, 0}};
    acp_placement_definition placement = {0, 1, &pose};
    acp_setup_definition setup = acp_setup_definition_default();
    setup.parts = &part;
    setup.part_count = 1;
    setup.placements = &placement;
    setup.placement_count = 1;
    return add_object(w, &setup, middle, ACP_STATE_STATIC, error);
}

/* Meshes of more than 4,000 triangles are cut into tiles of 20 m by the triangles' centres. */
static uint32_t tile_of(const acp_bench_scene *scene, uint32_t triangle) {
    if (scene->triangle_count < 4000) return 0;
    double x = 0, y = 0;
    for (uint32_t k = 0; k < 3; k++) {
        x += (double)scene->vertices[scene->triangles[3 * (size_t)triangle + k]].x / 3;
        y += (double)scene->vertices[scene->triangles[3 * (size_t)triangle + k]].y / 3;
    }
    int tx = (int)floor((x + 10) / 20), ty = (int)floor((y + 10) / 20);
    tx = tx < 0 ? 0 : (tx >= TILES ? TILES - 1 : tx);
    ty = ty < 0 ? 0 : (ty >= TILES ? TILES - 1 : ty);
    return (uint32_t)(tx * TILES + ty);
}

static acp_result add_meshes(acp_bench_world *w, const acp_bench_scene *scene, uint32_t first, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t tile = 0; tile < TILES * TILES && result == ACP_OK; tile++) {
        mesh m = {0};
        m.vertices = malloc(3 * ((size_t)scene->triangle_count + 1) * sizeof *m.vertices);
        if (!m.vertices) return ACP_ERROR_OUT_OF_MEMORY;
        for (uint32_t i = first; i < scene->triangle_count; i++) {
            if (tile_of(scene, i) != tile) continue;
            for (uint32_t k = 0; k < 3; k++)
                m.vertices[3 * (size_t)m.count + k] = scene->vertices[scene->triangles[3 * (size_t)i + k]];
            m.count++;
        }
        result = add_mesh(w, &m, error);
        free_mesh(&m);
    }
    return result;
}

static acp_result add_rounds(acp_bench_world *w, const acp_bench_scene *scene, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < scene->cylsphere_count && result == ACP_OK; i++) {
        acp_cylsphere c = scene->cylspheres[i];
        acp_vec3 at = c.low_point;
        c.low_point = (acp_vec3){0, 0, 0};
        acp_setup_definition setup = acp_setup_definition_default();
        setup.cylspheres = &c;
        setup.cylsphere_count = 1;
        result = add_object(w, &setup, at, ACP_STATE_STATIC, error);
    }
    for (uint32_t i = 0; i < scene->sphere_count && result == ACP_OK; i++) {
        acp_sphere s = {{0, 0, 0}, scene->spheres[i].radius};
        acp_setup_definition setup = acp_setup_definition_default();
        setup.spheres = &s;
        setup.sphere_count = 1;
        setup.sorting_sphere = s;
        setup.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
        result = add_object(w, &setup, scene->spheres[i].center, ACP_STATE_REPORT_COLLISIONS, error);
    }
    return result;
}

/* ---- land ---- */

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The grid's heights, shifted, as indices into a table of them; without a grid index 0, at 0 m. */
static acp_result make_land(acp_bench_world *w, const acp_bench_scene *scene, int with_terrain, acp_error *error) {
    float values[256], grid[81];
    uint8_t index[81];
    memset(index, 0, sizeof index);
    for (int i = 0; i < 256; i++)
        values[i] = 0.0f;
    if (with_terrain) {
        for (uint32_t i = 0; i < 81; i++) {
            const acp_vec3 *v = &scene->vertices[i];
            uint32_t x = (uint32_t)((double)v->x / 24 + 0.5), y = (uint32_t)((double)v->y / 24 + 0.5);
            grid[x * 9 + y] = acp_f32((double)v->z + (double)w->shift.z);
        }
        memcpy(values, grid, sizeof grid);
        qsort(values, 81, sizeof *values, compare_floats);
        for (int i = 81; i < 256; i++)
            values[i] = values[80];
        for (uint32_t i = 0; i < 81; i++)
            while (values[index[i]] < grid[i])
                index[i]++;
    }
    acp_height_table table;
    acp_result result = acp_height_table_from_values(values, &table, error);
    if (result != ACP_OK) return result;
    result = acp_terrain_create(NULL, &table, &w->terrain, error);
    for (uint32_t k = 0; k < 9 && result == ACP_OK; k++) {
        acp_land_block land;
        memset(&land, 0, sizeof land);
        land.record_id = (ACP_BENCH_WORLD_BLOCK + ((k / 3) << 24) - (1u << 24) + ((k % 3) << 16) - (1u << 16)) | 0xFFFFu;
        if (k == 4) memcpy(land.height, index, sizeof index);
        result = acp_terrain_put(w->terrain, &land, error);
        if (result != ACP_OK) break;
        acp_block_definition definition = {.struct_size = sizeof definition, .block_id = land.record_id & 0xFFFF0000u};
        definition.terrain = acp_terrain_find(w->terrain, land.record_id);
        acp_block *block;
        result = acp_block_create(&definition, NULL, &block, error);
        if (result == ACP_OK && (result = acp_membership_publish(w->world, block, error)) != ACP_OK) acp_block_destroy(block);
    }
    return result;
}

/* The scene without its land as a soup. */
static acp_result make_soup(acp_bench_world *w, const acp_bench_scene *scene, int with_terrain, acp_error *error) {
    acp_soup_source source = acp_bench_scene_source(scene);
    if (with_terrain) {
        source.triangles += 3 * 128;
        source.triangle_count -= 128;
    }
    return acp_soup_create(&source, NULL, &w->soup, error);
}

acp_result acp_bench_world_create(const acp_bench_scene *scene, int with_terrain, acp_vec3 shift, acp_bench_world *out_world,
                                  acp_error *error) {
    acp_bench_world w = {.shift = shift, .radius = scene->sphere_radius};
    w.capacity = TILES * TILES + scene->sphere_count + scene->cylsphere_count;
    w.shapes = calloc(w.capacity, sizeof(acp_shape *));
    w.setups = calloc(w.capacity, sizeof(acp_setup *));
    acp_result result = w.shapes && w.setups ? acp_world_create(NULL, &w.world, error) : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) result = make_land(&w, scene, with_terrain, error);
    if (result == ACP_OK) result = add_meshes(&w, scene, with_terrain ? 128 : 0, error);
    if (result == ACP_OK) result = add_rounds(&w, scene, error);
    if (result == ACP_OK) result = make_soup(&w, scene, with_terrain, error);
    if (result == ACP_OK)
        *out_world = w;
    else
        acp_bench_world_destroy(&w);
    return result;
}

void acp_bench_world_destroy(acp_bench_world *w) {
    acp_world_destroy(w->world);
    acp_terrain_destroy(w->terrain);
    for (uint32_t i = 0; i < w->setup_count; i++)
        acp_setup_destroy(w->setups[i]);
    for (uint32_t i = 0; i < w->shape_count; i++)
        acp_shape_destroy(w->shapes[i]);
    free(w->shapes);
    free(w->setups);
    acp_soup_destroy(w->soup, NULL);
    *w = (acp_bench_world){0};
}

acp_result acp_bench_world_load(const char *directory, int number, acp_bench_scene *out_scene, acp_bench_world *out_world,
                                acp_error *error) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/S%d.json", directory, number);
    acp_result result = acp_bench_scene_load(path, out_scene, error);
    if (result != ACP_OK) return result;
    int with_terrain = number == 1 || number == 5 || number == 6;
    /* S4 reaches over the borders of the middle block on purpose; heights may not be negative. */
    acp_vec3 shift = with_terrain ? (acp_vec3){0, 0, 64} : (number == 4 ? (acp_vec3){3, 3, 64} : (acp_vec3){60, 60, 64});
    result = acp_bench_world_create(out_scene, with_terrain, shift, out_world, error);
    if (result != ACP_OK) acp_bench_scene_free(out_scene);
    return result;
}

acp_position acp_bench_world_position(const acp_bench_world *w, double x, double y, double z) {
    acp_position position = {ACP_BENCH_WORLD_BLOCK | 1u, {{0, 0, 0}, {1, 0, 0, 0}}};
    position.frame.origin = (acp_vec3){acp_f32(x + (double)w->shift.x), acp_f32(y + (double)w->shift.y), acp_f32(z + (double)w->shift.z)};
    if (acp_position_adjust_to_outside(&position) != ACP_OK) position.cell_id = 0;
    return position;
}

acp_vec3 acp_bench_world_point(const acp_bench_world *w, const acp_position *position) {
    acp_vec3 offset = {0, 0, 0};
    if (acp_cell_id_block_offset(ACP_BENCH_WORLD_BLOCK | 1u, position->cell_id, &offset) != ACP_OK) return offset;
    acp_vec3 o = position->frame.origin;
    return (acp_vec3){acp_f32((double)o.x + (double)offset.x - (double)w->shift.x),
                      acp_f32((double)o.y + (double)offset.y - (double)w->shift.y),
                      acp_f32((double)o.z + (double)offset.z - (double)w->shift.z)};
}

acp_mover acp_bench_world_walker(const acp_bench_world *w) {
    acp_mover mover = acp_mover_default();
    mover.sphere_count = 2;
    mover.spheres[0] = (acp_sphere){{0, 0, 0.475f}, w->radius};
    mover.spheres[1] = (acp_sphere){{0, 0, 1.35f}, w->radius};
    mover.step_up_height = 0.6f;
    mover.step_down_height = 1.5f;
    return mover;
}
