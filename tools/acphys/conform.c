/* SPDX-License-Identifier: MIT */
/* Recomputing a vector line and finding the first difference.
 *
 * The operation runs exactly as under `eval`, with a writer that puts only the _hex twins; its answer is read back and walked beside the
 * expected `out`. What decides: K_hex where the expectation has it (bit for bit, any NaN equal to any NaN), else the decimals against the
 * answer's bits; integers, ids, strings and lists exactly; a null expectation means the member may be absent. With `tol` a float may differ
 * by that much, nothing else. Keys that only the answer has are ignored. A line that expects an `error` passes when the code is the same.
 * Definitions without an operation of their own are not counted. Recursion follows the nesting of the expectation, which the reader caps.
 */
#include "tools/acphys/conform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/json_lines.h"

struct acp_conform {
    acp_eval *eval;
    acp_json_reader line_reader;
    acp_json_reader answer_reader;
    acp_json_writer writer;
    acp_json_writer text; /* for the two values of a difference */
};

acp_conform *acp_conform_new(void) {
    acp_conform *conform = calloc(1, sizeof *conform);
    if (conform == NULL) return NULL;
    conform->eval = acp_eval_new();
    conform->writer.float_form = ACP_JSON_HEX_ONLY;
    if (conform->eval != NULL) return conform;
    free(conform);
    return NULL;
}

void acp_conform_free(acp_conform *conform) {
    if (conform == NULL) return;
    acp_eval_free(conform->eval);
    acp_json_reader_free(&conform->line_reader);
    acp_json_reader_free(&conform->answer_reader);
    acp_json_writer_free(&conform->writer);
    acp_json_writer_free(&conform->text);
    free(conform);
}

void acp_conform_begin_file(acp_conform *conform) { acp_eval_forget_definitions(conform->eval); }

/* ---- the walk ---- */

typedef struct walk {
    acp_conform *conform;
    acp_conform_outcome *outcome;
    size_t path_length;
    double tolerance; /* negative = none */
} walk;

static size_t path_enter(walk *w, const char *separator, const char *name, size_t length) {
    size_t mark = w->path_length, capacity = sizeof w->outcome->path;
    int added = snprintf(w->outcome->path + mark, capacity - mark, "%s%.*s", mark == 0 ? "" : separator, (int)length, name);
    w->path_length = added < 0 || (size_t)added >= capacity - mark ? capacity - 1 : mark + (size_t)added;
    return mark;
}

static void path_leave(walk *w, size_t mark) {
    w->path_length = mark;
    w->outcome->path[mark] = '\0';
}

static void shorten(char *to, size_t capacity, const char *text) {
    size_t length = strlen(text);
    if (length < capacity) {
        memcpy(to, text, length + 1);
        return;
    }
    memcpy(to, text, capacity - 4);
    memcpy(to + capacity - 4, "...", 4);
}

static const char *tree_text(walk *w, const acp_json *value) {
    if (value == NULL) return "(absent)";
    acp_json_writer_reset(&w->conform->text);
    acp_json_write_tree(&w->conform->text, NULL, value);
    return acp_json_writer_text(&w->conform->text);
}

/* The floats of a _hex string as decimals, then the digits. */
static const char *hex_text(walk *w, const acp_json *twin) {
    acp_json_writer *text = &w->conform->text;
    acp_json_input input = {.result = ACP_OK};
    acp_json member = *twin;
    acp_json object = {.type = ACP_JSON_OBJECT, .count = 1, .first = &member};
    member.key = "x_hex";
    member.key_length = 5;
    member.next = NULL;
    acp_json_writer_reset(text);
    if (twin->count == 16) {
        acp_json_write_double(text, NULL, acp_json_get_double(&input, &object, "x"));
    } else {
        float values[12];
        uint32_t count = acp_json_count_floats(&input, &object, "x");
        uint32_t shown = count < 12 ? count : 12;
        acp_json_reader scratch = {.byte_limit = 0};
        const float *floats = acp_json_get_floats(&input, &scratch, &object, "x", &count);
        for (uint32_t i = 0; i < shown && i < count; i++)
            values[i] = floats[i];
        if (count == 1)
            acp_json_write_float(text, NULL, values[0]);
        else if (count > 0)
            acp_json_write_floats(text, NULL, values, shown);
        acp_json_reader_free(&scratch);
    }
    acp_json_write_piece(text, "  ", 2);
    acp_json_write_piece(text, twin->text, twin->count);
    return acp_json_writer_text(text);
}

static bool differ(walk *w, const acp_json *expected, const acp_json *actual, bool is_hex) {
    acp_conform_outcome *outcome = w->outcome;
    bool shows_hex = is_hex && expected != NULL && expected->type == ACP_JSON_STRING;
    shorten(outcome->expected, sizeof outcome->expected, shows_hex ? hex_text(w, expected) : tree_text(w, expected));
    shows_hex = is_hex && actual != NULL && actual->type == ACP_JSON_STRING;
    shorten(outcome->actual, sizeof outcome->actual, shows_hex ? hex_text(w, actual) : tree_text(w, actual));
    return false;
}

/* ---- floats ---- */

static bool read_group(const char *text, uint32_t digits, uint64_t *out_bits, double *out_value) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < digits; i++) {
        char c = text[i];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (uint32_t)((c | 0x20) - 'a') + 10;
        else
            return false;
        bits = bits << 4 | digit;
    }
    *out_bits = bits;
    if (digits == 16) {
        memcpy(out_value, &bits, sizeof bits);
    } else {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof half);
        *out_value = (double)value;
    }
    return true;
}

static bool is_same_float(const walk *w, uint64_t expected_bits, double expected, uint64_t bits, double value) {
    if (expected_bits == bits) return true;
    if (isnan(expected) && isnan(value)) return true;
    return w->tolerance >= 0.0 && fabs(expected - value) <= w->tolerance;
}

/* Two _hex strings. */
static bool is_same_hex(const walk *w, const acp_json *expected, const acp_json *actual) {
    if (expected->count == actual->count && memcmp(expected->text, actual->text, expected->count) == 0) return true;
    if (expected->count != actual->count) return false;
    const char *space = memchr(expected->text, ' ', expected->count);
    uint32_t digits = space != NULL ? (uint32_t)(space - expected->text) : expected->count;
    if (digits != 8 && digits != 16) return false;
    for (uint32_t at = 0; at < expected->count; at += digits + 1) {
        uint64_t a_bits, b_bits;
        double a, b;
        if (expected->count - at < digits || !read_group(expected->text + at, digits, &a_bits, &a) ||
            !read_group(actual->text + at, digits, &b_bits, &b))
            return false;
        if (!is_same_float(w, a_bits, a, b_bits, b)) return false;
    }
    return true;
}

/* Expected decimals (nested as they like) against the answer's _hex. */
static bool is_same_decimals(walk *w, const acp_json *expected, const acp_json *twin) {
    if (twin->type != ACP_JSON_STRING) return false;
    acp_json member = *expected;
    acp_json object = {.type = ACP_JSON_OBJECT, .count = 1, .first = &member};
    acp_json_input input = {.result = ACP_OK};
    uint64_t bits, expected_bits;
    double value, wide;
    member.key = "x";
    member.key_length = 1;
    member.next = NULL;
    if (twin->count == 16) {
        if (!read_group(twin->text, 16, &bits, &value) || !acp_json_to_double(expected, &wide)) return false;
        return wide == value || is_same_float(w, ~bits, wide, bits, value);
    }
    uint32_t count;
    const float *floats = acp_json_get_floats(&input, &w->conform->answer_reader, &object, "x", &count);
    if (acp_json_is_failed(&input)) return false;
    if (count == 0) return twin->count == 0;
    if ((uint64_t)twin->count + 1 != (uint64_t)count * 9) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_group(twin->text + (size_t)i * 9, 8, &bits, &value)) return false;
        uint32_t half;
        memcpy(&half, &floats[i], sizeof half);
        expected_bits = half;
        if ((double)floats[i] != value && !is_same_float(w, expected_bits, (double)floats[i], bits, value)) return false;
    }
    return true;
}

static bool is_fractional(const acp_json *value) {
    for (uint32_t i = 0; i < value->count; i++)
        if (value->text[i] == '.' || (value->text[i] | 0x20) == 'e') return true;
    return false;
}

static bool is_same_number(const walk *w, const acp_json *expected, const acp_json *actual) {
    double a, b;
    float a32, b32;
    if (!acp_json_to_double(expected, &a) || !acp_json_to_double(actual, &b)) return false;
    if (a == b) return true;
    if (!is_fractional(expected) && !is_fractional(actual)) return false;
    if (acp_json_to_float(expected, &a32) && acp_json_to_float(actual, &b32) && a32 == b32) return true;
    return w->tolerance >= 0.0 && fabs(a - b) <= w->tolerance;
}

/* ---- values ---- */

static bool compare_value(walk *w, const acp_json *expected, const acp_json *actual);

static bool has_suffix_hex(const acp_json *member) {
    return member->key_length > 4 && memcmp(member->key + member->key_length - 4, "_hex", 4) == 0;
}

static const acp_json *member_named(const acp_json *object, const char *name, size_t length, bool is_twin) {
    size_t whole = length + (is_twin ? 4 : 0);
    for (const acp_json *member = object->first; member != NULL; member = member->next)
        if (member->key_length == whole && memcmp(member->key, name, length) == 0 &&
            (!is_twin || memcmp(member->key + length, "_hex", 4) == 0))
            return member;
    return NULL;
}

static bool compare_member(walk *w, const acp_json *object, const acp_json *expected, const acp_json *actual_object) {
    const char *key = expected->key;
    size_t length = expected->key_length;
    const acp_json *actual = member_named(actual_object, key, length, false);
    if (has_suffix_hex(expected)) {
        if (expected->type == ACP_JSON_NULL && actual == NULL) return true;
        if (actual != NULL && actual->type == ACP_JSON_STRING && expected->type == ACP_JSON_STRING)
            return is_same_hex(w, expected, actual) || differ(w, expected, actual, true);
        return actual != NULL ? compare_value(w, expected, actual) : differ(w, expected, actual, true);
    }
    const acp_json *decisive = member_named(object, key, length, true);
    if (decisive != NULL && decisive->type != ACP_JSON_NULL) return true;
    const acp_json *twin = member_named(actual_object, key, length, true);
    if (twin != NULL && (actual == NULL || twin->type == ACP_JSON_STRING))
        return is_same_decimals(w, expected, twin) || differ(w, expected, twin, true);
    if (actual == NULL) return expected->type == ACP_JSON_NULL || differ(w, expected, actual, false);
    return compare_value(w, expected, actual);
}

static bool compare_object(walk *w, const acp_json *expected, const acp_json *actual) {
    for (const acp_json *member = expected->first; member != NULL; member = member->next) {
        size_t mark = path_enter(w, ".", member->key, member->key_length);
        if (!compare_member(w, expected, member, actual)) return false;
        path_leave(w, mark);
    }
    return true;
}

static bool compare_array(walk *w, const acp_json *expected, const acp_json *actual) {
    const acp_json *b = actual->first;
    uint32_t index = 0;
    for (const acp_json *a = expected->first; a != NULL && b != NULL; a = a->next, b = b->next, index++) {
        char name[16];
        int length = snprintf(name, sizeof name, "[%u]", index);
        size_t mark = path_enter(w, "", name, (size_t)length);
        if (!compare_value(w, a, b)) return false;
        path_leave(w, mark);
    }
    return expected->count == actual->count || differ(w, expected, actual, false);
}

static int truth(const acp_json *value) {
    double number;
    if (value->type == ACP_JSON_TRUE || value->type == ACP_JSON_FALSE) return value->type == ACP_JSON_TRUE ? 1 : 0;
    if (!acp_json_to_double(value, &number)) return -1;
    return number == 0.0 ? 0 : number == 1.0 ? 1 : -1;
}

static bool is_bool(const acp_json *value) { return value->type == ACP_JSON_TRUE || value->type == ACP_JSON_FALSE; }

static bool compare_value(walk *w, const acp_json *expected, const acp_json *actual) {
    bool is_same = false;
    if (expected->type == ACP_JSON_OBJECT && actual->type == ACP_JSON_OBJECT) return compare_object(w, expected, actual);
    if (expected->type == ACP_JSON_ARRAY && actual->type == ACP_JSON_ARRAY) return compare_array(w, expected, actual);
    if (expected->type == ACP_JSON_NUMBER && actual->type == ACP_JSON_NUMBER)
        is_same = is_same_number(w, expected, actual);
    else if (is_bool(expected) || is_bool(actual))
        is_same = truth(expected) >= 0 && truth(expected) == truth(actual);
    else if (expected->type == ACP_JSON_STRING && actual->type == ACP_JSON_STRING)
        is_same = expected->count == actual->count && memcmp(expected->text, actual->text, expected->count) == 0;
    else
        is_same = expected->type == ACP_JSON_NULL && actual->type == ACP_JSON_NULL;
    return is_same || differ(w, expected, actual, false);
}

/* ---- lines ---- */

static void describe_line(acp_conform *conform, const acp_json *line, acp_conform_outcome *outcome) {
    const acp_json *op = acp_json_member(line, "op");
    acp_json_writer_reset(&conform->text);
    const acp_json *id = acp_json_member(line, "id");
    if (id != NULL) acp_json_write_tree(&conform->text, NULL, id); /* an absent one stays absent */
    shorten(outcome->id, sizeof outcome->id, acp_json_writer_text(&conform->text));
    if (op != NULL && op->type == ACP_JSON_STRING)
        (void)snprintf(outcome->operation, sizeof outcome->operation, "%.*s", (int)op->count, op->text);
}

static void judge_error(acp_conform_outcome *outcome, const acp_json *line, const acp_error *error, bool is_known) {
    const acp_json *expected = acp_json_member(line, "error");
    const acp_json *code = acp_json_member(expected, "code");
    (void)snprintf(outcome->message, sizeof outcome->message, "%s%s%.180s", error->field, error->field[0] != '\0' ? ": " : "",
                   error->message);
    outcome->status = is_known || error->code != ACP_ERROR_UNSUPPORTED ? ACP_CONFORM_FAILED : ACP_CONFORM_UNKNOWN;
    if (code != NULL && acp_json_is_text(code, acp_result_name(error->code))) outcome->status = ACP_CONFORM_PASSED;
}

static acp_result judge_answer(acp_conform *conform, const acp_json *line, acp_conform_outcome *outcome) {
    const acp_json *expected = acp_json_member(line, "out");
    const acp_json *tolerance = acp_json_member(line, "tol");
    walk w = {.conform = conform, .outcome = outcome, .tolerance = -1.0};
    acp_json_fault fault = {0};
    const acp_json *actual = acp_json_read(&conform->answer_reader, conform->writer.text, conform->writer.length, &fault);
    if (actual == NULL && fault.is_out_of_memory) return ACP_ERROR_OUT_OF_MEMORY;
    outcome->status = ACP_CONFORM_FAILED;
    if (acp_json_member(line, "error") != NULL)
        (void)snprintf(outcome->message, sizeof outcome->message, "an error was expected and none came");
    else if (expected == NULL || expected->type != ACP_JSON_OBJECT)
        (void)snprintf(outcome->message, sizeof outcome->message, "the line has no expected out: nothing to compare");
    else if (actual == NULL)
        (void)snprintf(outcome->message, sizeof outcome->message, "the answer is no JSON");
    else if (tolerance != NULL && (!acp_json_to_double(tolerance, &w.tolerance) || !(w.tolerance >= 0.0)))
        (void)snprintf(outcome->message, sizeof outcome->message, "tol must be a number of at least 0");
    else if (compare_object(&w, expected, actual))
        outcome->status = ACP_CONFORM_PASSED;
    return ACP_OK;
}

acp_result acp_conform_line(acp_conform *conform, const char *text, size_t length, acp_conform_outcome *out_outcome) {
    *out_outcome = (acp_conform_outcome){.status = ACP_CONFORM_FAILED, .section = ""};
    size_t blank = 0;
    while (blank < length && (text[blank] == ' ' || text[blank] == '\t' || text[blank] == '\r'))
        blank++;
    if (blank == length) {
        out_outcome->status = ACP_CONFORM_BLANK;
        return ACP_OK;
    }
    acp_json_fault fault;
    acp_error error;
    const acp_eval_operation *operation;
    acp_eval_kind kind;
    const acp_json *line = acp_json_read(&conform->line_reader, text, length, &fault);
    if (line == NULL && fault.is_out_of_memory) return ACP_ERROR_OUT_OF_MEMORY;
    if (line == NULL || line->type != ACP_JSON_OBJECT) {
        (void)snprintf(out_outcome->message, sizeof out_outcome->message, "byte %zu: %s", line == NULL ? fault.offset : 0,
                       line == NULL ? fault.message : "a line must be an object");
        return ACP_OK;
    }
    describe_line(conform, line, out_outcome);
    acp_json_writer_reset(&conform->writer);
    acp_json_begin_object(&conform->writer, NULL);
    acp_result result = acp_eval_run_line(conform->eval, line, text, length, &conform->line_reader, &conform->writer, &operation, &error);
    acp_json_end_object(&conform->writer);
    if (conform->writer.is_failed || (result == ACP_ERROR_OUT_OF_MEMORY && !acp_json_member(line, "error")))
        return ACP_ERROR_OUT_OF_MEMORY; /* that is no answer to compare */
    if (operation != NULL) out_outcome->section = operation->section;
    if (result != ACP_OK)
        judge_error(out_outcome, line, &error, operation != NULL);
    else if (operation == NULL && acp_eval_definition_kind(acp_json_member(line, "op"), &kind))
        out_outcome->status = ACP_CONFORM_DEFINED;
    else
        return judge_answer(conform, line, out_outcome);
    return ACP_OK;
}

acp_result acp_conform_file(acp_conform *conform, const char *path, acp_conform_counts *out_counts, acp_conform_outcome *out_first,
                            acp_error *error) {
    acp_line_reader lines;
    acp_line_status status;
    const char *text;
    size_t length;
    bool has_first = false;
    *out_counts = (acp_conform_counts){0, 0, 0};
    acp_result result = acp_line_reader_open(&lines, path, error);
    if (result != ACP_OK) return result;
    acp_conform_begin_file(conform);
    while (result == ACP_OK && (status = acp_line_reader_next(&lines, &text, &length)) != ACP_LINE_END) {
        acp_conform_outcome outcome = {.status = ACP_CONFORM_FAILED, .section = "", .message = "the line cannot be read"};
        if (status == ACP_LINE_IO_ERROR)
            result = acp_error_set(error, ACP_ERROR_IO, "read", "the file cannot be read");
        else if (status == ACP_LINE_OK)
            result = acp_conform_line(conform, text, length, &outcome);
        out_counts->passed += outcome.status == ACP_CONFORM_PASSED;
        out_counts->failed += outcome.status == ACP_CONFORM_FAILED;
        out_counts->unknown += outcome.status == ACP_CONFORM_UNKNOWN;
        bool is_bad = outcome.status == ACP_CONFORM_FAILED || outcome.status == ACP_CONFORM_UNKNOWN;
        if (is_bad && !has_first) *out_first = outcome;
        has_first = has_first || is_bad;
    }
    acp_line_reader_close(&lines);
    return result;
}
