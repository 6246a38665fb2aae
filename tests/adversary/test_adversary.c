/*
 * Does a player with every right but the one to override get past Probate, or Probate past what the
 * player made?
 *
 *     test_adversary embedded SECONDS|COUNTx
 *     test_adversary real SECONDS|COUNTx PROGRAM FOLDER-OF-CRDS FOLDER-OF-STANDALONE-CRDS
 *
 * Sequences are played until the time is over ("45"), or so many of them ("1000x"). Each has a
 * seed, which is printed with its steps when a law is broken; $PROBATE_TEST_SEED plays that one
 * alone, $PROBATE_TEST_FIRST_SEED draws the same sequences again. The real target is a control
 * plane of its own, in the folder $PROBATE_TEST_ADVERSARY_DIR.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "../cli/program.h"
#include "play.h"
#include "support/wait.h"

/* Of the seconds that are given. */
#define SANITIZED_PART 3

#define THREADS_EMBEDDED 3
#define THREADS_REAL 8

/* Of each second that is given: the rest is for namespaces and definitions to go in the end, which
 * takes a real server its time. */
#define MOVING_MS 550

/* Enough of a failure to repeat it. */
#define FAILURES_SHOWN 3

static struct {
    bool is_real;
    int64_t seconds; /* 0: by number */
    int64_t count;   /* 0: by time */
    int64_t until_ms;
    uint64_t seed;
    bool only; /* one sequence, with this very seed */
    const char *folder, *crds, *standalone;
    struct target *shared; /* owned; NULL: each sequence has its own */
    pthread_barrier_t end;
    atomic_uint next, played, failed;
} run = { .seconds = 0 };

void setUp(void)
{
}

void tearDown(void)
{
}

static bool is_due(unsigned number)
{
    if (run.only)
        return number == 0;
    if (atomic_load(&run.failed) >= FAILURES_SHOWN)
        return false;
    return run.count ? (int64_t)number < run.count : prb_test_now_ms() < run.until_ms;
}

/* Every other server in memory is an old one. */
static char *play_embedded(unsigned slot, unsigned number, uint64_t seed)
{
    struct play_options options = {
        .slot = slot, .number = number, .seed = seed, .tells = run.only
    };
    struct prb_error err;
    char *why;

    if (target_embedded_open(seed % 2 == 0, &options.target, &err) < 0)
        return prb_asprintf("no target: %s", err.msg);
    why = play(&options);
    options.target->ops->close(options.target);
    return why;
}

static char *play_real(unsigned slot, unsigned number, uint64_t seed)
{
    return play(&(struct play_options){ .target = run.shared,
            .slot = slot,
            .number = number,
            .seed = seed,
            .tells = run.only,
            .until_ms = run.count || run.only ? 0 : run.until_ms });
}

static void *player(void *ctx)
{
    const unsigned *slot = ctx;
    unsigned number;

    while (is_due(number = atomic_fetch_add(&run.next, 1))) {
        uint64_t seed = run.only ? run.seed : prb_test_mix(run.seed, number) % 1000000007;
        char *why =
                run.is_real ? play_real(*slot, number, seed) : play_embedded(*slot, number, seed);

        atomic_fetch_add(&run.played, 1);
        if (!why)
            continue;
        atomic_fetch_add(&run.failed, 1);
        (void)fprintf(stderr, "\nA law is broken: %s\n  repeat it with PROBATE_TEST_SEED=%llu\n\n",
                why, (unsigned long long)seed);
        free(why);
        if (run.is_real)
            break; /* what it has left is in the way of the next one in this slot */
    }
    /* A Probate that this thread has started would end with it. */
    (void)pthread_barrier_wait(&run.end);
    return NULL;
}

static void show_log(void)
{
    prb_autofree char *said = NULL;

    if (atomic_load(&run.failed) == 0 || !run.shared)
        return;
    said = target_real_log(run.shared);
    (void)fprintf(stderr, "Probate said last:\n%s\n", said);
}

static void test_no_law_is_broken(void)
{
    unsigned slots[TARGET_SLOTS], count = run.only      ? 1
                                          : run.is_real ? THREADS_REAL
                                                        : THREADS_EMBEDDED;
    pthread_t threads[TARGET_SLOTS];
    char text[160];

    run.until_ms = prb_test_now_ms() + run.seconds * (run.is_real ? MOVING_MS : 1000);
    (void)pthread_barrier_init(&run.end, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        slots[i] = i;
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, player, &slots[i]));
    }
    for (unsigned i = 0; i < count; i++)
        (void)pthread_join(threads[i], NULL);
    (void)pthread_barrier_destroy(&run.end);
    printf("%u sequences\n", atomic_load(&run.played));
    show_log();
    (void)snprintf(text, sizeof(text), "%u of %u sequences broke a law; see above",
            atomic_load(&run.failed), atomic_load(&run.played));
    TEST_ASSERT_EQUAL_UINT_MESSAGE(0, atomic_load(&run.failed), text);
    TEST_ASSERT_GREATER_THAN_UINT_MESSAGE(0, atomic_load(&run.played), "nothing was played");
}

static void test_a_real_server_asks_probate(void)
{
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, target_real_open(run.folder, run.crds, run.standalone, &run.shared, &err), err.msg);
}

static bool read_bound(const char *text)
{
    size_t len = strlen(text);
    prb_autofree char *number = prb_strdup(text);

    if (len > 1 && text[len - 1] == 'x') {
        number[len - 1] = '\0';
        return prb_parse_int(number, 1, 1000000, &run.count);
    }
    return prb_parse_int(number, 1, 100000, &run.seconds);
}

static bool read_seed(const char *name, uint64_t *ret)
{
    const char *given = getenv(name); /* NOLINT(concurrency-mt-unsafe) */
    int64_t seed;

    if (!given)
        return false;
    if (!prb_parse_int(given, 0, INT64_MAX, &seed)) {
        (void)fprintf(stderr, "%s is no number; another one is taken\n", name);
        return false;
    }
    *ret = (uint64_t)seed;
    return true;
}

static void choose_seed(void)
{
    run.seed = prb_random_below(UINT32_MAX);
    (void)read_seed("PROBATE_TEST_FIRST_SEED", &run.seed);
    run.only = read_seed("PROBATE_TEST_SEED", &run.seed);
}

/* A sanitizer's lane has its time for other things, too. */
static void shorten(void)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    if (lane && !prb_streq(lane, "normal"))
        run.seconds = (run.seconds + SANITIZED_PART - 1) / SANITIZED_PART;
}

int main(int argc, char **argv)
{
    run.is_real = argc == 6 && prb_streq(argv[1], "real");
    if ((!run.is_real && (argc != 3 || !prb_streq(argv[1], "embedded"))) || !read_bound(argv[2])) {
        (void)fprintf(stderr,
                "usage: %s embedded SECONDS|COUNTx\n       %s real SECONDS|COUNTx PROGRAM "
                "FOLDER-OF-CRDS FOLDER-OF-STANDALONE-CRDS\n",
                argv[0], argv[0]);
        return 2;
    }
    run.folder = getenv("PROBATE_TEST_ADVERSARY_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    if (run.is_real && !run.folder) {
        (void)fprintf(stderr, "PROBATE_TEST_ADVERSARY_DIR is not set to a folder\n");
        return 2;
    }
    if (run.is_real) {
        program_path = argv[3];
        run.crds = argv[4];
        run.standalone = argv[5];
    }
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    choose_seed();
    shorten();
    UNITY_BEGIN();
    printf("seed %llu%s\n", (unsigned long long)run.seed, run.only ? ", alone" : "");
    (void)fflush(stdout);
    if (run.is_real)
        RUN_TEST(test_a_real_server_asks_probate);
    if (!run.is_real || run.shared)
        RUN_TEST(test_no_law_is_broken);
    if (run.shared)
        run.shared->ops->close(run.shared);
    return UNITY_END();
}
