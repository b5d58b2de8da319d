/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_ACPHYS_H
#define ACPHYS_ACPHYS_H

/** @file acphys.h
 * Umbrella header: the world and collision engine of Asheron's Call. */

#include "acphys/allocator.h"
#include "acphys/asset.h"
#include "acphys/author.h"
#include "acphys/block_load.h"
#include "acphys/body.h"
#include "acphys/dat.h"
#include "acphys/dat_edit.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/math.h"
#include "acphys/membership.h"
#include "acphys/model_store.h"
#include "acphys/place.h"
#include "acphys/population.h"
#include "acphys/progress.h"
#include "acphys/result.h"
#include "acphys/soup.h"
#include "acphys/terrain.h"
#include "acphys/trace.h"
#include "acphys/transition.h"
#include "acphys/world.h"

#endif
