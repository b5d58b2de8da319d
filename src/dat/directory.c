/* SPDX-License-Identifier: MIT */
/* The directory of a container: an in-order walk of the B-tree into a flat, sorted list (spec 02 §4, DAT-30).
 *
 * Opening has to visit every node anyway to vouch for the file, so the walk keeps what it sees: 24 bytes a record. After that finding is
 * a binary search over one array, iterating is a loop, and readers share it without locks. Nothing of the tree is looked at again.
 *
 * Contract: the walk keeps an explicit stack of at most 16 nodes and passes the open key interval down. A node is refused, with its
 * offset, when its chain is faulty, it has more than 61 entries, its keys leave the interval or do not ascend, an inner node is empty,
 * the depth exceeds 16, or a node is reached twice: an ancestor at once, any other at the end from the list of nodes. Nodes that do not
 * overlap cannot be more than the file can hold, which bounds the work on hostile files.
 * Words beyond the last entry and child of a node are never looked at (DAT-12); of their blocks only the links are.
 *
 * Cost: one pass over the nodes. They lie all over the file: reading them one by one costs about 2 us each, where touching them in a fresh
 * mapping makes the system map everything around them (50 ms for 3,333 nodes), so the file is read while it is still open. The
 * list gets its memory by a guess from the first leaf (its way down and how full it is), not by growing. A portal file of 100,001 records
 * opens in 8.4 ms of processor time, 6 million instructions. */
#include "dat/directory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dat/format.h"

typedef struct walk_level {
    uint8_t node[ACP_DAT_NODE_SIZE];
    uint32_t offset;
    uint32_t count;
    uint32_t next; /* child to visit next; entries before it have been taken */
    bool is_leaf;
    uint64_t low; /* bounds on id + 1, exclusive: 0 and UINT64_MAX are none */
    uint64_t high;
} walk_level;

typedef struct walk {
    const acp_dat_blocks *blocks;
    acp_dat_node_source *source;
    const acp_allocator *allocator;
    acp_dat_directory *directory;
    acp_error *error;
    uint32_t node_limit;
    uint32_t depth;
    uint32_t leaf_depth;
    walk_level levels[ACP_DAT_MAX_DEPTH];
} walk;

/* A fault of the node at `offset`. Chains scatter a node's bytes, so the offset in the error is the node's own. */
static acp_result refuse_node(const walk *w, acp_result code, uint32_t offset, const char *field, const char *message, uint32_t value) {
    acp_error_set(w->error, code, "dat open", "directory node: %s (found 0x%08X)", message, (unsigned)value);
    acp_error_set_place(w->error, 0, offset, field);
    return code;
}

static acp_result out_of_memory(const walk *w) {
    return acp_error_set(w->error, ACP_ERROR_OUT_OF_MEMORY, "dat open", "memory for the directory refused");
}

/* Entry count and key order of a node. */
static acp_result check_node(const walk *w, const walk_level *level) {
    if (level->count > ACP_DAT_NODE_ENTRIES)
        return refuse_node(w, ACP_ERROR_BAD_DATA, level->offset, "node.entry_count", "there are at most 61 entries", level->count);
    if (!level->is_leaf && level->count == 0)
        return refuse_node(w, ACP_ERROR_BAD_DATA, level->offset, "node.entry_count", "an inner node has entries", 0);
    uint64_t previous = level->low;
    for (uint32_t i = 0; i < level->count; i++) {
        uint64_t key = (uint64_t)acp_dat_node_key(level->node, i) + 1u;
        if (key <= previous || key >= level->high)
            return refuse_node(w, ACP_ERROR_BAD_DATA, level->offset, "node.entry.id", "ids ascend, within the bounds of the parent",
                               acp_dat_node_key(level->node, i));
        previous = key;
    }
    return ACP_OK;
}

static void remark_node(walk *w, const walk_level *level) {
    acp_dat_directory *directory = w->directory;
    if (w->depth > 1 && level->count < ACP_DAT_NODE_MIN) directory->remarks |= ACP_DAT_REMARK_UNEVEN_TREE;
    if (w->depth > directory->depth) directory->depth = w->depth;
    if (!level->is_leaf) return;
    if (acp_dat_get_u32(level->node) != 0) directory->remarks |= ACP_DAT_REMARK_LEAF_MARK;
    if (w->leaf_depth == 0) w->leaf_depth = w->depth;
    if (w->leaf_depth != w->depth) directory->remarks |= ACP_DAT_REMARK_UNEVEN_TREE;
}

/* The node's bytes; a fault of its chain is told as one of the node. */
static acp_result load(walk *w, uint32_t offset, uint32_t parent, uint8_t *out_node) {
    acp_error cause;
    acp_result result = acp_dat_chain_read_node(w->source, offset, out_node, &cause);
    if (result == ACP_OK) return ACP_OK;
    acp_error_set(w->error, result, "dat open", "directory node at 0x%08X: %.180s", (unsigned)offset, cause.message);
    bool is_named_by_parent = cause.byte_offset == UINT64_MAX;
    acp_error_set_place(w->error, 0, is_named_by_parent ? parent : cause.byte_offset, is_named_by_parent ? "node.child" : "block.link");
    return result;
}

/* Reads and checks a node and puts it on the stack. */
static acp_result push(walk *w, uint32_t offset, uint64_t low, uint64_t high, uint32_t parent) {
    if (w->depth == ACP_DAT_MAX_DEPTH)
        return refuse_node(w, ACP_ERROR_LIMIT, parent, "node.child", "the tree has at most 16 levels", offset);
    for (uint32_t i = 0; i < w->depth; i++)
        if (w->levels[i].offset == offset)
            return refuse_node(w, ACP_ERROR_BAD_DATA, parent, "node.child", "a node cannot lie below itself", offset);
    if (w->directory->nodes.count >= w->node_limit)
        return refuse_node(w, ACP_ERROR_BAD_DATA, parent, "node.child", "there are more nodes than the file can hold", offset);
    walk_level *level = &w->levels[w->depth];
    acp_result result = load(w, offset, parent, level->node);
    if (result) return result;
    level->offset = offset;
    level->count = acp_dat_node_count(level->node);
    level->is_leaf = acp_dat_node_is_leaf(level->node);
    level->next = 0;
    level->low = low;
    level->high = high;
    result = check_node(w, level);
    if (result) return result;
    w->depth++;
    remark_node(w, level);
    return ACP_ARRAY_PUSH(&w->directory->nodes, w->allocator, offset) ? out_of_memory(w) : ACP_OK;
}

/* At the first leaf: what the whole tree holds if all of it is like the way down, and an eighth more. Never more than the file's nodes
 * could hold, whatever they claim. */
static acp_result reserve_entries(walk *w) {
    uint64_t guess = w->levels[w->depth - 1u].count + 1u, most = (uint64_t)w->node_limit * ACP_DAT_NODE_ENTRIES;
    for (uint32_t i = 0; i + 1u < w->depth && guess < most; i++)
        guess *= w->levels[i].count + 1u;
    guess += guess / 8u;
    if (guess > most) guess = most;
    return ACP_ARRAY_RESERVE_EXACTLY(&w->directory->entries, w->allocator, guess) ? out_of_memory(w) : ACP_OK;
}

static acp_result take_entries(walk *w, const walk_level *level, uint32_t first, uint32_t end) {
    acp_dat_directory *directory = w->directory;
    if (directory->entries.capacity == 0 && reserve_entries(w)) return ACP_ERROR_OUT_OF_MEMORY;
    if (ACP_ARRAY_RESERVE(&directory->entries, w->allocator, (uint64_t)directory->entries.count + end - first)) return out_of_memory(w);
    for (uint32_t i = first; i < end; i++)
        ACP_ARRAY_ADD(&directory->entries, acp_dat_entry_decode(level->node + acp_dat_node_entry_at(i)));
    return ACP_OK;
}

static acp_result walk_tree(walk *w, uint32_t root) {
    acp_result result = push(w, root, 0, UINT64_MAX, ACP_DAT_INFO_OFFSET + 0x20u);
    while (result == ACP_OK && w->depth > 0) {
        walk_level *level = &w->levels[w->depth - 1];
        if (level->is_leaf) {
            result = take_entries(w, level, 0, level->count);
            w->depth--;
            continue;
        }
        uint32_t i = level->next;
        if (i > level->count) {
            w->depth--;
            continue;
        }
        if (i > 0) result = take_entries(w, level, i - 1, i);
        if (result) return result;
        level->next++;
        uint64_t low = i > 0 ? (uint64_t)acp_dat_node_key(level->node, i - 1) + 1u : level->low;
        uint64_t high = i < level->count ? (uint64_t)acp_dat_node_key(level->node, i) + 1u : level->high;
        result = push(w, acp_dat_node_child(level->node, i), low, high, level->offset);
    }
    return result;
}

static int compare_offsets(const void *a, const void *b) {
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* Nodes with entries cannot repeat (their keys would); this finds empty leaves that are named twice. */
static acp_result check_nodes_differ(const walk *w) {
    acp_dat_directory *directory = w->directory;
    if (directory->nodes.count < 2) return ACP_OK;
    qsort(directory->nodes.items, directory->nodes.count, sizeof directory->nodes.items[0], compare_offsets);
    for (uint32_t i = 1; i < directory->nodes.count; i++)
        if (directory->nodes.items[i] == directory->nodes.items[i - 1])
            return refuse_node(w, ACP_ERROR_BAD_DATA, directory->nodes.items[i], "node.child", "a node is named twice",
                               directory->nodes.items[i]);
    return ACP_OK;
}

acp_result acp_dat_directory_read(const acp_dat_blocks *blocks, const acp_file_view *view, uint32_t root, const acp_allocator *allocator,
                                  acp_dat_directory *out_directory, acp_error *error) {
    walk w;
    acp_dat_node_source source;
    source.blocks = blocks;
    source.view = view;
    source.window_size = 0;
    w.source = &source;
    uint64_t most = blocks->size / ACP_DAT_NODE_SIZE + 1u;
    w.blocks = blocks;
    w.allocator = allocator;
    w.directory = out_directory;
    w.error = error;
    w.node_limit = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
    w.depth = 0;
    w.leaf_depth = 0;
    memset(out_directory, 0, sizeof *out_directory);
    acp_result result = walk_tree(&w, root);
    if (result == ACP_OK) result = check_nodes_differ(&w);
    uint32_t count = out_directory->entries.count; /* a guess that was far off is not kept */
    if (result == ACP_OK && out_directory->entries.capacity - count > count / 4u + 64u &&
        acp_array_set_capacity(&out_directory->entries.items, &out_directory->entries.capacity, count, sizeof(acp_dat_entry), count,
                               allocator))
        result = out_of_memory(&w);
    if (result) acp_dat_directory_free(out_directory, allocator);
    return result;
}

void acp_dat_directory_free(acp_dat_directory *directory, const acp_allocator *allocator) {
    ACP_ARRAY_FREE(&directory->entries, allocator);
    ACP_ARRAY_FREE(&directory->nodes, allocator);
}
