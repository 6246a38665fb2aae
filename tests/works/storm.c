/* What does it cost to apply and to delete many works? */

#include "storm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

/* Makers at a time. */
#define THREADS 8

/* Calls for each object that is applied, all told. */
#define CALLS_GOAL 3

static const struct {
    const char *verb, *resource;
} costs[] = {
    { "get", "configmaps" },
    { "create", "configmaps" },
    { "update", "configmaps" },
    { "patch", "configmaps" },
    { "delete", "configmaps" },
    { "list", "configmaps" },
    { "create", "appliedmanifestworks." PRB_WORK_GROUP },
    { "get", "appliedmanifestworks." PRB_WORK_GROUP },
    { "patch", "appliedmanifestworks." PRB_WORK_GROUP },
    { "patch", "appliedmanifestworks." PRB_WORK_GROUP "/status" },
    { "delete", "appliedmanifestworks." PRB_WORK_GROUP },
    { "get", "manifestworks." PRB_WORK_GROUP },
    { "patch", "manifestworks." PRB_WORK_GROUP },
    { "patch", "manifestworks." PRB_WORK_GROUP "/status" },
    { "create", "events" },
    { "patch", "events" },
};

#define COSTS (sizeof(costs) / sizeof(costs[0]))

struct bill {
    unsigned long all, each[COSTS];
};

static void add(struct bill *bill, struct prb_fault_proxy *proxy)
{
    bill->all += prb_fault_proxy_count(proxy, NULL, NULL);
    for (size_t i = 0; i < COSTS; i++)
        bill->each[i] += prb_fault_proxy_count(proxy, costs[i].verb, costs[i].resource);
}

static struct bill bill_of(const struct scene *scene)
{
    struct bill bill = { .all = 0 };

    add(&bill, scene->ends->hub->real.proxy);
    if (scene->ends->hub != scene->ends->spoke)
        add(&bill, scene->ends->spoke->real.proxy);
    return bill;
}

/* Calls for each object. */
static double print(const char *what, const struct bill *before, const struct bill *after,
        size_t works, int64_t took_ms)
{
    unsigned long total = after->all - before->all;
    double ratio = (double)total / (double)(works * STORM_OBJECTS);

    printf("    %zu works of %d objects %s: %lu calls, %.2f for each object; in %.1f s\n", works,
            STORM_OBJECTS, what, total, ratio, (double)took_ms / 1000);
    for (size_t i = 0; i < COSTS; i++) {
        if (after->each[i] > before->each[i])
            printf("    %8lu %s %s\n", after->each[i] - before->each[i], costs[i].verb,
                    costs[i].resource);
    }
    return ratio;
}

static int make_one(struct scene *scene, size_t number)
{
    prb_autofree char *work = prb_asprintf("s%zu", number);
    prb_auto(prb_str_done) struct prb_str spec;

    prb_str_init(&spec, 8192);
    prb_str_add(&spec, "'workload':{'manifests':[");
    for (int i = 0; i < STORM_OBJECTS; i++)
        prb_str_addf(&spec,
                "%s{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'s%zu-%d','namespace':"
                "'@'},'data':{'key':'a'}}",
                i ? "," : "", number, i);
    prb_str_add(&spec, "]}");
    return scene_make_work(scene, work, prb_str_get(&spec));
}

static int delete_one(struct scene *scene, size_t number)
{
    prb_autofree char *work = prb_asprintf("s%zu", number);

    return scene_delete_work(scene, work);
}

static int touch_one(struct scene *scene, size_t number)
{
    prb_autofree char *work = prb_asprintf("s%zu", number);
    prb_autofree char *patch = prb_asprintf(
            "{'metadata':{'annotations':{'touched':'%lld'}}}", (long long)prb_test_now_ms());

    return scene_patch_work(scene, work, patch);
}

static int await_one(struct scene *scene, size_t number)
{
    prb_autofree char *work = prb_asprintf("s%zu", number);
    prb_autofree char *last = prb_asprintf("s%zu-%d", number, STORM_OBJECTS - 1);
    struct prb_ref ref = scene_cm(scene, last);

    DO(scene_await_applied(scene, work));
    return scene_await_recorded(scene, work, &ref, true);
}

static int await_end(struct scene *scene, size_t number)
{
    prb_autofree char *work = prb_asprintf("s%zu", number);

    DO(scene_await_ended(scene, work));
    for (int i = 0; i < STORM_OBJECTS; i++) {
        prb_autofree char *name = prb_asprintf("s%zu-%d", number, i);
        struct prb_ref ref = scene_cm(scene, name);

        DO(scene_expect_gone(scene, &ref));
    }
    return 0;
}

/* All of them, by several at a time. */
struct share {
    struct scene *scene;
    int (*step)(struct scene *scene, size_t number);
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};

static void *do_some(void *arg)
{
    struct share *share = arg;
    char why[PRB_TEST_WHY_SIZE] = "";
    struct scene mine = *share->scene;
    size_t at;

    mine.why = why;
    if (mine.loop == &share->scene->own)
        mine.loop = &mine.own;
    while ((at = atomic_fetch_add(&share->next, 1)) < share->count && !share->failed) {
        if (share->step(&mine, at) < 0 && !atomic_exchange(&share->failed, true))
            (void)scene_fail(share->scene, "%s", why);
    }
    return NULL;
}

static int for_all(
        struct scene *scene, size_t count, int (*step)(struct scene *scene, size_t number))
{
    struct share share = { .scene = scene, .step = step, .count = count };
    pthread_t threads[THREADS];
    int started = 0;

    while (started < THREADS && pthread_create(&threads[started], NULL, do_some, &share) == 0)
        started++;
    for (int i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    return started == 0 ? scene_fail(scene, "no thread to be had") : share.failed ? -1 : 0;
}

/* Writes to anything but canaries. */
struct writes {
    size_t skip, seen, count;
};

/* What is created has its name in the body. */
static bool is_canary(const struct prb_fault_write *write)
{
    return strstr(write->call.ref.name, "canary") || strstr(write->body, "canary");
}

static void count_write(void *ctx, const struct prb_fault_write *write)
{
    struct writes *writes = ctx;

    if (writes->seen++ >= writes->skip && !is_canary(write) &&
            !prb_streq(write->call.ref.gvr.resource, "events"))
        writes->count++;
}

static size_t count_writes(struct prb_fault_proxy *proxy, size_t skip, size_t *ret_seen)
{
    struct writes writes = { .skip = skip };

    prb_fault_proxy_each_write(proxy, count_write, &writes);
    *ret_seen = writes.seen;
    return writes.count;
}

static int make_canary(struct scene *scene, size_t number)
{
    prb_autofree char *name = prb_asprintf("canary-%zu", number);
    prb_autofree char *spec = prb_asprintf("'workload':{'manifests':[{'apiVersion':'v1','kind':"
                                           "'ConfigMap','metadata':{'name':'%s','namespace':'@'}}"
                                           "]}",
            name);
    struct prb_ref ref = scene_cm(scene, name);

    DO(scene_make_work(scene, name, spec));
    DO(scene_await_applied(scene, name));
    return scene_await_recorded(scene, name, &ref, true);
}

/* All works are looked at again, and nothing is to be done: how many writes were there? */
static int touch_all(struct scene *scene, size_t works, size_t try, size_t *ret_writes)
{
    struct prb_fault_proxy *hub = scene->ends->hub->real.proxy;
    struct prb_fault_proxy *spoke = scene->ends->spoke->real.proxy;
    size_t hub_seen, spoke_seen, ignored;
    struct bill before, after;
    int64_t began = prb_test_now_ms();

    DO(make_canary(scene, 3 * try));
    (void)count_writes(hub, 0, &hub_seen);
    (void)count_writes(spoke, 0, &spoke_seen);
    before = bill_of(scene);
    DO(for_all(scene, works, touch_one));
    DO(make_canary(scene, 3 * try + 1));
    DO(make_canary(scene, 3 * try + 2));
    after = bill_of(scene);
    *ret_writes = count_writes(hub, hub_seen, &ignored) + count_writes(spoke, spoke_seen, &ignored);
    (void)print("touched without a change", &before, &after, works, prb_test_now_ms() - began);
    return 0;
}

/* The first time a thread may still be busy with what it saw when they were applied. */
static int be_quiet(struct scene *scene, size_t works)
{
    size_t writes = 1;

    for (size_t try = 0; try < 2 && writes > 0; try++)
        DO(touch_all(scene, works, try, &writes));
    return writes == 0 ? 0 : scene_fail(scene, "%zu writes although nothing had changed", writes);
}

int storm_play(struct scene *scene, size_t works)
{
    struct bill before = bill_of(scene), after;
    int64_t began = prb_test_now_ms();
    double ratio;

    DO(for_all(scene, works, make_one));
    DO(for_all(scene, works, await_one));
    after = bill_of(scene);
    ratio = print("applied", &before, &after, works, prb_test_now_ms() - began);
    DO(be_quiet(scene, works));
    before = bill_of(scene);
    began = prb_test_now_ms();
    DO(for_all(scene, works, delete_one));
    DO(for_all(scene, works, await_end));
    after = bill_of(scene);
    (void)print("deleted", &before, &after, works, prb_test_now_ms() - began);
    return ratio <= CALLS_GOAL ? 0
                               : scene_fail(scene, "%.2f calls for each object, more than %d",
                                         ratio, CALLS_GOAL);
}
