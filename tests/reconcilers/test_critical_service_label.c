/* On what the label of protection is put, and off what it is taken. */

#include <stdio.h>
#include <unity.h>

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

static void test_a_provider_and_its_namespace_get_the_label(void)
{
    crit_build(PLAIN_PROVIDER PLAIN_HOME GUARD);
    TEST_ASSERT_EQUAL_STRING(ON, wanted(PROVIDER_KEY));
    TEST_ASSERT_NULL_MESSAGE(crit_changes.items[0].subresource, "of the object itself");
    TEST_ASSERT_TRUE(crit_changes.items[0].absent_is_done);
    TEST_ASSERT_EQUAL_STRING(ON, wanted(HOME_KEY));
    (void)crit_settle(PROVIDER_KEY);
    (void)crit_settle(HOME_KEY);
    TEST_ASSERT_EQUAL_STRING("true", LABEL_OF(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("true", LABEL_OF(HOME_KEY));
}

static void test_what_has_it_with_another_value_keeps_that(void)
{
    crit_build(GUARD A_DEPLOYMENT
            "metadata: {name: op, namespace: home, labels: {probate.dev/protected: mine}}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
}

static void test_what_nobody_guards_gets_none(void)
{
    crit_build(GUARD PLAIN_HOME A_DEPLOYMENT "metadata: {name: op, namespace: away}\n" A_DEPLOYMENT
                                             "metadata: {name: other, namespace: home}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(DEPLOYMENTS "/away/op"));
    TEST_ASSERT_EQUAL_STRING("", wanted(DEPLOYMENTS "/home/other"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", wanted(HOME_KEY), "its provider is not there");
}

static void test_a_provider_of_another_kind_is_none(void)
{
    crit_build(PLAIN_PROVIDER PLAIN_HOME A_SERVICE GUARD_META
            "spec: {provider: {group: apps, resource: statefulsets, namespace: home, name: op}}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_what_is_being_deleted_gets_none_any_more(void)
{
    crit_build(GUARD A_DEPLOYMENT "metadata: {name: op, namespace: home, " SINCE "}\n" A_NAMESPACE
                                  "metadata: {name: home, " SINCE "}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
}

static void test_a_terminating_provider_keeps_its_namespace_protected(void)
{
    crit_build(GUARD HOME A_DEPLOYMENT "metadata: {name: op, namespace: home, " SINCE "}\n");
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
}

static void test_what_nobody_guards_any_more_loses_it(void)
{
    crit_build(PROVIDER HOME);
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("1", crit_changes.items[0].resource_version);
    TEST_ASSERT_TRUE(crit_changes.items[0].absent_is_done);
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
    (void)crit_settle(PROVIDER_KEY);
    (void)crit_settle(HOME_KEY);
    TEST_ASSERT_EQUAL_STRING("", LABEL_OF(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("", LABEL_OF(HOME_KEY));
}

static void test_other_labels_stay(void)
{
    crit_build(A_DEPLOYMENT "metadata: {name: op, namespace: home, labels: {a: b, "
                            "probate.dev/protected: 'true'}}\n");
    (void)crit_settle(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING("{\"a\":\"b\"}", crit_at(PROVIDER_KEY, "/metadata/labels"));
}

static void test_one_of_two_guards_is_enough(void)
{
    crit_build(PROVIDER HOME GUARD A_SERVICE
            "metadata: {name: second}\nspec: {provider: {group: apps, resource: Deployment, "
            "namespace: home, name: op}}\n");
    crit_remove(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_remove(SERVICES "//second");
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
}

static void test_a_namespace_with_two_providers_is_protected_until_both_are_gone(void)
{
    crit_build(
            PROVIDER HOME GUARD A_DEPLOYMENT "metadata: {name: second, namespace: home}\n" A_SERVICE
                                             "metadata: {name: second}\nspec: {provider: {group: "
                                             "apps, resource: deployments, namespace: home, "
                                             "name: second}}\n");
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_remove(DEPLOYMENTS "/home/second");
    TEST_ASSERT_EQUAL_STRING(OFF, wanted(HOME_KEY));
}

static void test_nothing_is_taken_off_while_the_guards_are_not_known(void)
{
    crit_build(PROVIDER HOME);
    crit_unread(SERVICES);
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_INT64(30000, crit_changes.again_after_ms);
    TEST_ASSERT_EQUAL_STRING("", wanted(HOME_KEY));
    crit_build(HOME GUARD);
    crit_unread(DEPLOYMENTS);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", wanted(HOME_KEY), "nor while the providers are not");
}

static void test_what_has_no_label_does_not_wait_for_the_guards(void)
{
    crit_build(PLAIN_PROVIDER);
    crit_unread(SERVICES);
    TEST_ASSERT_EQUAL_STRING("", wanted(PROVIDER_KEY));
    TEST_ASSERT_EQUAL_INT64(0, crit_changes.again_after_ms);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_provider_and_its_namespace_get_the_label);
    RUN_TEST(test_what_has_it_with_another_value_keeps_that);
    RUN_TEST(test_what_nobody_guards_gets_none);
    RUN_TEST(test_a_provider_of_another_kind_is_none);
    RUN_TEST(test_what_is_being_deleted_gets_none_any_more);
    RUN_TEST(test_a_terminating_provider_keeps_its_namespace_protected);
    RUN_TEST(test_what_nobody_guards_any_more_loses_it);
    RUN_TEST(test_other_labels_stay);
    RUN_TEST(test_one_of_two_guards_is_enough);
    RUN_TEST(test_a_namespace_with_two_providers_is_protected_until_both_are_gone);
    RUN_TEST(test_nothing_is_taken_off_while_the_guards_are_not_known);
    RUN_TEST(test_what_has_no_label_does_not_wait_for_the_guards);
    return UNITY_END();
}
