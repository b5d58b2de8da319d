/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_MATH_H
#define ACPHYS_MATH_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/export.h"
#include "acphys/result.h"

/** @file math.h
 * Plain value types: vectors, quaternions, frames, and what can be done with a frame. Axes: +X east, +Y north, +Z up; metres (spec 01
 * WM-1). Headings are degrees, 0 north, 90 east, clockwise from above; other angles are radians. Quaternions are written w first,
 * everywhere.
 *
 * Every fallible function here is pure and safe on [any thread]; nothing allocates. Errors, with nothing written:
 * ACP_ERROR_NOT_FINITE for a NaN or an infinity anywhere in the input (WM-27a); ACP_ERROR_OUT_OF_RANGE for a rotation whose length is
 * not 1 within 0.0005 (WM-27); ACP_ERROR_INVALID_ARGUMENT for a null. Outputs may be inputs. Arithmetic is the retail client's, to the
 * last bit (WM-3). */

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

/** The frame at the origin, not turned. [any thread] */
ACP_API acp_frame acp_frame_identity(void);

/** Whether a frame may pass the door: every number finite and the rotation of unit length (spec 01 WM-27, WM-27a). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_check(const acp_frame *frame);

/** Turns the frame to `rotation`, normalised; the origin stays. A rotation of length zero is ACP_ERROR_OUT_OF_RANGE, any other length is
 *  welcome; the old rotation is not looked at (spec 01 WM-28). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_set_rotation(acp_frame *frame, acp_quaternion rotation);

/** The frame of `child`, given in the axes of `parent`, in the axes that `parent` is given in (spec 01 WM-33). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_combine(const acp_frame *parent, const acp_frame *child, acp_frame *out_frame);

/** `frame` expressed in the axes of `base`, both given in the same axes: what combine with `base` undoes, to rounding (spec 01 WM-34).
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_subtract(const acp_frame *frame, const acp_frame *base, acp_frame *out_frame);

/** The identity expressed in the axes of `frame` (spec 01 WM-34). An inverse to rounding. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_inverse(const acp_frame *frame, acp_frame *out_frame);

/** A point of the frame's own axes in the axes the frame is given in (spec 01 WM-30). Metres. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_local_to_global(const acp_frame *frame, acp_vec3 point, acp_vec3 *out_point);
/** The point of `acp_frame_local_to_global` back in the frame's own axes (spec 01 WM-31). Metres. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_global_to_local(const acp_frame *frame, acp_vec3 point, acp_vec3 *out_point);
/** A direction of the frame's own axes in the axes the frame is given in (spec 01 WM-30). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_local_to_global_vec(const acp_frame *frame, acp_vec3 direction, acp_vec3 *out_direction);
/** A direction back in the frame's own axes (spec 01 WM-31). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_global_to_local_vec(const acp_frame *frame, acp_vec3 direction, acp_vec3 *out_direction);

/** Where the frame's +Y axis points, in degrees, unrounded: may lie a hair below 0 or beside 360 (spec 01 WM-37). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_heading(const acp_frame *frame, double *out_degrees);
/** Turns the frame to a heading in degrees. The pitch of the +Y axis is kept, roll is lost, as in the client (spec 01 WM-37).
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_set_heading(acp_frame *frame, float degrees);
/** Turns the frame so that its +Y axis points along `direction`, without roll. A direction shorter than 0.0002 changes nothing (spec 01
 *  WM-37). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_set_vector_heading(acp_frame *frame, acp_vec3 direction);

/** Turns the frame by a rotation vector (its direction is the axis, its length the angle in radians) given in the frame's own axes. An
 *  angle below 0.0002 changes nothing (spec 01 WM-36). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_rotate(acp_frame *frame, acp_vec3 rotation_vector);
/** The same with a rotation vector in the axes the frame is given in (spec 01 WM-36). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_rotate_global(acp_frame *frame, acp_vec3 rotation_vector);

/** The frame a part `t` of the way from `from` to `to`: origin on the straight line, rotation on the shorter arc. `t` is not clamped (spec
 *  01 section 12). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_frame_interpolate(const acp_frame *from, const acp_frame *to, float t, acp_frame *out_frame);

/** Origins within 0.0002 and rotation components closer than 0.0002; q and -q are different (spec 01 section 13). False for a null or a
 *  NaN. [any thread] */
ACP_API bool acp_frame_is_equal(const acp_frame *a, const acp_frame *b);

#ifdef __cplusplus
}
#endif

#endif
