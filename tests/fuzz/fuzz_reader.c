/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bounded reader and the writer. The input is a list of commands (its first byte says how many) and the bytes they read,
 * copied to an exact allocation so that one byte too many is seen. Whatever happens: the offset stays inside, a failure sticks and moves
 * nothing, its place lies inside the bytes, a part stays inside the whole; and what was read without jumps, written again, gives the same
 * bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/writer.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int holds) {
    if (!holds) abort();
}

static void check(const acp_reader *reader, size_t offset_before, acp_result result_before) {
    demand(reader->offset <= reader->size);
    demand(result_before == ACP_OK || (reader->result == result_before && reader->offset == offset_before));
    if (reader->result != ACP_OK) {
        demand(reader->error_offset <= reader->origin + reader->size && reader->error_field != NULL);
        demand(acp_reader_remaining(reader) == 0);
        acp_error error;
        demand(acp_reader_error(reader, &error, "fuzz", 1) == reader->result && error.byte_offset == reader->error_offset);
    }
}

/* Reads one field and writes it again; false when the command jumps. */
static int read_and_write(acp_reader *reader, acp_writer *writer, uint8_t kind, uint8_t argument) {
    switch (kind) {
    case 0:
        acp_writer_u8(writer, acp_reader_u8(reader, "u8"));
        break;
    case 1:
        acp_writer_u16(writer, acp_reader_u16(reader, "u16"));
        break;
    case 2:
        acp_writer_u32(writer, acp_reader_u32(reader, "u32"));
        break;
    case 3:
        acp_writer_u64(writer, acp_reader_u64(reader, "u64"));
        break;
    case 4:
        acp_writer_i8(writer, acp_reader_i8(reader, "i8"));
        break;
    case 5:
        acp_writer_i16(writer, acp_reader_i16(reader, "i16"));
        break;
    case 6:
        acp_writer_i32(writer, acp_reader_i32(reader, "i32"));
        break;
    case 7:
        acp_writer_f32(writer, acp_reader_f32(reader, "f32"));
        break;
    case 8:
        acp_writer_f64(writer, acp_reader_f64(reader, "f64"));
        break;
    case 9: {
        const uint8_t *bytes = acp_reader_bytes(reader, argument, "bytes");
        if (bytes != NULL) acp_writer_bytes(writer, bytes, argument);
        break;
    }
    default:
        return 0;
    }
    return 1;
}

static void jump(acp_reader *reader, uint8_t kind, uint8_t argument) {
    switch (kind) {
    case 10:
        acp_reader_skip(reader, (size_t)argument << (argument & 63u), "skip");
        break;
    case 11:
        acp_reader_align4(reader, "align");
        break;
    case 12:
        acp_reader_seek(reader, argument, "seek");
        break;
    case 13:
        if (acp_reader_can_hold(reader, acp_reader_u32(reader, "count"), (size_t)argument + 1, "items")) demand(reader->result == ACP_OK);
        break;
    case 14: {
        size_t before = acp_reader_remaining(reader);
        acp_reader part = acp_reader_take(reader, argument, "part");
        demand(part.size <= before && part.origin <= reader->origin + reader->size);
        for (int i = 0; i < 70; i++)
            (void)acp_reader_u32(&part, "item");
        demand(part.result != ACP_OK && part.error_offset <= reader->origin + reader->size);
        break;
    }
    default:
        (void)acp_reader_fail(reader, ACP_ERROR_BAD_DATA, "judged");
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t commands = data[0] % 64u, first = 1 + 2 * commands;
    if (first > size) return 0;
    size_t length = size - first;
    uint8_t *copy = fuzz_copy(data + first, length);
    if (copy == NULL) return 0;
    acp_reader reader = acp_reader_make(copy, length);
    reader.origin = 1000;
    acp_writer writer;
    acp_writer_init(&writer, NULL);
    int is_straight = 1;
    for (size_t i = 0; i < commands; i++) {
        uint8_t kind = data[1 + 2 * i] % 16u, argument = data[2 + 2 * i];
        size_t offset = reader.offset;
        acp_result result = reader.result;
        if (!read_and_write(&reader, &writer, kind, argument)) {
            jump(&reader, kind, argument);
            is_straight = 0;
        }
        check(&reader, offset, result);
        if (is_straight && reader.result == ACP_OK)
            demand(writer.size == reader.offset && (writer.size == 0 || memcmp(writer.bytes, copy, writer.size) == 0));
    }
    acp_writer_free(&writer);
    free(copy);
    return 0;
}
