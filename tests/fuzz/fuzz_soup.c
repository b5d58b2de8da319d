/* SPDX-License-Identifier: MIT */
/* Fuzz target: a soup of any numbers and plain questions to it. What is refused is refused for a number that is not finite, too large or
 * negative; what is made answers, from a copy of exactly its size, and where soup and question are of the size of a world as the best of
 * soups of one item each does, to the bit. (Ways of 1e15 m past things of 1 m leave binary64 no digits to agree on.)
 *
 * Bytes: counts of vertices, triangles, spheres and cylspheres (modulo the most there are), one byte of form, then numbers and one byte an
 * ordinal; what is left are questions of seven numbers and a byte of sides. Bit 0 of the form: numbers are binary32 as they stand;
 * otherwise two bytes each, in quarters of a metre, so that edges and corners are met exactly. Bit 1: ordinals may be too large. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/soup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VERTICES = 32, TRIANGLES = 24, SPHERES = 6, CYLSPHERES = 6, ITEMS = TRIANGLES + SPHERES + CYLSPHERES, QUESTIONS = 12 };

#define WORLD 1e5 /* metres: more than twice a world's side */

typedef struct input {
    const uint8_t *bytes;
    size_t size;
    uint8_t form;
} input;

typedef struct content {
    acp_vec3 vertices[VERTICES];
    uint32_t triangles[3 * TRIANGLES];
    acp_sphere spheres[SPHERES];
    acp_cylsphere cylspheres[CYLSPHERES];
    acp_soup_source source;
} content;

typedef struct question {
    acp_vec3 start, end;
    float radius; /* negative: a ray */
    acp_ray_sides sides;
} question;

static void expect(bool condition) {
    if (!condition) abort();
}

static uint8_t take_byte(input *in) {
    if (in->size == 0) return 0;
    in->size--;
    return *in->bytes++;
}

static float take_number(input *in) {
    uint32_t word = 0;
    for (unsigned i = 0; i < (in->form & 1u ? 4u : 2u); i++)
        word |= (uint32_t)take_byte(in) << 8 * i;
    if (!(in->form & 1u)) return (float)((int32_t)word - 32768) * 0.25f;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static acp_vec3 take_point(input *in) {
    acp_vec3 point;
    point.x = take_number(in);
    point.y = take_number(in);
    point.z = take_number(in);
    return point;
}

static void take_content(input *in, content *c) {
    memset(c, 0, sizeof *c);
    acp_soup_source *s = &c->source;
    s->vertex_count = take_byte(in) % (VERTICES + 1u);
    s->triangle_count = take_byte(in) % (TRIANGLES + 1u);
    s->sphere_count = take_byte(in) % (SPHERES + 1u);
    s->cylsphere_count = take_byte(in) % (CYLSPHERES + 1u);
    in->form = take_byte(in);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        c->vertices[i] = take_point(in);
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++) {
        c->triangles[i] = take_byte(in);
        if (!(in->form & 2u) && s->vertex_count) c->triangles[i] %= s->vertex_count;
    }
    for (uint32_t i = 0; i < s->sphere_count; i++) {
        c->spheres[i].center = take_point(in);
        c->spheres[i].radius = take_number(in);
    }
    for (uint32_t i = 0; i < s->cylsphere_count; i++) {
        c->cylspheres[i].low_point = take_point(in);
        c->cylspheres[i].radius = take_number(in);
        c->cylspheres[i].height = take_number(in);
    }
    s->vertices = c->vertices;
    s->triangles = c->triangles;
    s->spheres = c->spheres;
    s->cylspheres = c->cylspheres;
}

static bool is_within(acp_vec3 p, double reach) {
    return fabs((double)p.x) <= reach && fabs((double)p.y) <= reach && fabs((double)p.z) <= reach;
}

static bool is_near(acp_vec3 p) { return is_within(p, 1e18); }

/* May it be refused, and for what: said again here, plainly. */
static bool is_sound(const content *c) {
    const acp_soup_source *s = &c->source;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (!is_near(c->vertices[i])) return false;
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
        if (c->triangles[i] >= s->vertex_count) return false;
    for (uint32_t i = 0; i < s->sphere_count; i++)
        if (!is_near(c->spheres[i].center) || !(c->spheres[i].radius >= 0.0f && (double)c->spheres[i].radius <= 1e18)) return false;
    for (uint32_t i = 0; i < s->cylsphere_count; i++) {
        const acp_cylsphere *post = &c->cylspheres[i];
        if (!is_near(post->low_point) || !(post->radius >= 0.0f && (double)post->radius <= 1e18)) return false;
        if (!(post->height >= 0.0f && (double)post->height <= 1e18)) return false;
    }
    return true;
}

static bool is_of_a_world(const content *c) {
    for (uint32_t i = 0; i < c->source.vertex_count; i++)
        if (!is_within(c->vertices[i], WORLD)) return false;
    for (uint32_t i = 0; i < c->source.sphere_count; i++)
        if (!is_within(c->spheres[i].center, WORLD) || (double)c->spheres[i].radius > WORLD) return false;
    for (uint32_t i = 0; i < c->source.cylsphere_count; i++) {
        const acp_cylsphere *post = &c->cylspheres[i];
        if (!is_within(post->low_point, WORLD) || (double)post->radius > WORLD || (double)post->height > WORLD) return false;
    }
    return true;
}

/* A copy in an allocation of exactly its size. */
static acp_soup *moved(acp_soup *soup) {
    size_t size = acp_soup_size(soup);
    void *copy = NULL;
    if (posix_memalign(&copy, 64, size) != 0) abort();
    memcpy(copy, soup, size);
    acp_soup_destroy(soup, NULL);
    return copy;
}

static acp_soup *soup_of_item(const content *c, uint32_t item) {
    acp_soup_source s = {.vertices = c->vertices, .vertex_count = c->source.vertex_count};
    if (item < TRIANGLES) {
        s.triangles = &c->triangles[3 * item];
        s.triangle_count = 1;
    } else if (item < TRIANGLES + SPHERES) {
        s.spheres = &c->spheres[item - TRIANGLES];
        s.sphere_count = 1;
    } else {
        s.cylspheres = &c->cylspheres[item - TRIANGLES - SPHERES];
        s.cylsphere_count = 1;
    }
    acp_soup *soup = NULL;
    acp_error error;
    expect(acp_soup_create(&s, NULL, &soup, &error) == ACP_OK);
    return moved(soup);
}

static acp_result ask(const acp_soup *soup, const question *q, acp_soup_hit *hit, int32_t *out_found) {
    memset(hit, 0, sizeof *hit);
    *out_found = 0;
    if (q->radius >= 0.0f) return acp_soup_sweep_first_hit(soup, q->start, q->end, q->radius, q->sides, hit, out_found);
    int32_t is_any = 0;
    acp_result result = acp_soup_segment_first_hit(soup, q->start, q->end, q->sides, hit, out_found);
    expect(acp_soup_segment_any_hit(soup, q->start, q->end, q->sides, &is_any) == result && is_any == *out_found);
    return result;
}

static void compare(const content *c, const acp_soup *all, acp_soup *const single[ITEMS], const question *q) {
    acp_soup_hit hit, best = {0}, one;
    int32_t is_found, is_best = 0, is_one;
    acp_result result = ask(all, q, &hit, &is_found);
    if (result) {
        expect(!is_found && (!is_near(q->start) || !is_near(q->end) || (double)q->radius > 1e18));
        return;
    }
    expect(!is_found || (hit.fraction >= 0.0 && hit.fraction <= 1.0 && is_near(hit.normal)));
    if (!is_of_a_world(c) || !is_within(q->start, WORLD) || !is_within(q->end, WORLD) || (double)q->radius > WORLD) return;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (!single[i]) continue;
        expect(ask(single[i], q, &one, &is_one) == ACP_OK);
        if (!is_one || (is_best && one.fraction >= best.fraction)) continue;
        best = one;
        best.ordinal = i < TRIANGLES ? i : i < TRIANGLES + SPHERES ? i - TRIANGLES : i - TRIANGLES - SPHERES;
        is_best = 1;
    }
    expect(is_found == is_best && memcmp(&hit, &best, sizeof hit) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size, 0};
    content c;
    take_content(&in, &c);
    acp_soup *all = NULL, *single[ITEMS] = {0};
    acp_error error;
    acp_result result = acp_soup_create(&c.source, NULL, &all, &error);
    expect((result == ACP_OK) == is_sound(&c));
    if (result) return 0;
    all = moved(all);
    for (uint32_t i = 0; i < c.source.triangle_count; i++)
        single[i] = soup_of_item(&c, i);
    for (uint32_t i = 0; i < c.source.sphere_count; i++)
        single[TRIANGLES + i] = soup_of_item(&c, TRIANGLES + i);
    for (uint32_t i = 0; i < c.source.cylsphere_count; i++)
        single[TRIANGLES + SPHERES + i] = soup_of_item(&c, TRIANGLES + SPHERES + i);
    for (uint32_t k = 0; k < QUESTIONS && in.size > 0; k++) {
        question q;
        q.start = take_point(&in);
        q.end = take_point(&in);
        q.radius = take_number(&in);
        q.sides = take_byte(&in) & 1u ? ACP_RAY_BOTH_FACES : ACP_RAY_FRONT_FACES;
        compare(&c, all, single, &q);
    }
    free(all);
    for (uint32_t i = 0; i < ITEMS; i++)
        free(single[i]);
    return 0;
}
