/* SPDX-License-Identifier: MIT */
/* Any number of threads against one world: every thread gets, move for move, the bits that one thread gets alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/thread.h"
#include "tests/support/random.h"
#include "tests/support/small_world.h"

#define CELL  0xA9B40025u
#define MOVES 4000u

typedef struct move_answer {
    uint32_t verdict;
    uint32_t mover_state;
    acp_position position;
    acp_vec3 normal;
    uint32_t hit_kind;
    uint32_t hit_id;
} move_answer;

typedef struct move_job {
    const test_world *world;
    uint64_t seed;
    move_answer *answers;
    int is_failed;
} move_job;

static void run_moves(void *user) {
    move_job *job = user;
    acp_transition_context *context;
    if (acp_transition_context_create(NULL, &context, NULL) != ACP_OK) {
        job->is_failed = 1;
        return;
    }
    test_random random = {job->seed};
    for (uint32_t i = 0; i < MOVES; i++) {
        acp_mover human = test_human(CELL, 0);
        if (test_random_below(&random, 5) == 0) human.transient_state = 0;
        acp_position from = test_position(CELL, test_random_in(&random, 97, 119), test_random_in(&random, 97, 119), 0.005), to = from;
        to.frame.origin.x = (float)((double)from.frame.origin.x + test_random_in(&random, -2, 2));
        to.frame.origin.y = (float)((double)from.frame.origin.y + test_random_in(&random, -2, 2));
        acp_move_result result;
        acp_transition_context_reset(context);
        if (acp_move(context, job->world->world, &human, &from, &to, &result, NULL) != ACP_OK) job->is_failed = 1;
        move_answer *answer = &job->answers[i];
        memset(answer, 0, sizeof *answer);
        answer->verdict = result.verdict;
        answer->mover_state = result.mover_state;
        answer->position = result.position;
        answer->hit_kind = result.hit.kind;
        answer->hit_id = result.hit.object_id;
        if (result.has_collision_normal) answer->normal = result.collision_normal;
    }
    acp_transition_context_destroy(context);
}

static void threads_do_not_disturb_each_other(void **state) {
    (void)state;
    uint64_t seed = test_seed("move_threads", 77);
    test_world *world = test_world_new();
    test_world_block(world, 0xA9B40000u, NULL, 0, 0, NULL, 0);
    test_random random = {seed};
    for (uint32_t i = 0; i < 40; i++) {
        acp_position at = test_position(CELL, test_random_in(&random, 97, 119), test_random_in(&random, 97, 119), 0);
        if (i % 3 == 0) test_world_box(world, at, 1, 1, 0.3 * (1 + i % 5), ACP_STATE_STATIC, 1 + i);
        if (i % 3 == 1) test_world_post(world, at, 0.3, 0.3 * (1 + i % 5), ACP_STATE_STATIC, 0, 1 + i);
        if (i % 3 == 2) test_world_ball(world, at, 0.4, 0.4, i % 2 ? 0 : ACP_STATE_ETHEREAL, 0, 1 + i);
    }
    enum { job_count = 8 };
    move_job jobs[job_count + 1];
    for (uint32_t i = 0; i <= job_count; i++) {
        jobs[i].world = world;
        jobs[i].seed = seed + 1;
        jobs[i].answers = malloc(MOVES * sizeof(move_answer));
        jobs[i].is_failed = 0;
        assert_non_null(jobs[i].answers);
    }
    run_moves(&jobs[job_count]);
    acp_thread threads[job_count];
    for (uint32_t i = 0; i < job_count; i++)
        assert_int_equal(acp_thread_create(&threads[i], run_moves, &jobs[i]), ACP_OK);
    for (uint32_t i = 0; i < job_count; i++)
        acp_thread_join(&threads[i]);
    for (uint32_t i = 0; i <= job_count; i++) {
        assert_false(jobs[i].is_failed);
        assert_memory_equal(jobs[i].answers, jobs[job_count].answers, MOVES * sizeof(move_answer));
        if (i < job_count) free(jobs[i].answers);
    }
    free(jobs[job_count].answers);
    test_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
