/* What does this server have? */

#include "support/served.h"

#include "probate/base/json.h"

bool prb_test_serves(struct prb_api *api, const struct prb_gvr *gvr)
{
    const struct prb_list_options options = { .metadata_only = true, .limit = 1 };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    return prb_api_list(api, gvr, &options, &page, &err) == 0;
}

bool prb_test_stores(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const char *pointer)
{
    const struct prb_write_options options = { .dry_run = true };
    prb_auto(prb_object_unref) struct prb_object *answer = NULL;
    struct json_object *member = NULL;
    struct prb_error err;

    return prb_api_create(api, ref, body, &options, &answer, &err) == 0 &&
           prb_json_pointer_get(prb_object_tree(answer), pointer, &member);
}
