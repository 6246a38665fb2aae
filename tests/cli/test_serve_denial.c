/* `probate serve` and a deletion that it refuses: what is answered, and what is left behind. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/json.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../admission/http_client.h"
#include "../admission/https_client.h"
#include "program.h"
#include "support/process.h"
#include "support/temp_dir.h"

#define WRITTEN "probate_notes_total{result=\"written\"} 1\n"

static const char *examples; /* of the source tree */
static char *dir, *hub;      /* for certificates; examples/hub */
static char *cert, *key;     /* files in it */
static gnutls_certificate_credentials_t trust;
static struct program program;

/* Certificates in `dir`, and trust in their CA. */
static bool make_certs(void)
{
    const char *argv[] = { program_path, "certs", "--out", dir, "--name", "localhost", NULL };
    prb_autofree char *ca = prb_asprintf("%s/ca.crt", dir);

    cert = prb_asprintf("%s/tls.crt", dir);
    key = prb_asprintf("%s/tls.key", dir);
    return prb_test_run(&(struct prb_test_command){ .argv = argv }, NULL, 0) == 0 &&
           gnutls_certificate_set_x509_trust_file(trust, ca, GNUTLS_X509_FMT_PEM) == 1;
}

void setUp(void)
{
    dir = prb_test_temp_dir();
    hub = prb_asprintf("%s/hub", examples);
    program = (struct program){ 0 };
    if (gnutls_certificate_allocate_credentials(&trust) < 0 || !make_certs())
        abort();
}

void tearDown(void)
{
    program_done(&program);
    gnutls_certificate_free_credentials(trust);
    free(hub);
    free(cert);
    free(key);
    prb_test_temp_dir_remove(dir);
}

#define START(...)                                                                            \
    do {                                                                                      \
        program_start(&program, (const char *const[]){ "--embedded", hub, "--tls-cert", cert, \
                                        "--tls-key", key, __VA_ARGS__, NULL });               \
        ASSERT_READY(&program);                                                               \
    } while (0)

static uint16_t admission_port(void)
{
    static const char before[] = " admission=127.0.0.1:";
    prb_autofree char *log = program_log(&program);
    char *at = strstr(log, before);
    int64_t port = 0;

    if (!at)
        return 0;
    at += strlen(before);
    at[strspn(at, "0123456789")] = '\0';
    return prb_parse_int(at, 1, UINT16_MAX, &port) ? (uint16_t)port : 0;
}

/* The answer to a review among the examples; the caller frees, NULL: none. */
static char *judge(const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/reviews/%s.json", examples, name);
    prb_auto(answer_done) struct answer answer = { 0 };
    prb_autofree char *review = NULL;
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, PROGRAM_OUTPUT_MAX, &review, &len, &err) < 0 ||
            !https_call_once(admission_port(), trust, review, &answer) || answer.status != 200)
        return NULL;
    return prb_take(answer.body);
}

static void test_the_deletion_of_what_is_protected_is_refused(void)
{
    static const char *const reviews[] = { "protected-deployment", "protected-namespace" };

    START("--log-level=info");
    for (size_t i = 0; i < sizeof(reviews) / sizeof(reviews[0]); i++) {
        prb_autofree char *answer = judge(reviews[i]);

        ASSERT_HAS(answer, "\"allowed\":false");
        ASSERT_HAS(answer, "\"code\":403");
        ASSERT_HAS(answer, "CriticalService cert-manager");
        ASSERT_HAS(answer, "team-orders/orders-tls");
        ASSERT_HAS(answer, "team-web/shop-tls");
        ASSERT_HAS(answer, "certificates.cert-manager.io is gone");
    }
}

static void test_a_denial_is_written_down(void)
{
    prb_autofree char *answer = NULL;
    int64_t ms;

    START("--controllers=deletion-watch"); /* nobody else writes Events */
    answer = judge("protected-deployment");
    ASSERT_HAS(answer, "\"allowed\":false");
    TEST_ASSERT_CAME(program_shows(&program, "/metrics", WRITTEN));
    TEST_ASSERT_TRUE(
            program_shows(&program, "/metrics", "probate_events_total{result=\"created\"} 2\n"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
}

/* The controllers have ended by then; reviews still come in. */
static void test_a_denial_is_written_down_while_it_drains(void)
{
    prb_autofree char *answer = NULL;

    START("--shutdown-delay=4m");
    (void)kill(program.pid, SIGTERM);
    TEST_ASSERT_CAME(program_shows(&program, "/readyz", "[-] shutdown: stopping\n"));
    answer = judge("protected-deployment");
    ASSERT_HAS(answer, "\"allowed\":false");
    TEST_ASSERT_CAME(program_shows(&program, "/metrics", WRITTEN));
}

static void test_with_dry_run_it_judges_the_same_and_writes_nothing(void)
{
    prb_autofree char *metrics = NULL;

    START("--dry-run");
    for (int i = 0; i < 10; i++) { /* whoever wrote would have begun by the last */
        prb_autofree char *answer = judge("protected-deployment");

        ASSERT_HAS(answer, "\"allowed\":false");
    }
    metrics = program_get(&program, "/metrics");
    ASSERT_HAS(metrics, "decision=\"deny\",rule=\"critical-service\"} 10\n");
    TEST_ASSERT_FALSE(has_text(metrics, "probate_notes_total"));
    TEST_ASSERT_FALSE(has_text(metrics, "probate_events_total"));
}

static void test_a_rule_without_its_controller_is_warned_of(void)
{
    prb_autofree char *log = NULL;
    int64_t ms;

    START("--controllers=-critical-service");
    TEST_ASSERT_CAME(program_says(&program, "warn  the controller of this rule is left out"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    program_done(&program);
    START("--controllers=-critical-service", "--rules=-critical-service");
    log = program_log(&program);
    TEST_ASSERT_FALSE(has_text(log, "is left out"));
}

/* A Deployment that no CriticalService names is to go: is the API server asked which there are? */
static bool asks_for_guards(const char *path)
{
    static const char review[] =
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{"
            "\"uid\":\"u\",\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},"
            "\"resource\":{\"group\":\"apps\",\"version\":\"v1\",\"resource\":\"deployments\"},"
            "\"name\":\"nobody\",\"namespace\":\"default\",\"operation\":\"DELETE\","
            "\"userInfo\":{\"username\":\"ann\"},\"oldObject\":{\"metadata\":{\"name\":\"nobody\","
            "\"namespace\":\"default\"}}}}";
    prb_autofree char *request =
            prb_asprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         "Content-Length: %zu\r\n\r\n%s",
                    path, strlen(review), review);
    prb_auto(answer_done) struct answer answer = { 0 };
    prb_autofree char *metrics = NULL;
    struct https https;
    bool answered;

    if (!https_open(&https, admission_port(), trust))
        return false;
    answered = https_say(&https, request) && https_read(&https, &answer);
    https_close(&https);
    if (!answered)
        return false;
    ASSERT_HAS(answer.body, "\"allowed\":true");
    metrics = program_get(&program, "/metrics");
    return has_text(metrics, "probate_questions_total{type=\"list\",answer=\"present\"} 1\n");
}

/* The API server says by the path that a Deployment is in a labelled Namespace: then the cache,
 * which may be behind, is no reason to let it go. */
static void test_what_is_in_a_labelled_namespace_is_asked_about_live(void)
{
    START("--controllers=deletion-watch");
    TEST_ASSERT_FALSE(asks_for_guards("/validate/critical-service"));
    TEST_ASSERT_TRUE(asks_for_guards("/validate/critical-service/labelled"));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    program_path = argv[1];
    examples = argv[2];
    UNITY_BEGIN();
    RUN_TEST(test_the_deletion_of_what_is_protected_is_refused);
    RUN_TEST(test_a_denial_is_written_down);
    RUN_TEST(test_a_denial_is_written_down_while_it_drains);
    RUN_TEST(test_with_dry_run_it_judges_the_same_and_writes_nothing);
    RUN_TEST(test_a_rule_without_its_controller_is_warned_of);
    RUN_TEST(test_what_is_in_a_labelled_namespace_is_asked_about_live);
    return UNITY_END();
}
