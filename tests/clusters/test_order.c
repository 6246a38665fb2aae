/* Does the check of the order find what is out of order? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/str.h"

#include "order.h"
#include "support/json_text.h"

#define OBJECTS_MAX 4

void setUp(void)
{
}

void tearDown(void)
{
}

/* Made at 1, and exactly known, unless something else is said. */
struct thing {
    enum sort sort;
    const char *name;
    int64_t begun, gone;
    int64_t gone_after; /* 0: just before */
    int64_t made;
    bool by_others;
};

#define IT(sort_, name_, begun_, gone_) \
    .sort = (sort_), .name = (name_), .begun = (begun_), .gone = (gone_)

static const struct {
    const char *name;
    struct thing things[OBJECTS_MAX];
    unsigned flags;
    const char *why; /* a part of it; "": all is well */
} rows[] = {
    { "all in order",
            { { IT(ADDON, "a", 5, 6) }, { IT(WORK, "w", 7, 8) }, { IT(NAMESPACE, "n", 9, 10) },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "" },
    { "a work before an addon",
            { { IT(ADDON, "a", 5, 8) }, { IT(WORK, "w", 7, 9) }, { IT(CLUSTER, "n", 2, 11) } }, 0,
            "addon a went at 8, after the deletion of work w at 7" },
    { "a work of somebody else before an addon",
            { { IT(ADDON, "a", 5, 8) }, { IT(WORK, "w", 4, 7), .by_others = true },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "" },
    { "the work agent's binding goes before a work, whoever deletes it",
            { { IT(WORK, "w", 5, 8) }, { IT(ROLEBINDING, "x:n:work", 3, 7), .by_others = true },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "work w went at 8, after the end of RoleBinding x:n:work at 7" },
    { "the registration agent's binding is deleted by another",
            { { IT(WORK, "w", 5, 8) },
                    { IT(ROLEBINDING, "x:n:registration", 3, 3), .by_others = true },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "" },
    { "the work agent's binding is deleted by another, and goes after the works",
            { { IT(WORK, "w", 5, 8) }, { IT(ROLEBINDING, "x:n:work", 3, 9), .by_others = true },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "" },
    { "the namespace before the rights",
            { { IT(ROLE, "r", 5, 9) }, { IT(NAMESPACE, "n", 8, 10) }, { IT(CLUSTER, "n", 2, 11) } },
            0, "ClusterRole r went at 9" },
    { "the cluster before the namespace",
            { { IT(NAMESPACE, "n", 8, 12) }, { IT(CLUSTER, "n", 2, 11) } }, 0,
            "namespace n went at 12, after the end of cluster n at 11" },
    { "the cluster before the namespace, with its finalizer stripped",
            { { IT(NAMESPACE, "n", 8, 12) }, { IT(CLUSTER, "n", 2, 11) } }, ORDER_STRIPPED, "" },
    { "something before what is monitored",
            { { IT(MONITORED, "m", 5, 9) }, { IT(ADDON, "a", 8, 10) },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "monitored resource m went at 9" },
    { "what is monitored came later",
            { { IT(MONITORED, "m", 9, 10), .made = 8 }, { IT(ADDON, "a", 5, 12) },
                    { IT(CLUSTER, "n", 2, 13) } },
            0, "" },
    { "a namespace that is kept", { { IT(NAMESPACE, "n", 0, 0) }, { IT(CLUSTER, "n", 2, 11) } },
            ORDER_KEPT, "" },
    { "a namespace that was to be kept",
            { { IT(NAMESPACE, "n", 5, 6) }, { IT(CLUSTER, "n", 2, 11) } }, ORDER_KEPT,
            "is deleted" },
    { "a namespace that is not gone", { { IT(NAMESPACE, "n", 5, 0) }, { IT(CLUSTER, "n", 2, 11) } },
            0, "is not gone" },
    { "seen too late to tell",
            { { IT(ADDON, "a", 5, 9), .gone_after = 4 }, { IT(WORK, "w", 7, 9) },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "" },
    { "seen late, but out of order all the same",
            { { IT(ADDON, "a", 5, 9), .gone_after = 7 }, { IT(WORK, "w", 7, 9) },
                    { IT(CLUSTER, "n", 2, 11) } },
            0, "addon a went" },
};

static struct instant at(int64_t version, int64_t after)
{
    return (struct instant){ .after = after ? after : version - 1, .by = version };
}

static void fill(const struct thing *thing, struct trace *trace)
{
    struct json_object *tree = prb_test_json("{'metadata':{'name':'%s','uid':'u','labels':{%s}}}",
            thing->name, thing->by_others ? "'" BY_OTHERS "':'somebody'" : "");
    struct prb_error err;

    *trace = (struct trace){ .sort = thing->sort, .made = at(thing->made ? thing->made : 1, 0) };
    (void)prb_copy(trace->ref.name, sizeof(trace->ref.name), thing->name);
    trace->begun = thing->begun ? at(thing->begun, 0) : trace->begun;
    trace->gone = thing->gone ? at(thing->gone, thing->gone_after) : trace->gone;
    TEST_ASSERT_EQUAL(0, prb_object_new(tree, &trace->newest, &err));
}

static void check_row(size_t row)
{
    struct trace traces[OBJECTS_MAX] = { 0 };
    const struct trace *list[OBJECTS_MAX];
    char why[512] = "";
    size_t count = 0;

    while (count < OBJECTS_MAX && rows[row].things[count].name) {
        fill(&rows[row].things[count], &traces[count]);
        list[count] = &traces[count];
        count++;
    }
    order_check(list, count, rows[row].flags, why, sizeof(why));
    for (size_t i = 0; i < count; i++)
        prb_object_unref(traces[i].newest);
    if (rows[row].why[0])
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, rows[row].why), rows[row].name);
    else
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", why, rows[row].name);
}

static void test_what_is_out_of_order_is_found(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        check_row(i);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_out_of_order_is_found);
    return UNITY_END();
}
