/* SPDX-License-Identifier: MIT */
/* Stamps and sequences (spec 10 NET-20, NET-37 to NET-41): "newer than" with wraparound, the instance rule, and what a received position
 * does, as decisions over the nine stamps of an object.
 *
 * At a distance of exactly 0x8000 the smaller stamp is the newer one. Stamps are the caller's; a refused stamp leaves them as they were,
 * but for the force stamp of the player, which retail stores before it looks at the teleport stamp.
 * retail: CPhysicsObj::is_newer 0x00451AD0
 * retail: SmartBox::HandleReceivedPosition 0x00453FD0
 * Contract: pure. Cost: no more than the comparisons. */
#include "acphys/wire.h"

#include <stdbool.h>

#define INTERPOLATION_LIMIT 96.0f /* metres from the player: beyond, positions are set outright */

int acp_wire_stamp_is_newer(uint16_t stored, uint16_t incoming) {
    int distance = (int)incoming - (int)stored;
    if (distance < 0) distance = -distance;
    return distance > 0x7FFF ? incoming < stored : stored < incoming;
}

int acp_wire_sequence_is_newer(uint32_t a, uint32_t b) {
    if (a == b) return 0;
    uint32_t distance = a > b ? a - b : b - a;
    return (a > b) != (distance > 0x7FFFFFFFu);
}

int acp_wire_stamps_accept(uint16_t stamps[ACP_WIRE_STAMP_COUNT], uint32_t index, uint16_t incoming) {
    if (index >= ACP_WIRE_STAMP_COUNT || !acp_wire_stamp_is_newer(stamps[index], incoming)) return 0;
    stamps[index] = incoming;
    return 1;
}

int acp_wire_instance_rule(int is_known, uint16_t stored_instance, uint16_t incoming_instance) {
    if (!is_known || acp_wire_stamp_is_newer(stored_instance, incoming_instance)) return ACP_WIRE_INSTANCE_KEEP;
    return stored_instance == incoming_instance ? ACP_WIRE_INSTANCE_APPLY : ACP_WIRE_INSTANCE_DROP;
}

/* The other objects' half of NET-41: move_or_teleport. */
static int move_or_teleport(uint16_t stamps[ACP_WIRE_STAMP_COUNT], const acp_wire_receiver *receiver, const acp_wire_position_pack *pack) {
    bool is_teleport = acp_wire_stamps_accept(stamps, ACP_WIRE_STAMP_TELEPORT, pack->teleport_stamp) != 0;
    if (is_teleport || !receiver->has_cell) return ACP_WIRE_RECEIVED_TELEPORT;
    if (!(pack->flags & ACP_WIRE_PACK_HAS_CONTACT)) return ACP_WIRE_RECEIVED_IGNORE;
    return receiver->player_distance >= INTERPOLATION_LIMIT ? ACP_WIRE_RECEIVED_SNAP : ACP_WIRE_RECEIVED_INTERPOLATE;
}

int acp_wire_received_position(uint16_t stamps[ACP_WIRE_STAMP_COUNT], const acp_wire_receiver *receiver,
                               const acp_wire_position_pack *pack) {
    bool has_contact = (pack->flags & ACP_WIRE_PACK_HAS_CONTACT) != 0;
    /* retail evaluates in this order: the force stamp is stored even when the teleport stamp turns out to be older */
    if (receiver->is_player && acp_wire_stamps_accept(stamps, ACP_WIRE_STAMP_FORCE_POSITION, pack->force_position_stamp) &&
        !acp_wire_stamp_is_newer(pack->teleport_stamp, stamps[ACP_WIRE_STAMP_TELEPORT])) {
        stamps[ACP_WIRE_STAMP_POSITION] = pack->position_stamp;
        return ACP_WIRE_RECEIVED_FORCE;
    }
    uint16_t old = stamps[ACP_WIRE_STAMP_POSITION];
    if (!acp_wire_stamps_accept(stamps, ACP_WIRE_STAMP_POSITION, pack->position_stamp)) return ACP_WIRE_RECEIVED_IGNORE;
    if (acp_wire_stamp_is_newer(pack->teleport_stamp, stamps[ACP_WIRE_STAMP_TELEPORT])) {
        stamps[ACP_WIRE_STAMP_POSITION] = old;
        return ACP_WIRE_RECEIVED_IGNORE;
    }
    if (!receiver->is_player) return move_or_teleport(stamps, receiver, pack);
    if (acp_wire_stamps_accept(stamps, ACP_WIRE_STAMP_TELEPORT, pack->teleport_stamp)) return ACP_WIRE_RECEIVED_TELEPORT;
    return receiver->autonomy_level != 2 && has_contact ? ACP_WIRE_RECEIVED_INTERPOLATE : ACP_WIRE_RECEIVED_CONSTRAIN;
}
