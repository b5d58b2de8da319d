/* SPDX-License-Identifier: MIT */
/* The library's flat trees and polygons against the referee's pointer trees (03 FLAT-12): the same questions to both, and everything
 * compared - results, out-parameters to the bit, and the sequence of nodes and polygons looked at. A tree is made from its own seed, so a
 * difference is repeated by
 *     differential_bsp 1 SEED TREE
 * Without arguments: a quick run under cmocka. With arguments: differential_bsp QUERIES [SEED [TREE]], for long runs; the seed is printed
 * at the start and the counts at the end. Exit code 1 when anything differs. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/box.h"
#include "geom/bsp.h"
#include "geom/bsp_trace.h"
#include "geom/cell_tree_probe.h"
#include "geom/plane.h"
#include "geom/polygon.h"
#include "geom/sphere.h"
#include "tests/referee/from_source.h"
#include "tests/support/query_maker.h"
#include "tests/support/random.h"

enum { QUICK_QUERIES = 1000000, QUERIES_PER_TREE = 2000, MAX_VISITS = 65536, MAX_REPORTS = 10 };

typedef enum operation {
    INTERSECTS_POLY,
    SOLID,
    SOLID_POLY,
    POINT_SOLID,
    FIND_WALKABLE,
    HITS_WALKABLE,
    ADJUST_TO_PLANE,
    CELL_POINT,
    CELL_SPHERE,
    CELL_BOX,
    POLYGON_SPHERE,
    POLYGON_POINT,
    POLYGON_WALKABLE,
    POLYGON_ADJUST,
    PLANE_AND_BOX,
    SPHERES,
    OPERATION_COUNT
} operation;

static const char *const operation_names[OPERATION_COUNT] = {"sphere_intersects_poly",
                                                             "sphere_intersects_solid",
                                                             "sphere_intersects_solid_poly",
                                                             "point_intersects_solid",
                                                             "find_walkable",
                                                             "hits_walkable",
                                                             "adjust_to_plane",
                                                             "cell point",
                                                             "cell sphere",
                                                             "cell box",
                                                             "polygon sphere",
                                                             "polygon point",
                                                             "polygon walkable",
                                                             "polygon adjust",
                                                             "plane and box",
                                                             "spheres"};

/* How often each is asked, of 100. */
static const uint32_t weights[OPERATION_COUNT] = {18, 10, 12, 4, 14, 8, 4, 4, 5, 3, 5, 3, 4, 2, 2, 2};

typedef struct visits {
    uint32_t seen[MAX_VISITS];
    uint32_t count;
} visits;

typedef struct contest {
    made_tree made;
    referee_tree referee;
    acp_bsp *bsp;
    acp_cell_tree *cell;
    made_query query;
    visits theirs; /* the referee's */
    visits ours;
    uint64_t asked[OPERATION_COUNT];
    uint64_t answered_yes[OPERATION_COUNT];
    uint64_t seed;
    uint64_t tree_index;
    uint64_t visit_total;
    uint32_t differences;
    const char *first_difference; /* within one query */
} contest;

static void see(visits *v, uint32_t tagged) {
    if (v->count < MAX_VISITS) v->seen[v->count] = tagged;
    v->count++;
}

static void referee_sees_node(void *user, uint32_t number) { see(user, number); }
static void referee_sees_polygon(void *user, uint32_t number) { see(user, number | 0x40000000u); }
static void library_sees(void *user, acp_bsp_visit what, uint32_t index) {
    see(user, what == ACP_BSP_VISIT_POLYGON ? index | 0x40000000u : index);
}

static void expect(contest *c, bool is_same, const char *what) {
    if (!is_same && !c->first_difference) c->first_difference = what;
}

static bool same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
static bool same_vec3(acp_vec3 a, acp_vec3 b) { return same_float(a.x, b.x) && same_float(a.y, b.y) && same_float(a.z, b.z); }
static bool same_sphere(const acp_sphere *a, const acp_sphere *b) {
    return same_vec3(a->center, b->center) && same_float(a->radius, b->radius);
}
static uint32_t number_of(const referee_polygon *polygon) { return polygon ? polygon->number : ACP_BSP_NONE; }

static void expect_visits(contest *c) {
    uint32_t count = c->theirs.count < MAX_VISITS ? c->theirs.count : MAX_VISITS;
    expect(c, c->theirs.count == c->ours.count && memcmp(c->theirs.seen, c->ours.seen, count * sizeof c->ours.seen[0]) == 0, "visits");
    c->visit_total += c->theirs.count;
}

/* In/out values that a query may leave alone. */
static const acp_vec3 marked = {123.0f, -45.0f, 6.5f};

static bool ask_tree(contest *c, operation op, test_random *random) {
    const made_query *q = &c->query;
    referee_visitor watcher = {referee_sees_node, referee_sees_polygon, &c->theirs};
    acp_bsp_visitor visitor = {library_sees, &c->ours};
    const referee_node *root = c->referee.root;
    const referee_polygon *hit = NULL;
    uint32_t plain = ACP_BSP_NONE, traced = ACP_BSP_NONE;
    bool is_named_before = test_random_below(random, 8) == 0;
    if (is_named_before) {
        hit = &c->referee.polygons[q->polygon];
        plain = traced = q->polygon;
    }
    bool a = false, b = false, d = false;
    c->theirs.count = c->ours.count = 0;
    if (op == INTERSECTS_POLY) {
        acp_vec3 contact = marked, contact_plain = marked, contact_traced = marked;
        a = referee_bsp_intersects_poly(root, &q->sphere, q->movement, &hit, &contact, &watcher);
        b = acp_bsp_sphere_intersects_poly(c->bsp, &q->sphere, q->movement, &plain, &contact_plain);
        d = acp_bsp_trace_sphere_intersects_poly(c->bsp, &q->sphere, q->movement, &traced, &contact_traced, &visitor);
        expect(c, same_vec3(contact, contact_plain) && same_vec3(contact, contact_traced), "contact");
    } else if (op == SOLID) {
        hit = NULL, plain = traced = ACP_BSP_NONE;
        a = referee_bsp_intersects_solid(root, &q->sphere, q->center_check, &watcher);
        b = acp_bsp_sphere_intersects_solid(c->bsp, &q->sphere, q->center_check);
        d = acp_bsp_trace_sphere_intersects_solid(c->bsp, &q->sphere, q->center_check, &visitor);
    } else if (op == SOLID_POLY) {
        bool solid = test_random_below(random, 8) == 0, solid_plain = solid, solid_traced = solid;
        a = referee_bsp_intersects_solid_poly(root, &q->sphere, (double)q->radius, &solid, &hit, q->center_check, &watcher);
        b = acp_bsp_sphere_intersects_solid_poly(c->bsp, &q->sphere, q->radius, q->center_check, &solid_plain, &plain);
        d = acp_bsp_trace_sphere_intersects_solid_poly(c->bsp, &q->sphere, q->radius, q->center_check, &solid_traced, &traced, &visitor);
        expect(c, solid == solid_plain && solid == solid_traced, "center_solid");
    } else if (op == POINT_SOLID) {
        hit = NULL, plain = traced = ACP_BSP_NONE;
        a = referee_bsp_point_intersects_solid(root, q->point, &watcher);
        b = acp_bsp_point_intersects_solid(c->bsp, q->point);
        d = acp_bsp_trace_point_intersects_solid(c->bsp, q->point, &visitor);
    } else if (op == FIND_WALKABLE) {
        referee_path path = {q->allowance, q->walk_interp};
        acp_walk walk = {q->allowance, q->walk_interp}, walk_traced = walk;
        acp_sphere s = q->sphere, s_plain = s, s_traced = s;
        referee_bsp_find_walkable(root, &path, &s, &hit, q->movement, q->up, &a, &watcher);
        b = acp_bsp_find_walkable(c->bsp, &walk, &s_plain, &plain, q->movement, q->up);
        d = acp_bsp_trace_find_walkable(c->bsp, &walk_traced, &s_traced, &traced, q->movement, q->up, &visitor);
        expect(c, same_sphere(&s, &s_plain) && same_sphere(&s, &s_traced), "moved sphere");
        expect(c, same_float(path.walk_interp, walk.walk_interp) && same_float(path.walk_interp, walk_traced.walk_interp), "walk_interp");
    } else {
        referee_path path = {q->allowance, q->walk_interp};
        hit = NULL, plain = traced = ACP_BSP_NONE;
        a = referee_bsp_hits_walkable(root, &path, &q->sphere, q->up, &watcher);
        b = acp_bsp_hits_walkable(c->bsp, q->allowance, &q->sphere, q->up);
        d = acp_bsp_trace_hits_walkable(c->bsp, q->allowance, &q->sphere, q->up, &visitor);
    }
    expect(c, a == b, "result");
    expect(c, a == d, "result of the traced form");
    expect(c, number_of(hit) == plain && number_of(hit) == traced, "polygon");
    expect_visits(c);
    return a;
}

/* §11.7 starts from a hit; half of the time a real one. */
static bool ask_adjust(contest *c, test_random *random) {
    const made_query *q = &c->query;
    const referee_polygon *hit = &c->referee.polygons[q->polygon];
    acp_vec3 contact = marked, contact_ours = marked;
    acp_vec3 current = q->sphere.center;
    current.x = (float)((double)current.x - (double)q->movement.x);
    current.y = (float)((double)current.y - (double)q->movement.y);
    current.z = (float)((double)current.z - (double)q->movement.z);
    if (test_random_below(random, 2) == 0) {
        const referee_polygon *real = NULL;
        (void)referee_bsp_intersects_poly(c->referee.root, &q->sphere, q->movement, &real, &contact, NULL);
        if (real) hit = real;
        contact = marked;
    }
    if (hit->is_never_hit) return false;
    acp_sphere s = q->sphere, s_ours = s;
    bool a = referee_bsp_adjust_to_plane(c->referee.root, &s, current, hit, &contact);
    bool b = acp_bsp_adjust_to_plane(c->bsp, &s_ours, current, hit->number, &contact_ours);
    expect(c, a == b, "result");
    expect(c, same_sphere(&s, &s_ours), "moved sphere");
    expect(c, same_vec3(contact, contact_ours), "contact");
    return a;
}

static bool ask_cell(contest *c, operation op) {
    const made_query *q = &c->query;
    int a, b;
    if (op == CELL_POINT) {
        a = referee_cell_point(c->referee.root, q->point);
        b = acp_cell_tree_contains_point(c->cell, q->point);
        expect(c, b == acp_cell_tree_has_point(c->cell, &q->point), "result in line");
    } else if (op == CELL_SPHERE) {
        a = referee_cell_sphere(c->referee.root, &q->sphere);
        b = (int)acp_cell_tree_intersects_sphere(c->cell, &q->sphere);
        expect(c, (b != 0) == acp_cell_tree_meets_sphere(c->cell, &q->sphere), "result in line");
    } else {
        a = referee_cell_box(c->referee.root, &q->box);
        b = acp_cell_tree_intersects_box(c->cell, &q->box);
    }
    expect(c, a == b, "result");
    return a != 0;
}

static bool ask_polygon_sphere(contest *c, const referee_polygon *p, const acp_polygon *ours) {
    const made_query *q = &c->query;
    acp_vec3 contact = marked, contact_ours = marked;
    bool a = referee_hits_sphere_fast(p, &q->sphere, &contact);
    expect(c, a == acp_polygon_hits_sphere_fast(ours, &q->sphere, &contact_ours), "fast test");
    expect(c, same_vec3(contact, contact_ours), "contact of the fast test");
    contact = contact_ours = marked;
    a = referee_hits_sphere_precise(p, &q->sphere, &contact);
    expect(c, a == acp_polygon_hits_sphere_precise(ours, &q->sphere, &contact_ours), "precise test");
    expect(c, a == acp_polygon_hits_sphere(ours, &q->sphere), "hits_sphere");
    expect(c, same_vec3(contact, contact_ours), "contact of the precise test");
    const referee_polygon *struck = NULL;
    bool is_struck = false;
    contact = contact_ours = marked;
    bool h = referee_pos_hits_sphere(p, &q->sphere, q->movement, &contact, &struck);
    expect(c, h == acp_polygon_pos_hits_sphere(ours, &q->sphere, q->movement, &contact_ours, &is_struck), "pos_hits_sphere");
    expect(c, (struck != NULL) == is_struck && same_vec3(contact, contact_ours), "struck polygon or its contact");
    return a;
}

static bool ask_polygon_walkable(contest *c, const referee_polygon *p, const acp_polygon *ours) {
    const made_query *q = &c->query;
    referee_path path = {q->allowance, q->walk_interp};
    acp_vec3 normal = marked, normal_ours = marked;
    bool a = referee_walkable_hits_sphere(p, &path, &q->sphere, q->up);
    expect(c, a == acp_polygon_walkable_hits_sphere(ours, q->allowance, &q->sphere, q->up), "walkable_hits_sphere");
    expect(c, referee_check_walkable(p, &q->sphere, q->up) == acp_polygon_check_walkable(ours, &q->sphere, q->up), "check_walkable");
    expect(c, referee_check_small_walkable(p, &q->sphere, q->up) == acp_polygon_check_small_walkable(ours, &q->sphere, q->up),
           "check_small_walkable");
    bool is_crossed = referee_find_crossed_edge(p, &q->sphere, q->up, &normal);
    expect(c, is_crossed == acp_polygon_find_crossed_edge(ours, &q->sphere, q->up, &normal_ours), "find_crossed_edge");
    expect(c, same_vec3(normal, normal_ours), "normal of the crossed edge");
    return a;
}

static bool ask_polygon_adjust(contest *c, const referee_polygon *p, const acp_polygon *ours, test_random *random) {
    const made_query *q = &c->query;
    if (p->is_never_hit) return false;
    double t = referee_adjust_sphere_to_poly(p, (double)q->sphere.radius, q->point, q->movement);
    expect(c, same_double(t, acp_polygon_adjust_sphere_to_poly(ours, &q->sphere, q->point, q->movement)), "adjust_sphere_to_poly");
    referee_path path = {q->allowance, q->walk_interp};
    acp_sphere s = q->sphere, s_ours = s;
    float walk_interp = q->walk_interp;
    bool a = referee_adjust_sphere_to_plane(p, &path, &s, q->movement);
    expect(c, a == acp_polygon_adjust_sphere_to_plane(ours, &walk_interp, &s_ours, q->movement), "adjust_sphere_to_plane");
    expect(c, same_sphere(&s, &s_ours) && same_float(path.walk_interp, walk_interp), "sphere of adjust_sphere_to_plane");
    acp_sphere other = {q->up, 0.5f}, other_ours = other;
    bool center_solid = test_random_below(random, 2) == 0;
    s = s_ours = q->sphere;
    referee_adjust_to_placement_poly(p, &s, &other, (double)q->radius, center_solid, q->center_check);
    acp_polygon_adjust_to_placement(ours, &s_ours, &other_ours, q->radius, center_solid, q->center_check);
    expect(c, same_sphere(&s, &s_ours) && same_sphere(&other, &other_ours), "spheres of adjust_to_placement");
    return a;
}

static bool ask_polygon_point(contest *c, const referee_polygon *p, const acp_polygon *ours) {
    const made_query *q = &c->query;
    bool a = referee_point_in_polygon(p, q->point);
    expect(c, a == acp_polygon_contains_point(ours, q->point), "point_in_polygon");
    if (!p->is_never_hit) {
        expect(c,
               referee_point_in_poly2d(p, q->point, REFEREE_POSITIVE) == acp_polygon_contains_point_2d(ours, q->point, ACP_SIDE_POSITIVE),
               "point_in_poly2d, positive");
        expect(c,
               referee_point_in_poly2d(p, q->point, REFEREE_NEGATIVE) == acp_polygon_contains_point_2d(ours, q->point, ACP_SIDE_NEGATIVE),
               "point_in_poly2d, negative");
    }
    return a;
}

static bool ask_polygon(contest *c, operation op, test_random *random) {
    const referee_polygon *p = &c->referee.polygons[c->query.polygon];
    acp_polygon ours = acp_bsp_polygon(c->bsp, c->query.polygon);
    expect(c, p->is_never_hit == !acp_polygon_is_usable(&ours), "is it usable?");
    if (!p->is_never_hit) {
        expect(c, same_vec3(p->plane.normal, ours.plane.normal) && same_float(p->plane.d, ours.plane.d), "plane of the polygon");
        expect(c, ours.point_count == (uint32_t)p->n && memcmp(ours.points, p->v, (size_t)p->n * sizeof *p->v) == 0, "points");
    }
    if (op == POLYGON_SPHERE) return ask_polygon_sphere(c, p, &ours);
    if (op == POLYGON_POINT) return ask_polygon_point(c, p, &ours);
    if (op == POLYGON_WALKABLE) return ask_polygon_walkable(c, p, &ours);
    return ask_polygon_adjust(c, p, &ours, random);
}

static bool ask_plane_and_box(contest *c) {
    const made_query *q = &c->query;
    const referee_polygon *p = &c->referee.polygons[q->polygon];
    if (p->is_never_hit) return false;
    const acp_plane *plane = &p->plane;
    referee_side side = referee_which_side(plane, q->point, REFEREE_EPS);
    expect(c, (int)side == (int)acp_plane_side(plane, q->point, ACP_EPSILON), "which_side");
    expect(c,
           (int)referee_which_side2(plane, q->point, (double)q->radius, REFEREE_EPS) ==
               (int)acp_plane_side_biased(plane, q->point, q->radius, ACP_EPSILON),
           "which_side2");
    expect(c, (int)referee_intersect_box(plane, &q->box) == (int)acp_plane_intersect_box(plane, &q->box), "intersect_box");
    acp_vec3 v = q->point, w = q->point;
    expect(c, referee_set_height(plane, &v) == acp_plane_set_height(plane, &w) && same_vec3(v, w), "set_height");
    v = w = q->movement;
    referee_snap_to_plane(plane, &v);
    acp_plane_snap(plane, &w);
    expect(c, same_vec3(v, w), "snap_to_plane");
    acp_plane through = referee_plane_from_point_normal(q->up, q->point), through_ours = acp_plane_from_normal_and_point(q->up, q->point);
    expect(c, same_vec3(through.normal, through_ours.normal) && same_float(through.d, through_ours.d), "plane through a point");
    double t = 7.0, t_ours = 7.0;
    acp_ray ray = {q->point, q->movement, 1.0f};
    bool is_ahead = referee_time_of_intersection(plane, q->point, q->movement, &t);
    expect(c, is_ahead == acp_plane_time_of_intersection(plane, &ray, &t_ours) && same_double(t, t_ours), "time of intersection");
    acp_box box = q->box, box_ours = box;
    referee_box_adjust(&box, q->up);
    acp_box_adjust(&box_ours, q->up);
    expect(c, same_vec3(box.min, box_ours.min) && same_vec3(box.max, box_ours.max), "box adjust");
    expect(c, same_vec3(referee_box_center(&q->box), acp_box_center(&q->box)), "box centre");
    return side == REFEREE_POSITIVE;
}

static bool ask_spheres(contest *c) {
    const made_query *q = &c->query;
    const acp_sphere *other = &c->made.nodes[q->polygon % c->made.source.node_count].sphere;
    bool a = referee_sphere_intersects(other, &q->sphere);
    expect(c, a == acp_sphere_intersects(other, &q->sphere), "sphere_intersects");
    acp_vec3 disp = {(float)((double)q->point.x - (double)other->center.x), (float)((double)q->point.y - (double)other->center.y),
                     (float)((double)q->point.z - (double)other->center.z)};
    float sum = (float)(((double)q->sphere.radius + (double)other->radius) - REFEREE_EPS);
    expect(c, referee_sphere_overlap(disp, (double)sum) == acp_sphere_collides(disp, sum), "sphere_overlap_disp");
    expect(
        c,
        same_double(referee_sphere_time_of_collision(q->movement, disp, (double)sum), acp_sphere_time_of_collision(q->movement, disp, sum)),
        "time of collision");
    float height = q->radius;
    expect(c,
           referee_cyl_overlap((double)height, (double)q->sphere.radius, disp, (double)sum) ==
               acp_cylsphere_collides(height, q->sphere.radius, disp, sum),
           "cyl_overlap");
    return a;
}

static operation choose_operation(test_random *random) {
    uint32_t at = test_random_below(random, 100), op = 0;
    while (at >= weights[op])
        at -= weights[op++];
    return (operation)op;
}

static void ask(contest *c, uint64_t query_index, test_random *random) {
    operation op = choose_operation(random);
    made_query_make(&c->query, &c->made, random);
    c->first_difference = NULL;
    bool is_yes;
    if (op <= HITS_WALKABLE) {
        is_yes = ask_tree(c, op, random);
    } else if (op == ADJUST_TO_PLANE) {
        is_yes = ask_adjust(c, random);
    } else if (op <= CELL_BOX) {
        is_yes = ask_cell(c, op);
    } else if (op <= POLYGON_ADJUST) {
        is_yes = ask_polygon(c, op, random);
    } else if (op == PLANE_AND_BOX) {
        is_yes = ask_plane_and_box(c);
    } else {
        is_yes = ask_spheres(c);
    }
    c->asked[op]++;
    c->answered_yes[op] += is_yes;
    if (!c->first_difference) return;
    if (c->differences++ < MAX_REPORTS)
        print_error("%s differs: %s (seed %" PRIu64 ", tree %" PRIu64 " of family %s, query %" PRIu64 ")\n", operation_names[op],
                    c->first_difference, c->seed, c->tree_index, tree_family_name(c->made.family), query_index);
}

/* One tree and its questions; false when it could not be made. */
static bool run_tree(contest *c, uint64_t queries) {
    test_random random = {c->seed * 0x9E3779B97F4A7C15u + c->tree_index * 0xD1B54A32D192ED03u};
    made_tree_make(&c->made, (tree_family)(c->tree_index % TREE_FAMILY_COUNT), &random);
    acp_error error;
    c->bsp = NULL;
    c->cell = NULL;
    bool is_made = referee_tree_make(&c->referee, &c->made.source);
    if (is_made && acp_bsp_create(&c->made.source, ACP_CONTENT_LENIENT, NULL, NULL, &c->bsp, &error) == ACP_OK &&
        acp_cell_tree_create(c->made.nodes, c->made.source.node_count, c->made.source.root, ACP_CONTENT_LENIENT, NULL, NULL, &c->cell,
                             &error) == ACP_OK) {
        for (uint64_t i = 0; i < queries; i++)
            ask(c, i, &random);
    } else {
        print_error("tree %" PRIu64 " of family %s could not be made: %s\n", c->tree_index, tree_family_name(c->made.family),
                    error.message);
        is_made = false;
    }
    acp_bsp_destroy(c->bsp, NULL);
    acp_cell_tree_destroy(c->cell, NULL);
    referee_tree_free(&c->referee);
    return is_made;
}

static contest the_contest;

static bool run(uint64_t queries, uint64_t seed, uint64_t first_tree) {
    contest *c = &the_contest;
    memset(c, 0, sizeof *c);
    c->seed = seed;
    bool is_fine = true;
    for (uint64_t done = 0; is_fine && done < queries && c->differences < 100000; done += QUERIES_PER_TREE) {
        c->tree_index = first_tree + done / QUERIES_PER_TREE;
        is_fine = run_tree(c, QUERIES_PER_TREE);
    }
    uint64_t total = 0;
    for (int op = 0; op < OPERATION_COUNT; op++) {
        printf("%-30s %12" PRIu64 " asked, %12" PRIu64 " yes\n", operation_names[op], c->asked[op], c->answered_yes[op]);
        total += c->asked[op];
        is_fine = is_fine && (queries < 100000 || (c->answered_yes[op] > 0 && c->answered_yes[op] < c->asked[op]));
    }
    printf("seed %" PRIu64 ": %" PRIu64 " queries, %" PRIu64 " nodes and polygons looked at, %u differences\n", seed, total, c->visit_total,
           c->differences);
    return is_fine && c->differences == 0;
}

static void flat_trees_answer_as_the_referee_does(void **state) {
    (void)state;
    assert_true(run(QUICK_QUERIES, test_seed("differential.bsp", 5), 0));
}

int main(int argc, char **argv) {
    if (argc > 1) {
        uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 5;
        printf("seed %" PRIu64 "\n", seed);
        fflush(stdout);
        return run(strtoull(argv[1], NULL, 0), seed, argc > 3 ? strtoull(argv[3], NULL, 0) : 0) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_trees_answer_as_the_referee_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
