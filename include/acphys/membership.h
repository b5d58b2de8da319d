/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_MEMBERSHIP_H
#define ACPHYS_MEMBERSHIP_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/place.h"
#include "acphys/result.h"
#include "acphys/trace.h"
#include "acphys/world.h"

/** @file membership.h
 * Which cells an object touches, and why (spec 04). A set is computed once per change of the object and recorded as one row per object and
 * an index list each way; queries only read. A registered set may be larger than the geometry, it never misses a cell the client would
 * register. Objects whose flood met something that is not resident are flooded again when it becomes resident (MEM-42), and objects that
 * have a row in a block are flooded again when it retires. */

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------------------- publish, retire */

/** Makes a prepared landblock resident and floods again every object that depended on it. The world owns the block from then on; on an
 *  error the block is still the caller's and nothing has changed. ACP_ERROR_DUPLICATE: the id is resident. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_publish(acp_world *world, acp_block *block, acp_error *error);

/** Takes a landblock out: its rows go, objects whose own cell was in it leave (they keep position and id), every other object that had a
 *  row in it is flooded again. *out_block (may be null: then it is destroyed) is the caller's. ACP_ERROR_NOT_FOUND. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_retire(acp_world *world, uint32_t cell_id, acp_block **out_block, acp_error *error);

/* --------------------------------------------------------------------------------------------------------------------- register */

/** Enters the cell of the object's position and registers it: by the static column of MEM-31 when the state word has STATIC, else by the
 *  dynamic one. An outdoor position is canonicalised first. A cell that is not resident is no error: the object is registered when it
 *  appears. ACP_ERROR_OUTSIDE_MAP: beyond the rim. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_register(acp_world *world, acp_object object, acp_error *error);

/** Leaves its cell and every list, children included. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_withdraw(acp_world *world, acp_object object, acp_error *error);

/** Moves an object to a position without a transition (placing, editing): cell, frame, parts, children, lists. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_move(acp_world *world, acp_object object, const acp_position *position, acp_error *error);

/** Floods again after a change of scale, state or parts. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_refresh(acp_world *world, acp_object object, acp_error *error);

/** Hangs `child` on `parent` at `holding` of part `part_index` (negative or too large: the parent itself): it leaves its cells, is placed,
 *  enters the parent's cell and is registered as the parent is (PHO-27). ACP_ERROR_INVALID_ARGUMENT: that would close a ring, or the parent
 *  has no part array. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_attach(acp_world *world, acp_object child, acp_object parent, int32_t part_index,
                                                        const acp_frame *holding, acp_error *error);

/** Takes `child` off its parent; it keeps place, cell and rows until someone moves it. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_detach(acp_world *world, acp_object child, acp_error *error);

/** Creates and registers `count` objects. Those before the first failure stay; *out_created says how many. `out_objects` may be null.
 *  [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_create_all(acp_world *world, const acp_object_definition *definitions, uint32_t count,
                                                            acp_object *out_objects, uint32_t *out_created, acp_error *error);

/* ------------------------------------------------------------------------------------------------------------------------ lookups */

/** A registered cell of an object. */
typedef struct acp_cell_row {
    uint32_t cell_id;
    uint32_t is_resident; /**< 0: known by id, not resident */
} acp_cell_row;

/** The cells of an object in the order of its flood. Writes at most `capacity`, always says how many. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_object_cells(const acp_world *world, acp_object object, acp_cell_row *out_rows,
                                                              uint32_t capacity, uint32_t *out_count);

/** The objects of a cell in list order. ACP_ERROR_NOT_FOUND: not resident. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_cell_objects(const acp_world *world, uint32_t cell_id, acp_object *out_objects,
                                                              uint32_t capacity, uint32_t *out_count);

/** The resident cell that contains a position: the position's own cell when it does, another EnvCell it can see or reach, else the land
 *  cell; *out_cell_id 0 = none. Errors: NOT_FINITE, INVALID_ID. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_cell_at(const acp_world *world, const acp_position *position, uint32_t *out_cell_id,
                                                         acp_error *error);

/** An object found around a place. */
typedef struct acp_near_object {
    acp_object object;
    double distance; /**< cylinder distance, metres (WM-45); negative when they overlap */
} acp_near_object;

/** Objects whose cylinder (setup radius and height, scaled) is within `radius` of the place, nearest first, ties by handle. Considers
 *  objects registered in the resident cells within reach. Writes at most `capacity`, always says how many. Errors: NOT_FINITE, INVALID_ID,
 *  OUT_OF_RANGE (radius negative or above 1,000 m), OUT_OF_MEMORY. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_objects_near(const acp_world *world, const acp_position *position, float radius,
                                                              acp_near_object *out_objects, uint32_t capacity, uint32_t *out_count,
                                                              acp_error *error);

/** Counters of the registry. */
typedef struct acp_membership_counters {
    uint64_t pair_count;     /**< (object, resident cell) pairs */
    uint64_t null_row_count; /**< rows known by id only */
    uint64_t pair_bytes;     /**< capacity of the index lists both ways */
    uint64_t row_bytes;      /**< membership rows */
    uint64_t head_bytes;     /**< list heads of cells */
    uint64_t dependency_bytes;
    uint32_t object_count; /**< objects with a row */
    uint32_t dependency_count;
    uint64_t flood_count;   /**< floods since creation */
    uint64_t reflood_count; /**< of these, by MEM-42 */
} acp_membership_counters;

/** [with read access] */
ACP_API acp_membership_counters acp_membership_get_counters(const acp_world *world);

/** The consistency walker: both sides of every list, order, positions, dependencies. ACP_OK, or ACP_ERROR_INTERNAL with what is wrong.
 *  [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_check(const acp_world *world, acp_error *error);

/* ------------------------------------------------------------------------------------------------------------------------ explain */

/** Trace records of this floor. */
enum {
    ACP_TRACE_MEMBERSHIP_ARM = 0x00090001,       /**< acp_trace_arm */
    ACP_TRACE_MEMBERSHIP_PART_BOX = 0x00090002,  /**< acp_trace_part_box */
    ACP_TRACE_MEMBERSHIP_RECTANGLE = 0x00090003, /**< acp_trace_rectangle */
    ACP_TRACE_MEMBERSHIP_SPHERE = 0x00090004,    /**< acp_trace_sphere_cell */
    ACP_TRACE_MEMBERSHIP_PORTAL = 0x00090005,    /**< acp_trace_portal */
    ACP_TRACE_MEMBERSHIP_CELL_TEST = 0x00090006, /**< acp_trace_cell_test */
    ACP_TRACE_MEMBERSHIP_ADDED = 0x00090007,     /**< acp_trace_added */
    ACP_TRACE_MEMBERSHIP_PRUNED = 0x00090008,    /**< acp_trace_added, cell_id only */
    ACP_TRACE_MEMBERSHIP_PICK = 0x00090009,      /**< acp_trace_pick */
    ACP_TRACE_MEMBERSHIP_LOOKUP = 0x0009000A     /**< acp_trace_lookup */
};

/** Arms of MEM-31. */
enum { ACP_ARM_NONE = 0, ACP_ARM_BOXES = 1, ACP_ARM_CYLSPHERES = 2, ACP_ARM_SORTING_SPHERE = 3 };

/** Which flood, and why. */
typedef struct acp_trace_arm {
    uint32_t arm; /**< ACP_ARM_* */
    uint32_t is_static;
    uint32_t state;
    uint32_t start_cell_id;
    uint32_t is_start_resident;
    uint32_t part_count;
    uint32_t cylsphere_count; /**< those that count: at most 10 */
    uint32_t reserved;
} acp_trace_arm;

/** A part's box before and after the refit. */
typedef struct acp_trace_part_box {
    uint32_t part;
    uint32_t cell_id; /**< frame of `after`: an EnvCell's own frame, or the landblock of a land cell */
    uint32_t is_always_2d;
    float sphere_radius; /**< of a billboard */
    acp_box before;
    acp_box after;
} acp_trace_part_box;

/** The rectangle of MEM-16, in land coordinates, before the clip at the rim. */
typedef struct acp_trace_rectangle {
    uint32_t base_cell_id; /**< of the first part; 0 = beyond the rim */
    uint32_t base_part;
    uint32_t is_base_resident;
    int32_t min_x;
    int32_t min_y;
    int32_t max_x;
    int32_t max_y;
    uint32_t reserved;
} acp_trace_rectangle;

/** One sphere on land (MEM-13, 14). */
typedef struct acp_trace_sphere_cell {
    uint32_t sphere;
    uint32_t cell_id; /**< its own land cell; 0 = beyond the rim */
    float x;          /**< inside the 24 m cell */
    float y;
    float low;  /**< a neighbour is added below this … */
    float high; /**< … and above this */
} acp_trace_sphere_cell;

/** Kinds of portal tests. */
enum {
    ACP_PORTAL_TEST_LEAVE_SPHERE = 0, /**< MEM-26 */
    ACP_PORTAL_TEST_LEAVE_PART = 1,   /**< MEM-27 */
    ACP_PORTAL_TEST_ENTER_SPHERE = 2, /**< MEM-25 */
    ACP_PORTAL_TEST_ENTER_PART = 3    /**< MEM-25P */
};

/** Verdicts of portal tests. */
enum {
    ACP_PORTAL_ADMITTED = 0,      /**< the neighbour, or the outdoors, was added */
    ACP_PORTAL_SPHERE_SIDE = 1,   /**< the sphere lies wholly on the skipping side */
    ACP_PORTAL_BOX_SIDE = 2,      /**< the box lies wholly on the skipping side */
    ACP_PORTAL_CELL_TREE = 3,     /**< passed the plane, but does not touch the neighbour's containment tree */
    ACP_PORTAL_NOT_STRADDLED = 4, /**< exterior portal, sphere form: the plane is not straddled */
    ACP_PORTAL_HINT = 5,          /**< neighbour not resident: recorded by id */
    ACP_PORTAL_NO_SPHERE = 6,     /**< part absent or without sphere: skipped */
    ACP_PORTAL_DISABLED = 7       /**< building portal with a negative index */
};

/** One portal test. */
typedef struct acp_trace_portal {
    uint32_t kind;    /**< ACP_PORTAL_TEST_* */
    uint32_t verdict; /**< ACP_PORTAL_* */
    uint32_t cell_id; /**< whose portal */
    uint32_t other_cell_id;
    int32_t portal;    /**< index in that cell */
    uint32_t subject;  /**< sphere or part number */
    uint32_t side;     /**< portal side: the interior */
    uint32_t box_side; /**< Sidedness of the box, parts only; 4 = not reached */
    double distance;   /**< centre to portal plane, metres */
    double threshold;  /**< what it was compared with: radius + epsilon */
} acp_trace_portal;

/** A containment test of a neighbour, after or instead of a portal test. */
typedef struct acp_trace_cell_test {
    uint32_t cell_id;
    uint32_t is_box; /**< 1: box of `subject`, 0: sphere */
    uint32_t subject;
    uint32_t is_touched;
    uint32_t plane;   /**< the first containment plane that kept it out; UINT32_MAX = none */
    float radius;     /**< of the sphere */
    acp_vec3 center;  /**< of the sphere, cell-local */
    acp_box box;      /**< cell-local */
    double distance;  /**< to that plane: of the centre, or of the box's farthest-in corner */
    double threshold; /**< it had to be above this */
} acp_trace_cell_test;

/** A cell entered the array. */
typedef struct acp_trace_added {
    uint32_t cell_id;
    uint32_t is_resident;
    uint32_t index;
    uint32_t reserved;
} acp_trace_added;

/** One candidate of the current-cell pick. */
typedef struct acp_trace_pick {
    uint32_t cell_id;
    uint32_t is_inside;
    acp_vec3 point; /**< in the cell's landblock */
    uint32_t reserved;
} acp_trace_pick;

/** A lookup that found nothing: ACP_CELL_* says which nothing. */
typedef struct acp_trace_lookup {
    uint32_t cell_id;
    uint32_t status;
} acp_trace_lookup;

/** Floods an object as registration would (`is_static`: 1, 0, or -1 = by its state word) and tells everything to `sink`. Changes nothing.
 *  Writes at most `capacity` rows, always says how many. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_explain(const acp_world *world, acp_object object, int32_t is_static,
                                                         const acp_trace_sink *sink, acp_cell_row *out_rows, uint32_t capacity,
                                                         uint32_t *out_count, acp_error *error);

/* -------------------------------------------------------------------------------------------------------------------------- reach */

/** What became of a candidate (L4). */
enum {
    ACP_REACH_TESTED = 0,
    ACP_REACH_EXEMPT_SELF = 1,       /**< the mover itself */
    ACP_REACH_EXEMPT_PARENTED = 2,   /**< has a parent (OCD-14) */
    ACP_REACH_EXEMPT_ETHEREAL = 3,   /**< ETHEREAL and IGNORE_COLLISIONS (OCD-20 A) */
    ACP_REACH_EXEMPT_NO_SHAPE = 4,   /**< nothing to hit */
    ACP_REACH_REJECTED_SPHERE = 5,   /**< by the bounding sphere of every part that counts */
    ACP_REACH_REJECTED_CYLINDER = 6, /**< by its cylspheres' balls */
    ACP_REACH_REJECTED_SPHERES = 7   /**< by its spheres */
};

/** A verdict with its numbers. */
typedef struct acp_reach_verdict {
    uint32_t verdict; /**< ACP_REACH_* */
    uint32_t nearest; /**< part, cylsphere or sphere that came nearest */
    double distance;  /**< mover centre to the bound's own centre, metres */
    double reach;     /**< bound radius + mover radius: rejected when distance is above */
} acp_reach_verdict;

/** A candidate of a query. */
typedef struct acp_candidate {
    acp_object object;
    acp_reach_verdict verdict;
} acp_candidate;

/** The candidates of a mover: everything shadowed into the cells that a ball touches, each once, in list order of the cells, with its
 *  verdict. `mover` may be null. The ball is in the landblock of position->cell_id. Writes at most `capacity`, always says how many.
 *  [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_membership_candidates(const acp_world *world, const acp_position *position, float radius,
                                                            const acp_object *mover, acp_candidate *out_candidates, uint32_t capacity,
                                                            uint32_t *out_count, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
