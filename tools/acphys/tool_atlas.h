/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_ATLAS_H
#define ACP_TOOLS_TOOL_ATLAS_H

#include "acphys/world.h"
#include "asset/shape.h"
#include "place/position.h"
#include "tools/draw/canvas.h"
#include "world/block.h"
#include "world/object.h"

/* Pictures of a resident world: from above, and cut by an upright plane. Metres count from the south-west corner of a base landblock,
 * x east, y north; z is the landblocks' own height. */

typedef struct acp_atlas_point {
    double x, y, z;
} acp_atlas_point;

/* A name at a place. */
typedef struct acp_atlas_label {
    acp_position position;
    const char *text;
} acp_atlas_label;

typedef struct acp_atlas {
    const acp_world *world;
    uint32_t base_block; /* 0xXXYY0000 */
    acp_rectangle view;  /* from above: what is shown. Cut: x0, y0 to x1, y1 is the line of the cut */
    double low, high;    /* cut: lowest and highest z shown; low >= high: chosen */
    const char *title;
    const uint32_t *colors; /* 0xRRGGBB of the 32 terrain types; null: own ones */
    bool shows_cells;       /* grid and ids of land cells */
    bool shows_rooms;       /* rooms, portals and ids of EnvCells */
    double level;           /* rooms whose floor lies above this are drawn (dungeons have several floors); INFINITY: all */
    const acp_atlas_label *labels;
    uint32_t label_count;
    const acp_position *way; /* a way to draw, cell 0 breaks it; may be null */
    uint32_t way_count;
} acp_atlas;

/* Draws and closes a picture. */
acp_result acp_atlas_draw_above(const acp_atlas *atlas, const char *path, uint32_t width, uint32_t height, acp_error *error);
acp_result acp_atlas_draw_cut(const acp_atlas *atlas, const char *path, uint32_t width, uint32_t height, acp_error *error);

/* ---- what both draw: tool_atlas.c ---- */

acp_atlas_point acp_atlas_in_base(const acp_atlas *atlas, uint32_t cell_id, double x, double y, double z);
acp_atlas_point acp_atlas_place(const acp_atlas *atlas, const acp_matrix_position *position, double scale, acp_vec3 v);

/* Kinds of things with faces. */
typedef enum acp_atlas_kind { ACP_ATLAS_ROOM, ACP_ATLAS_SHELL, ACP_ATLAS_OBJECT } acp_atlas_kind;

typedef struct acp_atlas_visitor {
    void *user;
    /* A polygon of a room, shell or object. */
    void (*polygon)(void *user, acp_atlas_kind kind, const acp_atlas_point *points, uint32_t count);
    /* A round thing: upright cylinder from low, or a ball (height 0) about low. */
    void (*round)(void *user, acp_atlas_point low, double height, double radius, bool is_ball);
    /* An EnvCell. */
    void (*room)(void *user, const acp_env_cell *cell);
    /* A part without physics polygons, of an object that has no other shape: its box. */
    void (*box)(void *user, const acp_part_row *part);
} acp_atlas_visitor;

/* Visits everything in the landblocks that the view touches, each object once, in order of landblock and cell. Null functions are passed
 * over. False when memory is out. */
bool acp_atlas_visit(const acp_atlas *atlas, const acp_atlas_visitor *visitor);

/* The EnvCell's convex region cut by the plane of the line (x0, y0)-(x1, y1), in (way, z); or cut level at z. */
typedef struct acp_atlas_outline {
    acp_canvas_point points[64];
    uint32_t count;
} acp_atlas_outline;
void acp_atlas_room_level(const acp_atlas *atlas, const acp_env_cell *cell, double z, acp_atlas_outline *out);
void acp_atlas_room_upright(const acp_atlas *atlas, const acp_env_cell *cell, acp_atlas_outline *out);
/* Floor and ceiling of a room: lowest and highest z of its faces. */
void acp_atlas_room_heights(const acp_atlas *atlas, const acp_env_cell *cell, double *out_low, double *out_high);

#endif
