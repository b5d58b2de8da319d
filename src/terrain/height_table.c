/* SPDX-License-Identifier: MIT */
/* The height table: 256 metres, one per height index of a landblock vertex (TER-3).
 *
 * A table comes from the Region record of the DAT in use. Every entry lies within [0, 800] m (sky height 1000 less the highest object,
 * 200), both ends included; one entry outside refuses the table. Retail has copied the entries before the bad one by then and goes on
 * with the mixture; here the table stays as it was (DIV-10). When no Region record is given, acp_height_table_default supplies the law
 * that the shipped table follows: certain for 0..200, well supported above (RES-1).
 *
 * retail: LandDefs::set_height_table 0x005A99E0 */
#include <math.h>
#include <stdbool.h>

#include "acphys/terrain.h"
#include "base/error.h"

#define HIGHEST_GROUND 800.0f

void acp_height_table_default(acp_height_table *out_table) {
    for (int i = 0; i < 256; i++) {
        int metres = 2 * i;
        if (i > 200) metres = 400 + 4 * (i - 200);
        if (i > 240) metres = 560 + 8 * (i - 240);
        if (i > 250) metres = 640 + 10 * (i - 250);
        out_table->metres[i] = (float)metres;
    }
}

acp_result acp_height_table_from_values(const float values[256], acp_height_table *out_table, acp_error *error) {
    if (!values || !out_table) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "height table", "null argument");
    for (uint32_t i = 0; i < 256; i++) {
        float value = values[i];
        if (value >= 0.0f && value <= HIGHEST_GROUND) continue;
        bool is_finite = isfinite(value);
        acp_result result = acp_error_set(error, is_finite ? ACP_ERROR_OUT_OF_RANGE : ACP_ERROR_NOT_FINITE, "height table",
                                          "entry %u is %g; heights lie within 0 to 800 metres", (unsigned)i, (double)value);
        acp_error_set_place(error, 0, (uint64_t)i * 4u, "height_table");
        return result;
    }
    for (uint32_t i = 0; i < 256; i++)
        out_table->metres[i] = values[i];
    return ACP_OK;
}
