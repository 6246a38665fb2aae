/*
 * Which Namespaces carry the label of protection?
 *
 * Those that some CriticalService names as its provider's, whether or not the Deployment is there;
 * no others. Its existence counts, so a value that somebody else gave it stays. A Namespace that is
 * on its way out gets none any more: its deletion has passed. Nor does one that is exempt: the
 * label would say that it is protected.
 */

#include "critical_service_internal.h"

/* Before the CriticalServices could be read, or where their kind is not installed, nobody knows
 * what is guarded. */
#define LOOK_AGAIN_MS 30000

static bool has_provider(void *ctx, const struct prb_object *object)
{
    bool *found = ctx;
    struct prb_critical_service service;
    struct prb_ref provider;

    prb_critical_service_read(object, &service);
    *found = prb_critical_service_provider(&service, &provider);
    return !*found;
}

static bool is_guarded(const struct prb_view *view, const struct prb_ref *key)
{
    bool found = false;

    prb_crit_each_guard(view, key->name, "", has_provider, &found);
    return found;
}

static bool find_blank(void *ctx, const struct prb_object *object)
{
    bool *found = ctx;
    struct prb_critical_service service;

    prb_critical_service_read(object, &service);
    *found = prb_critical_service_is_blank(&service);
    return !*found;
}

/* May the provider of some CriticalService be anywhere? Then no label is taken off. */
static bool is_any_blank(const struct prb_view *view)
{
    bool found = false;

    prb_view_each(view, &prb_critical_services, NULL, find_blank, &found);
    return found;
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

void prb_crit_decide_label(const struct prb_critical_settings *settings,
        const struct prb_view *view, const struct prb_ref *key, const struct prb_object *object,
        struct prb_changes *out)
{
    bool labelled = prb_object_label(object, PRB_LABEL_PROTECTED) != NULL;
    bool guarded;

    if (!prb_view_knows(view, &prb_critical_services)) {
        if (labelled)
            prb_changes_again(out, LOOK_AGAIN_MS);
        return;
    }
    guarded = is_guarded(view, key);
    if (guarded && !labelled && !prb_object_is_deleting(object) &&
            !prb_crit_is_exempt(settings, view, object)) {
        prb_changes_merge_patch(
                out, key, label_patch("true"), NULL, NULL, "a CriticalService protects it");
        out->items[out->count - 1].absent_is_done = true;
    } else if (!guarded && labelled && is_any_blank(view)) {
        prb_changes_again(out, LOOK_AGAIN_MS);
    } else if (!guarded && labelled) {
        prb_changes_merge_patch(out, key, label_patch(NULL), NULL,
                prb_object_resource_version(object), "no CriticalService protects it any more");
        out->items[out->count - 1].absent_is_done = true;
    }
}
