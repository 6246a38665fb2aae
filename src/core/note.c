/* What is to be written down in the cluster of a verdict? */

#include "probate/core/note.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/question.h"
#include "probate/core/verdict.h"

#include "line.h"

/* The message of an Event may have 1024 bytes. */
#define TEXT_SIZE 1024

static void note_done(struct prb_note *note)
{
    free(note->guard_uid);
    free(note->guard_api_version);
    free(note->guard_kind);
    free(note->object_uid);
    free(note->object_api_version);
    free(note->object_kind);
    free(note->user);
    free(note->text);
}

void prb_notes_free(struct prb_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        note_done(&notes[i]);
    free(notes);
}

/* The API server says of a namespace that it is in itself. */
static void set_object(struct prb_note *note, const struct prb_request *request)
{
    const struct prb_object *object = request->old ? request->old : request->object;
    bool is_namespace =
            request->gvr.group[0] == '\0' && prb_streq(request->gvr.resource, "namespaces");
    char api_version[PRB_API_VERSION_SIZE];

    note->object.gvr = request->gvr;
    (void)prb_copy(note->object.namespace, sizeof(note->object.namespace),
            is_namespace ? "" : request->namespace);
    (void)prb_copy(note->object.name, sizeof(note->object.name), request->name);
    prb_api_version_format(request->gvr.group, request->gvr.version, api_version);
    note->object_uid = prb_strdup(object ? prb_object_uid(object) : "");
    note->object_api_version = prb_strdup(api_version);
    note->object_kind = prb_strdup(request->kind);
}

/* Each guard was asked about by itself whether somebody may go past it. */
static size_t count_max(enum prb_note_type type)
{
    return type == PRB_NOTE_OVERRIDDEN ? PRB_QUESTIONS_MAX : PRB_NOTES_MAX;
}

void prb_verdict_note(struct prb_verdict *verdict, enum prb_note_type type,
        const struct prb_request *request, const struct prb_guard *guard, const char *fmt, ...)
{
    struct prb_note note = { .type = type, .guard = *guard->ref };
    va_list args;

    if (verdict->note_count >= count_max(type))
        return;
    note.guard_uid = prb_strdup(guard->uid);
    note.guard_api_version = prb_strdup(guard->api_version);
    note.guard_kind = prb_strdup(guard->kind);
    note.guard_unwritable = guard->unwritable;
    set_object(&note, request);
    note.user = prb_strdup(request->subject->user);
    note.operation = prb_operation_name(request->operation);
    va_start(args, fmt);
    note.text = prb_line_vformat(TEXT_SIZE, fmt, args);
    va_end(args);
    verdict->notes = prb_realloc(verdict->notes, verdict->note_count + 1, sizeof(*verdict->notes));
    verdict->notes[verdict->note_count++] = note;
}
