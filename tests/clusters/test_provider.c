/*
 * A cluster is removed whose namespace holds a protected provider: does the provider stay until
 * nothing depends on it, is that to be seen, and does everything go then?
 *
 *     test_provider PROGRAM FOLDER-OF-CHART hub|cluster
 *
 * The control plane is its own, in the folder $PROBATE_TEST_CLUSTERS_DIR: every ManagedCluster on
 * it concerns Probate, and so does the registration.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "../cli/program.h"
#include "provider.h"
#include "support/cluster.h"
#include "support/definitions.h"
#include "support/json_text.h"

#define NAMESPACE "west" /* also the name of the cluster */
#define CLAIMS "claims"  /* the namespace of what depends on the provider */

/* Of one denial: the status of its CriticalService, an Event on that and one on the Namespace. */
#define WRITES_OF_DENIAL 3

static const struct prb_gvr namespaces = { "", "v1", "namespaces" };
static const struct prb_gvr maps = { "", "v1", "configmaps" };
static const struct prb_gvr deployments = { "apps", "v1", "deployments" };
static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };

static struct target target;
static struct probate *probate;
static struct prb_kube_config *config;
static const char *dir, *chart;
static char *admin, *definitions; /* owned: paths that the account and the target borrow */
static bool is_hub;

void setUp(void)
{
}

void tearDown(void)
{
}

static int open_server(struct prb_error *err)
{
    prb_autofree char *crds = prb_asprintf("%s/crds", chart);

    definitions = prb_asprintf("%s/crds-standalone", chart);
    admin = prb_asprintf("%s/hub/kubeconfig", dir);
    (void)prb_test_cluster_do(dir, "down", err); /* of a run that was killed */
    if (prb_test_cluster_do(dir, "up", err) < 0 ||
            prb_test_cluster_config_in(dir, &config, err) < 0 ||
            target_open(&target, config, err) < 0)
        return -1;
    target.crds = definitions;
    if (prb_test_define(target.direct, crds, "criticalservices", &prb_critical_services, err) < 0 ||
            target_define(&target, ADDON, err) < 0 || target_define(&target, WORK, err) < 0 ||
            target_define(&target, CLUSTER, err) < 0)
        return -1;
    return probate_on_server(&target, admin, &probate, err);
}

static void test_probate_comes_up(void)
{
    struct prb_error err = { .msg = "" };
    int r;

    if (is_hub)
        r = target_open(&target, NULL, &err) < 0 ? -1 : probate_on_hub(&target, &probate, &err);
    else
        r = open_server(&err);
    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
}

static struct prb_ref ref_of(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref;

    TEST_ASSERT_TRUE(prb_ref_init(&ref, gvr, namespace, name));
    return ref;
}

static void make(const struct prb_gvr *gvr, struct json_object *body_taken)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    const struct json_object *metadata = prb_json_obj(body, "metadata");
    struct prb_ref ref =
            ref_of(gvr, prb_json_str(metadata, "namespace"), prb_json_str(metadata, "name"));
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_create(target.direct, &ref, body, NULL, NULL, &err), err.msg);
}

static struct prb_object *get(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref = ref_of(gvr, namespace, name);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(target.direct, &ref, NULL, &object, &err) == 0 ? object : NULL;
}

static int erase(
        const struct prb_gvr *gvr, const char *namespace, const char *name, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(gvr, namespace, name);
    struct prb_ref ref = ref_of(gvr, namespace, name);

    if (!object)
        return prb_fail(err, PRB_E_NOTFOUND, "%s is not there", name);
    return prb_api_delete(target.direct, &ref,
            &(struct prb_delete_options){ .uid = prb_object_uid(object) }, err);
}

static void make_world(void)
{
    make(&namespaces, prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':"
                                    "'" CLAIMS "'}}"));
    make(&maps, prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':"
                              "'" CLAIMS "','name':'claim'}}"));
    make(&namespaces,
            prb_test_json(
                    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" NAMESPACE
                    "','labels':{'open-cluster-management.io/cluster-name':'" NAMESPACE "'}}}"));
    make(&deployments,
            prb_test_json("{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':"
                          "'" NAMESPACE "','name':'provider'},'spec':{'replicas':0,'selector':{"
                          "'matchLabels':{'app':'p'}},'template':{'metadata':{'labels':{'app':'p'}"
                          "},'spec':{'containers':[{'name':'c','image':'none'}]}}}}"));
    make(&prb_critical_services,
            prb_test_json("{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService',"
                          "'metadata':{'name':'guard'},'spec':{'provider':{'group':'apps',"
                          "'resource':'deployments','namespace':'" NAMESPACE
                          "','name':'provider'},'criteria':[{'type':'SpecificResource',"
                          "'specificResource':{'group':'','resource':'configmaps','namespace':"
                          "'" CLAIMS "','name':'claim'}}]}}"));
    make(&clusters, prb_test_json("{'apiVersion':'cluster.open-cluster-management.io/v1','kind':"
                                  "'ManagedCluster','metadata':{'name':'" NAMESPACE
                                  "'},'spec':{'hubAcceptsClient':true}}"));
}

static const struct json_object *find_condition(const struct prb_object *object, const char *type)
{
    const struct json_object *all =
            object ? prb_json_arr(prb_object_status(object), "conditions") : NULL;

    for (size_t i = 0; i < prb_json_len(all); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(all, i), "type"), type))
            return prb_json_elem(all, i);
    }
    return NULL;
}

static bool is_held_and_protected(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = get(&clusters, NULL, NAMESPACE);
    prb_auto(prb_object_unref) struct prb_object *guard =
            get(&prb_critical_services, NULL, "guard");
    const struct json_object *condition = find_condition(guard, "Protected");

    (void)ctx;
    return (cluster && prb_object_finalizer_count(cluster) > 0 &&
                   prb_streq(prb_json_str(condition, "status"), "True")) ||
           prb_test_saw("finalizers %zu, Protected %s: %s",
                   cluster ? prb_object_finalizer_count(cluster) : 0,
                   condition ? prb_json_str(condition, "status") : "absent",
                   condition ? prb_json_str(condition, "message") : "");
}

/* Both tell that the deletion of the namespace is refused, by which guard, and for what. */
static const char *const told[] = { "namespaces " NAMESPACE, "CriticalService guard",
    "configmaps " CLAIMS "/claim" };

static bool tells(const char *text)
{
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        if (!text || !strstr(text, told[i]))
            return false;
    }
    return true;
}

static bool is_in_waiting(void *ctx)
{
    prb_autofree char *waiting = probate_waiting(probate);

    (void)ctx;
    return tells(waiting) || prb_test_saw("%s", waiting);
}

static bool is_in_condition(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = get(&clusters, NULL, NAMESPACE);
    const char *message = prb_json_str(find_condition(cluster, "ContentDeleteSuccess"), "message");

    (void)ctx;
    return tells(message) || prb_test_saw("%s", message ? message : "no such condition");
}

static bool is_denied_to_probate(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *guard =
            get(&prb_critical_services, NULL, "guard");
    const struct json_object *denied =
            guard ? prb_json_obj(prb_object_status(guard), "lastDenied") : NULL;
    const char *user = prb_json_str(denied, "user");

    (void)ctx;
    return prb_streq(user, "system:serviceaccount:probate-system:probate") ||
           prb_test_saw("by %s", user ? user : "nobody");
}

static void assert_untouched(void)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = get(&namespaces, NULL, NAMESPACE);
    prb_auto(prb_object_unref) struct prb_object *provider =
            get(&deployments, NAMESPACE, "provider");

    TEST_ASSERT_NOT_NULL(namespace);
    TEST_ASSERT_NOT_NULL(provider);
    TEST_ASSERT_FALSE(namespace && prb_object_is_deleting(namespace));
    TEST_ASSERT_FALSE(provider && prb_object_is_deleting(provider));
}

static void test_the_namespace_of_a_protected_provider_stays_and_that_is_seen(void)
{
    struct prb_error err = { .msg = "" };

    make_world();
    TEST_ASSERT_AWAIT(
            "the cluster is held and the provider protected", is_held_and_protected, NULL);
    TEST_ASSERT_EQUAL_MESSAGE(0, erase(&clusters, NULL, NAMESPACE, &err), err.msg);
    TEST_ASSERT_AWAIT("/waiting tells", is_in_waiting, NULL);
    TEST_ASSERT_AWAIT("the condition tells", is_in_condition, NULL);
    TEST_ASSERT_AWAIT("the guard tells", is_denied_to_probate, NULL);
    assert_untouched();
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, erase(&namespaces, NULL, NAMESPACE, &err));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, erase(&deployments, NAMESPACE, "provider", &err));
    assert_untouched();
}

/* When the guard was told last of a denial; "" when it was not. */
static bool read_denied(char ret[PRB_TIME_SIZE])
{
    prb_auto(prb_object_unref) struct prb_object *guard =
            get(&prb_critical_services, NULL, "guard");
    const char *time =
            guard ? prb_json_str(prb_json_obj(prb_object_status(guard), "lastDenied"), "time")
                  : NULL;

    return prb_copy(ret, PRB_TIME_SIZE, time ? time : "");
}

static bool is_denied_since(void *ctx)
{
    char time[PRB_TIME_SIZE];

    return (read_denied(time) && strcmp(time, ctx) != 0) || prb_test_saw("%s", time);
}

/* What the refusal says of the time must not be written each time. */
static void test_while_nobody_acts_no_refusal_is_written_down_again(void)
{
    static const struct {
        const struct prb_gvr *gvr;
        const char *namespace, *name;
    } watched[] = { { &clusters, NULL, NAMESPACE }, { &namespaces, NULL, NAMESPACE },
        { &deployments, NAMESPACE, "provider" } };
    struct prb_object *before[sizeof(watched) / sizeof(watched[0])];
    char time[PRB_TIME_SIZE];

    for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
        before[i] = get(watched[i].gvr, watched[i].namespace, watched[i].name);
    TEST_ASSERT_TRUE(read_denied(time));
    TEST_ASSERT_AWAIT("the guard tells of one more denial", is_denied_since, time);
    for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *old = before[i], *now = NULL;
        prb_autofree char *text = NULL;

        now = get(watched[i].gvr, watched[i].namespace, watched[i].name);
        TEST_ASSERT_NOT_NULL(old);
        TEST_ASSERT_NOT_NULL(now);
        if (!old || !now)
            return;
        text = prb_json_text(prb_object_status(now), false);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                prb_object_resource_version(old), prb_object_resource_version(now), text);
    }
}

/* Writes so far. */
static int64_t count_writes(void)
{
    prb_auto(prb_page_done) struct prb_page page;
    int64_t count = -1;
    struct prb_error err;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL(0, prb_api_list(target.direct, &maps, NULL, &page, &err));
    (void)prb_parse_int(page.resource_version, 0, INT64_MAX, &count);
    return count;
}

/* On an API server of its own, whose versions nobody else counts up. */
static void test_while_nobody_acts_only_the_denial_is_written_down(void)
{
    char time[PRB_TIME_SIZE];
    int64_t before;

    TEST_ASSERT_TRUE(read_denied(time));
    TEST_ASSERT_AWAIT("the guard tells of one more denial", is_denied_since, time);
    before = count_writes();
    TEST_ASSERT_TRUE(read_denied(time));
    TEST_ASSERT_AWAIT("the guard tells of one more denial", is_denied_since, time);
    TEST_ASSERT_LESS_OR_EQUAL_INT64(WRITES_OF_DENIAL, count_writes() - before);
}

static bool is_gone(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = get(&namespaces, NULL, NAMESPACE);
    prb_auto(prb_object_unref) struct prb_object *provider =
            get(&deployments, NAMESPACE, "provider");
    prb_auto(prb_object_unref) struct prb_object *cluster = get(&clusters, NULL, NAMESPACE);

    (void)ctx;
    return (!namespace && !provider && !cluster) ||
           prb_test_saw("left: %s%s%s", namespace ? "namespace " : "", provider ? "provider " : "",
                   cluster ? "cluster" : "");
}

static void test_when_nothing_depends_on_it_everything_goes(void)
{
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_MESSAGE(0, erase(&maps, CLAIMS, "claim", &err), err.msg);
    TEST_ASSERT_AWAIT_WITHIN("namespace, provider and cluster go", is_gone, NULL, PRB_TEST_LONG_MS);
}

int main(int argc, char **argv)
{
    struct prb_error err;

    dir = getenv("PROBATE_TEST_CLUSTERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    if (argc < 4 || (!prb_streq(argv[3], "hub") && !dir)) {
        (void)fprintf(stderr,
                "usage: PROBATE_TEST_CLUSTERS_DIR=FOLDER %s PROGRAM CHART hub|cluster\n", argv[0]);
        return 2;
    }
    program_path = argv[1];
    chart = argv[2];
    is_hub = prb_streq(argv[3], "hub");
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    RUN_TEST(test_probate_comes_up);
    if (probate) {
        RUN_TEST(test_the_namespace_of_a_protected_provider_stays_and_that_is_seen);
        RUN_TEST(test_while_nobody_acts_no_refusal_is_written_down_again);
        if (is_hub)
            RUN_TEST(test_while_nobody_acts_only_the_denial_is_written_down);
        RUN_TEST(test_when_nothing_depends_on_it_everything_goes);
    }
    probate_stop(probate);
    if (target.direct)
        target_close(&target);
    prb_kube_config_free(config);
    free(admin);
    free(definitions);
    if (!is_hub)
        (void)prb_test_cluster_do(dir, "down", &err);
    return UNITY_END();
}
