/* SPDX-License-Identifier: MIT */
/* The records of a cell file beside the bare ground: LandBlock as a record, LandBlockInfo, EnvCell; and Scene (spec 02 §16, §18-20).
 *
 * Words that pack several things (building count with the restriction bit, restriction entries with the bucket count, portal flags) are
 * kept as stored; so are low words of surfaces, environments and cells, which a loader combines with class or landblock. An EnvCell has
 * no padding after its visible cells.
 *
 * Limits: counts by the bytes that are left (DAT-69). Cost: about 5 ns a field. Sources: DAT-60, DAT-63 to DAT-68. */
#include <string.h>

#include "dat/codec.h"

void acp_codec_land_block(acp_codec *c, void *content) {
    acp_land_block *r = content;
    acp_codec_id(c, "id", &r->record_id);
    acp_codec_u32(c, "has_info", &r->has_info);
    if (c->visitor) {
        c->visitor->values(c->visitor->user, ACP_FIELD_U16, "terrain", r->terrain, 81);
        c->visitor->values(c->visitor->user, ACP_FIELD_U8, "height", r->height, 81);
    } else {
        for (uint32_t i = 0; i < 81; i++)
            acp_codec_u16(c, "terrain", &r->terrain[i]);
        for (uint32_t i = 0; i < 81; i++)
            acp_codec_u8(c, "height", &r->height[i]);
    }
    acp_codec_u8(c, "padding", &r->padding);
}

static void building(acp_codec *c, acp_record_building *b) {
    acp_codec_id(c, "model", &b->model);
    acp_codec_frame(c, "frame", &b->frame, true);
    acp_codec_u32(c, "leaf_count", &b->leaf_count);
    acp_codec_list(c, "portals", ACP_COUNT_U32, &b->portal_count, UINT32_MAX, &b->portals, sizeof *b->portals, 8);
    for (uint32_t i = 0; i < b->portal_count && acp_codec_is_ok(c); i++) {
        acp_record_building_portal *portal = &b->portals[i];
        acp_codec_open(c, NULL);
        acp_codec_u16(c, "flags", &portal->flags);
        acp_codec_u16(c, "other_cell", &portal->other_cell);
        acp_codec_u16(c, "other_portal", &portal->other_portal);
        acp_codec_u16(c, "stab_count", &portal->stab_count);
        uint32_t stabs = portal->stab_count;
        acp_codec_values(c, "stabs", ACP_FIELD_U16, ACP_COUNT_GIVEN, &stabs, UINT32_MAX, &portal->stabs);
        if (!c->visitor) acp_codec_align4(c);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_land_block_info(acp_codec *c, void *content) {
    acp_record_land_block_info *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "cell_count", &r->cell_count);
    acp_codec_objects(c, "objects", &r->objects);
    acp_codec_id(c, "building_word", &r->building_word);
    uint32_t count = r->building_word & 0xFFFFu;
    acp_codec_list(c, "buildings", ACP_COUNT_GIVEN, &count, UINT32_MAX, &r->buildings, sizeof *r->buildings, 40);
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        building(c, &r->buildings[i]);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    if (!(r->building_word & 0x10000u)) return;
    acp_codec_id(c, "restriction_word", &r->restriction_word);
    count = r->restriction_word & 0xFFFFu;
    acp_codec_list(c, "restrictions", ACP_COUNT_GIVEN, &count, UINT32_MAX, &r->restrictions, sizeof *r->restrictions, 8);
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "cell", &r->restrictions[i].key);
        acp_codec_id(c, "object", &r->restrictions[i].value);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_env_cell(acp_codec *c, void *content) {
    acp_record_env_cell *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "flags", &r->flags);
    acp_codec_id(c, "cell_id", &r->cell_id);
    acp_codec_u8(c, "surface_count", &r->surface_count);
    acp_codec_u8(c, "portal_count", &r->portal_count);
    acp_codec_u16(c, "visible_count", &r->visible_count);
    uint32_t count = r->surface_count;
    acp_codec_values(c, "surfaces", ACP_FIELD_U16, ACP_COUNT_GIVEN, &count, UINT32_MAX, &r->surfaces);
    acp_codec_u16(c, "environment", &r->environment);
    acp_codec_u16(c, "structure", &r->structure);
    acp_codec_frame(c, "frame", &r->frame, true);
    count = r->portal_count;
    acp_codec_list(c, "portals", ACP_COUNT_GIVEN, &count, UINT32_MAX, &r->portals, sizeof *r->portals, 8);
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u16(c, "flags", &r->portals[i].flags);
        acp_codec_u16(c, "polygon_id", &r->portals[i].polygon_id);
        acp_codec_u16(c, "other_cell", &r->portals[i].other_cell);
        acp_codec_u16(c, "other_portal", &r->portals[i].other_portal);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    count = r->visible_count;
    acp_codec_values(c, "visible", ACP_FIELD_U16, ACP_COUNT_GIVEN, &count, UINT32_MAX, &r->visible);
    if (r->flags & 2u) acp_codec_objects(c, "statics", &r->statics);
    if (r->flags & 8u) acp_codec_id(c, "restriction", &r->restriction);
}

void acp_codec_scene(acp_codec *c, void *content) {
    acp_record_scene *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_list(c, "objects", ACP_COUNT_U32, &r->count, UINT32_MAX, &r->objects, sizeof *r->objects, 76);
    for (uint32_t i = 0; i < r->count && acp_codec_is_ok(c); i++) {
        acp_record_scene_object *o = &r->objects[i];
        acp_codec_open(c, NULL);
        acp_codec_id(c, "object_id", &o->object_id);
        acp_codec_frame(c, "base", &o->base, true);
        acp_codec_finite(c, "frequency", &o->frequency);
        acp_codec_finite(c, "displace_x", &o->displace_x);
        acp_codec_finite(c, "displace_y", &o->displace_y);
        acp_codec_finite(c, "min_scale", &o->min_scale);
        acp_codec_finite(c, "max_scale", &o->max_scale);
        acp_codec_finite(c, "max_rotation", &o->max_rotation);
        acp_codec_finite(c, "min_slope", &o->min_slope);
        acp_codec_finite(c, "max_slope", &o->max_slope);
        acp_codec_u32(c, "align", &o->align);
        acp_codec_u32(c, "orient", &o->orient);
        acp_codec_u32(c, "weenie_object", &o->weenie_object);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}
