/* Who sent the request of a review? */

#include "review_subject.h"

#include <string.h>

#include "probate/base/mem.h"

#include "review_member.h"

static int read_groups(
        const struct json_object *user, struct prb_subject *subject, struct prb_error *err)
{
    const struct json_object *groups = prb_json_find(user, "groups");
    size_t count = prb_json_len(groups);

    if (groups && !json_object_is_type(groups, json_type_array))
        return prb_fail(err, PRB_E_INVALID, "request.userInfo.groups is not a list");
    subject->groups = prb_calloc(count + 1, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        const char *group = prb_json_string(prb_json_elem(groups, i));

        if (!group)
            return prb_fail(err, PRB_E_INVALID, "request.userInfo.groups[%zu] is not a text", i);
        subject->groups[i] = prb_strdup(group);
    }
    return 0;
}

static bool is_list_of_texts(const struct json_object *list)
{
    if (!json_object_is_type(list, json_type_array))
        return false;
    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (!prb_json_string(prb_json_elem(list, i)))
            return false;
    }
    return true;
}

static bool is_map_of_lists(const struct json_object *map)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    if (!json_object_is_type(map, json_type_object))
        return false;
    while (prb_json_next(map, &at, &started, &key, &value)) {
        if (!is_list_of_texts(value))
            return false;
    }
    return true;
}

/*
 * A review is not refused for a large token: its user may do what needs no question about access.
 * But part of it would be another user, perhaps one that may do more: it is all or nothing.
 */
static int read_extra(
        const struct json_object *user, struct prb_subject *subject, struct prb_error *err)
{
    const struct json_object *extra = prb_json_find(user, "extra");
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_SUBJECT_EXTRA_MAX + 1);
    if (!extra)
        return 0;
    if (!is_map_of_lists(extra))
        return prb_fail(err, PRB_E_INVALID, "request.userInfo.extra is no map of lists of texts");
    if (json_object_object_length(extra) == 0)
        return 0;
    prb_json_print(extra, &text);
    if (text.len > PRB_SUBJECT_EXTRA_MAX)
        subject->extra_cut = true;
    else
        subject->extra = prb_str_take(&text);
    return 0;
}

int prb_review_read_subject(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    const struct json_object *user = prb_json_find(from, "userInfo");
    struct prb_subject *subject = prb_subject_new(NULL, NULL, NULL, NULL);
    int r;

    request->subject = subject;
    if (user && !json_object_is_type(user, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "request.userInfo is no object");
    r = prb_review_copy_text(user, "username", "request.userInfo.username", &subject->user, err);
    if (r == 0)
        r = prb_review_copy_text(user, "uid", "request.userInfo.uid", &subject->uid, err);
    if (r == 0)
        r = read_groups(user, subject, err);
    return r < 0 ? r : read_extra(user, subject, err);
}
