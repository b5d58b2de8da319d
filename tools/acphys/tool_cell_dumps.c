/* SPDX-License-Identifier: MIT */
/* Dumps of rooms and shells to a scene.
 *
 * A room's frame is its transform (rows are the images of its axes), as a quaternion. Its walls are one leaf with all physics polygons, a
 * correct, slow tree. Containment: of all walls and openings, turned to face the room, those planes that have every point of the room in
 * front of them (2 cm are forgiven); the client's containment trees are such runs of planes too. For a room that is not convex this is its
 * hull, as far as its own faces make it. Rooms of one origin are a building; its portals are the rooms' openings to the outside. A portal's
 * partner is the neighbour's portal back, the nearest when there are several.
 *
 * Contract: faults of the files go into the input. Limits: 4096 dumps, 16 MB each. Cost: faces x points for each room. Planes are made anew
 * from the points (spec 03 POLY-2); those in the files are not read. Specs 02, 03 §9, 04 §11. */
#include "tools/acphys/tool_cell_dumps.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "geom/polygon.h"
#include "math/number.h"
#include "support/load_file.h"

#define MAX_DUMPS  4096u
#define FILE_LIMIT ((size_t)16u << 20)
#define MAX_POINTS 64u
#define FORGIVEN   0.02 /* metres behind a plane of the hull */
#define OUTSIDE    65535u

/* ------------------------------------------------------------------------------------------------------------------- the files */

/* "0xA9B40170.json" or "0x01000A2B.gfxobj.json". */
static bool read_name(const char *name, uint32_t *out_id, bool *out_is_shape) {
    if (strlen(name) < 15u || name[0] != '0' || name[1] != 'x' || strspn(name + 2, "0123456789abcdefABCDEF") != 8u) return false;
    *out_is_shape = strcmp(name + 10, ".gfxobj.json") == 0;
    *out_id = (uint32_t)strtoul(name + 2, NULL, 16);
    return *out_is_shape || strcmp(name + 10, ".json") == 0;
}

static const acp_cell_dump *find(const acp_cell_dumps *dumps, uint32_t id) {
    for (uint32_t i = 0; i < dumps->count; i++)
        if (dumps->items[i].id == id) return &dumps->items[i];
    return NULL;
}

static int read_dump(acp_cell_dumps *dumps, const acp_command_line *line, const char *path, uint32_t id, bool is_shape) {
    acp_error error;
    acp_json_fault fault;
    size_t size;
    if (find(dumps, id)) return ACP_EXIT_OK;
    if (dumps->count == MAX_DUMPS) {
        acp_command_error(line, "more than %u dumps", MAX_DUMPS);
        return ACP_EXIT_BAD_DATA;
    }
    if (dumps->count == dumps->capacity) {
        uint32_t capacity = dumps->capacity ? dumps->capacity * 2u : 64u;
        acp_cell_dump *items = realloc(dumps->items, capacity * sizeof *items);
        if (!items) {
            acp_command_error(line, "out of memory");
            return ACP_EXIT_INTERNAL;
        }
        dumps->items = items;
        dumps->capacity = capacity;
    }
    acp_cell_dump *dump = &dumps->items[dumps->count];
    memset(dump, 0, sizeof *dump);
    if (acp_load_file(path, FILE_LIMIT, &dump->text, &size, &error) != ACP_OK) return acp_command_fail(line, &error);
    dumps->count++;
    dump->id = id;
    dump->is_shape = is_shape;
    dump->json = acp_json_read(&dump->reader, dump->text, size, &fault);
    if (dump->json) return ACP_EXIT_OK;
    acp_command_error(line, "%s: at byte %zu: %s", path, fault.offset, fault.message);
    return fault.is_out_of_memory ? ACP_EXIT_INTERNAL : ACP_EXIT_BAD_DATA;
}

/* The dumps of one folder; `depth` more levels of folders. */
static int read_folder(acp_cell_dumps *dumps, const acp_command_line *line, const char *folder, int depth) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort), code = ACP_EXIT_OK;
    if (count < 0) {
        acp_command_error(line, "%s: %s", folder, strerror(errno));
        return ACP_EXIT_IO;
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat status;
        uint32_t id;
        bool is_shape;
        const char *name = entries[i]->d_name;
        int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        bool is_usable = code == ACP_EXIT_OK && length > 0 && (size_t)length < sizeof path && name[0] != '.';
        if (is_usable && read_name(name, &id, &is_shape))
            code = read_dump(dumps, line, path, id, is_shape);
        else if (is_usable && depth > 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            code = read_folder(dumps, line, path, depth - 1);
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = ((const acp_cell_dump *)a)->id, y = ((const acp_cell_dump *)b)->id;
    return (x > y) - (x < y);
}

int acp_cell_dumps_open(acp_cell_dumps *dumps, const acp_command_line *line, const char *folder) {
    memset(dumps, 0, sizeof *dumps);
    int code = read_folder(dumps, line, folder, 1);
    if (code == ACP_EXIT_OK && dumps->count == 0) {
        acp_command_error(line, "%s: no dumps of cells there", folder);
        return ACP_EXIT_BAD_DATA;
    }
    if (dumps->count) qsort(dumps->items, dumps->count, sizeof *dumps->items, compare_ids);
    return code;
}

void acp_cell_dumps_close(acp_cell_dumps *dumps) {
    for (uint32_t i = 0; i < dumps->count; i++) {
        acp_json_reader_free(&dumps->items[i].reader);
        free(dumps->items[i].text);
    }
    free(dumps->items);
    memset(dumps, 0, sizeof *dumps);
}

/* -------------------------------------------------------------------------------------------------------------------- geometry */

typedef struct face {
    acp_vec3 points[MAX_POINTS];
    uint32_t count;
    acp_plane plane;
} face;

static bool read_face(acp_json_input *input, const acp_json *polygon, face *out) {
    const acp_json *vertices = acp_json_get_array(input, polygon, "Vertices");
    if (vertices && (vertices->count < 3u || vertices->count > MAX_POINTS))
        acp_json_fail(input, ACP_ERROR_BAD_DATA, "Vertices", "a polygon has 3 to 64 points");
    if (acp_json_is_failed(input) || !vertices) return false;
    out->count = 0;
    for (const acp_json *v = vertices->first; v; v = v->next) {
        acp_vec3 p = {acp_json_get_float(input, v, "X"), acp_json_get_float(input, v, "Y"), acp_json_get_float(input, v, "Z")};
        out->points[out->count++] = p;
    }
    out->plane = acp_polygon_make_plane(out->points, out->count);
    return !acp_json_is_failed(input);
}

static const acp_json *polygon_of_id(acp_json_input *input, const acp_json *room, uint32_t id) {
    const acp_json *all = acp_json_get_array(input, room, "PortalPolygons");
    for (const acp_json *p = all ? all->first : NULL; p; p = p->next)
        if (acp_json_get_uint32(input, p, "Id") == id) return p;
    acp_json_fail(input, ACP_ERROR_BAD_DATA, "PolygonId", "the room has no such polygon");
    return NULL;
}

static double height_above(const acp_plane *plane, const acp_vec3 *p) {
    return (double)plane->normal.x * (double)p->x + (double)plane->normal.y * (double)p->y + (double)plane->normal.z * (double)p->z +
           (double)plane->d;
}

static bool has_all_in_front(acp_json_input *input, const acp_json *room, const acp_plane *plane) {
    face f;
    const acp_json *walls = acp_json_get_array(input, room, "ResolvedPolygons");
    const acp_json *portals = acp_json_get_array(input, room, "Portals");
    for (const acp_json *p = walls ? walls->first : NULL; p; p = p->next) {
        if (!read_face(input, p, &f)) return false;
        for (uint32_t i = 0; i < f.count; i++)
            if (height_above(plane, &f.points[i]) < -FORGIVEN) return false;
    }
    for (const acp_json *p = portals ? portals->first : NULL; p; p = p->next) {
        const acp_json *polygon = polygon_of_id(input, room, acp_json_get_uint32(input, p, "PolygonId"));
        if (!polygon || !read_face(input, polygon, &f)) return false;
        for (uint32_t i = 0; i < f.count; i++)
            if (height_above(plane, &f.points[i]) < -FORGIVEN) return false;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------------- trees */

static void write_points(acp_json_writer *w, const face *f) {
    acp_json_begin_array(w, "v");
    for (uint32_t i = 0; i < f->count; i++)
        acp_json_write_vec3(w, NULL, f->points[i]);
    acp_json_end_array(w);
}

/* The members polys and bsp: all of a list in one leaf. */
static void write_leaf(acp_json_input *input, acp_json_writer *w, const acp_json *polygons) {
    face f;
    acp_vec3 low = {0.0f, 0.0f, 0.0f}, high = low;
    uint32_t count = 0;
    acp_json_begin_array(w, "polys");
    for (const acp_json *p = polygons ? polygons->first : NULL; p && read_face(input, p, &f); p = p->next) {
        acp_json_begin_object(w, NULL);
        write_points(w, &f);
        acp_json_end_object(w);
        for (uint32_t i = 0; i < f.count; i++) {
            const acp_vec3 *v = &f.points[i];
            bool is_first = count == 0 && i == 0;
            low.x = is_first || v->x < low.x ? v->x : low.x, high.x = is_first || v->x > high.x ? v->x : high.x;
            low.y = is_first || v->y < low.y ? v->y : low.y, high.y = is_first || v->y > high.y ? v->y : high.y;
            low.z = is_first || v->z < low.z ? v->z : low.z, high.z = is_first || v->z > high.z ? v->z : high.z;
        }
        count++;
    }
    acp_json_end_array(w);
    double x = (double)high.x - (double)low.x, y = (double)high.y - (double)low.y, z = (double)high.z - (double)low.z;
    const float sphere[4] = {acp_f32(((double)low.x + (double)high.x) / 2.0), acp_f32(((double)low.y + (double)high.y) / 2.0),
                             acp_f32(((double)low.z + (double)high.z) / 2.0), acp_f32(sqrt(x * x + y * y + z * z) / 2.0 + 0.01)};
    acp_json_begin_object(w, "bsp");
    acp_json_write_uint(w, "leaf", 0);
    acp_json_write_uint(w, "solid", 0);
    acp_json_begin_array(w, "polys");
    for (uint32_t i = 0; i < count; i++)
        acp_json_write_uint(w, NULL, i);
    acp_json_end_array(w);
    acp_json_write_floats(w, "s", sphere, 4);
    acp_json_end_object(w);
}

static void write_plane_node(acp_json_writer *w, const acp_plane *plane, uint32_t depth) {
    const float p[4] = {plane->normal.x, plane->normal.y, plane->normal.z, plane->d};
    acp_json_begin_object(w, depth ? "pos" : "cell_bsp");
    acp_json_write_floats(w, "p", p, 4);
}

static bool is_repeated(const acp_plane *planes, uint32_t count, const acp_plane *plane) {
    for (uint32_t i = 0; i < count; i++) {
        const acp_plane *q = &planes[i];
        double same = (double)q->normal.x * (double)plane->normal.x + (double)q->normal.y * (double)plane->normal.y +
                      (double)q->normal.z * (double)plane->normal.z;
        if (same > 0.99999 && fabs((double)q->d - (double)plane->d) < 0.001) return true;
    }
    return false;
}

/* The run of planes of the hull, openings first. */
static void write_containment(acp_json_input *input, acp_json_writer *w, const acp_json *room) {
    acp_plane planes[64];
    uint32_t count = 0;
    face f;
    const acp_json *portals = acp_json_get_array(input, room, "Portals"), *walls = acp_json_get_array(input, room, "ResolvedPolygons");
    const acp_json *p = portals ? portals->first : NULL;
    for (bool is_wall = false; count < 64u;) {
        if (!p && is_wall) break;
        if (!p) {
            is_wall = true;
            p = walls ? walls->first : NULL;
            continue;
        }
        const acp_json *polygon = is_wall ? p : polygon_of_id(input, room, acp_json_get_uint32(input, p, "PolygonId"));
        if (!polygon || !read_face(input, polygon, &f)) return;
        if (!is_wall && !(acp_json_get_uint32(input, p, "Flags") & 2u)) {
            f.plane.normal.x = -f.plane.normal.x, f.plane.normal.y = -f.plane.normal.y, f.plane.normal.z = -f.plane.normal.z;
            f.plane.d = -f.plane.d;
        }
        if (!is_repeated(planes, count, &f.plane) && has_all_in_front(input, room, &f.plane)) planes[count++] = f.plane;
        p = p->next;
    }
    for (uint32_t i = 0; i < count; i++)
        write_plane_node(w, &planes[i], i);
    for (uint32_t i = 0; i < count; i++)
        acp_json_end_object(w);
}

/* ----------------------------------------------------------------------------------------------------------------------- rooms */

typedef struct transform {
    double rows[3][3];
    acp_vec3 origin;
    acp_quaternion rotation;
} transform;

static transform read_transform(acp_json_input *input, const acp_json *room) {
    transform t;
    memset(&t, 0, sizeof t);
    const acp_json *m = acp_json_get_object(input, room, "WorldTransform");
    char key[4] = "M11";
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            key[1] = (char)('1' + i);
            key[2] = (char)('1' + k);
            t.rows[i][k] = (double)acp_json_get_float(input, m, key);
        }
    }
    t.origin.x = acp_json_get_float(input, m, "M41");
    t.origin.y = acp_json_get_float(input, m, "M42");
    t.origin.z = acp_json_get_float(input, m, "M43");
    const double(*r)[3] = (const double(*)[3])t.rows;
    const double squares[4] = {1.0 + r[0][0] + r[1][1] + r[2][2], 1.0 + r[0][0] - r[1][1] - r[2][2], 1.0 - r[0][0] + r[1][1] - r[2][2],
                               1.0 - r[0][0] - r[1][1] + r[2][2]};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (squares[i] > squares[largest]) largest = i;
    double q[4], four = 2.0 * sqrt(squares[largest] > 0.0 ? squares[largest] : 0.0);
    if (!(four > 0.0)) {
        acp_json_fail(input, ACP_ERROR_BAD_DATA, "WorldTransform", "no rotation");
        return t;
    }
    q[largest] = four / 4.0;
    const double wx = (r[1][2] - r[2][1]) / four, wy = (r[2][0] - r[0][2]) / four, wz = (r[0][1] - r[1][0]) / four;
    const double xy = (r[0][1] + r[1][0]) / four, xz = (r[2][0] + r[0][2]) / four, yz = (r[1][2] + r[2][1]) / four;
    if (largest == 0) q[1] = wx, q[2] = wy, q[3] = wz;
    if (largest == 1) q[0] = wx, q[2] = xy, q[3] = xz;
    if (largest == 2) q[0] = wy, q[1] = xy, q[3] = yz;
    if (largest == 3) q[0] = wz, q[1] = xz, q[2] = yz;
    acp_quaternion rotation = {acp_f32(q[0]), acp_f32(q[1]), acp_f32(q[2]), acp_f32(q[3])};
    t.rotation = rotation;
    return t;
}

static void write_frame(acp_json_writer *w, const char *key, uint32_t cell_id, const transform *t) {
    acp_json_begin_object(w, key);
    if (cell_id) acp_json_write_id(w, "cell", cell_id);
    acp_json_write_quaternion(w, "q", t->rotation);
    acp_json_write_vec3(w, "o", t->origin);
    acp_json_end_object(w);
}

/* The middle of an opening, in the landblock. */
static bool middle(acp_json_input *input, const acp_json *room, const acp_json *portal, double out[3]) {
    face f;
    double local[3] = {0.0, 0.0, 0.0};
    const acp_json *polygon = polygon_of_id(input, room, acp_json_get_uint32(input, portal, "PolygonId"));
    if (!polygon || !read_face(input, polygon, &f)) return false;
    for (uint32_t i = 0; i < f.count; i++) {
        local[0] += (double)f.points[i].x / f.count;
        local[1] += (double)f.points[i].y / f.count;
        local[2] += (double)f.points[i].z / f.count;
    }
    transform t = read_transform(input, room);
    const double origin[3] = {(double)t.origin.x, (double)t.origin.y, (double)t.origin.z};
    for (int k = 0; k < 3; k++)
        out[k] = origin[k] + local[0] * t.rows[0][k] + local[1] * t.rows[1][k] + local[2] * t.rows[2][k];
    return true;
}

/* The index of the neighbour's portal back, 0 when the neighbour is not there. */
static uint32_t partner(const acp_cell_dumps *dumps, acp_json_input *input, const acp_cell_dump *dump, const acp_json *portal,
                        uint32_t other_id) {
    const acp_cell_dump *other = find(dumps, other_id);
    double here[3], there[3], best = 1e30;
    uint32_t index = 0, found = 0;
    if (!other || !middle(input, dump->json, portal, here)) return 0;
    const acp_json *portals = acp_json_get_array(input, other->json, "Portals");
    for (const acp_json *p = portals ? portals->first : NULL; p; p = p->next, index++) {
        if (acp_json_get_uint32(input, p, "OtherCellId") != (dump->id & 0xFFFFu) || !middle(input, other->json, p, there)) continue;
        double far = 0.0;
        for (int k = 0; k < 3; k++)
            far += (here[k] - there[k]) * (here[k] - there[k]);
        if (far < best) best = far, found = index;
    }
    return found;
}

static bool leads_outside(acp_json_input *input, const acp_cell_dump *dump) {
    const acp_json *portals = acp_json_get_array(input, dump->json, "Portals");
    for (const acp_json *p = portals ? portals->first : NULL; p; p = p->next)
        if (acp_json_get_uint32(input, p, "OtherCellId") == OUTSIDE) return true;
    return false;
}

static void write_portals(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *w, const acp_cell_dump *dump) {
    face f;
    const acp_json *portals = acp_json_get_array(input, dump->json, "Portals");
    acp_json_begin_array(w, "portals");
    for (const acp_json *p = portals ? portals->first : NULL; p && !acp_json_is_failed(input); p = p->next) {
        uint32_t other = acp_json_get_uint32(input, p, "OtherCellId");
        uint32_t other_id = other == OUTSIDE ? 0xFFFFFFFFu : (dump->id & 0xFFFF0000u) | (other & 0xFFFFu);
        const acp_json *polygon = polygon_of_id(input, dump->json, acp_json_get_uint32(input, p, "PolygonId"));
        if (!polygon || !read_face(input, polygon, &f)) break;
        acp_json_begin_object(w, NULL);
        acp_json_write_id(w, "other", other_id);
        acp_json_write_uint(w, "side", acp_json_get_uint32(input, p, "Flags") & 2u ? 0u : 1u);
        write_points(w, &f);
        if (other != OUTSIDE) acp_json_write_uint(w, "other_portal", partner(dumps, input, dump, p, other_id));
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static void write_room(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *w, const acp_cell_dump *dump) {
    transform t = read_transform(input, dump->json);
    const acp_json *visible = acp_json_get_array(input, dump->json, "VisibleCellIds");
    bool sees_outside = leads_outside(input, dump);
    acp_json_begin_object(w, NULL);
    acp_json_write_id(w, "id", dump->id);
    write_frame(w, "frame", 0, &t);
    write_containment(input, w, dump->json);
    write_leaf(input, w, acp_json_get_array(input, dump->json, "ResolvedPolygons"));
    write_portals(dumps, input, w, dump);
    acp_json_begin_array(w, "stabs");
    for (const acp_json *v = visible ? visible->first : NULL; v; v = v->next) {
        uint32_t id = acp_json_to_id(input, v, "VisibleCellIds");
        const acp_cell_dump *other = find(dumps, id);
        acp_json_write_id(w, NULL, id);
        sees_outside = sees_outside || (other && leads_outside(input, other));
    }
    acp_json_end_array(w);
    acp_json_write_flag(w, "seen_outside", sees_outside);
    acp_json_end_object(w);
}

/* ------------------------------------------------------------------------------------------------------------------- buildings */

static bool are_neighbours(const transform *a, const acp_vec3 *b, double reach) {
    return fabs((double)a->origin.x - (double)b->x) < reach && fabs((double)a->origin.y - (double)b->y) < reach &&
           fabs((double)a->origin.z - (double)b->z) < reach;
}

/* One building of all rooms with the origin of `dumps->items[first]`; nothing when none leads outside. */
static void write_building(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *w, uint32_t first,
                           const acp_shell_place *shell) {
    transform t = read_transform(input, dumps->items[first].json);
    bool is_open = false;
    acp_position origin = {.cell_id = dumps->items[first].id, .frame = {.rotation = t.rotation, .origin = t.origin}};
    uint32_t land_cell_id = 0;
    if (acp_json_is_failed(input) || acp_position_outside_cell_id(&origin, &land_cell_id) != ACP_OK) return;
    for (uint32_t i = first; i < dumps->count; i++) {
        const acp_cell_dump *dump = &dumps->items[i];
        if (dump->is_shape || (dump->id ^ dumps->items[first].id) >> 16) continue;
        transform other = read_transform(input, dump->json);
        if (!are_neighbours(&t, &other.origin, 0.01)) continue;
        uint32_t index = 0;
        const acp_json *portals = acp_json_get_array(input, dump->json, "Portals");
        for (const acp_json *p = portals ? portals->first : NULL; p; p = p->next, index++) {
            if (acp_json_get_uint32(input, p, "OtherCellId") != OUTSIDE) continue;
            if (!is_open) {
                acp_json_begin_object(w, NULL);
                acp_json_write_id(w, "cell", land_cell_id);
                write_frame(w, "pos", land_cell_id, &t);
                acp_json_begin_array(w, "portals");
                is_open = true;
            }
            acp_json_begin_object(w, NULL);
            acp_json_write_id(w, "other", dump->id);
            acp_json_write_uint(w, "other_portal", index);
            acp_json_write_uint(w, "side", acp_json_get_uint32(input, p, "Flags") & 2u ? 1u : 0u);
            acp_json_end_object(w);
        }
    }
    if (!is_open) return;
    acp_json_end_array(w);
    if (shell && shell->shape_id && are_neighbours(&t, &shell->position.frame.origin, 1.0)) {
        char name[16];
        (void)snprintf(name, sizeof name, "0x%08X", (unsigned)shell->shape_id);
        acp_json_begin_object(w, "part");
        acp_json_write_string(w, "gfx", name);
        acp_json_write_position(w, "pos", &shell->position);
        acp_json_end_object(w);
    }
    acp_json_end_object(w);
}

static void write_buildings(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *w, const acp_shell_place *shell) {
    acp_json_begin_array(w, "buildings");
    for (uint32_t i = 0; i < dumps->count && !acp_json_is_failed(input); i++) {
        bool is_first = !dumps->items[i].is_shape;
        transform t;
        if (is_first) t = read_transform(input, dumps->items[i].json);
        for (uint32_t k = 0; k < i && is_first; k++) {
            if (dumps->items[k].is_shape || (dumps->items[k].id ^ dumps->items[i].id) >> 16) continue;
            transform earlier = read_transform(input, dumps->items[k].json);
            is_first = !are_neighbours(&earlier, &t.origin, 0.01);
        }
        if (is_first) write_building(dumps, input, w, i, shell);
    }
    acp_json_end_array(w);
}

void acp_cell_dumps_write(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *w, bool with_buildings,
                          const acp_shell_place *shell) {
    char name[16];
    acp_json_begin_object(w, "gfx");
    const acp_cell_dump *shape = shell && shell->shape_id ? find(dumps, shell->shape_id) : NULL;
    if (shape && shape->is_shape) {
        (void)snprintf(name, sizeof name, "0x%08X", (unsigned)shape->id);
        acp_json_begin_object(w, name);
        write_leaf(input, w, acp_json_get_array(input, shape->json, "ResolvedPolygons"));
        acp_json_end_object(w);
    }
    acp_json_end_object(w);
    acp_json_begin_array(w, "envcells");
    for (uint32_t i = 0; i < dumps->count && !acp_json_is_failed(input); i++)
        if (!dumps->items[i].is_shape) write_room(dumps, input, w, &dumps->items[i]);
    acp_json_end_array(w);
    if (with_buildings) write_buildings(dumps, input, w, shell);
}
