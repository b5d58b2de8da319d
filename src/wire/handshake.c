/* SPDX-License-Identifier: MIT */
/* The client's two packets of the handshake (spec 10 NET-16 to NET-19): login request with account and password, connect response with
 * the server's cookie.
 *
 * Sequences 0 and 1, clear checksums. The host repeats them (every 2.0 s, every 0.333 s) and sends the second to the second port from the
 * same socket; the connect request in between is read by acp_wire_packet_decode.
 *
 * Contract: pure functions over the caller's buffer, no allocation. Limits: account and password below 128 characters, whose bytes are
 * sent as they are (code page 1252). Cost: negligible. */
#include <string.h>

#include "acphys/wire_link.h"
#include "base/error.h"
#include "wire/pieces.h"

#define VERSION_STRING     "1802"
#define PASSWORD_AUTH_TYPE 2u
#define MAX_NAME           127u

/* DAT-35 legacy string: u16 length, bytes, zero padding to a multiple of 4 counted from the length field. */
static void write_string(acp_writer *writer, const char *text, size_t length) {
    acp_writer_u16(writer, (uint16_t)length);
    acp_writer_bytes(writer, text, length);
    acp_writer_zeros(writer, (0u - (2u + length)) & 3u);
}

acp_result acp_wire_login_request_encode(const char *account, const char *password, void *bytes, size_t capacity, size_t *out_size,
                                         acp_error *error) {
    static const char operation[] = "wire login request";
    if (!account || !password || !bytes || !out_size) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    size_t account_length = strlen(account), password_length = strlen(password);
    if (account_length > MAX_NAME || password_length > MAX_NAME)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "account and password have at most %u characters", MAX_NAME);
    uint8_t body[ACP_WIRE_MAX_BODY];
    acp_writer writer;
    acp_writer_init_fixed(&writer, body, sizeof body);
    write_string(&writer, VERSION_STRING, strlen(VERSION_STRING));
    size_t length_at = writer.size;
    acp_writer_u32(&writer, 0);
    acp_writer_u32(&writer, PASSWORD_AUTH_TYPE);
    acp_writer_u32(&writer, 0); /* auth flags */
    acp_writer_u32(&writer, 0); /* connection sequence */
    write_string(&writer, account, account_length);
    acp_writer_u32(&writer, 0); /* empty blob */
    acp_writer_u32(&writer, (uint32_t)password_length + 1);
    acp_writer_u8(&writer, (uint8_t)password_length);
    acp_writer_bytes(&writer, password, password_length);
    acp_writer_align4(&writer);
    acp_writer_patch_u32(&writer, length_at, (uint32_t)(writer.size - length_at - 4));
    if (writer.result != ACP_OK) return acp_error_set(error, writer.result, operation, "the request does not fit a datagram");
    acp_wire_packet packet = {.flags = ACP_WIRE_FLAG_LOGIN_REQUEST, .login = body, .login_size = (uint32_t)writer.size};
    return acp_wire_packet_encode(&packet, NULL, 0, 0, bytes, capacity, out_size, error);
}

acp_result acp_wire_connect_response_encode(const acp_wire_connect_request *request, void *bytes, size_t capacity, size_t *out_size,
                                            acp_error *error) {
    if (!request) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire connect response", "null argument");
    acp_wire_packet packet = {.sequence = 1,
                              .flags = ACP_WIRE_FLAG_CONNECT_RESPONSE,
                              .recipient = (uint16_t)request->net_id,
                              .iteration = 1,
                              .cookie = request->cookie};
    return acp_wire_packet_encode(&packet, NULL, 0, 0, bytes, capacity, out_size, error);
}
