/* SPDX-License-Identifier: MIT */
/* Referee: reading the bit vectors. */
#include "tests/referee/vectors.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory) {
    if (!memory) {
        fputs("referee: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* What lives until referee_vectors_free. */
typedef union kept {
    union kept *next;
    max_align_t align;
} kept;

static kept *all_kept;

void *referee_keep(size_t size) {
    kept *memory = must(calloc(1, sizeof *memory + size));
    memory->next = all_kept;
    all_kept = memory;
    return memory + 1;
}

void referee_vectors_free(void) {
    while (all_kept) {
        kept *next = all_kept->next;
        free(all_kept);
        all_kept = next;
    }
}

const acp_json *referee_member(const acp_json *object, const char *key) {
    const acp_json *value = acp_json_member(object, key);
    if (!value) {
        fprintf(stderr, "referee: no key \"%s\"\n", key);
        exit(1);
    }
    return value;
}

int referee_int(const acp_json *value) {
    int64_t number = 0;
    if (value && !acp_json_to_int64(value, &number)) {
        fputs("referee: not an integer\n", stderr);
        exit(1);
    }
    return (int)number;
}

int referee_flag(const acp_json *object, const char *key) { return referee_int(referee_member(object, key)); }

/* A string with its end marked. */
static char *text_of(const acp_json *value) {
    char *text = must(malloc((size_t)value->count + 1));
    memcpy(text, value->text, value->count);
    text[value->count] = '\0';
    return text;
}

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Flattens a number or nested list of numbers. */
static void flatten(const acp_json *value, float *out, int *count) {
    if (value->type == ACP_JSON_ARRAY) {
        for (const acp_json *item = value->first; item; item = item->next)
            flatten(item, out, count);
        return;
    }
    float number = NAN; /* a string stands for "not a number" */
    (void)acp_json_to_float(value, &number);
    if (out) out[*count] = number;
    ++*count;
}

float *referee_floats(const acp_json *object, const char *key, int *out_count) {
    const acp_json *hex = acp_json_member_hex(object, key);
    int count = 0;
    float *out;
    if (hex) {
        char *whole = text_of(hex), *text = whole, *end;
        out = must(malloc(sizeof(float) * (strlen(text) / 8 + 1)));
        for (unsigned long bits = strtoul(text, &end, 16); end != text; bits = strtoul(text, &end, 16)) {
            out[count++] = from_bits((uint32_t)bits);
            text = end;
        }
        free(whole);
    } else {
        flatten(referee_member(object, key), NULL, &count);
        out = must(malloc(sizeof(float) * (size_t)(count + 1)));
        count = 0;
        flatten(referee_member(object, key), out, &count);
    }
    if (out_count) *out_count = count;
    return out;
}

float referee_float(const acp_json *object, const char *key) {
    float *values = referee_floats(object, key, NULL);
    float value = values[0];
    free(values);
    return value;
}

double referee_double(const acp_json *object, const char *key) {
    const acp_json *hex = acp_json_member_hex(object, key);
    double value = 0.0;
    if (!hex) {
        (void)acp_json_to_double(referee_member(object, key), &value);
        return value;
    }
    char *text = text_of(hex);
    uint64_t bits = strtoull(text, NULL, 16);
    free(text);
    memcpy(&value, &bits, sizeof value);
    return value;
}

acp_vec3 referee_vec3(const acp_json *object, const char *key) {
    float *values = referee_floats(object, key, NULL);
    acp_vec3 v = {values[0], values[1], values[2]};
    free(values);
    return v;
}

acp_plane referee_plane(const acp_json *object, const char *key) {
    const acp_json *value = referee_member(object, key);
    acp_plane plane;
    plane.normal = referee_vec3(value, "n");
    plane.d = referee_float(value, "d");
    return plane;
}

acp_sphere referee_sphere(const acp_json *object, const char *key) {
    const acp_json *value = referee_member(object, key);
    acp_sphere sphere;
    sphere.center = referee_vec3(value, "c");
    sphere.radius = referee_float(value, "r");
    return sphere;
}

acp_box referee_box(const acp_json *object, const char *key) {
    const acp_json *value = referee_member(object, key);
    acp_box box;
    box.min = referee_vec3(value, "min");
    box.max = referee_vec3(value, "max");
    return box;
}

referee_polygon referee_read_polygon(const acp_json *value, uint32_t number) {
    int count;
    float *values = referee_floats(value, "v", &count);
    acp_vec3 *points = referee_keep(sizeof(acp_vec3) * (size_t)(count / 3 + 1));
    for (int i = 0; i < count / 3; i++) {
        points[i].x = values[3 * i];
        points[i].y = values[3 * i + 1];
        points[i].z = values[3 * i + 2];
    }
    free(values);
    return referee_polygon_make(points, count / 3, number);
}

referee_position referee_read_position(const acp_json *value) {
    const acp_json *cell = acp_json_member(value, "cell");
    char *cell_text = cell ? text_of(cell) : NULL;
    referee_position position = referee_position_identity(cell_text ? (uint32_t)strtoul(cell_text, NULL, 16) : 0);
    free(cell_text);
    if (acp_json_member(value, "q")) {
        float *q = referee_floats(value, "q", NULL);
        referee_set_rotate(&position, q);
        free(q);
    } else if (acp_json_member(value, "raw_q")) {
        float *q = referee_floats(value, "raw_q", NULL);
        memcpy(position.q, q, sizeof position.q);
        referee_cache(&position);
        free(q);
    }
    if (acp_json_member(value, "m")) { /* a matrix stored as it is */
        float *m = referee_floats(value, "m", NULL);
        memcpy(position.m, m, sizeof position.m);
        free(m);
    }
    if (acp_json_member(value, "o")) position.origin = referee_vec3(value, "o");
    return position;
}

referee_node *referee_read_tree(const acp_json *value, const referee_polygon *polygons, int polygon_count, uint32_t *next_number) {
    if (!value || value->type == ACP_JSON_NULL) return NULL;
    referee_node *node = referee_keep(sizeof *node);
    node->number = (*next_number)++;
    if (acp_json_member(value, "s")) {
        float *s = referee_floats(value, "s", NULL);
        node->sphere.center.x = s[0];
        node->sphere.center.y = s[1];
        node->sphere.center.z = s[2];
        node->sphere.radius = s[3];
        free(s);
    }
    if (acp_json_member(value, "leaf")) {
        const acp_json *list = acp_json_member(value, "polys");
        node->is_leaf = true;
        node->solid = referee_int(acp_json_member(value, "solid"));
        node->num_polys = list ? list->count : 0;
        referee_entry *entries = referee_keep(((size_t)node->num_polys + 1u) * sizeof *entries);
        for (uint32_t i = 0; i < node->num_polys; i++) {
            int number = referee_int(acp_json_element(list, i));
            entries[i].number = (uint32_t)number;
            entries[i].polygon = number >= 0 && number < polygon_count ? &polygons[number] : NULL;
        }
        node->entries = entries;
        return node;
    }
    float *p = referee_floats(value, "p", NULL);
    node->plane.normal.x = p[0];
    node->plane.normal.y = p[1];
    node->plane.normal.z = p[2];
    node->plane.d = p[3];
    free(p);
    node->pos = referee_read_tree(acp_json_member(value, "pos"), polygons, polygon_count, next_number);
    node->neg = referee_read_tree(acp_json_member(value, "neg"), polygons, polygon_count, next_number);
    return node;
}
