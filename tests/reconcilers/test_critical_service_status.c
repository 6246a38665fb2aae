/* What the status of a CriticalService says about its criteria, and when it is written. */

#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "crit_world.h"

void setUp(void)
{
}

void tearDown(void)
{
    crit_done();
}

#define AT(pointer) crit_at(GUARD_KEY, "/status" pointer)

static void test_an_object_with_the_finalizer_is_a_blocker(void)
{
    crit_build(CALM COOL_GUARD A_COOL "metadata: {name: x, namespace: team-a, " FINALIZER ", " SINCE
                                      "}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unmet", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("Finalizer", AT("/criteria/0/type"));
    TEST_ASSERT_EQUAL_STRING(COOL_TEXT, AT("/criteria/0/description"));
    TEST_ASSERT_EQUAL_STRING(COOL, AT("/criteria/0/resource"));
    TEST_ASSERT_EQUAL_STRING(CRIT_NOW, AT("/criteria/0/resolvedAt"));
    TEST_ASSERT_EQUAL_STRING("[{\"namespace\":\"team-a\",\"name\":\"x\",\"finalizer\":"
                             "\"my.crd.group/super-important\",\"deletingSince\":"
                             "\"2026-01-02T03:00:00Z\"}]",
            AT("/criteria/0/blockers"));
    TEST_ASSERT_EQUAL_STRING("false", AT("/criteria/0/more"));
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group team-a/x", AT("/blockedBy"));
    TEST_ASSERT_EQUAL_STRING("False CriteriaUnmet", crit_condition("DeletionAllowed"));
}

static void test_an_object_without_the_finalizer_is_none(void)
{
    crit_build(CALM COOL_GUARD A_COOL
            "metadata: {name: x, namespace: team-a, finalizers: [another]}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Met", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/blockers"));
    TEST_ASSERT_EQUAL_STRING("", AT("/blockedBy"));
    TEST_ASSERT_EQUAL_STRING("True CriteriaMet", crit_condition("DeletionAllowed"));
}

static void test_five_are_named_the_longest_deleting_first(void)
{
    crit_build(CALM COOL_GUARD);
    for (int i = 0; i < 7; i++) {
        prb_autofree char *yaml =
                prb_asprintf(A_COOL "metadata: {name: x%d, namespace: t, " FINALIZER "%s}\n", i,
                        i == 6 ? ", " SINCE : "");

        crit_add(yaml);
    }
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("x6", AT("/criteria/0/blockers/0/name"));
    TEST_ASSERT_EQUAL_STRING("x0", AT("/criteria/0/blockers/1/name"));
    TEST_ASSERT_EQUAL_STRING("x3", AT("/criteria/0/blockers/4/name"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/blockers/5"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/blockers/1/deletingSince"));
    TEST_ASSERT_EQUAL_STRING("true", AT("/criteria/0/more"));
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group t/x6 and more", AT("/blockedBy"));
}

static void test_a_specific_resource_blocks_while_it_is_there(void)
{
    crit_build(CALM GUARD_OF(DEFINITION_CRITERION) A_DEFINITION
            "metadata: {name: coolresources.my.crd.group, " SINCE
            ", finalizers: [customresourcecleanup.apiextensions.k8s.io, other]}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unmet", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("SpecificResource", AT("/criteria/0/type"));
    TEST_ASSERT_EQUAL_STRING(DEFINITION_TEXT, AT("/criteria/0/description"));
    TEST_ASSERT_EQUAL_STRING(DEFINITIONS, AT("/criteria/0/resource"));
    TEST_ASSERT_EQUAL_STRING("[{\"name\":\"coolresources.my.crd.group\",\"finalizer\":"
                             "\"customresourcecleanup.apiextensions.k8s.io, other\","
                             "\"deletingSince\":\"2026-01-02T03:00:00Z\"}]",
            AT("/criteria/0/blockers"));
    crit_remove(DEFINITIONS "//coolresources.my.crd.group");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Met", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/blockers"));
}

static void test_criteria_are_told_in_the_order_of_the_spec(void)
{
    crit_build(CALM GUARD DEFINITION A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING(COOL_TEXT, AT("/criteria/0/description"));
    TEST_ASSERT_EQUAL_STRING(DEFINITION_TEXT, AT("/criteria/1/description"));
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group t/x; "
                             "CustomResourceDefinition.apiextensions.k8s.io "
                             "coolresources.my.crd.group",
            AT("/blockedBy"));
}

static void test_what_blocks_fits_a_column(void)
{
    crit_build(CALM GUARD DEFINITION A_COOL
            "metadata: {name: a-rather-long-name-of-an-object-as-operators-make-them, namespace: "
            "and-a-namespace-of-the-same-sort, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(120, strlen(AT("/blockedBy")));
    TEST_ASSERT_EQUAL_STRING("...", AT("/blockedBy") + 117);
}

static void test_a_resource_that_went_is_met_and_its_first_sight_stays(void)
{
    crit_build(CALM COOL_GUARD A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    crit_now_ms += 60000;
    (void)crit_know("my.crd.group", "coolresources", NULL, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Met", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group is not served", AT("/criteria/0/message"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/resource"));
    TEST_ASSERT_EQUAL_STRING(CRIT_NOW, AT("/criteria/0/resolvedAt"));
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
}

/* The spec may be put in another order: what was found is remembered by what it is. */
static void test_first_sight_follows_the_criterion_not_its_place(void)
{
    crit_build(CALM COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    crit_add(
            A_SERVICE "metadata: {name: guard, uid: guard-1, generation: 2, resourceVersion: '7'}\n"
                      "spec: {" GUARD_PROVIDER ", criteria: [" DEFINITION_CRITERION
                      ", " COOL_CRITERION "]}\nstatus: {observedGeneration: 1, criteria: "
                      "[{description: '" COOL_TEXT "', resolvedAt: '2025-01-01T00:00:00Z'}]}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING(CRIT_NOW, AT("/criteria/0/resolvedAt"));
    TEST_ASSERT_EQUAL_STRING("2025-01-01T00:00:00Z", AT("/criteria/1/resolvedAt"));
}

static void test_what_cannot_be_read_is_unknown(void)
{
    struct prb_known_resource *cool;

    crit_build(CALM COOL_GUARD);
    cool = crit_know("my.crd.group", "coolresources", NULL, false);
    cool->state = PRB_RESOURCE_UNKNOWN;
    (void)prb_copy(cool->trouble, sizeof(cool->trouble), "the API group is down");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING(
            "it cannot be found out: the API group is down", AT("/criteria/0/message"));
    TEST_ASSERT_EQUAL_STRING("", AT("/criteria/0/resolvedAt"));
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group: unknown", AT("/blockedBy"));
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
}

static void test_a_collection_that_is_served_and_not_read_is_unknown(void)
{
    struct prb_known_resource *cool;

    crit_build(CALM COOL_GUARD);
    crit_unread(COOL);
    cool = crit_know("my.crd.group", "coolresources", COOL, true);
    (void)prb_copy(cool->trouble, sizeof(cool->trouble), "too many objects");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("it cannot be found out: too many objects", AT("/criteria/0/message"));
    TEST_ASSERT_EQUAL_STRING(COOL, AT("/criteria/0/resource"));
    TEST_ASSERT_EQUAL_STRING(CRIT_NOW, AT("/criteria/0/resolvedAt"));
}

static void test_the_wrong_scope_is_unknown_and_never_gone(void)
{
    static const struct {
        const char *criterion, *group, *name, *gvr;
        bool namespaced;
        const char *message;
    } cases[] = {
        { "{type: SpecificResource, specificResource: {group: my.crd.group, resource: "
          "coolresources, name: x}}",
                "my.crd.group", "coolresources", COOL, true,
                "coolresources are in namespaces; say in the criterion in which" },
        { "{type: SpecificResource, specificResource: {group: apiextensions.k8s.io, resource: "
          "CustomResourceDefinition, namespace: some, name: x}}",
                "apiextensions.k8s.io", "CustomResourceDefinition", DEFINITIONS, false,
                "customresourcedefinitions are in no namespace; take the namespace out of the "
                "criterion" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *guard = prb_asprintf(CALM A_SERVICE GUARD_META "spec: {" GUARD_PROVIDER
                                                                          ", criteria: [%s]}\n",
                cases[i].criterion);

        crit_build(guard);
        (void)crit_know(cases[i].group, cases[i].name, cases[i].gvr, cases[i].namespaced);
        (void)crit_settle(GUARD_KEY);
        TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
        TEST_ASSERT_EQUAL_STRING(cases[i].message, AT("/criteria/0/message"));
    }
}

static void test_a_criterion_that_nobody_understands_is_unknown(void)
{
    crit_build(CALM GUARD_OF("{type: Moon}"));
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/type"));
    TEST_ASSERT_EQUAL_STRING("a criterion: unknown", AT("/blockedBy"));
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
}

/* A criterion may name what is watched anyway, by whatever name. */
static void test_a_criterion_on_a_namespace_is_looked_up_like_any_other(void)
{
    crit_build(CALM GUARD_OF("{type: SpecificResource, specificResource: {resource: ns, name: "
                             "tenant}}") A_NAMESPACE "metadata: {name: tenant}\n");
    (void)crit_know("", "ns", NAMESPACES, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unmet", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("ns tenant", AT("/blockedBy"));
    crit_remove(NAMESPACES "//tenant");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Met", AT("/criteria/0/state"));
}

static void test_a_first_status_does_not_wait_for_what_is_being_found_out(void)
{
    crit_build(CALM COOL_GUARD);
    crit_forget_resources();
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("it is being found out", AT("/criteria/0/message"));
    TEST_ASSERT_EQUAL_STRING("1", AT("/observedGeneration"));
}

static void test_after_a_start_what_was_said_stands_until_all_is_read(void)
{
    struct prb_known_resource *cool;

    crit_build(CALM COOL_GUARD A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    crit_forget_resources();
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, crit_changes.count, "it was not looked for yet");
    cool = crit_know("my.crd.group", "coolresources", NULL, true);
    cool->state = PRB_RESOURCE_UNKNOWN;
    (void)prb_copy(cool->trouble, sizeof(cool->trouble), PRB_NOT_LOOKED_FOR);
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, crit_changes.count, "it is in the queue");
    (void)crit_know("my.crd.group", "coolresources", COOL, true);
    crit_unread(COOL);
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, crit_changes.count, "it was not read yet");
}

/* Its group is served by somebody who is down: what the cache has may be long past. */
static void test_a_collection_that_is_not_kept_up_any_more_is_unknown(void)
{
    struct prb_known_resource *cool;

    crit_build(CALM COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Met", AT("/criteria/0/state"));
    cool = crit_know("my.crd.group", "coolresources", COOL, true);
    (void)prb_copy(cool->trouble, sizeof(cool->trouble), "503");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown", AT("/criteria/0/state"));
    TEST_ASSERT_EQUAL_STRING("it cannot be found out: 503", AT("/criteria/0/message"));
}

static void test_what_is_written_is_only_what_differs(void)
{
    const struct json_object *status;

    crit_build(CALM COOL_GUARD A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    crit_now_ms += 60000;
    crit_add(A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-2, " LABELS
                          "}\nstatus: {readyReplicas: 1}\n");
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(2, crit_changes.count);
    TEST_ASSERT_EQUAL_STRING("status", crit_changes.items[0].subresource);
    TEST_ASSERT_NOT_NULL(crit_changes.items[0].resource_version);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_EVENT, crit_changes.items[1].type);
    status = prb_json_obj(crit_changes.items[0].body, "status");
    TEST_ASSERT_EQUAL_INT(2, json_object_object_length(status));
    TEST_ASSERT_EQUAL_STRING("op-2", prb_json_str(status, "providerUID"));
    TEST_ASSERT_EQUAL_STRING("2026-01-02T03:13:00Z", prb_json_str(status, "updatedAt"));
}

static void test_what_others_wrote_is_never_touched(void)
{
#define DENIED "lastDenied: {time: '2026-01-02T03:11:00Z', user: eve, operation: DELETE, object: o}"
    crit_build(CALM A_SERVICE GUARD_META
            "spec: {" GUARD_PROVIDER ", criteria: [" COOL_CRITERION "]}\n"
            "status: {" DENIED
            ", strange: 1, conditions: [{type: Theirs, status: 'True', reason: R, "
            "message: m, lastTransitionTime: '2025-01-01T00:00:00Z'}]}\n");
    (void)crit_settle(GUARD_KEY);
    crit_add(A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n");
    (void)crit_settle(GUARD_KEY);
    crit_remove(PROVIDER_KEY);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("{\"time\":\"2026-01-02T03:11:00Z\",\"user\":\"eve\",\"operation\":"
                             "\"DELETE\",\"object\":\"o\"}",
            AT("/lastDenied"));
    TEST_ASSERT_EQUAL_STRING("1", AT("/strange"));
    TEST_ASSERT_EQUAL_STRING("True R", crit_condition("Theirs"));
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("Protected"));
}

static void test_a_status_of_an_older_sight_is_not_forced(void)
{
    crit_build(CALM COOL_GUARD);
    crit_decide(GUARD_KEY);
    crit_add(
            A_SERVICE "metadata: {name: guard, uid: guard-1, generation: 2, resourceVersion: '9'}\n"
                      "spec: {" GUARD_PROVIDER ", criteria: []}\n");
    TEST_ASSERT_FALSE(crit_apply());
}

static void test_time_alone_is_no_reason_to_write(void)
{
    crit_build(CALM GUARD DEFINITION A_COOL "metadata: {name: x, namespace: t, " FINALIZER
                                            ", " SINCE "}\n");
    (void)crit_settle(GUARD_KEY);
    crit_now_ms += (int64_t)24 * 3600 * 1000;
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(0, crit_changes.count);
}

/* Everything that shows in one condition at once, each turned and turned back. */
static void test_since_when_changes_only_with_the_status(void)
{
    crit_build(CALM COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    crit_now_ms += 60000;
    (void)crit_know("my.crd.group", "coolresources", NULL, false);
    crit_remove(PROVIDER_KEY);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("2026-01-02T03:13:00Z", AT("/conditions/0/lastTransitionTime"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(CRIT_NOW, AT("/conditions/1/lastTransitionTime"),
            "DeletionAllowed is as true as before");
    crit_now_ms += 60000;
    crit_remove(WEBHOOKS "//probate");
    crit_add(PROVIDER);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProtectionMissing", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("2026-01-02T03:13:00Z", AT("/conditions/0/lastTransitionTime"),
            "as false as before, for another reason");
}

static void test_the_generation_is_always_told(void)
{
    crit_build(CALM COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    crit_add(
            A_SERVICE "metadata: {name: guard, uid: guard-1, generation: 5, resourceVersion: '9'}\n"
                      "spec: {" GUARD_PROVIDER ", criteria: [" COOL_CRITERION "]}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("5", AT("/observedGeneration"));
    TEST_ASSERT_EQUAL_STRING("5", AT("/conditions/3/observedGeneration"));
}

#define BLOCKERS 5000

static void add_blockers(int from, int to)
{
    for (int i = from; i < to; i++) {
        prb_autofree char *yaml = prb_asprintf(
                A_COOL "metadata: {name: x%05d, namespace: t, " FINALIZER ", " SINCE "}\n", i);

        crit_add(yaml);
    }
}

/* One goes every ten milliseconds; the keys of ten come together while one is looked at. The number
 * of writes; -1 when something is neither written nor put off. */
static int let_go_one_by_one(void)
{
    int writes = 0;

    for (int i = 0; i < BLOCKERS; i++) {
        prb_autofree char *key = prb_asprintf(COOL "/t/x%05d", i);

        crit_remove(key);
        crit_now_ms += 10;
        if (i % 10 != 9)
            continue;
        crit_decide(GUARD_KEY);
        if (!crit_apply() || (crit_changes.count == 0 && crit_changes.again_after_ms == 0))
            return -1;
        writes += crit_changes.count > 0;
    }
    return writes;
}

/* Fifty seconds, at one write in two. */
static void test_thousands_that_go_one_by_one_are_not_as_many_writes(void)
{
    int writes;

    crit_build(CALM COOL_GUARD);
    add_blockers(0, BLOCKERS);
    (void)crit_settle(GUARD_KEY);
    writes = let_go_one_by_one();
    TEST_ASSERT_LESS_THAN_INT(30, writes);
    TEST_ASSERT_GREATER_THAN_INT(20, writes);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("Met", AT("/criteria/0/state"), "the end is told at once");
}

static void test_other_names_wait_for_their_time_and_news_do_not(void)
{
    crit_build(CALM COOL_GUARD);
    add_blockers(0, 2);
    (void)crit_settle(GUARD_KEY);
    crit_now_ms += 500;
    crit_remove(COOL "/t/x00000");
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(0, crit_changes.count);
    TEST_ASSERT_EQUAL_INT64(1500, crit_changes.again_after_ms);
    crit_now_ms += crit_changes.again_after_ms;
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(1, crit_changes.count);
    TEST_ASSERT_TRUE(crit_apply());
    TEST_ASSERT_EQUAL_STRING("x00001", AT("/criteria/0/blockers/0/name"));
    crit_remove(COOL "/t/x00001");
    crit_decide(GUARD_KEY);
    TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(0, crit_changes.count, "met: at once");
}

static void test_a_clock_that_was_ahead_holds_nothing_up(void)
{
    crit_build(CALM COOL_GUARD);
    add_blockers(0, 2);
    (void)crit_settle(GUARD_KEY);
    crit_now_ms -= 3600000;
    crit_remove(COOL "/t/x00000");
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(1, crit_changes.count);
}

static void test_what_was_refused_waits_and_says_for_what(void)
{
    crit_build(
            CALM COOL_GUARD A_COOL "metadata: {name: x, namespace: t, " FINALIZER ", " SINCE "}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_NULL_MESSAGE(crit_changes.waits_for, "nobody has tried");
    crit_build(CALM A_SERVICE GUARD_META
            "spec: {" GUARD_PROVIDER ", criteria: [" COOL_CRITERION "]}\nstatus: {" DENIED
            "}\n" A_COOL "metadata: {name: x, namespace: t, " FINALIZER ", " SINCE "}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("deletion of deployments.apps home/op waits for: " COOL_TEXT
                             ": t/x (being deleted for 12m)",
            crit_changes.waits_for);
    TEST_ASSERT_EQUAL_INT64(60000, crit_changes.again_after_ms);
    crit_remove(COOL "/t/x");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_NULL_MESSAGE(crit_changes.waits_for, "nothing is in the way");
    TEST_ASSERT_EQUAL_INT64(0, crit_changes.again_after_ms);
}

static void test_nothing_is_said_of_what_is_gone(void)
{
    crit_build(CALM);
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(0, crit_changes.count);
    TEST_ASSERT_NULL(crit_changes.waits_for);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_with_the_finalizer_is_a_blocker);
    RUN_TEST(test_an_object_without_the_finalizer_is_none);
    RUN_TEST(test_five_are_named_the_longest_deleting_first);
    RUN_TEST(test_a_specific_resource_blocks_while_it_is_there);
    RUN_TEST(test_criteria_are_told_in_the_order_of_the_spec);
    RUN_TEST(test_what_blocks_fits_a_column);
    RUN_TEST(test_a_resource_that_went_is_met_and_its_first_sight_stays);
    RUN_TEST(test_first_sight_follows_the_criterion_not_its_place);
    RUN_TEST(test_what_cannot_be_read_is_unknown);
    RUN_TEST(test_a_collection_that_is_served_and_not_read_is_unknown);
    RUN_TEST(test_the_wrong_scope_is_unknown_and_never_gone);
    RUN_TEST(test_a_criterion_that_nobody_understands_is_unknown);
    RUN_TEST(test_a_criterion_on_a_namespace_is_looked_up_like_any_other);
    RUN_TEST(test_a_first_status_does_not_wait_for_what_is_being_found_out);
    RUN_TEST(test_after_a_start_what_was_said_stands_until_all_is_read);
    RUN_TEST(test_a_collection_that_is_not_kept_up_any_more_is_unknown);
    RUN_TEST(test_what_is_written_is_only_what_differs);
    RUN_TEST(test_what_others_wrote_is_never_touched);
    RUN_TEST(test_a_status_of_an_older_sight_is_not_forced);
    RUN_TEST(test_time_alone_is_no_reason_to_write);
    RUN_TEST(test_since_when_changes_only_with_the_status);
    RUN_TEST(test_the_generation_is_always_told);
    RUN_TEST(test_thousands_that_go_one_by_one_are_not_as_many_writes);
    RUN_TEST(test_other_names_wait_for_their_time_and_news_do_not);
    RUN_TEST(test_a_clock_that_was_ahead_holds_nothing_up);
    RUN_TEST(test_what_was_refused_waits_and_says_for_what);
    RUN_TEST(test_nothing_is_said_of_what_is_gone);
    return UNITY_END();
}
