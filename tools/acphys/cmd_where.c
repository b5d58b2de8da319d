/* SPDX-License-Identifier: MIT */
/* `acphys where`: what is known of one place.
 *
 * The operands, joined by blanks, are a position in any of the three text forms. Printed: the canonical position in all forms, the kind of
 * cell, block, land coordinate, map coordinate and heading, and with a source of ground the height, normal, slope, water and road under it.
 * A position beyond the rim of the map, or with an id that names no cell, is a negative answer (exit code 1); text that is no position is a
 * wrong usage (2). Spec: 01 §2-4, §11; 08 for the ground. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/number.h"
#include "math/trig.h"
#include "support/json.h"
#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_dat_world.h"
#include "tools/acphys/tool_ground_source.h"
#include "tools/acphys/tool_scene_file.h"
#include "world/world.h"

/* Everything that is printed. */
#define MAX_ROOMS 16u

typedef struct answer {
    acp_position given;
    acp_place_form form;
    acp_position canonical;
    acp_result result; /* of making it canonical */
    acp_cell_kind kind;
    bool has_land; /* a land cell is under it (or is it) */
    uint32_t land_cell_id;
    int32_t lcoord_x, lcoord_y;
    double heading;
    bool has_ground;
    acp_ground ground;
    bool has_rooms; /* rooms were looked for */
    uint32_t rooms[MAX_ROOMS];
    uint32_t room_count;
} answer;

/* EnvCells of the landblock that contain the point (04 MEM-10), in the world of the DAT folder. */
static int find_rooms(answer *a, const acp_command_line *line) {
    const char *folder = acp_dat_dir_name(line);
    acp_json_writer text = {.float_form = ACP_JSON_DECIMAL};
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_scene *scene = NULL;
    if (acp_command_text(line, "terrain") || !acp_dat_world_is_there(folder) || !a->has_ground) return ACP_EXIT_OK;
    int code = acp_dat_world_write(line, folder, &a->canonical, 1, -24.0, NULL, 0, &text);
    const acp_json *definition = code == ACP_EXIT_OK ? acp_json_read(&reader, acp_json_writer_text(&text), text.length, &fault) : NULL;
    if (code == ACP_EXIT_OK) code = acp_scene_file_build(line, definition, NULL, acp_dat_dir_title(folder), &scene);
    const acp_block *block = code == ACP_EXIT_OK ? acp_world_block(scene->world, a->canonical.cell_id) : NULL;
    for (uint32_t i = 0; block && i < block->env_cell_count; i++) {
        const acp_env_cell *room = &block->env_cells[i];
        if (!acp_env_cell_contains_point(room, a->canonical.frame.origin)) continue;
        if (a->room_count < MAX_ROOMS) a->rooms[a->room_count++] = room->cell_id;
    }
    a->has_rooms = block != NULL;
    acp_scene_destroy(scene);
    acp_json_reader_free(&reader);
    acp_json_writer_free(&text);
    return code;
}

static const char *kind_name(acp_cell_kind kind) {
    switch (kind) {
    case ACP_CELL_KIND_LAND:
        return "land cell";
    case ACP_CELL_KIND_ENV:
        return "EnvCell";
    case ACP_CELL_KIND_WHOLE_BLOCK:
        return "whole landblock";
    case ACP_CELL_KIND_BLOCK_INFO:
        return "landblock-info record";
    case ACP_CELL_KIND_INVALID:
        break;
    }
    return "no cell";
}

static double slope_degrees(const acp_ground *ground) {
    double z = (double)ground->plane.normal.z;
    return acp_acos(z > 1.0 ? 1.0 : z) * ACP_DEGREES_PER_RADIAN;
}

static void work_out(answer *a) {
    a->canonical = a->given;
    a->result = acp_position_canonicalize(&a->canonical);
    if (a->result != ACP_OK) return;
    a->kind = acp_cell_id_kind(a->canonical.cell_id);
    a->has_land = acp_position_outside_cell_id(&a->canonical, &a->land_cell_id) == ACP_OK;
    if (a->has_land) (void)acp_lcoord_from_cell_id(a->land_cell_id, &a->lcoord_x, &a->lcoord_y);
    if (acp_frame_heading(&a->canonical.frame, &a->heading) != ACP_OK) a->heading = 0.0;
}

static void print_form(const char *label, const acp_position *position, acp_place_form form) {
    char text[ACP_PLACE_TEXT_CAPACITY];
    if (acp_position_format(position, form, text, sizeof text, NULL) == ACP_OK) (void)printf("%-14s%s\n", label, text);
}

static void print_number(const char *label, double value, const char *unit) {
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_float(&writer, NULL, acp_f32(value + 0.0)); /* -0 is 0 to a reader */
    (void)printf("%-14s%s%s\n", label, acp_command_json_text(&writer), unit);
    acp_json_writer_free(&writer);
}

static void print_ground(const acp_ground *ground, float z) {
    static const char *const water[] = {"none", "partly", "all"};
    print_number("ground", (double)ground->z, " m");
    print_number("above it", (double)z - (double)ground->z, " m");
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_vec3(&writer, NULL, ground->plane.normal);
    (void)printf("%-14s%s\n", "normal", acp_command_json_text(&writer));
    acp_json_writer_free(&writer);
    (void)printf("%-14s%.1f degrees, %s\n", "slope", slope_degrees(ground), ground->is_walkable ? "walkable" : "too steep to stand on");
    (void)printf("%-14scell %s, block %s", "water", water[ground->cell_water % 3u], water[ground->block_water % 3u]);
    if (ground->water_depth > 0.0f) (void)printf(", %.2f m deep", (double)ground->water_depth);
    (void)printf("\n%-14s%u%s, triangle %u\n", "terrain type", ground->terrain_type, ground->road ? " (road)" : "", ground->polygon);
}

static void print_text(const answer *a) {
    print_form("canonical", &a->canonical, ACP_PLACE_FORM_CELL);
    print_form("/loc", &a->canonical, ACP_PLACE_FORM_LOC);
    (void)printf("%-14s%s 0x%04X of landblock 0x%04X\n", "cell", kind_name(a->kind), (unsigned)(a->canonical.cell_id & 0xFFFFu),
                 (unsigned)(a->canonical.cell_id >> 16));
    if (a->has_land) {
        print_form("map", &a->canonical, ACP_PLACE_FORM_MAP);
        (void)printf("%-14s%d, %d%s\n", "lcoord", (int)a->lcoord_x, (int)a->lcoord_y,
                     a->kind == ACP_CELL_KIND_LAND ? "" : " (the land cell under it)");
    }
    print_number("heading", a->heading, " degrees");
    if (a->has_ground) print_ground(&a->ground, a->canonical.frame.origin.z);
    if (!a->has_rooms) return;
    (void)printf("%-14s", "in rooms");
    for (uint32_t i = 0; i < a->room_count; i++)
        (void)printf("%s0x%08X", i ? " " : "", (unsigned)a->rooms[i]);
    (void)printf("%s\n", a->room_count ? "" : "none");
}

static void print_json(const answer *a) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    char text[ACP_PLACE_TEXT_CAPACITY];
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.where.1");
    acp_json_write_position(&w, "given", &a->given);
    acp_json_write_string(&w, "result", acp_result_name(a->result));
    if (a->result == ACP_OK) {
        acp_json_write_position(&w, "canonical", &a->canonical);
        acp_json_write_string(&w, "kind", kind_name(a->kind));
        acp_json_write_float(&w, "heading", acp_f32(a->heading));
        if (acp_position_format(&a->canonical, ACP_PLACE_FORM_LOC, text, sizeof text, NULL) == ACP_OK)
            acp_json_write_string(&w, "loc", text);
        if (a->has_land && acp_position_format(&a->canonical, ACP_PLACE_FORM_MAP, text, sizeof text, NULL) == ACP_OK) {
            acp_json_write_string(&w, "map", text);
            acp_json_write_id(&w, "land_cell", a->land_cell_id);
            acp_json_begin_array(&w, "lcoord");
            acp_json_write_int(&w, NULL, a->lcoord_x);
            acp_json_write_int(&w, NULL, a->lcoord_y);
            acp_json_end_array(&w);
        }
    }
    if (a->has_ground) {
        const acp_ground *g = &a->ground;
        acp_json_begin_object(&w, "ground");
        acp_json_write_float(&w, "z", g->z);
        acp_json_write_float(&w, "above", acp_f32((double)a->canonical.frame.origin.z - (double)g->z));
        acp_json_write_plane(&w, "plane", g->plane);
        acp_json_write_float(&w, "slope_degrees", acp_f32(slope_degrees(g)));
        acp_json_write_flag(&w, "walkable", g->is_walkable != 0);
        acp_json_write_uint(&w, "cell_water", g->cell_water);
        acp_json_write_uint(&w, "block_water", g->block_water);
        acp_json_write_float(&w, "water_depth", g->water_depth);
        acp_json_write_uint(&w, "terrain_type", g->terrain_type);
        acp_json_write_flag(&w, "road", g->road != 0);
        acp_json_write_uint(&w, "triangle", g->polygon);
        acp_json_end_object(&w);
    }
    if (a->has_rooms) {
        acp_json_begin_array(&w, "rooms");
        for (uint32_t r = 0; r < a->room_count; r++)
            acp_json_write_id(&w, NULL, a->rooms[r]);
        acp_json_end_array(&w);
    }
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

/* The operands as one text; false when they are too long for a position. */
static bool join_operands(const acp_command_line *line, char *out, size_t capacity) {
    size_t used = 0;
    for (uint32_t i = 0; i < line->operand_count; i++) {
        int length = snprintf(out + used, capacity - used, "%s%s", i > 0 ? " " : "", line->operands[i]);
        if (length < 0 || (size_t)length >= capacity - used) return false;
        used += (size_t)length;
    }
    return true;
}

static int run_where(acp_command_line *line) {
    char text[512];
    acp_error error;
    answer a;
    acp_ground_source source;
    memset(&a, 0, sizeof a);
    if (!join_operands(line, text, sizeof text)) return acp_command_usage(line, "the position is too long");
    if (acp_position_parse(text, strlen(text), &a.given, &a.form, &error) != ACP_OK)
        return acp_command_usage(line, "%s\n  %s\n  %*s^ %s", "this is no position:", text, (int)error.byte_offset, "", error.message);
    work_out(&a);
    if (a.result == ACP_OK) {
        if (acp_ground_source_open_or_demo(&source, line, &error) != ACP_OK) return acp_command_fail(line, &error);
        acp_result result = ACP_OK;
        if (acp_ground_source_is_open(&source) && a.has_land) {
            result = acp_ground_source_at(&source, &a.canonical, &a.ground, &error);
            a.has_ground = result == ACP_OK;
            if (result == ACP_ERROR_NOT_FOUND && !source.is_default) acp_command_note(line, "the source has no ground there");
            if (result == ACP_ERROR_NOT_FOUND && source.is_default) acp_command_detail(line, "no source of ground named: the place alone");
        } else if (!acp_ground_source_is_open(&source)) {
            acp_command_detail(line, "no source of ground named: the place alone");
        }
        acp_ground_source_close(&source);
        if (result != ACP_OK && result != ACP_ERROR_NOT_FOUND) return acp_command_fail(line, &error);
        int code = find_rooms(&a, line);
        if (code != ACP_EXIT_OK) return code;
    }
    if (acp_command_flag(line, "json"))
        print_json(&a);
    else if (a.result == ACP_OK)
        print_text(&a);
    if (a.result == ACP_ERROR_OUTSIDE_MAP)
        acp_command_error(line, "the position lies outside the map");
    else if (a.result == ACP_ERROR_INVALID_ID)
        acp_command_error(line, "0x%08X names no cell", (unsigned)a.given.cell_id);
    else if (a.result == ACP_ERROR_OUT_OF_RANGE)
        acp_command_error(line, "the rotation is not of unit length");
    return acp_command_finish(line, a.result == ACP_OK ? ACP_EXIT_OK : ACP_EXIT_NEGATIVE);
}

static const acp_option options[] = {
    {.name = "dat-dir",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "take the ground from client_cell_1.dat there, the rooms with client_portal.dat (or ACPHYS_DAT_DIR)"},
    ACP_OPTION_TERRAIN,
    ACP_OPTION_DEMO,
    ACP_OPTION_JSON,
};
const acp_command acp_command_where = {
    .name = "where",
    .summary = "tell what is known of a place",
    .operands = "CELL X Y Z [W X Y Z] | LOC | MAP",
    .operand_min = 1,
    .operand_max = 16,
    .description = "The place is a cell id with coordinates (0xA9B40001 84 7.1 94, the rotation w x y z may follow), the game's /loc line "
                   "(0xA9B40001 [84 7.1 94] 1 0 0 0) or map coordinates (42.1N, 33.3E: the middle of that land cell, at z = 0).\n\n"
                   "An outdoor position is made canonical first: the point moves into the landblock that it lies in and the id becomes the "
                   "land cell under it. With a source of ground, height, normal, slope and water under it are told as well; without one, "
                   "the miniature world is asked where it has that landblock.",
    .examples = "acphys where 0xA9B40001 193 10 5\tthe point lies in the next landblock, 0xAAB4\n"
                "acphys where 42.1N, 33.3E --json\tthe land cell of a map coordinate, as JSON\n"
                "acphys where --dat-dir ~/ac 0xA9B40019 84 7.1 94\twith the ground from the game's files",
    ACP_COMMAND_OPTIONS(options),
    .run = run_where,
};
