/* Does a real API server's coming and going of kinds reach what a reconciler sees, in seconds? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/control/runner.h"

#include "support/api_objects.h"
#include "support/informers.h"
#include "support/json_text.h"
#include "support/proxied.h"
#include "support/wait.h"
#include "wanting.h"

/* "Within seconds": the longest time between two looks, 10 s, and the rest for a slow server. A
 * server's discovery is remembered for a minute, which must not show. */
enum { SECONDS_MS = 45000 };

#define CRD_GROUP "apiextensions.k8s.io"

static struct prb_test_proxied cluster;
static struct prb_informers *informers;
static struct prb_runner *runner;
static char place[32]; /* namespace, and the name of the ConfigMap in it */
static char group[64]; /* of the kinds of this test */
static char widgets[96];
static struct prb_error err;

static void must(int r)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "test_wanted_cluster: %s\n", err.msg);
    abort();
}

static struct prb_ref ref_of(
        const char *of_group, const char *resource, const char *namespace, const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, of_group, "v1", resource) || !prb_ref_init(&ref, &gvr, namespace, name))
        abort();
    return ref;
}

static void create(const struct prb_ref *ref, struct json_object *body_taken)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;

    must(prb_api_create(cluster.direct, ref, body, NULL, NULL, &err));
}

static void patch(const struct prb_ref *ref, struct json_object *body_taken)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;

    must(prb_api_patch(cluster.direct, ref, PRB_PATCH_MERGE, body, NULL, NULL, &err));
}

/* Delete it, if it is there. */
static void delete_object(const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_delete_options options = { .uid = NULL };

    if (prb_api_get(cluster.direct, ref, NULL, &object, &err) != 0)
        return;
    options.uid = prb_object_uid(object);
    must(prb_api_delete(cluster.direct, ref, &options, &err));
}

static bool is_gone(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    return prb_api_get(cluster.direct, ctx, NULL, &object, &err) == PRB_E_NOTFOUND;
}

static struct prb_ref definition(void)
{
    char name[128];

    (void)snprintf(name, sizeof(name), "widgets.%s", group);
    return ref_of(CRD_GROUP, "customresourcedefinitions", NULL, name);
}

static struct json_object *version_of(const char *name, bool served, bool storage)
{
    return prb_test_json("{'name':'%s','served':%s,'storage':%s,"
                         "'schema':{'openAPIV3Schema':{'type':'object'}}}",
            name, served ? "true" : "false", storage ? "true" : "false");
}

static void define_widgets(void)
{
    struct prb_ref ref = definition();
    struct json_object *body = prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s'},'spec':{'group':'%s','scope':'Namespaced',"
            "'names':{'kind':'Widget','plural':'widgets','singular':'widget',"
            "'shortNames':['wd']},'versions':[]}}",
            ref.name, group);

    prb_json_push(
            prb_json_arr(prb_json_obj(body, "spec"), "versions"), version_of("v1", true, true));
    create(&ref, body);
}

static void undefine_widgets(void)
{
    struct prb_ref ref = definition();

    delete_object(&ref);
    if (!prb_test_await("the CRD is gone", is_gone, &ref, PRB_TEST_SOON_MS))
        abort();
}

/* A CRD is served some time after it was made. */
static bool widget_is_made(void *ctx)
{
    struct prb_ref ref = ref_of(group, "widgets", place, ctx);
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'%s/v1','kind':'Widget','metadata':{'namespace':'%s','name':'%s'}}",
            group, place, (const char *)ctx);

    return prb_api_create(cluster.direct, &ref, body, NULL, NULL, &err) == 0 ||
           prb_test_saw("%s", err.msg);
}

static void put_widget(const char *name)
{
    char copy[16];

    if (!prb_copy(copy, sizeof(copy), name) ||
            !prb_test_await("the widget can be made", widget_is_made, copy, PRB_TEST_SOON_MS))
        abort();
}

static void name_collection(const char *resource)
{
    struct prb_ref ref = ref_of("", "configmaps", place, place);

    patch(&ref, prb_test_json("{'metadata':{'annotations':{'wants':'%s%s%s'}}}", group,
                        resource[0] ? "/" : "", resource));
}

void setUp(void)
{
    struct prb_runner_options options = { .workers = 2 };
    struct prb_ref map;

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    (void)snprintf(place, sizeof(place), "wanted-%08x", (unsigned)prb_random_u64());
    (void)snprintf(group, sizeof(group), "%s.example.com", place);
    (void)snprintf(widgets, sizeof(widgets), "widgets.%s", group);
    must(prb_test_proxied_open(&cluster, NULL, NULL, &err));
    must(prb_test_namespace_create(cluster.direct, place, &err));
    map = ref_of("", "configmaps", place, place);
    create(&map, prb_test_json("{'apiVersion':'v1','kind':'ConfigMap',"
                               "'metadata':{'namespace':'%s','name':'%s'}}",
                         place, place));

    informers = prb_informers_new(cluster.api, NULL);
    options.api = cluster.api;
    options.informers = informers;
    runner = prb_runner_new(&wanting, &options);
    must(prb_informers_start(informers, &err));
    if (!prb_test_await_synced(informers, PRB_TEST_SOON_MS))
        abort();
    must(prb_runner_start(runner, &err));
}

void tearDown(void)
{
    struct prb_ref ref = definition();

    prb_fault_proxy_clear(cluster.proxy, 0);
    prb_informers_stop(informers);
    prb_runner_free(runner);
    prb_informers_free(informers);
    delete_object(&ref);
    prb_test_namespace_delete(cluster.direct, place);
    prb_test_proxied_close(&cluster);
    forget_notes();
}

/* What the view is to show; after a "*", how that begins. */
struct expected {
    char text[512];
};

static bool is_noted(void *ctx)
{
    const struct expected *expected = ctx;
    prb_autofree char *now = noted(place);

    return (expected->text[0] == '*' ? prb_starts_with(now, expected->text + 1)
                                     : prb_streq(now, expected->text)) ||
           prb_test_saw("\"%s\"", now);
}

static bool comes_in_seconds(const struct expected *expected)
{
    struct expected copy = *expected;
    prb_autofree char *what = prb_asprintf("the view shows \"%s\"", expected->text);

    return prb_test_await(what, is_noted, &copy, SECONDS_MS);
}

/* "present widgets.VERSION.GROUP" and what follows. */
static struct expected present(const char *version, const char *rest)
{
    struct expected expected;

    (void)snprintf(
            expected.text, sizeof(expected.text), "present widgets.%s.%s%s", version, group, rest);
    return expected;
}

static const struct expected absent = { "absent" };

static bool is_watched_once(void *ctx)
{
    return prb_fault_proxy_watches(cluster.proxy, ctx) == 1 ||
           prb_test_saw("%d watches", (int)prb_fault_proxy_watches(cluster.proxy, ctx));
}

static bool is_not_watched(void *ctx)
{
    return prb_fault_proxy_watches(cluster.proxy, ctx) == 0 ||
           prb_test_saw("%d watches", (int)prb_fault_proxy_watches(cluster.proxy, ctx));
}

static void test_a_kind_made_after_the_start_is_followed_until_nobody_names_it(void)
{
    struct expected one = present("v1", ": one"), two = present("v1", ": one two");

    name_collection("wd");
    TEST_ASSERT_CAME(comes_in_seconds(&absent));
    define_widgets();
    put_widget("one");
    TEST_ASSERT_CAME(comes_in_seconds(&one));
    put_widget("two");
    TEST_ASSERT_CAME(comes_in_seconds(&two));
    TEST_ASSERT_CAME(
            prb_test_await("widgets are watched once", is_watched_once, widgets, SECONDS_MS));
    TEST_ASSERT_EQUAL_UINT(1, prb_fault_proxy_count(cluster.proxy, "list", widgets));

    name_collection("");
    TEST_ASSERT_CAME(
            prb_test_await("widgets are not watched", is_not_watched, widgets, SECONDS_MS));
}

static void test_two_names_of_a_kind_share_a_watch(void)
{
    struct prb_ref ref = ref_of("", "configmaps", place, place);
    struct expected one = present("v1", ": one");
    char both[sizeof(one.text)];

    define_widgets();
    put_widget("one");
    patch(&ref, prb_test_json("{'metadata':{'annotations':{'wants':'%s/Widget,%s/widgets'}}}",
                        group, group));
    (void)snprintf(both, sizeof(both), "%.200s; %.200s", one.text, one.text);
    (void)prb_copy(one.text, sizeof(one.text), both);
    TEST_ASSERT_CAME(comes_in_seconds(&one));
    TEST_ASSERT_CAME(
            prb_test_await("widgets are watched once", is_watched_once, widgets, SECONDS_MS));
    TEST_ASSERT_EQUAL_UINT(1, prb_fault_proxy_count(cluster.proxy, "list", widgets));
}

static void test_a_definition_that_goes_and_comes_again_is_noticed_in_seconds(void)
{
    struct expected one = present("v1", ": one"), two = present("v1", ": two");

    define_widgets();
    put_widget("one");
    name_collection("widgets");
    TEST_ASSERT_CAME(comes_in_seconds(&one));
    undefine_widgets();
    TEST_ASSERT_CAME(comes_in_seconds(&absent));
    TEST_ASSERT_CAME(
            prb_test_await("widgets are not watched", is_not_watched, widgets, SECONDS_MS));
    define_widgets();
    put_widget("two");
    TEST_ASSERT_CAME(comes_in_seconds(&two));
}

static void test_a_version_that_is_not_served_any_more_gives_way_to_another(void)
{
    struct expected one = present("v1", ": one"), later = present("v2", ": one");
    struct prb_ref ref = definition();
    struct json_object *body = prb_test_json("{'spec':{'versions':[]}}");
    struct json_object *versions = prb_json_arr(prb_json_obj(body, "spec"), "versions");

    prb_json_push(versions, version_of("v1", false, true));
    prb_json_push(versions, version_of("v2", true, false));
    define_widgets();
    put_widget("one");
    name_collection("widgets");
    TEST_ASSERT_CAME(comes_in_seconds(&one));
    patch(&ref, body);
    TEST_ASSERT_CAME(comes_in_seconds(&later));
}

static void test_a_list_that_is_refused_is_forbidden(void)
{
    const struct prb_fault_rule refusal = {
        .fault = PRB_FAULT_ANSWER, .verb = "list", .resource = widgets, .status = 403
    };
    struct expected refused = present("v1", " unread forbidden ("), one = present("v1", ": one");
    char start[sizeof(refused.text)];

    (void)snprintf(start, sizeof(start), "*%.300s", refused.text);
    (void)prb_copy(refused.text, sizeof(refused.text), start);
    define_widgets();
    put_widget("one");
    (void)prb_fault_proxy_add(cluster.proxy, &refusal);
    name_collection("widgets");
    TEST_ASSERT_CAME(comes_in_seconds(&refused));
    prb_fault_proxy_clear(cluster.proxy, 0);
    TEST_ASSERT_CAME(comes_in_seconds(&one));
}

/* An aggregated API without a backend: the group is named, its resources nobody can tell. */
static void test_a_group_whose_server_is_away_is_unknown(void)
{
    static const struct expected unknown = { "*unknown (discovery of" };
    char name[96];
    struct prb_ref ref;

    (void)snprintf(name, sizeof(name), "v1.%s", group);
    ref = ref_of("apiregistration.k8s.io", "apiservices", NULL, name);
    create(&ref, prb_test_json("{'apiVersion':'apiregistration.k8s.io/v1','kind':'APIService',"
                               "'metadata':{'name':'%s'},'spec':{'group':'%s','version':'v1',"
                               "'groupPriorityMinimum':100,'versionPriority':100,"
                               "'insecureSkipTLSVerify':true,"
                               "'service':{'namespace':'%s','name':'nothing'}}}",
                         name, group, place));
    name_collection("widgets");
    TEST_ASSERT_CAME(comes_in_seconds(&unknown));
    delete_object(&ref);
    TEST_ASSERT_CAME(comes_in_seconds(&absent));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_kind_made_after_the_start_is_followed_until_nobody_names_it);
    RUN_TEST(test_two_names_of_a_kind_share_a_watch);
    RUN_TEST(test_a_definition_that_goes_and_comes_again_is_noticed_in_seconds);
    RUN_TEST(test_a_version_that_is_not_served_any_more_gives_way_to_another);
    RUN_TEST(test_a_list_that_is_refused_is_forbidden);
    RUN_TEST(test_a_group_whose_server_is_away_is_unknown);
    return UNITY_END();
}
