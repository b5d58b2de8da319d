/* SPDX-License-Identifier: MIT */
/* The capture of the tour: one line with the scene of the landblocks it visits, then a line for each step: the request as `eval` reads it,
 * with exact bits, and the answer that `eval` gives. The answer is computed through the scene, not taken from the walk, and compared with
 * it: so the files, the scene made of them, and the resident world are held against each other. */
#include <stdlib.h>
#include <string.h>

#include "support/json_values.h"
#include "support/scene_extract.h"
#include "tools/acphys/eval.h"
#include "tools/acphys/tool_tour.h"

#define SCENE "tour"

struct acp_tour_recorder {
    acp_eval *eval;
    acp_json_writer request, answer;
    acp_json_reader reader;
    uint32_t steps, different;
};

static const uint32_t blocks[] = {0x52520000u, 0x52530000u, 0x53520000u, 0x53530000u, 0x70200000u, 0xA0A00000u};

static void forget(acp_tour *t) {
    if (!t->recorder) return;
    acp_eval_free(t->recorder->eval);
    acp_json_writer_free(&t->recorder->request);
    acp_json_writer_free(&t->recorder->answer);
    acp_json_reader_free(&t->recorder->reader);
    free(t->recorder);
    t->recorder = NULL;
}

static bool refuse(acp_tour *t, acp_result result) {
    forget(t);
    t->has_failed = true;
    t->error.code = result;
    return false;
}

bool acp_tour_begin_capture(acp_tour *t) {
    struct acp_tour_recorder *r = calloc(1, sizeof *r);
    acp_scene_extract_options options = {.name = SCENE, .block_ids = blocks, .block_count = sizeof blocks / sizeof blocks[0]};
    acp_scene_extract_report report;
    bool is_error = false;
    t->recorder = r;
    if (!r || !(r->eval = acp_eval_new())) return refuse(t, ACP_ERROR_OUT_OF_MEMORY);
    r->request.float_form = ACP_JSON_DECIMAL_AND_HEX;
    r->answer.float_form = ACP_JSON_DECIMAL_AND_HEX;
    acp_json_begin_object(&r->request, NULL);
    acp_json_write_string(&r->request, "op", "scene");
    acp_json_writer scene = {.float_form = ACP_JSON_DECIMAL_AND_HEX};
    acp_result result = acp_scene_extract(acp_demo_world_dat(t->world, ACP_DAT_PORTAL), acp_demo_world_dat(t->world, ACP_DAT_CELL),
                                          &options, &scene, &report, &t->error);
    acp_json_write_raw(&r->request, "in", scene.text, result == ACP_OK ? scene.length : 0);
    acp_json_writer_free(&scene);
    acp_json_end_object(&r->request);
    acp_json_end_line(&r->request);
    if (result == ACP_OK) result = acp_eval_answer(r->eval, r->request.text, r->request.length, &r->answer, &is_error);
    if (result != ACP_OK || is_error || r->request.is_failed) return refuse(t, result != ACP_OK ? result : ACP_ERROR_INTERNAL);
    acp_json_write_piece(&t->capture, r->request.text, r->request.length);
    return true;
}

static void write_mover(acp_json_writer *out, const acp_mover *m) {
    acp_json_begin_object(out, "object");
    acp_json_begin_array(out, "spheres");
    for (uint32_t i = 0; i < m->sphere_count; i++)
        acp_json_write_sphere(out, NULL, m->spheres[i]);
    acp_json_end_array(out);
    acp_json_write_float(out, "step_up", m->step_up_height);
    acp_json_write_float(out, "step_down", m->step_down_height);
    acp_json_write_flag(out, "free_heading", m->allows_free_heading != 0);
    acp_json_write_id(out, "state", m->state);
    acp_json_write_id(out, "transient", m->transient_state);
    acp_json_write_vec3(out, "velocity", m->velocity);
    if (m->transient_state & ACP_TRANSIENT_SLIDING) acp_json_write_vec3(out, "sliding_normal", m->sliding_normal);
    if (m->transient_state & ACP_TRANSIENT_CONTACT) {
        acp_json_begin_object(out, "contact_plane");
        acp_json_write_vec3(out, "n", m->contact.plane.normal);
        acp_json_write_float(out, "d", m->contact.plane.d);
        acp_json_write_id(out, "cell", m->contact.cell_id);
        acp_json_end_object(out);
    }
    acp_json_end_object(out);
}

/* Does the answer end where the walker did? */
static bool is_same(struct acp_tour_recorder *r, const acp_demo_walker *walker) {
    acp_json_fault fault;
    const acp_json *line = acp_json_read(&r->reader, r->answer.text, r->answer.length, &fault), *out = acp_json_member(line, "out");
    acp_json_input in = {ACP_OK, NULL};
    if (!out) return false;
    if (!acp_json_get_flag(&in, out, "ok")) return !walker->last.has_position;
    acp_vec3 o = acp_json_get_vec3(&in, out, "o");
    uint32_t cell_id = acp_json_get_id(&in, out, "cell");
    return !acp_json_is_failed(&in) && cell_id == walker->position.cell_id && memcmp(&o, &walker->position.frame.origin, sizeof o) == 0;
}

void acp_tour_record_step(acp_tour *t, const acp_demo_walker *walker) {
    struct acp_tour_recorder *r = t->recorder;
    bool is_error = false;
    if (!r || t->has_failed) return;
    acp_json_writer_reset(&r->request);
    acp_json_writer_reset(&r->answer);
    acp_json_begin_object(&r->request, NULL);
    acp_json_write_uint(&r->request, "id", ++r->steps);
    acp_json_write_string(&r->request, "op", "transition");
    acp_json_begin_object(&r->request, "in");
    acp_json_write_string(&r->request, "scene", SCENE);
    write_mover(&r->request, &walker->asked_mover);
    acp_json_write_position(&r->request, "from", &walker->asked_from);
    acp_json_write_position(&r->request, "to", &walker->asked_to);
    acp_json_end_object(&r->request);
    acp_json_end_object(&r->request);
    if (acp_eval_answer(r->eval, r->request.text, r->request.length, &r->answer, &is_error) != ACP_OK || is_error) {
        r->different++;
        return;
    }
    if (!is_same(r, walker)) r->different++;
    const char *out = strstr(acp_json_writer_text(&r->answer), "\"out\":");
    if (!out || r->request.is_failed || r->request.length < 2) {
        r->different++;
        return;
    }
    acp_json_write_piece(&t->capture, r->request.text, r->request.length - 1u); /* without its closing bracket */
    acp_json_write_piece(&t->capture, ",", 1);
    acp_json_write_piece(&t->capture, out, strlen(out)); /* "out":{…}} and the line's end */
}

void acp_tour_end_capture(acp_tour *t, uint32_t *out_steps, uint32_t *out_different) {
    *out_steps = t->recorder ? t->recorder->steps : 0;
    *out_different = t->recorder ? t->recorder->different : 0;
    forget(t);
}
