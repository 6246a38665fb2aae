/* What does the history say of an object? */

#include <stdio.h>

#include "probate/base/str.h"

#include "scene.h"

/* Has the history seen what is there now? */
static bool has_caught_up(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);

    return object && history_has_seen(hope->scene->ends->history, hope->ref, object);
}

static int catch_up(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = ref }, has_caught_up,
            "is not there, or no watch tells of it");
}

int scene_expect_kept(struct scene *scene, const struct prb_ref *ref)
{
    struct lives lives;

    DO(catch_up(scene, ref));
    lives = history_of(scene->ends->history, ref);
    if (lives.count != 1 || lives.begun > 0)
        return scene_fail(scene, "%s was made %u times, and deleted %u times", ref->name,
                lives.count, lives.begun);
    return 0;
}

static struct lives look_back(struct hope *hope)
{
    struct lives lives = history_of(hope->scene->ends->history, hope->ref);

    (void)snprintf(hope->seen, sizeof(hope->seen), "it was made %u times, and went %u times",
            lives.count, lives.gone);
    return lives;
}

static bool saw_it_go(void *ctx)
{
    struct lives lives = look_back(ctx);

    return lives.count > 0 && lives.count == lives.gone;
}

int scene_expect_gone(struct scene *scene, const struct prb_ref *ref)
{
    struct lives lives;

    DO(scene_await_gone(scene, ref));
    DO(scene_await(scene, &(struct hope){ .ref = ref }, saw_it_go, "was not seen to go"));
    lives = history_of(scene->ends->history, ref);
    if (lives.count != 1)
        return scene_fail(scene, "%s was made %u times", ref->name, lives.count);
    return 0;
}

static void note_owners(void *ctx, const struct life *life)
{
    size_t *owners = ctx;

    *owners = life->newest ? prb_object_owner_count(life->newest) : 0;
}

int scene_expect_gone_owned(struct scene *scene, const struct prb_ref *ref)
{
    size_t owners = 0;

    DO(scene_expect_gone(scene, ref));
    history_each(scene->ends->history, ref, note_owners, &owners);
    return owners > 0 ? 0 : scene_fail(scene, "%s was deleted without an owner", ref->name);
}

static bool was_made_again(void *ctx)
{
    struct lives lives = look_back(ctx);

    return lives.count == 2 && lives.gone == 1;
}

int scene_expect_again(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(
            scene, &(struct hope){ .ref = ref }, was_made_again, "was not made again, once");
}

int scene_expect_never(struct scene *scene, const struct prb_ref *ref)
{
    DO(scene_await_gone(scene, ref));
    if (history_of(scene->ends->history, ref).count > 0)
        return scene_fail(scene, "%s was there", ref->name);
    return 0;
}

int64_t scene_changes(struct scene *scene, const struct prb_ref *ref)
{
    if (catch_up(scene, ref) < 0)
        return -1;
    return history_of(scene->ends->history, ref).changes;
}
