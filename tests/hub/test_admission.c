/* Is every write judged before it is stored, and only what was judged stored? */

#include <pthread.h>
#include <string.h>

#include "world.h"

#define MAPS "configmaps"

/* What the callback is to do, and what it saw. */
static struct {
    const char *refuse_operation; /* NULL: nothing */
    const char *refuse_name;
    int calls;
    char last[512];          /* "UPDATE configmaps/status ns/a new old dry" */
    char user[128];          /* who wrote it */
    void (*meanwhile)(void); /* called once, within the callback */
} judge;

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    void (*meanwhile)(void) = judge.meanwhile;

    (void)ctx;
    judge.calls++;
    judge.meanwhile = NULL;
    (void)snprintf(judge.last, sizeof(judge.last), "%s %s/%s %s/%s%s%s%s", write->operation,
            write->resource->gvr.resource, write->subresource, write->namespace, write->name,
            write->object ? " new" : "", write->old ? " old" : "", write->dry_run ? " dry" : "");
    (void)snprintf(judge.user, sizeof(judge.user), "%s", write->user);
    if (meanwhile)
        meanwhile();
    if (judge.refuse_operation && strcmp(judge.refuse_operation, write->operation) == 0 &&
            strcmp(judge.refuse_name, write->name) == 0)
        return prb_fail(err, PRB_E_FORBIDDEN, "%s is protected", write->name);
    return 0;
}

void setUp(void)
{
    world_init(NULL);
    memset(&judge, 0, sizeof(judge));
    prb_hub_set_admission(w.hub, admit, NULL);
}

void tearDown(void)
{
    world_done();
}

static void refuse(const char *operation, const char *name)
{
    judge.refuse_operation = operation;
    judge.refuse_name = name;
}

static int map(const char *name, const char *more)
{
    return create(MAPS, "{'metadata':{'namespace':'ns','name':'%s'%s}}", name, more);
}

static void test_each_write_is_judged_with_both_states(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a", ",'finalizers':['x.io/f']"));
    TEST_ASSERT_EQUAL_STRING("CREATE configmaps/ ns/a new", judge.last);
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_STRING("UPDATE configmaps/ ns/a new old", judge.last);
    TEST_ASSERT_EQUAL_INT(0, merge("namespaces", "ns", "status", "{'status':{'x':1}}"));
    TEST_ASSERT_EQUAL_STRING("UPDATE namespaces/status /ns new old", judge.last);
    w.dry_run = true;
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'w'}}"));
    TEST_ASSERT_EQUAL_STRING("UPDATE configmaps/ ns/a new old dry", judge.last);
    w.dry_run = false;
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("DELETE configmaps/ ns/a old", judge.last);
}

static void test_a_refusal_is_the_callers_error_and_nothing_is_stored(void)
{
    refuse("CREATE", "a");
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, map("a", ""));
    TEST_ASSERT_EQUAL_STRING("a is protected", w.err.msg);
    TEST_ASSERT_FALSE(has(MAPS, "ns/a"));
    refuse("UPDATE", "a");
    TEST_ASSERT_EQUAL_INT(0, map("a", ""));
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_STRING("-", text_at(MAPS, "ns/a", "/data"));
    refuse("DELETE", "a");
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, erase(MAPS, "ns/a"));
    TEST_ASSERT_TRUE(has(MAPS, "ns/a"));
}

static void test_what_fails_before_admission_is_not_judged(void)
{
    int calls = judge.calls;

    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, erase(MAPS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, map("A_b", ""));
    TEST_ASSERT_EQUAL_INT(calls, judge.calls);
}

/* From within the callback, as another client would. */
static void change_it(void)
{
    struct prb_ref ref = ref_of(MAPS, "ns/a");
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_error err;

    prb_json_set_str(prb_json_ensure_obj(patch, "data"), "other", "v");
    (void)prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
}

static void create_it(void)
{
    struct prb_ref ref = ref_of(MAPS, "ns/a");
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct prb_error err;

    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", "a");
    (void)prb_api_create(w.api, &ref, body, NULL, NULL, &err);
}

static void delete_namespace(void)
{
    struct prb_ref ref = ref_of("namespaces", "ns");
    struct prb_delete_options options = { .uid = uid_of("namespaces", "ns") };
    struct prb_error err;

    (void)prb_api_delete(w.api, &ref, &options, &err);
}

static void test_what_changed_meanwhile_is_judged_again(void)
{
    int calls;

    TEST_ASSERT_EQUAL_INT(0, map("a", ""));
    calls = judge.calls;
    judge.meanwhile = change_it;
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(calls + 3, judge.calls); /* this one, the other one, this one again */
    TEST_ASSERT_EQUAL_STRING("{\"k\":\"v\",\"other\":\"v\"}", text_at(MAPS, "ns/a", "/data"));
}

static void test_a_name_taken_meanwhile_is_taken(void)
{
    judge.meanwhile = create_it;
    TEST_ASSERT_EQUAL_INT(PRB_E_EXISTS, map("a", ""));
}

static void test_a_namespace_that_went_meanwhile_is_gone(void)
{
    judge.meanwhile = delete_namespace;
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, map("a", ""));
    TEST_ASSERT_FALSE(has("namespaces", "ns"));
}

/* Changes the object each time it is judged. */
static void change_and_stay(void)
{
    static int round;
    struct prb_ref ref = ref_of(MAPS, "ns/a");
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    char text[16];
    struct prb_error err;

    (void)snprintf(text, sizeof(text), "%d", round++);
    prb_json_set_str(prb_json_ensure_obj(patch, "data"), "other", text);
    (void)prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
    judge.meanwhile = change_and_stay;
}

static void test_a_write_that_always_loses_gives_up(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a", ""));
    judge.meanwhile = change_and_stay;
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "while admission judged"));
}

static void test_a_controller_writes_as_itself(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", ""));
    TEST_ASSERT_EQUAL_STRING("kubernetes-admin", judge.user);
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'d','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/o", true)));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/o"));
    TEST_ASSERT_EQUAL_STRING("DELETE configmaps/ ns/d old", judge.last);
    TEST_ASSERT_EQUAL_STRING(
            "system:serviceaccount:kube-system:generic-garbage-collector", judge.user);
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "ns"));
    TEST_ASSERT_EQUAL_STRING("UPDATE namespaces/finalize /ns new old", judge.last);
    TEST_ASSERT_EQUAL_STRING("system:serviceaccount:kube-system:namespace-controller", judge.user);
}

static void test_a_port_has_a_user(void)
{
    w.api = prb_hub_api_as(w.hub, "jane");
    TEST_ASSERT_EQUAL_INT(0, map("a", ""));
    TEST_ASSERT_EQUAL_STRING("jane", judge.user);
}

static int say_yes(void *ctx, const struct prb_access_question *question, enum prb_access *ret,
        struct prb_error *err)
{
    (void)err;
    *ret = strcmp(question->user, ctx) == 0 ? PRB_ACCESS_ALLOWED : PRB_ACCESS_DENIED;
    return 0;
}

static void test_who_may_what_is_unknown_until_somebody_answers(void)
{
    const struct prb_access_question jane = { .user = "jane", .verb = "override" };
    const struct prb_access_question joe = { .user = "joe", .verb = "override" };
    static char name[] = "jane";
    enum prb_access answer;

    TEST_ASSERT_EQUAL_INT(PRB_E_UNSUPPORTED, prb_api_may(w.api, &jane, &answer, &w.err));
    prb_hub_set_access(w.hub, say_yes, name);
    TEST_ASSERT_EQUAL_INT(0, prb_api_may(w.api, &jane, &answer, &w.err));
    TEST_ASSERT_EQUAL_INT(PRB_ACCESS_ALLOWED, answer);
    TEST_ASSERT_EQUAL_INT(0, prb_api_may(w.api, &joe, &answer, &w.err));
    TEST_ASSERT_EQUAL_INT(PRB_ACCESS_DENIED, answer);
}

static void test_what_is_loaded_is_not_judged(void)
{
    int calls = judge.calls;

    refuse("CREATE", "a");
    TEST_ASSERT_EQUAL_INT(0, load("apiVersion: v1\nkind: ConfigMap\n"
                                  "metadata: {namespace: ns, name: a}\n"));
    TEST_ASSERT_EQUAL_INT(calls, judge.calls);
}

/* What the collector wanted to delete changes while that is judged, in a way it is not told of. */
static void change_d(void)
{
    struct prb_ref ref = ref_of(MAPS, "ns/d");
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_error err;

    prb_json_set_str(prb_json_ensure_obj(patch, "data"), "k", "v");
    (void)prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
}

/* Calls change_d when the collector's first DELETE is judged. */
static void wait_for_collector(void)
{
    judge.meanwhile = strstr(judge.last, "DELETE configmaps/ ns/d") ? NULL : wait_for_collector;
    if (!judge.meanwhile)
        change_d();
}

static void test_a_controller_that_is_overtaken_judges_again(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", ""));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'d','ownerReferences':[%s]}}",
                       owned_by(MAPS, "ConfigMap", "ns/o", true)));
    judge.meanwhile = wait_for_collector;
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/o"));
    TEST_ASSERT_NULL(judge.meanwhile);
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_write_is_judged_with_both_states);
    RUN_TEST(test_a_refusal_is_the_callers_error_and_nothing_is_stored);
    RUN_TEST(test_what_fails_before_admission_is_not_judged);
    RUN_TEST(test_what_changed_meanwhile_is_judged_again);
    RUN_TEST(test_a_name_taken_meanwhile_is_taken);
    RUN_TEST(test_a_namespace_that_went_meanwhile_is_gone);
    RUN_TEST(test_a_write_that_always_loses_gives_up);
    RUN_TEST(test_a_controller_writes_as_itself);
    RUN_TEST(test_a_port_has_a_user);
    RUN_TEST(test_who_may_what_is_unknown_until_somebody_answers);
    RUN_TEST(test_what_is_loaded_is_not_judged);
    RUN_TEST(test_a_controller_that_is_overtaken_judges_again);
    return UNITY_END();
}
