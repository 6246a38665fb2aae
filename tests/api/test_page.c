#include <string.h>
#include <unity.h>

#include "probate/api/api.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"
#include "support/world.h"

/* A server that hands out `left` objects in pages. */
struct server {
    struct prb_api api;
    int left;
    int pages;
    int fail_at_page;    /* 0: never */
    bool empty_for_ever; /* pages without objects that promise more */
    bool same_for_ever;  /* one page leads to itself */
};

static struct prb_object *object_number(int number)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':{'name':'web-%d'}}", number), &object, &err);
    return object;
}

static int serve_page(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct server *server = (struct server *)api;
    int start = 0;

    (void)gvr;
    server->pages++;
    if (server->pages == server->fail_at_page)
        return prb_fail(err, PRB_E_GONE, "the continue token expired");
    if (options->next)
        start = (int)strtol(options->next, NULL, 10);

    ret->objects = prb_calloc((size_t)options->limit, sizeof(struct prb_object *));
    for (int i = 0; !server->empty_for_ever && i < options->limit && server->left > 0; i++) {
        ret->objects[ret->count++] = object_number(start + i);
        server->left--;
    }
    ret->resource_version = prb_asprintf("%d", 100 + server->pages);
    if (server->same_for_ever || server->empty_for_ever)
        ret->next = prb_asprintf("%d", server->same_for_ever ? 0 : server->pages);
    else if (server->left > 0)
        ret->next = prb_asprintf("%d", start + (int)ret->count);
    return 0;
}

static const struct prb_api_ops ops = { .list = serve_page };

static struct server server;
static struct prb_gvr gvr;
static struct prb_error err;

void setUp(void)
{
    server = (struct server){ .api = { .ops = &ops } };
    (void)prb_gvr_init(&gvr, "", "v1", "configmaps");
}

void tearDown(void)
{
}

static void test_all_pages_become_one_list_in_order(void)
{
    static const struct {
        const char *name;
        int objects, limit, pages;
    } cases[] = { { "nothing", 0, 2, 1 }, { "one page", 2, 2, 1 }, { "a page and a bit", 3, 2, 2 },
        { "many", 25, 2, 13 }, { "the usual page", 700, 0, 2 } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_list_options options = { .limit = cases[i].limit };
        prb_auto(prb_page_done) struct prb_page all;

        prb_page_init(&all);
        server.left = cases[i].objects;
        server.pages = 0;
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_api_list_all(&server.api, &gvr, &options, 1000, &all, &err), cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].pages, server.pages, cases[i].name);
        TEST_ASSERT_EQUAL_size_t((size_t)cases[i].objects, all.count);
        TEST_ASSERT_NULL(all.next);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("101", all.resource_version, "of the first page");
        for (int j = 0; j < cases[i].objects; j++) {
            prb_autofree char *name = prb_asprintf("web-%d", j);

            TEST_ASSERT_EQUAL_STRING(name, prb_object_name(all.objects[j]));
        }
    }
}

static void test_a_page_that_fails_fails_the_list(void)
{
    struct prb_list_options options = { .limit = 2 };
    prb_auto(prb_page_done) struct prb_page all;

    prb_page_init(&all);
    server.left = 10;
    server.fail_at_page = 3;
    TEST_ASSERT_EQUAL_INT(
            PRB_E_GONE, prb_api_list_all(&server.api, &gvr, &options, 1000, &all, &err));
    TEST_ASSERT_EQUAL_size_t(0, all.count);
    TEST_ASSERT_NULL(all.objects);
}

static void test_a_list_that_is_too_long_is_refused(void)
{
    struct prb_list_options options = { .limit = 2 };
    prb_auto(prb_page_done) struct prb_page all;

    prb_page_init(&all);
    server.left = 6;
    TEST_ASSERT_EQUAL_INT(0, prb_api_list_all(&server.api, &gvr, &options, 6, &all, &err));
    prb_page_done(&all);
    server.left = 6;
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_api_list_all(&server.api, &gvr, &options, 5, &all, &err));
    TEST_ASSERT_EQUAL_STRING("list configmaps: more than 5 objects", err.msg);
}

static void test_pages_that_never_end_are_given_up(void)
{
    prb_auto(prb_page_done) struct prb_page all;

    prb_page_init(&all);
    server.empty_for_ever = true;
    TEST_ASSERT_EQUAL_INT(
            PRB_E_UNSUPPORTED, prb_api_list_all(&server.api, &gvr, NULL, 20, &all, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(17, server.pages, "sixteen empty pages, and one more");

    server = (struct server){ .api = { .ops = &ops }, .left = 700, .same_for_ever = true };
    TEST_ASSERT_EQUAL_INT(
            PRB_E_UNSUPPORTED, prb_api_list_all(&server.api, &gvr, NULL, 9999, &all, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, server.pages, "it was there before");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_all_pages_become_one_list_in_order);
    RUN_TEST(test_a_page_that_fails_fails_the_list);
    RUN_TEST(test_a_list_that_is_too_long_is_refused);
    RUN_TEST(test_pages_that_never_end_are_given_up);
    return UNITY_END();
}
