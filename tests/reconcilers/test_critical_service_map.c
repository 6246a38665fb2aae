/* To which keys a change leads, what is read for the criteria, and what the table says. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "crit_world.h"

void setUp(void)
{
}

void tearDown(void)
{
    crit_done();
}

#define FAR_GUARD                                                                               \
    A_SERVICE "metadata: {name: far, generation: 1}\nspec: {provider: {group: apps, resource: " \
              "deployments, namespace: away, name: op}, criteria: []}\nstatus: "                \
              "{observedGeneration: 1}\n"
#define SEEN_GUARD                                                             \
    A_SERVICE "metadata: {name: guard, generation: 3}\nspec: {" GUARD_PROVIDER \
              ", criteria: [" COOL_CRITERION ", " DEFINITION_CRITERION         \
              "]}\nstatus: {observedGeneration: 3, criteria: [{state: Met}, {state: Met}]}\n"
#define FAR SERVICES "//far\n"
#define GUARD_LINE GUARD_KEY "\n"

static void test_a_deployment_leads_to_its_guard(void)
{
    crit_build(PROVIDER HOME SEEN_GUARD FAR_GUARD);
    TEST_ASSERT_EQUAL_STRING(GUARD_LINE, crit_map(PROVIDER_KEY, NULL));
}

static void test_a_deployment_that_went_leads_to_the_same(void)
{
    crit_build(HOME SEEN_GUARD FAR_GUARD);
    TEST_ASSERT_EQUAL_STRING(GUARD_LINE, crit_map(PROVIDER_KEY, PROVIDER));
}

static void test_a_deployment_that_is_nobodys_leads_nowhere(void)
{
    crit_build(SEEN_GUARD FAR_GUARD A_DEPLOYMENT "metadata: {name: web, namespace: home}\n");
    TEST_ASSERT_EQUAL_STRING("", crit_map(DEPLOYMENTS "/home/web", NULL));
}

static void test_a_label_that_nobody_asked_for_is_looked_at(void)
{
    crit_build(FAR_GUARD OLD_PROVIDER HOME);
    TEST_ASSERT_EQUAL_STRING(HOME_KEY "\n", crit_map(HOME_KEY, NULL));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "", crit_map(PROVIDER_KEY, NULL), "on a Deployment it means nothing");
}

static void test_a_namespace_leads_to_who_lives_there(void)
{
    crit_build(SEEN_GUARD FAR_GUARD A_NAMESPACE "metadata: {name: home}\n" A_NAMESPACE
                                                "metadata: {name: else}\n");
    TEST_ASSERT_EQUAL_STRING(GUARD_LINE HOME_KEY "\n", crit_map(HOME_KEY, NULL));
    TEST_ASSERT_EQUAL_STRING("", crit_map(NAMESPACES "//else", NULL));
}

/* So many that every Deployment but the first is looked up in the index. */
#define CROWD 40

static int count_lines(const char *lines, const char *line)
{
    int count = 0;

    for (const char *at = lines; (at = strstr(at, line)); at += strlen(line))
        count++;
    return count;
}

/* Each of the crowd has a guard of its own, and one that all share in pairs. */
static void test_a_start_leads_to_the_same_as_one_by_one(void)
{
    crit_build("");
    for (int i = 0; i < CROWD; i++) {
        prb_autofree char *yaml = prb_asprintf(A_DEPLOYMENT
                "metadata: {name: op%d, namespace: ns%d}\n" A_DEPLOYMENT
                "metadata: {name: plain, namespace: ns%d}\n" A_NAMESPACE
                "metadata: {name: ns%d}\n" A_SERVICE
                "metadata: {name: own%d}\nspec: {provider: {namespace: ns%d, name: "
                "op%d}}\n" A_SERVICE
                "metadata: {name: shared%d}\nspec: {provider: {namespace: ns%d, name: "
                "op%d}}\n",
                i, i, i, i, i, i, i, i, i / 2, i / 2);

        crit_add(yaml);
    }
    for (int i = 0; i < CROWD; i++) {
        prb_autofree char *own = prb_asprintf(SERVICES "//own%d\n", i);
        prb_autofree char *shared = prb_asprintf(SERVICES "//shared%d\n", i);
        prb_autofree char *ns = prb_asprintf(NAMESPACES "//ns%d\n", i);

        TEST_ASSERT_EQUAL_INT(1, count_lines(crit_map_all(DEPLOYMENTS), own));
        TEST_ASSERT_EQUAL_INT(1, count_lines(crit_map_all(DEPLOYMENTS), shared));
        TEST_ASSERT_EQUAL_INT(1, count_lines(crit_map_all(NAMESPACES), own));
        TEST_ASSERT_EQUAL_INT(1, count_lines(crit_map_all(NAMESPACES), shared));
        TEST_ASSERT_EQUAL_INT(1, count_lines(crit_map_all(NAMESPACES), ns));
    }
    TEST_ASSERT_EQUAL_INT(0, count_lines(crit_map_all(DEPLOYMENTS), DEPLOYMENTS));
}

/* Order among CriticalServices is nobody's business. */
static void assert_both_guards(const char *keys)
{
    TEST_ASSERT_NOT_NULL(strstr(keys, GUARD_LINE));
    TEST_ASSERT_NOT_NULL(strstr(keys, FAR));
    TEST_ASSERT_EQUAL_size_t(strlen(GUARD_LINE) + strlen(FAR), strlen(keys));
}

/* Which namespaces are exempt is in it, too. */
static void assert_both_with_namespaces(const char *keys)
{
    TEST_ASSERT_NOT_NULL(strstr(keys, HOME_KEY "\n" GUARD_LINE));
    TEST_ASSERT_NOT_NULL(strstr(keys, NAMESPACES "//away\n" FAR));
    TEST_ASSERT_EQUAL_size_t(
            strlen(HOME_KEY "\n" GUARD_LINE NAMESPACES "//away\n" FAR), strlen(keys));
}

static void test_a_registration_leads_to_every_guard_and_namespace(void)
{
    crit_build(SEEN_GUARD FAR_GUARD WEBHOOK);
    assert_both_with_namespaces(crit_map(WEBHOOKS "//probate", NULL));
    crit_remove(WEBHOOKS "//probate");
    assert_both_with_namespaces(crit_map(WEBHOOKS "//probate", WEBHOOK));
}

static void test_a_guard_leads_to_the_namespace_of_its_provider(void)
{
    crit_build(SEEN_GUARD FAR_GUARD PROVIDER HOME A_NAMESPACE "metadata: {name: former, " LABELS
                                                              "}\n");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(HOME_KEY "\n" GUARD_LINE, crit_map(GUARD_KEY, NULL),
            "and no further: only its status was written");
}

static void test_a_guard_that_changed_leads_to_all_that_may_have_been_its_namespace(void)
{
    static const char keys[] = HOME_KEY "\n" GUARD_LINE NAMESPACES "//former\n";

#define FORMER                                                                            \
    A_DEPLOYMENT "metadata: {name: former, namespace: former, " LABELS "}\n" A_DEPLOYMENT \
                 "metadata: {name: web, namespace: home}\n" A_NAMESPACE                   \
                 "metadata: {name: former, " LABELS "}\n"
    crit_build(FAR_GUARD FORMER A_SERVICE
            "metadata: {name: guard, generation: 4}\nspec: {" GUARD_PROVIDER
            ", criteria: []}\nstatus: {observedGeneration: 3}\n");
    TEST_ASSERT_EQUAL_STRING(keys, crit_map(GUARD_KEY, NULL));
    crit_remove(GUARD_KEY);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(keys, crit_map(GUARD_KEY, SEEN_GUARD), "it is gone");
}

static void test_a_new_guard_has_no_former_provider(void)
{
    crit_build(FAR_GUARD FORMER GUARD);
    TEST_ASSERT_EQUAL_STRING(HOME_KEY "\n" GUARD_LINE, crit_map(GUARD_KEY, NULL));
}

#define WAITER                                                                            \
    A_SERVICE "metadata: {name: waiter, generation: 1}\nspec: {provider: {group: apps, "  \
              "resource: deployments, namespace: third, name: op}, criteria: [{type: "    \
              "SpecificResource, specificResource: {group: apps, resource: deployments, " \
              "namespace: home, name: op}}]}\nstatus: {observedGeneration: 1}\n"
#define LOCKED                                                                          \
    A_SERVICE "metadata: {name: locked, generation: 1}\nspec: {criteria: []}\nstatus: " \
              "{observedGeneration: 1, conditions: [{type: Deadlock, status: 'True'}]}\n"

static void test_a_guard_that_changed_leads_to_who_may_be_in_a_circle_with_it(void)
{
    crit_build(FAR_GUARD WAITER LOCKED A_SERVICE
            "metadata: {name: guard, generation: 4}\nspec: {" GUARD_PROVIDER ", criteria: []}\n");
    TEST_ASSERT_NOT_NULL(strstr(crit_map(GUARD_KEY, NULL), SERVICES "//waiter\n"));
    TEST_ASSERT_NOT_NULL(strstr(crit_map(GUARD_KEY, NULL), SERVICES "//locked\n"));
    TEST_ASSERT_NULL_MESSAGE(strstr(crit_map(GUARD_KEY, NULL), FAR), "it waits for nobody");
}

/* It may be in the circle without waiting for anything itself. */
static void test_a_guard_leads_to_who_is_waited_for(void)
{
    crit_build(FAR_GUARD A_SERVICE
            "metadata: {name: guard, generation: 4}\nspec: {" GUARD_PROVIDER
            ", criteria: [{type: SpecificResource, specificResource: {group: probate.dev, "
            "resource: crit, name: far}}]}\n");
    TEST_ASSERT_NOT_NULL(strstr(crit_map(GUARD_KEY, NULL), FAR));
    crit_build(WAITER GUARD A_SERVICE
            "metadata: {name: third, generation: 1}\nspec: {provider: {group: apps, resource: "
            "deployments, namespace: third, name: op}, criteria: [{type: SpecificResource, "
            "specificResource: {group: probate.dev, resource: crit, name: guard}}]}\n"
            "status: {observedGeneration: 1}\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(crit_map(GUARD_KEY, NULL), SERVICES "//waiter\n"), "it is new, and waited for");
}

#define WAITS(name)                                                                               \
    "{type: SpecificResource, specificResource: {group: probate.dev, resource: crit, name: " name \
    "}}"
#define NEW_GUARD(name) \
    A_SERVICE "metadata: {name: " name ", generation: 1}\nspec: {criteria: []}\n"

/* One of them, at most, is asked about before there is an index. */
static void test_new_guards_that_are_waited_for_lead_to_who_waits_at_a_start_too(void)
{
    crit_build(NEW_GUARD("a") NEW_GUARD("b") NEW_GUARD("c") NEW_GUARD("d") NEW_GUARD("e") A_SERVICE
            "metadata: {name: waiter, generation: 1}\nspec: {criteria: [" WAITS("a") ", " WAITS(
                    "c") ", " WAITS("e") "]}\nstatus: {observedGeneration: 1}\n");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1 + 3, count_lines(crit_map_all(SERVICES), SERVICES "//waiter\n"),
            "itself, and for a, c and e");
}

/* What is watched anyway may be what somebody waits for, too. */
static void test_a_deployment_leads_to_who_waits_for_it(void)
{
    crit_build(WAITER PROVIDER);
    (void)crit_know("apps", "deployments", DEPLOYMENTS, true);
    TEST_ASSERT_NOT_NULL(strstr(crit_map(PROVIDER_KEY, NULL), SERVICES "//waiter\n"));
    crit_build(WAITER A_DEPLOYMENT "metadata: {name: web, namespace: home}\n");
    (void)crit_know("apps", "deployments", DEPLOYMENTS, true);
    TEST_ASSERT_EQUAL_STRING("", crit_map(DEPLOYMENTS "/home/web", NULL));
}

static void test_a_definition_leads_to_who_waits_for_it(void)
{
    crit_build(SEEN_GUARD FAR_GUARD DEFINITION A_DEFINITION "metadata: {name: others.example}\n");
    TEST_ASSERT_EQUAL_STRING(
            GUARD_LINE, crit_map(DEFINITIONS "//coolresources.my.crd.group", NULL));
    TEST_ASSERT_EQUAL_STRING("", crit_map(DEFINITIONS "//others.example", NULL));
    crit_remove(DEFINITIONS "//coolresources.my.crd.group");
    TEST_ASSERT_EQUAL_STRING(
            GUARD_LINE, crit_map(DEFINITIONS "//coolresources.my.crd.group", DEFINITION));
}

static void test_what_became_of_a_collection_concerns_who_named_it(void)
{
    crit_build(SEEN_GUARD FAR_GUARD);
    TEST_ASSERT_EQUAL_STRING(GUARD_LINE, crit_map_collection(COOL));
    TEST_ASSERT_EQUAL_STRING("", crit_map_collection("secrets.v1."));
    assert_both_guards(crit_map_collection(NULL));
}

#define COOL_NAMED(object, more) A_COOL "metadata: {name: " object ", namespace: t" more "}\n"
#define HELD(names, more)                                                                     \
    A_SERVICE "metadata: {name: guard, generation: 3}\nspec: {" GUARD_PROVIDER                \
              ", criteria: [" COOL_CRITERION "]}\nstatus: {observedGeneration: 3, criteria: " \
              "[{state: Unmet, more: " more ", blockers: [" names "]}]}\n"
#define NAMED(object) "{namespace: t, name: " object "}"
#define NAMED_DYING(object) \
    "{namespace: t, name: " object ", deletingSince: '2026-01-02T03:00:00Z'}"

/* The five that are named, and whether there are more, is all that the status says of them. */
static void test_an_object_leads_to_a_guard_only_if_it_is_news(void)
{
    static const struct {
        const char *name, *guard, *object;
        bool gone, news;
    } cases[] = {
        { "none has it, and this has not", SEEN_GUARD, COOL_NAMED("c", ""), false, false },
        { "none has it, and this went", SEEN_GUARD, COOL_NAMED("c", ", " FINALIZER), true, false },
        { "none has it, and this has", SEEN_GUARD, COOL_NAMED("c", ", " FINALIZER), false, true },
        { "it is named", HELD(NAMED("c"), "false"), COOL_NAMED("c", ", " FINALIZER), false, false },
        { "it was named and has it no more", HELD(NAMED("c"), "false"), COOL_NAMED("c", ""), false,
                true },
        { "it was named and went", HELD(NAMED("c"), "false"), COOL_NAMED("c", ", " FINALIZER), true,
                true },
        { "it was named and is being deleted now", HELD(NAMED("c"), "false"),
                COOL_NAMED("c", ", " FINALIZER ", " SINCE), false, true },
        { "it was named as being deleted", HELD(NAMED_DYING("c"), "false"),
                COOL_NAMED("c", ", " FINALIZER ", " SINCE), false, false },
        { "one more, and there is room", HELD(NAMED("c"), "false"), COOL_NAMED("d", ", " FINALIZER),
                false, true },
        { "one more behind many", HELD(NAMED("c"), "true"), COOL_NAMED("d", ", " FINALIZER), false,
                false },
        { "one more before them", HELD(NAMED("c"), "true"), COOL_NAMED("b", ", " FINALIZER), false,
                true },
        { "one that is being deleted comes before", HELD(NAMED("c"), "true"),
                COOL_NAMED("d", ", " FINALIZER ", " SINCE), false, true },
        { "one that is not comes behind", HELD(NAMED_DYING("c"), "true"),
                COOL_NAMED("b", ", " FINALIZER), false, false },
        { "one of the many may have been the last", HELD(NAMED("c"), "true"), COOL_NAMED("d", ""),
                false, true },
        { "nobody has looked at this guard", COOL_GUARD, COOL_NAMED("c", ""), false, true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *key =
                prb_asprintf(COOL "/t/%c", *(strstr(cases[i].object, "name: ") + 6));

        crit_build(cases[i].guard);
        if (!cases[i].gone)
            crit_add(cases[i].object);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].news ? GUARD_LINE : "",
                crit_map(key, cases[i].gone ? cases[i].object : NULL), cases[i].name);
    }
}

static void test_an_unknown_state_is_looked_at_with_every_change(void)
{
    crit_build(A_SERVICE "metadata: {name: guard, generation: 3}\nspec: {" GUARD_PROVIDER
                         ", criteria: [" COOL_CRITERION "]}\nstatus: {observedGeneration: 3, "
                         "criteria: [{state: Unknown}]}\n" COOL_NAMED("c", ""));
    TEST_ASSERT_EQUAL_STRING(GUARD_LINE, crit_map(COOL "/t/c", NULL));
}

static void test_what_criteria_name_is_wanted(void)
{
    crit_build(SEEN_GUARD FAR_GUARD);
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group\n"
                             "CustomResourceDefinition.apiextensions.k8s.io\n",
            crit_wanted());
    crit_build(GUARD_OF("{type: Moon}"));
    TEST_ASSERT_EQUAL_STRING("", crit_wanted());
}

static bool may_read(const struct prb_reconciler *reconciler, const struct prb_watch_spec *spec)
{
    for (size_t i = 0; i < reconciler->right_count; i++) {
        const struct prb_right *right = &reconciler->rights[i];

        if (prb_streq(right->group, spec->group) && prb_streq(right->resource, spec->resource))
            return strstr(right->verbs, "get,list,watch") != NULL;
    }
    return false;
}

static void test_every_collection_that_is_read_may_be_read(void)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_critical_service;

    for (size_t i = 0; i < reconciler->watch_count; i++) {
        const struct prb_watch_spec *spec = &reconciler->watches[i];
        struct prb_gvr gvr;

        TEST_ASSERT_TRUE(prb_gvr_init(&gvr, spec->group, spec->version, spec->resource));
        TEST_ASSERT_TRUE_MESSAGE(may_read(reconciler, spec), spec->resource);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_deployment_leads_to_its_guard);
    RUN_TEST(test_a_deployment_that_went_leads_to_the_same);
    RUN_TEST(test_a_deployment_that_is_nobodys_leads_nowhere);
    RUN_TEST(test_a_label_that_nobody_asked_for_is_looked_at);
    RUN_TEST(test_a_namespace_leads_to_who_lives_there);
    RUN_TEST(test_a_start_leads_to_the_same_as_one_by_one);
    RUN_TEST(test_a_registration_leads_to_every_guard_and_namespace);
    RUN_TEST(test_a_guard_leads_to_the_namespace_of_its_provider);
    RUN_TEST(test_a_guard_that_changed_leads_to_all_that_may_have_been_its_namespace);
    RUN_TEST(test_a_new_guard_has_no_former_provider);
    RUN_TEST(test_a_guard_that_changed_leads_to_who_may_be_in_a_circle_with_it);
    RUN_TEST(test_a_guard_leads_to_who_is_waited_for);
    RUN_TEST(test_new_guards_that_are_waited_for_lead_to_who_waits_at_a_start_too);
    RUN_TEST(test_a_deployment_leads_to_who_waits_for_it);
    RUN_TEST(test_a_definition_leads_to_who_waits_for_it);
    RUN_TEST(test_what_became_of_a_collection_concerns_who_named_it);
    RUN_TEST(test_an_object_leads_to_a_guard_only_if_it_is_news);
    RUN_TEST(test_an_unknown_state_is_looked_at_with_every_change);
    RUN_TEST(test_what_criteria_name_is_wanted);
    RUN_TEST(test_every_collection_that_is_read_may_be_read);
    return UNITY_END();
}
