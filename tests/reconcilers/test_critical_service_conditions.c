/* What the conditions of a CriticalService say, and which Events tell of their turns. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "crit_world.h"

void setUp(void)
{
}

void tearDown(void)
{
    crit_done();
}

#define BLOCKER A_COOL "metadata: {name: x, namespace: t, " FINALIZER "}\n"
#define DYING A_COOL "metadata: {name: x, namespace: t, " FINALIZER ", " SINCE "}\n"
#define MESSAGE(index) crit_at(GUARD_KEY, "/status/conditions/" index "/message")
#define HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text)

static void test_all_is_well(void)
{
    crit_build(CALM GUARD);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("True CriteriaMet", crit_condition("DeletionAllowed"));
    TEST_ASSERT_EQUAL_STRING("True Ready", crit_condition("ProviderAlive"));
    TEST_ASSERT_EQUAL_STRING("False NoCycle", crit_condition("Deadlock"));
    TEST_ASSERT_EQUAL_STRING("op-1", crit_at(GUARD_KEY, "/status/providerUID"));
}

/* Kubernetes 1.20 refuses a condition without one. */
static void test_no_message_is_ever_empty(void)
{
    static const char *const worlds[] = { CALM GUARD, GUARD, CALM GUARD DEFINITION BLOCKER,
        DEAD_PROVIDER HOME GUARD DYING, CALM GUARD_OF("") };

    for (size_t i = 0; i < 4 * (sizeof(worlds) / sizeof(worlds[0])); i++) {
        prb_autofree char *pointer = prb_asprintf("/status/conditions/%zu/message", i % 4);

        crit_build(worlds[i / 4]);
        (void)crit_settle(GUARD_KEY);
        TEST_ASSERT_TRUE_MESSAGE(strlen(crit_at(GUARD_KEY, pointer)) > 0, pointer);
    }
}

static void test_a_provider_that_is_not_there(void)
{
    crit_build(HOME WEBHOOK GUARD);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("ProviderAlive"));
    TEST_ASSERT_EQUAL_STRING("", crit_at(GUARD_KEY, "/status/providerUID"));
}

static void test_an_invalid_spec(void)
{
    static const struct {
        const char *name, *spec, *says;
    } cases[] = {
        { "another kind",
                "{provider: {group: apps, resource: statefulsets, namespace: home, name: op}, "
                "criteria: []}",
                "only deployments.apps" },
        { "no namespace",
                "{provider: {group: apps, resource: deployments, namespace: '', name: op}, "
                "criteria: []}",
                "no Deployment can have" },
        { "a name with a slash",
                "{provider: {group: apps, resource: deployments, namespace: home, name: a/b}, "
                "criteria: []}",
                "no Deployment can have" },
        { "a criterion of another type", "{" GUARD_PROVIDER ", criteria: [{type: Never}]}",
                "spec.criteria[0] cannot be understood" },
        { "a criterion with two members",
                "{" GUARD_PROVIDER ", criteria: [" COOL_CRITERION
                ", {type: Finalizer, finalizer: {resource: a, finalizerName: b}, "
                "specificResource: {resource: a, name: b}}]}",
                "spec.criteria[1] cannot be understood" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *yaml =
                prb_asprintf(CALM A_SERVICE GUARD_META "spec: %s\n", cases[i].spec);

        crit_build(yaml);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "False InvalidSpec", crit_condition("Protected"), cases[i].name);
        HAS(MESSAGE("0"), cases[i].says);
    }
}

/* Somebody has changed the schema, and a write, of the status too, would store it like this. */
static void test_a_spec_that_lacks_what_the_definition_demands_is_not_written(void)
{
    static const char *const specs[] = {
        "{criteria: []}",
        "{provider: {group: apps, resource: deployments, name: op}, criteria: []}",
        "{" GUARD_PROVIDER "}",
        "{" GUARD_PROVIDER ", criteria: [{}]}",
        "{" GUARD_PROVIDER ", criteria: [" COOL_CRITERION ", {type: Finalizer}]}",
        "{" GUARD_PROVIDER ", criteria: [{type: Finalizer, finalizer: {resource: a}}]}",
        "{" GUARD_PROVIDER ", criteria: [{type: Finalizer, finalizer: {finalizerName: a}}]}",
        "{" GUARD_PROVIDER ", criteria: [{type: SpecificResource}]}",
        "{" GUARD_PROVIDER
        ", criteria: [{type: SpecificResource, specificResource: {resource: a}}]}",
        "{" GUARD_PROVIDER ", criteria: [{type: SpecificResource, specificResource: {name: a}}]}",
    };

    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        prb_autofree char *yaml = prb_asprintf(CALM A_SERVICE GUARD_META "spec: %s\n", specs[i]);

        crit_build(yaml);
        crit_decide(GUARD_KEY);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, crit_changes.count, specs[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_CHANGE_EVENT, crit_changes.items[0].type, specs[i]);
        TEST_ASSERT_EQUAL_STRING("SpecIncomplete", crit_changes.items[0].reason);
        HAS(crit_changes.waits_for ? crit_changes.waits_for : "", "The status is not written");
    }
}

static void test_more_criteria_than_are_looked_at(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 1 << 16);
    prb_str_add(&yaml, CALM A_SERVICE GUARD_META "spec: {" GUARD_PROVIDER ", criteria: [");
    for (int i = 0; i < PRB_CRITERIA_MAX + 1; i++)
        prb_str_addf(&yaml, "%s%s", i > 0 ? ", " : "", COOL_CRITERION);
    prb_str_add(&yaml, "]}\n");
    crit_build(prb_str_get(&yaml));
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False InvalidSpec", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
    HAS(MESSAGE("1"), "after the first 32");
}

static void test_a_resource_that_never_was_may_be_a_typo(void)
{
    crit_build(CALM COOL_GUARD);
    (void)crit_know("my.crd.group", "coolresources", NULL, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False CriterionNeverResolved", crit_condition("Protected"));
    HAS(MESSAGE("0"), "\"" COOL_TEXT "\": coolresources.my.crd.group is not served, and never was");
    HAS(MESSAGE("0"), "if that is a typo");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("True CriteriaMet", crit_condition("DeletionAllowed"),
            "what is positively absent stands in nobody's way");
    (void)crit_know("my.crd.group", "coolresources", COOL, true);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "True Enforced", crit_condition("Protected"), "it was only not installed yet");
    (void)crit_know("my.crd.group", "coolresources", NULL, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "True Enforced", crit_condition("Protected"), "it is known to be no typo");
}

static void test_a_missing_right_is_named(void)
{
    crit_build(CALM COOL_GUARD);
    crit_unread(COOL);
    crit_know("my.crd.group", "coolresources", COOL, true)->forbidden = true;
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False CriteriaUnreadable", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
    HAS(MESSAGE("0"), "probate manifest rbac --criteria-resource coolresources.my.crd.group");
}

/* A right that was taken away leaves a cache behind that nobody keeps up any more. */
static void test_a_right_that_was_lost_makes_unknown_what_was_known(void)
{
    crit_build(CALM COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    crit_know("my.crd.group", "coolresources", COOL, true)->forbidden = true;
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
}

#define DELETING "critical-service-delete.probate.dev"
#define HOOK(name, more) "{name: " name ", " more "}"
#define FOR_ALL "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}"
#define THREE(one) WEBHOOK_OF(one ", " NAMESPACE_HOOK ", " LABEL_HOOK)

static void test_a_webhook_that_does_not_protect(void)
{
    static const struct {
        const char *name, *webhook, *says;
    } cases[] = {
        { "none", "", "no ValidatingWebhookConfiguration has the webhook" },
        { "another", WEBHOOK_OF(HOOK("other.example", "failurePolicy: Fail, rules: [" FOR_ALL "]")),
                "no ValidatingWebhookConfiguration has the webhook" },
        { "fails open", THREE(HOOK(DELETING, "failurePolicy: Ignore, rules: [" DELETE_RULES "]")),
                "failurePolicy" },
        { "no rules", THREE(HOOK(DELETING, "failurePolicy: Fail")),
                DELETING " is not for DELETE of deployments.apps" },
        { "as 0.1 had it",
                THREE(HOOK(DELETING, "failurePolicy: Fail, objectSelector: " IF_LABELLED
                                     ", rules: [" DELETE_RULES ", " NAMESPACE_RULES "]")),
                "leave out" },
        { "no namespaces", WEBHOOK_OF(DELETE_HOOK ", " LABEL_HOOK),
                "has the webhook critical-service-namespace.probate.dev" },
        { "no DELETE of namespaces",
                WEBHOOK_OF(DELETE_HOOK
                        ", {name: critical-service-namespace.probate.dev, rules: [" LABEL_RULES
                        "]}, " LABEL_HOOK),
                "is not for DELETE of namespaces" },
        { "no DELETE",
                THREE(HOOK(DELETING, "failurePolicy: Fail, rules: [{operations: [UPDATE], "
                                     "apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]")),
                "is not for DELETE" },
        { "only what is in no namespace",
                THREE(HOOK(DELETING, "failurePolicy: Fail, rules: [{operations: ['*'], apiGroups: "
                                     "['*'], apiVersions: ['*'], resources: ['*'], scope: "
                                     "Cluster}]")),
                "is not for DELETE" },
        { "not this object",
                THREE(HOOK(DELETING, "failurePolicy: Fail, objectSelector: {matchLabels: {a: b}}, "
                                     "rules: [" DELETE_RULES "]")),
                "leave out" },
        { "a selector that is none",
                THREE(HOOK(DELETING, "failurePolicy: Fail, objectSelector: {matchExpressions: "
                                     "[{key: a, operator: Near}]}, rules: [" DELETE_RULES "]")),
                "leave out" },
        { "nobody looks after the label", WEBHOOK_OF(DELETE_HOOK ", " NAMESPACE_HOOK),
                "has the webhook critical-service-label.probate.dev" },
        { "the label goes by subresources",
                WEBHOOK_OF(DELETE_HOOK ", " NAMESPACE_HOOK
                                       ", {name: critical-service-label.probate.dev, rules: "
                                       "[{operations: [UPDATE], apiGroups: [''], apiVersions: "
                                       "[v1], resources: ['*']}]}"),
                "is not for UPDATE of namespaces, namespaces/status and namespaces/finalize" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        crit_build(PROVIDER HOME GUARD);
        crit_add(cases[i].webhook);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "ProtectionMissing ", crit_settle(GUARD_KEY), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "False ProtectionMissing", crit_condition("Protected"), cases[i].name);
        HAS(MESSAGE("0"), cases[i].says);
    }
}

static void test_a_webhook_that_protects(void)
{
    static const struct {
        const char *name, *webhook;
    } cases[] = {
        { "as it is printed", WEBHOOK },
        { "for everything",
                WEBHOOK_OF(HOOK(DELETING,
                        "rules: [" FOR_ALL
                        "]") ", {name: critical-service-namespace.probate.dev, rules: [" FOR_ALL
                             "]}, "
                             "{name: critical-service-label.probate.dev, rules: [" FOR_ALL "]}") },
        { "not for kube-system",
                THREE(HOOK(DELETING, "failurePolicy: Fail, namespaceSelector: {matchExpressions: "
                                     "[{key: kubernetes.io/metadata.name, operator: NotIn, "
                                     "values: [kube-system]}]}, rules: [" DELETE_RULES "]")) },
        { "one of two that does not", WEBHOOK A_WEBHOOK
                "metadata: {name: b}\nwebhooks: [{name: " DELETING ", failurePolicy: Ignore}]\n" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        crit_build(PROVIDER HOME GUARD);
        crit_add(cases[i].webhook);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "True Enforced", crit_condition("Protected"), cases[i].name);
    }
}

/* While Probate answers the label stays on all the same. */
static void test_a_label_that_can_be_taken_off_while_probate_is_away_is_told_of(void)
{
    static const struct {
        const char *name, *hook, *condition;
    } cases[] = {
        { "the server dropped the condition", LABEL_HOOK_OF("Ignore", ""), "True LabelGuardOpen" },
        { "not closed yet", LABEL_HOOK_OF("Ignore", ", " TAKEN_OFF), "True LabelGuardOpen" },
        { "another condition",
                LABEL_HOOK_OF("Fail", ", matchConditions: [{name: a, expression: 'false'}]"),
                "True LabelGuardOpen" },
        { "one condition more",
                LABEL_HOOK_OF("Fail",
                        ", matchConditions: [{name: a, expression: '" PRB_LABEL_TAKEN_OFF
                        "'}, {name: b, expression: 'false'}]"),
                "True LabelGuardOpen" },
        { "closed", LABEL_HOOK, "True Enforced" },
        { "closed without a condition", LABEL_HOOK_OF("Fail", ""), "True Enforced" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *yaml =
                prb_asprintf(WEBHOOK_OF("%s, %s, %s"), DELETE_HOOK, NAMESPACE_HOOK, cases[i].hook);

        crit_build(PROVIDER HOME GUARD);
        crit_add(yaml);
        (void)crit_settle(GUARD_KEY);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].condition, crit_condition("Protected"), cases[i].name);
    }
}

static void test_an_exempt_namespace_is_not_protected(void)
{
    static const char *const exempt[] = { "home" };

    crit_build(PROVIDER HOME GUARD);
    crit_add(THREE(HOOK(DELETING, "failurePolicy: Fail, namespaceSelector: {matchLabels: {a: b}}, "
                                  "rules: [" DELETE_RULES "]")));
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False NamespaceExempt", crit_condition("Protected"));
    crit_build(CALM GUARD);
    crit_settings = (struct prb_critical_settings){ exempt, 1 };
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False NamespaceExempt", crit_condition("Protected"));
    HAS(MESSAGE("0"), "webhook.exemptNamespaces");
}

static void test_a_registration_that_cannot_be_seen_is_not_called_missing(void)
{
    crit_build(PROVIDER HOME GUARD);
    crit_unread(WEBHOOKS);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
    HAS(MESSAGE("0"), "is unknown");
}

static void test_what_has_no_label_yet_is_not_protected_yet(void)
{
    crit_build(WEBHOOK GUARD PROVIDER A_NAMESPACE "metadata: {name: home, uid: home-1}\n");
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False LabelMissing", crit_condition("Protected"));
    (void)crit_settle(HOME_KEY);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
}

static void test_what_is_on_its_way_out_needs_no_label(void)
{
    crit_build(WEBHOOK GUARD A_NAMESPACE "metadata: {name: home, " SINCE "}\n" A_DEPLOYMENT
                                         "metadata: {name: op, namespace: home, uid: op-1, " SINCE
                                         "}\nstatus: {readyReplicas: 1}\n");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("True Enforced", crit_condition("Protected"));
}

#define GOING_HOME A_NAMESPACE "metadata: {name: home, " SINCE ", " LABELS "}\n"
#define GOING_PROVIDER                                                                   \
    A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-1, " SINCE "}\nstatus: " \
                 "{readyReplicas: 1}\n"

static const char *note_of(const char *reason)
{
    for (size_t i = 0; i < crit_changes.count; i++) {
        if (prb_streq(crit_changes.items[i].reason, reason))
            return crit_changes.items[i].note;
    }
    return "";
}

/* Ready replicas help nobody: their end has begun. */
static void test_a_provider_that_goes_while_it_is_needed_is_dead(void)
{
    static const struct {
        const char *name, *world, *says;
    } cases[] = {
        { "with its namespace", PROVIDER GOING_HOME,
                "goes with its namespace, which is being deleted" },
        { "itself", GOING_PROVIDER HOME, "is being deleted" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        crit_build(WEBHOOK GUARD BLOCKER);
        crit_add(cases[i].world);
        crit_decide(GUARD_KEY);
        HAS(note_of("ProviderDead"), cases[i].says);
        HAS(note_of("ProviderDead"),
                "finalizer my.crd.group/super-important of coolresources.my.crd.group t/x");
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "ProviderDead ", crit_settle(GUARD_KEY), "told once, and at once");
        TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("ProviderAlive"));
        TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("Protected"));
        HAS(MESSAGE("2"), cases[i].says);
        crit_decide(GUARD_KEY);
        TEST_ASSERT_NOT_NULL(crit_changes.waits_for);
        HAS(crit_changes.waits_for ? crit_changes.waits_for : "",
                "without a controller: finalizer");
    }
}

/* Nothing needs it: that is how it should be. */
static void test_a_provider_that_goes_and_is_not_needed_is_no_news(void)
{
    crit_build(WEBHOOK GUARD PROVIDER GOING_HOME);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("True Ready", crit_condition("ProviderAlive"));
}

static void test_a_provider_that_went_while_it_was_needed_is_dead(void)
{
    crit_build(CALM GUARD BLOCKER);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING("ProviderDead ", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("ProviderAlive"));
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("Protected"));
    crit_remove(COOL "/t/x");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("ProviderAlive"));
}

/* One that never was there is awaited, not missed. */
static void test_a_provider_that_never_came_is_absent(void)
{
    crit_build(HOME WEBHOOK GUARD BLOCKER);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProviderAbsent", crit_condition("ProviderAlive"));
}

static void test_several_faults_are_all_told_and_the_first_is_the_reason(void)
{
    crit_build(PROVIDER HOME COOL_GUARD);
    (void)crit_know("my.crd.group", "coolresources", NULL, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProtectionMissing", crit_condition("Protected"));
    HAS(MESSAGE("0"), "no ValidatingWebhookConfiguration");
    HAS(MESSAGE("0"), "if that is a typo");
}

static void test_a_missing_protection_is_told_once(void)
{
    crit_build(CALM GUARD);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    crit_remove(WEBHOOKS "//probate");
    TEST_ASSERT_EQUAL_STRING("ProtectionMissing ", crit_settle(GUARD_KEY));
    crit_now_ms += 60000;
    crit_add(BLOCKER);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), "still missing");
    crit_add(WEBHOOK);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    crit_remove(WEBHOOKS "//probate");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("ProtectionMissing ", crit_settle(GUARD_KEY), "once more");
}

static void test_a_deletion_that_has_come_to_be_allowed_is_told_once(void)
{
    crit_build(CALM GUARD BLOCKER);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False CriteriaUnmet", crit_condition("DeletionAllowed"));
    crit_remove(COOL "/t/x");
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(2, crit_changes.count);
    TEST_ASSERT_EQUAL_STRING("DeletionAllowed", crit_changes.items[1].reason);
    TEST_ASSERT_FALSE(crit_changes.items[1].warning);
    TEST_ASSERT_EQUAL_STRING("guard-1", crit_changes.items[1].uid);
    TEST_ASSERT_EQUAL_STRING("CriticalService", crit_changes.items[1].kind);
    HAS(crit_changes.items[1].note, "home/op");
    TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_CHANGE_MERGE_PATCH, crit_changes.items[0].type,
            "the status first: where that is refused nothing is told");
    TEST_ASSERT_EQUAL_STRING("DeletionAllowed ", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
}

static void unknown_for_a_while(const char *guard)
{
    struct prb_known_resource *cool;

    crit_build(guard);
    cool = crit_know("my.crd.group", "coolresources", COOL, true);
    cool->state = PRB_RESOURCE_UNKNOWN;
    (void)prb_copy(cool->trouble, sizeof(cool->trouble), "down");
    (void)crit_settle(GUARD_KEY);
    (void)crit_know("my.crd.group", "coolresources", COOL, true);
}

static void test_allowed_after_unknown_is_told_to_who_was_refused(void)
{
    unknown_for_a_while(CALM COOL_GUARD);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), "nobody has tried");
    TEST_ASSERT_EQUAL_STRING("True CriteriaMet", crit_condition("DeletionAllowed"));
    unknown_for_a_while(
            CALM A_SERVICE GUARD_META "spec: {" GUARD_PROVIDER ", criteria: [" COOL_CRITERION
                                      "]}\nstatus: {lastDenied: {time: t}}\n");
    TEST_ASSERT_EQUAL_STRING("DeletionAllowed ", crit_settle(GUARD_KEY));
}

static void test_one_unmet_outweighs_any_unknown(void)
{
    crit_build(CALM GUARD BLOCKER);
    crit_know("apiextensions.k8s.io", "CustomResourceDefinition", DEFINITIONS, false)->forbidden =
            true;
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False CriteriaUnmet", crit_condition("DeletionAllowed"));
}

static void test_a_provider_that_was_replaced_is_told_once(void)
{
    crit_build(CALM GUARD);
    (void)crit_settle(GUARD_KEY);
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("op-1", crit_at(GUARD_KEY, "/status/providerUID"),
            "kept, or nobody could tell that the next one is another");
    crit_add(A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-2, " LABELS
                          "}\nstatus: {readyReplicas: 1}\n");
    TEST_ASSERT_EQUAL_STRING("ProviderReplaced ", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("op-2", crit_at(GUARD_KEY, "/status/providerUID"));
    crit_add(PROVIDER);
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(2, crit_changes.count);
    TEST_ASSERT_TRUE(crit_changes.items[1].warning);
    HAS(crit_changes.items[1].note, "its uid was op-2 and is op-1");
}

static void test_a_dead_provider_is_told_once(void)
{
    crit_build(DEAD_PROVIDER HOME WEBHOOK GUARD BLOCKER);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "Unknown NotReady", crit_condition("ProviderAlive"), "nothing is being deleted");
    crit_add(DYING);
    crit_decide(GUARD_KEY);
    TEST_ASSERT_EQUAL_size_t(2, crit_changes.count);
    TEST_ASSERT_TRUE(crit_changes.items[1].warning);
    HAS(crit_changes.items[1].note, "nothing will remove finalizer my.crd.group/super-important of "
                                    "coolresources.my.crd.group t/x (being deleted for 12m)");
    TEST_ASSERT_EQUAL_STRING("ProviderDead ", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("ProviderAlive"));
    HAS(MESSAGE("2"), "scale it up");
    crit_now_ms += 60000;
    crit_add(A_COOL "metadata: {name: z, namespace: t, " FINALIZER ", " SINCE "}\n");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), "no deader than before");
    crit_add(PROVIDER);
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("True Ready", crit_condition("ProviderAlive"));
}

/* What is being deleted for another reason than a finalizer of the provider's does not need it. */
static void test_a_specific_resource_that_is_dying_says_nothing_about_the_provider(void)
{
    crit_build(DEAD_PROVIDER HOME WEBHOOK GUARD A_DEFINITION
            "metadata: {name: coolresources.my.crd.group, " SINCE ", finalizers: [a]}\n");
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("Unknown NotReady", crit_condition("ProviderAlive"));
}

#define WAITS_FOR(kind_group, resource, rest)                                                  \
    "{type: SpecificResource, specificResource: {group: '" kind_group "', resource: " resource \
    ", " rest "}}"

static void test_whoever_waits_for_itself_is_told_so(void)
{
    static const struct {
        const char *name, *criterion;
    } cases[] = {
        { "its provider", WAITS_FOR("apps", "deployments", "namespace: home, name: op") },
        { "its namespace", WAITS_FOR("", "Namespace", "name: home") },
        { "itself", WAITS_FOR("probate.dev", "crit", "name: guard") },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *yaml = prb_asprintf(CALM A_SERVICE GUARD_META "spec: {" GUARD_PROVIDER
                                                                         ", criteria: [%s]}\n",
                cases[i].criterion);

        crit_build(yaml);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("Deadlock ", crit_settle(GUARD_KEY), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("True Cycle", crit_condition("Deadlock"), cases[i].name);
        TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    }
}

#define OTHER                                                                                 \
    A_SERVICE "metadata: {name: other, uid: other-1, generation: 1, resourceVersion: '1'}\n"  \
              "spec: {provider: {group: apps, resource: deployments, namespace: away, name: " \
              "op}, criteria: [" WAITS_FOR(                                                   \
                      "apps", "deployments", "namespace: home, name: op") "]}\n"

static void test_a_circle_shows_on_every_member_and_goes_with_either(void)
{
    crit_build(CALM OTHER GUARD_OF(WAITS_FOR("", "ns", "name: away")));
    (void)crit_know("", "ns", NAMESPACES, false);
    (void)crit_know("apps", "deployments", DEPLOYMENTS, true);
    TEST_ASSERT_EQUAL_STRING("Deadlock ", crit_settle(GUARD_KEY));
    HAS(MESSAGE("3"), "guard waits for");
    HAS(MESSAGE("3"), "other waits for");
    TEST_ASSERT_EQUAL_INT64(60000, crit_changes.again_after_ms);
    TEST_ASSERT_EQUAL_STRING("Deadlock ", crit_settle(SERVICES "//other"));
    TEST_ASSERT_EQUAL_STRING("True", crit_at(SERVICES "//other", "/status/conditions/3/status"));
    crit_remove(PROVIDER_KEY);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", crit_settle(GUARD_KEY), "other news, the same circle");
    TEST_ASSERT_EQUAL_STRING("True Cycle", crit_condition("Deadlock"));
    crit_remove(SERVICES "//other");
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False NoCycle", crit_condition("Deadlock"));
    TEST_ASSERT_EQUAL_INT64(0, crit_changes.again_after_ms);
}

/* Whoever waits for members of a circle is not one of them. */
static void test_bystanders_of_a_circle_are_not_in_it(void)
{
    crit_build(CALM OTHER GUARD_OF(WAITS_FOR("", "ns", "name: away")));
    for (int i = 0; i < 8; i++) {
        prb_autofree char *yaml = prb_asprintf(A_SERVICE
                "metadata: {name: by%d, generation: 1}\nspec: {provider: {group: apps, resource: "
                "deployments, namespace: by%d, name: op}, criteria: [" WAITS_FOR(
                        "apps", "deployments", "namespace: home, name: op") "]}\n",
                i, i);

        crit_add(yaml);
    }
    for (int i = 0; i < 8; i++) {
        prb_autofree char *key = prb_asprintf(SERVICES "//by%d", i);

        TEST_ASSERT_EQUAL_STRING("", crit_settle(key));
        TEST_ASSERT_EQUAL_STRING("False", crit_at(key, "/status/conditions/3/status"));
    }
    TEST_ASSERT_EQUAL_STRING("Deadlock ", crit_settle(GUARD_KEY));
}

#define GUARD_BESIDE(policy)                                                                      \
    A_SERVICE "metadata: {name: beside, uid: beside-1, generation: 1, resourceVersion: '1'}\n"    \
              "spec: {" GUARD_PROVIDER ", deletionPolicy: " policy ", criteria: [" COOL_CRITERION \
              "]}\n"

/* Who waits for nothing that is guarded is a member, too, when others wait for it: it stays until
 * the provider of both is gone, which waits for it. */
static void test_a_circle_through_a_second_guard_shows_on_both(void)
{
    crit_build(CALM GUARD_BESIDE("Strict")
                    GUARD_OF(WAITS_FOR("probate.dev", "criticalservices", "name: beside")));
    TEST_ASSERT_EQUAL_STRING("Deadlock ", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("Deadlock ", crit_settle(SERVICES "//beside"));
    HAS(MESSAGE("3"), "guard waits for criticalservices.probate.dev beside");
    HAS(MESSAGE("3"), "beside waits for deployments.apps home/op");
    crit_build(CALM GUARD_BESIDE("BestEffort")
                    GUARD_OF(WAITS_FOR("probate.dev", "criticalservices", "name: beside")));
    TEST_ASSERT_EQUAL_STRING("", crit_settle(GUARD_KEY));
    TEST_ASSERT_EQUAL_STRING("False NoCycle", crit_condition("Deadlock"));
}

static void test_a_chain_is_no_circle(void)
{
    crit_build(CALM OTHER COOL_GUARD);
    (void)crit_settle(GUARD_KEY);
    (void)crit_settle(SERVICES "//other");
    TEST_ASSERT_EQUAL_STRING("False NoCycle", crit_condition("Deadlock"));
    TEST_ASSERT_EQUAL_STRING("False", crit_at(SERVICES "//other", "/status/conditions/3/status"));
}

/* Stored before there was a webhook: the rule never lets the provider go because of it. */
static void test_a_resource_that_cannot_be_is_not_met_by_being_absent(void)
{
    crit_build(CALM GUARD_OF("{type: Finalizer, finalizer: {resource: coolresources.my.crd.group, "
                             "finalizerName: a/b}}"));
    (void)crit_know("", "coolresources.my.crd.group", NULL, false);
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("Unknown CriteriaUnknown", crit_condition("DeletionAllowed"));
    HAS(MESSAGE("1"), "correct the criterion");
}

/* Its DELETE is let through from now on, whatever its criteria say. */
static void test_a_provider_that_goes_is_not_protected_while_nobody_knows_whether_it_is_needed(void)
{
    struct prb_known_resource *cool;

    crit_build(WEBHOOK COOL_GUARD PROVIDER GOING_HOME);
    cool = crit_know("my.crd.group", "coolresources", COOL, true);
    cool->state = PRB_RESOURCE_UNKNOWN;
    (void)prb_copy(cool->trouble, sizeof(cool->trouble),
            "CustomResourceDefinition coolresources.my.crd.group has it, but the API server does not serve it now");
    (void)crit_settle(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("Protected"));
    TEST_ASSERT_EQUAL_STRING("False ProviderDead", crit_condition("ProviderAlive"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_resource_that_cannot_be_is_not_met_by_being_absent);
    RUN_TEST(test_all_is_well);
    RUN_TEST(test_no_message_is_ever_empty);
    RUN_TEST(test_a_provider_that_is_not_there);
    RUN_TEST(test_an_invalid_spec);
    RUN_TEST(test_a_spec_that_lacks_what_the_definition_demands_is_not_written);
    RUN_TEST(test_more_criteria_than_are_looked_at);
    RUN_TEST(test_a_resource_that_never_was_may_be_a_typo);
    RUN_TEST(test_a_missing_right_is_named);
    RUN_TEST(test_a_right_that_was_lost_makes_unknown_what_was_known);
    RUN_TEST(test_a_webhook_that_does_not_protect);
    RUN_TEST(test_a_webhook_that_protects);
    RUN_TEST(test_a_label_that_can_be_taken_off_while_probate_is_away_is_told_of);
    RUN_TEST(test_an_exempt_namespace_is_not_protected);
    RUN_TEST(test_a_registration_that_cannot_be_seen_is_not_called_missing);
    RUN_TEST(test_what_has_no_label_yet_is_not_protected_yet);
    RUN_TEST(test_what_is_on_its_way_out_needs_no_label);
    RUN_TEST(test_a_provider_that_goes_while_it_is_needed_is_dead);
    RUN_TEST(test_a_provider_that_goes_and_is_not_needed_is_no_news);
    RUN_TEST(test_a_provider_that_goes_is_not_protected_while_nobody_knows_whether_it_is_needed);
    RUN_TEST(test_a_provider_that_went_while_it_was_needed_is_dead);
    RUN_TEST(test_a_provider_that_never_came_is_absent);
    RUN_TEST(test_several_faults_are_all_told_and_the_first_is_the_reason);
    RUN_TEST(test_a_missing_protection_is_told_once);
    RUN_TEST(test_a_deletion_that_has_come_to_be_allowed_is_told_once);
    RUN_TEST(test_allowed_after_unknown_is_told_to_who_was_refused);
    RUN_TEST(test_one_unmet_outweighs_any_unknown);
    RUN_TEST(test_a_provider_that_was_replaced_is_told_once);
    RUN_TEST(test_a_dead_provider_is_told_once);
    RUN_TEST(test_a_specific_resource_that_is_dying_says_nothing_about_the_provider);
    RUN_TEST(test_whoever_waits_for_itself_is_told_so);
    RUN_TEST(test_a_circle_shows_on_every_member_and_goes_with_either);
    RUN_TEST(test_bystanders_of_a_circle_are_not_in_it);
    RUN_TEST(test_a_circle_through_a_second_guard_shows_on_both);
    RUN_TEST(test_a_chain_is_no_circle);
    return UNITY_END();
}
