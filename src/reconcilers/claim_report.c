/* How is a person told what the deletion of a claim waits for? */

#include <string.h>

#include "probate/base/str.h"

#include "claim_internal.h"
#include "condition.h"

#define CONDITION "Ready"

/* While it waits, whatever for; as Crossplane has it. */
#define DELETING "Deleting"

/* Most of what is deleted goes within moments: as long as the last deletion is younger than this,
 * it is no news how many are left. */
#define NEWS_AFTER_MS 2000

/* So often it is told how many are left, while this goes down. */
#define NEWS_EACH_MS 5000

/* How the condition begins. What lists who waits says so itself, of each. */
#define WAITS_FOR "waits for "

/* What no watch tells of: a composite that is not bound to the claim, or cannot be watched. */
#define LOOK_AGAIN_MS 5000

static const char *reason_seen(const struct prb_claim_case *a_case)
{
    return prb_json_str(prb_condition_find(a_case->claim, CONDITION), "reason");
}

void prb_claim_say(const struct prb_claim_case *a_case, const struct prb_claim_news *news,
        const char *text, struct prb_changes *out)
{
    const struct prb_condition condition = {
        .type = CONDITION, .status = "False", .reason = news->reason, .message = text
    };
    struct json_object *patch =
            prb_condition_patch(a_case->claim, &condition, prb_view_now_ms(a_case->view));

    prb_changes_wait(out, "%s", text);
    if (!patch)
        return;
    if (news->event && (news->warning || !prb_streq(reason_seen(a_case), news->reason)))
        prb_changes_event(out, &a_case->ref, a_case->claim, news->warning, news->event, "%s", text);
    prb_changes_merge_patch(out, &a_case->ref, patch, "status",
            prb_object_resource_version(a_case->claim), "how far its deletion is");
}

/* What is left of a time; a clock that is behind must not put anything off for long. */
static int64_t left_of(int64_t time_ms, int64_t passed_ms)
{
    return passed_ms > -time_ms && passed_ms < time_ms ? time_ms - passed_ms : 0;
}

/* Is it too early to tell how many are left? For how long then; 0: no. */
static int64_t not_yet_ms(const struct prb_claim_case *a_case, const struct prb_claim_tree *tree)
{
    int64_t now_ms = prb_view_now_ms(a_case->view), told_ms = 0;
    int64_t quiet_ms = left_of(NEWS_AFTER_MS, now_ms - tree->last_ms);
    int64_t pause_ms;

    if (!prb_streq(reason_seen(a_case), DELETING))
        return 0;
    (void)prb_json_int(prb_view_memory(a_case->view), PRB_CLAIM_TOLD, &told_ms);
    pause_ms = left_of(NEWS_EACH_MS, now_ms - told_ms);
    return quiet_ms > pause_ms ? quiet_ms : pause_ms;
}

/* What a later pass has to know. */
static void remember(const struct prb_claim_case *a_case, const struct prb_object *composite,
        bool told, struct prb_changes *out)
{
    const struct json_object *before = prb_view_memory(a_case->view);
    struct json_object *memory = before ? prb_json_copy(before) : json_object_new_object();

    prb_json_set_str(memory, PRB_CLAIM_UPGRADED, prb_object_uid(composite));
    if (prb_view_outcome(a_case->view, PRB_CLAIM_SLOT_DELETE))
        prb_json_set_int(memory, PRB_CLAIM_UPGRADED_AT, prb_view_now_ms(a_case->view));
    if (told)
        prb_json_set_int(memory, PRB_CLAIM_TOLD, prb_view_now_ms(a_case->view));
    prb_changes_remember(out, memory);
}

/* Who holds the composite itself, when nothing is left below it. */
static void add_own_finalizers(const struct prb_object *composite, struct prb_str *text)
{
    bool first = true;

    for (size_t i = 0; i < prb_object_finalizer_count(composite); i++) {
        const char *finalizer = prb_object_finalizer_at(composite, i);

        if (!finalizer)
            continue;
        prb_str_addf(text, "%s%s", first ? "its finalizers are " : ", ", finalizer);
        first = false;
    }
}

/* Does no watch tell of it when it goes? */
static bool is_unwatched(const struct prb_claim_case *a_case, const struct prb_object *composite)
{
    const struct prb_known_resource *known = NULL;
    struct prb_claim_name name;

    if (prb_claim_composite_name(a_case->claim, &name))
        known = prb_claim_find_kind(a_case->view, name.group, name.kind);
    return !known || known->trouble[0] ||
           !prb_claim_is_bound_to(composite, a_case->claim, &a_case->ref);
}

void prb_claim_hold(const struct prb_claim_case *a_case, const struct prb_object *composite,
        const struct prb_claim_tree *tree, struct prb_changes *out)
{
    static const struct prb_claim_news news = { .reason = DELETING, .event = "DeletingComposite" };
    const char *since = prb_json_str(prb_object_metadata(composite), "deletionTimestamp");
    int64_t wait_ms = not_yet_ms(a_case, tree);
    bool told = false;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CLAIM_TEXT_MAX);
    prb_str_addf(&text, WAITS_FOR "composite %s", a_case->composite);
    if (since)
        prb_str_addf(&text, ", which is being deleted since %s", since);
    prb_str_add(&text, ": ");
    if (tree->total > 0 || tree->unread > 0)
        prb_claim_tree_text(tree, &text);
    else if (prb_object_finalizer_count(composite) > 0)
        add_own_finalizers(composite, &text);
    else
        prb_str_add(&text, "nothing that it composed is left");
    if (prb_object_has_finalizer(composite, "orphan"))
        prb_str_add(&text, "; somebody deleted it so that what it composed stays");
    if (wait_ms > 0) {
        prb_changes_again(out, wait_ms);
    } else {
        size_t count = out->count;

        prb_claim_say(a_case, &news, prb_str_get(&text), out);
        told = out->count > count;
    }
    prb_changes_wait(out, "%s", prb_str_get(&text) + strlen(WAITS_FOR));
    remember(a_case, composite, told, out);
    if (is_unwatched(a_case, composite) || tree->unread > 0)
        prb_changes_again(out, LOOK_AGAIN_MS);
}

void prb_claim_fail(const struct prb_claim_case *a_case, const char *what,
        const struct prb_error *err, struct prb_changes *out)
{
    struct prb_claim_news news = { .reason = DELETING };
    prb_auto(prb_str_done) struct prb_str text;

    /* A conflict mends itself, and a server that is away is told of elsewhere. */
    if (err->code != PRB_E_CONFLICT && !prb_errc_is_transient(err->code))
        news = (struct prb_claim_news){
            .reason = DELETING, .event = "CannotDeleteComposite", .warning = true
        };
    prb_str_init(&text, PRB_CLAIM_TEXT_MAX);
    prb_str_addf(&text, "%s%s%s: %s", what, a_case->composite ? " " : "",
            a_case->composite ? a_case->composite : "", err->msg);
    prb_claim_say(a_case, &news, prb_str_get(&text), out);
    prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
}

void prb_claim_refuse(const struct prb_claim_case *a_case, const char *reason, const char *text,
        struct prb_changes *out)
{
    const struct prb_claim_news news = { .reason = reason, .event = reason, .warning = true };

    prb_claim_say(a_case, &news, text, out);
    prb_changes_again(out, LOOK_AGAIN_MS);
}
