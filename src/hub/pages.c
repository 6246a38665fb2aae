/* How does a list come in pages that belong together? */

#include "pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "fail.h"
#include "filter.h"
#include "port.h"
#include "state.h"

static void list_done(struct prb_hub_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        prb_object_unref(list->objects[i]);
    free(list->objects);
    *list = (struct prb_hub_list){ .id = 0 };
}

void prb_hub_pages_done(struct prb_hub_pages *pages)
{
    for (size_t i = 0; i < PRB_HUB_LISTS_MAX; i++)
        list_done(&pages->lists[i]);
}

/* Keep a list to be continued; its content moves. The oldest one that is kept makes place. */
static uint64_t keep(struct prb_hub_pages *pages, struct prb_hub_list *list)
{
    struct prb_hub_list *place = &pages->lists[pages->next];

    pages->next = (pages->next + 1) % PRB_HUB_LISTS_MAX;
    list_done(place);
    *place = *list;
    do
        place->id = prb_random_u64();
    while (place->id == 0);
    *list = (struct prb_hub_list){ .id = 0 };
    return place->id;
}

static const struct prb_hub_list *find(const struct prb_hub_pages *pages, uint64_t id)
{
    for (size_t i = 0; i < PRB_HUB_LISTS_MAX; i++) {
        if (id != 0 && pages->lists[i].id == id)
            return &pages->lists[i];
    }
    return NULL;
}

/* A token is "<id in hex>.<index of the next object>". */
static bool token_parse(const char *token, uint64_t *ret_id, size_t *ret_index)
{
    char *end = NULL;
    int64_t index;

    *ret_id = strtoull(token, &end, 16);
    if (end == token || *end != '.' || !prb_parse_int(end + 1, 0, PRB_HUB_OBJECTS_MAX, &index))
        return false;
    *ret_index = (size_t)index;
    return true;
}

/* The objects [from, to) of a list, to be presented without the lock. */
static void copy_page(const struct prb_hub_list *list, size_t from, size_t to, struct prb_page *ret)
{
    ret->objects = prb_calloc(to - from + 1, sizeof(struct prb_object *));
    for (size_t i = from; i < to; i++)
        ret->objects[ret->count++] = prb_object_ref(list->objects[i]);
    ret->resource_version = prb_asprintf("%" PRIu64, list->version);
}

static size_t page_end(const struct prb_hub_list *list, size_t from, int limit)
{
    return list->count - from > (size_t)limit ? from + (size_t)limit : list->count;
}

static int next_page(struct prb_hub *hub, const struct prb_hub_kind *kind,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    const struct prb_hub_list *list;
    size_t from = 0, to;
    uint64_t id = 0;

    if (!token_parse(options->next, &id, &from))
        return prb_hub_bad_request(err, "invalid continue token: continue key is not valid");
    list = find(&hub->pages, id);
    if (!list)
        return prb_hub_gone(err, "The provided continue parameter is too old to display a "
                                 "consistent list result. You can start a new list without the "
                                 "continue parameter.");
    if (list->kind != kind || from > list->count)
        return prb_hub_bad_request(err, "invalid continue token: it is of another list");
    to = page_end(list, from, options->limit);
    copy_page(list, from, to, ret);
    if (to < list->count)
        ret->next = prb_asprintf("%" PRIx64 ".%zu", id, to);
    return 0;
}

static int first_page(struct prb_hub *hub, const struct prb_hub_kind *kind,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    prb_auto(prb_hub_filter_done) struct prb_hub_filter filter = { .namespace = NULL };
    struct prb_hub_list list = { .kind = kind, .version = hub->version };
    size_t to;
    int r = prb_hub_filter_init(
            &filter, options->namespace, options->label_selector, options->field_selector, err);

    if (r < 0)
        return r;
    list.objects = prb_hub_filter_select(&filter, kind, &list.count);
    to = page_end(&list, 0, options->limit);
    copy_page(&list, 0, to, ret);
    if (to < list.count)
        ret->next = prb_asprintf("%" PRIx64 ".%zu", keep(&hub->pages, &list), to);
    list_done(&list);
    return 0;
}

static int read_page(struct prb_hub *hub, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    const struct prb_hub_kind *kind = prb_hub_kind_serving(hub->kinds, gvr);
    bool in_namespace = options->namespace && options->namespace[0] != '\0';

    if (hub->interrupted)
        return prb_hub_cancelled(err);
    if (!kind || (in_namespace && !kind->resource.namespaced))
        return prb_hub_not_served(err);
    if (options->next && options->next[0] != '\0')
        return next_page(hub, kind, options, ret, err);
    return first_page(hub, kind, options, ret, err);
}

int prb_hub_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct prb_hub *hub = prb_hub_of(api);
    struct prb_hub_view_as as = { .metadata_only = options->metadata_only,
        .drop_managed_fields = !options->keep_managed_fields };
    int r;

    (void)pthread_mutex_lock(&hub->lock);
    r = read_page(hub, gvr, options, ret, err);
    (void)pthread_mutex_unlock(&hub->lock);
    if (r < 0)
        return r;
    prb_api_version_format(gvr->group, gvr->version, as.api_version);
    for (size_t i = 0; i < ret->count; i++) {
        prb_auto(prb_object_unref) struct prb_object *stored = ret->objects[i];

        ret->objects[i] = prb_hub_present(stored, &as);
    }
    return 0;
}
