/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_OUTPUT_FILE_H
#define ACP_SUPPORT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "acphys/result.h"

/* A file that appears whole or not at all: written beside its place under a temporary name, then flushed, synced and renamed. An
 * interrupted program (Ctrl-C, hang-up, broken pipe) removes what it had begun, when acp_output_file_watch_signals was called. A symbolic
 * link is followed and stays; a device, a pipe or a socket is written to as it is, never replaced. */
typedef struct acp_output_file {
    FILE *stream; /* write here */
    char *path;
    char *temporary_path; /* empty when direct */
    bool is_direct;       /* a device, pipe or socket: written to as it is */
    int slot;             /* in the list that the signal handler clears; -1 = none */
} acp_output_file;

acp_result acp_output_file_open(acp_output_file *file, const char *path, acp_error *error);
/* Everything is on disk under its own name, or an error and nothing is left. */
acp_result acp_output_file_commit(acp_output_file *file, acp_error *error);
/* Removes the temporary file. Harmless on a zeroed, committed or discarded one. */
void acp_output_file_discard(acp_output_file *file);

/* A file of these bytes. */
acp_result acp_output_file_write(const char *path, const void *bytes, size_t size, acp_error *error);

/* For outputs that others write (a DAT, a picture): a path to be removed if a signal ends the program before it is released. */
int acp_output_file_guard(const char *path);
void acp_output_file_release(int slot);
/* Installs the handlers (SIGINT, SIGTERM, SIGHUP, SIGPIPE): remove guarded files, then die of the signal. For main(). */
void acp_output_file_watch_signals(void);

/* For output_folder.c: while held, the first SIGINT, SIGTERM or SIGHUP is only noted (0: none came). */
void acp_output_file_hold_signals(bool holds);
int acp_output_file_held_signal(void);

#endif
