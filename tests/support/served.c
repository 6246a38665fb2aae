/* What does this server have? */

#include "support/served.h"

#include "probate/base/json.h"

int prb_test_serves(
        struct prb_api *api, const struct prb_gvr *gvr, bool *ret, struct prb_error *err)
{
    const struct prb_list_options options = { .metadata_only = true, .limit = 1 };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(api, gvr, &options, &page, err);
    if (r < 0 && r != PRB_E_NOTFOUND)
        return r;
    *ret = r == 0;
    return 0;
}

int prb_test_stores(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const char *pointer, bool *ret, struct prb_error *err)
{
    const struct prb_write_options options = { .dry_run = true };
    prb_auto(prb_object_unref) struct prb_object *answer = NULL;
    struct json_object *member = NULL;
    int r = prb_api_create(api, ref, body, &options, &answer, err);

    if (r < 0)
        return r;
    *ret = prb_json_pointer_get(prb_object_tree(answer), pointer, &member);
    return 0;
}
