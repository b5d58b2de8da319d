/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_RECORD_H
#define ACP_DAT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/geom.h"
#include "acphys/terrain.h"
#include "base/arena.h"
#include "base/writer.h"

/* Records without loss: decoding keeps every field, encoding gives back the bytes (D16, spec 02 §9-20). All lists live in the record's
 * arena. Fields carry the names of spec 02; what a reader of the format derives (portal sides, always-2D) is left to the asset floor. */

typedef enum acp_record_kind {
    ACP_RECORD_OTHER = 0, /* not decoded: passes through */
    ACP_RECORD_GFXOBJ,
    ACP_RECORD_SETUP,
    ACP_RECORD_ANIMATION,
    ACP_RECORD_MOTION_TABLE,
    ACP_RECORD_ENVIRONMENT,
    ACP_RECORD_DEGRADE_INFO,
    ACP_RECORD_SCENE,
    ACP_RECORD_REGION,
    ACP_RECORD_LAND_BLOCK,
    ACP_RECORD_LAND_BLOCK_INFO,
    ACP_RECORD_ENV_CELL,
    ACP_RECORD_KIND_COUNT
} acp_record_kind;

#define ACP_RECORD_NONE UINT32_MAX

/* ---- pieces ---- */

typedef struct acp_record_vertex {
    uint16_t id;
    uint16_t uv_count;
    acp_vec3 position;
    acp_vec3 normal;
    float *uvs; /* 2 * uv_count */
} acp_record_vertex;

typedef struct acp_record_vertices {
    int32_t vertex_type;
    uint32_t count;
    acp_record_vertex *items;
} acp_record_vertices;

typedef struct acp_record_polygon {
    uint16_t id;
    uint8_t point_count;
    uint8_t stippling;
    int32_t sides_type;
    int16_t pos_surface;
    int16_t neg_surface;
    uint16_t *vertices; /* point_count ordinals */
    uint8_t *pos_uvs;   /* point_count, or null */
    uint8_t *neg_uvs;   /* point_count, or null */
} acp_record_polygon;

typedef struct acp_record_polygons {
    uint32_t count;
    acp_record_polygon *items;
} acp_record_polygons;

typedef enum acp_record_tree_kind { ACP_TREE_DRAWING = 0, ACP_TREE_PHYSICS = 1, ACP_TREE_CELL = 2 } acp_record_tree_kind;

#define ACP_TAG_LEAF 0x4C454146u
#define ACP_TAG_PORT 0x504F5254u

typedef struct acp_record_node {
    uint32_t tag;
    uint32_t positive; /* index, or ACP_RECORD_NONE */
    uint32_t negative;
    int32_t leaf_index;
    int32_t solid;
    acp_plane plane;
    acp_sphere sphere;
    uint32_t polygon_count;
    uint32_t portal_count;
    uint16_t *polygons;
    uint16_t *portals; /* polygon and portal index, alternating */
} acp_record_node;

/* Nodes in the order of the file: depth first, positive child first; the root is node 0. */
typedef struct acp_record_tree {
    uint32_t node_count;
    acp_record_node *nodes;
} acp_record_tree;

typedef struct acp_record_text {
    uint32_t length;
    char *bytes; /* code page 1252, not terminated */
} acp_record_text;

typedef struct acp_record_u32s {
    uint32_t count;
    uint32_t *items;
} acp_record_u32s;

typedef struct acp_record_u16s {
    uint32_t count;
    uint16_t *items;
} acp_record_u16s;

typedef struct acp_record_hook {
    uint32_t type;
    int32_t direction;
    uint32_t size;    /* bytes of payload as stored, without alignment */
    uint8_t *payload; /* DAT-55 */
} acp_record_hook;

typedef struct acp_record_hooks {
    uint32_t count;
    acp_record_hook *items;
} acp_record_hooks;

typedef struct acp_record_object { /* a static object, a part's pose: id and frame */
    uint32_t id;
    acp_frame frame;
} acp_record_object;

typedef struct acp_record_objects {
    uint32_t count;
    acp_record_object *items;
} acp_record_objects;

/* ---- records ---- */

typedef struct acp_record_gfxobj {
    uint32_t id;
    uint32_t flags; /* 1 physics, 2 drawing, 8 degrade id */
    acp_record_u32s surfaces;
    acp_record_vertices vertices;
    acp_record_polygons physics_polygons;
    acp_record_tree physics_tree;
    acp_vec3 sort_center;
    acp_record_polygons polygons;
    acp_record_tree drawing_tree;
    uint32_t degrade_id;
} acp_record_gfxobj;

typedef struct acp_record_location {
    uint32_t key;
    int32_t part;
    acp_frame frame;
} acp_record_location;

typedef struct acp_record_locations {
    uint32_t count;
    acp_record_location *items;
} acp_record_locations;

typedef struct acp_record_placement {
    uint32_t key;
    acp_frame *frames; /* one per part */
    acp_record_hooks hooks;
} acp_record_placement;

typedef struct acp_record_light {
    uint32_t key;
    acp_frame frame;
    uint32_t color;
    float intensity;
    float falloff;
    float cone;
} acp_record_light;

typedef struct acp_record_setup {
    uint32_t id;
    uint32_t flags; /* 1 parents, 2 scales, 4 free heading, 8 has physics BSP */
    uint32_t part_count;
    uint32_t *parts;
    uint32_t *parents;
    acp_vec3 *scales;
    acp_record_locations holding;
    acp_record_locations connection;
    uint32_t placement_count;
    acp_record_placement *placements;
    uint32_t cylsphere_count;
    acp_cylsphere *cylspheres;
    uint32_t sphere_count;
    acp_sphere *spheres;
    float height;
    float radius;
    float step_up;
    float step_down;
    acp_sphere sorting_sphere;
    acp_sphere selection_sphere;
    uint32_t light_count;
    acp_record_light *lights;
    uint32_t default_animation;
    uint32_t default_script;
    uint32_t default_motion_table;
    uint32_t default_sound_table;
    uint32_t default_script_table;
} acp_record_setup;

typedef struct acp_record_animation_frame {
    acp_frame *frames; /* one per part */
    acp_record_hooks hooks;
} acp_record_animation_frame;

typedef struct acp_record_animation {
    uint32_t id;
    uint32_t flags; /* 1 root frames, 2 some frame has hooks */
    uint32_t part_count;
    uint32_t frame_count;
    acp_frame *root_frames;
    acp_record_animation_frame *frames;
} acp_record_animation;

typedef struct acp_record_motion_animation {
    uint32_t animation;
    int32_t low;
    int32_t high;
    float frame_rate;
} acp_record_motion_animation;

typedef struct acp_record_motion {
    uint32_t key;
    uint8_t animation_count;
    uint8_t bits;
    uint8_t flags; /* 1 velocity, 2 omega */
    acp_record_motion_animation *animations;
    acp_vec3 velocity;
    acp_vec3 omega;
} acp_record_motion;

typedef struct acp_record_motions {
    uint32_t count;
    acp_record_motion *items;
} acp_record_motions;

typedef struct acp_record_link {
    uint32_t key;
    acp_record_motions motions;
} acp_record_link;

typedef struct acp_record_pair {
    uint32_t key;
    uint32_t value;
} acp_record_pair;

typedef struct acp_record_pairs {
    uint32_t count;
    acp_record_pair *items;
} acp_record_pairs;

typedef struct acp_record_motion_table {
    uint32_t id;
    uint32_t default_style;
    acp_record_pairs style_defaults;
    acp_record_motions cycles;
    acp_record_motions modifiers;
    uint32_t link_count;
    acp_record_link *links;
} acp_record_motion_table;

typedef struct acp_record_cell_structure {
    uint32_t id;
    uint32_t polygon_count;
    uint32_t physics_polygon_count;
    uint32_t portal_count;
    acp_record_vertices vertices;
    acp_record_polygons polygons;
    acp_record_u16s portals;
    acp_record_tree cell_tree;
    acp_record_polygons physics_polygons;
    acp_record_tree physics_tree;
    uint32_t has_drawing_tree;
    acp_record_tree drawing_tree;
} acp_record_cell_structure;

typedef struct acp_record_environment {
    uint32_t id;
    uint32_t cell_count;
    acp_record_cell_structure *cells;
} acp_record_environment;

typedef struct acp_record_degrade_entry {
    uint32_t gfxobj;
    uint32_t mode;
    float min_distance;
    float ideal_distance;
    float max_distance;
} acp_record_degrade_entry;

typedef struct acp_record_degrade_info {
    uint32_t id;
    uint32_t count;
    acp_record_degrade_entry *entries;
} acp_record_degrade_info;

typedef struct acp_record_scene_object {
    uint32_t object_id;
    acp_frame base;
    float frequency;
    float displace_x;
    float displace_y;
    float min_scale;
    float max_scale;
    float max_rotation; /* degrees */
    float min_slope;
    float max_slope;
    uint32_t align;
    uint32_t orient;
    uint32_t weenie_object;
} acp_record_scene_object;

typedef struct acp_record_scene {
    uint32_t id;
    uint32_t count;
    acp_record_scene_object *objects;
} acp_record_scene;

typedef struct acp_record_portal {
    uint16_t flags;
    uint16_t polygon_id;
    uint16_t other_cell;
    uint16_t other_portal;
} acp_record_portal;

typedef struct acp_record_env_cell {
    uint32_t id;
    uint32_t flags; /* 1 seen outside, 2 statics, 8 restriction */
    uint32_t cell_id;
    uint8_t surface_count;
    uint8_t portal_count;
    uint16_t visible_count;
    uint16_t *surfaces; /* low words of 0x08…… */
    uint16_t environment;
    uint16_t structure;
    acp_frame frame;
    acp_record_portal *portals;
    uint16_t *visible;
    acp_record_objects statics;
    uint32_t restriction;
} acp_record_env_cell;

typedef struct acp_record_building_portal {
    uint16_t flags;
    uint16_t other_cell;
    uint16_t other_portal;
    uint16_t stab_count;
    uint16_t *stabs;
} acp_record_building_portal;

typedef struct acp_record_building {
    uint32_t model;
    acp_frame frame;
    uint32_t leaf_count;
    uint32_t portal_count;
    acp_record_building_portal *portals;
} acp_record_building;

typedef struct acp_record_land_block_info {
    uint32_t id;
    uint32_t cell_count;
    acp_record_objects objects;
    uint32_t building_word; /* low 16 bits: buildings; bit 16: restriction table */
    acp_record_building *buildings;
    uint32_t restriction_word; /* low 16 bits: entries; high: buckets */
    acp_record_pair *restrictions;
} acp_record_land_block_info;

/* Region: its lists matter to nobody here but must survive; see record_region.h. */
typedef struct acp_record_region acp_record_region;

/* ---- the record ---- */

/* Bytes that a writer of its own would write otherwise: pads that are not zero, numbers in a longer form than they need. */
typedef struct acp_record_oddity {
    uint32_t offset;
    uint8_t is_form; /* 1: `size` is the length of the form; 0: a pad of `size` bytes */
    uint8_t size;
    uint8_t bytes[6];
} acp_record_oddity;

typedef struct acp_record {
    acp_record_kind kind;
    acp_arena arena;
    uint32_t oddity_count;
    acp_record_oddity *oddities;
    uint32_t trailing_size; /* bytes behind the record's end, kept */
    uint8_t *trailing;
    union {
        acp_record_gfxobj *gfxobj;
        acp_record_setup *setup;
        acp_record_animation *animation;
        acp_record_motion_table *motion_table;
        acp_record_environment *environment;
        acp_record_degrade_info *degrade_info;
        acp_record_scene *scene;
        acp_record_region *region;
        acp_land_block *land_block;
        acp_record_land_block_info *land_block_info;
        acp_record_env_cell *env_cell;
        void *any;
    } content;
} acp_record;

/* Kind of a record by its id (spec 02 §11-20). */
acp_record_kind acp_record_kind_of(uint32_t data_set, uint32_t id);
/* "gfxobj", "setup", …; "other". */
const char *acp_record_kind_name(acp_record_kind kind);

/* Each kind of remark is told once per record (DAT-72, lenient). */
typedef void (*acp_record_remark_function)(void *user, const acp_error *remark);

typedef struct acp_record_decode_options {
    acp_content_mode mode;
    acp_record_remark_function on_remark; /* may be null */
    void *user;
    uint32_t record_id; /* the key, for errors */
} acp_record_decode_options;

/* Decodes a record of a known kind. Memory of the lists is at most a small multiple of `size`. Errors: TRUNCATED, BAD_DATA, NOT_FINITE,
 * LIMIT, OUT_OF_MEMORY, UNSUPPORTED (kind OTHER); *out_record is then empty. */
acp_result acp_record_decode(acp_record_kind kind, const uint8_t *bytes, uint32_t size, const acp_record_decode_options *options,
                             const acp_allocator *allocator, acp_record *out_record, acp_error *error);

typedef enum acp_field {
    ACP_FIELD_U8,
    ACP_FIELD_U16,
    ACP_FIELD_U32,
    ACP_FIELD_ID,  /* u32, hexadecimal by nature */
    ACP_FIELD_TAG, /* u32, four characters */
    ACP_FIELD_I16,
    ACP_FIELD_I32,
    ACP_FIELD_F32,
    ACP_FIELD_F64
} acp_field;

/* Told of every value read, with its place in the record: for those who follow references. */
typedef struct acp_record_observer {
    void (*on_value)(void *user, acp_field field, const char *name, const void *value, uint32_t offset);
    void *user;
} acp_record_observer;

/* Decodes as acp_record_decode does, for the observer alone; nothing is kept. */
acp_result acp_record_observe(acp_record_kind kind, const uint8_t *bytes, uint32_t size, const acp_record_decode_options *options,
                              const acp_record_observer *observer, const acp_allocator *allocator, acp_error *error);

/* Appends the record's bytes. */
acp_result acp_record_encode(const acp_record *record, acp_writer *writer, acp_error *error);

void acp_record_free(acp_record *record);

/* ---- visiting: for those who show records or make them from another form ---- */

/* Fields come in file order. A showing visitor reads what the pointers point to; a filling one writes it. Names are null for elements of
 * lists. Anything wrong while filling is kept by the visitor and asked for afterwards. */
typedef struct acp_record_visitor {
    void *user;
    bool is_filling;
    void (*value)(void *user, acp_field field, const char *name, void *value);
    void (*values)(void *user, acp_field field, const char *name, void *values, uint32_t count); /* a list whose length is known */
    void (*open)(void *user, const char *name);
    void (*close)(void *user);
    uint32_t (*open_list)(void *user, const char *name, uint32_t count); /* filling: gives the count */
    void (*close_list)(void *user);
    /* Raw bytes. Filling: gives bytes that live until the record is made. */
    const uint8_t *(*bytes)(void *user, const char *name, const uint8_t *bytes, uint32_t *size, bool is_text);
} acp_record_visitor;

/* Shows a record. */
acp_result acp_record_show(const acp_record *record, const acp_record_visitor *visitor);
/* Makes a record of a kind from a filling visitor. */
acp_result acp_record_fill(acp_record_kind kind, const acp_record_visitor *visitor, const acp_allocator *allocator, acp_record *out_record,
                           acp_error *error);

#endif
