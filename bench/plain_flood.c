/* SPDX-License-Identifier: MIT */
/* The floods as spec 04 states them, one statement after the other, without any thought of speed: what an exact implementation has to do.
 *
 * Every transform and test is written out here from spec 01 sections 2 to 10, 04 and 12 (binary64, stores where they are said), none is the
 * library's. Cells are structs behind pointers with a chain of nodes as their containment tree; a lookup is two array steps; every addition
 * searches the array from its start. Loading copies what floods read out of a world of the library: cells, portals, stab lists, buildings,
 * parts. Contract: the world stays as it was when copied; one thread per array. Limits: ten cylspheres (MEM-7c). */
#include "bench/plain_flood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/cell_tree.h"

#define EPSILON  ((double)0x1.a36e2ep-13f) /* 0x3951B717 */
#define CELL_PAD ((double)0x1.47ae14p-7f)  /* 0x3C23D70A */
#define OUTSIDE  0xFFFFFFFFu

typedef struct plain_node {
    acp_plane plane;
    struct plain_node *positive;
} plain_node;

typedef struct plain_frame {
    float m[9];
    acp_vec3 origin;
} plain_frame;

typedef struct plain_portal {
    uint32_t other_cell_id;
    uint32_t side;
    acp_plane plane;
} plain_portal;

typedef struct plain_door {
    uint32_t other_cell_id;
    int32_t other_portal_id;
} plain_door;

typedef struct plain_cell {
    uint32_t id;
    bool is_env;
    plain_frame frame;
    plain_node *tree;
    plain_portal *portals;
    uint32_t portal_count;
    uint32_t *stab_list;
    uint32_t stab_count;
    plain_door *doors; /* of the building on a land cell */
    uint32_t door_count;
    bool has_diagonal_sw_ne;
} plain_cell;

typedef struct plain_block {
    plain_cell *land; /* 64, or null */
    plain_cell **rooms;
    uint32_t room_limit;
} plain_block;

struct plain_flood_world {
    plain_block *blocks[65536];
};

typedef struct plain_part {
    bool exists;
    bool has_sphere;
    bool is_always_2d;
    acp_sphere sphere;
    acp_box box;
    uint32_t cell_id;
    plain_frame frame;
} plain_part;

struct plain_flood_object {
    const plain_flood_world *world;
    bool has_physics_bsp;
    uint32_t cell_id; /* of its position */
    uint32_t own_cell_id;
    plain_frame frame;
    acp_sphere sorting_sphere;
    uint32_t cylsphere_count;
    acp_cylsphere *cylspheres;
    uint32_t part_count;
    plain_part *parts;
};

static inline double stored(double v) { return (double)(float)v; }

/* -------------------------------------------------------------------------------------------------------------- cells and places */

static const plain_cell *get_visible(const plain_flood_world *world, uint32_t id) {
    const plain_block *block = world->blocks[id >> 16];
    if (!block) return NULL;
    uint32_t index = id & 0xFFFFu;
    if (index >= 0x100u) return index - 0x100u < block->room_limit ? block->rooms[index - 0x100u] : NULL;
    return block->land && index >= 1 && index <= 64 ? &block->land[index - 1] : NULL;
}

/* floor(v / 24). */
static inline int32_t cells(double v) {
    double quotient = v / 24.0;
    int32_t whole = (int32_t)quotient;
    return whole - (quotient < (double)whole);
}
static inline bool in_bounds(int32_t x, int32_t y) { return x >= 0 && y >= 0 && x < 2040 && y < 2040; }

static bool index_in_range(uint32_t id) {
    uint32_t index = id & 0xFFFFu;
    return (index >= 1 && index <= 0x40) || (index >= 0x100 && index <= 0xFFFD) || index == 0xFFFF;
}

static uint32_t lcoord_to_gid(int32_t x, int32_t y) {
    if (!in_bounds(x, y)) return 0;
    uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    return (((ux >> 3) << 8 | (uy >> 3)) << 16) | (8u * (ux & 7u) + (uy & 7u) + 1u);
}

static bool gid_to_lcoord(uint32_t id, int32_t *x, int32_t *y) {
    uint32_t index = id & 0xFFFFu;
    if (index < 1 || index > 0x40) return false;
    *x = (int32_t)(8u * (id >> 24) + ((index - 1) >> 3));
    *y = (int32_t)(8u * ((id >> 16) & 0xFFu) + ((index - 1) & 7u));
    return in_bounds(*x, *y);
}

static bool adjust_to_outside(uint32_t *id, acp_vec3 *loc) {
    if (!index_in_range(*id)) {
        *id = 0;
        return false;
    }
    if (fabs((double)loc->x) < EPSILON) loc->x = 0.0f;
    if (fabs((double)loc->y) < EPSILON) loc->y = 0.0f;
    int32_t x = (int32_t)(8u * (*id >> 24)) + cells((double)loc->x);
    int32_t y = (int32_t)(8u * ((*id >> 16) & 0xFFu)) + cells((double)loc->y);
    if (!in_bounds(x, y)) {
        *id = 0;
        return false;
    }
    *id = lcoord_to_gid(x, y);
    loc->x = (float)((double)loc->x - floor((double)loc->x / 192.0) * 192.0);
    loc->y = (float)((double)loc->y - floor((double)loc->y / 192.0) * 192.0);
    return true;
}

/* Neither id is 0 here. */
static inline acp_vec3 block_offset(uint32_t from, uint32_t to) {
    acp_vec3 out = {0.0f, 0.0f, 0.0f};
    if (from >> 16 == to >> 16) return out;
    int32_t fx = (int32_t)(8u * (from >> 24)), fy = (int32_t)(8u * ((from >> 16) & 0xFFu));
    int32_t tx = (int32_t)(8u * (to >> 24)), ty = (int32_t)(8u * ((to >> 16) & 0xFFu));
    out.x = (float)((double)(tx - fx) * 24.0);
    out.y = (float)((double)(ty - fy) * 24.0);
    return out;
}

/* WM-40. Points go by address, as a compiler of the time would have it. */
static inline void local_to_global(uint32_t to, uint32_t from, const plain_frame *f, const acp_vec3 *v, acp_vec3 *out) {
    const float *m = f->m;
    double x = (double)v->x, y = (double)v->y, z = (double)v->z;
    double gx = stored((((double)m[3] * y + (double)m[0] * x) + (double)m[6] * z) + (double)f->origin.x);
    double gy = stored((((double)m[4] * y + (double)m[1] * x) + (double)m[7] * z) + (double)f->origin.y);
    double gz = stored((((double)m[5] * y + (double)m[2] * x) + (double)m[8] * z) + (double)f->origin.z);
    acp_vec3 b = block_offset(to, from);
    out->x = (float)((double)b.x + gx);
    out->y = (float)((double)b.y + gy);
    out->z = (float)((double)b.z + gz);
}

/* WM-31. */
static inline void global_to_local(const plain_frame *f, const acp_vec3 *v, acp_vec3 *out) {
    const float *m = f->m;
    double dx = stored((double)v->x - (double)f->origin.x), dy = stored((double)v->y - (double)f->origin.y);
    double dz = (double)v->z - (double)f->origin.z, dzr = stored(dz);
    out->x = (float)((dzr * (double)m[2] + dx * (double)m[0]) + dy * (double)m[1]);
    out->y = (float)((dzr * (double)m[5] + dx * (double)m[3]) + dy * (double)m[4]);
    out->z = (float)((dz * (double)m[8] + dx * (double)m[6]) + dy * (double)m[7]);
}

/* WM-39. */
static inline void local_to_local(const plain_cell *to, const plain_part *from, const acp_vec3 *v, acp_vec3 *out) {
    acp_vec3 global;
    local_to_global(to->id, from->cell_id, &from->frame, v, &global);
    global_to_local(&to->frame, &global, out);
}

/* ---------------------------------------------------------------------------------------------------------------- containment */

static inline double tree_distance(const acp_plane *plane, const acp_vec3 *v) {
    return (((double)v->y * (double)plane->normal.y + (double)v->z * (double)plane->normal.z) + (double)v->x * (double)plane->normal.x) +
           (double)plane->d;
}

static bool point_inside(const plain_node *node, const acp_vec3 *v) {
    for (; node; node = node->positive)
        if (tree_distance(&node->plane, v) < -EPSILON) return false;
    return true;
}

static int sphere_inside(const plain_node *node, const acp_vec3 *center, float radius) {
    double reach = (double)radius + CELL_PAD;
    for (;;) {
        double d = tree_distance(&node->plane, center);
        if (d <= -reach) return 0;
        if (d < reach) return node->positive ? sphere_inside(node->positive, center, radius) != 0 : 1;
        if (!node->positive) return 2;
        node = node->positive;
        reach = stored((double)radius + CELL_PAD);
    }
}

static inline acp_vec3 corner(const acp_box *box, int which) {
    acp_vec3 v = {which & 4 ? box->max.x : box->min.x, which & 2 ? box->max.y : box->min.y, which & 1 ? box->max.z : box->min.z};
    return v;
}

static bool box_inside(const plain_node *node, const acp_box *box) {
    for (; node; node = node->positive) {
        int outside = 0;
        for (int i = 0; i < 8; i++) {
            acp_vec3 v = corner(box, i);
            outside += tree_distance(&node->plane, &v) < -EPSILON;
        }
        if (outside == 8) return false;
    }
    return true;
}

static bool sphere_intersects_cell(const plain_cell *cell, const acp_sphere *sphere) {
    acp_vec3 local;
    global_to_local(&cell->frame, &sphere->center, &local);
    return cell->tree && sphere_inside(cell->tree, &local, sphere->radius) != 0;
}

static bool box_intersects_cell(const plain_cell *cell, const acp_box *box) { return cell->tree && box_inside(cell->tree, box); }

/* MEM-9: edges are walked backwards, from the first vertex. */
static bool triangle_contains(const acp_vec3 *v, const acp_vec3 *q) {
    const acp_vec3 *a = &v[0];
    for (int i = 2; i >= 0; i--) {
        const acp_vec3 *b = &v[i];
        double ay = (double)a->y, by = (double)b->y, bx = (double)b->x, ax = (double)a->x;
        double t = ((-((ay - by) * bx) - (bx - ax) * by) + (bx - ax) * (double)q->y) + (ay - by) * (double)q->x;
        if (t > 0.0) return false;
        a = b;
    }
    return true;
}

static bool point_in_cell(const plain_cell *cell, const acp_vec3 *q) {
    if (cell->is_env) {
        acp_vec3 local;
        global_to_local(&cell->frame, q, &local);
        return cell->portal_count && cell->tree && point_inside(cell->tree, &local);
    }
    uint32_t k = (cell->id & 0xFFFFu) - 1u;
    float w = (float)(24u * (k >> 3)), s = (float)(24u * (k & 7u)), e = w + 24.0f, n = s + 24.0f;
    acp_vec3 sw = {w, s, 0.0f}, se = {e, s, 0.0f}, ne = {e, n, 0.0f}, nw = {w, n, 0.0f};
    acp_vec3 first[3] = {sw, se, ne}, second[3] = {sw, ne, nw};
    if (!cell->has_diagonal_sw_ne) {
        first[2] = nw;
        second[0] = se;
    }
    return triangle_contains(first, q) || triangle_contains(second, q);
}

/* -------------------------------------------------------------------------------------------------------------------- the array */

static void add_cell(plain_flood_array *array, uint32_t id, const plain_cell *cell) {
    for (uint32_t i = 0; i < array->count; i++)
        if (array->entries[i].cell_id == id) return;
    if (array->count == array->capacity) {
        plain_flood_entry *entries = realloc(array->entries, (array->capacity + 8u) * sizeof *entries);
        if (!entries) return;
        array->entries = entries;
        array->capacity += 8u;
    }
    array->entries[array->count].cell_id = id;
    array->entries[array->count++].cell = cell;
}

static void remove_cell(plain_flood_array *array, uint32_t i) {
    if (array->count) array->entries[i] = array->entries[--array->count];
}

void plain_flood_array_free(plain_flood_array *array) {
    free(array->entries);
    memset(array, 0, sizeof *array);
}

/* --------------------------------------------------------------------------------------------------------------- outdoor cells */

static void add_outside_cell(const plain_flood_world *world, plain_flood_array *array, int32_t x, int32_t y) {
    if (!in_bounds(x, y)) return;
    uint32_t id = lcoord_to_gid(x, y);
    add_cell(array, id, get_visible(world, id));
}

static void check_add_cell_boundary(const plain_flood_world *world, plain_flood_array *array, float px, float py, int32_t x, int32_t y,
                                    float hi, float lo) {
    if (px > hi) {
        add_outside_cell(world, array, x + 1, y);
        if (py > hi) add_outside_cell(world, array, x + 1, y + 1);
        if (py < lo) add_outside_cell(world, array, x + 1, y - 1);
    }
    if (px < lo) {
        add_outside_cell(world, array, x - 1, y);
        if (py > hi) add_outside_cell(world, array, x - 1, y + 1);
        if (py < lo) add_outside_cell(world, array, x - 1, y - 1);
    }
    if (py > hi) add_outside_cell(world, array, x, y + 1);
    if (py < lo) add_outside_cell(world, array, x, y - 1);
}

static void add_outside_spheres(const plain_flood_world *world, uint32_t cell_id, acp_vec3 origin, uint32_t count,
                                const acp_sphere *spheres, plain_flood_array *array) {
    if (array->added_outside) return;
    array->added_outside = true;
    int32_t x, y;
    if (count == 0) {
        if (adjust_to_outside(&cell_id, &origin) && gid_to_lcoord(cell_id, &x, &y)) add_outside_cell(world, array, x, y);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = cell_id;
        acp_vec3 c = spheres[i].center;
        if (!adjust_to_outside(&id, &c)) break;
        float px = (float)((double)c.x - 24.0 * (double)cells((double)c.x));
        float py = (float)((double)c.y - 24.0 * (double)cells((double)c.y));
        float hi = (float)(24.0 - (double)spheres[i].radius), lo = spheres[i].radius;
        if (!gid_to_lcoord(id, &x, &y)) continue;
        add_outside_cell(world, array, x, y);
        check_add_cell_boundary(world, array, px, py, x, y, hi, lo);
    }
}

/* MEM-23's order of the corners; bits 4, 2, 1: the greater x, y, z. */
static const int refit_order[8] = {0, 7, 6, 5, 3, 4, 2, 1};

static inline void widen(acp_box *box, acp_vec3 v) {
    if (v.x < box->min.x) box->min.x = v.x;
    if (v.y < box->min.y) box->min.y = v.y;
    if (v.z < box->min.z) box->min.z = v.z;
    if (v.x > box->max.x) box->max.x = v.x;
    if (v.y > box->max.y) box->max.y = v.y;
    if (v.z > box->max.z) box->max.z = v.z;
}

static void box_local_to_global(const plain_part *part, uint32_t to, acp_box *out) {
    acp_vec3 from = corner(&part->box, refit_order[0]), v;
    local_to_global(to, part->cell_id, &part->frame, &from, &v);
    *out = (acp_box){v, v};
    for (int i = 1; i < 8; i++) {
        from = corner(&part->box, refit_order[i]);
        local_to_global(to, part->cell_id, &part->frame, &from, &v);
        widen(out, v);
    }
}

static void box_local_to_local(const plain_part *part, const plain_cell *to, acp_box *out) {
    acp_vec3 from = corner(&part->box, refit_order[0]), v;
    local_to_local(to, part, &from, &v);
    *out = (acp_box){v, v};
    for (int i = 1; i < 8; i++) {
        from = corner(&part->box, refit_order[i]);
        local_to_local(to, part, &from, &v);
        widen(out, v);
    }
}

static void add_outside_parts(const plain_flood_object *object, plain_flood_array *array) {
    if (array->added_outside) return;
    array->added_outside = true;
    const plain_part *p0 = NULL;
    for (uint32_t i = 0; i < object->part_count && !p0; i++)
        if (object->parts[i].exists) p0 = &object->parts[i];
    if (!p0) return;
    uint32_t id = p0->cell_id;
    acp_vec3 loc = p0->frame.origin;
    uint32_t base = adjust_to_outside(&id, &loc) ? id : 0;
    const plain_cell *cell0 = base ? get_visible(object->world, base) : NULL;
    int32_t gx, gy;
    if (!cell0 || !gid_to_lcoord(base, &gx, &gy)) return;
    int32_t bx = (int32_t)(((base & 0xFFFFu) - 1u) >> 3), by = (int32_t)((base - 1u) & 7u);
    int32_t minx = 0, miny = 0, maxx = 0, maxy = 0;
    for (uint32_t i = 0; i < object->part_count; i++) {
        const plain_part *q = &object->parts[i];
        if (!q->exists) continue;
        int32_t x0, y0, x1, y1;
        if (!q->is_always_2d) {
            acp_box b;
            box_local_to_global(q, cell0->id, &b);
            x0 = cells((double)b.min.x), y0 = cells((double)b.min.y), x1 = cells((double)b.max.x), y1 = cells((double)b.max.y);
        } else {
            if (!q->has_sphere) continue;
            double x = (double)q->frame.origin.x, y = (double)q->frame.origin.y, r = (double)q->sphere.radius;
            x0 = cells(x - r), y0 = cells(y - r), x1 = cells(x + r), y1 = cells(y + r);
        }
        if (x0 - bx < minx) minx = x0 - bx;
        if (y0 - by < miny) miny = y0 - by;
        if (x1 - bx > maxx) maxx = x1 - bx;
        if (y1 - by > maxy) maxy = y1 - by;
    }
    for (int32_t x = gx + minx; x <= gx + maxx; x++)
        for (int32_t y = gy + miny; y <= gy + maxy; y++)
            add_outside_cell(object->world, array, x, y);
}

/* ------------------------------------------------------------------------------------------------------------------ plane tests */

/* Order zyx. */
static inline double plane_distance(const acp_plane *plane, const acp_vec3 *v) {
    return (((double)v->z * (double)plane->normal.z + (double)v->y * (double)plane->normal.y) + (double)v->x * (double)plane->normal.x) +
           (double)plane->d;
}

static inline uint32_t which_side(const acp_plane *plane, const acp_vec3 *v) {
    double d = plane_distance(plane, v);
    return d > EPSILON ? 0u : d < -EPSILON ? 1u : 2u;
}

static uint32_t intersect_box(const acp_plane *plane, const acp_box *box) {
    static const int order[7] = {7, 4, 2, 1, 6, 5, 3};
    acp_vec3 v = corner(box, 0);
    uint32_t side = which_side(plane, &v);
    if (side == 2u) return 3u;
    for (int i = 0; i < 7; i++) {
        v = corner(box, order[i]);
        if (which_side(plane, &v) != side) return 3u;
    }
    return side;
}

/* ------------------------------------------------------------------------------------------------------------------- the spheres */

static void check_building_transit_spheres(const plain_cell *e, int32_t k, uint32_t count, const acp_sphere *spheres,
                                           plain_flood_array *array, bool *hits_interior) {
    if (k < 0) return;
    for (uint32_t i = 0; i < count; i++)
        if (sphere_intersects_cell(e, &spheres[i])) {
            if (hits_interior) *hits_interior = true;
            add_cell(array, e->id, e);
            return;
        }
}

static bool straddles(const plain_cell *a, const acp_plane *plane, const acp_sphere *sphere) {
    const float *m = a->frame.m;
    double dx = (double)sphere->center.x - (double)a->frame.origin.x, dy = (double)sphere->center.y - (double)a->frame.origin.y;
    double dz = (double)sphere->center.z - (double)a->frame.origin.z;
    double lx = stored((dx * (double)m[0] + dz * (double)m[2]) + dy * (double)m[1]);
    double ly = stored((dx * (double)m[3] + dz * (double)m[5]) + dy * (double)m[4]);
    double lz = (dz * (double)m[8] + dy * (double)m[7]) + dx * (double)m[6];
    double d = ((lz * (double)plane->normal.z + ly * (double)plane->normal.y) + lx * (double)plane->normal.x) + (double)plane->d;
    double reach = stored((double)sphere->radius + EPSILON);
    return d > -reach && d < reach;
}

static bool reaches_absent(const plain_cell *a, const plain_portal *portal, const acp_sphere *sphere) {
    acp_vec3 local;
    global_to_local(&a->frame, &sphere->center, &local);
    double d = plane_distance(&portal->plane, &local);
    double reach = (double)sphere->radius + EPSILON;
    return (portal->side == 1u && d > -reach) || (portal->side == 0u && d < reach);
}

static void find_transit_spheres(const plain_flood_world *world, const plain_cell *a, uint32_t cell_id, acp_vec3 origin, uint32_t count,
                                 const acp_sphere *spheres, plain_flood_array *array, bool *hits_interior) {
    if (!a->is_env) {
        add_outside_spheres(world, cell_id, origin, count, spheres, array);
        for (uint32_t i = 0; i < a->door_count; i++) {
            const plain_cell *e = get_visible(world, a->doors[i].other_cell_id);
            if (e && e->is_env) check_building_transit_spheres(e, a->doors[i].other_portal_id, count, spheres, array, hits_interior);
        }
        return;
    }
    bool outside = false;
    for (uint32_t k = 0; k < a->portal_count; k++) {
        const plain_portal *portal = &a->portals[k];
        if (portal->other_cell_id == OUTSIDE) {
            for (uint32_t i = 0; i < count; i++)
                if (straddles(a, &portal->plane, &spheres[i])) {
                    outside = true;
                    break;
                }
            continue;
        }
        const plain_cell *b = get_visible(world, portal->other_cell_id);
        if (b && !b->is_env) b = NULL;
        for (uint32_t i = 0; i < count; i++)
            if (b ? sphere_intersects_cell(b, &spheres[i]) : reaches_absent(a, portal, &spheres[i])) {
                add_cell(array, b ? b->id : portal->other_cell_id, b);
                break;
            }
    }
    if (outside) add_outside_spheres(world, cell_id, origin, count, spheres, array);
}

bool plain_flood_spheres(const plain_flood_world *world, uint32_t cell_id, acp_vec3 origin, uint32_t count, const acp_sphere *spheres,
                         plain_flood_array *array, uint32_t *current, bool *hits_interior) {
    array->count = 0;
    array->added_outside = false;
    const plain_cell *here = get_visible(world, cell_id);
    if ((cell_id & 0xFFFFu) >= 0x100u) {
        if (hits_interior) *hits_interior = true;
        add_cell(array, cell_id, here);
    } else {
        add_outside_spheres(world, cell_id, origin, count, spheres, array);
    }
    if (!here || count == 0) return array->count <= array->capacity;
    for (uint32_t i = 0; i < array->count; i++)
        if (array->entries[i].cell)
            find_transit_spheres(world, array->entries[i].cell, cell_id, origin, count, spheres, array, hits_interior);
    if (current) {
        *current = 0;
        for (uint32_t i = 0; i < array->count; i++) {
            const plain_cell *c = array->entries[i].cell;
            if (!c) continue;
            acp_vec3 b = block_offset(cell_id, c->id), q = spheres[0].center;
            q.x = (float)((double)q.x - (double)b.x);
            q.y = (float)((double)q.y - (double)b.y);
            q.z = (float)((double)q.z - (double)b.z);
            if (!point_in_cell(c, &q)) continue;
            *current = c->id;
            if (!c->is_env) continue;
            if (hits_interior) *hits_interior = true;
            break;
        }
    }
    if (array->do_not_load_cells && here->is_env) {
        for (uint32_t i = 0; i < array->count;) {
            bool is_kept = array->entries[i].cell_id == here->id;
            for (uint32_t k = 0; k < here->stab_count && !is_kept; k++)
                is_kept = here->stab_list[k] == array->entries[i].cell_id;
            if (is_kept)
                i++;
            else
                remove_cell(array, i);
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------------- the parts */

static void env_transit_parts(const plain_flood_object *object, const plain_cell *a, plain_flood_array *array) {
    bool outside = false;
    for (uint32_t k = 0; k < a->portal_count; k++) {
        const plain_portal *portal = &a->portals[k];
        for (uint32_t i = 0; i < object->part_count; i++) {
            const plain_part *part = &object->parts[i];
            if (!part->exists || !part->has_sphere) continue;
            acp_vec3 c;
            local_to_local(a, part, &part->sphere.center, &c);
            double reach = stored((double)part->sphere.radius + EPSILON), d = tree_distance(&portal->plane, &c);
            if (portal->side == 0u && d > reach) continue;
            if (portal->side == 1u && d < -reach) continue;
            acp_box box;
            box_local_to_local(part, a, &box);
            if (intersect_box(&portal->plane, &box) == portal->side) continue;
            if (portal->other_cell_id == OUTSIDE) {
                outside = true;
                break;
            }
            const plain_cell *b = get_visible(object->world, portal->other_cell_id);
            if (!b || !b->is_env) {
                add_cell(array, portal->other_cell_id, NULL);
                break;
            }
            acp_box there;
            box_local_to_local(part, b, &there);
            if (box_intersects_cell(b, &there)) {
                add_cell(array, b->id, b);
                break;
            }
        }
    }
    if (outside) add_outside_parts(object, array);
}

static void check_building_transit_parts(const plain_flood_object *object, const plain_cell *e, int32_t k, plain_flood_array *array) {
    if (k < 0 || (uint32_t)k >= e->portal_count) return;
    const plain_portal *portal = &e->portals[k];
    for (uint32_t i = 0; i < object->part_count; i++) {
        const plain_part *part = &object->parts[i];
        if (!part->exists || !part->has_sphere) continue;
        acp_vec3 c;
        local_to_local(e, part, &part->sphere.center, &c);
        double reach = stored((double)part->sphere.radius + EPSILON), d = tree_distance(&portal->plane, &c);
        if (portal->side == 1u && d > reach) continue;
        if (portal->side == 0u && d < -reach) continue;
        acp_box box;
        box_local_to_local(part, e, &box);
        uint32_t side = intersect_box(&portal->plane, &box);
        if (side != 3u && side != portal->side) continue;
        acp_box again;
        box_local_to_local(part, e, &again);
        if (!box_intersects_cell(e, &again)) continue;
        add_cell(array, e->id, e);
        env_transit_parts(object, e, array);
        return;
    }
}

static void find_transit_parts(const plain_flood_object *object, const plain_cell *a, plain_flood_array *array) {
    if (a->is_env) {
        env_transit_parts(object, a, array);
        return;
    }
    add_outside_parts(object, array);
    for (uint32_t i = 0; i < a->door_count; i++) {
        const plain_cell *e = get_visible(object->world, a->doors[i].other_cell_id);
        if (e && e->is_env) check_building_transit_parts(object, e, a->doors[i].other_portal_id, array);
    }
}

bool plain_flood_bbox(const plain_flood_object *object, plain_flood_array *array) {
    array->count = 0;
    array->added_outside = false;
    const plain_cell *cell = get_visible(object->world, object->own_cell_id);
    if (!cell) return false; /* retail would fault */
    add_cell(array, cell->id, cell);
    for (uint32_t i = 0; object->part_count && i < array->count; i++)
        if (array->entries[i].cell) find_transit_parts(object, array->entries[i].cell, array);
    return true;
}

bool plain_flood_cross_cells(const plain_flood_object *object, bool is_static, plain_flood_array *array) {
    array->do_not_load_cells = is_static;
    if (object->has_physics_bsp) return plain_flood_bbox(object, array);
    if (object->cylsphere_count) {
        acp_sphere spheres[10];
        uint32_t count = object->cylsphere_count < 10 ? object->cylsphere_count : 10;
        for (uint32_t i = 0; i < count; i++) {
            local_to_global(object->cell_id, object->cell_id, &object->frame, &object->cylspheres[i].low_point, &spheres[i].center);
            spheres[i].radius = object->cylspheres[i].radius;
        }
        return plain_flood_spheres(object->world, object->cell_id, object->frame.origin, count, spheres, array, NULL, NULL);
    }
    if (is_static) return plain_flood_bbox(object, array);
    acp_sphere sphere = object->sorting_sphere;
    local_to_global(object->cell_id, object->cell_id, &object->frame, &object->sorting_sphere.center, &sphere.center);
    return plain_flood_spheres(object->world, object->cell_id, object->frame.origin, 1, &sphere, array, NULL, NULL);
}

/* ---------------------------------------------------------------------------------------------------------------------- loading */

static plain_frame copy_frame(const acp_matrix_frame *f) {
    plain_frame out;
    memcpy(out.m, f->m, sizeof out.m);
    out.origin = f->origin;
    return out;
}

static void free_cell(plain_cell *cell) {
    while (cell->tree) {
        plain_node *next = cell->tree->positive;
        free(cell->tree);
        cell->tree = next;
    }
    free(cell->portals);
    free(cell->stab_list);
    free(cell->doors);
}

static void free_block(plain_block *block) {
    for (uint32_t i = 0; block->land && i < 64; i++)
        free_cell(&block->land[i]);
    for (uint32_t i = 0; block->rooms && i < block->room_limit; i++)
        if (block->rooms[i]) {
            free_cell(block->rooms[i]);
            free(block->rooms[i]);
        }
    free(block->land);
    free(block->rooms);
    free(block);
}

void plain_flood_world_free(plain_flood_world *world) {
    for (uint32_t i = 0; world && i < 65536; i++)
        if (world->blocks[i]) free_block(world->blocks[i]);
    free(world);
}

static bool copy_tree(plain_cell *cell, const acp_cell_tree *tree) {
    plain_node **at = &cell->tree;
    for (uint32_t i = 0; i < acp_cell_tree_plane_count(tree); i++, at = &(*at)->positive) {
        *at = calloc(1, sizeof **at);
        if (!*at) return false;
        (*at)->plane = acp_cell_tree_plane(tree, i);
    }
    return true;
}

static plain_cell *copy_room(const acp_env_cell *env) {
    plain_cell *cell = calloc(1, sizeof *cell);
    if (!cell) return NULL;
    cell->id = env->cell_id;
    cell->is_env = true;
    cell->frame = copy_frame(&env->position.frame);
    cell->portals = calloc((size_t)env->portal_count + 1, sizeof *cell->portals);
    cell->stab_list = calloc((size_t)env->visible_count + 1, sizeof *cell->stab_list);
    if (!cell->portals || !cell->stab_list || (env->structure && !copy_tree(cell, env->structure->containment))) {
        free_cell(cell);
        free(cell);
        return NULL;
    }
    for (; cell->portal_count < env->portal_count; cell->portal_count++) {
        const acp_cell_portal *p = &env->portals[cell->portal_count];
        cell->portals[cell->portal_count] = (plain_portal){p->other_cell_id, p->side, p->plane};
    }
    for (; cell->stab_count < env->visible_count; cell->stab_count++)
        cell->stab_list[cell->stab_count] = env->visible_cells[cell->stab_count];
    return cell;
}

static bool copy_land(plain_block *block, const acp_block *source) {
    block->land = calloc(64, sizeof *block->land);
    for (uint32_t k = 0; block->land && k < 64; k++) {
        plain_cell *cell = &block->land[k];
        cell->id = source->block_id | (k + 1u);
        cell->has_diagonal_sw_ne = ((source->terrain->sw_to_ne >> k) & 1u) != 0;
        const acp_building *building = acp_block_building(source, k);
        if (!building) continue;
        cell->doors = calloc((size_t)building->portal_count + 1, sizeof *cell->doors);
        if (!cell->doors) return false;
        for (; cell->door_count < building->portal_count; cell->door_count++)
            cell->doors[cell->door_count] =
                (plain_door){building->portals[cell->door_count].other_cell_id, building->portals[cell->door_count].other_portal_id};
    }
    return block->land != NULL;
}

static plain_block *copy_block(const acp_block *source) {
    plain_block *block = calloc(1, sizeof *block);
    bool is_whole = block && (!source->terrain || copy_land(block, source));
    if (is_whole) {
        block->rooms = calloc((size_t)source->env_index_count + 1, sizeof *block->rooms);
        is_whole = block->rooms != NULL;
    }
    for (uint32_t i = 0; is_whole && i < source->env_cell_count; i++) {
        block->room_limit = source->env_index_count;
        plain_cell **at = &block->rooms[(source->env_cells[i].cell_id & 0xFFFFu) - 0x100u];
        *at = copy_room(&source->env_cells[i]);
        is_whole = *at != NULL;
    }
    if (is_whole) return block;
    if (block) free_block(block);
    return NULL;
}

plain_flood_world *plain_flood_world_of(const acp_world *world) {
    plain_flood_world *copy = calloc(1, sizeof *copy);
    for (uint32_t i = 0; copy && i < 65536; i++) {
        if (!world->blocks[i]) continue;
        copy->blocks[i] = copy_block(world->blocks[i]);
        if (!copy->blocks[i]) {
            plain_flood_world_free(copy);
            copy = NULL;
        }
    }
    return copy;
}

void plain_flood_object_free(plain_flood_object *object) {
    if (!object) return;
    free(object->cylspheres);
    free(object->parts);
    free(object);
}

plain_flood_object *plain_flood_object_of(const plain_flood_world *world, const acp_object_row *row) {
    plain_flood_object *object = calloc(1, sizeof *object);
    if (!object) return NULL;
    object->world = world;
    object->has_physics_bsp = (row->state & ACP_STATE_HAS_PHYSICS_BSP) != 0;
    object->cell_id = row->position.cell_id;
    object->own_cell_id = row->holder_cell_id ? row->holder_cell_id : row->position.cell_id;
    object->frame = copy_frame(&row->position.frame);
    uint32_t cylspheres = row->setup ? row->setup->cylsphere_count : 0;
    object->sorting_sphere = (acp_sphere){{0.0f, 0.0f, 0.100000001f}, 0.100000001f}; /* the dummy of an object without part array */
    if (row->setup) object->sorting_sphere = row->setup->sorting_sphere;
    object->cylspheres = calloc((size_t)cylspheres + 1, sizeof *object->cylspheres);
    object->parts = calloc((size_t)row->part_count + 1, sizeof *object->parts);
    if (!object->cylspheres || !object->parts) {
        plain_flood_object_free(object);
        return NULL;
    }
    for (; object->cylsphere_count < cylspheres; object->cylsphere_count++)
        object->cylspheres[object->cylsphere_count] = row->setup->cylspheres[object->cylsphere_count];
    for (; object->part_count < row->part_count; object->part_count++) {
        const acp_part_row *from = &row->parts[object->part_count];
        plain_part *part = &object->parts[object->part_count];
        part->exists = from->shape != NULL;
        part->is_always_2d = (from->flags & ACP_PART_IS_ALWAYS_2D) != 0;
        part->cell_id = from->position.cell_id;
        part->frame = copy_frame(&from->position.frame);
        if (!from->shape) continue;
        part->box = from->shape->box;
        part->has_sphere = acp_shape_sphere(from->shape, &part->sphere);
    }
    return object;
}
