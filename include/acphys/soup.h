/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_SOUP_H
#define ACPHYS_SOUP_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/result.h"

/** @file soup.h
 * A soup: triangles, spheres and cylspheres in one frame with an index over all of them, for plain rays and plain sphere sweeps. Ours, not
 * the client's: nothing of its tolerances, walkable rules or cells is in it; moves are asked of acphys/transition.h. For hosts and
 * tools: picking, sight, missiles of their own, cameras, checks of levels.
 *
 * The answers are those of plain geometry in binary64, the same on every platform. Within 1e5 m of the origin, more than twice a world's
 * side, the index changes only how fast they come; far beyond, where binary64 has no digits left for the things on the way, a test may find
 * what the index has left out. A soup is one contiguous block without pointers: immutable, free to be copied to any place aligned to 64
 * bytes, shared by any number of threads. */

#ifdef __cplusplus
extern "C" {
#endif

/** What a soup is made of. Everything is copied; nothing is kept. A list may be null when its count is 0. */
typedef struct acp_soup_source {
    const acp_vec3 *vertices;
    const uint32_t *triangles;       /**< three vertex ordinals each, counter-clockwise seen from the front */
    const acp_sphere *spheres;       /**< solid */
    const acp_cylsphere *cylspheres; /**< solid, upright, with flat caps */
    uint32_t vertex_count;
    uint32_t triangle_count; /**< triangles without area are never met */
    uint32_t sphere_count;
    uint32_t cylsphere_count;
} acp_soup_source;

/** What a hit is on. */
typedef enum acp_soup_kind { ACP_SOUP_TRIANGLE = 0, ACP_SOUP_SPHERE = 1, ACP_SOUP_CYLSPHERE = 2 } acp_soup_kind;

/** What a segment or sweep meets first. */
typedef struct acp_soup_hit {
    double fraction;   /**< 0..1 of the way from start to end */
    uint32_t kind;     /**< ACP_SOUP_*; of several at the same fraction the lowest kind, then the lowest ordinal */
    uint32_t ordinal;  /**< in its list of the source */
    int32_t is_front;  /**< triangles: met from the front; others: always 1 */
    acp_vec3 point;    /**< of contact; the start itself when it is inside a solid */
    acp_vec3 normal;   /**< unit, away from what is met: a triangle's own, turned to the side it is met from; of a sweep that meets an edge
                          or corner, and of spheres and cylspheres, from the point to the centre; zero when the start is inside a solid */
    uint32_t reserved; /**< 0 */
} acp_soup_hit;

ACP_STATIC_ASSERT(sizeof(acp_soup_hit) == 48, "acp_soup_hit layout");

/** Opaque; one block of acp_soup_size bytes, aligned to 64. */
typedef struct acp_soup acp_soup;

/** Most triangles, spheres and cylspheres together. */
#define ACP_SOUP_MAX_ITEMS 1048576u

/** Builds a soup. The same source gives the same bytes on every platform. [any thread]
 *  @param allocator  null = the C library's memory; the same one must be given to acp_soup_destroy
 *  @param out_soup  the block, owned by the caller; untouched on failure
 *  Errors: INVALID_ARGUMENT; NOT_FINITE (also: beyond 1e18 m); OUT_OF_RANGE (negative radius or height, vertex ordinal); LIMIT (more than
 *  ACP_SOUP_MAX_ITEMS); OUT_OF_MEMORY. error->record_id is the ordinal concerned. */
ACP_API ACP_MUST_CHECK acp_result acp_soup_create(const acp_soup_source *source, const acp_allocator *allocator, acp_soup **out_soup,
                                                  acp_error *error);

/** Frees a soup made by acp_soup_create; null is fine. [any thread] */
ACP_API void acp_soup_destroy(acp_soup *soup, const acp_allocator *allocator);

/** Bytes of the block. [any thread] */
ACP_API size_t acp_soup_size(const acp_soup *soup);

/** The first thing on the segment from `start` to `end`. Triangles are met by their faces, edges included; one parallel to the segment is
 *  not met. A segment that starts in a solid meets it at 0. *out_found 0 leaves *out_hit untouched. [any thread] Errors: INVALID_ARGUMENT,
 *  NOT_FINITE (also: beyond 1e18 m). */
ACP_API ACP_MUST_CHECK acp_result acp_soup_segment_first_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides,
                                                             acp_soup_hit *out_hit, int32_t *out_found);

/** Is anything on the segment? Stops at the first thing found. [any thread] Errors as above. */
ACP_API ACP_MUST_CHECK acp_result acp_soup_segment_any_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides,
                                                           int32_t *out_found);

/** The first thing met by a sphere that moves from `start` to `end`: faces, edges and corners of triangles (with front faces only, those
 *  whose plane has the centre in front at the start), solids. One that overlaps at the start hits with fraction 0. [any thread]
 *  *out_found 0 leaves *out_hit untouched. Errors: INVALID_ARGUMENT, NOT_FINITE (also: beyond 1e18 m), OUT_OF_RANGE (radius negative). */
ACP_API ACP_MUST_CHECK acp_result acp_soup_sweep_first_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, float radius,
                                                           acp_ray_sides sides, acp_soup_hit *out_hit, int32_t *out_found);

#ifdef __cplusplus
}
#endif

#endif
