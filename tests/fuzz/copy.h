/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_FUZZ_COPY_H
#define ACP_TESTS_FUZZ_COPY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A copy in an allocation of exactly that size, so that reading past its end is found; the caller frees it. Null: no memory. */
static inline void *fuzz_copy(const void *data, size_t size) {
    void *copy = malloc(size != 0 ? size : 1);
    if (copy != NULL && size != 0) memcpy(copy, data, size);
    return copy;
}

#endif
