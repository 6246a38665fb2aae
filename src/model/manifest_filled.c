/*
 * What do controllers write into an object that its manifest asked them for?
 *
 * A token into a Secret, a bundle of CAs into a ConfigMap, the rules of all roles with a label into
 * one. To write that away would take it from who relies on it, until the controller has put it
 * back; and then again.
 */

#include "probate/base/str.h"

#include "manifest_internal.h"

static void keep_member(struct json_object *merged, const struct json_object *live, const char *key)
{
    const struct json_object *value = prb_json_find(live, key);

    if (value && !prb_json_find(merged, key))
        prb_json_set(merged, key, prb_json_copy(value));
}

void prb_manifest_keep_token(struct json_object *merged, const struct json_object *live)
{
    const struct json_object *there = prb_json_obj(live, "data");
    struct json_object_iterator at;
    struct json_object *value, *data;
    bool started = false;
    const char *key;

    if (!there || !prb_streq(prb_json_str(merged, "type"), "kubernetes.io/service-account-token"))
        return;
    data = prb_json_ensure_obj(merged, "data");
    while (prb_json_next(there, &at, &started, &key, &value))
        keep_member(data, there, key);
}

/* The rules of an aggregated role are its controller's alone: "[]" is how many manifests say so. */
void prb_manifest_keep_rules(struct json_object *merged, const struct json_object *live)
{
    const struct json_object *rules = prb_json_arr(live, "rules");

    if (rules && prb_json_obj(merged, "aggregationRule"))
        prb_json_set(merged, "rules", prb_json_copy(rules));
}

/* Who asks for a bundle, and where it comes; as OpenShift has it. */
static const struct {
    const char *in, *by, *key; /* static */
} bundles[] = {
    { "labels", "config.openshift.io/inject-trusted-cabundle", "ca-bundle.crt" },
    { "annotations", "service.beta.openshift.io/inject-cabundle", "service-ca.crt" },
};

void prb_manifest_keep_injected(struct json_object *merged, const struct json_object *live)
{
    const struct json_object *metadata = prb_json_obj(merged, "metadata");
    const struct json_object *there = prb_json_obj(live, "data");

    for (size_t i = 0; there && i < sizeof(bundles) / sizeof(bundles[0]); i++) {
        if (prb_streq(prb_json_str(prb_json_obj(metadata, bundles[i].in), bundles[i].by), "true"))
            keep_member(prb_json_ensure_obj(merged, "data"), there, bundles[i].key);
    }
}
