/* SPDX-License-Identifier: MIT */
/* The mover's context: a pool of ten nested transitions and their growing lists (spec 06 TRN-10, TRN-11; D14).
 *
 * Contract: the caller owns it, one thread uses it at a time, nothing is shared between contexts. Slots start zeroed (DIV-49) and keep
 * their leftovers from use to use, because the client reads some of them (TRN-2); acp_transition_context_reset forgets them. An eleventh
 * nested request is answered with null.
 * Memory: one block for the pool, then cell arrays and object lists that grow through a counting allocator with a hard cap; a refusal
 * marks the transition and becomes an error of the call. Nothing shrinks, so after warm-up nothing allocates.
 * Cost: initialising a slot writes some forty words. */
#include "transition/context.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

acp_transition_options acp_transition_options_default(void) {
    acp_transition_options options = {sizeof options, 65536u, NULL, 16u << 20, NULL};
    return options;
}

acp_result acp_transition_context_create(const acp_transition_options *options, acp_transition_context **out_context, acp_error *error) {
    if (!out_context) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "create context", "no place for the context");
    *out_context = NULL;
    acp_transition_options chosen = acp_transition_options_default();
    if (options) {
        if (options->struct_size < 16)
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "create context", "options without their size");
        size_t size = options->struct_size < sizeof chosen ? options->struct_size : sizeof chosen;
        memcpy(&chosen, options, size);
    }
    if (chosen.byte_limit < sizeof(acp_transition_context))
        return acp_error_set(error, ACP_ERROR_LIMIT, "create context", "a context needs at least %zu bytes",
                             sizeof(acp_transition_context));
    acp_allocator host = chosen.allocator ? *chosen.allocator : acp_allocator_system();
    acp_transition_context *context = host.allocate(host.user, sizeof *context, 16);
    if (!context) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "create context", "no memory for the pool");
    memset(context, 0, sizeof *context);
    context->host_allocator = host;
    acp_counting_allocator_init(&context->memory, &context->host_allocator, chosen.byte_limit - sizeof *context);
    context->allocator = acp_counting_allocator_value(&context->memory);
    context->trace = chosen.trace;
    context->max_sub_steps = chosen.max_sub_steps;
    for (uint32_t i = 0; i < ACP_TRANSITION_LEVELS; ++i) {
        context->slots[i].context = context;
        acp_cell_array_init(&context->slots[i].cells, &context->allocator);
    }
    *out_context = context;
    return ACP_OK;
}

void acp_transition_context_destroy(acp_transition_context *context) {
    if (!context) return;
    acp_allocator *allocator = &context->allocator;
    for (uint32_t i = 0; i < ACP_TRANSITION_LEVELS; ++i) {
        acp_collision_info *collision = &context->slots[i].collision;
        acp_cell_array_free(&context->slots[i].cells);
        if (collision->objects)
            allocator->free_memory(allocator->user, collision->objects, collision->object_capacity * sizeof *collision->objects,
                                   sizeof(uint32_t));
    }
    if (context->objects)
        allocator->free_memory(allocator->user, context->objects, context->object_capacity * sizeof *context->objects, sizeof(uint32_t));
    if (context->cells)
        allocator->free_memory(allocator->user, context->cells, context->cell_capacity * sizeof *context->cells, sizeof(uint32_t));
    acp_allocator host = context->host_allocator;
    host.free_memory(host.user, context, sizeof *context, 16);
}

void acp_transition_context_reset(acp_transition_context *context) {
    if (!context) return;
    for (uint32_t i = 0; i < context->used_levels; ++i) {
        acp_transition *slot = &context->slots[i];
        acp_cell_array cells = slot->cells;
        uint32_t *objects = slot->collision.objects;
        uint32_t capacity = slot->collision.object_capacity;
        memset(slot, 0, offsetof(acp_transition, misses));
        slot->context = context;
        slot->cells = cells;
        slot->collision.objects = objects;
        slot->collision.object_capacity = capacity;
    }
    context->used_levels = context->level;
}

void acp_transition_context_set_trace(acp_transition_context *context, const acp_trace_sink *trace) { context->trace = trace; }

acp_memory_counters acp_transition_context_counters(const acp_transition_context *context) {
    acp_memory_counters counters = context->memory.counters;
    counters.bytes_in_use += sizeof *context;
    counters.bytes_peak += sizeof *context;
    counters.allocations_in_use += 1;
    counters.allocations_total += 1;
    return counters;
}

void acp_transition_init(acp_transition *move, const acp_world *world) {
    acp_mover_info *info = &move->info;
    info->object = NULL;
    info->has_mover = false;
    info->state = 0;
    info->physics_state = 0;
    info->predicates = 0;
    info->target_id = 0;
    info->admitted_by = NULL;
    info->admitted_by_count = 0;
    acp_sphere_path_init(&move->path);
    acp_collision_info_init(&move->collision);
    acp_cell_array_reset(&move->cells, false);
    move->world = world;
    move->path.corrects_block = (world->corrections & ACP_CORRECTION_CURRENT_BLOCK) != 0;
    move->hit.kind = ACP_HIT_NONE;
    move->blocked_by.kind = ACP_HIT_NONE;
    move->planned_steps = move->taken_steps = move->blocked_steps = 0;
    move->depth = 0;
    move->ground.cell_id = 0;
    move->flood.is_known = false;
    move->nearby.count = 0;
    move->misses[0].bsp = move->misses[1].bsp = NULL;
    move->is_out_of_memory = false;
    move->is_too_long = false;
}

acp_transition *acp_transition_acquire(acp_transition_context *context, const acp_world *world) {
    if (context->level >= ACP_TRANSITION_LEVELS) return NULL;
    acp_transition *move = &context->slots[context->level];
    acp_transition_init(move, world);
    ++context->level;
    if (context->used_levels < context->level) context->used_levels = context->level;
    return move;
}

void acp_transition_release(acp_transition_context *context) { --context->level; }

void acp_transition_add_object(acp_transition *move, uint32_t object, acp_transition_state state) {
    acp_collision_info *collision = &move->collision;
    for (uint32_t i = 0; i < collision->object_count; ++i)
        if (collision->objects[i] == object) return;
    if (collision->object_count == collision->object_capacity) {
        acp_allocator *allocator = &move->context->allocator;
        uint32_t capacity = collision->object_capacity ? collision->object_capacity * 2u : 16u;
        uint32_t *objects = allocator->allocate(allocator->user, capacity * sizeof *objects, sizeof(uint32_t));
        if (!objects) {
            move->is_out_of_memory = true;
            return;
        }
        if (collision->objects) {
            memcpy(objects, collision->objects, collision->object_count * sizeof *objects);
            allocator->free_memory(allocator->user, collision->objects, collision->object_capacity * sizeof *objects, sizeof(uint32_t));
        }
        collision->objects = objects;
        collision->object_capacity = capacity;
    }
    collision->objects[collision->object_count++] = object;
    if (state != ACP_TRANSITION_OK) collision->last_object = object;
}
