/* SPDX-License-Identifier: MIT */
/* The four directions of a record's description: bytes in, bytes out, shown to a visitor, filled by one (spec 02 §8, §21).
 *
 * Reading believes no count: before memory is given, the count must fit the bytes that are left at the least size of an item, and the caps
 * of DAT-70. Memory comes from the record's arena, so a refused record gives everything back at once. Writing is the same description with
 * the pointers read; what a writer of its own would write differently (pads that are not zero, longer forms of packed numbers) was noted on
 * reading with its offset and is put back.
 *
 * Contract: the first fault sticks, with the offset and the field; afterwards all counts are 0 and nothing moves. No recursion. Cost: about
 * 5 ns a field.
 *
 * Sources: DAT-32, DAT-35 to DAT-39, DAT-69, DAT-70, DAT-72. */
#include "dat/codec.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dat/format.h"
#include "math/frame.h"

uint32_t acp_codec_offset(const acp_codec *c) {
    if (c->direction == ACP_CODEC_READ) return (uint32_t)c->reader.offset;
    if (c->direction == ACP_CODEC_WRITE) return (uint32_t)(c->writer->size - c->start);
    return 0;
}

void acp_codec_fail(acp_codec *c, acp_result code, const char *field, const char *message) {
    if (!acp_codec_is_ok(c)) return;
    c->result = code;
    c->field = field;
    c->message = message;
    c->fault_offset = acp_codec_offset(c);
}

void acp_codec_note(acp_codec *c, uint32_t kind, const char *field, const char *message) {
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c) || (c->told & kind)) return;
    c->told |= kind;
    if (!c->options.on_remark) return;
    acp_error remark;
    acp_error_set(&remark, ACP_ERROR_BAD_DATA, "record decode", "%s", message);
    acp_error_set_place(&remark, c->options.record_id, acp_codec_offset(c), field);
    c->options.on_remark(c->options.user, &remark);
}

void acp_codec_remark(acp_codec *c, uint32_t kind, const char *field, const char *message) {
    if (!acp_codec_is_reading(c)) return;
    if (c->options.mode == ACP_CONTENT_STRICT)
        acp_codec_fail(c, ACP_ERROR_BAD_DATA, field, message);
    else
        acp_codec_note(c, kind, field, message);
}

static const uint8_t field_sizes[] = {1, 2, 4, 4, 4, 2, 4, 4, 8};

static void read_value(acp_reader *reader, acp_field field, const char *name, void *value) {
    const uint8_t *at = acp_reader_bytes(reader, field_sizes[field], name);
    uint64_t bits = 0;
    for (uint32_t i = 0; at && i < field_sizes[field]; i++)
        bits |= (uint64_t)at[i] << (8u * i);
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    switch (field_sizes[field]) {
    case 1:
        memcpy(value, &byte, 1);
        break;
    case 2:
        memcpy(value, &half, 2);
        break;
    case 4:
        memcpy(value, &word, 4);
        break;
    default:
        memcpy(value, &bits, 8);
        break;
    }
}

static void write_value(acp_writer *writer, acp_field field, const void *value) {
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t bits;
    switch (field_sizes[field]) {
    case 1:
        acp_writer_u8(writer, (memcpy(&byte, value, 1), byte));
        break;
    case 2:
        acp_writer_u16(writer, (memcpy(&half, value, 2), half));
        break;
    case 4:
        acp_writer_u32(writer, (memcpy(&word, value, 4), word));
        break;
    default:
        acp_writer_u64(writer, (memcpy(&bits, value, 8), bits));
        break;
    }
}

void acp_codec_value(acp_codec *c, acp_field field, const char *name, void *value) {
    if (!acp_codec_is_ok(c) && acp_codec_is_reading(c)) {
        memset(value, 0, field_sizes[field]);
        return;
    }
    switch (c->direction) {
    case ACP_CODEC_READ: {
        uint32_t offset = c->observer ? acp_codec_offset(c) : 0;
        read_value(&c->reader, field, name, value);
        if (c->observer && acp_codec_is_ok(c)) c->observer->on_value(c->observer->user, field, name, value, offset);
        break;
    }
    case ACP_CODEC_WRITE:
        write_value(c->writer, field, value);
        break;
    case ACP_CODEC_SHOW:
    case ACP_CODEC_FILL:
        c->visitor->value(c->visitor->user, field, name, value);
        break;
    }
}

static void check_finite(acp_codec *c, const char *name, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++)
        if (!isfinite(values[i])) acp_codec_fail(c, ACP_ERROR_NOT_FINITE, name, "a number that is not finite");
}

/* Floats in a row that belong together: one list for a visitor. */
static void floats(acp_codec *c, const char *name, float *values, uint32_t count) {
    if (c->direction == ACP_CODEC_SHOW || c->direction == ACP_CODEC_FILL)
        c->visitor->values(c->visitor->user, ACP_FIELD_F32, name, values, count);
    else
        for (uint32_t i = 0; i < count; i++)
            acp_codec_value(c, ACP_FIELD_F32, name, &values[i]);
    if (c->direction != ACP_CODEC_SHOW) check_finite(c, name, values, count);
}

void acp_codec_finite(acp_codec *c, const char *name, float *v) {
    acp_codec_f32(c, name, v);
    if (c->direction != ACP_CODEC_SHOW) check_finite(c, name, v, 1);
}

void acp_codec_vec3(acp_codec *c, const char *name, acp_vec3 *v) {
    float values[3] = {v->x, v->y, v->z};
    floats(c, name, values, 3);
    *v = (acp_vec3){values[0], values[1], values[2]};
}

void acp_codec_plane(acp_codec *c, const char *name, acp_plane *plane) {
    float values[4] = {plane->normal.x, plane->normal.y, plane->normal.z, plane->d};
    floats(c, name, values, 4);
    *plane = (acp_plane){{values[0], values[1], values[2]}, values[3]};
}

void acp_codec_sphere(acp_codec *c, const char *name, acp_sphere *sphere) {
    float values[4] = {sphere->center.x, sphere->center.y, sphere->center.z, sphere->radius};
    floats(c, name, values, 4);
    *sphere = (acp_sphere){{values[0], values[1], values[2]}, values[3]};
}

void acp_codec_cylsphere(acp_codec *c, const char *name, acp_cylsphere *cylsphere) {
    float values[5] = {cylsphere->low_point.x, cylsphere->low_point.y, cylsphere->low_point.z, cylsphere->radius, cylsphere->height};
    floats(c, name, values, 5);
    *cylsphere = (acp_cylsphere){{values[0], values[1], values[2]}, values[3], values[4]};
}

void acp_codec_frame(acp_codec *c, const char *name, acp_frame *frame, bool is_checked) {
    acp_vec3 o = frame->origin;
    acp_quaternion q = frame->rotation;
    float values[7] = {o.x, o.y, o.z, q.w, q.x, q.y, q.z};
    floats(c, name, values, 7);
    frame->origin = (acp_vec3){values[0], values[1], values[2]};
    frame->rotation = (acp_quaternion){values[3], values[4], values[5], values[6]};
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c)) return;
    acp_matrix_frame checked = acp_matrix_frame_identity();
    checked.rotation = frame->rotation;
    checked.origin = frame->origin;
    if (acp_matrix_frame_is_valid(&checked)) return;
    if (is_checked)
        acp_codec_remark(c, ACP_REMARK_QUATERNION, name, "a quaternion that is not of unit length");
    else
        acp_codec_note(c, ACP_REMARK_QUATERNION, name, "a quaternion that is not of unit length");
}

/* ---- what a writer of its own would write otherwise ---- */

static void keep_oddity(acp_codec *c, uint32_t offset, bool is_form, uint32_t size, const uint8_t *bytes) {
    acp_record_oddity oddity;
    memset(&oddity, 0, sizeof oddity);
    oddity.offset = offset;
    oddity.is_form = is_form;
    oddity.size = (uint8_t)size;
    if (bytes) memcpy(oddity.bytes, bytes, size);
    if (ACP_ARRAY_PUSH(&c->oddities, &c->record->arena.allocator, oddity))
        acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, "record", "memory for the record refused");
}

/* The form kept for a number at the present offset; 0 = the shortest. */
static uint32_t kept_form(acp_codec *c) {
    const acp_record *record = c->record;
    uint32_t offset = acp_codec_offset(c);
    while (c->next_oddity < record->oddity_count && record->oddities[c->next_oddity].offset < offset)
        c->next_oddity++;
    if (c->next_oddity == record->oddity_count) return 0;
    const acp_record_oddity *oddity = &record->oddities[c->next_oddity];
    return oddity->offset == offset && oddity->is_form ? oddity->size : 0u;
}

/* `size` pad bytes, normally zero. */
static void pad(acp_codec *c, uint32_t size, const char *name) {
    if (size == 0 || !acp_codec_is_ok(c)) return;
    uint32_t offset = acp_codec_offset(c);
    if (c->direction == ACP_CODEC_READ) {
        const uint8_t *at = acp_reader_bytes(&c->reader, size, name);
        bool is_zero = true;
        for (uint32_t i = 0; at && i < size; i++)
            is_zero = is_zero && at[i] == 0;
        if (!is_zero) keep_oddity(c, offset, false, size, at);
    } else if (c->direction == ACP_CODEC_WRITE) {
        uint8_t bytes[4] = {0};
        const acp_record *record = c->record;
        while (c->next_oddity < record->oddity_count && record->oddities[c->next_oddity].offset < offset)
            c->next_oddity++;
        const acp_record_oddity *oddity = c->next_oddity < record->oddity_count ? &record->oddities[c->next_oddity] : NULL;
        if (oddity && oddity->offset == offset && !oddity->is_form && oddity->size == size) memcpy(bytes, oddity->bytes, size);
        acp_writer_bytes(c->writer, bytes, size);
    }
}

void acp_codec_align4(acp_codec *c) { pad(c, (0u - acp_codec_offset(c)) & 3u, "padding"); }

/* DAT-32. */
static uint32_t shortest_compressed(uint32_t value) { return value < 0x80u ? 1u : value < 0x4000u ? 2u : 4u; }

uint32_t acp_codec_read_compressed(acp_codec *c, const char *name) {
    uint32_t offset = acp_codec_offset(c);
    uint32_t value = acp_reader_u8(&c->reader, name), size = 1;
    if (value & 0x80u) {
        uint32_t next = acp_reader_u8(&c->reader, name);
        size = value & 0x40u ? 4u : 2u;
        value = (value & (size == 4u ? 0x3Fu : 0x7Fu)) << 8 | next;
        if (size == 4u) value = value << 16 | acp_reader_u16(&c->reader, name);
    }
    if (acp_codec_is_ok(c) && size != shortest_compressed(value)) keep_oddity(c, offset, true, size, NULL);
    return value;
}

void acp_codec_write_compressed(acp_codec *c, uint32_t value, const char *name) {
    uint32_t size = shortest_compressed(value), form = kept_form(c);
    if (value > 0x3FFFFFFFu) acp_codec_fail(c, ACP_ERROR_OUT_OF_RANGE, name, "a compressed number reaches to 0x3FFFFFFF");
    if (form > size && form <= 4u) size = form;
    if (size == 1) acp_writer_u8(c->writer, (uint8_t)value);
    if (size == 2) {
        acp_writer_u8(c->writer, (uint8_t)(0x80u | value >> 8));
        acp_writer_u8(c->writer, (uint8_t)value);
    }
    if (size == 4) {
        acp_writer_u8(c->writer, (uint8_t)(0xC0u | value >> 24));
        acp_writer_u8(c->writer, (uint8_t)(value >> 16));
        acp_writer_u16(c->writer, (uint16_t)value);
    }
}

/* ---- structure ---- */

void acp_codec_open(acp_codec *c, const char *name) {
    if (c->visitor) c->visitor->open(c->visitor->user, name);
}

void acp_codec_close(acp_codec *c) {
    if (c->visitor) c->visitor->close(c->visitor->user);
}

static void *new_items(acp_codec *c, uint32_t count, size_t item_size) {
    void *items = acp_arena_allocate_zero(&c->record->arena, count, item_size, 8);
    if (!items) acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, "record", "memory for the record refused");
    return items;
}

/* The count of a list in every direction, and memory for it where it is made. */
static void count_and_memory(acp_codec *c, const char *name, acp_count_form form, uint32_t *count, uint32_t limit, void *items_field,
                             size_t item_size, uint32_t min_bytes) {
    if (c->direction == ACP_CODEC_READ) {
        if (form == ACP_COUNT_U32) *count = acp_reader_u32(&c->reader, name);
        if (form == ACP_COUNT_COMPRESSED) *count = acp_codec_read_compressed(c, name);
        if (acp_codec_is_ok(c)) (void)acp_reader_can_hold(&c->reader, *count, min_bytes, name);
        if (*count > limit) acp_codec_fail(c, ACP_ERROR_LIMIT, name, "a list is longer than its cap");
    } else if (c->direction == ACP_CODEC_WRITE) {
        if (form == ACP_COUNT_U32) acp_writer_u32(c->writer, *count);
        if (form == ACP_COUNT_COMPRESSED) acp_codec_write_compressed(c, *count, name);
        return;
    } else {
        uint32_t length = c->visitor->open_list(c->visitor->user, name, *count);
        if (c->direction == ACP_CODEC_SHOW) return;
        if (form == ACP_COUNT_GIVEN && length != *count)
            acp_codec_fail(c, ACP_ERROR_BAD_DATA, name, "the list has another length than its count says");
        if (length > limit) acp_codec_fail(c, ACP_ERROR_LIMIT, name, "a list is longer than its cap");
        *count = length;
    }
    void *items = NULL;
    if (acp_codec_is_ok(c) && *count > 0) items = new_items(c, *count, item_size);
    if (!acp_codec_is_ok(c)) *count = 0;
    memcpy(items_field, &items, sizeof items);
}

void acp_codec_list(acp_codec *c, const char *name, acp_count_form form, uint32_t *count, uint32_t limit, void *items_field,
                    size_t item_size, uint32_t min_bytes) {
    count_and_memory(c, name, form, count, limit, items_field, item_size, min_bytes);
}

void acp_codec_end_list(acp_codec *c) {
    if (c->visitor) c->visitor->close_list(c->visitor->user);
}

void acp_codec_values(acp_codec *c, const char *name, acp_field field, acp_count_form form, uint32_t *count, uint32_t limit,
                      void *items_field) {
    size_t size = field_sizes[field];
    count_and_memory(c, name, form, count, limit, items_field, size, (uint32_t)size);
    uint8_t *items;
    memcpy(&items, items_field, sizeof items);
    for (uint32_t i = 0; i < *count; i++)
        acp_codec_value(c, field, c->visitor ? NULL : name, items + i * size);
    acp_codec_end_list(c);
}

void acp_codec_raw(acp_codec *c, const char *name, uint32_t *size, uint8_t **bytes) {
    const uint8_t *from = NULL;
    switch (c->direction) {
    case ACP_CODEC_WRITE:
        acp_writer_bytes(c->writer, *bytes, *size);
        return;
    case ACP_CODEC_SHOW:
        (void)c->visitor->bytes(c->visitor->user, name, *bytes, size, false);
        return;
    case ACP_CODEC_READ:
        from = acp_reader_bytes(&c->reader, *size, name);
        break;
    case ACP_CODEC_FILL:
        from = c->visitor->bytes(c->visitor->user, name, NULL, size, false);
        break;
    }
    *bytes = NULL;
    if (!acp_codec_is_ok(c) || !from) *size = 0;
    if (*size == 0) return;
    *bytes = new_items(c, *size, 1);
    if (*bytes)
        memcpy(*bytes, from, *size);
    else
        *size = 0;
}

/* DAT-35. */
void acp_codec_text(acp_codec *c, const char *name, acp_record_text *text) {
    uint32_t offset = acp_codec_offset(c);
    uint8_t *bytes = NULL;
    if (c->direction == ACP_CODEC_SHOW) {
        (void)c->visitor->bytes(c->visitor->user, name, (const uint8_t *)text->bytes, &text->length, true);
        return;
    }
    if (c->direction == ACP_CODEC_WRITE) {
        bool is_long = text->length >= 0xFFFFu || kept_form(c) == 6u;
        acp_writer_u16(c->writer, is_long ? (uint16_t)0xFFFFu : (uint16_t)text->length);
        if (is_long) acp_writer_u32(c->writer, text->length);
        acp_writer_bytes(c->writer, text->bytes, text->length);
    } else {
        const uint8_t *from = NULL;
        if (c->direction == ACP_CODEC_READ) {
            text->length = acp_reader_u16(&c->reader, name);
            if (text->length == 0xFFFFu) {
                text->length = acp_reader_u32(&c->reader, name);
                if (acp_codec_is_ok(c) && text->length < 0xFFFFu) keep_oddity(c, offset, true, 6, NULL);
            }
            from = acp_reader_bytes(&c->reader, text->length, name);
        } else
            from = c->visitor->bytes(c->visitor->user, name, NULL, &text->length, true);
        if (!acp_codec_is_ok(c) || !from) text->length = 0;
        if (text->length > 0) bytes = new_items(c, text->length, 1);
        if (bytes) memcpy(bytes, from, text->length);
        if (!bytes) text->length = 0;
        text->bytes = (char *)bytes;
    }
    if (!c->visitor) pad(c, (0u - (acp_codec_offset(c) - offset)) & 3u, name);
}

void acp_codec_frames(acp_codec *c, const char *name, uint32_t count, acp_frame **frames) {
    uint32_t own = count;
    acp_codec_list(c, name, ACP_COUNT_GIVEN, &own, UINT32_MAX, frames, sizeof **frames, 28);
    for (uint32_t i = 0; i < own && acp_codec_is_ok(c); i++)
        acp_codec_frame(c, c->visitor ? NULL : name, &(*frames)[i], false);
    acp_codec_end_list(c);
}

void acp_codec_objects(acp_codec *c, const char *name, acp_record_objects *objects) {
    acp_codec_list(c, name, ACP_COUNT_U32, &objects->count, UINT32_MAX, &objects->items, sizeof *objects->items, 32);
    for (uint32_t i = 0; i < objects->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "id", &objects->items[i].id);
        acp_codec_frame(c, "frame", &objects->items[i].frame, true);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_check_keys(acp_codec *c, const char *name, const void *items, uint32_t count, size_t stride) {
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c)) return;
    if (count < 2) return;
    /* An open-addressing set in the arena's spare memory would cost a block; a sorted copy is given back at once. */
    uint32_t *keys = acp_memory_allocate(&c->record->arena.allocator, (size_t)count * 4u, 4);
    if (!keys) {
        acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, name, "memory for the record refused");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        memcpy(&keys[i], (const uint8_t *)items + i * stride, 4);
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) /* shell sort: no library state, no recursion */
        for (uint32_t i = gap; i < count; i++) {
            uint32_t key = keys[i], k = i;
            for (; k >= gap && keys[k - gap] > key; k -= gap)
                keys[k] = keys[k - gap];
            keys[k] = key;
        }
    bool is_duplicate = false;
    for (uint32_t i = 1; i < count; i++)
        is_duplicate = is_duplicate || keys[i] == keys[i - 1];
    acp_memory_free(&c->record->arena.allocator, keys, (size_t)count * 4u, 4);
    if (is_duplicate) acp_codec_remark(c, ACP_REMARK_DUPLICATE_KEY, name, "a key occurs twice: the last one counts");
}
