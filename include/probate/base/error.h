#ifndef PROBATE_BASE_ERROR_H
#define PROBATE_BASE_ERROR_H

/*
 * Failures, as values.
 *
 * A function that can fail takes a `struct prb_error *err` last and returns a negative
 * enum prb_errc on failure, 0 otherwise. On success *err is untouched. The struct owns
 * nothing: it lives on the caller's stack and is never freed.
 */

#include <stdbool.h>

enum prb_errc {
    PRB_OK = 0,
    PRB_E_INVALID = -1,      /* input does not parse or validate; 400, 422 */
    PRB_E_NOTFOUND = -2,     /* 404: positively absent */
    PRB_E_EXISTS = -3,       /* 409 AlreadyExists */
    PRB_E_CONFLICT = -4,     /* 409: a precondition or resourceVersion no longer holds */
    PRB_E_GONE = -5,         /* 410: the version asked for is too old, relist */
    PRB_E_UNAUTHORIZED = -6, /* 401: the server does not know who we are */
    PRB_E_FORBIDDEN = -7,    /* 403: no right, or refused by admission (see `reason`, `msg`) */
    PRB_E_UNSUPPORTED = -8,  /* 405, 415, or a feature we do not have: repeating cannot help */
    PRB_E_THROTTLED = -9,    /* 429: retry after `retry_after_ms` */
    PRB_E_UNAVAILABLE = -10, /* 5xx or a question that has no answer now: retry */
    PRB_E_IO = -11,        /* transport: refused, cut, timed out; whether it happened is unknown */
    PRB_E_CANCELLED = -12, /* we are shutting down */
    PRB_E_INTERNAL = -13,  /* a defect of ours */
};

/* A message has to carry a server's denial text with five names of 253 bytes in it. */
#define PRB_ERROR_MSG_MAX 2048

/* Longest Status.reason of the API machinery is 21 bytes. */
#define PRB_ERROR_REASON_MAX 48

/* Reasons beside those of the API machinery. Of a NOTFOUND: the kind is meant, not an object. */
#define PRB_REASON_NOT_SERVED "NotServed"

/* Of an UNAVAILABLE: the kind is not served, but defined: objects of it may be stored. */
#define PRB_REASON_DEFINED "DefinedNotServed"

/* Of a FORBIDDEN: the right to find out whether a kind is defined lacks. The message names it. */
#define PRB_REASON_DEFINITIONS_FORBIDDEN "DefinitionsForbidden"

struct prb_error {
    enum prb_errc code;
    int status;                        /* HTTP status; 0 when no server answered */
    int retry_after_ms;                /* as the server asked; 0 when it did not */
    char reason[PRB_ERROR_REASON_MAX]; /* Status.reason of the server; "" when there is none */
    char msg[PRB_ERROR_MSG_MAX];       /* one line for a person; cut with "..." when too long */
};

/* Fill *err (status, retry and reason cleared) and return `code`: a failure is one statement. */
__attribute__((format(printf, 3, 4))) int prb_fail(
        struct prb_error *err, enum prb_errc code, const char *fmt, ...);

/* Prefix err->msg with what the caller was doing ("doing: msg"); returns err->code. */
__attribute__((format(printf, 2, 3))) int prb_wrap(struct prb_error *err, const char *fmt, ...);

/* Stable lower-case name of a code for logs and metrics ("conflict"); static. */
const char *prb_errc_name(enum prb_errc code);

/* May the same call succeed later without anyone changing anything? */
bool prb_errc_is_transient(enum prb_errc code);

#endif
