/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all, and the removal of what an interrupted program had begun.
 *
 * A file is written under "<path>.tmp-<process>" in the same folder, then flushed, synced and renamed over its place. Every step that fails
 * removes the temporary file and reports the system's reason. A symbolic link is followed: what it names is replaced, the link stays. A
 * device, pipe or socket is never replaced: it is written to as it is, without a temporary file. A folder is refused. A fixed table of
 * paths under way (16 slots) is what the signal handler walks: it only calls unlink, signal and raise, which are safe there. A slot's path
 * is published last and withdrawn first. The table and the state of held signals (output_folder.c) are process-wide data; this is host
 * code, not the library. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "support/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/system_error.h"

#define SLOT_COUNT    16
#define PATH_CAPACITY 4096

static char slot_paths[SLOT_COUNT][PATH_CAPACITY];
static volatile sig_atomic_t slot_states[SLOT_COUNT]; /* 0 free, 1 being filled, 2 armed */

int acp_output_file_guard(const char *path) {
    size_t length = strlen(path);
    if (length >= PATH_CAPACITY) return -1;
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        if (slot_states[slot] != 0) continue;
        slot_states[slot] = 1;
        memcpy(slot_paths[slot], path, length + 1);
        slot_states[slot] = 2;
        return slot;
    }
    return -1;
}

void acp_output_file_release(int slot) {
    if (slot >= 0 && slot < SLOT_COUNT) slot_states[slot] = 0;
}

static volatile sig_atomic_t held_signal; /* came while signals were held */
static volatile sig_atomic_t is_holding;

void acp_output_file_hold_signals(bool holds) {
    if (holds) held_signal = 0;
    is_holding = holds ? 1 : 0;
}

int acp_output_file_held_signal(void) { return (int)held_signal; }

static void on_signal(int number) {
#ifdef SIGPIPE
    bool can_wait = number != SIGPIPE;
#else
    bool can_wait = true;
#endif
    if (is_holding && can_wait && held_signal == 0) {
        held_signal = number;
        (void)signal(number, on_signal);
        return;
    }
    for (int slot = 0; slot < SLOT_COUNT; slot++)
        if (slot_states[slot] == 2) (void)unlink(slot_paths[slot]);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void acp_output_file_watch_signals(void) {
    static const int numbers[] = {
        SIGINT,
        SIGTERM,
#ifdef SIGHUP
        SIGHUP,
#endif
#ifdef SIGPIPE
        SIGPIPE,
#endif
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (signal(numbers[i], on_signal) == SIG_IGN) (void)signal(numbers[i], SIG_IGN);
}

/* The path with symbolic links followed when it names something already, a copy of it otherwise; null when memory is refused. */
static char *follow_links(const char *path) {
    char *followed = realpath(path, NULL);
    return followed != NULL || errno == ENOMEM ? followed : strdup(path);
}

/* A stream on a new file of this name, never through a link that somebody else has put there. */
static FILE *create_stream(const char *path) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (stream == NULL && descriptor >= 0) {
        int reason = errno;
        (void)close(descriptor);
        (void)unlink(path);
        errno = reason;
    }
    return stream;
}

acp_result acp_output_file_open(acp_output_file *file, const char *path, acp_error *error) {
    struct stat status;
    *file = (acp_output_file){.slot = -1};
    bool is_there = stat(path, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return acp_error_set_errno(error, "create", path);
    }
    file->is_direct = is_there && !S_ISREG(status.st_mode);
    file->path = file->is_direct ? strdup(path) : follow_links(path);
    size_t length = file->path != NULL ? strlen(file->path) + 32 : 0;
    file->temporary_path = length > 0 ? malloc(length) : NULL;
    if (file->temporary_path == NULL) {
        acp_output_file_discard(file);
        acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "create", "out of memory");
        return ACP_ERROR_OUT_OF_MEMORY;
    }
    if (file->is_direct) {
        file->temporary_path[0] = '\0';
        file->stream = fopen(path, "wb");
    } else {
        (void)snprintf(file->temporary_path, length, "%s.tmp-%ld", file->path, (long)getpid());
        file->slot = acp_output_file_guard(file->temporary_path);
        file->stream = create_stream(file->temporary_path);
    }
    if (file->stream != NULL) return ACP_OK;
    acp_result result = acp_error_set_errno(error, "create", path);
    acp_output_file_discard(file);
    return result;
}

void acp_output_file_discard(acp_output_file *file) {
    if (file->path == NULL && file->temporary_path == NULL) return;
    if (file->stream != NULL) {
        (void)fclose(file->stream);
        if (!file->is_direct) (void)unlink(file->temporary_path);
    }
    acp_output_file_release(file->slot);
    free(file->path);
    free(file->temporary_path);
    *file = (acp_output_file){.slot = -1};
}

acp_result acp_output_file_commit(acp_output_file *file, acp_error *error) {
    bool is_good = fflush(file->stream) == 0 && !ferror(file->stream);
    if (is_good && !file->is_direct) is_good = fsync(fileno(file->stream)) == 0;
    acp_result result = is_good ? ACP_OK : acp_error_set_errno(error, "write", file->path);
    if (fclose(file->stream) != 0 && is_good) result = acp_error_set_errno(error, "write", file->path);
    file->stream = NULL;
    if (!file->is_direct) {
        if (result == ACP_OK && rename(file->temporary_path, file->path) != 0) result = acp_error_set_errno(error, "rename", file->path);
        if (result != ACP_OK) (void)unlink(file->temporary_path);
    }
    acp_output_file_discard(file);
    return result;
}

acp_result acp_output_file_write(const char *path, const void *bytes, size_t size, acp_error *error) {
    acp_output_file file;
    acp_result result = acp_output_file_open(&file, path, error);
    if (result != ACP_OK) return result;
    if (size > 0) (void)fwrite(bytes, 1, size, file.stream); /* a failure is found by commit */
    return acp_output_file_commit(&file, error);
}
