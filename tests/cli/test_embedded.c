/* Does admission on the embedded API server begin before anybody writes, or not at all? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/cli/rules.h"

#include "embedded.h"

static struct prb_hub *hub;
static struct prb_rule_choice rules;
static struct prb_judge judge;
static struct prb_wiring *wiring;
static struct prb_embedded *embedded;

void setUp(void)
{
    static const struct prb_rule_flags all = { .rules = { 0 } };
    struct prb_wiring_options options = { .judge = &judge };
    struct prb_error err;

    hub = prb_hub_new(NULL);
    TEST_ASSERT_EQUAL_INT(0, prb_rules_choose(&all, &rules, &err));
    judge = prb_rule_choice_judge(&rules);
    wiring = prb_wiring_new();
    TEST_ASSERT_EQUAL_INT(
            0, prb_wiring_start(wiring, prb_hub_api_as(hub, PRB_EMBEDDED_USER), &options, &err));
}

void tearDown(void)
{
    prb_wiring_stop(wiring);
    prb_embedded_stop(prb_take(embedded));
    prb_wiring_free(wiring);
    prb_rule_choice_done(&rules);
    prb_hub_free(hub);
}

static int begin(struct prb_error *err)
{
    const struct prb_embedded_options options = { .hub = hub, .choice = &rules, .wiring = wiring };

    return prb_embedded_start(&options, &embedded, err);
}

static void test_it_begins_before_the_controllers(void)
{
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, begin(&err), err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_wiring_run(wiring, &err), err.msg);
}

static void test_it_does_not_begin_after_them(void)
{
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_wiring_run(wiring, &err), err.msg);
    TEST_ASSERT_EQUAL_INT(PRB_E_INTERNAL, begin(&err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "before the first controller"), err.msg);
    TEST_ASSERT_NULL(embedded);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_it_begins_before_the_controllers);
    RUN_TEST(test_it_does_not_begin_after_them);
    return UNITY_END();
}
