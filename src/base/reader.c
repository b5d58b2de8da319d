/* SPDX-License-Identifier: MIT */
/* The bounded reader's slower half: failing, seeking, dividing. The fields themselves are read in reader.h.
 *
 * Contract: nothing outside [bytes, bytes + size) is ever touched, whatever the numbers in the data say; the first failure sticks with
 * its offset and field and later calls do not replace it. Offsets in errors are `origin` plus the offset inside, so that a reader over
 * one part of a file still names places of the file.
 *
 * Limits: sizes are size_t; field names are static strings; one thread at a time. Numbers are little-endian on every host. */
#include "base/reader.h"

#include "base/error.h"

acp_result acp_reader_fail_at(acp_reader *reader, size_t offset, acp_result result, const char *field) {
    if (reader->result != ACP_OK) return reader->result;
    reader->result = result;
    reader->error_offset = reader->origin + offset;
    reader->error_field = field;
    return result;
}

acp_result acp_reader_fail(acp_reader *reader, acp_result result, const char *field) {
    return acp_reader_fail_at(reader, reader->offset, result, field);
}

acp_result acp_reader_error(const acp_reader *reader, acp_error *error, const char *operation, uint32_t record_id) {
    if (reader->result == ACP_OK) return ACP_OK;
    const char *message = "the content is malformed";
    if (reader->result == ACP_ERROR_TRUNCATED) message = "the content ends before the field does";
    if (reader->result == ACP_ERROR_LIMIT) message = "a stated limit is exceeded";
    acp_error_set(error, reader->result, operation, "%s", message);
    acp_error_set_place(error, record_id, reader->error_offset, reader->error_field);
    return reader->result;
}

void acp_reader_seek(acp_reader *reader, size_t offset, const char *field) {
    if (reader->result != ACP_OK) return;
    if (offset > reader->size) {
        (void)acp_reader_fail(reader, ACP_ERROR_TRUNCATED, field);
        return;
    }
    reader->offset = offset;
}

bool acp_reader_can_hold(acp_reader *reader, uint64_t count, size_t min_item_size, const char *field) {
    if (reader->result != ACP_OK) return false;
    if (min_item_size != 0 && count > (reader->size - reader->offset) / min_item_size) {
        (void)acp_reader_fail(reader, ACP_ERROR_TRUNCATED, field);
        return false;
    }
    return true;
}

acp_reader acp_reader_take(acp_reader *reader, size_t size, const char *field) {
    size_t start = reader->offset;
    const uint8_t *bytes = acp_reader_bytes(reader, size, field);
    acp_reader part = acp_reader_make(bytes, bytes ? size : 0);
    part.origin = reader->origin + start;
    part.result = reader->result;
    part.error_offset = reader->error_offset;
    part.error_field = reader->error_field;
    return part;
}
