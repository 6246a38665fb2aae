/* `probate review` as its users have it: files in, lines out, exit codes. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/json.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "program.h"
#include "support/process.h"
#include "support/temp_dir.h"

enum { ARGUMENTS_MAX = 16 };

static char *dir;    /* holds the hub and the files of a test */
static char *output; /* what the last run wrote to stdout */
static char *said;   /* and to stderr */

/* Write a file below `dir`. */
static void write_file(const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;

    if (prb_file_write(path, text, strlen(text), 0600, &err) < 0)
        (void)fprintf(stderr, "%s\n", err.msg);
}

static char *read_file(const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;
    char *text = NULL;
    size_t len;

    return prb_file_read(path, PROGRAM_OUTPUT_MAX, &text, &len, &err) < 0 ? prb_strdup("") : text;
}

/* c1 lives, c2 is being deleted, and buckets are claims. */
static const char hub[] =
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: c1}\n"
        "---\n"
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: c2, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [a.io/b]}\n"
        "---\n"
        "apiVersion: apiextensions.crossplane.io/v1\n"
        "kind: CompositeResourceDefinition\n"
        "metadata: {name: xbuckets.example.org}\n"
        "spec:\n"
        "  group: example.org\n"
        "  names: {kind: XBucket, plural: xbuckets}\n"
        "  claimNames: {kind: Bucket, plural: buckets}\n"
        "  versions: [{name: v1, served: true, referenceable: true}]\n";

/* Reviews: a work in cluster %s, in YAML and in JSON. */
#define WORK_YAML(uid, cluster)                                                                    \
    "apiVersion: admission.k8s.io/v1\n"                                                            \
    "kind: AdmissionReview\n"                                                                      \
    "request:\n"                                                                                   \
    "  uid: " uid "\n"                                                                             \
    "  operation: CREATE\n"                                                                        \
    "  kind: {group: work.open-cluster-management.io, version: v1, kind: ManifestWork}\n"          \
    "  resource: {group: work.open-cluster-management.io, version: v1, resource: manifestworks}\n" \
    "  name: web\n"                                                                                \
    "  namespace: " cluster "\n"                                                                   \
    "  object: {metadata: {name: web, namespace: " cluster "}, spec: {}}\n"
#define WORK_JSON(uid, cluster)                                                          \
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{" \
    "\"uid\":\"" uid "\",\"operation\":\"CREATE\","                                      \
    "\"resource\":{\"group\":\"work.open-cluster-management.io\",\"version\":\"v1\","    \
    "\"resource\":\"manifestworks\"},\"name\":\"web\",\"namespace\":\"" cluster "\","    \
    "\"object\":{\"metadata\":{\"name\":\"web\"},\"note\":\"}{\\\"]\"}}}"
#define POLICY_YAML(behaviour)                                              \
    "apiVersion: admission.k8s.io/v1\n"                                     \
    "kind: AdmissionReview\n"                                               \
    "request:\n"                                                            \
    "  uid: p-1\n"                                                          \
    "  operation: CREATE\n"                                                 \
    "  resource: {group: policy.open-cluster-management.io, version: v1,\n" \
    "    resource: configurationpolicies}\n"                                \
    "  name: p\n"                                                           \
    "  namespace: c1\n"                                                     \
    "  object: {spec: {pruneObjectBehavior: " behaviour ", remediationAction: inform}}\n"
#define CLAIM_YAML                                                       \
    "apiVersion: admission.k8s.io/v1\n"                                  \
    "kind: AdmissionReview\n"                                            \
    "request:\n"                                                         \
    "  uid: b-1\n"                                                       \
    "  operation: CREATE\n"                                              \
    "  resource: {group: example.org, version: v1, resource: buckets}\n" \
    "  namespace: team\n"                                                \
    "  object: {metadata: {generateName: b-}, spec: {compositeDeletePolicy: Orphan}}\n"

void setUp(void)
{
    prb_autofree char *folder = NULL;

    dir = prb_test_temp_dir();
    folder = prb_asprintf("%s/hub", dir);
    (void)mkdir(folder, 0700);
    write_file("hub/hub.yaml", hub);
    write_file("live.yaml", WORK_YAML("u-1", "c1"));
    write_file("gone.yaml", WORK_YAML("u-2", "c2"));
    output = said = NULL;
}

void tearDown(void)
{
    free(prb_take(output));
    free(prb_take(said));
    prb_test_temp_dir_remove(dir);
}

/* Run in `dir` with stdout and stderr apart and `in` as stdin; the exit code. */
static int run_with(const char *in, const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX] = { "sh", "-c",
        "cd \"$0\" && program=$1 in=$2 && shift 2 && exec \"$program\" \"$@\" <\"$in\" 2>said", dir,
        program_path, in };
    struct prb_test_command command = { .argv = argv };
    size_t count = 6;
    int code;

    for (; *arguments && count + 1 < ARGUMENTS_MAX; arguments++)
        argv[count++] = *arguments;
    free(prb_take(output));
    free(prb_take(said));
    output = prb_calloc(1, PROGRAM_OUTPUT_MAX);
    code = prb_test_run(&command, output, PROGRAM_OUTPUT_MAX);
    said = read_file("said");
    return code;
}
#define REVIEW(...) \
    run_with("/dev/null", (const char *const[]){ "review", "--embedded", "hub", __VA_ARGS__, NULL })

#define ASSERT_IN(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))

static size_t count_lines(const char *text)
{
    size_t lines = text[0] ? 1 : 0; /* the last line end is cut off */

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void test_an_allowed_review_is_one_line_and_exit_0(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, REVIEW("live.yaml"), said);
    TEST_ASSERT_EQUAL_STRING("live.yaml (1): CREATE ManifestWork c1/web: allowed", output);
    TEST_ASSERT_EQUAL_STRING("", said);
}

static void test_a_namespace_is_named_once(void)
{
    write_file("namespace.yaml", "apiVersion: admission.k8s.io/v1\n"
                                 "kind: AdmissionReview\n"
                                 "request:\n"
                                 "  uid: n-1\n"
                                 "  operation: DELETE\n"
                                 "  kind: {group: '', version: v1, kind: Namespace}\n"
                                 "  resource: {group: '', version: v1, resource: namespaces}\n"
                                 "  name: team\n"
                                 "  namespace: team\n"
                                 "  oldObject: {metadata: {name: team}}\n");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, REVIEW("namespace.yaml"), said);
    TEST_ASSERT_EQUAL_STRING("namespace.yaml (1): DELETE Namespace team: allowed", output);
}

static void test_a_denied_review_is_exit_1_with_rule_code_and_text(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, REVIEW("live.yaml", "gone.yaml"), said);
    TEST_ASSERT_EQUAL_size_t(2, count_lines(output));
    ASSERT_IN(output,
            "\ngone.yaml (1): CREATE ManifestWork c2/web: denied by cluster-lifecycle (403): "
            "ManifestWork c2/web cannot be created: ManagedCluster c2 is being deleted");
    TEST_ASSERT_EQUAL_STRING("", said);
}

static void test_json_is_one_answer_per_line_and_nothing_else(void)
{
    prb_auto(prb_json_free) struct json_object *first = NULL;
    prb_auto(prb_json_free) struct json_object *second = NULL;
    struct prb_error err = { 0 };
    char *end;

    /* A kind whose plural has to be guessed is worth a note, elsewhere. */
    write_file("hub/odd.yaml", "apiVersion: odd.io/v1\nkind: Oddity\nmetadata: {name: o}\n");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, REVIEW("--output", "json", "live.yaml", "gone.yaml"), said);
    TEST_ASSERT_EQUAL_size_t(2, count_lines(output));
    end = strchr(output, '\n');
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(output, (size_t)(end - output), NULL, &first, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(end + 1, strlen(end + 1), NULL, &second, &err));
    TEST_ASSERT_EQUAL_STRING("u-1", prb_json_str(prb_json_obj(first, "response"), "uid"));
    TEST_ASSERT_EQUAL_STRING("u-2", prb_json_str(prb_json_obj(second, "response"), "uid"));
    ASSERT_IN(said, "probate review: ");
    ASSERT_IN(said, "Oddity");
}

#define WORKS "manifestworks" /* where the review names no kind */

static void test_several_documents_are_told_apart(void)
{
    static const struct {
        const char *name, *text, *kind, *other;
    } files[] = {
        { "many.yaml", WORK_YAML("u-1", "c1") "---\n" WORK_YAML("u-2", "c2") "---\n",
                "ManifestWork", "ManifestWork" },
        { "lines.json", WORK_JSON("u-1", "c1") "\n" WORK_JSON("u-2", "c2") "\n", WORKS, WORKS },
        { "joined.json", "\n " WORK_JSON("u-1", "c1") WORK_JSON("u-2", "c2"), WORKS, WORKS },
        { "marked.json", WORK_JSON("u-1", "c1") "\n---\n" WORK_JSON("u-2", "c2") "\n---\n", WORKS,
                WORKS },
        { "mixed.yaml", "# two\n---\n" WORK_JSON("u-1", "c1") "\n---\n" WORK_YAML("u-2", "c2"),
                WORKS, "ManifestWork" },
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        prb_autofree char *first =
                prb_asprintf("%s (1): CREATE %s c1/web: allowed\n", files[i].name, files[i].kind);
        prb_autofree char *second =
                prb_asprintf("\n%s (2): CREATE %s c2/web: denied ", files[i].name, files[i].other);

        write_file(files[i].name, files[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, REVIEW(files[i].name), said);
        TEST_ASSERT_EQUAL_size_t(2, count_lines(output));
        ASSERT_IN(output, first);
        ASSERT_IN(output, second);
    }
}

static void test_a_dash_is_the_standard_input(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(1,
            run_with("gone.yaml", (const char *const[]){ "review", "-", "--embedded=hub", NULL }),
            said);
    ASSERT_IN(output, "- (1): CREATE ManifestWork c2/web: denied");
}

/* The error names file and document; the others are judged all the same. */
static void test_what_cannot_be_read_is_exit_2_with_its_place(void)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        { WORK_YAML("u-1", "c1") "---\nkind: Pod\n",
                "bad: document 2 (from line 12): kind is \"Pod\", and not AdmissionReview" },
        { WORK_YAML("u-1", "c1") "---\nkind: [\n", "bad: document 2: line " },
        { WORK_YAML("''", "c1"), "bad: document 1 (from line 1): request.uid is missing or empty" },
        { WORK_JSON("u-1", "c1") "\n\n{\"kind\":NaN}",
                "bad: document 2 (from line 3): line 1, column 9: expected a value" },
        { WORK_JSON("u-1", "c1") "}", "bad: document 2 (from line 1): line 1, column 1: expected" },
        { "{'apiVersion':'admission.k8s.io/v1'}", "expected a member name in double quotes" },
        { "{\"kind\":\"a\",\"kind\":\"b\"}", "duplicate member name" },
        { "[]", "bad: document 1 (from line 1): this is no AdmissionReview" },
        { "", "bad: there is no document in it" },
        { "# nothing\n", "bad: there is no document in it" },
        { "just a text", "this is no AdmissionReview" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        write_file("bad", cases[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, REVIEW("bad", "gone.yaml"), cases[i].text);
        ASSERT_IN(said, cases[i].why);
        ASSERT_IN(output, "gone.yaml (1): CREATE ManifestWork c2/web: denied");
    }
}

static void test_wrong_usage_is_exit_2_and_says_what_is_right(void)
{
    static const struct {
        const char *argv[6];
        const char *text;
    } cases[] = {
        { { "review", "live.yaml" }, "--embedded DIR is needed" },
        { { "review", "--embedded", "hub" }, "no file is given" },
        { { "review", "--embedded", "nowhere", "live.yaml" }, "--embedded: nowhere: " },
        { { "review", "--embedded", "hub", "absent.yaml" }, "absent.yaml: No such file" },
        { { "review", "--embedded", "hub", "hub" }, "hub: is a directory" },
        { { "review", "--embedded", "hub", "--rules=policy-prnue", "live.yaml" },
                "did you mean policy-prune?" },
        { { "review", "--embedded", "hub", "--rule-mode=policy-prune=warm", "live.yaml" },
                "did you mean warn?" },
        { { "review", "--embedded", "hub", "--output=xml", "live.yaml" },
                "\"xml\" is none of text, json" },
        { { "review", "--embeded", "hub" }, "did you mean --embedded?" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, run_with("/dev/null", cases[i].argv), cases[i].text);
        ASSERT_IN(said, cases[i].text);
        TEST_ASSERT_EQUAL_STRING("", output);
    }
}

static void test_warn_mode_makes_a_warning_of_a_denial(void)
{
    TEST_ASSERT_EQUAL_INT(0, REVIEW("--rule-mode=cluster-lifecycle=warn", "gone.yaml"));
    ASSERT_IN(output, "allowed, but would be refused: cluster-lifecycle: ");
    ASSERT_IN(output, "; warning: would be refused (cluster-lifecycle): ManifestWork c2/web");
}

static void test_audit_mode_allows_without_a_warning(void)
{
    TEST_ASSERT_EQUAL_INT(0, REVIEW("--rule-mode=cluster-lifecycle=audit", "gone.yaml"));
    ASSERT_IN(output, "allowed, but would be refused: cluster-lifecycle: ");
    TEST_ASSERT_NULL(strstr(output, "warning"));
}

static void test_a_rule_that_is_switched_off_has_no_say(void)
{
    TEST_ASSERT_EQUAL_INT(0, REVIEW("--rules=-cluster-lifecycle", "gone.yaml"));
    TEST_ASSERT_EQUAL_STRING("gone.yaml (1): CREATE ManifestWork c2/web: allowed", output);
}

static void test_settings_are_judged_and_warnings_shown(void)
{
    write_file("prune.yaml", POLICY_YAML("DeleteAll"));
    TEST_ASSERT_EQUAL_INT(0, REVIEW("prune.yaml"));
    ASSERT_IN(output, "CREATE configurationpolicies c1/p: allowed; warning: spec.pruneObject");
    write_file("prune.yaml", POLICY_YAML("Delete"));
    TEST_ASSERT_EQUAL_INT(1, REVIEW("prune.yaml"));
    ASSERT_IN(output, "denied by policy-prune (422): spec.pruneObjectBehavior: ");
}

static void test_claims_are_known_from_definitions_or_from_the_flag(void)
{
    write_file("claim.yaml", CLAIM_YAML);
    TEST_ASSERT_EQUAL_INT(1, REVIEW("claim.yaml"));
    ASSERT_IN(output, "CREATE buckets team/(no name yet): denied by claim-delete-policy (422): ");
    write_file("hub/hub.yaml", "");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, REVIEW("claim.yaml"), output);
    TEST_ASSERT_EQUAL_INT(1, REVIEW("--claim-resource", "buckets.example.org", "claim.yaml"));
}

static void test_a_name_cannot_steer_the_terminal(void)
{
    write_file("\x1b[31mred", WORK_YAML("u-1", "c1"));
    TEST_ASSERT_EQUAL_INT(0, REVIEW("\x1b[31mred"));
    TEST_ASSERT_NULL(strchr(output, '\x1b'));
}

static void test_an_output_that_takes_nothing_is_exit_4(void)
{
    const char *argv[] = { "sh", "-c",
        "cd \"$0\" && exec \"$1\" review --embedded hub gone.yaml >/dev/full 2>/dev/null", dir,
        program_path, NULL };

    TEST_ASSERT_EQUAL(4, prb_test_run(&(struct prb_test_command){ .argv = argv }, NULL, 0));
}

int main(int argc, char **argv)
{
    static char path[PATH_MAX];

    if (argc < 2)
        return 2;
    program_path = realpath(argv[1], path); /* it is run in other folders */
    UNITY_BEGIN();
    RUN_TEST(test_an_allowed_review_is_one_line_and_exit_0);
    RUN_TEST(test_a_namespace_is_named_once);
    RUN_TEST(test_a_denied_review_is_exit_1_with_rule_code_and_text);
    RUN_TEST(test_json_is_one_answer_per_line_and_nothing_else);
    RUN_TEST(test_several_documents_are_told_apart);
    RUN_TEST(test_a_dash_is_the_standard_input);
    RUN_TEST(test_what_cannot_be_read_is_exit_2_with_its_place);
    RUN_TEST(test_wrong_usage_is_exit_2_and_says_what_is_right);
    RUN_TEST(test_warn_mode_makes_a_warning_of_a_denial);
    RUN_TEST(test_audit_mode_allows_without_a_warning);
    RUN_TEST(test_a_rule_that_is_switched_off_has_no_say);
    RUN_TEST(test_settings_are_judged_and_warnings_shown);
    RUN_TEST(test_claims_are_known_from_definitions_or_from_the_flag);
    RUN_TEST(test_a_name_cannot_steer_the_terminal);
    RUN_TEST(test_an_output_that_takes_nothing_is_exit_4);
    return UNITY_END();
}
