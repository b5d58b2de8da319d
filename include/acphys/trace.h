/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_TRACE_H
#define ACPHYS_TRACE_H

#include <stdint.h>

#include "acphys/export.h"

/** @file trace.h
 * Asking an answer *why*: a sink receives typed records while a query or a transition runs. The base floor knows nothing of their
 * content: each floor defines its record types in its own public header and hands them over as (type, bytes, size). A record that a
 * receiver does not know can be skipped. Without a sink, tracing costs one test of a null pointer at each place that would emit. */

#ifdef __cplusplus
extern "C" {
#endif

/** Record types are 32-bit: the floor in the high half, the floor's own kind (from 1) in the low half. Values are frozen. */
enum {
    ACP_TRACE_FLOOR_BASE = 0x00010000,
    ACP_TRACE_FLOOR_MATH = 0x00020000,
    ACP_TRACE_FLOOR_PLACE = 0x00030000,
    ACP_TRACE_FLOOR_GEOM = 0x00040000,
    ACP_TRACE_FLOOR_TERRAIN = 0x00050000,
    ACP_TRACE_FLOOR_DAT = 0x00060000,
    ACP_TRACE_FLOOR_ASSET = 0x00070000,
    ACP_TRACE_FLOOR_WORLD = 0x00080000,
    ACP_TRACE_FLOOR_MEMBERSHIP = 0x00090000,
    ACP_TRACE_FLOOR_POPULATION = 0x000A0000,
    ACP_TRACE_FLOOR_TRANSITION = 0x000B0000,
    ACP_TRACE_FLOOR_BODY = 0x000C0000,
    ACP_TRACE_FLOOR_LOCOMOTION = 0x000D0000,
    ACP_TRACE_FLOOR_HOST = 0x7FFF0000 /**< never used by the library */
};

/** Receives one record. `record` is plain data without pointers to keep, valid only during the call; `size` is its size in bytes, which
 *  may grow at the end in later versions. Called on the thread that runs the query. Must not call back into the same world or context. */
typedef void (*acp_trace_function)(void *user, uint32_t type, const void *record, uint32_t size);

/** A trace sink: where records go. A null pointer to it means "no tracing". `record` must not be null. Owned by the host; must live as
 *  long as the call or context that it is given to. One sink may serve several threads if its function can. */
typedef struct acp_trace_sink {
    void *user;
    acp_trace_function record;
} acp_trace_sink;

#ifdef __cplusplus
}
#endif

#endif
