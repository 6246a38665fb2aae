/* Is what somebody changes brought back at once, and what is his left to him? */

#include "probate/base/str.h"

#include "rows.h"

static int begin(struct scene *scene, struct prb_ref *cm1)
{
    *cm1 = scene_cm(scene, "cm1");
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    return scene_await_owned(scene, cm1, "w", true);
}

static int end(struct scene *scene)
{
    DO(scene_delete_work(scene, "w"));
    return scene_await_ended(scene, "w");
}

static int changed(struct scene *scene)
{
    struct prb_ref cm1;

    DO(begin(scene, &cm1));
    DO(scene_patch(scene, &cm1, "{'data':{'key':'not mine'}}"));
    DO(scene_await_value(scene, &cm1, "a"));
    DO(scene_expect_kept(scene, &cm1));
    DO(end(scene));
    return scene_expect_gone(scene, &cm1);
}

/* Once more, and under its new uid. */
static int deleted(struct scene *scene)
{
    struct prb_ref cm1;

    DO(begin(scene, &cm1));
    DO(scene_delete(scene, &cm1));
    DO(scene_await_there(scene, &cm1));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_expect_again(scene, &cm1));
    DO(end(scene));
    return scene_await_gone(scene, &cm1);
}

static int reference_taken(struct scene *scene)
{
    struct prb_ref cm1;

    DO(begin(scene, &cm1));
    DO(scene_patch(scene, &cm1, "{'metadata':{'ownerReferences':null}}"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(end(scene));
    return scene_expect_gone(scene, &cm1);
}

static int labelled(struct scene *scene)
{
    struct prb_ref cm1;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    DO(begin(scene, &cm1));
    DO(scene_patch(scene, &cm1,
            "{'metadata':{'labels':{'mine':'yes'},'annotations':{'mine':'yes'},'finalizers':["
            "'example.org/hold']},'data':{'key':'not mine'}}"));
    DO(scene_await_value(scene, &cm1, "a"));
    object = scene_get(scene, &cm1);
    if (!object || !prb_streq(prb_object_label(object, "mine"), "yes") ||
            !prb_streq(prb_object_annotation(object, "mine"), "yes") ||
            !prb_object_has_finalizer(object, "example.org/hold"))
        return scene_fail(scene, "what others have put there is gone");
    DO(scene_release(scene, &cm1));
    DO(end(scene));
    return scene_expect_gone(scene, &cm1);
}

/* Somebody deletes it, and somebody else holds it: it is made again when it is gone. */
static int deleted_and_held(struct scene *scene)
{
    struct prb_ref cm1;

    DO(begin(scene, &cm1));
    DO(scene_patch(scene, &cm1, HOLD));
    DO(scene_delete(scene, &cm1));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "delet"));
    DO(scene_release(scene, &cm1));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    DO(end(scene));
    return scene_await_gone(scene, &cm1);
}

static const struct row list[] = {
    ROW("what is changed by others is repaired at once", changed),
    ROW("what is deleted by others is made again at once", deleted),
    ROW("a reference that somebody takes away comes back", reference_taken),
    ROW("labels, annotations and finalizers of others stay", labelled),
    ROW("what others delete and hold is made again when it is gone", deleted_and_held),
};

ROW_LIST(rows_drift);
