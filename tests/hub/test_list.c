/* What does a list hold, and do its pages belong together? */

#include "probate/base/mem.h"

#include "pages.h"
#include "world.h"

#define MAPS "configmaps"

static struct prb_page page;

void setUp(void)
{
    world_init(NULL);
    prb_page_init(&page);
}

void tearDown(void)
{
    prb_page_done(&page);
    world_done();
}

static int list(const char *resource, const struct prb_list_options *options)
{
    struct prb_gvr gvr = gvr_of(resource);
    prb_autofree char *next = NULL;
    struct prb_list_options filled = *options;

    /* The token may be that of the page that is given up here. */
    if (options->next) {
        next = prb_strdup(options->next);
        filled.next = next;
    }
    prb_page_done(&page);
    return prb_api_list(w.api, &gvr, &filled, &page, &w.err);
}

/* "ns/a,ns/b" */
static const char *names(void)
{
    static char text[1024];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < page.count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s/%s", i ? "," : "",
                prb_object_namespace(page.objects[i]), prb_object_name(page.objects[i]));
    return text;
}

static int maps(const char *namespace, int from, int to)
{
    int r = 0;

    for (int i = from; i < to && r == 0; i++)
        r = create(MAPS,
                "{'metadata':{'namespace':'%s','name':'m%d','labels':{"
                "'odd':'%d'}},'data':{'k':'v'}}",
                namespace, i, i % 2);
    return r;
}

static void test_a_list_is_sorted_by_namespace_and_name(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'an'}}"));
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'ns-b'}}"));
    TEST_ASSERT_EQUAL_INT(0, maps("ns", 1, 3));
    TEST_ASSERT_EQUAL_INT(0, maps("ns-b", 0, 1));
    TEST_ASSERT_EQUAL_INT(0, maps("an", 5, 6));
    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 1));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 0 }));
    TEST_ASSERT_EQUAL_STRING("an/m5,ns-b/m0,ns/m0,ns/m1,ns/m2", names());
    TEST_ASSERT_NULL(page.next);
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .namespace = "ns" }));
    TEST_ASSERT_EQUAL_STRING("ns/m0,ns/m1,ns/m2", names());
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .namespace = "none" }));
    TEST_ASSERT_EQUAL_STRING("", names());
}

static void test_selectors_choose(void)
{
    static const struct {
        const char *labels, *fields, *names;
    } cases[] = {
        { "odd=1", NULL, "ns/m1,ns/m3" },
        { "odd!=1", NULL, "ns/m0,ns/m2" },
        { "odd in (0,1),!none", NULL, "ns/m0,ns/m1,ns/m2,ns/m3" },
        { NULL, "metadata.name=m2", "ns/m2" },
        { "odd=1", "metadata.name!=m1,metadata.namespace=ns", "ns/m3" },
    };

    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 4));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT(
                0, list(MAPS, &(struct prb_list_options){ .label_selector = cases[i].labels,
                                      .field_selector = cases[i].fields }));
        TEST_ASSERT_EQUAL_STRING(cases[i].names, names());
    }
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, list(MAPS, &(struct prb_list_options){ .label_selector = "a b" }));
    TEST_ASSERT_EQUAL_INT(400, w.err.status);
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, list(MAPS, &(struct prb_list_options){ .field_selector = "data.k=v" }));
}

static void test_all_pages_show_the_state_of_the_first(void)
{
    prb_autofree char *version = NULL;

    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 5));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 2 }));
    TEST_ASSERT_EQUAL_STRING("ns/m0,ns/m1", names());
    version = prb_strdup(page.resource_version);
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/m3"));
    TEST_ASSERT_EQUAL_INT(0, maps("ns", 7, 8));
    TEST_ASSERT_EQUAL_INT(
            0, list(MAPS, &(struct prb_list_options){ .limit = 2, .next = page.next }));
    TEST_ASSERT_EQUAL_STRING("ns/m2,ns/m3", names());
    TEST_ASSERT_EQUAL_STRING(version, page.resource_version);
    TEST_ASSERT_EQUAL_INT(
            0, list(MAPS, &(struct prb_list_options){ .limit = 2, .next = page.next }));
    TEST_ASSERT_EQUAL_STRING("ns/m4", names());
    TEST_ASSERT_NULL(page.next);
}

static void test_a_page_can_be_read_again(void)
{
    prb_autofree char *next = NULL;

    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 3));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 2 }));
    next = prb_strdup(page.next);
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT(
                0, list(MAPS, &(struct prb_list_options){ .limit = 2, .next = next }));
        TEST_ASSERT_EQUAL_STRING("ns/m2", names());
    }
}

static void test_a_list_nobody_continues_for_long_is_gone(void)
{
    prb_autofree char *next = NULL;

    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 3));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 2 }));
    next = prb_strdup(page.next);
    for (int i = 0; i < PRB_HUB_LISTS_MAX; i++)
        TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 1 }));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_GONE, list(MAPS, &(struct prb_list_options){ .limit = 2, .next = next }));
    TEST_ASSERT_EQUAL_STRING("Expired", w.err.reason);
}

static void test_tokens_that_are_none_are_refused(void)
{
    static const char *const tokens[] = { "abc", "1.", ".1", "1.-1", "1.x" };

    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID,
                list(MAPS, &(struct prb_list_options){ .next = tokens[i] }), tokens[i]);
    TEST_ASSERT_EQUAL_INT(0, maps("ns", 0, 3));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 2 }));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID,
            list("secrets", &(struct prb_list_options){ .limit = 2, .next = page.next }));
}

static void test_metadata_only_leaves_the_body_out(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, load("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: a, "
                    "managedFields: [{manager: m}]}, data: {k: v}}"));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .metadata_only = true }));
    TEST_ASSERT_EQUAL_STRING("\"meta.k8s.io/v1\"", at(page.objects[0], "/apiVersion"));
    TEST_ASSERT_EQUAL_STRING("\"PartialObjectMetadata\"", at(page.objects[0], "/kind"));
    TEST_ASSERT_EQUAL_STRING("-", at(page.objects[0], "/data"));
    TEST_ASSERT_EQUAL_STRING("-", at(page.objects[0], "/metadata/managedFields"));
    TEST_ASSERT_EQUAL_STRING("\"ns\"", at(page.objects[0], "/metadata/namespace"));
}

static void test_managed_fields_are_kept_when_asked_for(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, load("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: a, "
                    "managedFields: [{manager: m}]}}"));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .limit = 0 }));
    TEST_ASSERT_EQUAL_STRING("-", at(page.objects[0], "/metadata/managedFields"));
    TEST_ASSERT_EQUAL_INT(0, list(MAPS, &(struct prb_list_options){ .keep_managed_fields = true }));
    TEST_ASSERT_EQUAL_STRING("\"m\"", at(page.objects[0], "/metadata/managedFields/0/manager"));
    TEST_ASSERT_EQUAL_STRING("\"m\"", text_at(MAPS, "ns/a", "/metadata/managedFields/0/manager"));
}

static void test_what_is_not_served_has_no_list(void)
{
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, list("widgets.example.io", &(struct prb_list_options){ .limit = 0 }));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, list("nodes", &(struct prb_list_options){ .namespace = "ns" }));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_list_is_sorted_by_namespace_and_name);
    RUN_TEST(test_selectors_choose);
    RUN_TEST(test_all_pages_show_the_state_of_the_first);
    RUN_TEST(test_a_page_can_be_read_again);
    RUN_TEST(test_a_list_nobody_continues_for_long_is_gone);
    RUN_TEST(test_tokens_that_are_none_are_refused);
    RUN_TEST(test_metadata_only_leaves_the_body_out);
    RUN_TEST(test_managed_fields_are_kept_when_asked_for);
    RUN_TEST(test_what_is_not_served_has_no_list);
    return UNITY_END();
}
