/* What do claims and composites say of each other, and of what they compose? */

#include "probate/base/str.h"

#include "claim_internal.h"

static const char *text_at(const struct json_object *obj, const char *key)
{
    const char *text = prb_json_str(obj, key);

    return text ? text : "";
}

/* Without a kind or a name nothing is named. */
static bool read_name(const struct json_object *ref, struct prb_claim_name *ret)
{
    char version[PRB_VERSION_SIZE];

    *ret = (struct prb_claim_name){ .kind = "", .namespace = "", .name = "" };
    if (!prb_api_version_parse(text_at(ref, "apiVersion"), ret->group, version))
        return false;
    ret->kind = text_at(ref, "kind");
    ret->namespace = text_at(ref, "namespace");
    ret->name = text_at(ref, "name");
    return ret->kind[0] != '\0' && ret->name[0] != '\0';
}

bool prb_claim_composite_name(const struct prb_object *claim, struct prb_claim_name *ret)
{
    return read_name(prb_json_obj(prb_object_spec(claim), "resourceRef"), ret);
}

bool prb_claim_of_composite(const struct prb_object *composite, struct prb_claim_name *ret)
{
    return read_name(prb_json_obj(prb_object_spec(composite), "claimRef"), ret);
}

bool prb_claim_is_unbound(const struct prb_object *composite)
{
    return !prb_json_find(prb_object_spec(composite), "claimRef");
}

/* Versions of a kind are the same objects. Items of a list need not say their kind. */
bool prb_claim_is_bound_to(const struct prb_object *composite, const struct prb_object *claim,
        const struct prb_ref *claim_ref)
{
    const char *kind = prb_object_kind(claim);
    struct prb_claim_name bound;

    return prb_claim_of_composite(composite, &bound) &&
           prb_streq(bound.group, claim_ref->gvr.group) &&
           (kind[0] == '\0' || prb_streq(bound.kind, kind)) &&
           prb_streq(bound.namespace, claim_ref->namespace) &&
           prb_streq(bound.name, claim_ref->name);
}

/* Of composites that are no legacy ones all that is Crossplane's is in a member of its own. */
static const struct json_object *composed_of(const struct prb_object *composite)
{
    const struct json_object *spec = prb_object_spec(composite);
    const struct json_object *list = prb_json_arr(spec, "resourceRefs");

    return list ? list : prb_json_arr(prb_json_obj(spec, "crossplane"), "resourceRefs");
}

size_t prb_claim_composed_count(const struct prb_object *composite)
{
    return prb_json_len(composed_of(composite));
}

/* The name may be empty, before it is created. */
bool prb_claim_composed_at(
        const struct prb_object *composite, size_t index, struct prb_claim_name *ret)
{
    (void)read_name(prb_json_elem(composed_of(composite), index), ret);
    return ret->kind[0] != '\0';
}

bool prb_claim_is_paused(const struct prb_object *claim)
{
    return prb_streq(prb_object_annotation(claim, PRB_ANNOTATION_PAUSED), "true");
}
