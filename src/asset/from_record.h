/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_FROM_RECORD_H
#define ACP_ASSET_FROM_RECORD_H

#include "acphys/asset.h"
#include "dat/record.h"

/* Assets out of decoded records (D16). Nothing of the record is kept. */

/* DAT-59: a part is drawn as a billboard. `degrade` null: false. */
bool acp_degrade_is_always_2d(const acp_record_degrade_info *degrade);

acp_result acp_shape_from_record(const acp_record_gfxobj *record, bool is_always_2d, acp_content_mode mode, const acp_allocator *allocator,
                                 acp_shape **out_shape, acp_error *error);

acp_result acp_cell_structure_from_record(const acp_record_cell_structure *record, acp_content_mode mode, const acp_allocator *allocator,
                                          acp_cell_structure **out_structure, acp_error *error);

/* `shapes`: one per part, in order; null = an absent part. */
acp_result acp_setup_from_record(const acp_record_setup *record, const acp_shape *const *shapes, const acp_allocator *allocator,
                                 acp_setup **out_setup, acp_error *error);

#endif
