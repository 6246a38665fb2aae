/*
 * Is anything deleted that should stay, left that should go, or made twice, when the agent is
 * killed at random?
 *
 * Works come in batches of four, one of each sort below. In each life one batch is made, the one
 * before it is changed, and the one before that is deleted; then the agent is killed after so many
 * events on the managed cluster as the dice say. However fast it is, it has something left to do:
 * each life begins with the deletion of a work whose object somebody holds until the kill.
 *
 * A work is deleted when the agent has applied its change, so that it is certain what has a
 * reference. The last batch is changed and deleted while there is no agent, which is as certain:
 * what has none then gets none any more, and stays.
 */

#include "kills.h"

#include <signal.h>
#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/dice.h"
#include "support/wait.h"

#define SORTS 4
#define OBJECTS 5

/* A life ends after at most so many events, or after this time. A batch takes some 20 events to
 * come, and as many to go. */
#define EVENTS_MAX 24
#define LIFE_MS 4000

static const struct sort {
    const char *option; /* of the work when it is made */
    const char *change; /* a patch; NULL: none */
    unsigned staying;   /* bits: which of its objects stay when it is deleted */
    unsigned unseen;    /* the same, if no agent has seen the change before */
    bool shrinks;       /* the last object is dropped when it is changed */
} sorts[SORTS] = {
    { .option = "", .change = NULL, .staying = 0, .shrinks = true },
    { .option = "",
            .change = "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}",
            .staying = 0x1f,
            .unseen = 0x1f },
    { .option = ",'deleteOption':{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphans':{"
                "'orphaningRules':[{'resource':'configmaps','namespace':'@','name':'%s-0'},"
                "{'resource':'configmaps','namespace':'@','name':'%s-3'}]}}",
            .change = NULL,
            .staying = 0x09,
            .unseen = 0x09 },
    { .option = ORPHAN, .change = "{'spec':{'deleteOption':null}}", .staying = 0, .unseen = 0x1f },
};

static char *name_of(size_t batch, size_t sort)
{
    return prb_asprintf("b%zu-%zu", batch, sort);
}

/* The first `count` of its objects. */
static void add_manifests(struct prb_str *out, const char *work, int count)
{
    prb_str_add(out, "'workload':{'manifests':[");
    for (int i = 0; i < count; i++)
        prb_str_addf(out,
                "%s{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s-%d','namespace':"
                "'@'},'data':{'key':'a'}}",
                i ? "," : "", work, i);
    prb_str_add(out, "]}");
}

/* A rule of the option names objects by the work's name. */
static void add_option(struct prb_str *out, const char *option, const char *work)
{
    for (const char *at = option; *at; at++) {
        if (at[0] == '%' && at[1] == 's') {
            prb_str_add(out, work);
            at++;
        } else {
            prb_str_addc(out, *at);
        }
    }
}

static int make_batch(struct scene *scene, size_t batch)
{
    for (size_t i = 0; i < SORTS; i++) {
        prb_autofree char *work = name_of(batch, i);
        prb_auto(prb_str_done) struct prb_str spec;

        prb_str_init(&spec, 8192);
        add_manifests(&spec, work, OBJECTS);
        add_option(&spec, sorts[i].option, work);
        DO(scene_make_work(scene, work, prb_str_get(&spec)));
    }
    return 0;
}

static int change_batch(struct scene *scene, size_t batch)
{
    for (size_t i = 0; i < SORTS; i++) {
        prb_autofree char *work = name_of(batch, i);
        prb_auto(prb_str_done) struct prb_str patch;

        prb_str_init(&patch, 8192);
        prb_str_add(&patch, "{'spec':{");
        add_manifests(&patch, work, OBJECTS - 1);
        prb_str_add(&patch, "}}");
        if (sorts[i].shrinks || sorts[i].change)
            DO(scene_patch_work(
                    scene, work, sorts[i].shrinks ? prb_str_get(&patch) : sorts[i].change));
    }
    return 0;
}

static int await_batch(struct scene *scene, size_t batch)
{
    for (size_t i = 0; i < SORTS; i++) {
        prb_autofree char *work = name_of(batch, i);

        DO(scene_await_applied(scene, work));
    }
    return 0;
}

static int delete_batch(struct scene *scene, size_t batch)
{
    for (size_t i = 0; i < SORTS; i++) {
        prb_autofree char *work = name_of(batch, i);

        DO(scene_delete_work(scene, work));
    }
    return 0;
}

/* What is applied is recorded, too, but for a moment after: only then is it known again when a work
 * is changed and deleted before an agent looks. */
static int await_recorded(struct scene *scene, size_t batch)
{
    DO(await_batch(scene, batch));
    for (size_t i = 0; i < SORTS * OBJECTS; i++) {
        prb_autofree char *work = name_of(batch, i / OBJECTS);
        prb_autofree char *name = prb_asprintf("%s-%zu", work, i % OBJECTS);
        struct prb_ref ref = scene_cm(scene, name);

        DO(scene_await_recorded(scene, work, &ref, true));
    }
    return 0;
}

/* The object that was dropped may have been so before it was made. */
static int check_dropped(struct scene *scene, const struct prb_ref *ref)
{
    DO(scene_await_gone(scene, ref));
    return history_of(scene->ends->history, ref).count <= 1
                   ? 0
                   : scene_fail(scene, "%s was made twice", ref->name);
}

/* Nobody's, so that it does not go later either. */
static int check_kept(struct scene *scene, const struct prb_ref *ref)
{
    DO(scene_expect_kept(scene, ref));
    return scene_await_owners(scene, ref, 0);
}

static int check_object(struct scene *scene, const char *work, int number, const struct sort *sort,
        unsigned staying)
{
    prb_autofree char *name = prb_asprintf("%s-%d", work, number);
    struct prb_ref ref = scene_cm(scene, name);

    if (sort->shrinks && number == OBJECTS - 1)
        return check_dropped(scene, &ref);
    return staying & (1U << number) ? check_kept(scene, &ref) : scene_expect_gone(scene, &ref);
}

static int check_batch(struct scene *scene, size_t batch, bool is_seen)
{
    for (size_t i = 0; i < SORTS; i++) {
        prb_autofree char *work = name_of(batch, i);
        unsigned staying = is_seen ? sorts[i].staying : sorts[i].unseen;

        DO(scene_await_ended(scene, work));
        for (int j = 0; j < OBJECTS; j++)
            DO(check_object(scene, work, j, &sorts[i], staying));
    }
    return 0;
}

/* Is the life of this one over? */
struct life_span {
    struct history *history;
    const char *namespace;
    uint64_t until; /* events */
    int64_t deadline_ms;
};

static bool is_over(void *ctx)
{
    const struct life_span *span = ctx;

    return history_events(span->history, span->namespace) >= span->until ||
           prb_test_now_ms() >= span->deadline_ms;
}

/* ---- what is held ---- */

static char *held_name(size_t number)
{
    return prb_asprintf("held%zu", number);
}

/* One for each kill; the agent knows them all before the first. */
static int make_held(struct scene *scene, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        prb_autofree char *name = held_name(i);
        prb_autofree char *spec = prb_asprintf("'workload':{'manifests':[{'apiVersion':'v1','kind':"
                                               "'ConfigMap','metadata':{'name':'%s','namespace':"
                                               "'@'}}]}",
                name);
        struct prb_ref ref = scene_cm(scene, name);

        DO(scene_make_work(scene, name, spec));
        DO(scene_await_applied(scene, name));
        DO(scene_await_recorded(scene, name, &ref, true));
        DO(scene_patch(scene, &ref, HOLD));
    }
    return 0;
}

/* Returns when the agent is in the middle of it, where it stays. */
static int delete_held(struct scene *scene, size_t number)
{
    prb_autofree char *name = held_name(number);
    struct prb_ref ref = scene_cm(scene, name);

    DO(scene_delete_work(scene, name));
    return scene_await_deleting(scene, &ref);
}

/* The agent is dead. What it was in the middle of may now come to its end. */
static int let_go(struct scene *scene, size_t number)
{
    prb_autofree char *name = held_name(number);
    prb_auto(prb_object_unref) struct prb_object *work = scene_get_work(scene, name);
    struct prb_ref ref = scene_cm(scene, name);

    if (!work || !prb_object_is_deleting(work))
        return scene_fail(scene, "kill %zu: %s did not wait for its object", number + 1, name);
    return scene_release(scene, &ref);
}

static int check_held(struct scene *scene, size_t number)
{
    prb_autofree char *name = held_name(number);
    struct prb_ref ref = scene_cm(scene, name);

    DO(scene_await_ended(scene, name));
    return scene_expect_gone(scene, &ref);
}

/* ---- the play ---- */

static void kill_agent(struct kills *kills)
{
    int64_t ms;

    (void)program_end(&kills->process->program, SIGKILL, &ms);
    program_done(&kills->process->program);
}

/* What it is given to do, and how it ends. */
static int live_and_die(struct kills *kills, struct scene *scene, size_t number)
{
    struct life_span span = { .history = scene->ends->history, .namespace = scene->id };
    uint64_t before, limit = 1 + prb_test_roll(&kills->dice, EVENTS_MAX);

    if (number >= 2)
        DO(await_batch(scene, number - 2));
    DO(delete_held(scene, number));
    before = history_events(span.history, span.namespace);
    DO(make_batch(scene, number));
    if (number >= 1)
        DO(change_batch(scene, number - 1));
    if (number >= 2)
        DO(delete_batch(scene, number - 2));
    span.until = before + limit;
    span.deadline_ms = prb_test_now_ms() + LIFE_MS;
    (void)prb_test_await("the life of this process is over", is_over, &span, PRB_TEST_SOON_MS);
    kill_agent(kills);
    printf("    kill %zu: after %llu events, wanted %llu\n", number + 1,
            (unsigned long long)(history_events(span.history, span.namespace) - before),
            (unsigned long long)limit);
    (void)fflush(stdout);
    DO(let_go(scene, number));
    process_start(kills->process);
    return 0;
}

static int make_bystander(struct scene *scene, struct prb_ref *ret)
{
    *ret = scene_cm(scene, "bystander");
    return scene_make(scene, ret, CM("bystander", "a"));
}

/* The last two batches have not had all of it. */
static int finish(struct kills *kills, struct scene *scene)
{
    size_t last = kills->count - 1;

    if (last > 0) {
        DO(await_batch(scene, last - 1));
        DO(delete_batch(scene, last - 1));
    }
    DO(await_recorded(scene, last));
    kill_agent(kills);
    DO(change_batch(scene, last));
    DO(delete_batch(scene, last));
    process_start(kills->process);
    return 0;
}

int kills_play(struct kills *kills, struct scene *scene)
{
    struct prb_ref bystander;

    DO(make_bystander(scene, &bystander));
    DO(make_held(scene, kills->count));
    for (size_t i = 0; i < kills->count; i++)
        DO(live_and_die(kills, scene, i));
    DO(finish(kills, scene));
    for (size_t i = 0; i < kills->count; i++) {
        DO(check_batch(scene, i, i + 1 < kills->count));
        DO(check_held(scene, i));
    }
    if (scene_changes(scene, &bystander) != 0)
        return scene_fail(scene, "somebody wrote to what concerns nobody");
    return scene_expect_kept(scene, &bystander);
}
