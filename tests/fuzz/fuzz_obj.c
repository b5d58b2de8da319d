/* SPDX-License-Identifier: MIT */
/* Fuzz target: OBJ files, read and authored as a shape and as rooms, in the form that the first byte names. What is authored opens in
 * strict mode, encodes to the same bytes, becomes an asset, and its export is read again. Nothing may crash, leak or hang. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/from_record.h"
#include "support/geometry.h"
#include "support/obj.h"
#include "tests/fuzz/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition) {
    if (!condition) abort();
}

static void open_record(acp_record_kind kind, const acp_record_bytes *bytes) {
    acp_record record;
    acp_error error;
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0};
    expect(acp_record_decode(kind, bytes->bytes, bytes->size, &strict, NULL, &record, &error) == ACP_OK);
    acp_writer writer;
    acp_writer_init(&writer, NULL);
    expect(acp_record_encode(&record, &writer, &error) == ACP_OK);
    expect(writer.size == bytes->size && memcmp(writer.bytes, bytes->bytes, writer.size) == 0);
    acp_writer_free(&writer);
    acp_geometry geometry = {0};
    if (kind == ACP_RECORD_GFXOBJ) {
        acp_shape *shape = NULL;
        expect(acp_shape_from_record(record.content.gfxobj, false, ACP_CONTENT_STRICT, NULL, &shape, &error) == ACP_OK);
        acp_shape_destroy(shape);
        acp_geometry_place(&geometry, acp_geometry_add_gfxobj(&geometry, record.content.gfxobj), NULL, 1, NULL, NULL);
    } else
        for (uint32_t i = 0; i < record.content.environment->cell_count; i++) {
            acp_cell_structure *structure = NULL;
            const acp_record_cell_structure *cell = &record.content.environment->cells[i];
            expect(acp_cell_structure_from_record(cell, ACP_CONTENT_STRICT, NULL, &structure, &error) == ACP_OK);
            acp_cell_structure_destroy(structure);
            acp_geometry_place(&geometry, acp_geometry_add_structure(&geometry, 1, cell), NULL, 1, NULL, NULL);
        }
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    expect(stream != NULL && acp_geometry_write_obj(&geometry, stream) && fclose(stream) == 0);
    acp_obj again = {0};
    acp_obj_options options = {1.0, false, ACP_MESH_PHYSICS};
    expect(acp_obj_read(text, length, "again", &options, &again, &error) == ACP_OK);
    expect(again.faces.count == geometry.polygons.count && geometry.dropped == 0);
    acp_obj_free(&again);
    free(text);
    acp_geometry_free(&geometry);
    acp_record_free(&record);
}

static void author(const acp_obj *obj, uint32_t wishes) {
    acp_error error;
    acp_record_bytes bytes = {0};
    acp_obj_mesh mesh;
    bool is_room = (wishes & 1u) != 0;
    for (uint32_t i = 0; i < (is_room ? obj->objects.count : 1u); i++) {
        if (acp_obj_make_mesh(obj, i, is_room ? 1 : obj->objects.count, is_room, &mesh, &error)) continue;
        mesh.mesh.flags = wishes >> 1 & 0x5Fu; /* all but the degrade id */
        mesh.mesh.tree_form = (acp_tree_form)((wishes >> 8) % 4u);
        acp_result result = is_room ? acp_mesh_make_environment(&mesh.mesh, 1, 0x0D000001u, NULL, &bytes, NULL, &error)
                                    : acp_mesh_make_gfxobj(&mesh.mesh, 0x01000001u, NULL, &bytes, NULL, &error);
        if (result == ACP_OK) open_record(is_room ? ACP_RECORD_ENVIRONMENT : ACP_RECORD_GFXOBJ, &bytes);
        acp_record_bytes_free(&bytes);
        acp_obj_mesh_free(&mesh);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > 1u << 14) return 0;
    char *copy = fuzz_copy(data + 2, size - 2);
    if (copy == NULL) return 0;
    acp_obj obj = {0};
    acp_error error;
    acp_obj_options options = {1.0, false, ACP_MESH_PHYSICS | ACP_MESH_DRAWING};
    acp_result result = acp_obj_read(copy, size - 2, "input", &options, &obj, &error);
    free(copy);
    if (result == ACP_OK && obj.objects.count <= 8 && obj.corners.count <= 4096 && obj.faces.count > 0)
        author(&obj, (uint32_t)data[0] | (uint32_t)data[1] << 8);
    acp_obj_free(&obj);
    return 0;
}
