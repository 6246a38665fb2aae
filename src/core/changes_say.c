/* What does a reconciler tell a person: Events, and what a key waits for? */

#include <stdarg.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"

#include "changes_internal.h"

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
    struct prb_change *change = prb_changes_append(changes, PRB_CHANGE_EVENT, ref, reason);
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

void prb_changes_set_reason(struct prb_changes *changes, char *reason_taken)
{
    struct prb_change *last = changes->count > 0 ? &changes->items[changes->count - 1] : NULL;

    if (!last || last->type != PRB_CHANGE_EVENT)
        prb_defect("a reason for what is no Event");
    free(last->own_reason);
    last->own_reason = reason_taken;
    last->reason = reason_taken;
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
