/* SPDX-License-Identifier: MIT */
/* The public door to retail's pure questions: arguments are checked here, once, and handed to the inner form (style, "Errors"; 01 WM-27a).
 *
 * Contract (acphys/geom.h): null pointers, numbers that are not finite, negative radii and inverted boxes are refused (DIV-25); the rest
 * has an answer. The inner functions (geom/cell_tree.h, geom/bsp.h) trust their callers.
 *
 * Limits: only questions that a host asks by itself; movement and membership call the inner form. Sources: spec 03 §9, §10.4, §10.6.
 * No allocation; a few comparisons per call. */
#include <math.h>
#include <stddef.h>

#include "geom/bsp.h"
#include "geom/cell_tree.h"

static bool is_finite_vec3(acp_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static acp_result check_sphere(const acp_sphere *sphere) {
    if (sphere == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(sphere->center) || !isfinite(sphere->radius)) return ACP_ERROR_NOT_FINITE;
    return sphere->radius < 0.0f ? ACP_ERROR_OUT_OF_RANGE : ACP_OK;
}

acp_result acp_cell_tree_test_point(const acp_cell_tree *tree, acp_vec3 point, int32_t *out_is_inside) {
    if (tree == NULL || out_is_inside == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(point)) return ACP_ERROR_NOT_FINITE;
    *out_is_inside = acp_cell_tree_contains_point(tree, point);
    return ACP_OK;
}

acp_result acp_cell_tree_test_sphere(const acp_cell_tree *tree, const acp_sphere *sphere, int32_t *out_bounding) {
    if (tree == NULL || out_bounding == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = check_sphere(sphere);
    if (result == ACP_OK) *out_bounding = (int32_t)acp_cell_tree_intersects_sphere(tree, sphere);
    return result;
}

acp_result acp_cell_tree_test_box(const acp_cell_tree *tree, const acp_box *box, int32_t *out_touches) {
    if (tree == NULL || box == NULL || out_touches == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(box->min) || !is_finite_vec3(box->max)) return ACP_ERROR_NOT_FINITE;
    if (box->min.x > box->max.x || box->min.y > box->max.y || box->min.z > box->max.z) return ACP_ERROR_OUT_OF_RANGE;
    *out_touches = acp_cell_tree_intersects_box(tree, box);
    return ACP_OK;
}

acp_result acp_bsp_point_in_solid(const acp_bsp *bsp, acp_vec3 point, int32_t *out_is_solid) {
    if (bsp == NULL || out_is_solid == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(point)) return ACP_ERROR_NOT_FINITE;
    *out_is_solid = acp_bsp_point_intersects_solid(bsp, point);
    return ACP_OK;
}

acp_result acp_bsp_sphere_in_solid(const acp_bsp *bsp, const acp_sphere *sphere, int32_t center_check, int32_t *out_is_solid) {
    if (bsp == NULL || out_is_solid == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = check_sphere(sphere);
    if (result == ACP_OK) *out_is_solid = acp_bsp_sphere_intersects_solid(bsp, sphere, center_check != 0);
    return result;
}
