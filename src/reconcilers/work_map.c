/*
 * Which pairs does a changed object concern, and which kinds are to be watched?
 *
 * Everything leads to an AppliedManifestWork, which need not exist. An object on the cluster leads
 * to those that own it and to those that have it on record: what is orphaned is kept up to date as
 * well.
 */

#include "work_map.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "work_internal.h"

bool prb_work_key(const struct prb_work_settings *settings, const char *work, struct prb_ref *ret)
{
    char name[PRB_SHA256_HEX_SIZE + PRB_NAME_SIZE];

    (void)snprintf(name, sizeof(name), "%s-%s", settings->hub_hash, work);
    return prb_ref_init(ret, &prb_work_applied, NULL, name);
}

const char *prb_work_of_key(const struct prb_work_settings *settings, const struct prb_ref *key)
{
    size_t len = strlen(settings->hub_hash);

    if (len == 0 || !prb_starts_with(key->name, settings->hub_hash) || key->name[len] != '-')
        return "";
    return key->name + len + 1;
}

void prb_work_map_work(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *ref, const struct prb_object *object, prb_work_enqueue_fn *enqueue,
        void *ctx)
{
    const struct prb_work_settings *settings = self->settings;
    struct prb_ref key;

    (void)view;
    (void)object;
    if (!settings || !prb_streq(ref->namespace, settings->cluster_name))
        return;

    /* One whose AppliedManifestWork can have no name is told so itself. */
    enqueue(ctx, prb_work_key(settings, ref->name, &key) ? &key : ref);
}

/* To whom kinds are named. */
struct wanting {
    const struct prb_work_settings *settings;
    void (*want)(void *ctx, const char *group, const char *resource);
    void *ctx;
};

/* What is on the hub's side is none of the cluster's kinds, whoever writes it into a manifest. */
static void want_one(const struct wanting *wanting, const char *group, const char *resource)
{
    if (resource && resource[0] != '\0' && !prb_side_is_hub(group))
        wanting->want(wanting->ctx, group, resource);
}

static bool want_manifests(void *ctx, const struct prb_object *work)
{
    const struct json_object *list =
            prb_json_arr(prb_json_obj(prb_object_spec(work), "workload"), "manifests");
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *manifest = prb_json_elem(list, i);
        const char *api_version = prb_json_str(manifest, "apiVersion");

        if (api_version && prb_api_version_parse(api_version, group, version))
            want_one(ctx, group, prb_json_str(manifest, "kind"));
    }
    return true;
}

static bool want_recorded(void *ctx, const struct prb_object *applied)
{
    const struct json_object *list = prb_json_arr(prb_object_status(applied), "appliedResources");
    const struct wanting *wanting = ctx;

    if (!prb_streq(prb_work_agent_of(applied), wanting->settings->agent_id))
        return true;
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *group = prb_json_str(prb_json_elem(list, i), "group");

        want_one(wanting, group ? group : "", prb_json_str(prb_json_elem(list, i), "resource"));
    }
    return true;
}

void prb_work_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    struct wanting wanting = { .settings = self->settings, .want = want, .ctx = ctx };

    if (!wanting.settings)
        return;
    prb_view_each(view, &prb_work_works, wanting.settings->cluster_name, want_manifests, &wanting);
    prb_view_each(view, &prb_work_applied, NULL, want_recorded, &wanting);
}

/* An object that changed, and to whom that is told. */
struct change {
    const struct prb_ref *ref;
    const struct prb_object *object;
    prb_work_enqueue_fn *enqueue;
    void *ctx;
};

static bool tell(void *ctx, const struct prb_object *applied)
{
    const struct change *change = ctx;
    struct prb_ref key;

    if (prb_object_ref_in(applied, &prb_work_applied, &key))
        change->enqueue(change->ctx, &key);
    return true;
}

/* The name first: it is the least likely to be the same. */
static bool is_meant(const struct json_object *entry, const struct prb_ref *ref)
{
    const char *group = prb_json_str(entry, "group");
    const char *namespace = prb_json_str(entry, "namespace");

    return prb_streq(prb_json_str(entry, "name"), ref->name) &&
           prb_streq(prb_json_str(entry, "resource"), ref->gvr.resource) &&
           prb_streq(namespace ? namespace : "", ref->namespace) &&
           prb_streq(group ? group : "", ref->gvr.group);
}

static bool tell_if_recorded(void *ctx, const struct prb_object *applied)
{
    const struct json_object *list = prb_json_arr(prb_object_status(applied), "appliedResources");
    const struct change *change = ctx;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (is_meant(prb_json_elem(list, i), change->ref))
            return tell(ctx, applied);
    }
    return true;
}

static void tell_owners(const struct change *change)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    struct prb_owner owner;
    struct prb_ref key;

    for (size_t i = 0; i < prb_object_owner_count(change->object); i++) {
        if (prb_object_owner_at(change->object, i, &owner) &&
                prb_streq(owner.kind, "AppliedManifestWork") &&
                prb_api_version_parse(owner.api_version, group, version) &&
                prb_streq(group, prb_work_applied.group) &&
                prb_ref_init(&key, &prb_work_applied, NULL, owner.name))
            change->enqueue(change->ctx, &key);
    }
}

void prb_work_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_work_enqueue_fn *enqueue, void *ctx)
{
    struct change change = { .ref = ref, .object = object, .enqueue = enqueue, .ctx = ctx };

    if (object)
        tell_owners(&change);
    prb_view_each(view, &prb_work_applied, NULL, object ? tell_if_recorded : tell, &change);
}
