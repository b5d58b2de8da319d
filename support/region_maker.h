/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_REGION_MAKER_H
#define ACP_SUPPORT_REGION_MAKER_H

#include "dat/record_region.h"

#define ACP_REGION_MAKER_ID 0x13000000u

/* A Region with the measures of Dereth and the default heights; no name, no parts, no lists. */
acp_record_region acp_region_maker_plain(void);

#endif
