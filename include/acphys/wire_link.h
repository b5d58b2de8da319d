/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_WIRE_LINK_H
#define ACPHYS_WIRE_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/result.h"

/** @file wire_link.h
 * Datagrams of the game's protocol (spec 10 §1-7): header, checksum, key streams, fragments and their assembly, acknowledgement and resend,
 * as state machines without sockets: the host feeds received bytes in and takes bytes to send out. In the archive acphys_wire.
 *
 * A datagram that is malformed, has a wrong checksum or repeats an earlier one is refused and leaves every state as it was (NET-53).
 * Times are seconds of any steady clock of the host. One link or assembly belongs to one thread at a time; the codecs are pure and safe on
 * any thread. */

#ifdef __cplusplus
extern "C" {
#endif

#define ACP_WIRE_HEADER_SIZE          20u
#define ACP_WIRE_MAX_BODY             464u /**< what a sender keeps to */
#define ACP_WIRE_MAX_DATAGRAM         484u
#define ACP_WIRE_MAX_RECEIVED         65484u /**< what a client accepts */
#define ACP_WIRE_FRAGMENT_HEADER_SIZE 16u
#define ACP_WIRE_MAX_FRAGMENT_DATA    448u
#define ACP_WIRE_MAX_SEQUENCE_LIST    115u

/** Packet flags (NET-02). */
enum {
    ACP_WIRE_FLAG_RETRANSMISSION = 0x00000001,
    ACP_WIRE_FLAG_ENCRYPTED = 0x00000002,
    ACP_WIRE_FLAG_FRAGMENTS = 0x00000004,
    ACP_WIRE_FLAG_SERVER_SWITCH = 0x00000100,
    ACP_WIRE_FLAG_LOGON_SERVER = 0x00000200,
    ACP_WIRE_FLAG_EMPTY = 0x00000400,
    ACP_WIRE_FLAG_REFERRAL = 0x00000800,
    ACP_WIRE_FLAG_REQUEST_RETRANSMIT = 0x00001000,
    ACP_WIRE_FLAG_REJECT_RETRANSMIT = 0x00002000,
    ACP_WIRE_FLAG_ACKNOWLEDGE = 0x00004000,
    ACP_WIRE_FLAG_DISCONNECT = 0x00008000,
    ACP_WIRE_FLAG_LOGIN_REQUEST = 0x00010000,
    ACP_WIRE_FLAG_WORLD_LOGIN_REQUEST = 0x00020000,
    ACP_WIRE_FLAG_CONNECT_REQUEST = 0x00040000,
    ACP_WIRE_FLAG_CONNECT_RESPONSE = 0x00080000,
    ACP_WIRE_FLAG_NET_ERROR = 0x00100000,
    ACP_WIRE_FLAG_NET_ERROR_DISCONNECT = 0x00200000,
    ACP_WIRE_FLAG_ICMD = 0x00400000,
    ACP_WIRE_FLAG_TIME_SYNC = 0x01000000,
    ACP_WIRE_FLAG_ECHO_REQUEST = 0x02000000,
    ACP_WIRE_FLAG_ECHO_RESPONSE = 0x04000000,
    ACP_WIRE_FLAG_FLOW = 0x08000000
};

/** NET-04. [any thread] */
ACP_API uint32_t acp_wire_hash32(const void *bytes, size_t size);

/** A key stream (NET-08): about 2 KB, plain data, may be copied. */
typedef struct acp_wire_key_stream {
    uint32_t state[256];
    uint32_t output[256];
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t remaining; /**< words of `output` not yet drawn */
} acp_wire_key_stream;

/** Starts the stream of a seed. [any thread], each object by one thread at a time */
ACP_API void acp_wire_key_stream_init(acp_wire_key_stream *stream, uint32_t seed);
/** Draws the next word. [any thread], each object by one thread at a time */
ACP_API uint32_t acp_wire_key_stream_next(acp_wire_key_stream *stream);

/** Connect request (NET-16, step 2). */
typedef struct acp_wire_connect_request {
    double server_time; /**< seconds */
    uint64_t cookie;
    uint32_t net_id;
    uint32_t server_seed; /**< server to client */
    uint32_t client_seed; /**< client to server */
    uint32_t reserved;
} acp_wire_connect_request;

/** A list of sequences inside a datagram; read them with acp_wire_sequence_at. */
typedef struct acp_wire_sequence_list {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t reserved;
} acp_wire_sequence_list;

/** One datagram, decoded or to be encoded. Only the members whose flag is set count. Pointers reach into the caller's buffer. */
typedef struct acp_wire_packet {
    uint32_t sequence;
    uint32_t flags;
    uint32_t checksum; /**< as received; written by encode */
    uint16_t recipient;
    uint16_t interval;
    uint16_t size; /**< body bytes; written by encode */
    uint16_t iteration;
    uint32_t server_switch[2];      /**< sequence, type */
    const uint8_t *logon_server;    /**< 16 bytes */
    const uint8_t *referral;        /**< 32 bytes */
    acp_wire_sequence_list request; /**< to be sent again */
    acp_wire_sequence_list reject;  /**< cannot be sent again */
    uint32_t acknowledged;          /**< highest sequence the peer received */
    uint32_t login_size;
    const uint8_t *login;       /**< body of a login request */
    const uint8_t *world_login; /**< 8 bytes */
    acp_wire_connect_request connect;
    uint64_t cookie;       /**< connect response */
    uint32_t net_error[2]; /**< string id, table id */
    uint32_t net_error_disconnect[2];
    uint32_t icmd[2];       /**< command, parameter */
    double time;            /**< time sync, seconds */
    float echo_time;        /**< echo request */
    float echo_response[2]; /**< client time echoed, server's difference */
    uint32_t flow_bytes;
    uint16_t flow_interval;
    uint16_t fragment_count;
    const uint8_t *fragments; /**< the fragments as they stand in the body */
    uint32_t fragments_size;
    uint32_t header_hash; /**< NET-05 */
    uint32_t payload_hash;
    uint32_t reserved;
} acp_wire_packet;

/** One fragment (NET-11). */
typedef struct acp_wire_fragment {
    uint64_t blob_id;
    uint16_t count;
    uint16_t index;
    uint16_t queue;
    uint16_t size; /**< data bytes, 0..448 */
    const uint8_t *data;
} acp_wire_fragment;

/** Decodes a datagram and checks everything of NET-53 except the checksum, which needs the key: see acp_wire_packet_key.
 *  Errors: ACP_ERROR_TRUNCATED, ACP_ERROR_BAD_DATA, ACP_ERROR_NOT_FINITE, ACP_ERROR_LIMIT, with offset and field. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_packet_decode(const void *bytes, size_t size, acp_wire_packet *out_packet, acp_error *error);

/** Encodes a datagram with the given fragments; computes size, hashes and checksum (masked with `key` when the encrypted flag is set).
 *  Body above 464 bytes: ACP_ERROR_LIMIT. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_packet_encode(const acp_wire_packet *packet, const acp_wire_fragment *fragments,
                                                         uint32_t fragment_count, uint32_t key, void *bytes, size_t capacity,
                                                         size_t *out_size, acp_error *error);

/** The key word that would make the checksum right: 0 for a correct clear packet (NET-06). [any thread] */
ACP_API uint32_t acp_wire_packet_key(const acp_wire_packet *packet);
/** Sequence `index` of a list; 0 when out of range. [any thread] */
ACP_API uint32_t acp_wire_sequence_at(const acp_wire_sequence_list *list, uint32_t index);
/** Steps through the fragments of a decoded packet: start with *cursor = 0; returns 0 at the end. [any thread] */
ACP_API int acp_wire_packet_next_fragment(const acp_wire_packet *packet, uint32_t *cursor, acp_wire_fragment *out_fragment);

/** Builds a login request (NET-16, step 1) with account and password (each below 128 characters). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_login_request_encode(const char *account, const char *password, void *bytes, size_t capacity,
                                                                size_t *out_size, acp_error *error);
/** Builds the connect response (step 3): to be sent to the second port. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_wire_connect_response_encode(const acp_wire_connect_request *request, void *bytes, size_t capacity,
                                                                   size_t *out_size, acp_error *error);

/* ---- assembly of messages ---- */

/** Caps of an assembly (NET-53). Use acp_wire_assembly_options_default. */
typedef struct acp_wire_assembly_options {
    uint32_t struct_size;
    uint32_t max_blobs; /**< messages under way; at most 4,096 */
    uint64_t max_bytes; /**< all memory of the assembly */
    double max_age;     /**< seconds since the last fragment of a message */
} acp_wire_assembly_options;

/** 64 messages, 4 MiB, 60 s. [any thread] */
ACP_API acp_wire_assembly_options acp_wire_assembly_options_default(void);

typedef struct acp_wire_assembly acp_wire_assembly;

/** A whole message. `bytes` is valid until the next call with the assembly. */
typedef struct acp_wire_blob {
    uint64_t blob_id;
    const uint8_t *bytes;
    uint32_t size;
    uint16_t queue;
    uint16_t reserved;
} acp_wire_blob;

/** Makes an assembly. Null allocator = the C library's. [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_assembly_create(const acp_wire_assembly_options *options, const acp_allocator *allocator,
                                                           acp_wire_assembly **out_assembly, acp_error *error);
/** Frees it; null is allowed. [any thread], each object by one thread at a time */
ACP_API void acp_wire_assembly_destroy(acp_wire_assembly *assembly);
/** Takes one fragment at time `now`. When it completes a message, `out_blob` holds it; else out_blob->bytes is null. Refused, with the
 *  state as before: a fragment that disagrees with its blob about the count (ACP_ERROR_BAD_DATA), a repeated fragment or message
 *  (ACP_ERROR_DUPLICATE), one that no amount of discarding of older messages makes room for (ACP_ERROR_LIMIT), memory
 *  (ACP_ERROR_OUT_OF_MEMORY). [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_assembly_add(acp_wire_assembly *assembly, const acp_wire_fragment *fragment, double now,
                                                        acp_wire_blob *out_blob, acp_error *error);
/** Messages under way. [any thread], each object by one thread at a time */
ACP_API uint32_t acp_wire_assembly_pending(const acp_wire_assembly *assembly);
/** Bytes of memory held. [any thread], each object by one thread at a time */
ACP_API uint64_t acp_wire_assembly_bytes(const acp_wire_assembly *assembly);

/* ---- a link: one connection after its handshake ---- */

/** How a link is set up. Use acp_wire_link_options_default. */
typedef struct acp_wire_link_options {
    uint32_t struct_size;
    uint32_t is_server;   /**< which end this is: keys and blob ids follow */
    uint32_t server_seed; /**< from the connect request */
    uint32_t client_seed;
    uint16_t recipient; /**< net id when client, server id when server */
    uint16_t iteration;
    uint32_t first_sequence;     /**< first of both directions after the handshake: 2 */
    uint32_t resend_capacity;    /**< datagrams kept for resending, power of two, at most 4,096 */
    uint32_t max_queued_bytes;   /**< fragments waiting to be sent */
    double acknowledge_interval; /**< 2.0 s (NET-21) */
    double request_interval;     /**< 0.6 s (NET-22) */
    double time_interval;        /**< 3.0 s time sync and echo from a client, 20.0 s time sync from a server; 0 = never (NET-23) */
    double server_time;          /**< from the connect request */
    double start_time;           /**< the host's clock at that moment */
    acp_wire_assembly_options assembly;
} acp_wire_link_options;

/** The client's end with the protocol's intervals. [any thread] */
ACP_API acp_wire_link_options acp_wire_link_options_default(void);

/** What a link reports while it takes a datagram. Called inside acp_wire_link_receive; must not call the link. */
typedef struct acp_wire_link_events {
    void *user;
    void (*on_message)(void *user, const acp_wire_blob *blob);    /**< a whole message */
    void (*on_packet)(void *user, const acp_wire_packet *packet); /**< every accepted datagram; may be null */
} acp_wire_link_events;

/** Counters of a link. */
typedef struct acp_wire_link_counters {
    uint64_t received;
    uint64_t refused; /**< malformed or wrong checksum */
    uint64_t duplicates;
    uint64_t sent;
    uint64_t resent;
    uint64_t rejected; /**< sequences the peer wanted and we no longer had */
    uint64_t fragments_refused;
} acp_wire_link_counters;

typedef struct acp_wire_link acp_wire_link;

/** Makes a link. Null allocator = the C library's. [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_link_create(const acp_wire_link_options *options, const acp_wire_link_events *events,
                                                       const acp_allocator *allocator, acp_wire_link **out_link, acp_error *error);
/** Frees it; null is allowed. [any thread], each object by one thread at a time */
ACP_API void acp_wire_link_destroy(acp_wire_link *link);

/** Takes a received datagram. ACP_ERROR_DUPLICATE for a repeated one, ACP_ERROR_BAD_DATA for a wrong checksum or a sequence out of reach
 *  (NET-20), and the errors of acp_wire_packet_decode: all leave the link as it was. [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_link_receive(acp_wire_link *link, const void *bytes, size_t size, double now, acp_error *error);

/** Queues a message to be sent on a queue (NET-14). ACP_ERROR_LIMIT when max_queued_bytes would be exceeded or the message needs more than
 *  65,535 fragments; nothing is queued then. [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_link_send(acp_wire_link *link, uint16_t queue, const void *bytes, size_t size, acp_error *error);

/** The next datagram to put on the wire at time `now`; *out_size 0 = nothing to send now. Call until it is 0; capacity at least 484.
 *  [any thread], each object by one thread at a time */
ACP_API ACP_MUST_CHECK acp_result acp_wire_link_poll(acp_wire_link *link, double now, void *bytes, size_t capacity, size_t *out_size,
                                                     acp_error *error);

/** Seconds of the clock at which poll will have something to do if nothing else happens; the host may sleep until then. [any thread], each
 * object by one thread at a time */
ACP_API double acp_wire_link_next_time(const acp_wire_link *link);
/** The highest sequence received. [any thread], each object by one thread at a time */
ACP_API uint32_t acp_wire_link_highest_received(const acp_wire_link *link);
/** Sequences missing below it. [any thread], each object by one thread at a time */
ACP_API uint32_t acp_wire_link_missing(const acp_wire_link *link);
/** Counters so far. [any thread], each object by one thread at a time */
ACP_API acp_wire_link_counters acp_wire_link_get_counters(const acp_wire_link *link);

#ifdef __cplusplus
}
#endif

#endif
