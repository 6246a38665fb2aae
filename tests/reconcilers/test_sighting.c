/* Is an object that was seen still known to be the same, and one that changed not? */

#include <string.h>
#include <unity.h>

#include "probate/base/yaml.h"

#include "../../src/reconcilers/sighting.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_object *make(const char *yaml)
{
    struct json_object *tree = NULL;
    struct prb_object *object = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_MESSAGE(0, prb_yaml_parse(yaml, strlen(yaml), &tree, &err), err.msg);
    TEST_ASSERT_EQUAL(0, prb_object_new(tree, &object, &err));
    return object;
}

#define SEEN(uid, version, generation, more)                                                     \
    "{metadata: {name: a, uid: " uid ", resourceVersion: '" version "', generation: " generation \
    ", labels: {a: b}" more "}, spec: {x: 1}}"

static const struct {
    const char *name, *seen, *now;
    bool status_counts, holds;
} cases[] = {
    { "the same version", SEEN("u1", "1", "0", ""), SEEN("u1", "1", "0", ""), true, true },
    { "another version", SEEN("u1", "1", "0", ""), SEEN("u1", "2", "0", ""), false, false },
    { "another object", SEEN("u1", "1", "3", ""), SEEN("u2", "1", "3", ""), false, false },
    { "only its status", SEEN("u1", "1", "3", ""), SEEN("u1", "2", "3", ""), false, true },
    { "only its status, which counts", SEEN("u1", "1", "3", ""), SEEN("u1", "2", "3", ""), true,
            false },
    { "another generation", SEEN("u1", "1", "3", ""), SEEN("u1", "2", "4", ""), false, false },
    { "its metadata", SEEN("u1", "1", "3", ""), SEEN("u1", "2", "3", ", annotations: {c: d}"),
            false, false },
    { "its deletion", SEEN("u1", "1", "3", ""),
            SEEN("u1", "2", "3", ", deletionTimestamp: '2026-01-01T00:00:00Z'"), false, false },
    { "a kind that may not count", SEEN("u1", "1", "1", ""), SEEN("u1", "2", "1", ""), false,
            false },
};

static void test_what_was_seen_holds_as_long_as_nothing_changed(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *seen = make(cases[i].seen);
        prb_auto(prb_object_unref) struct prb_object *now = make(cases[i].now);
        prb_auto(prb_json_free) struct json_object *note = prb_sighting_note(seen);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].holds,
                prb_sighting_holds(note, now, cases[i].status_counts), cases[i].name);
        TEST_ASSERT_FALSE_MESSAGE(prb_sighting_holds(note, NULL, false), cases[i].name);
    }
}

static void test_content_is_all_but_the_status_and_what_servers_say(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen =
            make("{metadata: {name: a, uid: u1, resourceVersion: '1'}, spec: {x: 1}}");
    prb_auto(prb_object_unref) struct prb_object *same = make(
            "{metadata: {name: a, uid: u1, resourceVersion: '9', finalizers: [x/y]}, spec: {x: "
            "1}, status: {ready: 1}}");
    prb_auto(prb_object_unref) struct prb_object *other =
            make("{metadata: {name: a, uid: u1, resourceVersion: '9'}, spec: {x: 2}}");
    prb_auto(prb_object_unref) struct prb_object *another =
            make("{metadata: {name: a, uid: u2, resourceVersion: '9'}, spec: {x: 1}}");
    prb_auto(prb_json_free) struct json_object *note = prb_sighting_note(seen);

    TEST_ASSERT_TRUE(prb_sighting_has_content(note, same));
    TEST_ASSERT_FALSE(prb_sighting_has_content(note, other));
    TEST_ASSERT_FALSE(prb_sighting_has_content(note, another));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_was_seen_holds_as_long_as_nothing_changed);
    RUN_TEST(test_content_is_all_but_the_status_and_what_servers_say);
    return UNITY_END();
}
