/* SPDX-License-Identifier: MIT */
/* One connection after its handshake (spec 10 NET-07 to NET-10, NET-19 to NET-23): key words per sequence, missing sequences, requests for
 * them, resending, acknowledgements, time. Bytes go in through receive and come out of poll; the host owns sockets and clock.
 *
 * Keys: words are drawn ahead into a ring and consumed only when a checksum has proved the packet, so a forged datagram changes nothing.
 * A word of a missing sequence waits in a second ring of 32,768, which is also the reach of NET-20. Clear packets carry no fragments and
 * never advance the sequence (DIV-70). Sent datagrams are kept in a ring; what fell out of it is answered by a rejection.
 * Memory: about 390 KB, allocated at creation, plus what waits to be sent (capped) and the assembly (capped). Single-threaded. */
#include <math.h>
#include <string.h>

#include "acphys/wire.h"
#include "acphys/wire_link.h"
#include "base/error.h"
#include "base/memory.h"

#define REACH                0x8000u /* sequences, power of two */
#define MAX_REACH            0x7FFFu /* NET-20 */
#define MAX_RESEND           4096u
#define MAX_REJECTED_AT_ONCE 64u
#define BLOB_SERVER          0x80000000u
#define BLOB_CLIENT          0x03000000u
#define BLOB_CLIENT_ALT      0x23000000u /* queues 4, 5, 8 (NET-13) */

typedef struct sent_packet {
    uint32_t sequence;
    uint32_t key;
    uint16_t size; /* 0 = nothing kept */
    uint16_t is_wanted;
    uint8_t bytes[ACP_WIRE_MAX_DATAGRAM];
} sent_packet;

struct acp_wire_link {
    acp_allocator allocator;
    acp_wire_link_options options;
    acp_wire_link_events events;
    acp_wire_assembly *assembly;
    acp_wire_link_counters counters;
    /* incoming */
    acp_wire_key_stream in_keys;
    uint32_t *ahead; /* ring of words drawn but not consumed */
    uint32_t ahead_head;
    uint32_t ahead_count;
    uint32_t *waiting;   /* word of missing sequence s at s % REACH … */
    uint8_t *is_missing; /* … where this is 1 */
    uint32_t missing_count;
    uint32_t oldest_missing; /* no sequence before it is missing; moved up by find_missing */
    uint32_t highest;
    uint32_t is_ack_due;
    /* outgoing */
    acp_wire_key_stream out_keys;
    uint32_t next_sequence;
    uint32_t acknowledged;
    sent_packet *sent;
    uint32_t wanted_count;
    uint32_t rejected[ACP_WIRE_MAX_SEQUENCE_LIST];
    uint32_t rejected_count;
    uint8_t *queued; /* fragments as they will stand in packets */
    size_t queued_capacity;
    size_t queued_begin;
    size_t queued_end;
    uint32_t blob_count;
    uint16_t blob_order;
    uint16_t has_echo;
    float echo_time;
    /* times */
    double last_ack;
    double last_request;
    double last_time;
    double server_offset; /* server time minus the host's clock */
};

acp_wire_link_options acp_wire_link_options_default(void) {
    acp_wire_link_options options = {.struct_size = sizeof options,
                                     .iteration = 1,
                                     .first_sequence = 2,
                                     .resend_capacity = 256,
                                     .max_queued_bytes = 1u << 20,
                                     .acknowledge_interval = 2.0,
                                     .request_interval = 0.6,
                                     .time_interval = 3.0,
                                     .assembly = acp_wire_assembly_options_default()};
    return options;
}

static int is_option_set_valid(const acp_wire_link_options *o) {
    return o->struct_size >= sizeof *o && o->resend_capacity != 0 && o->resend_capacity <= MAX_RESEND &&
           (o->resend_capacity & (o->resend_capacity - 1)) == 0 && o->acknowledge_interval >= 0.0 && o->request_interval >= 0.0 &&
           o->time_interval >= 0.0 && isfinite(o->server_time) && isfinite(o->start_time);
}

void acp_wire_link_destroy(acp_wire_link *link) {
    if (!link) return;
    acp_allocator allocator = link->allocator;
    acp_wire_assembly_destroy(link->assembly);
    ACP_MEMORY_DELETE_ARRAY(&allocator, uint32_t, link->ahead, REACH);
    ACP_MEMORY_DELETE_ARRAY(&allocator, uint32_t, link->waiting, REACH);
    ACP_MEMORY_DELETE_ARRAY(&allocator, uint8_t, link->is_missing, REACH);
    ACP_MEMORY_DELETE_ARRAY(&allocator, sent_packet, link->sent, link->options.resend_capacity);
    acp_memory_free(&allocator, link->queued, link->queued_capacity, 1);
    ACP_MEMORY_DELETE(&allocator, acp_wire_link, link);
}

acp_result acp_wire_link_create(const acp_wire_link_options *options, const acp_wire_link_events *events, const acp_allocator *allocator,
                                acp_wire_link **out_link, acp_error *error) {
    static const char operation[] = "wire link create";
    if (!options || !events || !events->on_message || !out_link)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    if (!is_option_set_valid(options)) return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the options are out of range");
    acp_allocator kept = acp_memory_allocator(allocator);
    acp_wire_link *link = ACP_MEMORY_NEW(&kept, acp_wire_link);
    if (!link) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for the link");
    link->allocator = kept;
    link->options = *options;
    link->events = *events;
    link->ahead = ACP_MEMORY_NEW_ARRAY(&kept, uint32_t, REACH);
    link->waiting = ACP_MEMORY_NEW_ARRAY(&kept, uint32_t, REACH);
    link->is_missing = ACP_MEMORY_NEW_ARRAY(&kept, uint8_t, REACH);
    link->sent = ACP_MEMORY_NEW_ARRAY(&kept, sent_packet, options->resend_capacity);
    acp_result result = ACP_ERROR_OUT_OF_MEMORY;
    if (link->ahead && link->waiting && link->is_missing && link->sent)
        result = acp_wire_assembly_create(&options->assembly, allocator, &link->assembly, error);
    else
        (void)acp_error_set(error, result, operation, "no memory for the link");
    if (result != ACP_OK) {
        acp_wire_link_destroy(link);
        return result;
    }
    acp_wire_key_stream_init(&link->in_keys, options->is_server ? options->client_seed : options->server_seed);
    acp_wire_key_stream_init(&link->out_keys, options->is_server ? options->server_seed : options->client_seed);
    link->highest = options->first_sequence - 1;
    link->next_sequence = options->first_sequence;
    link->acknowledged = options->first_sequence - 1;
    link->last_ack = link->last_request = link->last_time = options->start_time;
    link->server_offset = options->server_time - options->start_time;
    *out_link = link;
    return ACP_OK;
}

/* ---- incoming ---- */

static uint32_t word_ahead(acp_wire_link *link, uint32_t index) {
    while (link->ahead_count <= index)
        link->ahead[(link->ahead_head + link->ahead_count++) % REACH] = acp_wire_key_stream_next(&link->in_keys);
    return link->ahead[(link->ahead_head + index) % REACH];
}

static void set_missing(acp_wire_link *link, uint32_t sequence, uint8_t is_missing) {
    uint8_t *at = &link->is_missing[sequence % REACH];
    if (is_missing && link->missing_count == 0) link->oldest_missing = sequence;
    link->missing_count += (uint32_t)is_missing - (uint32_t)*at;
    *at = is_missing;
}

/* The first missing sequence from `from` on, or highest + 1: every sequence is passed over once. */
static uint32_t find_missing(const acp_wire_link *link, uint32_t from) {
    while (from != link->highest + 1 && !link->is_missing[from % REACH])
        from++;
    return from;
}

/* Moves the start of the search up to the oldest one that is still missing and within reach. */
static void settle_oldest_missing(acp_wire_link *link) {
    if (link->missing_count == 0) return;
    if (link->highest - link->oldest_missing > MAX_REACH) link->oldest_missing = link->highest - MAX_REACH;
    link->oldest_missing = find_missing(link, link->oldest_missing);
}

static acp_result refuse(acp_wire_link *link, acp_error *error, acp_result result, uint32_t sequence, const char *message) {
    if (result == ACP_ERROR_DUPLICATE)
        link->counters.duplicates++;
    else
        link->counters.refused++;
    (void)acp_error_set(error, result, "wire link receive", "sequence %u: %s", (unsigned)sequence, message);
    acp_error_set_place(error, 0, 8, "header.checksum");
    return result;
}

/* Proves the checksum with the word of its sequence; only then are words consumed and the sequence recorded (NET-09). */
static acp_result accept_encrypted(acp_wire_link *link, const acp_wire_packet *packet, acp_error *error) {
    uint32_t sequence = packet->sequence, key = acp_wire_packet_key(packet);
    if (!acp_wire_sequence_is_newer(sequence, link->highest)) {
        uint32_t behind = link->highest - sequence;
        if (behind > MAX_REACH || !link->is_missing[sequence % REACH])
            return refuse(link, error, ACP_ERROR_DUPLICATE, sequence, "it was received before");
        if (link->waiting[sequence % REACH] != key) return refuse(link, error, ACP_ERROR_BAD_DATA, sequence, "the checksum is wrong");
        set_missing(link, sequence, 0);
        return ACP_OK;
    }
    uint32_t step = sequence - link->highest;
    if (step > MAX_REACH) return refuse(link, error, ACP_ERROR_BAD_DATA, sequence, "it is out of reach");
    if (word_ahead(link, step - 1) != key) return refuse(link, error, ACP_ERROR_BAD_DATA, sequence, "the checksum is wrong");
    for (uint32_t i = 0; i + 1 < step; i++) {
        uint32_t missing = link->highest + 1 + i;
        link->waiting[missing % REACH] = link->ahead[(link->ahead_head + i) % REACH];
        set_missing(link, missing, 1);
    }
    set_missing(link, sequence, 0);
    link->ahead_head = (link->ahead_head + step) % REACH;
    link->ahead_count -= step;
    link->highest = sequence;
    return ACP_OK;
}

static sent_packet *find_sent(acp_wire_link *link, uint32_t sequence) {
    sent_packet *sent = &link->sent[sequence & (link->options.resend_capacity - 1)];
    return sent->size && sent->sequence == sequence ? sent : NULL;
}

static void take_requests(acp_wire_link *link, const acp_wire_sequence_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t sequence = acp_wire_sequence_at(list, i);
        sent_packet *sent = find_sent(link, sequence);
        if (sent) {
            if (!sent->is_wanted) link->wanted_count++;
            sent->is_wanted = 1;
            continue;
        }
        uint32_t k = 0;
        while (k < link->rejected_count && link->rejected[k] != sequence)
            k++;
        if (k == link->rejected_count && k < ACP_WIRE_MAX_SEQUENCE_LIST) link->rejected[link->rejected_count++] = sequence;
    }
}

/* What the peer has received is forgotten: strictly below the acknowledged sequence. */
static void take_acknowledgement(acp_wire_link *link, uint32_t sequence) {
    if (acp_wire_sequence_is_newer(sequence, link->next_sequence - 1) || !acp_wire_sequence_is_newer(sequence, link->acknowledged)) return;
    link->acknowledged = sequence;
    for (uint32_t i = 0; i < link->options.resend_capacity; i++) {
        sent_packet *sent = &link->sent[i];
        if (!sent->size || !acp_wire_sequence_is_newer(sequence, sent->sequence)) continue;
        if (sent->is_wanted) link->wanted_count--;
        sent->is_wanted = 0;
        sent->size = 0;
    }
}

static void take_optional_headers(acp_wire_link *link, const acp_wire_packet *packet, double now) {
    if (packet->flags & ACP_WIRE_FLAG_ACKNOWLEDGE) take_acknowledgement(link, packet->acknowledged);
    if (packet->flags & ACP_WIRE_FLAG_REQUEST_RETRANSMIT) take_requests(link, &packet->request);
    if (packet->flags & ACP_WIRE_FLAG_REJECT_RETRANSMIT) {
        for (uint32_t i = 0; i < packet->reject.count; i++) {
            uint32_t sequence = acp_wire_sequence_at(&packet->reject, i);
            if (link->highest - sequence <= MAX_REACH) set_missing(link, sequence, 0);
        }
    }
    if (packet->flags & ACP_WIRE_FLAG_TIME_SYNC && !link->options.is_server) link->server_offset = packet->time - now;
    if (packet->flags & ACP_WIRE_FLAG_ECHO_REQUEST) {
        link->has_echo = 1;
        link->echo_time = packet->echo_time;
    }
}

static void take_fragments(acp_wire_link *link, const acp_wire_packet *packet, double now) {
    uint32_t cursor = 0;
    acp_wire_fragment fragment;
    while (acp_wire_packet_next_fragment(packet, &cursor, &fragment)) {
        acp_wire_blob blob;
        if (acp_wire_assembly_add(link->assembly, &fragment, now, &blob, NULL) != ACP_OK)
            link->counters.fragments_refused++;
        else if (blob.bytes)
            link->events.on_message(link->events.user, &blob);
    }
}

acp_result acp_wire_link_receive(acp_wire_link *link, const void *bytes, size_t size, double now, acp_error *error) {
    if (!link || !bytes || !isfinite(now)) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire link receive", "null argument");
    acp_wire_packet packet;
    acp_result result = acp_wire_packet_decode(bytes, size, &packet, error);
    if (result != ACP_OK) {
        link->counters.refused++;
        return result;
    }
    int is_encrypted = (packet.flags & ACP_WIRE_FLAG_ENCRYPTED) != 0;
    if (!is_encrypted) {
        if (packet.checksum != packet.header_hash + packet.payload_hash)
            return refuse(link, error, ACP_ERROR_BAD_DATA, packet.sequence, "the checksum is wrong");
        if (packet.flags & ACP_WIRE_FLAG_FRAGMENTS)
            return refuse(link, error, ACP_ERROR_BAD_DATA, packet.sequence, "fragments in a clear packet");
    } else {
        result = accept_encrypted(link, &packet, error);
        if (result != ACP_OK) return result;
        link->is_ack_due = 1;
    }
    link->counters.received++;
    take_optional_headers(link, &packet, now);
    take_fragments(link, &packet, now);
    if (link->events.on_packet) link->events.on_packet(link->events.user, &packet);
    return ACP_OK;
}

/* ---- outgoing ---- */

static acp_result reserve_queue(acp_wire_link *link, size_t size) {
    if (link->queued_end + size <= link->queued_capacity) return ACP_OK;
    size_t used = link->queued_end - link->queued_begin;
    size_t capacity = used + size < 8192 ? 8192 : 2 * (used + size);
    if (used + size > link->queued_capacity) {
        uint8_t *grown = (uint8_t *)acp_memory_allocate(&link->allocator, capacity, 1);
        if (!grown) return ACP_ERROR_OUT_OF_MEMORY;
        if (used) memcpy(grown, link->queued + link->queued_begin, used);
        acp_memory_free(&link->allocator, link->queued, link->queued_capacity, 1);
        link->queued = grown;
        link->queued_capacity = capacity;
    } else if (used) {
        memmove(link->queued, link->queued + link->queued_begin, used);
    }
    link->queued_begin = 0;
    link->queued_end = used;
    return ACP_OK;
}

static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static uint64_t next_blob_id(acp_wire_link *link, uint16_t queue) {
    uint32_t low = ++link->blob_count;
    if (link->options.is_server) return (uint64_t)BLOB_SERVER << 32 | low;
    uint32_t high = queue == 4 || queue == 5 || queue == 8 ? BLOB_CLIENT_ALT : BLOB_CLIENT;
    return (uint64_t)(high | link->blob_order++) << 32 | low;
}

acp_result acp_wire_link_send(acp_wire_link *link, uint16_t queue, const void *bytes, size_t size, acp_error *error) {
    static const char operation[] = "wire link send";
    if (!link || (!bytes && size)) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    size_t count = size ? (size + ACP_WIRE_MAX_FRAGMENT_DATA - 1) / ACP_WIRE_MAX_FRAGMENT_DATA : 1;
    size_t need = size + count * ACP_WIRE_FRAGMENT_HEADER_SIZE;
    if (count > 0xFFFFu || link->queued_end - link->queued_begin + need > link->options.max_queued_bytes)
        return acp_error_set(error, ACP_ERROR_LIMIT, operation, "%zu bytes do not fit the queue", size);
    if (reserve_queue(link, need) != ACP_OK) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for the queue");
    uint64_t blob_id = next_blob_id(link, queue);
    for (size_t i = 0; i < count; i++) {
        size_t from = i * ACP_WIRE_MAX_FRAGMENT_DATA;
        size_t part = size - from < ACP_WIRE_MAX_FRAGMENT_DATA ? size - from : ACP_WIRE_MAX_FRAGMENT_DATA;
        uint8_t *at = link->queued + link->queued_end;
        for (uint32_t k = 0; k < 8; k++)
            at[k] = (uint8_t)(blob_id >> (8 * k));
        put_u16(at + 8, (uint32_t)count);
        put_u16(at + 10, (uint32_t)(part + ACP_WIRE_FRAGMENT_HEADER_SIZE));
        put_u16(at + 12, (uint32_t)i);
        put_u16(at + 14, queue);
        if (part) memcpy(at + ACP_WIRE_FRAGMENT_HEADER_SIZE, (const uint8_t *)bytes + from, part);
        link->queued_end += part + ACP_WIRE_FRAGMENT_HEADER_SIZE;
    }
    return ACP_OK;
}

static int is_due(double now, double last, double interval) { return now >= last + interval; }

static acp_wire_packet start_packet(const acp_wire_link *link, uint32_t sequence, double now) {
    acp_wire_packet packet = {.sequence = sequence, .recipient = link->options.recipient, .iteration = link->options.iteration};
    double halves = (now - link->options.start_time) * 2.0;
    packet.interval = halves > 0.0 && halves < 0x1p63 ? (uint16_t)((uint64_t)halves & 0xFFFFu) : (uint16_t)0;
    return packet;
}

/* NET-10: the same sequence and key word, the header hashed anew because the retransmission flag is set. */
static acp_result poll_resend(acp_wire_link *link, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    for (uint32_t i = 0; i < link->options.resend_capacity; i++) {
        sent_packet *sent = &link->sent[i];
        if (!sent->is_wanted) continue;
        acp_wire_packet packet;
        acp_wire_fragment fragments[ACP_WIRE_MAX_BODY / ACP_WIRE_FRAGMENT_HEADER_SIZE];
        uint32_t cursor = 0, count = 0;
        acp_result result = acp_wire_packet_decode(sent->bytes, sent->size, &packet, error);
        if (result != ACP_OK) return result;
        while (acp_wire_packet_next_fragment(&packet, &cursor, &fragments[count]))
            count++;
        packet.flags |= ACP_WIRE_FLAG_RETRANSMISSION;
        result = acp_wire_packet_encode(&packet, fragments, count, sent->key, bytes, capacity, out_size, error);
        if (result != ACP_OK) return result;
        sent->is_wanted = 0;
        link->wanted_count--;
        link->counters.resent++;
        return ACP_OK;
    }
    return ACP_OK;
}

/* NET-21: the highest sequence received, but not past a hole that may still be filled: the peer forgets what lies below. */
static uint32_t sequence_to_acknowledge(const acp_wire_link *link) {
    return link->missing_count ? link->oldest_missing - 1 : link->highest;
}

/* NET-22: a clear packet with the missing sequences and nothing else. */
static acp_result poll_request(acp_wire_link *link, double now, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    uint8_t list[4 * ACP_WIRE_MAX_SEQUENCE_LIST];
    uint32_t count = 0;
    for (uint32_t at = link->oldest_missing; count < link->missing_count && count < ACP_WIRE_MAX_SEQUENCE_LIST; count++, at++) {
        at = find_missing(link, at);
        put_u16(list + 4 * (size_t)count, at);
        put_u16(list + 4 * (size_t)count + 2, at >> 16);
    }
    acp_wire_packet packet = start_packet(link, link->next_sequence - 1, now);
    packet.flags = ACP_WIRE_FLAG_REQUEST_RETRANSMIT;
    packet.request.bytes = list;
    packet.request.count = count;
    acp_result result = acp_wire_packet_encode(&packet, NULL, 0, 0, bytes, capacity, out_size, error);
    if (result == ACP_OK) link->last_request = now;
    return result;
}

static void keep_sent(acp_wire_link *link, uint32_t key, const void *bytes, size_t size) {
    sent_packet *sent = &link->sent[link->next_sequence & (link->options.resend_capacity - 1)];
    if (sent->is_wanted) link->wanted_count--;
    sent->sequence = link->next_sequence;
    sent->key = key;
    sent->size = (uint16_t)size;
    sent->is_wanted = 0;
    memcpy(sent->bytes, bytes, size);
}

/* As many waiting fragments as fit beside `used` bytes of optional headers. Returns their number and, in *out_bytes, their length. */
static uint32_t gather(acp_wire_link *link, size_t used, acp_wire_fragment *fragments, uint32_t capacity, size_t *out_bytes) {
    uint32_t count = 0;
    size_t at = link->queued_begin;
    while (at < link->queued_end && count < capacity) {
        const uint8_t *f = link->queued + at;
        size_t size = (size_t)f[10] | (size_t)f[11] << 8;
        if (used + (at - link->queued_begin) + size > ACP_WIRE_MAX_BODY) break;
        acp_wire_fragment *fragment = &fragments[count++];
        fragment->blob_id = 0;
        for (uint32_t k = 0; k < 8; k++)
            fragment->blob_id |= (uint64_t)f[k] << (8 * k);
        fragment->count = (uint16_t)(f[8] | f[9] << 8);
        fragment->index = (uint16_t)(f[12] | f[13] << 8);
        fragment->queue = (uint16_t)(f[14] | f[15] << 8);
        fragment->size = (uint16_t)(size - ACP_WIRE_FRAGMENT_HEADER_SIZE);
        fragment->data = f + ACP_WIRE_FRAGMENT_HEADER_SIZE;
        at += size;
    }
    *out_bytes = at - link->queued_begin;
    return count;
}

/* A numbered packet under way: its headers, and the bytes they take. */
typedef struct draft {
    acp_wire_packet packet;
    uint8_t list[4 * MAX_REJECTED_AT_ONCE];
    size_t used;
} draft;

static void draft_headers(const acp_wire_link *link, double now, draft *out) {
    out->packet = start_packet(link, link->next_sequence, now);
    out->used = 0;
    if (link->rejected_count) {
        uint32_t count = link->rejected_count < MAX_REJECTED_AT_ONCE ? link->rejected_count : MAX_REJECTED_AT_ONCE;
        for (uint32_t i = 0; i < count; i++) {
            put_u16(out->list + 4 * (size_t)i, link->rejected[i]);
            put_u16(out->list + 4 * (size_t)i + 2, link->rejected[i] >> 16);
        }
        out->packet.flags |= ACP_WIRE_FLAG_REJECT_RETRANSMIT;
        out->packet.reject.bytes = out->list;
        out->packet.reject.count = count;
        out->used += 4 + 4 * (size_t)count;
    }
    if (link->options.time_interval > 0.0 && is_due(now, link->last_time, link->options.time_interval)) {
        out->packet.flags |= ACP_WIRE_FLAG_TIME_SYNC;
        out->packet.time = now + link->server_offset;
        out->used += 8;
        if (!link->options.is_server) {
            out->packet.flags |= ACP_WIRE_FLAG_ECHO_REQUEST;
            out->packet.echo_time = (float)(now - link->options.start_time);
            out->used += 4;
        }
    }
    if (link->has_echo) {
        out->packet.flags |= ACP_WIRE_FLAG_ECHO_RESPONSE;
        out->packet.echo_response[0] = link->echo_time;
        out->packet.echo_response[1] = (float)(now - link->options.start_time - (double)link->echo_time);
        out->used += 8;
    }
}

/* The packet is on its way: what it carried is no longer due. */
static void note_sent(acp_wire_link *link, const acp_wire_packet *packet, double now) {
    link->next_sequence++;
    link->has_echo = 0;
    if (packet->flags & ACP_WIRE_FLAG_TIME_SYNC) link->last_time = now;
    if (packet->flags & ACP_WIRE_FLAG_REJECT_RETRANSMIT) {
        link->rejected_count -= packet->reject.count;
        memmove(link->rejected, link->rejected + packet->reject.count, link->rejected_count * sizeof link->rejected[0]);
        link->counters.rejected += packet->reject.count;
    }
    if (packet->flags & ACP_WIRE_FLAG_ACKNOWLEDGE) {
        link->is_ack_due = 0;
        link->last_ack = now;
    }
}

/* A numbered, encrypted packet: rejections, time, echo and fragments, with the acknowledgement riding along. */
static acp_result poll_data(acp_wire_link *link, double now, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    draft made;
    acp_wire_fragment fragments[ACP_WIRE_MAX_BODY / ACP_WIRE_FRAGMENT_HEADER_SIZE];
    size_t taken = 0;
    draft_headers(link, now, &made);
    uint32_t count = gather(link, made.used, fragments, sizeof fragments / sizeof fragments[0], &taken);
    if (count) made.packet.flags |= ACP_WIRE_FLAG_FRAGMENTS;
    if (made.packet.flags == 0) return ACP_OK; /* nothing that needs a number */
    if (link->is_ack_due && made.used + 4 + taken <= ACP_WIRE_MAX_BODY) {
        made.packet.flags |= ACP_WIRE_FLAG_ACKNOWLEDGE;
        made.packet.acknowledged = sequence_to_acknowledge(link);
    }
    made.packet.flags |= ACP_WIRE_FLAG_ENCRYPTED;
    if (capacity < ACP_WIRE_MAX_DATAGRAM)
        return acp_error_set(error, ACP_ERROR_LIMIT, "wire link poll", "the buffer must hold %u bytes", ACP_WIRE_MAX_DATAGRAM);
    acp_wire_key_stream keys = link->out_keys;
    uint32_t key = acp_wire_key_stream_next(&keys);
    acp_result result = acp_wire_packet_encode(&made.packet, fragments, count, key, bytes, capacity, out_size, error);
    if (result != ACP_OK) return result;
    link->out_keys = keys;
    link->queued_begin += taken;
    keep_sent(link, key, bytes, *out_size);
    note_sent(link, &made.packet, now);
    return ACP_OK;
}

/* NET-19: exactly 0x4000, clear, with the last sent sequence. */
static acp_result poll_acknowledgement(acp_wire_link *link, double now, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    acp_wire_packet packet = start_packet(link, link->next_sequence - 1, now);
    packet.flags = ACP_WIRE_FLAG_ACKNOWLEDGE;
    packet.acknowledged = sequence_to_acknowledge(link);
    acp_result result = acp_wire_packet_encode(&packet, NULL, 0, 0, bytes, capacity, out_size, error);
    if (result != ACP_OK) return result;
    link->is_ack_due = 0;
    link->last_ack = now;
    return ACP_OK;
}

acp_result acp_wire_link_poll(acp_wire_link *link, double now, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    if (!link || !bytes || !out_size || !isfinite(now))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire link poll", "null argument");
    *out_size = 0;
    acp_result result = ACP_OK;
    settle_oldest_missing(link);
    if (link->wanted_count) result = poll_resend(link, bytes, capacity, out_size, error);
    if (result == ACP_OK && *out_size == 0 && link->missing_count && is_due(now, link->last_request, link->options.request_interval))
        result = poll_request(link, now, bytes, capacity, out_size, error);
    if (result == ACP_OK && *out_size == 0) result = poll_data(link, now, bytes, capacity, out_size, error);
    if (result == ACP_OK && *out_size == 0 && link->is_ack_due && is_due(now, link->last_ack, link->options.acknowledge_interval))
        result = poll_acknowledgement(link, now, bytes, capacity, out_size, error);
    if (result == ACP_OK && *out_size) link->counters.sent++;
    return result;
}

double acp_wire_link_next_time(const acp_wire_link *link) {
    double next = INFINITY;
    if (link->wanted_count || link->rejected_count || link->has_echo || link->queued_begin < link->queued_end) return -INFINITY;
    if (link->missing_count) next = fmin(next, link->last_request + link->options.request_interval);
    if (link->options.time_interval > 0.0) next = fmin(next, link->last_time + link->options.time_interval);
    if (link->is_ack_due) next = fmin(next, link->last_ack + link->options.acknowledge_interval);
    return next;
}

uint32_t acp_wire_link_highest_received(const acp_wire_link *link) { return link->highest; }
uint32_t acp_wire_link_missing(const acp_wire_link *link) { return link->missing_count; }
acp_wire_link_counters acp_wire_link_get_counters(const acp_wire_link *link) { return link->counters; }
