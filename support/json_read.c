/* SPDX-License-Identifier: MIT */
/* Reading JSON (RFC 8259, strictly) into a tree of chained values.
 *
 * One pass over the text with an explicit stack of open containers; nothing recurses. All values lie in a chain of arena blocks that the
 * reader keeps from one text to the next, so a stream of similar lines allocates only at its beginning. Strings without escapes and all
 * numbers point into the caller's text; a string with escapes is decoded into the arena. Numbers are checked here and converted only when
 * somebody asks (json_number.c): most floats of a vector line are never asked for, their _hex twin is.
 *
 * Contract: the text may hold any bytes. UTF-8 is checked (no overlong forms, no surrogates, nothing above U+10FFFF), control bytes inside
 * strings and anything after the value are faults. Limits: ACP_JSON_MAX_DEPTH containers, byte_limit bytes of tree, 4 GiB of text.
 * Cost: one visit per byte, one 56-byte node per value; member lookup walks the object's chain. */
#include "support/json.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE         ((size_t)1 << 16)
#define DEFAULT_BYTE_LIMIT ((size_t)1 << 30)
#define NODE_ALIGNMENT     _Alignof(max_align_t)

typedef struct acp_json_block {
    struct acp_json_block *next;
    size_t size;
    max_align_t data[];
} acp_json_block;

static void block_rewind(acp_json_reader *reader) {
    reader->current = reader->blocks;
    reader->used = 0;
    reader->byte_total = 0;
}

void *acp_json_reader_allocate(acp_json_reader *reader, size_t size) {
    size_t limit = reader->byte_limit != 0 ? reader->byte_limit : DEFAULT_BYTE_LIMIT;
    if (size > limit || reader->byte_total > limit - size) return NULL;
    size = (size + NODE_ALIGNMENT - 1) / NODE_ALIGNMENT * NODE_ALIGNMENT;
    while (reader->current != NULL && reader->current->size - reader->used < size) {
        if (reader->current->next == NULL) break;
        reader->current = reader->current->next;
        reader->used = 0;
    }
    if (reader->current == NULL || reader->current->size - reader->used < size) {
        size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        if (reader->current != NULL && block_size < reader->current->size) block_size = reader->current->size;
        acp_json_block *block = malloc(sizeof *block + block_size);
        if (block == NULL) return NULL;
        block->next = NULL;
        block->size = block_size;
        if (reader->current != NULL)
            reader->current->next = block;
        else
            reader->blocks = block;
        reader->current = block;
        reader->used = 0;
    }
    char *memory = (char *)reader->current->data + reader->used;
    reader->used += size;
    reader->byte_total += size;
    return memory;
}

void acp_json_reader_free(acp_json_reader *reader) {
    for (acp_json_block *block = reader->blocks; block != NULL;) {
        acp_json_block *next = block->next;
        free(block);
        block = next;
    }
    free(reader->stack);
    free(reader->tails);
    *reader = (acp_json_reader){.byte_limit = reader->byte_limit};
}

/* ---- the pass over the text ---- */

typedef struct parser {
    acp_json_reader *reader;
    const char *begin;
    const char *at;
    const char *end;
    const char *message; /* null until a fault */
    bool is_out_of_memory;
} parser;

static bool fault(parser *p, const char *message) {
    if (p->message == NULL) p->message = message;
    return false;
}

static bool out_of_memory(parser *p) {
    p->is_out_of_memory = true;
    return fault(p, "out of memory or larger than the limit");
}

static void skip_blanks(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Length of the well-formed UTF-8 sequence that starts with a byte >= 0x80, or 0. */
static size_t utf8_length(const unsigned char *s, size_t available) {
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length > available) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return length;
}

static bool hex4(const char *s, uint32_t *out) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = s[i];
        uint32_t digit;
        if (is_digit(c))
            digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (uint32_t)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = (uint32_t)(c - 'A') + 10;
        else
            return false;
        value = value << 4 | digit;
    }
    *out = value;
    return true;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* \uXXXX, after the 'u': a lone surrogate is a fault. */
static bool unicode_escape(parser *p, const char **at, const char *end, char **to) {
    uint32_t code;
    if (end - *at < 4 || !hex4(*at, &code)) return fault(p, "bad \\u escape");
    *at += 4;
    if (code >= 0xD800 && code <= 0xDFFF) {
        uint32_t low;
        if (code > 0xDBFF || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u' || !hex4(*at + 2, &low) || low < 0xDC00 || low > 0xDFFF)
            return fault(p, "lone surrogate in a \\u escape");
        *at += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    *to = put_utf8(*to, code);
    return true;
}

/* Decodes the checked raw bytes begin…end of a string that holds escapes. */
static bool decode_string(parser *p, const char *begin, const char *end, const char **out_text, uint32_t *out_length) {
    char *memory = acp_json_reader_allocate(p->reader, (size_t)(end - begin) + 1);
    if (memory == NULL) return out_of_memory(p);
    char *to = memory;
    for (const char *at = begin; at < end;) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        static const char letters[] = "\"\\/bfnrt";
        static const char bytes[] = "\"\\/\b\f\n\r\t";
        char letter = at[1];
        const char *found = letter == '\0' ? NULL : strchr(letters, letter);
        at += 2;
        if (found != NULL) {
            *to++ = bytes[found - letters];
        } else if (letter != 'u') {
            return fault(p, "unknown escape in a string");
        } else if (!unicode_escape(p, &at, end, &to)) {
            return false;
        }
    }
    *out_text = memory;
    *out_length = (uint32_t)(to - memory);
    return true;
}

/* A string, from its opening quote. */
static bool read_string(parser *p, const char **out_text, uint32_t *out_length) {
    const char *begin = ++p->at;
    bool has_escapes = false;
    const char *at = begin;
    for (;; at++) {
        if (at >= p->end) return fault(p, "string without its closing quote");
        unsigned char c = (unsigned char)*at;
        if (c == '"') break;
        if (c == '\\') {
            has_escapes = true;
            if (++at >= p->end) return fault(p, "string without its closing quote");
        } else if (c < 0x20) {
            p->at = at;
            return fault(p, "control byte in a string");
        } else if (c >= 0x80) {
            size_t length = utf8_length((const unsigned char *)at, (size_t)(p->end - at));
            p->at = at;
            if (length == 0) return fault(p, "bytes that are not UTF-8");
            at += length - 1;
        }
    }
    p->at = at + 1;
    if (has_escapes) return decode_string(p, begin, at, out_text, out_length);
    *out_text = begin;
    *out_length = (uint32_t)(at - begin);
    return true;
}

static bool read_digits(parser *p) {
    if (p->at >= p->end || !is_digit(*p->at)) return fault(p, "malformed number");
    while (p->at < p->end && is_digit(*p->at))
        p->at++;
    return true;
}

static bool read_number(parser *p, acp_json *value) {
    value->type = ACP_JSON_NUMBER;
    value->text = p->at;
    if (*p->at == '-') p->at++;
    if (p->at < p->end && *p->at == '0')
        p->at++;
    else if (!read_digits(p))
        return false;
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!read_digits(p)) return false;
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '+' || *p->at == '-')) p->at++;
        if (!read_digits(p)) return false;
    }
    value->count = (uint32_t)(p->at - value->text);
    return true;
}

static bool read_literal(parser *p, acp_json *value, const char *text, acp_json_type type) {
    size_t length = strlen(text);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0) return fault(p, "unexpected byte");
    p->at += length;
    value->type = type;
    return true;
}

/* Everything but the inside of containers; *out_opens when the value is one. */
static bool read_value_head(parser *p, acp_json *value, bool *out_opens) {
    *out_opens = false;
    switch (*p->at) {
    case '{':
    case '[':
        value->type = *p->at == '{' ? ACP_JSON_OBJECT : ACP_JSON_ARRAY;
        p->at++;
        *out_opens = true;
        return true;
    case '"':
        value->type = ACP_JSON_STRING;
        return read_string(p, &value->text, &value->count);
    case 't':
        return read_literal(p, value, "true", ACP_JSON_TRUE);
    case 'f':
        return read_literal(p, value, "false", ACP_JSON_FALSE);
    case 'n':
        return read_literal(p, value, "null", ACP_JSON_NULL);
    default:
        if (*p->at != '-' && !is_digit(*p->at)) return fault(p, "unexpected byte");
        return read_number(p, value);
    }
}

/* One value with its key when `parent` is an object; linked behind *tail. */
static acp_json *read_child(parser *p, acp_json *parent, acp_json **tail, bool *out_opens) {
    acp_json *value = acp_json_reader_allocate(p->reader, sizeof *value);
    if (value == NULL) {
        out_of_memory(p);
        return NULL;
    }
    *value = (acp_json){.type = ACP_JSON_NULL};
    skip_blanks(p);
    if (parent != NULL && parent->type == ACP_JSON_OBJECT) {
        if (p->at >= p->end || *p->at != '"') {
            fault(p, "expected the name of a member");
            return NULL;
        }
        if (!read_string(p, &value->key, &value->key_length)) return NULL;
        skip_blanks(p);
        if (p->at >= p->end || *p->at != ':') {
            fault(p, "expected ':'");
            return NULL;
        }
        p->at++;
        skip_blanks(p);
    }
    if (p->at >= p->end) {
        fault(p, "the text ends before the value does");
        return NULL;
    }
    value->offset = (uint32_t)(p->at - p->begin);
    if (!read_value_head(p, value, out_opens)) return NULL;
    if (parent != NULL) {
        parent->count++;
        if (*tail != NULL)
            (*tail)->next = value;
        else
            parent->first = value;
        *tail = value;
    }
    return value;
}

static char closing_byte(const acp_json *container) { return container->type == ACP_JSON_OBJECT ? '}' : ']'; }

/* After a finished value: closes what ends here. True when a comma asks for another child of stack[*depth - 1] or all is closed. */
static bool close_containers(parser *p, uint32_t *depth) {
    while (*depth > 0) {
        skip_blanks(p);
        if (p->at >= p->end) return fault(p, "the text ends before the value does");
        char c = *p->at;
        if (c == ',') {
            p->at++;
            return true;
        }
        if (c != closing_byte(p->reader->stack[*depth - 1])) return fault(p, "expected ',' or the end of the list");
        p->at++;
        --*depth;
    }
    return true;
}

static acp_json *read_document(parser *p) {
    acp_json **stack = p->reader->stack;
    acp_json **tails = p->reader->tails;
    acp_json *root = NULL;
    uint32_t depth = 0;
    do {
        bool opens;
        acp_json *parent = depth > 0 ? stack[depth - 1] : NULL;
        acp_json *value = read_child(p, parent, depth > 0 ? &tails[depth - 1] : NULL, &opens);
        if (value == NULL) return NULL;
        if (root == NULL) root = value;
        if (opens) {
            if (depth == ACP_JSON_MAX_DEPTH) {
                fault(p, "nested deeper than 1024");
                return NULL;
            }
            stack[depth] = value;
            tails[depth] = NULL;
            depth++;
            skip_blanks(p);
            if (p->at >= p->end || *p->at != closing_byte(value)) continue;
            p->at++;
            depth--;
        }
        if (!close_containers(p, &depth)) return NULL;
    } while (depth > 0);
    skip_blanks(p);
    if (p->at < p->end) {
        fault(p, "something follows the value");
        return NULL;
    }
    return root;
}

const acp_json *acp_json_read(acp_json_reader *reader, const char *text, size_t length, acp_json_fault *out_fault) {
    parser p = {.reader = reader, .begin = text, .at = text, .end = text + length};
    block_rewind(reader);
    if (reader->stack == NULL) reader->stack = malloc(ACP_JSON_MAX_DEPTH * sizeof *reader->stack);
    if (reader->tails == NULL) reader->tails = malloc(ACP_JSON_MAX_DEPTH * sizeof *reader->tails);
    const acp_json *root = NULL;
    if (reader->stack == NULL || reader->tails == NULL)
        out_of_memory(&p);
    else if (length > UINT32_MAX)
        fault(&p, "longer than 4 GiB");
    else
        root = read_document(&p);
    if (root == NULL && out_fault != NULL)
        *out_fault = (acp_json_fault){.offset = (size_t)(p.at - p.begin), .message = p.message, .is_out_of_memory = p.is_out_of_memory};
    return root;
}

/* ---- looking around in a tree ---- */

const acp_json *acp_json_member(const acp_json *object, const char *key) {
    if (object == NULL || object->type != ACP_JSON_OBJECT) return NULL;
    size_t length = strlen(key);
    for (const acp_json *member = object->first; member != NULL; member = member->next)
        if (member->key_length == length && memcmp(member->key, key, length) == 0) return member;
    return NULL;
}

const acp_json *acp_json_member_hex(const acp_json *object, const char *key) {
    if (object == NULL || object->type != ACP_JSON_OBJECT) return NULL;
    size_t length = strlen(key);
    for (const acp_json *member = object->first; member != NULL; member = member->next)
        if (member->key_length == length + 4 && memcmp(member->key, key, length) == 0 && memcmp(member->key + length, "_hex", 4) == 0)
            return member;
    return NULL;
}

const acp_json *acp_json_element(const acp_json *array, uint32_t index) {
    if (array == NULL || (array->type != ACP_JSON_ARRAY && array->type != ACP_JSON_OBJECT)) return NULL;
    const acp_json *element = array->first;
    for (uint32_t i = 0; i < index && element != NULL; i++)
        element = element->next;
    return element;
}

bool acp_json_is_text(const acp_json *value, const char *text) {
    return value != NULL && value->type == ACP_JSON_STRING && value->count == strlen(text) && memcmp(value->text, text, value->count) == 0;
}
