/*
 * A collection that is read by namespace, on a hub, with threads and real time: are exactly the
 * named namespaces known, however many there are, and is little asked for it?
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/view.h"

#include "hub_world.h"
#include "namespaced.h"
#include "support/dice.h"
#include "support/wait.h"

/* Above the number of watches, twice. */
enum { NAMESPACES = 230 };

/* Bytes that are noted of what the reader hears. */
#define TOLD_MAX ((size_t)1 << 20)

static const char *const kept[] = { "keep.example.com/this", NULL };
static const struct prb_watch_spec spec = { .group = "",
    .version = "v1",
    .resource = "configmaps",
    .annotations = kept,
    .by_namespace = true };
static struct prb_gvr gvr;
static struct prb_informers *set;
static struct prb_namespaced *maps;

static int reader; /* what the reader is known by */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct prb_map *named; /* under lock, as the next */
static struct prb_str told;   /* "n1/map " or, where nothing but the namespace is told, "n1 " */

static void collect(void *ctx, void (*name)(void *ctx, const char *namespace), void *name_ctx)
{
    const char *key;
    void *value;

    (void)ctx;
    (void)pthread_mutex_lock(&lock);
    for (size_t at = 0; prb_map_next(named, &at, &key, &value);)
        name(name_ctx, key);
    (void)pthread_mutex_unlock(&lock);
}

static void changed(void *ctx, const char *namespace, const struct prb_object *object)
{
    (void)ctx;
    (void)pthread_mutex_lock(&lock);
    prb_str_addf(
            &told, "%s%s%s ", namespace, object ? "/" : "", object ? prb_object_name(object) : "");
    (void)pthread_mutex_unlock(&lock);
}

static bool was_told(void *ctx)
{
    prb_autofree char *wanted = prb_asprintf("%s ", (const char *)ctx);
    bool there;

    (void)pthread_mutex_lock(&lock);
    there = strstr(prb_str_get(&told), wanted) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return there || prb_test_saw("not told of %s", (const char *)ctx);
}

static void forget_told(void)
{
    (void)pthread_mutex_lock(&lock);
    prb_str_done(&told);
    prb_str_init(&told, TOLD_MAX);
    (void)pthread_mutex_unlock(&lock);
}

/* Name the namespaces n<first> to n<last>, or do not any more. */
static void name_those(int first, int last, bool on)
{
    (void)pthread_mutex_lock(&lock);
    for (int i = first; i <= last; i++) {
        char namespace[16];

        (void)snprintf(namespace, sizeof(namespace), "n%d", i);
        if (on)
            prb_map_set(named, namespace, named);
        else
            (void)prb_map_remove(named, namespace);
    }
    (void)pthread_mutex_unlock(&lock);
    prb_namespaced_look(maps);
}

static void put_map(int namespace, const char *name)
{
    prb_autofree char *yaml =
            prb_asprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: n%d, "
                         "annotations: {keep.example.com/this: 'yes', other: 'a lot'}}}",
                    name, namespace);

    prb_object_unref(put("configmaps", yaml));
}

void setUp(void)
{
    struct prb_error err;

    world_init();
    prb_str_init(&told, TOLD_MAX);
    named = prb_map_new(NULL);
    (void)prb_gvr_init(&gvr, "", "v1", "configmaps");
    for (int i = 0; i < NAMESPACES; i++) {
        prb_autofree char *yaml =
                prb_asprintf("{apiVersion: v1, kind: Namespace, metadata: {name: n%d}}", i);

        prb_object_unref(put("namespaces", yaml));
        put_map(i, "map");
    }
    set = prb_informers_new(&world.port.api, NULL);
    maps = prb_informers_add_namespaced(set, &spec);
    TEST_ASSERT_EQUAL_PTR(maps, prb_informers_add_namespaced(set, &spec));
    prb_namespaced_join(maps, &(struct prb_namespaced_reader){
                                      .collect = collect, .changed = changed, .ctx = &reader });
    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_namespaced_switch(maps, &reader, true, &err));
}

void tearDown(void)
{
    fault_port_clear(&world.port);
    prb_informers_free(set);
    prb_map_free(named);
    prb_str_done(&told);
    world_done();
}

/* For conditions, which take no const. */
#define TEXT(text) ((char[]){ text })

/* A view on what is read now. */
struct look {
    struct prb_namespaced_sight *sight;
    struct prb_view *view;
};

static struct look look(void)
{
    struct look it = { .sight = prb_namespaced_sight(maps) };

    it.view = prb_view_open(
            it.sight ? it.sight->stores : NULL, it.sight ? it.sight->store_count : 0, 0);
    return it;
}

static void look_donep(struct look *it)
{
    prb_view_close(it->view);
    prb_namespaced_sight_unref(it->sight);
}
#define LOOK __attribute__((cleanup(look_donep))) struct look it = look()

static bool count_one(void *ctx, const struct prb_object *object)
{
    (void)object;
    (*(size_t *)ctx)++;
    return true;
}

/* How many of the namespaces first to last are known, each with its objects. */
struct range {
    int first, last;
    size_t objects; /* in each */
};

static bool are_known(void *ctx)
{
    const struct range *range = ctx;
    LOOK;

    for (int i = range->first; i <= range->last; i++) {
        char namespace[16];
        size_t seen = 0;

        (void)snprintf(namespace, sizeof(namespace), "n%d", i);
        if (!prb_view_knows_in(it.view, &gvr, namespace))
            return prb_test_saw("%s is not known", namespace);
        prb_view_each(it.view, &gvr, namespace, count_one, &seen);
        if (seen != range->objects)
            return prb_test_saw("%zu objects in %s", seen, namespace);
    }
    return true;
}

static bool is_unknown(void *ctx)
{
    LOOK;

    return !prb_view_knows_in(it.view, &gvr, ctx) || prb_test_saw("%s is known", (char *)ctx);
}

#define AWAIT_KNOWN(first, last, objects)                                              \
    TEST_ASSERT_AWAIT("the namespaces n" #first " to n" #last " are known", are_known, \
            (&(struct range){ (first), (last), (objects) }))

static size_t watches(void)
{
    return (size_t)fault_port_watches(&world.port, "configmaps");
}

static bool has_watches(void *ctx)
{
    return watches() == *(size_t *)ctx || prb_test_saw("%zu watches", watches());
}

#define AWAIT_WATCHES(count) \
    TEST_ASSERT_AWAIT("so many watches are open: " #count, has_watches, (&(size_t){ (count) }))

static void test_only_what_is_named_is_read(void)
{
    AWAIT_WATCHES(0);
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "list configmaps"));
    name_those(3, 4, true);
    AWAIT_KNOWN(3, 4, 1);
    AWAIT_WATCHES(2);
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, "list configmaps"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list configmaps n3/"));
    TEST_ASSERT_TRUE(is_unknown(TEXT("n5")));
    TEST_ASSERT_AWAIT("the reader hears that n4 was read", was_told, TEXT("n4"));
    put_map(3, "new");
    AWAIT_KNOWN(3, 3, 2);
    TEST_ASSERT_AWAIT("the reader hears of the new object", was_told, TEXT("n3/new"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            2, fault_port_count(&world.port, "list configmaps"), "it came by the watch");
    {
        LOOK;
        TEST_ASSERT_FALSE_MESSAGE(prb_view_knows(it.view, &gvr), "of the whole nothing is known");
    }
}

static void test_what_is_named_no_more_is_told_and_forgotten(void)
{
    name_those(1, 2, true);
    AWAIT_KNOWN(1, 2, 1);
    forget_told();
    name_those(1, 1, false);
    TEST_ASSERT_AWAIT("n1 is forgotten", is_unknown, TEXT("n1"));
    TEST_ASSERT_AWAIT("the reader looks at its object again", was_told, TEXT("n1/map"));
    AWAIT_WATCHES(1);
    AWAIT_KNOWN(2, 2, 1);
    TEST_ASSERT_FALSE(was_told(TEXT("n2/map")));
    name_those(1, 1, true);
    AWAIT_KNOWN(1, 2, 1);
}

static void test_only_the_named_annotations_are_kept(void)
{
    struct prb_ref ref = ref_of("configmaps", "n1", "map");

    name_those(1, 1, true);
    AWAIT_KNOWN(1, 1, 1);
    {
        LOOK;
        const struct prb_object *object = prb_view_find(it.view, &ref);

        TEST_ASSERT_NOT_NULL(object);
        TEST_ASSERT_EQUAL_STRING(
                "{\"keep.example.com/this\":\"yes\"}", value_at(object, "/metadata/annotations"));
        TEST_ASSERT_NOT_EQUAL(0, strlen(prb_object_uid(object)));
        TEST_ASSERT_NOT_EQUAL(0, strlen(prb_object_resource_version(object)));
    }
}

static void test_many_namespaces_share_one_watch(void)
{
    struct prb_namespaced_state state;

    name_those(0, 149, true);
    AWAIT_KNOWN(0, 149, 1);
    AWAIT_WATCHES(1);
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list configmaps /"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list configmaps"));
    TEST_ASSERT_TRUE(is_unknown(TEXT("n150")));
    put_map(150, "new");
    put_map(7, "new");
    AWAIT_KNOWN(7, 7, 2); /* and the other came before it */
    prb_namespaced_state(maps, &state);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(151, state.objects, "nothing of the other namespaces is kept");
    TEST_ASSERT_EQUAL_size_t(1, state.watches);

    name_those(150, 160, true);
    AWAIT_KNOWN(151, 160, 1);
    AWAIT_KNOWN(150, 150, 2);
    AWAIT_WATCHES(12);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            12, fault_port_count(&world.port, "list configmaps"), "the whole is not read again");
}

static void test_the_shared_watch_is_replaced_when_many_more_come(void)
{
    /* The last of so many does not fit beside the others. */
    enum { GENERATION = PRB_NAMESPACED_WATCHES_MAX + 1, MORE = NAMESPACES - 110 };

    name_those(0, 109, true);
    AWAIT_KNOWN(0, 109, 1);
    for (int i = 110; i < NAMESPACES; i++) {
        name_those(i, i, true);
        AWAIT_KNOWN(i, i, 1);
        TEST_ASSERT_TRUE_MESSAGE(are_known(&(struct range){ 0, 109, 1 }), "they are never unknown");
    }
    AWAIT_WATCHES(1 + MORE % GENERATION);
    TEST_ASSERT_EQUAL_INT_MESSAGE(1 + MORE / GENERATION,
            fault_port_count(&world.port, "list configmaps /"), "once for each generation");
}

static void test_few_have_a_watch_each_again(void)
{
    name_those(0, 149, true);
    AWAIT_KNOWN(0, 149, 1);
    AWAIT_WATCHES(1);
    name_those(20, 149, false);
    AWAIT_WATCHES(20);
    TEST_ASSERT_TRUE(are_known(&(struct range){ 0, 19, 1 }));
    TEST_ASSERT_AWAIT("n20 is forgotten", is_unknown, TEXT("n20"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list configmaps /"));
}

static bool has_trouble(void *ctx)
{
    prb_auto(prb_namespaced_sight_unref) struct prb_namespaced_sight *sight =
            prb_namespaced_sight(maps);
    const char *text = sight ? sight->trouble : "";

    if (ctx ? strstr(text, ctx) != NULL : text[0] == '\0')
        return true;
    return prb_test_saw("trouble \"%s\"", text);
}

static void test_what_cannot_be_read_is_unknown_and_says_why(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "list",
                                          .resource = "configmaps",
                                          .code = PRB_E_FORBIDDEN,
                                          .times = -1,
                                          .message = "configmaps is forbidden" });
    name_those(1, 1, true);
    TEST_ASSERT_AWAIT("it says why", has_trouble, TEXT("configmaps is forbidden"));
    TEST_ASSERT_TRUE(is_unknown(TEXT("n1")));
    TEST_ASSERT_AWAIT("the reader hears of it", was_told, TEXT("n1"));
    forget_told();
    fault_port_clear(&world.port);
    AWAIT_KNOWN(1, 1, 1);
    TEST_ASSERT_AWAIT("nothing is wrong any more", has_trouble, NULL);
    TEST_ASSERT_AWAIT("the reader hears of that, too", was_told, TEXT("n1"));
}

static void test_nothing_is_read_for_who_is_switched_off(void)
{
    struct prb_error err;

    name_those(1, 1, true);
    AWAIT_KNOWN(1, 1, 1);
    TEST_ASSERT_EQUAL_INT(0, prb_namespaced_switch(maps, &reader, false, &err));
    TEST_ASSERT_AWAIT("n1 is forgotten", is_unknown, TEXT("n1"));
    AWAIT_WATCHES(0);
    TEST_ASSERT_EQUAL_INT(0, prb_namespaced_switch(maps, &reader, true, &err));
    AWAIT_KNOWN(1, 1, 1);
}

/* Namespaces and objects come and go at random: in the end exactly the named are known, with
 * exactly what the hub has. */
static void test_random_changes_end_in_what_is_there(void)
{
    uint64_t seed = (uint64_t)prb_test_now_ms() | 1, dice = seed;
    static int objects[NAMESPACES];
    char text[64];

    (void)snprintf(text, sizeof(text), "seed %llu", (unsigned long long)seed);
    for (int i = 0; i < NAMESPACES; i++)
        objects[i] = 1;
    for (int step = 0; step < 120; step++) {
        int first = (int)prb_test_roll(&dice, NAMESPACES);
        int last = first + (int)prb_test_roll(&dice, 90);
        int at = (int)prb_test_roll(&dice, NAMESPACES);
        char name[24];

        name_those(first, last < NAMESPACES ? last : NAMESPACES - 1, prb_test_roll(&dice, 3) > 0);
        (void)snprintf(name, sizeof(name), "map-%d", step);
        put_map(at, name);
        objects[at]++;
        if (prb_test_roll(&dice, 4) == 0)
            prb_test_pause();
    }
    for (int i = 0; i < NAMESPACES; i++) {
        struct range one = { i, i, (size_t)objects[i] };
        char namespace[16];

        (void)snprintf(namespace, sizeof(namespace), "n%d", i);
        if (prb_map_find(named, namespace))
            TEST_ASSERT_TRUE_MESSAGE(
                    prb_test_await("a named namespace is known", are_known, &one, PRB_TEST_SOON_MS),
                    text);
    }
    TEST_ASSERT_LESS_OR_EQUAL_size_t_MESSAGE(PRB_NAMESPACED_WATCHES_MAX + 2, watches(), text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_only_what_is_named_is_read);
    RUN_TEST(test_what_is_named_no_more_is_told_and_forgotten);
    RUN_TEST(test_only_the_named_annotations_are_kept);
    RUN_TEST(test_many_namespaces_share_one_watch);
    RUN_TEST(test_the_shared_watch_is_replaced_when_many_more_come);
    RUN_TEST(test_few_have_a_watch_each_again);
    RUN_TEST(test_what_cannot_be_read_is_unknown_and_says_why);
    RUN_TEST(test_nothing_is_read_for_who_is_switched_off);
    RUN_TEST(test_random_changes_end_in_what_is_there);
    return UNITY_END();
}
