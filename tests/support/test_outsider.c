/* Can a process of another user read what is the test's own? */

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "support/outsider.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

static char *dir, *path;

void setUp(void)
{
    struct prb_error err;

    dir = prb_test_temp_dir();
    path = prb_asprintf("%s/secret", dir);
    (void)chmod(dir, 0711);
    (void)prb_file_write(path, "secret", 6, 0600, &err);
}

void tearDown(void)
{
    free(path);
    prb_test_temp_dir_remove(dir);
}

#define NEED_ROOT()                        \
    if (prb_test_outsider() == 0) {        \
        TEST_IGNORE_MESSAGE("not root's"); \
        return;                            \
    }

static void test_what_only_its_owner_can_read_is_not_read(void)
{
    NEED_ROOT();
    TEST_ASSERT_FALSE(prb_test_outsider_reads(path));
    TEST_ASSERT_EQUAL(0, chmod(path, 0644));
    TEST_ASSERT_TRUE(prb_test_outsider_reads(path));
}

static void test_a_file_in_a_closed_folder_is_not_read(void)
{
    NEED_ROOT();
    TEST_ASSERT_EQUAL(0, chmod(path, 0644));
    TEST_ASSERT_EQUAL(0, chmod(dir, 0700));
    TEST_ASSERT_FALSE(prb_test_outsider_reads(path));
}

static void test_what_is_given_to_the_user_is_read(void)
{
    TEST_ASSERT_TRUE(prb_test_outsider_own(path));
    TEST_ASSERT_TRUE(prb_test_outsider_reads(path));
}

struct start {
    const char *up;
    pid_t pid;
};

static bool is_up(void *ctx)
{
    const struct start *start = ctx;

    return access(start->up, F_OK) == 0 || prb_test_has_exited(start->pid);
}

/* It has become that user by the time it can be asked for something: here, to end. */
static int start_and_end(uid_t uid, bool *ret_outside)
{
    const char *argv[] = { "sh", "-c", "echo >\"$0/up\"; exec sleep 60", dir, NULL };
    prb_autofree char *up = prb_asprintf("%s/up", dir);
    struct start start = { .up = up };
    pid_t pid;

    (void)prb_test_outsider_own(dir);
    start.pid = pid = prb_test_spawn(&(struct prb_test_command){ .argv = argv, .uid = uid });
    (void)prb_test_await("the process has written its file", is_up, &start, PRB_TEST_PROMPT_MS);
    *ret_outside = prb_test_outsider_runs(pid);
    (void)kill(pid, SIGKILL);
    return prb_test_wait_exit(pid);
}

static void test_a_process_is_known_to_be_that_users(void)
{
    bool outside = false;

    NEED_ROOT();
    TEST_ASSERT_EQUAL(128 + SIGKILL, start_and_end(prb_test_outsider(), &outside));
    TEST_ASSERT_TRUE(outside);
}

static void test_a_process_of_the_test_is_known_to_be_none(void)
{
    bool outside = true;

    NEED_ROOT();
    TEST_ASSERT_EQUAL(128 + SIGKILL, start_and_end(0, &outside));
    TEST_ASSERT_FALSE(outside);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_only_its_owner_can_read_is_not_read);
    RUN_TEST(test_a_file_in_a_closed_folder_is_not_read);
    RUN_TEST(test_what_is_given_to_the_user_is_read);
    RUN_TEST(test_a_process_is_known_to_be_that_users);
    RUN_TEST(test_a_process_of_the_test_is_known_to_be_none);
    return UNITY_END();
}
