/* What do all checks on the fault proxy have in common? */

#include "support/fault_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "support/api_objects.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Rows mostly wait. */
#define THREADS 6

const struct prb_gvr prb_fault_bench_configmaps = { .version = "v1", .resource = "configmaps" };

/* Set once before the rows run. */
static char namespace[PRB_TEST_NAME_SIZE];
static const struct prb_fault_bench_row *table;

void setUp(void)
{
}

void tearDown(void)
{
}

const char *prb_fault_bench_namespace(void)
{
    return namespace;
}

int prb_fault_bench_fail(struct prb_fault_bench *b, int line, const char *what)
{
    prb_autofree char *text = prb_asprintf("line %d: %s (last error: %s)", line, what, b->err.msg);

    (void)snprintf(b->why, PRB_TEST_WHY_SIZE, "%.*s", PRB_TEST_WHY_SIZE - 1, text);
    return -1;
}

int prb_fault_bench_create(struct prb_fault_bench *b, struct prb_api *api, const char *name)
{
    struct prb_ref ref = prb_test_configmap(namespace, name);
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s','namespace':'%s'},"
            "'data':{'k':'v'}}",
            name, namespace);

    b->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_create(api, &ref, body, NULL, NULL, &b->err);
}

int prb_fault_bench_get(
        struct prb_fault_bench *b, struct prb_api *api, const char *name, int timeout_ms)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = prb_test_configmap(namespace, name);

    b->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_get(
            api, &ref, &(struct prb_get_options){ .timeout_ms = timeout_ms }, &object, &b->err);
}

int prb_fault_bench_list(struct prb_fault_bench *b)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    b->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_list(b->api, &prb_fault_bench_configmaps,
            &(struct prb_list_options){ .namespace = namespace }, &page, &b->err);
}

/* Watch the namespace through the proxy, from now on, and wait until the proxy forwards it. */
int prb_fault_bench_watch(struct prb_fault_bench *b, const char *name, struct prb_watch_log **ret)
{
    struct prb_ref ref = prb_test_configmap(namespace, name);
    prb_autofree char *selector = prb_asprintf("metadata.name=%s", ref.name);
    const struct prb_watch_options options = { .namespace = namespace, .field_selector = selector };
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the proxy forwards the watch");
    int r = prb_watch_log_start(b->api, &prb_fault_bench_configmaps, &options, ret, &b->err);

    while (r == 0 && prb_fault_proxy_watches(b->proxy, "configmaps") == 0) {
        if (!prb_test_wait_more(&wait))
            return prb_fail(&b->err, PRB_E_INTERNAL, "%s", prb_test_awaited());
    }
    return r;
}

static const char *name_at(size_t row)
{
    return table[row].name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    struct prb_fault_bench b = { .proxy = NULL };

    (void)ctx;
    b.why = why;
    if (prb_test_proxied_open(&b.world, NULL, NULL, &b.err) < 0) {
        (void)prb_fault_bench_fail(&b, __LINE__, "no proxy");
        return;
    }
    b.proxy = b.world.proxy;
    b.api = b.world.api;
    b.direct = b.world.direct;
    (void)table[row].check(&b);
    prb_test_proxied_close(&b.world);
}

int prb_fault_bench_run(
        const char *file, const struct prb_fault_bench_row *rows, size_t count, const char *only)
{
    struct prb_test_proxied world;
    struct prb_error err;

    table = rows;
    prb_test_unique_name("fault-proxy", namespace);
    if (prb_test_proxied_open(&world, NULL, NULL, &err) < 0 ||
            prb_test_namespace_create(world.direct, namespace, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    UNITY_BEGIN();
    prb_test_table_run(&(struct prb_test_table){ .file = file,
            .count = count,
            .threads = THREADS,
            .name = name_at,
            .check = check_row,
            .only = only });
    prb_test_namespace_delete(world.direct, namespace);
    prb_test_proxied_close(&world);
    return UNITY_END();
}
