/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_REFEREE_H
#define ACP_TESTS_REFEREE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "acphys/math.h"

/* The referee: spec 03 §1-10 (with 12 on rounding) written down a second time, as plainly as it goes: structs with pointers to children,
 * recursion where the spec recurses, every formula in binary64 in the written order. It shares no code with the library, only the public
 * value types; it is slow, allocates nothing and trusts its input. Names follow the spec's statements. */

#define REFEREE_EPS      ((double)0x1.a36e2ep-13f) /* 0x3951B717 */
#define REFEREE_CELL_PAD ((double)0x1.47ae14p-7f)  /* 0x3C23D70A */
#define REFEREE_NONE     UINT32_MAX

/* The binary32 store, read back. */
static inline double referee_f32(double value) { return (double)(float)value; }

/* ---- Planes, boxes, spheres (§3, §4, §6) ---- */

typedef enum { REFEREE_POSITIVE = 0, REFEREE_NEGATIVE = 1, REFEREE_IN_PLANE = 2, REFEREE_CROSSING = 3 } referee_side;

double referee_dist(const acp_plane *plane, acp_vec3 p);
referee_side referee_which_side(const acp_plane *plane, acp_vec3 p, double eps);
referee_side referee_which_side2(const acp_plane *plane, acp_vec3 p, double bias, double eps);
acp_plane referee_plane_from_point_normal(acp_vec3 normal, acp_vec3 p);
bool referee_set_height(const acp_plane *plane, acp_vec3 *p);
void referee_snap_to_plane(const acp_plane *plane, acp_vec3 *v);
bool referee_time_of_intersection(const acp_plane *plane, acp_vec3 pt, acp_vec3 dir, double *t);
referee_side referee_intersect_box(const acp_plane *plane, const acp_box *box);
void referee_box_adjust(acp_box *box, acp_vec3 v);
acp_vec3 referee_box_center(const acp_box *box);
bool referee_sphere_intersects(const acp_sphere *a, const acp_sphere *b);
bool referee_sphere_overlap(acp_vec3 disp, double radsum);
double referee_sphere_time_of_collision(acp_vec3 movement, acp_vec3 disp, double radsum);
bool referee_cyl_overlap(double height, double sphere_radius, acp_vec3 disp, double radsum);

/* ---- Frames and positions, as far as planes and boxes need them (01 §8, §9, §14) ---- */

typedef struct referee_position {
    uint32_t cell;
    float q[4];
    float m[9];
    acp_vec3 origin;
} referee_position;

referee_position referee_position_identity(uint32_t cell);
void referee_cache(referee_position *position);
void referee_set_rotate(referee_position *position, const float q[4]);
acp_vec3 referee_local_to_global(uint32_t to_cell, const referee_position *from, acp_vec3 v);
acp_vec3 referee_local_to_local(const referee_position *to, const referee_position *from, acp_vec3 v);
acp_plane referee_plane_local_to_global(uint32_t to_cell, const referee_position *from, const acp_plane *plane);
acp_box referee_box_local_to_global(uint32_t to_cell, const referee_position *from, const acp_box *box);
acp_box referee_box_convert_to_global(const referee_position *pos, const acp_box *box);
acp_box referee_box_local_to_local(const referee_position *to, const referee_position *from, const acp_box *box);

/* ---- Polygons (§7) ---- */

typedef struct referee_polygon {
    const acp_vec3 *v;
    int n;
    acp_plane plane;
    bool is_never_hit; /* POLY-4 */
    uint32_t number;   /* ordinal in the owner's array */
} referee_polygon;

/* SPHEREPATH, as far as walking reads and writes it. */
typedef struct referee_path {
    float walkable_allowance;
    float walk_interp;
} referee_path;

acp_plane referee_make_plane(const acp_vec3 *v, int n);
referee_polygon referee_polygon_make(const acp_vec3 *v, int n, uint32_t number);
bool referee_point_in_polygon(const referee_polygon *polygon, acp_vec3 p);
bool referee_point_in_poly2d(const referee_polygon *polygon, acp_vec3 p, referee_side side);
bool referee_hits_sphere_fast(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 *contact);
bool referee_hits_sphere_precise(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 *contact);
bool referee_pos_hits_sphere(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 movement, acp_vec3 *contact,
                             const referee_polygon **struck);
bool referee_walkable_hits_sphere(const referee_polygon *polygon, const referee_path *path, const acp_sphere *s, acp_vec3 up);
bool referee_check_walkable(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 up);
bool referee_check_small_walkable(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 up);
bool referee_find_crossed_edge(const referee_polygon *polygon, const acp_sphere *s, acp_vec3 up, acp_vec3 *normal);
double referee_adjust_sphere_to_poly(const referee_polygon *polygon, double radius, acp_vec3 curr, acp_vec3 movement);
bool referee_adjust_sphere_to_plane(const referee_polygon *polygon, referee_path *path, acp_sphere *s, acp_vec3 movement);
void referee_adjust_to_placement_poly(const referee_polygon *polygon, acp_sphere *struck, acp_sphere *other, double rad, bool center_solid,
                                      bool solid_check);

/* ---- Trees (§9, §10) ---- */

/* A leaf's entry: the number as the list has it, and the polygon, null when no such polygon exists (never hit). */
typedef struct referee_entry {
    uint32_t number;
    const referee_polygon *polygon;
} referee_entry;

typedef struct referee_node {
    bool is_leaf;
    bool is_portal; /* in a physics tree: no sphere, its test always passes (BSP-3) */
    uint32_t number;
    acp_plane plane; /* a LEAF in a cell tree: all zero (CBSP-4b) */
    acp_sphere sphere;
    const struct referee_node *pos;
    const struct referee_node *neg;
    int solid;
    const referee_entry *entries;
    uint32_t num_polys;
} referee_node;

/* Told of every node or leaf entered (REFEREE_NONE for a missing child) and of every polygon put to its test, in order. May be null. */
typedef struct referee_visitor {
    void (*node)(void *user, uint32_t number);
    void (*polygon)(void *user, uint32_t number);
    void *user;
} referee_visitor;

/* A null tree contains nothing (CBSP-4c). */
bool referee_cell_point(const referee_node *root, acp_vec3 p);
int referee_cell_sphere(const referee_node *root, const acp_sphere *s);
bool referee_cell_box(const referee_node *root, const acp_box *box);

/* A missing child of an interior node (null) is an empty leaf (BSP-5). `hit` and `contact` are in/out. */
bool referee_bsp_intersects_poly(const referee_node *node, const acp_sphere *s, acp_vec3 movement, const referee_polygon **hit,
                                 acp_vec3 *contact, const referee_visitor *visitor);
bool referee_bsp_intersects_solid(const referee_node *node, const acp_sphere *s, bool center_check, const referee_visitor *visitor);
bool referee_bsp_intersects_solid_poly(const referee_node *node, const acp_sphere *s, double rad, bool *center_solid,
                                       const referee_polygon **hit, bool center_check, const referee_visitor *visitor);
bool referee_bsp_point_intersects_solid(const referee_node *node, acp_vec3 p, const referee_visitor *visitor);
void referee_bsp_find_walkable(const referee_node *node, referee_path *path, acp_sphere *s, const referee_polygon **polygon,
                               acp_vec3 movement, acp_vec3 up, bool *changed, const referee_visitor *visitor);
bool referee_bsp_hits_walkable(const referee_node *node, const referee_path *path, const acp_sphere *s, acp_vec3 up,
                               const referee_visitor *visitor);
bool referee_bsp_adjust_to_plane(const referee_node *node, acp_sphere *s, acp_vec3 curr, const referee_polygon *hit, acp_vec3 *contact);

#endif
