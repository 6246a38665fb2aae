/* What would be written for a manifest, if nothing is there, and over what is? */

#include "probate/model/manifest_merge.h"

#include "probate/base/str.h"

#include "manifest_internal.h"

static void copy_member(struct json_object *to, const struct json_object *from, const char *key)
{
    const struct json_object *value = prb_json_find(from, key);

    if (value)
        prb_json_set(to, key, prb_json_copy(value));
}

static struct json_object *body_metadata(const struct prb_manifest *manifest, const char *namespace)
{
    const struct json_object *from = prb_json_obj(manifest->raw, "metadata");
    struct json_object *to = json_object_new_object();

    prb_json_set_str(to, "name", manifest->name);
    if (namespace[0] != '\0')
        prb_json_set_str(to, "namespace", namespace);
    copy_member(to, from, "labels");
    copy_member(to, from, "annotations");
    copy_member(to, from, "finalizers");
    return to;
}

static bool is_apart(const char *key)
{
    return prb_streq(key, "metadata") || prb_streq(key, "status");
}

/* All that is neither metadata nor status. */
static void copy_rest(struct json_object *to, const struct json_object *from)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(from, &at, &started, &key, &value)) {
        if (!is_apart(key))
            prb_json_set(to, key, prb_json_copy(value));
    }
}

struct json_object *prb_manifest_body(const struct prb_manifest *manifest, const char *namespace)
{
    struct json_object *body = json_object_new_object();

    copy_rest(body, manifest->raw);
    prb_json_set(body, "metadata", body_metadata(manifest, namespace));
    prb_manifest_fold_secret(body);
    return body;
}

static void overlay(struct json_object *metadata, const struct json_object *from, const char *key)
{
    const struct json_object *wanted = prb_json_obj(from, key);
    struct json_object_iterator at;
    struct json_object *value, *to;
    bool started = false;
    const char *name;

    if (!wanted)
        return;
    to = prb_json_ensure_obj(metadata, key);
    while (prb_json_next(wanted, &at, &started, &name, &value)) {
        if (value)
            prb_json_set(to, name, prb_json_copy(value));
    }
}

struct json_object *prb_manifest_merge(
        const struct json_object *body, const struct prb_object *live)
{
    const struct json_object *wanted = prb_json_obj(body, "metadata");
    struct json_object *metadata = prb_json_copy(prb_object_metadata(live));
    struct json_object *merged = json_object_new_object();

    copy_rest(merged, body);
    prb_json_del(metadata, "managedFields"); /* absent is "as they are" */
    overlay(metadata, wanted, "labels");
    overlay(metadata, wanted, "annotations");
    prb_json_set(merged, "metadata", metadata);
    copy_member(merged, prb_object_tree(live), "status");
    prb_manifest_keep_allocated(merged, prb_object_tree(live));
    return merged;
}
