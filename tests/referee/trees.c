/* SPDX-License-Identifier: MIT */
/* Referee: trees. Spec 03 §9, §10 and §11.7, recursion as in the spec; written from those pages alone. A null child of an interior node is
 * an empty leaf (BSP-5). */
#include <stddef.h>

#include "tests/referee/referee.h"

/* ---- Cell trees (§9): only positive children ---- */

bool referee_cell_point(const referee_node *root, acp_vec3 p) {
    if (!root) return false;
    if (referee_which_side(&root->plane, p, REFEREE_EPS) == REFEREE_NEGATIVE) return false;
    return root->pos ? referee_cell_point(root->pos, p) : true;
}

/* `is_rounded`: the widened radius arrives as a stored argument (the node follows a fully positive one). */
static int cell_sphere(const referee_node *node, const acp_sphere *s, bool is_rounded) {
    double rad = (double)s->radius + REFEREE_CELL_PAD;
    if (is_rounded) rad = referee_f32(rad);
    double t = referee_dist(&node->plane, s->center);
    if (t <= -rad) return 0;
    if (t >= rad) return node->pos ? cell_sphere(node->pos, s, true) : 2;
    if (!node->pos) return 1;
    return cell_sphere(node->pos, s, false) == 0 ? 0 : 1;
}

int referee_cell_sphere(const referee_node *root, const acp_sphere *s) { return root ? cell_sphere(root, s, false) : 0; }

bool referee_cell_box(const referee_node *root, const acp_box *box) {
    if (!root) return false;
    int outside = 0;
    for (int which = 0; which < 8; which++) {
        acp_vec3 v;
        v.x = which & 1 ? box->max.x : box->min.x;
        v.y = which & 2 ? box->max.y : box->min.y;
        v.z = which & 4 ? box->max.z : box->min.z;
        if (referee_dist(&root->plane, v) < -REFEREE_EPS) outside++;
    }
    if (outside == 8) return false;
    return root->pos ? referee_cell_box(root->pos, box) : true;
}

/* ---- Physics trees (§10) ---- */

static void see_node(const referee_visitor *visitor, const referee_node *node) {
    if (visitor && visitor->node) visitor->node(visitor->user, node ? node->number : REFEREE_NONE);
}

static const referee_polygon *see_polygon(const referee_visitor *visitor, const referee_entry *entry) {
    if (visitor && visitor->polygon) visitor->polygon(visitor->user, entry->number);
    return entry->polygon;
}

static bool is_empty_leaf(const referee_node *node) { return !node || (node->is_leaf && node->num_polys == 0); }

/* §10.2 rule 1. */
static bool reaches_node(const referee_node *node, const acp_sphere *s) {
    return (node->is_portal && !node->is_leaf) || referee_sphere_intersects(&node->sphere, s);
}

enum { ONLY_POSITIVE, ONLY_NEGATIVE, STRADDLING };

/* §10.2 rules 2 and 3. */
static int classify(double t, double radius) {
    double reach = radius - REFEREE_EPS;
    if (t >= reach) return ONLY_POSITIVE;
    if (t <= -reach) return ONLY_NEGATIVE;
    return STRADDLING;
}

/* POLY-10 for a leaf's entry. */
static bool entry_hits_sphere(const referee_polygon *polygon, const acp_sphere *s) {
    acp_vec3 scratch = {0, 0, 0};
    return polygon && referee_hits_sphere_precise(polygon, s, &scratch);
}

/* §10.3 */
bool referee_bsp_intersects_poly(const referee_node *node, const acp_sphere *s, acp_vec3 movement, const referee_polygon **hit,
                                 acp_vec3 *contact, const referee_visitor *visitor) {
    see_node(visitor, node);
    if (is_empty_leaf(node)) return false;
    if (!reaches_node(node, s)) return false;
    if (node->is_leaf) {
        for (uint32_t i = 0; i < node->num_polys; i++) {
            const referee_polygon *polygon = see_polygon(visitor, &node->entries[i]);
            if (polygon && referee_pos_hits_sphere(polygon, s, movement, contact, hit)) return true;
        }
        return false;
    }
    int where = classify(referee_dist(&node->plane, s->center), s->radius);
    if (where == ONLY_POSITIVE) return referee_bsp_intersects_poly(node->pos, s, movement, hit, contact, visitor);
    if (where == ONLY_NEGATIVE) return referee_bsp_intersects_poly(node->neg, s, movement, hit, contact, visitor);
    if (referee_bsp_intersects_poly(node->pos, s, movement, hit, contact, visitor)) return true;
    return referee_bsp_intersects_poly(node->neg, s, movement, hit, contact, visitor);
}

/* §10.4 */
bool referee_bsp_intersects_solid(const referee_node *node, const acp_sphere *s, bool center_check, const referee_visitor *visitor) {
    see_node(visitor, node);
    if (is_empty_leaf(node)) return false;
    if (node->is_leaf) {
        if (center_check && node->solid != 0) return true;
        if (!reaches_node(node, s)) return false;
        for (uint32_t i = 0; i < node->num_polys; i++)
            if (entry_hits_sphere(see_polygon(visitor, &node->entries[i]), s)) return true;
        return false;
    }
    if (!reaches_node(node, s)) return false;
    double t = referee_dist(&node->plane, s->center);
    int where = classify(t, s->radius);
    if (where == ONLY_POSITIVE) return referee_bsp_intersects_solid(node->pos, s, center_check, visitor);
    if (where == ONLY_NEGATIVE) return referee_bsp_intersects_solid(node->neg, s, center_check, visitor);
    if (t < 0.0) {
        if (referee_bsp_intersects_solid(node->pos, s, false, visitor)) return true;
        return referee_bsp_intersects_solid(node->neg, s, center_check, visitor);
    }
    if (referee_bsp_intersects_solid(node->pos, s, center_check, visitor)) return true;
    return referee_bsp_intersects_solid(node->neg, s, false, visitor);
}

/* §10.5 */
bool referee_bsp_intersects_solid_poly(const referee_node *node, const acp_sphere *s, double rad, bool *center_solid,
                                       const referee_polygon **hit, bool center_check, const referee_visitor *visitor) {
    see_node(visitor, node);
    if (is_empty_leaf(node)) return false;
    if (node->is_leaf) {
        if (center_check && node->solid != 0) *center_solid = true;
        if (!reaches_node(node, s)) return *center_solid;
        for (uint32_t i = 0; i < node->num_polys; i++) {
            const referee_polygon *polygon = see_polygon(visitor, &node->entries[i]);
            if (entry_hits_sphere(polygon, s)) {
                *hit = polygon;
                return true;
            }
        }
        return *center_solid;
    }
    if (!reaches_node(node, s)) return false;
    double t = referee_dist(&node->plane, s->center);
    int where = classify(t, rad);
    if (where == ONLY_POSITIVE) return referee_bsp_intersects_solid_poly(node->pos, s, rad, center_solid, hit, center_check, visitor);
    if (where == ONLY_NEGATIVE) return referee_bsp_intersects_solid_poly(node->neg, s, rad, center_solid, hit, center_check, visitor);
    const referee_node *near_half = t < 0.0 ? node->neg : node->pos;
    const referee_node *far_half = t < 0.0 ? node->pos : node->neg;
    (void)referee_bsp_intersects_solid_poly(near_half, s, rad, center_solid, hit, center_check, visitor);
    if (!*hit) return referee_bsp_intersects_solid_poly(far_half, s, rad, center_solid, hit, false, visitor);
    return *center_solid;
}

/* §10.6 */
bool referee_bsp_point_intersects_solid(const referee_node *node, acp_vec3 p, const referee_visitor *visitor) {
    see_node(visitor, node);
    if (!node) return false;
    if (node->is_leaf) return node->num_polys != 0;
    return referee_bsp_point_intersects_solid(referee_dist(&node->plane, p) < 0.0 ? node->neg : node->pos, p, visitor);
}

/* §10.7 */
void referee_bsp_find_walkable(const referee_node *node, referee_path *path, acp_sphere *s, const referee_polygon **polygon,
                               acp_vec3 movement, acp_vec3 up, bool *changed, const referee_visitor *visitor) {
    see_node(visitor, node);
    if (is_empty_leaf(node)) return;
    if (!reaches_node(node, s)) return;
    if (node->is_leaf) {
        for (uint32_t i = 0; i < node->num_polys; i++) {
            const referee_polygon *candidate = see_polygon(visitor, &node->entries[i]);
            if (candidate && referee_walkable_hits_sphere(candidate, path, s, up) &&
                referee_adjust_sphere_to_plane(candidate, path, s, movement)) {
                *changed = true;
                *polygon = candidate;
            }
        }
        return;
    }
    int where = classify(referee_dist(&node->plane, s->center), s->radius);
    if (where != ONLY_NEGATIVE) referee_bsp_find_walkable(node->pos, path, s, polygon, movement, up, changed, visitor);
    if (where != ONLY_POSITIVE) referee_bsp_find_walkable(node->neg, path, s, polygon, movement, up, changed, visitor);
}

/* §10.8 */
bool referee_bsp_hits_walkable(const referee_node *node, const referee_path *path, const acp_sphere *s, acp_vec3 up,
                               const referee_visitor *visitor) {
    see_node(visitor, node);
    if (is_empty_leaf(node)) return false;
    if (!reaches_node(node, s)) return false;
    if (node->is_leaf) {
        for (uint32_t i = 0; i < node->num_polys; i++) {
            const referee_polygon *polygon = see_polygon(visitor, &node->entries[i]);
            if (polygon && referee_walkable_hits_sphere(polygon, path, s, up) && referee_check_small_walkable(polygon, s, up)) return true;
        }
        return false;
    }
    int where = classify(referee_dist(&node->plane, s->center), s->radius);
    if (where != ONLY_NEGATIVE && referee_bsp_hits_walkable(node->pos, path, s, up, visitor)) return true;
    if (where != ONLY_POSITIVE && referee_bsp_hits_walkable(node->neg, path, s, up, visitor)) return true;
    return false;
}

/* §11.7 */
static void place(acp_sphere *s, acp_vec3 m, acp_vec3 curr, double t) {
    s->center.x = (float)(referee_f32((double)m.x * t) + (double)curr.x);
    s->center.y = (float)(referee_f32((double)m.y * t) + (double)curr.y);
    s->center.z = (float)(t * (double)m.z + (double)curr.z);
}

bool referee_bsp_adjust_to_plane(const referee_node *node, acp_sphere *s, acp_vec3 curr, const referee_polygon *hit, acp_vec3 *contact) {
    acp_vec3 m;
    m.x = (float)((double)s->center.x - (double)curr.x);
    m.y = (float)((double)s->center.y - (double)curr.y);
    m.z = (float)((double)s->center.z - (double)curr.z);
    double lo = 0.0, hi = 1.0;
    int i = 0;
    for (;;) {
        double t = referee_adjust_sphere_to_poly(hit, s->radius, curr, m);
        if (t == 1.0) break;
        place(s, m, curr, t);
        if (!referee_bsp_intersects_poly(node, s, m, &hit, contact, NULL)) {
            lo = t;
            break;
        }
        i += 1;
        hi = t;
        if (i >= 15) return false;
    }
    for (;;) {
        double mid = (lo + hi) * 0.5;
        place(s, m, curr, mid);
        if (referee_bsp_intersects_poly(node, s, m, &hit, contact, NULL)) {
            hi = mid;
        } else {
            lo = mid;
        }
        if (hi - lo < 0.02) break;
        i += 1;
        if (i >= 15) break;
    }
    place(s, m, curr, lo);
    return true;
}
