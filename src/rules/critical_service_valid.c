/* Is a CriticalService well formed? */

#include "critical_service_valid.h"

#include <stdio.h>

#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "setting.h"
#include "shown.h"

/* A DNS label, or several with dots between. */
#define LABEL_MAX 63
#define SUBDOMAIN_MAX 253

/* A sentence with two values in it. */
#define TEXT_SIZE (2 * PRB_SHOWN_SIZE + 256)

static bool is_label(const char *text, size_t len)
{
    if (len == 0 || len > LABEL_MAX || text[0] == '-' || text[len - 1] == '-')
        return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") >= len;
}

static bool is_subdomain(const char *text)
{
    if (strlen(text) > SUBDOMAIN_MAX)
        return false;
    for (;;) {
        size_t len = strcspn(text, ".");

        if (!is_label(text, len))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

const char *prb_text_required(const struct json_object *in, const char *key, const char *path,
        bool changed, struct prb_verdict *out)
{
    const struct json_object *value = prb_json_find(in, key);
    const char *text = prb_json_string(value);
    char field[PRB_FIELD_SIZE], shown[PRB_SHOWN_SIZE], why[TEXT_SIZE];

    if (text && text[0])
        return text;
    (void)snprintf(field, sizeof(field), "%s.%s", path, key);
    if (!value || text)
        (void)snprintf(why, sizeof(why), "is required");
    else
        (void)snprintf(why, sizeof(why), "must be a text, not %s", prb_shown(value, shown));
    prb_setting_refuse(out, changed, field, why);
    return NULL;
}

static void check_names(const struct json_object *provider, bool changed, struct prb_verdict *out)
{
    static const char path[] = "spec.provider";
    const char *namespace = prb_text_required(provider, "namespace", path, changed, out);
    const char *name = prb_text_required(provider, "name", path, changed, out);
    char shown[PRB_SHOWN_SIZE], why[TEXT_SIZE];

    if (namespace && !is_label(namespace, strlen(namespace))) {
        (void)snprintf(why, sizeof(why), "\"%s\" cannot be the name of a namespace",
                prb_shown_name(namespace, shown));
        prb_setting_refuse(out, changed, "spec.provider.namespace", why);
    }
    if (name && !is_subdomain(name)) {
        (void)snprintf(why, sizeof(why), "\"%s\" cannot be the name of a Deployment",
                prb_shown_name(name, shown));
        prb_setting_refuse(out, changed, "spec.provider.name", why);
    }
}

/* What is missing in a new object was not stored so before. */
static bool is_changed(const struct prb_request *request, const char *key)
{
    return request->operation == PRB_CREATE || prb_setting_changed(request, key);
}

static void check_provider(const struct prb_request *request, struct prb_verdict *out)
{
    const struct json_object *provider = prb_setting(request, "provider");
    bool changed = is_changed(request, "provider");
    const char *group = prb_json_str(provider, "group");
    const char *resource = prb_json_str(provider, "resource");

    if (!json_object_is_type(provider, json_type_object)) {
        prb_setting_refuse(out, changed, "spec.provider",
                "is required: the Deployment that is to be protected, by group, resource, "
                "namespace and name");
        return;
    }
    if (!prb_means_deployments(group ? group : "", resource ? resource : ""))
        prb_setting_refuse(out, changed,
                prb_streq(group, prb_deployments.group) ? "spec.provider.resource"
                                                        : "spec.provider.group",
                "only deployments.apps can be a provider for now (group: apps, resource: "
                "deployments)");
    check_names(provider, changed, out);
}

bool prb_criterion_is_stored(const struct prb_request *request, const struct json_object *criterion)
{
    const struct json_object *stored =
            request->old ? prb_json_arr(prb_object_spec(request->old), "criteria") : NULL;

    for (size_t i = 0; i < prb_json_len(stored); i++) {
        if (prb_json_equal(prb_json_elem(stored, i), criterion))
            return true;
    }
    return false;
}

/* Whether there are criteria, and not too many. */
static bool check_count(const struct prb_request *request, struct prb_verdict *out)
{
    const struct json_object *criteria = prb_setting(request, "criteria");
    bool changed = is_changed(request, "criteria");
    char why[TEXT_SIZE], shown[PRB_SHOWN_SIZE];

    if (criteria && !json_object_is_type(criteria, json_type_array)) {
        (void)snprintf(why, sizeof(why), "must be a list, not %s", prb_shown(criteria, shown));
        prb_setting_refuse(out, changed, "spec.criteria", why);
    } else if (prb_json_len(criteria) == 0) {
        /* It would look like protection and let every deletion pass. */
        prb_setting_refuse(out, changed, "spec.criteria",
                "at least one is required: without any, nothing is waited for and nothing is "
                "protected");
    } else if (prb_json_len(criteria) > PRB_CRITERIA_MAX) {
        (void)snprintf(why, sizeof(why),
                "%zu are too many, at most %d are looked at. Use a second CriticalService for the "
                "same provider",
                prb_json_len(criteria), PRB_CRITERIA_MAX);
        prb_setting_refuse(out, changed, "spec.criteria", why);
    } else {
        return true;
    }
    return false;
}

static void check_criteria(const struct prb_request *request, struct prb_verdict *out)
{
    const struct json_object *criteria = prb_setting(request, "criteria");

    if (!check_count(request, out))
        return;
    for (size_t i = 0; i < prb_json_len(criteria); i++) {
        const struct json_object *criterion = prb_json_elem(criteria, i);
        char path[PRB_FIELD_SIZE];

        (void)snprintf(path, sizeof(path), "spec.criteria[%zu]", i);
        prb_criterion_check(criterion, path, !prb_criterion_is_stored(request, criterion), out);
    }
}

void prb_critical_service_check(const struct prb_request *request, struct prb_verdict *out)
{
    static const char *const policies[] = { "Strict", "BestEffort" };
    static const struct prb_choice policy = { "spec.deletionPolicy", policies, 2 };

    check_provider(request, out);
    check_criteria(request, out);
    prb_choice_check(&policy, prb_setting(request, "deletionPolicy"),
            prb_setting_changed(request, "deletionPolicy"), out);
}
