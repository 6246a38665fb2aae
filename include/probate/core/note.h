#ifndef PROBATE_CORE_NOTE_H
#define PROBATE_CORE_NOTE_H

/*
 * What a verdict leaves behind in the cluster: a line in the status of the guard that decided, and
 * Events. Pure data; control/notes writes it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/ref.h"

enum prb_note_type {
    PRB_NOTE_DENIED,     /* a deletion, or loosening the guard, was refused */
    PRB_NOTE_OVERRIDDEN, /* it was let through although it should have been refused */
};

/* Who guards: a CriticalService. Borrowed texts. */
struct prb_guard {
    const struct prb_ref *ref;
    const char *uid;         /* "" when not known */
    const char *api_version; /* "probate.dev/v1alpha1" */
    const char *kind;
    bool unwritable; /* any write would lose what is not shown of it: Events only */
};

/* All texts are owned and never NULL. */
struct prb_note {
    enum prb_note_type type;
    struct prb_ref guard;
    char *guard_uid, *guard_api_version, *guard_kind;
    bool guard_unwritable;
    struct prb_ref
            object; /* what was to be deleted; the guard itself when that was to be loosened */
    char *object_uid, *object_api_version, *object_kind;
    char *user;
    const char *operation; /* static: "DELETE", "UPDATE" */
    char *text;            /* one line for a person */
};

void prb_notes_free(struct prb_note *notes, size_t count); /* the array too */

#endif
