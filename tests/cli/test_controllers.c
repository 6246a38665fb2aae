/* What --controllers means. */

#include <string.h>
#include <unity.h>

#include "probate/cli/controllers.h"

static const struct prb_reconciler claims = { .name = "claims" };
static const struct prb_reconciler policy = { .name = "policy" };
static const struct prb_reconciler work = { .name = "work" };
static const struct prb_reconciler *const table[] = { &claims, &policy, &work };
#define COUNT (sizeof(table) / sizeof(table[0]))

static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
}

/* `names` with commas; the answer as one letter for each chosen controller. */
static int choose(const char *names, char letters[COUNT + 1])
{
    prb_auto(prb_list_done) struct prb_list list = { 0 };
    bool chosen[COUNT] = { false };
    size_t used = 0;
    int r;

    for (const char *at = names; *at; at += strspn(at, ",")) {
        prb_list_add(&list, at, strcspn(at, ","));
        at += strcspn(at, ",");
    }
    r = prb_controllers_choose(&list, table, COUNT, chosen, &err);
    for (size_t i = 0; i < COUNT; i++) {
        if (chosen[i])
            letters[used++] = table[i]->name[0];
    }
    letters[used] = '\0';
    return r;
}

static void test_names_stars_and_exclusions_choose(void)
{
    static const struct {
        const char *names, *chosen;
    } cases[] = {
        { "*", "cpw" },
        { "", "cpw" },
        { "policy", "p" },
        { "work,claims", "cw" },
        { "-work", "cp" },
        { "*,-work", "cp" },
        { "-work,*", "cp" },
        { "claims,work,-claims", "w" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char letters[COUNT + 1];

        TEST_ASSERT_EQUAL_MESSAGE(0, choose(cases[i].names, letters), cases[i].names);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].chosen, letters, cases[i].names);
    }
}

static void test_what_cannot_be_chosen_is_refused(void)
{
    static const struct {
        const char *names, *message;
    } cases[] = {
        { "polcy", "there is no controller \"polcy\"; did you mean policy?" },
        { "*,-polcy", "there is no controller \"polcy\"; did you mean policy?" },
        { "quite-else", "there is no controller \"quite-else\"; there is claims, policy, work" },
        { "-*", "there is no controller \"*\"; there is claims, policy, work" },
        { "work,-work", "this leaves no controller" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char letters[COUNT + 1];

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, choose(cases[i].names, letters), cases[i].names);
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", letters, "nothing is chosen on failure");
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_names_stars_and_exclusions_choose);
    RUN_TEST(test_what_cannot_be_chosen_is_refused);
    return UNITY_END();
}
