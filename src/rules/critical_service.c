/*
 * A provider goes only after what depends on it is gone.
 *
 * Looks at:  the CriticalServices that name a Deployment, or one in a Namespace, and live at what
 *            their criteria name
 * Refuses:   DELETE of such a Deployment or Namespace while a criterion does not hold (403), or
 *            cannot be looked at (503); taking the label off it; DELETE of a CriticalService whose
 *            provider is there (403); a CriticalService that is malformed or could never be
 *            fulfilled (422)
 * Why:       when a controller is deleted before the objects with its finalizer, these are stuck
 *            for ever. So everything can be deleted at once, in any order, by clients that just
 *            retry.
 */

#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "critical_service_change.h"
#include "critical_service_delete.h"
#include "critical_service_release.h"

static bool is_about_service(const struct prb_request *request)
{
    return prb_streq(request->gvr.group, prb_critical_services.group);
}

static void ask(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    (void)settings;
    if (!is_about_service(request))
        prb_ward_ask(request, view, out);
    else if (request->operation == PRB_DELETE)
        prb_release_ask(request, out);
    else
        prb_service_change_ask(request, out);
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    if (!is_about_service(request))
        prb_ward_judge(request, view, answers, out);
    else if (request->operation == PRB_DELETE)
        prb_release_judge(request, view, answers, out);
    else
        prb_service_change_judge(request, view, answers, out);
}

/* How the API server calls: a dead Probate must hold up neither what is not protected nor the
 * repair of a provider, and must not let go what is. */
enum { OF_SERVICES, OF_LABELLED, OF_OTHERS, OF_LABELS };

static const struct prb_registration registrations[] = {
    [OF_SERVICES] = { .name = "critical-service" },

    /* Criteria are looked up live, in pages: the API server gives a webhook at most 30 s. */
    [OF_LABELLED] = { .name = "critical-service-delete",
            .timeout_s = 25,
            .label = PRB_LABEL_PROTECTED },
    [OF_OTHERS] = { .name = "critical-service-unlabelled",
            .fail_open = true,
            .label = PRB_LABEL_PROTECTED,
            .without_label = true },
    [OF_LABELS] = { .name = "critical-service-label",
            .fail_open = true,
            .label = PRB_LABEL_PROTECTED },
};

#define DEPLOYMENTS .group = "apps", .resource = "deployments", .namespaced = true
#define NAMESPACES .group = "", .resource = "namespaces"

static const struct prb_rule_match matches[] = {
    {
            .group = "probate.dev",
            .resource = "criticalservices",
            .operations = PRB_CREATE | PRB_UPDATE | PRB_DELETE,
            .registration = OF_SERVICES,
    },
    { DEPLOYMENTS, .operations = PRB_DELETE, .registration = OF_LABELLED },
    { NAMESPACES, .operations = PRB_DELETE, .registration = OF_LABELLED },
    { DEPLOYMENTS, .operations = PRB_DELETE, .registration = OF_OTHERS },
    { NAMESPACES, .operations = PRB_DELETE, .registration = OF_OTHERS },

    /* Labels of a Namespace can be changed through its subresources too; those of a Deployment
     * cannot. */
    { DEPLOYMENTS, .operations = PRB_UPDATE, .registration = OF_LABELS },
    { NAMESPACES, .operations = PRB_UPDATE, .registration = OF_LABELS },
    { NAMESPACES, .operations = PRB_UPDATE, .subresource = "status", .registration = OF_LABELS },
    { NAMESPACES, .operations = PRB_UPDATE, .subresource = "finalize", .registration = OF_LABELS },
};

/* Of a Deployment none of the last three is there: its spec is never built. */
static const char *const reads[] = { "metadata.name", "metadata.generateName", "metadata.namespace",
    "metadata.uid", "metadata.labels", "metadata.annotations", "metadata.deletionTimestamp",
    "spec.provider", "spec.criteria", "spec.deletionPolicy", NULL };

/* As the reconciler does: so they are read once. */
static const struct prb_watch_spec watches[] = {
    { .group = "probate.dev",
            .version = "v1alpha1",
            .resource = "criticalservices",
            .whole = true },
};

/* What criteria name comes on top, from --criteria-resource. */
static const struct prb_right rights[] = {
    { "probate.dev", "criticalservices", "get,list,watch" },
    { "apps", "deployments", "get" },
    { "authorization.k8s.io", "subjectaccessreviews", "create" },
};

const struct prb_rule prb_rule_critical_service = {
    .name = "critical-service",
    .summary = "a Deployment that a CriticalService names, and its Namespace, are deleted only "
               "when all of its criteria hold",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .registrations = registrations,
    .registration_count = sizeof(registrations) / sizeof(registrations[0]),
    .reads = reads,
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .ask = ask,
    .judge = judge,
};
