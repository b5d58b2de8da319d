/* SPDX-License-Identifier: MIT */
/* The miniature world as a whole: all tables into two containers in memory, and the list of places. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "demo/builder.h"

#define FIRST_BLOCKS 8u /* of an empty container; it grows by itself */

struct acp_demo {
    acp_allocator allocator;
    acp_arena arena;
    acp_demo_place *places;
    uint32_t place_count;
    uint8_t *bytes[2]; /* portal, cell */
    uint64_t size[2];
};

static void build_places(demo_builder *b, acp_demo *demo) {
    const acp_json *table = demo_open_table(b, "places.json");
    const acp_json *list = table ? acp_json_get_array(&b->in, table, "places") : NULL;
    if (!demo_check_input(b, "places")) return;
    demo->places = DEMO_NEW_ARRAY(b, acp_demo_place, list->count);
    for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next) {
        acp_demo_place *place = &demo->places[demo->place_count++];
        place->name = demo_get_text(b, at, "name");
        place->purpose = demo_get_text(b, at, "for");
        place->position.cell_id = acp_json_get_id(&b->in, at, "cell");
        place->position.frame = demo_get_frame(b, at);
        place->model_id = acp_json_get_id_or(&b->in, at, "model", 0);
        if (!place->name || !place->purpose) demo_fail(b, ACP_ERROR_BAD_DATA, "places", "a place has a name and says what it is for");
        if (demo_check_input(b, place->name) && acp_position_check(&place->position) != ACP_OK)
            demo_fail(b, ACP_ERROR_INVALID_ID, place->name, "no place of the map");
    }
}

static void begin(demo_builder *b, uint32_t data_set, acp_dat_edit **out_edit) {
    acp_dat_create_options options = acp_dat_create_options_default(data_set);
    options.block_count = FIRST_BLOCKS;
    options.growth_blocks = FIRST_BLOCKS;
    options.reserve_blocks = 1;
    if (b->result == ACP_OK) b->result = acp_dat_edit_create(&options, &b->allocator, out_edit, b->error);
}

static void keep_bytes(demo_builder *b, acp_demo *demo, acp_dat_edit *edit, uint32_t which) {
    if (b->result != ACP_OK) return;
    acp_dat_info info;
    acp_dat_edit_get_info(edit, &info);
    demo->bytes[which] = acp_memory_allocate(&b->allocator, info.physical_size, 16);
    demo->size[which] = info.physical_size;
    if (!demo->bytes[which]) demo_fail(b, ACP_ERROR_OUT_OF_MEMORY, "containers", "memory refused");
    if (b->result == ACP_OK) b->result = acp_dat_edit_copy_bytes(edit, demo->bytes[which], info.physical_size, b->error);
}

static void run(demo_builder *b, acp_demo *demo) {
    begin(b, ACP_DAT_PORTAL, &b->portal);
    begin(b, ACP_DAT_CELL, &b->cell);
    demo_build_region(b);
    demo_build_land(b);
    demo_build_models(b);
    demo_build_buildings(b);
    demo_build_statics(b);
    demo_store_blocks(b);
    build_places(b, demo);
    keep_bytes(b, demo, b->portal, 0);
    keep_bytes(b, demo, b->cell, 1);
}

acp_result acp_demo_create(const char *folder, const acp_allocator *allocator, acp_demo **out_demo, acp_error *error) {
    *out_demo = NULL;
    acp_demo *demo = ACP_MEMORY_NEW(allocator, acp_demo);
    demo_builder *b = ACP_MEMORY_NEW(allocator, demo_builder);
    acp_error own = {0};
    acp_result result = demo && b ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
    if (demo) {
        demo->allocator = acp_memory_allocator(allocator);
        acp_arena_init(&demo->arena, allocator, 0, UINT64_MAX);
    }
    if (result == ACP_OK) {
        b->allocator = demo->allocator;
        b->error = error ? error : &own;
        b->folder = folder;
        acp_arena_init(&b->arena, allocator, 0, UINT64_MAX);
        run(b, demo);
        result = b->result;
        for (uint32_t i = 0; i < DEMO_BLOCKS * DEMO_BLOCKS; i++) {
            if (!b->blocks[i]) continue;
            ACP_ARRAY_FREE(&b->blocks[i]->objects, &b->allocator);
            ACP_ARRAY_FREE(&b->blocks[i]->buildings, &b->allocator);
        }
        acp_dat_edit_destroy(b->portal);
        acp_dat_edit_destroy(b->cell);
        acp_json_reader_free(&b->reader);
        free(b->text);
        demo->arena = b->arena; /* the places live there */
    } else {
        acp_error_set(error, result, "build the miniature world", "memory refused");
    }
    ACP_MEMORY_DELETE(allocator, demo_builder, b);
    if (result == ACP_OK) {
        *out_demo = demo;
    } else if (demo) {
        acp_demo_destroy(demo);
    }
    return result;
}

void acp_demo_destroy(acp_demo *demo) {
    if (!demo) return;
    acp_allocator allocator = demo->allocator;
    for (uint32_t i = 0; i < 2; i++)
        acp_memory_free(&allocator, demo->bytes[i], demo->size[i], 16);
    acp_arena_free(&demo->arena);
    ACP_MEMORY_DELETE(&allocator, acp_demo, demo);
}

const void *acp_demo_bytes(const acp_demo *demo, uint32_t data_set, size_t *out_size) {
    uint32_t which = data_set == ACP_DAT_CELL;
    *out_size = (size_t)demo->size[which];
    return demo->bytes[which];
}

acp_result acp_demo_open(const acp_demo *demo, uint32_t data_set, const acp_allocator *allocator, acp_dat **out_dat, acp_error *error) {
    size_t size;
    const void *bytes = acp_demo_bytes(demo, data_set, &size);
    const char *name = data_set == ACP_DAT_CELL ? "client_cell_1.dat of the miniature world" : "client_portal.dat of the miniature world";
    return acp_dat_open_memory(bytes, size, name, allocator, out_dat, error);
}

const acp_demo_place *acp_demo_places(const acp_demo *demo, uint32_t *out_count) {
    *out_count = demo->place_count;
    return demo->places;
}

const acp_demo_place *acp_demo_find_place(const acp_demo *demo, const char *name) {
    for (uint32_t i = 0; i < demo->place_count; i++)
        if (strcmp(demo->places[i].name, name) == 0) return &demo->places[i];
    return NULL;
}
