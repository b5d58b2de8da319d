/* SPDX-License-Identifier: MIT */
/* `acphys wire decode|encode`: messages and datagrams to JSON Lines and back (docs/format-wire.md).
 *
 * decode reads a capture (pcap, pcapng) or text with hex digits, one message or datagram a line. Of a capture, every UDP datagram that has
 * the protocol's form is taken; messages are put together per direction (at most 64 of them); clear checksums are checked, and masked ones
 * too once the connect request with its seeds has been seen. encode reads JSON Lines of messages and writes hex. A line that cannot be
 * read is reported with its number and counted; the rest goes on; the exit code is 3 then. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/hex_digit.h"
#include "support/json_lines.h"
#include "support/load_file.h"
#include "support/packet_capture.h"
#include "support/wire_json.h"
#include "tools/acphys/commands.h"

#define MAX_FLOWS   64u
#define MAX_OPCODES 64u
#define KEY_SEARCH  256u
#define MAX_FILE    ((size_t)2 << 30)
#define MAX_MESSAGE (1u << 20)

/* One direction between two addresses. */
typedef struct flow {
    acp_capture_address source;
    acp_capture_address destination;
    acp_wire_assembly *assembly;
    acp_wire_key_stream keys;
    bool has_keys;
    uint32_t ahead[KEY_SEARCH]; /* words not yet seen in a packet */
    uint32_t ahead_count;
} flow;

typedef struct decoder {
    const acp_command_line *line;
    const char *name; /* of the input, for messages */
    acp_json_writer writer;
    acp_wire_create_lists lists;
    acp_wire_message message;
    uint32_t opcodes[MAX_OPCODES];
    uint32_t opcode_count;
    bool is_all;
    bool has_packets;
    flow flows[MAX_FLOWS];
    uint32_t flow_count;
    uint64_t message_count;
    uint64_t other_count; /* whole messages that are not position messages */
    uint64_t fault_count;
    uint64_t alien_count; /* datagrams that are not of the protocol */
} decoder;

static bool is_wanted(const decoder *d, uint32_t opcode, uint32_t action) {
    if (d->opcode_count == 0) return true;
    for (uint32_t i = 0; i < d->opcode_count; i++)
        if (d->opcodes[i] == opcode || (action != 0 && d->opcodes[i] == action)) return true;
    return false;
}

static uint32_t word_at(const uint8_t *bytes, size_t size, size_t offset) {
    if (size < offset + 4) return 0;
    const uint8_t *b = bytes + offset;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void flush_line(decoder *d) {
    acp_json_end_line(&d->writer);
    (void)fputs(acp_command_json_text(&d->writer), stdout);
    acp_json_writer_reset(&d->writer);
}

/* Where a message came from. */
typedef struct origin {
    const acp_capture_datagram *datagram; /* null for text */
    uint64_t line_number;
    uint16_t queue;
    bool has_queue;
} origin;

static void begin_line(decoder *d, const origin *from) {
    acp_json_begin_object(&d->writer, NULL);
    if (from->datagram) {
        char address[64];
        acp_json_write_uint(&d->writer, "frame", from->datagram->frame_number);
        acp_json_write_double(&d->writer, "time", from->datagram->time);
        acp_capture_address_text(&from->datagram->source, address, sizeof address);
        acp_json_write_string(&d->writer, "from", address);
        acp_capture_address_text(&from->datagram->destination, address, sizeof address);
        acp_json_write_string(&d->writer, "to", address);
    } else {
        acp_json_write_uint(&d->writer, "line", from->line_number);
    }
    if (from->has_queue) acp_json_write_uint(&d->writer, "queue", from->queue);
}

static const char *input_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

static void report(decoder *d, const origin *from, const acp_error *error) {
    char text[512];
    (void)acp_error_format(error, text, sizeof text);
    d->fault_count++;
    if (from->datagram)
        acp_command_error(d->line, "%s: frame %llu: %s", d->name, (unsigned long long)from->datagram->frame_number, text);
    else
        acp_command_error(d->line, "%s: line %llu: %s", d->name, (unsigned long long)from->line_number, text);
}

static void decode_message(decoder *d, const uint8_t *bytes, size_t size, const origin *from) {
    acp_error error;
    uint32_t opcode = word_at(bytes, size, 0);
    uint32_t action = opcode == ACP_WIRE_ORDERED_ACTION ? word_at(bytes, size, 8) : 0;
    if (!is_wanted(d, opcode, action)) return;
    d->message.create.lists = &d->lists;
    acp_result result = acp_wire_message_decode(bytes, size, &d->message, &error);
    if (result == ACP_ERROR_UNSUPPORTED) {
        d->other_count++;
        if (!d->is_all) return;
        begin_line(d, from);
        acp_json_write_id(&d->writer, "opcode", opcode);
        if (action) acp_json_write_id(&d->writer, "action", action);
        acp_json_write_uint(&d->writer, "size", size);
        acp_wire_json_write_hex(&d->writer, "hex", bytes, size);
    } else if (result != ACP_OK) {
        report(d, from, &error);
        return;
    } else {
        d->message_count++;
        begin_line(d, from);
        acp_wire_json_write_message(&d->writer, &d->message);
    }
    acp_json_end_object(&d->writer);
    flush_line(d);
}

/* ---- datagrams ---- */

static bool is_same_address(const acp_capture_address *a, const acp_capture_address *b, bool is_port_counted) {
    return a->is_ipv6 == b->is_ipv6 && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0 && (!is_port_counted || a->port == b->port);
}

static flow *find_flow(decoder *d, const acp_capture_address *source, const acp_capture_address *destination, acp_error *error) {
    for (uint32_t i = 0; i < d->flow_count; i++)
        if (is_same_address(&d->flows[i].source, source, true) && is_same_address(&d->flows[i].destination, destination, true))
            return &d->flows[i];
    if (d->flow_count == MAX_FLOWS) {
        (void)acp_error_set(error, ACP_ERROR_LIMIT, "wire decode", "more than %u pairs of addresses", MAX_FLOWS);
        return NULL;
    }
    acp_wire_assembly_options options = acp_wire_assembly_options_default();
    flow *f = &d->flows[d->flow_count];
    if (acp_wire_assembly_create(&options, NULL, &f->assembly, error) != ACP_OK) return NULL;
    f->source = *source;
    f->destination = *destination;
    d->flow_count++;
    return f;
}

/* The seeds of a connect request hold for both directions between the client's port and either port of the server. */
static void learn_seeds(decoder *d, const acp_capture_datagram *datagram, const acp_wire_packet *packet) {
    acp_error error;
    for (uint32_t i = 0; i < 4; i++) {
        acp_capture_address server = datagram->source, client = datagram->destination;
        server.port = (uint16_t)(server.port + (i & 1u));
        bool is_from_server = i < 2;
        flow *f = find_flow(d, is_from_server ? &server : &client, is_from_server ? &client : &server, &error);
        if (!f) return;
        acp_wire_key_stream_init(&f->keys, is_from_server ? packet->connect.server_seed : packet->connect.client_seed);
        f->has_keys = true;
        f->ahead_count = 0;
    }
}

/* Looks for the packet's key among the next words of its direction, as far ahead as 256. */
static const char *check_key(flow *f, const acp_wire_packet *packet) {
    uint32_t key = acp_wire_packet_key(packet);
    if (!(packet->flags & ACP_WIRE_FLAG_ENCRYPTED)) return key == 0 ? "clear" : "wrong";
    if (!f->has_keys) return "unknown_key";
    while (f->ahead_count < KEY_SEARCH)
        f->ahead[f->ahead_count++] = acp_wire_key_stream_next(&f->keys);
    for (uint32_t i = 0; i < f->ahead_count; i++) {
        if (f->ahead[i] != key) continue;
        memmove(&f->ahead[i], &f->ahead[i + 1], (f->ahead_count - i - 1) * sizeof f->ahead[0]);
        f->ahead_count--;
        return "verified";
    }
    return packet->flags & ACP_WIRE_FLAG_RETRANSMISSION ? "repeated" : "wrong";
}

static void decode_datagram(decoder *d, const uint8_t *bytes, size_t size, origin *from) {
    static const acp_capture_address nowhere;
    acp_wire_packet packet;
    acp_error error;
    acp_result result = acp_wire_packet_decode(bytes, size, &packet, &error);
    if (result != ACP_OK) {
        d->alien_count++;
        if (!from->datagram) report(d, from, &error);
        return;
    }
    flow *f =
        find_flow(d, from->datagram ? &from->datagram->source : &nowhere, from->datagram ? &from->datagram->destination : &nowhere, &error);
    if (!f) {
        report(d, from, &error);
        return;
    }
    const char *checksum = check_key(f, &packet);
    if (d->has_packets) {
        begin_line(d, from);
        acp_json_write_string(&d->writer, "checksum", checksum);
        acp_wire_json_write_packet(&d->writer, &packet);
        acp_json_end_object(&d->writer);
        flush_line(d);
    }
    if (strcmp(checksum, "wrong") == 0) {
        (void)acp_error_set(&error, ACP_ERROR_BAD_DATA, "wire decode", "the checksum is wrong");
        acp_error_set_place(&error, 0, 8, "header.checksum");
        report(d, from, &error);
        return;
    }
    if (packet.flags & ACP_WIRE_FLAG_CONNECT_REQUEST && from->datagram) learn_seeds(d, from->datagram, &packet);
    uint32_t cursor = 0;
    acp_wire_fragment fragment;
    while (acp_wire_packet_next_fragment(&packet, &cursor, &fragment)) {
        acp_wire_blob blob;
        double now = from->datagram ? from->datagram->time : 0.0;
        result = acp_wire_assembly_add(f->assembly, &fragment, now, &blob, &error);
        if (result != ACP_OK && result != ACP_ERROR_DUPLICATE) report(d, from, &error);
        if (result != ACP_OK || !blob.bytes) continue;
        from->queue = blob.queue;
        from->has_queue = true;
        decode_message(d, blob.bytes, blob.size, from);
    }
}

static int decode_capture(decoder *d, const char *path, const uint8_t *bytes, size_t size) {
    acp_capture capture;
    acp_capture_datagram datagram;
    acp_error error;
    bool is_end = false;
    acp_result result = acp_capture_open(&capture, bytes, size, &error);
    while (result == ACP_OK) {
        result = acp_capture_next(&capture, &datagram, &is_end, &error);
        if (result != ACP_OK || is_end) break;
        origin from = {.datagram = &datagram};
        decode_datagram(d, datagram.bytes, datagram.size, &from);
        acp_command_progress(d->line, "decoding", capture.offset, capture.size);
    }
    acp_command_progress_end(d->line);
    acp_command_detail(d->line, "%llu frames, %llu without a UDP datagram, %llu datagrams of another protocol",
                       (unsigned long long)capture.frame_number, (unsigned long long)capture.skipped, (unsigned long long)d->alien_count);
    if (result == ACP_OK) return ACP_EXIT_OK;
    acp_error_set_file(&error, input_name(path));
    return acp_command_fail(d->line, &error);
}

/* One line of hex digits to bytes; false with a reason. Blank lines and # comments give no bytes. */
static bool parse_hex(const char *text, size_t length, uint8_t *out, size_t *out_size, const char **out_reason) {
    int high = -1;
    *out_size = 0;
    for (size_t i = 0; i < length && text[i] != '#'; i++) {
        char c = text[i];
        int value = acp_hex_digit(c);
        if (value < 0 && (c == ' ' || c == '\t' || c == ':') && high < 0) continue;
        if (value < 0) {
            *out_reason = "not a hex digit";
            return false;
        }
        if (high < 0) {
            high = value;
            continue;
        }
        if (*out_size == MAX_MESSAGE) {
            *out_reason = "more than 1 MiB";
            return false;
        }
        out[(*out_size)++] = (uint8_t)(high << 4 | value);
        high = -1;
    }
    if (high >= 0) *out_reason = "an odd number of hex digits";
    return high < 0;
}

static void decode_text_line(decoder *d, const char *text, size_t length, uint8_t *bytes, origin *from, bool is_datagram) {
    size_t size;
    const char *reason = "";
    acp_error error;
    if (!parse_hex(text, length, bytes, &size, &reason)) {
        (void)acp_error_set(&error, ACP_ERROR_BAD_DATA, "wire decode", "%s", reason);
        report(d, from, &error);
    } else if (size == 0) {
        return;
    } else if (is_datagram) {
        decode_datagram(d, bytes, size, from);
    } else {
        decode_message(d, bytes, size, from);
    }
}

static int decode_text(decoder *d, const uint8_t *text, size_t size, bool is_datagram) {
    uint8_t *bytes = malloc(MAX_MESSAGE);
    origin from = {0};
    if (!bytes) {
        acp_command_error(d->line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - (text + at)) : size - at;
        size_t trimmed = length > 0 && text[at + length - 1] == '\r' ? length - 1 : length;
        from.line_number++;
        from.has_queue = false;
        decode_text_line(d, (const char *)text + at, trimmed, bytes, &from, is_datagram);
        at += length + 1;
    }
    free(bytes);
    return ACP_EXIT_OK;
}

/* "0xF748,0x00A1": opcodes and actions. */
static bool parse_opcodes(decoder *d, const char *text) {
    while (text && *text) {
        char *end;
        unsigned long value = strtoul(text, &end, 16);
        if (end == text || value > 0xFFFFFFFFul || (*end && *end != ',') || d->opcode_count == MAX_OPCODES) return false;
        d->opcodes[d->opcode_count++] = (uint32_t)value;
        text = *end ? end + 1 : end;
    }
    return true;
}

static int run_decode(acp_command_line *line) {
    const char *path = line->operand_count ? line->operands[0] : "-";
    decoder *d = calloc(1, sizeof *d);
    size_t size = 0;
    int code = ACP_EXIT_INTERNAL;
    if (!d) {
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    d->line = line;
    d->name = input_name(path);
    d->writer.float_form = acp_command_flag(line, "bits") ? ACP_JSON_DECIMAL_AND_HEX : ACP_JSON_DECIMAL;
    d->is_all = acp_command_flag(line, "all");
    d->has_packets = acp_command_flag(line, "packets");
    if (!parse_opcodes(d, acp_command_text(line, "opcode"))) {
        free(d);
        return acp_command_usage(line, "--opcode takes hexadecimal opcodes or actions, separated by commas");
    }
    char *bytes = NULL;
    acp_error error;
    if (acp_load_file(path, MAX_FILE, &bytes, &size, &error) != ACP_OK) code = acp_command_fail(line, &error);
    if (bytes) {
        code = acp_capture_is_capture(bytes, size)
                   ? decode_capture(d, path, (const uint8_t *)bytes, size)
                   : decode_text(d, (const uint8_t *)bytes, size, strcmp(acp_command_text(line, "as"), "datagram") == 0 || d->has_packets);
        acp_command_detail(line, "%llu messages, %llu of other kinds, %llu faults", (unsigned long long)d->message_count,
                           (unsigned long long)d->other_count, (unsigned long long)d->fault_count);
        if (code == ACP_EXIT_OK && d->fault_count) code = ACP_EXIT_BAD_DATA;
    }
    for (uint32_t i = 0; i < d->flow_count; i++)
        acp_wire_assembly_destroy(d->flows[i].assembly);
    acp_json_writer_free(&d->writer);
    free(bytes);
    free(d);
    return acp_command_finish(line, code);
}

/* ---- encode ---- */

typedef struct encoder {
    acp_json_reader reader;
    acp_json_writer writer;
    acp_wire_create_lists lists;
    acp_wire_message message;
    uint8_t bytes[65536];
} encoder;

static acp_result encode_line(encoder *e, const char *text, size_t length, acp_error *error) {
    acp_json_fault fault;
    acp_json_input input = {.error = error};
    size_t size;
    const acp_json *object = acp_json_read(&e->reader, text, length, &fault);
    if (!object) {
        (void)acp_error_set(error, ACP_ERROR_BAD_DATA, "wire encode", "%s", fault.message);
        acp_error_set_place(error, 0, fault.offset, "");
        return ACP_ERROR_BAD_DATA;
    }
    const acp_json *inner = acp_json_member(object, "decoded"); /* lines of vectors are read as they are */
    acp_wire_json_read_message(&input, &e->reader, inner ? inner : object, &e->lists, &e->message);
    if (acp_json_is_failed(&input)) return input.result;
    acp_result result = acp_wire_message_encode(&e->message, e->bytes, sizeof e->bytes, &size, error);
    if (result != ACP_OK) return result;
    acp_wire_json_write_hex(&e->writer, NULL, e->bytes, size);
    if (e->writer.is_failed)
        result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "wire encode", "no memory for the line");
    else {
        (void)fwrite(e->writer.text + 1, 1, e->writer.length - 2, stdout); /* without the quotes */
        (void)fputc('\n', stdout);
    }
    acp_json_writer_reset(&e->writer);
    return result;
}

static int run_encode(acp_command_line *line) {
    acp_line_reader lines;
    acp_error error;
    const char *text;
    size_t length;
    acp_line_status status;
    uint64_t fault_count = 0;
    int code = ACP_EXIT_OK;
    const char *path = line->operand_count ? line->operands[0] : "-", *name = input_name(path);
    if (acp_line_reader_open(&lines, path, &error) != ACP_OK) return acp_command_fail(line, &error);
    encoder *e = calloc(1, sizeof *e);
    if (!e) {
        acp_line_reader_close(&lines);
        acp_command_error(line, "out of memory");
        return ACP_EXIT_INTERNAL;
    }
    while ((status = acp_line_reader_next(&lines, &text, &length)) != ACP_LINE_END) {
        if (status == ACP_LINE_IO_ERROR) {
            acp_command_error(line, "%s: cannot read: %s", name, strerror(errno));
            code = ACP_EXIT_IO;
            break;
        }
        if (status == ACP_LINE_OK && strspn(text, " \t\r") >= length) continue;
        acp_result result = status == ACP_LINE_OK ? encode_line(e, text, length, &error)
                                                  : acp_error_set(&error, ACP_ERROR_LIMIT, "wire encode", "the line is too long");
        if (result == ACP_OK) continue;
        char message[512];
        (void)acp_error_format(&error, message, sizeof message);
        acp_command_error(line, "%s: line %llu: %s", name, (unsigned long long)lines.line_number, message);
        if (result == ACP_ERROR_OUT_OF_MEMORY) code = acp_exit_code_of(result);
        fault_count++;
    }
    acp_json_reader_free(&e->reader);
    acp_json_writer_free(&e->writer);
    free(e);
    acp_line_reader_close(&lines);
    return acp_command_finish(line, code == ACP_EXIT_OK && fault_count ? ACP_EXIT_BAD_DATA : code);
}

static const acp_option decode_options[] = {
    {.name = "as",
     .kind = ACP_OPTION_CHOICE,
     .argument = "KIND",
     .choices = "message|datagram",
     .fallback = "message",
     .help = "what a line of hex is"},
    {.name = "opcode",
     .kind = ACP_OPTION_TEXT,
     .argument = "LIST",
     .help = "only these opcodes or actions, hexadecimal, separated by commas"},
    {.name = "packets", .help = "write a line for every datagram too: header, checksum, optional headers, fragments"},
    {.name = "all", .help = "write messages of other kinds too, as hex"},
    {.name = "bits", .help = "write the exact bits of every float beside it, under <key>_hex"},
};

static const acp_command command_decode = {
    .name = "decode",
    .summary = "turn messages, datagrams or a capture into JSON Lines",
    .operands = "[FILE]",
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description = "FILE is a capture (pcap or pcapng) or text with one message or datagram a line as hex digits; blanks, colons and "
                   "comments after # are allowed. Without FILE, standard input.\n\n"
                   "Every position message becomes one line of JSON. What cannot be decoded is reported on standard error with its line "
                   "or frame, offset and field; the exit code is 3 then. Checksums of a capture are verified where they can be: clear ones "
                   "always, masked ones when the capture holds the connect request with the seeds.",
    .examples = "acphys wire decode session.pcapng --opcode 0xF748,0xF74C\tpositions and motions of a session\n"
                "echo 51f7000001000000 | acphys wire decode\tone message",
    ACP_COMMAND_OPTIONS(decode_options),
    .run = run_decode,
};

static const acp_command command_encode = {
    .name = "encode",
    .summary = "turn messages in JSON Lines into hex",
    .operands = "[FILE]",
    .operand_max = 1,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "Reads one message a line in the form that decode writes (docs/format-wire.md) and writes one line of hex digits for each. "
        "Flags may be left out: they follow from the members that are there.",
    .examples = "acphys wire decode messages.txt | acphys wire encode\tthe same bytes again",
    .run = run_encode,
};

static const acp_command *const commands[] = {&command_decode, &command_encode, NULL};

const acp_command acp_command_wire = {
    .name = "wire",
    .summary = "decode and encode position messages",
    .operands = "COMMAND …",
    .description = "The game's position-carrying messages: hex or captures in, JSON out, and back.",
    .commands = commands,
};
