/* Which works go, which are waited for, and when do the agents lose their rights? */

#include <string.h>
#include <unity.h>

#include "cluster_world.h"

#define HELD(name, more) WORK(name, ", finalizers: [" WORK_FINALIZER more "], " DELETED)
#define RELEASE(reason) ", annotations: {" PRB_ANNOTATION_RELEASE_WORKS ": '" reason "'}"
#define LET_GO(name, how) \
    "finalizers manifestworks c1/" name " " how "\nwarning WorkReleased on managedclusters c1\n"

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

static void test_works_of_addons_go_when_the_addon_is_gone(void)
{
    static const struct row rows[] = {
        { "those of addons, not the customised ones",
                DELETING("") MARKED WORK("of-addon", ", labels: {" OF_ADDON("a") "}")
                        WORK("mine", "") WORK("of-set", ", labels: {x: y}"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("of-addon") },
        { "whatever their priority",
                DELETING("") MARKED WORK("v", ", labels: {" OF_ADDON("a") "}, " PRIORITY("100"))
                        WORK("w", ", labels: {" OF_ADDON("a") "}"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("v") DELETE_WORK("w") },
        { "a hosted addon that is still there, elsewhere",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS },
        { "a hosted addon that is going is still there",
                DELETING("") MARKED ADDON_IN("c2", "a", ", " DELETED)
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS },
        { "a hosted addon that is gone for certain",
                DELETING("") MARKED ADDON_IN("c2", "b", "") ADDON_IN("c3", "a", "")
                        WORK("v", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}")
                                WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS NO_ADDONS "absent managedclusteraddons c2/a\n" DELETE_WORK("v")
                        DELETE_WORK("w") },
        { "its works that are going need no look",
                DELETING("") MARKED WORK(
                        "w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}, " DELETED),
                BEGIN_WORKS },
        { "an addon of that name elsewhere is not the work's",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") "}"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("w") },
        { "a label without a name says nothing",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("''") "}"), BEGIN_WORKS },
        { "a name that no addon can have",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("'..'") "}"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("w") },
        { "one that is going is waited for",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("a") "}, " DELETED),
                BEGIN_WORKS },
    };

    CHECK(rows);
}

static void test_a_work_that_a_hook_makes_is_let_alone_until_its_addon_is_gone(void)
{
    build(DELETING("") MARKED ADDON("a", ", " DELETED ", finalizers: [addon-pre-delete]")
                    WORK("addon-a-pre-delete", ", labels: {" OF_ADDON("a") "}"));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS, decide());
}

static void test_delete_works_none_waits_for_all(void)
{
    static const struct row rows[] = {
        { "none is deleted",
                DELETING("") MARKED WORK("v", ", labels: {" OF_ADDON("a") "}") WORK("w", ""),
                BEGIN_WORKS },
    };

    settings.delete_works = PRB_DELETE_WORKS_NONE;
    CHECK(rows);
    TEST_ASSERT_EQUAL_STRING(
            "waiting for 2 works: not deleted by Probate (--delete-works=none): v, w", message());
}

static void test_delete_works_all_goes_by_priority(void)
{
    static const struct row rows[] = {
        { "lowest first, the klusterlet's last",
                DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100")) WORK("mine", "")
                        WORK("of-addon", ", labels: {" OF_ADDON("a") "}")
                                WORK("late", ", " PRIORITY("20")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("mine") DELETE_WORK("of-addon") },
        { "then the next",
                DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100"))
                        WORK("late", ", " PRIORITY("20")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("late") },
        { "the last waits for all others",
                DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100"))
                        WORK("late", ", " DELETED ", finalizers: [x], " PRIORITY("20")),
                BEGIN_WORKS },
        { "the klusterlet's own", DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("klusterlet") },
        { "also of a hosted addon that is still there",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("w") },
        { "not before the addons", DELETING("") MARKED ADDON("a", "") WORK("w", ""),
                BEGIN_ADDONS DELETE_ADDON("a") },
    };

    settings.delete_works = PRB_DELETE_WORKS_ALL;
    CHECK(rows);
}

static void test_the_works_of_the_klusterlet_go_last_without_an_annotation(void)
{
#define KLUSTERLET WORK("c1-klusterlet", "")
#define KLUSTERLET_CRDS WORK("c1-klusterlet-crds", "")
#define LABELLED(more) \
    WORK("agent", ", labels: {import.open-cluster-management.io/klusterlet-works: 'true'}" more)
    static const struct row rows[] = {
        { "after all others", DELETING("") MARKED WORK("app", "") KLUSTERLET KLUSTERLET_CRDS,
                BEGIN_WORKS NO_ADDONS DELETE_WORK("app") },
        { "also after the highest priority",
                DELETING("") MARKED WORK("late", ", " PRIORITY("100")) KLUSTERLET KLUSTERLET_CRDS,
                BEGIN_WORKS NO_ADDONS DELETE_WORK("late") },
        { "its CRDs last of all", DELETING("") MARKED KLUSTERLET KLUSTERLET_CRDS,
                BEGIN_WORKS NO_ADDONS DELETE_WORK("c1-klusterlet") },
        { "its CRDs wait for it",
                DELETING("") MARKED WORK("c1-klusterlet", ", " DELETED ", finalizers: [x]")
                        KLUSTERLET_CRDS,
                BEGIN_WORKS },
        { "its CRDs", DELETING("") MARKED KLUSTERLET_CRDS,
                BEGIN_WORKS NO_ADDONS DELETE_WORK("c1-klusterlet-crds") },
        { "by its label", DELETING("") MARKED WORK("app", "") LABELLED(""),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("app") },
        { "a priority overrides the label",
                DELETING("") MARKED WORK("late", ", " PRIORITY("20")) LABELLED(", " PRIORITY("10")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("agent") },
        { "a priority overrides the name",
                DELETING("") MARKED WORK("late", ", " PRIORITY("20"))
                        WORK("c1-klusterlet", ", " PRIORITY("10")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("c1-klusterlet") },
        { "a priority that is no number overrides nothing",
                DELETING("") MARKED WORK("app", "") WORK("c1-klusterlet", ", " PRIORITY("first")),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("app") },
        { "the name of another cluster's is nothing special",
                DELETING("") MARKED WORK("app", "") WORK("c2-klusterlet", ""),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("app") DELETE_WORK("c2-klusterlet") },
    };

    settings.delete_works = PRB_DELETE_WORKS_ALL;
    CHECK(rows);
    build(DELETING("") MARKED WORK("app", "") KLUSTERLET);
    (void)decide();
    TEST_ASSERT_NOT_NULL(strstr(message(), "app; then 1 more, of a cleanup-priority above 0"));
    build(DELETING("") MARKED KLUSTERLET KLUSTERLET_CRDS);
    (void)decide();
    TEST_ASSERT_NOT_NULL(strstr(message(), "c1-klusterlet; then 1 more, of the klusterlet itself"));
}

static void test_works_of_a_dead_cluster_can_be_released(void)
{
    static const struct row rows[] = {
        { "those that are going, and no others",
                DELETING(RELEASE("it burnt down")) MARKED HELD("v", "") HELD("w", ", other")
                        WORK("mine", ", finalizers: [" WORK_FINALIZER "]"),
                BEGIN_WORKS NO_ADDONS LET_GO("v", "remove ") LET_GO("w", "replace [\"other\"]") },
        { "deleted first, released when that is seen",
                DELETING(RELEASE("gone")) MARKED WORK(
                        "v", ", labels: {" OF_ADDON("a") "}, finalizers: [" WORK_FINALIZER "]"),
                BEGIN_WORKS NO_ADDONS DELETE_WORK("v") },
        { "without a reason nothing is released", DELETING(RELEASE("")) MARKED HELD("v", ""),
                BEGIN_WORKS },
        { "other finalizers are not ours to take off",
                DELETING(RELEASE("gone")) MARKED WORK("v", ", finalizers: [other], " DELETED),
                BEGIN_WORKS },
        { "not before the addons are gone",
                DELETING(RELEASE("gone")) MARKED ADDON("a", ", " DELETED) HELD("v", ""),
                BEGIN_ADDONS },
        { "not while the namespace has no mark",
                DELETING(RELEASE("gone")) NAMESPACE("") HELD("v", ""), PUT_MARK },
    };

    CHECK(rows);
}

static void test_a_released_work_says_that_what_it_applied_stays(void)
{
    build(DELETING(RELEASE("it burnt down")) MARKED HELD("v", ""));
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("work c1/v goes without its agent (it burnt down); what it has "
                             "applied stays on the managed cluster",
            changes.items[changes.count - 1].note);
    TEST_ASSERT_EQUAL_STRING("waiting for 1 customised work: not deleted by Probate: v (being "
                             "deleted since " AT ", finalizer " WORK_FINALIZER
                             "). Probate takes the finalizer of the work agent off 1 of them, as "
                             "annotation probate.dev/release-works asks for (it burnt down): what "
                             "they have applied stays on the managed cluster",
            message());
}

static void test_rights_go_when_the_last_work_is_gone(void)
{
    static const struct row rows[] = {
        { "one by one: what is gone is done", DELETING("") MARKED CLUSTER_BINDING,
                BEGIN_RIGHTS NO_WORKS DELETE_BINDING },
        { "OCM deleted it, and its finalizer is left",
                DELETING("") MARKED ROLEBINDING(
                        ":work", "u-rb2", ", finalizers: [" WORK_FINALIZER "], " DELETED),
                BEGIN_RIGHTS NO_WORKS "finalizers " WORKING " remove \n" },
        { "another's finalizer is waited for",
                DELETING("") MARKED ROLEBINDING(":work", "u-rb2", ", finalizers: [other], " DELETED)
                        CLUSTER_ROLE,
                BEGIN_RIGHTS NO_WORKS DELETE_ROLE },
        { "and asks nobody meanwhile",
                DELETING("")
                        MARKED ROLEBINDING(":work", "u-rb2", ", finalizers: [other], " DELETED),
                BEGIN_RIGHTS },
        { "one without the finalizer", DELETING("") MARKED ROLEBINDING(":work", "u-rb2", ""),
                BEGIN_RIGHTS NO_WORKS "delete " WORKING " u-rb2\n" },
        { "also when the namespace is kept", DELETING("") MARKED_WITH(KEEP) RIGHTS,
                BEGIN_RIGHTS DELETE_RIGHTS },
        { "those outside of it also when it is gone", DELETING("") CLUSTER_ROLE CLUSTER_BINDING,
                BEGIN_RIGHTS "absent namespaces c1\n" DELETE_ROLE DELETE_BINDING },
    };

    CHECK(rows);
}

static void test_roles_that_clusters_share_are_not_touched(void)
{
    static const char *const names[] = { "work", "registration" };

    for (size_t i = 0; i < 2; i++) {
        prb_auto(prb_str_done) struct prb_str yaml, key;

        prb_str_init(&yaml, 4096);
        prb_str_init(&key, 256);
        prb_str_addf(&yaml,
                CLUSTER_KIND
                "metadata: {name: %s, uid: u-c, resourceVersion: '7', " DELETED
                ", finalizers: [" FINALIZER "]}\n" RBAC(
                        "ClusterRole") "metadata: "
                                       "{name: 'open-cluster-management:managedcluster:%s', uid: u-1}\n",
                names[i], names[i]);
        prb_str_addf(&key, CLUSTERS "//%s", names[i]);
        build(prb_str_get(&yaml));
        TEST_ASSERT_NULL_MESSAGE(strstr(decide_on(prb_str_get(&key)), "delete"), names[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(decide_on(prb_str_get(&key)), "ContentDeleted"), names[i]);
    }
}

static void test_what_the_view_still_has_of_a_namespace_that_is_gone_is_waited_for(void)
{
    static const struct row rows[] = {
        { "an addon", DELETING("") ADDON("a", ""), BEGIN_ADDONS },
        { "a work", DELETING("") WORK("w", ", labels: {" OF_ADDON("a") "}"), BEGIN_WORKS },
        { "a work to be released", DELETING(RELEASE("gone")) HELD("w", ""), BEGIN_WORKS },
        { "a role binding", DELETING("") WORK_BINDING, BEGIN_RIGHTS },
    };

    CHECK(rows);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_works_of_addons_go_when_the_addon_is_gone);
    RUN_TEST(test_a_work_that_a_hook_makes_is_let_alone_until_its_addon_is_gone);
    RUN_TEST(test_delete_works_none_waits_for_all);
    RUN_TEST(test_delete_works_all_goes_by_priority);
    RUN_TEST(test_the_works_of_the_klusterlet_go_last_without_an_annotation);
    RUN_TEST(test_works_of_a_dead_cluster_can_be_released);
    RUN_TEST(test_a_released_work_says_that_what_it_applied_stays);
    RUN_TEST(test_rights_go_when_the_last_work_is_gone);
    RUN_TEST(test_roles_that_clusters_share_are_not_touched);
    RUN_TEST(test_what_the_view_still_has_of_a_namespace_that_is_gone_is_waited_for);
    return UNITY_END();
}
