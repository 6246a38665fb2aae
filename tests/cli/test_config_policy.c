/* Beside Open Cluster Management's config-policy-controller: does Probate carry out policies? */

#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/policy.h"

#include "config_policy.h"

static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
}

static int look(const char *yaml)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    int r = prb_hub_load_text(hub, yaml, strlen(yaml), &err);

    return r < 0 ? r : prb_config_policy_look(prb_hub_api(hub), PRB_POLICY_FINALIZER, &err);
}

#define DEPLOYMENT(namespace, name, spec)                                                       \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: " namespace ", name: " name   \
                                                                              "}\nspec: {" spec \
                                                                              "}\n---\n"
#define CONTROLLER(namespace, spec) DEPLOYMENT(namespace, "config-policy-controller", spec)

static void test_where_it_runs_policies_are_left_to_it(void)
{
    static const char *const cases[] = {
        CONTROLLER("open-cluster-management-agent-addon", ""),
        CONTROLLER("open-cluster-management-agent-addon", "replicas: 2"),
        CONTROLLER("asleep", "replicas: 0")
                CONTROLLER("open-cluster-management-agent-addon", "replicas: 1"),
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, look(cases[i]), cases[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(err.msg, "runs on this cluster (Deployment "
                                "open-cluster-management-agent-addon/config-policy-controller)"),
                err.msg);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "Remove it or scale it to 0"), err.msg);
    }
}

static void test_where_it_does_not_run_policies_are_carried_out(void)
{
    static const char *const cases[] = {
        "",
        DEPLOYMENT("open-cluster-management-agent-addon", "governance-policy-framework", ""),
        CONTROLLER("open-cluster-management-agent-addon", "replicas: 0"),
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_MESSAGE(0, look(cases[i]), cases[i]);
}

/* A port that answers each list with the next of these, and with the last for ever. */
struct answers {
    struct prb_api api;
    int codes[4]; /* 0 ends them */
    int asked;
};

static int answer(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *error)
{
    struct answers *answers = (struct answers *)(void *)api;
    int code = answers->codes[answers->asked];

    (void)options;
    (void)ret;
    if (answers->codes[answers->asked + 1] != 0)
        answers->asked++;
    return prb_fail(error, (enum prb_errc)code, "no %s for you", gvr->resource);
}

static void interrupt(struct prb_api *api)
{
    (void)api;
}

static const struct prb_api_ops ops = { .list = answer, .interrupt = interrupt };

static void test_what_may_not_be_seen_is_not_absent(void)
{
    static const int codes[] = { PRB_E_FORBIDDEN, PRB_E_UNAUTHORIZED };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        struct answers answers = { .api = { &ops }, .codes = { codes[i] } };

        TEST_ASSERT_EQUAL(
                codes[i], prb_config_policy_look(&answers.api, PRB_POLICY_FINALIZER, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(err.msg, "could not be seen: no deployments for you. Grant the right"),
                err.msg);
    }
}

static int check_result;

static enum prb_exit check(struct prb_supervisor *supervisor, void *ctx)
{
    struct answers *answers = ctx;

    check_result = prb_config_policy_check(&answers->api, supervisor, &err);
    return PRB_EXIT_DONE;
}

static void test_a_server_that_is_busy_is_asked_again(void)
{
    struct answers answers = { .api = { &ops }, .codes = { PRB_E_UNAVAILABLE, PRB_E_FORBIDDEN } };

    TEST_ASSERT_EQUAL(PRB_EXIT_DONE, prb_supervise(check, &answers));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, check_result);
    TEST_ASSERT_TRUE_MESSAGE(prb_starts_with(err.msg, "--controllers=policy: whether"), err.msg);
}

static void test_where_there_are_no_deployments_there_is_no_controller(void)
{
    struct answers answers = { .api = { &ops }, .codes = { PRB_E_NOTFOUND } };

    TEST_ASSERT_EQUAL(PRB_EXIT_DONE, prb_supervise(check, &answers));
    TEST_ASSERT_EQUAL(0, check_result);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_where_it_runs_policies_are_left_to_it);
    RUN_TEST(test_where_it_does_not_run_policies_are_carried_out);
    RUN_TEST(test_what_may_not_be_seen_is_not_absent);
    RUN_TEST(test_a_server_that_is_busy_is_asked_again);
    RUN_TEST(test_where_there_are_no_deployments_there_is_no_controller);
    return UNITY_END();
}
