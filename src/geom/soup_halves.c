/* SPDX-License-Identifier: MIT */
/* The items of a soup cut in two, down to single ones: what its trees are made from (geom/soup_plan.c).
 *
 * A cut is made where the sum over both sides of (surface of the box) x (items) is least, over all places between items sorted by the
 * middles of their boxes, on each axis: the usual estimate of what a walk will cost. The first of several equal ones is
 * taken and equal middles are ordered by item, so the same items give the same halves everywhere. Below CAREFUL_LEVELS levels the middle
 * of the list is taken instead, which bounds the depth to ACP_SOUP_LEVELS.
 *
 * Ours, not retail. Memory: 16 bytes of keys, 8 of areas, 4 of order and 48 of halves an item, freed by the caller. Cost: n log n for each
 * level of a cut. No recursion. */
#include <string.h>

#include "base/memory.h"
#include "geom/soup_format.h"
#include "geom/soup_plan.h"

enum { CAREFUL_LEVELS = 40 };

typedef struct task {
    uint32_t parent; /* whose second half it is; UINT32_MAX for the first halves, which follow their parents, and for all */
    uint32_t first, count;
    uint32_t level;
} task;

static float component(acp_vec3 v, uint32_t axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

/* The middle of a box on an axis, as a number that sorts like it, with the item below it. */
static uint64_t sort_key(const acp_soup_halves *halves, uint32_t item, uint32_t axis) {
    const acp_box *box = &halves->boxes[item];
    float middle = (float)(((double)component(box->min, axis) + (double)component(box->max, axis)) * 0.5) + 0.0f;
    uint32_t bits;
    memcpy(&bits, &middle, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | item;
}

/* Merge sort of keys[0 .. count) with as many of scratch behind them; the result stands in keys. */
static void sort_keys(uint64_t *keys, uint64_t *scratch, uint32_t count) {
    uint64_t *from = keys, *to = scratch;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * width) {
            uint32_t middle = begin + width < count ? begin + width : count;
            uint32_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint32_t a = begin, b = middle;
            for (uint32_t out = begin; out < end; out++)
                to[out] = a < middle && (b >= end || from[a] <= from[b]) ? from[a++] : from[b++];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}

/* Sorts items refs[first .. first + count) on an axis into keys. */
static void sort_part(acp_soup_halves *halves, const task *part, uint32_t axis) {
    for (uint32_t i = 0; i < part->count; i++)
        halves->keys[i] = sort_key(halves, halves->refs[part->first + i], axis);
    sort_keys(halves->keys, halves->keys + halves->item_count, part->count);
}

/* The cheapest place to cut the sorted keys: how many items go to the first side. */
static uint32_t best_cut(acp_soup_halves *halves, uint32_t count, double *out_cost) {
    acp_box box = halves->boxes[(uint32_t)halves->keys[count - 1]];
    for (uint32_t i = count - 1; i > 0; i--) {
        box = acp_soup_join(box, halves->boxes[(uint32_t)halves->keys[i]]);
        halves->areas[i] = acp_soup_half_surface(box) * (double)(count - i);
    }
    uint32_t best = 1;
    *out_cost = -1.0;
    box = halves->boxes[(uint32_t)halves->keys[0]];
    for (uint32_t i = 1; i < count; i++) {
        double cost = acp_soup_half_surface(box) * (double)i + halves->areas[i];
        if (*out_cost < 0.0 || cost < *out_cost) {
            *out_cost = cost;
            best = i;
        }
        box = acp_soup_join(box, halves->boxes[(uint32_t)halves->keys[i]]);
    }
    return best;
}

/* Orders the items of a part for its cut and says where that is. */
static uint32_t cut(acp_soup_halves *halves, const task *part) {
    uint32_t axis = 0, at = part->count / 2;
    double least = -1.0;
    for (uint32_t i = 0; i < 3 && part->level < CAREFUL_LEVELS; i++) {
        double cost;
        sort_part(halves, part, i);
        uint32_t place = best_cut(halves, part->count, &cost);
        if (least < 0.0 || cost < least) {
            least = cost;
            axis = i;
            at = place;
        }
    }
    sort_part(halves, part, axis);
    for (uint32_t i = 0; i < part->count; i++)
        halves->refs[part->first + i] = (uint32_t)halves->keys[i];
    return at;
}

static acp_soup_half half_of(const acp_soup_halves *halves, const task *part) {
    acp_soup_half half = {.first = part->first, .count = part->count};
    half.surface = acp_soup_half_surface(acp_soup_halves_box(halves, part->first, part->count));
    for (uint32_t i = 1; i < part->count; i++)
        if (halves->kinds[halves->refs[part->first + i]] != halves->kinds[halves->refs[part->first]]) half.is_mixed = true;
    return half;
}

static void make_halves(acp_soup_halves *halves) {
    task stack[ACP_SOUP_LEVELS + 1];
    uint32_t top = 0;
    stack[top++] = (task){UINT32_MAX, 0, halves->item_count, 0};
    while (top != 0) {
        task now = stack[--top];
        uint32_t ordinal = halves->half_count++;
        halves->nodes[ordinal] = half_of(halves, &now);
        if (now.parent != UINT32_MAX) halves->nodes[now.parent].second = ordinal;
        if (now.count == 1) continue;
        uint32_t at = cut(halves, &now);
        stack[top++] = (task){ordinal, now.first + at, now.count - at, now.level + 1};
        stack[top++] = (task){UINT32_MAX, now.first, at, now.level + 1};
    }
}

bool acp_soup_halves_create(acp_soup_halves *halves, const acp_box *boxes, const uint8_t *kinds, uint32_t item_count,
                            const acp_allocator *allocator) {
    *halves = (acp_soup_halves){.boxes = boxes, .kinds = kinds, .item_count = item_count};
    halves->allocator = acp_memory_allocator(allocator);
    halves->refs = ACP_MEMORY_NEW_ARRAY(&halves->allocator, uint32_t, item_count);
    halves->nodes = ACP_MEMORY_NEW_ARRAY(&halves->allocator, acp_soup_half, 2 * (size_t)item_count);
    halves->keys = ACP_MEMORY_NEW_ARRAY(&halves->allocator, uint64_t, 2 * (size_t)item_count);
    halves->areas = ACP_MEMORY_NEW_ARRAY(&halves->allocator, double, item_count);
    if (!halves->refs || !halves->nodes || !halves->keys || !halves->areas) {
        acp_soup_halves_destroy(halves);
        return false;
    }
    for (uint32_t i = 0; i < item_count; i++)
        halves->refs[i] = i;
    make_halves(halves);
    return true;
}

void acp_soup_halves_destroy(acp_soup_halves *halves) {
    ACP_MEMORY_DELETE_ARRAY(&halves->allocator, uint32_t, halves->refs, halves->item_count);
    ACP_MEMORY_DELETE_ARRAY(&halves->allocator, acp_soup_half, halves->nodes, 2 * (size_t)halves->item_count);
    ACP_MEMORY_DELETE_ARRAY(&halves->allocator, uint64_t, halves->keys, 2 * (size_t)halves->item_count);
    ACP_MEMORY_DELETE_ARRAY(&halves->allocator, double, halves->areas, halves->item_count);
}
