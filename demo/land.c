/* SPDX-License-Identifier: MIT */
/* Landblocks from land.json: areas of blocks, painted vertex by vertex, and the statics that stand on them.
 *
 * Vertices of an area count from its south-west corner, one per 24 m; a rectangle of a painting includes both its ends. A vertex on an edge
 * is written to every block of the area that has it, as the game's own files do (spec 08 TER-1). Heights are metres that the Region's
 * table has; {"hill": D, "at": [u, v]} raises a ridge: up with D degrees from row v to v + 1, level to v + 2, down with D degrees. */
#include <stdio.h>
#include <string.h>

#include "demo/builder.h"

typedef struct area {
    uint32_t x, y; /* of its south-west block */
    uint32_t width, height;
    const acp_json *types; /* names of terrain types, by number */
} area;

static void set_vertex(demo_builder *b, const area *a, int64_t u, int64_t v, int height, int type, int road) {
    for (uint32_t i = 0; i < a->width; i++) {
        for (uint32_t j = 0; j < a->height; j++) {
            int64_t x = u - 8 * (int64_t)i, y = v - 8 * (int64_t)j;
            if (x < 0 || x > 8 || y < 0 || y > 8) continue;
            demo_block *block = demo_get_block(b, (a->x + i) << 24 | (a->y + j) << 16, true);
            if (!block) return;
            uint16_t *word = &block->land.terrain[x * 9 + y];
            if (height >= 0) block->land.height[x * 9 + y] = (uint8_t)height;
            if (type >= 0) *word = (uint16_t)((*word & 0x3u) | (uint32_t)type << 2);
            if (road >= 0) *word = (uint16_t)((*word & ~0x3u) | (uint32_t)road);
        }
    }
}

/* Index of a height in the table; -1 and a fault when it is not there. */
static int find_height(demo_builder *b, double metres) {
    for (int i = 0; i < 256; i++)
        if ((double)b->heights[i] == metres) return i;
    char text[48];
    (void)snprintf(text, sizeof text, "height %g", metres);
    demo_fail(b, ACP_ERROR_NOT_FOUND, text, "not in the Region's table");
    return -1;
}

static int get_height(demo_builder *b, const acp_json *object) {
    float metres;
    return demo_get_numbers(b, object, "height", &metres, 1, true) ? find_height(b, (double)metres) : -1;
}

static int get_type(demo_builder *b, const area *a, const acp_json *object) {
    const acp_json *wanted = acp_json_member(object, "type");
    if (!wanted) return -1;
    int number = 0;
    for (const acp_json *at = a->types->first; at; at = at->next, number++)
        if (wanted->type == ACP_JSON_STRING && wanted->count == at->count && memcmp(wanted->text, at->text, at->count) == 0) return number;
    demo_fail(b, ACP_ERROR_NOT_FOUND, "type", "no terrain type of that name");
    return -1;
}

static void fill(demo_builder *b, const area *a, const acp_json *object, const int64_t r[4]) {
    int height = get_height(b, object), type = get_type(b, a, object);
    int road = acp_json_has(object, "road") ? acp_json_get_int32(&b->in, object, "road") : -1;
    for (int64_t u = r[0]; u <= r[2] && demo_is_ok(b); u++)
        for (int64_t v = r[1]; v <= r[3]; v++)
            set_vertex(b, a, u, v, height, type, road);
}

static void raise_hill(demo_builder *b, const area *a, const acp_json *object) {
    float degrees = 0, at[2] = {0, 0};
    (void)demo_get_numbers(b, object, "hill", &degrees, 1, false);
    if (!demo_get_numbers(b, object, "at", at, 2, false)) return;
    double sine, cosine;
    demo_sine_cosine((double)degrees, &sine, &cosine);
    int height = find_height(b, (double)(float)(b->hill_base + b->hill_run * (sine / cosine)));
    for (int i = 0; i < 4 && demo_is_ok(b); i++)
        set_vertex(b, a, (int64_t)at[0] + (i & 1), (int64_t)at[1] + 1 + (i >> 1), height, -1, -1);
}

static void paint(demo_builder *b, const area *a, const acp_json *object) {
    float r[4];
    if (acp_json_has(object, "hill")) {
        raise_hill(b, a, object);
        return;
    }
    if (!demo_get_numbers(b, object, "fill", r, 4, false)) return;
    const int64_t rectangle[4] = {(int64_t)r[0], (int64_t)r[1], (int64_t)r[2], (int64_t)r[3]};
    fill(b, a, object, rectangle);
}

void demo_build_land(demo_builder *b) {
    const acp_json *table = demo_open_table(b, "land.json");
    if (!table) return;
    const acp_json *areas = acp_json_get_array(&b->in, table, "areas"), *types = acp_json_get_array(&b->in, table, "types");
    if (!demo_check_input(b, "areas")) return;
    for (const acp_json *at = areas->first; at && demo_is_ok(b); at = at->next) {
        float blocks[2] = {1, 1};
        uint32_t from = acp_json_get_id(&b->in, at, "from");
        (void)demo_get_numbers(b, at, "blocks", blocks, 2, true);
        area a = {from >> 24, (from >> 16) & 0xFFu, (uint32_t)blocks[0], (uint32_t)blocks[1], types};
        const int64_t all[4] = {0, 0, 8 * (int64_t)a.width, 8 * (int64_t)a.height};
        fill(b, &a, at, all);
        const acp_json *list = acp_json_get_optional_array(&b->in, at, "paint");
        for (const acp_json *stroke = list ? list->first : NULL; stroke && demo_is_ok(b); stroke = stroke->next)
            paint(b, &a, stroke);
        (void)demo_check_input(b, "areas");
    }
}

uint32_t demo_get_statics(demo_builder *b, const acp_json *list, acp_record_object **out_objects) {
    *out_objects = NULL;
    if (!list || !demo_is_ok(b)) return 0;
    *out_objects = DEMO_NEW_ARRAY(b, acp_record_object, list->count);
    uint32_t count = 0;
    for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next) {
        acp_record_object *object = &(*out_objects)[count++];
        object->id = acp_json_get_id(&b->in, at, "model");
        object->frame = demo_get_frame(b, at);
        (void)demo_check_input(b, "statics");
    }
    return demo_is_ok(b) ? count : 0;
}

void demo_build_statics(demo_builder *b) {
    const acp_json *table = demo_open_table(b, "land.json");
    const acp_json *list = table ? acp_json_get_array(&b->in, table, "statics") : NULL;
    acp_record_object *objects;
    uint32_t count = demo_get_statics(b, list, &objects), i = 0;
    for (const acp_json *at = list ? list->first : NULL; at && i < count; at = at->next, i++) {
        demo_block *block = demo_get_block(b, acp_json_get_id(&b->in, at, "block"), false);
        if (!demo_check_input(b, "statics") || !block) return;
        if (ACP_ARRAY_PUSH(&block->objects, &b->allocator, objects[i]) != ACP_OK)
            demo_fail(b, ACP_ERROR_OUT_OF_MEMORY, "statics", "memory refused");
    }
}

void demo_store_blocks(demo_builder *b) {
    for (uint32_t i = 0; i < DEMO_BLOCKS * DEMO_BLOCKS && demo_is_ok(b); i++) {
        demo_block *block = b->blocks[i];
        if (!block) continue;
        block->info.cell_count = block->cell_count;
        block->info.objects.count = block->objects.count;
        block->info.objects.items = block->objects.items;
        block->info.building_word = block->buildings.count;
        block->info.buildings = block->buildings.items;
        block->land.has_info = block->cell_count != 0 || block->objects.count != 0 || block->buildings.count != 0;
        uint8_t bytes[ACP_LAND_BLOCK_SIZE];
        acp_land_block_encode(&block->land, bytes);
        demo_put_bytes(b, b->cell, block->land.record_id, bytes, sizeof bytes);
        if (block->land.has_info) demo_put_record(b, b->cell, ACP_RECORD_LAND_BLOCK_INFO, block->info.id, &block->info);
    }
}
