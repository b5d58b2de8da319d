/* SPDX-License-Identifier: MIT */
/* Pages kept ready, and tables that grow ahead (src/base/stock.h, src/base/array.h): what is taken, what is left, whose memory it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/allocator.h"
#include "base/array.h"
#include "base/id_pool.h"
#include "base/stock.h"
#include "membership/index_pool.h"
#include "tests/support/failing.h"

static bool is_zero(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

static void test_pages_are_ready_and_zero(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    acp_stock stock;
    acp_stock_init(&stock, &memory);
    assert_int_equal(acp_stock_add(&stock, 256, 2), ACP_OK);
    assert_int_equal(counting.counters.allocations_total, 2);
    uint8_t *pages[3];
    for (uint32_t i = 0; i < 3u; i++) {
        pages[i] = acp_stock_take(&stock, 256);
        assert_non_null(pages[i]);
        assert_true(is_zero(pages[i], 256));
        memset(pages[i], 0xA5, 256);
    }
    assert_int_equal(counting.counters.allocations_total, 3); /* the third one was not ready */
    for (uint32_t i = 0; i < 3u; i++)
        acp_stock_release(&stock, pages[i], 256);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    counting.fail_at = 2;
    assert_int_equal(acp_stock_add(&stock, 64, 3), ACP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(counting.counters.bytes_in_use, 64);
    acp_stock_free(&stock);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    for (uint32_t i = 1; i <= ACP_STOCK_SIZES; i++)
        assert_int_equal(acp_stock_add(&stock, 64u * i, 1), ACP_OK);
    assert_int_equal(acp_stock_add(&stock, 1024, 1), ACP_ERROR_LIMIT);
    acp_stock_free(&stock);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

static void test_pages_go_only_to_the_same_allocator(void **state) {
    (void)state;
    acp_counting_allocator one, other;
    acp_counting_allocator_init(&one, NULL, UINT64_MAX);
    acp_counting_allocator_init(&other, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&one), foreign = acp_counting_allocator_value(&other);
    acp_stock a, b, c;
    acp_stock_init(&a, &memory);
    acp_stock_init(&b, &memory);
    acp_stock_init(&c, &foreign);
    assert_int_equal(acp_stock_add(&b, 128, 5), ACP_OK);
    assert_int_equal(acp_stock_add(&c, 128, 1), ACP_OK);
    acp_stock_pour(&a, &b);
    acp_stock_pour(&a, &c);
    assert_int_equal(a.shelves[0].count, 5);
    assert_int_equal(b.shelves[0].count, 0);
    assert_int_equal(c.shelves[0].count, 1);
    acp_stock_trim(&a, 2);
    assert_int_equal(one.counters.bytes_in_use, 2 * 128);
    acp_stock_free(&a);
    acp_stock_free(&b);
    acp_stock_free(&c);
    assert_int_equal(one.counters.bytes_in_use + other.counters.bytes_in_use, 0);
}

/* Every value stays through all moves; the call that moves takes no memory, and the next memory has been touched wholly before. */
static void test_a_table_grows_ahead(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    uint64_t *items = NULL;
    uint32_t capacity = 0, moves = 0;
    acp_array_successor next;
    memset(&next, 0, sizeof next);
    for (uint32_t i = 0; i < 10000u; i++) {
        uint32_t before = capacity;
        bool is_ready = next.items && next.touched == next.capacity;
        uint64_t taken = counting.counters.allocations_total;
        assert_int_equal(acp_array_grow_ahead(&items, &capacity, i, sizeof *items, i + 1u, &next, &memory), ACP_OK);
        assert_true(capacity > i);
        if (capacity != before && before >= 256u) {
            moves++;
            assert_true(is_ready);
            assert_int_equal(counting.counters.allocations_total, taken);
        }
        items[i] = 3u * (uint64_t)i;
    }
    assert_int_equal(moves, 6); /* 256 to 16384 */
    for (uint32_t i = 0; i < 10000u; i++)
        assert_int_equal(items[i], 3u * (uint64_t)i);
    acp_array_free(&items, capacity, sizeof *items, &memory);
    acp_array_successor_free(&next, sizeof *items, &memory);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

/* A refused successor is no failure while there is room, and none after it when the room can be had. */
static void test_growing_ahead_without_memory(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    uint32_t *items = NULL;
    uint32_t capacity = 0;
    acp_array_successor next;
    memset(&next, 0, sizeof next);
    assert_int_equal(acp_array_grow_ahead(&items, &capacity, 0, sizeof *items, 256, &next, &memory), ACP_OK);
    counting.byte_limit = counting.counters.bytes_in_use;
    for (uint32_t i = 0; i < 256u; i++) {
        assert_int_equal(acp_array_grow_ahead(&items, &capacity, i, sizeof *items, i + 1u, &next, &memory), ACP_OK);
        items[i] = i;
    }
    assert_int_equal(acp_array_grow_ahead(&items, &capacity, 256, sizeof *items, 257, &next, &memory), ACP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(capacity, 256);
    counting.byte_limit = UINT64_MAX;
    assert_int_equal(acp_array_grow_ahead(&items, &capacity, 256, sizeof *items, 257, &next, &memory), ACP_OK);
    for (uint32_t i = 0; i < 256u; i++)
        assert_int_equal(items[i], i);
    acp_array_free(&items, capacity, sizeof *items, &memory);
    acp_array_successor_free(&next, sizeof *items, &memory);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

/* What a world of lists had goes back a few chunks a call, and is used again before that. */
static void test_an_empty_pool_gives_back_by_and_by(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    acp_index_pool pool;
    acp_index_pool_init(&pool, &memory, NULL);
    uint32_t size_class = acp_index_pool_class(1024), large = acp_index_pool_class(8192);
    static acp_list_ref lists[400];
    for (uint32_t round = 0; round < 3u; round++) {
        for (uint32_t i = 0; i < 400u; i++) { /* 100 chunks and more */
            lists[i] = acp_index_pool_acquire(&pool, i == 200u ? large : size_class);
            assert_int_not_equal(lists[i], 0);
            memset(acp_index_pool_words(&pool, lists[i]), 0xFF, 4096);
            acp_index_pool_words(&pool, lists[i])[0] = i;
        }
        for (uint32_t i = 0; i < 400u; i++)
            assert_int_equal(acp_index_pool_words(&pool, lists[i])[0], i);
        for (uint32_t i = 0; i < 399u; i++)
            acp_index_pool_release(&pool, lists[i], i == 200u ? large : size_class);
        uint64_t in_use = counting.counters.allocations_in_use;
        acp_index_pool_release(&pool, lists[399], size_class);
        assert_true(in_use - counting.counters.allocations_in_use <= 32u);
        assert_true(pool.surplus > 0);
        if (round == 0) continue; /* filled again out of the surplus */
        while (pool.surplus) {
            in_use = counting.counters.allocations_in_use;
            acp_index_pool_give_back(&pool);
            assert_true(in_use - counting.counters.allocations_in_use <= 32u);
        }
        assert_int_equal(pool.bytes, ACP_INDEX_POOL_CHUNK * sizeof(uint32_t) + pool.chunk_capacity * sizeof(acp_index_chunk));
        assert_int_equal(counting.counters.bytes_in_use, pool.bytes);
    }
    acp_index_pool_free(&pool);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_are_ready_and_zero),
        cmocka_unit_test(test_pages_go_only_to_the_same_allocator),
        cmocka_unit_test(test_a_table_grows_ahead),
        cmocka_unit_test(test_growing_ahead_without_memory),
        cmocka_unit_test(test_an_empty_pool_gives_back_by_and_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
