#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/object.h"
#include "probate/model/patch.h"

#include "support/death.h"
#include "support/json_text.h"

#define OURS "{'apiVersion':'work.io/v1','kind':'Work','name':'w','uid':'w1'}"
#define OURS_IN_V2 "{'apiVersion':'work.io/v2','kind':'Work','name':'w','uid':'w1'}"
#define OURS_BLOCKING                                                 \
    "{'apiVersion':'work.io/v1','kind':'Work','name':'w','uid':'w1'," \
    "'blockOwnerDeletion':true}"
#define BEFORE "{'apiVersion':'work.io/v1','kind':'Work','name':'w','uid':'w0'}"
#define BEFORE_IN_V2 "{'apiVersion':'work.io/v2','kind':'Work','name':'w','uid':'w0'}"
#define RENAMED "{'apiVersion':'work.io/v1','kind':'Work','name':'v','uid':'w1'}"
#define OTHER_NAME "{'apiVersion':'work.io/v1','kind':'Work','name':'x','uid':'x1'}"
#define OTHER_KIND "{'apiVersion':'work.io/v1','kind':'Job','name':'w','uid':'j1'}"
#define OTHER_GROUP "{'apiVersion':'play.io/v1','kind':'Work','name':'w','uid':'p1'}"
#define CORE_GROUP "{'apiVersion':'v1','kind':'Work','name':'w','uid':'c1'}"
#define CONTROLLER                                                                         \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r','uid':'r1','controller':true," \
    "'blockOwnerDeletion':true}"

static const struct prb_owner owner = {
    .api_version = "work.io/v1", .kind = "Work", .name = "w", .uid = "w1"
};

void setUp(void)
{
}

void tearDown(void)
{
}

/* Object u1 at version 7 with these owners (JSON), or with none at all. */
static struct json_object *tree_of(const char *owners)
{
    if (!owners)
        return prb_test_json("{'metadata':{'name':'a','uid':'u1','resourceVersion':'7'}}");
    return prb_test_json("{'metadata':{'name':'a','uid':'u1','resourceVersion':'7',"
                         "'ownerReferences':%s}}",
            owners);
}

static struct prb_object *seen_with(const char *owners)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(tree_of(owners), &object, &err);
    return object;
}

typedef struct json_object *(*build_fn)(
        const struct prb_object *seen, const struct prb_owner *owner);

static const struct {
    const char *name;
    build_fn build;
    const char *seen;
    const char *after; /* owners as JSON; NULL: no list; "none": no patch is needed */
} cases[] = {
    { "add to no list", prb_patch_add_owner, NULL, "[" OURS "]" },
    { "add to an empty list", prb_patch_add_owner, "[]", "[" OURS "]" },
    { "add where the list is nonsense", prb_patch_add_owner, "'no list'", "[" OURS "]" },
    { "add to others", prb_patch_add_owner, "[" OTHER_NAME "," CONTROLLER "]",
            "[" OTHER_NAME "," CONTROLLER "," OURS "]" },
    { "add beside what has the kind and name in other groups", prb_patch_add_owner,
            "[" OTHER_GROUP "," CORE_GROUP "," OTHER_KIND "]",
            "[" OTHER_GROUP "," CORE_GROUP "," OTHER_KIND "," OURS "]" },
    { "add what is there", prb_patch_add_owner, "[" CONTROLLER "," OURS "]", "none" },
    { "add what is there in another version", prb_patch_add_owner, "[" OURS_IN_V2 "]", "none" },
    { "add what is there and blocks", prb_patch_add_owner, "[" OURS_BLOCKING "]", "none" },
    { "add over an earlier life", prb_patch_add_owner, "[" BEFORE "," CONTROLLER "]",
            "[" CONTROLLER "," OURS "]" },
    { "add over an earlier life in another version", prb_patch_add_owner, "[" BEFORE_IN_V2 "]",
            "[" OURS "]" },
    { "add beside which an earlier life is left", prb_patch_add_owner,
            "[" OURS "," OTHER_NAME "," BEFORE "]", "[" OURS "," OTHER_NAME "]" },
    { "add where our uid has another name", prb_patch_add_owner, "[" RENAMED "]", "[" OURS "]" },
    { "add beside what is no reference", prb_patch_add_owner, "[7,{}]", "[7,{}," OURS "]" },
    { "remove the only one", prb_patch_remove_owner, "[" OURS "]", NULL },
    { "remove it in another version", prb_patch_remove_owner, "[" OURS_IN_V2 "]", NULL },
    { "remove one in the middle", prb_patch_remove_owner,
            "[" OTHER_NAME "," OURS "," CONTROLLER "]", "[" OTHER_NAME "," CONTROLLER "]" },
    { "remove it with its earlier life", prb_patch_remove_owner,
            "[" BEFORE "," CONTROLLER "," OURS "]", "[" CONTROLLER "]" },
    { "remove only an earlier life", prb_patch_remove_owner, "[" BEFORE "]", NULL },
    { "remove what is not there", prb_patch_remove_owner,
            "[" OTHER_NAME "," OTHER_KIND "," OTHER_GROUP "]", "none" },
    { "remove from an empty list", prb_patch_remove_owner, "[]", "none" },
    { "remove from no list", prb_patch_remove_owner, NULL, "none" },
};

#define CASE_COUNT (sizeof(cases) / sizeof(cases[0]))

static void test_an_owner_comes_or_goes_and_the_others_stay(void)
{
    for (size_t i = 0; i < CASE_COUNT; i++) {
        prb_auto(prb_object_unref) struct prb_object *seen = seen_with(cases[i].seen);
        prb_auto(prb_json_free) struct json_object *patch = cases[i].build(seen, &owner);
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
static void change_uid(struct json_object *metadata)
{
    prb_json_set_str(metadata, "uid", "u2");
}

static void change_list(struct json_object *metadata)
{
    prb_json_set_str(metadata, "resourceVersion", "8");
    prb_json_set(metadata, "ownerReferences", prb_test_json("[" OTHER_KIND "]"));
}

static void lose_uid(struct json_object *metadata)
{
    prb_json_del(metadata, "uid");
}

static void test_a_patch_fails_on_anything_but_what_was_seen(void)
{
    static void (*const changes[])(
            struct json_object * metadata) = { change_uid, change_list, lose_uid };

    for (size_t i = 0; i < CASE_COUNT; i++) {
        prb_auto(prb_object_unref) struct prb_object *seen = seen_with(cases[i].seen);
        prb_auto(prb_json_free) struct json_object *patch = cases[i].build(seen, &owner);

        for (size_t j = 0; patch && j < sizeof(changes) / sizeof(changes[0]); j++) {
            prb_auto(prb_json_free) struct json_object *now = prb_object_copy(seen);
            struct json_object *result = NULL;
            struct prb_error err;

            changes[j](prb_json_obj(now, "metadata"));
            TEST_ASSERT_EQUAL_INT_MESSAGE(
                    PRB_E_CONFLICT, prb_json_patch(now, patch, &result, &err), cases[i].name);
        }
    }
}

static void test_a_change_elsewhere_in_the_object_is_no_conflict(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = seen_with("[" CONTROLLER "]");
    prb_auto(prb_json_free) struct json_object *patch = prb_patch_add_owner(seen, &owner);
    prb_auto(prb_json_free) struct json_object *now = prb_object_copy(seen), *result = NULL;
    struct prb_error err;

    prb_json_set_str(prb_json_obj(now, "metadata"), "resourceVersion", "8");
    prb_json_set_str(now, "status", "busy");
    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(now, patch, &result, &err));
}

static void test_what_a_reference_says_of_its_owner_is_sent(void)
{
    struct prb_owner controller = owner;
    prb_auto(prb_object_unref) struct prb_object *seen = seen_with(NULL);
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    prb_autofree char *text = NULL;

    controller.controller = true;
    controller.block_owner_deletion = true;
    patch = prb_patch_add_owner(seen, &controller);
    text = prb_json_text(patch, false);
    TEST_ASSERT_EQUAL_STRING("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u1\"},"
                             "{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\","
                             "\"value\":\"7\"},"
                             "{\"op\":\"add\",\"path\":\"/metadata/ownerReferences\",\"value\":["
                             "{\"apiVersion\":\"work.io/v1\",\"kind\":\"Work\",\"name\":\"w\","
                             "\"uid\":\"w1\",\"controller\":true,\"blockOwnerDeletion\":true}]}]",
            text);
}

static void remove_nobody(void *ctx)
{
    const struct prb_owner nobody = { .api_version = "", .kind = "", .name = "", .uid = "" };

    prb_json_free(prb_patch_remove_owner(ctx, &nobody));
}

static void test_an_owner_without_a_uid_ends_the_process(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = seen_with("[{}]");
    char words[256];

    TEST_ASSERT_TRUE(prb_test_aborts(remove_nobody, seen, words, sizeof(words)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(words, "without a uid"), words);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_owner_comes_or_goes_and_the_others_stay);
    RUN_TEST(test_a_patch_fails_on_anything_but_what_was_seen);
    RUN_TEST(test_a_change_elsewhere_in_the_object_is_no_conflict);
    RUN_TEST(test_what_a_reference_says_of_its_owner_is_sent);
    RUN_TEST(test_an_owner_without_a_uid_ends_the_process);
    return UNITY_END();
}
