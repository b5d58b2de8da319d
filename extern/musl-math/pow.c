/* SPDX-License-Identifier: MIT */
/* Compiles upstream files under prefixed names: see prefix.h and README.md. */
#include "prefix.h"

#include "upstream/__math_invalid.c"
#include "upstream/__math_oflow.c"
#include "upstream/__math_uflow.c"
#include "upstream/__math_xflow.c"
#include "upstream/exp_data.c"
#undef N
#include "upstream/pow_data.c"
#undef N
#undef A
#include "upstream/pow.c"
