/* SPDX-License-Identifier: MIT */
/* For systems without features.h: upstream includes it for `hidden`, which prefix.h defines. Ours, not upstream's. */
