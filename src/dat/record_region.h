/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_RECORD_REGION_H
#define ACP_DAT_RECORD_REGION_H

#include "dat/record.h"

/* The Region record 0x13000000 (DAT-61). Physics wants the height table and the scene lists; the rest is kept so that the record survives.
 */

typedef struct acp_record_time_of_day {
    float begin;
    uint32_t is_night;
    acp_record_text name;
} acp_record_time_of_day;

typedef struct acp_record_season {
    uint32_t begin_day;
    acp_record_text name;
} acp_record_season;

typedef struct acp_record_sky_object {
    float values[6]; /* begin and end time, begin and end angle, texture velocity x and y */
    uint32_t gfxobj;
    uint32_t script;
    uint32_t properties;
} acp_record_sky_object;

typedef struct acp_record_sky_replacement {
    uint32_t index;
    uint32_t gfxobj;
    float values[4]; /* rotate, transparent, luminosity, max bright */
} acp_record_sky_replacement;

typedef struct acp_record_sky_time {
    float begin;
    float direction[3]; /* bright, heading, pitch */
    uint32_t direction_color;
    float ambient_bright;
    uint32_t ambient_color;
    float fog_min;
    float fog_max;
    uint32_t fog_color;
    uint32_t fog_type;
    uint32_t replacement_count;
    acp_record_sky_replacement *replacements;
} acp_record_sky_time;

typedef struct acp_record_day_group {
    float chance;
    acp_record_text name;
    uint32_t object_count;
    acp_record_sky_object *objects;
    uint32_t time_count;
    acp_record_sky_time *times;
} acp_record_day_group;

typedef struct acp_record_ambient_sound {
    uint32_t type;
    float values[4]; /* volume, base chance, min rate, max rate */
} acp_record_ambient_sound;

typedef struct acp_record_sound_table {
    uint32_t table;
    uint32_t sound_count;
    acp_record_ambient_sound *sounds;
} acp_record_sound_table;

typedef struct acp_record_scene_type {
    uint32_t sound_index; /* or 0xFFFFFFFF */
    acp_record_u32s scenes;
} acp_record_scene_type;

typedef struct acp_record_terrain_type {
    acp_record_text name;
    uint32_t color;
    acp_record_u32s scene_types; /* indices, or 0xFFFFFFFF */
} acp_record_terrain_type;

typedef struct acp_record_terrain_texture {
    uint32_t terrain_type;
    uint32_t values[10];
} acp_record_terrain_texture;

struct acp_record_region {
    uint32_t id;
    uint32_t number;
    uint32_t version; /* 3 */
    acp_record_text name;
    int32_t block_length;
    int32_t block_width;
    float square_length;
    int32_t lblock_length;
    int32_t vertex_per_cell;
    float max_object_height;
    float sky_height;
    float road_width;
    float height_table[256];
    double zero_time_of_year;
    uint32_t zero_year;
    float day_length;
    uint32_t days_per_year;
    acp_record_text year_spec;
    uint32_t time_count;
    acp_record_time_of_day *times;
    uint32_t weekday_count;
    acp_record_text *weekdays;
    uint32_t season_count;
    acp_record_season *seasons;
    uint32_t parts; /* 1 sound, 2 scene, 4 terrain, 0x10 sky, 0x200 misc */
    double tick;
    double light_tick;
    uint32_t day_group_count;
    acp_record_day_group *day_groups;
    uint32_t sound_table_count;
    acp_record_sound_table *sound_tables;
    uint32_t scene_type_count;
    acp_record_scene_type *scene_types;
    uint32_t terrain_type_count;
    acp_record_terrain_type *terrain_types;
    uint32_t selector; /* 0 */
    uint32_t base_size;
    acp_record_pairs corner_maps;
    acp_record_pairs side_maps;
    acp_record_pairs road_maps;
    uint32_t texture_count;
    acp_record_terrain_texture *textures;
    uint32_t misc[6];
};

#endif
