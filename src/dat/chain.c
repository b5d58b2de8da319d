/* SPDX-License-Identifier: MIT */
/* Block chains: from a start offset and a size to bytes.
 *
 * A block is a 4-byte link and block_size - 4 bytes of payload; the link names the next block by file offset, 0 ends. The number of
 * blocks follows from the size, so a cycle cannot hold the reader: after the last byte the link must be 0, and a longer chain is a
 * failed read, as in retail. Offsets are absolute and need not be aligned (DAT-05); the last block may be cut off at the end of the
 * file as long as its link and the bytes in use exist (DAT-07).
 *
 * Contract: nothing outside the file is touched; a free-tagged, outlying or missing block is BAD_DATA or TRUNCATED with the offset of the
 * link concerned. Cost: one copy of the payload.
 *
 * retail: CLBlockAllocator::Load_Data 0x006744E0 */
#include "dat/chain.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "dat/format.h"

static acp_result fail(acp_error *error, acp_result code, uint64_t offset, const char *message) {
    acp_error_set(error, code, "dat read", "%s", message);
    acp_error_set_place(error, 0, offset, offset == UINT64_MAX ? "entry.offset" : "block.link");
    return code;
}

static acp_result fail_free(acp_error *error, uint64_t offset) {
    return fail(error, ACP_ERROR_BAD_DATA, offset, "the chain runs into a block that is tagged as free");
}

static acp_result fail_long(acp_error *error, uint64_t offset) {
    return fail(error, ACP_ERROR_BAD_DATA, offset, "the chain goes on after the last byte");
}

/* Checks that a block with `used` bytes of payload can be read at `offset`, which was read at `named_at`. */
static acp_result check_block(const acp_dat_blocks *blocks, uint32_t offset, uint32_t used, uint64_t named_at, acp_error *error) {
    if (offset == 0) return fail(error, ACP_ERROR_BAD_DATA, named_at, "the chain ends before the last byte");
    if (offset & ACP_DAT_FREE_BIT) return fail_free(error, named_at);
    if ((uint64_t)offset + 4u + used > blocks->size) return fail(error, ACP_ERROR_TRUNCATED, named_at, "the chain leaves the file");
    return ACP_OK;
}

acp_result acp_dat_chain_read(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, uint8_t *out, acp_error *error) {
    uint32_t payload = blocks->block_size - 4u;
    uint32_t offset = start, remaining = size;
    uint64_t named_at = UINT64_MAX;
    while (remaining > 0) {
        uint32_t used = remaining < payload ? remaining : payload;
        acp_result result = check_block(blocks, offset, used, named_at, error);
        if (result) return result;
        const uint8_t *block = blocks->bytes + offset;
        memcpy(out, block + 4, used);
        out += used;
        remaining -= used;
        named_at = offset;
        offset = acp_dat_get_u32(block);
        if (offset & ACP_DAT_FREE_BIT) return fail_free(error, named_at);
    }
    return size > 0 && offset != 0 ? fail_long(error, named_at) : ACP_OK;
}

/* The first `size` bytes of a block, which lie in the file. The file is read in pieces that as a rule hold all of a node. */
static const uint8_t *find_block(acp_dat_node_source *source, uint32_t offset, uint32_t size) {
    if (!source->view) return source->blocks->bytes + offset;
    if (source->window_size && offset >= source->window_at && (uint64_t)offset + size <= source->window_at + source->window_size)
        return source->window + (offset - source->window_at);
    uint64_t rest = source->blocks->size - offset;
    source->window_at = offset;
    source->window_size = rest < ACP_DAT_NODE_WINDOW ? (uint32_t)rest : ACP_DAT_NODE_WINDOW;
    if (acp_file_view_read(source->view, offset, source->window, source->window_size)) return source->window;
    source->window_size = 0;
    return source->blocks->bytes + offset;
}

acp_result acp_dat_chain_read_node(acp_dat_node_source *source, uint32_t start, uint8_t *out, acp_error *error) {
    const acp_dat_blocks *blocks = source->blocks;
    uint32_t payload = blocks->block_size - 4u;
    uint32_t offset = start, done = 0, wanted = ACP_DAT_NODE_ENTRY_AT;
    uint64_t named_at = UINT64_MAX;
    while (done < ACP_DAT_NODE_SIZE) {
        uint32_t left = ACP_DAT_NODE_SIZE - done, used = left < payload ? left : payload;
        acp_result result = check_block(blocks, offset, used, named_at, error);
        if (result) return result;
        const uint8_t *block = find_block(source, offset, used + 4u);
        uint32_t end = done + used, copied = done;
        for (;;) { /* up to the entry count, then as many entries as it says */
            uint32_t to = wanted < end ? wanted : end;
            if (to > copied) memcpy(out + copied, block + 4u + (copied - done), to - copied);
            if (to > copied) copied = to;
            if (copied < ACP_DAT_NODE_ENTRY_AT || wanted > ACP_DAT_NODE_ENTRY_AT || acp_dat_node_count(out) == 0) break;
            uint32_t count = acp_dat_node_count(out);
            wanted += ACP_DAT_ENTRY_SIZE * (count < ACP_DAT_NODE_ENTRIES ? count : ACP_DAT_NODE_ENTRIES);
        }
        done = end;
        named_at = offset;
        offset = acp_dat_get_u32(block);
        if (offset & ACP_DAT_FREE_BIT) return fail_free(error, named_at);
    }
    return offset != 0 ? fail_long(error, named_at) : ACP_OK;
}

const uint8_t *acp_dat_chain_in_place(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, acp_result *out_result,
                                      acp_error *error) {
    *out_result = ACP_OK;
    if (size == 0) return blocks->bytes;
    if (size > blocks->block_size - 4u) return NULL;
    *out_result = check_block(blocks, start, size, UINT64_MAX, error);
    if (*out_result) return NULL;
    const uint8_t *block = blocks->bytes + start;
    uint32_t link = acp_dat_get_u32(block);
    if (link == 0) return block + 4;
    *out_result = link & ACP_DAT_FREE_BIT ? fail_free(error, start) : fail_long(error, start);
    return NULL;
}
