/* SPDX-License-Identifier: MIT */
/* What the cells of a world say, as one number, for comparing worlds. */
#include "tests/support/world_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/population.h"

uint64_t test_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = test_hash_mix(hash, ((const uint8_t *)bytes)[i]);
    return hash;
}

/* Who an object is in any world. */
static uint64_t name_of(const acp_object_info *info) {
    if (info->object_id) return info->object_id;
    return test_hash_bytes(info->position.cell_id, &info->position.frame, sizeof info->position.frame);
}

uint64_t test_hash_cells(const acp_world *world) {
    uint64_t hash = 1;
    acp_object objects[512];
    for (uint32_t cell = acp_world_next_cell(world, 0); cell; cell = acp_world_next_cell(world, cell)) {
        uint32_t count = 0;
        uint64_t guests = 0;
        assert_int_equal(acp_membership_cell_objects(world, cell, objects, 512, &count), ACP_OK);
        assert_true(count <= 512);
        hash = test_hash_mix(hash, cell);
        for (uint32_t i = 0; i < count; i++) {
            acp_object_info info;
            assert_int_equal(acp_object_get_info(world, objects[i], &info), ACP_OK);
            if (info.state & ACP_STATE_STATIC)
                hash = test_hash_mix(hash, name_of(&info));
            else
                guests += test_hash_mix(7, name_of(&info));
        }
        hash = test_hash_mix(hash, guests);
    }
    return hash;
}
