/* SPDX-License-Identifier: MIT */
/* Compiles upstream files under prefixed names: see prefix.h and README.md. */
#include "prefix.h"

#include "upstream/acos.c"
