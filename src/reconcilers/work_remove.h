#ifndef SRC_RECONCILERS_WORK_REMOVE_H
#define SRC_RECONCILERS_WORK_REMOVE_H

/*
 * How recorded resources are taken away, for who needs more of it than prb_work_remove: references
 * brought in line with a work that is being deleted.
 */

#include "work_internal.h"

/* What is to become of one resource that was read. */
enum prb_removal_verdict {
    PRB_VERDICT_LEAVE,  /* it is not ours, or no longer; it stays without a write */
    PRB_VERDICT_DISOWN, /* it stays: our reference goes */
    PRB_VERDICT_AWAIT,  /* it is going */
    PRB_VERDICT_DELETE,
};

struct prb_removal_case {
    const struct prb_object *live;
    const struct prb_owner *owner; /* our reference */
    const char *recorded_uid;      /* "": none */
    bool stays;                    /* the orphan settings say so */

    /* Another object than the recorded one has its name, and our reference: that reference goes as
     * well, since the garbage collector would delete it once our owner is gone. Not while the owner
     * lives: what is recorded may be behind. */
    bool disowns_others;
};

/* The heart of it: which of these, in the order of docs/work-agent.md. */
enum prb_removal_verdict prb_removal_judge(const struct prb_removal_case *question);

/* Does another AppliedManifestWork than this own it too? */
bool prb_removal_is_shared(const struct prb_object *live, const struct prb_owner *owner);

/* What is to go, and by which rules. Borrowed. */
struct prb_removal_plan {
    const struct prb_applied_entry *entries;
    size_t count;
    const struct prb_manifest_work *work;     /* what is to stay; NULL: the record alone counts */
    const struct prb_manifest_work *recorded; /* what else is: of prb_orphans; NULL: nothing */

    /* `work` is being deleted, and references are brought in line with it before anything is: as
     * long as one could not be read, nothing goes. */
    bool ends;
    bool confirms;   /* touch nothing unless the hub has the work just as the pair has it */
    bool align_only; /* delete nothing: what would be is PENDING */
    const struct json_object *known; /* of prb_removals_remember; NULL: nothing */
};

/* As prb_work_remove. */
void prb_removals_run(
        struct prb_pair *pair, const struct prb_removal_plan *plan, struct prb_removals *ret);

/* Is it positively not there? */
bool prb_removal_is_absent(const struct prb_outcome *outcome);

/* How many are in this state? */
size_t prb_removals_in(const struct prb_removals *removals, enum prb_removal_state state);

/* Which are done, for prb_removal_plan.known of a later pass: they are not looked at again. */
struct json_object *prb_removals_remember(const struct prb_removals *removals);

/* "1 resource stays, because it has no owner reference of ...: configmaps default/a"; nothing where
 * there is none. */
void prb_removals_describe_unowned(
        const struct prb_removals *removals, const struct prb_object *applied, struct prb_str *out);

/* "configmaps./default/web", the same for all versions: names slots and what is remembered. */
char *prb_applied_entry_key(const struct prb_applied_entry *entry);

/*
 * What is recorded, and the manifests of the work that are not: an agent that died between applying
 * and recording has left references which the garbage collector goes by, whatever deleteOption
 * says. prb_malloc'ed; borrows from both. `work` NULL: only what is recorded.
 */
struct prb_applied_entry *prb_removal_entries(
        const struct prb_object *applied, const struct prb_manifest_work *work, size_t *ret_count);

/* --- what a deletion waits for, and who is told ---------------------------------------------- */

enum prb_asked {
    PRB_ASKED_KNOWN,   /* pair->work is what the hub has now; NULL: positively none */
    PRB_ASKED_PENDING, /* in the next round */
    PRB_ASKED_FAILED,  /* nobody knows; it is said, and tried again */
};

/*
 * Look at the work itself before something is deleted on its word: a cache may not know yet that it
 * is another one by now, or that it says Orphan.
 */
enum prb_asked prb_pair_ask_hub(struct prb_pair *pair);

/* The same, without a word: what the hub says of the work in this pass. NULL: in the next round. */
const struct prb_outcome *prb_pair_hub(struct prb_pair *pair);

/* Say it, as what the key waits for, and on the work: Deleting for one that is, else Applied=False.
 */
void prb_pair_tell(struct prb_pair *pair, const char *text);

/* Tell by an Event what stays for want of our reference; nothing where there is none. */
void prb_pair_tell_unowned(struct prb_pair *pair, const struct prb_ref *ref,
        const struct prb_object *regarding, const struct prb_removals *removals);

/* What is left and why, and when to try again. */
void prb_pair_tell_left(
        struct prb_pair *pair, const struct prb_removals *removals, const char *first);

#endif
