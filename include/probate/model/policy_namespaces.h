#ifndef PROBATE_MODEL_POLICY_NAMESPACES_H
#define PROBATE_MODEL_POLICY_NAMESPACES_H

/* Which namespaces the namespaceSelector of a policy means. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/model/view.h"

struct prb_namespaces {
    const char **names; /* owned; sorted; the names are borrowed from the view */
    size_t count;
};

void prb_namespaces_done(struct prb_namespaces *namespaces);
static inline void prb_namespaces_donep(struct prb_namespaces *namespaces)
{
    prb_namespaces_done(namespaces);
}

/*
 * Those of the view that match: their names `include`, and not `exclude` (file globs), and their
 * labels. Labels without `include` mean every name; neither of both means no namespace at all, as
 * does `selector` NULL. INVALID: a selector or a glob that is none.
 */
int prb_policy_namespaces(const struct json_object *selector, const struct prb_view *view,
        struct prb_namespaces *ret, struct prb_error *err);

/* The same of a single namespace, as it is. */
int prb_policy_selects(const struct json_object *selector, const struct prb_object *namespace,
        bool *ret, struct prb_error *err);

/* Go's filepath.Match for names without '/': `*`, `?`, `[a-z]`, `[^a]`, `\x`. INVALID: no pattern.
 */
int prb_glob_match(const char *pattern, const char *name, bool *ret, struct prb_error *err);

#endif
