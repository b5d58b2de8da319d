/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_ERROR_H
#define ACP_BASE_ERROR_H

#include "acphys/result.h"

/* Filling an acp_error. Every function accepts a null error and then only returns the code. */

/* Clears, sets code, operation and a printf-style message, and returns `code`: `return acp_error_set(error, ACP_ERROR_…, "dat open", "…")`.
 */
#if defined(__MINGW32__) /* built with __USE_MINGW_ANSI_STDIO, so that %zu and %llu mean the same everywhere */
__attribute__((format(gnu_printf, 4, 5)))
#elif defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
acp_result
acp_error_set(acp_error *error, acp_result code, const char *operation, const char *format, ...);

void acp_error_set_file(acp_error *error, const char *file);
void acp_error_set_place(acp_error *error, uint32_t record_id, uint64_t byte_offset, const char *field);
void acp_error_set_system(acp_error *error, int system_error);

#endif
