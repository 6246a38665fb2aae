/* How is a person told which objects are left, and what holds each? */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "condition.h"
#include "policy_internal.h"

/* Objects that are named: each has a text of its own, an admission denial most of all. */
#define NAMED_MAX 10

/* Bytes of a server's words: the texts of an admission webhook are here the most important. */
#define WORDS_MAX 800

/* When to look at those again whose end nothing tells. */
#define PENDING_MS 15000

size_t prb_policy_removals_left(const struct prb_policy_removals *removals)
{
    size_t left = 0;

    for (size_t i = 0; i < removals->count; i++)
        left += removals->items[i].state != PRB_LEFT_DONE ? 1 : 0;
    return left;
}

bool prb_policy_removals_failed(const struct prb_policy_removals *removals)
{
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == PRB_LEFT_FAILED)
            return true;
    }
    return false;
}

void prb_policy_removals_again(const struct prb_policy_removals *removals, struct prb_changes *out)
{
    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_policy_removal *removal = &removals->items[i];

        if (removal->state == PRB_LEFT_FAILED ||
                (removal->state == PRB_LEFT_PENDING && !removal->is_told))
            prb_changes_retry(out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
        else if (removal->state == PRB_LEFT_PENDING)
            prb_changes_again(out, PENDING_MS);
    }
}

static void add_going(struct prb_str *out, const struct prb_policy_removal *removal)
{
    char since[PRB_TIME_SIZE];

    prb_str_add(out, " (being deleted");
    if (prb_object_is_deleting(removal->live)) {
        prb_time_format(prb_object_deleted_at_ms(removal->live), since);
        prb_str_addf(out, " since %s", since);
    }
    if (prb_object_finalizer_count(removal->live) > 0)
        prb_str_add(out, ", held by ");
    prb_names_finalizers(out, removal->live);
    prb_str_addc(out, ')');
}

static void add_steady(struct prb_str *out, const char *words)
{
    prb_autofree char *steady = prb_strdup(words);

    prb_condition_steady(steady);
    prb_str_add(out, steady);
}

/* What was changed meanwhile says so with a number that is another one each time. */
static void add_failure(struct prb_str *out, const struct prb_policy_removal *removal)
{
    prb_auto(prb_str_done) struct prb_str words;

    prb_str_init(&words, WORDS_MAX);
    if (removal->err && removal->err->code == PRB_E_CONFLICT && !removal->err->reason[0])
        prb_str_add(&words, "it was changed meanwhile");
    else if (removal->err)
        add_steady(&words, removal->err->msg);
    prb_str_addf(out, " (%s%s%s%s)", removal->why, words.len > 0 ? ": " : "", prb_str_get(&words),
            words.cut ? "..." : "");
}

static void add_one(struct prb_str *out, const struct prb_policy_removal *removal)
{
    prb_str_addf(out, "%s %s%s%s", removal->kind, removal->namespace,
            removal->namespace[0] != '\0' ? "/" : "", removal->name);
    if (removal->state == PRB_LEFT_FAILED || !removal->live)
        add_failure(out, removal);
    else
        add_going(out, removal);
}

void prb_policy_removals_describe(const struct prb_policy_removals *removals, struct prb_str *out)
{
    size_t left = prb_policy_removals_left(removals), named = 0;

    prb_str_addf(out, "%zu of %zu related objects %s left", left, removals->count,
            left == 1 ? "is" : "are");
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == PRB_LEFT_DONE)
            continue;
        if (named == NAMED_MAX) {
            prb_str_addf(out, " and %zu more", left - named);
            break;
        }
        prb_str_add(out, named++ == 0 ? ": " : ", ");
        add_one(out, &removals->items[i]);
    }
}
