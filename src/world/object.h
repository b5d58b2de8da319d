/* SPDX-License-Identifier: MIT */
#ifndef ACP_WORLD_OBJECT_H
#define ACP_WORLD_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/world.h"
#include "asset/setup.h"
#include "place/position.h"

/* Object rows: identity, position, words, predicates, shapes, parents and children. Indices are handle.index1 - 1. Row pointers stay valid
 * until the object is destroyed (rows live in pages that never move). Higher floors keep their own columns. */

#define ACP_OBJECT_NONE UINT32_MAX /* of an object index */

enum { ACP_PART_IS_ALWAYS_2D = 1u };

/* Whose an object is: the host's, or content of the landblock of its position, with which it comes and goes. */
enum { ACP_CONTENT_NONE = 0, ACP_CONTENT_OF_BLOCK = 1, ACP_CONTENT_LEAVING = 2 };

/* One part with its finished position (MEM-22). 96 bytes. */
typedef struct acp_part_row {
    const acp_shape *shape;       /* entry 0 of its mesh list; null = absent part */
    acp_matrix_position position; /* in its landblock */
    acp_vec3 scale;               /* geometry scale: setup default scale * object scale; .z is what the BSP test uses */
    uint32_t flags;               /* ACP_PART_IS_ALWAYS_2D */
} acp_part_row;

/* What few rows have: children's holding frame, admissions, a pose. */
typedef struct acp_object_extra {
    acp_matrix_frame holding; /* frame on the parent's part */
    int32_t part_index;       /* the parent's part; negative or too large: the parent itself */
    uint32_t admitted_by_count;
    uint32_t *admitted_by;        /* restriction object ids */
    const acp_matrix_frame *pose; /* frames of the parts while an animation runs, instead of the placement's; null = none runs */
    uint32_t pose_count;          /* may be 0: then no part moves */
} acp_object_extra;

typedef struct acp_object_row {
    uint32_t object_id; /* the host's; 0 = anonymous */
    uint32_t state;
    uint32_t transient_state;
    uint32_t predicates;
    float scale;
    uint32_t missile_target;
    acp_matrix_position position;
    uint32_t holder_cell_id; /* retail's object.cell: the resident cell that holds it; 0 = none */
    const acp_setup *setup;  /* null: no part array */
    acp_part_row *parts;     /* part_count of them; null when there are none */
    uint32_t part_count;
    uint32_t placement_id; /* chosen placement frame (PHO-4) */
    uint32_t parent;       /* object index or ACP_OBJECT_NONE */
    uint32_t first_child;  /* list in order of attachment */
    uint32_t next_sibling;
    uint32_t next_held; /* ring of the objects held by the same block; ACP_OBJECT_NONE = in none */
    uint32_t previous_held;
    bool has_computed_bsp; /* MEM-30: what the meshes say, whatever the state word says */
    uint8_t content;       /* ACP_CONTENT_*: whose it is */
    bool borrows_parts;    /* the room of the parts is not the row's to give back */
    uint8_t reserved[1];
    uint64_t static_order;   /* MEM-43 key */
    acp_object_extra *extra; /* null for most */
} acp_object_row;

/* acp_object_create with room for the setup's parts that the caller owns and keeps until the object is destroyed; null: the world's. */
acp_result acp_object_create_with_parts(acp_world *world, const acp_object_definition *definition, acp_part_row *parts,
                                        acp_object *out_object, acp_error *error);

/* True when the row is a game object with the given predicate (OCD-29). */
static inline bool acp_object_row_has(const acp_object_row *row, uint32_t predicate) {
    return (row->predicates & (ACP_PREDICATE_GAME_OBJECT | predicate)) == (ACP_PREDICATE_GAME_OBJECT | predicate);
}

/* The row of a live index; no check. */
acp_object_row *acp_world_row(const acp_world *world, uint32_t index);

/* The row behind a handle, or null when stale. out_index may be null. */
acp_object_row *acp_world_row_of(const acp_world *world, acp_object object, uint32_t *out_index);

/* The row at an index when an object lives there, else null: for walking 0 .. acp_world_row_limit - 1. */
acp_object_row *acp_world_live_row(const acp_world *world, uint32_t index);
uint32_t acp_world_row_limit(const acp_world *world);

/* The handle of a live index. */
acp_object acp_world_handle(const acp_world *world, uint32_t index);

/* Object index by the host's id, or ACP_OBJECT_NONE. */
uint32_t acp_world_find_row(const acp_world *world, uint32_t object_id);

/* Whether a mover's row is admitted by the restriction object (OCD-11, OCD-29). */
bool acp_object_row_is_admitted(const acp_object_row *mover, const acp_object_row *restriction);

/* Poses parts from the setup's placement frame (PHO-4; nothing without one) and places children. Particle emitters keep their parts. */
void acp_object_place_parts(acp_world *world, uint32_t index);

/* WM-50: assigns the frame (matrix and all), then parts and children. */
void acp_object_set_frame(acp_world *world, uint32_t index, const acp_matrix_frame *frame);

/* Labels the object and, unless it is a particle emitter, its parts (set_cell_id). */
void acp_object_set_cell_id(acp_world *world, uint32_t index, uint32_t cell_id);

/* §13 of spec 04. Children first, as retail does; shadows are untouched. `cell_id` must be resident for enter. */
void acp_object_enter_cell(acp_world *world, uint32_t index, uint32_t cell_id);
/* The same for objects without a part array too, which retail never lets in: for scenes that say where an object is. */
void acp_object_hold_in_cell(acp_world *world, uint32_t index, uint32_t cell_id);
/* One row without its children. */
void acp_object_hold_one_in_cell(acp_world *world, uint32_t index, uint32_t cell_id);
void acp_object_leave_one_cell(acp_world *world, uint32_t index);
void acp_object_leave_cell(acp_world *world, uint32_t index);
/* Where an object is and what holds it: to be put back when what was begun cannot be done. */
typedef struct acp_object_place {
    acp_matrix_position position;
    uint32_t holder_cell_id;
} acp_object_place;

acp_object_place acp_object_place_of(const acp_world *world, uint32_t index);
void acp_object_place_restore(acp_world *world, uint32_t index, const acp_object_place *place);

/* cell_id 0 = into no cell: ids become 0. */
void acp_object_change_cell(acp_world *world, uint32_t index, uint32_t cell_id);

/* Sets the object scale and the parts' geometry scale (PHO-5); positions change at the next placing. */
void acp_object_set_scale(acp_world *world, uint32_t index, float scale);

/* What a model gives an object: to be exchanged as a whole. */
typedef struct acp_object_model {
    const acp_setup *setup;
    acp_part_row *parts;
    uint32_t part_count;
    uint32_t bsp_bit; /* ACP_STATE_HAS_PHYSICS_BSP or 0: as the object's word has it */
    bool has_computed_bsp;
    bool borrows_parts; /* see acp_object_row */
} acp_object_model;

/* Makes what `setup` would give the object; ACP_ERROR_OUT_OF_MEMORY. */
acp_result acp_object_model_make(acp_world *world, uint32_t index, const acp_setup *setup, acp_object_model *out_model);
/* Exchanges it with what the object has, and poses the parts. */
void acp_object_model_swap(acp_world *world, uint32_t index, acp_object_model *model);
void acp_object_model_free(acp_world *world, acp_object_model *model);

/* Replaces one part's finished position: for scenes and animation. */
void acp_object_set_part_position(acp_world *world, uint32_t index, uint32_t part, const acp_matrix_position *position);

/* POP-9: the object keeps clear of its landblock's border by its radius. retail: CPhysicsObj::obj_within_block 0x00511030 */
bool acp_object_is_within_block(const acp_object_row *row);
/* The same for a model that is no object yet, at a block-local frame. `setup` null: no part array. */
bool acp_model_is_within_block(const acp_setup *setup, bool has_physics_bsp, const acp_matrix_frame *frame);

/* Links child to parent (appended) and, when wanted, places it; cells are the caller's business. ACP_ERROR_INVALID_ARGUMENT when that would
 * close a ring, when the child has a parent, or when the parent has no part array. */
acp_result acp_object_link_child(acp_world *world, uint32_t child, uint32_t parent, int32_t part_index, const acp_matrix_frame *holding,
                                 bool places);
void acp_object_unlink_child(acp_world *world, uint32_t child);

/* Whether `child` is `parent` or something that it hangs on. Walks up from the parent when the child has children. */
bool acp_object_would_close_ring(const acp_world *world, uint32_t child, uint32_t parent);

/* On whom an object hangs, between whom, and where it is: to be put back when what was begun cannot be done. Cells are the caller's
 * business; in between its former parent must not have lost or got other children. */
typedef struct acp_object_bond {
    uint32_t parent;
    uint32_t next_sibling;
    acp_matrix_position position;
    acp_matrix_frame holding;
    int32_t part_index;
} acp_object_bond;

acp_object_bond acp_object_bond_of(const acp_world *world, uint32_t child);
void acp_object_bond_restore(acp_world *world, uint32_t child, const acp_object_bond *bond);

/* Pre-order walk of an object and everything that hangs on it: the next index after `at` below `root`, or ACP_OBJECT_NONE; _beside passes
 * over what hangs on `at`. */
uint32_t acp_object_next_below(const acp_world *world, uint32_t root, uint32_t at);
uint32_t acp_object_next_beside(const acp_world *world, uint32_t root, uint32_t at);

/* Gets or makes the row's rare part; null when memory is refused. */
acp_object_extra *acp_object_extra_of(acp_world *world, uint32_t index);

#endif
