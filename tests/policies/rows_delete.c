/* What goes with a policy that is deleted (case20 of the reference)? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* Of one row. */
struct fate {
    const char *action, *prune;
    bool existed;     /* before the policy */
    const char *then; /* patch before the deletion; NULL: none */
    bool stays;
};

static int play(struct scene *scene)
{
    const struct fate *fate = scene->with;
    struct prb_ref foo = scene_cm(scene, "foo");
    prb_autofree char *spec = prb_asprintf(
            "'remediationAction':'%s','pruneObjectBehavior':'%s'," TEMPLATES(HAVE(CM("foo", "a"))),
            fate->action, fate->prune);
    bool is_there = fate->existed || prb_streq(fate->action, "enforce");

    if (fate->existed)
        DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p", spec));
    DO(scene_await_state(scene, "p", is_there ? "Compliant" : "NonCompliant", ""));
    if (fate->then) {
        DO(scene_patch_policy(scene, "p", fate->then));
        DO(scene_await_compliant(scene, "p"));
    }
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return fate->stays ? scene_expect_kept(scene, &foo) : scene_expect_gone(scene, &foo);
}

#define FATE(how, what, ...)                      \
    play, &(const struct fate)                    \
    {                                             \
        .action = how, .prune = what, __VA_ARGS__ \
    }

/* A definition that goes takes its instances, and nobody is left to ask about them. */
static int kind_is_gone(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene), w = widget(scene, "w"), foo = scene_cm(scene, "foo");

    DO(define_widgets(scene));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteIfCreated", HAVE(WIDGET("v1", "w")) "," HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &w, true));
    DO(scene_delete(scene, &crd));
    DO(scene_await_gone(scene, &crd));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &foo);
}

/* As in the design, where the namespace is chosen by the selector. */
static int sample(struct scene *scene)
{
    struct prb_ref pod = scene_in(scene, "pods.v1", "proposal-pod");

    DO(scene_make_policy(scene, "p",
            "'namespaceSelector':{'exclude':['kube-*'],'include':['@']},'object-templates':[{"
            "'complianceType':'musthave','objectDefinition':{'apiVersion':'v1','kind':'Pod',"
            "'metadata':{'name':'proposal-pod'},'spec':{'containers':[{'image':'nginx:1.18.0',"
            "'name':'nginx','ports':[{'containerPort':80}]}]}}}],'remediationAction':'enforce',"
            "'severity':'low','pruneObjectBehavior':'DeleteIfCreated'"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &pod, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &pod);
}

/* Deleted by hand, made again by the policy, and its own again. */
static int made_again(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_delete(scene, &foo));
    DO(scene_await_there(scene, &foo));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_ended(scene, &foo, 2);
}

/* What must not be is gone already. */
static int must_not_have(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteAll", HAVE_NOT(CM("foo", "other")) "," HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &bar);
}

/* As soon as the one is gone the other policy makes another, which is none of the first one's. */
static int wanted_by_another(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_make_policy(scene, "q", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_await_recorded(scene, "q", &foo, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "foo"));
    DO(scene_release(scene, &foo));
    DO(scene_await_ended(scene, "p"));
    DO(scene_await_recorded(scene, "q", &foo, true));
    return scene_expect_made(scene, &foo, 2);
}

static const struct row list[] = {
    { "case20: an inform policy over an existing object leaves it",
            FATE("inform", "DeleteAll", .existed = true, .stays = true) },
    { "case20: DeleteIfCreated removes what the policy has created",
            FATE("enforce", "DeleteIfCreated", .stays = false) },
    { "case20: DeleteIfCreated leaves what existed",
            FATE("enforce", "DeleteIfCreated", .existed = true, .stays = true) },
    { "case20: DeleteAll removes what the policy has created",
            FATE("enforce", "DeleteAll", .stays = false) },
    { "case20: DeleteAll removes what existed",
            FATE("enforce", "DeleteAll", .existed = true, .stays = false) },
    { "None leaves what the policy has created", FATE("enforce", "None", .stays = true) },
    { "case20: inform changed to enforce, then deleted: removed",
            FATE("inform", "DeleteIfCreated", .then = SET("'remediationAction':'enforce'")) },
    { "case20: enforce changed to inform, then deleted: kept",
            FATE("enforce", "DeleteAll", .then = SET("'remediationAction':'inform'"),
                    .stays = true) },
    { "DeleteAll changed to None, then deleted: kept",
            FATE("enforce", "DeleteAll", .then = SET("'pruneObjectBehavior':'None'"),
                    .stays = true) },
    { "DeleteAll changed to DeleteIfCreated over what existed, then deleted: kept",
            FATE("enforce", "DeleteAll", .existed = true,
                    .then = SET("'pruneObjectBehavior':'DeleteIfCreated'"), .stays = true) },
    ROW("case20: an object deleted by hand is made again, and goes with the policy", made_again),
    ROW("case20: the kind of an object is gone, and the policy goes all the same", kind_is_gone),
    ROW("the sample of design 003 makes its pod, and takes it away", sample),
    ROW("DeleteAll with mustnothave deletes nothing twice", must_not_have),
    ROW("what another policy makes in its place stays", wanted_by_another),
};

ROW_LIST(rows_delete);
