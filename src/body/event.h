/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_EVENT_H
#define ACP_BODY_EVENT_H

#include "acphys/body.h"

/* The queue of facts that the host drains (D10): a growing ring-free array, kept between drains. Losing an event for want of memory is
 * remembered, never silent. */
typedef struct acp_event_queue {
    acp_event *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t lost; /* events for which there was no memory */
    acp_allocator allocator;
} acp_event_queue;

void acp_event_queue_push(acp_event_queue *queue, const acp_event *event);
void acp_event_queue_free(acp_event_queue *queue);

#endif
