/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_PLAN_H
#define ACP_GEOM_SOUP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/soup.h"
#include "geom/filter.h"

/* How items are to be grouped: the shape of a soup's tree before its block is written. */

enum { ACP_SOUP_PLAN_WIDTH = 8 }; /* children of a node at most */

/* A leaf: items refs[first .. first + count), all of one kind. A node: up to `width` children. */
typedef struct acp_soup_plan_part {
    uint32_t first;
    uint32_t count;
    uint32_t node; /* ordinal of the node, or ACP_SOUP_PLAN_LEAF */
} acp_soup_plan_part;

#define ACP_SOUP_PLAN_LEAF UINT32_MAX

typedef struct acp_soup_plan_node {
    acp_soup_plan_part children[ACP_SOUP_PLAN_WIDTH];
    uint32_t child_count;
} acp_soup_plan_node;

/* A part of the items and its two halves: what all plans are made from. */
typedef struct acp_soup_half {
    uint32_t first; /* items refs[first .. first + count) */
    uint32_t count;
    uint32_t second; /* ordinal of its second half, the first follows at once; 0 for a single item */
    bool is_mixed;   /* of several kinds */
    double surface;  /* half of that of its box */
} acp_soup_half;

/* The items cut in two again and again. */
typedef struct acp_soup_halves {
    const acp_box *boxes; /* of the items */
    const uint8_t *kinds; /* ACP_SOUP_* of the items */
    uint32_t item_count;
    uint32_t half_count;
    uint32_t *refs;       /* items in the order of the cuts */
    acp_soup_half *nodes; /* parents before children; the first is all */
    uint64_t *keys;       /* scratch of the cuts: two times item_count */
    double *areas;        /* scratch of the cuts */
    acp_allocator allocator;
} acp_soup_halves;

typedef struct acp_soup_plan {
    const acp_soup_halves *halves; /* borrowed */
    uint32_t width;                /* children of a node and items of a leaf at most */
    uint32_t node_count;
    uint32_t levels;
    acp_soup_plan_part root;
    acp_soup_plan_node *nodes; /* parents before children */
    acp_allocator allocator;
} acp_soup_plan;

/* A round body as it was given; a sphere is a cylsphere without height. */
static inline acp_cylsphere acp_soup_round_given(const acp_soup_source *source, bool is_sphere, uint32_t ordinal) {
    if (!is_sphere) return source->cylspheres[ordinal];
    acp_cylsphere out = {.low_point = source->spheres[ordinal].center, .radius = source->spheres[ordinal].radius, .height = 0.0f};
    return out;
}

/* The smallest box about both. */
static inline acp_box acp_soup_join(acp_box a, acp_box b) {
    acp_box out = {{acp_filter_min(a.min.x, b.min.x), acp_filter_min(a.min.y, b.min.y), acp_filter_min(a.min.z, b.min.z)},
                   {acp_filter_max(a.max.x, b.max.x), acp_filter_max(a.max.y, b.max.y), acp_filter_max(a.max.z, b.max.z)}};
    return out;
}

/* Half the surface of a box. */
static inline double acp_soup_half_surface(acp_box b) {
    double x = (double)b.max.x - (double)b.min.x, y = (double)b.max.y - (double)b.min.y, z = (double)b.max.z - (double)b.min.z;
    return (x * y + y * z) + z * x;
}

/* The smallest box about items refs[first .. first + count). */
static inline acp_box acp_soup_halves_box(const acp_soup_halves *halves, uint32_t first, uint32_t count) {
    acp_box box = halves->boxes[halves->refs[first]];
    for (uint32_t i = 1; i < count; i++)
        box = acp_soup_join(box, halves->boxes[halves->refs[first + i]]);
    return box;
}

/* The box of a part for a walk: wider by what its rounding may cost (geom/soup_format.h). */
acp_box acp_soup_plan_wide_box(const acp_soup_plan *plan, const acp_soup_plan_part *part);

/* Leaves of triangles and of others. */
void acp_soup_plan_count_groups(const acp_soup_plan *plan, uint32_t *out_triangles, uint32_t *out_rounds);

/* Cuts items in two down to single ones; `boxes` and `kinds` are borrowed. False when memory is refused; nothing is held then.
 * item_count > 0. */
bool acp_soup_halves_create(acp_soup_halves *halves, const acp_box *boxes, const uint8_t *kinds, uint32_t item_count,
                            const acp_allocator *allocator);
void acp_soup_halves_destroy(acp_soup_halves *halves);

/* Plans a tree with `width` (2 to ACP_SOUP_PLAN_WIDTH) children a node and items a leaf at most; `halves` are borrowed. False when memory
 * is refused; nothing is held then. */
bool acp_soup_plan_create(acp_soup_plan *plan, const acp_soup_halves *halves, uint32_t width, const acp_allocator *allocator);
void acp_soup_plan_destroy(acp_soup_plan *plan);

#endif
