/* Which objects does a policy mean, and when does it look? */

#include "probate/base/str.h"

#include "rows.h"

/* A template without a namespace. */
#define LOOSE(name, value)                                                          \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" name "'},'data':{" \
    "'key':'" value "'}}"
#define IN(selector) "'namespaceSelector':{" selector "},"

static int globs(struct scene *scene)
{
    struct prb_ref a = scene_cm(scene, "foo"), b = scene_cm_b(scene, "foo");

    DO(scene_make_policy(scene, "p",
            IN("'include':['@*'],'exclude':['*-b']")
                    ENFORCE("DeleteIfCreated", HAVE(LOOSE("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &a, true));
    return scene_expect_never(scene, &b);
}

static int selector_shrinks(struct scene *scene)
{
    struct prb_ref a = scene_cm(scene, "foo"), b = scene_cm_b(scene, "foo");

    DO(scene_make_policy(scene, "p",
            IN("'include':['@','@-*']") ENFORCE("DeleteIfCreated", HAVE(LOOSE("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &a, true));
    DO(scene_await_recorded(scene, "p", &b, true));
    DO(scene_patch_policy(scene, "p", SET("'namespaceSelector':{'include':['@']}")));
    DO(scene_expect_gone(scene, &b));
    DO(scene_await_listed(scene, "p", &b, false));
    return scene_expect_kept(scene, &a);
}

/* By the label of a namespace, which comes and goes. */
static int labels(struct scene *scene)
{
    struct prb_ref b = scene_cm_b(scene, "foo"), a = scene_cm(scene, "foo");
    struct prb_ref own = scene_global(scene, "namespaces.v1", ""), second = own;

    (void)prb_copy(second.name, sizeof(second.name), b.namespace);
    DO(scene_make_policy(scene, "p",
            IN("'matchLabels':{'team':'@'}") ENFORCE("DeleteIfCreated", HAVE(LOOSE("foo", "a")))));
    DO(scene_patch(scene, &second, "{'metadata':{'labels':{'team':'@'}}}"));
    DO(scene_await_there(scene, &b));
    DO(scene_await_recorded(scene, "p", &b, true));
    DO(scene_expect_never(scene, &a));
    DO(scene_patch(scene, &own, "{'metadata':{'labels':{'team':'@'}}}"));
    DO(scene_await_recorded(scene, "p", &a, true));
    DO(scene_patch(scene, &second, "{'metadata':{'labels':{'team':null}}}"));
    DO(scene_expect_gone(scene, &b));
    return scene_expect_kept(scene, &a);
}

/* A selector that cannot be understood selects nobody knows what: nothing goes. */
static int selector_goes_wrong(struct scene *scene)
{
    struct prb_ref a = scene_cm(scene, "foo");

    DO(scene_make_policy(
            scene, "p", IN("'include':['@']") ENFORCE("DeleteAll", HAVE(LOOSE("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(scene, "p", SET("'namespaceSelector':{'include':['@','[a']}")));
    DO(scene_await_state(scene, "p", "NonCompliant", "namespaceSelector"));
    return scene_expect_kept(scene, &a);
}

static int no_namespace(struct scene *scene)
{
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(LOOSE("foo", "a")))));
    return scene_await_state(scene, "p", "NonCompliant", "namespace");
}

static int must_not_have(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", SPEC("inform", "None", HAVE_NOT(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_make(scene, &foo, CM("foo", "b")));
    DO(scene_await_state(scene, "p", "NonCompliant", "foo"));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_patch_policy(scene, "p", SET("'remediationAction':'enforce'")));
    DO(scene_expect_gone(scene, &foo));
    return scene_await_compliant(scene, "p");
}

/* Lists without order, items merged by name; what is beside them stays. */
static int comparison(struct scene *scene)
{
    struct prb_ref web = scene_in(scene, "services.v1", "web");
    int64_t before;

    DO(scene_make(scene, &web,
            "{'apiVersion':'v1','kind':'Service','metadata':{'name':'web','namespace':'@'},'spec':"
            "{'selector':{'app':'web'},'ports':[{'name':'a','port':80},{'name':'b','port':81}]}}"));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteIfCreated",
                    HAVE("{'apiVersion':'v1','kind':'Service','metadata':{'name':'web',"
                         "'namespace':'@'},'spec':{'ports':[{'name':'b','port':81}]}}"))));
    DO(scene_await_compliant(scene, "p"));
    before = scene_changes(scene, &web);
    if (before != 0)
        return scene_fail(scene, "what matches was written to");
    DO(scene_patch_policy(scene, "p",
            SET(TEMPLATES(HAVE("{'apiVersion':'v1','kind':'Service','metadata':{'name':'web',"
                               "'namespace':'@'},'spec':{'ports':[{'name':'c','port':82}]}}")))));
    DO(scene_await_compliant(scene, "p"));
    return scene_changes(scene, &web) == 1 ? scene_expect_kept(scene, &web)
                                           : scene_fail(scene, "it was not written to once");
}

/* What is not supported is said, and does nothing. */
static int raw(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(
            scene, "p", SET("'object-templates':null,'object-templates-raw':'- a: b'")));
    DO(scene_await_state(scene, "p", "NonCompliant", "object-templates-raw"));
    return scene_expect_kept(scene, &foo);
}

static int never_again(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");

    DO(scene_make_policy(scene, "never",
            ENFORCE("None", HAVE(CM("foo", "a"))) ",'evaluationInterval':{'compliant':'never'}"));
    DO(scene_make_policy(scene, "watch", ENFORCE("None", HAVE(CM("bar", "a")))));
    DO(scene_await_compliant(scene, "never"));
    DO(scene_await_compliant(scene, "watch"));

    /* Also while its own doing is not heard of yet. */
    DO(scene_patch(scene, &foo, "{'data':{'key':'drift'}}"));
    DO(scene_patch(scene, &bar, "{'data':{'key':'drift'}}"));
    DO(scene_await_value(scene, &bar, "a"));
    DO(scene_await_value(scene, &foo, "drift"));
    DO(scene_patch_policy(scene, "never", SET("'evaluationInterval':{'compliant':'watch'}")));
    return scene_await_value(scene, &foo, "a");
}

/* A label that nobody asked for, and then other content: one write of ours, for that. */
static int quiet(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch(scene, &foo, "{'metadata':{'labels':{'nobody':'minds'}}}"));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("foo", "b"))))));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_compliant(scene, "p"));
    return scene_changes(scene, &foo) == 2
                   ? 0
                   : scene_fail(scene, "foo was written to more often than was needed");
}

static const struct row list[] = {
    ROW("namespaces are chosen by globs, and excluded by globs", globs),
    ROW("a selector that shrinks takes along what was created elsewhere", selector_shrinks),
    ROW("namespaces that get or lose a label are noticed at once", labels),
    ROW("a selector that nobody understands prunes nothing", selector_goes_wrong),
    ROW("a template without a namespace and no selector is reported", no_namespace),
    ROW("mustnothave reports under inform, and deletes under enforce", must_not_have),
    ROW("lists are compared without order, and merged by name", comparison),
    ROW("object-templates-raw is said not to be supported, and prunes nothing", raw),
    ROW("evaluationInterval never leaves drift alone, watch puts it right at once", never_again),
    ROW("nothing is written to an object that is as it should be", quiet),
};

ROW_LIST(rows_scope);
