/* Is it recorded who has made what (case20 of the reference)? */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

static int created(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    return scene_expect_kept(scene, &foo);
}

static int existed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    return scene_changes(scene, &foo) == 0 ? 0 : scene_fail(scene, "it was written to");
}

static int edited(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(scene_make(scene, &foo, CM("foo", "before")));
    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_value(scene, &foo, "a"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    return scene_expect_kept(scene, &foo);
}

static int informed(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), none = scene_cm(scene, "none");

    DO(scene_make(scene, &foo, CM("foo", "a")));
    DO(scene_make_policy(scene, "p",
            SPEC("inform", "DeleteIfCreated", HAVE(CM("foo", "a")) "," HAVE(CM("none", "a")))));
    DO(scene_await_state(scene, "p", "NonCompliant", "none"));
    DO(scene_await_recorded(scene, "p", &foo, false));
    DO(scene_await_listed(scene, "p", &none, true));
    return scene_expect_never(scene, &none);
}

/* What was recorded while nothing was to be pruned serves when something is. */
static int pruning_comes_later(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), old = scene_cm(scene, "old");

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(
            scene, "p", ENFORCE("None", HAVE(CM("foo", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    DO(scene_patch_policy(scene, "p", SET("'pruneObjectBehavior':'DeleteIfCreated'")));
    DO(scene_await_finalizer(scene, "p", true));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &foo));
    return scene_expect_kept(scene, &old);
}

/*
 * The status that design 003 prints, member by member. It differs in three: a Pod is of kind "Pod",
 * as in the reference, and not "pods"; the message has other words; and the deprecated `Validity`
 * is not written.
 */
#define SAMPLE_STATUS                                                                             \
    "{'compliancyDetails':[{'Compliant':'Compliant','conditions':[{'lastTransitionTime':'TIME',"  \
    "'message':'pods [demo] found as specified in namespace @','reason':'K8s `must have` object " \
    "already exists','status':'True','type':'notification'}]}],'compliant':'Compliant',"          \
    "'lastEvaluated':'TIME','lastEvaluatedGeneration':1,'relatedObjects':[{'compliant':"          \
    "'Compliant','object':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'demo','namespace':" \
    "'@'}},'properties':{'createdByPolicy':true,'uid':'UID'},'reason':'Resource found as "        \
    "expected'}]}"

/* A time is a time, and not in the future of it. */
static void blank_time(struct json_object *at, const char *key)
{
    const char *text = prb_json_str(at, key);
    int64_t ms;

    if (text && prb_time_parse(text, &ms))
        prb_json_set_str(at, key, "TIME");
}

/* What is another one each time is named; the history is ours and the reference's, and not in the
 * design. */
static struct json_object *steady_status(const struct prb_object *policy, const char *uid)
{
    struct json_object *status = prb_json_copy(prb_object_status(policy));
    struct json_object *detail = prb_json_elem(prb_json_arr(status, "compliancyDetails"), 0);
    struct json_object *entry = prb_json_elem(prb_json_arr(status, "relatedObjects"), 0);
    struct json_object *properties = prb_json_obj(entry, "properties");

    blank_time(status, "lastEvaluated");
    blank_time(prb_json_elem(prb_json_arr(detail, "conditions"), 0), "lastTransitionTime");
    if (prb_streq(prb_json_str(properties, "uid"), uid))
        prb_json_set_str(properties, "uid", "UID");
    prb_json_del(status, "history");
    return status;
}

static int sample(struct scene *scene)
{
    struct prb_ref pod = scene_in(scene, "pods.v1", "demo");
    prb_auto(prb_object_unref) struct prb_object *policy = NULL, *live = NULL;
    prb_auto(prb_json_free) struct json_object *is = NULL, *wanted = NULL;
    prb_autofree char *text = NULL;

    DO(scene_make_policy(scene, "p",
            "'namespaceSelector':{'exclude':['kube-*'],'include':['@']},'object-templates':[{"
            "'complianceType':'musthave','objectDefinition':{'apiVersion':'v1','kind':'Pod',"
            "'metadata':{'name':'demo'},'spec':{'containers':[{'image':'nginx:1.18.0',"
            "'name':'nginx','ports':[{'containerPort':80}]}]}}}],'remediationAction':'enforce',"
            "'severity':'low','pruneObjectBehavior':'DeleteIfCreated'"));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &pod, true));
    policy = scene_get_policy(scene, "p");
    live = scene_get(scene, &pod);
    if (!policy || !live)
        return scene_fail(scene, "policy or pod is gone");
    is = steady_status(policy, prb_object_uid(live));
    wanted = scene_json(scene, SAMPLE_STATUS);
    text = prb_json_text(is, true);
    return prb_json_equal(is, wanted) ? 0 : scene_fail(scene, "the status is %s", text);
}

#define NUMBERED                                                                               \
    "{'status':{'relatedObjects':[{'compliant':'Compliant','object':{'apiVersion':'v1','kind'" \
    ":'ConfigMap','metadata':{'name':'foo','namespace':'@'}},'properties':{'createdByPolicy':" \
    "true,'uid':1234567890},'reason':'Resource found as expected'}]}}"

/* The design prints the uid as a number. The definition says that it is a text; where nobody looks
 * at definitions, the object is not the policy's, and that is told. */
static int numbered(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo"), p = scene_policy(scene, "p");
    prb_auto(prb_json_free) struct json_object *patch = scene_json(scene, NUMBERED);
    struct prb_error err;
    int r;

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &foo, true));
    r = prb_api_patch(scene->place->direct, &p, PRB_PATCH_MERGE, patch,
            &(struct prb_write_options){ .subresource = "status" }, NULL, &err);
    if (r != (scene->place->hub ? 0 : PRB_E_INVALID))
        return scene_fail(scene, "patched: %d %s", r, r < 0 ? err.msg : "");
    if (scene->place->hub)
        DO(scene_await_event(scene, "ConfigurationPolicy", "p", "is no text"));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    return scene->place->hub ? scene_expect_kept(scene, &foo) : scene_expect_gone(scene, &foo);
}

static const struct row list[] = {
    ROW("case20: the status of an object that was created says createdByPolicy true, and its uid",
            created),
    ROW("case20: the status of an object that already existed says false", existed),
    ROW("case20: the status of an object that was only edited says false", edited),
    ROW("case20: the status of an inform policy says false, and a uid", informed),
    ROW("the status that design 003 prints is the status there is", sample),
    ROW("a recorded uid that is a number is refused, or told", numbered),
    ROW("what was recorded under None serves when pruning is switched on later",
            pruning_comes_later),
};

ROW_LIST(rows_status);
