/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_CODEC_H
#define ACP_DAT_CODEC_H

#include "base/array.h"
#include "base/reader.h"
#include "dat/record.h"

/* One description of a record's fields serves four directions: reading bytes, writing bytes, showing to a visitor, being filled by one.
 * A description calls the functions below in file order, each with the address of the field; which direction it is, they know. The first
 * fault sticks and makes everything after it harmless: counts are 0 then. */

typedef enum acp_codec_direction { ACP_CODEC_READ, ACP_CODEC_WRITE, ACP_CODEC_SHOW, ACP_CODEC_FILL } acp_codec_direction;

/* Remarks, each told once a record. */
enum {
    ACP_REMARK_ID_NOT_ORDINAL = 1,
    ACP_REMARK_BAD_POLYGON = 2,
    ACP_REMARK_BAD_TREE = 4,
    ACP_REMARK_QUATERNION = 8,
    ACP_REMARK_PARENT = 16,
    ACP_REMARK_DUPLICATE_KEY = 32,
    ACP_REMARK_TRAILING = 64,
    ACP_REMARK_FORM = 128,
    ACP_REMARK_CONTENT = 256,
    ACP_REMARK_TAG = 512,
    ACP_REMARK_PORT = 1024,
    ACP_REMARK_PORTAL = 2048
};

typedef struct acp_codec {
    acp_codec_direction direction;
    acp_record *record;
    acp_reader reader;  /* READ */
    acp_writer *writer; /* WRITE */
    size_t start;       /* WRITE: offset of the record in the writer */
    const acp_record_visitor *visitor;
    acp_record_decode_options options;
    const acp_record_observer *observer; /* READ; may be null */
    uint32_t told;                       /* remarks told */
    acp_result result;                   /* of what is not the reader's */
    const char *message;                 /* of a fault found here; null = the reader's */
    const char *field;
    uint64_t fault_offset;
    uint32_t next_oddity;                  /* WRITE */
    ACP_ARRAY(acp_record_oddity) oddities; /* READ */
} acp_codec;

static inline bool acp_codec_is_ok(const acp_codec *c) { return c->result == ACP_OK && c->reader.result == ACP_OK; }
static inline bool acp_codec_is_reading(const acp_codec *c) { return c->direction == ACP_CODEC_READ; }
/* Bytes so far, for alignment. */
uint32_t acp_codec_offset(const acp_codec *c);

void acp_codec_fail(acp_codec *c, acp_result code, const char *field, const char *message);
/* Lenient: told once; strict: a fault. Only when reading. */
void acp_codec_remark(acp_codec *c, uint32_t kind, const char *field, const char *message);
/* Told once in both modes. */
void acp_codec_note(acp_codec *c, uint32_t kind, const char *field, const char *message);

/* ---- scalars ---- */
void acp_codec_value(acp_codec *c, acp_field field, const char *name, void *value);
static inline void acp_codec_u8(acp_codec *c, const char *name, uint8_t *v) { acp_codec_value(c, ACP_FIELD_U8, name, v); }
static inline void acp_codec_u16(acp_codec *c, const char *name, uint16_t *v) { acp_codec_value(c, ACP_FIELD_U16, name, v); }
static inline void acp_codec_u32(acp_codec *c, const char *name, uint32_t *v) { acp_codec_value(c, ACP_FIELD_U32, name, v); }
static inline void acp_codec_id(acp_codec *c, const char *name, uint32_t *v) { acp_codec_value(c, ACP_FIELD_ID, name, v); }
static inline void acp_codec_i16(acp_codec *c, const char *name, int16_t *v) { acp_codec_value(c, ACP_FIELD_I16, name, v); }
static inline void acp_codec_i32(acp_codec *c, const char *name, int32_t *v) { acp_codec_value(c, ACP_FIELD_I32, name, v); }
/* Any bits. */
static inline void acp_codec_f32(acp_codec *c, const char *name, float *v) { acp_codec_value(c, ACP_FIELD_F32, name, v); }
static inline void acp_codec_f64(acp_codec *c, const char *name, double *v) { acp_codec_value(c, ACP_FIELD_F64, name, v); }
/* A length, a radius, …: NaN and infinity are refused. */
void acp_codec_finite(acp_codec *c, const char *name, float *v);
void acp_codec_text(acp_codec *c, const char *name, acp_record_text *text);
void acp_codec_align4(acp_codec *c);
/* A compressed number in one, two or four bytes (DAT-32); a longer form than needed is kept as an oddity. */
uint32_t acp_codec_read_compressed(acp_codec *c, const char *name);
void acp_codec_write_compressed(acp_codec *c, uint32_t value, const char *name);

/* ---- shapes: finite, all of them ---- */
void acp_codec_vec3(acp_codec *c, const char *name, acp_vec3 *v);
void acp_codec_plane(acp_codec *c, const char *name, acp_plane *plane);
void acp_codec_sphere(acp_codec *c, const char *name, acp_sphere *sphere);
void acp_codec_cylsphere(acp_codec *c, const char *name, acp_cylsphere *cylsphere);
/* `is_checked`: retail tests the quaternion (DAT-37); strict refuses, lenient tells. Otherwise it is only told. */
void acp_codec_frame(acp_codec *c, const char *name, acp_frame *frame, bool is_checked);

/* ---- structure ---- */
void acp_codec_open(acp_codec *c, const char *name);
void acp_codec_close(acp_codec *c);

typedef enum acp_count_form { ACP_COUNT_GIVEN, ACP_COUNT_U32, ACP_COUNT_COMPRESSED } acp_count_form;

/* A list of structures: handles its count (checked against what is left, `min_bytes` each, and against `limit`), gives it memory, opens it.
 * `items_field` is the address of the pointer. Loop over *count, open and close each item, then acp_codec_end_list. GIVEN: the count is
 * known already. */
void acp_codec_list(acp_codec *c, const char *name, acp_count_form form, uint32_t *count, uint32_t limit, void *items_field,
                    size_t item_size, uint32_t min_bytes);
void acp_codec_end_list(acp_codec *c);
/* A list of plain values. */
void acp_codec_values(acp_codec *c, const char *name, acp_field field, acp_count_form form, uint32_t *count, uint32_t limit,
                      void *items_field);
/* `size` raw bytes. */
void acp_codec_raw(acp_codec *c, const char *name, uint32_t *size, uint8_t **bytes);

/* ---- pieces (codec_geometry.c, codec_tree.c, codec_motion.c) ---- */
void acp_codec_vertices(acp_codec *c, acp_record_vertices *vertices);
void acp_codec_polygons(acp_codec *c, const char *name, acp_count_form form, acp_record_polygons *polygons,
                        const acp_record_vertices *vertices);
void acp_codec_tree(acp_codec *c, const char *name, acp_record_tree_kind kind, acp_record_tree *tree, uint32_t polygon_count);
void acp_codec_hooks(acp_codec *c, acp_record_hooks *hooks);
void acp_codec_frames(acp_codec *c, const char *name, uint32_t count, acp_frame **frames);
void acp_codec_objects(acp_codec *c, const char *name, acp_record_objects *objects);

/* Keys of a list must differ: told, or refused when strict. `stride` bytes apart, the key first. */
void acp_codec_check_keys(acp_codec *c, const char *name, const void *items, uint32_t count, size_t stride);

/* ---- records ---- */
typedef void (*acp_codec_description)(acp_codec *c, void *content);
void acp_codec_gfxobj(acp_codec *c, void *content);
void acp_codec_setup(acp_codec *c, void *content);
void acp_codec_animation(acp_codec *c, void *content);
void acp_codec_motion_table(acp_codec *c, void *content);
void acp_codec_environment(acp_codec *c, void *content);
void acp_codec_degrade_info(acp_codec *c, void *content);
void acp_codec_scene(acp_codec *c, void *content);
void acp_codec_region(acp_codec *c, void *content);
void acp_codec_land_block(acp_codec *c, void *content);
void acp_codec_land_block_info(acp_codec *c, void *content);
void acp_codec_env_cell(acp_codec *c, void *content);

#endif
