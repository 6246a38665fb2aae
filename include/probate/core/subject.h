#ifndef PROBATE_CORE_SUBJECT_H
#define PROBATE_CORE_SUBJECT_H

/*
 * Who sent a request: everything about the user that an authorizer may look at. Immutable, with an
 * atomic reference count: a question about access may outlive the review it was asked for.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"

/*
 * Bytes of `extra` that are kept. It comes from tokens, and these fit the headers of a request: the
 * largest known have some ten KiB. As many reviews as may wait have 64 MiB of it at the most.
 */
#define PRB_SUBJECT_EXTRA_MAX ((size_t)64 * 1024)

struct prb_subject {
    char *user;    /* owned, as all here; never NULL */
    char *uid;     /* "" when the server did not say */
    char **groups; /* NULL-terminated */
    char *extra;   /* JSON text of userInfo.extra; NULL: none. Scopes of a token are in there */

    /* There was more of it than is kept, and so `extra` is NULL. An authorizer may grant less
     * because of it: without it, it must not be asked. Set by who makes the subject. */
    bool extra_cut;
};

/* Takes the texts and the list. */
struct prb_subject *prb_subject_new(
        char *user_taken, char *uid_taken, char **groups_taken, char *extra_taken);
struct prb_subject *prb_subject_ref(struct prb_subject *subject);
void prb_subject_unref(struct prb_subject *subject); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_subject *, prb_subject_unref)

#endif
