/* SPDX-License-Identifier: MIT */
/* Records as a whole: kinds, decoding, encoding, showing, filling (D16, spec 02 §11-21).
 *
 * The descriptions in record_*.c do the fields; here is what surrounds them: the content's memory, the bytes behind a record's end (up to
 * three of padding pass in silence, more are told), the error with record, offset and field. A decoded record owns an arena and refers to
 * nothing else. Encoding a decoded record gives its bytes again.
 *
 * Contract: after a failure everything is given back. Limits: DAT-70. Memory: the lists, at most about six times the record's bytes, and
 * the arena's blocks. Cost: microseconds. */
#include "dat/record.h"

#include <stddef.h>
#include <string.h>

#include "acphys/dat.h"
#include "base/error.h"
#include "dat/codec.h"
#include "dat/record_region.h"

static const struct {
    const char *name;
    size_t size;
    acp_codec_description description;
} kinds[ACP_RECORD_KIND_COUNT] = {
    {"other", 0, NULL},
    {"gfxobj", sizeof(acp_record_gfxobj), acp_codec_gfxobj},
    {"setup", sizeof(acp_record_setup), acp_codec_setup},
    {"animation", sizeof(acp_record_animation), acp_codec_animation},
    {"motiontable", sizeof(acp_record_motion_table), acp_codec_motion_table},
    {"environment", sizeof(acp_record_environment), acp_codec_environment},
    {"degradeinfo", sizeof(acp_record_degrade_info), acp_codec_degrade_info},
    {"scene", sizeof(acp_record_scene), acp_codec_scene},
    {"region", sizeof(acp_record_region), acp_codec_region},
    {"landblock", sizeof(acp_land_block), acp_codec_land_block},
    {"landblockinfo", sizeof(acp_record_land_block_info), acp_codec_land_block_info},
    {"envcell", sizeof(acp_record_env_cell), acp_codec_env_cell},
};

acp_record_kind acp_record_kind_of(uint32_t data_set, uint32_t id) {
    if (data_set == ACP_DAT_CELL) {
        uint32_t low = id & 0xFFFFu;
        if (low == 0xFFFFu) return ACP_RECORD_LAND_BLOCK;
        if (low == 0xFFFEu) return ACP_RECORD_LAND_BLOCK_INFO;
        return low >= 0x100u && low <= 0xFFFDu && id != ACP_DAT_ITERATION_ID ? ACP_RECORD_ENV_CELL : ACP_RECORD_OTHER;
    }
    if (data_set != ACP_DAT_PORTAL || (id & 0x00FF0000u) != 0) return ACP_RECORD_OTHER;
    switch (id >> 24) {
    case 0x01:
        return ACP_RECORD_GFXOBJ;
    case 0x02:
        return ACP_RECORD_SETUP;
    case 0x03:
        return ACP_RECORD_ANIMATION;
    case 0x09:
        return ACP_RECORD_MOTION_TABLE;
    case 0x0D:
        return ACP_RECORD_ENVIRONMENT;
    case 0x11:
        return ACP_RECORD_DEGRADE_INFO;
    case 0x12:
        return ACP_RECORD_SCENE;
    case 0x13:
        return id == 0x13000000u ? ACP_RECORD_REGION : ACP_RECORD_OTHER;
    default:
        return ACP_RECORD_OTHER;
    }
}

const char *acp_record_kind_name(acp_record_kind kind) { return (uint32_t)kind < ACP_RECORD_KIND_COUNT ? kinds[kind].name : "other"; }

static bool is_decodable(acp_record_kind kind) { return kind > ACP_RECORD_OTHER && kind < ACP_RECORD_KIND_COUNT; }

/* An empty record of the kind, its content zeroed in its arena. */
static acp_result begin(acp_record_kind kind, size_t hint, const acp_allocator *allocator, acp_record *out_record) {
    memset(out_record, 0, sizeof *out_record);
    out_record->kind = kind;
    size_t block = hint * 4u + kinds[kind].size;
    acp_arena_init(&out_record->arena, allocator, block < 4096u ? 4096u : block > 262144u ? 262144u : block, UINT64_MAX);
    out_record->content.any = acp_arena_allocate_zero(&out_record->arena, 1, kinds[kind].size, 8);
    return out_record->content.any ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
}

/* The codec's outcome as a result and an error. */
static acp_result conclude(acp_codec *c, const char *operation, uint32_t record_id, acp_error *error) {
    if (c->result != ACP_OK) {
        acp_error_set(error, c->result, operation, "%s", c->message ? c->message : acp_result_name(c->result));
        acp_error_set_place(error, record_id, c->fault_offset, c->field);
        return c->result;
    }
    return acp_reader_error(&c->reader, error, operation, record_id);
}

/* What follows the record's end. */
static void take_trailing(acp_codec *c) {
    uint32_t size = (uint32_t)acp_reader_remaining(&c->reader);
    if (!acp_codec_is_ok(c) || size == 0) return;
    if (size > 3) acp_codec_note(c, ACP_REMARK_TRAILING, "size", "bytes behind the record's end");
    const uint8_t *bytes = acp_reader_bytes(&c->reader, size, "trailing");
    c->record->trailing = acp_arena_copy(&c->record->arena, bytes, size, 1);
    if (!c->record->trailing) acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, "record", "memory for the record refused");
    c->record->trailing_size = size;
}

static void take_oddities(acp_codec *c) {
    if (c->oddities.count > 0 && acp_codec_is_ok(c)) {
        acp_codec_note(c, ACP_REMARK_FORM, "padding", "padding that is not zero, or a number in a longer form than it needs");
        c->record->oddities = acp_arena_copy(&c->record->arena, c->oddities.items, c->oddities.count * sizeof c->oddities.items[0], 4);
        if (!c->record->oddities) acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, "record", "memory for the record refused");
        c->record->oddity_count = c->oddities.count;
    }
    ACP_ARRAY_FREE(&c->oddities, &c->record->arena.allocator);
}

static acp_result decode(acp_record_kind kind, const uint8_t *bytes, uint32_t size, const acp_record_decode_options *options,
                         const acp_record_observer *observer, const acp_allocator *allocator, acp_record *out_record, acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    uint32_t id = options ? options->record_id : 0;
    if (!is_decodable(kind)) {
        acp_error_set(error, ACP_ERROR_UNSUPPORTED, "record decode", "records of this kind are not decoded");
        acp_error_set_place(error, id, UINT64_MAX, NULL);
        return ACP_ERROR_UNSUPPORTED;
    }
    acp_codec c;
    memset(&c, 0, sizeof c);
    c.direction = ACP_CODEC_READ;
    c.record = out_record;
    c.reader = acp_reader_make(bytes, size);
    c.observer = observer;
    if (options) c.options = *options;
    c.result = begin(kind, size, allocator, out_record);
    if (c.result == ACP_OK) kinds[kind].description(&c, out_record->content.any);
    take_trailing(&c);
    take_oddities(&c);
    acp_result result = conclude(&c, "record decode", id, error);
    if (result) acp_record_free(out_record);
    return result;
}

acp_result acp_record_decode(acp_record_kind kind, const uint8_t *bytes, uint32_t size, const acp_record_decode_options *options,
                             const acp_allocator *allocator, acp_record *out_record, acp_error *error) {
    return decode(kind, bytes, size, options, NULL, allocator, out_record, error);
}

acp_result acp_record_observe(acp_record_kind kind, const uint8_t *bytes, uint32_t size, const acp_record_decode_options *options,
                              const acp_record_observer *observer, const acp_allocator *allocator, acp_error *error) {
    acp_record record;
    acp_result result = decode(kind, bytes, size, options, observer, allocator, &record, error);
    acp_record_free(&record);
    return result;
}

acp_result acp_record_encode(const acp_record *record, acp_writer *writer, acp_error *error) {
    if (!is_decodable(record->kind)) return acp_error_set(error, ACP_ERROR_UNSUPPORTED, "record encode", "no record");
    acp_record copy = *record; /* the codec takes it as changeable; writing changes nothing */
    acp_codec c;
    memset(&c, 0, sizeof c);
    c.direction = ACP_CODEC_WRITE;
    c.record = &copy;
    c.writer = writer;
    c.start = writer->size;
    kinds[record->kind].description(&c, record->content.any);
    acp_writer_bytes(writer, record->trailing, record->trailing_size);
    if (c.result == ACP_OK && !acp_writer_is_ok(writer)) {
        c.result = writer->result;
        c.message = "memory for the record's bytes refused";
        c.fault_offset = UINT64_MAX;
    }
    return conclude(&c, "record encode", 0, error);
}

void acp_record_free(acp_record *record) {
    if (record->kind != ACP_RECORD_OTHER) acp_arena_free(&record->arena);
    memset(record, 0, sizeof *record);
}

/* Oddities and trailing bytes, so that another form of the record can keep them too. */
static void visit_rest(acp_codec *c) {
    acp_record *record = c->record;
    uint32_t count = record->oddity_count;
    if (c->direction == ACP_CODEC_SHOW && count == 0 && record->trailing_size == 0) return;
    acp_codec_list(c, "oddities", ACP_COUNT_U32, &count, UINT32_MAX, &record->oddities, sizeof *record->oddities, 0);
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++) {
        acp_record_oddity *oddity = &record->oddities[i];
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "offset", &oddity->offset);
        acp_codec_u8(c, "is_form", &oddity->is_form);
        acp_codec_u8(c, "size", &oddity->size);
        if (oddity->size > sizeof oddity->bytes) acp_codec_fail(c, ACP_ERROR_BAD_DATA, "oddities", "an oddity has at most six bytes");
        c->visitor->values(c->visitor->user, ACP_FIELD_U8, "bytes", oddity->bytes, sizeof oddity->bytes);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    record->oddity_count = count;
    acp_codec_raw(c, "trailing", &record->trailing_size, &record->trailing);
}

acp_result acp_record_show(const acp_record *record, const acp_record_visitor *visitor) {
    if (!is_decodable(record->kind)) return ACP_ERROR_UNSUPPORTED;
    acp_record copy = *record;
    acp_codec c;
    memset(&c, 0, sizeof c);
    c.direction = ACP_CODEC_SHOW;
    c.record = &copy;
    c.visitor = visitor;
    kinds[record->kind].description(&c, record->content.any);
    visit_rest(&c);
    return c.result;
}

acp_result acp_record_fill(acp_record_kind kind, const acp_record_visitor *visitor, const acp_allocator *allocator, acp_record *out_record,
                           acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    if (!is_decodable(kind)) return acp_error_set(error, ACP_ERROR_UNSUPPORTED, "record fill", "records of this kind are not decoded");
    acp_codec c;
    memset(&c, 0, sizeof c);
    c.direction = ACP_CODEC_FILL;
    c.record = out_record;
    c.visitor = visitor;
    c.result = begin(kind, 4096, allocator, out_record);
    if (c.result == ACP_OK) kinds[kind].description(&c, out_record->content.any);
    if (c.result == ACP_OK) visit_rest(&c);
    acp_result result = conclude(&c, "record fill", 0, error);
    if (result) acp_record_free(out_record);
    return result;
}
