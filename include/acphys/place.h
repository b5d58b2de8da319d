/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_PLACE_H
#define ACPHYS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/export.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file place.h
 * Cell ids, land coordinates, positions (spec 01). A place is the pair {cell id, frame}; the frame's origin is local to the landblock
 * named by the high 16 bits of the id, for EnvCells too. There is no global coordinate system, and nothing here takes residency as an
 * input: what is loaded cannot change an id or a coordinate.
 *
 * Everything is pure and safe on [any thread]; nothing allocates. Errors, with nothing written unless stated: ACP_ERROR_NOT_FINITE for a
 * NaN or an infinity (WM-27a), ACP_ERROR_INVALID_ID for an id that names no cell, ACP_ERROR_OUT_OF_RANGE for a rotation that is not of unit
 * length (WM-27), ACP_ERROR_OUTSIDE_MAP for a point beyond the rim (WM-18), ACP_ERROR_INVALID_ARGUMENT for a null. */

#ifdef __cplusplus
extern "C" {
#endif

/** The only public place (D15): 32 bytes, adopted in one assignment. */
typedef struct acp_position {
    uint32_t cell_id;
    acp_frame frame;
} acp_position;

ACP_STATIC_ASSERT(sizeof(acp_position) == 32, "acp_position layout");

/* ---- cell ids (spec 01 section 2): XXYY CCCC, block x, block y, index ---- */

/** What a cell id names. */
typedef enum acp_cell_kind {
    ACP_CELL_KIND_INVALID = 0,     /**< index 0, the gaps, or a block outside the map */
    ACP_CELL_KIND_LAND = 1,        /**< index 0x0001-0x0040: a 24 m square of a landblock */
    ACP_CELL_KIND_ENV = 2,         /**< index 0x0100-0xFFFD: an EnvCell */
    ACP_CELL_KIND_WHOLE_BLOCK = 3, /**< index 0xFFFF: the landblock itself; accepted wherever an index is checked */
    ACP_CELL_KIND_BLOCK_INFO = 4   /**< index 0xFFFE: a record id, never a place */
} acp_cell_kind;

/** The kind of an id. Blocks 0xFFxx and 0xxxFF are outside the map: invalid. [any thread] */
ACP_API acp_cell_kind acp_cell_id_kind(uint32_t cell_id);

/** The low word is below 0x100, and nothing else: index 0 and the gap count as outdoor and fail later (WM-8). [any thread] */
static inline bool acp_cell_id_is_outdoor(uint32_t cell_id) { return (cell_id & 0xFFFFu) < 0x100u; }

/** The index is in 1..0x40, 0x100..0xFFFD or is 0xFFFF; the block is not looked at (WM-8). [any thread] */
static inline bool acp_cell_id_is_index_in_range(uint32_t cell_id) {
    uint32_t index = cell_id & 0xFFFFu;
    return (index - 1u) < 0x40u || (index >= 0x100u && index <= 0xFFFDu) || index == 0xFFFFu;
}

/** The index is in range and the block is on the map (WM-9). retail: LandDefs::inbound_valid_cellid 0x004979A0 [any thread] */
static inline bool acp_cell_id_is_valid(uint32_t cell_id) {
    return acp_cell_id_is_index_in_range(cell_id) && (cell_id >> 24) < 255u && ((cell_id >> 16) & 0xFFu) < 255u;
}

/* ---- land coordinates (spec 01 section 3): one unit per 24 m cell, 0..2039 over the map ---- */

/** Both are in 0..2039 (WM-10). retail: LandDefs::in_bounds 0x0043D650 [any thread] */
static inline bool acp_lcoord_is_in_bounds(int32_t x, int32_t y) { return x >= 0 && y >= 0 && x < 2040 && y < 2040; }

/** Land coordinate of the south-west cell of the id's block. Writes even when it fails, except for id 0, which writes nothing (WM-11).
 *  retail: LandDefs::blockid_to_lcoord 0x0043D680 [any thread] */
ACP_API bool acp_lcoord_from_block_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y);
/** Land coordinate of a land cell; false with nothing written for every other id (WM-12).
 *  retail: LandDefs::gid_to_lcoord 0x00497A90 [any thread] */
ACP_API bool acp_lcoord_from_cell_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y);
/** The land cell of a land coordinate; 0 out of bounds (WM-13). retail: LandDefs::lcoord_to_gid 0x004A19A0 [any thread] */
ACP_API uint32_t acp_lcoord_to_cell_id(int32_t x, int32_t y);
/** The record id 0xXXYYFFFF of the block that holds a land coordinate; 0 out of bounds (WM-14).
 *  retail: LandDefs::get_block_did 0x00505320 [any thread] */
ACP_API uint32_t acp_lcoord_to_block_record_id(int32_t x, int32_t y);

/** The vector, in metres, to add to a point of `to`'s block to express it in `from`'s block. Only the block bytes count; an id of 0 is
 *  ACP_ERROR_INVALID_ID (WM-19). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_id_block_offset(uint32_t from, uint32_t to, acp_vec3 *out_offset);

/** Map coordinates of a land cell in tenths: north and east are positive, 0xA9B40001 is 421, 333 for "42.1N, 33.3E".
 *  ACP_ERROR_INVALID_ID for anything but a land cell (spec 01 section 3). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_id_map_coordinates(uint32_t cell_id, int32_t *out_north, int32_t *out_east);

/* ---- positions ---- */

/** Whether a position may pass the door: a valid id (acp_cell_id_is_valid) and a valid frame (WM-27, WM-27a). A point need not lie in its
 *  cell. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_check(const acp_position *position);

/** Makes an outdoor position canonical, as every position from outside must be before use: the point moves into [0, 192) of the block it
 *  lies in, the id becomes the land cell under it (WM-16, WM-48). A position in an EnvCell stays as it is. The block of the id may be one
 *  beyond the rim when the point lies inside the map. Doing it again changes nothing, but for a point that came to lie less
 *  than 0.0002 beyond a line of blocks: the second time snaps it onto that line, as in the client. On any error the position is unchanged.
 * [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_canonicalize(acp_position *position);

/** The client's adjust_to_outside on a position, EnvCells included: canonical land cell and point. When the point lies outside the map or
 *  the index is out of range, the client's answer is written - id 0, "nowhere" - and ACP_ERROR_OUTSIDE_MAP or ACP_ERROR_INVALID_ID
 *  returned (WM-16..18). retail: Position::adjust_to_outside 0x00504A40 [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_adjust_to_outside(acp_position *position);

/** The land cell under a position, which does not change (WM-17). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_outside_cell_id(const acp_position *position, uint32_t *out_cell_id);

/** Re-labels a position: the same point under another cell id, its origin expressed in that id's block (WM-49). Id and origin change
 *  together. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_relabel(acp_position *position, uint32_t cell_id);

/** A point of `from`'s axes in `to`'s axes; the positions may lie in different landblocks (WM-39). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_local_to_local(const acp_position *to, const acp_position *from, acp_vec3 point,
                                                              acp_vec3 *out_point);
/** A point of `from`'s axes in the block of `to_cell_id` (WM-40). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_local_to_block(uint32_t to_cell_id, const acp_position *from, acp_vec3 point,
                                                              acp_vec3 *out_point);

/** The way from `a` to `b` in metres along the block axes (WM-42). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_offset(const acp_position *a, const acp_position *b, acp_vec3 *out_offset);
/** The distance of two origins in metres (WM-43). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_distance(const acp_position *a, const acp_position *b, double *out_metres);
/** The distance seen from above, in metres (WM-43). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_xy_distance(const acp_position *a, const acp_position *b, double *out_metres);
/** The heading in degrees in which `b` is seen from `a`; 0 when they are nearer than 0.0002 (WM-44). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_heading_to(const acp_position *a, const acp_position *b, double *out_degrees);
/** The gap, in metres, between two upright cylinders standing on two positions; negative when they overlap (WM-45). Radii and heights must
 *  be 0 or more. retail: Position::cylinder_distance 0x005A94B0 [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_cylinder_distance(float radius1, float height1, const acp_position *position1, float radius2,
                                                                 float height2, const acp_position *position2, double *out_metres);

/** Equal ids and equal frames (acp_frame_is_equal); the same point under two labels is not equal (spec 01 section 13). False for a null or
 *  a NaN. [any thread] */
ACP_API bool acp_position_is_equal(const acp_position *a, const acp_position *b);

/* ---- text ---- */

/** The three ways to write a place. */
typedef enum acp_place_form {
    ACP_PLACE_FORM_CELL = 0, /**< `0xA9B40001 84 7.1 94 1 0 0 0`: id, x y z, then the rotation w x y z, which may be left out */
    ACP_PLACE_FORM_LOC = 1,  /**< `0xA9B40001 [84 7.1 94] 1 0 0 0`: the game's /loc line */
    ACP_PLACE_FORM_MAP = 2   /**< `42.1N, 33.3E`: a land cell; read as the middle of that cell at z = 0 */
} acp_place_form;

/** Bytes that hold any position in any form, with the NUL. */
#define ACP_PLACE_TEXT_CAPACITY 192u

/** Reads a position in any of the three forms; which one goes to `out_form` when that is not null. Blanks around and between the parts are
 *  free, one comma may stand between numbers, and `Your location is:` may precede a /loc line. Numbers are decimal with a point, whatever
 *  the locale, and are rounded once. Only the text is judged: the id need not be valid and the rotation need not be of unit length
 *  (acp_position_check does that). ACP_ERROR_BAD_DATA for a text that is none of the forms, ACP_ERROR_NOT_FINITE for a number beyond
 *  binary32, ACP_ERROR_OUTSIDE_MAP for map coordinates beyond the rim; the error's byte_offset says where, its field what was expected
 *  there. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_parse(const char *text, size_t length, acp_position *out_position, acp_place_form *out_form,
                                                     acp_error *error);

/** Writes a position. Numbers are the shortest that read back to the same bits; the cell form leaves an identity rotation out; the map form
 *  gives the land cell under the position and fails as acp_position_outside_cell_id does. Always terminated when `capacity` > 0; a text
 * that does not fit is ACP_ERROR_LIMIT and leaves an empty string. `out_length` (may be null) does not count the NUL. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_position_format(const acp_position *position, acp_place_form form, char *out_text, size_t capacity,
                                                      size_t *out_length);

#ifdef __cplusplus
}
#endif

#endif
