/* SPDX-License-Identifier: MIT */
/* Models out of a portal file: the sample's meshes, setups and room as assets, degrade lists, what is missing or damaged, every
 * allocation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/dat_edit.h"
#include "acphys/model_store.h"
#include "tests/support/dat_pair.h"
#include "tests/support/failing.h"
#include "tests/support/house.h"

#define SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

static void models_of_the_sample(void **state) {
    (void)state;
    acp_dat *dat = NULL;
    acp_model_store *store = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "mini_portal.dat", NULL, NULL, &dat, &error), ACP_OK);
    assert_int_equal(acp_model_store_create(dat, ACP_CONTENT_LENIENT, NULL, &store, &error), ACP_OK);

    const acp_shape *wall = NULL, *again = NULL, *triangle = NULL, *drawn = NULL;
    assert_int_equal(acp_model_store_get_shape(store, 0x01000001u, &wall, &error), ACP_OK);
    assert_int_equal(acp_model_store_get_shape(store, 0x01000001u, &again, &error), ACP_OK);
    assert_ptr_equal(wall, again);
    acp_shape_info info = acp_shape_get_info(wall);
    assert_int_equal(info.shape_id, 0x01000001u);
    assert_int_equal(info.polygon_count, 1);
    assert_true(info.has_physics_bsp);
    assert_true(info.physics_sphere.center.x == 1.0f && info.physics_sphere.radius == 1.41421354f);
    assert_true(info.box.min.x == 0.0f && info.box.max.x == 2.0f && info.box.max.z == 2.0f && info.box.max.y == 0.0f);
    assert_int_equal(info.flags & ACP_SHAPE_IS_ALWAYS_2D, 0); /* degrade_11000001: mode 1 */
    assert_true(info.flags & ACP_SHAPE_HAS_DRAWING_SPHERE);
    assert_int_equal(acp_model_store_get_shape(store, 0x01000002u, &triangle, &error), ACP_OK);
    info = acp_shape_get_info(triangle);
    assert_true(info.physics_sphere.radius == 0.8f); /* of the root, a leaf */
    assert_int_equal(acp_model_store_get_shape(store, 0x01000003u, &drawn, &error), ACP_OK);
    info = acp_shape_get_info(drawn);
    assert_false(info.has_physics_bsp);
    assert_int_equal(info.flags & (ACP_SHAPE_HAS_PHYSICS_SPHERE | ACP_SHAPE_HAS_DRAWING_SPHERE), ACP_SHAPE_HAS_DRAWING_SPHERE);

    const acp_setup *setup = NULL, *simple = NULL;
    assert_int_equal(acp_model_store_get_setup(store, 0x02000001u, &setup, &error), ACP_OK);
    acp_setup_info s = acp_setup_get_info(setup);
    assert_int_equal(s.part_count, 1);
    assert_ptr_equal(s.parts[0].shape, wall);
    assert_int_equal(s.sphere_count, 1);
    assert_int_equal(s.cylsphere_count, 1);
    assert_int_equal(s.placement_count, 2);
    assert_true(s.step_up_height == 0.4f && s.step_down_height == 1.5f && s.height == 1.5f && s.radius == 0.5f);
    assert_true(s.has_physics_bsp && (s.flags & ACP_SETUP_ALLOWS_FREE_HEADING));
    assert_true(s.cylspheres[0].height == 1.5f && s.sorting_sphere.radius == 1.0f);
    assert_int_equal(acp_model_store_get_setup(store, 0x01000002u, &simple, &error), ACP_OK);
    s = acp_setup_get_info(simple);
    assert_int_equal(s.part_count, 1);
    assert_ptr_equal(s.parts[0].shape, triangle);
    assert_true(s.step_up_height == 0.0f && s.sorting_sphere.radius == 0.8f);

    const acp_cell_structure *room = NULL;
    assert_int_equal(acp_model_store_get_cell_structure(store, 0x0D000001u, 0, &room, &error), ACP_OK);
    assert_non_null(room);
    assert_int_equal(acp_model_store_get_cell_structure(store, 0x0D000001u, 1, &room, &error), ACP_ERROR_NOT_FOUND);
    acp_height_table table;
    assert_int_equal(acp_model_store_get_height_table(store, &table, &error), ACP_OK);
    assert_true(table.metres[5] == 10.0f);

    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(acp_model_store_get_shape(store, 0x01000077u, &wall, &error), ACP_ERROR_NOT_FOUND);
        assert_int_equal(error.record_id, 0x01000077u);
        assert_string_equal(error.file, SAMPLES "mini_portal.dat");
        assert_int_equal(acp_model_store_get_setup(store, 0x02000077u, &setup, &error), ACP_ERROR_NOT_FOUND);
    }
    assert_int_equal(acp_model_store_get_setup(store, 0x0D000001u, &setup, &error), ACP_ERROR_INVALID_ID);
    acp_model_store_destroy(store);
    acp_dat_close(dat);
}

/* The sample with a mesh whose degrade list names another mesh first, flat; a setup with a part that is not there; a damaged mesh. */
static void degrade_lists_and_damage(void **state) {
    (void)state;
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "mini_portal.dat", NULL, NULL, &dat, &error), ACP_OK);
    acp_dat_edit *edit = NULL;
    assert_int_equal(acp_dat_edit_open(dat, NULL, &edit, &error), ACP_OK);
    acp_dat_record record = {0};
    uint8_t bytes[1024];
    /* degrade_11000001, entry 0: mesh 0x01000002, mode 2 */
    assert_int_equal(acp_dat_read(dat, 0x11000001u, &record, &error), ACP_OK);
    memcpy(bytes, record.bytes, record.size);
    bytes[8] = 2;
    bytes[12] = 2;
    assert_int_equal(acp_dat_edit_put(edit, 0x11000001u, bytes, record.size, NULL, &error), ACP_OK);
    assert_int_equal(acp_dat_read(dat, 0x02000002u, &record, &error), ACP_OK);
    memcpy(bytes, record.bytes, record.size);
    bytes[0x0C] = 0x99; /* its only part is not there */
    assert_int_equal(acp_dat_edit_put(edit, 0x02000002u, bytes, record.size, NULL, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_put(edit, 0x01000003u, bytes, 40, NULL, &error), ACP_OK);
    acp_dat *changed = test_dat_open(edit);
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    acp_model_store *store = NULL;
    assert_int_equal(acp_model_store_create(changed, ACP_CONTENT_LENIENT, NULL, &store, &error), ACP_OK);
    const acp_shape *shape = NULL, *own = NULL;
    assert_int_equal(acp_model_store_get_shape(store, 0x01000001u, &shape, &error), ACP_OK);
    acp_shape_info info = acp_shape_get_info(shape);
    assert_int_equal(info.shape_id, 0x01000002u);
    assert_true(info.flags & ACP_SHAPE_IS_ALWAYS_2D);
    assert_int_equal(acp_model_store_get_shape(store, 0x01000002u, &own, &error), ACP_OK); /* asked for itself it is not flat */
    assert_int_equal(acp_shape_get_info(own).flags & ACP_SHAPE_IS_ALWAYS_2D, 0);
    const acp_setup *setup = NULL;
    assert_int_equal(acp_model_store_get_setup(store, 0x02000002u, &setup, &error), ACP_ERROR_NOT_FOUND);
    for (int twice = 0; twice < 2; twice++) {
        acp_result result = acp_model_store_get_shape(store, 0x01000003u, &shape, &error);
        assert_true(result == ACP_ERROR_TRUNCATED || result == ACP_ERROR_BAD_DATA);
        assert_int_equal(error.record_id, 0x01000003u);
    }
    acp_model_store_destroy(store);
    acp_dat_close(changed);
}

static acp_result use_everything(void *user, const acp_allocator *allocator) {
    acp_model_store *store = NULL;
    acp_error error;
    acp_result result = acp_model_store_create(user, ACP_CONTENT_LENIENT, allocator, &store, &error);
    acp_result first = result;
    for (int attempt = 0; store && (attempt == 0 || (attempt == 1 && first));
         attempt++) { /* what was refused is asked again and is there then */
        const acp_shape *shape = NULL;
        const acp_setup *setup = NULL;
        const acp_cell_structure *room = NULL;
        acp_height_table table;
        result = acp_model_store_get_setup(store, 0x02000001u, &setup, &error);
        if (result == ACP_OK) result = acp_model_store_get_setup(store, 0x01000003u, &setup, &error);
        if (result == ACP_OK) result = acp_model_store_get_shape(store, 0x01000002u, &shape, &error);
        if (result == ACP_OK) result = acp_model_store_get_cell_structure(store, 0x0D000001u, 0, &room, &error);
        if (result == ACP_OK) result = acp_model_store_get_height_table(store, &table, &error);
        if (attempt == 0) first = result;
        if (attempt == 1) assert_int_equal(result, ACP_OK);
    }
    acp_model_store_destroy(store);
    return first;
}

static void every_allocation(void **state) {
    (void)state;
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "mini_portal.dat", NULL, NULL, &dat, &error), ACP_OK);
    assert_true(test_fail_every_allocation(use_everything, dat) > 20);
    acp_dat_close(dat);
}

/* The worked house of spec 11: shell, crate, barrel and all three rooms flatten in strict mode. */
static void the_worked_house(void **state) {
    (void)state;
    acp_error error;
    acp_dat *dat = test_house_dat(ACP_DAT_PORTAL, NULL, 0);
    acp_model_store *store = NULL;
    assert_int_equal(acp_model_store_create(dat, ACP_CONTENT_STRICT, NULL, &store, &error), ACP_OK);
    const acp_shape *shape = NULL;
    for (uint32_t id = 0x01000100u; id <= 0x01000101u; id++) {
        if (acp_model_store_get_shape(store, id, &shape, &error)) fail_msg("%s field %s", error.message, error.field);
        assert_true(acp_shape_get_info(shape).has_physics_bsp);
    }
    const acp_cell_structure *room = NULL;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(acp_model_store_get_cell_structure(store, 0x0D000010u, i, &room, &error), ACP_OK);
    acp_model_store_destroy(store);
    acp_dat_close(dat);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_of_the_sample), cmocka_unit_test(degrade_lists_and_damage),
                                       cmocka_unit_test(every_allocation), cmocka_unit_test(the_worked_house)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
