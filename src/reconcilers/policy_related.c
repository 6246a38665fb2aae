/*
 * What does status.relatedObjects say after an evaluation?
 *
 * What is there now, and what is still to go. Knowledge of who has created something is dropped
 * only when the object is known to be gone, or to be nobody's business of ours.
 */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

char *prb_policy_entry_key(const struct json_object *entry)
{
    const struct json_object *object = prb_json_obj(entry, "object");
    const struct json_object *metadata = prb_json_obj(object, "metadata");
    const char *name = prb_json_str(metadata, "name");
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    if (!name || prb_streq(name, PRB_NO_NAME) ||
            !prb_api_version_parse(or_empty(prb_json_str(object, "apiVersion")), group, version))
        return NULL;
    return prb_policy_key(group, or_empty(prb_json_str(object, "kind")),
            or_empty(prb_json_str(metadata, "namespace")), name);
}

static const struct json_object *list_of(const struct prb_policy_run *run)
{
    return prb_json_arr(prb_object_status(run->now), "relatedObjects");
}

struct json_object *prb_policy_entry(
        const struct prb_policy_item *item, const char *compliant, const char *reason)
{
    struct json_object *entry = json_object_new_object();
    struct json_object *object = prb_json_ensure_obj(entry, "object"), *metadata;
    char api_version[PRB_API_VERSION_SIZE];

    prb_api_version_format(item->template->group, item->template->version, api_version);
    prb_json_set_str(entry, "compliant", compliant);
    prb_json_set_str(object, "apiVersion", api_version);
    prb_json_set_str(object, "kind", item->template->kind);
    metadata = prb_json_ensure_obj(object, "metadata");
    prb_json_set_str(metadata, "name", item->ref.name);
    if (item->ref.namespace[0] != '\0')
        prb_json_set_str(metadata, "namespace", item->ref.namespace);
    prb_json_set_str(entry, "reason", reason);
    return entry;
}

static void set_properties(struct json_object *entry, struct json_object *properties_taken)
{
    if (properties_taken)
        prb_json_set(entry, "properties", properties_taken);
}

/* As they are in the status, whatever they say. */
static struct json_object *old_properties(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const struct json_object *old =
            prb_json_obj(prb_map_find(run->related, item->key), "properties");

    return old ? prb_json_copy(old) : NULL;
}

/* Under whatever name it is on record: one object may be served by two groups. */
static const char *made_before(const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const char *uid = item->live ? prb_object_uid(item->live) : item->uid;

    return item->seen == PRB_LOOK_THERE && uid && prb_map_find(run->made, uid) ? uid : NULL;
}

/* An intent stays as long as the CREATE may still be on its way, and as it is tried again. */
static struct json_object *properties_of(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const char *policy_uid = prb_object_uid(run->now);
    bool is_intent = item->was.is_known && item->was.phase == PRB_PHASE_CREATING;

    if (item->did && prb_streq(item->did, "created") && item->live)
        return prb_provenance_json(item->was.created, "", prb_object_uid(item->live));
    if (item->state == PRB_POLICY_FAILED && !item->live)
        return old_properties(run, item);
    if (item->state == PRB_POLICY_FAILED && item->was.phase == PRB_PHASE_RECREATING)
        return old_properties(run, item);
    if (item->seen == PRB_LOOK_ABSENT)
        return is_intent ? old_properties(run, item) : NULL;
    if (made_before(run, item))
        return prb_provenance_json(true, "", made_before(run, item));
    if (item->template->type == PRB_MUST_NOT_HAVE && !item->was.is_known)
        return NULL;
    return item->live ? prb_provenance_seen(&item->was, policy_uid, item->live)
                      : old_properties(run, item);
}

static const struct {
    const char *compliant, *reason;
} findings[] = {
    [PRB_FOUND_NOTHING] = { PRB_NON_COMPLIANT, PRB_REASON_TEMPLATE },
    [PRB_FOUND_AS_WANTED] = { PRB_COMPLIANT, PRB_REASON_FOUND },
    [PRB_FOUND_ABSENT] = { PRB_NON_COMPLIANT, PRB_REASON_MISSING },
    [PRB_FOUND_OTHER] = { PRB_NON_COMPLIANT, PRB_REASON_MISMATCH },
    [PRB_FOUND_UNWANTED] = { PRB_NON_COMPLIANT, PRB_REASON_UNWANTED },
    [PRB_FOUND_GONE] = { PRB_COMPLIANT, PRB_REASON_GONE },
};

static const char *failed_reason(const struct prb_policy_item *item)
{
    if (item->template->type == PRB_MUST_NOT_HAVE && item->seen == PRB_LOOK_THERE)
        return PRB_REASON_UNWANTED;
    if (item->seen == PRB_LOOK_THERE)
        return PRB_REASON_MISMATCH;
    return item->seen == PRB_LOOK_ABSENT ? PRB_REASON_MISSING : PRB_REASON_TEMPLATE;
}

/* Of several templates that mean it the first one that is not content speaks for all. */
static const struct prb_policy_item *speaker(const struct prb_policy_item *last)
{
    const struct prb_policy_item *item = last;

    for (const struct prb_policy_item *at = last; at; at = at->before) {
        if (at->state == PRB_POLICY_FAILED ||
                prb_streq(findings[at->finding].compliant, PRB_NON_COMPLIANT))
            item = at;
    }
    return item;
}

static const struct prb_policy_item *first_of(const struct prb_policy_item *item)
{
    while (item->before)
        item = item->before;
    return item;
}

static struct json_object *entry_of(
        const struct prb_policy_run *run, const struct prb_policy_item *last)
{
    const struct prb_policy_item *item = speaker(last);
    struct json_object *entry;

    if (item->state == PRB_POLICY_FAILED)
        entry = prb_policy_entry(item, PRB_NON_COMPLIANT, failed_reason(item));
    else
        entry = prb_policy_entry(
                item, findings[item->finding].compliant, findings[item->finding].reason);
    set_properties(entry, properties_of(run, first_of(last)));
    return entry;
}

const struct json_object **prb_policy_left(const struct prb_policy_run *run, size_t *ret_count)
{
    const struct json_object *list = list_of(run);
    const struct json_object **left =
            prb_calloc(prb_json_len(list) + 1, sizeof(const struct json_object *));

    *ret_count = 0;
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);
        prb_autofree char *key = prb_policy_entry_key(entry);

        if (key && !prb_map_find(run->by_key, key))
            left[(*ret_count)++] = entry;
    }
    return left;
}

static int compare(const void *a, const void *b)
{
    const struct json_object *one = prb_json_obj(*(struct json_object *const *)a, "object");
    const struct json_object *other = prb_json_obj(*(struct json_object *const *)b, "object");
    const struct json_object *mine = prb_json_obj(one, "metadata");
    const struct json_object *theirs = prb_json_obj(other, "metadata");
    int order = strcmp(or_empty(prb_json_str(one, "kind")), or_empty(prb_json_str(other, "kind")));

    if (order == 0)
        order = strcmp(or_empty(prb_json_str(mine, "namespace")),
                or_empty(prb_json_str(theirs, "namespace")));
    if (order == 0)
        order = strcmp(
                or_empty(prb_json_str(mine, "name")), or_empty(prb_json_str(theirs, "name")));
    return order ? order
                 : strcmp(or_empty(prb_json_str(one, "apiVersion")),
                           or_empty(prb_json_str(other, "apiVersion")));
}

static void add_left(const struct prb_policy_removals *removals, struct json_object *list)
{
    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_policy_removal *removal = &removals->items[i];
        struct json_object *entry;

        if (removal->state == PRB_LEFT_DONE)
            continue;
        entry = prb_json_copy(removal->entry);
        prb_json_set_str(entry, "compliant", PRB_NON_COMPLIANT);
        prb_json_set_str(entry, "reason",
                removal->state == PRB_LEFT_FAILED ? PRB_REASON_LEFT : PRB_REASON_PRUNING);
        prb_json_push(list, entry);
    }
}

/* Nothing is pruned, and nothing forgotten, on the word of templates that nobody understands. */
static void add_untouched(const struct prb_policy_run *run, struct json_object *list)
{
    size_t count;
    prb_autofree const struct json_object **left = prb_policy_left(run, &count);

    for (size_t i = 0; i < count; i++)
        prb_json_push(list, prb_json_copy(left[i]));
}

static void add_searches(const struct prb_policy_run *run, struct json_object *list)
{
    for (size_t i = 0; i < run->policy.count; i++) {
        const struct prb_policy_template *template = &run->policy.templates[i];
        struct prb_policy_item named = { .template = template, .ref = { .name = PRB_NO_NAME } };
        bool is_content;

        if (!run->parts[i].is_search)
            continue;
        is_content = (run->parts[i].found == NULL) == (template->type == PRB_MUST_NOT_HAVE);
        (void)prb_copy(named.ref.namespace, sizeof(named.ref.namespace), template->namespace);
        prb_json_push(
                list, prb_policy_entry(&named, is_content ? PRB_COMPLIANT : PRB_NON_COMPLIANT,
                              template->type == PRB_MUST_NOT_HAVE
                                      ? (is_content ? PRB_REASON_GONE : PRB_REASON_UNWANTED)
                                      : (is_content ? PRB_REASON_FOUND : PRB_REASON_MISSING)));
    }
}

struct json_object *prb_policy_related(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];

        if (prb_map_find(run->by_key, item->key) == item)
            prb_json_push(list, entry_of(run, item));
    }
    add_searches(run, list);
    if (run->blind)
        add_untouched(run, list);
    else
        add_left(removals, list);
    json_object_array_sort(list, compare);
    return list;
}
