/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_CONSTANTS_H
#define ACP_TRANSITION_CONSTANTS_H

#include "math/number.h"

/* Numbers and flag words of specs 05 and 06. Every float is the binary32 value of the retail client. */

#define ACP_LANDING_Z        0x1.64fd6p-4f     /* 0.0871556997, bits 0x3DB27EB0: slope limit while landing or being placed */
#define ACP_SMALL_STEP       0x1.47ae14p-5f    /* 0.0399999991, bits 0x3D23D70A: step distance when not on a walkable surface */
#define ACP_DEFAULT_STEP     0x1.47ae14p-7f    /* 0.00999999978, bits 0x3C23D70A: step heights of a part array without setup */
#define ACP_DUMMY_RADIUS     0x1.99999ap-4f    /* 0.100000001, bits 0x3DCCCCCD: the sphere of a mover without spheres */
#define ACP_INTERP_FLOOR     (-0x1.99999ap-4f) /* -0.1, bits 0xBDCCCCCD: lowest walk_interp on spheres, cylinders and terrain */
#define ACP_PLACEMENT_PI     0x1.921ff2p+1f    /* 3.14159989, bits 0x40490FF9: ring spacing; 3.1416, not pi */
#define ACP_PLACEMENT_SLACK  0x1.99999ap-5f    /* 0.0500000007, bits 0x3D4CCCCD: PHO-19 */
#define ACP_PLACEMENT_RADIUS 0x1.eb851ep-2f    /* 0.479999989, bits 0x3EF5C28F: smallest ring radius of ordinary movers */

/* What one test, insert or step answers. Values are retail's. */
typedef enum acp_transition_state {
    ACP_TRANSITION_INVALID = 0,
    ACP_TRANSITION_OK = 1,
    ACP_TRANSITION_COLLIDED = 2,
    ACP_TRANSITION_ADJUSTED = 3,
    ACP_TRANSITION_SLID = 4
} acp_transition_state;

/* OCD-5. */
typedef enum acp_insert_type { ACP_INSERT_TRANSITION = 0, ACP_INSERT_PLACEMENT = 1, ACP_INSERT_INITIAL_PLACEMENT = 2 } acp_insert_type;

/* OCD-3: the mover's flags during one transition. */
enum {
    ACP_OI_CONTACT = 0x0001,
    ACP_OI_ON_WALKABLE = 0x0002,
    ACP_OI_IS_VIEWER = 0x0004,
    ACP_OI_PATH_CLIPPED = 0x0008,
    ACP_OI_FREE_ROTATE = 0x0010,
    ACP_OI_PERFECT_CLIP = 0x0040,
    ACP_OI_IS_IMPENETRABLE = 0x0080,
    ACP_OI_IS_PLAYER = 0x0100,
    ACP_OI_EDGE_SLIDE = 0x0200,
    ACP_OI_IGNORE_CREATURES = 0x0400,
    ACP_OI_IS_PK = 0x0800,
    ACP_OI_IS_PK_LITE = 0x1000
};

#endif
