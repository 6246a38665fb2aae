#ifndef PROBATE_HUB_VERSIONS_INTERNAL_H
#define PROBATE_HUB_VERSIONS_INTERNAL_H

#include "probate/base/json.h"

/* Which API version comes first in discovery: v2 before v1 before v1beta1 before v1alpha1, then
 * all others by name. Like strcmp. */
int prb_hub_version_compare(const char *a, const char *b);

/* Sort an array of strings so. */
void prb_hub_versions_sort(struct json_object *names);

/* The strings of an array with commas between, as kinds keep their names; heap, never NULL. */
char *prb_hub_names_join(const struct json_object *names);

#endif
