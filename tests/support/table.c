/* Which rows of the table hold? */

#include "support/table.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

/* More rows at once than this wait for each other anyway. */
#define THREADS_MAX 32

/* What `why` of a skipped row begins with; no text for people does. */
#define SKIPPED "\x1askip "

struct result {
    char why[PRB_TEST_WHY_SIZE];
    int64_t began_ms, took_ms;
    _Atomic enum { WAITS, RUNS, ENDED } state; /* written after the others */
};

struct run {
    const struct prb_test_table *table;
    struct result *results; /* one for each row */
    atomic_size_t next;     /* the row to be taken next */
};

void prb_test_table_skip(char why[PRB_TEST_WHY_SIZE], const char *reason, ...)
{
    size_t used = strlen(SKIPPED);
    va_list args;

    (void)prb_copy(why, PRB_TEST_WHY_SIZE, SKIPPED);
    va_start(args, reason);
    (void)vsnprintf(why + used, PRB_TEST_WHY_SIZE - used, reason, args);
    va_end(args);
}

/* Has any row fitted, of whichever table? */
static atomic_bool any_fitted;

bool prb_test_table_fits(const char *only, const char *name)
{
    bool fits = !only || strstr(name, only);

    if (fits)
        atomic_store(&any_fitted, true);
    return fits;
}

static bool is_wanted(const struct prb_test_table *table, size_t row)
{
    return prb_test_table_fits(table->only, table->name(row));
}

static void *work(void *arg)
{
    struct run *run = arg;
    size_t row;

    while ((row = atomic_fetch_add(&run->next, 1)) < run->table->count) {
        struct result *result = &run->results[row];

        result->began_ms = prb_test_now_ms();
        atomic_store(&result->state, RUNS);
        if (is_wanted(run->table, row))
            run->table->check(run->table->ctx, row, result->why);
        result->took_ms = prb_test_now_ms() - result->began_ms;
        atomic_store(&result->state, ENDED);
    }
    return NULL;
}

/* What report_one is to report: Unity's test functions take no argument. */
static const struct result *reported;

/* The time in Unity's report is the row's own, not that of reporting it. */
static void set_time(int64_t took_ms)
{
#ifdef UNITY_INCLUDE_EXEC_TIME
    Unity.CurrentTestStartTime.tv_sec -= (time_t)(took_ms / 1000);
    Unity.CurrentTestStartTime.tv_nsec -= (long)(took_ms % 1000) * 1000000L;
#else
    (void)took_ms;
#endif
}

static void report_one(void)
{
    set_time(reported->took_ms);
    if (prb_starts_with(reported->why, SKIPPED))
        UNITY_TEST_IGNORE(Unity.CurrentTestLineNumber, reported->why + strlen(SKIPPED));
    else if (reported->why[0])
        UNITY_TEST_FAIL(Unity.CurrentTestLineNumber, reported->why);
}

/* A row that has not ended may still write to its own result. */
static const struct result *result_of(const struct run *run, size_t row)
{
    static struct result unfinished;
    const struct result *result = &run->results[row];

    switch (atomic_load(&result->state)) {
    case ENDED:
        return result;
    case RUNS:
        unfinished.took_ms = prb_test_now_ms() - result->began_ms;
        (void)snprintf(unfinished.why, sizeof(unfinished.why),
                "it runs on after %.1f s, and the program is to end",
                (double)unfinished.took_ms / 1000);
        return &unfinished;
    case WAITS:
    default:
        unfinished.took_ms = 0;
        (void)prb_copy(unfinished.why, sizeof(unfinished.why),
                "it has not begun, and the program is to end");
        return &unfinished;
    }
}

static void report(const struct run *run)
{
    UnitySetTestFile(run->table->file);
    for (size_t row = 0; row < run->table->count; row++) {
        if (!is_wanted(run->table, row))
            continue;
        reported = result_of(run, row);
        UnityDefaultTestRun(report_one, run->table->name(row), (int)row + 1);
    }
}

static void fail_without_row(void)
{
    UNITY_TEST_FAIL(Unity.CurrentTestLineNumber, "no row has this in its name");
}

void prb_test_table_expect(const char *only)
{
    if (only && !atomic_load(&any_fitted))
        UnityDefaultTestRun(fail_without_row, only, 0);
}

/* Meson ends a program that takes too long with this signal, and half a second later for good: time
 * to tell which rows hang. */
static volatile sig_atomic_t is_to_end;

static void note_end(int number)
{
    (void)number;
    is_to_end = 1;
}

/* Until all have ended, or the program is to end. */
static void wait_for_all(const pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++) {
        while (!is_to_end && pthread_tryjoin_np(threads[i], NULL) == EBUSY)
            prb_test_pause();
    }
}

static void run_rows(struct run *run)
{
    struct sigaction before, noted = { .sa_handler = note_end, .sa_flags = SA_RESTART };
    pthread_t threads[THREADS_MAX];
    int count = run->table->threads < THREADS_MAX ? run->table->threads : THREADS_MAX;
    int started = 0;

    (void)sigaction(SIGTERM, &noted, &before);
    while (started < count && pthread_create(&threads[started], NULL, work, run) == 0)
        started++;
    if (started == 0)
        work(run);
    wait_for_all(threads, started);
    (void)sigaction(SIGTERM, &before, NULL);
}

void prb_test_table_run(const struct prb_test_table *table)
{
    struct run run = { .table = table };

    run.results = prb_calloc(table->count ? table->count : 1, sizeof(*run.results));
    run_rows(&run);
    report(&run);
    if (is_to_end) { /* at once: rows that hang have what would be freed */
        (void)UNITY_END();
        (void)fflush(stdout);
        _exit(EXIT_FAILURE);
    }
    if (!table->several)
        prb_test_table_expect(table->only);
    free(run.results);
}
