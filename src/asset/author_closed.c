/* SPDX-License-Identifier: MIT */
/* Do the physics polygons of a body close, and which way do they face (spec 11 AUT-4, AUT-13, AUT-14)?
 *
 * A body closes when each stretch of edge is passed as often one way as the other. Edges between the same two places cancel first; what is
 * left is divided where ends of other such edges lie on it (T-junctions are allowed) and must cancel then. The volume is the sum of
 * the tetrahedra from the origin to the triangles; it is negative when the faces look inwards.
 *
 * Contract: places are equal when their coordinates are. Limits: more than 4,096 edges that do not cancel at once count as open.
 * Cost: a hash look-up an edge; of the edges left, a look at each end between their own in x. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/author.h"

#define LEFT_LIMIT 4096u

typedef struct edge {
    acp_vec3 from, to; /* from < to */
    int32_t sum;       /* passes from `from` to `to` less passes back */
    uint32_t polygon;
    bool is_used;
} edge;

typedef struct edge_table {
    edge *slots;
    uint32_t mask;
    uint32_t count;
} edge_table;

static bool is_less(acp_vec3 a, acp_vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

static bool is_same(acp_vec3 a, acp_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool table_init(acp_author *a, edge_table *t, uint64_t edges) {
    uint32_t slots = 16;
    while (slots < 2 * edges)
        slots *= 2;
    t->mask = slots - 1;
    t->count = 0;
    t->slots = acp_arena_allocate_zero(a->arena, slots, sizeof *t->slots, 8);
    return t->slots != NULL;
}

static uint32_t hash_of(acp_vec3 from, acp_vec3 to) {
    float values[6] = {from.x + 0.0f, from.y + 0.0f, from.z + 0.0f, to.x + 0.0f, to.y + 0.0f, to.z + 0.0f}; /* -0 is 0 */
    uint32_t words[6], hash = 2166136261u;
    memcpy(words, values, sizeof words);
    for (uint32_t i = 0; i < 6; i++) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static void table_pass(edge_table *t, acp_vec3 from, acp_vec3 to, int32_t times, uint32_t polygon) {
    if (is_same(from, to)) return;
    if (!is_less(from, to)) {
        acp_vec3 swap = from;
        from = to;
        to = swap;
        times = -times;
    }
    uint32_t slot = hash_of(from, to) & t->mask;
    while (t->slots[slot].is_used && !(is_same(t->slots[slot].from, from) && is_same(t->slots[slot].to, to)))
        slot = (slot + 1) & t->mask;
    if (!t->slots[slot].is_used) t->slots[slot] = (edge){from, to, 0, polygon, true}, t->count++;
    t->slots[slot].sum += times;
}

/* Edges that do not cancel, gathered; more than the limit: count is LEFT_LIMIT + 1. */
static uint32_t gather(const edge_table *t, edge *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i <= t->mask; i++) {
        if (!t->slots[i].is_used || t->slots[i].sum == 0) continue;
        if (count == LEFT_LIMIT) return LEFT_LIMIT + 1;
        out[count++] = t->slots[i];
    }
    return count;
}

static int by_x(const void *a, const void *b) {
    const acp_vec3 *p = a, *q = b;
    return is_less(*p, *q) ? -1 : is_less(*q, *p);
}

/* The ends of the edges left, each once, by x. */
static uint32_t sort_places(const edge *edges, uint32_t count, acp_vec3 *places) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[2 * i] = edges[i].from;
        places[2 * i + 1] = edges[i].to;
    }
    if (count) qsort(places, 2 * (size_t)count, sizeof *places, by_x);
    for (uint32_t i = 0; i < 2 * count; i++)
        if (kept == 0 || !is_same(places[kept - 1], places[i])) places[kept++] = places[i];
    return kept;
}

/* Where along the edge (0 to its length) the place lies, or -1 when it is not on its inside. */
static double place_on(const edge *e, acp_vec3 v) {
    double ex = (double)e->to.x - (double)e->from.x, ey = (double)e->to.y - (double)e->from.y, ez = (double)e->to.z - (double)e->from.z;
    double dx = (double)v.x - (double)e->from.x, dy = (double)v.y - (double)e->from.y, dz = (double)v.z - (double)e->from.z;
    double length = sqrt(ex * ex + ey * ey + ez * ez), along = (dx * ex + dy * ey + dz * ez) / length;
    double off = (dx * dx + dy * dy + dz * dz) - along * along;
    return along > 0 && along < length && off <= ACP_AUTHOR_SLIVER * ACP_AUTHOR_SLIVER ? along : -1.0;
}

typedef struct stop {
    double along;
    acp_vec3 place;
} stop;

/* The places on an edge's inside, by their order on it. */
static uint32_t find_stops(const edge *e, const acp_vec3 *places, uint32_t place_count, stop *out) {
    uint32_t low = 0, high = place_count, count = 0;
    while (low < high) { /* the first place that is not left of the edge */
        uint32_t middle = low + (high - low) / 2;
        if ((double)places[middle].x < (double)e->from.x - ACP_AUTHOR_SLIVER)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < place_count && (double)places[low].x <= (double)e->to.x + ACP_AUTHOR_SLIVER; low++) {
        double along = place_on(e, places[low]);
        if (along < 0 || is_same(places[low], e->from) || is_same(places[low], e->to)) continue;
        uint32_t at = count;
        while (at > 0 && out[at - 1].along > along)
            at--;
        memmove(&out[at + 1], &out[at], (count - at) * sizeof *out);
        out[at] = (stop){along, places[low]};
        count++;
    }
    return count;
}

/* Passes an edge in the stretches between the stops. */
static void pass_divided(edge_table *t, const edge *e, const stop *stops, uint32_t stop_count) {
    acp_vec3 from = e->from;
    for (uint32_t i = 0; i < stop_count; i++) {
        table_pass(t, from, stops[i].place, e->sum, e->polygon);
        from = stops[i].place;
    }
    table_pass(t, from, e->to, e->sum, e->polygon);
}

acp_result acp_author_is_closed(acp_author *a, bool *out_is_closed, uint32_t *out_open) {
    edge_table table;
    edge *left = acp_arena_allocate_zero(a->arena, LEFT_LIMIT, sizeof *left, 8);
    stop *stops = acp_arena_allocate_zero(a->arena, 2 * LEFT_LIMIT + 1, sizeof *stops, 8);
    acp_vec3 *places = acp_arena_allocate_zero(a->arena, 2 * LEFT_LIMIT, sizeof *places, 8);
    *out_is_closed = false;
    *out_open = ACP_BSP_NONE;
    if (!left || !stops || !places || !table_init(a, &table, a->mesh->index_count)) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < a->report.physics_polygon_count; i++) {
        uint32_t polygon = a->physics[i], count = acp_author_point_count(a, polygon);
        for (uint32_t k = 0; k < count; k++)
            table_pass(&table, acp_author_vertex(a, polygon, k), acp_author_vertex(a, polygon, (k + 1) % count), 1, polygon);
    }
    uint32_t count = gather(&table, left);
    if (count > 0) *out_open = left[0].polygon;
    if (count > LEFT_LIMIT) return ACP_OK;
    uint32_t place_count = sort_places(left, count, places);
    uint64_t stretches = count;
    for (uint32_t i = 0; i < count; i++)
        stretches += find_stops(&left[i], places, place_count, stops);
    if (!table_init(a, &table, stretches)) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < count; i++)
        pass_divided(&table, &left[i], stops, find_stops(&left[i], places, place_count, stops));
    count = gather(&table, left);
    *out_is_closed = count == 0 && a->report.physics_polygon_count > 0;
    *out_open = count > 0 ? left[0].polygon : ACP_BSP_NONE;
    return ACP_OK;
}

double acp_author_volume(const acp_author *a) {
    double sum = 0;
    for (uint32_t i = 0; i < a->report.physics_polygon_count; i++) {
        acp_author_point area = acp_author_area(a, a->physics[i]);
        acp_vec3 v = acp_author_vertex(a, a->physics[i], 0);
        sum += 2.0 * (area.x * (double)v.x + area.y * (double)v.y + area.z * (double)v.z);
    }
    return sum;
}
