/* SPDX-License-Identifier: MIT */
#ifndef ACP_WIRE_PIECES_H
#define ACP_WIRE_PIECES_H

#include <math.h>
#include <stdbool.h>

#include "acphys/wire.h"
#include "base/reader.h"
#include "base/writer.h"

/* Common payload pieces (spec 10 §8) over the bounded reader and writer. The reader's failure sticks; a writer's refusal of a value is
 * noted beside it, so that the first fault of a message is the one that is reported. */

/* A writer that also knows why a value was refused. */
typedef struct acp_wire_output {
    acp_writer writer;
    acp_result result; /* first refusal of a value */
    size_t offset;
    const char *field;
} acp_wire_output;

void acp_wire_output_init(acp_wire_output *output, void *bytes, size_t capacity);
void acp_wire_refuse(acp_wire_output *output, acp_result result, const char *field);
/* The first fault of value or room, filled into `error`; sets *out_size when there is none. */
acp_result acp_wire_output_finish(const acp_wire_output *output, size_t *out_size, acp_error *error, const char *operation);

/* Whole-input rule of every decoder: the reader's failure, else ACP_ERROR_BAD_DATA for bytes left over. */
acp_result acp_wire_reader_finish(acp_reader *reader, acp_error *error, const char *operation);

/* An id of a known class as its distance from the class's first id, in one word or two (DAT-33; create_object.c). */
uint32_t acp_wire_read_packed_id(acp_reader *reader, uint32_t first, const char *field);
void acp_wire_write_packed_id(acp_wire_output *output, uint32_t first, uint32_t id, const char *field);

static inline float acp_wire_read_float(acp_reader *reader, const char *field) {
    float value = acp_reader_f32(reader, field);
    if (!isfinite(value)) (void)acp_reader_fail_at(reader, reader->offset - 4, ACP_ERROR_NOT_FINITE, field);
    return value;
}

static inline acp_vec3 acp_wire_read_vec3(acp_reader *reader, const char *field) {
    acp_vec3 v;
    v.x = acp_wire_read_float(reader, field);
    v.y = acp_wire_read_float(reader, field);
    v.z = acp_wire_read_float(reader, field);
    return v;
}

void acp_wire_write_float(acp_wire_output *output, float value, const char *field);
void acp_wire_write_vec3(acp_wire_output *output, acp_vec3 value, const char *field);

/* NET-54: ids that name no place, quaternions off unit length. */
bool acp_wire_is_place(uint32_t cell_id);
bool acp_wire_is_unit(acp_quaternion rotation);

void acp_wire_read_position(acp_reader *reader, acp_position *out_position, bool is_nowhere_allowed);
void acp_wire_write_position(acp_wire_output *output, const acp_position *position, bool is_nowhere_allowed);
void acp_wire_read_origin(acp_reader *reader, acp_wire_origin *out_origin);
void acp_wire_write_origin(acp_wire_output *output, const acp_wire_origin *origin);
void acp_wire_read_position_pack(acp_reader *reader, acp_wire_position_pack *out_pack);
void acp_wire_write_position_pack(acp_wire_output *output, const acp_wire_position_pack *pack);

void acp_wire_read_interpreted_state(acp_reader *reader, acp_wire_interpreted_state *out_state);
void acp_wire_write_interpreted_state(acp_wire_output *output, const acp_wire_interpreted_state *state);
void acp_wire_read_raw_state(acp_reader *reader, acp_wire_raw_state *out_state);
void acp_wire_write_raw_state(acp_wire_output *output, const acp_wire_raw_state *state);
void acp_wire_read_movement(acp_reader *reader, acp_wire_movement *out_movement);
void acp_wire_write_movement(acp_wire_output *output, const acp_wire_movement *movement);

void acp_wire_read_create_object(acp_reader *reader, acp_wire_create_object *out_create);
void acp_wire_write_create_object(acp_wire_output *output, const acp_wire_create_object *create);
void acp_wire_read_action(acp_reader *reader, acp_wire_action *out_action);
void acp_wire_write_action(acp_wire_output *output, const acp_wire_action *action);

#endif
