/* What is written into the status of a guard, what becomes an Event, and what is too much? */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/yaml.h"
#include "probate/control/notes.h"

#include "hub_world.h"
#include "log_file.h"

#define GUARDS "criticalservices"
#define PATCH "patch " GUARDS

/* The writer has all the time it wants when it is asked to end. */
#define FLUSH_MS 3600000

static struct prb_recorder *recorder;
static struct prb_notes *notes;
static struct prb_page events; /* as last read */

/* Called on the writer's thread when it has read a guard and not yet written it; NULL: nothing. */
static void (*_Atomic between)(void);
static struct prb_api_ops ops;
static const struct prb_api_ops *inner_ops;

static int get_and_more(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    int r = inner_ops->get(api, ref, options, ret, err);
    void (*hook)(void) = atomic_exchange(&between, NULL);

    if (hook)
        hook();
    return r;
}

static struct prb_ref guard_ref(const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, "probate.dev", "v1alpha1", GUARDS) ||
            !prb_ref_init(&ref, &gvr, NULL, name))
        abort();
    return ref;
}

static struct prb_ref deployment_ref(const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, "apps", "v1", "deployments") || !prb_ref_init(&ref, &gvr, "ns", name))
        abort();
    return ref;
}

static struct prb_object *find_guard(const char *name)
{
    struct prb_ref ref = guard_ref(name);
    struct prb_object *guard = NULL;
    struct prb_error err;

    return prb_api_get(prb_hub_api(world.hub), &ref, NULL, &guard, &err) == 0 ? guard : NULL;
}

/* A guard with something in its status that is not ours. */
static void add_guard(const char *name)
{
    prb_autofree char *yaml = prb_asprintf("{apiVersion: probate.dev/v1alpha1, kind: "
                                           "CriticalService, metadata: {name: %s}, "
                                           "spec: {criteria: []}}",
            name);
    prb_auto(prb_json_free) struct json_object *body = NULL, *status = NULL;
    struct prb_write_options options = { .subresource = "status" };
    struct prb_ref ref = guard_ref(name);
    struct prb_error err;

    prb_json_set_str(
            prb_json_ensure_obj(status = json_object_new_object(), "status"), "blockedBy", "x");
    if (prb_yaml_parse(yaml, strlen(yaml), &body, &err) < 0 ||
            prb_api_create(prb_hub_api(world.hub), &ref, body, NULL, NULL, &err) < 0 ||
            prb_api_patch(prb_hub_api(world.hub), &ref, PRB_PATCH_MERGE, status, &options, NULL,
                    &err) < 0)
        abort();
}

static char *uid_of(const char *guard)
{
    prb_auto(prb_object_unref) struct prb_object *object = find_guard(guard);

    return prb_strdup(object ? prb_object_uid(object) : "");
}

static void remove_guard(const char *name)
{
    prb_autofree char *uid = uid_of(name);
    struct prb_delete_options options = { .uid = uid };
    struct prb_ref ref = guard_ref(name);
    struct prb_error err;

    if (prb_api_delete(prb_hub_api(world.hub), &ref, &options, &err) < 0)
        abort();
}

void setUp(void)
{
    world_init();
    prb_page_init(&events);
    prb_object_unref(
            put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"));
    add_guard("guard");
    inner_ops = world.port.api.ops;
    ops = *inner_ops;
    ops.get = get_and_more;
    world.port.api.ops = &ops;
    recorder = prb_recorder_new(&world.port.api, "probate", &world.clock.clock);
    notes = prb_notes_new(&world.port.api, recorder, &world.clock.clock);
}

void tearDown(void)
{
    prb_notes_close(notes);
    prb_recorder_free(recorder);
    prb_page_done(&events);
    world_done();
}

/* One note of a guard, borrowed texts and all: nothing of it is there any more when this returns.
 */
static void add(enum prb_note_type type, const char *guard, const char *uid, const char *user,
        const char *object)
{
    prb_autofree char *guard_uid = prb_strdup(uid), *user_copy = prb_strdup(user);
    prb_autofree char *text = prb_asprintf("deployments.apps ns/%s was touched", object);
    char version[] = "probate.dev/v1alpha1", kind[] = "CriticalService";
    char object_version[] = "apps/v1", object_kind[] = "Deployment", object_uid[] = "uid-of-object";
    struct prb_note note = { .type = type,
        .guard = guard_ref(guard),
        .guard_uid = guard_uid,
        .guard_api_version = version,
        .guard_kind = kind,
        .object = deployment_ref(object),
        .object_uid = object_uid,
        .object_api_version = object_version,
        .object_kind = object_kind,
        .user = user_copy,
        .operation = "DELETE",
        .text = text };

    prb_notes_add(notes, &note, 1);
}

static void deny(const char *user, const char *object)
{
    prb_autofree char *uid = uid_of("guard");

    add(PRB_NOTE_DENIED, "guard", uid, user, object);
}

/* Let both writers finish, and read the Events there are; false: that failed. */
static bool flush(void)
{
    struct prb_ref ref = ref_of("events", "ns", "any");
    struct prb_error err;

    prb_notes_stop(notes, FLUSH_MS);
    prb_recorder_stop(recorder, FLUSH_MS);
    prb_page_done(&events);
    return prb_api_list_all(prb_hub_api(world.hub), &ref.gvr, NULL, 10000, &events, &err) == 0;
}

/* Events with this reason on this kind. */
static int count_events(const char *kind, const char *reason)
{
    int found = 0;

    for (size_t i = 0; i < events.count; i++) {
        prb_autofree char *of = prb_strdup(value_at(events.objects[i], "/involvedObject/kind"));

        if (prb_streq(of, kind) && prb_streq(value_at(events.objects[i], "/reason"), reason))
            found++;
    }
    return found;
}

/* A member of status.lastDenied; a static buffer. */
static const char *last_denied(const char *guard, const char *member)
{
    prb_auto(prb_object_unref) struct prb_object *object = find_guard(guard);
    prb_autofree char *pointer = prb_asprintf("/status/lastDenied/%s", member);

    return value_at(object, pointer);
}

/* Denials that met this fate so far, over all tests. */
static int fate(const char *result)
{
    prb_auto(prb_str_done) struct prb_str text;
    char line[64];
    const char *at;

    prb_str_init(&text, 1 << 20);
    prb_metrics_print(&text);
    (void)snprintf(line, sizeof(line), "probate_notes_total{result=\"%s\"} ", result);
    at = strstr(prb_str_get(&text), line);
    return at ? (int)strtol(at + strlen(line), NULL, 10) : 0;
}

/* Wait until the writer has made so many calls. */
#define AWAIT(prefix, count) TEST_ASSERT_TRUE(fault_port_wait(&world.port, (prefix), (count)))

/* Wait until one more denial met this fate: then the writer is done with it. */
static bool await_fate(const char *result, int count)
{
    for (int i = 0; i < 10000; i++) {
        if (fate(result) >= count)
            return true;
        (void)fault_port_reached(&world.port, "never made", 1);
    }
    return false;
}

static void pass_time(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
    prb_notes_poke(notes);
}

static void test_a_denial_is_in_the_status_of_its_guard(void)
{
    prb_auto(prb_object_unref) struct prb_object *guard = NULL;

    deny("alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_STRING("2023-11-14T22:13:20Z", last_denied("guard", "time"));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_STRING("DELETE", last_denied("guard", "operation"));
    TEST_ASSERT_EQUAL_STRING("deployments.apps ns/web", last_denied("guard", "object"));
    guard = find_guard("guard");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("x", value_at(guard, "/status/blockedBy"), "not ours");
    TEST_ASSERT_EQUAL_INT(5000, world.port.last_timeout_ms);
}

static void test_a_denial_becomes_events_on_guard_and_object(void)
{
    prb_autofree char *uid = uid_of("guard");
    bool seen[2] = { false, false };

    deny("alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(2, events.count);
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionBlocked"));
    for (size_t i = 0; i < events.count; i++) {
        const struct prb_object *event = events.objects[i];
        bool on_guard = prb_streq(value_at(event, "/involvedObject/kind"), "CriticalService");

        seen[on_guard] = true;
        TEST_ASSERT_EQUAL_STRING("Warning", value_at(event, "/type"));
        TEST_ASSERT_EQUAL_STRING(
                "deployments.apps ns/web was touched", value_at(event, "/message"));
        TEST_ASSERT_EQUAL_STRING(
                on_guard ? uid : "uid-of-object", value_at(event, "/involvedObject/uid"));
        TEST_ASSERT_EQUAL_STRING(
                on_guard ? "guard" : "web", value_at(event, "/involvedObject/name"));
        TEST_ASSERT_EQUAL_STRING(on_guard ? "probate.dev/v1alpha1" : "apps/v1",
                value_at(event, "/involvedObject/apiVersion"));
        TEST_ASSERT_EQUAL_STRING(on_guard ? "default" : "ns", prb_object_namespace(event));
    }
    TEST_ASSERT_TRUE(seen[0] && seen[1]);
}

static void test_an_override_becomes_events_and_leaves_the_status_alone(void)
{
    prb_autofree char *uid = uid_of("guard");

    for (int i = 0; i < 3; i++)
        add(PRB_NOTE_OVERRIDDEN, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("3", value_at(events.objects[0], "/count"), "no pace");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("3", value_at(events.objects[1], "/count"), "no pace");
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, PATCH));
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "time"));
}

static void test_an_override_is_told_among_many_denials(void)
{
    prb_autofree char *uid = uid_of("guard");

    for (int i = 0; i < 60; i++) {
        deny("alice", "web");
        pass_time(PRB_NOTES_PACE_MS);
    }
    add(PRB_NOTE_OVERRIDDEN, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionOverridden"));
}

static void test_a_guard_that_was_to_go_itself_has_one_event(void)
{
    prb_autofree char *uid = uid_of("guard");
    char version[] = "probate.dev/v1alpha1", kind[] = "CriticalService", text[] = "text";
    char user[] = "alice";
    struct prb_note note = { .type = PRB_NOTE_DENIED,
        .guard = guard_ref("guard"),
        .guard_uid = uid,
        .guard_api_version = version,
        .guard_kind = kind,
        .object = guard_ref("guard"),
        .object_uid = uid,
        .object_api_version = version,
        .object_kind = kind,
        .user = user,
        .operation = "DELETE",
        .text = text };

    prb_notes_add(notes, &note, 1);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING("1", value_at(events.objects[0], "/count"));
    TEST_ASSERT_EQUAL_STRING("criticalservices.probate.dev guard", last_denied("guard", "object"));
}

static void test_of_many_denials_the_newest_is_written_once_the_pace_allows_it(void)
{
    int written = fate("written");

    deny("first", "web");
    TEST_ASSERT_TRUE(await_fate("written", written + 1));
    for (int i = 0; i < 10; i++)
        deny(i == 9 ? "newest" : "between", "web");
    pass_time(PRB_NOTES_PACE_MS - 1);
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 2));
    TEST_ASSERT_EQUAL_STRING("first", last_denied("guard", "user"));
    pass_time(1);
    TEST_ASSERT_TRUE(await_fate("written", written + 2));
    TEST_ASSERT_EQUAL_STRING("newest", last_denied("guard", "user"));
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, PATCH));
}

static void test_events_of_one_object_are_paced_and_those_of_another_are_not(void)
{
    for (int i = 0; i < 10; i++) {
        deny("alice", "web");
        deny("alice", "db");
    }
    pass_time(PRB_NOTES_PACE_MS);
    deny("alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(2, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_INT(2, count_events("Deployment", "DeletionBlocked"));
    for (size_t i = 0; i < events.count; i++) {
        bool web = strstr(value_at(events.objects[i], "/message"), "ns/web") != NULL;

        TEST_ASSERT_EQUAL_STRING(web ? "2" : "1", value_at(events.objects[i], "/count"));
    }
}

static void test_guards_do_not_wait_for_each_other(void)
{
    prb_autofree char *uid = NULL;

    add_guard("other");
    uid = uid_of("other");
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "patch", .resource = GUARDS, .code = PRB_E_IO, .times = 1 });
    deny("alice", "web");
    AWAIT(PATCH, 1);
    add(PRB_NOTE_DENIED, "other", uid, "bob", "web");
    AWAIT(PATCH " /other", 1);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_STRING("bob", last_denied("other", "user"));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
}

static void test_a_guard_of_the_same_name_is_not_told_of_its_predecessor(void)
{
    prb_autofree char *uid = uid_of("guard");
    int gone = fate("gone");

    remove_guard("guard");
    add_guard("guard");
    add(PRB_NOTE_DENIED, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(gone + 1, fate("gone"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, PATCH));
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "time"));
}

static void test_a_guard_that_is_gone_is_no_trouble(void)
{
    FILE *log = log_file_open();
    int gone = fate("gone");

    add(PRB_NOTE_DENIED, "never-there", "uid", "alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(gone + 1, fate("gone"));
    TEST_ASSERT_EQUAL_INT(0, log_file_count(log, "denial not written"));
    log_file_close(log);
}

static void test_a_guard_of_unknown_uid_is_written_by_name(void)
{
    add(PRB_NOTE_DENIED, "guard", "", "alice", "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "get " GUARDS));
}

/* Let time pass until the writer has tried so often. */
static bool pass_time_until(const char *prefix, int count)
{
    for (int i = 0; i < 300; i++) {
        if (fault_port_reached(&world.port, prefix, count))
            return true;
        pass_time(1000);
    }
    return false;
}

static void test_a_write_is_tried_again_while_that_can_help(void)
{
    static const struct {
        const char *name;
        enum prb_errc code;
    } cases[] = {
        { "the server is away", PRB_E_IO },
        { "the server is busy", PRB_E_THROTTLED },
        { "somebody else wrote it", PRB_E_CONFLICT },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int before = fault_port_count(&world.port, PATCH);
        prb_autofree char *user = prb_asprintf("user-%zu", i);
        int written = fate("written");

        fault_port_spoil(&world.port,
                (struct fault){
                        .verb = "patch", .resource = GUARDS, .code = cases[i].code, .times = 3 });
        deny(user, "web");
        TEST_ASSERT_TRUE_MESSAGE(pass_time_until(PATCH, before + 4), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(await_fate("written", written + 1), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(user, last_denied("guard", "user"), cases[i].name);
        pass_time(PRB_NOTES_PACE_MS);
    }
}

/* A newer denial takes the place of one that could not be written, and does not hurry. */
static void test_a_newer_denial_takes_the_turn_of_one_that_failed(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = 1 });
    deny("older", "web");
    AWAIT("get " GUARDS, 1);
    deny("newer", "web");
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 1));
    TEST_ASSERT_TRUE(pass_time_until(PATCH, 1));
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_STRING("newer", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, PATCH));
}

static void change_guard(void)
{
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_ref ref = guard_ref("guard");
    struct prb_error err;

    prb_json_set_str(
            prb_json_ensure_obj(prb_json_ensure_obj(patch, "metadata"), "labels"), "a", "b");
    if (prb_api_patch(prb_hub_api(world.hub), &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        abort();
}

static void test_a_guard_that_changed_meanwhile_is_read_again(void)
{
    int written = fate("written");

    atomic_store(&between, change_guard);
    deny("alice", "web");
    TEST_ASSERT_TRUE(pass_time_until(PATCH, 2));
    TEST_ASSERT_TRUE(await_fate("written", written + 1));
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, "get " GUARDS));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
}

static void deny_again(void)
{
    deny("newer", "web");
}

static void test_a_denial_during_a_write_waits_for_the_pace(void)
{
    int written = fate("written");

    atomic_store(&between, deny_again);
    deny("older", "web");
    TEST_ASSERT_TRUE(await_fate("written", written + 1));
    pass_time(PRB_NOTES_PACE_MS - 1);
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 2));
    TEST_ASSERT_EQUAL_STRING("older", last_denied("guard", "user"));
    pass_time(1);
    TEST_ASSERT_TRUE(await_fate("written", written + 2));
    TEST_ASSERT_EQUAL_STRING("newer", last_denied("guard", "user"));
}

static void test_a_server_that_names_a_time_is_left_alone_until_then(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "get",
                                          .resource = GUARDS,
                                          .code = PRB_E_THROTTLED,
                                          .times = 1,
                                          .retry_after_ms = 60000 });
    deny("alice", "web");
    AWAIT("get " GUARDS, 1);
    for (int i = 0; i < 10; i++) {
        pass_time(1000);
        TEST_ASSERT_FALSE(fault_port_reached(&world.port, "get " GUARDS, 2));
    }
    TEST_ASSERT_TRUE(pass_time_until(PATCH, 1));
}

static void test_what_cannot_be_written_is_dropped_and_told_once(void)
{
    FILE *log = log_file_open();
    int dropped = fate("dropped_error");

    fault_port_spoil(&world.port, (struct fault){ .verb = "patch",
                                          .resource = GUARDS,
                                          .code = PRB_E_FORBIDDEN,
                                          .times = -1,
                                          .message = "no right to patch it" });
    for (int i = 0; i < 3; i++) {
        deny("alice", "web");
        TEST_ASSERT_TRUE(await_fate("dropped_error", dropped + i + 1));
    }
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "no right to patch it"));
    TEST_ASSERT_EQUAL_INT(3, fault_port_count(&world.port, PATCH));
    log_file_close(log);
}

static void deny_during_the_next_read(void)
{
    atomic_store(&between, deny_again);
}

/* A newer denial has no more tries than the one whose place it takes. */
static void test_a_server_that_stays_away_is_given_up(void)
{
    static const struct {
        const char *name;
        void (*step)(void);
    } cases[] = {
        { "newer ones while it waits", deny_again },
        { "newer ones while it is tried", deny_during_the_next_read },
    };

    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        int dropped = fate("dropped_error"), tries = fault_port_count(&world.port, "get " GUARDS);

        deny("older", "web");
        for (int i = 0; i < 300 && fate("dropped_error") == dropped; i++) {
            if (i < 10)
                cases[c].step();
            pass_time(1000);
            (void)fault_port_reached(&world.port, "never made", 1);
        }
        atomic_store(&between, NULL);
        TEST_ASSERT_EQUAL_INT_MESSAGE(dropped + 1, fate("dropped_error"), cases[c].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                7, fault_port_count(&world.port, "get " GUARDS) - tries, cases[c].name);
    }
}

static void test_past_the_bound_further_guards_are_dropped_and_counted(void)
{
    int dropped = fate("dropped_queue");
    char name[32];

    /* The writer waits for a clock that does not move. */
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    for (int i = 0; i < PRB_NOTES_MAX_GUARDS; i++) {
        (void)snprintf(name, sizeof(name), "guard-%d", i);
        add(PRB_NOTE_DENIED, name, "uid", "alice", "web");
    }
    AWAIT("get " GUARDS, PRB_NOTES_MAX_GUARDS);
    TEST_ASSERT_EQUAL_INT(dropped, fate("dropped_queue"));

    /* The last may still be in the writer's hand; the guards before it wait for their next try. */
    add(PRB_NOTE_DENIED, "guard-0", "uid", "alice", "web");
    TEST_ASSERT_EQUAL_INT_MESSAGE(dropped, fate("dropped_queue"), "it has a place already");
    add(PRB_NOTE_DENIED, "one-more", "uid", "alice", "web");
    add(PRB_NOTE_DENIED, "two-more", "uid", "alice", "web");
    TEST_ASSERT_GREATER_THAN_INT(dropped, fate("dropped_queue"));
}

static void test_what_a_user_calls_himself_stays_on_one_line(void)
{
    char user[1024];

    memset(user, 'u', sizeof(user) - 1);
    user[sizeof(user) - 1] = '\0';
    memcpy(user, "a\nb\x1b[31m\xc2\x9b\xc3\xa9", 12);
    deny(user, "web");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_INT(0, strncmp(last_denied("guard", "user"), "a b [31m  \xc3\xa9uuu", 15));
    TEST_ASSERT_EQUAL_size_t(384, strlen(last_denied("guard", "user")));
}

static void test_a_stop_writes_what_waits_and_takes_nothing_more(void)
{
    int written = fate("written"), dropped = fate("dropped_stopped");

    deny("first", "web");
    TEST_ASSERT_TRUE(await_fate("written", written + 1));
    deny("within the pace", "web");
    prb_notes_stop(notes, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("within the pace", last_denied("guard", "user"));
    deny("too late", "web");
    prb_notes_stop(notes, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("within the pace", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(dropped + 1, fate("dropped_stopped"));
}

static void test_a_stop_does_not_wait_for_a_server_that_is_away(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    deny("alice", "web");
    prb_notes_stop(notes, FLUSH_MS); /* returns, although the clock stands still */
    TEST_ASSERT_LESS_OR_EQUAL_INT_MESSAGE(
            2, fault_port_count(&world.port, "get " GUARDS), "before the stop, and after it");
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "user"));
}

static void test_no_notes_and_no_recorder_are_fine(void)
{
    prb_auto(prb_notes_close) struct prb_notes *silent =
            prb_notes_new(&world.port.api, NULL, &world.clock.clock);
    struct prb_notes *kept = notes;

    prb_notes_add(NULL, NULL, 0);
    prb_notes_close(NULL);
    notes = silent;
    deny("alice", "web");
    notes = kept;
    prb_notes_stop(silent, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(0, events.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_denial_is_in_the_status_of_its_guard);
    RUN_TEST(test_a_denial_becomes_events_on_guard_and_object);
    RUN_TEST(test_an_override_becomes_events_and_leaves_the_status_alone);
    RUN_TEST(test_an_override_is_told_among_many_denials);
    RUN_TEST(test_a_guard_that_was_to_go_itself_has_one_event);
    RUN_TEST(test_of_many_denials_the_newest_is_written_once_the_pace_allows_it);
    RUN_TEST(test_events_of_one_object_are_paced_and_those_of_another_are_not);
    RUN_TEST(test_guards_do_not_wait_for_each_other);
    RUN_TEST(test_a_guard_of_the_same_name_is_not_told_of_its_predecessor);
    RUN_TEST(test_a_guard_that_is_gone_is_no_trouble);
    RUN_TEST(test_a_guard_of_unknown_uid_is_written_by_name);
    RUN_TEST(test_a_write_is_tried_again_while_that_can_help);
    RUN_TEST(test_a_newer_denial_takes_the_turn_of_one_that_failed);
    RUN_TEST(test_a_guard_that_changed_meanwhile_is_read_again);
    RUN_TEST(test_a_denial_during_a_write_waits_for_the_pace);
    RUN_TEST(test_a_server_that_names_a_time_is_left_alone_until_then);
    RUN_TEST(test_what_cannot_be_written_is_dropped_and_told_once);
    RUN_TEST(test_a_server_that_stays_away_is_given_up);
    RUN_TEST(test_past_the_bound_further_guards_are_dropped_and_counted);
    RUN_TEST(test_what_a_user_calls_himself_stays_on_one_line);
    RUN_TEST(test_a_stop_writes_what_waits_and_takes_nothing_more);
    RUN_TEST(test_a_stop_does_not_wait_for_a_server_that_is_away);
    RUN_TEST(test_no_notes_and_no_recorder_are_fine);
    return UNITY_END();
}
