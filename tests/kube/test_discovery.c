#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "caller.h"
#include "has.h"

#define GROUP "{\"kind\":\"APIGroup\",\"versions\":[{\"version\":\"v1\"}]}"
#define RESOURCES(name, kind)                                                              \
    "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"" name "\",\"kind\":\"" kind \
    "\",\"namespaced\":true}]}"

static struct prb_test_caller caller;
static struct prb_resource found;
static struct prb_error err;

void setUp(void)
{
    prb_test_caller_start(&caller, NULL, NULL);
    err = (struct prb_error){ .code = PRB_OK };
}

void tearDown(void)
{
    prb_test_caller_stop(&caller);
}

static int resolve(const char *group, const char *name)
{
    return prb_api_resolve(caller.api, group, name, &found, &err);
}

static void reply(const char *body)
{
    prb_test_server_reply(caller.server, "200 OK", "", body);
}

static void reply_absent(void)
{
    prb_test_server_reply(caller.server, "404 Not Found", "", "404 page not found\n");
}

#define ASSERT_ASKED(index, path)                                                      \
    do {                                                                               \
        prb_autofree char *asked_ = prb_test_server_request(caller.server, (index));   \
        TEST_ASSERT_NOT_NULL(asked_);                                                  \
        TEST_ASSERT_EQUAL_INT_MESSAGE(                                                 \
                0, strncmp(asked_, "GET " path " ", strlen("GET " path " ")), asked_); \
    } while (0)

static void test_what_is_found_is_kept(void)
{
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "thing"), err.msg);
    TEST_ASSERT_EQUAL_STRING("things", found.gvr.resource);
    TEST_ASSERT_EQUAL_STRING("x.io", found.gvr.group);
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    TEST_ASSERT_EQUAL(2, prb_test_server_count(caller.server));
    ASSERT_ASKED(0, "/apis/x.io");
    ASSERT_ASKED(1, "/apis/x.io/v1");
}

static void test_the_core_group_has_its_own_path(void)
{
    reply("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}");
    reply(RESOURCES("pods", "Pod"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("", "pod"), err.msg);
    TEST_ASSERT_EQUAL_STRING("", found.gvr.group);
    ASSERT_ASKED(0, "/api");
    ASSERT_ASKED(1, "/api/v1");
}

static void test_what_is_missing_is_asked_for_again_on_a_ready_server(void)
{
    reply_absent();
    reply("ok");
    reply_absent();
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, resolve("x.io", "things"));
    TEST_ASSERT_EQUAL_STRING("NotServed", err.reason);
    TEST_ASSERT_EQUAL_STRING("the server serves no resource \"things\" in group x.io", err.msg);
    ASSERT_ASKED(1, "/readyz");
    ASSERT_ASKED(2, "/apis/x.io");

    /* A burst of questions is answered from what was just said. */
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, resolve("x.io", "others"));
    TEST_ASSERT_EQUAL(3, prb_test_server_count(caller.server));
}

static void test_what_comes_up_in_between_is_found(void)
{
    reply_absent();
    reply("ok");
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
}

static void test_a_server_that_is_not_ready_says_nothing_about_absence(void)
{
    reply_absent();
    prb_test_server_reply(caller.server, "500 Not Ready", "", "[-]poststarthook/crd failed\n");
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, resolve("x.io", "things"));
    ASSERT_HAS(err.msg, "not ready");
}

static void test_a_server_that_does_not_tell_is_believed(void)
{
    reply_absent();
    prb_test_server_reply(caller.server, "403 No", "", PRB_TEST_STATUS("403", "Forbidden"));
    reply_absent();
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, resolve("x.io", "things"));
}

static void test_a_server_that_never_heard_of_being_ready_is_believed_if_it_is_one(void)
{
    reply_absent();
    reply_absent();
    reply("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}");
    reply_absent();
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, resolve("x.io", "things"));
    ASSERT_ASKED(1, "/readyz");
    ASSERT_ASKED(2, "/api");
}

/* A load balancer without a server behind it, in the words of Go's own. */
static void test_what_has_nothing_at_all_says_nothing_about_absence(void)
{
    for (int i = 0; i < 4; i++)
        prb_test_server_reply(caller.server, "404 Not Found", "", "404 page not found\n");
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, resolve("x.io", "things"));
    ASSERT_HAS(err.msg, "no API server");
}

/* It may be just the one. */
static void test_an_entry_that_cannot_be_read_may_be_what_is_missing(void)
{
    reply(GROUP);
    reply("{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"things\",\"kind\":\"Thing\"},"
          "{\"name\":\"others\"}]}");
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, resolve("x.io", "others"));
    ASSERT_HAS(err.msg, "shows no \"others\", but has a resource that cannot be read");
}

static void test_an_aggregated_api_that_is_down_could_not_be_asked(void)
{
    reply(GROUP);
    prb_test_server_reply(
            caller.server, "503 Down", "", PRB_TEST_STATUS("503", "ServiceUnavailable"));
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, resolve("x.io", "things"));
    ASSERT_HAS(err.msg, "discovery of /apis/x.io/v1");

    /* And nothing of it is remembered. */
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
}

static void test_damaged_discovery_could_not_be_asked(void)
{
    reply("{\"versions\":[");
    TEST_ASSERT_EQUAL(PRB_E_IO, resolve("x.io", "things"));
}

/* A 200 that is something else must not read as "the server serves nothing". */
static void test_an_answer_that_is_no_discovery_could_not_be_asked(void)
{
    static const char status[] = PRB_TEST_STATUS("500", "InternalError");

    reply(status);
    TEST_ASSERT_EQUAL(PRB_E_IO, resolve("x.io", "things"));
    reply("{\"kind\":\"APIGroup\",\"versions\":{}}");
    TEST_ASSERT_EQUAL(PRB_E_IO, resolve("x.io", "things"));
    reply(GROUP);
    reply(status);
    TEST_ASSERT_EQUAL(PRB_E_IO, resolve("x.io", "things"));
    TEST_ASSERT_EQUAL(4, prb_test_server_count(caller.server));
}

static void test_a_version_that_is_named_and_not_there_is_no_absence(void)
{
    reply(GROUP);
    reply_absent();
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, resolve("x.io", "things"));
    ASSERT_HAS(err.msg, "not served now");
}

static void test_what_is_to_be_forgotten_is_asked_for_again(void)
{
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    prb_api_forget(caller.api, "x.io");
    reply_absent();
    reply("ok");
    reply_absent();
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, resolve("x.io", "things"));

    /* "Not served" is forgotten as well, however new. */
    prb_api_forget(caller.api, "x.io");
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    TEST_ASSERT_EQUAL(7, prb_test_server_count(caller.server));
}

static void test_what_another_group_is_known_for_stays(void)
{
    reply(GROUP);
    reply(RESOURCES("things", "Thing"));
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    prb_api_forget(caller.api, "y.io");
    TEST_ASSERT_EQUAL_MESSAGE(0, resolve("x.io", "things"), err.msg);
    TEST_ASSERT_EQUAL(2, prb_test_server_count(caller.server));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_answer_that_is_no_discovery_could_not_be_asked);
    RUN_TEST(test_a_version_that_is_named_and_not_there_is_no_absence);
    RUN_TEST(test_what_is_found_is_kept);
    RUN_TEST(test_the_core_group_has_its_own_path);
    RUN_TEST(test_what_is_missing_is_asked_for_again_on_a_ready_server);
    RUN_TEST(test_what_comes_up_in_between_is_found);
    RUN_TEST(test_a_server_that_is_not_ready_says_nothing_about_absence);
    RUN_TEST(test_a_server_that_does_not_tell_is_believed);
    RUN_TEST(test_a_server_that_never_heard_of_being_ready_is_believed_if_it_is_one);
    RUN_TEST(test_what_has_nothing_at_all_says_nothing_about_absence);
    RUN_TEST(test_an_entry_that_cannot_be_read_may_be_what_is_missing);
    RUN_TEST(test_an_aggregated_api_that_is_down_could_not_be_asked);
    RUN_TEST(test_damaged_discovery_could_not_be_asked);
    RUN_TEST(test_what_is_to_be_forgotten_is_asked_for_again);
    RUN_TEST(test_what_another_group_is_known_for_stays);
    return UNITY_END();
}
