/* Is what a server says the same text each time it says it? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "condition.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_what_changes_by_itself_is_taken_out_of_a_servers_words(void)
{
    static const struct {
        const char *said, *told;
    } cases[] = {
        { "", "" },
        { "3 of 7 are left since 2026-01-02T03:04:05Z",
                "3 of 7 are left since 2026-01-02T03:04:05Z" },
        { "read tcp 10.0.0.1:43210->10.0.0.2:443: no answer",
                "read tcp 10.0.0.1:?->10.0.0.2:443: no answer" },
        { "no answer after 10001 ms", "no answer after ? ms" },
        { "run: kubectl annotate namespace west a=\"until=2026-01-02T03:04:05Z REASON\" and",
                "run: kubectl annotate namespace west a=\"until=TIME REASON\" and" },
        { "until=2026-01-02T03:04:05Z, until=2027-11-12T13:14:15Z", "until=TIME, until=TIME" },
        { "until=2026-01-02T03:0", "until=TIME" }, /* cut */
        { "it waits until=all is gone", "it waits until=all is gone" },
        { "what follows \"until=\" is no RFC 3339 time",
                "what follows \"until=\" is no RFC 3339 time" },
        { "until=", "until=" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *text = prb_strdup(cases[i].said);

        prb_condition_steady(text);
        TEST_ASSERT_EQUAL_STRING(cases[i].told, text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_changes_by_itself_is_taken_out_of_a_servers_words);
    return UNITY_END();
}
