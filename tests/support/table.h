#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

/*
 * Tables of checks that mostly wait for a server: rows run side by side on a few threads and are
 * reported in order, each as one Unity test. Unity itself knows nothing of threads, so a check
 * tells its failure as text.
 */

#include <stdbool.h>
#include <stddef.h>

/* Room for one reason why a row failed: an expression, what was got, and a server's message. */
#define PRB_TEST_WHY_SIZE 1024

struct prb_test_table {
    const char *file; /* static: the source with the rows, for Unity's report */
    size_t count;
    int threads;
    const char *(*name)(size_t row); /* static text: a sentence */

    /* Leave `why` empty when the row holds; otherwise say what does not, or skip the row. */
    void (*check)(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE]);
    void *ctx; /* borrowed */

    /* Run only rows with this in their name; NULL: all. That there is none is a failure, unless
     * other tables have rows as well: prb_test_table_expect is to be called then. */
    const char *only;
    bool several;
};

/*
 * Skip the row: the reason goes where that of a failure would. For what a server lacks, as it has
 * answered itself (support/served.h), never for what it does otherwise.
 */
__attribute__((format(printf, 2, 3))) void prb_test_table_skip(
        char why[PRB_TEST_WHY_SIZE], const char *reason, ...);

/* Run all rows, then report each; to be called between UNITY_BEGIN and UNITY_END. */
void prb_test_table_run(const struct prb_test_table *table);

/* Has a row of this name the part in it that is to be run (NULL: any)? What fits is remembered. */
bool prb_test_table_fits(const char *only, const char *name);

/* After all tables of a program: fails when there was no row with `only` in its name. */
void prb_test_table_expect(const char *only);

#endif
