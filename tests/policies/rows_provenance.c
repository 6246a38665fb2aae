/* Whose object is it, when others have made, copied or taken it over? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/policy.h"

#include "rows.h"

/* Not looked at again while it is compliant. */
#define ONCE ",'evaluationInterval':{'compliant':'never','noncompliant':'watch'}"

/* Somebody deletes it and makes it again between two evaluations: it is his now. */
static int taken_over(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a"))) ONCE));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_delete(scene, &foo));
    DO(scene_make(scene, &foo, CM("foo", "mine")));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_made(scene, &foo, 2);
}

/* `kubectl get -o yaml`, and again under another name, mark and all. */
static int copied(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), copy = scene_cm(scene, "copy");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    prb_autofree char *text = NULL;

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    object = scene_get(scene, &foo);
    if (!object)
        return scene_fail(scene, "foo is gone");
    text = prb_asprintf("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'copy',"
                        "'namespace':'@','annotations':{'" PRB_ANNOTATION_CREATED_BY
                        "':'%s'}},'data':{'key':'a'}}",
            prb_object_annotation(object, PRB_ANNOTATION_CREATED_BY)
                    ? prb_object_annotation(object, PRB_ANNOTATION_CREATED_BY)
                    : "");
    DO(scene_make(scene, &copy, text));
    DO(scene_patch_policy(
            scene, "p", SET(TEMPLATES(HAVE(CM("foo", "a")) "," HAVE(CM("copy", "a"))))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &copy, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_kept(scene, &copy);
}

/* Two policies mean one object: only who has made it may take it away. */
static int shared(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "maker", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "maker"));
    DO(scene_await_recorded(scene, "maker", &foo, true));
    DO(scene_make_policy(scene, "user", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "user"));
    DO(scene_await_recorded(scene, "user", &foo, false));
    DO(scene_delete_policy(scene, "user"));
    DO(scene_await_ended(scene, "user"));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_delete_policy(scene, "maker"));
    DO(scene_await_ended(scene, "maker"));
    return scene_expect_gone(scene, &foo);
}

/* A policy that is deleted and made again has created nothing yet. */
static int policy_made_again(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("None", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_kept(scene, &foo);
}

/* It leaves the policy, goes, and is made again when it comes back. */
static int comes_back(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a"))))));
    DO(scene_await_listed(scene, "p", &foo, false));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_patch_policy(
            scene, "p", SET(TEMPLATES(HAVE(CM("foo", "a")) "," HAVE(CM("bar", "a"))))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_ended(scene, &foo, 2);
}

/* A mismatch that lasts does not change who has made it. */
static int drift(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch(scene, &foo, "{'data':{'key':'drift'}}"));
    DO(scene_patch(scene, &old, "{'data':{'key':'drift'}}"));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_value(scene, &old, "a"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_await_recorded(scene, "p", &old, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_kept(scene, &old);
}

static const struct row list[] = {
    ROW("what somebody else deletes and makes again is his", taken_over),
    ROW("a copy of what the policy has created is not its own, mark and all", copied),
    ROW("of two policies that mean one object only its maker takes it away", shared),
    ROW("a policy that is made again has created nothing yet", policy_made_again),
    ROW("an object that leaves a policy and comes back is its own again", comes_back),
    ROW("drift that is put right does not change who has made it", drift),
};

ROW_LIST(rows_provenance);
