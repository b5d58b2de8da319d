/* SPDX-License-Identifier: MIT */
/* Authored records against geometry written out here: random convex bodies, skylines (concave, with T-junctions), bumpy balls and rooms,
 * turned at random. Each opens in strict mode and gives its bytes back; a point is solid where the body is; a sphere that overlaps a
 * polygon by more than the sliver is found, and nothing else is; a room's cell tree contains what its walls enclose. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/author.h"
#include "asset/from_record.h"
#include "base/writer.h"
#include "geom/polygon.h"
#include "tests/support/house_mesh.h"
#include "tests/support/random.h"

#define SLIVER 5e-5f /* what a tree may miss of an overlap */
#define MARGIN 2e-3  /* how near a face a point is not asked about */

typedef struct point {
    double x, y, z;
} point;

static point cross(point a, point b) { return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static double dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static point unit(test_random *r) {
    for (;;) {
        point p = {test_random_in(r, -1, 1), test_random_in(r, -1, 1), test_random_in(r, -1, 1)};
        double length = sqrt(dot(p, p));
        if (length > 0.1 && length < 1) return (point){p.x / length, p.y / length, p.z / length};
    }
}

/* ---- opening what was made ---- */

typedef struct opened {
    acp_record record;
    acp_shape *shape;
    acp_cell_structure *structure;
    const acp_bsp *bsp;
} opened;

static void assert_same_bytes(const acp_record *record, const acp_record_bytes *bytes) {
    acp_writer writer;
    acp_writer_init(&writer, NULL);
    assert_int_equal(acp_record_encode(record, &writer, NULL), ACP_OK);
    assert_int_equal(writer.size, bytes->size);
    assert_memory_equal(writer.bytes, bytes->bytes, bytes->size);
    acp_writer_free(&writer);
}

static void open_body(const acp_mesh *mesh, opened *out, acp_mesh_report *report) {
    acp_record_bytes bytes = {0};
    acp_error error = {0};
    memset(out, 0, sizeof *out);
    if (acp_mesh_make_gfxobj(mesh, 0x01000001u, NULL, &bytes, report, &error)) fail_msg("%s: %s", error.field, error.message);
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0x01000001u};
    assert_int_equal(acp_record_decode(ACP_RECORD_GFXOBJ, bytes.bytes, bytes.size, &strict, NULL, &out->record, NULL), ACP_OK);
    assert_same_bytes(&out->record, &bytes);
    assert_int_equal(acp_shape_from_record(out->record.content.gfxobj, false, ACP_CONTENT_STRICT, NULL, &out->shape, NULL), ACP_OK);
    out->bsp = acp_shape_get_info(out->shape).bsp;
    acp_record_bytes_free(&bytes);
}

static void open_room(const acp_mesh *mesh, opened *out, acp_mesh_report *report) {
    acp_record_bytes bytes = {0};
    acp_error error = {0};
    memset(out, 0, sizeof *out);
    if (acp_mesh_make_environment(mesh, 1, 0x0D000001u, NULL, &bytes, report, &error)) fail_msg("%s: %s", error.field, error.message);
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0x0D000001u};
    assert_int_equal(acp_record_decode(ACP_RECORD_ENVIRONMENT, bytes.bytes, bytes.size, &strict, NULL, &out->record, NULL), ACP_OK);
    assert_same_bytes(&out->record, &bytes);
    assert_int_equal(
        acp_cell_structure_from_record(out->record.content.environment->cells, ACP_CONTENT_STRICT, NULL, &out->structure, NULL), ACP_OK);
    out->bsp = acp_cell_structure_bsp(out->structure);
    acp_record_bytes_free(&bytes);
}

static void close_opened(opened *o) {
    acp_shape_destroy(o->shape);
    acp_cell_structure_destroy(o->structure);
    acp_record_free(&o->record);
}

/* ---- making bodies ---- */

typedef struct turn {
    point x, y, z, origin;
} turn;

static turn random_turn(test_random *r) {
    turn t;
    t.z = unit(r);
    point other = unit(r);
    t.x = cross(other, t.z);
    double length = sqrt(dot(t.x, t.x));
    if (length < 0.1) return random_turn(r);
    t.x = (point){t.x.x / length, t.x.y / length, t.x.z / length};
    t.y = cross(t.z, t.x);
    t.origin = (point){test_random_in(r, -20, 20), test_random_in(r, -20, 20), test_random_in(r, -20, 20)};
    return t;
}

static const turn no_turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

static acp_vec3 to_world(const turn *t, point p) {
    return (acp_vec3){(float)(t->origin.x + t->x.x * p.x + t->y.x * p.y + t->z.x * p.z),
                      (float)(t->origin.y + t->x.y * p.x + t->y.y * p.y + t->z.y * p.z),
                      (float)(t->origin.z + t->x.z * p.x + t->y.z * p.y + t->z.z * p.z)};
}

static point to_own(const turn *t, acp_vec3 v) {
    point d = {(double)v.x - t->origin.x, (double)v.y - t->origin.y, (double)v.z - t->origin.z};
    return (point){dot(d, t->x), dot(d, t->y), dot(d, t->z)};
}

/* A convex body: planes n.p = h around the origin. */
enum { MAX_PLANES = 24 };
typedef struct convex {
    uint32_t count;
    point normals[MAX_PLANES];
    double heights[MAX_PLANES];
} convex;

static void random_convex(test_random *r, convex *c) {
    static const point axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    c->count = 6;
    for (uint32_t i = 0; i < 6; i++) {
        c->normals[i] = axes[i];
        c->heights[i] = test_random_in(r, 1.5, 4);
    }
    uint32_t more = test_random_below(r, 7);
    for (uint32_t i = 0; i < more; i++) {
        c->normals[c->count] = unit(r);
        c->heights[c->count++] = test_random_in(r, 1.2, 3.5);
    }
}

/* Where three planes meet; false when they nearly do not. */
static bool meet(const convex *c, uint32_t i, uint32_t j, uint32_t k, point *out) {
    point jk = cross(c->normals[j], c->normals[k]), ki = cross(c->normals[k], c->normals[i]), ij = cross(c->normals[i], c->normals[j]);
    double d = dot(c->normals[i], jk);
    if (fabs(d) < 1e-3) return false;
    out->x = (c->heights[i] * jk.x + c->heights[j] * ki.x + c->heights[k] * ij.x) / d;
    out->y = (c->heights[i] * jk.y + c->heights[j] * ki.y + c->heights[k] * ij.y) / d;
    out->z = (c->heights[i] * jk.z + c->heights[j] * ki.z + c->heights[k] * ij.z) / d;
    return true;
}

static bool is_within(const convex *c, point p, double slack) {
    for (uint32_t i = 0; i < c->count; i++)
        if (dot(c->normals[i], p) > c->heights[i] + slack) return false;
    return true;
}

typedef struct corner {
    point place;
    double angle;
} corner;

static int by_angle(const void *a, const void *b) {
    double p = ((const corner *)a)->angle, q = ((const corner *)b)->angle;
    return p < q ? -1 : p > q;
}

/* Corners of face i, counter-clockwise seen from outside. A body with corners that nearly meet is no good: false. */
static bool face_corners(const convex *c, uint32_t i, corner *out, uint32_t *count) {
    *count = 0;
    point middle = {0, 0, 0};
    for (uint32_t j = 0; j < c->count; j++)
        for (uint32_t k = j + 1; k < c->count; k++) {
            uint32_t low = i < j ? i : j, high = i > k ? i : k, mid = i + j + k - low - high;
            if (j == i || k == i || !meet(c, low, mid, high, &out[*count].place) || !is_within(c, out[*count].place, 1e-9)) continue;
            for (uint32_t n = 0; n < *count; n++) {
                point d = {out[n].place.x - out[*count].place.x, out[n].place.y - out[*count].place.y,
                           out[n].place.z - out[*count].place.z};
                if (dot(d, d) < 1e-4) return false;
            }
            middle = (point){middle.x + out[*count].place.x, middle.y + out[*count].place.y, middle.z + out[*count].place.z};
            (*count)++;
        }
    if (*count < 3) return *count == 0;
    point n = c->normals[i], u = cross(n, fabs(n.z) < 0.7 ? (point){0, 0, 1} : (point){1, 0, 0}), v = cross(n, u);
    for (uint32_t k = 0; k < *count; k++) {
        point d = {out[k].place.x - middle.x / *count, out[k].place.y - middle.y / *count, out[k].place.z - middle.z / *count};
        out[k].angle = atan2(dot(d, v), dot(d, u));
    }
    qsort(out, *count, sizeof *out, by_angle);
    return true;
}

/* The faces as polygons; `portal` is the number of a face that is an opening (or none). */
static bool add_convex(test_mesh *m, const convex *c, const turn *t, bool is_room, uint32_t portal, bool is_portal_turned) {
    for (uint32_t i = 0; i < c->count; i++) {
        corner corners[64];
        acp_vec3 points[64];
        uint32_t count;
        if (!face_corners(c, i, corners, &count)) return false;
        if (count == 0) {
            if (i == portal) return false;
            continue;
        }
        bool is_turned = is_room != (i == portal && is_portal_turned);
        for (uint32_t k = 0; k < count; k++)
            points[is_turned ? count - 1 - k : k] = to_world(t, corners[k].place);
        (void)test_mesh_add(m, i == portal ? (uint32_t)ACP_MESH_PORTAL : (uint32_t)ACP_MESH_PHYSICS, points, count);
    }
    return true;
}

/* ---- what must hold ---- */

static bool plain_overlap(const acp_mesh *mesh, const acp_sphere *s) {
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        acp_vec3 points[64];
        if (!(mesh->polygons[i].flags & ACP_MESH_PHYSICS)) continue;
        for (uint32_t k = 0; k < mesh->polygons[i].point_count; k++)
            points[k] = mesh->vertices[mesh->indices[mesh->polygons[i].first_index + k]];
        acp_polygon polygon = acp_polygon_make(points, mesh->polygons[i].point_count, i, 0);
        if (acp_polygon_hits_sphere(&polygon, s)) return true;
    }
    return false;
}

static uint64_t spheres_asked, spheres_hit, points_asked, points_inside, points_buried;

static void assert_spheres(const acp_mesh *mesh, const acp_bsp *bsp, acp_sphere sphere) {
    int32_t is_found = 0;
    assert_int_equal(acp_bsp_sphere_in_solid(bsp, &sphere, 0, &is_found), ACP_OK);
    spheres_asked++;
    spheres_hit += is_found != 0;
    if (is_found) {
        assert_true(plain_overlap(mesh, &sphere));
        return;
    }
    sphere.radius -= SLIVER;
    if (sphere.radius > 0) assert_false(plain_overlap(mesh, &sphere));
}

/* The leaf whose region holds the point. */
static const acp_record_node *leaf_at(const acp_record_tree *tree, acp_vec3 p) {
    const acp_record_node *n = &tree->nodes[0];
    while (n->tag != ACP_TAG_LEAF)
        n = &tree->nodes[acp_plane_distance(&n->plane, p) < 0 ? n->negative : n->positive];
    return n;
}

/* Leaves are solid where the body is. Asked as retail asks, through node spheres, which hold faces and not all of the matter behind them, a
 * centre is buried only there (03 section 10.4). */
static void assert_point(const opened *o, acp_vec3 p, bool is_inside) {
    const acp_record_tree *tree =
        o->shape ? &o->record.content.gfxobj->physics_tree : &o->record.content.environment->cells[0].physics_tree;
    int32_t is_buried = 0;
    acp_sphere tiny = {p, 1e-3f};
    assert_int_equal(leaf_at(tree, p)->solid, is_inside);
    assert_int_equal(acp_bsp_sphere_in_solid(o->bsp, &tiny, 1, &is_buried), ACP_OK);
    assert_true(is_inside || !is_buried);
    points_asked++;
    points_inside += is_inside;
    points_buried += is_buried != 0;
}

static void convex_bodies_are_solid_where_they_are(void **state) {
    (void)state;
    test_random r = {test_seed("author.convex", 20261)};
    uint32_t made = 0;
    while (made < 150) {
        static test_mesh m;
        convex c;
        turn t = random_turn(&r);
        test_mesh_init(&m);
        random_convex(&r, &c);
        if (!add_convex(&m, &c, &t, false, ACP_BSP_NONE, false)) continue;
        made++;
        opened o;
        acp_mesh_report report;
        open_body(&m.mesh, &o, &report);
        assert_int_equal(report.is_closed, 1);
        assert_int_equal(report.is_convex, 1);
        for (uint32_t i = 0; i < 60; i++) {
            point own = {test_random_in(&r, -5, 5), test_random_in(&r, -5, 5), test_random_in(&r, -5, 5)};
            acp_vec3 p = to_world(&t, own);
            assert_spheres(&m.mesh, o.bsp, (acp_sphere){p, (float)test_random_in(&r, 0.01, 1.5)});
            own = to_own(&t, p);
            bool is_inside = is_within(&c, own, -MARGIN);
            if (is_inside || !is_within(&c, own, MARGIN)) assert_point(&o, p, is_inside);
        }
        close_opened(&o);
    }
}

/* A skyline: columns of random heights side by side. */
enum { MAX_COLUMNS = 7 };
typedef struct skyline {
    uint32_t count;
    double width;
    double heights[MAX_COLUMNS];
} skyline;

static void add_quad(test_mesh *m, const turn *t, point a, point b, point c, point d) {
    acp_vec3 points[4] = {to_world(t, a), to_world(t, b), to_world(t, c), to_world(t, d)};
    (void)test_mesh_add(m, ACP_MESH_PHYSICS, points, 4);
}

static void add_skyline(test_mesh *m, const skyline *s, const turn *t) {
    double w = s->width;
    for (uint32_t i = 0; i < s->count; i++) {
        double x = i, y = i + 1, h = s->heights[i];
        add_quad(m, t, (point){x, 0, h}, (point){y, 0, h}, (point){y, w, h}, (point){x, w, h});
        add_quad(m, t, (point){x, 0, 0}, (point){x, w, 0}, (point){y, w, 0}, (point){y, 0, 0});
        add_quad(m, t, (point){x, 0, 0}, (point){y, 0, 0}, (point){y, 0, h}, (point){x, 0, h});
        add_quad(m, t, (point){y, w, 0}, (point){x, w, 0}, (point){x, w, h}, (point){y, w, h});
    }
    for (uint32_t i = 0; i <= s->count; i++) {
        double left = i == 0 ? 0 : s->heights[i - 1], right = i == s->count ? 0 : s->heights[i], x = i;
        if (left < right) add_quad(m, t, (point){x, w, left}, (point){x, 0, left}, (point){x, 0, right}, (point){x, w, right});
        if (left > right) add_quad(m, t, (point){x, 0, right}, (point){x, w, right}, (point){x, w, left}, (point){x, 0, left});
    }
}

/* 1 inside, 0 outside, -1 too near a face to be asked. */
static int skyline_side(const skyline *s, point p) {
    double off = p.x - floor(p.x + 0.5);
    if (fabs(off) < MARGIN || fabs(p.y) < MARGIN || fabs(p.y - s->width) < MARGIN || fabs(p.z) < MARGIN) return -1;
    if (p.x < 0 || p.x > s->count || p.y < 0 || p.y > s->width || p.z < 0) return 0;
    double h = s->heights[(uint32_t)p.x];
    return fabs(p.z - h) < MARGIN ? -1 : p.z < h;
}

static void skylines_are_solid_where_they_are(void **state) {
    (void)state;
    test_random r = {test_seed("author.skyline", 20262)};
    uint32_t pieces = 0;
    for (uint32_t n = 0; n < 150; n++) {
        static test_mesh m;
        skyline s = {2 + test_random_below(&r, MAX_COLUMNS - 1), test_random_in(&r, 1, 5), {0}};
        for (uint32_t i = 0; i < s.count; i++)
            s.heights[i] = (1 + test_random_below(&r, 8)) * 0.5;
        turn t = n % 3 == 0 ? no_turn : random_turn(&r);
        test_mesh_init(&m);
        add_skyline(&m, &s, &t);
        opened o;
        acp_mesh_report report;
        open_body(&m.mesh, &o, &report);
        assert_int_equal(report.is_closed, 1);
        assert_int_equal(report.tree_form, ACP_TREE_FORM_SOLID);
        pieces += report.solid_leaf_count;
        for (uint32_t i = 0; i < 100; i++) {
            point own = {test_random_in(&r, -1, s.count + 1), test_random_in(&r, -1, s.width + 1), test_random_in(&r, -1, 5)};
            acp_vec3 p = to_world(&t, own);
            assert_spheres(&m.mesh, o.bsp, (acp_sphere){p, (float)test_random_in(&r, 0.01, 1.0)});
            int side = skyline_side(&s, to_own(&t, p));
            if (side >= 0) assert_point(&o, p, side == 1);
        }
        close_opened(&o);
    }
    assert_true(pieces > 300); /* some were really divided */
}

/* ---- a ball with bumps: triangles in all directions, no plane of a face spares the others ---- */

enum { RINGS = 5, SECTORS = 7 };

static void add_ball(test_mesh *m, test_random *r, const turn *t, double size) {
    acp_vec3 points[RINGS + 1][SECTORS];
    for (uint32_t i = 0; i <= RINGS; i++)
        for (uint32_t k = 0; k < SECTORS; k++) {
            double bump = size * (i == 0 || i == RINGS ? 3 : test_random_in(r, 2, 4)), tilt = 3.14159265358979 * i / RINGS,
                   way = 6.28318530717959 * k / SECTORS;
            if (i == 0 || i == RINGS) way = 0; /* the poles are one place each */
            points[i][k] = to_world(t, (point){bump * sin(tilt) * cos(way), bump * sin(tilt) * sin(way), bump * cos(tilt)});
        }
    for (uint32_t i = 0; i < RINGS; i++)
        for (uint32_t k = 0; k < SECTORS; k++) {
            uint32_t n = (k + 1) % SECTORS;
            acp_vec3 lower[3] = {points[i][k], points[i + 1][k], points[i + 1][n]},
                     upper[3] = {points[i][k], points[i + 1][n], points[i][n]};
            if (i + 1 < RINGS) (void)test_mesh_add(m, ACP_MESH_PHYSICS, lower, 3);
            if (i > 0) (void)test_mesh_add(m, ACP_MESH_PHYSICS, upper, 3);
        }
}

/* How often the surface goes around the point, by the solid angles of its triangles. */
static double winding(const acp_mesh *mesh, acp_vec3 p) {
    double sum = 0;
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        point v[3];
        double length[3];
        for (uint32_t k = 0; k < 3; k++) {
            acp_vec3 q = mesh->vertices[mesh->indices[mesh->polygons[i].first_index + k]];
            v[k] = (point){(double)q.x - (double)p.x, (double)q.y - (double)p.y, (double)q.z - (double)p.z};
            length[k] = sqrt(dot(v[k], v[k]));
        }
        double volume = dot(v[0], cross(v[1], v[2]));
        double rest =
            length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] + dot(v[1], v[2]) * length[0] + dot(v[2], v[0]) * length[1];
        sum += 2 * atan2(volume, rest);
    }
    return sum / (4 * 3.14159265358979);
}

static void bumpy_balls_are_solid_where_they_are(void **state) {
    (void)state;
    test_random r = {test_seed("author.ball", 20264)};
    for (uint32_t n = 0; n < 40; n++) {
        static test_mesh m;
        turn t = random_turn(&r);
        test_mesh_init(&m);
        double size = n % 2 ? 1 : test_random_in(&r, 0.01, 0.1); /* small ones are full of slivers */
        add_ball(&m, &r, &t, size);
        opened o;
        acp_mesh_report report;
        open_body(&m.mesh, &o, &report);
        assert_int_equal(report.is_closed, 1);
        assert_int_equal(report.is_convex, 0);
        assert_true(report.solid_leaf_count > 1);
        for (uint32_t i = 0; i < 150; i++) {
            acp_vec3 p =
                to_world(&t, (point){test_random_in(&r, -4, 4) * size, test_random_in(&r, -4, 4) * size, test_random_in(&r, -4, 4) * size});
            acp_sphere near = {p, (float)MARGIN};
            assert_spheres(&m.mesh, o.bsp, (acp_sphere){p, (float)(test_random_in(&r, 0.01, 1.0) * size)});
            if (!plain_overlap(&m.mesh, &near)) assert_point(&o, p, winding(&m.mesh, p) > 0.5);
        }
        close_opened(&o);
    }
}

static void rooms_contain_what_their_walls_enclose(void **state) {
    (void)state;
    test_random r = {test_seed("author.room", 20263)};
    uint32_t made = 0;
    while (made < 150) {
        static test_mesh m;
        convex c;
        turn t = random_turn(&r);
        bool is_turned = test_random_below(&r, 2) == 1;
        test_mesh_init(&m);
        random_convex(&r, &c);
        uint32_t portal = test_random_below(&r, c.count), portal_polygon = ACP_BSP_NONE;
        if (!add_convex(&m, &c, &t, true, portal, is_turned)) continue;
        for (uint32_t i = 0; i < m.mesh.polygon_count; i++)
            if (m.polygons[i].flags & ACP_MESH_PORTAL) portal_polygon = i;
        made++;
        opened o;
        acp_mesh_report report;
        if (made % 2) m.mesh.flags |= ACP_MESH_HAS_DRAWING_TREE;
        open_room(&m.mesh, &o, &report);
        assert_int_equal(report.is_convex, 1);
        assert_int_equal(report.cell_plane_count, m.mesh.polygon_count);
        int32_t side = -1;
        assert_int_equal(acp_mesh_portal_side(&m.mesh, portal_polygon, &side, NULL), ACP_OK);
        assert_int_equal(side, is_turned ? 1 : 0);
        for (uint32_t i = 0; i < 60; i++) {
            point own = {test_random_in(&r, -5, 5), test_random_in(&r, -5, 5), test_random_in(&r, -5, 5)};
            acp_vec3 p = to_world(&t, own);
            assert_spheres(&m.mesh, o.bsp, (acp_sphere){p, (float)test_random_in(&r, 0.01, 1.5)});
            own = to_own(&t, p);
            int32_t is_contained = -1;
            bool is_inside = is_within(&c, own, -MARGIN);
            if (!is_inside && is_within(&c, own, MARGIN)) continue;
            assert_int_equal(acp_cell_tree_test_point(acp_cell_structure_containment(o.structure), p, &is_contained), ACP_OK);
            assert_int_equal(is_contained, is_inside);
            if (is_inside) assert_point(&o, p, false); /* free space */
        }
        close_opened(&o);
    }
}

/* AUT-39 (c) and (d) on the worked house: every node's sphere holds the faces beneath it, and of random spheres around each shape and room
 * exactly those are found that overlap a face. */
static void assert_spheres_hold(const acp_record_tree *tree, const acp_record_polygons *polygons, const acp_record_vertices *vertices,
                                uint32_t node, acp_sphere outer) {
    const acp_record_node *n = &tree->nodes[node];
    if (n->tag != ACP_TAG_LEAF) {
        assert_spheres_hold(tree, polygons, vertices, n->positive, outer);
        assert_spheres_hold(tree, polygons, vertices, n->negative, outer);
        return;
    }
    for (uint32_t i = 0; i < n->polygon_count; i++)
        for (uint32_t k = 0; k < polygons->items[n->polygons[i]].point_count; k++) {
            acp_vec3 v = vertices->items[polygons->items[n->polygons[i]].vertices[k]].position;
            point d = {(double)v.x - (double)outer.center.x, (double)v.y - (double)outer.center.y, (double)v.z - (double)outer.center.z};
            assert_true(sqrt(dot(d, d)) <= (double)outer.radius - 0.0099);
        }
}

static void the_house_misses_no_overlap(void **state) {
    (void)state;
    static const float radii[3] = {0.1f, 0.48f, 1.44f};
    test_random r = {test_seed("author.house", 20265)};
    uint64_t overlaps = 0;
    for (uint32_t i = 0; i < 6; i++) {
        static test_mesh m;
        opened o;
        acp_mesh_report report;
        if (i < 3) test_house_room(&m, i);
        if (i == 3) test_house_crate(&m);
        if (i > 3) test_house_shell(&m);
        if (i == 5) { /* the same shell, divided by the planes of its faces */
            m.mesh.tree_form = ACP_TREE_FORM_SOLID;
            m.mesh.flags = ACP_MESH_MAY_BE_OPEN;
        }
        if (i < 3)
            open_room(&m.mesh, &o, &report);
        else
            open_body(&m.mesh, &o, &report);
        const acp_record_gfxobj *g = o.record.content.gfxobj;
        const acp_record_cell_structure *s = i < 3 ? o.record.content.environment->cells : NULL;
        const acp_record_tree *tree = s ? &s->physics_tree : &g->physics_tree;
        for (uint32_t k = 0; k < tree->node_count; k++)
            assert_spheres_hold(tree, s ? &s->physics_polygons : &g->physics_polygons, s ? &s->vertices : &g->vertices, k,
                                tree->nodes[k].sphere);
        for (uint32_t k = 0; k < 4000; k++) {
            acp_sphere sphere = {{(float)test_random_in(&r, -7, 7), (float)test_random_in(&r, -5, 5), (float)test_random_in(&r, -4, 5)},
                                 radii[k % 3]};
            if (i == 3) sphere.center = (acp_vec3){sphere.center.x / 4, sphere.center.y / 4, sphere.center.z / 4};
            int32_t is_found = 0;
            assert_int_equal(acp_bsp_sphere_in_solid(o.bsp, &sphere, 0, &is_found), ACP_OK);
            assert_int_equal(is_found, plain_overlap(&m.mesh, &sphere));
            overlaps += is_found != 0;
        }
        close_opened(&o);
    }
    printf("%llu overlaps of 24000 spheres\n", (unsigned long long)overlaps);
    assert_true(overlaps > 3000);
}

static void something_was_asked(void **state) {
    (void)state;
    printf("%llu spheres, %llu overlaps; %llu points, %llu solid, %llu buried\n", (unsigned long long)spheres_asked,
           (unsigned long long)spheres_hit, (unsigned long long)points_asked, (unsigned long long)points_inside,
           (unsigned long long)points_buried);
    assert_true(spheres_hit > 5000 && points_inside > 2000 && 10 * points_buried > 9 * points_inside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_bodies_are_solid_where_they_are),
        cmocka_unit_test(skylines_are_solid_where_they_are),
        cmocka_unit_test(bumpy_balls_are_solid_where_they_are),
        cmocka_unit_test(rooms_contain_what_their_walls_enclose),
        cmocka_unit_test(the_house_misses_no_overlap),
        cmocka_unit_test(something_was_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
