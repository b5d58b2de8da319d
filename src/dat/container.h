/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_CONTAINER_H
#define ACP_DAT_CONTAINER_H

#include "acphys/dat.h"
#include "dat/chain.h"
#include "dat/directory.h"
#include "dat/file.h"

/* The inside of an open container, for the other files of this floor. */
struct acp_dat {
    acp_allocator allocator;
    acp_file_view view;
    acp_dat_blocks blocks;
    acp_dat_info info;
    acp_dat_directory directory;
    char *name;
};

#endif
