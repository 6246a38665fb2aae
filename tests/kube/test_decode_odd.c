/* Does one object that is larger or deeper than others hide these? */

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

#define META(name) "\"metadata\":{\"name\":\"" name "\",\"resourceVersion\":\"7\"}"

static const struct prb_kube_depth lean = { .metadata_only = false };
static const struct prb_kube_depth metadata = { .metadata_only = true };

static int decode_page(const char *text, const struct prb_kube_depth *depth, struct prb_page *ret,
        struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_PAGE, depth);
    int r = prb_kube_decoder_feed(decoder, text, strlen(text), err);

    return r < 0 ? r : prb_kube_decoder_page(decoder, ret, err);
}

static int decode_event(const char *text, const struct prb_kube_depth *depth,
        struct prb_kube_event *ret, bool *ret_known, struct prb_error *err)
{
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_EVENT, depth);
    int r = prb_kube_decoder_feed(decoder, text, strlen(text), err);

    return r < 0 ? r : prb_kube_decoder_event(decoder, ret, ret_known, err);
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

/* The API server names every level of an object there once more: nobody reads that, and it must not
 * hide the name beside it. */
static void test_managed_fields_may_be_as_deep_as_their_object(void)
{
    static const struct prb_kube_depth *const depths[] = { &lean, &metadata };
    prb_autofree char *deep = nested(9998);
    prb_autofree char *object =
            prb_asprintf("{\"metadata\":{\"managedFields\":[{\"x\":%s}],\"name\":"
                         "\"a\",\"resourceVersion\":\"7\"}}",
                    deep);
    prb_autofree char *page_text = prb_asprintf("{\"metadata\":{},\"items\":[%s]}", object);
    prb_autofree char *event_text = prb_asprintf("{\"type\":\"ADDED\",\"object\":%s}", object);

    for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
        prb_auto(prb_page_done) struct prb_page page;
        prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
        struct prb_error err = { .msg = "" };
        bool known;

        prb_page_init(&page);
        TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(page_text, depths[i], &page, &err), err.msg);
        TEST_ASSERT_EQUAL(1, page.count);
        TEST_ASSERT_EQUAL_MESSAGE(
                0, decode_event(event_text, depths[i], &event, &known, &err), err.msg);
        if (page.count != 1 || !event.object)
            return;
        TEST_ASSERT_NULL(prb_object_defect(page.objects[0]));
        TEST_ASSERT_NULL(prb_object_defect(event.object));
        TEST_ASSERT_EQUAL_STRING("a", prb_object_name(event.object));
    }
}

/* What an etcd with a higher limit takes: no other object of the list, nor the watch, is to go with
 * it. */
static void test_an_object_that_is_too_large_to_be_built_fails_alone(void)
{
    const size_t count = PRB_KUBE_BUILT_MAX / 256; /* an empty object is built in 264 bytes */
    prb_autofree char *elements = prb_malloc(3 * count + 1);
    prb_autofree char *page_text = NULL, *event_text = NULL;
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    struct prb_error err = { .msg = "" };
    bool known;

    for (size_t i = 0; i < count; i++)
        memcpy(elements + 3 * i, "{},", 3);
    elements[3 * count - 1] = '\0';
    page_text = prb_asprintf("{\"metadata\":{},\"items\":[{\"spec\":{\"x\":[%s]}," META(
                                     "a") "},{" META("b") ",\"spec\":1}]}",
            elements);
    event_text = prb_asprintf(
            "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"x\":[%s]}," META("a") "}}", elements);

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(0, decode_page(page_text, &lean, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(2, page.count);
    if (page.count != 2)
        return;
    TEST_ASSERT_EQUAL_STRING("a", prb_object_name(page.objects[0]));
    TEST_ASSERT_NOT_NULL(prb_object_defect(page.objects[0]));
    TEST_ASSERT_NULL(prb_object_defect(page.objects[1]));
    TEST_ASSERT_TRUE(prb_json_has(prb_object_tree(page.objects[1]), "spec"));

    TEST_ASSERT_EQUAL_MESSAGE(0, decode_event(event_text, &lean, &event, &known, &err), err.msg);
    TEST_ASSERT_NOT_NULL(prb_object_defect(event.object));
}

/* Of one object that is deep only what is needed is built. */
static void test_the_parts_that_are_needed_of_a_deep_object_are_read(void)
{
    static const struct prb_json_filter names[] = { { .key = "names" }, { .key = NULL } };
    static const struct prb_json_filter parts[] = { { .key = "metadata" },
        { .key = "spec", .children = names }, { .key = NULL } };
    static const struct prb_kube_depth depth = { .keep_managed_fields = true, .parts = parts };
    prb_autofree char *deep = nested(9000);
    prb_autofree char *text = prb_asprintf(
            "{" META(
                    "things.g.io") ",\"spec\":{\"names\":{\"plural\":\"things\"},\"versions\":[%s]}}",
            deep);
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_OBJECT, &depth);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    const struct json_object *spec;
    struct prb_error err = { .msg = "" };
    int r = prb_kube_decoder_feed(decoder, text, strlen(text), &err);

    if (r == 0)
        r = prb_kube_decoder_object(decoder, &object, &err);
    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
    spec = object ? prb_object_spec(object) : NULL;
    TEST_ASSERT_EQUAL_STRING("things", prb_json_str(prb_json_obj(spec, "names"), "plural"));
    TEST_ASSERT_FALSE(prb_json_has(spec, "versions"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_managed_fields_may_be_as_deep_as_their_object);
    RUN_TEST(test_an_object_that_is_too_large_to_be_built_fails_alone);
    RUN_TEST(test_the_parts_that_are_needed_of_a_deep_object_are_read);
    return UNITY_END();
}
