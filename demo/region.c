/* SPDX-License-Identifier: MIT */
/* The Region record from region.json: name, heights, terrain types with their colors and scene types; no sky, no sounds, no textures.
 *
 * Heights come in two runs: `count` steps of `step` metres from 0, then one height for each of the hills: hill_base plus what a slope of
 * that many degrees rises over hill_run metres, so that a slope of the terrain has its angle to the last bit of a height. */
#include <string.h>

#include "demo/builder.h"
#include "support/region_maker.h"

static acp_record_text get_record_text(demo_builder *b, const acp_json *object, const char *key) {
    acp_record_text text = {0, NULL};
    text.bytes = demo_copy_text(b, "", 0);
    const char *found = demo_get_text(b, object, key);
    if (found) {
        text.length = (uint32_t)strlen(found);
        text.bytes = demo_copy_text(b, found, text.length);
    }
    return text;
}

static void fill_heights(demo_builder *b, const acp_json *table) {
    float step = 0, base = 0, run = 0;
    const acp_json *heights = acp_json_get_object(&b->in, table, "heights");
    if (!demo_check_input(b, "heights")) return;
    uint32_t count = acp_json_get_uint32(&b->in, heights, "count"), hills = 0;
    (void)demo_get_numbers(b, heights, "step", &step, 1, false);
    (void)demo_get_numbers(b, heights, "hill_base", &base, 1, false);
    (void)demo_get_numbers(b, heights, "hill_run", &run, 1, false);
    const float *degrees = acp_json_get_floats(&b->in, &b->reader, heights, "hill_degrees", &hills);
    if (!demo_check_input(b, "heights")) return;
    if (count > 256u || hills > 256u - count) {
        demo_fail(b, ACP_ERROR_OUT_OF_RANGE, "heights", "more than 256");
        return;
    }
    b->hill_base = (double)base;
    b->hill_run = (double)run;
    for (uint32_t i = 0; i < 256u; i++) {
        double height = (double)step * (i < count ? i : 0u);
        if (i >= count && i < count + hills) {
            double sine, cosine;
            demo_sine_cosine((double)degrees[i - count], &sine, &cosine);
            height = b->hill_base + b->hill_run * (sine / cosine);
        }
        b->heights[i] = (float)height;
    }
}

static acp_record_u32s get_ids(demo_builder *b, const acp_json *list) {
    acp_record_u32s ids = {0, NULL};
    if (!list || list->type != ACP_JSON_ARRAY) return ids;
    ids.items = DEMO_NEW_ARRAY(b, uint32_t, list->count);
    for (const acp_json *at = list->first; at && ids.items; at = at->next)
        ids.items[ids.count++] = acp_json_to_id(&b->in, at, "scene_types");
    return ids;
}

void demo_build_region(demo_builder *b) {
    const acp_json *table = demo_open_table(b, "region.json");
    acp_record_region *region = demo_allocate(b, 1, sizeof *region);
    if (!table || !region) return;
    fill_heights(b, table);
    const acp_json *types = acp_json_get_array(&b->in, table, "terrain_types"), *scenes = acp_json_get_array(&b->in, table, "scene_types");
    if (!demo_check_input(b, "region")) return;
    *region = acp_region_maker_plain();
    region->name = get_record_text(b, table, "name");
    memcpy(region->height_table, b->heights, sizeof b->heights);
    region->day_length = 7620;
    region->days_per_year = 360;
    region->year_spec = get_record_text(b, table, "year");
    region->parts = 0x02u | 0x04u;
    region->scene_types = DEMO_NEW_ARRAY(b, acp_record_scene_type, scenes->count);
    region->terrain_types = DEMO_NEW_ARRAY(b, acp_record_terrain_type, types->count);
    for (const acp_json *at = scenes->first; at && demo_is_ok(b); at = at->next) {
        acp_record_scene_type *type = &region->scene_types[region->scene_type_count++];
        type->sound_index = 0xFFFFFFFFu;
        type->scenes = get_ids(b, at);
    }
    for (const acp_json *at = types->first; at && demo_is_ok(b); at = at->next) {
        acp_record_terrain_type *type = &region->terrain_types[region->terrain_type_count++];
        type->name = get_record_text(b, at, "name");
        type->color = acp_json_get_id_or(&b->in, at, "color", 0);
        type->scene_types = get_ids(b, acp_json_member(at, "scene_types"));
    }
    if (demo_check_input(b, "region")) demo_put_record(b, b->portal, ACP_RECORD_REGION, region->id, region);
}
