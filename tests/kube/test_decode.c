#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "decode.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define META(name)                   \
    "\"metadata\":{\"name\":\"" name \
    "\",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"},\"managedFields\":[{\"x\":1}]}"

static const struct prb_kube_depth lean = { .metadata_only = false };
static const struct prb_kube_depth whole = { .keep_managed_fields = true };
static const struct prb_kube_depth metadata = { .metadata_only = true };
static const struct prb_kube_depth whole_metadata = {
    .metadata_only = true,
    .keep_managed_fields = true,
};

/* A decoder that was fed with the whole text; NULL when it does not take it. */
static struct prb_kube_decoder *decoder_of(enum prb_kube_answer_kind kind, const char *text,
        const struct prb_kube_depth *depth, struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(kind, depth);

    return prb_kube_decoder_feed(decoder, text, strlen(text), err) < 0 ? NULL : prb_take(decoder);
}

static int decode_object(const char *text, const struct prb_kube_depth *depth,
        struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            decoder_of(PRB_KUBE_OBJECT, text, depth, err);

    return decoder ? prb_kube_decoder_object(decoder, ret, err) : (int)err->code;
}

static int decode_page(const char *text, const struct prb_kube_depth *depth, struct prb_page *ret,
        struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            decoder_of(PRB_KUBE_PAGE, text, depth, err);

    return decoder ? prb_kube_decoder_page(decoder, ret, err) : (int)err->code;
}

static int decode_event(const char *text, const struct prb_kube_depth *depth,
        struct prb_kube_event *ret, bool *ret_known, struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            decoder_of(PRB_KUBE_EVENT, text, depth, err);

    return decoder ? prb_kube_decoder_event(decoder, ret, ret_known, err) : (int)err->code;
}

static void test_objects_have_what_was_asked_for_and_no_more(void)
{
    static const char text[] = "{\"apiVersion\":\"v1\",\"kind\":\"X\"," META(
            "n") ",\"spec\":{\"managedFields\":1},\"status\":{}}";
    static const struct {
        const char *name;
        const struct prb_kube_depth *depth;
        const char *expected; /* canonical */
    } cases[] = {
        { "all but managedFields", &lean,
                "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"labels\":{\"a\":\"b\"},"
                "\"name\":\"n\",\"resourceVersion\":\"7\"},\"spec\":{\"managedFields\":1},"
                "\"status\":{}}" },
        { "all", &whole,
                "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"labels\":{\"a\":\"b\"},"
                "\"managedFields\":[{\"x\":1}],\"name\":\"n\",\"resourceVersion\":\"7\"},\"spec\":{"
                "\"managedFields\":1},\"status\":{}}" },
        { "metadata but managedFields", &metadata,
                "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"name\":\"n\",\"resourceVersion\":\"7\"}"
                "}" },
        { "metadata", &whole_metadata,
                "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"managedFields\":[{\"x\":1}],\"name\":"
                "\"n\",\"resourceVersion\":\"7\"}}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = NULL;
        prb_autofree char *got = NULL;
        struct prb_error err = { .msg = "" };

        TEST_ASSERT_EQUAL_MESSAGE(0, decode_object(text, cases[i].depth, &object, &err), err.msg);
        got = prb_json_text(prb_object_tree(object), true);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].expected, got, cases[i].name);
    }
}

static void test_damaged_objects_are_a_failure_of_the_transport(void)
{
    static const char *const cases[] = { "", "{", "[]", "null", "{\"metadata\":{}}",
        "{\"metadata\":{\"name\":1}}", "{'metadata':{}}", "{\"metadata\":{\"name\":\"a\"}} x" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_object *object = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_IO, decode_object(cases[i], &lean, &object, &err), cases[i]);
        TEST_ASSERT_NULL(object);
    }
}

static void test_items_get_the_kind_of_their_list(void)
{
    static const char text[] =
            "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":"
            "\"9\",\"continue\":\"tok\"},\"items\":[{" META(
                    "a") "},{\"kind\":\"Own\",\"apiVersion\""
                         ":\"g/v2\"," META("b") "}]}";
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err = { .msg = "" };

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(text, &lean, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(2, page.count);
    TEST_ASSERT_EQUAL_STRING("9", page.resource_version);
    TEST_ASSERT_EQUAL_STRING("tok", page.next);
    TEST_ASSERT_EQUAL_STRING("ConfigMap", prb_object_kind(page.objects[0]));
    TEST_ASSERT_EQUAL_STRING("v1", prb_object_api_version(page.objects[0]));
    TEST_ASSERT_EQUAL_STRING("Own", prb_object_kind(page.objects[1]));
    TEST_ASSERT_EQUAL_STRING("g/v2", prb_object_api_version(page.objects[1]));
    TEST_ASSERT_NULL(prb_json_at(prb_object_tree(page.objects[0]), "metadata", "managedFields"));
}

static void test_items_of_a_metadata_list_have_no_kind(void)
{
    static const char text[] =
            "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
            "{\"resourceVersion\":\"9\",\"continue\":\"\"},\"items\":[{\"kind\":"
            "\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"," META("a") "}]}";
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err = { .msg = "" };

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(text, &metadata, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(1, page.count);
    TEST_ASSERT_EQUAL_STRING("", prb_object_kind(page.objects[0]));
    TEST_ASSERT_NULL(page.next);
}

static void test_lists_that_are_none_are_refused_whole(void)
{
    static const char *const cases[] = { "", "{}", "{\"items\":[]}",
        "{\"metadata\":{},\"items\":[1]}", "{\"metadata\":{},\"items\":[null]}",
        "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"a\"}},{}]}",
        "{\"metadata\":{\"resourceVersion\":\"9\"}}",
        "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":{}}",
        "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":5},\"items\":[]}",
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
        "\"code\":500}" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_page page;
        struct prb_error err;

        prb_page_init(&page);
        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_IO, decode_page(cases[i], &lean, &page, &err), cases[i]);
        TEST_ASSERT_EQUAL_MESSAGE(0, page.count, cases[i]);
        TEST_ASSERT_NULL_MESSAGE(page.objects, cases[i]);
    }
}

/* The API server stores a key with U+0000 in it and names it in managedFields. */
static void test_an_object_with_an_odd_key_does_not_hide_the_others(void)
{
    static const char text[] = "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{" META(
            "a") ",\"spec\":{\"x\\u0000y\":1}},{" META("b") "}]}";
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err = { .msg = "" };

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(text, &whole, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(2, page.count);
}

/* `levels` arrays in each other. The caller frees. */
static char *nested(size_t levels)
{
    char *text = prb_malloc(2 * levels + 1);

    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    text[2 * levels] = '\0';
    return text;
}

static void test_an_object_as_deep_as_can_be_stored_is_read_without_what_is_not_asked_for(void)
{
    prb_autofree char *deep = nested(9998);
    prb_autofree char *page_text = prb_asprintf(
            "{\"metadata\":{},\"items\":[{\"spec\":{\"x\":%s}," META("a") "},{" META("b") "}]}",
            deep);
    prb_autofree char *event_text = prb_asprintf(
            "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"x\":%s}," META("a") "}}", deep);
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    struct prb_error err = { .msg = "" };
    bool known;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(page_text, &metadata, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(2, page.count);
    if (page.count != 2)
        return;
    TEST_ASSERT_NULL(prb_object_defect(page.objects[0]));
    TEST_ASSERT_EQUAL_MESSAGE(
            0, decode_event(event_text, &metadata, &event, &known, &err), err.msg);
    TEST_ASSERT_NULL(prb_object_defect(event.object));
}

static void test_an_object_that_cannot_be_built_fails_alone(void)
{
    static const char *const keeps_spec[] = { "spec.x", NULL };
    static const char *const keeps_status[] = { "status", "specifics", NULL };
    prb_autofree char *deep = nested(1000);
    prb_autofree char *page_text =
            prb_asprintf("{\"metadata\":{},\"items\":[{" META("a") "},{\"spec\":{\"x\":%s}," META(
                                 "b") ",\"status\":1},{" META("c") "}]}",
                    deep);
    prb_autofree char *event_text = prb_asprintf(
            "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"x\":%s}," META("a") "}}", deep);
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    prb_auto(prb_object_unref) struct prb_object *pruned = NULL, *other = NULL;
    struct prb_error err = { .msg = "" };
    bool known;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(page_text, &lean, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(3, page.count);
    if (page.count != 3 || !prb_object_defect(page.objects[1])) {
        TEST_FAIL();
        return;
    }
    TEST_ASSERT_NULL(prb_object_defect(page.objects[0]));
    TEST_ASSERT_NULL(prb_object_defect(page.objects[2]));
    TEST_ASSERT_EQUAL_STRING("b", prb_object_name(page.objects[1]));
    TEST_ASSERT_NOT_NULL(strstr(prb_object_defect(page.objects[1]), "spec: line 1, column"));
    TEST_ASSERT_NOT_NULL(strstr(prb_object_defect(page.objects[1]), "nested too deeply"));
    TEST_ASSERT_FALSE(prb_json_has(prb_object_tree(page.objects[1]), "spec"));
    TEST_ASSERT_TRUE(prb_json_has(prb_object_tree(page.objects[1]), "status"));

    /* Where nobody wants the member it does not matter. */
    pruned = prb_object_prune(page.objects[1], keeps_spec);
    TEST_ASSERT_NOT_NULL(prb_object_defect(pruned));
    other = prb_object_prune(page.objects[1], keeps_status);
    TEST_ASSERT_NULL(prb_object_defect(other));

    TEST_ASSERT_EQUAL_MESSAGE(0, decode_event(event_text, &lean, &event, &known, &err), err.msg);
    TEST_ASSERT_NOT_NULL(prb_object_defect(event.object));
    TEST_ASSERT_EQUAL_STRING("7", event.resource_version);
}

static void test_an_empty_list_has_no_objects(void)
{
    static const char text[] = "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":null}";
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err = { .msg = "" };

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(text, &lean, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(0, page.count);
    TEST_ASSERT_EQUAL_STRING("9", page.resource_version);
}

static void test_events_of_every_type(void)
{
    static const struct {
        const char *text;
        enum prb_watch_event_type type;
        bool has_object;
    } cases[] = {
        { "{\"type\":\"ADDED\",\"object\":{" META("a") "}}", PRB_WATCH_ADDED, true },
        { "{\"type\":\"MODIFIED\",\"object\":{" META("a") "}}", PRB_WATCH_MODIFIED, true },
        { "{\"type\":\"DELETED\",\"object\":{" META("a") "}}", PRB_WATCH_DELETED, true },
        { "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":"
          "\"7\",\"creationTimestamp\":null},\"spec\":{\"containers\":null}}}",
                PRB_WATCH_BOOKMARK, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
        struct prb_error err = { .msg = "" };
        bool known = false;

        TEST_ASSERT_EQUAL_MESSAGE(
                0, decode_event(cases[i].text, &metadata, &event, &known, &err), err.msg);
        TEST_ASSERT_TRUE(known);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].type, event.type, cases[i].text);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].has_object, event.object != NULL, cases[i].text);
        TEST_ASSERT_EQUAL_STRING("7", event.resource_version);
    }
}

static void test_an_event_of_an_unknown_type_is_skipped(void)
{
    static const char text[] = "{\"type\":\"NEWER\",\"object\":{" META("a") "}}";
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    struct prb_error err = { .msg = "" };
    bool known = true;

    TEST_ASSERT_EQUAL(0, decode_event(text, &lean, &event, &known, &err));
    TEST_ASSERT_FALSE(known);
}

static void test_events_that_end_a_watch(void)
{
    static const struct {
        const char *text;
        enum prb_errc code;
    } cases[] = {
        { "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
          "\"message\":\"too old resource version: 1 (373)\"}}",
                PRB_E_GONE },
        { "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":403}}", PRB_E_FORBIDDEN },
        { "{\"type\":\"ERROR\"}", PRB_E_UNAVAILABLE },
        { "{\"type\":\"ADDED\"}", PRB_E_IO },
        { "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}", PRB_E_IO },
        { "{\"type\":\"BOOKMARK\",\"object\":{}}", PRB_E_IO },
        { "{\"object\":{" META("a") "}}", PRB_E_IO },
        { "{\"type\":\"ADDED\",\"obj", PRB_E_IO },
        { "[]", PRB_E_IO },
    };
    const struct prb_kube_depth *depths[] = { &lean, &metadata };

    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_kube_event event;
        struct prb_error err;
        bool known;

        TEST_ASSERT_EQUAL_MESSAGE(cases[i / 2].code,
                decode_event(cases[i / 2].text, depths[i % 2], &event, &known, &err),
                cases[i / 2].text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_objects_have_what_was_asked_for_and_no_more);
    RUN_TEST(test_damaged_objects_are_a_failure_of_the_transport);
    RUN_TEST(test_items_get_the_kind_of_their_list);
    RUN_TEST(test_items_of_a_metadata_list_have_no_kind);
    RUN_TEST(test_lists_that_are_none_are_refused_whole);
    RUN_TEST(test_an_object_with_an_odd_key_does_not_hide_the_others);
    RUN_TEST(test_an_object_as_deep_as_can_be_stored_is_read_without_what_is_not_asked_for);
    RUN_TEST(test_an_object_that_cannot_be_built_fails_alone);
    RUN_TEST(test_an_empty_list_has_no_objects);
    RUN_TEST(test_events_of_every_type);
    RUN_TEST(test_an_event_of_an_unknown_type_is_skipped);
    RUN_TEST(test_events_that_end_a_watch);
    return UNITY_END();
}
