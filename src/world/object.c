/* SPDX-License-Identifier: MIT */
/* Objects: rows behind generational handles.
 *
 * Rows live in pages of 128 that never move, so a row pointer is good until its object goes; slots come from the base floor's id pool,
 * which never lets an old handle name a new object. Ids given by the host are found through a small open-addressed table; id 0 is
 * anonymous and in no table. Most rows have neither children's frames nor admissions: those hang on an extra block made when needed. Parts
 * are one block per object: memory of the world, or room that whoever makes the object has for it as long as it lives.
 *
 * Construction follows PHO-3: the BSP bit is computed from the setup's meshes unless the caller keeps the one of the state word; the
 * placement frame is 0x65; parts are posed at once unless the object is a particle emitter. Contract: a failed call changes nothing.
 * Limits: 2^32 - 2 rows. Cost: O(parts) to create, O(1) to find. Spec 07 PHO-3..5, 05 OCD-29, 04 MEM-22, 30.
 *
 * retail: CPhysicsObj::makeObject 0x00513970
 * retail: CPhysicsObj::InitPartArrayObject 0x005126B0
 * retail: CPhysicsObj::CacheHasPhysicsBSP 0x0050F570
 */
#include "world/object.h"

#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "base/memory.h"
#include "place/cell_id.h"
#include "world/world.h"

#define ID_MAP_LEFT     UINT32_MAX
#define FIRST_PLACEMENT 0x65u /* PHO-3 */

/* ---------------------------------------------------------------------------------------------------------------------- rows */

acp_object_row *acp_world_row(const acp_world *world, uint32_t index) {
    return &world->pages[index / ACP_WORLD_ROWS_PER_PAGE][index % ACP_WORLD_ROWS_PER_PAGE];
}

acp_object_row *acp_world_row_of(const acp_world *world, acp_object object, uint32_t *out_index) {
    acp_id id = {object.index1, object.generation};
    if (!world || !acp_id_pool_is_live(&world->ids, id)) return NULL;
    if (out_index) *out_index = object.index1 - 1u;
    return acp_world_row(world, object.index1 - 1u);
}

acp_object_row *acp_world_live_row(const acp_world *world, uint32_t index) {
    return acp_id_pool_at(&world->ids, index).index1 ? acp_world_row(world, index) : NULL;
}

uint32_t acp_world_row_limit(const acp_world *world) { return world->ids.slot_count; }

acp_object acp_world_handle(const acp_world *world, uint32_t index) {
    acp_id id = acp_id_pool_at(&world->ids, index);
    acp_object object = {id.index1, id.generation};
    return object;
}

static bool reserve_page(acp_world *world, uint32_t index) {
    uint32_t page = index / ACP_WORLD_ROWS_PER_PAGE;
    if (page < world->page_count) return true;
    if (acp_array_grow_ahead(&world->pages, &world->page_capacity, world->page_count, sizeof *world->pages, page + 1u, &world->next_pages,
                             &world->allocator) != ACP_OK)
        return false;
    acp_object_row *rows = acp_stock_take(&world->stock, ACP_WORLD_PAGE_SIZE);
    if (!rows) return false;
    world->pages[world->page_count++] = rows;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------------- host ids */

static uint32_t hash_id(uint32_t id) {
    id *= 0x9E3779B1u;
    return id ^ (id >> 15);
}

uint32_t acp_world_find_row(const acp_world *world, uint32_t object_id) {
    if (!object_id || !world->id_map_capacity) return ACP_OBJECT_NONE;
    uint32_t mask = world->id_map_capacity - 1u;
    for (uint32_t i = hash_id(object_id) & mask; world->id_map[i]; i = (i + 1u) & mask)
        if (world->id_map[i] != ID_MAP_LEFT && acp_world_row(world, world->id_map[i] - 1u)->object_id == object_id)
            return world->id_map[i] - 1u;
    return ACP_OBJECT_NONE;
}

static void put_id(acp_world *world, uint32_t object_id, uint32_t index) {
    uint32_t mask = world->id_map_capacity - 1u;
    uint32_t i = hash_id(object_id) & mask;
    while (world->id_map[i] && world->id_map[i] != ID_MAP_LEFT)
        i = (i + 1u) & mask;
    if (!world->id_map[i]) world->id_map_used++;
    world->id_map[i] = index + 1u;
    world->id_map_live++;
}

/* Room for one more id with at most three quarters used. */
static bool reserve_id(acp_world *world) {
    if ((uint64_t)(world->id_map_used + 1u) * 4u <= (uint64_t)world->id_map_capacity * 3u) return true;
    uint32_t capacity = 64;
    while ((uint64_t)(world->id_map_live + 1u) * 2u > capacity)
        capacity *= 2u;
    uint32_t *map = ACP_MEMORY_NEW_ARRAY(&world->allocator, uint32_t, capacity);
    if (!map) return false;
    uint32_t *old = world->id_map, old_capacity = world->id_map_capacity;
    world->id_map = map;
    world->id_map_capacity = capacity;
    world->id_map_used = world->id_map_live = 0;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i] && old[i] != ID_MAP_LEFT) put_id(world, acp_world_row(world, old[i] - 1u)->object_id, old[i] - 1u);
    if (old) ACP_MEMORY_DELETE_ARRAY(&world->allocator, uint32_t, old, old_capacity);
    return true;
}

static void take_id(acp_world *world, uint32_t object_id, uint32_t index) {
    if (!world->id_map_capacity) return;
    uint32_t mask = world->id_map_capacity - 1u;
    for (uint32_t i = hash_id(object_id) & mask; world->id_map[i]; i = (i + 1u) & mask)
        if (world->id_map[i] == index + 1u) {
            world->id_map[i] = ID_MAP_LEFT;
            world->id_map_live--;
            return;
        }
}

/* --------------------------------------------------------------------------------------------------------------------- create */

acp_object_definition acp_object_definition_default(void) {
    acp_object_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    definition.position.frame.rotation.w = 1.0f;
    definition.state = ACP_STATE_DEFAULT;
    definition.scale = 1.0f;
    return definition;
}

uint64_t acp_static_order(uint32_t block_id, uint32_t kind, uint32_t cell_index, uint32_t ordinal) {
    return ((uint64_t)(block_id >> 16) << 48) | ((uint64_t)(kind & 3u) << 46) | ((uint64_t)(cell_index & 0xFFFFu) << 30) |
           (ordinal & 0x3FFFFFFFu);
}

static acp_result check_object(const acp_world *world, const acp_object_definition *d, acp_error *error) {
    static const char operation[] = "object create";
    if (d->struct_size < sizeof *d || (d->admitted_by_count && !d->admitted_by))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "the definition's size or a list is missing");
    if (!acp_frame_is_finite(&d->position.frame) || !acp_is_finite(d->scale))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "position or scale is not finite");
    if (!(d->scale > 0.0f)) return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the scale is not above zero");
    if (d->position.cell_id && !acp_cell_id_is_valid(d->position.cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, operation, "cell id 0x%08X names no place", (unsigned)d->position.cell_id);
    if (d->object_id && acp_world_find_row(world, d->object_id) != ACP_OBJECT_NONE)
        return acp_error_set(error, ACP_ERROR_DUPLICATE, operation, "object id 0x%08X is taken", (unsigned)d->object_id);
    return ACP_OK;
}

static void fill_parts(acp_part_row *parts, const acp_setup *setup, const acp_matrix_position *position) {
    for (uint32_t i = 0; setup && i < setup->part_count; i++) {
        parts[i].shape = setup->parts[i].shape;
        parts[i].position = *position;
        parts[i].flags = acp_setup_part_is_always_2d(&setup->parts[i]) ? ACP_PART_IS_ALWAYS_2D : 0u;
    }
}

/* Fills a zeroed row; false when memory is out (nothing is kept). `parts`: room for them that is the caller's, or null. */
static bool fill_row(acp_world *world, acp_object_row *row, const acp_object_definition *d, acp_part_row *parts) {
    acp_matrix_frame identity = acp_matrix_frame_identity();
    uint32_t part_count = d->setup ? d->setup->part_count : 0;
    if (part_count) {
        row->parts = parts ? parts : ACP_MEMORY_NEW_ARRAY(&world->allocator, acp_part_row, part_count);
        if (!row->parts) return false;
        row->borrows_parts = parts != NULL;
    }
    if (d->admitted_by_count) {
        row->extra = ACP_MEMORY_NEW(&world->allocator, acp_object_extra);
        if (row->extra) row->extra->admitted_by = ACP_MEMORY_NEW_ARRAY(&world->allocator, uint32_t, d->admitted_by_count);
        if (!row->extra || !row->extra->admitted_by) {
            if (row->extra) ACP_MEMORY_DELETE(&world->allocator, acp_object_extra, row->extra);
            if (!row->borrows_parts) ACP_MEMORY_DELETE_ARRAY(&world->allocator, acp_part_row, row->parts, part_count);
            row->parts = NULL;
            row->extra = NULL;
            return false;
        }
        memcpy(row->extra->admitted_by, d->admitted_by, d->admitted_by_count * sizeof *d->admitted_by);
        row->extra->admitted_by_count = d->admitted_by_count;
        row->extra->holding = identity;
    }
    row->object_id = d->object_id;
    row->state = d->state;
    row->transient_state = d->transient_state;
    row->predicates = d->predicates;
    row->missile_target = d->missile_target;
    row->position = acp_matrix_position_from_public(&d->position);
    row->setup = d->setup;
    row->part_count = part_count;
    row->placement_id = FIRST_PLACEMENT;
    row->parent = row->first_child = row->next_sibling = ACP_OBJECT_NONE;
    row->next_held = row->previous_held = ACP_OBJECT_NONE;
    row->static_order = d->static_order;
    fill_parts(row->parts, d->setup, &row->position);
    row->has_computed_bsp = d->setup && d->setup->has_physics_bsp;
    if (!d->keeps_state_bsp_bit) {
        row->state &= ~(uint32_t)ACP_STATE_HAS_PHYSICS_BSP;
        if (row->has_computed_bsp) row->state |= ACP_STATE_HAS_PHYSICS_BSP;
    }
    return true;
}

acp_result acp_object_create(acp_world *world, const acp_object_definition *definition, acp_object *out_object, acp_error *error) {
    return acp_object_create_with_parts(world, definition, NULL, out_object, error);
}

acp_result acp_object_create_with_parts(acp_world *world, const acp_object_definition *definition, acp_part_row *parts,
                                        acp_object *out_object, acp_error *error) {
    if (!world || !definition || !out_object)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "object create", "no world, definition or place for the handle");
    acp_result result = check_object(world, definition, error);
    if (result != ACP_OK) return result;
    if ((definition->object_id && !reserve_id(world)))
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "object create", "no memory for the id table");
    acp_id id;
    result = acp_id_pool_acquire(&world->ids, &id);
    if (result != ACP_OK) return acp_error_set(error, result, "object create", "no memory for a handle");
    uint32_t index = id.index1 - 1u;
    acp_object_row *row = reserve_page(world, index) ? acp_world_row(world, index) : NULL;
    if (row) memset(row, 0, sizeof *row);
    if (!row || !fill_row(world, row, definition, parts)) {
        result = acp_id_pool_release(&world->ids, id);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "object create", "no memory for an object");
    }
    if (row->object_id) put_id(world, row->object_id, index);
    acp_object_set_scale(world, index, definition->scale);
    acp_object_place_parts(world, index);
    out_object->index1 = id.index1;
    out_object->generation = id.generation;
    return ACP_OK;
}

acp_result acp_object_model_make(acp_world *world, uint32_t index, const acp_setup *setup, acp_object_model *out_model) {
    const acp_object_row *row = acp_world_row(world, index);
    memset(out_model, 0, sizeof *out_model);
    if (setup->part_count) {
        out_model->parts = ACP_MEMORY_NEW_ARRAY(&world->allocator, acp_part_row, setup->part_count);
        if (!out_model->parts) return ACP_ERROR_OUT_OF_MEMORY;
        fill_parts(out_model->parts, setup, &row->position);
    }
    out_model->setup = setup;
    out_model->part_count = setup->part_count;
    out_model->has_computed_bsp = setup->has_physics_bsp;
    /* A word that says what the meshes say goes on doing so; one that the host has set otherwise stays (PHO-25). */
    uint32_t bit = row->state & ACP_STATE_HAS_PHYSICS_BSP;
    if ((bit != 0) == row->has_computed_bsp) bit = setup->has_physics_bsp ? (uint32_t)ACP_STATE_HAS_PHYSICS_BSP : 0u;
    out_model->bsp_bit = bit;
    return ACP_OK;
}

void acp_object_model_swap(acp_world *world, uint32_t index, acp_object_model *model) {
    acp_object_row *row = acp_world_row(world, index);
    acp_object_model old = {row->setup,        row->parts, row->part_count, row->state & ACP_STATE_HAS_PHYSICS_BSP, row->has_computed_bsp,
                            row->borrows_parts};
    row->setup = model->setup;
    row->parts = model->parts;
    row->part_count = model->part_count;
    row->state = (row->state & ~(uint32_t)ACP_STATE_HAS_PHYSICS_BSP) | model->bsp_bit;
    row->has_computed_bsp = model->has_computed_bsp;
    row->borrows_parts = model->borrows_parts;
    *model = old;
    acp_object_set_scale(world, index, row->scale);
    acp_object_set_cell_id(world, index, row->position.cell_id);
    acp_object_place_parts(world, index);
}

void acp_object_model_free(acp_world *world, acp_object_model *model) {
    if (!model->borrows_parts) ACP_MEMORY_DELETE_ARRAY(&world->allocator, acp_part_row, model->parts, model->part_count);
    model->parts = NULL;
}

static void free_row(acp_world *world, acp_object_row *row) {
    if (!row->borrows_parts) ACP_MEMORY_DELETE_ARRAY(&world->allocator, acp_part_row, row->parts, row->part_count);
    if (row->extra) {
        if (row->extra->admitted_by)
            ACP_MEMORY_DELETE_ARRAY(&world->allocator, uint32_t, row->extra->admitted_by, row->extra->admitted_by_count);
        ACP_MEMORY_DELETE(&world->allocator, acp_object_extra, row->extra);
    }
    row->parts = NULL;
    row->extra = NULL;
}

acp_result acp_object_destroy(acp_world *world, acp_object object, acp_error *error) {
    uint32_t index;
    acp_object_row *row = acp_world_row_of(world, object, &index);
    if (!row) return acp_error_set(error, ACP_ERROR_STALE_HANDLE, "object destroy", "the object is gone");
    for (uint32_t i = ACP_COLUMN_COUNT; i-- > 0;)
        if (world->columns[i].data && world->columns[i].object_destroyed)
            world->columns[i].object_destroyed(world, world->columns[i].data, index);
    while (row->first_child != ACP_OBJECT_NONE)
        acp_object_unlink_child(world, row->first_child);
    if (row->parent != ACP_OBJECT_NONE) acp_object_unlink_child(world, index);
    acp_object_leave_cell(world, index);
    if (row->object_id) take_id(world, row->object_id, index);
    free_row(world, row);
    acp_id id = {object.index1, object.generation};
    return acp_id_pool_release(&world->ids, id);
}

void acp_world_free_objects(acp_world *world) {
    for (uint32_t i = 0; i < acp_world_row_limit(world); i++) {
        acp_object_row *row = acp_world_live_row(world, i);
        if (row) free_row(world, row);
    }
    for (uint32_t i = 0; i < world->page_count; i++)
        acp_stock_release(&world->stock, world->pages[i], ACP_WORLD_PAGE_SIZE);
    acp_array_free(&world->pages, world->page_capacity, sizeof *world->pages, &world->allocator);
    acp_array_successor_free(&world->next_pages, sizeof *world->pages, &world->allocator);
    if (world->id_map) ACP_MEMORY_DELETE_ARRAY(&world->allocator, uint32_t, world->id_map, world->id_map_capacity);
    acp_id_pool_free(&world->ids);
}

acp_object_extra *acp_object_extra_of(acp_world *world, uint32_t index) {
    acp_object_row *row = acp_world_row(world, index);
    if (!row->extra) {
        row->extra = ACP_MEMORY_NEW(&world->allocator, acp_object_extra);
        if (row->extra) row->extra->holding = acp_matrix_frame_identity();
    }
    return row->extra;
}

/* ---------------------------------------------------------------------------------------------------------------------- facts */

int32_t acp_object_is_live(const acp_world *world, acp_object object) { return acp_world_row_of(world, object, NULL) != NULL; }

acp_object acp_world_find_object(const acp_world *world, uint32_t object_id) {
    uint32_t index = acp_world_find_row(world, object_id);
    acp_object none = {0, 0};
    return index == ACP_OBJECT_NONE ? none : acp_world_handle(world, index);
}

uint32_t acp_world_object_count(const acp_world *world) { return world->ids.live_count; }

acp_result acp_object_get_info(const acp_world *world, acp_object object, acp_object_info *out_info) {
    const acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    memset(out_info, 0, sizeof *out_info);
    out_info->position = acp_matrix_position_to_public(&row->position);
    out_info->object_id = row->object_id;
    out_info->state = row->state;
    out_info->transient_state = row->transient_state;
    out_info->predicates = row->predicates;
    out_info->holder_cell_id = row->holder_cell_id;
    out_info->part_count = row->part_count;
    for (uint32_t c = row->first_child; c != ACP_OBJECT_NONE; c = acp_world_row(world, c)->next_sibling)
        out_info->child_count++;
    out_info->scale = row->scale;
    if (row->parent != ACP_OBJECT_NONE) out_info->parent = acp_world_handle(world, row->parent);
    out_info->setup = row->setup;
    return ACP_OK;
}

acp_result acp_object_set_state(acp_world *world, acp_object object, uint32_t state) {
    acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    if (world->corrections & ACP_CORRECTION_DERIVE_BSP_FLAG) {
        state &= ~(uint32_t)ACP_STATE_HAS_PHYSICS_BSP;
        if (row->has_computed_bsp) state |= ACP_STATE_HAS_PHYSICS_BSP;
    }
    row->state = state;
    return ACP_OK;
}

acp_result acp_object_set_transient_state(acp_world *world, acp_object object, uint32_t transient_state) {
    acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    row->transient_state = transient_state;
    return ACP_OK;
}

acp_result acp_object_set_predicates(acp_world *world, acp_object object, uint32_t predicates) {
    acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    row->predicates = predicates;
    return ACP_OK;
}

acp_result acp_object_part_position(const acp_world *world, acp_object object, uint32_t part_index, acp_position *out_position) {
    const acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    if (part_index >= row->part_count || !row->parts[part_index].shape) return ACP_ERROR_NOT_FOUND;
    *out_position = acp_matrix_position_to_public(&row->parts[part_index].position);
    return ACP_OK;
}

bool acp_object_row_is_admitted(const acp_object_row *mover, const acp_object_row *restriction) {
    if (acp_object_row_has(mover, ACP_PREDICATE_ADMITTED_BY_ALL) || acp_object_row_has(restriction, ACP_PREDICATE_ADMITS_ALL)) return true;
    if (!mover->extra) return false;
    for (uint32_t i = 0; i < mover->extra->admitted_by_count; i++)
        if (mover->extra->admitted_by[i] == restriction->object_id) return true;
    return false;
}
