/* Did the world end as it should, and did nothing else happen to it on the way? */

#include <string.h>

#include "probate/base/str.h"

#include "stage.h"
#include "stage_objects.h"
#include "support/wait.h"
#include "twin.h"

static int check_unchanged(struct stage *stage, const char *short_name, const char *version)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    char name[PRB_NAME_SIZE];

    stage_bystander(stage, short_name, name);
    object = stage_get(stage, name);
    if (!object)
        return stage_fail(stage, "%s is gone", name);
    if (!prb_streq(prb_object_resource_version(object), version))
        return stage_fail(stage, "%s was touched", name);
    return 0;
}

static int check_keeper(struct stage *stage)
{
    prb_auto(prb_object_unref) struct prb_object *keeper = NULL;
    prb_auto(prb_object_unref) struct prb_object *twin = NULL;
    char name[PRB_NAME_SIZE];

    stage_bystander(stage, "keeper", name);
    keeper = stage_get(stage, name);
    stage_bystander(stage, "keeper-twin", name);
    twin = stage_get(stage, name);
    if (!keeper || !twin)
        return stage_fail(stage, "the keeper or its twin is gone");
    if (prb_object_is_deleting(keeper) || prb_object_is_deleting(twin))
        return stage_fail(stage, "the keeper or its twin is being deleted");
    if (!prb_object_has_finalizer(keeper, STAGE_FOREIGN) ||
            !prb_object_has_finalizer(keeper, TWIN_FINALIZER) ||
            prb_object_finalizer_count(keeper) != 2 || prb_object_finalizer_count(twin) != 0)
        return stage_fail(stage, "a finalizer of the keeper was lost or doubled");
    return 0;
}

int stage_check_end(struct stage *stage)
{
    char name[PRB_NAME_SIZE];

    for (int i = 0; i < 2 * stage->pairs; i++) {
        stage_name(stage, i / 2, i % 2 != 0, name);
        if (!stage_is_gone(stage, name))
            return stage_fail(stage, "%s is still there", name);
    }
    stage_bystander(stage, "lonely-twin", name);
    if (stage_is_gone(stage, name))
        return stage_fail(stage, "the lonely twin is gone");
    return check_keeper(stage) < 0 || check_unchanged(stage, "other", stage->other_version) < 0 ||
                           check_unchanged(stage, "plain", stage->plain_version) < 0
                   ? -1
                   : 0;
}

/* What happened to one object, as a letter for each event: Added, finalizer set (F), deletion
 * begun (D), any other change (?), Xdeleted at last. */
static void story_of(struct stage *stage, const char *name, char *story, size_t size)
{
    bool had_finalizer = false, was_deleting = false;
    size_t len = 0;

    for (size_t i = 0; i < prb_watch_log_count(stage->log); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(stage->log, i);
        bool has_finalizer = prb_object_has_finalizer(event->object, TWIN_FINALIZER);
        bool is_deleting = prb_object_is_deleting(event->object);
        char letter = '?';

        if (!prb_streq(prb_object_name(event->object), name) || len + 1 >= size)
            continue;
        if (event->type == PRB_WATCH_ADDED)
            letter = 'A';
        else if (event->type == PRB_WATCH_DELETED)
            letter = 'X';
        else if (has_finalizer && !had_finalizer && is_deleting == was_deleting)
            letter = 'F';
        else if (is_deleting && !was_deleting && has_finalizer == had_finalizer)
            letter = 'D';
        had_finalizer = has_finalizer;
        was_deleting = is_deleting;
        story[len++] = letter;
    }
    story[len] = '\0';
}

static int check_story(struct stage *stage, const char *name, const char *want)
{
    char story[32];

    story_of(stage, name, story, sizeof(story));
    if (!prb_streq(story, want))
        return stage_fail(stage, "what happened to %s is %s instead of %s", name, story, want);
    return 0;
}

static int check_bystander_story(struct stage *stage, const char *short_name, const char *want)
{
    char name[PRB_NAME_SIZE];

    stage_bystander(stage, short_name, name);
    return check_story(stage, name, want);
}

static int check_pair(struct stage *stage, int pair)
{
    char original[PRB_NAME_SIZE], twin[PRB_NAME_SIZE];

    stage_name(stage, pair, false, original);
    stage_name(stage, pair, true, twin);
    if (!prb_watch_log_wait_for(stage->log, PRB_WATCH_DELETED, original, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    if (check_story(stage, original, "AFDX") < 0 || check_story(stage, twin, "AX") < 0)
        return -1;
    if (prb_watch_log_find(stage->log, PRB_WATCH_DELETED, twin) >
            prb_watch_log_find(stage->log, PRB_WATCH_DELETED, original))
        return stage_fail(stage, "%s went before its twin", original);
    return 0;
}

int stage_check_events(struct stage *stage)
{
    for (int i = 0; i < stage->pairs; i++) {
        if (check_pair(stage, i) < 0)
            return -1;
    }
    if (check_bystander_story(stage, "keeper", "AF") < 0 ||
            check_bystander_story(stage, "keeper-twin", "A") < 0)
        return -1;
    return check_bystander_story(stage, "lonely-twin", "A");
}
