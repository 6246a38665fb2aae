/* How many processors a process may keep busy, by the files of its control group. */

#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unity.h>

#include "probate/base/cpus.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/temp_dir.h"

static char *folder;

void setUp(void)
{
    folder = prb_test_temp_dir();
}

void tearDown(void)
{
    prb_test_temp_dir_remove(folder);
}

static void put(const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", folder, name);
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_file_write(path, text, strlen(text), 0600, &err), err.msg);
}

static void test_the_quota_of_a_container_is_rounded_up(void)
{
    static const struct {
        const char *text;
        unsigned cpus;
    } cases[] = { { "max 100000\n", 0 }, { "100000 100000\n", 1 }, { "50000 100000\n", 1 },
        { "150000 100000\n", 2 }, { "400000 100000\n", 4 }, { "", 0 }, { "100000\n", 0 },
        { "-5 100000\n", 0 }, { "100000 0\n", 0 }, { "9223372036854775807 1\n", 0 } };

    TEST_ASSERT_EQUAL_UINT(0, prb_cpus_quota(folder));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        put("cpu.max", cases[i].text);
        TEST_ASSERT_EQUAL_UINT_MESSAGE(cases[i].cpus, prb_cpus_quota(folder), cases[i].text);
    }
}

static void test_the_older_files_are_read_too(void)
{
    prb_autofree char *below = prb_asprintf("%s/cpu", folder);

    TEST_ASSERT_EQUAL_INT(0, mkdir(below, 0700));
    put("cpu/cpu.cfs_period_us", "100000\n");
    put("cpu/cpu.cfs_quota_us", "-1\n");
    TEST_ASSERT_EQUAL_UINT(0, prb_cpus_quota(folder));
    put("cpu/cpu.cfs_quota_us", "250000\n");
    TEST_ASSERT_EQUAL_UINT(3, prb_cpus_quota(folder));
}

static void test_processors_it_may_not_run_on_do_not_count(void)
{
    cpu_set_t all, one;
    int first = 0;

    TEST_ASSERT_EQUAL_INT(0, sched_getaffinity(0, sizeof(all), &all));
    TEST_ASSERT_TRUE(prb_cpus_usable() >= 1 && prb_cpus_usable() <= (unsigned)CPU_COUNT(&all));
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    TEST_ASSERT_EQUAL_INT(0, sched_setaffinity(0, sizeof(one), &one));
    TEST_ASSERT_EQUAL_UINT(1, prb_cpus_usable());
    (void)sched_setaffinity(0, sizeof(all), &all);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_quota_of_a_container_is_rounded_up);
    RUN_TEST(test_the_older_files_are_read_too);
    RUN_TEST(test_processors_it_may_not_run_on_do_not_count);
    return UNITY_END();
}
