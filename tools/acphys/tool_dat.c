/* SPDX-License-Identifier: MIT */
/* What the sub-commands of `acphys dat` share: kinds of records by id, filters, ids as text, progress.
 *
 * Kinds follow the id classes of spec 02: the high byte in portal files, the low word in cell files. Ids are written 0x… or as plain
 * hexadecimal digits; a range is two of them with a hyphen. Nothing here touches a file. */
#include "tools/acphys/tool_dat.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

const char *tool_dat_kind(uint32_t data_set, uint32_t id) {
    if (id == ACP_DAT_ITERATION_ID) return "iterations";
    if (data_set == ACP_DAT_CELL) {
        uint32_t low = id & 0xFFFFu;
        if (low == 0xFFFFu) return "landblock";
        if (low == 0xFFFEu) return "landblockinfo";
        return low >= 0x100u ? "envcell" : "other";
    }
    switch (id >> 24) {
    case 0x01:
        return "gfxobj";
    case 0x02:
        return "setup";
    case 0x03:
        return "animation";
    case 0x04:
        return "palette";
    case 0x05:
    case 0x06:
        return "texture";
    case 0x08:
        return "surface";
    case 0x09:
        return "motiontable";
    case 0x0D:
        return "environment";
    case 0x11:
        return "degradeinfo";
    case 0x12:
        return "scene";
    case 0x13:
        return "region";
    default:
        return "other";
    }
}

bool tool_dat_parse_id(const char *text, uint32_t *out_id, const char **out_end) {
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2;
    uint64_t value = 0;
    const char *start = text;
    while (isxdigit((unsigned char)*text) && text - start < 9) {
        int digit = isdigit((unsigned char)*text) ? *text - '0' : tolower((unsigned char)*text) - 'a' + 10;
        value = value << 4 | (uint64_t)digit;
        text++;
    }
    if (text == start || value > UINT32_MAX) return false;
    *out_id = (uint32_t)value;
    *out_end = text;
    return true;
}

bool tool_dat_filter_read(const acp_command_line *line, tool_dat_filter *out_filter) {
    tool_dat_filter filter = {0, UINT32_MAX, acp_command_text(line, "kind")};
    const char *ids = acp_command_text(line, "ids");
    if (ids) {
        const char *end;
        bool is_good = tool_dat_parse_id(ids, &filter.first, &end);
        filter.last = filter.first;
        if (is_good && *end == '-') is_good = tool_dat_parse_id(end + 1, &filter.last, &end);
        if (!is_good || *end != '\0') {
            (void)acp_command_usage(line, "--ids wants ID or ID-ID, hexadecimal, not '%s'", ids);
            return false;
        }
    }
    *out_filter = filter;
    return true;
}

bool tool_dat_filter_matches(const tool_dat_filter *filter, uint32_t data_set, uint32_t id) {
    if (id < filter->first || id > filter->last) return false;
    return !filter->kind || strcmp(filter->kind, tool_dat_kind(data_set, id)) == 0;
}

static bool report(void *user, const char *what, uint64_t done, uint64_t total) {
    acp_command_progress(user, what, done, total);
    return true;
}

acp_progress tool_dat_progress(const acp_command_line *line) {
    uintptr_t address = (uintptr_t)line; /* only handed back to acp_command_progress, which takes it as const */
    acp_progress progress = {(void *)address, report};
    return progress;
}
