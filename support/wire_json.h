/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_WIRE_JSON_H
#define ACP_SUPPORT_WIRE_JSON_H

#include "acphys/wire.h"
#include "acphys/wire_link.h"
#include "support/json.h"
#include "support/json_values.h"

/* Wire messages and datagrams as JSON (docs/format-wire.md): the members named there, both ways. What is written reads back to the same
 * message. Writers put members into the object that is open. */

void acp_wire_json_write_message(acp_json_writer *writer, const acp_wire_message *message);
/* `lists` receives the lists of a create message. Faults go to `input`. Weenie bytes live in `memory`. */
void acp_wire_json_read_message(acp_json_input *input, acp_json_reader *memory, const acp_json *object, acp_wire_create_lists *lists,
                                acp_wire_message *out_message);

void acp_wire_json_write_pack(acp_json_writer *writer, const acp_wire_position_pack *pack);
void acp_wire_json_read_pack(acp_json_input *input, const acp_json *object, acp_wire_position_pack *out_pack);
void acp_wire_json_write_movement(acp_json_writer *writer, const char *key, const acp_wire_movement *movement);
void acp_wire_json_read_movement(acp_json_input *input, const acp_json *object, acp_wire_movement *out_movement);
/* {cell, origin, quat_wxyz} as members. */
void acp_wire_json_write_position(acp_json_writer *writer, const acp_position *position);
acp_position acp_wire_json_read_position(acp_json_input *input, const acp_json *object);

/* The pieces that the files of this concept share. */
const char *acp_wire_json_stamp_name(uint32_t index);
void acp_wire_json_write_create(acp_json_writer *writer, const acp_wire_create_object *create);
void acp_wire_json_read_create(acp_json_input *input, acp_json_reader *memory, const acp_json *object, acp_wire_create_lists *lists,
                               acp_wire_create_object *out_create);

/* Header, optional headers, fragments and hashes of a decoded datagram. */
void acp_wire_json_write_packet(acp_json_writer *writer, const acp_wire_packet *packet);

/* Bytes as a string of hex digits, and back (spaces allowed). Null and a fault for anything else. */
void acp_wire_json_write_hex(acp_json_writer *writer, const char *key, const void *bytes, size_t size);
const uint8_t *acp_wire_json_read_hex(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                      size_t *out_size);

#endif
