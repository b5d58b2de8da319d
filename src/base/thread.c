/* SPDX-License-Identifier: MIT */
/* Threads over the operating system's own: POSIX threads, or Windows' slim locks and condition variables.
 *
 * Contract: as in thread.h. Locking and unlocking cannot fail on objects that init has made, so they return nothing; making them can.
 * acp_once_run is the usual double-checked pattern: the flag is read with acquire order, set with release order under the mutex, so
 * whoever sees it set sees what the function wrote.
 *
 * Limits: no recursive locks, no timed waits, no thread-locals, no priorities. The library never detaches a thread. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/thread.h"

#ifdef _WIN32

acp_result acp_mutex_init(acp_mutex *mutex) {
    InitializeSRWLock(mutex);
    return ACP_OK;
}
void acp_mutex_destroy(acp_mutex *mutex) { (void)mutex; }
void acp_mutex_lock(acp_mutex *mutex) { AcquireSRWLockExclusive(mutex); }
void acp_mutex_unlock(acp_mutex *mutex) { ReleaseSRWLockExclusive(mutex); }

acp_result acp_condition_init(acp_condition *condition) {
    InitializeConditionVariable(condition);
    return ACP_OK;
}
void acp_condition_destroy(acp_condition *condition) { (void)condition; }
void acp_condition_wait(acp_condition *condition, acp_mutex *mutex) { (void)SleepConditionVariableSRW(condition, mutex, INFINITE, 0); }
void acp_condition_signal(acp_condition *condition) { WakeConditionVariable(condition); }
void acp_condition_broadcast(acp_condition *condition) { WakeAllConditionVariable(condition); }

static DWORD WINAPI run_thread(LPVOID argument) {
    acp_thread *thread = (acp_thread *)argument;
    thread->function(thread->user);
    return 0;
}

acp_result acp_thread_create(acp_thread *thread, acp_thread_function function, void *user) {
    thread->function = function;
    thread->user = user;
    thread->handle = CreateThread(NULL, 0, run_thread, thread, 0, NULL);
    return thread->handle ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
}

void acp_thread_join(acp_thread *thread) {
    (void)WaitForSingleObject(thread->handle, INFINITE);
    (void)CloseHandle(thread->handle);
}

uint32_t acp_thread_processor_count(void) {
    SYSTEM_INFO information;
    GetSystemInfo(&information);
    return information.dwNumberOfProcessors > 0 ? (uint32_t)information.dwNumberOfProcessors : 1u;
}

#else

#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

acp_result acp_mutex_init(acp_mutex *mutex) { return pthread_mutex_init(mutex, NULL) == 0 ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY; }
void acp_mutex_destroy(acp_mutex *mutex) { (void)pthread_mutex_destroy(mutex); }
void acp_mutex_lock(acp_mutex *mutex) { (void)pthread_mutex_lock(mutex); }
void acp_mutex_unlock(acp_mutex *mutex) { (void)pthread_mutex_unlock(mutex); }

acp_result acp_condition_init(acp_condition *condition) {
    return pthread_cond_init(condition, NULL) == 0 ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
}
void acp_condition_destroy(acp_condition *condition) { (void)pthread_cond_destroy(condition); }
void acp_condition_wait(acp_condition *condition, acp_mutex *mutex) { (void)pthread_cond_wait(condition, mutex); }
void acp_condition_signal(acp_condition *condition) { (void)pthread_cond_signal(condition); }
void acp_condition_broadcast(acp_condition *condition) { (void)pthread_cond_broadcast(condition); }

static void *run_thread(void *argument) {
    acp_thread *thread = (acp_thread *)argument;
    thread->function(thread->user);
    return NULL;
}

acp_result acp_thread_create(acp_thread *thread, acp_thread_function function, void *user) {
    thread->function = function;
    thread->user = user;
    return pthread_create(&thread->handle, NULL, run_thread, thread) == 0 ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
}

void acp_thread_join(acp_thread *thread) { (void)pthread_join(thread->handle, NULL); }

uint32_t acp_thread_processor_count(void) {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        int allowed_count = CPU_COUNT(&allowed);
        if (allowed_count > 0) return (uint32_t)allowed_count;
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1u;
}

#endif

acp_result acp_once_run(acp_once *once, acp_mutex *mutex, acp_result (*function)(void *user), void *user) {
    if (acp_once_is_done(once)) return ACP_OK;
    acp_mutex_lock(mutex);
    acp_result result = ACP_OK;
    if (!acp_once_is_done(once)) {
        result = function(user);
        if (result == ACP_OK) atomic_store_explicit(&once->is_done, 1u, memory_order_release);
    }
    acp_mutex_unlock(mutex);
    return result;
}
