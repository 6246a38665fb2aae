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

static int print_webhook(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    const char *service = options->service || options->url ? options->service : DEFAULT_SERVICE;
    prb_auto(prb_json_free) struct json_object *client = NULL;
    prb_auto(prb_json_free) struct json_object *manifest = NULL;
    int r = prb_manifest_client(options->url, service, options->ca_file, &client, err);

    if (r < 0)
        return r;
    manifest = prb_manifest_webhook(&(struct prb_manifest_webhook){ .name = options->name,
                                            .client = client,
                                            .namespace = options->namespace,
                                            .choice = choice },
            tell_left_out);
    add_document(out, manifest);
    return 0;
}

static int print_rbac(const struct options *options, const struct prb_rule_choice *choice,
        struct prb_str *out, struct prb_error *err)
{
    const char *namespace = options->namespace ? options->namespace : PRB_MANIFEST_NAMESPACE;
    prb_auto(prb_controller_choice_done) struct prb_controller_choice controllers = { 0 };
    prb_autofree struct prb_gvr *criteria = NULL;
    size_t criterion_count = 0;
    int r = prb_controller_choice_make(&options->controllers, PRB_PLACE_SERVER, &controllers, err);

    if (r == 0)
        r = prb_resources_parse(
                &criteria_flag, &options->criteria, &criteria, &criterion_count, err);
    if (r < 0)
        return r;
    prb_manifest_rbac(&(struct prb_manifest_rbac){ .name = options->name,
                              .service_account = options->service_account,
                              .namespace = namespace,
                              .lease_namespace = options->lease_namespace ? options->lease_namespace
                                                                          : namespace,
                              .lease_name = options->lease_name,
                              .choice = choice,
                              .controllers = &controllers,
                              .criteria = criteria,
                              .criterion_count = criterion_count },
            add_document, out);
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
};
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
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither webhook nor rbac", name);
    return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither webhook nor rbac; did you mean %s?",
            name, names[nearest]);
}

static enum prb_exit print(const struct options *options, const struct prb_args *args)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_error err;

    prb_str_init(&text, PRB_JSON_SIZE_MAX);
    if (args->count == 0)
        return prb_cli_misused("manifest", "say what to print: webhook or rbac");
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
    { .section = "Both",
            .name = "name",
            .type = PRB_FLAG_TEXT,
            .at = AT(name),
            .value = "NAME",
            .preset = PRB_MANIFEST_NAME,
            .help = "The name of what is printed." },
    { .name = "namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(namespace),
            .value = "NAME",
            .preset_text = "rbac: " PRB_MANIFEST_NAMESPACE,
            .help = "The namespace that Probate runs in. Given for webhook, objects in it and in "
                    "kube-system are exempted (by a label that Kubernetes sets from 1.21 on)." },
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

    PRB_CONTROLLERS_FLAG(struct options, controllers, "*", "rbac"),
    PRB_GATES_FLAG(struct options, controllers),
    PRB_MONITORED_FLAG(struct options, controllers.clusters, NULL),
    { .name = "criteria-resource",
            .type = PRB_FLAG_LIST,
            .at = AT(criteria),
            .value = "PLURAL.GROUP,...",
            .help = "Kinds that the criteria of CriticalServices name, so that Probate may read "
                    "them; of the core group, PLURAL alone." },
    { .name = "service-account",
            .type = PRB_FLAG_TEXT,
            .at = AT(service_account),
            .value = "NAME",
            .preset = PRB_MANIFEST_NAME,
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
            .preset = "probate",
            .help = "The name of that Lease." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_manifest = {
    .name = "manifest",
    .arguments = "webhook|rbac [flags]",
    .summary = "Print what a cluster needs to know of Probate: webhooks and rights.",
    .description =
            "webhook: the ValidatingWebhookConfiguration that makes the API server ask Probate. A "
            "rule has one webhook, which fails closed, or several, some of which fail open, so "
            "that a Probate that is down keeps nobody from deleting what nothing protects. rbac: "
            "the roles that the rules and controllers need, and their bindings. Both come from the "
            "tables that Probate itself works by; pipe them into kubectl apply -f -.\n"
            "Claim kinds are registered as far as --claim-resource names them: those that "
            "CompositeResourceDefinitions define are not known here. Kinds that criteria of "
            "CriticalServices name may be read as far as --criteria-resource names them.\n"
            "Exit codes: 0 printed, 2 wrong usage or input, 4 internal.",
    .flags = &flags,
    .args_max = 1,
    .more_help = prb_rules_help,
    .run = run,
};
