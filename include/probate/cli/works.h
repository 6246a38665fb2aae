#ifndef PROBATE_CLI_WORKS_H
#define PROBATE_CLI_WORKS_H

/* What the flags say about ManifestWorks: --cluster-name, --agent-id and --eviction-grace-period.
 */

#include "probate/cli/flags.h"
#include "probate/reconcilers/work.h"

/* What the flags hold; a member of the verb's options. */
struct prb_work_flags {
    const char *cluster_name; /* NULL: not said */
    const char *agent_id;     /* NULL: the hash of the hub */
    int64_t eviction_grace_ms;
};

/* As the reference agent has it: who gives a century means never. */
#define PRB_EVICTION_NEVER_MS (INT64_C(100) * 365 * 24 * 60 * 60 * 1000)

/* What a duration can say at all: 2^63 nanoseconds are 292 years. */
#define PRB_EVICTION_MAX_MS (INT64_C(292) * 365 * 24 * 60 * 60 * 1000)

/* The entries of a verb's table for a `struct prb_work_flags MEMBER` of its OPTIONS. */
#define PRB_CLUSTER_NAME_FLAG(options, member, heading)                                           \
    {                                                                                             \
        .section = (heading), .name = "cluster-name", .type = PRB_FLAG_TEXT,                      \
        .at = offsetof(options, member.cluster_name), .value = "NAME",                            \
        .help = "The name of this cluster on the hub, which is the namespace there that has its " \
                "ManifestWorks. The controller work needs it."                                    \
    }
#define PRB_WORK_FLAGS(options, member, heading)                                                 \
    PRB_CLUSTER_NAME_FLAG(options, member, heading),                                             \
            { .name = "agent-id",                                                                \
                .type = PRB_FLAG_TEXT,                                                           \
                .at = offsetof(options, member.agent_id),                                        \
                .value = "ID",                                                                   \
                .preset_text = "the SHA-256 of the hub's URL",                                   \
                .help = "Whose AppliedManifestWorks these are. Those of another agent are left " \
                        "alone." },                                                              \
    {                                                                                            \
        .name = "eviction-grace-period", .type = PRB_FLAG_DURATION,                              \
        .at = offsetof(options, member.eviction_grace_ms), .value = "TIME", .preset = "60m",     \
        .min = 0, .max = PRB_EVICTION_MAX_MS,                                                    \
        .help = "How long what a work brought stays when the hub has the work no more and did "  \
                "not delete it through us. 0, or a hundred years (876000h): for ever."           \
    }

/* INVALID, with the flag in the text. What depends on the hub is still empty. */
int prb_works_choose(
        const struct prb_work_flags *flags, struct prb_work_settings *ret, struct prb_error *err);

/* The rest, once the hub is known: `server` is its URL, as it is in the kubeconfig. */
void prb_works_settle(struct prb_work_settings *settings, const char *server);

/* To the log, for who reads afterwards which works were meant. */
void prb_works_log(const struct prb_work_settings *settings);

#endif
