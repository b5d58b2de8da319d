/* SPDX-License-Identifier: MIT */
/* Models from models.json: meshes (GfxObj), their degrade lists, setups, and the scenes of the scenery. */
#include <string.h>

#include "base/error.h"
#include "demo/builder.h"

/* "collision": solid (default where the body closes), shell (solid, may be open), leaf (faces only), none (drawn, never hit). */
static acp_tree_form get_form(demo_builder *b, const acp_json *object, uint32_t *flags, uint32_t *polygon_flags) {
    const acp_json *value = acp_json_member(object, "collision");
    *flags = 0;
    *polygon_flags = ACP_MESH_PHYSICS | ACP_MESH_DRAWING;
    if (!value) return ACP_TREE_FORM_AUTOMATIC;
    if (acp_json_is_text(value, "solid")) return ACP_TREE_FORM_SOLID;
    if (acp_json_is_text(value, "leaf")) return ACP_TREE_FORM_LEAF;
    if (acp_json_is_text(value, "shell"))
        *flags = ACP_MESH_MAY_BE_OPEN;
    else if (acp_json_is_text(value, "none"))
        *polygon_flags = ACP_MESH_DRAWING;
    else
        demo_fail(b, ACP_ERROR_BAD_DATA, "collision", "solid, shell, leaf or none");
    return *flags ? ACP_TREE_FORM_SOLID : ACP_TREE_FORM_AUTOMATIC;
}

static void build_gfxobj(demo_builder *b, const acp_json *object) {
    uint32_t id = acp_json_get_id(&b->in, object, "id"), flags, polygon_flags;
    const char *name = demo_get_text(b, object, "name");
    acp_tree_form form = get_form(b, object, &flags, &polygon_flags);
    demo_mesh mesh = {0};
    demo_mesh_add_shapes(b, &mesh, acp_json_get_array(&b->in, object, "shape"), polygon_flags, name ? name : "gfxobjs");
    if (demo_check_input(b, name ? name : "gfxobjs")) {
        acp_mesh view = demo_mesh_view(&mesh);
        acp_record_bytes bytes = {0};
        view.tree_form = form;
        view.flags = flags;
        view.degrade_id = acp_json_get_id_or(&b->in, object, "degrade", 0);
        if (view.degrade_id) view.flags |= ACP_MESH_HAS_DEGRADE_ID;
        acp_error fault = {0};
        acp_result result = acp_mesh_make_gfxobj(&view, id, &b->allocator, &bytes, NULL, &fault);
        if (result != ACP_OK) demo_fail(b, result, name ? name : "gfxobjs", fault.message);
        if (result != ACP_OK) acp_error_set_place(b->error, id, UINT64_MAX, fault.field);
        demo_put_bytes(b, b->portal, id, bytes.bytes, bytes.size);
        acp_record_bytes_free(&bytes);
    }
    demo_mesh_free(b, &mesh);
}

static void build_degrade(demo_builder *b, const acp_json *object) {
    acp_record_degrade_info *info = demo_allocate(b, 1, sizeof *info);
    const acp_json *entries = acp_json_get_array(&b->in, object, "entries");
    if (!info || !demo_check_input(b, "degrades")) return;
    info->id = acp_json_get_id(&b->in, object, "id");
    info->entries = DEMO_NEW_ARRAY(b, acp_record_degrade_entry, entries->count);
    for (const acp_json *at = entries->first; at && demo_is_ok(b); at = at->next) {
        acp_record_degrade_entry *entry = &info->entries[info->count++];
        entry->gfxobj = acp_json_get_id(&b->in, at, "model");
        entry->mode = acp_json_get_uint32(&b->in, at, "mode");
        (void)demo_get_numbers(b, at, "min", &entry->min_distance, 1, false);
        (void)demo_get_numbers(b, at, "ideal", &entry->ideal_distance, 1, false);
        (void)demo_get_numbers(b, at, "max", &entry->max_distance, 1, false);
    }
    if (demo_check_input(b, "degrades")) demo_put_record(b, b->portal, ACP_RECORD_DEGRADE_INFO, info->id, info);
}

static acp_sphere get_sphere(demo_builder *b, const acp_json *object, const char *key) {
    float n[4] = {0, 0, 0, 0};
    (void)demo_get_numbers(b, object, key, n, 4, true);
    return (acp_sphere){{n[0], n[1], n[2]}, n[3]};
}

static void fill_parts(demo_builder *b, acp_record_setup *setup, const acp_json *parts) {
    setup->parts = DEMO_NEW_ARRAY(b, uint32_t, parts->count);
    setup->scales = DEMO_NEW_ARRAY(b, acp_vec3, parts->count);
    setup->placements = DEMO_NEW_ARRAY(b, acp_record_placement, 1);
    acp_frame *frames = DEMO_NEW_ARRAY(b, acp_frame, parts->count);
    for (const acp_json *at = parts->first; at && demo_is_ok(b); at = at->next) {
        float scale[3] = {1, 1, 1};
        if (demo_get_numbers(b, at, "scale", scale, 3, true)) setup->flags |= 2u;
        setup->parts[setup->part_count] = acp_json_get_id(&b->in, at, "model");
        setup->scales[setup->part_count] = (acp_vec3){scale[0], scale[1], scale[2]};
        frames[setup->part_count++] = demo_get_frame(b, at);
    }
    if (!demo_is_ok(b)) return;
    setup->placement_count = 1;
    setup->placements[0].frames = frames;
}

static void fill_shapes(demo_builder *b, acp_record_setup *setup, const acp_json *object) {
    uint32_t sphere_numbers = 0, cylsphere_numbers = 0;
    const float *spheres =
        acp_json_has(object, "spheres") ? acp_json_get_floats(&b->in, &b->reader, object, "spheres", &sphere_numbers) : NULL;
    const float *cylspheres =
        acp_json_has(object, "cylspheres") ? acp_json_get_floats(&b->in, &b->reader, object, "cylspheres", &cylsphere_numbers) : NULL;
    if (!demo_check_input(b, "setups")) return;
    if (sphere_numbers % 4u != 0 || cylsphere_numbers % 5u != 0) {
        demo_fail(b, ACP_ERROR_BAD_DATA, "spheres", "spheres are [x,y,z,radius], cylspheres [x,y,z,radius,height]");
        return;
    }
    setup->spheres = DEMO_NEW_ARRAY(b, acp_sphere, sphere_numbers / 4u);
    setup->cylspheres = DEMO_NEW_ARRAY(b, acp_cylsphere, cylsphere_numbers / 5u);
    for (uint32_t i = 0; i < sphere_numbers && demo_is_ok(b); i += 4)
        setup->spheres[setup->sphere_count++] = (acp_sphere){{spheres[i], spheres[i + 1], spheres[i + 2]}, spheres[i + 3]};
    for (uint32_t i = 0; i < cylsphere_numbers && demo_is_ok(b); i += 5) {
        acp_cylsphere *c = &setup->cylspheres[setup->cylsphere_count++];
        c->low_point = (acp_vec3){cylspheres[i], cylspheres[i + 1], cylspheres[i + 2]};
        c->radius = cylspheres[i + 3];
        c->height = cylspheres[i + 4];
    }
}

static void build_setup(demo_builder *b, const acp_json *object) {
    acp_record_setup *setup = demo_allocate(b, 1, sizeof *setup);
    const acp_json *parts = acp_json_get_array(&b->in, object, "parts");
    if (!setup || !demo_check_input(b, "setups")) return;
    setup->id = acp_json_get_id(&b->in, object, "id");
    if (acp_json_get_flag_or(&b->in, object, "free_heading", false)) setup->flags |= 4u;
    fill_parts(b, setup, parts);
    fill_shapes(b, setup, object);
    (void)demo_get_numbers(b, object, "height", &setup->height, 1, true);
    (void)demo_get_numbers(b, object, "radius", &setup->radius, 1, true);
    (void)demo_get_numbers(b, object, "step_up", &setup->step_up, 1, true);
    (void)demo_get_numbers(b, object, "step_down", &setup->step_down, 1, true);
    setup->sorting_sphere = get_sphere(b, object, "sorting");
    setup->selection_sphere = acp_json_has(object, "selection") ? get_sphere(b, object, "selection") : setup->sorting_sphere;
    if (demo_check_input(b, "setups")) demo_put_record(b, b->portal, ACP_RECORD_SETUP, setup->id, setup);
}

static void build_scene(demo_builder *b, const acp_json *object) {
    acp_record_scene *scene = demo_allocate(b, 1, sizeof *scene);
    const acp_json *objects = acp_json_get_array(&b->in, object, "objects");
    if (!scene || !demo_check_input(b, "scenes")) return;
    scene->id = acp_json_get_id(&b->in, object, "id");
    scene->objects = DEMO_NEW_ARRAY(b, acp_record_scene_object, objects->count);
    for (const acp_json *at = objects->first; at && demo_is_ok(b); at = at->next) {
        acp_record_scene_object *o = &scene->objects[scene->count++];
        float displace[2] = {0, 0}, scale[2] = {1, 1}, slope[2] = {0, 1};
        o->object_id = acp_json_get_id(&b->in, at, "model");
        o->base = demo_get_frame(b, at);
        (void)demo_get_numbers(b, at, "frequency", &o->frequency, 1, false);
        (void)demo_get_numbers(b, at, "displace", displace, 2, true);
        (void)demo_get_numbers(b, at, "scales", scale, 2, true);
        (void)demo_get_numbers(b, at, "slopes", slope, 2, true);
        (void)demo_get_numbers(b, at, "max_turn", &o->max_rotation, 1, true);
        o->displace_x = displace[0];
        o->displace_y = displace[1];
        o->min_scale = scale[0];
        o->max_scale = scale[1];
        o->min_slope = slope[0];
        o->max_slope = slope[1];
        o->align = acp_json_get_uint32_or(&b->in, at, "align", 0);
    }
    if (demo_check_input(b, "scenes")) demo_put_record(b, b->portal, ACP_RECORD_SCENE, scene->id, scene);
}

void demo_build_models(demo_builder *b) {
    static const struct {
        const char *key;
        void (*build)(demo_builder *b, const acp_json *object);
    } lists[] = {{"gfxobjs", build_gfxobj}, {"degrades", build_degrade}, {"setups", build_setup}, {"scenes", build_scene}};
    const acp_json *table = demo_open_table(b, "models.json");
    for (uint32_t i = 0; i < sizeof lists / sizeof lists[0] && table && demo_is_ok(b); i++) {
        const acp_json *list = acp_json_get_array(&b->in, table, lists[i].key);
        if (!demo_check_input(b, lists[i].key)) return;
        for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next)
            lists[i].build(b, at);
    }
}
