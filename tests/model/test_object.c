#include <pthread.h>
#include <string.h>
#include <unity.h>

#include "probate/model/object.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* An object from text; NULL when it was refused. */
static struct prb_object *object_of(const char *text)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("%s", text), &object, &err);
    return object;
}

static const char full[] = "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{"
                           "'name':'web','namespace':'shop','uid':'u-1','resourceVersion':'42',"
                           "'generation':7,'creationTimestamp':'2026-01-02T03:04:05Z',"
                           "'deletionTimestamp':'2026-01-02T03:05:05Z',"
                           "'labels':{'app':'web','n':5},'annotations':{'note':'x'},"
                           "'finalizers':['a/one','b/two'],"
                           "'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n1',"
                           "'uid':'o-1','controller':true,'blockOwnerDeletion':true},"
                           "{'uid':'o-2'},'nonsense']},"
                           "'spec':{'replicas':3},'status':{'ready':true}}";

static void test_every_getter_reads_its_field(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_of(full);

    TEST_ASSERT_NOT_NULL(object);
    TEST_ASSERT_EQUAL_STRING("apps/v1", prb_object_api_version(object));
    TEST_ASSERT_EQUAL_STRING("Deployment", prb_object_kind(object));
    TEST_ASSERT_EQUAL_STRING("web", prb_object_name(object));
    TEST_ASSERT_EQUAL_STRING("shop", prb_object_namespace(object));
    TEST_ASSERT_EQUAL_STRING("u-1", prb_object_uid(object));
    TEST_ASSERT_EQUAL_STRING("42", prb_object_resource_version(object));
    TEST_ASSERT_EQUAL_INT64(7, prb_object_generation(object));
    TEST_ASSERT_EQUAL_INT64(1767323045000, prb_object_created_at_ms(object));
    TEST_ASSERT_EQUAL_INT64(1767323105000, prb_object_deleted_at_ms(object));
    TEST_ASSERT_TRUE(prb_object_is_deleting(object));
    TEST_ASSERT_EQUAL_STRING("web", prb_object_label(object, "app"));
    TEST_ASSERT_EQUAL_STRING("x", prb_object_annotation(object, "note"));
    TEST_ASSERT_TRUE(prb_json_has(prb_object_spec(object), "replicas"));
    TEST_ASSERT_TRUE(prb_json_has(prb_object_status(object), "ready"));
}

static void test_what_is_absent_or_of_another_type_reads_as_absent(void)
{
    static const char *const texts[] = {
        "{'metadata':{'name':'a'}}",
        "{'apiVersion':1,'kind':[],'spec':3,'status':'x','metadata':{'name':'a','namespace':1,"
        "'uid':{},'resourceVersion':7,'generation':'7','creationTimestamp':1,"
        "'deletionTimestamp':true,'labels':[1],'annotations':'x','finalizers':{'a':1},"
        "'ownerReferences':'x'}}",
        "{'apiVersion':null,'spec':null,'metadata':{'name':'a','namespace':null,'uid':null,"
        "'deletionTimestamp':null,'labels':null,'finalizers':null,'ownerReferences':null}}",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = object_of(texts[i]);
        struct prb_owner owner;

        TEST_ASSERT_NOT_NULL_MESSAGE(object, texts[i]);
        TEST_ASSERT_EQUAL_STRING("", prb_object_api_version(object));
        TEST_ASSERT_EQUAL_STRING("", prb_object_kind(object));
        TEST_ASSERT_EQUAL_STRING("", prb_object_namespace(object));
        TEST_ASSERT_EQUAL_STRING("", prb_object_uid(object));
        TEST_ASSERT_EQUAL_STRING("", prb_object_resource_version(object));
        TEST_ASSERT_EQUAL_INT64(0, prb_object_generation(object));
        TEST_ASSERT_EQUAL_INT64(0, prb_object_created_at_ms(object));
        TEST_ASSERT_EQUAL_INT64(0, prb_object_deleted_at_ms(object));
        TEST_ASSERT_FALSE(prb_object_is_deleting(object));
        TEST_ASSERT_NULL(prb_object_label(object, "app"));
        TEST_ASSERT_NULL(prb_object_annotation(object, "note"));
        TEST_ASSERT_NULL(prb_object_spec(object));
        TEST_ASSERT_NULL(prb_object_status(object));
        TEST_ASSERT_EQUAL_size_t(0, prb_object_finalizer_count(object));
        TEST_ASSERT_FALSE(prb_object_has_finalizer(object, "a"));
        TEST_ASSERT_NULL(prb_object_finalizer_at(object, 0));
        TEST_ASSERT_EQUAL_size_t(0, prb_object_owner_count(object));
        TEST_ASSERT_FALSE(prb_object_owner_at(object, 0, &owner));
    }
}

static void test_an_object_without_a_name_is_refused(void)
{
    static const char *const texts[] = { "{}", "{'metadata':{}}", "{'metadata':{'name':''}}",
        "{'metadata':{'name':5}}", "{'metadata':{'name':null}}", "{'metadata':[]}",
        "{'metadata':{'name':'admin\\u0000x'}}", "[]", "'text'", "null" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct prb_object *object = NULL;
        struct prb_error err;
        int r = prb_object_new(prb_test_json("%s", texts[i]), &object, &err);

        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID, r, texts[i]);
        TEST_ASSERT_NULL_MESSAGE(object, texts[i]);
    }
}

static void test_a_draft_needs_neither_name_nor_metadata(void)
{
    static const char *const texts[] = { "{}", "{'metadata':5}",
        "{'metadata':{'generateName':'a-'}}" };
    struct prb_object *none = NULL;
    struct prb_error err;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *draft = NULL;

        TEST_ASSERT_EQUAL_INT(0, prb_object_draft(prb_test_json("%s", texts[i]), &draft, &err));
        TEST_ASSERT_EQUAL_STRING("", prb_object_name(draft));
        TEST_ASSERT_FALSE(prb_object_is_deleting(draft));
        TEST_ASSERT_NULL(prb_object_label(draft, "app"));
        TEST_ASSERT_EQUAL_size_t(0, prb_object_owner_count(draft));
    }
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_object_draft(prb_test_json("[]"), &none, &err));
    TEST_ASSERT_NULL(none);
}

static void test_a_deletion_time_that_is_no_time_still_means_deleting(void)
{
    prb_auto(prb_object_unref) struct prb_object *odd =
            object_of("{'metadata':{'name':'a','deletionTimestamp':'soon'}}");
    prb_auto(prb_object_unref) struct prb_object *empty =
            object_of("{'metadata':{'name':'a','deletionTimestamp':''}}");

    TEST_ASSERT_TRUE(prb_object_is_deleting(odd));
    TEST_ASSERT_EQUAL_INT64(0, prb_object_deleted_at_ms(odd));
    TEST_ASSERT_FALSE(prb_object_is_deleting(empty));
}

static void test_finalizers_are_read_in_order(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_of(full);

    TEST_ASSERT_EQUAL_size_t(2, prb_object_finalizer_count(object));
    TEST_ASSERT_EQUAL_STRING("a/one", prb_object_finalizer_at(object, 0));
    TEST_ASSERT_EQUAL_STRING("b/two", prb_object_finalizer_at(object, 1));
    TEST_ASSERT_NULL(prb_object_finalizer_at(object, 2));
    TEST_ASSERT_TRUE(prb_object_has_finalizer(object, "b/two"));
    TEST_ASSERT_FALSE(prb_object_has_finalizer(object, "b/tw"));
}

static void test_owners_are_read_and_nonsense_among_them_is_stepped_over(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_of(full);
    struct prb_owner owner;

    TEST_ASSERT_EQUAL_size_t(3, prb_object_owner_count(object));
    TEST_ASSERT_TRUE(prb_object_owner_at(object, 0, &owner));
    TEST_ASSERT_EQUAL_STRING("v1", owner.api_version);
    TEST_ASSERT_EQUAL_STRING("Node", owner.kind);
    TEST_ASSERT_EQUAL_STRING("n1", owner.name);
    TEST_ASSERT_EQUAL_STRING("o-1", owner.uid);
    TEST_ASSERT_TRUE(owner.controller && owner.block_owner_deletion);
    TEST_ASSERT_TRUE(prb_object_owner_at(object, 1, &owner));
    TEST_ASSERT_EQUAL_STRING("", owner.name);
    TEST_ASSERT_FALSE(owner.controller || owner.block_owner_deletion);
    TEST_ASSERT_FALSE(prb_object_owner_at(object, 2, &owner));
    TEST_ASSERT_TRUE(prb_object_is_owned_by(object, "o-2"));
    TEST_ASSERT_FALSE(prb_object_is_owned_by(object, "o-3"));
}

static void test_an_empty_uid_owns_nothing(void)
{
    prb_auto(prb_object_unref) struct prb_object *object =
            object_of("{'metadata':{'name':'a','ownerReferences':[{'name':'no uid'}]}}");

    TEST_ASSERT_FALSE(prb_object_is_owned_by(object, ""));
    TEST_ASSERT_FALSE(prb_object_is_owned_by(object, NULL));
}

static void test_a_copy_may_change_without_the_object(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_of(full);
    prb_auto(prb_json_free) struct json_object *copy = prb_object_copy(object);

    TEST_ASSERT_TRUE(prb_json_equal(copy, prb_object_tree(object)));
    prb_json_set_str(prb_json_obj(copy, "metadata"), "name", "other");
    TEST_ASSERT_EQUAL_STRING("web", prb_object_name(object));
    TEST_ASSERT_FALSE(prb_json_equal(copy, prb_object_tree(object)));
}

static void test_of_a_pruned_object_metadata_and_the_named_members_are_left(void)
{
    static const struct {
        const char *keeps[4];
        const char *left; /* beside apiVersion, kind and metadata */
    } cases[] = {
        { { NULL }, "{}" },
        { { "status.readyReplicas" }, "{'status':{'readyReplicas':2}}" },
        { { "status.readyReplicas", "status.nothing", "nothing.at.all" },
                "{'status':{'readyReplicas':2}}" },
        { { "spec.replicas", "spec.template.spec" },
                "{'spec':{'replicas':null,'template':{'spec':{'x':[1]}}}}" },
        { { "spec" }, "{'spec':{'replicas':null,'paused':true,'template':{'spec':{'x':[1]}}}}" },
        { { "status.list.a", "status.readyReplicas.b" }, "{}" },
        { { "metadata.name" }, "{}" },
    };
    prb_auto(prb_object_unref) struct prb_object *object =
            object_of("{'apiVersion':'apps/v1','kind':'Deployment',"
                      "'metadata':{'name':'web','labels':{'a':'b'},'resourceVersion':'5'},"
                      "'spec':{'replicas':null,'paused':true,'template':{'spec':{'x':[1]}}},"
                      "'status':{'readyReplicas':2,'list':[{'a':1}]}}");

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *pruned =
                prb_object_prune(object, cases[i].keeps);
        prb_auto(prb_json_free) struct json_object *left = prb_object_copy(pruned);
        prb_auto(prb_json_free) struct json_object *want = prb_test_json("%s", cases[i].left);
        prb_autofree char *text = NULL;

        TEST_ASSERT_EQUAL_STRING("apps/v1", prb_object_api_version(pruned));
        TEST_ASSERT_EQUAL_STRING("Deployment", prb_object_kind(pruned));
        TEST_ASSERT_TRUE(prb_json_equal(prb_object_metadata(object), prb_object_metadata(pruned)));
        prb_json_del(left, "apiVersion");
        prb_json_del(left, "kind");
        prb_json_del(left, "metadata");
        text = prb_json_text(left, true);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(want, left), text);
    }
}

static void test_the_ref_of_an_object_is_refused_where_a_url_would_be(void)
{
    prb_auto(prb_object_unref) struct prb_object *good = object_of(full);
    prb_auto(prb_object_unref) struct prb_object *bad =
            object_of("{'metadata':{'name':'../secrets','namespace':'shop'}}");
    struct prb_gvr gvr;
    struct prb_ref ref;

    TEST_ASSERT_TRUE(prb_gvr_init(&gvr, "apps", "v1", "deployments"));
    TEST_ASSERT_TRUE(prb_object_ref_in(good, &gvr, &ref));
    TEST_ASSERT_EQUAL_STRING("shop", ref.namespace);
    TEST_ASSERT_EQUAL_STRING("web", ref.name);
    TEST_ASSERT_FALSE(prb_object_ref_in(bad, &gvr, &ref));
}

/* Takes and gives back references, and reads in between. */
static void *hold_and_let_go(void *arg)
{
    const struct prb_object *object = arg;
    size_t wrong = 0;

    for (int i = 0; i < 2000; i++) {
        prb_auto(prb_object_unref) struct prb_object *held = prb_object_ref(object);

        wrong += strcmp(prb_object_label(held, "app"), "web") != 0;
        wrong += !prb_object_has_finalizer(held, "b/two");
    }
    prb_object_unref(object);
    return wrong ? arg : NULL;
}

static void test_many_threads_may_hold_one_object_and_the_last_frees_it(void)
{
    enum { THREADS = 4 };
    struct prb_object *object = object_of(full);
    pthread_t threads[THREADS];
    void *wrong = NULL;

    for (int i = 0; i < THREADS; i++)
        TEST_ASSERT_EQUAL_INT(
                0, pthread_create(&threads[i], NULL, hold_and_let_go, prb_object_ref(object)));
    prb_object_unref(object);
    for (int i = 0; i < THREADS; i++) {
        TEST_ASSERT_EQUAL_INT(0, pthread_join(threads[i], &wrong));
        TEST_ASSERT_NULL(wrong);
    }
}

static void test_of_the_annotations_only_those_that_are_asked_for_are_left(void)
{
    static const char *const keys[] = { "a", "b", NULL };
    static const char *const no_keys[] = { NULL };
    prb_auto(prb_object_unref) struct prb_object *object = NULL, *lean = NULL, *bare = NULL;
    prb_autofree char *text = NULL, *rest = NULL;
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','data':{'x':'y'},'metadata':{"
                          "'name':'n','namespace':'ns','uid':'u','resourceVersion':'7',"
                          "'deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':['f'],"
                          "'labels':{'l':'1'},'managedFields':[{}],'ownerReferences':[{'uid':'o'}],"
                          "'annotations':{'a':'1','c':'2'}}}"),
            &object, &err);
    lean = prb_object_keep_annotations(object, keys);
    text = prb_json_text(prb_object_tree(lean), true);
    TEST_ASSERT_EQUAL_STRING(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"annotations\":{\"a\":"
            "\"1\"},\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"finalizers\":[\"f\"],"
            "\"labels\":{\"l\":\"1\"},\"name\":\"n\",\"namespace\":\"ns\",\"ownerReferences\":"
            "[{\"uid\":\"o\"}],\"resourceVersion\":\"7\",\"uid\":\"u\"}}",
            text);
    bare = prb_object_keep_annotations(object, no_keys);
    TEST_ASSERT_NULL(prb_object_annotation(bare, "a"));
    TEST_ASSERT_NULL(prb_object_annotation(bare, "c"));
    TEST_ASSERT_EQUAL_STRING("n", prb_object_name(bare));
    rest = prb_json_text(prb_json_obj(prb_object_tree(bare), "metadata"), true);
    TEST_ASSERT_NULL(strstr(rest, "\"c\""));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_getter_reads_its_field);
    RUN_TEST(test_what_is_absent_or_of_another_type_reads_as_absent);
    RUN_TEST(test_an_object_without_a_name_is_refused);
    RUN_TEST(test_a_draft_needs_neither_name_nor_metadata);
    RUN_TEST(test_a_deletion_time_that_is_no_time_still_means_deleting);
    RUN_TEST(test_finalizers_are_read_in_order);
    RUN_TEST(test_owners_are_read_and_nonsense_among_them_is_stepped_over);
    RUN_TEST(test_an_empty_uid_owns_nothing);
    RUN_TEST(test_a_copy_may_change_without_the_object);
    RUN_TEST(test_of_a_pruned_object_metadata_and_the_named_members_are_left);
    RUN_TEST(test_of_the_annotations_only_those_that_are_asked_for_are_left);
    RUN_TEST(test_the_ref_of_an_object_is_refused_where_a_url_would_be);
    RUN_TEST(test_many_threads_may_hold_one_object_and_the_last_frees_it);
    return UNITY_END();
}
