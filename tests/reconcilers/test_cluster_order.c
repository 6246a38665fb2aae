/* Does what belongs to a cluster go in order, each step only when the one before is done? */

#include <unity.h>

#include "cluster_world.h"

#define CONDITION(reason) "condition False " reason " @7\n"
#define EVENT(reason) "event " reason " on managedclusters c1\n"
#define REGISTRATION "rolebindings c1/" RBAC_NAME(":registration")
#define WORKING "rolebindings c1/" RBAC_NAME(":work")
#define DELETE_RIGHTS                                                             \
    "delete " REGISTRATION " u-rb1\n"                                             \
    "delete " WORKING " u-rb2\nfinalizers " WORKING " remove \n"                  \
    "delete clusterroles " RBAC_NAME("") " u-role\n"                              \
                                         "delete clusterrolebindings " RBAC_NAME( \
                                                 "") " u-binding\n"
#define BEGIN_ADDONS CONDITION("AddOnsRemaining") EVENT("DeletingAddOns")
#define BEGIN_WORKS CONDITION("WorksRemaining") EVENT("DeletingWorks")
#define BEGIN_RIGHTS CONDITION("RoleBindingsRemaining") EVENT("DeletingRoleBindings")
#define BEGIN_NAMESPACE CONDITION("NamespaceRemaining") EVENT("DeletingNamespace")
#define DELETE(kind, name) "delete " kind " c1/" name " u-" name "\n"
#define DELETE_ADDON(name) DELETE("managedclusteraddons", name)
#define DELETE_WORK(name) DELETE("manifestworks", name)

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

struct row {
    const char *name;
    const char *world;
    const char *wanted;
};

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        build(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, decide(), rows[i].name);
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof((rows)[0]))

static void test_a_live_cluster_gets_the_finalizer(void)
{
    static const struct row rows[] = {
        { "none yet", CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7'}\n",
                "finalizers managedclusters c1 add [\"" FINALIZER "\"]\n" },
        { "others' stay", CLUSTER_KIND "metadata: {name: c1, uid: u-c1, finalizers: [other]}\n",
                "finalizers managedclusters c1 add \"" FINALIZER "\"\n" },
        { "it has it",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, finalizers: [" FINALIZER "]}\n", "" },
        { "whatever is in its namespace",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, finalizers: [" FINALIZER
                             "]}\n" NAMESPACE("") ADDON("a", "") WORK("w", "") RIGHTS,
                "" },
    };

    CHECK(rows);
    settings.finalizer = "example.com/mine";
    build(rows[2].world);
    TEST_ASSERT_EQUAL_STRING("finalizers managedclusters c1 add \"example.com/mine\"\n", decide());
    TEST_ASSERT_EQUAL_STRING("", waits());
}

static void test_the_mark_comes_before_everything_else(void)
{
    static const struct row rows[] = {
        { "with content", DELETING("") NAMESPACE("") ADDON("a", "") WORK("w", "") RIGHTS,
                "mark namespaces c1 u-c1 u-ns @5\n" },
        { "without any", DELETING("") NAMESPACE(""), "mark namespaces c1 u-c1 u-ns @5\n" },
        { "to be kept", DELETING("") NAMESPACE(KEEP), "mark namespaces c1 u-c1 u-ns @5\n" },
        { "in place of another cluster's",
                DELETING("") NAMESPACE(", " MARK("u-old", "u-ns")) ADDON("a", ""),
                "mark namespaces c1 u-c1 u-ns @5\n" },
        { "in place of one that a backup brought",
                DELETING("") NAMESPACE(", " MARK("u-c1", "u-old")) ADDON("a", ""),
                "mark namespaces c1 u-c1 u-ns @5\n" },
        { "on a namespace that somebody else deletes",
                DELETING("") NAMESPACE(", " DELETED) ADDON("a", ""),
                "mark namespaces c1 u-c1 u-ns @5\n" },
        { "a cluster that was never ours, and goes",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" NAMESPACE("") ADDON("a", ""),
                "mark namespaces c1 u-c1 u-ns @5\n" },
    };

    CHECK(rows);
    TEST_ASSERT_EQUAL_STRING("the namespace has to be marked before anything else", waits());
}

static void test_each_step_comes_when_the_one_before_is_done(void)
{
    static const struct row rows[] = {
        { "addons before works, rights and namespace",
                DELETING("") MARKED ADDON("a", "") ADDON("b", "")
                        WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS,
                BEGIN_ADDONS DELETE_ADDON("a") DELETE_ADDON("b") },
        { "an addon that is going is waited for",
                DELETING("") MARKED ADDON("a", ", " DELETED ", finalizers: [hook]")
                        WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS,
                BEGIN_ADDONS },
        { "works of addons before rights and namespace",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS,
                BEGIN_WORKS DELETE_WORK("w") },
        { "a customised work is waited for", DELETING("") MARKED WORK("w", "") RIGHTS,
                BEGIN_WORKS },
        { "rights before the namespace", DELETING("") MARKED RIGHTS, BEGIN_RIGHTS DELETE_RIGHTS },
        { "the namespace last", DELETING("") MARKED,
                BEGIN_NAMESPACE "delete namespaces c1 u-ns @5\n" },
        { "a namespace that is going is waited for", DELETING("") MARKED_WITH(", " DELETED),
                BEGIN_NAMESPACE },
        { "then the condition is true, if the namespace is really gone", DELETING(""),
                "absent namespaces c1\ncondition True ContentDeleted @7\n" EVENT(
                        "ContentDeleted") },
        { "and then the finalizer goes", DELETING("") SAYING("True", "ContentDeleted", "x"),
                "finalizers managedclusters c1 remove \n" },
        { "of a cluster that others hold, all that is ours is done",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" SAYING("True", "ContentDeleted", "x"),
                "" },
    };

    CHECK(rows);
}

static void test_a_cluster_without_our_finalizer_is_cleaned_all_the_same(void)
{
    build(CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7', " DELETED
                       ", finalizers: [other]}\n" MARKED ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS DELETE_ADDON("a"), decide());
    build(CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7', " DELETED
                       ", finalizers: [other]}\n");
    TEST_ASSERT_EQUAL_STRING(
            "absent namespaces c1\ncondition True ContentDeleted @7\n" EVENT("ContentDeleted"),
            decide());
}

static void test_only_what_is_in_its_own_namespace_belongs_to_a_cluster(void)
{
    build(DELETING("") MARKED ADDON_IN("c2", "a", "") WORK_IN("c2", "w", "") RBAC(
            "RoleBinding") "metadata: {name: 'open-cluster-management:managedcluster:c2:work', "
                           "namespace: c2, uid: u-1}\n" RBAC(
                                   "RoleBinding") "metadata: {name: 'open-cluster-management:managedcluster:c1:work', "
                                                  "namespace: c2, uid: u-2}\n" RBAC("RoleBinding") "metadata: {name: mine, namespace: c1, uid: u-3}\n" RBAC("ClusterRole") "metadata: {name: 'open-cluster-management:managedcluster:c12', uid: u-4}\n" RBAC(
                                                          "ClusterRole") "metadata: {name: "
                                                                         "'open-cluster-management:managedcluster:work', "
                                                                         "uid: u-5}\n");
    TEST_ASSERT_EQUAL_STRING(BEGIN_NAMESPACE "delete namespaces c1 u-ns @5\n", decide());
}

static void test_addons_go_lowest_priority_first(void)
{
    static const struct row rows[] = {
        { "0 before 1 before 100",
                DELETING("") MARKED ADDON("a", ", " PRIORITY("100")) ADDON("b", ", " PRIORITY("1"))
                        ADDON("c", ", " PRIORITY("0")) ADDON("d", ""),
                BEGIN_ADDONS DELETE_ADDON("c") DELETE_ADDON("d") },
        { "one that is going holds those after it",
                DELETING("") MARKED ADDON("a", ", " PRIORITY("2"))
                        ADDON("b", ", " DELETED ", finalizers: [x], " PRIORITY("1"))
                                ADDON("c", ", " PRIORITY("1")),
                BEGIN_ADDONS DELETE_ADDON("c") },
        { "their turn comes", DELETING("") MARKED ADDON("a", ", " PRIORITY("100")),
                BEGIN_ADDONS DELETE_ADDON("a") },
    };

    CHECK(rows);
}

static void test_a_priority_that_is_none_counts_as_0(void)
{
    static const char *const texts[] = { "-1", "101", "abc", "", "1.5", " 1", "1 ", "0x1",
        "99999999999999999999" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        prb_auto(prb_str_done) struct prb_str yaml;

        prb_str_init(&yaml, 4096);
        prb_str_addf(&yaml,
                "%s" ADDON_KIND "metadata: {name: odd, namespace: c1, uid: u-odd, annotations: "
                "{open-cluster-management.io/cleanup-priority: '%s'}}\n%s",
                DELETING("") MARKED, texts[i], ADDON("a", ", " PRIORITY("1")));
        build(prb_str_get(&yaml));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(BEGIN_ADDONS DELETE_ADDON("odd"), decide(), texts[i]);
    }
}

static void test_works_of_addons_go_when_the_addon_is_gone(void)
{
    static const struct row rows[] = {
        { "those of addons, not the customised ones",
                DELETING("") MARKED WORK("of-addon", ", labels: {" OF_ADDON("a") "}")
                        WORK("mine", "") WORK("of-set", ", labels: {x: y}"),
                BEGIN_WORKS DELETE_WORK("of-addon") },
        { "whatever their priority",
                DELETING("") MARKED WORK("v", ", labels: {" OF_ADDON("a") "}, " PRIORITY("100"))
                        WORK("w", ", labels: {" OF_ADDON("a") "}"),
                BEGIN_WORKS DELETE_WORK("v") DELETE_WORK("w") },
        { "a hosted addon that is still there, elsewhere",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS },
        { "a hosted addon that is going is still there",
                DELETING("") MARKED ADDON_IN("c2", "a", ", " DELETED)
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS },
        { "a hosted addon that is gone",
                DELETING("") MARKED ADDON_IN("c2", "b", "") ADDON_IN("c3", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS DELETE_WORK("w") },
        { "an addon of that name elsewhere is not the work's",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") "}"),
                BEGIN_WORKS DELETE_WORK("w") },
        { "a label without a name says nothing",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("''") "}"), BEGIN_WORKS },
        { "a name that no addon can have",
                DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("'..'") "}"),
                BEGIN_WORKS DELETE_WORK("w") },
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
                BEGIN_WORKS DELETE_WORK("mine") DELETE_WORK("of-addon") },
        { "then the next",
                DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100"))
                        WORK("late", ", " PRIORITY("20")),
                BEGIN_WORKS DELETE_WORK("late") },
        { "the last waits for all others",
                DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100"))
                        WORK("late", ", " DELETED ", finalizers: [x], " PRIORITY("20")),
                BEGIN_WORKS },
        { "the klusterlet's own", DELETING("") MARKED WORK("klusterlet", ", " PRIORITY("100")),
                BEGIN_WORKS DELETE_WORK("klusterlet") },
        { "also of a hosted addon that is still there",
                DELETING("") MARKED ADDON_IN("c2", "a", "")
                        WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"),
                BEGIN_WORKS DELETE_WORK("w") },
        { "not before the addons", DELETING("") MARKED ADDON("a", "") WORK("w", ""),
                BEGIN_ADDONS DELETE_ADDON("a") },
    };

    settings.delete_works = PRB_DELETE_WORKS_ALL;
    CHECK(rows);
}

#define HELD(name, more) WORK(name, ", finalizers: [" WORK_FINALIZER more "], " DELETED)
#define RELEASE(reason) ", annotations: {" PRB_ANNOTATION_RELEASE_WORKS ": '" reason "'}"
#define LET_GO(name, how) \
    "finalizers manifestworks c1/" name " " how "\nwarning WorkReleased on managedclusters c1\n"

static void test_works_of_a_dead_cluster_can_be_released(void)
{
    static const struct row rows[] = {
        { "those that are going, and no others",
                DELETING(RELEASE("it burnt down")) MARKED HELD("v", "") HELD("w", ", other")
                        WORK("mine", ", finalizers: [" WORK_FINALIZER "]"),
                BEGIN_WORKS LET_GO("v", "remove ") LET_GO("w", "replace [\"other\"]") },
        { "deleted first, released when that is seen",
                DELETING(RELEASE("gone")) MARKED WORK(
                        "v", ", labels: {" OF_ADDON("a") "}, finalizers: [" WORK_FINALIZER "]"),
                BEGIN_WORKS DELETE_WORK("v") },
        { "without a reason nothing is released", DELETING(RELEASE("")) MARKED HELD("v", ""),
                BEGIN_WORKS },
        { "other finalizers are not ours to take off",
                DELETING(RELEASE("gone")) MARKED WORK("v", ", finalizers: [other], " DELETED),
                BEGIN_WORKS },
        { "not before the addons are gone",
                DELETING(RELEASE("gone")) MARKED ADDON("a", ", " DELETED) HELD("v", ""),
                BEGIN_ADDONS },
        { "not while the namespace has no mark",
                DELETING(RELEASE("gone")) NAMESPACE("") HELD("v", ""),
                "mark namespaces c1 u-c1 u-ns @5\n" },
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
                BEGIN_RIGHTS "delete clusterrolebindings " RBAC_NAME("") " u-binding\n" },
        { "OCM deleted it, and its finalizer is left",
                DELETING("") MARKED ROLEBINDING(
                        ":work", "u-rb2", ", finalizers: [" WORK_FINALIZER "], " DELETED),
                BEGIN_RIGHTS "finalizers " WORKING " remove \n" },
        { "another's finalizer is waited for",
                DELETING("") MARKED ROLEBINDING(":work", "u-rb2", ", finalizers: [other], " DELETED)
                        CLUSTER_ROLE,
                BEGIN_RIGHTS "delete clusterroles " RBAC_NAME("") " u-role\n" },
        { "one without the finalizer", DELETING("") MARKED ROLEBINDING(":work", "u-rb2", ""),
                BEGIN_RIGHTS "delete " WORKING " u-rb2\n" },
        { "also when the namespace is kept", DELETING("") MARKED_WITH(KEEP) RIGHTS,
                BEGIN_RIGHTS DELETE_RIGHTS },
        { "those outside of it also when it is gone", DELETING("") CLUSTER_ROLE CLUSTER_BINDING,
                BEGIN_RIGHTS "delete clusterroles " RBAC_NAME(
                        "") " u-role\n"
                            "delete clusterrolebindings " RBAC_NAME("") " u-binding\n" },
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

static void test_a_namespace_that_is_to_be_kept_is_kept(void)
{
#define END_KEPT "condition True ContentDeleted @7\n" EVENT("ContentDeleted") EVENT("NamespaceKept")
    static const struct row rows[] = {
        { "its content is gone", DELETING("") MARKED_WITH(KEEP), END_KEPT },
        { "any value will do",
                DELETING("") MARKED_WITH(
                        ", labels: {cluster.open-cluster-management.io/keep-upon-cluster-deletion: "
                        "'false'}"),
                END_KEPT },
        { "then the mark goes, and the finalizer",
                DELETING("") SAYING("True", "ContentDeleted", "x") MARKED_WITH(KEEP),
                "unmark namespaces c1 @5\nfinalizers managedclusters c1 remove \n" },
        { "a mark on it waits for a cluster that others hold",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" SAYING("True", "ContentDeleted", "x")
                                     MARKED_WITH(KEEP),
                "" },
        { "too late: it is going already", DELETING("") MARKED_WITH(KEEP ", " DELETED),
                BEGIN_NAMESPACE },
        { "its addons go all the same", DELETING("") MARKED_WITH(KEEP) ADDON("a", ""),
                BEGIN_ADDONS DELETE_ADDON("a") },
    };

    CHECK(rows);
    build(rows[0].world);
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("what belonged to cluster c1 is gone; its namespace stays, as label "
                             "cluster.open-cluster-management.io/keep-upon-cluster-deletion asks "
                             "for",
            message());
}

/* A world with a cluster of this name, and a namespace with these labels. */
static const char *decide_named(const char *name, const char *labels)
{
    prb_auto(prb_str_done) struct prb_str yaml, key;

    prb_str_init(&yaml, 4096);
    prb_str_init(&key, 256);
    prb_str_addf(&yaml,
            CLUSTER_KIND
            "metadata: {name: %s, uid: u-c1, resourceVersion: '7', " DELETED
            ", finalizers: [" FINALIZER "]}\n" NAMESPACE_KIND
            "metadata: {name: %s, uid: u-ns, labels: {%s}, " MARK("u-c1", "u-ns") "}\n",
            name, name, labels);
    prb_str_addf(&key, CLUSTERS "//%s", name);
    build(prb_str_get(&yaml));
    return decide_on(prb_str_get(&key));
}

static void test_namespaces_of_the_platform_are_never_deleted(void)
{
    static const struct {
        const char *name, *labels;
        bool deleted;
    } rows[] = {
        { "default", "", false },
        { "default", "open-cluster-management.io/cluster-name: default", false },
        { "kube-system", "", false },
        { "kube-anything", "open-cluster-management.io/cluster-name: kube-anything", false },
        { "openshift", "", false },
        { "openshift-etcd", "", false },
        { "openshift-etcd", "open-cluster-management.io/cluster-name: other", false },
        { "openshift-prod", "open-cluster-management.io/cluster-name: openshift-prod", true },
        { "open-cluster-management-hub", "", false },
        { "open-cluster-management", "", false },
        { "openshifty", "", true },
        { "kubernetes", "", true },
        { "default-2", "", true },
        { "local-cluster", "", true },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *wanted = decide_named(rows[i].name, rows[i].labels);

        TEST_ASSERT_EQUAL_MESSAGE(
                rows[i].deleted, strstr(wanted, "delete namespaces") != NULL, rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                !rows[i].deleted, strstr(wanted, "NamespaceKept") != NULL, rows[i].name);
    }
}

static void test_what_comes_back_after_the_end_begins_again(void)
{
    build(DELETING("") SAYING("True", "ContentDeleted", "x") MARKED_WITH(KEEP) ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS DELETE_ADDON("a"), decide());
    build(DELETING("") SAYING("True", "ContentDeleted", "x") NAMESPACE(""));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "mark namespaces c1 u-c1 u-ns @5\n", decide(), "also a namespace that was made anew");
}

static void test_a_collection_that_cannot_be_read_holds_its_step(void)
{
    static const struct {
        const char *gvr, *world, *wanted;
    } rows[] = {
        { ADDONS, DELETING("") MARKED WORK("w", ", labels: {" OF_ADDON("a") "}") RIGHTS,
                BEGIN_ADDONS },
        { WORKS, DELETING("") MARKED RIGHTS, BEGIN_WORKS },
        { ROLEBINDINGS, DELETING("") MARKED, BEGIN_RIGHTS },
        { ROLES, DELETING("") MARKED, BEGIN_RIGHTS },
        { BINDINGS, DELETING("") MARKED, BEGIN_RIGHTS },
    };
    static const char *const all[] = { CLUSTERS, NAMESPACES, ADDONS, WORKS, ROLEBINDINGS, ROLES,
        BINDINGS };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prb_world_free(world);
        world = prb_world_new(rows[i].world);
        for (size_t j = 0; j < sizeof(all) / sizeof(all[0]); j++) {
            if (strcmp(all[j], rows[i].gvr) != 0)
                (void)prb_world_serve(world, all[j]);
        }
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, decide(), rows[i].gvr);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message(), "cannot be read yet"), rows[i].gvr);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(5000, changes.again_after_ms, rows[i].gvr);
    }
}

static void test_each_collection_that_cannot_be_read_is_named_once(void)
{
    world = prb_world_new(DELETING("") MARKED);
    (void)prb_world_serve(world, ADDONS);
    (void)prb_world_serve(world, WORKS);
    (void)decide();
    TEST_ASSERT_EQUAL_STRING(
            "rolebindings.rbac.authorization.k8s.io cannot be read yet, or are not installed: "
            "whether any is left is not known; "
            "clusterroles.rbac.authorization.k8s.io cannot be read yet, or are not installed: "
            "whether any is left is not known; "
            "clusterrolebindings.rbac.authorization.k8s.io cannot be read yet, or are not "
            "installed: whether any is left is not known",
            message());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_live_cluster_gets_the_finalizer);
    RUN_TEST(test_the_mark_comes_before_everything_else);
    RUN_TEST(test_each_step_comes_when_the_one_before_is_done);
    RUN_TEST(test_a_cluster_without_our_finalizer_is_cleaned_all_the_same);
    RUN_TEST(test_only_what_is_in_its_own_namespace_belongs_to_a_cluster);
    RUN_TEST(test_addons_go_lowest_priority_first);
    RUN_TEST(test_a_priority_that_is_none_counts_as_0);
    RUN_TEST(test_works_of_addons_go_when_the_addon_is_gone);
    RUN_TEST(test_a_work_that_a_hook_makes_is_let_alone_until_its_addon_is_gone);
    RUN_TEST(test_delete_works_none_waits_for_all);
    RUN_TEST(test_delete_works_all_goes_by_priority);
    RUN_TEST(test_works_of_a_dead_cluster_can_be_released);
    RUN_TEST(test_a_released_work_says_that_what_it_applied_stays);
    RUN_TEST(test_rights_go_when_the_last_work_is_gone);
    RUN_TEST(test_roles_that_clusters_share_are_not_touched);
    RUN_TEST(test_what_the_view_still_has_of_a_namespace_that_is_gone_is_waited_for);
    RUN_TEST(test_a_namespace_that_is_to_be_kept_is_kept);
    RUN_TEST(test_namespaces_of_the_platform_are_never_deleted);
    RUN_TEST(test_what_comes_back_after_the_end_begins_again);
    RUN_TEST(test_a_collection_that_cannot_be_read_holds_its_step);
    RUN_TEST(test_each_collection_that_cannot_be_read_is_named_once);
    return UNITY_END();
}
