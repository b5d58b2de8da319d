/* SPDX-License-Identifier: MIT */
/* The list of areas of `eval` and `conform`: one line each. An operation's name may occur in one area only (a unit test sees to it). */
#include "tools/acphys/eval.h"

extern const acp_eval_area acp_eval_area_land;
extern const acp_eval_area acp_eval_area_frame;
extern const acp_eval_area acp_eval_area_position;
extern const acp_eval_area acp_eval_area_planebox;
extern const acp_eval_area acp_eval_area_polygon;
extern const acp_eval_area acp_eval_area_bsp;
extern const acp_eval_area acp_eval_area_wire;
extern const acp_eval_area acp_eval_area_terrain;
extern const acp_eval_area acp_eval_area_membership;
extern const acp_eval_area acp_eval_area_collision;
extern const acp_eval_area acp_eval_area_transition;
extern const acp_eval_area acp_eval_area_placement;
extern const acp_eval_area acp_eval_area_scenery;
extern const acp_eval_area acp_eval_area_physics;
extern const acp_eval_area acp_eval_area_physics_steps;
extern const acp_eval_area acp_eval_area_motion;

const acp_eval_area *const acp_eval_areas[] = {
    &acp_eval_area_land,
    &acp_eval_area_frame,
    &acp_eval_area_position,
    &acp_eval_area_planebox,
    &acp_eval_area_polygon,
    &acp_eval_area_bsp,
    &acp_eval_area_wire,
    &acp_eval_area_terrain,
    &acp_eval_area_membership,
    &acp_eval_area_collision,
    &acp_eval_area_transition,
    &acp_eval_area_placement,
    &acp_eval_area_scenery,
    &acp_eval_area_physics,
    &acp_eval_area_physics_steps,
    &acp_eval_area_motion,
    NULL,
};
