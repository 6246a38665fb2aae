/* `probate certs` as a process: what it writes, keeps and refuses to touch. */

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "program.h"
#include "support/temp_dir.h"

static char *dir;
static char *output; /* of the last run */
static struct prb_error err;

void setUp(void)
{
    dir = prb_test_temp_dir();
    output = NULL;
}

void tearDown(void)
{
    free(output);
    prb_test_temp_dir_remove(dir);
}

/* Run in `dir`/certs with up to three more arguments; the exit code. */
static int run(const char *one, const char *two, const char *three)
{
    prb_autofree char *out = prb_asprintf("--out=%s/certs", dir);
    const char *const arguments[] = { "certs", out, one, two, three, NULL };

    free(prb_take(output));
    return program_run(arguments, NULL, &output);
}

static char *read_file(const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/certs/%s", dir, name);
    char *text = NULL;
    size_t len;

    return prb_file_read(path, 65536, &text, &len, &err) < 0 ? NULL : text;
}

static void remove_file(const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/certs/%s", dir, name);

    (void)unlink(path);
}

static unsigned mode_of(const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/certs/%s", dir, name);
    struct stat info;

    return stat(path, &info) == 0 ? info.st_mode & 0777U : 0;
}

static size_t count_files(void)
{
    static const char *const names[] = { "ca.crt", "ca.key", "tls.crt", "tls.key" };
    size_t count = 0;

    for (size_t i = 0; i < 4; i++)
        count += mode_of(names[i]) != 0;
    return count;
}

#define ASSERT_SAYS(part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, part), output)

static void test_it_writes_four_files_and_keys_only_for_their_owner(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name=localhost", "--name=127.0.0.1", NULL), output);
    TEST_ASSERT_EQUAL_HEX(0644, mode_of("ca.crt"));
    TEST_ASSERT_EQUAL_HEX(0600, mode_of("ca.key"));
    TEST_ASSERT_EQUAL_HEX(0644, mode_of("tls.crt"));
    TEST_ASSERT_EQUAL_HEX(0600, mode_of("tls.key"));
    ASSERT_SAYS("for localhost, 127.0.0.1; valid until ");
}

static void test_the_bundle_it_prints_is_the_ca_on_one_line(void)
{
    const char *bundle;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", NULL), output);
    bundle = strstr(output, "\ncaBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t");
    TEST_ASSERT_NOT_NULL_MESSAGE(bundle, output);
    TEST_ASSERT_NULL_MESSAGE(strchr(bundle + 1, '\n'), "it is the last line"); /* without its end */
}

static void test_run_again_it_keeps_the_ca_and_renews_the_leaf(void)
{
    prb_autofree char *ca = NULL, *ca_key = NULL, *leaf = NULL;
    prb_autofree char *ca_after = NULL, *ca_key_after = NULL, *leaf_after = NULL;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", NULL), output);
    ca = read_file("ca.crt");
    ca_key = read_file("ca.key");
    leaf = read_file("tls.crt");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "other", NULL), output);
    ca_after = read_file("ca.crt");
    ca_key_after = read_file("ca.key");
    leaf_after = read_file("tls.crt");
    TEST_ASSERT_EQUAL_STRING(ca, ca_after);
    TEST_ASSERT_EQUAL_STRING(ca_key, ca_key_after);
    TEST_ASSERT_NOT_EQUAL_INT(0, strcmp(leaf, leaf_after));
    ASSERT_SAYS("kept ");
}

static void test_only_force_replaces_a_ca(void)
{
    prb_autofree char *ca = NULL, *ca_after = NULL;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", NULL), output);
    ca = read_file("ca.crt");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", "--force"), output);
    ca_after = read_file("ca.crt");
    TEST_ASSERT_NOT_EQUAL_INT(0, strcmp(ca, ca_after));
}

static void test_half_a_ca_is_not_overwritten(void)
{
    static const char *const lost[] = { "ca.key", "ca.crt" };

    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", "--force"), output);
        remove_file(lost[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, run("--name", "localhost", NULL), output);
        ASSERT_SAYS("--force");
        TEST_ASSERT_EQUAL_size_t(3, count_files());
    }
}

static void test_a_leaf_from_elsewhere_is_not_overwritten(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", NULL), output);
    remove_file("ca.key");
    remove_file("ca.crt");
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, run("--name", "localhost", NULL), output);
    ASSERT_SAYS("whose CA is not here");
    TEST_ASSERT_EQUAL_size_t(2, count_files());
}

static void test_a_broken_ca_is_an_error_that_names_the_folder(void)
{
    prb_autofree char *path = prb_asprintf("%s/certs/ca.crt", dir);

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("--name", "localhost", NULL), output);
    TEST_ASSERT_EQUAL_INT(0, prb_file_write(path, "x", 1, 0644, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, run("--name", "localhost", NULL), output);
    ASSERT_SAYS("/certs: the CA: certificate: ");
}

static void test_wrong_usage_is_exit_code_2(void)
{
    static const struct {
        const char *one, *two, *says;
    } cases[] = {
        { NULL, NULL, "--name NAME" },
        { "--name", "two words", "\"two words\" is neither a DNS name nor an IP address" },
        { "--name=a", "--days=0", "--days" },
        { "--name=a", "--days=1000000", "--days" },
        { "--name=a", "extra", "unexpected argument" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, run(cases[i].one, cases[i].two, NULL), cases[i].says);
        ASSERT_SAYS(cases[i].says);
        TEST_ASSERT_EQUAL_size_t(0, count_files());
    }
}

static void test_a_folder_that_cannot_be_is_exit_code_2(void)
{
    prb_autofree char *file = prb_asprintf("%s/file", dir);
    prb_autofree char *below = prb_asprintf("%s/file/certs", dir);
    const char *const arguments[] = { "certs", "--out", below, "--name", "a", NULL };

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(file, "x", 1, 0644, &err));
    TEST_ASSERT_EQUAL_INT(2, program_run(arguments, NULL, &output));
    ASSERT_SAYS("Not a directory");
}

int main(int argc, char **argv)
{
    program_path = argc > 1 ? argv[1] : "probate";
    UNITY_BEGIN();
    RUN_TEST(test_it_writes_four_files_and_keys_only_for_their_owner);
    RUN_TEST(test_the_bundle_it_prints_is_the_ca_on_one_line);
    RUN_TEST(test_run_again_it_keeps_the_ca_and_renews_the_leaf);
    RUN_TEST(test_only_force_replaces_a_ca);
    RUN_TEST(test_half_a_ca_is_not_overwritten);
    RUN_TEST(test_a_leaf_from_elsewhere_is_not_overwritten);
    RUN_TEST(test_a_broken_ca_is_an_error_that_names_the_folder);
    RUN_TEST(test_wrong_usage_is_exit_code_2);
    RUN_TEST(test_a_folder_that_cannot_be_is_exit_code_2);
    return UNITY_END();
}
