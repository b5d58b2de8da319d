/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_PACK_MODEL_H
#define ACP_SUPPORT_SCENE_PACK_MODEL_H

#include "base/arena.h"
#include "dat/record.h"
#include "support/scene_pack.h"

/* The inside of scene_pack.c: a packing under way, and its half that knows models. */

/* A member of `gfx` or `setups` and the record id it gets: its name, when that is one, else a free one. */
typedef struct acp_pack_name {
    const acp_json *json; /* the member; null: a shape given in place, or the mesh without anything */
    uint32_t id;
} acp_pack_name;

typedef struct acp_pack_portal { /* a polygon that some cell's portal fills */
    const acp_vec3 *points;
    uint32_t count;
} acp_pack_portal;

/* A room: a member of `structures`, or an EnvCell that brings its own. */
typedef struct acp_pack_room {
    const acp_json *json;
    bool is_named;
    uint32_t environment_id;
    uint32_t ordinal;
    uint32_t portal_count;
    uint32_t portal_capacity;
    acp_pack_portal *portals;
} acp_pack_room;

typedef struct acp_pack {
    acp_json_input *input;
    acp_json_reader memory; /* for readers of values */
    acp_arena arena;
    acp_writer writer;
    const acp_json *definition;
    acp_scene_pack_options options;
    acp_scene_pack_report report;
    acp_dat_edit *portal;
    acp_dat_edit *cell;
    acp_pack_name *shapes;
    acp_pack_name *setups;
    acp_pack_room *rooms;
    uint32_t shape_count;
    uint32_t setup_count;
    uint32_t room_count;
    uint32_t room_capacity;
    uint32_t empty_shape_id; /* 0: not made yet */
    uint32_t next_shape_id;
    uint32_t next_setup_id;
    uint32_t next_environment_id;
} acp_pack;

void *acp_pack_allocate(acp_pack *p, size_t count, size_t size);
/* Tells a finding: a refusal, or with `can_adapt` and an adapting caller an adaptation. Whether to go on with the adaptation. */
bool acp_pack_find(acp_pack *p, bool can_adapt, const char *where, const char *message);
/* "gfx", a member: "gfx \"wall\"". Until the next call. */
const char *acp_pack_where(acp_pack *p, const char *list, const acp_json *member, char out[96]);
/* Encodes and puts one record. */
void acp_pack_put(acp_pack *p, acp_dat_edit *edit, acp_record_kind kind, uint32_t id, void *content);

/* Ids for all names; rooms of `structures`. */
void acp_pack_name_models(acp_pack *p);
/* Id of a mesh or model by name, 0 when there is none (told). */
uint32_t acp_pack_model_id(acp_pack *p, const acp_json *name, const char *where);
/* Record of a shape given in place; its id. */
uint32_t acp_pack_shape_in_place(acp_pack *p, const acp_json *json, const char *where);
/* Id of a mesh without anything. */
uint32_t acp_pack_empty_shape(acp_pack *p);
/* A setup of one mesh, scaled and posed; its id. */
uint32_t acp_pack_posed_setup(acp_pack *p, uint32_t shape_id, float scale, const acp_frame *pose);
acp_pack_room *acp_pack_find_room(acp_pack *p, const acp_json *name);
/* A further room, in no environment yet; the next one moves it. */
acp_pack_room *acp_pack_add_room(acp_pack *p, const acp_json *json);
/* Gives a room an environment of its own. */
void acp_pack_place_room(acp_pack *p, acp_pack_room *room);
/* The polygon id of a portal polygon in its room, added when it is new. */
uint32_t acp_pack_portal_polygon(acp_pack *p, acp_pack_room *room, const acp_vec3 *points, uint32_t count);
/* Records of all named models; the rooms, once every EnvCell has named its portals. */
void acp_pack_models(acp_pack *p);
void acp_pack_rooms(acp_pack *p);

#endif
