/*
 * Three generations of CAs under load: two replicas behind a balancer, callers that make self-tests
 * through the real API server all the time, and not one of them fails. The CAs live for seconds.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../admission/balancer.h"
#include "ca_secret.h"
#include "keeper_internal.h"
#include "replica.h"
#include "selftest_call.h"
#include "support/cluster.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* The first argument: how many; a soak wants more. */
static int rotations = 3;

#define CALLERS 4
#define CALL_MS prb_test_patience_ms(10000)

/*
 * A CA has a successor after six seconds, which signs two seconds after it is trusted. A leaf is
 * renewed when a fifth of its life is over: what is left is what a busy machine may take for it.
 * The API server compares with the real clock, so a slow machine gets longer lives.
 */
static struct prb_ca_policy quick = { .ca_life_ms = 24000,
    .ca_renew_ms = 6000,
    .ripe_ms = 2000,
    .leaf_life_ms = 15000,
    .leaf_renew_ms = 3000 };

static void slow_down(void)
{
    int64_t *times[] = { &quick.ca_life_ms, &quick.ca_renew_ms, &quick.ripe_ms, &quick.leaf_life_ms,
        &quick.leaf_renew_ms };

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        *times[i] = prb_test_patience_ms((int)*times[i]);
}

static struct stage stage;
static struct replica replicas[2];
static struct balancer *balancer;
static struct prb_api *api; /* of the test */
static struct prb_error err;

static int create(const char *group, const char *resource, const char *namespace, const char *text)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_gvr gvr;
    struct prb_ref ref;
    int r = prb_json_parse(text, strlen(text), NULL, &body, &err);

    if (r == 0 && (!prb_gvr_init(&gvr, group, "v1", resource) ||
                          !prb_ref_init(&ref, &gvr, namespace,
                                  prb_json_str(prb_json_obj(body, "metadata"), "name"))))
        r = prb_fail(&err, PRB_E_INVALID, "no such collection");
    return r < 0 ? r : prb_api_create(api, &ref, body, NULL, NULL, &err);
}

static int make_namespace(void)
{
    prb_autofree char *text = prb_asprintf("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\","
                                           "\"metadata\":{\"name\":\"%s\"}}",
            stage.namespace);

    return create("", "namespaces", NULL, text);
}

/* As a chart brings it: without caBundle, failing open. Nobody else's Leases are meant. */
static int make_configuration(void)
{
    prb_autofree char *text = prb_asprintf(
            "{\"apiVersion\":\"admissionregistration.k8s.io/v1\","
            "\"kind\":\"ValidatingWebhookConfiguration\",\"metadata\":{\"name\":\"%s\"},"
            "\"webhooks\":[{\"name\":\"selftest.probate.dev\",\"admissionReviewVersions\":[\"v1\"],"
            "\"sideEffects\":\"None\",\"failurePolicy\":\"Ignore\",\"timeoutSeconds\":5,"
            "\"namespaceSelector\":{\"matchLabels\":{\"probate.dev/test\":\"%s\"}},"
            "\"objectSelector\":{\"matchExpressions\":[{\"key\":\"probate.dev/selftest\","
            "\"operator\":\"Exists\"}]},"
            "\"clientConfig\":{\"url\":\"https://127.0.0.1:%u/validate/selftest\"},"
            "\"rules\":[{\"apiGroups\":[\"coordination.k8s.io\"],\"apiVersions\":[\"*\"],"
            "\"operations\":[\"CREATE\"],\"resources\":[\"leases\"]}]}]}",
            stage.configuration, stage.namespace, balancer_port(balancer));

    return create("admissionregistration.k8s.io", "validatingwebhookconfigurations", NULL, text);
}

static int label_namespace(void)
{
    prb_autofree char *text = prb_asprintf(
            "{\"metadata\":{\"labels\":{\"probate.dev/test\":\"%s\"}}}", stage.namespace);
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    static const struct prb_gvr namespaces = { "", "v1", "namespaces" };
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &namespaces, NULL, stage.namespace);
    (void)prb_json_parse(text, strlen(text), NULL, &patch, &err);
    return prb_api_patch(api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
}

static bool open_stage(void)
{
    struct prb_rule_flags flags = { 0 };
    int r = prb_test_cluster_config(&stage.config, &err);

    stage.policy = &quick;
    prb_test_unique_name("life", stage.namespace);
    (void)snprintf(stage.configuration, sizeof(stage.configuration), "%s", stage.namespace);
    stage.secret = prb_asprintf("%s/ca", stage.namespace);
    prb_list_add(&stage.names, "127.0.0.1", strlen("127.0.0.1"));
    prb_list_add(&flags.rules, "*", 1);
    if (r == 0)
        r = prb_rules_choose(&flags, &stage.choice, &err);
    prb_list_done(&flags.rules);
    if (r == 0)
        r = prb_kube_open(stage.config, NULL, &api, &err);
    if (r == 0)
        r = make_namespace();
    if (r == 0)
        r = label_namespace();
    if (r == 0)
        r = make_configuration();
    return r == 0;
}

static bool start_replicas(void)
{
    for (unsigned i = 0; i < 2; i++) {
        atomic_store(&replicas[i].leads, i == 0);
        if (!replica_start(&replicas[i], &stage, &err))
            return false;
        balancer_set(balancer, i, prb_server_port(replicas[i].server));
    }
    return true;
}

void setUp(void)
{
    balancer = balancer_start();
}

static void remove_object(const struct prb_gvr *gvr, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_delete_options options = { 0 };
    struct prb_ref ref;

    if (!prb_ref_init(&ref, gvr, NULL, name) || prb_api_get(api, &ref, NULL, &object, &err) < 0)
        return;
    options.uid = prb_object_uid(object);
    (void)prb_api_delete(api, &ref, &options, &err);
}

void tearDown(void)
{
    static const struct prb_gvr configurations = { "admissionregistration.k8s.io", "v1",
        "validatingwebhookconfigurations" };
    static const struct prb_gvr namespaces = { "", "v1", "namespaces" };

    remove_object(&configurations, stage.configuration);
    remove_object(&namespaces, stage.namespace);
    for (size_t i = 0; i < 2; i++)
        replica_stop(&replicas[i]);
    balancer_stop(balancer);
    prb_api_close(prb_take(api));
    prb_kube_config_free(stage.config);
    prb_rule_choice_done(&stage.choice);
    prb_list_done(&stage.names);
    free(stage.secret);
    stage = (struct stage){ 0 };
}

/* Is it answered, and does the API server refuse what is not? */
static bool fails_closed(void *ctx)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    const struct json_object *webhook;

    (void)ctx;
    if (prb_registered_read(api, stage.configuration, CALL_MS, &registered, &err) < 0)
        return prb_test_saw("%s", err.msg);
    if (!registered.config)
        return prb_test_saw("there is no configuration");
    webhook = prb_json_elem(prb_json_arr(prb_object_tree(registered.config), "webhooks"), 0);
    if (!prb_streq(prb_json_str(webhook, "failurePolicy"), "Fail"))
        return prb_test_saw("its failurePolicy is another");
    return prb_selftest_call(api, stage.namespace, CALL_MS, &err) == PRB_SELFTEST_ANSWERED ||
           prb_test_saw("a self-test is not answered: %s", err.msg);
}

/* One that calls all the time, with a client of its own. */
struct caller {
    struct prb_api *api;
    pthread_t thread;
    size_t calls, failed;
    struct prb_error why; /* of the first that failed */
};
static _Atomic bool over;

static void *call(void *arg)
{
    struct caller *caller = arg;

    while (!atomic_load(&over)) {
        struct prb_error why;

        caller->calls++;
        prb_test_pause(); /* a hundred calls a second meet every moment of a rotation */
        if (prb_selftest_call(caller->api, stage.namespace, CALL_MS, &why) == PRB_SELFTEST_ANSWERED)
            continue;
        if (caller->failed++ == 0)
            caller->why = why;
    }
    return NULL;
}

static bool start_callers(struct caller callers[CALLERS])
{
    atomic_store(&over, false);
    for (size_t i = 0; i < CALLERS; i++) {
        if (prb_kube_open(stage.config, NULL, &callers[i].api, &err) < 0 ||
                pthread_create(&callers[i].thread, NULL, call, &callers[i]) != 0)
            return false;
    }
    return true;
}

/* What both replicas sign with, when it is the same. */
static bool read_issuer(unsigned char print[PRB_CERT_PRINT_SIZE])
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    prb_autofree char *chains[2] = { prb_tls_chain(replicas[0].tls),
        prb_tls_chain(replicas[1].tls) };
    bool found = false;

    if (prb_registered_read(api, stage.configuration, CALL_MS, &registered, &err) < 0) {
        free(prb_take(chains[1]));
        return prb_test_saw("%s", err.msg);
    }
    for (size_t i = 0; i < registered.in_all.count; i++) {
        struct prb_bundle one = { .items = { registered.in_all.items[i] }, .count = 1 };

        if (prb_bundle_trusts_until(&one, chains[0]) == 0 ||
                prb_bundle_trusts_until(&one, chains[1]) == 0)
            continue;
        memcpy(print, one.items[0].print, PRB_CERT_PRINT_SIZE);
        found = true;
    }
    free(prb_take(chains[1]));
    return found || prb_test_saw("no CA of %zu has signed for both", registered.in_all.count);
}

/* Have both moved on to another CA than `ctx`? */
static bool has_moved_on(void *ctx)
{
    unsigned char print[PRB_CERT_PRINT_SIZE];

    return read_issuer(print) && (memcmp(print, ctx, sizeof(print)) != 0 ||
                                         prb_test_saw("both sign with the same as before"));
}

static bool garbage_is_gone(void *ctx)
{
    prb_auto(prb_ca_secret_done) struct prb_ca_secret secret = { 0 };

    if (prb_ca_secret_read(api, ctx, CALL_MS, &secret, &err) < 0)
        return prb_test_saw("%s", err.msg);
    return (!secret.authorities.damaged && secret.authorities.count > 0) ||
           prb_test_saw("%s, with %zu CAs", secret.authorities.damaged ? "it is damaged" : "whole",
                   secret.authorities.count);
}

static int spoil_secret(const struct prb_ref *ref)
{
    static const char text[] = "[{\"op\":\"replace\",\"path\":\"/data\",\"value\":"
                               "{\"ca-x.crt\":\"Z2FyYmFnZQ==\",\"ca-x.key\":\"Z2FyYmFnZQ==\"}}]";
    prb_auto(prb_json_free) struct json_object *patch = NULL;

    (void)prb_json_parse(text, strlen(text), NULL, &patch, &err);
    return prb_api_patch(api, ref, PRB_PATCH_JSON, patch, NULL, NULL, &err);
}

static void test_rotations_and_a_secret_of_garbage_under_load_fail_not_one_call(void)
{
    struct caller callers[CALLERS] = { 0 };
    unsigned char print[PRB_CERT_PRINT_SIZE];
    struct prb_ref secret;
    size_t calls = 0;

    TEST_ASSERT_TRUE_MESSAGE(open_stage(), err.msg);
    TEST_ASSERT_TRUE_MESSAGE(start_replicas(), err.msg);
    TEST_ASSERT_AWAIT("the webhooks fail closed", fails_closed, NULL);
    TEST_ASSERT_EQUAL_INT(0, prb_ca_secret_parse(stage.secret, &secret, &err));
    TEST_ASSERT_TRUE_MESSAGE(start_callers(callers), err.msg);

    for (int i = 0; i < rotations; i++) {
        if (i == 1) /* in the midst of it */
            TEST_ASSERT_EQUAL_INT_MESSAGE(0, spoil_secret(&secret), err.msg);
        TEST_ASSERT_TRUE_MESSAGE(read_issuer(print), "both sign with the same");
        TEST_ASSERT_AWAIT("both have moved on to another CA", has_moved_on, print);
    }
    TEST_ASSERT_AWAIT("the Secret holds CAs instead of garbage", garbage_is_gone, &secret);
    atomic_store(&over, true);
    for (size_t i = 0; i < CALLERS; i++) {
        (void)pthread_join(callers[i].thread, NULL);
        prb_api_close(callers[i].api);
        calls += callers[i].calls;
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, callers[i].failed, callers[i].why.msg);
    }
    (void)fprintf(stderr, "%zu calls, none failed\n", calls);
    TEST_ASSERT_GREATER_THAN_size_t(100, calls);
}

int main(int argc, char **argv)
{
    int64_t number;

    if (argc > 1 && prb_parse_int(argv[1], 1, 1000, &number))
        rotations = (int)number;
    slow_down();
    UNITY_BEGIN();
    RUN_TEST(test_rotations_and_a_secret_of_garbage_under_load_fail_not_one_call);
    return UNITY_END();
}
