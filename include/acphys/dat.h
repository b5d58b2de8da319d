/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_DAT_H
#define ACPHYS_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/progress.h"
#include "acphys/result.h"
#include "acphys/terrain.h"

/** @file dat.h
 * The DAT container (spec 02): a file of equal blocks, records chained through them, a B-tree from 32-bit ids to records. Reading never
 * changes a file; changing one means writing a new one beside it and renaming. */

#ifdef __cplusplus
extern "C" {
#endif

/** data_set of the header. */
enum { ACP_DAT_PORTAL = 1, ACP_DAT_CELL = 2, ACP_DAT_LOCAL = 3 };

/** The record that lists the update iterations present; every container has it (DAT-17). */
#define ACP_DAT_ITERATION_ID 0xFFFF0001u

/** Remarks of an open file: unusual, but readable. Bits. */
enum {
    ACP_DAT_REMARK_FILE_SIZE = 1,          /**< header.file_size differs from the physical length */
    ACP_DAT_REMARK_INTERRUPTED_UPDATE = 2, /**< the journal holds a pending operation (DAT-28) */
    ACP_DAT_REMARK_DATA_SET = 4,           /**< data_set is none of 1, 2, 3 */
    ACP_DAT_REMARK_GAME_VERSION = 8,       /**< a portal file with a game version other than 0: the retail client refuses it (DAT-04) */
    ACP_DAT_REMARK_UNEVEN_TREE = 16,       /**< leaves at different depths, or nodes other than the root outside 30..61 entries */
    ACP_DAT_REMARK_LEAF_MARK = 32,         /**< a leaf marked 0xCDCDCDCD instead of 0 (DAT-14) */
    ACP_DAT_REMARK_NO_ITERATIONS = 64      /**< no iteration record */
};

/** What is known of an open file. */
typedef struct acp_dat_info {
    uint64_t physical_size; /**< bytes */
    uint32_t block_size;    /**< bytes, link included */
    uint32_t file_size;     /**< as the header states it */
    uint32_t data_set;      /**< ACP_DAT_PORTAL, _CELL, _LOCAL */
    uint32_t data_subset;   /**< region or language */
    uint32_t first_free;
    uint32_t last_free;
    uint32_t free_count;
    uint32_t root; /**< file offset of the B-tree's root node */
    uint32_t master_map_id;
    int32_t engine_version;
    int32_t game_version;
    uint32_t minor_version;
    uint8_t major_version[16]; /**< GUID bytes as stored */
    uint32_t journal_type;     /**< 0 = idle */
    uint32_t record_count;
    uint32_t node_count;
    uint32_t tree_depth; /**< levels; 1 = the root is a leaf */
    uint32_t remarks;    /**< ACP_DAT_REMARK_* */
} acp_dat_info;

/** One directory entry (DAT-11). */
typedef struct acp_dat_entry {
    uint32_t id;
    uint32_t offset;      /**< file offset of the first block */
    uint32_t stored_size; /**< bytes in the file */
    uint16_t flags;       /**< bit 0: compressed */
    uint16_t version;
    int32_t date; /**< seconds since 1970 */
    int32_t iteration;
} acp_dat_entry;

ACP_STATIC_ASSERT(sizeof(acp_dat_entry) == 24, "acp_dat_entry layout");

/** An open container. Immutable after open: any number of threads may read it at once. */
typedef struct acp_dat acp_dat;

typedef struct acp_dat_open_options {
    uint32_t struct_size;
    uint32_t is_read_to_memory; /**< 1: read the file into memory instead of mapping it (for files that others may truncate) */
} acp_dat_open_options;

/** The defaults: map the file. [any thread] */
ACP_API acp_dat_open_options acp_dat_open_options_default(void);

/** Opens a file, checks its header and walks all of its directory (DAT-30); records themselves are checked when read (DAT-31). A mapped
 *  file must not be shortened while open. `path` is UTF-8. `allocator` null: the C library's, copied. Errors: IO, BAD_DATA, TRUNCATED,
 *  OUT_OF_MEMORY, each naming file, offset and field; nothing stays open then. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_open(const char *path, const acp_dat_open_options *options, const acp_allocator *allocator,
                                               acp_dat **out_dat, acp_error *error);

/** The same over bytes of the caller, which must stay as they are until close. `name` stands for the file in errors; may be null.
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_open_memory(const void *bytes, uint64_t size, const char *name, const acp_allocator *allocator,
                                                      acp_dat **out_dat, acp_error *error);

/** Closes; null is accepted. No reader may be at work; pointers into the file die. [any thread], alone. */
ACP_API void acp_dat_close(acp_dat *dat);

/** [any thread] */
ACP_API void acp_dat_get_info(const acp_dat *dat, acp_dat_info *out_info);

/** Path or name it was opened under. Valid until close. [any thread] */
ACP_API const char *acp_dat_name(const acp_dat *dat);

/** Entries in ascending order of id: 0 <= index < info.record_count. Null beyond. Valid until close. [any thread] */
ACP_API const acp_dat_entry *acp_dat_entry_at(const acp_dat *dat, uint32_t index);

/** The entry of an id, or null. [any thread] */
ACP_API const acp_dat_entry *acp_dat_find(const acp_dat *dat, uint32_t id);

/** Index of the first entry whose id is >= `id` (record_count when there is none): for walking a range of ids. [any thread] */
ACP_API uint32_t acp_dat_lower_bound(const acp_dat *dat, uint32_t id);

/** The bytes of a record. Zero-initialise once, reuse for any number of reads, release at the end: memory is kept from read to read.
 *  One thread at a time. */
typedef struct acp_dat_record {
    const uint8_t *bytes; /**< decoded: decompressed and in one piece; in the file itself when it lies in one block */
    uint32_t size;
    acp_dat_entry entry;
    uint8_t *buffer;   /**< the library's */
    uint64_t capacity; /**< the library's */
    acp_allocator allocator;
} acp_dat_record;

/** Reads the record of an id. Bytes stay valid until the next read into `record`, its release or the file's close. Errors: NOT_FOUND,
 *  BAD_DATA, TRUNCATED, LIMIT (declared size of a compressed record), OUT_OF_MEMORY; `record` is then empty. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_read(const acp_dat *dat, uint32_t id, acp_dat_record *record, acp_error *error);

/** The same by entry. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_read_entry(const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record,
                                                     acp_error *error);

/** Reads the stored bytes, not decompressed. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_read_stored(const acp_dat *dat, const acp_dat_entry *entry, acp_dat_record *record,
                                                      acp_error *error);

/** Gives the memory back; harmless on an empty one. [any thread] */
ACP_API void acp_dat_record_release(acp_dat_record *record);

/** Called for each fault or remark; the error names record, offset and field, and lives until the call returns. */
typedef void (*acp_dat_fault_function)(void *user, bool is_remark, const acp_error *fault);

typedef struct acp_dat_verify_options {
    uint32_t struct_size;
    uint32_t is_strict;              /**< 1: what the strict reading refuses is a fault, not a remark (DAT-72) */
    uint32_t is_container_only;      /**< 1: records are read but not decoded */
    uint32_t reserved;               /**< zero */
    acp_dat_fault_function on_fault; /**< may be null */
    void *user;
    const acp_progress *progress; /**< records; may be null */
} acp_dat_verify_options;

/** Lenient, nobody told. [any thread] */
ACP_API acp_dat_verify_options acp_dat_verify_options_default(void);

typedef struct acp_dat_verify_report {
    uint64_t record_count;
    uint64_t record_bytes;  /**< decoded */
    uint64_t node_blocks;   /**< blocks of the directory */
    uint64_t record_blocks; /**< blocks of records */
    uint64_t free_blocks;   /**< blocks of the free list */
    uint64_t lost_bytes;    /**< bytes behind the header that belong to no block in use or free */
    uint64_t fault_count;
    uint64_t remark_count;
} acp_dat_verify_report;

/** Reads everything: each record's chain and content, the free list, and that no two blocks overlap. Faults are told and counted and do
 *  not end the walk; the result is ACP_OK when it came to its end. Errors: OUT_OF_MEMORY, CANCELLED. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_verify(const acp_dat *dat, const acp_dat_verify_options *options,
                                                 acp_dat_verify_report *out_report, acp_error *error);

typedef struct acp_dat_reference_report {
    uint64_t reference_count; /**< looked up */
    uint64_t dangling_count;  /**< that lead nowhere */
    uint64_t fault_count;
    uint64_t remark_count;
} acp_dat_reference_report;

/** Follows the references of records to others (DAT-71): setups to meshes, animations and motion tables, motion tables to animations,
 *  degrade lists to meshes, the Region to scenes, scenes to models; landblocks to their info record, its rooms, buildings, entries and
 *  models; EnvCells to environment, structure, portal polygons, neighbours, visible cells and statics. One that leads nowhere is told with
 *  record, offset in the record, field, and what was expected (code NOT_FOUND). Lenient: a remark, since a loader treats it as absent,
 * except an announced LandBlockInfo, without which the landblock does not load. Strict: a fault. Records that do not decode are passed over
 *  (acp_dat_verify tells them). Either file may be null: references into it are not followed. `options`: is_strict, on_fault, user,
 *  progress. Errors: OUT_OF_MEMORY, CANCELLED. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_verify_references(const acp_dat *portal, const acp_dat *cell,
                                                            const acp_dat_verify_options *options, acp_dat_reference_report *out_report,
                                                            acp_error *error);

/** Bytes of a LandBlock record. */
#define ACP_LAND_BLOCK_SIZE 252u

/** A LandBlock record's content from its bytes, without loss (DAT-63). Bytes beyond 252 are ignored. Errors: TRUNCATED. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_land_block_decode(const void *bytes, uint32_t size, acp_land_block *out_block, acp_error *error);

/** The bytes of a LandBlock record: the inverse of decode. [any thread] */
ACP_API void acp_land_block_encode(const acp_land_block *block, uint8_t out_bytes[ACP_LAND_BLOCK_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
