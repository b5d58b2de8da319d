/* SPDX-License-Identifier: MIT */
#ifndef ACP_DEMO_RESIDENT_H
#define ACP_DEMO_RESIDENT_H

#include "acphys/transition.h"
#include "acphys/world.h"
#include "demo/demo.h"

/* The miniature world made resident, and a walker in it: what the tour and the tests share. One thread. */

typedef struct acp_demo_world acp_demo_world;

/* Opens both DATs strictly and makes an empty world over them. `demo` must outlive it. */
acp_result acp_demo_world_create(const acp_demo *demo, const acp_allocator *allocator, acp_demo_world **out_world, acp_error *error);
void acp_demo_world_destroy(acp_demo_world *world);
acp_world *acp_demo_world_get(acp_demo_world *world);
const acp_dat *acp_demo_world_dat(const acp_demo_world *world, uint32_t data_set);

/* The landblocks of the cell DAT, ascending, as 0xXXYY0000. */
const uint32_t *acp_demo_world_blocks(const acp_demo_world *world, uint32_t *out_count);
/* Publishes a landblock with all that is in it. DUPLICATE when it is resident. */
acp_result acp_demo_world_publish(acp_demo_world *world, uint32_t block_id, acp_error *error);
acp_result acp_demo_world_publish_all(acp_demo_world *world, acp_error *error);
acp_result acp_demo_world_retire(acp_demo_world *world, uint32_t block_id, acp_error *error);

/* Bytes that its containers, assets and landblocks take now. */
uint64_t acp_demo_world_byte_count(const acp_demo_world *world);

/* The setup of a model id. */
acp_result acp_demo_world_get_setup(acp_demo_world *world, uint32_t model_id, const acp_setup **out_setup, acp_error *error);
/* Creates and registers what a place names as its model; `state` is added to the default state word. */
acp_result acp_demo_world_put(acp_demo_world *world, const acp_demo_place *place, uint32_t object_id, uint32_t state,
                              acp_object *out_object, acp_error *error);

/* ---- a walker: the human of the world, one transition per step, contact carried from step to step ---- */

#define ACP_DEMO_HUMAN 0x02000001u
#define ACP_DEMO_STEP  0.12 /* metres a step */

typedef struct acp_demo_walker {
    acp_demo_world *world;
    acp_transition_context *context;
    acp_mover mover;
    acp_position position;
    acp_move_result last; /* pointers are dead after the next step */
    /* what the last step was asked for: the mover as it was, from where, to where */
    acp_mover asked_mover;
    acp_position asked_from, asked_to;
} acp_demo_walker;

acp_result acp_demo_walker_begin(acp_demo_walker *walker, acp_demo_world *world, acp_error *error);
void acp_demo_walker_end(acp_demo_walker *walker);
/* Stands the walker at a position: its environment settles it (acp_place). The verdict is in last. */
acp_result acp_demo_walker_stand(acp_demo_walker *walker, const acp_position *at, acp_error *error);
/* One transition by an offset in the axes of its landblock. */
acp_result acp_demo_walker_step(acp_demo_walker *walker, double x, double y, double z, acp_error *error);
/* Steps straight towards x, y of a landblock until it is there or `step_limit` steps are done; *out_steps says how many. True at the end
 * when it is within one step. `on_step` is called after each step; may be null. */
typedef void (*acp_demo_step_function)(void *user, const acp_demo_walker *walker);
acp_result acp_demo_walker_go(acp_demo_walker *walker, uint32_t block_id, double x, double y, uint32_t step_limit,
                              acp_demo_step_function on_step, void *user, bool *out_arrived, acp_error *error);

#endif
