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
#include "support/wait.h"

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
    prb_remove_waits_done(&removal);
    fault_port_done(&port);
    prb_hub_free(hub);
}

/* What a run says that waits; the caller frees. */
static char *hear(void (*run)(void))
{
    char *heard = NULL;
    size_t len = 0;

    removal.waits.out = open_memstream(&heard, &len);
    if (!removal.waits.out)
        abort();
    run();
    (void)fclose(removal.waits.out);
    removal.waits.out = NULL;
    return heard;
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

/* The label of an object that is there, or ""; the caller frees. */
static char *label_of(const char *group, const char *resource, const char *namespace)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_gvr gvr;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_gvr_init(&gvr, group, "v1", resource);
    (void)prb_ref_init(&ref, &gvr, namespace, "web");
    if (prb_api_get(prb_hub_api(hub), &ref, NULL, &object, &err) < 0)
        return prb_strdup(err.msg);
    return prb_strdup(prb_object_label(object, "probate.dev/protected"));
}

/* Of a Probate that goes on: what it protects stays protected, and it goes on leading. */
static void test_old_labels_go_and_nothing_else(void)
{
    prb_autofree char *deployment = NULL, *namespace = NULL, *who = NULL, *configuration = NULL;

    load_lease(1);
    load("{apiVersion: v1, kind: Namespace, metadata: {name: web, labels: {probate.dev/protected: "
         "'true'}}}");
    load("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: web, labels: "
         "{probate.dev/protected: 'true'}}}");
    load("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, "
         "metadata: {name: web, labels: {probate.dev/protected: here}}}");
    removal.configuration = "web";
    removal.old_labels = true;
    prb_remove_all(&removal);
    TEST_ASSERT_EQUAL_size_t(0, removal.left);
    deployment = label_of("apps", "deployments", "web");
    TEST_ASSERT_EQUAL_STRING("", deployment ? deployment : "");
    namespace = label_of("", "namespaces", NULL);
    TEST_ASSERT_EQUAL_STRING("true", namespace);
    configuration =
            label_of("admissionregistration.k8s.io", "validatingwebhookconfigurations", NULL);
    TEST_ASSERT_EQUAL_STRING("here", configuration);
    who = holder();
    TEST_ASSERT_EQUAL_STRING("pod-1", who);
}

#define NOW_MS INT64_C(1800000000000) /* 2027-01-15T08:00:00Z */

/* Also when it was a `remove` that was killed before it had waited for the one before it. */
static void test_who_led_is_waited_for(void)
{
    static const struct {
        const char *name, *holder, *until, *seconds;
        int64_t rest_ms;
    } cases[] = {
        { "nobody leads", "''", "", "15", 0 },
        { "a replica does", "pod-1", "", "15", 15000 },
        { "a replica does, after a remove", "pod-1", "2027-01-15T09:00:00Z", "15", 15000 },
        { "a replica does, for as long as a flag may say", "pod-1", "", "600", 600000 },
        { "a replica does, for longer", "pod-1", "", "86400", 600000 },
        { "a replica does, for no time", "pod-1", "", "0", 60000 },
        { "a replica does, nobody knows for how long", "pod-1", "", "null", 60000 },
        { "a remove that has waited", "probate-remove_1", "2027-01-15T08:00:00Z", "600", 0 },
        { "a remove that has not", "probate-remove_1", "2027-01-15T08:00:07Z", "600", 7000 },
        { "a remove that has not by far", "probate-remove_1", "2027-01-15T08:05:00Z", "600",
                300000 },
        { "a remove by another clock", "probate-remove_1", "2028-01-15T08:00:00Z", "600", 600000 },
        { "a remove that says nothing", "probate-remove_1", "soon", "600", 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *text = prb_asprintf(
                "{metadata: {name: probate, annotations: {probate.dev/led-until: '%s'}}, spec: "
                "{holderIdentity: %s, leaseDurationSeconds: %s}}",
                cases[i].until, cases[i].holder, cases[i].seconds);
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

static void give_up_after(int64_t ms)
{
    const struct prb_clock *clock = prb_clock_system();

    removal.end_ms = clock->mono_ms(clock) + ms;
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

/* Else who waits to lead could begin as soon as the former has stopped. */
static void test_the_lease_is_held_for_longer_than_who_led_is_waited_for(void)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_error err;
    struct prb_ref ref;
    int64_t seconds = 0;

    load_lease(600);
    give_up_after(0);
    TEST_ASSERT_TRUE(prb_remove_lead(&removal));
    (void)prb_ref_init(&ref, &leases, "probate-system", "probate");
    TEST_ASSERT_EQUAL_INT(0, prb_api_get(prb_hub_api(hub), &ref, NULL, &lease, &err));
    (void)prb_json_int(prb_object_spec(lease), "leaseDurationSeconds", &seconds);
    TEST_ASSERT_EQUAL_INT64(1200, seconds);
}

/* How often `part` is in `text`. */
static int count(const char *text, const char *part)
{
    int found = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

static void run(void)
{
    prb_remove_all(&removal);
}

#define CLUSTER(name, meta)                                                      \
    "{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, " \
    "metadata: {name: " name ", finalizers: [probate.dev/cluster-cleanup]" meta "}}"

/* Once, although it is tried several times; and at the end once more, with the reason. */
static void test_what_is_waited_for_is_said_at_once_and_at_the_end(void)
{
    prb_autofree char *heard = NULL, *last = NULL;

    load_lease(1);
    load(CLUSTER("eu1", ""));
    give_up_after(4000);
    fault_port_spoil(&port, (struct fault){ .verb = "patch",
                                    .resource = "managedclusters",
                                    .code = PRB_E_FORBIDDEN,
                                    .message = "no right to patch",
                                    .times = -1 });
    heard = hear(run);
    TEST_ASSERT_GREATER_THAN_INT(1, fault_port_count(&port, "patch managedclusters"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, count(heard, "no right to patch\n"), heard);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(heard, "waiting for managedclusters"), heard);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(heard, "eu1"), heard);
    last = prb_remove_last_words(&removal);
    TEST_ASSERT_TRUE_MESSAGE(prb_starts_with(last, "the time is up, still waiting for "), last);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(last, "eu1"), last);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(last, "no right to patch"), last);
}

/* A reason that changes is news; the same one is when a while has passed. */
static void say_four(void)
{
    prb_remove_wait_for(&removal, "a", "%s", "one");
    prb_remove_wait_for(&removal, "a", "%s", "one");
    prb_remove_wait_for(&removal, "a", "%s", "two");
    prb_remove_wait_for(&removal, "b", "%s", "two");
}

static void test_a_reason_is_said_again_when_it_changes(void)
{
    prb_autofree char *heard = hear(say_four), *late = NULL;

    TEST_ASSERT_EQUAL_STRING("waiting for a: one\nwaiting for a: two\nwaiting for b: two\n", heard);
    removal.waits.again_ms = -1;
    late = hear(say_four);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, count(late, "waiting for a: one\n"), late);
    removal.waits.again_ms = 0;
}

static void say_many(void)
{
    for (int i = 1; i <= 7; i++) {
        prb_autofree char *name = prb_asprintf("thing %d", i);

        prb_remove_wait_for(&removal, name, "%s", "held");
    }
}

static void test_of_many_that_are_waited_for_the_first_are_named_and_all_counted(void)
{
    prb_autofree char *heard = NULL, *last = NULL, *none = NULL;

    give_up_after(-1);
    none = prb_remove_last_words(&removal);
    TEST_ASSERT_EQUAL_STRING("the time is up before the last look was finished", none);
    heard = hear(say_many);
    last = prb_remove_last_words(&removal);
    TEST_ASSERT_EQUAL_STRING("the time is up, still waiting for thing 1: held; thing 2: held; "
                             "thing 3: held; thing 4: held; thing 5: held; and 2 more",
            last);
}

/* A round that is cut short says nothing about what it did not get to. */
static void test_what_a_round_did_not_get_to_is_still_waited_for(void)
{
    static const struct {
        const char *name;
        long left_ms;
        bool over, waits;
    } cases[] = {
        { "a round that was cut short", -1, false, true },
        { "one that was whole", 60000, false, false },
        { "one that saw to it, and was cut short", -1, true, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *heard = NULL, *last = NULL;

        prb_remove_round_begin(&removal);
        heard = hear(say_many);
        prb_remove_round_end(&removal);
        prb_remove_round_begin(&removal);
        for (int thing = 1; cases[i].over && thing <= 7; thing++) {
            prb_autofree char *name = prb_asprintf("thing %d", thing);

            prb_remove_wait_over(&removal, name);
        }
        give_up_after(cases[i].left_ms);
        prb_remove_round_end(&removal);
        last = prb_remove_last_words(&removal);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].waits, strstr(last, "still waiting") != NULL, cases[i].name);
        tearDown();
        setUp();
    }
}

static void put_back(void)
{
    static const char *const managers[] = { "",
        ", managedFields: [{manager: probate, operation: "
        "Update, apiVersion: v1, time: '2026-01-01T03:00:00Z', fieldsType: FieldsV1, fieldsV1: "
        "{}}, {manager: gitops, operation: Apply, apiVersion: v1, time: "
        "'2026-01-02T03:00:00Z', fieldsType: FieldsV1, fieldsV1: {}}]" };
    static const char *const texts[] = { "finalizer a/b", "finalizer a/b (it is being deleted)" };

    for (size_t i = 0; i < 2; i++) {
        prb_autofree char *text =
                prb_asprintf("metadata: {name: eu1, finalizers: [a/b]%s}", managers[i]);
        prb_auto(prb_object_unref) struct prb_object *object = NULL;
        struct json_object *tree = NULL;
        struct prb_error err;

        if (prb_yaml_parse(text, strlen(text), &tree, &err) < 0 ||
                prb_object_new(tree, &object, &err) < 0)
            abort();
        prb_remove_took(&removal, object, "managedclusters eu1", texts[i]);
    }
}

/* It is not Probate's move: the program that puts it back is named. */
static void test_what_is_put_back_is_said_with_the_program_that_wrote_last(void)
{
    prb_autofree char *heard = hear(put_back);

    TEST_ASSERT_EQUAL_STRING(
            "waiting for managedclusters eu1: finalizer a/b (it is being deleted) "
            "was put back, and the last to write the object was gitops; end the program that does it\n",
            heard);
    TEST_ASSERT_EQUAL_size_t(2, removal.done);
}

/* The controller that led has the move, and the run waits no longer than it may. */
static void test_the_controller_that_led_is_named_and_waited_for_no_longer_than_the_run_may(void)
{
    const struct prb_clock *clock = prb_clock_system();
    prb_autofree char *heard = NULL, *last = NULL;
    int64_t began_ms = clock->mono_ms(clock);

    load_lease(50);
    give_up_after(300);
    heard = hear(run);
    TEST_ASSERT_LESS_THAN_INT64(prb_test_patience_ms(40000), clock->mono_ms(clock) - began_ms);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(heard, "waiting for the controllers: pod-1 led"), heard);
    last = prb_remove_last_words(&removal);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(last, "pod-1 led"), last);
}

/* Nothing is said by a run that has nothing to wait for. */
static void test_a_run_that_ends_leaves_nothing_to_wait_for(void)
{
    prb_autofree char *heard = NULL, *last = NULL;

    load("{apiVersion: v1, kind: Namespace, metadata: {name: probate-system}}");
    load(CLUSTER("eu1", ""));
    heard = hear(run);
    TEST_ASSERT_EQUAL_STRING("", heard);
    last = prb_remove_last_words(&removal);
    TEST_ASSERT_NULL_MESSAGE(strstr(last, "waiting"), last);
}

static enum prb_exit run_all(struct prb_supervisor *supervisor, void *ctx)
{
    (void)ctx;
    removal.supervisor = supervisor;
    UNITY_BEGIN();
    RUN_TEST(test_a_lease_that_could_not_be_taken_is_tried_again);
    RUN_TEST(test_old_labels_go_and_nothing_else);
    RUN_TEST(test_who_led_is_waited_for);
    RUN_TEST(test_the_lease_says_who_is_still_waited_for);
    RUN_TEST(test_the_lease_is_held_for_longer_than_who_led_is_waited_for);
    RUN_TEST(test_what_is_waited_for_is_said_at_once_and_at_the_end);
    RUN_TEST(test_a_reason_is_said_again_when_it_changes);
    RUN_TEST(test_of_many_that_are_waited_for_the_first_are_named_and_all_counted);
    RUN_TEST(test_what_a_round_did_not_get_to_is_still_waited_for);
    RUN_TEST(test_what_is_put_back_is_said_with_the_program_that_wrote_last);
    RUN_TEST(test_the_controller_that_led_is_named_and_waited_for_no_longer_than_the_run_may);
    RUN_TEST(test_a_run_that_ends_leaves_nothing_to_wait_for);
    return UNITY_END() == 0 ? PRB_EXIT_DONE : PRB_EXIT_DENIED;
}

int main(void)
{
    return prb_supervise(run_all, NULL);
}
