/* What may be created in a namespace, and how does one end? */

#include <string.h>

#include "world.h"

#define NAMESPACES "namespaces"

void setUp(void)
{
    world_init(NULL);
}

void tearDown(void)
{
    world_done();
}

/* The status of one of the conditions of "ns", or what it says. */
static const char *condition(const char *type, const char *field)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = get(NAMESPACES, "ns");
    const struct json_object *conditions =
            namespace ? prb_json_arr(prb_object_status(namespace), "conditions") : NULL;
    static char text[512];

    (void)snprintf(text, sizeof(text), "-");
    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *at = prb_json_elem(conditions, i);

        if (strcmp(prb_json_str(at, "type"), type) == 0)
            (void)snprintf(text, sizeof(text), "%s", prb_json_str(at, field));
    }
    return text;
}

static void test_a_new_namespace_is_active_and_has_its_finalizer(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create(NAMESPACES, "{'metadata':{'name':'a'},'spec':{'finalizers':['x.io/f']},"
                                  "'status':{'phase':'Terminating'}}"));
    TEST_ASSERT_EQUAL_STRING("\"Active\"", got_at("/status/phase"));
    TEST_ASSERT_EQUAL_STRING("[\"x.io/f\",\"kubernetes\"]", got_at("/spec/finalizers"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/generation"));
}

static void test_an_empty_namespace_goes_at_once(void)
{
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_FALSE(has(NAMESPACES, "ns"));
    TEST_ASSERT_EQUAL_size_t(0, prb_hub_count(w.hub));
}

static void test_content_goes_with_its_namespace(void)
{
    TEST_ASSERT_EQUAL_INT(0, create(NAMESPACES, "{'metadata':{'name':'other'}}"));
    TEST_ASSERT_EQUAL_INT(0, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'other','name':'a'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_EQUAL_INT(false, has("configmaps", "ns/a"));
    TEST_ASSERT_EQUAL_INT(false, has("secrets", "ns/a"));
    TEST_ASSERT_EQUAL_INT(true, has("secrets", "other/a"));
    TEST_ASSERT_EQUAL_INT(false, has(NAMESPACES, "ns"));
}

static void test_a_finalizer_in_the_content_holds_the_namespace(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps",
                       "{'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'b'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_FALSE(has("secrets", "ns/b"));
    TEST_ASSERT_EQUAL_STRING("\"Terminating\"", text_at(NAMESPACES, "ns", "/status/phase"));
    TEST_ASSERT_EQUAL_STRING("True", condition("NamespaceContentRemaining", "status"));
    TEST_ASSERT_EQUAL_STRING("Some resources are remaining: configmaps. has 1 resource instances",
            condition("NamespaceContentRemaining", "message"));
    TEST_ASSERT_EQUAL_STRING("Some content in the namespace has finalizers remaining: x.io/f in 1 "
                             "resource instances",
            condition("NamespaceFinalizersRemaining", "message"));
    TEST_ASSERT_EQUAL_STRING("False", condition("NamespaceDeletionContentFailure", "status"));
    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "ns/a", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_FALSE(has(NAMESPACES, "ns"));
}

static void test_nothing_new_is_created_in_a_namespace_that_ends(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps",
                       "{'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_FORBIDDEN, create("configmaps", "{'metadata':{'namespace':'ns','name':'b'}}"));
    TEST_ASSERT_EQUAL_STRING("configmaps \"b\" is forbidden: unable to create new content in "
                             "namespace ns because it is being terminated",
            w.err.msg);
    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "ns/a", "", "{'data':{'k':'v'}}"));
}

static void test_finalizers_of_the_namespace_itself_hold_it(void)
{
    TEST_ASSERT_EQUAL_INT(0, merge(NAMESPACES, "ns", "", "{'metadata':{'finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_EQUAL_STRING("[]", text_at(NAMESPACES, "ns", "/spec/finalizers"));
    TEST_ASSERT_EQUAL_STRING("False", condition("NamespaceContentRemaining", "status"));
    TEST_ASSERT_EQUAL_INT(0, merge(NAMESPACES, "ns", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_FALSE(has(NAMESPACES, "ns"));
}

static void test_a_second_delete_of_a_namespace_changes_nothing(void)
{
    const char *version;

    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps",
                       "{'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    version = text_at(NAMESPACES, "ns", "/metadata/resourceVersion");
    TEST_ASSERT_EQUAL_INT(0, erase(NAMESPACES, "ns"));
    TEST_ASSERT_EQUAL_STRING(version, text_at(NAMESPACES, "ns", "/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_STRING(
            "-", text_at(NAMESPACES, "ns", "/metadata/deletionGracePeriodSeconds"));
}

static void test_a_cluster_cannot_be_without_some_namespaces(void)
{
    TEST_ASSERT_EQUAL_INT(0, create(NAMESPACES, "{'metadata':{'name':'default'}}"));
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, erase(NAMESPACES, "default"));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "this namespace may not be deleted"));
}

static void test_a_loaded_termination_stands_still_until_it_is_touched(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, load("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: t\n  deletionTimestamp: "
                    "2025-12-31T00:00:00Z\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: "
                    "{namespace: t, name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: "
                    "{namespace: t, name: b, finalizers: [x.io/f]}\n"));
    TEST_ASSERT_TRUE(has("configmaps", "t/a"));
    TEST_ASSERT_EQUAL_STRING("\"Terminating\"", text_at(NAMESPACES, "t", "/status/phase"));
    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "t/b", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_FALSE(has(NAMESPACES, "t"));
    TEST_ASSERT_FALSE(has("configmaps", "t/a"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_new_namespace_is_active_and_has_its_finalizer);
    RUN_TEST(test_an_empty_namespace_goes_at_once);
    RUN_TEST(test_content_goes_with_its_namespace);
    RUN_TEST(test_a_finalizer_in_the_content_holds_the_namespace);
    RUN_TEST(test_nothing_new_is_created_in_a_namespace_that_ends);
    RUN_TEST(test_finalizers_of_the_namespace_itself_hold_it);
    RUN_TEST(test_a_second_delete_of_a_namespace_changes_nothing);
    RUN_TEST(test_a_cluster_cannot_be_without_some_namespaces);
    RUN_TEST(test_a_loaded_termination_stands_still_until_it_is_touched);
    return UNITY_END();
}
