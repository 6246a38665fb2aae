#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_the_fake_clock_moves_only_when_told(void)
{
    struct prb_fake_clock fake;
    const struct prb_clock *clock = &fake.clock;

    prb_fake_clock_init(&fake, 5000);
    TEST_ASSERT_EQUAL_INT64(5000, clock->wall_ms(clock));
    TEST_ASSERT_EQUAL_INT64(5000, clock->mono_ms(clock));
    prb_fake_clock_advance(&fake, 250);
    TEST_ASSERT_EQUAL_INT64(5250, clock->wall_ms(clock));
    TEST_ASSERT_EQUAL_INT64(5250, clock->mono_ms(clock));
}

static void test_the_system_clock_is_in_this_century_and_never_goes_back(void)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t start, before = clock->mono_ms(clock);

    TEST_ASSERT_TRUE(prb_time_parse("2020-01-01T00:00:00Z", &start));
    TEST_ASSERT_TRUE(clock->wall_ms(clock) > start);
    for (int i = 0; i < 1000; i++) {
        int64_t now = clock->mono_ms(clock);

        TEST_ASSERT_TRUE(now >= before);
        before = now;
    }
}

static void test_instants_are_written_as_kubernetes_writes_them(void)
{
    static const struct {
        int64_t ms;
        const char *text, *micro;
    } cases[] = {
        { 0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z" },
        { -1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999000Z" },
        { INT64_C(1767323045678), "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678000Z" },
        { INT64_C(951782400000), "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000Z" },
        { INT64_C(4107542400000), "2100-03-01T00:00:00Z", "2100-03-01T00:00:00.000000Z" },
        { INT64_MAX, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999000Z" },
        { INT64_MIN, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PRB_TIME_SIZE];

        prb_time_format(cases[i].ms, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        prb_time_format_micro(cases[i].ms, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].micro, text);
    }
}

static void test_what_is_written_reads_back(void)
{
    /* A step of a bit over nine days meets every month and hour from 1600 to 2500. */
    for (int64_t ms = INT64_C(-11676096000000); ms < INT64_C(16725225600000);
            ms += INT64_C(801234567)) {
        char text[PRB_TIME_SIZE];
        int64_t back;

        prb_time_format_micro(ms, text);
        TEST_ASSERT_TRUE_MESSAGE(prb_time_parse(text, &back), text);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(ms, back, text);
    }
}

static void test_rfc3339_instants_are_read(void)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        { "2026-01-02T03:04:05Z", INT64_C(1767323045000) },
        { "2026-01-02T03:04:05.6Z", INT64_C(1767323045600) },
        { "2026-01-02T03:04:05.678901234Z", INT64_C(1767323045678) },
        { "2026-01-02T03:04:05.67890123456789Z", INT64_C(1767323045678) },
        { "2026-01-02T04:04:05+01:00", INT64_C(1767323045000) },
        { "2026-01-01T19:04:05-08:00", INT64_C(1767323045000) },
        { "2026-01-02T08:34:05.678+05:30", INT64_C(1767323045678) },
        { "2024-02-29T00:00:00Z", INT64_C(1709164800000) },
        { "2000-02-29T00:00:00Z", INT64_C(951782400000) },
        { "1969-12-31T23:59:59.999Z", -1 },
        { "0000-01-01T00:00:00Z", INT64_C(-62167219200000) },
        { "9999-12-31T23:59:59Z", INT64_C(253402300799000) },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms;

        TEST_ASSERT_TRUE_MESSAGE(prb_time_parse(cases[i].text, &ms), cases[i].text);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(cases[i].ms, ms, cases[i].text);
    }
}

static void test_anything_else_is_no_instant(void)
{
    static const char *const cases[] = { "", "2026", "2026-01-02", "2026-01-02T03:04:05",
        "2026-01-02 03:04:05Z", "2026-01-02t03:04:05Z", "2026-01-02T03:04:05z",
        "2026-1-2T03:04:05Z", "2026-01-02T3:04:05Z", "2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z",
        "2026-01-00T03:04:05Z", "2026-01-32T03:04:05Z", "2026-04-31T00:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-01-02T24:00:00Z",
        "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05+0100", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+01:00x", "2026-01-02T03:04:05Zx",
        " 2026-01-02T03:04:05Z", "-026-01-02T03:04:05Z", "20260-01-02T03:04:05Z" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = 7;

        TEST_ASSERT_FALSE_MESSAGE(prb_time_parse(cases[i], &ms), cases[i]);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(7, ms, cases[i]);
    }
}

static void test_lengths_of_time_are_said_in_two_units_at_most(void)
{
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {
        { -5000, "0s" },
        { 0, "0s" },
        { 999, "0s" },
        { 45999, "45s" },
        { 60000, "1m" },
        { 90000, "1m30s" },
        { 720000, "12m" },
        { 11100000, "3h5m" },
        { 10859000, "3h" },
        { (2 * 24 + 4) * INT64_C(3600000), "2d4h" },
        { 400 * INT64_C(86400000), "400d" },
        { INT64_MAX, "106751991167d7h" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PRB_TIME_SIZE];

        prb_duration_format(cases[i].ms, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_fake_clock_moves_only_when_told);
    RUN_TEST(test_the_system_clock_is_in_this_century_and_never_goes_back);
    RUN_TEST(test_instants_are_written_as_kubernetes_writes_them);
    RUN_TEST(test_what_is_written_reads_back);
    RUN_TEST(test_rfc3339_instants_are_read);
    RUN_TEST(test_anything_else_is_no_instant);
    RUN_TEST(test_lengths_of_time_are_said_in_two_units_at_most);
    return UNITY_END();
}
