/* SPDX-License-Identifier: MIT */
/* Results and error detail: names of the codes, filling and printing an acp_error.
 *
 * Contract: an acp_error is plain data of the caller; a null one is accepted everywhere and only the code is returned.
 * Limits: the fixed fields of acp_error; texts that do not fit are shortened (paths at the front, where they matter least).
 * Cost: nothing here allocates; one formatted print per error, none on success. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void acp_error_clear(acp_error *error) {
    memset(error, 0, sizeof *error);
    error->byte_offset = UINT64_MAX;
}

const char *acp_result_name(acp_result result) {
    switch (result) {
    case ACP_OK:
        return "ok";
    case ACP_ERROR_INVALID_ARGUMENT:
        return "invalid_argument";
    case ACP_ERROR_NOT_FINITE:
        return "not_finite";
    case ACP_ERROR_INVALID_ID:
        return "invalid_id";
    case ACP_ERROR_OUT_OF_RANGE:
        return "out_of_range";
    case ACP_ERROR_STALE_HANDLE:
        return "stale_handle";
    case ACP_ERROR_UNSUPPORTED:
        return "unsupported";
    case ACP_ERROR_OUTSIDE_MAP:
        return "outside_map";
    case ACP_ERROR_BAD_DATA:
        return "bad_data";
    case ACP_ERROR_TRUNCATED:
        return "truncated";
    case ACP_ERROR_LIMIT:
        return "limit";
    case ACP_ERROR_NOT_FOUND:
        return "not_found";
    case ACP_ERROR_DUPLICATE:
        return "duplicate";
    case ACP_ERROR_OUT_OF_MEMORY:
        return "out_of_memory";
    case ACP_ERROR_IO:
        return "io";
    case ACP_ERROR_CANCELLED:
        return "cancelled";
    case ACP_ERROR_INTERNAL:
        return "internal";
    default:
        return "unknown";
    }
}

/* Copies text, keeping its end when it does not fit. */
static void copy_tail(char *out, size_t capacity, const char *text) {
    size_t length = strlen(text);
    if (length < capacity) {
        memcpy(out, text, length + 1);
        return;
    }
    memcpy(out, "...", 3);
    memcpy(out + 3, text + (length - (capacity - 4)), capacity - 3);
}

acp_result acp_error_set(acp_error *error, acp_result code, const char *operation, const char *format, ...) {
    if (!error) return code;
    acp_error_clear(error);
    error->code = code;
    copy_tail(error->operation, sizeof error->operation, operation);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}

void acp_error_set_file(acp_error *error, const char *file) {
    if (error && file) copy_tail(error->file, sizeof error->file, file);
}

void acp_error_set_place(acp_error *error, uint32_t record_id, uint64_t byte_offset, const char *field) {
    if (!error) return;
    error->record_id = record_id;
    error->byte_offset = byte_offset;
    if (field) copy_tail(error->field, sizeof error->field, field);
}

void acp_error_set_system(acp_error *error, int system_error) {
    if (error) error->system_error = (int32_t)system_error;
}

uint32_t acp_error_format(const acp_error *error, char *out, uint32_t capacity) {
    char place[160];
    size_t used = 0;
    place[0] = '\0';
    if (error->record_id) used += (size_t)snprintf(place + used, sizeof place - used, "record 0x%08X", (unsigned)error->record_id);
    if (error->byte_offset != UINT64_MAX)
        used +=
            (size_t)snprintf(place + used, sizeof place - used, "%soffset %llu", used ? ", " : "", (unsigned long long)error->byte_offset);
    if (error->field[0]) (void)snprintf(place + used, sizeof place - used, "%sfield %s", used ? ", " : "", error->field);
    int length = snprintf(out, capacity, "%s%s%s%s%s%s%s%s", error->file, error->file[0] ? ": " : "", error->operation,
                          error->operation[0] ? ": " : "", error->message, place[0] ? " (" : "", place, place[0] ? ")" : "");
    return length < 0 ? 0 : (uint32_t)length;
}
