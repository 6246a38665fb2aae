#ifndef SRC_RECONCILERS_WORK_APPLY_H
#define SRC_RECONCILERS_WORK_APPLY_H

/*
 * How a live work is brought to the cluster, in rounds:
 *
 *   work_apply.c          the order of it all
 *   work_apply_pair.c     the finalizer and the AppliedManifestWork come first
 *   work_apply_kinds.c    which resource a manifest is, and which manifests can never be applied
 *   work_apply_fresh.c    which are known to be as they should, at the cost of no call
 *   work_apply_patience.c   how soon what others change again and again is repaired
 *   work_apply_settle.c   look, write, and once more after a conflict
 *   work_apply_take.c     what may be taken over that is there without our reference
 *   work_apply_write.c    what is written under Update and CreateOnly
 *   work_apply_ssa.c      what is written under ServerSideApply
 *   work_apply_record.c   what the AppliedManifestWork lists, before and after
 *   work_status*.c        what the work says on the hub
 */

#include "probate/base/map.h"
#include "probate/model/manifest_merge.h"

#include "work_internal.h"

/* Where it is told that the AppliedManifestWork was written: with all manifests, and without the
 * uid of what is made anew. */
#define PRB_SLOT_AHEAD "ahead"
#define PRB_SLOT_AHEAD_NEW "ahead:new"

/* In what is remembered: when the AppliedManifestWork was taken over from another agent. */
#define PRB_MEMORY_TAKEN "taken"

#define PRB_EXECUTOR_TEXT \
    "spec.executor is not supported yet: nothing of this work is applied or removed"

/* How it stands with one manifest in this round. */
enum prb_item_state {
    PRB_ITEM_OPEN,   /* nothing found out yet */
    PRB_ITEM_READS,  /* `asks` has a read */
    PRB_ITEM_WRITES, /* `asks` has writes */
    PRB_ITEM_DONE,   /* as it should be */
    PRB_ITEM_FAILED, /* see `trouble` */
};

/* Is the object there? */
enum prb_item_seen { PRB_SEEN_UNKNOWN, PRB_SEEN_THERE, PRB_SEEN_ABSENT };

/* One manifest. Borrowed from view and work unless said otherwise. */
struct prb_item {
    const struct prb_manifest *manifest;
    const struct prb_known_resource *resource; /* NULL: its kind was not found */
    const struct prb_manifest_config *config;  /* NULL: Update */
    enum prb_update_strategy strategy;
    const struct prb_item *first; /* the manifest that means the same object; NULL: none */
    bool owned;                   /* it is to carry our reference */
    bool has_ref;                 /* `ref` and what follows hold: it is one object, and the first */
    struct prb_ref ref;           /* in the manifest's own version */
    struct json_object *body;     /* owned: what would be created, without reference */
    char want[PRB_SHA256_HEX_SIZE]; /* of all that decides what it should be */

    enum prb_item_state state;
    enum prb_item_seen seen;
    const struct prb_object *live; /* whole, as last read or written; NULL: not in this pass */
    unsigned looked;               /* number of the call that read it; 0: none has in this try */
    struct prb_changes asks;       /* owned: what this round would do */
    bool creates;                  /* that makes a new object, with a uid that nobody knows yet */
    bool wrote;                    /* in this pass, with success */
    int64_t behind_ms; /* what is seen of it now does not count: look again then; 0: it does */
    char *trouble;     /* owned: why it FAILED, for a person */
    bool again;        /* trying again may help */
    bool raced;        /* it FAILED only because somebody else was faster each time */
};

/* One round of a pass. */
struct prb_pass {
    struct prb_pair *pair;
    struct prb_manifest_work work;
    struct prb_item *items; /* owned; in the order in which they are applied */
    size_t count;
    struct prb_map *by_object;        /* owned: prb_object_key -> item that has_ref */
    const struct prb_object *applied; /* as last seen or written in this pass */
};

__attribute__((format(printf, 3, 4))) void prb_item_fail(
        struct prb_item *item, bool again, const char *fmt, ...);

/* "group/resource/namespace/name": what makes two of any version the same object. Owned. */
char *prb_object_key(
        const char *group, const char *resource, const char *namespace, const char *name);

/* How long what was found is believed where nothing is watched. */
int64_t prb_apply_resync_ms(const struct prb_pass *pass);

/* Put finalizer and AppliedManifestWork in place. True: that has to happen first. */
bool prb_apply_pair(struct prb_pair *pair);

/* Find out what each manifest is. True: rounds are needed for it. */
bool prb_apply_kinds(struct prb_pass *pass);

/* Is it known to be as it should? Then it is DONE. */
void prb_apply_fresh(struct prb_pass *pass, struct prb_item *item);

/* What is known of the collection says that there is none. */
bool prb_apply_is_absent(const struct prb_pass *pass, const struct prb_item *item);

/* Is it as our last write has left it, though not quite as the manifest has it? */
bool prb_apply_is_as_left(const struct prb_pass *pass, const struct prb_item *item);

/* What the last pass that had this very manifest applied left behind of it; NULL: nothing. */
const struct json_object *prb_apply_remembered(
        const struct prb_pass *pass, const struct prb_item *item);

/* Let an item that is to be written wait, if others have undone that too often. */
void prb_apply_be_patient(const struct prb_pass *pass, struct prb_item *item);

/* Put into what is remembered of an item how often it was written in a row. */
void prb_apply_count_writes(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *entry);

/* The uid of its object as far as this pass knows; "": there is none. NULL: it does not. */
const char *prb_item_uid(const struct prb_pass *pass, const struct prb_item *item);

/* What to remember of all that are DONE. Owned. */
struct json_object *prb_apply_memory(const struct prb_pass *pass);

/* Decide on one as far as the outcomes go: DONE, FAILED, or what it needs. */
void prb_apply_settle(struct prb_pass *pass, struct prb_item *item);

/* Where the outcome of one of its steps is. Owned. */
char *prb_item_slot(const struct prb_item *item, const char *step, int try);

/* Put into `item->asks` what brings the object, as seen, to what it should be. Nothing: it is. */
void prb_apply_update(const struct prb_pass *pass, struct prb_item *item);
void prb_apply_create_only(const struct prb_pass *pass, struct prb_item *item);

/* The same by server-side apply, which takes several steps: decides on the item by what became of
 * them, as far as they were taken. OPEN afterwards: a conflict, for the next try. */
void prb_apply_ssa(const struct prb_pass *pass, struct prb_item *item, int try);

/* Ask the hub before something is taken over. True: that has to happen first, or the work is going.
 */
bool prb_apply_confirm(struct prb_pass *pass);

/* What became of a write. False: it failed, and the item has FAILED, or is OPEN for the next try
 * where a conflict `may_be_tried` again. */
bool prb_apply_judge(struct prb_item *item, const struct prb_outcome *outcome, bool may_be_tried);

/* The body with our reference where it is owned. Owned. */
struct json_object *prb_item_new_body(const struct prb_pass *pass, const struct prb_item *item);

/*
 * Let the AppliedManifestWork list all manifests before something is written, and without a uid
 * what is created anew.
 */
enum prb_ahead {
    PRB_AHEAD_DONE,
    PRB_AHEAD_ASKED,    /* it has been put into the changes */
    PRB_AHEAD_CONFLICT, /* the cache is behind: come again */
    PRB_AHEAD_FAILED,   /* said on every item that waits for it */
};
enum prb_ahead prb_apply_record_ahead(struct prb_pass *pass);

/* What of the record no manifest stands for any more. prb_malloc'ed. */
struct prb_applied_entry *prb_apply_stale(const struct prb_pass *pass, size_t *ret_count);

/* Let it list what is there now. NULL: it does already; else a patch of its status. */
struct json_object *prb_apply_new_record(
        const struct prb_pass *pass, const struct prb_removals *removals);

/* A patch of the work's status; NULL: it says so already. */
struct json_object *prb_work_status(const struct prb_pass *pass);

/* "1 of 3 manifests is not applied: ..." */
void prb_work_status_text(const struct prb_pass *pass, struct prb_str *out);

/* status.resourceStatus.manifests as it should be, with what others have put there. Owned. */
struct json_object *prb_work_status_manifests(const struct prb_pass *pass);

/* Is its object there? Of a manifest that repeats another: that one's. */
enum prb_item_seen prb_item_presence(const struct prb_item *item);

/* A member that is a text; none for an empty one: some API servers take "" for null, and refuse it.
 */
static inline void prb_set_text(struct json_object *obj, const char *key, const char *text)
{
    if (text[0] != '\0')
        prb_json_set_str(obj, key, text);
}

/* Set one condition in a list of them, which is changed; the others stay. */
struct prb_condition;
void prb_work_condition(
        struct json_object *list, const struct prb_condition *condition, int64_t now_ms);

#endif
