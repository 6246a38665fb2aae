/*
 * What does a deletion wait for?
 *
 * Looks at:  metadata of ManagedClusters, ManifestWorks, ManagedClusterAddOns and Namespaces
 * Says:      for each that is being deleted its finalizers and for how long; for a cluster and a
 *            namespace also the works and addons that are left in it. Works are read only in
 *            namespaces that go, or whose cluster goes
 * Writes:    nothing
 * Why:       a deletion that hangs is the commonest trouble of a hub, and the objects that hold it
 *            up are spread over four kinds
 */

#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/names.h"
#include "probate/reconcilers/registry.h"

#include "cluster_names.h"

/* The text says for how long; a minute is as precise as it gets after the first hour. */
#define LOOK_AGAIN_MS 60000

static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };
static const struct prb_gvr works = { "work.open-cluster-management.io", "v1", "manifestworks" };
static const struct prb_gvr addons = { "addon.open-cluster-management.io", "v1alpha1",
    "managedclusteraddons" };
static const struct prb_gvr namespaces = { "", "v1", "namespaces" };

/* Between two parts of the text. */
static void separate(struct prb_str *text)
{
    if (text->len > 0)
        prb_str_add(text, "; ");
}

/* Objects of one kind that are left in a namespace, and the first of them by name. */
struct left {
    size_t count;
    size_t named;
    const struct prb_object *first[PRB_NAMES_MAX]; /* borrowed from the view */
};

static bool count_left(void *ctx, const struct prb_object *object)
{
    struct left *left = ctx;
    size_t at = left->named;

    left->count++;
    while (at > 0 && strcmp(prb_object_name(left->first[at - 1]), prb_object_name(object)) > 0)
        at--;
    if (at == PRB_NAMES_MAX)
        return true;
    if (left->named < PRB_NAMES_MAX)
        left->named++;
    memmove(&left->first[at + 1], &left->first[at],
            (left->named - at - 1) * sizeof(struct prb_object *));
    left->first[at] = object;
    return true;
}

static void add_unknown(struct prb_str *text, const struct prb_view *view,
        const struct prb_gvr *gvr, const char *kind)
{
    const char *why = prb_view_unread(view, gvr);

    separate(text);
    prb_str_addf(text, "%ss: not known yet%s%s", kind, why ? ": " : "", why ? why : "");
}

/* "2 works left in namespace c1: a (finalizer x), b"; `kind` is singular and takes an "s". */
static void add_left(struct prb_str *text, const struct prb_view *view, const struct prb_gvr *gvr,
        const char *kind, const char *namespace)
{
    struct left left = { .count = 0 };

    if (!prb_view_knows_in(view, gvr, namespace)) {
        add_unknown(text, view, gvr, kind);
        return;
    }
    prb_view_each(view, gvr, namespace, count_left, &left);
    if (left.count == 0)
        return;

    separate(text);
    prb_str_addf(text, "%zu %s%s left in namespace %s: ", left.count, kind,
            left.count == 1 ? "" : "s", namespace);
    for (size_t i = 0; i < left.count && prb_names_next(text, i, left.count); i++) {
        prb_str_add(text, prb_object_name(left.first[i]));
        if (prb_object_finalizer_count(left.first[i]) > 0) {
            prb_str_add(text, " (");
            prb_names_finalizers(text, left.first[i]);
            prb_str_addc(text, ')');
        }
    }
}

/* " (deleting for 12m)" */
static void add_duration(
        struct prb_str *text, const struct prb_view *view, const struct prb_object *object)
{
    int64_t since = prb_object_deleted_at_ms(object);
    char duration[PRB_TIME_SIZE];

    if (since == 0) {
        prb_str_add(text, " (deleting)");
        return;
    }
    prb_duration_format(prb_view_now_ms(view) - since, duration);
    prb_str_addf(text, " (deleting for %s)", duration);
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    const struct prb_object *object = prb_view_find(view, key);
    prb_auto(prb_str_done) struct prb_str text;

    (void)self;
    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    if (!object || !prb_object_is_deleting(object))
        return;

    prb_names_finalizers(&text, object);
    if (prb_gvr_equal(&key->gvr, &clusters) || prb_gvr_equal(&key->gvr, &namespaces)) {
        /* The namespace of a cluster has the cluster's name. */
        add_left(&text, view, &works, "work", key->name);
        add_left(&text, view, &addons, "addon", key->name);
    }
    if (text.len == 0)
        prb_str_add(&text, "nothing that Probate watches");
    add_duration(&text, view, object);
    prb_changes_wait(out, "%s", prb_str_get(&text));
    prb_changes_again(out, LOOK_AGAIN_MS);
}

/* The namespaces of clusters that go, and those that go by themselves: what a hub holds beside them
 * is far more, and nothing to do with a deletion. */
struct going {
    void (*name)(void *ctx, const char *namespace);
    void *ctx;
};

static bool name_if_going(void *ctx, const struct prb_object *object)
{
    const struct going *going = ctx;

    if (prb_object_is_deleting(object))
        going->name(going->ctx, prb_object_name(object));
    return true;
}

static void name_going(const struct prb_reconciler *self, const struct prb_view *view,
        void (*name)(void *ctx, const char *namespace), void *ctx)
{
    struct going going = { .name = name, .ctx = ctx };

    (void)self;
    prb_view_each(view, &clusters, NULL, name_if_going, &going);
    prb_view_each(view, &namespaces, NULL, name_if_going, &going);
}

/* A work or an addon is also what its namespace and the cluster of that name wait for. */
static void map_content(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct prb_ref key;

    (void)view;
    if (object)
        enqueue(ctx, ref);
    if (prb_ref_init(&key, &clusters, NULL, ref->namespace))
        enqueue(ctx, &key);
    if (prb_ref_init(&key, &namespaces, NULL, ref->namespace))
        enqueue(ctx, &key);
}

/* A hub may lack a kind, or get it later; what is not known is said in the text. */
static const struct prb_watch_spec watches[] = {
    { .group = clusters.group,
            .version = clusters.version,
            .resource = clusters.resource,
            .optional = true },
    { .group = works.group,
            .version = works.version,
            .resource = works.resource,
            .annotations = prb_work_annotations,
            .by_namespace = true,
            .map = map_content },
    { .group = addons.group,
            .version = addons.version,
            .resource = addons.resource,
            .optional = true,
            .map = map_content },
    { .group = namespaces.group, .version = namespaces.version, .resource = namespaces.resource },
};

static const struct prb_right rights[] = {
    { clusters.group, clusters.resource, "list,watch" },
    { works.group, works.resource, "list,watch" },
    { addons.group, addons.resource, "list,watch" },
    { namespaces.group, namespaces.resource, "list,watch" },
};

const struct prb_reconciler prb_reconciler_deletion_watch = {
    .name = "deletion-watch",
    .summary = "says at every moment what the deletion of a cluster, work, addon or namespace "
               "waits for",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .decide = decide,
    .namespaces = name_going,
};
