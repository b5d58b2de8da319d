/* SPDX-License-Identifier: MIT */
/* The catalog of scenery: a Region's lists with every index resolved, the Scenes they name, the models those stand for.
 *
 * Retail resolves the indirection of scene types while it loads the Region and fetches Scenes and models as vertices ask for them. Here
 * both are fetched once, when the catalog is made, so that generating a landblock reads nothing, waits for nothing and may run on any
 * number of threads; what a Scene or a model that cannot be had means for a vertex is the same (POP-16), and each loss is told once. Models
 * are asked for only where a description could place one: not for the server's own (weenie) and not for a frequency that no draw is below.
 *
 * Contract: nothing of the Region or the Scenes is kept; setups are borrowed. Memory comes from the allocator, the finished catalog lies in
 * one arena. A failure leaves nothing.
 * Limits: 2^22 scene indices, 2^22 descriptions in all, else ACP_ERROR_LIMIT. A Scene of more than 65,536 descriptions, or with a number
 * that is not finite, is as good as missing (DIV-81). Terrain words have five bits for either index: what lies behind entry 31 is not read.
 * Spec: 09 POP-6, POP-7, POP-16, RES-1; 02 DAT-38, DAT-60, DAT-61.
 * Cost: 1 us a Scene and reading it; models as the store takes. */
#include "population/scenery_catalog.h"

#include <string.h>

#include "asset/finite.h"
#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "dat/record_region.h"
#include "population/scenery_place.h"

#define WORD_VALUES        32u /* of a five-bit field of the terrain word */
#define LIST_LIMIT         (1u << 22)
#define SCENE_LIMIT        65536u
#define NO_SCENE_TYPE      0xFFFFFFFFu
#define REGION_RECORD_ID   0x13000000u
#define UNRESOLVED         0xFFFFFFFEu
#define TABLE_FIRST_LENGTH 64u

/* ------------------------------------------------------------------------------------------------------------- ids met so far */

typedef struct id_entry {
    uint32_t id; /* 0 = free */
    uint32_t index;
} id_entry;

typedef struct id_table {
    id_entry *entries;
    uint32_t length; /* a power of two, or 0 */
    uint32_t used;
} id_table;

static id_entry *find_entry(id_entry *entries, uint32_t length, uint32_t id) {
    uint32_t i = id * 0x9E3779B1u;
    i = (i ^ i >> 15) & (length - 1u);
    while (entries[i].id != 0 && entries[i].id != id)
        i = (i + 1u) & (length - 1u);
    return &entries[i];
}

/* The entry of an id, new ones UNRESOLVED; null when memory is refused. */
static id_entry *table_entry(id_table *table, const acp_allocator *memory, uint32_t id) {
    if ((table->used + 1u) * 4u > table->length * 3u) {
        uint32_t length = table->length ? 2u * table->length : TABLE_FIRST_LENGTH;
        id_entry *entries = ACP_MEMORY_NEW_ARRAY(memory, id_entry, length);
        if (!entries) return NULL;
        for (uint32_t i = 0; i < table->length; i++)
            if (table->entries[i].id) *find_entry(entries, length, table->entries[i].id) = table->entries[i];
        ACP_MEMORY_DELETE_ARRAY(memory, id_entry, table->entries, table->length);
        table->entries = entries;
        table->length = length;
    }
    id_entry *entry = find_entry(table->entries, table->length, id);
    if (entry->id == 0) {
        *entry = (id_entry){id, UNRESOLVED};
        table->used++;
    }
    return entry;
}

/* ---------------------------------------------------------------------------------------------------------------- the builder */

typedef struct builder {
    const acp_record_region *region;
    const acp_scenery_source *source;
    acp_allocator memory;
    acp_error *error;
    acp_scenery_range terrain_types[WORD_VALUES];
    ACP_ARRAY(acp_scenery_range) types;
    ACP_ARRAY(uint32_t) indices;
    ACP_ARRAY(acp_scenery_scene) scenes;
    ACP_ARRAY(acp_scenery_description) descriptions;
    ACP_ARRAY(acp_scenery_model) models;
    id_table scene_ids;
    id_table model_ids;
    id_table type_ids; /* scene type + 1 -> index into types */
    uint32_t missing_scenes;
    uint32_t missing_models;
} builder;

static acp_result out_of_memory(acp_error *error) {
    return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "scenery catalog", "memory refused");
}

static acp_result too_long(acp_error *error, const char *field) {
    acp_error_set(error, ACP_ERROR_LIMIT, "scenery catalog", "more than %u entries", LIST_LIMIT);
    acp_error_set_place(error, REGION_RECORD_ID, UINT64_MAX, field);
    return ACP_ERROR_LIMIT;
}

static void tell_loss(const builder *b, const acp_error *loss, uint32_t id) {
    if (!b->source->on_loss) return;
    acp_error told = *loss;
    if (told.record_id == 0) told.record_id = id;
    b->source->on_loss(b->source->user, &told);
}

static acp_result resolve_model(builder *b, uint32_t object_id, uint32_t *out_index) {
    acp_scenery_model model = {NULL, false};
    acp_error loss;
    memset(&loss, 0, sizeof loss);
    *out_index = ACP_SCENERY_NONE;
    id_entry *entry = object_id ? table_entry(&b->model_ids, &b->memory, object_id) : NULL;
    if (object_id && !entry) return out_of_memory(b->error);
    if (entry && entry->index != UNRESOLVED) {
        *out_index = entry->index;
        return ACP_OK;
    }
    acp_result result = object_id ? b->source->get_model(b->source->user, object_id, &model, &loss)
                                  : acp_error_set(&loss, ACP_ERROR_INVALID_ID, "scenery catalog", "a description without a model");
    if (result == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(b->error);
    if (result != ACP_OK || !model.setup) {
        if (entry) b->missing_models++;
        if (entry) entry->index = ACP_SCENERY_NONE;
        if (entry) tell_loss(b, &loss, object_id);
        return ACP_OK;
    }
    *out_index = entry->index = b->models.count;
    return ACP_ARRAY_PUSH(&b->models, &b->memory, model) == ACP_OK ? ACP_OK : out_of_memory(b->error);
}

static bool is_finite_description(const acp_record_scene_object *o) {
    return acp_frame_is_finite(&o->base) && acp_is_finite(o->frequency) && acp_is_finite(o->displace_x) && acp_is_finite(o->displace_y) &&
           acp_is_finite(o->min_scale) && acp_is_finite(o->max_scale) && acp_is_finite(o->max_rotation) && acp_is_finite(o->min_slope) &&
           acp_is_finite(o->max_slope);
}

/* What the decoder lets through and generating does not want (DIV-81). */
static acp_result check_scene(const acp_record_scene *scene, uint32_t scene_id, acp_error *loss) {
    acp_result result = ACP_OK;
    if (scene->count > SCENE_LIMIT)
        result = acp_error_set(loss, ACP_ERROR_LIMIT, "scenery catalog", "a scene of more than %u descriptions", SCENE_LIMIT);
    for (uint32_t i = 0; i < scene->count && result == ACP_OK; i++)
        if (!is_finite_description(&scene->objects[i]))
            result = acp_error_set(loss, ACP_ERROR_NOT_FINITE, "scenery catalog", "description %u has a number that is not finite", i);
    if (result != ACP_OK) acp_error_set_place(loss, scene_id, UINT64_MAX, "objects");
    return result;
}

static acp_result add_descriptions(builder *b, const acp_record_scene *scene) {
    if (b->descriptions.count + scene->count > LIST_LIMIT) return too_long(b->error, "descriptions");
    for (uint32_t i = 0; i < scene->count; i++) {
        acp_scenery_description d = acp_scenery_description_from_record(&scene->objects[i]);
        if (!d.is_weenie && d.frequency > 0.0f) {
            acp_result result = resolve_model(b, d.object_id, &d.model);
            if (result != ACP_OK) return result;
        }
        if (ACP_ARRAY_PUSH(&b->descriptions, &b->memory, d) != ACP_OK) return out_of_memory(b->error);
    }
    return ACP_OK;
}

static acp_result resolve_scene(builder *b, uint32_t scene_id, uint32_t *out_index) {
    const acp_record_scene *scene = NULL;
    acp_error loss;
    memset(&loss, 0, sizeof loss);
    *out_index = ACP_SCENERY_NONE;
    if (scene_id == 0) return ACP_OK;
    id_entry *entry = table_entry(&b->scene_ids, &b->memory, scene_id);
    if (!entry) return out_of_memory(b->error);
    if (entry->index != UNRESOLVED) {
        *out_index = entry->index;
        return ACP_OK;
    }
    acp_result result = b->source->get_scene(b->source->user, scene_id, &scene, &loss);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(b->error);
    if (result == ACP_OK) result = check_scene(scene, scene_id, &loss);
    entry->index = result == ACP_OK ? b->scenes.count : ACP_SCENERY_NONE;
    *out_index = entry->index;
    if (result != ACP_OK) {
        b->missing_scenes++;
        tell_loss(b, &loss, scene_id);
        return ACP_OK;
    }
    acp_scenery_scene made = {scene_id, b->descriptions.count, scene->count};
    if (ACP_ARRAY_PUSH(&b->scenes, &b->memory, made) != ACP_OK) return out_of_memory(b->error);
    return add_descriptions(b, scene);
}

/* The list of a scene type; the same for every terrain type that names it. */
static acp_result add_type(builder *b, uint32_t scene_type) {
    acp_scenery_range range = {0, 0};
    if (scene_type != NO_SCENE_TYPE && scene_type < b->region->scene_type_count) {
        const acp_record_u32s *list = &b->region->scene_types[scene_type].scenes;
        id_entry *entry = table_entry(&b->type_ids, &b->memory, scene_type + 1u);
        if (!entry) return out_of_memory(b->error);
        if (entry->index != UNRESOLVED) {
            range = b->types.items[entry->index];
        } else {
            entry->index = b->types.count;
            range = (acp_scenery_range){b->indices.count, list->count};
            if (list->count > LIST_LIMIT - b->indices.count) return too_long(b->error, "scenes");
            for (uint32_t i = 0; i < list->count; i++) {
                uint32_t index;
                acp_result result = resolve_scene(b, list->items[i], &index);
                if (result != ACP_OK) return result;
                if (ACP_ARRAY_PUSH(&b->indices, &b->memory, index) != ACP_OK) return out_of_memory(b->error);
            }
        }
    }
    return ACP_ARRAY_PUSH(&b->types, &b->memory, range) == ACP_OK ? ACP_OK : out_of_memory(b->error);
}

static acp_result add_terrain_types(builder *b) {
    for (uint32_t t = 0; t < WORD_VALUES && t < b->region->terrain_type_count; t++) {
        const acp_record_u32s *list = &b->region->terrain_types[t].scene_types;
        b->terrain_types[t] = (acp_scenery_range){b->types.count, list->count < WORD_VALUES ? list->count : WORD_VALUES};
        for (uint32_t i = 0; i < b->terrain_types[t].count; i++) {
            acp_result result = add_type(b, list->items[i]);
            if (result != ACP_OK) return result;
        }
    }
    return ACP_OK;
}

/* The builder's lists, copied to where they stay. */
static acp_scenery_catalog *finish(builder *b) {
    acp_scenery_catalog *catalog = ACP_MEMORY_NEW(&b->memory, acp_scenery_catalog);
    if (!catalog) return NULL;
    acp_arena_init(&catalog->arena, &b->memory, 0, UINT64_MAX);
    memcpy(catalog->terrain_types, b->terrain_types, sizeof catalog->terrain_types);
    catalog->type_count = b->types.count;
    catalog->scene_index_count = b->indices.count;
    catalog->scene_count = b->scenes.count;
    catalog->description_count = b->descriptions.count;
    catalog->model_count = b->models.count;
    catalog->missing_scenes = b->missing_scenes;
    catalog->missing_models = b->missing_models;
    catalog->types = acp_arena_copy(&catalog->arena, b->types.items, b->types.count * sizeof *b->types.items, 16);
    catalog->scene_indices = acp_arena_copy(&catalog->arena, b->indices.items, b->indices.count * sizeof *b->indices.items, 16);
    catalog->scenes = acp_arena_copy(&catalog->arena, b->scenes.items, b->scenes.count * sizeof *b->scenes.items, 16);
    catalog->descriptions =
        acp_arena_copy(&catalog->arena, b->descriptions.items, b->descriptions.count * sizeof *b->descriptions.items, 16);
    catalog->models = acp_arena_copy(&catalog->arena, b->models.items, b->models.count * sizeof *b->models.items, 16);
    if (catalog->types && catalog->scene_indices && catalog->scenes && catalog->descriptions && catalog->models) return catalog;
    acp_scenery_catalog_destroy(catalog);
    return NULL;
}

acp_result acp_scenery_catalog_create(const acp_record_region *region, const acp_scenery_source *source, const acp_allocator *allocator,
                                      acp_scenery_catalog **out_catalog, acp_error *error) {
    builder b = {.region = region, .source = source, .memory = acp_memory_allocator(allocator), .error = error};
    acp_result result = add_terrain_types(&b);
    if (result == ACP_OK) {
        acp_scenery_catalog *catalog = finish(&b);
        if (catalog)
            *out_catalog = catalog;
        else
            result = out_of_memory(error);
    }
    ACP_ARRAY_FREE(&b.types, &b.memory);
    ACP_ARRAY_FREE(&b.indices, &b.memory);
    ACP_ARRAY_FREE(&b.scenes, &b.memory);
    ACP_ARRAY_FREE(&b.descriptions, &b.memory);
    ACP_ARRAY_FREE(&b.models, &b.memory);
    ACP_MEMORY_DELETE_ARRAY(&b.memory, id_entry, b.scene_ids.entries, b.scene_ids.length);
    ACP_MEMORY_DELETE_ARRAY(&b.memory, id_entry, b.model_ids.entries, b.model_ids.length);
    ACP_MEMORY_DELETE_ARRAY(&b.memory, id_entry, b.type_ids.entries, b.type_ids.length);
    return result;
}

void acp_scenery_catalog_destroy(acp_scenery_catalog *catalog) {
    if (!catalog) return;
    acp_allocator memory = catalog->arena.allocator;
    acp_arena_free(&catalog->arena);
    ACP_MEMORY_DELETE(&memory, acp_scenery_catalog, catalog);
}
