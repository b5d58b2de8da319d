/* SPDX-License-Identifier: MIT */
/* The header of a DAT file: 256 bytes of free text, 64 of journal, 80 of file info (spec 02 §2).
 *
 * Contract: decoding reads nothing beyond `size`; it refuses what DAT-30 refuses of a header and leaves a remark where the retail client
 * would shrug or where another program might stumble. Encoding writes exactly the 80 info bytes; the unused words are 0.
 * The block size is taken from the header, never guessed (DAT-01); any GUID and versions are accepted (DAT-03).
 *
 * Sources: DAT-03, DAT-04, DAT-27, DAT-28, DAT-30. Cost: nothing to speak of. */
#include "dat/header.h"

#include "base/error.h"

static acp_result refuse(acp_error *error, uint64_t offset, const char *field, const char *message, uint32_t value) {
    acp_error_set(error, ACP_ERROR_BAD_DATA, "dat open", "%s (found %u = 0x%08X)", message, (unsigned)value, (unsigned)value);
    acp_error_set_place(error, 0, offset, field);
    return ACP_ERROR_BAD_DATA;
}

static uint32_t remarks_of(const acp_dat_info *info) {
    uint32_t remarks = 0;
    if (info->file_size != info->physical_size) remarks |= ACP_DAT_REMARK_FILE_SIZE;
    if (info->journal_type != 0) remarks |= ACP_DAT_REMARK_INTERRUPTED_UPDATE;
    if (info->data_set < ACP_DAT_PORTAL || info->data_set > ACP_DAT_LOCAL) remarks |= ACP_DAT_REMARK_DATA_SET;
    if (info->data_set == ACP_DAT_PORTAL && info->game_version != 0) remarks |= ACP_DAT_REMARK_GAME_VERSION;
    return remarks;
}

acp_result acp_dat_header_decode(const uint8_t *bytes, uint64_t size, acp_dat_info *out_info, acp_error *error) {
    if (size < ACP_DAT_HEADER_SIZE) {
        acp_error_set(error, ACP_ERROR_TRUNCATED, "dat open", "the file has %llu bytes; a header takes %u", (unsigned long long)size,
                      ACP_DAT_HEADER_SIZE);
        acp_error_set_place(error, 0, size, "header");
        return ACP_ERROR_TRUNCATED;
    }
    const uint8_t *at = bytes + ACP_DAT_INFO_OFFSET;
    uint32_t magic = acp_dat_get_u32(at);
    if (magic != ACP_DAT_MAGIC)
        return refuse(error, ACP_DAT_INFO_OFFSET, "header.magic", "not a DAT file: the magic number is 0x00005442", magic);
    acp_dat_info info;
    memset(&info, 0, sizeof info);
    info.physical_size = size;
    info.block_size = acp_dat_get_u32(at + 0x04);
    info.file_size = acp_dat_get_u32(at + 0x08);
    info.data_set = acp_dat_get_u32(at + 0x0C);
    info.data_subset = acp_dat_get_u32(at + 0x10);
    info.first_free = acp_dat_get_u32(at + 0x14);
    info.last_free = acp_dat_get_u32(at + 0x18);
    info.free_count = acp_dat_get_u32(at + 0x1C);
    info.root = acp_dat_get_u32(at + 0x20);
    info.master_map_id = acp_dat_get_u32(at + 0x30);
    info.engine_version = (int32_t)acp_dat_get_u32(at + 0x34);
    info.game_version = (int32_t)acp_dat_get_u32(at + 0x38);
    memcpy(info.major_version, at + 0x3C, sizeof info.major_version);
    info.minor_version = acp_dat_get_u32(at + 0x4C);
    info.journal_type = bytes[ACP_DAT_JOURNAL_OFFSET];
    if (info.block_size < ACP_DAT_MIN_BLOCK_SIZE || info.block_size > ACP_DAT_MAX_BLOCK_SIZE || info.block_size % 4u != 0)
        return refuse(error, ACP_DAT_INFO_OFFSET + 0x04, "header.block_size", "a block has 16 to 65536 bytes, a multiple of 4",
                      info.block_size);
    if (info.root == 0 || info.root >= ACP_DAT_OFFSET_LIMIT || info.root >= size)
        return refuse(error, ACP_DAT_INFO_OFFSET + 0x20, "header.btree_root", "the root node lies outside the file", info.root);
    info.remarks = remarks_of(&info);
    *out_info = info;
    return ACP_OK;
}

void acp_dat_header_encode_info(const acp_dat_info *info, uint8_t out_bytes[ACP_DAT_INFO_SIZE]) {
    memset(out_bytes, 0, ACP_DAT_INFO_SIZE);
    acp_dat_put_u32(out_bytes, ACP_DAT_MAGIC);
    acp_dat_put_u32(out_bytes + 0x04, info->block_size);
    acp_dat_put_u32(out_bytes + 0x08, info->file_size);
    acp_dat_put_u32(out_bytes + 0x0C, info->data_set);
    acp_dat_put_u32(out_bytes + 0x10, info->data_subset);
    acp_dat_put_u32(out_bytes + 0x14, info->first_free);
    acp_dat_put_u32(out_bytes + 0x18, info->last_free);
    acp_dat_put_u32(out_bytes + 0x1C, info->free_count);
    acp_dat_put_u32(out_bytes + 0x20, info->root);
    acp_dat_put_u32(out_bytes + 0x30, info->master_map_id);
    acp_dat_put_u32(out_bytes + 0x34, (uint32_t)info->engine_version);
    acp_dat_put_u32(out_bytes + 0x38, (uint32_t)info->game_version);
    memcpy(out_bytes + 0x3C, info->major_version, sizeof info->major_version);
    acp_dat_put_u32(out_bytes + 0x4C, info->minor_version);
}
