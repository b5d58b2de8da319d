/* SPDX-License-Identifier: MIT */
/* Feeds files to a fuzz target without libFuzzer, so that every build replays the corpora.
 *
 * Usage: fuzz_<name> FILE-OR-FOLDER... Each regular file is read whole and given to LLVMFuzzerTestOneInput; folders are read one level
 * deep, in the order of their names, so that a run is repeatable. The empty input is always given first. A corpus that does not exist is
 * reported as skipped (exit 77); a file that cannot be read fails. A fault shows as a crash or as a sanitizer's report, as in libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return 1;
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    int failed = data == NULL;
    while (!failed) {
        size += fread(data + size, 1, capacity - size, file);
        if (size < capacity) break;
        uint8_t *grown = realloc(data, capacity * 2);
        if (!grown)
            failed = 1;
        else {
            data = grown;
            capacity *= 2;
        }
    }
    failed = failed || ferror(file) != 0;
    if (!failed) {
        /* An exact copy, so that a read past the end is seen by a sanitizer. */
        uint8_t *exact = malloc(size ? size : 1);
        if (exact) {
            memcpy(exact, data, size);
            (void)LLVMFuzzerTestOneInput(exact, size);
            free(exact);
        } else
            failed = 1;
    }
    free(data);
    fclose(file);
    return failed;
}

static int replay(const char *path, unsigned long *count) {
    struct stat status;
    if (stat(path, &status) != 0) return 77;
    if (!S_ISDIR(status.st_mode)) {
        ++*count;
        return replay_file(path);
    }
    struct dirent **names = NULL;
    int found = scandir(path, &names, NULL, alphasort);
    int failed = found < 0;
    for (int i = 0; i < found; ++i) {
        char full[4096];
        int length = snprintf(full, sizeof full, "%s/%s", path, names[i]->d_name);
        if (length < 0 || (size_t)length >= sizeof full)
            failed = 1;
        else if (stat(full, &status) == 0 && S_ISREG(status.st_mode)) {
            ++*count;
            if (replay_file(full)) {
                fprintf(stderr, "cannot read %s\n", full);
                failed = 1;
            }
        }
        free(names[i]);
    }
    free(names);
    return failed;
}

int main(int argc, char **argv) {
    unsigned long count = 0;
    uint8_t nothing[1] = {0};
    (void)LLVMFuzzerTestOneInput(nothing, 0);
    for (int i = 1; i < argc; ++i) {
        int result = replay(argv[i], &count);
        if (result == 77) printf("skipped: no corpus at %s\n", argv[i]);
        if (result != 0) return result;
    }
    printf("%lu inputs replayed\n", count);
    return 0;
}
