#ifndef SRC_RECONCILERS_WORK_REMOVE_RUN_H
#define SRC_RECONCILERS_WORK_REMOVE_RUN_H

/* One round over all entries of a plan, as the work_remove*.c files share it. */

#include "probate/base/map.h"

#include "work_remove.h"

/* Of one entry in prb_removals_remember. */
#define PRB_KNOWN_UID "uid"
#define PRB_KNOWN_UNOWNED "unowned"

/* One entry in this round. */
struct prb_removal_step {
    struct prb_removal *removal;           /* borrowed: what is told of it */
    const struct prb_known_resource *kind; /* borrowed from an outcome; NULL: not found */
    struct prb_ref ref;                    /* in the version that is served; once `kind` is */
    char *key;                             /* owned; of prb_applied_entry_key, once `kind` is */
    bool ready;                            /* nothing but a DELETE is left to do */
};

struct prb_removal_run {
    struct prb_pair *pair; /* borrowed, as the plan */
    const struct prb_removal_plan *plan;
    struct prb_owner owner;
    struct prb_removal_step *steps; /* owned; one for each entry */
    struct prb_map *slots;          /* owned; those that were asked for in this round */
    bool asked;                     /* something was: alignment is not done yet */

    struct prb_applied_entry *recorded; /* owned; all that is on record; NULL: not read yet */
    size_t recorded_count;
};

/* Each says by true that the next is due; otherwise how it stands with the entry is decided. */
bool prb_removal_find_kind(struct prb_removal_run *run, struct prb_removal_step *step);
bool prb_removal_look(struct prb_removal_run *run, struct prb_removal_step *step);

/* What is to become of it, if it is like this? */
enum prb_removal_verdict prb_removal_ask(const struct prb_removal_run *run,
        const struct prb_removal_step *step, const struct prb_object *live);

void prb_removal_disown(struct prb_removal_run *run, struct prb_removal_step *step);
void prb_removal_delete(struct prb_removal_run *run, struct prb_removal_step *step);

/* What became of one call for an entry. */
struct prb_removal_slot {
    char *name;                        /* the caller's, to free */
    const struct prb_outcome *outcome; /* borrowed; NULL: it is asked for in this round */
    bool ask;                          /* by the caller: nobody did so yet */
};

/* `verb` is told in the slot's name; without an outcome the entry is PRB_REMOVAL_ASKED. */
struct prb_removal_slot prb_removal_slot(
        struct prb_removal_run *run, struct prb_removal_step *step, const char *verb);

/* Give the last change its slot, if there is one since `before`: nothing is written where it is so
 * already. */
bool prb_removal_keep(struct prb_removal_run *run, size_t before, const char *slot);

void prb_removal_fail(struct prb_removal_step *step, const struct prb_error *err, const char *why);

#endif
