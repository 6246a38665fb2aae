/* How does an object come to say one more thing in its conditions? */

#include "condition.h"

#include <stddef.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#define AFTER "after "

/* As a denial of Probate's own offers it, with a date that is a fresh one each time. */
#define UNTIL "until="
#define SOME_TIME "TIME"

/* "10.0.0.1:43210->10.0.0.2:443", "after 10001 ms": another number each time. */
static bool is_passing(const char *text, const char *digits, size_t len)
{
    if (digits > text && digits[-1] == ':')
        return prb_starts_with(digits + len, "->");
    return digits - text >= (ptrdiff_t)strlen(AFTER) &&
           prb_starts_with(digits - strlen(AFTER), AFTER) && prb_starts_with(digits + len, " m");
}

/* "until=2026-01-02T03:04:05Z REASON" becomes "until=TIME REASON". */
static void drop_offers(char *text)
{
    for (char *at = strstr(text, UNTIL); at; at = strstr(at, UNTIL)) {
        size_t len;

        at += strlen(UNTIL);
        len = strspn(at, "0123456789-:TZ");
        if (len < strlen(SOME_TIME))
            continue;
        memcpy(at, SOME_TIME, strlen(SOME_TIME));
        memmove(at + strlen(SOME_TIME), at + len, strlen(at + len) + 1);
    }
}

void prb_condition_steady(char *text)
{
    static const char all[] = "0123456789";

    drop_offers(text);
    for (char *at = strpbrk(text, all); at; at = strpbrk(at, all)) {
        size_t len = strspn(at, all);

        if (!is_passing(text, at, len)) {
            at += len;
            continue;
        }
        *at = '?';
        memmove(at + 1, at + len, strlen(at + len) + 1);
    }
}

static bool is_of_type(const struct json_object *item, const char *type)
{
    return prb_streq(prb_json_str(item, "type"), type);
}

static const struct json_object *list_of(const struct prb_object *object)
{
    return prb_json_arr(prb_object_status(object), "conditions");
}

const struct json_object *prb_condition_in(const struct json_object *status, const char *type)
{
    const struct json_object *list = prb_json_arr(status, "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (is_of_type(prb_json_elem(list, i), type))
            return prb_json_elem(list, i);
    }
    return NULL;
}

const struct json_object *prb_condition_find(const struct prb_object *object, const char *type)
{
    return prb_condition_in(prb_object_status(object), type);
}

static bool says(const struct json_object *before, const struct prb_condition *condition)
{
    int64_t observed = 0;

    (void)prb_json_int(before, "observedGeneration", &observed);
    if (condition->observed_generation > 0 && observed != condition->observed_generation)
        return false;
    return before && prb_streq(prb_json_str(before, "status"), condition->status) &&
           prb_streq(prb_json_str(before, "reason"), condition->reason) &&
           prb_streq(prb_json_str(before, "message"), condition->message);
}

static struct json_object *condition_json(
        const struct prb_condition *condition, const struct json_object *before, int64_t now_ms)
{
    const char *since = prb_json_str(before, "lastTransitionTime");
    struct json_object *made = json_object_new_object();
    char now[PRB_TIME_SIZE];

    prb_time_format(now_ms, now);
    if (!prb_streq(prb_json_str(before, "status"), condition->status))
        since = NULL;
    prb_json_set_str(made, "type", condition->type);
    prb_json_set_str(made, "status", condition->status);
    prb_json_set_str(made, "lastTransitionTime", since ? since : now);
    prb_json_set_str(made, "reason", condition->reason);
    prb_json_set_str(made, "message", condition->message);
    if (condition->observed_generation > 0)
        prb_json_set_int(made, "observedGeneration", condition->observed_generation);
    return made;
}

struct json_object *prb_condition_patch(
        const struct prb_object *object, const struct prb_condition *wanted, int64_t now_ms)
{
    const struct json_object *before = prb_condition_find(object, wanted->type);
    const struct json_object *seen = list_of(object);
    prb_autofree char *message = prb_strdup(wanted->message);
    struct prb_condition steady = *wanted;
    struct json_object *patch, *list;

    prb_condition_steady(message);
    steady.message = message;
    if (says(before, &steady))
        return NULL;
    patch = json_object_new_object();
    list = json_object_new_array();

    /* In its old place: a list that others compare should not be shuffled. */
    for (size_t i = 0; i < prb_json_len(seen); i++) {
        const struct json_object *item = prb_json_elem(seen, i);

        if (item == before)
            prb_json_push(list, condition_json(&steady, before, now_ms));
        else if (!is_of_type(item, steady.type))
            prb_json_push(list, prb_json_copy(item));
    }
    if (!before)
        prb_json_push(list, condition_json(&steady, NULL, now_ms));
    prb_json_set(prb_json_ensure_obj(patch, "status"), "conditions", list);
    return patch;
}
