/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_REPLAY_H
#define ACP_TOOLS_TOOL_REPLAY_H

#include "acphys/transition.h"
#include "support/json_values.h"

/* One recorded move of another client, recomputed and compared. */

/* What a recording says. */
typedef struct acp_recorded_move {
    uint64_t tick;
    acp_mover mover;
    acp_position from;
    acp_position to;
    acp_position end; /* recorded */
    bool is_on_ground;
    bool has_collision_normal;
    acp_vec3 collision_normal;
    acp_ground_plane contact; /* recorded, after */
} acp_recorded_move;

/* Classes of differences; each field of a move falls into at most one. */
typedef enum acp_replay_class {
    ACP_REPLAY_CELL,       /* another cell */
    ACP_REPLAY_POSITION,   /* a millimetre or more apart */
    ACP_REPLAY_ROUNDING,   /* less */
    ACP_REPLAY_CONTACT,    /* one has a contact plane, the other has none */
    ACP_REPLAY_PLANE,      /* another plane */
    ACP_REPLAY_PLANE_CELL, /* the same plane, noted in another cell */
    ACP_REPLAY_GROUND,     /* on ground or not */
    ACP_REPLAY_HIT,        /* a collision normal or none */
    ACP_REPLAY_NORMAL,     /* another collision normal */
    ACP_REPLAY_CLASSES
} acp_replay_class;

typedef struct acp_replay_difference {
    acp_replay_class kind;
    char recorded[192];
    char computed[192];
    double distance; /* metres, of places */
} acp_replay_difference;

/* How another client's record becomes a mover: the centre of its second sphere above the first point of the foot, 0 = only one sphere. */
bool acp_recorded_move_read(acp_json_input *input, const acp_json *record, float second_center, acp_recorded_move *out_move);

/* The differences of a computed result, in the order of the classes; at most ACP_REPLAY_CLASSES. */
uint32_t acp_replay_compare(const acp_recorded_move *move, const acp_move_result *result, acp_replay_difference *out);

const char *acp_replay_class_name(acp_replay_class kind);

#endif
