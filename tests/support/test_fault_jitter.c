/* Are calls held up by chance that a seed repeats, and only when that was asked for? */

#include <unity.h>

#include "support/fault_jitter.h"

#define CALLS 1000
#define MAX_MS 40

void setUp(void)
{
}

void tearDown(void)
{
}

static void roll(const char *seed, struct prb_fault_jitter_delay ret[CALLS])
{
    struct prb_fault_jitter jitter;

    prb_fault_jitter_init(&jitter, "40", seed);
    for (int i = 0; i < CALLS; i++)
        ret[i] = prb_fault_jitter_next(&jitter);
}

static int differences(
        const struct prb_fault_jitter_delay a[CALLS], const struct prb_fault_jitter_delay b[CALLS])
{
    int count = 0;

    for (int i = 0; i < CALLS; i++)
        count += a[i].ms != b[i].ms || a[i].back != b[i].back;
    return count;
}

static void test_a_seed_repeats_the_delays(void)
{
    static struct prb_fault_jitter_delay first[CALLS], again[CALLS], other[CALLS];

    roll("7", first);
    roll("7", again);
    roll("8", other);
    TEST_ASSERT_EQUAL(0, differences(first, again));
    TEST_ASSERT_GREATER_THAN(CALLS * 9 / 10, differences(first, other));
}

static void test_delays_go_up_to_the_maximum_and_are_on_both_ways(void)
{
    static struct prb_fault_jitter_delay delays[CALLS];
    int seen[MAX_MS + 1] = { 0 }, back = 0;

    roll("1", delays);
    for (int i = 0; i < CALLS; i++) {
        TEST_ASSERT_TRUE(delays[i].ms >= 0 && delays[i].ms <= MAX_MS);
        if (delays[i].ms >= 0 && delays[i].ms <= MAX_MS)
            seen[delays[i].ms]++;
        back += delays[i].back;
    }
    for (int ms = 0; ms <= MAX_MS; ms++)
        TEST_ASSERT_GREATER_THAN(0, seen[ms]);
    TEST_ASSERT_INT_WITHIN(CALLS / 10, CALLS / 2, back);
}

static void test_without_numbers_there_is_no_delay(void)
{
    static const struct {
        const char *max_ms, *seed;
    } rows[] = { { NULL, NULL }, { NULL, "1" }, { "40", NULL }, { "0", "1" }, { "x", "1" },
        { "40", "x" }, { "-1", "1" }, { "1000000", "1" } };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct prb_fault_jitter jitter;

        prb_fault_jitter_init(&jitter, rows[i].max_ms, rows[i].seed);
        for (int call = 0; call < CALLS; call++)
            TEST_ASSERT_EQUAL(0, prb_fault_jitter_next(&jitter).ms);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_seed_repeats_the_delays);
    RUN_TEST(test_delays_go_up_to_the_maximum_and_are_on_both_ways);
    RUN_TEST(test_without_numbers_there_is_no_delay);
    return UNITY_END();
}
