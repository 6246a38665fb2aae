#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/store.h"
#include "probate/model/view.h"

#include "support/json_text.h"

static struct prb_gvr gvr;
static struct prb_store *store;

void setUp(void)
{
    (void)prb_gvr_init(&gvr, "", "v1", "configmaps");
    store = prb_store_new(&gvr);
}

void tearDown(void)
{
    prb_store_unref(store);
}

/* Object a in namespace n, at a version, with an owner when one is given. */
static struct prb_object *make(
        const char *namespace, const char *name, const char *version, const char *owner)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'metadata':{'namespace':'%s','name':'%s','resourceVersion':'%s',"
                          "'ownerReferences':[{'uid':'%s'}]}}",
                    namespace, name, version, owner ? owner : ""),
            &object, &err);
    return object;
}

static bool put(const char *namespace, const char *name, const char *version, const char *owner)
{
    prb_auto(prb_object_unref) struct prb_object *object = make(namespace, name, version, owner);

    return prb_store_put(store, object);
}

static bool add_name(void *ctx, const struct prb_object *object)
{
    prb_str_addf(ctx, "%s ", prb_object_name(object));
    return true;
}

/* The names the index of owners has for a uid, in the order of the index. */
static char *owned_by(const char *uid)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_view_open(&store, 1, 0);
    prb_auto(prb_str_done) struct prb_str names;

    prb_str_init(&names, 1000);
    prb_view_each_owned(view, &gvr, uid, add_name, &names);
    return prb_str_take(&names);
}

static void test_put_tells_whether_anything_changed(void)
{
    TEST_ASSERT_TRUE_MESSAGE(put("n", "a", "1", NULL), "new");
    TEST_ASSERT_FALSE_MESSAGE(put("n", "a", "1", NULL), "the same again");
    TEST_ASSERT_TRUE_MESSAGE(put("n", "a", "2", NULL), "another version");
    TEST_ASSERT_TRUE_MESSAGE(put("n", "a", "2", "o"), "same version, another tree");
    TEST_ASSERT_TRUE_MESSAGE(put("m", "a", "2", "o"), "another namespace");
    TEST_ASSERT_EQUAL_size_t(2, prb_store_count(store));
}

static void test_what_was_put_is_found_by_namespace_and_name(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = make("n", "a", "1", NULL);
    prb_auto(prb_object_unref) struct prb_object *found = NULL;

    (void)prb_store_put(store, object);
    found = prb_store_get(store, "n", "a");
    TEST_ASSERT_EQUAL_PTR(object, found);
    TEST_ASSERT_NULL(prb_store_get(store, "n", "b"));
    TEST_ASSERT_NULL(prb_store_get(store, "m", "a"));
    TEST_ASSERT_NULL(prb_store_get(store, NULL, "a"));
}

static void test_no_namespace_is_the_empty_one(void)
{
    prb_auto(prb_object_unref) struct prb_object *found = NULL;

    (void)put("", "node", "1", NULL);
    found = prb_store_get(store, NULL, "node");
    TEST_ASSERT_NOT_NULL(found);
    TEST_ASSERT_TRUE(prb_store_remove(store, NULL, "node"));
}

static void test_an_object_outlives_its_removal_while_someone_holds_it(void)
{
    prb_auto(prb_object_unref) struct prb_object *held = NULL;

    (void)put("n", "a", "1", NULL);
    held = prb_store_get(store, "n", "a");
    TEST_ASSERT_TRUE(prb_store_remove(store, "n", "a"));
    TEST_ASSERT_FALSE_MESSAGE(prb_store_remove(store, "n", "a"), "it is gone already");
    TEST_ASSERT_EQUAL_size_t(0, prb_store_count(store));
    TEST_ASSERT_EQUAL_STRING("a", prb_object_name(held));
}

static void test_the_index_of_owners_follows_every_change(void)
{
    prb_autofree char *both = NULL, *moved = NULL, *left = NULL, *gone = NULL;

    (void)put("n", "a", "1", "o1");
    (void)put("n", "b", "1", "o1");
    both = owned_by("o1");
    TEST_ASSERT_EQUAL_STRING("a b ", both);
    (void)put("n", "a", "2", "o2");
    left = owned_by("o1");
    moved = owned_by("o2");
    TEST_ASSERT_EQUAL_STRING("b ", left);
    TEST_ASSERT_EQUAL_STRING("a ", moved);
    (void)prb_store_remove(store, "n", "a");
    gone = owned_by("o2");
    TEST_ASSERT_EQUAL_STRING("", gone);
}

static void test_an_owner_named_twice_owns_once(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    prb_autofree char *before = NULL, *after = NULL, *none = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':{'name':'a','ownerReferences':["
                                       "{'uid':'o'},{'uid':'o'},{'uid':''},5]}}"),
            &object, &err);
    (void)prb_store_put(store, object);
    before = owned_by("o");
    none = owned_by("");
    TEST_ASSERT_EQUAL_STRING("a ", before);
    TEST_ASSERT_EQUAL_STRING("", none);
    (void)prb_store_remove(store, "", "a");
    after = owned_by("o");
    TEST_ASSERT_EQUAL_STRING("", after);
}

static void note(void *ctx, const struct prb_object *object)
{
    prb_str_addf(ctx, "%s@%s ", prb_object_name(object), prb_object_resource_version(object));
}

static void test_replace_tells_what_is_new_altered_or_dropped(void)
{
    prb_auto(prb_object_unref) struct prb_object *same = make("n", "same", "1", "o");
    prb_auto(prb_object_unref) struct prb_object *altered = make("n", "altered", "2", NULL);
    prb_auto(prb_object_unref) struct prb_object *added = make("n", "added", "3", NULL);
    prb_auto(prb_str_done) struct prb_str notes;
    prb_autofree char *owned = NULL;

    (void)put("n", "same", "1", "o");
    (void)put("n", "altered", "1", NULL);
    (void)put("m", "dropped", "1", "o");
    prb_str_init(&notes, 1000);
    prb_store_replace(store, (struct prb_object *[]){ same, altered, added }, 3, note, &notes);

    TEST_ASSERT_EQUAL_size_t(3, prb_store_count(store));
    TEST_ASSERT_EQUAL_size_t(strlen("altered@2 added@3 dropped@1 "), notes.len);
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&notes), "altered@2 "));
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&notes), "added@3 "));
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&notes), "dropped@1 "));
    owned = owned_by("o");
    TEST_ASSERT_EQUAL_STRING("same ", owned);
}

static void test_replace_by_nothing_empties_the_store(void)
{
    (void)put("n", "a", "1", NULL);
    prb_store_replace(store, NULL, 0, NULL, NULL);
    TEST_ASSERT_EQUAL_size_t(0, prb_store_count(store));
    TEST_ASSERT_NULL(prb_store_get(store, "n", "a"));
}

static void test_a_store_outlives_its_owner_while_a_view_is_open_on_it(void)
{
    struct prb_store *held = prb_store_ref(store);
    struct prb_view *view;
    struct prb_ref ref;

    TEST_ASSERT_TRUE(put("n", "a", "1", NULL));
    TEST_ASSERT_TRUE(prb_ref_init(&ref, &gvr, "n", "a"));
    view = prb_view_open(&held, 1, 0);
    prb_store_unref(prb_take(store));
    TEST_ASSERT_NOT_NULL(prb_view_find(view, &ref));
    prb_view_close(view);
    prb_store_unref(held);
}

static void test_a_store_is_synced_only_once_it_is_said(void)
{
    TEST_ASSERT_FALSE(prb_store_synced(store));
    (void)put("n", "a", "1", NULL);
    TEST_ASSERT_FALSE(prb_store_synced(store));
    prb_store_set_synced(store);
    TEST_ASSERT_TRUE(prb_store_synced(store));
    TEST_ASSERT_TRUE(prb_gvr_equal(&gvr, prb_store_gvr(store)));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Only the real allocator counts its bytes. */
static struct prb_object *crowd_member(size_t i)
{
    char namespace[32], name[64], owner[64];

    (void)snprintf(namespace, sizeof(namespace), "cluster-%zu", i / 5);
    (void)snprintf(name, sizeof(name), "work-agent-of-some-length-%zu", i);
    (void)snprintf(owner, sizeof(owner), "0b5ae2a1-0000-4000-8000-%012zu", i);
    return make(namespace, name, "1", owner);
}

static void test_ten_thousand_objects_cost_little_beyond_themselves(void)
{
    enum { COUNT = 10000, HELD_MAX = 350, GONE_MAX = 90 };
    struct prb_object **objects = prb_calloc(COUNT, sizeof(struct prb_object *));
    size_t before, held, gone;

    for (size_t i = 0; i < COUNT; i++)
        objects[i] = crowd_member(i);
    before = mallinfo2().uordblks;
    for (size_t i = 0; i < COUNT; i++)
        (void)prb_store_put(store, objects[i]);
    held = mallinfo2().uordblks;
    for (size_t i = 0; i < COUNT; i++)
        (void)prb_store_remove(
                store, prb_object_namespace(objects[i]), prb_object_name(objects[i]));
    gone = mallinfo2().uordblks;
    for (size_t i = 0; i < COUNT; i++)
        prb_object_unref(objects[i]);
    free(objects);
    TEST_ASSERT_LESS_THAN_size_t(HELD_MAX, (held - before) / COUNT);
    TEST_ASSERT_LESS_THAN_size_t_MESSAGE(
            GONE_MAX, (gone - before) / COUNT, "empty tables may stay, keys and lists not");
}
#endif

/* Two contents that differ in everything but their number. */
struct writing {
    struct prb_object *sets[2][8];
    atomic_bool done;
};

static void *write_on(void *arg)
{
    struct writing *writing = arg;

    for (int i = 0; i < 300; i++) {
        prb_store_replace(store, writing->sets[i % 2], 8, NULL, NULL);
        (void)prb_store_put(store, writing->sets[i % 2][i % 8]);
    }
    atomic_store(&writing->done, true);
    return NULL;
}

static bool count_versions(void *ctx, const struct prb_object *object)
{
    size_t *count = ctx;

    count[prb_object_resource_version(object)[0] - '0']++;
    return true;
}

/* How many views were no whole set? */
static void *read_on(void *arg)
{
    struct writing *writing = arg;
    size_t torn = 0;

    while (!atomic_load(&writing->done)) {
        prb_auto(prb_view_close) struct prb_view *view = prb_view_open(&store, 1, 0);
        size_t count[2] = { 0, 0 };

        prb_view_each(view, &gvr, NULL, count_versions, count);
        torn += count[0] + count[1] > 0 && count[0] != 8 && count[1] != 8;
    }
    return torn ? arg : NULL;
}

static void test_readers_see_whole_contents_and_do_not_keep_the_writer_out(void)
{
    struct writing writing = { .done = false };
    pthread_t writer, readers[2];
    void *torn[2] = { NULL, NULL };

    for (int set = 0; set < 2; set++) {
        for (int i = 0; i < 8; i++) {
            char name[] = { (char)('a' + i), (char)('a' + set), '\0' };

            writing.sets[set][i] = make("n", name, set ? "1" : "0", "o");
        }
    }
    (void)pthread_create(&readers[0], NULL, read_on, &writing);
    (void)pthread_create(&readers[1], NULL, read_on, &writing);
    (void)pthread_create(&writer, NULL, write_on, &writing);
    (void)pthread_join(writer, NULL);
    for (int i = 0; i < 2; i++)
        (void)pthread_join(readers[i], &torn[i]);
    for (int i = 0; i < 16; i++)
        prb_object_unref(writing.sets[i / 8][i % 8]);
    TEST_ASSERT_NULL(torn[0]);
    TEST_ASSERT_NULL(torn[1]);
    TEST_ASSERT_EQUAL_size_t(8, prb_store_count(store));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_put_tells_whether_anything_changed);
    RUN_TEST(test_what_was_put_is_found_by_namespace_and_name);
    RUN_TEST(test_no_namespace_is_the_empty_one);
    RUN_TEST(test_an_object_outlives_its_removal_while_someone_holds_it);
    RUN_TEST(test_the_index_of_owners_follows_every_change);
    RUN_TEST(test_an_owner_named_twice_owns_once);
    RUN_TEST(test_replace_tells_what_is_new_altered_or_dropped);
    RUN_TEST(test_replace_by_nothing_empties_the_store);
    RUN_TEST(test_a_store_outlives_its_owner_while_a_view_is_open_on_it);
    RUN_TEST(test_a_store_is_synced_only_once_it_is_said);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    RUN_TEST(test_ten_thousand_objects_cost_little_beyond_themselves);
#endif
    RUN_TEST(test_readers_see_whole_contents_and_do_not_keep_the_writer_out);
    return UNITY_END();
}
