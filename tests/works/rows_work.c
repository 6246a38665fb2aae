/* Do the cases of OCM's work_test.go that concern deletion end as they do there? */

#include <stdio.h>

#include "probate/base/str.h"

#include "rows.h"

static int delete_single(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

#define NAMESPACE_TEXT "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'@-inner'}}"
#define INNER_CM                                                                               \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'inner','namespace':'@-inner'}," \
    "'data':{'key':'a'}}"

/* Written in the wrong order: the namespace is made first all the same. */
static int delete_multiple(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2"), inner = cm1;
    struct prb_ref namespace = { .name = "" };

    (void)prb_copy(inner.name, sizeof(inner.name), "inner");
    (void)snprintf(inner.namespace, sizeof(inner.namespace), "%.50s-inner", scene->id);
    namespace = scene_global(scene, "namespaces.v1", inner.namespace);
    DO(scene_make_work(scene, "w", WORKLOAD(INNER_CM "," TWO "," NAMESPACE_TEXT)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_there(scene, &inner));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    DO(scene_expect_gone(scene, &cm2));
    DO(scene_expect_gone(scene, &inner));
    return scene_expect_gone(scene, &namespace);
}

/* Definition and instance in one work: the instance is applied as soon as its kind is there. */
static int definition_and_instance(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene), one = widget(scene, "one");

    DO(scene_make_work(scene, "w", WORKLOAD(WIDGET("one", "a") "," WIDGETS_CRD)));
    DO(watch_widgets(scene));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &crd, "w", true));
    DO(scene_await_owned(scene, &one, "w", true));
    DO(scene_await_recorded(scene, "w", &one, true));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &crd));
    return scene_await_gone(scene, &one);
}

static int keep_finalizer(struct scene *scene)
{
    struct prb_ref one = widget(scene, "one");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    DO(define_widgets(scene));
    DO(scene_make(scene, &one,
            "{'apiVersion':'@.example.org/v1','kind':'Widget','metadata':{'name':'one',"
            "'namespace':'@','finalizers':['example.org/hold']},'data':{'key':'old'}}"));
    DO(scene_make_work(scene, "w", WORKLOAD(WIDGET("one", "new"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_value(scene, &one, "new"));
    object = scene_get(scene, &one);
    if (!object || !prb_object_has_finalizer(object, "example.org/hold"))
        return scene_fail(scene, "the finalizer of the instance is gone");
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_deleting(scene, &one));
    DO(scene_release(scene, &one));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &one);
}

static int removed_at_once(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");
    struct prb_ref cm3 = scene_cm(scene, "cm3");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    DO(scene_patch(scene, &cm1, HOLD));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm2", "a") "," CM("cm3", "a"))));
    DO(scene_await_deleting(scene, &cm1));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm3, true));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    DO(scene_release(scene, &cm1));
    DO(scene_expect_gone(scene, &cm1));
    DO(scene_await_recorded(scene, "w", &cm1, false));
    DO(scene_expect_kept(scene, &cm2));
    return scene_expect_kept(scene, &cm3);
}

static int stale_one_pending(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch(scene, &cm1, HOLD));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm2", "a"))));
    DO(scene_await_deleting(scene, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", "cm1"));
    DO(scene_release(scene, &cm1));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

static int one_after_the_other(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(TWO "," CM("cm3", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch(scene, &cm1, HOLD));
    DO(scene_patch(scene, &cm2, HOLD));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_said(
            scene, "w", "Deleting", "True", "WorkDeleting", "2 of 3 resources are left"));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", "example.org/hold"));
    DO(scene_release(scene, &cm1));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", "1 of 3 resources"));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", "cm2"));
    DO(scene_release(scene, &cm2));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

static int labels(struct scene *scene)
{
    struct prb_ref applied = scene_applied(scene, "w");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    DO(scene_make_work_with(scene, "w", "'labels':{'team':'red'}", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    object = scene_get(scene, &applied);
    if (!object || !prb_streq(prb_object_label(object, "team"), "red"))
        return scene_fail(scene, "the AppliedManifestWork has no label");
    return 0;
}

static const struct row list[] = {
    ROW("work: should delete work successfully, with a single manifest", delete_single),
    ROW("work: should delete work successfully, with multiple manifests", delete_multiple),
    ROW("work: should delete CRD and CR successfully", definition_and_instance),
    ROW("work: should keep the finalizer unchanged of existing CR", keep_finalizer),
    ROW("work: should remove applied resource immediately when work is updated", removed_at_once),
    ROW("work: should remove applied resource for stale manifest from list once the resource is gone",
            stale_one_pending),
    ROW("work: should delete manifest work eventually after all applied resources are gone",
            one_after_the_other),
    ROW("work: should propagate labels from ManifestWork to AppliedManifestWork", labels),
};

ROW_LIST(rows_work);
