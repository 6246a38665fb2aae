/* Which rows of a phase hold, and what do people read in them? */

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "support/temp_dir.h"
#include "support/wait.h"

/* kubectl computes as much as it waits. */
#define THREADS 4

/* What kubectl says in a row. */
#define SAID_MAX ((size_t)32 * 1024)

/* What it says in all of them, each line once. */
#define HEARD_MAX ((size_t)256 * 1024)

/* Objects of some hundred bytes, a few for each row. */
#define GIVEN_MAX ((size_t)256 * 1024)

/* The rows of the phase that is on; the table runner knows no other state. */
struct run {
    const struct bench *bench;
    const struct rows *const *groups;
    unsigned phase;
    size_t *indices;
    size_t count;
    struct prb_str *said; /* one for each */
    const char *trouble;  /* why the phase could not begin; NULL: it did */
};

static struct run run;

static size_t count_rows(void)
{
    size_t count = 0;

    for (size_t i = 0; run.groups[i]; i++)
        count += run.groups[i]->count;
    return count;
}

static const struct row *row_at(size_t index)
{
    size_t group = 0;

    while (index >= run.groups[group]->count)
        index -= run.groups[group++]->count;
    return &run.groups[group]->items[index];
}

/* Of its cluster and namespace; the control plane is ours alone. */
static void name_row(char name[PRB_TEST_NAME_SIZE], size_t index)
{
    (void)snprintf(name, PRB_TEST_NAME_SIZE, "row%zu-%u", index, run.phase);
}

static void choose_rows(const struct plan *plan, const struct run_options *options)
{
    size_t all;

    run.groups = options->groups;
    run.phase = plan->phase;
    all = count_rows();
    run.count = 0;
    run.indices = prb_calloc(all, sizeof(*run.indices));
    for (size_t i = 0; i < all; i++) {
        const struct row *row = row_at(i);

        if ((row->in & plan->phase) && (!options->sanitized || (row->in & SANITIZED)) &&
                prb_test_table_fits(options->only, row->name))
            run.indices[run.count++] = i;
    }
    run.said = prb_calloc(run.count + 1, sizeof(*run.said));
    for (size_t i = 0; i < run.count; i++)
        prb_str_init(&run.said[i], SAID_MAX);
}

/* In one go, which is much quicker than by each row. */
static bool give(struct bench *bench)
{
    prb_auto(prb_str_done) struct prb_str all;

    prb_str_init(&all, GIVEN_MAX);
    for (size_t i = 0; i < run.count; i++) {
        char name[PRB_TEST_NAME_SIZE];
        prb_autofree char *text = NULL;

        name_row(name, run.indices[i]);
        text = kubectl_expand(row_at(run.indices[i])->given, name);
        prb_str_add(&all, text);
    }
    return all.len == 0 || bench_kubectl(bench, "create", prb_str_get(&all));
}

static const char *name_at(size_t index)
{
    return row_at(run.indices[index])->name;
}

static void check_row(void *ctx, size_t index, char why[PRB_TEST_WHY_SIZE])
{
    char name[PRB_TEST_NAME_SIZE];

    (void)ctx;
    if (run.trouble) {
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "the phase did not begin: %s", run.trouble);
        return;
    }
    name_row(name, run.indices[index]);
    row_run(row_at(run.indices[index]), &run.bench->kubectl, name, &run.said[index], why);
}

/* Print the lines that were not heard in an earlier row. */
static void print_new_lines(const char *said)
{
    static struct prb_str heard = { .max = HEARD_MAX };

    while (*said) {
        prb_autofree char *line = prb_strndup(said, strcspn(said, "\n") + 1);

        if (!strstr(prb_str_get(&heard), line)) {
            prb_str_add(&heard, line);
            printf("%s", line);
        }
        said += strlen(line);
    }
}

/* For who wants to read it aloud. */
static void print_said(void)
{
    for (size_t i = 0; i < run.count; i++) {
        print_new_lines(prb_str_get(&run.said[i]));
        prb_str_done(&run.said[i]);
    }
    free(run.said);
    free(run.indices);
}

/* Why the phase did not begin; NULL: it did. */
static const char *begin(struct bench *bench, const struct plan *plan)
{
    static char why[PRB_TEST_WHY_SIZE];

    if (!give(bench) || !plan->prepare(bench))
        return bench->why;
    if (!plan->probe.run || step_run(&plan->probe, &bench->kubectl, NOWHERE, NULL, why))
        return NULL;
    return why;
}

static void test_the_phase_begins(void)
{
    TEST_ASSERT_EQUAL_STRING(NULL, run.trouble);
}

void run_phase(struct bench *bench, const struct plan *plan, const struct run_options *options)
{
    struct prb_test_table table = {
        .file = __FILE__, .threads = THREADS, .name = name_at, .check = check_row
    };
    int64_t began = prb_test_now_ms();

    printf("\n== %s\n", plan->title);
    run.bench = bench;
    choose_rows(plan, options);
    run.trouble = begin(bench, plan);
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_the_phase_begins);
    table.count = run.count;
    prb_test_table_run(&table);
    printf("-- what kubectl said (%d rows, %d ms)\n", (int)run.count,
            (int)(prb_test_now_ms() - began));
    print_said();
    if (plan->also && !run.trouble && !options->only)
        plan->also(bench);
}
