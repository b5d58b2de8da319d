/* SPDX-License-Identifier: MIT */
/* The evaluation core and the comparison of vectors: operations are named once, every line gets one answer, definitions live as long as
 * they should, a difference is a difference and a match is a match. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/acphys/conform.h"
#include "tools/acphys/eval.h"

static char *answer(acp_eval *eval, const char *text) {
    static acp_json_writer writer;
    acp_json_writer_reset(&writer);
    writer.float_form = ACP_JSON_DECIMAL;
    assert_int_equal(acp_eval_answer(eval, text, strlen(text), &writer, NULL), ACP_OK);
    size_t length = strlen(acp_json_writer_text(&writer));
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, acp_json_writer_text(&writer), length + 1);
    acp_json_writer_free(&writer);
    return copy;
}

static void assert_answer(acp_eval *eval, const char *text, const char *expected) {
    char *actual = answer(eval, text);
    assert_string_equal(actual, expected);
    free(actual);
}

static void operations_are_named_once(void **state) {
    (void)state;
    acp_eval *eval = acp_eval_new();
    assert_non_null(eval);
    for (const acp_eval_area *const *area = acp_eval_areas; *area != NULL; area++) {
        assert_true((*area)->count > 0);
        for (uint32_t i = 0; i < (*area)->count; i++) {
            const acp_eval_operation *operation = &(*area)->operations[i];
            assert_ptr_equal(acp_eval_find_operation(eval, operation->name, strlen(operation->name)), operation);
            assert_true(operation->section[0] >= '0' && operation->section[0] <= '9');
        }
    }
    assert_null(acp_eval_find_operation(eval, "", 0));
    acp_eval_free(eval);
}

static void every_line_gets_one_answer(void **state) {
    (void)state;
    acp_eval *eval = acp_eval_new();
    assert_answer(eval, "", "");
    assert_answer(eval, " \t\r", "");
    assert_answer(eval, "{", "{\"id\":null,\"error\":{\"code\":\"bad_data\",\"message\":\"byte 1: expected the name of a member\"}}\n");
    assert_answer(eval, "[]", "{\"id\":null,\"error\":{\"code\":\"bad_data\",\"message\":\"a line must be an object\"}}\n");
    assert_answer(eval, "{\"id\":[1,{\"a\":2.50}]}",
                  "{\"id\":[1,{\"a\":2.50}],\"error\":{\"code\":\"bad_data\",\"message\":\"op: must be the name of an operation\"}}\n");
    assert_answer(eval, "{\"id\":1,\"op\":\"no_such\",\"in\":{}}",
                  "{\"id\":1,\"op\":\"no_such\",\"error\":{\"code\":\"unsupported\",\"message\":\"no operation of this name\"}}\n");
    assert_answer(eval, "{\"id\":1,\"op\":\"gid_to_lcoord\",\"in\":7}",
                  "{\"id\":1,\"op\":\"gid_to_lcoord\",\"error\":{\"code\":\"bad_data\",\"message\":\"in: must be an object\"}}\n");
    acp_eval_free(eval);
}

/* ---- definitions ---- */

static int live_objects;

static acp_result build_counted(acp_eval_call *call, const acp_json *definition, void **out_object) {
    if (acp_json_has(definition, "refuse")) return acp_json_fail(&call->input, ACP_ERROR_BAD_DATA, "refuse", "as asked");
    *out_object = malloc(1);
    live_objects++;
    return ACP_OK;
}

static void destroy_counted(void *object) {
    free(object);
    live_objects--;
}

static const acp_eval_builder counted = {build_counted, destroy_counted}, other = {build_counted, destroy_counted};

static acp_result ask(acp_eval *eval, const char *in, const acp_eval_builder *builder, void **out_object) {
    acp_json_reader reader = {.byte_limit = 0};
    acp_error error;
    acp_eval_call call = {.eval = eval, .in = acp_json_read(&reader, in, strlen(in), NULL), .input = {.error = &error}, .error = &error};
    acp_result result = acp_eval_definition(&call, ACP_EVAL_SCENE, "scene", builder, out_object);
    acp_json_reader_free(&reader);
    return result;
}

static void definitions_are_built_once_and_replaced(void **state) {
    (void)state;
    acp_eval *eval = acp_eval_new();
    void *first = NULL, *second = NULL;
    live_objects = 0;
    assert_int_equal(ask(eval, "{}", &counted, &first), ACP_OK);
    assert_null(first);
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &counted, &first), ACP_ERROR_NOT_FOUND);
    assert_int_equal(ask(eval, "{\"scene\":5}", &counted, &first), ACP_ERROR_BAD_DATA);
    free(answer(eval, "{\"op\":\"scene\",\"in\":{\"name\":\"a\"}}"));
    free(answer(eval, "{\"op\":\"bsp_tree\",\"in\":{\"name\":\"b\"}}"));
    assert_int_equal(ask(eval, "{\"scene\":\"b\"}", &counted, &first), ACP_ERROR_NOT_FOUND);
    assert_int_equal(live_objects, 0);
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &counted, &first), ACP_OK);
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &counted, &second), ACP_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &other, &second), ACP_OK);
    assert_int_equal(live_objects, 2);
    free(answer(eval, "{\"op\":\"scene\",\"in\":{\"name\":\"a\",\"refuse\":1}}"));
    assert_int_equal(live_objects, 0);
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &counted, &first), ACP_ERROR_BAD_DATA);
    free(answer(eval, "{\"op\":\"scene\",\"in\":{\"name\":\"a\"}}"));
    assert_int_equal(ask(eval, "{\"scene\":\"a\"}", &counted, &first), ACP_OK);
    acp_eval_free(eval);
    assert_int_equal(live_objects, 0);
}

static void a_definition_needs_a_name(void **state) {
    (void)state;
    acp_eval *eval = acp_eval_new();
    char *text = answer(eval, "{\"op\":\"scene\",\"in\":{}}");
    assert_non_null(strstr(text, "\"error\""));
    free(text);
    text = answer(eval, "{\"op\":\"scene\"}");
    assert_non_null(strstr(text, "\"error\""));
    free(text);
    acp_eval_free(eval);
}

/* ---- comparing ---- */

static acp_conform_outcome judge(const char *text) {
    acp_conform *conform = acp_conform_new();
    acp_conform_outcome outcome;
    assert_non_null(conform);
    assert_int_equal(acp_conform_line(conform, text, strlen(text), &outcome), ACP_OK);
    acp_conform_free(conform);
    return outcome;
}

#define MAGNITUDE "{\"id\":7,\"op\":\"vec_magnitude\",\"in\":{\"v\":[3,4,0]},"
#define NORMALIZE "{\"id\":7,\"op\":\"vec_normalize\",\"in\":{\"v\":[0,0,2]},"
#define LCOORD    "{\"id\":7,\"op\":\"gid_to_lcoord\",\"in\":{\"cell\":\"0xA9B40001\"},"

static void matches_pass(void **state) {
    (void)state;
    static const char *const lines[] = {
        MAGNITUDE "\"out\":{\"ret\":5,\"ret_hex\":\"4014000000000000\"}}",
        MAGNITUDE "\"out\":{\"ret\":5}}",
        MAGNITUDE "\"out\":{\"ret\":999,\"ret_hex\":\"4014000000000000\"}}", /* the bits decide */
        MAGNITUDE "\"out\":{}}",
        MAGNITUDE "\"out\":{\"ret\":5.25},\"tol\":0.25}",
        MAGNITUDE "\"out\":{\"ret_hex\":\"4014000000000001\"},\"tol\":1e-9}",
        NORMALIZE "\"out\":{\"v\":[0,0,1]}}",
        NORMALIZE "\"out\":{\"v_hex\":\"00000000 00000000 3f800000\"}}",
        NORMALIZE "\"out\":{\"v\":[0,0,1.01]},\"tol\":0.1}",
        LCOORD "\"out\":{\"ret\":1,\"x\":1352,\"y\":1440}}",
        LCOORD "\"out\":{\"ret\":true,\"x\":1352.0,\"y\":1440,\"z\":null}}",
        "{\"op\":\"gid_to_lcoord\",\"in\":{},\"error\":{\"code\":\"bad_data\"}}",
        "{\"op\":\"no_such\",\"error\":{\"code\":\"unsupported\"}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        acp_conform_outcome outcome = judge(lines[i]);
        if (outcome.status != ACP_CONFORM_PASSED) fail_msg("%s: %s %s %s", lines[i], outcome.path, outcome.actual, outcome.message);
    }
}

static void differences_fail(void **state) {
    (void)state;
    static const struct {
        const char *line, *path;
    } cases[] = {
        {MAGNITUDE "\"out\":{\"ret\":5,\"ret_hex\":\"4014000000000001\"}}", "ret_hex"},
        {MAGNITUDE "\"out\":{\"ret\":5.0000001}}", "ret"},
        {MAGNITUDE "\"out\":{\"ret_hex\":\"40A00000\"}}", "ret_hex"},
        {MAGNITUDE "\"out\":{\"ret\":5.26},\"tol\":0.25}", "ret"},
        {MAGNITUDE "\"out\":{\"ret\":5},\"tol\":-1}", ""},
        {MAGNITUDE "\"out\":{\"ret\":5},\"tol\":\"x\"}", ""},
        {MAGNITUDE "\"out\":{\"other\":5}}", "other"},
        {MAGNITUDE "\"out\":{\"other_hex\":\"00000000\"}}", "other_hex"},
        {MAGNITUDE "\"id\":0}", ""},
        {MAGNITUDE "\"error\":{\"code\":\"bad_data\"}}", ""},
        {NORMALIZE "\"out\":{\"v_hex\":\"80000000 00000000 3F800000\"}}", "v_hex"},
        {NORMALIZE "\"out\":{\"v\":[0,0]}}", "v"},
        {NORMALIZE "\"out\":{\"v\":[0,0,\"1\"]}}", "v"},
        {LCOORD "\"out\":{\"ret\":0,\"x\":1352,\"y\":1440}}", "ret"},
        {LCOORD "\"out\":{\"ret\":1,\"x\":1353},\"tol\":5}", "x"}, /* a tolerance is for floats */
        {LCOORD "\"out\":{\"ret\":\"1\"}}", "ret"},
        {LCOORD "\"out\":{\"ret\":[1]}}", "ret"},
        {"{\"op\":\"gid_to_lcoord\",\"in\":{},\"out\":{\"ret\":1}}", ""},
        {"{\"op\":\"gid_to_lcoord\",\"in\":{},\"error\":{\"code\":\"io\"}}", ""},
        {"{bad", ""},
        {"3", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        acp_conform_outcome outcome = judge(cases[i].line);
        if (outcome.status != ACP_CONFORM_FAILED) fail_msg("not failed: %s", cases[i].line);
        assert_string_equal(outcome.path, cases[i].path);
        if (cases[i].path[0] == '\0') assert_string_not_equal(outcome.message, "");
    }
}

static void differences_show_both_values(void **state) {
    (void)state;
    acp_conform_outcome outcome = judge(NORMALIZE "\"out\":{\"v_hex\":\"00000000 00000000 40000000\"}}");
    assert_string_equal(outcome.expected, "[0,0,2]  00000000 00000000 40000000");
    assert_string_equal(outcome.actual, "[0,0,1]  00000000 00000000 3F800000");
    assert_string_equal(outcome.operation, "vec_normalize");
    assert_string_equal(outcome.id, "7");
    assert_string_not_equal(outcome.section, "");
}

static void unknown_blank_and_defining_lines(void **state) {
    (void)state;
    assert_int_equal(judge("{\"op\":\"no_such\",\"in\":{},\"out\":{}}").status, ACP_CONFORM_UNKNOWN);
    assert_int_equal(judge("").status, ACP_CONFORM_BLANK);
    assert_int_equal(judge("  \r").status, ACP_CONFORM_BLANK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_named_once),
        cmocka_unit_test(every_line_gets_one_answer),
        cmocka_unit_test(definitions_are_built_once_and_replaced),
        cmocka_unit_test(a_definition_needs_a_name),
        cmocka_unit_test(matches_pass),
        cmocka_unit_test(differences_fail),
        cmocka_unit_test(differences_show_both_values),
        cmocka_unit_test(unknown_blank_and_defining_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
