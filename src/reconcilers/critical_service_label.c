/*
 * Which Deployments and Namespaces carry the label of protection?
 *
 * A provider that some CriticalService names, and the namespace of one that exists; nothing else.
 * Its existence counts, so a value that somebody else gave it stays. An object that is on its way
 * out gets none any more: its deletion has passed.
 */

#include "critical_service_internal.h"

/* Before the CriticalServices could be read, or where their kind is not installed, nobody knows
 * what is guarded. */
#define LOOK_AGAIN_MS 30000

struct search {
    const struct prb_view *view;
    const struct prb_ref *key;
    bool found;
};

static bool guards_deployment(void *ctx, const struct prb_object *object)
{
    struct search *search = ctx;
    struct prb_critical_service service;

    prb_critical_service_read(object, &service);
    search->found =
            prb_critical_service_provides(&service, search->key->namespace, search->key->name);
    return !search->found;
}

static bool guards_namespace(void *ctx, const struct prb_object *object)
{
    struct search *search = ctx;
    struct prb_critical_service service;
    struct prb_ref provider;

    prb_critical_service_read(object, &service);
    search->found = prb_critical_service_provider(&service, &provider) &&
                    prb_view_find(search->view, &provider) != NULL;
    return !search->found;
}

static bool is_guarded(const struct prb_view *view, const struct prb_ref *key)
{
    struct search search = { .view = view, .key = key };

    if (prb_gvr_equal(&key->gvr, &prb_namespaces))
        prb_crit_each_guard(view, key->name, "", guards_namespace, &search);
    else
        prb_crit_each_guard(view, key->namespace, key->name, guards_deployment, &search);
    return search.found;
}

/* Only this label; NULL takes it off. */
static struct json_object *label_patch(const char *value)
{
    struct json_object *patch = json_object_new_object();
    struct json_object *labels = json_object_new_object();

    prb_json_set(labels, PRB_LABEL_PROTECTED, value ? json_object_new_string(value) : NULL);
    prb_json_set(prb_json_ensure_obj(patch, "metadata"), "labels", labels);
    return patch;
}

void prb_crit_decide_label(const struct prb_view *view, const struct prb_ref *key,
        const struct prb_object *object, struct prb_changes *out)
{
    bool labelled = prb_object_label(object, PRB_LABEL_PROTECTED) != NULL;
    bool guarded;

    if (!prb_view_knows(view, &prb_critical_services) || !prb_view_knows(view, &prb_deployments)) {
        if (labelled)
            prb_changes_again(out, LOOK_AGAIN_MS);
        return;
    }
    guarded = is_guarded(view, key);
    if (guarded && !labelled && !prb_object_is_deleting(object)) {
        prb_changes_merge_patch(
                out, key, label_patch("true"), NULL, NULL, "a CriticalService protects it");
        out->items[out->count - 1].absent_is_done = true;
    } else if (!guarded && labelled) {
        prb_changes_merge_patch(out, key, label_patch(NULL), NULL,
                prb_object_resource_version(object), "no CriticalService protects it any more");
        out->items[out->count - 1].absent_is_done = true;
    }
}
