/* SPDX-License-Identifier: MIT */
/* The builder's common ground: tables opened and read, faults noted, records stored, and the whole build from tables to two containers.
 *
 * The order is fixed (region, land, models, buildings, statics, places), ids come from the tables, dates are zero, and every number is
 * computed in binary64 with the library's own sine and cosine: so the bytes are the same everywhere and every time. */
#include "demo/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/trig.h"
#include "support/load_file.h"

#define TABLE_LIMIT (4u << 20)

/* ---- faults ---- */

bool demo_is_ok(const demo_builder *b) { return b->result == ACP_OK; }

void demo_fail(demo_builder *b, acp_result code, const char *what, const char *message) {
    if (b->result != ACP_OK) return;
    b->result = acp_error_set(b->error, code, "build the miniature world", "%s: %s", what, message);
    acp_error_set_file(b->error, b->table ? b->table : "");
}

bool demo_check_input(demo_builder *b, const char *what) {
    if (b->result == ACP_OK && acp_json_is_failed(&b->in)) {
        char message[256], field[64];
        acp_error e = b->error ? *b->error : (acp_error){0};
        (void)snprintf(message, sizeof message, "%s", e.message);
        (void)snprintf(field, sizeof field, "%s", e.field);
        demo_fail(b, b->in.result, what, message);
        acp_error_set_place(b->error, 0, UINT64_MAX, field);
    }
    return b->result == ACP_OK;
}

/* ---- memory ---- */

void *demo_allocate(demo_builder *b, size_t count, size_t size) {
    if (b->result != ACP_OK) return NULL;
    void *memory = acp_arena_allocate_zero(&b->arena, count ? count : 1u, size, 16);
    if (!memory) demo_fail(b, ACP_ERROR_OUT_OF_MEMORY, "tables", "memory refused");
    return memory;
}

char *demo_copy_text(demo_builder *b, const char *text, size_t length) {
    char *copy = demo_allocate(b, length + 1u, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

/* ---- tables ---- */

const char *demo_read_text(demo_builder *b, const char *name, size_t *out_size) {
    *out_size = 0;
    if (b->result != ACP_OK) return NULL;
    b->table = name;
    if (b->folder) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", b->folder, name);
        if (length < 0 || (size_t)length >= sizeof path) {
            demo_fail(b, ACP_ERROR_INVALID_ARGUMENT, name, "the path is too long");
            return NULL;
        }
        free(b->text);
        b->text = NULL;
        b->result = acp_load_file(path, TABLE_LIMIT, &b->text, out_size, b->error);
        return b->result == ACP_OK ? b->text : NULL;
    }
    uint32_t count;
    const acp_demo_table *tables = acp_demo_tables(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(tables[i].name, name) != 0) continue;
        *out_size = tables[i].size;
        return tables[i].text;
    }
    demo_fail(b, ACP_ERROR_NOT_FOUND, name, "no such table");
    return NULL;
}

const acp_json *demo_open_table(demo_builder *b, const char *name) {
    size_t size;
    const char *text = demo_read_text(b, name, &size);
    if (!text) return NULL;
    acp_json_fault fault;
    const acp_json *object = acp_json_read(&b->reader, text, size, &fault);
    b->in = (acp_json_input){ACP_OK, b->error};
    if (object && object->type == ACP_JSON_OBJECT) return object;
    demo_fail(b, object || !fault.is_out_of_memory ? ACP_ERROR_BAD_DATA : ACP_ERROR_OUT_OF_MEMORY, name,
              object ? "not an object" : fault.message);
    if (!object) acp_error_set_place(b->error, 0, fault.offset, "");
    return NULL;
}

const char *demo_get_text(demo_builder *b, const acp_json *object, const char *key) {
    const acp_json *value = acp_json_member(object, key);
    if (!value || b->result != ACP_OK) return NULL;
    if (value->type != ACP_JSON_STRING) {
        demo_fail(b, ACP_ERROR_BAD_DATA, key, "a text is expected");
        return NULL;
    }
    return demo_copy_text(b, value->text, value->count);
}

bool demo_get_numbers(demo_builder *b, const acp_json *object, const char *key, float *out, uint32_t count, bool is_optional) {
    if (b->result != ACP_OK) return false;
    if (!acp_json_has(object, key)) {
        if (!is_optional) demo_fail(b, ACP_ERROR_BAD_DATA, key, "missing");
        return false;
    }
    acp_json_get_float_array(&b->in, object, key, out, count);
    return demo_check_input(b, key);
}

void demo_sine_cosine(double degrees, double *out_sine, double *out_cosine) {
    static const double quarters[4] = {0, 1, 0, -1};
    double quarter = degrees / 90.0;
    int64_t whole = (int64_t)quarter;
    if ((double)whole == quarter) {
        *out_sine = quarters[(whole % 4 + 4) % 4];
        *out_cosine = quarters[(whole % 4 + 5) % 4];
        return;
    }
    double angle = degrees * (3.14159265358979323846 / 180.0);
    *out_sine = acp_sin(angle);
    *out_cosine = acp_cos(angle);
}

acp_frame demo_get_frame(demo_builder *b, const acp_json *object) {
    acp_frame frame = acp_frame_identity();
    float at[3] = {0, 0, 0}, turn = 0, q[4];
    if (demo_get_numbers(b, object, "at", at, 3, true)) frame.origin = (acp_vec3){at[0], at[1], at[2]};
    if (demo_get_numbers(b, object, "rotate", q, 4, true)) {
        acp_quaternion rotation = {q[0], q[1], q[2], q[3]};
        if (acp_frame_set_rotation(&frame, rotation) != ACP_OK) demo_fail(b, ACP_ERROR_BAD_DATA, "rotate", "no rotation");
    } else if (demo_get_numbers(b, object, "turn", &turn, 1, true)) {
        double sine, cosine;
        if (turn == 180.0f) /* exact: the half angle of a half turn is a quarter turn */
            frame.rotation = (acp_quaternion){0, 0, 0, 1};
        else {
            demo_sine_cosine((double)turn / 2.0, &sine, &cosine);
            acp_quaternion rotation = {(float)cosine, 0, 0, (float)sine};
            if (acp_frame_set_rotation(&frame, rotation) != ACP_OK) demo_fail(b, ACP_ERROR_BAD_DATA, "turn", "no rotation");
        }
    }
    return frame;
}

demo_block *demo_get_block(demo_builder *b, uint32_t block_id, bool can_make) {
    uint32_t x = block_id >> 24, y = (block_id >> 16) & 0xFFu;
    if (b->result != ACP_OK) return NULL;
    if (x >= DEMO_BLOCKS || y >= DEMO_BLOCKS) {
        demo_fail(b, ACP_ERROR_INVALID_ID, "block", "beyond the map");
        return NULL;
    }
    demo_block **slot = &b->blocks[x * DEMO_BLOCKS + y];
    if (!*slot && can_make) {
        *slot = demo_allocate(b, 1, sizeof **slot);
        if (!*slot) return NULL;
        (*slot)->land.record_id = x << 24 | y << 16 | 0xFFFFu;
        (*slot)->info.id = x << 24 | y << 16 | 0xFFFEu;
    }
    if (!*slot) demo_fail(b, ACP_ERROR_NOT_FOUND, "block", "the land table has no such landblock");
    return *slot;
}

/* ---- records ---- */

void demo_put_bytes(demo_builder *b, acp_dat_edit *edit, uint32_t id, const uint8_t *bytes, uint32_t size) {
    acp_dat_entry entry;
    if (b->result != ACP_OK) return;
    if (acp_dat_edit_find(edit, id, &entry) == ACP_OK) {
        char text[32];
        (void)snprintf(text, sizeof text, "0x%08lX", (unsigned long)id);
        demo_fail(b, ACP_ERROR_DUPLICATE, text, "two records of one id");
        return;
    }
    b->result = acp_dat_edit_put(edit, id, bytes, size, NULL, b->error);
}

void demo_put_record(demo_builder *b, acp_dat_edit *edit, acp_record_kind kind, uint32_t id, void *content) {
    if (b->result != ACP_OK || !content) return;
    acp_record record = {.kind = kind};
    record.content.any = content;
    acp_writer writer;
    acp_writer_init(&writer, &b->allocator);
    b->result = acp_record_encode(&record, &writer, b->error);
    if (b->result == ACP_OK && !acp_writer_is_ok(&writer)) demo_fail(b, writer.result, "record", "cannot be written");
    demo_put_bytes(b, edit, id, writer.bytes, (uint32_t)writer.size);
    acp_writer_free(&writer);
}
