/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_WIRE_H
#define ACPHYS_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/export.h"
#include "acphys/math.h"
#include "acphys/place.h"
#include "acphys/result.h"

/** @file wire.h
 * Position and movement messages of the game's protocol (spec 10 §8-12): pure functions over the caller's buffers, in the archive
 * acphys_wire. Nothing here allocates, opens a socket or keeps state. A Position goes out exactly as it stands, cell id and local origin
 * together.
 *
 * Decoding refuses short and oversized messages, non-finite floats, quaternions off unit length by more than 1e-3 and ids that name no
 * place (NET-54): the error names offset and field, and the output is unspecified. Pad bytes must exist; their value is ignored.
 * Every function is safe on any thread. Lengths are bytes, metres, seconds, degrees where a heading is named. */

#ifdef __cplusplus
extern "C" {
#endif

/** Opcodes of the messages this archive knows. Values are the wire's. */
enum {
    ACP_WIRE_PRIVATE_UPDATE_POSITION = 0x02DB,
    ACP_WIRE_PUBLIC_UPDATE_POSITION = 0x02DC,
    ACP_WIRE_POSITION_AND_MOVEMENT = 0xF619,
    ACP_WIRE_CREATE_OBJECT = 0xF745,
    ACP_WIRE_PLAYER_CREATE = 0xF746,
    ACP_WIRE_DELETE_OBJECT = 0xF747,
    ACP_WIRE_UPDATE_POSITION = 0xF748,
    ACP_WIRE_PARENT_EVENT = 0xF749,
    ACP_WIRE_PICKUP_EVENT = 0xF74A,
    ACP_WIRE_SET_STATE = 0xF74B,
    ACP_WIRE_UPDATE_MOTION = 0xF74C,
    ACP_WIRE_VECTOR_UPDATE = 0xF74E,
    ACP_WIRE_PLAYER_TELEPORT = 0xF751,
    ACP_WIRE_ORDERED_ACTION = 0xF7B1,
    ACP_WIRE_UPDATE_OBJECT = 0xF7DB
};

/** Actions inside ACP_WIRE_ORDERED_ACTION (NET-28). */
enum {
    ACP_WIRE_ACTION_LOGIN_COMPLETE = 0x00A1,
    ACP_WIRE_ACTION_PING = 0x01E9,
    ACP_WIRE_ACTION_JUMP = 0xF61B,
    ACP_WIRE_ACTION_MOVE_TO_STATE = 0xF61C,
    ACP_WIRE_ACTION_AUTONOMOUS_POSITION = 0xF753
};

/** Flags of a position pack (NET-30). An omitted quaternion part is 0. */
enum {
    ACP_WIRE_PACK_HAS_VELOCITY = 0x01,
    ACP_WIRE_PACK_HAS_PLACEMENT = 0x02,
    ACP_WIRE_PACK_HAS_CONTACT = 0x04,
    ACP_WIRE_PACK_OMITS_W = 0x08,
    ACP_WIRE_PACK_OMITS_X = 0x10,
    ACP_WIRE_PACK_OMITS_Y = 0x20,
    ACP_WIRE_PACK_OMITS_Z = 0x40
};

/** Cell id and origin without a rotation (NET-29); 16 bytes on the wire. */
typedef struct acp_wire_origin {
    uint32_t cell_id;
    acp_vec3 origin; /**< metres, frame of the cell's landblock */
} acp_wire_origin;

/** A position pack (NET-30). `flags` decides what is on the wire; acp_wire_position_pack_flags derives them as retail's packer does. */
typedef struct acp_wire_position_pack {
    uint32_t flags;
    acp_position position;
    acp_vec3 velocity; /**< m/s; retail never applies it (NET-42) */
    uint32_t placement_id;
    uint16_t instance_stamp;
    uint16_t position_stamp;
    uint16_t teleport_stamp;
    uint16_t force_position_stamp;
} acp_wire_position_pack;

/** Most actions a motion state can carry (five bits). */
#define ACP_WIRE_MAX_ACTIONS 31u

/** One queued action of a motion state (NET-32). */
typedef struct acp_wire_motion_action {
    uint16_t command;
    uint16_t stamp; /**< 15 bits */
    uint32_t is_autonomous;
    float speed;
} acp_wire_motion_action;

/** Presence bits of an interpreted state (NET-32). */
enum {
    ACP_WIRE_STATE_STYLE = 0x01,
    ACP_WIRE_STATE_FORWARD = 0x02,
    ACP_WIRE_STATE_FORWARD_SPEED = 0x04,
    ACP_WIRE_STATE_SIDESTEP = 0x08,
    ACP_WIRE_STATE_SIDESTEP_SPEED = 0x10,
    ACP_WIRE_STATE_TURN = 0x20,
    ACP_WIRE_STATE_TURN_SPEED = 0x40
};

/** Interpreted state (NET-32). Absent fields hold the low words of their defaults (style 0x3D, forward 0x0003, others 0, speeds 1). */
typedef struct acp_wire_interpreted_state {
    uint32_t presence; /**< ACP_WIRE_STATE_* */
    uint16_t style;
    uint16_t forward_command;
    uint16_t sidestep_command;
    uint16_t turn_command;
    float forward_speed;
    float sidestep_speed;
    float turn_speed;
    uint32_t action_count;
    acp_wire_motion_action actions[ACP_WIRE_MAX_ACTIONS];
} acp_wire_interpreted_state;

/** Presence bits of a raw state (NET-33). */
enum {
    ACP_WIRE_RAW_HOLD_KEY = 0x001,
    ACP_WIRE_RAW_STYLE = 0x002,
    ACP_WIRE_RAW_FORWARD = 0x004,
    ACP_WIRE_RAW_FORWARD_HOLD = 0x008,
    ACP_WIRE_RAW_FORWARD_SPEED = 0x010,
    ACP_WIRE_RAW_SIDESTEP = 0x020,
    ACP_WIRE_RAW_SIDESTEP_HOLD = 0x040,
    ACP_WIRE_RAW_SIDESTEP_SPEED = 0x080,
    ACP_WIRE_RAW_TURN = 0x100,
    ACP_WIRE_RAW_TURN_HOLD = 0x200,
    ACP_WIRE_RAW_TURN_SPEED = 0x400
};

/** Raw state (NET-33): 32-bit commands. Absent fields hold their defaults. */
typedef struct acp_wire_raw_state {
    uint32_t presence; /**< ACP_WIRE_RAW_* */
    uint32_t hold_key;
    uint32_t style;
    uint32_t forward_command;
    uint32_t forward_hold_key;
    float forward_speed;
    uint32_t sidestep_command;
    uint32_t sidestep_hold_key;
    float sidestep_speed;
    uint32_t turn_command;
    uint32_t turn_hold_key;
    float turn_speed;
    uint32_t action_count;
    acp_wire_motion_action actions[ACP_WIRE_MAX_ACTIONS];
} acp_wire_raw_state;

/** Move parameters (NET-31), 28 bytes on the wire. */
typedef struct acp_wire_move_parameters {
    uint32_t bits;
    float distance_to_object;
    float min_distance;
    float fail_distance;
    float speed;
    float walk_run_threshold;
    float desired_heading; /**< degrees */
} acp_wire_move_parameters;

/** Turn parameters (NET-31), 12 bytes on the wire. */
typedef struct acp_wire_turn_parameters {
    uint32_t bits;
    float speed;
    float desired_heading; /**< degrees */
} acp_wire_turn_parameters;

/** Types of a movement block (NET-31). */
enum {
    ACP_WIRE_MOVEMENT_STATE = 0,
    ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT = 6,
    ACP_WIRE_MOVEMENT_MOVE_TO_POSITION = 7,
    ACP_WIRE_MOVEMENT_TURN_TO_OBJECT = 8,
    ACP_WIRE_MOVEMENT_TURN_TO_HEADING = 9
};

/** A movement block (NET-31). Which members count follows from `type`. */
typedef struct acp_wire_movement {
    uint8_t type;  /**< ACP_WIRE_MOVEMENT_* */
    uint8_t flags; /**< 1 = sticky object follows (type 0), 2 = standing long jump */
    uint16_t style;
    acp_wire_interpreted_state state;         /**< type 0 */
    uint32_t sticky_object;                   /**< type 0 with flag 1 */
    uint32_t target;                          /**< types 6, 8 */
    acp_wire_origin destination;              /**< types 6, 7 */
    acp_wire_move_parameters move_parameters; /**< types 6, 7 */
    float run_rate;                           /**< types 6, 7 */
    float desired_heading;                    /**< type 8, degrees */
    acp_wire_turn_parameters turn_parameters; /**< types 8, 9 */
} acp_wire_movement;

/** Indices of the nine stamps of an object (NET-37). */
enum {
    ACP_WIRE_STAMP_POSITION = 0,
    ACP_WIRE_STAMP_MOVEMENT = 1,
    ACP_WIRE_STAMP_STATE = 2,
    ACP_WIRE_STAMP_VECTOR = 3,
    ACP_WIRE_STAMP_TELEPORT = 4,
    ACP_WIRE_STAMP_SERVER_CONTROL = 5,
    ACP_WIRE_STAMP_FORCE_POSITION = 6,
    ACP_WIRE_STAMP_OBJECT_DESCRIPTION = 7,
    ACP_WIRE_STAMP_INSTANCE = 8,
    ACP_WIRE_STAMP_COUNT = 9
};

/** Presence flags of a physics description (NET-35). */
enum {
    ACP_WIRE_PHYSICS_SETUP = 0x000001,
    ACP_WIRE_PHYSICS_MOTION_TABLE = 0x000002,
    ACP_WIRE_PHYSICS_VELOCITY = 0x000004,
    ACP_WIRE_PHYSICS_ACCELERATION = 0x000008,
    ACP_WIRE_PHYSICS_OMEGA = 0x000010,
    ACP_WIRE_PHYSICS_PARENT = 0x000020,
    ACP_WIRE_PHYSICS_CHILDREN = 0x000040,
    ACP_WIRE_PHYSICS_SCALE = 0x000080,
    ACP_WIRE_PHYSICS_FRICTION = 0x000100,
    ACP_WIRE_PHYSICS_ELASTICITY = 0x000200,
    ACP_WIRE_PHYSICS_SOUND_TABLE = 0x000800,
    ACP_WIRE_PHYSICS_SCRIPT_TABLE = 0x001000,
    ACP_WIRE_PHYSICS_DEFAULT_SCRIPT = 0x002000,
    ACP_WIRE_PHYSICS_DEFAULT_SCRIPT_INTENSITY = 0x004000,
    ACP_WIRE_PHYSICS_POSITION = 0x008000,
    ACP_WIRE_PHYSICS_MOVEMENT = 0x010000,
    ACP_WIRE_PHYSICS_PLACEMENT = 0x020000, /**< read only when MOVEMENT is clear */
    ACP_WIRE_PHYSICS_TRANSLUCENCY = 0x040000
};

/** Caps of the lists of a create message. The first three are the wire's own (one byte); the fourth is ours. */
#define ACP_WIRE_MAX_PALETTES     255u
#define ACP_WIRE_MAX_TEXTURES     255u
#define ACP_WIRE_MAX_PART_CHANGES 255u
#define ACP_WIRE_MAX_CHILDREN     256u

typedef struct acp_wire_palette {
    uint32_t palette_id;
    uint8_t offset;
    uint8_t length;
    uint8_t reserved[2];
} acp_wire_palette;

typedef struct acp_wire_texture {
    uint32_t old_texture_id;
    uint32_t new_texture_id;
    uint8_t part;
    uint8_t reserved[3];
} acp_wire_texture;

/** Replaces the GfxObj of one part: changes collision geometry (NET-34). */
typedef struct acp_wire_part_change {
    uint32_t gfx_object_id;
    uint8_t part;
    uint8_t reserved[3];
} acp_wire_part_change;

typedef struct acp_wire_child {
    uint32_t object_id;
    uint32_t location;
} acp_wire_child;

/** The lists of a create message: storage of the caller, about 10 KB. */
typedef struct acp_wire_create_lists {
    acp_wire_palette palettes[ACP_WIRE_MAX_PALETTES];
    acp_wire_texture textures[ACP_WIRE_MAX_TEXTURES];
    acp_wire_part_change part_changes[ACP_WIRE_MAX_PART_CHANGES];
    acp_wire_child children[ACP_WIRE_MAX_CHILDREN];
} acp_wire_create_lists;

/** Create object: object description (NET-34), physics description (NET-35), and the rest of the message as bytes. */
typedef struct acp_wire_create_object {
    uint32_t object_id;
    uint32_t base_palette_id; /**< only when palette_count > 0 */
    uint32_t palette_count;
    uint32_t texture_count;
    uint32_t part_change_count;
    uint32_t physics_flags; /**< ACP_WIRE_PHYSICS_* */
    uint32_t state;
    uint32_t movement_size; /**< bytes of the movement block as the wire counts them; 0 = flagged but empty */
    acp_wire_movement movement;
    uint32_t is_autonomous;
    uint32_t placement_id;
    acp_position position; /**< cell id 0 = not in the world */
    uint32_t motion_table_id;
    uint32_t sound_table_id;
    uint32_t script_table_id;
    uint32_t setup_id;
    uint32_t parent_id;
    uint32_t parent_location;
    uint32_t child_count;
    float scale;
    float friction;
    float elasticity;
    float translucency;
    acp_vec3 velocity;
    acp_vec3 acceleration;
    acp_vec3 omega;
    uint32_t default_script;
    float default_script_intensity;
    uint16_t stamps[ACP_WIRE_STAMP_COUNT];
    uint16_t reserved;
    const uint8_t *weenie_bytes; /**< the weenie description, not interpreted; inside the decoded buffer, or the caller's when encoding */
    uint32_t weenie_size;
    acp_wire_create_lists *lists; /**< null: lists are checked and skipped (decode), must all be empty (encode) */
} acp_wire_create_object;

/** The four stamps and the contact byte behind the positions of client actions (spec 10 §10). */
typedef struct acp_wire_action_stamps {
    uint16_t instance;
    uint16_t server_control;
    uint16_t teleport;
    uint16_t force_position;
} acp_wire_action_stamps;

/** A client's action, wrapped in 0xF7B1 (NET-28). */
typedef struct acp_wire_action {
    uint32_t stamp;                 /**< ordering stamp of the session */
    uint32_t action;                /**< ACP_WIRE_ACTION_* */
    acp_position position;          /**< move to state, autonomous position, jump */
    acp_wire_action_stamps stamps;  /**< the same three */
    acp_wire_raw_state raw;         /**< move to state */
    uint32_t has_contact;           /**< move to state, autonomous position */
    uint32_t is_standing_long_jump; /**< move to state */
    float jump_extent;              /**< jump, 0..1 */
    acp_vec3 jump_velocity;         /**< jump, m/s in the object's own frame */
} acp_wire_action;

/** Any message: `opcode` says which members count.
 *  | opcode | members |
 *  | --- | --- |
 *  | UPDATE_POSITION | object_id, pack |
 *  | POSITION_AND_MOVEMENT | object_id, pack, movement_stamp, server_control_stamp, is_autonomous, movement |
 *  | UPDATE_MOTION | object_id, instance_stamp, movement_stamp, server_control_stamp, is_autonomous, movement |
 *  | VECTOR_UPDATE | object_id, velocity, omega, instance_stamp, stamp |
 *  | SET_STATE | object_id, state, instance_stamp, stamp |
 *  | PLAYER_TELEPORT | stamp |
 *  | PLAYER_CREATE | object_id |
 *  | DELETE_OBJECT | object_id, instance_stamp |
 *  | PICKUP_EVENT | object_id, instance_stamp, stamp |
 *  | PARENT_EVENT | object_id (child), parent_id, location, placement_id, instance_stamp (parent's), stamp (child's position) |
 *  | PRIVATE_, PUBLIC_UPDATE_POSITION | sequence, (object_id), position_type, position |
 *  | CREATE_OBJECT, UPDATE_OBJECT | create |
 *  | ORDERED_ACTION | action | */
typedef struct acp_wire_message {
    uint32_t opcode;
    uint32_t object_id;
    uint32_t parent_id;
    uint32_t location;
    uint32_t placement_id;
    uint32_t state;
    uint32_t position_type;
    uint16_t instance_stamp;
    uint16_t stamp;
    uint16_t movement_stamp;
    uint16_t server_control_stamp;
    uint8_t is_autonomous;
    uint8_t sequence;
    uint8_t reserved[2];
    acp_vec3 velocity;
    acp_vec3 omega;
    acp_position position;
    acp_wire_position_pack pack;
    acp_wire_movement movement;
    acp_wire_action action;
    acp_wire_create_object create;
} acp_wire_message;

/** Decodes one whole message, starting at its opcode. For create messages set `out_message->create.lists` beforehand (or null).
 *  Only the members that the opcode names are written. Errors: ACP_ERROR_UNSUPPORTED for an opcode or action that is not listed above,
 *  ACP_ERROR_TRUNCATED, ACP_ERROR_BAD_DATA (trailing bytes, unknown movement type, off-unit quaternion), ACP_ERROR_NOT_FINITE,
 *  ACP_ERROR_INVALID_ID, ACP_ERROR_LIMIT (children). Does not allocate; does not touch anything but the outputs. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_message_decode(const void *bytes, size_t size, acp_wire_message *out_message, acp_error *error);

/** Encodes one whole message. `*out_size` receives the bytes written. Refuses what decoding would refuse, and values that the flags would
 *  lose (an omitted quaternion part that is not zero, a presence bit that is clear over a value that differs from its default), so that
 *  decoding gives back the same message. ACP_ERROR_LIMIT when `capacity` is too small. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_message_encode(const acp_wire_message *message, void *bytes, size_t capacity, size_t *out_size,
                                                          acp_error *error);

/** Name of an opcode ("UpdatePosition"), or of an action with acp_wire_action_name; null when unknown. Static strings. [any thread] */
ACP_API const char *acp_wire_opcode_name(uint32_t opcode);
/** Name of an action of ACP_WIRE_ORDERED_ACTION, or null. [any thread] */
ACP_API const char *acp_wire_action_name(uint32_t action);

/** A Position alone (NET-29), 32 bytes. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_position_decode(const void *bytes, size_t size, acp_position *out_position, acp_error *error);
/** Writes the 32 bytes of a Position exactly as it stands; refuses what decoding would. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_position_encode(const acp_position *position, void *bytes, size_t capacity, acp_error *error);

/** A position pack alone (NET-30), 32 to 60 bytes: the body of 0xF748 after the object id. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_position_pack_decode(const void *bytes, size_t size, acp_wire_position_pack *out_pack,
                                                                acp_error *error);
/** Writes a position pack; `*out_size` receives its length. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_position_pack_encode(const acp_wire_position_pack *pack, void *bytes, size_t capacity,
                                                                size_t *out_size, acp_error *error);

/** The flags retail's packer would choose (NET-30): a quaternion part is omitted when |c| < 0.000199999995, the velocity bit is set when a
 *  component reaches that value, the placement bit when the id is not zero. Parts and velocities that are dropped are zeroed in `pack`,
 *  since they do not travel. `has_contact` sets the contact bit. [any thread] */
ACP_API void acp_wire_position_pack_flags(acp_wire_position_pack *pack, int has_contact);

/** A movement block alone, with the alignment counted from its first byte (NET-31, NET-35). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_movement_decode(const void *bytes, size_t size, acp_wire_movement *out_movement,
                                                           acp_error *error);
/** Writes a movement block; `*out_size` receives its length. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_movement_encode(const acp_wire_movement *movement, void *bytes, size_t capacity,
                                                           size_t *out_size, acp_error *error);

/** States with every field at its default and nothing present. [any thread] */
ACP_API acp_wire_interpreted_state acp_wire_interpreted_state_default(void);
/** See acp_wire_interpreted_state_default. [any thread] */
ACP_API acp_wire_raw_state acp_wire_raw_state_default(void);
/** Sets `presence` of a raw state: a field is present when it differs from its default (NET-33). [any thread] */
ACP_API void acp_wire_raw_state_set_presence(acp_wire_raw_state *state);

/* ---- stamps and sequences ---- */

/** NET-38: is `incoming` newer than `stored`, with wraparound? Equal is not newer. retail: CPhysicsObj::is_newer 0x00451AD0. [any thread]
 */
ACP_API int acp_wire_stamp_is_newer(uint16_t stored, uint16_t incoming);
/** NET-20: is sequence a newer than b, with wraparound? [any thread] */
ACP_API int acp_wire_sequence_is_newer(uint32_t a, uint32_t b);
/** NET-38 newer_event: stores `incoming` at stamps[index] when newer; returns whether it was. [any thread] */
ACP_API int acp_wire_stamps_accept(uint16_t stamps[ACP_WIRE_STAMP_COUNT], uint32_t index, uint16_t incoming);

/** NET-39: what to do with a per-object message. */
enum { ACP_WIRE_INSTANCE_APPLY = 0, ACP_WIRE_INSTANCE_KEEP = 1, ACP_WIRE_INSTANCE_DROP = 2 };
/** ACP_WIRE_INSTANCE_KEEP when the object is unknown (`is_known` 0) or the message is of a newer instance (replay it after the create
 *  message), APPLY when equal, DROP when older. [any thread] */
ACP_API int acp_wire_instance_rule(int is_known, uint16_t stored_instance, uint16_t incoming_instance);

/** NET-41: what a received position does. */
enum {
    ACP_WIRE_RECEIVED_IGNORE = 0,
    ACP_WIRE_RECEIVED_FORCE = 1,     /**< blip the player there, keeping its heading; answer with an autonomous position at once */
    ACP_WIRE_RECEIVED_TELEPORT = 2,  /**< player: teleport, constrain, velocity 0. Others: place with flags 0x1012 after a teleport hook */
    ACP_WIRE_RECEIVED_CONSTRAIN = 3, /**< player: constrain only */
    ACP_WIRE_RECEIVED_INTERPOLATE = 4, /**< interpolate to it (player: constrain as well) */
    ACP_WIRE_RECEIVED_SNAP = 5         /**< others: stop interpolating and set the position */
};

/** What NET-41 asks about the object, beside the message. */
typedef struct acp_wire_receiver {
    uint32_t is_player;
    uint32_t has_cell;       /**< the object is in the world */
    uint32_t autonomy_level; /**< 2 is the client's default */
    float player_distance;   /**< metres from the player; for other objects */
} acp_wire_receiver;

/** NET-41 as a pure decision: updates the stamps as retail does and says what to do with the position. [any thread]
 *  retail: SmartBox::HandleReceivedPosition 0x00453FD0 */
ACP_API int acp_wire_received_position(uint16_t stamps[ACP_WIRE_STAMP_COUNT], const acp_wire_receiver *receiver,
                                       const acp_wire_position_pack *pack);

/* ---- cadence ---- */

/** What the outbound decision looks at: now, or when the last autonomous position went out (NET-47, NET-48). */
typedef struct acp_wire_outbound_state {
    acp_position position;
    acp_vec3 contact_normal; /**< contact plane, in the block of the position */
    float contact_d;
    uint32_t is_in_contact;  /**< CONTACT transient bit */
    uint32_t is_on_walkable; /**< ON_WALKABLE transient bit */
} acp_wire_outbound_state;

/** Reasons to send, or not. Positive = send. */
enum {
    ACP_WIRE_SEND_MOVED = 1,         /**< more than a second, and the cell or frame differs */
    ACP_WIRE_SEND_CELL_CHANGED = 2,  /**< within the second, another cell */
    ACP_WIRE_SEND_PLANE_CHANGED = 3, /**< within the second, another contact plane */
    ACP_WIRE_SEND_NOTHING_CHANGED = 0,
    ACP_WIRE_SEND_NOT_GROUNDED = -1,     /**< due, but not in contact with walkable ground: the timer is not reset */
    ACP_WIRE_SEND_INVALID_POSITION = -2, /**< due, but the position names no place */
    ACP_WIRE_SEND_DISABLED = -3          /**< autonomy level is not 2 */
};

/** NET-47 and NET-48: should an autonomous position go out now? `last` is the state at the last *sent autonomous* position,
 *  `last_time` the time of the last position or movement message, seconds; autonomy level 2 is the client's default. [any thread] */
ACP_API int acp_wire_should_send_position(const acp_wire_outbound_state *last, const acp_wire_outbound_state *now, double last_time,
                                          double now_time, uint32_t autonomy_level);

#ifdef __cplusplus
}
#endif

#endif
