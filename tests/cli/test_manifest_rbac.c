/* `probate manifest rbac`: the rights that the tables ask for, and no other. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"
#include "probate/rules/registry.h"

#include "manifest_print.h"
#include "program.h"

#define ON "--feature-gates=ClusterLifeCycle=true"

void setUp(void)
{
}

void tearDown(void)
{
    manifests_drop();
}

/* Does the role allow all of these verbs? */
static bool is_granted(const struct json_object *role, const struct prb_right *right)
{
    const struct json_object *rules = prb_json_arr(role, "rules");
    bool granted = true;

    for (const char *verb = right->verbs; *verb;) {
        size_t len = strcspn(verb, ",");
        prb_autofree char *one = prb_strndup(verb, len);
        bool found = false;

        for (size_t i = 0; i < prb_json_len(rules); i++) {
            const struct json_object *rule = prb_json_elem(rules, i);

            found = found || (list_has(rule, "apiGroups", right->group) &&
                                     list_has(rule, "resources", right->resource) &&
                                     list_has(rule, "verbs", one));
        }
        granted = granted && found;
        verb += len + (verb[len] ? 1 : 0);
    }
    return granted;
}

static bool are_granted(const struct json_object *role, const struct prb_right *rights, size_t some)
{
    bool all = true;

    for (size_t i = 0; i < some; i++)
        all = all && is_granted(role, &rights[i]);
    return all;
}

static void test_every_right_of_every_rule_is_granted(void)
{
    size_t rule_count;
    const struct prb_rule *const *rules = prb_rules(&rule_count);

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac"));
    TEST_ASSERT_EQUAL_size_t(4, manifest_count);
    TEST_ASSERT_EQUAL_STRING("ClusterRole", prb_json_str(manifests[0], "kind"));
    for (size_t i = 0; i < rule_count; i++)
        TEST_ASSERT_TRUE_MESSAGE(
                are_granted(manifests[0], rules[i]->rights, rules[i]->right_count), rules[i]->name);
}

static void test_every_right_of_every_controller_is_granted(void)
{
    static const struct prb_right events = { "", "events", "create,patch" };
    size_t some;
    const struct prb_reconciler *const *table = prb_reconcilers(&some);

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", ON));
    TEST_ASSERT_TRUE(is_granted(manifests[0], &events));
    for (size_t i = 0; i < some; i++) {
        if (!table[i]->by_name)
            TEST_ASSERT_TRUE_MESSAGE(
                    are_granted(manifests[0], table[i]->rights, table[i]->right_count),
                    table[i]->name);
    }
}

/* Who could patch any Deployment could run anything. The label is on Namespaces for that reason,
 * too.
 */
static void test_no_role_may_write_a_deployment(void)
{
    static const char *const verbs[] = { "create", "update", "patch", "delete", "*" };

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", ON));
    for (size_t i = 0; i < manifest_count; i++) {
        for (size_t verb = 0; verb < sizeof(verbs) / sizeof(verbs[0]); verb++) {
            const struct prb_right right = { "apps", "deployments", verbs[verb] };

            TEST_ASSERT_FALSE_MESSAGE(is_granted(manifests[i], &right), verbs[verb]);
        }
    }
}

static char *print_rules(const char *const *arguments)
{
    return manifest_print(arguments) == 0
                   ? prb_json_text(prb_json_arr(manifests[0], "rules"), false)
                   : prb_strdup("not printed");
}
#define RULES(...) print_rules((const char *const[]){ "rbac", __VA_ARGS__, NULL })

#define RULE(group, resources, verbs) \
    "{\"apiGroups\":[\"" group "\"],\"resources\":[" resources "],\"verbs\":[" verbs "]}"
#define READ "\"get\",\"list\",\"watch\""

/* All of it, word for word, so that no right comes in unseen. */
static const char *const cluster_rules[] = {
    RULE("", "\"configmaps\"", READ),
    RULE("", "\"events\"", "\"create\",\"patch\""),
    RULE("", "\"namespaces\"", READ ",\"patch\",\"delete\""),
    RULE("addon.open-cluster-management.io", "\"managedclusteraddons\"", READ ",\"delete\""),
    RULE("admissionregistration.k8s.io", "\"validatingwebhookconfigurations\"", "\"get\""),
    RULE("apps", "\"deployments\"", "\"get\""),
    RULE("cluster.open-cluster-management.io", "\"managedclusters/status\"", "\"patch\""),
    RULE("cluster.open-cluster-management.io", "\"managedclusters\"", READ ",\"patch\""),
    RULE("hive.openshift.io", "\"clusterdeployments\"", READ),
    RULE("rbac.authorization.k8s.io", "\"clusterrolebindings\",\"clusterroles\"",
            READ ",\"delete\""),
    RULE("rbac.authorization.k8s.io", "\"rolebindings\"", READ ",\"patch\",\"delete\""),
    RULE("work.open-cluster-management.io", "\"manifestworks\"", READ ",\"patch\",\"delete\""),
};

static void test_the_deletion_of_clusters_needs_this_and_nothing_else(void)
{
    prb_autofree char *rules = RULES("--rules=policy-prune", ON, "--controllers=cluster-deletion",
            "--resources-to-monitor-for-deletion=clusterdeployments.v1.hive.openshift.io,"
            "configmaps.v1");
    prb_auto(prb_str_done) struct prb_str expected;

    prb_str_init(&expected, 65536);
    for (size_t i = 0; i < sizeof(cluster_rules) / sizeof(cluster_rules[0]); i++)
        prb_str_addf(&expected, "%s%s", i > 0 ? "," : "[", cluster_rules[i]);
    prb_str_addc(&expected, ']');
    TEST_ASSERT_EQUAL_STRING(prb_str_get(&expected), rules);
}

static void test_with_the_gate_off_it_needs_nothing(void)
{
    prb_autofree char *off = RULES("--rules=policy-prune",
            "--resources-to-monitor-for-deletion=clusterdeployments.v1.x.io");
    prb_autofree char *left_out = RULES("--rules=policy-prune", ON,
            "--controllers=-cluster-deletion", "--resources-to-monitor-for-deletion=secrets.v1");

    TEST_ASSERT_NULL_MESSAGE(strstr(off, "clusterdeployments"), off);
    TEST_ASSERT_NULL_MESSAGE(strstr(off, "rolebindings"), off);
    TEST_ASSERT_NULL_MESSAGE(strstr(off, "delete"), off);
    TEST_ASSERT_NULL_MESSAGE(strstr(left_out, "secrets"), left_out);
    TEST_ASSERT_NULL_MESSAGE(strstr(left_out, "rolebindings"), left_out);
}

static void test_a_controller_behind_its_gate_is_refused_here_too(void)
{
    TEST_ASSERT_EQUAL_INT(2, PRINT("rbac", "--controllers=cluster-deletion"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("rbac", "--feature-gates=Other=true"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("rbac", "--resources-to-monitor-for-deletion=pods"));
}

static void test_nothing_is_granted_that_no_table_asks_for(void)
{
    static const char *const absent[] = { "secrets", "*", "crossplane", "delete" };
    prb_autofree char *rules = NULL;

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--rules=cluster-lifecycle"));
    rules = prb_json_text(prb_json_arr(manifests[0], "rules"), false);
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
        TEST_ASSERT_NULL_MESSAGE(strstr(rules, absent[i]), rules);
}

static void test_kinds_that_criteria_name_may_be_read(void)
{
    static const struct prb_right wanted[] = {
        { "", "secrets", "get,list,watch" },
        { "", "pods", "get,list,watch" },
        { "", "services", "get,list,watch" },
        { "cert-manager.io", "certificates", "get,list,watch" },
        { "example.org", "buckets", "get,list,watch" },
    };

    TEST_ASSERT_EQUAL_INT(0,
            PRINT("rbac", "--criteria-resource=secrets,pods.,services.v1.", "--criteria-resource",
                    "certificates.cert-manager.io,buckets.v1beta1.example.org"));
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        TEST_ASSERT_TRUE_MESSAGE(is_granted(manifests[0], &wanted[i]), wanted[i].resource);
}

/* The server writes them, on every replica: no controller of that name need run. */
static void test_denials_of_critical_services_may_be_written_down(void)
{
    static const struct prb_right wanted[] = {
        { "", "events", "create,patch" },
        { "probate.dev", "criticalservices", "get" },
        { "probate.dev", "criticalservices/status", "patch" },
    };

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("rbac", "--rules=critical-service", "--controllers=deletion-watch"));
    TEST_ASSERT_TRUE(are_granted(manifests[0], wanted, sizeof(wanted) / sizeof(wanted[0])));
    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--rules=policy-prune", "--controllers=deletion-watch"));
    TEST_ASSERT_FALSE(is_granted(manifests[0], &wanted[2]));
}

static void test_who_may_do_what_may_be_asked(void)
{
    static const struct prb_right wanted = { "authorization.k8s.io", "subjectaccessreviews",
        "create" };

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--rules=critical-service"));
    TEST_ASSERT_TRUE(is_granted(manifests[0], &wanted));
}

static void test_the_lease_is_the_only_one_that_may_be_written(void)
{
    const struct json_object *rules;

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--namespace=guard", "--lease-name=l", "--name=n",
                                     "--service-account=sa"));
    TEST_ASSERT_EQUAL_STRING("Role", prb_json_str(manifests[2], "kind"));
    TEST_ASSERT_EQUAL_STRING(
            "guard", prb_json_str(prb_json_obj(manifests[2], "metadata"), "namespace"));
    rules = prb_json_arr(manifests[2], "rules");
    TEST_ASSERT_TRUE(list_has(prb_json_elem(rules, 0), "resourceNames", "l"));
    TEST_ASSERT_TRUE(list_has(prb_json_elem(rules, 0), "verbs", "update"));
    TEST_ASSERT_TRUE(list_has(prb_json_elem(rules, 1), "verbs", "create"));
    TEST_ASSERT_EQUAL_size_t(1, prb_json_len(prb_json_arr(prb_json_elem(rules, 1), "verbs")));
}

static void test_roles_are_bound_to_the_service_account(void)
{
    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--namespace=guard", "--service-account=sa"));
    for (size_t i = 1; i < 4; i += 2) {
        const struct json_object *subject =
                prb_json_elem(prb_json_arr(manifests[i], "subjects"), 0);
        const struct json_object *ref = prb_json_obj(manifests[i], "roleRef");

        TEST_ASSERT_EQUAL_STRING(
                i == 1 ? "ClusterRoleBinding" : "RoleBinding", prb_json_str(manifests[i], "kind"));
        TEST_ASSERT_EQUAL_STRING("sa", prb_json_str(subject, "name"));
        TEST_ASSERT_EQUAL_STRING("guard", prb_json_str(subject, "namespace"));
        TEST_ASSERT_EQUAL_STRING(prb_json_str(manifests[i - 1], "kind"), prb_json_str(ref, "kind"));
        TEST_ASSERT_EQUAL_STRING("probate", prb_json_str(ref, "name"));
    }
}

/* `probate remove` may see to the claims that it is told of, and deletes none. */
static void test_remove_gets_rights_on_claims_that_are_named(void)
{
    static const struct prb_right wanted[] = {
        { "example.org", "networks", "get,list,patch" },
        { "apiextensions.crossplane.io", "compositeresourcedefinitions", "list" },
    };
    static const struct prb_right unwanted = { "example.org", "networks", "delete" };

    TEST_ASSERT_EQUAL_INT(0, PRINT("remove-rbac"));
    TEST_ASSERT_FALSE(is_granted(manifests[0], &wanted[0]));
    TEST_ASSERT_FALSE(is_granted(manifests[0], &wanted[1]));
    manifests_drop();
    TEST_ASSERT_EQUAL_INT(0, PRINT("remove-rbac", "--claim-resource=networks.v1.example.org"));
    TEST_ASSERT_TRUE(are_granted(manifests[0], wanted, 2));
    TEST_ASSERT_FALSE(is_granted(manifests[0], &unwanted));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_every_right_of_every_rule_is_granted);
    RUN_TEST(test_every_right_of_every_controller_is_granted);
    RUN_TEST(test_no_role_may_write_a_deployment);
    RUN_TEST(test_the_deletion_of_clusters_needs_this_and_nothing_else);
    RUN_TEST(test_with_the_gate_off_it_needs_nothing);
    RUN_TEST(test_a_controller_behind_its_gate_is_refused_here_too);
    RUN_TEST(test_nothing_is_granted_that_no_table_asks_for);
    RUN_TEST(test_kinds_that_criteria_name_may_be_read);
    RUN_TEST(test_denials_of_critical_services_may_be_written_down);
    RUN_TEST(test_who_may_do_what_may_be_asked);
    RUN_TEST(test_the_lease_is_the_only_one_that_may_be_written);
    RUN_TEST(test_roles_are_bound_to_the_service_account);
    RUN_TEST(test_remove_gets_rights_on_claims_that_are_named);
    return UNITY_END();
}
