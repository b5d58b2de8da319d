/* SPDX-License-Identifier: MIT */
/* When an autonomous position goes out (spec 10 NET-47, NET-48): a decision over two states and two times.
 *
 * After more than one second since the last position or movement message: when cell or frame differs; within it: when the cell or the
 * contact plane differs. The ties at the epsilon are retail's: origins and plane normals compare equal at exactly 0.0002, quaternions and
 * plane distances do not (§16, item 6). Sending needs contact with walkable ground and a valid position; otherwise the timer runs on.
 *
 * Contract: pure; the caller stores time, position and plane after it has sent. Differences of binary32 values in binary64.
 * Cost: a dozen comparisons. */
#include <math.h>
#include <stdbool.h>

#include "math/number.h"
#include "wire/pieces.h"

#define CADENCE_SECONDS 1.0
#define CLIENT_AUTONOMY 2u

static bool is_far(float a, float b) { return fabs((double)a - (double)b) > ACP_EPSILON_F64; }
static bool is_far_or_tied(float a, float b) { return fabs((double)a - (double)b) >= ACP_EPSILON_F64; }

static bool is_vec3_far(acp_vec3 a, acp_vec3 b) { return is_far(a.x, b.x) || is_far(a.y, b.y) || is_far(a.z, b.z); }

static bool is_frame_changed(const acp_frame *a, const acp_frame *b) {
    const acp_quaternion *p = &a->rotation, *q = &b->rotation;
    return is_vec3_far(a->origin, b->origin) || is_far_or_tied(p->w, q->w) || is_far_or_tied(p->x, q->x) || is_far_or_tied(p->y, q->y) ||
           is_far_or_tied(p->z, q->z);
}

static int due_reason(const acp_wire_outbound_state *last, const acp_wire_outbound_state *now, bool is_second_over) {
    bool is_cell_changed = last->position.cell_id != now->position.cell_id;
    if (is_second_over)
        return is_cell_changed || is_frame_changed(&last->position.frame, &now->position.frame) ? ACP_WIRE_SEND_MOVED
                                                                                                : ACP_WIRE_SEND_NOTHING_CHANGED;
    if (is_cell_changed) return ACP_WIRE_SEND_CELL_CHANGED;
    bool is_plane_changed = is_vec3_far(last->contact_normal, now->contact_normal) || is_far_or_tied(last->contact_d, now->contact_d);
    return is_plane_changed ? ACP_WIRE_SEND_PLANE_CHANGED : ACP_WIRE_SEND_NOTHING_CHANGED;
}

int acp_wire_should_send_position(const acp_wire_outbound_state *last, const acp_wire_outbound_state *now, double last_time,
                                  double now_time, uint32_t autonomy_level) {
    if (autonomy_level != CLIENT_AUTONOMY) return ACP_WIRE_SEND_DISABLED;
    int reason = due_reason(last, now, now_time > last_time + CADENCE_SECONDS);
    if (reason == ACP_WIRE_SEND_NOTHING_CHANGED) return reason;
    if (!now->is_in_contact || !now->is_on_walkable) return ACP_WIRE_SEND_NOT_GROUNDED;
    if (!acp_wire_is_place(now->position.cell_id) || !acp_wire_is_unit(now->position.frame.rotation)) return ACP_WIRE_SEND_INVALID_POSITION;
    return reason;
}
