#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/deadlock.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define SERVICES_MAX 8

/* A CriticalService in short: who it guards, and what it waits for. */
struct row {
    const char *name;
    bool best_effort;
    const char *namespace, *provider;
    struct prb_criterion criteria[3];
};

#define GONE(group, resource, namespace, name)                               \
    {                                                                        \
        PRB_CRITERION_RESOURCE, (group), (resource), "", (namespace), (name) \
    }

static size_t build(const struct row *rows, struct prb_critical_service *services)
{
    size_t count = 0;

    for (; count < SERVICES_MAX && rows[count].name; count++) {
        struct prb_critical_service *to = &services[count];

        *to = (struct prb_critical_service){ .name = rows[count].name,
            .best_effort = rows[count].best_effort };
        to->provider.group = "apps";
        to->provider.resource = "deployments";
        to->provider.namespace = rows[count].namespace;
        to->provider.name = rows[count].provider;
        while (to->criterion_count < 3 && rows[count].criteria[to->criterion_count].group) {
            to->criteria[to->criterion_count] = rows[count].criteria[to->criterion_count];
            to->criterion_count++;
        }
    }
    return count;
}

static const struct {
    const char *about;
    struct row rows[SERVICES_MAX];
    const char *cycle; /* through the first; NULL: none */
} cases[] = {
    { "nobody waits", { { "a", false, "ns-a", "pa", { { 0 } } } }, NULL },
    { "its own provider",
            { { "a", false, "ns-a", "pa", { GONE("apps", "Deployment", "ns-a", "pa") } } },
            "a waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "its own namespace", { { "a", false, "ns-a", "pa", { GONE("", "ns", "", "ns-a") } } },
            "a waits for namespaces ns-a to be gone, which a protects" },
    { "itself", { { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "a") } } },
            "a waits for criticalservices.probate.dev a to be gone, which stays until its "
            "provider is gone" },
    { "itself, which may go at any time",
            { { "a", true, "ns-a", "pa", { GONE("probate.dev", "crit", "", "a") } } }, NULL },
    { "its own provider, although it may go itself",
            { { "a", true, "ns-a", "pa", { GONE("apps", "deploy", "ns-a", "pa") } } },
            "a waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "two that wait for each other",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "b", false, "ns-b", "pb", { GONE("", "namespaces", "", "ns-a") } } },
            "a waits for deployments.apps ns-b/pb to be gone, which b protects; "
            "b waits for namespaces ns-a to be gone, which a protects" },
    { "three in a circle",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "c", false, "ns-c", "pc", { GONE("apps", "deployments", "ns-a", "pa") } },
                    { "b", false, "ns-b", "pb",
                            { GONE("probate.dev", "CriticalService", "", "c") } } },
            "a waits for deployments.apps ns-b/pb to be gone, which b protects; "
            "b waits for criticalservices.probate.dev c to be gone, which stays until its provider "
            "is gone; c waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "a chain",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "b", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-c", "pc") } },
                    { "c", false, "ns-c", "pc", { { 0 } } } },
            NULL },
    { "a circle of others that it waits for",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "b", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-c", "pc") } },
                    { "c", false, "ns-c", "pc", { GONE("apps", "deployments", "ns-b", "pb") } } },
            NULL },
    { "the shorter of two circles",
            { { "a", false, "ns-a", "pa",
                      { GONE("apps", "deployments", "ns-b", "pb"),
                              GONE("apps", "deployments", "ns-d", "pd") } },
                    { "b", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-c", "pc") } },
                    { "c", false, "ns-c", "pc", { GONE("apps", "deployments", "ns-a", "pa") } },
                    { "d", false, "ns-d", "pd", { GONE("apps", "deployments", "ns-a", "pa") } } },
            "a waits for deployments.apps ns-d/pd to be gone, which d protects; "
            "d waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "of two guards of one provider the first by name",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "c", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-a", "pa") } },
                    { "b", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-a", "pa") } } },
            "a waits for deployments.apps ns-b/pb to be gone, which b protects; "
            "b waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "of two guards the one that waits",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pb") } },
                    { "b", false, "ns-b", "pb", { { 0 } } },
                    { "c", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-a", "pa") } } },
            "a waits for deployments.apps ns-b/pb to be gone, which c protects; "
            "c waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "another guard of its own provider",
            { { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } },
                    { "b", false, "ns-a", "pa", { { 0 } } } },
            "a waits for criticalservices.probate.dev b to be gone, which stays until its provider "
            "is gone; b waits for deployments.apps ns-a/pa to be gone, which a protects" },
    { "another guard of its own provider waits for it",
            { { "b", false, "ns-a", "pa", { { 0 } } },
                    { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } } },
            "b waits for deployments.apps ns-a/pa to be gone, which a protects; a waits for "
            "criticalservices.probate.dev b to be gone, which stays until its provider is gone" },
    { "another guard of its own provider, which may go at any time",
            { { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } },
                    { "b", true, "ns-a", "pa", { { 0 } } } },
            NULL },
    { "a second guard of the provider of one that is waited for",
            { { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } },
                    { "b", false, "ns-b", "pb", { { 0 } } },
                    { "c", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-a", "pa") } } },
            "a waits for criticalservices.probate.dev b to be gone, which stays until its provider "
            "is gone; b waits for deployments.apps ns-b/pb to be gone, which c protects; c waits "
            "for deployments.apps ns-a/pa to be gone, which a protects" },
    { "a guard that waits for nothing, in the middle of a circle",
            { { "b", false, "ns-b", "pb", { { 0 } } },
                    { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } },
                    { "c", false, "ns-b", "pb", { GONE("apps", "deployments", "ns-a", "pa") } } },
            "b waits for deployments.apps ns-b/pb to be gone, which c protects; c waits for "
            "deployments.apps ns-a/pa to be gone, which a protects; a waits for "
            "criticalservices.probate.dev b to be gone, which stays until its provider is gone" },
    { "one that is waited for only by who it does not wait for",
            { { "b", false, "ns-b", "pb", { { 0 } } },
                    { "a", false, "ns-a", "pa", { GONE("probate.dev", "crit", "", "b") } } },
            NULL },
    { "the same name in another namespace",
            { { "a", false, "ns-a", "pa", { GONE("apps", "deployments", "ns-b", "pa") } } }, NULL },
    { "another kind of that name",
            { { "a", false, "ns-a", "pa", { GONE("apps", "statefulsets", "ns-a", "pa") } } },
            NULL },
    { "a finalizer on its own kind is no object",
            { { "a", false, "ns-a", "pa",
                    { { PRB_CRITERION_FINALIZER, "apps", "deployments", "a/b", "", "" } } } },
            NULL },
};

static void test_the_shortest_circle_is_found_and_every_member_told(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_critical_service services[SERVICES_MAX];
        size_t count = build(cases[i].rows, services);
        prb_autofree char *found = prb_deadlock_find(services, count, 0);

        if (cases[i].cycle)
            TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].cycle, found ? found : "", cases[i].about);
        else
            TEST_ASSERT_NULL_MESSAGE(found, cases[i].about);
    }
}

static void test_a_provider_that_is_no_deployment_is_guarded_by_nobody(void)
{
    static const struct row rows[] = {
        { "a", false, "ns-a", "pa", { GONE("", "namespaces", "", "ns-a") } },
        { 0 },
    };
    struct prb_critical_service services[SERVICES_MAX];
    size_t count = build(rows, services);
    prb_autofree char *found = NULL;

    services[0].provider.resource = "statefulsets";
    found = prb_deadlock_find(services, count, 0);
    TEST_ASSERT_NULL(found);
}

static void test_there_is_none_through_one_that_is_not_there(void)
{
    prb_autofree char *of_none = prb_deadlock_find(NULL, 0, 0);

    TEST_ASSERT_NULL(of_none);
}

/* A whole live list and one that is to be made, in one long circle: it is found, and its text has
 * an end. */
#define LONGEST 5001

static void test_the_longest_circle_takes_no_time_to_speak_of(void)
{
    prb_autofree struct prb_critical_service *services = prb_calloc(LONGEST, sizeof(*services));
    prb_autofree char *names = prb_calloc(LONGEST, 8);
    prb_autofree char *found = NULL;

    for (size_t i = 0; i < LONGEST; i++) {
        size_t next = (i + 1) % LONGEST;
        prb_autofree char *name = prb_asprintf("s%zu", i);

        (void)prb_copy(names + 8 * i, 8, name);
        services[i].name = names + 8 * i;
        services[i].provider.group = "apps";
        services[i].provider.resource = "deployments";
        services[i].provider.namespace = "ns";
        services[i].provider.name = names + 8 * i;
        services[i].criterion_count = 1;
        services[i].criteria[0] =
                (struct prb_criterion)GONE("apps", "deployments", "ns", names + 8 * next);
    }
    found = prb_deadlock_find(services, LONGEST, 17);
    TEST_ASSERT_NOT_NULL(found);
    if (!found)
        return;
    TEST_ASSERT_TRUE(prb_starts_with(found, "s17 waits for deployments.apps ns/s18 to be gone"));
    TEST_ASSERT_LESS_OR_EQUAL_size_t(4096, strlen(found));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_shortest_circle_is_found_and_every_member_told);
    RUN_TEST(test_a_provider_that_is_no_deployment_is_guarded_by_nobody);
    RUN_TEST(test_there_is_none_through_one_that_is_not_there);
    RUN_TEST(test_the_longest_circle_takes_no_time_to_speak_of);
    return UNITY_END();
}
