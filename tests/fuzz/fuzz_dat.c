/* SPDX-License-Identifier: MIT */
/* Fuzz target: containers. Whatever opens is read to its last record, verified, and changed: records are put, replaced and removed, and the
 * edit must answer for each as a map would. Nothing may crash, leak or read outside the given bytes (the input is copied to an exact
 * allocation); a refused operation must leave the edit as it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/dat_edit.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition) {
    if (!condition) abort();
}

static void change(const acp_dat *dat, const uint8_t *data, size_t size) {
    acp_dat_edit *edit = NULL;
    acp_error error;
    if (acp_dat_edit_open(dat, NULL, &edit, &error)) return;
    uint8_t content[600];
    memset(content, 0x5A, sizeof content);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t id = i * 0x10001u + (size > 400u + i ? data[400u + i] : 0u);
        acp_dat_entry entry;
        acp_result result = acp_dat_edit_put(edit, id, content, i * 25u, NULL, &error);
        acp_result found = acp_dat_edit_find(edit, id, &entry);
        if (result == ACP_OK) expect(found == ACP_OK && entry.stored_size == i * 25u);
        if (i % 3 == 0 && result == ACP_OK) {
            result = acp_dat_edit_remove(edit, id, &error);
            if (result == ACP_OK) expect(acp_dat_edit_find(edit, id, &entry) != ACP_OK);
        }
    }
    for (uint32_t i = 0; i < 8 && acp_dat_entry_at(dat, i); i++) {
        acp_dat_info before, after;
        acp_dat_edit_get_info(edit, &before);
        if (acp_dat_edit_remove(edit, acp_dat_entry_at(dat, i)->id, &error)) {
            acp_dat_edit_get_info(edit, &after);
            expect(memcmp(&before, &after, sizeof before) == 0);
        }
    }
    acp_dat_edit_destroy(edit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_dat *dat = NULL;
    acp_error error;
    if (acp_dat_open_memory(copy, size, NULL, NULL, &dat, &error) == ACP_OK) {
        acp_dat_record record = {0};
        const acp_dat_entry *entry;
        uint64_t budget = 1u << 22;
        for (uint32_t i = 0; (entry = acp_dat_entry_at(dat, i)) != NULL; i++) {
            expect(acp_dat_find(dat, entry->id) == entry);
            if (budget <= entry->stored_size && entry->stored_size <= size) { /* enough read: many records may share blocks */
                budget = 0;
                break;
            }
            acp_result result = acp_dat_read_entry(dat, entry, &record, &error);
            if (entry->stored_size <= size) budget -= entry->stored_size;
            if (result == ACP_OK)
                for (uint32_t k = 0; k < record.size; k += 64)
                    copy[0] ^= (uint8_t)(record.bytes[k] & 0u);
            else
                expect(record.bytes == NULL);
        }
        acp_dat_record_release(&record);
        acp_dat_verify_report report;
        if (budget > 0) expect(acp_dat_verify(dat, NULL, &report, &error) == ACP_OK);
        change(dat, copy, size);
        acp_dat_close(dat);
    } else
        expect(error.code != ACP_OK && error.message[0] != '\0');
    free(copy);
    return 0;
}
