/* Does anything get lost when Probate is killed at random? */

#include "kills.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "rows.h"
#include "support/dice.h"
#include "support/wait.h"

/* A life ends after at most so many changes to what belongs to clusters, or after this time. A
 * cluster takes some 40 changes to go. The last that is given to a life is held until it is over,
 * so that every life ends in the middle. */
#define CHANGES_MAX 120
#define LIFE_MS 4000
#define HELD_WORK "held"

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

static bool is_underway(const struct estate *estate)
{
    struct underway underway = { .all = 0 };

    recording_each(estate->target->recording, estate->id, count_underway, &underway);
    return underway.all > 0;
}

/* Is the life of this one over? */
struct life {
    const struct estate *held;
    uint64_t until; /* changes */
    int64_t deadline_ms;
};

static bool is_over(void *ctx)
{
    const struct life *life = ctx;

    if (!is_underway(life->held))
        return prb_test_saw("the cluster is not being deleted");
    return changes(life->held->target->recording) >= life->until ||
           prb_test_now_ms() >= life->deadline_ms;
}

/* Where it hits whom. */
static void print_underway(struct recording *recording, size_t number)
{
    struct underway underway = { .all = 0 };

    recording_each(recording, NULL, count_underway, &underway);
    printf("    kill %zu: %zu clusters on their way;", number, underway.all);
    for (size_t i = 0; i < STEPS; i++) {
        if (underway.in[i] > 0)
            printf(" %s%zu", steps[i], underway.in[i]);
    }
    printf("\n");
}

static void die(struct kills *kills)
{
    int64_t ms;

    (void)program_end(&kills->process->program, SIGKILL, &ms);
    program_done(&kills->process->program);
    process_start(kills->process);
}

/* The clusters of a life are those from this one to that of the next. */
static size_t first_of(const struct kills *kills, const struct crowd *crowd, size_t number)
{
    return number * crowd->count / kills->count;
}

static struct estate *held_of(const struct kills *kills, const struct crowd *crowd, size_t number)
{
    return &crowd->estates[first_of(kills, crowd, number + 1) - 1];
}

/* A process that leads, is given a few deletions, and is killed in the middle of what it does. */
static int live_and_die(struct kills *kills, struct crowd *crowd, size_t number)
{
    size_t from = first_of(kills, crowd, number), to = first_of(kills, crowd, number + 1);
    struct recording *recording = crowd->target->recording;
    struct estate *held = held_of(kills, crowd, number);
    struct life life = { .held = held };

    if (!process_leads(kills->process))
        return estate_fail(held, "does not lead before kill %zu", number + 1);
    for (size_t i = from; i < to; i++)
        DO(estate_delete(&crowd->estates[i], CLUSTER, NULL));
    life.until = changes(recording) + prb_test_roll(&kills->dice, CHANGES_MAX);
    life.deadline_ms = prb_test_now_ms() + LIFE_MS;
    if (!prb_test_await("the held cluster is on its way, and something has happened", is_over,
                &life, PRB_TEST_LONG_MS))
        return estate_fail(held, "before kill %zu: %s", number + 1, prb_test_awaited());
    print_underway(recording, number + 1);
    die(kills);
    if (!is_underway(held))
        return estate_fail(held, "is gone with a work in it");
    return finish_work(held, HELD_WORK);
}

void kills_play(struct kills *kills, struct crowd *crowd, char *why)
{
    struct bystanders all;

    estate_open(&all.live, crowd->target, why);
    estate_open(&all.lonely, crowd->target, why);
    if (!crowd_make(crowd, why) || make_bystanders(&all) < 0)
        return;
    for (size_t i = 0; i < kills->count; i++)
        (void)make_customised(held_of(kills, crowd, i), HELD_WORK);
    for (size_t i = 0; i < kills->count && crowd_is_well(crowd, why); i++)
        (void)live_and_die(kills, crowd, i);
    if (crowd_is_well(crowd, why) && crowd_await_end(crowd, why))
        check_bystanders(&all);
}
