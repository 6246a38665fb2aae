/* How does a hub in memory come to ask Probate? */

#include "hub_guard.h"

#include <stdlib.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/reconcilers/registry.h"
#include "probate/rules/registry.h"

#include "support/json_text.h"
#include "support/wait.h"
#include "wiring.h"

/* Nothing here is far away; this is for a machine that is out of breath. */
#define DEADLINE_MS 25000

struct hub_guard {
    struct prb_hub *hub;            /* borrowed */
    struct prb_rule_entry *entries; /* owned, as all below */
    struct prb_review_reader *reader;
    struct prb_wiring *wiring;
    bool *chosen;
    struct prb_judge judge;
    struct prb_engine engine;
};

static void set_object(
        struct json_object *request, const char *key, const struct prb_object *object)
{
    if (object)
        prb_json_set(request, key, prb_object_copy(object));
}

/* What the API server would send. */
static struct json_object *review_of(const struct prb_hub_write *write)
{
    const struct prb_gvr *gvr = &write->resource->gvr;
    char uid[PRB_UUID_SIZE];
    struct json_object *review, *request;

    prb_random_uuid(uid);
    review = prb_test_json(
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'%s',"
            "'kind':{'group':'%s','version':'%s','kind':'%s'},"
            "'resource':{'group':'%s','version':'%s','resource':'%s'},'subResource':'%s',"
            "'operation':'%s','name':'%s','namespace':'%s','dryRun':%s,"
            "'userInfo':{'username':'somebody','groups':['system:authenticated']}}}",
            uid, gvr->group, gvr->version, write->resource->kind, gvr->group, gvr->version,
            gvr->resource, write->subresource, write->operation, write->name, write->namespace,
            write->dry_run ? "true" : "false");
    request = prb_json_obj(review, "request");
    set_object(request, "object", write->object);
    set_object(request, "oldObject", write->old);
    return review;
}

/* What the client is answered. */
static int answer(const struct prb_verdict *verdict, struct prb_error *err)
{
    static const enum prb_errc codes[] = {
        [PRB_DENY_NOT] = PRB_OK,
        [PRB_DENY_FORBIDDEN] = PRB_E_FORBIDDEN,
        [PRB_DENY_INVALID] = PRB_E_INVALID,
        [PRB_DENY_UNAVAILABLE] = PRB_E_UNAVAILABLE,
    };

    if (prb_verdict_allows(verdict))
        return 0;
    (void)prb_fail(err, codes[verdict->denial], "%s", verdict->message);
    err->status = prb_review_code(verdict);
    return err->code;
}

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    const struct hub_guard *guard = ctx;
    prb_auto(prb_json_free) struct json_object *review = review_of(write);
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_verdict_init(&verdict);
    if (prb_review_read_tree(guard->reader, review, &request, err) < 0)
        return prb_wrap(err, "the review cannot be read");
    prb_engine_judge(&guard->engine, request,
            guard->engine.clock->mono_ms(guard->engine.clock) + DEADLINE_MS, &verdict);
    return answer(&verdict, err);
}

static struct prb_view *open_view(void *ctx)
{
    return prb_wiring_view(ctx);
}

/* All rules, and the controller of CriticalServices. */
static void choose(struct hub_guard *guard, struct prb_wiring_options *ret)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    guard->entries = prb_calloc(count, sizeof(*guard->entries));
    for (size_t i = 0; i < count; i++)
        guard->entries[i] = (struct prb_rule_entry){ .rule = rules[i], .mode = PRB_MODE_DENY };
    guard->judge = (struct prb_judge){ .entries = guard->entries, .count = count };
    guard->reader = prb_review_reader_new(rules, count);

    *ret = (struct prb_wiring_options){ .judge = &guard->judge };
    ret->reconcilers = prb_reconcilers(&ret->count);
    guard->chosen = prb_calloc(ret->count, sizeof(*guard->chosen));
    for (size_t i = 0; i < ret->count; i++)
        guard->chosen[i] = prb_streq(ret->reconcilers[i]->name, "critical-service");
    ret->chosen = guard->chosen;
}

int hub_guard_start(struct prb_hub *hub, struct hub_guard **ret, struct prb_error *err)
{
    prb_auto(hub_guard_stop) struct hub_guard *guard = prb_calloc(1, sizeof(*guard));
    struct prb_wiring_options options;

    guard->hub = hub;
    guard->wiring = prb_wiring_new();
    choose(guard, &options);
    guard->engine = (struct prb_engine){ .judge = &guard->judge,
        .api = prb_hub_api(hub),
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = guard->wiring };
    if (prb_wiring_start(guard->wiring, prb_hub_api(hub), &options, err) < 0)
        return err->code;
    if (!prb_wiring_wait_read(guard->wiring, prb_test_patience_ms(PRB_TEST_SOON_MS)))
        return prb_fail(err, PRB_E_UNAVAILABLE, "waited %d ms for: the caches are read",
                prb_test_patience_ms(PRB_TEST_SOON_MS));
    if (prb_wiring_run(guard->wiring, err) < 0)
        return err->code;
    prb_hub_set_admission(hub, admit, guard);
    *ret = prb_take(guard);
    return 0;
}

void hub_guard_stop(struct hub_guard *guard)
{
    if (!guard)
        return;
    prb_hub_set_admission(guard->hub, NULL, NULL);
    prb_wiring_stop(guard->wiring);
    prb_wiring_free(guard->wiring);
    prb_review_reader_free(guard->reader);
    free(guard->entries);
    free(guard->chosen);
    free(guard);
}
