/* How does a note get into the status of its guard, and into Events? */

#include <stdlib.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "notes_internal.h"
#include "text.h"

/* Of a user's name: service accounts have at most 22 + 63 + 1 + 253 bytes. */
#define USER_MAX 384

/* As long as the message of an Event may be. */
#define TEXT_MAX 1024

struct prb_noted_denial *prb_noted_denial_new(const struct prb_note *note, int64_t at_ms)
{
    struct prb_noted_denial *denial = prb_calloc(1, sizeof(*denial));

    *denial = (struct prb_noted_denial){ .guard = note->guard,
        .guard_uid = prb_strdup(note->guard_uid),
        .object = note->object,
        .user = prb_text_line(note->user, USER_MAX),
        .operation = note->operation,
        .at_ms = at_ms };
    return denial;
}

void prb_noted_denial_free(struct prb_noted_denial *denial)
{
    if (!denial)
        return;
    free(denial->guard_uid);
    free(denial->user);
    free(denial);
}

/* What is empty is left out: an API server of 1.20 may take it for null, and refuse that. */
static void set_text(struct json_object *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        prb_json_set_str(object, key, text);
}

/* "deployments.apps ns/web" */
static char *describe(const struct prb_ref *ref)
{
    return prb_asprintf("%s%s%s %s%s%s", ref->gvr.resource, ref->gvr.group[0] ? "." : "",
            ref->gvr.group, ref->namespace, ref->namespace[0] ? "/" : "", ref->name);
}

/* Only this one member: the rest of the status is the reconciler's. */
static struct json_object *patch_of(const struct prb_noted_denial *denial)
{
    struct json_object *patch = json_object_new_object();
    struct json_object *last =
            prb_json_ensure_obj(prb_json_ensure_obj(patch, "status"), "lastDenied");
    prb_autofree char *object = describe(&denial->object);
    char time[PRB_TIME_SIZE];

    prb_time_format(denial->at_ms, time);
    prb_json_set_str(last, "time", time);
    set_text(last, "user", denial->user);
    set_text(last, "operation", denial->operation);
    prb_json_set_str(last, "object", object);
    return patch;
}

/*
 * The API server does not look at a uid in a patch of the status, and a JSON patch could test it
 * but not add to a status that is not there. So it is read first, and its version held on to.
 */
static int find_guard(struct prb_api *api, const struct prb_noted_denial *denial,
        struct prb_object **ret, struct prb_error *err)
{
    const struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = PRB_NOTES_CALL_MS };
    prb_auto(prb_object_unref) struct prb_object *guard = NULL;
    int r = prb_api_get(api, &denial->guard, &options, &guard, err);

    if (r < 0)
        return r;
    if (!prb_streq(prb_object_uid(guard), denial->guard_uid))
        return prb_fail(err, PRB_E_NOTFOUND, "another one has its name by now");
    *ret = prb_take(guard);
    return 0;
}

int prb_noted_denial_write(
        struct prb_api *api, const struct prb_noted_denial *denial, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *guard = NULL;
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_write_options options = { .subresource = "status", .timeout_ms = PRB_NOTES_CALL_MS };

    if (denial->guard_uid[0] != '\0') {
        int r = find_guard(api, denial, &guard, err);

        if (r < 0)
            return r;
        options.resource_version = prb_object_resource_version(guard);
    }
    patch = patch_of(denial);
    return prb_api_patch(api, &denial->guard, PRB_PATCH_MERGE, patch, &options, NULL, err);
}

/* Of a denial, what was refused to whom: the reason alone is the note. */
static char *event_text(const struct prb_note *note)
{
    prb_autofree char *user = prb_text_line(note->user, USER_MAX);
    prb_autofree char *object = describe(&note->object), *text = NULL;

    if (note->type == PRB_NOTE_OVERRIDDEN)
        return prb_text_line(note->text, TEXT_MAX);
    text = prb_asprintf(
            "%s of %s by %s was refused: %s", note->operation, object, user, note->text);
    return prb_text_line(text, TEXT_MAX);
}

/* Of an UPDATE of the guard itself: it was to be loosened. Taking a label off counts as deleting.
 */
static const char *reason_of(const struct prb_note *note)
{
    bool overridden = note->type == PRB_NOTE_OVERRIDDEN;

    if (prb_ref_equal(&note->guard, &note->object) && !prb_streq(note->operation, "DELETE"))
        return overridden ? "LooseningOverridden" : "LooseningBlocked";
    return overridden ? "DeletionOverridden" : "DeletionBlocked";
}

void prb_note_tell(struct prb_recorder *recorder, const struct prb_note *note)
{
    prb_autofree char *text = event_text(note);
    struct prb_event event = { .api_version = note->guard_api_version,
        .kind = note->guard_kind,
        .namespace = note->guard.namespace,
        .name = note->guard.name,
        .uid = note->guard_uid,
        .warning = true,
        .reason = reason_of(note),
        .note = text };

    prb_recorder_event(recorder, &event);
    if (prb_ref_equal(&note->guard, &note->object))
        return; /* it was to be deleted or loosened itself */
    event.api_version = note->object_api_version;
    event.kind = note->object_kind;
    event.namespace = note->object.namespace;
    event.name = note->object.name;
    event.uid = note->object_uid;
    prb_recorder_event(recorder, &event);
}
