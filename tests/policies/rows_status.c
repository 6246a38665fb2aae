/* Is it recorded who has made what (case20 of the reference)? */

#include "rows.h"

static int created(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    return scene_expect_kept(scene, &foo);
}

static int existed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    return scene_changes(scene, &foo) == 0 ? 0 : scene_fail(scene, "it was written to");
}

static int edited(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "before")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    return scene_expect_kept(scene, &foo);
}

static int informed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), none = scene_cm(scene, "none");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p",
            SPEC("inform", "DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("none", "a")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "none"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_await_listed(scene, "p", &none, true));
    return scene_expect_never(scene, &none);
}

/* What was recorded while nothing was to be pruned serves when something is. */
static int pruning_comes_later(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("None", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'DeleteIfCreated'")));
    DO(scene_await_finalizer(scene, "p", true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_kept(scene, &old);
}

static const struct row list[] = {
    ROW("case20: the status of an object that was created says createdByPolicy true, and its uid",
            created),
    ROW("case20: the status of an object that already existed says false", existed),
    ROW("case20: the status of an object that was only edited says false", edited),
    ROW("case20: the status of an inform policy says false, and a uid", informed),
    ROW("what was recorded under None serves when pruning is switched on later",
            pruning_comes_later),
};

ROW_LIST(rows_status);
