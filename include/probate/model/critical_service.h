#ifndef PROBATE_MODEL_CRITICAL_SERVICE_H
#define PROBATE_MODEL_CRITICAL_SERVICE_H

/*
 * A CriticalService as it is written: which provider it guards, and what must be so before that may
 * go. Everything is borrowed from the object it was read from. What is absent or of a wrong type
 * reads as ""; a criterion that cannot be understood is UNKNOWN, which nothing satisfies.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/str.h"
#include "probate/model/object.h"

#define PRB_CRITICAL_SERVICE_API_VERSION "probate.dev/v1alpha1"
#define PRB_CRITICAL_SERVICE_KIND "CriticalService"
extern const struct prb_gvr prb_critical_services; /* criticalservices.v1alpha1.probate.dev */
extern const struct prb_gvr prb_deployments;       /* deployments.v1.apps: the only providers */
extern const struct prb_gvr prb_namespaces;        /* namespaces.v1. */

/* On the namespace of a provider, kept by us: webhooks that fail closed match only such a Namespace
 * and the Deployments in it. */
#define PRB_LABEL_PROTECTED "probate.dev/protected"

/* CEL: an UPDATE takes the label off. It needs nobody who answers, so a webhook with it may fail
 * closed without holding up any other UPDATE of a Namespace. */
#define PRB_LABEL_TAKEN_OFF                                                \
    "has(oldObject.metadata.labels) && \"" PRB_LABEL_PROTECTED             \
    "\" in oldObject.metadata.labels && !(has(object.metadata.labels) && " \
    "\"" PRB_LABEL_PROTECTED "\" in object.metadata.labels)"

/* Break-glass, "until=<RFC 3339> <reason>": on the object that is to be
 * deleted, or the CriticalService that is to be loosened. */
#define PRB_ANNOTATION_ALLOW_DELETE "probate.dev/allow-delete"

/* The CRD allows as many. A provider that is needed for more kinds than this can have a second
 * CriticalService. */
#define PRB_CRITERIA_MAX 32

enum prb_criterion_type {
    PRB_CRITERION_UNKNOWN,   /* no known type, or not the members of its type */
    PRB_CRITERION_FINALIZER, /* no object of the resource has the finalizer */
    PRB_CRITERION_RESOURCE,  /* SpecificResource: this object is gone */
};

struct prb_criterion {
    enum prb_criterion_type type;
    const char *group;     /* borrowed, as all here; "" is the core group */
    const char *resource;  /* plural, singular, kind or short name */
    const char *finalizer; /* FINALIZER */
    const char *namespace; /* RESOURCE; "" for cluster-scoped ones */
    const char *name;      /* RESOURCE */
};

struct prb_critical_service {
    const struct prb_object *object; /* borrowed */
    const char *name;
    struct {
        const char *group, *resource, *namespace, *name;
    } provider;
    bool lacks_member; /* of the provider: what the definition demands is not there */

    /* A member of spec that the definition demands is missing. Somebody has changed the schema, and
     * the API server no longer shows what the schema does not have. It stays stored until somebody
     * writes the object or its status. */
    bool is_cut;
    bool best_effort; /* deletionPolicy: it may go although the provider is there */
    struct prb_criterion criteria[PRB_CRITERIA_MAX];
    size_t criterion_count;
    bool too_many; /* it has more than that: the rest is unknown */
};

void prb_critical_service_read(const struct prb_object *object, struct prb_critical_service *ret);

/* Does it name no provider, or one with a member missing? The definition demands all four: somebody
 * has changed its schema, and the API server leaves out of what it shows what that does not have.
 */
bool prb_critical_service_is_blank(const struct prb_critical_service *service);

/* Is this its provider, or the namespace of its provider? (Not whether the provider exists.) */
bool prb_critical_service_provides(
        const struct prb_critical_service *service, const char *namespace, const char *name);
bool prb_critical_service_lives_in(
        const struct prb_critical_service *service, const char *namespace);

/* Its provider as a ref; false when it is none that could exist. */
bool prb_critical_service_provider(const struct prb_critical_service *service, struct prb_ref *ret);

/* Does (group, resource), as people write resources, mean this collection? Only for the three
 * above: they have names that no discovery is needed for. */
bool prb_means_deployments(const char *group, const char *resource);
bool prb_means_namespaces(const char *group, const char *resource);
bool prb_means_critical_services(const char *group, const char *resource);

/* Do both ask the API server the same? What differs in case only may not: as a plural it is the
 * name of one resource, as a kind that of another. */
bool prb_criterion_equal(const struct prb_criterion *a, const struct prb_criterion *b);

/* "coolresources.my.crd.group"; core group: "secrets" */
void prb_criterion_resource_text(const struct prb_criterion *criterion, struct prb_str *out);

/* What must be so: "no coolresources.my.crd.group has the finalizer my.crd.group/super-important",
 * "customresourcedefinitions.apiextensions.k8s.io coolresources.my.crd.group is gone". */
void prb_criterion_text(const struct prb_criterion *criterion, struct prb_str *out);

#endif
