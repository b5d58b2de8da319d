/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_JSON_VALUES_H
#define ACP_SUPPORT_JSON_VALUES_H

#include "acphys/geom.h"
#include "acphys/math.h"
#include "acphys/place.h"
#include "acphys/result.h"
#include "math/frame.h"
#include "place/position.h"
#include "support/json.h"

/* The value types of acphys in JSON, in the one form of vectors, `eval`, scenes, scenarios and captures (docs/format-eval.md).
 *
 * A float is a number; the exact bits stand beside it under <key>_hex and win when present; a nested list of floats has one flattened
 * _hex. Either may be absent. Ids and words are strings "0xXXXXXXXX" (plain numbers are read too). A float that is no number is the string
 * of its eight hex digits, "7FC00000".
 *
 * Reading: the first fault is kept in the input and everything after it is harmless and gives zeros, so an operation reads all its fields
 * and then asks once:
 *     acp_vec3 v = acp_json_get_vec3(in, object, "v");
 *     float t = acp_json_get_float_or(in, object, "t", 1.0f);
 *     if (acp_json_is_failed(in)) return in->result;
 * Plain get functions demand the key; the _or forms give the fallback when neither key nor key_hex is there. */

typedef struct acp_json_input {
    acp_result result; /* 0 until the first fault */
    acp_error *error;  /* filled at the first fault; may be null */
} acp_json_input;

static inline bool acp_json_is_failed(const acp_json_input *input) { return input->result != ACP_OK; }
/* Notes a fault at `key` unless one is noted already; returns the input's result. */
acp_result acp_json_fail(acp_json_input *input, acp_result code, const char *key, const char *message);
/* `key` or its _hex twin is there (null counts as absent). */
bool acp_json_has(const acp_json *object, const char *key);

/* Structure. A missing or differently typed member is a fault; the _optional forms give null for a missing or null member. */
const acp_json *acp_json_get_object(acp_json_input *input, const acp_json *object, const char *key);
const acp_json *acp_json_get_array(acp_json_input *input, const acp_json *object, const char *key);
const acp_json *acp_json_get_optional_object(acp_json_input *input, const acp_json *object, const char *key);
const acp_json *acp_json_get_optional_array(acp_json_input *input, const acp_json *object, const char *key);
/* A string: decoded bytes and length. */
const char *acp_json_get_string(acp_json_input *input, const acp_json *object, const char *key, uint32_t *out_length);

/* Integers and words. Booleans are 0/1 or false/true. */
int32_t acp_json_get_int32(acp_json_input *input, const acp_json *object, const char *key);
int32_t acp_json_get_int32_or(acp_json_input *input, const acp_json *object, const char *key, int32_t fallback);
uint32_t acp_json_get_uint32(acp_json_input *input, const acp_json *object, const char *key);
uint32_t acp_json_get_uint32_or(acp_json_input *input, const acp_json *object, const char *key, uint32_t fallback);
bool acp_json_get_flag(acp_json_input *input, const acp_json *object, const char *key);
bool acp_json_get_flag_or(acp_json_input *input, const acp_json *object, const char *key, bool fallback);
uint32_t acp_json_get_id(acp_json_input *input, const acp_json *object, const char *key);
uint32_t acp_json_get_id_or(acp_json_input *input, const acp_json *object, const char *key, uint32_t fallback);
/* A bare value (an array element) as an id. */
uint32_t acp_json_to_id(acp_json_input *input, const acp_json *value, const char *key);

/* Floats. */
float acp_json_get_float(acp_json_input *input, const acp_json *object, const char *key);
float acp_json_get_float_or(acp_json_input *input, const acp_json *object, const char *key, float fallback);
double acp_json_get_double(acp_json_input *input, const acp_json *object, const char *key); /* hex: 16 digits, or 8 widened */
double acp_json_get_double_or(acp_json_input *input, const acp_json *object, const char *key, double fallback);
/* Exactly `count` floats in a (nested) list. */
void acp_json_get_float_array(acp_json_input *input, const acp_json *object, const char *key, float *out, uint32_t count);
/* Any number of floats in a (nested) list: how many there are … */
uint32_t acp_json_count_floats(acp_json_input *input, const acp_json *object, const char *key);
/* … and a fresh array of them from the reader's memory; null (and *out_count 0) for none or a fault. */
const float *acp_json_get_floats(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                 uint32_t *out_count);

/* Value types. The object forms read member `key`; shapes: [x,y,z] · [w,x,y,z] · {n,d} · {c,r} · {min,max}. */
acp_vec3 acp_json_get_vec3(acp_json_input *input, const acp_json *object, const char *key);
acp_vec3 acp_json_get_vec3_or(acp_json_input *input, const acp_json *object, const char *key, acp_vec3 fallback);
acp_quaternion acp_json_get_quaternion(acp_json_input *input, const acp_json *object, const char *key);
acp_plane acp_json_get_plane(acp_json_input *input, const acp_json *object, const char *key);
acp_sphere acp_json_get_sphere(acp_json_input *input, const acp_json *object, const char *key);
acp_box acp_json_get_box(acp_json_input *input, const acp_json *object, const char *key);
acp_cylsphere acp_json_get_cylsphere(acp_json_input *input, const acp_json *object, const char *key); /* {low, h, r} */
/* The same read from a bare value (an array element). */
acp_plane acp_json_to_plane(acp_json_input *input, const acp_json *value);
acp_sphere acp_json_to_sphere(acp_json_input *input, const acp_json *value);
acp_box acp_json_to_box(acp_json_input *input, const acp_json *value);
acp_cylsphere acp_json_to_cylsphere(acp_json_input *input, const acp_json *value);
/* The vertices of polygon {v: [[x,y,z],…]}, in the reader's memory. A count that is no multiple of three floats is a fault. */
const acp_vec3 *acp_json_to_polygon(acp_json_input *input, acp_json_reader *memory, const acp_json *value, uint32_t *out_count);
const acp_vec3 *acp_json_get_polygon(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                     uint32_t *out_count);
/* Frame {q | raw_q, o}: identity, then the normalising set_rotate with q, or raw_q stored as it is and the matrix cached; then the origin.
 * An absent part keeps its identity value. (In json_places.c, which needs the math floor.) */
acp_matrix_frame acp_json_to_frame(acp_json_input *input, const acp_json *value);
acp_matrix_frame acp_json_get_frame(acp_json_input *input, const acp_json *object, const char *key);
/* Identity when absent. */
acp_matrix_frame acp_json_get_frame_or_identity(acp_json_input *input, const acp_json *object, const char *key);
/* Position {cell, q | raw_q, o}. */
acp_matrix_position acp_json_to_position(acp_json_input *input, const acp_json *value);
acp_matrix_position acp_json_get_position(acp_json_input *input, const acp_json *object, const char *key);

/* ---- writing; the _hex twins follow the writer's float_form ---- */
void acp_json_write_id(acp_json_writer *writer, const char *key, uint32_t id); /* "0xXXXXXXXX" */
void acp_json_write_float(acp_json_writer *writer, const char *key, float value);
void acp_json_write_double(acp_json_writer *writer, const char *key, double value); /* shortest binary64; 16-digit hex */
/* A flat list of floats. */
void acp_json_write_floats(acp_json_writer *writer, const char *key, const float *values, uint32_t count);
/* `count` rows of `width` floats each: [[…],[…]] with one flattened twin. */
void acp_json_write_float_rows(acp_json_writer *writer, const char *key, const float *values, uint32_t count, uint32_t width);
void acp_json_write_vec3(acp_json_writer *writer, const char *key, acp_vec3 value);
void acp_json_write_quaternion(acp_json_writer *writer, const char *key, acp_quaternion value);
void acp_json_write_plane(acp_json_writer *writer, const char *key, acp_plane value);   /* {n, d} */
void acp_json_write_sphere(acp_json_writer *writer, const char *key, acp_sphere value); /* {c, r} */
void acp_json_write_box(acp_json_writer *writer, const char *key, acp_box value);       /* {min, max} */
/* The members q, m, o of a frame, into the object that is open. */
void acp_json_write_frame_members(acp_json_writer *writer, const acp_matrix_frame *frame);
/* {q, m, o} under a key. */
void acp_json_write_frame(acp_json_writer *writer, const char *key, const acp_matrix_frame *frame);
/* {cell, q, o}. */
void acp_json_write_position(acp_json_writer *writer, const char *key, const acp_position *position);

#endif
