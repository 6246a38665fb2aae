/*
 * Many write at once, many watch: does every watch hear of every write once, in one order, and is
 * the hub settled after each write? To be run under a thread sanitizer too.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

#include "support/wait.h"
#include "support/watch_log.h"
#include "world.h"

#define WRITERS 4
#define ROUNDS 60
#define OBJECTS 5
#define WATCHES 3
static atomic_int failures;
static atomic_long writes; /* that changed something */

void setUp(void)
{
    world_init(NULL);
    atomic_store(&failures, 0);
    atomic_store(&writes, 0);
}

void tearDown(void)
{
    world_done();
}

static struct prb_ref map_ref(int index)
{
    char name[PRB_NAME_SIZE];
    struct prb_gvr gvr;
    struct prb_ref ref;

    (void)snprintf(name, sizeof(name), "m%d", index);
    (void)prb_gvr_init(&gvr, "", "v1", "configmaps");
    (void)prb_ref_init(&ref, &gvr, "ns", name);
    return ref;
}

/* Create, change or delete one of few objects, without regard to the others. */
static int write_once(int writer, int round, const struct prb_ref *ref, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;
    char text[32];

    (void)snprintf(text, sizeof(text), "%d-%d", writer, round);
    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", ref->name);
    prb_json_set_str(prb_json_ensure_obj(body, "data"), "by", text);
    if (round % 3 == 0)
        return prb_api_create(w.api, ref, body, NULL, NULL, err);
    if (round % 3 == 1)
        return prb_api_patch(w.api, ref, PRB_PATCH_MERGE, body, NULL, NULL, err);
    if (prb_api_get(w.api, ref, NULL, &seen, err) < 0)
        return err->code;
    return prb_api_delete(
            w.api, ref, &(struct prb_delete_options){ .uid = prb_object_uid(seen) }, err);
}

static void *write_many(void *ctx)
{
    int writer = *(int *)ctx;
    struct prb_error err;

    for (int round = 0; round < ROUNDS; round++) {
        struct prb_ref ref = map_ref((writer + round / 3) % OBJECTS);

        switch (write_once(writer, round, &ref, &err)) {
        case 0:
            atomic_fetch_add(&writes, 1);
            break;
        case PRB_E_EXISTS:
        case PRB_E_NOTFOUND:
        case PRB_E_CONFLICT:
            break; /* another one was faster */
        default:
            atomic_fetch_add(&failures, 1);
        }
    }
    return NULL;
}

static void run_writers(void *(*run)(void *ctx))
{
    pthread_t threads[WRITERS];
    int numbers[WRITERS];

    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        (void)pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < WRITERS; i++)
        (void)pthread_join(threads[i], NULL);
}

/* Each object is added, then modified, then deleted, in rising versions; 0: it is so. */
static int check_order(struct prb_watch_log *log, size_t count)
{
    prb_auto(prb_map_free) struct prb_map *alive = prb_map_new(NULL);
    long long last = 0;
    int wrong = 0;

    for (size_t i = 0; i < count; i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);
        const char *name = prb_object_name(event->object);
        long long version = strtoll(event->resource_version, NULL, 10);
        bool is_alive = prb_map_find(alive, name) != NULL;

        wrong += version <= last;
        wrong += (event->type == PRB_WATCH_ADDED) == is_alive;
        last = version;
        if (event->type == PRB_WATCH_DELETED)
            (void)prb_map_remove(alive, name);
        else
            prb_map_set(alive, name, &writes);
    }
    return wrong;
}

static void test_every_watch_hears_of_every_write_once_and_in_order(void)
{
    struct prb_watch_log *logs[WATCHES] = { NULL };
    struct prb_gvr gvr = gvr_of("configmaps");
    size_t expected;

    for (int i = 0; i < WATCHES; i++)
        TEST_ASSERT_EQUAL_INT(0, prb_watch_log_start(w.api, &gvr, NULL, &logs[i], &w.err));
    run_writers(write_many);
    expected = (size_t)atomic_load(&writes);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&failures));
    TEST_ASSERT_GREATER_THAN_size_t(WRITERS * ROUNDS / 8, expected);
    for (int i = 0; i < WATCHES; i++) {
        TEST_ASSERT_CAME(prb_watch_log_wait(logs[i], expected, PRB_TEST_PROMPT_MS));
        TEST_ASSERT_EQUAL_size_t(expected, prb_watch_log_count(logs[i]));
        TEST_ASSERT_EQUAL_INT(0, check_order(logs[i], expected));
        prb_watch_log_stop(logs[i]);
    }
}

/* Owners with dependents come and go; after each delete its dependents are gone. */
static void *own_many(void *ctx)
{
    int writer = *(int *)ctx;
    struct prb_error err;

    for (int round = 0; round < ROUNDS / 4; round++) {
        struct prb_ref owner = map_ref(100 + writer), dependent = map_ref(200 + writer);
        prb_auto(prb_object_unref) struct prb_object *made = NULL, *left = NULL;
        prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
        struct json_object *reference = json_object_new_object();

        prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", owner.name);
        if (prb_api_create(w.api, &owner, body, NULL, &made, &err) < 0)
            atomic_fetch_add(&failures, 1);
        prb_json_set_str(reference, "apiVersion", "v1");
        prb_json_set_str(reference, "kind", "ConfigMap");
        prb_json_set_str(reference, "name", owner.name);
        prb_json_set_str(reference, "uid", made ? prb_object_uid(made) : "none");
        prb_json_set_bool(reference, "blockOwnerDeletion", true);
        prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", dependent.name);
        prb_json_set(
                prb_json_ensure_obj(body, "metadata"), "ownerReferences", json_object_new_array());
        prb_json_push(prb_json_arr(prb_json_obj(body, "metadata"), "ownerReferences"), reference);
        if (!made || prb_api_create(w.api, &dependent, body, NULL, NULL, &err) < 0 ||
                prb_api_delete(w.api, &owner,
                        &(struct prb_delete_options){ .uid = prb_object_uid(made),
                                .propagation = round % 2 ? PRB_PROPAGATE_FOREGROUND
                                                         : PRB_PROPAGATE_BACKGROUND },
                        &err) < 0)
            atomic_fetch_add(&failures, 1);
        if (prb_api_get(w.api, &dependent, NULL, &left, &err) != PRB_E_NOTFOUND ||
                prb_api_get(w.api, &owner, NULL, &left, &err) != PRB_E_NOTFOUND)
            atomic_fetch_add(&failures, 1);
    }
    return NULL;
}

static int admit_all(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    (void)ctx;
    (void)err;
    return write->name[0] == '\0' ? PRB_E_INTERNAL : 0;
}

static void test_the_hub_is_settled_when_a_write_returns(void)
{
    run_writers(own_many);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&failures));
}

static void test_it_is_settled_too_when_admission_gives_up_the_lock(void)
{
    prb_hub_set_admission(w.hub, admit_all, NULL);
    run_writers(own_many);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&failures));
}

/* Watches that begin and end all the time, while others write. */
static void *watch_many(void *ctx)
{
    struct prb_gvr gvr = gvr_of("configmaps");
    struct prb_error err;

    for (int round = 0; round < ROUNDS; round++) {
        prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;

        if (prb_watch_log_start(w.api, &gvr, NULL, &log, &err) < 0)
            atomic_fetch_add(&failures, 1);
        if ((round + *(int *)ctx) % 2)
            (void)write_many(&round);
    }
    return NULL;
}

static void test_watches_may_begin_and_end_at_any_time(void)
{
    run_writers(watch_many);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&failures));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_watch_hears_of_every_write_once_and_in_order);
    RUN_TEST(test_the_hub_is_settled_when_a_write_returns);
    RUN_TEST(test_it_is_settled_too_when_admission_gives_up_the_lock);
    RUN_TEST(test_watches_may_begin_and_end_at_any_time);
    return UNITY_END();
}
