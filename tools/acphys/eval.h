/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_EVAL_H
#define ACP_TOOLS_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/result.h"
#include "support/json.h"
#include "support/json_values.h"

/* The evaluation core: one request line in, one answer line out (docs/format-eval.md). `acphys eval`, `acphys conform` and the vector tests
 * are three callers of it. Operations live in eval_<area>.c, one table each, listed in eval_areas.c.
 *
 * To add an area:
 *     static acp_result eval_dir_heading(acp_eval_call *call) {
 *         int32_t direction = acp_json_get_int32(&call->input, call->in, "dir");
 *         if (acp_json_is_failed(&call->input)) return call->input.result;
 *         acp_json_write_float(call->out, "ret", acp_compass_heading(direction));
 *         return ACP_OK;
 *     }
 *     static const acp_eval_operation operations[] = {{"dir_heading", "01 WM-21", eval_dir_heading}};
 *     const acp_eval_area acp_eval_area_land = {"land", operations, sizeof operations / sizeof operations[0]};
 * and a line in eval_areas.c. An operation that fails may have written: the answer then holds the error alone. */

typedef struct acp_eval acp_eval;

/* What an operation sees. */
typedef struct acp_eval_call {
    acp_eval *eval;
    const acp_json *in;      /* the request's `in`; an empty object when absent */
    acp_json_input input;    /* sticky fault of reading `in`; its error is `error` below */
    acp_json_writer *out;    /* inside the object `out`: write members */
    acp_json_reader *memory; /* memory of this line: acp_json_reader_allocate */
    acp_error *error;
} acp_eval_call;

typedef acp_result (*acp_eval_function)(acp_eval_call *call);

typedef struct acp_eval_operation {
    const char *name;
    const char *section; /* the spec statement it answers for, e.g. "01 WM-16" */
    acp_eval_function run;
} acp_eval_operation;

typedef struct acp_eval_area {
    const char *name;
    const acp_eval_operation *operations;
    uint32_t count;
} acp_eval_area;

/* Every area (eval_areas.c), null at the end. */
extern const acp_eval_area *const acp_eval_areas[];

/* ---- named definitions ----
 * A line with op `scene` or `bsp_tree` keeps its `in` under in.name, in file order, replacing an earlier one of that name. Nothing is built
 * then. An operation that needs one asks for it through a builder of its own; what the builder made is kept with the definition until that
 * goes. So areas build different things from one line without knowing of each other. (An area may also have an operation named `scene` or
 * `bsp_tree`: it runs after the definition is kept and adds members to the answer, which has the name under `scene` or `tree`.) */
typedef enum acp_eval_kind { ACP_EVAL_SCENE, ACP_EVAL_BSP_TREE } acp_eval_kind;

/* `definition` is the `in` object of the line, alive as long as the definition. *out_object is handed to destroy in the end. */
typedef struct acp_eval_builder {
    acp_result (*build)(acp_eval_call *call, const acp_json *definition, void **out_object);
    void (*destroy)(void *object);
} acp_eval_builder;

/* The object that `builder` (compared by address) makes of the definition named by member `key` of call->in. Built at the first request. An
 * absent key gives ACP_OK and a null object (an empty world); an unknown name is ACP_ERROR_NOT_FOUND. */
acp_result acp_eval_definition(acp_eval_call *call, acp_eval_kind kind, const char *key, const acp_eval_builder *builder,
                               void **out_object);

/* ---- for the callers of the core ---- */
acp_eval *acp_eval_new(void); /* null when memory is out */
void acp_eval_free(acp_eval *eval);

/* Answers one line of text into `out` (one line with its line feed; nothing for a blank line). `out->float_form` chooses the bits. Never
 * fails for bad input: the answer then holds the error. Fails only when memory is out. *out_is_error (may be null): the
 * answer is an error. */
acp_result acp_eval_answer(acp_eval *eval, const char *text, size_t length, acp_json_writer *out, bool *out_is_error);

const acp_eval_operation *acp_eval_find_operation(const acp_eval *eval, const char *name, size_t length);
/* `op` defines. */
bool acp_eval_definition_kind(const acp_json *op, acp_eval_kind *out_kind);
/* The inside of acp_eval_answer, for a line that is read already: defines, runs, writes the members of `out`. *out_operation is null for an
 * unknown operation. ACP_ERROR_UNSUPPORTED then. */
acp_result acp_eval_run_line(acp_eval *eval, const acp_json *line, const char *text, size_t length, acp_json_reader *memory,
                             acp_json_writer *out, const acp_eval_operation **out_operation, acp_error *error);
void acp_eval_forget_definitions(acp_eval *eval);

#endif
