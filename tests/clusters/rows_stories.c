/* Do the three user stories of design 001 end as it says? */

#include "probate/base/str.h"

#include "rows.h"
#include "support/api_objects.h"
#include "support/json_text.h"

#define KEEP "cluster.open-cluster-management.io/keep-upon-cluster-deletion"

/* Two addons, of which one has a hook and a work, and a customised work. */
static int make_content(struct estate *estate)
{
    DO(estate_make(estate, ADDON, "metrics", ""));
    DO(estate_make(estate, ADDON, "search", HELD_BY_HOOK));
    DO(estate_make_addon_work(estate, "search-deploy", "search"));
    return make_customised(estate, "mine");
}

/* What the others do, from the addons to the last work. */
static int finish_content(struct estate *estate)
{
    DO(estate_await_said(estate, "AddOnsRemaining", "search (being deleted since "));
    DO(estate_release(estate, ADDON, "search"));
    DO(estate_await_said(estate, "WorksRemaining",
            "waiting for 1 customised work: not deleted by Probate: mine"));
    DO(estate_await_deleting(estate, WORK, "search-deploy"));
    DO(estate_release(estate, WORK, "search-deploy"));
    return finish_work(estate, "mine");
}

static int the_namespace_goes(struct estate *estate)
{
    static const char *const events[] = { "DeletingAddOns", "DeletingWorks", "DeletingRoleBindings",
        "DeletingNamespace", "ContentDeleted" };

    DO(estate_found(estate));
    DO(make_content(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(finish_content(estate));
    DO(estate_await_end(estate, 0));
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        DO(estate_await_event(estate, events[i]));
    return estate_expect_story(estate, "AddOnsRemaining WorksRemaining RoleBindingsRemaining "
                                       "NamespaceRemaining ContentDeleted ");
}

static int put_configmap(struct estate *estate)
{
    struct prb_ref ref = prb_test_configmap(estate->id, "to-be-kept");
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'to-be-kept',"
                          "'namespace':'%s'}}",
                    estate->id);
    struct prb_error err;

    return prb_api_create(estate->target->direct, &ref, body, NULL, NULL, &err) < 0
                   ? estate_fail(estate, "%s", err.msg)
                   : 0;
}

static int expect_configmap(struct estate *estate)
{
    struct prb_ref ref = prb_test_configmap(estate->id, "to-be-kept");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(estate->target->direct, &ref, NULL, &object, &err) < 0
                   ? estate_fail(estate, "%s", err.msg)
                   : 0;
}

static int the_namespace_stays(struct estate *estate)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;

    DO(estate_found(estate));
    DO(estate_patch(estate, NAMESPACE, NULL, "{'metadata':{'labels':{'" KEEP "':''}}}"));
    DO(put_configmap(estate));
    DO(make_content(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(finish_content(estate));
    DO(estate_await_end(estate, ORDER_KEPT));
    DO(estate_await_event(estate, "NamespaceKept"));
    DO(expect_configmap(estate));
    namespace = estate_get(estate, NAMESPACE, NULL);
    if (!namespace || prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID))
        return estate_fail(estate, "the namespace is gone, or still has its mark");
    return estate_expect_story(
            estate, "AddOnsRemaining WorksRemaining RoleBindingsRemaining ContentDeleted ");
}

static int applications_go_first(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, MONITORED, "application", ""));
    DO(make_content(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "MonitoredResourcesRemaining",
            "1 clusterdeployments.hive.example.org left in namespace "));
    DO(estate_expect_untouched(estate, ADDON, "metrics"));
    DO(estate_delete(estate, MONITORED, "application"));
    DO(finish_content(estate));
    DO(estate_await_end(estate, 0));
    DO(estate_await_event(estate, "WaitingForMonitoredResources"));
    return estate_expect_story(estate,
            "MonitoredResourcesRemaining AddOnsRemaining WorksRemaining RoleBindingsRemaining "
            "NamespaceRemaining ContentDeleted ");
}

/* A namespace that somebody made before the cluster, without the label of OCM. */
static int found_in_older_namespace(struct estate *estate)
{
    DO(estate_make(estate, NAMESPACE, NULL, ""));
    DO(estate_await_older(estate, NAMESPACE, NULL));
    DO(estate_make(estate, CLUSTER, NULL, ""));
    return estate_await_held(estate);
}

static int turn_away(struct estate *estate)
{
    return estate_patch(estate, CLUSTER, NULL, "{'spec':{'hubAcceptsClient':false}}");
}

static int it_had_joined(struct estate *estate)
{
    DO(found_in_older_namespace(estate));
    DO(estate_patch_status(estate,
            "{'status':{'conditions':[{'type':'ManagedClusterJoined','status':'True','reason':"
            "'ManagedClusterJoined','message':'joined','lastTransitionTime':'2026-01-02T03:04:05Z'}]}}"));
    DO(turn_away(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    return estate_await_end(estate, 0);
}

static int it_had_rights(struct estate *estate)
{
    DO(found_in_older_namespace(estate));
    DO(estate_make_rights(estate));
    DO(turn_away(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    return estate_await_end(estate, 0);
}

static int it_was_never_accepted(struct estate *estate)
{
    DO(found_in_older_namespace(estate));
    DO(put_configmap(estate));
    DO(turn_away(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_end(estate, ORDER_KEPT));
    DO(estate_await_event_saying(
            estate, "NamespaceKept", "its namespace stays, as it is older than the cluster"));
    return expect_configmap(estate);
}

static const struct row list[] = {
    { "story 1: the namespace goes with the cluster", AS_IT_COMES, the_namespace_goes },
    { "story 1: the namespace goes with a cluster that had joined before it was turned away",
            AS_IT_COMES, it_had_joined },
    { "story 1: the namespace goes with a cluster whose agents have rights", AS_IT_COMES,
            it_had_rights },
    { "an older namespace of a cluster that was never accepted stays, with what is in it",
            AS_IT_COMES, it_was_never_accepted },
    { "story 2: a namespace with the keep label stays, with what is in it", AS_IT_COMES,
            the_namespace_stays },
    { "story 3: nothing is deleted before the applications are gone", AS_IT_COMES,
            applications_go_first },
};

ROW_LIST(rows_stories);
