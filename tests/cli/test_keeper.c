/* Certificates and registration of two replicas, over days that take no time. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "keeper_world.h"

static struct world world;

void setUp(void)
{
    world_open(&world);
}

void tearDown(void)
{
    world_close(&world);
}

/* "" where there is no such check, in which no text is found. */
#define ASSERT_SAYS(index, check, text)                                           \
    do {                                                                          \
        prb_autofree char *detail_ = world_check(&world, (index), (check), NULL); \
        const char *said_ = detail_ ? detail_ : "";                               \
                                                                                  \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said_, (text)), said_);               \
    } while (0)

static enum prb_ops_state state_of(size_t index, const char *name)
{
    enum prb_ops_state state;

    free(world_check(&world, index, name, &state));
    return state;
}

static void test_webhooks_fail_closed_only_after_a_self_test_was_answered(void)
{
    world.answers = false;
    world.refusal = "failed calling webhook \"selftest.probate.dev\": x509: unknown authority";
    world_install(&world);
    TEST_ASSERT_EQUAL_size_t(1, world_trusted(&world)); /* caBundle comes first */
    TEST_ASSERT_TRUE(world.tests > 0);
    TEST_ASSERT_EQUAL_size_t(1, world_count(&world, "Fail")); /* that of the self-test alone */
    ASSERT_SAYS(0, "registration", "x509: unknown authority");
    ASSERT_SAYS(0, "registration", "critical-service.probate.dev");
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(0, "registration"));

    world.answers = true;
    world_settle(&world, 4);
    TEST_ASSERT_EQUAL_size_t(2, world_count(&world, "Fail"));
    ASSERT_SAYS(0, "registration", "fails closed where it is meant to");
}

static void test_a_self_test_that_nobody_was_asked_about_is_not_answered(void)
{
    world.answers = false; /* the API server lets it pass */
    world_install(&world);
    TEST_ASSERT_EQUAL_size_t(1, world_count(&world, "Fail"));
    ASSERT_SAYS(0, "registration", "did not ask Probate");
}

static void test_it_never_goes_back_to_failing_open(void)
{
    world_install(&world);
    TEST_ASSERT_EQUAL_size_t(2, world_count(&world, "Fail"));
    world.answers = false;
    world.refusal = "failed calling webhook \"selftest.probate.dev\": connection refused";
    world_pass(&world, PRB_KEEPER_TEST_MS);
    world_settle(&world, 5);
    TEST_ASSERT_EQUAL_size_t(2, world_count(&world, "Fail"));
    ASSERT_SAYS(0, "registration", "connection refused");
}

static void test_what_somebody_opens_is_closed_again(void)
{
    world_install(&world);
    world_patch(&world, false,
            "{\"webhooks\":[{\"name\":\"critical-service.probate.dev\",\"failurePolicy\":"
            "\"Ignore\"},{\"name\":\"selftest.probate.dev\",\"failurePolicy\":\"Ignore\"}]}");
    world_settle(&world, 4);
    TEST_ASSERT_EQUAL_size_t(2, world_count(&world, "Fail"));
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
}

static void test_a_quiet_hub_costs_two_reads_a_look_and_no_write(void)
{
    prb_autofree char *calls = NULL;

    world_install(&world);
    free(fault_port_take(&world.port));
    world_look(&world, 0);
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("get validatingwebhookconfigurations /probate\n"
                             "get secrets probate-system/probate-ca\n",
            calls);
    TEST_ASSERT_EQUAL_INT64(PRB_KEEPER_LOOK_MS, prb_keeper_look(world.replicas[0].keeper));
}

static void test_who_does_not_lead_writes_nothing(void)
{
    world_register(&world);
    world_start(&world, 0);
    world.replicas[0].leads = false;
    world_settle(&world, 4);
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "patch"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "update"));
    TEST_ASSERT_EQUAL_size_t(1, world_authorities(&world)); /* nobody had to lead for the first */
    TEST_ASSERT_EQUAL_size_t(0, world.tests);
}

static void test_both_replicas_sign_with_the_same_authority(void)
{
    world_install(&world);
    TEST_ASSERT_EQUAL_size_t(1, world_authorities(&world));
    TEST_ASSERT_EQUAL_size_t(1, world_trusted(&world));
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
    TEST_ASSERT_TRUE(world_trusts(&world, 1));
}

static void test_an_absent_configuration_is_nobodys_to_make(void)
{
    world_start(&world, 0);
    world_settle(&world, 3);
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "patch"));
    ASSERT_SAYS(0, "registration", "there is no webhook configuration probate");
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(0, "trust"));
}

/* How long until both replicas have looked often enough for all that is due now. */
static const char *live_through(int64_t ms, int64_t step_ms)
{
    for (int64_t passed = 0; passed < ms; passed += step_ms) {
        world_pass(&world, step_ms);
        for (size_t r = 0; r < REPLICAS; r++) { /* now the one first, now the other */
            world_look(&world, (r + (size_t)(passed / step_ms)) % REPLICAS);
            if (!world_trusts(&world, 0) || !world_trusts(&world, 1))
                return "a replica served what the API server did not trust";
        }
    }
    return NULL;
}

static void test_three_rotations_of_the_authority_and_not_one_call_fails(void)
{
    unsigned char first[PRB_CERT_PRINT_SIZE];

    world_install(&world);
    for (int rotation = 0; rotation < 3; rotation++) {
        memcpy(first, world.replicas[1].keeper->leaf.issuer, sizeof(first));
        TEST_ASSERT_NULL(live_through(PRB_CA_RENEW_MS, PRB_DAY_MS));
        world_settle(&world, 3);
        TEST_ASSERT_EQUAL_size_t(2, world_trusted(&world));
        TEST_ASSERT_NULL(live_through(2 * PRB_CA_RIPE_MS, PRB_CA_RIPE_MS / 20));
        world_settle(&world, 1);
        TEST_ASSERT_TRUE_MESSAGE(
                memcmp(first, world.replicas[1].keeper->leaf.issuer, sizeof(first)) != 0,
                "the leaf has moved on");
        TEST_ASSERT_EQUAL_MEMORY(world.replicas[0].keeper->leaf.issuer,
                world.replicas[1].keeper->leaf.issuer, sizeof(first));
    }
    /* The first ones have expired by now, and left no trace. */
    TEST_ASSERT_EQUAL_size_t(2, world_trusted(&world));
    TEST_ASSERT_EQUAL_size_t(2, world_authorities(&world));
}

static void test_a_new_authority_does_not_sign_before_its_time(void)
{
    unsigned char first[PRB_CERT_PRINT_SIZE];

    world_install(&world);
    memcpy(first, world.replicas[0].keeper->leaf.issuer, sizeof(first));
    world_pass(&world, PRB_CA_RENEW_MS);
    world_settle(&world, 3);
    TEST_ASSERT_EQUAL_size_t(2, world_trusted(&world));
    world_pass(&world, PRB_CA_RIPE_MS - 10000);
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_MEMORY(first, world.replicas[0].keeper->leaf.issuer, sizeof(first));
    TEST_ASSERT_EQUAL_MEMORY(first, world.replicas[1].keeper->leaf.issuer, sizeof(first));
    world_pass(&world, 10000);
    world_settle(&world, 2);
    TEST_ASSERT_TRUE(memcmp(first, world.replicas[0].keeper->leaf.issuer, sizeof(first)) != 0);
}

static void test_a_secret_of_garbage_is_repaired_and_not_one_call_fails(void)
{
    static const char *const garbage[] = {
        "{\"data\":null}",
        "{\"data\":{\"ca-x.crt\":\"Z2FyYmFnZQ==\",\"ca-x.key\":\"!\"}}",
    };

    world_install(&world);
    for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
        world_patch(&world, true, "{\"data\":null}");
        world_patch(&world, true, garbage[i]);
        TEST_ASSERT_EQUAL_size_t(0, world_authorities(&world));
        world_look(&world, 1);
        TEST_ASSERT_TRUE(world_trusts(&world, 1));
        TEST_ASSERT_NULL(live_through(2 * PRB_CA_RIPE_MS, PRB_CA_RIPE_MS / 20));
        TEST_ASSERT_EQUAL_size_t(1, world_authorities(&world));
        TEST_ASSERT_EQUAL_size_t(2 + i, world_trusted(&world)); /* the old ones as well */
    }
    TEST_ASSERT_NULL(live_through(PRB_LEAF_LIFE_MS + PRB_DAY_MS, PRB_DAY_MS));
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_size_t(1, world_trusted(&world)); /* all leaves have moved on */
}

static void test_a_replica_that_starts_after_a_repair_is_trusted(void)
{
    world_install(&world);
    world_patch(&world, true, "{\"data\":null}");
    world_settle(&world, 3);
    prb_keeper_free(world.replicas[1].keeper);
    prb_tls_free(world.replicas[1].tls);
    world_start(&world, 1);
    TEST_ASSERT_TRUE(world_trusts(&world, 1));
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
}

static void test_a_bundle_of_garbage_is_repaired(void)
{
    world_install(&world);
    world_patch(&world, false,
            "{\"webhooks\":[{\"name\":\"critical-service.probate.dev\",\"failurePolicy\":\"Fail\","
            "\"clientConfig\":{\"caBundle\":\"Z2FyYmFnZQ==\"}}]}");
    TEST_ASSERT_FALSE(world_trusts(&world, 0));
    world_settle(&world, 2);
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
}

/* With the Secret and the bundle lost, what the leader serves is what is left. */
static void test_with_everything_lost_the_leaf_that_is_served_is_trusted_again(void)
{
    world_install(&world);
    world_patch(&world, true, "{\"data\":{\"a\":\"Yg==\"}}");
    world_patch(&world, true, "{\"data\":null}");
    world_patch(&world, false,
            "{\"webhooks\":[{\"name\":\"critical-service.probate.dev\",\"failurePolicy\":\"Fail\","
            "\"clientConfig\":{}}]}");
    world_look(&world, 0);
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
    TEST_ASSERT_TRUE(world_trusts(&world, 1));
}

static void test_mistrust_makes_a_replica_unready_after_half_a_minute(void)
{
    world_install(&world);
    world.replicas[0].leads = false; /* nobody repairs it */
    world_patch(&world, false,
            "{\"webhooks\":[{\"name\":\"critical-service.probate.dev\",\"failurePolicy\":\"Fail\","
            "\"clientConfig\":{\"caBundle\":\"Z2FyYmFnZQ==\"}}]}");
    world_look(&world, 1);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(1, "trust"));
    world_pass(&world, PRB_KEEPER_MISTRUST_MS);
    world_look(&world, 1);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(1, "trust"));
    world_pass(&world, 1);
    world_look(&world, 1);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_FAILED, state_of(1, "trust"));
    ASSERT_SAYS(1, "trust", "does not vouch");

    /* What cannot be read changes nothing; what is repaired does. */
    fault_port_spoil(&world.port, (struct fault){ .verb = "get", .code = PRB_E_IO, .times = -1 });
    world_look(&world, 1);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_FAILED, state_of(1, "trust"));
    fault_port_clear(&world.port);
    world.replicas[0].leads = true;
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(1, "trust"));
}

static void test_what_cannot_be_read_leaves_everything_as_it_is(void)
{
    int writes;

    world_install(&world);
    writes = fault_port_count(&world.port, "patch") + fault_port_count(&world.port, "update") +
             fault_port_count(&world.port, "create secrets");
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "get", .code = PRB_E_FORBIDDEN, .times = -1 });
    world_pass(&world, PRB_CA_RENEW_MS);
    world_settle(&world, 3);
    TEST_ASSERT_EQUAL_INT(writes, fault_port_count(&world.port, "patch") +
                                          fault_port_count(&world.port, "update") +
                                          fault_port_count(&world.port, "create secrets"));
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
    ASSERT_SAYS(0, "registration", "read the Secret probate-system/probate-ca");

    /* Nor does it make a replica unready, however long it lasts. */
    world_pass(&world, 2 * PRB_KEEPER_MISTRUST_MS);
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(0, "trust"));
}

/* Without the right to the Secret there is a certificate all the same, that nobody trusts. */
static void test_without_a_secret_it_starts_and_is_unready(void)
{
    world_register(&world);
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "get", .resource = "secrets", .code = PRB_E_FORBIDDEN, .times = -1 });
    world_start(&world, 0);
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_size_t(0, world_trusted(&world));
    world_pass(&world, PRB_KEEPER_MISTRUST_MS + 1);
    world_look(&world, 0);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_FAILED, state_of(0, "trust"));
    fault_port_clear(&world.port);
    world_settle(&world, 3);
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, state_of(0, "trust"));
}

static void test_two_that_write_at_once_do_not_undo_each_other(void)
{
    world_install(&world);
    world.replicas[1].leads = true; /* for a moment both believe it */
    world_patch(&world, true, "{\"data\":{\"x\":\"eA==\"}}");
    world_patch(&world, true, "{\"data\":null}");
    for (int i = 0; i < 4; i++) {
        world_look(&world, 1);
        world_look(&world, 0);
    }
    TEST_ASSERT_EQUAL_size_t(1, world_authorities(&world));
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
}

static void test_a_clock_far_off_is_reported_and_does_no_harm(void)
{
    world_install(&world);
    world.ahead_ms = 400 * PRB_DAY_MS; /* every CA would be over */
    world_settle(&world, 3);
    TEST_ASSERT_EQUAL_size_t(1, world_authorities(&world));
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
    ASSERT_SAYS(0, "clock", "ahead of the API server's");
    ASSERT_SAYS(1, "clock", "399d23h ahead");

    /* And a replica that starts by such a clock is trusted too. */
    prb_keeper_free(world.replicas[1].keeper);
    prb_tls_free(world.replicas[1].tls);
    world_start(&world, 1);
    TEST_ASSERT_TRUE(world_trusts(&world, 1));
}

static void test_flags_that_do_not_go_together_are_refused(void)
{
    const struct prb_list none = { 0 };
    const struct {
        struct prb_keeper_options options;
        const char *text;
    } cases[] = {
        { { .secret = "a/b", .names = &none }, "--service-name" },
        { { .secret = "ab", .names = &world.names }, "NAMESPACE/NAME" },
        { { .secret = "/b", .names = &world.names }, "NAMESPACE/NAME" },
        { { .secret = "a/b", .names = &world.names, .ca_bundle = "f" }, "exclude each other" },
        { { .names = &none, .ca_bundle = "f" }, "--webhook-configuration" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_keeper_options options = cases[i].options;
        struct prb_keeper *keeper = NULL;
        struct prb_error err;

        options.choice = &world.choice;
        TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_keeper_new(&options, &keeper, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, cases[i].text), err.msg);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_webhooks_fail_closed_only_after_a_self_test_was_answered);
    RUN_TEST(test_a_self_test_that_nobody_was_asked_about_is_not_answered);
    RUN_TEST(test_it_never_goes_back_to_failing_open);
    RUN_TEST(test_what_somebody_opens_is_closed_again);
    RUN_TEST(test_a_quiet_hub_costs_two_reads_a_look_and_no_write);
    RUN_TEST(test_who_does_not_lead_writes_nothing);
    RUN_TEST(test_both_replicas_sign_with_the_same_authority);
    RUN_TEST(test_an_absent_configuration_is_nobodys_to_make);
    RUN_TEST(test_three_rotations_of_the_authority_and_not_one_call_fails);
    RUN_TEST(test_a_new_authority_does_not_sign_before_its_time);
    RUN_TEST(test_a_secret_of_garbage_is_repaired_and_not_one_call_fails);
    RUN_TEST(test_a_replica_that_starts_after_a_repair_is_trusted);
    RUN_TEST(test_a_bundle_of_garbage_is_repaired);
    RUN_TEST(test_with_everything_lost_the_leaf_that_is_served_is_trusted_again);
    RUN_TEST(test_mistrust_makes_a_replica_unready_after_half_a_minute);
    RUN_TEST(test_what_cannot_be_read_leaves_everything_as_it_is);
    RUN_TEST(test_without_a_secret_it_starts_and_is_unready);
    RUN_TEST(test_two_that_write_at_once_do_not_undo_each_other);
    RUN_TEST(test_a_clock_far_off_is_reported_and_does_no_harm);
    RUN_TEST(test_flags_that_do_not_go_together_are_refused);
    return UNITY_END();
}
