/* Which Event says this already, and if none does, how is it written? */

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

#include "recorder_internal.h"
#include "text.h"

/* Events remembered to be repeated. Past this an old one is written anew instead of counted up. */
#define WRITTEN_MAX 1024

/* The API server drops Events after an hour (--event-ttl): what is older cannot be counted up. */
#define WRITTEN_TTL_MS ((int64_t)60 * 60 * 1000)

/* Cluster-scoped objects have their Events here, as everywhere in Kubernetes. */
#define DEFAULT_NAMESPACE "default"

/* An Event that is there. */
struct written {
    struct prb_ref event;
    int64_t count;
    int64_t first_ms; /* wall */
    int64_t last_ms;
};

struct prb_lru *prb_recorder_written_new(void)
{
    return prb_lru_new(WRITTEN_MAX, free);
}

static void name_event(struct prb_event_note *note)
{
    int base = (int)prb_text_cut(note->name, PRB_NAME_SIZE - PRB_RECORDER_SUFFIX_SIZE);
    char name[PRB_NAME_SIZE];
    struct prb_gvr gvr;

    (void)prb_gvr_init(&gvr, note->on_hub ? PRB_HUB_GROUP : "", "v1", "events");
    (void)snprintf(name, sizeof(name), "%.*s.%016llx", base, note->name,
            (unsigned long long)prb_random_u64());
    note->named = prb_ref_init(&note->event, &gvr,
            note->namespace[0] != '\0' ? note->namespace : DEFAULT_NAMESPACE, name);
}

static struct json_object *regarded(const struct prb_event_note *note)
{
    struct json_object *object = json_object_new_object();

    prb_json_set_str(object, "apiVersion", note->api_version);
    prb_json_set_str(object, "kind", note->kind);
    if (note->namespace[0] != '\0')
        prb_json_set_str(object, "namespace", note->namespace);
    prb_json_set_str(object, "name", note->name);
    if (note->uid[0] != '\0')
        prb_json_set_str(object, "uid", note->uid);
    return object;
}

static void set_time(struct json_object *object, const char *key, int64_t wall_ms)
{
    char text[PRB_TIME_SIZE];

    prb_time_format(wall_ms, text);
    prb_json_set_str(object, key, text);
}

static struct json_object *event_body(
        const struct prb_recorder *recorder, const struct prb_event_note *note)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "Event");
    prb_json_set_str(metadata, "namespace", note->event.namespace);
    prb_json_set_str(metadata, "name", note->event.name);
    prb_json_set(body, "involvedObject", regarded(note));
    prb_json_set_str(body, "type", note->warning ? "Warning" : "Normal");
    prb_json_set_str(body, "reason", note->reason);
    prb_json_set_str(body, "message", note->text);
    prb_json_set_str(prb_json_ensure_obj(body, "source"), "component", recorder->component);
    prb_json_set_str(body, "reportingComponent", recorder->component);
    prb_json_set_int(body, "count", 1);
    set_time(body, "firstTimestamp", note->at_ms);
    set_time(body, "lastTimestamp", note->at_ms);
    return body;
}

static int create_event(
        struct prb_recorder *recorder, struct prb_event_note *note, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_write_options options = { .timeout_ms = PRB_RECORDER_CALL_MS };
    struct written *written;
    int r;

    if (!note->named)
        name_event(note);
    if (!note->named)
        return prb_fail(err, PRB_E_INVALID, "no Event can be named after \"%s\"", note->name);
    body = event_body(recorder, note);
    r = prb_api_create(recorder->api, &note->event, body, &options, NULL, err);

    /* The name is random: it is there because an earlier try was stored and its answer lost. */
    if (r != 0 && r != PRB_E_EXISTS)
        return r;

    written = prb_calloc(1, sizeof(*written));
    *written = (struct written){
        .event = note->event, .count = 1, .first_ms = note->at_ms, .last_ms = note->at_ms
    };
    prb_lru_set(recorder->written, note->same_as, written);
    prb_recorder_count("created");
    return 0;
}

/* The count is written, not raised: a try that is repeated does no harm. */
static int repeat_event(struct prb_recorder *recorder, struct written *written,
        const struct prb_event_note *note, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_write_options options = { .timeout_ms = PRB_RECORDER_CALL_MS };
    int r;

    prb_json_set_int(patch, "count", written->count + 1);
    prb_json_set_str(patch, "message", note->text);
    set_time(patch, "lastTimestamp", note->at_ms);
    r = prb_api_patch(recorder->api, &written->event, PRB_PATCH_MERGE, patch, &options, NULL, err);
    if (r != 0)
        return r;
    written->count++;
    written->last_ms = note->at_ms;
    prb_recorder_count("repeated");
    return 0;
}

int prb_recorder_write(
        struct prb_recorder *recorder, struct prb_event_note *note, struct prb_error *err)
{
    struct written *written = prb_lru_find(recorder->written, note->same_as);

    if (written && note->at_ms - written->last_ms < WRITTEN_TTL_MS) {
        int r = repeat_event(recorder, written, note, err);

        if (r != PRB_E_NOTFOUND)
            return r;
    }
    return create_event(recorder, note, err);
}
