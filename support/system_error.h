/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SYSTEM_ERROR_H
#define ACP_SUPPORT_SYSTEM_ERROR_H

#include "acphys/result.h"

/* Fills the error with what errno says of an operation on a file; returns ACP_ERROR_IO. */
acp_result acp_error_set_errno(acp_error *error, const char *operation, const char *path);

#endif
