/* Which rows of the table hold? */

#include "support/table.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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
    int64_t took_ms;
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
        int64_t began = prb_test_now_ms();

        if (is_wanted(run->table, row))
            run->table->check(run->table->ctx, row, result->why);
        result->took_ms = prb_test_now_ms() - began;
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

static void report(const struct run *run)
{
    UnitySetTestFile(run->table->file);
    for (size_t row = 0; row < run->table->count; row++) {
        if (!is_wanted(run->table, row))
            continue;
        reported = &run->results[row];
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

void prb_test_table_run(const struct prb_test_table *table)
{
    struct run run = { .table = table };
    pthread_t threads[THREADS_MAX];
    int count = table->threads < THREADS_MAX ? table->threads : THREADS_MAX;
    int started = 0;

    run.results = prb_calloc(table->count ? table->count : 1, sizeof(*run.results));
    while (started < count && pthread_create(&threads[started], NULL, work, &run) == 0)
        started++;
    if (started == 0)
        work(&run);
    for (int i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    report(&run);
    if (!table->several)
        prb_test_table_expect(table->only);
    free(run.results);
}
