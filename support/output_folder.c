/* SPDX-License-Identifier: MIT */
/* Folders that appear whole or not at all.
 *
 * The files go into a fresh folder beside the wanted one; a rename puts it there, over an empty folder if one is in the way. A signal
 * cannot remove a folder safely (opendir is not for handlers), so while one is being filled the handler of output_file.c leaves the number
 * here and returns; writers ask between files. The files are those of one level; other folders are not made in it. What SIGKILL leaves is
 * the temporary folder, never half of the wanted one. This is host code, not the library. */
#define _XOPEN_SOURCE 700
#include "support/output_folder.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/output_file.h"
#include "support/system_error.h"

/* Does anything but an empty folder stand there? */
static bool is_taken(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) return false;
    if (!S_ISDIR(status.st_mode)) return true;
    DIR *directory = opendir(path);
    if (!directory) return true;
    const struct dirent *item;
    bool is_empty = true;
    while (is_empty && (item = readdir(directory)) != NULL)
        is_empty = strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0;
    (void)closedir(directory);
    return !is_empty;
}

acp_result acp_output_folder_open(acp_output_folder *folder, const char *path, acp_error *error) {
    memset(folder, 0, sizeof *folder);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    folder->path = malloc(length + 1u);
    folder->temporary_path = malloc(length + 32u);
    if (!folder->path || !folder->temporary_path) {
        acp_output_folder_discard(folder);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "create", "out of memory");
    }
    memcpy(folder->path, path, length);
    folder->path[length] = '\0';
    (void)snprintf(folder->temporary_path, length + 32u, "%s.tmp-%ld", folder->path, (long)getpid());
    acp_result result = ACP_OK;
    if (is_taken(folder->path)) {
        result = acp_error_set(error, ACP_ERROR_DUPLICATE, "create", "is there already and not an empty folder");
        acp_error_set_file(error, path);
    } else if (mkdir(folder->temporary_path, 0777) != 0)
        result = acp_error_set_errno(error, "create", folder->temporary_path);
    if (result == ACP_OK) {
        acp_output_file_hold_signals(true);
        return ACP_OK;
    }
    free(folder->path);
    free(folder->temporary_path);
    memset(folder, 0, sizeof *folder);
    return result;
}

bool acp_output_folder_is_interrupted(void) { return acp_output_file_held_signal() != 0; }

static void remove_all(const char *path) {
    DIR *directory = opendir(path);
    const struct dirent *item;
    while (directory && (item = readdir(directory)) != NULL) {
        char file[4352];
        int length = snprintf(file, sizeof file, "%s/%s", path, item->d_name);
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0 && length > 0 && (size_t)length < sizeof file)
            (void)unlink(file);
    }
    if (directory) (void)closedir(directory);
    (void)rmdir(path);
}

static void let_go(acp_output_folder *folder) {
    int number = acp_output_file_held_signal();
    acp_output_file_hold_signals(false);
    free(folder->path);
    free(folder->temporary_path);
    memset(folder, 0, sizeof *folder);
    if (number == 0) return;
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void acp_output_folder_discard(acp_output_folder *folder) {
    if (folder->temporary_path && folder->path) remove_all(folder->temporary_path);
    if (folder->temporary_path || folder->path) let_go(folder);
}

acp_result acp_output_folder_commit(acp_output_folder *folder, acp_error *error) {
    if (acp_output_folder_is_interrupted()) {
        acp_output_folder_discard(folder); /* does not return, unless the signal is ignored */
        return acp_error_set(error, ACP_ERROR_CANCELLED, "create", "interrupted");
    }
    if (rename(folder->temporary_path, folder->path) != 0) {
        acp_result result = acp_error_set_errno(error, "rename", folder->path);
        acp_output_folder_discard(folder);
        return result;
    }
    let_go(folder);
    return ACP_OK;
}
