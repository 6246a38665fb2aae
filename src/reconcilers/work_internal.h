#ifndef PROBATE_RECONCILERS_WORK_INTERNAL_H
#define PROBATE_RECONCILERS_WORK_INTERNAL_H

/*
 * The parts of the reconciler `work`. A key is the AppliedManifestWork "<hub hash>-<work>" on the
 * cluster, whether it exists or not: a work on the hub and its AppliedManifestWork are one pair,
 * and one worker at a time has it.
 *
 *   work.c         who is concerned: which of the parts below it is
 *   work_apply*    a live work: bring its manifests to the cluster, say what became of each
 *   work_map.c     which pairs an object on either side concerns, which kinds are to be watched
 *   work_remove*   one way to take recorded resources away, for all who do
 *   work_orphans.c    the orphan settings, as the AppliedManifestWork has them on record
 *   work_end.c     a deleting work: align references, delete its AppliedManifestWork, let go
 *   work_finalize.c   a deleting AppliedManifestWork: everything recorded goes, then its finalizer
 *   work_evict.c   an AppliedManifestWork without a work
 *   work_tell.c    what a person reads on the hub meanwhile
 */

#include "probate/core/changes.h"
#include "probate/core/reconciler.h"
#include "probate/model/delete_option.h"
#include "probate/model/manifest_work.h"
#include "probate/model/outcome.h"
#include "probate/model/side.h"
#include "probate/model/view.h"
#include "probate/reconcilers/work.h"

extern const struct prb_gvr prb_work_works;   /* manifestworks on the hub's side */
extern const struct prb_gvr prb_work_applied; /* appliedmanifestworks on the cluster */

/* Every 4 minutes, as the reference agent: what is not watched is looked at again. */
#define PRB_WORK_RESYNC_MS (4 * 60 * 1000)

/* After a failure: soon, since a bulk deletion through CriticalServices resolves itself by trying
 * again; and not often, since an error may last. */
#define PRB_WORK_RETRY_MIN_MS 1000
#define PRB_WORK_RETRY_MAX_MS 30000

/* In the text of each refusal by an admission webhook, whatever its code. */
#define PRB_REFUSED_BY_WEBHOOK "admission webhook"

/* One pair, as this round sees it. Everything is borrowed from view and caller. */
struct prb_pair {
    const struct prb_work_settings *settings;
    const struct prb_view *view;
    struct prb_ref work_ref;          /* name "" when the key is of another hub */
    struct prb_ref applied_ref;       /* the key */
    const struct prb_object *work;    /* NULL: the hub has none */
    const struct prb_object *applied; /* NULL: not there yet, or any more */
    struct prb_changes *out;
};

/* A live work whose AppliedManifestWork is not deleting. */
void prb_work_apply(struct prb_pair *pair);

/* A deleting work that has our finalizer. */
void prb_work_end(struct prb_pair *pair);

/* No work, or one that is deleting without our finalizer, and an AppliedManifestWork of ours. */
void prb_work_evict(struct prb_pair *pair);

/* The AppliedManifestWork is deleting, whatever the work does: everything recorded goes, then its
 * finalizer. */
void prb_work_finalize(struct prb_pair *pair);

/* The work is back: nothing is evicted. True: that has to be written first. */
bool prb_work_evict_stop(struct prb_pair *pair);

/* Whose AppliedManifestWork is it? One that names no agent is nobody else's. */
bool prb_work_is_ours(const struct prb_pair *pair);
bool prb_work_is_foreign(const struct prb_pair *pair);
const char *prb_work_agent_of(const struct prb_object *applied); /* "": of nobody */

/*
 * Is this what all works stand on: the record of one, or the definition of all? Deleting the one
 * takes away what another work has brought, or waits for itself; deleting the other does so with
 * all works of the cluster. So they are nobody's to own, whatever a manifest or a record says.
 */
bool prb_work_must_stay(const char *group, const char *resource, const char *name);

/* The reference that makes something ours; `applied` must exist. Borrowed from it. */
struct prb_owner prb_work_owner(const struct prb_pair *pair);

/* One entry of status.appliedResources. */
struct prb_applied_entry {
    const char *group, *version, *resource, *namespace, *name; /* borrowed, never NULL */
    const char *uid; /* "": recorded before it was applied */
    bool by_kind;    /* not recorded at all: `resource` is the kind of a manifest */
};

/* --- the orphan settings on record ------------------------------------------------------------ */

/* Of an AppliedManifestWork. `work` has no manifests: only what it spares counts. */
struct prb_orphans {
    bool any;                  /* something is on record; else `work` is not to be asked */
    struct prb_object *source; /* owned; NULL: nothing */
    struct prb_manifest_work work;
};
void prb_orphans_read(const struct prb_object *applied, struct prb_orphans *ret);
void prb_orphans_done(struct prb_orphans *orphans);
static inline void prb_orphans_donep(struct prb_orphans *orphans)
{
    prb_orphans_done(orphans);
}

/* Put the settings of `work` into the annotations of a new AppliedManifestWork. */
void prb_orphans_put(struct json_object *metadata, const struct prb_object *work);

/* A merge patch that makes `applied` have the settings of `work` on record; NULL: it does. */
struct json_object *prb_orphans_patch(
        const struct prb_object *applied, const struct prb_object *work);

/* Do these settings spare this resource? NULL spares nothing. */
bool prb_orphans_spare(const struct prb_manifest_work *work, const struct prb_applied_entry *entry);

/* --- taking recorded resources away ------------------------------------------------------------
 */

/* How it stands with one entry that is to go. */
enum prb_removal_state {
    PRB_REMOVAL_DONE,    /* gone, never ours, or no longer: the entry may be dropped */
    PRB_REMOVAL_ASKED,   /* needs another round: reads or writes were added to `out` */
    PRB_REMOVAL_PENDING, /* it is terminating: wait until it is gone */
    PRB_REMOVAL_FAILED,  /* could not be found out or done: keep the entry, try again */
};

struct prb_removal {
    struct prb_applied_entry entry;
    enum prb_removal_state state;
    const struct prb_object *live; /* borrowed from outcome or view; NULL: not read */
    const struct prb_error *err;   /* FAILED; borrowed from an outcome; NULL: see `defect` */
    const char *defect;            /* static: why it can never be done like this */
    bool deleted;                  /* a DELETE of this pass has been accepted */
    bool not_served;               /* DONE only as long as its kind is not served */
    bool unowned;                  /* DONE: it is there, and stays for want of our reference */
};

struct prb_removals {
    struct prb_removal *items; /* owned */
    size_t count;
};
void prb_removals_done(struct prb_removals *removals);
static inline void prb_removals_donep(struct prb_removals *removals)
{
    prb_removals_done(removals);
}

/*
 * Take these away, by the one path that manifest removal and work deletion share (issue text and
 * facts in docs/work-agent.md): call it in every round of a pass with the same entries; it adds the
 * next reads and writes to pair->out and says how each stands. Any PRB_REMOVAL_ASKED: the caller
 * ends with prb_changes_go_on. What is to stay, by the deleteOption of the work or because it is
 * ReadOnly, loses its reference instead of being deleted, and no DELETE is asked for before all of
 * these have succeeded.
 */
void prb_work_remove(struct prb_pair *pair, const struct prb_applied_entry *entries, size_t count,
        const struct prb_manifest_work *work, struct prb_removals *ret);

/* For a person, as in the condition Deleting: "2 of 7 resources are left: configmaps default/a
 * (finalizer x/y), ...". */
void prb_removals_describe(const struct prb_removals *removals, size_t total, struct prb_str *out);

/*
 * The entries of status.appliedResources; returns a prb_malloc'ed array. Malformed ones (names that
 * no object can have, groups of the hub's side) are left out of it, never out of the status:
 * prb_applied_malformed says how many there are, and where the first is.
 */
struct prb_applied_entry *prb_applied_entries(const struct prb_object *applied, size_t *ret_count);
size_t prb_applied_malformed(const struct prb_object *applied, size_t *ret_first);

#endif
