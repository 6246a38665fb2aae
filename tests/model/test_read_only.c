/* Are two works that make the same resources ReadOnly known to do so, however they say it? */

#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/read_only.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define CONFIG(namespace, name, type)                                                                                        \
    "{'resourceIdentifier':{'group':'','resource':'configmaps','namespace':'" namespace "','name':'" name                    \
                                                                                        "'},'updateStrategy':{'type':'" type \
                                                                                        "'}}"
#define RO(name) CONFIG("default", name, "ReadOnly")
#define UP(name) CONFIG("default", name, "Update")
#define SECRET_UP(name)                                                               \
    "{'resourceIdentifier':{'resource':'secrets','namespace':'default','name':'" name \
    "'},'updateStrategy':{'type':'Update'}}"

struct row {
    const char *name, *a, *b;
    bool same;
};

static const struct row rows[] = {
    { "nothing", "", "", true },
    { "one", RO("a"), RO("a"), true },
    { "one more", RO("a"), RO("a") "," RO("b"), false },
    { "another", RO("a"), RO("b"), false },
    { "another namespace", RO("a"), CONFIG("other", "a", "ReadOnly"), false },
    { "order", RO("a") "," RO("b"), RO("b") "," RO("a"), true },
    { "repeated", RO("a") "," RO("a"), RO("a"), true },
    { "a second word on it", RO("a") "," UP("a"), RO("a"), true },
    { "a first word on it", UP("a") "," RO("a"), RO("a"), false },
    { "a first word on it is as none", UP("a") "," RO("a"), "", true },
    { "others before and after", UP("x") "," RO("a") "," UP("y"), RO("a"), true },
    { "another kind before", SECRET_UP("a") "," RO("a"), RO("a"), true },
    { "a pattern is more", RO("*"), RO("a"), false },
    { "one taken out of a pattern", UP("a") "," RO("*"), RO("*"), false },
    { "one taken out of another pattern", UP("a") "," RO("b*"), RO("b*"), true },
    { "a pattern that takes out", UP("a*") "," RO("ab"), RO("ab"), false },
    { "a pattern that takes nothing out", UP("a*") "," RO("b"), RO("b"), true },
    { "too late to take out", RO("*") "," UP("a"), RO("*"), true },
    { "order within a run", UP("a") "," UP("b") "," RO("*"), UP("b") "," UP("a") "," RO("*"),
            true },
    { "order across runs", RO("a") "," UP("b*") "," RO("*"), UP("b*") "," RO("a") "," RO("*"),
            false },
    { "another strategy alone", UP("a"), "", true },
    { "one that is not known", CONFIG("default", "a", "Odd"), "", true },
    { "ReadOnly to one that is not known", RO("a"), CONFIG("default", "a", "Odd"), false },
};

static struct prb_object *work_of(const char *configs)
{
    prb_autofree char *text = prb_asprintf("{'spec':{'manifestConfigs':[%s]}}", configs);
    struct prb_object *work = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_object_draft(prb_test_json("%s", text), &work, &err));
    return work;
}

static void test_what_is_read_only_is_compared_by_what_it_means(void)
{
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i / 2];
        prb_auto(prb_object_unref) struct prb_object *one = work_of(i % 2 ? row->a : row->b);
        prb_auto(prb_object_unref) struct prb_object *other = work_of(i % 2 ? row->b : row->a);
        prb_auto(prb_read_only_done) struct prb_read_only a, b;

        prb_read_only_read(one, &a);
        prb_read_only_read(other, &b);
        TEST_ASSERT_EQUAL_MESSAGE(row->same, prb_read_only_same(&a, &b), row->name);
    }
}

static void test_a_work_that_says_nothing_makes_nothing_read_only(void)
{
    prb_auto(prb_read_only_done) struct prb_read_only none;

    prb_read_only_read(NULL, &none);
    TEST_ASSERT_EQUAL_size_t(0, none.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_read_only_is_compared_by_what_it_means);
    RUN_TEST(test_a_work_that_says_nothing_makes_nothing_read_only);
    return UNITY_END();
}
