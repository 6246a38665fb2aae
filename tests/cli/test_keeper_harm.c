/* What others do to Secret, configuration and clock, and what must not come of it. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/admission/certs.h"
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

/* The Secret as a merge patch that brings it back, the caller's. */
static char *back_up(void)
{
    prb_auto(prb_object_unref) struct prb_object *secret = NULL;
    prb_autofree char *data = NULL;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &keeper_secrets, "probate-system", "probate-ca");
    if (prb_api_get(world.api, &ref, NULL, &secret, &err) < 0)
        abort();
    data = prb_json_text(prb_json_obj(prb_object_tree(secret), "data"), false);
    return prb_asprintf("{\"data\":%s}", data);
}

static void restore(const char *patch)
{
    world_patch(&world, true, "{\"data\":null}");
    world_patch(&world, true, patch);
}

/* A second CA is made and signs; the first is still good. */
static void rotate(void)
{
    for (int64_t passed = 0; passed < PRB_CA_RENEW_MS; passed += PRB_DAY_MS) {
        world_pass(&world, PRB_DAY_MS);
        world_settle(&world, 1);
    }
    world_settle(&world, 3);
    world_pass(&world, PRB_CA_RIPE_MS);
    world_settle(&world, 2);
}

/* Somebody puts back a Secret of last month, in which the CA that signs now is not. */
static void test_an_old_secret_that_comes_back_fails_no_call(void)
{
    prb_autofree char *old = NULL;

    world_install(&world);
    old = back_up();
    rotate();
    TEST_ASSERT_EQUAL_size_t(2, world_authorities(&world));
    restore(old);
    for (int i = 0; i < 3; i++) {
        world_look(&world, 0); /* it leads; the other has not looked yet */
        TEST_ASSERT_TRUE_MESSAGE(world_trusts(&world, 1), "the other replica is not trusted");
        TEST_ASSERT_TRUE(world_trusts(&world, 0));
    }
    world_settle(&world, 3);
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
}

/* As a trust store of a whole company would be: more certificates than anybody needs, that outlast
 * ours. */
static char *make_crowd(size_t count)
{
    static const char *const names[] = { "localhost" };
    const struct prb_certs_options options = {
        .names = names, .count = 1, .now_ms = world.server.now_ms, .ca_days = 3650, .leaf_days = 1
    };
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_BUNDLE_SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct prb_certs certs = { 0 };
        struct prb_error err;

        if (prb_certs_make(&options, &certs, &err) < 0)
            abort();
        prb_str_add(&text, certs.ca_cert);
        prb_certs_done(&certs);
    }
    return prb_certs_bundle(prb_str_get(&text));
}

static void test_a_crowd_of_foreign_authorities_does_not_push_ours_out(void)
{
    prb_autofree char *crowd = NULL, *patch = NULL;

    world_install(&world);
    crowd = make_crowd(PRB_BUNDLE_MAX + 1);
    patch = prb_asprintf("{\"webhooks\":[{\"name\":\"critical-service.probate.dev\","
                         "\"failurePolicy\":\"Fail\",\"clientConfig\":{\"caBundle\":\"%s\"}}]}",
            crowd);
    world_patch(&world, false, patch);
    TEST_ASSERT_FALSE(world_trusts(&world, 0));
    world_look(&world, 0);
    TEST_ASSERT_NOT_EQUAL_MESSAGE('\0', world.replicas[0].keeper->trouble[PRB_TROUBLE_BUNDLE][0],
            "what is taken out is told");
    world_settle(&world, 3);
    TEST_ASSERT_TRUE(world_trusts(&world, 0) && world_trusts(&world, 1));
    TEST_ASSERT_EQUAL_STRING("", world.replicas[0].keeper->trouble[PRB_TROUBLE_BUNDLE]);
}

static void add_authority(void)
{
    struct prb_authorities one = { 0 };
    prb_auto(prb_json_free) struct json_object *data = NULL;
    prb_autofree char *members = NULL, *patch = NULL;
    struct prb_error err;

    if (prb_authorities_add_new(&one, &prb_ca_policy, world.server.now_ms, &err) < 0)
        abort();
    data = prb_authorities_write(&one);
    members = prb_json_text(data, false);
    patch = prb_asprintf("{\"data\":%s}", members);
    world_patch(&world, true, patch);
    prb_authorities_done(&one);
}

/* Not even when it is time for a new CA. */
static void test_a_secret_with_too_many_authorities_is_left_as_it_is(void)
{
    prb_autofree char *before = NULL, *after = NULL;
    struct prb_keeper *keeper;

    world_install(&world);
    for (int i = 0; i < PRB_AUTHORITIES_MAX; i++)
        add_authority();
    before = back_up();
    world_pass(&world, PRB_CA_RENEW_MS + PRB_DAY_MS);
    world_settle(&world, 2);
    after = back_up();
    TEST_ASSERT_EQUAL_STRING(before, after);
    keeper = world.replicas[0].keeper;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(keeper->trouble[PRB_TROUBLE_SECRET], "more than 8 CAs"),
            keeper->trouble[PRB_TROUBLE_SECRET]);
    world_patch(&world, true, "{\"data\":null}");
    world_settle(&world, 2);
    TEST_ASSERT_EQUAL_STRING("", keeper->trouble[PRB_TROUBLE_SECRET]);
}

/* The last one may be the one that vouches for the leaf. */
static void test_a_file_with_too_many_authorities_is_not_set(void)
{
    struct prb_keeper *keeper;
    char path[] = "/tmp/probate-crowd-XXXXXX";
    prb_autofree char *crowd = NULL, *pem = NULL;
    int fd = mkstemp(path);

    world_install(&world);
    crowd = make_crowd(PRB_BUNDLE_MAX + 1);
    pem = prb_certs_decode(crowd);
    TEST_ASSERT_EQUAL_INT64(strlen(pem), write(fd, pem, strlen(pem)));
    (void)close(fd);
    keeper = world.replicas[0].keeper;
    keeper->options.secret = NULL;
    keeper->options.ca_bundle = path;
    world_look(&world, 0);
    (void)unlink(path);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(keeper->trouble[PRB_TROUBLE_WRITE], "more than 256 certificates"),
            keeper->trouble[PRB_TROUBLE_WRITE]);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, world_trusted(&world), "caBundle is as it was");
}

static enum prb_ops_state trust_after_another_webhook(const char *name, const char *bundle)
{
    prb_auto(prb_object_unref) struct prb_object *config = NULL;
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct json_object *more = json_object_new_object();
    enum prb_ops_state state;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &keeper_configurations, NULL, "probate");
    if (prb_api_get(world.api, &ref, NULL, &config, &err) < 0)
        abort();
    body = prb_object_copy(config);
    prb_json_set_str(more, "name", name);
    prb_json_set_str(more, "failurePolicy", "Ignore");
    prb_json_set_str(prb_json_ensure_obj(more, "clientConfig"), "caBundle", bundle);
    prb_json_push(prb_json_arr(body, "webhooks"), more);
    if (prb_api_update(world.api, &ref, body, NULL, NULL, &err) < 0)
        abort();
    world_settle(&world, 1);
    world_pass(&world, 2 * PRB_KEEPER_MISTRUST_MS);
    world_settle(&world, 1);
    free(world_check(&world, 0, "trust", &state));
    return state;
}

/* A chart brings one more, and nobody leads who could set its caBundle. */
static void test_a_webhook_without_a_bundle_makes_nobody_unready(void)
{
    world_install(&world);
    world.replicas[0].leads = false;
    TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_OPS_INFO,
            trust_after_another_webhook("policy-prune.probate.dev", ""),
            "the others can still be called");
    TEST_ASSERT_TRUE(world_trusts(&world, 0));
}

static void test_a_webhook_of_somebody_else_makes_nobody_unready(void)
{
    prb_autofree char *bundle = make_crowd(1);

    world_install(&world);
    TEST_ASSERT_EQUAL_INT(PRB_OPS_INFO, trust_after_another_webhook("mine.example.org", bundle));
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, world_trusted(&world), "nor is it trusted to sign for us");
}

/* It starts with a clock that is ahead, and while the API server cannot be asked for the time. */
static void test_a_leaf_of_tomorrow_is_replaced_when_the_time_is_known(void)
{
    world_install(&world);
    prb_keeper_free(prb_take(world.replicas[1].keeper));
    prb_tls_free(prb_take(world.replicas[1].tls));
    world.ahead_ms = PRB_DAY_MS;
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "create", .resource = "leases", .code = PRB_E_IO, .times = -1 });
    world_start(&world, 1);
    TEST_ASSERT_GREATER_THAN_INT64(
            world.server.now_ms, world.replicas[1].keeper->leaf.made_ms); /* nobody knew better */
    fault_port_clear(&world.port);
    world_pass(&world, PRB_KEEPER_SOON_MS);
    world_look(&world, 1);
    TEST_ASSERT_LESS_THAN_INT64(world.server.now_ms + 60000,
            world.replicas[1].keeper->leaf.made_ms); /* to the seconds that an answer has */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_old_secret_that_comes_back_fails_no_call);
    RUN_TEST(test_a_crowd_of_foreign_authorities_does_not_push_ours_out);
    RUN_TEST(test_a_secret_with_too_many_authorities_is_left_as_it_is);
    RUN_TEST(test_a_file_with_too_many_authorities_is_not_set);
    RUN_TEST(test_a_webhook_without_a_bundle_makes_nobody_unready);
    RUN_TEST(test_a_webhook_of_somebody_else_makes_nobody_unready);
    RUN_TEST(test_a_leaf_of_tomorrow_is_replaced_when_the_time_is_known);
    return UNITY_END();
}
