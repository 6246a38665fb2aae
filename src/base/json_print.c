/* How is a tree written as JSON text? json-c's own printer keeps its text in the nodes; this reads
 * only. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"
#include "utf8.h"

static void print_node(const struct json_object *node, bool sorted, struct prb_str *out);

/*
 * Bytes of the control character at `at`: those below U+0020, which JSON wants escaped, and DEL and
 * U+0080 to U+009F, which it does not, but a terminal that shows a log obeys them. 0 for others.
 */
static size_t control_len(const char *at, size_t left)
{
    unsigned char first = (unsigned char)at[0];

    if (first < 0x20 || first == 0x7F)
        return 1;
    if (first != 0xC2 || left < 2)
        return 0;
    return (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xA0 ? 2 : 0;
}

/* Bytes from `at` that need no escape. */
static size_t plain_run(const char *at, size_t left)
{
    size_t run = 0;

    while (run < left) {
        char c = at[run];
        size_t step = (unsigned char)c < 0x80 ? 1 : prb_utf8_step(at + run, left - run);

        if (c == '"' || c == '\\' || step == 0 || control_len(at + run, left - run))
            break;
        run += step;
    }
    return run;
}

/* What cannot stand for itself; returns how many bytes it was. */
static size_t print_escaped(const char *at, size_t left, struct prb_str *out)
{
    static const char names[] = "bfnrt\"\\", values[] = "\b\f\n\r\t\"\\";
    const char *found = *at ? strchr(values, *at) : NULL;
    size_t control = control_len(at, left);

    if (found) {
        prb_str_addc(out, '\\');
        prb_str_addc(out, names[found - values]);
        return 1;
    }
    if (control) {
        prb_str_addf(out, "\\u%04x", (unsigned char)at[control - 1]); /* C2 80 is U+0080 */
        return control;
    }
    prb_str_add(out, "\xEF\xBF\xBD"); /* U+FFFD for a byte that is no UTF-8 */
    return 1;
}

void prb_json_print_string(const char *text, size_t len, struct prb_str *out)
{
    size_t at = 0;

    prb_str_addc(out, '"');
    while (at < len) {
        size_t run = plain_run(text + at, len - at);

        prb_str_addn(out, text + at, run);
        at += run;
        if (at < len)
            at += print_escaped(text + at, len - at, out);
    }
    prb_str_addc(out, '"');
}

void prb_json_print_double(double value, struct prb_str *out)
{
    char text[32];

    if (!isfinite(value)) {
        prb_str_add(out, "null"); /* JSON has no word for it; the parser never makes one */
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    prb_str_add(out, text);
}

static void print_integer(const struct json_object *node, struct prb_str *out)
{
    bool negative;
    uint64_t magnitude;

    prb_json_integer(node, &negative, &magnitude);
    prb_str_addf(out, "%s%llu", negative ? "-" : "", (unsigned long long)magnitude);
}

static void print_array(const struct json_object *array, bool sorted, struct prb_str *out)
{
    size_t len = json_object_array_length(array);

    prb_str_addc(out, '[');
    for (size_t i = 0; i < len; i++) {
        if (i > 0)
            prb_str_addc(out, ',');
        print_node(json_object_array_get_idx(array, i), sorted, out);
    }
    prb_str_addc(out, ']');
}

static void print_member(const struct lh_entry *entry, bool first, bool sorted, struct prb_str *out)
{
    const char *key = lh_entry_k(entry);

    if (!first)
        prb_str_addc(out, ',');
    prb_json_print_string(key, strlen(key), out);
    prb_str_addc(out, ':');
    print_node(lh_entry_v(entry), sorted, out);
}

struct member {
    const struct lh_entry *entry; /* borrowed */
};

static int compare_keys(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return strcmp(lh_entry_k(x->entry), lh_entry_k(y->entry));
}

static void print_sorted_members(struct lh_table *table, struct prb_str *out)
{
    size_t count = (size_t)lh_table_length(table), at = 0;
    prb_autofree struct member *members = prb_calloc(count, sizeof(*members));
    const struct lh_entry *entry;

    lh_foreach(table, entry) members[at++].entry = entry;
    qsort(members, count, sizeof(*members), compare_keys);
    for (size_t i = 0; i < count; i++)
        print_member(members[i].entry, i == 0, true, out);
}

static void print_object(const struct json_object *obj, bool sorted, struct prb_str *out)
{
    struct lh_table *table = json_object_get_object(obj);
    const struct lh_entry *entry;

    prb_str_addc(out, '{');
    if (sorted) {
        print_sorted_members(table, out);
    } else {
        lh_foreach(table, entry) print_member(entry, entry == lh_table_head(table), false, out);
    }
    prb_str_addc(out, '}');
}

static void print_node(const struct json_object *node, bool sorted, struct prb_str *out)
{
    switch (json_object_get_type(node)) {
    case json_type_null:
        prb_str_add(out, "null");
        break;
    case json_type_boolean:
        prb_str_add(out, json_object_get_boolean(node) ? "true" : "false");
        break;
    case json_type_double:
        prb_json_print_double(json_object_get_double(node), out);
        break;
    case json_type_int:
        print_integer(node, out);
        break;
    case json_type_string:
        prb_json_print_string(json_object_get_string(prb_json_unconst(node)),
                (size_t)json_object_get_string_len(node), out);
        break;
    case json_type_array:
        print_array(node, sorted, out);
        break;
    case json_type_object:
        print_object(node, sorted, out);
        break;
    }
}

void prb_json_print(const struct json_object *tree, struct prb_str *out)
{
    print_node(tree, false, out);
}

char *prb_json_text(const struct json_object *tree, bool sorted)
{
    struct prb_str out;

    prb_str_init(&out, SIZE_MAX / 2); /* whole or not at all: a cut text would be no JSON */
    print_node(tree, sorted, &out);
    return prb_str_take(&out);
}
