/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_MATH_H
#define ACPHYS_MATH_H

#include <stdint.h>

#include "acphys/export.h"

/** @file math.h
 * Plain value types: vectors, quaternions, frames. Axes: +X east, +Y north, +Z up; metres (spec 01 WM-1). Quaternions are written
 * w first, everywhere. */

#ifdef __cplusplus
extern "C" {
#endif

/** A point or direction, metres. 12 bytes. */
typedef struct acp_vec3 {
    float x;
    float y;
    float z;
} acp_vec3;

/** A rotation; a unit quaternion, scalar first. 16 bytes. */
typedef struct acp_quaternion {
    float w;
    float x;
    float y;
    float z;
} acp_quaternion;

/** Origin and rotation: where something is and how it is turned, in the axes of its parent (a landblock, an object).
 *  The rotation matrix is derived inside the library and never crosses the door (D15). 28 bytes. */
typedef struct acp_frame {
    acp_vec3 origin;
    acp_quaternion rotation;
} acp_frame;

ACP_STATIC_ASSERT(sizeof(acp_vec3) == 12, "acp_vec3 layout");
ACP_STATIC_ASSERT(sizeof(acp_quaternion) == 16, "acp_quaternion layout");
ACP_STATIC_ASSERT(sizeof(acp_frame) == 28, "acp_frame layout");

#ifdef __cplusplus
}
#endif

#endif
