/* Is an outcome what its golden case expects? */

#include "golden_expect.h"

#include <stdarg.h>
#include <stdio.h>

#include "probate/base/str.h"

#include "golden_hub.h"

void prb_complain(const struct prb_complaint *complaint, const char *fmt, ...)
{
    va_list args;

    if (complaint->why[0])
        return;
    va_start(args, fmt);
    (void)vsnprintf(complaint->why, complaint->size, fmt, args);
    va_end(args);
}

/* ---- what a case may say ---- */

static const char *const case_keys[] = { "about", "world", "cache", "unsynced", "route", "serves",
    "claims", "failures", "access", "expect", NULL };
static const char *const expect_keys[] = { "allowed", "code", "rule", "says", "warns", "causes",
    "asks", "retry", "override", "notes", NULL };

static const char *const note_keys[] = { "type", "guard", "says", NULL };

/* A misspelt key would make a case that checks nothing. */
static void check_keys(const struct prb_complaint *complaint, const struct json_object *source,
        const char *const *known)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    if (!source)
        prb_complain(complaint, "no case, or no expect in it");
    while (prb_json_next(source, &at, &started, &key, &value)) {
        bool found = false;

        for (size_t i = 0; known[i]; i++)
            found = found || prb_streq(known[i], key);
        if (!found)
            prb_complain(complaint, "a case has no member %s", key);
    }
}

/* ---- what came of it ---- */

static bool contains(const char *text, const char *fragment)
{
    return text && fragment && strstr(text, fragment);
}

static void check_line(const struct prb_complaint *complaint, const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            prb_complain(complaint, "a control character in: %s", text);
    }
}

static void check_says(const struct prb_complaint *complaint, const struct json_object *says,
        const struct prb_verdict *verdict)
{
    for (size_t i = 0; i < prb_json_len(says); i++) {
        const char *fragment = prb_json_string(prb_json_elem(says, i));

        if (!contains(verdict->message, fragment))
            prb_complain(complaint, "says not \"%s\" but: %s", fragment ? fragment : "(no string)",
                    verdict->message ? verdict->message : "(nothing)");
    }
    if (verdict->message)
        check_line(complaint, verdict->message);
}

static void check_warns(const struct prb_complaint *complaint, const struct json_object *warns,
        const struct prb_verdict *verdict)
{
    if (prb_json_len(warns) != verdict->warning_count)
        prb_complain(complaint, "%zu warnings, the first: %s", verdict->warning_count,
                verdict->warning_count ? verdict->warnings[0] : "(none)");
    for (size_t i = 0; i < verdict->warning_count; i++) {
        const char *fragment = prb_json_string(prb_json_elem(warns, i));

        check_line(complaint, verdict->warnings[i]);
        if (!contains(verdict->warnings[i], fragment))
            prb_complain(complaint, "warns not \"%s\" but: %s", fragment ? fragment : "(no string)",
                    verdict->warnings[i]);
    }
}

static void check_causes(const struct prb_complaint *complaint, const struct json_object *causes,
        const struct prb_verdict *verdict)
{
    if (prb_json_len(causes) != verdict->cause_count)
        prb_complain(complaint, "%zu causes: %s", verdict->cause_count,
                verdict->message ? verdict->message : "(none)");
    for (size_t i = 0; i < verdict->cause_count; i++) {
        const char *field = prb_json_string(prb_json_elem(causes, i));

        if (!prb_streq(field, verdict->causes[i].field))
            prb_complain(complaint, "cause not %s but %s", field ? field : "(none)",
                    verdict->causes[i].field);
    }
}

static void check_asks(const struct prb_complaint *complaint, const struct json_object *asks,
        const struct prb_questions *questions)
{
    if (prb_json_len(asks) != questions->count)
        prb_complain(complaint, "%zu questions", questions->count);
    for (size_t i = 0; i < questions->count; i++) {
        prb_autofree char *question = prb_golden_question(&questions->items[i]);
        const char *wanted = prb_json_string(prb_json_elem(asks, i));

        if (!prb_streq(wanted, question))
            prb_complain(complaint, "asks not \"%s\" but \"%s\"", wanted ? wanted : "(no string)",
                    question);
    }
}

static void check_override(const struct prb_complaint *complaint, const struct json_object *expect,
        const struct prb_verdict *verdict)
{
    const char *wanted = prb_json_str(expect, "override");

    if (!prb_streq(wanted, verdict->override_reason))
        prb_complain(complaint, "overridden because of: %s",
                verdict->override_reason ? verdict->override_reason : "(not at all)");
}

static void check_note(const struct prb_complaint *complaint, const struct json_object *wanted,
        const struct prb_note *note)
{
    const char *type = note->type == PRB_NOTE_DENIED ? "denied" : "overridden";

    if (!prb_streq(prb_json_str(wanted, "type"), type) ||
            !prb_streq(prb_json_str(wanted, "guard"), note->guard.name))
        prb_complain(complaint, "notes that %s %s: %s", note->guard.name, type, note->text);
    if (prb_json_has(wanted, "says") && !contains(note->text, prb_json_str(wanted, "says")))
        prb_complain(
                complaint, "notes not \"%s\" but: %s", prb_json_str(wanted, "says"), note->text);
}

static void check_notes(const struct prb_complaint *complaint, const struct json_object *notes,
        const struct prb_verdict *verdict)
{
    if (prb_json_len(notes) != verdict->note_count)
        prb_complain(complaint, "%zu notes, the first: %s", verdict->note_count,
                verdict->note_count ? verdict->notes[0].text : "(none)");
    for (size_t i = 0; i < verdict->note_count && i < prb_json_len(notes); i++) {
        check_keys(complaint, prb_json_elem(notes, i), note_keys);
        check_note(complaint, prb_json_elem(notes, i), &verdict->notes[i]);
    }
}

static void check_denial(const struct prb_complaint *complaint, const struct json_object *expect,
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
        prb_complain(complaint, "the case does not say whether it is allowed");
    (void)prb_json_int(expect, "code", &code);
    (void)prb_json_int(expect, "retry", &retry);
    if (allowed != prb_verdict_allows(verdict) || code != codes[verdict->denial])
        prb_complain(complaint, "code %d: %s", codes[verdict->denial],
                verdict->message ? verdict->message : "allowed");
    if (retry != verdict->retry_after_s)
        prb_complain(complaint, "retry after %d s", verdict->retry_after_s);
    if (!allowed && !prb_json_len(prb_json_arr(expect, "says")))
        prb_complain(complaint, "the case does not say what the denial says");
    if (!allowed && !prb_streq(verdict->rule, rule ? rule : directory))
        prb_complain(complaint, "decided by %s", verdict->rule ? verdict->rule : "(none)");
}

void prb_golden_expect(const struct prb_complaint *complaint, const struct json_object *source,
        const char *rule, const struct prb_outcome *outcome)
{
    const struct json_object *expect = prb_json_obj(source, "expect");

    check_keys(complaint, source, case_keys);
    check_keys(complaint, expect, expect_keys);
    check_denial(complaint, expect, rule, &outcome->verdict);
    check_says(complaint, prb_json_arr(expect, "says"), &outcome->verdict);
    check_causes(complaint, prb_json_arr(expect, "causes"), &outcome->verdict);
    check_warns(complaint, prb_json_arr(expect, "warns"), &outcome->verdict);
    check_asks(complaint, prb_json_arr(expect, "asks"), &outcome->questions);
    check_override(complaint, expect, &outcome->verdict);
    check_notes(complaint, prb_json_arr(expect, "notes"), &outcome->verdict);
}
