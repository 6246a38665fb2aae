/* A reconciler that wants collections, on a hub. */

#include "wanted_world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "informer_internal.h"
#include "runner_internal.h"
#include "support/informers.h"
#include "support/wait.h"
#include "wanted_internal.h"

enum { STEP_MS = 100 };

struct prb_informers *informers;
struct prb_runner *runner;

static struct prb_watch_spec specs[2];
static struct prb_reconciler reconciler;

static void make_runner(void)
{
    struct prb_runner_options options = {
        .api = &world.port.api, .clock = &world.clock.clock, .workers = 2
    };

    informers = prb_informers_new(&world.port.api, &world.clock.clock);
    options.informers = informers;
    runner = prb_runner_new(&reconciler, &options);
}

static void free_runner(void)
{
    prb_informers_stop(informers);
    prb_runner_free(runner);
    prb_informers_free(informers);
}

void wanted_init(void)
{
    world_init();
    atomic_store(&looks, 0);
    forget_notes();
    specs[0] = wanting.watches[0];
    reconciler = wanting;
    reconciler.watches = specs;
    make_runner();
}

void wanted_done(void)
{
    fault_port_clear(&world.port); /* what is held would hold up the end */
    free_runner();
    forget_notes();
    world_done();
}

void wanted_also_watch(const char *group, const char *resource)
{
    free_runner();
    specs[1] = (struct prb_watch_spec){ .group = group, .version = "v1", .resource = resource };
    reconciler.watch_count = 2;
    make_runner();
}

void wanted_confirms_absence(void)
{
    free_runner();
    reconciler.confirms_absence = true;
    make_runner();
}

bool wanted_start(void)
{
    struct prb_error err;

    return prb_informers_start(informers, &err) == 0 &&
           prb_test_await_synced(informers, PRB_TEST_SOON_MS) &&
           prb_runner_start(runner, &err) == 0;
}

static void must(int r, const struct prb_error *err)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "wanted_world: %s\n", err->msg);
    abort();
}

static struct prb_ref ref_in(
        const char *group, const char *resource, const char *namespace, const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, group, "v1", resource) || !prb_ref_init(&ref, &gvr, namespace, name))
        abort();
    return ref;
}

/* Make it, or make it look like this. */
static void apply(const struct prb_ref *ref, const struct json_object *body)
{
    struct prb_api *api = prb_hub_api(world.hub);
    struct prb_error err;
    int r = prb_api_create(api, ref, body, NULL, NULL, &err);

    if (r == PRB_E_EXISTS)
        r = prb_api_patch(api, ref, PRB_PATCH_MERGE, body, NULL, NULL, &err);
    must(r, &err);
}

static struct json_object *body_of(
        const char *api_version, const char *kind, const struct prb_ref *ref)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", api_version);
    prb_json_set_str(body, "kind", kind);
    prb_json_set_str(metadata, "name", ref->name);
    if (ref->namespace[0] != '\0')
        prb_json_set_str(metadata, "namespace", ref->namespace);
    return body;
}

void name_collections(const char *map, const char *names)
{
    struct prb_ref ref = ref_in("", "configmaps", "ns", map);
    prb_auto(prb_json_free) struct json_object *body = body_of("v1", "ConfigMap", &ref);

    prb_json_set_str(
            prb_json_ensure_obj(prb_json_obj(body, "metadata"), "annotations"), "wants", names);
    apply(&ref, body);
}

void name_whole_collections(const char *map, const char *names)
{
    struct prb_ref ref = ref_in("", "configmaps", "ns", map);
    prb_auto(prb_json_free) struct json_object *body = body_of("v1", "ConfigMap", &ref);

    prb_json_set_str(prb_json_ensure_obj(prb_json_obj(body, "metadata"), "annotations"),
            "wants-whole", names);
    apply(&ref, body);
}

void remove_object(const char *group, const char *resource, const char *namespace, const char *name)
{
    struct prb_ref ref = ref_in(group, resource, namespace, name);
    struct prb_api *api = prb_hub_api(world.hub);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_delete_options options = { .uid = NULL };
    struct prb_error err;

    must(prb_api_get(api, &ref, NULL, &object, &err), &err);
    options.uid = prb_object_uid(object);
    must(prb_api_delete(api, &ref, &options, &err), &err);
}

static struct prb_ref definition_of(const char *group)
{
    char name[PRB_NAME_SIZE];

    (void)snprintf(name, sizeof(name), "widgets.%s", group);
    return ref_in("apiextensions.k8s.io", "customresourcedefinitions", NULL, name);
}

static struct json_object *versions_of(const char *versions, bool served)
{
    prb_autofree char *copy = prb_strdup(versions);
    struct json_object *array = json_object_new_array();
    char *at = copy, *version;

    while ((version = strsep(&at, ","))) {
        struct json_object *entry = json_object_new_object();

        prb_json_set_str(entry, "name", version);
        prb_json_set_bool(entry, "served", served);
        prb_json_set_bool(entry, "storage", prb_json_len(array) == 0);
        prb_json_push(array, entry);
    }
    return array;
}

static void define(const char *group, const char *versions, bool served)
{
    struct prb_ref ref = definition_of(group);
    prb_auto(prb_json_free) struct json_object *body =
            body_of("apiextensions.k8s.io/v1", "CustomResourceDefinition", &ref);
    struct json_object *spec = prb_json_ensure_obj(body, "spec"), *short_names;
    struct json_object *names = prb_json_ensure_obj(spec, "names");

    prb_json_set_str(spec, "group", group);
    prb_json_set_str(spec, "scope", "Namespaced");
    prb_json_set_str(names, "kind", "Widget");
    prb_json_set_str(names, "plural", "widgets");
    prb_json_set_str(names, "singular", "widget");
    short_names = json_object_new_array();
    prb_json_push(short_names, json_object_new_string("wd"));
    prb_json_set(names, "shortNames", short_names);
    prb_json_set(spec, "versions", versions_of(versions, served));
    apply(&ref, body);
}

void define_widgets(const char *group, const char *versions)
{
    define(group, versions, true);
}

void unserve_widgets(const char *group)
{
    define(group, "v1", false);
}

void undefine_widgets(const char *group)
{
    struct prb_ref ref = definition_of(group);

    remove_object("apiextensions.k8s.io", "customresourcedefinitions", NULL, ref.name);
}

void put_widget_naming(const char *group, const char *name, const char *names)
{
    struct prb_ref ref = ref_in(group, "widgets", "ns", name);
    char api_version[PRB_API_VERSION_SIZE];
    prb_auto(prb_json_free) struct json_object *body = NULL;

    prb_api_version_format(group, "v1", api_version);
    body = body_of(api_version, "Widget", &ref);
    if (names) {
        prb_json_set_str(prb_json_ensure_obj(body, "spec"), "names", names);
        prb_json_set_str(prb_json_obj(body, "spec"), "other", "never kept");
    }
    apply(&ref, body);
}

void put_widget(const char *group, const char *name)
{
    put_widget_naming(group, name, NULL);
}

static bool all_rest(void)
{
    return prb_queue_resting(informers->queue) && prb_queue_resting(runner->queue) &&
           prb_queue_resting(runner->wanted->queue) &&
           (!runner->wanted->set || prb_queue_resting(runner->wanted->set->queue));
}

/* Does nothing go on but by time, or by an event that is still to come? Twice: one may have given
 * work to another that was asked before. */
static bool is_calm(void)
{
    return all_rest() && all_rest();
}

/* A moment for the other threads, of real time. More passes by the fake clock, but only when all
 * was calm: what is slow on this machine must not seem slow to them. */
static void step(bool calm)
{
    const struct timespec moment = { .tv_nsec = 2000000 };

    if (calm) {
        prb_fake_clock_advance(&world.clock, STEP_MS);
        prb_informers_poke(informers);
        prb_runner_poke(runner);
    }
    (void)nanosleep(&moment, NULL);
}

static bool waits(struct prb_test_wait wait, bool (*holds)(const char *name, const void *want),
        const char *name, const void *want)
{
    do {
        bool calm = is_calm();

        if (holds(name, want))
            return true;
        step(calm);
    } while (prb_test_wait_in_time(&wait));
    return false;
}

static bool is_noted(const char *map, const void *text)
{
    prb_autofree char *now = noted(map);

    return prb_streq(now, text) || prb_test_saw("\"%s\"", now);
}

static bool has_watches(const char *resource, const void *count)
{
    int now = fault_port_watches(&world.port, resource);

    return now == *(const int *)count || prb_test_saw("%d", now);
}

static bool has_calls(const char *prefix, const void *count)
{
    int now = fault_port_count(&world.port, prefix);

    return now >= *(const int *)count || prb_test_saw("%d", now);
}

bool comes_to(const char *map, const char *text)
{
    return waits(
            prb_test_wait_for(PRB_TEST_SOON_MS, "%s sees \"%s\"", map, text), is_noted, map, text);
}

bool comes_to_within(const char *map, const char *text, int64_t ms)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS,
            "%s sees \"%s\" within %lld ms of the fake clock", map, text, (long long)ms);
    int64_t deadline = passed_ms() + ms;

    while (passed_ms() < deadline && prb_test_wait_in_time(&wait)) {
        bool calm = is_calm();

        if (is_noted(map, text))
            return true;
        prb_test_pause(); /* so that no event is late by the fake clock */
        step(calm && is_calm());
    }
    if (is_noted(map, text))
        return true;
    prb_test_wait_give_up(&wait);
    return false;
}

bool watches_come_to(const char *resource, int count)
{
    return waits(prb_test_wait_for(PRB_TEST_SOON_MS, "%d watches of %s", count, resource),
            has_watches, resource, &count);
}

bool calls_come_to(const char *prefix, int count)
{
    return waits(prb_test_wait_for(PRB_TEST_SOON_MS, "%d calls \"%s\"", count, prefix), has_calls,
            prefix, &count);
}

void pass(int64_t ms)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%lld ms pass by the fake clock", (long long)ms);
    int64_t until = passed_ms() + ms;

    while (passed_ms() < until) {
        step(is_calm());
        (void)prb_test_saw("%lld ms are left", (long long)(until - passed_ms()));
        if (!prb_test_wait_in_time(&wait))
            return;
    }
}

static bool all_is_calm(void *ctx)
{
    (void)ctx;
    return is_calm();
}

void await_calm(void)
{
    TEST_ASSERT_AWAIT("nothing goes on but by time", all_is_calm, NULL);
}

int64_t passed_ms(void)
{
    return world.clock.now_ms;
}
