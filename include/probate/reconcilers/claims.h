#ifndef PROBATE_RECONCILERS_CLAIMS_H
#define PROBATE_RECONCILERS_CLAIMS_H

/* What the command line decides about claims: `settings` of prb_reconciler_claims. All borrowed. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/gvr.h"
#include "probate/model/object.h"

/* The name that Crossplane's core uses too. */
#define PRB_CLAIM_FINALIZER "finalizer.apiextensions.crossplane.io"

/* On a claim that nobody is to touch, with the value "true". */
#define PRB_ANNOTATION_PAUSED "crossplane.io/paused"

/* Where Crossplane says which kinds are composites, and which are their claims. */
#define PRB_DEFINITION_GROUP "apiextensions.crossplane.io"
#define PRB_DEFINITION_RESOURCE "compositeresourcedefinitions"

struct prb_claim_settings {
    const char *finalizer;

    /* Kinds that are claims beside those that definitions name; their version may be "". */
    const struct prb_gvr *claims;
    size_t claim_count;
};

/* The kind of claims that Crossplane has made this CustomResourceDefinition for, be the definition
 * that offers them there or gone; false: it is none. Without a version. */
bool prb_claim_kind_of(const struct prb_object *crd, struct prb_gvr *ret);

#endif
