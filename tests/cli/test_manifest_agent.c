/* `probate manifest` for works: what the agent may do on its cluster, and what on its hub. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "manifest_print.h"
#include "program.h"

#define WORKS "work.open-cluster-management.io"
#define AGGREGATE "open-cluster-management.io/aggregate-to-work"

void setUp(void)
{
}

void tearDown(void)
{
    manifests_drop();
}

/* "Role c1/probate-works, RoleBinding c1/probate-works": what was printed; the caller frees. */
static char *printed(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 4096);
    for (size_t i = 0; i < manifest_count; i++) {
        const struct json_object *metadata = prb_json_obj(manifests[i], "metadata");
        const char *namespace = prb_json_str(metadata, "namespace");

        prb_str_addf(&text, "%s%s %s%s%s", i > 0 ? ", " : "", prb_json_str(manifests[i], "kind"),
                namespace ? namespace : "", namespace ? "/" : "", prb_json_str(metadata, "name"));
    }
    return prb_str_take(&text);
}

/* The first manifest of that kind and name; NULL: none. */
static const struct json_object *find(const char *kind, const char *name)
{
    for (size_t i = 0; i < manifest_count; i++) {
        if (prb_streq(prb_json_str(manifests[i], "kind"), kind) &&
                prb_streq(prb_json_str(prb_json_obj(manifests[i], "metadata"), "name"), name))
            return manifests[i];
    }
    return NULL;
}

static char *rules_of(const struct json_object *role)
{
    return prb_json_text(prb_json_arr(role, "rules"), false);
}

#define RULE(group, resources, verbs) \
    "{\"apiGroups\":[\"" group "\"],\"resources\":[" resources "],\"verbs\":[" verbs "]}"
#define EVENTS RULE("", "\"events\"", "\"create\",\"patch\"")

/* All of it, word for word, so that no right comes in unseen. */
static const char hub_rules[] =
        "[" EVENTS "," RULE(WORKS, "\"manifestworks/status\"", "\"patch\"") "," RULE(
                WORKS, "\"manifestworks\"", "\"get\",\"list\",\"watch\",\"patch\"") "]";
#define DEFINED \
    "{\"apiGroups\":[\"apiextensions.k8s.io\"],\"resources\":[\"customresourcedefinitions\"],\"verbs\":[\"get\",\"list\"]}"
static const char agent_rules[] = "[" EVENTS "," DEFINED "," RULE(WORKS,
        "\"appliedmanifestworks/status\"", "\"patch\"") "," RULE(WORKS, "\"appliedmanifestworks\"",
        "\"get\",\"list\",\"watch\",\"create\",\"patch\",\"delete\"") "]";

static void test_the_hub_grants_the_namespace_of_the_cluster_only(void)
{
    prb_autofree char *what = NULL, *rules = NULL;
    const struct json_object *subject;

    TEST_ASSERT_EQUAL_INT(0, PRINT("hub-rbac", "--cluster-name=c1"));
    what = printed();
    TEST_ASSERT_EQUAL_STRING(
            "Role c1/probate-agent-works, RoleBinding c1/probate-agent-works", what);
    rules = rules_of(manifests[0]);
    TEST_ASSERT_EQUAL_STRING(hub_rules, rules);
    subject = prb_json_elem(prb_json_arr(manifests[1], "subjects"), 0);
    TEST_ASSERT_EQUAL_STRING("probate-agent", prb_json_str(subject, "name"));
    TEST_ASSERT_EQUAL_STRING("c1", prb_json_str(subject, "namespace"));
}

static void test_who_gets_the_rights_on_the_hub_may_be_said(void)
{
    const struct json_object *subject;

    TEST_ASSERT_EQUAL_INT(0, PRINT("hub-rbac", "--cluster-name=c1", "--namespace=agents",
                                     "--service-account=c1", "--name=n"));
    TEST_ASSERT_NOT_NULL(find("RoleBinding", "n-works"));
    subject = prb_json_elem(prb_json_arr(manifests[1], "subjects"), 0);
    TEST_ASSERT_EQUAL_STRING("c1", prb_json_str(subject, "name"));
    TEST_ASSERT_EQUAL_STRING("agents", prb_json_str(subject, "namespace"));
}

static void test_the_cluster_grants_records_and_what_roles_with_the_label_say(void)
{
    prb_autofree char *what = NULL, *rules = NULL;
    const struct json_object *apply, *selector;

    TEST_ASSERT_EQUAL_INT(0, PRINT("agent-rbac", "--cluster-name=c1"));
    what = printed();
    TEST_ASSERT_EQUAL_STRING(
            "ClusterRole probate-agent, ClusterRoleBinding probate-agent, "
            "Role probate-system/probate-agent, RoleBinding probate-system/probate-agent, "
            "ClusterRole probate-agent-apply, ClusterRoleBinding probate-agent-apply",
            what);
    rules = rules_of(manifests[0]);
    TEST_ASSERT_EQUAL_STRING(agent_rules, rules);
    TEST_ASSERT_TRUE(list_has(prb_json_elem(prb_json_arr(manifests[2], "rules"), 0),
            "resourceNames", "probate-agent"));

    apply = find("ClusterRole", "probate-agent-apply");
    selector = prb_json_elem(
            prb_json_arr(prb_json_obj(apply, "aggregationRule"), "clusterRoleSelectors"), 0);
    TEST_ASSERT_EQUAL_STRING(
            "true", prb_json_str(prb_json_obj(selector, "matchLabels"), AGGREGATE));
    TEST_ASSERT_FALSE_MESSAGE(prb_json_has(apply, "rules"), "they are the cluster's to fill in");
}

static void test_what_works_may_bring_may_be_said(void)
{
    const struct json_object *ref;

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("agent-rbac", "--cluster-name=c1", "--apply-role=cluster-admin"));
    TEST_ASSERT_NULL(find("ClusterRole", "probate-agent-apply"));
    ref = prb_json_obj(find("ClusterRoleBinding", "probate-agent-cluster-admin"), "roleRef");
    TEST_ASSERT_EQUAL_STRING("ClusterRole", prb_json_str(ref, "kind"));
    TEST_ASSERT_EQUAL_STRING("cluster-admin", prb_json_str(ref, "name"));
}

static void test_a_server_with_works_has_all_of_it(void)
{
    prb_autofree char *what = NULL, *hub = NULL, *own = NULL;

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("rbac", "--rules=policy-prune", "--controllers=work", "--cluster-name=c1"));
    what = printed();
    TEST_ASSERT_EQUAL_STRING("ClusterRole probate, ClusterRoleBinding probate, "
                             "Role probate-system/probate, RoleBinding probate-system/probate, "
                             "ClusterRole probate-apply, ClusterRoleBinding probate-apply, "
                             "Role c1/probate-works, RoleBinding c1/probate-works",
            what);
    own = rules_of(manifests[0]);
    hub = rules_of(find("Role", "probate-works"));
    TEST_ASSERT_EQUAL_STRING(agent_rules, own);
    TEST_ASSERT_EQUAL_STRING(hub_rules, hub);
}

static void test_without_works_nothing_of_it_is_granted(void)
{
    prb_autofree char *what = NULL;

    TEST_ASSERT_EQUAL_INT(0, PRINT("rbac", "--cluster-name=c1"));
    what = printed();
    TEST_ASSERT_NULL_MESSAGE(strstr(what, "works"), what);
    TEST_ASSERT_NULL_MESSAGE(strstr(what, "apply"), what);
}

#define POLICIES "policy.open-cluster-management.io"

/* Policies are written to in their namespace; elsewhere only a finalizer of an earlier Probate is
 * looked for, and taken off. */
static void test_policies_are_granted_in_their_namespace(void)
{
    prb_autofree char *what = NULL, *own = NULL, *all = NULL;

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("agent-rbac", "--controllers=policy", "--policy-namespace=managed"));
    what = printed();
    TEST_ASSERT_EQUAL_STRING(
            "ClusterRole probate-agent, ClusterRoleBinding probate-agent, "
            "Role probate-system/probate-agent, RoleBinding probate-system/probate-agent, "
            "Role managed/probate-agent-policies, RoleBinding managed/probate-agent-policies, "
            "ClusterRole probate-agent-apply, ClusterRoleBinding probate-agent-apply",
            what);
    own = rules_of(find("Role", "probate-agent-policies"));
    TEST_ASSERT_EQUAL_STRING(
            "[" RULE(POLICIES, "\"configurationpolicies/status\"", "\"patch\"") "," RULE(POLICIES,
                    "\"configurationpolicies\"", "\"get\",\"list\",\"watch\",\"patch\"") "]",
            own);
    all = rules_of(manifests[0]);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(all, RULE(POLICIES, "\"configurationpolicies\"", "\"list\",\"patch\"")), all);
    TEST_ASSERT_NULL_MESSAGE(strstr(all, "configurationpolicies/status"), all);
}

static void test_the_namespace_of_policies_is_that_of_the_cluster(void)
{
    prb_autofree char *what = NULL;

    TEST_ASSERT_EQUAL_INT(0, PRINT("agent-rbac", "--controllers=policy", "--cluster-name=c1"));
    what = printed();
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(what, "Role c1/probate-agent-policies"), what);
    TEST_ASSERT_EQUAL_INT(2, PRINT("agent-rbac", "--controllers=policy"));
}

static void test_the_cluster_has_to_be_named(void)
{
    TEST_ASSERT_EQUAL_INT(2, PRINT("hub-rbac"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("agent-rbac"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("rbac", "--controllers=work"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("hub-rbac", "--cluster-name=A"));
    TEST_ASSERT_EQUAL_INT(2, PRINT("hub-rbac", "--cluster-name=c1", "--controllers=claims"));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_the_hub_grants_the_namespace_of_the_cluster_only);
    RUN_TEST(test_who_gets_the_rights_on_the_hub_may_be_said);
    RUN_TEST(test_the_cluster_grants_records_and_what_roles_with_the_label_say);
    RUN_TEST(test_what_works_may_bring_may_be_said);
    RUN_TEST(test_a_server_with_works_has_all_of_it);
    RUN_TEST(test_without_works_nothing_of_it_is_granted);
    RUN_TEST(test_policies_are_granted_in_their_namespace);
    RUN_TEST(test_the_namespace_of_policies_is_that_of_the_cluster);
    RUN_TEST(test_the_cluster_has_to_be_named);
    return UNITY_END();
}
