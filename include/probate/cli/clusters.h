#ifndef PROBATE_CLI_CLUSTERS_H
#define PROBATE_CLI_CLUSTERS_H

/*
 * What the flags say about the deletion of clusters: --resources-to-monitor-for-deletion,
 * --delete-works and --cluster-finalizer.
 */

#include "probate/cli/flags.h"
#include "probate/reconcilers/cluster_deletion.h"

/* What the flags hold; a member of the verb's options. */
struct prb_cluster_flags {
    struct prb_list monitored;
    int delete_works;      /* enum prb_delete_works */
    const char *finalizer; /* NULL: PRB_CLUSTER_FINALIZER */
};

/* "none", "addon", "all": in the order of enum prb_delete_works, NULL-terminated. */
extern const char *const prb_delete_works_names[];

/* The entries of a verb's table for a `struct prb_cluster_flags MEMBER` of its OPTIONS. */
#define PRB_MONITORED_FLAG(options, member, heading)                                              \
    {                                                                                             \
        .section = (heading), .name = "resources-to-monitor-for-deletion", .type = PRB_FLAG_LIST, \
        .at = offsetof(options, member.monitored), .value = "RESOURCE.VERSION.GROUP,...",         \
        .help = "Of these none may be left in the namespace of a deleted cluster before Probate " \
                "deletes anything there; it does not delete them itself. Of the core group: "     \
                "RESOURCE.VERSION."                                                               \
    }
#define PRB_DELETE_WORKS_FLAG(options, member)                                              \
    {                                                                                       \
        .name = "delete-works", .type = PRB_FLAG_ENUM,                                      \
        .at = offsetof(options, member.delete_works), .choices = prb_delete_works_names,    \
        .preset = "addon",                                                                  \
        .help = "Which ManifestWorks of a deleted cluster Probate deletes: none, those of " \
                "addons that are gone, or all. The others are waited for."                  \
    }
#define PRB_CLUSTER_FINALIZER_FLAG(options, member)                                              \
    {                                                                                            \
        .name = "cluster-finalizer", .type = PRB_FLAG_TEXT,                                      \
        .at = offsetof(options, member.finalizer), .value = "DOMAIN/NAME",                       \
        .preset = PRB_CLUSTER_FINALIZER,                                                         \
        .help = "The finalizer that holds a deleted ManagedCluster until what belongs to it is " \
                "gone. Beside Open Cluster Management it must be one of your own, such "         \
                "as " PRB_CLUSTER_FINALIZER_OWN "."                                              \
    }

/* What to call it beside Open Cluster Management, which has the other name. */
#define PRB_CLUSTER_FINALIZER_OWN "probate.dev/cluster-cleanup"

/* What they mean; stays where it is, since the settings point into it. */
struct prb_cluster_choice {
    struct prb_cluster_settings settings; /* borrows the finalizer from the flags */
    struct prb_gvr monitored[PRB_MONITORED_MAX];
};

/* INVALID, with the flag in the text. The choice is the caller's, to be freed. */
int prb_clusters_choose(const struct prb_cluster_flags *flags, struct prb_cluster_choice **ret,
        struct prb_error *err);

/* To the log, for who reads afterwards why a cluster waited. */
void prb_clusters_log(const struct prb_cluster_settings *settings);

#endif
