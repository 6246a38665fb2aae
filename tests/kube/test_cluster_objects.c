#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "has.h"
#include "place.h"
#include "support/json_text.h"

static struct prb_test_place place;
static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ .code = PRB_OK };
}

void tearDown(void)
{
}

#define ASSERT_DONE(call) TEST_ASSERT_EQUAL_MESSAGE(PRB_OK, (call), err.msg)
#define ASSERT_REFUSED(code, call) TEST_ASSERT_EQUAL_MESSAGE((code), (call), err.msg)

static int patch(const struct prb_ref *ref, enum prb_patch_type type, const char *body,
        const struct prb_write_options *options, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_test_json("%s", body);

    return prb_api_patch(place.api, ref, type, tree, options, ret, &err);
}

static const char *data(const struct prb_object *object, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_tree(object), "data"), key);
}

static void test_an_object_is_created_read_replaced_and_deleted(void)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL, *read = NULL, *replaced = NULL;
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_ref ref = prb_test_place_ref(&place, "life");
    struct prb_delete_options deleting = { .uid = "another" };

    ASSERT_DONE(prb_test_place_add(&place, "life", "1", NULL, &made, &err));
    ASSERT_REFUSED(PRB_E_EXISTS, prb_test_place_add(&place, "life", "1", NULL, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("AlreadyExists", err.reason);
    ASSERT_DONE(prb_api_get(place.api, &ref, NULL, &read, &err));
    TEST_ASSERT_EQUAL_STRING(prb_object_uid(made), prb_object_uid(read));
    TEST_ASSERT_EQUAL_STRING("1", data(read, "k"));

    body = prb_object_copy(read);
    prb_json_set_str(prb_json_obj(body, "data"), "k", "2");
    ASSERT_DONE(prb_api_update(place.api, &ref, body, NULL, &replaced, &err));
    TEST_ASSERT_EQUAL_STRING("2", data(replaced, "k"));
    ASSERT_REFUSED(PRB_E_CONFLICT, prb_api_update(place.api, &ref, body, NULL, NULL, &err));
    TEST_ASSERT_EQUAL(409, err.status);

    ASSERT_REFUSED(PRB_E_CONFLICT, prb_api_delete(place.api, &ref, &deleting, &err));
    deleting.uid = prb_object_uid(made);
    deleting.resource_version = prb_object_resource_version(made);
    ASSERT_REFUSED(PRB_E_CONFLICT, prb_api_delete(place.api, &ref, &deleting, &err));
    deleting.resource_version = NULL;
    ASSERT_DONE(prb_api_delete(place.api, &ref, &deleting, &err));
    ASSERT_REFUSED(PRB_E_NOTFOUND, prb_api_get(place.api, &ref, NULL, &read, &err));
    TEST_ASSERT_EQUAL_STRING("NotFound", err.reason);
    TEST_ASSERT_EQUAL_STRING("configmaps \"life\" not found", err.msg);
}

static void test_a_dry_run_changes_nothing(void)
{
    const struct prb_write_options dry = { .dry_run = true };
    prb_auto(prb_object_unref) struct prb_object *made = NULL, *patched = NULL, *read = NULL;
    struct prb_ref ref = prb_test_place_ref(&place, "dry");
    struct prb_delete_options deleting = { .dry_run = true };

    ASSERT_DONE(prb_test_place_add(&place, "dry", "1", NULL, &made, &err));
    ASSERT_DONE(patch(&ref, PRB_PATCH_MERGE, "{'data':{'k':'2'}}", &dry, &patched));
    TEST_ASSERT_EQUAL_STRING("2", data(patched, "k"));
    deleting.uid = prb_object_uid(made);
    ASSERT_DONE(prb_api_delete(place.api, &ref, &deleting, &err));
    ASSERT_DONE(prb_api_get(place.api, &ref, NULL, &read, &err));
    TEST_ASSERT_EQUAL_STRING("1", data(read, "k"));
    TEST_ASSERT_EQUAL_STRING(prb_object_resource_version(made), prb_object_resource_version(read));
}

static void test_every_type_of_patch(void)
{
    prb_auto(prb_object_unref) struct prb_object *merged = NULL, *jsoned = NULL, *applied = NULL;
    struct prb_ref ref = prb_test_place_ref(&place, "patched");

    ASSERT_DONE(prb_test_place_add(&place, "patched", "1", NULL, NULL, &err));
    ASSERT_DONE(patch(&ref, PRB_PATCH_MERGE, "{'data':{'k':null,'m':'1'}}", NULL, &merged));
    TEST_ASSERT_NULL(data(merged, "k"));
    TEST_ASSERT_EQUAL_STRING("1", data(merged, "m"));
    ASSERT_DONE(patch(&ref, PRB_PATCH_JSON,
            "[{'op':'test','path':'/data/m','value':'1'},{'op':'add','path':'/data/j','value':'2'}]",
            NULL, &jsoned));
    TEST_ASSERT_EQUAL_STRING("2", data(jsoned, "j"));
    ASSERT_DONE(patch(&ref, PRB_PATCH_APPLY,
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'patched'},'data':{'a':'3'}}",
            NULL, &applied));
    TEST_ASSERT_EQUAL_STRING("3", data(applied, "a"));
    TEST_ASSERT_EQUAL_STRING("2", data(applied, "j"));
}

static void test_apply_conflicts_unless_it_is_forced(void)
{
    const struct prb_write_options other = { .field_manager = "other" };
    const struct prb_write_options forced = { .field_manager = "other", .force = true };
    static const char body[] = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'owned'},"
                               "'data':{'k':'2'}}";
    struct prb_ref ref = prb_test_place_ref(&place, "owned");

    ASSERT_DONE(prb_test_place_add(&place, "owned", "1", NULL, NULL, &err));
    ASSERT_REFUSED(PRB_E_CONFLICT, patch(&ref, PRB_PATCH_APPLY, body, &other, NULL));
    ASSERT_HAS(err.msg, "conflict with \"probate\"");
    ASSERT_DONE(patch(&ref, PRB_PATCH_APPLY, body, &forced, NULL));
}

static void test_a_patch_for_another_version_is_a_conflict(void)
{
    static const struct {
        const char *name;
        enum prb_patch_type type;
        const char *body;
    } cases[] = {
        { "merge", PRB_PATCH_MERGE, "{'data':{'k':'x'}}" },
        { "json", PRB_PATCH_JSON, "[{'op':'add','path':'/data/k','value':'x'}]" },
        { "json whose path went too", PRB_PATCH_JSON, "[{'op':'remove','path':'/data/old'}]" },
        { "apply", PRB_PATCH_APPLY,
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'versioned'},"
                "'data':{'n':'x'}}" },
    };
    prb_auto(prb_object_unref) struct prb_object *made = NULL, *now = NULL;
    struct prb_ref ref = prb_test_place_ref(&place, "versioned");

    ASSERT_DONE(prb_test_place_add(&place, "versioned", "1", NULL, &made, &err));
    ASSERT_DONE(patch(&ref, PRB_PATCH_MERGE, "{'data':{'k':'2'}}", NULL, &now));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_write_options old = { .resource_version =
                                                       prb_object_resource_version(made) };

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_CONFLICT,
                patch(&ref, cases[i].type, cases[i].body, &old, NULL), cases[i].name);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *read = NULL;
        struct prb_write_options current = { .force = false };
        int r;

        ASSERT_DONE(prb_api_get(place.api, &ref, NULL, &read, &err));
        current.resource_version = prb_object_resource_version(read);
        r = patch(&ref, cases[i].type, cases[i].body, &current, NULL);
        TEST_ASSERT_EQUAL_MESSAGE(
                i == 2 ? PRB_E_INVALID : PRB_OK, r, cases[i].name); /* /data/old never was */
    }
}

static void test_a_json_patch_that_does_not_fit_is_a_conflict_or_invalid(void)
{
    struct prb_ref ref = prb_test_place_ref(&place, "tested");
    struct prb_ref gone = prb_test_place_ref(&place, "never-there");

    ASSERT_DONE(prb_test_place_add(&place, "tested", "1", NULL, NULL, &err));
    ASSERT_REFUSED(
            PRB_E_CONFLICT, patch(&ref, PRB_PATCH_JSON,
                                    "[{'op':'test','path':'/data/k','value':'0'}]", NULL, NULL));
    ASSERT_REFUSED(
            PRB_E_CONFLICT, patch(&ref, PRB_PATCH_JSON,
                                    "[{'op':'test','path':'/data/none','value':'0'}]", NULL, NULL));
    ASSERT_REFUSED(PRB_E_INVALID,
            patch(&ref, PRB_PATCH_JSON,
                    "[{'op':'test','path':'/data/k','value':'1'},{'op':'remove','path':'/data/x'}]",
                    NULL, NULL));
    ASSERT_REFUSED(PRB_E_INVALID,
            patch(&ref, PRB_PATCH_JSON, "[{'op':'remove','path':'/data/x'}]", NULL, NULL));
    ASSERT_REFUSED(PRB_E_INVALID, patch(&ref, PRB_PATCH_JSON,
                                          "[{'op':'test','path':'/data/k','value':'1'},"
                                          "{'op':'add','path':'/data/a b','value':'1'}]",
                                          NULL, NULL));
    ASSERT_HAS(err.msg, "is invalid");
    ASSERT_REFUSED(
            PRB_E_NOTFOUND, patch(&gone, PRB_PATCH_JSON,
                                    "[{'op':'test','path':'/data/k','value':'0'}]", NULL, NULL));
}

static void test_status_is_written_apart(void)
{
    const struct prb_write_options status = { .subresource = "status" };
    const struct prb_gvr pods = { .version = "v1", .resource = "resourcequotas" };
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'metadata':{'name':'q'},'spec':{'hard':{'pods':'3'}}}");
    prb_auto(prb_object_unref) struct prb_object *patched = NULL;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &pods, place.namespace, "q");
    ASSERT_DONE(prb_api_create(place.api, &ref, body, NULL, NULL, &err));
    ASSERT_DONE(patch(&ref, PRB_PATCH_MERGE,
            "{'spec':{'hard':{'pods':'9'}},'status':{'hard':{'services':'1'}}}", &status,
            &patched));
    TEST_ASSERT_EQUAL_STRING(
            "3", prb_json_string(prb_json_at(prb_object_tree(patched), "spec", "hard", "pods")));
    TEST_ASSERT_EQUAL_STRING("1",
            prb_json_string(prb_json_at(prb_object_tree(patched), "status", "hard", "services")));
}

static void test_what_is_not_served_is_told_from_what_is_not_there(void)
{
    static const struct {
        const char *name;
        struct prb_gvr gvr;
    } cases[] = {
        { "resource of a known group", { .version = "v1", .resource = "configmapz" } },
        { "unknown group", { .group = "nowhere.io", .version = "v1", .resource = "things" } },
        { "unknown version", { .group = "apps", .version = "v9", .resource = "deployments" } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *read = NULL;
        struct prb_ref ref;

        (void)prb_ref_init(&ref, &cases[i].gvr, place.namespace, "x");
        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_NOTFOUND, prb_api_get(place.api, &ref, NULL, &read, &err), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("NotServed", err.reason, cases[i].name);
    }
}

static void test_only_metadata_is_read_when_asked(void)
{
    const struct prb_get_options options = { .metadata_only = true };
    prb_auto(prb_object_unref) struct prb_object *read = NULL;
    struct prb_ref ref = prb_test_place_ref(&place, "meta");

    ASSERT_DONE(prb_test_place_add(&place, "meta", "1", "{'a':'b'}", NULL, &err));
    ASSERT_DONE(prb_api_get(place.api, &ref, &options, &read, &err));
    TEST_ASSERT_EQUAL_STRING("b", prb_object_label(read, "a"));
    TEST_ASSERT_EQUAL_STRING("", prb_object_kind(read));
    TEST_ASSERT_FALSE(prb_json_has(prb_object_tree(read), "data"));
}

int main(void)
{
    int failed;

    if (!prb_test_place_open(&place))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_an_object_is_created_read_replaced_and_deleted);
    RUN_TEST(test_a_dry_run_changes_nothing);
    RUN_TEST(test_every_type_of_patch);
    RUN_TEST(test_apply_conflicts_unless_it_is_forced);
    RUN_TEST(test_a_patch_for_another_version_is_a_conflict);
    RUN_TEST(test_a_json_patch_that_does_not_fit_is_a_conflict_or_invalid);
    RUN_TEST(test_status_is_written_apart);
    RUN_TEST(test_what_is_not_served_is_told_from_what_is_not_there);
    RUN_TEST(test_only_metadata_is_read_when_asked);
    failed = UNITY_END();
    prb_test_place_close(&place);
    return failed;
}
