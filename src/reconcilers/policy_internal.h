#ifndef SRC_RECONCILERS_POLICY_INTERNAL_H
#define SRC_RECONCILERS_POLICY_INTERNAL_H

/*
 * The parts of the reconciler `policy`. A key is a ConfigurationPolicy.
 *
 *   policy.c              who is concerned: a live policy, or one that goes
 *   policy_map.c          which policies an object concerns, which kinds are to be watched
 *   policy_evaluate.c     a live policy: the order of it all
 *   policy_due.c          is it to be evaluated now, and when again?
 *   policy_items.c        which objects its templates mean
 *   policy_search.c       templates that look through all policies
 *   policy_fresh.c        which objects are known to be as they were, at the cost of no call
 *   policy_settle.c       look, compare, write, for one object
 *   policy_patience.c     what others change again and again
 *   policy_where.c        is a namespace as it seems, before something in it goes?
 *   policy_recreate.c     when an update is refused: delete, and make again
 *   policy_provenance.c   did this policy create that object?
 *   policy_record.c       status.relatedObjects, before something is created
 *   policy_related.c      status.relatedObjects, after an evaluation
 *   policy_remove.c       taking recorded objects away, for who prunes
 *   policy_remove_judge.c which of them are to go
 *   policy_remove_record.c status.relatedObjects, before something is deleted by its name
 *   policy_left.c         what is left behind, for a person
 *   policy_end.c          a policy that is being deleted
 *   policy_status*.c      what a person reads
 */

#include "probate/base/map.h"
#include "probate/base/sha256.h"
#include "probate/core/changes.h"
#include "probate/core/reconciler.h"
#include "probate/model/outcome.h"
#include "probate/model/policy.h"
#include "probate/model/policy_compare.h"
#include "probate/model/view.h"
#include "probate/reconcilers/policy.h"

#include "policy_provenance.h"

extern const struct prb_gvr prb_policy_policies;
extern const struct prb_gvr prb_policy_namespaces_gvr;

/* What is not watched is looked at again: as often as the controller of works does it. */
#define PRB_POLICY_RESYNC_MS (INT64_C(4) * 60 * 1000)

/* After a failure: soon, since a bulk deletion through CriticalServices resolves itself by trying
 * again; and not often, since an error may last. */
#define PRB_POLICY_RETRY_MIN_MS 1000
#define PRB_POLICY_RETRY_MAX_MS 30000

/* Objects that one policy may mean: the status has an entry of some 400 bytes for each, and etcd
 * takes 1.5 MiB of a policy. */
#define PRB_POLICY_OBJECTS_MAX 2500

/* Bytes of a message, as the reference cuts them. */
#define PRB_POLICY_TEXT_MAX 4096

/* Where outcomes are that several parts look at. */
#define PRB_POLICY_SLOT_SELF "self"
#define PRB_POLICY_SLOT_AHEAD "ahead"
#define PRB_POLICY_SLOT_LAST "self at last"
#define PRB_POLICY_SLOT_DELETING "deleting"
#define PRB_POLICY_SLOT_ENDING "status ending"

/* As they are in the status. */
#define PRB_COMPLIANT "Compliant"
#define PRB_NON_COMPLIANT "NonCompliant"
#define PRB_TERMINATING "Terminating"
#define PRB_REASON_FOUND "Resource found as expected"
#define PRB_REASON_MISMATCH "Resource found but does not match"
#define PRB_REASON_MISSING "Resource not found but should exist"
#define PRB_REASON_UNWANTED "Resource found but should not exist"
#define PRB_REASON_GONE "Resource not found as expected"
#define PRB_REASON_PRUNING "Cleaning up child objects" /* nothing has failed */
#define PRB_REASON_LEFT "Error cleaning up child objects"
#define PRB_REASON_TEMPLATE "Error processing template"

/* A name that stands for no particular object. */
#define PRB_NO_NAME "-"

/* ---- one policy in one round ---- */

enum prb_policy_state {
    PRB_POLICY_OPEN,    /* nothing found out yet */
    PRB_POLICY_READS,   /* `asks` has a read */
    PRB_POLICY_WRITES,  /* `asks` has a write */
    PRB_POLICY_WAITS,   /* for another template that means the same object */
    PRB_POLICY_SETTLED, /* see `finding` */
    PRB_POLICY_FAILED,  /* see `trouble`; what is there is not known, or could not be changed */
};

enum prb_policy_finding {
    PRB_FOUND_NOTHING, /* it is not known */
    PRB_FOUND_AS_WANTED,
    PRB_FOUND_ABSENT,
    PRB_FOUND_OTHER, /* it does not match */
    PRB_FOUND_UNWANTED,
    PRB_FOUND_GONE, /* as it should be */
};

enum prb_policy_seen { PRB_LOOK_UNKNOWN, PRB_LOOK_THERE, PRB_LOOK_ABSENT };

/* One object that a template means. Borrowed from view and policy unless said otherwise. */
struct prb_policy_item {
    const struct prb_policy_template *template;
    const struct prb_known_resource *resource;
    char *key;                      /* owned; of prb_policy_key */
    struct json_object *body;       /* owned: what would be created, without our annotation */
    struct prb_provenance was;      /* as the status says now */
    struct prb_policy_item *before; /* of an earlier template that means the same; NULL: none */

    const struct prb_object *live; /* whole, as last read or written; NULL: not in this pass */
    const char *uid;               /* what is known of its uid; NULL: nothing */
    const char *did;               /* static: "created", "updated", "deleted"; NULL: nothing */
    struct prb_changes asks;       /* owned: what this round would do */
    int64_t behind_ms; /* SETTLED, though the cache does not show it yet: look again then */
    char *trouble;     /* owned: why it FAILED, for a person */

    enum prb_policy_state state;
    enum prb_policy_finding finding;
    enum prb_policy_seen seen;
    struct prb_ref ref;             /* in the template's own version */
    char want[PRB_SHA256_HEX_SIZE]; /* of all that decides what it should be */

    bool creates, recreates; /* that is to be recorded before */
    bool deletes;            /* that is to be confirmed before */
    bool refused;            /* the server said that nothing was created */
    bool as_left;            /* it counts as wanted: the server keeps it as our write left it */
    bool again;              /* of a failure: trying again may help */
};

/* One template in one round. */
struct prb_policy_part {
    char *trouble;       /* owned: why it is not evaluated; NULL: it is */
    bool again;          /* trying again may help */
    size_t first, count; /* its items */
    char *found;         /* owned: what a search found, for a person; NULL: none, or no search */
    bool is_search;
};

struct prb_policy_run {
    const struct prb_view *view;
    struct prb_ref key;
    const struct prb_object *object; /* as it is in the cache */
    const struct prb_object *now;    /* as last seen or written in this pass */
    struct prb_policy policy;        /* of `now` */
    struct prb_policy_part *parts;   /* owned; one for each template */
    struct prb_policy_item *items;   /* owned; in the order of the templates */
    size_t count, cap;
    struct prb_map *by_key;  /* owned: prb_policy_key -> first item */
    struct prb_map *related; /* owned: prb_policy_key -> entry of status.relatedObjects of `now` */
    struct prb_map *made;    /* owned: uid -> the same, of those that it has created */
    const char *scope;       /* of policies only those in this namespace are cached; NULL: all */
    bool blind; /* what is meant, or how it is, is not known throughout: nothing is pruned */
    struct prb_changes *out;
};

__attribute__((format(printf, 3, 4))) void prb_policy_item_fail(
        struct prb_policy_item *item, bool again, const char *fmt, ...);

/* "group/kind/namespace/name": what makes two of any version the same object. Owned. */
char *prb_policy_key(const char *group, const char *kind, const char *namespace, const char *name);
char *prb_policy_entry_key(const struct json_object *entry); /* NULL: it names no object */

/* A live policy. */
void prb_policy_evaluate(struct prb_policy_run *run);

/* One that is being deleted. */
void prb_policy_end(struct prb_policy_run *run);

/* Find out what the templates mean. True: rounds are needed for it. */
bool prb_policy_items(struct prb_policy_run *run);

/* What a template without a name finds. */
void prb_policy_search(struct prb_policy_run *run, struct prb_policy_part *part,
        const struct prb_policy_template *template);

/* Is it known how it is? Then it is SETTLED. */
void prb_policy_fresh(const struct prb_policy_run *run, struct prb_policy_item *item);
bool prb_policy_is_known_absent(
        const struct prb_policy_run *run, const struct prb_policy_item *item);
bool prb_policy_is_as_left(const struct prb_policy_run *run, const struct prb_policy_item *item);

/* Is every CREATE of this token known to have been refused? */
bool prb_policy_was_refused(const struct prb_policy_run *run, const char *token);

/* What to remember of this pass. Owned. */
struct json_object *prb_policy_memory(const struct prb_policy_run *run);

/* Decide on one object as far as the outcomes go. */
void prb_policy_settle(struct prb_policy_run *run, struct prb_policy_item *item);

/* It is about to be written. False: not yet, since that has been in vain too often; it has FAILED.
 */
bool prb_policy_may_write(const struct prb_policy_run *run, struct prb_policy_item *item);

/* Put into `entry`, which is to be remembered of it, how often it was written in a row. */
void prb_policy_count_writes(const struct prb_policy_run *run, const struct prb_policy_item *item,
        struct json_object *entry);

/* What is remembered of it; NULL: nothing. */
const struct json_object *prb_policy_remembered(
        const struct prb_policy_run *run, const struct prb_policy_item *item);

/* What became of a write. False: it failed; the item has FAILED, or is OPEN for the next try where
 * a conflict `may_be_tried` again. */
bool prb_policy_judge(
        struct prb_policy_item *item, const struct prb_outcome *outcome, bool may_be_tried);

/* Where the outcome of one of its steps is. Owned. */
char *prb_policy_slot(const struct prb_policy_item *item, const char *step, int try);

/* The update was refused, or is not to be tried: delete it, to be made again. */
void prb_policy_recreate(const struct prb_policy_run *run, struct prb_policy_item *item);

/* It is to go: DELETE, and look whether it is gone. */
void prb_policy_delete(const struct prb_policy_run *run, struct prb_policy_item *item);

/* Does the cache say whether it is there? Its collection is read, and the part where it would be.
 */
bool prb_policy_is_cached(const struct prb_policy_run *run, const struct prb_ref *ref);

/* ---- the record ---- */

/*
 * Let the status say what is about to be created. True: that has to happen first, or it went wrong
 * and the pass is over.
 */
bool prb_policy_record_ahead(struct prb_policy_run *run);

struct prb_policy_removals;

/* An entry of status.relatedObjects, without properties. Owned. */
struct json_object *prb_policy_entry(
        const struct prb_policy_item *item, const char *compliant, const char *reason);

/* The entries that no template stands for any more. prb_malloc'ed; borrowed from the status. */
const struct json_object **prb_policy_left(const struct prb_policy_run *run, size_t *ret_count);

/* status.relatedObjects as it should be. Owned. */
struct json_object *prb_policy_related(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals);

/* ---- taking recorded objects away ---- */

enum prb_policy_removal_state {
    PRB_LEFT_DONE,       /* gone, or not ours: the entry may be dropped */
    PRB_LEFT_ASKED,      /* needs another round: reads or writes were added to `out` */
    PRB_LEFT_UNRECORDED, /* within a round only: it is to be recorded before it goes */
    PRB_LEFT_PENDING,    /* it is going: wait until it is gone */
    PRB_LEFT_FAILED,     /* could not be found out or done: keep the entry, try again */
};

struct prb_policy_removal {
    const struct json_object *entry; /* borrowed */
    const char *kind, *namespace, *name;
    struct prb_provenance was;
    enum prb_policy_removal_state state;
    const struct prb_known_resource *resource; /* NULL: not found */
    struct prb_ref ref;
    char *key;                     /* owned; NULL: it names no object */
    const struct prb_object *live; /* borrowed from outcome or view; NULL: not read */
    const struct prb_error *err;   /* FAILED; borrowed from an outcome; NULL: see `why` */
    const char *why;               /* static; FAILED, or PENDING without an object */
    const char *spared;            /* static; DONE, though it is there: why; NULL: it is not said */
    bool was_deleted;              /* a DELETE of this pass has been accepted */
    bool is_told;                  /* its end will be told by the cache */
};

#define PRB_SPARED_LATER "it was made after the one of its name was deleted"

struct prb_policy_removals {
    struct prb_policy_removal *items; /* owned */
    size_t count;
};
void prb_policy_removals_done(struct prb_policy_removals *removals);
static inline void prb_policy_removals_donep(struct prb_policy_removals *removals)
{
    prb_policy_removals_done(removals);
}

/*
 * Take these away, as pruneObjectBehavior says: call it in every round of a pass with the same
 * entries; it adds the next reads and writes to run->out and says how each stands. True: some are
 * PRB_LEFT_ASKED, and the caller ends with prb_changes_go_on.
 */
bool prb_policy_remove(struct prb_policy_run *run, const struct json_object *const *entries,
        size_t count, struct prb_policy_removals *ret);

/* May its entry be dropped without a look? `spared` as below. */
bool prb_policy_is_settled(const struct prb_policy_run *run, struct prb_policy_removal *removal);

/* There is none; but may its CREATE still be under way? */
bool prb_policy_may_come_yet(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal);

/* Is `live`, which has its name, to be deleted? If not, `spared` says why where a person has to
 * know. */
bool prb_policy_is_to_go(const struct prb_policy_run *run, struct prb_policy_removal *removal,
        const struct prb_object *live);

/* It is to go: must the status say so before? */
bool prb_policy_needs_record(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal);

/* Let the status say which uids are about to be deleted, of all that need it. Their states follow:
 * ASKED, or FAILED when it could not be recorded. */
void prb_policy_record_removals(struct prb_policy_run *run, struct prb_policy_removals *removals);

/* It is going: can it be gone only after the policy? Its own namespace is. */
bool prb_policy_is_behind(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal);

/* What to remember of them for the next pass of a deletion. Owned. */
struct json_object *prb_policy_remember_gone(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals);

/* How many are not done? */
size_t prb_policy_removals_left(const struct prb_policy_removals *removals);

/* Has any of them failed? Otherwise they are only waited for. */
bool prb_policy_removals_failed(const struct prb_policy_removals *removals);

/*
 * What the policy leaves behind though a person may take it for pruned: "ConfigMap default/a (why),
 * ...". Adds nothing when there is nothing to say. With `ends` also what a DeleteAll that goes
 * never took up, because its templates are not supported.
 */
void prb_policy_describe_spared(const struct prb_policy_run *run,
        const struct prb_policy_removals *removals, bool ends, struct prb_str *out);

/* When to come again for those. */
void prb_policy_removals_again(const struct prb_policy_removals *removals, struct prb_changes *out);

/* For a person: "2 of 5 related objects are left: ConfigMap default/a (...), ...". */
void prb_policy_removals_describe(const struct prb_policy_removals *removals, struct prb_str *out);

/* ---- what a person reads ---- */

/*
 * Look at namespaces, where the selector decides: before these entries go that it does not mean any
 * more, and before the items that this round would delete because it means them. PRB_OK: they are
 * as it seemed; 1: in the next round; negative: they are not, or nobody knows, and the pass is
 * over.
 */
int prb_policy_confirm_left(
        struct prb_policy_run *run, const struct json_object *const *entries, size_t count);
int prb_policy_confirm_meant(struct prb_policy_run *run);

/* A patch of the status of a live policy, and of one that goes; NULL: it says so already. Owned. */
struct json_object *prb_policy_status(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals);
struct json_object *prb_policy_status_ending(
        const struct prb_policy_run *run, const char *reason, const char *text);

/* Events on the policy and on its parent that go with such a patch. */
void prb_policy_tell(const struct prb_policy_run *run, const struct json_object *patch);

/* An Event for what no template means any more and is left. */
void prb_policy_tell_spared(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals);

/* What one template says. Owned. */
struct prb_policy_words {
    bool is_compliant;
    const char *reason; /* static */
    char *message;      /* owned */
};
struct prb_policy_words prb_policy_part_words(const struct prb_policy_run *run, size_t index);

/* Are all templates content, and nothing is left that should be gone? */
bool prb_policy_is_compliant(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals);

/* When is it to be evaluated: 0 now; otherwise in so many ms, or PRB_EVALUATE_NEVER. */
int64_t prb_policy_due_in(const struct prb_policy_run *run);

/* Those of the namespaces that the selector means, as one text; of the memory, too. */
void prb_policy_hash_namespaces(const struct prb_policy_run *run, char ret[PRB_SHA256_HEX_SIZE]);

/* When to come again, after an evaluation. */
void prb_policy_come_again(struct prb_policy_run *run, bool is_compliant);

#endif
