/* SPDX-License-Identifier: MIT */
/* Compiles upstream files under prefixed names: see prefix.h and README.md. */
#include "prefix.h"

#include "upstream/__cos.c"
#include "upstream/__rem_pio2.c"
#include "upstream/__rem_pio2_large.c"
#include "upstream/__sin.c"
#include "upstream/cos.c"
#include "upstream/sin.c"
