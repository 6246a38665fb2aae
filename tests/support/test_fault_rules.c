/* Do rules hit the calls they name, as often as they say, and are calls and writes remembered? */

#include <unity.h>

#include "probate/base/cleanup.h"
#include "probate/base/str.h"

#include "support/fault_log.h"
#include "support/fault_rules.h"

PRB_DEFINE_CLEANUP(struct prb_fault_rules *, prb_fault_rules_free)
PRB_DEFINE_CLEANUP(struct prb_fault_log *, prb_fault_log_free)

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_api_call call_of(const char *method, const char *target)
{
    struct prb_api_call call = { .verb = "" };

    (void)prb_api_call_parse(method, target, &call);
    return call;
}

static void test_the_first_rule_that_fits_decides(void)
{
    prb_auto(prb_fault_rules_free) struct prb_fault_rules *rules = prb_fault_rules_new();
    struct prb_api_call patch = call_of("PATCH", "/api/v1/namespaces/a/configmaps/x");
    struct prb_api_call get = call_of("GET", "/api/v1/namespaces/a/configmaps/x");
    int only_patch, any;

    only_patch = prb_fault_rules_add(rules,
            &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER, .verb = "patch", .status = 409 });
    any = prb_fault_rules_add(rules,
            &(struct prb_fault_rule){ .fault = PRB_FAULT_DROP_BEFORE, .resource = "configmaps" });

    TEST_ASSERT_EQUAL(
            PRB_FAULT_ANSWER, prb_fault_rules_take(rules, &patch, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(
            PRB_FAULT_DROP_BEFORE, prb_fault_rules_take(rules, &get, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(1, prb_fault_rules_hits(rules, only_patch));
    TEST_ASSERT_EQUAL(1, prb_fault_rules_hits(rules, any));
    prb_fault_rules_clear(rules, only_patch);
    TEST_ASSERT_EQUAL(
            PRB_FAULT_DROP_BEFORE, prb_fault_rules_take(rules, &patch, PRB_FAULT_AT_REQUEST).fault);
    prb_fault_rules_clear(rules, 0);
    TEST_ASSERT_EQUAL(
            PRB_FAULT_NONE, prb_fault_rules_take(rules, &patch, PRB_FAULT_AT_REQUEST).fault);
}

static void test_a_rule_is_used_up_but_stays_until_cleared(void)
{
    prb_auto(prb_fault_rules_free) struct prb_fault_rules *rules = prb_fault_rules_new();
    struct prb_api_call get = call_of("GET", "/api/v1/nodes/n");
    int id = prb_fault_rules_add(
            rules, &(struct prb_fault_rule){ .fault = PRB_FAULT_DROP_AFTER, .times = 2 });

    TEST_ASSERT_EQUAL(
            PRB_FAULT_DROP_AFTER, prb_fault_rules_take(rules, &get, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(
            PRB_FAULT_DROP_AFTER, prb_fault_rules_take(rules, &get, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(
            PRB_FAULT_NONE, prb_fault_rules_take(rules, &get, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(2, prb_fault_rules_hits(rules, id));
    TEST_ASSERT_TRUE(prb_fault_rules_has(rules, id));
    prb_fault_rules_clear(rules, id);
    TEST_ASSERT_FALSE(prb_fault_rules_has(rules, id));
}

static void test_a_rule_may_name_one_object(void)
{
    prb_auto(prb_fault_rules_free) struct prb_fault_rules *rules = prb_fault_rules_new();
    struct prb_api_call x = call_of("DELETE", "/api/v1/nodes/x");
    struct prb_api_call y = call_of("DELETE", "/api/v1/nodes/y");

    (void)prb_fault_rules_add(
            rules, &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY, .name = "y" });
    TEST_ASSERT_EQUAL(PRB_FAULT_NONE, prb_fault_rules_take(rules, &x, PRB_FAULT_AT_REQUEST).fault);
    TEST_ASSERT_EQUAL(PRB_FAULT_DELAY, prb_fault_rules_take(rules, &y, PRB_FAULT_AT_REQUEST).fault);
}

/* Which faults can hit a request, an opening watch, and an event of a watch; a bookmark only one.
 */
static void test_faults_hit_where_they_make_sense(void)
{
    static const struct {
        enum prb_fault fault;
        bool request, opening, event;
    } cases[] = {
        { PRB_FAULT_DROP_BEFORE, true, true, false },
        { PRB_FAULT_DROP_AFTER, true, true, false },
        { PRB_FAULT_DELAY, true, true, false },
        { PRB_FAULT_TRUNCATE, true, false, true },
        { PRB_FAULT_BLACKHOLE, true, true, true },
        { PRB_FAULT_ANSWER, true, true, false },
        { PRB_FAULT_EXPIRE, false, true, false },
        { PRB_FAULT_SLOW_EVENTS, false, false, true },
        { PRB_FAULT_REPEAT_EVENTS, false, false, true },
    };
    struct prb_api_call get = call_of("GET", "/api/v1/nodes/n");
    struct prb_api_call watch = call_of("GET", "/api/v1/nodes?watch=1");

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_fault_rules_free) struct prb_fault_rules *rules = prb_fault_rules_new();

        (void)prb_fault_rules_add(rules, &(struct prb_fault_rule){ .fault = cases[i].fault });
        TEST_ASSERT_EQUAL(cases[i].request,
                prb_fault_rules_take(rules, &get, PRB_FAULT_AT_REQUEST).fault == cases[i].fault);
        TEST_ASSERT_EQUAL(cases[i].opening,
                prb_fault_rules_take(rules, &watch, PRB_FAULT_AT_REQUEST).fault == cases[i].fault);
        TEST_ASSERT_EQUAL(cases[i].event,
                prb_fault_rules_take(rules, &watch, PRB_FAULT_AT_EVENT).fault == cases[i].fault);
        TEST_ASSERT_EQUAL(cases[i].fault == PRB_FAULT_BLACKHOLE,
                prb_fault_rules_take(rules, &watch, PRB_FAULT_AT_BOOKMARK).fault == cases[i].fault);
    }
}

static void test_calls_are_counted_by_verb_resource_and_name(void)
{
    prb_auto(prb_fault_log_free) struct prb_fault_log *log = prb_fault_log_new();
    static const char *const targets[] = { "/api/v1/namespaces/a/configmaps/x",
        "/api/v1/namespaces/a/configmaps/x", "/api/v1/namespaces/b/configmaps/x",
        "/api/v1/namespaces/a/configmaps/y", "/api/v1/namespaces/a/secrets/x" };

    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        struct prb_api_call call = call_of("GET", targets[i]);

        prb_fault_log_count(log, &call);
    }
    TEST_ASSERT_EQUAL(5, prb_fault_log_calls(log, NULL, "*", NULL));
    TEST_ASSERT_EQUAL(4, prb_fault_log_calls(log, "get", "configmaps", NULL));
    TEST_ASSERT_EQUAL(3, prb_fault_log_calls(log, "get", "configmaps", "x"));
    TEST_ASSERT_EQUAL(4, prb_fault_log_calls(log, "*", NULL, "x"));
    TEST_ASSERT_EQUAL(0, prb_fault_log_calls(log, "patch", "configmaps", NULL));
}

struct seen {
    int count;
    int statuses[8];
    bool texts_kept;
};

static void see(void *ctx, const struct prb_fault_write *write)
{
    struct seen *seen = ctx;

    if (seen->count < 8)
        seen->statuses[seen->count] = write->status;
    seen->count++;
    seen->texts_kept = prb_streq(write->agent, "me") && prb_streq(write->body, "{}") &&
                       prb_streq(write->resource_version, "7");
}

static void test_writes_are_kept_in_order_up_to_a_bound(void)
{
    prb_auto(prb_fault_log_free) struct prb_fault_log *log = prb_fault_log_new();
    char agent[] = "me", body[] = "{}", version[] = "7";
    struct prb_fault_write write = { .call = call_of("PUT", "/api/v1/nodes/n"),
        .agent = agent,
        .body = body,
        .resource_version = version };
    struct seen seen = { .count = 0 };

    for (int i = 0; i < PRB_FAULT_WRITES_MAX + 3; i++) {
        write.status = 200 + i;
        prb_fault_log_write(log, &write);
    }
    agent[0] = body[0] = version[0] = '-';
    prb_fault_log_each_write(log, see, &seen);
    TEST_ASSERT_EQUAL(PRB_FAULT_WRITES_MAX, seen.count);
    for (int i = 0; i < 8; i++)
        TEST_ASSERT_EQUAL(200 + i, seen.statuses[i]);
    TEST_ASSERT_TRUE(seen.texts_kept);
    TEST_ASSERT_EQUAL(3, prb_fault_log_lost(log));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_first_rule_that_fits_decides);
    RUN_TEST(test_a_rule_is_used_up_but_stays_until_cleared);
    RUN_TEST(test_a_rule_may_name_one_object);
    RUN_TEST(test_faults_hit_where_they_make_sense);
    RUN_TEST(test_calls_are_counted_by_verb_resource_and_name);
    RUN_TEST(test_writes_are_kept_in_order_up_to_a_bound);
    return UNITY_END();
}
