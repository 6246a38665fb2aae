/* What is to be written down in the cluster, until somebody has? */

#include "probate/core/note.h"

#include <stdlib.h>

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
