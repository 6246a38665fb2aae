/* What does OCM do when a cluster is deleted? */

#include "ocm.h"

#include "support/wait.h"

#define BY_OCM "'labels':{'" BY_OTHERS "':'ocm'}"

int ocm_found(struct estate *estate)
{
    DO(estate_make(estate, NAMESPACE, NULL, ""));
    DO(estate_make(estate, CLUSTER, NULL, ""));
    DO(estate_make(estate, ROLE, NULL, BY_OCM));
    DO(estate_make(estate, ROLE_BINDING, NULL, BY_OCM));
    DO(estate_make(estate, ROLEBINDING, "registration", BY_OCM));
    DO(estate_make(estate, ROLEBINDING, "work", BY_OCM ",'finalizers':['" WORK_FINALIZER "']"));
    return estate_await_held(estate);
}

/* Whoever was first: Probate may have done it already. */
static int remove_one(struct estate *estate, enum sort sort, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = estate_get(estate, sort, name);
    const struct prb_ref ref = estate_ref(estate, sort, name);
    struct prb_delete_options options = { .propagation = PRB_PROPAGATE_BACKGROUND };
    struct prb_error err;
    int r;

    if (!object)
        return 0;
    options.uid = prb_object_uid(object);
    r = prb_api_delete(estate->target->direct, &ref, &options, &err);
    return r == 0 || r == PRB_E_NOTFOUND ? 0 : estate_fail(estate, "OCM: %s", err.msg);
}

int ocm_remove_rights(struct estate *estate)
{
    DO(remove_one(estate, ROLE, NULL));
    DO(remove_one(estate, ROLE_BINDING, NULL));
    DO(remove_one(estate, ROLEBINDING, "registration"));
    return remove_one(estate, ROLEBINDING, "work");
}

/* How many are left; -1: it failed. */
static int collect_once(struct estate *estate, enum sort sort)
{
    const struct prb_gvr gvr = sort_gvr(sort);
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list_all(estate->target->direct, &gvr,
                &(struct prb_list_options){ .namespace = estate->id }, 1000, &page, &err) < 0)
        return estate_fail(estate, "OCM: %s", err.msg);
    for (size_t i = 0; i < page.count; i++)
        DO(remove_one(estate, sort, prb_object_name(page.objects[i])));
    return (int)page.count;
}

int ocm_collect(struct estate *estate)
{
    static const enum sort sorts[] = { ADDON, WORK };
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_LONG_MS, "OCM has collected all");

    for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]);) {
        int left = collect_once(estate, sorts[i]);

        DO(left);
        (void)prb_test_saw("%d are left", left);
        if (left == 0)
            i++;
        if (!prb_test_wait_more(&wait))
            return estate_fail(estate, "%s", prb_test_awaited());
    }
    return 0;
}
