/* Is a review answered as its golden case expects? */

#include "golden.h"

#include <stdarg.h>
#include <stdio.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"
#include "probate/core/judge.h"
#include "probate/rules/registry.h"

#include "golden_hub.h"
#include "review_request.h"

/* Written by hand, all of them. */
#define FILE_MAX ((size_t)256 * 1024)

/* Rules there are, and claim kinds a case names, with room. */
#define RULES_MAX 16
#define CLAIMS_MAX 4

/* What a check has to say; only the first is kept. */
struct complaint {
    char *why;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void complain(
        const struct complaint *complaint, const char *fmt, ...)
{
    va_list args;

    if (complaint->why[0])
        return;
    va_start(args, fmt);
    (void)vsnprintf(complaint->why, complaint->size, fmt, args);
    va_end(args);
}

/* ---- what a case may say ---- */

static const char *const case_keys[] = { "about", "world", "cache", "unsynced", "serves", "claims",
    "failures", "expect", NULL };
static const char *const expect_keys[] = { "allowed", "code", "rule", "says", "warns", "causes",
    "asks", "retry", NULL };

/* A misspelt key would make a case that checks nothing. */
static void check_keys(const struct complaint *complaint, const struct json_object *source,
        const char *const *known)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    if (!source)
        complain(complaint, "no case, or no expect in it");
    while (prb_json_next(source, &at, &started, &key, &value)) {
        bool found = false;

        for (size_t i = 0; known[i]; i++)
            found = found || prb_streq(known[i], key);
        if (!found)
            complain(complaint, "a case has no member %s", key);
    }
}

/* ---- what came of it ---- */

static bool contains(const char *text, const char *fragment)
{
    return text && fragment && strstr(text, fragment);
}

static void check_line(const struct complaint *complaint, const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            complain(complaint, "a control character in: %s", text);
    }
}

static void check_says(const struct complaint *complaint, const struct json_object *says,
        const struct prb_verdict *verdict)
{
    for (size_t i = 0; i < prb_json_len(says); i++) {
        const char *fragment = prb_json_string(prb_json_elem(says, i));

        if (!contains(verdict->message, fragment))
            complain(complaint, "says not \"%s\" but: %s", fragment ? fragment : "(no string)",
                    verdict->message ? verdict->message : "(nothing)");
    }
    if (verdict->message)
        check_line(complaint, verdict->message);
}

static void check_warns(const struct complaint *complaint, const struct json_object *warns,
        const struct prb_verdict *verdict)
{
    if (prb_json_len(warns) != verdict->warning_count)
        complain(complaint, "%zu warnings, the first: %s", verdict->warning_count,
                verdict->warning_count ? verdict->warnings[0] : "(none)");
    for (size_t i = 0; i < verdict->warning_count; i++) {
        const char *fragment = prb_json_string(prb_json_elem(warns, i));

        check_line(complaint, verdict->warnings[i]);
        if (!contains(verdict->warnings[i], fragment))
            complain(complaint, "warns not \"%s\" but: %s", fragment ? fragment : "(no string)",
                    verdict->warnings[i]);
    }
}

static void check_causes(const struct complaint *complaint, const struct json_object *causes,
        const struct prb_verdict *verdict)
{
    if (prb_json_len(causes) != verdict->cause_count)
        complain(complaint, "%zu causes: %s", verdict->cause_count,
                verdict->message ? verdict->message : "(none)");
    for (size_t i = 0; i < verdict->cause_count; i++) {
        const char *field = prb_json_string(prb_json_elem(causes, i));

        if (!prb_streq(field, verdict->causes[i].field))
            complain(complaint, "cause not %s but %s", field ? field : "(none)",
                    verdict->causes[i].field);
    }
}

static void check_asks(const struct complaint *complaint, const struct json_object *asks,
        const struct prb_questions *questions)
{
    if (prb_json_len(asks) != questions->count)
        complain(complaint, "%zu questions", questions->count);
    for (size_t i = 0; i < questions->count; i++) {
        prb_autofree char *question = prb_golden_question(&questions->items[i]);
        const char *wanted = prb_json_string(prb_json_elem(asks, i));

        if (!prb_streq(wanted, question))
            complain(complaint, "asks not \"%s\" but \"%s\"", wanted ? wanted : "(no string)",
                    question);
    }
}

static void check_denial(const struct complaint *complaint, const struct json_object *expect,
        const char *directory, const struct prb_verdict *verdict)
{
    static const int codes[] = {
        [PRB_DENY_NOT] = 200,
        [PRB_DENY_FORBIDDEN] = 403,
        [PRB_DENY_INVALID] = 422,
        [PRB_DENY_UNAVAILABLE] = 503,
    };
    const char *rule = prb_json_str(expect, "rule");
    int64_t code = 200, retry = 0;
    bool allowed;

    if (!prb_json_bool(expect, "allowed", &allowed))
        complain(complaint, "the case does not say whether it is allowed");
    (void)prb_json_int(expect, "code", &code);
    (void)prb_json_int(expect, "retry", &retry);
    if (allowed != prb_verdict_allows(verdict) || code != codes[verdict->denial])
        complain(complaint, "code %d: %s", codes[verdict->denial],
                verdict->message ? verdict->message : "allowed");
    if (retry != verdict->retry_after_s)
        complain(complaint, "retry after %d s", verdict->retry_after_s);
    if (!allowed && !prb_json_len(prb_json_arr(expect, "says")))
        complain(complaint, "the case does not say what the denial says");
    if (!allowed && !prb_streq(verdict->rule, rule ? rule : directory))
        complain(complaint, "decided by %s", verdict->rule ? verdict->rule : "(none)");
}

/* ---- the way there ---- */

static size_t read_claims(const struct json_object *source, struct prb_gvr claims[CLAIMS_MAX])
{
    const struct json_object *list = prb_json_arr(source, "claims");
    size_t count = 0;

    while (count < CLAIMS_MAX && count < prb_json_len(list) &&
            prb_gvr_parse(prb_json_string(prb_json_elem(list, count)), &claims[count]))
        count++;
    return count;
}

static void decide(const struct json_object *source, const struct prb_request *request,
        struct prb_questions *questions, struct prb_verdict *verdict)
{
    prb_auto(prb_golden_hub_free) struct prb_golden_hub *hub = prb_golden_hub_new(source);
    struct prb_rule_entry entries[RULES_MAX] = { { .rule = NULL } };
    struct prb_gvr claims[CLAIMS_MAX];
    struct prb_judge judge = { .entries = entries, .settings.claims = claims };
    const struct prb_rule *const *rules = prb_rules(&judge.count);
    struct prb_view *view;

    for (size_t i = 0; i < judge.count; i++)
        entries[i].rule = rules[i];
    judge.settings.claim_count = read_claims(source, claims);
    view = prb_golden_hub_view(hub);
    prb_judge_ask(&judge, request, view, questions);
    prb_view_close(view);
    prb_golden_hub_answer(hub, questions);
    view = prb_golden_hub_view(hub);
    prb_judge_decide(&judge, request, view, questions, verdict);
    prb_view_close(view);
}

static void check_review(
        const struct complaint *complaint, const struct json_object *review, const char *directory)
{
    const struct json_object *source = prb_json_obj(review, "case");
    const struct json_object *expect = prb_json_obj(source, "expect");
    prb_auto(prb_request_free) struct prb_request *request = prb_test_request(review);
    prb_auto(prb_questions_done) struct prb_questions questions;
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_questions_init(&questions);
    prb_verdict_init(&verdict);
    check_keys(complaint, source, case_keys);
    check_keys(complaint, expect, expect_keys);
    decide(source, request, &questions, &verdict);
    check_denial(complaint, expect, directory, &verdict);
    check_says(complaint, prb_json_arr(expect, "says"), &verdict);
    check_causes(complaint, prb_json_arr(expect, "causes"), &verdict);
    check_warns(complaint, prb_json_arr(expect, "warns"), &verdict);
    check_asks(complaint, prb_json_arr(expect, "asks"), &questions);
}

void prb_golden_check(const char *path, const char *directory, char *why, size_t size)
{
    struct complaint complaint = { .why = why, .size = size };
    prb_auto(prb_json_free) struct json_object *review = NULL;
    prb_autofree char *text = NULL;
    struct prb_error err;
    size_t len;

    why[0] = '\0';
    if (prb_file_read(path, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_parse(text, len, &review, &err) < 0)
        complain(&complaint, "%s", err.msg);
    else
        check_review(&complaint, review, directory);
}
