/* What may be created in a namespace, and what does the server write into it? */

#include "namespaces.h"

#include <string.h>

#include "probate/base/str.h"

#include "create.h"
#include "fail.h"
#include "meta.h"
#include "objects.h"

static const char *const always_there[] = { "default", "kube-system", "kube-public",
    "kube-node-lease" };

/* The API server refuses to delete the first three only. */
#define IMMORTAL_COUNT 3

static bool is_one_of(const char *name, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(always_there[i], name) == 0)
            return true;
    }
    return false;
}

int prb_hub_namespace_mortal(const char *name, struct prb_error *err)
{
    if (!is_one_of(name, IMMORTAL_COUNT))
        return 0;
    return prb_hub_fail(err, PRB_E_FORBIDDEN, 403, "Forbidden",
            "namespaces \"%s\" is forbidden: this namespace may not be deleted", name);
}

void prb_hub_namespace_ensure(struct prb_hub *hub, const char *name)
{
    struct prb_hub_kind *kind = prb_hub_kind_find(hub->kinds, "", "namespaces");
    struct json_object *tree;
    struct prb_error err;

    if (prb_hub_find(kind, "", name))
        return;
    tree = json_object_new_object();
    prb_json_set_str(tree, "apiVersion", "v1");
    prb_json_set_str(tree, "kind", "Namespace");
    prb_json_set_str(prb_hub_meta(tree), "name", name);
    prb_hub_stamp_new(hub, tree);
    prb_hub_namespace_begin(tree);
    (void)prb_hub_put(hub, kind, tree, NULL, &err); /* it has a name, so it is an object */
}

bool prb_hub_namespace_is_open(const struct prb_hub *hub, const char *namespace)
{
    const struct prb_hub_entry *entry = prb_hub_find_namespace(hub, namespace);

    if (!entry)
        return is_one_of(namespace, sizeof(always_there) / sizeof(always_there[0]));
    return !prb_object_is_deleting(entry->object);
}

int prb_hub_namespace_check(const struct prb_hub *hub, const char *namespace,
        const struct prb_hub_kind *kind, const char *name, struct prb_error *err)
{
    char resource[PRB_HUB_KIND_KEY_SIZE];

    if (prb_hub_namespace_is_open(hub, namespace))
        return 0;
    if (!prb_hub_find_namespace(hub, namespace))
        return prb_hub_not_found(err, prb_hub_kind_find(hub->kinds, "", "namespaces"), namespace);
    prb_hub_kind_key(kind->resource.gvr.group, kind->resource.gvr.resource, resource);
    return prb_hub_fail(err, PRB_E_FORBIDDEN, 403, "Forbidden",
            "%s \"%s\" is forbidden: unable to create new content in namespace %s because it is "
            "being terminated",
            resource, name, namespace);
}

bool prb_hub_namespace_is_held(const struct json_object *tree)
{
    const struct json_object *held = prb_json_arr(prb_json_obj(tree, "spec"), "finalizers");

    for (size_t i = 0; i < prb_json_len(held); i++) {
        if (prb_streq(prb_json_string(prb_json_elem(held, i)), PRB_HUB_KUBERNETES))
            return true;
    }
    return false;
}

void prb_hub_namespace_begin(struct json_object *tree)
{
    struct json_object *spec = prb_json_ensure_obj(tree, "spec"), *status;

    if (!prb_json_arr(spec, "finalizers"))
        prb_json_set(spec, "finalizers", json_object_new_array());
    if (!prb_hub_namespace_is_held(tree))
        prb_json_push(prb_json_arr(spec, "finalizers"), json_object_new_string(PRB_HUB_KUBERNETES));
    status = json_object_new_object();
    prb_json_set_str(status, "phase", "Active");
    prb_json_set(tree, "status", status);
}

void prb_hub_namespace_terminate(struct prb_hub *hub, struct json_object *tree)
{
    prb_hub_meta_set_now(hub, tree, "deletionTimestamp");
    prb_json_set_str(prb_json_ensure_obj(tree, "status"), "phase", "Terminating");
}
