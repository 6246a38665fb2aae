/* What do the agents of clusters do when something of theirs is deleted? */

#include "agents.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"
#include "support/wait.h"

/* Side by side, as those of many clusters are. */
#define THREADS 4

struct task {
    struct task *next; /* owned */
    enum sort sort;
    struct prb_object *object; /* owned: as it was seen */
};

struct agents {
    struct prb_api *api; /* borrowed */
    pthread_t threads[THREADS];
    int started;

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    struct task *first, **last; /* owned */
    unsigned robbed;
    bool over;
};

static void put(struct agents *agents, struct task *task)
{
    (void)pthread_mutex_lock(&agents->lock);
    task->next = NULL;
    *agents->last = task;
    agents->last = &task->next;
    (void)pthread_cond_signal(&agents->changed);
    (void)pthread_mutex_unlock(&agents->lock);
}

/* Waits for one; NULL: it is over. An agent has no deadline: agents_stop wakes every one. */
static struct task *take(struct agents *agents)
{
    struct task *task = NULL;

    (void)pthread_mutex_lock(&agents->lock);
    while (!agents->over && !agents->first)
        (void)pthread_cond_wait(&agents->changed, &agents->lock);
    if (!agents->over) {
        task = agents->first;
        agents->first = task->next;
        if (!agents->first)
            agents->last = &agents->first;
    }
    (void)pthread_mutex_unlock(&agents->lock);
    return task;
}

static void free_task(struct task *task)
{
    prb_object_unref(task->object);
    free(task);
}

/* Is there anything to do about it? */
static void hear(void *ctx, enum sort sort, const struct prb_object *object)
{
    struct task *task;

    if ((sort != ADDON && sort != WORK && sort != CLUSTER) || !prb_object_is_deleting(object) ||
            !prb_object_label(object, AGENTS_LABEL))
        return;
    task = prb_calloc(1, sizeof(*task));
    task->sort = sort;
    task->object = prb_object_ref(object);
    put(ctx, task);
}

struct recording_listener agents_listener(struct agents *agents)
{
    return (struct recording_listener){ .seen = hear, .ctx = agents };
}

/* Done, or not to be done any more? */
static bool is_settled(int r)
{
    return r == 0 || r == PRB_E_NOTFOUND;
}

/* Take one finalizer off it, if it is the only one. */
static bool release(struct agents *agents, const struct task *task, const char *finalizer)
{
    const struct prb_gvr gvr = sort_gvr(task->sort);
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("[{'op':'test','path':'/metadata/finalizers/0','value':'%s'},"
                          "{'op':'remove','path':'/metadata/finalizers/0'}]",
                    finalizer);
    struct prb_error err;
    struct prb_ref ref;
    int r;

    if (!prb_object_has_finalizer(task->object, finalizer) ||
            !prb_object_ref_in(task->object, &gvr, &ref))
        return true;
    r = prb_api_patch(agents->api, &ref, PRB_PATCH_JSON, patch, NULL, NULL, &err);

    /* A finalizer that is not the first is not there: who took it off has done the work. */
    return is_settled(r) || r == PRB_E_CONFLICT || r == PRB_E_INVALID;
}

/* Has the agent of this cluster the right to change its works? */
static int has_right(struct agents *agents, const char *cluster)
{
    const struct prb_gvr gvr = sort_gvr(ROLEBINDING);
    prb_autofree char *name =
            prb_asprintf("open-cluster-management:managedcluster:%s:work", cluster);
    prb_auto(prb_object_unref) struct prb_object *binding = NULL;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &gvr, cluster, name);
    return prb_api_get(agents->api, &ref, NULL, &binding, &err);
}

/* Is the work still there, with the finalizer? What was seen may be over since long. */
static bool is_held(struct agents *agents, const struct task *task)
{
    const struct prb_gvr gvr = sort_gvr(WORK);
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_error err;
    struct prb_ref ref;

    return prb_object_ref_in(task->object, &gvr, &ref) &&
           prb_api_get(agents->api, &ref, NULL, &now, &err) == 0 &&
           prb_object_has_finalizer(now, WORK_FINALIZER);
}

static bool clean_up(struct agents *agents, const struct task *task)
{
    int r = has_right(agents, prb_object_namespace(task->object));

    if (r == PRB_E_NOTFOUND && !is_held(agents, task))
        return true;
    if (r == PRB_E_NOTFOUND) {
        (void)pthread_mutex_lock(&agents->lock);
        agents->robbed++;
        (void)pthread_mutex_unlock(&agents->lock);
        return true;
    }
    return r == 0 && release(agents, task, WORK_FINALIZER);
}

/* Delete the customised works of a cluster that is being deleted. */
static bool delete_owned(struct agents *agents, const struct task *task)
{
    const struct prb_gvr gvr = sort_gvr(WORK);
    const struct prb_list_options options = { .namespace = prb_object_name(task->object),
        .label_selector = OWNED_LABEL,
        .metadata_only = true };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;
    bool done = true;

    prb_page_init(&page);
    if (prb_api_list_all(agents->api, &gvr, &options, 1000, &page, &err) < 0)
        return false;
    for (size_t i = 0; i < page.count; i++) {
        const struct prb_delete_options what = { .uid = prb_object_uid(page.objects[i]),
            .propagation = PRB_PROPAGATE_BACKGROUND };
        struct prb_ref ref;

        if (!prb_object_is_deleting(page.objects[i]) &&
                prb_object_ref_in(page.objects[i], &gvr, &ref))
            done = is_settled(prb_api_delete(agents->api, &ref, &what, &err)) && done;
    }
    return done;
}

static bool do_task(struct agents *agents, const struct task *task)
{
    if (task->sort == ADDON)
        return release(agents, task, HOOK_FINALIZER);
    return task->sort == WORK ? clean_up(agents, task) : delete_owned(agents, task);
}

static void *work(void *arg)
{
    struct agents *agents = arg;
    struct task *task;

    while ((task = take(agents)) != NULL) {
        if (do_task(agents, task)) {
            free_task(task);
            continue;
        }
        prb_test_pause(); /* what could not be done is tried again */
        put(agents, task);
    }
    return NULL;
}

int agents_start(struct prb_api *api, struct agents **ret, struct prb_error *err)
{
    struct agents *agents = prb_calloc(1, sizeof(*agents));

    agents->api = api;
    agents->last = &agents->first;
    (void)pthread_mutex_init(&agents->lock, NULL);
    (void)pthread_cond_init(&agents->changed, NULL);
    while (agents->started < THREADS &&
            pthread_create(&agents->threads[agents->started], NULL, work, agents) == 0)
        agents->started++;
    *ret = agents;
    return agents->started > 0 ? 0 : prb_fail(err, PRB_E_INTERNAL, "no threads for the agents");
}

void agents_stop(struct agents *agents)
{
    if (!agents)
        return;
    (void)pthread_mutex_lock(&agents->lock);
    agents->over = true;
    (void)pthread_cond_broadcast(&agents->changed);
    (void)pthread_mutex_unlock(&agents->lock);
    for (int i = 0; i < agents->started; i++)
        (void)pthread_join(agents->threads[i], NULL);
    for (struct task *task = agents->first, *next; task; task = next) {
        next = task->next;
        free_task(task);
    }
    (void)pthread_cond_destroy(&agents->changed);
    (void)pthread_mutex_destroy(&agents->lock);
    free(agents);
}

unsigned agents_robbed(struct agents *agents)
{
    unsigned robbed;

    (void)pthread_mutex_lock(&agents->lock);
    robbed = agents->robbed;
    (void)pthread_mutex_unlock(&agents->lock);
    return robbed;
}
