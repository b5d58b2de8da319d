/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_SCENE_FILE_H
#define ACP_TOOLS_TOOL_SCENE_FILE_H

#include "support/scene.h"
#include "tools/acphys/options.h"

/* A file that holds a scene: the scene itself as one JSON object, or JSON Lines of which one (`op` = scene) is it, with requests beside it.
 * Functions give exit codes; what is wrong was said. */
typedef struct acp_scene_file {
    const char *path;
    char *text;
    size_t size;
    acp_json_reader reader; /* of the definition */
} acp_scene_file;

int acp_scene_file_load(acp_scene_file *file, const acp_command_line *line, const char *path);
void acp_scene_file_close(acp_scene_file *file);
/* The definition of the scene with a name; null = the first. */
int acp_scene_file_find(acp_scene_file *file, const acp_command_line *line, const char *name, size_t name_length,
                        const acp_json **out_definition);
/* The `in` of the request with an id, which must have an object; lives in `reader`. */
int acp_scene_file_request(acp_scene_file *file, const acp_command_line *line, const char *id, acp_json_reader *reader,
                           const acp_json **out_in);
/* Builds a scene from a definition that must outlive it. `what` leads messages. */
int acp_scene_file_build(const acp_command_line *line, const acp_json *definition, const acp_scene_options *options, const char *what,
                         acp_scene **out_scene);

/* "path: no scene: at byte …", and the exit code. */
int acp_scene_file_bad_json(const acp_command_line *line, const char *what, const acp_json_fault *fault);
/* The fault of an input, led by `what`, and the exit code. */
int acp_scene_file_bad_input(const acp_command_line *line, const acp_json_input *input, const char *what);

#endif
