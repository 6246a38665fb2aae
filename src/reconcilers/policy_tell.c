/*
 * Who is told when the state of a policy changes?
 *
 * The policy itself, and its parent: the first owner, for which the reason "policy: namespace/name"
 * is how the controllers of Open Cluster Management know which of its templates an Event is about.
 */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "policy_internal.h"

/* The parent as an Event regards it; NULL: there is none. The caller's. */
static struct prb_object *parent_of(const struct prb_policy_run *run, struct prb_ref *ret_ref)
{
    struct json_object *tree, *metadata;
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    struct prb_object *parent = NULL;
    struct prb_owner owner;
    struct prb_error err;
    struct prb_gvr gvr;

    if (!prb_object_owner_at(run->now, 0, &owner) || owner.uid[0] == '\0' ||
            !prb_api_version_parse(owner.api_version, group, version))
        return NULL;

    /* The collection is told to nobody: an Event says the kind. */
    if (!prb_gvr_init(&gvr, group, version, "policies") ||
            !prb_ref_init(ret_ref, &gvr, run->key.namespace, owner.name))
        return NULL;
    tree = json_object_new_object();
    prb_json_set_str(tree, "apiVersion", owner.api_version);
    prb_json_set_str(tree, "kind", owner.kind);
    metadata = prb_json_ensure_obj(tree, "metadata");
    prb_json_set_str(metadata, "name", owner.name);
    prb_json_set_str(metadata, "namespace", run->key.namespace);
    prb_json_set_str(metadata, "uid", owner.uid);
    return prb_object_new(tree, &parent, &err) == 0 ? parent : NULL;
}

static void tell_parent(const struct prb_policy_run *run, bool is_warning, const char *message)
{
    struct prb_ref ref;
    prb_auto(prb_object_unref) struct prb_object *parent = parent_of(run, &ref);

    if (!parent)
        return;
    prb_changes_event(run->out, &ref, parent, is_warning, "PolicyStatus", "%s", message);
    prb_changes_set_reason(
            run->out, prb_asprintf("policy: %s/%s", run->key.namespace, run->key.name));
}

/* "created configmaps default/a, configmaps default/b" */
static void add_deeds(struct prb_str *text, const struct prb_policy_run *run, const char *deed)
{
    size_t count = 0, named = 0;
    char what[PRB_REF_TEXT_SIZE];

    for (size_t i = 0; i < run->count; i++)
        count += prb_streq(run->items[i].did, deed) ? 1 : 0;
    if (count > 0)
        prb_str_addf(text, "%s%s ", text->len > 0 ? "; " : "", deed);
    for (size_t i = 0; i < run->count; i++) {
        if (!prb_streq(run->items[i].did, deed))
            continue;
        if (!prb_names_next(text, named++, count))
            return;
        prb_ref_describe(&run->items[i].ref, what);
        prb_str_add(text, what);
    }
}

/* What was done in this pass, if anything. */
static void tell_deeds(const struct prb_policy_run *run)
{
    static const char *const deeds[] = { "created", "updated", "deleted" };
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        add_deeds(&text, run, deeds[i]);
    if (text.len > 0)
        prb_changes_event(
                run->out, &run->key, run->now, false, "PolicyUpdate", "%s", prb_str_get(&text));
}

/* A record that says nothing is replaced by a good one, in which the object is not ours. */
static void tell_odd(const struct prb_policy_run *run)
{
    char what[PRB_REF_TEXT_SIZE];

    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];

        if (!item->was.is_odd || !item->was.created)
            continue;
        prb_ref_describe(&item->ref, what);
        prb_changes_event(run->out, &run->key, run->now, true, "PolicyInfo",
                "the recorded uid of %s is no text: it does not count as created by this policy",
                what);
    }
}

void prb_policy_tell_spared(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_policy_describe_spared(run, removals, false, &text);
    if (text.len > 0)
        prb_changes_event(run->out, &run->key, run->now, true, "PolicyInfo",
                "no template means it any more, and it is left: %s", prb_str_get(&text));
}

void prb_policy_tell(const struct prb_policy_run *run, const struct json_object *patch)
{
    const struct json_object *status = prb_json_obj(patch, "status");
    const char *message =
            prb_json_str(prb_json_elem(prb_json_arr(status, "history"), 0), "message");
    bool is_warning;

    tell_deeds(run);
    tell_odd(run);
    if (!message)
        return;
    is_warning = !prb_starts_with(message, PRB_COMPLIANT);
    prb_changes_event(run->out, &run->key, run->now, is_warning, "PolicyInfo",
            "Policy status is %s", message);
    tell_parent(run, is_warning, message);
}
