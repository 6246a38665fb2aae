/* Which roles does Probate need on a cluster? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"
#include "probate/reconcilers/registry.h"

#include "claim_rights.h"
#include "crossplane.h"
#include "manifest.h"
#include "ocm.h"

#define LEASE_GROUP "coordination.k8s.io"

/* What every controller may leave behind: a note about what it did. */
static const struct prb_right events[] = { { "", "events", "create,patch" } };

/* What the server writes down of the verdicts of this rule, be its controller on or off. */
static const char noting_rule[] = "critical-service";
static const struct prb_right notes[] = {
    { "", "events", "create,patch" },
    { "probate.dev", "criticalservices", "get" },
    { "probate.dev", "criticalservices/status", "patch" },
};

static void add_rules(struct prb_rights *rights, const struct prb_rule_choice *choice)
{
    for (size_t i = 0; choice && i < choice->count; i++) {
        const struct prb_rule *rule = choice->rules[i];

        prb_rights_add(rights, rule->rights, rule->right_count);
        if (prb_streq(rule->name, noting_rule))
            prb_rights_add(rights, notes, sizeof(notes) / sizeof(notes[0]));
    }
}

/* What flags name: kinds of criteria, asked about for a review and watched for the status; and what
 * is monitored when a cluster is deleted. */
static void add_readable(struct prb_rights *rights, const struct prb_gvr *gvrs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct prb_right right = { gvrs[i].group, gvrs[i].resource, "get,list,watch" };

        prb_rights_add(rights, &right, 1);
    }
}

/* What a controller needs on the cluster; on the hub it has a role of its own. */
static void add_controller(struct prb_rights *rights, const struct prb_reconciler *reconciler)
{
    for (size_t i = 0; i < reconciler->right_count; i++) {
        if (!prb_side_is_hub(reconciler->rights[i].group))
            prb_rights_add(rights, &reconciler->rights[i], 1);
    }
}

static void add_controllers(
        struct prb_rights *rights, const struct prb_controller_choice *controllers)
{
    const struct prb_cluster_settings *clusters = prb_controller_choice_clusters(controllers);

    for (size_t i = 0; i < controllers->count; i++) {
        if (controllers->chosen[i])
            add_controller(rights, controllers->table[i]);
    }
    prb_rights_add(rights, events, 1);
    if (!clusters)
        return;
    prb_rights_add(rights, prb_ocm_rights, prb_ocm_right_count);
    add_readable(rights, clusters->monitored, clusters->monitored_count);
}

/* `room` holds what is borrowed from here. */
static void add_claims(struct prb_rights *rights, const struct prb_manifest_rbac *options,
        struct prb_claim_rights *room)
{
    if (!prb_controller_choice_claims(options->controllers) || !options->choice)
        return;
    prb_claim_rights_fill(
            room, options->choice->claims, options->choice->claim_count, options->claims);
    prb_rights_add(rights, room->items, room->count);
    prb_rights_add(rights, prb_crossplane_rights, prb_crossplane_right_count);
}

static struct json_object *make_cluster_role(const struct prb_manifest_rbac *options)
{
    prb_auto(prb_claim_rights_done) struct prb_claim_rights claims = { .count = 0 };
    prb_auto(prb_rights_done) struct prb_rights rights = { 0 };
    struct json_object *role = prb_manifest_role("ClusterRole", NULL, options->name);

    add_claims(&rights, options, &claims);
    add_rules(&rights, options->choice);
    add_readable(&rights, options->criteria, options->criterion_count);
    add_controllers(&rights, options->controllers);
    prb_json_set(role, "rules", prb_rights_rules(&rights));
    return role;
}

static struct json_object *list_of(const char *const *texts)
{
    struct json_object *list = json_object_new_array();

    for (; *texts; texts++)
        prb_json_push(list, json_object_new_string(*texts));
    return list;
}
#define LIST(...) list_of((const char *const[]){ __VA_ARGS__, NULL })

static struct json_object *lease_rule(struct json_object *verbs_taken)
{
    struct json_object *rule = json_object_new_object();

    prb_json_set(rule, "apiGroups", LIST(LEASE_GROUP));
    prb_json_set(rule, "resources", LIST("leases"));
    prb_json_set(rule, "verbs", verbs_taken);
    return rule;
}

/* Leader election: one Lease by its name. What is created has no name yet by which to allow it. */
static struct json_object *make_lease_role(const struct prb_manifest_rbac *options)
{
    struct json_object *role = prb_manifest_role("Role", options->lease_namespace, options->name);
    struct json_object *named = lease_rule(LIST("get", "update"));
    struct json_object *rules = json_object_new_array();

    prb_json_set(named, "resourceNames", LIST(options->lease_name));
    prb_json_push(rules, named);
    prb_json_push(rules, lease_rule(LIST("create")));
    prb_json_set(role, "rules", rules);
    return role;
}

/* A binding of its own name in a namespace, or in none, to the service account. */
static struct json_object *bind(const struct prb_manifest_rbac *options, const char *kind,
        const char *namespace, const char *name, const char *role)
{
    const struct prb_manifest_binding binding = { .kind = kind,
        .namespace = namespace,
        .name = name,
        .role = role,
        .account = options->service_account,
        .account_namespace = options->namespace };

    return prb_manifest_binding(&binding);
}

/* A role, which is taken, and its binding. */
static void tell(const struct prb_manifest_rbac *options, struct json_object *role_taken,
        prb_manifest_fn each, void *ctx)
{
    prb_auto(prb_json_free) struct json_object *role = role_taken;
    const struct json_object *metadata = prb_json_obj(role, "metadata");
    const char *name = prb_json_str(metadata, "name");
    prb_auto(prb_json_free) struct json_object *binding = bind(
            options, prb_json_str(role, "kind"), prb_json_str(metadata, "namespace"), name, name);

    each(ctx, role);
    each(ctx, binding);
}

/* The rules are filled in by the cluster's own controller, from all roles with the label. None are
 * printed: applied once more, they would be taken away for a moment. */
static struct json_object *make_apply_role(const char *name)
{
    struct json_object *role = prb_manifest_role("ClusterRole", NULL, name);
    struct json_object *selectors = json_object_new_array();
    struct json_object *selector = json_object_new_object();

    prb_json_set_str(prb_json_ensure_obj(selector, "matchLabels"), PRB_MANIFEST_AGGREGATE, "true");
    prb_json_push(selectors, selector);
    prb_json_set(prb_json_ensure_obj(role, "aggregationRule"), "clusterRoleSelectors", selectors);
    return role;
}

/* Beside that of the lease, which may be in the same namespace. */
static void tell_policies(const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx)
{
    const char *namespace = prb_controller_choice_policies(options->controllers);
    const struct prb_reconciler *policy = options->controllers->policy;
    prb_autofree char *name = prb_asprintf("%s-policies", options->name);
    prb_auto(prb_rights_done) struct prb_rights rights = { 0 };
    struct json_object *role;

    if (!namespace)
        return;
    role = prb_manifest_role("Role", namespace, name);
    prb_rights_add(&rights, policy->scoped_rights, policy->scoped_right_count);
    prb_json_set(role, "rules", prb_rights_rules(&rights));
    tell(options, role, each, ctx);
}

/* What works and policies may bring to the cluster, which no table knows. A binding cannot be
 * changed to another role, so it is named after the role. */
static void tell_apply(const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx)
{
    const char *role = options->apply_role;
    prb_autofree char *name = prb_asprintf("%s-%s", options->name, role ? role : "apply");
    prb_auto(prb_json_free) struct json_object *binding = NULL;

    if (!role) {
        tell(options, make_apply_role(name), each, ctx);
        return;
    }
    binding = bind(options, "ClusterRole", NULL, name, role);
    each(ctx, binding);
}

void prb_manifest_rbac(const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx)
{
    tell(options, make_cluster_role(options), each, ctx);
    tell(options, make_lease_role(options), each, ctx);
    tell_policies(options, each, ctx);
    if (prb_controller_choice_works(options->controllers) ||
            prb_controller_choice_has(options->controllers, prb_reconciler_policy.name))
        tell_apply(options, each, ctx);
}

/* Its rights on the hub, by the names that the hub has for them. */
static struct json_object *make_hub_role(
        const struct prb_manifest_rbac *options, const struct prb_work_settings *works)
{
    const struct prb_reconciler *work = options->controllers->work;
    prb_autofree char *name =
            prb_asprintf("%s-works", options->name); /* beside that of the lease */
    struct json_object *role = prb_manifest_role("Role", works->cluster_name, name);
    prb_autofree char *groups = prb_calloc(work->right_count, PRB_GROUP_SIZE);
    prb_auto(prb_rights_done) struct prb_rights rights = { 0 };

    for (size_t i = 0; i < work->right_count; i++) {
        struct prb_right right = work->rights[i];

        if (!prb_side_is_hub(right.group))
            continue;
        prb_side_strip(right.group, groups + i * PRB_GROUP_SIZE);
        right.group = groups + i * PRB_GROUP_SIZE;
        prb_rights_add(&rights, &right, 1);
    }
    prb_rights_add(&rights, events, 1);
    prb_json_set(role, "rules", prb_rights_rules(&rights));
    return role;
}

void prb_manifest_hub_rbac(const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx)
{
    const struct prb_work_settings *works = prb_controller_choice_works(options->controllers);

    if (works)
        tell(options, make_hub_role(options, works), each, ctx);
}
