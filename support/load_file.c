/* SPDX-License-Identifier: MIT */
/* Whole files, plain or gzipped.
 *
 * zlib's stream reader passes plain files through, so one path serves both. The buffer doubles as it fills; the limit is on unpacked bytes,
 * so a small hostile archive cannot fill the memory. The end of a gzip stream is checked: what is cut off or fails its checksum is an
 * error, never a shorter file. Nothing is left open or allocated on an error. */
#include "support/load_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

static acp_result failed(acp_error *error, const char *path, acp_result code, const char *message, int system_error) {
    acp_error_set(error, code, "read", "%s", message);
    acp_error_set_file(error, path);
    acp_error_set_system(error, system_error);
    return code;
}

/* The result that fits zlib's complaint. */
static acp_result stream_failure(gzFile stream, const char *path, acp_error *error) {
    int code = Z_OK;
    const char *message = gzerror(stream, &code);
    int system_error = errno;
    if (code == Z_ERRNO) return failed(error, path, ACP_ERROR_IO, strerror(system_error), system_error);
    if (code == Z_BUF_ERROR) return failed(error, path, ACP_ERROR_TRUNCATED, "the compressed stream ends early", 0);
    if (code == Z_MEM_ERROR) return failed(error, path, ACP_ERROR_OUT_OF_MEMORY, "out of memory", 0);
    return failed(error, path, ACP_ERROR_BAD_DATA, message, 0);
}

static acp_result read_all(gzFile stream, const char *path, size_t byte_limit, char **out_bytes, size_t *out_size, acp_error *error) {
    size_t capacity = 1u << 16, size = 0;
    char *bytes = malloc(capacity);
    if (!bytes) return failed(error, path, ACP_ERROR_OUT_OF_MEMORY, "out of memory", 0);
    for (;;) {
        size_t room = capacity - size - 1;
        int got = gzread(stream, bytes + size, room > (1u << 30) ? 1u << 30 : (unsigned)room);
        if (got < 0) {
            free(bytes);
            return stream_failure(stream, path, error);
        }
        if (got == 0) break;
        size += (size_t)got;
        if (size > byte_limit) {
            free(bytes);
            return failed(error, path, ACP_ERROR_LIMIT, "the file is larger than this command reads", 0);
        }
        if (size + 1 < capacity) continue;
        char *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(bytes, capacity * 2);
        if (!larger) {
            free(bytes);
            return failed(error, path, ACP_ERROR_OUT_OF_MEMORY, "out of memory", 0);
        }
        bytes = larger;
        capacity *= 2;
    }
    bytes[size] = '\0';
    *out_bytes = bytes;
    *out_size = size;
    return ACP_OK;
}

acp_result acp_load_file(const char *path, size_t byte_limit, char **out_bytes, size_t *out_size, acp_error *error) {
    bool is_input = strcmp(path, "-") == 0;
    int descriptor = is_input ? dup(0) : -1;
    errno = 0;
    gzFile stream = is_input ? (descriptor < 0 ? NULL : gzdopen(descriptor, "rb")) : gzopen(path, "rb");
    if (!stream) {
        int system_error = errno != 0 ? errno : ENOMEM;
        if (descriptor >= 0) (void)close(descriptor);
        return failed(error, path, ACP_ERROR_IO, strerror(system_error), system_error);
    }
    acp_result result = read_all(stream, path, byte_limit, out_bytes, out_size, error);
    int closed = gzclose_r(stream);
    if (result == ACP_OK && closed == Z_BUF_ERROR) {
        free(*out_bytes);
        *out_bytes = NULL;
        return failed(error, path, ACP_ERROR_TRUNCATED, "the compressed stream ends early", 0);
    }
    return result;
}
