/* SPDX-License-Identifier: MIT */
/* The bodies of the tree queries (spec 03 §10), included three times: by geom/bsp_query.c as they are, by geom/bsp_trace.c with a visitor,
 * by geom/bsp_memo.c with a memory of misses. The including file defines QUERY(name)           the function's name VISITOR_PARAMETER     ",
 * const acp_bsp_visitor *visitor" or nothing VISIT_CHILD(word)     tells of a node or leaf entered VISIT_POLYGONS(...)   tells of the
 * entries of a group up to a lane SPINE(bsp, probe)     acp_bsp_probe_near, or ACP_BSP_NO_SPINE to visit the spine node by node
 *   BEGIN_SPHERE(bsp, sphere)              a query begins, or goes on with another sphere
 *   IS_BEYOND(group, sphere)               known to hit no polygon of a leaf's group
 *   HITS(bsp, polygon, sphere, contact)    acp_bsp_polygon_hits_sphere of an ordinal
 *   QUERY_OF_FOUR         defined: without the two queries that no memory serves
 * and has included everything needed. No include guard on purpose. */

bool QUERY(sphere_intersects_poly)(const acp_bsp *bsp, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon,
                                   acp_vec3 *contact VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    const double reach = (double)sphere->radius - ACP_EPSILON_F64;
    acp_bsp_probe probe = acp_bsp_probe_of(bsp, sphere->center, reach);
    uint32_t stack[ACP_BSP_MAX_DEPTH];
    uint32_t top = 0;
    uint32_t child = bsp->root;
    uint32_t near = SPINE(bsp, &probe);
    if (near == 0) return false;
    BEGIN_SPHERE(bsp, sphere);
    if (near != ACP_BSP_NO_SPINE && acp_bsp_descend(bsp, &probe, sphere, near, stack, &top)) {
        if (top == 0) return false;
        child = stack[--top];
    }
    for (;;) {
        VISIT_CHILD(child);
        if (!(child & ACP_BSP_CHILD_LEAF)) {
            const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&node->sphere, sphere)) {
                uint32_t sides = acp_bsp_probe_sides(&probe, &node->plane, sphere, reach);
                if (sides == 3u) stack[top++] = node->negative;
                child = (sides & 1u) ? node->positive : node->negative;
                continue;
            }
        } else if (!(child & ACP_BSP_CHILD_EMPTY)) {
            const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&leaf->sphere, sphere)) {
                const acp_bsp_leaf_group *group = acp_bsp_leaf_groups(bsp) + leaf->first_group;
                for (const acp_bsp_leaf_group *end = group + acp_bsp_group_count(leaf->polygon_count); group < end; group++) {
                    if (IS_BEYOND(group, sphere)) continue;
                    uint32_t told = 0;
                    for (uint32_t mask = acp_bsp_probe_candidates(&probe, group); mask != 0; mask &= mask - 1u) {
                        uint32_t lane = acp_bsp_lowest_lane(mask);
                        VISIT_POLYGONS(group, told, lane + 1);
                        const acp_bsp_polygon_record *record = &acp_bsp_polygons(bsp)[group->polygons[lane]];
                        if (!HITS(bsp, group->polygons[lane], sphere, contact)) continue;
                        *polygon = group->polygons[lane];
                        if (!(acp_vec3_dot_zyx(record->plane.normal, movement) >= 0.0)) return true;
                    }
                    VISIT_POLYGONS(group, told, 4);
                }
            }
        }
        if (top == 0) return false;
        child = stack[--top];
    }
}

/* Any polygon of a leaf that the sphere overlaps: §10.4 and §10.5; the ordinal, or ACP_BSP_NONE. */
static inline uint32_t QUERY(leaf_overlap)(const acp_bsp *bsp, const acp_bsp_leaf *leaf, const acp_bsp_probe *probe,
                                           const acp_sphere *sphere VISITOR_PARAMETER) {
    const acp_bsp_leaf_group *group = acp_bsp_leaf_groups(bsp) + leaf->first_group;
    for (const acp_bsp_leaf_group *end = group + acp_bsp_group_count(leaf->polygon_count); group < end; group++) {
        if (IS_BEYOND(group, sphere)) continue;
        uint32_t told = 0;
        for (uint32_t mask = acp_bsp_probe_candidates(probe, group); mask != 0; mask &= mask - 1u) {
            uint32_t lane = acp_bsp_lowest_lane(mask);
            VISIT_POLYGONS(group, told, lane + 1);
            acp_vec3 contact;
            if (HITS(bsp, group->polygons[lane], sphere, &contact)) return group->polygons[lane];
        }
        VISIT_POLYGONS(group, told, 4);
    }
    return ACP_BSP_NONE;
}

bool QUERY(sphere_intersects_solid)(const acp_bsp *bsp, const acp_sphere *sphere, bool center_check VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    const double reach = (double)sphere->radius - ACP_EPSILON_F64;
    acp_bsp_probe probe = acp_bsp_probe_of(bsp, sphere->center, reach);
    uint32_t stack[ACP_BSP_MAX_DEPTH]; /* child words; CHILD_FLAG: with the caller's center_check */
    uint32_t top = 0;
    uint32_t child = bsp->root;
    bool check = center_check;
    uint32_t near = SPINE(bsp, &probe);
    if (near == 0) return false;
    BEGIN_SPHERE(bsp, sphere);
    if (near != ACP_BSP_NO_SPINE && acp_bsp_descend(bsp, &probe, sphere, near, stack, &top)) {
        if (top == 0) return false;
        if (check) acp_bsp_mark_center(bsp, &probe, sphere, stack, top);
        child = stack[--top];
        check = (child & ACP_BSP_CHILD_FLAG) != 0;
        child &= ~ACP_BSP_CHILD_FLAG;
    }
    for (;;) {
        VISIT_CHILD(child);
        if (!(child & ACP_BSP_CHILD_LEAF)) {
            const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&node->sphere, sphere)) {
                uint32_t sides = acp_bsp_probe_sides(&probe, &node->plane, sphere, reach);
                child = (sides & 1u) ? node->positive : node->negative;
                if (sides == 3u) { /* positive first in any case; the flag goes with the centre's half */
                    bool negative_check = check && acp_bsp_probe_is_behind(&probe, &node->plane, sphere);
                    stack[top++] = negative_check ? node->negative | ACP_BSP_CHILD_FLAG : node->negative;
                    check = check && !negative_check;
                }
                continue;
            }
        } else if (!(child & ACP_BSP_CHILD_EMPTY)) {
            const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, child);
            if (check && leaf->solid) return true;
            if (((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&leaf->sphere, sphere)) &&
                QUERY(leaf_overlap)(bsp, leaf, &probe, sphere VISITOR_ARGUMENT) != ACP_BSP_NONE)
                return true;
        }
        if (top == 0) return false;
        child = stack[--top];
        check = (child & ACP_BSP_CHILD_FLAG) != 0;
        child &= ~ACP_BSP_CHILD_FLAG;
    }
}

#ifndef QUERY_OF_FOUR
bool QUERY(sphere_intersects_solid_poly)(const acp_bsp *bsp, const acp_sphere *sphere, float radius, bool center_check, bool *center_solid,
                                         uint32_t *polygon VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    const double reach = (double)radius - ACP_EPSILON_F64;
    /* The prune uses `radius`, the polygons the sphere's own. */
    const acp_bsp_probe wide = acp_bsp_probe_of(bsp, sphere->center, reach);
    const acp_bsp_probe own = acp_bsp_probe_of(bsp, sphere->center, (double)sphere->radius - ACP_EPSILON_F64);
    uint32_t stack[ACP_BSP_MAX_DEPTH]; /* far halves waiting; they are asked with center_check 0 */
    uint32_t top = 0;
    uint32_t child = bsp->root;
    bool check = center_check;
    for (;;) {
        VISIT_CHILD(child);
        bool value = false;
        if (!(child & ACP_BSP_CHILD_LEAF)) {
            const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&node->sphere, sphere)) {
                uint32_t sides = acp_bsp_probe_sides(&wide, &node->plane, sphere, reach);
                if (sides == 3u) {
                    bool is_behind = acp_bsp_probe_is_behind(&wide, &node->plane, sphere);
                    stack[top++] = is_behind ? node->positive : node->negative;
                    child = is_behind ? node->negative : node->positive;
                } else {
                    child = sides == 1u ? node->positive : node->negative;
                }
                continue;
            }
        } else if (!(child & ACP_BSP_CHILD_EMPTY)) {
            const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, child);
            if (check && leaf->solid) *center_solid = true;
            value = *center_solid;
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&leaf->sphere, sphere)) {
                uint32_t hit = QUERY(leaf_overlap)(bsp, leaf, &own, sphere VISITOR_ARGUMENT);
                if (hit != ACP_BSP_NONE) {
                    *polygon = hit;
                    value = true;
                }
            }
        }
        /* A near half is done and its value discarded, or the far half, which is the value of its node. */
        if (top == 0) return value;
        if (*polygon != ACP_BSP_NONE) return *center_solid;
        child = stack[--top];
        check = false;
    }
}

bool QUERY(point_intersects_solid)(const acp_bsp *bsp, acp_vec3 point VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    uint32_t child = bsp->root;
    VISIT_CHILD(child);
    while (!(child & ACP_BSP_CHILD_LEAF)) {
        const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
        child = acp_plane_distance(&node->plane, point) < 0.0 ? node->negative : node->positive;
        VISIT_CHILD(child);
    }
    return !(child & ACP_BSP_CHILD_EMPTY);
}
#endif

bool QUERY(find_walkable)(const acp_bsp *bsp, acp_walk *walk, acp_sphere *sphere, uint32_t *polygon, acp_vec3 movement,
                          acp_vec3 up VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    const double reach = (double)sphere->radius - ACP_EPSILON_F64;
    acp_bsp_probe probe = acp_bsp_probe_of(bsp, sphere->center, reach);
    bool changed = false;
    uint32_t stack[ACP_BSP_MAX_DEPTH];
    uint32_t top = 0;
    uint32_t child = bsp->root;
    uint32_t near = SPINE(bsp, &probe);
    if (near == 0) return false;
    BEGIN_SPHERE(bsp, sphere);
    if (near != ACP_BSP_NO_SPINE && acp_bsp_descend(bsp, &probe, sphere, near, stack, &top)) {
        if (top == 0) return false;
        child = stack[--top] & ~ACP_BSP_CHILD_SAME;
    }
    for (;;) {
        VISIT_CHILD(child);
        if (!(child & ACP_BSP_CHILD_LEAF)) {
            const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&node->sphere, sphere)) {
                uint32_t sides = acp_bsp_probe_sides(&probe, &node->plane, sphere, reach);
                if (sides == 3u) stack[top++] = node->negative;
                child = (sides & 1u) ? node->positive : node->negative;
                continue;
            }
        } else if (!(child & ACP_BSP_CHILD_EMPTY)) {
            const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&leaf->sphere, sphere)) {
                const acp_bsp_leaf_group *group = acp_bsp_leaf_groups(bsp) + leaf->first_group;
                for (const acp_bsp_leaf_group *end = group + acp_bsp_group_count(leaf->polygon_count); group < end; group++) {
                    if (IS_BEYOND(group, sphere)) continue;
                    uint32_t told = 0;
                    for (uint32_t mask = acp_bsp_probe_candidates(&probe, group); mask != 0;) {
                        uint32_t lane = acp_bsp_lowest_lane(mask);
                        mask &= mask - 1u;
                        VISIT_POLYGONS(group, told, lane + 1);
                        const acp_bsp_polygon_record *record = &acp_bsp_polygons(bsp)[group->polygons[lane]];
                        if (!(acp_vec3_dot_zyx(record->plane.normal, up) > (double)walk->walkable_allowance)) continue;
                        acp_vec3 contact;
                        if (!HITS(bsp, group->polygons[lane], sphere, &contact)) continue;
                        acp_polygon view = {record->plane, NULL, record->point_count, 0, 0};
                        if (!acp_polygon_adjust_sphere_to_plane(&view, &walk->walk_interp, sphere, movement)) continue;
                        changed = true;
                        *polygon = group->polygons[lane];
                        bool has_more = top != 0 || group + 1 < end || (lane < 3 && group->polygons[lane + 1] != ACP_BSP_NONE);
                        if (!has_more) return true;
                        /* Later polygons and nodes see the moved sphere. */
                        probe = acp_bsp_probe_of(bsp, sphere->center, reach);
                        BEGIN_SPHERE(bsp, sphere);
                        mask = acp_bsp_probe_candidates(&probe, group) & (0xEu << lane);
                    }
                    VISIT_POLYGONS(group, told, 4);
                }
            }
        }
        if (top == 0) return changed;
        child = stack[--top] & ~ACP_BSP_CHILD_SAME; /* the sphere may have moved since */
    }
}

bool QUERY(hits_walkable)(const acp_bsp *bsp, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up VISITOR_PARAMETER) {
    if (bsp == NULL) return false;
    const double reach = (double)sphere->radius - ACP_EPSILON_F64;
    acp_bsp_probe probe = acp_bsp_probe_of(bsp, sphere->center, reach);
    uint32_t stack[ACP_BSP_MAX_DEPTH];
    uint32_t top = 0;
    uint32_t child = bsp->root;
    uint32_t near = SPINE(bsp, &probe);
    if (near == 0) return false;
    BEGIN_SPHERE(bsp, sphere);
    if (near != ACP_BSP_NO_SPINE && acp_bsp_descend(bsp, &probe, sphere, near, stack, &top)) {
        if (top == 0) return false;
        child = stack[--top];
    }
    for (;;) {
        VISIT_CHILD(child);
        if (!(child & ACP_BSP_CHILD_LEAF)) {
            const acp_bsp_node *node = acp_bsp_node_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&node->sphere, sphere)) {
                uint32_t sides = acp_bsp_probe_sides(&probe, &node->plane, sphere, reach);
                if (sides == 3u) stack[top++] = node->negative;
                child = (sides & 1u) ? node->positive : node->negative;
                continue;
            }
        } else if (!(child & ACP_BSP_CHILD_EMPTY)) {
            const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, child);
            if ((child & ACP_BSP_CHILD_SAME) || acp_filter_sphere_intersects(&leaf->sphere, sphere)) {
                const acp_bsp_leaf_group *group = acp_bsp_leaf_groups(bsp) + leaf->first_group;
                for (const acp_bsp_leaf_group *end = group + acp_bsp_group_count(leaf->polygon_count); group < end; group++) {
                    if (IS_BEYOND(group, sphere)) continue;
                    uint32_t told = 0;
                    for (uint32_t mask = acp_bsp_probe_candidates(&probe, group); mask != 0; mask &= mask - 1u) {
                        uint32_t lane = acp_bsp_lowest_lane(mask);
                        VISIT_POLYGONS(group, told, lane + 1);
                        const acp_bsp_polygon_record *record = &acp_bsp_polygons(bsp)[group->polygons[lane]];
                        if (!(acp_vec3_dot_zyx(record->plane.normal, up) > (double)walkable_allowance)) continue;
                        acp_vec3 contact;
                        if (!HITS(bsp, group->polygons[lane], sphere, &contact)) continue;
                        acp_polygon view = {record->plane, acp_bsp_points(bsp) + record->first_point, record->point_count, 0, 0};
                        if (acp_polygon_check_small_walkable(&view, sphere, up)) return true;
                    }
                    VISIT_POLYGONS(group, told, 4);
                }
            }
        }
        if (top == 0) return false;
        child = stack[--top];
    }
}
