/* How is a person told what one template has found? */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "policy_internal.h"

#define MUST_HAVE_REASON "K8s does not have a `must have` object"
#define MUST_NOT_REASON "K8s has a `must not have` object"

/* How each finding reads, and the reason that goes with it. */
static const struct {
    const char *words, *reason;
    bool is_compliant;
} findings[] = {
    [PRB_FOUND_NOTHING] = { "not known", "K8s error", false },
    [PRB_FOUND_AS_WANTED] = { "found as specified", "K8s `must have` object already exists", true },
    [PRB_FOUND_ABSENT] = { "not found", MUST_HAVE_REASON, false },
    [PRB_FOUND_OTHER] = { "found but not as specified", MUST_HAVE_REASON, false },
    [PRB_FOUND_UNWANTED] = { "found, and should not be", MUST_NOT_REASON, false },
    [PRB_FOUND_GONE] = { "missing as expected", "K8s `must not have` object already missing",
            true },
};
#define FINDING_COUNT (sizeof(findings) / sizeof(findings[0]))

static const struct prb_policy_item *item_at(
        const struct prb_policy_run *run, const struct prb_policy_part *part, size_t index)
{
    return &run->items[part->first + index];
}

static bool has_found(const struct prb_policy_item *item, enum prb_policy_finding finding)
{
    return item->state == PRB_POLICY_SETTLED && item->finding == finding;
}

static size_t count_found(const struct prb_policy_run *run, const struct prb_policy_part *part,
        enum prb_policy_finding finding)
{
    size_t count = 0;

    for (size_t i = 0; i < part->count; i++)
        count += has_found(item_at(run, part, i), finding) ? 1 : 0;
    return count;
}

/* " in namespaces a, b"; nothing of what is in none. */
static void add_places(struct prb_str *out, const struct prb_policy_run *run,
        const struct prb_policy_part *part, enum prb_policy_finding finding)
{
    size_t count = count_found(run, part, finding), named = 0;

    if (item_at(run, part, 0)->ref.namespace[0] == '\0')
        return;
    prb_str_add(out, count == 1 ? " in namespace " : " in namespaces ");
    for (size_t i = 0; i < part->count; i++) {
        const struct prb_policy_item *item = item_at(run, part, i);

        if (!has_found(item, finding))
            continue;
        if (!prb_names_next(out, named++, count))
            return;
        prb_str_add(out, item->ref.namespace);
    }
}

/* "configmaps [web] not found in namespaces a, b": all objects of a template have one name. */
static void add_found(struct prb_str *out, const struct prb_policy_run *run,
        const struct prb_policy_part *part, enum prb_policy_finding finding)
{
    const struct prb_policy_item *first = item_at(run, part, 0);

    prb_str_addf(out, "%s%s [%s] %s", out->len > 0 ? "; " : "", first->ref.gvr.resource,
            first->ref.name, findings[finding].words);
    add_places(out, run, part, finding);
}

/* "configmaps default/web: it could not be read: ..." */
static size_t add_failures(
        struct prb_str *out, const struct prb_policy_run *run, const struct prb_policy_part *part)
{
    size_t failed = 0;
    char what[PRB_REF_TEXT_SIZE];

    for (size_t i = 0; i < part->count; i++) {
        const struct prb_policy_item *item = item_at(run, part, i);

        if (item->state != PRB_POLICY_FAILED)
            continue;
        if (failed++ >= PRB_NAMES_MAX)
            continue;
        prb_ref_describe(&item->ref, what);
        prb_str_addf(out, "%s%s: %s", out->len > 0 ? "; " : "", what, item->trouble);
    }
    if (failed > PRB_NAMES_MAX)
        prb_str_addf(out, "; and %zu more", failed - PRB_NAMES_MAX);
    return failed;
}

static const char *failure_reason(
        const struct prb_policy_run *run, const struct prb_policy_part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct prb_policy_item *item = item_at(run, part, i);

        if (item->state != PRB_POLICY_FAILED || item->seen == PRB_LOOK_UNKNOWN)
            continue;
        if (item->template->type == PRB_MUST_NOT_HAVE)
            return "K8s deletion error";
        return item->seen == PRB_LOOK_ABSENT ? "K8s creation error" : "K8s update error";
    }
    return "K8s error";
}

static struct prb_policy_words say(bool is_compliant, const char *reason, char *message_taken)
{
    return (struct prb_policy_words){
        .is_compliant = is_compliant, .reason = reason, .message = message_taken
    };
}

static struct prb_policy_words search_words(
        const struct prb_policy_part *part, const struct prb_policy_template *template)
{
    bool is_unwanted = template->type == PRB_MUST_NOT_HAVE;
    enum prb_policy_finding finding =
            part->found ? (is_unwanted ? PRB_FOUND_UNWANTED : PRB_FOUND_AS_WANTED)
                        : (is_unwanted ? PRB_FOUND_GONE : PRB_FOUND_ABSENT);

    return say(findings[finding].is_compliant, findings[finding].reason,
            prb_asprintf("configurationpolicies [%s] %s", part->found ? part->found : PRB_NO_NAME,
                    findings[finding].words));
}

/* A selector that selects nothing leaves what must be nowhere to be. */
static struct prb_policy_words empty_words(const struct prb_policy_template *template)
{
    bool is_unwanted = template->type == PRB_MUST_NOT_HAVE;

    return say(is_unwanted, findings[is_unwanted ? PRB_FOUND_GONE : PRB_FOUND_ABSENT].reason,
            prb_asprintf("%s [%s]: spec.namespaceSelector selects no namespace", template->kind,
                    template->name));
}

static struct prb_policy_words bad_words(
        const struct prb_policy_run *run, const struct prb_policy_part *part)
{
    const char *reason = NULL;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_POLICY_TEXT_MAX);
    if (add_failures(&text, run, part) > 0)
        reason = failure_reason(run, part);
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if (findings[i].is_compliant || count_found(run, part, i) == 0)
            continue;
        add_found(&text, run, part, i);
        reason = reason ? reason : findings[i].reason;
    }
    return say(false, reason, prb_str_take(&text));
}

static struct prb_policy_words good_words(
        const struct prb_policy_run *run, const struct prb_policy_part *part)
{
    enum prb_policy_finding finding = item_at(run, part, 0)->finding;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_POLICY_TEXT_MAX);
    add_found(&text, run, part, finding);
    return say(true, findings[finding].reason, prb_str_take(&text));
}

static bool is_good(const struct prb_policy_run *run, const struct prb_policy_part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct prb_policy_item *item = item_at(run, part, i);

        if (item->state != PRB_POLICY_SETTLED || !findings[item->finding].is_compliant)
            return false;
    }
    return true;
}

struct prb_policy_words prb_policy_part_words(const struct prb_policy_run *run, size_t index)
{
    const struct prb_policy_part *part = &run->parts[index];
    const struct prb_policy_template *template = &run->policy.templates[index];

    if (part->trouble)
        return say(false, PRB_REASON_TEMPLATE, prb_strdup(part->trouble));
    if (part->is_search)
        return search_words(part, template);
    if (part->count == 0)
        return empty_words(template);
    return is_good(run, part) ? good_words(run, part) : bad_words(run, part);
}
