/* Beside Open Cluster Management: which finalizers may Probate use? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/clusters.h"
#include "probate/hub/hub.h"

#include "ocm.h"

#define RESOURCE_CLEANUP "cluster.open-cluster-management.io/resource-cleanup"

static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
}

static int look(const char *yaml, const char *finalizer)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    int r = prb_hub_load_text(hub, yaml, strlen(yaml), &err);

    return r < 0 ? r : prb_ocm_look(prb_hub_api(hub), finalizer, &err);
}

#define DEPLOYMENT(namespace, name) \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: " namespace ", name: " name "}\n"
#define WEBHOOK                                                                           \
    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" \
    "metadata: {name: managedclustervalidators.admission.cluster.open-cluster-management.io}\n"
#define REGISTRATION \
    DEPLOYMENT("open-cluster-management-hub", "cluster-manager-registration-controller")

static void test_a_name_that_ocm_uses_is_refused_where_it_is_seen(void)
{
    static const struct {
        const char *yaml, *finalizer, *sign;
    } cases[] = {
        { REGISTRATION, PRB_CLUSTER_FINALIZER,
                "(Deployment "
                "open-cluster-management-hub/cluster-manager-registration-controller)" },
        { REGISTRATION, RESOURCE_CLEANUP, RESOURCE_CLEANUP " on ManagedClusters" },
        { WEBHOOK, PRB_CLUSTER_FINALIZER,
                "(ValidatingWebhookConfiguration "
                "managedclustervalidators.admission.cluster.open-cluster-management.io)" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_INVALID, look(cases[i].yaml, cases[i].finalizer), cases[i].sign);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, cases[i].sign), err.msg);
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(err.msg, "either may take it off before the other is done. Give Probate its "
                                "own: --cluster-finalizer=probate.dev/cluster-cleanup"),
                err.msg);
    }
}

static void test_without_ocm_or_with_a_name_of_its_own_it_may(void)
{
    static const struct {
        const char *yaml, *finalizer;
    } cases[] = {
        { "", PRB_CLUSTER_FINALIZER },
        { REGISTRATION "---\n" WEBHOOK, PRB_CLUSTER_FINALIZER_OWN },
        { DEPLOYMENT("elsewhere", "cluster-manager-registration-controller"),
                PRB_CLUSTER_FINALIZER },
        { DEPLOYMENT("open-cluster-management-hub", "cluster-manager-placement-controller"),
                PRB_CLUSTER_FINALIZER },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_MESSAGE(0, look(cases[i].yaml, cases[i].finalizer), cases[i].yaml);
}

/* A port that answers each GET with the next of these, and with the last for ever. */
struct answers {
    struct prb_api api;
    int codes[4]; /* 0 ends them */
    int asked;
};

static int answer(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *error)
{
    struct answers *answers = (struct answers *)(void *)api;
    int code = answers->codes[answers->asked];

    (void)options;
    (void)ret;
    if (answers->codes[answers->asked + 1] != 0)
        answers->asked++;
    return prb_fail(error, (enum prb_errc)code, "no %s for you", ref->gvr.resource);
}

static void interrupt(struct prb_api *api)
{
    (void)api;
}

static const struct prb_api_ops ops = { .get = answer, .interrupt = interrupt };

static void test_what_may_not_be_seen_is_not_absent(void)
{
    static const int codes[] = { PRB_E_FORBIDDEN, PRB_E_UNAUTHORIZED };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        struct answers first = { .api = { &ops }, .codes = { codes[i] } };
        struct answers second = { .api = { &ops }, .codes = { PRB_E_NOTFOUND, codes[i] } };

        TEST_ASSERT_EQUAL(codes[i], prb_ocm_look(&first.api, PRB_CLUSTER_FINALIZER, &err));
        TEST_ASSERT_EQUAL(codes[i], prb_ocm_look(&second.api, PRB_CLUSTER_FINALIZER, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(err.msg, "could not be seen: no validatingwebhookconfigurations for you. "
                                "Grant the right"),
                err.msg);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "--cluster-finalizer=probate.dev/"), err.msg);
        TEST_ASSERT_EQUAL_MESSAGE(0, prb_ocm_look(&first.api, PRB_CLUSTER_FINALIZER_OWN, &err),
                "nothing is asked for a name that OCM does not use");
    }
}

static int check_result;

static enum prb_exit check(struct prb_supervisor *supervisor, void *ctx)
{
    struct answers *answers = ctx;

    check_result = prb_ocm_check(&answers->api, PRB_CLUSTER_FINALIZER, supervisor, &err);
    return PRB_EXIT_DONE;
}

static void test_a_server_that_is_busy_is_asked_again(void)
{
    struct answers answers = { .api = { &ops },
        .codes = { PRB_E_UNAVAILABLE, PRB_E_NOTFOUND, PRB_E_FORBIDDEN } };

    TEST_ASSERT_EQUAL(PRB_EXIT_DONE, prb_supervise(check, &answers));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, check_result);
    TEST_ASSERT_TRUE_MESSAGE(prb_starts_with(err.msg, "--cluster-finalizer: whether"), err.msg);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_name_that_ocm_uses_is_refused_where_it_is_seen);
    RUN_TEST(test_without_ocm_or_with_a_name_of_its_own_it_may);
    RUN_TEST(test_what_may_not_be_seen_is_not_absent);
    RUN_TEST(test_a_server_that_is_busy_is_asked_again);
    return UNITY_END();
}
