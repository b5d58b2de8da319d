/* SPDX-License-Identifier: MIT */
/* Solids (spec 11 AUT-5, AUT-7, AUT-8, AUT-12 to AUT-14).
 *
 * A convex body is a chain of its face planes in the order of the polygons: beyond each is nothing, behind all of them the one solid leaf
 * with every face. Any other body is split by the planes of its faces: a fragment that lies in the splitting plane goes behind itself
 * and is done, others go where they lie, in two when they cross. A region without open fragments is a leaf: in front of the last
 * face it is empty, behind it solid, and it lists the polygons whose fragments it holds; a polygon that was cut is listed whole in
 * each (AUT-5). The next plane is the one of 16 candidates that cuts least and divides best.
 * A fragment that sticks out of its side by less than EPS divides nothing any more; it is still listed there.
 *
 * Contract: for a body that does not close, what is behind its faces counts as solid: that is what the author asked for.
 * Limits: 1,024 levels, 2 million nodes and fragments. Cost: fragments times candidates a level. */
#include <math.h>

#include "asset/author.h"
#include "base/memory.h"

#define LEVELS         1024u
#define CANDIDATES     16u
#define FEW            2000u /* above this many open fragments 4 candidates must do */
#define FRAGMENT_LIMIT 2000000u

typedef struct fragment {
    uint32_t polygon;
    uint32_t point_count;
    acp_author_point *points;
    bool is_done; /* lies in a plane above, or too thin to divide */
} fragment;

typedef struct job {
    fragment **items;
    uint32_t count;
    uint32_t capacity;
    uint32_t parent; /* ACP_BSP_NONE: the root */
    uint32_t depth;
    bool is_negative;
} job;

typedef struct splitter {
    acp_author *a;
    ACP_ARRAY(job) jobs;
    uint32_t made;    /* fragments */
    uint32_t *listed; /* scratch for leaves */
    uint32_t *stamp;  /* per polygon: the leaf that listed it last */
    uint32_t leaf;
} splitter;

typedef enum side { SIDE_BEHIND, SIDE_FRONT, SIDE_BOTH, SIDE_IN_SAME, SIDE_IN_OPPOSITE } side;

static double distance(const acp_plane *plane, acp_author_point p) {
    return (((double)plane->normal.z * p.z + (double)plane->normal.y * p.y) + (double)plane->normal.x * p.x) + (double)plane->d;
}

static void span(const acp_plane *plane, const fragment *f, double *least, double *greatest) {
    *least = INFINITY;
    *greatest = -INFINITY;
    for (uint32_t i = 0; i < f->point_count; i++) {
        double d = distance(plane, f->points[i]);
        if (d < *least) *least = d;
        if (d > *greatest) *greatest = d;
    }
}

/* Where a fragment lies as seen from the plane of a polygon. Its own plane it lies in, however bent the polygon is. */
static side side_of(const acp_author *a, uint32_t polygon, const fragment *f) {
    const acp_plane *plane = &a->planes[polygon];
    double least, greatest;
    if (f->polygon == polygon) return SIDE_IN_SAME;
    span(plane, f, &least, &greatest);
    if (least >= -ACP_AUTHOR_IN_PLANE && greatest <= ACP_AUTHOR_IN_PLANE) {
        const acp_plane *own = &a->planes[f->polygon];
        double turn = ((double)plane->normal.x * (double)own->normal.x + (double)plane->normal.y * (double)own->normal.y) +
                      (double)plane->normal.z * (double)own->normal.z;
        if (turn > 0.99) return SIDE_IN_SAME;
        if (turn < -0.99) return SIDE_IN_OPPOSITE;
    }
    if (least >= -ACP_AUTHOR_SLIVER) return SIDE_FRONT;
    if (greatest <= ACP_AUTHOR_SLIVER) return SIDE_BEHIND;
    return SIDE_BOTH;
}

/* Of the open fragments, the one whose plane cuts least and divides best. */
static uint32_t choose_plane(const splitter *s, const job *j, uint32_t open) {
    uint32_t best = ACP_BSP_NONE;
    uint64_t best_cost = UINT64_MAX;
    uint32_t candidates = open > FEW ? CANDIDATES / 4 : CANDIDATES, stride = (open + candidates - 1) / candidates, seen = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        if (j->items[i]->is_done || seen++ % stride != 0) continue;
        uint64_t front = 0, behind = 0, cuts = 0;
        for (uint32_t k = 0; k < j->count; k++) {
            if (j->items[k]->is_done) continue;
            side where = side_of(s->a, j->items[i]->polygon, j->items[k]);
            cuts += where == SIDE_BOTH;
            front += where == SIDE_FRONT;
            behind += where == SIDE_BEHIND;
        }
        uint64_t cost = 8 * cuts + (front > behind ? front - behind : behind - front);
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = j->items[i]->polygon;
    }
    return best;
}

static fragment *new_fragment(splitter *s, uint32_t polygon, uint32_t points) {
    fragment *f = acp_arena_allocate_zero(s->a->arena, 1, sizeof *f, 8);
    if (!f) return NULL;
    f->polygon = polygon;
    f->points = acp_arena_allocate_zero(s->a->arena, points, sizeof *f->points, 8);
    s->made++;
    return f->points ? f : NULL;
}

/* The part of a fragment on one side; done when it is too thin to divide anything. */
static fragment *part(splitter *s, const acp_plane *plane, double sign, const fragment *from) {
    fragment *f = new_fragment(s, from->polygon, 2 * from->point_count + 2);
    if (!f) return NULL;
    double deepest = 0;
    for (uint32_t i = 0; i < from->point_count; i++) {
        acp_author_point p = from->points[i], q = from->points[(i + 1) % from->point_count];
        double dp = sign * distance(plane, p), dq = sign * distance(plane, q);
        if (dp > deepest) deepest = dp;
        if (dp >= 0) f->points[f->point_count++] = p;
        if ((dp < 0) == (dq < 0)) continue;
        double t = dp / (dp - dq);
        f->points[f->point_count++] = (acp_author_point){p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, p.z + (q.z - p.z) * t};
    }
    f->is_done = from->is_done || deepest <= ACP_AUTHOR_IN_PLANE;
    return f;
}

static acp_result make_leaf(splitter *s, const job *j, uint32_t *out_node) {
    uint32_t count = 0;
    s->leaf++;
    for (uint32_t i = 0; i < j->count; i++) {
        uint32_t polygon = j->items[i]->polygon;
        if (s->stamp[polygon] == s->leaf) continue;
        s->stamp[polygon] = s->leaf;
        uint32_t at = count++;
        for (; at > 0 && s->listed[at - 1] > polygon; at--)
            s->listed[at] = s->listed[at - 1];
        s->listed[at] = polygon;
    }
    return acp_author_add_leaf(s->a, s->listed, count, j->is_negative, out_node);
}

/* A job's list lives as long as the job waits: lists of a deep tree would add up to much. */
static bool job_init(const splitter *s, job *j, uint32_t capacity) {
    j->capacity = capacity + 1;
    j->items = acp_memory_allocate(s->a->allocator, (size_t)j->capacity * sizeof *j->items, 8);
    return j->items != NULL;
}

static void job_free(const splitter *s, job *j) {
    acp_memory_free(s->a->allocator, j->items, (size_t)j->capacity * sizeof *j->items, 8);
    j->items = NULL;
}

/* Deals a job's fragments to the two sides of a plane. */
static acp_result divide(splitter *s, const job *j, uint32_t polygon, job *front, job *behind) {
    const acp_plane *plane = &s->a->planes[polygon];
    uint32_t front_count = 0, behind_count = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        side where = side_of(s->a, polygon, j->items[i]);
        front_count += where == SIDE_FRONT || where == SIDE_IN_OPPOSITE || where == SIDE_BOTH;
        behind_count += where == SIDE_BEHIND || where == SIDE_IN_SAME || where == SIDE_BOTH;
    }
    if (!job_init(s, front, front_count) || !job_init(s, behind, behind_count)) return acp_author_out_of_memory(s->a);
    for (uint32_t i = 0; i < j->count; i++) {
        fragment *f = j->items[i];
        side where = side_of(s->a, polygon, f);
        if (where == SIDE_IN_SAME || where == SIDE_IN_OPPOSITE) f->is_done = true;
        if (where == SIDE_BOTH) {
            fragment *to_front = part(s, plane, 1.0, f), *to_behind = part(s, plane, -1.0, f);
            if (!to_front || !to_behind) return acp_author_out_of_memory(s->a);
            front->items[front->count++] = to_front;
            behind->items[behind->count++] = to_behind;
        } else if (where == SIDE_FRONT || where == SIDE_IN_OPPOSITE)
            front->items[front->count++] = f;
        else
            behind->items[behind->count++] = f;
    }
    return ACP_OK;
}

static acp_result work(splitter *s, const job *j) {
    acp_author *a = s->a;
    uint32_t open = 0, node = ACP_BSP_NONE;
    for (uint32_t i = 0; i < j->count; i++)
        open += !j->items[i]->is_done;
    acp_result result = ACP_OK;
    job front = {.depth = j->depth + 1}, behind = {.depth = j->depth + 1, .is_negative = true};
    if (open == 0)
        result = make_leaf(s, j, &node);
    else {
        if (j->depth >= LEVELS || s->made > FRAGMENT_LIMIT || a->tree.nodes.count > FRAGMENT_LIMIT)
            return acp_author_fail(a, ACP_ERROR_LIMIT, ACP_BSP_NONE, "the body is too complicated for a solid tree: use a single leaf");
        uint32_t polygon = choose_plane(s, j, open);
        acp_author_node made = {.plane = a->planes[polygon]};
        node = acp_author_add_node(a, &made);
        if (node == ACP_BSP_NONE) return acp_author_out_of_memory(a);
        result = divide(s, j, polygon, &front, &behind);
    }
    if (result == ACP_OK && j->parent != ACP_BSP_NONE) {
        acp_author_node *parent = &a->tree.nodes.items[j->parent];
        *(j->is_negative ? &parent->negative : &parent->positive) = node;
    }
    if (result == ACP_OK && open == 0) return ACP_OK;
    front.parent = behind.parent = node;
    if (result == ACP_OK && ACP_ARRAY_RESERVE(&s->jobs, a->allocator, s->jobs.count + 2)) result = acp_author_out_of_memory(a);
    if (result) {
        job_free(s, &front);
        job_free(s, &behind);
        return result;
    }
    ACP_ARRAY_ADD(&s->jobs, behind);
    ACP_ARRAY_ADD(&s->jobs, front);
    return ACP_OK;
}

static acp_result split(acp_author *a) {
    splitter s = {.a = a};
    uint32_t count = a->report.physics_polygon_count;
    job root = {.parent = ACP_BSP_NONE, .depth = 1};
    s.listed = acp_arena_allocate_zero(a->arena, a->mesh->polygon_count, sizeof *s.listed, 8);
    s.stamp = acp_arena_allocate_zero(a->arena, a->mesh->polygon_count, sizeof *s.stamp, 8);
    if (!s.listed || !s.stamp || !job_init(&s, &root, count)) return acp_author_out_of_memory(a);
    acp_result result = ACP_OK;
    for (; root.count < count; root.count++) {
        uint32_t polygon = a->physics[root.count];
        fragment *f = new_fragment(&s, polygon, acp_author_point_count(a, polygon));
        if (!f) {
            result = acp_author_out_of_memory(a);
            break;
        }
        for (; f->point_count < acp_author_point_count(a, polygon); f->point_count++) {
            acp_vec3 v = acp_author_vertex(a, polygon, f->point_count);
            f->points[f->point_count] = (acp_author_point){(double)v.x, (double)v.y, (double)v.z};
        }
        root.items[root.count] = f;
    }
    if (result == ACP_OK) result = work(&s, &root);
    job_free(&s, &root);
    while (s.jobs.count > 0) { /* after a fault only to give the lists back */
        job next = s.jobs.items[--s.jobs.count];
        if (result == ACP_OK) result = work(&s, &next);
        job_free(&s, &next);
    }
    ACP_ARRAY_FREE(&s.jobs, a->allocator);
    return result;
}

/* ---- convex ---- */

static acp_result chain(acp_author *a, const acp_author_groups *groups) {
    uint32_t parent = ACP_BSP_NONE, leaf;
    for (uint32_t i = 0; i < groups->count; i++) {
        acp_author_node made = {.plane = groups->items[i].plane};
        uint32_t node = acp_author_add_node(a, &made);
        if (node == ACP_BSP_NONE) return acp_author_out_of_memory(a);
        acp_result result = acp_author_add_leaf(a, NULL, 0, false, &leaf);
        if (result) return result;
        a->tree.nodes.items[node].positive = leaf;
        if (parent != ACP_BSP_NONE) a->tree.nodes.items[parent].negative = node;
        parent = node;
    }
    acp_result result = acp_author_add_leaf(a, a->physics, a->report.physics_polygon_count, true, &leaf);
    if (result == ACP_OK) a->tree.nodes.items[parent].negative = leaf;
    return result;
}

acp_result acp_author_solid_tree(acp_author *a) {
    if (!a->report.is_closed && !(a->mesh->flags & ACP_MESH_MAY_BE_OPEN) && a->structure == ACP_BSP_NONE) {
        bool is_closed;
        uint32_t open;
        acp_result result = acp_author_is_closed(a, &is_closed, &open);
        if (result) return result;
        if (is_closed) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "the body's faces look inwards");
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, open, "the body does not close at this polygon");
    }
    acp_author_groups groups;
    acp_result result = acp_author_group_planes(a, false, &groups);
    if (result == ACP_ERROR_LIMIT) { /* too many faces for a chain */
        a->report.fault_polygon = ACP_BSP_NONE;
        return split(a);
    }
    if (result) return result;
    a->report.is_convex = 1;
    for (uint32_t i = 0; i < groups.count; i++)
        if (!groups.items[i].is_hull) a->report.is_convex = 0;
    return a->report.is_convex ? chain(a, &groups) : split(a);
}
