/* Does a work that is being deleted take only what has its reference, by the settings it had? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/definitions.h"

#define NO_OWNERS "{'metadata':{'ownerReferences':null}}"
#define READ_ONLY(name) STRATEGY("configmaps", name, "ReadOnly", "")

/* Something else that holds a work, and our finalizer. */
#define HELD_TOO "'finalizers':['example.org/hold']"
#define LET_GO \
    "{'metadata':{'finalizers':['example.org/hold']},'spec':{'deleteOption':null,'manifestConfigs':null}}"

/* Short, for what is evicted. */
#define GRACE_MS 1500

/* Is there an Event on the hub about the work, with this in its text? */
static bool has_told(void *ctx)
{
    struct hope *hope = ctx;
    struct scene *scene = hope->scene;
    struct prb_ref ref = scene_work(scene, hope->work);
    struct prb_list_options options = { .namespace = ref.namespace };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_gvr gvr;
    struct prb_error err;

    prb_page_init(&page);
    if (!prb_gvr_parse("events.v1.", &gvr) ||
            prb_api_list_all(scene->ends->hub->direct, &gvr, &options, 10000, &page, &err) != 0)
        return false;
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *tree = prb_object_tree(page.objects[i]);
        const char *text = prb_json_str(tree, "message");

        if (prb_streq(prb_json_str(prb_json_obj(tree, "involvedObject"), "name"), ref.name) &&
                prb_streq(prb_json_str(tree, "reason"), "ResourcesStay") && text &&
                strstr(text, hope->text))
            return true;
    }
    return false;
}

static int await_told(struct scene *scene, const char *work, const char *text)
{
    return scene_await(scene, &(struct hope){ .work = work, .text = text }, has_told,
            "no Event names what stays");
}

/* `precious` was made by hand, and the work only reads it. */
static int make_precious(struct scene *scene, const char *rest)
{
    struct prb_ref precious = scene_cm(scene, "precious"), cm2 = scene_cm(scene, "cm2");
    prb_autofree char *spec =
            prb_asprintf(WORKLOAD(CM("precious", "a") "," CM("cm2", "a")) "%s", rest);

    DO(scene_make(scene, &precious, CM("precious", "by hand")));
    DO(scene_make_work(scene, "w", spec));
    DO(scene_await_applied(scene, "w"));
    return scene_patch(scene, &cm2, HOLD);
}

static int read_only_emptied(struct scene *scene)
{
    struct prb_ref precious = scene_cm(scene, "precious"), cm2 = scene_cm(scene, "cm2");

    DO(make_precious(scene, READ_ONLY("precious")));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_deleting(scene, &cm2));
    DO(scene_patch_work(scene, "w", "{'spec':{'manifestConfigs':null}}"));
    DO(scene_release(scene, &cm2));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm2));
    DO(scene_expect_value(scene, &precious, "by hand"));
    return scene_expect_kept(scene, &precious);
}

/* The same while the agent is away: it finds a work that never said ReadOnly. */
static int read_only_emptied_unseen(struct scene *scene)
{
    struct prb_ref precious = scene_cm(scene, "precious"), cm2 = scene_cm(scene, "cm2");

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(make_precious(scene, READ_ONLY("prec*")));
    scene_stop(scene);
    DO(scene_delete_work(scene, "w"));
    DO(scene_patch_work(scene, "w", "{'spec':{'manifestConfigs':null}}"));
    DO(scene_start(scene));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting",
            "1 resource stays, because it has no owner reference of AppliedManifestWork"));
    DO(await_told(scene, "w", "/precious"));
    DO(scene_release(scene, &cm2));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_kept(scene, &precious);
}

static int reference_lost(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(TWO)));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &cm1, true));
    scene_stop(scene);
    DO(scene_patch(scene, &cm1, NO_OWNERS));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    DO(await_told(scene, "w", "/cm1"));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

/* Orphan is taken back while the agent is away: it adds no reference to a work that is going. */
static int option_taken_back(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(scene_make_work(scene, "w", WORKLOAD(TWO) ORPHAN));
    DO(scene_await_applied(scene, "w"));
    scene_stop(scene);
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':null}}"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_ended(scene, "w"));
    DO(await_told(scene, "w", "/cm1"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_expect_kept(scene, &cm1));
    return scene_expect_kept(scene, &cm2);
}

/* ---- an agent that does not know the settings takes them and our finalizer off ---- */

static int make_held(struct scene *scene, const char *rest)
{
    prb_autofree char *spec = prb_asprintf(WORKLOAD(TWO) "%s", rest);

    DO(scene_hire(scene));
    scene->own.settings.eviction_grace_ms = GRACE_MS;
    DO(scene_start(scene));
    DO(scene_make_work_with(scene, "w", HELD_TOO, spec));
    return scene_await_applied(scene, "w");
}

static int settings_dropped(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");
    struct prb_ref applied;

    DO(scene_make(scene, &cm1, CM("cm1", "a")));
    DO(make_held(scene, scene->with));
    applied = scene_applied(scene, "w");
    scene_stop(scene);
    DO(scene_delete_work(scene, "w"));
    DO(scene_patch_work(scene, "w", LET_GO));
    DO(scene_start(scene));
    DO(scene_patch_work(scene, "w", "{'metadata':{'finalizers':null}}"));
    DO(scene_expect_gone(scene, &applied));
    DO(scene_expect_gone(scene, &cm2));
    DO(scene_await_owners(scene, &cm1, 0));
    return scene_expect_kept(scene, &cm1);
}

static bool has_settings(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *applied = scene_get(hope->scene, hope->ref);

    return applied && prb_object_annotation(applied, "probate.dev/orphan-settings");
}

/* `to` gets the owners of `from`. */
static int copy_owners(struct scene *scene, const struct prb_ref *from, const struct prb_ref *to)
{
    prb_auto(prb_object_unref) struct prb_object *owned = scene_get(scene, from);
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    const struct json_object *owners =
            owned ? prb_json_arr(prb_object_metadata(owned), "ownerReferences") : NULL;
    struct prb_error err;

    if (!owners)
        return scene_fail(scene, "%s has no owner", from->name);
    prb_json_set(prb_json_ensure_obj(patch, "metadata"), "ownerReferences", prb_json_copy(owners));
    return prb_api_patch(scene->ends->spoke->direct, to, PRB_PATCH_MERGE, patch, NULL, NULL, &err) <
                           0
                   ? scene_fail(scene, "%s", err.msg)
                   : 0;
}

/* The agent has put them on record, and dies before it can act by them. */
static int settings_dropped_before_alignment(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2"), applied;

    DO(scene_make(scene, &cm1, CM("cm1", "a")));
    DO(make_held(scene, scene->with));
    applied = scene_applied(scene, "w");
    DO(scene_await(scene, &(struct hope){ .ref = &applied }, has_settings, "has no settings"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_await_owned(scene, &cm2, "w", true));
    scene_stop(scene);
    DO(copy_owners(scene, &cm2, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_patch_work(scene, "w", LET_GO));
    DO(scene_start(scene));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_patch_work(scene, "w", "{'metadata':{'finalizers':null}}"));
    DO(scene_expect_gone(scene, &applied));
    DO(scene_expect_gone(scene, &cm2));
    return scene_expect_kept(scene, &cm1);
}

/* ---- a kind that is not served ---- */

#define VERSIONS(served)                                                              \
    "{'spec':{'versions':[{'name':'v1','served':" served ",'storage':true,'schema':{" \
    "'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}"

static bool is_not_served(void *ctx)
{
    struct hope *hope = ctx;

    return !prb_test_is_served(hope->scene->ends->spoke->direct, &hope->ref->gvr);
}

static bool is_served(void *ctx)
{
    return !is_not_served(ctx);
}

/* Its objects are stored all the while, and come back with it. */
static int set_served(struct scene *scene, const struct prb_ref *one, bool served)
{
    struct prb_ref crd = widgets_crd(scene);
    struct hope hope = { .ref = one };

    DO(scene_patch(scene, &crd, served ? VERSIONS("true") : VERSIONS("false")));
    return served ? scene_await(scene, &hope, is_served, "is not served")
                  : scene_await(scene, &hope, is_not_served, "is served");
}

static int orphan_not_served(struct scene *scene)
{
    struct prb_ref one = widget(scene, "one"), cm1 = scene_cm(scene, "cm1");
    struct prb_ref crd = widgets_crd(scene);

    /* The history has no watch on it, which would end. */
    DO(scene_hire(scene));
    DO(scene_start(scene));
    DO(scene_make(scene, &crd, WIDGETS_CRD));
    DO(scene_await(scene, &(struct hope){ .ref = &one }, is_served, "is not served"));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a") "," WIDGET("one", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &one, "w", true));
    scene_stop(scene);
    DO(set_served(scene, &one, false));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_start(scene));
    DO(scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting",
            "has it, but the API server does not serve it now"));
    DO(set_served(scene, &one, true));
    DO(scene_await_ended(scene, "w"));
    DO(scene_await_owners(scene, &one, 0));
    DO(scene_await_value(scene, &one, "a"));
    return scene_expect_kept(scene, &cm1);
}

/* Nothing of it was ever on record: it holds nothing for being defined. */
static int never_served(struct scene *scene)
{
    struct prb_ref one = widget(scene, "one"), cm1 = scene_cm(scene, "cm1");
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make(scene, &crd, WIDGETS_CRD));
    DO(set_served(scene, &one, false));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a") "," WIDGET("one", "a"))));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

static const struct row list[] = {
    ROW("what a work only reads stays, though manifestConfigs is emptied during its deletion",
            read_only_emptied),
    ROW("what a work only read stays, though it was emptied while no agent saw it",
            read_only_emptied_unseen),
    ROW("an object that has lost its owner reference stays when the work goes", reference_lost),
    ROW("Orphan taken back while no agent saw it: what has no reference stays", option_taken_back),
    { .name = "a rule and our finalizer are dropped: what it spared stays, the rest is evicted",
            .play = settings_dropped,
            .with = SPARE_CM("cm1") },
    { .name = "ReadOnly and our finalizer are dropped: what was only read stays",
            .play = settings_dropped,
            .with = READ_ONLY("cm1") },
    { .name = "a rule on record spares what still has its owner reference",
            .play = settings_dropped_before_alignment,
            .with = SPARE_CM("cm1") },
    { .name = "ReadOnly on record spares what still has its owner reference",
            .play = settings_dropped_before_alignment,
            .with = READ_ONLY("cm1") },
    ROW("Orphan holds the work until the kind of what is to stay is served again",
            orphan_not_served),
    ROW("a kind that was never served holds no work that is deleted", never_served),
};

ROW_LIST(rows_frozen);
