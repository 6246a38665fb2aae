#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "auth.h"
#include "files.h"
#include "secret.h"
#include "support/temp_dir.h"

static char *dir, *path;
static struct prb_kube_auth *auth;

void setUp(void)
{
    dir = prb_test_temp_dir();
    path = prb_asprintf("%s/token", dir);
    auth = NULL;
}

void tearDown(void)
{
    prb_kube_auth_free(auth);
    prb_test_temp_dir_remove(dir);
    free(path);
}

static void start(const struct prb_kube_config *config)
{
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_MESSAGE(0, prb_kube_auth_new(config, &auth, &err), err.msg);
}

#define ASSERT_SENT(expected, now_ms)                                                            \
    do {                                                                                         \
        unsigned ignored_;                                                                       \
        prb_auto(prb_secret_free) char *sent_ = prb_kube_auth_header(auth, (now_ms), &ignored_); \
        TEST_ASSERT_EQUAL_STRING((expected), sent_);                                             \
    } while (0)

static void test_a_token_is_sent_as_bearer(void)
{
    char token[] = "abc.def";

    start(&(struct prb_kube_config){ .token = token });
    ASSERT_SENT("Authorization: Bearer abc.def", 0);
}

static void test_user_and_password_are_sent_as_basic(void)
{
    char username[] = "Aladdin", password[] = "open sesame";

    start(&(struct prb_kube_config){ .username = username, .password = password });
    ASSERT_SENT("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", 0);
}

static void test_without_credentials_nothing_is_sent(void)
{
    start(&(struct prb_kube_config){ .server = NULL });
    ASSERT_SENT(NULL, 0);
}

static void test_a_token_that_would_break_the_header_is_refused(void)
{
    char newline[] = "a\r\nX-Other: 1", empty[] = "", space[] = "a b", source[] = "here";
    char *cases[] = { newline, empty, space };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_error err;

        TEST_ASSERT_EQUAL(PRB_E_INVALID,
                prb_kube_auth_new(&(struct prb_kube_config){ .token = cases[i], .source = source },
                        &auth, &err));
    }
}

static void test_a_token_file_is_trimmed_and_its_nonsense_not_sent(void)
{
    prb_test_put(path, " abc \n");
    start(&(struct prb_kube_config){ .token_file = path });
    ASSERT_SENT("Authorization: Bearer abc", 0);
    prb_test_put(path, "\n\n");
    ASSERT_SENT("Authorization: Bearer abc", 1);
    prb_test_put(path, "d\x01");
    ASSERT_SENT("Authorization: Bearer abc", 2);
}

static void test_a_changed_token_file_is_read_at_once(void)
{
    prb_test_put(path, "one");
    start(&(struct prb_kube_config){ .token_file = path });
    ASSERT_SENT("Authorization: Bearer one", 1000);
    prb_test_put(path, "two");
    ASSERT_SENT("Authorization: Bearer two", 1000);
}

static void test_a_change_that_stat_does_not_show_is_seen_after_a_minute(void)
{
    prb_test_put(path, "one");
    start(&(struct prb_kube_config){ .token_file = path });
    ASSERT_SENT("Authorization: Bearer one", 1000);
    prb_test_overwrite_unseen(path, "two");
    ASSERT_SENT("Authorization: Bearer one", 1000 + PRB_KUBE_TOKEN_AGE_MS - 1);
    ASSERT_SENT("Authorization: Bearer two", 1000 + PRB_KUBE_TOKEN_AGE_MS);
}

static void test_the_last_token_stays_while_the_file_is_away(void)
{
    prb_test_put(path, "one");
    start(&(struct prb_kube_config){ .token_file = path });
    ASSERT_SENT("Authorization: Bearer one", 0);
    (void)unlink(path);
    ASSERT_SENT("Authorization: Bearer one", PRB_KUBE_TOKEN_AGE_MS);
    prb_test_put(path, "two");
    ASSERT_SENT("Authorization: Bearer two", PRB_KUBE_TOKEN_AGE_MS);
}

static void test_the_file_wins_over_the_token_once_it_is_readable(void)
{
    char token[] = "given";

    start(&(struct prb_kube_config){ .token = token, .token_file = path });
    ASSERT_SENT("Authorization: Bearer given", 0);
    prb_test_put(path, "filed");
    ASSERT_SENT("Authorization: Bearer filed", 0);
}

static void test_a_refused_token_is_replaced_only_by_another_one(void)
{
    unsigned generation;

    prb_test_put(path, "one");
    start(&(struct prb_kube_config){ .token_file = path });
    prb_secret_free(prb_kube_auth_header(auth, 0, &generation));
    TEST_ASSERT_FALSE(prb_kube_auth_refresh(auth, 1, generation));
    prb_test_overwrite_unseen(path, "two");
    TEST_ASSERT_TRUE(prb_kube_auth_refresh(auth, 2, generation));
    ASSERT_SENT("Authorization: Bearer two", 3);
}

static void test_a_token_that_another_thread_has_replaced_is_not_read_again(void)
{
    unsigned generation;

    prb_test_put(path, "one");
    start(&(struct prb_kube_config){ .token_file = path });
    prb_secret_free(prb_kube_auth_header(auth, 0, &generation));
    prb_test_put(path, "two");
    ASSERT_SENT("Authorization: Bearer two", 1);
    TEST_ASSERT_TRUE(prb_kube_auth_refresh(auth, 2, generation));
}

static void test_a_fixed_token_has_no_replacement(void)
{
    char token[] = "abc";
    unsigned generation;

    start(&(struct prb_kube_config){ .token = token });
    prb_secret_free(prb_kube_auth_header(auth, 0, &generation));
    TEST_ASSERT_FALSE(prb_kube_auth_refresh(auth, 1, generation));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_token_is_sent_as_bearer);
    RUN_TEST(test_user_and_password_are_sent_as_basic);
    RUN_TEST(test_without_credentials_nothing_is_sent);
    RUN_TEST(test_a_token_that_would_break_the_header_is_refused);
    RUN_TEST(test_a_token_file_is_trimmed_and_its_nonsense_not_sent);
    RUN_TEST(test_a_changed_token_file_is_read_at_once);
    RUN_TEST(test_a_change_that_stat_does_not_show_is_seen_after_a_minute);
    RUN_TEST(test_the_last_token_stays_while_the_file_is_away);
    RUN_TEST(test_the_file_wins_over_the_token_once_it_is_readable);
    RUN_TEST(test_a_refused_token_is_replaced_only_by_another_one);
    RUN_TEST(test_a_token_that_another_thread_has_replaced_is_not_read_again);
    RUN_TEST(test_a_fixed_token_has_no_replacement);
    return UNITY_END();
}
