/* How are claims held, and of which kinds are their composites? */

#include "probate/cli/claims.h"

#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "finalizer.h"
#include "resources.h"

static const struct prb_resource_flag composite_flag = {
    .name = "--composite-resource",
    .example = "xbuckets.example.org",
};

static const struct prb_resource_flag composed_flag = {
    .name = "--composed-resource",
    .example = "buckets.s3.aws.example.org, or secrets of the core group",
    .core = true,
};

/* Crossplane's own name has no slash in it, as names had none then. */
int prb_claims_choose(
        const struct prb_claim_flags *flags, struct prb_claim_settings *ret, struct prb_error *err)
{
    const char *finalizer = flags->finalizer ? flags->finalizer : PRB_CLAIM_FINALIZER;

    if (!prb_streq(finalizer, PRB_CLAIM_FINALIZER) &&
            prb_finalizer_check("--claim-finalizer", finalizer, PRB_CLAIM_FINALIZER_OWN, err) < 0)
        return err->code;
    *ret = (struct prb_claim_settings){ .finalizer = finalizer };
    return 0;
}

void prb_claims_log(const struct prb_claim_settings *settings)
{
    prb_auto(prb_str_done) struct prb_str named;

    prb_str_init(&named, PRB_LOG_VALUE_MAX);
    for (size_t i = 0; i < settings->claim_count; i++)
        prb_str_addf(&named, "%s%s.%s", i > 0 ? ", " : "", settings->claims[i].resource,
                settings->claims[i].group);
    prb_info("deletion of claims", KV("finalizer", settings->finalizer),
            KV("kinds_by_flag", named.len > 0 ? prb_str_get(&named) : "none"));
}

int prb_claim_kinds_parse(
        const struct prb_claim_flags *flags, struct prb_claim_kinds *ret, struct prb_error *err)
{
    struct prb_claim_kinds kinds = { .composites = NULL };
    int r = prb_resources_parse(
            &composite_flag, &flags->composites, &kinds.composites, &kinds.composite_count, err);

    if (r == 0)
        r = prb_resources_parse(
                &composed_flag, &flags->composed, &kinds.composed, &kinds.composed_count, err);
    if (r == 0)
        *ret = kinds;
    else
        prb_claim_kinds_done(&kinds);
    return r;
}

void prb_claim_kinds_done(struct prb_claim_kinds *kinds)
{
    free(kinds->composites);
    free(kinds->composed);
    *kinds = (struct prb_claim_kinds){ .composites = NULL };
}
