/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_CONFORM_H
#define ACP_TOOLS_CONFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/acphys/eval.h"

/* Vectors: requests with their expected answers. Recomputes a line and compares: every key of the expected `out` must be there and be
 * equal; further keys of the answer are ignored. Where K_hex stands it decides, bit for bit (any NaN equals any NaN); with a `tol` floats
 * may differ by that much. A line without `out` is run and not compared (scene and bsp_tree lines define). */

typedef enum acp_conform_status {
    ACP_CONFORM_PASSED,
    ACP_CONFORM_FAILED,
    ACP_CONFORM_UNKNOWN, /* no such operation here */
    ACP_CONFORM_DEFINED, /* a definition: not counted */
    ACP_CONFORM_BLANK
} acp_conform_status;

typedef struct acp_conform_outcome {
    acp_conform_status status;
    const char *section; /* of the operation, or "" */
    char operation[48];
    char id[64];        /* the line's id as JSON text, shortened */
    char path[128];     /* where in `out` the first difference is, e.g. "ticks[3].o_hex" */
    char expected[256]; /* both values as text, shortened */
    char actual[256];
    char message[256]; /* the error, for a line that could not be run */
} acp_conform_outcome;

typedef struct acp_conform acp_conform;

acp_conform *acp_conform_new(void); /* null when memory is out */
void acp_conform_free(acp_conform *conform);
/* Forgets the definitions of the file before. */
void acp_conform_begin_file(acp_conform *conform);
acp_result acp_conform_line(acp_conform *conform, const char *text, size_t length, acp_conform_outcome *out_outcome);

/* A whole file, for tests: counts by status; the first failure in *out_first. */
typedef struct acp_conform_counts {
    uint64_t passed;
    uint64_t failed;
    uint64_t unknown;
} acp_conform_counts;
acp_result acp_conform_file(acp_conform *conform, const char *path, acp_conform_counts *out_counts, acp_conform_outcome *out_first,
                            acp_error *error);

#endif
