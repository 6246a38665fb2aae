/* What is a page of a list, and how do many pages become one list? */

#include "probate/api/api.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

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

/* Pages in a row without an object that promise more. An API server fills a page before it ends it,
 * so one is odd already; a list must end. */
#define EMPTY_PAGES_MAX 16

int prb_api_list_pages(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, prb_page_fn each, void *ctx,
        char **ret_resource_version, struct prb_error *err)
{
    struct prb_list_options at = options ? *options : (struct prb_list_options){ .limit = 0 };
    prb_autofree char *resource_version = NULL, *next = NULL;
    bool is_first = true;
    int empty = 0;

    do {
        prb_auto(prb_page_done) struct prb_page page;
        int r;

        prb_page_init(&page);
        at.next = next;
        r = prb_api_list(api, gvr, &at, &page, err);
        if (r < 0)
            return r;
        empty = page.count == 0 ? empty + 1 : 0;
        if (page.next && (empty > EMPTY_PAGES_MAX || (next && prb_streq(page.next, next))))
            return prb_fail(err, PRB_E_UNSUPPORTED,
                    "list %s: the server sends page after page without coming to an end",
                    gvr->resource);
        r = each(ctx, &page, err);
        if (r < 0)
            return r;
        if (is_first)
            resource_version = prb_take(page.resource_version);
        is_first = false;
        free(next);
        next = prb_take(page.next);
    } while (next);
    *ret_resource_version = prb_take(resource_version);
    return 0;
}

/* The pages so far, and how many objects they may have. */
struct pages {
    struct prb_page all; /* owned */
    const char *resource;
    size_t objects_max;
};

/* Move the objects of `page` to the end of those before. */
static int append(void *ctx, struct prb_page *page, struct prb_error *err)
{
    struct pages *pages = ctx;
    struct prb_page *all = &pages->all;

    if (page->count > pages->objects_max - all->count)
        return prb_fail(err, PRB_E_INVALID, "list %s: more than %zu objects", pages->resource,
                pages->objects_max);
    if (page->count == 0)
        return 0;
    all->objects = prb_realloc(all->objects, all->count + page->count, sizeof(struct prb_object *));
    for (size_t i = 0; i < page->count; i++)
        all->objects[all->count++] = page->objects[i];
    page->count = 0;
    return 0;
}

int prb_api_list_all(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, size_t objects_max, struct prb_page *ret,
        struct prb_error *err)
{
    struct pages pages = { .resource = gvr->resource, .objects_max = objects_max };
    int r = prb_api_list_pages(api, gvr, options, append, &pages, &pages.all.resource_version, err);

    if (r < 0)
        prb_page_done(&pages.all);
    else
        *ret = pages.all;
    return r;
}
