#ifndef PROBATE_CORE_CHANGES_H
#define PROBATE_CORE_CHANGES_H

/*
 * What a reconciler wants: an ordered list of intended writes with their preconditions, Events to
 * record, a time to look again, and what the key waits for. Pure data; control/apply performs it
 * in order and stops at the first write that fails, so a later change may rely on the earlier ones.
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

enum prb_change_type {
    PRB_CHANGE_CREATE,
    PRB_CHANGE_MERGE_PATCH,
    PRB_CHANGE_JSON_PATCH,
    PRB_CHANGE_APPLY, /* server-side apply, forced, as Probate's own field manager */
    PRB_CHANGE_DELETE,
    PRB_CHANGE_EXPECT_ABSENT, /* no write: goes on only when the server positively has no such thing
                               */
    PRB_CHANGE_EXPECT_NONE,   /* likewise of all in a namespace: of `ref` the name is empty */
    PRB_CHANGE_EVENT,
};

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
    const char *reason;  /* static; EVENT: CamelCase */
    char *note;          /* owned; EVENT: text for a person */
    char *api_version;   /* owned; EVENT: of what it regards */
    char *kind;          /* owned; EVENT: likewise; "" when only its metadata is known */
};

struct prb_changes {
    struct prb_change *items; /* owned */
    size_t count;
    size_t cap;
    int64_t again_after_ms; /* look again after this time; 0: only when something changes */
    char *waits_for;        /* owned; what stands in the way, for a person; NULL: nothing */
};

void prb_changes_init(struct prb_changes *changes);
void prb_changes_done(struct prb_changes *changes);
static inline void prb_changes_donep(struct prb_changes *changes)
{
    prb_changes_done(changes);
}

void prb_changes_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why);

/* `resource_version` NULL: last write wins on the fields named. `subresource` NULL or "status". */
void prb_changes_merge_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *resource_version,
        const char *why);
void prb_changes_json_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *why);
void prb_changes_apply(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *subresource, const char *why);

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

__attribute__((format(printf, 6, 7))) void prb_changes_event(struct prb_changes *changes,
        const struct prb_ref *ref, const struct prb_object *regarding, bool warning,
        const char *reason, const char *fmt, ...);

/* Put the changes of `from` behind those of `to`, and its time to look again; what it waits for
 * stays behind. `from` is empty then. */
void prb_changes_move(struct prb_changes *to, struct prb_changes *from);

/* Look again in `ms` (the shortest of several calls holds). */
void prb_changes_again(struct prb_changes *changes, int64_t ms);

/* Say what this key waits for (the last call holds). */
__attribute__((format(printf, 2, 3))) void prb_changes_wait(
        struct prb_changes *changes, const char *fmt, ...);

#endif
