/*
 * Which kinds are claims still, though the definition that offered them is gone?
 *
 * Crossplane makes the kinds of a definition with the definition as their controller, and the
 * definition has the name of the kind of composites: what it controls under another name is the
 * kind of claims. Such a kind outlives a definition that is deleted before its claims, for as long
 * as one of them is held; and it is Probate that holds them, also after a restart.
 */

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "claim_internal.h"

#define DEFINITION_KIND "CompositeResourceDefinition"

const struct prb_gvr prb_claim_crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };

static bool is_definition(const struct prb_owner *owner)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    return owner->controller && prb_streq(owner->kind, DEFINITION_KIND) &&
           prb_api_version_parse(owner->api_version, group, version) &&
           prb_streq(group, PRB_DEFINITION_GROUP);
}

/* Is the definition of that name positively not there? */
static bool is_gone(const struct prb_view *view, const char *name)
{
    const struct prb_gvr *definitions = prb_claim_definitions_read(view);
    struct prb_ref ref;

    if (!definitions)
        return prb_claim_knows_definitions(view);
    return !prb_ref_init(&ref, definitions, NULL, name) || !prb_view_find(view, &ref);
}

/* The definition that offers, or offered, this kind as one of claims. */
static bool find_definition(const struct prb_object *crd, struct prb_owner *ret)
{
    for (size_t i = 0; prb_object_owner_at(crd, i, ret); i++) {
        if (is_definition(ret))
            return !prb_streq(ret->name, prb_object_name(crd));
    }
    return false;
}

static bool was_of_claims(const struct prb_view *view, const struct prb_object *crd)
{
    struct prb_owner owner;

    return find_definition(crd, &owner) && is_gone(view, owner.name);
}

/* The name of a CRD is the plural, a dot and the group. */
bool prb_claim_kind_of(const struct prb_object *crd, struct prb_gvr *ret)
{
    const char *name = prb_object_name(crd), *dot = strchr(name, '.');
    struct prb_owner owner;
    size_t len = dot ? (size_t)(dot - name) : 0;

    *ret = (struct prb_gvr){ 0 };
    if (len == 0 || len >= sizeof(ret->resource) || !find_definition(crd, &owner))
        return false;
    memcpy(ret->resource, name, len);
    return prb_copy(ret->group, sizeof(ret->group), dot + 1);
}

bool prb_claim_is_former(const struct prb_view *view, const struct prb_gvr *gvr)
{
    const struct prb_object *crd;
    char name[PRB_NAME_SIZE];
    struct prb_ref ref;
    int len = snprintf(name, sizeof(name), "%s.%s", gvr->resource, gvr->group);

    if (len < 0 || (size_t)len >= sizeof(name) || !prb_ref_init(&ref, &prb_claim_crds, NULL, name))
        return false;
    crd = prb_view_find(view, &ref);
    return crd && was_of_claims(view, crd);
}

/* Who wants to know of them. */
struct telling {
    const struct prb_view *view;
    prb_claim_kind_fn *each;
    void *ctx;
};

static bool tell(void *ctx, const struct prb_object *crd)
{
    const struct telling *telling = ctx;
    struct prb_gvr kind;

    if (was_of_claims(telling->view, crd) && prb_claim_kind_of(crd, &kind))
        telling->each(telling->ctx, kind.group, kind.resource);
    return true;
}

void prb_claim_each_former(const struct prb_view *view, prb_claim_kind_fn *each, void *ctx)
{
    struct telling telling = { .view = view, .each = each, .ctx = ctx };

    prb_view_each(view, &prb_claim_crds, NULL, tell, &telling);
}
