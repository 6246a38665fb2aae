/* Do the cases of OCM's deleteoption_test.go end as they do there? */

#include "rows.h"

static int share(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "1", WORKLOAD(TWO)));
    DO(scene_make_work(scene, "2", WORKLOAD(CM("cm1", "a") "," CM("cm3", "a"))));
    DO(scene_await_applied(scene, "1"));
    DO(scene_await_applied(scene, "2"));
    DO(scene_await_owners(scene, &cm1, 2));
    DO(scene_await_recorded(scene, "1", &cm1, true));
    return scene_await_recorded(scene, "2", &cm1, true);
}

static int shared_deleted(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(share(scene));
    DO(scene_delete_work(scene, "1"));
    DO(scene_await_ended(scene, "1"));
    DO(scene_expect_gone(scene, &cm2));
    DO(scene_await_owners(scene, &cm1, 1));
    DO(scene_await_recorded(scene, "2", &cm1, true));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete_work(scene, "2"));
    DO(scene_await_ended(scene, "2"));
    return scene_expect_gone(scene, &cm1);
}

static int shared_removed(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(share(scene));
    DO(scene_patch_work(scene, "1", MANIFESTS(CM("cm2", "a"))));
    DO(scene_await_recorded(scene, "1", &cm1, false));
    DO(scene_await_owned(scene, &cm1, "1", false));
    DO(scene_await_owned(scene, &cm1, "2", true));
    return scene_expect_kept(scene, &cm1);
}

static int orphan_whole(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_await_owners(scene, &cm2, 0));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_kept(scene, &cm1));
    return scene_expect_kept(scene, &cm2);
}

static int orphan_selected(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO) SPARE_CM("cm1")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_await_owners(scene, &cm2, 1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

static int orphan_removed(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO) SPARE_CM("cm1")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm2", "a"))));
    DO(scene_await_recorded(scene, "w", &cm1, false));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

static int option_removed(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO) SPARE_CM("cm1")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':null}}"));
    DO(scene_await_owners(scene, &cm1, 1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

static const struct row list[] = {
    ROW("deleteoption: shared resource kept when one manifestwork is deleted", shared_deleted),
    ROW("deleteoption: shared resource kept when removed from one manifestwork", shared_removed),
    ROW("deleteoption: Orphan deletion of the whole manifestwork", orphan_whole),
    ROW("deleteoption: Selectively Orphan deletion of the manifestwork", orphan_selected),
    ROW("deleteoption: Keep the resource when remove it from manifests with orphan deletion option",
            orphan_removed),
    ROW("deleteoption: Clean the resource when orphan deletion option is removed", option_removed),
};

ROW_LIST(rows_delete_option);
