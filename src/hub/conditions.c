/* How does a condition get into the status of an object? */

#include "conditions.h"

#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"

static struct json_object *find(const struct json_object *conditions, const char *type)
{
    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), type))
            return condition;
    }
    return NULL;
}

bool prb_hub_condition_is_true(const struct json_object *tree, const char *type)
{
    const struct json_object *conditions = prb_json_arr(prb_json_obj(tree, "status"), "conditions");

    return prb_streq(prb_json_str(find(conditions, type), "status"), "True");
}

/* The same but for digits: times and counts. */
static bool says_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

const char *prb_hub_condition_keep(
        const struct json_object *tree, const char *type, const char *message)
{
    const struct json_object *conditions = prb_json_arr(prb_json_obj(tree, "status"), "conditions");
    const char *said = prb_json_str(find(conditions, type), "message");

    return said && says_same(said, message) ? said : message;
}

/* The list to add to, made when absent. */
static struct json_object *ensure_list(struct json_object *tree)
{
    struct json_object *status = prb_json_ensure_obj(tree, "status");

    if (!prb_json_arr(status, "conditions"))
        prb_json_set(status, "conditions", json_object_new_array());
    return prb_json_arr(status, "conditions");
}

bool prb_hub_set_condition(
        struct json_object *tree, const struct prb_hub_condition *condition, int64_t now_ms)
{
    struct json_object *list = ensure_list(tree), *at = find(list, condition->type);
    bool same_status = prb_streq(prb_json_str(at, "status"), condition->status);
    char now[PRB_TIME_SIZE];

    if (same_status && prb_streq(prb_json_str(at, "reason"), condition->reason) &&
            prb_streq(prb_json_str(at, "message"), condition->message))
        return false;
    if (!at) {
        at = json_object_new_object();
        prb_json_push(list, at);
    }
    prb_time_format(now_ms, now);
    prb_json_set_str(at, "type", condition->type);
    prb_json_set_str(at, "status", condition->status);
    if (!same_status)
        prb_json_set_str(at, "lastTransitionTime", now);
    prb_json_set_str(at, "reason", condition->reason);
    prb_json_set_str(at, "message", condition->message);
    return true;
}
