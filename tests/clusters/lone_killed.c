/*
 * Does the deletion of clusters get over an API server that is killed in each of its steps?
 *
 * For each step there are two clusters: one that rests in the step because somebody holds it, and
 * one of which a call is on its way when the server dies.
 */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "lone.h"
#include "rows.h"
#include "support/cluster.h"
#include "support/wait.h"

/* A call on its way stays there until the server is killed. Its client has more patience than all
 * waits before that take: one for each flight, one for all of them, and three for the script. */
#define ON_THE_WAY_MS ((int)(FLIGHTS + 4) * prb_test_patience_ms(PRB_TEST_LONG_MS))

#define HOLD "example.org/hold"

/* What holds a cluster, and in which step. */
struct hold {
    const char *reason; /* that it says then */
    const char *name;
    const char *meta; /* of what is made; NULL: it is there, and gets the finalizer HOLD */
    enum sort sort;
    bool deletes; /* it ends by being deleted, not by losing its finalizers */
};

static const struct hold holds[] = {
    { "MonitoredResourcesRemaining", "app", "", MONITORED, true },
    { "AddOnsRemaining", "slow", HELD_BY_HOOK, ADDON, false },
    { "WorksRemaining", "mine", "'labels':{" OTHERS_LABEL "}", WORK, true },
    { "RoleBindingsRemaining", "registration", NULL, ROLEBINDING, false },
    { "NamespaceRemaining", NULL, NULL, NAMESPACE, false },
    { "ContentDeleted", NULL, NULL, CLUSTER, false },
};

/* The call that is on its way. */
struct flight {
    const char *verb, *resource;
    enum sort sort;
    const char *name;
};

static const struct flight flights[] = {
    { "patch", "namespaces", NAMESPACE, NULL },
    { "delete", "managedclusteraddons.addon.open-cluster-management.io", ADDON, "addon" },
    { "delete", "manifestworks.work.open-cluster-management.io", WORK, "work" },
    { "delete", "rolebindings.rbac.authorization.k8s.io", ROLEBINDING, "work" },
    { "delete", "namespaces", NAMESPACE, NULL },
    { "patch", "managedclusters.cluster.open-cluster-management.io", CLUSTER, NULL },
};

#define HOLDS (sizeof(holds) / sizeof(holds[0]))
#define FLIGHTS (sizeof(flights) / sizeof(flights[0]))

struct scene {
    struct target *target;
    struct estate held[HOLDS];
    struct estate flying[FLIGHTS];
    int rules[FLIGHTS];
};

static int add_hold(struct estate *estate, const struct hold *hold)
{
    if (hold->meta)
        return estate_make(estate, hold->sort, hold->name, hold->meta);
    if (hold->sort == CLUSTER)
        return estate_add_finalizer(estate, CLUSTER, NULL, HOLD);
    return estate_patch(estate, hold->sort, hold->name, "{'metadata':{'finalizers':['" HOLD "']}}");
}

static int begin_held(struct estate *estate, const struct hold *hold)
{
    DO(estate_found(estate));
    DO(add_hold(estate, hold));
    DO(estate_delete(estate, CLUSTER, NULL));
    return estate_await_said(estate, hold->reason, "");
}

static int end_held(struct estate *estate, const struct hold *hold)
{
    DO(hold->deletes ? estate_delete(estate, hold->sort, hold->name)
                     : estate_release(estate, hold->sort, hold->name));
    return estate_await_end(estate, 0);
}

/* An addon and its work that agents release, under names that nobody else has. */
static int begin_flight(struct scene *scene, size_t i)
{
    static const char awake[] = "'labels':{" AGENTS "},";
    struct estate *estate = &scene->flying[i];
    const struct flight *flight = &flights[i];
    prb_autofree char *addon = prb_asprintf("addon-%s", estate->id);
    prb_autofree char *work = prb_asprintf("work-%s", estate->id);
    prb_autofree char *addon_meta = prb_asprintf("%s" HELD_BY_HOOK, awake);
    prb_autofree char *work_meta = prb_asprintf(
            "'labels':{" AGENTS ",'open-cluster-management.io/addon-name':'%s'}," HELD_BY_AGENT,
            addon);
    struct prb_ref ref = estate_ref(estate, flight->sort,
            flight->sort == ADDON  ? addon
            : flight->sort == WORK ? work
                                   : flight->name);

    DO(estate_found_with_agents(estate));
    DO(estate_make(estate, ADDON, addon, addon_meta));
    DO(estate_make(estate, WORK, work, work_meta));
    scene->rules[i] = prb_fault_proxy_add(
            scene->target->real.proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_BLACKHOLE,
                                               .verb = flight->verb,
                                               .resource = flight->resource,
                                               .name = ref.name });
    return estate_delete(estate, CLUSTER, NULL);
}

static bool all_fly(void *ctx)
{
    struct scene *scene = ctx;

    for (size_t i = 0; i < FLIGHTS; i++) {
        if (prb_fault_proxy_hits(scene->target->real.proxy, scene->rules[i]) == 0)
            return prb_test_saw("call %zu of %d is not on its way", i + 1, (int)FLIGHTS);
    }
    return true;
}

/* A killed process may have its port a moment longer than its pid. */
static bool is_started(void *ctx)
{
    struct scene *scene = ctx;
    struct prb_error err;

    return prb_test_cluster_do(scene->target->dir, "start-apiserver", &err) == 0 ||
           prb_test_saw("%s", err.msg);
}

static int kill_server(struct scene *scene)
{
    struct estate *any = &scene->held[0];
    struct prb_error err;

    for (size_t i = 0; i < FLIGHTS; i++)
        DO(begin_flight(scene, i));
    if (!prb_test_await("every call is on its way", all_fly, scene, PRB_TEST_LONG_MS))
        return estate_fail(any, "%s", prb_test_awaited());
    if (prb_test_cluster_do(scene->target->dir, "kill-apiserver", &err) < 0)
        return estate_fail(any, "%s", err.msg);
    /* The calls end as their server did: with a cut connection. */
    prb_fault_proxy_clear(scene->target->real.proxy, 0);
    if (!prb_test_await("the API server is started again", is_started, scene, PRB_TEST_LONG_MS))
        return estate_fail(any, "%s", prb_test_awaited());
    return 0;
}

static int play(struct scene *scene, const struct prb_cluster_settings *settings)
{
    struct prb_error err;

    if (target_start_loop(scene->target, settings, &err) < 0)
        return estate_fail(&scene->held[0], "%s", err.msg);
    for (size_t i = 0; i < HOLDS; i++)
        DO(begin_held(&scene->held[i], &holds[i]));
    DO(kill_server(scene));
    for (size_t i = 0; i < HOLDS; i++)
        DO(end_held(&scene->held[i], &holds[i]));
    for (size_t i = 0; i < FLIGHTS; i++)
        DO(estate_await_end(&scene->flying[i], 0));
    return 0;
}

static void killed(struct target *target, const struct prb_cluster_settings *settings,
        char why[PRB_TEST_WHY_SIZE])
{
    prb_autofree struct scene *scene = prb_calloc(1, sizeof(*scene));

    scene->target = target;
    target->call_timeout_ms = ON_THE_WAY_MS;
    for (size_t i = 0; i < HOLDS; i++)
        estate_open(&scene->held[i], target, why);
    for (size_t i = 0; i < FLIGHTS; i++)
        estate_open(&scene->flying[i], target, why);
    (void)play(scene, settings);
    prb_fault_proxy_clear(target->real.proxy, 0);
    target_stop_loop(target);
    target->call_timeout_ms = 0;
}

const struct lone_row lone_killed = {
    "the API server is killed in each of the steps, at rest and with a call on its way", killed
};
