/* SPDX-License-Identifier: MIT */
/* The state hash (D9, D13): one number for everything that stepping changes.
 *
 * Bodies in handle order; of each the place, the words, velocities, planes, clocks, partners and the cells it is registered in; then the
 * world's time and random stream. Floats count by their bits, so that equal hashes mean equal bits. What follows from these (parts,
 * matrices, object lists of cells) is left out, as are host settings and the clocks, which every call sets anew. Mixing: multiply and
 * xor-shift over 64 bits, one word at a time. Contract: read access. Cost: some thirty words a body. */
#include <string.h>

#include "body/body.h"
#include "membership/registry.h"

typedef struct hasher {
    uint64_t state;
} hasher;

static void add(hasher *hash, uint64_t word) {
    uint64_t z = (hash->state ^ word) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 32)) * 0xBF58476D1CE4E5B9u;
    hash->state = z ^ (z >> 29);
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void add_pair(hasher *hash, float a, float b) { add(hash, (uint64_t)bits_of(a) << 32 | bits_of(b)); }

static void add_double(hasher *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add(hash, bits);
}

static void add_vec3(hasher *hash, acp_vec3 v) {
    add_pair(hash, v.x, v.y);
    add(hash, bits_of(v.z));
}

static void add_row(hasher *hash, const acp_object_row *row) {
    const acp_matrix_position *p = &row->position;
    add(hash, (uint64_t)p->cell_id << 32 | row->holder_cell_id);
    add_vec3(hash, p->frame.origin);
    add_pair(hash, p->frame.rotation.w, p->frame.rotation.x);
    add_pair(hash, p->frame.rotation.y, p->frame.rotation.z);
    add(hash, (uint64_t)row->state << 32 | row->transient_state);
    add(hash, (uint64_t)bits_of(row->scale) << 32 | row->parent);
}

static void add_body(hasher *hash, const acp_body_row *body) {
    add_vec3(hash, body->velocity);
    add_vec3(hash, body->cached_velocity);
    add_vec3(hash, body->acceleration);
    add_vec3(hash, body->omega);
    add_vec3(hash, body->contact_plane.normal);
    add_pair(hash, body->contact_plane.d, body->elasticity);
    add_vec3(hash, body->sliding_normal);
    add_pair(hash, body->friction, body->anchor_distance);
    add_double(hash, body->update_time);
    uint32_t flags = (uint32_t)body->is_colliding_with_environment | (uint32_t)body->has_movement_manager << 1 |
                     (uint32_t)body->is_lost << 2 | (uint32_t)body->is_in_world << 3 | (uint32_t)body->has_expired << 4;
    add(hash, (uint64_t)body->contact_plane_cell_id << 32 | flags << 16 | body->teleport_stamp);
    for (uint32_t i = 0; i < body->touch_count; ++i) {
        add(hash, (uint64_t)body->touches[i].object.index1 << 32 | body->touches[i].is_ethereal);
        add_double(hash, body->touches[i].time);
    }
}

static void add_cells(hasher *hash, const acp_world *world, uint32_t index) {
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    add(hash, count);
    for (uint32_t i = 0; i < count; ++i)
        add(hash, (uint64_t)cells[i] << 1 | (acp_registry_object_cell_is_resident(world, index, i) ? 1u : 0u));
}

uint64_t acp_world_state_hash(const acp_world *world) {
    const acp_body_column *column = world ? world->columns[ACP_COLUMN_BODY].data : NULL;
    hasher hash = {0x243F6A8885A308D3u};
    if (!column) return hash.state;
    uint32_t limit = acp_world_row_limit(world);
    for (uint32_t index = 0; index < limit; ++index) {
        const acp_body_row *body = acp_body_find(world, index);
        if (!body) continue;
        acp_object handle = acp_world_handle(world, index);
        add(&hash, (uint64_t)handle.index1 << 32 | handle.generation);
        add_row(&hash, acp_world_row(world, index));
        add_body(&hash, body);
        add_cells(&hash, world, index);
    }
    add_double(&hash, column->now);
    add_double(&hash, column->last_tick);
    add(&hash, column->tick_count);
    add(&hash, (uint64_t)column->random.first << 32 | column->random.second);
    add(&hash, column->random.last);
    for (uint32_t i = 0; i < 32; ++i)
        add(&hash, column->random.slots[i]);
    return hash.state;
}
