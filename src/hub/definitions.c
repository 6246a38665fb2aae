/* Which kinds do CRDs and XRDs define, and since when are those served? */

#include "definitions.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "conditions.h"
#include "fail.h"
#include "meta.h"
#include "versions.h"
#include "watchers.h"

static bool is_crd(const struct prb_hub_kind *kind)
{
    return prb_hub_kind_is(kind, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS);
}

static bool is_xrd(const struct prb_hub_kind *kind)
{
    return prb_hub_kind_is(kind, PRB_HUB_XRD_GROUP, PRB_HUB_XRDS);
}

/* The served versions, the preferred one first; "" when there is none. */
static char *served_versions(const struct json_object *spec)
{
    prb_auto(prb_json_free) struct json_object *names = json_object_new_array();
    const struct json_object *versions = prb_json_arr(spec, "versions");

    for (size_t i = 0; i < prb_json_len(versions); i++) {
        const struct json_object *version = prb_json_elem(versions, i);
        const char *name = prb_json_str(version, "name");
        bool served = true;

        (void)prb_json_bool(version, "served", &served);
        if (name && served)
            prb_json_push(names, json_object_new_string(name));
    }
    /* apiextensions.k8s.io/v1beta1 had a single version */
    if (prb_json_len(versions) == 0 && prb_json_str(spec, "version"))
        prb_json_push(names, json_object_new_string(prb_json_str(spec, "version")));
    prb_hub_versions_sort(names);
    return prb_hub_names_join(names);
}

static bool declares_status(const struct json_object *spec)
{
    const struct json_object *versions = prb_json_arr(spec, "versions");

    for (size_t i = 0; i < prb_json_len(versions); i++) {
        if (prb_json_has(prb_json_obj(prb_json_elem(versions, i), "subresources"), "status"))
            return true;
    }
    return prb_json_has(prb_json_obj(spec, "subresources"), "status");
}

/* Serve the kind that `names` of a CRD or XRD describe; NULL when they describe none. */
static struct prb_hub_kind *serve(struct prb_hub *hub, const struct json_object *spec,
        const struct json_object *names, unsigned flags)
{
    prb_autofree char *versions = served_versions(spec);
    prb_autofree char *short_names = prb_hub_names_join(prb_json_arr(names, "shortNames"));
    const char *group = prb_json_str(spec, "group"), *plural = prb_json_str(names, "plural");
    const char *kind = prb_json_str(names, "kind");
    struct prb_hub_kind *served;

    if (!group || !plural || !kind)
        return NULL;
    served = prb_hub_kind_add(
            hub->kinds, &(struct prb_hub_kind_spec){ .group = group,
                                .versions = versions,
                                .resource = plural,
                                .kind = kind,
                                .short_names = short_names,
                                .flags = PRB_HUB_CUSTOM | PRB_HUB_GENERATION | flags,
                                .singular = prb_json_str(names, "singular") });
    if (served)
        served->defined = true;
    return served;
}

/* The kind that a CRD has defined before, served or not; NULL: none. */
static struct prb_hub_kind *stored_kind(const struct prb_hub *hub, const struct json_object *spec)
{
    const char *group = prb_json_str(spec, "group");
    const char *plural = prb_json_str(prb_json_obj(spec, "names"), "plural");

    return group && plural ? prb_hub_kind_stored(hub->kinds, group, plural) : NULL;
}

/* None of its versions is served: its objects stay, but nobody gets at them. */
static struct prb_hub_kind *unserve(struct prb_hub *hub, const struct json_object *spec)
{
    struct prb_hub_kind *kind = stored_kind(hub, spec);

    if (!kind)
        return NULL;
    kind->served = false;
    prb_hub_watches_end(hub, kind);
    return kind;
}

static void define_crd(struct prb_hub *hub, const struct prb_object *crd)
{
    const struct json_object *spec = prb_object_spec(crd);
    prb_autofree char *versions = served_versions(spec);
    unsigned flags = declares_status(spec) ? PRB_HUB_STATUS : 0;
    struct prb_hub_kind *kind;

    if (!prb_streq(prb_json_str(spec, "scope"), "Cluster"))
        flags |= PRB_HUB_NAMESPACED;
    kind = versions[0] ? serve(hub, spec, prb_json_obj(spec, "names"), flags) : unserve(hub, spec);
    if (!kind)
        return;
    free(kind->crd);
    kind->crd = prb_strdup(prb_object_name(crd));
    kind->terminating = prb_object_is_deleting(crd);
}

/* The composite, and the claim beside it. What a CRD defines already stays as the CRD has it. */
static void define_xrd(struct prb_hub *hub, const struct prb_object *xrd)
{
    const struct json_object *spec = prb_object_spec(xrd);
    const struct json_object *names[] = { prb_json_obj(spec, "names"),
        prb_json_obj(spec, "claimNames") };
    const char *group = prb_json_str(spec, "group");
    bool namespaced[] = { prb_streq(prb_json_str(spec, "scope"), "Namespaced"), true };

    for (size_t i = 0; i < 2; i++) {
        const char *plural = prb_json_str(names[i], "plural");
        const struct prb_hub_kind *known =
                group && plural ? prb_hub_kind_find(hub->kinds, group, plural) : NULL;

        if (!known || !known->crd)
            (void)serve(
                    hub, spec, names[i], PRB_HUB_STATUS | (namespaced[i] ? PRB_HUB_NAMESPACED : 0));
    }
}

/* The CRD is gone: so is what it defined. */
static void undefine_crd(struct prb_hub *hub, const struct prb_object *crd)
{
    struct prb_hub_kind *kind = stored_kind(hub, prb_object_spec(crd));

    if (!kind || !prb_streq(kind->crd, prb_object_name(crd)))
        return;
    kind->served = false;
    kind->defined = false;
    kind->terminating = false;
    free(kind->crd);
    kind->crd = NULL;
    prb_hub_watches_end(hub, kind);
}

void prb_hub_define(struct prb_hub *hub, const struct prb_hub_kind *kind,
        const struct prb_object *before, const struct prb_object *after)
{
    if (is_xrd(kind) && after)
        define_xrd(hub, after);
    else if (is_crd(kind) && after)
        define_crd(hub, after);
    else if (is_crd(kind) && before)
        undefine_crd(hub, before);
}

int prb_hub_definition_check(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *tree, struct prb_error *err)
{
    const struct json_object *spec = prb_json_obj(tree, "spec");
    const struct json_object *names = prb_json_obj(spec, "names");
    const char *group = prb_json_str(spec, "group"), *plural = prb_json_str(names, "plural");
    char full[PRB_HUB_KIND_KEY_SIZE];

    if (!is_crd(kind) && !is_xrd(kind))
        return 0;
    if (!group || !plural || !prb_json_str(names, "kind"))
        return prb_hub_invalid(err, kind, name,
                "spec: Required value: group, names.plural and names.kind must be given");
    prb_hub_kind_key(group, plural, full);
    if (!prb_streq(full, name))
        return prb_hub_invalid(err, kind, name,
                "metadata.name: Invalid value: \"%s\": must be spec.names.plural+\".\"+spec.group",
                name);
    if (prb_json_len(prb_json_arr(spec, "versions")) == 0 && !prb_json_str(spec, "version"))
        return prb_hub_invalid(err, kind, name, "spec.versions: Required value: must have one");
    return 0;
}
