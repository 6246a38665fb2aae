/* When was each object of a collection made, deleted and gone? */

#include "traces.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

static void free_trace(void *value)
{
    struct trace *trace = value;

    prb_object_unref(trace->newest);
    free(trace);
}

void traces_init(struct traces *traces, enum sort sort)
{
    *traces = (struct traces){ .sort = sort, .by_uid = prb_map_new(free_trace) };
}

void traces_done(struct traces *traces)
{
    prb_map_free(traces->by_uid);
    traces->by_uid = NULL;
}

static int64_t version_of(const char *text)
{
    int64_t version = 0;

    return text && prb_parse_int(text, 0, INT64_MAX, &version) ? version : 0;
}

static const char *reason_of(const struct prb_object *cluster)
{
    const struct json_object *conditions = prb_json_arr(prb_object_status(cluster), "conditions");

    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), "ContentDeleteSuccess"))
            return prb_json_str(condition, "reason");
    }
    return NULL;
}

/* The reason, if it is not the last one. */
static void tell_story(struct trace *trace, const struct prb_object *object)
{
    const char *reason = trace->sort == CLUSTER ? reason_of(object) : NULL;
    size_t len = strlen(trace->story);
    struct prb_str story;
    prb_autofree char *last = NULL;

    if (!reason)
        return;
    last = prb_asprintf("%s ", reason);
    if (len >= strlen(last) && prb_streq(trace->story + len - strlen(last), last))
        return;
    prb_str_init(&story, STORY_SIZE - 1);
    prb_str_addf(&story, "%s%s", trace->story, last);
    (void)prb_copy(trace->story, sizeof(trace->story), prb_str_get(&story));
    prb_str_done(&story);
}

static struct trace *trace_for(
        struct traces *traces, const struct prb_object *object, struct instant seen)
{
    const struct prb_gvr gvr = sort_gvr(traces->sort);
    struct trace *trace = prb_map_find(traces->by_uid, prb_object_uid(object));

    if (trace) {
        trace->changes++;
        return trace;
    }
    trace = prb_calloc(1, sizeof(*trace));
    trace->sort = traces->sort;
    trace->made = seen;
    trace->newest = prb_object_ref(object);
    (void)prb_object_ref_in(object, &gvr, &trace->ref);
    prb_map_set(traces->by_uid, prb_object_uid(object), trace);
    return trace;
}

static bool is_marked(const struct prb_object *object)
{
    return prb_object_annotation(object, "probate.dev/deleting-cluster-uid");
}

static void see(struct traces *traces, const struct prb_object *object, struct instant seen)
{
    struct trace *trace = trace_for(traces, object, seen);

    if (prb_object_is_deleting(object) && trace->begun.by == 0)
        trace->begun = seen;
    tell_story(trace, object);
    if (is_marked(object) && (trace->newest == object || !is_marked(trace->newest)))
        trace->marks++;
    prb_object_unref(trace->newest);
    trace->newest = prb_object_ref(object);
}

static void see_gone(struct trace *trace, struct instant when)
{
    if (trace->begun.by == 0)
        trace->begun = when;
    trace->gone = when;
}

void traces_tell(struct traces *traces, const struct prb_watch_event *event)
{
    int64_t version = version_of(event->resource_version);
    struct instant now = { .after = version - 1, .by = version };

    traces->version = version;
    if (event->type == PRB_WATCH_BOOKMARK)
        return;
    if (event->type != PRB_WATCH_DELETED)
        see(traces, event->object, now);
    else
        see_gone(trace_for(traces, event->object, now), now);
}

static bool has_uid(const struct prb_page *page, const char *uid)
{
    for (size_t i = 0; i < page->count; i++) {
        if (prb_streq(prb_object_uid(page->objects[i]), uid))
            return true;
    }
    return false;
}

void traces_renew(struct traces *traces, const struct prb_page *page)
{
    struct instant between = { .after = traces->version, .by = version_of(page->resource_version) };
    const char *uid;
    void *value;
    size_t at = 0;

    for (size_t i = 0; i < page->count; i++) {
        struct instant seen = { .after = traces->version,
            .by = version_of(prb_object_resource_version(page->objects[i])) };

        see(traces, page->objects[i], seen);
    }
    while (prb_map_next(traces->by_uid, &at, &uid, &value)) {
        struct trace *trace = value;

        if (trace->gone.by == 0 && !has_uid(page, uid))
            see_gone(trace, between);
    }
    traces->version = between.by;
}
