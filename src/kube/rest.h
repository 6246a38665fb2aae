#ifndef PROBATE_KUBE_REST_H
#define PROBATE_KUBE_REST_H

/*
 * One request and its answer. Thread-safe.
 *
 * What is repeated, all within the call's deadline: a request of which certainly nothing was sent,
 * a few times; one that the server put off (429 or 503 with Retry-After) after that time; one that
 * was refused for its token (401), once, if there is a newer one. A write whose answer got lost is
 * never repeated: whether it happened is for the caller to find out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/error.h"
#include "probate/base/str.h"

#include "channel.h"
#include "decode.h"
#include "endpoint.h"

struct prb_kube_rest {
    struct prb_kube_endpoint *endpoint; /* borrowed */
    struct prb_kube_channels *channels; /* borrowed */
};

/* Bytes of an answer that is kept as it is: what discovery says of a group, a refusal, a review of
 * access. A group of a thousand resources has some 500 KB. */
#define PRB_KUBE_BODY_MAX ((size_t)8 * 1024 * 1024)

struct prb_kube_request {
    const char *method;               /* static */
    const char *path;                 /* borrowed, as all texts here; with its query */
    const char *accept;               /* NULL: application/json */
    const char *content_type;         /* with a body only */
    const char *body;                 /* NULL: none */
    struct prb_kube_decoder *decoder; /* reads the body of a 2xx as it comes; NULL: it is kept */
    bool repeatable;                  /* a question: it does no harm to ask it twice */
    bool compressed;                  /* the answer may come as gzip: worth it for lists */
    int timeout_ms;                   /* 0: PRB_API_TIMEOUT_MS */
};

struct prb_kube_answer {
    int status;                  /* HTTP */
    int retry_after_ms;          /* 0: the server did not say */
    unsigned generation;         /* of the token that was sent */
    bool sent;                   /* the request may have reached the server */
    bool hopeless;               /* failed for a reason that repeating cannot mend */
    bool too_large;              /* more than is kept, or than the decoder builds */
    struct prb_error unreadable; /* of the decoder; code PRB_OK: none */
    struct prb_str body;         /* but that of a 2xx if there is a decoder */
};

void prb_kube_answer_init(struct prb_kube_answer *answer);
void prb_kube_answer_done(struct prb_kube_answer *answer);
static inline void prb_kube_answer_donep(struct prb_kube_answer *answer)
{
    prb_kube_answer_done(answer);
}

/*
 * Ask, and ask again where that is sound. 0 for a 2xx; else the typed error of what the server
 * said, or IO. `answer` must be initialised; it is filled on failure too, as far as it came.
 */
int prb_kube_ask(const struct prb_kube_rest *rest, const struct prb_kube_request *request,
        struct prb_kube_answer *answer, struct prb_error *err);

/* One attempt (rest.c). 0 for an answer of any status. */
int prb_kube_try(const struct prb_kube_rest *rest, const struct prb_kube_request *request,
        int64_t deadline_ms, struct prb_kube_answer *answer, struct prb_error *err);

#endif
