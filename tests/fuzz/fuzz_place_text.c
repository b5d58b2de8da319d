/* SPDX-License-Identifier: MIT */
/* Fuzz target: places and numbers as text. What reads as a position must be writable and read back to the same bits; an error must name a
 * byte inside the text and leave the output alone. A number that reads must do so from any longer text, and its shortest form must give the
 * same bits. The input is copied to an exact allocation, so reading past its end is found. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/place.h"
#include "base/number_text.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_position(const char *text, size_t size) {
    acp_position position, again, untouched;
    acp_place_form form;
    acp_error error;
    memset(&position, 0x5A, sizeof position);
    untouched = position;
    if (acp_position_parse(text, size, &position, &form, &error) != ACP_OK) {
        if (error.byte_offset > size || memcmp(&position, &untouched, sizeof position) != 0) abort();
        return;
    }
    char written[ACP_PLACE_TEXT_CAPACITY];
    size_t length;
    if (acp_position_format(&position, form, written, sizeof written, &length) != ACP_OK) abort();
    if (acp_position_parse(written, length, &again, NULL, NULL) != ACP_OK || memcmp(&again, &position, sizeof again) != 0) abort();
    if (acp_position_canonicalize(&again) == ACP_OK ? again.cell_id == 0 : memcmp(&again, &position, sizeof again) != 0) abort();
}

static void check_number(const char *text, size_t size) {
    char written[ACP_NUMBER_TEXT_CAPACITY];
    float narrow, narrow_again;
    double wide, wide_again;
    size_t used = 0, used_wide = 0;
    bool is_number = acp_number_parse_f32(text, size, &narrow, &used);
    if (is_number != acp_number_parse_f64(text, size, &wide, &used_wide)) abort();
    if (!is_number) return;
    if (used == 0 || used > size || used != used_wide) abort();
    if (isfinite(narrow)) {
        uint32_t length = acp_number_format_f32(narrow, written);
        if (!acp_number_parse_f32(written, length, &narrow_again, NULL) || memcmp(&narrow, &narrow_again, sizeof narrow) != 0) abort();
    }
    if (isfinite(wide)) {
        uint32_t length = acp_number_format_f64(wide, written);
        if (!acp_number_parse_f64(written, length, &wide_again, NULL) || memcmp(&wide, &wide_again, sizeof wide) != 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    check_position(copy, size);
    check_number(copy, size);
    free(copy);
    return 0;
}
