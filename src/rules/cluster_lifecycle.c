/*
 * Nothing new is created in a cluster that is going or gone.
 *
 * Looks at:  the ManagedCluster named like the namespace; for a work of an addon, that addon
 * Refuses:   CREATE of a ManagedClusterAddOn or ManifestWork when the cluster does not exist or is
 *            being deleted (403). While it is being deleted, the work of an addon that is being
 *            deleted itself and has a pre-delete finalizer passes: the addon's hook may need it.
 * Why:       what nobody will carry out or clean up must not begin
 */

#include <stdio.h>

#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "cluster_state.h"
#include "shown.h"

/* A call that failed in passing has a fair chance after this. */
#define RETRY_S 2

static const char work_group[] = "work.open-cluster-management.io";

/* What is to be created, and the texts to say it with. */
struct matter {
    const struct prb_request *request;
    const struct prb_questions *answers;
    char subject[PRB_SUBJECT_SIZE];
    char cluster[PRB_SHOWN_SIZE];
};

static bool is_work(const struct prb_request *request)
{
    return prb_streq(request->gvr.group, work_group);
}

/* Neither yes nor no: the right to ask is missing, or the answer is. */
static void say_unsure(const struct matter *matter, const char *what, const struct prb_gvr *gvr,
        const struct prb_question *answer, struct prb_verdict *out)
{
    const char *why = answer ? answer->error.msg : "it was not asked about";

    if (answer && answer->error.code == PRB_E_FORBIDDEN) {
        prb_forbid(out,
                "%s cannot be created: Probate must look up %s and lacks the right to (verb \"get\" "
                "on %s.%s). Grant it with the RBAC values of Probate's chart; \"probate manifest "
                "rbac\" prints what is needed",
                matter->subject, what, gvr->resource, gvr->group);
        return;
    }
    prb_unverified(out, RETRY_S,
            "%s cannot be created now: %s could not be looked up at the API server (%s). Try again",
            matter->subject, what, why[0] ? why : "no answer in time");
}

/* Why the work of this addon is refused; NULL: it is not. Anybody can set a label, so only an addon
 * that waits for its hook counts. */
static const char *addon_objection(enum prb_found found, const struct prb_question *answer)
{
    if (found == PRB_FOUND_LIVE)
        return "is not being deleted, so it has no pre-delete hook to run";
    if (found != PRB_FOUND_DELETING)
        return "does not exist";
    return prb_addon_has_hook(answer->object) ? NULL : "has no pre-delete finalizer";
}

static void judge_work_of_addon(const struct matter *matter, struct prb_verdict *out)
{
    char namespace[PRB_SHOWN_SIZE], name[PRB_SHOWN_SIZE];
    char addon[sizeof("ManagedClusterAddOn /") + sizeof(namespace) + sizeof(name)];
    const struct prb_question *answer = NULL;
    enum prb_found found = prb_addon_find(matter->request, matter->answers, &answer);
    const char *objection;

    (void)snprintf(addon, sizeof(addon), "ManagedClusterAddOn %s/%s",
            prb_shown_name(prb_addon_namespace(matter->request), namespace),
            prb_shown_name(prb_addon_name(matter->request), name));
    if (found == PRB_FOUND_UNSURE) {
        say_unsure(matter, addon, &prb_addons, answer, out);
        return;
    }
    objection = addon_objection(found, answer);
    if (objection)
        prb_forbid(out,
                "%s cannot be created: ManagedCluster %s is being deleted, and %s, whose work this "
                "is by its labels, %s. Wait until the cluster is gone and registered anew, or use "
                "another one",
                matter->subject, matter->cluster, addon, objection);
}

static void judge_deleting(const struct matter *matter, struct prb_verdict *out)
{
    if (is_work(matter->request) && prb_addon_name(matter->request)) {
        judge_work_of_addon(matter, out);
        return;
    }
    prb_forbid(out,
            "%s cannot be created: ManagedCluster %s is being deleted%s. Wait until the cluster is "
            "gone and registered anew, or use another one",
            matter->subject, matter->cluster,
            is_work(matter->request)
                    ? ", and only works for the pre-delete hook of an addon are accepted"
                    : "");
}

static void judge_unsure(
        const struct matter *matter, const struct prb_question *answer, struct prb_verdict *out)
{
    char what[sizeof("ManagedCluster ") + PRB_SHOWN_SIZE];

    (void)snprintf(what, sizeof(what), "ManagedCluster %s", matter->cluster);
    say_unsure(matter, what, &prb_clusters, answer, out);
}

static void judge_found(const struct matter *matter, enum prb_found found,
        const struct prb_question *answer, struct prb_verdict *out)
{
    switch (found) {
    case PRB_FOUND_LIVE:
        break;
    case PRB_FOUND_DELETING:
        judge_deleting(matter, out);
        break;
    case PRB_FOUND_NOT:
        prb_forbid(out,
                "%s cannot be created: there is no ManagedCluster %s, as its namespace is named. "
                "Create it first, or use the namespace of a cluster that exists "
                "(kubectl get managedclusters)",
                matter->subject, matter->cluster);
        break;
    case PRB_FOUND_NO_KIND:
        prb_forbid(out,
                "%s cannot be created: the hub does not serve ManagedClusters (%s.%s is not "
                "installed), so there is no cluster it could belong to. Install the CRDs of Open "
                "Cluster Management, or switch this rule off (--rules=-cluster-lifecycle)",
                matter->subject, prb_clusters.resource, prb_clusters.group);
        break;
    case PRB_FOUND_NO_NAME:
        prb_forbid(out,
                "%s cannot be created: its namespace \"%s\" cannot be the name of a ManagedCluster. "
                "Use the namespace of a cluster (kubectl get managedclusters)",
                matter->subject, matter->cluster);
        break;
    case PRB_FOUND_UNSURE:
        judge_unsure(matter, answer, out);
        break;
    }
}

static void ask(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    (void)settings;

    /* Whether the addon matters shows in the answer, and there is only one round of questions. */
    if (prb_cluster_ask(request, view, out) && is_work(request))
        prb_addon_ask(request, out);
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    struct matter matter = { .request = request, .answers = answers };
    const struct prb_question *answer = NULL;
    enum prb_found found = prb_cluster_find(request, view, answers, &answer);

    (void)settings;
    (void)prb_shown_subject(request, matter.subject);
    (void)prb_shown_name(request->namespace, matter.cluster);
    judge_found(&matter, found, answer, out);
}

static const struct prb_rule_match matches[] = {
    {
            .group = "addon.open-cluster-management.io",
            .resource = "managedclusteraddons",
            .operations = PRB_CREATE,
            .namespaced = true,
    },
    {
            .group = work_group,
            .resource = "manifestworks",
            .operations = PRB_CREATE,
            .namespaced = true,
    },
};

static const char *const reads[] = { "metadata.name", "metadata.generateName", "metadata.labels",
    NULL };

static const struct prb_watch_spec watches[] = {
    { .group = "cluster.open-cluster-management.io",
            .version = "v1",
            .resource = "managedclusters" },
};

static const struct prb_right rights[] = {
    { "cluster.open-cluster-management.io", "managedclusters", "get,list,watch" },
    { "addon.open-cluster-management.io", "managedclusteraddons", "get" },
};

const struct prb_rule prb_rule_cluster_lifecycle = {
    .name = "cluster-lifecycle",
    .summary = "addons and works are created only for a cluster that exists and is not being "
               "deleted",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .reads = reads,
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .ask = ask,
    .judge = judge,
};
