/* What does a reconciler want done, in which order, and under which preconditions? */

#include "probate/core/changes.h"

#include <stdarg.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"
#include "probate/model/patch.h"

void prb_changes_init(struct prb_changes *changes)
{
    *changes = (struct prb_changes){ .count = 0 };
}

static void change_done(struct prb_change *change)
{
    prb_json_free(change->body);
    free(change->uid);
    free(change->resource_version);
    free(change->note);
    free(change->api_version);
    free(change->kind);
}

void prb_changes_done(struct prb_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        change_done(&changes->items[i]);
    free(changes->items);
    free(changes->waits_for);
    prb_changes_init(changes);
}

/* A new last change, to be filled in; borrowed until the next one. */
static struct prb_change *append(struct prb_changes *changes, enum prb_change_type type,
        const struct prb_ref *ref, const char *why)
{
    struct prb_change *change;

    if (changes->count == changes->cap) {
        changes->cap = changes->cap ? changes->cap * 2 : 4;
        changes->items = prb_realloc(changes->items, changes->cap, sizeof(*changes->items));
    }
    change = &changes->items[changes->count++];
    *change = (struct prb_change){ .type = type, .ref = *ref, .why = why };
    return change;
}

void prb_changes_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why)
{
    append(changes, PRB_CHANGE_CREATE, ref, why)->body = body_taken;
}

void prb_changes_merge_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *resource_version,
        const char *why)
{
    struct prb_change *change = append(changes, PRB_CHANGE_MERGE_PATCH, ref, why);

    change->body = patch_taken;
    change->subresource = subresource;
    change->resource_version = prb_strdup(resource_version);
}

void prb_changes_json_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *why)
{
    struct prb_change *change = append(changes, PRB_CHANGE_JSON_PATCH, ref, why);

    change->body = patch_taken;
    change->subresource = subresource;
}

void prb_changes_apply(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *subresource, const char *why)
{
    struct prb_change *change = append(changes, PRB_CHANGE_APPLY, ref, why);

    change->body = body_taken;
    change->subresource = subresource;
}

void prb_changes_delete(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why)
{
    struct prb_change *change;

    if (!object || prb_object_uid(object)[0] == '\0')
        prb_defect("a delete without the uid of what was seen");
    change = append(changes, PRB_CHANGE_DELETE, ref, why);
    change->uid = prb_strdup(prb_object_uid(object));
    change->propagation = propagation;
    change->absent_is_done = true;
}

void prb_changes_delete_unchanged(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why)
{
    prb_changes_delete(changes, ref, object, propagation, why);
    changes->items[changes->count - 1].resource_version =
            prb_strdup(prb_object_resource_version(object));
}

void prb_changes_expect_absent(
        struct prb_changes *changes, const struct prb_ref *ref, const char *why)
{
    (void)append(changes, PRB_CHANGE_EXPECT_ABSENT, ref, why);
}

void prb_changes_expect_none(struct prb_changes *changes, const struct prb_gvr *gvr,
        const char *namespace, const char *why)
{
    struct prb_ref ref = { .gvr = *gvr };

    /* Cut off it would be "everywhere". */
    if (namespace[0] == '\0' || !prb_copy(ref.namespace, sizeof(ref.namespace), namespace))
        prb_defect("no namespace can have that name");
    (void)append(changes, PRB_CHANGE_EXPECT_NONE, &ref, why);
}

void prb_changes_add_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why)
{
    struct json_object *patch = prb_patch_add_finalizer(object, finalizer);

    if (patch)
        prb_changes_json_patch(changes, ref, patch, NULL, why);
}

void prb_changes_remove_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why)
{
    struct json_object *patch = prb_patch_remove_finalizer(object, finalizer);

    if (!patch)
        return;
    prb_changes_json_patch(changes, ref, patch, NULL, why);

    /* What is gone carries no finalizer. */
    changes->items[changes->count - 1].absent_is_done = true;
}

__attribute__((format(printf, 1, 0))) static char *format(const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX - strlen("..."));
    prb_str_vaddf(&text, fmt, args);
    return text.cut ? prb_asprintf("%s...", prb_str_get(&text)) : prb_str_take(&text);
}

void prb_changes_event(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *regarding, bool warning, const char *reason, const char *fmt, ...)
{
    struct prb_change *change = append(changes, PRB_CHANGE_EVENT, ref, reason);
    char api_version[PRB_API_VERSION_SIZE];
    va_list args;

    /* What was fetched as metadata only calls itself something else than it is. */
    prb_api_version_format(ref->gvr.group, ref->gvr.version, api_version);
    change->api_version = prb_strdup(api_version);
    if (!prb_streq(prb_object_kind(regarding), "PartialObjectMetadata"))
        change->kind = prb_strdup(prb_object_kind(regarding));
    else
        change->kind = prb_strdup("");
    change->uid = prb_strdup(prb_object_uid(regarding));
    change->warning = warning;
    change->reason = reason;
    va_start(args, fmt);
    change->note = format(fmt, args);
    va_end(args);
}

void prb_changes_move(struct prb_changes *to, struct prb_changes *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct prb_change *moved = append(to, from->items[i].type, &from->items[i].ref, NULL);

        *moved = from->items[i];
    }
    if (from->again_after_ms > 0)
        prb_changes_again(to, from->again_after_ms);
    from->count = 0;
    prb_changes_done(from);
}

void prb_changes_again(struct prb_changes *changes, int64_t ms)
{
    /* "At once" is not "never". */
    if (ms < 1)
        ms = 1;
    if (changes->again_after_ms == 0 || ms < changes->again_after_ms)
        changes->again_after_ms = ms;
}

void prb_changes_wait(struct prb_changes *changes, const char *fmt, ...)
{
    char *text;
    va_list args;

    va_start(args, fmt);
    text = format(fmt, args);
    va_end(args);
    free(changes->waits_for);
    changes->waits_for = text;
}
