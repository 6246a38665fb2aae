/* What is a page of a list, and how do many pages become one list? */

#include "probate/api/api.h"
#include "probate/base/mem.h"

void prb_page_init(struct prb_page *page)
{
    *page = (struct prb_page){ .count = 0 };
}

void prb_page_done(struct prb_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        prb_object_unref(page->objects[i]);
    free(page->objects);
    free(page->resource_version);
    free(page->next);
    prb_page_init(page);
}

/* Move the objects of `page` to the end of `all`. */
static void append(struct prb_page *all, struct prb_page *page)
{
    if (page->count == 0)
        return;
    all->objects = prb_realloc(all->objects, all->count + page->count, sizeof(struct prb_object *));
    for (size_t i = 0; i < page->count; i++)
        all->objects[all->count++] = page->objects[i];
    page->count = 0;
}

/* Read the page at `all->next`, or the first one, and leave in `all->next` where to go on. */
static int read_page(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, size_t objects_max, struct prb_page *all,
        struct prb_error *err)
{
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(api, gvr, options, &page, err);
    if (r < 0)
        return r;
    if (page.count > objects_max - all->count)
        return prb_fail(
                err, PRB_E_INVALID, "list %s: more than %zu objects", gvr->resource, objects_max);

    append(all, &page);

    /* The version of the first page: a watch from there can repeat something, but miss nothing. */
    if (!all->resource_version)
        all->resource_version = prb_take(page.resource_version);
    free(all->next);
    all->next = prb_take(page.next);
    return 0;
}

int prb_api_list_all(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, size_t objects_max, struct prb_page *ret,
        struct prb_error *err)
{
    prb_auto(prb_page_done) struct prb_page all;
    struct prb_list_options at = options ? *options : (struct prb_list_options){ .limit = 0 };

    prb_page_init(&all);

    /* Each page but the last brings an object, so a list that ends has no more pages than this. */
    for (size_t pages = 0; pages <= objects_max; pages++) {
        int r = read_page(api, gvr, &at, objects_max, &all, err);

        if (r < 0)
            return r;
        if (!all.next) {
            *ret = all;
            prb_page_init(&all);
            return 0;
        }
        at.next = all.next;
    }
    return prb_fail(err, PRB_E_INVALID, "list %s: more than %zu pages", gvr->resource, objects_max);
}
