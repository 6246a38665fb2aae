/* What is written into a webhook configuration, and what is left alone. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/certs.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/critical_service.h"

#include "registration_internal.h"

static struct prb_registered live;
static struct prb_bundle wanted;
static struct prb_closed closed;
static struct prb_certs certs;

void setUp(void)
{
    static const char *const names[] = { "localhost" };
    const struct prb_certs_options options = { .names = names, .count = 1, .now_ms = 1000000 };
    struct prb_rule_flags flags = { 0 };
    struct prb_rule_choice choice = { 0 };
    struct prb_error err;

    prb_list_add(&flags.rules, "critical-service", strlen("critical-service"));
    if (prb_certs_make(&options, &certs, &err) < 0 || prb_rules_choose(&flags, &choice, &err) < 0)
        abort();
    prb_bundle_add(&wanted, certs.ca_cert);
    prb_closed_init(&closed, &choice);
    prb_rule_choice_done(&choice);
    prb_list_done(&flags.rules);
}

void tearDown(void)
{
    prb_registered_done(&live);
    prb_bundle_done(&wanted);
    prb_closed_done(&closed);
    prb_certs_done(&certs);
}

/* A configuration of these webhooks, in YAML flow style; $ stands for the wanted caBundle. */
static void load(const char *webhooks)
{
    prb_autofree char *bundle = prb_bundle_encoded(&wanted), *text = NULL;
    prb_auto(prb_str_done) struct prb_str list;
    struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&list, 65536);
    for (; *webhooks; webhooks++) {
        if (*webhooks == '$')
            prb_str_add(&list, bundle);
        else
            prb_str_addc(&list, *webhooks);
    }
    text = prb_asprintf("metadata: {name: probate, uid: u1, resourceVersion: '7'}\n"
                        "webhooks: [%s]\n",
            prb_str_get(&list));
    prb_registered_done(&live);
    if (prb_yaml_parse(text, strlen(text), &tree, &err) < 0 ||
            prb_object_new(tree, &live.config, &err) < 0)
        abort();
}

/* The body as JSON, "" when there is nothing to do; the caller frees. */
static char *apply(bool with_bundle, bool confirmed)
{
    const struct prb_registration_wish wish = {
        .bundle = with_bundle ? &wanted : NULL, .closed = &closed, .confirmed = confirmed
    };
    prb_auto(prb_json_free) struct json_object *body = prb_registration_apply(&live, &wish);

    return body ? prb_json_text(body, false) : prb_strdup("");
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;

    while ((text = strstr(text, word)) != NULL) {
        found++;
        text++;
    }
    return found;
}

static void test_what_is_to_fail_closed_comes_from_the_tables(void)
{
    TEST_ASSERT_EQUAL_size_t(5, closed.count);
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "critical-service.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "critical-service-delete.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "selftest.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "critical-service-namespace.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "critical-service-label.probate.dev"));
    TEST_ASSERT_FALSE(prb_closed_has(&closed, "critical-service-unlabelled.probate.dev"));
}

#define OPEN_ENTRY "{name: critical-service.probate.dev, failurePolicy: Ignore, clientConfig: {}}"
#define LABEL_ENTRY                                                      \
    "{name: critical-service-label.probate.dev, failurePolicy: Ignore, " \
    "clientConfig: {caBundle: $}}"
#define TEST_ENTRY "{name: selftest.probate.dev, failurePolicy: Ignore, clientConfig: {}}"
#define DONE_ENTRY                                               \
    "{name: critical-service.probate.dev, failurePolicy: Fail, " \
    "clientConfig: {caBundle: $, url: x}, rules: [1]}"

static void test_only_the_self_test_fails_closed_before_it_was_answered(void)
{
    prb_autofree char *body = NULL;

    load(OPEN_ENTRY "," LABEL_ENTRY "," TEST_ENTRY);
    body = apply(true, false);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(3, count(body, "\"caBundle\""), body);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "\"failurePolicy\":\"Fail\""), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(body, "\"uid\":\"u1\""), body);
}

static void test_once_it_was_answered_those_that_are_meant_to_fail_closed(void)
{
    prb_autofree char *body = NULL;

    load(OPEN_ENTRY "," LABEL_ENTRY "," TEST_ENTRY);
    body = apply(true, true);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(2, count(body, "\"failurePolicy\":\"Fail\""), body);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "Ignore"), body);
}

#define GUARD_ENTRY(policy, more)                                                                 \
    "{name: critical-service-label.probate.dev, failurePolicy: " policy ", clientConfig: {}" more \
    "}"
#define CONDITION ", matchConditions: [{name: a, expression: '" PRB_LABEL_TAKEN_OFF "'}]"

/* An older API server drops the condition: the webhook would be called for every UPDATE. */
static void test_a_webhook_fails_closed_only_with_the_condition_that_it_needs(void)
{
    static const struct {
        const char *name, *entry, *says;
        size_t open;
    } cases[] = {
        { "the condition was dropped", GUARD_ENTRY("Ignore", ""), "", 0 },
        { "and somebody closed it", GUARD_ENTRY("Fail", ""), "\"failurePolicy\":\"Ignore\"", 0 },
        { "it is another",
                GUARD_ENTRY("Fail", ", matchConditions: [{name: a, expression: 'true'}]"),
                "\"failurePolicy\":\"Ignore\"", 0 },
        { "it is there", GUARD_ENTRY("Ignore", CONDITION), "\"failurePolicy\":\"Fail\"", 1 },
        { "and it is closed", GUARD_ENTRY("Fail", CONDITION), "", 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *body = NULL;

        load(cases[i].entry);
        body = apply(false, true);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(
                cases[i].open, prb_registered_open(&live, &closed, NULL), cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].says[0] != '\0', body[0] != '\0', cases[i].name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(body, cases[i].says), cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(strstr(cases[i].entry, "oldObject") == NULL,
                prb_registered_unconditional(&live, &closed) != NULL, cases[i].name);
    }
    load(GUARD_ENTRY("Ignore", CONDITION));
    TEST_ASSERT_EQUAL_size_t(1, prb_registered_open(&live, &closed, NULL));
}

/* Before the self-test was answered nothing is closed. */
static void test_the_condition_alone_closes_nothing(void)
{
    prb_autofree char *body = NULL;

    load(GUARD_ENTRY("Ignore", CONDITION));
    body = apply(false, false);
    TEST_ASSERT_EQUAL_STRING("", body);
}

/* What an apply leaves out it may take away. */
static void test_what_fails_closed_is_said_again_with_every_apply(void)
{
    prb_autofree char *body = NULL;

    load(DONE_ENTRY "," OPEN_ENTRY);
    body = apply(true, false);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "\"failurePolicy\":\"Fail\""), body);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(2, count(body, "\"caBundle\""), body);
}

static void test_nothing_but_the_two_fields_is_written(void)
{
    prb_autofree char *body = NULL;

    load(DONE_ENTRY "," OPEN_ENTRY);
    body = apply(true, true);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, count(body, "\"rules\""), body);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, count(body, "\"url\""), body);
}

static void test_what_is_as_it_should_be_is_not_written(void)
{
    prb_autofree char *body = NULL, *without = NULL;

    load(DONE_ENTRY "," LABEL_ENTRY);
    body = apply(true, true);
    without = apply(false, true);
    TEST_ASSERT_EQUAL_STRING("", body);
    TEST_ASSERT_EQUAL_STRING("", without);
}

static void test_a_bundle_of_somebody_else_is_left_alone(void)
{
    prb_autofree char *body = NULL;

    load(OPEN_ENTRY);
    body = apply(false, true);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, count(body, "caBundle"), body);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "\"failurePolicy\":\"Fail\""), body);
}

/* Somebody else's server would not be trusted any more, and what fails closed be refused. */
static void test_a_webhook_that_is_not_ours_is_left_alone(void)
{
    static const char *const names[] = { "mine.example.org", "notprobate.dev", ".probate.dev" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        prb_autofree char *foreign = prb_asprintf(
                "{name: %s, failurePolicy: Ignore, clientConfig: {caBundle: eA==}}", names[i]);
        prb_autofree char *both = prb_asprintf("%s," OPEN_ENTRY, foreign);
        prb_autofree char *quoted = prb_asprintf("\"%s\"", names[i]);
        prb_autofree char *none = NULL, *body = NULL;

        load(foreign);
        none = apply(true, true);
        TEST_ASSERT_EQUAL_STRING("", none);
        load(both);
        body = apply(true, true);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "caBundle"), body);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, count(body, quoted), body);
    }
}

/* A bundle that we can read and Go cannot: PEM begins at the beginning of a line. */
static void test_a_bundle_with_something_around_it_is_written_anew(void)
{
    prb_autofree char *pem = prb_bundle_text(&wanted);
    prb_autofree char *spoilt = prb_asprintf("# %s", pem);
    prb_autofree char *bundle = prb_certs_bundle(spoilt);
    prb_autofree char *webhook = prb_asprintf(
            "{name: critical-service.probate.dev, failurePolicy: Fail, clientConfig: {caBundle: %s}}",
            bundle);
    prb_autofree char *body = NULL;

    load(webhook);
    body = apply(true, true);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "caBundle"), body);
}

/* A rule that only warns must not refuse because nobody is there to ask. */
static void test_a_rule_that_refuses_nothing_fails_open(void)
{
    struct prb_rule_flags flags = { 0 };
    struct prb_rule_choice choice = { 0 };
    prb_autofree char *body = NULL, *none = NULL;
    struct prb_error err;

    prb_closed_done(&closed);
    prb_list_add(&flags.rules, "*", 1);
    prb_list_add(&flags.modes, "critical-service=warn", strlen("critical-service=warn"));
    TEST_ASSERT_EQUAL_INT(0, prb_rules_choose(&flags, &choice, &err));
    prb_closed_init(&closed, &choice);
    prb_rule_choice_done(&choice);
    prb_list_done(&flags.rules);
    prb_list_done(&flags.modes);

    TEST_ASSERT_FALSE(prb_closed_has(&closed, "critical-service.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "policy-prune.probate.dev"));
    TEST_ASSERT_TRUE(prb_closed_has(&closed, "selftest.probate.dev"));
    load("{name: critical-service.probate.dev, failurePolicy: Fail, clientConfig: {caBundle: $}}");
    body = apply(true, false); /* it was to refuse until now */
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, count(body, "\"failurePolicy\":\"Ignore\""), body);
    load("{name: critical-service.probate.dev, failurePolicy: Ignore, clientConfig: {caBundle: $}}");
    none = apply(true, true);
    TEST_ASSERT_EQUAL_STRING("", none);
}

static void test_those_that_do_not_fail_closed_yet_are_counted(void)
{
    const char *first = NULL;

    load(LABEL_ENTRY "," OPEN_ENTRY "," TEST_ENTRY "," DONE_ENTRY);
    TEST_ASSERT_EQUAL_size_t(2, prb_registered_open(&live, &closed, &first));
    TEST_ASSERT_EQUAL_STRING("critical-service.probate.dev", first);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_to_fail_closed_comes_from_the_tables);
    RUN_TEST(test_only_the_self_test_fails_closed_before_it_was_answered);
    RUN_TEST(test_once_it_was_answered_those_that_are_meant_to_fail_closed);
    RUN_TEST(test_a_webhook_fails_closed_only_with_the_condition_that_it_needs);
    RUN_TEST(test_the_condition_alone_closes_nothing);
    RUN_TEST(test_what_fails_closed_is_said_again_with_every_apply);
    RUN_TEST(test_nothing_but_the_two_fields_is_written);
    RUN_TEST(test_what_is_as_it_should_be_is_not_written);
    RUN_TEST(test_a_bundle_of_somebody_else_is_left_alone);
    RUN_TEST(test_a_webhook_that_is_not_ours_is_left_alone);
    RUN_TEST(test_a_bundle_with_something_around_it_is_written_anew);
    RUN_TEST(test_a_rule_that_refuses_nothing_fails_open);
    RUN_TEST(test_those_that_do_not_fail_closed_yet_are_counted);
    return UNITY_END();
}
