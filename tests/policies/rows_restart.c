/* What happened while no Probate was there? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

void stop_probate(struct scene *scene)
{
    prb_test_loop_stop(scene->stage->loop);
}

int start_probate(struct scene *scene)
{
    struct prb_error err;

    return prb_test_loop_start(
                   scene->stage->loop, &prb_reconciler_policy, scene->stage->place->api, &err) < 0
                   ? scene_fail(scene, "start: %s", err.msg)
                   : 0;
}

static int begin(struct scene *scene, const struct prb_ref *foo)
{
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", foo, true));
    stop_probate(scene);
    return 0;
}

/* As the design has it: deleted and made again by somebody else between two evaluations. */
static int taken_over(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    prb_autofree char *uid = NULL;

    DO(begin(scene, &foo));
    DO(scene_delete(scene, &foo));
    DO(scene_make(scene, &foo, CM("foo", "mine")));
    DO(start_probate(scene));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_compliant(scene, "p"));
    live = scene_get(scene, &foo);
    uid = scene_recorded_uid(scene, "p", &foo);
    if (!live || prb_streq(uid, prb_object_uid(live)))
        return scene_fail(scene, "the uid of somebody else's object was recorded");
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_made(scene, &foo, 2);
}

static int missing(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(begin(scene, &foo));
    DO(scene_delete(scene, &foo));
    DO(start_probate(scene));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_ended(scene, &foo, 2);
}

static int renamed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(begin(scene, &foo));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a"))))));
    DO(start_probate(scene));
    DO(scene_await_recorded(scene, "p", &bar, true));
    return scene_expect_gone(scene, &foo);
}

static int deleted(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(begin(scene, &foo));
    DO(scene_delete_policy(scene, "p"));
    DO(start_probate(scene));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &foo);
}

/* Set back to None and deleted in the same moment: the finalizer is there, and prunes nothing. */
static int spared(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(begin(scene, &foo));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'None'")));
    DO(scene_delete_policy(scene, "p"));
    DO(start_probate(scene));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_kept(scene, &foo);
}

/* Nothing happened: nothing is written. */
static int nothing(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");
    prb_auto(prb_object_unref) struct prb_object *before = NULL, *after = NULL;

    DO(begin(scene, &foo));
    before = scene_get_policy(scene, "p");
    DO(start_probate(scene));
    DO(scene_make_policy(scene, "q", ENFORCE("DeleteIfCreated", HAVE(CM("bar", "a")))));
    DO(scene_await_recorded(scene, "q", &bar, true));
    after = scene_get_policy(scene, "p");
    if (!before || !after ||
            !prb_streq(prb_object_resource_version(before), prb_object_resource_version(after)))
        return scene_fail(scene, "the policy was written to");
    return scene_changes(scene, &foo) == 0 ? 0 : scene_fail(scene, "foo was written to");
}

/* DeleteAll goes by the name. Its object is held and goes at last, while no Probate is there, and
 * somebody else makes another. */
static int replaced(struct scene *scene, const struct prb_ref *foo)
{
    stop_probate(scene);
    DO(scene_release(scene, foo));
    DO(scene_expect_gone(scene, foo));
    DO(scene_make(scene, foo, CM("foo", "mine")));
    return start_probate(scene);
}

static int begin_all(struct scene *scene, const struct prb_ref *foo)
{
    DO(scene_make(scene, foo, CM("foo", "a")));
    DO(scene_patch(scene, foo, HOLD));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    return scene_await_compliant(scene, "p");
}

static int replaced_after_deletion(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(begin_all(scene, &foo));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_deleting(scene, &foo));
    DO(scene_await_state(scene, "p", "Terminating", "example.org/hold"));
    DO(replaced(scene, &foo));
    DO(scene_await_ended(scene, "p"));
    DO(scene_await_event(scene, "ConfigurationPolicy", "p",
            "(it was made after the one of its name was deleted)"));
    return scene_expect_made(scene, &foo, 2);
}

/* The same where only a template has gone: no deletionTimestamp tells the two apart. */
static int replaced_after_change(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(begin_all(scene, &foo));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a"))))));
    DO(scene_await_deleting(scene, &foo));
    DO(scene_await_state(scene, "p", "NonCompliant", "example.org/hold"));
    DO(replaced(scene, &foo));
    DO(scene_await_listed(scene, "p", &foo, false));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &bar));
    return scene_expect_made(scene, &foo, 2);
}

/* Nobody was there when it was deleted either: what came afterwards was never meant. */
static int replaced_unseen(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(begin_all(scene, &foo));
    DO(scene_release(scene, &foo));
    stop_probate(scene);
    DO(scene_delete_policy(scene, "p"));
    DO(scene_delete(scene, &foo));
    DO(scene_make(scene, &foo, CM("foo", "mine")));
    DO(start_probate(scene));
    DO(scene_await_ended(scene, "p"));
    DO(scene_await_event(
            scene, "ConfigurationPolicy", "p", "(it was made after the policy was deleted)"));
    return scene_expect_made(scene, &foo, 2);
}

static const struct row list[] = {
    ROW("what somebody else deleted and made again meanwhile is his, and stays", taken_over),
    ROW("shipped bug: what was missing is made again, with its uid on record", missing),
    ROW("a name that changed meanwhile takes the old object along", renamed),
    ROW("a policy that was deleted meanwhile takes its object along", deleted),
    ROW("a policy that was set to None and deleted meanwhile leaves it", spared),
    ROW("DeleteAll, restarted: what others make when its object is gone at last stays",
            replaced_after_deletion),
    ROW("DeleteAll, restarted: what others make when what left a policy is gone at last stays",
            replaced_after_change),
    ROW("DeleteAll: what others make after the policy was deleted stays", replaced_unseen),
    ROW("a restart writes nothing when nothing has changed", nothing),
};

ROW_LIST(rows_restart, .alone = true);
