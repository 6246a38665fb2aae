/* Do the cases of OCM's deleteoption_test.go end as they do there? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

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

/* The rule goes with what it names: there is no reference by then, so that it stays. */
static int rule_and_manifest_removed(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO) SPARE_CM("cm1")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'deleteOption':null,'workload':{'manifests':[" CM("cm2", "a") "]}}}"));
    DO(scene_await_recorded(scene, "w", &cm1, false));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

/* Foreground is about the work: it waits for its resources, and not for what these own. */
static int dependents_not_awaited(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), child = scene_cm(scene, "child");
    prb_auto(prb_object_unref) struct prb_object *parent = NULL, *left = NULL;
    prb_autofree char *text = NULL;

    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    parent = scene_get(scene, &cm1);
    if (!parent)
        return scene_fail(scene, "there is no ConfigMap");
    text = prb_asprintf("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'child',"
                        "'namespace':'@','finalizers':['example.org/hold'],'ownerReferences':[{"
                        "'apiVersion':'v1','kind':'ConfigMap','name':'cm1','uid':'%s',"
                        "'blockOwnerDeletion':true}]}}",
            prb_object_uid(parent));
    DO(scene_make(scene, &child, text));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    DO(scene_await_deleting(scene, &child));
    left = scene_get(scene, &child);
    if (!left)
        return scene_fail(scene, "the dependent is gone, although it was held");
    DO(scene_release(scene, &child));
    return scene_await_gone(scene, &child);
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
    ROW("deleteoption: Keep the resource when its rule is removed in the same update",
            rule_and_manifest_removed),
    ROW("deleteoption: Foreground waits for the resources, not for what they own",
            dependents_not_awaited),
    ROW("deleteoption: Clean the resource when orphan deletion option is removed", option_removed),
};

ROW_LIST(rows_delete_option);
