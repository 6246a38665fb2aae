/*
 * From the installation to the removal, with kubectl as others use it: on a control plane of its
 * own, with Probate as a process that has the rights of the chart's service account and cannot read
 * what would give it more. The tests are one story: each goes on where the one before it ended.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../e2e/manifests.h"
#include "site.h"
#include "support/process.h"
#include "support/wait.h"

static struct site site;

void setUp(void)
{
}

void tearDown(void)
{
}

#define VERB(account, ret, ...) \
    site_verb(&site, (account), (const char *const[]){ __VA_ARGS__, NULL }, (ret))

#define ASSERT_DOES(command, input) \
    TEST_ASSERT_TRUE_MESSAGE(site_do(&site, (command), (input)), site.why)
#define ASSERT_REFUSED(command, input) TEST_ASSERT_FALSE(site_do(&site, (command), (input)))
#define ASSERT_AWAITS(command, text) \
    TEST_ASSERT_TRUE_MESSAGE(site_awaits(&site, (command), (text)), site.why)

#define ASSERT_EXITS(code, account, ...)                                                    \
    do {                                                                                    \
        prb_autofree char *said_ = NULL;                                                    \
                                                                                            \
        TEST_ASSERT_EQUAL_INT_MESSAGE((code), VERB((account), &said_, __VA_ARGS__), said_); \
    } while (0)

#define PROVIDER_OF(namespace, name) \
    "'group':'apps','resource':'deployments','namespace':'" namespace "','name':'" name "'"
#define CRITERION                                                                        \
    "{'type':'SpecificResource','specificResource':{'group':'','resource':'configmaps'," \
    "'namespace':'default','name':'data'}}"
#define SERVICE(name, provider)                                            \
    OBJECT("probate.dev/v1alpha1", "CriticalService", "'name':'" name "'", \
            ",'spec':{'provider':{" provider "},'criteria':[" CRITERION "]}")

#define SELFTEST "selftest", "--webhook-configuration", "probate"

/* Nobody answers, and everything goes on. */
static void test_a_registration_without_probate_holds_up_nothing(void)
{
    prb_autofree char *said = NULL;

    TEST_ASSERT_TRUE_MESSAGE(site_register(&site, &(struct site_chart){ .failure_policy = "Ignore",
                                                          .nobody = true }),
            site.why);
    ASSERT_DOES("create", CLUSTER_OF("early"));
    ASSERT_DOES("delete managedcluster early --wait=false", NULL);
    ASSERT_DOES("patch managedcluster early" RELEASE, NULL);
    TEST_ASSERT_EQUAL_INT(1, VERB("probate-selftest", &said, SELFTEST, "--timeout", "0s"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "probate has no caBundle"), said);
}

static void test_it_fails_closed_once_a_call_has_come_through(void)
{
    prb_autofree char *log = NULL;
    const char *bundle, *answered;

    TEST_ASSERT_TRUE_MESSAGE(site_start(&site), site.why);
    ASSERT_CONFINED(&site.account, site.program.pid);
    TEST_ASSERT_TRUE_MESSAGE(site_register(&site, &(struct site_chart){ 0 }), site.why);
    TEST_ASSERT_TRUE_MESSAGE(site_awaits_closed(&site), site.why);
    TEST_ASSERT_CAME(program_says(&site.program, "the self-test was answered"));
    log = program_log(&site.program);
    bundle = strstr(log, "caBundle is set");
    answered = strstr(log, "the self-test was answered");
    TEST_ASSERT_TRUE_MESSAGE(bundle && answered && bundle < answered, log);
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
    ASSERT_REFUSED("create", OBJECT("probate.dev/v1alpha1", "CriticalService", "'name':'bad'",
                                     ",'spec':{'provider':{'group':'apps','resource':'pods',"
                                     "'namespace':'a','name':'b'},'criteria':[]}"));
}

/* What one self-test says; the API server may learn of a registration a moment later. */
static bool fails_to_call(void *ctx)
{
    char **said = ctx;

    free(*said);
    return VERB("probate-selftest", said, SELFTEST, "--timeout", "0s") == 1 ||
           prb_test_saw("%s", *said);
}

/* What the API server says when it cannot call is what `selftest` says. */
static void test_what_does_not_work_is_said(void)
{
    prb_autofree char *said = NULL;

    TEST_ASSERT_TRUE_MESSAGE(
            site_register(&site, &(struct site_chart){ .nobody = true }), site.why);
    TEST_ASSERT_AWAIT("the self-test says that nobody answers", fails_to_call, &said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "failed calling webhook"), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "connection refused"), said);
    TEST_ASSERT_TRUE_MESSAGE(site_awaits_closed(&site), site.why); /* it stays closed */
    TEST_ASSERT_TRUE_MESSAGE(site_register(&site, &(struct site_chart){ 0 }), site.why);
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
}

static void test_an_upgrade_takes_neither_field_back(void)
{
    prb_autofree char *after = NULL;

    TEST_ASSERT_TRUE_MESSAGE(
            site_register(&site, &(struct site_chart){ .timeout_s = 7 }), site.why);
    after = site_webhooks(&site);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(after, "critical-service.probate.dev Fail 7s 1 trusted"), after);
    TEST_ASSERT_NULL_MESSAGE(strstr(after, " 0 trusted"), after);
}

/* Server-side apply cannot take a webhook out in which another manager owns a field. */
static void test_an_upgrade_may_switch_a_rule_off_and_on(void)
{
    prb_autofree char *less = NULL;

    TEST_ASSERT_TRUE_MESSAGE(
            site_register(&site, &(struct site_chart){ .rules = "-policy-prune" }), site.why);
    less = site_webhooks(&site);
    TEST_ASSERT_NULL_MESSAGE(strstr(less, "policy-prune"), less);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(less, "critical-service.probate.dev Fail 25s 1 trusted"), less);
    TEST_ASSERT_TRUE_MESSAGE(site_register(&site, &(struct site_chart){ 0 }), site.why);
    TEST_ASSERT_TRUE_MESSAGE(site_awaits_closed(&site), site.why);
}

/* As a chart does that cannot look up what is there. */
static void test_an_upgrade_that_opens_it_by_force_is_closed_again(void)
{
    TEST_ASSERT_TRUE_MESSAGE(
            site_register(&site, &(struct site_chart){ .failure_policy = "Ignore", .force = true }),
            site.why);
    TEST_ASSERT_TRUE_MESSAGE(site_awaits_closed(&site), site.why);
}

static void test_a_secret_of_garbage_is_repaired(void)
{
    static const char names[] = "get secret probate-ca -n " SITE_NAMESPACE " -o jsonpath={.data.x}";

    ASSERT_DOES("patch secret probate-ca -n " SITE_NAMESPACE
                " --type=json -p [{'op':'replace','path':'/data','value':{'x':'Z2FyYmFnZQ=='}}]",
            NULL);
    ASSERT_AWAITS(names, "");
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
    TEST_ASSERT_CAME(program_shows(&site.program, "/readyz", "ready"));
}

static void test_the_account_may_do_what_it_needs_and_no_more(void)
{
    static const struct {
        const char *account, *what, *may;
    } cases[] = {
        { "probate", "get secret/probate-ca -n " SITE_NAMESPACE, "yes" },
        { "probate", "update secret/probate-ca -n " SITE_NAMESPACE, "yes" },
        { "probate", "get secret/other -n " SITE_NAMESPACE, "no" },
        { "probate", "list secrets -n " SITE_NAMESPACE, "no" },
        { "probate", "create secrets -n default", "no" },
        { "probate", "delete secret/probate-ca -n " SITE_NAMESPACE, "no" },
        { "probate", "patch validatingwebhookconfigurations/probate", "yes" },
        { "probate", "patch validatingwebhookconfigurations/other", "no" },
        { "probate", "delete validatingwebhookconfigurations/probate", "no" },
        { "probate-remove", "delete validatingwebhookconfigurations/probate", "yes" },
        { "probate-remove", "delete validatingwebhookconfigurations/other", "no" },
        { "probate-remove", "delete managedclusters.cluster.open-cluster-management.io", "no" },
        { "probate-remove", "delete deployments.apps", "no" },
        { "probate-remove", "get secret/probate-ca -n " SITE_NAMESPACE, "no" },
        { "probate-selftest", "create leases.coordination.k8s.io -n " SITE_NAMESPACE, "yes" },
        { "probate-selftest", "create leases.coordination.k8s.io -n default", "no" },
        { "probate-selftest", "update leases.coordination.k8s.io/probate -n " SITE_NAMESPACE,
                "no" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *command =
                prb_asprintf("auth can-i %s --as=system:serviceaccount:" SITE_NAMESPACE ":%s "
                             "--quiet",
                        cases[i].what, cases[i].account);

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                prb_streq(cases[i].may, "yes"), site_do(&site, command, NULL), cases[i].what);
    }
}

#define A_WORK(namespace, name)                                                        \
    OBJECT("work.open-cluster-management.io/v1", "ManifestWork",                       \
            "'name':'" name "','namespace':'" namespace "'",                           \
            ",'spec':{'workload':{'manifests':[{'apiVersion':'v1','kind':'ConfigMap'," \
            "'metadata':{'name':'cm1','namespace':'default'}}]}}")

#define CLUSTER_WITHOUT(name)                                                              \
    OBJECT("cluster.open-cluster-management.io/v1", "ManagedCluster", "'name':'" name "'", \
            ",'spec':{'hubAcceptsClient':true}")

/* The finalizer of an agent, as Probate and as somebody else put it. */
#define WORK_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"
#define HOLD_WORK(name, manager)                                                 \
    "patch manifestwork " name " -n going --type=merge --field-manager=" manager \
    " -p {'metadata':{'finalizers':['" WORK_FINALIZER "']}}"
#define FINALIZERS_OF(object) "get " object " -o jsonpath={.metadata.finalizers}"
#define CLUSTER_FINALIZER "[\"cluster.open-cluster-management.io/api-resource-cleanup\"]"
#define LABEL_OF(object) "get " object " -o jsonpath={.metadata.labels.probate\\.dev/protected}"

static void test_everything_is_in_use(void)
{
    ASSERT_DOES("create", NAMESPACE_OF("app") NAMESPACE_OF("going") NAMESPACE_OF("staying")
                                  CLUSTER_WITHOUT("going") CLUSTER_WITHOUT("staying"));
    ASSERT_DOES("create configmap data -n default", NULL);
    ASSERT_DOES("create deployment web --image=x -n app", NULL);
    ASSERT_DOES("create", SERVICE("web", PROVIDER_OF("app", "web")));
    ASSERT_DOES(
            "create", A_WORK("going", "ours") A_WORK("going", "leaving") A_WORK("going", "theirs"));
    ASSERT_DOES(HOLD_WORK("ours", "probate"), NULL);
    ASSERT_DOES(HOLD_WORK("leaving", "probate"), NULL);
    ASSERT_DOES(HOLD_WORK("theirs", "work-agent"), NULL);

    ASSERT_AWAITS(LABEL_OF("namespace app"), "true");
    ASSERT_AWAITS(FINALIZERS_OF("managedcluster going"), CLUSTER_FINALIZER);
    ASSERT_AWAITS(FINALIZERS_OF("managedcluster staying"), CLUSTER_FINALIZER);
    ASSERT_DOES("delete managedcluster going --wait=false", NULL);
    ASSERT_DOES("delete manifestwork leaving -n going --wait=false", NULL);
    ASSERT_REFUSED("delete deployment web -n app", NULL);
}

/* As the administrator, whose kubeconfig the accounts of the chart cannot read. */
static int remove_old_labels(void)
{
    const char *argv[] = { program_path, "remove", "--old-labels", "--kubeconfig",
        site.kubectl.kubeconfig, NULL };
    struct prb_test_command command = { .argv = argv };

    return prb_test_run(&command, NULL, 0);
}

/* Refused, and not by Probate. */
#define ASSERT_UNANSWERED(command, input)                                           \
    do {                                                                            \
        ASSERT_REFUSED(command, input);                                             \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(site.why, "failed calling"), site.why); \
    } while (0)

#define TAKE_OFF " --type=merge -p {'metadata':{'labels':{'probate.dev/protected':null}}}"
#define PROTECTED_OF(service)                                                                   \
    "get criticalservice " service " -o jsonpath={.status.conditions[?(@@.type=='Protected')]." \
    "status}/{.status.conditions[?(@@.type=='Protected')].reason}"

#define CONDITION_OF_LABEL                                                          \
    "get validatingwebhookconfiguration probate -o jsonpath={.webhooks[?(@@.name==" \
    "'critical-service-label.probate.dev')].matchConditions[*].name}"

/* Whoever is called does not answer: what is labelled stays, and where the API server keeps the
 * condition of the webhook, the label too. */
static void test_the_protection_stays_while_nobody_answers(void)
{
    bool guarded = site.conditions;
    prb_autofree char *said = NULL;

    ASSERT_AWAITS(CONDITION_OF_LABEL, guarded ? "critical-service-label" : "");
    ASSERT_AWAITS(PROTECTED_OF("web"), guarded ? "True/Enforced" : "True/LabelGuardOpen");
    TEST_ASSERT_TRUE_MESSAGE(
            site_register(&site, &(struct site_chart){ .nobody = true }), site.why);
    TEST_ASSERT_AWAIT("the self-test says that nobody answers", fails_to_call, &said);
    ASSERT_UNANSWERED("delete deployment web -n app", NULL);
    ASSERT_UNANSWERED("delete namespace app", NULL);
    ASSERT_UNANSWERED("delete deployment --all -n app", NULL);
    if (guarded) {
        ASSERT_UNANSWERED("patch namespace app" TAKE_OFF, NULL);
        ASSERT_UNANSWERED("patch namespace app --subresource=status" TAKE_OFF, NULL);
        ASSERT_UNANSWERED("replace --raw /api/v1/namespaces/app/finalize",
                OBJECT("v1", "Namespace", "'name':'app'", ",'spec':{'finalizers':['kubernetes']}"));
        ASSERT_UNANSWERED("replace", NAMESPACE_OF("app"));
    } else {
        ASSERT_DOES("patch namespace app" TAKE_OFF, NULL);
        ASSERT_AWAITS(LABEL_OF("namespace app"), "true"); /* Probate itself is alive */
    }
    ASSERT_AWAITS(LABEL_OF("namespace app"), "true");
    ASSERT_DOES("annotate namespace app a=b", NULL);
    ASSERT_DOES("label namespace app c=d", NULL);
    ASSERT_DOES("label deployment web -n app app=web --overwrite", NULL);
    ASSERT_DOES("scale deployment web -n app --replicas=0", NULL);
    TEST_ASSERT_TRUE_MESSAGE(site_register(&site, &(struct site_chart){ 0 }), site.why);
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
}

/* With the administrator's kubeconfig, beside a Probate that runs. */
static void test_what_an_older_probate_put_on_deployments_is_taken_off_on_demand(void)
{
    prb_autofree char *refused = NULL;

    ASSERT_DOES("label deployment web -n app probate.dev/protected=true", NULL);
    TEST_ASSERT_EQUAL_INT(
            1, VERB("probate-remove", &refused, "remove", "--old-labels", "--timeout", "1s"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(refused, "deployments"), refused);
    TEST_ASSERT_EQUAL_INT(0, remove_old_labels());
    ASSERT_AWAITS(LABEL_OF("deployment web -n app"), "");
    ASSERT_AWAITS(LABEL_OF("namespace app"), "true");
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
    ASSERT_REFUSED("delete deployment web -n app", NULL);
    TEST_ASSERT_EQUAL_INT(0, remove_old_labels());
}

static void test_a_dry_run_of_the_removal_changes_nothing(void)
{
    static const char versions[] = "get validatingwebhookconfiguration/probate deployment/web "
                                   "namespace/app managedcluster/staying manifestwork/ours "
                                   "-o jsonpath={.items[*].metadata.labels}";
    prb_autofree char *before = NULL, *after = NULL, *said = NULL;

    before = site_get(&site, versions);
    TEST_ASSERT_EQUAL_INT(0, VERB("probate-remove", &said, "remove", "--dry-run"));
    after = site_get(&site, versions);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "would delete the Validating"), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "namespaces app: label"), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "managedclusters staying: finalizer"), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "this was a dry run"), said);
    TEST_ASSERT_EQUAL_STRING(before, after);
    ASSERT_AWAITS(LABEL_OF("namespace app"), "true");
    ASSERT_AWAITS(FINALIZERS_OF("managedcluster staying"), CLUSTER_FINALIZER);
    ASSERT_EXITS(0, "probate-selftest", SELFTEST);
}

/* With Probate still running, as before a chart is uninstalled. */
static void test_the_removal_leaves_nothing_stuck_and_every_resource_alive(void)
{
    prb_autofree char *said = NULL;
    const char *configuration, *label, *finalizer;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, VERB("probate-remove", &said, "remove"), said);
    configuration = strstr(said, "delete the ValidatingWebhookConfiguration");
    label = strstr(said, "namespaces app: label");
    finalizer = strstr(said, "managedclusters staying: finalizer");
    TEST_ASSERT_TRUE_MESSAGE(
            configuration && label && finalizer && configuration < label && label < finalizer,
            said);

    ASSERT_AWAITS("get validatingwebhookconfiguration probate --ignore-not-found", "");
    ASSERT_AWAITS(LABEL_OF("namespace app"), "");
    ASSERT_AWAITS(FINALIZERS_OF("managedcluster staying"), "");
    ASSERT_AWAITS(FINALIZERS_OF("manifestwork ours -n going"), "");
    ASSERT_AWAITS(FINALIZERS_OF("manifestwork theirs -n going"), "[\"" WORK_FINALIZER "\"]");
    ASSERT_AWAITS("get managedcluster going --ignore-not-found", ""); /* it was being deleted */
    ASSERT_AWAITS("get manifestwork leaving -n going --ignore-not-found", "");
    ASSERT_DOES("get criticalservice web", NULL);
    ASSERT_DOES("get deployment web -n app", NULL);
    ASSERT_DOES("get managedcluster staying", NULL);
    ASSERT_DOES("get manifestwork ours -n going", NULL);
}

static void test_the_removal_may_be_repeated_and_nobody_undoes_it(void)
{
    prb_autofree char *said = NULL;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, VERB("probate-remove", &said, "remove"), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "nothing of Probate is left"), said);
    TEST_ASSERT_NULL_MESSAGE(strstr(said, "take off"), said);
    ASSERT_DOES("get deployment web -n app", NULL);
    ASSERT_AWAITS(LABEL_OF("namespace app"), "");
}

static void test_what_is_left_can_be_deleted_by_anyone(void)
{
    int64_t ms;

    TEST_ASSERT_EQUAL_INT(0, program_end(&site.program, SIGTERM, &ms));
    ASSERT_DOES("delete deployment web -n app --timeout=30s", NULL);
    ASSERT_DOES("delete criticalservice web --timeout=30s", NULL);
    ASSERT_DOES("delete managedcluster staying --timeout=30s", NULL);
    ASSERT_DOES("delete manifestwork ours -n going --timeout=30s", NULL);
    ASSERT_DOES("delete namespace app --timeout=60s", NULL);
}

int main(int argc, char **argv)
{
    int result;

    if (argc < 4)
        return 2;
    program_path = argv[1];
    site.crds[0] = argv[2];
    site.crds[1] = argv[3];
    site.cluster = getenv("PROBATE_TEST_LIFECYCLE_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    UNITY_BEGIN();
    if (!site_open(&site)) {
        (void)fprintf(stderr, "%s\n", site.why);
        site_close(&site);
        return 1;
    }
    RUN_TEST(test_a_registration_without_probate_holds_up_nothing);
    RUN_TEST(test_it_fails_closed_once_a_call_has_come_through);
    RUN_TEST(test_what_does_not_work_is_said);
    RUN_TEST(test_an_upgrade_takes_neither_field_back);
    RUN_TEST(test_an_upgrade_may_switch_a_rule_off_and_on);
    RUN_TEST(test_an_upgrade_that_opens_it_by_force_is_closed_again);
    RUN_TEST(test_a_secret_of_garbage_is_repaired);
    RUN_TEST(test_the_account_may_do_what_it_needs_and_no_more);
    RUN_TEST(test_everything_is_in_use);
    RUN_TEST(test_the_protection_stays_while_nobody_answers);
    RUN_TEST(test_what_an_older_probate_put_on_deployments_is_taken_off_on_demand);
    RUN_TEST(test_a_dry_run_of_the_removal_changes_nothing);
    RUN_TEST(test_the_removal_leaves_nothing_stuck_and_every_resource_alive);
    RUN_TEST(test_the_removal_may_be_repeated_and_nobody_undoes_it);
    RUN_TEST(test_what_is_left_can_be_deleted_by_anyone);
    result = UNITY_END();
    site_close(&site);
    return result;
}
