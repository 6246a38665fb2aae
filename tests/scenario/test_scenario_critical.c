/*
 * Does the status of a CriticalService, and the label on what it protects, follow what happens,
 * the same on the hub, on a real API server, and on one that fails now and then?
 *
 *     test_scenario_critical hub|cluster CRD-FILE [PART-OF-A-ROW'S-NAME]
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/log.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/hub/hub.h"

#include "critical_stage.h"
#include "support/json_text.h"
#include "support/proxied.h"
#include "support/wait.h"
#include "support/watch_log.h"

/* CRs that go one by one; and in so many writes at most: one every two seconds, and a few at the
 * beginning and the end. */
#define MANY 300

void setUp(void)
{
}

void tearDown(void)
{
}

/* What all rows share: a client for the reconciler, and one for the test. */
struct target {
    struct prb_api *api, *direct;
    bool lossy; /* as critical_stage has it */
};

#define DO(call)    \
    if ((call) < 0) \
    return -1

#define AWAIT(pointer, text) DO(critical_await(stage, service, pointer, text))
#define AWAIT_CONDITION(type, text) DO(critical_await_condition(stage, service, type, text))
#define AWAIT_LABEL(thing, text) DO(critical_await(stage, &stage->refs[thing], LABEL_POINTER, text))

static int make_all(struct critical_stage *stage)
{
    DO(critical_make(stage, CRITICAL_HOME));
    DO(critical_make(stage, CRITICAL_PROVIDER));
    DO(critical_make(stage, CRITICAL_DEFINITION));
    return critical_make(stage, CRITICAL_SERVICE);
}

static int come_to_be_protected(struct critical_stage *stage)
{
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];

    DO(make_all(stage));
    AWAIT_LABEL(CRITICAL_HOME, "true");
    AWAIT_CONDITION("Protected", "False ProtectionMissing");
    AWAIT("/status/criteria/0/state", "Met");
    AWAIT("/status/criteria/1/state", "Unmet");
    DO(critical_make(stage, CRITICAL_WEBHOOK));
    AWAIT_CONDITION("Protected", "True Enforced");
    return 0;
}

/* A refusal, as the note writer leaves it: who was refused hears of it when the deletion comes to
 * be allowed. For anybody else the Event is owed only where nothing was unknown meanwhile, and a
 * CRD that goes makes its criterion unknown until the server has been asked anew. */
static int refuse_once(struct critical_stage *stage)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'status':{'lastDenied':{'time':'2024-01-01T00:00:00Z','user':'ann',"
                          "'operation':'DELETE','object':'deployments.apps home/op'}}}");
    struct prb_error err;

    if (prb_api_patch(stage->api, &stage->refs[CRITICAL_SERVICE], PRB_PATCH_MERGE, patch,
                &(struct prb_write_options){ .subresource = "status" }, NULL, &err) < 0)
        return critical_fail(stage, "%s", err.msg);
    return 0;
}

/* Until the provider may go. */
static int come_to_be_allowed(struct critical_stage *stage)
{
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];

    DO(critical_make(stage, CRITICAL_CR));
    AWAIT("/status/criteria/0/blockers/0/name", "cr-0");
    AWAIT_CONDITION("ProviderAlive", "Unknown NotReady");
    DO(critical_delete(stage, &stage->refs[CRITICAL_CR]));
    AWAIT_CONDITION("ProviderAlive", "False ProviderDead");
    DO(critical_release(stage, &stage->refs[CRITICAL_CR]));
    AWAIT("/status/criteria/0/state", "Met");
    AWAIT_CONDITION("DeletionAllowed", "False CriteriaUnmet");
    DO(refuse_once(stage));
    DO(critical_delete(stage, &stage->refs[CRITICAL_DEFINITION]));
    AWAIT_CONDITION("DeletionAllowed", "True CriteriaMet");
    AWAIT("/status/blockedBy", "");
    return 0;
}

static int the_status_follows_what_happens(struct critical_stage *stage)
{
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];

    DO(come_to_be_protected(stage));
    DO(come_to_be_allowed(stage));
    AWAIT_CONDITION("Protected", "True Enforced");
    DO(critical_await_event(stage, service, "ProtectionMissing"));
    DO(critical_await_event(stage, service, "ProviderDead"));
    return critical_await_event(stage, service, "DeletionAllowed");
}

/* Wait until the status knows the provider that is there now. */
static int await_provider(struct critical_stage *stage)
{
    prb_auto(prb_object_unref) struct prb_object *provider =
            critical_get(stage, &stage->refs[CRITICAL_PROVIDER]);

    if (!provider)
        return critical_fail(stage, "the provider is not there");
    AWAIT_LABEL(CRITICAL_HOME, "true");
    return critical_await(
            stage, &stage->refs[CRITICAL_SERVICE], "/status/providerUID", prb_object_uid(provider));
}

static int the_label_goes_with_what_needed_it(struct critical_stage *stage)
{
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];

    DO(make_all(stage));
    DO(await_provider(stage));
    DO(critical_delete(stage, &stage->refs[CRITICAL_PROVIDER]));
    AWAIT_CONDITION("Protected", "False ProviderAbsent");
    DO(critical_await_gone(stage, &stage->refs[CRITICAL_PROVIDER]));
    AWAIT_LABEL(CRITICAL_HOME, "true");

    DO(critical_make(stage, CRITICAL_PROVIDER));
    DO(await_provider(stage));
    DO(critical_await_event(stage, service, "ProviderReplaced"));
    AWAIT_LABEL(CRITICAL_PROVIDER, "");
    DO(critical_delete(stage, service));
    AWAIT_LABEL(CRITICAL_HOME, "");
    return 0;
}

static int a_label_that_was_stripped_comes_back(struct critical_stage *stage)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'labels':{'probate.dev/protected':null}}}");
    struct prb_error err;

    DO(make_all(stage));
    AWAIT_LABEL(CRITICAL_HOME, "true");
    if (prb_api_patch(stage->api, &stage->refs[CRITICAL_HOME], PRB_PATCH_MERGE, patch, NULL, NULL,
                &err) < 0)
        return critical_fail(stage, "%s", err.msg);
    AWAIT_LABEL(CRITICAL_HOME, "true");
    return 0;
}

static int a_kind_may_come_later(struct critical_stage *stage)
{
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];

    DO(critical_make(stage, CRITICAL_HOME));
    DO(critical_make(stage, CRITICAL_PROVIDER));
    DO(critical_make(stage, CRITICAL_SERVICE));
    AWAIT_LABEL(CRITICAL_HOME, "true");
    DO(critical_make(stage, CRITICAL_WEBHOOK));
    AWAIT_CONDITION("Protected", "False CriterionNeverResolved");
    DO(critical_make(stage, CRITICAL_DEFINITION));
    AWAIT_CONDITION("Protected", "True Enforced");
    AWAIT("/status/criteria/1/state", "Unmet");
    DO(critical_make(stage, CRITICAL_CR));
    AWAIT("/status/criteria/0/state", "Unmet");
    return 0;
}

/* Objects of a kind that is stored and not served are still there, and so are their finalizers. */
static int a_kind_that_is_not_served_is_not_gone(struct critical_stage *stage)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("[{'op':'replace','path':'/spec/versions/0/served','value':false}]");
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];
    struct prb_error err;

    DO(make_all(stage));
    DO(critical_make(stage, CRITICAL_CR));
    AWAIT("/status/criteria/0/state", "Unmet");
    if (prb_api_patch(stage->api, &stage->refs[CRITICAL_DEFINITION], PRB_PATCH_JSON, patch, NULL,
                NULL, &err) < 0)
        return critical_fail(stage, "%s", err.msg);
    AWAIT("/status/criteria/0/state", "Unknown");
    return 0;
}

static struct prb_ref waiting(const struct critical_stage *stage, const char *name)
{
    struct prb_ref ref = stage->refs[CRITICAL_SERVICE];

    (void)snprintf(ref.name, sizeof(ref.name), "%s-%s", stage->id, name);
    return ref;
}

static int a_circle_shows_and_goes(struct critical_stage *stage)
{
    struct prb_ref a = waiting(stage, "a"), b = waiting(stage, "b");
    char other[PRB_NAMESPACE_SIZE];

    (void)snprintf(other, sizeof(other), "%.50s-other", stage->id);
    DO(critical_make_waiting(stage, "a", stage->id, other));
    DO(critical_await_condition(stage, &a, "Deadlock", "False NoCycle"));
    DO(critical_make_waiting(stage, "b", other, stage->id));
    DO(critical_await_condition(stage, &b, "Deadlock", "True Cycle"));
    DO(critical_await_condition(stage, &a, "Deadlock", "True Cycle"));
    DO(critical_await_event(stage, &a, "Deadlock"));
    DO(critical_delete(stage, &b));
    return critical_await_condition(stage, &a, "Deadlock", "False NoCycle");
}

static const struct {
    const char *name;
    int (*check)(struct critical_stage *stage);
} rows[] = {
    { "the status follows what happens", the_status_follows_what_happens },
    { "the label goes with what needed it", the_label_goes_with_what_needed_it },
    { "a label that was stripped comes back", a_label_that_was_stripped_comes_back },
    { "a kind may come later", a_kind_may_come_later },
    { "a kind that is not served is not gone", a_kind_that_is_not_served_is_not_gone },
    { "a circle shows on all members, and goes", a_circle_shows_and_goes },
};

static int writes_to(struct prb_watch_log *log, const char *name)
{
    int count = 0;

    for (size_t i = 0; i < prb_watch_log_count(log); i++)
        count += prb_streq(prb_object_name(prb_watch_log_at(log, i)->object), name);
    return count;
}

static int start_log(struct critical_stage *stage, struct prb_watch_log **ret)
{
    struct prb_error err;

    return prb_watch_log_start(stage->api, &stage->refs[CRITICAL_SERVICE].gvr, NULL, ret, &err) < 0
                   ? critical_fail(stage, "%s", err.msg)
                   : 0;
}

/* A reconciler that is started again reads everything anew, and must not talk about it. */
static int a_new_start_writes_nothing(struct critical_stage *stage, const struct target *target)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    prb_auto(critical_loop_stop) struct critical_loop loop = { .runner = NULL };
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];
    struct prb_ref probe = waiting(stage, "probe");
    int before;

    DO(make_all(stage));
    DO(critical_make(stage, CRITICAL_CR));
    DO(critical_make(stage, CRITICAL_WEBHOOK));
    DO(critical_loop_start(&loop, stage, target->api));
    AWAIT("/status/criteria/0/state", "Unmet");
    AWAIT_CONDITION("Protected", "True Enforced");
    critical_loop_stop(&loop);

    DO(start_log(stage, &log));
    if (!prb_watch_log_wait_for(log, PRB_WATCH_ADDED, stage->id, PRB_TEST_SOON_MS))
        return critical_fail(stage, "%s", prb_test_awaited());
    before = writes_to(log, stage->id);
    DO(critical_loop_start(&loop, stage, target->api));

    /* What is made now is looked at after all that was there. */
    DO(critical_make_waiting(stage, "probe", "nowhere", "nowhere"));
    DO(critical_await(stage, &probe, "/status/criteria/0/state", "Met"));
    DO(critical_delete(stage, &stage->refs[CRITICAL_CR]));
    AWAIT_CONDITION("ProviderAlive", "False ProviderDead");
    if (writes_to(log, stage->id) > before + 1)
        return critical_fail(stage, "%d writes instead of the one for what happened",
                writes_to(log, stage->id) - before);
    return 0;
}

static int many_that_go_are_few_writes(struct critical_stage *stage, const struct target *target)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    prb_auto(critical_loop_stop) struct critical_loop loop = { .runner = NULL };
    const struct prb_ref *service = &stage->refs[CRITICAL_SERVICE];
    int64_t began;
    int before, allowed;

    DO(make_all(stage));
    DO(critical_make_crs(stage, MANY));
    DO(critical_loop_start(&loop, stage, target->api));
    AWAIT("/status/criteria/0/more", "true");
    DO(start_log(stage, &log));
    if (!prb_watch_log_wait_for(log, PRB_WATCH_ADDED, stage->id, PRB_TEST_SOON_MS))
        return critical_fail(stage, "%s", prb_test_awaited());
    before = writes_to(log, stage->id);
    began = prb_test_now_ms();
    for (int i = 0; i < MANY; i++) {
        struct prb_ref cr = critical_cr(stage, i);

        DO(critical_release(stage, &cr));
    }
    AWAIT("/status/criteria/0/state", "Met");

    /* Labels, the end, the last of the many, and one in two seconds, as seconds are counted. */
    allowed = 5 + (int)((prb_test_now_ms() - began) / 1000);
    if (writes_to(log, stage->id) - before > allowed)
        return critical_fail(
                stage, "%d writes, %d are enough", writes_to(log, stage->id) - before, allowed);
    return 0;
}

static const struct {
    const char *name;
    int (*check)(struct critical_stage *stage, const struct target *target);
} lone_rows[] = {
    { "a new start writes nothing that is not news", a_new_start_writes_nothing },
    { "many that go are few writes", many_that_go_are_few_writes },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))
#define LONE_ROWS (sizeof(lone_rows) / sizeof(lone_rows[0]))

static const char *row_name(size_t row)
{
    return rows[row].name;
}

static const char *faulty_row_name(size_t row)
{
    static char names[ROWS][96];

    (void)snprintf(names[row], sizeof(names[row]), "behind faults, %s", rows[row].name);
    return names[row];
}

static const char *lone_row_name(size_t row)
{
    return lone_rows[row].name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    const struct target *target = ctx;
    struct critical_stage stage;

    critical_stage_open(&stage, target->direct, why);
    stage.lossy = target->lossy;
    (void)rows[row].check(&stage);
    critical_stage_close(&stage);
}

static void check_lone_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    const struct target *target = ctx;
    struct critical_stage stage;

    critical_stage_open(&stage, target->direct, why);
    (void)lone_rows[row].check(&stage, target);
    critical_stage_close(&stage);
}

/* All side by side, on one loop. */
static void run_rows(struct target *target, const char *only)
{
    prb_auto(critical_loop_stop) struct critical_loop loop = { .runner = NULL };
    char why[PRB_TEST_WHY_SIZE] = "";
    struct critical_stage stage = { .why = why };

    if (critical_loop_start(&loop, &stage, target->api) < 0) {
        (void)fprintf(stderr, "%s\n", why);
        abort();
    }
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = ROWS,
            .threads = (int)ROWS,
            .name = target->lossy ? faulty_row_name : row_name,
            .check = check_row,
            .ctx = target,
            .only = only,
            .several = true });
}

/* One after the other, each on a loop of its own: they count writes, and nobody else may. */
static void run_lone_rows(struct target *target, const char *only)
{
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = LONE_ROWS,
            .threads = 1,
            .name = lone_row_name,
            .check = check_lone_row,
            .ctx = target,
            .only = only,
            .several = true });
}

static int run_on_hub(const char *only)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    struct target target = { .api = prb_hub_api(hub), .direct = prb_hub_api(hub) };

    UNITY_BEGIN();
    run_rows(&target, only);
    run_lone_rows(&target, only);
    prb_test_table_expect(only);
    return UNITY_END();
}

/* The definition of CriticalServices, as the chart has it. */
static int install(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_api *api = ctx;
    static const struct prb_gvr gvr = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
    struct prb_ref ref;
    int r;

    (void)line;
    (void)prb_ref_init(&ref, &gvr, NULL, "criticalservices.probate.dev");
    r = prb_api_create(api, &ref, body, NULL, NULL, err);
    return r == PRB_E_EXISTS ? prb_api_patch(api, &ref, PRB_PATCH_MERGE, body, NULL, NULL, err) : r;
}

static int install_definition(struct prb_api *api, const char *path, struct prb_error *err)
{
    prb_autofree char *text = NULL;
    size_t len = 0;

    if (prb_file_read(path, 1 << 20, &text, &len, err) < 0)
        return err->code;
    return prb_yaml_read(text, len, install, api, err);
}

/* Each a few times: what is lost, refused, repeated or cut, of what the reconciler calls. */
static void add_faults(struct prb_fault_proxy *proxy)
{
    static const struct prb_fault_rule faults[] = {
        { PRB_FAULT_DROP_BEFORE, .verb = "patch", .resource = "criticalservices/status",
                .times = 2 },
        { PRB_FAULT_DROP_AFTER, .verb = "patch", .resource = "criticalservices/status",
                .times = 2 },
        { PRB_FAULT_ANSWER, .verb = "patch", .resource = "criticalservices/status", .status = 409,
                .times = 3 },
        { PRB_FAULT_ANSWER, .verb = "patch", .resource = "namespaces", .status = 500, .times = 2 },
        { PRB_FAULT_DROP_AFTER, .verb = "patch", .resource = "namespaces", .times = 2 },
        { PRB_FAULT_ANSWER, .verb = "list", .resource = "coolresources", .status = 503,
                .times = 2 },
        { PRB_FAULT_EXPIRE, .verb = "watch", .resource = "criticalservices", .times = 1 },
        { PRB_FAULT_REPEAT_EVENTS, .verb = "watch", .resource = "deployments" },
    };

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        (void)prb_fault_proxy_add(proxy, &faults[i]);
}

/* First without faults, then with them: two reconcilers at a time would see to each other's rows,
 * and what one of them writes without hearing so, the other has no Event for. */
static int run_on_cluster(const char *definition, const char *only)
{
    prb_auto(prb_test_proxied_close) struct prb_test_proxied world = { .proxy = NULL };
    struct target target;
    struct prb_error err;

    if (prb_test_proxied_open(&world, NULL, NULL, &err) < 0 ||
            install_definition(world.direct, definition, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    target = (struct target){ .api = world.api, .direct = world.direct };
    UNITY_BEGIN();
    run_rows(&target, only);
    add_faults(world.proxy);
    target.lossy = true;
    run_rows(&target, only);
    prb_test_table_expect(only);
    return UNITY_END();
}

int main(int argc, char **argv)
{
    const char *only = argc > 3 ? argv[3] : NULL;

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    if (argc > 2 && prb_streq(argv[1], "hub"))
        return run_on_hub(only);
    if (argc > 2 && prb_streq(argv[1], "cluster"))
        return run_on_cluster(argv[2], only);
    (void)fprintf(stderr, "usage: %s hub|cluster CRD-FILE [PART-OF-A-ROW'S-NAME]\n", argv[0]);
    return 2;
}
