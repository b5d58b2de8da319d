/* SPDX-License-Identifier: MIT */
/* Threads, mutexes, conditions, once; and the two call-back interfaces, progress and trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/progress.h"
#include "base/thread.h"
#include "base/trace.h"

enum { WORKERS = 8, TURNS = 20000 };

typedef struct shared_work {
    acp_mutex mutex;
    acp_condition condition;
    uint64_t total;
    uint32_t ready;
    uint32_t baton;
    acp_once once;
    uint32_t once_runs;
    uint32_t once_failures_left;
    uint32_t value_made_once;
    _Atomic uint32_t wrong;
} shared_work;

static void init(shared_work *work) {
    memset(work, 0, sizeof *work);
    assert_int_equal(acp_mutex_init(&work->mutex), ACP_OK);
    assert_int_equal(acp_condition_init(&work->condition), ACP_OK);
}

static void destroy(shared_work *work) {
    acp_condition_destroy(&work->condition);
    acp_mutex_destroy(&work->mutex);
}

static void run_workers(shared_work *work, acp_thread_function function) {
    acp_thread threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(acp_thread_create(&threads[i], function, work), ACP_OK);
    for (int i = 0; i < WORKERS; i++)
        acp_thread_join(&threads[i]);
}

static void add_many(void *user) {
    shared_work *work = user;
    for (int i = 0; i < TURNS; i++) {
        acp_mutex_lock(&work->mutex);
        work->total++;
        acp_mutex_unlock(&work->mutex);
    }
}

static void a_mutex_lets_one_in(void **state) {
    (void)state;
    shared_work work;
    init(&work);
    run_workers(&work, add_many);
    assert_int_equal(work.total, (uint64_t)WORKERS * TURNS);
    destroy(&work);
}

/* Each worker takes its number and waits for its turn. */
static void pass_the_baton(void *user) {
    shared_work *work = user;
    acp_mutex_lock(&work->mutex);
    uint32_t mine = work->ready++;
    acp_condition_broadcast(&work->condition);
    while (work->ready < WORKERS || work->baton != mine)
        acp_condition_wait(&work->condition, &work->mutex);
    work->total = work->total * 10 + mine;
    work->baton++;
    acp_condition_broadcast(&work->condition);
    acp_mutex_unlock(&work->mutex);
}

static void a_condition_wakes_those_who_wait(void **state) {
    (void)state;
    shared_work work;
    init(&work);
    run_workers(&work, pass_the_baton);
    assert_int_equal(work.total, 1234567);
    destroy(&work);
}

static acp_result make_value(void *user) {
    shared_work *work = user;
    work->once_runs++;
    if (work->once_failures_left > 0) {
        work->once_failures_left--;
        return ACP_ERROR_BAD_DATA;
    }
    work->value_made_once = 42;
    return ACP_OK;
}

static void use_value(void *user) {
    shared_work *work = user;
    acp_result result = acp_once_run(&work->once, &work->mutex, make_value, work);
    if (result == ACP_OK && work->value_made_once != 42) atomic_fetch_add(&work->wrong, 1u);
}

static void once_runs_until_it_succeeds_and_then_never_again(void **state) {
    (void)state;
    shared_work work;
    init(&work);
    work.once_failures_left = 3;
    for (int round = 0; round < 20; round++)
        run_workers(&work, use_value);
    assert_int_equal(work.once_runs, 4);
    assert_int_equal(atomic_load(&work.wrong), 0);
    assert_true(acp_once_is_done(&work.once));
    destroy(&work);
}

static void there_is_at_least_one_processor(void **state) {
    (void)state;
    assert_in_range(acp_thread_processor_count(), 1, 65536);
}

typedef struct heard {
    uint32_t calls;
    uint64_t last_done;
    uint64_t stop_at;
} heard;

static bool hear(void *user, const char *what, uint64_t done, uint64_t total) {
    heard *h = user;
    assert_string_equal(what, "counting");
    assert_int_equal(total, 1000);
    h->calls++;
    h->last_done = done;
    return done < h->stop_at;
}

static void progress_can_cancel_and_may_be_absent(void **state) {
    (void)state;
    heard h = {0, 0, 500};
    acp_progress progress = {&h, hear};
    assert_int_equal(acp_progress_report(&progress, "counting", 10, 1000), ACP_OK);
    assert_int_equal(acp_progress_report(&progress, "counting", 500, 1000), ACP_ERROR_CANCELLED);
    acp_progress empty = {&h, NULL};
    assert_int_equal(acp_progress_report(&empty, "counting", 999, 1000), ACP_OK);
    assert_int_equal(acp_progress_report(NULL, "counting", 999, 1000), ACP_OK);
    assert_int_equal(acp_progress_tick(NULL, "counting", 999, 1000, 1), ACP_OK);
    assert_int_equal(h.calls, 2);
}

static void ticks_are_thinned_but_the_last_is_heard(void **state) {
    (void)state;
    heard h = {0, 0, UINT64_MAX};
    acp_progress progress = {&h, hear};
    for (uint64_t done = 1; done <= 1000; done++)
        assert_int_equal(acp_progress_tick(&progress, "counting", done, 1000, 64), ACP_OK);
    assert_int_equal(h.calls, 1000 / 64 + 1);
    assert_int_equal(h.last_done, 1000);
}

typedef struct test_record {
    uint32_t a;
    uint32_t b;
} test_record;

static void receive(void *user, uint32_t type, const void *record, uint32_t size) {
    test_record *out = user;
    assert_int_equal(type, ACP_TRACE_FLOOR_HOST + 1);
    assert_int_equal(size, sizeof *out);
    memcpy(out, record, size);
}

static void a_trace_record_arrives_whole(void **state) {
    (void)state;
    test_record out = {0, 0};
    const test_record in = {3, 4};
    acp_trace_sink sink = {&out, receive};
    assert_true(acp_trace_is_on(&sink));
    assert_false(acp_trace_is_on(NULL));
    acp_trace_emit(NULL, ACP_TRACE_FLOOR_HOST + 1, &in, sizeof in);
    assert_int_equal(out.a, 0);
    acp_trace_emit(&sink, ACP_TRACE_FLOOR_HOST + 1, &in, sizeof in);
    assert_int_equal(out.a, 3);
    assert_int_equal(out.b, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_lets_one_in),
        cmocka_unit_test(a_condition_wakes_those_who_wait),
        cmocka_unit_test(once_runs_until_it_succeeds_and_then_never_again),
        cmocka_unit_test(there_is_at_least_one_processor),
        cmocka_unit_test(progress_can_cancel_and_may_be_absent),
        cmocka_unit_test(ticks_are_thinned_but_the_last_is_heard),
        cmocka_unit_test(a_trace_record_arrives_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
