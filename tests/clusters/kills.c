/* Does anything get lost when Probate is killed at random? */

#include "kills.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "rows.h"
#include "support/wait.h"

/* A life ends after at most so many changes to what belongs to clusters, or after this time. A
 * cluster takes some 40 changes to go. */
#define CHANGES_MAX 120
#define LIFE_MS 4000

/* The same on every machine: xorshift64. */
static uint64_t roll(struct kills *kills, uint64_t limit)
{
    kills->dice ^= kills->dice << 13;
    kills->dice ^= kills->dice >> 7;
    kills->dice ^= kills->dice << 17;
    return kills->dice % limit;
}

/* Those whom nothing of it concerns: a live cluster, and a namespace without a cluster. */
struct bystanders {
    struct estate live, lonely;
};

static int make_bystanders(struct bystanders *all)
{
    DO(estate_found(&all->live));
    DO(estate_make(&all->live, ADDON, "search", ""));
    DO(estate_make_addon_work(&all->live, "deploy", "search"));
    DO(estate_make_addon_work(&all->live, "orphaned", "long-gone"));
    DO(make_customised(&all->live, "mine"));
    DO(estate_make(&all->lonely, NAMESPACE, NULL, ""));
    DO(estate_make(&all->lonely, ADDON, "search", ""));
    return make_customised(&all->lonely, "mine");
}

static void check_untouched(void *ctx, const struct trace *trace)
{
    struct estate *estate = ctx;

    /* Kubernetes writes to a new namespace, and Probate puts a finalizer on a new cluster. */
    if (trace->begun.by > 0 ||
            (trace->changes > 0 && trace->sort != NAMESPACE && trace->sort != CLUSTER))
        (void)estate_fail(estate, "%s %.200s was touched", sort_name(trace->sort), trace->ref.name);
}

static void check_bystanders(struct bystanders *all)
{
    struct recording *recording = all->live.target->recording;
    prb_auto(prb_object_unref) struct prb_object *namespace =
            estate_get(&all->live, NAMESPACE, NULL);

    recording_each(recording, all->live.id, check_untouched, &all->live);
    recording_each(recording, all->lonely.id, check_untouched, &all->lonely);
    if (!namespace || prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID))
        (void)estate_fail(&all->live, "the namespace of a live cluster is marked");
}

static void add_changes(void *ctx, const struct trace *trace)
{
    uint64_t *sum = ctx;

    *sum += 1 + trace->changes + (trace->gone.by > 0);
}

static uint64_t changes(struct recording *recording)
{
    uint64_t sum = 0;

    recording_each(recording, NULL, add_changes, &sum);
    return sum;
}

/* Is the life of this one over? */
struct life {
    struct recording *recording;
    uint64_t until; /* changes */
    int64_t deadline_ms;
};

static bool is_over(void *ctx)
{
    const struct life *life = ctx;

    return changes(life->recording) >= life->until || prb_test_now_ms() >= life->deadline_ms;
}

static const char *const steps[] = { "MonitoredResourcesRemaining ", "AddOnsRemaining ",
    "WorksRemaining ", "RoleBindingsRemaining ", "NamespaceRemaining ", "ContentDeleted " };

#define STEPS (sizeof(steps) / sizeof(steps[0]))

/* Clusters whose deletion has begun and is not over, by the step they said last. */
struct underway {
    size_t all;
    size_t in[STEPS];
};

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text);

    return len >= strlen(end) && prb_streq(text + len - strlen(end), end);
}

static void count_underway(void *ctx, const struct trace *trace)
{
    struct underway *underway = ctx;

    if (trace->sort != CLUSTER || trace->begun.by == 0 || trace->gone.by > 0)
        return;
    underway->all++;
    for (size_t i = 0; i < STEPS; i++)
        underway->in[i] += ends_with(trace->story, steps[i]);
}

/* Where it hit whom. */
static void note_hit(struct kills *kills, struct recording *recording, size_t number)
{
    struct underway underway = { .all = 0 };

    recording_each(recording, NULL, count_underway, &underway);
    printf("    kill %zu: %zu clusters on their way;", number, underway.all);
    for (size_t i = 0; i < STEPS; i++) {
        if (underway.in[i] > 0)
            printf(" %s%zu", steps[i], underway.in[i]);
    }
    printf("\n");
    kills->hit += underway.all > 0;
}

/* A process that leads, is given a few deletions, and is killed in the middle of what it does. */
static bool live_and_die(struct kills *kills, struct crowd *crowd, size_t number, char *why)
{
    size_t from = number * crowd->count / kills->count;
    size_t to = (number + 1) * crowd->count / kills->count;
    struct recording *recording = crowd->target->recording;
    struct life life = { .recording = recording };
    int64_t ms;

    if (!process_leads(kills->process)) {
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "does not lead before kill %zu", number + 1);
        return false;
    }
    if (!crowd_delete(crowd, from, to - from, why))
        return false;
    life.until = changes(recording) + roll(kills, CHANGES_MAX);
    life.deadline_ms = prb_test_now_ms() + LIFE_MS;
    (void)prb_test_wait(is_over, &life, 2 * LIFE_MS);
    note_hit(kills, recording, number + 1);
    (void)program_end(&kills->process->program, SIGKILL, &ms);
    program_done(&kills->process->program);
    process_start(kills->process);
    return true;
}

void kills_play(struct kills *kills, struct crowd *crowd, char *why)
{
    struct bystanders all;

    estate_open(&all.live, crowd->target, why);
    estate_open(&all.lonely, crowd->target, why);
    if (!crowd_make(crowd, why) || make_bystanders(&all) < 0)
        return;
    for (size_t i = 0; i < kills->count; i++) {
        if (!live_and_die(kills, crowd, i, why))
            return;
    }
    if (crowd_await_end(crowd, why))
        check_bystanders(&all);
}
