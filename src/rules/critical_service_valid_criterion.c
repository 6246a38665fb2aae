/* Is one criterion of a CriticalService well formed? */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"
#include "probate/model/critical_service.h"
#include "probate/model/ref.h"

#include "critical_service_valid.h"
#include "setting.h"
#include "shown.h"

/* A sentence with two values in it. */
#define TEXT_SIZE (2 * PRB_SHOWN_SIZE + 256)

/* Which member goes with which type. */
struct sort {
    const char *type, *member, *other; /* static */
};

static const struct sort sorts[] = {
    { "Finalizer", "finalizer", "specificResource" },
    { "SpecificResource", "specificResource", "finalizer" },
};

/* Where something is said, and of what. */
struct place {
    const struct json_object *in; /* borrowed */
    char path[PRB_FIELD_SIZE];
    bool changed;
    struct prb_verdict *out;
};

__attribute__((format(printf, 3, 4))) static void refuse(
        const struct place *place, const char *key, const char *fmt, ...)
{
    char field[2 * PRB_FIELD_SIZE], why[TEXT_SIZE];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(why, sizeof(why), fmt, args);
    va_end(args);
    (void)snprintf(field, sizeof(field), "%s%s%s", place->path, key[0] ? "." : "", key);
    prb_setting_refuse(place->out, place->changed, field, why);
}

static const char *required(const struct place *place, const char *key)
{
    return prb_text_required(place->in, key, place->path, place->changed, place->out);
}

/* "" when it is absent; NULL, and said so, when it is no text. */
static const char *optional(const struct place *place, const char *key)
{
    const struct json_object *value = prb_json_find(place->in, key);
    char shown[PRB_SHOWN_SIZE];

    if (!value)
        return "";
    if (!prb_json_string(value))
        refuse(place, key, "must be a text, not %s", prb_shown(value, shown));
    return prb_json_string(value);
}

/* Kinds are plurals but for their case. */
static bool is_resource(const char *text)
{
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

    return text[len] == '\0' && len < PRB_RESOURCE_SIZE;
}

static void check_resource(const struct place *place)
{
    const char *group = optional(place, "group"), *resource = required(place, "resource");
    char shown[PRB_SHOWN_SIZE];
    struct prb_gvr gvr;

    if (group && !prb_gvr_init(&gvr, group, "v1", "x"))
        refuse(place, "group",
                "\"%s\" cannot be an API group. Write it as in \"kubectl api-resources\", without "
                "the version, and leave it out for the core group",
                prb_shown_name(group, shown));
    if (resource && !is_resource(resource))
        refuse(place, "resource",
                "\"%s\" cannot be a resource. Write its plural, singular, kind or short name "
                "alone; the API group goes into \"group\"",
                prb_shown_name(resource, shown));
}

static void check_finalizer(const struct place *place)
{
    const char *finalizer = required(place, "finalizerName");
    char shown[PRB_SHOWN_SIZE];

    check_resource(place);
    if (!finalizer || strchr(finalizer, '/'))
        return;
    if (place->changed)
        prb_caution(place->out,
                "%s.finalizerName: \"%s\" has no domain with a \"/\" in front, as finalizers "
                "usually have. Make sure that it is exactly what metadata.finalizers holds",
                place->path, prb_shown_name(finalizer, shown));
}

static void check_object(const struct place *place)
{
    const char *namespace = optional(place, "namespace"), *name = required(place, "name");
    char shown[PRB_SHOWN_SIZE];
    struct prb_ref ref;

    check_resource(place);
    if (name && !prb_ref_init(&ref, &prb_namespaces, "", name))
        refuse(place, "name", "\"%s\" cannot be the name of an object",
                prb_shown_name(name, shown));
    if (namespace && !prb_ref_init(&ref, &prb_namespaces, namespace, "x"))
        refuse(place, "namespace", "\"%s\" cannot be the name of a namespace",
                prb_shown_name(namespace, shown));
}

static const struct sort *find_sort(const struct place *place)
{
    static const char *const types[] = { "Finalizer", "SpecificResource" };
    const char *type = required(place, "type");
    char field[PRB_FIELD_SIZE];
    struct prb_choice choice = { field, types, 2 };

    for (size_t i = 0; type && i < sizeof(sorts) / sizeof(sorts[0]); i++) {
        if (prb_streq(type, sorts[i].type))
            return &sorts[i];
    }
    if (!type)
        return NULL;
    if (snprintf(field, sizeof(field), "%s.type", place->path) < (int)sizeof(field))
        prb_choice_check(&choice, prb_json_find(place->in, "type"), place->changed, place->out);
    return NULL;
}

/* The members of its type, and not those of the other. */
static void check_union(const struct place *place, const struct sort *sort)
{
    struct place below = *place;

    if (prb_json_find(place->in, sort->other))
        refuse(place, sort->other, "must be left out with type %s", sort->type);
    below.in = prb_json_obj(place->in, sort->member);
    if (!below.in) {
        refuse(place, sort->member, "is required with type %s", sort->type);
        return;
    }
    if (snprintf(below.path, sizeof(below.path), "%s.%s", place->path, sort->member) >=
            (int)sizeof(below.path))
        return;
    if (sort == &sorts[0])
        check_finalizer(&below);
    else
        check_object(&below);
}

void prb_criterion_check(const struct json_object *criterion, const char *path, bool changed,
        struct prb_verdict *out)
{
    struct place place = { .in = criterion, .changed = changed, .out = out };
    const struct sort *sort;

    (void)prb_copy(place.path, sizeof(place.path), path);
    if (!json_object_is_type(criterion, json_type_object)) {
        refuse(&place, "", "must be a map with \"type\" and the member that goes with it");
        return;
    }
    sort = find_sort(&place);
    if (sort)
        check_union(&place, sort);
}
