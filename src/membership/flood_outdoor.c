/* SPDX-License-Identifier: MIT */
/* Land cells of a flood: from spheres (spec 04 §4) and from parts (§5).
 *
 * Spheres reach the eight neighbours of their own cell at most, by strict comparisons inside the cell, in a fixed order (MEM-14, 15). Parts
 * give one filled rectangle over all of them, based on the first part that is there, crossing landblocks and clipped at the rim (MEM-16,
 * 17); billboards use their sphere's radius around the part origin in the part's own block (MEM-18, a quirk with a correction). Either
 * routine runs once per flood: the latch is taken before anything can fail (MEM-5). z plays no part anywhere.
 *
 * The refit of MEM-23 takes minimum and maximum over eight corners of f32(B + f32(((m3*y + m0*x) + m6*z) + o)). Every step of that sum is
 * monotonic in each product (rounding is), so the extremes are the sums of the extreme products: the same bits for a quarter of the work.
 * The rectangle is written run by run, a landblock column at a time; only cells that were in the array before can be duplicates of it.
 *
 * Limits: any finite box; beyond +-2.4e10 m a coordinate stays at that distance where the client keeps the low 32 bits. Cost: about 10 ns
 * a part and 1 ns a cell.
 *
 * retail: CLandCell::add_all_outside_cells 0x00533630
 * retail: CLandCell::add_all_outside_cells 0x00533360
 * retail: CLandCell::add_outside_cell 0x00532EC0
 * retail: CLandCell::check_add_cell_boundary 0x00533260
 * retail: CLandCell::add_cell_block 0x005331D0
 */
#include "membership/flood_parts.h"
#include "place/cell_id.h"

/* ------------------------------------------------------------------------------------------------------------------- spheres */

/* MEM-12. */
static void add_outside_cell(acp_flood *flood, int32_t x, int32_t y) {
    if (!acp_lcoord_is_in_bounds(x, y)) return;
    uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    uint32_t id = ((ux >> 3) << 24 | (uy >> 3) << 16) | (8u * (ux & 7u) + (uy & 7u) + 1u); /* WM-13 */
    const acp_block *block = acp_world_block(flood->world, id);
    bool is_resident = block && block->terrain;
    if (!is_resident) acp_flood_note_absent(flood, id);
    acp_flood_add(flood, id, is_resident);
}

/* MEM-14, this exact order. */
static void check_add_cell_boundary(acp_flood *flood, float px, float py, int32_t x, int32_t y, float high, float low) {
    if (px > high) {
        add_outside_cell(flood, x + 1, y);
        if (py > high) add_outside_cell(flood, x + 1, y + 1);
        if (py < low) add_outside_cell(flood, x + 1, y - 1);
    }
    if (px < low) {
        add_outside_cell(flood, x - 1, y);
        if (py > high) add_outside_cell(flood, x - 1, y + 1);
        if (py < low) add_outside_cell(flood, x - 1, y - 1);
    }
    if (py > high) add_outside_cell(flood, x, y + 1);
    if (py < low) add_outside_cell(flood, x, y - 1);
}

/* Where a centre is. */
typedef struct land_place {
    uint32_t id; /* land cell; 0 beyond the map */
    int32_t x, y;
    float px, py; /* in the cell */
} land_place;

static float place_in_cell(float v) { return acp_f32((double)v - ACP_CELL_LENGTH * (double)acp_flood_cells((double)v)); }

/* False: beyond the map; the centre is in the landblock it lies in afterwards. */
static inline bool find_place(uint32_t cell_id, acp_vec3 *center, land_place *out) {
    out->id = cell_id;
    if (acp_flood_is_well_inside(cell_id, center)) {
        uint32_t cx = (uint32_t)((double)center->x / ACP_CELL_LENGTH), cy = (uint32_t)((double)center->y / ACP_CELL_LENGTH);
        out->id = (cell_id & 0xFFFF0000u) | (8u * cx + cy + 1u);
        out->x = (int32_t)(8u * (cell_id >> 24) + cx);
        out->y = (int32_t)(8u * ((cell_id >> 16) & 0xFFu) + cy);
        out->px = acp_f32((double)center->x - ACP_CELL_LENGTH * (double)cx); /* place_in_cell */
        out->py = acp_f32((double)center->y - ACP_CELL_LENGTH * (double)cy);
        return true;
    }
    if (!acp_flood_land_cell(&out->id, center, &out->x, &out->y)) return false;
    out->px = place_in_cell(center->x);
    out->py = place_in_cell(center->y);
    return true;
}

/* The first sphere's cells into an empty array, wholly within a resident landblock and unexplained: no two of them are the same, so none
 * is looked for. The order is check_add_cell_boundary's. */
static void add_first_cells(acp_cell_array *array, const land_place *at, float high, float low) {
    acp_cell_entry *to = array->items;
    const bool is_east = at->px > high, is_west = at->px<low, is_north = at->py> high, is_south = at->py < low;
    const uint32_t id = at->id;
    *to++ = (acp_cell_entry){id, 1};
    if (is_east) {
        *to++ = (acp_cell_entry){id + 8u, 1};
        if (is_north) *to++ = (acp_cell_entry){id + 9u, 1};
        if (is_south) *to++ = (acp_cell_entry){id + 7u, 1};
    }
    if (is_west) {
        *to++ = (acp_cell_entry){id - 8u, 1};
        if (is_north) *to++ = (acp_cell_entry){id - 7u, 1};
        if (is_south) *to++ = (acp_cell_entry){id - 9u, 1};
    }
    if (is_north) *to++ = (acp_cell_entry){id + 1u, 1};
    if (is_south) *to++ = (acp_cell_entry){id - 1u, 1};
    array->count = (uint32_t)(to - array->items);
}

/* Whether add_first_cells may do it. */
static inline bool is_first_and_inland(const acp_flood *flood, const land_place *at) {
    uint32_t cx = (uint32_t)at->x & 7u, cy = (uint32_t)at->y & 7u;
    const acp_cell_array *array = flood->array;
    if (array->count || array->capacity < 9u || flood->trace || cx - 1u > 5u || cy - 1u > 5u) return false;
    const acp_block *block = acp_world_block(flood->world, at->id);
    return block && block->terrain;
}

static void trace_sphere(const acp_flood *flood, uint32_t sphere, uint32_t cell_id, float x, float y, float low, float high) {
    acp_trace_sphere_cell record = {sphere, cell_id, x, y, low, high};
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_SPHERE, &record, (uint32_t)sizeof record);
}

void acp_add_all_outside_spheres(acp_flood *flood, uint32_t cell_id, acp_vec3 origin, uint32_t sphere_count, const acp_sphere *spheres) {
    acp_cell_array *array = flood->array;
    if (array->added_outside) return;
    array->added_outside = true; /* MEM-5: before anything can fail */
    if (!sphere_count) {
        int32_t x, y;
        uint32_t id = cell_id;
        if (acp_flood_land_cell(&id, &origin, &x, &y)) add_outside_cell(flood, x, y);
        return;
    }
    for (uint32_t i = 0; i < sphere_count; i++) {
        land_place at;
        acp_vec3 c = spheres[i].center;
        if (!find_place(cell_id, &c, &at)) {
            if (acp_flood_is_traced(flood)) trace_sphere(flood, i, 0, c.x, c.y, 0.0f, 0.0f);
            break; /* MEM-13: later spheres are not tried */
        }
        float low = spheres[i].radius, high = acp_f32(ACP_CELL_LENGTH - (double)low);
        if (acp_flood_is_traced(flood)) trace_sphere(flood, i, at.id, at.px, at.py, low, high);
        if (is_first_and_inland(flood, &at)) {
            add_first_cells(array, &at, high, low);
            continue;
        }
        add_outside_cell(flood, at.x, at.y);
        check_add_cell_boundary(flood, at.px, at.py, at.x, at.y, high, low);
    }
}

/* --------------------------------------------------------------------------------------------------------------------- parts */

typedef struct rectangle {
    int64_t min_x, min_y, max_x, max_y;
} rectangle;

/* Extremes of one axis of MEM-23 (see the essay). m0, m3, m6: that axis' elements of the matrix. */
static void extremes(double m0, double m3, double m6, double origin, double block_offset, const acp_box *box, double *low, double *high) {
    double xn = m0 * (double)box->min.x, xx = m0 * (double)box->max.x;
    double yn = m3 * (double)box->min.y, yx = m3 * (double)box->max.y;
    double zn = m6 * (double)box->min.z, zx = m6 * (double)box->max.z;
    double x0 = xn < xx ? xn : xx, x1 = xn < xx ? xx : xn;
    double y0 = yn < yx ? yn : yx, y1 = yn < yx ? yx : yn;
    double z0 = zn < zx ? zn : zx, z1 = zn < zx ? zx : zn;
    *low = acp_stored(block_offset + acp_stored(((y0 + x0) + z0) + origin));
    *high = acp_stored(block_offset + acp_stored(((y1 + x1) + z1) + origin));
}

static void trace_box(const acp_flood *flood, uint32_t index, uint32_t base, const acp_part_row *part, const acp_box *box,
                      const double bounds[4], float radius) {
    acp_trace_part_box record = {index, base, part->flags & ACP_PART_IS_ALWAYS_2D, radius, *box, *box};
    record.after.min.x = (float)bounds[0];
    record.after.min.y = (float)bounds[1];
    record.after.max.x = (float)bounds[2];
    record.after.max.y = (float)bounds[3];
    if (!record.is_always_2d) {
        double low, high;
        const acp_matrix_frame *f = &part->position.frame;
        extremes((double)f->m[2], (double)f->m[5], (double)f->m[8], (double)f->origin.z, 0.0, box, &low, &high);
        record.after.min.z = (float)low;
        record.after.max.z = (float)high;
    }
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PART_BOX, &record, (uint32_t)sizeof record);
}

/* Bounds x0, y0, x1, y1 of a part in the landblock of `base`; false: a billboard without sphere (MEM-18: skipped). */
static bool part_bounds(const acp_flood *flood, uint32_t base, uint32_t index, const acp_part_row *part, double bounds[4]) {
    const acp_matrix_frame *f = &part->position.frame;
    acp_vec3 offset = acp_block_offset(base, part->position.cell_id);
    acp_box box = acp_flood_part_box(flood, part);
    float radius = 0.0f;
    if (!(part->flags & ACP_PART_IS_ALWAYS_2D)) {
        extremes((double)f->m[0], (double)f->m[3], (double)f->m[6], (double)f->origin.x, (double)offset.x, &box, &bounds[0], &bounds[2]);
        extremes((double)f->m[1], (double)f->m[4], (double)f->m[7], (double)f->origin.y, (double)offset.y, &box, &bounds[1], &bounds[3]);
    } else {
        acp_sphere sphere;
        if (!acp_flood_part_sphere(flood, part, &sphere)) return false;
        radius = sphere.radius;
        double x = (double)f->origin.x, y = (double)f->origin.y;
        if (flood->corrections & ACP_CORRECTION_BILLBOARD_BLOCK) {
            x += (double)offset.x;
            y += (double)offset.y;
        }
        bounds[0] = x - (double)radius; /* MEM-18: the part's own block, without offset */
        bounds[1] = y - (double)radius;
        bounds[2] = x + (double)radius;
        bounds[3] = y + (double)radius;
    }
    if (acp_flood_is_traced(flood)) trace_box(flood, index, base, part, &box, bounds, radius);
    return true;
}

/* Dependencies of a rectangle on blocks without land cells, each once. */
static void note_absent_blocks(acp_flood *flood, const rectangle *r) {
    uint32_t known = flood->dependencies ? flood->dependencies->count : 0;
    for (int64_t x = r->min_x >> 3; x <= r->max_x >> 3; x++)
        for (int64_t y = r->min_y >> 3; y <= r->max_y >> 3; y++) {
            uint32_t block_id = (uint32_t)x << 24 | (uint32_t)y << 16;
            const acp_block *block = acp_world_block(flood->world, block_id);
            if (!block || !block->terrain) acp_flood_note_absent_block(flood, block_id, known);
        }
}

/* True when an entry before the rectangle is the land cell `id`. */
static bool is_before(const acp_cell_array *array, uint32_t id) {
    for (uint32_t i = 0; i < array->land_begin; i++)
        if (array->items[i].cell_id == id) return true;
    return false;
}

/* Whether any entry before the rectangle lies in the landblock column that holds `id`. */
static bool is_column_before(const acp_cell_array *array, uint32_t id) {
    for (uint32_t i = 0; i < array->land_begin; i++)
        if (((array->items[i].cell_id - 1u) ^ (id - 1u)) < 8u) return true;
    return false;
}

/* MEM-17. The rectangle is inside the map. */
static void add_cell_block(acp_flood *flood, const rectangle *r) {
    acp_cell_array *array = flood->array;
    uint64_t cells = (uint64_t)(r->max_x - r->min_x + 1) * (uint64_t)(r->max_y - r->min_y + 1);
    if (acp_cell_array_reserve(array, (uint32_t)((uint64_t)array->count + cells)) != ACP_OK) return;
    array->land_begin = array->count;
    bool is_complete = true;
    uint64_t buildings = 0;
    acp_cell_entry *at = array->items + array->count;
    for (int64_t x = r->min_x; x <= r->max_x; x++) {
        int64_t y = r->min_y;
        while (y <= r->max_y) {
            int64_t end = (y | 7) < r->max_y ? (y | 7) : r->max_y;
            uint32_t id = (uint32_t)(x >> 3) << 24 | (uint32_t)(y >> 3) << 16 | ((uint32_t)(x & 7) * 8u + (uint32_t)(y & 7) + 1u);
            const acp_block *block = acp_world_block(flood->world, id);
            bool is_resident = block && block->terrain;
            if (is_resident)
                buildings |= block->building_mask;
            else
                is_complete = false;
            acp_cell_entry entry = {id, is_resident};
            if (!is_column_before(array, id)) {
                for (; y <= end; y++, entry.cell_id++)
                    *at++ = entry;
            } else {
                for (; y <= end; y++, entry.cell_id++)
                    if (!is_before(array, entry.cell_id)) *at++ = entry;
            }
        }
    }
    array->count = (uint32_t)(at - array->items);
    array->land_end = array->count;
    array->has_land_buildings = buildings != 0;
    if (!is_complete && (flood->dependencies || acp_flood_is_traced(flood))) note_absent_blocks(flood, r);
}

static void trace_rectangle(const acp_flood *flood, uint32_t base, uint32_t base_part, bool is_resident, const rectangle *r) {
    acp_trace_rectangle record = {base, base_part, is_resident, (int32_t)r->min_x, (int32_t)r->min_y, (int32_t)r->max_x, (int32_t)r->max_y,
                                  0};
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_RECTANGLE, &record, (uint32_t)sizeof record);
}

/* What the rectangle added, one record a cell. */
static void trace_land(const acp_flood *flood) {
    for (uint32_t i = flood->array->land_begin; i < flood->array->land_end; i++) {
        acp_trace_added record = {flood->array->items[i].cell_id, flood->array->items[i].is_resident, i, 0};
        acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_ADDED, &record, (uint32_t)sizeof record);
    }
}

void acp_add_all_outside_parts(acp_flood *flood, uint32_t part_count, const acp_part_row *parts) {
    if (flood->array->added_outside) return;
    flood->array->added_outside = true; /* MEM-5 */
    uint32_t first = 0;
    while (first < part_count && !parts[first].shape)
        first++;
    if (first == part_count) return;
    uint32_t id = parts[first].position.cell_id;
    acp_vec3 location = parts[first].position.frame.origin;
    int32_t gx = 0, gy = 0;
    uint32_t base = acp_flood_land_cell(&id, &location, &gx, &gy) ? id : 0; /* MEM-16: the part's place, not the object's */
    bool is_resident = acp_cell_exists(acp_world_cell(flood->world, base));
    rectangle r = {0, 0, 0, 0};
    if (!is_resident) {
        if (base) acp_flood_note_absent(flood, base);
        if (acp_flood_is_traced(flood)) trace_rectangle(flood, base, first, false, &r);
        return; /* nothing outdoor in this flood */
    }
    int64_t bx = (int64_t)(((base & 0xFFFFu) - 1u) >> 3), by = (int64_t)((base - 1u) & 7u);
    for (uint32_t i = first; i < part_count; i++) {
        double bounds[4];
        if (!parts[i].shape || !part_bounds(flood, base, i, &parts[i], bounds)) continue;
        int64_t x0 = acp_flood_cells(bounds[0]) - bx, y0 = acp_flood_cells(bounds[1]) - by;
        int64_t x1 = acp_flood_cells(bounds[2]) - bx, y1 = acp_flood_cells(bounds[3]) - by;
        r.min_x = x0 < r.min_x ? x0 : r.min_x;
        r.min_y = y0 < r.min_y ? y0 : r.min_y;
        r.max_x = x1 > r.max_x ? x1 : r.max_x;
        r.max_y = y1 > r.max_y ? y1 : r.max_y;
    }
    r.min_x += gx;
    r.max_x += gx;
    r.min_y += gy;
    r.max_y += gy;
    if (acp_flood_is_traced(flood)) trace_rectangle(flood, base, first, true, &r);
    r.min_x = r.min_x < 0 ? 0 : r.min_x;
    r.min_y = r.min_y < 0 ? 0 : r.min_y;
    r.max_x = r.max_x >= ACP_LCOORD_LIMIT ? ACP_LCOORD_LIMIT - 1 : r.max_x;
    r.max_y = r.max_y >= ACP_LCOORD_LIMIT ? ACP_LCOORD_LIMIT - 1 : r.max_y;
    add_cell_block(flood, &r);
    if (acp_flood_is_traced(flood)) trace_land(flood);
}
