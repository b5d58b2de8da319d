/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_GEOM_H
#define ACPHYS_GEOM_H

#include <stdint.h>

#include "acphys/export.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file geom.h
 * Shapes: plane, sphere, box, cylsphere. Metres, in whatever frame the owner of the shape states. */

#ifdef __cplusplus
extern "C" {
#endif

/** normal . p + d, positive in front. */
typedef struct acp_plane {
    acp_vec3 normal;
    float d;
} acp_plane;

typedef struct acp_sphere {
    acp_vec3 center;
    float radius;
} acp_sphere;

/** Axis-aligned box of its frame. */
typedef struct acp_box {
    acp_vec3 min;
    acp_vec3 max;
} acp_box;

/** Upright capped cylinder: centre of the bottom, radius, height. */
typedef struct acp_cylsphere {
    acp_vec3 low_point;
    float radius;
    float height;
} acp_cylsphere;

ACP_STATIC_ASSERT(sizeof(acp_plane) == 16, "acp_plane layout");
ACP_STATIC_ASSERT(sizeof(acp_sphere) == 16, "acp_sphere layout");
ACP_STATIC_ASSERT(sizeof(acp_box) == 24, "acp_box layout");
ACP_STATIC_ASSERT(sizeof(acp_cylsphere) == 20, "acp_cylsphere layout");

#ifdef __cplusplus
}
#endif

#endif
