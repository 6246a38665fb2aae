#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/judge.h"

#include "support/json_text.h"
#include "support/world.h"

/* ---- rules that say what they are told to ---- */

static const struct prb_rule_match widgets[] = {
    { .group = "example.org", .resource = "widgets", .operations = PRB_CREATE | PRB_UPDATE },
};
static const struct prb_rule_match widget_scale[] = {
    { .group = "example.org",
            .resource = "widgets",
            .operations = PRB_UPDATE,
            .subresource = "scale" },
};
static const struct prb_rule_match anything[] = {
    { .operations = PRB_CREATE },
};

static void forbid(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)view;
    (void)answers;
    prb_caution(out, "a warning of forbid");
    prb_forbid(out, "%s is forbidden", request->name);
}

static void find_invalid(const struct prb_rule_settings *settings,
        const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)request;
    (void)view;
    (void)answers;
    prb_caution(out, "a warning of invalid");
    prb_invalid(out, "spec.a", "is bad");
    prb_invalid(out, "spec.b", "is worse");
}

static void say_much(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    for (int i = 0; i < PRB_WARNINGS_MAX; i++)
        prb_caution(out, "warning %d", i);
    forbid(settings, request, view, answers, out);
}

static void find_fine(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)request;
    (void)view;
    (void)answers;
    prb_caution(out, "a warning of fine");
}

static const struct prb_ref guard_ref = { { "probate.dev", "v1alpha1", "criticalservices" }, "",
    "guard" };
static const struct prb_guard guard = { &guard_ref, "", "probate.dev/v1alpha1", "CriticalService",
    .unwritable = false };

static void forbid_with_notes(const struct prb_rule_settings *settings,
        const struct prb_request *asked, const struct prb_view *seen,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    forbid(settings, asked, seen, answers, out);
    prb_verdict_note(out, PRB_NOTE_DENIED, asked, &guard, "denied 1");
    prb_verdict_note(out, PRB_NOTE_DENIED, asked, &guard, "denied 2");
    prb_verdict_note(out, PRB_NOTE_OVERRIDDEN, asked, &guard, "of one that stood in no way");
}

static void let_pass(const struct prb_rule_settings *settings, const struct prb_request *asked,
        const struct prb_view *seen, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)seen;
    (void)answers;
    prb_verdict_note(out, PRB_NOTE_OVERRIDDEN, asked, &guard, "overridden");
    free(out->override_reason);
    out->override_reason = prb_asprintf("%01100d\n", 0);
}

static void let_pass_many(const struct prb_rule_settings *settings, const struct prb_request *asked,
        const struct prb_view *seen, const struct prb_questions *answers, struct prb_verdict *out)
{
    for (int i = 0; i < 2 * PRB_NOTES_MAX; i++)
        let_pass(settings, asked, seen, answers, out);
}

static void ask_about_kind(const struct prb_rule_settings *settings,
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out)
{
    (void)settings;
    (void)view;
    prb_ask_resource(out, request->gvr.group, "Asked");
}

static bool cover_claims(const struct prb_rule_settings *settings,
        const struct prb_request *request, const struct prb_view *view)
{
    (void)view;
    return settings->claim_count == 1 && prb_gvr_equal(&settings->claims[0], &request->gvr);
}

#define MATCHES(table) .matches = table, .match_count = sizeof(table) / sizeof((table)[0])

static const struct prb_rule rule_forbid = { .name = "forbid", MATCHES(widgets), .judge = forbid };
static const struct prb_rule rule_invalid = {
    .name = "invalid", MATCHES(widgets), .judge = find_invalid
};
static const struct prb_rule rule_much = { .name = "much", MATCHES(widgets), .judge = say_much };
static const struct prb_rule rule_fine = {
    .name = "fine", MATCHES(widgets), .ask = ask_about_kind, .judge = find_fine
};
static const struct prb_rule rule_notes = {
    .name = "notes", MATCHES(widgets), .judge = forbid_with_notes
};
static const struct prb_rule rule_pass = { .name = "pass", MATCHES(widgets), .judge = let_pass };
static const struct prb_rule rule_pass_many = {
    .name = "pass-many", MATCHES(widgets), .judge = let_pass_many
};
static const struct prb_rule rule_scale = {
    .name = "scale", MATCHES(widget_scale), .judge = forbid
};
static const struct prb_rule rule_claims = {
    .name = "claims", MATCHES(anything), .covers = cover_claims, .judge = forbid
};

/* ---- one review ---- */

static struct prb_world *world;
static struct prb_view *view;
static struct prb_request *request;
static struct prb_questions questions;
static struct prb_verdict verdict;

static struct prb_request *make_request(enum prb_operation operation, const char *resource)
{
    struct prb_request *made = prb_calloc(1, sizeof(*made));

    made->uid = prb_strdup("u");
    made->operation = operation;
    (void)prb_gvr_init(&made->gvr, "example.org", "v1", resource);
    made->kind = prb_strdup("Widget");
    made->subresource = prb_strdup("");
    made->name = prb_strdup("w");
    made->namespace = prb_strdup("n");
    made->subject = prb_subject_new(
            prb_strdup("alice"), prb_strdup(""), prb_calloc(1, sizeof(char *)), NULL);
    return made;
}

static struct prb_object *object_of(const char *metadata)
{
    struct prb_object *made = NULL;
    struct prb_error err;

    (void)prb_object_draft(prb_test_json("{'metadata':%s}", metadata), &made, &err);
    return made;
}

static void decide(const struct prb_rule_entry *entries, size_t count)
{
    struct prb_judge judge = { .entries = entries, .count = count };

    prb_judge_ask(&judge, request, view, &questions);
    prb_judge_decide(&judge, request, view, &questions, &verdict);
}

void setUp(void)
{
    world = prb_world_new("");
    view = prb_world_view(world, 0);
    request = make_request(PRB_UPDATE, "widgets");
    request->object = object_of("{'name':'w'}");
    request->old = object_of("{'name':'w'}");
    prb_questions_init(&questions);
    prb_verdict_init(&verdict);
}

void tearDown(void)
{
    prb_view_close(view);
    prb_world_free(world);
    prb_request_free(request);
    prb_questions_done(&questions);
    prb_verdict_done(&verdict);
}

static void set_operation(enum prb_operation operation, const char *resource)
{
    prb_request_free(request);
    request = make_request(operation, resource);
}

static void set_old(const char *metadata)
{
    prb_object_unref(request->old);
    request->old = object_of(metadata);
}

static void test_a_rule_matches_by_operation_resource_and_subresource(void)
{
    static const struct {
        const char *name, *resource, *subresource;
        enum prb_operation operation;
        bool matches, scale_matches;
    } cases[] = {
        { "its kind", "widgets", "", PRB_UPDATE, true, false },
        { "another operation", "widgets", "", PRB_DELETE, false, false },
        { "another kind", "gadgets", "", PRB_UPDATE, false, false },
        { "a subresource that no rule names", "widgets", "status", PRB_UPDATE, false, false },
        { "a subresource that a rule names", "widgets", "scale", PRB_UPDATE, false, true },
    };
    struct prb_rule_settings none = { .claims = NULL };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set_operation(cases[i].operation, cases[i].resource);
        free(request->subresource);
        request->subresource = prb_strdup(cases[i].subresource);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].matches,
                prb_rule_matches(&rule_forbid, &none, request, view), cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].scale_matches,
                prb_rule_matches(&rule_scale, &none, request, view), cases[i].name);
    }
}

static void test_every_version_and_no_other_group_matches(void)
{
    struct prb_rule_settings none = { .claims = NULL };

    (void)prb_gvr_init(&request->gvr, "example.org", "v9", "widgets");
    TEST_ASSERT_TRUE(prb_rule_matches(&rule_forbid, &none, request, view));
    (void)prb_gvr_init(&request->gvr, "example.com", "v1", "widgets");
    TEST_ASSERT_FALSE(prb_rule_matches(&rule_forbid, &none, request, view));
}

static void test_no_rule_has_a_say_in_an_exempt_namespace(void)
{
    const char *exempt[] = { "kube-system", "n" };
    struct prb_rule_settings settings = { .exempt_namespaces = exempt, .exempt_count = 1 };

    set_operation(PRB_UPDATE, "widgets");
    TEST_ASSERT_TRUE_MESSAGE(
            prb_rule_matches(&rule_forbid, &settings, request, view), "another namespace");
    settings.exempt_count = 2;
    TEST_ASSERT_FALSE(prb_rule_matches(&rule_forbid, &settings, request, view));
    free(request->namespace);
    request->namespace = prb_strdup("");
    TEST_ASSERT_TRUE_MESSAGE(
            prb_rule_matches(&rule_forbid, &settings, request, view), "cluster-scoped");
}

static void test_a_rule_without_a_resource_says_itself_what_it_covers(void)
{
    struct prb_gvr claim = { "example.org", "v1", "buckets" };
    struct prb_rule_settings settings = { .claims = &claim, .claim_count = 1 };

    set_operation(PRB_CREATE, "buckets");
    TEST_ASSERT_TRUE(prb_rule_matches(&rule_claims, &settings, request, view));
    settings.claim_count = 0;
    TEST_ASSERT_FALSE(prb_rule_matches(&rule_claims, &settings, request, view));
    settings.claim_count = 1;
    set_operation(PRB_UPDATE, "buckets");
    TEST_ASSERT_FALSE(prb_rule_matches(&rule_claims, &settings, request, view));
}

static void test_the_first_denial_in_the_order_of_the_table_stands(void)
{
    const struct prb_rule_entry entries[] = { { &rule_fine, PRB_MODE_DENY },
        { &rule_invalid, PRB_MODE_DENY }, { &rule_forbid, PRB_MODE_DENY } };

    decide(entries, 3);

    TEST_ASSERT_EQUAL_INT(PRB_DENY_INVALID, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("invalid", verdict.rule);
    TEST_ASSERT_EQUAL_STRING("spec.a: is bad; spec.b: is worse", verdict.message);
    TEST_ASSERT_EQUAL_size_t(2, verdict.cause_count);
    TEST_ASSERT_EQUAL_STRING("is worse", verdict.causes[1].message);
}

static void test_warnings_of_all_rules_are_kept(void)
{
    const struct prb_rule_entry entries[] = { { &rule_fine, PRB_MODE_DENY },
        { &rule_invalid, PRB_MODE_DENY }, { &rule_forbid, PRB_MODE_DENY } };

    decide(entries, 3);

    TEST_ASSERT_EQUAL_size_t(3, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("a warning of fine", verdict.warnings[0]);
    TEST_ASSERT_EQUAL_STRING("a warning of forbid", verdict.warnings[2]);
}

static void test_an_allowance_names_the_first_rule_that_had_a_say(void)
{
    const struct prb_rule_entry entries[] = { { &rule_scale, PRB_MODE_DENY },
        { &rule_fine, PRB_MODE_DENY } };

    decide(entries, 2);
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_EQUAL_STRING("fine", verdict.rule);
}

static void test_nobody_decides_where_no_rule_matches(void)
{
    const struct prb_rule_entry entries[] = { { &rule_scale, PRB_MODE_DENY } };

    decide(entries, 1);
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_NULL(verdict.rule);
    TEST_ASSERT_EQUAL_size_t(0, verdict.warning_count);
}

static void test_only_rules_that_match_ask(void)
{
    const struct prb_rule_entry entries[] = { { &rule_fine, PRB_MODE_DENY } };

    decide(entries, 1);
    TEST_ASSERT_NOT_NULL(prb_answer_resource(&questions, "example.org", "Asked"));

    prb_questions_done(&questions);
    set_operation(PRB_UPDATE, "gadgets");
    decide(entries, 1);
    TEST_ASSERT_EQUAL_size_t(0, questions.count);
}

static void test_a_request_for_one_rule_is_judged_by_it_alone(void)
{
    const struct prb_rule_entry entries[] = { { &rule_fine, PRB_MODE_DENY },
        { &rule_invalid, PRB_MODE_DENY }, { &rule_forbid, PRB_MODE_DENY } };

    request->only = prb_strdup("forbid");
    decide(entries, 3);
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("forbid", verdict.rule);
    TEST_ASSERT_EQUAL_size_t(1, verdict.warning_count);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, questions.count, "the others do not even ask");
}

static void test_warn_mode_allows_with_the_denial_as_a_warning(void)
{
    const struct prb_rule_entry entries[] = { { &rule_forbid, PRB_MODE_WARN } };

    decide(entries, 1);
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_EQUAL_size_t(2, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("would be refused (forbid): w is forbidden", verdict.warnings[0]);
    TEST_ASSERT_EQUAL_STRING("forbid: w is forbidden", verdict.audited);
    TEST_ASSERT_EQUAL_STRING("forbid", verdict.audited_rule);
}

static void test_in_warn_mode_other_warnings_do_not_crowd_out_the_denial(void)
{
    const struct prb_rule_entry entries[] = { { &rule_much, PRB_MODE_WARN } };

    decide(entries, 1);
    TEST_ASSERT_EQUAL_size_t(PRB_WARNINGS_MAX, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("would be refused (much): w is forbidden", verdict.warnings[0]);
}

static void test_audit_mode_allows_and_only_notes_it(void)
{
    const struct prb_rule_entry entries[] = { { &rule_invalid, PRB_MODE_AUDIT },
        { &rule_forbid, PRB_MODE_AUDIT } };

    decide(entries, 2);
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_NULL(verdict.message);
    TEST_ASSERT_EQUAL_size_t(0, verdict.cause_count);
    TEST_ASSERT_EQUAL_STRING("invalid: spec.a: is bad; spec.b: is worse", verdict.audited);
    TEST_ASSERT_EQUAL_size_t(2, verdict.warning_count);
}

static void test_a_rule_that_only_warns_does_not_hide_one_that_denies(void)
{
    const struct prb_rule_entry entries[] = { { &rule_invalid, PRB_MODE_WARN },
        { &rule_forbid, PRB_MODE_DENY } };

    decide(entries, 2);
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("forbid", verdict.rule);
    TEST_ASSERT_EQUAL_STRING("invalid", verdict.audited_rule);
}

static void test_what_is_being_deleted_is_not_refused_for_being_invalid(void)
{
    const struct prb_rule_entry entries[] = { { &rule_invalid, PRB_MODE_DENY } };

    set_old("{'name':'w','deletionTimestamp':'2026-01-01T00:00:00Z'}");
    decide(entries, 1);
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_NULL(verdict.audited);
}

static void test_what_is_being_deleted_can_be_refused_for_another_reason(void)
{
    const struct prb_rule_entry entries[] = { { &rule_invalid, PRB_MODE_DENY },
        { &rule_forbid, PRB_MODE_DENY } };

    set_old("{'name':'w','deletionTimestamp':'2026-01-01T00:00:00Z'}");
    decide(entries, 2);
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("forbid", verdict.rule);
}

static void test_only_the_stored_object_says_that_it_is_being_deleted(void)
{
    prb_object_unref(request->object);
    request->object = object_of("{'name':'w','deletionTimestamp':'2026-01-01T00:00:00Z'}");
    TEST_ASSERT_FALSE(prb_request_is_deleting(request));
    prb_object_unref(request->old);
    request->old = NULL;
    TEST_ASSERT_FALSE(prb_request_is_deleting(request));
    request->old = object_of("{'name':'w','deletionTimestamp':'2026-01-01T00:00:00Z'}");
    TEST_ASSERT_TRUE(prb_request_is_deleting(request));
}

/* The texts of all notes, in order. */
static const char *noted(void)
{
    static char all[256];
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, sizeof(all) - 1);
    for (size_t i = 0; i < verdict.note_count; i++)
        prb_str_addf(&text, "%s%s", i ? ", " : "", verdict.notes[i].text);
    (void)prb_copy(all, sizeof(all), prb_str_get(&text));
    return all;
}

static void test_only_what_came_true_is_noted(void)
{
    static const struct {
        const char *name;
        struct prb_rule_entry entries[2];
        size_t count;
        bool dry_run;
        const char *notes;
        const char *overridden; /* the rule; NULL: none */
    } cases[] = {
        { "a denial", { { &rule_notes, PRB_MODE_DENY } }, 1, false, "denied 1, denied 2", NULL },
        { "a denial on trial", { { &rule_notes, PRB_MODE_DENY } }, 1, true, "", NULL },
        { "a warning", { { &rule_notes, PRB_MODE_WARN } }, 1, false, "", NULL },
        { "an audit", { { &rule_notes, PRB_MODE_AUDIT } }, 1, false, "", NULL },
        { "a denial after another", { { &rule_forbid, PRB_MODE_DENY }, { &rule_notes, 0 } }, 2,
                false, "", NULL },
        { "a denial before another", { { &rule_notes, PRB_MODE_DENY }, { &rule_forbid, 0 } }, 2,
                false, "denied 1, denied 2", NULL },
        { "an override", { { &rule_pass, PRB_MODE_DENY } }, 1, false, "overridden", "pass" },
        { "an override of the second", { { &rule_fine, PRB_MODE_DENY }, { &rule_pass, 0 } }, 2,
                false, "overridden", "pass" },
        { "an override on trial", { { &rule_pass, PRB_MODE_DENY } }, 1, true, "", "pass" },
        { "an override of a warning", { { &rule_pass, PRB_MODE_WARN } }, 1, false, "", NULL },
        { "an override of an audit", { { &rule_pass, PRB_MODE_AUDIT } }, 1, false, "", NULL },
        { "an override in vain", { { &rule_pass, PRB_MODE_DENY }, { &rule_notes, 0 } }, 2, false,
                "denied 1, denied 2", NULL },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_verdict_done(&verdict);
        request->dry_run = cases[i].dry_run;
        decide(cases[i].entries, cases[i].count);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].notes, noted(), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].overridden, verdict.override_rule, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].overridden != NULL, verdict.override_reason != NULL, cases[i].name);
    }
}

static void test_of_many_that_were_gone_past_all_are_noted(void)
{
    const struct prb_rule_entry entries[] = { { &rule_pass_many, PRB_MODE_DENY } };

    decide(entries, 1);
    TEST_ASSERT_EQUAL_size_t(2 * PRB_NOTES_MAX, verdict.note_count);
}

static void test_the_reason_of_an_override_is_one_line_that_fits(void)
{
    const struct prb_rule_entry entries[] = { { &rule_pass, PRB_MODE_DENY } };

    decide(entries, 1);
    TEST_ASSERT_NOT_NULL(verdict.override_reason);
    if (verdict.override_reason) {
        TEST_ASSERT_LESS_THAN_size_t(PRB_OVERRIDE_SIZE, strlen(verdict.override_reason));
        TEST_ASSERT_NULL(strchr(verdict.override_reason, '\n'));
    }
}

static void test_operations_have_the_names_of_the_api(void)
{
    TEST_ASSERT_EQUAL_STRING("CREATE", prb_operation_name(PRB_CREATE));
    TEST_ASSERT_EQUAL_STRING("UPDATE", prb_operation_name(PRB_UPDATE));
    TEST_ASSERT_EQUAL_STRING("DELETE", prb_operation_name(PRB_DELETE));
    TEST_ASSERT_EQUAL_STRING("CONNECT", prb_operation_name(PRB_CONNECT));
}

static void test_modes_are_read_exactly(void)
{
    static const struct {
        const char *text;
        int mode; /* -1: none */
    } modes[] = {
        { "deny", PRB_MODE_DENY },
        { "warn", PRB_MODE_WARN },
        { "audit", PRB_MODE_AUDIT },
        { "Deny", -1 },
        { "", -1 },
    };

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        enum prb_rule_mode mode = PRB_MODE_AUDIT;
        bool read = prb_rule_mode_parse(modes[i].text, &mode);

        TEST_ASSERT_EQUAL_INT_MESSAGE(modes[i].mode, read ? (int)mode : -1, modes[i].text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_rule_matches_by_operation_resource_and_subresource);
    RUN_TEST(test_every_version_and_no_other_group_matches);
    RUN_TEST(test_no_rule_has_a_say_in_an_exempt_namespace);
    RUN_TEST(test_a_rule_without_a_resource_says_itself_what_it_covers);
    RUN_TEST(test_the_first_denial_in_the_order_of_the_table_stands);
    RUN_TEST(test_warnings_of_all_rules_are_kept);
    RUN_TEST(test_an_allowance_names_the_first_rule_that_had_a_say);
    RUN_TEST(test_nobody_decides_where_no_rule_matches);
    RUN_TEST(test_only_rules_that_match_ask);
    RUN_TEST(test_a_request_for_one_rule_is_judged_by_it_alone);
    RUN_TEST(test_warn_mode_allows_with_the_denial_as_a_warning);
    RUN_TEST(test_in_warn_mode_other_warnings_do_not_crowd_out_the_denial);
    RUN_TEST(test_audit_mode_allows_and_only_notes_it);
    RUN_TEST(test_a_rule_that_only_warns_does_not_hide_one_that_denies);
    RUN_TEST(test_what_is_being_deleted_is_not_refused_for_being_invalid);
    RUN_TEST(test_what_is_being_deleted_can_be_refused_for_another_reason);
    RUN_TEST(test_only_the_stored_object_says_that_it_is_being_deleted);
    RUN_TEST(test_only_what_came_true_is_noted);
    RUN_TEST(test_of_many_that_were_gone_past_all_are_noted);
    RUN_TEST(test_the_reason_of_an_override_is_one_line_that_fits);
    RUN_TEST(test_operations_have_the_names_of_the_api);
    RUN_TEST(test_modes_are_read_exactly);
    return UNITY_END();
}
