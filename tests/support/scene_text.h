/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SCENE_TEXT_H
#define ACP_TESTS_SCENE_TEXT_H

#include "support/scene.h"

/* Scenes and objects from text, for tests: single quotes stand for double ones. Any fault fails the test. */
typedef struct scene_text {
    acp_json_reader reader; /* of the scene */
    acp_json_reader line;   /* of the object last made */
    acp_scene *scene;
    char *text;
    char *line_text;
} scene_text;

void scene_text_open(scene_text *s, const char *text, const acp_scene_options *options);
void scene_text_close(scene_text *s);

/* An object of the scene's world, not registered; the one made before must be gone. */
acp_scene_object scene_text_object(scene_text *s, const char *text);

/* An empty landblock over flat ground, not in the world yet. */
acp_block *scene_text_flat_block(scene_text *s, uint32_t block_id);

/* Cells of an array or of an object as "A9B40024 A9B40012- ...": eight digits each, '-' behind those that are not resident. */
const char *scene_text_cells(const acp_cell_array *array, char *out, size_t capacity);
const char *scene_text_rows(const acp_world *world, uint32_t object, char *out, size_t capacity);

#endif
