/* SPDX-License-Identifier: MIT */
/* What the system says of a failed operation on a file, for the host code of support/ and tools/.
 *
 * Contract: called before anything else can change errno; a null error is not filled. The library has its own for the files that it maps
 * (dat/file_posix.c, dat/file_windows.c), with the number from its caller. */
#include "support/system_error.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

acp_result acp_error_set_errno(acp_error *error, const char *operation, const char *path) {
    int number = errno;
    acp_error_set(error, ACP_ERROR_IO, operation, "%s", strerror(number));
    acp_error_set_file(error, path);
    acp_error_set_system(error, number);
    return ACP_ERROR_IO;
}
