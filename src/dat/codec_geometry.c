/* SPDX-License-Identifier: MIT */
/* Vertex arrays, polygons and BSP trees of records (spec 02 §9, §10).
 *
 * Vertices and polygons are addressed by ordinal; a stored id that differs is told (strict: refused), as are polygons of fewer than three
 * points or with a vertex out of range. What is derived from sides_type (negative surfaces, aliased uv lists) is not written into the
 * record, which keeps what is stored.
 * A tree is read twice: once to count its nodes and find the end, once to fill them. The nodes stand in the order of the file with the
 * indices of their children; parts of a node that follow its children (sphere, lists) are read when the walk comes back to it. The walk is
 * a loop over an explicit stack of at most 1,024 levels (DAT-50, DAT-70); the node count is bounded by the bytes.
 *
 * Contract: codec.h. Sources: DAT-41 to DAT-51, DAT-70, DAT-72. Cost: about 10 ns a field. */
#include <math.h>
#include <string.h>

#include "dat/codec.h"

#define VERTEX_LIMIT  65535u
#define POLYGON_LIMIT 65535u
#define DEPTH_LIMIT   1024u

void acp_codec_vertices(acp_codec *c, acp_record_vertices *vertices) {
    acp_codec_i32(c, "vertex_type", &vertices->vertex_type);
    if (c->direction != ACP_CODEC_SHOW && vertices->vertex_type != 1)
        acp_codec_fail(c, ACP_ERROR_BAD_DATA, "vertex_type", "the only vertex type is 1");
    acp_codec_list(c, "vertices", ACP_COUNT_U32, &vertices->count, VERTEX_LIMIT, &vertices->items, sizeof *vertices->items, 28);
    for (uint32_t i = 0; i < vertices->count && acp_codec_is_ok(c); i++) {
        acp_record_vertex *v = &vertices->items[i];
        acp_codec_open(c, NULL);
        acp_codec_u16(c, "id", &v->id);
        acp_codec_u16(c, "uv_count", &v->uv_count);
        if (v->id != i) acp_codec_remark(c, ACP_REMARK_ID_NOT_ORDINAL, "vertex.id", "a stored id is not the ordinal: the ordinal counts");
        acp_codec_vec3(c, "position", &v->position);
        acp_codec_vec3(c, "normal", &v->normal);
        uint32_t count = 2u * v->uv_count;
        acp_codec_values(c, "uvs", ACP_FIELD_F32, ACP_COUNT_GIVEN, &count, UINT32_MAX, &v->uvs);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void polygon(acp_codec *c, acp_record_polygon *p, uint32_t ordinal, const acp_record_vertices *vertices) {
    acp_codec_u16(c, "id", &p->id);
    acp_codec_u8(c, "point_count", &p->point_count);
    acp_codec_u8(c, "stippling", &p->stippling);
    acp_codec_i32(c, "sides_type", &p->sides_type);
    acp_codec_i16(c, "pos_surface", &p->pos_surface);
    acp_codec_i16(c, "neg_surface", &p->neg_surface);
    uint32_t count = p->point_count, pos_count = p->stippling & 4u ? 0u : count;
    uint32_t neg_count = p->sides_type == 2 && !(p->stippling & 8u) ? count : 0u;
    acp_codec_values(c, "vertices", ACP_FIELD_U16, ACP_COUNT_GIVEN, &count, UINT32_MAX, &p->vertices);
    acp_codec_values(c, "pos_uvs", ACP_FIELD_U8, ACP_COUNT_GIVEN, &pos_count, UINT32_MAX, &p->pos_uvs);
    acp_codec_values(c, "neg_uvs", ACP_FIELD_U8, ACP_COUNT_GIVEN, &neg_count, UINT32_MAX, &p->neg_uvs);
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c)) return;
    if (p->id != ordinal)
        acp_codec_remark(c, ACP_REMARK_ID_NOT_ORDINAL, "polygon.id", "a stored id is not the ordinal: the ordinal counts");
    if (p->point_count < 3)
        acp_codec_remark(c, ACP_REMARK_BAD_POLYGON, "polygon.point_count", "a polygon of fewer than three points: never hit");
    for (uint32_t i = 0; i < count; i++)
        if (p->vertices[i] >= vertices->count)
            acp_codec_remark(c, ACP_REMARK_BAD_POLYGON, "polygon.vertices", "a polygon names a vertex out of range: never hit");
}

void acp_codec_polygons(acp_codec *c, const char *name, acp_count_form form, acp_record_polygons *polygons,
                        const acp_record_vertices *vertices) {
    acp_codec_list(c, name, form, &polygons->count, POLYGON_LIMIT, &polygons->items, sizeof *polygons->items, 12);
    for (uint32_t i = 0; i < polygons->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        polygon(c, &polygons->items[i], i, vertices);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

/* ---- trees ---- */

static bool has_positive(uint32_t tag) {
    switch (tag) {
    case 0x504F5254u: /* PORT */
    case 0x42506E6Eu: /* BPnn */
    case 0x4250496Eu: /* BPIn */
    case 0x4250494Eu: /* BPIN */
    case 0x42506E4Eu: /* BPnN */
        return true;
    default:
        return false;
    }
}

static bool has_negative(uint32_t tag) {
    switch (tag) {
    case 0x504F5254u: /* PORT */
    case 0x4270494Eu: /* BpIN */
    case 0x42706E4Eu: /* BpnN */
    case 0x4250494Eu: /* BPIN */
    case 0x42506E4Eu: /* BPnN */
        return true;
    default:
        return false;
    }
}

/* The ten tags of DAT-51. */
static bool is_known(uint32_t tag) {
    return tag == ACP_TAG_LEAF || has_positive(tag) || has_negative(tag) || tag == 0x42504F4Cu /* BPOL */ || tag == 0x4250464Cu /* BPFL */;
}

static void check_node(acp_codec *c, const acp_record_node *node, acp_record_tree_kind kind, uint32_t polygon_count) {
    if (!acp_codec_is_reading(c)) return;
    if (!is_known(node->tag)) acp_codec_remark(c, ACP_REMARK_TAG, "node.tag", "an unknown tag: a childless node");
    if (node->tag == ACP_TAG_PORT && kind != ACP_TREE_DRAWING)
        acp_codec_remark(c, ACP_REMARK_PORT, "node.tag", "a PORT node outside a drawing tree: its sphere test always passes");
    if (kind != ACP_TREE_PHYSICS || node->tag != ACP_TAG_LEAF || !acp_codec_is_ok(c)) return;
    for (uint32_t i = 0; i < node->polygon_count; i++)
        if (node->polygons[i] >= polygon_count || node->polygons[i] >= 32768u)
            acp_codec_remark(c, ACP_REMARK_BAD_TREE, "leaf.polygons", "a leaf names a polygon out of range: never hit");
}

/* What precedes the children: all of a leaf, the plane of any other node. */
static void node_head(acp_codec *c, acp_record_node *node, acp_record_tree_kind kind) {
    acp_codec_value(c, ACP_FIELD_TAG, "tag", &node->tag);
    if (node->tag != ACP_TAG_LEAF) {
        acp_codec_plane(c, "plane", &node->plane);
        return;
    }
    acp_codec_i32(c, "leaf_index", &node->leaf_index);
    if (kind != ACP_TREE_PHYSICS) return;
    acp_codec_i32(c, "solid", &node->solid);
    acp_codec_sphere(c, "sphere", &node->sphere);
    acp_codec_values(c, "polygons", ACP_FIELD_U16, ACP_COUNT_U32, &node->polygon_count, UINT32_MAX, &node->polygons);
}

/* What follows the children. */
static void node_tail(acp_codec *c, acp_record_node *node, acp_record_tree_kind kind) {
    if (node->tag == ACP_TAG_LEAF || kind == ACP_TREE_CELL) return;
    if (node->tag == ACP_TAG_PORT && kind == ACP_TREE_PHYSICS) return;
    acp_codec_sphere(c, "sphere", &node->sphere);
    if (kind == ACP_TREE_PHYSICS) return;
    if (node->tag != ACP_TAG_PORT) {
        acp_codec_values(c, "polygons", ACP_FIELD_U16, ACP_COUNT_U32, &node->polygon_count, UINT32_MAX, &node->polygons);
        return;
    }
    acp_codec_u32(c, "polygon_count", &node->polygon_count);
    acp_codec_u32(c, "portal_count", &node->portal_count);
    if (node->portal_count > 0x10000000u) acp_codec_fail(c, ACP_ERROR_LIMIT, "portal_count", "more portals than a record can hold");
    uint32_t pairs = 2u * node->portal_count;
    acp_codec_values(c, "polygons", ACP_FIELD_U16, ACP_COUNT_GIVEN, &node->polygon_count, UINT32_MAX, &node->polygons);
    acp_codec_values(c, "portals", ACP_FIELD_U16, ACP_COUNT_GIVEN, &pairs, UINT32_MAX, &node->portals);
    if (!acp_codec_is_ok(c)) node->portal_count = 0;
}

typedef struct walk_level {
    uint32_t node;
    uint32_t stage; /* 0 head, 1 positive child, 2 negative child, 3 tail */
} walk_level;

/* Counting pass: the tail and head of a node as bytes only. */
static void skip_list(acp_reader *reader) {
    uint32_t count = acp_reader_u32(reader, "node.polygon_count");
    if (acp_reader_can_hold(reader, count, 2, "node.polygon_count")) acp_reader_skip(reader, 2u * (size_t)count, "node.polygons");
}

static uint32_t skip_head(acp_reader *reader, acp_record_tree_kind kind) {
    uint32_t tag = acp_reader_u32(reader, "node.tag");
    acp_reader_skip(reader, tag == ACP_TAG_LEAF ? 4 : 16, tag == ACP_TAG_LEAF ? "leaf_index" : "plane");
    if (tag != ACP_TAG_LEAF || kind != ACP_TREE_PHYSICS) return tag;
    acp_reader_skip(reader, 20, "leaf.sphere");
    skip_list(reader);
    return tag;
}

static void skip_tail(acp_reader *reader, uint32_t tag, acp_record_tree_kind kind) {
    if (tag == ACP_TAG_LEAF || kind == ACP_TREE_CELL || (tag == ACP_TAG_PORT && kind == ACP_TREE_PHYSICS)) return;
    acp_reader_skip(reader, 16, "node.sphere");
    if (kind == ACP_TREE_PHYSICS) return;
    if (tag != ACP_TAG_PORT) {
        skip_list(reader);
        return;
    }
    uint32_t polygons = acp_reader_u32(reader, "node.polygon_count"), portals = acp_reader_u32(reader, "node.portal_count");
    if (acp_reader_can_hold(reader, polygons, 2, "node.polygon_count")) acp_reader_skip(reader, 2u * (size_t)polygons, "node.polygons");
    if (acp_reader_can_hold(reader, portals, 4, "node.portal_count")) acp_reader_skip(reader, 4u * (size_t)portals, "node.portals");
}

/* Number of nodes from the reader's place on; 0 with the codec failed when the tree does not end or is too deep. */
static uint32_t count_nodes(acp_codec *c, acp_record_tree_kind kind) {
    acp_reader reader = c->reader;
    struct {
        uint32_t tag;
        uint32_t stage;
    } stack[DEPTH_LIMIT];
    uint32_t depth = 1, count = 0;
    stack[0].stage = 0;
    while (depth > 0 && acp_reader_is_ok(&reader)) {
        uint32_t top = depth - 1, stage = stack[top].stage++;
        if (stage == 0) {
            stack[top].tag = skip_head(&reader, kind);
            count++;
        } else if (stage == 3) {
            skip_tail(&reader, stack[top].tag, kind);
            depth--;
        } else if (stage == 1 ? has_positive(stack[top].tag) : has_negative(stack[top].tag)) {
            if (depth == DEPTH_LIMIT) {
                acp_codec_fail(c, ACP_ERROR_LIMIT, "node", "a tree has at most 1024 levels");
                return 0;
            }
            stack[depth++].stage = 0;
        }
    }
    if (acp_reader_is_ok(&reader)) return count;
    c->reader = reader; /* with its fault */
    return 0;
}

/* Walks the nodes in file order, reading or writing each. When writing, the children are where the nodes say. */
static void walk_nodes(acp_codec *c, acp_record_tree_kind kind, acp_record_tree *tree, uint32_t polygon_count) {
    walk_level stack[DEPTH_LIMIT];
    uint32_t depth = 1, next = 1;
    stack[0] = (walk_level){0, 0};
    while (depth > 0 && acp_codec_is_ok(c)) {
        walk_level *level = &stack[depth - 1];
        acp_record_node *node = &tree->nodes[level->node];
        uint32_t stage = level->stage++;
        if (stage == 0) {
            node_head(c, node, kind);
            check_node(c, node, kind, polygon_count);
        } else if (stage == 3) {
            node_tail(c, node, kind);
            depth--;
        } else {
            uint32_t *child = stage == 1 ? &node->positive : &node->negative;
            bool is_there = stage == 1 ? has_positive(node->tag) : has_negative(node->tag);
            if (acp_codec_is_reading(c)) *child = is_there ? next : ACP_RECORD_NONE;
            if (!is_there) continue;
            /* Nodes stand in the order of the walk: anything else would not be a tree, or not this file's. */
            if (*child != next || next >= tree->node_count || depth == DEPTH_LIMIT) {
                acp_codec_fail(c, ACP_ERROR_BAD_DATA, "node.children", "the nodes do not stand in file order, or are too deep");
                return;
            }
            stack[depth++] = (walk_level){next++, 0};
        }
    }
    if (acp_codec_is_ok(c) && next != tree->node_count)
        acp_codec_fail(c, ACP_ERROR_BAD_DATA, "node.children", "there are nodes that no other names");
}

/* For a visitor: a flat list. */
static void list_nodes(acp_codec *c, const char *name, acp_record_tree_kind kind, acp_record_tree *tree) {
    acp_codec_list(c, name, ACP_COUNT_U32, &tree->node_count, UINT32_MAX, &tree->nodes, sizeof *tree->nodes, 8);
    for (uint32_t i = 0; i < tree->node_count && acp_codec_is_ok(c); i++) {
        acp_record_node *node = &tree->nodes[i];
        acp_codec_open(c, NULL);
        node_head(c, node, kind);
        if (has_positive(node->tag))
            acp_codec_u32(c, "positive", &node->positive);
        else
            node->positive = ACP_RECORD_NONE;
        if (has_negative(node->tag))
            acp_codec_u32(c, "negative", &node->negative);
        else
            node->negative = ACP_RECORD_NONE;
        node_tail(c, node, kind);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

void acp_codec_tree(acp_codec *c, const char *name, acp_record_tree_kind kind, acp_record_tree *tree, uint32_t polygon_count) {
    if (!acp_codec_is_ok(c)) return;
    if (c->visitor) {
        list_nodes(c, name, kind, tree);
        return;
    }
    if (acp_codec_is_reading(c)) {
        uint32_t count = count_nodes(c, kind);
        if (!acp_codec_is_ok(c)) return;
        tree->nodes = acp_arena_allocate_zero(&c->record->arena, count, sizeof *tree->nodes, 8);
        if (!tree->nodes) {
            acp_codec_fail(c, ACP_ERROR_OUT_OF_MEMORY, "record", "memory for the record refused");
            return;
        }
        tree->node_count = count;
    }
    if (tree->node_count == 0)
        acp_codec_fail(c, ACP_ERROR_BAD_DATA, name, "a tree has at least one node");
    else
        walk_nodes(c, kind, tree, polygon_count);
}
