/* Is what admission refused to a controller tried again, by nobody but the hub itself? */

#include <pthread.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "support/wait.h"
#include "world.h"

#define MAPS "configmaps"

/* Soon enough that a test sees many tries. */
#define RETRY_MAX_MS 5

/* So many tries are no accident. */
#define TRIES 5

/* What the callback is to do, and what it saw; under the lock. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    const char *operation; /* NULL: nothing is refused */
    const char *name;
    int code;       /* of the refusal */
    int refusals;   /* of it, so far */
    pthread_t test; /* the thread of the test */
    int by_test;    /* refusals on that thread */
    bool hold;      /* keep those who are not the test in the callback */
    int held;       /* that many are */
} judge = { .lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER };

static bool is_meant(const struct prb_hub_write *write)
{
    return judge.operation && strcmp(judge.operation, write->operation) == 0 &&
           strcmp(judge.name, write->name) == 0;
}

static void stay(void)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the callback may end");

    judge.held++;
    (void)pthread_cond_broadcast(&judge.moved);
    while (judge.hold && prb_test_wait_cond(&wait, &judge.moved, &judge.lock))
        continue;
    judge.held--;
}

/* No two refusals are the same text: they differ in a number. */
static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    int r = 0;

    (void)ctx;
    (void)pthread_mutex_lock(&judge.lock);
    if (is_meant(write)) {
        judge.refusals++;
        judge.by_test += pthread_equal(judge.test, pthread_self()) ? 1 : 0;
        r = prb_fail(err, judge.code, "%s is protected, now %d", write->name, judge.refusals);
        if (judge.hold && !pthread_equal(judge.test, pthread_self()))
            stay();
        (void)pthread_cond_broadcast(&judge.moved);
    }
    (void)pthread_mutex_unlock(&judge.lock);
    return r;
}

static void refuse(const char *operation, const char *name)
{
    (void)pthread_mutex_lock(&judge.lock);
    judge.operation = operation;
    judge.name = name;
    (void)pthread_mutex_unlock(&judge.lock);
}

static void hold(bool whether)
{
    (void)pthread_mutex_lock(&judge.lock);
    judge.hold = whether;
    (void)pthread_cond_broadcast(&judge.moved);
    (void)pthread_mutex_unlock(&judge.lock);
}

void setUp(void)
{
    world_init(&(struct prb_hub_options){ .retry_max_ms = RETRY_MAX_MS });
    judge.operation = NULL;
    judge.code = PRB_E_FORBIDDEN;
    judge.refusals = judge.by_test = judge.held = 0;
    judge.hold = false;
    judge.test = pthread_self();
    prb_hub_set_admission(w.hub, admit, NULL);
}

void tearDown(void)
{
    hold(false);
    world_done();
}

static int look_at(const int *number)
{
    int copy;

    (void)pthread_mutex_lock(&judge.lock);
    copy = *number;
    (void)pthread_mutex_unlock(&judge.lock);
    return copy;
}

/* Wait until `count` more were refused. */
static bool await_refusals(int count)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%d refusals", count);
    bool came = true;

    (void)pthread_mutex_lock(&judge.lock);
    count += judge.refusals;
    while (came && judge.refusals < count)
        came = prb_test_wait_cond(&wait, &judge.moved, &judge.lock);
    (void)pthread_mutex_unlock(&judge.lock);
    return came;
}

static bool await_held(void)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "somebody is held");
    bool came = true;

    (void)pthread_mutex_lock(&judge.lock);
    while (came && judge.held == 0)
        came = prb_test_wait_cond(&wait, &judge.moved, &judge.lock);
    (void)pthread_mutex_unlock(&judge.lock);
    return came;
}

static bool is_gone(void *ctx)
{
    const char *const *what = ctx;

    return !has(what[0], what[1]) || prb_test_saw("%s %s is there", what[0], what[1]);
}

#define ASSERT_GOES(resource, key) \
    TEST_ASSERT_AWAIT(key " goes", is_gone, ((const char *[]){ resource, key }))

static int map(const char *name)
{
    return create(MAPS, "{'metadata':{'namespace':'ns','name':'%s'}}", name);
}

/* "d", which is owned by "o". */
static void make_pair(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o"));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'d','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/o", true)));
}

static void test_the_collector_tries_again_and_nobody_elses_write_does(void)
{
    make_pair();
    refuse("DELETE", "d");
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/o"));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.by_test));
    for (int i = 0; i < TRIES; i++) {
        TEST_ASSERT_CAME(await_refusals(1));
        TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/d", "", "{'data':{'k':'%d'}}", i));
        TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/d", "", "{'metadata':{'labels':{'k':'%d'}}}", i));
    }
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.by_test));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    refuse(NULL, NULL);
    ASSERT_GOES(MAPS, "ns/d");
}

static void test_a_protected_object_wedges_its_namespace_and_the_condition_says_so(void)
{
    static const char said[] = "\"Failed to delete all resource types, 1 remaining: a is "
                               "protected, now ";
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;
    const char *message;

    TEST_ASSERT_EQUAL_INT(0, map("a"));
    TEST_ASSERT_EQUAL_INT(0, map("b"));
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.by_test));
    TEST_ASSERT_TRUE(has(MAPS, "ns/a"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/b"));
    namespace = get("namespaces", "ns");
    message = at(namespace, "/status/conditions/2/message");

    /* The thread that tries again may have been the first to write it: then the number is 2. */
    TEST_ASSERT_EQUAL_STRING_LEN(said, message, strlen(said));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.by_test));
    refuse(NULL, NULL);
    ASSERT_GOES("namespaces", "ns");
}

static void test_an_orphaning_that_is_refused_ends_nothing(void)
{
    make_pair();
    refuse("UPDATE", "d");
    w.cascade = PRB_PROPAGATE_ORPHAN;
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/o"));
    TEST_ASSERT_CAME(await_refusals(1));
    TEST_ASSERT_TRUE(has(MAPS, "ns/o"));
    refuse(NULL, NULL);
    ASSERT_GOES(MAPS, "ns/o");
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
}

static void test_a_server_that_was_away_does_not_end_a_deletion(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a"));
    judge.code = PRB_E_UNAVAILABLE;
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_refusals(TRIES));
    TEST_ASSERT_TRUE(has("namespaces", "ns"));
    refuse(NULL, NULL);
    ASSERT_GOES("namespaces", "ns");
}

/* Of the Namespace itself, when it is empty: what remains, and that nobody holds it any more. */
static void test_a_server_that_was_away_does_not_keep_an_empty_namespace(void)
{
    judge.code = PRB_E_UNAVAILABLE;
    refuse("UPDATE", "ns");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_refusals(TRIES));
    TEST_ASSERT_TRUE(has("namespaces", "ns"));
    refuse(NULL, NULL);
    ASSERT_GOES("namespaces", "ns");
}

static void test_a_server_that_was_away_does_not_end_a_collection(void)
{
    make_pair();
    judge.code = PRB_E_UNAVAILABLE;
    refuse("DELETE", "d");
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/o"));
    TEST_ASSERT_CAME(await_refusals(TRIES));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    refuse(NULL, NULL);
    ASSERT_GOES(MAPS, "ns/d");
}

/* The resourceVersion of the whole hub. */
static char *version(void)
{
    struct prb_gvr gvr = gvr_of(MAPS);
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(w.api, &gvr, NULL, &page, &w.err));
    return prb_strdup(page.resource_version);
}

static void test_while_nobody_acts_nothing_is_written(void)
{
    prb_autofree char *before = NULL, *after = NULL;

    TEST_ASSERT_EQUAL_INT(0, map("a"));
    make_pair();
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_refusals(1));
    before = version();
    TEST_ASSERT_CAME(await_refusals(TRIES));
    after = version();
    TEST_ASSERT_EQUAL_STRING(before, after);
}

static void test_no_write_waits_for_what_is_tried_again(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a"));
    hold(true);
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_held());
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'other'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "other"));
    TEST_ASSERT_FALSE(has("namespaces", "other"));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.held));
    refuse(NULL, NULL);
    hold(false);
    ASSERT_GOES("namespaces", "ns");
}

/* When "o" may go at last, the collector deletes "d": on the thread that tries again. */
static void test_no_write_waits_for_what_follows_from_a_second_try(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("p"));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'o','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/p", true)));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'d','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/o", true)));
    refuse("DELETE", "o");
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/p"));
    TEST_ASSERT_CAME(await_refusals(1));
    hold(true);
    refuse("DELETE", "d");
    TEST_ASSERT_CAME(await_held());
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'other'}}"));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.held));
    refuse(NULL, NULL);
    hold(false);
    ASSERT_GOES(MAPS, "ns/d");
}

/* A client beside the test, and what it deletes. */
struct other {
    struct prb_ref ref;
    char uid[PRB_UUID_SIZE];
    int r;
};

static void *erase_other(void *ctx)
{
    struct other *other = ctx;
    struct prb_error err;

    other->r = prb_api_delete(
            w.api, &other->ref, &(struct prb_delete_options){ .uid = other->uid }, &err);
    return NULL;
}

/* Not even when it causes the same: then the other one looks again, and nobody asks twice. */
static void test_no_write_waits_for_what_follows_from_that_of_another(void)
{
    struct other other = { .ref = ref_of(MAPS, "ns/o"), .r = -1 };
    pthread_t thread;

    make_pair();
    TEST_ASSERT_TRUE(prb_copy(other.uid, sizeof(other.uid), uid_of(MAPS, "ns/o")));
    TEST_ASSERT_EQUAL_INT(0, map("p"));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'e','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/p", true)));
    refuse("DELETE", "d");
    hold(true);
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, erase_other, &other));
    TEST_ASSERT_CAME(await_held());
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/d", "", "{'metadata':{'ownerReferences':[%s,%s]}}",
                                     owned_by(MAPS, "ConfigMap", "ns/p", true),
                                     "{'apiVersion':'v1','kind':"
                                     "'ConfigMap','name':'gone','uid':'none'}"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/p"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/e"));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, look_at(&judge.by_test));
    TEST_ASSERT_EQUAL_INT(1, look_at(&judge.held));
    refuse(NULL, NULL);
    hold(false);
    TEST_ASSERT_CAME(prb_test_join("the other write ends", thread, NULL, PRB_TEST_SOON_MS));
    TEST_ASSERT_EQUAL_INT(0, other.r);
    ASSERT_GOES(MAPS, "ns/d");
}

/* A thread that takes admission away, and says when it has. */
static void *take_away(void *ctx)
{
    bool *gone = ctx;

    prb_hub_set_admission(w.hub, NULL, NULL);
    (void)pthread_mutex_lock(&judge.lock);
    *gone = judge.held == 0;
    (void)pthread_mutex_unlock(&judge.lock);
    return NULL;
}

static void test_admission_is_not_asked_any_more_when_it_was_taken_away(void)
{
    bool nobody_was_held = false;
    pthread_t thread;

    TEST_ASSERT_EQUAL_INT(0, map("a"));
    hold(true);
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_held());
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, take_away, &nobody_was_held));
    prb_test_pause(); /* time to go wrong */
    hold(false);
    TEST_ASSERT_CAME(prb_test_join("admission is taken away", thread, NULL, PRB_TEST_SOON_MS));
    TEST_ASSERT_TRUE(nobody_was_held);
    ASSERT_GOES("namespaces", "ns");
}

static void test_an_interrupted_hub_tries_nothing(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a"));
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_CAME(await_refusals(1));
    prb_api_interrupt(w.api);
    prb_hub_set_admission(w.hub, NULL, NULL);
    prb_test_pause();
    TEST_ASSERT_EQUAL_size_t(2, prb_hub_count(w.hub)); /* the Namespace, and what is in it */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_collector_tries_again_and_nobody_elses_write_does);
    RUN_TEST(test_a_protected_object_wedges_its_namespace_and_the_condition_says_so);
    RUN_TEST(test_an_orphaning_that_is_refused_ends_nothing);
    RUN_TEST(test_a_server_that_was_away_does_not_end_a_deletion);
    RUN_TEST(test_a_server_that_was_away_does_not_keep_an_empty_namespace);
    RUN_TEST(test_a_server_that_was_away_does_not_end_a_collection);
    RUN_TEST(test_while_nobody_acts_nothing_is_written);
    RUN_TEST(test_no_write_waits_for_what_is_tried_again);
    RUN_TEST(test_no_write_waits_for_what_follows_from_a_second_try);
    RUN_TEST(test_no_write_waits_for_what_follows_from_that_of_another);
    RUN_TEST(test_admission_is_not_asked_any_more_when_it_was_taken_away);
    RUN_TEST(test_an_interrupted_hub_tries_nothing);
    return UNITY_END();
}
