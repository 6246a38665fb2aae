/* Questions of every type on a real API server. */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/asker.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../kube/place.h"
#include "support/json_text.h"
#include "support/wait.h"

#define PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

static struct prb_test_place place;
static struct prb_questions questions;
static struct prb_error err;

void setUp(void)
{
    prb_questions_init(&questions);
}

void tearDown(void)
{
    prb_questions_done(&questions);
}

static const struct prb_question *ask(void)
{
    const struct prb_clock *clock = prb_clock_system();

    prb_ask_all(place.api, clock, clock->mono_ms(clock) + PATIENCE_MS, &questions);
    return &questions.items[questions.count - 1];
}

static const struct prb_question *ask_named(
        const char *group, const char *resource, const char *namespace, const char *name)
{
    prb_questions_done(&questions);
    prb_ask_named(&questions, group, resource, namespace, name);
    return ask();
}

static const struct prb_question *ask_finalizer(
        const char *group, const char *resource, const char *finalizer)
{
    prb_questions_done(&questions);
    prb_ask_finalizer(&questions, group, resource, finalizer);
    return ask();
}

static void test_objects_are_found_by_any_name_of_their_kind(void)
{
    static const char *const names[] = { "configmaps", "configmap", "ConfigMap", "cm", "CM" };

    TEST_ASSERT_EQUAL(0, prb_test_place_add(&place, "there", "v", NULL, NULL, &err));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct prb_question *answer = ask_named("", names[i], place.namespace, "there");

        TEST_ASSERT_EQUAL_MESSAGE(PRB_PRESENT, answer->state, answer->error.msg);
        TEST_ASSERT_EQUAL_STRING("configmaps", answer->resource);
        answer = ask_named("", names[i], place.namespace, "gone");
        TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, names[i]);
        TEST_ASSERT_EQUAL_STRING("NotFound", answer->error.reason);
    }
}

static void test_absence_in_the_wrong_scope_is_not_believed(void)
{
    const struct prb_question *answer = ask_named("", "ConfigMap", "", "there");

    TEST_ASSERT_EQUAL(PRB_UNKNOWN, answer->state);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, answer->error.code);
    answer = ask_named("", "namespaces", place.namespace, place.namespace);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, answer->state);
    answer = ask_named("", "namespaces", "", place.namespace);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_PRESENT, answer->state, answer->error.msg);
}

static void test_what_the_core_group_does_not_have_is_unknown(void)
{
    const struct prb_question *answer = ask_named("", "nosuchthings", "ns", "x");

    TEST_ASSERT_EQUAL(PRB_UNKNOWN, answer->state);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, answer->error.code);
}

static void test_what_is_not_served_is_absent(void)
{
    struct prb_gvr gvr;
    const struct prb_question *answer = ask_named("apps", "nosuchthings", "ns", "x");

    TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
    answer = ask_finalizer("no.such.group", "things", "a/b");
    TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);

    (void)prb_gvr_init(&gvr, "no.such.group", "v1", "things");
    prb_ask_list(&questions, &gvr);
    answer = ask();
    TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
}

static int patch_finalizers(const char *name, const char *list)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'metadata':{'finalizers':%s}}", list);
    struct prb_ref ref = prb_test_place_ref(&place, name);

    return prb_api_patch(place.api, &ref, PRB_PATCH_MERGE, body, NULL, NULL, &err);
}

static void test_who_has_a_finalizer_is_found_among_all(void)
{
    prb_autofree char *finalizer = prb_asprintf("probate.dev/%s", place.namespace);
    prb_autofree char *list = prb_asprintf("['%s']", finalizer);
    const struct prb_question *answer;

    TEST_ASSERT_EQUAL(0, prb_test_place_add(&place, "held", "v", NULL, NULL, &err));
    TEST_ASSERT_EQUAL_MESSAGE(0, patch_finalizers("held", list), err.msg);
    answer = ask_finalizer("", "ConfigMap", finalizer);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_PRESENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL_size_t(1, answer->holders.count);
    TEST_ASSERT_EQUAL_STRING("held", answer->holders.items[0].name);
    TEST_ASSERT_EQUAL_STRING(place.namespace, answer->holders.items[0].namespace);
    TEST_ASSERT_FALSE(answer->holders.more);
    TEST_ASSERT_EQUAL_MESSAGE(0, patch_finalizers("held", "[]"), err.msg);
    answer = ask_finalizer("", "ConfigMap", finalizer);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL_STRING("configmaps", answer->resource);
}

/* ---- a kind that comes and goes ---- */

static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
static char crd_group[PRB_GROUP_SIZE];
static struct prb_ref crd;

static int define(void)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'metadata':{'name':'cools.%s'},'spec':{'group':'%s','scope':'Namespaced','names':{"
            "'plural':'cools','kind':'Cool'},'versions':[{'name':'v1','served':true,'storage':true,"
            "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}",
            crd_group, crd_group);

    return prb_api_create(place.api, &crd, body, NULL, NULL, &err);
}

static int undefine(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_delete_options options = { 0 };
    int r = prb_api_get(place.api, &crd, NULL, &object, &err);

    if (r < 0)
        return r;
    options.uid = prb_object_uid(object);
    return prb_api_delete(place.api, &crd, &options, &err);
}

/* Is it served, and has nobody the finalizer? What is in between is unknown. */
static bool is_served(void *ctx)
{
    const struct prb_question *answer = ask_finalizer(crd_group, "Cool", "a/b");

    (void)ctx;
    return answer->state == PRB_ABSENT && prb_streq(answer->resource, "cools");
}

static bool is_gone(void *ctx)
{
    const struct prb_question *answer = ask_finalizer(crd_group, "Cool", "a/b");

    (void)ctx;
    return answer->state == PRB_ABSENT && prb_streq(answer->error.reason, "NotServed");
}

static void test_a_kind_that_goes_is_not_served_however_well_it_was_known(void)
{
    prb_autofree char *name = NULL;

    (void)snprintf(crd_group, sizeof(crd_group), "%s.probate.test", place.namespace);
    name = prb_asprintf("cools.%s", crd_group);
    (void)prb_ref_init(&crd, &crds, NULL, name);
    TEST_ASSERT_TRUE(is_gone(NULL));
    TEST_ASSERT_EQUAL_MESSAGE(0, define(), err.msg);
    TEST_ASSERT_AWAIT("the kind is served", is_served, NULL);
    TEST_ASSERT_EQUAL_MESSAGE(0, undefine(), err.msg);
    TEST_ASSERT_AWAIT("the kind is gone", is_gone, NULL);
    TEST_ASSERT_EQUAL_MESSAGE(0, define(), err.msg);
    TEST_ASSERT_AWAIT("the kind is served once more", is_served, NULL);
    TEST_ASSERT_EQUAL_MESSAGE(0, undefine(), err.msg);
}

static void test_a_collection_is_read_with_its_bodies(void)
{
    const struct prb_question *answer;

    prb_ask_list(&questions, &crds);
    answer = ask();
    TEST_ASSERT_EQUAL_MESSAGE(PRB_PRESENT, answer->state, answer->error.msg);
    for (size_t i = 0; i < answer->object_count; i++)
        TEST_ASSERT_NOT_NULL(prb_object_spec(answer->objects[i]));
}

static enum prb_answer_state ask_access(const char *group, const char *extra)
{
    struct prb_ref ref = prb_test_place_ref(&place, "there");
    char **groups = prb_calloc(2, sizeof(char *));
    prb_auto(prb_subject_unref) struct prb_subject *subject = NULL;
    struct prb_request request = { .operation = PRB_DELETE };

    groups[0] = prb_strdup(group);
    subject = prb_subject_new(prb_strdup("bob"), prb_strdup("u-1"), groups, prb_strdup(extra));
    request.subject = subject;
    prb_questions_done(&questions);
    prb_ask_access(&questions, &request, "delete", &ref);
    return ask()->state;
}

static void test_access_is_what_the_authorizer_says(void)
{
    static const char extra[] = "{\"scopes.x.io/a\":[\"b\",\"c\"]}";

    TEST_ASSERT_EQUAL(PRB_ABSENT, ask_access("nobodies", NULL));
    TEST_ASSERT_EQUAL(PRB_PRESENT, ask_access("system:masters", NULL));
    TEST_ASSERT_EQUAL(PRB_ABSENT, ask_access("nobodies", extra));
    TEST_ASSERT_EQUAL(PRB_PRESENT, ask_access("system:masters", extra));
}

int main(void)
{
    int failures;

    if (!prb_test_place_open(&place))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_objects_are_found_by_any_name_of_their_kind);
    RUN_TEST(test_absence_in_the_wrong_scope_is_not_believed);
    RUN_TEST(test_what_the_core_group_does_not_have_is_unknown);
    RUN_TEST(test_what_is_not_served_is_absent);
    RUN_TEST(test_who_has_a_finalizer_is_found_among_all);
    RUN_TEST(test_a_kind_that_goes_is_not_served_however_well_it_was_known);
    RUN_TEST(test_a_collection_is_read_with_its_bodies);
    RUN_TEST(test_access_is_what_the_authorizer_says);
    failures = UNITY_END();
    prb_test_place_close(&place);
    return failures;
}
