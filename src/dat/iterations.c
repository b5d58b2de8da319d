/* SPDX-License-Identifier: MIT */
/* The iteration record: which updates a container has received (DAT-17, DAT-18).
 *
 * The set is a total and items that add up to it: -k followed by a start is a run of k integers, any other item is one integer (bit 30 is
 * extended into bit 31). The client writes runs of three or more and single integers; two other readers know runs only, and one of them
 * wants a single run, so this one always writes a single run from 1.
 *
 * Contract: more than 100,000 integers, a run beyond the total, or an end before the total are refused. Cost: nothing. */
#include "dat/iterations.h"

#include <string.h>

#include "base/error.h"
#include "base/reader.h"
#include "dat/format.h"

void acp_dat_iterations_encode(int32_t last, uint8_t out_bytes[ACP_DAT_ITERATIONS_SIZE]) {
    acp_dat_put_u32(out_bytes, (uint32_t)last);
    acp_dat_put_u32(out_bytes + 4, 0u - (uint32_t)last);
    acp_dat_put_u32(out_bytes + 8, 1);
}

acp_result acp_dat_iterations_decode(const uint8_t *bytes, uint32_t size, acp_dat_iterations *out_iterations, acp_error *error) {
    acp_reader reader = acp_reader_make(bytes, size);
    acp_dat_iterations found;
    memset(&found, 0, sizeof found);
    found.total = acp_reader_u32(&reader, "total");
    if (found.total > ACP_DAT_MAX_ITERATIONS) (void)acp_reader_fail_at(&reader, 0, ACP_ERROR_BAD_DATA, "total");
    for (uint32_t seen = 0; seen < found.total && acp_reader_is_ok(&reader);) {
        size_t at = reader.offset;
        int32_t item = acp_reader_i32(&reader, "item");
        uint32_t length = 1;
        int64_t start = item;
        if (item < 0) {
            length = 0u - (uint32_t)item;
            start = acp_reader_i32(&reader, "run.start");
        } else if (item & 0x40000000)
            start = (int64_t)item - INT64_C(0x80000000);
        if (length > found.total - seen) (void)acp_reader_fail_at(&reader, at, ACP_ERROR_BAD_DATA, "run.length");
        if (found.run_count == 0) found.first = (int32_t)start;
        int64_t last = start + length - 1;
        if (last > INT32_MAX) (void)acp_reader_fail_at(&reader, at, ACP_ERROR_BAD_DATA, "run.start");
        if (acp_reader_is_ok(&reader) && last > found.last) found.last = (int32_t)last;
        found.run_count++;
        seen += length;
    }
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, "iteration record", ACP_DAT_ITERATION_ID);
    *out_iterations = found;
    return ACP_OK;
}
