/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_CHECK_H
#define ACP_SUPPORT_SCENE_CHECK_H

#include "support/scene.h"

/* Looks a scene over for what makes the client's algorithms go wrong, or is unusual (spec 11). */

typedef struct acp_scene_finding {
    bool is_fault;     /* else a remark */
    const char *rule;  /* "AUT-22" */
    const char *where; /* "envcells 0xA9B40100" */
    const char *message;
} acp_scene_finding;

typedef struct acp_scene_check_options {
    void (*on_finding)(void *user, const acp_scene_finding *finding);
    void *user;
} acp_scene_check_options;

typedef struct acp_scene_check_report {
    uint32_t faults;
    uint32_t remarks;
} acp_scene_check_report;

/* `scene` is built of `definition`. Faults of form go into the input. */
void acp_scene_check(acp_json_input *input, const acp_scene *scene, const acp_json *definition, const acp_scene_check_options *options,
                     acp_scene_check_report *out_report);

#endif
