/* Whose is an object, and who knows of it? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "scene.h"

/* References to AppliedManifestWorks; `uid` NULL: to any. Notes what there is, too. */
static int64_t count_owners(struct hope *hope, const struct prb_object *object, const char *uid)
{
    int64_t count = 0;

    (void)snprintf(
            hope->seen, sizeof(hope->seen), "of %zu references", prb_object_owner_count(object));
    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        struct prb_owner owner;

        if (prb_object_owner_at(object, i, &owner) &&
                prb_streq(owner.kind, "AppliedManifestWork") && (!uid || prb_streq(owner.uid, uid)))
            count++;
    }
    return count;
}

static bool has_owners(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);

    return object && count_owners(hope, object, NULL) == hope->number;
}

int scene_await_owners(struct scene *scene, const struct prb_ref *ref, int64_t count)
{
    prb_autofree char *what = prb_asprintf("has not %lld owners", (long long)count);

    return scene_await(scene, &(struct hope){ .ref = ref, .number = count }, has_owners, what);
}

static bool is_owned(void *ctx)
{
    struct hope *hope = ctx;
    struct prb_ref ref = scene_applied(hope->scene, hope->work);
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);
    prb_auto(prb_object_unref) struct prb_object *applied = scene_get(hope->scene, &ref);

    return object && applied &&
           (count_owners(hope, object, prb_object_uid(applied)) == 1) == hope->wanted;
}

int scene_await_owned(struct scene *scene, const struct prb_ref *ref, const char *work, bool owned)
{
    prb_autofree char *what = prb_asprintf("%s is %s", ref->name, owned ? "not owned" : "owned");

    return scene_await(
            scene, &(struct hope){ .ref = ref, .work = work, .wanted = owned }, is_owned, what);
}

static bool names(const struct json_object *entry, const struct prb_ref *ref)
{
    const char *group = prb_json_str(entry, "group");
    const char *namespace = prb_json_str(entry, "namespace");

    return prb_streq(group ? group : "", ref->gvr.group) &&
           prb_streq(prb_json_str(entry, "resource"), ref->gvr.resource) &&
           prb_streq(namespace ? namespace : "", ref->namespace) &&
           prb_streq(prb_json_str(entry, "name"), ref->name);
}

static bool is_recorded(void *ctx)
{
    struct hope *hope = ctx;
    struct prb_ref ref = scene_applied(hope->scene, hope->work);
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, hope->ref);
    prb_auto(prb_object_unref) struct prb_object *applied = scene_get(hope->scene, &ref);
    const struct json_object *list =
            applied ? prb_json_arr(prb_object_status(applied), "appliedResources") : NULL;
    bool found = false;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);

        found = found || (names(entry, hope->ref) &&
                                 (!hope->wanted || (object && prb_streq(prb_json_str(entry, "uid"),
                                                                      prb_object_uid(object)))));
    }
    (void)snprintf(hope->seen, sizeof(hope->seen), "%zu entries", prb_json_len(list));
    return applied && found == hope->wanted;
}

int scene_await_recorded(
        struct scene *scene, const char *work, const struct prb_ref *ref, bool recorded)
{
    prb_autofree char *what = prb_asprintf(
            "%s is %s", ref->name, recorded ? "not recorded with its uid" : "still recorded");

    return scene_await(scene, &(struct hope){ .ref = ref, .work = work, .wanted = recorded },
            is_recorded, what);
}

static bool has_value(
        struct scene *scene, const struct prb_ref *ref, const char *value, char *seen, size_t size)
{
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(scene, ref);
    const char *found =
            object ? prb_json_str(prb_json_obj(prb_object_tree(object), "data"), "key") : NULL;

    (void)snprintf(seen, size, "it is %s, not %s", found ? found : "not there", value);
    return prb_streq(found, value);
}

static bool got_value(void *ctx)
{
    struct hope *hope = ctx;

    return has_value(hope->scene, hope->ref, hope->text, hope->seen, sizeof(hope->seen));
}

int scene_await_value(struct scene *scene, const struct prb_ref *ref, const char *value)
{
    return scene_await(scene, &(struct hope){ .ref = ref, .text = value }, got_value,
            "does not get its value");
}

int scene_expect_value(struct scene *scene, const struct prb_ref *ref, const char *value)
{
    char seen[300];

    return has_value(scene, ref, value, seen, sizeof(seen))
                   ? 0
                   : scene_fail(scene, "%s: %s", ref->name, seen);
}
