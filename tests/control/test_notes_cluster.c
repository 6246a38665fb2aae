/*
 * Does a real API server, with the CRD that the chart brings, take what is noted of a denial?
 *
 *     test_notes_cluster CRD-FILE
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/yaml.h"
#include "probate/control/notes.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "support/cluster.h"
#include "support/json_text.h"
#include "support/wait.h"

enum { CRD_SIZE_MAX = 1 << 20 };

static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
static const struct prb_gvr events_gvr = { "", "v1", "events" };

static const char *crd_file;
static struct prb_api *api;
static struct prb_error err;
static struct prb_ref guard; /* its name is its own; there is one of it in each test */
static struct prb_recorder *recorder;
static struct prb_notes *notes;

static void must(int r)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "%s\n", err.msg);
    abort();
}

/* Other tests may have made it too; it is left there. */
static void create_crd(void)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    prb_autofree char *text = NULL;
    struct prb_ref ref;
    size_t len;
    int r;

    must(prb_file_read(crd_file, CRD_SIZE_MAX, &text, &len, &err));
    must(prb_yaml_parse(text, len, &body, &err));
    (void)prb_ref_init(&ref, &crds, NULL, prb_json_str(prb_json_obj(body, "metadata"), "name"));
    r = prb_api_create(api, &ref, body, NULL, NULL, &err);
    must(r == PRB_E_EXISTS ? 0 : r);
}

static bool is_served(void *ctx)
{
    prb_auto(prb_page_done) struct prb_page page;

    (void)ctx;
    prb_page_init(&page);
    return prb_api_list(api, &prb_critical_services, NULL, &page, &err) == 0;
}

static struct prb_object *create_guard(void)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService',"
                          "'metadata':{'name':'%s'},'spec':{'provider':{'group':'apps',"
                          "'resource':'deployments','namespace':'nowhere','name':'web'},"
                          "'criteria':[]}}",
                    guard.name);
    struct prb_object *created = NULL;

    must(prb_api_create(api, &guard, body, NULL, &created, &err));
    return created;
}

static struct prb_object *find_guard(void)
{
    struct prb_object *found = NULL;

    return prb_api_get(api, &guard, NULL, &found, &err) == 0 ? found : NULL;
}

static void delete_guard(void)
{
    prb_auto(prb_object_unref) struct prb_object *found = find_guard();
    struct prb_delete_options options = { .uid = found ? prb_object_uid(found) : "" };

    if (found)
        must(prb_api_delete(api, &guard, &options, &err));
}

void setUp(void)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    char name[32];

    (void)snprintf(name, sizeof(name), "noted-%08x", (unsigned)prb_random_u64());
    must(prb_test_cluster_config(&config, &err));
    must(prb_kube_open(config, NULL, &api, &err));
    create_crd();
    if (!prb_test_await("CriticalServices are served", is_served, NULL, PRB_TEST_SOON_MS) ||
            !prb_ref_init(&guard, &prb_critical_services, NULL, name))
        abort();
    recorder = prb_recorder_new(api, "probate", NULL);
    notes = prb_notes_new(api, recorder, NULL);
}

void tearDown(void)
{
    prb_notes_close(notes);
    prb_recorder_free(recorder);
    delete_guard();
    prb_api_close(api);
}

/* A denial by the guard of this uid. */
static void deny(const char *uid)
{
    char api_version[] = PRB_CRITICAL_SERVICE_API_VERSION, kind[] = PRB_CRITICAL_SERVICE_KIND;
    char object_version[] = "apps/v1", object_kind[] = "Deployment", user[] = "alice";
    char object_uid[] = "22222222-0000-4000-8000-000000000001", text[] = "alice wanted it gone";
    prb_autofree char *guard_uid = prb_strdup(uid);
    struct prb_note note = { .type = PRB_NOTE_DENIED,
        .guard = guard,
        .guard_uid = guard_uid,
        .guard_api_version = api_version,
        .guard_kind = kind,
        .object_uid = object_uid,
        .object_api_version = object_version,
        .object_kind = object_kind,
        .user = user,
        .operation = "DELETE",
        .text = text };

    (void)prb_ref_init(&note.object, &prb_deployments, "default", "web");
    prb_notes_add(notes, &note, 1);
}

/* Write, or give up, what is queued. */
static void finish(void)
{
    prb_notes_stop(notes, prb_test_patience_ms(PRB_TEST_SOON_MS));
    prb_recorder_stop(recorder, prb_test_patience_ms(PRB_TEST_SOON_MS));
}

static const struct json_object *last_denied(const struct prb_object *object)
{
    return object ? prb_json_obj(prb_json_obj(prb_object_tree(object), "status"), "lastDenied")
                  : NULL;
}

/* A Probate of another test may write the status too, so that ours is tried again. */
static bool is_noted(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *object = find_guard();

    (void)ctx;
    return last_denied(object) || prb_test_saw("%s", object ? "no lastDenied" : err.msg);
}

static void test_a_denial_is_stored_whole(void)
{
    prb_auto(prb_object_unref) struct prb_object *created = create_guard(), *after = NULL;
    int64_t at_ms = 0;

    deny(prb_object_uid(created));
    TEST_ASSERT_AWAIT("the denial is in the status", is_noted, NULL);
    after = find_guard();
    TEST_ASSERT_EQUAL_STRING("alice", prb_json_str(last_denied(after), "user"));
    TEST_ASSERT_EQUAL_STRING("DELETE", prb_json_str(last_denied(after), "operation"));
    TEST_ASSERT_EQUAL_STRING(
            "deployments.apps default/web", prb_json_str(last_denied(after), "object"));
    TEST_ASSERT_TRUE(prb_time_parse(prb_json_str(last_denied(after), "time"), &at_ms));
}

/* The server itself would store it, whatever uid is in the patch. */
static void test_a_guard_of_the_same_name_is_not_told_of_its_predecessor(void)
{
    prb_auto(prb_object_unref) struct prb_object *before = create_guard(), *after = NULL;

    delete_guard();
    prb_object_unref(create_guard());
    deny(prb_object_uid(before));
    finish();
    after = find_guard();
    TEST_ASSERT_NOT_NULL(after);
    TEST_ASSERT_NULL(last_denied(after));
}

static void test_events_are_on_guard_and_object(void)
{
    prb_auto(prb_object_unref) struct prb_object *created = create_guard();
    struct prb_list_options options = { .namespace = "default",
        .field_selector = "reason=DeletionBlocked" };
    prb_auto(prb_page_done) struct prb_page page;
    int on_guard = 0, on_object = 0;

    prb_page_init(&page);
    deny(prb_object_uid(created));
    finish();
    TEST_ASSERT_EQUAL_INT(0, prb_api_list_all(api, &events_gvr, &options, 10000, &page, &err));
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *regarded =
                prb_json_obj(prb_object_tree(page.objects[i]), "involvedObject");

        if (prb_streq(prb_json_str(regarded, "name"), guard.name))
            on_guard++;
        if (prb_streq(prb_json_str(regarded, "kind"), "Deployment") &&
                prb_streq(prb_json_str(regarded, "name"), "web"))
            on_object++;
    }
    TEST_ASSERT_EQUAL_INT(1, on_guard);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(1, on_object); /* the tests before had theirs on it too */
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    crd_file = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_a_denial_is_stored_whole);
    RUN_TEST(test_a_guard_of_the_same_name_is_not_told_of_its_predecessor);
    RUN_TEST(test_events_are_on_guard_and_object);
    return UNITY_END();
}
