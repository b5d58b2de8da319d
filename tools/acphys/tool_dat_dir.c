/* SPDX-License-Identifier: MIT */
/* The folder of a game's DAT files: client_portal.dat and client_cell_1.dat, opened together.
 *
 * Each file must be of its kind (header.data_set), since a folder with the two exchanged would look like a world without content.
 * Contract: both are open or neither; what is wrong was said. Cost: opening (the directories). */
#include "tools/acphys/tool_dat_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool is_demo_asked_for(const acp_command_line *line) {
    return acp_command_has_option(line, "demo") && acp_command_flag(line, "demo");
}

const char *acp_dat_dir_name(const acp_command_line *line) {
    const char *folder = acp_command_text(line, "dat-dir");
    if (is_demo_asked_for(line)) return NULL;
    return folder ? folder : getenv("ACPHYS_DAT_DIR");
}

const char *acp_dat_dir_title(const char *folder) { return folder ? folder : "the miniature world"; }

void acp_dat_dir_note_default(const acp_command_line *line) {
    if (is_demo_asked_for(line)) return;
    acp_command_note(line, "no world named: this is the built-in miniature world%s",
                     acp_command_has_option(line, "demo") ? " (--demo)" : "");
}

static acp_result open_one(const char *folder, const char *name, uint32_t data_set, acp_dat **out_dat, acp_error *error) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "open the DAT folder", "the path is too long");
    acp_result result = acp_dat_open(path, NULL, NULL, out_dat, error);
    if (result) return result;
    acp_dat_info info;
    acp_dat_get_info(*out_dat, &info);
    if (info.data_set == data_set) return ACP_OK;
    (void)acp_error_set(error, ACP_ERROR_BAD_DATA, "open the DAT folder", "not a %s file (data set %lu)",
                        data_set == ACP_DAT_PORTAL ? "portal" : "cell", (unsigned long)info.data_set);
    acp_error_set_file(error, path);
    acp_error_set_place(error, 0, UINT64_MAX, "header.data_set");
    return ACP_ERROR_BAD_DATA;
}

static int open_demo(acp_dat_dir *dir, const acp_command_line *line) {
    acp_error error = {0};
    acp_dat_dir_note_default(line);
    acp_result result = acp_demo_create(NULL, NULL, &dir->demo, &error);
    if (result == ACP_OK) result = acp_demo_open(dir->demo, ACP_DAT_PORTAL, NULL, &dir->portal, &error);
    if (result == ACP_OK) result = acp_demo_open(dir->demo, ACP_DAT_CELL, NULL, &dir->cell, &error);
    if (result == ACP_OK) return ACP_EXIT_OK;
    acp_dat_dir_close(dir);
    return acp_command_fail(line, &error);
}

int acp_dat_dir_open(acp_dat_dir *dir, const acp_command_line *line, const char *folder) {
    acp_error error;
    memset(dir, 0, sizeof *dir);
    if (!folder) return open_demo(dir, line);
    acp_result result = open_one(folder, "client_portal.dat", ACP_DAT_PORTAL, &dir->portal, &error);
    if (result == ACP_OK) result = open_one(folder, "client_cell_1.dat", ACP_DAT_CELL, &dir->cell, &error);
    if (result == ACP_OK) return ACP_EXIT_OK;
    acp_dat_dir_close(dir);
    return acp_command_fail(line, &error);
}

void acp_dat_dir_close(acp_dat_dir *dir) {
    acp_dat_close(dir->portal);
    acp_dat_close(dir->cell);
    acp_demo_destroy(dir->demo);
    memset(dir, 0, sizeof *dir);
}
