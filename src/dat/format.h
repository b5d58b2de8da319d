/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_FORMAT_H
#define ACP_DAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "acphys/dat.h"

/* Numbers and raw fields of the DAT container (spec 02 §2-6). Everything in a file is little-endian. */

#define ACP_DAT_MAGIC          0x00005442u
#define ACP_DAT_HEADER_SIZE    400u   /* the least a file can have */
#define ACP_DAT_JOURNAL_OFFSET 0x100u /* 64 bytes */
#define ACP_DAT_JOURNAL_MAGIC  0x4C50u
#define ACP_DAT_INFO_OFFSET    0x140u /* 80 bytes */
#define ACP_DAT_INFO_SIZE      80u
#define ACP_DAT_DATA_OFFSET    1024u /* where our own files put their first block (DAT-05) */
#define ACP_DAT_GROWTH         0x100000u
#define ACP_DAT_FREE_BIT       0x80000000u
#define ACP_DAT_OFFSET_LIMIT   0x80000000u /* offsets are below: bit 31 of a link means "free" (DAT-29 j) */
#define ACP_DAT_MIN_BLOCK_SIZE 16u
#define ACP_DAT_MAX_BLOCK_SIZE 65536u

#define ACP_DAT_NODE_SIZE     1716u
#define ACP_DAT_NODE_CHILDREN 62u
#define ACP_DAT_NODE_ENTRIES  61u
#define ACP_DAT_NODE_MIN      30u /* entries of every node but the root */
#define ACP_DAT_NODE_COUNT_AT 248u
#define ACP_DAT_NODE_ENTRY_AT 252u
#define ACP_DAT_ENTRY_SIZE    24u
#define ACP_DAT_FILL_PATTERN  0xCDCDCDCDu
#define ACP_DAT_MAX_DEPTH     16u

#define ACP_DAT_ENTRY_COMPRESSED 1u
#define ACP_DAT_MAX_INFLATED     (64u << 20)
#define ACP_DAT_MAX_EXPANSION    1100u
#define ACP_DAT_MIN_COMPRESSED   16u

static inline uint32_t acp_dat_get_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t acp_dat_get_u16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }

static inline void acp_dat_put_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

static inline void acp_dat_put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

/* Blocks that `size` bytes take (DAT-08). */
static inline uint32_t acp_dat_block_count(uint32_t size, uint32_t block_size) {
    return (uint32_t)(((uint64_t)size + block_size - 5u) / (block_size - 4u));
}

/* DAT-14: both marks of a leaf are read; only 0 is written. */
static inline bool acp_dat_node_is_leaf(const uint8_t *node) {
    uint32_t first = acp_dat_get_u32(node);
    return first == 0u || first == ACP_DAT_FILL_PATTERN;
}

static inline uint32_t acp_dat_node_count(const uint8_t *node) { return acp_dat_get_u32(node + ACP_DAT_NODE_COUNT_AT); }
static inline uint32_t acp_dat_node_child(const uint8_t *node, uint32_t i) { return acp_dat_get_u32(node + 4u * i); }
static inline uint32_t acp_dat_node_entry_at(uint32_t i) { return ACP_DAT_NODE_ENTRY_AT + ACP_DAT_ENTRY_SIZE * i; }
static inline uint32_t acp_dat_node_key(const uint8_t *node, uint32_t i) { return acp_dat_get_u32(node + acp_dat_node_entry_at(i) + 4); }

static inline acp_dat_entry acp_dat_entry_decode(const uint8_t *at) {
    acp_dat_entry entry;
    entry.flags = (uint16_t)acp_dat_get_u16(at);
    entry.version = (uint16_t)acp_dat_get_u16(at + 2);
    entry.id = acp_dat_get_u32(at + 4);
    entry.offset = acp_dat_get_u32(at + 8);
    entry.stored_size = acp_dat_get_u32(at + 12);
    entry.date = (int32_t)acp_dat_get_u32(at + 16);
    entry.iteration = (int32_t)acp_dat_get_u32(at + 20);
    return entry;
}

static inline void acp_dat_entry_encode(const acp_dat_entry *entry, uint8_t *at) {
    acp_dat_put_u16(at, entry->flags);
    acp_dat_put_u16(at + 2, entry->version);
    acp_dat_put_u32(at + 4, entry->id);
    acp_dat_put_u32(at + 8, entry->offset);
    acp_dat_put_u32(at + 12, entry->stored_size);
    acp_dat_put_u32(at + 16, (uint32_t)entry->date);
    acp_dat_put_u32(at + 20, (uint32_t)entry->iteration);
}

/* Number of entries of a node whose id is < key: where to look, or which child to follow (DAT-13). */
static inline uint32_t acp_dat_node_lower_bound(const uint8_t *node, uint32_t count, uint32_t key) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2u;
        if (acp_dat_node_key(node, middle) < key)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

#endif
