/* SPDX-License-Identifier: MIT */
/* Allocators, arenas and growable arrays: alignment, counters, limits, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"
#include "tests/support/failing.h"

static void the_system_aligns_to_every_power_of_two(void **state) {
    (void)state;
    acp_allocator allocator = acp_allocator_system();
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        for (size_t size = 1; size < 200; size += 13) {
            void *memory = allocator.allocate(allocator.user, size, alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 0x5A, size);
            allocator.free_memory(allocator.user, memory, size, alignment);
        }
    }
    assert_null(allocator.allocate(allocator.user, 0, 1));
    assert_null(allocator.allocate(allocator.user, SIZE_MAX - 3, 64));
}

static void counters_follow_what_is_out(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, 1000);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    void *a = allocator.allocate(allocator.user, 600, 8);
    void *b = allocator.allocate(allocator.user, 400, 8);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(counting.counters.bytes_in_use, 1000);
    assert_null(allocator.allocate(allocator.user, 1, 8)); /* one byte over the limit */
    assert_int_equal(counting.counters.refusals, 1);
    allocator.free_memory(allocator.user, a, 600, 8);
    assert_null(allocator.allocate(allocator.user, 601, 8));
    a = allocator.allocate(allocator.user, 600, 8);
    assert_non_null(a);
    allocator.free_memory(allocator.user, a, 600, 8);
    allocator.free_memory(allocator.user, b, 400, 8);
    allocator.free_memory(allocator.user, NULL, 7, 8);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    assert_int_equal(counting.counters.allocations_in_use, 0);
    assert_int_equal(counting.counters.bytes_peak, 1000);
    assert_int_equal(counting.counters.allocations_total, 3);
    assert_int_equal(counting.counters.refusals, 2);
}

static void the_nth_allocation_fails_and_only_that(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    counting.fail_at = 3;
    for (int i = 1; i <= 5; i++) {
        void *memory = allocator.allocate(allocator.user, 10, 1);
        assert_int_equal(memory == NULL, i == 3);
        allocator.free_memory(allocator.user, memory, 10, 1);
    }
}

static void one_counting_allocator_over_another_shares_the_limit(void **state) {
    (void)state;
    acp_counting_allocator outer, inner;
    acp_counting_allocator_init(&outer, NULL, 100);
    acp_allocator parent = acp_counting_allocator_value(&outer);
    acp_counting_allocator_init(&inner, &parent, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&inner);
    assert_null(allocator.allocate(allocator.user, 101, 1));
    assert_int_equal(inner.counters.refusals, 1);
    assert_int_equal(inner.counters.bytes_in_use, 0);
    void *memory = allocator.allocate(allocator.user, 100, 1);
    assert_non_null(memory);
    assert_int_equal(outer.counters.bytes_in_use, 100);
    allocator.free_memory(allocator.user, memory, 100, 1);
    assert_int_equal(outer.counters.bytes_in_use, 0);
}

static void products_that_overflow_are_refused(void **state) {
    (void)state;
    assert_null(acp_memory_allocate_zero(NULL, SIZE_MAX / 2, 3, 1));
    assert_null(acp_memory_allocate_zero(NULL, 0, 3, 1));
    uint32_t *zeros = ACP_MEMORY_NEW_ARRAY(NULL, uint32_t, 50);
    assert_non_null(zeros);
    for (int i = 0; i < 50; i++)
        assert_int_equal(zeros[i], 0);
    ACP_MEMORY_DELETE_ARRAY(NULL, uint32_t, zeros, 50);
}

static void an_arena_aligns_and_keeps_what_it_gave(void **state) {
    (void)state;
    acp_arena arena;
    acp_arena_init(&arena, NULL, 256, UINT64_MAX);
    uint8_t *given[100];
    for (size_t i = 0; i < 100; i++) {
        size_t alignment = (size_t)1 << (i % 7);
        given[i] = acp_arena_allocate(&arena, i + 1, alignment);
        assert_non_null(given[i]);
        assert_int_equal((uintptr_t)given[i] % alignment, 0);
        memset(given[i], (int)i, i + 1);
    }
    for (size_t i = 0; i < 100; i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(given[i][k], i);
    assert_true(arena.bytes_used >= 5050 && arena.bytes_used < 5050 + 100 * 63);
    acp_arena_free(&arena);
    assert_int_equal(arena.bytes_reserved, 0);
    assert_int_equal(arena.block_count, 0);
}

static void an_arena_takes_no_block_after_warm_up(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_arena arena;
    acp_arena_init(&arena, &allocator, 512, UINT64_MAX);
    assert_int_equal(counting.counters.allocations_total, 0);
    uint64_t after_first = 0;
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < 200; i++)
            assert_non_null(acp_arena_allocate(&arena, (i * 37) % 900, 8));
        if (round == 0) after_first = counting.counters.allocations_total;
        assert_int_equal(counting.counters.allocations_total, after_first);
        acp_arena_reset(&arena);
        assert_int_equal(arena.bytes_used, 0);
    }
    assert_int_equal(counting.counters.bytes_in_use, arena.bytes_reserved);
    acp_arena_free(&arena);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

static void an_arena_rewinds_to_a_mark(void **state) {
    (void)state;
    acp_arena arena;
    acp_arena_init(&arena, NULL, 128, UINT64_MAX);
    acp_arena_mark empty = acp_arena_get_mark(&arena);
    char *kept = acp_arena_copy(&arena, "kept", 5, 1);
    acp_arena_mark mark = acp_arena_get_mark(&arena);
    void *first = acp_arena_allocate(&arena, 40, 8);
    for (int i = 0; i < 50; i++)
        assert_non_null(acp_arena_allocate(&arena, 100, 8));
    acp_arena_rewind(&arena, mark);
    assert_string_equal(kept, "kept");
    assert_ptr_equal(acp_arena_allocate(&arena, 40, 8), first);
    acp_arena_rewind(&arena, empty);
    assert_int_equal(arena.bytes_used, 0);
    assert_ptr_equal(acp_arena_allocate(&arena, 5, 1), kept);
    acp_arena_free(&arena);
}

static void an_arena_keeps_to_its_limit(void **state) {
    (void)state;
    acp_arena arena;
    acp_arena_init(&arena, NULL, 1024, 5000);
    int given = 0;
    while (acp_arena_allocate(&arena, 1000, 8))
        given++;
    assert_int_equal(given, 4);
    assert_true(arena.bytes_reserved <= 5000);
    uint64_t used = arena.bytes_used;
    assert_null(acp_arena_allocate(&arena, SIZE_MAX, 64));
    assert_null(acp_arena_allocate(&arena, SIZE_MAX - 70, 1));
    assert_null(acp_arena_allocate_zero(&arena, SIZE_MAX / 2, 4, 4));
    assert_int_equal(arena.bytes_used, used);
    assert_non_null(acp_arena_allocate(&arena, 0, 1)); /* what is left of the last block still serves */
    acp_arena_free(&arena);
}

typedef ACP_ARRAY(uint32_t) numbers;

static void an_array_grows_and_keeps_its_items(void **state) {
    (void)state;
    numbers array = {0};
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(ACP_ARRAY_PUSH(&array, NULL, i * 3), ACP_OK);
    assert_int_equal(array.count, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(array.items[i], i * 3);
    assert_true(array.capacity < 16000);
    ACP_ARRAY_FREE(&array, NULL);
    assert_null(array.items);
    assert_int_equal(array.count + array.capacity, 0);
    ACP_ARRAY_FREE(&array, NULL);
}

static void removal_keeps_or_swaps(void **state) {
    (void)state;
    numbers array = {0};
    assert_int_equal(ACP_ARRAY_RESERVE_EXACTLY(&array, NULL, 5), ACP_OK);
    assert_int_equal(array.capacity, 5);
    for (uint32_t i = 0; i < 5; i++)
        ACP_ARRAY_ADD(&array, i);
    ACP_ARRAY_REMOVE(&array, 1);
    const uint32_t in_order[] = {0, 2, 3, 4};
    assert_int_equal(array.count, 4);
    assert_memory_equal(array.items, in_order, sizeof in_order);
    ACP_ARRAY_SWAP_REMOVE(&array, 0);
    const uint32_t swapped[] = {4, 2, 3};
    assert_int_equal(array.count, 3);
    assert_memory_equal(array.items, swapped, sizeof swapped);
    ACP_ARRAY_REMOVE(&array, 2);
    ACP_ARRAY_SWAP_REMOVE(&array, 1);
    assert_int_equal(array.count, 1);
    assert_int_equal(array.items[0], 4);
    ACP_ARRAY_CLEAR(&array);
    assert_int_equal(array.capacity, 5);
    ACP_ARRAY_FREE(&array, NULL);
}

static void a_refused_growth_leaves_the_array(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    numbers array = {0};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(ACP_ARRAY_PUSH(&array, &allocator, i), ACP_OK);
    counting.fail_at = 1;
    assert_int_equal(ACP_ARRAY_PUSH(&array, &allocator, 8u), ACP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(array.count, 8);
    assert_int_equal(array.items[7], 7);
    uint64_t too_many = (uint64_t)1 << 32;
    assert_int_equal(ACP_ARRAY_RESERVE(&array, &allocator, too_many), ACP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(ACP_ARRAY_PUSH(&array, &allocator, 8u), ACP_OK);
    ACP_ARRAY_FREE(&array, &allocator);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

static acp_result arrays_and_arenas(void *user, const acp_allocator *allocator) {
    (void)user;
    numbers array = {0};
    acp_arena arena;
    acp_arena_init(&arena, allocator, 64, UINT64_MAX);
    acp_result result = ACP_OK;
    for (uint32_t i = 0; result == ACP_OK && i < 100; i++) {
        result = ACP_ARRAY_PUSH(&array, allocator, i);
        if (result == ACP_OK && !acp_arena_allocate(&arena, i, 4)) result = ACP_ERROR_OUT_OF_MEMORY;
    }
    ACP_ARRAY_FREE(&array, allocator);
    acp_arena_free(&arena);
    return result;
}

static void every_refusal_is_an_error_without_a_leak(void **state) {
    (void)state;
    assert_true(test_fail_every_allocation(arrays_and_arenas, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_aligns_to_every_power_of_two),
        cmocka_unit_test(counters_follow_what_is_out),
        cmocka_unit_test(the_nth_allocation_fails_and_only_that),
        cmocka_unit_test(one_counting_allocator_over_another_shares_the_limit),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(an_arena_aligns_and_keeps_what_it_gave),
        cmocka_unit_test(an_arena_takes_no_block_after_warm_up),
        cmocka_unit_test(an_arena_rewinds_to_a_mark),
        cmocka_unit_test(an_arena_keeps_to_its_limit),
        cmocka_unit_test(an_array_grows_and_keeps_its_items),
        cmocka_unit_test(removal_keeps_or_swaps),
        cmocka_unit_test(a_refused_growth_leaves_the_array),
        cmocka_unit_test(every_refusal_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
