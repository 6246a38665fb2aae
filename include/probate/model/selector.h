#ifndef PROBATE_MODEL_SELECTOR_H
#define PROBATE_MODEL_SELECTOR_H

/*
 * Label selectors, as text ("a=b,c!=d,e in (x,y),f notin (z),g,!h") or as a LabelSelector object
 * (matchLabels, matchExpressions), and field selectors on metadata.name and metadata.namespace.
 * A selector is immutable after it was made.
 */

#include <stdbool.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/model/object.h"

struct prb_selector;

/*
 * Both refuse what the API server refuses (bad operators, keys, values); "" and NULL match all, as
 * does an empty LabelSelector. To Kubernetes a LabelSelector that is absent matches nothing in some
 * places and everything in others: where NULL must not mean "all", the caller decides beforehand.
 */
int prb_selector_parse(const char *text, struct prb_selector **ret, struct prb_error *err);
int prb_selector_from_json(
        const struct json_object *label_selector, struct prb_selector **ret, struct prb_error *err);

/* Only `metadata.name` and `metadata.namespace` with = == !=; others are INVALID, as for CRDs. */
int prb_field_selector_parse(const char *text, struct prb_selector **ret, struct prb_error *err);

void prb_selector_free(struct prb_selector *selector);
PRB_DEFINE_CLEANUP(struct prb_selector *, prb_selector_free)

/* NULL selector matches everything. */
bool prb_selector_matches(const struct prb_selector *selector, const struct prb_object *object);

#endif
