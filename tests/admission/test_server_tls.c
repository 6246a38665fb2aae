/* TLS at the admission port: versions, protocols, sessions, and certificates of callers. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "server_world.h"
#include "support/temp_dir.h"

static struct server_world world;
static struct https https;
static struct answer answer;

void setUp(void)
{
    world_init(&world);
    answer = (struct answer){ 0 };
}

void tearDown(void)
{
    answer_done(&answer);
    https_close(&https);
    world_done(&world);
}

static bool call(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);

    answer_done(&answer);
    return https_call(&https, review, &answer);
}

/* A session of our own making, for what the usual client does not do. */
struct session {
    gnutls_session_t tls;
    int fd;
};

static bool session_open(
        struct session *session, const char *priorities, const gnutls_datum_t *resume)
{
    int code;

    session->fd = https_dial(world_port(&world));
    if (gnutls_init(&session->tls, GNUTLS_CLIENT) < 0)
        return false;
    (void)gnutls_priority_set_direct(session->tls, priorities, NULL);
    (void)gnutls_credentials_set(session->tls, GNUTLS_CRD_CERTIFICATE, world.client);
    (void)gnutls_server_name_set(session->tls, GNUTLS_NAME_DNS, "localhost", 9);
    gnutls_transport_set_int(session->tls, session->fd);
    if (resume)
        (void)gnutls_session_set_data(session->tls, resume->data, resume->size);
    while ((code = gnutls_handshake(session->tls)) < 0 && !gnutls_error_is_fatal(code))
        continue;
    return code == 0;
}

static void session_close(struct session *session)
{
    gnutls_deinit(session->tls);
    (void)close(session->fd);
}

/* A request and the beginning of its answer; TLS 1.3 would bring a ticket with it. */
static bool session_ask(struct session *session)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    char got[16];

    return gnutls_record_send(session->tls, request, sizeof(request) - 1) > 0 &&
           gnutls_record_recv(session->tls, got, sizeof(got)) > 0;
}

static void test_tls_is_1_2_or_1_3(void)
{
    static const struct {
        const char *priorities;
        bool accepted;
    } cases[] = {
        { "NORMAL:-VERS-ALL:+VERS-TLS1.3", true },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.2", true },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.1", false },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.0", false },
    };

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct session session;

        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].accepted,
                session_open(&session, cases[i].priorities, NULL) && session_ask(&session),
                cases[i].priorities);
        session_close(&session);
    }
}

static void test_what_is_no_tls_is_closed(void)
{
    static const char request[] = "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
    char got[64];
    int fd;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    fd = https_dial(world_port(&world));
    TEST_ASSERT_TRUE(write(fd, request, sizeof(request) - 1) > 0);
    /* An alert of TLS, or the end; no HTTP. */
    while (read(fd, got, sizeof(got)) > 0)
        TEST_ASSERT_NOT_EQUAL_INT('H', got[0]);
    (void)close(fd);
}

static void test_no_session_is_resumed(void)
{
    static const char *const versions[] = { "NORMAL:-VERS-ALL:+VERS-TLS1.3",
        "NORMAL:-VERS-ALL:+VERS-TLS1.2" };

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < 2; i++) {
        struct session session;
        gnutls_datum_t data;

        TEST_ASSERT_TRUE(session_open(&session, versions[i], NULL));
        TEST_ASSERT_TRUE(session_ask(&session));
        TEST_ASSERT_FALSE(gnutls_session_get_flags(session.tls) & GNUTLS_SFLAGS_SESSION_TICKET);
        TEST_ASSERT_EQUAL_INT(0, gnutls_session_get_data2(session.tls, &data));
        session_close(&session);
        TEST_ASSERT_TRUE(session_open(&session, versions[i], &data));
        TEST_ASSERT_TRUE(session_ask(&session));
        TEST_ASSERT_EQUAL_INT(0, gnutls_session_is_resumed(session.tls));
        session_close(&session);
        gnutls_free(data.data);
    }
}

static void test_alpn_is_http_1_1_or_none(void)
{
    gnutls_datum_t offered[] = { { .data = (unsigned char *)(char[]){ "h2" }, .size = 2 },
        { .data = (unsigned char *)(char[]){ "http/1.1" }, .size = 8 } };

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (unsigned count = 1; count <= 2; count++) {
        gnutls_datum_t chosen = { 0 };
        struct session session;
        int code;

        session.fd = https_dial(world_port(&world));
        TEST_ASSERT_EQUAL_INT(0, gnutls_init(&session.tls, GNUTLS_CLIENT));
        (void)gnutls_set_default_priority(session.tls);
        (void)gnutls_credentials_set(session.tls, GNUTLS_CRD_CERTIFICATE, world.client);
        (void)gnutls_alpn_set_protocols(session.tls, offered, count, 0);
        gnutls_transport_set_int(session.tls, session.fd);
        while ((code = gnutls_handshake(session.tls)) < 0 && !gnutls_error_is_fatal(code))
            continue;
        TEST_ASSERT_EQUAL_INT(0, code);
        /* Who can do nothing but HTTP/2 is not told that it can. */
        TEST_ASSERT_EQUAL_INT(count == 2 ? 0 : GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE,
                gnutls_alpn_get_selected_protocol(session.tls, &chosen));
        if (count == 2)
            TEST_ASSERT_EQUAL_STRING_LEN("http/1.1", chosen.data, 8);
        session_close(&session);
    }
}

static bool open_as(const struct prb_certs *signer, const struct client_cert *what)
{
    gnutls_certificate_credentials_t client = make_client(world.certs.ca_cert, signer, what);
    bool opened = https_open(&https, world_port(&world), client) && call();

    https_close(&https);
    gnutls_certificate_free_credentials(client);
    return opened;
}

static void test_only_accepted_clients_may_ask(void)
{
    prb_auto(prb_test_temp_dir_remove) char *dir = prb_test_temp_dir();
    prb_autofree char *ca_file = prb_asprintf("%s/ca.crt", dir);
    prb_auto(prb_certs_done) struct prb_certs callers = { 0 };
    const char *const names[] = { "kube-apiserver" };
    const struct client_cert good = { .common_name = "kube-apiserver" };
    const struct client_cert other = { .common_name = "someone" };
    const struct prb_tls_options tls = { .cert_pem = world.certs.cert,
        .key_pem = world.certs.key,
        .client_ca_file = ca_file,
        .client_names = names,
        .client_name_count = 1 };
    const struct {
        const struct prb_certs *signer;
        const struct client_cert *what;
        const char *says; /* NULL: allowed */
    } cases[] = {
        { &callers, &good, NULL },
        { NULL, NULL, "a client certificate is required" },
        { &world.certs, &good, "not accepted" },
        { &callers, &other, "--client-names" },
    };

    make_pair(&callers);
    TEST_ASSERT_EQUAL_INT(
            0, prb_file_write(ca_file, callers.ca_cert, strlen(callers.ca_cert), 0600, &world.err));
    TEST_ASSERT_TRUE(world_start(&world, NULL, &tls));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_TRUE(open_as(cases[i].signer, cases[i].what));
        TEST_ASSERT_EQUAL_INT(cases[i].says ? 403 : 200, answer.status);
        TEST_ASSERT_EQUAL_INT(cases[i].says != NULL, answer.closes);
        if (cases[i].says) {
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"kind\":\"Status\""), answer.body);
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, cases[i].says), answer.body);
        }
    }
    TEST_ASSERT_EQUAL_UINT(1, atomic_load(&world.decided));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_tls_is_1_2_or_1_3);
    RUN_TEST(test_what_is_no_tls_is_closed);
    RUN_TEST(test_no_session_is_resumed);
    RUN_TEST(test_alpn_is_http_1_1_or_none);
    RUN_TEST(test_only_accepted_clients_may_ask);
    return UNITY_END();
}
