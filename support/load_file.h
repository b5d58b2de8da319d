/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_LOAD_FILE_H
#define ACP_SUPPORT_LOAD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "acphys/result.h"

/* The whole content of a file, plain or gzipped (told apart by content), "-" for standard input. The bytes are followed by a NUL that is
 * not counted; release with free(). More than `byte_limit` unpacked bytes is ACP_ERROR_LIMIT; a cut-off or damaged gzip stream is
 * ACP_ERROR_TRUNCATED or ACP_ERROR_BAD_DATA. */
acp_result acp_load_file(const char *path, size_t byte_limit, char **out_bytes, size_t *out_size, acp_error *error);

#endif
