/* SPDX-License-Identifier: MIT */
#ifndef ACP_DEMO_BUILDER_H
#define ACP_DEMO_BUILDER_H

#include "acphys/author.h"
#include "acphys/dat_edit.h"
#include "base/arena.h"
#include "base/array.h"
#include "dat/record.h"
#include "demo/demo.h"
#include "support/json_values.h"

/* The inside of the builder. The first fault is kept (result, error) and everything after it is harmless, so that tables are read
 * straight through and asked about once. Memory of records and places is the arena's. */

#define DEMO_BLOCKS 255u

/* One landblock as it is painted. */
typedef struct demo_block {
    acp_land_block land;
    acp_record_land_block_info info;
    ACP_ARRAY(acp_record_object) objects;
    ACP_ARRAY(acp_record_building) buildings;
    uint32_t cell_count;
} demo_block;

typedef struct demo_builder {
    acp_result result;
    acp_error *error;
    acp_allocator allocator;
    acp_arena arena;
    const char *folder; /* of tables; null: the built-in ones */
    const char *table;  /* being read, for messages */
    acp_json_reader reader;
    acp_json_input in;
    char *text; /* of a table read from a file */
    acp_dat_edit *portal;
    acp_dat_edit *cell;
    float heights[256];
    double hill_base, hill_run;                    /* region.json */
    demo_block *blocks[DEMO_BLOCKS * DEMO_BLOCKS]; /* x * 255 + y */
} demo_builder;

/* ---- builder.c ---- */
bool demo_is_ok(const demo_builder *b);
/* Notes a fault, with the table's name; `what` names the entry. */
void demo_fail(demo_builder *b, acp_result code, const char *what, const char *message);
/* Takes the fault of the JSON input over, if there is one. */
bool demo_check_input(demo_builder *b, const char *what);
/* Zeroed memory of the arena; null after a fault. */
void *demo_allocate(demo_builder *b, size_t count, size_t size);
#define DEMO_NEW_ARRAY(b, type, count) ((type *)demo_allocate((b), (count), sizeof(type)))
char *demo_copy_text(demo_builder *b, const char *text, size_t length);
/* Opens a table; an object of JSON, or null after a fault. Ends the earlier one. */
const acp_json *demo_open_table(demo_builder *b, const char *name);
/* The text of a table that is not JSON. */
const char *demo_read_text(demo_builder *b, const char *name, size_t *out_size);
/* Text of a string member as a C string in the arena; null when absent. */
const char *demo_get_text(demo_builder *b, const acp_json *object, const char *key);
/* Floats of a member: exactly `count`, or none when absent and `is_optional`. True when they were there. */
bool demo_get_numbers(demo_builder *b, const acp_json *object, const char *key, float *out, uint32_t count, bool is_optional);
/* Frame from "at" (default 0), "turn" (degrees, counter-clockwise about z) or "rotate" ([w,x,y,z]). */
acp_frame demo_get_frame(demo_builder *b, const acp_json *object);
/* The block of an id 0xXXYY…, made (flat, not written) when it is new; null after a fault. */
demo_block *demo_get_block(demo_builder *b, uint32_t block_id, bool can_make);
void demo_put_bytes(demo_builder *b, acp_dat_edit *edit, uint32_t id, const uint8_t *bytes, uint32_t size);
/* Encodes a record and stores it. */
void demo_put_record(demo_builder *b, acp_dat_edit *edit, acp_record_kind kind, uint32_t id, void *content);
/* Exact sine and cosine of an angle in degrees; quarter turns give 0 and 1. */
void demo_sine_cosine(double degrees, double *out_sine, double *out_cosine);

/* ---- mesh.c: polygons out of tables ---- */
typedef struct demo_mesh {
    ACP_ARRAY(acp_vec3) vertices;
    ACP_ARRAY(uint32_t) indices;
    ACP_ARRAY(acp_mesh_polygon) polygons;
} demo_mesh;
void demo_mesh_free(demo_builder *b, demo_mesh *mesh);
void demo_mesh_add(demo_builder *b, demo_mesh *mesh, const acp_vec3 *points, uint32_t count, uint32_t flags);
/* The mesh as author.h wants it. */
acp_mesh demo_mesh_view(const demo_mesh *mesh);
/* Appends the shapes of a list (demo/README.md, "Shapes"). */
void demo_mesh_add_shapes(demo_builder *b, demo_mesh *mesh, const acp_json *shapes, uint32_t flags, const char *what);
/* Appends the polygons of an OBJ file. (obj.c) */
void demo_mesh_add_obj(demo_builder *b, demo_mesh *mesh, const char *name, const acp_frame *frame, uint32_t flags);

/* ---- the walls of boxes with openings: walls.c ---- */
typedef struct demo_opening {
    uint32_t axis;         /* 0 x, 1 y, 2 z: of the wall's normal */
    float at;              /* the wall's place on that axis */
    float low[2], high[2]; /* on the two other axes, in ascending order of axis */
} demo_opening;
typedef struct demo_box {
    float low[3], high[3];
} demo_box;
/* Four corners of a rectangle that faces up or down its axis. */
void demo_rectangle(const demo_opening *r, bool is_up, acp_vec3 out[4]);
/* The walls of a box less its openings; inward: seen from inside. */
void demo_add_walls(demo_builder *b, demo_mesh *mesh, const demo_box *box, const demo_opening *openings, uint32_t opening_count,
                    bool is_inward, uint32_t flags);
/* On which wall of the box an opening lies: 0 low, 1 high, -1 none. */
int demo_opening_wall(const demo_box *box, const demo_opening *opening);

/* ---- what the tables hold ---- */
void demo_build_region(demo_builder *b);    /* region.c: region.json */
void demo_build_land(demo_builder *b);      /* land.c: land.json */
void demo_build_models(demo_builder *b);    /* models.c: models.json */
void demo_build_buildings(demo_builder *b); /* rooms.c: buildings.json */
void demo_build_statics(demo_builder *b);   /* land.c: the statics of land.json */
void demo_store_blocks(demo_builder *b);    /* land.c */
/* Static objects of a list into a list of records. */
uint32_t demo_get_statics(demo_builder *b, const acp_json *list, acp_record_object **out_objects);

#endif
