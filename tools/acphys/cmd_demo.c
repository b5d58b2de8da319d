/* SPDX-License-Identifier: MIT */
/* `acphys demo`: the miniature world, made from its tables. */
#include <stdio.h>
#include <sys/stat.h>

#include "demo/demo.h"
#include "support/output_file.h"
#include "tools/acphys/commands.h"

static int write_file(const acp_command_line *line, const char *folder, const char *name, const void *bytes, size_t size) {
    char path[4096];
    acp_output_file file = {0};
    acp_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    acp_result result = acp_output_file_open(&file, path, &error);
    if (result == ACP_OK) {
        (void)fwrite(bytes, 1, size, file.stream);
        result = acp_output_file_commit(&file, &error);
    }
    acp_output_file_discard(&file);
    return result == ACP_OK ? ACP_EXIT_OK : acp_command_fail(line, &error);
}

static int run_demo(acp_command_line *line) {
    acp_demo *demo = NULL;
    acp_error error = {0};
    const char *folder = acp_command_text(line, "out");
    if (acp_demo_create(acp_command_text(line, "tables"), NULL, &demo, &error) != ACP_OK) return acp_command_fail(line, &error);
    size_t portal_size, cell_size;
    const void *portal = acp_demo_bytes(demo, ACP_DAT_PORTAL, &portal_size), *cell = acp_demo_bytes(demo, ACP_DAT_CELL, &cell_size);
    (void)mkdir(folder, 0777);
    int code = write_file(line, folder, "client_portal.dat", portal, portal_size);
    if (code == ACP_EXIT_OK) code = write_file(line, folder, "client_cell_1.dat", cell, cell_size);
    if (code == ACP_EXIT_OK)
        (void)printf("client_portal.dat %zu bytes, client_cell_1.dat %zu bytes in %s\n", portal_size, cell_size, folder);
    acp_demo_destroy(demo);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .fallback = "out",
     .help = "where everything is written"},
    {.name = "tables",
     .kind = ACP_OPTION_DIRECTORY,
     .argument = "DIR",
     .help = "build from an edited copy of the tables, not from the built-in ones"},
};

const acp_command acp_command_demo = {
    .name = "demo",
    .summary = "make the miniature world",
    .operands = "",
    .description = "Builds the miniature world as real DAT files, client_portal.dat and client_cell_1.dat, the same bytes every time.",
    .examples = "acphys demo --out out\tthe world's files in out/",
    ACP_COMMAND_OPTIONS(options),
    .run = run_demo,
};
