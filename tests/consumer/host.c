/* SPDX-License-Identifier: MIT */
/* The smallest host: includes only what is installed, calls across the door, checks the answers. */
#include <acphys/acphys.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    acp_error error;
    char text[256];
    acp_error_clear(&error);
    if (error.code != ACP_OK || strcmp(acp_result_name(ACP_ERROR_TRUNCATED), "truncated") != 0) return 1;
    error.code = ACP_ERROR_IO;
    strcpy(error.message, "no such file");
    if (acp_error_format(&error, text, sizeof text) == 0 || !strstr(text, "no such file")) return 2;
    printf("%s\n", text);
    return 0;
}
