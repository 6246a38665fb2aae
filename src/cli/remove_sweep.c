/* What of Probate is on the objects of one kind? */

#include <stdlib.h>

#include "probate/base/mem.h"

#include "remove.h"

/* Only if it is as it was seen: whoever changed it meanwhile is seen to in the next round. */
static void take_off(
        struct prb_removal *removal, const struct prb_trace *trace, const struct prb_object *object)
{
    const struct prb_write_options options = {
        .resource_version = prb_object_resource_version(object), .timeout_ms = PRB_REMOVE_CALL_MS
    };
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    prb_autofree char *text = NULL;
    char name[PRB_REF_TEXT_SIZE];
    struct prb_error err;
    struct prb_ref ref;
    int r;

    patch = trace->find(object, &text);
    if (!patch || !prb_object_ref_in(object, &trace->gvr, &ref))
        return;
    prb_ref_describe(&ref, name);
    /* In a dry run nothing is sent: Probate itself, which is still asked, would refuse it. */
    r = removal->dry_run
                ? 0
                : prb_api_patch(removal->api, &ref, PRB_PATCH_JSON, patch, &options, NULL, &err);
    if (r == PRB_E_NOTFOUND)
        return; /* it was let go by somebody else */
    if (r < 0) {
        prb_remove_fail(removal, name, &err);
        return;
    }
    prb_remove_took(removal, object, name, text);
    prb_remove_say(removal, "take off %s: %s", name, text);
}

static int sweep_page(struct prb_removal *removal, const struct prb_trace *trace, char **next,
        struct prb_error *err)
{
    const struct prb_list_options options = { .label_selector = trace->selector,
        .namespace = trace->works ? removal->works_namespace : NULL,
        .metadata_only = true,
        .keep_managed_fields = true,
        .next = *next,
        .timeout_ms = PRB_REMOVE_CALL_MS };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(removal->api, &trace->gvr, &options, &page, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < page.count && prb_remove_goes_on(removal); i++)
        take_off(removal, trace, page.objects[i]);
    free(*next);
    *next = prb_take(page.next);
    return 0;
}

void prb_remove_sweep(struct prb_removal *removal, const struct prb_trace *trace)
{
    prb_autofree char *next = NULL;
    struct prb_error err;

    do {
        int r = sweep_page(removal, trace, &next, &err);

        if (r == PRB_E_NOTFOUND)
            return; /* there is no such kind here, and so nothing of it */
        if (r < 0) {
            prb_remove_fail(removal, trace->what, &err);
            return;
        }
    } while (next && prb_remove_goes_on(removal));
}
