/* SPDX-License-Identifier: MIT */
/* `eval` operations on generated scenery (vectors: scenery.jsonl).
 *
 * The functions of one object description, and the generator over one block of a scene (`land_scenes`): the request brings region, scenes
 * and models, the scene brings ground and buildings. Each accepted object is made in the scene's world as publishing makes it (entered,
 * placed, registered by the static rules, scaled last), written, and taken out again. Members of a description: obj_id, base, freq,
 * displace_x, displace_y, min_scale, max_scale, max_rot, min_slope, max_slope, align, orient, weenie_obj (vectors README §4). Spec: 09
 * POP-6 to POP-9. Cost: microseconds; a block with its models well below a millisecond. */
#include <string.h>

#include "dat/record_region.h"
#include "membership/registry.h"
#include "population/scenery.h"
#include "population/scenery_place.h"
#include "tools/acphys/eval_scene.h"
#include "world/object.h"
#include "world/world.h"

#define BLOCK_MASK 0xFFFF0000u

/* ---------------------------------------------------------------------------------------------------------- one description */

static acp_record_scene_object read_object(acp_json_input *input, const acp_json *json) {
    acp_record_scene_object o;
    memset(&o, 0, sizeof o);
    acp_matrix_frame base = acp_json_get_frame_or_identity(input, json, "base");
    o.object_id = acp_json_get_id_or(input, json, "obj_id", 0);
    o.base = acp_matrix_frame_to_public(&base);
    o.frequency = acp_json_get_float_or(input, json, "freq", 1.0f);
    o.displace_x = acp_json_get_float_or(input, json, "displace_x", 0.0f);
    o.displace_y = acp_json_get_float_or(input, json, "displace_y", 0.0f);
    o.min_scale = acp_json_get_float_or(input, json, "min_scale", 1.0f);
    o.max_scale = acp_json_get_float_or(input, json, "max_scale", 1.0f);
    o.max_rotation = acp_json_get_float_or(input, json, "max_rot", 0.0f);
    o.min_slope = acp_json_get_float_or(input, json, "min_slope", 0.0f);
    o.max_slope = acp_json_get_float_or(input, json, "max_slope", 90.0f);
    o.align = (uint32_t)acp_json_get_int32_or(input, json, "align", 0);
    o.orient = (uint32_t)acp_json_get_int32_or(input, json, "orient", 0);
    o.weenie_object = (uint32_t)acp_json_get_int32_or(input, json, "weenie_obj", 0);
    return o;
}

typedef struct description_call {
    acp_scenery_description description;
    uint32_t gx, gy, k;
} description_call;

/* `needs_vertex`: gx, gy and k are wanted. False on a fault. */
static bool read_description(acp_eval_call *call, bool needs_vertex, description_call *out) {
    acp_record_scene_object o = read_object(&call->input, acp_json_get_object(&call->input, call->in, "desc"));
    out->description = acp_scenery_description_from_record(&o);
    out->gx = needs_vertex ? acp_json_get_uint32(&call->input, call->in, "gx") : 0u;
    out->gy = needs_vertex ? acp_json_get_uint32(&call->input, call->in, "gy") : 0u;
    out->k = needs_vertex ? acp_json_get_uint32(&call->input, call->in, "k") : 0u;
    return !acp_json_is_failed(&call->input);
}

static acp_result eval_place(acp_eval_call *call) {
    description_call d;
    if (read_description(call, true, &d)) acp_json_write_vec3(call->out, "v", acp_scenery_place(&d.description, d.gx, d.gy, d.k));
    return call->input.result;
}

static acp_result eval_frame(acp_eval_call *call) {
    description_call d;
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "loc");
    if (!read_description(call, true, &d)) return call->input.result;
    acp_matrix_frame frame = acp_scenery_frame(&d.description, d.gx, d.gy, d.k, point);
    acp_json_write_frame_members(call->out, &frame);
    return ACP_OK;
}

static acp_result eval_align(acp_eval_call *call) {
    description_call d;
    acp_vec3 normal = acp_json_get_vec3(&call->input, call->in, "n"), point = acp_json_get_vec3(&call->input, call->in, "loc");
    if (!read_description(call, false, &d)) return call->input.result;
    acp_matrix_frame frame = acp_scenery_align(&d.description, normal, point);
    acp_json_write_frame_members(call->out, &frame);
    return ACP_OK;
}

static acp_result eval_scale(acp_eval_call *call) {
    description_call d;
    if (read_description(call, true, &d)) acp_json_write_float(call->out, "ret", acp_scenery_scale(&d.description, d.gx, d.gy, d.k));
    return call->input.result;
}

static acp_result eval_slope(acp_eval_call *call) {
    description_call d;
    float z = acp_json_get_float(&call->input, call->in, "z");
    if (read_description(call, false, &d)) acp_json_write_flag(call->out, "ret", acp_scenery_is_slope_accepted(&d.description, z));
    return call->input.result;
}

/* -------------------------------------------------------------------------------------------------------------- a whole block */

/* What a request brings: Scenes by id as they are asked for, models as objects of the scene's world that stand nowhere. */
typedef struct request {
    acp_eval_call *call;
    acp_scene *scene;
    const acp_json *scenes;
    const acp_json *models;
    acp_scene_object *made; /* one slot a member of `models` */
    uint32_t made_count;
    acp_record_scene record;
} request;

static const acp_json *find_by_id(acp_eval_call *call, const acp_json *object, uint32_t id) {
    for (const acp_json *member = object ? object->first : NULL; member; member = member->next) {
        acp_json key = {.type = ACP_JSON_STRING, .text = member->key, .count = member->key_length};
        if (acp_json_to_id(&call->input, &key, "id") == id) return member;
    }
    return NULL;
}

static acp_result get_scene(void *user, uint32_t scene_id, const acp_record_scene **out_scene, acp_error *error) {
    request *r = user;
    acp_eval_call *call = r->call;
    (void)error;
    const acp_json *list = find_by_id(call, r->scenes, scene_id);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    if (!list || list->type != ACP_JSON_ARRAY) return ACP_ERROR_NOT_FOUND;
    r->record.id = scene_id;
    r->record.count = 0;
    r->record.objects = acp_json_reader_allocate(call->memory, (list->count + 1u) * sizeof *r->record.objects);
    if (!r->record.objects) return ACP_ERROR_OUT_OF_MEMORY;
    for (const acp_json *o = list->first; o; o = o->next)
        r->record.objects[r->record.count++] = read_object(&call->input, o);
    *out_scene = &r->record;
    return call->input.result;
}

static acp_result get_model(void *user, uint32_t object_id, acp_scenery_model *out_model, acp_error *error) {
    request *r = user;
    acp_eval_call *call = r->call;
    (void)error;
    const acp_json *json = find_by_id(call, r->models, object_id);
    if (!json) return acp_json_is_failed(&call->input) ? call->input.result : ACP_ERROR_NOT_FOUND;
    acp_scene_object *object = &r->made[r->made_count];
    if (!acp_scene_object_create(r->scene, &call->input, call->memory, json, object)) return call->input.result;
    r->made_count++;
    if (!object->setup) return ACP_ERROR_NOT_FOUND; /* without a part array nothing is made */
    const acp_object_row *row = acp_world_row(r->scene->world, object->index);
    *out_model = (acp_scenery_model){object->setup, (row->state & ACP_STATE_HAS_PHYSICS_BSP) != 0};
    return ACP_OK;
}

static void *allocate(acp_eval_call *call, size_t count, size_t item_size) {
    void *memory = acp_json_reader_allocate(call->memory, (count + 1u) * item_size);
    if (!memory)
        (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "land_scenes", "no memory for the request");
    else
        memset(memory, 0, (count + 1u) * item_size);
    return memory;
}

/* region[terrain type][scene type] = list of scene ids. Every inner list becomes a scene type of its own. */
static acp_record_region *read_region(acp_eval_call *call) {
    const acp_json *array = acp_json_get_array(&call->input, call->in, "region");
    if (!array) return NULL;
    size_t types = 0;
    for (const acp_json *t = array->first; t; t = t->next)
        types += t->type == ACP_JSON_ARRAY ? t->count : 0u;
    acp_record_region *region = allocate(call, 1u, sizeof *region);
    if (!region) return NULL;
    region->terrain_types = allocate(call, array->count, sizeof *region->terrain_types);
    region->scene_types = allocate(call, types, sizeof *region->scene_types);
    if (!region->terrain_types || !region->scene_types) return NULL;
    for (const acp_json *t = array->first; t; t = t->next) {
        acp_record_u32s *indices = &region->terrain_types[region->terrain_type_count++].scene_types;
        if (t->type != ACP_JSON_ARRAY) continue;
        indices->items = allocate(call, t->count, sizeof *indices->items);
        for (const acp_json *s = t->first; s && indices->items; s = s->next) {
            acp_record_u32s *scenes = &region->scene_types[region->scene_type_count].scenes;
            indices->items[indices->count++] = region->scene_type_count++;
            if (s->type != ACP_JSON_ARRAY) continue;
            scenes->items = allocate(call, s->count, sizeof *scenes->items);
            for (const acp_json *id = s->first; id && scenes->items; id = id->next)
                scenes->items[scenes->count++] = acp_json_to_id(&call->input, id, "region");
        }
    }
    return acp_json_is_failed(&call->input) ? NULL : region;
}

static void write_object(acp_json_writer *out, const acp_world *world, const acp_scenery_object *from, uint32_t index) {
    const acp_object_row *row = acp_world_row(world, index);
    acp_json_begin_object(out, NULL);
    acp_json_write_id(out, "obj_id", from->object_id);
    acp_json_write_id(out, "cell", row->position.cell_id);
    acp_json_write_vec3(out, "o", row->position.frame.origin);
    acp_json_write_quaternion(out, "rot", row->position.frame.rotation);
    acp_json_write_float(out, "scale", row->scale);
    acp_eval_write_shadows(out, "shadows", world, index);
    if (row->part_count) {
        acp_json_begin_array(out, "parts");
        for (uint32_t i = 0; i < row->part_count; i++) {
            if (!row->parts[i].shape) {
                acp_json_write_null(out, NULL);
                continue;
            }
            acp_json_begin_object(out, NULL);
            acp_json_write_vec3(out, "o", row->parts[i].position.frame.origin);
            acp_json_write_quaternion(out, "rot", row->parts[i].position.frame.rotation);
            acp_json_write_vec3(out, "scale", row->parts[i].scale);
            acp_json_end_object(out);
        }
        acp_json_end_array(out);
    }
    acp_json_end_object(out);
}

/* POP-8's end: into the cell, placed, registered, and only then scaled. */
static void publish(request *r, const acp_scenery_object *from) {
    acp_eval_call *call = r->call;
    acp_world *world = r->scene->world;
    acp_scene_object object;
    const acp_json *json = find_by_id(call, r->models, from->object_id);
    if (!acp_scene_object_create(r->scene, &call->input, call->memory, json, &object)) return;
    acp_object_leave_cell(world, object.index);
    acp_object_enter_cell(world, object.index, from->cell_id);
    acp_object_set_frame(world, object.index, &from->frame);
    acp_object_set_cell_id(world, object.index, from->cell_id);
    acp_result result = acp_registry_calc_cross_cells(world, object.index, true, NULL);
    if (result != ACP_OK) acp_json_fail(&call->input, result, "models", "the object cannot be registered");
    acp_object_set_scale(world, object.index, from->scale);
    write_object(call->out, world, from, object.index);
    acp_scene_object_destroy(r->scene, &object);
}

static void grow(request *r, const acp_scenery_catalog *catalog, uint32_t block_id) {
    acp_eval_call *call = r->call;
    const acp_block *block = acp_world_block(r->scene->world, block_id);
    if (!block || !block->terrain) {
        (void)acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, "block", "the scene has no such landblock");
        return;
    }
    acp_scenery_counts counts;
    uint32_t count = acp_scenery_generate(catalog, block->terrain, block->building_mask, NULL, 0, NULL, NULL);
    acp_scenery_object *objects = allocate(call, count, sizeof *objects);
    if (!objects) return;
    (void)acp_scenery_generate(catalog, block->terrain, block->building_mask, objects, count, &counts, NULL);
    acp_json_begin_array(call->out, "objects");
    for (uint32_t i = 0; i < count && !acp_json_is_failed(&call->input); i++)
        publish(r, &objects[i]);
    acp_json_end_array(call->out);
    uint32_t border = counts.ends[ACP_SCENERY_BORDER];
    acp_json_write_uint(call->out, "made", count + border + counts.ends[ACP_SCENERY_SCALE]);
    acp_json_write_uint(call->out, "rejected_at_border", border);
}

static acp_result eval_land_scenes(acp_eval_call *call) {
    acp_eval_scene scene;
    uint32_t block_id = acp_json_get_id(&call->input, call->in, "block") & BLOCK_MASK;
    request r = {.call = call};
    r.scenes = acp_json_get_object(&call->input, call->in, "scenes");
    r.models = acp_json_get_object(&call->input, call->in, "models");
    const acp_record_region *region = read_region(call);
    if (acp_json_is_failed(&call->input) || !acp_eval_scene_open(call, &scene)) return call->input.result;
    r.scene = scene.scene;
    r.made = allocate(call, r.models->count, sizeof *r.made);
    acp_scenery_source source = {&r, get_scene, get_model, NULL};
    acp_scenery_catalog *catalog = NULL;
    if (r.made) {
        acp_result result = acp_scenery_catalog_create(region, &source, NULL, &catalog, call->error);
        if (result != ACP_OK) (void)acp_json_fail(&call->input, result, "region", "the catalog cannot be made");
    }
    if (!acp_json_is_failed(&call->input)) grow(&r, catalog, block_id);
    acp_scenery_catalog_destroy(catalog);
    for (uint32_t i = 0; i < r.made_count; i++)
        acp_scene_object_destroy(r.scene, &r.made[i]);
    acp_eval_scene_close(&scene);
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"scenery_place", "09 POP-7", eval_place}, {"scenery_frame", "09 POP-7", eval_frame}, {"scenery_align", "09 POP-7", eval_align},
    {"scenery_scale", "09 POP-7", eval_scale}, {"scenery_slope", "09 POP-7", eval_slope}, {"land_scenes", "09 POP-6", eval_land_scenes},
};

const acp_eval_area acp_eval_area_scenery = {"scenery", operations, sizeof operations / sizeof operations[0]};
