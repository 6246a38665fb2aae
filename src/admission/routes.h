#ifndef PROBATE_SRC_ADMISSION_ROUTES_H
#define PROBATE_SRC_ADMISSION_ROUTES_H

/* What the head of a request to the admission port says, and whether that is served. Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRB_ROUTE_VALIDATE "/validate"

/* Values are borrowed; NULL: not there. */
struct prb_head {
    const char *method;
    const char *path;
    const char *timeout; /* ?timeout=... */
    const char *content_type;
    const char *content_encoding;
    const char *content_length;
    const char *transfer_encoding;
    unsigned lengths;   /* how many Content-Length headers there are */
    unsigned encodings; /* how many Transfer-Encoding headers */
    bool expects;       /* Expect: the client waits before it sends the body */
};

/* An answer that is no review. */
struct prb_refusal {
    int status;          /* 0: not refused */
    const char *reason;  /* static: metav1.Status reason */
    const char *message; /* borrowed or static */
    const char *allow;   /* static: header Allow, or NULL */
    int retry_after_s;   /* header Retry-After; 0: none */
    bool at_once;        /* the body is not worth reading, or cannot be told apart */
    bool closes;         /* the connection ends with it */
};

/*
 * Is this a request for a review? Otherwise *ret says what to answer. Reviews are served at
 * /validate, at /validate/RULE for one rule alone, and at /validate/RULE/ROUTE for a registration
 * of it that has a route.
 */
bool prb_route_accepts(const struct prb_head *head, struct prb_refusal *ret);

/* The rule that the path of an accepted request names, static; NULL: all. */
const char *prb_route_rule(const struct prb_head *head);

/* The route of the registration that the path names after the rule, static; NULL: none. */
const char *prb_route_registration(const struct prb_head *head);

/* When the review has to be answered, counted from its arrival. */
int64_t prb_head_time_ms(const struct prb_head *head);

#endif
