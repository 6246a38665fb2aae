/* Which provider does a CriticalService guard, and what must be so before that may go? */

#include "probate/model/critical_service.h"

#include <strings.h>

#include "text.h"

const struct prb_gvr prb_critical_services = {
    .group = "probate.dev",
    .version = "v1alpha1",
    .resource = "criticalservices",
};

const struct prb_gvr prb_deployments = {
    .group = "apps",
    .version = "v1",
    .resource = "deployments",
};

const struct prb_gvr prb_namespaces = {
    .group = "",
    .version = "v1",
    .resource = "namespaces",
};

/* Absent, null or a text: then *ret is it. A value of another type is nothing one could go by. */
static bool read_text(const struct json_object *from, const char *key, const char **ret)
{
    *ret = or_empty(prb_json_str(from, key));
    return prb_json_str(from, key) || !prb_json_find(from, key);
}

static bool read_finalizer(const struct json_object *from, struct prb_criterion *ret)
{
    ret->type = PRB_CRITERION_FINALIZER;
    return read_text(from, "group", &ret->group) && read_text(from, "resource", &ret->resource) &&
           read_text(from, "finalizerName", &ret->finalizer) && ret->resource[0] &&
           ret->finalizer[0];
}

static bool read_resource(const struct json_object *from, struct prb_criterion *ret)
{
    ret->type = PRB_CRITERION_RESOURCE;
    return read_text(from, "group", &ret->group) && read_text(from, "resource", &ret->resource) &&
           read_text(from, "namespace", &ret->namespace) && read_text(from, "name", &ret->name) &&
           ret->resource[0] && ret->name[0];
}

/* Half of a criterion would be another one, which may hold: it is understood whole or not at all.
 */
static struct prb_criterion read_criterion(const struct json_object *from)
{
    static const struct prb_criterion none = { PRB_CRITERION_UNKNOWN, "", "", "", "", "" };
    const struct json_object *finalizer = prb_json_obj(from, "finalizer");
    const struct json_object *resource = prb_json_obj(from, "specificResource");
    const char *type = or_empty(prb_json_str(from, "type"));
    struct prb_criterion read = none;

    if (prb_streq(type, "Finalizer") && finalizer && !prb_json_find(from, "specificResource") &&
            read_finalizer(finalizer, &read))
        return read;
    read = none;
    if (prb_streq(type, "SpecificResource") && resource && !prb_json_find(from, "finalizer") &&
            read_resource(resource, &read))
        return read;
    return none;
}

/* Something that is empty, or of a wrong type, is there all the same. */
static bool lacks_any(const struct json_object *from, const char *const *members)
{
    for (; *members; members++) {
        if (!prb_json_has(from, *members))
            return true;
    }
    return false;
}

static bool criterion_lacks_member(const struct json_object *from)
{
    static const char *const of_finalizer[] = { "resource", "finalizerName", NULL };
    static const char *const of_resource[] = { "resource", "name", NULL };
    const char *type = or_empty(prb_json_str(from, "type"));

    if (prb_streq(type, "Finalizer"))
        return lacks_any(prb_json_find(from, "finalizer"), of_finalizer);
    if (prb_streq(type, "SpecificResource"))
        return lacks_any(prb_json_find(from, "specificResource"), of_resource);
    return !prb_json_has(from, "type");
}

static void read_criteria(const struct json_object *spec, struct prb_critical_service *ret)
{
    const struct json_object *criteria = prb_json_arr(spec, "criteria");
    size_t count = prb_json_len(criteria);

    ret->too_many = count > PRB_CRITERIA_MAX;
    ret->criterion_count = ret->too_many ? PRB_CRITERIA_MAX : count;
    for (size_t i = 0; i < ret->criterion_count; i++)
        ret->criteria[i] = read_criterion(prb_json_elem(criteria, i));
    for (size_t i = 0; i < count; i++)
        ret->is_cut = ret->is_cut || criterion_lacks_member(prb_json_elem(criteria, i));

    /* Something is demanded there, and nobody knows what. The definition demands criteria: without
     * any, somebody has changed its schema, and the API server leaves them out of what it shows. */
    if (!criteria) {
        ret->criteria[ret->criterion_count++] = read_criterion(NULL);
        ret->is_cut = true;
    }
}

void prb_critical_service_read(const struct prb_object *object, struct prb_critical_service *ret)
{
    static const char *const of_provider[] = { "group", "resource", "namespace", "name", NULL };
    const struct json_object *spec = prb_object_spec(object);
    const struct json_object *provider = prb_json_obj(spec, "provider");

    *ret = (struct prb_critical_service){ .object = object, .name = prb_object_name(object) };
    ret->provider.group = or_empty(prb_json_str(provider, "group"));
    ret->provider.resource = or_empty(prb_json_str(provider, "resource"));
    ret->provider.namespace = or_empty(prb_json_str(provider, "namespace"));
    ret->provider.name = or_empty(prb_json_str(provider, "name"));
    ret->lacks_member = lacks_any(provider, of_provider);
    ret->is_cut = ret->lacks_member;
    ret->best_effort = prb_streq(prb_json_str(spec, "deletionPolicy"), "BestEffort");
    read_criteria(spec, ret);
}

bool prb_critical_service_is_blank(const struct prb_critical_service *service)
{
    return service->lacks_member || (!service->provider.namespace[0] && !service->provider.name[0]);
}

bool prb_critical_service_lives_in(
        const struct prb_critical_service *service, const char *namespace)
{
    return namespace[0] && prb_streq(service->provider.namespace, namespace) &&
           prb_means_deployments(service->provider.group, service->provider.resource);
}

bool prb_critical_service_provides(
        const struct prb_critical_service *service, const char *namespace, const char *name)
{
    return name[0] && prb_streq(service->provider.name, name) &&
           prb_critical_service_lives_in(service, namespace);
}

bool prb_critical_service_provider(const struct prb_critical_service *service, struct prb_ref *ret)
{
    return service->provider.namespace[0] &&
           prb_means_deployments(service->provider.group, service->provider.resource) &&
           prb_ref_init(ret, &prb_deployments, service->provider.namespace, service->provider.name);
}

static bool is_one_of(const char *text, const char *const *names)
{
    for (; *names; names++) {
        if (strcasecmp(text, *names) == 0)
            return true;
    }
    return false;
}

bool prb_means_deployments(const char *group, const char *resource)
{
    static const char *const names[] = { "deployments", "deployment", "deploy", NULL };

    return prb_streq(group, prb_deployments.group) && is_one_of(resource, names);
}

bool prb_means_namespaces(const char *group, const char *resource)
{
    static const char *const names[] = { "namespaces", "namespace", "ns", NULL };

    return prb_streq(group, prb_namespaces.group) && is_one_of(resource, names);
}

bool prb_means_critical_services(const char *group, const char *resource)
{
    static const char *const names[] = { "criticalservices", "criticalservice", "crit", NULL };

    return prb_streq(group, prb_critical_services.group) && is_one_of(resource, names);
}

bool prb_criterion_equal(const struct prb_criterion *a, const struct prb_criterion *b)
{
    return a->type == b->type && prb_streq(a->group, b->group) &&
           prb_streq(a->resource, b->resource) && prb_streq(a->finalizer, b->finalizer) &&
           prb_streq(a->namespace, b->namespace) && prb_streq(a->name, b->name);
}

void prb_criterion_resource_text(const struct prb_criterion *criterion, struct prb_str *out)
{
    prb_str_add(out, criterion->resource);
    if (criterion->group[0])
        prb_str_addf(out, ".%s", criterion->group);
}

void prb_criterion_text(const struct prb_criterion *criterion, struct prb_str *out)
{
    switch (criterion->type) {
    case PRB_CRITERION_UNKNOWN:
        prb_str_add(out, "a criterion that cannot be understood");
        break;
    case PRB_CRITERION_FINALIZER:
        prb_str_add(out, "no ");
        prb_criterion_resource_text(criterion, out);
        prb_str_addf(out, " has the finalizer %s", criterion->finalizer);
        break;
    case PRB_CRITERION_RESOURCE:
        prb_criterion_resource_text(criterion, out);
        prb_str_addf(out, " %s%s%s is gone", criterion->namespace,
                criterion->namespace[0] ? "/" : "", criterion->name);
        break;
    }
}
