/* Is the metadata of an object such as the API server takes it? */

#include "valid.h"

#include <ctype.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"

#include "consequences.h"
#include "definitions.h"
#include "fail.h"

/* Limits of DNS names and of the name part of a qualified name. */
#define SUBDOMAIN_MAX 253
#define LABEL_MAX 63

#define NAME_RULE                                                                                \
    "must consist of lower case alphanumeric characters, '-'%s, and must start and end with an " \
    "alphanumeric character"

static bool is_lower_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* One or more of [a-z0-9-] that begin and end with no dash. */
static bool is_label(const char *text, size_t len)
{
    if (len == 0 || !is_lower_alnum(text[0]) || !is_lower_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_lower_alnum(text[i]) && text[i] != '-')
            return false;
    }
    return true;
}

/* Labels with dots between. */
static bool is_subdomain(const char *text, size_t len)
{
    size_t start = 0;

    if (len > SUBDOMAIN_MAX)
        return false;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && text[i] != '.')
            continue;
        if (!is_label(text + start, i - start))
            return false;
        start = i + 1;
    }
    return true;
}

/* As label values and the last part of label keys are. */
static bool is_name_part(const char *text)
{
    size_t len = strlen(text);

    if (len == 0 || len > LABEL_MAX || !isalnum((unsigned char)text[0]) ||
            !isalnum((unsigned char)text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
            return false;
    }
    return true;
}

/* "name" or "sub.domain/name" */
static bool is_qualified(const char *text)
{
    const char *slash = strchr(text, '/');

    if (!slash)
        return is_name_part(text);
    return is_subdomain(text, (size_t)(slash - text)) && is_name_part(slash + 1);
}

static bool is_time(const struct json_object *value)
{
    const char *text = prb_json_string(value);
    int64_t ms;

    return text && prb_time_parse(text, &ms);
}

static bool is_text(const struct json_object *value)
{
    return prb_json_string(value) != NULL;
}

static bool is_integer(const struct json_object *value)
{
    return json_object_is_type(value, json_type_int);
}

int prb_hub_valid_types(const struct json_object *tree, struct prb_error *err)
{
    static const struct {
        const char *field;
        bool (*is)(const struct json_object *value);
        const char *what;
    } fields[] = {
        { "name", is_text, "a string" },
        { "generateName", is_text, "a string" },
        { "namespace", is_text, "a string" },
        { "uid", is_text, "a string" },
        { "resourceVersion", is_text, "a string" },
        { "generation", is_integer, "an integer" },
        { "creationTimestamp", is_time, "a time such as 2006-01-02T15:04:05Z" },
        { "deletionTimestamp", is_time, "a time such as 2006-01-02T15:04:05Z" },
        { "deletionGracePeriodSeconds", is_integer, "an integer" },
    };
    const struct json_object *metadata = prb_json_find(tree, "metadata");

    if (metadata && !json_object_is_type(metadata, json_type_object))
        return prb_hub_bad_request(err, "metadata: must be an object");
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const struct json_object *value = prb_json_find(metadata, fields[i].field);

        if (value && !fields[i].is(value))
            return prb_hub_bad_request(
                    err, "metadata.%s: must be %s", fields[i].field, fields[i].what);
    }
    return 0;
}

static int valid_name(const struct prb_hub_kind *kind, const char *name, struct prb_error *err)
{
    size_t len = strlen(name);

    if (kind->flags & PRB_HUB_PATH_NAMES)
        return 0; /* what no URL can hold is refused for every name */
    if (kind->flags & PRB_HUB_LABEL_NAMES) {
        if (len <= LABEL_MAX && is_label(name, len))
            return 0;
        return prb_hub_invalid(err, kind, name,
                "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 label " NAME_RULE, name,
                "");
    }
    if (is_subdomain(name, len))
        return 0;
    return prb_hub_invalid(err, kind, name,
            "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain " NAME_RULE, name,
            " or '.'");
}

/* labels and annotations: qualified keys and string values, those of labels restricted. */
static int valid_pairs(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *metadata, const char *field, struct prb_error *err)
{
    const struct json_object *pairs = prb_json_find(metadata, field);
    bool labels = strcmp(field, "labels") == 0, started = false;
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;

    if (pairs && !json_object_is_type(pairs, json_type_object))
        return prb_hub_bad_request(err, "metadata.%s: must be a map of strings", field);
    while (prb_json_next(pairs, &at, &started, &key, &value)) {
        const char *text = prb_json_string(value);

        if (!text)
            return prb_hub_bad_request(err, "metadata.%s: \"%s\" must be a string", field, key);
        if (!is_qualified(key))
            return prb_hub_invalid(err, kind, name,
                    "metadata.%s: Invalid value: \"%s\": name part must consist of alphanumeric "
                    "characters, '-', '_' or '.', and must start and end with an alphanumeric "
                    "character",
                    field, key);
        if (labels && text[0] != '\0' && !is_name_part(text))
            return prb_hub_invalid(err, kind, name,
                    "metadata.labels: Invalid value: \"%s\": a valid label must be an empty string "
                    "or consist of alphanumeric characters, '-', '_' or '.', and must start and "
                    "end with an alphanumeric character",
                    text);
    }
    return 0;
}

static bool is_standard(const char *finalizer)
{
    return prb_streq(finalizer, PRB_HUB_ORPHAN) || prb_streq(finalizer, PRB_HUB_FOREGROUND) ||
           prb_streq(finalizer, "kubernetes");
}

/* All kinds demand a qualified name; Kubernetes' own, except CRDs, also a domain before it. */
static bool valid_finalizer(const struct prb_hub_kind *kind, const char *finalizer)
{
    if (!is_qualified(finalizer))
        return false;
    return kind->flags & PRB_HUB_CUSTOM || strchr(finalizer, '/') || is_standard(finalizer) ||
           prb_hub_kind_is(kind, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS);
}

static int valid_finalizers(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *metadata, struct prb_error *err)
{
    const struct json_object *list = prb_json_find(metadata, "finalizers");
    bool orphan = false, foreground = false;

    if (list && !json_object_is_type(list, json_type_array))
        return prb_hub_bad_request(err, "metadata.finalizers: must be a list of strings");
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *finalizer = prb_json_string(prb_json_elem(list, i));

        if (!finalizer)
            return prb_hub_bad_request(err, "metadata.finalizers: must be a list of strings");
        if (!valid_finalizer(kind, finalizer))
            return prb_hub_invalid(err, kind, name,
                    "metadata.finalizers[%zu]: Invalid value: \"%s\": name is neither a standard "
                    "finalizer name nor is it fully qualified",
                    i, finalizer);
        orphan = orphan || prb_streq(finalizer, PRB_HUB_ORPHAN);
        foreground = foreground || prb_streq(finalizer, PRB_HUB_FOREGROUND);
    }
    if (orphan && foreground)
        return prb_hub_invalid(err, kind, name,
                "metadata.finalizers: Invalid value: finalizer orphan and foregroundDeletion "
                "cannot be both set");
    return 0;
}

static int valid_owner(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *owner, struct prb_error *err)
{
    static const char *const needed[] = { "apiVersion", "kind", "name", "uid" };

    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        const char *text = prb_json_str(owner, needed[i]);

        if (!text || text[0] == '\0')
            return prb_hub_invalid(err, kind, name,
                    "metadata.ownerReferences.%s: Invalid value: \"\": %s must not be empty",
                    needed[i], needed[i]);
    }
    return 0;
}

static int valid_owners(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *metadata, struct prb_error *err)
{
    const struct json_object *list = prb_json_find(metadata, "ownerReferences");
    const char *controller = NULL;

    if (list && !json_object_is_type(list, json_type_array))
        return prb_hub_bad_request(err, "metadata.ownerReferences: must be a list");
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *owner = prb_json_elem(list, i);
        bool controls = false;
        int r = valid_owner(kind, name, owner, err);

        if (r < 0)
            return r;
        (void)prb_json_bool(owner, "controller", &controls);
        if (controls && controller)
            return prb_hub_invalid(err, kind, name,
                    "metadata.ownerReferences: Invalid value: Only one reference can have "
                    "Controller set to true. Found \"true\" in references for %s and %s",
                    controller, prb_json_str(owner, "name"));
        if (controls)
            controller = prb_json_str(owner, "name");
    }
    return 0;
}

int prb_hub_valid(
        const struct prb_hub_kind *kind, const struct json_object *tree, struct prb_error *err)
{
    const struct json_object *metadata = prb_json_obj(tree, "metadata");
    const char *name = prb_json_str(metadata, "name");
    int r;

    if (!name)
        return prb_hub_invalid(
                err, kind, "", "metadata.name: Required value: name or generateName is required");
    r = valid_name(kind, name, err);
    if (r == 0)
        r = valid_pairs(kind, name, metadata, "labels", err);
    if (r == 0)
        r = valid_pairs(kind, name, metadata, "annotations", err);
    if (r == 0)
        r = valid_finalizers(kind, name, metadata, err);
    return r == 0 ? valid_owners(kind, name, metadata, err) : r;
}
