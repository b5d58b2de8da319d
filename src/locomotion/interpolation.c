/* SPDX-License-Identifier: MIT */
/* Following places heard of (spec 07b MOT-16, 07 PHO-22, PHO-23).
 *
 * A body that others control hears of places and walks from one to the next at twice its speed; while it does, that replaces its root
 * motion. Five steps without enough progress drop the head, four failures, or one far place, make it jump. Headings come with the places
 * unless it keeps its own. Places may lie in any block: distances are taken between positions.
 *
 * Contract: world thread; changes its own queue and, when it jumps or arrives, the body. The client's queue is unbounded where far places
 * are appended faster than the body can jump; here the oldest goes after 32 (DIV-91). Rounding: distances and speeds are stored where
 * MOT-16 says. Cost: two or three distances a step. */
#include "locomotion/interpolation.h"

#include <string.h>

#include "body/place.h"
#include "body/step.h"
#include "math/vec3.h"
#include "place/cell_id.h"

#define ARRIVED_RADIUS   0x1.99999ap-5f /* 0.0500000007 */
#define STUCK_RADIUS     0x1.99999ap-3f /* 0.200000003 */
#define FAR              999999.0f
#define DEFAULT_SPEED    7.5f
#define WANTED_PROGRESS  0x1.333334p-2f /* 0.300000012 */
#define FRAMES_TO_JUDGE  5u
#define FAILURES_TO_BLIP 3u

float acp_blip_distance(uint32_t cell_id, bool is_player) {
    if (acp_cell_id_is_outdoor(cell_id)) return 100.0f;
    return is_player ? 25.0f : 20.0f;
}

void acp_interpolation_init(acp_interpolation *interpolation) {
    memset(interpolation, 0, sizeof *interpolation);
    interpolation->original_distance = FAR;
    interpolation->blip_to.frame = acp_matrix_frame_identity();
}

void acp_interpolation_stop(acp_interpolation *interpolation) {
    interpolation->count = 0;
    interpolation->frame_counter = 0;
    interpolation->fail_counter = 0;
    interpolation->progress_quantum = 0.0f;
    interpolation->original_distance = FAR;
}

static void drop_head(acp_interpolation *interpolation) {
    --interpolation->count;
    memmove(interpolation->nodes, interpolation->nodes + 1, interpolation->count * sizeof *interpolation->nodes);
}

static void append(acp_interpolation *interpolation, const acp_matrix_position *place, const acp_matrix_frame *own_heading) {
    if (interpolation->count == ACP_INTERPOLATION_CAPACITY) drop_head(interpolation); /* DIV-91 */
    acp_matrix_position *node = &interpolation->nodes[interpolation->count++];
    *node = *place;
    if (own_heading) acp_matrix_frame_set_heading(&node->frame, acp_f32(acp_matrix_frame_heading(own_heading)));
}

static void turn_to(const acp_interpolation_body *body, const acp_object_row *row, const acp_matrix_frame *as) {
    acp_matrix_frame frame = row->position.frame;
    acp_matrix_frame_set_heading(&frame, acp_f32(acp_matrix_frame_heading(as)));
    acp_body_set_frame(body->world, body->index, &frame);
}

void acp_interpolation_follow(acp_interpolation *interpolation, const acp_interpolation_body *body, const acp_matrix_position *place,
                              bool keeps_heading) {
    const acp_object_row *row = acp_world_row(body->world, body->index);
    const acp_matrix_position *own = &row->position;
    const acp_matrix_position *last = interpolation->count ? &interpolation->nodes[interpolation->count - 1u] : own;
    float distance = acp_f32(acp_matrix_position_distance(last, place));
    if (distance > acp_blip_distance(own->cell_id, body->is_player)) {
        append(interpolation, place, interpolation->keeps_heading ? &own->frame : NULL);
        interpolation->fail_counter = FAILURES_TO_BLIP + 1u;
        return;
    }
    if (acp_matrix_position_distance(own, place) <= (double)ARRIVED_RADIUS) {
        if (!keeps_heading) turn_to(body, row, &place->frame);
        acp_interpolation_stop(interpolation);
        return;
    }
    while (interpolation->count &&
           acp_matrix_position_distance(&interpolation->nodes[interpolation->count - 1u], place) < (double)ARRIVED_RADIUS)
        --interpolation->count;
    while (interpolation->count >= ACP_INTERPOLATION_LIMIT)
        drop_head(interpolation);
    interpolation->keeps_heading = keeps_heading;
    append(interpolation, place, keeps_heading ? &own->frame : NULL);
}

static void complete_node(acp_interpolation *interpolation, const acp_matrix_position *own, bool has_succeeded) {
    interpolation->frame_counter = 0;
    interpolation->progress_quantum = 0.0f;
    if (interpolation->count == 0) return;
    acp_matrix_position popped = interpolation->nodes[0];
    drop_head(interpolation);
    if (interpolation->count) {
        interpolation->original_distance = acp_f32(acp_matrix_position_distance(own, &interpolation->nodes[0]));
        return;
    }
    interpolation->original_distance = FAR;
    if (has_succeeded)
        acp_interpolation_stop(interpolation);
    else
        interpolation->blip_to = popped;
}

/* Every fifth step: has it come nearer? False: this node is done with, one way or the other. */
static bool judge(acp_interpolation *interpolation, const acp_interpolation_body *body, const acp_matrix_position *own, float distance,
                  float speed) {
    float made = acp_f32((double)interpolation->original_distance - (double)distance);
    bool is_fast = (double)made >= ACP_EPSILON_F64 &&
                   (double)made / (double)interpolation->progress_quantum / (double)speed >= (double)WANTED_PROGRESS;
    if (body->is_stuck || is_fast) {
        interpolation->frame_counter = 0;
        interpolation->progress_quantum = 0.0f;
        interpolation->original_distance = distance;
        return true;
    }
    bool is_near = distance < STUCK_RADIUS;
    if (!is_near) ++interpolation->fail_counter;
    complete_node(interpolation, own, is_near);
    return false;
}

void acp_interpolation_adjust(acp_interpolation *interpolation, const acp_interpolation_body *body, float quantum,
                              acp_matrix_frame *io_offset) {
    const acp_object_row *row = acp_world_row(body->world, body->index);
    if (interpolation->count == 0 || !(row->transient_state & ACP_TRANSIENT_CONTACT)) return;
    const acp_matrix_position *own = &row->position;
    double distance = acp_matrix_position_distance(own, &interpolation->nodes[0]);
    if (distance < (double)ARRIVED_RADIUS) {
        complete_node(interpolation, own, true);
        return;
    }
    float speed = (double)body->speed < ACP_EPSILON_F64 ? DEFAULT_SPEED : body->speed;
    interpolation->progress_quantum = acp_f32((double)quantum + (double)interpolation->progress_quantum);
    ++interpolation->frame_counter;
    if (interpolation->frame_counter >= FRAMES_TO_JUDGE && !judge(interpolation, body, own, acp_f32(distance), speed)) return;
    acp_matrix_frame step;
    acp_matrix_frame_subtract2(&step, &interpolation->nodes[0].frame, &own->frame);
    step.origin = acp_matrix_position_local_to_local(own, &interpolation->nodes[0], (acp_vec3){0.0f, 0.0f, 0.0f});
    float reach = acp_f32((double)speed * (double)quantum);
    double length = acp_vec3_length(step.origin);
    bool keeps_heading = interpolation->keeps_heading;
    if (length <= (double)ARRIVED_RADIUS) complete_node(interpolation, own, true);
    if (acp_f32(length) > reach) step.origin = acp_vec3_scale(step.origin, acp_stored((double)reach / acp_stored(length)));
    if (keeps_heading) acp_matrix_frame_set_heading(&step, 0.0f);
    *io_offset = step;
}

void acp_interpolation_use_time(acp_interpolation *interpolation, const acp_interpolation_body *body, acp_transition_context *context) {
    bool is_lost = interpolation->count == 0 && interpolation->fail_counter > 0;
    if (interpolation->fail_counter <= FAILURES_TO_BLIP && !is_lost) return;
    acp_matrix_position place = interpolation->count ? interpolation->nodes[interpolation->count - 1u] : interpolation->blip_to;
    acp_placement placement = {0};
    placement.struct_size = (uint32_t)sizeof placement;
    placement.flags = 0x1002u | ACP_PLACE_SLIDE;
    uint32_t answer = ACP_PLACE_GENERAL_FAILURE;
    acp_result result = acp_body_set_position(body->world, context, body->index, &place, &placement, &answer);
    if (result == ACP_OK && answer == ACP_PLACED) acp_interpolation_stop(interpolation);
}
