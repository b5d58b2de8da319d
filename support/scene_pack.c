/* SPDX-License-Identifier: MIT */
/* A scene as records: LandBlock, LandBlockInfo, EnvCell and the Region with its heights; models are in scene_pack_model.c
 * (docs/format-scene.md; spec 02 §16-20, 09 POP-1, 11 AUT-20 to AUT-34).
 *
 * A pack is the inverse of an extraction: what acp_scene_extract wrote comes out as the same scene again. A scene made by hand may say what
 * records cannot: moving objects, rooms without land, portals to another landblock, a portal plane that no polygon has, a shell off its
 * building. Each is a finding; refusals are all told before anything is given up. When adapting, objects are left out, land is
 * added, and a portal that names only a plane gets a polygon if one has exactly that plane.
 *
 * A landblock's records are made block by block: EnvCells first, since they name portal polygons of their rooms, then rooms.
 * Contract: faults of form go into the input; the edits are useful only when all went well. Cost: for each landblock one pass over the
 * scene's lists. */
#include "support/scene_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dat/record_region.h"
#include "geom/polygon.h"
#include "place/cell_id.h"
#include "support/region_maker.h"
#include "support/scene_pack_model.h"

/* ------------------------------------------------------------------------------------------------------------------------ tools */

void *acp_pack_allocate(acp_pack *p, size_t count, size_t size) {
    void *memory = acp_arena_allocate_zero(&p->arena, count + 1u, size, 16);
    if (!memory) acp_json_fail(p->input, ACP_ERROR_OUT_OF_MEMORY, "scene", "no memory for records");
    return memory;
}

bool acp_pack_find(acp_pack *p, bool can_adapt, const char *where, const char *message) {
    bool is_adapted = can_adapt && p->options.is_adapting;
    acp_scene_pack_finding finding = {!is_adapted, where, message};
    if (is_adapted)
        p->report.adaptations++;
    else
        p->report.refusals++;
    if (p->options.on_finding) p->options.on_finding(p->options.user, &finding);
    return is_adapted;
}

const char *acp_pack_where(acp_pack *p, const char *list, const acp_json *member, char out[96]) {
    (void)p;
    if (member && member->key)
        (void)snprintf(out, 96, "%s \"%.*s\"", list, (int)(member->key_length < 60u ? member->key_length : 60u), member->key);
    else if (member && acp_json_member(member, "id") && acp_json_member(member, "id")->type == ACP_JSON_STRING)
        (void)snprintf(out, 96, "%s %.*s", list,
                       (int)(acp_json_member(member, "id")->count < 40u ? acp_json_member(member, "id")->count : 40u),
                       acp_json_member(member, "id")->text);
    else
        (void)snprintf(out, 96, "%s", list);
    return out;
}

void acp_pack_put(acp_pack *p, acp_dat_edit *edit, acp_record_kind kind, uint32_t id, void *content) {
    if (acp_json_is_failed(p->input) || p->report.refusals) return;
    acp_record record;
    memset(&record, 0, sizeof record);
    record.kind = kind;
    record.content.any = content;
    acp_writer_reset(&p->writer);
    acp_result result = acp_record_encode(&record, &p->writer, p->input->error);
    if (result == ACP_OK) result = acp_dat_edit_put(edit, id, p->writer.bytes, (uint32_t)p->writer.size, NULL, p->input->error);
    if (result) p->input->result = result;
    if (edit == p->portal)
        p->report.portal_records++;
    else
        p->report.cell_records++;
}

static acp_frame frame_of(acp_pack *p, const acp_json *json) {
    acp_matrix_frame frame = json ? acp_json_to_frame(p->input, json) : acp_matrix_frame_identity();
    return acp_matrix_frame_to_public(&frame);
}

/* Low word of a cell of the landblock; a cell of another one is refused. */
static uint16_t own_cell(acp_pack *p, uint32_t cell_id, uint32_t block_id, const char *where) {
    if ((cell_id ^ block_id) >> 16) (void)acp_pack_find(p, false, where, "names a cell of another landblock");
    return (uint16_t)cell_id;
}

static bool is_of(acp_pack *p, const acp_json *element, const char *key, uint32_t block_id) {
    return (acp_json_get_id(p->input, element, key) ^ block_id) >> 16 == 0;
}

/* --------------------------------------------------------------------------------------------------------------------- EnvCells */

/* A polygon with exactly this plane: a square of ten metres about the plane's foot, in the axes that its normal is least along. */
static const acp_vec3 *make_polygon(acp_pack *p, const acp_plane *plane) {
    acp_vec3 n = plane->normal, *points = acp_pack_allocate(p, 4, sizeof *points);
    if (!points) return NULL;
    const float a[3] = {n.x, n.y, n.z};
    uint32_t axis = 0;
    for (uint32_t i = 1; i < 3u; i++)
        if (a[i] * a[i] > a[axis] * a[axis]) axis = i;
    if (a[axis] == 0.0f) return NULL;
    static const float corner[4][2] = {{-5.0f, -5.0f}, {5.0f, -5.0f}, {5.0f, 5.0f}, {-5.0f, 5.0f}};
    for (uint32_t turn = 0; turn < 2u; turn++) {
        for (uint32_t i = 0; i < 4u; i++) {
            float v[3];
            uint32_t u = (axis + 1u) % 3u, w = (axis + 2u) % 3u, k = turn ? 3u - i : i;
            v[u] = corner[k][0];
            v[w] = corner[k][1];
            v[axis] = (float)(-((double)plane->d + (double)a[u] * (double)v[u] + (double)a[w] * (double)v[w]) / (double)a[axis]);
            points[i] = (acp_vec3){v[0], v[1], v[2]};
        }
        acp_plane made = acp_polygon_make_plane(points, 4);
        if (made.normal.x == n.x && made.normal.y == n.y && made.normal.z == n.z && made.d == plane->d) return points;
    }
    return NULL;
}

static uint16_t portal_polygon(acp_pack *p, const acp_json *portal, acp_pack_room *room, const char *where) {
    uint32_t count = 0;
    const acp_vec3 *points = NULL;
    if (acp_json_member(portal, "plane")) { /* it is what counts, also beside a polygon */
        acp_plane plane = acp_json_get_plane(p->input, portal, "plane");
        points = make_polygon(p, &plane);
        count = 4;
        if (!points) (void)acp_pack_find(p, false, where, "a portal's plane that no polygon of ours has exactly");
    } else {
        points = acp_json_to_polygon(p->input, &p->memory, portal, &count);
        acp_polygon polygon = acp_polygon_make(points, count, 0, 0);
        if (count > 255u || !acp_polygon_is_usable(&polygon)) (void)acp_pack_find(p, false, where, "a portal's polygon has no plane");
    }
    if (!points || count > 255u || acp_json_is_failed(p->input)) return 0;
    return (uint16_t)acp_pack_portal_polygon(p, room, points, count);
}

static void set_portals(acp_pack *p, const acp_json *json, acp_pack_room *room, uint32_t block_id, acp_record_env_cell *r,
                        const char *where) {
    const acp_json *list = acp_json_get_optional_array(p->input, json, "portals");
    uint32_t count = list ? list->count : 0;
    r->portals = acp_pack_allocate(p, count, sizeof *r->portals);
    if (count > 255u) (void)acp_pack_find(p, false, where, "more than 255 portals");
    for (const acp_json *j = count && r->portals ? list->first : NULL; j && r->portal_count < 255u; j = j->next) {
        acp_record_portal *to = &r->portals[r->portal_count++];
        uint32_t other = acp_json_get_id(p->input, j, "other"), side = acp_json_get_uint32_or(p->input, j, "side", 0);
        int32_t index = acp_json_get_int32_or(p->input, j, "other_portal", 0);
        if (side > 1u || index < -32768 || index > 32767)
            (void)acp_pack_find(p, false, where, "a portal's side or other_portal is out of range");
        to->flags = (uint16_t)(1u | (side == 0 ? 2u : 0u) | (other == 0xFFFFFFFFu ? 4u : 0u));
        to->polygon_id = portal_polygon(p, j, room, where);
        to->other_cell = other == 0xFFFFFFFFu ? (uint16_t)0xFFFFu : own_cell(p, other, block_id, where);
        to->other_portal = (uint16_t)index;
    }
}

static void set_statics(acp_pack *p, uint32_t owner_id, acp_record_objects *out) {
    const acp_json *list = acp_json_get_optional_array(p->input, p->definition, "statics");
    for (uint32_t pass = 0; pass < 2u; pass++) { /* count, fill */
        uint32_t count = 0;
        for (const acp_json *j = list ? list->first : NULL; j && !acp_json_is_failed(p->input); j = j->next) {
            if (acp_json_get_id(p->input, j, "owner") != owner_id) continue;
            if (pass) {
                out->items[count].id = acp_pack_model_id(p, acp_json_member(j, "setup"), "statics");
                out->items[count].frame = frame_of(p, acp_json_get_optional_object(p->input, j, "frame"));
            }
            count++;
        }
        out->count = count;
        if (!pass) out->items = acp_pack_allocate(p, count, sizeof *out->items);
        if (!out->items) return;
    }
}

/* The restriction object of a cell: its own member, else the list's (the last one counts). */
static uint32_t restriction_of(acp_pack *p, const acp_json *json, uint32_t cell_id) {
    uint32_t restriction = acp_json_get_id_or(p->input, json, "restriction", 0);
    const acp_json *list = acp_json_get_optional_array(p->input, p->definition, "restrictions");
    for (const acp_json *j = list ? list->first : NULL; j; j = j->next)
        if (acp_json_get_id(p->input, j, "cell") == cell_id) restriction = acp_json_get_id(p->input, j, "object");
    return restriction;
}

static void put_env_cell(acp_pack *p, const acp_json *json, uint32_t cell_id) {
    char where[96];
    uint32_t block_id = cell_id & 0xFFFF0000u;
    acp_record_env_cell r;
    memset(&r, 0, sizeof r);
    (void)acp_pack_where(p, "envcells", json, where);
    const acp_json *structure = acp_json_member(json, "structure");
    acp_pack_room *room = structure ? acp_pack_find_room(p, structure) : acp_pack_add_room(p, json);
    if (!room) return;
    if (!room->environment_id) acp_pack_place_room(p, room);
    if (room->environment_id > 0x0D00FFFFu || room->ordinal > 0xFFFFu)
        (void)acp_pack_find(p, false, where, "its structure's id has more than 16 bits");
    r.id = r.cell_id = cell_id;
    r.environment = (uint16_t)room->environment_id;
    r.structure = (uint16_t)room->ordinal;
    r.frame = frame_of(p, acp_json_get_optional_object(p->input, json, "frame"));
    set_portals(p, json, room, block_id, &r, where);
    const acp_json *stabs = acp_json_get_optional_array(p->input, json, "stabs");
    r.visible = acp_pack_allocate(p, stabs ? stabs->count : 0, sizeof *r.visible);
    if (stabs && stabs->count > 65535u) (void)acp_pack_find(p, false, where, "more than 65,535 visible cells");
    for (const acp_json *j = stabs && r.visible ? stabs->first : NULL; j && r.visible_count < 65535u; j = j->next)
        r.visible[r.visible_count++] = own_cell(p, acp_json_to_id(p->input, j, "stabs"), block_id, where);
    set_statics(p, cell_id, &r.statics);
    r.restriction = restriction_of(p, json, cell_id);
    r.flags =
        (acp_json_get_flag_or(p->input, json, "seen_outside", false) ? 1u : 0u) | (r.statics.count ? 2u : 0u) | (r.restriction ? 8u : 0u);
    acp_pack_put(p, p->cell, ACP_RECORD_ENV_CELL, cell_id, &r);
}

/* -------------------------------------------------------------------------------------------------------------------- buildings */

static bool is_in_cell(const acp_frame *frame, uint32_t land_cell_id) {
    uint32_t cell_id = land_cell_id | 0xFFFFu;
    acp_vec3 origin = frame->origin;
    return acp_adjust_to_outside(&cell_id, &origin) && cell_id == land_cell_id;
}

/* The middle of a land cell. */
static acp_frame middle_of(uint32_t land_cell_id) {
    uint32_t k = (land_cell_id & 0xFFFFu) - 1u;
    acp_frame frame = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    frame.origin.x = 24.0f * (float)(k / 8u) + 12.0f;
    frame.origin.y = 24.0f * (float)(k % 8u) + 12.0f;
    return frame;
}

/* A building by its shell `part` at a finished place: the model's frame, and its id. */
static void set_shell(acp_pack *p, const acp_json *part, uint32_t cell_id, acp_record_building *b, const char *where) {
    const acp_json *gfx = acp_json_member(part, "gfx");
    acp_matrix_position place = {cell_id, acp_matrix_frame_identity()};
    if (acp_json_has(part, "pos")) place = acp_json_get_position(p->input, part, "pos");
    acp_frame pose = acp_matrix_frame_to_public(&place.frame);
    float scale = acp_json_get_float_or(p->input, part, "scale", 1.0f);
    uint32_t shape_id = gfx && gfx->type == ACP_JSON_OBJECT ? acp_pack_shape_in_place(p, gfx, where) : acp_pack_model_id(p, gfx, where);
    if ((place.cell_id ^ cell_id) >> 16) (void)acp_pack_find(p, false, where, "the shell stands in another landblock");
    bool is_simple = scale == 1.0f && is_in_cell(&pose, cell_id);
    if (is_simple) {
        b->model = shape_id;
        b->frame = pose;
        return;
    }
    acp_frame relative = pose;
    b->frame = middle_of(cell_id);
    if (is_in_cell(&pose, cell_id)) {
        b->frame = pose;
        relative = (acp_frame){{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    } else {
        relative.origin.x = (float)((double)pose.origin.x - (double)b->frame.origin.x);
        relative.origin.y = (float)((double)pose.origin.y - (double)b->frame.origin.y);
    }
    acp_matrix_frame outer = acp_matrix_frame_from_public(&b->frame), inner = acp_matrix_frame_from_public(&relative), made;
    acp_vec3 one = {1.0f, 1.0f, 1.0f};
    acp_matrix_frame_combine_scaled(&made, &outer, &inner, one);
    acp_frame got = acp_matrix_frame_to_public(&made);
    if (memcmp(&got, &pose, sizeof pose) != 0)
        (void)acp_pack_find(p, false, where, "no placement of the model puts the shell exactly there");
    b->model = acp_pack_posed_setup(p, shape_id, scale, &relative);
}

static void set_building(acp_pack *p, const acp_json *json, acp_record_building *b) {
    char where[96];
    uint32_t cell_id = acp_json_get_id(p->input, json, "cell"), block_id = cell_id & 0xFFFF0000u;
    const acp_json *model = acp_json_member(json, "setup"), *part = acp_json_get_optional_object(p->input, json, "part");
    (void)snprintf(where, sizeof where, "buildings of 0x%08lX", (unsigned long)cell_id);
    if (model) {
        b->model = model->type == ACP_JSON_NULL ? acp_pack_empty_shape(p) : acp_pack_model_id(p, model, where);
        b->frame = frame_of(p, acp_json_get_optional_object(p->input, json, "pos"));
    } else if ((cell_id & 0xFFFFu) - 1u >= 64u) {
        (void)acp_pack_find(p, false, where, "a building stands on a land cell");
    } else if (part)
        set_shell(p, part, cell_id, b, where);
    else {
        b->model = acp_pack_empty_shape(p);
        b->frame = frame_of(p, acp_json_get_optional_object(p->input, json, "pos"));
        if (!is_in_cell(&b->frame, cell_id)) b->frame = middle_of(cell_id);
    }
    const acp_json *list = acp_json_get_optional_array(p->input, json, "portals");
    b->portals = acp_pack_allocate(p, list ? list->count : 0, sizeof *b->portals);
    for (const acp_json *j = list && b->portals ? list->first : NULL; j; j = j->next) {
        acp_record_building_portal *to = &b->portals[b->portal_count++];
        int32_t index = acp_json_get_int32_or(p->input, j, "other_portal", 0);
        if (index < -32768 || index > 32767) (void)acp_pack_find(p, false, where, "other_portal is out of range");
        to->flags = (uint16_t)(1u | (acp_json_get_uint32_or(p->input, j, "side", 0) == 0 ? 2u : 0u));
        to->other_cell = own_cell(p, acp_json_get_id(p->input, j, "other"), block_id, where);
        to->other_portal = (uint16_t)index;
        const acp_json *stabs = acp_json_get_optional_array(p->input, j, "stabs");
        to->stabs = acp_pack_allocate(p, stabs ? stabs->count : 0, sizeof *to->stabs);
        if (stabs && stabs->count > 65535u) (void)acp_pack_find(p, false, where, "more than 65,535 stabs");
        for (const acp_json *s = stabs && to->stabs ? stabs->first : NULL; s && to->stab_count < 65535u; s = s->next)
            to->stabs[to->stab_count++] = own_cell(p, acp_json_to_id(p->input, s, "stabs"), block_id, where);
    }
}

/* ------------------------------------------------------------------------------------------------------------------- landblocks */

static void set_restrictions(acp_pack *p, uint32_t block_id, acp_record_land_block_info *info) {
    const acp_json *list = acp_json_get_optional_array(p->input, p->definition, "restrictions");
    info->restrictions = acp_pack_allocate(p, list ? list->count : 0, sizeof *info->restrictions);
    uint32_t count = 0;
    for (const acp_json *j = list && info->restrictions ? list->first : NULL; j; j = j->next) {
        uint32_t cell_id = acp_json_get_id(p->input, j, "cell");
        if ((cell_id ^ block_id) >> 16 || (cell_id & 0xFFFFu) - 1u >= 64u) continue;
        info->restrictions[count++] = (acp_record_pair){cell_id, acp_json_get_id(p->input, j, "object")};
    }
    if (count > 65535u) (void)acp_pack_find(p, false, "restrictions", "more than 65,535 of a landblock");
    if (!count) return;
    info->building_word |= 0x10000u;
    info->restriction_word = count | (count < 0x8000u ? count : 0x8000u) << 16;
}

/* EnvCells of the landblock as records; one more than the highest number among them. */
static uint32_t put_env_cells(acp_pack *p, uint32_t block_id) {
    const acp_json *list = acp_json_get_optional_array(p->input, p->definition, "envcells");
    uint32_t end = 0;
    for (const acp_json *j = list ? list->first : NULL; j && !acp_json_is_failed(p->input); j = j->next) {
        if (!is_of(p, j, "id", block_id)) continue;
        uint32_t cell_id = acp_json_get_id(p->input, j, "id"), index = (cell_id & 0xFFFFu) - 0x100u;
        if (index > 0xFDFDu) {
            (void)acp_pack_find(p, false, "envcells", "an EnvCell's number lies between 0x0100 and 0xFFFD");
            continue;
        }
        if (index >= end) end = index + 1u;
        put_env_cell(p, j, cell_id);
    }
    return end;
}

static void put_info(acp_pack *p, uint32_t block_id, bool *out_has_info) {
    const acp_json *buildings = acp_json_get_optional_array(p->input, p->definition, "buildings");
    acp_record_land_block_info info;
    memset(&info, 0, sizeof info);
    info.id = block_id | 0xFFFEu;
    info.cell_count = put_env_cells(p, block_id);
    set_statics(p, info.id, &info.objects);
    info.buildings = acp_pack_allocate(p, buildings ? buildings->count : 0, sizeof *info.buildings);
    uint32_t count = 0;
    for (const acp_json *j = buildings && info.buildings ? buildings->first : NULL; j && !acp_json_is_failed(p->input); j = j->next)
        if (is_of(p, j, "cell", block_id)) set_building(p, j, &info.buildings[count++]);
    if (count > 65535u) (void)acp_pack_find(p, false, "buildings", "more than 65,535 of a landblock");
    info.building_word = count & 0xFFFFu;
    set_restrictions(p, block_id, &info);
    *out_has_info = info.cell_count || info.objects.count || count || info.restriction_word;
    if (*out_has_info) acp_pack_put(p, p->cell, ACP_RECORD_LAND_BLOCK_INFO, info.id, &info);
}

static void read_bytes(acp_pack *p, const acp_json *json, const char *key, uint32_t most, uint16_t out[81]) {
    const acp_json *list = acp_json_get_optional_array(p->input, json, key);
    uint32_t i = 0;
    if (list && list->count != 81u) acp_json_fail(p->input, ACP_ERROR_BAD_DATA, key, "a landblock has 81 heights and 81 terrain words");
    for (const acp_json *j = list ? list->first : NULL; j && i < 81u; j = j->next) {
        int64_t v = 0;
        if (!acp_json_to_int64(j, &v) || v < 0 || v > (int64_t)most) acp_json_fail(p->input, ACP_ERROR_OUT_OF_RANGE, key, "out of range");
        out[i++] = (uint16_t)v;
    }
}

/* A landblock's records; `json` its entry of `blocks`, null for one that has only rooms. */
static void put_block(acp_pack *p, uint32_t block_id, const acp_json *json) {
    acp_land_block land;
    uint16_t heights[81] = {0};
    bool has_info = false;
    memset(&land, 0, sizeof land);
    if (!json) {
        char where[96];
        (void)snprintf(where, sizeof where, "landblock 0x%08lX", (unsigned long)block_id);
        (void)acp_pack_find(p, true, where, "rooms without land: a landblock has its ground (flat ground is added when adapting)");
    }
    land.record_id = block_id | 0xFFFFu;
    read_bytes(p, json, "height", 255, heights);
    read_bytes(p, json, "terrain", 65535, land.terrain);
    for (uint32_t i = 0; i < 81u; i++)
        land.height[i] = (uint8_t)heights[i];
    put_info(p, block_id, &has_info);
    land.has_info = has_info;
    acp_pack_put(p, p->cell, ACP_RECORD_LAND_BLOCK, land.record_id, &land);
}

static bool has_block(acp_pack *p, const uint32_t *ids, uint32_t count, uint32_t id) {
    (void)p;
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == (id & 0xFFFF0000u)) return true;
    return false;
}

static void put_blocks(acp_pack *p) {
    static const char *const lists[][2] = {{"blocks", "id"}, {"envcells", "id"}, {"buildings", "cell"}};
    uint32_t total = 0, count = 0;
    for (uint32_t l = 0; l < 3u; l++) {
        const acp_json *list = acp_json_get_optional_array(p->input, p->definition, lists[l][0]);
        total += list ? list->count : 0;
    }
    uint32_t *ids = acp_pack_allocate(p, total, sizeof *ids);
    for (uint32_t l = 0; l < 3u && ids; l++) {
        const acp_json *list = acp_json_get_optional_array(p->input, p->definition, lists[l][0]);
        for (const acp_json *j = list ? list->first : NULL; j && !acp_json_is_failed(p->input); j = j->next) {
            uint32_t id = acp_json_get_id(p->input, j, lists[l][1]) & 0xFFFF0000u;
            if (has_block(p, ids, count, id)) continue;
            ids[count++] = id;
            put_block(p, id, l == 0 ? j : NULL);
        }
    }
    const acp_json *statics = acp_json_get_optional_array(p->input, p->definition, "statics");
    uint32_t scenery = 0;
    for (const acp_json *j = statics && ids ? statics->first : NULL; j && !acp_json_is_failed(p->input); j = j->next) {
        uint32_t owner = acp_json_get_id(p->input, j, "owner");
        if (!has_block(p, ids, count, owner))
            (void)acp_pack_find(p, true, "statics", "the owner's landblock is not in the scene: left out");
        else if ((owner & 0xFFFFu) == 0xFFFFu)
            scenery++;
        else if (acp_json_get_float_or(p->input, j, "scale", 1.0f) != 1.0f)
            (void)acp_pack_find(p, false, "statics", "a static of a record has no scale");
    }
    if (scenery) (void)acp_pack_find(p, true, "statics", "scenery is generated, not stored (left out when adapting)");
}

/* ------------------------------------------------------------------------------------------------------------------------ whole */

/* The Region holds the heights; nothing else of it matters to a scene (DAT-61, DAT-62). */
static void put_region(acp_pack *p) {
    acp_record_region region = acp_region_maker_plain();
    if (acp_json_has(p->definition, "height_table"))
        acp_json_get_float_array(p->input, p->definition, "height_table", region.height_table, 256);
    acp_pack_put(p, p->portal, ACP_RECORD_REGION, region.id, &region);
}

static void tell_objects(acp_pack *p) {
    const acp_json *list = acp_json_get_optional_array(p->input, p->definition, "objects");
    char where[96];
    for (const acp_json *j = list ? list->first : NULL; j; j = j->next) {
        const acp_json *name = acp_json_member(j, "name");
        bool has_name = name && name->type == ACP_JSON_STRING;
        (void)snprintf(where, sizeof where, "objects %.*s", has_name ? (int)(name->count < 60u ? name->count : 60u) : 0,
                       has_name ? name->text : "");
        (void)acp_pack_find(p, true, where, "a DAT holds landblocks and their statics, no objects (left out when adapting)");
    }
}

acp_result acp_scene_pack(acp_json_input *input, const acp_json *definition, const acp_scene_pack_options *options, acp_dat_edit *portal,
                          acp_dat_edit *cell, acp_scene_pack_report *out_report) {
    acp_pack p;
    memset(&p, 0, sizeof p);
    p.input = input;
    p.definition = definition;
    p.portal = portal;
    p.cell = cell;
    if (options) p.options = *options;
    acp_arena_init(&p.arena, NULL, 0, UINT64_MAX);
    acp_writer_init(&p.writer, NULL);
    acp_pack_name_models(&p);
    if (!acp_json_is_failed(input)) put_region(&p);
    if (!acp_json_is_failed(input)) tell_objects(&p);
    if (!acp_json_is_failed(input)) acp_pack_models(&p);
    if (!acp_json_is_failed(input)) put_blocks(&p);
    if (!acp_json_is_failed(input)) acp_pack_rooms(&p);
    acp_writer_free(&p.writer);
    acp_arena_free(&p.arena);
    acp_json_reader_free(&p.memory);
    if (out_report) *out_report = p.report;
    if (!acp_json_is_failed(input) && p.report.refusals) {
        (void)acp_error_set(input->error, ACP_ERROR_UNSUPPORTED, "scene pack", "%u things of the scene have no record",
                            (unsigned)p.report.refusals);
        input->result = ACP_ERROR_UNSUPPORTED;
    }
    return input->result;
}
