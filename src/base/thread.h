/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_THREAD_H
#define ACP_BASE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "acphys/result.h"

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef near /* words of ours */
#undef far
#else
#include <pthread.h>
#endif

/* Threads, mutexes and conditions of the operating system (POSIX threads or Windows). The library starts a thread only where the caller
 * asked for workers. None of these may be copied or moved while in use. */

#ifdef _WIN32
typedef SRWLOCK acp_mutex;
typedef CONDITION_VARIABLE acp_condition;
#else
typedef pthread_mutex_t acp_mutex;
typedef pthread_cond_t acp_condition;
#endif

typedef void (*acp_thread_function)(void *user);

typedef struct acp_thread {
    acp_thread_function function;
    void *user;
#ifdef _WIN32
    HANDLE handle;
#else
    pthread_t handle;
#endif
} acp_thread;

/* Not recursive. init returns ACP_ERROR_OUT_OF_MEMORY when the system refuses. */
acp_result acp_mutex_init(acp_mutex *mutex);
void acp_mutex_destroy(acp_mutex *mutex);
void acp_mutex_lock(acp_mutex *mutex);
void acp_mutex_unlock(acp_mutex *mutex);

/* A wait may end without a signal: wait in a loop over the state waited for. */
acp_result acp_condition_init(acp_condition *condition);
void acp_condition_destroy(acp_condition *condition);
void acp_condition_wait(acp_condition *condition, acp_mutex *mutex);
void acp_condition_signal(acp_condition *condition);
void acp_condition_broadcast(acp_condition *condition);

/* Starts function(user). `thread` must stay in place until joined. ACP_ERROR_OUT_OF_MEMORY when the system refuses. */
acp_result acp_thread_create(acp_thread *thread, acp_thread_function function, void *user);
void acp_thread_join(acp_thread *thread);

/* Processors this process may use, at least 1. */
uint32_t acp_thread_processor_count(void);

/* Something to be done once, on first use, whichever thread comes first: zero-initialised is "not yet". Many may share one mutex. */
typedef struct acp_once {
    _Atomic uint32_t is_done;
} acp_once;

/* Runs function(user) unless it has succeeded before; others wait for it and then see everything it wrote. A failure is returned to the
 * caller that ran it and the next caller tries again. The function must not lock `mutex`. */
acp_result acp_once_run(acp_once *once, acp_mutex *mutex, acp_result (*function)(void *user), void *user);

static inline bool acp_once_is_done(acp_once *once) { return atomic_load_explicit(&once->is_done, memory_order_acquire) != 0; }

#endif
