/* Is the cluster there, and the addon? */

#include "cluster_state.h"

#include "probate/base/str.h"

const struct prb_gvr prb_clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };
const struct prb_gvr prb_addons = { "addon.open-cluster-management.io", "v1alpha1",
    "managedclusteraddons" };

/* Hubs serve the first, the second, or both. The stored one comes first: it needs no conversion. */
static const char *const addon_versions[] = { "v1alpha1", "v1beta1" };
#define ADDON_VERSIONS (sizeof(addon_versions) / sizeof(addon_versions[0]))

static const char *label(const struct prb_request *request, const char *key)
{
    const char *value = request->object ? prb_object_label(request->object, key) : NULL;

    return value && value[0] ? value : NULL;
}

const char *prb_addon_name(const struct prb_request *request)
{
    return label(request, PRB_ADDON_NAME_LABEL);
}

const char *prb_addon_namespace(const struct prb_request *request)
{
    const char *other = label(request, PRB_ADDON_NAMESPACE_LABEL);

    return other ? other : request->namespace;
}

/* False: nothing can have that name. */
static bool cluster_ref(const struct prb_request *request, struct prb_ref *ret)
{
    return prb_ref_init(ret, &prb_clusters, NULL, request->namespace);
}

static bool addon_ref(const struct prb_request *request, const char *version, struct prb_ref *ret)
{
    struct prb_gvr gvr;

    return prb_gvr_init(&gvr, prb_addons.group, version, prb_addons.resource) &&
           prb_ref_init(ret, &gvr, prb_addon_namespace(request), prb_addon_name(request));
}

static bool is_cached_live(const struct prb_view *view, const struct prb_ref *cluster)
{
    const struct prb_object *cached =
            prb_view_knows(view, &prb_clusters) ? prb_view_find(view, cluster) : NULL;

    return cached && !prb_object_is_deleting(cached);
}

bool prb_cluster_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out)
{
    struct prb_ref ref;

    if (!cluster_ref(request, &ref) || is_cached_live(view, &ref))
        return false;
    prb_ask_object(out, &ref);
    return true;
}

void prb_addon_ask(const struct prb_request *request, struct prb_questions *out)
{
    struct prb_ref ref;

    for (size_t i = 0; prb_addon_name(request) && i < ADDON_VERSIONS; i++) {
        if (addon_ref(request, addon_versions[i], &ref))
            prb_ask_object(out, &ref);
    }
}

static enum prb_found read_answer(const struct prb_question *answer)
{
    if (!answer || answer->state == PRB_UNKNOWN)
        return PRB_FOUND_UNSURE;
    if (answer->state == PRB_PRESENT)
        return prb_object_is_deleting(answer->object) ? PRB_FOUND_DELETING : PRB_FOUND_LIVE;
    return prb_streq(answer->error.reason, "NotServed") ? PRB_FOUND_NO_KIND : PRB_FOUND_NOT;
}

enum prb_found prb_cluster_find(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, const struct prb_question **ret_answer)
{
    struct prb_ref ref;
    enum prb_found found;

    if (!cluster_ref(request, &ref))
        return PRB_FOUND_NO_NAME;
    *ret_answer = prb_answer_object(answers, &ref);
    found = read_answer(*ret_answer);
    return found == PRB_FOUND_UNSURE && is_cached_live(view, &ref) ? PRB_FOUND_LIVE : found;
}

bool prb_addon_has_hook(const struct prb_object *addon)
{
    /* OCM's names, of an addon and of a hosted one; those of its older releases come last. */
    static const char *const finalizers[] = {
        "addon.open-cluster-management.io/addon-pre-delete",
        "addon.open-cluster-management.io/hosting-addon-pre-delete",
        "cluster.open-cluster-management.io/addon-pre-delete",
        "cluster.open-cluster-management.io/hosting-addon-pre-delete",
    };

    for (size_t i = 0; i < sizeof(finalizers) / sizeof(finalizers[0]); i++) {
        if (prb_object_has_finalizer(addon, finalizers[i]))
            return true;
    }
    return false;
}

/* The versions are one and the same object: the first that is served and answers settles it. */
enum prb_found prb_addon_find(const struct prb_request *request,
        const struct prb_questions *answers, const struct prb_question **ret_answer)
{
    enum prb_found all = PRB_FOUND_NO_KIND;
    struct prb_ref ref;

    for (size_t i = 0; i < ADDON_VERSIONS; i++) {
        const struct prb_question *answer;
        enum prb_found found;

        if (!addon_ref(request, addon_versions[i], &ref))
            return PRB_FOUND_NO_NAME;
        answer = prb_answer_object(answers, &ref);
        found = read_answer(answer);
        if (found != PRB_FOUND_UNSURE && found != PRB_FOUND_NO_KIND) {
            *ret_answer = answer;
            return found;
        }
        if (found == PRB_FOUND_UNSURE && all != PRB_FOUND_UNSURE) {
            all = PRB_FOUND_UNSURE;
            *ret_answer = answer;
        }
    }
    return all;
}
