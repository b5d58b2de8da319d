/* SPDX-License-Identifier: MIT */
/* Messages from fragments (spec 10 NET-11, NET-12, NET-53). A message of one fragment is handed on where it lies and allocates nothing. A
 * longer one keeps each fragment in a chunk of its own until the last arrives, so memory follows what was received, never what a header
 * claims. Three caps: messages under way, bytes in all, age; the oldest message makes room for a new one. Ids of the last 256 whole
 * messages are remembered, so that replayed fragments are refused. A refusal leaves everything as it was. Cost: a scan of the messages
 * under way (64) per fragment, and of the fragments of one message to find repeats. */
#include <string.h>

#include "acphys/wire_link.h"
#include "base/error.h"
#include "base/memory.h"

#define MAX_BLOBS    4096u
#define RECENT_COUNT 256u

typedef struct chunk {
    struct chunk *next;
    uint16_t index;
    uint16_t size;
    uint8_t data[ACP_WIRE_MAX_FRAGMENT_DATA];
} chunk;

typedef struct pending_blob {
    uint64_t blob_id;
    chunk *chunks; /* null = the entry is free */
    double last_time;
    uint32_t received;
    uint16_t count;
    uint16_t queue;
} pending_blob;

struct acp_wire_assembly {
    acp_allocator allocator;
    acp_wire_assembly_options options;
    pending_blob *pending;
    uint32_t pending_count;
    uint64_t bytes;
    uint8_t *message; /* the last whole message of several fragments */
    size_t message_capacity;
    uint64_t recent[RECENT_COUNT];
    uint32_t recent_count;
    uint32_t recent_next;
};

acp_wire_assembly_options acp_wire_assembly_options_default(void) {
    acp_wire_assembly_options options = {.struct_size = sizeof options, .max_blobs = 64, .max_bytes = (uint64_t)4 << 20, .max_age = 60.0};
    return options;
}

acp_result acp_wire_assembly_create(const acp_wire_assembly_options *options, const acp_allocator *allocator,
                                    acp_wire_assembly **out_assembly, acp_error *error) {
    static const char operation[] = "wire assembly create";
    if (!options || !out_assembly) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    if (options->struct_size < sizeof *options || options->max_blobs == 0 || options->max_blobs > MAX_BLOBS || !(options->max_age > 0.0))
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the options are out of range");
    acp_allocator kept = acp_memory_allocator(allocator);
    acp_wire_assembly *assembly = ACP_MEMORY_NEW(&kept, acp_wire_assembly);
    pending_blob *pending = ACP_MEMORY_NEW_ARRAY(&kept, pending_blob, options->max_blobs);
    if (!assembly || !pending) {
        ACP_MEMORY_DELETE(&kept, acp_wire_assembly, assembly);
        ACP_MEMORY_DELETE_ARRAY(&kept, pending_blob, pending, options->max_blobs);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for the assembly");
    }
    assembly->allocator = kept;
    assembly->options = *options;
    assembly->pending = pending;
    *out_assembly = assembly;
    return ACP_OK;
}

static void drop(acp_wire_assembly *assembly, pending_blob *blob) {
    while (blob->chunks) {
        chunk *next = blob->chunks->next;
        ACP_MEMORY_DELETE(&assembly->allocator, chunk, blob->chunks);
        assembly->bytes -= sizeof(chunk);
        blob->chunks = next;
    }
    assembly->pending_count--;
}

static void free_message(acp_wire_assembly *assembly) {
    acp_memory_free(&assembly->allocator, assembly->message, assembly->message_capacity, 1);
    assembly->bytes -= assembly->message_capacity;
    assembly->message = NULL;
    assembly->message_capacity = 0;
}

void acp_wire_assembly_destroy(acp_wire_assembly *assembly) {
    if (!assembly) return;
    for (uint32_t i = 0; i < assembly->options.max_blobs; i++)
        if (assembly->pending[i].chunks) drop(assembly, &assembly->pending[i]);
    free_message(assembly);
    acp_allocator allocator = assembly->allocator;
    ACP_MEMORY_DELETE_ARRAY(&allocator, pending_blob, assembly->pending, assembly->options.max_blobs);
    ACP_MEMORY_DELETE(&allocator, acp_wire_assembly, assembly);
}

uint32_t acp_wire_assembly_pending(const acp_wire_assembly *assembly) { return assembly->pending_count; }
uint64_t acp_wire_assembly_bytes(const acp_wire_assembly *assembly) { return assembly->bytes; }

static pending_blob *find(acp_wire_assembly *assembly, uint64_t blob_id) {
    for (uint32_t i = 0; i < assembly->options.max_blobs; i++)
        if (assembly->pending[i].chunks && assembly->pending[i].blob_id == blob_id) return &assembly->pending[i];
    return NULL;
}

static pending_blob *oldest_but(acp_wire_assembly *assembly, const pending_blob *spared) {
    pending_blob *oldest = NULL;
    for (uint32_t i = 0; i < assembly->options.max_blobs; i++) {
        pending_blob *blob = &assembly->pending[i];
        if (blob->chunks && blob != spared && (!oldest || blob->last_time < oldest->last_time)) oldest = blob;
    }
    return oldest;
}

static void expire(acp_wire_assembly *assembly, double now) {
    for (uint32_t i = 0; i < assembly->options.max_blobs && assembly->pending_count; i++) {
        pending_blob *blob = &assembly->pending[i];
        if (blob->chunks && now - blob->last_time > assembly->options.max_age) drop(assembly, blob);
    }
}

static int is_recent(const acp_wire_assembly *assembly, uint64_t blob_id) {
    for (uint32_t i = 0; i < assembly->recent_count; i++)
        if (assembly->recent[i] == blob_id) return 1;
    return 0;
}

static void remember(acp_wire_assembly *assembly, uint64_t blob_id) {
    assembly->recent[assembly->recent_next] = blob_id;
    assembly->recent_next = (assembly->recent_next + 1) % RECENT_COUNT;
    if (assembly->recent_count < RECENT_COUNT) assembly->recent_count++;
}

/* Discards older messages until `size` more bytes fit; `spared` stays. False when they cannot fit even then: nothing is discarded. */
static int make_room(acp_wire_assembly *assembly, const pending_blob *spared, uint64_t size) {
    uint64_t kept = assembly->message_capacity;
    if (spared)
        for (const chunk *at = spared->chunks; at; at = at->next)
            kept += sizeof(chunk);
    if (kept + size > assembly->options.max_bytes) return 0;
    while (assembly->bytes + size > assembly->options.max_bytes)
        drop(assembly, oldest_but(assembly, spared));
    return 1;
}

static acp_result refuse(acp_error *error, acp_result result, const char *field, const char *message) {
    (void)acp_error_set(error, result, "wire assembly", "%s", message);
    acp_error_set_place(error, 0, UINT64_MAX, field);
    return result;
}

/* All fragments but `last` are there: puts the message together. */
static acp_result complete(acp_wire_assembly *assembly, pending_blob *blob, const acp_wire_fragment *last, acp_wire_blob *out_blob,
                           acp_error *error) {
    size_t tail = last->size; /* of the final fragment, which may have come earlier */
    for (const chunk *at = blob->chunks; at; at = at->next)
        if (at->index + 1u == blob->count) tail = at->size;
    size_t size = (size_t)(blob->count - 1u) * ACP_WIRE_MAX_FRAGMENT_DATA + tail;
    if (size > assembly->message_capacity) {
        free_message(assembly);
        if (!make_room(assembly, blob, size)) return refuse(error, ACP_ERROR_LIMIT, "fragment", "the message exceeds the memory cap");
        uint8_t *message = (uint8_t *)acp_memory_allocate(&assembly->allocator, size, 1);
        if (!message) return refuse(error, ACP_ERROR_OUT_OF_MEMORY, "fragment", "no memory for the message");
        assembly->message = message;
        assembly->message_capacity = size;
        assembly->bytes += size;
    }
    memcpy(assembly->message + (size_t)last->index * ACP_WIRE_MAX_FRAGMENT_DATA, last->data, last->size);
    for (const chunk *at = blob->chunks; at; at = at->next)
        memcpy(assembly->message + (size_t)at->index * ACP_WIRE_MAX_FRAGMENT_DATA, at->data, at->size);
    out_blob->blob_id = blob->blob_id;
    out_blob->bytes = assembly->message;
    out_blob->size = (uint32_t)size;
    out_blob->queue = blob->queue;
    remember(assembly, blob->blob_id);
    drop(assembly, blob);
    return ACP_OK;
}

static acp_result store(acp_wire_assembly *assembly, pending_blob *blob, const acp_wire_fragment *fragment, double now, acp_error *error) {
    if (!make_room(assembly, blob, sizeof(chunk))) return refuse(error, ACP_ERROR_LIMIT, "fragment", "the memory cap is reached");
    chunk *added = ACP_MEMORY_NEW(&assembly->allocator, chunk);
    if (!added) return refuse(error, ACP_ERROR_OUT_OF_MEMORY, "fragment", "no memory for the fragment");
    assembly->bytes += sizeof(chunk);
    if (!blob) {
        if (assembly->pending_count == assembly->options.max_blobs) drop(assembly, oldest_but(assembly, NULL));
        blob = assembly->pending;
        while (blob->chunks)
            blob++;
        blob->blob_id = fragment->blob_id;
        blob->count = fragment->count;
        blob->queue = fragment->queue;
        blob->received = 0;
        assembly->pending_count++;
    }
    added->next = blob->chunks;
    added->index = fragment->index;
    added->size = fragment->size;
    memcpy(added->data, fragment->data, fragment->size);
    blob->chunks = added;
    blob->received++;
    blob->last_time = now;
    return ACP_OK;
}

acp_result acp_wire_assembly_add(acp_wire_assembly *assembly, const acp_wire_fragment *fragment, double now, acp_wire_blob *out_blob,
                                 acp_error *error) {
    if (!assembly || !fragment || !out_blob || !fragment->data) return refuse(error, ACP_ERROR_INVALID_ARGUMENT, "", "null argument");
    memset(out_blob, 0, sizeof *out_blob);
    if (fragment->index >= fragment->count || fragment->size > ACP_WIRE_MAX_FRAGMENT_DATA ||
        (fragment->index + 1u < fragment->count && fragment->size != ACP_WIRE_MAX_FRAGMENT_DATA))
        return refuse(error, ACP_ERROR_BAD_DATA, "fragment.size", "a fragment contradicts itself");
    expire(assembly, now);
    if (is_recent(assembly, fragment->blob_id)) return refuse(error, ACP_ERROR_DUPLICATE, "fragment.blob_id", "a message is repeated");
    pending_blob *blob = find(assembly, fragment->blob_id);
    if (!blob && fragment->count == 1) {
        out_blob->blob_id = fragment->blob_id;
        out_blob->bytes = fragment->data;
        out_blob->size = fragment->size;
        out_blob->queue = fragment->queue;
        remember(assembly, fragment->blob_id);
        return ACP_OK;
    }
    if (blob) {
        if (blob->count != fragment->count || blob->queue != fragment->queue)
            return refuse(error, ACP_ERROR_BAD_DATA, "fragment.count", "a fragment disagrees with the others of its message");
        for (const chunk *at = blob->chunks; at; at = at->next)
            if (at->index == fragment->index) return refuse(error, ACP_ERROR_DUPLICATE, "fragment.index", "a fragment is repeated");
        if (blob->received + 1 == blob->count) return complete(assembly, blob, fragment, out_blob, error);
    }
    return store(assembly, blob, fragment, now, error);
}
