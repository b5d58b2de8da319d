/* SPDX-License-Identifier: MIT */
/* The base floor against plain models on random sequences: handles, arrays, arenas, bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/id_pool.h"
#include "base/reader.h"
#include "base/writer.h"
#include "tests/support/random.h"

enum { MODEL_SIZE = 512, STEPS = 200000 };

static test_random source;

/* A pool whose slots live near the end of their generations, against a list of handles given out. */
static void handles_are_live_exactly_while_held(void **state) {
    (void)state;
    acp_id_pool pool;
    acp_id_pool_init(&pool, NULL, NULL);
    acp_id held[MODEL_SIZE];
    acp_id stale[MODEL_SIZE];
    uint32_t held_count = 0, stale_count = 0;
    for (int step = 0; step < STEPS; step++) {
        if (held_count < MODEL_SIZE && (held_count == 0 || test_random_below(&source, 100) < 52)) {
            assert_int_equal(acp_id_pool_acquire(&pool, &held[held_count]), ACP_OK);
            acp_id id = held[held_count++];
            for (uint32_t i = 0; i + 1 < held_count; i++)
                assert_true(held[i].index1 != id.index1);
            for (uint32_t i = 0; i < stale_count; i++)
                assert_false(stale[i].index1 == id.index1 && stale[i].generation == id.generation);
        } else {
            uint32_t i = test_random_below(&source, held_count);
            acp_id id = held[i];
            held[i] = held[--held_count];
            assert_int_equal(acp_id_pool_release(&pool, id), ACP_OK);
            stale[stale_count < MODEL_SIZE ? stale_count++ : test_random_below(&source, MODEL_SIZE)] = id;
            if (test_random_below(&source, 50) == 0 &&
                acp_id_pool_slot(&pool, id.index1 - 1)->generation - 1u < ACP_ID_POOL_MAX_GENERATION - 2u)
                acp_id_pool_slot(&pool, id.index1 - 1)->generation = ACP_ID_POOL_MAX_GENERATION - test_random_below(&source, 2);
        }
        assert_int_equal(pool.live_count, held_count);
        if (held_count) assert_true(acp_id_pool_is_live(&pool, held[test_random_below(&source, held_count)]));
        if (stale_count) assert_false(acp_id_pool_is_live(&pool, stale[test_random_below(&source, stale_count)]));
    }
    assert_true(pool.retired_count > 0);
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < pool.slot_count; slot++)
        live += acp_id_pool_at(&pool, slot).index1 != 0;
    assert_int_equal(live, held_count);
    acp_id_pool_free(&pool);
}

static void arrays_match_a_plain_list(void **state) {
    (void)state;
    ACP_ARRAY(uint32_t) array = {0};
    uint32_t model[MODEL_SIZE];
    uint32_t count = 0;
    for (int step = 0; step < STEPS; step++) {
        uint32_t choice = test_random_below(&source, 100);
        if (choice < 55 && count < MODEL_SIZE) {
            uint32_t value = test_random_u32(&source);
            model[count++] = value;
            assert_int_equal(ACP_ARRAY_PUSH(&array, NULL, value), ACP_OK);
        } else if (choice < 75 && count > 0) {
            uint32_t i = test_random_below(&source, count);
            model[i] = model[--count];
            ACP_ARRAY_SWAP_REMOVE(&array, i);
        } else if (choice < 98 && count > 0) {
            uint32_t i = test_random_below(&source, count);
            for (uint32_t k = i; k + 1 < count; k++)
                model[k] = model[k + 1];
            count--;
            ACP_ARRAY_REMOVE(&array, i);
        } else if (choice == 99 && test_random_below(&source, 50) == 0) {
            count = 0;
            ACP_ARRAY_FREE(&array, NULL);
        }
        assert_int_equal(array.count, count);
        if (count && step % 16 == 0) assert_memory_equal(array.items, model, count * sizeof model[0]);
    }
    ACP_ARRAY_FREE(&array, NULL);
}

/* Random requests, marks and rewinds: what is out never overlaps and never changes. */
static void arenas_never_give_the_same_byte_twice(void **state) {
    (void)state;
    acp_arena arena;
    acp_arena_init(&arena, NULL, 512, UINT64_MAX);
    typedef struct piece {
        uint8_t *bytes;
        size_t size;
        uint8_t fill;
    } piece;
    piece pieces[MODEL_SIZE];
    acp_arena_mark marks[16];
    uint32_t marked_at[16];
    uint32_t count = 0, mark_count = 0;
    for (int step = 0; step < 20000; step++) {
        uint32_t choice = test_random_below(&source, 100);
        if (choice < 80 && count < MODEL_SIZE) {
            size_t alignment = (size_t)1 << test_random_below(&source, 7);
            piece *p = &pieces[count++];
            p->size = test_random_below(&source, 50) == 0 ? test_random_below(&source, 3000) : test_random_below(&source, 60);
            p->fill = (uint8_t)test_random_u32(&source);
            p->bytes = acp_arena_allocate(&arena, p->size, alignment);
            assert_non_null(p->bytes);
            assert_int_equal((uintptr_t)p->bytes % alignment, 0);
            memset(p->bytes, p->fill, p->size);
        } else if (choice < 90 && mark_count < 16) {
            marks[mark_count] = acp_arena_get_mark(&arena);
            marked_at[mark_count++] = count;
        } else if (mark_count > 0 && (choice < 97 || count == MODEL_SIZE)) {
            mark_count = test_random_below(&source, mark_count);
            acp_arena_rewind(&arena, marks[mark_count]);
            count = marked_at[mark_count];
        } else if (choice == 99 || count == MODEL_SIZE) {
            acp_arena_reset(&arena);
            count = mark_count = 0;
        }
        if (step % 32 == 0) {
            for (uint32_t i = 0; i < count; i++)
                for (size_t k = 0; k < pieces[i].size; k++)
                    assert_int_equal(pieces[i].bytes[k], pieces[i].fill);
        }
    }
    acp_arena_free(&arena);
}

/* One field of a random kind, written or read and compared. */
static void write_field(acp_writer *writer, uint32_t kind, uint64_t value) {
    float f32 = test_float_from_bits((uint32_t)value);
    double f64;
    memcpy(&f64, &value, sizeof f64);
    switch (kind) {
    case 0:
        acp_writer_u8(writer, (uint8_t)value);
        break;
    case 1:
        acp_writer_u16(writer, (uint16_t)value);
        break;
    case 2:
        acp_writer_u32(writer, (uint32_t)value);
        break;
    case 3:
        acp_writer_u64(writer, value);
        break;
    case 4:
        acp_writer_f32(writer, f32);
        break;
    case 5:
        acp_writer_f64(writer, f64);
        break;
    case 6:
        acp_writer_i32(writer, (int32_t)(uint32_t)value);
        break;
    default:
        acp_writer_align4(writer);
        break;
    }
}

static bool field_reads_back(acp_reader *reader, uint32_t kind, uint64_t value) {
    double f64;
    uint64_t bits;
    switch (kind) {
    case 0:
        return acp_reader_u8(reader, "u8") == (uint8_t)value;
    case 1:
        return acp_reader_u16(reader, "u16") == (uint16_t)value;
    case 2:
        return acp_reader_u32(reader, "u32") == (uint32_t)value;
    case 3:
        return acp_reader_u64(reader, "u64") == value;
    case 4:
        return test_float_bits(acp_reader_f32(reader, "f32")) == (uint32_t)value;
    case 5:
        f64 = acp_reader_f64(reader, "f64");
        memcpy(&bits, &f64, sizeof bits);
        return bits == value;
    case 6:
        return acp_reader_i32(reader, "i32") == (int32_t)(uint32_t)value;
    default:
        acp_reader_align4(reader, "pad");
        return true;
    }
}

static void bytes_round_trip_and_end_where_they_are_cut(void **state) {
    (void)state;
    uint32_t kinds[64];
    uint64_t values[64];
    size_t ends[64];
    for (int turn = 0; turn < 3000; turn++) {
        acp_writer writer;
        acp_writer_init(&writer, NULL);
        uint32_t count = 1 + test_random_below(&source, 64);
        for (uint32_t i = 0; i < count; i++) {
            kinds[i] = test_random_below(&source, 8);
            values[i] = test_random_u64(&source);
            write_field(&writer, kinds[i], values[i]);
            ends[i] = writer.size;
        }
        assert_true(acp_writer_is_ok(&writer));
        acp_reader reader = acp_reader_make(writer.bytes, writer.size);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(field_reads_back(&reader, kinds[i], values[i]));
            assert_int_equal(reader.offset, ends[i]);
        }
        assert_true(acp_reader_is_ok(&reader) && acp_reader_is_at_end(&reader));
        /* Cut anywhere: all that ends before the cut reads back, the first that does not fails at its own start. */
        size_t cut = test_random_below(&source, (uint32_t)writer.size + 1);
        acp_reader part = acp_reader_make(writer.bytes, cut);
        for (uint32_t i = 0; i < count; i++) {
            bool has_all = ends[i] <= cut;
            if (has_all) {
                assert_true(field_reads_back(&part, kinds[i], values[i]) && acp_reader_is_ok(&part));
            } else {
                (void)field_reads_back(&part, kinds[i], values[i]);
                assert_int_equal(part.result, ACP_ERROR_TRUNCATED);
                assert_int_equal(part.error_offset, i ? ends[i - 1] : 0);
                break;
            }
        }
        acp_writer_free(&writer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_live_exactly_while_held),
        cmocka_unit_test(arrays_match_a_plain_list),
        cmocka_unit_test(arenas_never_give_the_same_byte_twice),
        cmocka_unit_test(bytes_round_trip_and_end_where_they_are_cut),
    };
    source.state = test_seed("property.base", 20131);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
