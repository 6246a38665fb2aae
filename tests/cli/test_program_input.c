/* The program with wrong command lines and wrong input: exit code and text. */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

static const char *source_root; /* of the source tree */
static char *dir;               /* for input files of the test */

void setUp(void)
{
    dir = prb_test_temp_dir();
}

void tearDown(void)
{
    prb_test_temp_dir_remove(dir);
}

static char *path_of(const char *name)
{
    return prb_asprintf("%s/%s", dir, name);
}

/* Write a file into `dir`; its path, which the caller frees. */
static char *write_file(const char *name, const char *text)
{
    char *path = path_of(name);
    struct prb_error err;

    if (prb_file_write(path, text, strlen(text), 0600, &err) < 0)
        (void)fprintf(stderr, "%s\n", err.msg);
    return path;
}

/* A kubeconfig for `server`, with `user` as the lines of its user. */
static char *write_kubeconfig(const char *server, const char *user)
{
    prb_autofree char *text = prb_asprintf("apiVersion: v1\n"
                                           "kind: Config\n"
                                           "current-context: dev\n"
                                           "contexts:\n"
                                           "- name: dev\n"
                                           "  context: {cluster: c, user: u}\n"
                                           "- name: prod\n"
                                           "  context: {cluster: c, user: u}\n"
                                           "clusters:\n"
                                           "- name: c\n"
                                           "  cluster:\n"
                                           "    server: %s\n"
                                           "    insecure-skip-tls-verify: true\n"
                                           "users:\n"
                                           "- name: u\n"
                                           "  user:\n"
                                           "%s",
            server, user);

    return write_file("kubeconfig", text);
}

/* Run with these arguments; demand an exit code and a text in the output. */
#define EXPECT_ENV(env, code, text, ...)                                                         \
    do {                                                                                         \
        prb_autofree char *said_ = NULL;                                                         \
        int exit_code_ = program_run((const char *const[]){ __VA_ARGS__, NULL }, (env), &said_); \
                                                                                                 \
        TEST_ASSERT_EQUAL_MESSAGE((code), exit_code_, said_);                                    \
        ASSERT_HAS(said_, (text));                                                               \
    } while (0)
#define EXPECT(code, text, ...) EXPECT_ENV(NULL, code, text, __VA_ARGS__)

/* A command line, its exit code, and a text in what it says. */
struct usage {
    const char *argv[5];
    int code;
    const char *text;
};

static void check_usage(const struct usage *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        prb_autofree char *output = NULL;

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, program_run(cases[i].argv, NULL, &output), output);
        ASSERT_HAS(output, cases[i].text);
    }
}
#define CHECK_USAGE(cases) check_usage((cases), sizeof(cases) / sizeof((cases)[0]))

static void test_help_and_version_come_in_all_their_forms(void)
{
    static const struct usage cases[] = {
        { { "--help" }, 0, "usage: probate VERB [flags]" },
        { { "-h" }, 0, "usage: probate VERB [flags]" },
        { { "help" }, 0, "usage: probate VERB [flags]" },
        { { "help", "serve" }, 0, "usage: probate serve [flags]" },
        { { "serve", "--help" }, 0, "usage: probate serve [flags]" },
        { { "serve", "--workers=many", "-h" }, 0, "usage: probate serve [flags]" },
        { { "version", "--help" }, 0, "usage: probate version" },
        { { "version" }, 0, "probate " PRB_VERSION },
        { { "--version" }, 0, "probate " PRB_VERSION },
    };

    CHECK_USAGE(cases);
}

static void test_the_reference_page_has_the_help_as_it_is(void)
{
    static const char *const verbs[] = { "serve", "agent" };
    prb_autofree char *path = prb_asprintf("%s/docs/reference.md", source_root);
    prb_autofree char *page = NULL;
    struct prb_error err;
    size_t len;

    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_file_read(path, PROGRAM_OUTPUT_MAX, &page, &len, &err), err.msg);
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        const char *const help_of[] = { "help", verbs[i], NULL };
        prb_autofree char *help = NULL;

        TEST_ASSERT_EQUAL(0, program_run(help_of, NULL, &help));
        TEST_ASSERT_TRUE_MESSAGE(has_text(page, help),
                "docs/reference.md must hold the output of `probate help`; "
                "run tests/docs/reference.py PROGRAM --write");
    }
}

static void test_a_wrong_verb_is_refused(void)
{
    static const struct usage cases[] = {
        { { NULL }, 2, "probate: no verb given\nsee 'probate --help'" },
        { { "sweep" }, 2, "probate: unknown verb \"sweep\"\nsee 'probate --help'" },
        { { "serv" }, 2, "probate: unknown verb \"serv\"; did you mean serve?" },
        { { "help", "verson" }, 2, "did you mean version?" },
        { { "--workers=3", "serve" }, 2, "probate: the verb comes first, then its flags" },
        { { "version", "3" }, 2, "probate version: unexpected argument \"3\"" },
    };

    CHECK_USAGE(cases);
}

static void test_a_wrong_flag_is_refused_with_the_nearest_one(void)
{
    static const struct usage cases[] = {
        { { "serve", "--kubeconfg=x" }, 2,
                "probate serve: unknown flag --kubeconfg; did you mean --kubeconfig?\n"
                "see 'probate serve --help'" },
        { { "serve", "--workers", "0" }, 2,
                "probate serve: --workers: \"0\" is not a whole number from 1 to 64" },
        { { "serve", "--leader-elect", "false" }, 2, "a switch takes its value as --flag=false" },
        { { "serve", "--controllers=deletion-wach", "--embedded=." }, 2,
                "probate serve: --controllers: there is no controller \"deletion-wach\"; did you "
                "mean deletion-watch?" },
        { { "serve", "--embedded=.", "--kubeconfig=x", "--ops-listen=127.0.0.1:0" }, 2,
                "probate serve: --embedded and --kubeconfig exclude each other" },
    };

    CHECK_USAGE(cases);
}

static void test_a_value_of_an_unknown_flag_is_not_repeated(void)
{
    prb_autofree char *output = NULL;

    TEST_ASSERT_EQUAL(2,
            program_run((const char *const[]){ "serve", "--token=s3cret", NULL }, NULL, &output));
    TEST_ASSERT_NULL_MESSAGE(strstr(output, "s3cret"), output);
}

static void test_a_bad_value_in_the_environment_names_the_variable(void)
{
    static const char *const env[] = { "PROBATE_LOG_LEVEL", "loud", NULL };

    EXPECT_ENV(env, 2,
            "probate serve: PROBATE_LOG_LEVEL in the environment: \"loud\" is none of debug, info",
            "serve");
}

static void test_escapes_in_an_argument_do_not_reach_the_terminal(void)
{
    prb_autofree char *output = NULL;

    TEST_ASSERT_EQUAL(2, program_run((const char *const[]){ "\033[2Jx\ny", NULL }, NULL, &output));
    TEST_ASSERT_NULL_MESSAGE(strchr(output, '\033'), output);
    ASSERT_HAS(output, "x y\"");
}

static void test_no_such_kubeconfig(void)
{
    prb_autofree char *path = path_of("absent");

    EXPECT(2, path, "serve", "--ops-listen=127.0.0.1:0", "--kubeconfig", path);
}

static void test_without_any_kubeconfig_the_places_looked_at_are_named(void)
{
    const char *env[] = { "HOME", dir, "KUBECONFIG", "", "KUBERNETES_SERVICE_HOST", "", NULL };

    EXPECT_ENV(env, 2, ".kube/config", "serve", "--ops-listen=127.0.0.1:0");
}

static void test_an_unknown_context_is_refused_with_the_known_ones(void)
{
    prb_autofree char *path = write_kubeconfig("https://127.0.0.1:1", "    token: s3cret\n");

    EXPECT(2, "prod", "serve", "--ops-listen=127.0.0.1:0", "--kubeconfig", path, "--context",
            "stage");
    EXPECT(2, "stage", "serve", "--ops-listen=127.0.0.1:0", "--kubeconfig", path, "--context",
            "stage");
}

static void test_an_unreadable_key_is_named(void)
{
    prb_autofree char *path = write_kubeconfig("https://127.0.0.1:1",
            "    client-certificate: absent.crt\n    client-key: absent.key\n");

    EXPECT(2, "absent.", "serve", "--ops-listen=127.0.0.1:0", "--kubeconfig", path);
}

static void test_an_exec_plugin_is_not_supported_yet(void)
{
    prb_autofree char *path = write_kubeconfig("https://127.0.0.1:1", "    exec: {command: aws}\n");

    EXPECT(2, "not supported yet", "serve", "--ops-listen=127.0.0.1:0", "--kubeconfig", path);
}

static void test_a_manifest_that_is_no_yaml_is_named_with_its_line(void)
{
    prb_autofree char *path = write_file("broken.yaml", "apiVersion: v1\nkind: [unclosed\n");

    EXPECT(2, "/broken.yaml:3: ", "serve", "--ops-listen=127.0.0.1:0", "--embedded", dir);
}

static void test_no_such_folder_of_manifests(void)
{
    prb_autofree char *path = path_of("absent");

    EXPECT(2, path, "serve", "--ops-listen=127.0.0.1:0", "--embedded", path);
}

/* A socket that listens on 127.0.0.1 and never answers. */
static int listen_silently(uint16_t *ret_port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)bind(fd, (struct sockaddr *)&at, size);
    (void)listen(fd, 16);
    (void)getsockname(fd, (struct sockaddr *)&at, &size);
    *ret_port = ntohs(at.sin_port);
    return fd;
}

static void test_a_port_in_use_is_named_with_the_flag_to_change(void)
{
    uint16_t port;
    int fd = listen_silently(&port);
    prb_autofree char *address = prb_asprintf("127.0.0.1:%u", port);
    prb_autofree char *text = prb_asprintf("probate serve: --ops-listen %s: address already in "
                                           "use; choose another with --ops-listen",
            address);

    EXPECT(2, text, "serve", "--embedded", dir, "--ops-listen", address);
    (void)close(fd);
}

static void test_a_server_that_refuses_connections_is_exit_3_in_bounded_time(void)
{
    prb_autofree char *path = write_kubeconfig("https://127.0.0.1:1", "    token: s3cret\n");
    int64_t start = prb_test_now_ms(), took;

    EXPECT(3, "https://127.0.0.1:1 could not be reached within 10 s", "serve",
            "--ops-listen=127.0.0.1:0", "--kubeconfig", path);
    took = prb_test_now_ms() - start;
    TEST_ASSERT_LESS_THAN_INT64(PROGRAM_PATIENCE_MS, took);
}

static void test_a_server_that_never_answers_is_exit_3_in_bounded_time(void)
{
    uint16_t port;
    int fd = listen_silently(&port);
    prb_autofree char *server = prb_asprintf("https://127.0.0.1:%u", port);
    prb_autofree char *path = write_kubeconfig(server, "    token: s3cret\n");
    int64_t start = prb_test_now_ms(), took;

    EXPECT(3, "could not be reached within 10 s", "serve", "--ops-listen=127.0.0.1:0",
            "--kubeconfig", path);
    took = prb_test_now_ms() - start;
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(
            prb_test_patience_ms(30000), took, "the limit of one call is 35 s");
    (void)close(fd);
}

static void test_a_signal_while_it_connects_ends_it_at_once(void)
{
    uint16_t port;
    int fd = listen_silently(&port);
    prb_autofree char *server = prb_asprintf("https://127.0.0.1:%u", port);
    prb_autofree char *path = write_kubeconfig(server, "    token: s3cret\n");
    struct program program;
    bool says;
    int64_t ms;
    int code;

    program_start(&program, (const char *const[]){ "--kubeconfig", path, NULL });
    says = program_says(&program, " connecting ");
    code = program_end(&program, SIGTERM, &ms);
    program_done(&program);
    (void)close(fd);
    TEST_ASSERT_TRUE(says);
    TEST_ASSERT_EQUAL(0, code);
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(prb_test_patience_ms(8000), ms, "it tries for 10 s");
}

static void test_output_that_cannot_be_written_is_exit_4(void)
{
    const char *argv[] = { "sh", "-c", "exec \"$0\" version >/dev/full", program_path, NULL };

    TEST_ASSERT_EQUAL(4, prb_test_run(&(struct prb_test_command){ .argv = argv }, NULL, 0));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    program_path = argv[1];
    source_root = argv[2];
    UNITY_BEGIN();
    RUN_TEST(test_help_and_version_come_in_all_their_forms);
    RUN_TEST(test_the_reference_page_has_the_help_as_it_is);
    RUN_TEST(test_a_wrong_verb_is_refused);
    RUN_TEST(test_a_wrong_flag_is_refused_with_the_nearest_one);
    RUN_TEST(test_a_value_of_an_unknown_flag_is_not_repeated);
    RUN_TEST(test_a_bad_value_in_the_environment_names_the_variable);
    RUN_TEST(test_escapes_in_an_argument_do_not_reach_the_terminal);
    RUN_TEST(test_no_such_kubeconfig);
    RUN_TEST(test_without_any_kubeconfig_the_places_looked_at_are_named);
    RUN_TEST(test_an_unknown_context_is_refused_with_the_known_ones);
    RUN_TEST(test_an_unreadable_key_is_named);
    RUN_TEST(test_an_exec_plugin_is_not_supported_yet);
    RUN_TEST(test_a_manifest_that_is_no_yaml_is_named_with_its_line);
    RUN_TEST(test_no_such_folder_of_manifests);
    RUN_TEST(test_a_port_in_use_is_named_with_the_flag_to_change);
    RUN_TEST(test_a_server_that_refuses_connections_is_exit_3_in_bounded_time);
    RUN_TEST(test_a_server_that_never_answers_is_exit_3_in_bounded_time);
    RUN_TEST(test_a_signal_while_it_connects_ends_it_at_once);
    RUN_TEST(test_output_that_cannot_be_written_is_exit_4);
    return UNITY_END();
}
