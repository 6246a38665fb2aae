/* What is a person told while a policy goes, and after which events? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

static int hangs(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_expect_gone(scene, &bar));
    DO(scene_await_state(scene, "p", "Terminating", "@/foo"));
    DO(scene_await_state(scene, "p", "Terminating", "example.org/hold"));
    DO(scene_await_state(scene, "p", "Terminating", "since 2"));
    DO(scene_await_listed(scene, "p", &foo, true));
    DO(scene_await_event(scene, "ConfigurationPolicy", "p", "example.org/hold"));
    DO(scene_release(scene, &foo));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &foo);
}

/* What it is a part of hears of it, too. That is a Policy on a managed cluster, but may be
 * anything; it must be there, or else the garbage collector takes the policy. */
static int parent(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), owner = scene_cm(scene, "parent");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    prb_autofree char *metadata = NULL;

    DO(scene_make(scene, &owner, CM("parent", "a")));
    object = scene_get(scene, &owner);
    metadata = prb_asprintf("'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':"
                            "'parent','uid':'%s'}]",
            object ? prb_object_uid(object) : "");
    DO(scene_make_policy_with(scene, "p", metadata, ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_event(scene, "ConfigMap", "parent", "foo"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_event(scene, "ConfigMap", "parent", "example.org/hold"));
    DO(scene_release(scene, &foo));
    return scene_await_ended(scene, "p");
}

/* Told to spare them in the last moment, while one is held already. */
static int spared(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "example.org/hold"));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'None'")));
    DO(scene_await_ended(scene, "p"));
    return scene_release(scene, &foo);
}

/* A policy that goes makes nothing any more, not even what is missing. */
static int makes_nothing(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", ""));
    DO(scene_patch_policy(
            scene, "p", SET(TEMPLATES(HAVE(CM("foo", "a")) "," HAVE(CM("bar", "a"))))));
    DO(scene_release(scene, &foo));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_never(scene, &bar));
    return scene_expect_gone(scene, &foo);
}

/* The namespace of the objects goes first, and takes them; nothing can be made there any more. */
static int namespace_goes(struct scene *scene)
{
    struct prb_ref foo = scene_cm_b(scene, "foo");
    struct prb_ref second = scene_global(scene, "namespaces.v1", "");

    (void)snprintf(second.name, sizeof(second.name), "%s", foo.namespace);
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM_IN("@-b", "foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_delete(scene, &second));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_state(scene, "p", "NonCompliant", "@-b"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &foo);
}

/* The policy is held by somebody else as well, so that it can be looked at when Probate is done. */
static int leaves(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), only = scene_cm(scene, "only");
    struct prb_ref p = scene_policy(scene, "p");

    DO(scene_make(scene, &only, CM("only", "a")));
    DO(scene_make_policy_with(scene, "p", "'finalizers':['example.org/hold']",
            ENFORCE("DeleteAll",
                    HAVE(CM("foo", "a")) ",{'complianceType':'mustonlyhave','objectDefinition':" CM(
                            "only", "a") "}," HAVE(CM("go", "{{ x }}")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "mustonlyhave"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_finalizer(scene, "p", false));
    DO(scene_await_state(scene, "p", "Terminating",
            "nothing that it prunes is left; left behind: ConfigMap @/only (complianceType "
            "mustonlyhave is not supported yet"));
    DO(scene_await_state(scene, "p", "Terminating", "ConfigMap @/go (a Go template ({{ }})"));
    DO(scene_await_event(scene, "ConfigurationPolicy", "p", "left behind: ConfigMap "));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_expect_kept(scene, &only));
    DO(scene_release(scene, &p));
    return scene_await_ended(scene, "p");
}

static const char *reason_of(const struct prb_object *policy)
{
    const struct json_object *detail =
            prb_json_elem(prb_json_arr(prb_object_status(policy), "compliancyDetails"), 0);

    return prb_json_str(prb_json_elem(prb_json_arr(detail, "conditions"), 0), "reason");
}

/* What is only waited for is no error. */
static int no_error(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "example.org/hold"));
    policy = scene_get_policy(scene, "p");
    if (!policy || !prb_streq(reason_of(policy), "Cleaning up child objects"))
        return scene_fail(scene, "reason: %s", policy ? reason_of(policy) : "no policy");
    DO(scene_release(scene, &foo));
    return scene_await_ended(scene, "p");
}

static const struct row list[] = {
    ROW("case20: an object with a finalizer of its own holds the policy, which says what holds it, "
        "and goes after it",
            hangs),
    ROW("DeleteAll names what it leaves before the policy goes", leaves),
    ROW("the reason of a policy that only waits for its object is no error", no_error),
    ROW("Events tell the parent of a policy, too", parent),
    ROW("a policy that is told to spare its objects while it goes lets go of them", spared),
    ROW("a policy that goes makes nothing any more", makes_nothing),
    ROW("a namespace that is going does not hold the policy", namespace_goes),
};

ROW_LIST(rows_ending);
