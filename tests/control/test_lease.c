/* Who gets the Lease, what is written into it, and how is it handed over? */

#include <stdatomic.h>
#include <unity.h>

#include "probate/base/metrics.h"

#include "lease_world.h"
#include "log_file.h"
#include "support/wait.h"

void setUp(void)
{
    lease_world_init();
}

void tearDown(void)
{
    lease_world_done();
}

static void test_the_first_candidate_makes_the_lease_and_leads(void)
{
    int64_t next = prb_lease_step(a.lease);

    TEST_ASSERT_EQUAL_STRING("won ", a.said);
    TEST_ASSERT_TRUE(prb_lease_leads(a.lease));
    TEST_ASSERT_EQUAL_INT64(now() + RETRY, next);
    ASSERT_LEASE("/spec/holderIdentity", "a_1");
    ASSERT_LEASE("/spec/leaseDurationSeconds", "15");
    ASSERT_LEASE("/spec/leaseTransitions", "0");
    ASSERT_LEASE("/spec/acquireTime", "2023-11-14T22:13:20.000000Z");
    ASSERT_LEASE("/spec/renewTime", "2023-11-14T22:13:20.000000Z");
}

static void test_a_renewal_is_one_call_and_changes_the_renew_time_only(void)
{
    prb_autofree char *calls = NULL;

    (void)prb_lease_step(a.lease);
    calls = fault_port_take(&world.port);
    free(calls);
    advance(RETRY);
    (void)prb_lease_step(a.lease);
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("update leases ns/lead\n", calls);
    ASSERT_LEASE("/spec/acquireTime", "2023-11-14T22:13:20.000000Z");
    ASSERT_LEASE("/spec/renewTime", "2023-11-14T22:13:22.000000Z");
    ASSERT_LEASE("/spec/leaseTransitions", "0");
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
}

static void test_each_renewal_says_until_when_nobody_else_can_lead(void)
{
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_INT64(now() + DURATION, atomic_load(&a.safe_until_ms));
    advance(RETRY);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_INT64(now() + DURATION, atomic_load(&a.safe_until_ms));
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(0, atomic_load(&b.safe_until_ms), "who never led may not");
    advance(RETRY);
    spoil("update", PRB_E_IO, 1, false);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_INT64(now() - RETRY + DURATION, atomic_load(&a.safe_until_ms));
}

static void test_another_waits_as_long_as_the_leader_renews(void)
{
    for (int i = 0; i < 60; i++, advance(RETRY)) {
        int64_t next;

        (void)prb_lease_step(a.lease);
        next = prb_lease_step(b.lease);
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(now() + RETRY, next);
        TEST_ASSERT_LESS_OR_EQUAL_INT64(now() + RETRY * 22 / 10, next);
    }
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
    TEST_ASSERT_EQUAL_STRING("", b.said);
}

static void test_another_leads_when_the_lease_has_not_changed_for_its_duration(void)
{
    (void)prb_lease_step(a.lease);
    advance(3000);
    (void)prb_lease_step(b.lease); /* sees it now: its time starts here */
    advance(DURATION - 1);
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("", b.said);
    advance(1);
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("won ", b.said);
    ASSERT_LEASE("/spec/holderIdentity", "b_2");
    ASSERT_LEASE("/spec/leaseTransitions", "1");
}

static void test_the_duration_that_counts_is_that_of_the_holder(void)
{
    struct prb_lease_options options = options_of(&b, "b_2");
    struct prb_error err;

    (void)prb_lease_step(a.lease);
    prb_lease_free(b.lease);
    options.duration_ms = 1500;
    TEST_ASSERT_EQUAL_INT(0, prb_lease_new(&world.port.api, &options, &b.lease, &err));
    (void)prb_lease_step(b.lease);
    advance(DURATION - 1);
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("", b.said);
    advance(1);
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("won ", b.said);
    ASSERT_LEASE("/spec/leaseDurationSeconds", "2"); /* rounded up: nobody comes too early */
}

static void test_a_creation_whose_answer_was_lost_is_found(void)
{
    spoil("create", PRB_E_IO, 1, true);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_STRING("", a.said);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
}

static void test_a_lease_that_was_deleted_is_made_again(void)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_ref ref = ref_of("leases", "ns", "lead");
    struct prb_delete_options options = { .uid = NULL };
    struct prb_error err;

    (void)prb_lease_step(a.lease);
    lease = stored("leases", "ns", "lead");
    options.uid = prb_object_uid(lease);
    TEST_ASSERT_EQUAL_INT(0, prb_api_delete(prb_hub_api(world.hub), &ref, &options, &err));
    advance(RETRY);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
    ASSERT_LEASE("/spec/holderIdentity", "a_1");
}

static void test_of_two_who_come_at_once_one_leads(void)
{
    (void)prb_lease_step(a.lease);
    (void)prb_lease_step(b.lease);
    advance(DURATION);
    spoil("update", PRB_E_CONFLICT, 1, false); /* somebody was faster */
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("", b.said);
}

static void test_a_missing_right_is_named_once(void)
{
    FILE *log = log_file_open();

    spoil("create", PRB_E_FORBIDDEN, -1, false);
    for (int i = 0; i < 5; i++)
        (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_INT(
            1, log_file_count(log, "create leases.coordination.k8s.io in namespace ns"));
    log_file_close(log);
}

static void test_options_that_cannot_work_are_refused(void)
{
    static const struct {
        const char *name;
        struct prb_lease_options options;
    } cases[] = {
        { "no namespace", { .name = "lead", .identity = "x" } },
        { "bad name", { .namespace = "ns", .name = "a/b", .identity = "x" } },
        { "no identity", { .namespace = "ns", .name = "lead", .identity = "" } },
        { "too short", { .namespace = "ns", .name = "lead", .identity = "x", .duration_ms = 999 } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_lease *lease = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID,
                prb_lease_start(&world.port.api, &cases[i].options, &lease, &err), cases[i].name);
    }
}

static void test_the_metric_says_who_leads(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 1 << 20);
    (void)prb_lease_step(a.lease);
    prb_metrics_print(&text);
    TEST_ASSERT_NOT_NULL(
            strstr(prb_str_get(&text), "leader_election_master_status{name=\"lead\"} 1\n"));
    prb_lease_resign(a.lease);
    prb_str_clear(&text);
    prb_metrics_print(&text);
    TEST_ASSERT_NOT_NULL(
            strstr(prb_str_get(&text), "leader_election_master_status{name=\"lead\"} 0\n"));
}

/* Threads and real time: two processes, so to speak, and a handover. */

struct leader {
    _Atomic int leading;
    _Atomic int times;
    _Atomic int *together; /* leaders at this moment */
    _Atomic int *clashes;
};

static void lead(void *ctx)
{
    struct leader *leader = ctx;

    if (atomic_fetch_add(leader->together, 1) != 0)
        atomic_fetch_add(leader->clashes, 1);
    atomic_fetch_add(&leader->times, 1);
    atomic_store(&leader->leading, 1);
}

static void follow(void *ctx)
{
    struct leader *leader = ctx;

    atomic_store(&leader->leading, 0);
    atomic_fetch_sub(leader->together, 1);
}

static bool leads(void *ctx)
{
    return prb_lease_leads(ctx) ||
           prb_test_saw("%d calls, no lead", fault_port_count(&world.port, ""));
}

static void test_a_candidate_that_stops_hands_over(void)
{
    _Atomic int together = 0, clashes = 0;
    struct leader one = { .together = &together, .clashes = &clashes };
    struct leader two = one;
    struct prb_lease_options options = { .namespace = "ns",
        .name = "handover",
        .identity = "one",
        .duration_ms = 3600000, /* an hour: by expiry the test would never end */
        .won = lead,
        .lost = follow,
        .ctx = &one };
    struct prb_lease *first = NULL, *second = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_lease_start(&world.port.api, &options, &first, &err));
    TEST_ASSERT_CAME(fault_port_wait(&world.port, "create leases", 1));
    prb_lease_stop(first);
    TEST_ASSERT_EQUAL_INT(1, one.times);
    TEST_ASSERT_EQUAL_INT(0, one.leading);

    options.identity = "two";
    options.ctx = &two;
    TEST_ASSERT_EQUAL_INT(0, prb_lease_start(&world.port.api, &options, &second, &err));
    TEST_ASSERT_AWAIT("the second candidate leads", leads, second);
    prb_lease_stop(second);
    TEST_ASSERT_EQUAL_INT(1, two.times);
    TEST_ASSERT_EQUAL_INT(0, clashes);
    TEST_ASSERT_EQUAL_INT(0, together);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_first_candidate_makes_the_lease_and_leads);
    RUN_TEST(test_a_renewal_is_one_call_and_changes_the_renew_time_only);
    RUN_TEST(test_each_renewal_says_until_when_nobody_else_can_lead);
    RUN_TEST(test_another_waits_as_long_as_the_leader_renews);
    RUN_TEST(test_another_leads_when_the_lease_has_not_changed_for_its_duration);
    RUN_TEST(test_the_duration_that_counts_is_that_of_the_holder);
    RUN_TEST(test_a_creation_whose_answer_was_lost_is_found);
    RUN_TEST(test_a_lease_that_was_deleted_is_made_again);
    RUN_TEST(test_of_two_who_come_at_once_one_leads);
    RUN_TEST(test_a_missing_right_is_named_once);
    RUN_TEST(test_options_that_cannot_work_are_refused);
    RUN_TEST(test_the_metric_says_who_leads);
    RUN_TEST(test_a_candidate_that_stops_hands_over);
    return UNITY_END();
}
