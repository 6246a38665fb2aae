/* What does `probate manifest` print? */

#include "manifest.h"

#include "probate/base/mem.h"
#include "probate/base/yaml.h"
#include "probate/cli/verb.h"

#include "resources.h"

#define DEFAULT_SERVICE PRB_MANIFEST_NAMESPACE "/" PRB_MANIFEST_NAME

struct options {
    const char *name;
    const char *namespace;
    struct prb_rule_flags rules;
    const char *url;
    const char *service;
    const char *ca_file;
    struct prb_controller_flags controllers;
    struct prb_list criteria;
    const char *service_account;
    const char *lease_namespace;
    const char *lease_name;
    const char *apply_role;
    const char *configuration;
    const char *certs_secret;
    int match_conditions;
};

static const struct prb_resource_flag criteria_flag = {
    .name = "--criteria-resource",
    .example = "certificates.cert-manager.io, or secrets of the core group",
    .core = true,
};

/* Documents, as they are printed. */
static void add_document(void *ctx, const struct json_object *manifest)
{
    struct prb_str *out = ctx;

    if (out->len > 0)
        prb_str_add(out, "---\n");
    prb_yaml_print(manifest, out);
}

static void tell_left_out(const struct prb_rule *rule)
{
    prb_autofree char *text = prb_asprintf(
            "%s has no webhook: name the kinds it is for with --claim-resource", rule->name);

    prb_cli_complain("manifest", text, NULL);
}

static const char *or_preset(const char *text, const char *preset)
{
    return text ? text : preset;
}

static int print_webhook(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    const char *service = options->service || options->url ? options->service : DEFAULT_SERVICE;
    prb_auto(prb_json_free) struct json_object *client = NULL;
    prb_auto(prb_json_free) struct json_object *manifest = NULL;
    int r = prb_manifest_client(options->url, service, options->ca_file, &client, err);

    if (r < 0)
        return r;
    manifest = prb_manifest_webhook(
            &(struct prb_manifest_webhook){ .name = or_preset(options->name, PRB_MANIFEST_NAME),
                    .client = client,
                    .namespace = options->namespace,
                    .conditions = options->match_conditions,
                    .choice = choice },
            tell_left_out);
    add_document(out, manifest);
    return 0;
}

/* What is the same for all roles. On a cluster that has both, serve and agent have their own. */
static struct prb_manifest_rbac begin_rbac(const struct options *options, const char *name,
        const struct prb_controller_choice *controllers)
{
    struct prb_manifest_rbac rbac = { .name = or_preset(options->name, name),
        .namespace = or_preset(options->namespace, PRB_MANIFEST_NAMESPACE),
        .service_account = or_preset(options->service_account, name),
        .lease_name = or_preset(options->lease_name, name),
        .controllers = controllers,
        .apply_role = options->apply_role };

    rbac.lease_namespace = or_preset(options->lease_namespace, rbac.namespace);
    return rbac;
}

static struct prb_manifest_keep begin_keep(
        const struct options *options, const struct prb_manifest_rbac *rbac, struct prb_str *out)
{
    return (struct prb_manifest_keep){ .name = rbac->name,
        .service_account = rbac->service_account,
        .namespace = rbac->namespace,
        .lease_namespace = rbac->lease_namespace,
        .lease_name = or_preset(options->lease_name, PRB_MANIFEST_NAME),
        .configuration = options->configuration,
        .secret = options->certs_secret,
        .each = add_document,
        .ctx = out };
}

static int print_keeper(const struct options *options, const struct prb_manifest_rbac *rbac,
        struct prb_str *out, struct prb_error *err)
{
    const struct prb_manifest_keep keep = begin_keep(options, rbac, out);

    return prb_manifest_keeper(&keep, err);
}

/* Of a verb that runs once, under an account of its own. */
static struct prb_manifest_keep begin_hook(
        const struct options *options, const char *name, struct prb_str *out)
{
    const struct prb_manifest_rbac rbac = begin_rbac(options, name, NULL);
    struct prb_manifest_keep keep = begin_keep(options, &rbac, out);

    keep.configuration = or_preset(options->configuration, PRB_MANIFEST_NAME);
    return keep;
}

static int print_remove_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    struct prb_manifest_keep keep = begin_hook(options, PRB_MANIFEST_NAME "-remove", out);

    (void)err;
    keep.claims = choice->claims;
    keep.claim_count = choice->claim_count;
    prb_manifest_remove(&keep);
    return 0;
}

static int print_selftest_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    const struct prb_manifest_keep keep = begin_hook(options, PRB_MANIFEST_NAME "-selftest", out);

    (void)choice;
    (void)err;
    prb_manifest_selftest(&keep);
    return 0;
}

static int print_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    prb_auto(prb_controller_choice_done) struct prb_controller_choice controllers = { 0 };
    prb_autofree struct prb_gvr *criteria = NULL;
    prb_auto(prb_claim_kinds_done) struct prb_claim_kinds claims = { .composites = NULL };
    struct prb_manifest_rbac rbac;
    size_t criterion_count = 0;
    int r = prb_controller_choice_make(&options->controllers, PRB_PLACE_SERVER, &controllers, err);

    if (r == 0)
        r = prb_resources_parse(
                &criteria_flag, &options->criteria, &criteria, &criterion_count, err);
    if (r == 0)
        r = prb_claim_kinds_parse(&options->controllers.claims, &claims, err);
    if (r < 0)
        return r;
    rbac = begin_rbac(options, PRB_MANIFEST_NAME, &controllers);
    rbac.choice = choice;
    rbac.claims = &claims;
    rbac.criteria = criteria;
    rbac.criterion_count = criterion_count;
    prb_manifest_rbac(&rbac, add_document, out);
    prb_manifest_hub_rbac(&rbac, add_document, out);
    return print_keeper(options, &rbac, out, err);
}

static int print_agent_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    prb_auto(prb_controller_choice_done) struct prb_controller_choice controllers = { 0 };
    struct prb_manifest_rbac rbac;
    int r = prb_controller_choice_make(&options->controllers, PRB_PLACE_AGENT, &controllers, err);

    (void)choice;
    if (r < 0)
        return r;
    rbac = begin_rbac(options, PRB_MANIFEST_AGENT, &controllers);
    prb_manifest_rbac(&rbac, add_document, out);
    return 0;
}

static int print_hub_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    prb_auto(prb_controller_choice_done) struct prb_controller_choice controllers = { 0 };
    struct prb_manifest_rbac rbac;
    int r = prb_controller_choice_make(&options->controllers, PRB_PLACE_AGENT, &controllers, err);

    (void)choice;
    if (r < 0)
        return r;
    rbac = begin_rbac(options, PRB_MANIFEST_AGENT, &controllers);
    rbac.namespace = or_preset(options->namespace, options->controllers.works.cluster_name);
    prb_manifest_hub_rbac(&rbac, add_document, out);
    return 0;
}

/* The things that can be printed, by name. */
static const struct {
    const char *name;
    int (*print)(const struct options *options, const struct prb_rule_choice *choice,
            struct prb_str *out, struct prb_error *err);
} things[] = {
    { "webhook", print_webhook },
    { "rbac", print_rbac },
    { "agent-rbac", print_agent_rbac },
    { "hub-rbac", print_hub_rbac },
    { "remove-rbac", print_remove_rbac },
    { "selftest-rbac", print_selftest_rbac },
};
#define THINGS "webhook, rbac, agent-rbac, hub-rbac, remove-rbac, selftest-rbac"
#define THING_COUNT (sizeof(things) / sizeof(things[0]))

static int print_thing(
        const struct options *options, const char *name, struct prb_str *out, struct prb_error *err)
{
    prb_auto(prb_rule_choice_done) struct prb_rule_choice choice = { 0 };
    const char *names[THING_COUNT];
    int nearest, r = prb_rules_choose(&options->rules, &choice, err);

    if (r < 0)
        return r;
    for (size_t i = 0; i < THING_COUNT; i++) {
        names[i] = things[i].name;
        if (prb_streq(name, names[i]))
            return things[i].print(options, &choice, out, err);
    }
    nearest = prb_nearest(name, names, THING_COUNT);
    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is none of " THINGS, name);
    return prb_fail(err, PRB_E_INVALID, "\"%s\" is none of " THINGS "; did you mean %s?", name,
            names[nearest]);
}

static enum prb_exit print(const struct options *options, const struct prb_args *args)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_error err;

    prb_str_init(&text, PRB_JSON_SIZE_MAX);
    if (args->count == 0)
        return prb_cli_misused("manifest", "say what to print: one of " THINGS);
    if (print_thing(options, args->items[0], &text, &err) < 0)
        return prb_cli_misused("manifest", err.msg);
    return prb_cli_print(&text);
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct options options = { .name = NULL };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &options, &args, &result))
        result = print(&options, &args);
    prb_flags_done(self->flags, &options);
    return result;
}

#define AT(member) offsetof(struct options, member)

static const struct prb_flag table[] = {
    { .section = "All",
            .name = "name",
            .type = PRB_FLAG_TEXT,
            .at = AT(name),
            .value = "NAME",
            .preset_text = PRB_MANIFEST_NAME ", of an agent " PRB_MANIFEST_AGENT,
            .help = "The name of what is printed." },
    { .name = "namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(namespace),
            .value = "NAME",
            .preset_text = "webhook: none, hub-rbac: --cluster-name, else " PRB_MANIFEST_NAMESPACE,
            .help = "The namespace that Probate runs in. Given for webhook, objects in it and in "
                    "kube-system are exempted, by a label that Kubernetes sets from 1.21 on. Before "
                    "that leave it out: who may label namespaces could exempt any." },
    PRB_RULES_FLAG(struct options, rules),
    PRB_CLAIM_RESOURCE_FLAG(struct options, rules),

    { .section = "webhook",
            .name = "url",
            .type = PRB_FLAG_TEXT,
            .at = AT(url),
            .value = "URL",
            .help = "Where the API server calls Probate: https://HOST[:PORT]. The path "
                    "is " PRB_MANIFEST_PATH
                    " unless it has one; the name of the rule comes after it." },
    { .name = "service",
            .type = PRB_FLAG_TEXT,
            .at = AT(service),
            .value = "NAMESPACE/NAME[:PORT]",
            .preset_text = DEFAULT_SERVICE ":443 without --url",
            .help = "The Service through which the API server calls Probate." },
    { .name = "ca-file",
            .type = PRB_FLAG_TEXT,
            .at = AT(ca_file),
            .value = "FILE",
            .preset_text = "no caBundle",
            .help = "The certificates (PEM) by which the API server knows Probate." },
    { .name = "match-conditions",
            .type = PRB_FLAG_SWITCH,
            .at = AT(match_conditions),
            .preset = "true",
            .help = "Print matchConditions, which Kubernetes has from 1.28 on: with them Probate "
                    "may let a webhook fail closed that is about a few updates only. Before that "
                    "say false: kubectl refuses what the API server does not know." },

    PRB_CONTROLLERS_FLAG(struct options, controllers, "*", "rbac, agent-rbac, hub-rbac"),
    PRB_GATES_FLAG(struct options, controllers),
    PRB_MONITORED_FLAG(struct options, controllers.clusters, NULL),
    PRB_COMPOSITE_RESOURCE_FLAG(struct options, controllers.claims),
    PRB_COMPOSED_RESOURCE_FLAG(struct options, controllers.claims),
    PRB_CLUSTER_NAME_FLAG(struct options, controllers.works, NULL),
    PRB_POLICY_NAMESPACE_FLAG(struct options, controllers.policies, NULL),
    { .name = "apply-role",
            .type = PRB_FLAG_TEXT,
            .at = AT(apply_role),
            .value = "NAME",
            .preset_text =
                    "NAME-apply of --name, printed too: it takes up every ClusterRole with the "
                    "label " PRB_MANIFEST_AGGREGATE "=true",
            .help = "The ClusterRole that says what works may bring to the cluster; cluster-admin "
                    "lets them bring anything." },
    { .name = "criteria-resource",
            .type = PRB_FLAG_LIST,
            .at = AT(criteria),
            .value = "PLURAL.GROUP,...",
            .help = "Kinds that the criteria of CriticalServices name, so that Probate may read "
                    "them; of the core group, PLURAL alone." },
    { .name = "webhook-configuration",
            .type = PRB_FLAG_TEXT,
            .at = AT(configuration),
            .value = "NAME",
            .preset_text = "remove-rbac, selftest-rbac: " PRB_MANIFEST_NAME,
            .help = "The ValidatingWebhookConfiguration that Probate looks after." },
    { .name = "certs-secret",
            .type = PRB_FLAG_TEXT,
            .at = AT(certs_secret),
            .value = "NAMESPACE/NAME",
            .help = "The Secret in which Probate keeps its CAs." },
    { .name = "service-account",
            .type = PRB_FLAG_TEXT,
            .at = AT(service_account),
            .value = "NAME",
            .preset_text = PRB_MANIFEST_NAME ", of an agent " PRB_MANIFEST_AGENT,
            .help = "Who gets the rights; a service account in --namespace." },
    { .name = "lease-namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_namespace),
            .value = "NAME",
            .preset_text = "--namespace",
            .help = "The namespace of the Lease for leader election." },
    { .name = "lease-name",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_name),
            .value = "NAME",
            .preset_text = PRB_MANIFEST_NAME ", of an agent " PRB_MANIFEST_AGENT,
            .help = "The name of that Lease." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_manifest = {
    .name = "manifest",
    .arguments = "webhook|rbac|agent-rbac|hub-rbac|remove-rbac|selftest-rbac [flags]",
    .summary = "Print what a cluster needs to know of Probate: webhooks and rights.",
    .description =
            "webhook: the ValidatingWebhookConfiguration that makes the API server ask Probate. A "
            "rule has one webhook, which fails closed, or several, some of which fail open, so "
            "that a Probate that is down keeps nobody from deleting what nothing protects. rbac: "
            "the roles that the rules and controllers of 'probate serve' need, and their bindings. "
            "agent-rbac: those of 'probate agent' on its own cluster; hub-rbac: those on its hub, "
            "in the namespace of the cluster; remove-rbac and selftest-rbac: those of 'probate "
            "remove' and 'probate selftest'. All come from the tables that Probate itself works "
            "by; pipe them into kubectl apply -f -.\n"
            "Claim kinds are registered as far as --claim-resource names them: those that "
            "CompositeResourceDefinitions define are not known here. Kinds that criteria of "
            "CriticalServices name may be read as far as --criteria-resource names them. The "
            "controller claims needs rights on claims, their composites and what these are made "
            "of: --claim-resource, --composite-resource, --composed-resource.\n"
            "Exit codes: 0 printed, 2 wrong usage or input, 4 internal.",
    .flags = &flags,
    .args_max = 1,
    .more_help = prb_rules_help,
    .run = run,
};
