/* SPDX-License-Identifier: MIT */
/* Models of a scene as records: GfxObj, GfxObjDegradeInfo, Setup, Environment (docs/format-scene.md; spec 02 §9-15, 11 AUT).
 *
 * A name that is a record id of its kind keeps it; other names get the first free ones. Vertices are listed by first appearance, polygons
 * in order, ids equal to ordinals (D25). The mesh's box is that of its vertices: when the scene gives a larger one, its two corners
 * lead the list as vertices that no polygon uses. A drawing sphere becomes the root of a drawing tree without polygons, a billboard a
 * degrade list that names the mesh itself. A room's drawing list is its physics polygons and then the portal polygons of all cells that
 * use it. What a record cannot say is a finding: a box smaller than the mesh, a physics sphere other than the root's, a tree node without a
 * tag, lists beyond 65,535.
 *
 * Contract: faults of the scene's form go into the input. Cost: linear, apart from looking up names. */
#include "support/scene_pack_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom/box.h"
#include "geom/polygon.h"
#include "support/scene.h"
#include "support/tree_json.h"

#define LIST_LIMIT 65535u

/* ------------------------------------------------------------------------------------------------------------------------ names */

static bool is_record_id(const acp_json *member, uint32_t kind, uint32_t *out_id) {
    if (member->key_length != 10u || strncmp(member->key, "0x", 2) != 0) return false;
    uint32_t id = 0;
    for (uint32_t i = 2; i < 10u; i++) {
        const char *digits = "0123456789ABCDEF", *found = member->key[i] ? strchr(digits, member->key[i]) : NULL;
        if (!found) return false;
        id = id << 4 | (uint32_t)(found - digits);
    }
    *out_id = id;
    return id >> 24 == kind;
}

static const acp_json *named_list(const acp_pack *p, const char *key) {
    const acp_json *list = acp_json_member(p->definition, key);
    return list && list->type == ACP_JSON_OBJECT ? list : NULL;
}

/* The first id from *next on that no name has. */
static uint32_t free_id(const acp_pack_name *names, uint32_t count, uint32_t *next) {
    for (uint32_t i = 0; i < count; i++)
        if (names[i].id == *next) {
            ++*next;
            i = UINT32_MAX; /* from the start */
        }
    return (*next)++;
}

static acp_pack_name *name_list(acp_pack *p, const char *key, uint32_t kind, uint32_t *out_count, uint32_t *next) {
    const acp_json *list = named_list(p, key);
    uint32_t count = list ? list->count : 0;
    acp_pack_name *names = acp_pack_allocate(p, count, sizeof *names);
    if (!names) return NULL;
    for (const acp_json *m = count ? list->first : NULL; m; m = m->next) {
        names[*out_count].json = m;
        if (!is_record_id(m, kind, &names[*out_count].id)) names[*out_count].id = 0;
        ++*out_count;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!names[i].id) names[i].id = free_id(names, count, next);
    return names;
}

/* "0x0D000010/7" */
static bool is_room_name(const acp_json *member, uint32_t *out_environment, uint32_t *out_ordinal) {
    char text[ACP_SCENE_NAME_CAPACITY] = {0};
    if (member->key_length < 12u || member->key_length > 15u || member->key[10] != '/') return false;
    acp_json id = *member;
    id.key_length = 10u;
    memcpy(text, member->key + 11, member->key_length - 11u);
    size_t length = strlen(text);
    if (!is_record_id(&id, 0x0Du, out_environment) || strspn(text, "0123456789") != length || (text[0] == '0' && length > 1u)) return false;
    *out_ordinal = (uint32_t)strtoul(text, NULL, 10);
    return true;
}

acp_pack_room *acp_pack_add_room(acp_pack *p, const acp_json *json) {
    if (p->room_count == p->room_capacity) {
        uint32_t capacity = p->room_capacity ? 2u * p->room_capacity : 64u;
        acp_pack_room *rooms = acp_pack_allocate(p, capacity, sizeof *rooms);
        if (!rooms) return NULL;
        if (p->room_count) memcpy(rooms, p->rooms, p->room_count * sizeof *rooms);
        p->rooms = rooms;
        p->room_capacity = capacity;
    }
    acp_pack_room *room = &p->rooms[p->room_count++];
    memset(room, 0, sizeof *room);
    room->json = json;
    return room;
}

void acp_pack_place_room(acp_pack *p, acp_pack_room *room) {
    for (uint32_t i = 0; i < p->room_count; i++)
        if (p->rooms[i].environment_id == p->next_environment_id) {
            p->next_environment_id++;
            i = UINT32_MAX; /* from the start */
        }
    room->environment_id = p->next_environment_id++;
    room->ordinal = 0;
}

void acp_pack_name_models(acp_pack *p) {
    p->next_shape_id = 0x01000001u;
    p->next_setup_id = 0x02000001u;
    p->next_environment_id = 0x0D000001u;
    p->shapes = name_list(p, "gfx", 0x01u, &p->shape_count, &p->next_shape_id);
    p->setups = name_list(p, "setups", 0x02u, &p->setup_count, &p->next_setup_id);
    const acp_json *list = named_list(p, "structures");
    for (const acp_json *m = list ? list->first : NULL; m && !acp_json_is_failed(p->input); m = m->next) {
        acp_pack_room *room = acp_pack_add_room(p, m);
        if (!room) return;
        room->is_named = true;
        if (!is_room_name(m, &room->environment_id, &room->ordinal)) room->environment_id = 0;
    }
    for (uint32_t i = 0; i < p->room_count; i++)
        if (!p->rooms[i].environment_id) acp_pack_place_room(p, &p->rooms[i]);
}

acp_pack_room *acp_pack_find_room(acp_pack *p, const acp_json *name) {
    for (uint32_t i = 0; i < p->room_count; i++) {
        const acp_json *m = p->rooms[i].json;
        if (p->rooms[i].is_named && name->type == ACP_JSON_STRING && name->count == m->key_length &&
            memcmp(name->text, m->key, m->key_length) == 0)
            return &p->rooms[i];
    }
    acp_json_fail(p->input, ACP_ERROR_NOT_FOUND, "structure", "the scene has no structure of this name");
    return NULL;
}

static uint32_t find_name(const acp_pack_name *names, uint32_t count, const acp_json *name) {
    for (uint32_t i = 0; i < count; i++)
        if (names[i].json && name->count == names[i].json->key_length && memcmp(name->text, names[i].json->key, name->count) == 0)
            return names[i].id;
    return 0;
}

uint32_t acp_pack_model_id(acp_pack *p, const acp_json *name, const char *where) {
    uint32_t id = 0;
    if (name && name->type == ACP_JSON_STRING) id = find_name(p->setups, p->setup_count, name);
    if (!id && name && name->type == ACP_JSON_STRING) id = find_name(p->shapes, p->shape_count, name);
    if (!id) acp_json_fail(p->input, ACP_ERROR_NOT_FOUND, where, "the scene has no setup and no shape of this name");
    return id;
}

/* --------------------------------------------------------------------------------------------------------- vertices and polygons */

/* Vertices by their bits, in order of appearance. */
typedef struct vertex_list {
    acp_record_vertex *items;
    uint32_t *slots; /* ordinal + 1 */
    uint32_t slot_count;
    uint32_t count;
    bool is_full;
} vertex_list;

static bool begin_vertices(acp_pack *p, vertex_list *v, uint32_t most) {
    memset(v, 0, sizeof *v);
    v->slot_count = 16;
    while (v->slot_count < 2u * most)
        v->slot_count *= 2u;
    v->items = acp_pack_allocate(p, most, sizeof *v->items);
    v->slots = acp_pack_allocate(p, v->slot_count, sizeof *v->slots);
    return v->items && v->slots;
}

static uint32_t add_vertex(vertex_list *v, acp_vec3 point) {
    uint32_t bits[3];
    memcpy(bits, &point, sizeof bits);
    uint32_t h = (bits[0] * 0x9E3779B1u ^ bits[1] * 0x85EBCA6Bu ^ bits[2] * 0xC2B2AE35u) * 0x27D4EB2Fu;
    uint32_t i = (h ^ h >> 15) & (v->slot_count - 1u);
    for (; v->slots[i]; i = (i + 1u) & (v->slot_count - 1u))
        if (memcmp(&v->items[v->slots[i] - 1u].position, &point, sizeof point) == 0) return v->slots[i] - 1u;
    if (v->count == LIST_LIMIT) {
        v->is_full = true;
        return 0;
    }
    acp_record_vertex *item = &v->items[v->count];
    memset(item, 0, sizeof *item);
    item->id = (uint16_t)v->count;
    item->position = point;
    item->normal.z = 1.0f;
    v->slots[i] = ++v->count;
    return v->count - 1u;
}

static void set_polygon(acp_pack *p, acp_record_polygon *to, uint32_t ordinal, int32_t sides, const acp_vec3 *points, uint32_t count,
                        vertex_list *v) {
    to->id = (uint16_t)ordinal;
    to->point_count = (uint8_t)count;
    to->stippling = 0x0Cu; /* no texture coordinates on either side */
    to->sides_type = sides;
    to->neg_surface = -1;
    to->vertices = acp_pack_allocate(p, count, sizeof *to->vertices);
    for (uint32_t k = 0; to->vertices && k < count; k++)
        to->vertices[k] = (uint16_t)add_vertex(v, points[k]);
}

static void set_polygons(acp_pack *p, const acp_bsp_source *source, uint32_t more, vertex_list *v, acp_record_polygons *out,
                         const char *where) {
    out->items = acp_pack_allocate(p, source->polygon_count + more, sizeof *out->items);
    if (!out->items) return;
    if (source->polygon_count + more > LIST_LIMIT) (void)acp_pack_find(p, false, where, "more than 65,535 polygons");
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        const acp_polygon_source *from = &source->polygons[i];
        if (from->point_count > 255u) (void)acp_pack_find(p, false, where, "a polygon has more than 255 points");
        set_polygon(p, &out->items[i], i, from->sides_type, source->vertices + from->first_index, from->point_count, v);
    }
    out->count = source->polygon_count;
}

/* The tag says which children a node has; PORT has both. */
static uint32_t tag_of(acp_pack *p, const acp_bsp_node_source *n, const char *where) {
    bool has_positive = n->positive != ACP_BSP_NONE, has_negative = n->negative != ACP_BSP_NONE;
    if (n->kind == ACP_BSP_LEAF) return ACP_TAG_LEAF;
    if (n->kind == ACP_BSP_PORTAL) {
        if (!has_positive || !has_negative) (void)acp_pack_find(p, false, where, "a PORT node has two children");
        return ACP_TAG_PORT;
    }
    if (has_positive) return has_negative ? 0x4250494Eu /* BPIN */ : 0x4250496Eu /* BPIn */;
    return has_negative ? 0x4270494Eu /* BpIN */ : 0x42504F4Cu /* BPOL: none */;
}

static void set_tree(acp_pack *p, const acp_bsp_source *source, bool is_physics, acp_record_tree *out, const char *where) {
    out->nodes = acp_pack_allocate(p, source->node_count, sizeof *out->nodes);
    out->node_count = source->node_count;
    for (uint32_t i = 0; out->nodes && i < source->node_count; i++) {
        const acp_bsp_node_source *from = &source->nodes[i];
        acp_record_node *to = &out->nodes[i];
        to->tag = tag_of(p, from, where);
        to->positive = from->positive == ACP_BSP_NONE ? ACP_RECORD_NONE : from->positive;
        to->negative = from->negative == ACP_BSP_NONE ? ACP_RECORD_NONE : from->negative;
        to->plane = from->plane;
        to->sphere = from->sphere;
        to->leaf_index = from->leaf_index;
        to->solid = from->solid;
        if (from->kind != ACP_BSP_LEAF || !is_physics) continue;
        to->polygon_count = from->polygon_count;
        to->polygons = acp_pack_allocate(p, from->polygon_count, sizeof *to->polygons);
        for (uint32_t k = 0; to->polygons && k < from->polygon_count; k++) {
            uint32_t ordinal = source->leaf_polygons[from->first_polygon + k];
            if (ordinal > LIST_LIMIT) (void)acp_pack_find(p, false, where, "a leaf names a polygon beyond 65,535");
            to->polygons[k] = (uint16_t)ordinal;
        }
    }
}

/* A tree of one leaf that holds nothing. */
static void set_empty_tree(acp_pack *p, acp_record_tree *out) {
    out->nodes = acp_pack_allocate(p, 1, sizeof *out->nodes);
    out->node_count = 1;
    if (out->nodes) *out->nodes = (acp_record_node){.tag = ACP_TAG_LEAF, .positive = ACP_RECORD_NONE, .negative = ACP_RECORD_NONE};
}

/* ----------------------------------------------------------------------------------------------------------------------- meshes */

/* A drawing tree without polygons whose root has this sphere (AUT-36: no leaf). */
static void set_drawing_tree(acp_pack *p, acp_sphere sphere, acp_record_tree *out) {
    out->nodes = acp_pack_allocate(p, 3, sizeof *out->nodes);
    out->node_count = 3;
    if (!out->nodes) return;
    for (uint32_t i = 0; i < 3u; i++)
        out->nodes[i] = (acp_record_node){.tag = ACP_TAG_LEAF, .positive = ACP_RECORD_NONE, .negative = ACP_RECORD_NONE};
    out->nodes[0].tag = 0x4250494Eu; /* BPIN */
    out->nodes[0].positive = 1;
    out->nodes[0].negative = 2;
    out->nodes[0].plane.normal.z = 1.0f;
    out->nodes[0].sphere = sphere;
    out->nodes[2].leaf_index = 1;
}

/* Vertices that only the box needs: those the scene lists, or its corners. */
static void set_box(acp_pack *p, const acp_json *json, const acp_bsp_source *physics, vertex_list *v, const char *where) {
    if (!acp_json_has(json, "box")) {
        uint32_t floats = 0;
        const float *list = acp_json_get_floats(p->input, &p->memory, json, "vertices", &floats);
        for (uint32_t i = 0; list && i + 2u < floats; i += 3u)
            (void)add_vertex(v, (acp_vec3){list[i], list[i + 1u], list[i + 2u]});
        if (list) { /* the box is of these alone */
            acp_box own = acp_box_of_points((const acp_vec3 *)list, floats / 3u),
                    all = acp_box_of_points(physics->vertices, physics->vertex_count);
            if (physics->vertex_count && (all.min.x < own.min.x || all.min.y < own.min.y || all.min.z < own.min.z ||
                                          all.max.x > own.max.x || all.max.y > own.max.y || all.max.z > own.max.z))
                (void)acp_pack_find(p, false, where, "the listed vertices do not bound the polygons: a record's box is of all of them");
        }
        return;
    }
    acp_box box = acp_json_get_box(p->input, json, "box"), own = acp_box_of_points(physics->vertices, physics->vertex_count);
    if (physics->vertex_count && memcmp(&box, &own, sizeof box) == 0) return;
    acp_box with[2] = {box, own}, all = acp_box_of_points(&with[0].min, physics->vertex_count ? 4u : 2u);
    if (all.min.x < box.min.x || all.min.y < box.min.y || all.min.z < box.min.z || all.max.x > box.max.x || all.max.y > box.max.y ||
        all.max.z > box.max.z)
        (void)acp_pack_find(p, false, where, "the box does not contain the polygons: a record's box is of all its vertices");
    static const acp_box nothing = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!physics->vertex_count && memcmp(&box, &nothing, sizeof box) == 0) return; /* that of no vertices */
    (void)add_vertex(v, box.min);
    (void)add_vertex(v, box.max);
}

static void set_spheres(acp_pack *p, const acp_json *json, const acp_bsp_source *physics, acp_record_gfxobj *g, const char *where) {
    bool has_drawing = acp_json_has(json, "drawing_sphere");
    acp_sphere drawing = {{0.0f, 0.0f, 0.0f}, 0.0f};
    if (has_drawing) drawing = acp_json_get_sphere(p->input, json, "drawing_sphere");
    if (acp_json_has(json, "physics_sphere")) {
        acp_sphere sphere = acp_json_get_sphere(p->input, json, "physics_sphere");
        if (!physics->node_count) { /* it is what the client would take the drawing sphere for (MEM-21) */
            drawing = sphere;
            has_drawing = true;
        } else if (physics->nodes[0].kind == ACP_BSP_PORTAL || memcmp(&sphere, &physics->nodes[0].sphere, sizeof sphere) != 0)
            (void)acp_pack_find(p, false, where, "the physics sphere is not that of the tree's root: a record has no other");
    }
    if (!has_drawing) return;
    g->flags |= 2u;
    set_drawing_tree(p, drawing, &g->drawing_tree);
}

static void put_billboard(acp_pack *p, acp_record_gfxobj *g) {
    acp_record_degrade_info info = {0};
    acp_record_degrade_entry entry = {g->id, 2u, 0.0f, 0.0f, 3.0e38f};
    g->flags |= 8u;
    g->degrade_id = 0x11000000u | (g->id & 0x00FFFFFFu);
    info.id = g->degrade_id;
    info.count = 1;
    info.entries = &entry;
    acp_pack_put(p, p->portal, ACP_RECORD_DEGRADE_INFO, info.id, &info);
}

static void put_shape(acp_pack *p, uint32_t id, const acp_json *json, const char *where) {
    acp_record_gfxobj g;
    vertex_list vertices;
    memset(&g, 0, sizeof g);
    acp_bsp_source physics =
        acp_json_to_bsp_source(p->input, &p->memory, acp_json_get_optional_array(p->input, json, "polys"), acp_json_member(json, "bsp"));
    if (acp_json_is_failed(p->input) ||
        !begin_vertices(p, &vertices, physics.vertex_count + acp_json_count_floats(p->input, json, "vertices") + 2u))
        return;
    g.id = id;
    g.vertices.vertex_type = 1;
    set_box(p, json, &physics, &vertices, where);
    set_spheres(p, json, &physics, &g, where);
    if (physics.node_count) {
        g.flags |= 1u;
        set_polygons(p, &physics, 0, &vertices, &g.physics_polygons, where);
        set_tree(p, &physics, true, &g.physics_tree, where);
    } else { /* polygons without a tree are nothing to physics, but they may make the box */
        for (uint32_t i = 0; i < physics.vertex_count; i++)
            (void)add_vertex(&vertices, physics.vertices[i]);
    }
    if (vertices.is_full) (void)acp_pack_find(p, false, where, "more than 65,535 vertices");
    g.vertices.count = vertices.count;
    g.vertices.items = vertices.items;
    if (acp_json_get_flag_or(p->input, json, "always2d", false)) put_billboard(p, &g);
    acp_pack_put(p, p->portal, ACP_RECORD_GFXOBJ, id, &g);
}

uint32_t acp_pack_shape_in_place(acp_pack *p, const acp_json *json, const char *where) {
    uint32_t id = free_id(p->shapes, p->shape_count, &p->next_shape_id);
    put_shape(p, id, json, where);
    return id;
}

uint32_t acp_pack_empty_shape(acp_pack *p) {
    if (p->empty_shape_id) return p->empty_shape_id;
    acp_record_gfxobj g;
    memset(&g, 0, sizeof g);
    g.id = p->empty_shape_id = free_id(p->shapes, p->shape_count, &p->next_shape_id);
    g.vertices.vertex_type = 1;
    acp_pack_put(p, p->portal, ACP_RECORD_GFXOBJ, g.id, &g);
    return g.id;
}

/* ----------------------------------------------------------------------------------------------------------------------- setups */

static acp_frame frame_of(acp_pack *p, const acp_json *json) {
    acp_matrix_frame frame = json ? acp_json_to_frame(p->input, json) : acp_matrix_frame_identity();
    return acp_matrix_frame_to_public(&frame);
}

static void set_parts(acp_pack *p, const acp_json *json, acp_record_setup *s, const char *where) {
    const acp_json *parts = acp_json_get_optional_array(p->input, json, "parts");
    s->part_count = parts ? parts->count : 0;
    s->parts = acp_pack_allocate(p, s->part_count, sizeof *s->parts);
    if (!s->part_count) (void)acp_pack_find(p, false, where, "a setup without parts makes no object");
    uint32_t i = 0, floats = 0;
    for (const acp_json *part = parts && s->parts ? parts->first : NULL; part; part = part->next, i++) {
        if (part->type == ACP_JSON_NULL) {
            (void)acp_pack_find(p, false, where, "an absent part: a setup with one makes no object");
            continue;
        }
        s->parts[i] = part->type == ACP_JSON_STRING ? find_name(p->shapes, p->shape_count, part) : 0;
        if (!s->parts[i]) acp_json_fail(p->input, ACP_ERROR_NOT_FOUND, "parts", "the scene has no shape of this name");
    }
    const float *scales = acp_json_get_floats(p->input, &p->memory, json, "default_scale", &floats);
    if (!scales) return;
    if (floats != 3u * s->part_count)
        acp_json_fail(p->input, ACP_ERROR_BAD_DATA, "default_scale", "three numbers for each part are wanted");
    s->flags |= 2u;
    s->scales = acp_pack_allocate(p, s->part_count, sizeof *s->scales);
    for (uint32_t k = 0; s->scales && k < s->part_count && floats == 3u * s->part_count; k++)
        s->scales[k] = (acp_vec3){scales[3u * k], scales[3u * k + 1u], scales[3u * k + 2u]};
}

static void set_placements(acp_pack *p, const acp_json *json, acp_record_setup *s, const char *where) {
    const acp_json *list = acp_json_get_optional_array(p->input, json, "placements");
    s->placements = acp_pack_allocate(p, list ? list->count : 0, sizeof *s->placements);
    for (const acp_json *m = list && s->placements ? list->first : NULL; m; m = m->next) {
        acp_record_placement *to = &s->placements[s->placement_count++];
        const acp_json *frames = acp_json_get_optional_array(p->input, m, "frames");
        to->key = acp_json_get_id_or(p->input, m, "id", 0);
        to->frames = acp_pack_allocate(p, s->part_count, sizeof *to->frames);
        if ((frames ? frames->count : 0) != s->part_count) (void)acp_pack_find(p, false, where, "a placement has a frame for each part");
        uint32_t k = 0;
        for (const acp_json *f = frames && to->frames ? frames->first : NULL; f && k < s->part_count; f = f->next)
            to->frames[k++] = frame_of(p, f);
    }
    list = acp_json_get_optional_array(p->input, json, "holding");
    s->holding.items = acp_pack_allocate(p, list ? list->count : 0, sizeof *s->holding.items);
    for (const acp_json *m = list && s->holding.items ? list->first : NULL; m; m = m->next) {
        acp_record_location *to = &s->holding.items[s->holding.count++];
        to->key = acp_json_get_id_or(p->input, m, "id", 0);
        to->part = acp_json_get_int32_or(p->input, m, "part", -1);
        to->frame = frame_of(p, acp_json_get_optional_object(p->input, m, "frame"));
    }
}

static void put_setup(acp_pack *p, uint32_t id, const acp_json *json, const char *where) {
    acp_record_setup s;
    memset(&s, 0, sizeof s);
    s.id = id;
    set_parts(p, json, &s, where);
    set_placements(p, json, &s, where);
    s.spheres = acp_scene_spheres(p->input, &p->memory, json, "spheres", &s.sphere_count);
    s.cylspheres = acp_scene_cylspheres(p->input, &p->memory, json, "cylspheres", &s.cylsphere_count);
    if (acp_json_has(json, "sorting_sphere")) s.sorting_sphere = acp_json_get_sphere(p->input, json, "sorting_sphere");
    s.selection_sphere = s.sorting_sphere;
    s.step_up = acp_json_get_float_or(p->input, json, "step_up", 0.0f);
    s.step_down = acp_json_get_float_or(p->input, json, "step_down", 0.0f);
    s.radius = acp_json_get_float_or(p->input, json, "radius", 0.0f);
    s.height = acp_json_get_float_or(p->input, json, "height", 0.0f);
    if (acp_json_get_flag_or(p->input, json, "free_heading", false)) s.flags |= 4u;
    acp_pack_put(p, p->portal, ACP_RECORD_SETUP, id, &s);
}

uint32_t acp_pack_posed_setup(acp_pack *p, uint32_t shape_id, float scale, const acp_frame *pose) {
    acp_record_setup s;
    acp_vec3 scales = {scale, scale, scale};
    acp_record_placement placement;
    acp_frame frame = *pose;
    memset(&s, 0, sizeof s);
    memset(&placement, 0, sizeof placement);
    placement.frames = &frame;
    s.id = free_id(p->setups, p->setup_count, &p->next_setup_id);
    s.flags = 2u;
    s.part_count = 1;
    s.parts = &shape_id;
    s.scales = &scales;
    s.placement_count = 1;
    s.placements = &placement;
    acp_pack_put(p, p->portal, ACP_RECORD_SETUP, s.id, &s);
    return s.id;
}

/* ------------------------------------------------------------------------------------------------------------------------ rooms */

uint32_t acp_pack_portal_polygon(acp_pack *p, acp_pack_room *room, const acp_vec3 *points, uint32_t count) {
    const acp_json *polygons = acp_json_get_optional_array(p->input, room->json, "polys");
    uint32_t first = polygons ? polygons->count : 0, i = 0;
    while (i < room->portal_count &&
           (room->portals[i].count != count || memcmp(room->portals[i].points, points, count * sizeof *points) != 0))
        i++;
    if (i == room->portal_count) {
        if (room->portal_count == room->portal_capacity) {
            uint32_t capacity = room->portal_capacity ? 2u * room->portal_capacity : 8u;
            acp_pack_portal *portals = acp_pack_allocate(p, capacity, sizeof *portals);
            if (!portals) return 0;
            if (room->portal_count) memcpy(portals, room->portals, room->portal_count * sizeof *portals);
            room->portals = portals;
            room->portal_capacity = capacity;
        }
        room->portals[room->portal_count].points = points;
        room->portals[room->portal_count++].count = count;
    }
    return first + i;
}

static void set_room(acp_pack *p, const acp_pack_room *room, acp_record_cell_structure *s) {
    vertex_list vertices;
    char where[96];
    (void)acp_pack_where(p, room->is_named ? "structures" : "envcells", room->json, where);
    acp_bsp_source containment = acp_json_to_bsp_source(p->input, &p->memory, NULL, acp_json_member(room->json, "cell_bsp"));
    acp_bsp_source physics = acp_json_to_bsp_source(p->input, &p->memory, acp_json_get_optional_array(p->input, room->json, "polys"),
                                                    acp_json_member(room->json, "bsp"));
    uint32_t most = physics.vertex_count;
    for (uint32_t i = 0; i < room->portal_count; i++)
        most += room->portals[i].count;
    if (acp_json_is_failed(p->input) || !begin_vertices(p, &vertices, most + 1u)) return;
    if (!containment.node_count) (void)acp_pack_find(p, false, where, "a room without a containment tree");
    set_polygons(p, &physics, 0, &vertices, &s->physics_polygons, where);
    set_polygons(p, &physics, room->portal_count, &vertices, &s->polygons, where);
    s->portals.items = acp_pack_allocate(p, room->portal_count, sizeof *s->portals.items);
    if (!s->polygons.items || !s->portals.items) return;
    for (uint32_t i = 0; i < room->portal_count; i++) {
        uint32_t ordinal = s->polygons.count++;
        s->portals.items[s->portals.count++] = (uint16_t)ordinal;
        set_polygon(p, &s->polygons.items[ordinal], ordinal, 0, room->portals[i].points, room->portals[i].count, &vertices);
    }
    set_tree(p, &containment, false, &s->cell_tree, where);
    if (physics.node_count)
        set_tree(p, &physics, true, &s->physics_tree, where);
    else
        set_empty_tree(p, &s->physics_tree);
    if (vertices.is_full) (void)acp_pack_find(p, false, where, "more than 65,535 vertices");
    s->vertices.count = vertices.count;
    s->vertices.items = vertices.items;
}

/* One environment: its rooms at their ordinals, rooms without anything between them. */
static void put_environment(acp_pack *p, uint32_t id) {
    acp_record_environment e = {.id = id};
    for (uint32_t i = 0; i < p->room_count; i++)
        if (p->rooms[i].environment_id == id && p->rooms[i].ordinal >= e.cell_count) e.cell_count = p->rooms[i].ordinal + 1u;
    e.cells = acp_pack_allocate(p, e.cell_count, sizeof *e.cells);
    if (!e.cells) return;
    for (uint32_t i = 0; i < p->room_count; i++)
        if (p->rooms[i].environment_id == id) set_room(p, &p->rooms[i], &e.cells[p->rooms[i].ordinal]);
    for (uint32_t i = 0; i < e.cell_count && !p->report.refusals && !acp_json_is_failed(p->input); i++) {
        acp_record_cell_structure *s = &e.cells[i];
        s->id = i;
        s->vertices.vertex_type = 1;
        if (!s->cell_tree.node_count) set_empty_tree(p, &s->cell_tree);
        if (!s->physics_tree.node_count) set_empty_tree(p, &s->physics_tree);
        s->polygon_count = s->polygons.count;
        s->physics_polygon_count = s->physics_polygons.count;
        s->portal_count = s->portals.count;
    }
    acp_pack_put(p, p->portal, ACP_RECORD_ENVIRONMENT, id, &e);
}

/* ------------------------------------------------------------------------------------------------------------------------ whole */

void acp_pack_models(acp_pack *p) {
    char where[96];
    for (uint32_t i = 0; i < p->shape_count && !acp_json_is_failed(p->input); i++)
        put_shape(p, p->shapes[i].id, p->shapes[i].json, acp_pack_where(p, "gfx", p->shapes[i].json, where));
    for (uint32_t i = 0; i < p->setup_count && !acp_json_is_failed(p->input); i++)
        put_setup(p, p->setups[i].id, p->setups[i].json, acp_pack_where(p, "setups", p->setups[i].json, where));
}

void acp_pack_rooms(acp_pack *p) {
    for (uint32_t i = 0; i < p->room_count && !acp_json_is_failed(p->input); i++) {
        bool is_first = true;
        for (uint32_t k = 0; k < i; k++)
            is_first = is_first && p->rooms[k].environment_id != p->rooms[i].environment_id;
        if (is_first) put_environment(p, p->rooms[i].environment_id);
    }
}
