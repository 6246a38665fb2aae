#ifndef PROBATE_RULES_CRITICAL_SERVICE_GLASS_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_GLASS_INTERNAL_H

/*
 * The break-glass annotation, probate.dev/allow-delete: "until=<RFC 3339> <reason>". It counts
 * until that time, and that time is near: one that somebody planted, or that lies in Git, expires.
 */

#include <stdint.h>

#include "probate/base/str.h"
#include "probate/core/request.h"

/* The farthest ahead that an annotation may expire: enough for one incident. */
#define PRB_GLASS_MAX_MS ((int64_t)3600 * 1000)

/* What a denial offers. Half of the above: the clocks of two replicas, and of the person who
 * pastes the command, may differ by the other half. */
#define PRB_GLASS_OFFER_MS (PRB_GLASS_MAX_MS / 2)

enum prb_glass_state {
    PRB_GLASS_NONE,       /* there is no annotation */
    PRB_GLASS_UNDATED,    /* no "until=" in front, as 0.1.0 had it */
    PRB_GLASS_MISDATED,   /* what follows "until=" is no time */
    PRB_GLASS_EXPIRED,    /* its time is over */
    PRB_GLASS_DISTANT,    /* its time is too far ahead */
    PRB_GLASS_UNREASONED, /* it gives no reason; white space is none */
    PRB_GLASS_STORED,     /* of an UPDATE: it was there before */
    PRB_GLASS_COUNTS,
};

struct prb_glass {
    enum prb_glass_state state;
    int64_t until_ms; /* of EXPIRED, DISTANT, UNREASONED and COUNTS */
    char *reason;     /* owned; of COUNTS, otherwise NULL */
};
void prb_glass_done(struct prb_glass *glass);
static inline void prb_glass_donep(struct prb_glass *glass)
{
    prb_glass_done(glass);
}

/* Is break-glass of any use in this request? It is for deletions, and for loosening a
 * CriticalService. */
bool prb_glass_applies(const struct prb_request *request);

/* Read what it says at this instant: of a DELETE as the object is stored, of an UPDATE as this
 * request writes it. What others wrote before is nobody's word for a change. */
void prb_glass_read(const struct prb_request *request, int64_t now_ms, struct prb_glass *ret);

/* Why an annotation that is there does not count: "it expired at 2026-01-01T00:00:00Z". */
void prb_glass_flaw_text(const struct prb_glass *glass, struct prb_str *out);

/* The value to set, with a fresh date: "until=2026-01-01T00:30:00Z REASON". */
void prb_glass_value_text(int64_t now_ms, struct prb_str *out);

#endif
