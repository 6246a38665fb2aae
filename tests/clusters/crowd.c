/* How do many clusters come and go? */

#include "crowd.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "rows.h"
#include "support/wait.h"

/* Makers at a time. */
#define THREADS 8

/* For the end: the namespaces of 500 clusters take the namespace controller minutes. */
#define PATIENCE_EACH_MS 2500

void crowd_init(struct crowd *crowd, struct target *target, size_t count)
{
    *crowd = (struct crowd){ .target = target, .count = count };
    crowd->estates = prb_calloc(count, sizeof(*crowd->estates));
    crowd->whys = prb_calloc(count, sizeof(*crowd->whys));
    for (size_t i = 0; i < count; i++)
        estate_open(&crowd->estates[i], target, crowd->whys[i]);
}

void crowd_done(struct crowd *crowd)
{
    free(crowd->estates);
    free(crowd->whys);
    *crowd = (struct crowd){ .count = 0 };
}

static int make_addon(struct estate *estate, int number)
{
    prb_autofree char *name = prb_asprintf("addon-%d", number);
    prb_autofree char *work = prb_asprintf("work-%d", number);
    prb_autofree char *meta = prb_asprintf(
            "'labels':{" AGENTS ",'open-cluster-management.io/addon-name':'%s'}," HELD_BY_AGENT,
            name);

    DO(estate_make(estate, ADDON, name, "'labels':{" AGENTS "}," HELD_BY_HOOK));
    return estate_make(estate, WORK, work, meta);
}

static int make_owned(struct estate *estate, int number)
{
    prb_autofree char *name = prb_asprintf("custom-%d", number);

    return estate_make(estate, WORK, name,
            "'labels':{" AGENTS ",'" OWNED_LABEL "':'yes'," OTHERS_LABEL "}," HELD_BY_AGENT);
}

static int make_one(struct estate *estate)
{
    DO(estate_found_with_agents(estate));
    for (int i = 0; i < CROWD_ADDONS; i++)
        DO(make_addon(estate, i));
    for (int i = CROWD_ADDONS; i < CROWD_WORKS; i++)
        DO(make_owned(estate, i));
    return 0;
}

/* A part of them. */
struct share {
    struct crowd *crowd;
    atomic_size_t next;
};

static void *make_some(void *arg)
{
    struct share *share = arg;
    size_t at;

    while ((at = atomic_fetch_add(&share->next, 1)) < share->crowd->count)
        (void)make_one(&share->crowd->estates[at]);
    return NULL;
}

bool crowd_is_well(const struct crowd *crowd, char *why)
{
    for (size_t i = 0; i < crowd->count; i++) {
        if (!crowd->whys[i][0])
            continue;
        (void)snprintf(
                why, PRB_TEST_WHY_SIZE, "%.60s: %.900s", crowd->estates[i].id, crowd->whys[i]);
        return false;
    }
    return true;
}

bool crowd_make(struct crowd *crowd, char *why)
{
    struct share share = { .crowd = crowd };
    pthread_t threads[THREADS];
    int started = 0;

    while (started < THREADS && pthread_create(&threads[started], NULL, make_some, &share) == 0)
        started++;
    if (started == 0)
        (void)make_some(&share);
    for (int i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    return crowd_is_well(crowd, why);
}

bool crowd_delete(struct crowd *crowd, char *why)
{
    for (size_t i = 0; i < crowd->count; i++)
        (void)estate_delete(&crowd->estates[i], CLUSTER, NULL);
    return crowd_is_well(crowd, why);
}

bool crowd_await_end(struct crowd *crowd, char *why)
{
    /* One after the other: each has the time of all before it as well. */
    int base_ms = PRB_TEST_STORM_MS + PATIENCE_EACH_MS * (int)crowd->count;

    for (size_t i = 0; i < crowd->count && !why[0]; i++)
        order_await(
                crowd->target->recording, crowd->estates[i].id, 0, base_ms, why, PRB_TEST_WHY_SIZE);
    return !why[0];
}
