/* SPDX-License-Identifier: MIT */
/* The pseudo-random functions of scenery: which scene grows at a vertex, and where, how large and which way round its objects stand
 * (POP-6, POP-7).
 *
 * Nothing is drawn from a stream: each number is a hash of the vertex's global coordinates and of the description's place in its scene,
 * modulo 2^32, taken as a fraction of 2^32. So a vertex on a border gives the same in every block that has it, and a landblock can be made
 * alone, in any order, on any thread. The quarter turn of an offset hashes the vertex only; all objects of a vertex share it.
 *
 * Contract: pure; descriptions come from acp_scenery_description_from_record and are finite there. Numbers are binary64 with the stores of
 * POP-7; sine, arc tangent and power are the fixed set (D19).
 * Limits: max_rotation and the scales are believed, whatever they are; a result that is no number is the generator's business.
 * Spec: 09 POP-6, POP-7, RES-2, RES-4, RES-8. retail: ObjectDesc::Place 0x005A5BB0 · ObjectDesc::GetObjFrame 0x005A5D50 ·
 * ObjectDesc::ObjAlign 0x005A5E50 · ObjectDesc::ScaleObj 0x0052F0C0 · ObjectDesc::CheckSlope 0x0052F090
 * Cost: 2 ns a hash, 10 ns a place, 0.1 us a scale, 0.3 us a turned frame. Nothing allocates. */
#include "population/scenery_place.h"

#include <math.h>
#include <string.h>

#include "math/trig.h"
#include "math/vec3.h"

/* What distinguishes the draws of one description. */
enum { SALT_FREQUENCY = 23399, SALT_DISPLACE_X = 45773, SALT_DISPLACE_Y = 72719, SALT_SCALE = 32593, SALT_ROTATION = 63127 };

static uint32_t description_hash(uint32_t gx, uint32_t gy, uint32_t k, uint32_t salt) {
    return 1813693831u * gy - (k + salt) * (1360117743u * gy * gx + 1888038839u) - 1109124029u * gx;
}

static double draw(uint32_t gx, uint32_t gy, uint32_t k, uint32_t salt) { return acp_scenery_fraction(description_hash(gx, gy, k, salt)); }

uint32_t acp_scenery_choose_scene(uint32_t gx, uint32_t gy, uint32_t count) {
    if (count <= 1u) return 0;
    uint32_t hash = gy * (712977289u * gx + 1813693831u) - 1109124029u * gx + 2139937281u;
    double index = floor(acp_scenery_fraction(hash) * (double)count);
    return index >= (double)count ? 0u : (uint32_t)index; /* never: the fraction is below 1 (RES-2) */
}

double acp_scenery_frequency_draw(uint32_t gx, uint32_t gy, uint32_t k) { return draw(gx, gy, k, SALT_FREQUENCY); }

acp_vec3 acp_scenery_place(const acp_scenery_description *d, uint32_t gx, uint32_t gy, uint32_t k) {
    double base_x = (double)d->base.origin.x, base_y = (double)d->base.origin.y;
    double x = d->displace_x <= 0.0f ? base_x : acp_stored(draw(gx, gy, k, SALT_DISPLACE_X) * (double)d->displace_x + base_x);
    double y = d->displace_y <= 0.0f ? base_y : draw(gx, gy, k, SALT_DISPLACE_Y) * (double)d->displace_y + base_y;
    double quarter = acp_scenery_fraction(1813693831u * gy - gx * (1870387557u * gy + 1109124029u) - 402451965u);
    acp_vec3 offset = {0.0f, 0.0f, d->base.origin.z};
    if (quarter >= 0.75) {
        offset.x = acp_f32(y);
        offset.y = acp_f32(-x);
    } else if (quarter >= 0.5) {
        offset.x = acp_f32(-x);
        offset.y = acp_f32(-y);
    } else if (quarter >= 0.25) {
        offset.x = acp_f32(-y);
        offset.y = acp_f32(x);
    } else {
        offset.x = acp_f32(x);
        offset.y = acp_f32(y);
    }
    return offset;
}

acp_matrix_frame acp_scenery_frame(const acp_scenery_description *d, uint32_t gx, uint32_t gy, uint32_t k, acp_vec3 point) {
    acp_matrix_frame frame = d->base;
    frame.origin = point;
    if (d->max_rotation > 0.0f) acp_matrix_frame_set_heading(&frame, acp_f32(draw(gx, gy, k, SALT_ROTATION) * (double)d->max_rotation));
    return frame;
}

acp_matrix_frame acp_scenery_align(const acp_scenery_description *d, acp_vec3 normal, acp_vec3 point) {
    acp_matrix_frame frame = d->base;
    acp_vec3 uphill = {-normal.x, -normal.y, 0.0f};
    frame.origin = point;
    float degrees = acp_vec3_normalize_check_small(&uphill) ? 0.0f : acp_f32(acp_vec3_heading(uphill));
    acp_matrix_frame_set_heading(&frame, degrees);
    return frame;
}

float acp_scenery_scale(const acp_scenery_description *d, uint32_t gx, uint32_t gy, uint32_t k) {
    if (d->min_scale == d->max_scale) return d->max_scale;
    double low = (double)d->min_scale;
    return acp_f32(acp_pow((double)d->max_scale / low, draw(gx, gy, k, SALT_SCALE)) * low);
}

acp_scenery_description acp_scenery_description_from_record(const acp_record_scene_object *record) {
    acp_scenery_description d = {.object_id = record->object_id,
                                 .model = ACP_SCENERY_NONE,
                                 .base = acp_matrix_frame_from_public(&record->base),
                                 .frequency = record->frequency,
                                 .displace_x = record->displace_x,
                                 .displace_y = record->displace_y,
                                 .min_scale = record->min_scale,
                                 .max_scale = record->max_scale,
                                 .max_rotation = record->max_rotation,
                                 .min_slope = record->min_slope,
                                 .max_slope = record->max_slope,
                                 .is_aligned = record->align != 0,
                                 .is_weenie = record->weenie_object != 0};
    if (!acp_matrix_frame_is_valid(&d.base)) {
        const acp_matrix_frame identity = acp_matrix_frame_identity();
        memcpy(d.base.m, identity.m, sizeof d.base.m);
    }
    return d;
}
