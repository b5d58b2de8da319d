/* SPDX-License-Identifier: MIT */
/* Positions on the wire (spec 10 NET-29, NET-30) and the rules every codec shares.
 *
 * Non-finite floats, off-unit quaternions and ids that name no place are refused with offset and field (NET-54, DIV-71). A position is
 * written exactly as it stands: id and local origin together, quaternion parts with their sign, nothing renormalised or wrapped.
 *
 * Contract: the reader's and the writer's first fault sticks; what was decoded before it is unspecified. Limits: none beyond the buffer.
 * Sources: spec 10 §8, 01 WM-27. Cost: a few nanoseconds a field; nothing allocates. */
#include "wire/pieces.h"

#include "base/error.h"
#include "math/frame.h"
#include "place/cell_id.h"

void acp_wire_output_init(acp_wire_output *output, void *bytes, size_t capacity) {
    acp_writer_init_fixed(&output->writer, bytes, capacity);
    output->result = ACP_OK;
    output->offset = 0;
    output->field = NULL;
}

void acp_wire_refuse(acp_wire_output *output, acp_result result, const char *field) {
    if (output->result != ACP_OK) return;
    output->result = result;
    output->offset = output->writer.size;
    output->field = field;
}

acp_result acp_wire_output_finish(const acp_wire_output *output, size_t *out_size, acp_error *error, const char *operation) {
    if (output->result != ACP_OK) {
        (void)acp_error_set(error, output->result, operation, "the value cannot be sent");
        acp_error_set_place(error, 0, output->offset, output->field);
        return output->result;
    }
    if (output->writer.result != ACP_OK) {
        (void)acp_error_set(error, output->writer.result, operation, "the buffer of %zu bytes is too small", output->writer.capacity);
        acp_error_set_place(error, 0, output->writer.size, "");
        return output->writer.result;
    }
    if (out_size) *out_size = output->writer.size;
    return ACP_OK;
}

acp_result acp_wire_reader_finish(acp_reader *reader, acp_error *error, const char *operation) {
    if (acp_reader_is_ok(reader) && !acp_reader_is_at_end(reader)) (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "trailing bytes");
    return acp_reader_is_ok(reader) ? ACP_OK : acp_reader_error(reader, error, operation, 0);
}

void acp_wire_write_float(acp_wire_output *output, float value, const char *field) {
    if (!isfinite(value)) acp_wire_refuse(output, ACP_ERROR_NOT_FINITE, field);
    acp_writer_f32(&output->writer, value);
}

void acp_wire_write_vec3(acp_wire_output *output, acp_vec3 value, const char *field) {
    acp_wire_write_float(output, value.x, field);
    acp_wire_write_float(output, value.y, field);
    acp_wire_write_float(output, value.z, field);
}

bool acp_wire_is_place(uint32_t cell_id) { return acp_cell_id_is_valid(cell_id) && (cell_id & 0xFFFFu) != 0xFFFFu; }

bool acp_wire_is_unit(acp_quaternion rotation) {
    acp_matrix_frame frame = {.rotation = rotation};
    return acp_matrix_frame_is_valid(&frame);
}

static void check_id(acp_reader *reader, uint32_t cell_id, bool is_nowhere_allowed) {
    if (!acp_wire_is_place(cell_id) && !(is_nowhere_allowed && cell_id == 0))
        (void)acp_reader_fail_at(reader, reader->offset - 4, ACP_ERROR_INVALID_ID, "position.cell_id");
}

static void check_unit(acp_reader *reader, size_t offset, acp_quaternion rotation) {
    if (!acp_wire_is_unit(rotation)) (void)acp_reader_fail_at(reader, offset, ACP_ERROR_BAD_DATA, "position.rotation");
}

void acp_wire_read_position(acp_reader *reader, acp_position *out_position, bool is_nowhere_allowed) {
    out_position->cell_id = acp_reader_u32(reader, "position.cell_id");
    check_id(reader, out_position->cell_id, is_nowhere_allowed);
    out_position->frame.origin = acp_wire_read_vec3(reader, "position.origin");
    size_t offset = reader->offset;
    acp_quaternion *q = &out_position->frame.rotation;
    q->w = acp_wire_read_float(reader, "position.rotation");
    q->x = acp_wire_read_float(reader, "position.rotation");
    q->y = acp_wire_read_float(reader, "position.rotation");
    q->z = acp_wire_read_float(reader, "position.rotation");
    check_unit(reader, offset, *q);
}

static void write_id(acp_wire_output *output, uint32_t cell_id, bool is_nowhere_allowed) {
    if (!acp_wire_is_place(cell_id) && !(is_nowhere_allowed && cell_id == 0))
        acp_wire_refuse(output, ACP_ERROR_INVALID_ID, "position.cell_id");
    acp_writer_u32(&output->writer, cell_id);
}

void acp_wire_write_position(acp_wire_output *output, const acp_position *position, bool is_nowhere_allowed) {
    write_id(output, position->cell_id, is_nowhere_allowed);
    acp_wire_write_vec3(output, position->frame.origin, "position.origin");
    const acp_quaternion *q = &position->frame.rotation;
    acp_wire_write_float(output, q->w, "position.rotation");
    acp_wire_write_float(output, q->x, "position.rotation");
    acp_wire_write_float(output, q->y, "position.rotation");
    acp_wire_write_float(output, q->z, "position.rotation");
    if (!acp_wire_is_unit(*q)) acp_wire_refuse(output, ACP_ERROR_BAD_DATA, "position.rotation");
}

void acp_wire_read_origin(acp_reader *reader, acp_wire_origin *out_origin) {
    out_origin->cell_id = acp_reader_u32(reader, "position.cell_id");
    check_id(reader, out_origin->cell_id, false);
    out_origin->origin = acp_wire_read_vec3(reader, "position.origin");
}

void acp_wire_write_origin(acp_wire_output *output, const acp_wire_origin *origin) {
    write_id(output, origin->cell_id, false);
    acp_wire_write_vec3(output, origin->origin, "position.origin");
}

/* NET-30: flags, id and origin, the quaternion parts that are present, velocity, placement, four stamps. */
void acp_wire_read_position_pack(acp_reader *reader, acp_wire_position_pack *out_pack) {
    uint32_t flags = acp_reader_u32(reader, "pack.flags");
    out_pack->flags = flags;
    out_pack->position.cell_id = acp_reader_u32(reader, "position.cell_id");
    check_id(reader, out_pack->position.cell_id, false);
    out_pack->position.frame.origin = acp_wire_read_vec3(reader, "position.origin");
    size_t offset = reader->offset;
    acp_quaternion q;
    q.w = flags & ACP_WIRE_PACK_OMITS_W ? 0.0f : acp_wire_read_float(reader, "position.rotation");
    q.x = flags & ACP_WIRE_PACK_OMITS_X ? 0.0f : acp_wire_read_float(reader, "position.rotation");
    q.y = flags & ACP_WIRE_PACK_OMITS_Y ? 0.0f : acp_wire_read_float(reader, "position.rotation");
    q.z = flags & ACP_WIRE_PACK_OMITS_Z ? 0.0f : acp_wire_read_float(reader, "position.rotation");
    out_pack->position.frame.rotation = q;
    check_unit(reader, offset, q);
    acp_vec3 none = {0.0f, 0.0f, 0.0f};
    out_pack->velocity = flags & ACP_WIRE_PACK_HAS_VELOCITY ? acp_wire_read_vec3(reader, "pack.velocity") : none;
    out_pack->placement_id = flags & ACP_WIRE_PACK_HAS_PLACEMENT ? acp_reader_u32(reader, "pack.placement_id") : 0u;
    out_pack->instance_stamp = acp_reader_u16(reader, "pack.instance_stamp");
    out_pack->position_stamp = acp_reader_u16(reader, "pack.position_stamp");
    out_pack->teleport_stamp = acp_reader_u16(reader, "pack.teleport_stamp");
    out_pack->force_position_stamp = acp_reader_u16(reader, "pack.force_position_stamp");
}

static bool is_zero(float value) { return !(value < 0.0f) && !(value > 0.0f); }

static void write_part(acp_wire_output *output, uint32_t flags, uint32_t omit, float part) {
    if (!(flags & omit))
        acp_wire_write_float(output, part, "position.rotation");
    else if (!is_zero(part))
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "pack.flags");
}

void acp_wire_write_position_pack(acp_wire_output *output, const acp_wire_position_pack *pack) {
    uint32_t flags = pack->flags;
    const acp_quaternion *q = &pack->position.frame.rotation;
    const acp_vec3 *v = &pack->velocity;
    acp_writer_u32(&output->writer, flags);
    write_id(output, pack->position.cell_id, false);
    acp_wire_write_vec3(output, pack->position.frame.origin, "position.origin");
    write_part(output, flags, ACP_WIRE_PACK_OMITS_W, q->w);
    write_part(output, flags, ACP_WIRE_PACK_OMITS_X, q->x);
    write_part(output, flags, ACP_WIRE_PACK_OMITS_Y, q->y);
    write_part(output, flags, ACP_WIRE_PACK_OMITS_Z, q->z);
    if (!acp_wire_is_unit(*q)) acp_wire_refuse(output, ACP_ERROR_BAD_DATA, "position.rotation");
    if (flags & ACP_WIRE_PACK_HAS_VELOCITY)
        acp_wire_write_vec3(output, *v, "pack.velocity");
    else if (!is_zero(v->x) || !is_zero(v->y) || !is_zero(v->z))
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "pack.flags");
    if (flags & ACP_WIRE_PACK_HAS_PLACEMENT)
        acp_writer_u32(&output->writer, pack->placement_id);
    else if (pack->placement_id != 0)
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "pack.flags");
    acp_writer_u16(&output->writer, pack->instance_stamp);
    acp_writer_u16(&output->writer, pack->position_stamp);
    acp_writer_u16(&output->writer, pack->teleport_stamp);
    acp_writer_u16(&output->writer, pack->force_position_stamp);
}

static bool is_below_epsilon(float value) { return value < ACP_EPSILON && value > -ACP_EPSILON; }

void acp_wire_position_pack_flags(acp_wire_position_pack *pack, int has_contact) {
    acp_quaternion *q = &pack->position.frame.rotation;
    float *parts[4] = {&q->w, &q->x, &q->y, &q->z};
    uint32_t flags = has_contact ? (uint32_t)ACP_WIRE_PACK_HAS_CONTACT : 0u;
    for (uint32_t i = 0; i < 4; i++) {
        if (!is_below_epsilon(*parts[i])) continue;
        flags |= (uint32_t)ACP_WIRE_PACK_OMITS_W << i;
        *parts[i] = 0.0f;
    }
    acp_vec3 *v = &pack->velocity;
    if (is_below_epsilon(v->x) && is_below_epsilon(v->y) && is_below_epsilon(v->z))
        v->x = v->y = v->z = 0.0f;
    else
        flags |= ACP_WIRE_PACK_HAS_VELOCITY;
    if (pack->placement_id != 0) flags |= ACP_WIRE_PACK_HAS_PLACEMENT;
    pack->flags = flags;
}

acp_result acp_wire_position_decode(const void *bytes, size_t size, acp_position *out_position, acp_error *error) {
    if (!bytes || !out_position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire position decode", "null argument");
    acp_reader reader = acp_reader_make(bytes, size);
    acp_wire_read_position(&reader, out_position, false);
    return acp_wire_reader_finish(&reader, error, "wire position decode");
}

acp_result acp_wire_position_encode(const acp_position *position, void *bytes, size_t capacity, acp_error *error) {
    if (!bytes || !position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire position encode", "null argument");
    acp_wire_output output;
    acp_wire_output_init(&output, bytes, capacity);
    acp_wire_write_position(&output, position, false);
    return acp_wire_output_finish(&output, NULL, error, "wire position encode");
}

acp_result acp_wire_position_pack_decode(const void *bytes, size_t size, acp_wire_position_pack *out_pack, acp_error *error) {
    if (!bytes || !out_pack) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire position pack decode", "null argument");
    acp_reader reader = acp_reader_make(bytes, size);
    acp_wire_read_position_pack(&reader, out_pack);
    return acp_wire_reader_finish(&reader, error, "wire position pack decode");
}

acp_result acp_wire_position_pack_encode(const acp_wire_position_pack *pack, void *bytes, size_t capacity, size_t *out_size,
                                         acp_error *error) {
    if (!bytes || !pack || !out_size) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire position pack encode", "null argument");
    acp_wire_output output;
    acp_wire_output_init(&output, bytes, capacity);
    acp_wire_write_position_pack(&output, pack);
    return acp_wire_output_finish(&output, out_size, error, "wire position pack encode");
}
