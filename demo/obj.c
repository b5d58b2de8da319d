/* SPDX-License-Identifier: MIT */
/* OBJ files: "v x y z" and "f a b c …" lines; everything else (groups, normals, texture numbers, comments) is passed over. Faces are
 * counter-clockwise seen from outside, z up, metres. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/builder.h"

#define MAX_POINTS 64u

typedef ACP_ARRAY(acp_vec3) points_array;

/* A number at *at, spaces before it skipped. */
static bool read_number(const char **at, const char *end, float *out) {
    while (*at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
    const char *start = *at;
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
        (*at)++;
    acp_json value = {.type = ACP_JSON_NUMBER, .count = (uint32_t)(*at - start), .text = start};
    return *at > start && acp_json_to_float(&value, out);
}

static void read_face(demo_builder *b, demo_mesh *mesh, const points_array *points, const char *at, const char *end, const acp_frame *frame,
                      uint32_t flags) {
    acp_vec3 corners[MAX_POINTS];
    uint32_t count = 0;
    while (at < end && b->result == ACP_OK) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at == end) break;
        uint32_t number = 0;
        while (at < end && *at >= '0' && *at <= '9' && number < 100000u)
            number = number * 10u + (uint32_t)(*at++ - '0');
        while (at < end && *at != ' ' && *at != '\t')
            at++; /* "/texture/normal" */
        if (number == 0 || number > points->count || count == MAX_POINTS) {
            demo_fail(b, ACP_ERROR_BAD_DATA, "f", "a face names a vertex that is not there, or has more than 64");
            return;
        }
        if (acp_frame_local_to_global(frame, points->items[number - 1u], &corners[count++]) != ACP_OK)
            demo_fail(b, ACP_ERROR_BAD_DATA, "v", "not a place");
    }
    demo_mesh_add(b, mesh, corners, count, flags);
}

void demo_mesh_add_obj(demo_builder *b, demo_mesh *mesh, const char *name, const acp_frame *frame, uint32_t flags) {
    char path[256];
    size_t size = 0;
    const char *table = b->table;
    if (!name) return;
    (void)snprintf(path, sizeof path, "shapes/%s", name);
    char *kept = b->text; /* the JSON table may live there */
    b->text = NULL;
    const char *text = demo_read_text(b, path, &size);
    points_array points = {0};
    for (const char *at = text, *end = text + size; at && at < end && b->result == ACP_OK;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        if (line_end - at > 2 && at[0] == 'v' && at[1] == ' ') {
            const char *number = at + 2;
            acp_vec3 v;
            if (!read_number(&number, line_end, &v.x) || !read_number(&number, line_end, &v.y) || !read_number(&number, line_end, &v.z))
                demo_fail(b, ACP_ERROR_BAD_DATA, "v", "three numbers are expected");
            else if (ACP_ARRAY_PUSH(&points, &b->allocator, v) != ACP_OK)
                demo_fail(b, ACP_ERROR_OUT_OF_MEMORY, "v", "memory refused");
        } else if (line_end - at > 2 && at[0] == 'f' && at[1] == ' ') {
            read_face(b, mesh, &points, at + 2, line_end, frame, flags);
        }
        at = line_end + 1;
    }
    ACP_ARRAY_FREE(&points, &b->allocator);
    free(b->text);
    b->text = kept;
    if (b->result == ACP_OK) b->table = table;
}
