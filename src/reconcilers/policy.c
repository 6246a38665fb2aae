/*
 * What a ConfigurationPolicy says is so on the cluster, and what it has created goes with it.
 *
 * Looks at:  the ConfigurationPolicies of one namespace, the namespaces, and metadata of all kinds
 *            that templates name; live what these do not say
 * Writes:    the objects of templates where the policy enforces; finalizer and status of policies
 * Why:       who deletes a policy wants what it has made to go, and nothing else. So it is recorded
 *            who has made what before it is made, and deleted by the uid that is on record
 *
 * In doubt nothing is deleted: not on an error, not on an unknown answer, not on the word of a
 * cache, and not on the word of a template that nobody understands.
 */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "policy_internal.h"
#include "policy_map.h"

const struct prb_gvr prb_policy_policies = { PRB_POLICY_GROUP, "v1", "configurationpolicies" };
const struct prb_gvr prb_policy_namespaces_gvr = { "", "v1", "namespaces" };

/* The cache may not have yet what this pass has written or read; the last of these is the newest.
 */
static const struct prb_object *newest(const struct prb_policy_run *run)
{
    static const char *const slots[] = { PRB_POLICY_SLOT_SELF, PRB_POLICY_SLOT_AHEAD,
        PRB_POLICY_SLOT_LAST, PRB_POLICY_SLOT_DELETING, PRB_POLICY_SLOT_ENDING };
    const struct prb_object *found = run->object;

    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        const struct prb_outcome *outcome = prb_view_outcome(run->view, slots[i]);

        if (outcome && outcome->object &&
                prb_streq(prb_object_uid(outcome->object), prb_object_uid(run->object)))
            found = outcome->object;
    }
    return found;
}

static void begin(struct prb_policy_run *run)
{
    const struct json_object *list;

    run->now = newest(run);
    prb_policy_read(run->now, &run->policy);
    run->parts = prb_calloc(run->policy.count + 1, sizeof(*run->parts));
    run->by_key = prb_map_new(NULL);
    run->related = prb_map_new(NULL);
    run->made = prb_map_new(NULL);
    list = prb_json_arr(prb_object_status(run->now), "relatedObjects");
    for (size_t i = 0; i < prb_json_len(list); i++) {
        prb_autofree char *key = prb_policy_entry_key(prb_json_elem(list, i));
        struct prb_provenance was = prb_provenance_of(prb_json_elem(list, i));

        if (key)
            prb_map_set(run->related, key, prb_json_elem(list, i));
        if (key && was.created && was.phase == PRB_PHASE_SEEN && was.uid[0] != '\0')
            prb_map_set(run->made, was.uid, prb_json_elem(list, i));
    }
}

static void run_donep(struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        free(run->items[i].key);
        prb_json_free(run->items[i].body);
        prb_changes_done(&run->items[i].asks);
        free(run->items[i].trouble);
    }
    for (size_t i = 0; i < run->policy.count; i++) {
        free(run->parts[i].trouble);
        free(run->parts[i].found);
    }
    free(run->items);
    free(run->parts);
    prb_map_free(run->by_key);
    prb_map_free(run->related);
    prb_map_free(run->made);
    prb_policy_done(&run->policy);
}

/* Whoever may write policies elsewhere must not act with our rights. */
static bool is_carried_out(const struct prb_reconciler *self, const struct prb_ref *key)
{
    return !self->namespace || prb_streq(self->namespace, key->namespace);
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    prb_auto(run_done) struct prb_policy_run run = { .view = view,
        .key = *key,
        .object = prb_view_find(view, key),
        .out = out,
        .scope = self->namespace };

    if (!run.object || prb_object_uid(run.object)[0] == '\0' || !is_carried_out(self, key))
        return;
    begin(&run);
    if (prb_object_is_deleting(run.now))
        prb_policy_end(&run);
    else
        prb_policy_evaluate(&run);
}

static const struct prb_watch_spec watches[] = {
    { .group = prb_policy_policies.group,
            .version = prb_policy_policies.version,
            .resource = prb_policy_policies.resource,
            .whole = true,
            .scoped = true,
            .map = prb_policy_map_policy },
    { .group = prb_policy_namespaces_gvr.group,
            .version = prb_policy_namespaces_gvr.version,
            .resource = prb_policy_namespaces_gvr.resource,
            .map = prb_policy_map_namespace },
};

static const struct prb_right scoped_rights[] = {
    { PRB_POLICY_GROUP, "configurationpolicies", "get,list,watch,patch" },
    { PRB_POLICY_GROUP, "configurationpolicies/status", "patch" },
};

/* And all that templates may name: to be granted kind by kind (docs/policies.md). Deployments: does
 * the controller of Open Cluster Management run here (src/cli/config_policy.c)? Policies elsewhere:
 * do they have a finalizer of an earlier Probate (src/cli/policy_release.c)? */
static const struct prb_right rights[] = {
    { PRB_POLICY_GROUP, "configurationpolicies", "list,patch" },
    { "", "namespaces", "get,list,watch" },
    { "apiextensions.k8s.io", "customresourcedefinitions", "get,list" },
    { "apps", "deployments", "list" },
};

const struct prb_reconciler prb_reconciler_policy = {
    .name = "policy",
    .summary = "makes what ConfigurationPolicies say so, and prunes what they have created when "
               "they go",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .scoped_rights = scoped_rights,
    .scoped_right_count = sizeof(scoped_rights) / sizeof(scoped_rights[0]),
    .by_name = true,
    .decide = decide,
    .wants = prb_policy_want,
    .map_wanted = prb_policy_map_wanted,
};
