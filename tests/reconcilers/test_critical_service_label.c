/* On which Namespaces the label of protection is put, and off which it is taken. */

#include <stdio.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "crit_world.h"

void setUp(void)
{
}

void tearDown(void)
{
    crit_done();
}

#define PLAIN_PROVIDER \
    A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-1, resourceVersion: '5'}\n"
#define PLAIN_HOME A_NAMESPACE "metadata: {name: home, uid: home-1, resourceVersion: '6'}\n"
#define LABEL_OF(key) crit_at(key, "/metadata/labels/probate.dev~1protected")

/* What a decision on `key` wants: "" nothing, else the patch. */
static const char *wanted(const char *key)
{
    static char text[256];

    text[0] = '\0';
    crit_decide(key);
    if (crit_changes.count == 1) {
        prb_autofree char *patch = prb_json_text(crit_changes.items[0].body, true);

        (void)snprintf(text, sizeof(text), "%s", patch);
    } else if (crit_changes.count > 1) {
        (void)snprintf(text, sizeof(text), "%zu changes", crit_changes.count);
    }
    return text;
}

#define ON "{\"metadata\":{\"labels\":{\"probate.dev/protected\":\"true\"}}}"
#define OFF "{\"metadata\":{\"labels\":{\"probate.dev/protected\":null}}}"

static void test_the_namespace_of_a_provider_gets_the_label(void)
{
    crit_build(PLAIN_PROVIDER PLAIN_HOME GUARD);
    TEST_ASSERT_EQUAL_STRING(ON, wanted(HOME_KEY));
    TEST_ASSERT_NULL_MESSAGE(crit_changes.items[0].subresource, "of the object itself");
    TEST_ASSERT_TRUE(crit_changes.items[0].absent_is_done);
    (void)crit_settle(HOME_KEY);
    TEST_ASSERT_EQUAL_STRING("true", LABEL_OF(HOME_KEY));
    TEST_ASSERT_EQUAL_STRING("", LABEL_OF(PROVIDER_KEY));
}

/* A Deployment that is created a moment later is protected from its first moment on. */
static void test_it_gets_the_label_before_the_provider_is_there(void)
{
    crit_build(PLAIN_HOME GUARD);
    TEST_ASSERT_EQUAL_STRING(ON, wanted(HOME_KEY));
    crit_build(PLAIN_HOME GUARD);
    crit_unread(DEPLOYMENTS);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(ON, wanted(HOME_KEY), "nor have they to be known");
}

static void test_what_has_it_with_another_value_keeps_that(void)
{
    crit_build(GUARD A_NAMESPACE "metadata: {name: home, labels: {probate.dev/protected: mine}}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_what_nobody_guards_gets_none(void)
{
    crit_build(GUARD A_NAMESPACE "metadata: {name: away}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(NAMESPACES "//away"));
}

static void test_a_provider_of_another_kind_is_none(void)
{
    crit_build(PLAIN_PROVIDER PLAIN_HOME A_SERVICE GUARD_META
            "spec: {provider: {group: apps, resource: statefulsets, namespace: home, name: op}}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_what_is_being_deleted_gets_none_any_more(void)
{
    crit_build(GUARD PROVIDER A_NAMESPACE "metadata: {name: home, " SINCE "}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_a_provider_that_went_leaves_its_namespace_protected(void)
{
    crit_build(GUARD HOME A_DEPLOYMENT "metadata: {name: op, namespace: home, " SINCE "}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_what_nobody_guards_any_more_loses_it(void)
{
    crit_build(PROVIDER HOME);
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
    TEST_ASSERT_EQUAL_STRING("1", crit_changes.items[0].resource_version);
    TEST_ASSERT_TRUE(crit_changes.items[0].absent_is_done);
    (void)crit_settle(HOME_KEY);
    TEST_ASSERT_EQUAL_STRING("", LABEL_OF(HOME_KEY));
}

static void test_other_labels_stay(void)
{
    crit_build(A_NAMESPACE "metadata: {name: home, labels: {a: b, probate.dev/protected: "
                           "'true'}}\n");
    (void)crit_settle(HOME_KEY);
    TEST_ASSERT_EQUAL_STRING("{\"a\":\"b\"}", crit_at(HOME_KEY, "/metadata/labels"));
}

static void test_one_of_two_guards_is_enough(void)
{
    crit_build(PROVIDER HOME GUARD A_SERVICE
            "metadata: {name: second}\nspec: {provider: {group: apps, resource: Deployment, "
            "namespace: home, name: other}}\n");
    crit_remove(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_remove(SERVICES "//second");
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
}

#define LEAVES_OUT(labels)                                                                       \
    WEBHOOK_OF("{name: critical-service-delete.probate.dev, failurePolicy: Ignore, "             \
               "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, "      \
               "operator: NotIn, values: [" labels "]}, {key: probate.dev/protected, operator: " \
               "Exists}]}, rules: [" DELETE_RULES "]}")
#define NAMED_HOME \
    A_NAMESPACE "metadata: {name: home, labels: {kubernetes.io/metadata.name: home}}\n"

static void test_an_exempt_namespace_gets_none(void)
{
    static const char *const exempt[] = { "other", "home" };

    crit_build(NAMED_HOME GUARD LEAVES_OUT("kube-system"));
    TEST_ASSERT_EQUAL_STRING(ON, wanted(HOME_KEY));
    crit_build(NAMED_HOME GUARD LEAVES_OUT("kube-system, home"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", wanted(HOME_KEY), "by the registration");
    crit_build(PLAIN_HOME GUARD WEBHOOK);
    crit_settings = (struct prb_critical_settings){ exempt, 1 };
    TEST_ASSERT_EQUAL_STRING(ON, wanted(HOME_KEY));
    crit_settings.exempt_count = 2;
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", wanted(HOME_KEY), "by the command line");
}

static void test_nothing_is_taken_off_while_the_guards_are_not_known(void)
{
    crit_build(PROVIDER HOME);
    crit_unread(SERVICES);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    TEST_ASSERT_EQUAL_INT64(30000, crit_changes.again_after_ms);
}

/* Somebody has taken it out of the schema: it is stored all the same, and may be anywhere. */
static void test_nothing_is_taken_off_while_a_guard_shows_no_provider(void)
{
    crit_build(PROVIDER HOME A_SERVICE "metadata: {name: guard}\nspec: {criteria: []}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    TEST_ASSERT_EQUAL_INT64(30000, crit_changes.again_after_ms);
    crit_remove(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
}

static void test_what_has_no_label_does_not_wait_for_the_guards(void)
{
    crit_build(PLAIN_HOME);
    crit_unread(SERVICES);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    TEST_ASSERT_EQUAL_INT64(0, crit_changes.again_after_ms);
}

/* Nor could it: the right is not asked for. */
static void test_nothing_is_written_to_a_deployment(void)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_critical_service;

    for (size_t i = 0; i < reconciler->right_count; i++) {
        if (prb_streq(reconciler->rights[i].resource, "deployments"))
            TEST_ASSERT_EQUAL_STRING("get,list,watch", reconciler->rights[i].verbs);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_namespace_of_a_provider_gets_the_label);
    RUN_TEST(test_it_gets_the_label_before_the_provider_is_there);
    RUN_TEST(test_what_has_it_with_another_value_keeps_that);
    RUN_TEST(test_what_nobody_guards_gets_none);
    RUN_TEST(test_a_provider_of_another_kind_is_none);
    RUN_TEST(test_what_is_being_deleted_gets_none_any_more);
    RUN_TEST(test_a_provider_that_went_leaves_its_namespace_protected);
    RUN_TEST(test_what_nobody_guards_any_more_loses_it);
    RUN_TEST(test_other_labels_stay);
    RUN_TEST(test_one_of_two_guards_is_enough);
    RUN_TEST(test_an_exempt_namespace_gets_none);
    RUN_TEST(test_nothing_is_taken_off_while_the_guards_are_not_known);
    RUN_TEST(test_nothing_is_taken_off_while_a_guard_shows_no_provider);
    RUN_TEST(test_what_has_no_label_does_not_wait_for_the_guards);
    RUN_TEST(test_nothing_is_written_to_a_deployment);
    return UNITY_END();
}
