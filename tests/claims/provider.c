/* What do Crossplane and a provider do about what is being deleted? */

#include "provider.h"

#include "probate/model/patch.h"

#include "stage.h"
#include "support/wait.h"

/* Far above what a run makes. */
#define OBJECTS_MAX 20000

static bool is_over(struct provider *provider)
{
    bool over;

    (void)pthread_mutex_lock(&provider->lock);
    over = provider->over;
    (void)pthread_mutex_unlock(&provider->lock);
    return over;
}

/* What fails is tried again with the next look. */
static void release(struct provider *provider, const struct prb_gvr *gvr,
        const struct prb_object *object, const char *finalizer)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_patch_remove_finalizer(object, finalizer);
    struct prb_error err;
    struct prb_ref ref;

    if (patch && prb_object_ref_in(object, gvr, &ref))
        (void)prb_api_patch(provider->api, &ref, PRB_PATCH_JSON, patch, NULL, NULL, &err);
}

static void see_to(struct provider *provider, enum sort sort, const char *finalizer)
{
    const struct prb_gvr gvr = sort_gvr(sort);
    const struct prb_list_options options = { .metadata_only = true };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list_all(provider->api, &gvr, &options, OBJECTS_MAX, &page, &err) < 0)
        return;
    for (size_t i = 0; i < page.count && !is_over(provider); i++) {
        const struct prb_object *object = page.objects[i];

        if (prb_object_is_deleting(object) && !prb_object_label(object, HELD_LABEL))
            release(provider, &gvr, object, finalizer);
    }
}

static void *work(void *arg)
{
    struct provider *provider = arg;

    while (!is_over(provider)) {
        see_to(provider, ROOT, COMPOSITE_FINALIZER);
        see_to(provider, SITE_ROOT, COMPOSITE_FINALIZER);
        see_to(provider, POOL_ROOT, COMPOSITE_FINALIZER);
        see_to(provider, SUB, COMPOSITE_FINALIZER);
        see_to(provider, LEAF, LEAF_FINALIZER);
        prb_test_pause();
    }
    return NULL;
}

int provider_start(struct provider *provider, struct prb_api *api, struct prb_error *err)
{
    *provider = (struct provider){ .api = api };
    (void)pthread_mutex_init(&provider->lock, NULL);
    provider->started = pthread_create(&provider->thread, NULL, work, provider) == 0;
    return provider->started ? 0 : prb_fail(err, PRB_E_INTERNAL, "no thread for the provider");
}

void provider_stop(struct provider *provider)
{
    if (!provider->started)
        return;
    (void)pthread_mutex_lock(&provider->lock);
    provider->over = true;
    (void)pthread_mutex_unlock(&provider->lock);
    (void)pthread_join(provider->thread, NULL);
    (void)pthread_mutex_destroy(&provider->lock);
    provider->started = false;
}
