/* Do OCM's cases of update strategies and executors that concern ownership end well? */

#include "probate/base/str.h"

#include "rows.h"

#define DEPLOYMENT(replicas)                                                                       \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','namespace':'@'},'spec':{" \
    "'replicas':" replicas ",'selector':{'matchLabels':{'app':'d'}},'template':{'metadata':{"      \
    "'labels':{'app':'d'}},'spec':{'containers':[{'name':'c','image':'example.org/c'}]}}}}"

#define SSA_MANAGER(manager)                                                                     \
    ",'manifestConfigs':[{'resourceIdentifier':{'group':'apps','resource':'deployments','name':" \
    "'d','namespace':'@'},'updateStrategy':{'type':'ServerSideApply','serverSideApply':{"        \
    "'force':true,'fieldManager':'" manager "'}}}]"

static int ssa_shared(struct scene *scene)
{
    struct prb_ref d = scene_in(scene, "deployments.v1.apps", "d");

    DO(scene_make_work(scene, "1", WORKLOAD(DEPLOYMENT("0")) SSA_MANAGER("work-agent")));
    DO(scene_await_applied(scene, "1"));
    DO(scene_make_work(scene, "2", WORKLOAD(DEPLOYMENT("0")) SSA_MANAGER("work-agent-another")));
    DO(scene_await_applied(scene, "2"));
    DO(scene_await_owners(scene, &d, 2));
    DO(scene_patch_work(scene, "1", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_await_owned(scene, &d, "1", false));
    DO(scene_await_owners(scene, &d, 1));
    DO(scene_delete_work(scene, "1"));
    DO(scene_await_ended(scene, "1"));
    DO(scene_expect_kept(scene, &d));
    DO(scene_delete_work(scene, "2"));
    DO(scene_await_ended(scene, "2"));
    return scene_expect_gone(scene, &d);
}

/* Two works under one manager: the reference of the one is not taken for an omission of the
 * other. */
static int ssa_same_manager(struct scene *scene)
{
    struct prb_ref d = scene_in(scene, "deployments.v1.apps", "d");

    DO(scene_make_work(scene, "1", WORKLOAD(DEPLOYMENT("0")) SSA_MANAGER("work-agent")));
    DO(scene_make_work(scene, "2", WORKLOAD(DEPLOYMENT("0")) SSA_MANAGER("work-agent")));
    DO(scene_await_applied(scene, "1"));
    DO(scene_await_applied(scene, "2"));
    DO(scene_await_owners(scene, &d, 2));
    DO(scene_delete_work(scene, "2"));
    DO(scene_await_ended(scene, "2"));
    DO(scene_await_owned(scene, &d, "1", true));
    return scene_expect_kept(scene, &d);
}

static int create_only(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(
            scene, "w", WORKLOAD(CM("cm1", "a")) STRATEGY("configmaps", "cm1", "CreateOnly", "")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm1", "b") "," CM("cm2", "b"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_expect_value(scene, &cm1, "a"));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_kept(scene, &cm1);
}

static int create_only_deleted(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(
            scene, "w", WORKLOAD(CM("cm1", "a")) STRATEGY("configmaps", "*", "CreateOnly", "")));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

static int read_only(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make(scene, &cm1, CM("cm1", "mine")));
    DO(scene_make_work(scene, "w", WORKLOAD(TWO) STRATEGY("configmaps", "cm*", "ReadOnly", "")));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "True", ""));
    DO(scene_await_manifest(scene, "w", 1, "Applied", "False", ""));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    if (scene_changes(scene, &cm1) != 0)
        return scene_fail(scene, "what is only to be read was written to");
    DO(scene_expect_kept(scene, &cm1));
    return scene_expect_never(scene, &cm2);
}

/* A person who wants to keep something may say so like this, and delete the work. */
static int read_only_later(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'manifestConfigs':[{'resourceIdentifier':{'resource':'configmaps',"
            "'namespace':'@','name':'cm1'},'updateStrategy':{'type':'ReadOnly'}}]}}"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

#define EXECUTOR                                                                                \
    ",'executor':{'subject':{'type':'ServiceAccount','serviceAccount':{'namespace':'@','name':" \
    "'runner'}}}"

static int executor(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a")) EXECUTOR));
    DO(scene_await_said(scene, "w", "Applied", "False", "ExecutorNotSupported", ""));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_never(scene, &cm1);
}

/* What was applied before stays as it is, and goes with the work. */
static int executor_later(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'workload':{'manifests':[" CM("cm1",
                    "b") "]},'executor':{'subject':{"
                         "'type':'ServiceAccount','serviceAccount':{'namespace':'@','name':'runner'}}}}}"));
    DO(scene_await_said(scene, "w", "Applied", "False", "ExecutorNotSupported", ""));
    DO(scene_expect_value(scene, &cm1, "a"));
    DO(scene_expect_kept(scene, &cm2));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

static const struct row list[] = {
    ROW("updatestrategy: ServerSideApply with delete options", ssa_shared),
    ROW("updatestrategy: two works that apply under one manager share an object", ssa_same_manager),
    ROW("updatestrategy: CreateOnly leaves what is there, and keeps its reference right",
            create_only),
    ROW("updatestrategy: CreateOnly is deleted with the work", create_only_deleted),
    ROW("updatestrategy: ReadOnly never owns", read_only),
    ROW("updatestrategy: what becomes ReadOnly is not deleted with the work", read_only_later),
    ROW("executor: a work with an executor is not applied, and says so", executor),
    ROW("executor: one that comes later changes nothing and removes nothing", executor_later),
};

ROW_LIST(rows_strategy);
