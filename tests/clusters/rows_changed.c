/* Does a deletion follow what changes in the middle of it? */

#include "probate/base/mem.h"

#include "rows.h"

#define KEEP "cluster.open-cluster-management.io/keep-upon-cluster-deletion"

static int the_namespace_is_kept_after_all(struct estate *estate)
{
    DO(estate_found(estate));
    DO(make_customised(estate, "mine"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "WorksRemaining", "mine"));
    DO(estate_patch(estate, NAMESPACE, NULL, "{'metadata':{'labels':{'" KEEP "':'yes'}}}"));
    DO(finish_work(estate, "mine"));
    DO(estate_await_end(estate, ORDER_KEPT));
    DO(estate_expect_untouched(estate, NAMESPACE, NULL));
    return estate_await_event(estate, "NamespaceKept");
}

/* One addon is deleted already and held, the other has its turn after it. */
static int a_monitored_resource_appears(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "first", HELD_BY_HOOK));
    DO(estate_make(estate, ADDON, "second", PRIORITY("1")));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_deleting(estate, ADDON, "first"));
    DO(estate_make(estate, MONITORED, "late", ""));
    DO(estate_await_said(estate, "MonitoredResourcesRemaining", "late"));
    DO(estate_release(estate, ADDON, "first"));
    DO(estate_await_gone(estate, ADDON, "first"));
    DO(estate_expect_untouched(estate, ADDON, "second"));
    DO(estate_delete(estate, MONITORED, "late"));
    return estate_await_end(estate, 0);
}

static int play_refused(struct estate *estate, const char *addon, const struct prb_ref *ref)
{
    DO(estate_make(estate, ADDON, addon, ""));
    DO(estate_make_addon_work(estate, "deploy", addon));
    target_refuse(estate->target, ref);
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "CleanupFailed", addon));
    DO(estate_await_event(estate, "CleanupFailed"));
    DO(estate_expect_untouched(estate, ADDON, addon));
    DO(estate_expect_untouched(estate, WORK, "deploy"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "registration"));
    DO(estate_expect_untouched(estate, NAMESPACE, NULL));
    target_permit(estate->target, ref);
    DO(estate_await_deleting(estate, WORK, "deploy"));
    DO(estate_release(estate, WORK, "deploy"));
    return estate_await_end(estate, 0);
}

static int a_right_is_missing(struct estate *estate)
{
    prb_autofree char *addon = prb_asprintf("%s-addon", estate->id);
    struct prb_ref ref = estate_ref(estate, ADDON, addon);
    int r;

    DO(estate_found(estate));
    r = play_refused(estate, addon, &ref);
    target_permit(estate->target, &ref);
    return r;
}

/* The deletion of the first one is held by an addon when its finalizer is stripped. */
static int strip_in_the_middle(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "first", HELD_BY_HOOK));
    DO(estate_make(estate, ADDON, "second", PRIORITY("1")));
    DO(estate_make_addon_work(estate, "deploy", "first"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "AddOnsRemaining", "first"));
    DO(estate_release(estate, CLUSTER, NULL));
    return estate_await_gone(estate, CLUSTER, NULL);
}

static int another_cluster_gets_the_name(struct estate *estate)
{
    DO(strip_in_the_middle(estate));
    DO(estate_make(estate, CLUSTER, NULL, ""));
    DO(estate_await_held(estate));
    DO(estate_await_unmarked(estate));
    DO(estate_release(estate, ADDON, "first")); /* its deletion cannot be taken back */
    DO(estate_await_gone(estate, ADDON, "first"));
    DO(estate_await_event(estate, "MarkTakenOff"));
    DO(estate_expect_untouched(estate, ADDON, "second"));
    DO(estate_expect_untouched(estate, WORK, "deploy"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_expect_untouched(estate, NAMESPACE, NULL));
    return estate_expect_untouched(estate, CLUSTER, NULL);
}

static int the_finalizer_is_stripped(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "slow", HELD_BY_HOOK));
    DO(estate_make_addon_work(estate, "deploy", "slow"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "AddOnsRemaining", "slow"));
    DO(estate_release(estate, CLUSTER, NULL));
    DO(estate_await_gone(estate, CLUSTER, NULL));
    DO(estate_release(estate, ADDON, "slow"));
    DO(estate_await_deleting(estate, WORK, "deploy"));
    DO(estate_release(estate, WORK, "deploy"));
    return estate_await_end(estate, ORDER_STRIPPED);
}

static const struct row list[] = {
    { "the keep label is added in the middle", AS_IT_COMES, the_namespace_is_kept_after_all },
    { "a monitored resource appears in the middle of the addons", AS_IT_COMES,
            a_monitored_resource_appears },
    { "a right is missing: it is told, and nothing later in the order happens", AS_IT_COMES,
            a_right_is_missing },
    { "another cluster gets the name: it is not harmed", AS_IT_COMES,
            another_cluster_gets_the_name },
    { "the finalizer is stripped by hand: clean-up goes on", AS_IT_COMES,
            the_finalizer_is_stripped },
};

ROW_LIST(rows_changed);
