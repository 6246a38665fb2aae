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

/* What was done in this pass, if anything. */
static void tell_deeds(const struct prb_policy_run *run)
{
    static const char *const deeds[] = { "created", "updated", "deleted" };
    prb_auto(prb_str_done) struct prb_str text;
    char what[PRB_REF_TEXT_SIZE];

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
        size_t count = 0, named = 0;

        for (size_t at = 0; at < run->count; at++)
            count += prb_streq(run->items[at].did, deeds[i]) ? 1 : 0;
        if (count > 0)
            prb_str_addf(&text, "%s%s ", text.len > 0 ? "; " : "", deeds[i]);
        for (size_t at = 0; at < run->count; at++) {
            if (!prb_streq(run->items[at].did, deeds[i]))
                continue;
            if (!prb_names_next(&text, named++, count))
                break;
            prb_ref_describe(&run->items[at].ref, what);
            prb_str_add(&text, what);
        }
    }
    if (text.len > 0)
        prb_changes_event(
                run->out, &run->key, run->now, false, "PolicyUpdate", "%s", prb_str_get(&text));
}

void prb_policy_tell(const struct prb_policy_run *run, const struct json_object *patch)
{
    const struct json_object *status = prb_json_obj(patch, "status");
    const char *message =
            prb_json_str(prb_json_elem(prb_json_arr(status, "history"), 0), "message");
    bool is_warning;

    tell_deeds(run);
    if (!message)
        return;
    is_warning = !prb_starts_with(message, PRB_COMPLIANT);
    prb_changes_event(run->out, &run->key, run->now, is_warning, "PolicyInfo",
            "Policy status is %s", message);
    tell_parent(run, is_warning, message);
}
