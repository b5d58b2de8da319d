/* SPDX-License-Identifier: MIT */
/* Records of the samples: decoded fields against the bytes shown in spec 02, encoding gives the bytes back, every proper prefix is refused,
 * hostile ones in the modes that the manifest names; failure of every allocation; random damage never crashes and, where it is accepted,
 * is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dat/record.h"
#include "dat/record_region.h"
#include "support/json.h"
#include "support/record_json.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

#define SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

static const struct {
    const char *name;
    acp_record_kind kind;
} samples[] = {
    {"gfxobj_01000001.bin", ACP_RECORD_GFXOBJ},
    {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ},
    {"gfxobj_01000003.bin", ACP_RECORD_GFXOBJ},
    {"setup_02000001.bin", ACP_RECORD_SETUP},
    {"setup_02000002.bin", ACP_RECORD_SETUP},
    {"anim_03000001.bin", ACP_RECORD_ANIMATION},
    {"anim_03000002.bin", ACP_RECORD_ANIMATION},
    {"mtable_09000001.bin", ACP_RECORD_MOTION_TABLE},
    {"environment_0D000001.bin", ACP_RECORD_ENVIRONMENT},
    {"envcell_00010100.bin", ACP_RECORD_ENV_CELL},
    {"landblock_0001FFFF.bin", ACP_RECORD_LAND_BLOCK},
    {"lbinfo_0001FFFE.bin", ACP_RECORD_LAND_BLOCK_INFO},
    {"degrade_11000001.bin", ACP_RECORD_DEGRADE_INFO},
    {"degrade_11000002.bin", ACP_RECORD_DEGRADE_INFO},
    {"scene_12000001.bin", ACP_RECORD_SCENE},
    {"region_13000000.bin", ACP_RECORD_REGION},
    {"house_gfxobj_01000100.bin", ACP_RECORD_GFXOBJ},
    {"house_gfxobj_01000101.bin", ACP_RECORD_GFXOBJ},
    {"house_environment_0D000010.bin", ACP_RECORD_ENVIRONMENT},
    {"house_envcell_12340100.bin", ACP_RECORD_ENV_CELL},
    {"house_envcell_12340101.bin", ACP_RECORD_ENV_CELL},
    {"house_envcell_12340102.bin", ACP_RECORD_ENV_CELL},
    {"house_landblock_1234FFFF.bin", ACP_RECORD_LAND_BLOCK},
    {"house_lbinfo_1234FFFE.bin", ACP_RECORD_LAND_BLOCK_INFO},
    {"house_setup_02000020.bin", ACP_RECORD_SETUP},
};
enum { sample_count = sizeof samples / sizeof samples[0] };

typedef struct file_bytes {
    uint8_t bytes[16384];
    uint32_t size;
} file_bytes;

static file_bytes load(const char *name) {
    char path[512];
    file_bytes file;
    (void)snprintf(path, sizeof path, "%s%s", SAMPLES, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot open %s", path);
    file.size = (uint32_t)fread(file.bytes, 1, sizeof file.bytes, stream);
    fclose(stream);
    return file;
}

typedef struct remarks {
    uint32_t count;
    char fields[256];
} remarks;

static void on_remark(void *user, const acp_error *remark) {
    remarks *r = user;
    r->count++;
    (void)strncat(r->fields, remark->field, sizeof r->fields - strlen(r->fields) - 1);
    (void)strncat(r->fields, " ", sizeof r->fields - strlen(r->fields) - 1);
}

static acp_result decode(acp_record_kind kind, const uint8_t *bytes, uint32_t size, acp_content_mode mode, remarks *told,
                         acp_record *record, acp_error *error) {
    acp_record_decode_options options = {mode, told ? on_remark : NULL, told, 77};
    return acp_record_decode(kind, bytes, size, &options, NULL, record, error);
}

static void encode_equals(const acp_record *record, const uint8_t *bytes, uint32_t size, const char *name) {
    acp_writer writer;
    acp_error error;
    acp_writer_init(&writer, NULL);
    if (acp_record_encode(record, &writer, &error)) fail_msg("%s: %s", name, error.message);
    if (writer.size != size || memcmp(writer.bytes, bytes, size) != 0) {
        uint32_t at = 0;
        while (at < size && at < writer.size && writer.bytes[at] == bytes[at])
            at++;
        fail_msg("%s: encodes to %zu bytes, not %u; first difference at %u", name, writer.size, (unsigned)size, (unsigned)at);
    }
    acp_writer_free(&writer);
}

/* Through JSON and back: the same bytes. */
static void json_equals(const acp_record *record, const uint8_t *bytes, uint32_t size, const char *name) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_error error;
    acp_record copy;
    assert_int_equal(acp_record_write_json(record, NULL, &writer), ACP_OK);
    const acp_json *json = acp_json_read(&reader, writer.text, writer.length, &fault);
    if (!json) fail_msg("%s: %s at %zu", name, fault.message, fault.offset);
    if (acp_record_read_json(json, &reader, NULL, &copy, &error)) fail_msg("%s: %s, field %s", name, error.message, error.field);
    encode_equals(&copy, bytes, size, name);
    acp_record_free(&copy);
    acp_json_reader_free(&reader);
    acp_json_writer_free(&writer);
}

static void good_records_come_back(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sample_count; i++) {
        file_bytes file = load(samples[i].name);
        for (uint32_t mode = 0; mode < 2; mode++) {
            acp_record record;
            acp_error error;
            remarks told = {0};
            if (decode(samples[i].kind, file.bytes, file.size, (acp_content_mode)mode, &told, &record, &error))
                fail_msg("%s: %s, field %s, offset %u", samples[i].name, error.message, error.field, (unsigned)error.byte_offset);
            if (told.count) fail_msg("%s: told %s", samples[i].name, told.fields);
            encode_equals(&record, file.bytes, file.size, samples[i].name);
            json_equals(&record, file.bytes, file.size, samples[i].name);
            acp_record_free(&record);
        }
    }
}

static void every_prefix_is_refused(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sample_count; i++) {
        file_bytes file = load(samples[i].name);
        for (uint32_t size = 0; size < file.size; size++) {
            uint8_t *copy = malloc(size ? size : 1);
            memcpy(copy, file.bytes, size);
            acp_record record;
            acp_error error;
            acp_result result = decode(samples[i].kind, copy, size, ACP_CONTENT_LENIENT, NULL, &record, &error);
            if (result != ACP_ERROR_TRUNCATED) fail_msg("%s, %u bytes: %s", samples[i].name, (unsigned)size, acp_result_name(result));
            assert_int_equal(error.record_id, 77);
            assert_true(error.field[0] != '\0' && error.byte_offset <= size);
            free(copy);
        }
    }
}

static void hostile_records(void **state) {
    (void)state;
    static const struct {
        const char *name;
        acp_record_kind kind;
        acp_result lenient, strict;
        const char *field;
    } rows[] = {
        {"bad_gfxobj_count.bin", ACP_RECORD_GFXOBJ, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED, "surfaces"},
        {"bad_bsp_depth.bin", ACP_RECORD_GFXOBJ, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED, "node.tag"},
        {"bad_bsp_tag.bin", ACP_RECORD_GFXOBJ, ACP_OK, ACP_ERROR_BAD_DATA, "node.tag"},
        {"bad_hook_type.bin", ACP_RECORD_ANIMATION, ACP_ERROR_BAD_DATA, ACP_ERROR_BAD_DATA, "hook.type"},
        {"bad_envcell_trunc.bin", ACP_RECORD_ENV_CELL, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED, "portals"},
        {"bad_mtable_trunc.bin", ACP_RECORD_MOTION_TABLE, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED, NULL},
        {"bad_region_version.bin", ACP_RECORD_REGION, ACP_ERROR_BAD_DATA, ACP_ERROR_BAD_DATA, "version"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes file = load(rows[i].name);
        for (uint32_t mode = 0; mode < 2; mode++) {
            acp_record record;
            acp_error error;
            remarks told = {0};
            acp_result result = decode(rows[i].kind, file.bytes, file.size, (acp_content_mode)mode, &told, &record, &error);
            acp_result expected = mode ? rows[i].strict : rows[i].lenient;
            if (result != expected) fail_msg("%s: %s", rows[i].name, acp_result_name(result));
            if (result && rows[i].field) assert_string_equal(error.field, rows[i].field);
            if (!result) {
                assert_int_equal(told.count, 1);
                encode_equals(&record, file.bytes, file.size, rows[i].name);
            }
            acp_record_free(&record);
        }
    }
}

/* The fields that spec 02 prints beside the bytes. */
static void fields_of_the_samples(void **state) {
    (void)state;
    acp_record record;
    acp_error error;
    file_bytes file = load("gfxobj_01000002.bin");
    assert_int_equal(decode(ACP_RECORD_GFXOBJ, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_gfxobj *g = record.content.gfxobj;
    assert_int_equal(g->id, 0x01000002u);
    assert_int_equal(g->vertices.count, 3);
    assert_true(g->vertices.items[1].position.x == 1.0f && g->vertices.items[2].position.y == 1.0f);
    assert_int_equal(g->physics_polygons.count, 1);
    assert_int_equal(g->physics_polygons.items[0].neg_surface, -1);
    assert_int_equal(g->physics_polygons.items[0].vertices[2], 2);
    assert_int_equal(g->physics_tree.node_count, 1);
    assert_int_equal(g->physics_tree.nodes[0].tag, ACP_TAG_LEAF);
    assert_true(g->physics_tree.nodes[0].sphere.radius == 0.8f);
    assert_int_equal(g->physics_tree.nodes[0].positive, ACP_RECORD_NONE);
    acp_record_free(&record);

    file = load("gfxobj_01000003.bin"); /* a PORT root and a polygon of two sides */
    assert_int_equal(decode(ACP_RECORD_GFXOBJ, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    g = record.content.gfxobj;
    assert_int_equal(g->drawing_tree.nodes[0].tag, ACP_TAG_PORT);
    assert_int_equal(g->drawing_tree.nodes[0].positive, 1);
    assert_int_equal(g->drawing_tree.nodes[0].negative, 2);
    assert_int_equal(g->polygons.items[0].sides_type, 2);
    assert_non_null(g->polygons.items[0].neg_uvs);
    acp_record_free(&record);

    file = load("setup_02000001.bin");
    assert_int_equal(decode(ACP_RECORD_SETUP, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_setup *s = record.content.setup;
    assert_int_equal(s->placement_count, 2);
    assert_int_equal(s->placements[1].key, 101);
    assert_int_equal(s->placements[1].hooks.count, 2);
    assert_int_equal(s->placements[1].hooks.items[0].type, 5);
    assert_int_equal(s->placements[1].hooks.items[0].size, 3);
    assert_int_equal(s->placements[1].hooks.items[1].direction, -1);
    assert_int_equal(s->placements[1].hooks.items[1].size, 40);
    assert_true(s->step_up == 0.4f && s->step_down == 1.5f && s->lights[0].falloff == 6.0f);
    acp_record_free(&record);

    file = load("mtable_09000001.bin");
    assert_int_equal(decode(ACP_RECORD_MOTION_TABLE, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_motion_table *m = record.content.motion_table;
    assert_int_equal(m->cycles.count, 4);
    assert_int_equal(m->cycles.items[1].key, 0x003D0005u);
    assert_true(m->cycles.items[1].velocity.y == 3.12f);
    assert_int_equal(m->cycles.items[0].animations[0].high, -1);
    assert_int_equal(m->links[0].motions.items[1].key, 0x10000051u);
    assert_true(m->links[0].motions.items[1].animations[0].frame_rate == -30.0f);
    acp_record_free(&record);

    file = load("environment_0D000001.bin");
    assert_int_equal(decode(ACP_RECORD_ENVIRONMENT, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_cell_structure *cell = &record.content.environment->cells[0];
    assert_int_equal(cell->portals.count, 1);
    assert_int_equal(cell->portals.items[0], 5);
    assert_int_equal(cell->cell_tree.node_count, 7);
    assert_true(cell->cell_tree.nodes[1].plane.d == 3.0f);
    assert_int_equal(cell->cell_tree.nodes[6].tag, ACP_TAG_LEAF);
    acp_record_free(&record);

    file = load("envcell_00010100.bin");
    assert_int_equal(decode(ACP_RECORD_ENV_CELL, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_env_cell *e = record.content.env_cell;
    assert_int_equal(e->portals[1].flags, 6);
    assert_int_equal(e->portals[1].other_cell, 0xFFFF);
    assert_int_equal(e->visible[0], 0x0101);
    assert_int_equal(e->statics.items[0].id, 0x02000001u);
    assert_int_equal(e->restriction, 0x7A001000u);
    acp_record_free(&record);

    file = load("lbinfo_0001FFFE.bin");
    assert_int_equal(decode(ACP_RECORD_LAND_BLOCK_INFO, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_land_block_info *l = record.content.land_block_info;
    assert_int_equal(l->cell_count, 2);
    assert_int_equal(l->buildings[0].portals[0].stabs[2], 0x0102);
    assert_int_equal(l->restrictions[0].value, 0x7A001000u);
    assert_int_equal(l->restriction_word, 0x00080001u);
    acp_record_free(&record);

    file = load("region_13000000.bin");
    assert_int_equal(decode(ACP_RECORD_REGION, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    const acp_record_region *r = record.content.region;
    assert_int_equal(r->parts, 0x213);
    assert_true(r->height_table[5] == 10.0f);
    assert_int_equal(r->name.length, 4);
    assert_memory_equal(r->name.bytes, "Test", 4);
    acp_record_free(&record);

    file = load("scene_12000001.bin");
    assert_int_equal(decode(ACP_RECORD_SCENE, file.bytes, file.size, ACP_CONTENT_STRICT, NULL, &record, &error), ACP_OK);
    assert_true(record.content.scene->objects[0].frequency == 0.75f && record.content.scene->objects[0].max_rotation == 360.0f);
    acp_record_free(&record);
}

/* One fault at a time: what DAT-70 and DAT-72 say of it in both modes. */
static void single_faults(void **state) {
    (void)state;
    static const struct {
        const char *name;
        acp_record_kind kind;
        uint32_t at, value, size; /* little-endian value over `size` bytes */
        acp_result lenient, strict;
    } rows[] = {
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x09, 2, 4, ACP_ERROR_BAD_DATA, ACP_ERROR_BAD_DATA},               /* vertex type */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x0D, 65536, 4, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED},         /* vertices */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x31, 0x7FC00000u, 4, ACP_ERROR_NOT_FINITE, ACP_ERROR_NOT_FINITE}, /* position */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x90, 0x7F800000u, 4, ACP_ERROR_NOT_FINITE, ACP_ERROR_NOT_FINITE}, /* leaf sphere */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x2D, 9, 2, ACP_OK, ACP_ERROR_BAD_DATA},                           /* vertex id */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x66, 9, 2, ACP_OK, ACP_ERROR_BAD_DATA},                           /* polygon id */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x76, 3, 2, ACP_OK, ACP_ERROR_BAD_DATA},                           /* vertex ordinal */
        {"gfxobj_01000002.bin", ACP_RECORD_GFXOBJ, 0x98, 1, 2, ACP_OK, ACP_ERROR_BAD_DATA},                           /* leaf polygon */
        {"setup_02000001.bin", ACP_RECORD_SETUP, 0x10, 0, 4, ACP_OK, ACP_ERROR_BAD_DATA},                             /* its own parent */
        {"setup_02000001.bin", ACP_RECORD_SETUP, 0x10, 7, 4, ACP_OK, ACP_ERROR_BAD_DATA},                             /* no such parent */
        {"setup_02000001.bin", ACP_RECORD_SETUP, 0x08, 4097, 4, ACP_ERROR_TRUNCATED, ACP_ERROR_TRUNCATED},            /* parts */
        {"anim_03000001.bin", ACP_RECORD_ANIMATION, 0x08, 0x40000001u, 4, ACP_ERROR_LIMIT, ACP_ERROR_LIMIT}, /* parts: 28 * n wraps */
        {"anim_03000001.bin", ACP_RECORD_ANIMATION, 0x1C, 0x40000000u, 4, ACP_OK, ACP_OK},                   /* quaternion: only told */
        {"envcell_00010100.bin", ACP_RECORD_ENV_CELL, 0x22, 0x40000000u, 4, ACP_OK, ACP_ERROR_BAD_DATA},     /* quaternion: checked */
        {"environment_0D000001.bin", ACP_RECORD_ENVIRONMENT, 0x1D0, 6, 2, ACP_OK, ACP_ERROR_BAD_DATA},       /* portal ordinal */
        {"environment_0D000001.bin", ACP_RECORD_ENVIRONMENT, 0x08, 1, 4, ACP_OK, ACP_ERROR_BAD_DATA},        /* structure id */
        {"mtable_09000001.bin", ACP_RECORD_MOTION_TABLE, 0x38, 0x003D0003u, 4, ACP_OK, ACP_ERROR_BAD_DATA},  /* duplicate key */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t mode = 0; mode < 2; mode++) {
            file_bytes file = load(rows[i].name);
            for (uint32_t k = 0; k < rows[i].size; k++)
                file.bytes[rows[i].at + k] = (uint8_t)(rows[i].value >> (8 * k));
            acp_record record;
            acp_error error;
            remarks told = {0};
            acp_result result = decode(rows[i].kind, file.bytes, file.size, (acp_content_mode)mode, &told, &record, &error);
            if (result != (mode ? rows[i].strict : rows[i].lenient))
                fail_msg("row %zu mode %u: %s %s", i, (unsigned)mode, acp_result_name(result), result ? error.field : told.fields);
            if (result) {
                assert_true(error.field[0] != '\0' && error.byte_offset != UINT64_MAX);
                continue;
            }
            assert_true(told.count >= 1);
            encode_equals(&record, file.bytes, file.size, rows[i].name);
            acp_record_free(&record);
        }
    }
}

/* What other writers do differently is kept: pads that are not zero, longer forms, bytes behind the end. */
static void oddities_are_kept(void **state) {
    (void)state;
    file_bytes file = load("environment_0D000001.bin");
    file.bytes[0x1D2] = 0xAB; /* padding after the portal list */
    file.bytes[file.size++] = 0x11;
    acp_record record;
    acp_error error;
    remarks told = {0};
    assert_int_equal(decode(ACP_RECORD_ENVIRONMENT, file.bytes, file.size, ACP_CONTENT_STRICT, &told, &record, &error), ACP_OK);
    assert_int_equal(record.oddity_count, 1);
    assert_int_equal(record.trailing_size, 1);
    assert_int_equal(told.count, 1); /* up to three bytes behind the end pass */
    encode_equals(&record, file.bytes, file.size, "padding");
    acp_record_free(&record);

    static const uint8_t forms[][4] = {{0x80, 0x00}, {0xC0, 0x00, 0x00, 0x00}};
    for (uint32_t i = 0; i < 2; i++) { /* 0 surfaces, written in two and in four bytes */
        uint32_t length = i ? 4u : 2u;
        file = load("gfxobj_01000002.bin");
        memmove(file.bytes + 8 + length, file.bytes + 9, file.size - 9);
        memcpy(file.bytes + 8, forms[i], length);
        file.size += length - 1;
        assert_int_equal(decode(ACP_RECORD_GFXOBJ, file.bytes, file.size, ACP_CONTENT_LENIENT, NULL, &record, &error), ACP_OK);
        assert_int_equal(record.oddity_count, 1);
        encode_equals(&record, file.bytes, file.size, "form");
        acp_record_free(&record);
    }
    file = load("region_13000000.bin"); /* the name "Test" with the long form of its length */
    memmove(file.bytes + 12 + 8 + 4, file.bytes + 12 + 8, file.size - 20);
    static const uint8_t name[12] = {0xFF, 0xFF, 4, 0, 0, 0, 'T', 'e', 's', 't', 7, 8};
    memcpy(file.bytes + 12, name, 12);
    file.size += 4;
    assert_int_equal(decode(ACP_RECORD_REGION, file.bytes, file.size, ACP_CONTENT_LENIENT, NULL, &record, &error), ACP_OK);
    assert_int_equal(record.oddity_count, 2);
    encode_equals(&record, file.bytes, file.size, "text");
    acp_record_free(&record);
}

/* A tree of 1,024 levels is within the cap, one of 1,025 is not (DAT-70). */
static void the_depth_cap(void **state) {
    (void)state;
    for (uint32_t levels = 1023; levels <= 1025; levels++) {
        acp_writer w;
        acp_writer_init(&w, NULL);
        static const uint32_t head[] = {0x01000009u, 1};
        acp_writer_u32(&w, head[0]);
        acp_writer_u32(&w, head[1]);
        acp_writer_u8(&w, 0);
        acp_writer_u32(&w, 1);
        acp_writer_u32(&w, 0); /* vertices */
        acp_writer_u8(&w, 0);  /* physics polygons */
        for (uint32_t i = 1; i < levels; i++) {
            acp_writer_u32(&w, 0x42506E6Eu); /* BPnn */
            acp_writer_zeros(&w, 16);
        }
        acp_writer_u32(&w, ACP_TAG_LEAF);
        acp_writer_zeros(&w, 28);
        acp_writer_zeros(&w, (levels - 1) * 16u);
        acp_writer_zeros(&w, 12); /* sort centre */
        acp_record record;
        acp_error error;
        acp_result result = decode(ACP_RECORD_GFXOBJ, w.bytes, (uint32_t)w.size, ACP_CONTENT_LENIENT, NULL, &record, &error);
        assert_int_equal(result, levels <= 1024 ? ACP_OK : ACP_ERROR_LIMIT);
        if (!result) encode_equals(&record, w.bytes, (uint32_t)w.size, "deep tree");
        acp_record_free(&record);
        acp_writer_free(&w);
    }
}

static acp_result decode_and_encode(void *user, const acp_allocator *allocator) {
    uint32_t i = *(const uint32_t *)user;
    file_bytes file = load(samples[i].name);
    if (samples[i].kind == ACP_RECORD_ENVIRONMENT) file.bytes[0x1D2] = 1;
    acp_record record;
    acp_error error;
    acp_result result = acp_record_decode(samples[i].kind, file.bytes, file.size, NULL, allocator, &record, &error);
    if (result == ACP_OK) {
        acp_writer writer;
        acp_writer_init(&writer, allocator);
        result = acp_record_encode(&record, &writer, &error);
        acp_writer_free(&writer);
    }
    if (result) assert_int_equal(error.code, result);
    acp_record_free(&record);
    return result;
}

static void every_allocation(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sample_count; i++)
        assert_true(test_fail_every_allocation(decode_and_encode, &i) >= 2);
}

/* Damage of one to four bytes or a cut: no harm, bounded memory, and what is accepted comes back as it was. */
static void random_damage(void **state) {
    (void)state;
    test_random random = {test_seed("random_damage", 12)};
    uint32_t accepted = 0;
    for (uint32_t n = 0; n < 60000; n++) {
        uint32_t i = test_random_below(&random, sample_count);
        file_bytes file = load(samples[i].name);
        for (uint32_t k = test_random_below(&random, 4) + 1; k > 0; k--) {
            uint32_t at = test_random_below(&random, file.size);
            static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF, 0xC0};
            file.bytes[at] = test_random_below(&random, 2) ? values[test_random_below(&random, 6)] : (uint8_t)test_random_u32(&random);
        }
        if (test_random_below(&random, 8) == 0) file.size = test_random_below(&random, file.size + 1);
        acp_counting_allocator counting;
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        acp_allocator allocator = acp_counting_allocator_value(&counting);
        uint8_t *copy = malloc(file.size ? file.size : 1);
        memcpy(copy, file.bytes, file.size);
        acp_record record;
        acp_error error;
        acp_result result = acp_record_decode(samples[i].kind, copy, file.size, NULL, &allocator, &record, &error);
        assert_true(counting.counters.bytes_peak <= 65536u + 64u * (uint64_t)file.size);
        if (result == ACP_OK) {
            accepted++;
            encode_equals(&record, copy, file.size, samples[i].name);
            if (n % 4 == 0) json_equals(&record, copy, file.size, samples[i].name);
        }
        acp_record_free(&record);
        assert_int_equal(counting.counters.allocations_in_use, 0);
        free(copy);
    }
    assert_true(accepted > 10000);
}

static void kinds(void **state) {
    (void)state;
    assert_int_equal(acp_record_kind_of(1, 0x01000001u), ACP_RECORD_GFXOBJ);
    assert_int_equal(acp_record_kind_of(1, 0x01010001u), ACP_RECORD_OTHER);
    assert_int_equal(acp_record_kind_of(1, 0x13000000u), ACP_RECORD_REGION);
    assert_int_equal(acp_record_kind_of(2, 0xA9B4FFFFu), ACP_RECORD_LAND_BLOCK);
    assert_int_equal(acp_record_kind_of(2, 0xA9B4FFFEu), ACP_RECORD_LAND_BLOCK_INFO);
    assert_int_equal(acp_record_kind_of(2, 0xA9B4FFFDu), ACP_RECORD_ENV_CELL);
    assert_int_equal(acp_record_kind_of(2, 0xFFFF0001u), ACP_RECORD_OTHER);
    assert_int_equal(acp_record_kind_of(3, 0x01000001u), ACP_RECORD_OTHER);
    acp_record record;
    acp_error error;
    uint8_t bytes[4] = {0};
    assert_int_equal(acp_record_decode(ACP_RECORD_OTHER, bytes, 4, NULL, NULL, &record, &error), ACP_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_records_come_back), cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(hostile_records),        cmocka_unit_test(fields_of_the_samples),
        cmocka_unit_test(single_faults),          cmocka_unit_test(oddities_are_kept),
        cmocka_unit_test(the_depth_cap),          cmocka_unit_test(every_allocation),
        cmocka_unit_test(random_damage),          cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
