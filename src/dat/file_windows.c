/* SPDX-License-Identifier: MIT */
/* Files on Windows: the contract of file.h with the system's own calls (mapping, FlushFileBuffers, MoveFileEx with replacement).
 *
 * Paths arrive as UTF-8 and are widened for the calls. A mapped file cannot be shortened or replaced by others while it is open, which
 * the system enforces. Errors carry GetLastError's number. Writing: a new file beside the target, every write checked, flushed,
 * renamed over the target; any failure removes it.
 *
 * Limits: paths up to 32,767 UTF-16 units. Cost: the system's. */
#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "dat/file.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static acp_result fail_io(acp_error *error, const char *operation, const char *path, DWORD number) {
    acp_error_set(error, ACP_ERROR_IO, operation, "system error %lu", (unsigned long)number);
    acp_error_set_system(error, (int)number);
    acp_error_set_file(error, path);
    return ACP_ERROR_IO;
}

static acp_result fail_memory(acp_error *error, const char *operation, const char *path) {
    acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "memory refused");
    acp_error_set_file(error, path);
    return ACP_ERROR_OUT_OF_MEMORY;
}

static wchar_t *widen(const acp_allocator *allocator, const char *text, size_t *out_size) {
    int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (units <= 0) return NULL;
    *out_size = (size_t)units * sizeof(wchar_t);
    wchar_t *wide = acp_memory_allocate(allocator, *out_size, _Alignof(wchar_t));
    if (wide) (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, units);
    return wide;
}

static HANDLE open_file(const acp_allocator *allocator, const char *path, DWORD access, DWORD share, DWORD disposition) {
    size_t size = 0;
    wchar_t *wide = widen(allocator, path, &size);
    if (!wide) {
        SetLastError(ERROR_INVALID_NAME);
        return INVALID_HANDLE_VALUE;
    }
    HANDLE handle = CreateFileW(wide, access, share, NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    acp_memory_free(allocator, wide, size, _Alignof(wchar_t));
    return handle;
}

static acp_result read_whole(HANDLE handle, const char *path, acp_file_view *view, acp_error *error) {
    uint8_t *bytes = acp_memory_allocate(&view->allocator, (size_t)view->size, 16);
    if (!bytes) return fail_memory(error, "open", path);
    view->bytes = bytes;
    uint64_t done = 0;
    while (done < view->size) {
        DWORD part = view->size - done > (1u << 30) ? 1u << 30 : (DWORD)(view->size - done), got = 0;
        if (!ReadFile(handle, bytes + done, part, &got, NULL) || got == 0) {
            acp_result result = fail_io(error, "read", path, GetLastError());
            acp_file_view_free_copy(view);
            return result;
        }
        done += got;
    }
    return ACP_OK;
}

static acp_result map_whole(HANDLE handle, const char *path, acp_file_view *view, acp_error *error) {
    view->mapping = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (view->mapping) view->bytes = MapViewOfFile(view->mapping, FILE_MAP_READ, 0, 0, 0);
    if (!view->bytes) {
        acp_result result = fail_io(error, "map", path, GetLastError());
        if (view->mapping) CloseHandle(view->mapping);
        return result;
    }
    view->is_mapped = true;
    return ACP_OK;
}

acp_result acp_file_view_open(const char *path, bool is_read_to_memory, const acp_allocator *allocator, acp_file_view *out_view,
                              acp_error *error) {
    acp_file_view view;
    memset(&view, 0, sizeof view);
    view.allocator = acp_memory_allocator(allocator);
    HANDLE handle = open_file(&view.allocator, path, GENERIC_READ, FILE_SHARE_READ, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE) return fail_io(error, "open", path, GetLastError());
    acp_result result = ACP_OK;
    LARGE_INTEGER size;
    size.QuadPart = 0;
    if (!GetFileSizeEx(handle, &size))
        result = fail_io(error, "open", path, GetLastError());
    else if ((uint64_t)size.QuadPart > SIZE_MAX)
        result = fail_io(error, "open", path, ERROR_FILE_TOO_LARGE);
    if (result == ACP_OK && size.QuadPart > 0) {
        view.size = (uint64_t)size.QuadPart;
        result = is_read_to_memory ? read_whole(handle, path, &view, error) : map_whole(handle, path, &view, error);
    }
    view.is_open = result == ACP_OK && view.is_mapped;
    view.handle = handle;
    if (!view.is_open) CloseHandle(handle);
    if (result == ACP_OK) *out_view = view;
    return result;
}

bool acp_file_view_read(const acp_file_view *view, uint64_t offset, void *out, uint32_t size) {
    OVERLAPPED place = {0};
    DWORD got = 0;
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return view->is_open && ReadFile(view->handle, out, size, &got, &place) && got == size;
}

void acp_file_view_end_reading(acp_file_view *view) {
    if (view->is_open) CloseHandle(view->handle);
    view->is_open = false;
}

void acp_file_view_close(acp_file_view *view) {
    acp_file_view_end_reading(view);
    if (view->bytes && view->is_mapped) {
        UnmapViewOfFile(view->bytes);
        CloseHandle(view->mapping);
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
    if (!acp_file_writer_set_names(&writer, path, temporary_path, GetCurrentProcessId())) return fail_memory(error, "create", path);
    writer.handle = open_file(&writer.allocator, writer.temporary_path, GENERIC_WRITE, 0, CREATE_ALWAYS);
    if (writer.handle == INVALID_HANDLE_VALUE) {
        acp_result result = fail_io(error, "create", writer.temporary_path, GetLastError());
        acp_file_writer_free_names(&writer);
        return result;
    }
    writer.is_open = true;
    *out_writer = writer;
    return ACP_OK;
}

static void remove_temporary(acp_file_writer *writer) {
    size_t size = 0;
    wchar_t *wide = widen(&writer->allocator, writer->temporary_path, &size);
    if (!wide) return;
    (void)DeleteFileW(wide);
    acp_memory_free(&writer->allocator, wide, size, _Alignof(wchar_t));
}

void acp_file_writer_discard(acp_file_writer *writer) {
    if (writer->is_open) {
        CloseHandle(writer->handle);
        remove_temporary(writer);
        writer->is_open = false;
    }
    acp_file_writer_free_names(writer);
}

acp_result acp_file_writer_append(acp_file_writer *writer, const void *bytes, uint64_t size, acp_error *error) {
    const uint8_t *from = bytes;
    while (size > 0) {
        DWORD part = size > (1u << 30) ? 1u << 30 : (DWORD)size, put = 0;
        if (!WriteFile(writer->handle, from, part, &put, NULL) || put == 0) {
            acp_result result = fail_io(error, "write", writer->path, GetLastError());
            if (error) error->byte_offset = writer->written;
            acp_file_writer_discard(writer);
            return result;
        }
        from += put;
        size -= put;
        writer->written += put;
    }
    return ACP_OK;
}

acp_result acp_file_writer_finish(acp_file_writer *writer, acp_error *error) {
    acp_result result = ACP_OK;
    if (!FlushFileBuffers(writer->handle)) result = fail_io(error, "flush", writer->path, GetLastError());
    CloseHandle(writer->handle);
    writer->is_open = false;
    size_t from_size = 0, to_size = 0;
    wchar_t *from = widen(&writer->allocator, writer->temporary_path, &from_size);
    wchar_t *to = widen(&writer->allocator, writer->path, &to_size);
    if (result == ACP_OK && (!from || !to)) result = fail_memory(error, "rename", writer->path);
    if (result == ACP_OK && !MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        result = fail_io(error, "rename", writer->path, GetLastError());
    acp_memory_free(&writer->allocator, from, from_size, _Alignof(wchar_t));
    acp_memory_free(&writer->allocator, to, to_size, _Alignof(wchar_t));
    if (result != ACP_OK) remove_temporary(writer);
    acp_file_writer_free_names(writer);
    return result;
}

#else
typedef int acp_file_windows_is_elsewhere;
#endif
