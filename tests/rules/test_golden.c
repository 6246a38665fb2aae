/* usage: test_golden DATA-DIRECTORY RULE: all golden cases of one rule. */

#include <dirent.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "golden.h"
#include "support/table.h"

/* Far more than one rule ever needs; reaching it fails the run. */
#define CASES_MAX 256

static struct {
    const char *rule;
    char *directory;
    char *names[CASES_MAX]; /* owned: file names, sorted */
    size_t count;
} cases;

void setUp(void)
{
}

void tearDown(void)
{
}

static int is_case(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 5 && strcmp(entry->d_name + len - 5, ".yaml") == 0;
}

static void find_cases(void)
{
    struct dirent **entries = NULL;
    int count = scandir(cases.directory, &entries, is_case, alphasort);

    for (int i = 0; i < count; i++) {
        if (cases.count < CASES_MAX)
            cases.names[cases.count++] = prb_strdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static const char *name_of(size_t row)
{
    return cases.names[row];
}

static void check(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    prb_autofree char *path = prb_asprintf("%s/%s", cases.directory, cases.names[row]);

    (void)ctx;
    prb_golden_check(path, cases.rule, why, PRB_TEST_WHY_SIZE);
}

static void test_there_are_cases(void)
{
    TEST_ASSERT_GREATER_THAN_size_t(0, cases.count);
    TEST_ASSERT_LESS_THAN_size_t(CASES_MAX, cases.count);
}

int main(int argc, char **argv)
{
    struct prb_test_table table = {
        .file = __FILE__, .threads = 1, .name = name_of, .check = check
    };
    int failures;

    if (argc != 3) {
        (void)fprintf(stderr, "usage: %s DATA-DIRECTORY RULE\n", argv[0]);
        return 2;
    }
    cases.rule = argv[2];
    cases.directory = prb_asprintf("%s/%s", argv[1], argv[2]);
    find_cases();
    table.count = cases.count;

    UNITY_BEGIN();
    RUN_TEST(test_there_are_cases);
    prb_test_table_run(&table);
    failures = UNITY_END();
    for (size_t i = 0; i < cases.count; i++)
        free(cases.names[i]);
    free(cases.directory);
    return failures;
}
