/* Does a list of names end in a count, and do finalizers read as a list? */

#include <string.h>
#include <unity.h>

#include "probate/model/names.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void check_list(size_t count, const char *wanted)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 256);
    for (size_t i = 0; i < count && prb_names_next(&text, i, count); i++)
        prb_str_addc(&text, (char)('a' + i));
    TEST_ASSERT_EQUAL_STRING(wanted, prb_str_get(&text));
}

static void test_a_list_ends_in_a_count_once_enough_are_named(void)
{
    check_list(0, "");
    check_list(1, "a");
    check_list(5, "a, b, c, d, e");
    check_list(6, "a, b, c, d, e and 1 more");
}

static void check_finalizers(const char *json, const char *wanted)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&text, 256);
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(json, strlen(json), NULL, &tree, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_object_new(tree, &object, &err));
    prb_names_finalizers(&text, object);
    TEST_ASSERT_EQUAL_STRING(wanted, prb_str_get(&text));
}

static void test_finalizers_read_as_a_list(void)
{
    check_finalizers("{\"metadata\":{\"name\":\"x\"}}", "");
    check_finalizers("{\"metadata\":{\"name\":\"x\",\"finalizers\":[\"a\"]}}", "finalizer a");
    check_finalizers(
            "{\"metadata\":{\"name\":\"x\",\"finalizers\":[\"a\",\"b\"]}}", "finalizers a, b");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_list_ends_in_a_count_once_enough_are_named);
    RUN_TEST(test_finalizers_read_as_a_list);
    return UNITY_END();
}
