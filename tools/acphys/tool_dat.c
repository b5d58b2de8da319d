/* SPDX-License-Identifier: MIT */
/* What the sub-commands of `acphys dat` share: kinds of records by id, filters, ids as text, progress,
 * the writing of a container.
 *
 * Kinds follow the id classes of spec 02: the high byte in portal files, the low word in cell files. Ids are written 0x… or as plain
 * hexadecimal digits; a range is two of them with a hyphen. Only the commit touches a file. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tools/acphys/tool_dat.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "support/hex_digit.h"
#include "support/output_file.h"

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
    for (; acp_hex_digit(*text) >= 0 && text - start < 9; text++)
        value = value << 4 | (uint64_t)acp_hex_digit(*text);
    if (text == start || value > UINT32_MAX) return false;
    *out_id = (uint32_t)value;
    *out_end = text;
    return true;
}

bool tool_dat_parse_range(const char *text, uint32_t *out_first, uint32_t *out_last) {
    const char *end;
    uint32_t first, last;
    if (!tool_dat_parse_id(text, &first, &end)) return false;
    last = first;
    if (*end == '-' && !tool_dat_parse_id(end + 1, &last, &end)) return false;
    if (*end != '\0' || last < first) return false;
    *out_first = first;
    *out_last = last;
    return true;
}

bool tool_dat_filter_read(const acp_command_line *line, tool_dat_filter *out_filter) {
    tool_dat_filter filter = {0, UINT32_MAX, acp_command_text(line, "kind")};
    const char *ids = acp_command_text(line, "ids");
    if (ids) {
        if (!tool_dat_parse_range(ids, &filter.first, &filter.last)) {
            (void)acp_command_usage(line, "--ids wants ID or ID-ID, hexadecimal, the lower first, not '%s'", ids);
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

acp_result tool_dat_commit(const acp_command_line *line, acp_dat_edit *edit, const char *path, acp_error *error) {
    char temporary[4096];
    char *followed = realpath(path, NULL); /* of a symbolic link, what it names is replaced */
    const char *target = followed ? followed : path;
    int length = snprintf(temporary, sizeof temporary, "%s.partial-%ld", target, (long)getpid());
    acp_progress progress = tool_dat_progress(line);
    acp_dat_commit_options options = acp_dat_commit_options_default();
    options.progress = &progress;
    int slot = -1;
    if (length > 0 && (size_t)length < sizeof temporary) {
        options.temporary_path = temporary;
        slot = acp_output_file_guard(temporary);
    }
    acp_result result = acp_dat_edit_commit(edit, target, &options, error);
    acp_output_file_release(slot);
    free(followed);
    if (result == ACP_ERROR_IO) acp_error_set_file(error, path);
    return result;
}
