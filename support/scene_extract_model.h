/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_EXTRACT_MODEL_H
#define ACP_SUPPORT_SCENE_EXTRACT_MODEL_H

#include "acphys/population.h"
#include "dat/record.h"
#include "support/scene_extract.h"

/* The inside of scene_extract.c: an extraction under way, and its half that knows models. */

typedef struct acp_extract_ids { /* ascending, each once */
    uint64_t *items;
    uint32_t count;
    uint32_t capacity;
} acp_extract_ids;

typedef struct acp_extract {
    const acp_dat *portal;
    const acp_dat *cell;
    acp_scene_extract_options options;
    acp_scene_extract_report report;
    acp_error *error;
    acp_json_writer *out;
    acp_json_writer statics; /* elements, held until their list is written */
    acp_json_writer buildings;
    acp_json_writer restrictions;
    acp_dat_record bytes;
    acp_dat_source *source; /* of scenery; null: none is wanted */
    acp_extract_ids models; /* setups 0x02…, good ones */
    acp_extract_ids meshes; /* 0x01…, as setups and landblocks name them */
    acp_extract_ids refused;
    acp_extract_ids structures; /* environment id << 32 | ordinal */
    acp_record environment;     /* the one read last */
    acp_extract_ids gone;       /* environments that cannot be had */
    uint32_t environment_id;    /* 0: none */
} acp_extract;

bool acp_extract_has(const acp_extract_ids *ids, uint64_t id);
acp_result acp_extract_add(acp_extract_ids *ids, uint64_t id);
acp_result acp_extract_load(acp_extract *x, const acp_dat *dat, acp_record_kind kind, uint32_t id, acp_record *out_record);
void acp_extract_remark(acp_extract *x, const acp_dat *dat, uint32_t id, const char *field, const char *message);

/* The room of an environment, until the next call; null when it cannot be had (x->error says why). */
const acp_record_cell_structure *acp_extract_structure(acp_extract *x, uint32_t environment_id, uint32_t ordinal);
/* Takes a model with all its meshes into the sets, or refuses it as a whole. */
acp_result acp_extract_model(acp_extract *x, uint32_t model_id);
/* The members structures, setups, gfx. */
acp_result acp_extract_write_models(acp_extract *x);
void acp_extract_free_models(acp_extract *x);

/* Points of a polygon (at most 255); 0 when one of them is out of range (never hit, DAT-72). */
uint32_t acp_record_points(const acp_record_polygon *polygon, const acp_record_vertices *vertices, acp_vec3 *out_points);
/* {o, raw_q}, the latter only when it is not the identity. */
void acp_record_write_frame(acp_json_writer *out, const char *key, const acp_frame *frame);
void acp_record_write_frame_members(acp_json_writer *out, const acp_frame *frame);

#endif
