/* What must hold for every change that the controller makes to cluster c1, whatever others do? */

#include "cluster_laws.h"

#include <string.h>

#include "probate/base/str.h"

#include "cluster_hub.h"
#include "cluster_world.h"

bool the_cache_is_fresh;

bool is_kept(void)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = live(NS1);

    return namespace && !prb_object_is_deleting(namespace) &&
           prb_object_label(
                   namespace, "cluster.open-cluster-management.io/keep-upon-cluster-deletion");
}

/* Is the namespace still as the change means it? Otherwise the server refuses that. */
static bool is_as_seen(const struct prb_change *change)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = live(NS1);

    return namespace && prb_streq(change->resource_version, prb_object_resource_version(namespace));
}

bool is_marked(void)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = live(NS1);

    return namespace && prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID);
}

/* Is it a work of the addon elsewhere, which is there? */
static bool is_hosted(const struct prb_change *change)
{
    char text[PRB_REF_TEXT_SIZE];
    prb_auto(prb_object_unref) struct prb_object *work = NULL;

    prb_ref_format(&change->ref, text);
    work = live(text);
    return work && prb_object_label(work, "open-cluster-management.io/addon-namespace") &&
           is_there(ADDONS "/c2/host");
}

/* With a cache that is behind: what cannot be undone is asked for before it is done. */
static const char *law_of_deletion(const struct prb_change *change)
{
    const char *resource = change->ref.gvr.resource;

    if (!is_marked() && change->ref.namespace[0])
        return "deleted without a mark";
    if (count_in(MONITORED, "c1") > 0)
        return "deleted while a monitored resource is left";
    if (prb_streq(resource, "managedclusteraddons"))
        return NULL;
    if (prb_streq(resource, "manifestworks"))
        return cluster_hub.settings.delete_works == PRB_DELETE_WORKS_ADDON && is_hosted(change)
                       ? "a work deleted whose addon is there"
                       : NULL;
    if (count_in(WORKS, "c1") > 0)
        return "deleted while a work is left";
    if (!prb_streq(resource, "namespaces"))
        return NULL;
    if (count_in(ADDONS, "c1") > 0)
        return "namespace deleted while an addon is left";
    return is_as_seen(change) && is_kept() ? "namespace deleted that is to be kept" : NULL;
}

static const char *law_of_order(const struct prb_change *change)
{
    const char *resource = change->ref.gvr.resource;

    if (!prb_streq(resource, "managedclusteraddons") && count_in(ADDONS, "c1") > 0)
        return "deleted while an addon is left";
    if (prb_streq(resource, "namespaces") &&
            (count_in(ROLEBINDINGS, "c1") > 0 || is_there(ROLES "//" RBAC_NAME("")) ||
                    is_there(BINDINGS "//" RBAC_NAME(""))))
        return "namespace deleted while rights are left";
    return law_of_deletion(change);
}

/* What holds for every single change, whatever the cache is like. */
const char *law(const struct prb_change *change)
{
    if (change->type == PRB_CHANGE_EXPECT_ABSENT || change->type == PRB_CHANGE_EXPECT_NONE)
        return NULL; /* only looks */
    if (!prb_streq(change->ref.namespace[0] ? change->ref.namespace : "c1", "c1"))
        return "not in the cluster's namespace";
    if (!change->ref.namespace[0] && !strstr(change->ref.name, "c1"))
        return "not the cluster's";
    if (change->type == PRB_CHANGE_DELETE && prb_streq(change->ref.gvr.resource, "manifestworks") &&
            cluster_hub.settings.delete_works == PRB_DELETE_WORKS_NONE)
        return "a work deleted, with --delete-works=none";
    if (change->type == PRB_CHANGE_JSON_PATCH &&
            prb_streq(change->ref.gvr.resource, "managedclusters") && is_going(C1) &&
            prb_json_len(change->body) > 1 && is_there(NS1) && !is_kept() && the_cache_is_fresh)
        return "the finalizer goes before the namespace";
    if (change->type != PRB_CHANGE_DELETE)
        return NULL;
    return the_cache_is_fresh ? law_of_order(change) : law_of_deletion(change);
}
