/* SPDX-License-Identifier: MIT */
/* The report of the tour: sections of facts, what was expected of them, and why, as text and as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/json_values.h"
#include "tools/acphys/tool_tour.h"

static void put(acp_tour *t, const char *text) { acp_json_write_piece(&t->text, text, strlen(text)); }

void acp_tour_section(acp_tour *t, const char *name, const char *title) {
    put(t, "\n== ");
    put(t, title);
    put(t, "\n");
    t->stops++;
    t->is_stop_good = true;
    acp_json_begin_object(&t->json, NULL);
    acp_json_write_string(&t->json, "name", name);
    acp_json_write_string(&t->json, "title", title);
}

void acp_tour_end_section(acp_tour *t) {
    acp_json_write_bool(&t->json, "as_expected", t->is_stop_good);
    acp_json_end_object(&t->json);
    if (!t->is_stop_good) t->failed++;
}

void acp_tour_fact(acp_tour *t, const char *key, const char *format, ...) {
    char value[1024], line[1200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    (void)snprintf(line, sizeof line, "   %-22s %s\n", key, value);
    put(t, line);
    acp_json_write_string(&t->json, key, value);
}

void acp_tour_number(acp_tour *t, const char *key, double value, const char *unit) {
    char line[200];
    (void)snprintf(line, sizeof line, "   %-22s %.10g%s%s\n", key, value, unit[0] ? " " : "", unit);
    put(t, line);
    acp_json_write_double(&t->json, key, value);
}

void acp_tour_expect(acp_tour *t, bool is_so, const char *what) {
    char line[400];
    (void)snprintf(line, sizeof line, "   %s %s\n", is_so ? "ok  " : "NOT ", what);
    put(t, line);
    if (!is_so) t->is_stop_good = false;
}

void acp_tour_why(acp_tour *t, const char *format, ...) {
    char text[1600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    acp_json_write_string(&t->json, "why", text);
    put(t, "   why:");
    size_t column = 7;
    for (const char *at = text; *at;) { /* wrapped at 110 columns */
        size_t word = strcspn(at, " ");
        if (column + word + 1 > 110) {
            put(t, "\n       ");
            column = 7;
        }
        put(t, " ");
        acp_json_write_piece(&t->text, at, word);
        column += word + 1;
        at += word;
        while (*at == ' ')
            at++;
    }
    put(t, "\n");
}
