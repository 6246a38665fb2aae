#ifndef PROBATE_CORE_CHANGES_H
#define PROBATE_CORE_CHANGES_H

/*
 * What a reconciler wants: an ordered list of intended writes with their preconditions, Events to
 * record, a time to look again, and what the key waits for. Pure data; control/apply performs it
 * in order and stops at the first write that fails, so a later change may rely on the earlier ones.
 *
 * Rounds: who must look at the cluster before it can decide, or has to say what became of each
 * write, gives reads and writes a slot and ends with prb_changes_go_on. They are performed,
 * failures in a slot do not end the list, and the same key is decided at once again on a fresh view
 * in which prb_view_outcome tells what became of each. Same view, same outcomes: same changes. A
 * pass has PRB_ROUNDS_MAX rounds at most.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/json.h"
#include "probate/model/object.h"
#include "probate/model/propagation.h"
#include "probate/model/ref.h"

/* Bytes of a text for a person, longer ones end in "...": the API server cuts an Event at 1024, and
 * what a key waits for has lists of five names in it. A log value ends there too. */
#define PRB_CHANGE_TEXT_MAX 2048

/*
 * The longest way is that of a work in which much has changed: find kinds, read and record, record
 * what is new, three applies and the same once more after a conflict (8), ask the hub, read what is
 * to go, change owners, delete, look and delete once more after a conflict (6), write what became
 * of it, and end: 16. And half as many in reserve: a pass that needs more goes round in circles.
 */
#define PRB_ROUNDS_MAX 24

enum prb_change_type {
    PRB_CHANGE_CREATE,
    PRB_CHANGE_UPDATE, /* PUT; the body has the resourceVersion that was seen */
    PRB_CHANGE_MERGE_PATCH,
    PRB_CHANGE_JSON_PATCH,
    PRB_CHANGE_APPLY, /* server-side apply, forced, as Probate's own field manager */
    PRB_CHANGE_DELETE,
    PRB_CHANGE_EXPECT_ABSENT, /* no write: goes on only when the server positively has no such thing
                               */
    PRB_CHANGE_EXPECT_NONE,   /* likewise of all in a namespace: of `ref` the name is empty */
    PRB_CHANGE_READ,          /* no write: a live GET of the whole object */
    PRB_CHANGE_RESOLVE,       /* no write: which resource is this kind? */
    PRB_CHANGE_EVENT,
};

bool prb_change_type_writes(enum prb_change_type type);

struct prb_change {
    enum prb_change_type type;
    struct prb_ref ref;       /* what is written; for an Event what it regards */
    const char *why;          /* static: one phrase for the log */
    const char *subresource;  /* static; NULL or "status" */
    struct json_object *body; /* owned: object or patch; NULL for DELETE and EVENT */
    char *uid;                /* owned; DELETE: never NULL. EVENT: of what it regards */
    char *resource_version;   /* owned; NULL: no precondition */
    enum prb_propagation propagation;
    bool absent_is_done; /* NOTFOUND on a write to something that is gone is success */
    bool warning;        /* EVENT: type Warning, else Normal */
    const char *reason;  /* EVENT: CamelCase; static, or `own_reason` */
    char *own_reason;    /* owned; NULL: the reason is static */
    char *note;          /* owned; EVENT: text for a person */
    char *api_version;   /* owned; EVENT: of what it regards. RESOLVE: the group */
    char *kind;          /* owned; EVENT: likewise; "" when only its metadata is known. RESOLVE */
    char *slot;          /* owned; where the outcome is kept; NULL: a failure ends the list */
    char *field_manager; /* owned; NULL: Probate's own */
    bool gentle;         /* APPLY: not forced; fields of other managers are a CONFLICT */
    bool is_trial;       /* CREATE: the server says what it would do, and does nothing */
    bool is_sure;        /* RESOLVE: NOTFOUND only if no CustomResourceDefinition has it either */
};

struct prb_changes {
    struct prb_change *items; /* owned */
    size_t count;
    size_t cap;
    int64_t again_after_ms; /* look again after this time; 0: only when something changes */
    char *waits_for;        /* owned; what stands in the way, for a person; NULL: nothing */
    bool go_on;             /* decide again with the outcomes, as soon as these are performed */
    int64_t retry_min_ms;   /* come again after the key's backoff, within these; max 0: no */
    int64_t retry_max_ms;
    struct json_object *memory; /* owned: for the next pass */
    bool remembers;             /* `memory` (NULL too) replaces what was remembered */
};

void prb_changes_init(struct prb_changes *changes);
void prb_changes_done(struct prb_changes *changes);
static inline void prb_changes_donep(struct prb_changes *changes)
{
    prb_changes_done(changes);
}

void prb_changes_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why);

/* Only ask whether it could be created: of what is there already the server says so (CONFLICT,
 * reason AlreadyExists) after it found nothing else wrong with it. */
void prb_changes_try_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why);

/* `resource_version` NULL: last write wins on the fields named. `subresource` NULL or "status". */
void prb_changes_merge_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *resource_version,
        const char *why);
void prb_changes_json_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *why);
void prb_changes_apply(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *subresource, const char *why);

/* PUT of a whole object, whose metadata has uid and resourceVersion as they were seen (a body
 * without is a defect): CONFLICT when somebody else was faster. */
void prb_changes_update(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why);

/* Of the last change of the list, an apply: under this manager, and by force or not. */
void prb_changes_set_manager(struct prb_changes *changes, const char *field_manager, bool force);

/* Of the last change of the list: its failure does not end the list, and its outcome (with what the
 * server says the object is now) is kept in this slot. What adds a change only where one is needed
 * may have added none: a slot for a change that has one, or for an Event, is a defect. */
void prb_changes_set_slot(struct prb_changes *changes, const char *slot);

/*
 * Read live, outcome in `slot`: OK with the object; NOTFOUND when it is positively not there, with
 * the reason "NotServed" when its kind or version is not; anything else is unknown.
 */
void prb_changes_read(
        struct prb_changes *changes, const struct prb_ref *ref, const char *slot, const char *why);

/*
 * Find a resource by plural, singular or kind in a group, as prb_api_resolve does; outcome in
 * `slot`, with its `resource`. NOTFOUND is told only after a fresh look. Found out before, it costs
 * no call.
 */
void prb_changes_resolve(
        struct prb_changes *changes, const char *group, const char *name, const char *slot);

/*
 * The same for decisions that depend on what is not there. NOTFOUND, or found by another name than
 * its plural or kind, only if no CustomResourceDefinition has the very name as one of these: its
 * objects would stay stored while it is not served.
 */
void prb_changes_resolve_surely(
        struct prb_changes *changes, const char *group, const char *name, const char *slot);

/* Perform these, then decide again with the outcomes. What is said about waiting, looking again,
 * retrying and remembering counts in the last round only. */
void prb_changes_go_on(struct prb_changes *changes);

/*
 * Come again after the key's backoff, which doubles each time from `min_ms` to `max_ms` until a
 * pass ends without this. For who met failures in slots. Shorter of this and `again`.
 */
void prb_changes_retry(struct prb_changes *changes, int64_t min_ms, int64_t max_ms);

/* Leave this behind for the key's next pass (NULL: forget). Only ever to save calls: it is lost at
 * a restart, and when nobody leads. Kept when the pass succeeds; one that failed after it has
 * written something leaves nothing behind. */
void prb_changes_remember(struct prb_changes *changes, struct json_object *memory_taken);

/* Every DELETE names the uid it means: `object` is what was seen. Absent counts as done. An object
 * without a uid is a defect and ends the process: nothing is deleted by name alone. */
void prb_changes_delete(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why);

/* The same, but only if nobody has changed it since: for who decided by a label or an annotation.
 */
void prb_changes_delete_unchanged(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why);

/*
 * Go on only if a live GET says that this is not there while its kind is served. A cache that has
 * lost it, a kind that is not installed, or a server that could not be asked end the list here, and
 * it is decided anew later.
 */
void prb_changes_expect_absent(
        struct prb_changes *changes, const struct prb_ref *ref, const char *why);

/* The same of a whole collection in a namespace: go on only if a live LIST of it is empty. For who
 * is about to do what cannot be undone, and must not miss what a cache has not seen yet. */
void prb_changes_expect_none(struct prb_changes *changes, const struct prb_gvr *gvr,
        const char *namespace, const char *why);

/* Add or remove a finalizer on what was seen; nothing is added to the list when it is so already.
 */
void prb_changes_add_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why);
void prb_changes_remove_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why);

/*
 * Add or remove an owner reference on what was seen, all others as they are; nothing is added to
 * the list when it is so already. An owner of the same apiVersion group, kind and name but another
 * uid is the same owner in an earlier life, and replaced, or removed with it. The patch tests the
 * uid and the whole list that was seen, or the resourceVersion where there was no list: CONFLICT
 * (the server may say INVALID; apply tells it as CONFLICT) when somebody else was faster. To remove
 * it from what is gone is done.
 */
void prb_changes_add_owner(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const struct prb_owner *owner, const char *why);
void prb_changes_remove_owner(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const struct prb_owner *owner, const char *why);

__attribute__((format(printf, 6, 7))) void prb_changes_event(struct prb_changes *changes,
        const struct prb_ref *ref, const struct prb_object *regarding, bool warning,
        const char *reason, const char *fmt, ...);

/* Of the last change of the list, an Event: a reason that is made of names. */
void prb_changes_set_reason(struct prb_changes *changes, char *reason_taken);

/* Put the changes of `from` behind those of `to`, and whether and when to go on, to look again and
 * to retry, and what to remember; what it waits for stays behind. `from` is empty then. */
void prb_changes_move(struct prb_changes *to, struct prb_changes *from);

/* Look again in `ms` (the shortest of several calls holds). */
void prb_changes_again(struct prb_changes *changes, int64_t ms);

/* Say what this key waits for (the last call holds). */
__attribute__((format(printf, 2, 3))) void prb_changes_wait(
        struct prb_changes *changes, const char *fmt, ...);

#endif
