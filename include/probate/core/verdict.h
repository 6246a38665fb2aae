#ifndef PROBATE_CORE_VERDICT_H
#define PROBATE_CORE_VERDICT_H

/*
 * What was concluded about a request. Denial is a result, not an error. Texts are for the person
 * who has to act: what is refused, why, and what to do.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/core/note.h"
#include "probate/core/request.h"

enum prb_denial {
    PRB_DENY_NOT,         /* allowed */
    PRB_DENY_FORBIDDEN,   /* 403: lifecycle or protection, or a right that Probate lacks */
    PRB_DENY_INVALID,     /* 422: a setting; with causes */
    PRB_DENY_UNAVAILABLE, /* 503: could not verify in time; try again */
};

struct prb_cause {
    char *field; /* owned: "spec.deleteOption.propagationPolicy" */
    char *message;
};

/* One request names few fields; beyond this only the first are told. */
#define PRB_CAUSES_MAX 16

/* More than this nobody reads. */
#define PRB_WARNINGS_MAX 10

/* Room for a denial of a rule in warn mode, up to its last sentence: what to do. */
#define PRB_WARNING_SIZE 1024

/* The API server keeps 4096 runes of warnings over all webhooks and past that cuts each to 256:
 * three quarters are ours, and what does not fit is left out whole. */
#define PRB_WARNINGS_TOTAL 3072

/* The reason that somebody gave for going past a rule, as it is logged and audited: an annotation
 * may have 256 KiB. */
#define PRB_OVERRIDE_SIZE 1024

struct prb_verdict {
    enum prb_denial denial;
    const char *rule;  /* static: who decided; NULL when no rule had anything to say */
    char *message;     /* owned; one line; NULL when allowed */
    int retry_after_s; /* UNAVAILABLE */
    struct prb_cause causes[PRB_CAUSES_MAX];
    size_t cause_count;
    char *warnings[PRB_WARNINGS_MAX]; /* owned; no control characters, valid UTF-8 */
    size_t warning_count;
    char *audited; /* owned: denial that a rule in audit or warn mode would have given; NULL */
    const char *audited_rule; /* static: whose */

    /* Owned: why somebody with the right to went past a rule; NULL: nobody. The judge makes one
     * line of it. */
    char *override_reason;
    const char *override_rule; /* static: past which */
    struct prb_note *notes;    /* owned; what is to be written down in the cluster */
    size_t note_count;
};

/* A namespace holds a few providers; past this no more denials are written down. Of who went past
 * a protection every trace is kept: there are no more than there were answers, PRB_QUESTIONS_MAX.
 */
#define PRB_NOTES_MAX 16

/*
 * Write down on a guard (a CriticalService) that a request was denied or let through. Dropped by
 * the judge for a dry run, for a rule that only warns or audits, and when it did not come to that:
 * another rule decided.
 */
__attribute__((format(printf, 5, 6))) void prb_verdict_note(struct prb_verdict *verdict,
        enum prb_note_type type, const struct prb_request *request, const struct prb_guard *guard,
        const char *fmt, ...);

void prb_verdict_init(struct prb_verdict *verdict);
void prb_verdict_done(struct prb_verdict *verdict);
static inline void prb_verdict_donep(struct prb_verdict *verdict)
{
    prb_verdict_done(verdict);
}

static inline bool prb_verdict_allows(const struct prb_verdict *verdict)
{
    return verdict->denial == PRB_DENY_NOT;
}

/* All texts below become one line of valid UTF-8 without control characters; too long, they are
 * cut and end in "...". */

/* Refuse. The first denial of a verdict stands; later ones are ignored. */
__attribute__((format(printf, 2, 3))) void prb_forbid(
        struct prb_verdict *verdict, const char *fmt, ...);

/* Refuse a setting: adds a cause; the message lists all causes. May be called several times. */
__attribute__((format(printf, 3, 4))) void prb_invalid(
        struct prb_verdict *verdict, const char *field, const char *fmt, ...);

/* Could not verify: try again after `seconds`. */
__attribute__((format(printf, 3, 4))) void prb_unverified(
        struct prb_verdict *verdict, int seconds, const char *fmt, ...);

/* Say something without refusing; the same only once. */
__attribute__((format(printf, 2, 3))) void prb_caution(
        struct prb_verdict *verdict, const char *fmt, ...);

#endif
