/* SPDX-License-Identifier: MIT */
/* Random questions near ties. All arithmetic here is only about where to put things; nothing is compared with it. */
#include "tests/support/query_maker.h"

#include <math.h>
#include <stddef.h>

#define EPS 0.000199999995

typedef struct place {
    double x, y, z;
} place;

static bool chance(test_random *random, uint32_t percent) { return test_random_below(random, 100) < percent; }

static place place_of(acp_vec3 v) {
    place p = {(double)v.x, (double)v.y, (double)v.z};
    return p;
}

static place along(place p, place direction, double distance) {
    place q = {p.x + direction.x * distance, p.y + direction.y * distance, p.z + direction.z * distance};
    return q;
}

static acp_vec3 stored(place p) {
    acp_vec3 v = {(float)p.x, (float)p.y, (float)p.z};
    return v;
}

static place unit(place p) {
    double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    place none = {0, 0, 1};
    return length > 0 ? along((place){0, 0, 0}, p, 1.0 / length) : none;
}

static place any_direction(test_random *random) {
    place p = {test_random_in(random, -1, 1), test_random_in(random, -1, 1), test_random_in(random, -1, 1)};
    return unit(p);
}

/* A few units in the last place away. */
static float nudge(test_random *random, float value) {
    int steps = (int)test_random_below(random, 7) - 3;
    for (; steps > 0; steps--)
        value = nextafterf(value, INFINITY);
    for (; steps < 0; steps++)
        value = nextafterf(value, -INFINITY);
    return value;
}

static place anywhere(const made_tree *tree, test_random *random) {
    place p = {tree->offset + test_random_in(random, -6, 6) * tree->scale, -tree->offset + test_random_in(random, -6, 6) * tree->scale,
               test_random_in(random, -3, 6) * tree->scale};
    return p;
}

/* A point of the polygon, and the points before and after it; false when a vertex ordinal is out of range. */
static bool corner_of(const made_tree *tree, uint32_t ordinal, uint32_t i, place *out) {
    const acp_polygon_source *polygon = &tree->polygons[ordinal];
    uint32_t vertex = tree->indices[polygon->first_index + i % polygon->point_count];
    if (vertex >= tree->source.vertex_count) return false;
    *out = place_of(tree->vertices[vertex]);
    return true;
}

/* Normal by the first three points: near enough for placing. */
static place normal_of(const made_tree *tree, uint32_t ordinal) {
    place a, b, c, up = {0, 0, 1};
    if (tree->polygons[ordinal].point_count < 3 || !corner_of(tree, ordinal, 0, &a) || !corner_of(tree, ordinal, 1, &b) ||
        !corner_of(tree, ordinal, 2, &c))
        return up;
    place u = along(b, a, -1), v = along(c, a, -1);
    place n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    return unit(n);
}

static double signed_choice(test_random *random, const double *list, uint32_t count) {
    double value = list[test_random_below(random, count)];
    return chance(random, 50) ? value : -value;
}

/* Around an edge of a polygon: on it, off its ends, at the sphere's reach in the plane and above it. */
static place near_edge(const made_tree *tree, const made_query *query, test_random *random) {
    static const double fractions[] = {0, 1, 0.5, 0.25, -0.1, 1.1};
    uint32_t ordinal = query->polygon, edge = test_random_below(random, 12);
    place a, b;
    if (tree->polygons[ordinal].point_count < 3 || !corner_of(tree, ordinal, edge, &a) || !corner_of(tree, ordinal, edge + 1, &b))
        return anywhere(tree, random);
    place n = normal_of(tree, ordinal), e = along(b, a, -1), direction = unit(e);
    place inward = {n.y * direction.z - n.z * direction.y, n.z * direction.x - n.x * direction.z, n.x * direction.y - n.y * direction.x};
    double r = (double)query->sphere.radius, reach = r - EPS;
    double height = r * test_random_in(random, -1, 1);
    const double heights[] = {0, reach, r, height, height, EPS};
    double h = signed_choice(random, heights, 6);
    double limit = reach * reach - h * h > 0 ? sqrt(reach * reach - h * h) : 0;
    const double shifts[] = {0, limit, reach, test_random_in(random, 0, 2) * r, EPS};
    double s = chance(random, 60) ? fractions[test_random_below(random, 6)] : test_random_in(random, -0.2, 1.2);
    place p = along(a, e, s);
    p = along(p, inward, signed_choice(random, shifts, 5));
    return along(p, n, h);
}

/* Over (or under) the inside of a polygon, at a height within the sphere's reach or just at its end. */
static place over_polygon(const made_tree *tree, const made_query *query, test_random *random) {
    uint32_t ordinal = query->polygon, first = test_random_below(random, 12);
    place a, b, c;
    if (tree->polygons[ordinal].point_count < 3 || !corner_of(tree, ordinal, first, &a) || !corner_of(tree, ordinal, first + 1, &b) ||
        !corner_of(tree, ordinal, first + 2, &c))
        return anywhere(tree, random);
    double s = test_random_in(random, 0, 1), t = test_random_in(random, 0, 1) * (1 - s);
    place p = along(along(a, along(b, a, -1), s), along(c, a, -1), t);
    double r = (double)query->sphere.radius;
    const double heights[] = {r * test_random_in(random, 0, 1), r * test_random_in(random, 0, 1), r - EPS, r};
    return along(p, normal_of(tree, ordinal), heights[test_random_below(random, 4)]);
}

/* Settling onto the polygon under the sphere: up is near its normal, the movement goes down. */
static void walk_down(made_query *query, const made_tree *tree, test_random *random) {
    place none = {0, 0, 0}, n = normal_of(tree, query->polygon), up = {0, 0, 1};
    if (n.z < 0.3 || chance(random, 50)) up = n;
    query->up = stored(up);
    query->movement = stored(along(none, up, -(double)query->sphere.radius * test_random_in(random, 0.05, 2.0)));
    query->allowance = chance(random, 70) ? 0.664174139f : 0.0871556997f;
    query->walk_interp = chance(random, 70) ? 1.0f : (float)test_random_in(random, 0, 1);
}

/* At a telling distance from a splitting plane. */
static place near_plane(const made_tree *tree, const made_query *query, test_random *random) {
    const acp_bsp_node_source *node = &tree->nodes[test_random_below(random, tree->source.node_count)];
    if (node->kind == ACP_BSP_LEAF) return anywhere(tree, random);
    place p = anywhere(tree, random), n = place_of(node->plane.normal);
    double squared = n.x * n.x + n.y * n.y + n.z * n.z;
    double r = (double)query->sphere.radius, wide = (double)query->radius;
    const double distances[] = {0, r - EPS, r, EPS, r + 0.00999999978, wide - EPS};
    double wanted = signed_choice(random, distances, 6);
    double now = n.x * p.x + n.y * p.y + n.z * p.z + (double)node->plane.d;
    return along(p, n, (wanted - now) / squared);
}

/* Just touching the bounding sphere of a node, with or without the slack. */
static place near_bound(const made_tree *tree, const made_query *query, test_random *random) {
    const acp_bsp_node_source *node = &tree->nodes[test_random_below(random, tree->source.node_count)];
    double sum = (double)node->sphere.radius + (double)query->sphere.radius;
    double distance = chance(random, 50) ? sqrt(sum * sum + EPS) : fabs(sum);
    return along(place_of(node->sphere.center), any_direction(random), distance);
}

static float some_radius(const made_tree *tree, test_random *random) {
    static const float usual[] = {0.48f, 0.5f, 0.1f, 0.25f, 1.0f, 0.0002f, 0.0f, 0.000199999995f};
    if (chance(random, 50) && tree->scale == 1.0) return usual[test_random_below(random, 8)];
    return (float)(tree->scale * (chance(random, 80) ? test_random_in(random, 0, 1.5) : test_random_in(random, 0, 8)));
}

static acp_vec3 some_movement(const made_tree *tree, const made_query *query, test_random *random) {
    place n = normal_of(tree, query->polygon), none = {0, 0, 0}, down = {0, 0, -1};
    double length = tree->scale * test_random_in(random, 0.001, 1.0);
    switch (test_random_below(random, 8)) {
    case 0:
        return stored(along(none, n, length));
    case 1:
        return stored(along(none, n, -length));
    case 2: { /* along an edge: parallel to the polygon, almost */
        place a, b;
        if (tree->polygons[query->polygon].point_count >= 3 && corner_of(tree, query->polygon, 0, &a) &&
            corner_of(tree, query->polygon, 1, &b))
            return stored(along(b, a, -1));
        return stored(none);
    }
    case 3:
        return stored(none);
    case 4:
        return stored(along(none, down, length));
    default:
        return stored(along(none, any_direction(random), length));
    }
}

static acp_vec3 some_up(const made_tree *tree, const made_query *query, test_random *random) {
    place none = {0, 0, 0}, n = normal_of(tree, query->polygon);
    acp_vec3 up = {0, 0, 1};
    switch (test_random_below(random, 8)) {
    case 0:
        return stored(n);
    case 1:
        return stored(along(none, n, -1));
    case 2:
        return stored(any_direction(random));
    case 3:
        return stored(along(none, any_direction(random), test_random_in(random, 0, 2)));
    default:
        return up;
    }
}

static acp_box some_box(const made_tree *tree, const made_query *query, test_random *random) {
    acp_vec3 a = query->sphere.center, b = stored(anywhere(tree, random));
    if (chance(random, 50)) {
        double size = tree->scale * test_random_in(random, 0, 1);
        place p = place_of(a), q = {p.x + size, p.y + size * 0.5, p.z + size * 2};
        b = stored(q);
    }
    acp_box box = {a, b};
    if (b.x < a.x) box.min.x = b.x, box.max.x = a.x;
    if (b.y < a.y) box.min.y = b.y, box.max.y = a.y;
    if (b.z < a.z) box.min.z = b.z, box.max.z = a.z;
    return box;
}

void made_query_make(made_query *query, const made_tree *tree, test_random *random) {
    static const float allowances[] = {0.664174139f, 0.0871556997f, 0.0f, -1.0f, 0.664f, 0.99999994f};
    query->polygon = test_random_below(random, tree->source.polygon_count);
    if (tree->polygons[query->polygon].point_count < 3) query->polygon = test_random_below(random, tree->source.polygon_count);
    query->sphere.radius = some_radius(tree, random);
    query->radius =
        chance(random, 40) ? query->sphere.radius : (float)((double)query->sphere.radius * (double)(1u << test_random_below(random, 4)));
    place center;
    switch (test_random_below(random, 10)) {
    case 8:
    case 9:
        center = over_polygon(tree, query, random);
        break;
    case 0:
    case 1:
        center = anywhere(tree, random);
        break;
    case 2:
    case 3:
    case 4:
        center = near_edge(tree, query, random);
        break;
    case 5:
    case 6:
        center = near_plane(tree, query, random);
        break;
    default:
        center = near_bound(tree, query, random);
        break;
    }
    query->sphere.center = stored(center);
    if (chance(random, 40)) {
        query->sphere.center.x = nudge(random, query->sphere.center.x);
        query->sphere.center.y = nudge(random, query->sphere.center.y);
        query->sphere.center.z = nudge(random, query->sphere.center.z);
    }
    query->point = query->sphere.center;
    query->movement = some_movement(tree, query, random);
    query->up = some_up(tree, query, random);
    query->box = some_box(tree, query, random);
    query->allowance = chance(random, 80) ? allowances[test_random_below(random, 6)] : (float)test_random_in(random, -1, 1);
    query->walk_interp = chance(random, 50) ? 1.0f : (float)test_random_in(random, -0.5, 1);
    query->center_check = chance(random, 50);
    if (chance(random, 30)) walk_down(query, tree, random);
}
