/*
 * How is a person told what a deletion waits for?
 *
 * The condition is written before anything is deleted: it is there then even if that is refused,
 * and since it goes through only on the cluster as it was seen, it also makes sure that what is
 * deleted belongs to a cluster that is still being deleted, and not to one that has got its name
 * meanwhile.
 */

#include <string.h>

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "cluster_departure.h"
#include "condition.h"

/* While a call is refused. */
#define FAILED "CleanupFailed"

/* Bytes that are quoted of a refusal: the longest texts of the API server about rights. */
#define TROUBLE_MAX 700

/* What was refused is tried again, and may be done by now: then it should not be said any more. */
#define TROUBLE_AGAIN_MS 1000

/*
 * Most of what is deleted goes within moments: as long as the last deletion is younger than this,
 * it is no news how many are left. A namespace takes 5.3 s at best.
 */
#define NEWS_AFTER_MS 6000

/* The works of a cluster are read when its deletion begins, within moments as a rule. It is too
 * early before to say that they are not known. */
#define PENDING_MS 5000

/* What there is to say in one pass. */
struct news {
    const char *status, *reason; /* of the condition */
    const char *event;           /* NULL: no Event */
    const char *text;            /* borrowed */
    bool warning;                /* the Event is one */
};

static const char *reason_seen(const struct prb_departure *departure)
{
    return prb_json_str(prb_condition_find(departure->cluster, PRB_CONTENT_CONDITION), "reason");
}

bool prb_departure_has_ended(const struct prb_departure *departure)
{
    const struct json_object *seen = prb_condition_find(departure->cluster, PRB_CONTENT_CONDITION);

    return prb_streq(prb_json_str(seen, "status"), "True");
}

/* Write the condition where it differs, and an Event where another step begins. */
static bool say(
        const struct prb_departure *departure, const struct news *news, struct prb_changes *out)
{
    const struct prb_condition condition = { .type = PRB_CONTENT_CONDITION,
        .status = news->status,
        .reason = news->reason,
        .message = news->text };
    struct json_object *patch =
            prb_condition_patch(departure->cluster, &condition, prb_view_now_ms(departure->view));

    if (!patch)
        return false;
    prb_changes_merge_patch(out, &departure->ref, patch, "status",
            prb_object_resource_version(departure->cluster), "how far its deletion is");
    if (news->event && !prb_streq(reason_seen(departure), news->reason))
        prb_changes_event(out, &departure->ref, departure->cluster, news->warning, news->event,
                "%s", news->text);
    return true;
}

/* Changes nothing, and fails where another cluster has the name, or none. */
static void expect_same(const struct prb_departure *departure, struct prb_changes *out)
{
    struct json_object *patch = prb_json_patch_new();

    prb_json_patch_add(patch, "test", "/metadata/uid",
            json_object_new_string(prb_object_uid(departure->cluster)));
    prb_changes_json_patch(out, &departure->ref, patch, NULL, "it is still the same cluster");
}

/* Is it too early to tell how many are left? For how long then; 0: no. */
static int64_t not_yet_ms(const struct prb_departure *departure, const struct prb_step *step,
        const struct prb_step_state *state)
{
    int64_t age_ms = prb_view_now_ms(departure->view) - state->last_ms;

    if (state->last_ms == 0 || state->acts.count > 0 ||
            !prb_streq(reason_seen(departure), step->reason))
        return 0;

    /* A clock that is behind must not put it off for long. */
    return age_ms > -NEWS_AFTER_MS && age_ms < NEWS_AFTER_MS ? NEWS_AFTER_MS - age_ms : 0;
}

/* Resources that count as none left are told of once: when the first step is over. */
static void warn_of_unserved(const struct prb_departure *departure, struct prb_changes *out)
{
    const char *seen = reason_seen(departure);

    if (!seen || prb_streq(seen, prb_step_monitored.reason))
        prb_monitored_warn(departure, out);
}

/* Is it too early to say that something is not known? For how long then; 0: no. After a start all
 * is being found out anew; it would say so and take it back. */
static int64_t pending_ms(const struct prb_departure *departure, const struct prb_step_state *state)
{
    int64_t age_ms =
            prb_view_now_ms(departure->view) - prb_object_deleted_at_ms(departure->cluster);

    if (!state->pending)
        return 0;
    if (age_ms > -PENDING_MS && age_ms < PENDING_MS)
        return PENDING_MS - age_ms;
    return reason_seen(departure) ? PENDING_MS : 0;
}

static void hold_cluster(const struct prb_departure *departure, const struct prb_step *step,
        const struct prb_step_state *state, struct prb_changes *out)
{
    const char *trouble = prb_view_trouble(departure->view);
    struct news news = { .status = "False",
        .reason = trouble ? FAILED : step->reason,
        .event = trouble ? FAILED : step->event,
        .text = out->waits_for,
        .warning = trouble != NULL };
    int64_t wait_ms = trouble ? 0 : not_yet_ms(departure, step, state);
    int64_t too_early_ms = pending_ms(departure, state);

    if (too_early_ms > 0) {
        prb_changes_again(out, too_early_ms);
        return;
    }
    if (wait_ms > 0)
        prb_changes_again(out, wait_ms);
    else if (!say(departure, &news, out) && state->acts.count > 0)
        expect_same(departure, out);
    if (step != &prb_step_monitored && wait_ms == 0)
        warn_of_unserved(departure, out);
}

/* Of a cluster that is gone only the namespace can tell, and only when something is done. */
static void hold_remains(const struct prb_departure *departure, const struct prb_step *step,
        const struct prb_step_state *state, struct prb_changes *out)
{
    if (state->acts.count == 0)
        return;
    prb_changes_expect_absent(out, &departure->ref, "only a cluster that is gone leaves remains");
    prb_changes_event(out, &departure->namespace_ref, departure->namespace, false, step->event,
            "ManagedCluster %s is gone: %s", departure->ref.name, prb_str_get(&state->text));
}

/* What went wrong when this was tried last, then what is waited for. */
static void set_wait(
        const struct prb_departure *departure, const char *text, struct prb_changes *out)
{
    const char *trouble = prb_view_trouble(departure->view);
    prb_auto(prb_str_done) struct prb_str cut;

    prb_str_init(&cut, TROUBLE_MAX);
    if (!trouble) {
        prb_changes_wait(out, "%s", text);
        return;
    }
    prb_str_add(&cut, trouble);
    prb_changes_wait(out, "%s; %s", prb_str_get(&cut), text);
    prb_changes_again(out, TROUBLE_AGAIN_MS);
}

void prb_departure_hold(const struct prb_departure *departure, const struct prb_step *step,
        struct prb_step_state *state, struct prb_changes *out)
{
    set_wait(departure, prb_str_get(&state->text), out);
    if (departure->cluster)
        hold_cluster(departure, step, state, out);
    else
        hold_remains(departure, step, state, out);
    if (state->acts.count > 0)
        prb_step_expect_earlier(departure, step, out);
    prb_changes_move(out, &state->acts);
}

void prb_departure_tell_trouble(const struct prb_departure *departure, struct prb_changes *out)
{
    struct news news = { .status = "False", .reason = FAILED, .event = FAILED, .warning = true };

    set_wait(departure, "the namespace has to be marked before anything else", out);
    news.text = out->waits_for;

    /* The mark outlives the cluster: it must not be put there for one that only the cache has. */
    if (!prb_view_trouble(departure->view) || !say(departure, &news, out))
        expect_same(departure, out);
}

void prb_departure_tell_end(const struct prb_departure *departure, struct prb_changes *out)
{
    const char *stays = prb_namespace_stays(departure);
    prb_auto(prb_str_done) struct prb_str text;
    struct news news = { .status = "True", .reason = "ContentDeleted", .event = "ContentDeleted" };

    prb_str_init(&text, PRB_STEP_TEXT_MAX);
    prb_str_addf(&text, "what belonged to cluster %s is gone%s%s", departure->ref.name,
            stays ? "; " : "", stays ? stays : "");
    news.text = prb_str_get(&text);

    /* That it is gone is the last word on it, and not to be taken from a cache alone. */
    prb_step_expect_earlier(departure, NULL, out);
    (void)say(departure, &news, out);
    if (stays)
        prb_changes_event(out, &departure->ref, departure->cluster, false, "NamespaceKept",
                "namespace %s of cluster %s: %s", departure->ref.name, departure->ref.name, stays);
    warn_of_unserved(departure, out);
}
