#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/kube/config.h"

#include "files.h"
#include "has.h"
#include "pem.h"
#include "support/temp_dir.h"

static char *dir;        /* of this test */
static char *cert, *key; /* of all */

void setUp(void)
{
    dir = prb_test_temp_dir();
    prb_test_setenv("KUBERNETES_SERVICE_HOST", NULL);
    prb_test_setenv("KUBERNETES_SERVICE_PORT", NULL);
    prb_test_setenv("KUBECONFIG", NULL);
    prb_test_setenv("HOME", dir);
}

void tearDown(void)
{
    prb_test_temp_dir_remove(dir);
}

/* Write a file below the folder of the test; its path, owned. */
static char *put(const char *name, const char *text)
{
    char *path = prb_asprintf("%s/%s", dir, name);

    prb_test_put(path, text);
    return path;
}

/* A pod's root: its folder with what the kubelet mounts. */
static void make_pod(const char *ca, const char *token)
{
    prb_autofree char *command =
            prb_asprintf("%s/var/run/secrets/kubernetes.io/serviceaccount", dir);

    for (char *slash = strchr(command + strlen(dir) + 1, '/'); slash;
            slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(command, 0700);
        *slash = '/';
    }
    (void)mkdir(command, 0700);
    free(put("var/run/secrets/kubernetes.io/serviceaccount/ca.crt", ca));
    free(put("var/run/secrets/kubernetes.io/serviceaccount/namespace", "ours\n"));
    if (token)
        free(put("var/run/secrets/kubernetes.io/serviceaccount/token", token));
}

static void test_a_pod_is_its_service_account(void)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err = { .msg = "" };

    make_pod(cert, "tok");
    prb_test_setenv("KUBERNETES_SERVICE_HOST", "fd00::1");
    prb_test_setenv("KUBERNETES_SERVICE_PORT", "443");
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_kube_config_in_cluster(dir, &config, &err), err.msg);
    TEST_ASSERT_EQUAL_STRING("https://[fd00::1]:443", config->server);
    TEST_ASSERT_EQUAL_STRING("ours", config->namespace);
    TEST_ASSERT_NOT_NULL(strstr(config->token_file, "/serviceaccount/token"));
    TEST_ASSERT_NOT_NULL(strstr(config->ca_file, "/serviceaccount/ca.crt"));
    TEST_ASSERT_NULL(config->token);
}

static void test_what_is_no_pod_is_not_found(void)
{
    struct prb_kube_config *config = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, prb_kube_config_in_cluster(dir, &config, &err));
    prb_test_setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    prb_test_setenv("KUBERNETES_SERVICE_PORT", "443");
    make_pod(cert, NULL);
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, prb_kube_config_in_cluster(dir, &config, &err));
    ASSERT_HAS(err.msg, "no service account token");
    TEST_ASSERT_NULL(config);
}

static void test_a_pod_with_a_broken_ca_is_told(void)
{
    struct prb_kube_config *config = NULL;
    struct prb_error err;

    prb_test_setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    prb_test_setenv("KUBERNETES_SERVICE_PORT", "443");
    make_pod("nonsense", "tok");
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_kube_config_in_cluster(dir, &config, &err));
    ASSERT_HAS(err.msg, "ca.crt: no certificate in it");
}

static int find(
        const char *kubeconfig, const char *context, char **ret_source, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    int r;

    *err = (struct prb_error){ .code = PRB_OK };
    r = prb_kube_config_find(kubeconfig, context, &config, err);
    *ret_source = r == 0 ? prb_strdup(config->source) : NULL;
    return r;
}

static void test_the_places_are_tried_in_order(void)
{
    static const char text[] = "current-context: x\ncontexts:\n- name: x\n  context: {cluster: c}\n"
                               "clusters:\n- name: c\n  cluster: {server: 'https://h'}\n";
    prb_autofree char *given = put("given", text), *listed = put("listed", text);
    prb_autofree char *kube = prb_asprintf("%s/.kube", dir);
    prb_autofree char *home = NULL;
    prb_autofree char *source = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(0, mkdir(kube, 0700));
    home = put(".kube/config", text);
    prb_test_setenv("KUBECONFIG", listed);

    TEST_ASSERT_EQUAL_MESSAGE(0, find(given, NULL, &source, &err), err.msg);
    ASSERT_HAS(source, given);
    free(prb_take(source));
    TEST_ASSERT_EQUAL_MESSAGE(0, find(NULL, NULL, &source, &err), err.msg);
    ASSERT_HAS(source, listed);
    free(prb_take(source));
    prb_test_setenv("KUBECONFIG", NULL);
    TEST_ASSERT_EQUAL_MESSAGE(0, find(NULL, NULL, &source, &err), err.msg);
    ASSERT_HAS(source, home);
}

static void test_when_there_is_nothing_every_place_is_named(void)
{
    prb_autofree char *source = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(PRB_E_INVALID, find(NULL, NULL, &source, &err));
    ASSERT_HAS(err.msg, "no kubeconfig is given", "this is no pod", "$KUBECONFIG is not set",
            "/.kube/config: No such file");
    prb_test_setenv("HOME", NULL);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, find(NULL, NULL, &source, &err));
    ASSERT_HAS(err.msg, "there is no $HOME");
}

int main(void)
{
    int failed;

    prb_test_pem_pair(&cert, &key);
    UNITY_BEGIN();
    RUN_TEST(test_a_pod_is_its_service_account);
    RUN_TEST(test_what_is_no_pod_is_not_found);
    RUN_TEST(test_a_pod_with_a_broken_ca_is_told);
    RUN_TEST(test_the_places_are_tried_in_order);
    RUN_TEST(test_when_there_is_nothing_every_place_is_named);
    failed = UNITY_END();
    free(cert);
    free(key);
    return failed;
}
