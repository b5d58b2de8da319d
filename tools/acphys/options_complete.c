/* SPDX-License-Identifier: MIT */
/* Completion scripts for bash, zsh and fish from the option tables.
 *
 * bash: one function that finds the command among the words and offers its options, choices or files. zsh: one _arguments call per command.
 * fish: one `complete` line per option. The tree of commands has at most three levels, which is how deep these walk. */
#include <string.h>

#include "tools/acphys/options.h"

/* Calls `visit` for every command below root with its words ("dat info"). */
static void each_command(const acp_command *command, const char *words, FILE *stream,
                         void (*visit)(const acp_command *command, const char *words, FILE *stream)) {
    for (const acp_command *const *at = command->commands; at != NULL && *at != NULL; at++) {
        char path[96];
        (void)snprintf(path, sizeof path, "%s%s%s", words, words[0] != '\0' ? " " : "", (*at)->name);
        visit(*at, path, stream);
        each_command(*at, path, stream, visit);
    }
}

static void put_choices(FILE *stream, const char *choices) {
    for (const char *at = choices; *at != '\0'; at++)
        (void)fputc(*at == '|' ? ' ' : *at, stream);
}

/* For single quotes of a shell: the texts of our tables hold apostrophes. */
static void put_quoted(FILE *stream, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\'')
            (void)fputs("'\\''", stream);
        else
            (void)fputc(*at, stream);
    }
}

/* ---- bash ---- */

static void bash_value_cases(const acp_option *options, uint32_t count, FILE *stream) {
    for (uint32_t i = 0; i < count; i++) {
        const acp_option *option = &options[i];
        if (option->kind == ACP_OPTION_FLAG) continue;
        (void)fprintf(stream, "        %c%c%s--%s) ", option->letter != 0 ? '-' : ' ', option->letter != 0 ? option->letter : ' ',
                      option->letter != 0 ? "|" : "", option->name);
        if (option->kind == ACP_OPTION_CHOICE) {
            (void)fputs("COMPREPLY=($(compgen -W \"", stream);
            put_choices(stream, option->choices);
            (void)fputs("\" -- \"$cur\")); return ;;\n", stream);
        } else if (option->kind == ACP_OPTION_FILE) {
            (void)fputs("COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", stream);
        } else if (option->kind == ACP_OPTION_DIRECTORY) {
            (void)fputs("COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", stream);
        } else {
            (void)fputs("return ;;\n", stream);
        }
    }
}

static void bash_words(const acp_command *command, FILE *stream) {
    for (uint32_t i = 0; i < command->option_count; i++)
        (void)fprintf(stream, "--%s ", command->options[i].name);
    for (uint32_t i = 0; i < acp_command_standard_option_count; i++)
        (void)fprintf(stream, "--%s ", acp_command_standard_options[i].name);
    for (const acp_command *const *at = command->commands; at != NULL && *at != NULL; at++)
        (void)fprintf(stream, "%s ", (*at)->name);
    if (command->operand_choices != NULL) put_choices(stream, command->operand_choices);
}

static void bash_command(const acp_command *command, const char *words, FILE *stream) {
    (void)fprintf(stream, "    '%s')\n        case \"$prev\" in\n", words);
    bash_value_cases(command->options, command->option_count, stream);
    bash_value_cases(acp_command_standard_options, acp_command_standard_option_count, stream);
    (void)fputs("        esac\n        words='", stream);
    bash_words(command, stream);
    (void)fprintf(stream, "'\n        files=%s ;;\n",
                  command->operand_kind == ACP_OPTION_FILE        ? "-f"
                  : command->operand_kind == ACP_OPTION_DIRECTORY ? "-d"
                                                                  : "");
}

static void print_bash(const acp_command *root, FILE *stream) {
    (void)fputs("# bash completion of acphys\n"
                "_acphys() {\n"
                "    local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" path='' words='' files='' word i\n"
                "    COMPREPLY=()\n"
                "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                "        word=\"${COMP_WORDS[i]}\"\n"
                "        case \" $(_acphys_commands \"$path\") \" in\n"
                "        *\" $word \"*) path=\"${path:+$path }$word\" ;;\n"
                "        esac\n"
                "    done\n"
                "    case \"$path\" in\n"
                "    '') words='",
                stream);
    bash_words(root, stream);
    (void)fputs("--version' ;;\n", stream);
    each_command(root, "", stream, bash_command);
    (void)fputs("    esac\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "    if [[ -n $files && $cur != -* ]]; then COMPREPLY+=($(compgen $files -- \"$cur\")); fi\n"
                "}\n",
                stream);
}

static void bash_subcommands(const acp_command *command, const char *words, FILE *stream) {
    if (command->commands == NULL) return;
    (void)fprintf(stream, "    '%s') echo '", words);
    for (const acp_command *const *at = command->commands; *at != NULL; at++)
        (void)fprintf(stream, "%s ", (*at)->name);
    (void)fputs("' ;;\n", stream);
}

static void print_bash_commands(const acp_command *root, FILE *stream) {
    (void)fputs("_acphys_commands() {\n    case \"$1\" in\n", stream);
    bash_subcommands(root, "", stream);
    each_command(root, "", stream, bash_subcommands);
    (void)fputs("    esac\n}\ncomplete -o filenames -F _acphys acphys\n", stream);
}

/* ---- zsh ---- */

static void zsh_text(FILE *stream, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr(":[]\\", *at) != NULL) (void)fputc('\\', stream);
        if (*at == '\'')
            (void)fputs("'\\''", stream);
        else
            (void)fputc(*at, stream);
    }
}

static void zsh_action(FILE *stream, acp_option_kind kind, const char *name, const char *choices) {
    (void)fprintf(stream, ":%s:", name);
    if (choices != NULL) {
        (void)fputc('(', stream);
        put_choices(stream, choices);
        (void)fputc(')', stream);
    } else if (kind == ACP_OPTION_FILE) {
        (void)fputs("_files", stream);
    } else if (kind == ACP_OPTION_DIRECTORY) {
        (void)fputs("_files -/", stream);
    }
}

static void zsh_option(const acp_option *option, FILE *stream) {
    if (option->letter != 0)
        (void)fprintf(stream, " \\\n            {-%c,--%s}'", option->letter, option->name);
    else
        (void)fprintf(stream, " \\\n            '--%s", option->name);
    (void)fputc('[', stream);
    zsh_text(stream, option->help);
    (void)fputc(']', stream);
    if (option->kind != ACP_OPTION_FLAG) zsh_action(stream, option->kind, option->argument, option->choices);
    (void)fputc('\'', stream);
}

static void zsh_list(const acp_command *command, FILE *stream) {
    (void)fputs("        local -a list=(", stream);
    for (const acp_command *const *at = command->commands; *at != NULL; at++) {
        (void)fprintf(stream, "'%s:", (*at)->name);
        zsh_text(stream, (*at)->summary);
        (void)fputs("' ", stream);
    }
    (void)fputs(")\n        _describe command list ;;\n", stream);
}

static void zsh_command(const acp_command *command, const char *words, FILE *stream) {
    (void)fprintf(stream, "    '%s')\n", words);
    if (command->commands != NULL) {
        zsh_list(command, stream);
        return;
    }
    (void)fputs("        _arguments -s", stream);
    for (uint32_t i = 0; i < command->option_count; i++)
        zsh_option(&command->options[i], stream);
    for (uint32_t i = 0; i < acp_command_standard_option_count; i++)
        zsh_option(&acp_command_standard_options[i], stream);
    if (command->operand_max > 0) {
        (void)fputs(" \\\n            '*", stream);
        zsh_action(stream, command->operand_kind, "operand", command->operand_choices);
        (void)fputc('\'', stream);
    }
    (void)fputs(" ;;\n", stream);
}

static void print_zsh(const acp_command *root, FILE *stream) {
    (void)fputs("#compdef acphys\n"
                "_acphys() {\n"
                "    local path='' known\n"
                "    while (( CURRENT > 2 )); do\n"
                "        known=\" $(_acphys_commands \"$path\") \"\n"
                "        [[ $known == *\" ${words[2]} \"* ]] || break\n"
                "        path=\"${path:+$path }${words[2]}\"\n"
                "        shift words\n"
                "        (( CURRENT-- ))\n"
                "    done\n"
                "    case \"$path\" in\n"
                "    '')\n",
                stream);
    zsh_list(root, stream);
    each_command(root, "", stream, zsh_command);
    (void)fputs("    esac\n}\n_acphys_commands() {\n    case \"$1\" in\n", stream);
    bash_subcommands(root, "", stream);
    each_command(root, "", stream, bash_subcommands);
    (void)fputs("    esac\n}\n_acphys \"$@\"\n", stream);
}

/* ---- fish ---- */

static void fish_condition(const char *words, FILE *stream) {
    (void)fputs("complete -c acphys -n '", stream);
    const char *at = words;
    while (*at != '\0') {
        size_t length = strcspn(at, " ");
        (void)fprintf(stream, "%s__fish_seen_subcommand_from %.*s", at == words ? "" : "; and ", (int)length, at);
        at += length + (at[length] == ' ');
    }
    (void)fputc('\'', stream);
}

static void fish_option(const acp_option *option, const char *words, FILE *stream) {
    fish_condition(words, stream);
    (void)fprintf(stream, " -l %s", option->name);
    if (option->letter != 0) (void)fprintf(stream, " -s %c", option->letter);
    if (option->kind == ACP_OPTION_CHOICE) {
        (void)fputs(" -x -a '", stream);
        put_choices(stream, option->choices);
        (void)fputc('\'', stream);
    } else if (option->kind == ACP_OPTION_FILE || option->kind == ACP_OPTION_DIRECTORY) {
        (void)fputs(option->kind == ACP_OPTION_FILE ? " -r -F" : " -x -a '(__fish_complete_directories)'", stream);
    } else if (option->kind != ACP_OPTION_FLAG) {
        (void)fputs(" -x", stream);
    }
    (void)fputs(" -d '", stream);
    put_quoted(stream, option->help);
    (void)fputs("'\n", stream);
}

static void fish_command(const acp_command *command, const char *words, FILE *stream) {
    const char *last = strrchr(words, ' ');
    if (last == NULL) {
        (void)fprintf(stream, "complete -c acphys -n __fish_use_subcommand -f -a %s -d '", command->name);
    } else {
        char outer[96];
        (void)snprintf(outer, sizeof outer, "%.*s", (int)(last - words), words);
        fish_condition(outer, stream);
        (void)fprintf(stream, " -f -a %s -d '", command->name);
    }
    put_quoted(stream, command->summary);
    (void)fputs("'\n", stream);
    for (uint32_t i = 0; i < command->option_count; i++)
        fish_option(&command->options[i], words, stream);
    if (command->commands != NULL) return;
    for (uint32_t i = 0; i < acp_command_standard_option_count; i++)
        fish_option(&acp_command_standard_options[i], words, stream);
    if (command->operand_choices != NULL) {
        fish_condition(words, stream);
        (void)fputs(" -f -a '", stream);
        put_choices(stream, command->operand_choices);
        (void)fputs("'\n", stream);
    }
}

bool acp_command_print_completions(const acp_command *root, const char *shell, FILE *stream) {
    if (strcmp(shell, "bash") == 0) {
        print_bash(root, stream);
        print_bash_commands(root, stream);
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh(root, stream);
    } else if (strcmp(shell, "fish") == 0) {
        (void)fputs("# fish completion of acphys\n", stream);
        each_command(root, "", stream, fish_command);
    } else {
        return false;
    }
    return true;
}
