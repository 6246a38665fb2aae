/* How do the two sides of a pair learn of each other: what the hub says, and what it is told? */

#include "probate/base/str.h"

#include "condition.h"
#include "work_remove.h"

#define HUB_SLOT "work on the hub"

/* Bytes of a condition's message: the API allows 32768, and a person reads the first lines. */
#define TEXT_MAX 4096

const struct prb_outcome *prb_pair_hub(struct prb_pair *pair)
{
    const struct prb_outcome *outcome = prb_view_outcome(pair->view, HUB_SLOT);

    if (!outcome)
        prb_changes_read(pair->out, &pair->work_ref, HUB_SLOT, "what does it say now?");
    return outcome;
}

enum prb_asked prb_pair_ask_hub(struct prb_pair *pair)
{
    const struct prb_outcome *outcome;

    /* Of another hub nobody can be asked. */
    if (pair->work_ref.name[0] == '\0') {
        pair->work = NULL;
        return PRB_ASKED_KNOWN;
    }
    outcome = prb_pair_hub(pair);
    if (!outcome) {
        prb_changes_go_on(pair->out);
        return PRB_ASKED_PENDING;
    }
    if (outcome->code == PRB_OK || prb_removal_is_absent(outcome)) {
        pair->work = outcome->object;
        return PRB_ASKED_KNOWN;
    }
    prb_changes_wait(pair->out, "nothing is removed before the hub has been asked: %s",
            outcome->err ? outcome->err->msg : "it gave no answer");
    prb_changes_retry(pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
    return PRB_ASKED_FAILED;
}

void prb_pair_tell(struct prb_pair *pair, const char *text)
{
    bool is_deleting = pair->work && prb_object_is_deleting(pair->work);
    struct prb_condition condition = {
        .type = is_deleting ? "Deleting" : "Applied",
        .status = is_deleting ? "True" : "False",
        .reason = is_deleting ? "WorkDeleting" : "AppliedManifestWorkFailed",
        .message = text,
    };
    struct json_object *patch;

    prb_changes_wait(pair->out, "%s", text);
    if (!pair->work)
        return;
    condition.observed_generation = prb_object_generation(pair->work);
    patch = prb_condition_patch(pair->work, &condition, prb_view_now_ms(pair->view));
    if (patch)
        prb_changes_merge_patch(pair->out, &pair->work_ref, patch, "status",
                prb_object_resource_version(pair->work), "how far its removal is");
}

static void add_malformed(struct prb_str *out, const struct prb_object *applied)
{
    size_t first = 0, count = prb_applied_malformed(applied, &first);

    if (count > 0)
        prb_str_addf(out,
                "; %zu of status.appliedResources of AppliedManifestWork %s cannot be read, the "
                "first is number %zu (counted from 0): mend it, or take it out if nothing of that "
                "kind is left",
                count, prb_object_name(applied), first);
}

static void add_unowned(
        struct prb_str *out, const struct prb_pair *pair, const struct prb_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    prb_removals_describe_unowned(removals, pair->applied, &text);
    if (text.len > 0)
        prb_str_addf(out, "; %s", prb_str_get(&text));
}

void prb_pair_tell_unowned(struct prb_pair *pair, const struct prb_ref *ref,
        const struct prb_object *regarding, const struct prb_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_removals_describe_unowned(removals, pair->applied, &text);
    if (text.len > 0)
        prb_changes_event(
                pair->out, ref, regarding, true, "ResourcesStay", "%s", prb_str_get(&text));
}

/* A manifest of which nothing was seen does not count. */
static size_t count_all(const struct prb_removals *removals)
{
    size_t count = 0;

    for (size_t i = 0; i < removals->count; i++)
        count += !removals->items[i].entry.by_kind || removals->items[i].live;
    return count;
}

void prb_pair_tell_left(
        struct prb_pair *pair, const struct prb_removals *removals, const char *first)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    prb_str_add(&text, first);
    prb_removals_describe(removals, count_all(removals), &text);
    if (pair->work && prb_object_is_deleting(pair->work))
        add_unowned(&text, pair, removals);
    add_malformed(&text, pair->applied);
    prb_pair_tell(pair, prb_str_get(&text));
    prb_changes_retry(pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
}
