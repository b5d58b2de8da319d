/* SPDX-License-Identifier: MIT */
/* The ground of the whole world as shaded pixels.
 *
 * Land: the colour of each vertex's terrain type, softened over its neighbours and lightened with height, under a light from the north-west
 * (lambert on the true slope, exaggerated) plus a gentle second light and a darkening of hollows, which lets broad valleys read.
 * Sea: from turquoise at the shore to a deep blue, by distance from land (two-pass chamfer), with three fading lines along the coast as
 * engraved maps have them. Rivers and ponds keep one light blue. Roads lie over everything.
 * One pixel is one vertex (24 m). Floats are fine here: this is a picture. Cost: about half a second; 60 MB of scratch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/relief.h"

#define SIZE ACP_RELIEF_SIZE
#define AREA ((size_t)SIZE * SIZE)

typedef struct color {
    float r, g, b;
} color;

/* By terrain type (bits 2-6 of the word): barren rock, grassland, ice, lush grass, marsh, mud, obsidian, packed dirt, patchy dirt, patchy
 * grass, yellow sand, grey sand, strewn sand, sedimentary rock, semi-barren rock, snow, five waters, forest floor, false water, slime,
 * argila, two volcanoes, blue ice, moss, dark moss, olthoi, desolate lands. */
static const color type_colors[32] = {
    {134, 122, 110}, {122, 142, 76}, {214, 226, 232}, {92, 132, 62},   {98, 108, 72},   {108, 84, 60},   {74, 68, 72},    {158, 130, 94},
    {150, 124, 86},  {138, 148, 88}, {218, 192, 134}, {186, 178, 160}, {196, 172, 130}, {164, 128, 100}, {146, 138, 112}, {224, 230, 238},
    {92, 152, 186},  {96, 158, 190}, {74, 150, 176},  {74, 150, 176},  {28, 66, 108},   {72, 106, 58},   {92, 152, 186},  {86, 120, 82},
    {176, 112, 78},  {96, 62, 54},   {84, 54, 50},    {176, 206, 226}, {96, 118, 64},   {70, 92, 56},    {110, 82, 92},   {118, 98, 92},
};

static color mix(color a, color b, float t) {
    color c = {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
    return c;
}

static uint32_t type_at(const acp_relief *relief, size_t at) { return ((uint32_t)relief->words[at] >> 2) & 31u; }

static int is_sea(uint32_t type) { return type >= 18u && type <= 20u; }

static size_t clamped(int x, int y) {
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x >= SIZE) x = SIZE - 1;
    if (y >= SIZE) y = SIZE - 1;
    return (size_t)y * SIZE + (size_t)x;
}

/* Distance to the nearest vertex that is no sea, in pixels. */
static void distances_from_land(const acp_relief *relief, float *out) {
    const float straight = 1.0f, diagonal = 1.4142f;
    for (size_t i = 0; i < AREA; i++)
        out[i] = is_sea(type_at(relief, i)) ? 4000.0f : 0.0f;
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            float *d = &out[clamped(x, y)];
            *d = fminf(fminf(*d, out[clamped(x - 1, y)] + straight), out[clamped(x, y - 1)] + straight);
            *d = fminf(fminf(*d, out[clamped(x - 1, y - 1)] + diagonal), out[clamped(x + 1, y - 1)] + diagonal);
        }
    }
    for (int y = SIZE - 1; y >= 0; y--) {
        for (int x = SIZE - 1; x >= 0; x--) {
            float *d = &out[clamped(x, y)];
            *d = fminf(fminf(*d, out[clamped(x + 1, y)] + straight), out[clamped(x, y + 1)] + straight);
            *d = fminf(fminf(*d, out[clamped(x + 1, y + 1)] + diagonal), out[clamped(x - 1, y + 1)] + diagonal);
        }
    }
}

/* A running mean of `radius` along rows (step 1) or columns (step SIZE). */
static void blur_lines(const float *in, float *out, int radius, size_t step, size_t line_step) {
    for (int line = 0; line < SIZE; line++) {
        const float *from = in + (size_t)line * line_step;
        float *to = out + (size_t)line * line_step;
        double sum = 0.0;
        for (int i = -radius; i <= radius; i++)
            sum += (double)from[(size_t)(i < 0 ? 0 : i) * step];
        for (int i = 0; i < SIZE; i++) {
            to[(size_t)i * step] = (float)(sum / (2 * radius + 1));
            int leaves = i - radius < 0 ? 0 : i - radius, enters = i + radius + 1 >= SIZE ? SIZE - 1 : i + radius + 1;
            sum += (double)from[(size_t)enters * step] - (double)from[(size_t)leaves * step];
        }
    }
}

/* Brightness of a vertex: 1 is flat ground in the open. `mean` is the height of its wider surroundings. */
static float light_at(const float *z, const float *mean, int x, int y) {
    float dx = (z[clamped(x + 1, y)] - z[clamped(x - 1, y)]) / 48.0f * 1.45f,
          dy = (z[clamped(x, y + 1)] - z[clamped(x, y - 1)]) / 48.0f * 1.45f;
    float length = sqrtf(dx * dx + dy * dy + 1.0f);
    /* normal (-dx, -dy, 1) against lights from the north-west (35 degrees high) and the west */
    float main_light = (dx * 0.579f - dy * 0.579f + 0.574f) / length, side_light = (dx * 0.8f + 0.6f) / length;
    float hollow = (z[clamped(x, y)] - mean[clamped(x, y)]) / 60.0f;
    hollow = fmaxf(-0.28f, fminf(0.14f, hollow));
    return 0.30f + 0.95f * fmaxf(0.0f, main_light) + 0.26f * fmaxf(0.0f, side_light) + hollow;
}

static color sea_color(float distance) {
    static const color shore = {116, 184, 188}, shelf = {62, 124, 158}, deep = {24, 58, 98}, abyss = {16, 40, 74};
    color c;
    if (distance < 10.0f)
        c = mix(shore, shelf, distance / 10.0f);
    else if (distance < 60.0f)
        c = mix(shelf, deep, (distance - 10.0f) / 50.0f);
    else
        c = mix(deep, abyss, fminf(1.0f, (distance - 60.0f) / 240.0f));
    static const color pale = {190, 222, 226};
    static const float lines[3] = {5.0f, 10.0f, 16.0f}, strengths[3] = {0.30f, 0.20f, 0.11f};
    for (int i = 0; i < 3; i++) {
        float off = fabsf(distance - lines[i]);
        if (off < 0.8f) c = mix(c, pale, strengths[i] * (1.0f - off / 0.8f));
    }
    return c;
}

/* Terrain colour softened over the neighbours that are land too. */
static color land_color(const acp_relief *relief, int x, int y, float metres) {
    color sum = {0, 0, 0};
    float total = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            uint32_t type = type_at(relief, clamped(x + dx, y + dy));
            if (is_sea(type)) continue;
            float weight = dx == 0 && dy == 0 ? 4.0f : 1.0f / (float)(1 + dx * dx + dy * dy);
            sum.r += type_colors[type].r * weight;
            sum.g += type_colors[type].g * weight;
            sum.b += type_colors[type].b * weight;
            total += weight;
        }
    }
    color c = {sum.r / total, sum.g / total, sum.b / total};
    static const color pale = {238, 234, 224};
    return mix(c, pale, fminf(0.42f, fmaxf(0.0f, (metres - 120.0f) / 700.0f)));
}

/* Bright values are compressed rather than cut, so that snow keeps its shape. */
static uint32_t byte_of(float value) {
    if (value > 200.0f) value = 200.0f + 55.0f * (1.0f - expf((200.0f - value) / 70.0f));
    return (uint32_t)(value < 0.0f ? 0.0f : value > 255.0f ? 255.0f : value + 0.5f);
}

static uint32_t pixel_at(const acp_relief *relief, const float *z, const float *mean, const float *distance, int x, int y) {
    static const color road = {244, 226, 178};
    size_t at = clamped(x, y);
    uint32_t type = type_at(relief, at);
    color c;
    float light = light_at(z, mean, x, y);
    if (is_sea(type)) {
        c = sea_color(distance[at]);
        light = 1.0f + (light - 1.0f) * 0.15f;
    } else {
        c = land_color(relief, x, y, z[at]);
        if (type == 16u || type == 17u) light = 1.0f + (light - 1.0f) * 0.3f;
    }
    if ((relief->words[at] & 3u) != 0) {
        c = mix(c, road, 0.75f);
        light = 1.0f + (light - 1.0f) * 0.5f;
    }
    return 0xFF000000u | byte_of(c.r * light) << 16 | byte_of(c.g * light) << 8 | byte_of(c.b * light);
}

int acp_relief_shade(const acp_relief *relief, uint32_t *out_pixels) {
    float *z = malloc(AREA * sizeof *z), *mean = malloc(AREA * sizeof *mean), *distance = malloc(AREA * sizeof *distance);
    int is_done = z != NULL && mean != NULL && distance != NULL;
    if (is_done) {
        for (size_t i = 0; i < AREA; i++)
            z[i] = relief->metres[relief->heights[i]];
        blur_lines(z, distance, 14, 1, SIZE);
        blur_lines(distance, mean, 14, SIZE, 1);
        distances_from_land(relief, distance);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
                out_pixels[(size_t)(SIZE - 1 - y) * SIZE + (size_t)x] = pixel_at(relief, z, mean, distance, x, y);
    }
    free(z);
    free(mean);
    free(distance);
    return is_done;
}
