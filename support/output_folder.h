/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_OUTPUT_FOLDER_H
#define ACP_SUPPORT_OUTPUT_FOLDER_H

#include <stdbool.h>

#include "acphys/result.h"

/* A folder that appears whole or not at all: filled under "<path>.tmp-<process>" beside its place, then renamed. While one is open, the
 * first of SIGINT, SIGTERM, SIGHUP only sets a flag (when acp_output_file_watch_signals was called), so that the writer can stop at the
 * next file, discard the folder and die of the signal; a second one kills at once. */
typedef struct acp_output_folder {
    char *path;
    char *temporary_path; /* put files here */
} acp_output_folder;

/* Refuses a place that is taken by anything but an empty folder (ACP_ERROR_DUPLICATE). */
acp_result acp_output_folder_open(acp_output_folder *folder, const char *path, acp_error *error);
/* The folder stands under its own name, or an error and nothing is left. */
acp_result acp_output_folder_commit(acp_output_folder *folder, acp_error *error);
/* Removes the temporary folder and its files, and dies of a signal that came meanwhile. Harmless on a zeroed or committed one. */
void acp_output_folder_discard(acp_output_folder *folder);

/* A signal waits for the folder to be discarded. */
bool acp_output_folder_is_interrupted(void);

#endif
