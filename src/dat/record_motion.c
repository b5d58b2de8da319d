/* SPDX-License-Identifier: MIT */
/* Animation and MotionTable records, and the hooks that animations and setups carry (spec 02 §12, §13, §13a).
 *
 * Every hook is kept, in file order, with its direction and raw payload, also those that physics ignores; the size of a payload follows
 * from the type (DAT-55), for type 5 from its packed id. Alignment after a hook counts from the start of the record. Motion entries keep
 * file order; of duplicate keys the last one counts for a reader (told; strict: refused).
 *
 * Limits: hook types 0 to 26; frames are finite, of any length of quaternion (DAT-56b). Cost: about 5 ns a field.
 *
 * Sources: DAT-54 to DAT-56b, DAT-73 to DAT-77. */
#include <string.h>

#include "dat/codec.h"

#define HOOK_TYPES   27u
#define HOOK_REPLACE 5u

static const uint8_t payload_sizes[HOOK_TYPES] = {0, 4, 4, 28, 0, 0, 4,  16, 12, 16, 12, 16, 8, 40,
                                                  4, 4, 4, 0,  4, 8, 12, 16, 12, 8,  12, 4,  40};

/* Bytes of a hook's payload; for type 5 a look ahead tells the length of the packed id (DAT-33). */
static uint32_t payload_size(const acp_codec *c, uint32_t type) {
    if (type != HOOK_REPLACE) return payload_sizes[type];
    acp_reader look = c->reader;
    (void)acp_reader_u8(&look, "hook.part");
    return acp_reader_u16(&look, "hook.object") & 0x8000u ? 5u : 3u;
}

void acp_codec_hooks(acp_codec *c, acp_record_hooks *hooks) {
    acp_codec_list(c, "hooks", ACP_COUNT_U32, &hooks->count, UINT32_MAX, &hooks->items, sizeof *hooks->items, 8);
    for (uint32_t i = 0; i < hooks->count && acp_codec_is_ok(c); i++) {
        acp_record_hook *hook = &hooks->items[i];
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "type", &hook->type);
        if (c->direction != ACP_CODEC_SHOW && hook->type >= HOOK_TYPES)
            acp_codec_fail(c, ACP_ERROR_BAD_DATA, "hook.type", "hook types run to 26");
        acp_codec_i32(c, "direction", &hook->direction);
        if (acp_codec_is_reading(c) && acp_codec_is_ok(c)) hook->size = payload_size(c, hook->type);
        acp_codec_raw(c, "payload", &hook->size, &hook->payload);
        if (c->direction == ACP_CODEC_FILL && acp_codec_is_ok(c) && hook->type != HOOK_REPLACE && hook->size != payload_sizes[hook->type])
            acp_codec_fail(c, ACP_ERROR_BAD_DATA, "hook.payload", "the payload has not the size of its type");
        if (c->direction == ACP_CODEC_FILL && acp_codec_is_ok(c) && hook->type == HOOK_REPLACE &&
            (hook->size < 3u || hook->size != (hook->payload[2] & 0x80u ? 5u : 3u)))
            acp_codec_fail(c, ACP_ERROR_BAD_DATA, "hook.payload", "the payload has not the size of its type");
        if (!c->visitor) acp_codec_align4(c);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_animation(acp_codec *c, void *content) {
    acp_record_animation *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "flags", &r->flags);
    acp_codec_u32(c, "part_count", &r->part_count);
    acp_codec_u32(c, "frame_count", &r->frame_count);
    if (r->part_count > 4096u) acp_codec_fail(c, ACP_ERROR_LIMIT, "part_count", "more than 4096 parts");
    if (!acp_codec_is_ok(c)) return;
    acp_codec_frames(c, "root_frames", r->flags & 1u ? r->frame_count : 0u, &r->root_frames);
    acp_codec_list(c, "frames", ACP_COUNT_GIVEN, &r->frame_count, UINT32_MAX, &r->frames, sizeof *r->frames, 4u + 28u * r->part_count);
    for (uint32_t i = 0; i < r->frame_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_frames(c, "frames", r->part_count, &r->frames[i].frames);
        acp_codec_hooks(c, &r->frames[i].hooks);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    if (r->frame_count == 0) acp_codec_note(c, ACP_REMARK_CONTENT, "frame_count", "an animation without frames plays nothing");
}

static void motion(acp_codec *c, acp_record_motion *m) {
    acp_codec_id(c, "key", &m->key);
    acp_codec_u8(c, "animation_count", &m->animation_count);
    acp_codec_u8(c, "bits", &m->bits);
    acp_codec_u8(c, "flags", &m->flags);
    if (!c->visitor) acp_codec_align4(c);
    uint32_t count = m->animation_count;
    acp_codec_list(c, "animations", ACP_COUNT_GIVEN, &count, UINT32_MAX, &m->animations, sizeof *m->animations, 16);
    for (uint32_t i = 0; i < count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "animation", &m->animations[i].animation);
        acp_codec_i32(c, "low", &m->animations[i].low);
        acp_codec_i32(c, "high", &m->animations[i].high);
        acp_codec_finite(c, "frame_rate", &m->animations[i].frame_rate);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    if (m->flags & 1u) acp_codec_vec3(c, "velocity", &m->velocity);
    if (m->flags & 2u) acp_codec_vec3(c, "omega", &m->omega);
}

static void motions(acp_codec *c, const char *name, acp_record_motions *list) {
    acp_codec_list(c, name, ACP_COUNT_U32, &list->count, UINT32_MAX, &list->items, sizeof *list->items, 8);
    for (uint32_t i = 0; i < list->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        motion(c, &list->items[i]);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_check_keys(c, name, list->items, list->count, sizeof *list->items);
}

/* DAT-77: without these the default state cannot be entered. */
static void check_default(acp_codec *c, const acp_record_motion_table *r) {
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c)) return;
    for (uint32_t i = r->style_defaults.count; i-- > 0;) {
        if (r->style_defaults.items[i].key != r->default_style) continue;
        uint32_t key = r->default_style << 16 | (r->style_defaults.items[i].value & 0xFFFFFFu);
        for (uint32_t k = 0; k < r->cycles.count; k++)
            if (r->cycles.items[k].key == key) return;
        break;
    }
    acp_codec_note(c, ACP_REMARK_CONTENT, "default_style", "the default style has no default, or no cycle for it");
}

void acp_codec_motion_table(acp_codec *c, void *content) {
    acp_record_motion_table *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_id(c, "default_style", &r->default_style);
    acp_record_pairs *defaults = &r->style_defaults;
    acp_codec_list(c, "style_defaults", ACP_COUNT_U32, &defaults->count, UINT32_MAX, &defaults->items, sizeof *defaults->items, 8);
    for (uint32_t i = 0; i < defaults->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "style", &defaults->items[i].key);
        acp_codec_id(c, "substate", &defaults->items[i].value);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_check_keys(c, "style_defaults", defaults->items, defaults->count, sizeof *defaults->items);
    motions(c, "cycles", &r->cycles);
    motions(c, "modifiers", &r->modifiers);
    acp_codec_list(c, "links", ACP_COUNT_U32, &r->link_count, UINT32_MAX, &r->links, sizeof *r->links, 8);
    for (uint32_t i = 0; i < r->link_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "key", &r->links[i].key);
        motions(c, "motions", &r->links[i].motions);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
    acp_codec_check_keys(c, "links", r->links, r->link_count, sizeof *r->links);
    check_default(c, r);
}
