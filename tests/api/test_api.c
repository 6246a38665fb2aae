#include <string.h>
#include <unity.h>

#include "probate/api/api.h"
#include "probate/base/mem.h"

#include "support/json_text.h"
#include "support/world.h"

/* An implementation that only remembers what reached it. */
struct fake {
    struct prb_api api; /* first: the port casts back */
    int calls;
    int fail; /* what the next call returns */
    int timeout_ms;
    int limit;
    const char *subresource;
    const char *field_manager;
    const char *uid;
    const char *group;
    bool had_options;
    bool had_ret;
};

static struct fake *reached(struct prb_api *api)
{
    struct fake *fake = (struct fake *)api;

    fake->calls++;
    return fake;
}

static int answer(const struct fake *fake, struct prb_error *err)
{
    return fake->fail ? prb_fail(err, fake->fail, "as told") : 0;
}

static struct prb_object *some_object(void)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':{'name':'web'}}"), &object, &err);
    return object;
}

static int fake_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct fake *fake = reached(api);

    (void)ref;
    fake->timeout_ms = options->timeout_ms;
    if (!fake->fail)
        *ret = some_object();
    return answer(fake, err);
}

static int fake_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct fake *fake = reached(api);

    (void)gvr;
    (void)ret;
    fake->timeout_ms = options->timeout_ms;
    fake->limit = options->limit;
    return answer(fake, err);
}

static int fake_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    struct fake *fake = reached(api);

    (void)gvr;
    (void)sink;
    (void)ret;
    fake->had_options = options != NULL;
    return answer(fake, err);
}

static void fake_watch_stop(struct prb_api *api, struct prb_watch *watch)
{
    (void)watch;
    (void)reached(api);
}

static int note_write(struct fake *fake, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    fake->timeout_ms = options->timeout_ms;
    fake->subresource = options->subresource;
    fake->field_manager = options->field_manager;
    fake->had_ret = ret != NULL;
    if (ret && !fake->fail)
        *ret = some_object();
    return answer(fake, err);
}

static int fake_write(struct prb_api *api, const struct prb_ref *ref,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    (void)ref;
    (void)body;
    return note_write(reached(api), options, ret, err);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int fake_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    (void)type;
    return fake_write(api, ref, body, options, ret, err);
}

static int fake_remove(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    struct fake *fake = reached(api);

    (void)ref;
    fake->uid = options->uid;
    fake->timeout_ms = options->timeout_ms;
    return answer(fake, err);
}

static int fake_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    struct fake *fake = reached(api);

    (void)name;
    (void)ret;
    fake->group = group;
    return answer(fake, err);
}

static int fake_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    struct fake *fake = reached(api);

    fake->timeout_ms = question->timeout_ms;
    *ret = PRB_ACCESS_ALLOWED;
    return answer(fake, err);
}

static void fake_end(struct prb_api *api)
{
    (void)reached(api);
}

static const struct prb_api_ops ops = {
    .get = fake_get,
    .list = fake_list,
    .watch = fake_watch,
    .watch_stop = fake_watch_stop,
    .create = fake_write,
    .update = fake_write,
    .patch = fake_patch,
    .remove = fake_remove,
    .resolve = fake_resolve,
    .may = fake_may,
    .interrupt = fake_end,
    .close = fake_end,
};

static struct fake fake;
static struct prb_api *api;
static struct prb_ref ref;
static struct prb_error err;

void setUp(void)
{
    fake = (struct fake){ .api = { .ops = &ops } };
    api = &fake.api;
    ref = prb_world_ref("configmaps.v1./shop/web");
    err = (struct prb_error){ .code = PRB_OK };
}

void tearDown(void)
{
}

static void test_what_a_caller_leaves_open_is_filled_in(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, prb_api_get(api, &ref, NULL, &object, &err));
    TEST_ASSERT_EQUAL_INT(PRB_API_TIMEOUT_MS, fake.timeout_ms);
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(api, &ref.gvr, NULL, &page, &err));
    TEST_ASSERT_EQUAL_INT(PRB_LIST_LIMIT, fake.limit);
    TEST_ASSERT_EQUAL_INT(0, prb_api_patch(api, &ref, PRB_PATCH_MERGE, NULL, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("probate", fake.field_manager);
    TEST_ASSERT_TRUE(fake.had_ret);
    TEST_ASSERT_EQUAL_INT(0, prb_api_watch(api, &ref.gvr, NULL, NULL, NULL, &err));
    TEST_ASSERT_TRUE(fake.had_options);
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(api, NULL, "pods", NULL, &err));
    TEST_ASSERT_EQUAL_STRING("", fake.group);
}

static void test_what_a_caller_says_is_passed_on(void)
{
    struct prb_list_options list = { .limit = 7, .timeout_ms = 100 };
    struct prb_write_options write = { .subresource = "status", .field_manager = "other" };
    struct prb_delete_options delete = { .uid = "u1", .timeout_ms = 200 };
    struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(api, &ref.gvr, &list, &page, &err));
    TEST_ASSERT_EQUAL_INT(7, fake.limit);
    TEST_ASSERT_EQUAL_INT(100, fake.timeout_ms);
    TEST_ASSERT_EQUAL_INT(0, prb_api_update(api, &ref, NULL, &write, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("status", fake.subresource);
    TEST_ASSERT_EQUAL_STRING("other", fake.field_manager);
    TEST_ASSERT_EQUAL_INT(0, prb_api_delete(api, &ref, &delete, &err));
    TEST_ASSERT_EQUAL_STRING("u1", fake.uid);
    TEST_ASSERT_EQUAL_INT(200, fake.timeout_ms);
}

static void test_nothing_is_deleted_by_name_alone(void)
{
    static const struct prb_delete_options without, empty = { .uid = "" };

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_delete(api, &ref, NULL, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_delete(api, &ref, &without, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_delete(api, &ref, &empty, &err));
    TEST_ASSERT_EQUAL_STRING("delete configmaps web: without the uid that is meant", err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, fake.calls, "nothing reached the server");
}

static void test_a_ref_without_a_name_never_reaches_a_server(void)
{
    struct prb_delete_options delete = { .uid = "u1" };
    struct prb_object *object = NULL;

    ref.name[0] = '\0';
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_get(api, &ref, NULL, &object, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_update(api, &ref, NULL, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_api_patch(api, &ref, PRB_PATCH_JSON, NULL, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_delete(api, &ref, &delete, &err));
    TEST_ASSERT_EQUAL_INT(0, fake.calls);
}

static void test_a_create_names_what_it_creates(void)
{
    static const char *const bodies[] = { "{}", "{'metadata':{'name':'other'}}",
        "{'metadata':{'generateName':'web'}}", "{'metadata':{'name':5}}" };
    prb_auto(prb_json_free) struct json_object *good = prb_test_json("{'metadata':{'name':'web'}}");

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        prb_auto(prb_json_free) struct json_object *body = prb_test_json("%s", bodies[i]);

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_api_create(api, &ref, body, NULL, NULL, &err), bodies[i]);
    }
    TEST_ASSERT_EQUAL_INT(0, fake.calls);
    TEST_ASSERT_EQUAL_INT(0, prb_api_create(api, &ref, good, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_INT(1, fake.calls);
}

static void test_only_the_status_is_a_subresource(void)
{
    struct prb_write_options none = { .subresource = "" }, other = { .subresource = "scale" };

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_update(api, &ref, NULL, &other, NULL, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_api_update(api, &ref, NULL, &none, NULL, &err));
    TEST_ASSERT_NULL(fake.subresource);
}

static void test_the_written_object_goes_to_who_wants_it(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_object *untouched = NULL;

    TEST_ASSERT_EQUAL_INT(0, prb_api_update(api, &ref, NULL, NULL, &object, &err));
    TEST_ASSERT_EQUAL_STRING("web", prb_object_name(object));
    fake.fail = PRB_E_CONFLICT;
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, prb_api_update(api, &ref, NULL, NULL, &untouched, &err));
    TEST_ASSERT_NULL(untouched);
    TEST_ASSERT_EQUAL_STRING("as told", err.msg);
}

static void test_questions_that_say_nothing_are_refused(void)
{
    struct prb_access_question no_user = { .verb = "get" }, no_verb = { .user = "eve" };
    struct prb_access_question whole = { .user = "eve", .verb = "override" };
    struct prb_list_options negative = { .limit = -1 };
    enum prb_access access = PRB_ACCESS_DENIED;
    struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_may(api, &no_user, &access, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_may(api, &no_verb, &access, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_resolve(api, "", "", NULL, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_list(api, &ref.gvr, &negative, &page, &err));
    TEST_ASSERT_EQUAL_INT(0, fake.calls);
    TEST_ASSERT_EQUAL_INT(0, prb_api_may(api, &whole, &access, &err));
    TEST_ASSERT_EQUAL_INT(PRB_ACCESS_ALLOWED, access);
    TEST_ASSERT_EQUAL_INT(PRB_API_TIMEOUT_MS, fake.timeout_ms);
}

static void test_an_end_of_nothing_is_no_trouble(void)
{
    prb_api_watch_stop(api, NULL);
    prb_api_close(NULL);
    TEST_ASSERT_EQUAL_INT(0, fake.calls);
    prb_api_interrupt(api);
    prb_api_close(api);
    TEST_ASSERT_EQUAL_INT(2, fake.calls);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_a_caller_leaves_open_is_filled_in);
    RUN_TEST(test_what_a_caller_says_is_passed_on);
    RUN_TEST(test_nothing_is_deleted_by_name_alone);
    RUN_TEST(test_a_ref_without_a_name_never_reaches_a_server);
    RUN_TEST(test_a_create_names_what_it_creates);
    RUN_TEST(test_only_the_status_is_a_subresource);
    RUN_TEST(test_the_written_object_goes_to_who_wants_it);
    RUN_TEST(test_questions_that_say_nothing_are_refused);
    RUN_TEST(test_an_end_of_nothing_is_no_trouble);
    return UNITY_END();
}
