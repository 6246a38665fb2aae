/* When has a policy our finalizer? */

#include <stdio.h>

#include "probate/base/str.h"
#include "probate/reconcilers/policy.h"

#include "rows.h"

static int comes_and_goes(struct scene *scene)
{
    DO(scene_make_policy_with(scene, "p", "'finalizers':['example.org/mine']",
            SPEC("inform", "DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_finalizer(scene, "p", true));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'None'")));
    DO(scene_await_finalizer(scene, "p", false));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'DeleteAll'")));
    DO(scene_await_finalizer(scene, "p", true));
    return 0;
}

static int others_stay(struct scene *scene)
{
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;
    struct prb_ref p = scene_policy(scene, "p");

    DO(comes_and_goes(scene));
    policy = scene_get(scene, &p);
    if (!policy || !prb_object_has_finalizer(policy, "example.org/mine"))
        return scene_fail(scene, "somebody else's finalizer is gone");
    return scene_release(scene, &p);
}

static int none(struct scene *scene)
{
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;

    DO(scene_make_policy(scene, "p", ENFORCE("None", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    policy = scene_get_policy(scene, "p");
    if (!policy || prb_object_finalizer_count(policy) != 0)
        return scene_fail(scene, "it has a finalizer");
    return 0;
}

struct refused {
    const char *name, *namespace;
    unsigned count;
};

static void count_refused(void *ctx, const struct prb_fault_write *write)
{
    struct refused *refused = ctx;

    if (prb_streq(write->call.ref.name, refused->name) &&
            prb_streq(write->call.ref.namespace, refused->namespace) && write->status >= 400)
        refused->count++;
}

/* Somebody else holds it after we have let it go: nobody tries to hold it again. */
static int not_added_again(struct scene *scene)
{
    struct prb_ref p = scene_policy(scene, "p"), foo = scene_cm(scene, "foo");
    struct refused refused = { .name = p.name, .namespace = p.namespace };
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;
    struct prb_ref other = scene_cm(scene, "other");

    DO(scene_make_policy_with(scene, "p", "'finalizers':['example.org/mine']",
            ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_finalizer(scene, "p", false));

    /* It is looked at again, more than once; then so is another one, all the way. */
    DO(scene_patch_policy(scene, "p", "{'metadata':{'labels':{'look':'here'}}}"));
    DO(scene_make(scene, &foo, CM("foo", "mine")));
    DO(scene_patch_policy(scene, "p", "{'metadata':{'labels':{'look':'again'}}}"));
    DO(scene_make_policy(scene, "q", ENFORCE("DeleteIfCreated", HAVE(CM("other", "a")))));
    DO(scene_await_recorded(scene, "q", &other, true));
    policy = scene_get(scene, &p);
    if (!policy || prb_object_finalizer_count(policy) != 1)
        return scene_fail(scene, "it has not just the one finalizer");
    if (!scene->place->hub)
        prb_fault_proxy_each_write(scene->place->real.proxy, count_refused, &refused);
    if (refused.count > 0)
        return scene_fail(scene, "%u writes to the policy were refused", refused.count);
    DO(scene_release(scene, &p));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_made(scene, &foo, 2);
}

/* Deleted before anybody saw it: it is gone at once, and was never held. */
static int never_seen(struct scene *scene)
{
    struct prb_ref p = scene_policy(scene, "p"), foo = scene_cm(scene, "foo");
    struct prb_ref bar = scene_cm(scene, "bar");

    DO(scene_make_policy_with(scene, "p", "'finalizers':['example.org/mine']",
            ENFORCE("None", HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_patch_policy(
            scene, "p", SET("'pruneObjectBehavior':'DeleteAll'," TEMPLATES(HAVE(CM("foo", "a"))))));
    DO(scene_make_policy(scene, "q", ENFORCE("DeleteIfCreated", HAVE(CM("other", "a")))));
    DO(scene_await_compliant(scene, "q"));
    DO(scene_expect_kept(scene, &bar));
    DO(scene_expect_never(scene, &foo));
    DO(scene_release(scene, &p));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_kept(scene, &bar);
}

static const struct row list[] = {
    ROW("our finalizer is there while pruning is configured, also under inform, and beside others",
            others_stay),
    ROW("a policy that prunes nothing has no finalizer", none),
    ROW("weakness: our finalizer is not added again to a policy that is being deleted",
            not_added_again),
    ROW("a policy that is being deleted without our finalizer creates and prunes nothing",
            never_seen),
};

ROW_LIST(rows_finalizer);
