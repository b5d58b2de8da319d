/* SPDX-License-Identifier: MIT */
/* The list of areas of `eval` and `conform`: one line each. An operation's name may occur in one area only (a unit test sees to it). */
#include "tools/acphys/eval.h"

const acp_eval_area *const acp_eval_areas[] = {
    NULL,
};
