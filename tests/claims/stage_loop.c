/* How does the reconciler run in a test, and when did what happen? */

#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "stage.h"
#include "support/informers.h"
#include "support/wait.h"

#define FLUSH_MS 1000
#define WORKERS 4

int stage_start_loop(struct stage *stage, struct prb_error *err)
{
    struct prb_runner_options options = { .api = stage->api, .workers = WORKERS };

    stage->flagged = sort_gvr(POOL);
    stage->flagged.version[0] = '\0';
    stage->settings = (struct prb_claim_settings){
        .finalizer = PRB_CLAIM_FINALIZER, .claims = &stage->flagged, .claim_count = 1
    };
    stage->reconciler = prb_reconciler_claims;
    stage->reconciler.settings = &stage->settings;
    stage->informers = prb_informers_new(stage->api, NULL);
    stage->recorder = prb_recorder_new(stage->api, "probate", NULL);
    options.informers = stage->informers;
    options.recorder = stage->recorder;
    stage->runner = prb_runner_new(&stage->reconciler, &options);
    if (prb_informers_start(stage->informers, err) < 0)
        return err->code;
    if (!prb_test_await_synced(stage->informers, PRB_TEST_SOON_MS))
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    return prb_runner_start(stage->runner, err);
}

void stage_stop_loop(struct stage *stage)
{
    if (stage->runner)
        prb_runner_stop(stage->runner);
    if (stage->informers)
        prb_informers_stop(stage->informers);
    if (stage->recorder)
        prb_recorder_stop(stage->recorder, FLUSH_MS);
    prb_runner_free(stage->runner);
    prb_informers_free(stage->informers);
    prb_recorder_free(stage->recorder);
    stage->runner = NULL;
    stage->informers = NULL;
    stage->recorder = NULL;
}

static int64_t version_of(const struct prb_watch_log_event *event)
{
    int64_t version = 0;

    return prb_parse_int(event->resource_version, 0, INT64_MAX, &version) ? version : 0;
}

static bool is_gone(const struct prb_watch_log_event *event)
{
    return event->type == PRB_WATCH_DELETED;
}

static bool is_deleting(const struct prb_watch_log_event *event)
{
    return event->type == PRB_WATCH_DELETED || prb_object_is_deleting(event->object);
}

/* The first event about it that is so. */
static int64_t first(struct stage *stage, enum sort sort, const char *name,
        bool (*is_so)(const struct prb_watch_log_event *event))
{
    struct prb_watch_log *log = stage->logs[sort];
    size_t count = prb_watch_log_count(log);

    for (size_t i = 0; i < count; i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);

        if (prb_streq(prb_object_name(event->object), name) && is_so(event))
            return version_of(event);
    }
    return 0;
}

const struct prb_object *stage_newest(struct stage *stage, enum sort sort, const char *name)
{
    struct prb_watch_log *log = stage->logs[sort];

    for (size_t i = prb_watch_log_count(log); i > 0; i--) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i - 1);

        if (prb_streq(prb_object_name(event->object), name))
            return event->type == PRB_WATCH_DELETED ? NULL : event->object;
    }
    return NULL;
}

int64_t stage_gone_at(struct stage *stage, enum sort sort, const char *name)
{
    return first(stage, sort, name, is_gone);
}

int64_t stage_deleted_at(struct stage *stage, enum sort sort, const char *name)
{
    return first(stage, sort, name, is_deleting);
}
