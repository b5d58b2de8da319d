/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_PROGRESS_H
#define ACPHYS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/export.h"

/** @file progress.h
 * How a long call tells the host how far it is, and how the host asks it to stop. */

#ifdef __cplusplus
extern "C" {
#endif

/** Called now and then by long calls, on the thread that made the call and never twice at once. `done` counts up to `total` in a unit
 *  that the call names (records, landblocks, bytes); `total` is 0 while unknown. `what` names the phase and is a static string.
 *  Return true to go on, false to stop: the call then undoes what it did and returns ACP_ERROR_CANCELLED. */
typedef bool (*acp_progress_function)(void *user, const char *what, uint64_t done, uint64_t total);

/** A progress receiver. A null pointer to it, or a null `report`, means "don't report, never stop". Owned by the host; must live as
 *  long as the call that it is given to. */
typedef struct acp_progress {
    void *user;
    acp_progress_function report;
} acp_progress;

#ifdef __cplusplus
}
#endif

#endif
