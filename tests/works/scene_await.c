/* When has a scene come to where it should? */

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "scene.h"
#include "support/wait.h"

/* Ever longer pauses between two looks, up to this many: dozens of scenes that look all the time
 * would keep the servers from everything else. */
#define PAUSES_MAX 16

/* False: the time is over. */
static bool rest(struct prb_test_wait *wait, int *pauses)
{
    if (!prb_test_wait_in_time(wait))
        return false;
    for (int i = 0; i < *pauses; i++)
        prb_test_pause();
    *pauses = *pauses < PAUSES_MAX ? *pauses * 2 : PAUSES_MAX;
    return true;
}

/* `what` is what must end; what is hoped for goes with it. */
static struct prb_test_wait begin_wait(const struct hope *hope, const char *what)
{
    const char *name = hope->work ? hope->work : hope->ref ? hope->ref->name : "";
    const char *parts[] = { hope->type, hope->status, hope->reason, hope->text };
    prb_auto(prb_str_done) struct prb_str hoped;

    prb_str_init(&hoped, 200);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        prb_str_addf(&hoped, "%s%s", parts[i] ? " " : "", parts[i] ? parts[i] : "");
    return prb_test_wait_for(PRB_TEST_STORM_MS, "this to end: %s %s%s%s", name, what,
            hoped.len > 0 ? ":" : "", prb_str_get(&hoped));
}

int scene_await(struct scene *scene, struct hope *hope, bool (*holds)(void *ctx), const char *what)
{
    struct prb_test_wait wait = begin_wait(hope, what);
    int pauses = 1;

    hope->scene = scene;
    if (scene->why[0])
        return -1;
    while (!holds(hope)) {
        (void)prb_test_saw("%s", hope->seen);
        if (!rest(&wait, &pauses))
            return scene_fail(scene, "%s", prb_test_awaited());
    }
    return 0;
}

static const struct json_object *find_condition(const struct json_object *list, const char *type)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), type))
            return item;
    }
    return NULL;
}

/* Notes what there is, too. */
static bool fits(struct hope *hope, const struct json_object *condition)
{
    const char *status = prb_json_str(condition, "status");
    const char *reason = prb_json_str(condition, "reason");
    const char *message = prb_json_str(condition, "message");

    (void)snprintf(hope->seen, sizeof(hope->seen), "wanted %s=%s with \"%s\", there is %s %s: %s",
            hope->type, hope->status, hope->text, status ? status : "none", reason ? reason : "",
            message ? message : "");
    return prb_streq(status, hope->status) && (!hope->reason || prb_streq(reason, hope->reason)) &&
           strstr(message ? message : "", hope->text);
}

static const struct json_object *manifests_of(const struct prb_object *work)
{
    return prb_json_arr(prb_json_obj(prb_object_status(work), "resourceStatus"), "manifests");
}

static size_t count_wanted(const struct prb_object *work)
{
    return prb_json_len(prb_json_arr(prb_json_obj(prb_object_spec(work), "workload"), "manifests"));
}

/* Every manifest has its say. */
static bool are_applied(struct hope *hope, const struct prb_object *work)
{
    const struct json_object *list = manifests_of(work);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *conditions = prb_json_arr(prb_json_elem(list, i), "conditions");

        if (!fits(hope, find_condition(conditions, "Applied")))
            return false;
    }
    return prb_json_len(list) == count_wanted(work);
}

static bool is_applied(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *work = scene_get_work(hope->scene, hope->work);
    const struct json_object *condition;
    int64_t observed = 0;

    hope->type = "Applied";
    hope->status = "True";
    hope->text = "";
    if (!work)
        return false;
    condition = find_condition(prb_json_arr(prb_object_status(work), "conditions"), "Applied");
    (void)prb_json_int(condition, "observedGeneration", &observed);
    return fits(hope, condition) && observed == prb_object_generation(work) &&
           are_applied(hope, work);
}

int scene_await_applied(struct scene *scene, const char *work)
{
    return scene_await(scene, &(struct hope){ .work = work }, is_applied, "is not applied");
}

static bool is_said(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *work = scene_get_work(hope->scene, hope->work);

    return work && fits(hope, find_condition(prb_json_arr(prb_object_status(work), "conditions"),
                                      hope->type));
}

int scene_await_said(struct scene *scene, const char *work, const char *type, const char *status,
        const char *reason, const char *text)
{
    return scene_await(scene,
            &(struct hope){
                    .work = work, .type = type, .status = status, .reason = reason, .text = text },
            is_said, "does not say so");
}

static bool says_manifest(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *work = scene_get_work(hope->scene, hope->work);
    const struct json_object *list = work ? manifests_of(work) : NULL;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);
        int64_t ordinal = -1;

        (void)prb_json_int(prb_json_obj(item, "resourceMeta"), "ordinal", &ordinal);
        if (ordinal == hope->number)
            return fits(hope, find_condition(prb_json_arr(item, "conditions"), hope->type));
    }
    return false;
}

int scene_await_manifest(struct scene *scene, const char *work, int64_t ordinal, const char *type,
        const char *status, const char *text)
{
    return scene_await(scene,
            &(struct hope){
                    .work = work, .number = ordinal, .type = type, .status = status, .text = text },
            says_manifest, "does not say so of its manifest");
}

static bool is_there(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);

    return object != NULL;
}

int scene_await_there(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = ref }, is_there, "does not come");
}

/* Positively: an answer that is no answer does not count. A kind that is gone has no objects. */
static bool is_gone(struct prb_api *api, const struct prb_ref *ref, struct hope *hope)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err = { .msg = "it is there" };

    if (prb_api_get(api, ref, NULL, &object, &err) == PRB_E_NOTFOUND)
        return true;
    (void)snprintf(hope->seen, sizeof(hope->seen), "%.500s%s", err.msg,
            object && prb_object_is_deleting(object) ? ", and deleting" : "");
    return false;
}

static bool has_gone(void *ctx)
{
    struct hope *hope = ctx;

    return is_gone(hope->scene->ends->spoke->direct, hope->ref, hope);
}

int scene_await_gone(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = ref }, has_gone, "does not go");
}

static bool is_deleting(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);

    return object && prb_object_is_deleting(object);
}

int scene_await_deleting(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = ref }, is_deleting, "is not deleted");
}

/* What it says last is the best there is to know why it does not go. */
static bool has_ended(void *ctx)
{
    struct hope *hope = ctx;
    struct scene *scene = hope->scene;
    struct prb_ref ref = scene_work(scene, hope->work);
    prb_auto(prb_object_unref) struct prb_object *work = NULL;

    if (is_gone(scene->ends->hub->direct, &ref, hope))
        return true;
    work = scene_get_work(scene, hope->work);
    if (work)
        (void)fits(hope,
                find_condition(prb_json_arr(prb_object_status(work), "conditions"), hope->type));
    return false;
}

int scene_await_no_work(struct scene *scene, const char *work)
{
    return scene_await(scene,
            &(struct hope){ .work = work, .type = "Deleting", .status = "gone", .text = "" },
            has_ended, "does not go");
}

int scene_await_ended(struct scene *scene, const char *work)
{
    struct prb_ref applied = scene_applied(scene, work);
    struct hope hope = { .seen = "" };

    DO(scene_await_no_work(scene, work));
    return is_gone(scene->ends->spoke->direct, &applied, &hope)
                   ? 0
                   : scene_fail(scene, "%s: gone before its AppliedManifestWork", work);
}
