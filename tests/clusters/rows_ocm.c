/*
 * Does a deletion end rightly, and harm nothing, while OCM's own controllers do what they do? Its
 * managedcluster controller removes rights at once, its garbage collector (ResourceCleanup) deletes
 * addons and works, and has a finalizer and a condition of its own. Also the order of works by
 * priority, which is OCM's idea.
 */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "ocm.h"
#include "rows.h"

#define KLUSTERLET_LABEL "'labels':{'import.open-cluster-management.io/klusterlet-works':'true'}"
#define GC_FINALIZER "cluster.open-cluster-management.io/resource-cleanup"

static int make_works_of_all_priorities(struct estate *estate)
{
    DO(estate_make(estate, WORK, "plain", HELD_BY_AGENT));
    DO(estate_make(estate, WORK, "twenty", PRIORITY("20") "," HELD_BY_AGENT));
    return estate_make(estate, WORK, "klusterlet", PRIORITY("100") "," HELD_BY_AGENT);
}

/* It is this one's turn, and not yet the next one's. */
static int take_turn(struct estate *estate, const char *work, const char *next)
{
    DO(estate_await_deleting(estate, WORK, work));
    DO(estate_expect_untouched(estate, WORK, next));
    return estate_release(estate, WORK, work);
}

static int the_klusterlet_goes_last(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "search", HELD_BY_HOOK));
    DO(make_works_of_all_priorities(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_deleting(estate, ADDON, "search"));
    DO(estate_expect_untouched(estate, WORK, "plain"));
    DO(estate_release(estate, ADDON, "search"));
    DO(take_turn(estate, "plain", "twenty"));
    DO(take_turn(estate, "twenty", "klusterlet"));
    DO(estate_await_deleting(estate, WORK, "klusterlet"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "registration"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_release(estate, WORK, "klusterlet"));
    return estate_await_end(estate, 0);
}

/* As an import controller makes them: with names and a label, and without an annotation. */
static int the_klusterlet_is_recognised(struct estate *estate)
{
    prb_autofree char *klusterlet = prb_asprintf("%s-klusterlet", estate->id);
    prb_autofree char *crds = prb_asprintf("%s-klusterlet-crds", estate->id);

    DO(estate_found(estate));
    DO(estate_make(estate, WORK, crds, KLUSTERLET_LABEL "," HELD_BY_AGENT));
    DO(estate_make(estate, WORK, klusterlet, KLUSTERLET_LABEL "," HELD_BY_AGENT));
    DO(estate_make(estate, WORK, "plain", HELD_BY_AGENT));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(take_turn(estate, "plain", klusterlet));
    DO(take_turn(estate, klusterlet, crds));
    DO(estate_await_deleting(estate, WORK, crds));
    DO(estate_release(estate, WORK, crds));
    return estate_await_end(estate, 0);
}

/* What OCM says about it while it works. */
static int put_condition(struct estate *estate)
{
    return estate_patch_status(estate,
            "{'status':{'conditions':[{'type':'Deleting','status':'False','reason':"
            "'ResourceRemaining','message':'works remain','lastTransitionTime':"
            "'2026-01-02T03:04:05Z'}]}}");
}

static int expect_conditions(struct estate *estate)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = estate_get(estate, CLUSTER, NULL);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 4096);
    if (!cluster)
        return estate_fail(estate, "the cluster went with the finalizer of another on it");
    prb_json_print(prb_json_arr(prb_object_status(cluster), "conditions"), &text);
    if (!strstr(prb_str_get(&text), "ResourceRemaining") ||
            !strstr(prb_str_get(&text), "ContentDeleted"))
        return estate_fail(estate, "a condition is missing: %s", prb_str_get(&text));
    if (!prb_object_has_finalizer(cluster, GC_FINALIZER) ||
            prb_object_finalizer_count(cluster) != 1)
        return estate_fail(estate, "the finalizers of others are not what they were");
    return 0;
}

static int a_second_finalizer_holds_the_cluster(struct estate *estate)
{
    DO(ocm_found(estate));
    DO(estate_add_finalizer(estate, CLUSTER, NULL, GC_FINALIZER));
    DO(put_condition(estate));
    DO(estate_make(estate, WORK, "slow", HELD_BY_AGENT));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(ocm_remove_rights(estate));
    DO(estate_await_deleting(estate, WORK, "slow"));
    DO(estate_await_deleting(estate, ROLEBINDING, "work")); /* by OCM, and held by its finalizer */
    DO(estate_await_said(estate, "WorksRemaining", "slow (being deleted since "));
    DO(estate_release(estate, WORK, "slow"));
    DO(estate_await_said(estate, "ContentDeleted", "is gone"));
    DO(estate_await_released(estate));
    DO(expect_conditions(estate));
    DO(estate_release(estate, CLUSTER, NULL));
    return estate_await_end(estate, 0);
}

static int the_collector_deletes_too(struct estate *estate)
{
    static const char meta[] = "'labels':{" AGENTS "," OTHERS_LABEL "},";
    prb_autofree char *addon = prb_asprintf("%s" HELD_BY_HOOK, meta);
    prb_autofree char *work = prb_asprintf("%s" HELD_BY_AGENT, meta);

    DO(ocm_found(estate));
    for (int i = 0; i < 4; i++) {
        prb_autofree char *name = prb_asprintf("n%d", i);

        DO(estate_make(estate, ADDON, name, addon));
        DO(estate_make(estate, WORK, name, work));
    }
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(ocm_remove_rights(estate));
    DO(ocm_collect(estate));
    return estate_await_end(estate, 0);
}

static const struct row list[] = {
    { "the klusterlet's own work goes last of all", ALL_WORKS, the_klusterlet_goes_last },
    { "the klusterlet's own works go last without an annotation, its CRDs last of all", ALL_WORKS,
            the_klusterlet_is_recognised },
    { "OCM removes rights early, and has a finalizer and a condition of its own", ALL_WORKS,
            a_second_finalizer_holds_the_cluster },
    { "OCM's collector deletes addons and works at the same time", ALL_WORKS,
            the_collector_deletes_too },
};

ROW_LIST(rows_ocm);
