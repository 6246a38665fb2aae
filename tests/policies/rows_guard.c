/* What becomes of a policy that would prune what a CriticalService protects? */

#include <stdio.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "rows.h"

/* Without pods, which on a control plane without kubelets never run anyway. */
#define PROVIDER                                                                             \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'provider','namespace':" \
    "'@'},'spec':{'replicas':0,'selector':{'matchLabels':{'app':'provider'}},'template':{"   \
    "'metadata':{'labels':{'app':'provider'}},'spec':{'containers':[{'name':'provider',"     \
    "'image':'example.org/provider'}]}}}}"
#define SERVICE                                                                              \
    "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{'name':'@'}," \
    "'spec':{'provider':{'group':'apps','resource':'deployments','namespace':'@','name':"    \
    "'provider'},'criteria':[{'type':'SpecificResource','specificResource':{'group':'',"     \
    "'resource':'configmaps','namespace':'@-b','name':'needed'}}]}}"

static bool is_protected(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, &hope->ref);

    return object && prb_streq(prb_object_label(object, PRB_LABEL_PROTECTED), "true");
}

static int set_up(struct scene *scene, const char *prune, struct prb_ref *ret_provider)
{
    struct prb_ref needed = scene_cm_b(scene, "needed"), home;
    struct prb_ref service = scene_global(scene, "criticalservices.v1alpha1.probate.dev", "");
    const char *spec =
            prb_streq(prune, "DeleteAll")
                    ? ENFORCE("DeleteAll", HAVE(PROVIDER) "," HAVE(CM("foo", "a")))
                    : ENFORCE("DeleteIfCreated", HAVE(PROVIDER) "," HAVE(CM("foo", "a")));

    *ret_provider = scene_in(scene, "deployments.v1.apps", "provider");
    DO(scene_make(scene, &needed, CM_IN("@-b", "needed", "a")));
    DO(scene_make_policy(scene, "p", spec));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", ret_provider, true));
    DO(scene_make(scene, &service, SERVICE));
    home = scene_global(scene, "namespaces.v1.", "");
    return scene_await(
            scene, &(struct hope){ .ref = home }, is_protected, "is not marked as protected");
}

static int satisfy(struct scene *scene)
{
    struct prb_ref needed = scene_cm_b(scene, "needed");

    return scene_delete(scene, &needed);
}

/* Refused, told, and done when the criteria hold. */
static int deletion(struct scene *scene)
{
    struct prb_ref provider, foo = scene_cm(scene, "foo");

    DO(set_up(scene, scene->with, &provider));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "CriticalService"));
    DO(scene_await_state(scene, "p", "Terminating", "@-b/needed"));
    DO(scene_await_event(scene, "ConfigurationPolicy", "p", "CriticalService"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_expect_kept(scene, &provider));
    DO(satisfy(scene));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &provider);
}

/* Of the CriticalService; false: it was told of no denial. */
static bool read_denied(struct scene *scene, char ret[PRB_TIME_SIZE])
{
    struct prb_ref service = scene_global(scene, "criticalservices.v1alpha1.probate.dev", "");
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(scene, &service);
    const char *time =
            object ? prb_json_str(prb_json_obj(prb_object_status(object), "lastDenied"), "time")
                   : NULL;

    return time && prb_copy(ret, PRB_TIME_SIZE, time);
}

static bool is_denied_later(void *ctx)
{
    struct hope *hope = ctx;
    char time[PRB_TIME_SIZE];

    return read_denied(hope->scene, time) && !prb_streq(time, hope->text);
}

/* A denial offers a command with a fresh date: what is told of it must not be written each time. */
static int told_once(struct scene *scene)
{
    struct prb_ref provider;
    prb_auto(prb_object_unref) struct prb_object *before = NULL, *after = NULL;
    char time[PRB_TIME_SIZE] = "";

    DO(set_up(scene, "DeleteIfCreated", &provider));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "until=TIME REASON"));
    DO(scene_await(scene, &(struct hope){ .text = "" }, is_denied_later, "was not denied"));
    before = scene_get_policy(scene, "p");
    (void)read_denied(scene, time);
    DO(scene_await(
            scene, &(struct hope){ .text = time }, is_denied_later, "was not denied once more"));
    after = scene_get_policy(scene, "p");
    DO(satisfy(scene));
    DO(scene_await_ended(scene, "p"));
    if (!before || !after ||
            !prb_streq(prb_object_resource_version(before), prb_object_resource_version(after)))
        return scene_fail(scene, "the status was written again");
    return 0;
}

/* The same when it only leaves the policy. */
static int change(struct scene *scene)
{
    struct prb_ref provider, foo = scene_cm(scene, "foo");

    DO(set_up(scene, "DeleteIfCreated", &provider));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("foo", "b"))))));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_state(scene, "p", "NonCompliant", "CriticalService"));
    DO(scene_await_listed(scene, "p", &provider, true));
    DO(scene_expect_kept(scene, &provider));
    DO(satisfy(scene));
    DO(scene_expect_gone(scene, &provider));
    DO(scene_await_listed(scene, "p", &provider, false));
    DO(scene_await_compliant(scene, "p"));
    return scene_expect_kept(scene, &foo);
}

/* So it is when a policy says that it must not be. */
static int must_not_have(struct scene *scene)
{
    struct prb_ref provider;

    DO(set_up(scene, "DeleteIfCreated", &provider));
    DO(scene_make_policy(scene, "q", ENFORCE("None", HAVE_NOT(PROVIDER))));
    DO(scene_await_state(scene, "q", "NonCompliant", "CriticalService"));
    DO(scene_expect_kept(scene, &provider));
    DO(scene_delete_policy(scene, "q"));
    DO(scene_await_ended(scene, "q"));
    DO(scene_delete_policy(scene, "p"));
    DO(satisfy(scene));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &provider);
}

static const struct row list[] = {
    { "a policy that would prune a protected provider waits, says why, and goes when it may",
            deletion, "DeleteIfCreated" },
    { "the same under DeleteAll", deletion, "DeleteAll" },
    ROW("a denial is told once, however often it is repeated", told_once),
    ROW("a provider that leaves a policy stays listed until it may go", change),
    ROW("a policy that must not have a protected provider says why it is still there",
            must_not_have),
};

ROW_LIST(rows_guard);
