/* Does what belongs to a cluster go in order, each step only when the one before is done? */

#include <unity.h>

#include "cluster_world.h"

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

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
                PUT_MARK },
        { "without any", DELETING("") NAMESPACE(""), PUT_MARK },
        { "to be kept", DELETING("") NAMESPACE(KEEP), PUT_MARK },
        { "in place of another cluster's",
                DELETING("") NAMESPACE(", " MARK("u-old", "u-ns")) ADDON("a", ""), PUT_MARK },
        { "in place of one that a backup brought",
                DELETING("") NAMESPACE(", " MARK("u-c1", "u-old")) ADDON("a", ""), PUT_MARK },
        { "on a namespace that somebody else deletes",
                DELETING("") NAMESPACE(", " DELETED) ADDON("a", ""), PUT_MARK },
        { "a cluster that was never ours, and goes",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" NAMESPACE("") ADDON("a", ""),
                PUT_MARK },
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
                BEGIN_WORKS NO_ADDONS DELETE_WORK("w") },
        { "a customised work is waited for", DELETING("") MARKED WORK("w", "") RIGHTS,
                BEGIN_WORKS },
        { "rights before the namespace", DELETING("") MARKED RIGHTS, BEGIN_RIGHTS DELETE_RIGHTS },
        { "the namespace last", DELETING("") MARKED, BEGIN_NAMESPACE DELETE_NAMESPACE },
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
    TEST_ASSERT_EQUAL_STRING(BEGIN_NAMESPACE DELETE_NAMESPACE, decide());
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
    static const char *const texts[] = { "-1", "abc", "", "1.5", " 1", "1 ", "0x1" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        prb_auto(prb_str_done) struct prb_str yaml;

        prb_str_init(&yaml, 4096);
        prb_str_addf(&yaml,
                "%s" ADDON_KIND
                "metadata: {name: odd, namespace: c1, uid: u-odd, resourceVersion: '3', annotations: "
                "{open-cluster-management.io/cleanup-priority: '%s'}}\n%s",
                DELETING("") MARKED, texts[i], ADDON("a", ", " PRIORITY("1")) ADDON("z", ""));
        build(prb_str_get(&yaml));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                BEGIN_ADDONS DELETE_ADDON("odd") DELETE_ADDON("z"), decide(), texts[i]);
    }
}

static void test_a_priority_above_100_counts_as_100(void)
{
    static const char *const texts[] = { "101", "1000", "99999999999999999999" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        prb_auto(prb_str_done) struct prb_str yaml;

        prb_str_init(&yaml, 4096);
        prb_str_addf(&yaml,
                "%s" ADDON_KIND
                "metadata: {name: odd, namespace: c1, uid: u-odd, resourceVersion: '3', annotations: "
                "{open-cluster-management.io/cleanup-priority: '%s'}}\n%s",
                DELETING("") MARKED, texts[i], ADDON("a", ", " PRIORITY("99")));
        build(prb_str_get(&yaml));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(BEGIN_ADDONS DELETE_ADDON("a"), decide(), texts[i]);
    }
}

static void test_a_namespace_that_is_to_be_kept_is_kept(void)
{
#define END_KEPT \
    NO_WORKS "condition True ContentDeleted @7\n" EVENT("ContentDeleted") EVENT("NamespaceKept")
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
        { "and does not come back while the cluster is in the cache",
                DELETING("") SAYING("True", "ContentDeleted", "x") NAMESPACE_KIND
                "metadata: {name: c1, uid: u-ns, resourceVersion: '5'" KEEP "}\n",
                "finalizers managedclusters c1 remove \n" },
        { "the mark goes, too, where others hold the cluster",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" SAYING("True", "ContentDeleted", "x")
                                     MARKED_WITH(KEEP),
                "unmark namespaces c1 @5\n" },
        { "and is not put on again",
                CLUSTER_KIND "metadata: {name: c1, uid: u-c1, " DELETED
                             ", finalizers: [other]}\n" SAYING("True", "ContentDeleted", "x")
                                     NAMESPACE(KEEP),
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

/* A cluster with this spec and status, and a namespace that was there five seconds before it. */
#define CLUSTER_9(more)                                                                 \
    CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7', " DELETED       \
                 ", creationTimestamp: '2026-01-01T00:00:09Z', finalizers: [" FINALIZER \
                 "]}\n" more
#define NAMESPACE_4(more) NAMESPACE(", creationTimestamp: '2026-01-01T00:00:04Z'" more)
#define OLDER(more) CLUSTER_9(more) NAMESPACE_4("")
#define TURNED_AWAY "spec: {hubAcceptsClient: false}\n"
#define STATUS(type, status, reason) \
    "status: {conditions: [{type: " type ", status: '" status "', reason: " reason "}]}\n"
#define OF_CLUSTER(name) ", labels: {open-cluster-management.io/cluster-name: " name "}"
/* A cache may not have seen the bindings yet, so the server is asked before the mark says "keep".
 */
#define ABSENT_RIGHTS                                                                 \
    "absent rolebindings c1/open-cluster-management:managedcluster:c1:registration\n" \
    "absent rolebindings c1/open-cluster-management:managedcluster:c1:work\n"         \
    "absent clusterroles open-cluster-management:managedcluster:c1\n"                 \
    "absent clusterrolebindings open-cluster-management:managedcluster:c1\n"
#define PUT_MARK_TO_KEEP \
    "same managedclusters c1 \"u-c1\"\n" ABSENT_RIGHTS "mark namespaces c1 u-c1 u-ns to keep @5\n"

/* The mark outlives the cluster and the bindings of its agents, and says what they showed. */
static void test_the_mark_says_whether_the_cluster_was_ever_accepted(void)
{
    static const struct row rows[] = {
        { "never accepted", OLDER(""), PUT_MARK_TO_KEEP },
        { "turned away", OLDER(TURNED_AWAY), PUT_MARK_TO_KEEP },
        { "not joined",
                OLDER(TURNED_AWAY STATUS("ManagedClusterJoined", "False", "ManagedClusterJoined")),
                PUT_MARK_TO_KEEP },
        { "not accepted yet", OLDER(STATUS("HubAcceptedManagedCluster", "False", "NotAcceptedYet")),
                PUT_MARK_TO_KEEP },
        { "in the namespace of another cluster", CLUSTER_9("") NAMESPACE_4(OF_CLUSTER("other")),
                PUT_MARK_TO_KEEP },
        { "in a namespace made for it", CLUSTER_9("") NAMESPACE_4(OF_CLUSTER("c1")), PUT_MARK },
        { "in a namespace made after it",
                CLUSTER_9("") NAMESPACE(", creationTimestamp: '2026-01-01T00:00:09Z'"), PUT_MARK },
        { "accepted", OLDER(ACCEPTED), PUT_MARK },
        { "accepted once, by its condition",
                OLDER(TURNED_AWAY STATUS("HubAcceptedManagedCluster", "True", "Accepted")),
                PUT_MARK },
        { "accepted, then denied",
                OLDER(TURNED_AWAY STATUS(
                        "HubAcceptedManagedCluster", "False", "HubClusterAdminDenied")),
                PUT_MARK },
        { "joined once", OLDER(TURNED_AWAY STATUS("ManagedClusterJoined", "True", "Joined")),
                PUT_MARK },
        { "its work agent has a binding", OLDER(TURNED_AWAY) WORK_BINDING, PUT_MARK },
        { "its registration agent has a binding", OLDER("") REGISTRATION_BINDING, PUT_MARK },
        { "it has a ClusterRole", OLDER("") CLUSTER_ROLE, PUT_MARK },
        { "it has a ClusterRoleBinding", OLDER("") CLUSTER_BINDING, PUT_MARK },
    };

    CHECK(rows);
}

/* The world is what `yaml` says, and all kinds but `unread` are read. */
static void build_without(const char *unread, const char *yaml)
{
    static const char *const all[] = { CLUSTERS, NAMESPACES, ADDONS, WORKS, ROLEBINDINGS, ROLES,
        BINDINGS };

    prb_world_free(world);
    world = prb_world_new(yaml);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (strcmp(all[i], unread) != 0)
            (void)prb_world_serve(world, all[i]);
    }
}

static void test_no_mark_is_made_while_acceptance_is_unknown(void)
{
    static const char *const unread[] = { ROLEBINDINGS, ROLES, BINDINGS };

    for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++) {
        build_without(unread[i], OLDER(TURNED_AWAY));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                CONDITION("AcceptanceUnknown") EVENT("AcceptanceUnknown"), decide(), unread[i]);
        TEST_ASSERT_NOT_NULL(
                strstr(message(), "whether the cluster was ever accepted is not known"));

        build_without(unread[i], OLDER(ACCEPTED));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(PUT_MARK, decide(), unread[i]);
    }
}

/* What the Event that is wanted says; "": there is none of this reason. */
static const char *event_text(const char *reason)
{
    for (size_t i = 0; i < changes.count; i++) {
        if (changes.items[i].note && strcmp(changes.items[i].reason, reason) == 0)
            return changes.items[i].note;
    }
    return "";
}

static void test_the_namespace_stays_or_goes_as_the_mark_says(void)
{
#define KEPT_MARK                                                             \
    ", annotations: {" PRB_MARK_CLUSTER_UID ": u-c1, " PRB_MARK_NAMESPACE_UID \
    ": u-ns, " PRB_MARK_KEEPS ": 'true'}"
    static const struct {
        const char *name, *world;
        bool deleted;
    } rows[] = {
        { "never accepted", CLUSTER_9("") NAMESPACE_4(KEPT_MARK), false },
        { "it had bindings", CLUSTER_9(TURNED_AWAY) NAMESPACE_4(", " MARK("u-c1", "u-ns")), true },
        { "a mark of an older Probate, and it has joined",
                CLUSTER_9(TURNED_AWAY STATUS("ManagedClusterJoined", "True", "Joined"))
                        NAMESPACE_4(KEPT_MARK),
                true },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *wanted;

        build(rows[i].world);
        wanted = decide();
        TEST_ASSERT_EQUAL_MESSAGE(
                rows[i].deleted, strstr(wanted, "delete namespaces") != NULL, rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                !rows[i].deleted, strstr(wanted, "NamespaceKept") != NULL, rows[i].name);
    }
    build(CLUSTER_9("") NAMESPACE_4(KEPT_MARK));
    (void)decide();
    TEST_ASSERT_NOT_NULL(strstr(message(), "its namespace stays, as it is older than the cluster"));
    TEST_ASSERT_NOT_NULL(
            strstr(event_text("NamespaceKept"), "its namespace stays, as it is older"));
}

/* The log line of the last write names the reason. */
static void test_the_last_write_says_that_the_namespace_stays(void)
{
    build(CLUSTER_9(SAYING("True", "ContentDeleted", "x")) NAMESPACE_4(KEPT_MARK));
    (void)decide();
    TEST_ASSERT_TRUE(changes.count > 0);
    TEST_ASSERT_NOT_NULL(strstr(changes.items[changes.count - 1].why, "its namespace stays"));
}

static void test_what_comes_back_after_the_end_begins_again(void)
{
    build(DELETING("") SAYING("True", "ContentDeleted", "x") MARKED_WITH(KEEP) ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS DELETE_ADDON("a"), decide());
    build(DELETING("") SAYING("True", "ContentDeleted", "x") NAMESPACE(""));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(PUT_MARK, decide(), "also a namespace that was made anew");
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

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        build_without(rows[i].gvr, rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, decide(), rows[i].gvr);
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(message(),
                        prb_streq(rows[i].gvr, WORKS) ? "is not known yet" : "cannot be read yet"),
                rows[i].gvr);
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
    RUN_TEST(test_a_priority_above_100_counts_as_100);
    RUN_TEST(test_a_namespace_that_is_to_be_kept_is_kept);
    RUN_TEST(test_namespaces_of_the_platform_are_never_deleted);
    RUN_TEST(test_the_mark_says_whether_the_cluster_was_ever_accepted);
    RUN_TEST(test_no_mark_is_made_while_acceptance_is_unknown);
    RUN_TEST(test_the_namespace_stays_or_goes_as_the_mark_says);
    RUN_TEST(test_the_last_write_says_that_the_namespace_stays);
    RUN_TEST(test_what_comes_back_after_the_end_begins_again);
    RUN_TEST(test_a_collection_that_cannot_be_read_holds_its_step);
    RUN_TEST(test_each_collection_that_cannot_be_read_is_named_once);
    return UNITY_END();
}
