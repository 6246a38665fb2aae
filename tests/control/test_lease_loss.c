/* When does a leader stop, and is that before another can lead? */

#include <unity.h>

#include "lease_world.h"
#include "log_file.h"

void setUp(void)
{
    lease_world_init();
}

void tearDown(void)
{
    lease_world_done();
}

static void test_who_cannot_renew_stops_before_another_can_lead(void)
{
    int64_t renewed = now(), stopped = 0, taken = 0;

    (void)prb_lease_step(a.lease);
    (void)prb_lease_step(b.lease);
    spoil("update", PRB_E_IO, -1, false);
    spoil("get", PRB_E_IO, -1, false);
    advance(700); /* so that no retry falls on the deadline by itself */
    for (int64_t next = now(); stopped == 0; next = prb_lease_step(a.lease)) {
        advance(next - now());
        if (!prb_lease_leads(a.lease))
            stopped = now();
    }
    TEST_ASSERT_EQUAL_STRING("won lost ", a.said);
    TEST_ASSERT_EQUAL_INT64(renewed + DEADLINE, stopped);

    fault_port_clear(&world.port);
    while (taken == 0) {
        (void)prb_lease_step(b.lease);
        if (prb_lease_leads(b.lease))
            taken = now();
        else
            advance(100);
    }
    TEST_ASSERT_EQUAL_INT64(renewed + DURATION, taken);
}

static void test_trouble_shorter_than_the_deadline_is_survived(void)
{
    (void)prb_lease_step(a.lease);
    spoil("update", PRB_E_UNAVAILABLE, 4, false);
    for (int i = 0; i < 6; i++) {
        advance(RETRY - 1); /* after the fourth failure it is 8 s */
        (void)prb_lease_step(a.lease);
    }
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
}

static void test_a_renewal_whose_answer_was_lost_does_not_lose_the_lease(void)
{
    (void)prb_lease_step(a.lease);
    spoil("update", PRB_E_IO, 1, true);
    advance(RETRY);
    (void)prb_lease_step(a.lease); /* stored, but we do not know */
    advance(RETRY);
    (void)prb_lease_step(a.lease); /* conflict with ourselves: read, and go on */
    TEST_ASSERT_EQUAL_STRING("won ", a.said);
    ASSERT_LEASE("/spec/renewTime", "2023-11-14T22:13:24.000000Z");
    ASSERT_LEASE("/spec/leaseTransitions", "0");
}

static void test_who_finds_another_name_in_the_lease_stops_at_once(void)
{
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_ref ref = ref_of("leases", "ns", "lead");
    struct prb_error err;

    (void)prb_lease_step(a.lease);
    prb_json_set_str(prb_json_ensure_obj(patch, "spec"), "holderIdentity", "somebody");
    TEST_ASSERT_EQUAL_INT(0,
            prb_api_patch(prb_hub_api(world.hub), &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err));
    advance(RETRY);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_STRING("won lost ", a.said);
    ASSERT_LEASE("/spec/holderIdentity", "somebody");
}

static void test_who_slept_too_long_stops_without_asking(void)
{
    prb_autofree char *calls = NULL;

    (void)prb_lease_step(a.lease);
    free(fault_port_take(&world.port));
    advance(DEADLINE);
    TEST_ASSERT_EQUAL_INT64(now(), prb_lease_step(a.lease));
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("won lost ", a.said);
    TEST_ASSERT_EQUAL_STRING("", calls);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("won lost won ", a.said, "nobody has taken it meanwhile");
}

static void test_resigning_ends_the_work_first_and_lets_another_lead_at_once(void)
{
    (void)prb_lease_step(a.lease);
    (void)prb_lease_step(b.lease);
    prb_lease_resign(a.lease);
    TEST_ASSERT_EQUAL_STRING("won lost ", a.said);
    TEST_ASSERT_FALSE(a.released_at_lost);
    TEST_ASSERT_FALSE(prb_lease_leads(a.lease));
    ASSERT_LEASE("/spec/holderIdentity", "");
    ASSERT_LEASE("/spec/leaseDurationSeconds", "1");
    (void)prb_lease_step(b.lease);
    TEST_ASSERT_EQUAL_STRING("won ", b.said);
    ASSERT_LEASE("/spec/leaseTransitions", "1");
}

static void test_resigning_spares_the_lease_of_another(void)
{
    (void)prb_lease_step(a.lease);
    (void)prb_lease_step(b.lease);
    advance(DURATION);
    (void)prb_lease_step(b.lease);
    prb_lease_resign(a.lease); /* believes that it leads */
    ASSERT_LEASE("/spec/holderIdentity", "b_2");
    prb_lease_resign(a.lease);
    TEST_ASSERT_EQUAL_STRING("won lost ", a.said);
}

static void test_calls_of_a_leader_end_by_the_renew_deadline(void)
{
    (void)prb_lease_step(a.lease);
    spoil("update", PRB_E_IO, -1, false);
    advance(9000);
    (void)prb_lease_step(a.lease);
    TEST_ASSERT_EQUAL_INT(DEADLINE - 9000, world.port.last_timeout_ms);
}

/* More than it takes from the last renewal to the deadline, once every RETRY. */
#define STEPS_MAX 100

static void test_losing_the_lease_is_logged_with_the_reason(void)
{
    FILE *log = log_file_open();

    (void)prb_lease_step(a.lease);
    fault_port_spoil(&world.port, (struct fault){ .verb = "update",
                                          .code = PRB_E_IO,
                                          .times = -1,
                                          .message = "connection refused" });
    for (int i = 0; prb_lease_leads(a.lease) && i < STEPS_MAX; i++)
        advance(prb_lease_step(a.lease) - now());
    TEST_ASSERT_FALSE_MESSAGE(prb_lease_leads(a.lease), "it leads on, however often it steps");
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "no longer leading"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "why=\"connection refused\""));
    log_file_close(log);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_who_cannot_renew_stops_before_another_can_lead);
    RUN_TEST(test_trouble_shorter_than_the_deadline_is_survived);
    RUN_TEST(test_a_renewal_whose_answer_was_lost_does_not_lose_the_lease);
    RUN_TEST(test_who_finds_another_name_in_the_lease_stops_at_once);
    RUN_TEST(test_who_slept_too_long_stops_without_asking);
    RUN_TEST(test_resigning_ends_the_work_first_and_lets_another_lead_at_once);
    RUN_TEST(test_resigning_spares_the_lease_of_another);
    RUN_TEST(test_calls_of_a_leader_end_by_the_renew_deadline);
    RUN_TEST(test_losing_the_lease_is_logged_with_the_reason);
    return UNITY_END();
}
