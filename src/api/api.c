/* What is checked and filled in before a read, a watch or a question reaches an implementation? */

#include "probate/api/api.h"

#include "check.h"

int prb_api_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct prb_get_options filled =
            options ? *options : (struct prb_get_options){ .timeout_ms = 0 };
    int r = check_ref(ref, err);

    if (r < 0)
        return r;
    filled.timeout_ms = timeout_or_default(filled.timeout_ms);
    return api->ops->get(api, ref, &filled, ret, err);
}

int prb_api_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct prb_list_options filled =
            options ? *options : (struct prb_list_options){ .timeout_ms = 0 };

    if (filled.limit < 0)
        return prb_fail(err, PRB_E_INVALID, "list %s: limit %d", gvr->resource, filled.limit);
    if (filled.limit == 0)
        filled.limit = PRB_LIST_LIMIT;
    filled.timeout_ms = timeout_or_default(filled.timeout_ms);
    return api->ops->list(api, gvr, &filled, ret, err);
}

int prb_api_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    static const struct prb_watch_options none;

    return api->ops->watch(api, gvr, options ? options : &none, sink, ret, err);
}

void prb_api_watch_stop(struct prb_api *api, struct prb_watch *watch)
{
    if (watch)
        api->ops->watch_stop(api, watch);
}

int prb_api_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    if (!name || name[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "no resource is named");
    return api->ops->resolve(api, group ? group : "", name, ret, err);
}

void prb_api_forget(struct prb_api *api, const char *group)
{
    if (api->ops->forget)
        api->ops->forget(api, group);
}

int prb_api_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    struct prb_access_question filled = *question;

    /* The server takes a question without a verb or a user, and answers another one. */
    if (!filled.user || filled.user[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "access of no user is asked for");
    if (!filled.verb || filled.verb[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "access without a verb is asked for");
    filled.timeout_ms = timeout_or_default(filled.timeout_ms);
    return api->ops->may(api, &filled, ret, err);
}

void prb_api_interrupt(struct prb_api *api)
{
    api->ops->interrupt(api);
}

void prb_api_close(struct prb_api *api)
{
    if (api)
        api->ops->close(api);
}
