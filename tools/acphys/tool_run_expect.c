/* SPDX-License-Identifier: MIT */
/* What a scenario expects of its bodies (tool_run.h), looked at after every step.
 *
 * Of an expectation's parts the first that fails of a body at a step is told, with both values. Numbers with tolerance 0 are compared by
 * bits, so that -0 is not 0. Parts of an interval keep one memory per body, begun at the interval's first step, and are judged at its last.
 * The lists of cells are walked once per step that asks for it. Contract: between steps; reads only. Cost: linear in what is looked at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "base/error.h"
#include "body/body.h"
#include "tools/acphys/tool_run.h"
#include "tools/acphys/tool_run_restore.h"

#define END_PARTS (ACP_EXPECT_EVENT | ACP_EXPECT_CELL_PATH | ACP_EXPECT_MOVED | ACP_EXPECT_SUB_STEPS | ACP_EXPECT_ROWS | ACP_EXPECT_ROOMS)

static const char *const axis_names[] = {"x", "y", "z"};

typedef struct looked {
    acp_run *run;
    const acp_scenario_expectation *e;
    uint32_t number;
    uint32_t object;
    acp_run_memory *memory;
    acp_run_state state;
} looked;

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    uint64_t z = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return z ^ (z >> 29);
}

static uint64_t mix_vec3(uint64_t hash, acp_vec3 v) { return mix(mix(mix(hash, bits_of(v.x)), bits_of(v.y)), bits_of(v.z)); }

uint64_t acp_run_object_hash(const acp_run *run, uint32_t object) {
    acp_run_state s;
    acp_run_state_read(run, object, &s);
    uint64_t hash = mix(0, s.position.cell_id);
    const acp_quaternion *q = &s.position.frame.rotation;
    hash = mix(mix(mix(mix(hash, bits_of(q->w)), bits_of(q->x)), bits_of(q->y)), bits_of(q->z));
    hash = mix_vec3(mix_vec3(mix_vec3(mix_vec3(hash, s.position.frame.origin), s.velocity), s.acceleration), s.sliding_normal);
    hash = mix(mix(mix_vec3(hash, s.contact_plane.normal), bits_of(s.contact_plane.d)), s.contact_cell_id);
    hash = mix(mix(hash, s.state), s.transient_state);
    for (uint32_t i = 0; i < s.cell_count; i++)
        hash = mix(hash, s.cells[i]);
    return hash;
}

uint64_t acp_run_bodies_hash(const acp_run *run) {
    uint32_t words[ACP_SCENARIO_RANDOM_WORDS];
    uint64_t hash = 0, bits;
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        if (!run->objects[i].exists) continue;
        const acp_body_row *body = acp_body_find(run->world.world, run->objects[i].handle.index1 - 1);
        hash = mix(hash, acp_run_object_hash(run, i));
        if (!body) continue;
        memcpy(&bits, &body->update_time, sizeof bits);
        hash = mix(mix_vec3(mix_vec3(hash, body->cached_velocity), body->omega), bits);
        hash = mix(mix(hash, (uint64_t)bits_of(body->anchor_distance) << 32 | body->teleport_stamp), body->is_colliding_with_environment);
        hash = mix(hash, (uint64_t)body->is_lost << 2 | (uint64_t)body->has_expired << 1 | (uint64_t)body->is_in_world);
        for (uint32_t k = 0; k < body->touch_count; k++) {
            memcpy(&bits, &body->touches[k].time, sizeof bits);
            hash = mix(mix(mix(hash, body->touches[k].object_id), body->touches[k].is_ethereal), bits);
        }
    }
    acp_run_read_random(run, words);
    for (uint32_t i = 0; i < ACP_SCENARIO_RANDOM_WORDS; i++)
        hash = mix(hash, words[i]);
    double now = acp_world_now(run->world.world);
    memcpy(&bits, &now, sizeof bits);
    return mix(hash, bits);
}

/* ---- parts of a moment ---- */

static bool fail_vector(looked *l, const char *what, const acp_scenario_vector *wanted, acp_vec3 found) {
    float values[3] = {found.x, found.y, found.z};
    for (uint32_t i = 0; i < 3; i++) {
        if (!wanted->is_given[i]) continue;
        bool is_right = l->e->tolerance > 0.0f ? fabs((double)values[i] - (double)wanted->value[i]) <= (double)l->e->tolerance
                                               : bits_of(values[i]) == bits_of(wanted->value[i]);
        if (is_right) continue;
        acp_run_fail(l->run, l->object, l->number, "%s.%s is %.9g (%08lX), expected %.9g (%08lX)%s", what, axis_names[i], (double)values[i],
                     (unsigned long)bits_of(values[i]), (double)wanted->value[i], (unsigned long)bits_of(wanted->value[i]),
                     l->e->tolerance > 0.0f ? " within the tolerance" : "");
        return true;
    }
    return false;
}

static bool fail_bounds(looked *l) {
    float values[3] = {l->state.position.frame.origin.x, l->state.position.frame.origin.y, l->state.position.frame.origin.z};
    for (uint32_t i = 0; i < 3; i++) {
        bool is_low = (l->e->parts & ACP_EXPECT_MIN) && l->e->low.is_given[i] && !(values[i] >= l->e->low.value[i]);
        bool is_high = (l->e->parts & ACP_EXPECT_MAX) && l->e->high.is_given[i] && !(values[i] <= l->e->high.value[i]);
        if (!is_low && !is_high) continue;
        acp_run_fail(l->run, l->object, l->number, "%s is %.9g, expected at %s %.9g", axis_names[i], (double)values[i],
                     is_low ? "least" : "most", (double)(is_low ? l->e->low.value[i] : l->e->high.value[i]));
        return true;
    }
    return false;
}

static bool fail_cells(looked *l) {
    const acp_scenario_expectation *e = l->e;
    const acp_run_state *s = &l->state;
    uint32_t id = s->position.cell_id;
    if ((e->parts & ACP_EXPECT_CELL) && !acp_run_has_id(e->cells, e->cell_count, id)) {
        acp_run_fail(l->run, l->object, l->number, "cell is 0x%08lX, expected %s0x%08lX", (unsigned long)id,
                     e->cell_count > 1 ? "one of several, the first " : "", (unsigned long)(e->cell_count ? e->cells[0] : 0));
        return true;
    }
    if ((e->parts & ACP_EXPECT_CELLS) && s->cell_count != e->row_count) {
        acp_run_fail(l->run, l->object, l->number, "it is registered in %lu cells, expected %lu (the first 0x%08lX)",
                     (unsigned long)s->cell_count, (unsigned long)e->row_count, (unsigned long)(s->cell_count ? s->cells[0] : 0));
        return true;
    }
    for (uint32_t i = 0; (e->parts & (ACP_EXPECT_CELLS | ACP_EXPECT_CELLS_INCLUDE)) && i < e->row_count; i++) {
        bool is_right = e->parts & ACP_EXPECT_CELLS ? s->cells[i] == e->rows[i] : acp_run_has_id(s->cells, s->cell_count, e->rows[i]);
        if (is_right) continue;
        acp_run_fail(l->run, l->object, l->number, "cell %lu of its list is not 0x%08lX", (unsigned long)i, (unsigned long)e->rows[i]);
        return true;
    }
    return false;
}

static bool fail_words(looked *l) {
    const acp_scenario_expectation *e = l->e;
    uint32_t words = l->state.transient_state & e->word_mask, state = l->state.state & e->state_mask;
    if ((e->parts & ACP_EXPECT_WORDS) && words != e->words) {
        acp_run_fail(l->run, l->object, l->number, "the transient word has 0x%03lX of 0x%03lX, expected 0x%03lX", (unsigned long)words,
                     (unsigned long)e->word_mask, (unsigned long)e->words);
        return true;
    }
    if ((e->parts & ACP_EXPECT_STATE) && state != e->state) {
        acp_run_fail(l->run, l->object, l->number, "the state word has 0x%08lX of 0x%08lX, expected 0x%08lX", (unsigned long)state,
                     (unsigned long)e->state_mask, (unsigned long)e->state);
        return true;
    }
    if ((e->parts & ACP_EXPECT_LOST) && l->state.is_lost != e->is_lost) {
        acp_run_fail(l->run, l->object, l->number, "it is %slost", l->state.is_lost ? "" : "not ");
        return true;
    }
    if ((e->parts & ACP_EXPECT_CONTACT_CELL) && l->state.contact_cell_id != e->contact_cell_id) {
        acp_run_fail(l->run, l->object, l->number, "the contact plane's cell is 0x%08lX, expected 0x%08lX",
                     (unsigned long)l->state.contact_cell_id, (unsigned long)e->contact_cell_id);
        return true;
    }
    return false;
}

static bool fail_speed(looked *l) {
    acp_vec3 v = l->state.velocity;
    double speed = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
    if (!(l->e->parts & ACP_EXPECT_SPEED) || speed <= (double)l->e->speed_limit) return false;
    acp_run_fail(l->run, l->object, l->number, "the speed is %.9g, expected at most %.9g", speed, (double)l->e->speed_limit);
    return true;
}

static bool fail_steady(looked *l) {
    if ((l->e->parts & ACP_EXPECT_UNCHANGED) && acp_run_object_hash(l->run, l->object) != l->memory->hash) {
        acp_run_fail(l->run, l->object, l->number, "it is not as it was at step %lu", (unsigned long)l->e->when.from);
        return true;
    }
    if (!(l->e->parts & ACP_EXPECT_SAME)) return false;
    acp_vec3 now = l->state.position.frame.origin, was = l->memory->position.frame.origin;
    float values[3] = {now.x, now.y, now.z}, before[3] = {was.x, was.y, was.z};
    for (uint32_t i = 0; i < 3; i++) {
        if (!(l->e->same_axes & 1u << i) || bits_of(values[i]) == bits_of(before[i])) continue;
        acp_run_fail(l->run, l->object, l->number, "%s is %.9g (%08lX), at step %lu it was %.9g (%08lX)", axis_names[i], (double)values[i],
                     (unsigned long)bits_of(values[i]), (unsigned long)l->e->when.from, (double)before[i],
                     (unsigned long)bits_of(before[i]));
        return true;
    }
    return false;
}

static bool fail_membership(looked *l) {
    char text[128];
    if (!(l->e->parts & ACP_EXPECT_MEMBERSHIP) || !acp_run_misses_cell(l->run, l->object, text, sizeof text)) return false;
    acp_run_fail(l->run, l->object, l->number, "%s", text);
    return true;
}

static void look_at_moment(looked *l) {
    const acp_scenario_expectation *e = l->e;
    l->run->checks++;
    if ((e->parts & ACP_EXPECT_ORIGIN) && fail_vector(l, "o", &e->origin, l->state.position.frame.origin)) return;
    if (fail_bounds(l) || fail_cells(l) || fail_words(l) || fail_speed(l) || fail_steady(l) || fail_membership(l)) return;
    if ((e->parts & ACP_EXPECT_NORMAL) && fail_vector(l, "normal", &e->normal, l->state.contact_plane.normal)) return;
    if ((e->parts & ACP_EXPECT_VELOCITY) && fail_vector(l, "velocity", &e->velocity, l->state.velocity)) return;
    if ((e->parts & ACP_EXPECT_CACHED) && fail_vector(l, "cached_velocity", &e->cached_velocity, l->state.cached_velocity)) return;
    if (e->parts & ACP_EXPECT_SLIDING_NORMAL) (void)fail_vector(l, "sliding_normal", &e->sliding_normal, l->state.sliding_normal);
}

/* ---- parts of an interval ---- */

static bool is_other(const looked *l, const acp_event *event) {
    const acp_scenario_expectation *e = l->e;
    if (e->event_other == ACP_SCENARIO_ALL) return true;
    const acp_scenario_body *body = &l->run->scenario->bodies[e->event_other];
    for (uint32_t i = body->first; i < body->first + body->count; i++)
        if (l->run->objects[i].handle.index1 == event->other.index1 && l->run->objects[i].handle.generation == event->other.generation)
            return true;
    return false;
}

static void count_events(looked *l) {
    const acp_scenario_expectation *e = l->e;
    acp_object handle = l->run->objects[l->object].handle;
    for (uint32_t i = 0; i < l->run->event_count; i++) {
        const acp_event *event = &l->run->events[i];
        if (event->kind != e->event || event->object.index1 != handle.index1 || event->object.generation != handle.generation) continue;
        if (!is_other(l, event)) continue;
        l->memory->event_count++;
        (void)fail_vector(l, "event_velocity", &e->event_velocity, event->velocity);
    }
}

/* The path holds the cells in the order in which they come; staying in one is no step of it. */
static void follow_path(looked *l) {
    uint32_t id = l->state.position.cell_id;
    if (l->memory->is_off_path || id == l->memory->path_cell) return;
    l->memory->path_cell = id;
    if (l->memory->path_at < l->e->path_count && l->e->path[l->memory->path_at] == id) {
        l->memory->path_at++;
        return;
    }
    l->memory->is_off_path = true;
    acp_run_fail(l->run, l->object, l->number, "it came to cell 0x%08lX, number %lu of its path; expected 0x%08lX", (unsigned long)id,
                 (unsigned long)l->memory->path_at,
                 (unsigned long)(l->memory->path_at < l->e->path_count ? l->e->path[l->memory->path_at] : 0));
}

static void look_at_end(looked *l) {
    const acp_scenario_expectation *e = l->e;
    acp_run_memory *m = l->memory;
    l->run->checks++;
    if ((e->parts & ACP_EXPECT_EVENT) && (m->event_count < e->event_min || m->event_count > e->event_max))
        acp_run_fail(l->run, l->object, l->number, "%lu events %s, expected %s%lu", (unsigned long)m->event_count,
                     acp_scenario_event_name(e->event), e->event_max == UINT32_MAX ? "at least " : "", (unsigned long)e->event_min);
    if ((e->parts & ACP_EXPECT_CELL_PATH) && !m->is_off_path && m->path_at != e->path_count)
        acp_run_fail(l->run, l->object, l->number, "it went through %lu cells of its path of %lu", (unsigned long)m->path_at,
                     (unsigned long)e->path_count);
    if (e->parts & ACP_EXPECT_MOVED) {
        const acp_position *a = &m->position, *b = &l->state.position;
        double dx =
            (double)b->frame.origin.x - (double)a->frame.origin.x + 192.0 * ((double)(b->cell_id >> 24) - (double)(a->cell_id >> 24));
        double dy = (double)b->frame.origin.y - (double)a->frame.origin.y +
                    192.0 * ((double)((b->cell_id >> 16) & 0xFFu) - (double)((a->cell_id >> 16) & 0xFFu));
        double way = sqrt(dx * dx + dy * dy);
        if (way < (double)e->moved_min || way > (double)e->moved_max)
            acp_run_fail(l->run, l->object, l->number, "it moved %.9g m, expected %.9g to %.9g", way, (double)e->moved_min,
                         (double)e->moved_max);
    }
}

static void look_at_sub_steps(acp_run *run, uint32_t number) {
    const acp_scenario_expectation *e = &run->scenario->expectations[number];
    uint64_t count = run->sub_steps - run->sub_steps_at[number];
    run->checks++;
    if (count < e->sub_step_min || count > e->sub_step_max)
        acp_run_fail(run, UINT32_MAX, number, "%llu sub-steps, expected %lu to %lu", (unsigned long long)count,
                     (unsigned long)e->sub_step_min, (unsigned long)e->sub_step_max);
}

/* A comparison with nothing to compare would hold. */
static void look_at_rooms(acp_run *run, uint32_t number) {
    const acp_scenario_expectation *e = &run->scenario->expectations[number];
    run->checks++;
    if (run->rooms_seen < e->room_min)
        acp_run_fail(run, UINT32_MAX, number, "membership was held against %llu rooms, expected at least %lu",
                     (unsigned long long)run->rooms_seen, (unsigned long)e->room_min);
}

static void look_at_rows(acp_run *run, uint32_t number, bool is_last) {
    acp_membership_counters counters = acp_membership_get_counters(run->world.world);
    uint64_t count = counters.pair_count + counters.null_row_count;
    if (run->step == run->scenario->expectations[number].when.from) run->rows_at[number] = count;
    if (!is_last) return;
    run->checks++;
    if (count != run->rows_at[number])
        acp_run_fail(run, UINT32_MAX, number, "%llu rows, at step %lu there were %llu", (unsigned long long)count,
                     (unsigned long)run->scenario->expectations[number].when.from, (unsigned long long)run->rows_at[number]);
}

/* ---- all ---- */

static uint32_t objects_of(const acp_run *run, const acp_scenario_expectation *e, uint32_t *out_first) {
    if (e->body == ACP_SCENARIO_ALL) {
        *out_first = 0;
        return run->scenario->object_count;
    }
    *out_first = run->scenario->bodies[e->body].first;
    return run->scenario->bodies[e->body].count;
}

static void look(acp_run *run, uint32_t number) {
    const acp_scenario_expectation *e = &run->scenario->expectations[number];
    uint32_t last = e->when.to < run->steps ? e->when.to : run->steps, first_object;
    uint32_t count = objects_of(run, e, &first_object);
    bool is_due = (run->step - e->when.from) % e->when.every == 0, is_last = run->step == last;
    if (run->step < e->when.from || run->step > last) return;
    for (uint32_t i = 0; i < count; i++) {
        looked l = {.run = run, .e = e, .number = number, .object = first_object + i, .memory = &run->memories[number][i]};
        if (!run->objects[l.object].exists) continue;
        acp_run_state_read(run, l.object, &l.state);
        if (!l.memory->is_begun) {
            l.memory->is_begun = true;
            l.memory->position = l.state.position;
            if (e->parts & ACP_EXPECT_UNCHANGED) l.memory->hash = acp_run_object_hash(run, l.object);
        }
        if (e->parts & ACP_EXPECT_EVENT) count_events(&l);
        if (e->parts & ACP_EXPECT_CELL_PATH) follow_path(&l);
        if (is_due && (e->parts & ~(uint32_t)END_PARTS)) look_at_moment(&l);
        if (is_last && (e->parts & END_PARTS)) look_at_end(&l);
    }
    if (is_last && (e->parts & ACP_EXPECT_SUB_STEPS)) look_at_sub_steps(run, number);
    if (is_last && (e->parts & ACP_EXPECT_ROOMS)) look_at_rooms(run, number);
    if (e->parts & ACP_EXPECT_ROWS) look_at_rows(run, number, is_last);
    acp_error error;
    if (is_due && (e->parts & ACP_EXPECT_MEMBERSHIP) && acp_membership_check(run->world.world, &error) != ACP_OK)
        acp_run_fail(run, UINT32_MAX, number, "the lists of cells: %.180s", error.message);
}

void acp_run_look(acp_run *run) {
    const acp_scenario *s = run->scenario;
    for (uint32_t i = 0; i < s->expectation_count; i++) {
        if (run->step + 1 == s->expectations[i].when.from || (run->step == 0 && s->expectations[i].when.from == 0))
            run->sub_steps_at[i] = run->sub_steps;
        if (run->step == 0 && s->expectations[i].when.from <= 1) run->sub_steps_at[i] = 0;
        look(run, i);
    }
}

bool acp_run_make_memories(acp_run *run) {
    const acp_scenario *s = run->scenario;
    run->memories = calloc((size_t)s->expectation_count + 1, sizeof *run->memories);
    run->sub_steps_at = calloc((size_t)s->expectation_count + 1, sizeof *run->sub_steps_at);
    run->rows_at = calloc((size_t)s->expectation_count + 1, sizeof *run->rows_at);
    bool is_good = run->memories && run->sub_steps_at && run->rows_at;
    for (uint32_t i = 0; is_good && i < s->expectation_count; i++) {
        uint32_t first, count = objects_of(run, &s->expectations[i], &first);
        run->memories[i] = calloc((size_t)count + 1, sizeof **run->memories);
        is_good = run->memories[i] != NULL;
    }
    if (!is_good) run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "memory refused");
    return is_good;
}

void acp_run_free_memories(acp_run *run) {
    for (uint32_t i = 0; run->memories && run->scenario && i < run->scenario->expectation_count; i++)
        free(run->memories[i]);
    free(run->memories);
    free(run->sub_steps_at);
    free(run->rows_at);
    run->rows_at = NULL;
    run->memories = NULL;
    run->sub_steps_at = NULL;
}
