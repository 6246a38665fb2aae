/*
 * How do things stand with a CriticalService, and is what it protects marked?
 *
 * Looks at:  CriticalServices, their providers and the namespaces of these, webhook registrations,
 *            and metadata of whatever criteria name
 * Writes:    status of CriticalServices, but for lastDenied; the label probate.dev/protected, on
 *            the Namespaces of providers and off all others; Events when something has come about
 *            that a person should hear of
 * Why:       a deletion that is refused is understood by who reads the status; fail-closed webhooks
 *            must match what is protected and nothing else
 *
 * It judges nothing: the admission rule asks live. What is said here may be seconds old.
 *
 * Cost: a decision on a CriticalService goes once through the objects of each Finalizer criterion
 * (some 100 ms for 100,000 that all have it), and reads the other CriticalServices whole only if it
 * could be in a circle with them; one on a label goes once through the CriticalServices (half a
 * millisecond for 1,000).
 */

#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "critical_service_internal.h"

/* The text says for how long; a minute is as precise as it gets after the first hour. */
#define LOOK_AGAIN_MS 60000

/* Where a circle ends, somebody has to be looked at who did not change. That is told, but for a
 * CriticalService that was deleted and made anew while nobody listened. */
#define CIRCLE_AGAIN_MS 60000

static void add_waited_for(const struct prb_crit *crit, size_t index, struct prb_str *out)
{
    const struct prb_crit_finding *finding = &crit->findings[index];
    prb_autofree char *text = prb_crit_description(&crit->service.criteria[index]);

    if (finding->state == PRB_CRIT_MET)
        return;
    prb_str_addf(out, "%s%s: ", out->len > 0 ? "; " : "", text);
    if (finding->state == PRB_CRIT_UNMET)
        prb_holders_text(&finding->blockers, prb_view_now_ms(crit->view), out);
    else
        prb_str_add(out, finding->message);
}

/* What needs a provider that is going, or gone, for good waits for nobody. */
static void say_over(const struct prb_crit *crit, struct prb_changes *out)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_crit_needy_text(crit, &text);
    prb_changes_wait(out, PRB_CRITICAL_DEAD "%s, since deployments.apps %s/%s %s",
            prb_str_get(&text), crit->provider_ref.namespace, crit->provider_ref.name, crit->over);
    prb_changes_again(out, LOOK_AGAIN_MS);
}

/* Nobody waits for a deletion that nobody has tried. */
static void say_wait(const struct prb_crit *crit, struct prb_changes *out)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    if (crit->over) {
        say_over(crit, out);
        return;
    }
    if (!prb_json_obj(crit->seen, "lastDenied") || !crit->provider ||
            prb_object_is_deleting(crit->provider))
        return;
    for (size_t i = 0; i < crit->service.criterion_count; i++)
        add_waited_for(crit, i, &text);
    if (text.len == 0)
        return;
    prb_changes_wait(out, "deletion of deployments.apps %s/%s waits for: %s",
            crit->provider_ref.namespace, crit->provider_ref.name, prb_str_get(&text));
    prb_changes_again(out, LOOK_AGAIN_MS);
}

/* Has its status been written since it last changed? */
static bool is_observed(const struct prb_crit *crit)
{
    int64_t observed = -1;

    return prb_json_int(crit->seen, "observedGeneration", &observed) &&
           observed == prb_object_generation(crit->object);
}

/* Any write would store it without what the API server leaves out. Once the definition is whole
 * again, the API server ends its watches, and the next list shows all of it. */
static void leave_as_stored(const struct prb_crit *crit, struct prb_changes *out)
{
    static const char why[] =
            "spec lacks members that CustomResourceDefinition criticalservices.probate.dev "
            "demands, so somebody has changed its schema. The status is not written: any write "
            "would store the object without these members";

    prb_changes_event(out, crit->key, crit->object, true, "SpecIncomplete",
            "%s. Install the definition of Probate again; if members are missing after that, write "
            "spec anew",
            why);
    prb_changes_wait(out, "%s", why);
}

static void decide_service(const struct prb_critical_settings *settings,
        const struct prb_view *view, const struct prb_ref *key, const struct prb_object *object,
        struct prb_changes *out)
{
    prb_auto(prb_crit_free) struct prb_crit *crit = prb_crit_look(settings, view, key, object);

    if (crit->service.is_cut) {
        leave_as_stored(crit, out);
        return;
    }

    /* After a start it takes a moment until everything is read again: what was said stands until
     * then, instead of turning to "unknown" and back. */
    if (!prb_crit_is_pending(crit) || !is_observed(crit))
        prb_crit_write_status(crit, out);
    if (crit->cycle)
        prb_changes_again(out, CIRCLE_AGAIN_MS);
    say_wait(crit, out);
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    const struct prb_object *object = prb_view_find(view, key);

    if (!object)
        return;
    if (prb_gvr_equal(&key->gvr, &prb_critical_services))
        decide_service(self->settings, view, key, object, out);
    else
        prb_crit_decide_label(self->settings, view, key, object, out);
}

/* Where what criteria name is said to. */
struct wish {
    void (*want)(void *ctx, const char *group, const char *resource);
    void *ctx;
};

static bool want_criteria(void *ctx, const struct prb_object *object)
{
    const struct wish *wish = ctx;
    struct prb_critical_service service;

    prb_critical_service_read(object, &service);
    for (size_t i = 0; i < service.criterion_count; i++) {
        const struct prb_criterion *criterion = &service.criteria[i];

        if (criterion->type != PRB_CRITERION_UNKNOWN)
            wish->want(wish->ctx, criterion->group, criterion->resource);
    }
    return true;
}

static void wants(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    struct wish wish = { .want = want, .ctx = ctx };

    (void)self;
    prb_view_each(view, &prb_critical_services, NULL, want_criteria, &wish);
}

static const char *const kept_of_deployments[] = { "spec.replicas", "status.readyReplicas", NULL };

/* CriticalServices are optional, so that without their kind nobody waits for them; definitions are
 * read so that what criteria name is looked for again when one comes or goes. */
static const struct prb_watch_spec watches[] = {
    { .group = "probate.dev",
            .version = "v1alpha1",
            .resource = "criticalservices",
            .whole = true,
            .optional = true,
            .map = prb_crit_map_service },
    { .group = "apps",
            .version = "v1",
            .resource = "deployments",
            .whole = true,
            .keeps = kept_of_deployments,
            .map = prb_crit_map_deployment },
    { .group = "", .version = "v1", .resource = "namespaces", .map = prb_crit_map_namespace },
    { .group = "admissionregistration.k8s.io",
            .version = "v1",
            .resource = "validatingwebhookconfigurations",
            .whole = true,
            .optional = true,
            .map = prb_crit_map_webhook },
    { .group = "apiextensions.k8s.io",
            .version = "v1",
            .resource = "customresourcedefinitions",
            .optional = true,
            .map = prb_crit_map_nothing },
};

static const struct prb_right rights[] = {
    { "probate.dev", "criticalservices", "get,list,watch" },
    { "probate.dev", "criticalservices/status", "patch" },
    { "apps", "deployments", "get,list,watch" },
    { "", "namespaces", "get,list,watch,patch" },
    { "admissionregistration.k8s.io", "validatingwebhookconfigurations", "get,list,watch" },
    { "apiextensions.k8s.io", "customresourcedefinitions", "get,list,watch" },
};

const struct prb_reconciler prb_reconciler_critical_service = {
    .name = "critical-service",
    .summary = "keeps the status of CriticalServices true, and the label on the Namespaces of what "
               "they protect",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .decide = decide,
    .wants = wants,
    .confirms_absence = true,
    .map_wanted = prb_crit_map_wanted,
};
