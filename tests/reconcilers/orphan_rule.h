#ifndef TESTS_RECONCILERS_ORPHAN_RULE_H
#define TESTS_RECONCILERS_ORPHAN_RULE_H

/* The webhook's word on a change of a work that is being deleted. */

#include "probate/model/object.h"

bool orphan_rule_allows(struct prb_object *old, struct prb_object *now);

#endif
