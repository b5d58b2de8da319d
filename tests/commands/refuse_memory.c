/* SPDX-License-Identifier: MIT */
/* Refuses one allocation of a program that it is loaded into before the C library (LD_PRELOAD); for tests/commands/refused_memory.
 *
 * ACP_REFUSE names the allocation, counted from 1 and from the moment when all libraries are ready: what loaders and libraries ask for
 * before that is none of the program's doing. With ACP_REFUSE_COUNT naming a file the number of allocations is written there at the end.
 * Limits: glibc only, whose inner names stand behind the ones that are replaced here. One thread counts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static long refused;
static long counted;
static int is_ready;

static int is_refused(void) {
    if (!is_ready || ++counted != refused) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return is_refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_refused() ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return is_refused() ? NULL : __libc_realloc(memory, size); }

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("ACP_REFUSE");
    refused = text ? strtol(text, NULL, 10) : 0;
    is_ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("ACP_REFUSE_COUNT");
    is_ready = 0;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    (void)fprintf(file, "%ld\n", counted);
    (void)fclose(file);
}
