/* SPDX-License-Identifier: MIT */
/* Recorded positions: reading the table and putting each row in its place.
 *
 * A row is a cell id, a point and perhaps a rotation. The point is made canonical by the place floor alone (spec 01 WM-16) and the
 * resulting land cell compared with the recorded one; every row gets exactly one class, so the counts add up. Rotations that are not of
 * unit length cannot pass the library's door: they are counted, and the row is placed with the normalised rotation, or unturned when it is
 * all zeros. Bad input: a row that cannot be read names line and column and is counted and skipped; only a header without the needed
 * columns ends the reading. No row is repaired. Cost: reading and placing take about a microsecond a row; the ground is read one landblock
 * at a time, once. */
#include "tools/acphys/tool_spawns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number_text.h"
#include "support/csv.h"
#include "support/hex_digit.h"

enum { COLUMN_CELL, COLUMN_X, COLUMN_Y, COLUMN_Z, COLUMN_QW, COLUMN_QX, COLUMN_QY, COLUMN_QZ, COLUMN_WCID, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {"cell", "x", "y", "z", "qw", "qx", "qy", "qz", "wcid"};

/* The reading of one file. */
typedef struct reading {
    acp_spawn_list *list;
    const char *path;
    int32_t columns[COLUMN_COUNT]; /* field index, -1 = absent */
    uint32_t field_count;          /* of the header */
    acp_spawn_fault_function report_fault;
    void *user;
} reading;

static bool fault(reading *r, uint64_t line, uint64_t column, const char *field, const char *message) {
    r->list->malformed++;
    if (r->report_fault) r->report_fault(r->user, r->path, line, column, field, message);
    return false;
}

/* The field of a column without blanks around it; a fault when the row is too short. */
static bool get_field(reading *r, const acp_csv_row *row, int column, acp_csv_field *out_field) {
    uint32_t index = (uint32_t)r->columns[column];
    if (index >= row->count) return fault(r, row->end_line, row->end_column, column_names[column], "the row has too few fields");
    acp_csv_field field = row->fields[index];
    while (field.length > 0 && (field.text[0] == ' ' || field.text[0] == '\t')) {
        field.text++;
        field.length--;
        field.column++;
    }
    while (field.length > 0 && (field.text[field.length - 1] == ' ' || field.text[field.length - 1] == '\t'))
        field.length--;
    *out_field = field;
    return true;
}

static bool get_float(reading *r, const acp_csv_row *row, int column, float *out_value) {
    acp_csv_field field;
    size_t used = 0;
    float value;
    if (!get_field(r, row, column, &field)) return false;
    if (!acp_number_parse_f32(field.text, field.length, &value, &used))
        return fault(r, field.line, field.column, column_names[column], "expected a number");
    if (used != field.length) return fault(r, field.line, field.column + used, column_names[column], "expected the end of the number");
    if (!isfinite(value)) return fault(r, field.line, field.column, column_names[column], "the number is too large for 32 bits");
    *out_value = value;
    return true;
}

static bool read_digits(reading *r, const acp_csv_field *field, size_t start, uint32_t base, int column, uint32_t *out_value) {
    uint64_t value = 0;
    for (size_t i = start; i < field->length; i++) {
        int32_t digit = acp_hex_digit(field->text[i]);
        if (digit < 0 || digit >= (int32_t)base) return fault(r, field->line, field->column + i, column_names[column], "expected a digit");
        value = value * base + (uint32_t)digit;
        if (value > UINT32_MAX) return fault(r, field->line, field->column, column_names[column], "more than 32 bits");
    }
    if (start == field->length) return fault(r, field->line, field->column + start, column_names[column], "expected a digit");
    *out_value = (uint32_t)value;
    return true;
}

static bool get_cell(reading *r, const acp_csv_row *row, uint32_t *out_id) {
    acp_csv_field field;
    if (!get_field(r, row, COLUMN_CELL, &field)) return false;
    if (field.length < 2 || field.text[0] != '0' || (field.text[1] != 'x' && field.text[1] != 'X'))
        return fault(r, field.line, field.column, "cell", "expected 0x and hexadecimal digits");
    return read_digits(r, &field, 2, 16, COLUMN_CELL, out_id);
}

/* ---- placing ---- */

/* Metres from a block-local point to the square of a land cell; 0 inside and on its edge. */
static float distance_to_cell(acp_vec3 point, uint32_t index) {
    double low_x = 24.0 * (double)((index - 1u) >> 3), low_y = 24.0 * (double)((index - 1u) & 7u);
    double dx = fmax(fmax(low_x - (double)point.x, (double)point.x - (low_x + 24.0)), 0.0);
    double dy = fmax(fmax(low_y - (double)point.y, (double)point.y - (low_y + 24.0)), 0.0);
    return (float)sqrt(dx * dx + dy * dy);
}

static acp_spawn_class compare_land_cells(acp_spawn *spawn, acp_vec3 point) {
    int32_t x = 0, y = 0, recorded_x = 0, recorded_y = 0;
    if (spawn->position.cell_id == spawn->recorded_cell) return ACP_SPAWN_AGREES;
    (void)acp_lcoord_from_cell_id(spawn->position.cell_id, &x, &y);
    (void)acp_lcoord_from_cell_id(spawn->recorded_cell, &recorded_x, &recorded_y);
    spawn->distance = distance_to_cell(point, spawn->recorded_cell & 0xFFFFu);
    if (spawn->distance == 0.0f) return ACP_SPAWN_ON_BORDER;
    return abs(x - recorded_x) <= 1 && abs(y - recorded_y) <= 1 ? ACP_SPAWN_NEIGHBOUR : ACP_SPAWN_ELSEWHERE;
}

/* Makes the row canonical and gives it its class. */
static acp_spawn_class place(acp_spawn *spawn, acp_vec3 point) {
    acp_cell_kind kind = acp_cell_id_kind(spawn->recorded_cell);
    bool is_unresolved = (spawn->recorded_cell & 0xFFFFu) == 0 && acp_cell_id_is_valid(spawn->recorded_cell | 1u);
    spawn->position.cell_id = is_unresolved ? spawn->recorded_cell | 1u : spawn->recorded_cell;
    spawn->position.frame.origin = point;
    if (kind == ACP_CELL_KIND_ENV) {
        spawn->is_beyond_block = !(point.x >= 0.0f && point.x < 192.0f && point.y >= 0.0f && point.y < 192.0f);
        return ACP_SPAWN_INDOOR;
    }
    if (kind == ACP_CELL_KIND_WHOLE_BLOCK) return ACP_SPAWN_WHOLE_BLOCK;
    if (kind != ACP_CELL_KIND_LAND && !is_unresolved) return ACP_SPAWN_INVALID_ID;
    if (acp_position_canonicalize(&spawn->position) != ACP_OK) return ACP_SPAWN_OUTSIDE_MAP;
    return is_unresolved ? ACP_SPAWN_UNRESOLVED : compare_land_cells(spawn, point);
}

/* A rotation that the library's door accepts, and what was wrong with the given one. */
static acp_spawn_rotation settle_rotation(acp_frame *frame, acp_quaternion rotation) {
    frame->rotation = rotation;
    acp_frame at_origin = {{0.0f, 0.0f, 0.0f}, rotation};
    if (acp_frame_check(&at_origin) == ACP_OK) return ACP_SPAWN_ROTATION_UNIT;
    if (acp_frame_set_rotation(frame, rotation) == ACP_OK) return ACP_SPAWN_ROTATION_OFF_UNIT;
    frame->rotation = acp_frame_identity().rotation;
    return ACP_SPAWN_ROTATION_ZERO;
}

static bool read_row(reading *r, const acp_csv_row *row, acp_spawn *out_spawn) {
    acp_vec3 point;
    acp_quaternion q = {1.0f, 0.0f, 0.0f, 0.0f};
    out_spawn->line = row->line;
    if (!get_cell(r, row, &out_spawn->recorded_cell) || !get_float(r, row, COLUMN_X, &point.x) || !get_float(r, row, COLUMN_Y, &point.y) ||
        !get_float(r, row, COLUMN_Z, &point.z))
        return false;
    if (r->columns[COLUMN_QW] >= 0 && (!get_float(r, row, COLUMN_QW, &q.w) || !get_float(r, row, COLUMN_QX, &q.x) ||
                                       !get_float(r, row, COLUMN_QY, &q.y) || !get_float(r, row, COLUMN_QZ, &q.z)))
        return false;
    if (r->columns[COLUMN_WCID] >= 0) {
        acp_csv_field field;
        if (!get_field(r, row, COLUMN_WCID, &field) || !read_digits(r, &field, 0, 10, COLUMN_WCID, &out_spawn->class_number)) return false;
    }
    out_spawn->rotation = (uint8_t)settle_rotation(&out_spawn->position.frame, q);
    out_spawn->spawn_class = (uint8_t)place(out_spawn, point);
    return true;
}

static acp_result append(acp_spawn_list *list, const acp_spawn *spawn, acp_error *error) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 1024;
        acp_spawn *rows = capacity > SIZE_MAX / sizeof *rows ? NULL : realloc(list->rows, capacity * sizeof *rows);
        if (!rows) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "read positions", "out of memory");
        list->rows = rows;
        list->capacity = capacity;
    }
    list->rows[list->count++] = *spawn;
    return ACP_OK;
}

/* Finds the columns by the header's names. */
static acp_result read_header(reading *r, acp_csv *csv, acp_error *error) {
    acp_csv_row header;
    acp_csv_fault csv_fault;
    acp_csv_status status = acp_csv_next(csv, &header, &csv_fault);
    const char *message = NULL;
    const char *field = "header";
    if (status == ACP_CSV_END) message = "the file is empty";
    if (status == ACP_CSV_FAULT) message = csv_fault.message;
    for (int i = 0; i < COLUMN_COUNT && !message; i++) {
        bool is_needed = i <= COLUMN_Z || (i > COLUMN_QW && i <= COLUMN_QZ && r->columns[COLUMN_QW] >= 0);
        r->columns[i] = acp_csv_find(&header, column_names[i]);
        if (r->columns[i] >= 0 || !is_needed) continue;
        message = "the header lacks this column";
        field = column_names[i];
    }
    r->field_count = header.count;
    for (int i = 0; i < COLUMN_COUNT && !message; i++) {
        if (r->columns[i] < 0 || acp_csv_find_from(&header, column_names[i], (uint32_t)r->columns[i] + 1) < 0) continue;
        message = "the header names this column twice";
        field = column_names[i];
    }
    if (!message) return ACP_OK;
    acp_error_set(error, ACP_ERROR_BAD_DATA, "read positions", "line 1: %s", message);
    acp_error_set_file(error, r->path);
    acp_error_set_place(error, 0, 0, field);
    return ACP_ERROR_BAD_DATA;
}

acp_result acp_spawns_read(acp_spawn_list *list, const char *path, uint32_t file, const char *text, size_t length,
                           acp_spawn_fault_function report_fault, void *user, acp_error *error) {
    reading r = {list, path, {0}, 0, report_fault, user};
    acp_csv csv;
    acp_csv_row row;
    acp_csv_fault csv_fault;
    acp_csv_status status;
    acp_csv_init(&csv, text, length);
    acp_result result = read_header(&r, &csv, error);
    if (result != ACP_OK) return result;
    while ((status = acp_csv_next(&csv, &row, &csv_fault)) != ACP_CSV_END) {
        acp_spawn spawn;
        memset(&spawn, 0, sizeof spawn);
        spawn.file = file;
        if (status == ACP_CSV_FAULT) {
            (void)fault(&r, csv_fault.line, csv_fault.column, "row", csv_fault.message);
            continue;
        }
        if (row.count > r.field_count) {
            const acp_csv_field *extra = &row.fields[r.field_count];
            (void)fault(&r, extra->line, extra->column, "row", "more fields than the header has");
            continue;
        }
        if (!read_row(&r, &row, &spawn)) continue;
        result = append(list, &spawn, error);
        if (result != ACP_OK) return result;
    }
    return ACP_OK;
}

static bool has_land_cell(const acp_spawn *spawn) {
    return acp_cell_id_kind(spawn->position.cell_id) == ACP_CELL_KIND_LAND && spawn->spawn_class != ACP_SPAWN_OUTSIDE_MAP;
}

acp_result acp_spawns_find_ground(acp_spawn_list *list, acp_ground_source *source, const acp_command_line *line, acp_error *error) {
    for (size_t i = 0; i < list->count; i++) {
        acp_spawn *spawn = &list->rows[i];
        if (i % 1024 == 0) acp_command_progress(line, "positions", i, list->count);
        if (!has_land_cell(spawn)) continue;
        acp_result result = acp_ground_source_at(source, &spawn->position, &spawn->ground, error);
        spawn->has_ground = result == ACP_OK;
        if (result == ACP_ERROR_NOT_FOUND)
            list->ground_missing++;
        else if (result != ACP_OK)
            return result;
    }
    acp_command_progress(line, "positions", list->count, list->count);
    return ACP_OK;
}

void acp_spawns_free(acp_spawn_list *list) {
    free(list->rows);
    memset(list, 0, sizeof *list);
}
