/* SPDX-License-Identifier: MIT */
/* Help texts and man pages (scdoc source) from the option tables. Text is wrapped at 80 columns; columns are counted in code points. */
#include <stdlib.h>
#include <string.h>

#include "tools/acphys/options.h"

#define WIDTH 80

static size_t columns(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Writes text wrapped, beginning at column `at`, later lines indented by `indent`. A line feed in the text begins a new line. */
static void wrap(FILE *stream, const char *text, size_t at, size_t indent) {
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t width = columns(text, length);
        if (at > indent && at + 1 + width > WIDTH) {
            (void)fprintf(stream, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            (void)fputc(' ', stream);
            at++;
        }
        (void)fwrite(text, 1, length, stream);
        at += width;
        text += length;
        if (*text == '\n') {
            (void)fprintf(stream, "\n%*s", text[1] == '\n' || text[1] == '\0' ? 0 : (int)indent, "");
            at = indent;
        }
        if (*text != '\0') text++;
    }
    (void)fputc('\n', stream);
}

void acp_command_print_synopsis(const acp_command *command, const char *path, FILE *stream) {
    bool has_operands = command->operands != NULL && command->operands[0] != '\0';
    (void)fprintf(stream, "%s%s%s%s\n", path, command->commands != NULL ? "" : " [options]", has_operands ? " " : "",
                  has_operands ? command->operands : "");
}

static void print_option(const acp_option *option, FILE *stream) {
    char head[96];
    int length = snprintf(head, sizeof head, "  %c%c%s--%s%s%s", option->letter != 0 ? '-' : ' ',
                          option->letter != 0 ? option->letter : ' ', option->letter != 0 ? ", " : "  ", option->name,
                          option->argument != NULL ? " " : "", option->argument != NULL ? option->argument : "");
    (void)fputs(head, stream);
    if (length > 27)
        (void)fprintf(stream, "\n%28s", "");
    else
        (void)fprintf(stream, "%*s", 28 - length, "");
    char text[512];
    length = snprintf(text, sizeof text, "%s", option->help);
    if (option->choices != NULL) length += snprintf(text + length, sizeof text - (size_t)length, ": %s", option->choices);
    if (option->fallback != NULL) (void)snprintf(text + length, sizeof text - (size_t)length, " (default %s)", option->fallback);
    wrap(stream, text, 28, 28);
}

void acp_command_print_help(const acp_command *command, const char *path, FILE *stream) {
    char title[256];
    (void)snprintf(title, sizeof title, "%s: %s", path, command->summary);
    wrap(stream, title, 0, 0);
    (void)fputs("\nUsage: ", stream);
    acp_command_print_synopsis(command, path, stream);
    if (command->description != NULL) {
        (void)fputc('\n', stream);
        wrap(stream, command->description, 0, 0);
    }
    if (command->commands != NULL) {
        (void)fputs("\nCommands:\n", stream);
        for (const acp_command *const *at = command->commands; *at != NULL; at++) {
            (void)fprintf(stream, "  %-15s ", (*at)->name);
            wrap(stream, (*at)->summary, 18, 18);
        }
        (void)fprintf(stream, "\n'%s COMMAND --help' tells more.\n", path);
        return;
    }
    if (command->option_count > 0) (void)fputs("\nOptions:\n", stream);
    for (uint32_t i = 0; i < command->option_count; i++)
        print_option(&command->options[i], stream);
    (void)fputs("\nCommon options:\n", stream);
    for (uint32_t i = 0; i < acp_command_standard_option_count; i++)
        print_option(&acp_command_standard_options[i], stream);
    if (command->examples == NULL) return;
    (void)fputs("\nExamples:\n", stream);
    for (const char *at = command->examples; *at != '\0';) {
        size_t line = strcspn(at, "\n"), tab = strcspn(at, "\t\n");
        (void)fprintf(stream, "  %.*s\n", (int)tab, at);
        if (tab < line) (void)fprintf(stream, "      %.*s\n", (int)(line - tab - 1), at + tab + 1);
        at += line + (at[line] == '\n');
    }
}

/* ---- man pages ---- */

static void put_scdoc(FILE *stream, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (strchr("*_\\#[]|<>.-", text[i]) != NULL && (text[i] != '.' || i == 0) && (text[i] != '-' || i == 0)) (void)fputc('\\', stream);
        (void)fputc(text[i], stream);
    }
}

static void put_scdoc_option(FILE *stream, const acp_option *option) {
    if (option->letter != 0) (void)fprintf(stream, "*-%c*, ", option->letter);
    (void)fprintf(stream, "*--%s*", option->name);
    if (option->argument != NULL) (void)fprintf(stream, " _%s_", option->argument);
    (void)fputs("\n\t", stream);
    put_scdoc(stream, option->help, strlen(option->help));
    if (option->choices != NULL) {
        (void)fputs(": ", stream);
        put_scdoc(stream, option->choices, strlen(option->choices));
    }
    if (option->fallback != NULL) {
        (void)fputs(" (default ", stream);
        put_scdoc(stream, option->fallback, strlen(option->fallback));
        (void)fputc(')', stream);
    }
    (void)fputs("\n\n", stream);
}

static void put_scdoc_paragraphs(FILE *stream, const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        put_scdoc(stream, text, length);
        text += length;
        if (*text == '\n') {
            (void)fputc('\n', stream);
            text++;
        }
    }
    (void)fputs("\n\n", stream);
}

static void put_page_name(FILE *stream, const char *path) {
    for (const char *at = path; *at != '\0'; at++)
        (void)fputc(*at == ' ' ? '-' : *at, stream);
}

void acp_command_print_scdoc(const acp_command *command, const char *path, FILE *stream) {
    put_page_name(stream, path);
    (void)fputs("(1)\n\n# NAME\n\n", stream);
    put_page_name(stream, path);
    (void)fprintf(stream, " - %s\n\n# SYNOPSIS\n\n*%s*%s ", command->summary, path, command->commands != NULL ? "" : " [_options_]");
    put_scdoc(stream, command->operands != NULL ? command->operands : "", strlen(command->operands != NULL ? command->operands : ""));
    (void)fputs("\n\n# DESCRIPTION\n\n", stream);
    put_scdoc_paragraphs(stream, command->description != NULL ? command->description : command->summary);
    if (command->commands != NULL) (void)fputs("# COMMANDS\n\n", stream);
    for (const acp_command *const *at = command->commands; at != NULL && *at != NULL; at++) {
        (void)fprintf(stream, "*%s*\n\t", (*at)->name);
        put_scdoc(stream, (*at)->summary, strlen((*at)->summary));
        (void)fputs("\n\n", stream);
    }
    if (command->commands == NULL) {
        (void)fputs("# OPTIONS\n\n", stream);
        for (uint32_t i = 0; i < command->option_count; i++)
            put_scdoc_option(stream, &command->options[i]);
        for (uint32_t i = 0; i < acp_command_standard_option_count; i++)
            put_scdoc_option(stream, &acp_command_standard_options[i]);
    }
    if (command->examples != NULL) (void)fputs("# EXAMPLES\n\n", stream);
    for (const char *at = command->examples; at != NULL && *at != '\0';) {
        size_t line = strcspn(at, "\n"), tab = strcspn(at, "\t\n");
        put_scdoc(stream, at, tab);
        (void)fputs("\n\t", stream);
        if (tab < line) put_scdoc(stream, at + tab + 1, line - tab - 1);
        (void)fputs("\n\n", stream);
        at += line + (at[line] == '\n');
    }
    (void)fputs(
        "# EXIT STATUS\n\n0 done, 1 a negative answer or differences found, 2 wrong usage, 3 bad input data, 4 input/output failed, "
        "5 an internal fault.\n",
        stream);
}
