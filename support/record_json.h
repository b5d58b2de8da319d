/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_RECORD_JSON_H
#define ACP_SUPPORT_RECORD_JSON_H

#include "dat/record.h"
#include "support/json.h"

/* DAT records as JSON and back, without loss (docs: `acphys dat cat`). One object a record: schema, kind, then the fields of spec 02 in
 * file order. Ids are strings 0x…, floats as everywhere (bits under _hex when asked for), raw bytes are hexadecimal, texts are read as
 * code page 1252 letters U+0000 to U+00FF. */

/* Writes the record's object under `key` (null: top level). */
acp_result acp_record_write_json(const acp_record *record, const char *key, acp_json_writer *writer);

/* Makes a record of such an object. Absent lists are empty; any other absent field is a fault that names it. */
acp_result acp_record_read_json(const acp_json *object, acp_json_reader *memory, const acp_allocator *allocator, acp_record *out_record,
                                acp_error *error);

/* Kind by its name; ACP_RECORD_OTHER when there is none. */
acp_record_kind acp_record_kind_by_name(const char *name, size_t length);

#endif
