/* Two that want different things of one object: do they leave the server in peace, and say so? */

#include <string.h>
#include <unity.h>

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
    watch("", "ConfigMap");
}

void tearDown(void)
{
    policy_world_done();
}

#define ASSERT_HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))

#define PASSES 60
#define PASS_MS 2500 /* more than a cache is given to show a write */
#define IN_VAIN "configmaps default/a: somebody else changes it again and again"
#define A_YAML "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"

/* Somebody undoes whatever was done, before each pass: how many passes have written the object? */
static int fight(void (*undo)(void), const char *write)
{
    int writes = 0;

    for (int i = 0; i < PASSES; i++) {
        undo();
        if (strstr(pass(), write))
            writes++;
        later(PASS_MS);
    }
    return writes;
}

static void set_other(void)
{
    if (is_there(CM("a")))
        set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
}

static void erase_it(void)
{
    erase(CM("a"));
}

static void put_it(void)
{
    if (!is_there(CM("a")))
        put(A_YAML);
}

/* In 150 s: 3 at once, then after 2, 4, 8, 16, 32 and 64 s. */
#define WRITES_MIN 6
#define WRITES_MAX 12

static void test_a_field_that_is_changed_back_is_set_more_and_more_rarely(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_INT_WITHIN((WRITES_MAX - WRITES_MIN) / 2, (WRITES_MAX + WRITES_MIN) / 2,
            fight(set_other, "update configmaps"));
    set_other();
    (void)pass();
    ASSERT_HAS(message(0), IN_VAIN);
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_TRUE(policy_world.changes.again_after_ms > 0);
}

static void test_what_is_deleted_again_and_again_is_made_more_and_more_rarely(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_INT_WITHIN((WRITES_MAX - WRITES_MIN) / 2, (WRITES_MAX + WRITES_MIN) / 2,
            fight(erase_it, "create configmaps"));
    erase_it();
    (void)pass();
    ASSERT_HAS(message(0), IN_VAIN);
}

static void test_what_is_made_again_and_again_is_deleted_more_and_more_rarely(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE, HAS_NOT("a")));
    (void)settle();
    TEST_ASSERT_INT_WITHIN((WRITES_MAX - WRITES_MIN) / 2, (WRITES_MAX + WRITES_MIN) / 2,
            fight(put_it, "delete configmaps"));
    put_it();
    (void)pass();
    ASSERT_HAS(message(0), IN_VAIN);
}

/* It must not be away for long only because it was deleted to be made again. */
static void test_what_is_recreated_again_and_again_is_made_as_soon_as_it_is_gone(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED,
            "{complianceType: musthave, recreateOption: Always, objectDefinition: " CM_YAML(
                    "a", "x: '1'") "}"));
    (void)settle();
    for (int i = 0; i < PASSES; i++) {
        set_other();
        if (strstr(pass(), "delete configmaps")) {
            (void)pass();
            TEST_ASSERT_TRUE(is_there(CM("a")));
        }
        later(PASS_MS);
    }
    (void)pass();
    ASSERT_HAS(message(0), IN_VAIN);
}

static void test_what_was_left_alone_is_set_at_once(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    (void)fight(set_other, "update configmaps");
    later(600000);
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
    later(600000);
    for (int i = 0; i < 2; i++) {
        set_other();
        (void)pass();
        TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
        later(PASS_MS);
    }
}

/* What a template says now was not changed by anybody yet. */
static void test_another_template_is_carried_out_at_once(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    (void)fight(set_other, "update configmaps");
    set_other();
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":"
                           "\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
                           "\"namespace\":\"default\"},\"data\":{\"x\":\"3\"}}}"));
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("3", at(CM("a"), "/data/x"));
}

/* ---- a policy that looks for itself ---- */

#define SEARCH(type, state)                                                    \
    TEMPLATE(type, "{apiVersion: policy.open-cluster-management.io/v1, kind: " \
                   "ConfigurationPolicy, status: {compliant: " state "}}")

static void test_a_policy_that_looks_for_policies_does_not_find_itself(void)
{
    static const struct {
        const char *policy, *state;
    } cases[] = {
        { POLICY_YAML("p", INFORM, SEARCH("musthave", "NonCompliant")), "NonCompliant" },
        { POLICY_YAML("p", INFORM, SEARCH("musthave", "Compliant")), "NonCompliant" },
        { POLICY_YAML("p", INFORM, SEARCH("mustnothave", "NonCompliant")), "Compliant" },
        { POLICY_YAML("p", INFORM, SEARCH("mustnothave", "Compliant")), "Compliant" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        put(cases[i].policy);
        TEST_ASSERT_GREATER_THAN_MESSAGE(0, settle(), cases[i].policy);
        TEST_ASSERT_EQUAL_STRING(cases[i].state, at(P, "/status/compliant"));
        policy_world_done();
        policy_world_init();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_field_that_is_changed_back_is_set_more_and_more_rarely);
    RUN_TEST(test_what_is_deleted_again_and_again_is_made_more_and_more_rarely);
    RUN_TEST(test_what_is_made_again_and_again_is_deleted_more_and_more_rarely);
    RUN_TEST(test_what_is_recreated_again_and_again_is_made_as_soon_as_it_is_gone);
    RUN_TEST(test_what_was_left_alone_is_set_at_once);
    RUN_TEST(test_another_template_is_carried_out_at_once);
    RUN_TEST(test_a_policy_that_looks_for_policies_does_not_find_itself);
    return UNITY_END();
}
