/* A hub for one test, and short ways to write to it and to look at it. */

#include "world.h"

#include <stdarg.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

struct world w;

/* Answers are kept in a few buffers that take turns. */
#define TEXTS 8
#define TEXT_SIZE 4096
static char texts[TEXTS][TEXT_SIZE];
static size_t turn;

static char *next_text(void)
{
    return texts[turn++ % TEXTS];
}

void world_init(const struct prb_hub_options *options)
{
    struct prb_hub_options filled = options ? *options : (struct prb_hub_options){ .log_max = 0 };

    memset(&w, 0, sizeof(w));
    prb_fake_clock_init(&w.clock, WORLD_START_MS);
    filled.clock = &w.clock.clock;
    w.hub = prb_hub_new(&filled);
    w.api = prb_hub_api(w.hub);
    (void)create("namespaces", "{'metadata':{'name':'ns'}}");
}

void world_done(void)
{
    prb_object_unref(w.got);
    prb_hub_free(w.hub);
    memset(&w, 0, sizeof(w));
}

/* What the tests name in groups without a CRD is v1, unless it is known to be otherwise. */
struct prb_gvr gvr_of(const char *resource)
{
    const char *dot = strchr(resource, '.');
    prb_autofree char *plural = prb_strndup(resource, strcspn(resource, "."));
    struct prb_resource found;
    struct prb_error err;
    struct prb_gvr gvr;

    if (prb_api_resolve(w.api, dot ? dot + 1 : "", plural, &found, &err) == 0)
        return found.gvr;
    if (!prb_gvr_init(&gvr, dot ? dot + 1 : "", "v1", plural))
        memset(&gvr, 0, sizeof(gvr));
    return gvr;
}

struct prb_ref ref_of(const char *resource, const char *key)
{
    const char *slash = strchr(key, '/');
    prb_autofree char *namespace = slash ? prb_strndup(key, (size_t)(slash - key)) : NULL;
    struct prb_gvr gvr = gvr_of(resource);
    struct prb_ref ref;

    memset(&ref, 0, sizeof(ref));
    (void)prb_ref_init(&ref, &gvr, namespace, slash ? slash + 1 : key);
    return ref;
}

static struct json_object *parse(const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&text, 65536);
    prb_str_vaddf(&text, fmt, args);
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\'')
            text.data[i] = '"';
    }
    if (prb_json_parse(text.data, text.len, NULL, &tree, &err) < 0) {
        (void)fprintf(stderr, "no JSON in a test: %s: %s\n", err.msg, text.data);
        abort();
    }
    return tree;
}

static struct prb_write_options options_for(const char *sub)
{
    return (struct prb_write_options){ .subresource = sub, .dry_run = w.dry_run };
}

/* The ref that the names in a body mean. */
static struct prb_ref ref_in(const char *resource, const struct json_object *body)
{
    const struct json_object *metadata = prb_json_obj(body, "metadata");
    const char *namespace = prb_json_str(metadata, "namespace");
    const char *name = prb_json_str(metadata, "name");
    prb_autofree char *key = prb_asprintf(
            "%s%s%s", namespace ? namespace : "", namespace ? "/" : "", name ? name : "");

    return ref_of(resource, key);
}

static struct prb_object **fresh(void)
{
    prb_object_unref(w.got);
    w.got = NULL;
    return &w.got;
}

int create(const char *resource, const char *fmt, ...)
{
    struct prb_write_options options = options_for("");
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_ref ref;
    va_list args;

    va_start(args, fmt);
    body = parse(fmt, args);
    va_end(args);
    ref = ref_in(resource, body);
    return prb_api_create(w.api, &ref, body, &options, fresh(), &w.err);
}

int update(const char *resource, const char *sub, const char *fmt, ...)
{
    struct prb_write_options options = options_for(sub);
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_ref ref;
    va_list args;

    va_start(args, fmt);
    body = parse(fmt, args);
    va_end(args);
    ref = ref_in(resource, body);
    return prb_api_update(w.api, &ref, body, &options, fresh(), &w.err);
}

int update_tree(const char *resource, const char *key, const char *sub, struct json_object *taken)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_write_options options = options_for(sub);
    struct prb_ref ref = ref_of(resource, key);

    return prb_api_update(w.api, &ref, body, &options, fresh(), &w.err);
}

static int patch(const char *resource, const char *key, const char *sub, enum prb_patch_type type,
        struct json_object *taken)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_write_options options = options_for(sub);
    struct prb_ref ref = ref_of(resource, key);

    return prb_api_patch(w.api, &ref, type, body, &options, fresh(), &w.err);
}

int merge(const char *resource, const char *key, const char *sub, const char *fmt, ...)
{
    struct json_object *body;
    va_list args;

    va_start(args, fmt);
    body = parse(fmt, args);
    va_end(args);
    return patch(resource, key, sub, PRB_PATCH_MERGE, body);
}

int json_patch(const char *resource, const char *key, const char *sub, const char *fmt, ...)
{
    struct json_object *body;
    va_list args;

    va_start(args, fmt);
    body = parse(fmt, args);
    va_end(args);
    return patch(resource, key, sub, PRB_PATCH_JSON, body);
}

int apply(const char *resource, const char *key, const char *sub, const char *fmt, ...)
{
    struct json_object *body;
    va_list args;

    va_start(args, fmt);
    body = parse(fmt, args);
    va_end(args);
    return patch(resource, key, sub, PRB_PATCH_APPLY, body);
}

int erase(const char *resource, const char *key)
{
    struct prb_ref ref = ref_of(resource, key);
    struct prb_delete_options options = {
        .uid = uid_of(resource, key), .propagation = w.cascade, .dry_run = w.dry_run
    };

    if (options.uid[0] == '\0')
        options.uid = "none";
    return prb_api_delete(w.api, &ref, &options, &w.err);
}

struct prb_object *get(const char *resource, const char *key)
{
    struct prb_ref ref = ref_of(resource, key);
    struct prb_object *object = NULL;

    return prb_api_get(w.api, &ref, NULL, &object, &w.err) == 0 ? object : NULL;
}

bool has(const char *resource, const char *key)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(resource, key);

    return object != NULL;
}

const char *at(const struct prb_object *object, const char *pointer)
{
    prb_autofree char *text = NULL;
    struct json_object *node = NULL;
    char *answer = next_text();

    if (!object || !prb_json_pointer_get(prb_object_tree(object), pointer, &node))
        return "-";
    text = prb_json_text(node, true);
    (void)snprintf(answer, TEXT_SIZE, "%s", text);
    return answer;
}

const char *text_at(const char *resource, const char *key, const char *pointer)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(resource, key);

    return at(object, pointer);
}

const char *got_at(const char *pointer)
{
    return at(w.got, pointer);
}

const char *uid_of(const char *resource, const char *key)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(resource, key);
    char *answer = next_text();

    (void)snprintf(answer, TEXT_SIZE, "%s", object ? prb_object_uid(object) : "");
    return answer;
}

const char *owned_by(const char *resource, const char *kind, const char *key, bool block)
{
    struct prb_gvr gvr = gvr_of(resource);
    char api_version[PRB_API_VERSION_SIZE], *answer = next_text();
    const char *slash = strchr(key, '/');

    prb_api_version_format(gvr.group, gvr.version, api_version);
    (void)snprintf(answer, TEXT_SIZE,
            "{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s','blockOwnerDeletion':%s}",
            api_version, kind, slash ? slash + 1 : key, uid_of(resource, key),
            block ? "true" : "false");
    return answer;
}

int create_widgets(void)
{
    return create("customresourcedefinitions.apiextensions.k8s.io",
            "{'metadata':{'name':'widgets.example.io'},'spec':{'group':'example.io','scope':"
            "'Namespaced','names':{'plural':'widgets','kind':'Widget','shortNames':['wd']},"
            "'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}}},"
            "{'name':'v1beta1','served':true,'storage':false}]}}");
}

int load(const char *yaml)
{
    return prb_hub_load_text(w.hub, yaml, strlen(yaml), &w.err);
}
