/* SPDX-License-Identifier: MIT */
/* Saved states: all that stepping changes, in bytes (D12, D13).
 *
 * A state holds, for every object that has a body or belongs to a family of parents and children: its place with the matrix, words, scale,
 * parts, links, the cells it is registered in and what it waits for, and its body with partners; then the order of objects in every cell
 * that has dynamic ones; then the world's time, random stream and list of animated statics. Little-endian, no pointers; setups, meshes,
 * terrain and the host's settings are not in it: a state belongs to a world with the same objects and landblocks.
 *
 * Contract: read access; nothing is written when the buffer is too small. Limits: a state of this version only. Cost: linear in objects,
 * parts, cells and partners, twice, since the size is found by writing. Reading: restore_state.c. */
#include "base/writer.h"
#include "body/saved_state.h"
#include "membership/registry.h"
#include "membership/registry_restore.h"

bool acp_state_holds(const acp_world *world, uint32_t index) {
    const acp_object_row *row = acp_world_live_row(world, index);
    if (!row) return false;
    return acp_body_find(world, index) || row->parent != ACP_OBJECT_NONE || row->first_child != ACP_OBJECT_NONE;
}

uint32_t acp_state_object_count(const acp_world *world) {
    uint32_t count = 0, limit = acp_world_row_limit(world);
    for (uint32_t index = 0; index < limit; ++index)
        count += acp_state_holds(world, index);
    return count;
}

uint64_t acp_state_residency(const acp_world *world) {
    uint64_t sum = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; ++i)
        if (world->blocks[i]) sum = (sum ^ (i + 1u)) * 0x100000001B3u;
    return sum;
}

static void write_vec3(acp_writer *writer, acp_vec3 v) {
    acp_writer_f32(writer, v.x);
    acp_writer_f32(writer, v.y);
    acp_writer_f32(writer, v.z);
}

static void write_position(acp_writer *writer, const acp_matrix_position *position) {
    acp_writer_u32(writer, position->cell_id);
    acp_writer_f32(writer, position->frame.rotation.w);
    acp_writer_f32(writer, position->frame.rotation.x);
    acp_writer_f32(writer, position->frame.rotation.y);
    acp_writer_f32(writer, position->frame.rotation.z);
    for (uint32_t i = 0; i < 9; ++i)
        acp_writer_f32(writer, position->frame.m[i]);
    write_vec3(writer, position->frame.origin);
}

static void write_row(acp_writer *writer, const acp_world *world, uint32_t index) {
    const acp_object_row *row = acp_world_row(world, index);
    acp_object handle = acp_world_handle(world, index);
    acp_writer_u32(writer, handle.index1);
    acp_writer_u32(writer, handle.generation);
    acp_writer_u32(writer, acp_body_find(world, index) ? ACP_STATE_HAS_BODY : 0u);
    acp_writer_u32(writer, row->state);
    acp_writer_u32(writer, row->transient_state);
    acp_writer_f32(writer, row->scale);
    acp_writer_u32(writer, row->holder_cell_id);
    acp_writer_u32(writer, row->placement_id);
    acp_writer_u32(writer, row->parent);
    acp_writer_u32(writer, row->first_child);
    acp_writer_u32(writer, row->next_sibling);
    write_position(writer, &row->position);
    acp_matrix_position holding = {0, acp_matrix_frame_identity()};
    if (row->extra) holding.frame = row->extra->holding;
    write_position(writer, &holding);
    acp_writer_i32(writer, row->extra ? row->extra->part_index : -1);
    acp_writer_u32(writer, row->part_count);
    for (uint32_t i = 0; i < row->part_count; ++i) {
        write_position(writer, &row->parts[i].position);
        write_vec3(writer, row->parts[i].scale);
    }
}

static void write_lists(acp_writer *writer, const acp_world *world, uint32_t index) {
    acp_registry_saved_row saved = acp_registry_saved_row_of(world, index);
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    acp_writer_u32(writer, (uint32_t)saved.is_registered | (uint32_t)saved.is_static << 1);
    acp_writer_u32(writer, count);
    for (uint32_t i = 0; i < count; ++i) {
        acp_writer_u32(writer, cells[i]);
        acp_writer_u32(writer, acp_registry_object_cell_is_resident(world, index, i));
    }
    acp_writer_u32(writer, saved.block_count);
    for (uint32_t i = 0; i < saved.block_count; ++i)
        acp_writer_u32(writer, saved.blocks[i]);
}

static void write_body(acp_writer *writer, const acp_body_row *body) {
    write_vec3(writer, body->velocity);
    write_vec3(writer, body->cached_velocity);
    write_vec3(writer, body->acceleration);
    write_vec3(writer, body->omega);
    write_vec3(writer, body->contact_plane.normal);
    acp_writer_f32(writer, body->contact_plane.d);
    acp_writer_u32(writer, body->contact_plane_cell_id);
    write_vec3(writer, body->sliding_normal);
    acp_writer_f32(writer, body->elasticity);
    acp_writer_f32(writer, body->friction);
    acp_writer_f64(writer, body->clock);
    acp_writer_f64(writer, body->update_time);
    acp_writer_f64(writer, body->lost_time);
    write_vec3(writer, body->anchor_offset);
    acp_writer_f32(writer, body->anchor_distance);
    acp_writer_u32(writer, (uint32_t)body->is_colliding_with_environment | (uint32_t)body->has_jumped_this_frame << 1 |
                               (uint32_t)body->has_movement_manager << 2 | (uint32_t)body->is_lost << 3 | (uint32_t)body->is_in_world << 4 |
                               (uint32_t)body->has_expired << 5 | (uint32_t)body->teleport_stamp << 16);
    acp_writer_u32(writer, body->touch_count);
    for (uint32_t i = 0; i < body->touch_count; ++i) {
        const acp_body_touch *touch = &body->touches[i];
        acp_writer_u32(writer, touch->object.index1);
        acp_writer_u32(writer, touch->object.generation);
        acp_writer_u32(writer, touch->object_id);
        acp_writer_u32(writer, touch->is_ethereal);
        acp_writer_f64(writer, touch->time);
    }
}

static void write_column(acp_writer *writer, const acp_body_column *column) {
    acp_writer_f64(writer, column->now);
    acp_writer_f64(writer, column->last_tick);
    acp_writer_u64(writer, column->tick_count);
    acp_writer_u32(writer, column->random.first);
    acp_writer_u32(writer, column->random.second);
    acp_writer_u32(writer, column->random.last);
    for (uint32_t i = 0; i < 32; ++i)
        acp_writer_u32(writer, column->random.slots[i]);
    acp_writer_u32(writer, column->statics.count);
    for (uint32_t i = 0; i < column->statics.count; ++i)
        acp_writer_u32(writer, column->statics.items[i]);
}

static acp_cell cell_at(const acp_world *world, const acp_block *block, uint32_t slot) {
    uint32_t low = slot < 64u ? slot + 1u : block->env_cells[slot - 64u].cell_id & 0xFFFFu;
    return acp_world_cell(world, block->block_id | low);
}

/* Every list with a dynamic object in it. */
static void write_orders(acp_writer *writer, const acp_world *world) {
    for (uint32_t b = 0; b < ACP_WORLD_BLOCKS; ++b) {
        const acp_block *block = world->blocks[b];
        for (uint32_t slot = 0; block && block->lists && slot < acp_block_slot_count(block); ++slot) {
            acp_cell cell = cell_at(world, block, slot);
            uint32_t count = 0, statics = 0;
            const uint32_t *objects = acp_cell_exists(cell) ? acp_registry_cell_objects(world, cell, &count) : NULL;
            while (statics < count && (acp_world_row(world, objects[statics])->state & ACP_STATE_STATIC))
                ++statics;
            if (statics == count) continue;
            acp_writer_u32(writer, cell.cell_id);
            acp_writer_u32(writer, count);
            for (uint32_t i = 0; i < count; ++i)
                acp_writer_u32(writer, objects[i]);
        }
    }
    acp_writer_u32(writer, 0);
}

static void write_state(acp_writer *writer, const acp_world *world, const acp_body_column *column) {
    acp_writer_u32(writer, ACP_STATE_MAGIC);
    acp_writer_u32(writer, ACP_STATE_VERSION);
    acp_writer_u64(writer, acp_state_residency(world));
    acp_writer_u32(writer, acp_state_object_count(world));
    uint32_t limit = acp_world_row_limit(world);
    for (uint32_t index = 0; index < limit; ++index) {
        if (!acp_state_holds(world, index)) continue;
        write_row(writer, world, index);
        write_lists(writer, world, index);
        const acp_body_row *body = acp_body_find(world, index);
        if (body) write_body(writer, body);
    }
    write_orders(writer, world);
    write_column(writer, column);
}

/* What a world without bodies has. */
static acp_body_column column_of(const acp_world *world) {
    const acp_body_column *column = world->columns[ACP_COLUMN_BODY].data;
    if (column) return *column;
    acp_body_column fresh = {0};
    acp_random_seed(&fresh.random, 1);
    return fresh;
}

acp_result acp_world_state_size(const acp_world *world, uint64_t *out_size) {
    if (!world || !out_size) return ACP_ERROR_INVALID_ARGUMENT;
    acp_body_column column = column_of(world);
    acp_writer writer;
    acp_writer_init(&writer, NULL);
    write_state(&writer, world, &column);
    *out_size = writer.size;
    acp_result result = writer.result;
    acp_writer_free(&writer);
    return result;
}

acp_result acp_world_save_state(const acp_world *world, void *out_bytes, uint64_t capacity, uint64_t *out_size) {
    if (!world || !out_size || (capacity && !out_bytes)) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = acp_world_state_size(world, out_size);
    if (result != ACP_OK) return result;
    if (*out_size > capacity) return ACP_ERROR_LIMIT;
    acp_body_column column = column_of(world);
    acp_writer writer;
    acp_writer_init_fixed(&writer, out_bytes, (size_t)*out_size);
    write_state(&writer, world, &column);
    return writer.result;
}
