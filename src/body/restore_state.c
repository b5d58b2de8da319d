/* SPDX-License-Identifier: MIT */
/* Restoring a saved state (the form: save_state.c; D12, D13).
 *
 * First everything is read against the world, and what does not fit is refused: other objects, parts, landblocks, families that are no
 * forest. Then all memory is asked for. Then the world is changed, which cannot fail any more but for the rows of the registry, and those
 * come back whole (membership/registry_restore.c). Object lists of cells are put into their order, since that is history (MEM-43).
 *
 * Contract: world thread; on an error nothing has changed. Bytes may be anything: reads are bounded, links and cells are checked; numbers
 * that are not finite are taken as they are, since stepping bears them. Cost: linear in the state, which is read twice. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/reader.h"
#include "body/saved_state.h"
#include "membership/registry.h"
#include "membership/registry_restore.h"

#define TOUCH_BYTES 24u
#define MAX_CELLS   16384u /* of one object: a body that covers more is not restored */

/* One object of a state, as read. */
typedef struct saved_object {
    acp_object_row row; /* words, scale, links, place; the rest is not used */
    acp_matrix_frame holding;
    int32_t part_index;
    bool has_body;
    acp_body_row body; /* touches apart */
    size_t parts_at;   /* where the lists stand in the state */
    size_t touches_at;
    uint32_t old_state; /* for giving up */
    uint32_t old_holder;
    acp_body_touch *touches; /* room for them; null = the body's own will do */
} saved_object;

/* A restore at work. */
typedef struct restoration {
    acp_world *world;
    acp_body_column *column;
    acp_reader reader;
    uint32_t count;
    saved_object *objects;
    acp_registry_saved_row *rows;
    acp_cell_entry *cells; /* of all rows, one after another; null while they are counted */
    uint32_t *blocks;
    uint32_t cell_count;
    uint32_t block_count;
    size_t orders_at;
    acp_body_column fresh; /* time, random */
    size_t statics_at;
    uint32_t static_count;
} restoration;

/* ---- reading ---- */

static acp_vec3 read_vec3(acp_reader *reader) {
    acp_vec3 v;
    v.x = acp_reader_f32(reader, "vector");
    v.y = acp_reader_f32(reader, "vector");
    v.z = acp_reader_f32(reader, "vector");
    return v;
}

static acp_matrix_position read_position(acp_reader *reader) {
    acp_matrix_position position;
    position.cell_id = acp_reader_u32(reader, "cell id");
    position.frame.rotation.w = acp_reader_f32(reader, "rotation");
    position.frame.rotation.x = acp_reader_f32(reader, "rotation");
    position.frame.rotation.y = acp_reader_f32(reader, "rotation");
    position.frame.rotation.z = acp_reader_f32(reader, "rotation");
    for (uint32_t i = 0; i < 9; ++i)
        position.frame.m[i] = acp_reader_f32(reader, "matrix");
    position.frame.origin = read_vec3(reader);
    return position;
}

static bool is_link(const acp_world *world, uint32_t index) { return index == ACP_OBJECT_NONE || acp_world_live_row(world, index); }

/* What the world has to have for this row. */
static bool fits(const restoration *at, const acp_object_row *now, const acp_object_row *row) {
    const acp_world *world = at->world;
    if (!is_link(world, row->parent) || !is_link(world, row->first_child) || !is_link(world, row->next_sibling)) return false;
    if (row->holder_cell_id && !acp_cell_exists(acp_world_cell(world, row->holder_cell_id))) return false;
    return row->part_count == now->part_count;
}

static void read_row(restoration *at, saved_object *saved, acp_registry_saved_row *out_row) {
    acp_reader *reader = &at->reader;
    acp_object handle;
    handle.index1 = acp_reader_u32(reader, "handle");
    handle.generation = acp_reader_u32(reader, "handle");
    const acp_object_row *now = acp_world_row_of(at->world, handle, &out_row->object);
    saved->has_body = (acp_reader_u32(reader, "flags") & ACP_STATE_HAS_BODY) != 0;
    if (!now || !acp_state_holds(at->world, out_row->object) || saved->has_body != (acp_body_find(at->world, out_row->object) != NULL)) {
        (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "object");
        return;
    }
    acp_object_row *row = &saved->row;
    row->state = acp_reader_u32(reader, "state");
    row->transient_state = acp_reader_u32(reader, "transient state");
    row->scale = acp_reader_f32(reader, "scale");
    row->holder_cell_id = acp_reader_u32(reader, "holder");
    row->placement_id = acp_reader_u32(reader, "placement");
    row->parent = acp_reader_u32(reader, "parent");
    row->first_child = acp_reader_u32(reader, "first child");
    row->next_sibling = acp_reader_u32(reader, "next sibling");
    row->position = read_position(reader);
    saved->holding = read_position(reader).frame;
    saved->part_index = acp_reader_i32(reader, "part index");
    row->part_count = acp_reader_u32(reader, "parts");
    saved->parts_at = reader->offset;
    if (acp_reader_is_ok(reader) && !fits(at, now, row)) (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "links, parts or cell");
    for (uint32_t i = 0; i < row->part_count && acp_reader_is_ok(reader); ++i) {
        (void)read_position(reader);
        (void)read_vec3(reader);
    }
}

static void read_lists(restoration *at, acp_registry_saved_row *row) {
    acp_reader *reader = &at->reader;
    uint32_t flags = acp_reader_u32(reader, "row flags");
    row->is_registered = flags & 1u;
    row->is_static = (uint8_t)(flags >> 1 & 1u);
    row->cell_count = acp_reader_u32(reader, "cells");
    row->cells = at->cells ? at->cells + at->cell_count : NULL;
    for (uint32_t i = 0; i < row->cell_count && acp_reader_is_ok(reader); ++i) {
        acp_cell_entry entry;
        entry.cell_id = acp_reader_u32(reader, "cell");
        entry.is_resident = acp_reader_u32(reader, "residency") != 0;
        if (entry.is_resident && !acp_cell_exists(acp_world_cell(at->world, entry.cell_id)))
            (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "cell");
        if (at->cells) at->cells[at->cell_count] = entry;
        ++at->cell_count;
    }
    row->block_count = acp_reader_u32(reader, "blocks");
    row->blocks = at->blocks ? at->blocks + at->block_count : NULL;
    for (uint32_t i = 0; i < row->block_count && acp_reader_is_ok(reader); ++i) {
        uint32_t block = acp_reader_u32(reader, "block");
        if (at->blocks) at->blocks[at->block_count] = block;
        ++at->block_count;
    }
}

static void skip_list(acp_reader *reader, uint32_t count, uint32_t item_bytes, const char *field) {
    if (count > acp_reader_remaining(reader) / item_bytes)
        (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, field);
    else
        (void)acp_reader_bytes(reader, (size_t)count * item_bytes, field);
}

static void read_body(restoration *at, saved_object *saved) {
    acp_reader *reader = &at->reader;
    acp_body_row *body = &saved->body;
    body->velocity = read_vec3(reader);
    body->cached_velocity = read_vec3(reader);
    body->acceleration = read_vec3(reader);
    body->omega = read_vec3(reader);
    body->contact_plane.normal = read_vec3(reader);
    body->contact_plane.d = acp_reader_f32(reader, "plane");
    body->contact_plane_cell_id = acp_reader_u32(reader, "plane cell");
    body->sliding_normal = read_vec3(reader);
    body->elasticity = acp_reader_f32(reader, "elasticity");
    body->friction = acp_reader_f32(reader, "friction");
    body->clock = acp_reader_f64(reader, "clock");
    body->update_time = acp_reader_f64(reader, "update time");
    body->lost_time = acp_reader_f64(reader, "lost time");
    body->anchor_offset = read_vec3(reader);
    body->anchor_distance = acp_reader_f32(reader, "anchor distance");
    uint32_t flags = acp_reader_u32(reader, "body flags");
    body->is_colliding_with_environment = (flags & 1u) != 0;
    body->has_jumped_this_frame = (flags & 2u) != 0;
    body->has_movement_manager = (flags & 4u) != 0;
    body->is_lost = (flags & 8u) != 0;
    body->is_in_world = (flags & 16u) != 0;
    body->has_expired = (flags & 32u) != 0;
    body->teleport_stamp = (uint16_t)(flags >> 16);
    body->touch_count = acp_reader_u32(reader, "touches");
    saved->touches_at = reader->offset;
    skip_list(reader, body->touch_count, TOUCH_BYTES, "touches");
}

static void read_orders(restoration *at) {
    acp_reader *reader = &at->reader;
    at->orders_at = reader->offset;
    while (acp_reader_is_ok(reader)) {
        if (acp_reader_u32(reader, "cell of an order") == 0) return;
        skip_list(reader, acp_reader_u32(reader, "order"), 4u, "order");
    }
}

static void read_column(restoration *at) {
    acp_reader *reader = &at->reader;
    at->fresh.now = acp_reader_f64(reader, "now");
    at->fresh.last_tick = acp_reader_f64(reader, "last tick");
    at->fresh.tick_count = acp_reader_u64(reader, "ticks");
    at->fresh.random.first = acp_reader_u32(reader, "random");
    at->fresh.random.second = acp_reader_u32(reader, "random");
    at->fresh.random.last = acp_reader_u32(reader, "random");
    for (uint32_t i = 0; i < 32; ++i)
        at->fresh.random.slots[i] = acp_reader_u32(reader, "random");
    if (at->fresh.random.last >= 2147483563u || !(at->fresh.now >= 0.0 && at->fresh.now <= 1.0e10))
        (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "time or random");
    at->static_count = acp_reader_u32(reader, "statics");
    at->statics_at = reader->offset;
    if (at->static_count != at->column->statics.count) (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "animated statics");
    for (uint32_t i = 0; i < at->static_count && acp_reader_is_ok(reader); ++i) {
        uint32_t index = acp_reader_u32(reader, "static");
        if (!acp_world_live_row(at->world, index) || !acp_body_find(at->world, index))
            (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "static");
    }
    if (acp_reader_is_ok(reader) && !acp_reader_is_at_end(reader)) (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "end");
}

static void read_head(restoration *at) {
    acp_reader *reader = &at->reader;
    if (acp_reader_u32(reader, "magic") != ACP_STATE_MAGIC) (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "magic");
    if (acp_reader_u32(reader, "version") != ACP_STATE_VERSION) (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "version");
    if (acp_reader_u64(reader, "landblocks") != acp_state_residency(at->world))
        (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "landblocks");
    at->count = acp_reader_u32(reader, "objects");
    if (at->count != acp_state_object_count(at->world)) (void)acp_reader_fail(reader, ACP_ERROR_NOT_FOUND, "objects");
}

/* Objects come in rising handle order, each once. */
static acp_result read_all(restoration *at, const void *bytes, size_t size) {
    at->reader = acp_reader_make(bytes, size);
    at->cell_count = at->block_count = 0;
    read_head(at);
    for (uint32_t i = 0; i < at->count && acp_reader_is_ok(&at->reader); ++i) {
        saved_object *saved = &at->objects[i];
        memset(saved, 0, sizeof *saved);
        read_row(at, saved, &at->rows[i]);
        if (acp_reader_is_ok(&at->reader) && i > 0 && at->rows[i].object <= at->rows[i - 1u].object)
            (void)acp_reader_fail(&at->reader, ACP_ERROR_BAD_DATA, "order of objects");
        read_lists(at, &at->rows[i]);
        if (saved->has_body && acp_reader_is_ok(&at->reader)) read_body(at, saved);
    }
    if (acp_reader_is_ok(&at->reader)) read_orders(at);
    if (acp_reader_is_ok(&at->reader)) read_column(at);
    return at->reader.result;
}

/* ---- what must hold ---- */

static bool are_distinct(const uint32_t *items, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (items[i] == items[k]) return false;
    return true;
}

/* No cell and no block twice; what is resident is said to be (but for retail's occasions, where a row may have missed it). */
static bool are_lists_sound(const restoration *at) {
    bool may_miss = (at->world->fidelity & ACP_FIDELITY_REFLOOD) != 0;
    for (uint32_t i = 0; i < at->count; ++i) {
        const acp_registry_saved_row *row = &at->rows[i];
        if (row->cell_count > MAX_CELLS || row->block_count > MAX_CELLS) return false;
        for (uint32_t k = 0; k < row->cell_count; ++k) {
            bool exists = acp_cell_exists(acp_world_cell(at->world, row->cells[k].cell_id));
            if (exists && !row->cells[k].is_resident && !may_miss) return false;
            for (uint32_t j = 0; j < k; ++j)
                if (row->cells[j].cell_id == row->cells[k].cell_id) return false;
        }
        if (!are_distinct(row->blocks, row->block_count)) return false;
    }
    return true;
}

/* The saved object of an index, or null. */
static const saved_object *saved_of(const restoration *at, uint32_t index) {
    uint32_t low = 0, high = at->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2u;
        if (at->rows[middle].object < index)
            low = middle + 1u;
        else
            high = middle;
    }
    return low < at->count && at->rows[low].object == index ? &at->objects[low] : NULL;
}

/* Every child is in its parent's list, every list ends, nobody is above himself. */
static bool are_families_sound(const restoration *at) {
    uint32_t children = 0, listed = 0;
    for (uint32_t i = 0; i < at->count; ++i) {
        children += at->objects[i].row.parent != ACP_OBJECT_NONE;
        uint32_t depth = 0;
        for (uint32_t up = at->objects[i].row.parent; up != ACP_OBJECT_NONE;) {
            const saved_object *parent = saved_of(at, up);
            if (!parent || ++depth > at->count) return false;
            up = parent->row.parent;
        }
        for (uint32_t c = at->objects[i].row.first_child; c != ACP_OBJECT_NONE;) {
            const saved_object *child = saved_of(at, c);
            if (!child || child->row.parent != at->rows[i].object || ++listed > at->count) return false;
            c = child->row.next_sibling;
        }
    }
    return children == listed;
}

/* ---- changing the world ---- */

static acp_result ask_for_memory(restoration *at) {
    for (uint32_t i = 0; i < at->count; ++i) {
        saved_object *saved = &at->objects[i];
        uint32_t index = at->rows[i].object;
        if (saved->row.parent != ACP_OBJECT_NONE && !acp_object_extra_of(at->world, index)) return ACP_ERROR_OUT_OF_MEMORY;
        const acp_body_row *body = acp_body_find(at->world, index);
        if (!saved->has_body || saved->body.touch_count <= body->touch_capacity) continue;
        saved->touches = ACP_MEMORY_NEW_ARRAY(&at->column->allocator, acp_body_touch, saved->body.touch_count);
        if (!saved->touches) return ACP_ERROR_OUT_OF_MEMORY;
    }
    return ACP_OK;
}

/* State words and holders come first: the rows depend on them. `is_back`: as they were. */
static void put_holders(restoration *at, bool is_back) {
    for (uint32_t i = 0; i < at->count; ++i) {
        uint32_t index = at->rows[i].object;
        acp_object_row *row = acp_world_row(at->world, index);
        saved_object *saved = &at->objects[i];
        if (!is_back) {
            saved->old_state = row->state;
            saved->old_holder = row->holder_cell_id;
        }
        uint32_t holder = is_back ? saved->old_holder : saved->row.holder_cell_id;
        row->state = is_back ? saved->old_state : saved->row.state;
        if (row->holder_cell_id == holder) continue;
        uint32_t cell_id = row->position.cell_id;
        acp_object_leave_one_cell(at->world, index);
        if (holder) acp_object_hold_one_in_cell(at->world, index, holder);
        acp_object_set_cell_id(at->world, index, cell_id); /* holding gives a label; the place comes later */
    }
}

static void put_row(restoration *at, uint32_t i) {
    const saved_object *saved = &at->objects[i];
    acp_object_row *row = acp_world_row(at->world, at->rows[i].object);
    row->transient_state = saved->row.transient_state;
    row->scale = saved->row.scale;
    row->placement_id = saved->row.placement_id;
    row->parent = saved->row.parent;
    row->first_child = saved->row.first_child;
    row->next_sibling = saved->row.next_sibling;
    row->position = saved->row.position;
    acp_reader reader = at->reader;
    reader.offset = saved->parts_at;
    for (uint32_t p = 0; p < row->part_count; ++p) {
        row->parts[p].position = read_position(&reader);
        row->parts[p].scale = read_vec3(&reader);
    }
    if (!row->extra) return;
    row->extra->holding = saved->holding;
    row->extra->part_index = saved->part_index;
}

static void put_body(restoration *at, uint32_t i) {
    saved_object *saved = &at->objects[i];
    if (!saved->has_body) return;
    acp_body_row *body = acp_body_find(at->world, at->rows[i].object);
    acp_body_touch *touches = body->touches;
    uint32_t capacity = body->touch_capacity;
    if (saved->touches) {
        ACP_MEMORY_DELETE_ARRAY(&at->column->allocator, acp_body_touch, touches, capacity);
        touches = saved->touches;
        capacity = saved->body.touch_count;
        saved->touches = NULL;
    }
    *body = saved->body;
    body->touches = touches;
    body->touch_capacity = capacity;
    acp_reader reader = at->reader;
    reader.offset = saved->touches_at;
    for (uint32_t t = 0; t < body->touch_count; ++t) {
        touches[t].object.index1 = acp_reader_u32(&reader, "touch");
        touches[t].object.generation = acp_reader_u32(&reader, "touch");
        touches[t].object_id = acp_reader_u32(&reader, "touch");
        touches[t].is_ethereal = acp_reader_u32(&reader, "touch") != 0;
        touches[t].time = acp_reader_f64(&reader, "touch");
    }
}

static void put_orders(restoration *at, uint32_t *scratch) {
    acp_reader reader = at->reader;
    reader.offset = at->orders_at;
    for (uint32_t cell_id; (cell_id = acp_reader_u32(&reader, "cell")) != 0;) {
        uint32_t count = acp_reader_u32(&reader, "order");
        for (uint32_t i = 0; i < count; ++i)
            scratch[i] = acp_reader_u32(&reader, "order");
        acp_registry_arrange_cell(at->world, acp_world_cell(at->world, cell_id), scratch, count);
    }
}

static void put_column(restoration *at) {
    acp_body_column *column = at->column;
    column->now = at->fresh.now;
    column->last_tick = at->fresh.last_tick;
    column->tick_count = at->fresh.tick_count;
    column->random = at->fresh.random;
    column->events.count = column->events.lost = 0;
    column->may_have_lost = true; /* let the tick look */
    acp_reader reader = at->reader;
    reader.offset = at->statics_at;
    for (uint32_t i = 0; i < at->static_count; ++i)
        column->statics.items[i] = acp_reader_u32(&reader, "static");
}

static acp_result change_world(restoration *at, size_t size) {
    uint32_t *scratch = ACP_MEMORY_NEW_ARRAY(&at->column->allocator, uint32_t, size / 4u + 1u); /* no order is longer than the state */
    acp_result result = scratch ? ask_for_memory(at) : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) {
        put_holders(at, false);
        result = acp_registry_restore_rows(at->world, at->rows, at->count);
        if (result != ACP_OK) put_holders(at, true);
    }
    if (result == ACP_OK) {
        for (uint32_t i = 0; i < at->count; ++i) {
            put_row(at, i);
            put_body(at, i);
        }
        put_orders(at, scratch);
        put_column(at);
    }
    for (uint32_t i = 0; i < at->count; ++i)
        ACP_MEMORY_DELETE_ARRAY(&at->column->allocator, acp_body_touch, at->objects[i].touches, at->objects[i].body.touch_count);
    ACP_MEMORY_DELETE_ARRAY(&at->column->allocator, uint32_t, scratch, size / 4u + 1u);
    return result;
}

/* Reads once to count, once to keep; then changes the world. */
static acp_result restore(restoration *at, const void *bytes, size_t size) {
    acp_allocator *allocator = &at->column->allocator;
    uint32_t count = acp_state_object_count(at->world), cells = 0, blocks = 0;
    at->objects = ACP_MEMORY_NEW_ARRAY(allocator, saved_object, count + 1u);
    at->rows = ACP_MEMORY_NEW_ARRAY(allocator, acp_registry_saved_row, count + 1u);
    acp_result result = at->objects && at->rows ? read_all(at, bytes, size) : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) {
        cells = at->cell_count;
        blocks = at->block_count;
        at->cells = ACP_MEMORY_NEW_ARRAY(allocator, acp_cell_entry, cells + 1u);
        at->blocks = ACP_MEMORY_NEW_ARRAY(allocator, uint32_t, blocks + 1u);
        result = at->cells && at->blocks ? read_all(at, bytes, size) : ACP_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACP_OK && !are_lists_sound(at)) result = acp_reader_fail(&at->reader, ACP_ERROR_BAD_DATA, "lists");
    if (result == ACP_OK && !are_families_sound(at)) result = acp_reader_fail(&at->reader, ACP_ERROR_BAD_DATA, "families");
    if (result == ACP_OK) result = change_world(at, size);
    ACP_MEMORY_DELETE_ARRAY(allocator, uint32_t, at->blocks, blocks + 1u);
    ACP_MEMORY_DELETE_ARRAY(allocator, acp_cell_entry, at->cells, cells + 1u);
    ACP_MEMORY_DELETE_ARRAY(allocator, acp_registry_saved_row, at->rows, count + 1u);
    ACP_MEMORY_DELETE_ARRAY(allocator, saved_object, at->objects, count + 1u);
    return result;
}

acp_result acp_world_restore_state(acp_world *world, const void *bytes, uint64_t size, acp_error *error) {
    static const char operation[] = "restore state";
    if (!world || !bytes || size > SIZE_MAX) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no world or no state");
    restoration at;
    memset(&at, 0, sizeof at);
    at.world = world;
    at.column = acp_body_column_of(world);
    if (!at.column) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory");
    acp_result result = restore(&at, bytes, (size_t)size);
    if (result == ACP_OK) return ACP_OK;
    if (!acp_reader_is_ok(&at.reader)) return acp_reader_error(&at.reader, error, operation, 0);
    return acp_error_set(error, result, operation, "%s", acp_result_name(result));
}
