/* How is a tree written as YAML that every reader, of version 1.1 or 1.2, takes for the same? */

#include <ctype.h>
#include <string.h>

#include "probate/base/yaml.h"

#include "json_internal.h"
#include "utf8.h"
#include "yaml_internal.h"

static void print_block(const struct json_object *node, size_t indent, struct prb_str *out);

/* Only characters that mean nothing to YAML, wherever they stand. */
static bool is_tame(const char *text)
{
    if (!isalnum((unsigned char)text[0]) && !strchr("_/", text[0]))
        return false;
    for (const char *c = text; *c; c++) {
        bool inner_space = *c == ' ' && c[1] != '\0' && c[1] != ' ';
        bool inner_colon = *c == ':' && c[1] != '\0' && c[1] != ' ';

        if (!isalnum((unsigned char)*c) && !strchr("_/.-+@=,()", *c) && !inner_space &&
                !inner_colon)
            return false;
    }
    return true;
}

/* Dates and base-60 numbers: strings to us, not to other readers of YAML 1.1. */
static bool looks_like_time(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && (text[digits] == '-' || strchr(text, ':'));
}

static bool may_be_plain(const char *text, size_t len)
{
    prb_auto(prb_json_free) struct json_object *other = NULL;

    return len > 0 && strlen(text) == len && is_tame(text) && !looks_like_time(text) &&
           prb_yaml_resolve(text, &other) == PRB_YAML_STR;
}

/* Characters that YAML takes for a line break or refuses, and JSON does not mind. */
static const struct {
    const char *bytes, *escape;
} odd[] = {
    { "\xC2\xA0", "\\u00a0" }, /* no-break space: legal, but not to be told from a space */
    { "\xE2\x80\xA8", "\\u2028" },
    { "\xE2\x80\xA9", "\\u2029" },
    { "\xEF\xBB\xBF", "\\ufeff" },
    { "\xEF\xBF\xBE", "\\ufffe" },
    { "\xEF\xBF\xBF", "\\uffff" },
};

static const char *escape_of(const char *at, size_t step)
{
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        if (strlen(odd[i].bytes) == step && memcmp(at, odd[i].bytes, step) == 0)
            return odd[i].escape;
    }
    return NULL;
}

/* Double quotes with JSON's escapes, which YAML shares, and more for what YAML alone objects to. */
static void print_quoted(const char *text, size_t len, struct prb_str *out)
{
    prb_auto(prb_str_done) struct prb_str json;

    prb_str_init(&json, SIZE_MAX / 2);
    prb_json_print_string(text, len, &json);
    for (size_t at = 0; at < json.len;) {
        size_t step = prb_utf8_step(json.data + at, json.len - at);
        const char *escape = escape_of(json.data + at, step);

        if (escape)
            prb_str_add(out, escape);
        else
            prb_str_addn(out, json.data + at, step);
        at += step;
    }
}

static void print_text(const char *text, size_t len, struct prb_str *out)
{
    if (may_be_plain(text, len))
        prb_str_addn(out, text, len);
    else
        print_quoted(text, len, out);
}

static bool is_filled(const struct json_object *node)
{
    if (json_object_is_type(node, json_type_object))
        return json_object_object_length(node) > 0;
    return prb_json_len(node) > 0;
}

/* A scalar or an empty container, which is the same in YAML and JSON. */
static void print_flat(const struct json_object *node, struct prb_str *out)
{
    if (json_object_is_type(node, json_type_string))
        print_text(json_object_get_string(prb_json_unconst(node)),
                (size_t)json_object_get_string_len(node), out);
    else
        prb_json_print(node, out);
    prb_str_addc(out, '\n');
}

static void print_indent(size_t indent, struct prb_str *out)
{
    for (size_t i = 0; i < indent; i++)
        prb_str_addc(out, ' ');
}

static void print_members(const struct json_object *obj, size_t indent, struct prb_str *out)
{
    struct lh_table *table = json_object_get_object(obj);
    const struct lh_entry *entry;

    lh_foreach(table, entry)
    {
        const char *key = lh_entry_k(entry);
        const struct json_object *value = lh_entry_v(entry);
        /* The dashes of a list stand below its key, as kubectl prints them. */
        size_t inner = json_object_is_type(value, json_type_array) ? indent : indent + 2;

        if (entry != lh_table_head(table))
            print_indent(indent, out);
        print_text(key, strlen(key), out);
        prb_str_addc(out, ':');
        if (is_filled(value)) {
            prb_str_addc(out, '\n');
            print_indent(inner, out);
            print_block(value, inner, out);
        } else {
            prb_str_addc(out, ' ');
            print_flat(value, out);
        }
    }
}

/* The first line is already indented, so that a member can follow a dash. */
static void print_block(const struct json_object *node, size_t indent, struct prb_str *out)
{
    if (!is_filled(node)) {
        print_flat(node, out);
        return;
    }
    if (json_object_is_type(node, json_type_object)) {
        print_members(node, indent, out);
        return;
    }
    for (size_t i = 0; i < prb_json_len(node); i++) {
        if (i > 0)
            print_indent(indent, out);
        prb_str_add(out, "- ");
        print_block(prb_json_elem(node, i), indent + 2, out);
    }
}

void prb_yaml_print(const struct json_object *tree, struct prb_str *out)
{
    print_block(tree, 0, out);
}
