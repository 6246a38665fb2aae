/* What if two CriticalServices that wait for each other are created in the same moment? */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "critical.h"
#include "support/json_text.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* Pairs: most are created so that one of the two is seen by the other's review, or by both. */
#define PAIRS 10

static struct bench *moment;
static struct prb_api *api;
static struct prb_error error;

/* Creates one that guards deployment `own` and waits for deployment `other`. */
struct creation {
    pthread_barrier_t *start;
    char own[PRB_TEST_NAME_SIZE], other[PRB_TEST_NAME_SIZE];
    struct prb_ref ref;
    int result;
    struct prb_error err;
};

static void *create(void *arg)
{
    struct creation *creation = arg;
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{'name':'%s'}"
            ",'spec':{'provider':{'group':'apps','resource':'deployments','namespace':'" DATA
            "','name':'%s'},'criteria':[{'type':'SpecificResource','specificResource':{'group':"
            "'apps','resource':'deployments','namespace':'" DATA "','name':'%s'}}]}}",
            creation->own, creation->own, creation->other);

    (void)pthread_barrier_wait(creation->start);
    creation->result = prb_api_create(api, &creation->ref, body, NULL, NULL, &creation->err);
    return NULL;
}

static void prepare(struct creation *creation, pthread_barrier_t *start, int pair, int one)
{
    *creation = (struct creation){ .start = start };
    (void)snprintf(creation->own, sizeof(creation->own), "moment-%d-%d", pair, one);
    (void)snprintf(creation->other, sizeof(creation->other), "moment-%d-%d", pair, 1 - one);
    (void)prb_ref_init(&creation->ref, &prb_critical_services, "", creation->own);
}

static void create_pair(struct creation pair[2], int number)
{
    pthread_barrier_t start;
    pthread_t thread;

    (void)pthread_barrier_init(&start, NULL, 2);
    prepare(&pair[0], &start, number, 0);
    prepare(&pair[1], &start, number, 1);
    (void)pthread_create(&thread, NULL, create, &pair[0]);
    (void)create(&pair[1]);
    if (!prb_test_join("the other one was created, or refused", thread, NULL, PRB_TEST_STORM_MS))
        abort(); /* it has what the caller gives back */
    (void)pthread_barrier_destroy(&start);
}

/* Does its status say that it is in a deadlock? */
static bool is_in_a_ring(void *ctx)
{
    const struct prb_ref *ref = ctx;
    prb_auto(prb_object_unref) struct prb_object *service = NULL;
    const struct json_object *conditions;

    if (prb_api_get(api, ref, NULL, &service, &error) < 0)
        return false;
    conditions = prb_json_arr(prb_object_status(service), "conditions");
    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), "Deadlock"))
            return prb_streq(prb_json_str(condition, "status"), "True");
    }
    return false;
}

/* What is wrong with how it came out; NULL: one was refused, or both are told of. */
static const char *find_fault(const struct creation pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i].result == 0)
            continue;
        if (pair[i].err.status != 422 || !strstr(pair[i].err.msg, " waits for "))
            return pair[i].err.msg;
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        struct prb_ref ref = pair[i].ref;

        if (!prb_test_await("both were created, so the status of each tells of the deadlock",
                    is_in_a_ring, &ref, PRB_TEST_SOON_MS))
            return prb_test_awaited();
    }
    return NULL;
}

static void test_two_created_at_once_never_deadlock_silently(void)
{
    int refused = 0, told = 0;

    for (int i = 0; i < PAIRS; i++) {
        struct creation pair[2];

        create_pair(pair, i);
        TEST_ASSERT_EQUAL_STRING(NULL, find_fault(pair));
        if (pair[0].result == 0 && pair[1].result == 0)
            told++;
        else
            refused++;
    }
    printf("    %d of %d pairs: one was refused; %d: both are in a deadlock, and say so\n", refused,
            PAIRS, told);
}

void run_critical_moment_tests(struct bench *bench)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    moment = bench;
    UnitySetTestFile(__FILE__);
    if (prb_kube_config_load(moment->kubectl.kubeconfig, NULL, &config, &error) < 0 ||
            prb_kube_open(config, NULL, &api, &error) < 0) {
        (void)fprintf(stderr, "%s\n", error.msg);
        return;
    }
    RUN_TEST(test_two_created_at_once_never_deadlock_silently);
    prb_api_close(prb_take(api));
}
