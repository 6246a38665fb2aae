/* Is nothing left when `probate remove` says so, whatever happens meanwhile? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/hub/hub.h"

#include "../control/fault_port.h"
#include "remove.h"

static const struct prb_gvr leases = { "coordination.k8s.io", "v1", "leases" };

static struct prb_hub *hub;
static struct fault_port port;
static struct prb_removal removal;
static struct prb_list skip;

void setUp(void)
{
    const struct prb_clock *clock = prb_clock_system();
    struct prb_supervisor *supervisor = removal.supervisor;

    hub = prb_hub_new(NULL);
    fault_port_init(&port, prb_hub_api(hub));
    removal = (struct prb_removal){ .api = &port.api,
        .supervisor = supervisor,
        .configuration = "probate",
        .lease_namespace = "probate-system",
        .lease_name = "probate",
        .skip = &skip,
        .end_ms = clock->mono_ms(clock) + 60000 };
}

void tearDown(void)
{
    fault_port_done(&port);
    prb_hub_free(hub);
}

static void load(const char *text)
{
    struct prb_error err;

    if (prb_hub_load_text(hub, text, strlen(text), &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
}

static void load_lease(int seconds)
{
    prb_autofree char *lease = prb_asprintf(
            "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: probate, "
            "namespace: probate-system}, spec: {holderIdentity: pod-1, "
            "leaseDurationSeconds: %d}}",
            seconds);

    load("{apiVersion: v1, kind: Namespace, metadata: {name: probate-system}}");
    load(lease);
}

/* Who holds the Lease; the caller frees. */
static char *holder(void)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &leases, "probate-system", "probate");
    if (prb_api_get(prb_hub_api(hub), &ref, NULL, &lease, &err) < 0)
        return prb_strdup("");
    return prb_strdup(prb_json_str(prb_object_spec(lease), "holderIdentity"));
}

/* Else whoever leads puts back what was taken off, when nobody looks any more. */
static void test_a_lease_that_could_not_be_taken_is_tried_again(void)
{
    static const char *const verbs[] = { "get", "update" };

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        prb_autofree char *who = NULL;

        load_lease(1);
        fault_port_spoil(&port,
                (struct fault){
                        .verb = verbs[i], .resource = "leases", .code = PRB_E_IO, .times = 1 });
        prb_remove_all(&removal);
        TEST_ASSERT_EQUAL_size_t(0, removal.left);
        who = holder();
        TEST_ASSERT_TRUE_MESSAGE(prb_starts_with(who, "probate-remove"), who);
        tearDown();
        setUp();
    }
}

#define NOW_MS INT64_C(1800000000000) /* 2027-01-15T08:00:00Z */

/* Also when it was a `remove` that was killed before it had waited for the one before it. */
static void test_who_led_is_waited_for(void)
{
    static const struct {
        const char *name, *holder, *until;
        int64_t rest_ms;
    } cases[] = {
        { "nobody leads", "''", "", 0 },
        { "a replica does", "pod-1", "", 15000 },
        { "a replica does, after a remove", "pod-1", "2027-01-15T09:00:00Z", 15000 },
        { "a remove that has waited", "probate-remove_1", "2027-01-15T08:00:00Z", 0 },
        { "a remove that has not", "probate-remove_1", "2027-01-15T08:00:07Z", 7000 },
        { "a remove by another clock", "probate-remove_1", "2028-01-15T08:00:00Z", 60000 },
        { "a remove that says nothing", "probate-remove_1", "soon", 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *text = prb_asprintf(
                "{metadata: {name: probate, annotations: {probate.dev/led-until: '%s'}}, spec: "
                "{holderIdentity: %s, leaseDurationSeconds: 15}}",
                cases[i].until, cases[i].holder);
        prb_auto(prb_object_unref) struct prb_object *lease = NULL;
        struct json_object *tree = NULL;
        struct prb_error err;

        if (prb_yaml_parse(text, strlen(text), &tree, &err) < 0 ||
                prb_object_new(tree, &lease, &err) < 0)
            abort();
        TEST_ASSERT_EQUAL_INT64_MESSAGE(
                cases[i].rest_ms, prb_remove_rest_ms(lease, NOW_MS), cases[i].name);
    }
}

static void test_the_lease_says_who_is_still_waited_for(void)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    const struct prb_clock *clock = prb_clock_system();
    int64_t before_ms = clock->wall_ms(clock), until_ms = 0;
    struct prb_error err;
    struct prb_ref ref;

    load_lease(1);
    TEST_ASSERT_TRUE(prb_remove_lead(&removal));
    (void)prb_ref_init(&ref, &leases, "probate-system", "probate");
    TEST_ASSERT_EQUAL_INT(0, prb_api_get(prb_hub_api(hub), &ref, NULL, &lease, &err));
    TEST_ASSERT_TRUE(
            prb_time_parse(prb_object_annotation(lease, "probate.dev/led-until"), &until_ms));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(before_ms, until_ms); /* in whole seconds */
}

static enum prb_exit run_all(struct prb_supervisor *supervisor, void *ctx)
{
    (void)ctx;
    removal.supervisor = supervisor;
    UNITY_BEGIN();
    RUN_TEST(test_a_lease_that_could_not_be_taken_is_tried_again);
    RUN_TEST(test_who_led_is_waited_for);
    RUN_TEST(test_the_lease_says_who_is_still_waited_for);
    return UNITY_END() == 0 ? PRB_EXIT_DONE : PRB_EXIT_DENIED;
}

int main(void)
{
    return prb_supervise(run_all, NULL);
}
