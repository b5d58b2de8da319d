/* SPDX-License-Identifier: MIT */
/* What a list of recorded positions says as a whole, as text and as JSON.
 *
 * Counts by class with their explanations and examples; rotations; and over the outdoor rows with ground: height above it (bands,
 * quantiles, a histogram), slope, water, roads. Every count is over rows, every row counts once per section, and both outputs come from the
 * same figures, gathered in one pass. Quantiles are exact order statistics (nearest rank). Cost: one sort of the outdoor rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/number.h"
#include "math/trig.h"
#include "support/json_values.h"
#include "tools/acphys/tool_spawns.h"

#define EXAMPLES 4

/* Bands of recorded z minus ground, in metres. */
#define HEIGHT_BANDS 11
static const char *const height_labels[HEIGHT_BANDS] = {"below -100 m",    "-100 to -10 m", "-10 to -1 m",   "-1 to -0.1 m",
                                                        "-0.1 to -0.01 m", "within 0.01 m", "0.01 to 0.1 m", "0.1 to 1 m",
                                                        "1 to 10 m",       "10 to 100 m",   "above 100 m"};
#define SLOPE_BANDS 6
static const double slope_bounds[SLOPE_BANDS - 1] = {0.01, 15.0, 30.0, 45.0, 60.0};
static const char *const slope_labels[SLOPE_BANDS] = {"flat", "to 15 degrees", "to 30", "to 45", "to 60", "steeper"};
static const double quantiles[] = {0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0};
#define QUANTILES (sizeof quantiles / sizeof quantiles[0])

typedef struct figures {
    uint64_t classes[ACP_SPAWN_CLASS_COUNT];
    const acp_spawn *examples[ACP_SPAWN_CLASS_COUNT][EXAMPLES];
    uint64_t rotations[3];
    uint64_t beyond_block;
    uint64_t moved_block;
    uint64_t with_ground;
    uint64_t heights[HEIGHT_BANDS];
    uint64_t within_tenth, within_metre, at_5_mm;
    uint64_t slopes[SLOPE_BANDS];
    uint64_t unwalkable;
    uint64_t in_water, on_water_surface, on_road;
    double quantile[QUANTILES];
    double *sorted; /* z minus ground of the rows with ground */
} figures;

const char *acp_spawn_class_name(acp_spawn_class spawn_class) {
    static const char *const names[ACP_SPAWN_CLASS_COUNT] = {"indoor",    "agrees",      "unresolved", "on_border",  "neighbour",
                                                             "elsewhere", "whole_block", "invalid_id", "outside_map"};
    return spawn_class < ACP_SPAWN_CLASS_COUNT ? names[spawn_class] : "?";
}

const char *acp_spawn_class_explanation(acp_spawn_class spawn_class) {
    static const char *const texts[ACP_SPAWN_CLASS_COUNT] = {
        "in an EnvCell; coordinates alone do not tell one room from another, so nothing is compared",
        "in a land cell, and the point lies in that cell",
        "low word 0: the source knew the landblock alone; its land cell is worked out from the point",
        "the point lies exactly on the line between two cells: canonical is the one to the east or north, recorded the other",
        "the point lies inside a cell that touches the recorded one: filed in the wrong cell by its source",
        "the point lies in a land cell that does not touch the recorded one: id and point contradict each other",
        "low word 0xFFFF: the whole landblock",
        "an id that names no cell (the gap 0x0041-0x00FF, 0xFFFE, or a block off the map)",
        "the point lies beyond the rim of the map: nowhere",
    };
    return spawn_class < ACP_SPAWN_CLASS_COUNT ? texts[spawn_class] : "?";
}

static double slope_of(const acp_ground *ground) {
    double z = (double)ground->plane.normal.z;
    return acp_acos(z > 1.0 ? 1.0 : z) * ACP_DEGREES_PER_RADIAN;
}

static double above_ground(const acp_spawn *spawn) { return (double)spawn->position.frame.origin.z - (double)spawn->ground.z; }

static uint32_t band_of(double value, const double *bounds, uint32_t count) {
    uint32_t band = 0;
    while (band < count && value >= bounds[band])
        band++;
    return band;
}

/* Within `bound` metres, to the precision of a recorded height in binary32 (0.00002 m covers 300 m): 94.01 over ground at 94 is 0.01. */
static bool is_within(double above, double bound) { return fabs(above) <= bound + 0.00002; }

/* 5 is the band around the ground; each side has bands that end at 0.1, 1, 10 and 100 m and an open one. */
static uint32_t height_band(double above) {
    uint32_t away = 0;
    for (double bound = 0.01; away < 5 && !is_within(above, bound); bound *= 10.0)
        away++;
    return above < 0.0 ? 5u - away : 5u + away;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void count_ground(figures *f, const acp_spawn *spawn) {
    double above = above_ground(spawn);
    f->sorted[f->with_ground++] = above;
    f->heights[height_band(above)]++;
    f->within_tenth += is_within(above, 0.1);
    f->within_metre += is_within(above, 1.0);
    f->at_5_mm += is_within(above - 0.005, 0.0005);
    f->slopes[band_of(slope_of(&spawn->ground), slope_bounds, SLOPE_BANDS - 1)]++;
    f->unwalkable += spawn->ground.is_walkable == 0;
    f->in_water += spawn->ground.water_depth > 0.0f;
    f->on_water_surface += spawn->ground.surface == ACP_SURFACE_WATER;
    f->on_road += spawn->ground.road != 0;
}

/* False when memory is out. */
static bool gather(figures *f, const acp_spawn_list *list) {
    memset(f, 0, sizeof *f);
    f->sorted = malloc((list->count ? list->count : 1) * sizeof *f->sorted);
    if (!f->sorted) return false;
    for (size_t i = 0; i < list->count; i++) {
        const acp_spawn *spawn = &list->rows[i];
        uint64_t seen = f->classes[spawn->spawn_class]++;
        if (seen < EXAMPLES) f->examples[spawn->spawn_class][seen] = spawn;
        f->rotations[spawn->rotation]++;
        f->beyond_block += spawn->is_beyond_block;
        f->moved_block += (spawn->position.cell_id >> 16) != (spawn->recorded_cell >> 16);
        if (spawn->has_ground) count_ground(f, spawn);
    }
    qsort(f->sorted, f->with_ground, sizeof *f->sorted, compare_doubles);
    for (size_t i = 0; i < QUANTILES && f->with_ground > 0; i++) {
        double rank = ceil(quantiles[i] * (double)f->with_ground);
        f->quantile[i] = f->sorted[rank < 1.0 ? 0 : (size_t)rank - 1];
    }
    return true;
}

/* ---- text ---- */

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

static void print_bar(const char *label, uint64_t count, uint64_t total) {
    char bar[41];
    size_t length = total ? (size_t)((count * 40u + total / 2u) / total) : 0;
    memset(bar, '#', length);
    bar[length] = '\0';
    (void)printf("  %-16s %7llu %5.1f %%  %s\n", label, (unsigned long long)count, percent(count, total), bar);
}

static void print_example(const acp_spawn *spawn, const char *path) {
    char text[ACP_PLACE_TEXT_CAPACITY];
    if (acp_position_format(&spawn->position, ACP_PLACE_FORM_CELL, text, sizeof text, NULL) != ACP_OK) text[0] = '\0';
    (void)printf("      %s:%llu  recorded 0x%08X, canonical %s", path, (unsigned long long)spawn->line, (unsigned)spawn->recorded_cell,
                 text);
    if (spawn->distance > 0.0f) (void)printf(", %.3f m outside the recorded cell", (double)spawn->distance);
    (void)printf("\n");
}

static void print_classes(const figures *f, const acp_spawn_list *list, const char *const *paths) {
    for (uint32_t i = 0; i < ACP_SPAWN_CLASS_COUNT; i++) {
        acp_spawn_class c = (acp_spawn_class)i;
        if (f->classes[i] == 0) continue;
        (void)printf("  %-12s %7llu  %s\n", acp_spawn_class_name(c), (unsigned long long)f->classes[i], acp_spawn_class_explanation(c));
        if (c <= ACP_SPAWN_UNRESOLVED) continue;
        for (uint32_t k = 0; k < EXAMPLES && f->examples[i][k]; k++)
            print_example(f->examples[i][k], paths[f->examples[i][k]->file]);
    }
    (void)list;
}

static void print_ground(const figures *f) {
    (void)printf("\nGround under %llu outdoor positions, recorded z minus ground:\n", (unsigned long long)f->with_ground);
    for (uint32_t i = 0; i < HEIGHT_BANDS; i++)
        print_bar(height_labels[i], f->heights[i], f->with_ground);
    (void)printf("  within 0.1 m: %llu, within 1 m: %llu, 0.005 m above (how many creatures are placed): %llu\n",
                 (unsigned long long)f->within_tenth, (unsigned long long)f->within_metre, (unsigned long long)f->at_5_mm);
    (void)printf("  least %.3f, 5 %% %.3f, quarter %.3f, median %.3f, three quarters %.3f, 95 %% %.3f, most %.3f m\n", f->quantile[0],
                 f->quantile[2], f->quantile[3], f->quantile[4], f->quantile[5], f->quantile[6], f->quantile[8]);
    (void)printf("\nSlope of that ground:\n");
    for (uint32_t i = 0; i < SLOPE_BANDS; i++)
        print_bar(slope_labels[i], f->slopes[i], f->with_ground);
    (void)printf("  too steep to stand on: %llu\n", (unsigned long long)f->unwalkable);
    (void)printf("\nWater: %llu stand in a depth of water, %llu at a vertex of water; roads: %llu\n", (unsigned long long)f->in_water,
                 (unsigned long long)f->on_water_surface, (unsigned long long)f->on_road);
}

void acp_spawns_print(const acp_spawn_list *list, const char *const *paths, bool has_ground) {
    figures f;
    if (!gather(&f, list)) {
        (void)fprintf(stderr, "acphys: out of memory\n");
        return;
    }
    (void)printf("%zu positions, recorded cell against the cell under the point:\n", list->count);
    print_classes(&f, list, paths);
    (void)printf("  indoor points outside their landblock's square: %llu (dungeons lie where they like)\n",
                 (unsigned long long)f.beyond_block);
    (void)printf("  outdoor points that belong to another landblock: %llu\n", (unsigned long long)f.moved_block);
    (void)printf("\nRotations: %llu of unit length, %llu off it (normalised here), %llu all zeros (taken as unturned)\n",
                 (unsigned long long)f.rotations[0], (unsigned long long)f.rotations[1], (unsigned long long)f.rotations[2]);
    if (has_ground) print_ground(&f);
    if (has_ground && list->ground_missing)
        (void)printf("\nThe source has no ground under %llu positions.\n", (unsigned long long)list->ground_missing);
    if (list->malformed) (void)printf("\nMalformed rows, left out: %llu\n", (unsigned long long)list->malformed);
    free(f.sorted);
}

/* ---- JSON ---- */

void acp_spawn_write_row(const acp_spawn *spawn, const char *path, acp_json_writer *w) {
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "file", path);
    acp_json_write_uint(w, "line", spawn->line);
    acp_json_write_id(w, "recorded", spawn->recorded_cell);
    acp_json_write_string(w, "class", acp_spawn_class_name((acp_spawn_class)spawn->spawn_class));
    acp_json_write_position(w, "position", &spawn->position);
    if (spawn->distance > 0.0f) acp_json_write_float(w, "distance", spawn->distance);
    if (spawn->class_number) acp_json_write_uint(w, "wcid", spawn->class_number);
    if (spawn->has_ground) {
        acp_json_write_float(w, "ground", spawn->ground.z);
        acp_json_write_float(w, "above", acp_f32(above_ground(spawn)));
        acp_json_write_float(w, "slope_degrees", acp_f32(slope_of(&spawn->ground)));
        acp_json_write_flag(w, "walkable", spawn->ground.is_walkable != 0);
        acp_json_write_float(w, "water_depth", spawn->ground.water_depth);
        acp_json_write_flag(w, "road", spawn->ground.road != 0);
    }
    acp_json_end_object(w);
}

static void write_classes(const figures *f, const char *const *paths, acp_json_writer *w) {
    acp_json_begin_array(w, "classes");
    for (uint32_t i = 0; i < ACP_SPAWN_CLASS_COUNT; i++) {
        acp_json_begin_object(w, NULL);
        acp_json_write_string(w, "class", acp_spawn_class_name((acp_spawn_class)i));
        acp_json_write_uint(w, "count", f->classes[i]);
        acp_json_write_string(w, "explanation", acp_spawn_class_explanation((acp_spawn_class)i));
        if (i > ACP_SPAWN_UNRESOLVED) {
            acp_json_begin_array(w, "examples");
            for (uint32_t k = 0; k < EXAMPLES && f->examples[i][k]; k++)
                acp_spawn_write_row(f->examples[i][k], paths[f->examples[i][k]->file], w);
            acp_json_end_array(w);
        }
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static void write_bands(acp_json_writer *w, const char *key, const char *const *labels, const uint64_t *counts, uint32_t count) {
    acp_json_begin_array(w, key);
    for (uint32_t i = 0; i < count; i++) {
        acp_json_begin_object(w, NULL);
        acp_json_write_string(w, "band", labels[i]);
        acp_json_write_uint(w, "count", counts[i]);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static void write_ground(const figures *f, const acp_spawn_list *list, acp_json_writer *w) {
    acp_json_begin_object(w, "ground");
    acp_json_write_uint(w, "positions", f->with_ground);
    acp_json_write_uint(w, "missing", list->ground_missing);
    write_bands(w, "above", height_labels, f->heights, HEIGHT_BANDS);
    acp_json_write_uint(w, "within_0_1", f->within_tenth);
    acp_json_write_uint(w, "within_1", f->within_metre);
    acp_json_write_uint(w, "at_0_005", f->at_5_mm);
    acp_json_begin_array(w, "quantiles");
    for (size_t i = 0; i < QUANTILES && f->with_ground > 0; i++) {
        acp_json_begin_object(w, NULL);
        acp_json_write_float(w, "q", acp_f32(quantiles[i]));
        acp_json_write_float(w, "above", acp_f32(f->quantile[i]));
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
    write_bands(w, "slope", slope_labels, f->slopes, SLOPE_BANDS);
    acp_json_write_uint(w, "unwalkable", f->unwalkable);
    acp_json_write_uint(w, "in_water", f->in_water);
    acp_json_write_uint(w, "on_water_surface", f->on_water_surface);
    acp_json_write_uint(w, "on_road", f->on_road);
    acp_json_end_object(w);
}

void acp_spawns_write_json(const acp_spawn_list *list, const char *const *paths, uint32_t path_count, bool has_ground, acp_json_writer *w) {
    figures f;
    if (!gather(&f, list)) {
        w->is_failed = true;
        return;
    }
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "schema", "acphys.spawns.1");
    acp_json_begin_array(w, "files");
    for (uint32_t i = 0; i < path_count; i++)
        acp_json_write_string(w, NULL, paths[i]);
    acp_json_end_array(w);
    acp_json_write_uint(w, "positions", list->count);
    acp_json_write_uint(w, "malformed", list->malformed);
    write_classes(&f, paths, w);
    acp_json_write_uint(w, "indoor_beyond_block", f.beyond_block);
    acp_json_write_uint(w, "moved_block", f.moved_block);
    acp_json_begin_object(w, "rotations");
    acp_json_write_uint(w, "unit", f.rotations[ACP_SPAWN_ROTATION_UNIT]);
    acp_json_write_uint(w, "off_unit", f.rotations[ACP_SPAWN_ROTATION_OFF_UNIT]);
    acp_json_write_uint(w, "zero", f.rotations[ACP_SPAWN_ROTATION_ZERO]);
    acp_json_end_object(w);
    if (has_ground) write_ground(&f, list, w);
    acp_json_end_object(w);
    free(f.sorted);
}
