/* Which rules have a say in a request, and what do they conclude together? */

#include "probate/core/judge.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "line.h"

/* As far as can be told without a view. */
static bool may_cover(const struct prb_rule_match *match, const struct prb_request *request)
{
    if (!(match->operations & request->operation))
        return false;
    if (!prb_streq(match->subresource ? match->subresource : "", request->subresource))
        return false;
    return !match->resource || (prb_streq(match->group, request->gvr.group) &&
                                       prb_streq(match->resource, request->gvr.resource));
}

static bool covers(const struct prb_rule_match *match, const struct prb_rule *rule,
        const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view)
{
    return may_cover(match, request) && (match->resource || rule->covers(settings, request, view));
}

static bool is_exempt(const struct prb_rule_settings *settings, const struct prb_request *request)
{
    for (size_t i = 0; i < settings->exempt_count; i++) {
        if (prb_streq(settings->exempt_namespaces[i], request->namespace))
            return true;
    }
    return false;
}

/* Is this match registered for exempt namespaces too? The self-test is, which is made in one. */
static bool reaches_exempt(const struct prb_rule *rule, const struct prb_rule_match *match)
{
    return rule->registrations && rule->registrations[match->registration].own_namespace;
}

bool prb_rule_match_covers(const struct prb_rule *rule, const struct prb_rule_match *match,
        const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view)
{
    return (reaches_exempt(rule, match) || !is_exempt(settings, request)) &&
           covers(match, rule, settings, request, view);
}

bool prb_rule_matches(const struct prb_rule *rule, const struct prb_rule_settings *settings,
        const struct prb_request *request, const struct prb_view *view)
{
    for (size_t i = 0; i < rule->match_count; i++) {
        if (prb_rule_match_covers(rule, &rule->matches[i], settings, request, view))
            return true;
    }
    return false;
}

/* Each rule may be registered by itself, at a path of its own, so that its name is in what the user
 * is told; then it alone judges that call. */
static bool is_asked(const struct prb_rule *rule, const struct prb_request *request)
{
    return !request->only || prb_streq(request->only, rule->name);
}

void prb_judge_ask(const struct prb_judge *judge, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    for (size_t i = 0; i < judge->count; i++) {
        const struct prb_rule *rule = judge->entries[i].rule;

        if (rule->ask && is_asked(rule, request) &&
                prb_rule_matches(rule, &judge->settings, request, view))
            rule->ask(&judge->settings, request, view, out);
    }
}

size_t prb_judge_reads(const struct prb_judge *judge, const struct prb_request *request,
        const char *const *ret[PRB_READS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < judge->count; i++) {
        const struct prb_rule *rule = judge->entries[i].rule;

        for (size_t m = 0; m < rule->match_count && is_asked(rule, request); m++) {
            const struct prb_rule_match *match = &rule->matches[m];

            if (!may_cover(match, request))
                continue;
            if (count == PRB_READS_MAX)
                abort(); /* rules are static: there is a test with all of them */
            ret[count++] = match->reads ? match->reads : rule->reads;
        }
    }
    return count;
}

/* Take the notes of this type into the whole verdict. Of each rule there are not too many. */
static void adopt_notes(struct prb_verdict *all, struct prb_verdict *one, enum prb_note_type type)
{
    for (size_t i = 0; i < one->note_count; i++) {
        if (one->notes[i].type != type)
            continue;
        all->notes = prb_realloc(all->notes, all->note_count + 1, sizeof(*all->notes));
        all->notes[all->note_count++] = one->notes[i];
        one->notes[i] = (struct prb_note){ .type = type }; /* theirs now */
    }
}

/* Take the denial of one rule into the whole verdict; the first one stands. */
static void adopt_denial(struct prb_verdict *all, struct prb_verdict *one)
{
    if (!prb_verdict_allows(all))
        return;
    adopt_notes(all, one, PRB_NOTE_DENIED);
    all->denial = one->denial;
    all->rule = one->rule;
    all->message = prb_take(one->message);
    all->retry_after_s = one->retry_after_s;
    memcpy(all->causes, one->causes, sizeof(all->causes));
    all->cause_count = one->cause_count;
    one->cause_count = 0; /* theirs now */
}

/* Somebody went past this rule; past one that only warns nobody has to. */
static void adopt_override(struct prb_verdict *all, struct prb_verdict *one)
{
    adopt_notes(all, one, PRB_NOTE_OVERRIDDEN);
    if (!one->override_reason || all->override_reason)
        return;
    all->override_reason = prb_line(PRB_OVERRIDE_SIZE, one->override_reason);
    all->override_rule = one->rule;
}

/* What the verdict of one rule becomes in its mode. */
static void settle(struct prb_verdict *all, struct prb_verdict *one, enum prb_rule_mode mode)
{
    if (prb_verdict_allows(one)) {
        if (!all->rule)
            all->rule = one->rule;
        if (mode == PRB_MODE_DENY)
            adopt_override(all, one);
        return;
    }
    if (mode == PRB_MODE_DENY) {
        adopt_denial(all, one);
        return;
    }
    if (mode == PRB_MODE_WARN)
        prb_caution(all, "would be refused (%s): %s", one->rule, one->message);
    if (!all->audited) {
        all->audited = prb_asprintf("%s: %s", one->rule, one->message);
        all->audited_rule = one->rule;
    }
}

/* Only what came true leaves something behind: nobody went past what was refused after all, and a
 * dry run did nothing. */
static void conclude(struct prb_verdict *all, const struct prb_request *request)
{
    bool allows = prb_verdict_allows(all);
    struct prb_verdict kept;

    prb_verdict_init(&kept);
    if (!request->dry_run)
        adopt_notes(&kept, all, allows ? PRB_NOTE_OVERRIDDEN : PRB_NOTE_DENIED);
    prb_notes_free(all->notes, all->note_count);
    all->notes = kept.notes;
    all->note_count = kept.note_count;
    if (!allows) {
        free(prb_take(all->override_reason));
        all->override_rule = NULL;
    }
}

void prb_judge_decide(const struct prb_judge *judge, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    for (size_t i = 0; i < judge->count; i++) {
        const struct prb_rule *rule = judge->entries[i].rule;
        prb_auto(prb_verdict_done) struct prb_verdict one;

        prb_verdict_init(&one);
        if (!is_asked(rule, request) || !prb_rule_matches(rule, &judge->settings, request, view))
            continue;
        one.rule = rule->name;
        rule->judge(&judge->settings, request, view, answers, &one);

        /* Removing the finalizer of what is going must always work, however invalid it is. */
        if (one.denial != PRB_DENY_INVALID || !prb_request_is_deleting(request))
            settle(out, &one, judge->entries[i].mode);

        /* After the denial that is one now: room for warnings is short. */
        for (size_t w = 0; w < one.warning_count; w++)
            prb_caution(out, "%s", one.warnings[w]);
    }
    conclude(out, request);
}

bool prb_rule_mode_parse(const char *text, enum prb_rule_mode *ret)
{
    static const char *const names[] = {
        [PRB_MODE_DENY] = "deny",
        [PRB_MODE_WARN] = "warn",
        [PRB_MODE_AUDIT] = "audit",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!prb_streq(text, names[i]))
            continue;
        *ret = (enum prb_rule_mode)i;
        return true;
    }
    return false;
}
