/* How do rows make, change and look at their own objects? */

#include "objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/model/patch.h"

#include "support/json_text.h"
#include "support/wait.h"

struct prb_ref conf_ref(const struct conf *c, const struct conf_kind *kind, const char *name)
{
    struct prb_ref ref = { .gvr = kind->gvr };

    (void)snprintf(ref.name, sizeof(ref.name), "%s-%s", c->id, name);
    if (kind->namespaced)
        (void)snprintf(ref.namespace, sizeof(ref.namespace), "%s", c->ns);
    return ref;
}

bool conf_is(const struct conf *c, const struct prb_object *object, const char *name)
{
    struct prb_ref ref = conf_ref(c, &conf_configmap, name);

    return object && prb_streq(prb_object_name(object), ref.name);
}

struct json_object *conf_body(
        const struct conf *c, const struct conf_kind *kind, const char *name, const char *fmt, ...)
{
    struct prb_ref ref = conf_ref(c, kind, name);
    char api_version[PRB_API_VERSION_SIZE];
    prb_auto(prb_json_free) struct json_object *base = NULL;
    prb_auto(prb_json_free) struct json_object *over = NULL;
    prb_auto(prb_str_done) struct prb_str text;
    va_list args;

    prb_api_version_format(kind->gvr.group, kind->gvr.version, api_version);
    base = prb_test_json("{'apiVersion':'%s','kind':'%s','metadata':"
                         "{'name':'%s','labels':{'row':'%s'}}}",
            api_version, kind->kind, ref.name, c->id);
    if (kind->namespaced)
        prb_json_set_str(prb_json_obj(base, "metadata"), "namespace", ref.namespace);

    prb_str_init(&text, PRB_JSON_SIZE_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&text, fmt, args);
    va_end(args);
    over = prb_test_json("%s", prb_str_get(&text));
    return prb_merge_patch(base, over);
}

/* The ref under which a body goes out. */
static struct prb_ref ref_of(const struct conf_kind *kind, const struct json_object *body)
{
    const struct json_object *meta = prb_json_obj(body, "metadata");
    const char *namespace = prb_json_str(meta, "namespace");
    struct prb_ref ref = { .gvr = kind->gvr };

    (void)prb_copy(ref.name, sizeof(ref.name), prb_json_str(meta, "name"));
    if (namespace)
        (void)prb_copy(ref.namespace, sizeof(ref.namespace), namespace);
    return ref;
}

int conf_create(struct conf *c, const struct conf_kind *kind, struct json_object *body_taken,
        struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_ref ref = ref_of(kind, body);

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_create(c->api, &ref, body, NULL, ret, &c->err);
}

int conf_create_plain(struct conf *c, const char *name, struct prb_object **ret)
{
    return conf_create(c, &conf_configmap, conf_body(c, &conf_configmap, name, "{}"), ret);
}

int conf_create_held(struct conf *c, const char *name, struct prb_object **ret)
{
    return conf_create(c, &conf_configmap,
            conf_body(
                    c, &conf_configmap, name, "{'metadata':{'finalizers':['%s']}}", CONF_FINALIZER),
            ret);
}

int conf_get(
        struct conf *c, const struct conf_kind *kind, const char *name, struct prb_object **ret)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = conf_ref(c, kind, name);
    int r;

    c->err = (struct prb_error){ .code = PRB_OK };
    r = prb_api_get(c->api, &ref, NULL, &object, &c->err);
    if (r == 0 && ret)
        *ret = prb_take(object);
    return r;
}

int conf_update(struct conf *c, const struct conf_kind *kind, struct json_object *tree_taken,
        const char *subresource, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_taken;
    const struct prb_write_options options = { .subresource = subresource };
    struct prb_ref ref = ref_of(kind, tree);

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_update(c->api, &ref, tree, &options, ret, &c->err);
}

int conf_merge(struct conf *c, const struct conf_kind *kind, const char *name,
        struct json_object *patch_taken, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *patch = patch_taken;
    struct prb_ref ref = conf_ref(c, kind, name);

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, PRB_PATCH_MERGE, patch, NULL, ret, &c->err);
}

int conf_delete(struct conf *c, const struct conf_kind *kind, const char *name,
        enum prb_propagation propagation)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = conf_ref(c, kind, name);
    int r = conf_get(c, kind, name, &object);

    if (r < 0)
        return r;
    return prb_api_delete(c->api, &ref,
            &(struct prb_delete_options){
                    .uid = prb_object_uid(object), .propagation = propagation },
            &c->err);
}

int conf_release(struct conf *c, const struct conf_kind *kind, const char *name)
{
    return conf_merge(c, kind, name, prb_test_json("{'metadata':{'finalizers':null}}"), NULL);
}

static void see(const struct prb_object *object)
{
    prb_autofree char *text = object ? prb_json_text(prb_object_tree(object), false) : NULL;

    (void)prb_test_saw("%s", text ? text : "nothing");
}

int conf_wait_for(
        struct conf *c, const struct conf_kind *kind, const char *name, conf_holds_fn holds)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%s %s is as the row wants it", kind->kind, name);

    for (;;) {
        prb_auto(prb_object_unref) struct prb_object *object = NULL;
        int r = conf_get(c, kind, name, &object);

        if (r < 0 && r != PRB_E_NOTFOUND)
            return r;
        if (holds(object))
            return 0;
        see(object);
        if (!prb_test_wait_more(&wait))
            return prb_fail(&c->err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    }
}

static bool is_gone(const struct prb_object *object)
{
    return !object;
}

int conf_wait_gone(struct conf *c, const struct conf_kind *kind, const char *name)
{
    return conf_wait_for(c, kind, name, is_gone);
}

bool conf_is_deleting(const struct prb_object *object)
{
    return object && prb_object_is_deleting(object);
}

bool conf_is_served(const struct prb_object *object)
{
    const struct json_object *conditions =
            object ? prb_json_arr(prb_object_status(object), "conditions") : NULL;

    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), "Established"))
            return prb_streq(prb_json_str(condition, "status"), "True");
    }
    return false;
}

int conf_list(struct conf *c, const struct conf_kind *kind, const struct prb_list_options *options,
        struct prb_page *ret)
{
    struct prb_list_options filled = options ? *options : (struct prb_list_options){ .limit = 0 };

    if (!filled.namespace && kind->namespaced)
        filled.namespace = c->ns;
    if (!filled.label_selector)
        filled.label_selector = c->selector;
    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_list(c->api, &kind->gvr, &filled, ret, &c->err);
}

const struct prb_object *conf_find(
        const struct conf *c, const struct prb_page *page, const char *name)
{
    for (size_t i = 0; i < page->count; i++) {
        if (conf_is(c, page->objects[i], name))
            return page->objects[i];
    }
    return NULL;
}

char *conf_owned_by(const struct conf_kind *kind, const struct prb_object *owner, bool block)
{
    char api_version[PRB_API_VERSION_SIZE];

    prb_api_version_format(kind->gvr.group, kind->gvr.version, api_version);
    return prb_asprintf("{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s',"
                        "'blockOwnerDeletion':%s}",
            api_version, kind->kind, prb_object_name(owner), prb_object_uid(owner),
            block ? "true" : "false");
}
