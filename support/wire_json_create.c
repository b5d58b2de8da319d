/* SPDX-License-Identifier: MIT */
/* Create messages as JSON: {object, objdesc {palettes, textures, parts, …}, physics {flags, state, …}, weenie_desc_bytes, weenie_hex}. A
 * count stands beside each list that may be empty, as in the vectors; reading goes by the lists. Physics members follow one table. */
#include <string.h>

#include "support/wire_json.h"

typedef enum member_kind { MEMBER_ID, MEMBER_FLOAT, MEMBER_VEC3 } member_kind;

typedef struct physics_member {
    uint32_t flag;
    const char *key;
    member_kind kind;
    size_t offset;
} physics_member;

#define MEMBER(flag, key, kind, member)                                                                                                    \
    { ACP_WIRE_PHYSICS_##flag, key, kind, offsetof(acp_wire_create_object, member) }
static const physics_member physics_members[] = {
    MEMBER(MOTION_TABLE, "mtable", MEMBER_ID, motion_table_id),
    MEMBER(SOUND_TABLE, "stable", MEMBER_ID, sound_table_id),
    MEMBER(SCRIPT_TABLE, "phstable", MEMBER_ID, script_table_id),
    MEMBER(SETUP, "setup", MEMBER_ID, setup_id),
    MEMBER(PARENT, "parent", MEMBER_ID, parent_id),
    MEMBER(PARENT, "parent_location", MEMBER_ID, parent_location),
    MEMBER(SCALE, "scale", MEMBER_FLOAT, scale),
    MEMBER(FRICTION, "friction", MEMBER_FLOAT, friction),
    MEMBER(ELASTICITY, "elasticity", MEMBER_FLOAT, elasticity),
    MEMBER(TRANSLUCENCY, "translucency", MEMBER_FLOAT, translucency),
    MEMBER(VELOCITY, "velocity", MEMBER_VEC3, velocity),
    MEMBER(ACCELERATION, "acceleration", MEMBER_VEC3, acceleration),
    MEMBER(OMEGA, "omega", MEMBER_VEC3, omega),
    MEMBER(DEFAULT_SCRIPT, "default_script", MEMBER_ID, default_script),
    MEMBER(DEFAULT_SCRIPT_INTENSITY, "default_script_intensity", MEMBER_FLOAT, default_script_intensity),
};

#define MEMBER_COUNT (sizeof physics_members / sizeof physics_members[0])

static void write_description(acp_json_writer *writer, const acp_wire_create_object *create) {
    const acp_wire_create_lists *lists = create->lists;
    acp_json_begin_object(writer, "objdesc");
    acp_json_write_uint(writer, "palettes", create->palette_count);
    acp_json_write_uint(writer, "textures", create->texture_count);
    acp_json_write_uint(writer, "parts", create->part_change_count);
    if (create->palette_count) acp_json_write_id(writer, "base_palette", create->base_palette_id);
    if (lists && create->palette_count) {
        acp_json_begin_array(writer, "palette_changes");
        for (uint32_t i = 0; i < create->palette_count; i++) {
            acp_json_begin_array(writer, NULL);
            acp_json_write_id(writer, NULL, lists->palettes[i].palette_id);
            acp_json_write_uint(writer, NULL, lists->palettes[i].offset);
            acp_json_write_uint(writer, NULL, lists->palettes[i].length);
            acp_json_end_array(writer);
        }
        acp_json_end_array(writer);
    }
    if (lists && create->texture_count) {
        acp_json_begin_array(writer, "texture_changes");
        for (uint32_t i = 0; i < create->texture_count; i++) {
            acp_json_begin_array(writer, NULL);
            acp_json_write_uint(writer, NULL, lists->textures[i].part);
            acp_json_write_id(writer, NULL, lists->textures[i].old_texture_id);
            acp_json_write_id(writer, NULL, lists->textures[i].new_texture_id);
            acp_json_end_array(writer);
        }
        acp_json_end_array(writer);
    }
    acp_json_begin_array(writer, "part_changes");
    for (uint32_t i = 0; lists && i < create->part_change_count; i++) {
        acp_json_begin_array(writer, NULL);
        acp_json_write_uint(writer, NULL, lists->part_changes[i].part);
        acp_json_write_id(writer, NULL, lists->part_changes[i].gfx_object_id);
        acp_json_end_array(writer);
    }
    acp_json_end_array(writer);
    acp_json_end_object(writer);
}

static void write_member(acp_json_writer *writer, const acp_wire_create_object *create, const physics_member *member) {
    const unsigned char *at = (const unsigned char *)create + member->offset;
    uint32_t word;
    float value;
    acp_vec3 vector;
    switch (member->kind) {
    case MEMBER_ID:
        memcpy(&word, at, sizeof word);
        acp_json_write_id(writer, member->key, word);
        break;
    case MEMBER_FLOAT:
        memcpy(&value, at, sizeof value);
        acp_json_write_float(writer, member->key, value);
        break;
    case MEMBER_VEC3:
        memcpy(&vector, at, sizeof vector);
        acp_json_write_vec3(writer, member->key, vector);
        break;
    }
}

void acp_wire_json_write_create(acp_json_writer *writer, const acp_wire_create_object *create) {
    uint32_t flags = create->physics_flags;
    acp_json_write_id(writer, "object", create->object_id);
    write_description(writer, create);
    acp_json_begin_object(writer, "physics");
    acp_json_write_id(writer, "flags", flags);
    acp_json_write_id(writer, "state", create->state);
    if (flags & ACP_WIRE_PHYSICS_MOVEMENT) {
        if (create->movement_size) {
            acp_wire_json_write_movement(writer, "movement", &create->movement);
            acp_json_write_uint(writer, "autonomous", create->is_autonomous);
        }
    } else if (flags & ACP_WIRE_PHYSICS_PLACEMENT) {
        acp_json_write_uint(writer, "placement", create->placement_id);
    }
    if (flags & ACP_WIRE_PHYSICS_POSITION) {
        acp_json_begin_object(writer, "position");
        acp_wire_json_write_position(writer, &create->position);
        acp_json_end_object(writer);
    }
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (flags & physics_members[i].flag) write_member(writer, create, &physics_members[i]);
    if (flags & ACP_WIRE_PHYSICS_CHILDREN) {
        acp_json_begin_array(writer, "children");
        for (uint32_t i = 0; create->lists && i < create->child_count; i++) {
            acp_json_begin_array(writer, NULL);
            acp_json_write_id(writer, NULL, create->lists->children[i].object_id);
            acp_json_write_uint(writer, NULL, create->lists->children[i].location);
            acp_json_end_array(writer);
        }
        acp_json_end_array(writer);
    }
    acp_json_begin_object(writer, "timestamps");
    for (uint32_t i = 0; i < ACP_WIRE_STAMP_COUNT; i++)
        acp_json_write_uint(writer, acp_wire_json_stamp_name(i), create->stamps[i]);
    acp_json_end_object(writer);
    acp_json_end_object(writer);
    acp_json_write_uint(writer, "weenie_desc_bytes", create->weenie_size);
    if (create->weenie_size) acp_wire_json_write_hex(writer, "weenie_hex", create->weenie_bytes, create->weenie_size);
}

/* The number at `index` of a row [a, b, c]. */
static uint32_t row_value(acp_json_input *input, const acp_json *row, uint32_t index, uint32_t limit) {
    const acp_json *value = acp_json_element(row, index);
    if (!value) (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, "objdesc", "a row is too short");
    uint32_t word = value ? acp_json_to_id(input, value, "objdesc") : 0;
    if (word > limit) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "objdesc", "a number is too large");
    return word;
}

static const acp_json *rows(acp_json_input *input, const acp_json *object, const char *key, uint32_t limit, uint32_t *out_count) {
    const acp_json *array = acp_json_get_optional_array(input, object, key);
    *out_count = array ? array->count : 0;
    if (*out_count > limit) (void)acp_json_fail(input, ACP_ERROR_LIMIT, key, "too many rows");
    return acp_json_is_failed(input) || !array ? NULL : array->first;
}

static void read_description(acp_json_input *input, const acp_json *object, acp_wire_create_object *create) {
    acp_wire_create_lists *lists = create->lists;
    uint32_t i = 0;
    create->base_palette_id = acp_json_get_id_or(input, object, "base_palette", 0);
    for (const acp_json *row = rows(input, object, "palette_changes", ACP_WIRE_MAX_PALETTES, &create->palette_count); row;
         row = row->next) {
        acp_wire_palette palette = {.palette_id = row_value(input, row, 0, UINT32_MAX)};
        palette.offset = (uint8_t)row_value(input, row, 1, 255);
        palette.length = (uint8_t)row_value(input, row, 2, 255);
        lists->palettes[i++] = palette;
    }
    i = 0;
    for (const acp_json *row = rows(input, object, "texture_changes", ACP_WIRE_MAX_TEXTURES, &create->texture_count); row;
         row = row->next) {
        acp_wire_texture texture = {.part = (uint8_t)row_value(input, row, 0, 255)};
        texture.old_texture_id = row_value(input, row, 1, UINT32_MAX);
        texture.new_texture_id = row_value(input, row, 2, UINT32_MAX);
        lists->textures[i++] = texture;
    }
    i = 0;
    for (const acp_json *row = rows(input, object, "part_changes", ACP_WIRE_MAX_PART_CHANGES, &create->part_change_count); row;
         row = row->next) {
        acp_wire_part_change change = {.part = (uint8_t)row_value(input, row, 0, 255)};
        change.gfx_object_id = row_value(input, row, 1, UINT32_MAX);
        lists->part_changes[i++] = change;
    }
}

static uint32_t read_member(acp_json_input *input, const acp_json *object, const physics_member *member, acp_wire_create_object *create) {
    unsigned char *at = (unsigned char *)create + member->offset;
    if (!acp_json_has(object, member->key)) return 0;
    uint32_t word;
    float value;
    acp_vec3 vector;
    switch (member->kind) {
    case MEMBER_ID:
        word = acp_json_get_id(input, object, member->key);
        memcpy(at, &word, sizeof word);
        break;
    case MEMBER_FLOAT:
        value = acp_json_get_float(input, object, member->key);
        memcpy(at, &value, sizeof value);
        break;
    case MEMBER_VEC3:
        vector = acp_json_get_vec3(input, object, member->key);
        memcpy(at, &vector, sizeof vector);
        break;
    }
    return member->flag;
}

void acp_wire_json_read_create(acp_json_input *input, acp_json_reader *memory, const acp_json *object, acp_wire_create_lists *lists,
                               acp_wire_create_object *out_create) {
    uint32_t derived = 0;
    memset(out_create, 0, sizeof *out_create);
    out_create->lists = lists;
    out_create->object_id = acp_json_get_id(input, object, "object");
    read_description(input, acp_json_get_object(input, object, "objdesc"), out_create);
    const acp_json *physics = acp_json_get_object(input, object, "physics");
    if (acp_json_is_failed(input)) return;
    out_create->state = acp_json_get_id_or(input, physics, "state", 0);
    const acp_json *movement = acp_json_get_optional_object(input, physics, "movement");
    if (movement) {
        acp_wire_json_read_movement(input, movement, &out_create->movement);
        out_create->movement_size = 1; /* the encoder writes the true one */
        out_create->is_autonomous = acp_json_get_uint32_or(input, physics, "autonomous", 0);
        derived |= ACP_WIRE_PHYSICS_MOVEMENT;
    }
    if (acp_json_has(physics, "placement")) {
        out_create->placement_id = acp_json_get_uint32(input, physics, "placement");
        derived |= ACP_WIRE_PHYSICS_PLACEMENT;
    }
    const acp_json *position = acp_json_get_optional_object(input, physics, "position");
    if (position) {
        out_create->position = acp_wire_json_read_position(input, position);
        derived |= ACP_WIRE_PHYSICS_POSITION;
    }
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        derived |= read_member(input, physics, &physics_members[i], out_create);
    uint32_t i = 0;
    for (const acp_json *row = rows(input, physics, "children", ACP_WIRE_MAX_CHILDREN, &out_create->child_count); row; row = row->next) {
        lists->children[i].object_id = row_value(input, row, 0, UINT32_MAX);
        lists->children[i++].location = row_value(input, row, 1, UINT32_MAX);
    }
    if (acp_json_has(physics, "children")) derived |= ACP_WIRE_PHYSICS_CHILDREN;
    out_create->physics_flags = acp_json_get_id_or(input, physics, "flags", derived);
    const acp_json *stamps = acp_json_get_optional_object(input, physics, "timestamps");
    for (uint32_t k = 0; stamps && k < ACP_WIRE_STAMP_COUNT; k++) {
        uint32_t stamp = acp_json_get_uint32_or(input, stamps, acp_wire_json_stamp_name(k), 0);
        if (stamp > 0xFFFFu) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "timestamps", "does not fit 16 bits");
        out_create->stamps[k] = (uint16_t)stamp;
    }
    if (acp_json_has(object, "weenie_hex")) {
        size_t size = 0;
        out_create->weenie_bytes = acp_wire_json_read_hex(input, memory, object, "weenie_hex", &size);
        out_create->weenie_size = (uint32_t)size;
    }
}
