/* SPDX-License-Identifier: MIT */
/* The evaluation core: a request line becomes an answer line.
 *
 * A line is read into the reader's memory, its operation is found by name in a hash table made once from all areas, and the operation
 * writes the members of `out` straight into the answer. When it fails, the answer is cut back to the operation's name and an `error` takes
 * the place of `out`. Lines that define (scene, bsp_tree) are kept as text with a tree of their own; what areas build from them hangs on
 * the definition and goes with it (eval.h). Between lines everything else is forgotten: no state leaks from one request to the next.
 * Limits: kept definitions 1 GiB in all. Cost per cheap line: about two microseconds, no allocation after warm-up. */
#include "tools/acphys/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define DEFINITION_BYTE_LIMIT ((size_t)1 << 30)

typedef struct built_object {
    const acp_eval_builder *builder;
    void *object;
    struct built_object *next;
} built_object;

typedef struct definition {
    acp_eval_kind kind;
    char *text; /* the whole line */
    size_t length;
    acp_json_reader reader;
    const acp_json *in;
    const acp_json *name;
    built_object *built;
    struct definition *next;
} definition;

struct acp_eval {
    acp_json_reader reader;
    const acp_eval_operation **table; /* open addressing, a power of two */
    uint32_t table_mask;
    definition *definitions;
    size_t definition_bytes;
    acp_error error;
};

static const acp_json empty_object = {.type = ACP_JSON_OBJECT};

/* ---- operations by name ---- */

static uint32_t hash_name(const char *name, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

const acp_eval_operation *acp_eval_find_operation(const acp_eval *eval, const char *name, size_t length) {
    for (uint32_t at = hash_name(name, length) & eval->table_mask;; at = (at + 1) & eval->table_mask) {
        const acp_eval_operation *operation = eval->table[at];
        if (operation == NULL) return NULL;
        if (strlen(operation->name) == length && memcmp(operation->name, name, length) == 0) return operation;
    }
}

static bool make_table(acp_eval *eval) {
    uint32_t count = 0, size = 64;
    for (const acp_eval_area *const *area = acp_eval_areas; *area != NULL; area++)
        count += (*area)->count;
    while (size < count * 3)
        size *= 2;
    eval->table = calloc(size, sizeof *eval->table);
    if (eval->table == NULL) return false;
    eval->table_mask = size - 1;
    for (const acp_eval_area *const *area = acp_eval_areas; *area != NULL; area++) {
        for (uint32_t i = 0; i < (*area)->count; i++) {
            const acp_eval_operation *operation = &(*area)->operations[i];
            uint32_t at = hash_name(operation->name, strlen(operation->name)) & eval->table_mask;
            while (eval->table[at] != NULL)
                at = (at + 1) & eval->table_mask;
            eval->table[at] = operation;
        }
    }
    return true;
}

/* ---- definitions ---- */

static void definition_free(acp_eval *eval, definition *entry) {
    for (built_object *built = entry->built; built != NULL;) {
        built_object *next = built->next;
        if (built->object != NULL && built->builder->destroy != NULL) built->builder->destroy(built->object);
        free(built);
        built = next;
    }
    eval->definition_bytes -= entry->length;
    acp_json_reader_free(&entry->reader);
    free(entry->text);
    free(entry);
}

static definition **find_definition(acp_eval *eval, acp_eval_kind kind, const acp_json *name) {
    definition **at = &eval->definitions;
    while (*at != NULL) {
        const definition *entry = *at;
        if (entry->kind == kind && entry->name->count == name->count && memcmp(entry->name->text, name->text, name->count) == 0) break;
        at = &(*at)->next;
    }
    return at;
}

static acp_result refuse(acp_eval *eval, acp_result code, const char *message) {
    return acp_error_set(&eval->error, code, "define", "%s", message);
}

/* Keeps a copy of the line under its name, in the place of an earlier one. */
static acp_result define(acp_eval *eval, acp_eval_kind kind, const char *text, size_t length) {
    if (length > DEFINITION_BYTE_LIMIT - eval->definition_bytes) return refuse(eval, ACP_ERROR_LIMIT, "definitions take more than 1 GiB");
    definition *entry = calloc(1, sizeof *entry);
    char *copy = malloc(length + 1);
    if (entry == NULL || copy == NULL) {
        free(entry);
        free(copy);
        return refuse(eval, ACP_ERROR_OUT_OF_MEMORY, "out of memory");
    }
    memcpy(copy, text, length);
    entry->kind = kind;
    entry->text = copy;
    entry->length = length;
    eval->definition_bytes += length;
    const acp_json *line = acp_json_read(&entry->reader, copy, length, NULL);
    entry->in = acp_json_member(line, "in");
    entry->name = acp_json_member(entry->in, "name");
    if (line == NULL || entry->name == NULL || entry->name->type != ACP_JSON_STRING) {
        definition_free(eval, entry);
        return line == NULL ? refuse(eval, ACP_ERROR_OUT_OF_MEMORY, "out of memory")
                            : refuse(eval, ACP_ERROR_BAD_DATA, "a definition needs a name");
    }
    definition **at = find_definition(eval, kind, entry->name);
    definition *old = *at;
    if (old != NULL) {
        entry->next = old->next;
        definition_free(eval, old);
    }
    *at = entry;
    return ACP_OK;
}

acp_result acp_eval_definition(acp_eval_call *call, acp_eval_kind kind, const char *key, const acp_eval_builder *builder,
                               void **out_object) {
    *out_object = NULL;
    const acp_json *name = acp_json_member(call->in, key);
    if (name == NULL || name->type == ACP_JSON_NULL) return ACP_OK;
    if (name->type != ACP_JSON_STRING) return acp_json_fail(&call->input, ACP_ERROR_BAD_DATA, key, "must be a name");
    definition *entry = *find_definition(call->eval, kind, name);
    if (entry == NULL) return acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, key, "no line before defines this name");
    for (built_object *built = entry->built; built != NULL; built = built->next) {
        if (built->builder != builder) continue;
        *out_object = built->object;
        return ACP_OK;
    }
    built_object *built = calloc(1, sizeof *built);
    if (built == NULL) return acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, key, "out of memory");
    built->builder = builder;
    acp_result result = builder->build(call, entry->in, &built->object);
    if (result != ACP_OK) {
        free(built);
        return result;
    }
    built->next = entry->built;
    entry->built = built;
    *out_object = built->object;
    return ACP_OK;
}

void acp_eval_forget_definitions(acp_eval *eval) {
    while (eval->definitions != NULL) {
        definition *next = eval->definitions->next;
        definition_free(eval, eval->definitions);
        eval->definitions = next;
    }
}

/* ---- lines ---- */

acp_eval *acp_eval_new(void) {
    acp_eval *eval = calloc(1, sizeof *eval);
    if (eval != NULL && make_table(eval)) return eval;
    free(eval);
    return NULL;
}

void acp_eval_free(acp_eval *eval) {
    if (eval == NULL) return;
    acp_eval_forget_definitions(eval);
    acp_json_reader_free(&eval->reader);
    free((void *)eval->table);
    free(eval);
}

static acp_result run(acp_eval *eval, const acp_eval_operation *operation, const acp_json *in, acp_json_reader *memory,
                      acp_json_writer *out, acp_error *error) {
    acp_error_clear(error);
    acp_eval_call call = {.eval = eval, .in = in, .input = {.error = error}, .out = out, .memory = memory, .error = error};
    acp_result result = operation->run(&call);
    if (result == ACP_OK) result = call.input.result;
    if (result != ACP_OK && error->code == ACP_OK) acp_error_set(error, result, operation->name, "%s", acp_result_name(result));
    return result;
}

static void write_error(acp_json_writer *out, const acp_error *error) {
    char message[512];
    size_t length = strlen(error->message);
    memcpy(message, error->message, length + 1);
    if (error->field[0] != '\0') (void)snprintf(message, sizeof message, "%s: %s", error->field, error->message);
    acp_json_begin_object(out, "error");
    acp_json_write_string(out, "code", acp_result_name(error->code));
    acp_json_write_string(out, "message", message);
    acp_json_end_object(out);
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') return false;
    return true;
}

bool acp_eval_definition_kind(const acp_json *op, acp_eval_kind *out_kind) {
    *out_kind = acp_json_is_text(op, "scene") ? ACP_EVAL_SCENE : ACP_EVAL_BSP_TREE;
    return *out_kind == ACP_EVAL_SCENE || acp_json_is_text(op, "bsp_tree");
}

acp_result acp_eval_run_line(acp_eval *eval, const acp_json *line, const char *text, size_t length, acp_json_reader *memory,
                             acp_json_writer *out, const acp_eval_operation **out_operation, acp_error *error) {
    *out_operation = NULL;
    acp_error_clear(error);
    const acp_json *op = acp_json_member(line, "op");
    const acp_json *in = acp_json_member(line, "in");
    if (op == NULL || op->type != ACP_JSON_STRING)
        return acp_error_set(error, ACP_ERROR_BAD_DATA, "read", "op: must be the name of an operation");
    if (in == NULL || in->type == ACP_JSON_NULL) in = &empty_object;
    if (in->type != ACP_JSON_OBJECT) return acp_error_set(error, ACP_ERROR_BAD_DATA, "read", "in: must be an object");
    const acp_eval_operation *operation = acp_eval_find_operation(eval, op->text, op->count);
    *out_operation = operation;
    acp_eval_kind kind;
    bool is_definition = acp_eval_definition_kind(op, &kind);
    if (is_definition) {
        if (define(eval, kind, text, length) != ACP_OK) {
            *error = eval->error;
            return error->code;
        }
        acp_json_write_tree(out, kind == ACP_EVAL_SCENE ? "scene" : "tree", acp_json_member(in, "name"));
    }
    if (operation != NULL) return run(eval, operation, in, memory, out, error);
    if (is_definition) return ACP_OK;
    return acp_error_set(error, ACP_ERROR_UNSUPPORTED, "find", "no operation of this name");
}

acp_result acp_eval_answer(acp_eval *eval, const char *text, size_t length, acp_json_writer *out, bool *out_is_error) {
    acp_error_clear(&eval->error);
    if (out_is_error != NULL) *out_is_error = false;
    if (is_blank(text, length)) return ACP_OK;
    acp_json_fault fault;
    acp_error error;
    acp_error_clear(&error);
    const acp_json *line = acp_json_read(&eval->reader, text, length, &fault);
    acp_json_begin_object(out, NULL);
    if (line == NULL || line->type != ACP_JSON_OBJECT) {
        acp_json_write_null(out, "id");
        if (line == NULL)
            acp_error_set(&error, fault.is_out_of_memory ? ACP_ERROR_LIMIT : ACP_ERROR_BAD_DATA, "read", "byte %zu: %s", fault.offset,
                          fault.message);
        else
            acp_error_set(&error, ACP_ERROR_BAD_DATA, "read", "a line must be an object");
        write_error(out, &error);
    } else {
        const acp_json *op = acp_json_member(line, "op");
        const acp_eval_operation *operation;
        acp_json_write_tree(out, "id", acp_json_member(line, "id"));
        if (op != NULL) acp_json_write_tree(out, "op", op);
        size_t mark = out->length;
        acp_json_begin_object(out, "out");
        if (acp_eval_run_line(eval, line, text, length, &eval->reader, out, &operation, &error) == ACP_OK) {
            acp_json_end_object(out);
        } else {
            if (!out->is_failed) out->length = mark;
            write_error(out, &error);
        }
    }
    acp_json_end_object(out);
    acp_json_end_line(out);
    if (out_is_error != NULL) *out_is_error = error.code != ACP_OK;
    return out->is_failed ? ACP_ERROR_OUT_OF_MEMORY : ACP_OK;
}
