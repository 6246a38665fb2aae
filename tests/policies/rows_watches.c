/* Does a watch that is late, or breaks, lead to anything that should not be? */

#include "rows.h"

/* Well above what a pass takes. */
#define LATE_MS 700

static int play(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), bar = scene_cm(scene, "bar");
    struct prb_ref old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "before")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_patch_policy(
            scene, "p", SET(TEMPLATES(HAVE(CM("bar", "a")) "," HAVE(CM("old", "a"))))));
    DO(scene_expect_gone(scene, &foo));
    DO(scene_await_recorded(scene, "p", &bar, true));
    DO(scene_await_recorded(scene, "p", &old, false));
    DO(scene_patch_policy(scene, "p",
            SET(TEMPLATES(
                    HAVE(CM("foo", "b")) "," HAVE(CM("bar", "b")) "," HAVE(CM("old", "b"))))));
    DO(scene_await_value(scene, &foo, "b"));
    DO(scene_await_value(scene, &bar, "b"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_await_recorded(scene, "p", &bar, true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_ended(scene, &foo, 2));
    DO(scene_expect_gone(scene, &bar));
    return scene_expect_kept(scene, &old);
}

static int play_late(struct scene *scene)
{
    struct prb_fault_proxy *proxy = scene->place->real.proxy;
    const struct prb_fault_rule rule = {
        .fault = PRB_FAULT_SLOW_EVENTS, .resource = scene->with, .delay_ms = LATE_MS
    };
    int id = prb_fault_proxy_add(proxy, &rule);
    int r = play(scene);

    prb_fault_proxy_clear(proxy, id);
    return r;
}

static int play_broken(struct scene *scene)
{
    struct prb_fault_proxy *proxy = scene->place->real.proxy;
    struct prb_ref foo = scene_cm(scene, "drifting");

    DO(scene_make_policy(scene, "q", ENFORCE("DeleteIfCreated", HAVE(CM("drifting", "a")))));
    DO(scene_await_recorded(scene, "q", &foo, true));
    (void)prb_fault_proxy_cut_watches(proxy, NULL);
    DO(scene_patch(scene, &foo, "{'data':{'key':'drift'}}"));
    DO(scene_await_value(scene, &foo, "a"));
    (void)prb_fault_proxy_expire_watches(proxy, NULL);
    DO(scene_patch(scene, &foo, "{'data':{'key':'drift'}}"));
    DO(scene_await_value(scene, &foo, "a"));
    DO(play(scene));
    return scene_expect_kept(scene, &foo);
}

static const struct row list[] = {
    { "watches of objects that are late lead to nothing that should not be", play_late,
            "configmaps" },
    { "watches of policies that are late lead to nothing that should not be", play_late,
            "configurationpolicies" },
    ROW("watches that break or expire lose nothing", play_broken),
};

ROW_LIST(rows_watches, .real_only = true, .alone = true);
