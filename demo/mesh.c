/* SPDX-License-Identifier: MIT */
/* Shapes of the tables as polygons.
 *
 * A list of shapes is a list of objects, each with one of the kinds below and, if it is to stand elsewhere, "at", "turn" or "rotate":
 *   box      [x0,y0,z0,x1,y1,z1]
 *   prism    outline [[a,b],…] counter-clockwise, with "from" and "to" along "axis" (z, the default: a,b = x,y; y: a,b = x,z, seen
 *            along +y)
 *   round    number of sides, with "radius", "from", "to": an upright prism about the z axis
 *   stairs   [x,y,z] of the first riser's foot, going +x, with "run", "rise", "count", "width" (along +y)
 *   face     [[x,y,z],…], one polygon, counter-clockwise from the side that stops a mover
 *   obj      name of a file of demo/shapes
 * Polygons are counter-clockwise seen from outside. */
#include <string.h>

#include "base/error.h"
#include "demo/builder.h"

#define MAX_SIDES 64u

void demo_mesh_free(demo_builder *b, demo_mesh *mesh) {
    ACP_ARRAY_FREE(&mesh->vertices, &b->allocator);
    ACP_ARRAY_FREE(&mesh->indices, &b->allocator);
    ACP_ARRAY_FREE(&mesh->polygons, &b->allocator);
}

void demo_mesh_add(demo_builder *b, demo_mesh *mesh, const acp_vec3 *points, uint32_t count, uint32_t flags) {
    acp_mesh_polygon polygon = {
        .first_index = mesh->indices.count, .point_count = count, .flags = flags, .pos_surface = -1, .neg_surface = -1};
    acp_result result = ACP_OK;
    if (b->result != ACP_OK) return;
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        result = ACP_ARRAY_PUSH(&mesh->indices, &b->allocator, mesh->vertices.count);
        if (result == ACP_OK) result = ACP_ARRAY_PUSH(&mesh->vertices, &b->allocator, points[i]);
    }
    if (result == ACP_OK) result = ACP_ARRAY_PUSH(&mesh->polygons, &b->allocator, polygon);
    if (result != ACP_OK) demo_fail(b, result, "shape", "memory refused");
}

acp_mesh demo_mesh_view(const demo_mesh *mesh) {
    acp_mesh view = acp_mesh_default();
    view.vertices = mesh->vertices.items;
    view.vertex_count = mesh->vertices.count;
    view.indices = mesh->indices.items;
    view.index_count = mesh->indices.count;
    view.polygons = mesh->polygons.items;
    view.polygon_count = mesh->polygons.count;
    return view;
}

/* Moves points to where the shape stands and adds the polygon. */
static void add_placed(demo_builder *b, demo_mesh *mesh, const acp_frame *frame, const acp_vec3 *points, uint32_t count, uint32_t flags) {
    acp_vec3 placed[MAX_SIDES];
    for (uint32_t i = 0; i < count && b->result == ACP_OK; i++)
        if (acp_frame_local_to_global(frame, points[i], &placed[i]) != ACP_OK) demo_fail(b, ACP_ERROR_BAD_DATA, "shape", "not a place");
    demo_mesh_add(b, mesh, placed, count, flags);
}

typedef struct outline_point {
    float u, v;
} outline_point;

/* An outline drawn out along z (or y): two ends and the sides. */
static void add_prism(demo_builder *b, demo_mesh *mesh, const acp_frame *frame, const outline_point *outline, uint32_t count,
                      bool is_along_y, float from, float to, uint32_t flags) {
    acp_vec3 low[MAX_SIDES] = {{0, 0, 0}}, high[MAX_SIDES] = {{0, 0, 0}}, end[MAX_SIDES] = {{0, 0, 0}}, side[4];
    for (uint32_t i = 0; i < count; i++) {
        float u = outline[i].u, v = outline[i].v;
        low[i] = is_along_y ? (acp_vec3){u, from, v} : (acp_vec3){u, v, from};
        high[i] = is_along_y ? (acp_vec3){u, to, v} : (acp_vec3){u, v, to};
    }
    for (uint32_t i = 0; i < count; i++) /* the far end: along y the outline is seen from behind */
        end[i] = is_along_y ? high[count - 1u - i] : high[i];
    add_placed(b, mesh, frame, end, count, flags);
    for (uint32_t i = 0; i < count; i++)
        end[i] = is_along_y ? low[i] : low[count - 1u - i];
    add_placed(b, mesh, frame, end, count, flags);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (i + 1u) % count;
        acp_vec3 quad[4] = {low[i], low[j], high[j], high[i]};
        for (uint32_t k = 0; k < 4; k++)
            side[k] = quad[is_along_y ? 3u - k : k];
        add_placed(b, mesh, frame, side, 4, flags);
    }
}

static void add_box(demo_builder *b, demo_mesh *mesh, const acp_json *shape, const acp_frame *frame, uint32_t flags) {
    float v[6];
    if (!demo_get_numbers(b, shape, "box", v, 6, false)) return;
    const outline_point outline[4] = {{v[0], v[1]}, {v[3], v[1]}, {v[3], v[4]}, {v[0], v[4]}};
    add_prism(b, mesh, frame, outline, 4, false, v[2], v[5], flags);
}

static void add_outline(demo_builder *b, demo_mesh *mesh, const acp_json *shape, const acp_frame *frame, uint32_t flags) {
    uint32_t count = 0;
    outline_point outline[MAX_SIDES];
    float from = 0, to = 0;
    const float *numbers = acp_json_get_floats(&b->in, &b->reader, shape, "prism", &count);
    if (!demo_check_input(b, "prism")) return;
    if (count < 6 || count % 2u != 0 || count > 2u * MAX_SIDES) {
        demo_fail(b, ACP_ERROR_BAD_DATA, "prism", "an outline of 3 to 64 points is expected");
        return;
    }
    for (uint32_t i = 0; i < count; i += 2)
        outline[i / 2u] = (outline_point){numbers[i], numbers[i + 1]};
    (void)demo_get_numbers(b, shape, "from", &from, 1, false);
    (void)demo_get_numbers(b, shape, "to", &to, 1, false);
    add_prism(b, mesh, frame, outline, count / 2u, acp_json_is_text(acp_json_member(shape, "axis"), "y"), from, to, flags);
}

static void add_round(demo_builder *b, demo_mesh *mesh, const acp_json *shape, const acp_frame *frame, uint32_t flags) {
    outline_point outline[MAX_SIDES];
    float radius = 0, from = 0, to = 0;
    uint32_t count = acp_json_get_uint32(&b->in, shape, "round");
    (void)demo_get_numbers(b, shape, "radius", &radius, 1, false);
    (void)demo_get_numbers(b, shape, "from", &from, 1, false);
    (void)demo_get_numbers(b, shape, "to", &to, 1, false);
    if (!demo_check_input(b, "round")) return;
    if (count < 3 || count > MAX_SIDES) {
        demo_fail(b, ACP_ERROR_BAD_DATA, "round", "3 to 64 sides");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        double sine, cosine;
        demo_sine_cosine(360.0 * i / count, &sine, &cosine);
        outline[i].u = (float)((double)radius * cosine);
        outline[i].v = (float)((double)radius * sine);
    }
    add_prism(b, mesh, frame, outline, count, false, from, to, flags);
}

/* Risers, treads, the two cheeks step by step, and the back: everything a mover can meet. */
static void add_stairs(demo_builder *b, demo_mesh *mesh, const acp_json *shape, const acp_frame *frame, uint32_t flags) {
    float foot[3], run, rise, width;
    if (!demo_get_numbers(b, shape, "stairs", foot, 3, false) || !demo_get_numbers(b, shape, "run", &run, 1, false) ||
        !demo_get_numbers(b, shape, "rise", &rise, 1, false) || !demo_get_numbers(b, shape, "width", &width, 1, false))
        return;
    uint32_t count = acp_json_get_uint32(&b->in, shape, "count");
    if (!demo_check_input(b, "stairs")) return;
    float y0 = foot[1], y1 = (float)((double)foot[1] + (double)width);
    for (uint32_t i = 0; i < count && b->result == ACP_OK; i++) {
        float x0 = (float)((double)foot[0] + (double)run * i), x1 = (float)((double)foot[0] + (double)run * (i + 1u));
        float z0 = (float)((double)foot[2] + (double)rise * i), z1 = (float)((double)foot[2] + (double)rise * (i + 1u)), low = foot[2];
        const acp_vec3 riser[4] = {{x0, y1, z0}, {x0, y0, z0}, {x0, y0, z1}, {x0, y1, z1}};
        const acp_vec3 tread[4] = {{x0, y0, z1}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z1}};
        const acp_vec3 right[4] = {{x0, y0, low}, {x1, y0, low}, {x1, y0, z1}, {x0, y0, z1}};
        const acp_vec3 left[4] = {{x1, y1, low}, {x0, y1, low}, {x0, y1, z1}, {x1, y1, z1}};
        add_placed(b, mesh, frame, riser, 4, flags);
        add_placed(b, mesh, frame, tread, 4, flags);
        add_placed(b, mesh, frame, right, 4, flags);
        add_placed(b, mesh, frame, left, 4, flags);
        const acp_vec3 back[4] = {{x1, y0, low}, {x1, y1, low}, {x1, y1, z1}, {x1, y0, z1}};
        if (i + 1u == count) add_placed(b, mesh, frame, back, 4, flags);
    }
}

static void add_face(demo_builder *b, demo_mesh *mesh, const acp_json *shape, const acp_frame *frame, uint32_t flags) {
    uint32_t count = 0;
    acp_vec3 points[MAX_SIDES];
    const float *n = acp_json_get_floats(&b->in, &b->reader, shape, "face", &count);
    if (!demo_check_input(b, "face")) return;
    if (count < 9 || count % 3u != 0 || count > 3u * MAX_SIDES) {
        demo_fail(b, ACP_ERROR_BAD_DATA, "face", "3 to 64 corners of three numbers each");
        return;
    }
    for (uint32_t i = 0; i < count / 3u; i++)
        points[i] = (acp_vec3){n[3 * i], n[3 * i + 1], n[3 * i + 2]};
    add_placed(b, mesh, frame, points, count / 3u, flags);
}

void demo_mesh_add_shapes(demo_builder *b, demo_mesh *mesh, const acp_json *shapes, uint32_t flags, const char *what) {
    if (b->result != ACP_OK || !shapes) return;
    if (shapes->type != ACP_JSON_ARRAY) demo_fail(b, ACP_ERROR_BAD_DATA, what, "a list of shapes is expected");
    for (const acp_json *shape = shapes->first; shape && b->result == ACP_OK; shape = shape->next) {
        acp_frame frame = demo_get_frame(b, shape);
        if (acp_json_has(shape, "box"))
            add_box(b, mesh, shape, &frame, flags);
        else if (acp_json_has(shape, "prism"))
            add_outline(b, mesh, shape, &frame, flags);
        else if (acp_json_has(shape, "round"))
            add_round(b, mesh, shape, &frame, flags);
        else if (acp_json_has(shape, "stairs"))
            add_stairs(b, mesh, shape, &frame, flags);
        else if (acp_json_has(shape, "face"))
            add_face(b, mesh, shape, &frame, flags);
        else if (acp_json_has(shape, "obj"))
            demo_mesh_add_obj(b, mesh, demo_get_text(b, shape, "obj"), &frame, flags);
        else
            demo_fail(b, ACP_ERROR_BAD_DATA, what, "a shape is box, prism, round, stairs, face or obj");
    }
}
