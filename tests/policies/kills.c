/*
 * Is anything deleted that should stay, or left that should go, when Probate is killed at random?
 *
 * Each policy goes through lives of its own, again and again under new names: it is made, over some
 * objects that exist already; changed, so that some objects leave it and others come; and deleted.
 * Whether it is waited for in between is for the dice to say. After each bit Probate is killed,
 * after so many events as the dice say. However fast it is, it has something left to do: each bit
 * begins with the deletion of a policy whose object somebody holds until the kill. In the end all
 * policies are deleted, and the history, which has no part in any of this, is asked what became of
 * every single object.
 */

#include "kills.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/dice.h"
#include "support/wait.h"

/* Of its objects: these exist before it. */
#define EXISTING 5

/* These leave it when it is changed, the first of them an existing one; as many come. */
#define LEAVING_FROM 4
#define LEAVING_TO 10

/* One run of Probate ends after at most so many events for each policy that goes a step further,
 * about half of what that takes; or after this time. */
#define EVENTS_EACH 10
#define RUN_MS 5000

#define SPEC_MAX ((size_t)64 * 1024)

enum step { ABSENT, MADE, CHANGED };

enum sort { IF_CREATED, ALL, NONE, SORTS };

static const char *const behaviours[SORTS] = { "DeleteIfCreated", "DeleteAll", "None" };

struct subject {
    size_t number, life; /* policy NUMBER in its life LIFE: "p3-1" */
    enum step step;
};

/* Half of all are DeleteIfCreated. */
static enum sort sort_of(const struct subject *subject)
{
    return subject->number % 4 == 1 ? ALL : subject->number % 4 == 3 ? NONE : IF_CREATED;
}

static char *name_of(const struct subject *subject)
{
    return prb_asprintf("p%zu-%zu", subject->number, subject->life);
}

static struct prb_ref object_of(struct scene *scene, const struct subject *subject, size_t object)
{
    prb_autofree char *name = prb_asprintf("p%zu-%zu-%zu", subject->number, subject->life, object);

    return scene_cm(scene, name);
}

static bool is_leaving(size_t object)
{
    return object >= LEAVING_FROM && object < LEAVING_TO;
}

/* Those that come when others leave have the numbers after all. */
static size_t meant(size_t object, bool changed)
{
    return changed && is_leaving(object) ? KILLS_OBJECTS + object - LEAVING_FROM : object;
}

#define OBJECTS_ALL (KILLS_OBJECTS + LEAVING_TO - LEAVING_FROM)

static void add_object(struct prb_str *out, const char *policy, size_t object)
{
    prb_str_addf(out,
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s-%zu','namespace':'@'},"
            "'data':{'key':'a'}}",
            policy, object);
}

static char *spec_of(const struct subject *subject, bool changed)
{
    prb_autofree char *name = name_of(subject);
    prb_auto(prb_str_done) struct prb_str spec;

    prb_str_init(&spec, SPEC_MAX);
    prb_str_addf(&spec,
            "'remediationAction':'enforce','pruneObjectBehavior':'%s','object-templates':[",
            behaviours[sort_of(subject)]);
    for (size_t i = 0; i < KILLS_OBJECTS; i++) {
        prb_str_addf(&spec, "%s{'complianceType':'musthave','objectDefinition':", i ? "," : "");
        add_object(&spec, name, meant(i, changed));
        prb_str_add(&spec, "}");
    }
    prb_str_add(&spec, "]");
    return prb_str_take(&spec);
}

static int make(struct scene *scene, const struct subject *subject)
{
    prb_autofree char *name = name_of(subject), *spec = spec_of(subject, false);

    for (size_t i = 0; i < EXISTING; i++) {
        struct prb_ref ref = object_of(scene, subject, i);
        prb_auto(prb_str_done) struct prb_str text;

        prb_str_init(&text, SPEC_MAX);
        add_object(&text, name, i);
        DO(scene_make(scene, &ref, prb_str_get(&text)));
    }
    return scene_make_policy(scene, name, spec);
}

static int change(struct scene *scene, const struct subject *subject)
{
    prb_autofree char *name = name_of(subject), *spec = spec_of(subject, true);
    prb_autofree char *patch = prb_asprintf("{'spec':{%s}}", spec);

    return scene_patch_policy(scene, name, patch);
}

/* ---- what must have become of it ---- */

/* Those of DeleteAll that existed go if it was ever told of them, which nobody waits for. */
static int check_existing(struct scene *scene, const struct subject *subject, size_t object)
{
    struct prb_ref ref = object_of(scene, subject, object);
    struct lives lives;

    if (sort_of(subject) != ALL)
        return scene_expect_kept(scene, &ref);
    lives = history_of(scene->place->history, &ref);
    return lives.count == 1 ? 0 : scene_fail(scene, "%s existed, and was made again", ref.name);
}

/* What a policy has created it has created once, and taken along; nobody else has made any. */
static int check_created(struct scene *scene, const struct subject *subject, size_t object)
{
    struct prb_ref ref = object_of(scene, subject, object);
    struct lives lives = history_of(scene->place->history, &ref);

    if (lives.count > 1)
        return scene_fail(scene, "%s was made %u times", ref.name, lives.count);
    if (sort_of(subject) == NONE)
        return lives.begun == 0 ? 0 : scene_fail(scene, "%s was deleted under None", ref.name);
    return lives.count == 0 ? scene_expect_never(scene, &ref) : scene_expect_gone(scene, &ref);
}

static int check(struct scene *scene, const struct subject *subject)
{
    for (size_t i = 0; i < OBJECTS_ALL; i++)
        DO(i < EXISTING ? check_existing(scene, subject, i) : check_created(scene, subject, i));
    return 0;
}

/* ---- what is held ---- */

static char *held_name(size_t number)
{
    return prb_asprintf("held%zu", number);
}

/* One for each kill, and known before the first. */
static int make_held(struct scene *scene, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        prb_autofree char *name = held_name(i);
        prb_autofree char *spec = prb_asprintf(
                ENFORCE("DeleteIfCreated", HAVE("{'apiVersion':'v1','kind':'ConfigMap','metadata':{"
                                                "'name':'%s','namespace':'@'}}")),
                name);
        struct prb_ref ref = scene_cm(scene, name);

        DO(scene_make_policy(scene, name, spec));
        DO(scene_await_recorded(scene, name, &ref, true));
        DO(scene_patch(scene, &ref, HOLD));
    }
    return 0;
}

/* Returns when Probate is in the middle of it, where it stays. */
static int delete_held(struct scene *scene, size_t number)
{
    prb_autofree char *name = held_name(number);
    struct prb_ref ref = scene_cm(scene, name);

    DO(scene_delete_policy(scene, name));
    return scene_await_deleting(scene, &ref);
}

/* Probate is dead. What it was in the middle of may now come to its end. */
static int let_go(struct scene *scene, size_t number)
{
    prb_autofree char *name = held_name(number);
    prb_auto(prb_object_unref) struct prb_object *policy = scene_get_policy(scene, name);
    struct prb_ref ref = scene_cm(scene, name);

    if (!policy || !prb_object_is_deleting(policy))
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

static int take_away(struct scene *scene, struct subject *subject)
{
    prb_autofree char *name = name_of(subject);

    DO(scene_delete_policy(scene, name));
    subject->step = ABSENT;
    subject->life++;
    return 0;
}

/* One step further; dice decide whether the step before must have come to its end. */
static int advance(struct kills *kills, struct scene *scene, struct subject *subject)
{
    prb_autofree char *name = name_of(subject);

    if (subject->step == ABSENT) {
        subject->step = MADE;
        return make(scene, subject);
    }
    if (prb_test_roll(&kills->dice, 4) == 0)
        DO(scene_await_compliant(scene, name));
    if (subject->step == CHANGED)
        return take_away(scene, subject);
    subject->step = CHANGED;
    return change(scene, subject);
}

static uint64_t count_events(struct scene *scene)
{
    return history_events(scene->place->history, scene->id);
}

struct span {
    struct scene *scene;
    uint64_t until; /* events */
    int64_t deadline_ms;
};

static bool is_over(void *ctx)
{
    const struct span *span = ctx;

    return count_events(span->scene) >= span->until || prb_test_now_ms() >= span->deadline_ms;
}

static void start(struct kills *kills, struct scene *scene)
{
    program_start_agent(&kills->program,
            (const char *const[]){ "--kubeconfig",
                    prb_fault_proxy_kubeconfig(scene->place->real.proxy), "--controllers", "policy",
                    "--policy-namespace", PROCESS_POLICIES, "--leader-elect=false", NULL });
}

/* Give it something to do, and end it in the middle. */
static int live_and_die(
        struct kills *kills, struct scene *scene, struct subject *subjects, size_t number)
{
    struct span span = { .scene = scene };
    size_t steps = (kills->policies + 2) / 3;
    uint64_t before, limit = 1 + prb_test_roll(&kills->dice, steps * EVENTS_EACH);
    int64_t ms;

    DO(delete_held(scene, number));
    before = count_events(scene);
    for (size_t i = 0; i < steps; i++)
        DO(advance(kills, scene, &subjects[prb_test_roll(&kills->dice, kills->policies)]));
    span.until = before + limit;
    span.deadline_ms = prb_test_now_ms() + RUN_MS;
    (void)prb_test_await("the life of this process is over", is_over, &span, PRB_TEST_SOON_MS);
    (void)program_end(&kills->program, SIGKILL, &ms);
    program_done(&kills->program);
    printf("    kill %zu: after %llu events, wanted %llu\n", number + 1,
            (unsigned long long)(count_events(scene) - before), (unsigned long long)limit);
    (void)fflush(stdout);
    DO(let_go(scene, number));
    start(kills, scene);
    return 0;
}

/* All that are still there, whatever they were about to do. */
static int delete_rest(struct scene *scene, struct subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (subjects[i].step != ABSENT)
            DO(take_away(scene, &subjects[i]));
    }
    return 0;
}

static int await_all_ended(struct scene *scene, const struct subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t life = 0; life < subjects[i].life; life++) {
            prb_autofree char *name = name_of(&(struct subject){ .number = i, .life = life });

            DO(scene_await_ended(scene, name));
        }
    }
    return 0;
}

/* One collection is told in order: who has seen the last has seen all. */
static int await_history(struct scene *scene)
{
    struct prb_ref last = scene_cm(scene, "last");

    DO(scene_make(scene, &last, CM("last", "a")));
    return scene_expect_kept(scene, &last);
}

static int check_all(struct scene *scene, const struct subject *subjects, size_t count)
{
    DO(await_all_ended(scene, subjects, count));
    DO(await_history(scene));
    for (size_t i = 0; i < count; i++) {
        for (size_t life = 0; life < subjects[i].life; life++)
            DO(check(scene, &(struct subject){ .number = i, .life = life }));
    }
    return 0;
}

static int make_all(struct kills *kills, struct scene *scene, struct subject *subjects)
{
    for (size_t i = 0; i < kills->policies; i++) {
        subjects[i].number = i;
        DO(advance(kills, scene, &subjects[i]));
    }
    return 0;
}

int kills_play(struct kills *kills, struct scene *scene)
{
    prb_autofree struct subject *subjects = prb_calloc(kills->policies, sizeof(*subjects));

    start(kills, scene);
    DO(make_held(scene, kills->count));
    DO(make_all(kills, scene, subjects));
    for (size_t i = 0; i < kills->count; i++)
        DO(live_and_die(kills, scene, subjects, i));
    DO(delete_rest(scene, subjects, kills->policies));
    for (size_t i = 0; i < kills->count; i++)
        DO(check_held(scene, i));
    return check_all(scene, subjects, kills->policies);
}
