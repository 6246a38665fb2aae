/* What becomes of the objects of a policy that is placed on another cluster? */

#include <string.h>

#include "rows.h"
#include "support/api_objects.h"

#define POLICY ENFORCE("DeleteIfCreated", HAVE(CM("made", "a")) "," HAVE(CM("found", "a")))

/* What is there without any policy. */
static int furnish(struct scene *scene, const struct prb_ref *found)
{
    return scene_make(scene, found, CM("found", "before"));
}

static int arrive(struct scene *scene, const struct prb_ref *made, const struct prb_ref *found)
{
    DO(scene_make_policy(scene, "p", POLICY));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", made, true));
    DO(scene_await_recorded(scene, "p", found, false));
    return scene_await_value(scene, found, "a");
}

static int leave(struct scene *scene, const struct prb_ref *made, const struct prb_ref *found)
{
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, made));
    return scene_expect_kept(scene, found);
}

/* There, and back again. */
static int travel(struct scene *scene)
{
    struct place *here = scene->stage->place, *there = scene->stage->other;
    struct prb_ref made = scene_cm(scene, "made"), found = scene_cm(scene, "found");

    DO(furnish(scene, &found));
    DO(arrive(scene, &made, &found));
    DO(leave(scene, &made, &found));
    scene->place = there;
    DO(furnish(scene, &found));
    DO(arrive(scene, &made, &found));
    scene->place = here;
    DO(scene_await_gone(scene, &made));
    scene->place = there;
    DO(scene_expect_kept(scene, &made));
    DO(leave(scene, &made, &found));
    scene->place = here;
    DO(arrive(scene, &made, &found));
    return scene_expect_made(scene, &made, 2);
}

/* The other cluster has a Probate of its own. */
static int play(struct scene *scene)
{
    struct place *there = scene->stage->other;
    struct prb_test_loop loop = { .informers = NULL };
    struct prb_error err;
    int r;

    if (prb_test_namespace_create(there->direct, scene->id, &err) < 0 ||
            prb_test_loop_start(&loop, &prb_reconciler_policy, there->api, &err) < 0)
        r = scene_fail(scene, "the other cluster: %s", err.msg);
    else
        r = travel(scene);
    scene->place = scene->stage->place;
    prb_test_loop_stop(&loop);
    prb_test_namespace_delete(there->direct, scene->id);
    return r;
}

static const struct row list[] = {
    ROW("a policy that moves to another cluster takes along what it has created, and nothing else",
            play),
};

ROW_LIST(rows_placement, .alone = true);
