/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_DAT_EDIT_H
#define ACPHYS_DAT_EDIT_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/dat.h"
#include "acphys/export.h"
#include "acphys/progress.h"
#include "acphys/result.h"

/** @file dat_edit.h
 * Making and changing DAT containers (spec 02 §6). An edit is an image of the file in memory, changed record by record as the retail
 * client does (its splits, its free list), and written as a whole: a temporary file, flushed, renamed over the target. A file on disk is
 * the old one or the new one, never between. */

#ifdef __cplusplus
extern "C" {
#endif

/** A container being made or changed. One thread at a time. */
typedef struct acp_dat_edit acp_dat_edit;

typedef struct acp_dat_create_options {
    uint32_t struct_size;
    uint32_t data_set;       /**< ACP_DAT_PORTAL, _CELL, _LOCAL */
    uint32_t data_subset;    /**< region or language */
    uint32_t block_size;     /**< bytes, 16 to 65536, a multiple of 4 */
    uint32_t block_count;    /**< blocks of the empty file */
    uint32_t reserve_blocks; /**< free blocks kept beyond what a record needs before the file grows; 51 in the retail client (DAT-21) */
    uint32_t master_map_id;
    int32_t engine_version;
    int32_t game_version;
    uint32_t minor_version;
    uint8_t major_version[16];
    int32_t iteration;      /**< the iteration record lists 1 to this */
    int32_t date;           /**< of the iteration record, seconds since 1970 */
    uint32_t growth_blocks; /**< blocks by which the file grows when it is full; 0: 1 MiB's worth, as in the retail client */
} acp_dat_create_options;

/** What the retail client makes of a data set: blocks of 1024 bytes (portal, local) or 256 (cell), 1 MiB to start with, versions 110/0 or
 *  22/0, minor version 6657, iteration 1. [any thread] */
ACP_API acp_dat_create_options acp_dat_create_options_default(uint32_t data_set);

/** How a record's bytes are kept. */
enum {
    ACP_DAT_STORE_PLAIN = 0,
    ACP_DAT_STORE_COMPRESSED = 1, /**< zlib, if the record has more than 16 bytes and does not grow (DAT-16) */
    ACP_DAT_STORE_AS_IS = 2       /**< the bytes are a stored, compressed form already (acp_dat_read_stored) */
};

typedef struct acp_dat_put_options {
    uint32_t struct_size;
    uint32_t storage;  /**< ACP_DAT_STORE_* */
    uint32_t version;  /**< record version, 1 to 65535 */
    int32_t date;      /**< seconds since 1970 */
    int32_t iteration; /**< iteration that delivers the record */
} acp_dat_put_options;

/** Plain, version 2, date 0, iteration 1. [any thread] */
ACP_API acp_dat_put_options acp_dat_put_options_default(void);

typedef struct acp_dat_commit_options {
    uint32_t struct_size;
    uint32_t reserved;            /**< zero */
    const char *temporary_path;   /**< name of the file while it is written, in the target's folder; null: <path>.partial-<process> */
    const acp_progress *progress; /**< bytes written; may be null */
} acp_dat_commit_options;

/** No own temporary name, no progress. [any thread] */
ACP_API acp_dat_commit_options acp_dat_commit_options_default(void);

/** Begins a new container that holds the iteration record only. `options` null: a cell file. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_create(const acp_dat_create_options *options, const acp_allocator *allocator,
                                                      acp_dat_edit **out_edit, acp_error *error);

/** Begins a change of an open container, which must stay open until the edit is destroyed; its file is not touched. Parts that do not
 *  change are not copied. A free list that is not as DAT-09 says is given up and a new one begun. Errors: OUT_OF_MEMORY, LIMIT.
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_open(const acp_dat *dat, const acp_allocator *allocator, acp_dat_edit **out_edit,
                                                    acp_error *error);

/** Gives everything up that was not committed; null is accepted. [any thread] */
ACP_API void acp_dat_edit_destroy(acp_dat_edit *edit);

/** Inserts a record or replaces the one of that id, whatever its iteration. `options` null: the defaults. On failure the edit is as
 *  before. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, LIMIT (2 GiB), BAD_DATA (a damaged base file). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_put(acp_dat_edit *edit, uint32_t id, const void *bytes, uint32_t size,
                                                   const acp_dat_put_options *options, acp_error *error);

/** Removes a record; its blocks become free. On failure the edit is as before. Errors: NOT_FOUND, OUT_OF_MEMORY, BAD_DATA. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_remove(acp_dat_edit *edit, uint32_t id, acp_error *error);

/** The entry of an id as it stands in the edit. NOT_FOUND when there is none. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_find(const acp_dat_edit *edit, uint32_t id, acp_dat_entry *out_entry);

/** Header fields as they would be written, with physical_size and record_count; the counts of nodes and levels are 0. [any thread] */
ACP_API void acp_dat_edit_get_info(const acp_dat_edit *edit, acp_dat_info *out_info);

/** Writes the container to `path` (UTF-8), replacing a file of that name. Either all of it is there and on the disk, or an error and the
 *  target as before. The edit stays usable. The base file may be the target. Errors: IO, OUT_OF_MEMORY, CANCELLED. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_commit(acp_dat_edit *edit, const char *path, const acp_dat_commit_options *options,
                                                      acp_error *error);

/** Writes the container to memory instead: as many bytes as info.physical_size says (acp_dat_edit_get_info). Errors: INVALID_ARGUMENT (also
 *  a `capacity` below that). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_dat_edit_copy_bytes(const acp_dat_edit *edit, void *out_bytes, uint64_t capacity, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
