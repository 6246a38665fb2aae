#ifndef PROBATE_SRC_CLI_REMOVE_H
#define PROBATE_SRC_CLI_REMOVE_H

/*
 * The parts of `probate remove`: what Probate has left on a cluster is taken away, in an order in
 * which nothing is stuck at any moment. Each step says what it does. No custom resource is deleted,
 * and nothing is pruned; whatever is being deleted already is only let go.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probate/api/api.h"
#include "probate/base/map.h"
#include "probate/base/str.h"
#include "probate/cli/list.h"
#include "probate/core/reconciler.h"

#include "supervisor.h"

/* Of one call: short, since a hook has minutes for all. */
#define PRB_REMOVE_CALL_MS 10000

/* The things that the run waits for, and the lines already printed about them. */
struct prb_remove_waits {
    FILE *out;        /* borrowed; NULL: stderr */
    int64_t again_ms; /* after which the same is said again; 0: as usual */

    unsigned round;
    bool whole;            /* the round has looked at everything */
    size_t next;           /* number of the thing that is waited for next */
    struct prb_map *known; /* owned: things, by name, that were ever waited for */
    struct prb_map
            *taken; /* owned, of nothing: what was taken off, to know it when it comes back */
};

/* One run of the verb. */
struct prb_removal {
    struct prb_api *api; /* borrowed, as all here */
    struct prb_supervisor *supervisor;
    const char *configuration;
    const char *lease_namespace, *lease_name;
    const char *works_namespace;  /* works of this cluster only; NULL: all that are ours */
    const struct prb_gvr *claims; /* kinds of claims that a flag names */
    size_t claim_count;
    const struct prb_list *skip; /* steps to leave out */
    bool old_labels;             /* nothing but the labels that 0.1 put on Deployments */
    bool dry_run;
    int64_t end_ms; /* monotonic: give up then */

    size_t done;        /* changes so far */
    size_t left;        /* that could not be made in the last round */
    enum prb_errc code; /* of the last call that failed; PRB_OK: none */

    struct prb_remove_waits waits; /* to be ended with prb_remove_waits_done */
};

/* A line for a person; in a dry run it says "would". */
__attribute__((format(printf, 2, 3))) void prb_remove_say(
        const struct prb_removal *removal, const char *fmt, ...);

/* Something stays for now: say why. */
void prb_remove_fail(struct prb_removal *removal, const char *what, const struct prb_error *err);

/* Is there time left, and has no signal come? */
bool prb_remove_goes_on(const struct prb_removal *removal);

/* --- remove_waits.c: what the run waits for. */

/* `what` stays for now: say why, on stderr, if that has not just been said. */
__attribute__((format(printf, 3, 4))) void prb_remove_wait_for(
        struct prb_removal *removal, const char *what, const char *fmt, ...);

/* `what` was taken off the object called `name`, as it was seen before. Counts as done. When it had
 * been taken off before, somebody puts it back, and that is what the run waits for. */
void prb_remove_took(struct prb_removal *removal, const struct prb_object *object, const char *name,
        const char *what);

/* `what` is not waited for any more. */
void prb_remove_wait_over(struct prb_removal *removal, const char *what);

/* Rounds: what one that is cut short did not get to is waited for as in the round before. */
void prb_remove_round_begin(struct prb_removal *removal);
void prb_remove_round_end(struct prb_removal *removal);

void prb_remove_waits_done(struct prb_removal *removal);

/* Why the run gives up, and what it still waited for; the caller frees. */
char *prb_remove_last_words(struct prb_removal *removal);

/* --- remove.c: all steps, again and again until nothing is left, or the time is up. */
void prb_remove_all(struct prb_removal *removal);

/* --- remove_lease.c: take the lead, so that no controller puts back what is taken away. False: it
 * is to be tried again. */
bool prb_remove_lead(struct prb_removal *removal);

/* How long the one that held it may go on; 0: nobody did. */
int64_t prb_remove_rest_ms(const struct prb_object *lease, int64_t now_ms);

/* --- remove_sweep.c: labels, marks and finalizers, collection by collection. */

/* One kind of thing that Probate leaves on objects of one kind. */
struct prb_trace {
    const char *step; /* as --skip names it */
    const char *what; /* for people */
    struct prb_gvr gvr;
    const char *selector; /* labels of those that may have it; NULL: any may */

    /* The JSON patch that takes it off, with its tests, and a text of what it takes (both the
     * caller's); NULL: there is nothing of ours. */
    struct json_object *(*find)(const struct prb_object *object, char **ret_text);
    bool works; /* only in works_namespace, if there is one */
};
extern const struct prb_trace prb_traces[];
extern const size_t prb_trace_count;

/* What 0.1 put on Deployments, and nothing looks at any more. */
extern const struct prb_trace prb_old_labels;

/* The rights that all of this needs, for `probate manifest`. */
extern const struct prb_right prb_remove_rights[];
extern const size_t prb_remove_right_count;

/* Look at all objects of one kind once; what could not be done counts as left. */
void prb_remove_sweep(struct prb_removal *removal, const struct prb_trace *trace);

/* --- remove_claims.c: the same for claims, of the kinds that flags name or definitions define. */
#define PRB_REMOVE_CLAIMS "claims" /* the step */
void prb_remove_claims(struct prb_removal *removal);

/* What it takes to read the definitions, and each kind of claims. */
extern const struct prb_right prb_remove_definition_rights[];
extern const size_t prb_remove_definition_right_count;
#define PRB_REMOVE_CLAIM_VERBS "get,list,patch"

/* --- remove_traces.c: `find` of a trace that is a finalizer. */
struct json_object *prb_remove_finalizer(const struct prb_object *object, char **ret_text);

/* --- remove_traces.c: did Probate, and nobody else, put this finalizer there, or has it our
 * domain? */
bool prb_remove_is_ours(const struct prb_object *object, const char *finalizer);

#endif
