/* Does anything happen again that the reference has shipped, or still does? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* ---- a template that nobody understands ---- */

#define SECRET(name, password)                                     \
    "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'" name \
    "','namespace':'@'},'stringData':{'password':'" password "'}}"

/* Created, then the template goes wrong in some way: nothing is pruned, and nothing forgotten. The
 * other template goes on. */
static int template_goes_wrong(struct scene *scene)
{
    const char *wrong = scene->with;
    prb_autofree char *patch =
            prb_asprintf("{'spec':{'object-templates':[%s," HAVE(CM("other", "b")) "]}}", wrong);
    struct prb_ref foo = scene_cm(scene, "foo"), other = scene_cm(scene, "other");

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")) "," HAVE(CM("other", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch_policy(scene, "p", patch));
    DO(scene_await_value(scene, &other, "b"));
    DO(scene_await_state(scene, "p", "NonCompliant", ""));
    DO(scene_expect_kept(scene, &foo));

    /* What was known is known still. */
    DO(scene_patch_policy(scene, "p",
            SET("'pruneObjectBehavior':'DeleteIfCreated'," TEMPLATES(
                    HAVE(CM("foo", "a")) "," HAVE(CM("other", "b"))))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_await_recorded(scene, "p", &other, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_gone(scene, &other);
}

/* The hub encrypts what its templates take from Secrets. Written as it came, it would replace the
 * live value, and the policy would count as Compliant. */
static int encrypted(struct scene *scene)
{
    struct prb_ref live = scene_in(scene, "secrets.v1", "live");
    struct prb_ref new = scene_in(scene, "secrets.v1", "new");
    prb_auto(prb_object_unref) struct prb_object *before = NULL, *after = NULL;

    DO(scene_make(scene, &live, SECRET("live", "hunter2")));
    before = scene_get(scene, &live);
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteAll", HAVE(SECRET("live", "$ocm_encrypted:VBQ7mN2bWfEw")) "," HAVE(
                                         SECRET("new", "$ocm_encrypted:VBQ7mN2bWfEw")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "$ocm_encrypted:"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    after = scene_get(scene, &live);
    if (!before || !after ||
            !prb_streq(prb_object_resource_version(before), prb_object_resource_version(after)))
        return scene_fail(scene, "the live Secret was written to, or deleted");
    return scene_expect_never(scene, &new);
}

/* It is deleted while it is wrong: what it has created goes, by what is recorded. */
static int deleted_while_wrong(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(
            scene, "p", SET(TEMPLATES(HAVE(CM("foo", "{{ wrong }}")) "," HAVE(CM("old", "a"))))));
    DO(scene_await_state(scene, "p", "NonCompliant", ""));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_kept(scene, &old);
}

/* ---- an on-change prune that does not succeed at once ---- */

static int change_is_held(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a"))))));
    DO(scene_await_deleting(scene, &foo));
    DO(scene_await_recorded(scene, "p", &bar, true));
    DO(scene_await_listed(scene, "p", &foo, true));
    DO(scene_await_state(scene, "p", "NonCompliant", "example.org/hold"));
    DO(scene_release(scene, &foo));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_listed(scene, "p", &foo, false));
    DO(scene_await_compliant(scene, "p"));
    return scene_expect_kept(scene, &bar);
}

/* The policy goes while one that left it is still going. */
static int change_is_held_to_the_end(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a"))))));
    DO(scene_await_deleting(scene, &foo));
    DO(scene_await_recorded(scene, "p", &bar, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_expect_gone(scene, &bar));
    DO(scene_await_state(scene, "p", "Terminating", "example.org/hold"));
    DO(scene_release(scene, &foo));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &foo);
}

/* ---- the same object under another name ---- */

/* Same group and kind, another version: it is the same object. */
static int version_changes(struct scene *scene)
{
    struct prb_ref w = widget(scene, "w");

    DO(define_widgets(scene));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(WIDGET("v1", "w")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &w, true));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(WIDGET("v2", "w"))))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_kept(scene, &w));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'DeleteIfCreated'")));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &w, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_gone(scene, &w);
}

/* A template without a name means whatever there is: nothing of it is anybody's to prune. */
static int unnamed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteAll",
                    HAVE("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'@'},"
                         "'data':{'key':'a'}}"))));
    DO(scene_await_state(scene, "p", "NonCompliant", "name"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_kept(scene, &foo);
}

/* ---- a kind that is not there any more ---- */

/* One template's kind is gone: that is no reason to prune what the others mean. */
static int kind_goes(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene), foo = scene_cm(scene, "foo");

    DO(define_widgets(scene));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteAll", HAVE(WIDGET("v1", "w")) "," HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_delete(scene, &crd));
    DO(scene_await_gone(scene, &crd));
    DO(scene_await_state(scene, "p", "NonCompliant", "Widget"));
    return scene_expect_kept(scene, &foo);
}

/* Its objects are stored all the while, and what is created by the policy is not forgotten. */
static int kind_is_not_served(struct scene *scene)
{
    struct prb_ref w = widget(scene, "w");

    DO(make_widgets(scene));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(WIDGET("v1", "w")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &w, true));
    DO(serve_widgets(scene, false));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_state(scene, "p", "Terminating", "does not serve it now"));
    DO(serve_widgets(scene, true));
    DO(scene_await_ended(scene, "p"));
    return scene_await_gone(scene, &w);
}

#define WRONG(sentence, template)                                       \
    {                                                                   \
        .name = sentence, .play = template_goes_wrong, .with = template \
    }

static const struct row list[] = {
    WRONG("shipped bug, case13: a template with {{ }} prunes nothing and forgets nothing",
            HAVE(CM("foo", "{{ fromConfigMap }}"))),
    WRONG("a template with an encrypted value prunes nothing and forgets nothing",
            HAVE(CM("foo", "$ocm_encrypted:VBQ7mN2bWfEw"))),
    WRONG("a template that becomes mustonlyhave prunes nothing and forgets nothing",
            "{'complianceType':'mustonlyhave','objectDefinition':" CM("foo", "a") "}"),
    WRONG("a template that loses its name prunes nothing and forgets nothing",
            HAVE("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'@'}}")),
    WRONG("a template that loses its kind prunes nothing and forgets nothing",
            HAVE("{'apiVersion':'v1','metadata':{'name':'foo','namespace':'@'}}")),
    WRONG("a template of a kind that nobody serves prunes nothing and forgets nothing",
            HAVE("{'apiVersion':'nobody.example.org/v1','kind':'Nothing','metadata':{'name':'foo',"
                 "'namespace':'@'}}")),
    ROW("an encrypted value replaces no live one, creates nothing and is told", encrypted),
    ROW("weakness: a policy that is deleted while a template is wrong knows what it has created",
            deleted_while_wrong),
    ROW("weakness: an on-change prune that is held is remembered, told and done", change_is_held),
    ROW("weakness: an on-change prune that is held outlives the policy's deletion",
            change_is_held_to_the_end),
    ROW("weakness: another version of the same kind is the same object", version_changes),
    ROW("weakness: what a template without a name matches is not pruned", unnamed),
    ROW("a kind that is gone is no reason to prune the rest", kind_goes),
    ROW("pruning waits until the kind of what was created is served again", kind_is_not_served),
};

ROW_LIST(rows_bugs);
