/* What does Probate leave on objects, and how is it taken off? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"
#include "probate/model/patch.h"
#include "probate/reconcilers/cluster_deletion.h"

#include "remove.h"

#define POINTER_MAX 512

/* Names of finalizers: some of the longest. */
#define OTHERS_MAX 2048

/* Finalizers in here nobody but Probate takes off, whoever put them back. */
#define DOMAIN "probate.dev/"

/* A JSON patch that takes those that are there out of labels or annotations, of this very object;
 * NULL: none is. `keys` ends with NULL. */
static struct json_object *take_out(
        const struct prb_object *object, const char *where, const char *const *keys)
{
    const struct json_object *map = prb_json_obj(prb_object_metadata(object), where);
    struct json_object *patch = NULL;

    for (; *keys; keys++) {
        prb_auto(prb_str_done) struct prb_str pointer;

        prb_str_init(&pointer, POINTER_MAX);
        if (!prb_json_has(map, *keys))
            continue;
        if (!patch) {
            patch = prb_json_patch_new();
            prb_json_patch_add(
                    patch, "test", "/metadata/uid", json_object_new_string(prb_object_uid(object)));
        }
        prb_str_addf(&pointer, "/metadata/%s", where);
        prb_json_pointer_add(&pointer, *keys);
        prb_json_patch_add(patch, "remove", prb_str_get(&pointer), NULL);
    }
    return patch;
}

static struct json_object *find_label(const struct prb_object *object, char **ret_text)
{
    static const char *const keys[] = { PRB_LABEL_PROTECTED, NULL };
    struct json_object *patch = take_out(object, "labels", keys);

    if (patch)
        *ret_text = prb_strdup("label " PRB_LABEL_PROTECTED);
    return patch;
}

static struct json_object *find_mark(const struct prb_object *object, char **ret_text)
{
    static const char *const keys[] = { PRB_MARK_CLUSTER_UID, PRB_MARK_NAMESPACE_UID,
        PRB_MARK_KEEPS, NULL };
    struct json_object *patch = take_out(object, "annotations", keys);

    if (patch)
        *ret_text = prb_strdup("mark " PRB_MARK_CLUSTER_UID);
    return patch;
}

/* managedFields[].fieldsV1, as the API server writes it. */
static bool owns(const struct json_object *entry, const char *key)
{
    const struct json_object *fields = prb_json_obj(entry, "fieldsV1");

    return prb_json_has(prb_json_obj(prb_json_obj(fields, "f:metadata"), "f:finalizers"), key);
}

bool prb_remove_is_ours(const struct prb_object *object, const char *finalizer)
{
    const struct json_object *entries = prb_json_arr(prb_object_metadata(object), "managedFields");
    prb_autofree char *key = prb_asprintf("v:\"%s\"", finalizer);
    bool ours = false;

    if (prb_starts_with(finalizer, DOMAIN))
        return true;
    for (size_t i = 0; i < prb_json_len(entries); i++) {
        const struct json_object *entry = prb_json_elem(entries, i);

        if (!owns(entry, key))
            continue;
        if (!prb_streq(prb_json_str(entry, "manager"), PRB_FIELD_MANAGER))
            return false;
        ours = true;
    }
    return ours;
}

/* Names our finalizer and, on an object that is being deleted, the finalizers of others. */
static char *describe(const struct prb_object *object, const char *ours)
{
    prb_auto(prb_str_done) struct prb_str others;

    prb_str_init(&others, OTHERS_MAX);
    for (size_t i = 0; i < prb_object_finalizer_count(object); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);

        if (finalizer && !prb_streq(finalizer, ours))
            prb_str_addf(&others, "%s%s", others.len > 0 ? ", " : "", finalizer);
    }
    if (!prb_object_is_deleting(object))
        return prb_asprintf("finalizer %s", ours);
    if (others.len == 0)
        return prb_asprintf("finalizer %s (it is being deleted, and let go)", ours);
    return prb_asprintf(
            "finalizer %s (it is being deleted, and still held by %s)", ours, prb_str_get(&others));
}

/* One at a time: the next round finds the next. */
static struct json_object *find_finalizer(const struct prb_object *object, char **ret_text)
{
    for (size_t i = 0; i < prb_object_finalizer_count(object); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);

        if (!finalizer || !prb_remove_is_ours(object, finalizer))
            continue;
        *ret_text = describe(object, finalizer);
        return prb_patch_remove_finalizer(object, finalizer);
    }
    return NULL;
}

struct json_object *prb_remove_finalizer(const struct prb_object *object, char **ret_text)
{
    return find_finalizer(object, ret_text);
}

#define OCM "open-cluster-management.io"

/* In this order: a label that stays protects what can no longer be asked about; a finalizer that
 * stays holds what nobody will ever let go. */
const struct prb_trace prb_traces[] = {
    { .step = "labels",
            .what = "Namespaces that were protected",
            .gvr = { "", "v1", "namespaces" },
            .selector = PRB_LABEL_PROTECTED,
            .find = find_label },
    { .step = "marks",
            .what = "Namespaces of deleted clusters",
            .gvr = { "", "v1", "namespaces" },
            .find = find_mark },
    { .step = "clusters",
            .what = "ManagedClusters",
            .gvr = { "cluster." OCM, "v1", "managedclusters" },
            .find = find_finalizer },
    { .step = "works",
            .what = "ManifestWorks",
            .gvr = { "work." OCM, "v1", "manifestworks" },
            .works = true,
            .find = find_finalizer },
    { .step = "applied-works",
            .what = "AppliedManifestWorks",
            .gvr = { "work." OCM, "v1", "appliedmanifestworks" },
            .find = find_finalizer },
    { .step = "policies",
            .what = "ConfigurationPolicies",
            .gvr = { "policy." OCM, "v1", "configurationpolicies" },
            .find = find_finalizer },
};
const size_t prb_trace_count = sizeof(prb_traces) / sizeof(prb_traces[0]);

const struct prb_trace prb_old_labels = { .step = "labels",
    .what = "Deployments with a label of Probate 0.1",
    .gvr = { "apps", "v1", "deployments" },
    .selector = PRB_LABEL_PROTECTED,
    .find = find_label };

/* Not for prb_old_labels: whoever asks for that has rights of their own. */
const struct prb_right prb_remove_rights[] = {
    { "", "namespaces", "get,list,patch" },
    { "cluster." OCM, "managedclusters", "get,list,patch" },
    { "work." OCM, "manifestworks", "get,list,patch" },
    { "work." OCM, "appliedmanifestworks", "get,list,patch" },
    { "policy." OCM, "configurationpolicies", "get,list,patch" },
};
const size_t prb_remove_right_count = sizeof(prb_remove_rights) / sizeof(prb_remove_rights[0]);
