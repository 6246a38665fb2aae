/* Does a missing definition, or a list that is refused, pass for "nothing there"? */

#include "probate/base/mem.h"

#include "lone.h"
#include "rows.h"
#include "support/wait.h"

/* A namespace in the middle of a deletion, so that all that stands in the way is that nobody can
 * say whether its cluster is gone. */
static int make_marked(struct estate *estate)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;
    prb_autofree char *patch = NULL;

    DO(estate_make(estate, NAMESPACE, NULL, ""));
    namespace = estate_get(estate, NAMESPACE, NULL);
    if (!namespace)
        return estate_fail(estate, "the namespace is not there");
    patch = prb_asprintf("{'metadata':{'annotations':{'" PRB_MARK_CLUSTER_UID
                         "':'gone','" PRB_MARK_NAMESPACE_UID "':'%s'}}}",
            prb_object_uid(namespace));
    DO(estate_patch(estate, NAMESPACE, NULL, patch));
    DO(estate_make(estate, ADDON, "search", "'labels':{" AGENTS "}," HELD_BY_HOOK));
    DO(estate_make_addon_work(estate, "deploy", "search"));
    return estate_make_rights(estate);
}

static int expect_all(struct estate *estate)
{
    DO(estate_expect_untouched(estate, ADDON, "search"));
    DO(estate_expect_untouched(estate, WORK, "deploy"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_expect_untouched(estate, ROLE, NULL));
    return estate_expect_untouched(estate, NAMESPACE, NULL);
}

static int play_without(struct estate *estate, const struct prb_cluster_settings *settings)
{
    struct target *target = estate->target;
    struct prb_error err;

    if (target_define(target, ADDON, &err) < 0 || target_define(target, WORK, &err) < 0)
        return estate_fail(estate, "%s", err.msg);
    DO(make_marked(estate));
    if (target_start_loop(target, settings, &err) < 0)
        return estate_fail(estate, "%s", err.msg);
    DO(estate_await_waits(estate, "managedclusters"));
    DO(expect_all(estate));

    /* Now it can be told that the cluster is gone. */
    if (target_define(target, CLUSTER, &err) < 0)
        return estate_fail(estate, "%s", err.msg);
    DO(estate_await_deleting(estate, WORK, "deploy"));
    DO(estate_release(estate, WORK, "deploy"));
    return estate_await_end(estate, ORDER_STRIPPED);
}

static void without_definition(struct target *target, const struct prb_cluster_settings *settings,
        char why[PRB_TEST_WHY_SIZE])
{
    struct estate estate;

    estate_open(&estate, target, why);
    (void)play_without(&estate, settings);
    estate_close(&estate);
    target_stop_loop(target);
}

#define WORKS "manifestworks.work.open-cluster-management.io"

/* From now on the reconciler hears nothing of works, and goes by what it knew. */
static void hide_works(struct target *target)
{
    static const char *const verbs[] = { "list", "watch" };

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        (void)prb_fault_proxy_add(
                target->real.proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                                            .verb = verbs[i],
                                            .resource = WORKS,
                                            .status = 403 });
    (void)prb_fault_proxy_cut_watches(target->real.proxy, WORKS);
}

static int expect_none_touched(struct estate *estate)
{
    DO(estate_expect_untouched(estate, WORK, "unseen"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "registration"));
    return estate_expect_untouched(estate, NAMESPACE, NULL);
}

static int end_when_they_are_seen(struct estate *estate)
{
    prb_fault_proxy_clear(estate->target->real.proxy, 0);
    DO(estate_await_said(estate, "WorksRemaining", "unseen"));
    DO(finish_work(estate, "unseen"));
    return estate_await_end(estate, 0);
}

/* The works of a cluster are read when its deletion begins. */
static int play_never_listed(struct estate *estate, const struct prb_cluster_settings *settings)
{
    struct target *target = estate->target;
    struct prb_error err;

    if (target_start_loop(target, settings, &err) < 0)
        return estate_fail(estate, "%s", err.msg);
    DO(estate_found(estate));
    hide_works(target);
    DO(make_customised(estate, "unseen"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "WorksRemaining", "is not known yet"));
    DO(expect_none_touched(estate));
    return end_when_they_are_seen(estate);
}

static bool watches_works(void *ctx)
{
    return prb_fault_proxy_watches(ctx, WORKS) > 0 || prb_test_saw("no watch on works");
}

/* It knew of no work while it waited for an addon, and hears of none any more. */
static int play_unreadable(struct estate *estate, const struct prb_cluster_settings *settings)
{
    struct target *target = estate->target;
    struct prb_error err;

    if (target_start_loop(target, settings, &err) < 0)
        return estate_fail(estate, "%s", err.msg);
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "search", HELD_BY_HOOK));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "AddOnsRemaining", "search"));
    if (!prb_test_await("the works of the cluster are watched", watches_works, target->real.proxy,
                PRB_TEST_SOON_MS))
        return estate_fail(estate, "%s", prb_test_awaited());
    hide_works(target);
    DO(make_customised(estate, "unseen"));
    DO(estate_release(estate, ADDON, "search"));
    DO(estate_await_said(estate, "CleanupFailed", "manifestworks"));
    DO(estate_await_event(estate, "CleanupFailed"));
    DO(expect_none_touched(estate));
    return end_when_they_are_seen(estate);
}

static void play_hidden(struct target *target, const struct prb_cluster_settings *settings,
        int (*play)(struct estate *estate, const struct prb_cluster_settings *settings),
        char why[PRB_TEST_WHY_SIZE])
{
    struct estate estate;

    estate_open(&estate, target, why);
    (void)play(&estate, settings);
    prb_fault_proxy_clear(target->real.proxy, 0);
    estate_close(&estate);
    target_stop_loop(target);
}

static void unreadable(struct target *target, const struct prb_cluster_settings *settings,
        char why[PRB_TEST_WHY_SIZE])
{
    play_hidden(target, settings, play_unreadable, why);
}

static void never_listed(struct target *target, const struct prb_cluster_settings *settings,
        char why[PRB_TEST_WHY_SIZE])
{
    play_hidden(target, settings, play_never_listed, why);
}

const struct lone_row lone_without_definition = {
    "without the definition of clusters nothing is deleted, marked or not", without_definition
};

const struct lone_row lone_unreadable = {
    "works that may not be listed any more are not taken for gone", unreadable
};

const struct lone_row lone_never_listed = { "works that were never listed are not taken for gone",
    never_listed };
