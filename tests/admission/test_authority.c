#include <string.h>
#include <unity.h>

#include "probate/admission/authority.h"
#include "probate/admission/certs.h"
#include "probate/base/mem.h"

/* Seconds without a fraction, as certificates count. */
#define START_MS INT64_C(1800000000000)

static const char *const names[] = { "probate.probate-system.svc" };

static struct prb_authorities authorities;
static struct prb_bundle live;
static struct prb_leaf leaf;
static int64_t now_ms;
static struct prb_error err;

void setUp(void)
{
    now_ms = START_MS;
}

void tearDown(void)
{
    prb_authorities_done(&authorities);
    prb_bundle_done(&live);
    prb_leaf_done(&leaf);
}

static void add_new(void)
{
    if (prb_authorities_add_new(&authorities, &prb_ca_policy, now_ms, &err) < 0)
        TEST_FAIL_MESSAGE(err.msg);
}

static void publish(void)
{
    prb_authorities_publish(&authorities, &live);
}

static struct prb_ca_scene scene(bool known)
{
    return (struct prb_ca_scene){ .authorities = &authorities,
        .live = known ? &live : NULL,
        .policy = &prb_ca_policy,
        .now_ms = now_ms };
}

/* What a replica does at a look: the index of the CA that it signs with now, or -1. */
static int look(bool known)
{
    const struct prb_ca_scene here = scene(known);
    const struct prb_authority *signer = prb_leaf_signer(&leaf, &here);
    struct prb_leaf fresh = { 0 };

    if (!signer)
        return -1;
    if (prb_leaf_sign(signer, &here, names, 1, &fresh, &err) < 0)
        return -2;
    prb_leaf_done(&leaf);
    leaf = fresh;
    return (int)(signer - authorities.items);
}

static void test_a_secret_is_written_and_read_as_the_same(void)
{
    prb_auto(prb_json_free) struct json_object *data = NULL;
    struct prb_authorities again = { 0 };

    add_new();
    add_new();
    authorities.items[1].trusted_ms = START_MS;
    data = prb_authorities_write(&authorities);
    prb_authorities_read(data, &again);
    TEST_ASSERT_EQUAL_size_t(2, again.count);
    TEST_ASSERT_FALSE(again.damaged || again.empty);
    for (size_t i = 0; i < again.count; i++) {
        TEST_ASSERT_EQUAL_STRING(authorities.items[i].name, again.items[i].name);
        TEST_ASSERT_EQUAL_STRING(authorities.items[i].cert, again.items[i].cert);
        TEST_ASSERT_EQUAL_INT64(authorities.items[i].trusted_ms, again.items[i].trusted_ms);
        TEST_ASSERT_EQUAL_INT64(START_MS, again.items[i].made_ms);
        TEST_ASSERT_EQUAL_INT64(START_MS + PRB_CA_LIFE_MS, again.items[i].until_ms);
    }
    prb_authorities_done(&again);
}

static void test_what_is_damaged_is_left_out_and_said_to_be(void)
{
    static const struct {
        const char *name, *member, *value;
        size_t count;
    } cases[] = {
        { "garbage as key", ".key", "Z2FyYmFnZQ==", 1 },
        { "no base64", ".crt", "!!!", 1 },
        { "key is missing", ".key", NULL, 1 },
        { "certificate is empty", ".crt", "", 1 },
    };

    add_new();
    add_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *data = prb_authorities_write(&authorities);
        prb_autofree char *key = prb_asprintf("%s%s", authorities.items[0].name, cases[i].member);
        struct prb_authorities again = { 0 };

        prb_json_del(data, key);
        prb_json_set_str(data, key, cases[i].value);
        prb_authorities_read(data, &again);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(cases[i].count, again.count, cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(again.damaged, cases[i].name);
        prb_authorities_done(&again);
    }
}

static void test_a_key_of_another_authority_is_damage(void)
{
    prb_auto(prb_json_free) struct json_object *data = NULL;
    prb_autofree char *key = NULL, *encoded = NULL;
    struct prb_authorities again = { 0 };

    add_new();
    add_new();
    data = prb_authorities_write(&authorities);
    key = prb_asprintf("%s.key", authorities.items[0].name);
    encoded = prb_certs_bundle(authorities.items[1].key);
    prb_json_del(data, key);
    prb_json_set_str(data, key, encoded);
    prb_authorities_read(data, &again);
    TEST_ASSERT_EQUAL_size_t(1, again.count);
    TEST_ASSERT_TRUE(again.damaged);
    prb_authorities_done(&again);
}

static void test_nothing_is_empty_and_nonsense_is_damaged(void)
{
    prb_auto(prb_json_free) struct json_object *data = json_object_new_object();

    prb_authorities_read(NULL, &authorities);
    TEST_ASSERT_TRUE(authorities.empty);
    TEST_ASSERT_FALSE(authorities.damaged);
    prb_authorities_read(data, &authorities);
    TEST_ASSERT_TRUE(authorities.empty);
    prb_json_set_str(data, "hello", "d29ybGQ=");
    prb_authorities_read(data, &authorities);
    TEST_ASSERT_FALSE(authorities.empty);
    TEST_ASSERT_TRUE(authorities.damaged);
}

/* A leaf has no right to sign, whoever put it there. */
static void test_a_serving_certificate_is_no_authority(void)
{
    const struct prb_certs_options options = { .names = names, .count = 1, .now_ms = START_MS };
    prb_auto(prb_certs_done) struct prb_certs certs = { 0 };
    prb_auto(prb_json_free) struct json_object *data = json_object_new_object();
    prb_autofree char *cert = NULL, *key = NULL;

    TEST_ASSERT_EQUAL_INT(0, prb_certs_make(&options, &certs, &err));
    cert = prb_certs_bundle(certs.cert);
    key = prb_certs_bundle(certs.key);
    prb_json_set_str(data, "ca-x.crt", cert);
    prb_json_set_str(data, "ca-x.key", key);
    prb_authorities_read(data, &authorities);
    TEST_ASSERT_EQUAL_size_t(0, authorities.count);
    TEST_ASSERT_TRUE(authorities.damaged);
}

static void test_a_successor_is_made_after_two_thirds_of_a_life(void)
{
    TEST_ASSERT_TRUE(prb_authorities_need_new(&authorities, &prb_ca_policy, now_ms));
    add_new();
    TEST_ASSERT_FALSE(prb_authorities_need_new(
            &authorities, &prb_ca_policy, START_MS + PRB_CA_RENEW_MS - 1000));
    TEST_ASSERT_TRUE(
            prb_authorities_need_new(&authorities, &prb_ca_policy, START_MS + PRB_CA_RENEW_MS));
    now_ms = START_MS + PRB_CA_RENEW_MS;
    add_new();
    TEST_ASSERT_FALSE(prb_authorities_need_new(&authorities, &prb_ca_policy, now_ms));
}

static void test_a_leaf_never_outlives_its_authority(void)
{
    struct prb_ca_scene here;

    add_new();
    now_ms = START_MS + PRB_CA_LIFE_MS - PRB_DAY_MS;
    here = scene(true);
    TEST_ASSERT_EQUAL_INT(0, prb_leaf_sign(&authorities.items[0], &here, names, 1, &leaf, &err));
    TEST_ASSERT_EQUAL_INT64(START_MS + PRB_CA_LIFE_MS, leaf.until_ms);

    /* And it is not signed over and over because it is short. */
    publish();
    now_ms += PRB_DAY_MS / 2;
    TEST_ASSERT_EQUAL_INT(-1, look(true));
}

static void test_the_last_leaf_of_an_authority_ends_long_before_it(void)
{
    TEST_ASSERT_LESS_THAN_INT64(
            PRB_CA_LIFE_MS - 60 * PRB_DAY_MS, PRB_CA_RENEW_MS + PRB_CA_RIPE_MS + PRB_LEAF_LIFE_MS);
}

static void test_the_first_authority_signs_at_once(void)
{
    add_new();
    TEST_ASSERT_EQUAL_INT(0, look(true)); /* in no bundle yet: better than nothing */
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    publish();
    TEST_ASSERT_TRUE(prb_authorities_mark(&authorities, &live, now_ms));
    TEST_ASSERT_FALSE(prb_authorities_mark(&authorities, &live, now_ms));
    TEST_ASSERT_EQUAL_INT(-1, look(true));
}

static void test_a_new_authority_signs_after_ten_minutes_in_the_bundle(void)
{
    add_new();
    publish();
    (void)prb_authorities_mark(&authorities, &live, now_ms);
    TEST_ASSERT_EQUAL_INT(0, look(true));

    now_ms += PRB_CA_RENEW_MS;
    TEST_ASSERT_EQUAL_INT(0, look(true)); /* a leaf is due, whoever signs */
    add_new();
    now_ms += 2 * PRB_CA_RIPE_MS;
    TEST_ASSERT_EQUAL_INT(-1, look(true)); /* as old as you like: it is in no bundle */
    publish();
    TEST_ASSERT_EQUAL_INT(-1, look(true)); /* in the bundle, but not marked */
    TEST_ASSERT_TRUE(prb_authorities_mark(&authorities, &live, now_ms));
    now_ms += PRB_CA_RIPE_MS - 1000;
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    now_ms += 1000;
    TEST_ASSERT_EQUAL_INT(-1, look(false)); /* whether it is trusted is not known */
    TEST_ASSERT_EQUAL_INT(1, look(true));
    TEST_ASSERT_EQUAL_INT(-1, look(true));
}

static void test_a_mark_from_the_future_is_made_anew(void)
{
    add_new();
    publish();
    authorities.items[0].trusted_ms = now_ms + PRB_DAY_MS;
    TEST_ASSERT_TRUE(prb_authorities_mark(&authorities, &live, now_ms));
    TEST_ASSERT_EQUAL_INT64(now_ms, authorities.items[0].trusted_ms);
}

static void test_a_leaf_is_renewed_after_two_thirds_of_its_life(void)
{
    add_new();
    publish();
    (void)prb_authorities_mark(&authorities, &live, now_ms);
    TEST_ASSERT_EQUAL_INT(0, look(true));
    now_ms += PRB_LEAF_RENEW_MS - 1000;
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    now_ms += 1000;
    TEST_ASSERT_EQUAL_INT(0, look(true));
}

/* With the Secret lost: the leaf stays as long as the API server trusts it. */
static void test_after_a_repair_a_trusted_leaf_stays_until_the_new_one_is_ripe(void)
{
    add_new();
    publish();
    (void)prb_authorities_mark(&authorities, &live, now_ms);
    TEST_ASSERT_EQUAL_INT(0, look(true));
    prb_authorities_done(&authorities);
    add_new();
    publish();
    (void)prb_authorities_mark(&authorities, &live, now_ms);
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    TEST_ASSERT_EQUAL_INT64(0, prb_authorities_settled(&authorities, &prb_ca_policy, now_ms));
    now_ms += PRB_CA_RIPE_MS;
    TEST_ASSERT_EQUAL_INT(0, look(true));
    now_ms += PRB_LEAF_LIFE_MS;
    TEST_ASSERT_EQUAL_INT64(START_MS - PRB_CERTS_BEFORE_S * 1000,
            prb_authorities_settled(&authorities, &prb_ca_policy, now_ms));
}

static void test_a_leaf_that_is_not_trusted_is_replaced_by_one_that_is(void)
{
    add_new();
    TEST_ASSERT_EQUAL_INT(0, look(true));
    add_new();
    prb_bundle_add(&live, authorities.items[1].cert);
    TEST_ASSERT_EQUAL_INT(1, look(true)); /* unripe, but the other is not trusted at all */
}

/* A replica that starts while the API server is away goes by the marks. */
static void test_without_knowing_the_bundle_the_marks_count(void)
{
    add_new();
    add_new();
    authorities.items[1].trusted_ms = now_ms;
    now_ms += PRB_CA_RIPE_MS;
    TEST_ASSERT_EQUAL_INT(1, look(false));
}

static void test_expired_authorities_sign_nothing_and_are_dropped(void)
{
    add_new();
    now_ms += PRB_CA_LIFE_MS;
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    add_new();
    TEST_ASSERT_EQUAL_INT(1, look(true));
    TEST_ASSERT_TRUE(prb_authorities_drop_expired(&authorities, now_ms));
    TEST_ASSERT_EQUAL_size_t(1, authorities.count);
    TEST_ASSERT_FALSE(prb_authorities_drop_expired(&authorities, now_ms));
}

/* Else whoever writes it again takes the rest away. */
static void test_of_more_than_fit_in_it_is_said_that_there_are_more(void)
{
    prb_auto(prb_json_free) struct json_object *data = json_object_new_object();
    struct prb_authorities again = { 0 };

    for (int i = 0; i <= PRB_AUTHORITIES_MAX; i++) {
        prb_auto(prb_json_free) struct json_object *one = NULL;

        add_new();
        one = prb_authorities_write(&authorities);
        json_object_object_foreach (one, key, value) {
            prb_json_set(data, key, json_object_get(value));
        }
        prb_authorities_done(&authorities);
    }
    prb_authorities_read(data, &again);
    TEST_ASSERT_EQUAL_size_t(PRB_AUTHORITIES_MAX, again.count);
    TEST_ASSERT_TRUE(again.more);
    TEST_ASSERT_FALSE(again.damaged);
    prb_authorities_done(&again);
}

static void test_there_are_never_too_many(void)
{
    for (int i = 0; i < PRB_AUTHORITIES_MAX; i++) {
        now_ms = START_MS + (i == 3 ? 0 : PRB_DAY_MS); /* the fourth expires first */
        add_new();
    }
    now_ms = START_MS + 2 * PRB_DAY_MS;
    add_new();
    TEST_ASSERT_EQUAL_size_t(PRB_AUTHORITIES_MAX, authorities.count);
    for (size_t i = 0; i < authorities.count; i++)
        TEST_ASSERT_GREATER_THAN_INT64(START_MS, authorities.items[i].made_ms);
    TEST_ASSERT_EQUAL_INT64(now_ms, authorities.items[authorities.count - 1].made_ms);
}

/* By a clock that was far ahead, and nobody knew. */
static void test_an_authority_of_tomorrow_signs_nothing_yet(void)
{
    now_ms += PRB_DAY_MS;
    add_new();
    publish();
    (void)prb_authorities_mark(&authorities, &live, now_ms);
    TEST_ASSERT_EQUAL_INT(0, look(true));
    now_ms = START_MS;
    TEST_ASSERT_TRUE(prb_authorities_need_new(&authorities, &prb_ca_policy, now_ms));
    TEST_ASSERT_EQUAL_INT(-1, look(true));
    add_new();
    publish();
    TEST_ASSERT_FALSE(prb_authorities_need_new(&authorities, &prb_ca_policy, now_ms));
    TEST_ASSERT_EQUAL_INT(1, look(true)); /* in place of the leaf of tomorrow */
    TEST_ASSERT_EQUAL_INT(-1, look(true));
}

/* An old bundle was put back: what is not in it was not trusted all the time. */
static void test_a_mark_is_worth_nothing_once_it_was_out_of_the_bundle(void)
{
    const struct prb_bundle nothing = { 0 };

    add_new();
    publish();
    TEST_ASSERT_TRUE(prb_authorities_mark(&authorities, &live, now_ms));
    now_ms += PRB_CA_RIPE_MS;
    TEST_ASSERT_FALSE(prb_authorities_mark(&authorities, &live, now_ms));
    TEST_ASSERT_TRUE(prb_authorities_mark(&authorities, &nothing, now_ms));
    TEST_ASSERT_EQUAL_INT64(0, authorities.items[0].trusted_ms);
    TEST_ASSERT_FALSE(prb_authorities_mark(&authorities, &nothing, now_ms));
}

static void test_what_is_no_name_is_refused(void)
{
    static const char *const bad[] = { "not a name" };
    struct prb_ca_scene here = scene(true);

    add_new();
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_leaf_sign(&authorities.items[0], &here, bad, 1, &leaf, &err));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_leaf_sign(&authorities.items[0], &here, bad, 0, &leaf, &err));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_secret_is_written_and_read_as_the_same);
    RUN_TEST(test_what_is_damaged_is_left_out_and_said_to_be);
    RUN_TEST(test_a_key_of_another_authority_is_damage);
    RUN_TEST(test_nothing_is_empty_and_nonsense_is_damaged);
    RUN_TEST(test_a_serving_certificate_is_no_authority);
    RUN_TEST(test_a_successor_is_made_after_two_thirds_of_a_life);
    RUN_TEST(test_a_leaf_never_outlives_its_authority);
    RUN_TEST(test_the_last_leaf_of_an_authority_ends_long_before_it);
    RUN_TEST(test_the_first_authority_signs_at_once);
    RUN_TEST(test_a_new_authority_signs_after_ten_minutes_in_the_bundle);
    RUN_TEST(test_a_mark_from_the_future_is_made_anew);
    RUN_TEST(test_a_leaf_is_renewed_after_two_thirds_of_its_life);
    RUN_TEST(test_after_a_repair_a_trusted_leaf_stays_until_the_new_one_is_ripe);
    RUN_TEST(test_a_leaf_that_is_not_trusted_is_replaced_by_one_that_is);
    RUN_TEST(test_without_knowing_the_bundle_the_marks_count);
    RUN_TEST(test_expired_authorities_sign_nothing_and_are_dropped);
    RUN_TEST(test_of_more_than_fit_in_it_is_said_that_there_are_more);
    RUN_TEST(test_there_are_never_too_many);
    RUN_TEST(test_an_authority_of_tomorrow_signs_nothing_yet);
    RUN_TEST(test_a_mark_is_worth_nothing_once_it_was_out_of_the_bundle);
    RUN_TEST(test_what_is_no_name_is_refused);
    return UNITY_END();
}
