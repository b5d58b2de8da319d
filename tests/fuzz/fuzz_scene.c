/* SPDX-License-Identifier: MIT */
/* Fuzz target: scenes. A scene builds a world or names the member that is at fault; what builds is looked over, and packed into records
 * with what has none left out. What packs can be opened and read back, and what is read back packs without being adapted and comes out
 * again byte for byte. Nothing may crash, leak or hang. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/scene.h"
#include "support/scene_check.h"
#include "support/scene_extract.h"
#include "support/scene_pack.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BLOCKS = 64 };

/* The two files of a scene, in memory. */
typedef struct pair {
    void *bytes[2];
    acp_dat *dats[2];
    uint32_t blocks[BLOCKS];
    uint32_t block_count;
} pair;

static void expect(bool condition) {
    if (!condition) abort();
}

static void open_pair(pair *p, acp_dat_edit *const edits[2]) {
    acp_error error;
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < 2; i++) {
        acp_dat_info info;
        acp_dat_edit_get_info(edits[i], &info);
        p->bytes[i] = malloc((size_t)info.physical_size);
        expect(p->bytes[i] != NULL && acp_dat_edit_copy_bytes(edits[i], p->bytes[i], info.physical_size, &error) == ACP_OK);
        expect(acp_dat_open_memory(p->bytes[i], info.physical_size, "scene", NULL, &p->dats[i], &error) == ACP_OK);
    }
    const acp_dat_entry *entry;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(p->dats[1], i)) != NULL && p->block_count < BLOCKS; i++)
        if ((entry->id & 0xFFFFu) == 0xFFFFu) p->blocks[p->block_count++] = entry->id & 0xFFFF0000u;
}

static void close_pair(pair *p) {
    for (unsigned i = 0; i < 2; i++) {
        acp_dat_close(p->dats[i]);
        free(p->bytes[i]);
    }
}

/* False when it was refused. */
static bool pack(const acp_json *definition, bool is_adapting, pair *out) {
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    acp_scene_pack_options options = {is_adapting, NULL, NULL};
    acp_scene_pack_report report = {0};
    acp_dat_edit *edits[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2; i++) {
        acp_dat_create_options create = acp_dat_create_options_default(i == 0 ? ACP_DAT_PORTAL : ACP_DAT_CELL);
        create.block_count = 16;
        create.growth_blocks = 64;
        create.reserve_blocks = 0;
        expect(acp_dat_edit_create(&create, NULL, &edits[i], &error) == ACP_OK);
    }
    acp_result result = acp_scene_pack(&input, definition, &options, edits[0], edits[1], &report);
    if (result == ACP_OK) open_pair(out, edits);
    if (result == ACP_ERROR_UNSUPPORTED) expect(report.refusals > 0);
    acp_dat_edit_destroy(edits[0]);
    acp_dat_edit_destroy(edits[1]);
    return result == ACP_OK;
}

static acp_result extract(const pair *p, acp_json_writer *out) {
    acp_error error;
    acp_scene_extract_report report;
    acp_scene_extract_options options = {.block_ids = p->blocks, .block_count = p->block_count};
    memset(out, 0, sizeof *out);
    acp_result result = acp_scene_extract(p->dats[0], p->dats[1], &options, out, &report, &error);
    expect(result != ACP_OK || acp_json_writer_text(out) != NULL);
    return result;
}

static void go_round(const acp_json *definition) {
    pair first, second;
    acp_json_writer texts[2];
    acp_json_reader reader = {0};
    acp_json_fault fault;
    if (!pack(definition, true, &first)) return;
    if (extract(&first, &texts[0]) == ACP_OK && first.block_count < BLOCKS) {
        const acp_json *again = acp_json_read(&reader, texts[0].text, texts[0].length, &fault);
        expect(again != NULL && pack(again, false, &second));
        expect(extract(&second, &texts[1]) == ACP_OK);
        expect(texts[0].length == texts[1].length && memcmp(texts[0].text, texts[1].text, texts[0].length) == 0);
        acp_json_writer_free(&texts[1]);
        close_pair(&second);
    }
    acp_json_writer_free(&texts[0]);
    acp_json_reader_free(&reader);
    close_pair(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1u << 16) return 0;
    char *copy = fuzz_copy(data, size);
    if (copy == NULL) return 0;
    acp_json_reader memory = {.byte_limit = (size_t)1 << 26};
    acp_json_fault fault;
    acp_error error = {0};
    acp_json_input input = {ACP_OK, &error};
    const acp_json *json = acp_json_read(&memory, copy, size, &fault);
    acp_scene_options options = {.canonical_order = true};
    acp_scene *scene = json ? acp_scene_build(&input, json, &options) : NULL;
    if (json && !scene) expect(acp_json_is_failed(&input) && error.message[0] != '\0');
    if (scene) {
        acp_scene_check_options check = {NULL, NULL};
        acp_scene_check_report report;
        acp_scene_check(&input, scene, json, &check, &report);
        acp_scene_destroy(scene);
        if (!acp_json_is_failed(&input)) go_round(json);
    }
    acp_json_reader_free(&memory);
    free(copy);
    return 0;
}
