/* May Probate use this finalizer on claims, or is it another's here? */

#include "crossplane.h"

#include <stdio.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/cli/claims.h"

#include "finalizer.h"

/*
 * By what its core is known: the Deployment of its chart, in whatever namespace. The webhooks stay
 * behind when it is removed, and so do its kinds.
 */
static const struct prb_gvr deployments = { "apps", "v1", "deployments" };
#define LABEL "app=crossplane"

/* Who installs it while Probate runs is told of it within that. */
#define LOOK_EACH_MS 60000

/* Short, since the end of the program waits for it. */
#define CALL_MS 5000

static struct prb_metric shared = {
    .name = "probate_claim_finalizer_shared",
    .help = "1 when Crossplane's core runs here and uses the finalizer that Probate puts on "
            "claims, too.",
    .type = PRB_GAUGE,
};

const struct prb_right prb_crossplane_rights[] = { { "apps", "deployments", "list" } };
const size_t prb_crossplane_right_count = 1;

static int refuse(const struct prb_object *found, struct prb_error *err)
{
    return prb_fail(err, PRB_E_INVALID,
            "Crossplane's core runs on this cluster (Deployment %s/%s) and uses the finalizer %s "
            "on claims: of two controllers that share one, either may take it off before the other "
            "is done. Give Probate its own: --claim-finalizer=%s",
            prb_object_namespace(found), prb_object_name(found), PRB_CLAIM_FINALIZER,
            PRB_CLAIM_FINALIZER_OWN);
}

/* A start that goes on would find out when a claim is half deleted. */
static int not_seen(struct prb_error *err)
{
    prb_autofree char *why = prb_strdup(err->msg);

    return prb_fail(err, err->code,
            "whether Crossplane's core runs on this cluster, which uses the finalizer %s too, "
            "could not be seen: %s. Grant the right ('probate manifest rbac --controllers=claims' "
            "has it), or give Probate a finalizer of its own: --claim-finalizer=%s",
            PRB_CLAIM_FINALIZER, why, PRB_CLAIM_FINALIZER_OWN);
}

static int refuse_any(void *ctx, struct prb_page *page, struct prb_error *err)
{
    (void)ctx;
    return page->count > 0 ? refuse(page->objects[0], err) : 0;
}

/* A page may be empty and another one follow. `timeout_ms` of each, 0: the server's own. */
static int look(
        struct prb_api *api, const char *finalizer, int64_t timeout_ms, struct prb_error *err)
{
    const struct prb_list_options options = {
        .label_selector = LABEL, .metadata_only = true, .limit = 1, .timeout_ms = timeout_ms
    };
    prb_autofree char *version = NULL;
    int r;

    if (!prb_streq(finalizer, PRB_CLAIM_FINALIZER))
        return 0;
    r = prb_api_list_pages(api, &deployments, &options, refuse_any, NULL, &version, err);
    return r == PRB_E_FORBIDDEN || r == PRB_E_UNAUTHORIZED ? not_seen(err) : r;
}

int prb_crossplane_look(struct prb_api *api, const char *finalizer, struct prb_error *err)
{
    return look(api, finalizer, 0, err);
}

int prb_crossplane_check(struct prb_api *api, const char *finalizer,
        struct prb_supervisor *supervisor, struct prb_error *err)
{
    return prb_finalizer_settle(
            api, prb_crossplane_look, finalizer, "--claim-finalizer", supervisor, err);
}

void prb_crossplane_beside_init(
        struct prb_crossplane_beside *beside, struct prb_api *api, const char *finalizer)
{
    const struct prb_clock *clock = prb_clock_system();

    beside->api = api;
    beside->finalizer = finalizer;
    beside->due_ms = clock->mono_ms(clock) + LOOK_EACH_MS;
    prb_metric_set(&shared, 0);
}

static void note(struct prb_crossplane_beside *beside, const char *text)
{
    bool before = beside->text[0] != '\0';

    (void)pthread_mutex_lock(&beside->lock);
    (void)snprintf(beside->text, sizeof(beside->text), "%s", text);
    (void)pthread_mutex_unlock(&beside->lock);
    prb_metric_set(&shared, text[0] ? 1 : 0);
    if (text[0] && !before)
        prb_warn("Crossplane has come to share the finalizer on claims", KV("why", text));
    else if (before && !text[0])
        prb_info("Crossplane no longer shares the finalizer on claims");
}

void prb_crossplane_tend(struct prb_crossplane_beside *beside)
{
    const struct prb_clock *clock = prb_clock_system();
    struct prb_error err;
    int r;

    if (!beside->api || clock->mono_ms(clock) < beside->due_ms)
        return;
    beside->due_ms = clock->mono_ms(clock) + LOOK_EACH_MS;
    r = look(beside->api, beside->finalizer, CALL_MS, &err);
    if (r == 0)
        note(beside, "");
    else if (r == PRB_E_INVALID)
        note(beside, err.msg);
}

void prb_crossplane_each_check(
        struct prb_crossplane_beside *beside, prb_ops_check_fn each, void *sink)
{
    char text[sizeof(beside->text)];

    (void)pthread_mutex_lock(&beside->lock);
    (void)snprintf(text, sizeof(text), "%s", beside->text);
    (void)pthread_mutex_unlock(&beside->lock);
    if (text[0])
        each(sink, &(struct prb_ops_check){
                           .name = "claim finalizer", .state = PRB_OPS_INFO, .detail = text });
}
