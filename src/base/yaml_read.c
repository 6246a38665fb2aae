/* Which documents does a YAML stream hold? libyaml finds the events, yaml_node.c builds from them.
 */

#include <string.h>

#include "probate/base/yaml.h"

#include "yaml_internal.h"

int prb_yaml_fail(struct prb_yaml_reader *r, const yaml_mark_t *mark, const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str what;
    va_list args;

    prb_str_init(&what, PRB_ERROR_MSG_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&what, fmt, args);
    va_end(args);
    return prb_fail(r->err, PRB_E_INVALID, "line %zu, column %zu: %s", mark->line + 1,
            mark->column + 1, prb_str_get(&what));
}

int prb_yaml_next(struct prb_yaml_reader *r, yaml_event_t *ret)
{
    const yaml_parser_t *p = &r->parser;
    bool has_mark;

    memset(ret, 0, sizeof(*ret));
    if (yaml_parser_parse(&r->parser, ret))
        return 0;

    has_mark = p->error == YAML_SCANNER_ERROR || p->error == YAML_PARSER_ERROR;
    return prb_yaml_fail(r, has_mark ? &p->problem_mark : &p->mark, "%s%s%s",
            p->problem ? p->problem : "cannot be read", p->context ? " " : "",
            p->context ? p->context : "");
}

/* The document after its start event, up to and with its end event. */
static int read_document(struct prb_yaml_reader *r, struct json_object **ret, size_t *ret_line)
{
    prb_auto(prb_yaml_event_done) yaml_event_t root = { 0 }, end = { 0 };
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    int rc = prb_yaml_next(r, &root);

    r->nodes = 0;
    if (rc == 0)
        rc = prb_yaml_node(r, &root, &tree);
    if (rc == 0)
        rc = prb_yaml_next(r, &end);
    prb_map_clear(r->anchors); /* they hold references: the tree must be the receiver's alone */
    if (rc < 0)
        return rc;

    *ret_line = root.start_mark.line + 1;
    *ret = prb_take(tree);
    return 0;
}

static int read_stream(struct prb_yaml_reader *r, prb_yaml_fn each, void *ctx)
{
    for (;;) {
        prb_auto(prb_yaml_event_done) yaml_event_t event = { 0 };
        struct json_object *tree = NULL;
        size_t line = 0;
        int rc = prb_yaml_next(r, &event);

        if (rc < 0 || event.type == YAML_STREAM_END_EVENT)
            return rc;
        if (event.type != YAML_DOCUMENT_START_EVENT)
            continue;
        rc = read_document(r, &tree, &line);
        if (rc == 0 && tree)
            rc = each(ctx, tree, line, r->err);
        if (rc < 0)
            return rc;
    }
}

/*
 * JSON first, where it looks like JSON: YAML 1.1 is not quite a superset (libyaml refuses the
 * surrogate pairs that JSON writes characters beyond U+FFFF with).
 */
static bool read_as_json(const char *text, size_t len, struct json_object **ret, size_t *ret_line)
{
    size_t at = 0;
    struct prb_error ignored;

    *ret_line = 1;
    for (; at < len && strchr(" \t\r\n", text[at]) && text[at]; at++)
        *ret_line += text[at] == '\n' ? 1 : 0;
    if (at == len || (text[at] != '{' && text[at] != '['))
        return false;
    return prb_json_parse(text, len, NULL, ret, &ignored) == 0;
}

int prb_yaml_read(const char *text, size_t len, prb_yaml_fn each, void *ctx, struct prb_error *err)
{
    struct prb_yaml_reader r = { .err = err };
    struct json_object *tree = NULL;
    size_t line;
    int rc;

    if (read_as_json(text, len, &tree, &line))
        return each(ctx, tree, line, err);

    if (!yaml_parser_initialize(&r.parser))
        return prb_fail(err, PRB_E_INTERNAL, "cannot start the YAML parser");
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    r.anchors = prb_map_new(prb_yaml_anchor_free);
    rc = read_stream(&r, each, ctx);
    prb_map_free(r.anchors);
    yaml_parser_delete(&r.parser);
    return rc;
}

static int keep_only(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    struct json_object **only = ctx;

    if (*only) {
        prb_json_free(taken);
        return prb_fail(err, PRB_E_INVALID, "line %zu: a second document, expected one", line);
    }
    *only = taken;
    return 0;
}

int prb_yaml_parse(const char *text, size_t len, struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *only = NULL;
    int rc = prb_yaml_read(text, len, keep_only, &only, err);

    if (rc < 0)
        return rc;
    if (!only)
        return prb_fail(err, PRB_E_INVALID, "no document, expected one");
    *ret = prb_take(only);
    return 0;
}
