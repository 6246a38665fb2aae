/* What does a deletion storm cost? */

#include "storm.h"

#include <stdio.h>

#include "support/wait.h"

/* For each object a look and a write, and twelve for the steps. */
#define CALLS_GOAL (2 * CROWD_OBJECTS + 12)

/* What a busy server tells late is looked at, or deleted, once more: with ten times the work that
 * the machine can do there were 49 calls where 44 are the goal. */
#define CALLS_MAX (CALLS_GOAL * 3 / 2)

/* Calls so far, but for the lease: that is renewed by the clock, whatever there is to do. */
static unsigned long calls(struct prb_fault_proxy *proxy)
{
    return prb_fault_proxy_count(proxy, NULL, NULL) -
           prb_fault_proxy_count(proxy, NULL, "leases.coordination.k8s.io");
}

static const struct {
    const char *verb, *resource;
} costs[] = {
    { "get", "managedclusters.cluster.open-cluster-management.io" },
    { "patch", "managedclusters.cluster.open-cluster-management.io" },
    { "patch", "managedclusters.cluster.open-cluster-management.io/status" },
    { "get", "namespaces" },
    { "patch", "namespaces" },
    { "delete", "namespaces" },
    { "list", MONITORED_RESOURCE "." MONITORED_GROUP },
    { "list", "managedclusteraddons.addon.open-cluster-management.io" },
    { "delete", "managedclusteraddons.addon.open-cluster-management.io" },
    { "list", "manifestworks.work.open-cluster-management.io" },
    { "delete", "manifestworks.work.open-cluster-management.io" },
    { "delete", "rolebindings.rbac.authorization.k8s.io" },
    { "patch", "rolebindings.rbac.authorization.k8s.io" },
    { "delete", "clusterroles.rbac.authorization.k8s.io" },
    { "delete", "clusterrolebindings.rbac.authorization.k8s.io" },
    { "create", "events" },
    { "patch", "events" },
};

#define COSTS (sizeof(costs) / sizeof(costs[0]))

struct bill {
    unsigned long all, each[COSTS];
};

static struct bill bill_of(struct prb_fault_proxy *proxy)
{
    struct bill bill = { .all = calls(proxy) };

    for (size_t i = 0; i < COSTS; i++)
        bill.each[i] = prb_fault_proxy_count(proxy, costs[i].verb, costs[i].resource);
    return bill;
}

static void print(const struct bill *before, const struct bill *after, const struct crowd *crowd,
        int64_t took_ms)
{
    unsigned long total = after->all - before->all;

    printf("    %zu clusters of %d objects: %lu calls, %.1f for each; the goal is %d; in %.1f s\n",
            crowd->count, CROWD_OBJECTS, total, (double)total / (double)crowd->count, CALLS_GOAL,
            (double)took_ms / 1000);
    for (size_t i = 0; i < COSTS; i++)
        printf("    %8lu %s %s\n", after->each[i] - before->each[i], costs[i].verb,
                costs[i].resource);
}

void storm_play(struct crowd *crowd, char *why)
{
    struct prb_fault_proxy *proxy = crowd->target->real.proxy;
    struct bill before, after;
    int64_t began;

    if (!crowd_make(crowd, why))
        return;
    before = bill_of(proxy);
    began = prb_test_now_ms();
    if (!crowd_delete(crowd, why) || !crowd_await_end(crowd, why))
        return;
    after = bill_of(proxy);
    print(&before, &after, crowd, prb_test_now_ms() - began);
    if (after.all - before.all > (unsigned long)CALLS_MAX * crowd->count)
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "%lu calls for %zu clusters, more than %d each",
                after.all - before.all, crowd->count, CALLS_MAX);
}
