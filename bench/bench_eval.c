/* SPDX-License-Identifier: MIT */
/* Lines per second of the evaluation core on cheap operations: reading the line, the operation, printing the answer. No files, no pipes.
 *
 * For each request below: 100,000 lines nine times, the median as nanoseconds per line (D22); one JSON object a line. Instructions per
 * line: valgrind --tool=callgrind with the single argument 1 (one round). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "tools/acphys/eval.h"

enum { line_count = 100000, round_limit = 9 };

static const char *const requests[] = {
    "{\"id\": 1, \"op\": \"gid_to_lcoord\", \"in\": {\"cell\": \"0xA9B40001\"}}",
    "{\"id\": 1, \"op\": \"vec_normalize\", \"in\": {\"v\": [-0.399316, 0.2709198, -0.5069133]}}",
    "{\"id\": 1, \"op\": \"vec_normalize\", \"in\": {\"v\": [-0.399316, 0.2709198, -0.5069133], \"v_hex\": \"BECC7326 3E8AB600 "
    "BF01C512\"}}",
    "{\"id\": 1, \"op\": \"pos_get_offset\", \"in\": {\"a\": {\"cell\": \"0x2AD30009\", \"q\": [0.4100608, 0, 0, -0.9120582], \"o\": "
    "[75.07318, "
    "14.885409, 248.52759]}, \"b\": {\"cell\": \"0x2BD20008\", \"q\": [0.8814131, 0, 0, 0.47234628], \"o\": [32.61041, 29.397108, "
    "229.1966]}}}",
};

int main(int argc, char **argv) {
    int rounds = argc > 1 && strcmp(argv[1], "1") == 0 ? 1 : round_limit;
    acp_eval *eval = acp_eval_new();
    acp_json_writer answers = {.float_form = ACP_JSON_DECIMAL};
    if (eval == NULL) return 5;
    for (size_t r = 0; r < sizeof requests / sizeof requests[0]; r++) {
        double times[round_limit];
        size_t length = strlen(requests[r]);
        for (int round = 0; round < rounds; round++) {
            double begin = bench_nanoseconds();
            for (int i = 0; i < line_count; i++) {
                if (answers.length > 65536) acp_json_writer_reset(&answers);
                if (acp_eval_answer(eval, requests[r], length, &answers, NULL) != ACP_OK) return 5;
            }
            times[round] = (bench_nanoseconds() - begin) / line_count;
        }
        double median = bench_median(times, (size_t)rounds);
        (void)printf("{\"bench\":\"eval\",\"case\":%zu,\"ns_per_line\":%.0f,\"lines_per_second\":%.0f}\n", r, median, 1e9 / median);
    }
    acp_json_writer_free(&answers);
    acp_eval_free(eval);
    return 0;
}
