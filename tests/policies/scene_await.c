/* When has a scene come to where it should? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/policy.h"
#include "probate/reconcilers/policy.h"

#include "scene.h"
#include "support/wait.h"

/* Ever longer pauses between two looks, up to this many: dozens of scenes that look all the time
 * would keep the server from everything else. */
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

int scene_await(struct scene *scene, struct hope *hope, bool (*holds)(void *ctx), const char *what)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_LONG_MS, "this to end: %s%s%s %s: %s %s",
            hope->policy ? "policy " : "", hope->policy ? hope->policy : "", hope->ref.name, what,
            hope->state ? hope->state : "", hope->text ? hope->text : "");
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

/* ---- policies ---- */

/* All that it tells a person. */
static void add_messages(struct prb_str *out, const struct prb_object *policy)
{
    const struct json_object *status = prb_object_status(policy);
    const struct json_object *list = prb_json_arr(status, "compliancyDetails");
    const char *text;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *conditions = prb_json_arr(prb_json_elem(list, i), "conditions");

        for (size_t j = 0; j < prb_json_len(conditions); j++) {
            text = prb_json_str(prb_json_elem(conditions, j), "message");
            prb_str_addf(out, "%s%s", out->len > 0 ? "; " : "", text ? text : "");
        }
    }
    text = prb_json_str(prb_json_elem(prb_json_arr(status, "history"), 0), "message");
    prb_str_addf(out, "%s%s", out->len > 0 ? "; newest: " : "", text ? text : "");
}

static bool is_told(const struct prb_object *policy)
{
    int64_t generation = -1;

    if (prb_object_is_deleting(policy))
        return true;
    (void)prb_json_int(prb_object_status(policy), "lastEvaluatedGeneration", &generation);
    return generation == prb_object_generation(policy);
}

static bool has_state(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy =
            scene_get_policy(hope->scene, hope->policy);
    prb_auto(prb_str_done) struct prb_str said;
    const char *state = policy ? prb_json_str(prb_object_status(policy), "compliant") : NULL;

    prb_str_init(&said, 8192);
    if (policy)
        add_messages(&said, policy);
    (void)snprintf(hope->seen, sizeof(hope->seen), "wanted %s with \"%s\", there is %s%s: %.500s",
            hope->state, hope->text,
            !policy ? "no policy"
            : state ? state
                    : "nothing",
            policy && !is_told(policy) ? " of an older version" : "", prb_str_get(&said));
    return policy && is_told(policy) && prb_streq(state, hope->state) &&
           strstr(prb_str_get(&said), hope->text);
}

int scene_await_state(struct scene *scene, const char *policy, const char *state, const char *text)
{
    prb_auto(prb_json_free) struct json_object *words = NULL;
    prb_autofree char *quoted = prb_asprintf("['%s']", text);
    struct hope hope = { .policy = policy, .state = state };

    words = scene_json(scene, quoted);
    hope.text = prb_json_string(prb_json_elem(words, 0));
    return scene_await(scene, &hope, has_state, "does not say so");
}

int scene_await_compliant(struct scene *scene, const char *policy)
{
    return scene_await_state(scene, policy, "Compliant", "");
}

/* Positively: an answer that is no answer does not count. A kind that is gone has no objects. */
static bool has_gone(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    prb_auto(prb_str_done) struct prb_str said;
    struct prb_error err = { .msg = "it is there" };

    prb_str_init(&said, 8192);
    if (prb_api_get(hope->scene->place->direct, &hope->ref, NULL, &object, &err) == PRB_E_NOTFOUND)
        return true;
    if (object && hope->policy)
        add_messages(&said, object);
    (void)snprintf(hope->seen, sizeof(hope->seen), "%.200s%s %.400s", err.msg,
            object && prb_object_is_deleting(object) ? ", and deleting" : "", prb_str_get(&said));
    return false;
}

int scene_await_ended(struct scene *scene, const char *policy)
{
    return scene_await(scene,
            &(struct hope){ .policy = policy, .ref = scene_policy(scene, policy) }, has_gone,
            "does not go");
}

static bool has_finalizer(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy =
            scene_get_policy(hope->scene, hope->policy);

    return policy && prb_object_has_finalizer(policy, PRB_POLICY_FINALIZER) == hope->wanted;
}

int scene_await_finalizer(struct scene *scene, const char *policy, bool wanted)
{
    return scene_await(scene, &(struct hope){ .policy = policy, .wanted = wanted }, has_finalizer,
            wanted ? "does not get our finalizer" : "does not lose our finalizer");
}

/* ---- what is related ---- */

static bool is_about(const struct json_object *entry, const struct prb_ref *ref)
{
    const struct json_object *metadata = prb_json_obj(prb_json_obj(entry, "object"), "metadata");
    const char *namespace = prb_json_str(metadata, "namespace");

    return prb_streq(prb_json_str(metadata, "name"), ref->name) &&
           prb_streq(namespace ? namespace : "", ref->namespace);
}

static const struct json_object *find_entry(
        const struct prb_object *policy, const struct prb_ref *ref)
{
    const struct json_object *list = prb_json_arr(prb_object_status(policy), "relatedObjects");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (is_about(prb_json_elem(list, i), ref))
            return prb_json_elem(list, i);
    }
    return NULL;
}

static bool is_recorded(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy =
            scene_get_policy(hope->scene, hope->policy);
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, &hope->ref);
    const struct json_object *entry = policy ? find_entry(policy, &hope->ref) : NULL;
    const struct json_object *properties = prb_json_obj(entry, "properties");
    prb_autofree char *text = entry ? prb_json_text(entry, false) : prb_strdup("it is not listed");
    bool created = false;

    (void)snprintf(hope->seen, sizeof(hope->seen), "wanted createdByPolicy=%s and uid %s: %.500s",
            hope->wanted ? "true" : "false", object ? prb_object_uid(object) : "", text);
    return object && is_told(policy) && prb_json_bool(properties, "createdByPolicy", &created) &&
           created == hope->wanted &&
           prb_streq(prb_json_str(properties, "uid"), prb_object_uid(object));
}

int scene_await_recorded(
        struct scene *scene, const char *policy, const struct prb_ref *ref, bool created)
{
    return scene_await(scene, &(struct hope){ .policy = policy, .ref = *ref, .wanted = created },
            is_recorded, "is not recorded so");
}

static bool is_listed(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy =
            scene_get_policy(hope->scene, hope->policy);

    return policy && is_told(policy) && (find_entry(policy, &hope->ref) != NULL) == hope->wanted;
}

int scene_await_listed(
        struct scene *scene, const char *policy, const struct prb_ref *ref, bool listed)
{
    return scene_await(scene, &(struct hope){ .policy = policy, .ref = *ref, .wanted = listed },
            is_listed, listed ? "is not listed" : "is still listed");
}

char *scene_recorded_uid(struct scene *scene, const char *policy, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = scene_get_policy(scene, policy);
    const struct json_object *entry = object ? find_entry(object, ref) : NULL;
    const char *uid = prb_json_str(prb_json_obj(entry, "properties"), "uid");

    return prb_strdup(uid ? uid : "");
}

/* ---- Events ---- */

static bool is_event(const struct hope *hope, const struct prb_object *event)
{
    const struct json_object *tree = prb_object_tree(event);
    const struct json_object *about = prb_json_obj(tree, "involvedObject");
    const char *message = prb_json_str(tree, "message");

    return prb_streq(prb_json_str(about, "kind"), hope->state) &&
           prb_streq(prb_json_str(about, "name"), hope->ref.name) && message &&
           strstr(message, hope->text);
}

static bool has_event(void *ctx)
{
    static const struct prb_gvr events = { "", "v1", "events" };
    struct hope *hope = ctx;
    const struct prb_list_options options = { .namespace = hope->ref.namespace };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list(hope->scene->place->direct, &events, &options, &page, &err) < 0)
        return false;
    for (size_t i = 0; i < page.count; i++) {
        if (is_event(hope, page.objects[i]))
            return true;
    }
    (void)snprintf(
            hope->seen, sizeof(hope->seen), "none of %zu has \"%s\"", page.count, hope->text);
    return false;
}

int scene_await_event(struct scene *scene, const char *kind, const char *name, const char *text)
{
    struct prb_ref ref =
            prb_streq(kind, PRB_POLICY_KIND) ? scene_policy(scene, name) : scene_cm(scene, name);

    return scene_await(scene, &(struct hope){ .ref = ref, .state = kind, .text = text }, has_event,
            "has no such Event");
}

/* ---- objects ---- */

static bool is_there(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, &hope->ref);

    return object != NULL;
}

int scene_await_there(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = *ref }, is_there, "does not come");
}

int scene_await_gone(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = *ref }, has_gone, "does not go");
}

static bool is_deleting(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, &hope->ref);

    return object && prb_object_is_deleting(object);
}

int scene_await_deleting(struct scene *scene, const struct prb_ref *ref)
{
    return scene_await(scene, &(struct hope){ .ref = *ref }, is_deleting, "is not deleted");
}

static bool has_value(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(hope->scene, &hope->ref);
    const char *value =
            object ? prb_json_str(prb_json_obj(prb_object_tree(object), "data"), "key") : NULL;

    (void)snprintf(hope->seen, sizeof(hope->seen), "wanted \"%s\", there is \"%s\"", hope->text,
            value ? value : "");
    return prb_streq(value, hope->text);
}

int scene_await_value(struct scene *scene, const struct prb_ref *ref, const char *value)
{
    return scene_await(
            scene, &(struct hope){ .ref = *ref, .text = value }, has_value, "does not become so");
}
