/* SPDX-License-Identifier: MIT */
/* Files on POSIX systems: a read-only mapping or a copy in memory, and a file that appears whole or not at all.
 *
 * Reading: the size is asked of the open descriptor, directories and devices are refused. A mapping of a file that is shortened
 * meanwhile ends in a signal; the copy in memory does not, for those who cannot rule that out.
 * Writing: a new file beside the target, every write checked, fsync, rename, fsync of the folder. Until the rename the target is
 * untouched; after it the new file is there. Any failure removes the new file and says what the system said.
 *
 * Limits: sizes up to what off_t and the address space hold. Cost: the system's. */
#ifndef _WIN32

#include "dat/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

static acp_result fail_io(acp_error *error, const char *operation, const char *path, int number) {
    acp_error_set(error, ACP_ERROR_IO, operation, "%s", strerror(number));
    acp_error_set_system(error, number);
    acp_error_set_file(error, path);
    return ACP_ERROR_IO;
}

/* A folder, or a device, pipe or socket: these cannot be mapped, nor replaced. */
static acp_result fail_kind(acp_error *error, const char *operation, const char *path, mode_t mode) {
    acp_result result = fail_io(error, operation, path, S_ISDIR(mode) ? EISDIR : EINVAL);
    if (error && !S_ISDIR(mode)) (void)snprintf(error->message, sizeof error->message, "not a regular file");
    return result;
}

static acp_result fail_memory(acp_error *error, const char *operation, const char *path, uint64_t size) {
    acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "%llu bytes refused", (unsigned long long)size);
    acp_error_set_file(error, path);
    return ACP_ERROR_OUT_OF_MEMORY;
}

/* All of an open file into memory. */
static acp_result read_whole(int descriptor, const char *path, acp_file_view *view, acp_error *error) {
    uint8_t *bytes = acp_memory_allocate(&view->allocator, (size_t)view->size, 16);
    if (!bytes) return fail_memory(error, "open", path, view->size);
    view->bytes = bytes;
    uint64_t done = 0;
    while (done < view->size) {
        ssize_t got = read(descriptor, bytes + done, (size_t)(view->size - done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            acp_result result = fail_io(error, "read", path, errno);
            acp_file_view_free_copy(view);
            return result;
        }
        if (got == 0) {
            acp_error_set(error, ACP_ERROR_TRUNCATED, "read", "the file became shorter while it was read");
            acp_error_set_file(error, path);
            acp_file_view_free_copy(view);
            return ACP_ERROR_TRUNCATED;
        }
        done += (uint64_t)got;
    }
    return ACP_OK;
}

static acp_result map_whole(int descriptor, const char *path, acp_file_view *view, acp_error *error) {
    void *bytes = mmap(NULL, (size_t)view->size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (bytes == MAP_FAILED) return fail_io(error, "map", path, errno);
    view->bytes = bytes;
    view->is_mapped = true;
    return ACP_OK;
}

acp_result acp_file_view_open(const char *path, bool is_read_to_memory, const acp_allocator *allocator, acp_file_view *out_view,
                              acp_error *error) {
    acp_file_view view;
    memset(&view, 0, sizeof view);
    view.allocator = acp_memory_allocator(allocator);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail_io(error, "open", path, errno);
    struct stat status;
    acp_result result = ACP_OK;
    if (fstat(descriptor, &status) != 0)
        result = fail_io(error, "open", path, errno);
    else if (!S_ISREG(status.st_mode))
        result = fail_kind(error, "open", path, status.st_mode);
    else if ((uint64_t)status.st_size > SIZE_MAX)
        result = fail_io(error, "open", path, EFBIG);
    if (result == ACP_OK && status.st_size > 0) {
        view.size = (uint64_t)status.st_size;
        result = is_read_to_memory ? read_whole(descriptor, path, &view, error) : map_whole(descriptor, path, &view, error);
    }
    view.is_open = result == ACP_OK && view.is_mapped;
    view.descriptor = descriptor;
    if (!view.is_open) (void)close(descriptor);
    if (result == ACP_OK) *out_view = view;
    return result;
}

bool acp_file_view_read(const acp_file_view *view, uint64_t offset, void *out, uint32_t size) {
    uint32_t done = 0;
    while (view->is_open && done < size) {
        ssize_t got = pread(view->descriptor, (uint8_t *)out + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += (uint32_t)got;
    }
    return view->is_open;
}

void acp_file_view_end_reading(acp_file_view *view) {
    if (view->is_open) (void)close(view->descriptor);
    view->is_open = false;
}

void acp_file_view_close(acp_file_view *view) {
    acp_file_view_end_reading(view);
    if (view->bytes && view->is_mapped) {
        uintptr_t address = (uintptr_t)view->bytes;
        (void)munmap((void *)address, (size_t)view->size);
    } else if (view->bytes && !view->is_borrowed)
        acp_file_view_free_copy(view);
    view->bytes = NULL;
    view->size = 0;
}

acp_result acp_file_writer_begin(const char *path, const char *temporary_path, const acp_allocator *allocator, acp_file_writer *out_writer,
                                 acp_error *error) {
    acp_file_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.allocator = acp_memory_allocator(allocator);
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return fail_kind(error, "create", path, status.st_mode);
    if (!acp_file_writer_set_names(&writer, path, temporary_path, (unsigned long)getpid()))
        return fail_memory(error, "create", path, strlen(path));
    writer.descriptor = open(writer.temporary_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (writer.descriptor < 0) {
        acp_result result = fail_io(error, "create", writer.temporary_path, errno);
        acp_file_writer_free_names(&writer);
        return result;
    }
    writer.is_open = true;
    *out_writer = writer;
    return ACP_OK;
}

void acp_file_writer_discard(acp_file_writer *writer) {
    if (writer->is_open) {
        (void)close(writer->descriptor);
        (void)unlink(writer->temporary_path);
        writer->is_open = false;
    }
    acp_file_writer_free_names(writer);
}

acp_result acp_file_writer_append(acp_file_writer *writer, const void *bytes, uint64_t size, acp_error *error) {
    const uint8_t *from = bytes;
    while (size > 0) {
        size_t part = size > (1u << 30) ? (size_t)1 << 30 : (size_t)size;
        ssize_t put = write(writer->descriptor, from, part);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            acp_result result = fail_io(error, "write", writer->path, put < 0 ? errno : ENOSPC);
            if (error) error->byte_offset = writer->written;
            acp_file_writer_discard(writer);
            return result;
        }
        from += put;
        size -= (uint64_t)put;
        writer->written += (uint64_t)put;
    }
    return ACP_OK;
}

/* Makes the rename itself last. A folder that cannot be opened or flushed (some network systems) is no failure: the file is there. */
static void flush_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[4096];
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder) return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    const char *name = !slash ? "." : length == 0 ? "/" : folder;
    int descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    (void)close(descriptor);
}

acp_result acp_file_writer_finish(acp_file_writer *writer, acp_error *error) {
    int number = 0;
    const char *operation = "flush";
    if (fsync(writer->descriptor) != 0) number = errno;
    if (close(writer->descriptor) != 0 && number == 0) number = errno;
    writer->is_open = false;
    if (number == 0 && rename(writer->temporary_path, writer->path) != 0) {
        number = errno;
        operation = "rename";
    }
    acp_result result = ACP_OK;
    if (number != 0) {
        result = fail_io(error, operation, writer->path, number);
        (void)unlink(writer->temporary_path);
    } else
        flush_folder(writer->path);
    acp_file_writer_free_names(writer);
    return result;
}

#else
typedef int acp_file_posix_is_elsewhere;
#endif
