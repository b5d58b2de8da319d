/* SPDX-License-Identifier: MIT */
/* Shapes from parts.
 *
 * A shape is what physics and membership need of a GfxObj: the box of *all* its vertices (MEM-20), the two root spheres, centre and radius
 * together (MEM-21, C3), and the physics polygons with their tree. Boxes and spheres may be given (scenes and tests do, D16) or derived:
 * the box from `box_vertices`, strictly as retail updates it; the physics sphere from the root of the tree. Two different shapes with the
 * same numbers are interchangeable; nothing is shared between them.
 *
 * Contract: all or nothing; the definition is read once and not kept. Limits are those of the tree builder. Cost: one allocation for the
 * struct, one for the tree; linear in its size. retail: CGfxObj::InitLoad 0x00534200 */
#include "asset/shape.h"

#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/box.h"
#include "geom/bsp.h"

acp_shape_definition acp_shape_definition_default(void) {
    acp_shape_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    return definition;
}

static acp_result check_shape(const acp_shape_definition *d, acp_error *error) {
    static const char operation[] = "shape create";
    if ((d->flags & ACP_SHAPE_HAS_PHYSICS_SPHERE) && !acp_sphere_is_finite(&d->physics_sphere))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the physics sphere is not finite");
    if ((d->flags & ACP_SHAPE_HAS_DRAWING_SPHERE) && !acp_sphere_is_finite(&d->drawing_sphere))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the drawing sphere is not finite");
    if (d->flags & ACP_SHAPE_HAS_BOX) {
        if (!acp_box_is_finite(&d->box)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the box is not finite");
        if (d->box.min.x > d->box.max.x || d->box.min.y > d->box.max.y || d->box.min.z > d->box.max.z)
            return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the box is upside down");
    }
    if (d->box_vertex_count && !d->box_vertices)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "vertices are counted but not given");
    for (uint32_t i = 0; i < d->box_vertex_count; i++)
        if (!acp_vec3_is_finite(d->box_vertices[i]))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "vertex %u is not finite", (unsigned)i);
    return ACP_OK;
}

acp_result acp_shape_create(const acp_shape_definition *definition, const acp_allocator *allocator, acp_shape **out_shape,
                            acp_error *error) {
    if (!definition || !out_shape || definition->struct_size < sizeof *definition)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "shape create", "definition, its size or the answer's place is missing");
    acp_result result = check_shape(definition, error);
    if (result != ACP_OK) return result;
    acp_allocator memory = acp_memory_allocator(allocator);
    acp_bsp *bsp = NULL;
    if (definition->physics && definition->physics->node_count) {
        result = acp_bsp_create(definition->physics, (acp_content_mode)definition->mode, &memory, NULL, &bsp, error);
        if (result != ACP_OK) return result;
    }
    acp_shape *shape = ACP_MEMORY_NEW(&memory, acp_shape);
    if (!shape) {
        acp_bsp_destroy(bsp, &memory);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "shape create", "no memory for a shape");
    }
    shape->shape_id = definition->shape_id;
    shape->flags = definition->flags | ACP_SHAPE_HAS_BOX;
    shape->physics_sphere = definition->physics_sphere;
    shape->drawing_sphere = definition->drawing_sphere;
    shape->box = (definition->flags & ACP_SHAPE_HAS_BOX) ? definition->box
                                                         : acp_box_of_points(definition->box_vertices, definition->box_vertex_count);
    shape->bsp = bsp;
    shape->owns_bsp = true;
    shape->allocator = memory;
    if (bsp && !(definition->flags & ACP_SHAPE_HAS_PHYSICS_SPHERE)) {
        shape->physics_sphere = acp_bsp_root_sphere(bsp);
        shape->flags |= ACP_SHAPE_HAS_PHYSICS_SPHERE;
    }
    *out_shape = shape;
    return ACP_OK;
}

void acp_shape_destroy(acp_shape *shape) {
    if (!shape) return;
    acp_allocator memory = shape->allocator;
    if (shape->owns_bsp) acp_bsp_destroy((acp_bsp *)(uintptr_t)shape->bsp, &memory);
    ACP_MEMORY_DELETE(&memory, acp_shape, shape);
}

acp_shape_info acp_shape_get_info(const acp_shape *shape) {
    acp_shape_info info;
    memset(&info, 0, sizeof info);
    if (!shape) return info;
    info.shape_id = shape->shape_id;
    info.flags = shape->flags;
    info.has_physics_bsp = acp_shape_has_physics_bsp(shape);
    info.polygon_count = shape->bsp ? acp_bsp_polygon_count(shape->bsp) : 0;
    info.physics_sphere = shape->physics_sphere;
    info.drawing_sphere = shape->drawing_sphere;
    info.box = shape->box;
    info.bsp = shape->bsp;
    return info;
}
