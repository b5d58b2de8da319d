/* SPDX-License-Identifier: MIT */
/* The Region record: land, height table, time, sky, sounds, scenes, terrain types, textures (spec 02 §17).
 *
 * All parts in the order of the disk, which is sky, sound, scene, terrain, misc whatever the order of the mask's bits. The version must be
 * 3. The height table is finite here; that its entries lie within [0, 800] m is the terrain floor's business (TER-3), told and, strict,
 * refused. The land values are kept and, as in the client, not believed (DAT-62). A palette-shift surface has never been shipped and is
 * refused.
 *
 * Contract: codec.h. Cost: about 5 ns a field. Sources: DAT-61, DAT-62. */
#include "dat/record_region.h"

#include "dat/codec.h"

static void head(acp_codec *c, acp_record_region *r) {
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "number", &r->number);
    acp_codec_u32(c, "version", &r->version);
    if (c->direction != ACP_CODEC_SHOW && r->version != 3) acp_codec_fail(c, ACP_ERROR_BAD_DATA, "version", "the region version must be 3");
    acp_codec_text(c, "name", &r->name);
    acp_codec_i32(c, "block_length", &r->block_length);
    acp_codec_i32(c, "block_width", &r->block_width);
    acp_codec_finite(c, "square_length", &r->square_length);
    acp_codec_i32(c, "lblock_length", &r->lblock_length);
    acp_codec_i32(c, "vertex_per_cell", &r->vertex_per_cell);
    acp_codec_finite(c, "max_object_height", &r->max_object_height);
    acp_codec_finite(c, "sky_height", &r->sky_height);
    acp_codec_finite(c, "road_width", &r->road_width);
    if (c->visitor)
        c->visitor->values(c->visitor->user, ACP_FIELD_F32, "height_table", r->height_table, 256);
    else
        for (uint32_t i = 0; i < 256; i++)
            acp_codec_finite(c, "height_table", &r->height_table[i]);
    for (uint32_t i = 0; i < 256; i++)
        if (!(r->height_table[i] >= 0.0f && r->height_table[i] <= 800.0f))
            acp_codec_remark(c, ACP_REMARK_CONTENT, "height_table", "a height outside 0 to 800 metres");
}

static void game_time(acp_codec *c, acp_record_region *r) {
    acp_codec_f64(c, "zero_time_of_year", &r->zero_time_of_year);
    acp_codec_u32(c, "zero_year", &r->zero_year);
    acp_codec_f32(c, "day_length", &r->day_length);
    acp_codec_u32(c, "days_per_year", &r->days_per_year);
    acp_codec_text(c, "year_spec", &r->year_spec);
    acp_codec_list(c, "times", ACP_COUNT_U32, &r->time_count, UINT32_MAX, &r->times, sizeof *r->times, 12);
    for (uint32_t i = 0; i < r->time_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_f32(c, "begin", &r->times[i].begin);
        acp_codec_u32(c, "is_night", &r->times[i].is_night);
        acp_codec_text(c, "name", &r->times[i].name);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_list(c, "weekdays", ACP_COUNT_U32, &r->weekday_count, UINT32_MAX, &r->weekdays, sizeof *r->weekdays, 4);
    for (uint32_t i = 0; i < r->weekday_count && acp_codec_is_ok(c); i++)
        acp_codec_text(c, c->visitor ? NULL : "weekdays", &r->weekdays[i]);
    acp_codec_end_list(c);
    acp_codec_list(c, "seasons", ACP_COUNT_U32, &r->season_count, UINT32_MAX, &r->seasons, sizeof *r->seasons, 8);
    for (uint32_t i = 0; i < r->season_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "begin_day", &r->seasons[i].begin_day);
        acp_codec_text(c, "name", &r->seasons[i].name);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void some_floats(acp_codec *c, const char *name, float *values, uint32_t count) {
    if (c->visitor)
        c->visitor->values(c->visitor->user, ACP_FIELD_F32, name, values, count);
    else
        for (uint32_t i = 0; i < count; i++)
            acp_codec_f32(c, name, &values[i]);
}

static void some_words(acp_codec *c, const char *name, uint32_t *values, uint32_t count) {
    if (c->visitor)
        c->visitor->values(c->visitor->user, ACP_FIELD_U32, name, values, count);
    else
        for (uint32_t i = 0; i < count; i++)
            acp_codec_u32(c, name, &values[i]);
}

static void sky_time(acp_codec *c, acp_record_sky_time *t) {
    acp_codec_f32(c, "begin", &t->begin);
    some_floats(c, "direction", t->direction, 3);
    acp_codec_id(c, "direction_color", &t->direction_color);
    acp_codec_f32(c, "ambient_bright", &t->ambient_bright);
    acp_codec_id(c, "ambient_color", &t->ambient_color);
    acp_codec_f32(c, "fog_min", &t->fog_min);
    acp_codec_f32(c, "fog_max", &t->fog_max);
    acp_codec_id(c, "fog_color", &t->fog_color);
    acp_codec_u32(c, "fog_type", &t->fog_type);
    acp_codec_list(c, "replacements", ACP_COUNT_U32, &t->replacement_count, UINT32_MAX, &t->replacements, sizeof *t->replacements, 24);
    for (uint32_t i = 0; i < t->replacement_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "index", &t->replacements[i].index);
        acp_codec_id(c, "gfxobj", &t->replacements[i].gfxobj);
        some_floats(c, "values", t->replacements[i].values, 4);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void day_group(acp_codec *c, acp_record_day_group *g) {
    acp_codec_f32(c, "chance", &g->chance);
    acp_codec_text(c, "name", &g->name);
    acp_codec_list(c, "objects", ACP_COUNT_U32, &g->object_count, UINT32_MAX, &g->objects, sizeof *g->objects, 36);
    for (uint32_t i = 0; i < g->object_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        some_floats(c, "values", g->objects[i].values, 6);
        acp_codec_id(c, "gfxobj", &g->objects[i].gfxobj);
        acp_codec_id(c, "script", &g->objects[i].script);
        acp_codec_u32(c, "properties", &g->objects[i].properties);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_list(c, "times", ACP_COUNT_U32, &g->time_count, UINT32_MAX, &g->times, sizeof *g->times, 48);
    for (uint32_t i = 0; i < g->time_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        sky_time(c, &g->times[i]);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void sky(acp_codec *c, acp_record_region *r) {
    acp_codec_f64(c, "tick", &r->tick);
    acp_codec_f64(c, "light_tick", &r->light_tick);
    if (!c->visitor) acp_codec_align4(c);
    acp_codec_list(c, "day_groups", ACP_COUNT_U32, &r->day_group_count, UINT32_MAX, &r->day_groups, sizeof *r->day_groups, 16);
    for (uint32_t i = 0; i < r->day_group_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        day_group(c, &r->day_groups[i]);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void sounds(acp_codec *c, acp_record_region *r) {
    acp_codec_list(c, "sound_tables", ACP_COUNT_U32, &r->sound_table_count, UINT32_MAX, &r->sound_tables, sizeof *r->sound_tables, 8);
    for (uint32_t i = 0; i < r->sound_table_count && acp_codec_is_ok(c); i++) {
        acp_record_sound_table *t = &r->sound_tables[i];
        acp_codec_open(c, NULL);
        acp_codec_id(c, "table", &t->table);
        acp_codec_list(c, "sounds", ACP_COUNT_U32, &t->sound_count, UINT32_MAX, &t->sounds, sizeof *t->sounds, 20);
        for (uint32_t k = 0; k < t->sound_count && acp_codec_is_ok(c); k++) {
            acp_codec_open(c, NULL);
            acp_codec_u32(c, "type", &t->sounds[k].type);
            some_floats(c, "values", t->sounds[k].values, 4);
            acp_codec_close(c);
        }
        acp_codec_end_list(c);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void scenes(acp_codec *c, acp_record_region *r) {
    acp_codec_list(c, "scene_types", ACP_COUNT_U32, &r->scene_type_count, UINT32_MAX, &r->scene_types, sizeof *r->scene_types, 8);
    for (uint32_t i = 0; i < r->scene_type_count && acp_codec_is_ok(c); i++) {
        acp_record_u32s *list = &r->scene_types[i].scenes;
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "sound_index", &r->scene_types[i].sound_index);
        acp_codec_values(c, "scenes", ACP_FIELD_ID, ACP_COUNT_U32, &list->count, UINT32_MAX, &list->items);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void maps(acp_codec *c, const char *name, acp_record_pairs *list) {
    acp_codec_list(c, name, ACP_COUNT_U32, &list->count, UINT32_MAX, &list->items, sizeof *list->items, 8);
    for (uint32_t i = 0; i < list->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "code", &list->items[i].key);
        acp_codec_id(c, "texture", &list->items[i].value);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void terrain(acp_codec *c, acp_record_region *r) {
    acp_codec_list(c, "terrain_types", ACP_COUNT_U32, &r->terrain_type_count, UINT32_MAX, &r->terrain_types, sizeof *r->terrain_types, 12);
    for (uint32_t i = 0; i < r->terrain_type_count && acp_codec_is_ok(c); i++) {
        acp_record_terrain_type *t = &r->terrain_types[i];
        acp_codec_open(c, NULL);
        acp_codec_text(c, "name", &t->name);
        acp_codec_id(c, "color", &t->color);
        acp_codec_values(c, "scene_types", ACP_FIELD_U32, ACP_COUNT_U32, &t->scene_types.count, UINT32_MAX, &t->scene_types.items);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_u32(c, "selector", &r->selector);
    if (c->direction != ACP_CODEC_SHOW && r->selector != 0)
        acp_codec_fail(c, ACP_ERROR_BAD_DATA, "selector", "a palette-shift surface has never been shipped");
    acp_codec_u32(c, "base_size", &r->base_size);
    maps(c, "corner_maps", &r->corner_maps);
    maps(c, "side_maps", &r->side_maps);
    maps(c, "road_maps", &r->road_maps);
    acp_codec_list(c, "textures", ACP_COUNT_U32, &r->texture_count, UINT32_MAX, &r->textures, sizeof *r->textures, 44);
    for (uint32_t i = 0; i < r->texture_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "terrain_type", &r->textures[i].terrain_type);
        some_words(c, "values", r->textures[i].values, 10);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_region(acp_codec *c, void *content) {
    acp_record_region *r = content;
    head(c, r);
    if (acp_codec_is_ok(c)) game_time(c, r);
    acp_codec_id(c, "parts", &r->parts);
    if (r->parts & 0x10u) sky(c, r);
    if (r->parts & 0x01u) sounds(c, r);
    if (r->parts & 0x02u) scenes(c, r);
    terrain(c, r);
    if (r->parts & 0x200u) some_words(c, "misc", r->misc, 6);
}
