/* Does a real API server take what the control layer writes: Events, Leases, a watch's resumption?
 */

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/random.h"
#include "probate/control/informer.h"
#include "probate/control/lease.h"
#include "probate/control/recorder.h"
#include "probate/kube/kube.h"

#include "support/cluster.h"
#include "support/informers.h"
#include "support/wait.h"

static struct prb_api *api;
static struct prb_object *namespace_;
static struct prb_error err;

static struct prb_ref ref_of(
        const char *group, const char *resource, const char *namespace, const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, group, "v1", resource) || !prb_ref_init(&ref, &gvr, namespace, name))
        abort();
    return ref;
}

static const char *place(void)
{
    return prb_object_name(namespace_);
}

static void must(int r)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "%s\n", err.msg);
    abort();
}

static struct prb_object *create(
        const char *resource, const char *kind, const char *namespace, const char *name)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    struct prb_ref ref = ref_of("", resource, namespace, name);
    struct prb_object *created = NULL;

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", kind);
    prb_json_set_str(metadata, "namespace", namespace);
    prb_json_set_str(metadata, "name", name);
    must(prb_api_create(api, &ref, body, NULL, &created, &err));
    return created;
}

static void delete_object(const char *resource, const struct prb_object *object)
{
    struct prb_ref ref =
            ref_of("", resource, prb_object_namespace(object), prb_object_name(object));
    struct prb_delete_options options = { .uid = prb_object_uid(object) };

    must(prb_api_delete(api, &ref, &options, &err));
}

void setUp(void)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    char name[32];

    (void)snprintf(name, sizeof(name), "control-%08x", (unsigned)prb_random_u64());
    must(prb_test_cluster_config(&config, &err));
    must(prb_kube_open(config, NULL, &api, &err));
    namespace_ = create("namespaces", "Namespace", NULL, name);
}

void tearDown(void)
{
    delete_object("namespaces", namespace_);
    prb_object_unref(namespace_);
    prb_api_close(api);
}

static void test_an_event_is_accepted_and_counted_up(void)
{
    prb_auto(prb_recorder_free) struct prb_recorder *recorder =
            prb_recorder_new(api, "probate", NULL);
    prb_auto(prb_object_unref) struct prb_object *map =
            create("configmaps", "ConfigMap", place(), "web");
    struct prb_ref events = ref_of("", "events", place(), "any");
    struct prb_list_options options = { .namespace = place() };
    struct prb_event event = { .api_version = "v1",
        .kind = "ConfigMap",
        .namespace = place(),
        .name = "web",
        .uid = prb_object_uid(map),
        .reason = "Tested",
        .note = "as on the hub" };
    struct prb_event of_cluster = { .api_version = "v1",
        .kind = "Namespace",
        .namespace = "",
        .name = place(),
        .uid = prb_object_uid(namespace_),
        .warning = true,
        .reason = "Tested",
        .note = "cluster-scoped" };
    struct prb_list_options of_default = { .namespace = "default" };
    prb_auto(prb_page_done) struct prb_page page, defaults;
    int64_t count = 0;
    int found = 0;

    prb_page_init(&page);
    prb_page_init(&defaults);
    for (int i = 0; i < 3; i++)
        prb_recorder_event(recorder, &event);
    prb_recorder_event(recorder, &of_cluster);
    prb_recorder_stop(recorder, prb_test_patience_ms(PRB_TEST_SOON_MS));

    TEST_ASSERT_EQUAL_INT(0, prb_api_list(api, &events.gvr, &options, &page, &err));
    TEST_ASSERT_EQUAL_size_t(1, page.count);
    TEST_ASSERT_TRUE(prb_json_int(prb_object_tree(page.objects[0]), "count", &count));
    TEST_ASSERT_EQUAL_INT64(3, count);

    TEST_ASSERT_EQUAL_INT(
            0, prb_api_list_all(api, &events.gvr, &of_default, 10000, &defaults, &err));
    for (size_t i = 0; i < defaults.count; i++)
        found += prb_starts_with(prb_object_name(defaults.objects[i]), place()) ? 1 : 0;
    TEST_ASSERT_EQUAL_INT(1, found);
}

static bool leads(void *ctx)
{
    return prb_lease_leads(ctx);
}

static void test_a_lease_is_won_renewed_and_handed_over(void)
{
    struct prb_lease_options options = { .namespace = place(),
        .name = "lead",
        .identity = "one",
        .duration_ms = prb_test_patience_ms(12000) };
    prb_auto(prb_lease_stop) struct prb_lease *two = NULL;
    struct prb_lease *one = NULL;
    struct prb_ref ref = ref_of("coordination.k8s.io", "leases", place(), "lead");
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    int64_t renewed_since = prb_test_now_ms();

    TEST_ASSERT_EQUAL_INT(0, prb_lease_start(api, &options, &one, &err));
    TEST_ASSERT_AWAIT("the first candidate leads", leads, one);
    options.identity = "two";
    TEST_ASSERT_EQUAL_INT(0, prb_lease_start(api, &options, &two, &err));
    while (prb_test_now_ms() - renewed_since < options.duration_ms * 3 / 2) {
        TEST_ASSERT_TRUE_MESSAGE(prb_lease_leads(one), "it renews");
        TEST_ASSERT_FALSE(prb_lease_leads(two));
        prb_test_pause();
    }
    prb_lease_stop(one);
    TEST_ASSERT_AWAIT("the second candidate leads", leads, two);
    TEST_ASSERT_EQUAL_INT(0, prb_api_get(api, &ref, NULL, &lease, &err));
    TEST_ASSERT_EQUAL_STRING("two", prb_json_str(prb_object_spec(lease), "holderIdentity"));
}

struct wanted {
    struct prb_informer *informer;
    const char *name;
    bool there;
};

static bool is_so(void *ctx)
{
    const struct wanted *wanted = ctx;
    prb_auto(prb_object_unref) struct prb_object *object =
            prb_store_get(prb_informer_store(wanted->informer), place(), wanted->name);

    return (object != NULL) == wanted->there ||
           prb_test_saw("%s is %s", wanted->name, object ? "there" : "not there");
}

static void test_an_informer_follows_the_server(void)
{
    const struct prb_watch_spec spec = { .group = "", .version = "v1", .resource = "configmaps" };
    prb_auto(prb_object_unref) struct prb_object *before =
            create("configmaps", "ConfigMap", place(), "before");
    prb_auto(prb_informers_free) struct prb_informers *set = prb_informers_new(api, NULL);
    struct prb_informer *informer = prb_informers_add(set, &spec, place());
    struct wanted wanted = { .informer = informer, .name = "before", .there = true };
    struct prb_informer_state state;

    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    TEST_ASSERT_CAME(prb_test_await_synced(set, PRB_TEST_SOON_MS));
    TEST_ASSERT_TRUE(is_so(&wanted));
    wanted.name = "later";
    prb_object_unref(create("configmaps", "ConfigMap", place(), "later"));
    TEST_ASSERT_AWAIT("the informer knows what was made, and not what was deleted", is_so, &wanted);
    delete_object("configmaps", before);
    wanted = (struct wanted){ .informer = informer, .name = "before", .there = false };
    TEST_ASSERT_AWAIT("the informer knows what was made, and not what was deleted", is_so, &wanted);
    prb_informer_state(informer, &state);
    TEST_ASSERT_EQUAL_UINT(1, state.lists);
}

static bool is_not_served(void *ctx)
{
    struct prb_informer_state state;

    prb_informer_state(ctx, &state);
    return state.not_served || prb_test_saw("\"%s\"", state.error);
}

static void test_a_kind_that_is_not_served_is_told_and_not_synced(void)
{
    const struct prb_watch_spec spec = {
        .group = "example.com", .version = "v1", .resource = "nothings"
    };
    prb_auto(prb_informers_free) struct prb_informers *set = prb_informers_new(api, NULL);
    struct prb_informer *informer = prb_informers_add(set, &spec, NULL);
    struct prb_informer_state state;

    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(set, &err));
    /* A busy server may say something else first. */
    TEST_ASSERT_AWAIT("the server says that it has no such kind", is_not_served, informer);
    prb_informer_state(informer, &state);
    TEST_ASSERT_TRUE(state.error[0] != '\0');
    TEST_ASSERT_FALSE(state.synced);
    TEST_ASSERT_TRUE_MESSAGE(prb_informers_synced(set), "nobody waits for what is not there");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_event_is_accepted_and_counted_up);
    RUN_TEST(test_a_lease_is_won_renewed_and_handed_over);
    RUN_TEST(test_an_informer_follows_the_server);
    RUN_TEST(test_a_kind_that_is_not_served_is_told_and_not_synced);
    return UNITY_END();
}
