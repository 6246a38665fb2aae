#ifndef PROBATE_RULES_CLUSTER_STATE_INTERNAL_H
#define PROBATE_RULES_CLUSTER_STATE_INTERNAL_H

/*
 * Is the cluster of a namespace there, and the addon of a work? A cluster that the cache holds as
 * live is enough to say so. Everything else is asked live before it is said: a cache may be
 * behind, and a cluster created a moment ago is not missing.
 */

#include "probate/core/question.h"
#include "probate/core/request.h"
#include "probate/model/view.h"

/* On a ManifestWork: whose it is. The namespace is its own unless it says otherwise. */
#define PRB_ADDON_NAME_LABEL "open-cluster-management.io/addon-name"
#define PRB_ADDON_NAMESPACE_LABEL "open-cluster-management.io/addon-namespace"

extern const struct prb_gvr prb_clusters;
extern const struct prb_gvr prb_addons; /* in the version that is asked first */

enum prb_found {
    PRB_FOUND_LIVE,
    PRB_FOUND_DELETING,
    PRB_FOUND_NOT,
    PRB_FOUND_NO_KIND, /* not, because the hub does not serve the kind */
    PRB_FOUND_NO_NAME, /* not, because nothing can have such a name */
    PRB_FOUND_UNSURE,
};

/* Ask for the cluster that `request` is in; false when that is not needed, as it is known live. */
bool prb_cluster_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out);

/* Ask for the addon that it is a work of, if it is one. */
void prb_addon_ask(const struct prb_request *request, struct prb_questions *out);

/* LIVE or DELETING after a question: *ret_answer has the object. UNSURE: *ret_answer says why; it
 * is NULL when nobody asked. */
enum prb_found prb_cluster_find(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, const struct prb_question **ret_answer);
enum prb_found prb_addon_find(const struct prb_request *request,
        const struct prb_questions *answers, const struct prb_question **ret_answer);

/* Does a finalizer say that a hook has to run before the addon goes? */
bool prb_addon_has_hook(const struct prb_object *addon);

/* The addon that the object in `request` says it is a work of; NULL when it does not. */
const char *prb_addon_name(const struct prb_request *request);
const char *prb_addon_namespace(const struct prb_request *request);

#endif
