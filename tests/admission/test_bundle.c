#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/bundle.h"
#include "probate/admission/certs.h"
#include "probate/base/mem.h"

#define NOW_MS INT64_C(1800000000000)
#define DAY_MS INT64_C(86400000)

/* Two authorities with a leaf each, the first of which ends earlier. */
static struct prb_certs first, second;
static struct prb_bundle bundle;

static void make(struct prb_certs *ret, int ca_days, int leaf_days)
{
    static const char *const names[] = { "probate.probate-system.svc" };
    const struct prb_certs_options options = {
        .names = names, .count = 1, .now_ms = NOW_MS, .ca_days = ca_days, .leaf_days = leaf_days
    };
    struct prb_error err;

    if (prb_certs_make(&options, ret, &err) < 0)
        abort();
}

void setUp(void)
{
    make(&first, 10, 20);
    make(&second, 100, 20);
}

void tearDown(void)
{
    prb_certs_done(&first);
    prb_certs_done(&second);
    prb_bundle_done(&bundle);
}

static void test_a_certificate_is_in_it_once(void)
{
    prb_bundle_add(&bundle, first.ca_cert);
    prb_bundle_add(&bundle, first.ca_cert);
    TEST_ASSERT_EQUAL_size_t(1, bundle.count);
    prb_bundle_add(&bundle, second.ca_cert);
    TEST_ASSERT_EQUAL_size_t(2, bundle.count);
}

static void test_what_is_broken_takes_nothing_with_it(void)
{
    prb_autofree char *text = prb_asprintf(
            "garbage\n%s-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n%s more "
            "-----BEGIN CERTIFICATE-----\nunfinished",
            first.ca_cert, second.ca_cert);

    prb_bundle_add(&bundle, text);
    TEST_ASSERT_EQUAL_size_t(2, bundle.count);
    prb_bundle_add(&bundle, NULL);
    prb_bundle_add_encoded(&bundle, NULL);
    prb_bundle_add_encoded(&bundle, "no base64 at all");
    prb_bundle_add_encoded(&bundle, "");
    TEST_ASSERT_EQUAL_size_t(2, bundle.count);
}

static void test_a_key_never_gets_into_it(void)
{
    prb_autofree char *both = prb_asprintf("%s%s", first.ca_key, first.ca_cert);
    prb_autofree char *text = NULL;

    prb_bundle_add(&bundle, both);
    text = prb_bundle_text(&bundle);
    TEST_ASSERT_EQUAL_size_t(1, bundle.count);
    TEST_ASSERT_NULL(strstr(text, "PRIVATE"));
}

static void test_what_is_written_is_read_as_the_same_in_any_order(void)
{
    struct prb_bundle other = { 0 }, less = { 0 };
    prb_autofree char *encoded = NULL;

    prb_bundle_add(&bundle, first.ca_cert);
    prb_bundle_add(&bundle, second.ca_cert);
    prb_bundle_add(&other, second.ca_cert);
    prb_bundle_add(&less, second.ca_cert);
    encoded = prb_bundle_encoded(&bundle);
    prb_bundle_add_encoded(&other, encoded);
    TEST_ASSERT_TRUE(prb_bundle_equal(&bundle, &other));
    TEST_ASSERT_FALSE(prb_bundle_equal(&bundle, &less));
    TEST_ASSERT_FALSE(prb_bundle_equal(&less, &bundle));
    prb_bundle_intersect(&bundle, &less);
    TEST_ASSERT_TRUE(prb_bundle_equal(&bundle, &less));
    prb_bundle_unite(&bundle, &other);
    TEST_ASSERT_TRUE(prb_bundle_equal(&bundle, &other));
    prb_bundle_done(&other);
    prb_bundle_done(&less);
}

static void test_what_has_expired_falls_out(void)
{
    prb_bundle_add(&bundle, first.ca_cert);
    prb_bundle_add(&bundle, second.ca_cert);
    prb_bundle_drop_expired(&bundle, NOW_MS + 9 * DAY_MS);
    TEST_ASSERT_EQUAL_size_t(2, bundle.count);
    prb_bundle_drop_expired(&bundle, NOW_MS + 10 * DAY_MS);
    TEST_ASSERT_EQUAL_size_t(1, bundle.count);
    TEST_ASSERT_EQUAL_INT64(NOW_MS + 100 * DAY_MS, bundle.items[0].until_ms);
}

/* Whoever brings more than fit must not push out what we put there first. */
static void test_when_it_is_full_what_comes_later_is_left_out(void)
{
    prb_bundle_add(&bundle, first.ca_cert); /* the one that ends first */
    for (int i = 1; i < PRB_BUNDLE_MAX; i++) {
        struct prb_certs more = { 0 };

        make(&more, 50, 1);
        prb_bundle_add(&bundle, more.ca_cert);
        prb_certs_done(&more);
    }
    TEST_ASSERT_EQUAL_size_t(PRB_BUNDLE_MAX, bundle.count);
    prb_bundle_add(&bundle, first.ca_cert);
    TEST_ASSERT_FALSE_MESSAGE(bundle.more, "it is in there");
    prb_bundle_add(&bundle, second.ca_cert);
    TEST_ASSERT_EQUAL_size_t(PRB_BUNDLE_MAX, bundle.count);
    TEST_ASSERT_TRUE(bundle.more);
    TEST_ASSERT_NOT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, first.cert));
    TEST_ASSERT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, second.cert));
}

static void test_what_is_older_falls_out(void)
{
    prb_bundle_add(&bundle, first.ca_cert);
    TEST_ASSERT_LESS_OR_EQUAL_INT64(NOW_MS, bundle.items[0].from_ms);
    prb_bundle_drop_older(&bundle, bundle.items[0].from_ms);
    TEST_ASSERT_EQUAL_size_t(1, bundle.count);
    prb_bundle_drop_older(&bundle, bundle.items[0].from_ms + 1);
    TEST_ASSERT_EQUAL_size_t(0, bundle.count);
}

static void test_a_leaf_is_trusted_until_it_or_its_authority_ends(void)
{
    prb_bundle_add(&bundle, first.ca_cert);
    TEST_ASSERT_EQUAL_INT64(NOW_MS + 10 * DAY_MS, prb_bundle_trusts_until(&bundle, first.cert));
    TEST_ASSERT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, second.cert));
    prb_bundle_add(&bundle, second.ca_cert);
    TEST_ASSERT_EQUAL_INT64(NOW_MS + 20 * DAY_MS, prb_bundle_trusts_until(&bundle, second.cert));
    TEST_ASSERT_EQUAL_INT64(NOW_MS + 10 * DAY_MS, prb_bundle_trusts_until(&bundle, first.cert));
    TEST_ASSERT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, "no certificate"));
}

/* As a chain file has it, the CA behind the leaf. */
static void test_a_chain_is_trusted_by_its_leaf(void)
{
    prb_autofree char *good = prb_asprintf("%s%s", first.cert, first.ca_cert);
    prb_autofree char *foreign = prb_asprintf("%s%s", second.cert, first.ca_cert);

    prb_bundle_add(&bundle, first.ca_cert);
    TEST_ASSERT_NOT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, good));
    TEST_ASSERT_EQUAL_INT64(0, prb_bundle_trusts_until(&bundle, foreign));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_certificate_is_in_it_once);
    RUN_TEST(test_what_is_broken_takes_nothing_with_it);
    RUN_TEST(test_a_key_never_gets_into_it);
    RUN_TEST(test_what_is_written_is_read_as_the_same_in_any_order);
    RUN_TEST(test_what_has_expired_falls_out);
    RUN_TEST(test_when_it_is_full_what_comes_later_is_left_out);
    RUN_TEST(test_what_is_older_falls_out);
    RUN_TEST(test_a_leaf_is_trusted_until_it_or_its_authority_ends);
    RUN_TEST(test_a_chain_is_trusted_by_its_leaf);
    return UNITY_END();
}
