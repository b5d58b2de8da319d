/* SPDX-License-Identifier: MIT */
/* The part of the file layer that is the same on every system: names of a file being written, and memory of a file read whole.
 *
 * A file is written under a temporary name beside its target, so that the final rename stays within one file system. The name ends in
 * the process id: two processes that write the same target do not disturb each other's work, the later rename wins.
 *
 * Contract: memory comes from the writer's or view's allocator and goes back there; after a failure nothing is kept. Cost: two copies of
 * a path. The rest is in file_posix.c and file_windows.c. */
#include "dat/file.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static char *copy_text(const acp_allocator *allocator, const char *text, const char *suffix) {
    size_t length = strlen(text), extra = strlen(suffix);
    char *copy = acp_memory_allocate(allocator, length + extra + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    memcpy(copy + length, suffix, extra + 1);
    return copy;
}

bool acp_file_writer_set_names(acp_file_writer *writer, const char *path, const char *temporary_path, unsigned long process_id) {
    char suffix[40];
    (void)snprintf(suffix, sizeof suffix, ".partial-%lu", process_id);
    writer->path = copy_text(&writer->allocator, path, "");
    if (writer->path)
        writer->temporary_path =
            temporary_path ? copy_text(&writer->allocator, temporary_path, "") : copy_text(&writer->allocator, path, suffix);
    if (writer->path && writer->temporary_path) return true;
    acp_file_writer_free_names(writer);
    return false;
}

void acp_file_writer_free_names(acp_file_writer *writer) {
    if (writer->path) acp_memory_free(&writer->allocator, writer->path, strlen(writer->path) + 1, 1);
    if (writer->temporary_path) acp_memory_free(&writer->allocator, writer->temporary_path, strlen(writer->temporary_path) + 1, 1);
    writer->path = NULL;
    writer->temporary_path = NULL;
}

void acp_file_view_free_copy(acp_file_view *view) {
    uintptr_t address = (uintptr_t)view->bytes; /* the view sees its own memory as const */
    acp_memory_free(&view->allocator, (void *)address, (size_t)view->size, 16);
}
