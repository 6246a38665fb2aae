/* What becomes of objects that are deleted to be made again (case40 of the reference)? */

#include "rows.h"

/* A ConfigMap that cannot be changed. */
#define FIXED(name, value)                                                             \
    "{'apiVersion':'v1','kind':'ConfigMap','immutable':true,'metadata':{'name':'" name \
    "','namespace':'@'},'data':{'key':'" value "'}}"
#define RECREATE(option, definition) \
    "{'complianceType':'musthave','recreateOption':'" option "','objectDefinition':" definition "}"

static int without_option(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, FIXED("foo", "before")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteAll", HAVE(CM("foo", "a")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "immutable"));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_await_value(scene, &foo, "before"));
    return scene_await_recorded(scene, "p", &foo, false);
}

/* Made by the policy: it stays so. */
static int own(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", RECREATE("IfRequired", FIXED("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(RECREATE("IfRequired", FIXED("foo", "b"))))));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_ended(scene, &foo, 2);
}

/* It was there before: making it again makes it no property of the policy. */
static int foreign(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, FIXED("foo", "before")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", RECREATE("IfRequired", FIXED("foo", "a")))));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene_expect_made(scene, &foo, 2);
}

static int always(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "before")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", RECREATE("Always", CM("foo", "a")))));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_expect_made(scene, &foo, 2));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_patch(scene, &foo, "{'metadata':{'labels':{'nobody':'minds'}}}"));
    DO(scene_await_compliant(scene, "p"));
    return scene_expect_made(scene, &foo, 2);
}

static int held(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", RECREATE("IfRequired", FIXED("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(RECREATE("IfRequired", FIXED("foo", "b"))))));
    DO(scene_await_deleting(scene, &foo));
    DO(scene_await_state(scene, "p", "NonCompliant", "foo"));
    DO(scene_release(scene, &foo));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    return scene_expect_made(scene, &foo, 2);
}

static const struct row list[] = {
    ROW("case40: without the option an immutable field is reported, and the object stays",
            without_option),
    ROW("case40: IfRequired makes it again, and createdByPolicy true survives that", own),
    ROW("shipped bug: making it again makes no existing object the policy's own", foreign),
    ROW("case40: Always makes it again when it differs, and only then", always),
    ROW("case40: an object whose finalizer holds it is reported, and made again after it", held),
};

ROW_LIST(rows_recreate, .real_only = true);
