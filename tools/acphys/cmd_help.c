/* SPDX-License-Identifier: MIT */
/* `acphys help` and `acphys completions`: what the program says about itself. `help --scdoc` gives the man pages, which the
 * build turns into roff; with --out it writes the page of every command into a folder. */
#include <stdio.h>
#include <string.h>

#include "support/output_file.h"
#include "tools/acphys/commands.h"

/* Follows the operands down the tree. */
static const acp_command *follow(const acp_command_line *line, char path[96]) {
    const acp_command *command = &acp_command_root;
    size_t length = (size_t)snprintf(path, 96, "%s", command->name);
    for (uint32_t i = 0; i < line->operand_count; i++) {
        command = acp_command_find(command, line->operands[i]);
        if (command == NULL) return NULL;
        length += (size_t)snprintf(path + length, length < 96 ? 96 - length : 0, " %s", command->name);
    }
    return command;
}

/* Writes <folder>/<path with dashes>.1.scd for a command and all below it. */
static int write_pages(const acp_command_line *line, const acp_command *command, const char *path, const char *folder) {
    char name[512];
    acp_error error;
    acp_output_file file;
    int length = snprintf(name, sizeof name, "%s/%s.1.scd", folder, path);
    if (length < 0 || (size_t)length >= sizeof name) return acp_command_usage(line, "the path of --out is too long");
    for (char *at = name + strlen(folder); *at != '\0'; at++)
        if (*at == ' ') *at = '-';
    if (acp_output_file_open(&file, name, &error) != ACP_OK) return acp_command_fail(line, &error);
    acp_command_print_scdoc(command, path, file.stream);
    if (acp_output_file_commit(&file, &error) != ACP_OK) return acp_command_fail(line, &error);
    for (const acp_command *const *at = command->commands; at != NULL && *at != NULL; at++) {
        char inner[96];
        (void)snprintf(inner, sizeof inner, "%s %s", path, (*at)->name);
        int code = write_pages(line, *at, inner, folder);
        if (code != ACP_EXIT_OK) return code;
    }
    return ACP_EXIT_OK;
}

static int run_help(acp_command_line *line) {
    char path[96];
    const acp_command *command = follow(line, path);
    const char *folder = acp_command_text(line, "out");
    if (command == NULL) return acp_command_usage(line, "there is no command of this name");
    if (folder != NULL) return write_pages(line, command, path, folder);
    if (acp_command_flag(line, "scdoc"))
        acp_command_print_scdoc(command, path, stdout);
    else
        acp_command_print_help(command, path, stdout);
    return acp_command_finish(line, ACP_EXIT_OK);
}

static const acp_option help_options[] = {
    {.name = "scdoc", .help = "print the man page as scdoc source"},
    {.name = "out",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "write the scdoc sources of the command and all below it there"},
};

const acp_command acp_command_help = {
    .name = "help",
    .summary = "tell about a command",
    .operands = "[COMMAND …]",
    .operand_max = 3,
    ACP_COMMAND_OPTIONS(help_options),
    .run = run_help,
};

static int run_completions(acp_command_line *line) {
    (void)acp_command_print_completions(&acp_command_root, line->operands[0], stdout);
    return acp_command_finish(line, ACP_EXIT_OK);
}

const acp_command acp_command_completions = {
    .name = "completions",
    .summary = "print the completion script of a shell",
    .operands = "SHELL",
    .operand_min = 1,
    .operand_max = 1,
    .operand_kind = ACP_OPTION_CHOICE,
    .operand_choices = "bash|zsh|fish",
    .description =
        "bash: source the output, or put it into the completions folder. zsh: save it as _acphys in a folder of fpath. fish: save it "
        "as acphys.fish in the completions folder.",
    .examples = "source <(acphys completions bash)\tcompletion in this bash",
    .run = run_completions,
};
