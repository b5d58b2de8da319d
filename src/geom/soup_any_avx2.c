/* SPDX-License-Identifier: MIT */
/* Is anything on a segment through a soup? The code for machines with AVX2 (ours, not retail).
 *
 * The text of geom/soup_any_text.h with eight lanes in one register; every function in it is marked for AVX2, so the file needs no flag of
 * its own and nothing outside of it is compiled for more than the build's machine. acp_soup_segment_any_hit comes here only where the
 * machine says that it has AVX2. Elsewhere than on x86-64, and on Windows, the file is empty. Answers are those of the plain code:
 * differential.soup_any asks both. */
#include "geom/soup_wide.h"

/* As ACP_LANE8_CAN_AVX2, which is known only after the choice of the lanes. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define ACP_LANE8_AVX2
#include "geom/lane8.h"
#include "geom/soup_exact.h"
#include "geom/soup_walk.h"

#define SOUP_ANY(name) name##_avx2
#include "geom/soup_any_text.h"
#endif
