#ifndef PROBATE_CORE_RULE_H
#define PROBATE_CORE_RULE_H

/*
 * One admission rule, as a table entry: what it matches, what it reads, which rights it needs, and
 * two pure functions. Registration, RBAC, --help and the reference page come from this table.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/core/question.h"
#include "probate/core/reconciler.h"
#include "probate/core/request.h"
#include "probate/core/verdict.h"
#include "probate/model/view.h"

/* One entry of the webhook configuration: how the API server calls for some matches of a rule. */
struct prb_registration {
    const char *name; /* static; NULL: the rule's name. It is in what the user is told */

    /* Only objects with (or without) this label; NULL: all. On UPDATE one of old and new will do.
     */
    const char *label;

    /* Only what is in a Namespace with (or without) this label; NULL: in any. */
    const char *namespace_label;
    bool without_label; /* of both */

    /*
     * A CEL expression: only requests for which it is true; NULL: all. It is registered to fail
     * open. The keeper lets it fail closed once the API server is seen to have stored the
     * expression: an older one drops it, and would then refuse everything while Probate is down.
     */
    const char *condition;

    const char *route;  /* the last part of its path, so that the rule knows it; NULL: none */
    bool own_namespace; /* also what is in Probate's own namespace, or kube-system */
    bool fail_open;     /* requests pass while Probate is down; otherwise they are refused */
    int timeout_s;      /* 0: the usual 5 */
};

struct prb_rule_match {
    const char *group;       /* static, as all here; NULL when `resource` is */
    const char *resource;    /* plural; NULL: known only at run time, ask `covers` */
    const char *subresource; /* NULL: the object itself */
    unsigned operations;     /* of enum prb_operation */
    bool namespaced;
    size_t registration;      /* index into the rule's table of them; 0 too when that has none */
    const char *const *reads; /* of `reads` of the rule: those for this match; NULL: all */
};

/* What the command line and discovery decided and rules need; immutable while a review runs. */
struct prb_rule_settings {
    const struct prb_gvr *claims; /* claim kinds named with --claim-resource; borrowed */
    size_t claim_count;

    /* No rule has a say in these: the registration leaves them out by a label that Kubernetes sets
     * from 1.21 on, and on an older one the server does. Borrowed. */
    const char *const *exempt_namespaces;
    size_t exempt_count;
};

struct prb_rule {
    const char *name;    /* stable: --rules, denials, metrics */
    const char *summary; /* one sentence for a person */
    const struct prb_rule_match *matches;
    size_t match_count;
    const struct prb_registration *registrations; /* NULL: one, fail-closed, for all matches */
    size_t registration_count;
    const char *const *reads;             /* paths below object and oldObject; NULL-terminated */
    const struct prb_watch_spec *watches; /* collections that `ask` and `judge` look up */
    size_t watch_count;
    const struct prb_right *rights;
    size_t right_count;

    /* For a match without a resource: is the request for one of its kinds? */
    bool (*covers)(const struct prb_rule_settings *settings, const struct prb_request *request,
            const struct prb_view *view);

    /* NULL: never needs more than the view. Called again with the answers in `out`: see judge.h. */
    void (*ask)(const struct prb_rule_settings *settings, const struct prb_request *request,
            const struct prb_view *view, struct prb_questions *out);
    void (*judge)(const struct prb_rule_settings *settings, const struct prb_request *request,
            const struct prb_view *view, const struct prb_questions *answers,
            struct prb_verdict *out);
};

#endif
