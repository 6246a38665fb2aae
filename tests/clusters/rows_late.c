/* Does a deletion wait for those who take their time, and say for whom? */

#include "probate/base/mem.h"

#include "rows.h"
#include "support/api_objects.h"
#include "support/json_text.h"

static int an_addon_takes_its_time(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "slow", HELD_BY_HOOK));
    DO(estate_make(estate, ADDON, "later", PRIORITY("50")));
    DO(estate_make_addon_work(estate, "later-deploy", "later"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "AddOnsRemaining", "finalizer " HOOK_FINALIZER));
    DO(estate_expect_untouched(estate, ADDON, "later"));
    DO(estate_expect_untouched(estate, WORK, "later-deploy"));
    DO(estate_release(estate, ADDON, "slow"));
    DO(estate_await_deleting(estate, WORK, "later-deploy"));
    DO(estate_release(estate, WORK, "later-deploy"));
    return estate_await_end(estate, 0);
}

static int an_addon_has_a_hook(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make(estate, ADDON, "hooked", HELD_BY_HOOK));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_deleting(estate, ADDON, "hooked"));
    DO(estate_make_addon_work(estate, "pre-delete", "hooked"));
    DO(estate_await_said(estate, "AddOnsRemaining", "hooked"));
    DO(estate_expect_untouched(estate, WORK, "pre-delete"));
    DO(estate_release(estate, ADDON, "hooked")); /* the hook has run */
    DO(estate_await_deleting(estate, WORK, "pre-delete"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_release(estate, WORK, "pre-delete"));
    return estate_await_end(estate, 0);
}

/* The addon of one cluster, with its work in the namespace of the cluster that hosts it. */
static int make_hosted(struct estate *host, struct estate *guest)
{
    prb_autofree char *addon = prb_asprintf(
            "'annotations':{'addon.open-cluster-management.io/hosting-cluster-name':'%s'}",
            host->id);
    prb_autofree char *work =
            prb_asprintf("'labels':{'open-cluster-management.io/addon-name':'hosted',"
                         "'open-cluster-management.io/addon-namespace':'%s'}," HELD_BY_AGENT,
                    guest->id);

    DO(estate_make(guest, ADDON, "hosted", addon));
    return estate_make(host, WORK, "hosted-deploy", work);
}

static int play_host(struct estate *host, struct estate *guest)
{
    prb_autofree char *said = prb_asprintf("of %s/hosted", guest->id);

    DO(estate_found(host));
    DO(estate_found(guest));
    DO(make_hosted(host, guest));
    DO(estate_delete(host, CLUSTER, NULL));
    DO(estate_await_said(host, "WorksRemaining", said));
    DO(estate_expect_untouched(host, WORK, "hosted-deploy"));
    DO(estate_delete(guest, ADDON, "hosted"));
    DO(estate_await_deleting(host, WORK, "hosted-deploy"));
    DO(estate_release(host, WORK, "hosted-deploy"));
    DO(estate_await_end(host, 0));
    DO(estate_expect_untouched(guest, NAMESPACE, NULL));
    DO(estate_expect_untouched(guest, ROLEBINDING, "work"));
    return estate_expect_untouched(guest, CLUSTER, NULL);
}

static int a_hosted_addon_is_waited_for(struct estate *host)
{
    struct estate guest;
    int r;

    estate_open(&guest, host->target, host->why);
    r = play_host(host, &guest);
    estate_close(&guest);
    return r;
}

static int a_customised_work_is_waited_for(struct estate *estate)
{
    DO(estate_found(estate));
    DO(make_customised(estate, "mine"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(
            estate, "WorksRemaining", "customised work: not deleted by Probate: mine"));
    DO(estate_expect_untouched(estate, WORK, "mine"));
    DO(estate_delete(estate, WORK, "mine"));
    DO(estate_await_said(estate, "WorksRemaining", "probate.dev/release-works"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "registration"));
    DO(estate_release(estate, WORK, "mine"));
    return estate_await_end(estate, 0);
}

/* Nobody deletes it, and it is still its agent's. */
static int expect_held(struct estate *estate, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *work = estate_get(estate, WORK, name);

    DO(estate_expect_untouched(estate, WORK, name));
    if (!work || !prb_object_has_finalizer(work, WORK_FINALIZER))
        return estate_fail(estate, "work %s has lost its finalizer", name);
    return 0;
}

/* Nobody takes the finalizers off but Probate, and only off works that are deleted. */
static int a_dead_cluster_is_given_up(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_make_addon_work(estate, "orphaned", "long-gone"));
    DO(make_customised(estate, "mine"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_deleting(estate, WORK, "orphaned"));
    DO(estate_await_said(estate, "WorksRemaining", "orphaned (being deleted since "));
    DO(estate_patch(estate, CLUSTER, NULL,
            "{'metadata':{'annotations':{'probate.dev/release-works':'it burnt down'}}}"));
    DO(estate_await_gone(estate, WORK, "orphaned"));
    DO(expect_held(estate, "mine"));
    DO(estate_delete(estate, WORK, "mine"));
    DO(estate_await_end(estate, 0));
    return estate_await_event(estate, "WorkReleased");
}

static int put_held_configmap(struct estate *estate)
{
    struct prb_ref ref = prb_test_configmap(estate->id, "held");
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'held','namespace':'%s',"
            "'finalizers':['example.org/hold']}}",
            estate->id);
    struct prb_error err;

    return prb_api_create(estate->target->direct, &ref, body, NULL, NULL, &err) < 0
                   ? estate_fail(estate, "%s", err.msg)
                   : 0;
}

static int release_configmap(struct estate *estate)
{
    struct prb_ref ref = prb_test_configmap(estate->id, "held");
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_error err;

    return prb_api_patch(estate->target->direct, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0
                   ? estate_fail(estate, "%s", err.msg)
                   : 0;
}

static int content_holds_the_namespace(struct estate *estate)
{
    DO(estate_found(estate));
    DO(put_held_configmap(estate));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "NamespaceRemaining", "example.org/hold"));
    DO(release_configmap(estate));
    return estate_await_end(estate, 0);
}

static int a_finalizer_holds_the_namespace(struct estate *estate)
{
    DO(estate_found(estate));
    DO(estate_patch(
            estate, NAMESPACE, NULL, "{'metadata':{'finalizers':['example.org/of-namespace']}}"));
    DO(estate_delete(estate, CLUSTER, NULL));
    DO(estate_await_said(estate, "NamespaceRemaining", "finalizer example.org/of-namespace"));
    DO(estate_release(estate, NAMESPACE, NULL));
    return estate_await_end(estate, 0);
}

static const struct row list[] = {
    { "an addon is released late", AS_IT_COMES, an_addon_takes_its_time },
    { "an addon makes a pre-delete work during the deletion", AS_IT_COMES, an_addon_has_a_hook },
    { "the works of an addon that is hosted here go after it", AS_IT_COMES,
            a_hosted_addon_is_waited_for },
    { "a customised work is released late", AS_IT_COMES, a_customised_work_is_waited_for },
    { "the works of a dead cluster are released", AS_IT_COMES, a_dead_cluster_is_given_up },
    { "the namespace is held by what is in it, and the condition says so", AS_IT_COMES,
            content_holds_the_namespace },
    { "the namespace is held by a finalizer of its own, and the condition says so", AS_IT_COMES,
            a_finalizer_holds_the_namespace },
};

ROW_LIST(rows_late);
