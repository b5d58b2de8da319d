/* SPDX-License-Identifier: MIT */
/* What must hold of generated scenery in every world: an object of a vertex belongs to one landblock at most, also where four share the
 * vertex; each candidate ends once; what is accepted stands on the ground of its cell, off roads, off the land cells with buildings, on an
 * allowed slope, clear of the border; and the same inputs give the same bytes. Worlds are random: Regions, Scenes, models, four landblocks
 * about a corner. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/asset.h"
#include "dat/record_region.h"
#include "population/scenery.h"
#include "tests/support/random.h"
#include "world/object.h"

enum { SCENES = 6, PER_SCENE = 8, MODELS = 5, CAPACITY = 81 * PER_SCENE };

typedef struct world {
    acp_record_region region;
    acp_record_scene_type scene_types[8];
    acp_record_terrain_type terrain_types[32];
    uint32_t type_lists[32][6];
    uint32_t scene_lists[8][5];
    acp_record_scene scenes[SCENES];
    acp_record_scene_object objects[SCENES][PER_SCENE];
    acp_setup *setups[MODELS];
    acp_scenery_catalog *catalog;
    acp_terrain_block ground[4]; /* about the corner of 0x5060, 0x6060, 0x5061, 0x6061 */
    uint64_t buildings[4];
    acp_scenery_object objects_of[4][CAPACITY];
    uint32_t count_of[4];
} world;

static acp_result get_scene(void *user, uint32_t id, const acp_record_scene **out_scene, acp_error *error) {
    world *w = user;
    (void)error;
    if (id - 1u >= SCENES) return ACP_ERROR_NOT_FOUND;
    *out_scene = &w->scenes[id - 1u];
    return ACP_OK;
}

static acp_result get_model(void *user, uint32_t id, acp_scenery_model *out_model, acp_error *error) {
    world *w = user;
    (void)error;
    if (id - 1u >= MODELS) return ACP_ERROR_NOT_FOUND;
    *out_model = (acp_scenery_model){w->setups[id - 1u], id == 1u};
    return ACP_OK;
}

static float number_in(test_random *random, double low, double high) { return (float)test_random_in(random, low, high); }

static acp_record_scene_object random_object(test_random *random) {
    acp_record_scene_object o;
    memset(&o, 0, sizeof o);
    o.object_id = test_random_below(random, MODELS + 2u);
    acp_quaternion q = {number_in(random, -1, 1), number_in(random, -1, 1), number_in(random, -1, 1), number_in(random, -1, 1)};
    o.base = acp_frame_identity();
    if (test_random_below(random, 2u) && acp_frame_set_rotation(&o.base, q) != ACP_OK) o.base = acp_frame_identity();
    o.base.origin = (acp_vec3){number_in(random, -30, 30), number_in(random, -30, 30), number_in(random, -2, 2)};
    if (test_random_below(random, 4u) == 0) o.base.origin = (acp_vec3){0.0f, 24.0f * (float)test_random_below(random, 3u), 0.0f};
    o.frequency = test_random_below(random, 3u) ? 1.0f : number_in(random, 0, 1);
    o.displace_x = number_in(random, -10, 40);
    o.displace_y = number_in(random, -10, 40);
    o.min_scale = number_in(random, 0.1, 2);
    o.max_scale = test_random_below(random, 2u) ? o.min_scale : number_in(random, 0.1, 4);
    o.max_rotation = number_in(random, -100, 400);
    o.min_slope = test_random_below(random, 3u) ? 0.0f : number_in(random, 0, 1);
    o.max_slope = test_random_below(random, 3u) ? 90.0f : number_in(random, 0, 1);
    o.align = test_random_below(random, 3u) == 0;
    o.weenie_object = test_random_below(random, 8u) == 0;
    return o;
}

static void random_region(world *w, test_random *random) {
    for (uint32_t i = 0; i < SCENES; i++) {
        w->scenes[i] = (acp_record_scene){i + 1u, 1u + test_random_below(random, PER_SCENE), w->objects[i]};
        for (uint32_t k = 0; k < PER_SCENE; k++)
            w->objects[i][k] = random_object(random);
    }
    for (uint32_t i = 0; i < 8u; i++) {
        w->scene_types[i].scenes = (acp_record_u32s){1u + test_random_below(random, 5u), w->scene_lists[i]};
        for (uint32_t k = 0; k < 5u; k++)
            w->scene_lists[i][k] = test_random_below(random, SCENES + 2u);
    }
    for (uint32_t i = 0; i < 32u; i++) {
        w->terrain_types[i].scene_types = (acp_record_u32s){6u, w->type_lists[i]};
        for (uint32_t k = 0; k < 6u; k++)
            w->type_lists[i][k] = test_random_below(random, 9u);
    }
    w->region.scene_types = w->scene_types;
    w->region.scene_type_count = 8;
    w->region.terrain_types = w->terrain_types;
    w->region.terrain_type_count = 32;
}

/* Heights and words of 17 x 17 vertices, cut into four landblocks that share their edges. */
static void random_ground(world *w, test_random *random) {
    acp_height_table table;
    uint8_t heights[17][17];
    uint16_t words[17][17];
    acp_height_table_default(&table);
    uint32_t step = 1u + test_random_below(random, 12u), roads = test_random_below(random, 2u);
    for (uint32_t x = 0; x < 17u; x++)
        for (uint32_t y = 0; y < 17u; y++) {
            heights[x][y] = (uint8_t)(50u + test_random_below(random, step));
            words[x][y] = (uint16_t)(test_random_below(random, 32u) << 2 | test_random_below(random, 6u) << 11);
            if (roads && test_random_below(random, 6u) == 0) words[x][y] |= 1u;
        }
    for (uint32_t b = 0; b < 4u; b++) {
        uint8_t h[81];
        uint16_t v[81];
        for (uint32_t i = 0; i < 81u; i++) {
            h[i] = heights[8u * (b & 1u) + i / 9u][8u * (b >> 1) + i % 9u];
            v[i] = words[8u * (b & 1u) + i / 9u][8u * (b >> 1) + i % 9u];
        }
        acp_terrain_block_build((0x50u + (b & 1u)) << 24 | (0x60u + (b >> 1)) << 16, v, h, &table, &w->ground[b]);
        w->buildings[b] = test_random_u64(random) & test_random_u64(random) & test_random_u64(random);
    }
}

static void check_object(const world *w, uint32_t b, const acp_scenery_object *o) {
    const acp_terrain_block *ground = &w->ground[b];
    const acp_scenery_description *d = &w->catalog->descriptions[o->description];
    const acp_scenery_model *model = &w->catalog->models[o->model];
    acp_vec3 p = o->frame.origin;
    assert_true(p.x >= 0.0f && p.x < 192.0f && p.y >= 0.0f && p.y < 192.0f);
    assert_int_equal(o->cell_id >> 16, ground->block_id >> 16);
    uint32_t cell = (o->cell_id & 0xFFFFu) - 1u;
    assert_true(cell < 64u);
    assert_true((double)p.x >= 24.0 * (cell >> 3) && (double)p.x < 24.0 * ((cell >> 3) + 1u));
    assert_true((double)p.y >= 24.0 * (cell & 7u) && (double)p.y < 24.0 * ((cell & 7u) + 1u));
    assert_false((w->buildings[b] >> cell) & 1u);
    assert_false(acp_terrain_is_on_road(ground->words, p.x, p.y));
    int32_t polygon = acp_terrain_block_find_polygon(ground, cell, p.x, p.y);
    assert_true(polygon >= 0);
    const acp_plane *plane = &ground->planes[polygon];
    assert_true(plane->normal.z >= d->min_slope && plane->normal.z <= d->max_slope);
    double above = (double)plane->normal.x * (double)p.x + (double)plane->normal.y * (double)p.y + (double)plane->normal.z * (double)p.z +
                   (double)plane->d;
    assert_true(fabs(above) < 1e-4);
    assert_true(acp_model_is_within_block(model->setup, model->has_physics_bsp, &o->frame));
    assert_true(acp_matrix_frame_is_valid(&o->frame));
    double low = fmin((double)d->min_scale, (double)d->max_scale), high = fmax((double)d->min_scale, (double)d->max_scale);
    assert_true((double)o->scale >= low * 0.999999 && (double)o->scale <= high * 1.000001);
    assert_false(d->is_weenie);
}

/* The same (vertex, description) in two landblocks. */
static void check_shared(const world *w) {
    static uint8_t seen[17][17][SCENES * PER_SCENE];
    memset(seen, 0, sizeof seen);
    for (uint32_t b = 0; b < 4u; b++)
        for (uint32_t i = 0; i < w->count_of[b]; i++) {
            const acp_scenery_object *o = &w->objects_of[b][i];
            uint8_t *mark = &seen[8u * (b & 1u) + o->vertex_x][8u * (b >> 1) + o->vertex_y][o->description];
            assert_int_equal(*mark, 0);
            *mark = 1;
        }
}

static void random_worlds(void **state) {
    (void)state;
    test_random random = {test_seed("scenery", 20)};
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    static const acp_sphere sphere = {{0.0f, 0.0f, 1.0f}, 1.0f};
    uint64_t accepted = 0, border_vertices = 0;
    for (uint32_t round = 0; round < 300u; round++) {
        for (uint32_t i = 0; i < MODELS; i++) {
            acp_setup_definition d = acp_setup_definition_default();
            acp_cylsphere cylspheres[2] = {{{number_in(&random, -1, 1), 0, 0}, number_in(&random, 0, 3), 2.0f}, {{0, 1, 0}, 0.5f, 1.0f}};
            d.spheres = &sphere;
            d.sphere_count = i == 2u ? 1u : 0u;
            d.cylspheres = cylspheres;
            d.cylsphere_count = i == 1u || i == 4u ? 1u + (i == 4u) : 0u;
            d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
            d.sorting_sphere = (acp_sphere){{number_in(&random, -1, 1), 0, 1}, number_in(&random, 0, 5)};
            assert_int_equal(acp_setup_create(&d, NULL, &w->setups[i], NULL), ACP_OK);
        }
        random_region(w, &random);
        random_ground(w, &random);
        acp_scenery_source source = {w, get_scene, get_model, NULL};
        assert_int_equal(acp_scenery_catalog_create(&w->region, &source, NULL, &w->catalog, NULL), ACP_OK);
        for (uint32_t b = 0; b < 4u; b++) {
            static acp_scenery_object again[CAPACITY];
            acp_scenery_counts counts;
            memset(w->objects_of[b], 0, sizeof w->objects_of[b]);
            memset(again, 0, sizeof again);
            w->count_of[b] = acp_scenery_generate(w->catalog, &w->ground[b], w->buildings[b], w->objects_of[b], CAPACITY, &counts, NULL);
            assert_true(w->count_of[b] <= CAPACITY);
            assert_int_equal(acp_scenery_generate(w->catalog, &w->ground[b], w->buildings[b], again, CAPACITY, NULL, NULL), w->count_of[b]);
            assert_memory_equal(again, w->objects_of[b], sizeof again);
            uint32_t vertices = 0;
            for (uint32_t r = 0; r < ACP_SCENERY_FREQUENCY; r++)
                vertices += counts.ends[r];
            assert_true(vertices <= 81u);
            for (uint32_t i = 0; i < w->count_of[b]; i++) {
                const acp_scenery_object *o = &w->objects_of[b][i];
                check_object(w, b, o);
                accepted++;
                border_vertices += o->vertex_x == 8u || o->vertex_y == 8u;
                if (i == 0) continue;
                const acp_scenery_object *before = o - 1;
                uint32_t at = o->vertex_x * 9u + o->vertex_y, at_before = before->vertex_x * 9u + before->vertex_y;
                assert_true(at > at_before || (at == at_before && o->description > before->description));
            }
        }
        check_shared(w);
        acp_scenery_catalog_destroy(w->catalog);
        for (uint32_t i = 0; i < MODELS; i++)
            acp_setup_destroy(w->setups[i]);
    }
    free(w);
    assert_true(accepted > 10000u); /* the worlds were worth it */
    assert_true(border_vertices > 100u);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
