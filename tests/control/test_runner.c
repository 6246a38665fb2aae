/*
 * Does every change lead to a look, every failure to another try, and every stop to rest? The
 * reconciler of these tests: a ConfigMap labelled "twin" wants a ConfigMap of the same name with
 * "-twin" at the end; a label "wait" makes it say what it waits for.
 */

#include <stdatomic.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/control/runner.h"

#include "hub_world.h"
#include "log_file.h"
#include "support/informers.h"
#include "support/wait.h"

static struct prb_informers *informers;
static struct prb_informer *maps; /* of them, that on ConfigMaps */
static struct prb_runner *runner;
static _Atomic int decisions;
static _Atomic int troubled; /* decisions that knew of a refusal */
static _Atomic int64_t again_ms;
static struct prb_error err;

static struct prb_ref twin_of(const struct prb_ref *ref)
{
    struct prb_ref twin = *ref;
    char name[PRB_NAME_SIZE + 8];

    (void)snprintf(name, sizeof(name), "%s-twin", ref->name);
    if (!prb_copy(twin.name, sizeof(twin.name), name))
        abort();
    return twin;
}

static struct json_object *twin_body(const struct prb_ref *twin)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "namespace", twin->namespace);
    prb_json_set_str(metadata, "name", twin->name);
    return body;
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    const struct prb_object *object = prb_view_find(view, key);
    struct prb_ref twin = twin_of(key);

    (void)self;
    atomic_fetch_add(&decisions, 1);
    if (prb_view_trouble(view))
        atomic_fetch_add(&troubled, 1);
    if (!object)
        return;
    if (prb_object_label(object, "wait"))
        prb_changes_wait(out, "the label \"wait\" is %s", prb_object_label(object, "wait"));
    if (prb_object_label(object, "twin") && !prb_view_find(view, &twin))
        prb_changes_create(out, &twin, twin_body(&twin), "its twin is missing");
    if (atomic_load(&again_ms) > 0)
        prb_changes_again(out, atomic_load(&again_ms));
}

/* A twin leads to the one it belongs to, which must be in the view: mapping sees what is known. */
static void map_twin(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct prb_ref owner = *ref;
    char *end = strstr(owner.name, "-twin");

    (void)object;
    if (end)
        *end = '\0';
    if (prb_view_find(view, &owner))
        enqueue(ctx, &owner);
}

static const struct prb_watch_spec watches[] = {
    { .group = "", .version = "v1", .resource = "configmaps", .map = map_twin },
    { .group = "", .version = "v1", .resource = "secrets" },
};

static const struct prb_reconciler twins = {
    .name = "twins",
    .summary = "for tests",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .decide = decide,
};

void setUp(void)
{
    struct prb_runner_options options = { .workers = 3 };

    world_init();
    atomic_store(&decisions, 0);
    atomic_store(&troubled, 0);
    atomic_store(&again_ms, 0);
    informers = prb_informers_new(&world.port.api, NULL);
    maps = prb_informers_add(informers, &watches[0], NULL);
    options.api = &world.port.api;
    options.informers = informers;
    runner = prb_runner_new(&twins, &options);
}

void tearDown(void)
{
    prb_informers_stop(informers);
    prb_runner_free(runner);
    prb_informers_free(informers);
    world_done();
}

static void put_map(const char *name, const char *labels)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 1024);
    prb_str_addf(&yaml,
            "{apiVersion: v1, kind: ConfigMap,"
            " metadata: {namespace: ns, name: %s, labels: {%s}}}",
            name, labels);
    prb_object_unref(put("configmaps", prb_str_get(&yaml)));
}

static bool exists(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);

    return object != NULL;
}

static bool is_stored(void *ctx)
{
    return exists(ctx) ||
           prb_test_saw("no %s after %d decisions, %d of them with trouble", (const char *)ctx,
                   atomic_load(&decisions), atomic_load(&troubled));
}

static void await_object(const char *name)
{
    prb_autofree char *copy = prb_strdup(name);

    TEST_ASSERT_AWAIT("the ConfigMap is there", is_stored, copy);
}

static bool has_decided(void *ctx)
{
    int now = atomic_load(&decisions);

    return now >= *(int *)ctx || prb_test_saw("%d decisions of %d", now, *(int *)ctx);
}

static void await_decisions(int count)
{
    TEST_ASSERT_AWAIT("so many decisions are made", has_decided, &count);
}

static bool rests(void *ctx)
{
    return prb_runner_idle(ctx) || prb_test_saw("%d decisions", atomic_load(&decisions));
}

static void await_rest(void)
{
    TEST_ASSERT_AWAIT("the runner has nothing to do", rests, runner);
}

static bool is_known(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *object =
            prb_store_get(prb_informer_store(maps), "ns", ctx);

    return object || prb_test_saw("no %s among %zu objects", (const char *)ctx,
                             prb_store_count(prb_informer_store(maps)));
}

static void await_known(const char *name)
{
    prb_autofree char *copy = prb_strdup(name);

    TEST_ASSERT_AWAIT("the informer knows the ConfigMap", is_known, copy);
}

static bool start(void)
{
    /* Once it is watched, nothing of the list is still to be announced. */
    return prb_informers_start(informers, &err) == 0 &&
           prb_test_await_synced(informers, PRB_TEST_SOON_MS) &&
           fault_port_wait(&world.port, "watch configmaps", 1) &&
           prb_runner_start(runner, &err) == 0;
}

/* Put a version of the ConfigMap into the cache of which a member could not be read. */
static void spoil(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);
    prb_auto(prb_object_unref) struct prb_object *spoilt = NULL;
    struct json_object *tree = prb_object_copy(object);

    if (prb_object_new(tree, &spoilt, &err) != 0)
        abort();
    prb_object_set_defect(spoilt, "data", "nested too deeply");
    (void)prb_store_put(prb_informer_store(maps), spoilt);
}

static void delete_map(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);
    struct prb_ref ref = ref_of("configmaps", "ns", name);
    struct prb_delete_options options = { .uid = prb_object_uid(object) };

    if (prb_api_delete(prb_hub_api(world.hub), &ref, &options, &err) != 0)
        abort();
}

/* A reconciler that also reads a kind which the hub gets later, or never. */
static void watch_widgets(bool optional)
{
    static struct prb_watch_spec specs[2];
    static struct prb_reconciler reconciler;
    struct prb_runner_options options = { .api = &world.port.api, .informers = informers };

    specs[0] = watches[0];
    specs[1] = (struct prb_watch_spec){
        .group = "example.com", .version = "v1", .resource = "widgets", .optional = optional
    };
    reconciler = twins;
    reconciler.watches = specs;
    prb_runner_free(runner);
    prb_informers_free(informers);
    informers = prb_informers_new(&world.port.api, NULL);
    options.informers = informers;
    runner = prb_runner_new(&reconciler, &options);
}

/* A reconciler for one namespace, of whose collections this one is read there only. */
static void watch_one_namespace(const char *namespace)
{
    static struct prb_watch_spec spec;
    static struct prb_reconciler reconciler;
    struct prb_runner_options options = { .api = &world.port.api };

    spec = watches[0];
    spec.scoped = true;
    reconciler = twins;
    reconciler.watches = &spec;
    reconciler.watch_count = 1;
    reconciler.namespace = namespace;
    prb_runner_free(runner);
    prb_informers_free(informers);
    informers = prb_informers_new(&world.port.api, NULL);
    maps = prb_informers_add(informers, &spec, namespace);
    options.informers = informers;
    runner = prb_runner_new(&reconciler, &options);
}

static void note_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    (void)controller;
    (void)key;
    (void)since_ms;
    if (strstr(waits_for, "widgets.v1.example.com"))
        *(bool *)ctx = true;
}

static bool waits_for_widgets(void *ctx)
{
    bool waits = false;

    (void)ctx;
    prb_runner_each_wait(runner, note_wait, &waits);
    return waits || prb_test_saw("it waits for something else, or for nothing");
}

static bool is_made_by_a_look(void *ctx)
{
    struct prb_ref key = ref_of("configmaps", "ns", "a");

    (void)ctx;
    prb_runner_enqueue(runner, &key);
    return exists("a-twin") || prb_test_saw("%d decisions", atomic_load(&decisions));
}

static void test_keys_wait_for_a_collection_that_is_not_installed(void)
{
    watch_widgets(false);
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE_MESSAGE(start(), "a kind that is not there holds up nobody else");
    TEST_ASSERT_AWAIT("the key waits for widgets", waits_for_widgets, NULL);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&decisions));

    prb_object_unref(put("customresourcedefinitions",
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,"
            " metadata: {name: widgets.example.com}, spec: {group: example.com, scope: Namespaced,"
            " names: {kind: Widget, plural: widgets},"
            " versions: [{name: v1, served: true, storage: true}]}}"));
    TEST_ASSERT_AWAIT("a-twin is made by a look of ours", is_made_by_a_look, NULL);
    TEST_ASSERT_TRUE(atomic_load(&decisions) > 0);
}

static void test_keys_do_not_wait_for_an_optional_collection(void)
{
    watch_widgets(true);
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
}

/* What is elsewhere takes no memory and no right. */
static void test_who_is_for_one_namespace_reads_no_other(void)
{
    watch_one_namespace("ns");
    prb_object_unref(put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: b}}"));
    prb_object_unref(put("configmaps", "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: b,"
                                       " name: other, labels: {twin: wanted}}}"));
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_known("a-twin");
    await_rest();
    TEST_ASSERT_EQUAL_size_t(2, prb_store_count(prb_informer_store(maps)));
    TEST_ASSERT_EQUAL_size_t(3, stored_count("configmaps"));
}

static void test_a_start_looks_at_everything_that_is_there(void)
{
    put_map("a", "twin: wanted");
    put_map("b", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_object("b-twin");
}

static void test_a_change_leads_to_a_look(void)
{
    TEST_ASSERT_TRUE(start());
    put_map("a", "twin: wanted");
    await_object("a-twin");
    delete_map("a-twin"); /* by the map function this is a reason to look at "a" */
    await_object("a-twin");
}

static void test_a_collection_without_a_map_leads_to_its_own_objects(void)
{
    TEST_ASSERT_TRUE(start());
    prb_object_unref(
            put("secrets", "{apiVersion: v1, kind: Secret, metadata: {namespace: ns, name: s}}"));
    await_decisions(1);
}

static void test_who_decides_again_knows_what_was_refused(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_FORBIDDEN, .times = 2 });
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_rest();
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&troubled));
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_UNAVAILABLE, .times = 2 });
    put_map("b", "twin: wanted");
    await_object("b-twin");
    await_rest();
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            2, atomic_load(&troubled), "neither what succeeded nor what may succeed by itself");
}

static void test_a_write_that_fails_is_tried_until_it_works(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_UNAVAILABLE, .times = 3 });
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_FORBIDDEN, .times = 2 });
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_rest();
    TEST_ASSERT_EQUAL_INT(6, fault_port_count(&world.port, "create configmaps"));
}

static void test_a_write_whose_answer_was_lost_is_not_doubled(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "create", .code = PRB_E_IO, .times = 1, .after = true });
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_rest();
    TEST_ASSERT_EQUAL_size_t(2, stored_count("configmaps"));
}

static void test_throttling_is_honoured(void)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t before;

    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "create", .code = PRB_E_THROTTLED, .times = 1, .retry_after_ms = 300 });
    put_map("a", "twin: wanted");
    before = clock->mono_ms(clock);
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(300, clock->mono_ms(clock) - before);
}

static void test_conflicts_are_not_worth_a_warning(void)
{
    FILE *log = log_file_open();

    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_CONFLICT, .times = 3 });
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    await_object("a-twin");
    await_rest();
    TEST_ASSERT_EQUAL_INT(0, log_file_count(log, "failed"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "change made"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "its twin is missing"));
    log_file_close(log);
}

static void add_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    prb_str_addf(ctx, "%s %s: %s%s\n", controller, key->name, waits_for,
            since_ms > 0 ? "" : " (no time)");
}

#define ASSERT_WAITS(want)                                      \
    do {                                                        \
        prb_auto(prb_str_done) struct prb_str lines_;           \
        prb_str_init(&lines_, 4096);                            \
        prb_runner_each_wait(runner, add_wait, &lines_);        \
        TEST_ASSERT_EQUAL_STRING((want), prb_str_get(&lines_)); \
    } while (0)

static void count_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    (void)controller;
    (void)key;
    (void)waits_for;
    (void)since_ms;
    ++*(int *)ctx;
}

static bool are_waiting(void *ctx)
{
    int count = 0;

    prb_runner_each_wait(runner, count_wait, &count);
    return count == *(int *)ctx || prb_test_saw("%d of %d", count, *(int *)ctx);
}

static void await_waits(int wanted)
{
    TEST_ASSERT_AWAIT("so many keys wait for something", are_waiting, &wanted);
}

static void test_what_keys_wait_for_is_told(void)
{
    put_map("b", "wait: long");
    put_map("a", "wait: short");
    put_map("c", "twin: wanted");
    fault_port_spoil(&world.port, (struct fault){ .verb = "create",
                                          .code = PRB_E_FORBIDDEN,
                                          .times = -1,
                                          .message = "no right" });
    TEST_ASSERT_TRUE(start());
    await_waits(3);
    ASSERT_WAITS("twins a: the label \"wait\" is short\n"
                 "twins b: the label \"wait\" is long\n"
                 "twins c: create configmaps ns/c-twin: no right\n");
    fault_port_clear(&world.port);
    delete_map("a");
    await_object("c-twin");
    await_rest();
    prb_runner_stop(runner);
    ASSERT_WAITS("");
}

static void test_a_key_comes_again_after_the_time_it_asked_for(void)
{
    atomic_store(&again_ms, 5);
    put_map("a", "");
    TEST_ASSERT_TRUE(start());
    await_decisions(5);
    TEST_ASSERT_EQUAL_size_t(1, stored_count("configmaps"));
}

static void test_a_key_can_be_asked_for(void)
{
    struct prb_ref ref = ref_of("configmaps", "ns", "nothing");

    prb_runner_enqueue(runner, &ref);
    TEST_ASSERT_TRUE(prb_runner_idle(runner)); /* stopped: ignored */
    TEST_ASSERT_TRUE(start());
    prb_runner_enqueue(runner, &ref);
    await_decisions(1);
}

static void test_it_may_be_stopped_and_started_again(void)
{
    TEST_ASSERT_TRUE(start());
    for (int i = 0; i < 5; i++) {
        char name[8], twin[16];

        prb_runner_stop(runner);
        prb_runner_stop(runner);
        (void)snprintf(name, sizeof(name), "m%d", i);
        (void)snprintf(twin, sizeof(twin), "m%d-twin", i);
        put_map(name, "twin: wanted"); /* while nobody works */
        TEST_ASSERT_EQUAL_INT(i, fault_port_count(&world.port, "create configmaps"));
        TEST_ASSERT_EQUAL_INT(0, prb_runner_start(runner, &err));
        await_object(twin);
        await_known(twin); /* else the next start would want it once more */
        await_rest();
    }
    TEST_ASSERT_EQUAL_size_t(10, stored_count("configmaps"));
}

static void test_a_dry_run_changes_nothing(void)
{
    struct prb_runner_options options = { .api = &world.port.api, .dry_run = true };

    prb_runner_free(runner);
    prb_informers_free(informers);
    informers = prb_informers_new(&world.port.api, NULL);
    options.informers = informers;
    runner = prb_runner_new(&twins, &options);
    put_map("a", "twin: wanted");
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(fault_port_wait(&world.port, "create configmaps", 1));
    await_rest();
    TEST_ASSERT_FALSE(exists("a-twin"));
}

static void test_a_key_whose_object_cannot_be_read_waits_alone(void)
{
    put_map("odd", "twin: x");
    put_map("fine", "twin: x");
    TEST_ASSERT_EQUAL(0, prb_informers_start(informers, &err));
    TEST_ASSERT_TRUE(prb_test_await_synced(informers, PRB_TEST_SOON_MS));
    TEST_ASSERT_TRUE(fault_port_wait(&world.port, "watch configmaps", 1));
    spoil("odd");
    TEST_ASSERT_EQUAL(0, prb_runner_start(runner, &err));
    await_object("fine-twin");
    await_rest();
    TEST_ASSERT_FALSE(exists("odd-twin"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_key_whose_object_cannot_be_read_waits_alone);
    RUN_TEST(test_keys_wait_for_a_collection_that_is_not_installed);
    RUN_TEST(test_keys_do_not_wait_for_an_optional_collection);
    RUN_TEST(test_who_is_for_one_namespace_reads_no_other);
    RUN_TEST(test_a_start_looks_at_everything_that_is_there);
    RUN_TEST(test_a_change_leads_to_a_look);
    RUN_TEST(test_a_collection_without_a_map_leads_to_its_own_objects);
    RUN_TEST(test_who_decides_again_knows_what_was_refused);
    RUN_TEST(test_a_write_that_fails_is_tried_until_it_works);
    RUN_TEST(test_a_write_whose_answer_was_lost_is_not_doubled);
    RUN_TEST(test_throttling_is_honoured);
    RUN_TEST(test_conflicts_are_not_worth_a_warning);
    RUN_TEST(test_what_keys_wait_for_is_told);
    RUN_TEST(test_a_key_comes_again_after_the_time_it_asked_for);
    RUN_TEST(test_a_key_can_be_asked_for);
    RUN_TEST(test_it_may_be_stopped_and_started_again);
    RUN_TEST(test_a_dry_run_changes_nothing);
    return UNITY_END();
}
