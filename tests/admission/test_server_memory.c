/*
 * Memory of the admission server in the long run: what it takes after many reviews it took after a
 * few already. The server is a process of its own, so that only its memory is measured.
 *
 *   test_server_memory [REVIEWS-BEFORE [REVIEWS-IN-ALL]]
 */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "server_world.h"
#include "support/process.h"

#define CALLERS 4

/* What the second measurement may be above the first: the requirement. */
#define GROWTH_KB_MAX 1024

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true /* their run-times keep freed memory on purpose */
#else
#define SANITIZED false
#endif

static unsigned before = 20000, in_all = 60000;

static struct server_world world;
static pid_t child;
static uint16_t port;

/* The server: tells its port, and serves until nobody holds the other end of the pipe. */
static void serve(int to_parent, int from_parent)
{
    char byte;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    port = world_start(&world, NULL, NULL) ? world_port(&world) : 0;
    if (write(to_parent, &port, sizeof(port)) != sizeof(port))
        _exit(1);
    while (read(from_parent, &byte, 1) > 0)
        continue;
    world_stop(&world, 0);
    _exit(0);
}

static int lifeline;

void setUp(void)
{
    int up[2], down[2];

    world_init(&world);
    if (pipe(up) != 0 || pipe(down) != 0)
        abort();
    child = fork();
    if (child == 0) {
        (void)close(up[0]);
        (void)close(down[1]);
        serve(up[1], down[0]);
    }
    (void)close(up[1]);
    (void)close(down[0]);
    lifeline = down[1];
    if (read(up[0], &port, sizeof(port)) != sizeof(port))
        port = 0;
    (void)close(up[0]);
}

void tearDown(void)
{
    (void)close(lifeline);
    (void)prb_test_wait_exit(child);
    world_done(&world);
}

/* Resident memory of the server in KB. */
static long resident_kb(void)
{
    prb_autofree char *path = prb_asprintf("/proc/%d/status", (int)child);
    prb_autofree char *text = NULL;
    struct prb_error err;
    const char *at;
    size_t len;

    if (prb_file_read(path, 65536, &text, &len, &err) < 0)
        return -1;
    at = strstr(text, "VmRSS:");
    return at ? strtol(at + strlen("VmRSS:"), NULL, 10) : -1;
}

/* What is sent, and how often: one in `every`. */
static const struct {
    const char *name;
    size_t padding;
    unsigned every;
    bool broken;
} kinds[] = {
    { "fine", (size_t)8 * 1024 * 1024 - 2000, 5000, false },
    { "fine", 400000, 200, false },
    { "fine", 2000, 50, true },
    { "absent", 100, 20, false },
    { "live", 2000, 10, false },
    { "deny", 1000, 7, false },
    { "warn", 1000, 5, false },
    { "fine", 8000, 1, false },
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

/* A new connection after so many calls. */
#define CALLS_PER_CONNECTION 500

struct work {
    pthread_t thread;
    char **bodies; /* one for each kind */
    unsigned calls, failures;
};

static size_t kind_of(unsigned call)
{
    size_t i = 0;

    while (call % kinds[i].every != kinds[i].every - 1)
        i++;
    return i;
}

static void *work(void *arg)
{
    struct work *mine = arg;
    struct https https = { 0 };

    for (unsigned i = 0; i < mine->calls; i++) {
        prb_auto(answer_done) struct answer answer = { 0 };
        size_t kind = kind_of(i);

        if (i % CALLS_PER_CONNECTION == 0)
            https_close(&https);
        if (!prb_tls_stream_is_open(&https.stream))
            (void)https_open(&https, port, world.client);
        (void)https_call(&https, mine->bodies[kind], &answer);
        if (answer.status != (kinds[kind].broken ? 400 : 200))
            mine->failures++;
    }
    https_close(&https);
    return NULL;
}

/* Send so many reviews; how many of them failed. */
static unsigned send_reviews(unsigned count)
{
    char *bodies[KIND_COUNT];
    struct work workers[CALLERS];
    unsigned failures = 0;

    for (size_t i = 0; i < KIND_COUNT; i++) {
        bodies[i] = review_of(kinds[i].name, "u", kinds[i].padding);
        if (kinds[i].broken)
            bodies[i][strlen(bodies[i]) / 2] = '\x01';
    }
    for (size_t i = 0; i < CALLERS; i++) {
        workers[i] = (struct work){ .bodies = bodies, .calls = count / CALLERS };
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            abort();
    }
    for (size_t i = 0; i < CALLERS; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        failures += workers[i].failures;
    }
    for (size_t i = 0; i < KIND_COUNT; i++)
        free(bodies[i]);
    return failures;
}

static void test_memory_does_not_grow_with_the_number_of_reviews(void)
{
    long first_kb, last_kb;

    TEST_ASSERT_NOT_EQUAL_UINT(0, port);
    printf("%ld KB at the start\n", resident_kb());
    TEST_ASSERT_EQUAL_UINT(0, send_reviews(before));
    first_kb = resident_kb();
    printf("%ld KB after %u reviews\n", first_kb, before);
    (void)fflush(stdout);
    TEST_ASSERT_EQUAL_UINT(0, send_reviews(in_all - before));
    last_kb = resident_kb();
    printf("%ld KB after %u reviews\n", last_kb, in_all);
    TEST_ASSERT_TRUE(first_kb > 0 && last_kb > 0);
    if (!SANITIZED)
        TEST_ASSERT_TRUE(last_kb <= first_kb + GROWTH_KB_MAX);
}

int main(int argc, char **argv)
{
    if (SANITIZED) {
        before = 2000;
        in_all = 6000;
    }
    if (argc > 1)
        before = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        in_all = (unsigned)strtoul(argv[2], NULL, 10);
    UNITY_BEGIN();
    RUN_TEST(test_memory_does_not_grow_with_the_number_of_reviews);
    return UNITY_END();
}
