/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_TICK_H
#define ACP_BODY_TICK_H

#include "body/stepper.h"

/* A tick at work. */
typedef struct acp_body_tick {
    acp_world *world;
    acp_stepper *stepper;
    acp_body_column *column;
    acp_step_report *report;
} acp_body_tick;

/* Every body, at the same time where that is allowed (D9); false: it is not, or memory was refused, and nothing was done. */
bool acp_body_tick_beside(acp_body_tick *tick);

/* Whether a body may move in this tick. A sleeping body has no time of its own: waking gives it now, so that the time it sleeps is not
 * kept (PHO-7). Counts it. */
bool acp_body_tick_wakes(acp_body_tick *tick, uint32_t index, acp_body_row *body);

/* What became of a step, for the report. */
void acp_body_tick_note(acp_body_tick *tick, const acp_body_step *step, acp_result result);

/* Bodies whose cell went are lost; lost ones whose cell came are placed (D26, 09 POP-14). */
void acp_body_tick_find_lost(acp_body_tick *tick);

#endif
