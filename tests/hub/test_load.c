/* Does a folder of manifests become the content of a hub, just as it is given? */

#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "support/temp_dir.h"
#include "world.h"

static char *dir;
static char notes[2048];

void setUp(void)
{
    world_init(NULL);
    dir = prb_test_temp_dir();
    notes[0] = '\0';
}

void tearDown(void)
{
    prb_test_temp_dir_remove(dir);
    world_done();
}

static int write_file(const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);

    return prb_file_write(path, text, strlen(text), 0600, &w.err);
}

static void take_note(void *ctx, const char *text)
{
    size_t len = strlen(notes);

    (void)ctx;
    (void)snprintf(notes + len, sizeof(notes) - len, "%s\n", text);
}

static int load_dir(void)
{
    return prb_hub_load(w.hub, dir, take_note, NULL, &w.err);
}

/* Does the error begin with the folder and then go on like this? */
static bool says(const char *rest)
{
    size_t len = strlen(dir);

    return strncmp(w.err.msg, dir, len) == 0 && w.err.msg[len] == '/' &&
           strncmp(w.err.msg + len + 1, rest, strlen(rest)) == 0;
}

static void test_an_empty_folder_is_an_empty_hub(void)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);

    TEST_ASSERT_EQUAL_INT(0, prb_hub_load(hub, dir, NULL, NULL, &w.err));
    TEST_ASSERT_EQUAL_size_t(0, prb_hub_count(hub));
}

static void test_files_in_folders_are_found_and_others_passed_over(void)
{
    prb_autofree char *sub = prb_asprintf("%s/sub", dir);

    TEST_ASSERT_EQUAL_INT(0, mkdir(sub, 0700));
    TEST_ASSERT_EQUAL_INT(
            0, write_file("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ns, "
                                    "name: a}\n---\n---\napiVersion: v1\nkind: ConfigMap\n"
                                    "metadata: {namespace: ns, name: b}\n"));
    TEST_ASSERT_EQUAL_INT(
            0, write_file("sub/c.yml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}"));
    TEST_ASSERT_EQUAL_INT(0,
            write_file("sub/d.json", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                                     "\"namespace\":\"ns\",\"name\":\"d\"}}"));
    TEST_ASSERT_EQUAL_INT(0, write_file("README.md", "not: [a manifest"));
    TEST_ASSERT_EQUAL_INT(0, write_file(".hidden.yaml", "not: [a manifest"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load_dir(), w.err.msg);
    TEST_ASSERT_EQUAL_INT(true, has("configmaps", "ns/a"));
    TEST_ASSERT_EQUAL_INT(true, has("configmaps", "ns/b"));
    TEST_ASSERT_EQUAL_INT(true, has("configmaps", "default/c"));
    TEST_ASSERT_EQUAL_INT(true, has("configmaps", "ns/d"));
    TEST_ASSERT_EQUAL_STRING("", notes);
}

static void test_objects_are_kept_as_given(void)
{
    static const char yaml[] =
            "apiVersion: work.open-cluster-management.io/v1\n"
            "kind: ManifestWork\n"
            "metadata:\n"
            "  namespace: cluster1\n"
            "  name: w\n"
            "  uid: 0e0d9a51-6f34-42c4-badf-dfa0812f503b\n"
            "  resourceVersion: \"99\"\n"
            "  generation: 7\n"
            "  creationTimestamp: 2025-01-01T00:00:00Z\n"
            "  deletionTimestamp: 2025-06-01T00:00:00Z\n"
            "  finalizers: [cluster.open-cluster-management.io/manifest-work-cleanup]\n"
            "  labels: {l: \"1\"}\n"
            "spec: {a: 1}\n"
            "status: {s: 1}\n";
    static const struct {
        const char *pointer, *text;
    } kept[] = {
        { "/metadata/uid", "\"0e0d9a51-6f34-42c4-badf-dfa0812f503b\"" },
        { "/metadata/generation", "7" },
        { "/metadata/creationTimestamp", "\"2025-01-01T00:00:00Z\"" },
        { "/metadata/deletionTimestamp", "\"2025-06-01T00:00:00Z\"" },
        { "/metadata/finalizers/0",
                "\"cluster.open-cluster-management.io/manifest-work-cleanup\"" },
        { "/metadata/labels/l", "\"1\"" },
        { "/spec/a", "1" },
        { "/status/s", "1" },
    };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load(yaml), w.err.msg);
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        TEST_ASSERT_EQUAL_STRING(
                kept[i].text, text_at("manifestworks.work.open-cluster-management.io", "cluster1/w",
                                      kept[i].pointer));
    TEST_ASSERT_TRUE(has("namespaces", "cluster1"));
}

static void test_what_is_absent_is_filled_in(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, load("{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: ns, name: d}}"));
    TEST_ASSERT_EQUAL_STRING("1", text_at("deployments.apps", "ns/d", "/metadata/generation"));
    TEST_ASSERT_EQUAL_STRING("\"2026-01-01T00:00:00Z\"",
            text_at("deployments.apps", "ns/d", "/metadata/creationTimestamp"));
    TEST_ASSERT_EQUAL_size_t(36, strlen(uid_of("deployments.apps", "ns/d")));
}

static void test_lists_are_taken_apart(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, load("apiVersion: v1\nkind: List\nitems:\n"
                    "- {apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: a}}\n"
                    "- {apiVersion: v1, kind: Secret, metadata: {namespace: "
                    "ns, name: b}}\n---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: "
                    "{namespace: ns, name: c}\n---\napiVersion: v1\nkind: List\nitems: []\n"));
    TEST_ASSERT_TRUE(has("configmaps", "ns/a"));
    TEST_ASSERT_TRUE(has("secrets", "ns/b"));
    TEST_ASSERT_TRUE(has("configmaps", "ns/c"));
}

static void test_definitions_come_first_wherever_they_are(void)
{
    TEST_ASSERT_EQUAL_INT(0, write_file("a.yaml", "apiVersion: example.io/v1\nkind: Widget\n"
                                                  "metadata: {namespace: "
                                                  "ns, name: a}\n"));
    TEST_ASSERT_EQUAL_INT(
            0, write_file("z.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: "
                                    "CustomResourceDefinition\nmetadata: {name: "
                                    "gadgets.example.io}\nspec:\n  group: example.io\n  scope: "
                                    "Namespaced\n  names: {plural: gadgets, kind: Widget}\n  "
                                    "versions: [{name: v1, served: true, storage: true}]\n"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load_dir(), w.err.msg);
    TEST_ASSERT_TRUE(has("gadgets.example.io", "ns/a"));
    TEST_ASSERT_EQUAL_STRING("", notes);
    TEST_ASSERT_EQUAL_STRING(
            "\"Established\"", text_at("customresourcedefinitions.apiextensions.k8s.io",
                                       "gadgets.example.io", "/status/conditions/1/type"));
}

static void test_kinds_that_nothing_defines_are_guessed_with_a_note(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, write_file("a.yaml", "{apiVersion: example.io/v1alpha1, kind: Policy, metadata: "
                                    "{name: a}}\n---\n{apiVersion: example.io/v1, kind: Policy, "
                                    "metadata: {namespace: ns, name: b}}\n---\n{apiVersion: "
                                    "example.io/v1, kind: Big, metadata: {name: c}}\n"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load_dir(), w.err.msg);
    TEST_ASSERT_TRUE(has("policies.example.io", "default/a"));
    TEST_ASSERT_TRUE(has("policies.example.io", "ns/b"));
    TEST_ASSERT_TRUE(has("bigs.example.io", "c"));
    TEST_ASSERT_EQUAL_STRING(
            "no CRD or XRD defines kind Policy of group \"example.io\": it is served as policies, "
            "namespaced\nno CRD or XRD defines kind Big of group \"example.io\": it is served as "
            "bigs, cluster-scoped\n",
            notes);
}

static void test_bad_manifests_are_refused_with_file_and_line(void)
{
    static const struct {
        const char *why, *file, *text, *says;
    } cases[] = {
        { "no YAML", "a.yaml", "kind: A\n  b: c\n", "a.yaml:2: column 4: " },
        { "no JSON", "a.json", "{\n\"a\": }\n", "a.json:2: column " },
        { "no map", "a.yaml", "# a list\n- 1\n", "a.yaml:2: a manifest must be a map" },
        { "no apiVersion", "a.yaml", "\nkind: A\nmetadata: {name: a}\n",
                "a.yaml:2: apiVersion is missing" },
        { "no kind", "a.yaml", "apiVersion: v1\nmetadata: {name: a}\n",
                "a.yaml:1: kind is missing" },
        { "no name", "a.yaml", "---\napiVersion: v1\nkind: ConfigMap\n---\nx: 1\n",
                "a.yaml:2: metadata.name is missing" },
        { "the second document", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\nkind: ConfigMap\n",
                "a.yaml:3: apiVersion is missing" },
        { "a version that is not served", "a.yaml",
                "{apiVersion: apps/v9, kind: Deployment, metadata: {name: a}}",
                "a.yaml:1: Deployment is not served in version v9 (only in v1)" },
        { "a bad name", "a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: A_b}}",
                "a.yaml:1: ConfigMap \"A_b\" is invalid: metadata.name" },
        { "a name with a slash", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a/b}}",
                "a.yaml:1: a name that cannot be in a URL" },
        { "being deleted, and nothing holds it", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, deletionTimestamp: "
                "'2025-01-01T00:00:00Z'}}",
                "a.yaml:1: deletionTimestamp without a finalizer" },
        { "the same twice", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n{apiVersion: v1, "
                "kind: ConfigMap, metadata: {name: a, namespace: default}}\n",
                "a.yaml:3: ConfigMap default/a is in " },
        { "one uid twice", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: u}}\n---\n{apiVersion: "
                "v1, kind: ConfigMap, metadata: {name: b, uid: u}}\n",
                "a.yaml:3: uid u is that of configmaps a already" },
        { "a namespace that is no text", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: 123}}",
                "a.yaml:1: metadata.namespace: must be a string" },
        { "a deletion that is no time", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [a.io/b], "
                "deletionTimestamp: 5}}",
                "a.yaml:1: metadata.deletionTimestamp: must be a time" },
        { "a deletion at no time", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [a.io/b], "
                "deletionTimestamp: banana}}",
                "a.yaml:1: metadata.deletionTimestamp: must be a time" },
        { "a uid that is no text", "a.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: 7}}",
                "a.yaml:1: metadata.uid: must be a string" },
        { "metadata that is none", "a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: [a]}",
                "a.yaml:1: metadata: must be an object" },
        { "an item that is none", "a.yaml", "{apiVersion: v1, kind: List, items: [1]}",
                "a.yaml:1: items[0] is no object" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        world_done();
        world_init(NULL);
        TEST_ASSERT_EQUAL_INT(0, write_file(cases[i].file, cases[i].text));
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID, load_dir(), cases[i].why);
        TEST_ASSERT_TRUE_MESSAGE(says(cases[i].says), w.err.msg);
        TEST_ASSERT_EQUAL_INT(0, write_file("a.json", "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                                                      "\"metadata\":{\"name\":\"n\"}}"));
    }
}

static void test_the_same_object_in_two_files_names_both(void)
{
    static const char text[] = "# one\n{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n";
    prb_autofree char *other = prb_asprintf("%s/a.yaml:2 already", dir);

    TEST_ASSERT_EQUAL_INT(0, write_file("a.yaml", text));
    TEST_ASSERT_EQUAL_INT(0, write_file("b.yaml", text));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, load_dir());
    TEST_ASSERT_TRUE(says("b.yaml:2: ConfigMap default/a is in "));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, other));
}

static void test_what_is_in_the_hub_already_is_not_loaded_again(void)
{
    static const char text[] = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";

    TEST_ASSERT_EQUAL_INT(0, load(text));
    TEST_ASSERT_EQUAL_INT(PRB_E_EXISTS, load(text));
}

static void test_a_folder_that_is_not_there_is_told(void)
{
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, prb_hub_load(w.hub, "/nonexistent/hub", NULL, NULL, &w.err));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "/nonexistent/hub"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_empty_folder_is_an_empty_hub);
    RUN_TEST(test_files_in_folders_are_found_and_others_passed_over);
    RUN_TEST(test_objects_are_kept_as_given);
    RUN_TEST(test_what_is_absent_is_filled_in);
    RUN_TEST(test_lists_are_taken_apart);
    RUN_TEST(test_definitions_come_first_wherever_they_are);
    RUN_TEST(test_kinds_that_nothing_defines_are_guessed_with_a_note);
    RUN_TEST(test_bad_manifests_are_refused_with_file_and_line);
    RUN_TEST(test_the_same_object_in_two_files_names_both);
    RUN_TEST(test_what_is_in_the_hub_already_is_not_loaded_again);
    RUN_TEST(test_a_folder_that_is_not_there_is_told);
    return UNITY_END();
}
