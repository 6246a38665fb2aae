/* What do the rules conclude about a request on a golden hub? */

#include "golden_run.h"

#include "probate/admission/engine.h"
#include "probate/rules/registry.h"

#include "golden_hub.h"

/* Rules there are, and claim kinds a case names, with room. */
#define RULES_MAX 16
#define CLAIMS_MAX 4

void prb_outcome_done(struct prb_outcome *outcome)
{
    prb_questions_done(&outcome->questions);
    prb_verdict_done(&outcome->verdict);
}

static size_t read_claims(const struct json_object *source, struct prb_gvr claims[CLAIMS_MAX])
{
    const struct json_object *list = prb_json_arr(source, "claims");
    size_t count = 0;

    while (count < CLAIMS_MAX && count < prb_json_len(list) &&
            prb_gvr_parse(prb_json_string(prb_json_elem(list, count)), &claims[count]))
        count++;
    return count;
}

/* By all rules, or by one alone. */
static size_t choose_rules(struct prb_rule_entry entries[RULES_MAX], const struct prb_rule *only)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++)
        entries[i].rule = rules[i];
    if (!only)
        return count;
    entries[0].rule = only;
    return 1;
}

static struct prb_view *open_view(void *ctx)
{
    return prb_golden_hub_view(ctx);
}

void prb_golden_run(const struct json_object *source, const struct prb_request *request,
        const struct prb_rule *only, struct prb_outcome *ret)
{
    prb_auto(prb_golden_hub_free) struct prb_golden_hub *hub = prb_golden_hub_new(source);
    struct prb_rule_entry entries[RULES_MAX] = { { .rule = NULL } };
    struct prb_gvr claims[CLAIMS_MAX];
    struct prb_judge judge = { .entries = entries, .settings.claims = claims };
    struct prb_engine engine = { .judge = &judge, .open_view = open_view, .ctx = hub };

    prb_questions_init(&ret->questions);
    prb_verdict_init(&ret->verdict);
    judge.count = choose_rules(entries, only);
    judge.settings.claim_count = read_claims(source, claims);
    while (prb_engine_ask(&engine, request, &ret->questions))
        prb_golden_hub_answer(hub, &ret->questions);
    prb_engine_decide(&engine, request, &ret->questions, &ret->verdict);
}
