/* A port that answers as a script says. */

#include "script_port.h"

#include <stdio.h>
#include <string.h>

#include "probate/api/definition.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"

static struct script_port *of(struct prb_api *api)
{
    return (struct script_port *)api;
}

static const struct line *line_at(const struct line *lines, size_t count, size_t call)
{
    static const struct line nothing = { .r = PRB_E_INTERNAL };

    if (count == 0)
        return &nothing;
    return &lines[call < count ? call : count - 1];
}

/* What a line says of a call that may take so long. */
static int say(
        struct script_port *port, const struct line *line, int timeout_ms, struct prb_error *err)
{
    int takes_ms = line->takes_ms < timeout_ms ? line->takes_ms : timeout_ms;

    prb_fake_clock_advance(port->clock, takes_ms);
    if (takes_ms < line->takes_ms)
        return prb_fail(err, PRB_E_IO, "scripted: timed out");
    if (line->r < 0)
        (void)prb_fail(
                err, (enum prb_errc)line->r, "scripted: %s", prb_errc_name((enum prb_errc)line->r));
    if (line->r == PRB_E_NOTFOUND)
        (void)prb_copy(err->reason, sizeof(err->reason), line->reason ? line->reason : "NotServed");
    return line->r;
}

static int do_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    struct script_port *port = of(api);
    const struct line *line = line_at(port->resolves, port->resolve_count, port->resolved++);
    int r = say(port, line, PRB_API_TIMEOUT_MS, err);

    (void)name;
    if (r < 0)
        return r;
    *ret = (struct prb_resource){ .namespaced = !line->cluster_scoped };
    (void)prb_gvr_init(&ret->gvr, group, line->version ? line->version : "v1", "things");
    return 0;
}

static void do_forget(struct prb_api *api, const char *group)
{
    (void)group;
    of(api)->forgot++;
}

/* "!ns/name" */
static struct prb_object *object_of(const char *text, size_t len)
{
    bool held = text[0] == '!', odd = text[0] == '?';
    prb_autofree char *copy = prb_strndup(text + (held || odd), len - (held || odd));
    char *slash = strchr(copy, '/');
    struct json_object *tree = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(tree, "metadata");
    struct json_object *finalizers = json_object_new_array();
    struct prb_object *object = NULL;
    struct prb_error err;

    if (slash) {
        *slash = '\0';
        prb_json_set_str(metadata, "namespace", copy);
    }
    prb_json_set_str(metadata, "name", slash ? slash + 1 : copy);
    prb_json_push(finalizers, json_object_new_string(held ? "g.io/f" : "g.io/other"));
    prb_json_set(metadata, "finalizers", finalizers);
    (void)prb_object_new(tree, &object, &err);
    if (odd)
        prb_object_set_defect(object, "spec", "nested too deeply");
    return object;
}

/* As the port has it: what is missing of an object must not pass for absent. */
static int check_whole(
        const char *objects, const struct prb_list_options *options, struct prb_error *err)
{
    if (!objects || !strchr(objects, '?') || options->with_defects)
        return 0;
    return prb_fail(err, PRB_E_UNSUPPORTED, "scripted: nested too deeply");
}

static void fill(struct prb_page *page, const char *objects)
{
    while (objects && *objects) {
        size_t len = strcspn(objects, " ");

        page->objects = prb_realloc(page->objects, page->count + 1, sizeof(struct prb_object *));
        page->objects[page->count++] = object_of(objects, len);
        objects += len + strspn(objects + len, " ");
    }
}

static struct prb_object *definition_of(
        const struct script_port *port, const struct definition *definition)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':{'name':'%s'},'spec':{'names':%s},"
                                       "'status':{'acceptedNames':%s}}",
                                 definition->name, definition->names,
                                 port->definitions_accepted ? port->definitions_accepted : "null"),
            &object, &err);
    return object;
}

static int list_definitions(struct script_port *port, const struct prb_list_options *options,
        struct prb_page *ret, struct prb_error *err)
{
    const struct line line = { .r = port->definitions_list_r,
        .takes_ms = port->definitions_take_ms };
    size_t size = port->definitions_page ? port->definitions_page : port->definition_count;
    int r = say(port, &line, options->timeout_ms, err);
    int64_t at = 0;

    port->definitions_listed++;
    port->whole = port->whole || !options->metadata_only;
    if (r < 0)
        return r;
    (void)prb_parse_int(options->next ? options->next : "0", 0, INT64_MAX, &at);
    for (size_t i = (size_t)at; i < port->definition_count && ret->count < size; i++) {
        ret->objects = prb_realloc(ret->objects, ret->count + 1, sizeof(struct prb_object *));
        ret->objects[ret->count++] = definition_of(port, &port->definitions[i]);
    }
    if ((size_t)at + size < port->definition_count)
        ret->next = prb_asprintf("%zu", (size_t)at + size);
    return 0;
}

/* What was asked for, and nothing else: a schema may be too deep to be read. */
static struct prb_object *part_of(
        struct prb_object *object_taken, const struct prb_json_filter *parts)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_taken;
    struct prb_object *part = NULL;
    struct prb_error err;

    if (!parts)
        return NULL;
    (void)prb_object_new(prb_json_copy_part(prb_object_tree(object), parts), &part, &err);
    return part;
}

static int get_definition(struct script_port *port, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    static const struct line none = { .r = PRB_E_NOTFOUND, .reason = "NotFound" };
    const struct line line = { .r = port->definitions_get_r,
        .takes_ms = port->definitions_take_ms };
    int r = say(port, &line, options->timeout_ms, err);

    port->definitions_got++;
    if (r < 0)
        return r;
    for (size_t i = 0; i < port->definition_count; i++) {
        if (prb_streq(port->definitions[i].name, ref->name)) {
            *ret = part_of(definition_of(port, &port->definitions[i]), options->parts);
            return 0;
        }
    }
    return say(port, &none, options->timeout_ms, err);
}

static int do_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct script_port *port = of(api);
    const struct line *line;
    int r;

    if (prb_gvr_equal(gvr, &prb_definitions))
        return list_definitions(port, options, ret, err);
    line = line_at(port->lists, port->list_count, port->listed++);
    r = say(port, line, options->timeout_ms, err);

    prb_gvr_format(gvr, port->asked);
    (void)prb_copy(port->next, sizeof(port->next), options->next ? options->next : "");
    port->whole = port->whole || !options->metadata_only;
    if (r == 0)
        r = check_whole(line->objects, options, err);
    if (r < 0)
        return r;
    fill(ret, line->objects);
    if (line->more)
        ret->next = prb_asprintf("page-%zu", port->listed);
    return 0;
}

static int do_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct script_port *port = of(api);
    const struct line *line;
    int r;

    if (prb_gvr_equal(&ref->gvr, &prb_definitions))
        return get_definition(port, ref, options, ret, err);
    line = line_at(port->gets, port->get_count, port->got++);
    r = say(port, line, options->timeout_ms, err);

    prb_gvr_format(&ref->gvr, port->asked);
    port->whole = port->whole || !options->metadata_only;
    if (r == 0)
        *ret = object_of(ref->name, strlen(ref->name));
    return r;
}

static int do_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    struct script_port *port = of(api);

    port->access = *question;
    if (port->may < 0)
        return prb_fail(err, (enum prb_errc)port->may, "scripted: %s",
                prb_errc_name((enum prb_errc)port->may));
    *ret = (enum prb_access)port->may;
    return 0;
}

static const struct prb_api_ops ops = {
    .get = do_get, .list = do_list, .resolve = do_resolve, .forget = do_forget, .may = do_may
};

void script_port_init(struct script_port *port, struct prb_fake_clock *clock)
{
    *port = (struct script_port){ .api = { .ops = &ops }, .clock = clock };
}
