/* SPDX-License-Identifier: MIT */
/* The B-tree of an edit: find, insert, replace, remove (DAT-12, DAT-13, DAT-23, DAT-24, DAT-26).
 *
 * Minimum degree 31: nodes hold 30 to 61 entries, the root fewer. Inserting splits every full node on the way down, removing fills every
 * node of 30 on the way down from a sibling or merges two, so neither has to come back up; both are loops over one path of at most 16
 * nodes. A node is worked on as its 1,716 bytes and rewritten in its own chain. Unused children and entries are written as zeros, a leaf
 * is marked by child 0 (DAT-29).
 *
 * Contract: a node of a damaged base with more than 61 entries, or a path deeper than 16, is BAD_DATA; the caller restores the image
 * after any failure. Cost: a few microseconds an operation.
 *
 * retail: BTree::DescendToAdd 0x006733B0 */
#include <string.h>

#include "base/error.h"
#include "dat/edit.h"

enum { MIDDLE = 30 }; /* entry that goes up in a split */

typedef struct tree_node {
    uint32_t offset;
    uint8_t bytes[ACP_DAT_NODE_SIZE];
} tree_node;

static acp_result damaged(acp_error *error, uint32_t offset, const char *message) {
    acp_error_set(error, ACP_ERROR_BAD_DATA, "dat edit", "%s", message);
    acp_error_set_place(error, 0, offset, "node");
    return ACP_ERROR_BAD_DATA;
}

static acp_result load(const acp_dat_edit *edit, uint32_t offset, tree_node *node, acp_error *error) {
    node->offset = offset;
    acp_result result = acp_dat_store_read(edit, offset, node->bytes, ACP_DAT_NODE_SIZE, error);
    if (result) return result;
    if (acp_dat_node_count(node->bytes) > ACP_DAT_NODE_ENTRIES) return damaged(error, offset, "a node has more than 61 entries");
    return ACP_OK;
}

static uint32_t count_of(const tree_node *node) { return acp_dat_node_count(node->bytes); }
static bool is_leaf(const tree_node *node) { return acp_dat_node_is_leaf(node->bytes); }
static uint8_t *entry_of(tree_node *node, uint32_t i) { return node->bytes + acp_dat_node_entry_at(i); }
static uint8_t *child_of(tree_node *node, uint32_t i) { return node->bytes + 4u * i; }

/* Sets the count and clears what is beyond it. */
static void set_count(tree_node *node, uint32_t count, bool leaf) {
    acp_dat_put_u32(node->bytes + ACP_DAT_NODE_COUNT_AT, count);
    uint32_t children = leaf ? 0u : count + 1u;
    memset(child_of(node, children), 0, 4u * (ACP_DAT_NODE_CHILDREN - children));
    memset(entry_of(node, count), 0, ACP_DAT_ENTRY_SIZE * (ACP_DAT_NODE_ENTRIES - count));
}

static acp_result save(acp_dat_edit *edit, const tree_node *node, acp_error *error) {
    return acp_dat_store_rewrite(edit, node->offset, node->bytes, ACP_DAT_NODE_SIZE, error);
}

static acp_result store(acp_dat_edit *edit, tree_node *node, acp_error *error) {
    return acp_dat_store_new(edit, node->bytes, ACP_DAT_NODE_SIZE, &node->offset, error);
}

static void open_entry(tree_node *node, uint32_t i) {
    memmove(entry_of(node, i + 1), entry_of(node, i), ACP_DAT_ENTRY_SIZE * (count_of(node) - i));
}

static void close_entry(tree_node *node, uint32_t i) {
    memmove(entry_of(node, i), entry_of(node, i + 1), ACP_DAT_ENTRY_SIZE * (count_of(node) - i - 1));
}

static void open_child(tree_node *node, uint32_t i) { memmove(child_of(node, i + 1), child_of(node, i), 4u * (count_of(node) + 1u - i)); }

static void close_child(tree_node *node, uint32_t i) { memmove(child_of(node, i), child_of(node, i + 1), 4u * (count_of(node) - i)); }

acp_result acp_dat_tree_create(acp_dat_edit *edit, acp_error *error) {
    tree_node root;
    memset(&root, 0, sizeof root);
    acp_result result = store(edit, &root, error);
    edit->info.root = root.offset;
    return result;
}

acp_result acp_dat_tree_find(const acp_dat_edit *edit, uint32_t id, acp_dat_entry *out_entry, uint32_t *out_node, uint32_t *out_index,
                             acp_error *error) {
    tree_node node;
    uint32_t offset = edit->info.root;
    for (uint32_t depth = 0; depth < ACP_DAT_MAX_DEPTH; depth++) {
        acp_result result = load(edit, offset, &node, error);
        if (result) return result;
        uint32_t count = count_of(&node), i = acp_dat_node_lower_bound(node.bytes, count, id);
        if (i < count && acp_dat_node_key(node.bytes, i) == id) {
            *out_entry = acp_dat_entry_decode(entry_of(&node, i));
            *out_node = offset;
            *out_index = i;
            return ACP_OK;
        }
        if (is_leaf(&node)) return ACP_ERROR_NOT_FOUND;
        offset = acp_dat_node_child(node.bytes, i);
    }
    return damaged(error, offset, "the tree is too deep");
}

/* DAT-23: splits the full child i of `parent`; the upper half goes to *out_right. */
static acp_result split(acp_dat_edit *edit, tree_node *parent, uint32_t i, tree_node *child, tree_node *out_right, acp_error *error) {
    tree_node *right = out_right;
    bool leaf = is_leaf(child);
    memset(right, 0, sizeof *right);
    memcpy(entry_of(right, 0), entry_of(child, MIDDLE + 1), ACP_DAT_ENTRY_SIZE * MIDDLE);
    if (!leaf) memcpy(child_of(right, 0), child_of(child, MIDDLE + 1), 4u * (MIDDLE + 1));
    set_count(right, MIDDLE, leaf);
    acp_result result = store(edit, right, error);
    if (result) return result;
    open_entry(parent, i);
    open_child(parent, i + 1);
    memcpy(entry_of(parent, i), entry_of(child, MIDDLE), ACP_DAT_ENTRY_SIZE);
    acp_dat_put_u32(child_of(parent, i + 1), right->offset);
    set_count(parent, count_of(parent) + 1u, false);
    set_count(child, MIDDLE, leaf);
    result = save(edit, parent, error);
    return result ? result : save(edit, child, error);
}

acp_result acp_dat_tree_insert(acp_dat_edit *edit, acp_dat_entry *entry, const uint8_t *bytes, acp_error *error) {
    tree_node node, child, right;
    acp_result result = load(edit, edit->info.root, &node, error);
    if (result == ACP_OK && count_of(&node) == ACP_DAT_NODE_ENTRIES) {
        child = node;
        memset(&node, 0, sizeof node);
        result = store(edit, &node, error);
        if (result) return result;
        acp_dat_put_u32(child_of(&node, 0), child.offset);
        edit->info.root = node.offset;
        result = split(edit, &node, 0, &child, &right, error);
    }
    for (uint32_t depth = 0; result == ACP_OK && !is_leaf(&node); depth++) {
        if (depth == ACP_DAT_MAX_DEPTH) return damaged(error, node.offset, "the tree is too deep");
        uint32_t i = acp_dat_node_lower_bound(node.bytes, count_of(&node), entry->id);
        result = load(edit, acp_dat_node_child(node.bytes, i), &child, error);
        if (result == ACP_OK && count_of(&child) == ACP_DAT_NODE_ENTRIES) {
            result = split(edit, &node, i, &child, &right, error);
            if (result == ACP_OK && entry->id > acp_dat_node_key(node.bytes, i)) child = right;
        }
        node = child;
    }
    if (result) return result;
    uint32_t count = count_of(&node), i = acp_dat_node_lower_bound(node.bytes, count, entry->id);
    result = acp_dat_store_new(edit, bytes, entry->stored_size, &entry->offset, error);
    if (result) return result;
    open_entry(&node, i);
    acp_dat_entry_encode(entry, entry_of(&node, i));
    set_count(&node, count + 1u, true);
    return save(edit, &node, error);
}

acp_result acp_dat_tree_replace(acp_dat_edit *edit, uint32_t node, uint32_t index, const acp_dat_entry *entry, acp_error *error) {
    tree_node loaded;
    acp_result result = load(edit, node, &loaded, error);
    if (result) return result;
    acp_dat_entry_encode(entry, entry_of(&loaded, index));
    set_count(&loaded, count_of(&loaded), is_leaf(&loaded));
    return save(edit, &loaded, error);
}

/* Child i takes the last entry of its left sibling through the parent. */
static acp_result borrow_left(acp_dat_edit *edit, tree_node *parent, uint32_t i, tree_node *child, tree_node *left, acp_error *error) {
    uint32_t last = count_of(left) - 1u;
    bool leaf = is_leaf(child);
    if (!leaf) {
        open_child(child, 0);
        memcpy(child_of(child, 0), child_of(left, last + 1u), 4);
    }
    open_entry(child, 0);
    memcpy(entry_of(child, 0), entry_of(parent, i - 1), ACP_DAT_ENTRY_SIZE);
    memcpy(entry_of(parent, i - 1), entry_of(left, last), ACP_DAT_ENTRY_SIZE);
    set_count(child, count_of(child) + 1u, leaf);
    set_count(left, last, leaf);
    acp_result result = save(edit, left, error);
    if (result == ACP_OK) result = save(edit, parent, error);
    return result ? result : save(edit, child, error);
}

/* Child i takes the first entry of its right sibling through the parent. */
static acp_result borrow_right(acp_dat_edit *edit, tree_node *parent, uint32_t i, tree_node *child, tree_node *right, acp_error *error) {
    uint32_t count = count_of(child);
    bool leaf = is_leaf(child);
    memcpy(entry_of(child, count), entry_of(parent, i), ACP_DAT_ENTRY_SIZE);
    memcpy(entry_of(parent, i), entry_of(right, 0), ACP_DAT_ENTRY_SIZE);
    close_entry(right, 0);
    if (!leaf) {
        memcpy(child_of(child, count + 1u), child_of(right, 0), 4);
        close_child(right, 0);
    }
    set_count(child, count + 1u, leaf);
    set_count(right, count_of(right) - 1u, leaf);
    acp_result result = save(edit, right, error);
    if (result == ACP_OK) result = save(edit, parent, error);
    return result ? result : save(edit, child, error);
}

/* Entry i of the parent and all of `right` (child i + 1) go into `left` (child i); `right`'s node is freed. */
static acp_result merge(acp_dat_edit *edit, tree_node *parent, uint32_t i, tree_node *left, tree_node *right, acp_error *error) {
    uint32_t count = count_of(left), more = count_of(right);
    bool leaf = is_leaf(left);
    if (count + 1u + more > ACP_DAT_NODE_ENTRIES) return damaged(error, left->offset, "two nodes do not fit one");
    memcpy(entry_of(left, count), entry_of(parent, i), ACP_DAT_ENTRY_SIZE);
    memcpy(entry_of(left, count + 1u), entry_of(right, 0), ACP_DAT_ENTRY_SIZE * more);
    if (!leaf) memcpy(child_of(left, count + 1u), child_of(right, 0), 4u * (more + 1u));
    set_count(left, count + 1u + more, leaf);
    close_entry(parent, i);
    close_child(parent, i + 1u);
    uint32_t remaining = count_of(parent) - 1u;
    acp_dat_put_u32(parent->bytes + ACP_DAT_NODE_COUNT_AT, remaining);
    memset(child_of(parent, remaining + 1u), 0, 4u * (ACP_DAT_NODE_CHILDREN - remaining - 1u));
    memset(entry_of(parent, remaining), 0, ACP_DAT_ENTRY_SIZE * (ACP_DAT_NODE_ENTRIES - remaining));
    acp_result result = save(edit, left, error);
    if (result == ACP_OK) result = save(edit, parent, error);
    return result ? result : acp_dat_store_free(edit, right->offset, ACP_DAT_NODE_SIZE, error);
}

/* Makes sure that child i of `parent` has more than 30 entries before it is entered; *child is the node to enter. */
static acp_result fill(acp_dat_edit *edit, tree_node *parent, uint32_t i, tree_node *child, acp_error *error) {
    tree_node left, right;
    if (count_of(child) > ACP_DAT_NODE_MIN) return ACP_OK;
    acp_result result = ACP_OK;
    if (i > 0) {
        result = load(edit, acp_dat_node_child(parent->bytes, i - 1), &left, error);
        if (result) return result;
        if (count_of(&left) > ACP_DAT_NODE_MIN) return borrow_left(edit, parent, i, child, &left, error);
    }
    if (i < count_of(parent)) {
        result = load(edit, acp_dat_node_child(parent->bytes, i + 1), &right, error);
        if (result) return result;
        if (count_of(&right) > ACP_DAT_NODE_MIN) return borrow_right(edit, parent, i, child, &right, error);
    }
    if (i > 0) {
        result = merge(edit, parent, i - 1, &left, child, error);
        *child = left;
        return result;
    }
    if (count_of(parent) == 0) return damaged(error, parent->offset, "an inner node has no entries");
    return merge(edit, parent, i, child, &right, error);
}

/* The greatest (is_last) or least entry below `offset`. */
static acp_result find_extreme(const acp_dat_edit *edit, uint32_t offset, bool is_last, uint8_t out_entry[ACP_DAT_ENTRY_SIZE],
                               acp_error *error) {
    tree_node node;
    for (uint32_t depth = 0; depth < ACP_DAT_MAX_DEPTH; depth++) {
        acp_result result = load(edit, offset, &node, error);
        if (result) return result;
        uint32_t count = count_of(&node);
        if (is_leaf(&node)) {
            if (count == 0) return damaged(error, offset, "an empty leaf below an inner node");
            memcpy(out_entry, entry_of(&node, is_last ? count - 1u : 0u), ACP_DAT_ENTRY_SIZE);
            return ACP_OK;
        }
        offset = acp_dat_node_child(node.bytes, is_last ? count : 0u);
    }
    return damaged(error, offset, "the tree is too deep");
}

/* Entry i of an inner node is to go: its neighbour from the fuller child takes its place and is removed below instead, or the two children
 * become one that holds it. *id is what remains to be removed, *child where. */
static acp_result replace_inner(acp_dat_edit *edit, tree_node *node, uint32_t i, uint32_t *id, tree_node *child, acp_error *error) {
    tree_node right;
    acp_result result = load(edit, acp_dat_node_child(node->bytes, i), child, error);
    if (result == ACP_OK) result = load(edit, acp_dat_node_child(node->bytes, i + 1), &right, error);
    if (result) return result;
    bool is_left_full = count_of(child) > ACP_DAT_NODE_MIN;
    if (!is_left_full && count_of(&right) <= ACP_DAT_NODE_MIN) return merge(edit, node, i, child, &right, error);
    uint8_t neighbour[ACP_DAT_ENTRY_SIZE];
    result = find_extreme(edit, is_left_full ? child->offset : right.offset, is_left_full, neighbour, error);
    if (result) return result;
    memcpy(entry_of(node, i), neighbour, ACP_DAT_ENTRY_SIZE);
    *id = acp_dat_get_u32(neighbour + 4);
    if (!is_left_full) *child = right;
    return save(edit, node, error);
}

/* The root lost its last entry: its only child takes over. */
static acp_result lower_root(acp_dat_edit *edit, const tree_node *root, acp_error *error) {
    edit->info.root = acp_dat_node_child(root->bytes, 0);
    return acp_dat_store_free(edit, root->offset, ACP_DAT_NODE_SIZE, error);
}

acp_result acp_dat_tree_remove(acp_dat_edit *edit, uint32_t id, acp_error *error) {
    tree_node node, child;
    acp_result result = load(edit, edit->info.root, &node, error);
    for (uint32_t depth = 0; result == ACP_OK && depth < 2u * ACP_DAT_MAX_DEPTH; depth++) {
        uint32_t count = count_of(&node), i = acp_dat_node_lower_bound(node.bytes, count, id);
        bool is_here = i < count && acp_dat_node_key(node.bytes, i) == id;
        if (is_leaf(&node)) {
            if (!is_here) return damaged(error, node.offset, "an entry is not where the tree says");
            close_entry(&node, i);
            set_count(&node, count - 1u, true);
            return save(edit, &node, error);
        }
        if (is_here)
            result = replace_inner(edit, &node, i, &id, &child, error);
        else {
            result = load(edit, acp_dat_node_child(node.bytes, i), &child, error);
            if (result == ACP_OK) result = fill(edit, &node, i, &child, error);
        }
        if (result == ACP_OK && node.offset == edit->info.root && count_of(&node) == 0) result = lower_root(edit, &node, error);
        node = child;
    }
    return result ? result : damaged(error, node.offset, "the tree is too deep");
}
