/* Do the cases of OCM's unmanaged_appliedwork_test.go end as they do there? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* Short, and one that no test sees the end of. */
#define GRACE_MS 1500
#define LONG_GRACE_MS ((int64_t)60 * 60 * 1000)

static int hire(struct scene *scene, int64_t grace_ms)
{
    DO(scene_hire(scene));
    scene->own.settings.eviction_grace_ms = grace_ms;
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    return 0;
}

/* The work goes without its agent, which must be away or would take it for its own: somebody takes
 * the finalizer off by hand. */
static int force_delete(struct scene *scene)
{
    DO(scene_patch_work(scene, "w", "{'metadata':{'finalizers':null}}"));
    return scene_delete_work(scene, "w");
}

static bool is_stamped(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *applied = scene_get(hope->scene, hope->ref);

    return applied &&
           (prb_json_str(prb_object_status(applied), "evictionStartTime") != NULL) == hope->wanted;
}

static int await_stamp(struct scene *scene, const struct prb_ref *applied, bool wanted)
{
    return scene_await(scene, &(struct hope){ .ref = applied, .wanted = wanted }, is_stamped,
            wanted ? "has no evictionStartTime" : "still has its evictionStartTime");
}

static int other_agent(struct scene *scene)
{
    struct prb_ref old, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, GRACE_MS));
    old = scene_applied(scene, "w");
    scene_stop(scene);
    scene_move(scene, "https://new-hub.example.org", "another-agent");
    DO(scene_start(scene));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owners(scene, &cm1, 2));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    if (history_of(scene->ends->history, &old).begun > 0)
        return scene_fail(scene, "the AppliedManifestWork of another agent was deleted");
    DO(scene_await_owners(scene, &cm1, 1));
    return scene_expect_kept(scene, &cm1);
}

static int applied_again(struct scene *scene)
{
    struct prb_ref old, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, GRACE_MS));
    old = scene_applied(scene, "w");
    scene_stop(scene);
    scene_move(scene, "https://new-hub.example.org", scene->id);
    DO(scene_start(scene));
    DO(scene_expect_gone(scene, &old));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owners(scene, &cm1, 1));
    return scene_expect_kept(scene, &cm1);
}

static int reconnected(struct scene *scene)
{
    struct prb_ref applied, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, GRACE_MS));
    applied = scene_applied(scene, "w");
    scene_stop(scene);
    DO(force_delete(scene));
    DO(scene_start(scene));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_gone(scene, &applied);
}

static int recreated(struct scene *scene)
{
    struct prb_ref applied, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, LONG_GRACE_MS));
    applied = scene_applied(scene, "w");
    scene_stop(scene);
    DO(force_delete(scene));
    DO(scene_start(scene));
    DO(await_stamp(scene, &applied, true));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(await_stamp(scene, &applied, false));
    DO(scene_await_applied(scene, "w"));
    DO(scene_expect_kept(scene, &applied));
    return scene_expect_kept(scene, &cm1);
}

static int disabled(struct scene *scene)
{
    struct prb_ref applied, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, LONG_GRACE_MS));
    applied = scene_applied(scene, "w");
    scene_stop(scene);
    DO(force_delete(scene));
    DO(scene_start(scene));
    DO(await_stamp(scene, &applied, true));
    scene_stop(scene);
    scene->own.settings.eviction_grace_ms = 0;
    DO(scene_start(scene));
    DO(await_stamp(scene, &applied, false));
    DO(scene_expect_kept(scene, &applied));
    return scene_expect_kept(scene, &cm1);
}

/* One of ours that has no work, beside one that is another agent's. */
static int without_work(struct scene *scene)
{
    prb_autofree char *ours = NULL, *theirs = NULL;
    struct prb_ref applied, foreign, cm1 = scene_cm(scene, "cm1");

    DO(hire(scene, GRACE_MS));
    applied = scene_applied(scene, "lost");
    foreign = scene_applied(scene, "theirs");
    theirs = prb_asprintf("{'apiVersion':'" PRB_WORK_GROUP "/v1','kind':'AppliedManifestWork',"
                          "'metadata':{'name':'%s'},'spec':{'hubHash':'%s','agentID':'somebody',"
                          "'manifestWorkName':'@-theirs'}}",
            foreign.name, scene->own.settings.hub_hash);
    ours = prb_asprintf("{'apiVersion':'" PRB_WORK_GROUP "/v1','kind':'AppliedManifestWork',"
                        "'metadata':{'name':'%s','finalizers':['" PRB_APPLIED_FINALIZER "']},"
                        "'spec':{'hubHash':'%s','agentID':'%s','manifestWorkName':'@-lost'}}",
            applied.name, scene->own.settings.hub_hash, scene->own.settings.agent_id);
    DO(scene_make(scene, &foreign, theirs));
    DO(scene_make(scene, &applied, ours));
    DO(scene_expect_gone(scene, &applied));
    DO(scene_expect_kept(scene, &foreign));
    DO(scene_expect_kept(scene, &cm1));
    return scene_delete(scene, &foreign);
}

static const struct row list[] = {
    ROW("unmanaged: should keep old appliedmanifestwork with different agent id", other_agent),
    ROW("unmanaged: should remove old appliedmanifestwork if applied again on new hub",
            applied_again),
    ROW("unmanaged: should evict after the work agent reconnected", reconnected),
    ROW("unmanaged: should keep if its manifestwork is recreated", recreated),
    ROW("unmanaged: should stop eviction when it is disabled", disabled),
    ROW("work: should delete applied manifest work if it is orphan", without_work),
};

ROW_LIST(rows_evict);
