/* `probate serve` with the controller of claims, as a process. */

#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "program.h"
#include "support/temp_dir.h"

static char *dir;
static struct program program;

void setUp(void)
{
    dir = prb_test_temp_dir();
    program = (struct program){ 0 };
}

void tearDown(void)
{
    program_done(&program);
    prb_test_temp_dir_remove(dir);
}

#define ORG "example.org/v1\n"

/* A claim that is being deleted in the foreground, and waits for a bucket that somebody holds. */
static const char world[] =
        "apiVersion: apiextensions.crossplane.io/v1\n"
        "kind: CompositeResourceDefinition\n"
        "metadata: {name: xnetworks.example.org}\n"
        "spec: {group: example.org, names: {kind: XNetwork, plural: xnetworks}, claimNames: {kind: "
        "Network, plural: networks}, versions: [{name: v1, served: true, referenceable: true}]}\n"
        "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n"
        "---\napiVersion: " ORG "kind: Network\nmetadata: {name: n1, namespace: team, "
        "deletionTimestamp: 2026-01-02T03:04:05Z, finalizers: [probate.dev/claim-cleanup]}\n"
        "spec: {compositeDeletePolicy: Foreground, resourceRef: {apiVersion: example.org/v1, kind: "
        "XNetwork, name: x1}}\n"
        "---\napiVersion: " ORG "kind: XNetwork\nmetadata: {name: x1, uid: u-x1}\n"
        "spec: {claimRef: {apiVersion: example.org/v1, kind: Network, namespace: team, name: n1}, "
        "resourceRefs: [{apiVersion: example.org/v1, kind: Bucket, name: b1}]}\n"
        "---\napiVersion: " ORG "kind: Bucket\nmetadata: {name: b1, finalizers: "
        "[example.org/hold], ownerReferences: [{apiVersion: example.org/v1, kind: XNetwork, name: "
        "x1, uid: u-x1, controller: true}]}\n";

static const char crossplane[] =
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: crossplane, namespace: "
        "crossplane-system, labels: {app: crossplane}}\n";

static bool write_manifest(const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;

    return prb_file_write(path, text, strlen(text), 0600, &err) == 0;
}

#define START(...)                                                           \
    do {                                                                     \
        program_start(&program, (const char *const[]){ __VA_ARGS__, NULL }); \
        ASSERT_READY(&program);                                              \
    } while (0)

static void test_it_runs_only_where_it_is_named(void)
{
    prb_autofree char *ready = NULL;

    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    START("--embedded", dir, "--controllers=*");
    ready = program_get(&program, "/readyz?verbose");
    TEST_ASSERT_NULL_MESSAGE(strstr(ready, "claims wants"), ready);
}

static void test_crossplanes_finalizer_is_refused_beside_crossplane(void)
{
    prb_autofree char *output = NULL;

    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    TEST_ASSERT_TRUE(write_manifest("crossplane.yaml", crossplane));
    TEST_ASSERT_EQUAL(2, program_run((const char *const[]){ "serve", "--embedded", dir,
                                             "--ops-listen", "127.0.0.1:0", "--listen",
                                             "127.0.0.1:0", "--controllers=claims", NULL },
                                 NULL, &output));
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(output, "--claim-finalizer: Crossplane's core runs on this cluster"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(output, "--claim-finalizer=probate.dev/claim-cleanup"), output);
}

static void test_with_a_finalizer_of_its_own_it_says_what_a_claim_waits_for(void)
{
    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    TEST_ASSERT_TRUE(write_manifest("crossplane.yaml", crossplane));
    START("--embedded", dir, "--controllers=claims", "--claim-finalizer=probate.dev/claim-cleanup");
    TEST_ASSERT_CAME(program_shows(&program, "/waiting",
            "1 composed resource is left: Bucket b1 (depth 1, being deleted since "));
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", ", finalizer example.org/hold)"));
}

static void test_kinds_that_nobody_checks_are_reported(void)
{
    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    START("--embedded", dir, "--controllers=claims");
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose",
            "[i] claims of xnetworks.example.org: no registration of the webhook "
            "claim-delete-policy.probate.dev covers networks.example.org"));
    TEST_ASSERT_CAME(program_shows(&program, "/metrics", "\nprobate_claim_kinds_uncovered 1\n"));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_it_runs_only_where_it_is_named);
    RUN_TEST(test_crossplanes_finalizer_is_refused_beside_crossplane);
    RUN_TEST(test_with_a_finalizer_of_its_own_it_says_what_a_claim_waits_for);
    RUN_TEST(test_kinds_that_nobody_checks_are_reported);
    return UNITY_END();
}
