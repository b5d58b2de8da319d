/* SPDX-License-Identifier: MIT */
/* Random moves in scenes (slopes, a room with pillars, a house with stairs, a dungeon, a rock arch, posts: S1 to S6 of
 * ../shared/bench-scenes; and EnvCells in a row with boxes, steps and posts in them): a walker that starts free of everything must not end
 * in something it did not start in.
 *
 * Judged without the movement code. Meshes and posts: both spheres, smaller by 2 cm, against the scene as a soup of plain triangles and
 * cylinders (acphys/soup.h). Land: the walker's low point no more than 2 cm under it, for land is met with that point only, by the one
 * triangle below (05 OCD-12); a sphere on a slope does reach into it. Rooms: the spheres, smaller by 2 cm, against walls and boxes as
 * arithmetic. Walks of up to twelve moves, one in five of them through the air, start where acp_place stands the walker on a random floor.
 * An offender is printed as a minimal capture (its start, wish and state, alone) and fails the test. A sample by default; ACP_TEST_MOVES
 * sets the number of moves. The scenes are skipped without ../shared. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/bench_world.h"
#include "tests/support/random.h"
#include "tests/support/small_world.h"
#include "tests/support/solid.h"

enum { SCENES = 6, WALK = 12, SAMPLE = 70000 };

#define TOLERANCE  0.02
#define START_FREE 0.003

static uint32_t move_count(void) {
    const char *text = getenv("ACP_TEST_MOVES");
    return text ? (uint32_t)strtoul(text, NULL, 10) : SAMPLE;
}

/* What is judged: how deep a walker at a place reaches into something, at least; negative when it is farther than `reach` from all. */
typedef struct judge {
    const acp_bench_scene *scene; /* null: rooms */
    const acp_bench_world *world;
    const test_world *rooms;
} judge;

/* ---- scenes ---- */

/* Does a sphere of the walker, smaller by `less`, overlap a mesh or post? */
static int is_in_mesh(const acp_bench_world *w, const acp_mover *walker, acp_vec3 at, double less) {
    for (uint32_t i = 0; i < 2; i++) {
        acp_vec3 center = {at.x, at.y, at.z + walker->spheres[i].center.z};
        acp_soup_hit hit;
        int32_t is_found = 0;
        assert_int_equal(acp_soup_sweep_first_hit(w->soup, center, center, (float)((double)walker->spheres[i].radius - less),
                                                  ACP_RAY_BOTH_FACES, &hit, &is_found),
                         ACP_OK);
        if (is_found) return 1;
    }
    return 0;
}

/* How far the walker's low point is below the land. */
static double sunk(const acp_bench_world *w, const acp_position *at) {
    float z;
    acp_vec3 normal;
    assert_int_equal(acp_terrain_height_at(w->terrain, at, &z, &normal), ACP_OK);
    return (double)z - ((double)at->frame.origin.z - 0.005);
}

/* ---- rooms ---- */

enum { ROOM_COUNT = 3, THING_COUNT = 12 };
#define BLOCK_ID 0xA8B40000u
static const double room_low[3] = {100, 100, 10}, room_high[3] = {124, 108, 14}; /* three rooms of 8 m in a row */

static test_solid things[THING_COUNT];

static int is_in_room_things(const acp_mover *walker, acp_vec3 at, double less) {
    for (uint32_t i = 0; i < 2; i++) {
        double p[3] = {(double)at.x, (double)at.y, (double)at.z + (double)walker->spheres[i].center.z};
        double reach = (double)walker->spheres[i].radius - less;
        for (int axis = 0; axis < 3; axis++)
            if (p[axis] - room_low[axis] < reach || room_high[axis] - p[axis] < reach) return 1;
        for (uint32_t k = 0; k < THING_COUNT; k++)
            if (test_solid_distance(&things[k], room_low[2], p[0], p[1], p[2]) < reach) return 1;
    }
    return 0;
}

static test_world *make_rooms(test_random *random) {
    static const test_room rooms[ROOM_COUNT] = {{0x100, {100, 100, 10}, {8, 8, 4}, 0, 0x101, 0},
                                                {0x101, {108, 100, 10}, {8, 8, 4}, 0, 0x102, 0x100},
                                                {0x102, {116, 100, 10}, {8, 8, 4}, 0, 0, 0x101}};
    test_world *world = test_world_new();
    test_world_block(world, BLOCK_ID, NULL, 0, 0, rooms, ROOM_COUNT);
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        test_solid *s = &things[i];
        s->x = (double)(float)(101.0 + 2.0 * i - (i % 2) + test_random_in(random, 0, 1.0));
        s->y = (double)(float)(101.5 + 2.0 * (i % 3) + test_random_in(random, 0, 1.0));
        s->half_x = test_random_in(random, 0.2, 0.6);
        s->half_y = i % 3 == 2 ? 0 : test_random_in(random, 0.2, 0.6);
        s->height = i % 2 ? test_random_in(random, 0.1, 0.55) : test_random_in(random, 0.7, 3.5);
        test_solid_stand(s, world, BLOCK_ID | (0x100u + (s->x < 108 ? 0 : (s->x < 116 ? 1 : 2))), room_low[2], 1 + i);
    }
    return world;
}

/* ---- walks ---- */

static int is_in_something(const judge *j, const acp_mover *walker, const acp_position *at, double less) {
    if (j->scene == NULL) return is_in_room_things(walker, at->frame.origin, less);
    return is_in_mesh(j->world, walker, acp_bench_world_point(j->world, at), less) || sunk(j->world, at) > less;
}

static acp_position random_floor(const judge *j, test_random *random, acp_mover *walker) {
    if (j->scene == NULL) {
        double x = test_random_in(random, 100.5, 123.5);
        uint32_t cell = BLOCK_ID | (0x100u + (x < 108 ? 0 : (x < 116 ? 1 : 2)));
        *walker = test_human(cell, 10);
        return test_position(cell, x, test_random_in(random, 100.5, 107.5), 10.01);
    }
    const uint32_t *t = &j->scene->triangles[3 * (size_t)test_random_below(random, j->scene->triangle_count)];
    acp_vec3 a = j->scene->vertices[t[0]], b = j->scene->vertices[t[1]], c = j->scene->vertices[t[2]];
    double u = test_random_in(random, 0, 1), v = test_random_in(random, 0, 1);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    *walker = acp_bench_world_walker(j->world);
    return acp_bench_world_position(j->world, (double)a.x + u * ((double)b.x - (double)a.x) + v * ((double)c.x - (double)a.x),
                                    (double)a.y + u * ((double)b.y - (double)a.y) + v * ((double)c.y - (double)a.y),
                                    (double)a.z + u * ((double)b.z - (double)a.z) + v * ((double)c.z - (double)a.z) + 0.01);
}

static const acp_world *world_of(const judge *j) { return j->scene ? j->world->world : j->rooms->world; }

/* Stands the walker on a random floor; 0 when there is no room or ground. */
static int start_walk(const judge *j, acp_transition_context *context, test_random *random, acp_mover *walker, acp_position *out_at) {
    acp_move_result result;
    acp_position at = random_floor(j, random, walker);
    walker->transient_state = 0;
    if (at.cell_id == 0 || acp_place(context, world_of(j), walker, &at, 0, &result, NULL) != ACP_OK || !result.has_position) return 0;
    if (!result.contact.is_valid || result.contact.plane.normal.z < 0.664174139f) return 0;
    walker->transient_state = ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE;
    walker->contact = result.contact;
    *out_at = result.position;
    return 1;
}

/* What the body keeps of a move. */
static void carry(acp_mover *walker, const acp_move_result *result) {
    walker->transient_state = 0;
    if (result->contact.is_valid) walker->transient_state |= ACP_TRANSIENT_CONTACT;
    if (result->mover_state & ACP_MOVER_ON_WALKABLE) walker->transient_state |= ACP_TRANSIENT_ON_WALKABLE;
    if (result->has_sliding_normal) walker->transient_state |= ACP_TRANSIENT_SLIDING;
    walker->contact = result->contact;
    walker->sliding_normal = result->sliding_normal;
}

typedef struct tally {
    uint32_t moves, hindered, close, offenders;
} tally;

static void print_capture(const char *scene, const acp_position *from, const acp_position *to, const acp_mover *walker,
                          const acp_move_result *result) {
    acp_vec3 a = from->frame.origin, b = to->frame.origin, c = result->position.frame.origin;
    print_message("%s: ends in something: from %08X (%.9g, %.9g, %.9g) to %08X (%.9g, %.9g, %.9g), transient %X, ground (%.9g, %.9g, %.9g, "
                  "%.9g) of %08X; ends %08X (%.9g, %.9g, %.9g), state %X, verdict %u\n",
                  scene, (unsigned)from->cell_id, (double)a.x, (double)a.y, (double)a.z, (unsigned)to->cell_id, (double)b.x, (double)b.y,
                  (double)b.z, (unsigned)walker->transient_state, (double)walker->contact.plane.normal.x,
                  (double)walker->contact.plane.normal.y, (double)walker->contact.plane.normal.z, (double)walker->contact.plane.d,
                  (unsigned)walker->contact.cell_id, (unsigned)result->position.cell_id, (double)c.x, (double)c.y, (double)c.z,
                  (unsigned)result->mover_state, (unsigned)result->verdict);
}

static void walk_once(const judge *j, const char *name, acp_transition_context *context, test_random *random, tally *t) {
    acp_mover walker;
    acp_position at;
    if (!start_walk(j, context, random, &walker, &at)) return;
    for (int k = 0; k < WALK; k++) {
        if (is_in_something(j, &walker, &at, START_FREE)) return;
        double angle = test_random_in(random, 0, 6.2831853), length = test_random_in(random, 0.05, 2.0), rise = 0;
        if (test_random_below(random, 5) == 0) { /* through the air, up or down */
            rise = test_random_in(random, -1.0, 1.0);
            walker.transient_state = 0;
        }
        acp_position to = at;
        to.frame.origin.x = (float)((double)to.frame.origin.x + length * cos(angle));
        to.frame.origin.y = (float)((double)to.frame.origin.y + length * sin(angle));
        to.frame.origin.z = (float)((double)to.frame.origin.z + rise);
        acp_move_result result;
        acp_transition_context_reset(context);
        assert_int_equal(acp_move(context, world_of(j), &walker, &at, &to, &result, NULL), ACP_OK);
        t->moves++;
        if (!result.has_position || result.cell_id == 0) return;
        t->hindered += result.has_collision_normal;
        t->close += (uint32_t)is_in_something(j, &walker, &result.position, -TOLERANCE);
        if (is_in_something(j, &walker, &result.position, TOLERANCE)) {
            if (++t->offenders <= 5) print_capture(name, &at, &to, &walker, &result);
            return;
        }
        carry(&walker, &result);
        at = result.position;
    }
}

static void walk_all(const judge *j, const char *name, test_random *random, uint32_t moves) {
    acp_transition_context *context;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    tally t = {0};
    while (t.moves < moves)
        walk_once(j, name, context, random, &t);
    print_message("%s: %u moves, %u met something, %u ended close to something, %u in something\n", name, (unsigned)t.moves,
                  (unsigned)t.hindered, (unsigned)t.close, (unsigned)t.offenders);
    assert_true(t.hindered > t.moves / 50);
    assert_true(t.close > t.moves / 2); /* the judge sees the ground they stand on */
    assert_int_equal(t.offenders, 0);
    acp_transition_context_destroy(context);
}

static void walkers_in_scenes(void **state) {
    (void)state;
    test_random random = {test_seed("move_scenes", 606)};
    for (int number = 1; number <= SCENES; number++) {
        acp_bench_scene scene;
        acp_bench_world world;
        char name[16];
        if (acp_bench_world_load(ACP_SOURCE_DIR "/../shared/bench-scenes", number, &scene, &world, NULL) != ACP_OK) {
            print_message("skipped: no ../shared/bench-scenes\n");
            skip();
        }
        (void)snprintf(name, sizeof name, "S%d", number);
        judge j = {&scene, &world, NULL};
        walk_all(&j, name, &random, move_count() / (SCENES + 1));
        acp_bench_world_destroy(&world);
        acp_bench_scene_free(&scene);
    }
}

static void walkers_in_rooms(void **state) {
    (void)state;
    test_random random = {test_seed("move_scenes", 606) + 1};
    test_world *world = make_rooms(&random);
    judge j = {NULL, NULL, world};
    walk_all(&j, "rooms", &random, move_count() / (SCENES + 1));
    test_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(walkers_in_scenes), cmocka_unit_test(walkers_in_rooms)};
    return cmocka_run_group_tests_name("property.move_scenes", tests, NULL, NULL);
}
