/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_HEADER_H
#define ACP_DAT_HEADER_H

#include "dat/format.h"

/* The first 400 bytes of a container (DAT-02, DAT-03). */

/* Reads and checks the header of a file of `size` bytes; fills the header fields and header remarks of *out_info. The error's offset and
 * field are set, its file is not. */
acp_result acp_dat_header_decode(const uint8_t *bytes, uint64_t size, acp_dat_info *out_info, acp_error *error);

/* Writes the 80 info bytes (at 0x140 of the file) for `info`. */
void acp_dat_header_encode_info(const acp_dat_info *info, uint8_t out_bytes[ACP_DAT_INFO_SIZE]);

#endif
