/* SPDX-License-Identifier: MIT */
/* Parsing a command line by the option tables, and running the command.
 *
 * The words after the program's name lead down the tree of commands; what follows are options (long with = or a following word, letters
 * alone or joined) and operands, in any order; "--" ends the options. Every fault is a usage error with the nearest known name beside it.
 * Printing of help is in options_help.c, of completions in options_complete.c, messages and progress in options_message.c. */
#include "tools/acphys/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const acp_option acp_command_standard_options[] = {
    {.name = "help", .letter = 'h', .help = "print this help"},
    {.name = "quiet", .letter = 'q', .help = "print no notes and no progress"},
    {.name = "verbose", .letter = 'v', .help = "print more about what is done"},
    {.name = "color",
     .kind = ACP_OPTION_CHOICE,
     .argument = "WHEN",
     .choices = "auto|always|never",
     .fallback = "auto",
     .help = "color the output"},
    {.name = "progress",
     .kind = ACP_OPTION_CHOICE,
     .argument = "HOW",
     .choices = "auto|none|json",
     .fallback = "auto",
     .help = "show progress on standard error"},
};
const uint32_t acp_command_standard_option_count = sizeof acp_command_standard_options / sizeof acp_command_standard_options[0];

/* ---- names ---- */

const acp_command *acp_command_find(const acp_command *command, const char *name) {
    for (const acp_command *const *at = command->commands; at != NULL && *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0) return *at;
    return NULL;
}

/* Edit distance (insert, delete, replace, swap of neighbours), names up to 40 bytes. */
static uint32_t distance(const char *a, const char *b) {
    uint32_t rows[3][42];
    uint32_t a_length = (uint32_t)strlen(a), b_length = (uint32_t)strlen(b);
    if (a_length > 40 || b_length > 40) return UINT32_MAX;
    for (uint32_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *acp_nearest_name(const char *name, const char *const *names, uint32_t count) {
    const char *nearest = NULL;
    uint32_t best = strlen(name) <= 4 ? 2 : 3; /* nearer than this */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t d = distance(name, names[i]);
        bool is_beginning = strlen(name) >= 2 && strncmp(names[i], name, strlen(name)) == 0;
        if (is_beginning && d > 1) d = 1;
        if (d >= best) continue;
        best = d;
        nearest = names[i];
    }
    return nearest;
}

/* ---- values ---- */

static const acp_option_value *find_value(const acp_command_line *line, const char *name) {
    for (uint32_t i = 0; i < line->value_count; i++)
        if (strcmp(line->values[i].option->name, name) == 0) return &line->values[i];
    (void)fprintf(stderr, "%s: internal fault: no option --%s in the table\n", line->path, name);
    exit(ACP_EXIT_INTERNAL);
}

bool acp_command_has_option(const acp_command_line *line, const char *name) {
    for (uint32_t i = 0; i < line->value_count; i++)
        if (strcmp(line->values[i].option->name, name) == 0) return true;
    return false;
}

bool acp_command_flag(const acp_command_line *line, const char *name) { return find_value(line, name)->is_given; }
bool acp_command_is_given(const acp_command_line *line, const char *name) { return find_value(line, name)->is_given; }
const char *acp_command_text(const acp_command_line *line, const char *name) { return find_value(line, name)->text; }
uint64_t acp_command_integer(const acp_command_line *line, const char *name) { return find_value(line, name)->integer; }
double acp_command_number(const acp_command_line *line, const char *name) { return find_value(line, name)->number; }

static bool is_choice(const char *choices, const char *text) {
    size_t length = strlen(text);
    for (const char *at = choices; *at != '\0';) {
        size_t span = strcspn(at, "|");
        if (span == length && memcmp(at, text, length) == 0) return true;
        at += span;
        if (*at == '|') at++;
    }
    return false;
}

/* Null, or what is wrong with the text of a value. */
static const char *convert(acp_option_value *value, const char *text) {
    char *end;
    value->text = text;
    errno = 0;
    if (value->option->kind == ACP_OPTION_INTEGER) {
        bool is_hex = text[0] == '0' && (text[1] | 0x20) == 'x';
        if (text[0] < '0' || text[0] > '9') return "must be a whole number of at least 0";
        value->integer = strtoull(text, &end, is_hex ? 16 : 10);
        if (*end != '\0' || end == text || errno != 0) return "must be a whole number of at least 0";
    } else if (value->option->kind == ACP_OPTION_NUMBER) {
        value->number = strtod(text, &end);
        if (*end != '\0' || end == text || !isfinite(value->number)) return "must be a number";
    } else if (value->option->kind == ACP_OPTION_CHOICE) {
        if (!is_choice(value->option->choices, text)) return "must be one of";
    } else if (value->option->kind != ACP_OPTION_TEXT && text[0] == '\0') {
        return "must not be empty";
    }
    return NULL;
}

static void add_options(acp_command_line *line, const acp_option *options, uint32_t count) {
    for (uint32_t i = 0; i < count && line->value_count < ACP_COMMAND_MAX_OPTIONS; i++) {
        acp_option_value *value = &line->values[line->value_count++];
        *value = (acp_option_value){.option = &options[i]};
        if (options[i].fallback != NULL) (void)convert(value, options[i].fallback);
    }
}

/* ---- parsing ---- */

static int unknown_option(const acp_command_line *line, const char *word, const char *name, size_t length) {
    char text[64];
    const char *names[ACP_COMMAND_MAX_OPTIONS];
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), name);
    for (uint32_t i = 0; i < line->value_count; i++)
        names[i] = line->values[i].option->name;
    const char *nearest = acp_nearest_name(text, names, line->value_count);
    if (nearest != NULL) return acp_command_usage(line, "unknown option '%s'; did you mean --%s?", word, nearest);
    return acp_command_usage(line, "unknown option '%s'", word);
}

/* Gives `value` its text; `next` is consumed when the option wants a value and has none of its own. */
static int take(const acp_command_line *line, acp_option_value *value, const char *own, const char *next, bool *out_consumed) {
    const acp_option *option = value->option;
    *out_consumed = false;
    if (option->kind == ACP_OPTION_FLAG) {
        if (own != NULL) return acp_command_usage(line, "option --%s takes no value", option->name);
        value->integer++; /* how often: -vv */
        value->is_given = true;
        return ACP_EXIT_OK;
    }
    if (own == NULL) {
        if (next == NULL) return acp_command_usage(line, "option --%s needs a value %s", option->name, option->argument);
        own = next;
        *out_consumed = true;
    }
    const char *wrong = convert(value, own);
    value->is_given = true;
    if (wrong == NULL) return ACP_EXIT_OK;
    return acp_command_usage(line, "option --%s %s%s%s, not '%s'", option->name, wrong, option->choices != NULL ? " " : "",
                             option->choices != NULL ? option->choices : "", own);
}

static int parse_long(acp_command_line *line, const char *word, const char *next, bool *out_consumed) {
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *own = name[length] == '=' ? name + length + 1 : NULL;
    for (uint32_t i = 0; i < line->value_count; i++) {
        acp_option_value *value = &line->values[i];
        if (strlen(value->option->name) == length && memcmp(value->option->name, name, length) == 0)
            return take(line, value, own, next, out_consumed);
    }
    return unknown_option(line, word, name, length);
}

static int parse_letters(acp_command_line *line, const char *word, const char *next, bool *out_consumed) {
    for (const char *at = word + 1; *at != '\0'; at++) {
        acp_option_value *value = NULL;
        for (uint32_t i = 0; i < line->value_count && value == NULL; i++)
            if (line->values[i].option->letter == *at) value = &line->values[i];
        if (value == NULL) return unknown_option(line, word, word + 1, strlen(word + 1));
        bool is_flag = value->option->kind == ACP_OPTION_FLAG;
        const char *own = is_flag || at[1] == '\0' ? NULL : at + 1;
        int code = take(line, value, own, next, out_consumed);
        if (code != ACP_EXIT_OK) return code;
        if (!is_flag) break;
    }
    return ACP_EXIT_OK;
}

/* A word like -12.5 is an operand (a coordinate), not a row of letters. */
static bool is_negative_number(const char *word) {
    char *end;
    if (word[0] != '-' || !((word[1] >= '0' && word[1] <= '9') || word[1] == '.')) return false;
    (void)strtod(word, &end);
    return end != word;
}

static int parse_words(acp_command_line *line, int count, char **words) {
    bool has_ended = false;
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        const char *next = i + 1 < count ? words[i + 1] : NULL;
        bool consumed = false;
        int code = ACP_EXIT_OK;
        if (has_ended || word[0] != '-' || word[1] == '\0' || is_negative_number(word))
            line->operands[line->operand_count++] = word;
        else if (strcmp(word, "--") == 0)
            has_ended = true;
        else
            code = word[1] == '-' ? parse_long(line, word, next, &consumed) : parse_letters(line, word, next, &consumed);
        if (code != ACP_EXIT_OK) return code;
        i += consumed;
    }
    return ACP_EXIT_OK;
}

static bool wants_color(const char *when, int descriptor) {
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(when, "auto") != 0) return strcmp(when, "always") == 0;
    if (no_color != NULL && no_color[0] != '\0') return false;
    return isatty(descriptor) != 0 && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static void settle(acp_command_line *line) {
    const char *progress = acp_command_text(line, "progress"), *color = acp_command_text(line, "color");
    line->is_quiet = acp_command_flag(line, "quiet");
    line->verbosity = (uint32_t)acp_command_integer(line, "verbose");
    line->has_color = wants_color(color, 1);
    line->has_error_color = wants_color(color, 2);
    line->progress = ACP_PROGRESS_NONE;
    if (strcmp(progress, "json") == 0)
        line->progress = ACP_PROGRESS_JSON;
    else if (strcmp(progress, "auto") == 0 && !line->is_quiet && isatty(2) != 0)
        line->progress = ACP_PROGRESS_TERMINAL;
}

static int unknown_command(const acp_command_line *line, const char *word) {
    const char *names[64];
    uint32_t count = 0;
    for (const acp_command *const *at = line->command->commands; *at != NULL && count < 64; at++)
        names[count++] = (*at)->name;
    const char *nearest = acp_nearest_name(word, names, count);
    if (nearest != NULL) return acp_command_usage(line, "unknown command '%s'; did you mean '%s'?", word, nearest);
    return acp_command_usage(line, "unknown command '%s'", word);
}

static int check_operands(const acp_command_line *line) {
    const acp_command *command = line->command;
    if (line->operand_count < command->operand_min)
        return acp_command_usage(line, line->operand_count == 0 ? "missing %s" : "too few operands: %s", command->operands);
    if (line->operand_count > command->operand_max) return acp_command_usage(line, "unexpected '%s'", line->operands[command->operand_max]);
    if (command->operand_choices == NULL) return ACP_EXIT_OK;
    for (uint32_t i = 0; i < line->operand_count; i++)
        if (!is_choice(command->operand_choices, line->operands[i]))
            return acp_command_usage(line, "'%s' is not one of %s", line->operands[i], command->operand_choices);
    return ACP_EXIT_OK;
}

static int run_group(acp_command_line *line, const char *word) {
    if (word == NULL) {
        acp_command_print_help(line->command, line->path, stderr);
        return ACP_EXIT_USAGE;
    }
    return unknown_command(line, word);
}

int acp_command_main(const acp_command *root, int argc, char **argv) {
    acp_command_line line = {.command = root};
    int at = 1;
    size_t length = (size_t)snprintf(line.path, sizeof line.path, "%s", root->name);
    while (at < argc) {
        const char *word = argv[at];
        if (line.command == root && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) word = "version";
        const acp_command *inner = acp_command_find(line.command, word);
        if (inner == NULL) break;
        line.command = inner;
        length += (size_t)snprintf(line.path + length, sizeof line.path - length, " %s", inner->name);
        at++;
    }
    const char **operands = calloc((size_t)argc + 1, sizeof *operands);
    if (operands == NULL) return acp_command_out_of_memory(&line);
    line.operands = operands;
    add_options(&line, line.command->options, line.command->option_count);
    add_options(&line, acp_command_standard_options, acp_command_standard_option_count);
    int code = parse_words(&line, argc - at, argv + at);
    if (code == ACP_EXIT_OK && acp_command_flag(&line, "help")) {
        acp_command_print_help(line.command, line.path, stdout);
        code = acp_command_finish(&line, ACP_EXIT_OK);
    } else if (code == ACP_EXIT_OK && line.command->run == NULL) {
        code = run_group(&line, line.operand_count > 0 ? line.operands[0] : NULL);
    } else if (code == ACP_EXIT_OK) {
        settle(&line);
        code = check_operands(&line);
        if (code == ACP_EXIT_OK) code = line.command->run(&line);
    }
    free((void *)operands);
    return code;
}
