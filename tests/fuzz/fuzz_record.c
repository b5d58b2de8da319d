/* SPDX-License-Identifier: MIT */
/* Fuzz target: records of every kind. The first byte names the kind (modulo the number of kinds) and, by its highest bit, the strict mode.
 * Whatever decodes must encode to the same bytes, also after a way through JSON, and be taken or refused by the asset floor. Nothing may
 * crash, leak, or read outside the given bytes; memory stays a small multiple of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "asset/from_record.h"
#include "support/record_json.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition) {
    if (!condition) abort();
}

static void encode_equals(const acp_record *record, const uint8_t *bytes, size_t size) {
    acp_writer writer;
    acp_error error;
    acp_writer_init(&writer, NULL);
    expect(acp_record_encode(record, &writer, &error) == ACP_OK);
    expect(writer.size == size && memcmp(writer.bytes, bytes, size) == 0);
    acp_writer_free(&writer);
}

static void through_json(const acp_record *record, const uint8_t *bytes, size_t size) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_error error;
    acp_record copy;
    expect(acp_record_write_json(record, NULL, &writer) == ACP_OK);
    const acp_json *json = acp_json_read(&reader, writer.text, writer.length, &fault);
    expect(json != NULL);
    expect(acp_record_read_json(json, &reader, NULL, &copy, &error) == ACP_OK);
    encode_equals(&copy, bytes, size);
    acp_record_free(&copy);
    acp_json_reader_free(&reader);
    acp_json_writer_free(&writer);
}

static void flatten(const acp_record *record, acp_content_mode mode) {
    acp_error error;
    if (record->kind == ACP_RECORD_GFXOBJ) {
        acp_shape *shape = NULL;
        if (acp_shape_from_record(record->content.gfxobj, false, mode, NULL, &shape, &error) == ACP_OK) acp_shape_destroy(shape);
    }
    if (record->kind == ACP_RECORD_ENVIRONMENT)
        for (uint32_t i = 0; i < record->content.environment->cell_count; i++) {
            acp_cell_structure *structure = NULL;
            if (acp_cell_structure_from_record(&record->content.environment->cells[i], mode, NULL, &structure, &error) == ACP_OK)
                acp_cell_structure_destroy(structure);
        }
    if (record->kind == ACP_RECORD_SETUP) {
        static const acp_shape *const none[4096];
        acp_setup *setup = NULL;
        if (acp_setup_from_record(record->content.setup, none, NULL, &setup, &error) == ACP_OK) acp_setup_destroy(setup);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > 65536) return 0;
    acp_record_kind kind = (acp_record_kind)(1u + (data[0] & 0x7Fu) % (ACP_RECORD_KIND_COUNT - 1u));
    acp_content_mode mode = data[0] & 0x80u ? ACP_CONTENT_STRICT : ACP_CONTENT_LENIENT;
    uint8_t *copy = fuzz_copy(data + 1, size - 1);
    if (copy == NULL) return 0;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_record_decode_options options = {mode, NULL, NULL, 1};
    acp_record record;
    acp_error error;
    acp_result result = acp_record_decode(kind, copy, (uint32_t)(size - 1), &options, &allocator, &record, &error);
    expect(counting.counters.bytes_peak <= 65536u + 64u * size);
    if (result == ACP_OK) {
        encode_equals(&record, copy, size - 1);
        through_json(&record, copy, size - 1);
        flatten(&record, mode);
    } else
        expect(error.code == result);
    acp_record_free(&record);
    expect(counting.counters.allocations_in_use == 0);
    free(copy);
    return 0;
}
