/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_TRACE_H
#define ACP_BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "acphys/trace.h"

/* Whether anybody listens: test this before building a record that costs anything. */
static inline bool acp_trace_is_on(const acp_trace_sink *sink) { return sink != NULL; }

/* Hands one record to an optional sink. */
static inline void acp_trace_emit(const acp_trace_sink *sink, uint32_t type, const void *record, uint32_t size) {
    if (sink) sink->record(sink->user, type, record, size);
}

#endif
