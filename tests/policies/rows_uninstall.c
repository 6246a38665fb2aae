/* Is anything pruned when Probate, or the kind of policies itself, is removed? */

#include <stdio.h>

#include "probate/base/clock.h"

#include "rows.h"
#include "support/definitions.h"
#include "support/process.h"

#define DEFINITION "configurationpolicies.policy.open-cluster-management.io"

static int set_up(struct scene *scene, struct prb_ref *ret_foo, struct prb_ref *ret_bar)
{
    *ret_foo = scene_cm(scene, "foo");
    *ret_bar = scene_cm(scene, "bar");
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_make_policy(scene, "q",
            ENFORCE("DeleteAll", HAVE(CM("bar", "a")) "," HAVE(CM("baz", "{{ wrong }}")))));
    DO(scene_await_recorded(scene, "p", ret_foo, true));
    DO(scene_await_recorded(scene, "q", ret_bar, true));
    DO(scene_await_finalizer(scene, "p", true));
    return scene_await_finalizer(scene, "q", true);
}

/* Its definition goes, and all policies with it; it comes back, and they do not. */
static int kind_goes(struct scene *scene)
{
    struct prb_ref crd =
            scene_global(scene, "customresourcedefinitions.v1.apiextensions.k8s.io", "");
    struct prb_ref foo, bar;
    struct prb_error err;

    (void)snprintf(crd.name, sizeof(crd.name), "%s", DEFINITION);
    DO(set_up(scene, &foo, &bar));
    DO(scene_delete(scene, &crd));
    DO(scene_await_gone(scene, &crd));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_expect_kept(scene, &bar));
    if (prb_test_define(scene->place->direct, scene->stage->crds, "configurationpolicies",
                &place_policies, &err) < 0)
        return scene_fail(scene, "%s", err.msg);

    /* What it created before is forgotten: rather too little than too much is deleted. */
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_kept(scene, &foo));
    return scene_expect_kept(scene, &bar);
}

static bool is_past(void *ctx)
{
    const struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy = scene_get(hope->scene, &hope->ref);
    const struct prb_clock *clock = prb_clock_system();

    return policy && prb_object_is_deleting(policy) &&
           clock->wall_ms(clock) >= prb_object_deleted_at_ms(policy) + 2000;
}

/* They are deleted with their definition, and still there when it is made again: somebody has taken
 * its finalizer off. Times are told in seconds: it is made in a later one. */
static int remove_and_restore(struct scene *scene, const struct prb_ref policies[2])
{
    struct prb_ref crd =
            scene_global(scene, "customresourcedefinitions.v1.apiextensions.k8s.io", "");
    struct prb_error err;

    (void)snprintf(crd.name, sizeof(crd.name), "%s", DEFINITION);
    DO(scene_delete(scene, &crd));
    for (size_t i = 0; i < 2; i++)
        DO(scene_await(scene, &(struct hope){ .ref = policies[i] }, is_past, "is not deleted"));
    DO(scene_release(scene, &crd));
    DO(scene_await_gone(scene, &crd));
    if (prb_test_define(scene->place->direct, scene->stage->crds, "configurationpolicies",
                &place_policies, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    for (size_t i = 0; i < 2; i++)
        DO(scene_await_deleting(scene, &policies[i]));
    return 0;
}

static int kind_comes_back(struct scene *scene)
{
    const struct prb_ref policies[2] = { scene_policy(scene, "p"), scene_policy(scene, "q") };
    struct prb_ref foo, bar;
    int r;

    DO(set_up(scene, &foo, &bar));
    stop_probate(scene);
    r = remove_and_restore(scene, policies);
    DO(start_probate(scene));
    if (r < 0)
        return r;
    DO(scene_await_ended(scene, "p"));
    DO(scene_await_ended(scene, "q"));
    DO(scene_expect_kept(scene, &foo));
    return scene_expect_kept(scene, &bar);
}

static int run_remove(struct scene *scene)
{
    const char *kubeconfig = prb_fault_proxy_kubeconfig(scene->place->real.proxy);
    char output[PRB_TEST_WHY_SIZE] = "";
    int code = prb_test_run(
            &(struct prb_test_command){ .argv = (const char *const[]){ scene->stage->program,
                                                "remove", "--kubeconfig", kubeconfig, NULL } },
            output, sizeof(output));

    return code == 0 ? 0 : scene_fail(scene, "probate remove: exit %d: %.900s", code, output);
}

/* As the chart's hook does it, when nobody works on policies any more. */
static int probate_goes(struct scene *scene)
{
    struct prb_ref foo, bar;
    int r;

    DO(set_up(scene, &foo, &bar));
    stop_probate(scene);
    r = run_remove(scene);
    if (r == 0)
        r = scene_await_finalizer(scene, "p", false);
    if (r == 0)
        r = scene_await_finalizer(scene, "q", false);
    if (r == 0)
        r = scene_delete_policy(scene, "p");
    if (r == 0)
        r = scene_delete_policy(scene, "q");
    if (r == 0)
        r = scene_await_ended(scene, "p");
    if (r == 0)
        r = scene_await_ended(scene, "q");
    DO(start_probate(scene));
    if (r < 0)
        return r;
    DO(scene_expect_kept(scene, &foo));
    return scene_expect_kept(scene, &bar);
}

static const struct row list[] = {
    ROW("case20: the kind of policies is removed and restored, and objects keep their uid",
            kind_goes),
    ROW("policies that come back with their kind, deleted as they were, prune nothing",
            kind_comes_back),
    ROW("case29: probate remove takes the finalizers, also where a template is wrong, and prunes "
        "nothing",
            probate_goes),
};

ROW_LIST(rows_uninstall, .real_only = true, .alone = true);
