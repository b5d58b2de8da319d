/* SPDX-License-Identifier: MIT */
/* `eval` operations on the ground (vectors: terrain.jsonl, on_road of scenery.jsonl).
 *
 * The blocks of a scene become an acp_terrain with the default height table. A point is asked of the cell that the line names, in that
 * cell's block frame, as it stands: no canonicalising, so a point beside the cell has no triangle there (ret 0, poly -1) and still a water
 * depth and a surface. A cell of a block that the scene lacks is an error. Planes are printed as bits. Sources: spec 08 TER-4 to TER-11,
 * TER-16. Cost: microseconds. */
#include <stdio.h>
#include <string.h>

#include "acphys/terrain.h"
#include "support/json_values.h"
#include "terrain/block.h"
#include "terrain/word.h"
#include "tools/acphys/eval.h"

static void read_block(acp_eval_call *call, const acp_json *value, acp_land_block *out_block) {
    memset(out_block, 0, sizeof *out_block);
    out_block->record_id = acp_json_get_id(&call->input, value, "id");
    const acp_json *heights = acp_json_get_array(&call->input, value, "height");
    const acp_json *words = acp_json_get_optional_array(&call->input, value, "terrain");
    if (acp_json_is_failed(&call->input)) return;
    if (heights->count != 81 || (words && words->count != 81)) {
        (void)acp_json_fail(&call->input, ACP_ERROR_INVALID_ARGUMENT, heights->count != 81 ? "height" : "terrain", "81 numbers are wanted");
        return;
    }
    const acp_json *height = heights->first, *word = words ? words->first : NULL;
    for (int i = 0; i < 81; i++) {
        int64_t h = -1, w = 0;
        if (!acp_json_to_int64(height, &h) || h < 0 || h > 255)
            (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "height", "a height index lies within 0 to 255");
        if (word && (!acp_json_to_int64(word, &w) || w < 0 || w > 65535))
            (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "terrain", "a terrain word lies within 0 to 65535");
        out_block->height[i] = (uint8_t)h;
        out_block->terrain[i] = (uint16_t)w;
        height = height->next;
        if (word) word = word->next;
    }
}

static acp_result build_terrain(acp_eval_call *call, const acp_json *definition, void **out_object) {
    acp_terrain *terrain = NULL;
    acp_result result = acp_terrain_create(NULL, NULL, &terrain, call->error);
    const acp_json *blocks = acp_json_get_optional_array(&call->input, definition, "blocks");
    for (const acp_json *value = blocks ? blocks->first : NULL; value && result == ACP_OK; value = value->next) {
        acp_land_block block;
        read_block(call, value, &block);
        result = call->input.result;
        if (result == ACP_OK) result = acp_terrain_put(terrain, &block, call->error);
    }
    if (result != ACP_OK) {
        acp_terrain_destroy(terrain);
        terrain = NULL;
    }
    *out_object = terrain;
    return result;
}

static void destroy_terrain(void *object) { acp_terrain_destroy(object); }

static const acp_eval_builder terrain_builder = {build_terrain, destroy_terrain};

/* The resident block of the id under `key`, or null with the fault noted. */
static const acp_terrain_block *get_block(acp_eval_call *call, const char *key, uint32_t *out_id) {
    void *terrain = NULL;
    acp_result result = acp_eval_definition(call, ACP_EVAL_SCENE, "scene", &terrain_builder, &terrain);
    *out_id = acp_json_get_id(&call->input, call->in, key);
    if (result != ACP_OK || acp_json_is_failed(&call->input)) {
        if (!acp_json_is_failed(&call->input)) call->input.result = result;
        return NULL;
    }
    const acp_terrain_block *block = terrain ? acp_terrain_find(terrain, *out_id) : NULL;
    if (!block) (void)acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, key, "the scene has no such block");
    return block;
}

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void write_planes(acp_json_writer *out, const acp_terrain_block *block) {
    acp_json_begin_array(out, "planes_hex");
    for (uint32_t i = 0; i < 128; i++) {
        const acp_plane *plane = &block->planes[i];
        char text[40];
        (void)snprintf(text, sizeof text, "%08X %08X %08X %08X", (unsigned)bits(plane->normal.x), (unsigned)bits(plane->normal.y),
                       (unsigned)bits(plane->normal.z), (unsigned)bits(plane->d));
        acp_json_write_string(out, NULL, text);
    }
    acp_json_end_array(out);
}

static void write_triangles(acp_json_writer *out, const acp_terrain_block *block) {
    acp_json_begin_array(out, "vertex_ids");
    for (uint32_t i = 0; i < 128; i++) {
        uint8_t vertices[3];
        acp_terrain_block_polygon_vertices(block, i, vertices);
        acp_json_begin_array(out, NULL);
        for (int k = 0; k < 3; k++)
            acp_json_write_uint(out, NULL, vertices[k]);
        acp_json_end_array(out);
    }
    acp_json_end_array(out);
    acp_json_begin_array(out, "cell_polys");
    for (uint32_t cell = 0; cell < 64; cell++) {
        acp_json_begin_array(out, NULL);
        acp_json_write_uint(out, NULL, 2u * cell);
        acp_json_write_uint(out, NULL, 2u * cell + 1u);
        acp_json_end_array(out);
    }
    acp_json_end_array(out);
}

static acp_result eval_terrain_block(acp_eval_call *call) {
    uint32_t id;
    const acp_terrain_block *block = get_block(call, "block", &id);
    if (!block) return call->input.result;
    char splits[65], water[65];
    for (uint32_t cell = 0; cell < 64; cell++) {
        splits[cell] = (char)('0' + acp_terrain_block_is_split_sw_ne(block, cell));
        water[cell] = (char)('0' + (int)acp_terrain_block_cell_water(block, cell));
    }
    splits[64] = water[64] = '\0';
    acp_json_write_string(call->out, "sw_to_ne", splits);
    acp_json_write_string(call->out, "cell_water", water);
    acp_json_write_uint(call->out, "block_water", acp_terrain_block_water(block));
    write_planes(call->out, block);
    write_triangles(call->out, block);
    return ACP_OK;
}

static acp_result eval_terrain_point(acp_eval_call *call) {
    uint32_t id;
    const acp_terrain_block *block = get_block(call, "cell", &id);
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "v");
    uint32_t cell = (id & 0xFFFFu) - 1u;
    if (block && cell >= ACP_TERRAIN_CELLS) (void)acp_json_fail(&call->input, ACP_ERROR_INVALID_ID, "cell", "not a land cell");
    if (!block || acp_json_is_failed(&call->input)) return call->input.result;
    int32_t polygon = acp_terrain_block_find_polygon(block, cell, point.x, point.y);
    acp_json_write_flag(call->out, "ret", polygon >= 0);
    acp_json_write_int(call->out, "poly", polygon);
    if (polygon >= 0) {
        const acp_plane *plane = &block->planes[polygon];
        float z = 0.0f;
        acp_json_write_flag(call->out, "height_ret", acp_terrain_plane_height(plane, point.x, point.y, &z));
        acp_json_write_float(call->out, "z", z);
        acp_json_write_flag(call->out, "walkable", acp_terrain_is_walkable(plane->normal));
    }
    acp_json_write_float(call->out, "water_depth", acp_terrain_block_water_depth(block, cell, point.x, point.y));
    acp_json_write_flag(call->out, "surface", acp_word_is_water(acp_terrain_block_nearest_word(block, cell, point.x, point.y)));
    return ACP_OK;
}

static acp_result eval_on_road(acp_eval_call *call) {
    uint32_t id, count;
    const acp_terrain_block *block = get_block(call, "block", &id);
    const float *points = acp_json_get_floats(&call->input, call->memory, call->in, "points", &count);
    if (count % 3u != 0) (void)acp_json_fail(&call->input, ACP_ERROR_INVALID_ARGUMENT, "points", "points have three numbers each");
    if (!block || acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_begin_array(call->out, "on_road");
    for (uint32_t i = 0; i < count; i += 3)
        acp_json_write_flag(call->out, NULL, acp_terrain_is_on_road(block->words, points[i], points[i + 1]) != 0);
    acp_json_end_array(call->out);
    return ACP_OK;
}

static const acp_eval_operation operations[] = {
    {"terrain_block", "08 TER-4", eval_terrain_block},
    {"terrain_point", "08 TER-9", eval_terrain_point},
    {"on_road", "08 TER-16", eval_on_road},
};

const acp_eval_area acp_eval_area_terrain = {"terrain", operations, sizeof operations / sizeof operations[0]};
