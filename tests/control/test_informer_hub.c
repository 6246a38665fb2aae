/*
 * Informers on a hub, with threads and real time: is what they hold what is there in the end, also
 * when they were away for so long that they have to list again?
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unity.h>

#include "probate/control/informer.h"

#include "hub_world.h"
#include "support/informers.h"
#include "support/wait.h"

enum { WRITERS = 2, NAMES = 40, ROUNDS = 250 };

static const struct prb_watch_spec configmaps = {
    .group = "", .version = "v1", .resource = "configmaps"
};
static _Atomic int announcements;

void setUp(void)
{
    world_init();
}

void tearDown(void)
{
    world_done();
}

static void on_changed(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    (void)ctx;
    (void)informer;
    (void)object;
    (void)gone;
    atomic_fetch_add(&announcements, 1);
}

static struct json_object *body_of(const struct prb_ref *ref, int round)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "namespace", "ns");
    prb_json_set_str(metadata, "name", ref->name);
    prb_json_set_int(prb_json_ensure_obj(body, "data"), "round", round);
    return body;
}

/* Create what is not there, else change it, else delete it. Another writer may be faster. */
static void write_once(const struct prb_ref *ref, int round)
{
    prb_auto(prb_json_free) struct json_object *body = body_of(ref, round);
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;
    struct prb_api *api = prb_hub_api(world.hub);
    struct prb_delete_options deletion = { .uid = NULL };
    struct prb_error err;

    if (prb_api_get(api, ref, NULL, &seen, &err) != 0) {
        (void)prb_api_create(api, ref, body, NULL, NULL, &err);
    } else if (round % 3 == 0) {
        deletion.uid = prb_object_uid(seen);
        (void)prb_api_delete(api, ref, &deletion, &err);
    } else {
        (void)prb_api_patch(api, ref, PRB_PATCH_MERGE, body, NULL, NULL, &err);
    }
}

static void *writer(void *arg)
{
    int number = *(const int *)arg;

    for (int round = 0; round < ROUNDS; round++) {
        char name[16];
        struct prb_ref ref;

        (void)snprintf(name, sizeof(name), "map-%d", (round * 7 + number) % NAMES);
        ref = ref_of("configmaps", "ns", name);
        write_once(&ref, round);
    }
    return NULL;
}

static void write_a_lot(void)
{
    pthread_t threads[WRITERS];
    int numbers[WRITERS];

    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, writer, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < WRITERS; i++)
        (void)pthread_join(threads[i], NULL);
}

/* Does the store hold exactly what the hub has, in the same versions? */
static bool agrees(void *ctx)
{
    struct prb_informer *informer = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_store *store = prb_informer_store(informer);
    struct prb_error err;
    bool same;

    prb_page_init(&page);
    if (prb_api_list_all(
                prb_hub_api(world.hub), prb_informer_gvr(informer), NULL, 10000, &page, &err) != 0)
        return prb_test_saw("the list fails: %s", err.msg);
    same = prb_store_count(store) == page.count;
    for (size_t i = 0; same && i < page.count; i++) {
        prb_auto(prb_object_unref) struct prb_object *held =
                prb_store_get(store, "ns", prb_object_name(page.objects[i]));

        same = held && prb_streq(prb_object_resource_version(held),
                               prb_object_resource_version(page.objects[i]));
    }
    return same || prb_test_saw("%zu objects in the store, %zu in the hub, not all the same",
                           prb_store_count(store), page.count);
}

static void await_agreement(struct prb_informer *informer)
{
    TEST_ASSERT_AWAIT("the store holds what the hub has", agrees, informer);
}

static bool has_listed_twice(void *ctx)
{
    struct prb_informer_state state;

    prb_informer_state(ctx, &state);
    return state.lists >= 2 || prb_test_saw("%lu lists, %s", state.lists, state.error);
}

static void test_the_store_follows_concurrent_writes(void)
{
    prb_auto(prb_informers_free) struct prb_informers *set =
            prb_informers_new(&world.port.api, NULL);
    struct prb_watch_spec all = configmaps;
    struct prb_informer *shallow = prb_informers_add(set, &all, NULL);
    struct prb_informer *whole;
    struct prb_informer_state state;
    struct prb_error err;

    all.whole = true;
    whole = prb_informers_add(set, &all, NULL);
    prb_informer_listen(whole, &(struct prb_informer_listener){ .changed = on_changed });
    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    TEST_ASSERT_CAME(prb_test_await_synced(set, PRB_TEST_SOON_MS));
    write_a_lot();
    await_agreement(whole);
    await_agreement(shallow);
    prb_informer_state(whole, &state);
    TEST_ASSERT_EQUAL_UINT(1, state.lists);
    TEST_ASSERT_GREATER_THAN_INT(0, announcements);
}

static void test_the_store_catches_up_when_the_hub_forgets_events(void)
{
    struct prb_hub_options options = { .log_max = 4 };
    struct prb_informers *set;
    struct prb_informer *informer;
    struct prb_informer_state state;
    struct prb_error err;

    world_done();
    world.hub = prb_hub_new(&options);
    fault_port_init(&world.port, prb_hub_api(world.hub));
    prb_object_unref(put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: ns}}"));
    fault_port_spoil(&world.port, (struct fault){ .verb = "watch", .code = PRB_E_IO, .times = -1 });
    set = prb_informers_new(&world.port.api, NULL);
    informer = prb_informers_add(set, &configmaps, NULL);
    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    TEST_ASSERT_CAME(prb_test_await_synced(set, PRB_TEST_SOON_MS));
    write_a_lot(); /* while no watch can be opened */
    fault_port_clear(&world.port);
    await_agreement(informer);
    /* A list counts when it is over, a moment after the store has it. */
    TEST_ASSERT_AWAIT("the second list is over", has_listed_twice, informer);
    prb_informer_state(informer, &state);
    TEST_ASSERT_EQUAL_UINT(2, state.lists);
    prb_informers_free(set);
}

static void test_an_interrupted_port_lets_informers_end(void)
{
    prb_auto(prb_informers_free) struct prb_informers *set =
            prb_informers_new(prb_hub_api(world.hub), NULL);
    struct prb_error err;

    (void)prb_informers_add(set, &configmaps, NULL);
    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    TEST_ASSERT_CAME(prb_test_await_synced(set, PRB_TEST_SOON_MS));
    prb_api_interrupt(prb_hub_api(world.hub));
    prb_informers_stop(set);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_store_follows_concurrent_writes);
    RUN_TEST(test_the_store_catches_up_when_the_hub_forgets_events);
    RUN_TEST(test_an_interrupted_port_lets_informers_end);
    return UNITY_END();
}
