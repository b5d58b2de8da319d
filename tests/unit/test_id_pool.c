/* SPDX-License-Identifier: MIT */
/* Generational handles: null, stale, reuse, the end of a slot's generations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/id_pool.h"
#include "tests/support/failing.h"

static const acp_id null_id = {0, 0};

static void null_is_never_live(void **state) {
    (void)state;
    acp_id_pool pool;
    acp_id_pool_init(&pool, NULL, NULL);
    assert_false(acp_id_pool_is_live(&pool, null_id));
    acp_id id;
    assert_int_equal(acp_id_pool_acquire(&pool, &id), ACP_OK);
    assert_int_equal(id.index1, 1);
    assert_int_equal(id.generation, 1);
    assert_false(acp_id_pool_is_live(&pool, null_id));
    assert_int_equal(acp_id_pool_release(&pool, null_id), ACP_ERROR_STALE_HANDLE);
    acp_id beyond = {2, 1};
    assert_false(acp_id_pool_is_live(&pool, beyond));
    acp_id far_beyond = {UINT32_MAX, 1};
    assert_false(acp_id_pool_is_live(&pool, far_beyond));
    acp_id_pool_free(&pool);
}

static void a_released_handle_is_stale_for_ever(void **state) {
    (void)state;
    acp_id_pool pool;
    acp_id_pool_init(&pool, NULL, NULL);
    acp_id first, second;
    assert_int_equal(acp_id_pool_acquire(&pool, &first), ACP_OK);
    assert_int_equal(acp_id_pool_release(&pool, first), ACP_OK);
    assert_false(acp_id_pool_is_live(&pool, first));
    assert_int_equal(acp_id_pool_release(&pool, first), ACP_ERROR_STALE_HANDLE);
    acp_id guessed = {first.index1, first.generation + 1}; /* the next one, not taken yet */
    assert_false(acp_id_pool_is_live(&pool, guessed));
    assert_int_equal(acp_id_pool_acquire(&pool, &second), ACP_OK);
    assert_int_equal(second.index1, first.index1);
    assert_int_equal(second.generation, 2);
    assert_false(acp_id_pool_is_live(&pool, first));
    assert_true(acp_id_pool_is_live(&pool, second));
    acp_id_pool_free(&pool);
}

static void generations_end_instead_of_wrapping(void **state) {
    (void)state;
    acp_id_pool pool;
    acp_id_pool_init(&pool, NULL, NULL);
    acp_id id, other;
    assert_int_equal(acp_id_pool_acquire(&pool, &id), ACP_OK);
    assert_int_equal(acp_id_pool_release(&pool, id), ACP_OK);
    acp_id_pool_slot(&pool, 0)->generation = ACP_ID_POOL_MAX_GENERATION; /* as after 2^32 - 2 releases */
    assert_int_equal(acp_id_pool_acquire(&pool, &id), ACP_OK);
    assert_int_equal(id.index1, 1);
    assert_int_equal(id.generation, ACP_ID_POOL_MAX_GENERATION);
    assert_int_equal(acp_id_pool_release(&pool, id), ACP_OK);
    assert_false(acp_id_pool_is_live(&pool, id));
    assert_int_equal(pool.retired_count, 1);
    acp_id zero = {1, 0};
    assert_false(acp_id_pool_is_live(&pool, zero));
    assert_int_equal(acp_id_pool_acquire(&pool, &other), ACP_OK);
    assert_int_equal(other.index1, 2); /* the first slot is never used again */
    assert_int_equal(other.generation, 1);
    assert_int_equal(acp_id_pool_at(&pool, 0).index1, 0);
    assert_int_equal(acp_id_pool_at(&pool, 1).index1, 2);
    assert_int_equal(acp_id_pool_at(&pool, 2).index1, 0);
    acp_id_pool_free(&pool);
}

static void reserving_makes_acquiring_certain(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_id_pool pool;
    acp_id_pool_init(&pool, &allocator, NULL);
    acp_id id;
    assert_int_equal(acp_id_pool_reserve(&pool, 100), ACP_OK);
    assert_int_equal(acp_id_pool_reserve(&pool, ACP_ID_SLOTS_PER_PAGE + 1), ACP_OK);
    counting.fail_at = 1;
    for (uint32_t i = 0; i < ACP_ID_SLOTS_PER_PAGE + 1; i++)
        assert_int_equal(acp_id_pool_acquire(&pool, &id), ACP_OK);
    assert_int_equal(acp_id_pool_reserve(&pool, ACP_ID_SLOTS_PER_PAGE), ACP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(pool.live_count, ACP_ID_SLOTS_PER_PAGE + 1);
    assert_int_equal(acp_id_pool_reserve(&pool, UINT32_MAX), ACP_ERROR_LIMIT);
    assert_true(acp_id_pool_is_live(&pool, id));
    acp_id_pool_free(&pool);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

static acp_result take_and_give(void *user, const acp_allocator *allocator) {
    (void)user;
    acp_id_pool pool;
    acp_id_pool_init(&pool, allocator, NULL);
    acp_result result = ACP_OK;
    for (uint32_t i = 0; result == ACP_OK && i < 4 * ACP_ID_SLOTS_PER_PAGE; i++) {
        uint32_t live = pool.live_count;
        acp_id id = {7, 7};
        result = acp_id_pool_acquire(&pool, &id);
        if (result != ACP_OK && (pool.live_count != live || id.index1 != 7)) result = ACP_ERROR_INTERNAL;
        if (result == ACP_OK && i % 3 == 0) result = acp_id_pool_release(&pool, id);
    }
    acp_id_pool_free(&pool);
    return result;
}

static void every_refusal_is_an_error_without_a_leak(void **state) {
    (void)state;
    assert_true(test_fail_every_allocation(take_and_give, NULL) >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_never_live),
        cmocka_unit_test(a_released_handle_is_stale_for_ever),
        cmocka_unit_test(generations_end_instead_of_wrapping),
        cmocka_unit_test(reserving_makes_acquiring_certain),
        cmocka_unit_test(every_refusal_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
