/* SPDX-License-Identifier: MIT */
/* The measuring half of `acphys survey membership`: which objects count, their floods, the generated world.
 *
 * Objects whose boxes decide (MEM-31) are measured, each as a whole and each of its parts alone. Beside the flood of the boxes stands the
 * sphere rule on the part's own bounding sphere (MEM-7b): its own land cell and at most the eight neighbours; what the boxes register and
 * the rule does not is what a walker could walk through. A ball of the sphere's radius about the part's origin certainly fails to hold the
 * geometry when a face of the box lies beyond it, for some vertex lies on every face of a box made from vertices (MEM-20).
 *
 * Generated objects depend on seed and ordinal only: one to three parts, boxes of 1 to 200 m a side (small ones more often) with
 * centres off the origin by up to half their size, turned about z, in the inner part of a square of flat landblocks. Contract: results do
 * not depend on the number of threads. Limits: 2,000,000 objects. Cost: two floods per part and one per object, about 0.5 us in all, 40
 * bytes a part. */
#include "tools/acphys/tool_survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/shape.h"
#include "base/error.h"
#include "math/number.h"
#include "math/trig.h"
#include "tools/acphys/tool_parallel.h"

#define CHUNK     256u
#define MAX_PARTS 3u /* of a generated object */
#define MARGIN    2u /* landblocks of the region's rim without objects */

/* ---------------------------------------------------------------------------------------------------------- generated objects */

static uint64_t mix(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double unit(uint64_t *state) { return (double)(mix(state) >> 11) * (1.0 / 9007199254740992.0); }

static uint64_t seed_of(const acp_survey_region *region, uint32_t ordinal) { return region->seed * 0xD1342543DE82EF95u + ordinal; }

/* One to three parts: half of the objects have one, a quarter two, a quarter three. */
static uint32_t generated_parts(const acp_survey_region *region, uint32_t ordinal) {
    uint64_t state = ~seed_of(region, ordinal), v = mix(&state) & 3u;
    return v < 2u ? 1u : (uint32_t)v;
}

static void generate_shape(uint64_t *state, acp_shape *shape) {
    memset(shape, 0, sizeof *shape);
    float low[3], high[3], center[3];
    double square = 0.0;
    for (uint32_t i = 0; i < 3u; i++) {
        double u = unit(state), size = acp_pow(200.0, u * u), off = unit(state) * 2.0 - 1.0;
        if (i == 2u) size = size * 0.3 + 0.5;
        double middle = off * fabs(off) * 0.5 * size;
        low[i] = acp_f32(middle - size * 0.5);
        high[i] = acp_f32(middle + size * 0.5);
        center[i] = acp_f32(middle);
        square += size * size * 0.25;
    }
    shape->box.min = (acp_vec3){low[0], low[1], low[2]};
    shape->box.max = (acp_vec3){high[0], high[1], high[2]};
    shape->physics_sphere.center = (acp_vec3){center[0], center[1], center[2]};
    shape->physics_sphere.radius = acp_f32(sqrt(square));
    shape->flags = (uint32_t)ACP_SHAPE_HAS_BOX | (uint32_t)ACP_SHAPE_HAS_PHYSICS_SPHERE;
}

/* Shapes and parts of one object at their place; both are the caller's. */
static uint32_t generate(const acp_survey_region *region, uint32_t ordinal, acp_shape *shapes, acp_part_row *parts) {
    uint64_t state = seed_of(region, ordinal);
    double span = (double)(region->blocks - 2u * MARGIN) * 192.0;
    double x = (double)(region->block_x + MARGIN) * 192.0 + unit(&state) * span;
    double y = (double)(region->block_y + MARGIN) * 192.0 + unit(&state) * span;
    double half = unit(&state) * 3.14159265358979323846;
    acp_matrix_position position = {acp_lcoord_to_cell_id((int32_t)(x / 24.0), (int32_t)(y / 24.0)), acp_matrix_frame_identity()};
    (void)acp_matrix_frame_set_rotate(&position.frame, acp_f32(acp_cos(half)), 0.0f, 0.0f, acp_f32(acp_sin(half)));
    position.frame.origin.x = acp_f32(x - 192.0 * (double)(position.cell_id >> 24));
    position.frame.origin.y = acp_f32(y - 192.0 * (double)((position.cell_id >> 16) & 0xFFu));
    uint32_t count = generated_parts(region, ordinal);
    for (uint32_t i = 0; i < count; i++) {
        generate_shape(&state, &shapes[i]);
        memset(&parts[i], 0, sizeof parts[i]);
        parts[i].shape = &shapes[i];
        parts[i].position = position;
        parts[i].scale = (acp_vec3){1.0f, 1.0f, 1.0f};
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------------------- measuring */

/* What one thread works with. */
typedef struct worker {
    acp_survey *survey;
    acp_cell_array boxes;
    acp_cell_array balls;
} worker;

/* Parts of an object and the cell its flood starts in. */
typedef struct body {
    const acp_part_row *parts;
    uint32_t part_count;
    uint32_t start;
} body;

/* Objects of the scene, then its statics. */
static const acp_scene_object *scene_object(const acp_survey *survey, uint32_t ordinal) {
    uint32_t count = survey->scene->object_count;
    return ordinal < count ? &survey->scene->objects[ordinal] : &survey->scene->statics[ordinal - count];
}

static body body_of(const acp_survey *survey, uint32_t object, acp_shape *shapes, acp_part_row *parts) {
    body b = {parts, 1u, 0};
    if (survey->is_generated) {
        b.part_count = generate(&survey->region, object, shapes, parts);
        b.start = parts[0].position.cell_id;
        return b;
    }
    const acp_object_row *row = acp_world_row(survey->scene->world, scene_object(survey, survey->scene_objects[object])->index);
    b.parts = row->parts;
    b.part_count = row->part_count;
    b.start = row->holder_cell_id ? row->holder_cell_id : row->position.cell_id;
    return b;
}

static bool flood_boxes(acp_survey *survey, acp_cell_array *array, uint32_t start, const acp_part_row *parts, uint32_t count) {
    acp_cell_array_reset(array, true);
    acp_flood flood = acp_flood_begin(survey->scene->world, array);
    return acp_find_bbox_cell_list(&flood, start, count, parts) == ACP_OK;
}

static bool flood_ball(acp_survey *survey, acp_cell_array *array, const acp_part_row *part, const acp_sphere *sphere) {
    acp_cell_array_reset(array, true);
    acp_flood flood = acp_flood_begin(survey->scene->world, array);
    return acp_find_cell_list_sphere(&flood, &part->position, sphere) == ACP_OK;
}

/* Extent of the land cells, in cells. */
static void measure_extent(const acp_cell_array *array, acp_survey_part *out) {
    int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = -1, y1 = -1, x = 0, y = 0;
    for (uint32_t i = 0; i < array->count; i++) {
        if (!acp_lcoord_from_cell_id(array->items[i].cell_id, &x, &y)) continue;
        x0 = x < x0 ? x : x0;
        y0 = y < y0 ? y : y0;
        x1 = x > x1 ? x : x1;
        y1 = y > y1 ? y : y1;
    }
    if (x1 < 0) return;
    out->cells_x = (uint32_t)(x1 - x0 + 1);
    out->cells_y = (uint32_t)(y1 - y0 + 1);
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = ((const acp_cell_entry *)a)->cell_id, y = ((const acp_cell_entry *)b)->cell_id;
    return (x > y) - (x < y);
}

/* Entries of `boxes` that `balls` lacks; sorts `balls`. */
static uint32_t count_missed(const acp_cell_array *boxes, acp_cell_array *balls, uint32_t *out_cells, uint32_t capacity) {
    uint32_t missed = 0;
    if (balls->count) qsort(balls->items, balls->count, sizeof *balls->items, compare_ids);
    for (uint32_t i = 0; i < boxes->count; i++) {
        if (balls->count && bsearch(&boxes->items[i], balls->items, balls->count, sizeof *balls->items, compare_ids)) continue;
        if (missed < capacity) out_cells[missed] = boxes->items[i].cell_id;
        missed++;
    }
    return missed;
}

static bool is_beyond(const acp_box *box, float radius) {
    const float *low = &box->min.x, *high = &box->max.x;
    for (uint32_t i = 0; i < 3u; i++)
        if (-low[i] > radius || high[i] > radius) return true;
    return false;
}

static bool measure_part(worker *w, const body *b, uint32_t part, acp_survey_part *out) {
    const acp_part_row *row = &b->parts[part];
    acp_sphere sphere;
    out->part = part;
    if (!flood_boxes(w->survey, &w->boxes, b->start, row, 1u)) return false;
    out->cells = w->boxes.count;
    measure_extent(&w->boxes, out);
    out->has_sphere = acp_shape_sphere(row->shape, &sphere);
    w->balls.count = 0;
    if (out->has_sphere) {
        const acp_vec3 c = sphere.center;
        out->radius = sphere.radius;
        out->offset = acp_f32(sqrt((double)c.x * (double)c.x + (double)c.y * (double)c.y + (double)c.z * (double)c.z));
        out->is_beyond_origin_sphere = is_beyond(&row->shape->box, sphere.radius);
        if (!flood_ball(w->survey, &w->balls, row, &sphere)) return false;
    }
    out->missed = count_missed(&w->boxes, &w->balls, NULL, 0);
    return true;
}

static bool measure_object(void *user, uint32_t object) {
    worker *w = user;
    acp_shape shapes[MAX_PARTS];
    acp_part_row made[MAX_PARTS];
    acp_survey_object *out = &w->survey->objects[object];
    body b = body_of(w->survey, object, shapes, made);
    uint32_t at = out->first_part;
    for (uint32_t i = 0; i < b.part_count; i++) {
        if (!b.parts[i].shape) continue;
        w->survey->parts[at].object = object;
        if (!measure_part(w, &b, i, &w->survey->parts[at++])) return false;
    }
    if (out->part_count == 1u) {
        out->cells = w->survey->parts[out->first_part].cells;
        return true;
    }
    if (!flood_boxes(w->survey, &w->boxes, b.start, b.parts, b.part_count)) return false;
    out->cells = w->boxes.count;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------------- whole */

/* Parts that have a shape. */
static uint32_t count_parts(const acp_survey *survey, uint32_t object) {
    if (survey->is_generated) return generated_parts(&survey->region, object);
    const acp_object_row *row = acp_world_row(survey->scene->world, scene_object(survey, survey->scene_objects[object])->index);
    uint32_t count = 0;
    for (uint32_t i = 0; i < row->part_count; i++)
        count += row->parts[i].shape != NULL;
    return count;
}

/* Lists objects and gives every part its slot. */
static bool list_objects(acp_survey *survey) {
    if (survey->is_generated) {
        survey->part_count = 0;
        for (uint32_t i = 0; i < survey->object_count; i++)
            survey->part_count += generated_parts(&survey->region, i);
    } else {
        uint32_t total = survey->scene->object_count + survey->scene->static_count;
        survey->scene_objects = calloc(total + 1u, sizeof *survey->scene_objects);
        if (!survey->scene_objects) return false;
        survey->object_count = survey->part_count = 0;
        for (uint32_t i = 0; i < total; i++) {
            if (!scene_object(survey, i)->handle.index1) continue; /* a static without a cell */
            const acp_object_row *row = acp_world_row(survey->scene->world, scene_object(survey, i)->index);
            if (acp_flood_choose_arm(row, (row->state & (uint32_t)ACP_STATE_STATIC) != 0) != ACP_FLOOD_ARM_BOXES) continue;
            survey->scene_objects[survey->object_count] = i;
            uint32_t parts = count_parts(survey, survey->object_count);
            survey->object_count += parts != 0;
            survey->part_count += parts;
        }
    }
    survey->objects = calloc(survey->object_count + 1u, sizeof *survey->objects);
    survey->parts = calloc(survey->part_count + 1u, sizeof *survey->parts);
    if (!survey->objects || !survey->parts) return false;
    for (uint32_t i = 0, at = 0; i < survey->object_count; i++) {
        survey->objects[i].first_part = at;
        survey->objects[i].part_count = count_parts(survey, i);
        at += survey->objects[i].part_count;
    }
    return true;
}

acp_result acp_survey_run(acp_survey *survey, const acp_command_line *line, uint32_t threads, acp_error *error) {
    uint32_t count = acp_parallel_limit(threads);
    worker *workers = calloc(count, sizeof *workers);
    bool is_good = workers && list_objects(survey);
    for (uint32_t i = 0; i < count && workers; i++) {
        workers[i].survey = survey;
        acp_cell_array_init(&workers[i].boxes, NULL);
        acp_cell_array_init(&workers[i].balls, NULL);
    }
    acp_parallel_job job = {line, "objects", survey->object_count, CHUNK, measure_object, workers, sizeof *workers, count};
    is_good = is_good && acp_parallel_run(&job);
    for (uint32_t i = 0; i < count && workers; i++) {
        acp_cell_array_free(&workers[i].boxes);
        acp_cell_array_free(&workers[i].balls);
    }
    free(workers);
    return is_good ? ACP_OK : acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "survey", "no memory for the measurements");
}

uint32_t acp_survey_missed(acp_survey *survey, uint32_t part, uint32_t *out_cells, uint32_t capacity, uint32_t *out_start_cell) {
    acp_shape shapes[MAX_PARTS];
    acp_part_row made[MAX_PARTS];
    worker w;
    acp_sphere sphere;
    memset(&w, 0, sizeof w);
    w.survey = survey;
    acp_cell_array_init(&w.boxes, NULL);
    acp_cell_array_init(&w.balls, NULL);
    body b = body_of(survey, survey->parts[part].object, shapes, made);
    const acp_part_row *row = &b.parts[survey->parts[part].part];
    bool is_good = flood_boxes(survey, &w.boxes, b.start, row, 1u);
    if (is_good && acp_shape_sphere(row->shape, &sphere)) is_good = flood_ball(survey, &w.balls, row, &sphere);
    uint32_t missed = is_good ? count_missed(&w.boxes, &w.balls, out_cells, capacity) : 0;
    *out_start_cell = b.start;
    acp_cell_array_free(&w.boxes);
    acp_cell_array_free(&w.balls);
    return missed;
}

void acp_survey_name(const acp_survey *survey, uint32_t object, char *out, size_t capacity) {
    if (!survey->is_generated) {
        const acp_scene_object *o = scene_object(survey, survey->scene_objects[object]);
        uint32_t id = acp_world_row(survey->scene->world, o->index)->object_id;
        if (o->name[0]) {
            (void)snprintf(out, capacity, "%s", o->name);
            return;
        }
        if (id) {
            (void)snprintf(out, capacity, "0x%08X", (unsigned)id);
            return;
        }
    }
    (void)snprintf(out, capacity, "#%u", (unsigned)object);
}

void acp_survey_free(acp_survey *survey) {
    acp_scene_destroy(survey->scene);
    free(survey->scene_objects);
    free(survey->objects);
    free(survey->parts);
    memset(survey, 0, sizeof *survey);
}
