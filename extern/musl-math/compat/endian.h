/* SPDX-License-Identifier: MIT */
/* For systems without endian.h: what upstream/libm.h asks of it. Ours, not upstream's. */
#ifndef ACP_EXTERN_ENDIAN_H
#define ACP_EXTERN_ENDIAN_H
#define __LITTLE_ENDIAN __ORDER_LITTLE_ENDIAN__
#define __BIG_ENDIAN    __ORDER_BIG_ENDIAN__
#define __BYTE_ORDER    __BYTE_ORDER__
#endif
