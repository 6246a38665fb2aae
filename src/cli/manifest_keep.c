/* Which rights do the certificates and the registration need, and the verbs of a chart's hooks? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "ca_secret.h"
#include "manifest.h"
#include "remove.h"

#define LEASES "coordination.k8s.io", "leases"
#define CONFIGURATIONS "admissionregistration.k8s.io", "validatingwebhookconfigurations"

/* "get,patch" as a list. */
static struct json_object *split(const char *text)
{
    struct json_object *list = json_object_new_array();

    for (;;) {
        size_t len = strcspn(text, ",");

        prb_json_push(list, json_object_new_string_len(text, (int)len));
        if (text[len] == '\0')
            return list;
        text += len + 1;
    }
}

/* One rule of a role; `name` NULL: for all objects of the kind. */
static struct json_object *make_rule(
        const char *group, const char *resource, const char *verbs, const char *name)
{
    struct json_object *rule = json_object_new_object();

    prb_json_set(rule, "apiGroups", split(group));
    prb_json_set(rule, "resources", split(resource));
    if (name)
        prb_json_set(rule, "resourceNames", split(name));
    prb_json_set(rule, "verbs", split(verbs));
    return rule;
}

static struct json_object *make_binding(
        const struct prb_manifest_keep *keep, const struct json_object *role)
{
    const struct json_object *metadata = prb_json_obj(role, "metadata");
    const char *name = prb_json_str(metadata, "name");
    const struct prb_manifest_binding binding = { .kind = prb_json_str(role, "kind"),
        .namespace = prb_json_str(metadata, "namespace"),
        .name = name,
        .role = name,
        .account = keep->service_account,
        .account_namespace = keep->namespace };

    return prb_manifest_binding(&binding);
}

/* A role of these rules, and its binding. `namespace` NULL: for the whole cluster. */
static void tell(const struct prb_manifest_keep *keep, const char *namespace, const char *suffix,
        struct json_object *rules_taken)
{
    prb_autofree char *name = prb_asprintf("%s%s", keep->name, suffix);
    prb_auto(prb_json_free) struct json_object *role =
            prb_manifest_role(namespace ? "Role" : "ClusterRole", namespace, name);
    prb_auto(prb_json_free) struct json_object *binding = NULL;

    prb_json_set(role, "rules", rules_taken);
    binding = make_binding(keep, role);
    keep->each(keep->ctx, role);
    keep->each(keep->ctx, binding);
}

int prb_manifest_keeper(const struct prb_manifest_keep *keep, struct prb_error *err)
{
    struct json_object *rules;
    struct prb_ref secret;

    if (keep->secret && prb_ca_secret_parse(keep->secret, &secret, err) < 0)
        return err->code;
    if (keep->configuration) {
        rules = json_object_new_array();
        prb_json_push(rules, make_rule(CONFIGURATIONS, "get,patch", keep->configuration));
        tell(keep, NULL, "-registration", rules);
    }
    if (keep->secret) {
        rules = json_object_new_array();
        prb_json_push(rules, make_rule("", "secrets", "get,update", secret.name));
        prb_json_push(rules, make_rule("", "secrets", "create", NULL));
        tell(keep, secret.namespace, "-certs", rules);
    }
    return 0;
}

void prb_manifest_remove(const struct prb_manifest_keep *keep)
{
    prb_auto(prb_rights_done) struct prb_rights rights = { 0 };
    struct json_object *rules;

    prb_rights_add(&rights, prb_remove_rights, prb_remove_right_count);
    for (size_t i = 0; i < keep->claim_count; i++) {
        const struct prb_right right = { keep->claims[i].group, keep->claims[i].resource,
            PRB_REMOVE_CLAIM_VERBS };

        prb_rights_add(&rights, &right, 1);
    }
    if (keep->claim_count > 0)
        prb_rights_add(&rights, prb_remove_definition_rights, prb_remove_definition_right_count);
    rules = prb_rights_rules(&rights);
    prb_json_push(rules, make_rule(CONFIGURATIONS, "get,delete", keep->configuration));
    tell(keep, NULL, "", rules);
    rules = json_object_new_array();
    prb_json_push(rules, make_rule(LEASES, "get,update", keep->lease_name));
    tell(keep, keep->lease_namespace, "", rules);
}

void prb_manifest_selftest(const struct prb_manifest_keep *keep)
{
    struct json_object *rules = json_object_new_array();

    prb_json_push(rules, make_rule(CONFIGURATIONS, "get", keep->configuration));
    tell(keep, NULL, "", rules);
    rules = json_object_new_array();
    prb_json_push(rules, make_rule(LEASES, "create", NULL));
    tell(keep, keep->lease_namespace, "", rules);
}
