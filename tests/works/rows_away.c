/* Is anything deleted or forgotten while the hub or the managed cluster cannot be reached? */

#include <stdio.h>

#include "rows.h"
#include "support/wait.h"

static int set_up(struct scene *scene, const char *rest, struct prb_ref *cm1)
{
    *cm1 = scene_cm(scene, "cm1");
    DO(scene_make_work(scene, "w", rest));
    DO(scene_await_applied(scene, "w"));
    return scene_await_recorded(scene, "w", cm1, true);
}

static void cut(struct end *end, bool on)
{
    prb_fault_proxy_set_upstream(end->real.proxy, on);
}

/* What the hub has said last still holds, on the cluster that can be reached. */
static int hub_away(struct scene *scene)
{
    bool apart = scene->ends->form == REAL_APART;
    struct prb_ref cm1, cm2 = scene_cm(scene, "cm2");

    DO(set_up(scene, WORKLOAD(TWO), &cm1));
    cut(scene->ends->hub, false);
    DO(scene_patch(scene, &cm1, "{'data':{'key':'not mine'}}"));
    if (apart)
        DO(scene_await_value(scene, &cm1, "a"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_expect_kept(scene, &cm2));
    cut(scene->ends->hub, true);
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

/* Deleted there while nobody can act on it here. */
static int spoke_away(struct scene *scene)
{
    bool apart = scene->ends->form == REAL_APART;
    struct prb_ref cm1, cm2 = scene_cm(scene, "cm2"), cm3 = scene_cm(scene, "cm3");

    DO(set_up(scene, WORKLOAD(TWO) SPARE_CM("cm1"), &cm1));
    cut(scene->ends->spoke, false);
    DO(scene_delete_work(scene, "w"));
    DO(scene_make_work(scene, "later", WORKLOAD(CM("cm3", "a"))));
    if (apart)
        DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", ""));
    cut(scene->ends->spoke, true);
    DO(scene_await_ended(scene, "w"));
    DO(scene_await_applied(scene, "later"));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm3);
}

static bool is_stamped(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *applied = scene_get(hope->scene, hope->ref);

    (void)snprintf(hope->seen, sizeof(hope->seen), "%s",
            applied ? "it has no evictionStartTime" : "it is not there");
    return applied && prb_json_str(prb_object_status(applied), "evictionStartTime");
}

static bool is_deleting(void *ctx)
{
    struct hope *hope = ctx;

    return history_of(hope->scene->ends->history, hope->ref).begun > 0;
}

#define GRACE_MS 3000

/* So often the agent asks in vain: it has come back to it. */
#define QUESTIONS 2

/* The agent's question whether there is such a work, without an answer. */
struct question {
    struct prb_fault_proxy *proxy;
    int rule;
};

static struct question silence(struct scene *scene, const char *work)
{
    struct prb_ref ref = scene_work(scene, work);
    struct question question = { .proxy = scene->ends->hub->real.proxy };

    question.rule =
            prb_fault_proxy_add(question.proxy, &(struct prb_fault_rule){
                                                        .fault = PRB_FAULT_DROP_BEFORE,
                                                        .verb = "get",
                                                        .resource = "manifestworks." PRB_WORK_GROUP,
                                                        .name = ref.name,
                                                });
    return question;
}

static bool was_asked(void *ctx)
{
    struct question *question = ctx;
    unsigned now = prb_fault_proxy_hits(question->proxy, question->rule);

    return now >= QUESTIONS || prb_test_saw("%u of %d times", now, QUESTIONS);
}

/* The work is gone as far as the cache knows; but nobody can say so live, so nothing is evicted
 * however long ago the grace has ended: not when only the question fails, and not when all does. */
static int eviction_needs_the_hub(struct scene *scene)
{
    struct prb_ref applied, cm1;
    struct question question;
    int64_t until_ms;
    bool evicted;

    DO(scene_hire(scene));
    scene->own.settings.eviction_grace_ms = GRACE_MS;
    DO(scene_start(scene));
    applied = scene_applied(scene, "w");
    DO(set_up(scene, WORKLOAD(TWO), &cm1));
    scene_stop(scene);
    DO(scene_patch_work(scene, "w", "{'metadata':{'finalizers':null}}"));
    DO(scene_delete_work(scene, "w"));
    question = silence(scene, "w");
    DO(scene_start(scene));
    DO(scene_await(scene, &(struct hope){ .ref = &applied }, is_stamped, "is not stamped"));
    if (!prb_test_await("the grace has ended, and the hub is asked", was_asked, &question,
                PRB_TEST_STORM_MS))
        return scene_fail(scene, "%s", prb_test_awaited());
    DO(scene_expect_kept(scene, &applied));
    cut(scene->ends->hub, false);
    /* The time is what the row is about. */
    until_ms = prb_test_now_ms() + 2 * GRACE_MS;
    while (!(evicted = is_deleting(&(struct hope){ .scene = scene, .ref = &applied })) &&
            prb_test_now_ms() < until_ms)
        prb_test_pause();
    if (evicted)
        return scene_fail(scene, "evicted although the hub could not be asked");
    DO(scene_expect_kept(scene, &cm1));
    prb_fault_proxy_clear(question.proxy, question.rule);
    cut(scene->ends->hub, true);
    DO(scene_expect_gone(scene, &applied));
    return scene_expect_gone(scene, &cm1);
}

static const struct row list[] = {
    ROW("a hub that is away: nothing is deleted, drift is repaired, and then it ends", hub_away),
    ROW("a managed cluster that is away: nothing is forgotten", spoke_away),
    ROW("nothing is evicted while the hub cannot be asked", eviction_needs_the_hub),
};

ROW_LIST(rows_away, .real_only = true, .alone = true);
