/* What goes when a template changes (case20 of the reference)? */

#include "rows.h"

#define ONE(definition) TEMPLATES(HAVE(definition))

static int rename_it(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_recorded(scene, "p", &bar, true));
    DO(scene_await_listed(scene, "p", &foo, false));
    return scene_expect_kept(scene, &bar);
}

static int move_it(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), moved = scene_cm_b(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM_IN("@-b", "foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_recorded(scene, "p", &moved, true));
    return scene_expect_kept(scene, &moved);
}

static int turn_around(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make(scene, &bar, CM("bar", "a")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE_NOT(CM("bar", "a"))))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_gone(scene, &bar);
}

static int rename_under_none(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "p", ENFORCE("None", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_kept(scene, &foo));
    return scene_expect_kept(scene, &bar);
}

static int move_under_none(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), moved = scene_cm_b(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("None", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM_IN("@-b", "foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_kept(scene, &foo));
    return scene_expect_kept(scene, &moved);
}

static int change_content(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM("foo", "b")))));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_compliant(scene, "p"));
    return scene_expect_kept(scene, &foo);
}

/* One of three, and one of these existed. */
static int drop_templates(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");
    struct prb_ref bar = scene_cm(scene, "bar");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteIfCreated",
                    HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")) "," HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(ONE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_expect_kept(scene, &old));
    DO(scene_await_listed(scene, "p", &old, false));
    return scene_expect_kept(scene, &bar);
}

static int drop_all(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET("'object-templates':[]")));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_expect_gone(scene, &old));
    DO(scene_await_listed(scene, "p", &foo, false));
    return scene_await_listed(scene, "p", &old, false);
}

/* What leaves an inform policy is nobody's to prune. */
static int rename_under_inform(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET("'remediationAction':'inform'," ONE(CM("bar", "a")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "bar"));
    return scene_expect_kept(scene, &foo);
}

static const struct row list[] = {
    ROW("case20: the name in a template changes: the old object goes, the new one comes",
            rename_it),
    ROW("case20: the namespace in a template changes: the old object goes, the new one comes",
            move_it),
    ROW("case20: mustnothave and another name at once: both are gone", turn_around),
    ROW("case20: None and another name: the old object stays", rename_under_none),
    ROW("case20: None and another namespace: the old object stays", move_under_none),
    ROW("case20: DeleteAll and only other content: the object stays", change_content),
    ROW("templates that are removed take what they have created along", drop_templates),
    ROW("no templates at all take everything along, under DeleteAll", drop_all),
    ROW("a policy that informs by now prunes nothing when a name changes", rename_under_inform),
};

ROW_LIST(rows_change);
