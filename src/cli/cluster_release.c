/* Which finalizers of ours hold clusters for nobody? */

#include "cluster_release.h"

#include <stdlib.h>

#include "probate/base/clock.h"
#include "probate/base/json.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

/* It matters once after a change of flags; a cluster that is restored, or was missed because the
 * server was away, has that long to wait. */
#define SWEEP_EVERY_MS INT64_C(600000)

/* Sooner when something could not be done yet: the controller needs a moment to put its finalizer
 * on all clusters, and a cluster that changed under our hands has settled by then. */
#define SWEEP_AGAIN_MS INT64_C(10000)

/*
 * What was put there more recently than this may still be seen to: by a leader that is about to
 * hand over, or by another Probate that has the controller on.
 */
#define SETTLED_MS SWEEP_EVERY_MS

/* Short, since the end of the program waits for it. */
#define CALL_MS 5000

static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };

/* managedFields[].fieldsV1, as the API server writes it: has this manager put this one there? */
static bool owns(const struct json_object *entry, const char *key)
{
    const struct json_object *fields = prb_json_obj(entry, "fieldsV1");

    return prb_json_has(prb_json_obj(prb_json_obj(fields, "f:metadata"), "f:finalizers"), key);
}

/* When Probate, and nobody else, put it there, on the wall clock; -1: it did not, 0: long ago. */
static int64_t put_at_ms(const struct prb_object *cluster, const char *finalizer)
{
    const struct json_object *entries = prb_json_arr(prb_object_metadata(cluster), "managedFields");
    prb_autofree char *key = prb_asprintf("v:\"%s\"", finalizer);
    int64_t last_ms = -1;

    for (size_t i = 0; i < prb_json_len(entries); i++) {
        const struct json_object *entry = prb_json_elem(entries, i);
        const char *time = prb_json_str(entry, "time");
        int64_t ms = 0;

        if (!owns(entry, key))
            continue;
        if (!prb_streq(prb_json_str(entry, "manager"), PRB_FIELD_MANAGER))
            return -1;
        if (time && !prb_time_parse(time, &ms))
            ms = 0;
        last_ms = ms > last_ms ? ms : last_ms;
    }
    return last_ms;
}

/* A finalizer of ours that nobody sees to. */
struct stray {
    const char *finalizer; /* borrowed from the cluster; NULL: there is none */
    int64_t put_ms;
};

static struct stray find_stray(
        const struct prb_cluster_release *release, const struct prb_object *cluster)
{
    for (size_t i = 0; i < prb_object_finalizer_count(cluster); i++) {
        struct stray stray = { .finalizer = prb_object_finalizer_at(cluster, i) };

        if (!stray.finalizer || prb_streq(stray.finalizer, release->keep))
            continue;
        stray.put_ms = put_at_ms(cluster, stray.finalizer);
        if (stray.put_ms >= 0)
            return stray;
    }
    return (struct stray){ 0 };
}

/* Only if it is as it was seen: a cluster whose deletion has begun since is left alone. */
static int take_off(struct prb_cluster_release *release, const struct prb_object *cluster,
        const char *finalizer, struct prb_error *err)
{
    const struct prb_write_options options = {
        .resource_version = prb_object_resource_version(cluster), .timeout_ms = CALL_MS
    };
    prb_auto(prb_json_free) struct json_object *patch =
            prb_patch_remove_finalizer(cluster, finalizer);
    struct prb_ref ref;
    int r;

    if (!patch || !prb_object_ref_in(cluster, &clusters, &ref))
        return 0;
    r = prb_api_patch(release->api, &ref, PRB_PATCH_JSON, patch, &options, NULL, err);
    if (r == PRB_E_CONFLICT || r == PRB_E_NOTFOUND) {
        release->again = true;
        return 0;
    }
    if (r < 0)
        return prb_wrap(err, "take finalizer %s off ManagedCluster %s", finalizer, ref.name);
    prb_info("a finalizer that no controller sees to any more is taken off",
            KV("cluster", ref.name), KV("finalizer", finalizer));
    return 0;
}

/* Since this process acts, no other of its kind does: it is one that is run in another way. */
static void tell_of_another(struct prb_cluster_release *release, const struct prb_object *cluster)
{
    if (release->told)
        return;
    release->told = true;
    prb_warn("another Probate puts its finalizer on clusters, and this one leaves it there: run "
             "both with the same --feature-gates and --cluster-finalizer, or leave "
             "cluster-deletion out here with --controllers",
            KV("cluster", prb_object_name(cluster)));
}

static int see_to_live(struct prb_cluster_release *release, const struct prb_object *cluster,
        const struct stray *stray, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();

    if (stray->put_ms >= release->since_ms) {
        tell_of_another(release, cluster);
        return 0;
    }
    if (stray->put_ms > clock->wall_ms(clock) - SETTLED_MS)
        return 0;

    /* Between the old name and the new one a cluster must not be without any. */
    if (release->keep && !prb_object_has_finalizer(cluster, release->keep)) {
        release->again = true;
        return 0;
    }
    return take_off(release, cluster, stray->finalizer, err);
}

static int see_to(struct prb_cluster_release *release, const struct prb_object *cluster,
        struct prb_error *err)
{
    const struct stray stray = find_stray(release, cluster);

    if (!stray.finalizer)
        return 0;
    if (!prb_object_is_deleting(cluster))
        return see_to_live(release, cluster, &stray, err);
    prb_warn("a cluster that is being deleted has a finalizer of Probate that no controller sees "
             "to: switch on again what put it there, or take it off by hand",
            KV("cluster", prb_object_name(cluster)), KV("finalizer", stray.finalizer));
    return 0;
}

static int see_to_page(
        struct prb_cluster_release *release, const struct prb_page *page, struct prb_error *err)
{
    for (size_t i = 0; i < page->count; i++) {
        int r;

        if (!release->go_on(release->ctx))
            return prb_fail(err, PRB_E_CANCELLED, "it may not go on");
        r = see_to(release, page->objects[i], err);
        if (r < 0)
            return r;
    }
    return 0;
}

int prb_cluster_release_sweep(struct prb_cluster_release *release, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    prb_autofree char *next = NULL;

    if (release->since_ms == 0)
        release->since_ms = clock->wall_ms(clock);
    release->again = false;
    do {
        const struct prb_list_options options = {
            .metadata_only = true, .keep_managed_fields = true, .next = next, .timeout_ms = CALL_MS
        };
        prb_auto(prb_page_done) struct prb_page page;
        int r;

        prb_page_init(&page);
        r = prb_api_list(release->api, &clusters, &options, &page, err);
        if (r == 0)
            r = see_to_page(release, &page, err);
        if (r < 0)
            return r;
        free(next);
        next = prb_take(page.next);
    } while (next);
    return 0;
}

void prb_cluster_release_tend(struct prb_cluster_release *release)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t now_ms = clock->mono_ms(clock);
    struct prb_error err;
    int r;

    if (now_ms < release->due_ms || !release->go_on(release->ctx))
        return;
    r = prb_cluster_release_sweep(release, &err);
    release->due_ms = now_ms + (release->again ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS);

    /* Without such a kind there are no clusters. */
    if (r < 0 && r != PRB_E_NOTFOUND && r != PRB_E_CANCELLED)
        prb_warn("finalizers of Probate that no controller sees to may be left on clusters",
                KV("error", err.msg));
}
