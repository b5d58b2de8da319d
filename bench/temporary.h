/* SPDX-License-Identifier: MIT */
#ifndef ACP_BENCH_TEMPORARY_H
#define ACP_BENCH_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BENCH_PATH_CAPACITY 4096u

/* A fresh empty file in the folder; null: in that of TMPDIR, else in /tmp. Ends the program when that cannot be. */
static inline void bench_temporary_file(const char *folder, char out_path[BENCH_PATH_CAPACITY]) {
    if (!folder) folder = getenv("TMPDIR");
    int length = snprintf(out_path, BENCH_PATH_CAPACITY, "%s/acphys-bench-XXXXXX", folder && folder[0] ? folder : "/tmp");
    int descriptor = length > 0 && (size_t)length < BENCH_PATH_CAPACITY ? mkstemp(out_path) : -1;
    if (descriptor < 0) {
        (void)fprintf(stderr, "no temporary file %s\n", out_path);
        exit(1);
    }
    (void)close(descriptor);
}

#endif
