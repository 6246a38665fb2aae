/*
 * The certificate is rotated again and again under load: every leaf is seen by new connections,
 * and not one call fails.
 *
 *   test_server_rotation [ROTATIONS [HANDSHAKES]]
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "callers.h"
#include "server_world.h"
#include "support/temp_dir.h"
#include "support/wait.h"

#define CALLERS 4

static unsigned rotations = 20, handshakes = 200;

static struct server_world world;
static char *dir;

/* The serials that clients have seen, by the order in which they were made. */
static struct {
    pthread_mutex_t lock;
    char (*wanted)[SERIAL_TEXT_SIZE];
    bool *seen;
    unsigned made;
} serials = { .lock = PTHREAD_MUTEX_INITIALIZER };

void setUp(void)
{
    dir = prb_test_temp_dir();
    world_init(&world);
    serials.wanted = prb_calloc(rotations + 1, sizeof(*serials.wanted));
    serials.seen = prb_calloc(rotations + 1, sizeof(*serials.seen));
    serials.made = 0;
}

void tearDown(void)
{
    world_done(&world);
    free(serials.wanted);
    free(serials.seen);
    prb_test_temp_dir_remove(dir);
}

static void note_connection(void *ctx, gnutls_session_t session)
{
    unsigned count;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
    char serial[SERIAL_TEXT_SIZE] = "";
    gnutls_datum_t pem;

    (void)ctx;
    if (!chain || gnutls_pem_base64_encode2("CERTIFICATE", &chain[0], &pem) < 0)
        return;
    serial_of_pem((const char *)pem.data, serial);
    gnutls_free(pem.data);
    (void)pthread_mutex_lock(&serials.lock);
    for (unsigned i = 0; i < serials.made; i++) {
        if (strcmp(serials.wanted[i], serial) == 0)
            serials.seen[i] = true;
    }
    (void)pthread_mutex_unlock(&serials.lock);
}

/* A new leaf of the same CA, put in place as kubelet does it. */
static void rotate(void)
{
    make_pair(&world.certs);
    (void)pthread_mutex_lock(&serials.lock);
    serial_of_pem(world.certs.cert, serials.wanted[serials.made++]);
    (void)pthread_mutex_unlock(&serials.lock);
    swap_pair(dir, world.certs.cert, world.certs.key);
}

static bool latest_was_seen(void *ctx)
{
    bool seen;

    (void)ctx;
    (void)pthread_mutex_lock(&serials.lock);
    seen = serials.seen[serials.made - 1];
    (void)pthread_mutex_unlock(&serials.lock);
    return seen;
}

static bool has_handshakes(void *ctx)
{
    struct callers *callers = ctx;

    unsigned now = atomic_load(&callers->handshakes);

    return now >= handshakes || prb_test_saw("%u of %u", now, handshakes);
}

static unsigned count_seen(void)
{
    unsigned seen = 0;

    for (unsigned i = 0; i < serials.made; i++)
        seen += serials.seen[i];
    return seen;
}

static void test_every_leaf_is_seen_and_no_call_fails(void)
{
    prb_autofree char *cert_file = prb_asprintf("%s/tls.crt", dir);
    prb_autofree char *key_file = prb_asprintf("%s/tls.key", dir);
    const struct prb_tls_options tls = { .cert_file = cert_file, .key_file = key_file };
    struct callers callers = {
        .count = CALLERS, .calls_per_connection = 3, .connected = note_connection
    };
    bool in_time = true;

    rotate();
    TEST_ASSERT_TRUE(world_start(&world, NULL, &tls));
    callers.port = world_port(&world);
    callers.credentials = world.client;
    callers_start(&callers);
    for (unsigned i = 0; in_time && i < rotations; i++) {
        in_time = prb_test_await(
                "a caller has seen the latest leaf", latest_was_seen, NULL, PRB_TEST_SOON_MS);
        rotate();
    }
    in_time = in_time &&
              prb_test_await("a caller has seen the latest leaf", latest_was_seen, NULL,
                      PRB_TEST_SOON_MS) &&
              prb_test_await("the callers have shaken hands often enough", has_handshakes, &callers,
                      PRB_TEST_SOON_MS);
    callers_stop(&callers);
    printf("%u rotations, %u handshakes, %u calls, %u failures, %u of %u leaves seen\n", rotations,
            atomic_load(&callers.handshakes), atomic_load(&callers.calls),
            atomic_load(&callers.failures), count_seen(), serials.made);
    TEST_ASSERT_TRUE_MESSAGE(in_time, prb_test_awaited());
    TEST_ASSERT_EQUAL_UINT(rotations + 1, count_seen());
    TEST_ASSERT_EQUAL_UINT(0, atomic_load(&callers.failures));
    TEST_ASSERT_TRUE(atomic_load(&callers.handshakes) >= handshakes);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        rotations = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        handshakes = (unsigned)strtoul(argv[2], NULL, 10);
    UNITY_BEGIN();
    RUN_TEST(test_every_leaf_is_seen_and_no_call_fails);
    return UNITY_END();
}
