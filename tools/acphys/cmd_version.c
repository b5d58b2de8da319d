/* SPDX-License-Identifier: MIT */
/* `acphys version` (also --version): which program this is and what it can evaluate. */
#include <stdio.h>

#include "support/json.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/eval.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static int run_version(acp_command_line *line) {
    uint64_t count = 0;
    for (const acp_eval_area *const *area = acp_eval_areas; *area != NULL; area++)
        count += (*area)->count;
    if (acp_command_flag(line, "json")) {
        acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
        acp_json_begin_object(&writer, NULL);
        acp_json_write_string(&writer, "schema", "acphys.version.1");
        acp_json_write_string(&writer, "version", ACP_TOOL_VERSION);
        acp_json_write_string(&writer, "compiler", COMPILER);
        acp_json_write_uint(&writer, "operations", count);
        acp_json_end_object(&writer);
        (void)printf("%s\n", acp_command_json_text(&writer));
        acp_json_writer_free(&writer);
    } else {
        (void)printf("acphys %s\n", ACP_TOOL_VERSION);
        if (line->verbosity > 0) (void)printf("built by %s; %llu operations in eval\n", COMPILER, (unsigned long long)count);
    }
    return acp_command_finish(line, ACP_EXIT_OK);
}

static const acp_option options[] = {ACP_OPTION_JSON};

const acp_command acp_command_version = {
    .name = "version",
    .summary = "print the version",
    .operands = "",
    ACP_COMMAND_OPTIONS(options),
    .run = run_version,
};
