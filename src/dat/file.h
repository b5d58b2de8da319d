/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_FILE_H
#define ACP_DAT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* Files of the operating system, as the DAT floor needs them: one whole file to read, one whole file to write or not at all. Paths are
 * UTF-8. Errors carry the file, the operation and the system's number. */

/* A file's bytes: mapped, read into memory of the allocator, or borrowed from the caller. */
typedef struct acp_file_view {
    const uint8_t *bytes;
    uint64_t size;
    bool is_mapped;
    bool is_borrowed; /* the caller's: closing leaves them alone */
    bool is_open;     /* its file can be read too, until acp_file_view_end_reading */
    acp_allocator allocator;
#ifdef _WIN32
    void *mapping;
    void *handle;
#else
    int descriptor;
#endif
} acp_file_view;

acp_result acp_file_view_open(const char *path, bool is_read_to_memory, const acp_allocator *allocator, acp_file_view *out_view,
                              acp_error *error);
void acp_file_view_close(acp_file_view *view);
/* Reads a piece of a mapped file past the mapping, which is cheaper for pieces that lie far apart. False when it cannot; the mapping can.
 */
bool acp_file_view_read(const acp_file_view *view, uint64_t offset, void *out, uint32_t size);
/* The file is needed no more; the bytes stay. Harmless when it is closed. */
void acp_file_view_end_reading(acp_file_view *view);

/* A file being written beside its place. Begin, append, then finish (flush to the disk, rename over the target, flush the folder) or
 * discard. A failure of append or finish has discarded it already. The memory for names comes from the allocator. */
typedef struct acp_file_writer {
    acp_allocator allocator;
    char *path;
    char *temporary_path;
    uint64_t written;
#ifdef _WIN32
    void *handle;
#else
    int descriptor;
#endif
    bool is_open;
} acp_file_writer;

/* `temporary_path` null: <path>.partial-<process id>. A file of that name is replaced. */
acp_result acp_file_writer_begin(const char *path, const char *temporary_path, const acp_allocator *allocator, acp_file_writer *out_writer,
                                 acp_error *error);
acp_result acp_file_writer_append(acp_file_writer *writer, const void *bytes, uint64_t size, acp_error *error);
acp_result acp_file_writer_finish(acp_file_writer *writer, acp_error *error);
void acp_file_writer_discard(acp_file_writer *writer);

/* Shared by both systems: both names into the writer; false when memory is refused (nothing is kept then). */
bool acp_file_writer_set_names(acp_file_writer *writer, const char *path, const char *temporary_path, unsigned long process_id);
void acp_file_writer_free_names(acp_file_writer *writer);
void acp_file_view_free_copy(acp_file_view *view);

#endif
