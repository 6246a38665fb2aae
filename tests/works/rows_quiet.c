/* Is nothing written, and little read, when nothing is to be done? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* What the server has of a work and its objects: unchanged means that nobody has written, since a
 * write that changes nothing is not stored; the proxy sees those that were sent all the same. */
struct state {
    char work[64], applied[64], cm1[64], cm2[64];
    unsigned long writes; /* sent, to the two servers; 0 without a proxy. But for what is applied by
                             the server: only it can say that this is no change */
};

static int note(struct scene *scene, struct prb_object *object_taken, char version[64])
{
    prb_auto(prb_object_unref) struct prb_object *object = object_taken;

    if (!object)
        return scene_fail(scene, "something is not there");
    (void)prb_copy(version, 64, prb_object_resource_version(object));
    return 0;
}

static const char *const verbs[] = { "create", "update", "patch", "delete" };

static unsigned long count_writes(struct scene *scene, const struct prb_ref *refs, size_t count)
{
    unsigned long writes = 0;

    if (!form_is_real(scene->ends->form))
        return 0;
    for (size_t i = 0; i < count * 4; i++) {
        const struct prb_ref *ref = &refs[i / 4];
        struct end *end = prb_streq(ref->gvr.resource, "manifestworks") ? scene->ends->hub
                                                                        : scene->ends->spoke;

        writes += prb_fault_proxy_count_named(end->real.proxy, verbs[i % 4], "*", ref->name);
    }
    return writes;
}

static int take(struct scene *scene, struct state *ret)
{
    struct prb_ref refs[] = { scene_work(scene, "w"), scene_applied(scene, "w"),
        scene_cm(scene, "quiet-1"), scene_cm(scene, "quiet-2") };

    (void)snprintf(refs[2].name, sizeof(refs[2].name), "%s-1", scene->id);
    (void)snprintf(refs[3].name, sizeof(refs[3].name), "%s-2", scene->id);
    DO(note(scene, scene_get_work(scene, "w"), ret->work));
    DO(note(scene, scene_get(scene, &refs[1]), ret->applied));
    DO(note(scene, scene_get(scene, &refs[2]), ret->cm1));
    DO(note(scene, scene_get(scene, &refs[3]), ret->cm2));
    ret->writes = count_writes(scene, refs, 3);
    return 0;
}

static int expect_same(struct scene *scene, const struct state *before, bool work_too)
{
    struct state now;

    DO(take(scene, &now));
    if (work_too && !prb_streq(before->work, now.work))
        return scene_fail(scene, "the work was written to");
    if (!prb_streq(before->applied, now.applied))
        return scene_fail(scene, "the AppliedManifestWork was written to");
    if (!prb_streq(before->cm1, now.cm1) || !prb_streq(before->cm2, now.cm2))
        return scene_fail(scene, "what was applied was written to");
    if (now.writes != before->writes)
        return scene_fail(scene, "%lu writes were sent", now.writes - before->writes);
    return 0;
}

/* One of all strategies that write. */
static int make_quiet(struct scene *scene)
{
    return scene_make_work(scene, "w",
            WORKLOAD(CM("@-1", "a") "," CM("@-2", "a"))
                    STRATEGY("configmaps", "@-2", "ServerSideApply", ""));
}

/* Another work that is made now and applied: whoever had to look at the first one has done so. */
static int await_turn(struct scene *scene, const char *canary)
{
    prb_autofree char *spec = prb_asprintf("'workload':{'manifests':[{'apiVersion':'v1','kind':"
                                           "'ConfigMap','metadata':{'name':'canary-%s','namespace':"
                                           "'@'}}]}",
            canary);
    prb_autofree char *name = prb_asprintf("canary-%s", canary);
    struct prb_ref cm = scene_cm(scene, name);

    DO(scene_make_work(scene, canary, spec));
    DO(scene_await_applied(scene, canary));
    return scene_await_recorded(scene, canary, &cm, true);
}

static int settle(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm");

    (void)snprintf(cm1.name, sizeof(cm1.name), "%s-1", scene->id);
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    return await_turn(scene, "first");
}

/* An agent that comes knows nothing, reads everything, and finds nothing to do. */
static int restarted(struct scene *scene)
{
    struct state before;

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(make_quiet(scene));
    DO(settle(scene));
    scene_stop(scene);
    DO(take(scene, &before));
    DO(scene_start(scene));
    DO(await_turn(scene, "second"));
    DO(await_turn(scene, "third"));
    return expect_same(scene, &before, true);
}

/* What concerns nobody: a label on the work. It is looked at, and that is all. */
static int touched(struct scene *scene)
{
    struct state before;

    DO(make_quiet(scene));
    DO(settle(scene));
    DO(take(scene, &before));
    for (int i = 0; i < 3; i++) {
        prb_autofree char *patch = prb_asprintf("{'metadata':{'annotations':{'touched':'%d'}}}", i);
        prb_autofree char *canary = prb_asprintf("canary-%d", i);

        DO(scene_patch_work(scene, "w", patch));
        DO(await_turn(scene, canary));
    }
    return expect_same(scene, &before, false);
}

/* Somebody else writes into the status: it stays, and what we said is not said again. */
static int others_status(struct scene *scene)
{
    prb_auto(prb_json_free) struct json_object *patch = scene_json(scene,
            "[{'op':'add','path':'/status/conditions/-','value':{'type':'Theirs','status':'True',"
            "'reason':'Because','message':'theirs','lastTransitionTime':'2024-01-01T00:00:00Z'}}]");
    const struct prb_write_options status = { .subresource = "status" };
    struct prb_ref ref = scene_work(scene, "w");
    struct state before;
    struct prb_error err;

    DO(make_quiet(scene));
    DO(settle(scene));
    DO(take(scene, &before));
    if (prb_api_patch(scene->ends->hub->direct, &ref, PRB_PATCH_JSON, patch, &status, NULL, &err) <
            0)
        return scene_fail(scene, "%s", err.msg);
    DO(await_turn(scene, "second"));
    DO(expect_same(scene, &before, false));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("@-1", "b"))));
    DO(scene_await_applied(scene, "w"));
    return scene_await_said(scene, "w", "Theirs", "True", "Because", "");
}

static const struct row list[] = {
    ROW("an agent that comes back writes nothing where nothing has changed", restarted),
    ROW("a work that is touched without a change of its spec costs no write", touched),
    ROW("the conditions of others stay, and cost no write", others_status),
};

ROW_LIST(rows_quiet);
