/*
 * How are recorded resources taken away, so that nothing goes that should stay?
 *
 * In rounds, all entries side by side: find the kind, read the object, bring references in line,
 * and when all of that is done, delete. No reference is added on the way. Every write carries what
 * was seen: a reference goes only from the list that was read, and a DELETE has the uid and the
 * version of what was judged here. So nobody can make something theirs between our look and our
 * DELETE and lose it; they, or we, come too late and look again.
 */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_remove_run.h"

static bool owns(const struct prb_removal_run *run, const struct prb_applied_entry *entry)
{
    return !prb_work_must_stay(entry->group, entry->resource, entry->name) &&
           !prb_orphans_spare(run->plan->work, entry) &&
           !prb_orphans_spare(run->plan->recorded, entry);
}

/* Is the object that is there on record under another entry, or under this one before its uid was
 * known? Then it is no stranger. */
static bool is_recorded_too(const struct prb_removal_run *run,
        const struct prb_applied_entry *entry, const struct prb_object *live)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        const struct prb_applied_entry *other = &run->plan->entries[i];

        if (!other->by_kind && prb_streq(other->name, entry->name) &&
                prb_streq(other->resource, entry->resource) &&
                prb_streq(other->group, entry->group) &&
                prb_streq(other->namespace, entry->namespace) &&
                (other->uid[0] == '\0' || prb_streq(other->uid, prb_object_uid(live))))
            return true;
    }
    return false;
}

enum prb_removal_verdict prb_removal_ask(const struct prb_removal_run *run,
        const struct prb_removal_step *step, const struct prb_object *live)
{
    const struct prb_applied_entry *entry = &step->removal->entry;

    return prb_removal_judge(&(struct prb_removal_case){
            .live = live,
            .owner = &run->owner,
            .recorded_uid = entry->uid,
            .stays = !owns(run, entry),
            .disowns_others = prb_object_is_deleting(run->pair->applied) &&
                              !is_recorded_too(run, entry, live),
    });
}

/* Nothing spares it, and yet it stays, for want of our reference: somebody has to know. */
static bool is_unowned(const struct prb_removal_run *run, const struct prb_removal *removal)
{
    return owns(run, &removal->entry) && !prb_object_is_deleting(removal->live) &&
           !prb_object_is_owned_by(removal->live, run->owner.uid);
}

static void align(struct prb_removal_run *run, struct prb_removal_step *step)
{
    switch (prb_removal_ask(run, step, step->removal->live)) {
    case PRB_VERDICT_LEAVE:
        step->removal->state = PRB_REMOVAL_DONE;
        step->removal->unowned = is_unowned(run, step->removal);
        break;
    case PRB_VERDICT_DISOWN:
        prb_removal_disown(run, step);
        break;
    case PRB_VERDICT_AWAIT:
        step->removal->state = PRB_REMOVAL_PENDING;
        break;
    case PRB_VERDICT_DELETE:
        step->removal->state = PRB_REMOVAL_PENDING;
        step->ready = true;
        break;
    }
}

/* One is not deleted while another that is to stay may still lose its owner, or while it is not
 * known what a deleting work says of all of them. */
static bool may_delete(const struct prb_removal_run *run, const struct prb_removals *removals)
{
    if (run->plan->align_only || run->asked)
        return false;
    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_removal *removal = &removals->items[i];

        if (removal->state == PRB_REMOVAL_FAILED &&
                (run->plan->ends || !owns(run, &removal->entry)))
            return false;
    }
    return true;
}

static struct prb_removal_run begin(struct prb_pair *pair, const struct prb_removal_plan *plan)
{
    return (struct prb_removal_run){ .pair = pair,
        .plan = plan,
        .owner = prb_work_owner(pair),
        .steps = prb_calloc(plan->count + 1, sizeof(struct prb_removal_step)),
        .slots = prb_map_new(NULL) };
}

static void end(struct prb_removal_run *run)
{
    for (size_t i = 0; i < run->plan->count; i++)
        free(run->steps[i].key);
    free(run->steps);
    free(run->recorded);
    prb_map_free(run->slots);
}

/*
 * A manifest that is not there any more has to be missing on the hub, not in a cache that is
 * behind: the record may be newer than what the cache has of the work. And one that is being
 * deleted is another matter (work_end.c).
 */
static bool is_confirmed(const struct prb_pair *pair, const struct prb_outcome *hub)
{
    return hub->code == PRB_OK && hub->object && pair->work &&
           prb_streq(prb_object_uid(hub->object), prb_object_uid(pair->work)) &&
           prb_object_generation(hub->object) == prb_object_generation(pair->work) &&
           !prb_object_is_deleting(hub->object);
}

/* Nobody has said yet that these may go; kinds may be looked for meanwhile. */
static void put_off(struct prb_removal_run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        (void)prb_removal_find_kind(run, &run->steps[i]);
        run->steps[i].removal->state = PRB_REMOVAL_ASKED;
    }
}

/* True: the entries may be touched. */
static bool confirm(struct prb_removal_run *run)
{
    const struct prb_outcome *hub;

    if (!run->plan->confirms)
        return true;
    hub = prb_pair_hub(run->pair);
    if (!hub)
        put_off(run);
    if (!hub || is_confirmed(run->pair, hub))
        return hub != NULL;
    for (size_t i = 0; i < run->plan->count; i++)
        prb_removal_fail(&run->steps[i], hub->err,
                hub->err ? "the hub could not be asked"
                         : "the hub has another version of the work than was seen");
    return false;
}

static void delete_all(struct prb_removal_run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        if (run->steps[i].ready)
            prb_removal_delete(run, &run->steps[i]);
    }
}

static void look_at_all(struct prb_removal_run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        struct prb_removal_step *step = &run->steps[i];

        if (prb_removal_find_kind(run, step) && prb_removal_look(run, step))
            align(run, step);
    }
}

void prb_removals_run(
        struct prb_pair *pair, const struct prb_removal_plan *plan, struct prb_removals *ret)
{
    struct prb_removal_run run = begin(pair, plan);

    *ret = (struct prb_removals){ .items = prb_calloc(plan->count + 1, sizeof(*ret->items)),
        .count = plan->count };
    for (size_t i = 0; i < plan->count; i++) {
        ret->items[i].entry = plan->entries[i];
        run.steps[i].removal = &ret->items[i];
    }
    if (confirm(&run)) {
        look_at_all(&run);
        if (may_delete(&run, ret))
            delete_all(&run);
    }
    end(&run);
}

void prb_work_remove(struct prb_pair *pair, const struct prb_applied_entry *entries, size_t count,
        const struct prb_manifest_work *work, struct prb_removals *ret)
{
    const struct prb_removal_plan plan = {
        .entries = entries, .count = count, .work = work, .confirms = true
    };

    *ret = (struct prb_removals){ .count = 0 };
    if (count > 0)
        prb_removals_run(pair, &plan, ret);
}

void prb_removals_done(struct prb_removals *removals)
{
    free(removals->items);
    *removals = (struct prb_removals){ .count = 0 };
}

size_t prb_removals_in(const struct prb_removals *removals, enum prb_removal_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < removals->count; i++)
        count += removals->items[i].state == state ? 1 : 0;
    return count;
}
