/* How is the composite of a claim to be deleted? */

#include "probate/base/str.h"

#include "claim_internal.h"

static enum prb_claim_policy policy_named(const struct json_object *value)
{
    const char *text = prb_json_string(value);

    if (prb_streq(text, "Background"))
        return PRB_CLAIM_BACKGROUND;
    return prb_streq(text, "Foreground") ? PRB_CLAIM_FOREGROUND : PRB_CLAIM_INVALID;
}

/* What the claim says, else its definition, else Background. */
enum prb_claim_policy prb_claim_policy_of(const struct prb_claim_case *a_case)
{
    const struct json_object *value =
            prb_json_find(prb_object_spec(a_case->claim), "compositeDeletePolicy");
    const struct prb_object *definition;

    if (value)
        return policy_named(value);
    if (!prb_claim_knows_definitions(a_case->view))
        return PRB_CLAIM_UNKNOWN;
    definition = prb_claim_definition(a_case->view, &a_case->ref.gvr);
    if (!definition)
        return PRB_CLAIM_BACKGROUND;
    value = prb_json_find(prb_object_spec(definition), "defaultCompositeDeletePolicy");
    return value ? policy_named(value) : PRB_CLAIM_BACKGROUND;
}
