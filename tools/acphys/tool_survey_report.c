/* SPDX-License-Identifier: MIT */
/* The reporting half of `acphys survey membership`: sums, ranks, text, JSON, CSV and the histogram as a picture.
 *
 * Ranks are nearest ranks over the parts by number of cells, ties by order, so that every rank is a part with a name. Pairs are what this
 * design keeps (one index each way per object and cell); a row per shape and cell is what one gets by registering every part by itself with
 * its object's cells. Contract: sums are made in the order of parts. Cost: one sort of the parts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number_text.h"
#include "support/json_values.h"
#include "support/output_file.h"
#include "tools/acphys/tool_survey.h"
#include "tools/draw/canvas.h"

/* ----------------------------------------------------------------------------------------------------------------------- sums */

static void count_axis(uint64_t *histogram, uint32_t cells) { histogram[cells < ACP_SURVEY_AXIS_LIMIT ? cells : ACP_SURVEY_AXIS_LIMIT]++; }

typedef struct ranked {
    uint32_t cells;
    uint32_t part;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->cells != y->cells) return x->cells < y->cells ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

static acp_survey_rank rank_at(const ranked *list, uint32_t count, uint32_t percent) {
    uint64_t at = ((uint64_t)count * percent + 99u) / 100u; /* nearest rank, from 1 */
    acp_survey_rank r = {0, 0};
    if (!count) return r;
    if (at < 1u) at = 1u;
    r.cells = list[at - 1u].cells;
    r.part = list[at - 1u].part;
    return r;
}

bool acp_survey_sum(const acp_survey *survey, acp_survey_summary *s) {
    memset(s, 0, sizeof *s);
    ranked *list = calloc(survey->part_count + 1u, sizeof *list);
    if (!list) return false;
    s->worst_offset = UINT32_MAX;
    for (uint32_t i = 0; i < survey->part_count; i++) {
        const acp_survey_part *p = &survey->parts[i];
        uint32_t larger = p->cells_x > p->cells_y ? p->cells_x : p->cells_y;
        count_axis(s->axis_x, p->cells_x);
        count_axis(s->axis_y, p->cells_y);
        count_axis(s->larger, larger);
        s->above_1 += larger > 1u;
        s->above_2 += larger > 2u;
        s->above_4 += larger > 4u;
        s->part_cells += p->cells;
        s->missing_parts += p->missed != 0;
        s->missed_cells += p->missed;
        if (p->missed > s->worst_missed.cells) s->worst_missed = (acp_survey_rank){p->missed, i};
        s->sphere_parts += p->has_sphere;
        s->beyond_origin += p->is_beyond_origin_sphere;
        s->far_off += p->has_sphere && (double)p->offset > (double)p->radius * 0.5;
        if (p->has_sphere && (s->worst_offset == UINT32_MAX || p->offset > survey->parts[s->worst_offset].offset)) s->worst_offset = i;
        list[i] = (ranked){p->cells, i};
    }
    for (uint32_t i = 0; i < survey->object_count; i++) {
        s->pairs += survey->objects[i].cells;
        s->shape_rows += (uint64_t)survey->objects[i].cells * survey->objects[i].part_count;
    }
    if (survey->part_count) qsort(list, survey->part_count, sizeof *list, compare_ranked);
    s->p50 = rank_at(list, survey->part_count, 50u);
    s->p90 = rank_at(list, survey->part_count, 90u);
    s->p99 = rank_at(list, survey->part_count, 99u);
    s->max = rank_at(list, survey->part_count, 100u);
    free(list);
    return true;
}

/* Parts with the most missed cells, worst first, ties by order; how many there are. */
static uint32_t find_worst(const acp_survey *survey, ranked *out, uint32_t capacity) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < survey->part_count && capacity; i++) {
        uint32_t missed = survey->parts[i].missed, at = count;
        if (!missed || (count == capacity && missed <= out[count - 1u].cells)) continue;
        if (count < capacity) count++;
        at = count - 1u;
        while (at > 0 && out[at - 1u].cells < missed) {
            out[at] = out[at - 1u];
            at--;
        }
        out[at] = (ranked){missed, i};
    }
    return count;
}

/* ----------------------------------------------------------------------------------------------------------------------- text */

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

static void name_part(const acp_survey *survey, uint32_t part, char *out, size_t capacity) {
    const acp_survey_part *p = &survey->parts[part];
    acp_survey_name(survey, p->object, out, capacity);
    size_t used = strlen(out);
    if (survey->objects[p->object].part_count > 1u) (void)snprintf(out + used, capacity - used, " part %u", (unsigned)p->part);
}

static void print_rank(const acp_survey *survey, const char *title, const acp_survey_rank *rank) {
    char name[96];
    name_part(survey, rank->part, name, sizeof name);
    const acp_survey_part *p = &survey->parts[rank->part];
    (void)printf("  %-4s %6u cells (%u x %u)  %s\n", title, (unsigned)rank->cells, (unsigned)p->cells_x, (unsigned)p->cells_y, name);
}

static void print_histogram(const acp_survey_summary *s) {
    (void)printf("land cells per axis    x axis    y axis    larger\n");
    for (uint32_t i = 0; i <= ACP_SURVEY_AXIS_LIMIT; i++) {
        if (!s->axis_x[i] && !s->axis_y[i]) continue;
        char label[16];
        (void)snprintf(label, sizeof label, i == ACP_SURVEY_AXIS_LIMIT ? "%u+" : "%u", (unsigned)i);
        (void)printf("  %17s %9llu %9llu %9llu\n", label, (unsigned long long)s->axis_x[i], (unsigned long long)s->axis_y[i],
                     (unsigned long long)s->larger[i]);
    }
}

static void print_worst(acp_survey *survey, uint32_t worst_count) {
    ranked worst[64];
    uint32_t count = find_worst(survey, worst, worst_count < 64u ? worst_count : 64u), cells[8], start = 0;
    for (uint32_t i = 0; i < count; i++) {
        char name[96];
        name_part(survey, worst[i].part, name, sizeof name);
        uint32_t missed = acp_survey_missed(survey, worst[i].part, cells, 8u, &start);
        (void)printf("  %-20s in 0x%08X misses %u of %u:", name, (unsigned)start, (unsigned)missed,
                     (unsigned)survey->parts[worst[i].part].cells);
        for (uint32_t k = 0; k < missed && k < 8u; k++)
            (void)printf(" 0x%08X", (unsigned)cells[k]);
        (void)printf("%s\n", missed > 8u ? " ..." : "");
    }
}

void acp_survey_print(acp_survey *survey, const acp_survey_summary *s, uint32_t worst_count) {
    uint64_t parts = survey->part_count;
    (void)printf("membership of %u objects with %u parts, %s\n", (unsigned)survey->object_count, (unsigned)parts, survey->source);
    if (!parts) return;
    print_histogram(s);
    (void)printf("parts larger than      1x1 %llu (%.1f %%)   2x2 %llu (%.1f %%)   4x4 %llu (%.1f %%)\n", (unsigned long long)s->above_1,
                 percent(s->above_1, parts), (unsigned long long)s->above_2, percent(s->above_2, parts), (unsigned long long)s->above_4,
                 percent(s->above_4, parts));
    (void)printf("cells of a part\n");
    print_rank(survey, "p50", &s->p50);
    print_rank(survey, "p90", &s->p90);
    print_rank(survey, "p99", &s->p99);
    print_rank(survey, "max", &s->max);
    (void)printf("rows                   %llu of this design (object and cell); %llu with a row per shape and cell\n",
                 (unsigned long long)s->pairs, (unsigned long long)s->shape_rows);
    (void)printf("sphere rule (3 x 3)    misses %llu of %llu cells (%.1f %%), in %llu parts (%.1f %%)\n",
                 (unsigned long long)s->missed_cells, (unsigned long long)s->part_cells, percent(s->missed_cells, s->part_cells),
                 (unsigned long long)s->missing_parts, percent(s->missing_parts, parts));
    print_worst(survey, worst_count);
    (void)printf("spheres on origins     fail to hold the geometry of %llu of %llu parts (%.1f %%); %llu centres are off by more than half "
                 "the radius\n",
                 (unsigned long long)s->beyond_origin, (unsigned long long)s->sphere_parts, percent(s->beyond_origin, s->sphere_parts),
                 (unsigned long long)s->far_off);
    if (s->worst_offset == UINT32_MAX) return;
    char name[96], offset[ACP_NUMBER_TEXT_CAPACITY], radius[ACP_NUMBER_TEXT_CAPACITY];
    name_part(survey, s->worst_offset, name, sizeof name);
    (void)acp_number_format_f32(survey->parts[s->worst_offset].offset, offset);
    (void)acp_number_format_f32(survey->parts[s->worst_offset].radius, radius);
    (void)printf("  the farthest is %s m off, with a radius of %s m: %s\n", offset, radius, name);
}

/* ----------------------------------------------------------------------------------------------------------------------- JSON */

static void write_part_name(acp_json_writer *w, const acp_survey *survey, uint32_t part) {
    char name[96];
    acp_survey_name(survey, survey->parts[part].object, name, sizeof name);
    acp_json_write_string(w, "object", name);
    acp_json_write_uint(w, "part", survey->parts[part].part);
}

static void write_rank(acp_json_writer *w, const char *key, const acp_survey *survey, const acp_survey_rank *rank) {
    const acp_survey_part *p = &survey->parts[rank->part];
    acp_json_begin_object(w, key);
    acp_json_write_uint(w, "cells", rank->cells);
    acp_json_write_uint(w, "x", p->cells_x);
    acp_json_write_uint(w, "y", p->cells_y);
    write_part_name(w, survey, rank->part);
    acp_json_end_object(w);
}

static void write_worst(acp_json_writer *w, acp_survey *survey, uint32_t worst_count) {
    ranked worst[64];
    uint32_t count = find_worst(survey, worst, worst_count < 64u ? worst_count : 64u), cells[256], start = 0;
    acp_json_begin_array(w, "worst");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t missed = acp_survey_missed(survey, worst[i].part, cells, 256u, &start);
        acp_json_begin_object(w, NULL);
        write_part_name(w, survey, worst[i].part);
        acp_json_write_id(w, "start", start);
        acp_json_write_uint(w, "cells", survey->parts[worst[i].part].cells);
        acp_json_write_uint(w, "missed", missed);
        acp_json_begin_array(w, "missed_cells");
        for (uint32_t k = 0; k < missed && k < 256u; k++)
            acp_json_write_id(w, NULL, cells[k]);
        acp_json_end_array(w);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

static void write_histogram(acp_json_writer *w, const acp_survey_summary *s) {
    acp_json_begin_array(w, "axis");
    for (uint32_t i = 0; i <= ACP_SURVEY_AXIS_LIMIT; i++) {
        if (!s->axis_x[i] && !s->axis_y[i]) continue;
        acp_json_begin_object(w, NULL);
        acp_json_write_uint(w, "cells", i);
        if (i == ACP_SURVEY_AXIS_LIMIT) acp_json_write_flag(w, "or_more", true);
        acp_json_write_uint(w, "x", s->axis_x[i]);
        acp_json_write_uint(w, "y", s->axis_y[i]);
        acp_json_write_uint(w, "larger", s->larger[i]);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
}

void acp_survey_print_json(acp_survey *survey, const acp_survey_summary *s, uint32_t worst_count) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.survey-membership.1");
    acp_json_write_string(&w, "source", survey->source);
    acp_json_write_uint(&w, "objects", survey->object_count);
    acp_json_write_uint(&w, "parts", survey->part_count);
    write_histogram(&w, s);
    acp_json_begin_object(&w, "larger_than");
    acp_json_write_uint(&w, "1x1", s->above_1);
    acp_json_write_uint(&w, "2x2", s->above_2);
    acp_json_write_uint(&w, "4x4", s->above_4);
    acp_json_end_object(&w);
    if (survey->part_count) {
        acp_json_begin_object(&w, "cells");
        write_rank(&w, "p50", survey, &s->p50);
        write_rank(&w, "p90", survey, &s->p90);
        write_rank(&w, "p99", survey, &s->p99);
        write_rank(&w, "max", survey, &s->max);
        acp_json_end_object(&w);
    }
    acp_json_begin_object(&w, "rows");
    acp_json_write_uint(&w, "object_and_cell", s->pairs);
    acp_json_write_uint(&w, "shape_and_cell", s->shape_rows);
    acp_json_end_object(&w);
    acp_json_begin_object(&w, "sphere_rule");
    acp_json_write_uint(&w, "cells", s->part_cells);
    acp_json_write_uint(&w, "missed", s->missed_cells);
    acp_json_write_uint(&w, "parts", s->missing_parts);
    write_worst(&w, survey, worst_count);
    acp_json_end_object(&w);
    acp_json_begin_object(&w, "origin_spheres");
    acp_json_write_uint(&w, "parts", s->sphere_parts);
    acp_json_write_uint(&w, "failing", s->beyond_origin);
    acp_json_write_uint(&w, "off_by_half_radius", s->far_off);
    if (s->worst_offset != UINT32_MAX) {
        acp_json_begin_object(&w, "farthest");
        write_part_name(&w, survey, s->worst_offset);
        acp_json_write_float(&w, "offset", survey->parts[s->worst_offset].offset);
        acp_json_write_float(&w, "radius", survey->parts[s->worst_offset].radius);
        acp_json_end_object(&w);
    }
    acp_json_end_object(&w);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------------------ CSV */

/* A field in quotes when it needs them. */
static void put_field(FILE *stream, const char *text) {
    bool needs = strpbrk(text, ",\"\r\n") != NULL;
    if (needs) (void)fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"') (void)fputc('"', stream);
        (void)fputc(*c, stream);
    }
    if (needs) (void)fputc('"', stream);
}

acp_result acp_survey_write_csv(const acp_survey *survey, const char *path, acp_error *error) {
    acp_output_file file;
    acp_result result = acp_output_file_open(&file, path, error);
    if (result != ACP_OK) return result;
    (void)fprintf(file.stream, "object,part,cells_x,cells_y,cells,missed_by_sphere_rule,sphere_offset,sphere_radius,origin_sphere_fails\n");
    for (uint32_t i = 0; i < survey->part_count; i++) {
        const acp_survey_part *p = &survey->parts[i];
        char name[96], offset[ACP_NUMBER_TEXT_CAPACITY], radius[ACP_NUMBER_TEXT_CAPACITY];
        acp_survey_name(survey, p->object, name, sizeof name);
        (void)acp_number_format_f32(p->offset, offset);
        (void)acp_number_format_f32(p->radius, radius);
        put_field(file.stream, name);
        (void)fprintf(file.stream, ",%u,%u,%u,%u,%u,%s,%s,%d\n", (unsigned)p->part, (unsigned)p->cells_x, (unsigned)p->cells_y,
                      (unsigned)p->cells, (unsigned)p->missed, p->has_sphere ? offset : "", p->has_sphere ? radius : "",
                      p->is_beyond_origin_sphere ? 1 : 0);
    }
    return acp_output_file_commit(&file, error);
}

/* -------------------------------------------------------------------------------------------------------------------- picture */

#define PLOT_WIDTH  100.0
#define PLOT_HEIGHT 62.0

static void draw_bars(acp_canvas *canvas, const acp_survey_summary *s, uint32_t last, double most) {
    double step = PLOT_WIDTH / (double)(last + 1u), width = step * 0.38;
    acp_pen x_pen = {.fill = acp_color_rgb(0x0072b2, 0.9)}, y_pen = {.fill = acp_color_rgb(0xe69f00, 0.9)};
    acp_color dark = acp_color_rgb(0x2b3440, 1.0);
    for (uint32_t i = 0; i <= last; i++) {
        double at = step * ((double)i + 0.5), hx = s->axis_x[i] ? PLOT_HEIGHT * log10(1.0 + (double)s->axis_x[i]) / most : 0.0;
        double hy = s->axis_y[i] ? PLOT_HEIGHT * log10(1.0 + (double)s->axis_y[i]) / most : 0.0;
        if (hx > 0.0) acp_canvas_rectangle(canvas, (acp_rectangle){at - width, 0.0, at, hx}, &x_pen);
        if (hy > 0.0) acp_canvas_rectangle(canvas, (acp_rectangle){at, 0.0, at + width, hy}, &y_pen);
        char text[32];
        (void)snprintf(text, sizeof text, i == ACP_SURVEY_AXIS_LIMIT ? "%u+" : "%u", (unsigned)i);
        if (last <= 40u || i % 4u == 0) acp_canvas_label(canvas, at, -1.0, ACP_ANCHOR_BELOW, 12.0, dark, text);
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)s->larger[i]);
        if (last <= 16u && s->larger[i]) acp_canvas_label(canvas, at, (hx > hy ? hx : hy) + 0.8, ACP_ANCHOR_ABOVE, 11.0, dark, text);
    }
}

acp_result acp_survey_draw(const acp_survey *survey, const acp_survey_summary *s, const char *path, acp_error *error) {
    acp_canvas *canvas = NULL;
    acp_result result = acp_canvas_open(&canvas, path, 1100, 720, error);
    if (result != ACP_OK) return result;
    uint32_t last = 1;
    uint64_t highest = 1;
    for (uint32_t i = 0; i <= ACP_SURVEY_AXIS_LIMIT; i++) {
        if (s->axis_x[i] || s->axis_y[i]) last = i;
        if (s->axis_x[i] > highest) highest = s->axis_x[i];
        if (s->axis_y[i] > highest) highest = s->axis_y[i];
    }
    double most = log10(1.0 + (double)highest) * 1.08;
    acp_canvas_fit(canvas, (acp_rectangle){-6.0, -7.0, PLOT_WIDTH + 1.0, PLOT_HEIGHT + 3.5}, 24.0);
    acp_canvas_background(canvas, acp_color_rgb(0xfbfaf7, 1.0));
    acp_pen line = {.stroke = acp_color_rgb(0x7a8594, 0.4), .width = 0.8}, axis = {.stroke = acp_color_rgb(0x2b3440, 1.0), .width = 1.4};
    acp_color dark = acp_color_rgb(0x2b3440, 1.0);
    char text[160];
    for (uint64_t tick = 1; log10(1.0 + (double)tick) <= most; tick *= 10u) {
        double y = PLOT_HEIGHT * log10(1.0 + (double)tick) / most;
        acp_canvas_line(canvas, 0.0, y, PLOT_WIDTH, y, &line);
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)tick);
        acp_canvas_label(canvas, -0.8, y, ACP_ANCHOR_RIGHT, 12.0, dark, text);
    }
    draw_bars(canvas, s, last, most);
    acp_canvas_line(canvas, 0.0, 0.0, PLOT_WIDTH, 0.0, &axis);
    acp_canvas_line(canvas, 0.0, 0.0, 0.0, PLOT_HEIGHT, &axis);
    acp_canvas_label(canvas, PLOT_WIDTH / 2.0, -4.2, ACP_ANCHOR_BELOW, 13.0, dark,
                     "land cells on an axis; numbers above: parts by their larger axis");
    acp_canvas_label(canvas, 0.0, PLOT_HEIGHT - 1.5, ACP_ANCHOR_LEFT, 13.0, dark, "  parts (logarithmic)");
    (void)snprintf(text, sizeof text, "membership of %u parts, %s: %.1f %% larger than 2x2, %.1f %% than 4x4", (unsigned)survey->part_count,
                   survey->source, percent(s->above_2, survey->part_count), percent(s->above_4, survey->part_count));
    acp_canvas_title(canvas, text);
    acp_canvas_legend(canvas, ACP_MARKER_SQUARE, &(acp_pen){.fill = acp_color_rgb(0x0072b2, 0.9)}, "x axis");
    acp_canvas_legend(canvas, ACP_MARKER_SQUARE, &(acp_pen){.fill = acp_color_rgb(0xe69f00, 0.9)}, "y axis");
    return acp_canvas_close(canvas, error);
}
