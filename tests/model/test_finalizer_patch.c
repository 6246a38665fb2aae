#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/object.h"
#include "probate/model/patch.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Object u1 at version 7 with these finalizers (JSON), or with none at all. */
static struct json_object *tree_of(const char *finalizers)
{
    if (!finalizers)
        return prb_test_json("{'metadata':{'name':'a','uid':'u1','resourceVersion':'7'}}");
    return prb_test_json("{'metadata':{'name':'a','uid':'u1','resourceVersion':'7',"
                         "'finalizers':%s}}",
            finalizers);
}

static struct prb_object *seen_with(const char *finalizers)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(tree_of(finalizers), &object, &err);
    return object;
}

typedef struct json_object *(*build_fn)(const struct prb_object *seen, const char *finalizer);

static const struct {
    const char *name;
    build_fn build;
    const char *seen;
    const char *after; /* finalizers as JSON; NULL: no list; "none": no patch is needed */
} cases[] = {
    { "add to no list", prb_patch_add_finalizer, NULL, "['x']" },
    { "add to an empty list", prb_patch_add_finalizer, "[]", "['x']" },
    { "add to others", prb_patch_add_finalizer, "['a','b']", "['a','b','x']" },
    { "add what is there", prb_patch_add_finalizer, "['a','x']", "none" },
    { "add where the list is nonsense", prb_patch_add_finalizer, "'no list'", "['x']" },
    { "remove the only one", prb_patch_remove_finalizer, "['x']", NULL },
    { "remove the first", prb_patch_remove_finalizer, "['x','a']", "['a']" },
    { "remove one in the middle", prb_patch_remove_finalizer, "['a','x','b']", "['a','b']" },
    { "remove it twice over", prb_patch_remove_finalizer, "['x','a','x']", "['a']" },
    { "remove what is not there", prb_patch_remove_finalizer, "['a']", "none" },
    { "remove from no list", prb_patch_remove_finalizer, NULL, "none" },
};

#define CASE_COUNT (sizeof(cases) / sizeof(cases[0]))

static void test_a_finalizer_comes_or_goes_and_the_others_stay(void)
{
    for (size_t i = 0; i < CASE_COUNT; i++) {
        prb_auto(prb_object_unref) struct prb_object *seen = seen_with(cases[i].seen);
        prb_auto(prb_json_free) struct json_object *patch = cases[i].build(seen, "x");
        prb_auto(prb_json_free) struct json_object *result = NULL, *wanted = NULL;
        struct prb_error err;

        if (cases[i].after && cases[i].after[0] == 'n') {
            TEST_ASSERT_NULL_MESSAGE(patch, cases[i].name);
            continue;
        }
        wanted = tree_of(cases[i].after);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_json_patch(prb_object_tree(seen), patch, &result, &err), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(wanted, result), cases[i].name);
    }
}

/* What may have happened to the object between the look and the patch. */
static struct json_object *change_uid(struct json_object *tree)
{
    prb_json_set_str(prb_json_obj(tree, "metadata"), "uid", "u2");
    return tree;
}

static struct json_object *change_list(struct json_object *tree)
{
    struct json_object *metadata = prb_json_obj(tree, "metadata");

    prb_json_set_str(metadata, "resourceVersion", "8");
    prb_json_set(metadata, "finalizers", prb_test_json("['someone/else']"));
    return tree;
}

static struct json_object *lose_uid(struct json_object *tree)
{
    prb_json_del(prb_json_obj(tree, "metadata"), "uid");
    return tree;
}

static void test_a_patch_fails_on_anything_but_what_was_seen(void)
{
    static struct json_object *(*const changes[])(
            struct json_object * tree) = { change_uid, change_list, lose_uid };

    for (size_t i = 0; i < CASE_COUNT; i++) {
        prb_auto(prb_object_unref) struct prb_object *seen = seen_with(cases[i].seen);
        prb_auto(prb_json_free) struct json_object *patch = cases[i].build(seen, "x");

        for (size_t j = 0; patch && j < sizeof(changes) / sizeof(changes[0]); j++) {
            prb_auto(prb_json_free) struct json_object *now = changes[j](prb_object_copy(seen));
            struct json_object *result = NULL;
            struct prb_error err;

            TEST_ASSERT_EQUAL_INT_MESSAGE(
                    PRB_E_CONFLICT, prb_json_patch(now, patch, &result, &err), cases[i].name);
        }
    }
}

static void test_what_was_seen_without_a_uid_is_never_patched(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct json_object *result = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(
            0, prb_object_new(
                       prb_test_json("{'metadata':{'name':'a','finalizers':['x']}}"), &seen, &err));
    patch = prb_patch_remove_finalizer(seen, "x");
    TEST_ASSERT_EQUAL_INT(
            PRB_E_CONFLICT, prb_json_patch(prb_object_tree(seen), patch, &result, &err));
}

static void test_the_guards_are_sent_as_written_here(void)
{
    prb_auto(prb_object_unref) struct prb_object *bare = seen_with(NULL);
    prb_auto(prb_json_free) struct json_object *patch = prb_patch_add_finalizer(bare, "x");
    prb_autofree char *text = prb_json_text(patch, false);

    TEST_ASSERT_EQUAL_STRING(
            "[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u1\"},"
            "{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"},"
            "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"x\"]}]",
            text);
}

static void test_a_remove_operation_has_no_value(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = seen_with("['x']");
    prb_auto(prb_json_free) struct json_object *patch = prb_patch_remove_finalizer(seen, "x");
    prb_autofree char *text = prb_json_text(prb_json_elem(patch, 2), false);

    TEST_ASSERT_EQUAL_STRING("{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}", text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_finalizer_comes_or_goes_and_the_others_stay);
    RUN_TEST(test_a_patch_fails_on_anything_but_what_was_seen);
    RUN_TEST(test_what_was_seen_without_a_uid_is_never_patched);
    RUN_TEST(test_the_guards_are_sent_as_written_here);
    RUN_TEST(test_a_remove_operation_has_no_value);
    return UNITY_END();
}
