#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/cleanup.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

static char dir[] = "/tmp/probate-file-XXXXXX";
static char path[64];

void setUp(void)
{
}

void tearDown(void)
{
    (void)unlink(path);
}

static size_t entries_in_dir(void)
{
    DIR *open_dir = opendir(dir);
    size_t count = 0;

    while (open_dir && readdir(open_dir)) /* NOLINT(concurrency-mt-unsafe): one thread */
        count++;
    if (open_dir)
        (void)closedir(open_dir);
    return count - 2; /* "." and ".." */
}

static void test_what_is_written_reads_back_with_its_mode(void)
{
    static const char data[] = "line\n\0binary\xFF";
    prb_autofree char *back = NULL;
    struct prb_error err;
    struct stat st;
    size_t len = 0;

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, data, sizeof(data), 0640, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_read(path, 1000, &back, &len, &err));
    TEST_ASSERT_EQUAL_size_t(sizeof(data), len);
    TEST_ASSERT_EQUAL_MEMORY(data, back, sizeof(data));
    TEST_ASSERT_EQUAL_CHAR('\0', back[len]);
    TEST_ASSERT_EQUAL_INT(0, stat(path, &st));
    TEST_ASSERT_EQUAL_INT(0640, st.st_mode & 07777);
    TEST_ASSERT_EQUAL_size_t(1, entries_in_dir());
}

static void test_writing_replaces_the_file_whole(void)
{
    prb_autofree char *back = NULL;
    struct prb_error err;
    size_t len = 0;

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, "a long first text", 17, 0600, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, "short", 5, 0600, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_read(path, 100, &back, &len, &err));
    TEST_ASSERT_EQUAL_STRING("short", back);
}

static void test_a_file_of_exactly_the_ceiling_is_read_and_one_byte_more_is_not(void)
{
    prb_autofree char *back = NULL;
    prb_autofree char *large = prb_calloc(200000, 1);
    struct prb_error err;
    size_t len = 0;

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, large, 200000, 0600, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_read(path, 200000, &back, &len, &err));
    TEST_ASSERT_EQUAL_size_t(200000, len);
    free(prb_take(back));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_file_read(path, 199999, &back, &len, &err));
    TEST_ASSERT_NULL(back);
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "larger than 199999 bytes"));
}

static void test_an_empty_file_is_empty_text(void)
{
    prb_autofree char *back = NULL;
    struct prb_error err;
    size_t len = 99;

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, "", 0, 0600, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_read(path, 0, &back, &len, &err));
    TEST_ASSERT_EQUAL_STRING("", back);
    TEST_ASSERT_EQUAL_size_t(0, len);
}

static void test_a_missing_file_and_a_directory_are_told_apart(void)
{
    char *back = NULL;
    struct prb_error err;
    size_t len;

    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_file_read(path, 100, &back, &len, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, path));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_file_read(dir, 100, &back, &len, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "is a directory"));
}

static void test_a_write_that_fails_leaves_nothing_behind(void)
{
    struct prb_error err;
    char inner[sizeof(path) + 8];

    TEST_ASSERT_EQUAL_INT(0, mkdir(path, 0700));
    TEST_ASSERT_EQUAL_INT(PRB_E_IO, prb_file_write(path, "x", 1, 0600, &err));
    TEST_ASSERT_EQUAL_size_t(1, entries_in_dir());
    TEST_ASSERT_EQUAL_INT(0, rmdir(path));

    (void)snprintf(inner, sizeof(inner), "%s/below", path);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_file_write(inner, "x", 1, 0600, &err));
}

static void test_a_pipe_is_read_to_its_end(void)
{
    prb_autofree char *back = NULL;
    struct prb_error err;
    size_t len = 0;
    char name[32];
    int ends[2];

    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    TEST_ASSERT_EQUAL_INT(5, write(ends[1], "piped", 5));
    (void)close(ends[1]);
    (void)snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
    TEST_ASSERT_EQUAL_INT(0, prb_file_read(name, 100, &back, &len, &err));
    TEST_ASSERT_EQUAL_STRING("piped", back);
    (void)close(ends[0]);
}

int main(void)
{
    int failures;

    if (!mkdtemp(dir))
        return 1;
    (void)snprintf(path, sizeof(path), "%s/file", dir);
    UNITY_BEGIN();
    RUN_TEST(test_what_is_written_reads_back_with_its_mode);
    RUN_TEST(test_writing_replaces_the_file_whole);
    RUN_TEST(test_a_file_of_exactly_the_ceiling_is_read_and_one_byte_more_is_not);
    RUN_TEST(test_an_empty_file_is_empty_text);
    RUN_TEST(test_a_missing_file_and_a_directory_are_told_apart);
    RUN_TEST(test_a_write_that_fails_leaves_nothing_behind);
    RUN_TEST(test_a_pipe_is_read_to_its_end);
    failures = UNITY_END();
    (void)rmdir(dir);
    return failures;
}
