/* SPDX-License-Identifier: MIT */
/* Setups from parts.
 *
 * A setup is the model of an object: its parts (entry 0 of each part's mesh list: what physics, boxes and the BSP bit use, PHO-4), the
 * placement frames that pose them, spheres, cylspheres, the sorting sphere, heights and holding locations. It lives in one block of memory,
 * struct first, lists behind it, so that destroying is one call. Placement frames keep the matrices that retail would have cached.
 * MEM-30's "some part has a physics BSP" is computed here once; the object copies it into its state word at construction.
 *
 * Contract: all or nothing; shapes are borrowed. Limits: 65,535 entries per list. Cost: one allocation. */
#include "asset/setup.h"

#include <math.h>
#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "base/memory.h"

#define MAX_LIST 65535u
static const char operation[] = "setup create";

acp_setup_definition acp_setup_definition_default(void) {
    acp_setup_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    definition.flags = ACP_SETUP_ALLOWS_FREE_HEADING;
    return definition;
}

static acp_result check_lists(const acp_setup_definition *d, acp_error *error) {
    if ((d->part_count && !d->parts) || (d->placement_count && !d->placements) || (d->sphere_count && !d->spheres) ||
        (d->cylsphere_count && !d->cylspheres) || (d->holding_location_count && !d->holding_locations))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a list is counted but not given");
    if (d->part_count > MAX_LIST || d->placement_count > MAX_LIST || d->sphere_count > MAX_LIST || d->cylsphere_count > MAX_LIST ||
        d->holding_location_count > MAX_LIST)
        return acp_error_set(error, ACP_ERROR_LIMIT, operation, "a list has more than 65535 entries");
    for (uint32_t i = 0; i < d->placement_count; i++) {
        const acp_placement_definition *p = &d->placements[i];
        if (p->frame_count && !p->frames) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a placement has no frames");
        if (p->frame_count > MAX_LIST) return acp_error_set(error, ACP_ERROR_LIMIT, operation, "a placement has more than 65535 frames");
        for (uint32_t k = 0; k < p->frame_count; k++)
            if (!acp_frame_is_finite(&p->frames[k]))
                return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "placement %u, frame %u is not finite", (unsigned)i,
                                     (unsigned)k);
    }
    return ACP_OK;
}

static acp_result check_numbers(const acp_setup_definition *d, acp_error *error) {
    for (uint32_t i = 0; i < d->part_count; i++)
        if (!acp_vec3_is_finite(d->parts[i].default_scale))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the scale of part %u is not finite", (unsigned)i);
    for (uint32_t i = 0; i < d->sphere_count; i++) {
        if (!acp_sphere_is_finite(&d->spheres[i]))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "sphere %u is not finite", (unsigned)i);
        if (d->spheres[i].radius < 0.0f)
            return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "sphere %u has a negative radius", (unsigned)i);
    }
    for (uint32_t i = 0; i < d->cylsphere_count; i++) {
        if (!acp_cylsphere_is_finite(&d->cylspheres[i]))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "cylsphere %u is not finite", (unsigned)i);
        if (d->cylspheres[i].radius < 0.0f)
            return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "cylsphere %u has a negative radius", (unsigned)i);
    }
    for (uint32_t i = 0; i < d->holding_location_count; i++)
        if (!acp_frame_is_finite(&d->holding_locations[i].frame))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "holding location %u is not finite", (unsigned)i);
    if ((d->flags & ACP_SETUP_HAS_SORTING_SPHERE) && !acp_sphere_is_finite(&d->sorting_sphere))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the sorting sphere is not finite");
    if (!acp_is_finite(d->step_up_height) || !acp_is_finite(d->step_down_height) || !acp_is_finite(d->radius) || !acp_is_finite(d->height))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "a height or the radius is not finite");
    return ACP_OK;
}

/* Hands out the pieces of the one block, 8-byte aligned. */
typedef struct piece_writer {
    unsigned char *base; /* null while measuring */
    size_t used;
} piece_writer;

static void *take_piece(piece_writer *w, size_t count, size_t size) {
    void *piece = w->base ? w->base + w->used : NULL;
    w->used += (count * size + 7u) & ~(size_t)7u;
    return piece;
}

/* Measures (setup null) or fills. */
static void lay_out(piece_writer *w, const acp_setup_definition *d, acp_setup *setup) {
    acp_setup_part *parts = take_piece(w, d->part_count, sizeof *parts);
    acp_sphere *spheres = take_piece(w, d->sphere_count, sizeof *spheres);
    acp_cylsphere *cylspheres = take_piece(w, d->cylsphere_count, sizeof *cylspheres);
    acp_setup_placement *placements = take_piece(w, d->placement_count, sizeof *placements);
    acp_setup_holding *holdings = take_piece(w, d->holding_location_count, sizeof *holdings);
    if (setup) {
        if (d->part_count) memcpy(parts, d->parts, d->part_count * sizeof *parts);
        if (d->sphere_count) memcpy(spheres, d->spheres, d->sphere_count * sizeof *spheres);
        if (d->cylsphere_count) memcpy(cylspheres, d->cylspheres, d->cylsphere_count * sizeof *cylspheres);
        for (uint32_t i = 0; i < d->holding_location_count; i++) {
            holdings[i].location_id = d->holding_locations[i].location_id;
            holdings[i].part_index = d->holding_locations[i].part_index;
            holdings[i].frame = acp_matrix_frame_from_public(&d->holding_locations[i].frame);
        }
        setup->parts = parts;
        setup->spheres = spheres;
        setup->cylspheres = cylspheres;
        setup->placements = placements;
        setup->holdings = holdings;
    }
    for (uint32_t i = 0; i < d->placement_count; i++) {
        acp_matrix_frame *frames = take_piece(w, d->placements[i].frame_count, sizeof *frames);
        if (!setup) continue;
        for (uint32_t k = 0; k < d->placements[i].frame_count; k++)
            frames[k] = acp_matrix_frame_from_public(&d->placements[i].frames[k]);
        placements[i].placement_id = d->placements[i].placement_id;
        placements[i].frame_count = d->placements[i].frame_count;
        placements[i].frames = frames;
    }
}

/* |x| + |y| + |z|: at least the length. */
static double l1_norm(acp_vec3 v) { return (fabs((double)v.x) + fabs((double)v.y)) + fabs((double)v.z); }

/* Upper bounds, rounded up by far more than a store can lose. */
static void measure_reach(acp_setup *setup, const acp_setup_definition *d) {
    double reach = 0.0;
    for (uint32_t i = 0; i < d->sphere_count; i++)
        reach = fmax(reach, l1_norm(d->spheres[i].center) + (double)d->spheres[i].radius);
    setup->sphere_reach = (float)(reach * 1.0001);
    reach = 0.0;
    for (uint32_t i = 0; i < d->cylsphere_count; i++)
        reach = fmax(reach, l1_norm(d->cylspheres[i].low_point) + (double)d->cylspheres[i].radius);
    setup->cylsphere_reach = (float)(reach * 1.0001);
}

acp_result acp_setup_create(const acp_setup_definition *definition, const acp_allocator *allocator, acp_setup **out_setup,
                            acp_error *error) {
    if (!definition || !out_setup || definition->struct_size < sizeof *definition)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "definition, its size or the answer's place is missing");
    acp_result result = check_lists(definition, error);
    if (result == ACP_OK) result = check_numbers(definition, error);
    if (result != ACP_OK) return result;
    piece_writer measure = {NULL, sizeof(acp_setup)};
    lay_out(&measure, definition, NULL);
    acp_allocator memory = acp_memory_allocator(allocator);
    acp_setup *setup = acp_memory_allocate_zero(&memory, 1, measure.used, 8);
    if (!setup) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for a setup");
    piece_writer write = {(unsigned char *)setup, sizeof(acp_setup)};
    lay_out(&write, definition, setup);
    setup->setup_id = definition->setup_id;
    setup->flags = definition->flags;
    setup->part_count = definition->part_count;
    setup->sphere_count = definition->sphere_count;
    setup->cylsphere_count = definition->cylsphere_count;
    measure_reach(setup, definition);
    setup->placement_count = definition->placement_count;
    setup->holding_count = definition->holding_location_count;
    if (definition->flags & ACP_SETUP_HAS_SORTING_SPHERE) setup->sorting_sphere = definition->sorting_sphere;
    setup->step_up_height = definition->step_up_height;
    setup->step_down_height = definition->step_down_height;
    setup->radius = definition->radius;
    setup->height = definition->height;
    setup->allocator = memory;
    setup->byte_count = measure.used;
    for (uint32_t i = 0; i < setup->part_count; i++)
        if (setup->parts[i].shape && acp_shape_has_physics_bsp(setup->parts[i].shape)) setup->has_physics_bsp = true;
    *out_setup = setup;
    return ACP_OK;
}

acp_result acp_setup_create_simple(const acp_shape *shape, const acp_allocator *allocator, acp_setup **out_setup, acp_error *error) {
    if (!shape) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a simple setup needs a shape");
    acp_setup_part part = {shape, {1.0f, 1.0f, 1.0f}, 0};
    acp_frame frame = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    acp_placement_definition placement = {0, 1, &frame};
    acp_setup_definition definition = acp_setup_definition_default();
    definition.setup_id = shape->shape_id;
    definition.parts = &part;
    definition.part_count = 1;
    definition.placements = &placement;
    definition.placement_count = 1;
    if (acp_shape_sphere(shape, &definition.sorting_sphere)) definition.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    return acp_setup_create(&definition, allocator, out_setup, error);
}

void acp_setup_destroy(acp_setup *setup) {
    if (!setup) return;
    acp_allocator memory = setup->allocator;
    acp_memory_free(&memory, setup, setup->byte_count, 8);
}

acp_setup_info acp_setup_get_info(const acp_setup *setup) {
    acp_setup_info info;
    memset(&info, 0, sizeof info);
    if (!setup) return info;
    info.setup_id = setup->setup_id;
    info.flags = setup->flags;
    info.part_count = setup->part_count;
    info.sphere_count = setup->sphere_count;
    info.cylsphere_count = setup->cylsphere_count;
    info.placement_count = setup->placement_count;
    info.has_physics_bsp = setup->has_physics_bsp;
    info.parts = setup->parts;
    info.spheres = setup->spheres;
    info.cylspheres = setup->cylspheres;
    info.sorting_sphere = setup->sorting_sphere;
    info.step_up_height = setup->step_up_height;
    info.step_down_height = setup->step_down_height;
    info.radius = setup->radius;
    info.height = setup->height;
    return info;
}

const acp_setup_placement *acp_setup_find_placement(const acp_setup *setup, uint32_t placement_id) {
    const acp_setup_placement *zero = NULL;
    for (uint32_t i = 0; i < setup->placement_count; i++) {
        if (setup->placements[i].placement_id == placement_id) return &setup->placements[i];
        if (setup->placements[i].placement_id == 0 && !zero) zero = &setup->placements[i];
    }
    return zero;
}

const acp_setup_holding *acp_setup_find_holding(const acp_setup *setup, uint32_t location_id) {
    for (uint32_t i = 0; i < setup->holding_count; i++)
        if (setup->holdings[i].location_id == location_id) return &setup->holdings[i];
    return NULL;
}
