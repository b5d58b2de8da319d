/* SPDX-License-Identifier: MIT */
/* Create messages (spec 10 NET-34, NET-35): object description (palettes, textures, part changes as packed ids), physics description
 * (nineteen optional fields in a fixed order), and the weenie description kept as bytes.
 *
 * Lists go to storage of the caller; without it they are checked and skipped; more than 256 children are refused (DIV-71). The movement
 * block inside has its own length and alignment: it must fill its bytes, padding included. With both the movement and the placement flag
 * the placement is not on the wire, as in retail.
 *
 * Contract: bounded by the message, counts are checked against the bytes that are left. Cost: one pass, no allocation. */
#include "wire/pieces.h"

#define OBJECT_DESCRIPTION_MARK 0x11u
#define PALETTE_CLASS           0x04000000u
#define TEXTURE_CLASS           0x05000000u
#define GFX_OBJECT_CLASS        0x01000000u

/* DAT-33: one word up to 0x3FFF (0x7FFF accepted), else two. */
uint32_t acp_wire_read_packed_id(acp_reader *reader, uint32_t first, const char *field) {
    uint32_t word = acp_reader_u16(reader, field);
    if (!(word & 0x8000u)) return first + word;
    return first + ((word & 0x3FFFu) << 16 | acp_reader_u16(reader, field));
}

void acp_wire_write_packed_id(acp_wire_output *output, uint32_t first, uint32_t id, const char *field) {
    uint32_t distance = (id == 0 ? first : id) - first;
    if (distance > 0x3FFFFFFFu) acp_wire_refuse(output, ACP_ERROR_INVALID_ID, field);
    if (distance <= 0x3FFFu) {
        acp_writer_u16(&output->writer, (uint16_t)distance);
        return;
    }
    acp_writer_u16(&output->writer, (uint16_t)(0x8000u | (distance >> 16 & 0x3FFFu)));
    acp_writer_u16(&output->writer, (uint16_t)(distance & 0xFFFFu));
}

static void read_object_description(acp_reader *reader, acp_wire_create_object *create) {
    acp_wire_create_lists *lists = create->lists;
    size_t offset = reader->offset;
    if (acp_reader_u8(reader, "description.mark") != OBJECT_DESCRIPTION_MARK)
        (void)acp_reader_fail_at(reader, offset, ACP_ERROR_BAD_DATA, "description.mark");
    create->palette_count = acp_reader_u8(reader, "description.palettes");
    create->texture_count = acp_reader_u8(reader, "description.textures");
    create->part_change_count = acp_reader_u8(reader, "description.part_changes");
    create->base_palette_id = create->palette_count ? acp_wire_read_packed_id(reader, PALETTE_CLASS, "description.base_palette") : 0;
    for (uint32_t i = 0; i < create->palette_count && acp_reader_is_ok(reader); i++) {
        acp_wire_palette palette = {.palette_id = acp_wire_read_packed_id(reader, PALETTE_CLASS, "palette.id")};
        palette.offset = acp_reader_u8(reader, "palette.offset");
        palette.length = acp_reader_u8(reader, "palette.length");
        if (lists) lists->palettes[i] = palette;
    }
    for (uint32_t i = 0; i < create->texture_count && acp_reader_is_ok(reader); i++) {
        acp_wire_texture texture = {.part = acp_reader_u8(reader, "texture.part")};
        texture.old_texture_id = acp_wire_read_packed_id(reader, TEXTURE_CLASS, "texture.old");
        texture.new_texture_id = acp_wire_read_packed_id(reader, TEXTURE_CLASS, "texture.new");
        if (lists) lists->textures[i] = texture;
    }
    for (uint32_t i = 0; i < create->part_change_count && acp_reader_is_ok(reader); i++) {
        acp_wire_part_change change = {.part = acp_reader_u8(reader, "part_change.part")};
        change.gfx_object_id = acp_wire_read_packed_id(reader, GFX_OBJECT_CLASS, "part_change.gfx_object");
        if (lists) lists->part_changes[i] = change;
    }
    acp_reader_align4(reader, "description.pad");
}

static void write_object_description(acp_wire_output *output, const acp_wire_create_object *create) {
    const acp_wire_create_lists *lists = create->lists;
    acp_writer *writer = &output->writer;
    if (create->palette_count > ACP_WIRE_MAX_PALETTES || create->texture_count > ACP_WIRE_MAX_TEXTURES ||
        create->part_change_count > ACP_WIRE_MAX_PART_CHANGES || create->child_count > ACP_WIRE_MAX_CHILDREN)
        acp_wire_refuse(output, ACP_ERROR_LIMIT, "description");
    if (!lists && (create->palette_count || create->texture_count || create->part_change_count || create->child_count))
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "create.lists");
    if (output->result != ACP_OK) return;
    acp_writer_u8(writer, OBJECT_DESCRIPTION_MARK);
    acp_writer_u8(writer, (uint8_t)create->palette_count);
    acp_writer_u8(writer, (uint8_t)create->texture_count);
    acp_writer_u8(writer, (uint8_t)create->part_change_count);
    if (create->palette_count) acp_wire_write_packed_id(output, PALETTE_CLASS, create->base_palette_id, "description.base_palette");
    for (uint32_t i = 0; i < create->palette_count; i++) {
        acp_wire_write_packed_id(output, PALETTE_CLASS, lists->palettes[i].palette_id, "palette.id");
        acp_writer_u8(writer, lists->palettes[i].offset);
        acp_writer_u8(writer, lists->palettes[i].length);
    }
    for (uint32_t i = 0; i < create->texture_count; i++) {
        acp_writer_u8(writer, lists->textures[i].part);
        acp_wire_write_packed_id(output, TEXTURE_CLASS, lists->textures[i].old_texture_id, "texture.old");
        acp_wire_write_packed_id(output, TEXTURE_CLASS, lists->textures[i].new_texture_id, "texture.new");
    }
    for (uint32_t i = 0; i < create->part_change_count; i++) {
        acp_writer_u8(writer, lists->part_changes[i].part);
        acp_wire_write_packed_id(output, GFX_OBJECT_CLASS, lists->part_changes[i].gfx_object_id, "part_change.gfx_object");
    }
    acp_writer_align4(writer);
}

/* The block's own bytes, decoded by a reader of their own (its errors carry offsets of the message). */
static void read_inner_movement(acp_reader *reader, acp_wire_create_object *create) {
    create->movement_size = acp_reader_u32(reader, "physics.movement_size");
    create->is_autonomous = 0;
    if (create->movement_size == 0 || !acp_reader_is_ok(reader)) return;
    acp_reader inner = acp_reader_take(reader, create->movement_size, "physics.movement");
    acp_wire_read_movement(&inner, &create->movement);
    if (acp_reader_is_ok(&inner) && acp_reader_remaining(&inner) > 0)
        (void)acp_reader_fail(&inner, ACP_ERROR_BAD_DATA, "physics.movement_size");
    if (!acp_reader_is_ok(&inner)) {
        (void)acp_reader_fail_at(reader, (size_t)inner.error_offset, inner.result, inner.error_field);
        return;
    }
    create->is_autonomous = acp_reader_u32(reader, "physics.autonomous");
}

static void read_children(acp_reader *reader, acp_wire_create_object *create) {
    size_t offset = reader->offset;
    create->child_count = acp_reader_u32(reader, "physics.children");
    if (!acp_reader_can_hold(reader, create->child_count, 8, "physics.children")) return;
    if (create->child_count > ACP_WIRE_MAX_CHILDREN) {
        (void)acp_reader_fail_at(reader, offset, ACP_ERROR_LIMIT, "physics.children");
        return;
    }
    for (uint32_t i = 0; i < create->child_count && acp_reader_is_ok(reader); i++) {
        acp_wire_child child = {.object_id = acp_reader_u32(reader, "child.object")};
        child.location = acp_reader_u32(reader, "child.location");
        if (create->lists) create->lists->children[i] = child;
    }
}

static void read_physics_description(acp_reader *reader, acp_wire_create_object *create) {
    uint32_t flags = create->physics_flags = acp_reader_u32(reader, "physics.flags");
    create->state = acp_reader_u32(reader, "physics.state");
    create->movement_size = create->is_autonomous = create->placement_id = create->child_count = 0;
    if (flags & ACP_WIRE_PHYSICS_MOVEMENT)
        read_inner_movement(reader, create);
    else if (flags & ACP_WIRE_PHYSICS_PLACEMENT)
        create->placement_id = acp_reader_u32(reader, "physics.placement");
    if (flags & ACP_WIRE_PHYSICS_POSITION) acp_wire_read_position(reader, &create->position, true);
    if (flags & ACP_WIRE_PHYSICS_MOTION_TABLE) create->motion_table_id = acp_reader_u32(reader, "physics.motion_table");
    if (flags & ACP_WIRE_PHYSICS_SOUND_TABLE) create->sound_table_id = acp_reader_u32(reader, "physics.sound_table");
    if (flags & ACP_WIRE_PHYSICS_SCRIPT_TABLE) create->script_table_id = acp_reader_u32(reader, "physics.script_table");
    if (flags & ACP_WIRE_PHYSICS_SETUP) create->setup_id = acp_reader_u32(reader, "physics.setup");
    if (flags & ACP_WIRE_PHYSICS_PARENT) {
        create->parent_id = acp_reader_u32(reader, "physics.parent");
        create->parent_location = acp_reader_u32(reader, "physics.parent_location");
    }
    if (flags & ACP_WIRE_PHYSICS_CHILDREN) read_children(reader, create);
    if (flags & ACP_WIRE_PHYSICS_SCALE) create->scale = acp_wire_read_float(reader, "physics.scale");
    if (flags & ACP_WIRE_PHYSICS_FRICTION) create->friction = acp_wire_read_float(reader, "physics.friction");
    if (flags & ACP_WIRE_PHYSICS_ELASTICITY) create->elasticity = acp_wire_read_float(reader, "physics.elasticity");
    if (flags & ACP_WIRE_PHYSICS_TRANSLUCENCY) create->translucency = acp_wire_read_float(reader, "physics.translucency");
    if (flags & ACP_WIRE_PHYSICS_VELOCITY) create->velocity = acp_wire_read_vec3(reader, "physics.velocity");
    if (flags & ACP_WIRE_PHYSICS_ACCELERATION) create->acceleration = acp_wire_read_vec3(reader, "physics.acceleration");
    if (flags & ACP_WIRE_PHYSICS_OMEGA) create->omega = acp_wire_read_vec3(reader, "physics.omega");
    if (flags & ACP_WIRE_PHYSICS_DEFAULT_SCRIPT) create->default_script = acp_reader_u32(reader, "physics.default_script");
    if (flags & ACP_WIRE_PHYSICS_DEFAULT_SCRIPT_INTENSITY)
        create->default_script_intensity = acp_wire_read_float(reader, "physics.default_script_intensity");
    for (uint32_t i = 0; i < ACP_WIRE_STAMP_COUNT; i++)
        create->stamps[i] = acp_reader_u16(reader, "physics.stamps");
    acp_reader_align4(reader, "physics.pad");
}

/* The block goes behind its length, aligned from its own first byte. */
static void write_inner_movement(acp_wire_output *output, const acp_wire_create_object *create) {
    acp_writer *writer = &output->writer;
    if (create->movement_size == 0) {
        acp_writer_u32(writer, 0);
        return;
    }
    uint8_t bytes[512]; /* the longest block: 4 + 4 + 20 + 31 * 8 + 4 */
    size_t size = 0;
    acp_wire_output inner;
    acp_wire_output_init(&inner, bytes, sizeof bytes);
    acp_wire_write_movement(&inner, &create->movement);
    if (inner.result != ACP_OK) acp_wire_refuse(output, inner.result, inner.field);
    size = inner.writer.size;
    acp_writer_u32(writer, (uint32_t)size);
    acp_writer_bytes(writer, bytes, size);
    acp_writer_u32(writer, create->is_autonomous);
}

static void write_physics_description(acp_wire_output *output, const acp_wire_create_object *create) {
    acp_writer *writer = &output->writer;
    uint32_t flags = create->physics_flags;
    acp_writer_u32(writer, flags);
    acp_writer_u32(writer, create->state);
    if (flags & ACP_WIRE_PHYSICS_MOVEMENT)
        write_inner_movement(output, create);
    else if (flags & ACP_WIRE_PHYSICS_PLACEMENT)
        acp_writer_u32(writer, create->placement_id);
    if (flags & ACP_WIRE_PHYSICS_POSITION) acp_wire_write_position(output, &create->position, true);
    if (flags & ACP_WIRE_PHYSICS_MOTION_TABLE) acp_writer_u32(writer, create->motion_table_id);
    if (flags & ACP_WIRE_PHYSICS_SOUND_TABLE) acp_writer_u32(writer, create->sound_table_id);
    if (flags & ACP_WIRE_PHYSICS_SCRIPT_TABLE) acp_writer_u32(writer, create->script_table_id);
    if (flags & ACP_WIRE_PHYSICS_SETUP) acp_writer_u32(writer, create->setup_id);
    if (flags & ACP_WIRE_PHYSICS_PARENT) {
        acp_writer_u32(writer, create->parent_id);
        acp_writer_u32(writer, create->parent_location);
    }
    if (flags & ACP_WIRE_PHYSICS_CHILDREN) {
        acp_writer_u32(writer, create->child_count);
        for (uint32_t i = 0; i < create->child_count && output->result == ACP_OK; i++) {
            acp_writer_u32(writer, create->lists->children[i].object_id);
            acp_writer_u32(writer, create->lists->children[i].location);
        }
    } else if (create->child_count) {
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "physics.flags");
    }
    if (flags & ACP_WIRE_PHYSICS_SCALE) acp_wire_write_float(output, create->scale, "physics.scale");
    if (flags & ACP_WIRE_PHYSICS_FRICTION) acp_wire_write_float(output, create->friction, "physics.friction");
    if (flags & ACP_WIRE_PHYSICS_ELASTICITY) acp_wire_write_float(output, create->elasticity, "physics.elasticity");
    if (flags & ACP_WIRE_PHYSICS_TRANSLUCENCY) acp_wire_write_float(output, create->translucency, "physics.translucency");
    if (flags & ACP_WIRE_PHYSICS_VELOCITY) acp_wire_write_vec3(output, create->velocity, "physics.velocity");
    if (flags & ACP_WIRE_PHYSICS_ACCELERATION) acp_wire_write_vec3(output, create->acceleration, "physics.acceleration");
    if (flags & ACP_WIRE_PHYSICS_OMEGA) acp_wire_write_vec3(output, create->omega, "physics.omega");
    if (flags & ACP_WIRE_PHYSICS_DEFAULT_SCRIPT) acp_writer_u32(writer, create->default_script);
    if (flags & ACP_WIRE_PHYSICS_DEFAULT_SCRIPT_INTENSITY)
        acp_wire_write_float(output, create->default_script_intensity, "physics.default_script_intensity");
    for (uint32_t i = 0; i < ACP_WIRE_STAMP_COUNT; i++)
        acp_writer_u16(writer, create->stamps[i]);
    acp_writer_align4(writer);
}

void acp_wire_read_create_object(acp_reader *reader, acp_wire_create_object *out_create) {
    out_create->object_id = acp_reader_u32(reader, "object");
    read_object_description(reader, out_create);
    read_physics_description(reader, out_create);
    out_create->weenie_size = (uint32_t)acp_reader_remaining(reader);
    out_create->weenie_bytes = acp_reader_bytes(reader, out_create->weenie_size, "weenie");
}

void acp_wire_write_create_object(acp_wire_output *output, const acp_wire_create_object *create) {
    acp_writer_u32(&output->writer, create->object_id);
    write_object_description(output, create);
    if (output->result == ACP_OK) write_physics_description(output, create);
    if (create->weenie_size && !create->weenie_bytes) acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "weenie");
    if (output->result == ACP_OK && create->weenie_size) acp_writer_bytes(&output->writer, create->weenie_bytes, create->weenie_size);
}
