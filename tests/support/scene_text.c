/* SPDX-License-Identifier: MIT */
/* Scenes and objects from text, for tests.
 *
 * Tests of membership build their worlds from the scene form (docs/format-scene.md), written with single quotes so that C strings stay
 * readable. Results come back as text, in order, so that an expectation is one literal taken from the specification.
 * Contract: any fault ends the test with the reason. Nothing is shared between tests. Cost: does not matter. */
#include "tests/support/scene_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "membership/registry.h"

static char *quoted(const char *text) {
    char *copy = malloc(strlen(text) + 1u);
    assert_non_null(copy);
    for (size_t i = 0;; i++) {
        copy[i] = text[i] == '\'' ? '"' : text[i];
        if (!text[i]) return copy;
    }
}

static const acp_json *parse(acp_json_reader *reader, const char *text) {
    acp_json_fault fault = {0, NULL, false};
    const acp_json *json = acp_json_read(reader, text, strlen(text), &fault);
    if (!json) fail_msg("at %zu: %s in %s", fault.offset, fault.message, text);
    return json;
}

void scene_text_open(scene_text *s, const char *text, const acp_scene_options *options) {
    memset(s, 0, sizeof *s);
    s->text = quoted(text);
    acp_error error;
    acp_error_clear(&error);
    acp_json_input input = {ACP_OK, &error};
    s->scene = acp_scene_build(&input, parse(&s->reader, s->text), options);
    if (!s->scene) fail_msg("scene: %s", error.message);
}

void scene_text_close(scene_text *s) {
    acp_scene_destroy(s->scene);
    acp_json_reader_free(&s->reader);
    acp_json_reader_free(&s->line);
    free(s->text);
    free(s->line_text);
    memset(s, 0, sizeof *s);
}

acp_scene_object scene_text_object(scene_text *s, const char *text) {
    acp_scene_object object;
    acp_error error;
    acp_error_clear(&error);
    acp_json_input input = {ACP_OK, &error};
    free(s->line_text);
    s->line_text = quoted(text);
    if (!acp_scene_object_create(s->scene, &input, &s->line, parse(&s->line, s->line_text), &object)) fail_msg("object: %s", error.message);
    return object;
}

static void put(char *out, size_t capacity, size_t *used, uint32_t cell_id, bool is_resident) {
    int n = snprintf(out + *used, capacity - *used, "%s%08X%s", *used ? " " : "", (unsigned)cell_id, is_resident ? "" : "-");
    assert_true(n > 0 && (size_t)n < capacity - *used);
    *used += (size_t)n;
}

acp_block *scene_text_flat_block(scene_text *s, uint32_t block_id) {
    acp_land_block land;
    memset(&land, 0, sizeof land);
    land.record_id = block_id | 0xFFFFu;
    assert_int_equal(acp_terrain_put(s->scene->terrain, &land, NULL), ACP_OK);
    acp_block_definition d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.block_id = block_id;
    d.terrain = acp_terrain_find(s->scene->terrain, block_id | 1u);
    acp_block *block = NULL;
    assert_int_equal(acp_block_create(&d, NULL, &block, NULL), ACP_OK);
    return block;
}

const char *scene_text_cells(const acp_cell_array *array, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < array->count; i++)
        put(out, capacity, &used, array->items[i].cell_id, array->items[i].is_resident != 0);
    return out;
}

const char *scene_text_rows(const acp_world *world, uint32_t object, char *out, size_t capacity) {
    size_t used = 0;
    uint32_t count = 0;
    out[0] = '\0';
    const uint32_t *cells = acp_registry_object_cells(world, object, &count);
    for (uint32_t i = 0; i < count; i++)
        put(out, capacity, &used, cells[i], acp_registry_object_cell_is_resident(world, object, i));
    return out;
}
