/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_PROGRESS_H
#define ACP_BASE_PROGRESS_H

#include "acphys/progress.h"
#include "acphys/result.h"

/* Reports to an optional receiver: ACP_OK to go on, ACP_ERROR_CANCELLED when the host asked to stop. */
static inline acp_result acp_progress_report(const acp_progress *progress, const char *what, uint64_t done, uint64_t total) {
    if (!progress || !progress->report) return ACP_OK;
    return progress->report(progress->user, what, done, total) ? ACP_OK : ACP_ERROR_CANCELLED;
}

/* The same at most every `every` units (a power of two is cheapest) and at the end: for loops over many small items. */
static inline acp_result acp_progress_tick(const acp_progress *progress, const char *what, uint64_t done, uint64_t total, uint64_t every) {
    if (!progress || !progress->report || (done != total && done % every != 0)) return ACP_OK;
    return acp_progress_report(progress, what, done, total);
}

#endif
