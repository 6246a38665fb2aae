/* Of two clusters, where does an Event go? */

#include <unity.h>

#include "probate/api/sides.h"
#include "probate/base/mem.h"
#include "probate/control/apply.h"
#include "probate/control/recorder.h"
#include "probate/hub/hub.h"
#include "probate/model/side.h"

#include "support/json_text.h"

#define NAMESPACE "c1"
#define WORKS_ON_HUB "manifestworks.v1.work.open-cluster-management.io" PRB_HUB_SUFFIX

static struct prb_hub *own, *hub;
static struct prb_api *sides;
static struct prb_recorder *recorder;
static struct prb_changes changes;
static struct prb_page events; /* as last read */
static struct prb_error err;

static void load_namespace(struct prb_hub *where)
{
    static const char text[] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: " NAMESPACE "}\n";

    (void)prb_hub_load_text(where, text, sizeof(text) - 1, &err);
}

void setUp(void)
{
    own = prb_hub_new(NULL);
    hub = prb_hub_new(NULL);
    load_namespace(own);
    load_namespace(hub);
    sides = prb_sides_open(&(struct prb_sides_options){
            .own = prb_hub_api(own), .hub = prb_hub_api(hub), .hub_namespace = NAMESPACE });
    recorder = prb_recorder_new(sides, "probate", NULL);
    prb_changes_init(&changes);
    prb_page_init(&events);
}

void tearDown(void)
{
    prb_changes_done(&changes);
    prb_page_done(&events);
    prb_recorder_free(recorder);
    prb_api_close(sides);
    prb_hub_free(own);
    prb_hub_free(hub);
}

/* Create this over the port, and intend an Event about it; what was created is the caller's. */
static struct prb_object *tell(const char *gvr_text, const char *kind, const char *note)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'kind':'%s','metadata':{'namespace':'" NAMESPACE "','name':'web'}}", kind);
    struct prb_object *made = NULL;
    struct prb_gvr gvr = { .group = "" };
    char api_version[PRB_API_VERSION_SIZE], group[PRB_GROUP_SIZE];
    struct prb_ref ref = { .name = "" };

    if (!prb_gvr_parse(gvr_text, &gvr) || !prb_ref_init(&ref, &gvr, NAMESPACE, "web"))
        return NULL;
    (void)snprintf(group, sizeof(group), "%s", gvr.group);
    if (prb_side_is_hub(gvr.group))
        prb_side_strip(gvr.group, group);
    prb_api_version_format(group, gvr.version, api_version);
    prb_json_set_str(body, "apiVersion", api_version);
    if (prb_api_create(sides, &ref, body, NULL, &made, &err) == 0)
        prb_changes_event(&changes, &ref, made, false, "Tested", "%s", note);
    return made;
}

/* Perform what is intended, until every Event is written. */
static int perform(void)
{
    const struct prb_apply_options options = { .controller = "test" };
    int r = prb_apply(sides, recorder, &changes, &options, &err);

    prb_recorder_stop(recorder, 60000);
    return r;
}

/* Read the Events of one server, past the port. */
static int read_events(struct prb_hub *where)
{
    struct prb_gvr gvr = { .version = "v1", .resource = "events" };

    prb_page_done(&events);
    return prb_api_list(prb_hub_api(where), &gvr, NULL, &events, &err);
}

/* A text of what the first Event regards, borrowed; NULL: there is none. */
static const char *regards(const char *key)
{
    const struct json_object *event = events.count > 0 ? prb_object_tree(events.objects[0]) : NULL;

    return prb_json_str(prb_json_obj(event, "involvedObject"), key);
}

static const char *uid_of(const struct prb_object *object)
{
    return object ? prb_object_uid(object) : "nothing was created";
}

static void test_what_regards_a_work_goes_to_the_hub(void)
{
    prb_auto(prb_object_unref) struct prb_object *work =
            tell(WORKS_ON_HUB, "ManifestWork", "on the hub");

    TEST_ASSERT_NOT_NULL_MESSAGE(work, err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, perform(), err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(hub), err.msg);
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING(NAMESPACE, regards("namespace"));
    TEST_ASSERT_EQUAL_STRING("work.open-cluster-management.io/v1", regards("apiVersion"));
    TEST_ASSERT_EQUAL_STRING("ManifestWork", regards("kind"));
    TEST_ASSERT_EQUAL_STRING(uid_of(work), regards("uid"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(own), err.msg);
    TEST_ASSERT_EQUAL_size_t(0, events.count);
}

static void test_what_regards_the_cluster_stays_there(void)
{
    prb_auto(prb_object_unref) struct prb_object *map = tell("configmaps.v1", "ConfigMap", "here");

    TEST_ASSERT_NOT_NULL_MESSAGE(map, err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, perform(), err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(own), err.msg);
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING("v1", regards("apiVersion"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(hub), err.msg);
    TEST_ASSERT_EQUAL_size_t(0, events.count);
}

/* Both servers may hold the same kind under the same name, and one says what the other does. */
static void test_the_same_on_both_sides_is_two_events(void)
{
    prb_auto(prb_object_unref) struct prb_object *here = tell("configmaps.v1", "ConfigMap", "same");
    prb_auto(prb_object_unref) struct prb_object *there =
            tell("configmaps.v1." PRB_HUB_GROUP, "ConfigMap", "same");

    TEST_ASSERT_NOT_NULL_MESSAGE(here, err.msg);
    TEST_ASSERT_NOT_NULL_MESSAGE(there, err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, perform(), err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(own), err.msg);
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING(uid_of(here), regards("uid"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, read_events(hub), err.msg);
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING(uid_of(there), regards("uid"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_regards_a_work_goes_to_the_hub);
    RUN_TEST(test_what_regards_the_cluster_stays_there);
    RUN_TEST(test_the_same_on_both_sides_is_two_events);
    return UNITY_END();
}
