/* Does the server serve this, under which name and in which scope? */

#include "discovery.h"

#include <pthread.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

#include "group.h"
#include "status.h"
#include "url.h"

struct prb_kube_discovery {
    const struct prb_kube_rest *rest; /* borrowed */
    pthread_mutex_t lock;   /* guards what follows; never held while the server is asked */
    struct prb_map *groups; /* owned: name to struct prb_kube_group */
    uint64_t forgotten;     /* how often something was to be forgotten */
};

static void group_free(void *value)
{
    prb_kube_group_free(value);
}

struct prb_kube_discovery *prb_kube_discovery_new(const struct prb_kube_rest *rest)
{
    struct prb_kube_discovery *discovery = prb_calloc(1, sizeof(*discovery));

    discovery->rest = rest;
    discovery->groups = prb_map_new(group_free);
    (void)pthread_mutex_init(&discovery->lock, NULL);
    return discovery;
}

void prb_kube_discovery_free(struct prb_kube_discovery *discovery)
{
    if (!discovery)
        return;
    prb_map_free(discovery->groups);
    (void)pthread_mutex_destroy(&discovery->lock);
    free(discovery);
}

/* GET a discovery document. *ret is NULL when the server positively has none. */
static int ask(struct prb_kube_discovery *discovery, const char *path, int64_t deadline_ms,
        struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    int64_t left_ms = deadline_ms - prb_kube_now_ms();
    const struct prb_kube_request request = {
        .method = "GET",
        .path = path,
        .repeatable = true,
        .timeout_ms = left_ms > 0 ? (int)left_ms : 1,
    };
    int r;

    prb_kube_answer_init(&answer);
    r = prb_kube_ask(discovery->rest, &request, &answer, err);
    if (r == PRB_E_NOTFOUND) {
        *ret = NULL;
        return 0;
    }
    if (r < 0)
        return prb_wrap(err, "discovery of %s", path);
    if (prb_json_parse(prb_str_get(&answer.body), answer.body.len, NULL, ret, err) < 0)
        return prb_fail(
                err, PRB_E_IO, "discovery of %s: the answer cannot be read: %s", path, err->msg);
    return 0;
}

static int ask_path(struct prb_kube_discovery *discovery, const char *group, const char *version,
        int64_t deadline_ms, struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str path;

    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    prb_kube_path_group(&path, group, version);
    return ask(discovery, prb_str_get(&path), deadline_ms, ret, err);
}

/* Is this a discovery document with such a list? What else may come with a 200 must not read as
 * "the server serves nothing"; an empty list may be null. */
static int check_document(
        const struct json_object *tree, const char *list, const char *group, struct prb_error *err)
{
    const struct json_object *value = prb_json_find(tree, list);

    if (prb_json_has(tree, list) && (!value || json_object_is_type(value, json_type_array)))
        return 0;
    return prb_fail(err, PRB_E_IO, "discovery of group \"%s\": the answer has no %s", group, list);
}

/* The resources of a version. That the group names it and the server does not have it is no answer:
 * one of the two is about to change. */
static int ask_version(struct prb_kube_discovery *discovery, const char *group, const char *version,
        int64_t deadline_ms, struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *list = NULL;
    int r = ask_path(discovery, group, version, deadline_ms, &list, err);

    if (r < 0)
        return r;
    if (!list)
        return prb_fail(err, PRB_E_UNAVAILABLE,
                "discovery of group \"%s\": its version %s is named, but not served now", group,
                version);
    r = check_document(list, "resources", group, err);
    if (r == 0)
        *ret = prb_take(list);
    return r;
}

/* Every version of a group; a group that is not served has no kinds. */
static int ask_group(struct prb_kube_discovery *discovery, const char *name,
        struct prb_kube_group **ret, struct prb_error *err)
{
    prb_auto(prb_kube_group_free) struct prb_kube_group *group = prb_calloc(1, sizeof(*group));
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree const char **versions = NULL;
    int64_t deadline_ms = prb_kube_now_ms() + PRB_API_TIMEOUT_MS;
    size_t count = 0;
    int r = ask_path(discovery, name, NULL, deadline_ms, &tree, err);

    if (r == 0 && tree)
        r = check_document(tree, "versions", name, err);
    if (r == 0 && tree)
        r = prb_kube_group_versions(tree, name, &versions, &count, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < count; i++) {
        prb_auto(prb_json_free) struct json_object *list = NULL;

        r = ask_version(discovery, name, versions[i], deadline_ms, &list, err);
        if (r < 0)
            return r;
        prb_kube_group_add(group, list, name, versions[i], i);
    }
    group->asked_ms = prb_kube_now_ms();
    *ret = prb_take(group);
    return 0;
}

/*
 * With the lock held. What was asked before something was forgotten may be just that, whatever the
 * group, and is not kept.
 */
static void keep(struct prb_kube_discovery *discovery, const char *name,
        struct prb_kube_group *taken, uint64_t forgotten)
{
    if (forgotten != discovery->forgotten) {
        prb_kube_group_free(taken);
        return;
    }
    if (prb_map_count(discovery->groups) >= PRB_KUBE_DISCOVERY_GROUPS_MAX)
        prb_map_clear(discovery->groups);
    prb_map_set(discovery->groups, name, taken);
}

static int fail_partial(const char *group, const char *name, struct prb_error *err)
{
    return prb_fail(err, PRB_E_UNAVAILABLE,
            "discovery of group \"%s\" shows no \"%s\", but has a resource that cannot be read",
            group, name);
}

static int fail_not_served(const char *group, const char *name, struct prb_error *err)
{
    (void)prb_fail(err, PRB_E_NOTFOUND, "the server serves no resource \"%s\" in %s%s", name,
            *group ? "group " : "the core group", group);
    (void)prb_copy(err->reason, sizeof(err->reason), PRB_KUBE_NOT_SERVED);
    return err->code;
}

/* With the lock held. 0, or why it was not found in what the server says of its group. */
static int find_in(const struct prb_kube_group *known, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    const struct prb_resource *found = prb_kube_group_find(known, name);

    if (found) {
        *ret = *found;
        return 0;
    }
    return known->partial ? fail_partial(group, name, err) : fail_not_served(group, name, err);
}

/* What is known without asking. False: the server has to be asked. */
static bool find_known(struct prb_kube_discovery *discovery, const char *group, const char *name,
        struct prb_resource *ret, int *ret_r, struct prb_error *err)
{
    const struct prb_kube_group *known;
    int64_t age_ms;
    bool is_known = false;

    (void)pthread_mutex_lock(&discovery->lock);
    known = prb_map_find(discovery->groups, group);
    age_ms = known ? prb_kube_now_ms() - known->asked_ms : INT64_MAX;
    if (age_ms < PRB_KUBE_DISCOVERY_AGE_MS) {
        *ret_r = find_in(known, group, name, ret, err);
        is_known = *ret_r == 0 || age_ms < PRB_KUBE_DISCOVERY_MISS_MS;
    }
    (void)pthread_mutex_unlock(&discovery->lock);
    return is_known;
}

/* Some proxies say "404 page not found" in the very words of an API server, for every path while
 * they know of no server behind them. The core group is always served. */
static int check_is_there(struct prb_kube_discovery *discovery, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *core = NULL;
    int r = ask_path(discovery, "", NULL, prb_kube_now_ms() + PRB_API_TIMEOUT_MS, &core, err);

    if (r == 0 && !core)
        return prb_fail(err, PRB_E_UNAVAILABLE,
                "what answers has nothing to say, not even of the core group: it is no API server");
    return r;
}

/*
 * An API server that has just started does not know yet which CRDs there are and says 404 for all
 * of them; being ready includes having read them. A server that does not tell whether it is ready
 * is believed, if it is one.
 */
static int check_ready(struct prb_kube_discovery *discovery, struct prb_error *err)
{
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    const struct prb_kube_request request = {
        .method = "GET",
        .path = "/readyz",
        .accept = "*/*",
        .repeatable = true,
    };
    int r;

    prb_kube_answer_init(&answer);
    r = prb_kube_ask(discovery->rest, &request, &answer, err);
    if (r == PRB_E_FORBIDDEN || r == PRB_E_UNAUTHORIZED)
        return 0;
    if (r == PRB_E_NOTFOUND)
        return check_is_there(discovery, err);
    return r < 0 ? prb_wrap(err, "the API server is not ready") : 0;
}

static uint64_t times_forgotten(struct prb_kube_discovery *discovery)
{
    uint64_t times;

    (void)pthread_mutex_lock(&discovery->lock);
    times = discovery->forgotten;
    (void)pthread_mutex_unlock(&discovery->lock);
    return times;
}

void prb_kube_discovery_forget(struct prb_kube_discovery *discovery, const char *group)
{
    (void)pthread_mutex_lock(&discovery->lock);
    (void)prb_map_remove(discovery->groups, group);
    discovery->forgotten++;
    (void)pthread_mutex_unlock(&discovery->lock);
}

static int ask_and_find(struct prb_kube_discovery *discovery, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    uint64_t forgotten = times_forgotten(discovery);
    struct prb_kube_group *fresh;
    int r = ask_group(discovery, group, &fresh, err);

    if (r < 0)
        return r;
    (void)pthread_mutex_lock(&discovery->lock);
    r = find_in(fresh, group, name, ret, err);
    keep(discovery, group, fresh, forgotten);
    (void)pthread_mutex_unlock(&discovery->lock);
    return r;
}

int prb_kube_discovery_resolve(struct prb_kube_discovery *discovery, const char *group,
        const char *name, struct prb_resource *ret, struct prb_error *err)
{
    const char *group_name = group ? group : "";
    int r;

    if (find_known(discovery, group_name, name, ret, &r, err))
        return r;
    r = ask_and_find(discovery, group_name, name, ret, err);
    if (r != PRB_E_NOTFOUND)
        return r;
    r = check_ready(discovery, err);
    return r < 0 ? r : ask_and_find(discovery, group_name, name, ret, err);
}
