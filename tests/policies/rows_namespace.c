/* Whose policies are carried out? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/policy.h"

#include "rows.h"

#define POLICY_B(name, spec)                                       \
    "{'apiVersion':'policy.open-cluster-management.io/v1','kind':" \
    "'ConfigurationPolicy','metadata':{'name':'" name "','namespace':'@-b'},'spec':{" spec "}}"

/* A policy in @-b. */
static struct prb_ref elsewhere(const struct scene *scene, const char *name)
{
    struct prb_ref ref = scene_policy(scene, name), beside = scene_cm_b(scene, name);

    (void)prb_copy(ref.namespace, sizeof(ref.namespace), beside.namespace);
    return ref;
}

/* Probate carries out those of @ only, as long as this is played. */
static int play_in_one(struct scene *scene, int (*play)(struct scene *scene))
{
    struct prb_reconciler limited = prb_reconciler_policy;
    struct prb_error err;
    int r;

    limited.namespace = scene->id;
    stop_probate(scene);
    r = prb_test_loop_start(scene->stage->loop, &limited, scene->stage->place->api, &err) < 0
                ? scene_fail(scene, "start: %s", err.msg)
                : play(scene);
    stop_probate(scene);
    return start_probate(scene) < 0 ? -1 : r;
}

/* Who may write policies there does not act with Probate's rights. */
static int play_others(struct scene *scene)
{
    struct prb_ref q = elsewhere(scene, "q"), bar = scene_cm(scene, "bar");
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;

    DO(scene_make(scene, &q, POLICY_B("q", ENFORCE("DeleteAll", HAVE(CM("bar", "a"))))));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("foo", "b"))))));
    DO(scene_await_compliant(scene, "p"));
    policy = scene_get(scene, &q);
    if (!policy || prb_object_status(policy) || prb_object_finalizer_count(policy) > 0)
        return scene_fail(scene, "the policy elsewhere was written to");
    DO(scene_expect_never(scene, &bar));
    DO(scene_delete(scene, &q));
    return scene_await_gone(scene, &q);
}

static int others(struct scene *scene)
{
    return play_in_one(scene, play_others);
}

/* Of policies elsewhere there is no cache, which must not be taken for none. */
static int play_live(struct scene *scene)
{
    struct prb_ref x = elsewhere(scene, "x"), y = elsewhere(scene, "y");

    DO(scene_make(scene, &x, POLICY_B("x", SPEC("inform", "None", HAVE(CM("bar", "a"))))));
    DO(scene_make(scene, &y, POLICY_B("y", SPEC("inform", "None", HAVE(CM("bar", "a"))))));
    DO(scene_make_policy(scene, "inform",
            SPEC("inform", "None",
                    HAVE_NOT(POLICY_B("x", SPEC("inform", "None", HAVE(CM("bar", "a"))))))));
    DO(scene_await_state(scene, "inform", "NonCompliant", "found, and should not be"));
    DO(scene_make_policy(scene, "enforce",
            ENFORCE("DeleteAll",
                    HAVE_NOT(POLICY_B("x", SPEC("inform", "None", HAVE(CM("bar", "a"))))) "," HAVE(
                            POLICY_B("y", SPEC("inform", "None", HAVE(CM("bar", "b"))))))));
    DO(scene_await_compliant(scene, "enforce"));
    DO(scene_await_gone(scene, &x));
    DO(scene_await_recorded(scene, "enforce", &y, false));
    DO(scene_delete_policy(scene, "enforce"));
    DO(scene_await_ended(scene, "enforce"));
    return scene_await_gone(scene, &y);
}

static int live(struct scene *scene)
{
    return play_in_one(scene, play_live);
}

static const struct row list[] = {
    ROW("a policy in another namespace is not carried out", others),
    ROW("a policy in another namespace that a template names is looked at live", live),
};

ROW_LIST(rows_namespace, .alone = true);
