/* Who sent a request, for as long as anyone asks about them? */

#include "probate/core/subject.h"

#include <stdatomic.h>
#include <stddef.h>

#include "probate/base/mem.h"

struct counted {
    struct prb_subject subject; /* first: the one is the other */
    atomic_uint refs;
};

struct prb_subject *prb_subject_new(
        char *user_taken, char *uid_taken, char **groups_taken, char *extra_taken)
{
    struct counted *counted = prb_calloc(1, sizeof(*counted));

    counted->subject.user = user_taken;
    counted->subject.uid = uid_taken;
    counted->subject.groups = groups_taken;
    counted->subject.extra = extra_taken;
    atomic_init(&counted->refs, 1);
    return &counted->subject;
}

struct prb_subject *prb_subject_ref(struct prb_subject *subject)
{
    struct counted *counted = (struct counted *)subject;

    (void)atomic_fetch_add_explicit(&counted->refs, 1, memory_order_relaxed);
    return subject;
}

void prb_subject_unref(struct prb_subject *subject)
{
    struct counted *counted = (struct counted *)subject;

    if (!subject || atomic_fetch_sub_explicit(&counted->refs, 1, memory_order_acq_rel) != 1)
        return;
    free(subject->user);
    free(subject->uid);
    for (size_t i = 0; subject->groups && subject->groups[i]; i++)
        free(subject->groups[i]);
    free(subject->groups);
    free(subject->extra);
    free(counted);
}
