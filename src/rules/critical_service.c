/*
 * A provider goes only after what depends on it is gone.
 *
 * Looks at:  the CriticalServices that name a Deployment, or one in a Namespace, and live at what
 *            their criteria name
 * Refuses:   DELETE of such a Deployment or Namespace while a criterion does not hold (403), or
 *            cannot be looked at (503); an UPDATE that takes the label off such a Namespace;
 *            DELETE of a CriticalService whose provider is there (403), and an UPDATE that loosens
 *            it while a criterion does not hold; a CriticalService that is malformed or could
 *            never be fulfilled (422)
 * Lets go:   a Deployment in a Namespace that is being deleted, confirmed live
 * Why:       when a controller is deleted before the objects with its finalizer, these are stuck
 *            for ever. So everything can be deleted at once, in any order, by clients that just
 *            retry.
 */

#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "critical_service_change.h"
#include "critical_service_delete.h"
#include "critical_service_release.h"
#include "shown.h"

static bool is_about_service(const struct prb_request *request)
{
    return prb_streq(request->gvr.group, prb_critical_services.group);
}

/* In another version members may have other names, or be left out of old and new alike: nothing
 * could be told of what the request does. What is going may go in any. */
static bool is_foreign_version(const struct prb_request *request)
{
    return is_about_service(request) && !prb_request_is_deleting(request) &&
           !prb_streq(request->gvr.version, prb_critical_services.version);
}

static void refuse_version(const struct prb_request *request, struct prb_verdict *out)
{
    char subject[PRB_SUBJECT_SIZE];

    prb_forbid(out,
            "%s cannot be written or deleted as %s/%s: Probate knows " PRB_CRITICAL_SERVICE_API_VERSION
            " only. Use that, and take the other version out of the CustomResourceDefinition",
            prb_shown_subject(request, subject), request->gvr.group, request->gvr.version);
}

static void ask(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    (void)settings;
    if (is_foreign_version(request))
        return;
    if (!is_about_service(request))
        prb_ward_ask(request, view, out);
    else if (request->operation == PRB_DELETE)
        prb_release_ask(request, view, out);
    else
        prb_service_change_ask(request, view, out);
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    if (is_foreign_version(request))
        refuse_version(request, out);
    else if (!is_about_service(request))
        prb_ward_judge(request, view, answers, out);
    else if (request->operation == PRB_DELETE)
        prb_release_judge(request, view, answers, out);
    else
        prb_service_change_judge(request, view, answers, out);
}

/*
 * How the API server calls: a dead Probate must hold up neither what is not protected nor the
 * repair of a provider, and must not let go what is. The label is on Namespaces only: a Deployment
 * is matched by that of its Namespace, which nobody takes off by writing the Deployment.
 *
 * Between the creation of a CriticalService and the label, and while a Namespace is without it, the
 * registrations for what has no label ask all the same; they fail open.
 */
enum { OF_SERVICES, INSIDE, OF_NAMESPACES, OUTSIDE, OF_OTHER_NAMESPACES, OF_LABELS };

/* Criteria are looked up live, in pages: the API server gives a webhook at most 30 s. */
#define LOOK_UP_S 25

static const struct prb_registration registrations[] = {
    [OF_SERVICES] = { .name = "critical-service", .timeout_s = LOOK_UP_S },
    [INSIDE] = { .name = "critical-service-delete",
            .timeout_s = LOOK_UP_S,
            .namespace_label = PRB_LABEL_PROTECTED,
            .route = PRB_ROUTE_LABELLED },
    [OF_NAMESPACES] = { .name = "critical-service-namespace",
            .timeout_s = LOOK_UP_S,
            .label = PRB_LABEL_PROTECTED },
    [OUTSIDE] = { .name = "critical-service-unlabelled",
            .fail_open = true,
            .namespace_label = PRB_LABEL_PROTECTED,
            .without_label = true },
    [OF_OTHER_NAMESPACES] = { .name = "critical-service-unlabelled-namespace",
            .fail_open = true,
            .label = PRB_LABEL_PROTECTED,
            .without_label = true },
    [OF_LABELS] = { .name = "critical-service-label",
            .timeout_s = LOOK_UP_S,
            .label = PRB_LABEL_PROTECTED,
            .condition = PRB_LABEL_TAKEN_OFF },
};

/* Of what is guarded its metadata; of a CriticalService its spec too. */
#define METADATA                                                                    \
    "metadata.name", "metadata.generateName", "metadata.namespace", "metadata.uid", \
            "metadata.labels", "metadata.annotations", "metadata.deletionTimestamp"
static const char *const guarded_reads[] = { METADATA, NULL };
static const char *const reads[] = { METADATA, "spec.provider", "spec.criteria",
    "spec.deletionPolicy", NULL };

#define DEPLOYMENTS \
    .group = "apps", .resource = "deployments", .namespaced = true, .reads = guarded_reads
#define NAMESPACES .group = "", .resource = "namespaces", .reads = guarded_reads

static const struct prb_rule_match matches[] = {
    {
            .group = "probate.dev",
            .resource = "criticalservices",
            .operations = PRB_CREATE | PRB_UPDATE | PRB_DELETE,
            .registration = OF_SERVICES,
    },
    { DEPLOYMENTS, .operations = PRB_DELETE, .registration = INSIDE },
    { NAMESPACES, .operations = PRB_DELETE, .registration = OF_NAMESPACES },
    { DEPLOYMENTS, .operations = PRB_DELETE, .registration = OUTSIDE },
    { NAMESPACES, .operations = PRB_DELETE, .registration = OF_OTHER_NAMESPACES },

    /* Labels of a Namespace can be changed through its subresources too. */
    { NAMESPACES, .operations = PRB_UPDATE, .registration = OF_LABELS },
    { NAMESPACES, .operations = PRB_UPDATE, .subresource = "status", .registration = OF_LABELS },
    { NAMESPACES, .operations = PRB_UPDATE, .subresource = "finalize", .registration = OF_LABELS },
};

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
    { "", "namespaces", "get" },
    { "apiextensions.k8s.io", "customresourcedefinitions", "get,list" },
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
