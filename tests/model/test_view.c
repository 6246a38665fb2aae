#include <pthread.h>
#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/model/view.h"

#include "support/death.h"
#include "support/json_text.h"
#include "support/world.h"

static const char hub[] = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n1}}\n"
                          "---\n"
                          "apiVersion: v1\n"
                          "kind: ConfigMap\n"
                          "metadata:\n"
                          "  name: b\n"
                          "  namespace: n1\n"
                          "  ownerReferences: [{uid: u1}]\n"
                          "---\n"
                          "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n2}}\n"
                          "---\n"
                          "{apiVersion: v1, kind: Namespace, metadata: {name: n1}}\n";

static struct prb_world *world;

void setUp(void)
{
    world = prb_world_new(hub);
}

void tearDown(void)
{
    prb_world_free(world);
}

static struct prb_gvr gvr_of(const char *text)
{
    struct prb_gvr gvr = { .group = "" };

    (void)prb_gvr_parse(text, &gvr);
    return gvr;
}

static bool count(void *ctx, const struct prb_object *object)
{
    (void)object;
    (*(size_t *)ctx)++;
    return true;
}

static bool stop_at_once(void *ctx, const struct prb_object *object)
{
    (void)count(ctx, object);
    return false;
}

static size_t count_in(const struct prb_view *view, const char *gvr, const char *namespace)
{
    struct prb_gvr parsed = gvr_of(gvr);
    size_t seen = 0;

    prb_view_each(view, &parsed, namespace, count, &seen);
    return seen;
}

static void test_objects_are_found_by_ref(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    static const struct {
        const char *ref;
        bool there;
    } cases[] = {
        { "configmaps.v1./n1/a", true },
        { "configmaps.v1./n2/a", true },
        { "configmaps.v1./n2/b", false },
        { "namespaces.v1.//n1", true },
        { "namespaces.v1.//n2", false },
        { "configmaps.v2./n1/a", false },
        { "secrets.v1./n1/a", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_ref ref = prb_world_ref(cases[i].ref);
        const struct prb_object *found = prb_view_find(view, &ref);

        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].there, found != NULL, cases[i].ref);
        if (found)
            TEST_ASSERT_EQUAL_STRING(ref.name, prb_object_name(found));
    }
}

static void test_a_walk_is_of_one_namespace_or_of_all(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    TEST_ASSERT_EQUAL_size_t(3, count_in(view, "configmaps.v1.", NULL));
    TEST_ASSERT_EQUAL_size_t(2, count_in(view, "configmaps.v1.", "n1"));
    TEST_ASSERT_EQUAL_size_t(1, count_in(view, "configmaps.v1.", "n2"));
    TEST_ASSERT_EQUAL_size_t(0, count_in(view, "configmaps.v1.", "n3"));
    TEST_ASSERT_EQUAL_size_t(0, count_in(view, "configmaps.v1.", ""));
    TEST_ASSERT_EQUAL_size_t(1, count_in(view, "namespaces.v1.", ""));
    TEST_ASSERT_EQUAL_size_t(0, count_in(view, "secrets.v1.", NULL));
}

static void test_a_walk_ends_when_it_is_told_to(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    struct prb_gvr gvr = gvr_of("configmaps.v1.");
    size_t seen = 0;

    prb_view_each(view, &gvr, NULL, stop_at_once, &seen);
    TEST_ASSERT_EQUAL_size_t(1, seen);
    prb_view_each(view, &gvr, "n1", stop_at_once, &seen);
    TEST_ASSERT_EQUAL_size_t(2, seen);
    prb_view_each_owned(view, &gvr, "u1", stop_at_once, &seen);
    TEST_ASSERT_EQUAL_size_t(3, seen);
}

static void test_the_owned_are_those_with_a_reference(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    struct prb_gvr configmaps = gvr_of("configmaps.v1."), secrets = gvr_of("secrets.v1.");
    size_t seen = 0;

    prb_view_each_owned(view, &configmaps, "u1", count, &seen);
    TEST_ASSERT_EQUAL_size_t(1, seen);
    prb_view_each_owned(view, &configmaps, "u2", count, &seen);
    prb_view_each_owned(view, &secrets, "u1", count, &seen);
    TEST_ASSERT_EQUAL_size_t(1, seen);
}

static void test_a_view_knows_what_was_synced_when_it_was_opened(void)
{
    struct prb_gvr configmaps = gvr_of("configmaps.v1."), secrets = gvr_of("secrets.v1.");
    struct prb_gvr pods = gvr_of("pods.v1.");
    struct prb_store *store = prb_world_store(world, "secrets.v1.");
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 1234);

    prb_store_set_synced(store);
    TEST_ASSERT_TRUE(prb_view_knows(view, &configmaps));
    TEST_ASSERT_FALSE_MESSAGE(prb_view_knows(view, &secrets), "not synced at the opening");
    TEST_ASSERT_FALSE_MESSAGE(prb_view_knows(view, &pods), "not in the view");
    TEST_ASSERT_EQUAL_INT64(1234, prb_view_now_ms(view));

    prb_view_close(prb_take(view));
    view = prb_world_view(world, 1235);
    TEST_ASSERT_TRUE(prb_view_knows(view, &secrets));
}

/* What cannot be read proves no absence; it is there all the same, until it is read or gone. */
static void test_an_object_with_a_defect_makes_its_collection_unknown(void)
{
    struct prb_gvr configmaps = gvr_of("configmaps.v1.");
    struct prb_store *store = prb_world_store(world, "configmaps.v1.");
    prb_auto(prb_json_free) struct json_object *tree =
            prb_test_json("{'metadata':{'namespace':'n1','name':'odd','resourceVersion':'77'}}");
    prb_auto(prb_object_unref) struct prb_object *odd = NULL, *whole = NULL;
    prb_auto(prb_view_close) struct prb_view *view = NULL;
    struct prb_ref ref;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_object_new(json_object_get(tree), &odd, &err));
    prb_object_set_defect(odd, "spec", "nested too deeply");
    TEST_ASSERT_TRUE(prb_store_put(store, odd));
    TEST_ASSERT_TRUE(prb_ref_init(&ref, &configmaps, "n1", "odd"));
    view = prb_world_view(world, 0);
    TEST_ASSERT_FALSE(prb_view_knows(view, &configmaps));
    TEST_ASSERT_TRUE(prb_view_has_read(view, &configmaps));
    TEST_ASSERT_EQUAL_STRING(
            "spec: nested too deeply", prb_object_defect(prb_view_find(view, &ref)));
    prb_view_close(prb_take(view));

    TEST_ASSERT_EQUAL_INT(0, prb_object_new(json_object_get(tree), &whole, &err));
    TEST_ASSERT_TRUE_MESSAGE(prb_store_put(store, whole), "the defect is gone: that is news");
    view = prb_world_view(world, 0);
    TEST_ASSERT_TRUE(prb_view_knows(view, &configmaps));
    prb_view_close(prb_take(view));

    TEST_ASSERT_TRUE(prb_store_put(store, odd));
    TEST_ASSERT_TRUE(prb_store_remove(store, "n1", "odd"));
    view = prb_world_view(world, 0);
    TEST_ASSERT_TRUE(prb_view_knows(view, &configmaps));
}

static void open_two(void *ctx)
{
    prb_auto(prb_view_close) struct prb_view *first = prb_world_view(ctx, 0);
    prb_auto(prb_view_close) struct prb_view *second = prb_world_view(ctx, 0);
}

static void open_one_store_twice(void *ctx)
{
    struct prb_store *store = prb_world_store(ctx, "configmaps.v1.");

    prb_view_close(prb_view_open((struct prb_store *[]){ store, store }, 2, 0));
}

static void test_a_second_view_in_one_thread_ends_the_process(void)
{
    char words[256];

    TEST_ASSERT_TRUE(prb_test_aborts(open_two, world, words, sizeof(words)));
    TEST_ASSERT_EQUAL_STRING("probate: defect: a thread opens a second view\n", words);
}

static void test_a_store_twice_in_a_view_ends_the_process(void)
{
    char words[256];

    TEST_ASSERT_TRUE(prb_test_aborts(open_one_store_twice, world, words, sizeof(words)));
    TEST_ASSERT_EQUAL_STRING("probate: defect: a view is opened on one store twice\n", words);
}

static void count_free(void *memo)
{
    ++*(int *)memo;
}

static void test_a_memo_lives_as_long_as_its_view(void)
{
    struct prb_view *view = prb_world_view(world, 0);
    int first = 0, second = 0;

    TEST_ASSERT_NULL(prb_view_memo(view));
    prb_view_set_memo(view, &first, count_free);
    TEST_ASSERT_EQUAL_PTR(&first, prb_view_memo(view));
    prb_view_set_memo(view, &second, count_free);
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, first, "one that is replaced is freed");
    TEST_ASSERT_EQUAL_INT(0, second);
    prb_view_close(view);
    TEST_ASSERT_EQUAL_INT(1, first);
    TEST_ASSERT_EQUAL_INT(1, second);
}

static void test_a_resource_is_known_by_what_it_was_asked_for(void)
{
    static const struct prb_known_resource items[] = {
        { .group = "", .name = "po", .state = PRB_RESOURCE_PRESENT, .kind = "Pod" },
        { .group = "a.example", .name = "Cool", .state = PRB_RESOURCE_ABSENT },
        { .group = "b.example", .name = "Cool", .trouble = "no answer" },
    };
    static const struct {
        const char *group, *name;
        int index; /* of items; -1: nobody looked for it */
    } cases[] = {
        { "", "po", 0 },
        { "", "PO", 0 },
        { "a.example", "po", -1 },
        { "a.example", "cool", 1 },
        { "b.example", "COOL", 2 },
        { "b.example", "cools", -1 },
        { "b.example", "", -1 },
        { "B.example", "cool", -1 },
    };
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    TEST_ASSERT_NULL_MESSAGE(prb_view_resource(view, "", "po"), "nothing is known before");
    prb_view_set_resources(view, items, sizeof(items) / sizeof(items[0]));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_PTR_MESSAGE(cases[i].index < 0 ? NULL : &items[cases[i].index],
                prb_view_resource(view, cases[i].group, cases[i].name), cases[i].name);

    prb_view_set_more_resources(view);
    TEST_ASSERT_EQUAL_PTR(&items[0], prb_view_resource(view, "", "po"));
    TEST_ASSERT_EQUAL_INT(
            PRB_RESOURCE_UNKNOWN, prb_view_resource(view, "b.example", "cools")->state);
    TEST_ASSERT_EQUAL_STRING(
            PRB_TOO_MANY_NAMED, prb_view_resource(view, "b.example", "cools")->trouble);
}

/* --- a collection of which only some namespaces are read --- */

/* ConfigMap `name` in namespace n1 or n2, in a store that holds only `namespaces`. */
static struct prb_store *store_of(const char *namespaces, const char *namespace, const char *name)
{
    struct prb_gvr configmaps = gvr_of("configmaps.v1.");
    struct prb_map *names = prb_map_new(NULL);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_store *store;
    struct prb_error err;

    for (; *namespaces; namespaces += strlen(namespaces) + 1)
        prb_map_set(names, namespaces, names);
    store = prb_store_new_in(&configmaps, names);
    (void)prb_object_new(
            prb_test_json(
                    "{'metadata':{'namespace':'%s','name':'%s','ownerReferences':[{'uid':'u'}]}}",
                    namespace, name),
            &object, &err);
    (void)prb_store_put(store, object);
    return store;
}

static bool add_name(void *ctx, const struct prb_object *object)
{
    prb_str_addf(ctx, "%s ", prb_object_name(object));
    return true;
}

static void test_each_namespace_is_looked_up_in_the_store_that_holds_it(void)
{
    struct prb_gvr gvr = gvr_of("configmaps.v1.");
    prb_auto(prb_store_unref) struct prb_store *own = store_of("n1\0", "n1", "own");
    prb_auto(prb_store_unref) struct prb_store *wide = store_of("n1\0n2\0", "n2", "wide");
    struct prb_store *stores[] = { wide, own };
    prb_auto(prb_str_done) struct prb_str names;

    prb_str_init(&names, 100);
    prb_store_set_synced(own);
    {
        prb_auto(prb_view_close) struct prb_view *view = prb_view_open(stores, 2, 0);

        TEST_ASSERT_TRUE(prb_view_knows_in(view, &gvr, "n1"));
        TEST_ASSERT_FALSE_MESSAGE(prb_view_knows_in(view, &gvr, "n2"), "it was not read yet");
        TEST_ASSERT_FALSE_MESSAGE(prb_view_knows_in(view, &gvr, "n3"), "nobody reads it");
        TEST_ASSERT_FALSE_MESSAGE(prb_view_knows(view, &gvr), "there is more than these");
        TEST_ASSERT_FALSE(prb_view_has_read(view, &gvr));
        prb_view_each(view, &gvr, "n1", add_name, &names);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("own ", prb_str_get(&names), "the one that was read");
    }
    prb_store_set_synced(wide);
    prb_str_done(&names);
    prb_str_init(&names, 100);
    {
        prb_auto(prb_view_close) struct prb_view *view = prb_view_open(stores, 2, 0);
        size_t seen = 0;

        TEST_ASSERT_TRUE(prb_view_knows_in(view, &gvr, "n2"));
        prb_view_each(view, &gvr, "n2", add_name, &names);
        TEST_ASSERT_EQUAL_STRING("wide ", prb_str_get(&names));
        prb_view_each_owned(view, &gvr, "u", count, &seen);
        TEST_ASSERT_TRUE_MESSAGE(seen >= 1, "that of n2, whichever store holds n1");
        seen = 0;
        prb_view_each(view, &gvr, NULL, stop_at_once, &seen);
        TEST_ASSERT_EQUAL_size_t(1, seen);
    }
}

/* Both hold the same namespace, with the same object: it is shown once. */
static void test_an_object_in_two_stores_is_shown_once(void)
{
    struct prb_gvr gvr = gvr_of("configmaps.v1.");
    prb_auto(prb_store_unref) struct prb_store *own = store_of("n1\0", "n1", "a");
    prb_auto(prb_store_unref) struct prb_store *wide = store_of("n1\0n2\0", "n1", "a");
    struct prb_store *stores[] = { own, wide };
    prb_auto(prb_view_close) struct prb_view *view = NULL;
    size_t seen = 0;

    prb_store_set_synced(own);
    prb_store_set_synced(wide);
    view = prb_view_open(stores, 2, 0);
    prb_view_each(view, &gvr, NULL, count, &seen);
    TEST_ASSERT_EQUAL_size_t(1, seen);
    prb_view_each_owned(view, &gvr, "u", count, &seen);
    TEST_ASSERT_EQUAL_size_t(2, seen);
}

static void test_a_view_says_why_namespaces_are_not_read(void)
{
    struct prb_gvr gvr = gvr_of("configmaps.v1."), other = gvr_of("secrets.v1.");
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    TEST_ASSERT_NULL(prb_view_unread(view, &gvr));
    prb_view_set_unread(view, &gvr, "forbidden");
    TEST_ASSERT_EQUAL_STRING("forbidden", prb_view_unread(view, &gvr));
    TEST_ASSERT_NULL(prb_view_unread(view, &other));
}

static void test_a_view_hands_on_what_went_wrong(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_view_open(NULL, 0, 0);

    TEST_ASSERT_NULL(prb_view_trouble(view));
    prb_view_set_trouble(view, "no right");
    TEST_ASSERT_EQUAL_STRING("no right", prb_view_trouble(view));
}

/* The thread sanitizer sees a wrong order at once; elsewhere it takes an unlucky meeting. */
#define MEETINGS 20000
#define STORES 12

static pthread_barrier_t start;

/* Opens views on the stores in the order given. */
static void *look(void *arg)
{
    struct prb_store *const *stores = arg;

    (void)pthread_barrier_wait(&start);
    for (int i = 0; i < MEETINGS; i++)
        prb_view_close(prb_view_open(stores, STORES, 0));
    return NULL;
}

/* A reader waits behind a writer that waits: only that makes an order matter. */
static void *change(void *arg)
{
    struct prb_store *const *stores = arg;

    (void)pthread_barrier_wait(&start);
    for (int i = 0; i < MEETINGS; i++)
        (void)prb_store_remove(stores[i % STORES], "n1", "nothing");
    return NULL;
}

static void test_the_order_in_which_stores_are_named_locks_nobody_out(void)
{
    static void *(*const parts[])(void *) = { look, look, change, change };
    struct prb_store *forth[STORES], *back[STORES];
    pthread_t threads[4];

    for (int i = 0; i < STORES; i++) {
        char gvr[] = { 'r', (char)('a' + i), '.', 'v', '1', '.', '\0' };

        forth[i] = back[STORES - 1 - i] = prb_world_store(world, gvr);
    }
    (void)pthread_barrier_init(&start, NULL, 4);
    for (int i = 0; i < 4; i++)
        (void)pthread_create(&threads[i], NULL, parts[i], i % 2 ? back : forth);
    for (int i = 0; i < 4; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_join(threads[i], NULL));
    (void)pthread_barrier_destroy(&start);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_objects_are_found_by_ref);
    RUN_TEST(test_a_walk_is_of_one_namespace_or_of_all);
    RUN_TEST(test_a_walk_ends_when_it_is_told_to);
    RUN_TEST(test_the_owned_are_those_with_a_reference);
    RUN_TEST(test_a_view_knows_what_was_synced_when_it_was_opened);
    RUN_TEST(test_an_object_with_a_defect_makes_its_collection_unknown);
    RUN_TEST(test_a_second_view_in_one_thread_ends_the_process);
    RUN_TEST(test_a_store_twice_in_a_view_ends_the_process);
    RUN_TEST(test_a_memo_lives_as_long_as_its_view);
    RUN_TEST(test_a_resource_is_known_by_what_it_was_asked_for);
    RUN_TEST(test_each_namespace_is_looked_up_in_the_store_that_holds_it);
    RUN_TEST(test_an_object_in_two_stores_is_shown_once);
    RUN_TEST(test_a_view_says_why_namespaces_are_not_read);
    RUN_TEST(test_a_view_hands_on_what_went_wrong);
    RUN_TEST(test_the_order_in_which_stores_are_named_locks_nobody_out);
    return UNITY_END();
}
