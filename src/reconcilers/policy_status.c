/*
 * What does the status of a policy say?
 *
 * It is written only when it says something else: times move with what they are about, never by
 * themselves.
 */

#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

/* Entries of status.history, as its schema says. */
#define HISTORY_MAX 10

static const struct json_object *status_of(const struct prb_policy_run *run)
{
    return prb_object_status(run->now);
}

static void set_now(const struct prb_policy_run *run, struct json_object *to, const char *key)
{
    char text[PRB_TIME_SIZE];

    prb_time_format(prb_view_now_ms(run->view), text);
    prb_json_set_str(to, key, text);
}

/* ---- one template ---- */

static const char *type_of(const char *compliant)
{
    return prb_streq(compliant, PRB_COMPLIANT) ? "notification" : "violation";
}

/* The time of the last transition stays as long as it is the same state. */
static struct json_object *detail(const struct prb_policy_run *run, size_t index,
        const char *compliant, const char *reason, const char *message)
{
    const struct json_object *old =
            prb_json_elem(prb_json_arr(status_of(run), "compliancyDetails"), index);
    const struct json_object *was = prb_json_elem(prb_json_arr(old, "conditions"), 0);
    const char *since = prb_json_str(was, "lastTransitionTime");
    struct json_object *entry = json_object_new_object();
    struct json_object *conditions = json_object_new_array();
    struct json_object *condition = json_object_new_object();

    if (since && prb_streq(prb_json_str(old, "Compliant"), compliant) &&
            prb_streq(prb_json_str(was, "reason"), reason))
        prb_json_set_str(condition, "lastTransitionTime", since);
    else
        set_now(run, condition, "lastTransitionTime");
    prb_json_set_str(condition, "message", message);
    prb_json_set_str(condition, "reason", reason);
    prb_json_set_str(condition, "status", "True");
    prb_json_set_str(condition, "type", type_of(compliant));
    prb_json_push(conditions, condition);
    prb_json_set_str(entry, "Compliant", compliant);
    prb_json_set(entry, "conditions", conditions);
    return entry;
}

static struct json_object *details(const struct prb_policy_run *run)
{
    struct json_object *list = json_object_new_array();

    if (run->policy.defect)
        prb_json_push(
                list, detail(run, 0, PRB_NON_COMPLIANT, PRB_REASON_TEMPLATE, run->policy.defect));
    for (size_t i = 0; !run->policy.defect && i < run->policy.count; i++) {
        struct prb_policy_words words = prb_policy_part_words(run, i);
        prb_autofree char *message = words.message;

        prb_json_push(list, detail(run, i, words.is_compliant ? PRB_COMPLIANT : PRB_NON_COMPLIANT,
                                    words.reason, message));
    }
    return list;
}

bool prb_policy_is_compliant(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    if (run->policy.defect || prb_policy_removals_left(removals) > 0)
        return false;
    for (size_t i = 0; i < run->policy.count; i++) {
        struct prb_policy_words words = prb_policy_part_words(run, i);

        free(words.message);
        if (!words.is_compliant)
            return false;
    }
    return true;
}

/* ---- all of it, in one sentence ---- */

/* A message of the user's own takes the place of ours, if it is one: a Go template is not. */
static const char *custom_message(const struct prb_policy_run *run, const char *compliant)
{
    const char *text = prb_json_str(run->policy.messages,
            prb_streq(compliant, PRB_COMPLIANT) ? "compliant" : "noncompliant");

    return text && text[0] != '\0' && !strstr(text, "{{") ? text : NULL;
}

/* "NonCompliant; violation - configmaps [web] not found in namespace default; notification - ..."
 */
static char *sentence(const struct prb_policy_run *run, const char *compliant,
        const struct json_object *list, const struct prb_policy_removals *removals)
{
    const char *custom = custom_message(run, compliant);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_POLICY_TEXT_MAX);
    prb_str_add(&text, compliant);
    if (custom)
        prb_str_addf(&text, "; %s", custom);
    for (size_t i = 0; !custom && i < prb_json_len(list); i++) {
        const struct json_object *condition =
                prb_json_elem(prb_json_arr(prb_json_elem(list, i), "conditions"), 0);

        prb_str_addf(&text, "; %s - %s", prb_json_str(condition, "type"),
                prb_json_str(condition, "message"));
    }
    if (removals && prb_policy_removals_left(removals) > 0) {
        prb_str_add(&text, "; violation - of what templates do not mean any more, ");
        prb_policy_removals_describe(removals, &text);
    }
    return prb_str_take(&text);
}

/* NULL: it says so already. */
static struct json_object *history_with(const struct prb_policy_run *run, const char *message)
{
    const struct json_object *old = prb_json_arr(status_of(run), "history");
    struct json_object *list, *entry;

    if (prb_streq(prb_json_str(prb_json_elem(old, 0), "message"), message))
        return NULL;
    list = json_object_new_array();
    entry = json_object_new_object();
    set_now(run, entry, "lastTimestamp");
    prb_json_set_str(entry, "message", message);
    prb_json_push(list, entry);
    for (size_t i = 0; i < prb_json_len(old) && i + 1 < HISTORY_MAX; i++)
        prb_json_push(list, prb_json_copy(prb_json_elem(old, i)));
    return list;
}

/* ---- the patch ---- */

static void put_if_new(const struct prb_policy_run *run, struct json_object *status,
        const char *key, struct json_object *value_taken)
{
    prb_auto(prb_json_free) struct json_object *value = value_taken;

    if (!prb_json_equal(prb_json_find(status_of(run), key), value))
        prb_json_set(status, key, prb_take(value));
}

static struct json_object *finish(
        const struct prb_policy_run *run, struct json_object *status_taken, const char *message)
{
    struct json_object *history = history_with(run, message), *patch;

    if (history)
        prb_json_set(status_taken, "history", history);
    put_if_new(run, status_taken, "lastEvaluatedGeneration",
            json_object_new_int64(prb_object_generation(run->now)));
    if (json_object_object_length(status_taken) == 0) {
        prb_json_free(status_taken);
        return NULL;
    }
    set_now(run, status_taken, "lastEvaluated");
    patch = json_object_new_object();
    prb_json_set(patch, "status", status_taken);
    return patch;
}

struct json_object *prb_policy_status(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    const char *compliant =
            prb_policy_is_compliant(run, removals) ? PRB_COMPLIANT : PRB_NON_COMPLIANT;
    struct json_object *status = json_object_new_object();
    struct json_object *list = details(run);
    prb_autofree char *message = sentence(run, compliant, list, removals);

    put_if_new(run, status, "compliancyDetails", list);
    put_if_new(run, status, "compliant", json_object_new_string(compliant));
    put_if_new(run, status, "relatedObjects", prb_policy_related(run, removals));
    return finish(run, status, message);
}

/* What is related stays as it was: that is what is worked off. */
struct json_object *prb_policy_status_ending(
        const struct prb_policy_run *run, const char *reason, const char *text)
{
    struct json_object *status = json_object_new_object();
    struct json_object *list = json_object_new_array();
    prb_autofree char *message = NULL;

    prb_json_push(list, detail(run, 0, PRB_TERMINATING, reason, text));
    message = sentence(run, PRB_TERMINATING, list, NULL);
    put_if_new(run, status, "compliancyDetails", list);
    put_if_new(run, status, "compliant", json_object_new_string(PRB_TERMINATING));
    return finish(run, status, message);
}
