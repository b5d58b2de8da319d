/* SPDX-License-Identifier: MIT */
/* Objects of scenes and requests (vectors README §3): shapes, parts with finished positions, setups, words, children.
 *
 * A request's object becomes a row of the scene's world with a setup of its own; parts stay at the finished positions that the scene
 * gives, whatever the placement says, until something places them. The state word is kept as given, its BSP bit included; without a `state`
 * it is that of construction and the bit is computed. An object has a part array when it names anything that only a part array has. What
 * the row does not hold (velocity, contact plane, elasticity) stays in the scene object for the floors that want it.
 *
 * Contract: faults go into the input and leave nothing behind. An id that is taken is kept in the row but not in the world's table. Cost:
 * a few allocations per object. */
#include <stdlib.h>
#include <string.h>

#include "asset/setup.h"
#include "base/memory.h"
#include "membership/registry.h"
#include "support/scene.h"
#include "support/tree_json.h"

acp_sphere *acp_scene_spheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                              uint32_t *out_count) {
    const acp_json *array = acp_json_get_optional_array(input, object, key);
    *out_count = 0;
    if (!array || !array->count) return NULL;
    acp_sphere *spheres = acp_json_reader_allocate(memory, array->count * sizeof *spheres);
    if (!spheres) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, key, "no memory for spheres");
        return NULL;
    }
    for (const acp_json *s = array->first; s; s = s->next)
        spheres[(*out_count)++] = acp_json_to_sphere(input, s);
    return spheres;
}

acp_cylsphere *acp_scene_cylspheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                    uint32_t *out_count) {
    const acp_json *array = acp_json_get_optional_array(input, object, key);
    *out_count = 0;
    if (!array || !array->count) return NULL;
    acp_cylsphere *cylspheres = acp_json_reader_allocate(memory, array->count * sizeof *cylspheres);
    if (!cylspheres) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, key, "no memory for cylspheres");
        return NULL;
    }
    for (const acp_json *s = array->first; s; s = s->next)
        cylspheres[(*out_count)++] = acp_json_to_cylsphere(input, s);
    return cylspheres;
}

void acp_scene_read_solids(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_setup_definition *d) {
    d->flags = acp_json_get_flag_or(input, json, "free_heading", false) ? (uint32_t)ACP_SETUP_ALLOWS_FREE_HEADING : 0u;
    d->spheres = acp_scene_spheres(input, memory, json, "spheres", &d->sphere_count);
    d->cylspheres = acp_scene_cylspheres(input, memory, json, "cylspheres", &d->cylsphere_count);
    if (acp_json_has(json, "sorting_sphere")) {
        d->sorting_sphere = acp_json_get_sphere(input, json, "sorting_sphere");
        d->flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    }
    d->step_up_height = acp_json_get_float_or(input, json, "step_up", d->step_up_height);
    d->step_down_height = acp_json_get_float_or(input, json, "step_down", d->step_down_height);
    d->radius = acp_json_get_float_or(input, json, "radius", d->radius);
    d->height = acp_json_get_float_or(input, json, "height", d->height);
}

/* --------------------------------------------------------------------------------------------------------------------- shapes */

acp_shape *acp_scene_shape_create(acp_json_input *input, acp_json_reader *memory, const acp_json *json, const acp_allocator *allocator) {
    acp_shape_definition definition = acp_shape_definition_default();
    if (acp_json_has(json, "physics_sphere")) {
        definition.physics_sphere = acp_json_get_sphere(input, json, "physics_sphere");
        definition.flags |= ACP_SHAPE_HAS_PHYSICS_SPHERE;
    }
    if (acp_json_has(json, "drawing_sphere")) {
        definition.drawing_sphere = acp_json_get_sphere(input, json, "drawing_sphere");
        definition.flags |= ACP_SHAPE_HAS_DRAWING_SPHERE;
    }
    if (acp_json_has(json, "box")) {
        definition.box = acp_json_get_box(input, json, "box");
        definition.flags |= ACP_SHAPE_HAS_BOX;
    } else if (acp_json_has(json, "vertices")) {
        uint32_t floats = 0;
        definition.box_vertices = (const acp_vec3 *)acp_json_get_floats(input, memory, json, "vertices", &floats);
        definition.box_vertex_count = floats / 3u;
    }
    if (acp_json_get_flag_or(input, json, "always2d", false)) definition.flags |= ACP_SHAPE_IS_ALWAYS_2D;
    acp_bsp_source physics =
        acp_json_to_bsp_source(input, memory, acp_json_get_optional_array(input, json, "polys"), acp_json_member(json, "bsp"));
    if (physics.node_count) definition.physics = &physics;
    if (!(definition.flags & ACP_SHAPE_HAS_BOX) && !definition.box_vertex_count) {
        definition.box_vertices = physics.vertices; /* without a box or mesh vertices: the physics polygons' */
        definition.box_vertex_count = physics.vertex_count;
    }
    if (acp_json_is_failed(input)) return NULL;
    acp_shape *shape = NULL;
    acp_result result = acp_shape_create(&definition, allocator, &shape, input->error);
    if (result != ACP_OK) acp_json_fail(input, result, "gfx", "the shape cannot be made");
    return shape;
}

/* The shape of a part, named or made in place (then also in *owned). */
static acp_shape *part_shape(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *part, acp_shape **owned) {
    const acp_json *gfx = acp_json_member(part, "gfx");
    if (!gfx || gfx->type == ACP_JSON_NULL) return NULL;
    if (gfx->type == ACP_JSON_STRING) {
        acp_shape *named = acp_scene_find_shape(scene, gfx);
        if (!named) acp_json_fail(input, ACP_ERROR_NOT_FOUND, "gfx", "the scene has no shape of this name");
        return named;
    }
    *owned = acp_scene_shape_create(input, memory, gfx, &scene->allocator);
    return *owned;
}

acp_part_row *acp_scene_parts(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *array, uint32_t *out_count,
                              acp_shape ***out_owned) {
    uint32_t count = array && array->type == ACP_JSON_ARRAY ? array->count : 0;
    acp_part_row *parts = acp_json_reader_allocate(memory, (count + 1u) * sizeof *parts);
    acp_shape **owned = acp_json_reader_allocate(memory, (count + 1u) * sizeof(acp_shape *));
    *out_count = 0;
    *out_owned = NULL;
    if (!parts || !owned) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "parts", "no memory for parts");
        return NULL;
    }
    memset(parts, 0, (count + 1u) * sizeof *parts);
    memset(owned, 0, (count + 1u) * sizeof(acp_shape *));
    uint32_t i = 0;
    for (const acp_json *p = count ? array->first : NULL; p; p = p->next, i++) {
        if (p->type != ACP_JSON_OBJECT) continue; /* null: an absent part */
        parts[i].shape = part_shape(scene, input, memory, p, &owned[i]);
        if (acp_json_has(p, "pos")) parts[i].position = acp_json_get_position(input, p, "pos");
        float scale = acp_json_get_float_or(input, p, "scale", 1.0f);
        parts[i].scale.x = parts[i].scale.y = parts[i].scale.z = scale;
        if (acp_json_get_flag_or(input, p, "always2d", false)) parts[i].flags |= ACP_PART_IS_ALWAYS_2D;
        if (parts[i].shape && (parts[i].shape->flags & ACP_SHAPE_IS_ALWAYS_2D)) parts[i].flags |= ACP_PART_IS_ALWAYS_2D;
    }
    *out_count = count;
    *out_owned = owned;
    return parts;
}

void acp_scene_parts_free(acp_shape **owned, uint32_t count) {
    for (uint32_t i = 0; owned && i < count; i++)
        acp_shape_destroy(owned[i]);
}

/* --------------------------------------------------------------------------------------------------------------------- setups */

static bool has_part_array(const acp_json *json) {
    static const char *const keys[] = {"parts", "spheres", "cylspheres", "setup", "placement", "animation"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (acp_json_has(json, keys[i])) return true;
    return false;
}

static const acp_frame *placement_frames(acp_json_input *input, acp_json_reader *memory, const acp_json *json, uint32_t *out_count) {
    const acp_json *array = acp_json_get_optional_array(input, json, "placement");
    *out_count = 0;
    if (!array || !array->count) return NULL;
    acp_frame *frames = acp_json_reader_allocate(memory, array->count * sizeof *frames);
    if (!frames) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "placement", "no memory for frames");
        return NULL;
    }
    for (const acp_json *f = array->first; f; f = f->next) {
        acp_matrix_frame frame = acp_json_to_frame(input, f);
        frames[(*out_count)++] = acp_matrix_frame_to_public(&frame);
    }
    return frames;
}

/* default_scale: a number, [x, y, z], or a list of either per part. */
static acp_vec3 default_scale(acp_json_input *input, acp_json_reader *memory, const acp_json *json, uint32_t part, uint32_t part_count) {
    acp_vec3 scale = {1.0f, 1.0f, 1.0f};
    if (!acp_json_has(json, "default_scale")) return scale;
    uint32_t count = 0;
    const float *v = acp_json_get_floats(input, memory, json, "default_scale", &count);
    if (!v) return scale;
    if (count == 3u * part_count) {
        scale.x = v[3u * part];
        scale.y = v[3u * part + 1u];
        scale.z = v[3u * part + 2u];
    } else if (count == 3u) {
        scale.x = v[0];
        scale.y = v[1];
        scale.z = v[2];
    } else if (count > part || count == 1u) {
        scale.x = scale.y = scale.z = v[count == 1u ? 0u : part];
    }
    return scale;
}

static acp_setup *make_setup(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *json,
                             const acp_part_row *parts, uint32_t part_count) {
    acp_setup_part *setup_parts = acp_json_reader_allocate(memory, (part_count + 1u) * sizeof *setup_parts);
    if (!setup_parts) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "parts", "no memory for a setup");
        return NULL;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        setup_parts[i].shape = parts[i].shape;
        setup_parts[i].default_scale = default_scale(input, memory, json, i, part_count);
        setup_parts[i].flags = (parts[i].flags & ACP_PART_IS_ALWAYS_2D) ? (uint32_t)ACP_SETUP_PART_IS_ALWAYS_2D : 0u;
    }
    acp_setup_definition d = acp_setup_definition_default();
    acp_placement_definition placement = {0x65u, 0, NULL};
    placement.frames = placement_frames(input, memory, json, &placement.frame_count);
    d.setup_id = acp_json_get_id_or(input, json, "setup_id", 0);
    d.parts = setup_parts;
    d.part_count = part_count;
    d.placements = &placement;
    d.placement_count = placement.frame_count ? 1u : 0u;
    d.step_up_height = d.step_down_height = 0.4f;
    d.radius = 0.5f;
    d.height = 1.8f;
    acp_scene_read_solids(input, memory, json, &d);
    if (acp_json_is_failed(input)) return NULL;
    acp_setup *setup = NULL;
    acp_result result = acp_setup_create(&d, &scene->allocator, &setup, input->error);
    if (result != ACP_OK) acp_json_fail(input, result, "object", "the object's model cannot be made");
    return setup;
}

/* -------------------------------------------------------------------------------------------------------------------- objects */

static uint32_t weenie_predicates(acp_json_input *input, const acp_json *weenie) {
    static const struct {
        const char *slot;
        uint32_t bit;
    } table[] = {{"4", ACP_PREDICATE_PLAYER},
                 {"8", ACP_PREDICATE_PK},
                 {"9", ACP_PREDICATE_PK_LITE},
                 {"10", ACP_PREDICATE_IMPENETRABLE},
                 {"11", ACP_PREDICATE_CREATURE},
                 {"17", ACP_PREDICATE_ADMITS_ALL},
                 {"18", ACP_PREDICATE_BYPASS_RESTRICTIONS},
                 {"23", ACP_PREDICATE_FILLS_PROFILE},
                 {"29", ACP_PREDICATE_HOOK},
                 {"30", ACP_PREDICATE_STORAGE},
                 {"31", ACP_PREDICATE_CORPSE}};
    uint32_t predicates = ACP_PREDICATE_GAME_OBJECT;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (acp_json_get_flag_or(input, weenie, table[i].slot, false)) predicates |= table[i].bit;
    return predicates;
}

static void read_dynamics(acp_json_input *input, const acp_json *json, acp_scene_object *object) {
    object->has_velocity = acp_json_has(json, "velocity");
    if (object->has_velocity) object->velocity = acp_json_get_vec3(input, json, "velocity");
    object->has_sliding_normal = acp_json_has(json, "sliding_normal");
    if (object->has_sliding_normal) object->sliding_normal = acp_json_get_vec3(input, json, "sliding_normal");
    const acp_json *plane = acp_json_get_optional_object(input, json, "contact_plane");
    object->has_contact_plane = plane != NULL;
    if (plane) {
        object->contact_plane = acp_json_to_plane(input, plane);
        object->contact_plane_cell_id = acp_json_get_id_or(input, plane, "cell", 0);
    }
    object->elasticity = acp_json_get_float_or(input, json, "elasticity", 0.05f);
    object->friction = acp_json_get_float_or(input, json, "friction", 0.95f);
}

static void copy_name(acp_json_input *input, const acp_json *json, char *out) {
    uint32_t length = 0;
    if (!acp_json_has(json, "name")) return;
    const char *text = acp_json_get_string(input, json, "name", &length);
    if (!text || length >= ACP_SCENE_NAME_CAPACITY) {
        acp_json_fail(input, ACP_ERROR_LIMIT, "name", "a name has more than 47 bytes");
        return;
    }
    memcpy(out, text, length);
}

/* The row itself, at its finished part positions, in its cell when that is resident. */
static bool make_row(acp_scene *scene, acp_json_input *input, const acp_json *json, const acp_part_row *parts, uint32_t part_count,
                     acp_scene_object *object) {
    acp_object_definition d = acp_object_definition_default();
    acp_matrix_position position = {0, acp_matrix_frame_identity()};
    if (acp_json_has(json, "pos")) position = acp_json_get_position(input, json, "pos");
    d.position = acp_matrix_position_to_public(&position);
    d.object_id = acp_json_get_id_or(input, json, "id", 0);
    d.keeps_state_bsp_bit = acp_json_has(json, "state");
    d.state = acp_json_get_id_or(input, json, "state", ACP_STATE_DEFAULT);
    d.transient_state = acp_json_get_id_or(input, json, "transient", 0);
    d.scale = acp_json_get_float_or(input, json, "scale", 1.0f);
    d.predicates = object->weenie ? weenie_predicates(input, object->weenie) : 0u;
    d.missile_target = acp_json_get_id_or(input, json, "target", 0);
    d.setup = object->setup;
    uint32_t object_id = d.object_id;
    if (acp_json_is_failed(input)) return false;
    if (object_id && acp_world_find_row(scene->world, object_id) != ACP_OBJECT_NONE) d.object_id = 0;
    uint32_t cell_id = d.position.cell_id;
    d.position.cell_id = 0; /* a scene may name places that are none */
    acp_result result = acp_object_create(scene->world, &d, &object->handle, input->error);
    if (result != ACP_OK) {
        acp_json_fail(input, result, "object", "the object cannot be made");
        return false;
    }
    object->index = object->handle.index1 - 1u;
    acp_object_row *row = acp_world_row(scene->world, object->index);
    row->object_id = object_id; /* a taken one stays out of the table */
    for (uint32_t i = 0; i < part_count; i++) {
        acp_vec3 scale = row->parts[i].scale;
        if (acp_json_has(acp_json_element(acp_json_member(json, "parts"), i), "scale")) scale = parts[i].scale;
        row->parts[i] = parts[i];
        row->parts[i].scale = scale;
        if (!parts[i].position.cell_id) row->parts[i].position = row->position;
    }
    row->position.cell_id = cell_id;
    for (uint32_t i = 0; object->is_borrowing && i < row->part_count; i++)
        row->parts[i].position.cell_id = cell_id;
    return true;
}

static bool make_children(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *json,
                          acp_scene_object *object) {
    const acp_json *array = acp_json_get_optional_array(input, json, "children");
    if (!array || !array->count) return !acp_json_is_failed(input);
    object->children = calloc(array->count, sizeof *object->children);
    if (!object->children) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "children", "no memory for children");
        return false;
    }
    for (const acp_json *c = array->first; c; c = c->next) {
        acp_scene_object *child = &object->children[object->child_count];
        if (!acp_scene_object_create(scene, input, memory, c, child)) return false;
        object->child_count++;
        acp_object_leave_cell(scene->world, child->index); /* it enters with its parent */
        acp_matrix_frame holding = acp_json_get_frame_or_identity(input, c, "holding");
        uint32_t part = acp_json_get_uint32_or(input, c, "part", UINT32_MAX);
        int32_t part_index = part > INT32_MAX ? -1 : (int32_t)part;
        acp_result result = acp_object_link_child(scene->world, child->index, object->index, part_index, &holding, false);
        if (result != ACP_OK) acp_json_fail(input, result, "children", "the child cannot be attached");
    }
    return !acp_json_is_failed(input);
}

bool acp_scene_object_create(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *json,
                             acp_scene_object *out_object) {
    memset(out_object, 0, sizeof *out_object);
    out_object->json = json;
    uint32_t part_count = 0;
    acp_shape **owned = NULL;
    acp_part_row *parts = acp_scene_parts(scene, input, memory, acp_json_get_optional_array(input, json, "parts"), &part_count, &owned);
    copy_name(input, json, out_object->name);
    out_object->weenie = acp_json_get_optional_object(input, json, "weenie");
    read_dynamics(input, json, out_object);
    if (part_count) {
        out_object->shapes = calloc(part_count, sizeof(acp_shape *));
        if (!out_object->shapes) {
            acp_scene_parts_free(owned, part_count);
            acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "parts", "no memory for parts");
            return false;
        }
        memcpy(out_object->shapes, owned, part_count * sizeof(acp_shape *));
        out_object->shape_count = part_count;
    }
    const acp_json *model = acp_json_member(json, "setup");
    out_object->is_borrowing = model && model->type == ACP_JSON_STRING;
    if (out_object->is_borrowing && part_count) acp_json_fail(input, ACP_ERROR_BAD_DATA, "parts", "a named setup brings its own parts");
    if (!acp_json_is_failed(input) && out_object->is_borrowing)
        out_object->setup = acp_scene_find_setup(scene, input, model);
    else if (!acp_json_is_failed(input) && has_part_array(json))
        out_object->setup = make_setup(scene, input, memory, json, parts, part_count);
    if (!acp_json_is_failed(input) && make_row(scene, input, json, parts, part_count, out_object) &&
        make_children(scene, input, memory, json, out_object)) {
        uint32_t cell_id = acp_world_row(scene->world, out_object->index)->position.cell_id;
        if (acp_cell_exists(acp_world_cell(scene->world, cell_id))) acp_object_hold_in_cell(scene->world, out_object->index, cell_id);
        return true;
    }
    acp_scene_object_destroy(scene, out_object);
    return false;
}

void acp_scene_object_destroy(acp_scene *scene, acp_scene_object *object) {
    for (uint32_t i = 0; i < object->child_count; i++)
        acp_scene_object_destroy(scene, &object->children[i]);
    free(object->children);
    if (object->handle.index1 && acp_object_is_live(scene->world, object->handle)) {
        acp_result ignored = acp_object_destroy(scene->world, object->handle, NULL);
        (void)ignored;
    }
    if (!object->is_borrowing) acp_setup_destroy(object->setup);
    for (uint32_t i = 0; i < object->shape_count; i++)
        acp_shape_destroy(object->shapes[i]);
    free(object->shapes);
    memset(object, 0, sizeof *object);
}

void acp_scene_object_register(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_scene_object *object) {
    (void)memory;
    int32_t cross = acp_json_get_int32_or(input, object->json, "cross", 0);
    const acp_json *list = acp_json_get_optional_array(input, object->json, "register");
    if (acp_json_is_failed(input)) return;
    acp_result result = ACP_OK;
    if (cross) {
        result = acp_registry_calc_cross_cells(scene->world, object->index, cross == 2, NULL);
    } else if (list) {
        acp_cell_array array;
        acp_cell_array_init(&array, NULL);
        for (const acp_json *c = list->first; c; c = c->next) {
            uint32_t cell_id = acp_json_to_id(input, c, "register");
            acp_cell_array_add(&array, cell_id, acp_cell_exists(acp_world_cell(scene->world, cell_id)));
        }
        result = array.is_failed ? ACP_ERROR_OUT_OF_MEMORY : acp_registry_set_cells(scene->world, object->index, &array);
        acp_cell_array_free(&array);
    }
    if (result != ACP_OK) acp_json_fail(input, result, "objects", "the object cannot be registered");
}
