/* SPDX-License-Identifier: MIT */
/* Event queue: facts for the host, in the order they happened (D10; spec 05 OCD-90..95, 07 PHO-15).
 *
 * Bodies push, the host drains after the tick; nothing is called back. The array keeps its capacity, so a world in steady state does not
 * allocate. When memory is refused the event is counted as lost and the host is told by acp_events_drain. Limits: none but
 * memory. Cost: constant, amortised. */
#include "body/event.h"

#include <string.h>

#include "base/memory.h"
#include "body/body.h"

void acp_event_queue_push(acp_event_queue *queue, const acp_event *event) {
    if (queue->count == queue->capacity) {
        uint32_t capacity = queue->capacity ? queue->capacity * 2u : 64u;
        acp_event *items = acp_memory_allocate(&queue->allocator, capacity * sizeof *items, _Alignof(acp_event));
        if (!items) {
            ++queue->lost;
            return;
        }
        if (queue->count) memcpy(items, queue->items, queue->count * sizeof *items);
        acp_memory_free(&queue->allocator, queue->items, queue->capacity * sizeof *items, _Alignof(acp_event));
        queue->items = items;
        queue->capacity = capacity;
    }
    queue->items[queue->count++] = *event;
}

void acp_event_queue_free(acp_event_queue *queue) {
    acp_memory_free(&queue->allocator, queue->items, queue->capacity * sizeof *queue->items, _Alignof(acp_event));
    queue->items = NULL;
    queue->count = queue->capacity = 0;
}

acp_result acp_events_drain(acp_world *world, acp_event *out_events, uint32_t capacity, uint32_t *out_count, uint32_t *out_lost) {
    if (!world || !out_count || (capacity && !out_events)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    if (out_lost) *out_lost = 0;
    acp_body_column *column = world->columns[ACP_COLUMN_BODY].data;
    if (!column) return ACP_OK;
    acp_event_queue *queue = &column->events;
    uint32_t count = queue->count < capacity ? queue->count : capacity;
    if (count) memcpy(out_events, queue->items, count * sizeof *out_events);
    queue->count -= count;
    if (queue->count) memmove(queue->items, queue->items + count, queue->count * sizeof *queue->items);
    *out_count = count;
    if (out_lost) *out_lost = queue->lost;
    queue->lost = 0;
    return ACP_OK;
}
