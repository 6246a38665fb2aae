/*
 * Is this text one JSON value, and which tree is it? One pass checks and builds; what a filter
 * leaves out is checked and stepped over. Values wait on a stack until their container closes and
 * its size is known.
 */

#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"

struct pending {
    const char *key; /* borrowed from the text or from `owned`; NULL for an element of an array */
    size_t key_len;
    char *owned;    /* a key that had escapes in it */
    const char *at; /* borrowed: where the member begins in the text */
    struct json_object *value;
    bool skipped; /* left out by the filter; here only so that a second one is noticed */
};

struct parser {
    struct prb_json_scan scan;
    struct pending *stack; /* owned */
    size_t count, cap;
    size_t pushed, pushed_max; /* members and elements so far */
    unsigned depth, depth_max;
    bool drop_nul_names;
};

/* The filter that takes nothing; NULL takes all. */
static const struct prb_json_filter take_none[] = { { .key = NULL } };

static int parse_value(
        struct parser *p, const struct prb_json_filter *filter, struct json_object **ret);

static void push(struct parser *p, struct pending entry)
{
    p->pushed++;
    if (p->count == p->cap) {
        p->cap = p->cap ? p->cap * 2 : 32;
        p->stack = prb_realloc(p->stack, p->cap, sizeof(*p->stack));
    }
    p->stack[p->count++] = entry;
}

static void parser_done(struct parser *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->stack[i].owned);
        prb_json_free(p->stack[i].value);
    }
    free(p->stack);
    prb_str_done(&p->scan.unescaped);
}

static void parser_donep(struct parser *p)
{
    parser_done(p);
}

static int fail_here(struct parser *p, const char *what)
{
    return prb_json_scan_fail(&p->scan, p->scan.at, what);
}

/* The next byte after white space; 0 at the end (a NUL byte is no token either). */
static char peek(struct parser *p)
{
    prb_json_scan_space(&p->scan);
    return p->scan.at < p->scan.end ? *p->scan.at : '\0';
}

/* Which part of the member `key` the filter of its object takes. */
static const struct prb_json_filter *filter_member(
        const struct prb_json_filter *filter, const char *key, size_t len)
{
    if (!filter || filter == take_none)
        return filter;
    for (const struct prb_json_filter *f = filter; f->key; f++) {
        if (strlen(f->key) != len || memcmp(f->key, key, len) != 0)
            continue;
        if (f->drop && !f->children)
            return take_none;
        return f->children;
    }
    return filter->drop ? NULL : take_none;
}

/* Is there room for one more member or element? */
static int check_room(struct parser *p)
{
    return p->pushed < p->pushed_max ? 0 : fail_here(p, "more members and elements than are read");
}

static int enter(struct parser *p)
{
    if (++p->depth > p->depth_max)
        return fail_here(p, "nested too deeply");
    p->scan.at++;
    return 0;
}

static void leave(struct parser *p)
{
    p->depth--;
    p->scan.at++;
}

/* The elements up to the closing bracket; those that are built go to the stack. */
static int parse_elements(struct parser *p, const struct prb_json_filter *filter)
{
    if (peek(p) == ']')
        return 0;
    for (;;) {
        struct json_object *value = NULL;
        int r = filter == take_none ? 0 : check_room(p);

        if (r == 0)
            r = parse_value(p, filter, &value);
        if (r < 0)
            return r;
        if (filter != take_none)
            push(p, (struct pending){ .value = value });
        if (peek(p) == ']')
            return 0;
        if (peek(p) != ',')
            return fail_here(p, "expected ',' or ']'");
        p->scan.at++;
    }
}

static int parse_array(
        struct parser *p, const struct prb_json_filter *filter, struct json_object **ret)
{
    size_t base = p->count;
    int r = enter(p);

    if (r == 0)
        r = parse_elements(p, filter);
    if (r < 0)
        return r;
    leave(p);
    if (filter == take_none)
        return 0;

    *ret = prb_json_new_array(p->count - base);
    for (size_t i = base; i < p->count; i++)
        (void)json_object_array_add(*ret, p->stack[i].value);
    p->count = base;
    return 0;
}

/* A member name, put on the stack when its object is built; *keep turns false for one to drop. */
static int parse_name(struct parser *p, bool *keep)
{
    struct pending entry = { .key = NULL };
    int r;

    if (peek(p) != '"')
        return fail_here(p, "expected a member name in double quotes");
    entry.at = p->scan.at;
    r = *keep ? check_room(p) : 0;
    if (r == 0)
        r = prb_json_scan_string(&p->scan, *keep, &entry.key, &entry.key_len);
    if (r != 0 || !*keep)
        return r;
    if (memchr(entry.key, '\0', entry.key_len)) {
        *keep = false;
        return p->drop_nul_names
                       ? 0
                       : prb_json_scan_fail(&p->scan, entry.at, "member name contains U+0000");
    }

    if (entry.key != entry.at + 1) /* unescaped: in the scanner's buffer, which the value reuses */
        entry.key = entry.owned = prb_strndup(entry.key, entry.key_len);
    push(p, entry);
    return 0;
}

static int parse_member(struct parser *p, const struct prb_json_filter *filter)
{
    bool keep = filter != take_none;
    struct json_object *value = NULL;
    size_t mine = p->count;
    int r = parse_name(p, &keep);

    if (r < 0)
        return r;
    if (peek(p) != ':')
        return fail_here(p, "expected ':'");
    p->scan.at++;

    if (keep) {
        filter = filter_member(filter, p->stack[mine].key, p->stack[mine].key_len);
        p->stack[mine].skipped = filter == take_none;
    }
    r = parse_value(p, keep ? filter : take_none, &value);
    if (r == 0 && keep)
        p->stack[mine].value = value;
    return r;
}

static int parse_members(struct parser *p, const struct prb_json_filter *filter)
{
    if (peek(p) == '}')
        return 0;
    for (;;) {
        int r = parse_member(p, filter);

        if (r < 0)
            return r;
        if (peek(p) == '}')
            return 0;
        if (peek(p) != ',')
            return fail_here(p, "expected ',' or '}'");
        p->scan.at++;
    }
}

/* Take members that the filter left out from the table again; it is in the order of the stack. */
static void remove_skipped(struct json_object *obj, const struct pending *members)
{
    struct lh_table *table = json_object_get_object(obj);
    struct lh_entry *entry, *next;
    bool removed = false;

    lh_foreach_safe(table, entry, next)
    {
        if ((members++)->skipped) {
            (void)lh_table_delete_entry(table, entry);
            removed = true;
        }
    }
    if (removed)
        prb_json_fit(obj);
}

/* Pop the members above `base` into an object. */
static int build_object(struct parser *p, size_t base, struct json_object **ret)
{
    prb_auto(prb_json_free) struct json_object *obj = prb_json_new_object(p->count - base);

    for (size_t i = base; i < p->count; i++) {
        struct pending *m = &p->stack[i];

        if (!prb_json_add_new(obj, m->key, m->key_len, m->value))
            return prb_json_scan_fail(&p->scan, m->at, "duplicate member name");
        m->value = NULL;
        free(prb_take(m->owned));
    }
    if (p->count > base)
        remove_skipped(obj, p->stack + base);
    p->count = base;
    *ret = prb_take(obj);
    return 0;
}

static int parse_object(
        struct parser *p, const struct prb_json_filter *filter, struct json_object **ret)
{
    size_t base = p->count;
    int r = enter(p);

    if (r == 0)
        r = parse_members(p, filter);
    if (r < 0)
        return r;
    leave(p);
    return filter == take_none ? 0 : build_object(p, base, ret);
}

static int parse_string(struct parser *p, bool keep, struct json_object **ret)
{
    const char *text = NULL;
    size_t len = 0;
    int r = prb_json_scan_string(&p->scan, keep, &text, &len);

    if (r == 0 && keep)
        *ret = prb_json_must(json_object_new_string_len(text, (int)len));
    return r;
}

static int parse_word(struct parser *p, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(p->scan.end - p->scan.at) < len || memcmp(p->scan.at, word, len) != 0)
        return fail_here(p, "expected a value");
    p->scan.at += len;
    return 0;
}

static int parse_boolean(struct parser *p, bool value, bool keep, struct json_object **ret)
{
    int r = parse_word(p, value ? "true" : "false");

    if (r == 0 && keep)
        *ret = prb_json_must(json_object_new_boolean(value));
    return r;
}

/* *ret is set only to what `filter` takes; a scalar is taken whole or not at all. */
static int parse_value(
        struct parser *p, const struct prb_json_filter *filter, struct json_object **ret)
{
    bool keep = filter != take_none;
    char c = peek(p);

    switch (c) {
    case '{':
        return parse_object(p, filter, ret);
    case '[':
        return parse_array(p, filter, ret);
    case '"':
        return parse_string(p, keep, ret);
    case 't':
        return parse_boolean(p, true, keep, ret);
    case 'f':
        return parse_boolean(p, false, keep, ret);
    case 'n':
        return parse_word(p, "null"); /* *ret is NULL already, which is json-c's null */
    default:
        if (c == '-' || (c >= '0' && c <= '9'))
            return prb_json_scan_number(&p->scan, keep, ret);
        return fail_here(p, "expected a value");
    }
}

int prb_json_parse(const char *text, size_t len, const struct prb_json_options *options,
        struct json_object **ret, struct prb_error *err)
{
    static const struct prb_json_options defaults = { .size_max = 0 };
    const struct prb_json_options *o = options ? options : &defaults;
    size_t size_max = o->size_max ? o->size_max : PRB_JSON_SIZE_MAX;
    prb_auto(parser_done) struct parser p = {
        .scan = { .text = text, .at = text, .end = text + len, .err = err },
        .pushed_max = o->values_max ? o->values_max : SIZE_MAX,
        .depth_max = o->depth_max && o->depth_max < PRB_JSON_DEPTH_MAX ? o->depth_max
                                                                       : PRB_JSON_DEPTH_MAX,
        .drop_nul_names = o->drop_nul_names,
    };
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    int r;

    prb_str_init(&p.scan.unescaped, len);
    if (size_max > PRB_JSON_SIZE_MAX)
        size_max = PRB_JSON_SIZE_MAX;
    if (len > size_max)
        return prb_fail(
                err, PRB_E_INVALID, "JSON text of %zu bytes is larger than %zu", len, size_max);

    r = parse_value(&p, o->filter, &tree);
    if (r < 0)
        return r;
    if (peek(&p) != '\0' || p.scan.at != p.scan.end)
        return fail_here(&p, "unexpected text after the value");

    *ret = prb_take(tree);
    return 0;
}
