/* Does design 000 hold: its test plan, and the hand-over of its API comment? */

#include "rows.h"

static int orphan_all(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO) ORPHAN));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_await_owners(scene, &cm2, 0));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_kept(scene, &cm1));
    return scene_expect_kept(scene, &cm2);
}

/* On deletion of the work, and of the manifest alone. */
static int orphan_certain(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");
    struct prb_ref cm3 = scene_cm(scene, "cm3");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO "," CM("cm3", "a")) SPARE_CM("cm1")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_await_owned(scene, &cm2, "w", true));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm1", "a") "," CM("cm2", "a"))));
    DO(scene_expect_gone(scene, &cm3));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

static int orphan_nothing(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owned(scene, &cm2, "w", true));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

static int mutate(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owned(scene, &cm2, "w", true));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_await_owned(scene, &cm2, "w", false));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'deleteOption':{'propagationPolicy':'SelectivelyOrphan',"
            "'selectivelyOrphans':{'orphaningRules':[" CM_RULE("cm1") "]}}}}"));
    DO(scene_await_owned(scene, &cm2, "w", true));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'deleteOption':{'selectivelyOrphans':{'orphaningRules':[" CM_RULE(
                    "cm2") "]}}}}"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owned(scene, &cm2, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_kept(scene, &cm2);
}

/* 1. create manifestwork/2 to manage foo; 2. update manifestwork/1 to selectively orphan foo;
 * 3. remove foo from manifestwork/1. */
static int pass_on(struct scene *scene, const struct prb_ref *foo)
{
    DO(scene_make_work(scene, "2", WORKLOAD(CM("foo", "a"))));
    DO(scene_await_applied(scene, "2"));
    DO(scene_await_owners(scene, foo, 2));
    DO(scene_patch_work(scene, "1",
            "{'spec':{'deleteOption':{'propagationPolicy':'SelectivelyOrphan',"
            "'selectivelyOrphans':{'orphaningRules':[" CM_RULE("foo") "]}}}}"));
    DO(scene_await_owned(scene, foo, "1", false));
    DO(scene_patch_work(scene, "1", MANIFESTS(CM("rest", "a"))));
    DO(scene_await_recorded(scene, "1", foo, false));
    return scene_await_owned(scene, foo, "2", true);
}

static int hand_over(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), rest = scene_cm(scene, "rest");

    DO(scene_make_work(scene, "1", WORKLOAD(CM("foo", "a") "," CM("rest", "a"))));
    DO(scene_await_applied(scene, "1"));
    DO(pass_on(scene, &foo));
    DO(scene_delete_work(scene, "1"));
    DO(scene_await_ended(scene, "1"));
    DO(scene_expect_gone(scene, &rest));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_delete_work(scene, "2"));
    DO(scene_await_ended(scene, "2"));
    return scene_expect_gone(scene, &foo);
}

static const struct row list[] = {
    ROW("test plan: orphan all resources in a manifestwork", orphan_all),
    ROW("test plan: orphan certain resources in a manifestwork", orphan_certain),
    ROW("test plan: disable orphan deletion to ensure backward compatible", orphan_nothing),
    ROW("test plan: mutate orphan configuration", mutate),
    ROW("foo is handed over from work 1 to work 2 and never missing", hand_over),
};

ROW_LIST(rows_design);
