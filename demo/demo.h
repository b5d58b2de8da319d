/* SPDX-License-Identifier: MIT */
#ifndef ACP_DEMO_DEMO_H
#define ACP_DEMO_DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/dat.h"
#include "acphys/place.h"
#include "acphys/result.h"

/* The miniature world: its tables (demo/README.md), made into a portal and a cell DAT in memory, and the list of its named places.
 * The same tables give the same bytes on every platform. Needs neither files nor network when the tables are the built-in ones. */

/* A named place: where it is, what it is for, and, when something is to be put there by a host, its model. */
typedef struct acp_demo_place {
    const char *name;
    const char *purpose;
    acp_position position;
    uint32_t model_id; /* of an object that a host places here (a door, a prop); 0 = none */
} acp_demo_place;

/* One table: a file of demo/, by its name there. */
typedef struct acp_demo_table {
    const char *name;
    const char *text; /* followed by a NUL that is not counted */
    size_t size;
} acp_demo_table;

/* The world as bytes. */
typedef struct acp_demo acp_demo;

/* Builds from the tables inside the program, or, with `folder`, from the files of the same names there (a copy of demo/ that someone
 * edits). What is wrong with a table is named: file, entry, field. Nothing is kept on failure. */
acp_result acp_demo_create(const char *folder, const acp_allocator *allocator, acp_demo **out_demo, acp_error *error);
/* DATs opened from it must be closed before. Null is fine. */
void acp_demo_destroy(acp_demo *demo);

/* The two containers' bytes; data_set is ACP_DAT_PORTAL or ACP_DAT_CELL. */
const void *acp_demo_bytes(const acp_demo *demo, uint32_t data_set, size_t *out_size);
/* Opens one of them in place. */
acp_result acp_demo_open(const acp_demo *demo, uint32_t data_set, const acp_allocator *allocator, acp_dat **out_dat, acp_error *error);

/* The places in the order of places.json. */
const acp_demo_place *acp_demo_places(const acp_demo *demo, uint32_t *out_count);
const acp_demo_place *acp_demo_find_place(const acp_demo *demo, const char *name);

/* The tables inside the program, in the order of the build. */
const acp_demo_table *acp_demo_tables(uint32_t *out_count);

#endif
