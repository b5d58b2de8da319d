/* SPDX-License-Identifier: MIT */
/* Files that hold scenes.
 *
 * One JSON object without `op` is a scene (docs/format-scene.md). Otherwise the file is JSON Lines, as vectors and requests are: the line
 * with `op` = scene, of the wanted name or the first, is taken, and others are only looked at. Lines that are no JSON are passed over as
 * long as one is. Contract: exit codes, and what is wrong was said. Limit: 256 MB. Cost: one pass per search. */
#include "tools/acphys/tool_scene_file.h"

#include <stdlib.h>
#include <string.h>

#include "support/load_file.h"

#define FILE_LIMIT ((size_t)256u << 20)

int acp_scene_file_load(acp_scene_file *file, const acp_command_line *line, const char *path) {
    acp_error error;
    memset(file, 0, sizeof *file);
    file->path = path;
    return acp_load_file(path, FILE_LIMIT, &file->text, &file->size, &error) == ACP_OK ? ACP_EXIT_OK : acp_command_fail(line, &error);
}

void acp_scene_file_close(acp_scene_file *file) {
    acp_json_reader_free(&file->reader);
    free(file->text);
    memset(file, 0, sizeof *file);
}

int acp_scene_file_bad_json(const acp_command_line *line, const char *what, const acp_json_fault *fault) {
    acp_command_error(line, "%s: no scene: at byte %zu: %s", what, fault->offset, fault->message);
    return fault->is_out_of_memory ? ACP_EXIT_INTERNAL : ACP_EXIT_BAD_DATA;
}

int acp_scene_file_bad_input(const acp_command_line *line, const acp_json_input *input, const char *what) {
    acp_command_error(line, "%s: %s: %s", what, input->error->field[0] ? input->error->field : "scene", input->error->message);
    return input->result == ACP_ERROR_OUT_OF_MEMORY ? ACP_EXIT_INTERNAL : ACP_EXIT_BAD_DATA;
}

/* The next line of the text with content; false at its end. */
static bool next_line(const char **at, const char **out_line, size_t *out_length) {
    while (**at) {
        const char *begin = *at;
        size_t length = strcspn(begin, "\n");
        *at = begin + length + (begin[length] != '\0');
        if (strspn(begin, " \t\r") >= length) continue;
        *out_line = begin;
        *out_length = length;
        return true;
    }
    return false;
}

static bool is_id(const acp_json *id, const char *text) {
    if (!id || (id->type != ACP_JSON_NUMBER && id->type != ACP_JSON_STRING)) return false;
    return id->count == strlen(text) && memcmp(id->text, text, id->count) == 0;
}

int acp_scene_file_request(acp_scene_file *file, const acp_command_line *line, const char *id, acp_json_reader *reader,
                           const acp_json **out_in) {
    const char *at = file->text, *text = NULL;
    size_t length = 0;
    acp_json_fault fault;
    while (next_line(&at, &text, &length)) {
        const acp_json *value = acp_json_read(reader, text, length, &fault);
        if (!value || !is_id(acp_json_member(value, "id"), id)) continue;
        *out_in = acp_json_member(value, "in");
        if (acp_json_member(*out_in, "object")) return ACP_EXIT_OK;
        acp_command_error(line, "%s: request %s has no object", file->path, id);
        return ACP_EXIT_NEGATIVE;
    }
    acp_command_error(line, "%s: no request %s", file->path, id);
    return ACP_EXIT_NEGATIVE;
}

static bool has_name(const acp_json *scene, const char *name, size_t length) {
    const acp_json *found = acp_json_member(scene, "name");
    return !name || (found && found->type == ACP_JSON_STRING && found->count == length && memcmp(found->text, name, length) == 0);
}

int acp_scene_file_find(acp_scene_file *file, const acp_command_line *line, const char *name, size_t name_length,
                        const acp_json **out_definition) {
    acp_json_fault whole, fault;
    const acp_json *value = acp_json_read(&file->reader, file->text, file->size, &whole);
    bool has_content = value != NULL, is_line = value && acp_json_member(value, "op");
    const acp_json *scene = is_line && acp_json_is_text(acp_json_member(value, "op"), "scene") ? acp_json_member(value, "in") : value;
    if (value && value->type == ACP_JSON_OBJECT && scene && (!is_line || scene != value) &&
        (!is_line || has_name(scene, name, name_length))) {
        *out_definition = scene;
        return ACP_EXIT_OK;
    }
    const char *at = file->text, *text = NULL;
    size_t length = 0;
    while (!value && next_line(&at, &text, &length)) {
        const acp_json *one = acp_json_read(&file->reader, text, length, &fault);
        if (!one) continue;
        has_content = true;
        scene = acp_json_member(one, "in");
        if (!scene || !acp_json_is_text(acp_json_member(one, "op"), "scene") || !has_name(scene, name, name_length)) continue;
        *out_definition = scene;
        return ACP_EXIT_OK;
    }
    if (!has_content) return acp_scene_file_bad_json(line, file->path, &whole);
    acp_command_error(line, "%s: no such scene in the file", file->path);
    return ACP_EXIT_NEGATIVE;
}

int acp_scene_file_build(const acp_command_line *line, const acp_json *definition, const acp_scene_options *options, const char *what,
                         acp_scene **out_scene) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    *out_scene = acp_scene_build(&input, definition, options);
    return *out_scene ? ACP_EXIT_OK : acp_scene_file_bad_input(line, &input, what);
}
