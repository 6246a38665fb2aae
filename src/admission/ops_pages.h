#ifndef PROBATE_SRC_ADMISSION_OPS_PAGES_H
#define PROBATE_SRC_ADMISSION_OPS_PAGES_H

/* What the ops port answers: a request without its transport in, status and text out. */

#include <stdbool.h>

#include "probate/admission/ops.h"
#include "probate/base/str.h"

struct prb_ops_request {
    const char *method;
    const char *path;
    bool has_body;
    bool verbose;       /* ?verbose */
    const char *output; /* ?output=...; NULL: not given */
};

struct prb_ops_reply {
    unsigned status;
    const char *content_type; /* static */
    const char *allow;        /* static; header Allow of a 405, else NULL */
    struct prb_str body;
};

/* Fills `reply`; the caller ends its body with prb_str_done. */
void prb_ops_answer(const struct prb_ops_source *source, const struct prb_ops_request *request,
        struct prb_ops_reply *reply);

/* The body of /waiting. False when `output` is no form it has. */
bool prb_ops_waiting(
        const struct prb_ops_source *source, const char *output, struct prb_ops_reply *reply);

/* A body may be this long: the metrics take some 100 KB, 20,000 deletions that wait about 6 MB. */
#define PRB_OPS_BODY_MAX ((size_t)8 * 1024 * 1024)

#endif
