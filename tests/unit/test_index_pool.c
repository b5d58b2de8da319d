/* SPDX-License-Identifier: MIT */
/* Small lists of words: sizes of the classes, reuse, lists longer than a chunk, and everything given back at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/allocator.h"
#include "membership/index_pool.h"

#define LISTS 4000u

/* Powers of two, and one and a half times them. */
static void classes_hold_what_they_should(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
    uint32_t size_class = 0;
    for (uint32_t count = 1; count <= 128; count++) {
        while (sizes[size_class] < count)
            size_class++;
        assert_int_equal(acp_index_pool_class(count), size_class);
        assert_int_equal(acp_index_pool_capacity(size_class), sizes[size_class]);
    }
    assert_int_equal(acp_index_pool_capacity(60), 3u << 29);
    assert_int_equal(acp_index_pool_class(3u << 29), 60);
}

static void all_chunks_but_one_go_with_the_last_list(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_index_pool pool;
    acp_index_pool_init(&pool, &allocator, NULL);
    static acp_list_ref lists[LISTS];
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < LISTS; i++) {
            uint32_t count = i == 77 ? 3u * ACP_INDEX_POOL_CHUNK : 1u + i % 9u;
            lists[i] = acp_index_pool_acquire(&pool, acp_index_pool_class(count));
            assert_int_not_equal(lists[i], 0);
            for (uint32_t k = 0; k < count; k++)
                acp_index_pool_words(&pool, lists[i])[k] = i;
        }
        assert_int_equal(pool.live_lists, LISTS);
        for (uint32_t i = 0; i < LISTS; i++) { /* no two share a word */
            uint32_t count = i == 77 ? 3u * ACP_INDEX_POOL_CHUNK : 1u + i % 9u;
            for (uint32_t k = 0; k < count; k++)
                assert_int_equal(acp_index_pool_words(&pool, lists[i])[k], i);
        }
        for (uint32_t i = 0; i < LISTS; i++)
            acp_index_pool_release(&pool, lists[i], acp_index_pool_class(i == 77 ? 3u * ACP_INDEX_POOL_CHUNK : 1u + i % 9u));
        assert_int_equal(pool.live_lists, 0);
        assert_int_equal(pool.live_words, 0);
        while (pool.surplus)
            acp_index_pool_give_back(&pool);
        assert_true(pool.bytes <= ACP_INDEX_POOL_CHUNK * sizeof(uint32_t) + pool.chunk_capacity * sizeof(acp_index_chunk));
    }
    /* a lone list that comes and goes asks for nothing */
    uint64_t before = counting.counters.allocations_total;
    for (uint32_t i = 0; i < 100; i++) {
        acp_list_ref lone = acp_index_pool_acquire(&pool, 3);
        assert_int_not_equal(lone, 0);
        acp_index_pool_release(&pool, lone, 3);
    }
    assert_int_equal(counting.counters.allocations_total, before);
    acp_index_pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_hold_what_they_should),
        cmocka_unit_test(all_chunks_but_one_go_with_the_last_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
