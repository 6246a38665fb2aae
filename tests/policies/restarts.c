/* What does the real program take for its own when it comes after another one? */

#include "restarts.h"

#include <signal.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/policy.h"

#include "support/wait.h"

static void start(struct program *program, struct scene *scene)
{
    program_start_agent(program,
            (const char *const[]){ "--kubeconfig",
                    prb_fault_proxy_kubeconfig(scene->place->real.proxy), "--controllers", "policy",
                    "--policy-namespace", PROCESS_POLICIES, "--leader-elect=false", NULL });
}

static void kill_it(struct program *program)
{
    int64_t ms;

    (void)program_end(program, SIGKILL, &ms);
    program_done(program);
}

int restarts_play_replaced(struct program *program, struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    start(program, scene);
    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_deleting(scene, &foo));
    kill_it(program);
    DO(scene_release(scene, &foo));
    DO(scene_await_gone(scene, &foo));
    DO(scene_make(scene, &foo, CM("foo", "mine")));
    start(program, scene);
    DO(scene_await_ended(scene, "p"));
    DO(scene_await_event(scene, "ConfigurationPolicy", "p", "left behind: ConfigMap"));
    return scene_expect_made(scene, &foo, 2);
}

/* ---- finalizers elsewhere ---- */

#define POLICY_B(name)                                                               \
    "{'apiVersion':'policy.open-cluster-management.io/v1','kind':"                   \
    "'ConfigurationPolicy','metadata':{'name':'" name "','namespace':'@-b'},'spec':" \
    "{" ENFORCE("DeleteAll", HAVE(CM("foo", "a"))) "}}"
#define FINALIZERS                                                                       \
    "{'apiVersion':'policy.open-cluster-management.io/v1','kind':'ConfigurationPolicy'," \
    "'metadata':{'finalizers':['" PRB_POLICY_FINALIZER "']}}"

static struct prb_ref elsewhere(const struct scene *scene, const char *name)
{
    struct prb_ref beside = scene_cm_b(scene, name), ref = beside;

    ref.gvr = place_policies;
    return ref;
}

/* `manager` says that it wants the finalizer, beside others who may say so too. */
static int put_finalizer(struct scene *scene, const char *name, const char *manager)
{
    prb_auto(prb_json_free) struct json_object *body = scene_json(scene, FINALIZERS);
    const struct prb_write_options options = { .field_manager = manager, .force = true };
    struct prb_ref ref = elsewhere(scene, name);
    struct prb_error err;

    return prb_api_patch(scene->place->direct, &ref, PRB_PATCH_APPLY, body, &options, NULL, &err) <
                           0
                   ? scene_fail(scene, "finalizer on %s: %s", name, err.msg)
                   : 0;
}

static bool is_released(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy = scene_get(hope->scene, &hope->ref);

    return policy && !prb_object_has_finalizer(policy, PRB_POLICY_FINALIZER);
}

static int await_released(struct scene *scene, const char *name)
{
    return scene_await(scene, &(struct hope){ .ref = elsewhere(scene, name) }, is_released,
            "keeps the finalizer");
}

static int expect_held(struct scene *scene, const char *name)
{
    struct hope hope = { .scene = scene, .ref = elsewhere(scene, name) };

    return is_released(&hope) ? scene_fail(scene, "%s was let go", name) : 0;
}

static bool has_note(void *ctx)
{
    static const struct prb_gvr events = { "", "v1", "events" };
    struct hope *hope = ctx;
    const struct prb_list_options options = { .namespace = hope->ref.namespace };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list(hope->scene->place->direct, &events, &options, &page, &err) < 0)
        return false;
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *tree = prb_object_tree(page.objects[i]);

        if (prb_streq(prb_json_str(tree, "reason"), "PolicyReleased") &&
                prb_streq(
                        prb_json_str(prb_json_obj(tree, "involvedObject"), "name"), hope->ref.name))
            return true;
    }
    return false;
}

int restarts_play_released(struct program *program, struct scene *scene)
{
    static const struct {
        const char *name, *manager, *second;
    } policies[] = {
        { "a-ours", "probate", NULL }, { "b-theirs", "config-policy-controller", NULL },
        { "c-both", "probate", "config-policy-controller" },
        { "d-last", "probate", NULL }, /* the list has names in their order */
    };
    struct prb_ref foo = scene_cm(scene, "foo"), ours = elsewhere(scene, "a-ours");

    DO(scene_make(scene, &foo, CM("foo", "mine")));
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        struct prb_ref ref = elsewhere(scene, policies[i].name);
        prb_autofree char *text = prb_asprintf(POLICY_B("%s"), policies[i].name);

        DO(scene_make(scene, &ref, text));
        DO(put_finalizer(scene, policies[i].name, policies[i].manager));
        if (policies[i].second)
            DO(put_finalizer(scene, policies[i].name, policies[i].second));
    }
    start(program, scene);
    DO(await_released(scene, "a-ours"));
    DO(await_released(scene, "d-last"));
    DO(expect_held(scene, "b-theirs"));
    DO(expect_held(scene, "c-both"));
    DO(scene_await(scene, &(struct hope){ .ref = ours }, has_note, "has no such Event"));
    DO(scene_delete(scene, &ours));
    DO(scene_await_gone(scene, &ours));
    DO(scene_expect_kept(scene, &foo));
    return scene_await_value(scene, &foo, "mine");
}
