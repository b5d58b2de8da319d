/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_RESULT_H
#define ACPHYS_RESULT_H

#include <stdint.h>

#include "acphys/export.h"

/** @file result.h
 * Results and error detail. Everything fallible returns an acp_result: 0 is success, negative is an error. "The world says no"
 * (a blocked move, a refused placement) is *not* an error: it is a normal result with its reason in the answer. */

#ifdef __cplusplus
extern "C" {
#endif

/** 0 for success, one of the negative ACP_ERROR_* otherwise. */
typedef int32_t acp_result;

/** The four kinds kept apart: the caller's mistake, bad data, resources exhausted, input/output. Values are frozen. */
enum {
    ACP_OK = 0,
    ACP_ERROR_INVALID_ARGUMENT = -1, /**< a null, a contradictory option, a size of zero */
    ACP_ERROR_NOT_FINITE = -2,       /**< NaN or infinity at a public door (spec 01 WM-27a) */
    ACP_ERROR_INVALID_ID = -3,       /**< a cell or record id that names no place or record */
    ACP_ERROR_OUT_OF_RANGE = -4,     /**< a number outside the documented range */
    ACP_ERROR_STALE_HANDLE = -5,     /**< the object behind the handle is gone */
    ACP_ERROR_UNSUPPORTED = -6,      /**< well-formed but not something this build can do */
    ACP_ERROR_OUTSIDE_MAP = -7,      /**< a position at or beyond the rim of the map (spec 01 WM-18) */
    ACP_ERROR_BAD_DATA = -20,        /**< malformed content; the error names record, offset and field */
    ACP_ERROR_TRUNCATED = -21,       /**< content ends before a field does */
    ACP_ERROR_LIMIT = -22,           /**< a stated cap (DAT-70, D14) is exceeded */
    ACP_ERROR_NOT_FOUND = -23,       /**< no such record, cell or name */
    ACP_ERROR_DUPLICATE = -24,       /**< an id that is already there */
    ACP_ERROR_OUT_OF_MEMORY = -40,   /**< the allocator refused; state is as before the call */
    ACP_ERROR_IO = -60,              /**< the operating system refused; the error carries its number */
    ACP_ERROR_CANCELLED = -61,       /**< the host's progress callback asked to stop */
    ACP_ERROR_INTERNAL = -80         /**< a fault of the library */
};

/** Detail of an error. Plain data of fixed size, owned by the caller; zero-initialise or use acp_error_clear.
 *  Functions write it only when they fail, and only if the pointer is not null. */
typedef struct acp_error {
    acp_result code;      /**< the value the function returned */
    uint32_t record_id;   /**< DAT record, cell or object id concerned; 0 when none */
    uint64_t byte_offset; /**< offset of the field in the file, record or buffer; UINT64_MAX when none */
    int32_t system_error; /**< errno-style number of the operating system for ACP_ERROR_IO, else 0 */
    char operation[36];   /**< what was being done, e.g. "dat open" */
    char field[64];       /**< which field, e.g. "header.block_size"; empty when none */
    char file[256];       /**< path or name of the source; empty when none; shortened at the front when too long */
    char message[256];    /**< a sentence for a person, without the file name */
} acp_error;

/** Resets an error to "no error". [any thread] */
ACP_API void acp_error_clear(acp_error *error);

/** Name of a result code, e.g. "truncated"; "unknown" for any other number. The string is static. [any thread] */
ACP_API const char *acp_result_name(acp_result result);

/** Writes "file: operation: message (record 0x…, offset …, field …)" to `out`, always terminated when `capacity` > 0.
 *  Returns the length that the whole text has, like snprintf. [any thread] */
ACP_API uint32_t acp_error_format(const acp_error *error, char *out, uint32_t capacity);

#ifdef __cplusplus
}
#endif

#endif
