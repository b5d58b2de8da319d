/* SPDX-License-Identifier: MIT */
/* Geometry as binary glTF 2.0, a .glb file (docs/format-geometry.md).
 *
 * A mesh a shape, a node an instance below one root node that turns z-up into glTF's y-up. A mesh has a primitive for each kind of
 * polygon it has, with a material that shows the kind; polygons become fans of triangles with corners of their own, so that normals are the
 * faces' and each corner carries its polygon: the vertex attribute _POLYGON is the polygon's place in the primitive's extras, which list
 * the record's numbers and the triangles of each. Frames and scales are the nodes' own.
 *
 * Contract: what glTF 2.0 demands: chunks and accessors aligned to 4, min and max of positions, unit normals, unit rotations.
 * Limits: 4 GB. Cost: about a microsecond a polygon; the file is built in memory. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number_text.h"
#include "base/writer.h"
#include "geom/polygon.h"
#include "support/geometry.h"
#include "support/json.h"

static const struct {
    uint32_t kind;
    const char *name;
    float color[4];
} kinds[] = {
    {ACP_GEOMETRY_PHYSICS, "physics", {0.85f, 0.35f, 0.25f, 1}},
    {ACP_GEOMETRY_DRAWING, "drawing", {0.6f, 0.65f, 0.7f, 1}},
    {ACP_GEOMETRY_PHYSICS | ACP_GEOMETRY_DRAWING, "physics drawing", {0.8f, 0.75f, 0.6f, 1}},
    {ACP_GEOMETRY_PORTAL, "portal", {0.3f, 0.55f, 0.95f, 0.4f}},
    {ACP_GEOMETRY_TERRAIN, "terrain", {0.45f, 0.6f, 0.35f, 1}},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

enum { COMPONENT_FLOAT = 5126, TARGET_VERTICES = 34962 };

typedef struct glb {
    const acp_geometry *g;
    acp_writer bytes; /* the binary chunk */
    acp_json_writer accessors, views, meshes;
    uint32_t accessor_count;
} glb;

static void accessor(glb *out, size_t start, uint32_t count, const char *type, const float *bounds) {
    acp_json_begin_object(&out->views, NULL);
    acp_json_write_uint(&out->views, "buffer", 0);
    acp_json_write_uint(&out->views, "byteOffset", start);
    acp_json_write_uint(&out->views, "byteLength", out->bytes.size - start);
    acp_json_write_uint(&out->views, "target", TARGET_VERTICES);
    acp_json_end_object(&out->views);
    acp_json_begin_object(&out->accessors, NULL);
    acp_json_write_uint(&out->accessors, "bufferView", out->accessor_count++);
    acp_json_write_uint(&out->accessors, "componentType", COMPONENT_FLOAT);
    acp_json_write_uint(&out->accessors, "count", count);
    acp_json_write_string(&out->accessors, "type", type);
    for (uint32_t side = 0; bounds && side < 2; side++) {
        acp_json_begin_array(&out->accessors, side ? "max" : "min");
        for (uint32_t k = 0; k < 3; k++) {
            char text[ACP_NUMBER_TEXT_CAPACITY];
            acp_json_write_raw(&out->accessors, NULL, text, acp_number_format_f32(bounds[3 * side + k], text));
        }
        acp_json_end_array(&out->accessors);
    }
    acp_json_end_object(&out->accessors);
}

static acp_vec3 corner_of(const glb *out, const acp_geometry_shape *shape, const acp_geometry_polygon *p, uint32_t k) {
    return out->g->vertices.items[shape->first_vertex + out->g->corners.items[p->first_corner + k].vertex].position;
}

/* The face's normal; up when it has none. */
static acp_vec3 face_normal(const glb *out, const acp_geometry_shape *shape, const acp_geometry_polygon *p) {
    acp_vec3 points[255];
    uint32_t count = p->corner_count < 255 ? p->corner_count : 255;
    for (uint32_t k = 0; k < count; k++)
        points[k] = corner_of(out, shape, p, k);
    acp_plane plane = acp_polygon_make_plane(points, count);
    return isnan(plane.d) ? (acp_vec3){0, 0, 1} : plane.normal;
}

static uint32_t count_corners(const glb *out, const acp_geometry_shape *shape, uint32_t kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->polygon_count; i++) {
        const acp_geometry_polygon *p = &out->g->polygons.items[shape->first_polygon + i];
        if (p->kind == kind) count += 3 * (p->corner_count - 2);
    }
    return count;
}

typedef enum attribute { ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_POLYGON } attribute;

static void write_attribute(glb *out, const acp_geometry_shape *shape, uint32_t kind, attribute what) {
    float bounds[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    size_t start = out->bytes.size;
    uint32_t place = 0;
    for (uint32_t i = 0; i < shape->polygon_count; i++) {
        const acp_geometry_polygon *p = &out->g->polygons.items[shape->first_polygon + i];
        if (p->kind != kind) continue;
        acp_vec3 normal = face_normal(out, shape, p);
        for (uint32_t k = 0; k + 2 < p->corner_count; k++)
            for (uint32_t n = 0; n < 3; n++) {
                acp_vec3 v = what == ATTRIBUTE_NORMAL ? normal : corner_of(out, shape, p, n == 0 ? 0 : k + n);
                float values[3] = {what == ATTRIBUTE_POLYGON ? (float)place : v.x, v.y, v.z};
                for (uint32_t axis = 0; axis < (what == ATTRIBUTE_POLYGON ? 1u : 3u); axis++) {
                    acp_writer_f32(&out->bytes, values[axis]);
                    bounds[axis] = values[axis] < bounds[axis] ? values[axis] : bounds[axis];
                    bounds[3 + axis] = values[axis] > bounds[3 + axis] ? values[axis] : bounds[3 + axis];
                }
            }
        place++;
    }
    uint32_t corners = count_corners(out, shape, kind);
    accessor(out, start, corners, what == ATTRIBUTE_POLYGON ? "SCALAR" : "VEC3", what == ATTRIBUTE_POSITION ? bounds : NULL);
}

static void write_numbers(glb *out, const acp_geometry_shape *shape, uint32_t kind, const char *key) {
    acp_json_begin_array(&out->meshes, key);
    for (uint32_t i = 0; i < shape->polygon_count; i++) {
        const acp_geometry_polygon *p = &out->g->polygons.items[shape->first_polygon + i];
        if (p->kind != kind) continue;
        int32_t value = strcmp(key, "triangles") == 0 ? (int32_t)p->corner_count - 2
                        : strcmp(key, "drawing") == 0 ? p->drawing
                        : strcmp(key, "portal") == 0  ? p->portal
                                                      : p->physics;
        acp_json_write_int(&out->meshes, NULL, value);
    }
    acp_json_end_array(&out->meshes);
}

static void write_primitive(glb *out, const acp_geometry_shape *shape, uint32_t row) {
    uint32_t kind = kinds[row].kind, first = out->accessor_count;
    write_attribute(out, shape, kind, ATTRIBUTE_POSITION);
    write_attribute(out, shape, kind, ATTRIBUTE_NORMAL);
    write_attribute(out, shape, kind, ATTRIBUTE_POLYGON);
    acp_json_writer *w = &out->meshes;
    acp_json_begin_object(w, NULL);
    acp_json_begin_object(w, "attributes");
    acp_json_write_uint(w, "POSITION", first);
    acp_json_write_uint(w, "NORMAL", first + 1);
    acp_json_write_uint(w, "_POLYGON", first + 2);
    acp_json_end_object(w);
    acp_json_write_uint(w, "material", row);
    acp_json_begin_object(w, "extras");
    acp_json_write_string(w, "kind", kinds[row].name);
    if (kind & ACP_GEOMETRY_PHYSICS) write_numbers(out, shape, kind, "physics");
    if (kind & (ACP_GEOMETRY_DRAWING | ACP_GEOMETRY_PORTAL)) write_numbers(out, shape, kind, "drawing");
    if (kind & ACP_GEOMETRY_PORTAL) write_numbers(out, shape, kind, "portal");
    if (kind & ACP_GEOMETRY_TERRAIN) write_numbers(out, shape, kind, "triangle");
    write_numbers(out, shape, kind, "triangles");
    acp_json_end_object(w);
    acp_json_end_object(w);
}

/* A mesh without polygons would have no primitives, which glTF forbids: such a shape has none. */
static bool has_mesh(const acp_geometry *g, uint32_t shape) { return g->shapes.items[shape].polygon_count > 0; }

static uint32_t mesh_of(const acp_geometry *g, uint32_t shape) {
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < shape; i++)
        mesh += has_mesh(g, i);
    return mesh;
}

static void write_meshes(glb *out) {
    for (uint32_t i = 0; i < out->g->shapes.count; i++) {
        const acp_geometry_shape *shape = &out->g->shapes.items[i];
        if (!has_mesh(out->g, i)) continue;
        acp_json_begin_object(&out->meshes, NULL);
        acp_json_write_string(&out->meshes, "name", shape->name);
        acp_json_begin_array(&out->meshes, "primitives");
        for (uint32_t k = 0; k < KIND_COUNT; k++)
            if (count_corners(out, shape, kinds[k].kind)) write_primitive(out, shape, k);
        acp_json_end_array(&out->meshes);
        acp_json_end_object(&out->meshes);
    }
}

/* ---- the document ---- */

static void write_floats(acp_json_writer *w, const char *key, const double *values, uint32_t count) {
    acp_json_begin_array(w, key);
    for (uint32_t i = 0; i < count; i++) {
        char text[ACP_NUMBER_TEXT_CAPACITY];
        acp_json_write_raw(w, NULL, text, acp_number_format_f32((float)values[i], text));
    }
    acp_json_end_array(w);
}

static void write_node(const acp_geometry *g, const acp_geometry_instance *instance, acp_json_writer *w) {
    const acp_quaternion *q = &instance->frame.rotation;
    double length =
        sqrt(((double)q->w * (double)q->w + (double)q->x * (double)q->x) + ((double)q->y * (double)q->y + (double)q->z * (double)q->z));
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "name", instance->name);
    if (has_mesh(g, instance->shape)) acp_json_write_uint(w, "mesh", mesh_of(g, instance->shape));
    double origin[3] = {(double)instance->frame.origin.x, (double)instance->frame.origin.y, (double)instance->frame.origin.z};
    write_floats(w, "translation", origin, 3);
    if (length > 0) {
        double rotation[4] = {(double)q->x / length, (double)q->y / length, (double)q->z / length, (double)q->w / length};
        write_floats(w, "rotation", rotation, 4);
    }
    double scale[3] = {(double)instance->scale.x, (double)instance->scale.y, (double)instance->scale.z};
    write_floats(w, "scale", scale, 3);
    char text[16];
    acp_json_begin_object(w, "extras");
    (void)snprintf(text, sizeof text, "0x%08" PRIX32, instance->id);
    acp_json_write_string(w, "id", text);
    (void)snprintf(text, sizeof text, "0x%08" PRIX32, g->shapes.items[instance->shape].record_id);
    acp_json_write_string(w, "record", text);
    acp_json_end_object(w);
    acp_json_end_object(w);
}

static void write_nodes(const acp_geometry *g, acp_json_writer *w) {
    static const double y_up[4] = {-0.70710678118654752, 0, 0, 0.70710678118654752};
    acp_json_begin_array(w, "nodes");
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "name", "acphys");
    write_floats(w, "rotation", y_up, 4);
    if (g->instances.count) acp_json_begin_array(w, "children");
    for (uint32_t i = 0; i < g->instances.count; i++)
        acp_json_write_uint(w, NULL, i + 1);
    if (g->instances.count) acp_json_end_array(w);
    acp_json_end_object(w);
    for (uint32_t i = 0; i < g->instances.count; i++)
        write_node(g, &g->instances.items[i], w);
    acp_json_end_array(w);
}

static void write_materials(acp_json_writer *w) {
    acp_json_begin_array(w, "materials");
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        double color[4] = {(double)kinds[i].color[0], (double)kinds[i].color[1], (double)kinds[i].color[2], (double)kinds[i].color[3]};
        acp_json_begin_object(w, NULL);
        acp_json_write_string(w, "name", kinds[i].name);
        acp_json_begin_object(w, "pbrMetallicRoughness");
        write_floats(w, "baseColorFactor", color, 4);
        acp_json_write_uint(w, "metallicFactor", 0);
        acp_json_end_object(w);
        if (color[3] < 1) acp_json_write_string(w, "alphaMode", "BLEND");
        if (color[3] < 1) acp_json_write_bool(w, "doubleSided", true);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static void write_list(acp_json_writer *w, const char *key, acp_json_writer *list) {
    acp_json_end_array(list);
    const char *text = acp_json_writer_text(list);
    if (list->is_failed) w->is_failed = true;
    if (list->length > 2) acp_json_write_raw(w, key, text, list->length); /* glTF allows no empty lists */
}

static void write_document(glb *out, acp_json_writer *w) {
    acp_json_begin_object(w, NULL);
    acp_json_begin_object(w, "asset");
    acp_json_write_string(w, "version", "2.0");
    acp_json_write_string(w, "generator", "acphys");
    acp_json_end_object(w);
    acp_json_write_uint(w, "scene", 0);
    acp_json_begin_array(w, "scenes");
    acp_json_begin_object(w, NULL);
    acp_json_begin_array(w, "nodes");
    acp_json_write_uint(w, NULL, 0);
    acp_json_end_array(w);
    acp_json_end_object(w);
    acp_json_end_array(w);
    write_nodes(out->g, w);
    write_materials(w);
    write_list(w, "meshes", &out->meshes);
    write_list(w, "accessors", &out->accessors);
    write_list(w, "bufferViews", &out->views);
    if (out->bytes.size) {
        acp_json_begin_array(w, "buffers");
        acp_json_begin_object(w, NULL);
        acp_json_write_uint(w, "byteLength", out->bytes.size);
        acp_json_end_object(w);
        acp_json_end_array(w);
    }
    acp_json_end_object(w);
}

static void write_u32(FILE *stream, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    (void)fwrite(bytes, 1, sizeof bytes, stream);
}

bool acp_geometry_write_glb(const acp_geometry *g, FILE *stream) {
    glb out = {.g = g};
    acp_json_writer document = {0};
    acp_writer_init(&out.bytes, NULL);
    acp_json_begin_array(&out.accessors, NULL);
    acp_json_begin_array(&out.views, NULL);
    acp_json_begin_array(&out.meshes, NULL);
    write_meshes(&out);
    write_document(&out, &document);
    size_t padded = (document.length + 3) / 4 * 4, total = 12 + 8 + padded + (out.bytes.size ? 8 + out.bytes.size : 0);
    bool is_good = !document.is_failed && acp_writer_is_ok(&out.bytes) && total <= UINT32_MAX && !g->is_failed;
    if (is_good) {
        write_u32(stream, 0x46546C67u); /* "glTF" */
        write_u32(stream, 2);
        write_u32(stream, (uint32_t)total);
        write_u32(stream, (uint32_t)padded);
        write_u32(stream, 0x4E4F534Au); /* "JSON" */
        (void)fwrite(document.text, 1, document.length, stream);
        (void)fwrite("   ", 1, padded - document.length, stream);
        if (out.bytes.size) {
            write_u32(stream, (uint32_t)out.bytes.size); /* floats only: a multiple of 4 */
            write_u32(stream, 0x004E4942u);              /* "BIN" */
            (void)fwrite(out.bytes.bytes, 1, out.bytes.size, stream);
        }
    }
    acp_writer_free(&out.bytes);
    acp_json_writer_free(&out.accessors);
    acp_json_writer_free(&out.views);
    acp_json_writer_free(&out.meshes);
    acp_json_writer_free(&document);
    return is_good;
}
