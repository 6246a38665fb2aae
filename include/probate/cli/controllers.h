#ifndef PROBATE_CLI_CONTROLLERS_H
#define PROBATE_CLI_CONTROLLERS_H

/*
 * Which controllers run, and how they are set: --controllers (names, "*" for all but those that
 * have to be named, "-name" to leave one out), --feature-gates, and the flags of each. The same in
 * every verb that has to do with controllers.
 */

#include <stddef.h>

#include "probate/cli/claims.h"
#include "probate/cli/clusters.h"
#include "probate/cli/flags.h"
#include "probate/cli/gates.h"
#include "probate/cli/policies.h"
#include "probate/cli/works.h"
#include "probate/core/reconciler.h"
#include "probate/reconcilers/critical_service.h"

/* What the flags hold; a member of the verb's options. */
struct prb_controller_flags {
    struct prb_list controllers;
    struct prb_list gates;
    struct prb_cluster_flags clusters;
    struct prb_work_flags works;
    struct prb_claim_flags claims;
    struct prb_policy_flags policies;
};

/* Where they run, and so which there are. */
enum prb_controller_place {
    PRB_PLACE_SERVER, /* `probate serve`: all */
    PRB_PLACE_AGENT,  /* `probate agent`: those of a managed cluster; work need not be named */
};

/* The entries of a verb's table for a `struct prb_controller_flags MEMBER` of its OPTIONS; `names`
 * is the preset, `heading` opens a section of the help. */
#define PRB_CONTROLLERS_FLAG(options, member, names, heading)                                      \
    {                                                                                              \
        .section = (heading), .name = "controllers", .type = PRB_FLAG_LIST,                        \
        .at = offsetof(options, member.controllers), .value = "NAME,...", .preset = (names),       \
        .help = "The controllers to run: names, * for all that their gates let and that need not " \
                "be named, -NAME to leave one out."                                                \
    }
#define PRB_GATES_FLAG(options, member)                                                        \
    {                                                                                          \
        .name = "feature-gates", .type = PRB_FLAG_LIST, .at = offsetof(options, member.gates), \
        .value = "NAME=true|false,...", .preset_text = "ClusterLifeCycle=false",               \
        .help = "Let controllers run that are off otherwise. ClusterLifeCycle: "               \
                "cluster-deletion."                                                            \
    }

/* What they mean. */
struct prb_controller_choice {
    const struct prb_reconciler **table; /* owned: the registry, with what the flags set */
    bool *chosen;                        /* owned: which of them run */
    size_t count;
    struct prb_reconciler *cluster_deletion; /* owned: its entry in the table */
    struct prb_cluster_choice *clusters;     /* owned: its settings, whether it runs or not */
    bool clusters_open;          /* its gate is */
    bool clusters_meant;         /* --controllers means cluster-deletion, whatever its gate says */
    struct prb_reconciler *work; /* owned: likewise */
    struct prb_work_settings *works;           /* owned; to be settled once the hub is known */
    struct prb_reconciler *claims;             /* owned: likewise */
    struct prb_claim_settings *claim_settings; /* owned; without the kinds that flags name */
    struct prb_reconciler *policy;             /* owned: likewise */
    char *policy_namespace;                    /* owned; NULL: not said */
    struct prb_reconciler *critical;           /* owned: likewise */
    struct prb_critical_settings *critical_settings; /* owned; without what the rules' flags say */
};

/*
 * INVALID, with the flag in the text: what is not known (and then with the nearest that is), a
 * controller that is named while its gate is off or without a flag that it needs, or none is left.
 */
int prb_controller_choice_make(const struct prb_controller_flags *flags,
        enum prb_controller_place place, struct prb_controller_choice *ret, struct prb_error *err);

void prb_controller_choice_done(struct prb_controller_choice *choice);
static inline void prb_controller_choice_donep(struct prb_controller_choice *choice)
{
    prb_controller_choice_done(choice);
}

/* Does the controller of this name run? */
bool prb_controller_choice_has(const struct prb_controller_choice *choice, const char *name);

/* Of cluster-deletion; NULL: it does not run. */
const struct prb_cluster_settings *prb_controller_choice_clusters(
        const struct prb_controller_choice *choice);

/* Of work; NULL: it does not run. */
struct prb_work_settings *prb_controller_choice_works(const struct prb_controller_choice *choice);

/* Of claims; NULL: it does not run. */
struct prb_claim_settings *prb_controller_choice_claims(const struct prb_controller_choice *choice);

/* The namespace whose policies the controller policy carries out; NULL: it does not run. */
const char *prb_controller_choice_policies(const struct prb_controller_choice *choice);

/* "Controllers:" and what each does, for the help of a verb. */
void prb_controllers_help(enum prb_controller_place place, struct prb_str *out);

/*
 * Mark in `ret_chosen` which of the `count` reconcilers of `table` are meant, gates aside. With
 * nothing but exclusions all others are, but for those that have to be named. INVALID: an unknown
 * name (with the nearest one), or none is left.
 */
int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err);

#endif
