/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_GEOMETRY_H
#define ACP_TOOLS_TOOL_GEOMETRY_H

#include "acphys/dat.h"
#include "support/geometry.h"
#include "tools/acphys/options.h"

/* Gathers what a record looks like, with everything that stands in it. */
typedef struct tool_geometry {
    acp_geometry *out;
    const acp_dat *dat;    /* holds the records asked for */
    const acp_dat *portal; /* holds models and rooms; may be the same, or null */
    bool has_statics;      /* objects of cells and landblocks too */
    uint32_t missing;      /* models and rooms that are not there or damaged */
    acp_error first_missing;
    acp_dat_record bytes;
} tool_geometry;

/* Adds a record: GfxObj, Setup, Environment (`structure` UINT32_MAX: all its rooms), EnvCell, LandBlock (terrain, objects, buildings,
 * cells). Errors: NOT_FOUND and those of decoding, for the record itself; UNSUPPORTED for other kinds. */
acp_result tool_geometry_add(tool_geometry *t, uint32_t id, uint32_t structure, acp_error *error);

#endif
