/* Does an agent make sense of what it finds when it comes, or comes back? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* As an agent leaves it that is older than deleteOption: an AppliedManifestWork, a ConfigMap that
 * it owns and has recorded; the work has its finalizer. */
static int leave_behind(struct scene *scene)
{
    struct prb_ref applied = scene_applied(scene, "w"), cm1 = scene_cm(scene, "cm1");
    prb_auto(prb_object_unref) struct prb_object *owner = NULL, *object = NULL;
    prb_autofree char *made = NULL, *owned = NULL, *recorded = NULL;

    made = prb_asprintf("{'apiVersion':'" PRB_WORK_GROUP "/v1','kind':'AppliedManifestWork',"
                        "'metadata':{'name':'%s','finalizers':['" PRB_APPLIED_FINALIZER "']},"
                        "'spec':{'hubHash':'%s','agentID':'%s','manifestWorkName':'@-w'}}",
            applied.name, scene->loop->settings.hub_hash, scene->loop->settings.agent_id);
    DO(scene_make(scene, &applied, made));
    owner = scene_get(scene, &applied);
    if (!owner)
        return scene_fail(scene, "there is no AppliedManifestWork");
    owned = prb_asprintf("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm1',"
                         "'namespace':'@','ownerReferences':[{'apiVersion':'" PRB_WORK_GROUP "/v1',"
                         "'kind':'AppliedManifestWork','name':'%s','uid':'%s'}]},"
                         "'data':{'key':'a'}}",
            applied.name, prb_object_uid(owner));
    DO(scene_make(scene, &cm1, owned));
    object = scene_get(scene, &cm1);
    if (!object)
        return scene_fail(scene, "there is no ConfigMap");
    recorded = prb_asprintf("{'status':{'appliedResources':[{'version':'v1','resource':"
                            "'configmaps','namespace':'@','name':'cm1','uid':'%s'}]}}",
            prb_object_uid(object));
    return scene_patch_status(scene, &applied, recorded);
}

#define HELD "'finalizers':['" PRB_WORK_FINALIZER "']"

static int older_agent(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    DO(leave_behind(scene));
    DO(scene_make_work_with(scene, "w", HELD, WORKLOAD(CM("cm1", "a"))));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_start(scene));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_kept(scene, &cm1);
}

/* The reference is there, the work is deleting, and the option says Orphan: only the option counts.
 */
static int older_agent_deleted(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    DO(leave_behind(scene));
    DO(scene_make_work_with(scene, "w", HELD, WORKLOAD(CM("cm1", "a")) ORPHAN));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 0));
    return scene_expect_kept(scene, &cm1);
}

/* No option, as it was when there was none: owned, and goes. */
static int older_agent_foreground(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    DO(leave_behind(scene));
    DO(scene_make_work_with(scene, "w", HELD, WORKLOAD(CM("cm1", "a"))));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

/* A namesake that somebody put in its place while nobody looked. */
static int replaced(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    scene_stop(scene);
    DO(scene_delete(scene, &cm1));
    DO(scene_await_gone(scene, &cm1));
    DO(scene_make(scene, &cm1, CM("cm1", "not yours")));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_value(scene, &cm1, "not yours"));
    return scene_expect_again(scene, &cm1);
}

/* Recorded under a uid that is not the live one's, though it has our reference: left alone. The
 * entry is let go, since what it stands for is not there. */
static int foreign_uid(struct scene *scene)
{
    struct prb_ref applied = scene_applied(scene, "w"), cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    applied = scene_applied(scene, "w");
    DO(leave_behind(scene));
    DO(scene_patch_status(scene, &applied,
            "{'status':{'appliedResources':[{'version':'v1','resource':'configmaps','namespace':"
            "'@','name':'cm1','uid':'11111111-2222-3333-4444-555555555555'}]}}"));
    DO(scene_make_work_with(scene, "w", HELD, WORKLOAD(CM("cm2", "a"))));
    DO(scene_start(scene));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, false));
    return scene_expect_kept(scene, &cm1);
}

static int orphaned_meanwhile(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    scene_stop(scene);
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_delete(scene, &cm2));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_kept(scene, &cm1));
    return scene_await_gone(scene, &cm2);
}

/* An AppliedManifestWork of that very name under another agent's id is ours as soon as the work is
 * a live one of ours. */
static int other_agent_id(struct scene *scene)
{
    struct prb_ref applied, cm1 = scene_cm(scene, "cm1");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    DO(scene_hire(scene));
    applied = scene_applied(scene, "w");
    DO(leave_behind(scene));
    DO(scene_patch(scene, &applied, "{'spec':{'agentID':'predecessor'}}"));
    DO(scene_make_work_with(scene, "w", HELD, WORKLOAD(CM("cm1", "a"))));
    DO(scene_start(scene));
    DO(scene_await_applied(scene, "w"));
    object = scene_get(scene, &applied);
    if (!object || !prb_streq(prb_json_str(prb_object_spec(object), "agentID"), scene->id))
        return scene_fail(scene, "the AppliedManifestWork is still another agent's");
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

/* Somebody deletes the AppliedManifestWork itself: what it owns goes, and comes again. */
static int record_deleted(struct scene *scene)
{
    struct prb_ref applied, cm1 = scene_cm(scene, "cm1");

    DO(scene_hire(scene));
    applied = scene_applied(scene, "w");
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete(scene, &applied));
    DO(scene_expect_again(scene, &cm1));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_await_gone(scene, &cm1);
}

static const struct row list[] = {
    ROW("an older agent's reference goes when the option says Orphan", older_agent),
    ROW("an older agent's work that says Orphan and is deleting loses nothing",
            older_agent_deleted),
    ROW("an older agent's work without an option is deleted as it always was",
            older_agent_foreground),
    ROW("a namesake of what was applied is left alone", replaced),
    ROW("a recorded name with a foreign uid is left alone", foreign_uid),
    ROW("Orphan set and the work deleted while the agent was away", orphaned_meanwhile),
    ROW("a predecessor's AppliedManifestWork of the same name is taken over", other_agent_id),
    ROW("an AppliedManifestWork that somebody deletes is made again", record_deleted),
};

ROW_LIST(rows_restart);
