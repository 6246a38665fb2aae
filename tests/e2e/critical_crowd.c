/* How do thousands of objects come to be in a few seconds? */

#include "critical_crowd.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "support/json_text.h"

/* More do not make a control plane on two processors faster. */
#define THREADS 8

#define TOTAL ((size_t)CROWD_NAMESPACES * CROWD_IN_EACH)

static const struct prb_gvr cools = { "my.crd.group", "v1", "coolresources" };

/* What the threads share: they take the next number, as long as all goes well. */
struct work {
    struct prb_api *api;
    int (*make)(struct prb_api *api, size_t number, struct prb_error *err);
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
    struct prb_error err; /* of the thread that set `failed` */
};

static void name_namespace(char name[PRB_NAMESPACE_SIZE], size_t number)
{
    (void)snprintf(name, PRB_NAMESPACE_SIZE, "crowd-%03zu", number);
}

static int make_namespace(struct prb_api *api, size_t number, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    char name[PRB_NAMESPACE_SIZE];
    struct prb_ref ref;

    name_namespace(name, number);
    body = prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}", name);
    (void)prb_ref_init(&ref, &prb_namespaces, "", name);
    return prb_api_create(api, &ref, body, NULL, NULL, err);
}

static int make_cool(struct prb_api *api, size_t number, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    char namespace[PRB_NAMESPACE_SIZE], name[PRB_NAME_SIZE];
    struct prb_ref ref;

    name_namespace(namespace, number / CROWD_IN_EACH);
    (void)snprintf(name, sizeof(name), "cool-%zu", number % CROWD_IN_EACH);
    body = prb_test_json("{'apiVersion':'my.crd.group/v1','kind':'CoolResource','metadata':{"
                         "'namespace':'%s','name':'%s','finalizers':['example.dev/every'%s]}}",
            namespace, name, number == TOTAL - 1 ? ",'example.dev/last'" : "");
    (void)prb_ref_init(&ref, &cools, namespace, name);
    return prb_api_create(api, &ref, body, NULL, NULL, err);
}

static void *make_some(void *arg)
{
    struct work *work = arg;
    struct prb_error err;
    size_t number;

    while ((number = atomic_fetch_add(&work->next, 1)) < work->count && !work->failed) {
        if (work->make(work->api, number, &err) == 0)
            continue;
        if (!atomic_exchange(&work->failed, true))
            work->err = err;
    }
    return NULL;
}

static bool make_all(struct work *work, struct prb_error *err)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        (void)pthread_create(&threads[i], NULL, make_some, work);
    for (size_t i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    if (work->failed)
        *err = work->err;
    return !work->failed;
}

bool crowd_make(struct prb_api *api, struct prb_error *err)
{
    struct work namespaces = { .api = api, .make = make_namespace, .count = CROWD_NAMESPACES };
    struct work objects = { .api = api, .make = make_cool, .count = TOTAL };

    return make_all(&namespaces, err) && make_all(&objects, err);
}
