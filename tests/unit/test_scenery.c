/* SPDX-License-Identifier: MIT */
/* Generated scenery: the tables of spec 09 POP-10, the rules of POP-6 to POP-9 on blocks made by hand, the catalog (POP-16), and memory
 * that is refused. Expected values are the specification's or plain arithmetic. */
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
#include "population/scenery_place.h"
#include "tests/support/failing.h"

/* ------------------------------------------------------------------------------------------------------------- POP-10's tables */

static acp_record_scene_object plain_object(void) {
    acp_record_scene_object o;
    memset(&o, 0, sizeof o);
    o.object_id = 0x02000001u;
    o.base = acp_frame_identity();
    o.frequency = 1.0f;
    o.min_scale = o.max_scale = 1.0f;
    o.max_slope = 1.0f;
    return o;
}

static void scene_choice(void **state) {
    static const struct { uint32_t gx, gy, index; } rows[] = {{0, 0, 2}, {1, 0, 1}, {1352, 1440, 1}, {1360, 1448, 0}, {2039, 2039, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(acp_scenery_choose_scene(rows[i].gx, rows[i].gy, 5u), rows[i].index);
    assert_int_equal(acp_scenery_choose_scene(1352u, 1440u, 1u), 0u);
    /* the same hashes scaled by 2^31: floor of the fraction times the count */
    assert_int_equal(acp_scenery_choose_scene(0, 0, 0x80000000u), 0x7F8CDA01u >> 1);
    assert_int_equal(acp_scenery_choose_scene(1u, 0, 0x80000000u), 0x3D70F644u >> 1);
    assert_int_equal(acp_scenery_choose_scene(1352u, 1440u, 0x80000000u), 0x4B261039u >> 1);
    assert_int_equal(acp_scenery_choose_scene(1360u, 1448u, 0x80000000u), 0x127E7209u >> 1);
    assert_int_equal(acp_scenery_choose_scene(2039u, 2039u, 0x80000000u), 0xC8A4F040u >> 1);
}

/* The draws, seen through what they move: displacement 1 at base 0 gives the fraction itself, to binary32. */
static void draws(void **state) {
    static const struct {
        uint32_t gx, gy, k, frequency, dx, dy, rotation, scale;
        double quarter;
    } rows[] = {{0, 0, 0, 0xF4D7C05Fu, 0x7EF78C75u, 0x37073047u, 0xCB3B010Fu, 0x55EC1E19u, 0.90629685},
                {1352, 1440, 0, 0x16DC1C97u, 0x3666E6ADu, 0x0A36D47Fu, 0x6DF74D47u, 0xE9BE0C51u, 0.664703502},
                {1352, 1440, 1, 0x5B8BF1E0u, 0x7B16BBF6u, 0x4EE6A9C8u, 0xB2A72290u, 0x2E6DE19Au, 0.664703502},
                {1360, 1448, 7, 0x9F23A8E6u, 0x07C39FFCu, 0xB4EE8CCEu, 0xE5F84196u, 0x3B73C3A0u, 0.145798388},
                {2039, 2039, 7, 0x26473CF2u, 0x48E344AEu, 0xBCB67482u, 0x3F1E3AD2u, 0x4DBDA856u, 0.437324104}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_record_scene_object o = plain_object();
        o.displace_x = o.displace_y = 1.0f;
        o.max_scale = 4.0f; /* pow(4, u) */
        o.max_rotation = 180.0f;
        acp_scenery_description d = acp_scenery_description_from_record(&o);
        uint32_t gx = rows[i].gx, gy = rows[i].gy, k = rows[i].k;
        assert_true(acp_scenery_frequency_draw(gx, gy, k) == (double)rows[i].frequency / 4294967296.0);
        float x = (float)((double)rows[i].dx / 4294967296.0), y = (float)((double)rows[i].dy / 4294967296.0);
        acp_vec3 offset = acp_scenery_place(&d, gx, gy, k);
        double q = rows[i].quarter;
        acp_vec3 expected = q < 0.25   ? (acp_vec3){x, y, 0}
                            : q < 0.5  ? (acp_vec3){-y, x, 0}
                            : q < 0.75 ? (acp_vec3){-x, -y, 0}
                                       : (acp_vec3){y, -x, 0};
        assert_true(offset.x == expected.x && offset.y == expected.y && offset.z == expected.z);
        assert_true(fabs((double)acp_scenery_scale(&d, gx, gy, k) - pow(4.0, (double)rows[i].scale / 4294967296.0)) < 1e-6);
        acp_matrix_frame frame = acp_scenery_frame(&d, gx, gy, k, offset);
        assert_true(fabs(acp_matrix_frame_heading(&frame) - 180.0 * (double)rows[i].rotation / 4294967296.0) < 1e-4);
    }
}

static void assert_near(double actual, double expected, double slack) {
    if (!(fabs(actual - expected) <= slack)) fail_msg("%.9g is not %.9g", actual, expected);
}

static void worked_rows(void **state) {
    static const struct {
        uint32_t gx, gy, k;
        double x, y, scale, heading;
    } rows[] = {{1352, 1440, 0, -5.10018349, -0.957579374, 1.77290142, 154.639725},
                {1352, 1440, 1, -11.5395756, -7.39697123, 0.642927647, 251.230606},
                {1360, 1448, 0, 2.87553191, 19.1100006, 0.781024933, 355.609589},
                {2039, 2039, 7, -17.6918163, 6.83322811, 0.76172936, 88.7598038},
                {5, 3, 2, -4.60780859, 4.45986414, 0.563388169, 97.3986435},
                {0, 0, 0, 5.15888262, -11.9031553, 0.796236098, 285.792877}};
    (void)state;
    acp_record_scene_object o = plain_object();
    o.displace_x = o.displace_y = 24.0f;
    o.min_scale = 0.5f;
    o.max_scale = 2.0f;
    o.max_rotation = 360.0f;
    acp_scenery_description d = acp_scenery_description_from_record(&o);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_vec3 offset = acp_scenery_place(&d, rows[i].gx, rows[i].gy, rows[i].k);
        assert_near((double)offset.x, rows[i].x, 5e-9 * fabs(rows[i].x));
        assert_near((double)offset.y, rows[i].y, 5e-9 * fabs(rows[i].y));
        assert_near((double)acp_scenery_scale(&d, rows[i].gx, rows[i].gy, rows[i].k), rows[i].scale, 5e-9);
        acp_matrix_frame frame = acp_scenery_frame(&d, rows[i].gx, rows[i].gy, rows[i].k, offset);
        assert_near(acp_matrix_frame_heading(&frame), rows[i].heading, 2e-5);
    }
}

static void alignment(void **state) {
    static const struct {
        acp_vec3 normal;
        double heading;
    } rows[] = {{{-0.367911845f, -0.683264852f, 0.630706012f}, 28.3007545},
                {{-0.297401488f, 0.807232618f, 0.509831131f}, 159.775146},
                {{-0.5f, 0.0f, 0.866025388f}, 90.0},
                {{0.0f, 0.0f, 1.0f}, 0.0},
                {{0.0001f, 0.0001f, 1.0f}, 0.0}};
    (void)state;
    acp_record_scene_object o = plain_object();
    o.align = 1;
    o.max_rotation = 360.0f; /* ignored */
    acp_scenery_description d = acp_scenery_description_from_record(&o);
    assert_true(d.is_aligned);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_matrix_frame frame = acp_scenery_align(&d, rows[i].normal, (acp_vec3){1.0f, 2.0f, 3.0f});
        double heading = acp_matrix_frame_heading(&frame);
        if (heading > 359.9999) heading -= 360.0;
        assert_near(heading, rows[i].heading, 2e-5);
        assert_true(frame.m[8] > 0.999999f); /* yaw only: nothing is tilted */
        assert_true(frame.origin.x == 1.0f && frame.origin.y == 2.0f && frame.origin.z == 3.0f);
    }
}

static void slope_bounds(void **state) {
    (void)state;
    acp_record_scene_object o = plain_object();
    o.min_slope = 0.7f;
    o.max_slope = 0.9f;
    acp_scenery_description d = acp_scenery_description_from_record(&o);
    assert_true(acp_scenery_is_slope_accepted(&d, 0.7f));
    assert_true(acp_scenery_is_slope_accepted(&d, 0.9f));
    assert_false(acp_scenery_is_slope_accepted(&d, nextafterf(0.7f, 0.0f)));
    assert_false(acp_scenery_is_slope_accepted(&d, nextafterf(0.9f, 1.0f)));
}

/* POP-7: no displacement unless it is above 0; base z goes along; a scale without a range draws nothing. */
static void base_offsets(void **state) {
    (void)state;
    acp_record_scene_object o = plain_object();
    o.base.origin = (acp_vec3){3.0f, 5.0f, 7.0f};
    o.displace_x = -1.0f;
    o.min_scale = o.max_scale = -2.5f;
    acp_scenery_description d = acp_scenery_description_from_record(&o);
    acp_vec3 a = acp_scenery_place(&d, 0, 0, 0);         /* quarter 0.906: (Y, -X) */
    acp_vec3 b = acp_scenery_place(&d, 1u, 0, 0);        /* 0.648: (-X, -Y) */
    acp_vec3 c = acp_scenery_place(&d, 1360u, 1448u, 0); /* 0.146 */
    acp_vec3 e = acp_scenery_place(&d, 2039u, 2039u, 9); /* 0.437: (-Y, X) */
    assert_true(a.x == 5.0f && a.y == -3.0f && a.z == 7.0f);
    assert_true(b.x == -3.0f && b.y == -5.0f && b.z == 7.0f);
    assert_true(c.x == 3.0f && c.y == 5.0f && c.z == 7.0f);
    assert_true(e.x == -5.0f && e.y == 3.0f && e.z == 7.0f);
    assert_true(acp_scenery_scale(&d, 0, 0, 0) == -2.5f);
    acp_matrix_frame frame = acp_scenery_frame(&d, 0, 0, 0, a); /* max_rotation 0: the base rotation */
    assert_true(frame.rotation.w == 1.0f && frame.rotation.z == 0.0f);
}

/* DAT-38: a base rotation off unit length keeps its numbers; its matrix is the identity. */
static void crooked_base(void **state) {
    (void)state;
    acp_record_scene_object o = plain_object();
    o.base.rotation = (acp_quaternion){0.9f, 0.0f, 0.0f, 0.9f};
    acp_scenery_description d = acp_scenery_description_from_record(&o);
    assert_true(d.base.rotation.w == 0.9f && d.base.rotation.z == 0.9f);
    assert_true(d.base.m[0] == 1.0f && d.base.m[4] == 1.0f && d.base.m[8] == 1.0f && d.base.m[1] == 0.0f && d.base.m[3] == 0.0f);
}

/* ------------------------------------------------------------------------------------------------------------ worlds by hand */

enum { MAX_OBJECTS = 512, MAX_SCENES = 4 };

/* Terrain type t has the scene types 0, 1, 2 in this order; scene type s lists scenes[s]. Models: 0x02000001 a point without spheres,
 * …2 a cylsphere of 5 m, …3 a sphere, sorting sphere 8 m, …4 a physics BSP, sorting sphere 11 m; others cannot be had. */
typedef struct fixture {
    acp_record_region region;
    acp_record_scene_type scene_types[3];
    acp_record_terrain_type terrain_types[3];
    uint32_t type_indices[3];
    uint32_t scene_ids[3][MAX_SCENES];
    acp_record_scene scenes[MAX_SCENES]; /* id 0x12000001 + i */
    acp_record_scene_object objects[MAX_SCENES][8];
    acp_setup *setups[4];
    acp_shape *shape;
    uint32_t scene_calls, model_calls, losses;
    uint32_t lost[8];
    acp_scenery_catalog *catalog;
    acp_terrain_block terrain;
    acp_scenery_object placed[MAX_OBJECTS];
    acp_scenery_counts counts;
    uint32_t count;
} fixture;

static acp_result give_scene(void *user, uint32_t id, const acp_record_scene **out_scene, acp_error *error) {
    fixture *f = user;
    (void)error;
    f->scene_calls++;
    if (id - 0x12000001u >= MAX_SCENES || f->scenes[id - 0x12000001u].id == 0) return ACP_ERROR_NOT_FOUND;
    *out_scene = &f->scenes[id - 0x12000001u];
    return ACP_OK;
}

static acp_result give_model(void *user, uint32_t id, acp_scenery_model *out_model, acp_error *error) {
    fixture *f = user;
    (void)error;
    f->model_calls++;
    if (id - 0x02000001u >= 4u) return ACP_ERROR_NOT_FOUND;
    *out_model = (acp_scenery_model){f->setups[id - 0x02000001u], id == 0x02000004u};
    return ACP_OK;
}

static void note_loss(void *user, const acp_error *loss) {
    fixture *f = user;
    if (f->losses < 8u) f->lost[f->losses] = loss->record_id;
    f->losses++;
}

static acp_setup *make_setup(const acp_sphere *sphere, const acp_cylsphere *cylsphere, float sorting_radius) {
    acp_setup_definition d = acp_setup_definition_default();
    acp_setup *setup = NULL;
    d.spheres = sphere;
    d.sphere_count = sphere ? 1u : 0u;
    d.cylspheres = cylsphere;
    d.cylsphere_count = cylsphere ? 1u : 0u;
    d.sorting_sphere = (acp_sphere){{0.0f, 0.0f, 1.0f}, sorting_radius};
    d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    return setup;
}

/* Block 0xA9B4, flat at index 10 (20 m), terrain type 1 everywhere, scene type 0; one scene with one description at the vertex itself. */
static fixture *fixture_new(void) {
    static const acp_sphere sphere = {{0.0f, 0.0f, 1.0f}, 1.0f};
    static const acp_cylsphere cylsphere = {{0.0f, 0.0f, 0.0f}, 5.0f, 3.0f};
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    for (uint32_t i = 0; i < 3u; i++) {
        f->type_indices[i] = i;
        f->terrain_types[i].scene_types = (acp_record_u32s){3u, f->type_indices};
        f->scene_types[i].scenes = (acp_record_u32s){i == 2u ? 0u : 1u, f->scene_ids[i]};
        f->scene_ids[i][0] = 0x12000001u + i;
    }
    f->region.terrain_types = f->terrain_types;
    f->region.terrain_type_count = 3;
    f->region.scene_types = f->scene_types;
    f->region.scene_type_count = 3;
    for (uint32_t i = 0; i < MAX_SCENES; i++)
        for (uint32_t k = 0; k < 8u; k++)
            f->objects[i][k] = plain_object();
    f->scenes[0] = (acp_record_scene){0x12000001u, 1u, f->objects[0]};
    f->setups[0] = make_setup(NULL, NULL, 0.0f);
    f->setups[1] = make_setup(NULL, &cylsphere, 50.0f);
    f->setups[2] = make_setup(&sphere, NULL, 8.0f);
    f->setups[3] = make_setup(&sphere, &cylsphere, 11.0f);
    return f;
}

static void fixture_ground(fixture *f, uint16_t word, const uint8_t *heights, const uint16_t *words) {
    uint16_t all_words[81];
    uint8_t all_heights[81];
    acp_height_table table;
    acp_height_table_default(&table);
    for (uint32_t i = 0; i < 81u; i++) {
        all_words[i] = words ? words[i] : word;
        all_heights[i] = heights ? heights[i] : 10u;
    }
    acp_terrain_block_build(0xA9B40000u, all_words, all_heights, &table, &f->terrain);
}

static void fixture_grow(fixture *f, uint64_t buildings) {
    acp_scenery_source source = {f, give_scene, give_model, note_loss};
    acp_scenery_catalog_destroy(f->catalog);
    f->catalog = NULL;
    assert_int_equal(acp_scenery_catalog_create(&f->region, &source, NULL, &f->catalog, NULL), ACP_OK);
    f->count = acp_scenery_generate(f->catalog, &f->terrain, buildings, f->placed, MAX_OBJECTS, &f->counts, NULL);
    assert_true(f->count <= MAX_OBJECTS);
    assert_int_equal(f->count, f->counts.ends[ACP_SCENERY_ACCEPTED]);
}

static void fixture_free(fixture *f) {
    acp_scenery_catalog_destroy(f->catalog);
    for (uint32_t i = 0; i < 4u; i++)
        acp_setup_destroy(f->setups[i]);
    free(f);
}

enum { GRASS = 1 << 2 }; /* terrain type 1, scene type 0 */

/* At the vertices themselves: 8 x 8 are within [0, 192), x-major; row and column 8 fall outside; the height is the ground's. */
static void order_and_range(void **state) {
    (void)state;
    fixture *f = fixture_new();
    f->objects[0][0].base.origin.z = 99.0f; /* discarded */
    fixture_ground(f, GRASS, NULL, NULL);
    fixture_grow(f, 0);
    assert_int_equal(f->count, 64);
    assert_int_equal(f->counts.ends[ACP_SCENERY_OUTSIDE], 17);
    for (uint32_t i = 0; i < 64u; i++) {
        const acp_scenery_object *o = &f->placed[i];
        assert_int_equal(o->vertex_x, i / 8u);
        assert_int_equal(o->vertex_y, i % 8u);
        assert_int_equal(o->cell_id, 0xA9B40001u + i);
        assert_true(o->frame.origin.x == 24.0f * (float)(i / 8u) && o->frame.origin.y == 24.0f * (float)(i % 8u) &&
                    o->frame.origin.z == 20.0f);
        assert_int_equal(o->object_id, 0x02000001u);
        assert_true(o->scale == 1.0f);
    }
    fixture_free(f);
}

/* The first of POP-10's worked rows: vertex (0,0) of 0xA9B4 is outside there, and (8,8) of 0xA8B3 accepts it at (186.899811, 191.042419).
 */
static void shared_vertex(void **state) {
    (void)state;
    fixture *f = fixture_new();
    uint16_t words[81];
    memset(words, 0xFF, sizeof words); /* terrain type 31: not in the Region */
    words[0] = GRASS;
    f->objects[0][0].displace_x = f->objects[0][0].displace_y = 24.0f;
    fixture_ground(f, 0, NULL, words);
    fixture_grow(f, 0);
    assert_int_equal(f->count, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_OUTSIDE], 1);
    assert_int_equal(f->counts.ends[ACP_SCENERY_NO_SCENE_TYPE], 80);
    uint8_t heights[81];
    acp_height_table table;
    acp_height_table_default(&table);
    memset(heights, 10, sizeof heights);
    words[0] = words[1];
    words[80] = GRASS;
    acp_terrain_block_build(0xA8B30000u, words, heights, &table, &f->terrain);
    fixture_grow(f, 0);
    assert_int_equal(f->count, 1);
    assert_int_equal(f->placed[0].cell_id, 0xA8B30040u);
    assert_near((double)f->placed[0].frame.origin.x, 186.899811, 1e-6);
    assert_near((double)f->placed[0].frame.origin.y, 191.042419, 1e-6);
    fixture_free(f);
}

/* What ends a vertex. */
static void vertices_without(void **state) {
    (void)state;
    fixture *f = fixture_new();
    f->scene_ids[1][0] = 0; /* scene type 1: scene id 0 */
    uint16_t words[81] = {0};
    words[0] = 3 << 2;           /* terrain type 3: not there */
    words[1] = GRASS | 3 << 11;  /* scene type 3 of three */
    words[2] = GRASS | 2 << 11;  /* without scenes */
    words[3] = GRASS | 1 << 11;  /* scene id 0 */
    words[4] = GRASS | 31 << 11; /* far out of range */
    fixture_ground(f, 0, NULL, words);
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_NO_SCENE_TYPE], 3);
    assert_int_equal(f->counts.ends[ACP_SCENERY_NO_SCENE], 1);
    assert_int_equal(f->counts.ends[ACP_SCENERY_SCENE_MISSING], 1);
    assert_int_equal(f->count + f->counts.ends[ACP_SCENERY_OUTSIDE], 76);
    assert_int_equal(f->catalog->missing_scenes, 0); /* id 0 is no loss */
    f->scene_ids[1][0] = 0x12000003u;                /* a record that is not there */
    f->scenes[1] = (acp_record_scene){0x12000002u, 0, NULL};
    f->scene_ids[2][0] = 0x12000002u; /* an empty one */
    f->scene_types[2].scenes.count = 1;
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_SCENE_MISSING], 1);
    assert_int_equal(f->counts.ends[ACP_SCENERY_SCENE_EMPTY], 1);
    assert_int_equal(f->catalog->missing_scenes, 1);
    assert_int_equal(f->losses, 1);
    assert_int_equal(f->lost[0], 0x12000003u);
    f->type_indices[1] = 0xFFFFFFFFu; /* no scene type */
    f->type_indices[2] = 77u;         /* out of range */
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_NO_SCENE], 2);
    fixture_free(f);
}

/* The frequency is compared strictly, before anything else. */
static void frequency(void **state) {
    (void)state;
    fixture *f = fixture_new();
    uint16_t words[81];
    memset(words, 0xFF, sizeof words);
    words[40] = GRASS; /* vertex (4,4): global 1356, 1444 */
    float draw = (float)acp_scenery_frequency_draw(1356u, 1444u, 0);
    float above = (double)draw > acp_scenery_frequency_draw(1356u, 1444u, 0) ? draw : nextafterf(draw, 1.0f);
    fixture_ground(f, 0, NULL, words);
    f->objects[0][0].frequency = nextafterf(above, 0.0f);
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_FREQUENCY], 1);
    f->objects[0][0].frequency = above;
    fixture_grow(f, 0);
    assert_int_equal(f->count, 1);
    f->objects[0][0].weenie_object = 1;
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_WEENIE], 1);
    f->objects[0][0].frequency = 0.0f;
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_FREQUENCY], 1);
    assert_int_equal(f->catalog->model_count, 0); /* nothing could be placed: no model was asked for */
    fixture_free(f);
}

/* A road along x = 96 takes the vertices on it; a building takes those of its land cell only. */
static void roads_and_buildings(void **state) {
    (void)state;
    fixture *f = fixture_new();
    uint16_t words[81];
    for (uint32_t i = 0; i < 81u; i++)
        words[i] = (uint16_t)(GRASS | (i / 9u == 4u ? 1 : 0));
    fixture_ground(f, 0, NULL, words);
    fixture_grow(f, 1ull << (8u * 2u + 3u));
    assert_int_equal(f->counts.ends[ACP_SCENERY_ROAD], 8);
    assert_int_equal(f->counts.ends[ACP_SCENERY_BUILDING], 1);
    assert_int_equal(f->count, 64 - 8 - 1);
    for (uint32_t i = 0; i < f->count; i++)
        assert_true(f->placed[i].frame.origin.x != 96.0f && f->placed[i].cell_id != 0xA9B40014u);
    fixture_free(f);
}

/* A slope of 12 m in 24 m has normal.z 0.894427 (TER-6). */
static void slopes(void **state) {
    (void)state;
    fixture *f = fixture_new();
    uint8_t heights[81];
    for (uint32_t i = 0; i < 81u; i++)
        heights[i] = (uint8_t)(i / 9u <= 4u ? 0u : 6u * (i / 9u - 4u));
    fixture_ground(f, GRASS, heights, NULL);
    f->objects[0][0].max_slope = 0.9f;
    fixture_grow(f, 0); /* x = 96 on the ridge: the cell of the point (96..120) decides */
    assert_int_equal(f->counts.ends[ACP_SCENERY_SLOPE], 32);
    assert_int_equal(f->count, 32);
    for (uint32_t i = 0; i < f->count; i++)
        assert_true(f->placed[i].frame.origin.x >= 96.0f);
    f->objects[0][0].max_slope = 1.0f;
    f->objects[0][0].min_slope = 0.95f;
    fixture_grow(f, 0);
    assert_int_equal(f->count, 32);
    for (uint32_t i = 0; i < f->count; i++)
        assert_true(f->placed[i].frame.origin.x < 96.0f);
    f->objects[0][0].min_slope = 0.0f;
    f->objects[0][0].align = 1; /* uphill is east: heading 90 */
    fixture_grow(f, 0);
    assert_int_equal(f->count, 64);
    assert_near(acp_matrix_frame_heading(&f->placed[63].frame), 90.0, 1e-4);
    fixture_free(f);
}

/* POP-9: what counts is the cylsphere, the sorting sphere, or the origin. All at 8 m from two borders, and 184 m. */
static void border(void **state) {
    static const struct {
        uint32_t model;
        float offset;
        uint32_t accepted;
    } rows[] = {{0x02000001u, 0.0f, 64},  {0x02000002u, 0.0f, 49}, {0x02000003u, 0.0f, 49},
                {0x02000004u, 0.0f, 49},  {0x02000002u, 5.0f, 64}, {0x02000003u, 8.0f, 64},
                {0x02000003u, 7.99f, 49}, {0x02000004u, 8.0f, 49}, {0x02000004u, 11.0f, 64}};
    (void)state;
    fixture *f = fixture_new();
    fixture_ground(f, GRASS, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f->objects[0][0].object_id = rows[i].model;
        f->objects[0][0].base.origin = (acp_vec3){0.0f, 0.0f, 0.0f};
        fixture_grow(f, 0);
        uint32_t at_vertices = f->count;
        assert_int_equal(at_vertices, rows[i].model == 0x02000001u ? 64 : 49);
        if (rows[i].offset == 0.0f) continue;
        /* the quarter turn takes the offset to any side: count those that stay clear by arithmetic */
        f->objects[0][0].base.origin = (acp_vec3){rows[i].offset, rows[i].offset, 0.0f};
        fixture_grow(f, 0);
        float radius = rows[i].model == 0x02000002u ? 5.0f : rows[i].model == 0x02000003u ? 8.0f : 11.0f;
        uint32_t expected = 0;
        acp_scenery_description d = acp_scenery_description_from_record(&f->objects[0][0]);
        for (uint32_t v = 0; v < 81u; v++) {
            acp_vec3 p = acp_scenery_place(&d, 1352u + v / 9u, 1440u + v % 9u, 0);
            float x = p.x + 24.0f * (float)(v / 9u), y = p.y + 24.0f * (float)(v % 9u);
            expected += x >= radius && y >= radius && x < 192.0f - radius && y < 192.0f - radius;
        }
        assert_int_equal(f->count, expected);
    }
    assert_int_equal(f->counts.ends[ACP_SCENERY_BORDER] + f->counts.ends[ACP_SCENERY_OUTSIDE] + f->count, 81);
    fixture_free(f);
}

static void losses_and_scales(void **state) {
    (void)state;
    fixture *f = fixture_new();
    fixture_ground(f, GRASS, NULL, NULL);
    f->scene_ids[1][0] = 0; /* no loss */
    f->scenes[0].count = 3;
    f->objects[0][0].object_id = 0x02000077u; /* not there */
    f->objects[0][1].object_id = 0x02000077u;
    f->objects[0][2].object_id = 0; /* nothing */
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_MODEL_MISSING], 192);
    assert_int_equal(f->catalog->missing_models, 1);
    assert_int_equal(f->losses, 1);
    assert_int_equal(f->lost[0], 0x02000077u);
    assert_int_equal(f->model_calls, 1);
    f->objects[0][0] = f->objects[0][1] = f->objects[0][2] = plain_object();
    f->objects[0][0].min_scale = 0.0f; /* 1/0, then times 0 */
    f->objects[0][1].max_scale = -1.0f;
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_SCALE], 128);
    assert_int_equal(f->count, 64);
    fixture_free(f);
}

/* A number that is not finite, or too many descriptions: the scene is a loss. */
static void hostile_scenes(void **state) {
    (void)state;
    fixture *f = fixture_new();
    fixture_ground(f, GRASS, NULL, NULL);
    float *const numbers[] = {&f->objects[0][0].base.origin.x, &f->objects[0][0].base.rotation.z, &f->objects[0][0].frequency,
                              &f->objects[0][0].displace_x,    &f->objects[0][0].displace_y,      &f->objects[0][0].min_scale,
                              &f->objects[0][0].max_scale,     &f->objects[0][0].max_rotation,    &f->objects[0][0].min_slope,
                              &f->objects[0][0].max_slope};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        float kept = *numbers[i];
        *numbers[i] = i % 2u ? (float)NAN : (float)INFINITY;
        fixture_grow(f, 0);
        assert_int_equal(f->counts.ends[ACP_SCENERY_SCENE_MISSING], 81);
        *numbers[i] = kept;
    }
    acp_record_scene_object *many = calloc(65537u, sizeof *many);
    assert_non_null(many);
    f->scenes[0] = (acp_record_scene){0x12000001u, 65537u, many};
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_SCENE_MISSING], 81);
    f->scenes[0].count = 65536u; /* frequency 0 each: never placed, and no model is asked for */
    fixture_grow(f, 0);
    assert_int_equal(f->counts.ends[ACP_SCENERY_FREQUENCY], 81u * 65536u);
    free(many);
    f->scenes[0] = (acp_record_scene){0x12000001u, 1u, f->objects[0]};
    f->objects[0][0].displace_x = 3e38f; /* finite and absurd */
    f->objects[0][0].max_rotation = 3e38f;
    fixture_grow(f, 0);
    assert_int_equal(f->count + f->counts.ends[ACP_SCENERY_OUTSIDE], 81);
    fixture_free(f);
}

/* More objects than room: the first are written, all are counted. */
static void capacity(void **state) {
    (void)state;
    fixture *f = fixture_new();
    fixture_ground(f, GRASS, NULL, NULL);
    fixture_grow(f, 0);
    acp_scenery_object few[11];
    memset(few, 0x5A, sizeof few);
    assert_int_equal(acp_scenery_generate(f->catalog, &f->terrain, 0, few, 10u, NULL, NULL), 64);
    for (uint32_t i = 0; i < 10u; i++)
        assert_int_equal(few[i].cell_id, f->placed[i].cell_id);
    assert_int_equal(few[10].cell_id, 0x5A5A5A5A);
    assert_int_equal(acp_scenery_generate(f->catalog, &f->terrain, 0, NULL, 0, NULL, NULL), 64);
    fixture_free(f);
}

typedef struct watcher {
    acp_scenery_counts counts;
    uint32_t last_vertex;
    uint32_t count;
    acp_vec3 last_point;
} watcher;

static void watch(void *user, const acp_scenery_candidate *c) {
    watcher *w = user;
    w->counts.ends[c->reason]++;
    w->count++;
    assert_true(c->vertex_x * 9u + c->vertex_y >= w->last_vertex);
    w->last_vertex = c->vertex_x * 9u + c->vertex_y;
    if (c->reason == ACP_SCENERY_ACCEPTED) w->last_point = c->point;
}

static void observer(void **state) {
    (void)state;
    fixture *f = fixture_new();
    watcher w;
    memset(&w, 0, sizeof w);
    acp_scenery_observer o = {&w, watch};
    f->scenes[0].count = 2;
    f->objects[0][1].frequency = 0.25f;
    fixture_ground(f, GRASS, NULL, NULL);
    fixture_grow(f, 0);
    (void)acp_scenery_generate(f->catalog, &f->terrain, 0, NULL, 0, NULL, &o);
    assert_int_equal(w.count, 162);
    assert_memory_equal(&w.counts, &f->counts, sizeof w.counts);
    const acp_scenery_object *last = &f->placed[f->count - 1u];
    assert_memory_equal(&w.last_point, &last->frame.origin, sizeof w.last_point);
    for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
        assert_string_not_equal(acp_scenery_reason_name((acp_scenery_reason)r), "unknown");
    assert_string_equal(acp_scenery_reason_name(ACP_SCENERY_REASON_COUNT), "unknown");
    fixture_free(f);
}

/* Scenes and models are asked for once, however often they are named. */
static void asked_once(void **state) {
    (void)state;
    fixture *f = fixture_new();
    for (uint32_t i = 0; i < MAX_SCENES; i++)
        f->scene_ids[0][i] = f->scene_ids[1][i] = 0x12000001u;
    f->scene_types[0].scenes.count = f->scene_types[1].scenes.count = MAX_SCENES;
    fixture_ground(f, GRASS, NULL, NULL);
    fixture_grow(f, 0);
    assert_int_equal(f->scene_calls, 1);
    assert_int_equal(f->model_calls, 1);
    assert_int_equal(f->catalog->scene_index_count, 2 * MAX_SCENES); /* not once a terrain type */
    assert_int_equal(f->count, 64);
    fixture_free(f);
}

static acp_result make_catalog(void *user, const acp_allocator *allocator) {
    acp_scenery_source source = {user, give_scene, give_model, note_loss};
    acp_scenery_catalog *catalog = NULL;
    fixture *f = user;
    acp_error error;
    acp_result result = acp_scenery_catalog_create(&f->region, &source, allocator, &catalog, &error);
    if (result != ACP_OK) {
        assert_int_equal(error.code, result);
        assert_null(catalog);
    }
    acp_scenery_catalog_destroy(catalog);
    return result;
}

static void refused_memory(void **state) {
    (void)state;
    fixture *f = fixture_new();
    f->objects[0][0].object_id = 0x02000002u;
    assert_true(test_fail_every_allocation(make_catalog, f) > 5u);
    acp_scenery_catalog_destroy(NULL);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_choice),     cmocka_unit_test(draws),           cmocka_unit_test(worked_rows),
        cmocka_unit_test(alignment),        cmocka_unit_test(slope_bounds),    cmocka_unit_test(base_offsets),
        cmocka_unit_test(crooked_base),     cmocka_unit_test(order_and_range), cmocka_unit_test(shared_vertex),
        cmocka_unit_test(vertices_without), cmocka_unit_test(frequency),       cmocka_unit_test(roads_and_buildings),
        cmocka_unit_test(slopes),           cmocka_unit_test(border),          cmocka_unit_test(losses_and_scales),
        cmocka_unit_test(hostile_scenes),   cmocka_unit_test(capacity),        cmocka_unit_test(observer),
        cmocka_unit_test(asked_once),       cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
