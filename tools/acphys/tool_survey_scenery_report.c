/* SPDX-License-Identifier: MIT */
/* The reporting half of `acphys survey scenery`: sums, ranks, text, JSON, CSV and a map of how much grows where.
 *
 * A vertex ends at once (no scene type, no scene, a missing or an empty scene) or gives as many candidates as its scene has descriptions;
 * the first four counts are of vertices, the others of candidates. Ranks are nearest ranks over the landblocks that could be grown.
 * Contract: sums are made in the order of ids. Cost: one sort of the landblocks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/json_values.h"
#include "support/output_file.h"
#include "tools/acphys/tool_survey_scenery.h"
#include "tools/draw/canvas.h"

#define VERTICES       81u
#define TEXT_LOSSES    10u
#define PICTURE_WIDTH  1060u
#define PICTURE_HEIGHT 900u
#define PICTURE_TOP    60.0

/* ----------------------------------------------------------------------------------------------------------------------- sums */

static uint32_t accepted(const acp_scenery_survey_block *block) { return block->counts.ends[ACP_SCENERY_ACCEPTED]; }

static uint64_t candidates(const uint64_t ends[ACP_SCENERY_REASON_COUNT]) {
    uint64_t sum = 0;
    for (uint32_t r = ACP_SCENERY_FREQUENCY; r < ACP_SCENERY_REASON_COUNT; r++)
        sum += ends[r];
    return sum;
}

typedef struct ranked {
    uint32_t objects;
    uint32_t block;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->objects != y->objects) return x->objects > y->objects ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

bool acp_scenery_survey_sum(const acp_scenery_survey *survey, acp_scenery_survey_summary *s) {
    memset(s, 0, sizeof *s);
    ranked *list = calloc(survey->block_count + 1u, sizeof *list);
    s->order = calloc(survey->block_count + 1u, sizeof *s->order);
    if (!list || !s->order) {
        free(list);
        acp_scenery_survey_summary_free(s);
        return false;
    }
    for (uint32_t i = 0; i < survey->block_count; i++) {
        const acp_scenery_survey_block *block = &survey->blocks[i];
        s->refused += block->failure != ACP_OK;
        if (block->failure != ACP_OK) continue;
        list[s->grown++] = (ranked){accepted(block), i};
        s->buildings += block->buildings;
        for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
            s->ends[r] += block->counts.ends[r];
    }
    if (s->grown) qsort(list, s->grown, sizeof *list, compare_ranked);
    for (uint32_t i = 0; i < s->grown; i++)
        s->order[i] = list[i].block;
    free(list);
    return true;
}

void acp_scenery_survey_summary_free(acp_scenery_survey_summary *summary) {
    free(summary->order);
    summary->order = NULL;
}

/* The landblock below which `percent` of all have no more objects; the list goes downwards. */
static const acp_scenery_survey_block *rank_at(const acp_scenery_survey *survey, const acp_scenery_survey_summary *s, uint32_t percent) {
    uint64_t at = ((uint64_t)s->grown * percent + 99u) / 100u; /* nearest rank, from 1 */
    if (at < 1u) at = 1u;
    return &survey->blocks[s->order[s->grown - at]];
}

static const struct {
    const char *name;
    uint32_t percent;
} ranks[] = {{"p50", 50u}, {"p90", 90u}, {"p99", 99u}, {"max", 100u}};

/* ----------------------------------------------------------------------------------------------------------------------- text */

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

static void print_reason(acp_scenery_reason reason, uint64_t count, uint64_t whole) {
    if (count) (void)printf("  %-20s %10" PRIu64 " %6.2f %%\n", acp_scenery_reason_name(reason), count, percent(count, whole));
}

void acp_scenery_survey_print(const acp_scenery_survey *survey, const acp_scenery_survey_summary *s, uint32_t most) {
    const acp_scenery_catalog *c = survey->catalog;
    uint64_t vertices = (uint64_t)s->grown * VERTICES, all = candidates(s->ends);
    (void)printf("scenery of %u landblocks with %" PRIu64 " buildings, %s\n", (unsigned)s->grown, s->buildings, survey->source);
    (void)printf("catalog                %u scenes with %u descriptions, %u models; cannot be had: %u scenes, %u models\n",
                 (unsigned)c->scene_count, (unsigned)c->description_count, (unsigned)c->model_count, (unsigned)c->missing_scenes,
                 (unsigned)c->missing_models);
    if (s->refused) (void)printf("landblocks left out    %u\n", (unsigned)s->refused);
    for (uint32_t i = 0; i < survey->loss_count && i < TEXT_LOSSES; i++)
        (void)printf("  0x%08X           %s\n", (unsigned)survey->losses[i].record_id, survey->losses[i].message);
    if (survey->loss_count > TEXT_LOSSES) (void)printf("  and %u more\n", (unsigned)(survey->loss_count - TEXT_LOSSES));
    if (!s->grown) return;
    (void)printf("vertices               %10" PRIu64 "\n", vertices);
    for (uint32_t r = 0; r < ACP_SCENERY_FREQUENCY; r++)
        print_reason((acp_scenery_reason)r, s->ends[r], vertices);
    (void)printf("candidates             %10" PRIu64 "\n", all);
    for (uint32_t r = ACP_SCENERY_FREQUENCY; r < ACP_SCENERY_REASON_COUNT; r++)
        print_reason((acp_scenery_reason)r, s->ends[r], all);
    (void)printf("objects a landblock    mean %.2f", (double)s->ends[ACP_SCENERY_ACCEPTED] / (double)s->grown);
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
        (void)printf("  %s %u", ranks[i].name, (unsigned)accepted(rank_at(survey, s, ranks[i].percent)));
    (void)printf("\n");
    if (!most) return;
    (void)printf("most\n");
    for (uint32_t i = 0; i < most && i < s->grown; i++) {
        const acp_scenery_survey_block *block = &survey->blocks[s->order[i]];
        (void)printf("  0x%04X               %10u\n", (unsigned)(block->block_id >> 16), (unsigned)accepted(block));
    }
}

/* ----------------------------------------------------------------------------------------------------------------------- JSON */

static void write_block(acp_json_writer *w, const char *key, const acp_scenery_survey_block *block) {
    acp_json_begin_object(w, key);
    acp_json_write_id(w, "block", block->block_id);
    acp_json_write_uint(w, "objects", accepted(block));
    acp_json_end_object(w);
}

void acp_scenery_survey_print_json(const acp_scenery_survey *survey, const acp_scenery_survey_summary *s, uint32_t most) {
    const acp_scenery_catalog *c = survey->catalog;
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.survey-scenery.1");
    acp_json_write_string(&w, "source", survey->source);
    acp_json_write_uint(&w, "landblocks", s->grown);
    acp_json_write_uint(&w, "landblocks_left_out", s->refused);
    acp_json_write_uint(&w, "buildings", s->buildings);
    acp_json_begin_object(&w, "catalog");
    acp_json_write_uint(&w, "scenes", c->scene_count);
    acp_json_write_uint(&w, "descriptions", c->description_count);
    acp_json_write_uint(&w, "models", c->model_count);
    acp_json_write_uint(&w, "missing_scenes", c->missing_scenes);
    acp_json_write_uint(&w, "missing_models", c->missing_models);
    acp_json_end_object(&w);
    acp_json_begin_array(&w, "losses");
    for (uint32_t i = 0; i < survey->loss_count && i < ACP_SCENERY_SURVEY_LOSSES; i++) {
        acp_json_begin_object(&w, NULL);
        acp_json_write_id(&w, "record", survey->losses[i].record_id);
        acp_json_write_string(&w, "message", survey->losses[i].message);
        acp_json_end_object(&w);
    }
    acp_json_end_array(&w);
    acp_json_write_uint(&w, "loss_count", survey->loss_count);
    acp_json_write_uint(&w, "vertices", (uint64_t)s->grown * VERTICES);
    acp_json_write_uint(&w, "candidates", candidates(s->ends));
    acp_json_begin_object(&w, "ends");
    for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
        acp_json_write_uint(&w, acp_scenery_reason_name((acp_scenery_reason)r), s->ends[r]);
    acp_json_end_object(&w);
    if (s->grown) {
        acp_json_begin_object(&w, "objects_a_landblock");
        for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
            write_block(&w, ranks[i].name, rank_at(survey, s, ranks[i].percent));
        acp_json_end_object(&w);
    }
    acp_json_begin_array(&w, "most");
    for (uint32_t i = 0; i < most && i < s->grown; i++)
        write_block(&w, NULL, &survey->blocks[s->order[i]]);
    acp_json_end_array(&w);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------------------ CSV */

acp_result acp_scenery_survey_write_csv(const acp_scenery_survey *survey, const char *path, acp_error *error) {
    acp_output_file file;
    acp_result result = acp_output_file_open(&file, path, error);
    if (result != ACP_OK) return result;
    (void)fprintf(file.stream, "landblock,buildings");
    for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
        (void)fprintf(file.stream, ",%s", acp_scenery_reason_name((acp_scenery_reason)r));
    (void)fprintf(file.stream, "\n");
    for (uint32_t i = 0; i < survey->block_count; i++) {
        const acp_scenery_survey_block *block = &survey->blocks[i];
        if (block->failure != ACP_OK) continue;
        (void)fprintf(file.stream, "0x%08X,%u", (unsigned)block->block_id, (unsigned)block->buildings);
        for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
            (void)fprintf(file.stream, ",%u", (unsigned)block->counts.ends[r]);
        (void)fprintf(file.stream, "\n");
    }
    return acp_output_file_commit(&file, error);
}

/* -------------------------------------------------------------------------------------------------------------------- picture */

static uint32_t pixel(acp_color color) {
    uint32_t red = (uint32_t)(color.red * 255.0 + 0.5), green = (uint32_t)(color.green * 255.0 + 0.5);
    return 0xFF000000u | red << 16 | green << 8 | (uint32_t)(color.blue * 255.0 + 0.5);
}

/* A pixel a landblock, over the rectangle that holds them all. */
static acp_result draw_blocks(acp_canvas *canvas, const acp_scenery_survey *survey, const acp_scenery_survey_area *a, uint32_t highest,
                              acp_error *error) {
    uint32_t width = a->east - a->west + 1u, height = a->north - a->south + 1u;
    uint32_t *pixels = calloc((size_t)width * height, sizeof *pixels);
    if (!pixels) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "no memory for the picture");
    for (size_t i = 0; i < (size_t)width * height; i++)
        pixels[i] = 0xFFE6E9EDu; /* no such landblock */
    for (uint32_t i = 0; i < survey->block_count; i++) {
        const acp_scenery_survey_block *block = &survey->blocks[i];
        if (block->failure != ACP_OK) continue;
        uint32_t x = (block->block_id >> 24) - a->west, row = a->north - ((block->block_id >> 16) & 0xFFu);
        double t = highest ? (double)accepted(block) / (double)highest : 0.0;
        pixels[(size_t)row * width + x] = pixel(acp_color_sequential(1.0 - t));
    }
    acp_rectangle world = {(double)a->west, (double)a->south, (double)a->east + 1.0, (double)a->north + 1.0};
    acp_result result = acp_canvas_image(canvas, world, pixels, width, height, error);
    free(pixels);
    return result;
}

acp_result acp_scenery_survey_draw(const acp_scenery_survey *survey, const acp_scenery_survey_summary *s, const char *path,
                                   acp_error *error) {
    acp_scenery_survey_area a = {255u, 255u, 0, 0};
    for (uint32_t i = 0; i < s->grown; i++) {
        uint32_t x = survey->blocks[s->order[i]].block_id >> 24, y = (survey->blocks[s->order[i]].block_id >> 16) & 0xFFu;
        if (x < a.west) a.west = x;
        if (x > a.east) a.east = x;
        if (y < a.south) a.south = y;
        if (y > a.north) a.north = y;
    }
    if (!s->grown) a = (acp_scenery_survey_area){0, 0, 0, 0};
    acp_canvas *canvas = NULL;
    acp_result result = acp_canvas_open(&canvas, path, PICTURE_WIDTH, PICTURE_HEIGHT, error);
    if (result != ACP_OK) return result;
    uint32_t highest = s->grown ? accepted(&survey->blocks[s->order[0]]) : 0;
    acp_canvas_background(canvas, acp_color_rgb(0xffffff, 1.0));
    acp_canvas_fit(canvas, (acp_rectangle){(double)a.west, (double)a.south, (double)a.east + 1.0, (double)a.north + 1.0}, PICTURE_TOP);
    result = draw_blocks(canvas, survey, &a, highest, error);
    if (result != ACP_OK) {
        acp_canvas_discard(canvas);
        return result;
    }
    char text[160];
    (void)snprintf(text, sizeof text, "scenery of %u landblocks 0x%02X%02X to 0x%02X%02X: %" PRIu64 " objects", (unsigned)s->grown,
                   (unsigned)a.west, (unsigned)a.south, (unsigned)a.east, (unsigned)a.north, s->ends[ACP_SCENERY_ACCEPTED]);
    acp_canvas_title(canvas, text);
    for (uint32_t i = 0; i <= 4u && highest; i++) {
        (void)snprintf(text, sizeof text, "%u", (unsigned)(highest * i / 4u));
        acp_canvas_legend(canvas, ACP_MARKER_SQUARE, &(acp_pen){.fill = acp_color_sequential(1.0 - (double)i / 4.0)}, text);
    }
    return acp_canvas_close(canvas, error);
}
