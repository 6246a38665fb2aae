/* Finalizers of ours on policies that are not carried out: which are taken off, and is it told? */

#include <string.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/hub/hub.h"
#include "probate/model/policy.h"
#include "probate/reconcilers/policy.h"

#include "../control/log_file.h"
#include "policy_release.h"
#include "support/json_text.h"

static const struct prb_gvr policies = { PRB_POLICY_GROUP, "v1", "configurationpolicies" };
static const struct prb_gvr events = { "", "v1", "events" };

static struct prb_hub *hub;
static struct prb_error err;
static int calls_left; /* until it may not go on */
static int lists;      /* that were refused */
static int changes;    /* by somebody else */

void setUp(void)
{
    hub = prb_hub_new(NULL);
    err = (struct prb_error){ 0 };
    calls_left = 1000;
    lists = changes = 0;
}

void tearDown(void)
{
    prb_hub_free(hub);
}

static bool goes_on(void *ctx)
{
    (void)ctx;
    return calls_left-- > 0;
}

static struct prb_policy_release begin(struct prb_recorder *recorder)
{
    return (struct prb_policy_release){
        .api = prb_hub_api(hub), .keep = "c1", .recorder = recorder, .go_on = goes_on
    };
}

/* A policy with finalizers ("a, b"), which managers say they own. */
static int put(const char *namespace, const char *more, const char *finalizers, const char *fields)
{
    prb_autofree char *yaml = prb_asprintf(
            "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n---\n"
            "apiVersion: " PRB_POLICY_GROUP "/v1\nkind: ConfigurationPolicy\nmetadata:\n"
            "  name: p\n  namespace: %s\n  uid: u-%s\n%s  finalizers: [%s]\n"
            "  managedFields:\n%s"
            "spec: {remediationAction: enforce, pruneObjectBehavior: DeleteAll, object-templates: "
            "[]}\n",
            namespace, namespace, namespace, more, finalizers, fields);

    return prb_hub_load_text(hub, yaml, strlen(yaml), &err);
}

#define FIELDS(manager, finalizer)                                                   \
    "  - {manager: " manager ", operation: Update, fieldsType: FieldsV1, fieldsV1: " \
    "{'f:metadata': {'f:finalizers': {'.': {}, 'v:\"" finalizer "\"': {}}}}}\n"
#define DELETING "  deletionTimestamp: 2026-01-02T03:04:05Z\n"
#define OURS PRB_POLICY_FINALIZER

/* Its finalizers, with commas; "gone". The caller frees. */
static char *finalizers_in(const char *namespace)
{
    prb_auto(prb_object_unref) struct prb_object *policy = NULL;
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_ref ref;

    prb_str_init(&text, 1024);
    if (!prb_ref_init(&ref, &policies, namespace, "p") ||
            prb_api_get(prb_hub_api(hub), &ref, NULL, &policy, &err) < 0)
        return prb_strdup("gone");
    for (size_t i = 0; i < prb_object_finalizer_count(policy); i++)
        prb_str_addf(&text, "%s%s", i > 0 ? "," : "", prb_object_finalizer_at(policy, i));
    return prb_str_take(&text);
}

static void test_only_what_probate_put_there_is_taken_off_and_only_elsewhere(void)
{
    static const struct {
        const char *what, *namespace, *more, *finalizers, *fields, *left;
    } cases[] = {
        { "ours", "tenant", "", OURS, FIELDS("probate", OURS), "" },
        { "ours among others", "tenant", "", "x.io/a, " OURS ", x.io/b", FIELDS("probate", OURS),
                "x.io/a,x.io/b" },
        { "in the namespace that is carried out", "c1", "", OURS, FIELDS("probate", OURS), OURS },
        { "of one that is being deleted", "tenant", DELETING, OURS, FIELDS("probate", OURS),
                "gone" },
        { "the reference controller's", "tenant", "", OURS,
                FIELDS("config-policy-controller", OURS), OURS },
        { "the reference controller's, deleting", "tenant", DELETING, OURS,
                FIELDS("config-policy-controller", OURS), OURS },
        { "of both", "tenant", "", OURS,
                FIELDS("probate", OURS) FIELDS("config-policy-controller", OURS), OURS },
        { "of both, the other first", "tenant", "", OURS,
                FIELDS("config-policy-controller", OURS) FIELDS("probate", OURS), OURS },
        { "of nobody", "tenant", "", OURS, "  - {manager: probate}\n", OURS },
        { "another finalizer of ours", "tenant", "", OURS, FIELDS("probate", "x.io/a"), OURS },
        { "none at all", "tenant", "", "", FIELDS("probate", OURS), "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_policy_release release;
        prb_autofree char *left = NULL;

        prb_hub_free(hub);
        hub = prb_hub_new(NULL);
        release = begin(NULL);
        TEST_ASSERT_EQUAL_MESSAGE(0,
                put(cases[i].namespace, cases[i].more, cases[i].finalizers, cases[i].fields),
                cases[i].what);
        TEST_ASSERT_EQUAL_MESSAGE(0, prb_policy_release_sweep(&release, &err), cases[i].what);
        left = finalizers_in(cases[i].namespace);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].left, left, cases[i].what);
    }
}

/* The notes of all Events, as lines. The caller frees. */
static char *notes(void)
{
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_str_done) struct prb_str text;

    prb_page_init(&page);
    prb_str_init(&text, 4096);
    TEST_ASSERT_EQUAL(0, prb_api_list(prb_hub_api(hub), &events, NULL, &page, &err));
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *tree = prb_object_tree(page.objects[i]);

        prb_str_addf(&text, "%s %s: %s\n", prb_object_namespace(page.objects[i]),
                prb_json_str(tree, "reason"), prb_json_str(tree, "message"));
    }
    return prb_str_take(&text);
}

static void test_an_event_says_so(void)
{
    prb_auto(prb_recorder_free) struct prb_recorder *recorder =
            prb_recorder_new(prb_hub_api(hub), "probate", NULL);
    struct prb_policy_release release = begin(recorder);
    prb_autofree char *said = NULL;

    TEST_ASSERT_EQUAL(0, put("tenant", "", OURS, FIELDS("probate", OURS)));
    TEST_ASSERT_EQUAL(0, put("c1", "", OURS, FIELDS("probate", OURS)));
    TEST_ASSERT_EQUAL(0, prb_policy_release_sweep(&release, &err));
    prb_recorder_stop(recorder, 5000);
    said = notes();
    TEST_ASSERT_EQUAL_STRING("tenant PolicyReleased: Probate carries out the policies of namespace "
                             "c1 only. Its finalizer " OURS
                             " is taken off this one, and nothing is pruned\n",
            said);
}

static void test_it_is_done_once(void)
{
    struct prb_policy_release release = begin(NULL);
    prb_autofree char *first = NULL, *second = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    prb_policy_release_tend(&release);
    TEST_ASSERT_TRUE(release.done);
    TEST_ASSERT_EQUAL(0, put("west", "", OURS, FIELDS("probate", OURS)));
    release.due_ms = 0;
    prb_policy_release_tend(&release);
    first = finalizers_in("east");
    second = finalizers_in("west");
    TEST_ASSERT_EQUAL_STRING("", first);
    TEST_ASSERT_EQUAL_STRING(OURS, second);
}

static void test_a_standby_looks_as_soon_as_it_leads(void)
{
    struct prb_policy_release release = begin(NULL);
    prb_autofree char *left = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    calls_left = 0;
    prb_policy_release_tend(&release);
    TEST_ASSERT_FALSE(release.done);
    calls_left = 1000;
    prb_policy_release_tend(&release);
    left = finalizers_in("east");
    TEST_ASSERT_EQUAL_STRING("", left);
}

/* One write is answered with this code. */
static int refuse(void *ctx, const struct prb_hub_write *write, struct prb_error *error)
{
    return prb_fail(error, *(const enum prb_errc *)ctx, "no %s", write->operation);
}

static void test_a_policy_that_changed_meanwhile_is_looked_at_again(void)
{
    static enum prb_errc code = PRB_E_CONFLICT;
    struct prb_policy_release release = begin(NULL);
    prb_autofree char *left = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    prb_hub_set_admission(hub, refuse, &code);
    prb_policy_release_tend(&release);
    TEST_ASSERT_FALSE(release.done);
    prb_hub_set_admission(hub, NULL, NULL);
    release.due_ms = 0;
    prb_policy_release_tend(&release);
    TEST_ASSERT_TRUE(release.done);
    left = finalizers_in("east");
    TEST_ASSERT_EQUAL_STRING("", left);
}

/* The log says so, and that is the end of it. */
static void test_a_right_that_is_missing_ends_it_and_the_log_says_so(void)
{
    static enum prb_errc code = PRB_E_FORBIDDEN;
    struct prb_policy_release release = begin(NULL);
    prb_autofree char *left = NULL;
    FILE *log = log_file_open();

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    prb_hub_set_admission(hub, refuse, &code);
    prb_policy_release_tend(&release);
    TEST_ASSERT_TRUE(release.done);
    left = finalizers_in("east");
    TEST_ASSERT_EQUAL_STRING(OURS, left);
    TEST_ASSERT_EQUAL(1, log_file_count(log, "a finalizer of Probate stays on a policy"));
    log_file_close(log);
}

/* Nobody may look: the log says so, and the program goes on without. */
static int forbid_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *error)
{
    (void)api;
    (void)options;
    (void)ret;
    lists++;
    return prb_fail(error, PRB_E_FORBIDDEN, "no %s for you", gvr->resource);
}

static void test_a_list_that_is_forbidden_ends_it_and_the_log_says_so(void)
{
    static const struct prb_api_ops ops = { .list = forbid_list };
    struct prb_api api = { .ops = &ops };
    struct prb_policy_release release = begin(NULL);
    FILE *log = log_file_open();

    release.api = &api;
    for (int i = 0; i < 2; i++) {
        release.due_ms = 0;
        prb_policy_release_tend(&release);
        TEST_ASSERT_TRUE(release.done);
    }
    TEST_ASSERT_EQUAL(1, lists);
    TEST_ASSERT_EQUAL(1, log_file_count(log, "have a finalizer of Probate could not be seen"));
    TEST_ASSERT_EQUAL(1, log_file_count(log, "no configurationpolicies for you"));
    log_file_close(log);
}

/* Between the list and the write. */
static int set_too(void *ctx, const struct prb_hub_write *write, struct prb_error *error)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'labels':{'seen':'true'}}}");
    struct prb_ref ref;

    (void)ctx;
    (void)error;
    if (changes++ == 0 && prb_ref_init(&ref, &policies, write->namespace, write->name))
        (void)prb_api_patch(prb_hub_api(hub), &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
    return 0;
}

/* Whoever changed it may have set the finalizer as well: that is for the next list to tell. */
static void test_what_changed_since_the_list_is_not_written(void)
{
    struct prb_policy_release release = begin(NULL);
    prb_autofree char *left = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    prb_hub_set_admission(hub, set_too, NULL);
    TEST_ASSERT_EQUAL(0, prb_policy_release_sweep(&release, &err));
    prb_hub_set_admission(hub, NULL, NULL);
    TEST_ASSERT_TRUE(release.again);
    left = finalizers_in("east");
    TEST_ASSERT_EQUAL_STRING(OURS, left);
}

int main(void)
{
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, 2);
    UNITY_BEGIN();
    RUN_TEST(test_only_what_probate_put_there_is_taken_off_and_only_elsewhere);
    RUN_TEST(test_an_event_says_so);
    RUN_TEST(test_it_is_done_once);
    RUN_TEST(test_a_standby_looks_as_soon_as_it_leads);
    RUN_TEST(test_a_policy_that_changed_meanwhile_is_looked_at_again);
    RUN_TEST(test_a_right_that_is_missing_ends_it_and_the_log_says_so);
    RUN_TEST(test_a_list_that_is_forbidden_ends_it_and_the_log_says_so);
    RUN_TEST(test_what_changed_since_the_list_is_not_written);
    return UNITY_END();
}
