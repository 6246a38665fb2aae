/*
 * How much memory does an informer on 10,000 objects of 4 KB take?
 *
 * Creates the objects in a namespace of a real API server ($PROBATE_TEST_KUBECONFIG), reads them in
 * fresh processes (this program again), metadata only and whole, prints what these had resident,
 * and deletes the namespace. Each reads the collection LISTS times, as after a 410: then the old
 * and the new objects are there together. Fails when metadata takes LIMIT_MB or more at any time.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/control/informer.h"
#include "probate/kube/config.h"
#include "probate/kube/kube.h"

#define OBJECTS 10000
#define OBJECT_BYTES 4096
#define CREATORS 8
#define LISTS 3
#define LABEL "app=bench" /* the namespace gets a ConfigMap of the server's as well */
#define LIMIT_MB 60
#define SYNC_MS 120000
#define POLL_US 20000

/* Meson counts this as skipped. */
#define EXIT_SKIPPED 77

static const char *kubeconfig; /* path */

static int complain(const struct prb_error *err)
{
    (void)fprintf(stderr, "bench_informer: %s\n", err->msg);
    return 1;
}

static int64_t now_ms(void)
{
    return prb_clock_system()->mono_ms(prb_clock_system());
}

static int open_api(struct prb_api **ret, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    int r = prb_kube_config_load(kubeconfig, NULL, &config, err);

    return r != 0 ? r : prb_kube_open(config, NULL, ret, err);
}

/* ------------------------------------------------------------------------------------ reading */

/* A value in KiB of /proc/self/status; 0 when it is not there. */
static long memory_kib(const char *key)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    long kib = 0;

    if (!status)
        return 0;
    while (fgets(line, sizeof(line), status)) {
        if (prb_starts_with(line, key))
            kib = strtol(line + strlen(key), NULL, 10);
    }
    (void)fclose(status);
    return kib;
}

/* A port whose first watches are all too old, so that the informer lists again. */
struct forgetful {
    struct prb_api api; /* first */
    struct prb_api *inner;
    _Atomic int left;
};

static int list_through(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    return prb_api_list(((struct forgetful *)api)->inner, gvr, options, ret, err);
}

static int watch_late(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    struct forgetful *port = (struct forgetful *)api;

    if (atomic_fetch_sub(&port->left, 1) > 1)
        return prb_fail(err, PRB_E_GONE, "too old");
    return prb_api_watch(port->inner, gvr, options, sink, ret, err);
}

static void watch_stop_through(struct prb_api *api, struct prb_watch *watch)
{
    prb_api_watch_stop(((struct forgetful *)api)->inner, watch);
}

static const struct prb_api_ops forgetful_ops = {
    .list = list_through, .watch = watch_late, .watch_stop = watch_stop_through
};

/* Wait until it has listed so often as it has to, and watches. */
static bool wait_settled(struct prb_informer *informer, struct prb_informer_state *ret)
{
    int64_t until = now_ms() + SYNC_MS;

    do {
        (void)usleep(POLL_US);
        prb_informer_state(informer, ret);
    } while ((ret->lists < LISTS || !ret->connected) && now_ms() < until);
    return ret->lists == LISTS && ret->connected;
}

/* Prints "OBJECTS MS RSS-KIB PEAK-KIB RSS-BEFORE-KIB". */
static int read_collection(const char *namespace, bool whole)
{
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    struct forgetful port = { .api = { .ops = &forgetful_ops }, .left = LISTS };
    prb_auto(prb_informers_free) struct prb_informers *set = NULL;
    struct prb_informer *informer;
    struct prb_informer_state state;
    struct prb_watch_spec spec = { .group = "",
        .version = "v1",
        .resource = "configmaps",
        .label_selector = LABEL,
        .whole = whole };
    struct prb_error err;
    int64_t begin = now_ms();
    long before;

    if (open_api(&api, &err) != 0)
        return complain(&err);
    port.inner = api;
    set = prb_informers_new(&port.api, NULL);
    informer = prb_informers_add(set, &spec, namespace);
    before = memory_kib("VmRSS:");
    if (prb_informers_start(set, &err) != 0)
        return complain(&err);
    if (!wait_settled(informer, &state)) {
        (void)fprintf(stderr, "bench_informer: not settled: %s\n", state.error);
        return 1;
    }
    (void)printf("%zu %lld %ld %ld %ld\n", state.objects, (long long)(now_ms() - begin),
            memory_kib("VmRSS:"), memory_kib("VmHWM:"), before);
    return 0;
}

/* Runs this program anew to read. Returns the peak in KiB, or -1. */
static long measure(const char *namespace, const char *mode)
{
    prb_autofree char *command =
            prb_asprintf("exec /proc/%d/exe %s %s", (int)getpid(), mode, namespace);
    FILE *reader = popen(command, "re"); /* NOLINT(cert-env33-c): nothing from outside in it */
    char line[256] = "";
    long values[5] = { 0 };
    char *at = line;

    if (!reader)
        return -1;
    if (!fgets(line, sizeof(line), reader))
        line[0] = '\0';
    if (pclose(reader) != 0)
        return -1;
    for (int i = 0; i < 5; i++)
        values[i] = strtol(at, &at, 10);
    (void)printf("  %-8s  %ld objects, %d times in %ld ms: ", mode, values[0], LISTS, values[1]);
    (void)printf("%ld MB resident, %ld MB at most, %ld MB before\n", values[2] / 1024,
            values[3] / 1024, values[4] / 1024);
    return values[0] == OBJECTS ? values[3] : -1;
}

/* ------------------------------------------------------------------------------------ writing */

struct creation {
    struct prb_api *api;
    const char *namespace;
    _Atomic int next;
    _Atomic bool failed;
};

static int create_one(const struct creation *creation, int number, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    char name[32], text[OBJECT_BYTES + 1];
    struct prb_gvr gvr;
    struct prb_ref ref;

    (void)snprintf(name, sizeof(name), "object-%05d", number);
    memset(text, 'a' + number % 26, OBJECT_BYTES);
    text[OBJECT_BYTES] = '\0';
    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(metadata, "namespace", creation->namespace);
    prb_json_set_str(prb_json_ensure_obj(metadata, "labels"), "app", "bench");
    prb_json_set_str(prb_json_ensure_obj(body, "data"), "text", text);
    (void)prb_gvr_init(&gvr, "", "v1", "configmaps");
    (void)prb_ref_init(&ref, &gvr, creation->namespace, name);
    return prb_api_create(creation->api, &ref, body, NULL, NULL, err);
}

static void *creator(void *arg)
{
    struct creation *creation = arg;
    struct prb_error err;
    int number;

    while ((number = atomic_fetch_add(&creation->next, 1)) < OBJECTS) {
        if (create_one(creation, number, &err) == 0 || atomic_load(&creation->failed))
            continue;
        atomic_store(&creation->failed, true);
        (void)complain(&err);
        break;
    }
    return NULL;
}

static bool create_all(struct prb_api *api, const char *namespace)
{
    struct creation creation = { .api = api, .namespace = namespace };
    pthread_t threads[CREATORS];
    int64_t begin = now_ms();
    int count = 0;

    while (count < CREATORS && pthread_create(&threads[count], NULL, creator, &creation) == 0)
        count++;
    for (int i = 0; i < count; i++)
        (void)pthread_join(threads[i], NULL);
    (void)printf("%d ConfigMaps of %d bytes, created in %lld s\n", OBJECTS, OBJECT_BYTES,
            (long long)((now_ms() - begin) / 1000));
    return count > 0 && !atomic_load(&creation.failed);
}

static int create_namespace(struct prb_api *api, const struct prb_ref *ref, struct prb_object **ret,
        struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "Namespace");
    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", ref->name);
    return prb_api_create(api, ref, body, NULL, ret, err);
}

static int compare_modes(const char *namespace)
{
    long metadata = measure(namespace, "metadata");
    long whole = measure(namespace, "whole");

    if (metadata < 0 || whole < 0) {
        (void)fprintf(stderr, "bench_informer: a reader failed\n");
        return 1;
    }
    (void)printf("metadata only takes %ld %% of whole objects; limit %d MB: %s\n",
            metadata * 100 / whole, LIMIT_MB, metadata < LIMIT_MB * 1024L ? "kept" : "EXCEEDED");
    return metadata < LIMIT_MB * 1024L ? 0 : 1;
}

static int run(void)
{
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    prb_auto(prb_object_unref) struct prb_object *created = NULL;
    struct prb_delete_options deletion = { .uid = NULL };
    struct prb_error err;
    struct prb_gvr gvr;
    struct prb_ref ref;
    char name[48];
    int r;

    (void)snprintf(name, sizeof(name), "bench-informer-%08x", (unsigned)prb_random_u64());
    (void)prb_gvr_init(&gvr, "", "v1", "namespaces");
    (void)prb_ref_init(&ref, &gvr, NULL, name);
    if (open_api(&api, &err) != 0 || create_namespace(api, &ref, &created, &err) != 0)
        return complain(&err);

    r = create_all(api, name) ? compare_modes(name) : 1;

    deletion.uid = prb_object_uid(created);
    if (prb_api_delete(api, &ref, &deletion, &err) != 0)
        r = complain(&err);
    return r;
}

int main(int argc, char **argv)
{
    kubeconfig = getenv("PROBATE_TEST_KUBECONFIG"); /* NOLINT(concurrency-mt-unsafe): no threads */
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    if (!kubeconfig || kubeconfig[0] == '\0') {
        (void)fprintf(stderr, "no PROBATE_TEST_KUBECONFIG: run scripts/bench informer\n");
        return EXIT_SKIPPED;
    }
    if (argc == 3)
        return read_collection(argv[2], prb_streq(argv[1], "whole"));
    return run();
}
