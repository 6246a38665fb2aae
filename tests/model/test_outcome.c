#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/outcome.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_object *object_of(const char *name)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':{'name':'%s'}}", name), &object, &err);
    return object;
}

static struct prb_outcome failure(const char *text)
{
    struct prb_error *err = prb_calloc(1, sizeof(*err));

    (void)prb_fail(err, PRB_E_CONFLICT, "%s", text);
    return (struct prb_outcome){ .code = err->code, .err = err };
}

static void test_an_outcome_is_found_by_its_slot(void)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    const struct prb_outcome *found;

    prb_outcomes_set(outcomes, "read", (struct prb_outcome){ .object = object_of("a") });
    prb_outcomes_set(outcomes, "write", failure("too late"));

    found = prb_outcomes_find(outcomes, "read");
    TEST_ASSERT_NOT_NULL(found);
    TEST_ASSERT_EQUAL_INT(PRB_OK, found->code);
    TEST_ASSERT_EQUAL_STRING("a", prb_object_name(found->object));
    found = prb_outcomes_find(outcomes, "write");
    TEST_ASSERT_NOT_NULL(found);
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, found->code);
    TEST_ASSERT_EQUAL_STRING("too late", found->err->msg);
    TEST_ASSERT_NULL(prb_outcomes_find(outcomes, "delete"));
}

static void test_the_last_outcome_of_a_slot_holds(void)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    struct prb_known_resource *resource = prb_calloc(1, sizeof(*resource));
    const struct prb_outcome *found;

    prb_outcomes_set(outcomes, "x", failure("too late"));
    prb_outcomes_set(outcomes, "x", (struct prb_outcome){ .resource = resource });
    found = prb_outcomes_find(outcomes, "x");
    TEST_ASSERT_NOT_NULL(found);
    TEST_ASSERT_EQUAL_INT(PRB_OK, found->code);
    TEST_ASSERT_NULL(found->err);
    TEST_ASSERT_EQUAL_PTR(resource, found->resource);
}

static void test_a_later_outcome_has_a_higher_number(void)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();

    prb_outcomes_set(outcomes, "x", failure("too late"));
    prb_outcomes_set(outcomes, "y", failure("too late"));
    TEST_ASSERT_EQUAL_UINT(1, prb_outcomes_find(outcomes, "x")->number);
    TEST_ASSERT_EQUAL_UINT(2, prb_outcomes_find(outcomes, "y")->number);
    prb_outcomes_set(outcomes, "x", failure("too late"));
    TEST_ASSERT_EQUAL_UINT(3, prb_outcomes_find(outcomes, "x")->number);
}

static void test_a_view_shows_outcomes_and_memory_once_they_are_set(void)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    prb_auto(prb_json_free) struct json_object *memory = prb_test_json("{'a':1}");
    prb_auto(prb_view_close) struct prb_view *view = prb_view_open(NULL, 0, 5);

    prb_outcomes_set(outcomes, "x", failure("too late"));
    TEST_ASSERT_NULL(prb_view_outcome(view, "x"));
    TEST_ASSERT_NULL(prb_view_memory(view));

    prb_view_set_outcomes(view, outcomes);
    prb_view_set_memory(view, memory);
    TEST_ASSERT_EQUAL_PTR(prb_outcomes_find(outcomes, "x"), prb_view_outcome(view, "x"));
    TEST_ASSERT_NOT_NULL(prb_view_outcome(view, "x"));
    TEST_ASSERT_NULL(prb_view_outcome(view, "y"));
    TEST_ASSERT_EQUAL_PTR(memory, prb_view_memory(view));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_outcome_is_found_by_its_slot);
    RUN_TEST(test_the_last_outcome_of_a_slot_holds);
    RUN_TEST(test_a_later_outcome_has_a_higher_number);
    RUN_TEST(test_a_view_shows_outcomes_and_memory_once_they_are_set);
    return UNITY_END();
}
