/* SPDX-License-Identifier: MIT */
/* acphys, the command line: one sub-command per job. */
#include <stdio.h>

int main(void) {
    fputs("acphys: no command given\n", stderr);
    return 2;
}
