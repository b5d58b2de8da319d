/* SPDX-License-Identifier: MIT */
/* acphys, the command line: one sub-command per job (docs/cli.md).
 *
 * Here is the table of commands and nothing else; each lives in cmd_<name>.c, options.c parses and runs. Data goes to standard output,
 * messages to standard error; the exit code is one of ACP_EXIT_*. A program started with a standard stream closed gets /dev/null there, so
 * that no file of ours can take its number. */
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "support/output_file.h"
#include "tools/acphys/commands.h"

/* clang-format off */
static const acp_command *const commands[] = {
    &acp_command_demo,
    &acp_command_where,
    &acp_command_spawns,
    &acp_command_cells,
    &acp_command_move,
    &acp_command_run, &acp_command_replay,
    &acp_command_why,
    &acp_command_map,
    &acp_command_survey,
    &acp_command_dat,
    &acp_command_scene,
    &acp_command_eval,
    &acp_command_conform,
    &acp_command_wire,
    &acp_command_completions,
    &acp_command_version,
    &acp_command_help,
    NULL,
};
/* clang-format on */

const acp_command acp_command_root = {
    .name = "acphys",
    .summary = "the world and collision engine of Asheron's Call, bit for bit",
    .operands = "COMMAND …",
    .description = "One sub-command per job. Data is written to standard output, messages to standard error. Numbers are written in their "
                   "shortest form that reads back to the same bits, with a decimal point, in every locale.\n\n"
                   "Exit codes: 0 done, 1 a negative answer or differences found, 2 wrong usage, 3 bad input data, 4 input/output failed, "
                   "5 an internal fault.",
    .commands = commands,
};

/* Descriptors 0 to 2 exist from here on; a closed output becomes one that cannot be written. */
static void hold_standard_streams(void) {
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= 2);
    if (descriptor > 2) (void)close(descriptor);
}

int main(int argc, char **argv) {
    hold_standard_streams();
    acp_output_file_watch_signals();
    return acp_command_main(&acp_command_root, argc, argv);
}
