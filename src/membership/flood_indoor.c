/* SPDX-License-Identifier: MIT */
/* Portals: leaving an EnvCell, entering a building, and what a land cell contributes (spec 04 §7 to §9).
 *
 * Spheres ask the neighbour's containment tree and nothing else when the neighbour is resident; the portal plane decides only for the
 * outdoors (a strict straddle) and for neighbours known by id. Parts pass a pre-reject by their bounding sphere, then the box against the
 * portal plane, then the refitted box against the neighbour's tree. Entering a building asks the inverse question of leaving a room: is any
 * of it inside (crossing, or wholly on the interior side), not: does any of it stick out (crossing, or wholly outside); and it recurses
 * into the room at once, which fixes the order of cells (MEM-25P). With a resident neighbour neither side nor plane is used by spheres.
 *
 * Centre and box of a part in a room's frame are computed once per visit of that room. Contract: as written, comparisons strict where the
 * spec is strict. Sphere forms apply no block offset (MEM-28, a quirk with a correction). Cost: about 10 ns per sphere and portal, 80 ns
 * per part and room plus 10 per portal.
 *
 * retail: CEnvCell::find_transit_cells 0x0052C820
 * retail: CEnvCell::find_transit_cells 0x0052CAE0
 * retail: CEnvCell::check_building_transit 0x0052C5D0
 * retail: CEnvCell::check_building_transit 0x0052C680
 * retail: CLandCell::find_transit_cells 0x00533800
 * retail: CLandCell::find_transit_cells 0x00533840
 * retail: CBuildingObj::find_building_transit_cells 0x006B5230
 * retail: CBuildingObj::find_building_transit_cells 0x006B52A0
 * retail: CCellPortal::GetOtherCell 0x0053BA30
 */
#include "geom/plane.h"
#include "membership/flood_parts.h"
#include "place/cell_id.h"
#include "world/room_gate.h"

#define LEADS_OUTSIDE   0xFFFFFFFFu
#define BOX_NOT_REACHED 4u

static void trace_portal(const acp_flood *flood, uint32_t kind, const acp_env_cell *cell, uint32_t portal, uint32_t subject,
                         uint32_t verdict, uint32_t box_side, double distance, double threshold) {
    const acp_cell_portal *p = &cell->portals[portal];
    acp_trace_portal record = {kind,    verdict, cell->cell_id, p->other_cell_id, (int32_t)portal,
                               subject, p->side, box_side,      distance,         threshold};
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PORTAL, &record, (uint32_t)sizeof record);
}

/* A building portal that has no EnvCell portal to name (DIV-37 beyond the list). */
static void trace_disabled(const acp_flood *flood, uint32_t kind, uint32_t cell_id, int32_t portal) {
    acp_trace_portal record = {kind, ACP_PORTAL_DISABLED, cell_id, 0, portal, 0, 0, BOX_NOT_REACHED, 0.0, 0.0};
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PORTAL, &record, (uint32_t)sizeof record);
}

/* GetOtherCell: the resident neighbour, or null, noted. */
static inline const acp_env_cell *other_cell(acp_flood *flood, uint32_t cell_id) {
    const acp_block *block = acp_world_block(flood->world, cell_id);
    const acp_env_cell *cell = block ? acp_block_env_cell(block, cell_id) : NULL; /* none below 0x100 */
    if (!cell) acp_flood_note_absent(flood, cell_id);
    return cell;
}

/* MEM-28: a sphere as the room's tests see it; `scratch` holds it when it is another. */
static inline const acp_sphere *sphere_for(const acp_flood *flood, uint32_t cell_id, uint32_t position_cell_id, const acp_sphere *sphere,
                                           acp_sphere *scratch) {
    if (!(flood->corrections & ACP_CORRECTION_SPHERE_BLOCK)) return sphere;
    scratch->center = acp_vec3_add(sphere->center, acp_block_offset(cell_id, position_cell_id));
    scratch->radius = sphere->radius;
    return scratch;
}

/* ------------------------------------------------------------------------------------------------------------------- spheres */

/* MEM-26, exterior portal: local x and y are stored, z is not (12). */
static bool straddles_exterior(const acp_flood *flood, const acp_env_cell *cell, uint32_t portal, uint32_t subject,
                               const acp_sphere *sphere) {
    const acp_matrix_frame *f = &cell->position.frame;
    const acp_plane *plane = &cell->portals[portal].plane;
    const float *m = f->m;
    double dx = (double)sphere->center.x - (double)f->origin.x;
    double dy = (double)sphere->center.y - (double)f->origin.y;
    double dz = (double)sphere->center.z - (double)f->origin.z;
    double lx = acp_stored((dx * (double)m[0] + dz * (double)m[2]) + dy * (double)m[1]);
    double ly = acp_stored((dx * (double)m[3] + dz * (double)m[5]) + dy * (double)m[4]);
    double lz = (dz * (double)m[8] + dy * (double)m[7]) + dx * (double)m[6];
    double d = ((lz * (double)plane->normal.z + ly * (double)plane->normal.y) + lx * (double)plane->normal.x) + (double)plane->d;
    double reach = acp_stored((double)sphere->radius + ACP_EPSILON_F64);
    bool straddles = d > -reach && d < reach;
    if (acp_flood_is_traced(flood))
        trace_portal(flood, ACP_PORTAL_TEST_LEAVE_SPHERE, cell, portal, subject, straddles ? ACP_PORTAL_ADMITTED : ACP_PORTAL_NOT_STRADDLED,
                     BOX_NOT_REACHED, d, reach);
    return straddles;
}

/* MEM-26, neighbour known by id only: one-sided. */
static bool reaches_absent(const acp_flood *flood, const acp_env_cell *cell, uint32_t portal, uint32_t subject, const acp_sphere *sphere) {
    const acp_cell_portal *p = &cell->portals[portal];
    double d = acp_plane_distance(&p->plane, acp_matrix_frame_global_to_local(&cell->position.frame, sphere->center));
    double reach = (double)sphere->radius + ACP_EPSILON_F64;
    bool reaches = (p->side == 1u && d > -reach) || (p->side == 0u && d < reach);
    if (acp_flood_is_traced(flood))
        trace_portal(flood, ACP_PORTAL_TEST_LEAVE_SPHERE, cell, portal, subject, reaches ? ACP_PORTAL_HINT : ACP_PORTAL_SPHERE_SIDE,
                     BOX_NOT_REACHED, d, reach);
    return reaches;
}

/* Whether the portal's gate has every sphere outside of the room behind. */
static inline bool is_gated(const acp_room_gate *gate, uint32_t count, const acp_sphere *spheres) {
    for (uint32_t i = 0; i < count; i++)
        if (!acp_room_gate_excludes(gate, &spheres[i])) return false;
    return true;
}

void acp_find_transit_spheres_env(acp_flood *flood, const acp_env_cell *cell, uint32_t position_cell_id, acp_vec3 origin,
                                  uint32_t sphere_count, const acp_sphere *spheres) {
    bool is_outside = false, is_plain = !flood->trace && !(flood->corrections & ACP_CORRECTION_SPHERE_BLOCK);
    acp_sphere scratch;
    for (uint32_t portal = 0; portal < cell->portal_count; portal++) {
        uint32_t other_id = cell->portals[portal].other_cell_id;
        if (other_id == LEADS_OUTSIDE) {
            if (!flood->trace && (is_outside || flood->array->added_outside)) continue; /* nothing more can come of it */
            for (uint32_t i = 0; i < sphere_count; i++) {
                const acp_sphere *sphere = sphere_for(flood, cell->cell_id, position_cell_id, &spheres[i], &scratch);
                if (straddles_exterior(flood, cell, portal, i, sphere)) {
                    is_outside = true;
                    break;
                }
            }
            continue;
        }
        if (acp_flood_is_settled(flood, other_id)) continue; /* an absent one was noted when it was added */
        if (is_plain && is_gated(&cell->gates[portal], sphere_count, spheres)) continue;
        const acp_env_cell *other = other_cell(flood, other_id);
        if (other && is_plain) {
            if (acp_flood_any_sphere_meets(other, sphere_count, spheres)) acp_flood_add(flood, other_id, true);
            continue;
        }
        for (uint32_t i = 0; i < sphere_count; i++) {
            const acp_sphere *sphere = sphere_for(flood, other ? other->cell_id : cell->cell_id, position_cell_id, &spheres[i], &scratch);
            if (other ? acp_flood_sphere_meets(flood, other, i, sphere) : reaches_absent(flood, cell, portal, i, sphere)) {
                acp_flood_add(flood, other_id, other != NULL);
                break;
            }
        }
    }
    if (is_outside) acp_add_all_outside_spheres(flood, position_cell_id, origin, sphere_count, spheres);
}

void acp_check_building_transit_spheres(acp_flood *flood, const acp_env_cell *cell, int32_t portal, uint32_t block_cell_id,
                                        uint32_t sphere_count, const acp_sphere *spheres) {
    if (portal < 0) {
        if (acp_flood_is_traced(flood)) trace_disabled(flood, ACP_PORTAL_TEST_ENTER_SPHERE, cell->cell_id, portal);
        return;
    }
    acp_sphere scratch;
    for (uint32_t i = 0; i < sphere_count; i++) {
        const acp_sphere *sphere = sphere_for(flood, cell->cell_id, block_cell_id, &spheres[i], &scratch);
        if (!acp_flood_sphere_meets(flood, cell, i, sphere)) continue;
        if (flood->hits_interior_cell) *flood->hits_interior_cell = true;
        acp_flood_add(flood, cell->cell_id, true);
        return;
    }
}

void acp_find_transit_spheres(acp_flood *flood, acp_cell cell, uint32_t position_cell_id, acp_vec3 origin, uint32_t sphere_count,
                              const acp_sphere *spheres) {
    if (!acp_cell_is_land(cell)) {
        acp_find_transit_spheres_env(flood, acp_cell_env(cell), position_cell_id, origin, sphere_count, spheres);
        return;
    }
    acp_add_all_outside_spheres(flood, position_cell_id, origin, sphere_count, spheres);
    const acp_building *building = acp_cell_building(cell);
    for (uint32_t i = 0; building && i < building->portal_count; i++) {
        const acp_env_cell *e = other_cell(flood, building->portals[i].other_cell_id);
        if (e) acp_check_building_transit_spheres(flood, e, building->portals[i].other_portal_id, position_cell_id, sphere_count, spheres);
    }
}

/* --------------------------------------------------------------------------------------------------------------------- parts */

#define CACHED_PARTS 4u

/* A part as one room sees it. */
typedef struct part_view {
    acp_vec3 center; /* of its sphere, room-local */
    float radius;
    acp_box box; /* room-local */
    bool has_sphere;
    bool has_view;
    bool has_box;
} part_view;

static const part_view *view_part(const acp_flood *flood, const acp_env_cell *cell, const acp_part_row *part, part_view *view) {
    if (view->has_view) return view;
    view->has_view = true;
    view->has_box = false;
    acp_sphere sphere;
    view->has_sphere = part->shape && acp_flood_part_sphere(flood, part, &sphere);
    if (!view->has_sphere) return view;
    view->center = acp_matrix_position_local_to_local(&cell->position, &part->position, sphere.center);
    view->radius = sphere.radius;
    return view;
}

/* The part's box in the room's frame. A room that a box has just been tested against is usually the next one to be left. */
static acp_box room_box(acp_flood *flood, const acp_env_cell *cell, uint32_t index, const acp_part_row *part) {
    if (flood->refit_cell != cell || flood->refit_part != part) {
        acp_box box = acp_flood_part_box(flood, part);
        flood->refit_box = acp_flood_refit(&cell->position, &part->position, &box);
        flood->refit_cell = cell;
        flood->refit_part = part;
    }
    if (acp_flood_is_traced(flood)) {
        acp_trace_part_box record = {index, cell->cell_id, 0, 0.0f, acp_flood_part_box(flood, part), flood->refit_box};
        acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PART_BOX, &record, (uint32_t)sizeof record);
    }
    return flood->refit_box;
}

static const acp_box *view_box(acp_flood *flood, const acp_env_cell *cell, uint32_t index, const acp_part_row *part, part_view *view) {
    if (!view->has_box) view->box = room_box(flood, cell, index, part);
    view->has_box = true;
    return &view->box;
}

/* The distance of MEM-25P: y, z, x. */
static double part_distance(const acp_plane *plane, acp_vec3 c) {
    return (((double)c.y * (double)plane->normal.y + (double)c.z * (double)plane->normal.z) + (double)c.x * (double)plane->normal.x) +
           (double)plane->d;
}

typedef enum admission { SKIP_PART, ADMIT_PART } admission;

/* The shared middle of MEM-25P and MEM-27: pre-reject and box verdict. `wanted` is the side that both are about: entering skips a sphere
 * wholly on the outer side, leaving one wholly on the inner side. */
static admission judge_part(acp_flood *flood, uint32_t kind, const acp_env_cell *cell, uint32_t portal, uint32_t index,
                            const acp_part_row *part, part_view *view) {
    const acp_cell_portal *p = &cell->portals[portal];
    if (!view_part(flood, cell, part, view)->has_sphere) {
        if (acp_flood_is_traced(flood)) trace_portal(flood, kind, cell, portal, index, ACP_PORTAL_NO_SPHERE, BOX_NOT_REACHED, 0.0, 0.0);
        return SKIP_PART;
    }
    double reach = acp_stored((double)view->radius + ACP_EPSILON_F64);
    double d = part_distance(&p->plane, view->center);
    bool is_entering = kind == ACP_PORTAL_TEST_ENTER_PART;
    uint32_t skip_above_side = is_entering ? 1u : 0u; /* RB-2: for any other value of side neither skip applies */
    bool is_skipped = (p->side == skip_above_side && d > reach) || (p->side == 1u - skip_above_side && d < -reach);
    if (is_skipped) {
        if (acp_flood_is_traced(flood)) trace_portal(flood, kind, cell, portal, index, ACP_PORTAL_SPHERE_SIDE, BOX_NOT_REACHED, d, reach);
        return SKIP_PART;
    }
    uint32_t side = (uint32_t)acp_plane_intersect_box(&p->plane, view_box(flood, cell, index, part, view));
    bool is_admitted = is_entering ? side == ACP_SIDE_CROSSING || side == p->side : side != p->side;
    if (acp_flood_is_traced(flood))
        trace_portal(flood, kind, cell, portal, index, is_admitted ? ACP_PORTAL_ADMITTED : ACP_PORTAL_BOX_SIDE, side, d, reach);
    return is_admitted ? ADMIT_PART : SKIP_PART;
}

static part_view *view_of(part_view *cache, part_view *spare, uint32_t index) {
    if (index < CACHED_PARTS) return &cache[index];
    spare->has_view = false;
    return spare;
}

/* An admitted part at one portal of MEM-27. True ends the part loop. */
static bool pass_portal(acp_flood *flood, uint32_t other_id, const acp_env_cell *other, uint32_t index, const acp_part_row *part,
                        bool *is_outside) {
    if (other_id == LEADS_OUTSIDE) {
        *is_outside = true;
        return true;
    }
    if (!other) {
        acp_flood_add(flood, other_id, false); /* load hint, unconditional */
        return true;
    }
    acp_box there = room_box(flood, other, index, part);
    if (!acp_flood_box_touches(flood, other, index, &there)) return false; /* the next part, same portal */
    acp_flood_add(flood, other_id, true);
    return true;
}

static void env_transit_parts(acp_flood *flood, const acp_env_cell *cell, uint32_t part_count, const acp_part_row *parts) {
    part_view cache[CACHED_PARTS], spare;
    for (uint32_t i = 0; i < CACHED_PARTS; i++)
        cache[i].has_view = false;
    bool is_outside = false;
    for (uint32_t portal = 0; portal < cell->portal_count; portal++) {
        uint32_t other_id = cell->portals[portal].other_cell_id;
        const acp_env_cell *other = other_id == LEADS_OUTSIDE ? NULL : other_cell(flood, other_id); /* MEM-42d: noted in any case */
        if (other_id == LEADS_OUTSIDE ? !flood->trace && (is_outside || flood->array->added_outside)
                                      : acp_flood_is_settled(flood, other_id))
            continue; /* nothing more can come of this portal */
        for (uint32_t i = 0; i < part_count; i++) {
            part_view *view = view_of(cache, &spare, i);
            if (judge_part(flood, ACP_PORTAL_TEST_LEAVE_PART, cell, portal, i, &parts[i], view) == ADMIT_PART &&
                pass_portal(flood, other_id, other, i, &parts[i], &is_outside))
                break;
        }
    }
    if (is_outside) acp_add_all_outside_parts(flood, part_count, parts);
}

void acp_check_building_transit_parts(acp_flood *flood, const acp_env_cell *cell, int32_t portal, uint32_t part_count,
                                      const acp_part_row *parts) {
    if (portal < 0 || (uint32_t)portal >= cell->portal_count) {
        if (acp_flood_is_traced(flood)) trace_disabled(flood, ACP_PORTAL_TEST_ENTER_PART, cell->cell_id, portal);
        return;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        part_view view;
        view.has_view = false;
        if (judge_part(flood, ACP_PORTAL_TEST_ENTER_PART, cell, (uint32_t)portal, i, &parts[i], &view) != ADMIT_PART) continue;
        if (!acp_flood_box_touches(flood, cell, i, &view.box)) continue;
        acp_flood_add(flood, cell->cell_id, true);
        env_transit_parts(flood, cell, part_count, parts); /* at once, before the worklist reaches it (RB-3) */
        return;
    }
}

void acp_find_transit_parts(acp_flood *flood, acp_cell cell, uint32_t part_count, const acp_part_row *parts) {
    if (!acp_cell_is_land(cell)) {
        env_transit_parts(flood, acp_cell_env(cell), part_count, parts);
        return;
    }
    acp_add_all_outside_parts(flood, part_count, parts);
    const acp_building *building = acp_cell_building(cell);
    for (uint32_t i = 0; building && i < building->portal_count; i++) {
        const acp_env_cell *e = other_cell(flood, building->portals[i].other_cell_id);
        if (e) acp_check_building_transit_parts(flood, e, building->portals[i].other_portal_id, part_count, parts);
    }
}
