/* What is on the stage, and when is a phase over? */

#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "stage_objects.h"
#include "support/api_objects.h"
#include "support/json_text.h"
#include "support/wait.h"
#include "twin.h"

int stage_fail(struct stage *stage, const char *fmt, ...)
{
    va_list args;

    if (stage->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(stage->why, PRB_TEST_WHY_SIZE, fmt, args);
    va_end(args);
    return -1;
}

void stage_name(const struct stage *stage, int pair, bool twin, char name[PRB_NAME_SIZE])
{
    (void)snprintf(name, PRB_NAME_SIZE, "%s-o%d%s", stage->world, pair, twin ? "-twin" : "");
}

static int start_log(struct stage *stage, struct prb_error *err)
{
    prb_autofree char *selector = prb_asprintf("%s=%s", TWIN_WORLD, stage->world);
    struct prb_ref any = prb_test_configmap(stage->ns, "any");
    const struct prb_watch_options options = { .namespace = stage->ns, .label_selector = selector };

    return prb_watch_log_start(stage->api, &any.gvr, &options, &stage->log, err);
}

int stage_open(struct stage *stage, struct prb_api *api, const char *ns, int pairs)
{
    struct prb_error err;

    stage->api = api;
    stage->pairs = pairs;
    (void)prb_copy(stage->ns, sizeof(stage->ns), ns);
    prb_test_unique_name("tw", stage->world);
    if (start_log(stage, &err) < 0)
        return stage_fail(stage, "watch: %s", err.msg);
    return stage_make_objects(stage);
}

void stage_close(struct stage *stage)
{
    if (stage->api)
        stage_remove_objects(stage);
    prb_watch_log_stop(stage->log);
    free(stage->other_version);
    free(stage->plain_version);
    stage->log = NULL;
    stage->other_version = stage->plain_version = NULL;
}

/* Has it our finalizer, as the server says? A NOTFOUND counts as no. */
static bool has_finalizer(struct stage *stage, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stage_get(stage, name);

    return object && prb_object_has_finalizer(object, TWIN_FINALIZER);
}

static bool all_have_finalizer(void *ctx)
{
    struct stage *stage = ctx;
    char name[PRB_NAME_SIZE];

    for (int i = 0; i < stage->pairs; i++) {
        stage_name(stage, i, false, name);
        if (!has_finalizer(stage, name))
            return prb_test_saw("%s has none", name);
    }
    stage_bystander(stage, "keeper", name);
    return has_finalizer(stage, name) || prb_test_saw("%s has none", name);
}

int stage_wait_finalizers(struct stage *stage)
{
    if (!prb_test_await(
                "every original has its finalizer", all_have_finalizer, stage, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    return 0;
}

static int delete_from_to(struct stage *stage, int from, int to)
{
    for (int i = from; i < to; i++) {
        char name[PRB_NAME_SIZE];

        stage_name(stage, i, false, name);
        if (stage_delete(stage, name) < 0)
            return -1;
    }
    return 0;
}

int stage_delete_originals(struct stage *stage)
{
    return delete_from_to(stage, 0, stage->pairs);
}

int stage_delete_half(struct stage *stage, bool second)
{
    int half = stage->pairs / 2;

    return second ? delete_from_to(stage, half, stage->pairs) : delete_from_to(stage, 0, half);
}

static bool all_gone(void *ctx)
{
    struct stage *stage = ctx;

    for (int i = 0; i < stage->pairs; i++) {
        char name[PRB_NAME_SIZE];

        stage_name(stage, i, false, name);
        if (!stage_is_gone(stage, name))
            return prb_test_saw("%s is there; %d of %d twins are gone", name,
                    stage_twins_gone(stage), stage->pairs);
    }
    return true;
}

int stage_wait_gone(struct stage *stage)
{
    if (!prb_test_await("every original is gone", all_gone, stage, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    return 0;
}

int stage_twins_gone(struct stage *stage)
{
    int count = 0;

    for (int i = 0; i < stage->pairs; i++) {
        char name[PRB_NAME_SIZE];

        stage_name(stage, i, true, name);
        count += prb_watch_log_find(stage->log, PRB_WATCH_DELETED, name) >= 0;
    }
    return count;
}

int stage_wait_twins_gone(struct stage *stage, int count)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%d twins are gone", count);

    while (stage_twins_gone(stage) < count) {
        (void)prb_test_saw("%d are", stage_twins_gone(stage));
        if (!prb_test_wait_more(&wait))
            return stage_fail(stage, "%s", prb_test_awaited());
    }
    return 0;
}
