/* The verbs of a chart's hooks as a person meets them: wrong flags, no cluster. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "program.h"
#include "support/temp_dir.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define RUN(ret, ...) program_run((const char *const[]){ __VA_ARGS__, NULL }, NULL, (ret))

static void test_what_is_wrong_with_the_flags_is_said(void)
{
    static const struct {
        const char *argv[8];
        const char *text;
    } cases[] = {
        { { "remove", "--skip", "everything" }, "there is no step \"everything\"" },
        { { "remove", "--claim-resource", "networks" }, "--claim-resource" },
        { { "remove", "--skip", "claims", "--timeout", "0s" }, "--timeout" },
        { { "selftest", "--timeout", "1d" }, "--timeout" },
        { { "serve", "--certs-secret", "a/b", "--tls-cert", "x", "--embedded", "/" },
                "--certs-secret and --tls-cert exclude each other" },
        { { "manifest", "rbac", "--certs-secret", "nowhere" }, "NAMESPACE/NAME" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *said = NULL;

        TEST_ASSERT_EQUAL_INT_MESSAGE(2, program_run(cases[i].argv, NULL, &said), cases[i].text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, cases[i].text), said);
    }
}

static void test_a_cluster_that_is_not_there_is_exit_3(void)
{
    static const char config[] =
            "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: "
            "{cluster: c, user: u}}], clusters: [{name: c, cluster: {server: "
            "'http://127.0.0.1:1'}}], users: [{name: u, user: {}}]}";
    static const char *const verbs[] = { "selftest", "remove" };
    prb_auto(prb_test_temp_dir_remove) char *dir = prb_test_temp_dir();
    prb_autofree char *path = prb_asprintf("%s/kubeconfig", dir);
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, config, strlen(config), 0600, &err));
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        prb_autofree char *said = NULL;

        TEST_ASSERT_EQUAL_INT_MESSAGE(3, RUN(&said, verbs[i], "--kubeconfig", path), said);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "could not be reached"), said);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_what_is_wrong_with_the_flags_is_said);
    RUN_TEST(test_a_cluster_that_is_not_there_is_exit_3);
    return UNITY_END();
}
