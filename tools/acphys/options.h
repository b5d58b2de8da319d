/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_OPTIONS_H
#define ACP_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "acphys/result.h"
#include "support/json.h"

/* One option table per command. From it come parsing, --help, the man pages and the completions of bash, zsh and fish. Commands are listed
 * in main.c; each lives in cmd_<name>.c:
 *
 *     static const acp_option options[] = {
 *         {.name = "bits", .help = "add the exact bits beside every float"},
 *         {.name = "limit", .letter = 'n', .kind = ACP_OPTION_INTEGER, .argument = "N", .fallback = "20", .help = "stop after N"},
 *         ACP_OPTION_JSON,
 *     };
 *     static int run(acp_command_line *line) { … acp_command_flag(line, "bits") … return ACP_EXIT_OK; }
 *     const acp_command acp_command_eval = {.name = "eval", .summary = "…", ACP_COMMAND_OPTIONS(options), .run = run, …};
 *
 * Every command has --help, --quiet, --verbose, --color and --progress besides its own. Long options may be written --name=value or --name
 * value; letters may be joined (-qv, -n5); -- ends the options. An unknown option or command is answered with the nearest known one. */

/* Exit codes (cli.md). */
enum {
    ACP_EXIT_OK = 0,
    ACP_EXIT_NEGATIVE = 1, /* a negative answer or differences found */
    ACP_EXIT_USAGE = 2,
    ACP_EXIT_BAD_DATA = 3,
    ACP_EXIT_IO = 4,
    ACP_EXIT_INTERNAL = 5
};

typedef enum acp_option_kind {
    ACP_OPTION_FLAG,
    ACP_OPTION_TEXT,
    ACP_OPTION_INTEGER, /* 0 or more, fits uint64; decimal or 0x… */
    ACP_OPTION_NUMBER,  /* finite */
    ACP_OPTION_CHOICE,  /* one of `choices` */
    ACP_OPTION_FILE,
    ACP_OPTION_DIRECTORY
} acp_option_kind;

typedef struct acp_option {
    const char *name;
    char letter; /* 0 = none */
    acp_option_kind kind;
    const char *argument; /* name of the value in the help, e.g. "N" */
    const char *choices;  /* "a|b|c" */
    const char *fallback; /* value when not given; null = none */
    const char *help;     /* a phrase without capital and full stop */
} acp_option;

#define ACP_OPTION_JSON                                                                                                                    \
    { .name = "json", .help = "print JSON instead of text" }

typedef struct acp_command_line acp_command_line;

typedef struct acp_command {
    const char *name;
    const char *summary;  /* a phrase: "answer operations given as JSON Lines" */
    const char *operands; /* "[FILE]", "FILE…", "" */
    uint32_t operand_min;
    uint32_t operand_max;         /* UINT32_MAX = any number */
    acp_option_kind operand_kind; /* for completion: TEXT, FILE, DIRECTORY, CHOICE */
    const char *operand_choices;  /* for CHOICE */
    const char *description;      /* paragraphs separated by blank lines */
    const char *examples;         /* lines "command\texplanation" or null */
    const acp_option *options;
    uint32_t option_count;
    int (*run)(acp_command_line *line);
    const struct acp_command *const *commands; /* sub-commands (dat info), null at the end; run is null then */
} acp_command;

#define ACP_COMMAND_OPTIONS(table) .options = (table), .option_count = (uint32_t)(sizeof(table) / sizeof(table)[0])

typedef enum acp_progress_form { ACP_PROGRESS_NONE, ACP_PROGRESS_TERMINAL, ACP_PROGRESS_JSON } acp_progress_form;

typedef struct acp_option_value {
    const acp_option *option;
    bool is_given;
    const char *text; /* given, or the fallback; null = neither */
    uint64_t integer;
    double number;
} acp_option_value;

#define ACP_COMMAND_MAX_OPTIONS 64u

struct acp_command_line {
    const acp_command *command;
    char path[96]; /* "acphys dat info", for messages */
    acp_option_value values[ACP_COMMAND_MAX_OPTIONS];
    uint32_t value_count;
    const char **operands;
    uint32_t operand_count;
    bool is_quiet;
    uint32_t verbosity;
    bool has_color;       /* standard output */
    bool has_error_color; /* standard error */
    acp_progress_form progress;
};

/* Values of options; naming one that the table lacks is a fault of the program. */
bool acp_command_flag(const acp_command_line *line, const char *name);
bool acp_command_is_given(const acp_command_line *line, const char *name);
/* Does the command's table have it? */
bool acp_command_has_option(const acp_command_line *line, const char *name);
const char *acp_command_text(const acp_command_line *line, const char *name); /* null when neither given nor a fallback */
uint64_t acp_command_integer(const acp_command_line *line, const char *name);
double acp_command_number(const acp_command_line *line, const char *name);

/* Messages on standard error, "acphys: …". note and detail are silent under --quiet; detail needs --verbose. */
void acp_command_error(const acp_command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
void acp_command_note(const acp_command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
void acp_command_detail(const acp_command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the error and gives the exit code that fits its result: bad data 3, I/O 4, caller's mistakes in arguments 2, the rest 5. */
int acp_command_fail(const acp_command_line *line, const acp_error *error);
/* The text of a report for standard output. When the writer was refused memory the text is short of something: acp_command_finish says so.
 */
const char *acp_command_json_text(acp_json_writer *writer);
/* The text as a file, whole or not at all; the exit code. */
int acp_command_write_json(const acp_command_line *line, const char *path, const acp_json_writer *writer);
/* Says so and gives ACP_EXIT_INTERNAL. */
int acp_command_out_of_memory(const acp_command_line *line);
int acp_exit_code_of(acp_result result);
/* A usage error: the message, the synopsis, exit code 2. */
int acp_command_usage(const acp_command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Progress on standard error: a line that rewrites itself on a terminal, JSON lines with --progress=json, else nothing. total 0 = unknown.
 * Cheap to call often; end with done == total or acp_command_progress_end. */
void acp_command_progress(const acp_command_line *line, const char *what, uint64_t done, uint64_t total);
void acp_command_progress_end(const acp_command_line *line);

/* Flushes standard output; a failure is reported and gives ACP_EXIT_IO, else `code`. Call it last in every run. */
int acp_command_finish(const acp_command_line *line, int code);

/* Parses and runs: what main() does. */
int acp_command_main(const acp_command *root, int argc, char **argv);

/* The options that every command has. */
extern const acp_option acp_command_standard_options[];
extern const uint32_t acp_command_standard_option_count;

/* The help text, a man page as scdoc source, and the completion script of "bash", "zsh" or "fish" (false for another shell). `path` is
 * "acphys" or "acphys dat info". */
void acp_command_print_help(const acp_command *command, const char *path, FILE *stream);
void acp_command_print_synopsis(const acp_command *command, const char *path, FILE *stream);
void acp_command_print_scdoc(const acp_command *command, const char *path, FILE *stream);
bool acp_command_print_completions(const acp_command *root, const char *shell, FILE *stream);

/* The sub-command of that name, or null. */
const acp_command *acp_command_find(const acp_command *command, const char *name);
/* The known name nearest to a mistyped one, or null when none is near. */
const char *acp_nearest_name(const char *name, const char *const *names, uint32_t count);

#endif
